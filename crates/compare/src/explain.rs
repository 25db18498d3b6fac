//! `pathshift explain`: which lines make a test fail that passed on the old version.
//!
//! D. Qi, A. Roychoudhury, Z. Liang, K. Vaswani: "DARWIN: An Approach for Debugging Evolving Programs", ESEC/FSE 2009,
//! with the relevant-slice conditions of "Path Exploration based on Symbolic Output", ESEC/FSE 2011, section 5.2. Both
//! versions follow the test; with the conditions `f` of the old run and `f'` of the new one, `f and not f'` is solved
//! constraint by constraint. Each constraint of `f'` that can be false where the old version does the same as before is a
//! decision that the versions see differently: its line, and an input that shows it. The same the other way round finds
//! decisions of the old version that the new one lacks.
//!
//! *Deviations.* A cause need not be a decision: where a wrong value is computed without one, `f` and `f'` are the same.
//! But a cause is always a change. So the lines that come first are those with a changed instruction that the wrong
//! outcome depends on, in the same slices that the conditions are made of; lines that the old outcome depends on and that
//! are gone are listed as removed. Of these the ones that read differently in the source come first, jumps included.
//! A variable that begins with something else is a change of the line that declares it, if the outcome depends on a read of
//! what it begins with. Decisions that differ come behind all these unless they were changed themselves. The wrong outcome is the first part of the
//! output that differs, not all of it.

mod assigned;
mod changed;
mod expected;
mod fit;
mod follow;
mod lines;
mod macros;
mod of_suite;
mod shown;
mod texts;
mod values;
mod variables;
mod versions;

use crate::diff::couple::unmarked;
use crate::suite::{Reading, signature};
use assigned::Taken;
use changed::Changed;
use exec::entry::{Entry, Shell};
use exec::program::Program;
use exec::record::{EventKind, NOBODY};
use exec::run::Worker;
use exec::same::Aspect;
use exec::state::{Effect, End};
use explore::concolic::{self, Run};
use explore::dependence::{Potential, Trace, trace_within};
use explore::dgse;
use explore::output::{self, Criterion};
use explore::statics::Statics;
use follow::{Beginning, Follower};
use ir::id::{FuncId, InstId};
use ir::inst::InstKind;
use ir::module::Module;
use lines::{Lines, instruction, line_of, lines_of};
use report::explain::{Alternative, Explanation, Kind, Line, SCHEMA};
use report::model::Place;
use rustc_hash::FxHashSet;
use shown::Outcomes;
use smt::eval::{Evaluator, Model};
use smt::expr::Expr;
use smt::solver::chain::{Chain, Path};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};
use texts::{Spot, Texts};
use values::{Learnt, is_part, unknown};
use variables::Variables;
use versions::Versions;

pub(crate) use changed::changed_code;
pub use changed::changed_since;
pub use expected::{Expected, Passes};
pub use of_suite::explain_of_suite;
pub use values::{Number, Part, unescaped};

/// How to explain.
pub struct Options {
    /// Bounds and limits.
    pub explore: explore::options::Options,
    /// Bounds of inputs.
    pub program: exec::program::Options,
    /// Makes the solvers.
    pub chain: Box<dyn Fn() -> Chain + Sync>,
    /// Which constraints are composed.
    pub with: With,
}

/// Which constraints are composed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum With {
    /// Those of the whole path.
    Path,
    /// Those that the wrong outcome depends on.
    #[default]
    Slice,
    /// Of these, those at decisions that the change reaches.
    Impacted,
}

/// The test.
#[derive(Clone, Debug)]
pub enum Test {
    /// Values by the names that the source gives to parts of the input; what is not named is zero, but global variables hold
    /// what they begin with in the new version.
    Named(Vec<Part>),
    /// What `main` is given.
    Shell(Shell),
    /// A test of a suite for a function.
    Case(Rc<exec::case::Input>),
}

impl Test {
    /// The test that an input of a suite is.
    pub fn of_suite(input: &exec::case::Input, is_main: bool) -> Test {
        match is_main {
            true => Test::Shell(Shell::of_input(input)),
            false => Test::Case(Rc::new(input.clone())),
        }
    }
}

