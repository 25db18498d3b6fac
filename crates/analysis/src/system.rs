//! Functions of the C library that only act on the machine around a program, or tell of it: processes, users, sockets, folders,
//! devices. Their results are unknown to an exploration, and no native run may call them.

/// Whether the C library's function of that name acts on the machine.
pub fn acts_on_machine(name: &str) -> bool {
    SYSTEM.iter().any(|names| names.split_whitespace().any(|known| known == name))
}

/// What they are called, a line for each subject.
const SYSTEM: &[&str] = &[
    // Processes.
    "system popen pclose fork vfork _Fork clone daemon execl execlp execle execv execvp execve execvpe fexecve execveat",
    "posix_spawn posix_spawnp wait waitpid wait3 wait4 waitid kill killpg sigqueue pidfd_open pidfd_send_signal ptrace",
    "setsid setpgid setpgrp tcsetpgrp tcgetpgrp setpriority nice sched_setaffinity sched_setscheduler sched_setparam setrlimit",
    "setrlimit64 prlimit prlimit64 prctl personality unshare setns syscall process_vm_readv process_vm_writev vhangup",
    "pause sigsuspend sigwait sigwaitinfo sigtimedwait",
    // Users.
    "setuid setgid seteuid setegid setreuid setregid setresuid setresgid setfsuid setfsgid setgroups initgroups",
    "getpwnam getpwuid getpwnam_r getpwuid_r getgrnam getgrgid getgrnam_r getgrgid_r getlogin getlogin_r",
    // Sockets and names of machines.
    "socket socketpair connect bind listen accept accept4 send sendto sendmsg sendmmsg recv recvfrom recvmsg recvmmsg",
    "shutdown getsockopt setsockopt getsockname getpeername getaddrinfo getnameinfo gethostbyname gethostbyname_r",
    "gethostbyaddr gethostname sethostname getservbyname getprotobyname if_nametoindex getifaddrs",
    // Waiting for descriptors, and descriptors of other kinds.
    "poll ppoll select pselect epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait pipe pipe2 eventfd signalfd",
    "timerfd_create timerfd_settime inotify_init inotify_init1 inotify_add_watch memfd_create ioctl flock lockf",
    "tcgetattr tcsetattr tcflush tcdrain cfmakeraw posix_openpt grantpt unlockpt openpty forkpty",
    // Folders, and properties of files.
    "mkdir mkdirat rmdir chdir fchdir chroot opendir fdopendir readdir readdir64 readdir_r rewinddir closedir scandir nftw ftw",
    "glob link linkat symlink symlinkat readlink readlinkat mknod mknodat mkfifo mkfifoat chmod fchmod fchmodat chown fchown lchown fchownat",
    "truncate truncate64 utime utimes futimes futimens utimensat unlinkat renameat renameat2 openat openat64 mkstemp mkostemp mkdtemp",
    "tempnam tmpnam mktemp statfs fstatfs statvfs fstatvfs setxattr lsetxattr fsetxattr removexattr getxattr sync syncfs fallocate",
    "posix_fallocate sendfile sendfile64 splice copy_file_range realpath fopenat",
    // The machine.
    "mount umount umount2 swapon swapoff reboot sethostname setdomainname settimeofday clock_settime adjtime adjtimex stime",
    "init_module delete_module acct quotactl iopl ioperm klogctl syslog vsyslog openlog closelog",
    "dlopen dlmopen dlclose",
    // Memory that outlives a process.
    "shmget shmat shmdt shmctl shm_open shm_unlink msgget msgsnd msgrcv msgctl semget semop semctl sem_open sem_unlink",
    "mq_open mq_unlink mq_send mq_receive",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_names_count() {
        assert!(acts_on_machine("system") && acts_on_machine("unlinkat"));
        assert!(!acts_on_machine("sys") && !acts_on_machine("") && !acts_on_machine("malloc"));
    }
}
