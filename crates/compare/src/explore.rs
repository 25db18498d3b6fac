//! `pathshift explore`: every path of a function, with an input for each and what comes of it.

use crate::journal::{Death, Journal, Unit};
use crate::replay::{self, Placement, ReplayError};
use crate::sabotage::{Sabotage, fail};
use crate::since::Strategy;
use crate::spool::{Slot, Spool};
use crate::store::{NewRecord, Store};
use crate::suite::{Reading, Test, signature};
use evidence::{Gap, Limit, Open};
use exec::case::{self, Datum, FaultKind, Outcome, Target};
use exec::entry::Entry;
use exec::models::harness::makes_input;
use exec::observe::{NamedValue, Observer, Values};
use exec::program::Program;
use exec::state::{End, Remark, RemarkKind};
use explore::goals::{Goal, Obligation, covered};
use explore::guided;
use explore::reuse::{Reuse, Taken};
use explore::{Ended, Stopped};
use ir::id::{FuncId, LocId};
use ir::link::LinkError;
use ir::module::Module;
use report::explore::{AGREES, Exploration, Layers, NOT_RUN, Path, PathEnd, Paths, RunState, SCHEMA, Stats};
use report::model::Place;
use serde::{Deserialize, Serialize};
use smt::solver::chain::Chain;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

pub(crate) mod resume;

use resume::Resumable;

/// What an exploration found: for people, and for suites and replays.
pub struct Explored {
    /// For people.
    pub report: Exploration<Found>,
    /// Why not all paths could be kept, if they could not.
    pub lost: Option<io::Error>,
}

/// Paths that were found, in the order of the tree, with a test for each.
#[derive(Default)]
pub struct Found {
    rows: Spool<Path>,
    tests: Spool<Test>,
    slots: Vec<FoundSlot>,
    /// What native runs said.
    replayed: Vec<Option<Arc<str>>>,
}

#[derive(Clone, Copy)]
struct FoundSlot {
    row: Slot,
    test: Slot,
    is_fault: bool,
    /// Whether the outcome depends on more than the input that a native run can be given.
    is_open: bool,
    /// Whether it ends so that a native run can agree.
    ends: bool,
    /// Whether memory beside an object is used.
    beside: bool,
}

impl Found {
    /// Says that a path of which only its depth is known ends with a full stack.
    fn overflows(&mut self, index: usize, test: &Test) -> io::Result<()> {
        let Some(mut path) = self.get_all(&[index])?.pop() else { return Ok(()) };
        path.end = PathEnd::Fault;
        path.fault = Some(fault_name(FaultKind::StackOverflow).to_owned());
        path.outcome.words = "stack overflow: calls without end, or too many of them".to_owned();
        let mut test = test.clone();
        test.outcome.end = case::End::Fault(FaultKind::StackOverflow);
        let (row, test) = (self.rows.put(&path)?, self.tests.put(&test)?);
        self.slots[index] = FoundSlot { row, test, is_fault: true, is_open: false, ends: true, ..self.slots[index] };
        Ok(())
    }

    /// The tests of these paths.
    pub fn tests(&self, indices: &[usize]) -> io::Result<Vec<Test>> {
        self.tests.get_all(indices.iter().map(|&index| self.slots[index].test))
    }
}

impl Paths for Found {
    fn len(&self) -> usize {
        self.slots.len()
    }

    fn is_fault(&self, index: usize) -> bool {
        self.slots[index].is_fault
    }

    fn get_all(&self, indices: &[usize]) -> io::Result<Vec<Path>> {
        let mut paths = self.rows.get_all(indices.iter().map(|&index| self.slots[index].row))?;
        for (path, &index) in paths.iter_mut().zip(indices) {
            path.replayed = self.replayed.get(index).cloned().flatten();
        }
        Ok(paths)
    }
}