/// Why nothing can be explained.
#[derive(Debug, thiserror::Error)]
pub enum ExplainError {
    /// The versions do not make one program.
    #[error("the two versions cannot be put into one program: {0}")]
    Link(String),
    /// A version lacks the function.
    #[error("`{0}` is not in both versions")]
    Missing(String),
    /// The test does not fail.
    #[error("both versions do the same on this test: {0}")]
    Same(String),
    /// The test fails on both.
    #[error("both versions fail this test (expected: {expected}): the old one {old}, the new one {new}")]
    BothFail {
        /// What is expected.
        expected: String,
        /// What the old version does.
        old: String,
        /// What the new version does.
        new: String,
    },
    /// The test is none that passes on the old version and fails on the new one; which one passes.
    #[error("the test does not pass on the old version and fail on the new one")]
    OtherPasses(Passes),
    /// A value that a part of the input cannot have.
    #[error("--given {part}: the {bits} bits of it cannot hold that")]
    NoRoom {
        /// The part and its value.
        part: String,
        /// How many bits there are.
        bits: u32,
    },
    /// A suite has no such test.
    #[error("no test {number}")]
    NoTest {
        /// The number that was asked for.
        number: usize,
        /// How many there are.
        tests: usize,
    },
    /// No test of a suite fails.
    #[error("both versions do the same on all {0} tests")]
    AllSame(usize),
    /// No test of a suite fails, of those that can be followed.
    #[error(
        "no test is known to fail: both versions do the same on {same}, and {left} cannot be followed; of these the first: {why}"
    )]
    SameWhereFollowed {
        /// On how many tests both do the same.
        same: usize,
        /// How many tests cannot be followed.
        left: usize,
        /// Why the first of these cannot.
        why: String,
    },
    /// The versions take something else.
    #[error("the test does not fit both versions: {0}")]
    DoesNotFit(String),
    /// A version could not be followed to its end.
    #[error("the {version} version cannot be followed on this test: {why}")]
    Unfinished {
        /// Which.
        version: &'static str,
        /// Why.
        why: String,
    },
    /// A name that is no part of the input.
    #[error("no part of the input that is looked at is called `{0}`")]
    Unknown(String),
    /// Time.
    #[error("stopped before both versions were followed")]
    Stopped,
}

/// Most constraints that are turned around.
const MOST_QUESTIONS: usize = 4000;

/// How long the new version may run before it counts as one that does not end: so many times as long as the old one, and
/// a little more.
const PATIENCE: u64 = 100;
const PATIENT_STEPS: u64 = 400_000;

/// How long a run that does not end is followed.
const ROUNDS: u64 = 4;
const FIRST_STEPS: u64 = 20_000;

/// Most looks at decisions that might have written what is read.
const MOST_LOOKS: u64 = 5_000_000;

/// Most time for turning constraints around. The cause is nearly always among the lines that were changed, which are known
/// before; decisions of a long run, one built upon the other, may need hours.
const MOST_TIME: Duration = Duration::from_secs(10);

/// Most lines that are reported, and how many if some of them were changed: the others are but what came of it.
const MOST_LINES: usize = 12;
const FEW_LINES: usize = 5;

/// One version's run on the test.
struct Version {
    run: Run,
    trace: Trace,
    /// All that the first wrong part of the outcome depends on.
    slice: Vec<u32>,
    /// For each event that of the call which it happened in.
    calls: Vec<u32>,
}

/// Explains why a test of a function fails on the new one of two promoted versions.
pub fn explain(
    old: &Module,
    new: &Module,
    entries: (FuncId, FuncId),
    (test, expected): (&Test, &Expected),
    options: &Options,
) -> Result<Explanation, ExplainError> {
    let mut versions = Versions::new(old, new, entries, &options.program)?;
    explain_test(&mut versions, test, (expected, Wanted::Difference), options)
}

/// Which tests are explained.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Those on which the versions differ.
    Difference,
    /// Of these, those that pass on the old version, if they expect something.
    Regression,
}

