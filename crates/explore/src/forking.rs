//! The driver that follows every feasible side of every decision.
//!
//! A state runs until it asks. The chain of solvers says which sides can be taken; one side goes on in the same state,
//! the others in copies. A decision with one feasible side adds nothing to the path's condition.

use crate::contexts::Contexts;
use crate::directed::{Completion, Steer, Trail};
use crate::done::Done;
use crate::literal::Search;
use crate::options::{Options, Order};
use crate::order::Frontier;
use crate::prefix::{Decision, Key};
use crate::pursuit::Pursuit;
use crate::reuse::{Guide, Old, Standing, Taken};
use crate::rounds::goes_on_for_ever;
use crate::tree::{self, Mark, MarkKind, NodeId, Tree};
use crate::{Ended, Exploration, Stats, Stopped, Written};
use evidence::{Assumption, Gap, Limit};
use exec::entry::Entry;
use exec::given::Places;
use exec::list::List;
use exec::run::Worker;
use exec::state::{Choice, ChoiceKind, End, State, Stop};
use exec::step::execute;
use ir::id::{FuncId, LocId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::expr::Expr;
use smt::pool::polynomial::normals;
use smt::solver::Reason;
use smt::solver::chain::{Branch, Chain, Path};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// An open state: a program that runs, and the condition under which it does.
#[derive(Clone)]
pub struct Open {
    /// The program.
    pub state: State,
    /// The condition.
    pub path: Path,
    /// How it came here.
    pub decisions: List<Decision>,
    /// Decisions that are still to be repeated before it is new, the next one last.
    pub repeat: Vec<Decision>,
    /// What it remembers of its way if it is directed.
    pub trail: Trail,
    /// Older tests that may still go its way.
    pub standing: Standing,
    /// Its decisions as a tree of paths has them, if one is written down.
    pub marks: List<Mark>,
    /// Where it stands among the paths of an interrupted run.
    pub done: Option<NodeId>,
    /// How many long turns it had.
    pub turns: u32,
}

impl Open {
    /// A state that has decided nothing yet.
    pub fn new(state: State, path: Path) -> Open {
        let (decisions, repeat, marks) = Default::default();
        let (trail, standing) = Default::default();
        Open { state, path, decisions, repeat, trail, standing, marks, done: None, turns: 0 }
    }
}

/// One worker's exploration.
pub struct Explorer<'p, 'o> {
    /// Expressions and inputs.
    pub worker: Worker<'p>,
    /// Solvers.
    pub chain: Chain,
    /// Open states.
    pub frontier: Frontier<Open>,
    /// What was not decided.
    pub undecided: BTreeMap<(Gap, Option<LocId>), u64>,
    /// Conditions of paths that were given up, as long as there are few, if anybody wants to know them.
    pub(crate) given_up: Option<Vec<Rc<Vec<Expr>>>>,
    /// Figures.
    pub stats: Stats,
    /// Branches that directed runs decide although they could be skipped.
    pub(crate) forced: Vec<(FuncId, u32)>,
    /// Whether directed runs skip nothing: all that they do is to leave what is not affected.
    pub(crate) plain: bool,
    /// Whether the instruction that asks is affected, in directed runs.
    pub(crate) asks_affected: bool,
    /// How often each branch was skipped, and how often it turned out to matter.
    pub(crate) tries: FxHashMap<(FuncId, u32), (u32, u32)>,
    /// What the change means to the calls of directed runs.
    pub(crate) contexts: Contexts,
    /// The goal, if there is one.
    pub(crate) pursuit: Option<Pursuit>,
    /// What the papers' own directed search has explored.
    pub(crate) search: Search,
    /// Older tests, if there are any.
    pub guide: Option<Box<Guide<'o>>>,
    /// Paths of this very exploration that an interrupted run found.
    pub done: Option<&'o Done>,
    /// Subtrees that were taken over: how they are reached, and where they are from.
    pub(crate) taken: Vec<(List<Decision>, Taken<NodeId>)>,
    /// The tree of paths, if it is to be written down.
    pub recorder: Option<Tree>,
    /// Whether paths are handed out with their decisions.
    pub wants_marks: bool,
    /// Which path was written down last.
    pub written: Written,
    /// What was not decided since the tree was last written: at which decision, what and where.
    pub(crate) noted: Vec<(usize, Gap, Option<LocId>)>,
    pub(crate) places: Places,
    /// Whether states of another frontier wait too.
    pub(crate) others_wait: bool,
    options: &'o Options,
    covered: FxHashSet<(FuncId, u32)>,
    decisions: u32,
    /// Both sides of a decision between two, of which there are many.
    both: Arc<[u32]>,
}

/// Instructions between two looks at the clock.
const SLICE: u64 = 100_000;

/// Instructions of the first turn of a state that does not fork on its way; each later turn is twice as long as the one before.
const TURN: u64 = 50_000;

/// Instructions after which a path may be one that never ends; then eight times as many, and so on. They are counted from the
/// beginning of the path, so that nothing depends on which part of the tree a worker began with.
const WATCHED: u64 = 20_000;

/// Most paths that are given up whose conditions are kept; one more says that there are others.
pub(crate) const MAX_GIVEN_UP: usize = 256;

/// Decisions between two looks at the clock.
const DECISIONS: u32 = 64;

impl<'p, 'o> Explorer<'p, 'o> {
    /// An explorer without states.
    pub fn new(worker: Worker<'p>, mut chain: Chain, options: &'o Options) -> Self {
        chain.set_deadline(options.deadline);
        Explorer {
            worker,
            chain,
            frontier: Frontier::new(options.order),
            undecided: BTreeMap::new(),
            given_up: None,
            stats: Stats::default(),
            forced: Vec::new(),
            plain: false,
            asks_affected: false,
            tries: FxHashMap::default(),
            contexts: Contexts::default(),
            pursuit: None,
            search: Search::default(),
            guide: None,
            done: None,
            taken: Vec::new(),
            recorder: None,
            wants_marks: false,
            written: Written::default(),
            both: [0, 1].into(),
            noted: Vec::new(),
            places: Places::default(),
            others_wait: false,
            options,
            covered: FxHashSet::default(),
            decisions: 0,
        }
    }

    /// Adds the beginning of the program, or of a part of its tree.
    pub fn begin(&mut self, entry: &Entry, repeat: &[Decision]) {
        if repeat.is_empty()
            && let Some(all) = self.takes_all()
        {
            return self.take_subtree(&List::default(), List::default(), all);
        }
        let standing = self.guide.as_ref().map(|guide| guide.root()).unwrap_or_default();
        let state = State::new(self.worker.program, entry.clone());
        let repeat = repeat.iter().rev().copied().collect();
        let done = self.done.map(|_| Tree::ROOT);
        let mut open = Open { repeat, standing, done, ..Open::new(state, Path::new()) };
        // What was skipped is completed along the blocks that the path entered.
        let skips = self.options.aim.is_some() && !self.plain;
        open.state.record_visits = self.wants_visits() || self.options.literal || skips;
        open.state.watched = self.options.aim.as_ref().map(|aim| aim.watched(self.worker.program));
        open.trail.forced = Rc::new(self.forced.clone());
        if let (Some(aim), Some(target), None) = (&self.options.aim, &self.options.target, &self.pursuit) {
            self.pursuit = Some(Pursuit::new(aim, self.worker.program, entry.function, target));
        }
        self.frontier.add(std::iter::once(open));
    }

    /// Runs the next state to its end; its other sides are added to the open states. `None` if no state is open.
    pub fn advance<R>(&mut self, look: &mut impl FnMut(Ended) -> R) -> Option<Result<(Key, R), Step>> {
        match self.run_next()? {
            Ok((open, end)) => Some(self.finish(open, end, look).ok_or(Step::Dead)),
            Err(step) => Some(Err(step)),
        }
    }

    /// Most instructions on a path.
    pub(crate) fn max_steps(&self) -> u64 {
        self.options.max_steps
    }

    /// Whether whoever looks at paths wants to know where their constraints come from.
    pub(crate) fn wants_origins(&self) -> bool {
        self.options.origins && self.options.aim.is_some()
    }

    /// Whether whoever looks at paths wants to know the blocks that they entered.
    pub(crate) fn wants_visits(&self) -> bool {
        self.options.record_visits || self.options.target.is_some()
    }

    /// Runs the next state to its end.
    pub(crate) fn run_next(&mut self) -> Option<Result<(Open, End), Step>> {
        let covered = &self.covered;
        let fresh =
            |open: &Open| open.state.top().is_some_and(|frame| !covered.contains(&(frame.code.function, frame.at)));
        let mut open = self.frontier.next(fresh)?;
        if self.options.order == Order::Coverage
            && let Some(frame) = open.state.top()
        {
            self.covered.insert((frame.code.function, frame.at));
        }
        let before = open.state.steps;
        let options = self.options;
        if let (Some(aim), Some(side), true) = (&options.aim, open.trail.way.side.take(), options.literal)
            && !self.leads_on(aim, &open.state, side, true)
        {
            return Some(Err(Step::Dead));
        }
        let mut turn_end = before.saturating_add(TURN << open.turns.min(32));
        let result = loop {
            let steps = open.state.steps;
            let watched = next_watch(steps);
            if watched == steps && self.goes_on_for_ever(&open) {
                break too_long(&open.state);
            }
            let left = self.options.max_steps.saturating_sub(steps);
            let until_watch = if watched == steps { SLICE } else { watched - steps };
            let turn = turn_end.saturating_sub(steps).max(1);
            match execute(&mut self.worker, &mut open.state, left.min(SLICE).min(until_watch).min(turn)) {
                Stop::Paused if open.state.steps < self.options.max_steps => {
                    if let Some(stopped) = self.options.stop() {
                        return Some(Err(self.put_back(open, before, stopped)));
                    }
                    if open.state.steps >= turn_end {
                        if self.takes_turns() {
                            return Some(Err(self.park(open, before)));
                        }
                        turn_end = open.state.steps.saturating_add(TURN);
                    }
                }
                Stop::Paused | Stop::Arrived => break too_long(&open.state),
                Stop::End(end) => break end,
                Stop::Choose(choice) => {
                    self.decisions = self.decisions.wrapping_add(1);
                    if self.decisions.is_multiple_of(DECISIONS)
                        && let Some(stopped) = self.options.stop()
                    {
                        return Some(Err(self.put_back(open, before, stopped)));
                    }
                    let mut leaves_fork = false;
                    if let Some(aim) = &options.aim {
                        match self.steer(aim, &mut open, &choice) {
                            Steer::Decide => {}
                            Steer::LeaveFork => leaves_fork = true,
                            Steer::GoOn => continue,
                            Steer::Leave => break End::Left,
                        }
                    }
                    if let Err(step) = self.decide(&mut open, &choice, leaves_fork) {
                        match step {
                            Step::Left => break End::Left,
                            Step::Stopped(stopped) => return Some(Err(self.put_back(open, before, stopped))),
                            Step::Forked | Step::Dead => {}
                        }
                        self.stats.instructions += open.state.steps.saturating_sub(before);
                        self.record(&open, (step == Step::Dead).then_some(tree::End::Dead));
                        return Some(Err(step));
                    }
                    // Who forks begins anew; an answer that nothing else was possible to is no fork.
                    if open.decisions.iter_back().next().is_some_and(|decision| decision.open) {
                        turn_end = open.state.steps.saturating_add(TURN << open.turns.min(32));
                    }
                }
            }
        };
        self.stats.instructions += open.state.steps.saturating_sub(before);
        if let Some(aim) = options.aim.as_ref().filter(|_| options.literal) {
            self.explore_nodes(aim, &mut open);
        }
        Some(Ok((open, result)))
    }

    /// Whether a state goes round for ever, whatever the input of its path is.
    fn goes_on_for_ever(&mut self, open: &Open) -> bool {
        let (chain, path) = (&mut self.chain, &open.path);
        let mut only_side = |worker: &mut Worker, choice: &Choice| {
            let sides = (0u32..).zip(&choice.conditions);
            let mut feasible =
                sides.filter(|(_, condition)| !matches!(chain.extend(&worker.pool, path, **condition), Ok(None)));
            let (side, _) = feasible.next()?;
            feasible.next().is_none().then_some(side)
        };
        goes_on_for_ever(&mut self.worker, &open.state, &mut only_side)
    }

    /// Whether a state that runs for long makes way for others. Directed explorations have an order of their own.
    fn takes_turns(&self) -> bool {
        self.options.aim.is_none() && (self.frontier.has_new() || self.others_wait)
    }

    /// Ends the turn of a state.
    fn park(&mut self, mut open: Open, before: u64) -> Step {
        self.stats.instructions += open.state.steps.saturating_sub(before);
        self.record(&open, None);
        open.turns += 1;
        self.frontier.park(open);
        Step::Forked
    }

    /// Keeps a state that is in the middle of its path: what it asked, it will ask again.
    fn put_back(&mut self, open: Open, before: u64, stopped: Stopped) -> Step {
        self.stats.instructions += open.state.steps.saturating_sub(before);
        self.frontier.add(std::iter::once(open));
        Step::Stopped(stopped)
    }

    fn finish<R>(&mut self, mut open: Open, end: End, look: &mut impl FnMut(Ended) -> R) -> Option<(Key, R)> {
        if let Some(gap) = end.gap() {
            self.note(&open, gap, end.at());
        }
        self.record(&open, Some(tree::End::Path));
        let (tests, same) = self.tests_at_end(&mut open);
        let options = self.options;
        let completed = match &options.aim {
            Some(aim) => match self.complete(aim, &mut open, &end) {
                Completion::Complete => None,
                Completion::By(completed) => Some(completed),
                Completion::Nothing => return None,
            },
            None => None,
        };
        let (state, end, witness) = match &completed {
            Some(completed) => (&completed.state, &completed.end, &completed.witness),
            None => (&open.state, &end, &open.path),
        };
        self.stats.paths += 1;
        self.options.progress.paths.fetch_add(1, Ordering::Relaxed);
        let result = look(Ended {
            worker: &mut self.worker,
            chain: &mut self.chain,
            state,
            path: &open.path,
            witness,
            trail: &open.trail,
            end,
            old: Old { tests: &tests, same },
            marks: &open.marks,
            written: &mut self.written,
        });
        Some((Key::from_latest(open.decisions.iter_back()), result))
    }

    /// Says that a path is given up.
    fn note(&mut self, open: &Open, what: Gap, at: Option<LocId>) {
        self.give_up(&open.path);
        self.count_undecided(open, what, at);
    }

    fn give_up(&mut self, path: &Path) {
        if let Some(given_up) = &mut self.given_up
            && given_up.len() <= MAX_GIVEN_UP
            && given_up.last() != Some(&path.constraints)
        {
            given_up.push(path.constraints.clone());
        }
    }

    fn count_undecided(&mut self, open: &Open, what: Gap, at: Option<LocId>) {
        if self.recorder.is_some() {
            self.noted.push((open.marks.len(), what.clone(), at));
        }
        *self.undecided.entry((what, at)).or_default() += 1;
    }

    /// Decides a question: the state goes on with one answer, the other answers become open states, unless it is left then.
    fn decide(&mut self, open: &mut Open, choice: &Choice, leaves_fork: bool) -> Result<(), Step> {
        if let Some(decision) = open.repeat.pop() {
            return self.repeat(open, choice, decision);
        }
        let digest = self.digest(choice);
        let sides = match self.reused_sides(open, choice, digest) {
            Some(sides) => sides,
            None => {
                let started = Instant::now();
                let sides = self.feasible(open, choice);
                self.stats.solver_nanos += started.elapsed().as_nanos() as u64;
                sides
            }
        };
        if sides.unknown > 0
            && let Some(stopped) = self.options.stop()
        {
            // Nobody waited for the answer, which says nothing of the question.
            return Err(Step::Stopped(stopped));
        }
        (0..sides.unknown).for_each(|_| self.note(open, Gap::Solver, choice.at));
        let Sides { mut found, unknown, partial } = sides;
        let forced = found.len() == 1 && unknown == 0 && !partial && choice.kind != ChoiceKind::Assume;
        if let [only] = found.as_slice()
            && forced
            && only.take.is_none()
        {
            // Nothing else is possible, so the path's condition says it already.
            open.decisions.push(Decision { side: only.side, open: false });
            self.mark(open, digest, only.side, MarkKind::Forced);
            open.state.answer(only.side);
            return Ok(());
        }
        if found.is_empty() {
            // A path can always go on, unless no input is valid or the solver did not know, which is noted already.
            if unknown == 0 && choice.kind != ChoiceKind::Assume {
                self.note(open, Gap::Solver, choice.at);
            }
            return Err(Step::Dead);
        }
        if leaves_fork && choice.kind != ChoiceKind::Assume {
            return Err(Step::Left);
        }
        let wanted = self.recorder.is_some() || self.wants_marks;
        let known = wanted && unknown == 0 && !partial;
        let all: Option<Arc<[u32]>> = known.then(|| match found.as_slice() {
            [Side { side: 0, .. }, Side { side: 1, .. }] => self.both.clone(),
            sides => sides.iter().map(|side| side.side).collect(),
        });
        if self.is_deep(open) {
            let unwind = self.options.unwind.unwrap_or(0);
            self.note(open, Gap::OutOfScope { bound: Assumption::Recursion { most: unwind } }, choice.at);
            return Err(Step::Dead);
        }
        if let ChoiceKind::Branch { branch } = choice.kind {
            self.count_round(open, choice, branch, &mut found);
        }
        self.mark_done(open, digest, &mut found);
        // Every side brings a path of its own.
        open.path = Path::new();
        let literal = self.is_literal() && matches!(choice.kind, ChoiceKind::Branch { .. });
        // Depth first goes on with the first side at once; it is the one that the frontier would give back.
        let stays =
            self.options.order == Order::DepthFirst && !literal && found.first().is_some_and(|s| s.take.is_none());
        let copies: Vec<Open> = found.iter().skip(usize::from(stays)).map(|_| open.clone()).collect();
        let mut found = found.into_iter();
        if stays && let Some(first) = found.next() {
            self.turn(open, choice, digest, all.clone(), first);
        }
        let (mut others, mut taken) = (Vec::with_capacity(copies.len()), false);
        for (mut copy, side) in copies.into_iter().zip(found) {
            let take = side.take;
            self.turn(&mut copy, choice, digest, all.clone(), side);
            match take {
                Some(from) => {
                    self.take_subtree(&copy.marks, copy.decisions, from);
                    taken = true;
                }
                None => others.push(copy),
            }
        }
        if others.is_empty() && !stays {
            return Err(if taken { Step::Forked } else { Step::Dead });
        }
        if literal {
            return Err(self.fork_literally(open, choice, others));
        }
        self.frontier.add(others.into_iter());
        if stays { Ok(()) } else { Err(Step::Forked) }
    }

    /// Lets a state go on with a side, of all those that it could take.
    fn turn(&self, open: &mut Open, choice: &Choice, digest: u64, all: Option<Arc<[u32]>>, side: Side) {
        let Side { side, path, standing, .. } = side;
        open.path = path;
        open.standing = standing;
        open.done = self.done_below(open.done, digest, side);
        open.decisions.push(Decision { side, open: true });
        self.note_origin(open, choice, self.asks_affected);
        self.mark(open, digest, side, MarkKind::Fork(all));
        open.state.answer(side);
    }

    /// Whether the papers' own directed search is used.
    pub(crate) fn is_literal(&self) -> bool {
        self.options.literal && self.options.aim.is_some()
    }

    /// Opens the sides that lead to something unexplored, each being looked at again when its turn comes.
    fn fork_literally(&mut self, open: &mut Open, choice: &Choice, mut others: Vec<Open>) -> Step {
        let options = self.options;
        let Some(aim) = &options.aim else { return Step::Dead };
        let mut leads = false;
        for other in &mut others {
            let taken = other.decisions.iter_back().next().map_or(0, |decision| decision.side);
            other.trail.way.side = self.side_of(&other.state, choice, taken);
            leads |= other.trail.way.side.is_none_or(|side| self.leads_on(aim, &other.state, side, false));
        }
        if !leads {
            return if open.trail.way.take_news() { Step::Left } else { Step::Dead };
        }
        for other in &mut others {
            other.trail.way.take_news();
        }
        self.frontier.add(others.into_iter());
        Step::Forked
    }

    /// Takes a side that was found feasible before.
    fn repeat(&mut self, open: &mut Open, choice: &Choice, decision: Decision) -> Result<(), Step> {
        let digest = self.digest(choice);
        let Some(&condition) = choice.conditions.get(decision.side as usize) else { return Err(Step::Dead) };
        let kind = if decision.open { MarkKind::Fork(None) } else { MarkKind::Forced };
        if decision.open && self.repeat_with_tests(open, choice, decision.side, digest) {
            self.repeat_round(open, choice);
        } else if decision.open {
            match self.chain.extend(&self.worker.pool, &open.path, condition) {
                Ok(Some(path)) => open.path = path,
                // It was feasible when the prefix was made; should it not be now, nothing is to be lost in silence.
                Ok(None) | Err(_) => {
                    if let Some(stopped) = self.options.stop() {
                        open.repeat.push(decision);
                        return Err(Step::Stopped(stopped));
                    }
                    self.note(open, Gap::Solver, choice.at);
                    return Err(Step::Dead);
                }
            }
            self.repeat_round(open, choice);
        }
        if decision.open {
            open.done = self.done_below(open.done, digest, decision.side);
        }
        self.note_origin(open, choice, self.asks_affected);
        open.decisions.push(decision);
        self.mark(open, digest, decision.side, kind);
        open.state.answer(decision.side);
        Ok(())
    }

    fn repeat_round(&self, open: &mut Open, choice: &Choice) {
        if let ChoiceKind::Branch { branch } = choice.kind {
            let code = self.worker.program.code(choice.function);
            if let Some(inner) = code.branches[branch as usize].leaves {
                open.state.count_round(inner);
            }
        }
    }

    fn mark(&self, open: &mut Open, condition: u64, side: u32, kind: MarkKind) {
        if self.recorder.is_some() || self.wants_marks {
            open.marks.push(Mark { condition, side, kind });
        }
    }

    /// Which sides can be taken.
    fn feasible(&mut self, open: &Open, choice: &Choice) -> Sides {
        let mut sides = Sides { found: Vec::with_capacity(2), ..Sides::default() };
        if let ([condition, _], false) = (choice.conditions.as_slice(), choice.kind == ChoiceKind::Assume) {
            match self.chain.branch(&mut self.worker.pool, &open.path, *condition) {
                Branch::Only(holds) => {
                    self.stats.infeasible += 1;
                    sides.found.push(Side::new(u32::from(!holds), open.path.clone()));
                }
                Branch::Both { yes, no } => sides.found.extend([Side::new(0, yes), Side::new(1, no)]),
                Branch::Unknown { yes, no, .. } if self.options.harder > 1 => {
                    for (side, known) in (0u32..).zip([yes, no]) {
                        let condition = choice.conditions[side as usize];
                        let found = match known {
                            Some(path) => Ok(Some(path)),
                            None => self.extend_harder(&open.path, condition),
                        };
                        match found {
                            Ok(path) => sides.found.extend(path.map(|path| Side::new(side, path))),
                            Err(_) => sides.unknown += 1,
                        }
                    }
                }
                Branch::Unknown { yes, no, .. } => {
                    sides.unknown += 1;
                    sides.found.extend(yes.map(|path| Side::new(0, path)));
                    sides.found.extend(no.map(|path| Side::new(1, path)));
                }
            }
            return sides;
        }
        let considered = if choice.kind == ChoiceKind::Assume { 1 } else { choice.conditions.len() };
        for (side, &condition) in choice.conditions.iter().enumerate().take(considered) {
            match self.chain.extend(&self.worker.pool, &open.path, condition) {
                Ok(Some(path)) => sides.found.push(Side::new(side as u32, path)),
                Ok(None) => self.stats.infeasible += 1,
                Err(_) if self.options.harder > 1 => match self.extend_harder(&open.path, condition) {
                    Ok(path) => sides.found.extend(path.map(|path| Side::new(side as u32, path))),
                    Err(_) => sides.unknown += 1,
                },
                Err(_) => sides.unknown += 1,
            }
        }
        sides
    }

    /// Asks again with more work, once equal sums look the same.
    fn extend_harder(&mut self, path: &Path, condition: Expr) -> Result<Option<Path>, Reason> {
        if self.options.stop().is_some() {
            return Err(Reason::Limit);
        }
        let pool = &mut self.worker.pool;
        let all: Vec<Expr> = std::iter::once(condition).chain(path.constraints.iter().copied()).collect();
        let simple = normals(pool, &all);
        let opposite = pool.not(simple[0]);
        if simple[0].is_false() || simple[1..].contains(&opposite) {
            return Ok(None);
        }
        self.chain.extend_harder(&self.worker.pool, path, condition, self.options.harder)
    }

    /// Whether the running function was called inside itself more often than loops go round. Only where the input decides
    /// how deep a recursion goes does that end a path: nobody asks where it does not.
    fn is_deep(&self, open: &Open) -> bool {
        let (Some(unwind), Some(top)) = (self.options.unwind, open.state.top()) else { return false };
        let same = open.state.frames.iter().filter(|frame| frame.code.function == top.code.function);
        same.take(unwind as usize + 2).count() > unwind as usize + 1
    }

    /// Counts a round of the loop that a branch can leave, and drops the sides that stay in it beyond the bound.
    fn count_round(&mut self, open: &mut Open, choice: &Choice, branch: u32, found: &mut Vec<Side>) {
        let Some(unwind) = self.options.unwind else { return };
        let code = self.worker.program.code(choice.function);
        let info = &code.branches[branch as usize];
        let Some(inner) = info.leaves else { return };
        let rounds = open.state.count_round(inner);
        if rounds > unwind {
            let stays = |side: u32| info.stays.get(side as usize).copied().unwrap_or(false);
            let (dropped, kept): (Vec<Side>, Vec<Side>) = found.drain(..).partition(|side| stays(side.side));
            *found = kept;
            dropped.iter().for_each(|side| self.give_up(&side.path));
            if !dropped.is_empty() {
                self.count_undecided(
                    open,
                    Gap::OutOfScope { bound: Assumption::Iterations { most: unwind } },
                    choice.at,
                );
            }
        }
    }
}

/// Sides of a decision.
#[derive(Default)]
pub(crate) struct Sides {
    /// Those that can be taken, ascending.
    pub found: Vec<Side>,
    /// Of how many it is not known.
    pub unknown: usize,
    /// Whether nobody asked about the others.
    pub partial: bool,
}

/// A side that can be taken.
pub(crate) struct Side {
    pub side: u32,
    pub path: Path,
    pub standing: Standing,
    /// All of it is taken over.
    pub take: Option<Taken<NodeId>>,
}

impl Side {
    fn new(side: u32, path: Path) -> Side {
        Side { side, path, standing: Standing::default(), take: None }
    }
}

/// What became of a state that did not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Its sides are open states now.
    Forked,
    /// None of its sides can be taken.
    Dead,
    /// None of its sides needs to be taken.
    Left,
    /// The exploration is to stop.
    Stopped(Stopped),
}

