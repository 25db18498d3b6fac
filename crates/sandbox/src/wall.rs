//! The wall around a driver: what is done between `fork` and `exec`.
#![allow(unsafe_code, reason = "between fork and exec nothing but system calls is allowed, and std has none for this")]

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, Scope,
};

use crate::filter::Filter;
use crate::syscalls;

/// Why there is no sandbox on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unavailable {
    /// The kernel has no seccomp filters, or something keeps us from using them.
    #[error("the kernel does not let us install seccomp filters")]
    Seccomp,
    /// There is no list of system calls for this kind of processor.
    #[error("there is no sandbox for this kind of processor")]
    Processor,
    /// The scratch folder cannot be opened.
    #[error("the scratch folder cannot be opened")]
    Folder,
}

/// Whether there is a sandbox on this machine.
pub fn check() -> Result<(), Unavailable> {
    if !has_seccomp() {
        return Err(Unavailable::Seccomp);
    }
    driver_filter().map(drop)
}

/// The filter of drivers, made once.
fn driver_filter() -> Result<&'static Filter, Unavailable> {
    static FILTER: OnceLock<Option<Filter>> = OnceLock::new();
    FILTER.get_or_init(syscalls::driver_filter).as_ref().ok_or(Unavailable::Processor)
}

/// What a driver is confined by; made before it is started.
pub struct Wall {
    filter: &'static Filter,
    files: Option<RulesetCreated>,
}

impl Wall {
    /// A wall for a driver that may write below `scratch` only.
    pub fn new(scratch: &Path) -> Result<Wall, Unavailable> {
        check()?;
        let filter = driver_filter()?;
        let folder = PathFd::new(scratch).map_err(|_| Unavailable::Folder)?;
        Ok(Wall { filter, files: rules(folder) })
    }

    /// Confines what a command starts. It can run once.
    pub fn confine(self, command: &mut Command) {
        let Wall { filter, mut files } = self;
        let put_up = move || {
            no_new_privileges()?;
            if let Some(files) = files.take() {
                files.restrict_self().map_err(|_| io::Error::from_raw_os_error(libc::EPERM))?;
            }
            install(filter.instructions())
        };
        // SAFETY: the closure makes system calls only; what it needs was allocated before.
        unsafe { command.pre_exec(put_up) };
    }
}

/// Makes what a command starts end when the thread that starts it does, however that ends.
pub fn end_with_us(command: &mut Command) {
    let parent = std::process::id();
    let arrange = move || {
        // SAFETY: plain system calls.
        unsafe {
            if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0 {
                return Err(io::Error::last_os_error());
            }
            // We may have ended before that.
            if libc::getppid().unsigned_abs() != parent {
                return Err(io::Error::from_raw_os_error(libc::ESRCH));
            }
        }
        Ok(())
    };
    // SAFETY: the closure makes system calls only.
    unsafe { command.pre_exec(arrange) };
}

/// Makes runs of a command alike: the same addresses each time, and a stack of `stack` bytes. Where one of these is not allowed, runs go on
/// without.
pub fn settle(command: &mut Command, stack: u64) {
    let arrange = move || {
        // SAFETY: plain system calls on values of this frame.
        unsafe {
            let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
            if libc::getrlimit(libc::RLIMIT_STACK, &mut limit) == 0 {
                limit.rlim_cur = stack.min(limit.rlim_max);
                libc::setrlimit(libc::RLIMIT_STACK, &limit);
            }
            libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
        }
        Ok(())
    };
    // SAFETY: the closure makes system calls only.
    unsafe { command.pre_exec(arrange) };
}

/// All that writes is allowed below the folder alone; sockets and signals lead to nothing outside. `None` where the
/// kernel has no Landlock.
fn rules(folder: PathFd) -> Option<RulesetCreated> {
    let newest = ABI::V6;
    let writing = AccessFs::from_write(newest);
    Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(writing)
        .and_then(|rules| rules.handle_access(AccessNet::from_all(newest)))
        .and_then(|rules| rules.scope(Scope::from_all(newest)))
        .and_then(Ruleset::create)
        .and_then(|rules| rules.add_rule(PathBeneath::new(folder, writing)))
        .ok()
}

fn no_new_privileges() -> io::Result<()> {
    // SAFETY: a plain system call.
    match unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

fn install(program: &[libc::sock_filter]) -> io::Result<()> {
    let filter = libc::sock_fprog {
        len: u16::try_from(program.len()).map_err(|_| io::Error::from_raw_os_error(libc::EINVAL))?,
        filter: program.as_ptr().cast_mut(),
    };
    // SAFETY: the kernel reads `len` instructions, which live as long as this frame.
    match unsafe { libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const filter) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Whether filters can be installed that stop a process where it makes a call. The kernel is asked without installing one.
fn has_seccomp() -> bool {
    let action: u32 = libc::SECCOMP_RET_TRAP;
    // SAFETY: the kernel reads one number.
    unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, &raw const action) == 0 }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may")]

    use super::*;

    /// Whether a shell command succeeds behind a wall.
    fn succeeds(scratch: &Path, script: &str) -> bool {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]).current_dir(scratch);
        settle(&mut command, 8 << 20);
        Wall::new(scratch).unwrap().confine(&mut command);
        command.status().unwrap().success()
    }

    #[test]
    fn a_driver_computes_and_writes_to_its_scratch_folder() {
        let scratch = tempfile::tempdir().unwrap();
        assert!(succeeds(scratch.path(), "test $((6 * 7)) = 42"));
        // A shell would need `vfork` for anything that it does not do itself.
        assert!(succeeds(scratch.path(), "echo x > here && read y < here && test $y = x"));
        assert!(succeeds(scratch.path(), "exec rm here"));
    }

    #[test]
    fn a_driver_gets_out_of_its_scratch_folder_nowhere() {
        let (scratch, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let other = other.path().to_str().unwrap();
        std::fs::write(format!("{other}/file"), "x").unwrap();
        for script in [
            format!("exec mkdir {other}/new"),
            format!("exec ln -s / {other}/link"),
            format!("exec chmod 777 {other}/file"),
            "exec setsid true".to_owned(),
            "exec unshare --net true".to_owned(),
        ] {
            assert!(!succeeds(scratch.path(), &script), "{script}");
        }
        // Only Landlock tells folders apart.
        if rules(PathFd::new(scratch.path()).unwrap()).is_some() {
            assert!(!succeeds(scratch.path(), &format!("echo y > {other}/file")));
            assert!(!succeeds(scratch.path(), &format!("exec rm -f {other}/file")));
        }
        assert_eq!(std::fs::read_to_string(format!("{other}/file")).unwrap(), "x");
    }

    #[test]
    fn every_rule_can_be_told_to_the_kernel() {
        assert_eq!(check(), Ok(()));
        assert!(syscalls::case_filters().is_some());
        assert_eq!(syscalls::syscall_name(libc::SYS_socket as u64), Some("socket"));
        assert_eq!(syscalls::syscall_name(u64::MAX), None);
    }
}
