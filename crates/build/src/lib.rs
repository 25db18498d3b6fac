//! From what the user names to a module.
//!
//! A user names a C, C++ or Rust file, LLVM IR as text or bitcode, a directory with `compile_commands.json`, or a
//! cargo package. [`load`] finds out which, runs the compiler that it needs, parses the IR text that comes out and
//! links the units into one module. [`texts`] stops before parsing.
//!
//! The crate never prints, never exits and never reads the environment: what it needs to know of the machine comes in
//! through [`Environment`]. Every other program runs under a limit on time and output.

pub mod allowed;
mod bitcode;
mod cargo;
mod clang;
pub mod compile_db;
pub mod doctor;
pub mod error;
mod flags;
pub mod git;
pub mod input;
pub mod libllvm;
mod moved;
pub mod native;
mod process;
pub mod rustc;
pub mod scratch;
mod shared;
mod text;
pub mod toolchain;

use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ir::module::Module;

pub use error::{BuildError, ExitClass};
pub use input::Kind;
pub use moved::{Moved, stays_inside};
pub use scratch::Scratch;
pub use shared::Shared;

/// What the crate needs to know of the machine; only the command line program asks the machine itself.
#[derive(Clone, Debug)]
pub struct Environment {
    /// Where programs are looked for, in the form of the variable `PATH`.
    pub path: OsString,
    /// Where temporary files may be written.
    pub temp: PathBuf,
    /// A command that, given the path of a libLLVM and of a bitcode file, calls [`libllvm::disassemble`] and writes the
    /// text to standard output. It runs as a process of its own because a broken file may crash the library.
    pub bitcode_helper: Option<Vec<OsString>>,
}

/// Whether code of the input may run on this machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Native {
    /// Inside of a sandbox; not at all where there is none.
    #[default]
    Contained,
    /// Without a sandbox.
    Uncontained,
    /// Not at all: no function or program of the input, no build script, no procedural macro, no compiler that the input
    /// names.
    Never,
}

/// How to build.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether code of the input may run.
    pub native: Native,
    /// More flags for clang; they come after ours.
    pub cflags: Vec<String>,
    /// More flags for rustc; they come after ours.
    pub rustflags: Vec<String>,
    /// More flags for cargo (`--features`, `--release`, `--offline`).
    pub cargo_flags: Vec<String>,
    /// Rust edition of a single file.
    pub edition: String,
    /// Crate name of a single Rust file; by default it follows from the file's name.
    pub crate_name: Option<String>,
    /// The clang to use, by name or path, instead of the newest one.
    pub clang: Option<PathBuf>,
    /// The binary target of a cargo package to build; it brings the library that it uses.
    pub bin: Option<String>,
    /// Units of a compilation database to use: those whose source or object path contains one of these, and none of
    /// those that begin with `!`. Empty means all.
    pub units: Vec<String>,
    /// If the project is a copy of another folder, for which its compilation database was written.
    pub moved: Option<Moved>,
    /// The root of a project of which another version is built too, and what the two builds share.
    pub shared: Option<(PathBuf, Arc<Shared>)>,
    /// How many compilers run at once.
    pub jobs: usize,
    /// How long each program may run.
    pub timeout: Duration,
    /// How large an IR or bitcode file, or the output of a program, may be.
    pub max_bytes: u64,
    /// Where to leave the IR text that compilers write; by default it is removed.
    pub keep_ir: Option<PathBuf>,
    /// Where cargo may keep compiled dependencies between runs; by default they are removed.
    pub cargo_target: Option<PathBuf>,
    /// Becomes true when the caller wants to stop: running programs are ended, and the result is
    /// [`BuildError::Cancelled`].
    pub cancel: Arc<AtomicBool>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            native: Native::default(),
            cflags: Vec::new(),
            rustflags: Vec::new(),
            cargo_flags: Vec::new(),
            edition: "2021".to_owned(),
            crate_name: None,
            clang: None,
            bin: None,
            units: Vec::new(),
            moved: None,
            shared: None,
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            timeout: Duration::from_secs(600),
            max_bytes: 2 << 30,
            keep_ir: None,
            cargo_target: None,
            cancel: Arc::default(),
        }
    }
}

/// A module and where it came from.
#[derive(Clone, Debug)]
pub struct Built {
    /// The module.
    pub module: Module,
    /// What the user named.
    pub kind: Kind,
    /// The units that went into the module.
    pub units: Vec<UnitInfo>,
    /// What is worth knowing, though it did not stop us.
    pub notes: Vec<String>,
    /// How much IR text was read.
    pub ir_bytes: u64,
    /// A digest of the IR text of all units, for this build of the program only; nothing if the text does not tell the
    /// contents of all source files by checksums.
    pub digest: Option<u128>,
    /// Where the time went.
    pub timings: Timings,
}

