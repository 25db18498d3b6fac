//! `pathshift diff`: for each changed function whether it still does the same.
//!
//! Cheapest means first: code that is the same with all that it uses needs no solver. Otherwise both versions are followed
//! on the same inputs ([`explore::pair`]). What looks different is run natively on both builds; only what really
//! differs there is called different. Whatever is left open is undecided, with its reasons.

mod confirm;
pub(crate) mod couple;
pub(crate) mod shown;
mod verdict;

use crate::replay;
use build::Environment;
use change::FunctionChange;
use couple::Couple;
use ir::id::FuncId;
use ir::module::Module;
use report::diff::{Diff, Function, SCHEMA, Verdict};
use smt::solver::chain::Chain;
use std::time::Duration;

/// How to compare.
pub struct Options {
    /// Bounds and limits of the exploration.
    pub explore: explore::options::Options,
    /// Bounds of inputs.
    pub program: exec::program::Options,
    /// Makes the solvers.
    pub chain: Box<dyn Fn() -> Chain + Sync>,
    /// Time for each function.
    pub time: Duration,
    /// Only these functions of the new version; all if empty.
    pub functions: Vec<FuncId>,
    /// Native runs; none if nothing is to be run.
    pub replay: Option<(replay::Options, replay::Limits)>,
}

/// Compares two promoted versions of a program. `watch` is told how far it is: functions done, of how many, which is next.
pub fn diff(
    old: &Module,
    new: &Module,
    options: &Options,
    env: &Environment,
    mut watch: impl FnMut(usize, usize, &str),
) -> Diff {
    let changes = change::compare(old, new);
    let mut result = Diff { schema: SCHEMA, functions: Vec::new(), notes: changes.notes.clone(), ..Diff::default() };
    let wanted = |function: &FunctionChange| match function.new {
        Some(id) => options.functions.is_empty() || options.functions.contains(&id),
        None => options.functions.is_empty(),
    };
    let chosen: Vec<&FunctionChange> = changes.functions.iter().filter(|function| wanted(function)).collect();
    let open = chosen.iter().filter(|function| !function.same).count();
    let couple = if open > 0 {
        Some(Couple::new(old, new, &changes, options.program.clone()).map_err(|error| error.to_string()))
    } else {
        None
    };
    let mut done = 0;
    for function in chosen {
        if function.same {
            result.unchanged += 1;
            // What was asked for by name is answered by name.
            if options.functions.is_empty() {
                continue;
            }
        } else {
            watch(done, open, &function.name);
            done += 1;
        }
        result.functions.push(verdict::of(old, new, &changes, function, couple.as_ref(), options, env));
    }
    result.verdict = overall(&result.functions);
    result.run_state = if options.explore.interrupt.load(std::sync::atomic::Ordering::Relaxed) {
        report::explore::RunState::Incomplete
    } else {
        report::explore::RunState::Complete
    };
    result
}

fn overall(functions: &[Function]) -> Verdict {
    let any = |verdict: Verdict| functions.iter().any(|function| function.verdict == verdict);
    if any(Verdict::Different) {
        Verdict::Different
    } else if functions.iter().any(|function| !function.undecided.is_empty()) {
        Verdict::Undecided
    } else {
        Verdict::Same
    }
}