/// Explains why a test fails on the new version.
fn explain_test(
    versions: &mut Versions,
    test: &Test,
    expected: (&Expected, Wanted),
    options: &Options,
) -> Result<Explanation, ExplainError> {
    let test = versions.prepare(test)?;
    let followed = follow_and_explain(versions, &test, expected, Followed::Unknown, options);
    match (&followed, &test) {
        // What library functions make of unknown numbers may be left open.
        (Err(ExplainError::Same(_)), Test::Shell(_)) => {
            follow_and_explain(versions, &test, expected, Followed::Known, options)
        }
        _ => followed,
    }
}

/// How the input of a test is followed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Followed {
    /// As unknown bytes, so that constraints can be turned around.
    Unknown,
    /// As it is.
    Known,
}

fn follow_and_explain(
    versions: &Versions,
    test: &Test,
    (expected, wanted): (&Expected, Wanted),
    bytes: Followed,
    options: &Options,
) -> Result<Explanation, ExplainError> {
    let Versions { old, new, function, changes, couple, entries, .. } = versions;
    let shell = match test {
        Test::Shell(shell) if bytes == Followed::Known => Some(Arc::new(shell.clone())),
        Test::Shell(shell) => Some(Arc::new(unknown(shell))),
        Test::Named(_) | Test::Case(_) => None,
    };
    let entries = entries.map(|function| Entry { function, shell: shell.clone() });
    let program = &couple.program;
    let mut worker = Worker::new(program, shell.is_none());
    let mut chain = (options.chain)();
    let mut statics = Statics::of_entries(program, &entries);
    let mut follower = Follower { program, test, learnt: Learnt::default() };
    let mut follow = |worker: &mut Worker, chain: &mut Chain, side: usize, values: Rc<Model>, limits: &_| {
        let begins = Beginning { values, fixed: 0 };
        let run = follower.follow((worker, chain), &entries[side], begins, limits)?;
        match &run.end {
            // Not to end is an outcome too, but only of the version that is to be explained.
            End::Bound { .. } if is_endless(&run, limits) && side == 1 => Ok(run),
            end => match end.gap() {
                Some(gap) => {
                    let version = if side == 0 { "old" } else { "new" };
                    Err(ExplainError::Unfinished { version, why: gap.what() })
                }
                None => Ok(run),
            },
        }
    };
    let usual = &options.explore;
    let old_run = follow(&mut worker, &mut chain, 0, Rc::default(), usual)?;
    let within =
        |max_steps: u64| explore::options::Options { max_steps: max_steps.min(usual.max_steps), ..usual.clone() };
    let patient = within(PATIENCE * old_run.state.steps + PATIENT_STEPS);
    let mut new_run = follow(&mut worker, &mut chain, 1, old_run.values.clone(), &patient)?;
    let is_endless = is_endless(&new_run, &patient);
    if is_endless {
        // All that comes back again and again is there after a few rounds.
        let limits = within(ROUNDS * old_run.state.steps + FIRST_STEPS);
        new_run = follow(&mut worker, &mut chain, 1, old_run.values.clone(), &limits)?;
    }
    let values = new_run.values.clone();
    if let Some((part, bits)) = follower.learnt.misfit.clone() {
        return Err(ExplainError::NoRoom { part, bits });
    }
    let is_missing = |part: &&Part| {
        let is_known = follower.learnt.named.contains(&part.name) || is_part(&worker, &part.name);
        !is_known && !part.optional
    };
    if let Test::Named(given) = test
        && let Some(missing) = given.iter().find(is_missing)
    {
        return Err(ExplainError::Unknown(missing.name.clone()));
    }
    let outcomes = Outcomes::new(&mut worker, entries[1].function, [&old_run, &new_run], &values, test, is_endless);
    let aspects = &outcomes.aspects;
    let reading = signature::result(new, &new.functions[*function]);
    let shown = [0, 1].map(|side| match is_endless && side == 1 {
        true => format!("does not end within {} instructions", patient.max_steps),
        false => outcomes.words(&worker, side, reading),
    });
    let passes = expected.who_passes(&outcomes.both, reading);
    let [shown_old, shown_new] = shown;
    match (passes, expected.words(reading)) {
        (Passes::Neither, Some(expected)) => {
            return Err(ExplainError::BothFail { expected, old: shown_old, new: shown_new });
        }
        _ if aspects.is_empty() => return Err(ExplainError::Same(shown_new)),
        (Passes::New | Passes::Both, _) if wanted == Wanted::Regression => {
            return Err(ExplainError::OtherPasses(passes));
        }
        _ => {}
    }
    let mut traced = |potential| {
        let old = trace_within(program, &mut statics, &old_run, potential)?;
        Some((old, trace_within(program, &mut statics, &new_run, potential)?))
    };
    let mut notes = Vec::new();
    if bytes == Followed::Known {
        notes.push("the versions differ only where the input is known: no decision was turned around".to_owned());
    }
    let (old_trace, new_trace) = match traced(Potential::Within(MOST_LOOKS)) {
        Some(both) => both,
        None => {
            notes.push("a long run: what decisions might have written, but did not, is left out".to_owned());
            traced(Potential::Nothing).ok_or(ExplainError::Stopped)?
        }
    };
    let first = first_difference(&worker, &old_run, &new_run, &values, aspects);
    let [old_side, new_side] = [(old_run, old_trace), (new_run, new_trace)].map(|(run, trace)| {
        let wrong = wrong_events(program, &first, &run, &trace);
        let slice = trace.backward(wrong);
        let calls = lines::calls(&run.log.events);
        Version { run, trace, slice, calls }
    });
    let changed = Changed::new(old, new, changes, couple);
    let texts = Texts::new(old, new, changes);
    let variables = Variables::new(versions, &texts);
    let mut lines = Lines::default();
    for side in [&old_side, &new_side] {
        for ((place, kind), event) in variables.read_by(versions, side) {
            lines.add_place(place.clone(), *kind, event);
        }
    }
    changed_lines(&mut lines, program, [&old_side, &new_side], &changed, &texts);
    lines.attribute(&texts);
    let [old_conditions, new_conditions] = [(&old_side, &changed.old), (&new_side, &changed.new)]
        .map(|(side, insts)| conditions(program, side, insts, options.with));
    let usual = options.explore.deadline;
    let soon = Instant::now().checked_add(MOST_TIME);
    let until = usual.map_or(soon, |usual| soon.map(|soon| soon.min(usual)));
    chain.set_deadline(until);
    let mut darwin =
        Darwin { worker: &mut worker, chain: &mut chain, values: values.clone(), asked: 0, until, left: 0 };
    let mut alternatives: Vec<(Spot, Beginning)> = Vec::new();
    for ((base, of), kind, side) in [
        ((&old_conditions, &new_conditions), Kind::Decides, &new_side),
        ((&new_conditions, &old_conditions), Kind::DecidedBefore, &old_side),
    ] {
        for (condition, path) in darwin.solve(base, of) {
            let at = instruction(program, side, condition.event);
            if let Some(place) = at.and_then(|at| line_of(program, side, at, condition.event)) {
                let values = path.values.clone();
                let fixed = darwin.worker.pool.symbol_count();
                alternatives.push(((place.file.clone(), place.line), Beginning { values, fixed }));
                lines.add_place(place, kind, condition.event);
            }
        }
    }
    let questions = darwin.asked;
    if darwin.left > 0 {
        notes.push(format!("{} more constraints were not turned around: no time is left for them", darwin.left));
    }
    let all = |side: &Version| 0..side.run.log.events.len() as u32;
    let executed = lines_of(program, &new_side, all(&new_side));
    if lines.has_no_change() {
        // That the outcome depends on them is not known; but somebody changed them, and the test comes to them.
        let before = lines_of(program, &old_side, all(&old_side));
        for (place, _) in texts.in_executed(|spot| executed.contains(spot) || before.contains(spot)) {
            lines.add_met(place);
        }
    }
    // The lines are known by now; inputs that show them are to come soon.
    let until = Instant::now().checked_add(MOST_TIME);
    chain.set_deadline(until);
    let mut ranked = lines.ranked(&texts);
    let total = ranked.len();
    ranked.truncate(how_many(&ranked, &texts));
    let limits = explore::options::Options { deadline: until.or(patient.deadline), ..patient };
    for line in &mut ranked {
        let is_here = |(spot, _): &(Spot, Beginning)| *spot == (line.place.file.clone(), line.place.line);
        let Some(at) = alternatives.iter().position(is_here) else { continue };
        if until.is_some_and(|until| Instant::now() >= until) {
            break;
        }
        let (_, begins) = alternatives.swap_remove(at);
        let other = alternative(&mut follower, (&mut worker, &mut chain), &entries, begins, &limits, reading);
        // What was never assigned may decide something, but is no part of an input.
        line.alternative = other.filter(|other| other.inputs != outcomes.inputs);
    }
    let more = total.saturating_sub(ranked.len());
    Ok(Explanation {
        schema: SCHEMA,
        function: ir::demangle::function_display_name(new, *function),
        inputs: outcomes.inputs.clone(),
        old: shown_old,
        new: shown_new,
        expected: expected.words(reading),
        passes: match passes {
            Passes::Old => Some("old"),
            Passes::New => Some("new"),
            Passes::Both => Some("both"),
            Passes::Unknown | Passes::Neither => None,
        },
        parts: aspects.iter().map(|aspect| unmarked(&explore::pair::aspect_name(aspect)).to_owned()).collect(),
        lines: ranked,
        more,
        executed: executed.len(),
        in_slice: lines_of(program, &new_side, new_side.slice.iter().copied()).len(),
        questions,
        notes,
    })
}

