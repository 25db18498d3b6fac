//! A suite against a change: `pathshift coverage` measures what it covers of what the change affects, `pathshift select`
//! says which of its tests to run again and which to add.
//!
//! Tests are run by the interpreter. A test is selected if it executes something that changed, in either version: one that
//! does not does the same in both, instruction by instruction. So is a test of which it is not known what a build does with
//! it. Tests to add are those of affected paths that no test of the suite takes; paths are told apart by their affected
//! instructions in order, not by text.

pub(crate) mod runs;
pub mod suite;

use crate::explore::{Options, place};
use crate::find;
use crate::since::{Since, Strategy};
use crate::suite::{Test, signature};
use analysis::influence::Start;
use change::digest::Digest;
use exec::case::Input;
use exec::entry::{Bytes, Entry, Shell};
use exec::observe::{Observer, Values};
use exec::program::Program;
use explore::Ended;
use explore::aim::Aim;
use explore::goals::{GOALS, Goal, Obligation, covered_of, obligations};
use explore::trace::{Sought, class, trace};
use ir::demangle::function_display_name;
use ir::id::{BlockId, FuncId, InstId};
use ir::module::Module;
use report::impacted::{Added, Coverage, GoalCoverage, Missing, Selection, TestRow};
use report::in_order::in_order;
use report::model::Place;
use runs::Runs;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};
use suite::Suite;

/// How long a whole program is explored for tests to add, if nobody says it.
const EXPLORING: Duration = Duration::from_secs(10);

/// Most arguments of a program, and most bytes of one and of standard input, that are unknown while it is explored.
const UNKNOWN: (usize, u64, u64) = (12, 6, 12);

/// How much of what a change affects a suite covers.
pub fn coverage(old: &Module, program: &Program, suite: &Suite, options: &Options) -> Coverage {
    let since = Since::new(old, &program.module);
    let module = &program.module;
    let Some(aim) = since.aim(Strategy::Idise).map(Arc::new) else { return Coverage::default() };
    let started = Instant::now();
    let runs = Runs::new(program, suite.entry, suite, options.explore.max_steps);
    let run = |(name, input): &(String, Input)| match runs.run(&mut input.clone()) {
        Some(ran) => {
            let doubt = ran.doubt().map(|why| format!("test {name}: {why}; it may cover something else"));
            (covered_of(&aim, program, &ran.state, &GOALS), doubt)
        }
        None => (BTreeMap::new(), Some(format!("test {name} does not say enough to be run"))),
    };
    let mut by_tests: BTreeMap<Goal, BTreeSet<Obligation>> = BTreeMap::new();
    let mut notes = Vec::new();
    for (covers, doubt) in each(suite, options, run) {
        for (goal, covers) in covers {
            by_tests.entry(goal).or_default().extend(covers);
        }
        notes.extend(doubt);
    }
    shorten(&mut notes);
    notes.splice(0..0, since.notes.iter().cloned());
    let directed = directed(program, suite, &aim, options, started.elapsed());
    notes.extend(directed.notes);
    let functions = since.reached_from(suite.entry);
    let nothing = BTreeSet::new();
    let mut goals = Vec::new();
    for goal in GOALS {
        let seen = by_tests.get(&goal).unwrap_or(&nothing);
        let seen: BTreeSet<Shown> = seen.iter().map(|obligation| shown(program, obligation)).collect();
        let mut feasible: BTreeMap<Shown, Option<usize>> = BTreeMap::new();
        for (index, path) in directed.paths.iter().enumerate() {
            for obligation in path.covers.get(&goal).into_iter().flatten() {
                feasible.entry(shown(program, obligation)).or_insert(Some(index));
            }
        }
        for obligation in obligations(&aim, program, &functions, goal) {
            feasible.entry(shown(program, &obligation)).or_insert(None);
        }
        for shown in &seen {
            feasible.entry(shown.clone()).or_insert(None);
        }
        let missing = feasible.iter().filter(|(shown, _)| !seen.contains(shown)).map(|(shown, path)| Missing {
            what: shown.what.clone(),
            place: shown.place.as_ref().map(|(file, line)| Place { file: file.clone(), line: *line, column: 0 }),
            input: path.map(|path| directed.paths[path].inputs.clone()),
        });
        goals.push(GoalCoverage {
            goal: goal.name().to_owned(),
            covered: seen.len() as u64,
            total: feasible.len() as u64,
            missing: missing.collect(),
        });
    }
    Coverage {
        schema: report::impacted::COVERAGE_SCHEMA.to_owned(),
        function: function_display_name(module, suite.entry),
        tests: suite.tests.len() as u64,
        goals,
        notes,
    }
}

