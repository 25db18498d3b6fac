//! What must be decided so that nothing affected is lost: everything that something affected depends on.
//!
//! A branch that is not relevant may be skipped: whatever way it goes, what is affected happens in the same cases and
//! with the same values.

use super::Reach;
use analysis::demand::{Goals, demand};
use analysis::facts::{Facts, FunctionFacts, KnownFunctions};
use analysis::hazards::{Hazards, hazards_of};
use analysis::id::LocationId;
use analysis::points_to::{ObjectKind, WORLD};
use fixedbitset::FixedBitSet;
use ir::id::{Arena, FuncId, Id, InstId};
use ir::inst::InstKind;
use std::collections::BTreeMap;

/// For what the exploration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Every path through affected code, in the order of affected instructions: DiSE.
    Paths,
    /// What a caller of that function can observe of the change: verdicts.
    Outputs(FuncId),
}

/// Instructions that matter for a goal.
#[derive(Clone, Debug, Default)]
pub struct Relevant {
    /// For each function its instructions, by number.
    pub insts: BTreeMap<FuncId, FixedBitSet>,
}

impl Relevant {
    /// Whether an instruction matters.
    pub fn has(&self, function: FuncId, inst: InstId) -> bool {
        self.insts.get(&function).is_some_and(|insts| insts.contains(inst.index()))
    }
}

/// Everything that matters for a goal: what is affected and part of the goal, and all that it depends on.
pub fn relevant(facts: &Facts, functions: &mut KnownFunctions, reach: &Reach, goal: Goal) -> Relevant {
    let mut goals = Goals::default();
    let nothing = facts.module.functions.iter().map(|_| Hazards::default()).collect();
    for (&(function, _), set) in &reach.influence.sets {
        let known = functions.get(facts, function);
        for inst in set.insts.ones().map(InstId::from_index) {
            if goal == Goal::Paths || is_output(facts, &known, &nothing, goal, function, inst) {
                goals.insts.push((function, inst));
            }
        }
        goals.ends.extend(set.ends.ones().map(|call| (function, InstId::from_index(call))));
    }
    let top = match goal {
        Goal::Paths => None,
        Goal::Outputs(entry) => Some(entry),
    };
    let demand = demand(facts, functions, &goals, top);
    let mut relevant = Relevant::default();
    for (&(function, _), set) in &demand.sets {
        let count = facts.module.functions[function].insts.len();
        let insts = relevant.insts.entry(function).or_insert_with(|| FixedBitSet::with_capacity(count));
        [&set.insts, &set.runs, &set.ends].into_iter().for_each(|part| insts.union_with(part));
    }
    relevant
}

/// Whether somebody may observe what an instruction does.
fn is_output(
    facts: &Facts,
    known: &FunctionFacts,
    nothing: &Arena<FuncId, Hazards>,
    goal: Goal,
    function: FuncId,
    inst: InstId,
) -> bool {
    let module = facts.module;
    match module.functions[function].insts[inst].kind {
        InstKind::Ret(_) => return goal == Goal::Outputs(function),
        InstKind::Resume(_) | InstKind::Unreachable => return true,
        // Whether a loop ends can be observed.
        InstKind::CondBr { .. } | InstKind::Switch { .. } | InstKind::IndirectBr { .. } => {
            return known.cfg.node_of(inst).is_some_and(|node| known.loops.cyclic.contains(node.index()));
        }
        _ => {}
    }
    let hazards = hazards_of(facts, nothing, function, inst);
    if hazards.faults || hazards.unknown || hazards.world || hazards.exits {
        return true;
    }
    let effect = facts.effects.get(function, inst);
    effect.is_some_and(|effect| effect.writes.iter().any(|&location| is_seen(facts, location)))
}

fn is_seen(facts: &Facts, location: LocationId) -> bool {
    let object = facts.effects.locations[location].object;
    object == WORLD || !matches!(facts.points_to.objects[object].kind, ObjectKind::Stack(..) | ObjectKind::Variadic(_))
}
