//! Everything that can go wrong between a name on the command line and a module.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

/// Why there is no module.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The named file or directory does not exist.
    #[error("{}: no such file or directory", path.display())]
    NotFound {
        /// What was named.
        path: PathBuf,
    },
    /// The named file or directory is none of the accepted kinds.
    #[error("{}: {found}", path.display())]
    UnknownKind {
        /// What was named.
        path: PathBuf,
        /// What it is instead.
        found: String,
    },
    /// The file has no contents.
    #[error("{}: the file is empty", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// A file or directory cannot be read or written.
    #[error("cannot {action} {}: {error}", path.display())]
    Io {
        /// What was tried, as a verb: `read`, `run`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// The directory for temporary files cannot be used.
    #[error("cannot write to the temporary directory {}: {reason}", path.display())]
    NoScratch {
        /// The directory.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// A compiler that the input needs is not installed.
    #[error("no {what} found")]
    NoCompiler {
        /// The compiler.
        what: String,
        /// How to get it.
        help: String,
    },
    /// Code of the input is run inside of a sandbox, and there is none.
    #[error("nothing is run natively, since there is no sandbox on this machine: {reason}")]
    NoSandbox {
        /// Why not.
        #[from]
        reason: sandbox::Unavailable,
    },
    /// The compiler rejected the input.
    #[error("{} does not compile", input.display())]
    CompilerFailed {
        /// What was compiled.
        input: PathBuf,
        /// The command, ready for a shell.
        command: String,
        /// What the compiler wrote, as it wrote it.
        stderr: String,
        /// What else is worth knowing.
        help: Option<String>,
    },
    /// The text is not LLVM IR that the parser reads.
    #[error("{}:{}:{}: {}", path.display(), error.line, error.column, error.message)]
    BadIr {
        /// The IR file, or the source that a compiler made it from.
        path: PathBuf,
        /// Whether a compiler wrote the text on our behalf, so that the fault is the parser's.
        generated: bool,
        /// Where and why the parser stopped.
        error: ir::parse::ParseError,
    },
    /// Bitcode cannot be turned into text.
    #[error("{}: {}", path.display(), bitcode_message(producer.as_deref(), attempts))]
    Bitcode {
        /// The bitcode file.
        path: PathBuf,
        /// Who wrote the bitcode, as it says itself (`LLVM19.1.7`).
        producer: Option<String>,
        /// What was tried and why it failed, in order.
        attempts: Vec<Attempt>,
        /// What to install.
        help: String,
    },
    /// `compile_commands.json` cannot be used.
    #[error("{}: {message}", path.display())]
    Database {
        /// The database.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
        /// What to do.
        help: Option<String>,
    },
    /// The cargo package cannot be used.
    #[error("{}: {message}", path.display())]
    Package {
        /// The directory of the package.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
        /// What to do.
        help: Option<String>,
    },
    /// A revision cannot be had.
    #[error("{message}")]
    Git {
        /// What is wrong.
        message: String,
        /// What to do.
        help: Option<String>,
    },
    /// The units do not link into one module.
    #[error("{}: the units do not link: {error}", path.display())]
    Link {
        /// What was named.
        path: PathBuf,
        /// Why they do not link.
        error: ir::link::LinkError,
        /// What to do.
        help: Option<String>,
    },
    /// A limit on time or size was reached.
    #[error("{limit}")]
    Limit {
        /// The limit.
        limit: Limit,
    },
    /// The caller asked to stop.
    #[error("interrupted")]
    Cancelled,
    /// Something that is no fault of the input.
    #[error("internal error: {message}")]
    Internal {
        /// What happened.
        message: String,
    },
}

/// One way of reading bitcode that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The tool.
    pub tool: String,
    /// Why it failed.
    pub problem: String,
}

/// A limit that was reached.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Limit {
    /// A program ran too long and was stopped.
    #[error("stopped after {} s: {command}", timeout.as_secs_f64())]
    Time {
        /// The command, ready for a shell.
        command: String,
        /// How long it was given.
        timeout: Duration,
    },
    /// A program wrote too much and was stopped.
    #[error("stopped because it wrote more than {max} bytes: {command}")]
    Output {
        /// The command, ready for a shell.
        command: String,
        /// How much it may write.
        max: u64,
    },
    /// A file is too large.
    #[error("{}: larger than {max} bytes", path.display())]
    Size {
        /// The file.
        path: PathBuf,
        /// How large it may be.
        max: u64,
    },
}

/// Whose fault a failure is; the exit code follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitClass {
    /// The command line names something unusable.
    Usage,
    /// The input does not build.
    DoesNotBuild,
    /// Our own failure.
    Internal,
    /// The user stopped us.
    Interrupted,
}

