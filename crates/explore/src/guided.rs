//! One path for each class of inputs that dependence tells apart.
//!
//! Each run has slices that are to be covered ([`Strategy`]): for DGSE those of all that was executed, for symbolic
//! output that of the outputs. The conditions of a slice describe a class of inputs, all of which compute the same there.
//! To find the other classes, the turns of a slice are put in an order with the prefix property
//! ([`Trace::reordered`]) and each is flipped behind its prefix, as in plain concolic testing: a *task* is a prefix and
//! another side of the turn behind it. The solver finds an input for a task, that is run, and its slices make new tasks.
//! What no condition is about keeps its value from the run that made the task.
//!
//! Tasks and classes are named by execution indices, so the same task is done once whichever slice it came from, and not
//! at all if a run has covered it by chance. That shares runs among slices: the DGSE paper's six paths where symbolic
//! output, applied to each statement alone, needs eight.
//!
//! *Ends.* Nothing depends on having passed by an end (see [`crate::dependence`]), so the input of a task may end before it
//! gets to the turn that it is for: in a fault, in `exit`, or outside of what is looked at. That run is no less a path,
//! and the task is tried again without the inputs that end there: the condition of the slice of that end is excluded.
//! This goes on until the turn is taken and what has the slice was passed, or no input is left, so nothing is lost.
//! Conditions of ends that every input of a task must pass are part of its question from the beginning. For the same
//! reason a slice is covered behind each turn that passed by an end: computing something and ending right before it are
//! not the same.

use crate::concolic::{self, Question, Run};
use crate::dependence::{Trace, Turn, trace};
use crate::dgse::{self, Dgse};
use crate::directed::Trail;
use crate::options::Options;
use crate::order::Frontier;
use crate::output::{self, Criterion};
use crate::reuse::Old;
use crate::sets::Sets;
use crate::statics::Statics;
use crate::{Ended, Exploration, Stats, Stopped, Undecided};
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
    turns: Vec<Turn>,
    sets: Sets,
    values: Rc<Model>,
    /// When each instruction was first executed.
    first: FxHashMap<(FuncId, u32), u32>,
}

/// A slice with its turns in the order in which they are flipped.
struct Ordered {
    turns: Rc<[u32]>,
    /// Names the class of inputs.
    class: u128,
    /// Names what the slice is behind.
    key: u128,
    /// The last event that has this slice.
    until: u32,
}