/// How to explore.
pub struct Options {
    /// Bounds, order and limits.
    pub explore: explore::options::Options,
    /// Makes the solvers of a worker.
    pub chain: Box<dyn Fn() -> Chain + Sync>,
    /// How a directed exploration is shown.
    pub directed: Directed,
    /// What earlier runs found out.
    pub store: Option<Store>,
    /// Whether to go on where an interrupted exploration stopped.
    pub resume: bool,
    /// Which paths dependence lets leave out; none if nothing is said.
    pub guided: Option<guided::Strategy>,
    /// Tests of an older version: where one goes, no solver is asked.
    pub older: Option<Vec<Test>>,
    /// Where the paths that are found are kept, should this process die.
    pub journal: Option<Arc<Journal<Looked>>>,
    /// Makes the work fail once a path is found, to see what becomes of that.
    pub sabotage: Option<Sabotage>,
}

impl Options {
    /// Remembers what solvers say in a store, and asks it first.
    pub fn with_store(self, store: Option<Store>) -> Options {
        let Some(store) = store else { return self };
        let (remembered, make) = (store.clone(), self.chain);
        let chain = Box::new(move || {
            let mut chain = make();
            chain.memory = Some(remembered.memory());
            chain
        });
        Options { chain, store: Some(store), ..self }
    }
}

/// How a directed exploration is shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Directed {
    /// How paths were chosen.
    pub strategy: Option<Strategy>,
    /// Whether conditions are shown only as far as the change matters to them: iDiSE's `DeltaDebug`.
    pub delta: bool,
    /// What is to be covered: paths that add nothing to it are left out.
    pub goal: Option<Goal>,
}

impl Default for Options {
    fn default() -> Self {
        let explore = explore::options::Options::default();
        let limits = explore.limits;
        let chain = Box::new(move || Chain::standard(limits));
        Options {
            explore,
            chain,
            directed: Directed::default(),
            store: None,
            resume: false,
            guided: None,
            older: None,
            journal: None,
            sabotage: None,
        }
    }
}

/// The report of an exploration that has only begun.
pub fn begun(program: &Program, entry: &Entry) -> Exploration {
    head(program, entry, Vec::new())
}

fn head<P>(program: &Program, entry: &Entry, paths: P) -> Exploration<P> {
    let module = &program.module;
    Exploration {
        schema: SCHEMA,
        run_state: RunState::Incomplete,
        function: ir::demangle::function_display_name(module, entry.function),
        place: function_place(module, entry.function),
        strategy: "full".to_owned(),
        scope: Vec::new(),
        paths,
        stats: Stats::default(),
        undecided: Vec::new(),
    }
}

/// Processor time that all threads of this process have used.
pub fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Explores a function of a program. If an earlier process died of that, what it had found is all that is told.
pub fn explore(program: &Program, entry: &Entry, options: &Options) -> Explored {
    let Some(journal) = &options.journal else { return explore_now(program, entry, options) };
    if let Some(death) = journal.failed(&Unit::Exploration) {
        return what_is_left(program, entry, journal, death);
    }
    let explored = explore_now(program, entry, options);
    journal.ends(Unit::Exploration, None);
    explored
}

/// The paths that were found before the process died that found them.
fn what_is_left(program: &Program, entry: &Entry, journal: &Journal<Looked>, death: Death) -> Explored {
    let mut found = Found::default();
    let mut scope = BTreeSet::new();
    let mut keep = |looked: &Looked| -> io::Result<()> {
        let slot = FoundSlot {
            row: found.rows.put(&looked.row)?,
            test: found.tests.put(&looked.test)?,
            is_fault: looked.row.fault.is_some(),
            is_open: looked.is_open,
            ends: comes_to_an_end(&looked.test),
            beside: is_beside(&looked.test),
        };
        found.slots.push(slot);
        scope.extend(looked.scope.iter().cloned());
        Ok(())
    };
    let lost = journal.rows().try_for_each(&mut keep).err();
    let mut report = head(program, entry, found);
    scope.insert(format!("only what was found before it failed: {}", death.gap()));
    report.scope = scope.into_iter().collect();
    report.stats.paths = report.paths.len() as u64;
    report.undecided = vec![report::explore::Undecided::from(&Open { gap: death.gap(), place: None, count: 1 })];
    Explored { report, lost }
}