/// How many lines are shown.
fn how_many(ranked: &[Line], texts: &Texts) -> usize {
    let written = ranked.iter().filter(|line| texts.differs(&line.place.file, line.place.line)).count();
    let is_sure =
        |line: &&Line| line.kinds.iter().any(|kind| matches!(kind, Kind::Changed | Kind::Removed | Kind::Affected));
    let sure = if written > 0 { written } else { ranked.iter().filter(is_sure).count() };
    if sure > 0 { sure.clamp(FEW_LINES, MOST_LINES) } else { MOST_LINES }
}

/// Whether a run was cut off because of its length.
fn is_endless(run: &Run, limits: &explore::options::Options) -> bool {
    matches!(run.end, End::Bound { .. }) && run.state.steps >= limits.max_steps
}

/// Where the outcomes differ first.
enum First {
    /// In the effect of that number.
    Effect(usize),
    /// In global variables.
    Globals(Vec<String>),
    /// In something else.
    Part(Criterion),
}

fn first_difference(worker: &Worker, old: &Run, new: &Run, values: &Model, aspects: &[Aspect]) -> First {
    let outside = |aspect: &Aspect| matches!(aspect, Aspect::Output(_) | Aspect::Calls);
    if aspects.iter().any(outside) {
        let mut evaluator = Evaluator::new(&worker.pool, values);
        let mut known = |effect: &Effect| -> Option<(u32, Vec<Option<u64>>)> {
            match effect {
                Effect::Output { stream, bytes } => {
                    Some((*stream, bytes.iter().map(|byte| evaluator.small(*byte)).collect()))
                }
                Effect::Opaque { stream, args, .. } => {
                    Some((*stream, args.iter().map(|arg| evaluator.small(*arg)).collect()))
                }
                Effect::Call { .. } => None,
            }
        };
        let (old, new) = (old.state.effects.to_vec(), new.state.effects.to_vec());
        let equal = |(a, b): &(&&Effect, &&Effect)| known(a) == known(b);
        let common = old.iter().zip(&new).take_while(equal).count();
        return First::Effect(common);
    }
    if aspects.iter().all(|aspect| matches!(aspect, Aspect::End | Aspect::Result)) {
        return First::Part(Criterion::Result);
    }
    let global = |aspect: &Aspect| match aspect {
        Aspect::Global(name) => Some(unmarked(name).to_owned()),
        _ => None,
    };
    let globals: Option<Vec<String>> = aspects.iter().map(global).collect();
    globals.map_or(First::Part(Criterion::All), First::Globals)
}

