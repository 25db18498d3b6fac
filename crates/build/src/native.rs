//! Native programs out of printed IR: compiled, linked and run, under the same limits as every other program.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::BuildError;
use crate::{Context, Environment, Native, Options, Scratch, process, toolchain};

/// The oldest clang that reads printed IR.
const OLDEST_FOR_PRINTS: u32 = 15;

/// How to get it.
const INSTALL: &str = "install clang 15 or newer: apt-get install clang-19 (or clang)";

/// Bytes of stack that a program has which we run.
const STACK: u64 = 8 << 20;

/// Compilers and a directory that is removed with it.
pub struct Workshop {
    options: Options,
    env: Environment,
    scratch: Scratch,
    clang: PathBuf,
}

/// What a program did that ended in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Its exit code; none if a signal ended it.
    pub code: Option<i32>,
    /// What it wrote to standard error, or how it was ended.
    pub problem: String,
    /// The command, ready for a shell.
    pub command: String,
}

impl Workshop {
    /// Finds the compiler and makes the directory.
    pub fn new(options: &Options, env: &Environment) -> Result<Workshop, BuildError> {
        let scratch = Scratch::new(&env.temp).map_err(|error| process::scratch_error(&env.temp, &error))?;
        let context = Context { options, env, scratch: scratch.path() };
        let clang = toolchain::clang(&context)?;
        // Asking takes time; a numbered name says enough.
        let named = toolchain::number_in_name(&clang).is_some_and(|major| major >= OLDEST_FOR_PRINTS);
        let version = if named { None } else { toolchain::version(&clang, &context) };
        if let Some(version) = version.filter(|version| version.major < OLDEST_FOR_PRINTS) {
            let what = format!("clang {OLDEST_FOR_PRINTS} or newer (there is {version})");
            return Err(BuildError::NoCompiler { what, help: INSTALL.to_owned() });
        }
        Ok(Workshop { options: options.clone(), env: env.clone(), scratch, clang })
    }

    /// The directory, to write sources to and to find results in.
    pub fn dir(&self) -> &Path {
        self.scratch.path()
    }

    /// Writes a file into the directory; its path.
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> Result<PathBuf, BuildError> {
        let path = self.dir().join(name);
        match std::fs::write(&path, contents) {
            Ok(()) => Ok(path),
            Err(error) => Err(BuildError::Io { action: "write", path, error }),
        }
    }

    /// Runs clang in the directory, for no longer than `most` and than any compiler may run; messages are in English.
    pub fn clang(&self, arguments: &[OsString], most: Duration) -> Result<Ended, BuildError> {
        let options = Options { timeout: self.options.timeout.min(most), ..self.options.clone() };
        let context = Context { options: &options, env: &self.env, scratch: self.dir() };
        let mut command = process::command(&self.clang, &context);
        command.args(arguments).current_dir(self.dir()).env("LC_ALL", "C");
        ended(&mut command, &context)
    }

    /// Runs a program that holds code of the input in the directory, without an environment, for as long as `timeout` says. Inside of
    /// its sandbox it can write to `scratch` alone.
    pub fn run(
        &self,
        program: &Path,
        arguments: &[OsString],
        scratch: &Path,
        timeout: Duration,
    ) -> Result<Ended, BuildError> {
        let options = Options { timeout, ..self.options.clone() };
        let context = Context { options: &options, env: &self.env, scratch: self.dir() };
        let mut command = process::command(program, &context);
        command.args(arguments).current_dir(self.dir()).env_clear();
        sandbox::settle(&mut command, STACK);
        if options.native == Native::Contained {
            sandbox::Wall::new(scratch)?.confine(&mut command);
        }
        ended(&mut command, &context)
    }

    /// The dynamic library of Rust's standard library, if Rust is installed.
    pub fn rust_std(&self) -> Option<PathBuf> {
        let context = self.context();
        let rustc = toolchain::find("rustc", &self.env.path)?;
        let dir = toolchain::answer(&rustc, &["--print", "target-libdir"], &context)?;
        let mut found: Vec<PathBuf> = std::fs::read_dir(dir.trim())
            .ok()?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                name.starts_with("libstd-") && path.extension() == Some(OsStr::new("so"))
            })
            .collect();
        found.sort();
        found.pop()
    }

    fn context(&self) -> Context<'_> {
        Context { options: &self.options, env: &self.env, scratch: self.dir() }
    }
}

impl Ended {
    /// The error for a compiler that rejected `input`.
    pub fn failure(self, input: &str, help: Option<String>) -> BuildError {
        BuildError::CompilerFailed { input: input.into(), command: self.command, stderr: self.problem, help }
    }
}

fn ended(command: &mut std::process::Command, context: &Context) -> Result<Ended, BuildError> {
    let finished = process::run(command, context)?;
    let problem = if finished.status.success() { finished.stderr.clone() } else { finished.problem() };
    Ok(Ended { code: finished.status.code(), problem, command: process::display(command) })
}
