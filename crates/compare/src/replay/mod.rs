//! Runs cases natively.
//!
//! A [`Program`] is one executable for some entry functions of a module: the module itself in the form that
//! [`ir::print`] writes, with calls added that tell which way each branch went, a way into each entry, and a runtime in
//! C. A [`Driver`] runs every case of one entry in a child process of its own, under limits on time, memory and output.
//! It works for any entry, a `static` function of C or a private one of Rust too, since the module is compiled and not
//! the source. Compiling takes most of the time, so whoever runs many functions of a module makes one program for all.
//!
//! What the program does not initialise holds the same byte everywhere, a setting of the run: [`Dependent`] is what changes with it.
//!
//! Memory is placed so that faults show: objects of the input and allocations end at a page that cannot be touched,
//! freed memory is never used again. [`Options::guard_stack`] does the same for stack objects, [`Options::checks`] stops
//! at arithmetic without a defined result.
//!
//! Functions that the program declares and no library brings answer what the case says.

mod agree;
mod compile;
mod dependent;
pub(crate) mod emit;
mod guard;
mod instrument;
mod loading;
mod outside;
mod pointers;
mod run;
mod suite_run;
mod wire;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use build::native::Workshop;
use build::{BuildError, Environment, Native};
use exec::case::{End, Memory, Outcome, Turn};
use ir::id::FuncId;
use ir::module::{Linkage, Module};
use sandbox::CaseFilters;

pub use agree::{Mismatch, agrees, does_as_expected, same_turns};
pub use dependent::Dependent;
pub use run::FILLINGS;
pub(crate) use suite_run::may_be_before;
pub use suite_run::{ReplaySuiteError, is_made_for, replay_suite};
pub use wire::OwnPlace;

/// How a driver is made.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Compilers and limits on them.
    pub build: build::Options,
    /// Functions that answer what a case says although a library brings them, by symbol name. Those that allocate or end
    /// the process stay what they are.
    pub outside: BTreeSet<String>,
    /// More arguments for the linker, such as `-lz`.
    pub libraries: Vec<String>,
    /// Stops at signed overflow, at shifts by the width or more, at floats that do not fit an integer, and at branches that
    /// something decides which was never assigned: runs that begin with other bytes there take other turns.
    pub checks: bool,
    /// Gives stack objects memory of their own, so that a use beside them or after their function shows, and surrounds
    /// global variables with memory that cannot be touched.
    pub guard_stack: bool,
    /// Guards the beginning of global variables rather than their end.
    pub guard_begin: bool,
    /// When compilers are to be done, beside the least time that they have in any case.
    pub until: Option<Instant>,
}

/// What each case may use up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time that it works. By the clock it may take five times as long, so that a busy machine changes no result.
    pub time: Duration,
    /// The same once a case of the batch did not end within that: others may not end either, and each is waited for.
    pub time_after_hang: Duration,
    /// When all of them have to be done, whatever is left then being not run.
    pub until: Option<Instant>,
    /// Memory in bytes.
    pub memory: u64,
    /// Bytes of output, and of each file that is written.
    pub output: u64,
    /// Turns that are recorded; later ones are not.
    pub turns: u64,
    /// Bytes of memory that a case can bring back.
    pub result: u64,
    /// How many cases run at once.
    pub jobs: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            time: Duration::from_secs(10),
            time_after_hang: Duration::from_secs(10),
            until: None,
            memory: 1 << 30,
            output: 16 << 20,
            turns: 1 << 20,
            result: 64 << 20,
            jobs: 1,
        }
    }
}

/// Where memory of a case lies inside of its pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// Aligned as the platform aligns it. A few bytes may lie between the end of an object and its guard page.
    #[default]
    Aligned,
    /// With its end at the guard page, aligned only as its size allows, so that one byte too far shows.
    Exact,
    /// With its beginning at a guard page, so that one byte too early shows.
    Begin,
}

