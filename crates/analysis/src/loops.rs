//! Natural loops and how they nest.
//!
//! A back edge leads to a node that dominates its source; its target heads a loop, whose nodes are those that reach the
//! back edge without passing the header. Cycles that can be entered at several nodes have no header; their nodes are
//! listed apart.

use crate::cfg::Cfg;
use crate::components::components;
use crate::id::{LoopId, NodeId};
use fixedbitset::FixedBitSet;
use ir::dominators::Dominators;
use ir::id::{Arena, Id};

/// A natural loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The node through which every way into the loop leads.
    pub header: NodeId,
    /// Sources of the edges back to the header, ascending.
    pub latches: Vec<NodeId>,
    /// Nodes, ascending, those of inner loops too.
    pub nodes: Vec<NodeId>,
    /// The smallest loop around it.
    pub parent: Option<LoopId>,
    /// How many loops are around it.
    pub depth: usize,
}

/// The loops of a function.
#[derive(Clone, Debug)]
pub struct Loops {
    /// Loops, inner ones behind those around them.
    pub loops: Arena<LoopId, Loop>,
    /// The smallest loop around each node.
    pub innermost: Vec<Option<LoopId>>,
    /// Nodes that lie on some cycle, be it a natural loop or not.
    pub cyclic: FixedBitSet,
}

/// The loops of a function.
pub fn loops(cfg: &Cfg, dominators: &Dominators) -> Loops {
    let count = cfg.nodes.len() + 1;
    let mut latches = vec![Vec::new(); count];
    for node in cfg.nodes.ids().filter(|&node| cfg.is_reachable(node)) {
        for edge in &cfg.successors[node.index()] {
            if dominators.dominates(edge.node.index(), node.index()) && !latches[edge.node.index()].contains(&node) {
                latches[edge.node.index()].push(node);
            }
        }
    }
    let headers = latches.into_iter().enumerate().filter(|(_, latches)| !latches.is_empty());
    let mut found: Vec<Loop> = headers
        .map(|(header, latches)| {
            let header = NodeId::from_index(header);
            Loop { header, nodes: body(cfg, header, &latches), latches, parent: None, depth: 0 }
        })
        .collect();
    // Of two loops that share nodes one contains the other, so the larger one comes first.
    found.sort_by_key(|found| (std::cmp::Reverse(found.nodes.len()), found.header));
    let mut result = Loops { loops: Arena::new(), innermost: vec![None; count], cyclic: cyclic_nodes(cfg) };
    for mut inner in found {
        inner.parent = result.innermost[inner.header.index()];
        inner.depth = inner.parent.map_or(0, |parent| result.loops[parent].depth + 1);
        let nodes = inner.nodes.clone();
        let id = result.loops.push(inner);
        nodes.iter().for_each(|node| result.innermost[node.index()] = Some(id));
    }
    result
}

fn body(cfg: &Cfg, header: NodeId, latches: &[NodeId]) -> Vec<NodeId> {
    let mut inside = FixedBitSet::with_capacity(cfg.nodes.len() + 1);
    inside.insert(header.index());
    let mut stack = latches.to_vec();
    while let Some(node) = stack.pop() {
        if cfg.is_reachable(node) && !inside.put(node.index()) {
            stack.extend(cfg.predecessors[node.index()].iter().map(|edge| edge.node));
        }
    }
    inside.ones().map(NodeId::from_index).collect()
}

fn cyclic_nodes(cfg: &Cfg) -> FixedBitSet {
    let found = components(cfg);
    let members = found.members.iter().zip(&found.cyclic).filter(|(_, cyclic)| **cyclic).flat_map(|(nodes, _)| nodes);
    let mut cyclic = FixedBitSet::with_capacity(cfg.nodes.len() + 1);
    members.for_each(|&node| cyclic.insert(node));
    cyclic
}
