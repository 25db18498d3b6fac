//! Which paths of a program are executed, in which order, and within which bounds.
//!
//! - [`options`]: bounds, order, limits; [`Exploration`]: what came of it;
//! - [`forking`]: the driver that follows every feasible side of every decision;
//! - [`directed`]: the same, where only what matters to a change is decided; [`aim`]: what matters; [`contexts`]: what matters
//!   in a call; [`dise`] and [`idise`]:
//!   the strategies; [`trace`](mod@trace): what a run did of it;
//! - [`pair`]: two versions side by side; [`probe`](mod@probe): the same on many known inputs; [`lockstep`]: a proof for any
//!   number of rounds;
//! - [`order`]: which of the open states goes on next;
//! - [`parallel`]: the same work on several threads, with the same results;
//! - [`tree`]: what an exploration found out; [`reuse`]: the next one with its tests; [`done`]: going on where one stopped;
//! - [`concolic`]: the driver that follows one input; [`dependence`]: what depends on what in such a run, with [`statics`]
//!   for what it could have done otherwise;
//! - [`guided`]: one path for each class of inputs; [`dgse`] and [`output`] say which classes.
//!
//! The crate never steps an instruction: it answers the questions of [`exec`].

pub mod aim;
pub mod concolic;
pub mod contexts;
pub mod dependence;
pub mod dgse;
pub mod directed;
pub mod dise;
pub mod done;
pub mod estimate;
pub mod follow;
pub mod forking;
pub mod gaps;
pub mod goals;
pub mod guided;
pub mod idise;
pub mod literal;
pub mod lockstep;
mod mentioned;
pub mod options;
pub mod order;
pub mod output;
pub mod pair;
pub mod parallel;
pub mod prefix;
pub mod probe;
pub mod pursuit;
pub mod region;
pub mod reuse;
mod rounds;
pub mod sets;
mod shrink;
pub mod since;
pub mod statics;
pub mod trace;
pub mod tree;

use evidence::Gap;
use exec::case::FaultKind;
use exec::state::{End, Remark};
use ir::id::LocId;
use smt::solver::chain::Stats as SolverStats;
use std::collections::BTreeMap;

/// What came of an exploration.
#[derive(Clone, Debug, Default)]
pub struct Exploration<R> {
    /// One result for each path, in the order of the tree: at each decision the first side comes first.
    pub paths: Vec<R>,
    /// What was not decided, by reason and place, with how often.
    pub undecided: BTreeMap<(Gap, Option<LocId>), u64>,
    /// Figures.
    pub stats: Stats,
    /// Whether it was cut short.
    pub stopped: Option<Stopped>,
}

/// Why an exploration ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stopped {
    /// Time.
    Time,
    /// Number of paths.
    Paths,
    /// Memory.
    Memory,
    /// The user.
    Interrupted,
    /// It leaves out too few paths to be worth its work.
    NoGain,
    /// A failure of our own: a worker is gone, and what it had found with it.
    Lost,
}

/// Figures of an exploration.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stats {
    /// Paths that ended.
    pub paths: u64,
    /// Sides of decisions that cannot be reached.
    pub infeasible: u64,
    /// Branches that were skipped.
    pub skipped: u64,
    /// Branches that were skipped and turned out to matter.
    pub fell_back: u64,
    /// Paths without anything affected.
    pub unaffected: u64,
    /// Instructions that were executed to complete paths that skipped something.
    pub completing: u64,
    /// Instructions.
    pub instructions: u64,
    /// Decisions that an older tree of paths answered.
    pub remembered: u64,
    /// Sides of decisions that an older test goes.
    pub tested: u64,
    /// Paths that were taken over without being executed.
    pub taken: u64,
    /// Questions to the solver chain, by the layer that answered.
    pub solver: SolverStats,
    /// Time in the solver chain, in nanoseconds, summed over workers.
    pub solver_nanos: u64,
}

/// A path that ended, as the driver hands it out.
pub struct Ended<'a, 'p> {
    /// The worker, for expressions and inputs.
    pub worker: &'a mut exec::run::Worker<'p>,
    /// The chain of solvers.
    pub chain: &'a mut smt::solver::chain::Chain,
    /// The final state.
    pub state: &'a exec::state::State,
    /// The path's condition.
    pub path: &'a smt::solver::chain::Path,
    /// The condition to take an input from: the same, or a narrower one if inputs of the path die where it skipped.
    pub witness: &'a smt::solver::chain::Path,
    /// What a directed path remembers of its way.
    pub trail: &'a directed::Trail,
    /// How it ended.
    pub end: &'a End,
    /// Older tests that go this way.
    pub old: reuse::Old<'a>,
    /// Its decisions, if they are wanted.
    pub marks: &'a exec::list::List<tree::Mark>,
    /// What was written down of the worker's paths, for whoever writes them down.
    pub written: &'a mut Written,
}

/// Which path of a worker was written down last: of the next one only what differs has to be.
#[derive(Clone, Default)]
pub struct Written {
    /// Number of the worker.
    pub worker: u32,
    /// The decisions of the path.
    pub marks: exec::list::List<tree::Mark>,
}

impl Ended<'_, '_> {
    /// Where it ended, if it did so before its time.
    pub fn place(&self) -> Option<LocId> {
        match self.end {
            End::Fault { at, .. } | End::Scope { at, .. } | End::Bound { at, .. } | End::Unsupported { at, .. } => *at,
            _ => None,
        }
    }

    /// The fault, if it is one.
    pub fn fault(&self) -> Option<FaultKind> {
        match self.end {
            End::Fault { kind, .. } => Some(*kind),
            _ => None,
        }
    }

    /// What the outcome depends on beyond its input.
    pub fn remarks(&self) -> &[Remark] {
        &self.state.remarks
    }
}
