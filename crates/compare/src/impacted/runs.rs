//! Tests of a suite, run by the interpreter one by one.

use super::suite::Suite;
use crate::explore::fault_name;
use crate::suite::universe;
use exec::case::{FaultKind, Input};
use exec::entry::{Entry, Shell};
use exec::program::Program;
use exec::run::Worker;
use exec::state::{Effect, End, RemarkKind, State};
use exec::value::Value;
use explore::follow::follow;
use ir::id::FuncId;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// How tests are run on one version.
pub(crate) struct Runs<'p> {
    program: &'p Program,
    entry: FuncId,
    is_main: bool,
    max_steps: u64,
    cwd: Option<&'p Path>,
}

/// A test that was run.
pub(crate) struct Ran {
    /// The last state, with all blocks that were entered.
    pub state: State,
    end: End,
    is_main: bool,
}

/// Most times that a test is run anew because it asked for files.
const MAX_ASKED: usize = 64;

impl<'p> Runs<'p> {
    pub(crate) fn new(program: &'p Program, entry: FuncId, suite: &'p Suite, max_steps: u64) -> Runs<'p> {
        let is_main = program.module.function_name(entry) == "main";
        Runs { program, entry, is_main, max_steps, cwd: suite.cwd.as_deref() }
    }

    /// Runs a test; `None` if it does not say enough to be run. Files that the program opens become part of the test.
    pub(crate) fn run(&self, input: &mut Input) -> Option<Ran> {
        let Runs { program, entry, is_main, max_steps, cwd } = *self;
        for _ in 0..MAX_ASKED {
            let shell = is_main.then(|| Arc::new(Shell::of_input(input)));
            let mut worker = Worker::new(program, !is_main);
            let (state, end) = follow(&mut worker, &Entry { function: entry, shell }, input, max_steps)?;
            let missing = state.library.missing.iter();
            let found: Vec<(String, Vec<u8>)> = missing.filter_map(|name| universe::file_in(cwd?, name)).collect();
            if found.is_empty() {
                return Some(Ran { state, end, is_main });
            }
            input.files.extend(found);
        }
        None
    }
}

impl Ran {
    /// Why a build of the program may do something else than this run; nothing if it does the same.
    ///
    /// A function is tested with guards around its memory, so a fault is an outcome. A whole program has none: behind a
    /// fault, or a value that was never assigned, it goes on as it likes.
    pub(crate) fn doubt(&self) -> Option<String> {
        match &self.end {
            End::Returned(_) | End::Exited(_) => {}
            End::Fault { kind, .. } if !self.is_main || is_certain(*kind) => {}
            End::Fault { kind, .. } => {
                return Some(format!("{}: what a build does from there on is not known", fault_name(*kind)));
            }
            End::Scope { .. } | End::Bound { .. } | End::Unsupported { .. } => {
                let what = self.end.gap().map(|gap| gap.what()).unwrap_or_default();
                return Some(format!("could not be run to its end: {what}"));
            }
            End::Left => return Some("could not be run to its end".to_owned()),
        }
        let remarks = self.state.remarks.iter().filter(|_| self.is_main);
        remarks.into_iter().find_map(|remark| match &remark.kind {
            RemarkKind::Address => None,
            RemarkKind::Uninitialized => Some("uses a value that was never assigned".to_owned()),
            RemarkKind::Outside(name) | RemarkKind::AnyResult(name) => {
                Some(format!("depends on what `{name}` does, of which nothing is known"))
            }
            RemarkKind::Approximate(what) => Some(format!("is known only approximately: {what}")),
        })
    }
}

/// What a whole program shows.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    /// Exit code, or how else it ended.
    end: Result<u64, FaultKind>,
    /// Bytes written to each stream.
    written: BTreeMap<u32, Vec<u64>>,
}

impl Ran {
    /// Whether a whole program fails here and comes to its end there. What a build does behind a fault is not known, but
    /// only one of the two has one.
    pub(crate) fn fails_instead_of(&self, other: &Ran) -> bool {
        let ends = matches!(other.end, End::Returned(_) | End::Exited(_));
        self.is_main && ends && matches!(self.end, End::Fault { .. })
    }

    /// What a whole program shows to whoever runs it; `None` if that is not known to the last byte.
    pub(crate) fn shown(&self) -> Option<Shown> {
        if !self.is_main || self.doubt().is_some() {
            return None;
        }
        let end = match &self.end {
            End::Returned(Some(Value::Bits(code))) | End::Exited(code) => Ok(code.as_const()? & 0xff),
            End::Fault { kind, .. } => Err(*kind),
            _ => return None,
        };
        let mut written: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        for effect in self.state.effects.to_vec() {
            let Effect::Output { stream, bytes } = effect else { return None };
            let known: Option<Vec<u64>> = bytes.iter().map(|byte| byte.as_const()).collect();
            written.entry(*stream).or_default().extend(known?);
        }
        Some(Shown { end, written })
    }
}

/// Whether a fault ends every build of a program.
fn is_certain(kind: FaultKind) -> bool {
    matches!(kind, FaultKind::Assertion | FaultKind::Panic | FaultKind::Abort | FaultKind::Uncaught)
}