/// IR texts, not yet parsed.
#[derive(Clone, Debug)]
pub struct Texts {
    /// What the user named.
    pub kind: Kind,
    /// The units with their texts.
    pub units: Vec<(UnitInfo, String)>,
    /// What is worth knowing, though it did not stop us.
    pub notes: Vec<String>,
}

/// A unit and how its IR was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitInfo {
    /// The source file; in a cargo package the root file of a crate.
    pub source: PathBuf,
    /// The command that made the IR, ready for a shell; none if the input was IR text.
    pub command: Option<String>,
    /// Where the IR text is, if it is in a file that stays.
    pub ir: Option<PathBuf>,
}

/// Where the time went, summed over the units, so with several jobs more than the clock says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    /// Running compilers and reading files.
    pub compile: Duration,
    /// Parsing.
    pub parse: Duration,
    /// Linking units into one module.
    pub link: Duration,
}

/// Builds what `path` names into one module.
pub fn load(path: &Path, options: &Options, env: &Environment) -> Result<Built, BuildError> {
    let units = each_unit(path, options, env, &parse)?;
    let (mut infos, mut modules, mut ir_bytes, mut timings) = (Vec::new(), Vec::new(), 0, Timings::default());
    let mut digests = Some(Vec::new());
    for unit in units.list {
        digests = digests.zip(unit.digest).map(|(mut all, digest)| {
            all.push(digest);
            all
        });
        infos.push(unit.info);
        modules.push(unit.result);
        ir_bytes += unit.bytes;
        timings.compile += unit.compile;
        timings.parse += unit.used;
    }
    let start = Instant::now();
    let module = link(path, modules)?;
    timings.link = start.elapsed();
    let digest = digests.map(digest);
    Ok(Built { module, kind: units.kind, units: infos, notes: units.notes, ir_bytes, digest, timings })
}

/// Builds what `path` names into IR texts, one a unit.
pub fn texts(path: &Path, options: &Options, env: &Environment) -> Result<Texts, BuildError> {
    let units = each_unit(path, options, env, &|unit| Ok(unit.text))?;
    let list = units.list.into_iter().map(|unit| (unit.info, unit.result)).collect();
    Ok(Texts { kind: units.kind, units: list, notes: units.notes })
}

/// What the front ends share: how to build, on which machine, and a directory that is removed at the end.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub options: &'a Options,
    pub env: &'a Environment,
    pub scratch: &'a Path,
}

/// The IR text of one unit.
pub(crate) struct UnitText {
    pub info: UnitInfo,
    pub text: String,
    /// Whether a compiler wrote the text on our behalf.
    pub generated: bool,
    pub notes: Vec<String>,
    pub compile: Duration,
}

/// All units of an input, after something was done to the text of each.
pub(crate) struct Units<T> {
    pub kind: Kind,
    pub list: Vec<Unit<T>>,
    pub notes: Vec<String>,
}

/// One unit, after something was done to its text.
pub(crate) struct Unit<T> {
    info: UnitInfo,
    result: T,
    bytes: u64,
    digest: Option<u128>,
    notes: Vec<String>,
    compile: Duration,
    used: Duration,
}

/// What is done to the text of each unit.
pub(crate) type Use<'a, T> = &'a (dyn Fn(UnitText) -> Result<T, BuildError> + Sync);

/// Does it to one unit, keeping book.
pub(crate) fn use_unit<T>(mut unit: UnitText, use_text: Use<T>) -> Result<Unit<T>, BuildError> {
    let start = Instant::now();
    let (info, bytes, compile) = (unit.info.clone(), unit.text.len() as u64, unit.compile);
    let digest = tells_sources(&unit.text).then(|| digest(&unit.text));
    let notes = std::mem::take(&mut unit.notes);
    let result = use_text(unit)?;
    Ok(Unit { info, result, bytes, digest, notes, compile, used: start.elapsed() })
}

fn each_unit<T: Send>(
    path: &Path,
    options: &Options,
    env: &Environment,
    use_text: Use<T>,
) -> Result<Units<T>, BuildError> {
    let input = input::classify(path)?;
    // What is IR already needs no place to compile in.
    let scratch = (input.kind != Kind::Ir)
        .then(|| Scratch::new(&env.temp))
        .transpose()
        .map_err(|error| process::scratch_error(&env.temp, &error))?;
    let context = Context { options, env, scratch: scratch.as_ref().map_or(&env.temp, |scratch| scratch.path()) };
    if let Some(dir) = &options.keep_ir {
        std::fs::create_dir_all(dir).map_err(|error| BuildError::Io { action: "create", path: dir.clone(), error })?;
    }
    let path = input.path.as_path();
    let several = |units: Vec<UnitText>| {
        let list = units.into_iter().map(|unit| use_unit(unit, use_text)).collect::<Result<_, _>>()?;
        Ok(Units { kind: input.kind, list, notes: Vec::new() })
    };
    let one = |unit: Result<UnitText, BuildError>| several(vec![unit?]);
    let mut units = match input.kind {
        Kind::C | Kind::Cpp => one(clang::compile(path, &context)),
        Kind::Rust => one(rustc::compile(path, &context)),
        Kind::Ir => one(read_ir(path, &context)),
        Kind::Bitcode => one(bitcode::disassemble(path, &context)),
        Kind::CargoPackage => cargo::compile(path, &context).and_then(several),
        Kind::CompileCommands => compile_db::compile(path, &context, use_text),
    }?;
    units.notes.extend(units.list.iter_mut().flat_map(|unit| std::mem::take(&mut unit.notes)));
    Ok(units)
}

