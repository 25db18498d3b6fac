//! A whole suite against a program: what `pathshift replay` does.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use build::{BuildError, Environment};
use exec::case::{Datum, End, FaultKind, Input, Outcome, Turn};
use exec::models::prelude;
use ir::demangle::function_display_name;
use ir::id::FuncId;
use ir::module::Module;
use report::replay::{Disagreement, Replay, RunState, SCHEMA};

use super::{Driver, Limits, Options, Placement, ReplayError, Replayed, does_as_expected, prepare, same_turns};
use crate::suite::{Header, SuiteError, Test, Tests, show};

/// Why a suite cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplaySuiteError {
    /// The suite cannot be read.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// The driver cannot be made or used.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The program has no such entry.
    #[error(transparent)]
    NotFound(#[from] crate::find::NotFound),
}

/// Tests that are in memory at once.
const BATCH: usize = 10_000;

/// Disagreements that a report keeps.
const MAX_KEPT: usize = 1000;

/// Runs every test of a suite natively and compares outcome and branches with what it expects.
///
/// A test that expects a fault runs where such a fault shows: with guarded stack objects and exact ends of memory, or with
/// checks of arithmetic. All others run as the program is built. When the user stops it, the report says what was done so far.
pub fn replay_suite(
    suite: &Path,
    module: &Module,
    options: &Options,
    limits: &Limits,
    env: &Environment,
) -> Result<Replay, ReplaySuiteError> {
    let start = Instant::now();
    let tests = Tests::open(suite)?;
    let header = tests.header.clone();
    let entry = find_entry(module, &header.entry)?;
    let mut options = options.clone();
    options.outside.extend(answered(tests)?);
    let library = prelude::functions(module);
    let mut drivers = Drivers { module, entry, options, env, library, made: Vec::new() };
    let mut report = Replay {
        schema: SCHEMA,
        run_state: RunState::Incomplete,
        suite: suite.display().to_string(),
        entry: function_display_name(module, entry),
        same_program: is_made_for(&header, module),
        tests: 0,
        beyond: 0,
        agreed: 0,
        disagreements: Vec::new(),
        disagreed: 0,
        refused: Default::default(),
        notes: Vec::new(),
        wall_ms: 0,
    };
    let mut tests = Tests::open(suite)?;
    loop {
        let mut batch: Vec<Test> = tests.by_ref().take(BATCH).collect::<Result<_, _>>()?;
        if batch.is_empty() {
            report.run_state = if report.refused.is_empty() { RunState::Complete } else { RunState::Incomplete };
            break;
        }
        match run_batch(&mut batch, &mut drivers, limits) {
            Ok(seen) => batch.iter().zip(seen).for_each(|(test, seen)| judge(&mut report, &header, test, seen)),
            Err(ReplayError::Build(BuildError::Cancelled)) => break,
            Err(error) => return Err(error.into()),
        }
    }
    report.wall_ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    Ok(report)
}

/// Whether a suite is of this very program, without or with what an exploration adds to it.
pub fn is_made_for(header: &Header, module: &Module) -> bool {
    let is_of = |module: &Module| header.program == crate::suite::fingerprint(module);
    is_of(module) || prelude::is_needed(module) && prelude::link(module.clone()).is_ok_and(|whole| is_of(&whole))
}

fn find_entry(module: &Module, name: &str) -> Result<FuncId, ReplaySuiteError> {
    let found = crate::find::functions(module, name)?;
    found.first().copied().ok_or_else(|| ReplayError::Unsupported { what: format!("`{name}`") }.into())
}

/// Functions whose answers the suite gives.
fn answered(tests: Tests) -> Result<BTreeSet<String>, SuiteError> {
    let mut names = BTreeSet::new();
    for test in tests {
        // Where nothing is answered, the library's function does as well.
        let answers =
            test?.input.results.into_iter().filter(|result| result.result != Datum::Any || !result.writes.is_empty());
        names.extend(answers.map(|result| result.function));
    }
    Ok(names)
}

struct Drivers<'a> {
    module: &'a Module,
    entry: FuncId,
    options: Options,
    env: &'a Environment,
    /// Functions whose turns are seen in an exploration only.
    library: BTreeSet<String>,
    /// Made when they are first needed.
    made: Vec<(Build, Driver)>,
}

/// How the program is built for a test, so that what the test expects would show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Build {
    /// As always.
    Plain,
    /// Memory ends where objects end.
    Guarded,
    /// Memory begins where objects begin.
    GuardedBegin,
    /// The same as guarded, and arithmetic without a defined result stops. Only tests that expect that have it: all others
    /// are of explorations in which such arithmetic does something.
    Checked,
}

impl Build {
    /// What shows a fault first; what shows others comes later.
    const ALL: [Build; 4] = [Build::Plain, Build::Guarded, Build::Checked, Build::GuardedBegin];

