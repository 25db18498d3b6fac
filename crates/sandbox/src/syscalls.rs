//! Which system calls each of the two walls lets through: one table.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
};

/// A filter as the kernel takes it.
#[derive(Clone, Debug)]
pub struct Filter(BpfProgram);

impl Filter {
    /// Its instructions.
    pub fn instructions(&self) -> impl Iterator<Item = libc::sock_filter> + '_ {
        self.0.iter().map(|one| libc::sock_filter { code: one.code, jt: one.jt, jf: one.jf, k: one.k })
    }

    /// Its instructions as bytes, in the order of the machine.
    pub fn bytes(&self) -> Vec<u8> {
        let bytes = |one: libc::sock_filter| {
            let [a, b] = one.code.to_ne_bytes();
            let [w, x, y, z] = one.k.to_ne_bytes();
            [a, b, one.jt, one.jf, w, x, y, z]
        };
        self.instructions().flat_map(bytes).collect()
    }
}

/// What a wall does with a system call that it knows.
#[derive(Clone, Copy)]
enum Rule {
    /// It takes place.
    Allow,
    /// It takes place if one of these holds of its arguments.
    AllowIf(&'static [Condition]),
    /// It fails with this error number: libraries make it and do without it.
    Fail(i32),
    /// It takes place below the folder of the case, where something bounds files to that; otherwise it fails if it only
    /// reads, and stops the case if it writes.
    Open {
        /// Which argument holds the flags.
        flags: u8,
    },
    /// It takes place where something bounds files to the folder of the case.
    Files,
}

/// What has to hold of one argument, as 32 bits unless it is a pointer.
#[derive(Clone, Copy)]
enum Condition {
    /// It is that number.
    Is(u8, i32),
    /// It is another number.
    IsNot(u8, i32),
    /// Of these bits it has exactly those.
    Bits(u8, i32, i32),
    /// It is the null pointer.
    Null(u8),
}

/// Names and rules of system calls, in the order of the list.
macro_rules! rules {
    ($($(#[$only:meta])* $name:ident => $rule:expr),* $(,)?) => {
        [$($(#[$only])* (libc::$name, $rule)),*]
    };
}

/// Threads share all that matters with their process, and have no namespace of their own.
const THREAD: i32 = libc::CLONE_VM | libc::CLONE_SIGHAND | libc::CLONE_THREAD;

/// What flags of `open` ask for more than reading.
const WRITING: i32 = libc::O_ACCMODE | libc::O_CREAT | libc::O_TRUNC | libc::O_TMPFILE;

/// What a case may do.
fn case_rules() -> Vec<(i64, Rule)> {
    use Condition::{Bits, Is, IsNot, Null};
    use Rule::{Allow, AllowIf, Fail, Files, Open};
    let rules = rules![
        // Descriptors that are open.
        SYS_read => Allow,
        SYS_readv => Allow,
        SYS_pread64 => Allow,
        SYS_preadv => Allow,
        SYS_write => Allow,
        SYS_writev => Allow,
        SYS_pwrite64 => Allow,
        SYS_pwritev => Allow,
        SYS_lseek => Allow,
        SYS_close => Allow,
        SYS_close_range => Allow,
        SYS_dup => Allow,
        #[cfg(target_arch = "x86_64")]
        SYS_dup2 => Allow,
        SYS_dup3 => Allow,
        SYS_fstat => Allow,
        SYS_newfstatat => Allow,
        SYS_statx => Allow,
        SYS_ftruncate => Allow,
        SYS_fsync => Allow,
        SYS_fdatasync => Allow,
        SYS_fcntl => AllowIf(&[
            Is(1, libc::F_GETFD), Is(1, libc::F_SETFD), Is(1, libc::F_GETFL), Is(1, libc::F_SETFL),
            Is(1, libc::F_DUPFD), Is(1, libc::F_DUPFD_CLOEXEC),
        ]),
        SYS_ioctl => Fail(libc::ENOTTY),
        SYS_fadvise64 => Allow,
        SYS_sendfile => Fail(libc::ENOSYS),
        SYS_copy_file_range => Fail(libc::ENOSYS),
        #[cfg(target_arch = "x86_64")]
        SYS_poll => Allow,
        SYS_ppoll => Allow,
        #[cfg(target_arch = "x86_64")]
        SYS_select => Allow,
        SYS_pselect6 => Allow,
        // Memory.
        SYS_mmap => Allow,
        SYS_munmap => Allow,
        SYS_mprotect => Allow,
        SYS_mremap => Allow,
        SYS_madvise => Allow,
        SYS_mincore => Allow,
        SYS_msync => Allow,
        SYS_brk => Allow,
        SYS_membarrier => Allow,
        // The process itself. Whether a signal is for itself, the driver checks: it knows the number of the process.
        SYS_exit => Allow,
        SYS_exit_group => Allow,
        SYS_kill => Allow,
        SYS_tgkill => Allow,
        // The signal that tells of a refused call stays ours.
        SYS_rt_sigaction => AllowIf(&[IsNot(0, libc::SIGSYS)]),
        SYS_rt_sigprocmask => Allow,
        SYS_rt_sigreturn => Allow,
        SYS_rt_sigpending => Allow,
        SYS_sigaltstack => Allow,
        SYS_restart_syscall => Allow,
        SYS_clone => AllowIf(&[Bits(0, THREAD | NAMESPACES, THREAD)]),
        SYS_clone3 => Fail(libc::ENOSYS),
        SYS_set_tid_address => Allow,
        SYS_set_robust_list => Allow,
        SYS_get_robust_list => Allow,
        SYS_rseq => Allow,
        SYS_futex => Allow,
        SYS_sched_yield => Allow,
        SYS_sched_getaffinity => Allow,
        SYS_sched_getparam => Allow,
        SYS_sched_getscheduler => Allow,
        #[cfg(target_arch = "x86_64")]
        SYS_arch_prctl => Allow,
        SYS_prctl => AllowIf(&[Is(0, libc::PR_SET_NAME), Is(0, libc::PR_GET_NAME), Is(0, libc::PR_SET_VMA)]),
        SYS_prlimit64 => AllowIf(&[Null(2)]),
        SYS_getrlimit => Allow,
        SYS_getrusage => Allow,
        SYS_getpid => Allow,
        SYS_getppid => Allow,
        SYS_gettid => Allow,
        SYS_getuid => Allow,
        SYS_geteuid => Allow,
        SYS_getgid => Allow,
        SYS_getegid => Allow,
        SYS_getresuid => Allow,
        SYS_getresgid => Allow,
        SYS_getgroups => Allow,
        SYS_getpgid => Allow,
        SYS_getsid => Allow,
        #[cfg(target_arch = "x86_64")]
        SYS_getpgrp => Allow,
        SYS_getpriority => Allow,
        SYS_getcwd => Allow,
        SYS_getcpu => Allow,
        SYS_umask => Allow,
        SYS_uname => Allow,
        SYS_sysinfo => Allow,
        SYS_getrandom => Allow,
        SYS_mlock => Fail(libc::EPERM),
        // Time. Nothing of it outlives the process.
        SYS_clock_gettime => Allow,
        SYS_clock_getres => Allow,
        SYS_clock_nanosleep => Allow,
        SYS_nanosleep => Allow,
        SYS_gettimeofday => Allow,
        #[cfg(target_arch = "x86_64")]
        SYS_time => Allow,
        SYS_times => Allow,
        #[cfg(target_arch = "x86_64")]
        SYS_alarm => Allow,
        #[cfg(target_arch = "x86_64")]
        SYS_pause => Allow,
        SYS_setitimer => Allow,
        SYS_getitimer => Allow,
        // Files by name.
        #[cfg(target_arch = "x86_64")]
        SYS_stat => Allow,
        #[cfg(target_arch = "x86_64")]
        SYS_lstat => Allow,
        #[cfg(target_arch = "x86_64")]
        SYS_access => Allow,
        SYS_faccessat => Allow,
        SYS_faccessat2 => Allow,
        #[cfg(target_arch = "x86_64")]
        SYS_readlink => Fail(libc::ENOENT),
        SYS_readlinkat => Fail(libc::ENOENT),
        SYS_statfs => Fail(libc::ENOSYS),
        #[cfg(target_arch = "x86_64")]
        SYS_open => Open { flags: 1 },
        SYS_openat => Open { flags: 2 },
        #[cfg(target_arch = "x86_64")]
        SYS_creat => Files,
        #[cfg(target_arch = "x86_64")]
        SYS_unlink => Files,
        SYS_unlinkat => Files,
        #[cfg(target_arch = "x86_64")]
        SYS_rename => Files,
        SYS_renameat => Files,
        SYS_renameat2 => Files,
        SYS_getdents64 => Files,
    ];
    rules.to_vec()
}

/// What a driver does beside running cases: being loaded, starting processes of its own, keeping its scratch folder.
fn driver_rules() -> Vec<(i64, Rule)> {
    use Condition::Bits;
    use Rule::{Allow, AllowIf};
    let rules = rules![
        SYS_execve => Allow,
        SYS_clone => AllowIf(&[Bits(0, NAMESPACES, 0)]),
        SYS_wait4 => Allow,
        SYS_waitid => Allow,
        SYS_rt_sigaction => Allow,
        SYS_rt_sigtimedwait => Allow,
        SYS_prctl => Allow,
        SYS_prlimit64 => Allow,
        SYS_setrlimit => Allow,
        SYS_seccomp => Allow,
        SYS_landlock_create_ruleset => Allow,
        SYS_landlock_add_rule => Allow,
        SYS_landlock_restrict_self => Allow,
        // Of its own accord it asks for a namespace of users, in which it may change its root folder.
        SYS_unshare => AllowIf(&[Bits(0, NAMESPACES & !libc::CLONE_NEWUSER, 0)]),
        SYS_chroot => Allow,
        SYS_chdir => Allow,
        SYS_fchdir => Allow,
        SYS_memfd_create => Allow,
        SYS_fcntl => Allow,
        #[cfg(target_arch = "x86_64")]
        SYS_readlink => Allow,
        SYS_readlinkat => Allow,
        #[cfg(target_arch = "x86_64")]
        SYS_rmdir => Allow,
        #[cfg(target_arch = "x86_64")]
        SYS_open => Allow,
        SYS_openat => Allow,
    ];
    rules.to_vec()
}

/// All kinds of namespaces that a new process could have for itself.
const NAMESPACES: i32 = libc::CLONE_NEWNS
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP;

/// The filter of a driver: what it does not let through fails.
pub(crate) fn driver_filter() -> Option<Filter> {
    let mut allowed = BTreeMap::new();
    for (call, rule) in case_rules() {
        match rule {
            Rule::AllowIf(conditions) => allowed.insert(call, any_of(conditions)?),
            _ => allowed.insert(call, Vec::new()),
        };
    }
    for (call, rule) in driver_rules() {
        match rule {
            Rule::AllowIf(conditions) => allowed.insert(call, any_of(conditions)?),
            _ => allowed.insert(call, Vec::new()),
        };
    }
    filter(allowed, SeccompAction::Errno(libc::EPERM as u32), SeccompAction::Allow)
}

/// The filters of a case, in the order in which they are installed: the last one forbids to install more. `files_are_bounded` says
/// whether something else keeps the case from opening files outside of its folder.
pub fn case_filters(files_are_bounded: bool) -> Option<Vec<Filter>> {
    let (mut allowed, mut failing): (BTreeMap<_, _>, BTreeMap<i32, BTreeMap<_, _>>) = Default::default();
    for (call, rule) in case_rules() {
        match rule {
            Rule::Allow => _ = allowed.insert(call, Vec::new()),
            Rule::AllowIf(conditions) => _ = allowed.insert(call, any_of(conditions)?),
            Rule::Fail(error) => {
                allowed.insert(call, Vec::new());
                failing.entry(error).or_default().insert(call, Vec::new());
            }
            Rule::Open { .. } | Rule::Files if files_are_bounded => _ = allowed.insert(call, Vec::new()),
            Rule::Open { flags } => {
                let reads = any_of(&[Condition::Bits(flags, WRITING, 0)])?;
                allowed.insert(call, reads.clone());
                failing.entry(libc::EACCES).or_default().insert(call, reads);
            }
            Rule::Files => {}
        }
    }
    // A filter has one answer to all that it lists, so each error has a filter of its own. Where several filters speak of a
    // call, the kernel takes the strictest answer.
    let failing = failing
        .into_iter()
        .map(|(error, calls)| filter(calls, SeccompAction::Allow, SeccompAction::Errno(error.unsigned_abs())));
    failing.chain([filter(allowed, SeccompAction::Trap, SeccompAction::Allow)]).collect()
}

fn filter(calls: BTreeMap<i64, Vec<SeccompRule>>, other: SeccompAction, listed: SeccompAction) -> Option<Filter> {
    let processor = TargetArch::try_from(std::env::consts::ARCH).ok()?;
    let filter = SeccompFilter::new(calls, other, listed, processor).ok()?;
    Some(Filter(BpfProgram::try_from(filter).ok()?))
}

/// Rules of which one has to hold.
fn any_of(conditions: &[Condition]) -> Option<Vec<SeccompRule>> {
    let rule = |condition: &Condition| {
        let number = SeccompCmpArgLen::Dword;
        let bits = |value: i32| u64::from(value as u32);
        let (argument, length, test, value) = match *condition {
            Condition::Is(argument, value) => (argument, number, SeccompCmpOp::Eq, bits(value)),
            Condition::IsNot(argument, value) => (argument, number, SeccompCmpOp::Ne, bits(value)),
            Condition::Bits(argument, mask, value) => {
                (argument, number, SeccompCmpOp::MaskedEq(bits(mask)), bits(value))
            }
            Condition::Null(argument) => (argument, SeccompCmpArgLen::Qword, SeccompCmpOp::Eq, 0),
        };
        SeccompRule::new(vec![SeccompCondition::new(argument, length, test, value).ok()?]).ok()
    };
    conditions.iter().map(rule).collect()
}

/// Numbers and names of system calls; the name is that of the function of C that makes the call, where there is one.
macro_rules! names {
    ($($(#[$only:meta])* $call:ident $name:literal),* $(,)?) => {
        &[$($(#[$only])* (libc::$call, $name)),*]
    };
}

/// What a refused system call is called.
pub fn syscall_name(number: u64) -> Option<&'static str> {
    let number = i64::try_from(number).ok()?;
    NAMES.iter().find(|(known, _)| *known == number).map(|(_, name)| *name)
}

const NAMES: &[(i64, &str)] = names![
    SYS_clone "fork", #[cfg(target_arch = "x86_64")] SYS_fork "fork", #[cfg(target_arch = "x86_64")] SYS_vfork "vfork",
    SYS_clone3 "fork", SYS_execve "execve", SYS_execveat "execveat", SYS_wait4 "wait", SYS_waitid "waitid",
    SYS_kill "kill", SYS_tkill "kill", SYS_tgkill "kill", SYS_rt_sigqueueinfo "sigqueue", SYS_rt_tgsigqueueinfo "sigqueue",
    SYS_pidfd_open "pidfd_open", SYS_pidfd_send_signal "pidfd_send_signal", SYS_ptrace "ptrace",
    SYS_process_vm_readv "process_vm_readv", SYS_process_vm_writev "process_vm_writev", SYS_rt_sigaction "sigaction",
    SYS_rt_sigsuspend "sigsuspend", SYS_rt_sigtimedwait "sigtimedwait", SYS_setsid "setsid", SYS_setpgid "setpgid",
    SYS_setuid "setuid", SYS_setgid "setgid", SYS_setreuid "setreuid", SYS_setregid "setregid",
    SYS_setresuid "setresuid", SYS_setresgid "setresgid", SYS_setgroups "setgroups", SYS_capset "capset",
    SYS_prctl "prctl", SYS_setpriority "setpriority", SYS_sched_setaffinity "sched_setaffinity",
    SYS_sched_setscheduler "sched_setscheduler", SYS_setrlimit "setrlimit", SYS_prlimit64 "prlimit",
    SYS_personality "personality", SYS_unshare "unshare", SYS_setns "setns", SYS_chroot "chroot",
    SYS_pivot_root "pivot_root", SYS_mount "mount", SYS_umount2 "umount", SYS_seccomp "seccomp", SYS_bpf "bpf",
    SYS_perf_event_open "perf_event_open", SYS_userfaultfd "userfaultfd", SYS_io_uring_setup "io_uring_setup",
    SYS_io_setup "io_setup", SYS_keyctl "keyctl", SYS_add_key "add_key", SYS_request_key "request_key",
    SYS_reboot "reboot", SYS_init_module "init_module", SYS_finit_module "finit_module",
    SYS_kexec_load "kexec_load", SYS_sethostname "sethostname", SYS_setdomainname "setdomainname",
    SYS_settimeofday "settimeofday", SYS_clock_settime "clock_settime", SYS_adjtimex "adjtimex",
    SYS_swapon "swapon", SYS_swapoff "swapoff", SYS_acct "acct", SYS_quotactl "quotactl", SYS_syslog "klogctl",
    SYS_sync "sync", SYS_syncfs "syncfs", SYS_socket "socket", SYS_socketpair "socketpair", SYS_connect "connect",
    SYS_bind "bind", SYS_listen "listen", SYS_accept "accept", SYS_accept4 "accept", SYS_sendto "sendto",
    SYS_sendmsg "sendmsg", SYS_sendmmsg "sendmmsg", SYS_recvfrom "recvfrom", SYS_recvmsg "recvmsg",
    SYS_recvmmsg "recvmmsg", SYS_shutdown "shutdown", SYS_getsockopt "getsockopt", SYS_setsockopt "setsockopt",
    SYS_getsockname "getsockname", SYS_getpeername "getpeername",
    #[cfg(target_arch = "x86_64")] SYS_pipe "pipe", SYS_pipe2 "pipe", SYS_eventfd2 "eventfd",
    SYS_timerfd_create "timerfd_create", SYS_signalfd4 "signalfd", SYS_inotify_init1 "inotify_init",
    SYS_fanotify_init "fanotify_init", SYS_memfd_create "memfd_create", SYS_epoll_create1 "epoll_create",
    SYS_shmget "shmget", SYS_shmat "shmat", SYS_shmctl "shmctl", SYS_msgget "msgget", SYS_semget "semget",
    SYS_mq_open "mq_open", SYS_mq_unlink "mq_unlink",
    SYS_timer_create "timer_create", SYS_fcntl "fcntl", SYS_ioctl "ioctl",
    SYS_openat "open", #[cfg(target_arch = "x86_64")] SYS_open "open", SYS_openat2 "open",
    #[cfg(target_arch = "x86_64")] SYS_creat "creat",
    #[cfg(target_arch = "x86_64")] SYS_unlink "unlink", SYS_unlinkat "unlink",
    #[cfg(target_arch = "x86_64")] SYS_rename "rename", SYS_renameat "rename", SYS_renameat2 "rename",
    #[cfg(target_arch = "x86_64")] SYS_mkdir "mkdir", SYS_mkdirat "mkdir",
    #[cfg(target_arch = "x86_64")] SYS_rmdir "rmdir",
    #[cfg(target_arch = "x86_64")] SYS_link "link", SYS_linkat "link",
    #[cfg(target_arch = "x86_64")] SYS_symlink "symlink", SYS_symlinkat "symlink",
    #[cfg(target_arch = "x86_64")] SYS_mknod "mknod", SYS_mknodat "mknod",
    #[cfg(target_arch = "x86_64")] SYS_chmod "chmod", SYS_fchmod "fchmod", SYS_fchmodat "chmod",
    #[cfg(target_arch = "x86_64")] SYS_chown "chown", #[cfg(target_arch = "x86_64")] SYS_lchown "lchown",
    SYS_fchown "fchown", SYS_fchownat "chown", SYS_truncate "truncate", SYS_fallocate "fallocate",
    #[cfg(target_arch = "x86_64")] SYS_utime "utime", #[cfg(target_arch = "x86_64")] SYS_utimes "utimes",
    SYS_utimensat "utimensat", SYS_chdir "chdir", SYS_fchdir "fchdir", SYS_setxattr "setxattr",
    SYS_fsetxattr "fsetxattr", SYS_removexattr "removexattr", SYS_flock "flock", SYS_getdents64 "readdir",
    SYS_splice "splice", SYS_tee "tee", SYS_vmsplice "vmsplice", SYS_name_to_handle_at "name_to_handle_at",
    SYS_open_by_handle_at "open_by_handle_at",
];