/// What `select` finds out about a test.
struct Judged {
    /// Why it is to be run, and where that shows.
    run: Option<(Option<Place>, String)>,
    /// Whether it shows something else in the new version.
    differs: Option<bool>,
    /// What affected instructions it executes in the new version.
    class: Option<Digest>,
}

/// Which tests of a suite for the old version are to be run on the new one, and which to add.
pub fn select(old: &Program, new: &Program, suite: &Suite, options: &Options) -> (Selection, Vec<Test>) {
    let since = Since::new(&old.module, &new.module);
    let mut selection = Selection {
        schema: report::impacted::SELECT_SCHEMA.to_owned(),
        function: function_display_name(&new.module, suite.entry),
        ..Selection::default()
    };
    let Some(aim) = since.aim(Strategy::Idise).map(Arc::new) else { return (selection, Vec::new()) };
    let started = Instant::now();
    let sought = changed(&new.module, &since.impact.new.start, &since.edges[1]);
    let sought_in_old = changed(&old.module, &since.impact.old.start, &since.edges[0]);
    let old_entry = find::functions(&old.module, new.module.function_name(suite.entry)).ok();
    let old_entry = old_entry.and_then(|found| found.first().copied());
    let max_steps = options.explore.max_steps;
    let on_new = Runs::new(new, suite.entry, suite, max_steps);
    let on_old = old_entry.map(|entry| Runs::new(old, entry, suite, max_steps));
    let judge = |(_, input): &(String, Input)| {
        let mut input = input.clone();
        let run = |why: &str, place: Option<Place>| Some((place, why.to_owned()));
        let Some(now) = on_new.run(&mut input) else {
            let run = run("does not say enough to be run on the new version", None);
            return Judged { run, differs: None, class: None };
        };
        let class = Some(class(&trace(&aim, new, &now.state)));
        let Some(before) = on_old.as_ref().and_then(|runs| runs.run(&mut input)) else {
            let run = run("does not say enough to be run on the old version", None);
            return Judged { run, differs: None, class };
        };
        let here = sought.find(&new.module, &now.state);
        let there = sought_in_old.find(&old.module, &before.state);
        let run = match (here, there) {
            (Some((function, inst)), _) => run("executes what changed", place_of(new, function, inst)),
            (None, Some((function, inst))) => run("executed what is no longer there", place_of(old, function, inst)),
            // Behind the point where it stopped, or where a build does as it likes, it may reach anything.
            (None, None) => now.doubt().or_else(|| before.doubt()).map(|why| (None, why)),
        };
        let shown = || now.shown().zip(before.shown()).map(|(now, before)| now != before);
        let differs = if now.fails_instead_of(&before) || before.fails_instead_of(&now) { Some(true) } else { shown() };
        Judged { differs: differs.filter(|_| run.is_some()), run, class }
    };
    let mut classes: BTreeSet<Digest> = BTreeSet::new();
    for ((name, _), Judged { run, differs, class }) in suite.tests.iter().zip(each(suite, options, judge)) {
        classes.extend(class);
        match run {
            Some((place, why)) => selection.selected.push(TestRow { test: name.clone(), place, why, differs }),
            None => {
                let why = "executes nothing that changed".to_owned();
                selection.skipped.push(TestRow { test: name.clone(), place: None, why, differs: None });
            }
        }
    }
    // Those that are known to do something else come first.
    selection.selected.sort_by_key(|row| row.differs != Some(true));
    let directed = directed(new, suite, &aim, options, started.elapsed());
    let mut tests = Vec::new();
    for path in directed.paths {
        if classes.insert(path.class) {
            selection.added.push(Added { inputs: path.inputs, outcome: path.outcome, place: path.place });
            tests.push(path.test);
        }
    }
    selection.notes = since.notes.into_iter().chain(directed.notes).collect();
    (selection, tests)
}