fn explore_now(program: &Program, entry: &Entry, options: &Options) -> Explored {
    let (started, cpu_before) = (Instant::now(), cpu_time());
    let module = &program.module;
    let reading = signature::result(module, &module.functions[entry.function]);
    let (rows, tests) = (Spool::default(), Spool::default());
    let scope = Mutex::new(BTreeSet::new());
    let lost = Mutex::new(None);
    // A directed exploration has another tree than a full one.
    let store = options.store.as_ref().filter(|_| options.explore.aim.is_none());
    let key = || resume::key(program, entry, options);
    let resumable = Resumable::new::<Looked>(options, store, key);
    let inputs = options.older.iter().flatten().map(|test| &test.input).collect();
    let reuse = Reuse { inputs, done: resumable.done(), marks: resumable.is_written(), ..Reuse::default() };
    let chain = || resumable.chain();
    let put = |looked: &Looked, record: Option<NewRecord>| -> io::Result<(Slot, Slot)> {
        let (row, test) = (rows.bytes(&looked.row)?, tests.bytes(&looked.test)?);
        let slots = (rows.put_bytes(&row)?, tests.put_bytes(&test)?);
        if let Some(record) = record {
            resumable.push(&record, &resume::parts(looked, &row, &test));
        }
        Ok(slots)
    };
    let numbers = AtomicUsize::new(0);
    let keep = |looked: Looked, covers: BTreeSet<Obligation>, record: Option<NewRecord>| {
        let kept = put(&looked, record);
        if let Some(journal) = &options.journal {
            journal.ends(Unit::Path(numbers.fetch_add(1, Ordering::Relaxed)), Some(&looked));
        }
        options.sabotage.into_iter().for_each(fail);
        let (is_fault, is_open) = (looked.row.fault.is_some(), looked.is_open);
        let (ends, beside) = (comes_to_an_end(&looked.test), is_beside(&looked.test));
        if !looked.scope.is_empty() {
            scope.lock().unwrap_or_else(PoisonError::into_inner).extend(looked.scope);
        }
        match kept {
            Ok((row, test)) => Some((FoundSlot { row, test, is_fault, is_open, ends, beside }, covers)),
            Err(error) => {
                // Going on would find more that cannot be kept.
                options.explore.interrupt.store(true, Ordering::Relaxed);
                lost.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                None
            }
        }
    };
    let found = |mut ended: Ended| {
        let covers = match (&options.explore.aim, options.directed.goal) {
            (Some(aim), Some(goal)) => covered(aim, program, ended.state, goal),
            _ => BTreeSet::new(),
        };
        let record = resumable.begin(&mut ended);
        let looked = look(ended, reading, options);
        keep(looked, covers, resumable.unless_stopped(record))
    };
    let taken = |path: Taken| match path {
        Taken::Done(number) => keep(resumable.found(number)?, BTreeSet::new(), None),
        Taken::Older(_) => None,
    };
    let exploring = explore::options::Options { origins: true, ..options.explore.clone() };
    let solvers = (&exploring, &chain as _);
    let follow = || {
        let work = || explore::reuse::explore(program, entry, solvers, (&reuse, false), found, taken).found;
        resumable.run(key, work, |result| result.stopped.is_some())
    };
    let shell = entry.shell.as_ref().filter(|shell| shell.argv.len() <= 1);
    if shell.is_some() && !module.functions[entry.function].params.is_empty() {
        scope.lock().unwrap_or_else(PoisonError::into_inner).insert(NO_ARGUMENTS.to_owned());
    }
    let mut gave_up = false;
    let mut result = match &options.guided {
        None => follow(),
        Some(strategy) => {
            let explore = |exploring: &explore::options::Options| {
                guided::explore(program, entry, strategy, exploring, (options.chain)(), |ended, _, _| found(ended))
            };
            match strategy {
                // Full exploration would look at more than what changed.
                guided::Strategy::Dgse(dgse) if dgse.since.is_some() => explore(&options.explore),
                _ => {
                    let result;
                    (result, gave_up) = guided::or_full(explore, follow, &options.explore);
                    result
                }
            }
        }
    };
    if gave_up {
        let note = "all paths: leaving out those that show nothing new would be more work here";
        scope.lock().unwrap_or_else(PoisonError::into_inner).insert(note.to_owned());
    }
    let mut reached = BTreeSet::new();
    let mut adds = |covers: BTreeSet<Obligation>| {
        let before = reached.len();
        reached.extend(covers);
        options.directed.goal.is_none() || reached.len() > before
    };
    let found = std::mem::take(&mut result.paths).into_iter().flatten();
    let slots: Vec<FoundSlot> = found.filter_map(|(slot, covers)| adds(covers).then_some(slot)).collect();
    let mut scope = scope.into_inner().unwrap_or_else(PoisonError::into_inner);
    let lost = lost.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut report = head(program, entry, Found { rows, tests, slots, replayed: Vec::new() });
    if let Some(strategy) = &options.guided {
        report.strategy = strategy_name(strategy).to_owned();
    }
    if options.older.is_some() {
        report.strategy = "reuse".to_owned();
    }
    if result.stopped.is_none() {
        report.run_state = RunState::Complete;
    }
    if let Some(strategy) = options.directed.strategy {
        let literal = if options.explore.literal { " (literal)" } else { "" };
        report.strategy = format!("{}{literal}", strategy.name());
    }
    let cpu_ms = cpu_time().saturating_sub(cpu_before).as_millis() as u64;
    report.stats = Stats { cpu_ms, ..report_stats(&result, started) };
    if let Some(stopped) = result.stopped {
        let why = match stopped {
            Stopped::Time => "stopped by the time limit",
            Stopped::Paths => "stopped by the limit on paths",
            Stopped::Memory => "stopped by the memory limit",
            Stopped::Interrupted if lost.is_some() => "stopped because no more paths could be kept",
            Stopped::Interrupted => "interrupted",
            Stopped::NoGain => "stopped because it leaves out too few paths",
            Stopped::Lost => "a worker was lost: please report it",
        };
        scope.insert(why.to_owned());
        let goes_on = match stopped {
            Stopped::Time | Stopped::Memory => Some(RESUME),
            Stopped::Interrupted if lost.is_none() => Some(RESUME),
            Stopped::Paths => Some(RESUME_WITH_MORE),
            _ => None,
        };
        if let (Some(goes_on), Some(_), None) = (goes_on, store, &options.guided) {
            scope.insert(goes_on.to_owned());
        }
        if options.resume && stopped == Stopped::Time && result.stats.paths == result.stats.taken {
            scope.insert(NOTHING_NEW.to_owned());
        }
    }
    report.undecided = undecided(module, result.undecided);
    report.scope = scope.into_iter().collect();
    Explored { report, lost }
}