impl ExitClass {
    /// The exit code of the process.
    pub const fn code(self) -> u8 {
        match self {
            ExitClass::Usage => 2,
            ExitClass::DoesNotBuild => 4,
            ExitClass::Internal => 70,
            ExitClass::Interrupted => 130,
        }
    }
}

impl BuildError {
    /// Whose fault it is.
    pub fn exit_class(&self) -> ExitClass {
        match self {
            BuildError::NotFound { .. }
            | BuildError::UnknownKind { .. }
            | BuildError::Empty { .. }
            | BuildError::Io { .. }
            | BuildError::NoScratch { .. }
            | BuildError::NoSandbox { .. }
            | BuildError::Database { .. }
            | BuildError::Git { .. }
            | BuildError::Package { .. } => ExitClass::Usage,
            BuildError::NoCompiler { .. }
            | BuildError::CompilerFailed { .. }
            | BuildError::BadIr { generated: false, .. }
            | BuildError::Bitcode { .. }
            | BuildError::Link { .. }
            | BuildError::Limit { .. } => ExitClass::DoesNotBuild,
            BuildError::Cancelled => ExitClass::Interrupted,
            BuildError::BadIr { generated: true, .. } | BuildError::Internal { .. } => ExitClass::Internal,
        }
    }

    /// What the user can do about it.
    pub fn help(&self) -> Option<String> {
        match self {
            BuildError::UnknownKind { .. } => Some(format!("accepted are {}", crate::input::ACCEPTED)),
            BuildError::NoCompiler { help, .. } | BuildError::Bitcode { help, .. } => Some(help.clone()),
            BuildError::CompilerFailed { help, .. }
            | BuildError::Database { help, .. }
            | BuildError::Git { help, .. }
            | BuildError::Package { help, .. }
            | BuildError::Link { help, .. } => help.clone(),
            BuildError::BadIr { generated: false, error, .. } => error.help.clone(),
            BuildError::BadIr { generated: true, .. } => {
                Some("a compiler wrote this IR, so the parser should read it: please report it".to_owned())
            }
            BuildError::NoSandbox { .. } => {
                Some("it needs Linux 4.14 or newer with CONFIG_SECCOMP_FILTER, and a container that lets processes confine themselves; --unsafe-replay runs code of the input without a sandbox".to_owned())
            }
            BuildError::NoScratch { .. } => {
                Some("name another directory, with space in it, in the variable TMPDIR".to_owned())
            }
            BuildError::Limit { limit: Limit::Time { .. } } => Some("allow more time with --timeout".to_owned()),
            BuildError::NotFound { .. }
            | BuildError::Empty { .. }
            | BuildError::Io { .. }
            | BuildError::Limit { .. }
            | BuildError::Cancelled
            | BuildError::Internal { .. } => None,
        }
    }

    /// What the compiler wrote, to be shown as it is before the message.
    pub fn compiler_output(&self) -> Option<&str> {
        match self {
            BuildError::CompilerFailed { stderr, .. } => Some(stderr),
            _ => None,
        }
    }
}

fn bitcode_message(producer: Option<&str>, attempts: &[Attempt]) -> String {
    let mut message = "bitcode".to_owned();
    if let Some(producer) = producer {
        let _ = write!(message, " written by {producer}");
    }
    message += " cannot be read";
    if attempts.is_empty() {
        message += ": neither rustc's libLLVM nor llvm-dis is installed";
    }
    for (index, Attempt { tool, problem }) in attempts.iter().enumerate() {
        let _ = write!(message, "{} {tool}: {problem}", if index == 0 { ":" } else { ";" });
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_follow_from_the_class() {
        let path = || PathBuf::from("x");
        let check = |error: BuildError, code: u8| assert_eq!(error.exit_class().code(), code, "{error}");
        check(BuildError::NotFound { path: path() }, 2);
        check(BuildError::UnknownKind { path: path(), found: String::new() }, 2);
        check(BuildError::NoCompiler { what: "clang".into(), help: String::new() }, 4);
        check(BuildError::Limit { limit: Limit::Size { path: path(), max: 1 } }, 4);
        check(BuildError::Internal { message: String::new() }, 70);
        check(BuildError::NoScratch { path: path(), reason: String::new() }, 2);
        check(BuildError::Cancelled, 130);
    }

    #[test]
    fn bitcode_message_names_producer_and_every_attempt() {
        let attempt = |tool: &str| Attempt { tool: tool.into(), problem: "no".into() };
        let check =
            |producer, attempts: &[Attempt], expect: &str| assert_eq!(bitcode_message(producer, attempts), expect);
        check(None, &[], "bitcode cannot be read: neither rustc's libLLVM nor llvm-dis is installed");
        check(
            Some("LLVM19.1.7"),
            &[attempt("a"), attempt("b")],
            "bitcode written by LLVM19.1.7 cannot be read: a: no; b: no",
        );
    }
}
