//! Comparisons run in a child process, so that one function never takes the others with it.
//!
//! `pathshift diff` starts itself again, with the same arguments, and waits. The child does all the work; what it has found
//! so far is in a journal ([`compare::diff::journal`]). When the child dies, another one goes on: with what the journal has, and
//! without the function that the first one died of. The journal is a file without a name, which the child is given as its
//! standard input: it is gone with the processes that hold it.

use crate::console::Failure;
use build::ExitClass;
use compare::diff::journal::{Death, Journal, Next, bury};
use rustix::process::{Pid, Signal, getpid, kill_process};
use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

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
            (Some(code), _) => return Ok(ExitCode::from(code as u8)),
            // Who asked for the end gets it.
            _ if signalled.load(Ordering::Relaxed) => return Ok(ExitCode::from(ExitClass::Interrupted.code())),
            (None, signal) => Death::Signal(signal.unwrap_or(0)),
        };
        match bury(&mut journal, death).map_err(|error| Failure::Internal(error.into()))? {
            Next::GoOn => {}
            Next::GiveUp(death) => return Err(Failure::Internal(anyhow::anyhow!("{}", in_words(death)))),
        }
    }
}

fn in_words(death: Death) -> String {
    match death {
        Death::Signal(signal) => {
            format!("the analysis failed (signal {signal}) before it looked at a function; please report it")
        }
        Death::Memory(most) => format!("out of memory: more than {} MiB; --memory sets the limit", most >> 20),
        Death::Time => "out of time before a function was looked at".to_owned(),
    }
}

/// Ends this process at once; why, it has written to the journal.
pub fn give_up() {
    let _ = kill_process(getpid(), Signal::KILL);
}

/// The journal, if this process is a child. Its own children do not see it.
pub fn journal() -> Option<Journal> {
    std::env::var_os(CHILD)?;
    let file = File::from(io::stdin().as_fd().try_clone_to_owned().ok()?);
    let nothing = File::open("/dev/null").ok()?;
    rustix::stdio::dup2_stdin(&nothing).ok()?;
    Journal::open(file).ok()
}
