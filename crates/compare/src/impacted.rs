//! A suite against a change: `pathshift coverage` measures what it covers of what the change affects, `pathshift select`
//! says which of its tests to run again and which to add.
//!
//! Tests are run by the interpreter. A test is selected if it executes something that changed, in either version: one that
//! does not does the same in both, instruction by instruction. Tests to add are those of affected paths that no test of
//! the suite takes; paths are told apart by their affected instructions in order, not by text.

use crate::explore::{Options, place};
use crate::find::{self, NotFound};
use crate::since::{Since, Strategy};
use crate::suite::ktest::{self, KTestError};
use crate::suite::{FILE, SuiteError, Test, Tests, signature};
use analysis::influence::Start;
use exec::case::Input;
use exec::entry::{Entry, Shell};
use exec::observe::{Observer, Values};
use exec::program::Program;
use exec::run::Worker;
use exec::state::{End, State};
use explore::aim::Aim;
use explore::follow::follow;
use explore::goals::{GOALS, Goal, Obligation, covered, obligations};
use explore::trace::{Step, find as find_step, trace};
use explore::{Ended, Undecided};
use ir::demangle::function_display_name;
use ir::id::{FuncId, InstId};
use ir::module::Module;
use report::impacted::{Added, Coverage, GoalCoverage, Missing, Selection, TestRow};
use report::model::Place;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// Why a suite cannot be looked at.
#[derive(Debug, thiserror::Error)]
pub enum SuiteImpactError {
    /// The suite cannot be read.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// A `.ktest` file cannot be read.
    #[error(transparent)]
    KTest(#[from] KTestError),
    /// The program has no such function.
    #[error(transparent)]
    NotFound(#[from] NotFound),
    /// There is no test in the folder.
    #[error("{0}: no suite here: neither `tests.txt` nor a `.ktest` file")]
    Empty(String),
    /// A folder of `.ktest` files does not say whose tests they are.
    #[error("{0}: `.ktest` files do not say which function they test; name it with `--function`")]
    NoFunction(String),
    /// The suite is another function's.
    #[error("the suite tests `{suite}`, not `{function}`")]
    OtherFunction {
        /// Whose it is.
        suite: String,
        /// Who was asked for.
        function: String,
    },
    /// The tests do not have the parameters of the function.
    #[error("the suite does not fit `{function}`: {why}")]
    DoesNotFit {
        /// The function.
        function: String,
        /// Why.
        why: String,
    },
}

/// A suite that fits a function.
#[derive(Debug)]
pub struct Suite {
    /// The function.
    pub entry: FuncId,
    /// Names and inputs of the tests.
    pub tests: Vec<(String, Input)>,
}

/// Reads a suite of ours or a folder of `.ktest` files for a program.
pub fn read(module: &Module, dir: &Path, function: Option<&str>) -> Result<Suite, SuiteImpactError> {
    let named = match function {
        Some(name) => find::functions(module, name)?.first().copied(),
        None => None,
    };
    let is_ours = dir.join(FILE).is_file() || dir.is_file() && dir.extension().is_none_or(|end| end != "ktest");
    if is_ours {
        return read_ours(module, dir, named);
    }
    let files = ktest::read(dir)?;
    if files.is_empty() {
        return Err(SuiteImpactError::Empty(dir.display().to_string()));
    }
    let entry = named.ok_or_else(|| SuiteImpactError::NoFunction(dir.display().to_string()))?;
    let mut tests = Vec::with_capacity(files.len());
    for (path, test) in files {
        let name = path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        let input = ktest::to_input(module, entry, &test).map_err(|why| SuiteImpactError::DoesNotFit {
            function: function_display_name(module, entry),
            why: format!("{name}: {why}"),
        })?;
        tests.push((name, input));
    }
    Ok(Suite { entry, tests })
}

fn read_ours(module: &Module, dir: &Path, named: Option<FuncId>) -> Result<Suite, SuiteImpactError> {
    let tests = Tests::open(dir)?;
    let header = tests.header.clone();
    let found = find::functions(module, &header.entry)
        .or_else(|error| find::functions(module, &ir::demangle::demangle(&header.entry)).map_err(|_| error))?;
    let Some(entry) = found.first().copied() else {
        return Err(SuiteImpactError::Empty(dir.display().to_string()));
    };
    if let Some(named) = named.filter(|named| !found.contains(named)) {
        let (suite, function) = (header.entry, function_display_name(module, named));
        return Err(SuiteImpactError::OtherFunction { suite, function });
    }
    let params = module.functions[entry].params.len();
    if module.function_name(entry) != "main" && header.params.len() != params {
        let why = format!("its tests have {} parameters, the function has {params}", header.params.len());
        return Err(SuiteImpactError::DoesNotFit { function: function_display_name(module, entry), why });
    }
    let mut all = Vec::new();
    for (index, test) in tests.enumerate() {
        all.push(((index + 1).to_string(), test?.input));
    }
    Ok(Suite { entry, tests: all })
}

/// How much of what a change affects a suite covers.
pub fn coverage(old: &Module, program: &Program, suite: &Suite, options: &Options) -> Coverage {
    let since = Since::new(old, &program.module);
    let module = &program.module;
    let Some(aim) = since.aim(Strategy::Idise).map(Arc::new) else { return Coverage::default() };
    let directed = directed(program, suite.entry, &aim, options);
    let mut by_tests: BTreeMap<Goal, BTreeSet<Obligation>> = BTreeMap::new();
    let mut notes = directed.notes.clone();
    let mut runs = Runs::new(program, suite.entry, options);
    for (name, input) in &suite.tests {
        match runs.run(input) {
            Some((state, end)) => {
                if !came_to_an_end(&end) {
                    notes.push(format!("test {name} could not be run to its end: it may cover more"));
                }
                for goal in GOALS {
                    by_tests.entry(goal).or_default().extend(covered(&aim, program, &state, goal));
                }
            }
            None => notes.push(format!("test {name} does not say enough to be run")),
        }
    }
    let functions = since.reached_from(suite.entry);
    let nothing = BTreeSet::new();
    let mut goals = Vec::new();
    for goal in GOALS {
        let seen = by_tests.get(&goal).unwrap_or(&nothing);
        let seen: BTreeSet<Shown> = seen.iter().map(|obligation| shown(program, obligation)).collect();
        let mut feasible: BTreeMap<Shown, Option<usize>> = BTreeMap::new();
        for (index, path) in directed.paths.iter().enumerate() {
            for obligation in path.covers.iter().filter(|(of, _)| *of == goal).flat_map(|(_, all)| all) {
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

/// Which tests of a suite for the old version are to be run on the new one, and which to add.
pub fn select(old: &Program, new: &Program, suite: &Suite, options: &Options) -> (Selection, Vec<Test>) {
    let since = Since::new(&old.module, &new.module);
    let mut selection = Selection {
        schema: report::impacted::SELECT_SCHEMA.to_owned(),
        function: function_display_name(&new.module, suite.entry),
        ..Selection::default()
    };
    let Some(aim) = since.aim(Strategy::Idise).map(Arc::new) else { return (selection, Vec::new()) };
    let old_aim = since.old_aim();
    let (changed, old_changed) = (Changed::new(&since.impact.new.start), Changed::new(&since.impact.old.start));
    let old_entry = find::functions(&old.module, new.module.function_name(suite.entry)).ok();
    let old_entry = old_entry.and_then(|found| found.first().copied());
    let mut classes: BTreeSet<Vec<Step>> = BTreeSet::new();
    let mut on_new = Runs::new(new, suite.entry, options);
    let mut on_old = old_entry.map(|entry| Runs::new(old, entry, options));
    for (name, input) in &suite.tests {
        let now = on_new.run(input);
        let before = on_old.as_mut().and_then(|runs| runs.run(input));
        let ended = |run: &Option<(State, End)>| run.as_ref().is_some_and(|(_, end)| came_to_an_end(end));
        let is_judged = ended(&now) && ended(&before);
        let now = now.map(|(state, _)| {
            classes.insert(trace(&aim, new, &state));
            find_step(&aim, new, &state, |function, inst| changed.has(function, inst))
        });
        let before = before.map(|(state, _)| find_step(&old_aim, old, &state, |id, inst| old_changed.has(id, inst)));
        let row = |place: Option<Place>, why: &str| TestRow { test: name.clone(), place, why: why.to_owned() };
        match (now.flatten(), before.flatten()) {
            (Some((function, inst)), _) => {
                selection.selected.push(row(place_of(new, function, inst), "executes what changed"));
            }
            (None, Some((function, inst))) => {
                selection.selected.push(row(place_of(old, function, inst), "executed what is no longer there"));
            }
            // Behind the point where it stopped it may reach anything.
            _ if !is_judged => selection.selected.push(row(None, "could not be run to its end in both versions")),
            _ => selection.skipped.push(row(None, "executes nothing that changed")),
        }
    }
    let directed = directed(new, suite.entry, &aim, options);
    let mut tests = Vec::new();
    for path in directed.paths {
        if classes.insert(path.steps) {
            selection.added.push(Added { inputs: path.inputs, outcome: path.outcome, place: path.place });
            tests.push(path.test);
        }
    }
    selection.notes = directed.notes;
    (selection, tests)
}

/// What is not the same in one version as in the other.
struct Changed {
    insts: FxHashSet<(FuncId, InstId)>,
    /// Functions that are given something else whoever calls them.
    functions: FxHashSet<FuncId>,
}

impl Changed {
    fn new(start: &Start) -> Changed {
        let insts =
            start.insts.iter().chain(&start.runs).chain(&start.ends).map(|(function, _, inst)| (*function, *inst));
        let calls = start.marks.iter().map(|(function, _, call, _)| (*function, *call));
        Changed {
            insts: insts.chain(calls).collect(),
            functions: start.params.iter().map(|(function, _)| *function).collect(),
        }
    }

    fn has(&self, function: FuncId, inst: InstId) -> bool {
        self.functions.contains(&function) || self.insts.contains(&(function, inst))
    }
}

/// What a directed exploration tells of a suite.
struct Directed {
    paths: Vec<DirectedPath>,
    notes: Vec<String>,
}

struct DirectedPath {
    steps: Vec<Step>,
    covers: Vec<(Goal, BTreeSet<Obligation>)>,
    inputs: Vec<report::explore::Input>,
    outcome: String,
    place: Option<Place>,
    test: Test,
}

fn directed(program: &Program, entry: FuncId, aim: &Arc<Aim>, options: &Options) -> Directed {
    let module = &program.module;
    let reading = signature::result(module, &module.functions[entry]);
    let exploring = explore::options::Options { aim: Some(aim.clone()), ..options.explore.clone() };
    let look = |ended: Ended| {
        let steps = trace(aim, program, ended.state);
        let covers = GOALS.map(|goal| (goal, covered(aim, program, ended.state, goal))).to_vec();
        let place = steps.iter().rev().find_map(|step| place_of(program, step.function, step.inst));
        let model = ended.chain.smallest(&mut ended.worker.pool, ended.witness);
        let values = Values::new(ended.worker, &model);
        let mut observer = Observer::new(ended.worker, ended.state, &values);
        let named = observer.named_inputs(&ended.witness.constraints);
        let inputs = named.into_iter().map(|(name, value)| report::explore::Input { name, value }).collect();
        let test = Test { input: observer.input(), outcome: observer.outcome(ended.end), turns: observer.turns() };
        let changes = observer.changes(&test.input, &test.outcome);
        let outcome = crate::explore::report_outcome(&test.outcome, ended.end, reading, changes).words;
        DirectedPath { steps, covers, inputs, outcome, place, test }
    };
    let shell = (module.function_name(entry) == "main").then(|| Arc::new(Shell::default()));
    let entry = Entry { function: entry, shell };
    let explored = explore::parallel::explore(program, &entry, &exploring, &options.chain, look);
    let mut notes = Vec::new();
    if explored.stopped.is_some() {
        notes.push("the exploration was stopped early: more may be affected than is shown".to_owned());
    }
    for ((what, at), count) in &explored.undecided {
        let place = at.and_then(|at| place(module, at)).map(|place| format!(" ({}:{})", place.file, place.line));
        let what = match what {
            Undecided::Solver => "the solver did not know within its limit",
            Undecided::Scope(what) | Undecided::Bound(what) | Undecided::Unsupported(what) => what,
        };
        notes.push(format!("{count} x not looked at: {what}{}", place.unwrap_or_default()));
    }
    Directed { paths: explored.paths, notes }
}

/// Runs tests one after the other.
struct Runs<'p> {
    program: &'p Program,
    entry: FuncId,
    max_steps: u64,
}

impl<'p> Runs<'p> {
    fn new(program: &'p Program, entry: FuncId, options: &Options) -> Runs<'p> {
        Runs { program, entry, max_steps: options.explore.max_steps }
    }

    fn run(&mut self, input: &Input) -> Option<(State, End)> {
        let is_main = self.program.module.function_name(self.entry) == "main";
        let shell = is_main.then(|| Arc::new(Shell::of_input(input)));
        let mut worker = Worker::new(self.program, !is_main);
        follow(&mut worker, &Entry { function: self.entry, shell }, input, self.max_steps)
    }
}

/// Whether a run came to its own end.
fn came_to_an_end(end: &End) -> bool {
    matches!(end, End::Returned(_) | End::Exited(_) | End::Fault { .. })
}

/// An obligation as it is counted: places of the source, where it has them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Shown {
    place: Option<(String, u32)>,
    what: String,
    /// What tells paths apart, and code without lines.
    steps: Vec<Step>,
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
    let (what, steps) = match obligation {
        Obligation::Statement(..) => (format!("a statement of {name}"), Vec::new()),
        Obligation::Block(..) => (format!("a block of {name}"), Vec::new()),
        Obligation::Branch(function, _, to) => {
            (format!("a branch of {name}{}", to_line(*function, *to).unwrap_or_default()), Vec::new())
        }
        Obligation::Path(steps) => (format!("a path through {} affected steps", steps.len()), steps.clone()),
        Obligation::Data(function, from, _) => {
            let from = line(*function, *from).map(|(_, line)| format!(" of line {line}")).unwrap_or_default();
            (format!("a use of the value{from} in {name}"), Vec::new())
        }
    };
    // Without a line the instruction itself is counted.
    let inst = at.filter(|_| place.is_none());
    Shown { place, what, steps, inst }
}

fn place_of(program: &Program, function: FuncId, inst: InstId) -> Option<Place> {
    place(&program.module, program.module.functions[function].insts[inst].loc?)
}