fn strategy_name(strategy: &guided::Strategy) -> &'static str {
    match strategy {
        guided::Strategy::Full => "concolic",
        guided::Strategy::Dgse(_) => "dgse",
        guided::Strategy::Output { .. } => "output",
    }
}

/// Which inputs a path is about, as far as not all are.
pub(crate) fn scope_of(worker: &exec::run::Worker, state: &exec::state::State) -> Vec<String> {
    let mut scope: Vec<String> = worker.inputs.scope(state).iter().map(|what| what.to_string()).collect();
    if state.library.reads_empty_input() {
        scope.push(NO_INPUT.to_owned());
    }
    scope
}

/// What was not decided, the most frequent first.
pub(crate) fn undecided(
    module: &Module,
    found: BTreeMap<(Gap, Option<LocId>), u64>,
) -> Vec<report::explore::Undecided> {
    let shown = |((gap, at), count): ((Gap, Option<LocId>), u64)| {
        let place = at.and_then(|at| place(module, at));
        let place = place.map(|place| evidence::Place { file: place.file, line: place.line });
        report::explore::Undecided::from(&Open { gap, place, count })
    };
    let mut undecided: Vec<_> = found.into_iter().map(shown).collect();
    undecided.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.reason.cmp(&b.reason)));
    undecided
}

fn layers(solver: &smt::solver::chain::Stats) -> Layers {
    Layers {
        constant: solver.constant,
        values: solver.values,
        cache: solver.cache,
        order: solver.order,
        search: solver.search,
        blaster: solver.blaster,
        others: solver.others,
        unknown: solver.unknown,
    }
}

/// A path that was found, with its test.
#[derive(Serialize, Deserialize)]
pub struct Looked {
    row: Path,
    test: Test,
    scope: Vec<String>,
    is_open: bool,
}

