//! Finds compilers on the search path and tells their versions.
//!
//! Distributions install several clangs side by side as `clang-N`; the newest one is used. A plain `clang` has to be
//! asked for its version.

use std::ffi::OsStr;
use std::fmt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::error::BuildError;
use crate::{Context, Native, process};

/// The oldest clang that is used.
pub const OLDEST_CLANG: u32 = 14;

/// The newest `clang-N` and `llvm-dis-N` that are looked for.
const NEWEST_LLVM: u32 = 40;

/// How to get clang.
pub(crate) const INSTALL_CLANG: &str = "install clang 14 or newer: apt-get install clang-19 (or clang)";

/// How to get Rust.
pub(crate) const INSTALL_RUST: &str = "install Rust with rustup, see https://rustup.rs";

/// A program that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// Where it is.
    pub path: PathBuf,
    /// Its version, if it told.
    pub version: Option<Version>,
}

/// A version of three numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// First number.
    pub major: u32,
    /// Second number.
    pub minor: u32,
    /// Third number.
    pub patch: u32,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl Version {
    /// The first word of the form `1.2` or `1.2.3` in what a program says of itself.
    pub fn parse(text: &str) -> Option<Version> {
        text.split_whitespace().find_map(|word| {
            let numeric = word.split(|c: char| !c.is_ascii_digit() && c != '.').next()?;
            let mut numbers = numeric.split('.').map(|number| number.parse().ok());
            let (major, minor) = (numbers.next()??, numbers.next()??);
            Some(Version { major, minor, patch: numbers.next().flatten().unwrap_or(0) })
        })
    }
}

/// Where `name` is on a search path in the form of the variable `PATH`. A name with a slash is a path already.
pub fn find(name: impl AsRef<OsStr>, search_path: &OsStr) -> Option<PathBuf> {
    let name = Path::new(name.as_ref());
    if name.components().count() > 1 || name.is_absolute() {
        return is_executable(name).then(|| name.to_owned());
    }
    std::env::split_paths(search_path).map(|dir| dir.join(name)).find(|path| is_executable(path))
}

/// The libLLVM in rustc's sysroot.
pub fn libllvm(sysroot: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(sysroot.join("lib")).ok()?;
    let mut libraries: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("libLLVM") && (name.contains(".so") || name.contains(".dylib"))
        })
        // Beside the library there may be a linker script of a few bytes.
        .filter(|path| path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() > 4096))
        .collect();
    libraries.sort();
    libraries.pop()
}

/// All programs `name-N` on the search path, newest first, then the plain `name`.
pub(crate) fn versioned(name: &str, search_path: &OsStr) -> Vec<(Option<u32>, PathBuf)> {
    let numbered = (OLDEST_CLANG..=NEWEST_LLVM).rev().map(|n| (Some(n), format!("{name}-{n}")));
    numbered
        .chain([(None, name.to_owned())])
        .filter_map(|(major, name)| Some((major, find(name, search_path)?)))
        .collect()
}

/// The newest of the programs `name-N` and `name`.
pub(crate) fn newest(name: &str, context: &Context) -> Option<PathBuf> {
    let found = versioned(name, &context.env.path);
    // The plain one most often is one of the numbered ones by another name; only if not it has to be asked.
    let real = |path: &Path| path.canonicalize().ok();
    let namesake = |path: &Path| found.iter().find(|(major, other)| major.is_some() && real(other) == real(path));
    let newest = |(major, path): &(Option<u32>, PathBuf)| match major {
        Some(major) => *major,
        None if found.len() == 1 => 0,
        None => match namesake(path) {
            Some((major, _)) => major.unwrap_or(0),
            None => version(path, context).map_or(0, |version| version.major),
        },
    };
    // Of equal ones the first: the numbered name says more.
    found.iter().rev().max_by_key(|candidate| newest(candidate)).map(|(_, path)| path.clone())
}

/// What a program answers to `--version`.
pub(crate) fn version(path: &Path, context: &Context) -> Option<Version> {
    Version::parse(&answer(path, &["--version"], context)?)
}

/// The number in a name of the form `clang-N`.
pub(crate) fn number_in_name(path: &Path) -> Option<u32> {
    path.file_name()?.to_str()?.rsplit_once('-')?.1.parse().ok()
}

/// What a program writes when asked with `arguments`; `None` if it fails.
pub(crate) fn answer(path: &Path, arguments: &[&str], context: &Context) -> Option<String> {
    let finished = process::run(process::command(path, context).args(arguments), context).ok()?;
    finished.status.success().then(|| String::from_utf8_lossy(&finished.stdout).into_owned())
}

/// The clang to use.
pub(crate) fn clang(context: &Context) -> Result<PathBuf, BuildError> {
    if let Some(name) = &context.options.clang {
        let what = format!("compiler {}", name.display());
        return find(name, &context.env.path)
            .ok_or_else(|| BuildError::NoCompiler { what, help: INSTALL_CLANG.to_owned() });
    }
    let missing = |what: String| BuildError::NoCompiler { what, help: INSTALL_CLANG.to_owned() };
    let path = newest("clang", context).ok_or_else(|| missing("clang".to_owned()))?;
    // A numbered clang is new enough by its name.
    if path.file_name() == Some(OsStr::new("clang"))
        && let Some(version) = version(&path, context)
        && version.major < OLDEST_CLANG
    {
        return Err(missing(format!("clang {OLDEST_CLANG} or newer (there is {version})")));
    }
    Ok(path)
}

/// A program of the Rust toolchain: `rustc` or `cargo`.
pub(crate) fn rust_tool(name: &str, context: &Context) -> Result<PathBuf, BuildError> {
    find(name, &context.env.path)
        .ok_or_else(|| BuildError::NoCompiler { what: name.to_owned(), help: INSTALL_RUST.to_owned() })
}

/// Fails if rustup would run a compiler that a file of the tree names by its path, and nothing of the tree may run. The file
/// is looked for as rustup does, in the folder where rustc runs and above.
pub(crate) fn check_rust(folder: &Path, context: &Context) -> Result<(), BuildError> {
    if context.options.native != Native::Never {
        return Ok(());
    }
    let unreadable = |error| BuildError::Io { action: "read", path: folder.into(), error };
    let folder = folder.canonicalize().map_err(unreadable)?;
    let names = ["rust-toolchain", "rust-toolchain.toml"];
    let mut files = folder.ancestors().flat_map(|above| names.map(|name| above.join(name)));
    let Some(path) = files.find(|path| path.is_file()) else { return Ok(()) };
    let names_path = |text: &str| text.lines().any(|line| line.contains("path") || line.trim_start().starts_with('/'));
    match std::fs::read_to_string(&path) {
        Ok(text) if !names_path(&text) => Ok(()),
        _ => Err(BuildError::Package {
            path,
            message: "it may name a compiler by its path, and --no-run forbids to run one that the tree names"
                .to_owned(),
            help: Some("work in another folder, or leave out --no-run if you trust the tree".to_owned()),
        }),
    }
}

/// The libLLVM that the installed rustc brings.
pub(crate) fn rustc_libllvm(context: &Context) -> Option<PathBuf> {
    check_rust(Path::new("."), context).ok()?;
    let rustc = find("rustc", &context.env.path)?;
    libllvm(Path::new(answer(&rustc, &["--print", "sysroot"], context)?.trim()))
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}
