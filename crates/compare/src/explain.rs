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
mod fit;
mod of_suite;
mod texts;
mod values;
mod variables;
mod versions;

use crate::diff::couple::unmarked;
use crate::diff::shown::words;
use crate::explore::place;
use crate::suite::signature;
use assigned::Taken;
use changed::Changed;
use exec::case::Outcome;
use exec::entry::{Entry, Shell};
use exec::given::{Given, Places};
use exec::observe::{Observer, Values};
use exec::program::Program;
use exec::record::EventKind;
use exec::run::Worker;
use exec::same::{self, Aspect};
use exec::state::{Effect, End, State};
use explore::concolic::{self, Pin, Run};
use explore::dependence::{Potential, Trace, trace_within};
use explore::dgse;
use explore::output::{self, Criterion};
use explore::statics::Statics;
use ir::id::{FuncId, Id, InstId};
use ir::inst::InstKind;
use ir::module::Module;
use report::explain::{Alternative, Explanation, Kind, Line, SCHEMA};
use report::explore::Input;
use report::model::Place;
use rustc_hash::FxHashSet;
use smt::eval::{Evaluator, Model};
use smt::expr::Expr;
use smt::pool::digest::Digests;
use smt::solver::chain::{Chain, Path};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};
use texts::Texts;
use values::{is_part, learn, unknown};
use variables::Variables;
use versions::Versions;

pub(crate) use changed::changed_blocks;
pub use changed::changed_since;
pub use of_suite::explain_of_suite;

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
    Named(Vec<(String, i128)>),
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

/// How long a run that does not end is followed: so many times as long as the other one, and a little more.
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
}

/// Explains why a test of a function fails on the new one of two promoted versions.
pub fn explain(
    old: &Module,
    new: &Module,
    entries: (FuncId, FuncId),
    test: &Test,
    options: &Options,
) -> Result<Explanation, ExplainError> {
    explain_test(&mut Versions::new(old, new, entries, &options.program)?, test, options)
}

