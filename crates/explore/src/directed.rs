//! Directed exploration by skipping: only what can matter to a change is decided.
//!
//! At each question of a state:
//!
//! 1. if nothing affected can be reached any more, the run is left: its condition is complete;
//! 2. a branch with nothing affected between it and where its ways meet is skipped ([`exec::skip`](mod@exec::skip)); a copy of the state
//!    at the branch is kept;
//! 3. a question that depends on a value that was skipped makes its instruction's value a skipped one too, if the
//!    instruction is not affected and does nothing but compute; else the branch that was skipped matters after all: the
//!    run *falls back*, that is, goes on from the copy, under all it has decided since, and decides that branch;
//! 4. all other questions are decided as in a full exploration.
//!
//! So the condition of a path says nothing about what was skipped, and no choice that does not matter is ever made for it.
//! Paths on which nothing affected was executed are dropped; an affected join or return that only passes on a value which
//! the change does not reach counts as nothing.
//!
//! A path that ended has skipped something, so its values are not all known: an input of it is *completed* by a run that
//! decides by the input alone. That run may die where something was skipped, by a fault that both versions have; then an
//! input is looked for that does not, by deciding what was skipped, on that path only. If there is none, no input goes
//! that way and the path is dropped.

use crate::Undecided;
use crate::aim::Aim;
use crate::follow::follow_values;
use crate::forking::{Explorer, Open, Step};
use crate::literal::Way;
use crate::options::{Options, Order};
use crate::order::Frontier;
use crate::trace::{is_affected, trace};
use exec::entry::Entry;
use exec::list::List;
use exec::program::Program;
use exec::run::Worker;
use exec::skip::{skip, skip_value};
use exec::state::{Choice, ChoiceKind, End, State};
use ir::id::{FuncId, InstId};
use smt::solver::chain::{Chain, Path};
use std::rc::Rc;
use std::sync::Arc;

/// What a directed run remembers of its way.
#[derive(Clone, Default)]
pub struct Trail {
    /// What it skipped.
    pub skips: Rc<Vec<Skipped>>,
    /// Branches that it decides although they could be skipped.
    pub forced: Rc<Vec<(FuncId, u32)>>,
    /// Where its constraints come from, in order.
    pub origins: List<Origin>,
    /// What the papers' own search remembers.
    pub way: Way,
}

/// A branch that was skipped.
#[derive(Clone)]
pub struct Skipped {
    /// Function.
    pub function: FuncId,
    /// Number of the branch.
    pub branch: u32,
    /// The state at the branch.
    state: Rc<State>,
}

/// Where constraints come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// How many constraints there were behind the decision.
    pub constraints: usize,
    /// Function.
    pub function: FuncId,
    /// Instruction.
    pub inst: InstId,
    /// Whether it is affected.
    pub affected: bool,
}

/// What to do with a question.
pub(crate) enum Steer {
    /// Decide it.
    Decide,
    /// Go on with the state as it is now.
    GoOn,
    /// Leave the run.
    Leave,
}

/// A directed path that was completed.
pub(crate) struct Completed {
    /// The run of the input, to its end.
    pub state: State,
    /// How it ended.
    pub end: End,
    /// The condition that the input was taken from.
    pub witness: Path,
}

/// Paths that are followed to learn from.
const PROBES: usize = 32;

/// Most paths that are looked at for an input that gets through what was skipped.
const MAX_TRIES: usize = 64;

impl Trail {
    /// For each of a path's constraints whether it was made at an affected instruction.
    pub fn affected(&self, constraints: usize) -> Vec<bool> {
        let mut affected = vec![false; constraints];
        let mut first = 0;
        for origin in self.origins.to_vec() {
            let end = origin.constraints.min(constraints);
            if first < end {
                affected[first..end].fill(origin.affected);
                first = end;
            }
        }
        affected
    }

    fn force(&mut self, branch: (FuncId, u32)) {
        if !self.forced.contains(&branch) {
            Rc::make_mut(&mut self.forced).push(branch);
        }
    }
}

impl Explorer<'_, '_> {
    /// What to do with the question of a directed run.
    pub(crate) fn steer(&mut self, aim: &Aim, open: &mut Open, choice: &Choice) -> Steer {
        let program = self.worker.program;
        if self.is_literal() {
            self.explore_nodes(aim, open);
            return Steer::Decide;
        }
        if !aim.is_ahead(program, &open.state, false) {
            return Steer::Leave;
        }
        // Values that the change does not reach may still go through affected joins and returns.
        if !aim.is_ahead(program, &open.state, true) && !is_affected(aim, program, &trace(aim, program, &open.state)) {
            return Steer::Leave;
        }
        if let ChoiceKind::Branch { branch } = choice.kind {
            let key = (choice.function, branch);
            if !open.trail.forced.contains(&key) && aim.may_skip(program, &open.state, branch) {
                let number = open.trail.skips.len() as u32;
                if let Some(behind) = skip(&mut self.worker, &open.state, number) {
                    self.stats.skipped += 1;
                    self.tries.entry(key).or_default().0 += 1;
                    let state = Rc::new(std::mem::replace(&mut open.state, behind));
                    let skipped = Skipped { function: choice.function, branch, state };
                    Rc::make_mut(&mut open.trail.skips).push(skipped);
                    return Steer::GoOn;
                }
                open.trail.force(key);
            }
        }
        let latest = choice.conditions.iter().filter_map(|&condition| self.worker.skip_of(condition)).max();
        let Some(skip) = latest else { return Steer::Decide };
        if !aim.affects(program, &open.state) && skip_value(&mut open.state, skip) {
            return Steer::GoOn;
        }
        self.stats.fell_back += 1;
        let Some(skipped) = open.trail.skips.get(skip as usize).cloned() else { return Steer::Decide };
        Rc::make_mut(&mut open.trail.skips).truncate(skip as usize);
        open.trail.force((skipped.function, skipped.branch));
        self.tries.entry((skipped.function, skipped.branch)).or_default().1 += 1;
        open.state = (*skipped.state).clone();
        Steer::GoOn
    }

