//! What the libraries need to know of the machine: the only place that asks it.

use crate::args::Build;
use crate::console::Failure;
use build::{BuildError, Environment, ExitClass, Options};
use std::ffi::OsString;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The machine as the environment describes it.
pub fn machine() -> Environment {
    let helper =
        std::env::current_exe().ok().map(|exe| vec![exe.into_os_string(), OsString::from("__bitcode-to-text")]);
    Environment {
        path: std::env::var_os("PATH").unwrap_or_default(),
        temp: std::env::temp_dir(),
        bitcode_helper: helper,
    }
}

/// The exit code of a program that Ctrl-C or another signal has ended.
const INTERRUPTED: i32 = ExitClass::Interrupted.code() as i32;

/// How to build, from what was said on the command line. Ctrl-C, or a signal to end, ends running compilers.
pub fn options(args: &Build) -> Result<Options, Failure> {
    let mut options = Options {
        cflags: split(&args.cflags, "--cflags")?,
        rustflags: split(&args.rustflags, "--rustflags")?,
        cargo_flags: split(&args.cargo_flags, "--cargo-flags")?,
        edition: args.edition.clone(),
        clang: args.clang.clone(),
        bin: args.bin.clone(),
        units: args.units.clone(),
        timeout: Duration::from_secs(args.timeout),
        ..Options::default()
    };
    if let Some(jobs) = args.jobs {
        options.jobs = usize::from(jobs);
    }
    let cancel = options.cancel.clone();
    // The first signal lets the build end its compilers; whoever asks again does not want to wait for that.
    let stop = move || {
        if cancel.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
    };
    // Without a handler a signal still ends the program, only less tidily.
    let _ = ctrlc::set_handler(stop);
    Ok(options)
}

/// Says that the build is over: from here on nothing has to be tidied up, and a signal ends the program at once.
pub fn build_is_over(options: &Options) -> Result<(), Failure> {
    if options.cancel.swap(true, Ordering::Relaxed) { Err(BuildError::Cancelled.into()) } else { Ok(()) }
}

/// Words of flags, split as a shell would.
fn split(given: &[String], option: &str) -> Result<Vec<String>, Failure> {
    let mut flags = Vec::new();
    for text in given {
        let words = shlex::split(text)
            .ok_or_else(|| Failure::usage(format!("{option}: unbalanced quotes in `{text}`"), None))?;
        flags.extend(words);
    }
    Ok(flags)
}