/// A unit that is IR text already.
fn read_ir(path: &Path, context: &Context) -> Result<UnitText, BuildError> {
    let start = Instant::now();
    let bytes = text::read(path, context.options.max_bytes)?;
    let info = UnitInfo { source: path.into(), command: None, ir: Some(path.into()) };
    Ok(UnitText { compile: start.elapsed(), ..unit_text(info, bytes, false) })
}

/// A unit whose IR text a compiler wrote to `ir`.
pub(crate) fn read_compiled(
    source: &Path,
    command: String,
    ir: &Path,
    took: Duration,
    context: &Context,
) -> Result<UnitText, BuildError> {
    let bytes = match text::read(ir, context.options.max_bytes) {
        // Flags of the user can make a compiler write something else, or nothing.
        Err(BuildError::Io { .. } | BuildError::Empty { .. }) => {
            return Err(wrote_no_ir(source, command));
        }
        other => other?,
    };
    let ir = context.options.keep_ir.as_ref().map(|_| ir.to_owned());
    let info = UnitInfo { source: source.into(), command: Some(command), ir };
    Ok(UnitText { compile: took, ..unit_text(info, bytes, true) })
}

/// The error for a compiler that is content and left nothing to read.
pub(crate) fn wrote_no_ir(source: &Path, command: String) -> BuildError {
    let stderr = "the compiler reported success and wrote no LLVM IR".to_owned();
    BuildError::CompilerFailed { input: source.into(), command, stderr, help: None }
}

/// A unit from the bytes of its text.
pub(crate) fn unit_text(info: UnitInfo, bytes: Vec<u8>, generated: bool) -> UnitText {
    let (text, replaced) = text::decode(bytes);
    let note = || format!("{}: the IR has bytes that are no UTF-8; they were replaced", info.source.display());
    let notes = if replaced { vec![note()] } else { Vec::new() };
    UnitText { info, text, generated, notes, compile: Duration::ZERO }
}

impl Context<'_> {
    /// Where a compiler shall write the IR text of `source`; `prefix` tells units of the same name apart.
    pub(crate) fn ir_path(&self, prefix: &str, source: &Path) -> PathBuf {
        let dir = self.options.keep_ir.as_deref().unwrap_or(self.scratch);
        let mut name = OsString::from(prefix);
        name.push(source.file_stem().unwrap_or_default());
        name.push(".ll");
        // Programs that run in another directory must find it too.
        std::path::absolute(dir).unwrap_or_else(|_| dir.into()).join(name)
    }
}

/// 128 bits that stand for something.
fn digest(what: impl Hash) -> u128 {
    let mut hashers = [DefaultHasher::new(), DefaultHasher::new()];
    what.hash(&mut hashers[0]);
    (1, what).hash(&mut hashers[1]);
    let [high, low] = hashers.map(|hasher| hasher.finish());
    u128::from(high) << 64 | u128::from(low)
}

/// Whether an IR text has a checksum of every source file that it names.
fn tells_sources(text: &str) -> bool {
    text.matches("!DIFile(").count() == text.matches("checksumkind:").count()
}

fn parse(unit: UnitText) -> Result<Module, BuildError> {
    ir::parse::parse(&unit.text).map_err(|error| BuildError::BadIr {
        path: unit.info.ir.unwrap_or(unit.info.source),
        generated: unit.generated,
        error,
    })
}

fn link(path: &Path, mut modules: Vec<Module>) -> Result<Module, BuildError> {
    if modules.len() == 1
        && let Some(module) = modules.pop()
    {
        return Ok(module);
    }
    let programs = modules.iter().filter(|module| defines_main(module)).count();
    ir::link::link(modules).map_err(|error| {
        let help = matches!(error, ir::link::LinkError::Duplicate { .. }).then(|| {
            let reason = if programs > 1 { format!("there are {programs} programs; ") } else { String::new() };
            format!(
                "{reason}choose the units that belong together with --unit, by a part of their source or object paths"
            )
        });
        BuildError::Link { path: path.into(), error, help }
    })
}

fn defines_main(module: &Module) -> bool {
    module.functions.iter().any(|function| function.is_defined() && module.symbol_name(function.symbol) == "main")
}