/// Does something with every test, on as many threads as are allowed; the results in the order of the tests.
fn each<R: Send>(suite: &Suite, options: &Options, work: impl Fn(&(String, Input)) -> R + Sync) -> Vec<R> {
    let all: Vec<usize> = (0..suite.tests.len()).collect();
    let mut results = Vec::with_capacity(all.len());
    let make = |batch: &[usize]| -> Vec<R> { batch.iter().map(|&test| work(&suite.tests[test])).collect() };
    let taken = in_order(options.explore.jobs, &all, make, |batch: Vec<R>| {
        results.extend(batch);
        Ok::<(), std::convert::Infallible>(())
    });
    match taken {
        Ok(()) => results,
    }
}

/// Keeps the first of many notes.
fn shorten(notes: &mut Vec<String>) {
    const MOST: usize = 10;
    if notes.len() > MOST {
        let more = notes.len() - MOST;
        notes.truncate(MOST);
        notes.push(format!("the same kind of note for {more} more tests"));
    }
}

/// What is not the same in one version as in the other.
fn changed(module: &Module, start: &Start, edges: &[(FuncId, InstId, BlockId)]) -> Sought {
    let own = start.insts.iter().chain(&start.runs).chain(&start.ends).map(|(function, _, inst)| (*function, *inst));
    let calls = start.marks.iter().map(|(function, _, call, _)| (*function, *call));
    let insts: FxHashSet<(FuncId, InstId)> = own.chain(calls).collect();
    // Functions that are given something else whoever calls them.
    let functions: FxHashSet<FuncId> = start.params.iter().map(|(function, _)| *function).collect();
    let is_sought = |function, inst| functions.contains(&function) || insts.contains(&(function, inst));
    let edges = edges.iter().filter(|(function, ..)| !functions.contains(function));
    Sought::new(module, is_sought, edges.copied())
}

/// What a directed exploration tells of a suite.
struct Directed {
    paths: Vec<DirectedPath>,
    notes: Vec<String>,
}

struct DirectedPath {
    class: Digest,
    covers: BTreeMap<Goal, BTreeSet<Obligation>>,
    inputs: Vec<report::explore::Input>,
    outcome: String,
    place: Option<Place>,
    test: Test,
}

/// Explores the new version for what a suite does not do; `spent` is not counted as time of the exploration.
fn directed(program: &Program, suite: &Suite, aim: &Arc<Aim>, options: &Options, spent: Duration) -> Directed {
    let module = &program.module;
    let entry = suite.entry;
    let reading = signature::result(module, &module.functions[entry]);
    let is_main = module.function_name(entry) == "main";
    let mut exploring =
        explore::options::Options { aim: Some(aim.clone()), record_visits: true, ..options.explore.clone() };
    exploring.deadline = match exploring.deadline {
        Some(deadline) => deadline.checked_add(spent),
        None if is_main => Instant::now().checked_add(EXPLORING),
        None => None,
    };
    let look = |ended: Ended| {
        let steps = trace(aim, program, ended.state);
        let covers = covered_of(aim, program, ended.state, &GOALS);
        let place = steps.iter().rev().find_map(|step| place_of(program, step.function, step.inst));
        let model = ended.chain.smallest(&mut ended.worker.pool, ended.witness);
        let values = Values::new(ended.worker, &model);
        let mut observer = Observer::new(ended.worker, ended.state, &values);
        let named = observer.named_inputs(&ended.witness.constraints);
        let inputs = named.into_iter().map(|(name, value)| report::explore::Input { name, value }).collect();
        let test = Test { input: observer.input(), outcome: observer.outcome(ended.end), turns: observer.turns() };
        let changes = observer.changes(&test.input, &test.outcome);
        let outcome = crate::explore::report_outcome(&test.outcome, ended.end, reading, changes).words;
        DirectedPath { class: class(&steps), covers, inputs, outcome, place, test }
    };
    let entry = Entry { function: entry, shell: is_main.then(|| Arc::new(unknown_shell(suite))) };
    let explored = explore::parallel::explore(program, &entry, &exploring, &options.chain, look);
    let mut notes = Vec::new();
    if explored.stopped.is_some() {
        let what = "the exploration was stopped early: more may be affected than is shown";
        let how = if is_main { "; `--timeout` gives it more time" } else { "" };
        notes.push(format!("{what}{how}"));
    }
    for ((gap, at), count) in &explored.undecided {
        let place = at.and_then(|at| place(module, at)).map(|place| format!(" ({}:{})", place.file, place.line));
        notes.push(format!("{count} x not looked at: {}{}", gap.what(), place.unwrap_or_default()));
    }
    Directed { paths: explored.paths, notes }
}

