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
//! Where nearly all paths are affected, skipping saves few of them and costs each one a run to complete it. So a large
//! exploration is estimated first, and if skipping does not pay, nothing is skipped: a *plain* exploration, which leaves
//! what is not affected and decides the rest.
//!
//! With a goal, runs that cannot add to it are left too ([`pursuit`](crate::pursuit)).
//!
//! So the condition of a path says nothing about what was skipped, and no choice that does not matter is ever made for it.
//! Paths on which nothing affected was executed are dropped; an affected join or return that only passes on a value which
//! the change does not reach counts as nothing.
//!
//! A path that ended has skipped something, so its values are not all known: an input of it is *completed* by a run that
//! decides by the input alone. That run may die where something was skipped, by a fault that both versions have; then an
//! input is looked for that does not, by deciding what was skipped, on that path only. If there is none, no input goes
//! that way and the path is dropped.

use crate::aim::Aim;
use crate::contexts::Watch;
use crate::follow::go_on;
use crate::forking::{Explorer, Open, Step};
use crate::goals::Obligation;
use crate::literal::Way;
use crate::options::{Options, Order};
use crate::order::Frontier;
use crate::trace::{Step as Affected, trace};
use evidence::{Gap, Limit};
use exec::entry::Entry;
use exec::list::List;
use exec::program::Program;
use exec::run::Worker;
use exec::skip::{skip, skip_value};
use exec::state::{Choice, ChoiceKind, End, State};
use ir::id::{FuncId, InstId};
use smt::solver::chain::{Chain, Path};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// What a directed run remembers of its way.
#[derive(Clone, Default)]
pub struct Trail {
    /// What it skipped.
    pub skips: Rc<Vec<Skipped>>,
    /// Branches that it decides although they could be skipped.
    pub forced: Rc<Vec<(FuncId, u32)>>,
    /// Whether it did something affected.
    pub(crate) watch: Watch,
    /// Whether it goes on to its end and decides everything.
    settled: bool,
    /// Where its constraints come from, in order, if that is wanted.
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
    /// What was known there of what the run did.
    watch: Watch,
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
    /// Leave the run if there is more than one side to take.
    LeaveFork,
}

/// The run of an input of a directed path, to its end.
pub(crate) struct Completed {
    /// Its last state.
    pub state: State,
    /// How it ended.
    pub end: End,
    /// The condition that the input was taken from.
    pub witness: Path,
}

/// What becomes of a directed path.
pub(crate) enum Completion {
    /// It is complete as it is.
    Complete,
    /// It is shown by an input.
    By(Box<Completed>),
    /// It did nothing that is affected, or no input goes its way.
    Nothing,
}