/// The test of a path.
pub(crate) fn test_of(ended: Ended) -> Test {
    let Ended { worker, chain, state, path, end, .. } = ended;
    let model = chain.smallest(&mut worker.pool, path);
    let values = Values::new(worker, &model);
    let mut observer = Observer::new(worker, state, &values);
    Test { input: observer.input(), outcome: observer.outcome(end), turns: observer.turns() }
}

/// Figures of an exploration that began then.
pub(crate) fn report_stats<R>(found: &explore::Exploration<R>, started: Instant) -> Stats {
    Stats {
        paths: found.stats.paths,
        infeasible: found.stats.infeasible,
        skipped: found.stats.skipped,
        fell_back: found.stats.fell_back,
        unaffected: found.stats.unaffected,
        instructions: found.stats.instructions,
        queries: found.stats.solver.questions,
        solver_calls: found.stats.solver.blaster + found.stats.solver.others,
        solver_ms: found.stats.solver_nanos / 1_000_000,
        wall_ms: started.elapsed().as_millis() as u64,
        cpu_ms: 0,
        layers: layers(&found.stats.solver),
    }
}

/// What is wrong if a run that was resumed finds nothing, and what to do.
const NOTHING_NEW: &str =
    "no path that earlier runs had not: a question may take longer than the time limit (--timeout gives more)";

/// How to go on with an exploration that was cut short.
const RESUME: &str = "the same command with --resume goes on from here";
const RESUME_WITH_MORE: &str = "the same command with --resume and more --paths goes on from here";

/// What a program is given if nothing is said, and how to say it.
const NO_ARGUMENTS: &str = "without arguments (--argv gives some)";
const NO_INPUT: &str = "standard input empty (--stdin gives some)";

/// What is kept of a path; `reading` is that of the result.
fn look(ended: Ended, reading: Reading, options: &Options) -> Looked {
    let Ended { worker, chain, state, path, witness, trail, end, .. } = ended;
    // Whoever has a test for this path keeps its input.
    let model =
        if ended.old.tests.is_empty() { chain.smallest(&mut worker.pool, witness) } else { witness.values.clone() };
    let values = Values::new(worker, &model);
    let module = &worker.program.module;
    let mut condition: Vec<Arc<str>> = path.constraints.iter().map(|&constraint| worker.text(constraint)).collect();
    let is_directed = options.explore.aim.is_some();
    let mut affected = if is_directed { trail.affected(condition.len()) } else { Vec::new() };
    if is_directed && options.directed.delta {
        let mut keep = affected.iter();
        condition.retain(|_| keep.next().is_some_and(|&affected| affected));
        affected.retain(|&affected| affected);
    }
    let mut observer = Observer::new(worker, state, &values);
    let input = observer.input();
    let outcome = observer.outcome(end);
    let changes = observer.changes(&input, &outcome);
    let turns = observer.turns();
    let inputs = observer.named_inputs(&witness.constraints);
    let inputs = inputs.into_iter().map(|(name, value)| report::explore::Input { name, value }).collect();
    let at = match end {
        End::Fault { at, .. } | End::Scope { at, .. } | End::Bound { at, .. } | End::Unsupported { at, .. } => *at,
        _ => None,
    };
    let remarks = state.remarks.iter().map(|remark| {
        let what = match &remark.kind {
            RemarkKind::Address => "depends on where objects lie in memory".to_owned(),
            RemarkKind::Uninitialized => "uses a value that was never assigned".to_owned(),
            RemarkKind::Outside(name) => format!("calls {name}, of which only the declaration is known"),
            RemarkKind::Approximate(what) | RemarkKind::AnyResult(what) => format!("approximate: {what}"),
        };
        match remark.at.and_then(|at| place(module, at)) {
            Some(place) => format!("{what} ({}:{})", place.file, place.line),
            None => what,
        }
    });
    let scope = scope_of(worker, state);
    // Natively the C++ library answers for itself.
    let undetermined = |remark: &Remark| match &remark.kind {
        RemarkKind::Outside(name) => exec::models::cpp::is_of_library(name),
        _ => true,
    };
    let is_open = state.remarks.iter().any(undetermined);
    let row = Path {
        end: match end {
            End::Returned(_) => PathEnd::Returned,
            End::Exited(_) => PathEnd::Exited,
            End::Fault { .. } => PathEnd::Fault,
            End::Scope { .. } | End::Bound { .. } => PathEnd::Bound,
            End::Unsupported { .. } => PathEnd::Unsupported,
            End::Left => PathEnd::Bound,
        },
        condition,
        affected,
        inputs,
        outcome: report_outcome(&outcome, end, reading, changes),
        line: at.and_then(|at| place(module, at)),
        fault: match end {
            End::Fault { kind, .. } => Some(fault_name(*kind).to_owned()),
            _ => None,
        },
        replayed: None,
        remarks: remarks.collect(),
    };
    Looked { row, test: Test { input, outcome, turns }, scope, is_open }
}

