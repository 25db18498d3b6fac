//! Control-flow graphs.
//!
//! A node is a stretch of a block that is left at its end only. A call that may not come back (`exit`, a panic, an
//! exception that passes through) ends its stretch and has an edge to the exit, so what stands behind it depends on what
//! decides whether it comes back. All ways out of a function lead to one virtual exit.

use crate::ends::CallEnd;
use crate::id::NodeId;
use fixedbitset::FixedBitSet;
use ir::dominators::Graph;
use ir::id::{Arena, BlockId, Id, InstId};
use ir::inst::InstKind;
use ir::module::Function;

/// A stretch of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Block.
    pub block: BlockId,
    /// Position of its first instruction in the block.
    pub start: usize,
    /// Position behind its last instruction.
    pub end: usize,
}

/// Which way control goes at the end of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// The only one.
    Next,
    /// A condition holds.
    Then,
    /// A condition does not hold.
    Else,
    /// No case of a switch fits.
    Default,
    /// The switch's case at that position.
    Case(u32),
    /// The target of an indirect branch at that position.
    Target(u32),
    /// A call came back.
    Returns,
    /// A call unwinds to a landing pad of this function.
    Unwinds,
    /// A call does not come back.
    Leaves,
}

/// An edge, seen from one of its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// The node at the other end.
    pub node: NodeId,
    /// Which way of its source it is.
    pub way: Way,
}

/// A function's control-flow graph.
#[derive(Clone, Debug)]
pub struct Cfg {
    /// Nodes, those of a block next to each other; the first one is the entry. The exit is not among them.
    pub nodes: Arena<NodeId, Node>,
    /// The virtual exit, whose number is that of nodes.
    pub exit: NodeId,
    /// Edges from each node.
    pub successors: Vec<Vec<Edge>>,
    /// Edges to each node, the exit's last.
    pub predecessors: Vec<Vec<Edge>>,
    /// Nodes that some way from the entry leads to, the exit too.
    pub reachable: FixedBitSet,
    first_of_block: Vec<NodeId>,
    node_of_inst: Vec<Option<NodeId>>,
}

/// The control-flow graph of a function; `end_of_call` tells how a call or invoke may end.
pub fn cfg(function: &Function, end_of_call: impl Fn(InstId) -> CallEnd) -> Cfg {
    let mut nodes = Arena::new();
    let mut first_of_block = Vec::with_capacity(function.blocks.len());
    let mut node_of_inst = vec![None; function.insts.len()];
    for (block, contents) in function.blocks.iter_ids() {
        first_of_block.push(NodeId::from_index(nodes.len()));
        let mut start = 0;
        for (position, &inst) in contents.insts.iter().enumerate() {
            node_of_inst[inst.index()] = Some(NodeId::from_index(nodes.len()));
            let is_last = position + 1 == contents.insts.len();
            let cuts = matches!(function.insts[inst].kind, InstKind::Call(_)) && end_of_call(inst).may_not_return();
            if cuts || is_last {
                nodes.push(Node { block, start, end: position + 1 });
                start = position + 1;
            }
        }
        if contents.insts.is_empty() {
            nodes.push(Node { block, start: 0, end: 0 });
        }
    }
    let exit = NodeId::from_index(nodes.len());
    let mut cfg = Cfg {
        successors: vec![Vec::new(); nodes.len() + 1],
        predecessors: vec![Vec::new(); nodes.len() + 1],
        reachable: FixedBitSet::with_capacity(nodes.len() + 1),
        nodes,
        exit,
        first_of_block,
        node_of_inst,
    };
    cfg.connect(function, end_of_call);
    cfg.mark_reachable();
    cfg
}

impl Cfg {
    /// The first node of a block.
    pub fn first_of(&self, block: BlockId) -> NodeId {
        self.first_of_block[block.index()]
    }

    /// The last node of a block.
    pub fn last_of(&self, block: BlockId) -> NodeId {
        let next = self.first_of_block.get(block.index() + 1).copied().unwrap_or(self.exit);
        NodeId::from_index(next.index().saturating_sub(1))
    }

