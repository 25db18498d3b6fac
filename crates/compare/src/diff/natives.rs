//! Both versions built natively, once for all functions that are compared: compiling takes most of the time of a native run.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::replay::{self, Driver, Options, Program, ReplayError};
use build::error::Limit;
use build::{BuildError, Environment};
use ir::id::FuncId;
use ir::module::Module;

/// Which version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// The old one.
    Old,
    /// The new one.
    New,
}

/// Both versions, as far as they were needed.
pub struct Natives<'a> {
    modules: [(&'a Module, Vec<FuncId>); 2],
    env: &'a Environment,
    /// By version, by whether beginnings are guarded, by whether arithmetic is checked.
    built: [Mutex<Built>; 8],
}

/// What came of building a version.
#[derive(Default)]
struct Built {
    program: Option<Arc<Program>>,
    /// Compilers were stopped, having had so long: they are not asked again unless they may take longer.
    stopped: Option<(Duration, Limit)>,
}

impl<'a> Natives<'a> {
    /// Nothing is built yet. With each version come the functions that may be run.
    pub fn new(old: (&'a Module, Vec<FuncId>), new: (&'a Module, Vec<FuncId>), env: &'a Environment) -> Natives<'a> {
        Natives { modules: [old, new], env, built: Default::default() }
    }

    /// A driver of one function, whose stack objects are guarded. All calls have to have the same options, but for
    /// [`Options::guard_begin`] and [`Options::checks`].
    pub fn driver(&self, version: Version, function: FuncId, options: &Options) -> Result<Driver, ReplayError> {
        let (module, entries) = &self.modules[usize::from(version == Version::New)];
        let options = Options { guard_stack: true, ..options.clone() };
        if !entries.contains(&function) {
            return replay::prepare(module, function, &options, self.env);
        }
        let bits = [version == Version::New, options.guard_begin, options.checks];
        let place = bits.into_iter().fold(0, |place, bit| 2 * place + usize::from(bit));
        let mut built = self.built[place].lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(program) = &built.program {
            return replay::driver(program, function);
        }
        let left = options.until.map_or(Duration::MAX, |until| until.saturating_duration_since(Instant::now()));
        if let Some((_, limit)) = built.stopped.as_ref().filter(|(had, _)| left <= *had) {
            return Err(BuildError::Limit { limit: limit.clone() }.into());
        }
        let program = match replay::build(module, entries, &options, self.env) {
            Ok(program) => Arc::new(program),
            Err(ReplayError::Build(BuildError::Limit { limit })) => {
                built.stopped = Some((left, limit.clone()));
                return Err(BuildError::Limit { limit }.into());
            }
            Err(error) => return Err(error),
        };
        built.program = Some(program.clone());
        replay::driver(&program, function)
    }
}
