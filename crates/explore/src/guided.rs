//! One path for each class of inputs that dependence tells apart.
//!
//! Each run has slices that are to be covered ([`Strategy`]): for DGSE those of all that was executed, for symbolic
//! output that of the outputs. The conditions of a slice describe a class of inputs, all of which compute the same there.
//! To find the other classes, the turns of a slice are put in an order with the prefix property
//! ([`Trace::reordered`]) and each is flipped behind its prefix, as in plain concolic testing: a *task* is a prefix and
//! another side of the turn behind it. The solver finds an input for a task, that is run, and its slices make new tasks.
//! What no condition is about keeps its value from the run that made the task.
//!
//! *Trees.* What a slice is of is named by execution indices, the same on all paths ([`Trace::names`]), and the tasks of
//! one name make a tree: a run that was made for a task keeps the turns of the task in front, and its own come behind them.
//! Every input that computes the thing at all then agrees with the first run, or with one that was made for the first turn
//! on which it differs, and so on until it agrees with a run in all turns: then that run has its class. For that, what a
//! thing is executed under comes first of all, so that every run of its tree executes it. Were each run to flip in an
//! order of its own, combinations would be lost.
//!
//! A task that some run fulfils already needs no other one, whatever that run was made for. That shares runs among slices:
//! the DGSE paper's six paths where symbolic output, applied to each statement alone, needs eight.
//!
//! *Ends.* Nothing depends on having passed by an end (see [`crate::dependence`]), so the input of a task may end before it
//! gets to the turn that it is for: in a fault, in `exit`, or outside of what is looked at. That run is no less a path,
//! and the task is tried again without the inputs that end there: the condition of the slice of that end is excluded.
//! This goes on until the turn is taken and what has the slice was passed, or no input is left, so nothing is lost.
//! Conditions of ends that every input of a task must pass are part of its question from the beginning. For the same
//! reason a slice is covered behind each turn at which the run could have ended: computing something and ending right
//! before it are not the same.

mod spread;