/// Runs every path's input natively and says in the report which of them did what was expected. Paths that did not come
/// to an end are not run, nor those for which there is no time, or that are left when the user stops it.
///
/// `native` is the program without what was added to it for the exploration: the real library is there natively.
pub fn replay(
    native: (&Module, FuncId),
    explored: &mut Explored,
    options: &replay::Options,
    limits: &replay::Limits,
    env: &build::Environment,
) -> Result<(), ReplayError> {
    let Exploration { paths: found, undecided, .. } = &mut explored.report;
    found.replayed = vec![None; found.len()];
    let indices: Vec<usize> = (0..found.len()).filter(|&index| found.slots[index].ends).collect();
    if indices.is_empty() {
        return Ok(());
    }
    let beside = found.slots.iter().any(|slot| slot.beside);
    let mut options = replay::Options { until: limits.until, ..options.clone() };
    options.guard_stack |= beside;
    let placement = if beside { Placement::Exact } else { Placement::Aligned };
    let is_stopped = |error: &ReplayError| matches!(error, ReplayError::Build(build::BuildError::Cancelled));
    let driver = match replay::prepare(native.0, native.1, &options, env) {
        Ok(driver) => Some(driver),
        Err(error) if is_stopped(&error) => None,
        Err(error) => return Err(error),
    };
    let not_run: Arc<str> = NOT_RUN.into();
    indices.iter().for_each(|&index| found.replayed[index] = Some(not_run.clone()));
    let Some(driver) = driver else { return Ok(()) };
    let until = limits.until.map(|until| until.max(Instant::now() + LEAST));
    let limits = &replay::Limits { until, ..limits.clone() };
    let with_code = native.0.functions.iter_ids().filter(|(_, function)| function.is_defined());
    let known: BTreeSet<&str> = with_code.map(|(id, _)| native.0.function_label(id)).collect();
    let yes: Arc<str> = AGREES.into();
    let unclear: Arc<str> = "unclear: the outcome depends on more than this input".into();
    let too_deep = Gap::Bound { limit: Limit::CallDepth }.to_string();
    for batch in indices.chunks(BATCH) {
        let tests = found.tests(batch)?;
        let inputs: Vec<case::Input> = tests.iter().map(|test| test.input.clone()).collect();
        let mut replayed = match driver.run(&inputs, placement, limits) {
            Ok(replayed) => replayed,
            Err(error) if is_stopped(&error) => break,
            Err(error) => return Err(error),
        };
        let may_be_before = |at: &usize| replay::may_be_before(&tests[*at].outcome, &replayed[*at]);
        let again: Vec<usize> = (0..tests.len()).filter(may_be_before).collect();
        if !again.is_empty() {
            let options = replay::Options { guard_begin: true, ..options.clone() };
            let inputs: Vec<case::Input> = again.iter().map(|&at| inputs[at].clone()).collect();
            let run = replay::prepare(native.0, native.1, &options, env)
                .and_then(|driver| driver.run(&inputs, Placement::Begin, limits));
            match run {
                Ok(others) => again.into_iter().zip(others).for_each(|(at, other)| replayed[at] = other),
                Err(error) if is_stopped(&error) => break,
                Err(error) => return Err(error),
            }
        }
        for ((index, test), seen) in batch.iter().zip(&tests).zip(&replayed) {
            if seen.had_no_time() {
                continue;
            }
            if is_too_deep(test) {
                found.replayed[*index] = None;
                // Where the stack ends is for the machine to say; a run that ended otherwise proves nothing.
                if seen.outcome.end == case::End::Fault(FaultKind::StackOverflow) {
                    found.overflows(*index, test)?;
                    if let Some(item) = undecided.iter_mut().find(|item| item.reason == too_deep) {
                        item.count = item.count.saturating_sub(1);
                    }
                    found.replayed[*index] = Some(yes.clone());
                }
                continue;
            }
            if let case::End::Refused(what) = &seen.outcome.end {
                found.replayed[*index] = Some(format!("not run to its end: refused: {what}").into());
                continue;
            }
            let agrees =
                replay::does_as_expected(&test.outcome, &seen.outcome).map_err(|mismatch| format!("no: {mismatch}"));
            let turned = agrees.and_then(|()| {
                // What was added for the exploration is not there natively.
                let own = |turn: &&case::Turn| known.contains(&*turn.function);
                let turns: Vec<case::Turn> = test.turns.iter().filter(own).cloned().collect();
                replay::same_turns(&turns, &seen.turns, seen.all_turns)
                    .map_err(|at| format!("no: branch {} went the other way", at + 1))
            });
            found.replayed[*index] = Some(match turned {
                Ok(()) => yes.clone(),
                Err(_) if found.slots[*index].is_open => unclear.clone(),
                Err(message) => message.into(),
            });
        }
    }
    undecided.retain(|item| item.count > 0);
    Ok(())
}