/// Something to be tried: the turns of a prefix, and another side of the one behind it.
#[derive(Clone)]
struct Task {
    seen: Rc<Seen>,
    /// Turns in order.
    order: Rc<[u32]>,
    /// Which of them is flipped.
    at: usize,
    side: u32,
    /// The name of the class.
    key: u128,
    /// The last event of the run that has the slice.
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
    asked: FxHashSet<u128>,
    covered: FxHashSet<u128>,
    /// Classes of slices that some run has shown.
    classes: FxHashSet<u128>,
    undecided: BTreeMap<(Undecided, Option<LocId>), u64>,
    stats: Stats,
}

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
        covered: FxHashSet::default(),
        classes: FxHashSet::default(),
        undecided: BTreeMap::new(),
        stats: Stats::default(),
    };
    let mut paths = Vec::new();
    let stopped = search.explore(&mut paths, &mut look).err();
    search.stats.solver = search.chain.stats;
    Exploration { paths, undecided: search.undecided, stats: search.stats, stopped }
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
            self.options.progress.open.store(self.tasks.len() as u64, Ordering::Relaxed);
            if self.is_literal() || !self.covered.contains(&task.key) {
                self.attempt(&task, paths, look)?;
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
                        self.note(Undecided::Solver, None);
                        return Ok(());
                    }
                }
            }
            let (run, mut trace) = self.run(path.values.clone())?;
            if !run.outside {
                self.take(None, run, trace, paths, look);
                return Ok(());
            }
            excluded.push(self.outside_of_end(&run, &mut trace));
            self.take(None, run, trace, paths, look);
        }
        self.note(Undecided::Bound("inputs that are none".to_owned()), None);
        Ok(())
    }

    /// Looks for an input for a task and runs it.
    fn attempt<R>(
        &mut self,
        task: &Task,
        paths: &mut Vec<R>,
        look: &mut impl FnMut(Ended, &Run, &mut Trace) -> R,
    ) -> Result<(), Stopped> {
        let turn = &task.seen.turns[task.order[task.at] as usize];
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
                    self.stats.infeasible += 1;
                    return Ok(());
                }
                Err(()) => {
                    self.note(Undecided::Solver, at);
                    return Ok(());
                }
            }
        }
        for _ in 0..MOST_TRIES {
            let (run, mut trace) = self.run(path.values.clone())?;
            let arrived = trace.turns.iter().any(|other| other.index == turn.index && other.side == task.side);
            let early = ends_early(task, &run);
            let excluded = self.outside_of_end(&run, &mut trace);
            self.take(Some(task), run, trace, paths, look);
            if self.covered.contains(&task.key) || arrived && !early {
                return Ok(());
            }
            if !early || excluded.is_false() {
                // Dependence was to make sure that it gets there.
                self.note(Undecided::Bound("a path that went another way than expected".to_owned()), at);
                return Ok(());
            }
            match self.ask(&path, excluded) {
                Ok(Some(grown)) => path = grown,
                Ok(None) => {
                    self.stats.infeasible += 1;
                    return Ok(());
                }
                Err(()) => {
                    self.note(Undecided::Solver, at);
                    return Ok(());
                }
            }
        }
        self.note(Undecided::Bound("inputs that end on the way".to_owned()), at);
        Ok(())
    }

    /// What the inputs of a task have in common before its turn: its prefix, and ends that they all come by. Those are the
    /// ends before what has the slice. Where all ends are outputs there are none: inputs that end are wanted as well.
    fn conditions(&self, task: &Task) -> Vec<Expr> {
        let Seen { questions, turns, sets, .. } = &*task.seen;
        let flipped = task.order[task.at];
        let turn = &turns[flipped as usize];
        let until = match self.strategy {
            Strategy::Output { criterion: Criterion::All, .. } => 0,
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
            if turn.passes_end && is_new && sets.is_subset(turn.slice, &prefix) {
                conditions.extend(condition(number));
            }
        }
        conditions
    }

    /// What inputs fulfil that do not end as this run did.
    fn outside_of_end(&mut self, run: &Run, trace: &mut Trace) -> Expr {
        let mut all = Expr::bool(true);
        let Some(&slice) = trace.slices.last() else { return Expr::bool(false) };
        for &turn in trace.sets.get(slice).iter() {
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

    /// Makes tasks of a run that was made for a task, and hands it out if it covers something new.
    fn take<R>(
        &mut self,
        task: Option<&Task>,
        run: Run,
        mut trace: Trace,
        paths: &mut Vec<R>,
        look: &mut impl FnMut(Ended, &Run, &mut Trace) -> R,
    ) {
        match &run.end {
            End::Scope { what, .. } if run.outside && what.starts_with("inputs that") => {}
            End::Scope { what, at, .. } => self.note(Undecided::Scope(what.clone()), *at),
            End::Bound { what, at } => self.note(Undecided::Bound(what.clone()), *at),
            End::Unsupported { what, at } => self.note(Undecided::Unsupported(what.clone()), *at),
            _ => {}
        }
        let orders = self.orders(task, &run, &mut trace);
        if !run.outside {
            let path = run.path(&self.worker, &mut self.chain);
            let mut is_new = self.covered.insert(0) || self.is_literal();
            is_new |= self.covers_something(&trace, &orders);
            if is_new {
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
                };
                paths.push(look(ended, &run, &mut trace));
            }
        }
        let mut first = FxHashMap::default();
        for (event, happened) in (0u32..).zip(&run.log.events) {
            first.entry((happened.function, happened.at)).or_insert(event);
        }
        let Trace { turns, sets, .. } = trace;
        let seen = Rc::new(Seen { questions: run.questions, turns, sets, values: run.values, first });
        self.add_tasks(&seen, &orders);
    }

    /// The slices of a run that are to be covered, in the order of flipping.
    fn orders(&self, task: Option<&Task>, run: &Run, trace: &mut Trace) -> Vec<Ordered> {
        let until = run.log.events.len() as u32;
        match self.strategy {
            Strategy::Full => {
                let turns: Rc<[u32]> = (0..trace.turns.len() as u32).collect();
                let literals = trace.turns.iter().filter(|turn| turn.question.is_some());
                let class = literals.fold(0, |key: u128, turn| key.wrapping_add(turn.literal(turn.side)));
                vec![Ordered { turns, class, key: 0, until }]
            }
            Strategy::Dgse(dgse) => {
                let wanted = dgse::criteria(self.program, dgse, run, trace);
                let ordered = |wanted: &dgse::Wanted| Ordered {
                    turns: trace.reordered(wanted.slice, &[], false).into(),
                    class: trace.class(wanted.slice),
                    key: wanted.behind.map_or(0, |turn| {
                        let turn = &trace.turns[turn as usize];
                        turn.literal(turn.side).rotate_left(64)
                    }),
                    until: wanted.until,
                };
                wanted.iter().map(ordered).collect()
            }
            Strategy::Output { criterion, reorder } => {
                let slice = output::criterion(self.program, criterion, run, trace);
                let turns = if *reorder {
                    trace.reordered(slice, &settled(task, trace), *criterion == Criterion::All).into()
                } else {
                    trace.sets.get(slice).clone()
                };
                vec![Ordered { turns, class: trace.class(slice), key: 0, until }]
            }
        }
    }

    /// Whether a run covers a class that no run before did; from now on it is covered.
    fn covers_something(&mut self, trace: &Trace, orders: &[Ordered]) -> bool {
        let mut is_new = false;
        for order in orders {
            let mut key = order.key;
            for &turn in order.turns.iter() {
                let turn = &trace.turns[turn as usize];
                if turn.question.is_some() {
                    key = key.wrapping_add(turn.literal(turn.side));
                    self.covered.insert(key);
                }
            }
            // A path is new if a slice is, whole; behind which turns it is does not matter.
            is_new |= self.classes.insert(order.class);
        }
        is_new
    }

    fn add_tasks(&mut self, seen: &Rc<Seen>, orders: &[Ordered]) {
        let literal = self.is_literal();
        let mut tasks = Vec::new();
        for order in orders {
            let mut key = order.key;
            for (at, &turn) in order.turns.iter().enumerate() {
                let turn = &seen.turns[turn as usize];
                let Some(question) = turn.question else { continue };
                let sides = seen.questions[question as usize].choice.conditions.len() as u32;
                for side in (0..sides).filter(|&side| side != turn.side && !turn.assumed) {
                    let key = key.wrapping_add(turn.literal(side));
                    if (literal || !self.covered.contains(&key)) && self.asked.insert(key) {
                        let (seen, until) = (seen.clone(), order.until);
                        tasks.push(Task { seen, order: order.turns.clone(), at, side, key, until });
                    }
                }
                key = key.wrapping_add(turn.literal(turn.side));
            }
        }
        // Depth first means the deepest turn first, as the papers have it.
        self.tasks.add(tasks.into_iter().rev());
    }

    fn note(&mut self, what: Undecided, at: Option<LocId>) {
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

/// The turns that a run was to take, in the order of its task. Its own come behind them: other runs behind the same
/// turns are to meet the same ones next, or they would flip them in different orders and lose combinations.
fn settled(task: Option<&Task>, trace: &Trace) -> Vec<u32> {
    let Some(task) = task else { return Vec::new() };
    let numbers: FxHashMap<(u128, u32), u32> =
        (0u32..).zip(&trace.turns).map(|(number, turn)| ((turn.index, turn.side), number)).collect();
    let turns = &task.seen.turns;
    let prefix = task.order[..task.at].iter().map(|&turn| &turns[turn as usize]);
    let flipped = &turns[task.order[task.at] as usize];
    let wanted = prefix.map(|turn| (turn.index, turn.side, turn.question.is_some()));
    let wanted = wanted.chain([(flipped.index, task.side, true)]);
    let mut settled = Vec::with_capacity(task.at + 1);
    for (index, side, asked) in wanted {
        match numbers.get(&(index, side)) {
            Some(&number) => settled.push(number),
            // It ended before it came there.
            None if asked => return Vec::new(),
            None => {}
        }
    }
    settled
}