    /// The node of an instruction; `None` if no block lists it.
    pub fn node_of(&self, inst: InstId) -> Option<NodeId> {
        self.node_of_inst.get(inst.index()).copied().flatten()
    }

    /// The instructions of a node; none for the exit.
    pub fn insts<'f>(&self, function: &'f Function, node: NodeId) -> &'f [InstId] {
        match self.nodes.get(node) {
            Some(&Node { block, start, end }) => &function.blocks[block].insts[start..end],
            None => &[],
        }
    }

    /// The instruction that decides where control goes behind a node.
    pub fn decider(&self, function: &Function, node: NodeId) -> Option<InstId> {
        self.insts(function, node).last().copied()
    }

    /// Whether some way from the entry leads to the node.
    pub fn is_reachable(&self, node: NodeId) -> bool {
        self.reachable.contains(node.index())
    }

    fn connect(&mut self, function: &Function, end_of_call: impl Fn(InstId) -> CallEnd) {
        let edges: Vec<(NodeId, NodeId, Way)> =
            self.nodes.ids().flat_map(|node| self.edges_from(function, node, &end_of_call)).collect();
        for (from, to, way) in edges {
            self.successors[from.index()].push(Edge { node: to, way });
            self.predecessors[to.index()].push(Edge { node: from, way });
        }
    }

    fn edges_from(
        &self,
        function: &Function,
        node: NodeId,
        end_of_call: impl Fn(InstId) -> CallEnd,
    ) -> Vec<(NodeId, NodeId, Way)> {
        let Some(last) = self.decider(function, node) else { return vec![(node, self.exit, Way::Next)] };
        let goes = |block: BlockId, way: Way| (node, self.first_of(block), way);
        let numbered = |way: fn(u32) -> Way, index: usize| way(u32::try_from(index).unwrap_or(u32::MAX));
        match &function.insts[last].kind {
            InstKind::Br(target) => vec![goes(*target, Way::Next)],
            InstKind::CondBr { then, otherwise, .. } => vec![goes(*then, Way::Then), goes(*otherwise, Way::Else)],
            InstKind::Switch { default, cases, .. } => {
                let cases = cases.iter().enumerate().map(|(i, case)| goes(case.1, numbered(Way::Case, i)));
                std::iter::once(goes(*default, Way::Default)).chain(cases).collect()
            }
            InstKind::IndirectBr { targets, .. } => {
                targets.iter().enumerate().map(|(i, block)| goes(*block, numbered(Way::Target, i))).collect()
            }
            InstKind::Invoke { normal, unwind, .. } => {
                let end = end_of_call(last);
                let returns = end.returns.then(|| goes(*normal, Way::Returns));
                let unwinds = end.unwinds.then(|| goes(*unwind, Way::Unwinds));
                let leaves = (end.exits || !end.returns && !end.unwinds).then_some((node, self.exit, Way::Leaves));
                [returns, unwinds, leaves].into_iter().flatten().collect()
            }
            InstKind::Call(_) => {
                let next = NodeId::from_index(node.index() + 1);
                let end = end_of_call(last);
                let returns = end.returns.then_some((node, next, Way::Returns));
                let leaves = end.may_not_return().then_some((node, self.exit, Way::Leaves));
                returns.into_iter().chain(leaves).collect()
            }
            _ => vec![(node, self.exit, Way::Next)],
        }
    }

    fn mark_reachable(&mut self) {
        let mut stack = vec![NodeId::from_index(0)];
        while let Some(node) = stack.pop() {
            if !self.reachable.put(node.index()) {
                stack.extend(self.successors[node.index()].iter().map(|edge| edge.node));
            }
        }
    }
}

/// Nodes by number, the exit last.
impl Graph for Cfg {
    fn node_count(&self) -> usize {
        self.nodes.len() + 1
    }

    fn for_each_successor(&self, node: usize, visit: impl FnMut(usize)) {
        self.successors[node].iter().map(|edge| edge.node.index()).for_each(visit);
    }
}