/// What came of a case natively.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// Outcome. Memory and globals are known only if the entry returned.
    pub outcome: Outcome,
    /// Branches that were taken, without those of constructors.
    pub turns: Vec<Turn>,
    /// Whether all of them were recorded.
    pub all_turns: bool,
    /// What is worth knowing.
    pub notes: Vec<String>,
    /// Memory that the run made itself and that the caller can see, in the order in which pointers lead to it; empty if
    /// that is not known.
    pub own: Vec<Memory>,
}

impl Replayed {
    /// Whether the case was stopped at a limit.
    pub fn is_stopped(&self) -> bool {
        matches!(self.outcome.end, End::Bound(_))
    }

    /// Whether the case was not run, or not to its end, because [`Limits::until`] was over.
    pub fn had_no_time(&self) -> bool {
        matches!(&self.outcome.end, End::Unsupported(why) if why == NO_TIME)
    }

    /// Whether two runs certainly left other contents in memory that they made themselves.
    pub fn differs_in_own_memory(&self, other: &Replayed) -> bool {
        let known = |one: &Replayed| one.outcome.end == End::Returned;
        known(self) && known(other) && !agree::same_own_memory(&self.own, &other.own)
    }

    /// Whether another run on the same input, if there was time for one, came to the same.
    pub fn is_repeated_by(&self, again: &Replayed) -> bool {
        again.had_no_time() || agrees(&self.outcome, &again.outcome).is_ok() && !self.differs_in_own_memory(again)
    }
}

/// How names begin that the program's part of a driver and the runtime know each other by.
const OWN_PREFIX: &str = "pathshift_";

/// Why a case was not run that had no time.
const NO_TIME: &str = "not run: out of time";

/// Why a driver cannot be made or used.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// A compiler is missing or failed, a limit was reached, or the user stopped us.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A test that was put aside cannot be read again.
    #[error("cannot read a test again: {0}")]
    Lost(#[from] std::io::Error),
    /// Native runs know no such thing.
    #[error("cannot replay {what}")]
    Unsupported {
        /// What.
        what: String,
    },
    /// The user wants nothing of the input to run.
    #[error("nothing is run natively (--no-run)")]
    NotAllowed,
    /// The driver itself does not work here.
    #[error("the replay driver does not run: {reason}")]
    Driver {
        /// Why.
        reason: String,
    },
}

impl ReplayError {
    /// What the user can do about it.
    pub fn help(&self) -> Option<String> {
        match self {
            ReplayError::Build(error) => error.help(),
            ReplayError::Unsupported { .. } | ReplayError::Lost(_) | ReplayError::NotAllowed => None,
            ReplayError::Driver { .. } => {
                Some("it needs Linux on a 64-bit processor, fork, and room for reserved addresses".to_owned())
            }
        }
    }
}

/// An executable that has a way into some functions of a module.
pub struct Program {
    workshop: Workshop,
    executable: PathBuf,
    /// Types, and functions without their code.
    module: Module,
    entries: BTreeMap<FuncId, Result<instrument::Entry, String>>,
    symbols: wire::Symbols,
    branches: Vec<Turn>,
    outside: BTreeMap<u64, outside::Outside>,
    /// Whether what was never assigned must not matter.
    checks: bool,
    /// What cases are confined by; nothing without a sandbox.
    wall: Option<CaseFilters>,
}

/// Runs cases of one entry.
pub struct Driver {
    program: Arc<Program>,
    entry: instrument::Entry,
}

impl Driver {
    /// Whether calls of a function are recorded, and answered by the case: no library brings it.
    pub fn answers(&self, function: &str) -> bool {
        let Program { symbols, outside, .. } = &*self.program;
        symbols.numbers.get(function).is_some_and(|number| outside.contains_key(number))
    }
}

/// Makes a driver for an entry function of a module, which has to have a body.
pub fn prepare(module: &Module, entry: FuncId, options: &Options, env: &Environment) -> Result<Driver, ReplayError> {
    check_entry(module, entry)?;
    driver(&Arc::new(build(module, &[entry], options, env)?), entry)
}