/// The events that the first difference consists of in a run.
fn wrong_events(program: &Program, first: &First, run: &Run, trace: &Trace) -> Vec<u32> {
    let number = match first {
        First::Part(criterion) => return output::events(program, criterion, run, trace),
        First::Globals(names) => {
            let named = |symbol| names.iter().any(|name| name == unmarked(program.module.symbol_name(symbol)));
            let writers = run.log.memory().into_iter();
            let writers = writers.filter(|(object, _)| program.object_symbol(*object).is_some_and(named));
            let mut events: Vec<u32> = writers.flat_map(|(_, writers)| writers).collect();
            events.extend(output::might(trace, &|ways| ways.globals.iter().any(|&symbol| named(symbol))));
            return events;
        }
        First::Effect(number) => *number,
    };
    let end = run.log.events.len().saturating_sub(1) as u32;
    let event = run.log.effects.iter().find(|(_, total)| *total > number).map_or(end, |(event, _)| *event);
    let before = run.log.effects.iter().rev().find(|(_, total)| *total <= number).map_or(0, |(event, _)| *event);
    // What might have been written in between.
    let between = output::might(trace, &|ways| ways.world);
    let between = between.into_iter().filter(|branch| (before..event).contains(branch));
    std::iter::once(event).chain(between).collect()
}

