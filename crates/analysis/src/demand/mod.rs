//! What some instructions depend on, told apart by what a call is asked for: the counterpart of
//! [`influence`](mod@crate::influence), with the same edges followed backward.
//!
//! A *want* is what somebody needs to know of a call: what it returns, what it leaves in memory, whether it comes back.
//! Each function has one set for each want that occurs; what such a set needs of the function's caller is needed from
//! those calls only that had the want. All memory that is wanted of a call is one want.

mod trace;

use crate::facts::{Facts, KnownFunctions};
use fixedbitset::FixedBitSet;
use ir::id::{FuncId, Id, InstId};
use std::collections::BTreeMap;

/// What somebody needs to know of a call of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Want {
    /// Nothing: the start is in the function, or in something that it calls, or that calls it.
    Own,
    /// What it returns.
    Result,
    /// What it leaves in memory.
    Memory,
    /// Whether it comes back.
    Ends,
}

/// What the start depends on in a function, for one want.
#[derive(Clone, Debug, Default)]
pub struct Demanded {
    /// Instructions whose value, effect or decision matters, by number.
    pub insts: FixedBitSet,
    /// Calls of which it matters whether they run.
    pub runs: FixedBitSet,
    /// Calls of which it matters whether they come back.
    pub ends: FixedBitSet,
    /// Parameters that matter.
    pub params: FixedBitSet,
    /// Locations that matter as the function finds them.
    pub entry: FixedBitSet,
    /// Locations that matter as the function leaves them.
    pub exit: FixedBitSet,
    /// Whether it matters that the function is called.
    pub called: bool,
}

impl Demanded {
    /// Whether something of an instruction matters.
    pub fn has(&self, inst: InstId) -> bool {
        let index = inst.index();
        self.insts.contains(index) || self.runs.contains(index) || self.ends.contains(index)
    }
}

/// All that the start depends on.
#[derive(Clone, Debug, Default)]
pub struct Demand {
    /// For each function and want that occurs what the start depends on.
    pub sets: BTreeMap<(FuncId, Want), Demanded>,
}

impl Demand {
    /// Whether something of an instruction matters in some call.
    pub fn has(&self, function: FuncId, inst: InstId) -> bool {
        self.sets.range((function, Want::Own)..=(function, Want::Ends)).any(|(_, set)| set.has(inst))
    }
}

/// Whose dependences are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Goals {
    /// Instructions whose value, effect or decision is asked for.
    pub insts: Vec<(FuncId, InstId)>,
    /// Calls of which is asked whether they run.
    pub runs: Vec<(FuncId, InstId)>,
    /// Calls of which is asked whether they come back.
    pub ends: Vec<(FuncId, InstId)>,
}

/// Everything that the goals depend on. Callers of `top`, if there is one, do not count: it is where runs begin.
pub fn demand(facts: &Facts, functions: &mut KnownFunctions, goals: &Goals, top: Option<FuncId>) -> Demand {
    let mut trace = trace::Trace::new(facts, functions, top);
    trace.begin(goals);
    trace.run();
    trace.finish()
}