    fn for_test(test: &Test) -> Build {
        use FaultKind::*;
        match test.outcome.end {
            End::Fault(OutOfBounds | WildPointer | UseAfterFree | DoubleFree | InvalidFree) => Build::Guarded,
            End::Fault(Overflow | Shift | Conversion | Uninitialized) => Build::Checked,
            _ => Build::Plain,
        }
    }

    fn placement(self) -> Placement {
        match self {
            Build::Plain => Placement::Aligned,
            Build::Guarded | Build::Checked => Placement::Exact,
            Build::GuardedBegin => Placement::Begin,
        }
    }
}

impl Drivers<'_> {
    fn get(&mut self, build: Build) -> Result<&Driver, ReplayError> {
        let made = self.made.iter().position(|(of, _)| *of == build);
        let at = match made {
            Some(at) => at,
            None => {
                let mut options = self.options.clone();
                options.checks |= build == Build::Checked;
                options.guard_stack |= build != Build::Plain;
                options.guard_begin = build == Build::GuardedBegin;
                self.made.push((build, prepare(self.module, self.entry, &options, self.env)?));
                self.made.len() - 1
            }
        };
        Ok(&self.made[at].1)
    }
}

/// Runs tests; from what they expect, calls are removed that a driver does not see because a library answers them, and turns
/// that the library takes.
fn run_batch(batch: &mut [Test], drivers: &mut Drivers<'_>, limits: &Limits) -> Result<Vec<Replayed>, ReplayError> {
    let mut seen: Vec<Option<Replayed>> = vec![None; batch.len()];
    for build in Build::ALL {
        let is_chosen = |index: &usize| match (build, &seen[*index]) {
            (Build::GuardedBegin, seen) => {
                seen.as_ref().is_some_and(|seen| may_be_before(&batch[*index].outcome, seen))
            }
            _ => Build::for_test(&batch[*index]) == build,
        };
        let chosen: Vec<usize> = (0..batch.len()).filter(is_chosen).collect();
        if chosen.is_empty() {
            continue;
        }
        let inputs: Vec<Input> = chosen.iter().map(|&index| batch[index].input.clone()).collect();
        let driver = drivers.get(build)?;
        let replayed = driver.run(&inputs, build.placement(), limits)?;
        for (index, replayed) in chosen.into_iter().zip(replayed) {
            // What pointers of the input lead to is answered for, too.
            let is_seen = |name: &str| name.starts_with('*') || driver.answers(name);
            batch[index].outcome.calls.retain(|call| is_seen(&call.function));
            seen[index] = Some(replayed);
        }
    }
    for test in batch {
        test.turns.retain(|turn| !drivers.library.contains(&*turn.function));
    }
    Ok(seen.into_iter().flatten().collect())
}

/// Whether a fault that was expected and not seen may be a use before the beginning of an object, which only another placement
/// shows.
pub(crate) fn may_be_before(expected: &Outcome, seen: &Replayed) -> bool {
    expected.end == End::Fault(FaultKind::OutOfBounds)
        && !seen.had_no_time()
        && does_as_expected(expected, &seen.outcome).is_err()
}

/// Whether a test leaves the bounds of the exploration that made it. Limits of native runs are no such bounds.
fn is_beyond(test: &Test) -> bool {
    match &test.outcome.end {
        End::Bound(limit) => !limit.is_native(),
        End::Unsupported(_) => true,
        _ => false,
    }
}

fn judge(report: &mut Replay, header: &Header, test: &Test, seen: Replayed) {
    if is_beyond(test) {
        report.beyond += 1;
        return;
    }
    report.tests += 1;
    if let End::Refused(what) = &seen.outcome.end {
        *report.refused.entry(what.clone()).or_default() += 1;
        return;
    }
    let found = match does_as_expected(&test.outcome, &seen.outcome) {
        Err(mismatch) => Some((mismatch.part, mismatch.expected, mismatch.seen)),
        Ok(()) => same_turns(&test.turns, &seen.turns, seen.all_turns).err().map(|at| {
            let turn = |turns: &[Turn]| {
                turns.get(at).map_or("none".to_owned(), |turn| {
                    format!("{} branch {} side {}", turn.function, turn.branch, turn.side)
                })
            };
            (format!("turn {}", at + 1), turn(&test.turns), turn(&seen.turns))
        }),
    };
    let Some((part, expected, seen_text)) = found else {
        report.agreed += 1;
        return;
    };
    report.disagreed += 1;
    if report.disagreements.len() < MAX_KEPT {
        report.disagreements.push(Disagreement {
            test: report.tests + report.beyond,
            input: show::input(header, test),
            part,
            expected,
            seen: seen_text,
            notes: seen.notes,
        });
    }
}