/// Lines with something that changed and that the wrong outcome depends on, and removed ones that the old outcome does.
fn changed_lines(lines: &mut Lines, program: &Program, [old, new]: [&Version; 2], changed: &Changed, texts: &Texts) {
    let mut beside = Vec::new();
    for (side, differing, insts, kind) in
        [(new, &changed.new, &changed.new, Kind::Changed), (old, &changed.old, &changed.removed, Kind::Removed)]
    {
        for (at, event) in jumps(program, side) {
            let is_written =
                || line_of(program, side, at, event).is_some_and(|place| texts.differs(&place.file, place.line));
            if differing.contains(&at) && is_written() {
                lines.add(program, side, at, kind, event);
            }
        }
        let mut seen = FxHashSet::default();
        for event in with_calls(side) {
            if let Some(at) = instruction(program, side, event).filter(|at| differing.contains(at)) {
                if insts.contains(&at) {
                    lines.add(program, side, at, kind, event);
                }
                let is_switch = matches!(program.module.functions[at.0].insts[at.1].kind, InstKind::Switch { .. });
                if let Some(place) = line_of(program, side, at, event).filter(|_| is_switch) {
                    for line in texts.labels(&place.file, place.line) {
                        lines.add_place(Place { line, ..place.clone() }, kind, event);
                    }
                }
                let function = &program.module.functions[at.0];
                let names = if seen.insert(at) { assigned::names(function, at.1) } else { Vec::new() };
                for name in names.into_iter().filter(|name| insts.contains(&(at.0, *name))) {
                    lines.add(program, side, (at.0, name), kind, event);
                }
            }
            let Some(taken) = assigned::taken(program, &side.run.log.events, event) else { continue };
            let Taken { function, phi, from } = taken;
            let Some(inst) = assigned::assignment(&program.module.functions[function], &taken) else { continue };
            if insts.contains(&(function, inst)) {
                lines.add(program, side, (function, inst), kind, event);
            } else if changed.edges.contains(&(function, phi, from)) {
                beside.push((side, (function, inst), kind, event));
            }
        }
    }
    if lines.is_empty() {
        // A variable has another value on some way, but no line of its own says so: those beside it do.
        beside.into_iter().for_each(|(side, at, kind, event)| lines.add(program, side, at, kind, event));
    }
}

/// What the wrong outcome depends on, and the calls that this happened in: a constant that a call gives is made by nobody.
fn with_calls(side: &Version) -> Vec<u32> {
    let mut seen: FxHashSet<u32> = side.slice.iter().copied().collect();
    let mut all = side.slice.clone();
    let mut at = 0;
    while let Some(&event) = all.get(at) {
        let call = side.calls[event as usize];
        if call != NOBODY && seen.insert(call) {
            all.push(call);
        }
        at += 1;
    }
    all
}