/// A program with the functions of the library that are best said in C, and where its function is then.
pub fn with_library(module: Module, function: FuncId) -> Result<(Module, FuncId), LinkError> {
    if !exec::models::prelude::is_needed(&module) {
        return Ok((module, function));
    }
    let label = module.function_label(function).to_owned();
    let linked = exec::models::prelude::link(module)?;
    let found = linked.functions.ids().find(|&id| linked.function_label(id) == label);
    Ok((linked, found.unwrap_or(function)))
}

/// Tests that are replayed at once.
const BATCH: usize = 4096;

/// How long native runs may take even if no time is left.
const LEAST: Duration = Duration::from_secs(2);

fn comes_to_an_end(test: &Test) -> bool {
    is_too_deep(test) || !matches!(test.outcome.end, case::End::Bound(_) | case::End::Unsupported(_))
}

fn is_beside(test: &Test) -> bool {
    matches!(test.outcome.end, case::End::Fault(FaultKind::OutOfBounds | FaultKind::UseAfterFree))
}

fn is_too_deep(test: &Test) -> bool {
    test.outcome.end == case::End::Bound(Limit::CallDepth)
}

/// An outcome for people; `reading` is that of the result, `changes` what has other values afterwards.
pub(crate) fn report_outcome(
    outcome: &Outcome,
    end: &End,
    reading: Reading,
    changes: Vec<NamedValue>,
) -> report::explore::Outcome {
    let result = match (end, reading) {
        (End::Returned(None), _) | (End::Fault { .. } | End::Exited(_), _) => None,
        (End::Returned(Some(_)), Reading::None) => Some(datum(&outcome.result)),
        (End::Returned(Some(_)), reading) => Some(crate::suite::show::value(&outcome.result, reading)),
        _ => None,
    };
    let calls = outcome.calls.iter().filter(|call| !makes_input(&call.function)).map(|call| {
        let args: Vec<String> = call.args.iter().map(datum).collect();
        format!("{}({})", call.function, args.join(", "))
    });
    let mut shown = report::explore::Outcome {
        words: String::new(),
        result,
        changed: changes.into_iter().map(|(name, value)| report::explore::Input { name, value }).collect(),
        stdout: outcome.stdout.escape_ascii().to_string(),
        stderr: outcome.stderr.escape_ascii().to_string(),
        calls: calls.collect(),
    };
    shown.words = words(&shown, outcome, end);
    shown
}

/// Changes that are said in words; the others are counted.
const SAID: usize = 8;