/// Explores with one worker, handing out each path when it ends.
pub fn explore<R>(mut explorer: Explorer, mut look: impl FnMut(Ended) -> R) -> Exploration<(Key, R)> {
    let mut paths = Vec::new();
    let mut stopped = None;
    let mut count = 0u32;
    loop {
        count = count.wrapping_add(1);
        if count.is_multiple_of(64) {
            explorer.options.progress.open.store(explorer.frontier.len() as u64, Ordering::Relaxed);
            stopped = explorer.options.stop();
        }
        if paths.len() as u64 >= explorer.options.max_paths {
            stopped = stopped.or((!explorer.frontier.is_empty()).then_some(Stopped::Paths));
            break;
        }
        if stopped.is_some() {
            break;
        }
        match explorer.advance(&mut look) {
            Some(Ok(result)) => paths.push(result),
            Some(Err(Step::Stopped(reason))) => stopped = Some(reason),
            Some(Err(Step::Forked | Step::Dead | Step::Left)) => {}
            None => break,
        }
    }
    explorer.stats.solver = explorer.chain.stats;
    paths.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    Exploration { paths, undecided: explorer.undecided, stats: explorer.stats, stopped }
}

/// The next number of instructions, from this one on, at which a path is looked at.
fn next_watch(steps: u64) -> u64 {
    let mut watched = WATCHED;
    while watched < steps {
        watched = watched.saturating_mul(8);
    }
    watched
}

/// The end of a path that goes on for too long.
fn too_long(state: &State) -> End {
    let at = state.top().and_then(|frame| frame.code.insts.get(frame.at as usize)?.loc);
    End::Bound { what: Limit::Instructions, at }
}