/// The jumps of a run that nothing decides, such as `break` and `return`, each with the first time.
fn jumps(program: &Program, side: &Version) -> Vec<((FuncId, InstId), u32)> {
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    for (number, event) in (0u32..).zip(&side.run.log.events) {
        let EventKind::Edge(edge) = event.kind else { continue };
        if !seen.insert((event.function, edge)) {
            continue;
        }
        let code = program.code(event.function);
        let function = &program.module.functions[event.function];
        let last = code.edges.get(edge as usize).and_then(|edge| function.blocks[edge.from].insts.last());
        let jump = last.filter(|inst| matches!(function.insts[**inst].kind, InstKind::Br(_)));
        found.extend(jump.map(|&inst| ((event.function, inst), number)));
    }
    found
}

/// A constraint of a run.
#[derive(Clone, Copy)]
struct Condition {
    holds: Expr,
    event: u32,
}

/// The constraints of a run that are composed, in order.
fn conditions(program: &Program, side: &Version, changed: &FxHashSet<(FuncId, InstId)>, with: With) -> Vec<Condition> {
    let wanted: FxHashSet<u32> = match with {
        With::Path => FxHashSet::default(),
        With::Slice | With::Impacted => side.slice.iter().copied().collect(),
    };
    let affected = match with {
        With::Impacted => dgse::affected(program, changed, &side.run, &side.trace),
        _ => Vec::new(),
    };
    let is_wanted = |event: u32| match with {
        With::Path => true,
        With::Slice => wanted.contains(&event),
        With::Impacted => wanted.contains(&event) && affected[event as usize],
    };
    let turns = side.trace.turns.iter().filter(|turn| is_wanted(turn.event));
    let condition = |turn: &explore::dependence::Turn| {
        let question = &side.run.questions[turn.question? as usize];
        Some(Condition { holds: question.condition(), event: turn.event })
    };
    turns.filter_map(condition).collect()
}

struct Darwin<'a, 'p> {
    worker: &'a mut Worker<'p>,
    chain: &'a mut Chain,
    values: Rc<Model>,
    asked: usize,
    until: Option<Instant>,
    /// Constraints that there was no time for.
    left: usize,
}

impl Darwin<'_, '_> {
    /// Constraints of `of` that can be false where all of `base` hold, and those of `of` before them; each with an input.
    fn solve(&mut self, base: &[Condition], of: &[Condition]) -> Vec<(Condition, Path)> {
        let holds = base.iter().map(|condition| condition.holds);
        let mut path = concolic::path_of(self.worker, self.chain, self.values.clone(), holds);
        let mut known: FxHashSet<Expr> = base.iter().map(|condition| condition.holds).collect();
        let mut found = Vec::new();
        for &condition in of {
            if !known.insert(condition.holds) {
                continue;
            }
            if self.asked >= MOST_QUESTIONS || self.until.is_some_and(|until| Instant::now() >= until) {
                self.left += 1;
                continue;
            }
            self.asked += 1;
            let not = self.worker.pool.not(condition.holds);
            if let Ok(Some(other)) = self.chain.extend(&self.worker.pool, &path, not) {
                found.push((condition, other));
            }
            if let Ok(Some(grown)) = self.chain.extend(&self.worker.pool, &path, condition.holds) {
                path = grown;
            }
        }
        found
    }
}

/// Runs both versions on another input.
fn alternative(
    follower: &mut Follower,
    (worker, chain): (&mut Worker, &mut Chain),
    entries: &[Entry; 2],
    begins: Beginning,
    limits: &explore::options::Options,
    reading: Reading,
) -> Option<Alternative> {
    let old = follower.follow((worker, chain), &entries[0], begins, limits).ok()?;
    let begins = Beginning { values: old.values.clone(), fixed: worker.pool.symbol_count() };
    let new = follower.follow((worker, chain), &entries[1], begins, limits).ok()?;
    let finished = |end: &End| matches!(end, End::Returned(_) | End::Exited(_) | End::Fault { .. });
    if !finished(&old.end) || !finished(&new.end) {
        return None;
    }
    let outcomes = Outcomes::new(worker, entries[1].function, [&old, &new], &new.values, follower.test, false);
    Some(Alternative {
        old: outcomes.words(worker, 0, reading),
        new: outcomes.words(worker, 1, reading),
        same: outcomes.aspects.is_empty(),
        inputs: outcomes.inputs,
    })
}