/// What an input of a path must do.
enum Wanted {
    /// All that is affected and nothing else.
    Steps(Vec<Affected>),
    /// At least this, where there is a goal: the path was left once it could add no more.
    Covers(BTreeSet<Obligation>),
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
        }
        let decides_all = self.is_literal() || open.trail.settled;
        if decides_all && !self.wants_origins() {
            return Steer::Decide;
        }
        let is_plain = self.plain && self.pursuit.is_none() && !self.wants_origins();
        if is_plain {
            // Most questions are none: there is one side to take.
            let is_decided = choice.conditions.iter().any(|condition| condition.as_const() == Some(1));
            let is_ahead = |explorer: &mut Self| explorer.contexts.is_ahead_of_entry(aim, program, &open.state);
            if is_decided || is_ahead(self) && !self.has_happened(aim, open) {
                return Steer::Decide;
            }
        }
        let calls = self.contexts.calls(aim, program, &open.state);
        self.asks_affected = (!self.plain || self.wants_origins()) && self.contexts.affects(&calls, &open.state);
        if decides_all {
            return Steer::Decide;
        }
        if self.plain && self.pursuit.is_none() && self.has_happened(aim, open) {
            // Nobody will ask what else it did.
            open.trail.watch.settle();
            open.state.watched = None;
            open.trail.settled = calls.first().is_some_and(|&entry| self.contexts.plan(entry).to_the_end);
        }
        // Values that the change does not reach may still go through affected joins and returns.
        let is_ahead = match open.trail.watch.is_settled() {
            true => self.contexts.is_ahead(aim, &calls, &open.state, false),
            false => {
                self.contexts.is_ahead(aim, &calls, &open.state, true)
                    || self.contexts.is_ahead(aim, &calls, &open.state, false) && self.has_happened(aim, open)
            }
        };
        if !is_ahead {
            // Where all is decided anyway, going on costs less than an input's run to the end, up to the next fork.
            return if self.plain && self.pursuit.is_none() { Steer::LeaveFork } else { Steer::Leave };
        }
        if let Some(pursuit) = &mut self.pursuit
            && !pursuit.is_ahead(&self.contexts, program, &calls, &open.state)
        {
            return Steer::Leave;
        }
        if self.plain {
            return Steer::Decide;
        }
        if let ChoiceKind::Branch { branch } = choice.kind {
            let key = (choice.function, branch);
            let may_skip = !open.trail.forced.contains(&key) && self.contexts.may_skip(&calls, &open.state, branch);
            if may_skip && !self.is_said(open, choice) {
                let number = open.trail.skips.len() as u32;
                if let Some(behind) = skip(&mut self.worker, &open.state, number) {
                    self.stats.skipped += 1;
                    self.tries.entry(key).or_default().0 += 1;
                    let state = Rc::new(std::mem::replace(&mut open.state, behind));
                    let watch = open.trail.watch.clone();
                    let skipped = Skipped { function: choice.function, branch, state, watch };
                    Rc::make_mut(&mut open.trail.skips).push(skipped);
                    return Steer::GoOn;
                }
                open.trail.force(key);
            }
        }
        let latest = choice.conditions.iter().filter_map(|&condition| self.worker.skip_of(condition)).max();
        let Some(skip) = latest else { return Steer::Decide };
        if !self.asks_affected && skip_value(&mut open.state, skip) {
            return Steer::GoOn;
        }
        self.stats.fell_back += 1;
        let Some(skipped) = open.trail.skips.get(skip as usize).cloned() else { return Steer::Decide };
        Rc::make_mut(&mut open.trail.skips).truncate(skip as usize);
        open.trail.force((skipped.function, skipped.branch));
        self.tries.entry((skipped.function, skipped.branch)).or_default().1 += 1;
        open.state = (*skipped.state).clone();
        open.trail.watch = skipped.watch;
        Steer::GoOn
    }

    /// Whether the condition of a run already says how a question is answered: then there is nothing to be skipped.
    fn is_said(&mut self, open: &Open, choice: &Choice) -> bool {
        let Explorer { chain, worker, .. } = self;
        choice.conditions.iter().any(|&condition| chain.said(&mut worker.pool, &open.path, condition) == Some(true))
    }

    /// Whether a directed run did something affected so far.
    fn has_happened(&mut self, aim: &Aim, open: &mut Open) -> bool {
        open.trail.watch.has_happened(&mut self.contexts, aim, self.worker.program, &open.state)
    }

    /// Remembers where the latest constraints of a path come from.
    pub(crate) fn note_origin(&self, open: &mut Open, choice: &Choice, affected: bool) {
        if !self.wants_origins() {
            return;
        }
        let origin =
            Origin { constraints: open.path.constraints.len(), function: choice.function, inst: choice.inst, affected };
        open.trail.origins.push(origin);
    }

    /// What becomes of a directed path.
    pub(crate) fn complete(&mut self, aim: &Aim, open: &mut Open, end: &End) -> Completion {
        let program = self.worker.program;
        if !self.has_happened(aim, open) {
            self.stats.unaffected += 1;
            return Completion::Nothing;
        }
        if self.pursuit.as_ref().is_some_and(|pursuit| pursuit.news(aim, program, &open.state).is_none()) {
            return Completion::Nothing;
        }
        let completion = self.complete_affected(aim, open, end);
        let state = match &completion {
            Completion::Complete => &open.state,
            Completion::By(completed) => &completed.state,
            Completion::Nothing => return completion,
        };
        if let Some(pursuit) = &mut self.pursuit
            && let Some(covers) = pursuit.news(aim, program, state)
        {
            pursuit.count(covers);
        }
        completion
    }

    /// Completes a path that did something affected.
    fn complete_affected(&mut self, aim: &Aim, open: &Open, end: &End) -> Completion {
        let is_left = matches!(end, End::Left);
        if open.trail.skips.is_empty() && !is_left {
            return Completion::Complete;
        }
        let Some(completed) = self.show(open) else { return Completion::Nothing };
        if open.trail.skips.is_empty() {
            return Completion::By(Box::new(completed));
        }
        // A run that returns has passed all that was skipped, and the rest the path decided.
        if matches!(completed.end, End::Returned(_)) {
            debug_assert!(
                self.does(aim, &completed.state, &self.wanted(aim, &open.state)),
                "affected in what was skipped"
            );
            return Completion::By(Box::new(completed));
        }
        let wanted = self.wanted(aim, &open.state);
        if self.does(aim, &completed.state, &wanted) {
            return Completion::By(Box::new(completed));
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
                Some(Ok((other, _))) => match self.show(&other) {
                    Some(completed) if self.does(aim, &completed.state, &wanted) => found = Some(completed),
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
            let limit = Limit::from("an input that gets through what was skipped");
            *self.undecided.entry((Gap::Bound { limit }, None)).or_default() += 1;
            return Completion::By(Box::new(completed));
        }
        self.stats.unaffected += u64::from(found.is_none());
        found.map_or(Completion::Nothing, |found| Completion::By(Box::new(found)))
    }

    /// What an input of a path must do.
    fn wanted(&self, aim: &Aim, state: &State) -> Wanted {
        let program = self.worker.program;
        match &self.pursuit {
            Some(pursuit) => Wanted::Covers(pursuit.covered_by(aim, program, state)),
            None => Wanted::Steps(trace(aim, program, state)),
        }
    }

    fn does(&self, aim: &Aim, state: &State, wanted: &Wanted) -> bool {
        match (self.wanted(aim, state), wanted) {
            (Wanted::Steps(steps), Wanted::Steps(wanted)) => steps == *wanted,
            (Wanted::Covers(covers), Wanted::Covers(wanted)) => covers.is_superset(wanted),
            _ => false,
        }
    }

    /// Runs the smallest input of a path to its end, from where it was first left undecided.
    fn show(&mut self, open: &Open) -> Option<Completed> {
        let model = self.chain.smallest(&mut self.worker.pool, &open.path);
        let first: &State = open.trail.skips.first().map_or(&open.state, |skipped| &skipped.state);
        let max_steps = self.max_steps();
        let (state, end) = go_on(&mut self.worker, first.clone(), &model, max_steps)?;
        self.stats.completing += state.steps.saturating_sub(first.steps);
        Some(Completed { state, end, witness: open.path.clone() })
    }
}