/// Makes an executable with a way into some functions of a module; those without a body have none.
pub fn build(
    module: &Module,
    entries: &[FuncId],
    options: &Options,
    env: &Environment,
) -> Result<Program, ReplayError> {
    let wall = wall(options.build.native)?;
    check_target(module)?;
    let module = &with_weak_symbols(module);
    let workshop = Workshop::new(&options.build, env)?;
    let entries: Vec<FuncId> = entries.iter().copied().filter(|&id| module.functions[id].is_defined()).collect();
    let mut program = instrument::instrument(module, &entries, options);
    let mut outside = options.outside.clone();
    if wall.is_some() {
        outside.extend(acting_on_machine(module));
    }
    outside.retain(|name| instrument::is_answerable(name));
    outside::rename(&mut program.module, &outside);
    let (executable, missing) =
        compile::compile(&workshop, module, &program.module, &program.symbols, &outside, options)?;
    program.module.functions.iter_mut().for_each(|function| (function.blocks, function.insts) = Default::default());
    let mut symbols = program.symbols;
    for number in missing.variables {
        if let Some(facts) = symbols.facts.get_mut(number as usize) {
            facts[1] = wire::MUTABLE;
        }
    }
    let branches = program
        .branches
        .iter()
        .map(|&(function, branch)| Turn { function: module.function_label(function).into(), branch, side: 0 })
        .collect();
    let outside = missing.functions.into_iter().chain(program.answering).collect();
    Ok(Program {
        workshop,
        executable,
        module: program.module,
        entries: program.entries,
        symbols,
        branches,
        outside,
        checks: options.checks,
        wall,
    })
}

/// A module whose weak symbols are all defined: whether a program takes one for null, a case says.
fn with_weak_symbols(module: &Module) -> Module {
    let mut module = module.clone();
    ir::weak::lower(&mut module);
    for symbol in module.symbols.iter_mut().filter(|symbol| symbol.linkage == Linkage::ExternWeak) {
        symbol.linkage = Linkage::External;
    }
    module
}

/// Functions that the wall would not let a case call. An exploration knows nothing of what they do, so a case says what they answer.
fn acting_on_machine(module: &Module) -> BTreeSet<String> {
    let models = exec::models::Table::new(module);
    let declared =
        module.functions.iter_ids().filter(|(id, function)| !function.is_defined() && models.get(*id).is_none());
    let names = declared.map(|(id, _)| module.function_name(id));
    names.filter(|name| analysis::system::acts_on_machine(name)).map(str::to_owned).collect()
}

/// The filters that cases are confined by.
fn wall(native: Native) -> Result<Option<CaseFilters>, ReplayError> {
    match native {
        Native::Never => return Err(ReplayError::NotAllowed),
        Native::Uncontained => return Ok(None),
        Native::Contained => sandbox::check().map_err(BuildError::from)?,
    }
    Ok(Some(sandbox::case_filters().ok_or(BuildError::from(sandbox::Unavailable::Processor))?))
}

/// The driver of one of a program's entries.
pub fn driver(program: &Arc<Program>, entry: FuncId) -> Result<Driver, ReplayError> {
    let unsupported = |what: &str| ReplayError::Unsupported { what: what.to_owned() };
    let known = program.entries.get(&entry).ok_or_else(|| unsupported("a function to which the program has no way"))?;
    let entry = known.clone().map_err(|what| unsupported(&what))?;
    Ok(Driver { program: program.clone(), entry })
}

fn check_entry(module: &Module, entry: FuncId) -> Result<(), ReplayError> {
    if module.functions[entry].is_defined() {
        return Ok(());
    }
    Err(ReplayError::Unsupported { what: format!("`{}`, which has no body", module.function_name(entry)) })
}

/// Native runs are runs on this machine.
fn check_target(module: &Module) -> Result<(), ReplayError> {
    let unsupported = |what: String| Err(ReplayError::Unsupported { what });
    let arch = module.triple.split('-').next().unwrap_or_default();
    let here = std::env::consts::ARCH;
    if !arch.is_empty() && arch != here && !(here == "aarch64" && arch == "arm64") {
        return unsupported(format!("code for {} on {here}", module.triple));
    }
    if module.layout.big_endian || module.layout.pointer(0).bits != 64 {
        return unsupported("code with other than 64-bit little-endian pointers".to_owned());
    }
    Ok(())
}