use crate::concolic::{self, Question, Run};
use crate::dependence::{Named, Trace, trace};
use crate::dgse::{self, Dgse};
use crate::directed::Trail;
use crate::estimate::{Allowance, guided_work, worth_after};
use crate::options::{GivesWay, Options};
use crate::order::Frontier;
use crate::output::{self, Criterion};
use crate::reuse::Old;
use crate::sets::{SetId, Sets};
use crate::statics::Statics;
use crate::{Ended, Exploration, Stats, Stopped, Written};
use evidence::{Assumption, Gap};
use exec::entry::Entry;
use exec::list::List;
use exec::program::Program;
use exec::run::Worker;
use exec::state::End;
use ir::id::{FuncId, LocId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::eval::Model;
use smt::expr::Expr;
use smt::solver::chain::{Chain, Path};
use spread::Shown;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Which classes of inputs are told apart.
#[derive(Clone, Debug)]
pub enum Strategy {
    /// By the whole path: plain concolic testing.
    Full,
    /// By what any statement computes.
    Dgse(Dgse),
    /// By what the outputs are.
    Output {
        /// Which outputs.
        criterion: Criterion,
        /// Whether turns are reordered. Without it classes are lost, and others are visited several times.
        reorder: bool,
    },
}

/// A run as the search keeps it.
struct Seen {
    questions: Vec<Question>,
    /// Turns and sets; events are forgotten.
    trace: Trace,
    values: Rc<Model>,
    /// When each instruction was first executed.
    first: FxHashMap<(FuncId, u32), u32>,
    /// Turns by their literals.
    numbers: FxHashMap<u128, u32>,
    /// The things that have slices, by name.
    things: FxHashMap<u128, Thing>,
}

/// Something in a run that has a slice.
#[derive(Clone, Copy)]
struct Thing {
    slice: SetId,
    /// The slice of what it is executed under.
    under: SetId,
    /// Its event.
    event: u32,
    /// The name of the instruction if it is a question of one.
    instance: u128,
}

/// Something to be tried: the turns of a prefix, and another side of the one behind it.
#[derive(Clone)]
struct Task {
    seen: Rc<Seen>,
    /// The thing whose slice it is.
    name: u128,
    instance: u128,
    /// Turns in order.
    order: Rc<[u32]>,
    /// Which of them is flipped.
    at: usize,
    side: u32,
    /// The event of the thing.
    until: u32,
}

struct Search<'a, 'p> {
    program: &'p Program,
    entry: &'a Entry,
    strategy: &'a Strategy,
    options: &'a Options,
    worker: Worker<'p>,
    chain: Chain,
    statics: Statics<'p>,
    tasks: Frontier<Task>,
    /// Tasks that were made: the thing, and the literals together.
    asked: FxHashSet<(u128, u128)>,
    /// Tasks that no input fulfils.
    infeasible: FxHashSet<u128>,
    /// Runs by the literals of their turns.
    holders: FxHashMap<u128, Vec<Rc<Seen>>>,
    /// Classes of slices that some run has shown; of a change, of things with their names.
    classes: FxHashSet<u128>,
    shown: Shown,
    undecided: BTreeMap<(Gap, Option<LocId>), u64>,
    stats: Stats,
    allowance: Option<Allowance<'p>>,
    /// Steps of the search for tasks.
    steps: u64,
}

/// The name of the outputs.
const OUTPUTS: u128 = 0;

/// Steps of bringing a turn of a slice into its order.
const STEPS_OF_A_TURN: usize = 8;

/// How often a task is tried again without inputs that end early.
const MOST_TRIES: usize = 256;

/// Explores a program by classes of inputs, handing out a path for each.
pub fn explore<R>(
    program: &Program,
    entry: &Entry,
    strategy: &Strategy,
    options: &Options,
    chain: Chain,
    mut look: impl FnMut(Ended, &Run, &mut Trace) -> R,
) -> Exploration<R> {
    let mut search = Search {
        program,
        entry,
        strategy,
        options,
        worker: Worker::new(program, entry.shell.is_none()),
        chain,
        statics: Statics::new(program, entry),
        tasks: Frontier::new(options.order),
        asked: FxHashSet::default(),
        infeasible: FxHashSet::default(),
        holders: FxHashMap::default(),
        classes: FxHashSet::default(),
        shown: Shown::default(),
        undecided: BTreeMap::new(),
        stats: Stats::default(),
        allowance: (options.gives_way == GivesWay::ToFull).then(|| Allowance::new(program, entry, options)),
        steps: 0,
    };
    let mut paths = Vec::new();
    let stopped = search.explore(&mut paths, &mut look).err();
    search.stats.solver = search.chain.stats;
    Exploration { paths, undecided: search.undecided, stats: search.stats, stopped }
}

/// Explores by classes of inputs unless full exploration is less work; whether that took over.
///
/// Guided exploration begins. Where it is given up, `full` explores; if that was little, guided exploration may take
/// longer for the sake of fewer paths.
pub fn or_full<R>(
    guided: impl Fn(&Options) -> Exploration<R>,
    full: impl FnOnce() -> Exploration<R>,
    options: &Options,
) -> (Exploration<R>, bool) {
    let first = guided(&Options { gives_way: GivesWay::ToFull, ..options.clone() });
    if first.stopped != Some(Stopped::NoGain) {
        return (first, false);
    }
    let all = full();
    if all.stopped.is_none()
        && let Some(most) = worth_after(&all.stats)
    {
        let again = guided(&Options { gives_way: GivesWay::After(most), ..options.clone() });
        if again.stopped.is_none() {
            return (again, false);
        }
    }
    (all, true)
}

impl Search<'_, '_> {
    fn explore<R>(
        &mut self,
        paths: &mut Vec<R>,
        look: &mut impl FnMut(Ended, &Run, &mut Trace) -> R,
    ) -> Result<(), Stopped> {
        self.first(paths, look)?;
        while let Some(task) = self.tasks.next(|_| false) {
            if let Some(stopped) = self.options.stop() {
                return Err(stopped);
            }
            if paths.len() as u64 >= self.options.max_paths {
                return Err(Stopped::Paths);
            }
            let work = guided_work(&self.stats, &self.chain, self.steps);
            let allows = match (self.options.gives_way, &mut self.allowance) {
                (GivesWay::After(most), _) => work <= most as f64,
                (_, Some(allowance)) => allowance.allows(work),
                (_, None) => true,
            };
            if !allows {
                return Err(Stopped::NoGain);
            }
            self.options.progress.open.store(self.tasks.len() as u64, Ordering::Relaxed);
            match self.holder(&task) {
                Some(seen) => self.grow(&seen, &task),
                None => self.attempt(&task, paths, look)?,
            }
        }
        Ok(())
    }

    /// Whether the paper's algorithm without reordering runs as it is written.
    fn is_literal(&self) -> bool {
        matches!(self.strategy, Strategy::Output { reorder: false, .. })
    }

    /// Runs the first input that is valid.
    fn first<R>(
        &mut self,
        paths: &mut Vec<R>,
        look: &mut impl FnMut(Ended, &Run, &mut Trace) -> R,
    ) -> Result<(), Stopped> {
        let mut excluded: Vec<Expr> = Vec::new();
        for _ in 0..MOST_TRIES {
            let mut path = Path::new();
            for &condition in &excluded {
                match self.ask(&path, condition) {
                    Ok(Some(grown)) => path = grown,
                    // No input is valid, or nobody knows one.
                    Ok(None) => return Ok(()),
                    Err(()) => {
                        self.note(Gap::Solver, None);
                        return Ok(());
                    }
                }
            }
            let (run, mut trace) = self.run(path.values.clone())?;
            if !run.outside {
                self.take(true, run, trace, paths, look);
                return Ok(());
            }
            excluded.push(self.outside_of_end(&run, &mut trace));
            self.take(true, run, trace, paths, look);
        }
        self.note(Gap::Bound { limit: "inputs that are none".into() }, None);
        Ok(())
    }

    /// Looks for an input for a task and runs it.
    fn attempt<R>(
        &mut self,
        task: &Task,
        paths: &mut Vec<R>,
        look: &mut impl FnMut(Ended, &Run, &mut Trace) -> R,
    ) -> Result<(), Stopped> {
        let turn = &task.seen.trace.turns[task.order[task.at] as usize];
        let Some(question) = turn.question.map(|question| &task.seen.questions[question as usize]) else {
            return Ok(());
        };
        let Some(&wanted) = question.choice.conditions.get(task.side as usize) else { return Ok(()) };
        let at = question.choice.at;
        let mut conditions = self.conditions(task);
        conditions.push(wanted);
        let mut path = Path::beginning_with(task.seen.values.clone());
        for condition in conditions {
            match self.ask(&path, condition) {
                Ok(Some(grown)) => path = grown,
                Ok(None) => {
                    self.is_infeasible(task);
                    return Ok(());
                }
                Err(()) => {
                    self.note(Gap::Solver, at);
                    return Ok(());
                }
            }
        }
        for _ in 0..MOST_TRIES {
            let (run, mut trace) = self.run(path.values.clone())?;
            let has_thing =
                task.name == OUTPUTS || trace.names(&run).iter().any(|named| named.instance == task.instance);
            let early = ends_early(task, &run);
            let excluded = self.outside_of_end(&run, &mut trace);
            let seen = self.take(false, run, trace, paths, look);
            // A run that ends has outputs too: those of inputs that end the same way are found from there.
            let fulfilled = has_thing && takes_turns(&seen, task);
            if fulfilled || task.name == OUTPUTS {
                self.grow(&seen, task);
            }
            if fulfilled {
                return Ok(());
            }
            if !early || excluded.is_false() {
                // Dependence was to make sure that it gets there.
                self.note(Gap::Bound { limit: "a path that went another way than expected".into() }, at);
                return Ok(());
            }
            match self.ask(&path, excluded) {
                Ok(Some(grown)) => path = grown,
                Ok(None) => {
                    self.is_infeasible(task);
                    return Ok(());
                }
                Err(()) => {
                    self.note(Gap::Solver, at);
                    return Ok(());
                }
            }
        }
        self.note(Gap::Bound { limit: "inputs that end on the way".into() }, at);
        Ok(())
    }

    /// Counts a task that no input fulfils, once whatever it is for.
    fn is_infeasible(&mut self, task: &Task) {
        let key = literals(task).fold(0, |key: u128, (literal, _)| key.wrapping_add(literal));
        self.stats.infeasible += u64::from(self.infeasible.insert(key));
    }

    /// A run that fulfils a task already.
    fn holder(&mut self, task: &Task) -> Option<Rc<Seen>> {
        let lists = literals(task).filter(|(_, asked)| *asked).map(|(literal, _)| self.holders.get(&literal));
        let shortest = lists.min_by_key(|list| list.map_or(0, Vec::len))??;
        self.steps += (shortest.len() + task.at) as u64;
        shortest.iter().find(|seen| fulfils(seen, task)).cloned()
    }

    /// What the inputs of a task have in common before its turn: its prefix, and ends that they all come by. Those are the
    /// ends before what has the slice. Where all ends are outputs there are none: inputs that end are wanted as well.
    fn conditions(&self, task: &Task) -> Vec<Expr> {
        let Seen { questions, trace: Trace { turns, sets, .. }, .. } = &*task.seen;
        let flipped = task.order[task.at];
        let turn = &turns[flipped as usize];
        let until = match self.strategy {
            Strategy::Output { criterion, .. } if criterion.has_ends() => 0,
            _ if turn.passes_end => turn.event,
            _ => task.until,
        };
        let condition = |turn: u32| {
            let question = turns[turn as usize].question?;
            Some(questions[question as usize].condition())
        };
        let mut prefix: Vec<u32> = task.order[..task.at].to_vec();
        let mut conditions: Vec<Expr> = prefix.iter().filter_map(|&turn| condition(turn)).collect();
        prefix.sort_unstable();
        for (number, turn) in (0u32..).zip(turns).take_while(|(_, turn)| turn.event <= until) {
            let is_new = number != flipped && prefix.binary_search(&number).is_err();
            let within = |turn: &u32| prefix.binary_search(turn).is_ok();
            if turn.passes_end && is_new && sets.get(turn.slice).iter().all(within) {
                conditions.extend(condition(number));
            }
        }
        conditions
    }

    /// What inputs fulfil that do not end as this run did.
    fn outside_of_end(&mut self, run: &Run, trace: &mut Trace) -> Expr {
        let mut all = Expr::bool(true);
        let Some(&slice) = trace.slices.last() else { return Expr::bool(false) };
        for turn in trace.sets.get(slice) {
            if let Some(question) = trace.turns[turn as usize].question {
                all = self.worker.pool.and(all, run.questions[question as usize].condition());
            }
        }
        self.worker.pool.not(all)
    }

    fn run(&mut self, values: Rc<Model>) -> Result<(Run, Trace), Stopped> {
        let run = concolic::follow(&mut self.worker, &mut self.chain, self.entry, values, self.options)?;
        self.stats.instructions += run.state.steps;
        let trace = trace(self.program, &mut self.statics, &run);
        Ok((run, trace))
    }

    fn ask(&mut self, path: &Path, condition: Expr) -> Result<Option<Path>, ()> {
        let started = Instant::now();
        let answer = self.chain.extend(&self.worker.pool, path, condition).map_err(|_| ());
        self.stats.solver_nanos += started.elapsed().as_nanos() as u64;
        answer
    }

    /// Keeps a run, makes it the root of new trees, and hands it out if it covers something new.
    fn take<R>(
        &mut self,
        is_first: bool,
        run: Run,
        mut trace: Trace,
        paths: &mut Vec<R>,
        look: &mut impl FnMut(Ended, &Run, &mut Trace) -> R,
    ) -> Rc<Seen> {
        match &run.end {
            End::Scope { what: Assumption::HarnessInputs, .. } if run.outside => {}
            end => end.gap().into_iter().for_each(|gap| self.note(gap, end.at())),
        }
        let (things, wanted) = self.things(&run, &mut trace);
        if !run.outside {
            let named: Vec<(u128, SetId)> =
                wanted.iter().filter_map(|name| Some((*name, things.get(name)?.slice))).collect();
            let mut is_new = self.stats.paths == 0 || self.is_literal();
            // Of a change not all is searched for: an end between two things of one class may be there or not, and no other
            // thing tells.
            let is_partial = matches!(self.strategy, Strategy::Dgse(dgse) if dgse.since.is_some());
            for (name, slice) in &named {
                let class = trace.class(*slice);
                is_new |= self.classes.insert(if is_partial { class.wrapping_add(*name) } else { class });
            }
            if is_new {
                match self.spread(&run, &mut trace, &named) {
                    Some((run, mut trace, named)) => self.hand_out(&run, &mut trace, &named, paths, look),
                    None => self.hand_out(&run, &mut trace, &named, paths, look),
                }
            }
        }
        let mut first = FxHashMap::default();
        for (event, happened) in (0u32..).zip(&run.log.events) {
            first.entry((happened.function, happened.at)).or_insert(event);
        }
        trace.forget_events();
        let numbers = (0u32..).zip(&trace.turns).map(|(number, turn)| (turn.literal(turn.side), number)).collect();
        let seen = Rc::new(Seen { questions: run.questions, trace, values: run.values, first, numbers, things });
        if !run.outside && self.shares_runs() {
            for turn in seen.trace.turns.iter().filter(|turn| turn.question.is_some()) {
                self.holders.entry(turn.literal(turn.side)).or_default().push(seen.clone());
            }
        }
        // Outputs have one tree, which begins with the first run; other things may be new.
        if is_first || self.is_literal() || matches!(self.strategy, Strategy::Dgse(_)) {
            for name in wanted {
                self.add_tasks(&seen, name, &[]);
            }
        }
        seen
    }

    fn hand_out<R>(
        &mut self,
        run: &Run,
        trace: &mut Trace,
        named: &[(u128, SetId)],
        paths: &mut Vec<R>,
        look: &mut impl FnMut(Ended, &Run, &mut Trace) -> R,
    ) {
        // What was handed out in the place of another run may be this one.
        if self.spreads() && !self.shown.is_new(trace, named) {
            return;
        }
        let path = run.path(&self.worker, &mut self.chain);
        self.stats.paths += 1;
        self.options.progress.paths.fetch_add(1, Ordering::Relaxed);
        let ended = Ended {
            worker: &mut self.worker,
            chain: &mut self.chain,
            state: &run.state,
            path: &path,
            witness: &path,
            trail: &Trail::default(),
            end: &run.end,
            old: Old { tests: &[], same: false },
            marks: &List::default(),
            written: &mut Written::default(),
        };
        paths.push(look(ended, run, trace));
    }

    /// Whether a run may fulfil a task that it was not made for: not where whole paths are told apart.
    fn shares_runs(&self) -> bool {
        !self.is_literal() && !matches!(self.strategy, Strategy::Full)
    }

    /// The things of a run by name, and which of them have slices that are to be covered.
    fn things(&self, run: &Run, trace: &mut Trace) -> (FxHashMap<u128, Thing>, Vec<u128>) {
        let event = run.log.events.len() as u32;
        let outputs = |slice| {
            let thing = Thing { slice, under: Sets::EMPTY, event, instance: OUTPUTS };
            (FxHashMap::from_iter([(OUTPUTS, thing)]), vec![OUTPUTS])
        };
        match self.strategy {
            Strategy::Full => {
                let all = trace.sets.all(trace.turns.len() as u32);
                outputs(all)
            }
            Strategy::Output { criterion, .. } => outputs(output::criterion(self.program, criterion, run, trace)),
            Strategy::Dgse(dgse) => {
                let names = trace.names(run);
                let of_event: FxHashMap<u32, u128> = names.iter().map(|named| (named.event, named.name)).collect();
                let wanted = dgse::criteria(self.program, dgse, run, trace);
                let wanted = wanted.iter().filter_map(|wanted| of_event.get(&wanted.from).copied()).collect();
                let thing = |named: Named| {
                    let Named { event, name, instance } = named;
                    (name, Thing { slice: trace.slices[event as usize], under: trace.under(event), event, instance })
                };
                let things = names.into_iter().map(thing).filter(|(_, thing)| thing.slice != Sets::EMPTY);
                (things.collect(), wanted)
            }
        }
    }

    /// Goes on with the tree of a task's thing from a run that fulfils the task.
    fn grow(&mut self, seen: &Rc<Seen>, task: &Task) {
        let settled: Vec<u32> = literals(task).filter_map(|(literal, _)| seen.numbers.get(&literal).copied()).collect();
        self.add_tasks(seen, task.name, &settled);
    }

    /// Makes the tasks of a thing of a run behind turns that are settled.
    fn add_tasks(&mut self, seen: &Rc<Seen>, name: u128, settled: &[u32]) {
        let Some(&thing) = seen.things.get(&name) else { return };
        let trace = &seen.trace;
        let mut settled = settled.to_vec();
        if settled.is_empty() {
            // Whether it is executed is the matter of other things.
            settled = trace.reordered(thing.under, &[], false);
        }
        let order: Rc<[u32]> = match self.strategy {
            Strategy::Full | Strategy::Output { reorder: false, .. } => trace.sets.get(thing.slice).into(),
            Strategy::Output { criterion, .. } => trace.reordered(thing.slice, &settled, criterion.has_ends()).into(),
            Strategy::Dgse(_) => trace.reordered(thing.slice, &settled, false).into(),
        };
        self.steps += (order.len() * STEPS_OF_A_TURN) as u64;
        let mut tasks = Vec::new();
        let mut key = 0u128;
        for (at, &turn) in order.iter().enumerate() {
            let turn = &trace.turns[turn as usize];
            let Some(question) = turn.question else { continue };
            let sides = seen.questions[question as usize].choice.conditions.len() as u32;
            let open = at >= settled.len() && !turn.assumed;
            for side in (0..sides).filter(|&side| open && side != turn.side) {
                if self.asked.insert((name, key.wrapping_add(turn.literal(side)))) {
                    let (seen, order) = (seen.clone(), order.clone());
                    let Thing { event, instance, .. } = thing;
                    tasks.push(Task { seen, name, instance, order, at, side, until: event });
                }
            }
            key = key.wrapping_add(turn.literal(turn.side));
        }
        // Depth first means the deepest turn first, as the papers have it.
        self.tasks.add(tasks.into_iter().rev());
    }

    fn note(&mut self, what: Gap, at: Option<LocId>) {
        *self.undecided.entry((what, at)).or_default() += 1;
    }
}

/// Whether a run ended before it could get to what a task is for: somewhere that the run which made the task had passed
/// by then, or has never been.
fn ends_early(task: &Task, run: &Run) -> bool {
    if matches!(run.end, End::Returned(_)) {
        return false;
    }
    let Some(end) = run.log.events.last() else { return true };
    task.seen.first.get(&(end.function, end.at)).is_none_or(|&first| first <= task.until)
}

/// The literals of a task in order, and whether the input answers them; others follow from these.
fn literals(task: &Task) -> impl Iterator<Item = (u128, bool)> {
    let turns = &task.seen.trace.turns;
    let prefix = task.order[..task.at].iter().map(|&turn| &turns[turn as usize]);
    let prefix = prefix.map(|turn| (turn.literal(turn.side), turn.question.is_some()));
    let flipped = turns[task.order[task.at] as usize].literal(task.side);
    prefix.chain([(flipped, true)])
}

/// Whether a run takes all turns of a task and gets to what it is for.
fn fulfils(seen: &Seen, task: &Task) -> bool {
    seen.things.contains_key(&task.name) && takes_turns(seen, task)
}

fn takes_turns(seen: &Seen, task: &Task) -> bool {
    literals(task).all(|(literal, asked)| !asked || seen.numbers.contains_key(&literal))
}
