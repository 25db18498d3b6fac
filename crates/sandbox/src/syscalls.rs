//! Which system calls each of the two walls lets through: one table.

use std::collections::BTreeMap;

use crate::filter::{Action, Answers, Condition, Filter};

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
    use Condition::{Bits, Is, IsNot, IsOwn, Null};
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
        // The limit on memory counts neither what is shared nor what grows as stacks do.
        SYS_mmap => AllowIf(&[
            Bits(3, libc::MAP_SHARED | libc::MAP_GROWSDOWN, 0), Bits(3, libc::MAP_ANONYMOUS | libc::MAP_GROWSDOWN, 0),
        ]),
        SYS_munmap => Allow,
        SYS_mprotect => Allow,
        SYS_mremap => Allow,
        SYS_madvise => Allow,
        SYS_mincore => Allow,
        SYS_msync => Allow,
        SYS_brk => Allow,
        SYS_membarrier => Allow,
        // The process itself.
        SYS_exit => Allow,
        SYS_exit_group => Allow,
        SYS_kill => AllowIf(&[IsOwn(0)]),
        SYS_tgkill => AllowIf(&[IsOwn(0)]),
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

/// What a driver does beside what cases do: being loaded, starting processes of its own, keeping its scratch folder.
fn driver_rules() -> Vec<(i64, Rule)> {
    use Condition::Bits;
    use Rule::{Allow, AllowIf};
    let rules = rules![
        SYS_execve => Allow,
        SYS_clone => AllowIf(&[Bits(0, NAMESPACES, 0)]),
        SYS_mmap => Allow,
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
        SYS_kill => Allow,
        SYS_tgkill => Allow,
    ];
    let more = while_running().into_iter().filter(|call| *call != libc::SYS_clone).map(|call| (call, Allow));
    rules.into_iter().chain(more).collect()
}

/// What a driver does for each case that the case itself may not do, or not as freely.
fn while_running() -> Vec<i64> {
    vec![
        libc::SYS_clone,
        libc::SYS_wait4,
        libc::SYS_waitid,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigtimedwait,
        libc::SYS_prctl,
        libc::SYS_prlimit64,
        libc::SYS_setrlimit,
        libc::SYS_fcntl,
        // Files of a case are written before it and removed after it.
        #[cfg(target_arch = "x86_64")]
        libc::SYS_open,
        libc::SYS_openat,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_readlink,
        libc::SYS_readlinkat,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_unlink,
        libc::SYS_unlinkat,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_rmdir,
        libc::SYS_getdents64,
    ]
}

/// All kinds of namespaces that a new process could have for itself.
const NAMESPACES: i32 = libc::CLONE_NEWNS
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP;

/// The filter that a driver is started with: what it does not let through fails.
pub(crate) fn driver_filter() -> Option<Filter> {
    let mut calls = BTreeMap::new();
    for (call, rule) in case_rules().into_iter().chain(driver_rules()) {
        calls.insert(
            number(call)?,
            match rule {
                Rule::AllowIf(conditions) => any_of(conditions, FAILS),
                _ => Action::Allow.into(),
            },
        );
    }
    Filter::new(&calls, FAILS)
}

const FAILS: Action = Action::Fail(libc::EPERM);

/// What confines cases, in two parts: installing a filter takes time, so that the driver takes on all that it can live with itself.
#[derive(Clone, Debug)]
pub struct CaseFilters {
    /// For the driver, before its first case.
    pub shared: Filter,
    /// For each case, where nothing else keeps it from opening files outside of its folder.
    pub unbounded: Filter,
    /// For each case, where something does.
    pub bounded: Filter,
}

/// The filters of cases. A case is under the shared one and one of the others, which together let through what `case_answers` says.
pub fn case_filters() -> Option<CaseFilters> {
    let [unbounded, bounded] = [case_answers(false)?, case_answers(true)?];
    let shared = shared_answers(&unbounded, &bounded)?;
    let rest = |wanted: &BTreeMap<u32, Answers>| {
        let laxer = shared.iter().filter(|(number, answers)| wanted.get(number) != Some(answers));
        let strict = laxer.map(|(number, _)| (*number, wanted.get(number).cloned().unwrap_or(Action::Trap.into())));
        Filter::new(&strict.collect(), Action::Allow)
    };
    Some(CaseFilters {
        unbounded: rest(&unbounded)?,
        bounded: rest(&bounded)?,
        shared: Filter::new(&shared, Action::Trap)?,
    })
}