/// How a directed exploration is to go about it.
#[derive(Default)]
pub(crate) struct Manner {
    /// Branches that mostly turn out to matter: it is cheaper to decide those at once.
    pub forced: Vec<(FuncId, u32)>,
    /// Whether nothing is skipped.
    pub plain: bool,
}

/// Follows a few paths to learn how to go about it, and gives back what it learned it with. Always the same paths, so that
/// the result does not depend on how many threads follow.
pub(crate) fn probe<'p>(
    program: &'p Program,
    entry: &Entry,
    options: &Options,
    chain: &dyn Fn() -> Chain,
) -> (Manner, Option<(Worker<'p>, Chain)>) {
    if options.aim.is_none() || options.literal {
        return (Manner::default(), None);
    }
    let probing = Options { progress: Arc::default(), order: Order::DepthFirst, ..options.clone() };
    let mut explorer = Explorer::new(Worker::new(program, entry.shell.is_none()), chain(), &probing);
    explorer.begin(entry, &[]);
    for _ in 0..PROBES {
        match explorer.run_next() {
            Some(Ok(_) | Err(Step::Forked | Step::Dead | Step::Left)) => {}
            Some(Err(Step::Stopped(_))) | None => break,
        }
    }
    let mostly = |(skipped, fell_back): (u32, u32)| fell_back >= 3 && fell_back * 2 >= skipped;
    let tries = explorer.tries.iter().filter(|(_, tries)| mostly(**tries));
    let mut forced: Vec<(FuncId, u32)> = tries.map(|(branch, _)| *branch).collect();
    forced.sort_unstable();
    let is_small = explorer.frontier.is_empty() || options.target.is_some();
    let begun = (explorer.worker, explorer.chain);
    let (skips, begun) = match options.skips {
        Some(skips) => (skips, begun),
        None if is_small => (true, begun),
        None => crate::estimate::skipping_pays(begun, entry, options, &forced),
    };
    (Manner { forced, plain: !skips }, Some(begun))
}

/// The run from the first branch that it skipped, deciding all that it skipped.
fn undo(open: &Open) -> Option<Open> {
    let first = open.trail.skips.first()?;
    let mut again = open.clone();
    again.state = (*first.state).clone();
    again.trail.watch = first.watch.clone();
    again.repeat = Vec::new();
    for skipped in open.trail.skips.iter() {
        again.trail.force((skipped.function, skipped.branch));
    }
    again.trail.skips = Rc::default();
    Some(again)
}
