//! The region of a decision: what lies between a branch and the node where all its ways meet again.
//!
//! Skipping a decision means going on at its join as if any way had been taken. Then what the region computes and writes
//! is not known, and what may happen there besides did or did not happen.

use crate::facts::{Facts, FunctionFacts};
use crate::hazards::{Hazards, hazards_of};
use crate::id::NodeId;
use fixedbitset::FixedBitSet;
use ir::id::{Arena, FuncId, Id, InstId, VarId};
use ir::inst::InstKind;

/// What lies between a branch and where its ways meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The branch's node.
    pub branch: NodeId,
    /// The node through which all ways lead next; the virtual exit if they meet only there.
    pub join: NodeId,
    /// Nodes between, ascending; the branch's own too if it may run again before the join.
    pub nodes: Vec<NodeId>,
    /// Instructions of the region whose values are used outside of it, ascending.
    pub values: Vec<InstId>,
    /// Phis of the join, whose values depend on the way, ascending.
    pub phis: Vec<InstId>,
    /// Variables that markers of the region or of the join's phis assign, ascending.
    pub variables: Vec<VarId>,
    /// Locations that may be read.
    pub reads: FixedBitSet,
    /// Locations that may be written.
    pub writes: FixedBitSet,
    /// What may happen besides.
    pub hazards: Hazards,
}

/// The region of the decision at the end of a node; `None` if there is none, or no way leads there.
pub fn region(
    facts: &Facts,
    hazards: &Arena<FuncId, Hazards>,
    id: FuncId,
    known: &FunctionFacts,
    branch: NodeId,
) -> Option<Region> {
    let cfg = &known.cfg;
    if cfg.successors.get(branch.index())?.len() < 2 {
        return None;
    }
    let join = known.post_dominators.immediate(branch)?;
    let mut inside = FixedBitSet::with_capacity(cfg.nodes.len() + 1);
    let mut stack: Vec<NodeId> = cfg.successors[branch.index()].iter().map(|edge| edge.node).collect();
    while let Some(node) = stack.pop() {
        if node != join && node != cfg.exit && !inside.put(node.index()) {
            stack.extend(cfg.successors[node.index()].iter().map(|edge| edge.node));
        }
    }
    let count = facts.effects.locations.len();
    let mut region = Region {
        branch,
        join,
        nodes: inside.ones().map(NodeId::from_index).collect(),
        values: Vec::new(),
        phis: Vec::new(),
        variables: Vec::new(),
        reads: FixedBitSet::with_capacity(count),
        writes: FixedBitSet::with_capacity(count),
        hazards: Hazards::default(),
    };
    region.fill(facts, hazards, id, known, &inside);
    Some(region)
}

impl Region {
    fn fill(
        &mut self,
        facts: &Facts,
        hazards: &Arena<FuncId, Hazards>,
        id: FuncId,
        known: &FunctionFacts,
        inside: &FixedBitSet,
    ) {
        let function = &facts.module.functions[id];
        let cfg = &known.cfg;
        for &node in &self.nodes {
            self.hazards.loops |= known.loops.cyclic.contains(node.index());
            for &inst in cfg.insts(function, node) {
                let is_outside = |user: &InstId| cfg.node_of(*user).is_none_or(|node| !inside.contains(node.index()));
                if known.uses.of_inst[inst.index()].iter().any(is_outside) {
                    self.values.push(inst);
                }
                if let InstKind::Marker(marker) = &function.insts[inst].kind {
                    self.variables.push(marker.variable);
                }
                if let Some(access) = known.memory.access(inst) {
                    self.reads.union_with(&access.reads);
                    self.writes.union_with(&access.writes);
                }
                self.hazards = self.hazards.join(hazards_of(facts, hazards, id, inst));
            }
        }
        for &inst in cfg.insts(function, self.join) {
            match &function.insts[inst].kind {
                InstKind::Phi { .. } => self.phis.push(inst),
                InstKind::Marker(marker) => {
                    let phi =
                        marker.value.filter(|value| self.phis.iter().any(|&phi| *value == ir::inst::Value::Inst(phi)));
                    self.variables.extend(phi.map(|_| marker.variable));
                }
                _ => {}
            }
        }
        self.values.sort_unstable();
        self.variables.sort_unstable();
        self.variables.dedup();
    }
}
