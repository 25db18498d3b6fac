//! What the libraries need to know of the machine: the only place that asks it.

use crate::args::Build;
use crate::console::Failure;
use build::{BuildError, Environment, ExitClass, Kind, Native, Options};
use compare::sabotage::Sabotage;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

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

/// Folders of the user, as the XDG Base Directory Specification has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folder {
    /// What can be found out again: `$XDG_CACHE_HOME`, else `~/.cache`.
    Cache,
    /// What is kept between runs: `$XDG_STATE_HOME`, else `~/.local/state`.
    State,
    /// Settings: `$XDG_CONFIG_HOME`, else `~/.config`.
    Config,
}

impl Folder {
    /// Our folder in it, whether it is there or not; nothing if the user has no home. Relative paths do not count: they
    /// would lead into the tree that is looked at.
    pub fn path(self) -> Option<PathBuf> {
        let (variable, usual) = match self {
            Folder::Cache => ("XDG_CACHE_HOME", ".cache"),
            Folder::State => ("XDG_STATE_HOME", ".local/state"),
            Folder::Config => ("XDG_CONFIG_HOME", ".config"),
        };
        let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let base = absolute(variable).or_else(|| Some(absolute("HOME")?.join(usual)))?;
        Some(base.join("pathshift"))
    }
}

/// A function whose comparison is made to fail, and how: `abort:f`. Only tests ask for it, so only their builds listen.
pub fn sabotage() -> Option<(String, Sabotage)> {
    let asked = std::env::var("PATHSHIFT_SABOTAGE").ok().filter(|_| cfg!(debug_assertions))?;
    let (how, name) = asked.split_once(':')?;
    let how = match how {
        "abort" => Sabotage::Abort,
        "overflow" => Sabotage::Overflow,
        "allocate" => Sabotage::Allocate,
        "hang" => Sabotage::Hang,
        _ => return None,
    };
    Some((name.to_owned(), how))
}

/// The exit code of a program that Ctrl-C or another signal has ended.
const INTERRUPTED: i32 = ExitClass::Interrupted.code() as i32;

/// How to build the inputs, from what was said on the command line. Ctrl-C, or a signal to end, ends running compilers.
pub fn options(args: &Build, inputs: &[&Path]) -> Result<Options, Failure> {
    check_fit(args, inputs)?;
    Ok(Options { crate_name: common_name(inputs), ..options_for_any(args)? })
}

/// The name of a crate in several versions: that of the newest file, whatever the others are called, for it is part of
/// every symbol.
pub fn common_name(inputs: &[&Path]) -> Option<String> {
    let newest = inputs.last().filter(|path| inputs.len() > 1 && path.extension().is_some_and(|end| end == "rs"))?;
    Some(build::rustc::crate_name(newest))
}

/// The same before the inputs are known; whether the options fit them is to be asked later.
pub fn options_for_any(args: &Build) -> Result<Options, Failure> {
    let mut options = Options {
        native: match (args.no_run, args.unsafe_replay) {
            (true, _) => Native::Never,
            (false, true) => Native::Uncontained,
            (false, false) => Native::Contained,
        },
        cflags: split(&args.cflags, "--cflags")?,
        rustflags: split(&args.rustflags, "--rustflags")?,
        cargo_flags: split(&args.cargo_flags, "--cargo-flags")?,
        clang: args.clang.clone(),
        bin: args.bin.clone(),
        units: args.units.clone(),
        timeout: args.build_timeout,
        ..Options::default()
    };
    if let Some(edition) = &args.edition {
        options.edition.clone_from(edition);
    }
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

/// Fails on an option that says something about none of the inputs, instead of ignoring it.
pub fn check_fit(args: &Build, inputs: &[&Path]) -> Result<(), Failure> {
    use Kind::{C, CargoPackage, CompileCommands, Cpp, Rust};
    let (c, rust): (&[Kind], &[Kind]) = (&[C, Cpp, CompileCommands], &[Rust, CargoPackage]);
    let rules = [
        (!args.cflags.is_empty(), "--cflags", "C and C++", c),
        (!args.rustflags.is_empty(), "--rustflags", "Rust", rust),
        (!args.cargo_flags.is_empty(), "--cargo-flags", "a cargo package", &[CargoPackage]),
        (args.edition.is_some(), "--edition", "a single .rs file", &[Rust]),
        (args.bin.is_some(), "--bin", "a cargo package", &[CargoPackage]),
        (!args.units.is_empty(), "--unit", "compile_commands.json", &[CompileCommands]),
    ];
    // An input that is none will be reported when it is read.
    let Ok(kinds) = inputs.iter().map(|input| build::input::classify(input)).collect::<Result<Vec<_>, _>>() else {
        return Ok(());
    };
    for (given, option, what, fitting) in rules {
        if given && !kinds.iter().any(|input| fitting.contains(&input.kind)) {
            let read = kinds.first().map(|input| format!("{} is read", input.path.display()));
            return Err(Failure::usage(format!("{option} is for {what}"), read));
        }
    }
    Ok(())
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
