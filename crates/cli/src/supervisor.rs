//! Verbs that run code symbolically do so in a child process, so that what they have found is not lost when that dies.
//!
//! `pathshift` starts itself again, with the same arguments, and waits. The child does all the work; what it has found
//! so far is in a journal ([`compare::journal`]). When the child dies, another one goes on: with what the journal has, and
//! without the part of the work that the first one died of. The journal is a file without a name, which the child is given as its
//! standard input: it is gone with the processes that hold it.

use crate::console::Failure;
use crate::memory;
use build::ExitClass;
use compare::journal::{Death, Journal, Next, bury};
use rustix::process::{Pid, Signal, getpid, kill_process};
use serde::Serialize;
use serde::de::DeserializeOwned;
use smt::solver::Interrupt;
use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::Duration;

/// Says to a child that its standard input is the journal.
const CHILD: &str = "PATHSHIFT_SUPERVISED";

/// Runs this very command in a child process until it comes to its end, and tells its exit code. Nothing if this is the
/// child, or if there can be none.
pub fn run() -> Option<Result<ExitCode, Failure>> {
    if std::env::var_os(CHILD).is_some() {
        return None;
    }
    let (Ok(exe), Ok(journal)) = (std::env::current_exe(), tempfile::tempfile()) else { return None };
    let child = Arc::new(AtomicI32::new(0));
    let signalled = Arc::new(AtomicBool::new(false));
    let (of_handler, told) = (child.clone(), signalled.clone());
    // The child is no part of the terminal's group, so it hears of Ctrl-C from here alone.
    let pass_on = move || {
        told.store(true, Ordering::Relaxed);
        if let Some(pid) = Pid::from_raw(of_handler.load(Ordering::Relaxed)) {
            let _ = kill_process(pid, Signal::INT);
        }
    };
    if ctrlc::set_handler(pass_on).is_err() {
        return None;
    }
    let start = |journal: &File| -> io::Result<ExitStatus> {
        let mut command = Command::new(&exe);
        command.args(std::env::args_os().skip(1)).env(CHILD, "1").stdin(Stdio::from(journal.try_clone()?));
        sandbox::end_with_us(&mut command);
        let mut process = command.process_group(0).spawn()?;
        child.store(process.id() as i32, Ordering::Relaxed);
        let status = process.wait();
        child.store(0, Ordering::Relaxed);
        status
    };
    Some(supervise(journal, start, &signalled))
}

/// Starts children until one comes to its end.
fn supervise(
    mut journal: File,
    start: impl Fn(&File) -> io::Result<ExitStatus>,
    signalled: &AtomicBool,
) -> Result<ExitCode, Failure> {
    loop {
        let status = start(&journal).map_err(|error| Failure::Internal(error.into()))?;
        let death = match (status.code(), status.signal()) {
            (Some(PANICKED), _) => Death::Panic(PANICKED),
            (Some(code), _) => return Ok(ExitCode::from(code as u8)),
            // Who asked for the end gets it.
            _ if signalled.load(Ordering::Relaxed) => return Ok(ExitCode::from(ExitClass::Interrupted.code())),
            (None, signal) => Death::Signal(signal.unwrap_or(0)),
        };
        match bury(&mut journal, death).map_err(|error| Failure::Internal(error.into()))? {
            Next::GoOn => {}
            Next::GiveUp(death) => return Err(failure(death)),
        }
    }
}

/// The exit code of a process that panics.
const PANICKED: i32 = 101;

/// The failure of a process of which nothing is left.
pub fn failure(death: Death) -> Failure {
    match death {
        Death::Signal(_) | Death::Panic(_) => Failure::Internal(anyhow::anyhow!("{}", death.gap())),
        Death::Memory(_) | Death::Time => Failure::Undecided(death.gap().to_string()),
    }
}

/// Ends this process at once; why, it has written to the journal.
pub fn give_up() {
    let _ = kill_process(getpid(), Signal::KILL);
}

/// The journal, if this process is a child. Its own children do not see it. It can be asked for once.
pub fn journal<T: Serialize + DeserializeOwned>() -> Option<Journal<T>> {
    std::env::var_os(CHILD)?;
    let file = File::from(io::stdin().as_fd().try_clone_to_owned().ok()?);
    let nothing = File::open("/dev/null").ok()?;
    rustix::stdio::dup2_stdin(&nothing).ok()?;
    Journal::open(file).ok()
}

/// How long a part of the work may take before the process is ended: searches stop after `time`, native runs and compilers have
/// limits of their own.
fn longest(time: Duration) -> Duration {
    time.saturating_mul(4).saturating_add(Duration::from_secs(60))
}

/// Sees to it that the process keeps to its limits; the flag is set as long as its memory is full. A process that does not
/// stop is ended, with the reason in the journal; without a journal it ends with `fail`.
pub fn watch_limits<T: Serialize + DeserializeOwned + Send + Sync + 'static>(
    memory: Option<u64>,
    time: Option<Duration>,
    journal: Option<Arc<Journal<T>>>,
    fail: fn(Death),
) -> Interrupt {
    let limit = memory::limit(memory);
    memory::watch(limit, move |used| {
        let taken = journal.as_ref().and_then(|journal| journal.longest());
        let death = if used > memory::hard_limit(limit) {
            Death::Memory(limit)
        } else if taken.zip(time).is_some_and(|(taken, time)| taken > longest(time)) {
            Death::Time
        } else {
            return;
        };
        match &journal {
            Some(journal) => {
                journal.gives_up(death);
                give_up();
            }
            None => fail(death),
        }
    })
}