/// Explains why a test fails on the new version.
fn explain_test(versions: &mut Versions, test: &Test, options: &Options) -> Result<Explanation, ExplainError> {
    let test = versions.prepare(test)?;
    let followed = follow_and_explain(versions, &test, Followed::Unknown, options);
    match (&followed, &test) {
        // What library functions make of unknown numbers may be left open.
        (Err(ExplainError::Same(_)), Test::Shell(_)) => follow_and_explain(versions, &test, Followed::Known, options),
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
    let mut named: FxHashSet<String> = FxHashSet::default();
    let nothing = exec::case::Input::default();
    let mut follow = |worker: &mut Worker,
                      chain: &mut Chain,
                      (entry, version): (&Entry, &'static str),
                      values: Rc<Model>,
                      limits: &explore::options::Options| {
        let mut case = match test {
            Test::Case(input) => Some((Given::new(program, entry.function, input), Places::default())),
            // What is not named is what it would be if nothing were.
            Test::Named(_) => Some((Given::new(program, entry.function, &nothing), Places::default())),
            Test::Shell(_) => None,
        };
        let mut digests = Digests::default();
        let learn = |worker: &mut Worker, state: &State, values: &mut Rc<Model>| match &mut case {
            Some((given, places)) => {
                places.update(worker, &mut digests);
                given.update(worker, places, state);
                values.clone_from(&given.model);
                learn(worker, test, values, &mut named);
            }
            None => learn(worker, test, values, &mut named),
        };
        let run = concolic::follow_with(worker, chain, entry, values, limits, Pin::Yes, learn);
        let run = run.map_err(|_| ExplainError::Stopped)?;
        match &run.end {
            // Not to end is an outcome too, but only of the version that is to be explained.
            End::Bound { .. } if is_endless(&run, limits) && version == "new" => Ok(run),
            End::Scope { what, .. } | End::Bound { what, .. } | End::Unsupported { what, .. } => {
                Err(ExplainError::Unfinished { version, why: what.clone() })
            }
            _ => Ok(run),
        }
    };
    let usual = &options.explore;
    let old_run = follow(&mut worker, &mut chain, (&entries[0], "old"), Rc::default(), usual)?;
    let newer = (&entries[1], "new");
    let mut new_run = follow(&mut worker, &mut chain, newer, old_run.values.clone(), usual)?;
    let (is_endless, usual_steps) = (is_endless(&new_run, usual), usual.max_steps);
    if is_endless {
        // All that comes back again and again is there after a few rounds.
        let max_steps = (ROUNDS * old_run.state.steps + FIRST_STEPS).min(usual.max_steps);
        let limits = explore::options::Options { max_steps, ..usual.clone() };
        new_run = follow(&mut worker, &mut chain, newer, old_run.values.clone(), &limits)?;
    }
    let values = new_run.values.clone();
    if let Test::Named(given) = test
        && let Some((missing, _)) = given.iter().find(|(name, _)| !named.contains(name) && !is_part(&worker, name))
    {
        return Err(ExplainError::Unknown(missing.clone()));
    }
    let aspects = match is_endless {
        true => vec![Aspect::End],
        false => differing(&mut worker, entries[1].function, &old_run, &new_run, &values),
    };
    let reading = signature::result(new, &new.functions[*function]);
    let (old_seen, new_seen) = (outcome(&worker, &old_run, &values), outcome(&worker, &new_run, &values));
    let shown = |outcome: &Outcome, end: &End, aspects: &[Aspect]| words(outcome, detail(end), aspects, reading, None);
    if aspects.is_empty() {
        return Err(ExplainError::Same(shown(&new_seen, &new_run.end, &[])));
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
    let first = first_difference(&worker, &old_run, &new_run, &values, &aspects);
    let [old_side, new_side] = [(old_run, old_trace), (new_run, new_trace)].map(|(run, trace)| {
        let wrong = wrong_events(program, &first, &run, &trace);
        let slice = trace.backward(wrong);
        Version { run, trace, slice }
    });
    let changed = Changed::new(old, new, changes, couple);
    let variables = Variables::new(versions);
    let mut texts = Texts::new(old, new, changes);
    texts.add(variables.places());
    let mut lines = Lines::default();
    for side in [&old_side, &new_side] {
        for (place, event) in variables.read_by(versions, side) {
            lines.add_place(place.clone(), Kind::Changed, event);
        }
    }
    changed_lines(&mut lines, program, [&old_side, &new_side], &changed, &texts);
    let [old_conditions, new_conditions] = [(&old_side, &changed.old), (&new_side, &changed.new)]
        .map(|(side, insts)| conditions(program, side, insts, options.with));
    let usual = options.explore.deadline;
    let soon = Instant::now().checked_add(MOST_TIME);
    let until = usual.map_or(soon, |usual| soon.map(|soon| soon.min(usual)));
    chain.set_deadline(until);
    let mut darwin =
        Darwin { worker: &mut worker, chain: &mut chain, values: values.clone(), asked: 0, until, left: 0 };
    let mut alternatives = Vec::new();
    for ((base, of), kind, side) in [
        ((&old_conditions, &new_conditions), Kind::Decides, &new_side),
        ((&new_conditions, &old_conditions), Kind::DecidedBefore, &old_side),
    ] {
        for (condition, path) in darwin.solve(base, of) {
            if let Some(at) = instruction(program, side, condition.event) {
                lines.add(program, at, kind, condition.event);
                alternatives.push((at, path.values.clone()));
            }
        }
    }
    let questions = darwin.asked;
    if darwin.left > 0 {
        notes.push(format!("{} more constraints were not turned around: no time is left for them", darwin.left));
    }
    // The lines are known by now; inputs that show them are to come soon.
    let until = Instant::now().checked_add(MOST_TIME);
    chain.set_deadline(until);
    let mut ranked = lines.ranked(&texts);
    let total = ranked.len();
    let written = ranked.iter().filter(|line| texts.differs(&line.place.file, line.place.line)).count();
    let is_sure = |line: &&Line| line.kinds.iter().any(|kind| matches!(kind, Kind::Changed | Kind::Removed));
    let sure = if written > 0 { written } else { ranked.iter().filter(is_sure).count() };
    ranked.truncate(if sure > 0 { sure.clamp(FEW_LINES, MOST_LINES) } else { MOST_LINES });
    for line in &mut ranked {
        let is_here = |at: (FuncId, InstId)| {
            lines_of(program, at)
                .is_some_and(|place| (place.file, place.line) == (line.place.file.clone(), line.place.line))
        };
        let Some((_, other)) = alternatives.iter().find(|(at, _)| is_here(*at)) else { continue };
        if until.is_some_and(|until| Instant::now() >= until) {
            break;
        }
        line.alternative = alternative(&mut worker, &mut chain, &entries, other, options, reading);
    }
    let more = total.saturating_sub(ranked.len());
    let named = named_inputs(&worker, &new_side.run, &values);
    Ok(Explanation {
        schema: SCHEMA,
        function: ir::demangle::function_display_name(new, *function),
        inputs: named,
        old: shown(&old_seen, &old_side.run.end, &aspects),
        new: match is_endless {
            true => format!("does not end within {} instructions", usual_steps),
            false => shown(&new_seen, &new_side.run.end, &aspects),
        },
        parts: aspects.iter().map(explore::pair::aspect_name).collect(),
        lines: ranked,
        more,
        executed: executed_lines(program, &new_side),
        in_slice: count_lines(program, &new_side, &new_side.slice),
        questions,
        notes,
    })
}

/// Whether a run was cut off because of its length.
fn is_endless(run: &Run, limits: &explore::options::Options) -> bool {
    matches!(run.end, End::Bound { .. }) && run.state.steps >= limits.max_steps
}

/// The parts of the outcome that differ on the test.
fn differing(worker: &mut Worker, function: FuncId, old: &Run, new: &Run, values: &Model) -> Vec<Aspect> {
    let found = same::compare(worker, function, (&old.state, &old.end), (&new.state, &new.end));
    let mut evaluator = Evaluator::new(&worker.pool, values);
    let differs = |(aspect, same): &(Aspect, Expr)| (evaluator.holds(*same) == Some(false)).then(|| aspect.clone());
    found.parts.iter().filter_map(differs).collect()
}

fn outcome(worker: &Worker, run: &Run, values: &Model) -> Outcome {
    let values = Values::new(worker, values);
    Observer::new(worker, &run.state, &values).outcome(&run.end)
}

fn detail(end: &End) -> &str {
    match end {
        End::Fault { detail, .. } => detail,
        _ => "",
    }
}

fn named_inputs(worker: &Worker, run: &Run, values: &Model) -> Vec<Input> {
    let values = Values::new(worker, values);
    let mut observer = Observer::new(worker, &run.state, &values);
    let conditions: Vec<Expr> = run.questions.iter().map(concolic::Question::condition).collect();
    observer.named_inputs(&conditions).into_iter().map(|(name, value)| Input { name, value }).collect()
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
            let is_written = || lines_of(program, at).is_some_and(|place| texts.differs(&place.file, place.line));
            if differing.contains(&at) && is_written() {
                lines.add(program, at, kind, event);
            }
        }
        let mut seen = FxHashSet::default();
        for &event in &side.slice {
            if let Some(at) = instruction(program, side, event).filter(|at| differing.contains(at)) {
                if insts.contains(&at) {
                    lines.add(program, at, kind, event);
                }
                let is_switch = matches!(program.module.functions[at.0].insts[at.1].kind, InstKind::Switch { .. });
                if let Some(place) = lines_of(program, at).filter(|_| is_switch) {
                    for line in texts.labels(&place.file, place.line) {
                        lines.add_place(Place { line, ..place.clone() }, kind, event);
                    }
                }
                let function = &program.module.functions[at.0];
                let names = if seen.insert(at) { assigned::names(function, at.1) } else { Vec::new() };
                for name in names.into_iter().filter(|name| insts.contains(&(at.0, *name))) {
                    lines.add(program, (at.0, name), kind, event);
                }
            }
            let Some(taken) = assigned::taken(program, &side.run.log.events, event) else { continue };
            let Taken { function, phi, from } = taken;
            let Some(inst) = assigned::assignment(&program.module.functions[function], &taken) else { continue };
            if insts.contains(&(function, inst)) {
                lines.add(program, (function, inst), kind, event);
            } else if changed.edges.contains(&(function, phi, from)) {
                beside.push(((function, inst), kind, event));
            }
        }
    }
    if lines.found.is_empty() {
        // A variable has another value on some way, but no line of its own says so: those beside it do.
        beside.into_iter().for_each(|(at, kind, event)| lines.add(program, at, kind, event));
    }
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

/// The instruction of an event.
fn instruction(program: &Program, side: &Version, event: u32) -> Option<(FuncId, InstId)> {
    let happened = &side.run.log.events[event as usize];
    if !matches!(happened.kind, EventKind::Step | EventKind::Decision | EventKind::End) {
        return None;
    }
    let code = program.code(happened.function);
    code.insts.get(happened.at as usize).map(|inst| (happened.function, inst.id))
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
    worker: &mut Worker,
    chain: &mut Chain,
    entries: &[Entry; 2],
    values: &Rc<Model>,
    options: &Options,
    reading: crate::suite::Reading,
) -> Option<Alternative> {
    let mut follow = |entry| {
        concolic::follow_with(worker, chain, entry, values.clone(), &options.explore, Pin::Yes, |_, _, _| {}).ok()
    };
    let (old, new) = (follow(&entries[0])?, follow(&entries[1])?);
    let finished = |end: &End| matches!(end, End::Returned(_) | End::Exited(_) | End::Fault { .. });
    if !finished(&old.end) || !finished(&new.end) {
        return None;
    }
    let aspects = differing(worker, entries[1].function, &old, &new, values);
    let outside = if aspects.is_empty() { vec![Aspect::Output(1)] } else { aspects.clone() };
    let shown = |run: &Run| words(&outcome(worker, run, values), detail(&run.end), &outside, reading, None);
    Some(Alternative {
        inputs: named_inputs(worker, &new, values),
        old: shown(&old),
        new: shown(&new),
        same: aspects.is_empty(),
    })
}

#[derive(Default)]
struct Lines {
    found: BTreeMap<(String, u32), Found>,
}

#[derive(Default)]
struct Found {
    kinds: Vec<Kind>,
    /// When it was last executed.
    latest: u32,
    column: u32,
}

impl Lines {
    fn add(&mut self, program: &Program, at: (FuncId, InstId), kind: Kind, event: u32) {
        if let Some(place) = lines_of(program, at) {
            self.add_place(place, kind, event);
        }
    }

    fn add_place(&mut self, place: Place, kind: Kind, event: u32) {
        let found = self.found.entry((place.file, place.line)).or_default();
        found.column = place.column;
        if !found.kinds.contains(&kind) {
            found.kinds.push(kind);
        }
        found.latest = found.latest.max(event);
    }

    /// Lines, the likeliest first: what was changed and decides, what was changed, what was removed, what decides; of what
    /// was changed or removed those that read differently before all others. Of these the one that was executed last.
    fn ranked(&self, texts: &Texts) -> Vec<Line> {
        let rank = |found: &Found| {
            let has = |kind| found.kinds.contains(&kind);
            let decides = has(Kind::Decides) || has(Kind::DecidedBefore);
            match (has(Kind::Changed), has(Kind::Removed), decides) {
                (true, _, true) => 0,
                (_, true, true) => 1,
                (true, _, false) => 2,
                (false, true, false) => 3,
                (false, false, _) => 4,
            }
        };
        let key = |(file, line): &(String, u32), found: &Found| {
            let rank = rank(found);
            (rank == 4, !texts.differs(file, *line), rank, Reverse(found.latest))
        };
        let mut all: Vec<(&(String, u32), &Found)> = self.found.iter().collect();
        all.sort_by(|(a, left), (b, right)| key(a, left).cmp(&key(b, right)).then(a.cmp(b)));
        let line = |((file, line), found): (&(String, u32), &Found)| {
            let mut kinds = found.kinds.clone();
            kinds.sort_unstable();
            Line {
                place: Place { file: file.clone(), line: *line, column: found.column },
                source: source_line(file, *line),
                kinds,
                alternative: None,
            }
        };
        all.into_iter().map(line).collect()
    }
}

/// The line of an instruction.
fn lines_of(program: &Program, (function, inst): (FuncId, InstId)) -> Option<Place> {
    place(&program.module, program.module.functions[function].insts[inst].loc?)
}

/// A line of a source file, if it can be read.
fn source_line(file: &str, line: u32) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    Some(text.lines().nth(line.checked_sub(1)? as usize)?.trim().to_owned())
}

fn executed_lines(program: &Program, side: &Version) -> usize {
    let all: Vec<u32> = (0..side.run.log.events.len() as u32).collect();
    count_lines(program, side, &all)
}

fn count_lines(program: &Program, side: &Version, events: &[u32]) -> usize {
    let mut seen: FxHashSet<(usize, usize)> = FxHashSet::default();
    let mut lines: FxHashSet<(String, u32)> = FxHashSet::default();
    for &event in events {
        if let Some((function, inst)) = instruction(program, side, event)
            && seen.insert((function.index(), inst.index()))
            && let Some(place) = lines_of(program, (function, inst))
        {
            lines.insert((place.file, place.line));
        }
    }
    lines.len()
}
