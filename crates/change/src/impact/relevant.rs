//! What must be decided so that nothing affected is lost: everything that something affected depends on.
//!
//! A branch that is not relevant may be skipped: whatever way it goes, what is affected happens in the same cases and
//! with the same values.

use super::Reach;
use analysis::facts::Facts;
use analysis::hazards::{Hazards, hazards_of};
use analysis::id::LocationId;
use analysis::points_to::{ObjectKind, WORLD};
use analysis::slice::{Node, Slicer};
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
pub fn relevant(slicer: &mut Slicer, reach: &Reach, goal: Goal) -> Relevant {
    let facts = slicer.facts;
    let mut start = Vec::new();
    let known = facts.module.functions.iter().map(|_| Hazards::default()).collect();
    for (&(function, _), set) in &reach.influence.sets {
        for inst in set.insts.ones().map(InstId::from_index) {
            if goal == Goal::Paths || is_output(slicer, &known, goal, function, inst) {
                start.push(Node::Inst(function, inst));
                if facts.calls.site(function, inst).is_some() {
                    start.push(Node::Runs(function, inst));
                }
            }
        }
        for call in set.ends.ones().map(InstId::from_index) {
            start.push(Node::Returns(function, call));
        }
    }
    start.sort_unstable();
    start.dedup();
    let slice = slicer.backward(&start);
    let mut relevant = Relevant::default();
    for node in slice.nodes.keys() {
        if let Node::Inst(function, inst) | Node::Runs(function, inst) | Node::Returns(function, inst) = *node {
            let count = facts.module.functions[function].insts.len();
            let insts = relevant.insts.entry(function).or_insert_with(|| FixedBitSet::with_capacity(count));
            insts.insert(inst.index());
        }
    }
    relevant
}

/// Whether somebody may observe what an instruction does.
fn is_output(
    slicer: &mut Slicer,
    nothing: &Arena<FuncId, Hazards>,
    goal: Goal,
    function: FuncId,
    inst: InstId,
) -> bool {
    let facts = slicer.facts;
    let module = facts.module;
    match module.functions[function].insts[inst].kind {
        InstKind::Ret(_) => return goal == Goal::Outputs(function),
        InstKind::Resume(_) | InstKind::Unreachable => return true,
        // Whether a loop ends can be observed.
        InstKind::CondBr { .. } | InstKind::Switch { .. } | InstKind::IndirectBr { .. } => {
            let known = slicer.function(function);
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
