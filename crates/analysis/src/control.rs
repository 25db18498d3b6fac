//! Control dependence: which decisions a node's execution depends on, with the way that leads to it.
//!
//! J. Ferrante, K. Ottenstein, J. Warren: "The Program Dependence Graph and Its Use in Optimization", TOPLAS 1987,
//! section 3.1.1: a node depends on an edge if it lies on every way from the edge's end, but not on every way from its
//! start.

use crate::cfg::{Cfg, Edge};
use crate::id::NodeId;
use crate::post_dominators::PostDominators;
use ir::id::{Id, InstId};
use ir::inst::InstKind;
use ir::module::Function;

/// Control dependences of a function.
#[derive(Clone, Debug)]
pub struct ControlDependence {
    /// For each node the edges that it depends on, by their source, ascending; none for what always runs.
    pub of: Vec<Vec<Edge>>,
    /// For each node the nodes that depend on one of its edges, and which, ascending.
    pub controls: Vec<Vec<Edge>>,
}

/// Control dependences of a function.
pub fn control_dependence(cfg: &Cfg, post_dominators: &PostDominators) -> ControlDependence {
    let count = cfg.nodes.len() + 1;
    let mut result = ControlDependence { of: vec![Vec::new(); count], controls: vec![Vec::new(); count] };
    for node in cfg.nodes.ids().filter(|&node| cfg.is_reachable(node)) {
        let edges = &cfg.successors[node.index()];
        if edges.len() < 2 {
            continue;
        }
        let join = post_dominators.immediate(node);
        for edge in edges {
            let mut at = Some(edge.node);
            while let Some(dependent) = at.filter(|&dependent| Some(dependent) != join && dependent != cfg.exit) {
                result.of[dependent.index()].push(Edge { node, way: edge.way });
                result.controls[node.index()].push(Edge { node: dependent, way: edge.way });
                at = post_dominators.immediate(dependent);
            }
        }
    }
    for list in result.of.iter_mut().chain(&mut result.controls) {
        list.sort_unstable();
        list.dedup();
    }
    result
}

/// Which decisions tell by which way control comes to blocks with phis.
#[derive(Clone, Debug)]
pub struct Joins {
    /// For each block with phis the nodes that decide, ascending.
    pub deciders: Vec<Vec<NodeId>>,
    /// For each node the phis that it decides, ascending.
    pub phis: Vec<Vec<InstId>>,
}

/// Which decisions the phis of a function depend on: those that its predecessors depend on, and those at their ends.
pub fn joins(function: &Function, cfg: &Cfg, control: &ControlDependence) -> Joins {
    let mut joins =
        Joins { deciders: vec![Vec::new(); function.blocks.len()], phis: vec![Vec::new(); cfg.nodes.len() + 1] };
    for (block, contents) in function.blocks.iter_ids() {
        let is_phi = |inst: &&InstId| matches!(function.insts[**inst].kind, InstKind::Phi { .. });
        let phis: Vec<InstId> = contents.insts.iter().take_while(is_phi).copied().collect();
        if phis.is_empty() {
            continue;
        }
        let mut deciders = Vec::new();
        for edge in &cfg.predecessors[cfg.first_of(block).index()] {
            deciders.extend(control.of[edge.node.index()].iter().map(|edge| edge.node));
            if cfg.successors[edge.node.index()].len() > 1 {
                deciders.push(edge.node);
            }
        }
        deciders.sort_unstable();
        deciders.dedup();
        deciders.iter().for_each(|node| joins.phis[node.index()].extend_from_slice(&phis));
        joins.deciders[block.index()] = deciders;
    }
    joins.phis.iter_mut().for_each(|phis| phis.sort_unstable());
    joins
}