    /// Remembers where the latest constraints of a path come from.
    pub(crate) fn note_origin(&self, open: &mut Open, choice: &Choice, affected: bool) {
        if !open.state.record_visits {
            return;
        }
        let origin =
            Origin { constraints: open.path.constraints.len(), function: choice.function, inst: choice.inst, affected };
        open.trail.origins.push(origin);
    }

    /// Completes a directed path. `None` if it did nothing that is affected, or no input goes its way.
    pub(crate) fn complete(&mut self, aim: &Aim, open: &Open, end: &End) -> Option<Completed> {
        let program = self.worker.program;
        let wanted = trace(aim, program, &open.state);
        if !is_affected(aim, program, &wanted) {
            self.stats.unaffected += 1;
            return None;
        }
        let entry = self.entry.clone()?;
        if open.trail.skips.is_empty() && !matches!(end, End::Left) {
            return Some(Completed { state: open.state.clone(), end: end.clone(), witness: open.path.clone() });
        }
        let completed = self.follow(&entry, &open.path)?;
        if open.trail.skips.is_empty() || trace(aim, program, &completed.state) == wanted {
            return Some(completed);
        }
        // What is not decided on the way to an input is not undecided for the path.
        let undecided = self.undecided.clone();
        let waiting = std::mem::replace(&mut self.frontier, Frontier::new(Order::DepthFirst));
        self.frontier.add(undo(open).into_iter());
        let mut found = None;
        let mut tries = 0;
        while tries < MAX_TRIES && found.is_none() {
            tries += 1;
            match self.run_next() {
                Some(Ok((other, _))) => match self.follow(&entry, &other.path) {
                    Some(completed) if trace(aim, program, &completed.state) == wanted => found = Some(completed),
                    _ => self.frontier.add(undo(&other).into_iter()),
                },
                Some(Err(Step::Stopped(_))) | None => break,
                Some(Err(Step::Forked | Step::Dead | Step::Left)) => {}
            }
        }
        let exhausted = self.frontier.is_empty();
        self.frontier = waiting;
        self.undecided = undecided;
        if found.is_none() && !exhausted {
            let what = "an input that gets through what was skipped".to_owned();
            *self.undecided.entry((Undecided::Bound(what), None)).or_default() += 1;
            return Some(completed);
        }
        self.stats.unaffected += u64::from(found.is_none());
        found
    }

    /// Runs the smallest input of a condition from the beginning to its end.
    fn follow(&mut self, entry: &Entry, path: &Path) -> Option<Completed> {
        let model = self.chain.smallest(&mut self.worker.pool, path);
        let max_steps = self.max_steps();
        let (state, end) = follow_values(&mut self.worker, entry, &model, max_steps)?;
        Some(Completed { state, end, witness: path.clone() })
    }
}

/// Follows a few paths to learn which branches mostly turn out to matter: it is cheaper to decide those at once. Always the
/// same paths, so that the result does not depend on how many threads follow.
pub(crate) fn probe(program: &Program, entry: &Entry, options: &Options, chain: Chain) -> Vec<(FuncId, u32)> {
    if options.aim.is_none() || options.literal {
        return Vec::new();
    }
    let options = Options { progress: Arc::default(), order: Order::DepthFirst, ..options.clone() };
    let mut explorer = Explorer::new(Worker::new(program, entry.shell.is_none()), chain, &options);
    explorer.begin(entry, &[]);
    for _ in 0..PROBES {
        match explorer.run_next() {
            Some(Ok(_) | Err(Step::Forked | Step::Dead | Step::Left)) => {}
            Some(Err(Step::Stopped(_))) | None => break,
        }
    }
    let mostly = |(skipped, fell_back): (u32, u32)| fell_back >= 3 && fell_back * 2 >= skipped;
    let tries = explorer.tries.iter().filter(|(_, tries)| mostly(**tries));
    let mut found: Vec<(FuncId, u32)> = tries.map(|(branch, _)| *branch).collect();
    found.sort_unstable();
    found
}

/// The run from the first branch that it skipped, deciding all that it skipped.
fn undo(open: &Open) -> Option<Open> {
    let first = open.trail.skips.first()?;
    let mut again = open.clone();
    again.state = (*first.state).clone();
    again.repeat = Vec::new();
    for skipped in open.trail.skips.iter() {
        again.trail.force((skipped.function, skipped.branch));
    }
    again.trail.skips = Rc::default();
    Some(again)
}