fn words(shown: &report::explore::Outcome, outcome: &Outcome, end: &End) -> String {
    let mut parts = Vec::new();
    match (end, &shown.result) {
        (End::Returned(_), Some(value)) => parts.push(format!("returns {value}")),
        (End::Returned(_), None) => {}
        (End::Exited(_), _) => parts.push(match &outcome.end {
            case::End::Exited(code) => format!("exits with {code}"),
            _ => "exits".to_owned(),
        }),
        (End::Fault { kind, detail, .. }, _) if detail.is_empty() => return fault_name(*kind).to_owned(),
        (End::Fault { kind, detail, .. }, _) => return format!("{}: {detail}", fault_name(*kind)),
        (End::Scope { what, .. }, _) => return format!("leaves the scope: {what}"),
        (End::Bound { what, .. }, _) => return format!("stops at the bound: {what}"),
        (End::Unsupported { what, .. }, _) => return format!("stops at what is not supported: {what}"),
        (End::Left, _) => return "not followed to its end".to_owned(),
    }
    parts.extend(shown.changed.iter().take(SAID).map(|change| format!("{} = {}", change.name, change.value)));
    if shown.changed.len() > SAID {
        parts.push(format!("{} more changes", shown.changed.len() - SAID));
    }
    for (verb, text) in [("prints", &shown.stdout), ("reports", &shown.stderr)] {
        if !text.is_empty() {
            parts.push(format!("{verb} \"{text}\""));
        }
    }
    parts.extend(shown.calls.iter().map(|call| format!("calls {call}")));
    if parts.is_empty() { "returns".to_owned() } else { parts.join(", ") }
}

/// A value in words. Numbers are shown signed, as most are.
pub fn datum(datum: &Datum) -> String {
    match datum {
        Datum::Bits(bits) if bits.width == 1 => (if bits.low() == 1 { "true" } else { "false" }).to_owned(),
        Datum::Bits(bits) if bits.width <= 64 => smt::expr::signed(bits.low(), bits.width).to_string(),
        Datum::Bits(bits) => format!("{:#x}", bits.low_128()),
        Datum::Pointer(Target::Null) => "NULL".to_owned(),
        Datum::Pointer(Target::Object { index, offset }) => format!("&object {index} + {offset}"),
        // A constant that is known by its text.
        Datum::Pointer(Target::Symbol { name, offset: 0 }) if name.starts_with('"') => {
            name.strip_suffix("\\x00\"").map_or_else(|| name.clone(), |text| format!("{text}\""))
        }
        Datum::Pointer(Target::Symbol { name, offset: 0 }) => format!("&{name}"),
        Datum::Pointer(Target::Symbol { name, offset }) => format!("&{name} + {offset}"),
        Datum::Pointer(Target::Own) => "a pointer".to_owned(),
        Datum::Pointer(Target::Address(address)) => format!("{address:#x}"),
        Datum::Many(parts) => format!("{{{}}}", parts.iter().map(self::datum).collect::<Vec<_>>().join(", ")),
        Datum::Any => "any value".to_owned(),
    }
}

/// What a fault is called.
pub fn fault_name(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::NullPointer => "null pointer",
        FaultKind::OutOfBounds => "out of bounds",
        FaultKind::WildPointer => "wild pointer",
        FaultKind::UseAfterFree => "use after free",
        FaultKind::DoubleFree => "double free",
        FaultKind::InvalidFree => "invalid free",
        FaultKind::ReadOnly => "write to read-only memory",
        FaultKind::Division => "division",
        FaultKind::Unreachable => "unreachable code reached",
        FaultKind::Assertion => "assertion failed",
        FaultKind::Panic => "panic",
        FaultKind::Abort => "abort",
        FaultKind::Uncaught => "uncaught exception",
        FaultKind::Overflow => "signed overflow",
        FaultKind::Shift => "shift out of range",
        FaultKind::Conversion => "conversion out of range",
        FaultKind::Uninitialized => "uninitialised value",
        FaultKind::BadCall => "bad call",
        FaultKind::StackOverflow => "stack overflow",
    }
}

/// A location as file and line; that of the call if the code was inlined is not asked for here.
pub fn place(module: &Module, at: LocId) -> Option<Place> {
    let location = &module.debug.locations[at];
    let file = module.debug.file_of(location.scope?)?;
    (location.line != 0).then(|| Place {
        file: module.debug.file_path(&module.strings, file),
        line: location.line,
        column: location.column,
    })
}

/// Where a function begins.
pub fn function_place(module: &Module, id: FuncId) -> Option<Place> {
    let scope = module.functions[id].scope?;
    let file = module.debug.file_of(scope)?;
    Some(Place {
        file: module.debug.file_path(&module.strings, file),
        line: module.debug.scopes[scope].line,
        column: 0,
    })
}
