//! Runs other programs, with a limit on everything that they could do without end.
//!
//! A child writes into files instead of pipes: it can never block on us, we can never block on a grandchild that
//! keeps a pipe open, and the size of what it wrote is known while it runs. A child leads a process group of its own,
//! so that what it started ends with it when time is up.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::error::{BuildError, Limit};
use crate::{Context, text};

/// How much a program may write to its standard error.
const MAX_STDERR: u64 = 16 << 20;

/// A program that has ended.
pub(crate) struct Finished {
    /// How it ended.
    pub status: ExitStatus,
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: String,
    /// How long it ran.
    pub took: Duration,
}

impl Finished {
    /// Why the program failed, in words; what it wrote itself comes first.
    pub fn problem(&self) -> String {
        let written = self.stderr.trim_end();
        match self.status.signal() {
            Some(signal) if written.is_empty() => format!("killed by signal {signal}"),
            Some(signal) => format!("{written}\nkilled by signal {signal}"),
            None if written.is_empty() => format!("exit code {}", self.status.code().unwrap_or(-1)),
            None => written.to_owned(),
        }
    }

    /// The error for a compiler that rejected `input`.
    pub fn failure(self, input: &Path, command: &Command, help: Option<String>) -> BuildError {
        let stderr = if self.stderr.trim().is_empty() {
            // Failed without a word: whoever it was, and its exit code, is all there is.
            format!("{}: {}", command.get_program().display(), self.problem())
        } else if self.status.code().is_some() {
            self.stderr
        } else {
            self.problem()
        };
        BuildError::CompilerFailed { input: input.into(), command: display(command), stderr, help }
    }
}

/// A command that finds other programs where `context` says, and reads nothing from the terminal.
pub(crate) fn command(program: impl AsRef<OsStr>, context: &Context) -> Command {
    let mut command = Command::new(program);
    command.env("PATH", &context.env.path).stdin(Stdio::null());
    command
}

/// The same command, with a limit on the memory that it can ask for. The shell's `ulimit` does it without unsafe code.
pub(crate) fn with_memory_limit(limited: &Command, max_bytes: u64, context: &Context) -> Command {
    let mut command = command("/bin/sh", context);
    command.args(["-c", "ulimit -c 0; ulimit -v \"$0\"; exec \"$@\"", &(max_bytes / 1024).to_string()]);
    command.arg(limited.get_program()).args(limited.get_args());
    command
}

/// Runs a command to its end, or to the limit of `context`.
pub(crate) fn run(command: &mut Command, context: &Context) -> Result<Finished, BuildError> {
    let start = Instant::now();
    let (mut stdout, mut stderr) = (scratch_file(context)?, scratch_file(context)?);
    sandbox::end_with_us(command);
    let mut child = command
        .stdout(duplicate(&stdout)?)
        .stderr(duplicate(&stderr)?)
        .process_group(0)
        .spawn()
        .map_err(|error| BuildError::Io { action: "run", path: command.get_program().into(), error })?;
    let status = match wait(&mut child, command, start, (&stdout, &stderr), context) {
        Ok(status) => status,
        Err(error) => {
            kill_group(&mut child);
            return Err(error);
        }
    };
    Ok(Finished {
        status,
        stdout: read_back(&mut stdout)?,
        stderr: text::decode(read_back(&mut stderr)?).0,
        took: start.elapsed(),
    })
}

/// The command as a user would type it.
pub(crate) fn display(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args()).map(OsStr::to_string_lossy);
    words.map(|word| quote(&word)).collect::<Vec<_>>().join(" ")
}

/// A word as a shell wants it.
pub(crate) fn quote(word: &str) -> String {
    match shlex::try_quote(word) {
        Ok(quoted) => quoted.into_owned(),
        Err(_) => word.to_owned(),
    }
}

/// A file name that no compiler takes for a flag, or for a file with flags (`@file`).
pub(crate) fn operand(path: &Path) -> PathBuf {
    let first = path.as_os_str().as_encoded_bytes().first();
    if matches!(first, Some(b'-' | b'@')) { Path::new(".").join(path) } else { path.into() }
}

fn wait(
    child: &mut Child,
    command: &Command,
    start: Instant,
    (stdout, stderr): (&File, &File),
    context: &Context,
) -> Result<ExitStatus, BuildError> {
    let options = context.options;
    let output = |max| BuildError::Limit { limit: Limit::Output { command: display(command), max } };
    loop {
        let status = try_wait(child)?;
        for (file, max) in [(stdout, options.max_bytes), (stderr, MAX_STDERR)] {
            if file.metadata().map_err(internal)?.len() > max {
                return Err(output(max));
            }
        }
        if let Some(status) = status {
            return Ok(status);
        }
        if options.cancel.load(std::sync::atomic::Ordering::Relaxed) {
            return Err(BuildError::Cancelled);
        }
        let elapsed = start.elapsed();
        if elapsed > options.timeout {
            let limit = Limit::Time { command: display(command), timeout: options.timeout };
            return Err(BuildError::Limit { limit });
        }
        // Sleeping in proportion keeps both the delay and the load below a few percent.
        std::thread::sleep((elapsed / 32).clamp(Duration::from_micros(500), Duration::from_millis(20)));
    }
}

/// How a child ended, if it has: what it started, and left behind in its group, ends with it.
fn try_wait(child: &mut Child) -> Result<Option<ExitStatus>, BuildError> {
    // As long as its status waits for us, nobody else can have its number.
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let id = Pid::from_child(child);
    if waitid(WaitId::Pid(id), options).is_ok_and(|status| status.is_none()) {
        return Ok(None);
    }
    let _ = kill_process_group(id, Signal::KILL);
    child.wait().map(Some).map_err(internal)
}

/// Ends a child and what it started.
fn kill_group(child: &mut Child) {
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    let _ = child.kill();
    let _ = child.wait();
}

fn scratch_file(context: &Context) -> Result<File, BuildError> {
    tempfile::tempfile_in(context.scratch).map_err(|error| scratch_error(context.scratch, &error))
}

/// The error for a temporary directory that cannot be written.
pub(crate) fn scratch_error(path: &Path, error: &io::Error) -> BuildError {
    // The outer error names a file of ours; the directory is what matters.
    let cause = error.get_ref().and_then(|outer| outer.source());
    let reason = cause.map_or_else(|| error.to_string(), ToString::to_string);
    BuildError::NoScratch { path: path.into(), reason }
}

fn duplicate(file: &File) -> Result<Stdio, BuildError> {
    file.try_clone().map(Stdio::from).map_err(internal)
}

fn read_back(file: &mut File) -> Result<Vec<u8>, BuildError> {
    let mut bytes = Vec::new();
    file.rewind().and_then(|()| file.read_to_end(&mut bytes)).map_err(internal)?;
    Ok(bytes)
}

fn internal(error: io::Error) -> BuildError {
    BuildError::Internal { message: error.to_string() }
}