/// What a program is given that is explored beside a suite: as much as its tests have, within bounds.
fn unknown_shell(suite: &Suite) -> Shell {
    let (most_arguments, most_bytes, most_stdin) = UNKNOWN;
    let inputs = suite.tests.iter().map(|(_, input)| input);
    let arguments = inputs.clone().map(|input| input.argv.len().saturating_sub(1)).max().unwrap_or(0);
    let length = inputs.clone().flat_map(|input| input.argv.iter().skip(1)).map(|arg| arg.len() as u64).max();
    let stdin = inputs.map(|input| input.stdin.len() as u64).max().unwrap_or(0);
    let argument = Bytes::Unknown(length.unwrap_or(0).min(most_bytes));
    let name = Bytes::Known(b"program".to_vec());
    let argv = std::iter::once(name).chain(std::iter::repeat_n(argument, arguments.min(most_arguments)));
    Shell { argv: argv.collect(), stdin: Bytes::Unknown(stdin.min(most_stdin)), files: Vec::new(), or_less: true }
}

/// An obligation as it is counted: places of the source, where it has them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Shown {
    place: Option<(String, u32)>,
    what: String,
    /// What tells paths apart.
    class: Option<Digest>,
    inst: Option<(FuncId, InstId)>,
}

fn shown(program: &Program, obligation: &Obligation) -> Shown {
    let at = obligation.place(program);
    let line = |function: FuncId, inst: InstId| place_of(program, function, inst).map(|place| (place.file, place.line));
    let place = at.and_then(|(function, inst)| line(function, inst));
    let name = at.map(|(function, _)| function_display_name(&program.module, function)).unwrap_or_default();
    let to_line = |function: FuncId, block| {
        let insts = &program.module.functions[function].blocks[block].insts;
        insts.iter().find_map(|&inst| line(function, inst)).map(|(_, line)| format!(" to line {line}"))
    };
    let (what, class) = match obligation {
        Obligation::Statement(..) => (format!("a statement of {name}"), None),
        Obligation::Block(..) => (format!("a block of {name}"), None),
        Obligation::Branch(function, _, to) => {
            (format!("a branch of {name}{}", to_line(*function, *to).unwrap_or_default()), None)
        }
        Obligation::Path(path) => (format!("a path through {} affected steps", path.steps), Some(path.class)),
        Obligation::Data(function, from, _) => {
            let from = line(*function, *from).map(|(_, line)| format!(" of line {line}")).unwrap_or_default();
            (format!("a use of the value{from} in {name}"), None)
        }
    };
    // Without a line the instruction itself is counted.
    let inst = at.filter(|_| place.is_none());
    Shown { place, what, class, inst }
}

fn place_of(program: &Program, function: FuncId, inst: InstId) -> Option<Place> {
    place(&program.module, program.module.functions[function].insts[inst].loc?)
}