/// What all cases may do, and what a driver needs to run them.
fn shared_answers(
    unbounded: &BTreeMap<u32, Answers>,
    bounded: &BTreeMap<u32, Answers>,
) -> Option<BTreeMap<u32, Answers>> {
    let mut shared = bounded.clone();
    for (number, answers) in unbounded.iter().filter(|(number, answers)| bounded.get(number) != Some(answers)) {
        debug_assert!(shared.contains_key(number), "{answers:?}");
        shared.insert(*number, Action::Allow.into());
    }
    let is_of_one = |answers: &Answers| answers.some.iter().any(|(what, _)| matches!(what, Condition::IsOwn(_)));
    shared.values_mut().filter(|answers| is_of_one(answers)).for_each(|answers| *answers = Action::Allow.into());
    for call in while_running() {
        shared.insert(number(call)?, Action::Allow.into());
    }
    Some(shared)
}

/// What becomes of each call that a case makes; any other one stops it.
fn case_answers(files_are_bounded: bool) -> Option<BTreeMap<u32, Answers>> {
    let mut calls = BTreeMap::new();
    for (call, rule) in case_rules() {
        let answers = match rule {
            Rule::Allow => Action::Allow.into(),
            Rule::AllowIf(conditions) => any_of(conditions, Action::Trap),
            Rule::Fail(error) => Action::Fail(error).into(),
            Rule::Open { .. } | Rule::Files if files_are_bounded => Action::Allow.into(),
            Rule::Open { flags } => {
                let reads = Condition::Bits(flags, WRITING, 0);
                Answers { some: vec![(reads, Action::Fail(libc::EACCES))], otherwise: Action::Trap }
            }
            Rule::Files => Action::Trap.into(),
        };
        calls.insert(number(call)?, answers);
    }
    Some(calls)
}

fn number(call: i64) -> Option<u32> {
    u32::try_from(call).ok()
}

/// A call that takes place if one of the conditions holds.
fn any_of(conditions: &[Condition], otherwise: Action) -> Answers {
    Answers { some: conditions.iter().map(|&condition| (condition, Action::Allow)).collect(), otherwise }
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
    SYS_mmap "mmap", SYS_swapon "swapon", SYS_swapoff "swapoff", SYS_acct "acct", SYS_quotactl "quotactl", SYS_syslog "klogctl",
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may")]

    use super::*;
    use crate::filter::THIS_PROCESSOR;
    use crate::filter::tests::run;

    /// What the kernel makes of what two filters say.
    fn stricter(first: Action, second: Action) -> Action {
        let rank = |action: Action| match action {
            Action::Kill => 0,
            Action::Trap => 1,
            Action::Fail(_) => 2,
            Action::Allow => 3,
        };
        if rank(first) <= rank(second) { first } else { second }
    }

    #[test]
    fn both_parts_together_are_what_a_case_may_do() {
        let filters = case_filters().unwrap();
        let shared = shared_answers(&case_answers(false).unwrap(), &case_answers(true).unwrap()).unwrap();
        for (is_bounded, rest) in [(false, &filters.unbounded), (true, &filters.bounded)] {
            let wanted = case_answers(is_bounded).unwrap();
            let values = [0, 1, 2, 3, 17, 31, 0x21, 0x22, 0x122, 77, 0x3d0f00, 0x1003d0f00, 0x53564d41, u64::MAX];
            for number in 0..500 {
                for value in values {
                    let arguments = [value; 6];
                    let expect = wanted.get(&number).map_or(Action::Trap, |answers| answers.to(arguments, 77));
                    let first = shared.get(&number).map_or(Action::Trap, |answers| answers.to(arguments, 77));
                    for (filter, alone) in [(&filters.shared, Some(first)), (rest, None)] {
                        let code = run(filter, THIS_PROCESSOR.unwrap(), number, arguments, 77);
                        assert!(alone.is_none_or(|alone| alone.code() == code), "{number} {value:#x}");
                    }
                    let second = run(rest, THIS_PROCESSOR.unwrap(), number, arguments, 77);
                    let second =
                        [Action::Allow, Action::Trap, expect].into_iter().find(|action| action.code() == second);
                    assert_eq!(stricter(first, second.unwrap()), expect, "{number} {value:#x} {is_bounded}");
                }
            }
        }
    }

    #[test]
    fn cases_are_confined_at_little_cost() {
        let filters = case_filters().unwrap();
        // Each case installs one of these.
        for filter in [&filters.unbounded, &filters.bounded] {
            assert!(filter.instructions().len() < 200, "{}", filter.instructions().len());
        }
    }
}
