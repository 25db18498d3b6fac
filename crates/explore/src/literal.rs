//! The papers' own directed search, for comparison only: **it may lose affected behaviour**.
//!
//! S. Person, G. Yang, N. Rungta, S. Khurshid: "Directed Incremental Symbolic Execution", PLDI 2011, Fig. 6; across calls
//! as in iDiSE, section III.B. Depth first; affected nodes are *unexplored* until a path executes them. A side of a branch
//! is taken only if an unexplored node can be reached from there (`AffectedLocIsReachable`), and then explored nodes
//! that can be reached behind such a node are unexplored again, so that other sequences are found. Entering a loop makes
//! all of it unexplored again (`CheckLoops`). So of a branch that no change affects only the first feasible side is
//! followed, and sequences that need the other one are lost.
//!
//! A path from which nothing unexplored can be reached any more ends there, if it executed something that was unexplored
//! until then.

use crate::aim::{Aim, Reach};
use crate::forking::{Explorer, Open};
use crate::trace::stretches;
use analysis::components::components;
use exec::code::Op;
use exec::state::{Choice, State};
use ir::id::{BlockId, FuncId, Id, InstId};
use ir::module::Function;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// An affected node.
type Node = (FuncId, InstId);

/// What is explored and what is not.
#[derive(Default)]
pub struct Search {
    explored: BTreeSet<Node>,
    graphs: BTreeMap<FuncId, Rc<Graph>>,
}

/// The control flow of a function.
struct Graph {
    /// For each block which blocks can be reached from its beginning, itself only if it lies on a cycle.
    reaches: Vec<Vec<bool>>,
    /// For each block the others of its loop, if it lies in one.
    cycle: Vec<Vec<usize>>,
    block_of: BTreeMap<InstId, usize>,
}

/// What a run of the literal search remembers.
#[derive(Clone, Default)]
pub struct Way {
    /// How many visits were looked at.
    seen: usize,
    /// Whether it explored something new since it was told to go on.
    news: bool,
    /// The block that its side of the latest branch leads to.
    pub(crate) side: Option<BlockId>,
}

impl Explorer<'_, '_> {
    /// Notes what a run executed since the last look.
    pub(crate) fn explore_nodes(&mut self, aim: &Aim, open: &mut Open) {
        let program = self.worker.program;
        let visits = open.state.visits.to_vec();
        let all = stretches(aim, program, &open.state, &visits);
        for stretch in &all[open.trail.way.seen.min(all.len())..] {
            let (function, block) = (stretch.visit.function, stretch.visit.block);
            if aim.reach == Reach::Entry && stretch.visit.depth > 1 {
                continue;
            }
            let graph = self.search.graph(&program.module.functions[function], function);
            for &other in &graph.cycle[block.index()] {
                let insts = &program.module.functions[function].blocks[BlockId::from_index(other)].insts;
                for &inst in insts {
                    self.search.explored.remove(&(function, inst));
                }
            }
            for &inst in &program.module.functions[function].blocks[block].insts {
                if stretch.plan.nodes.contains(inst.index()) {
                    open.trail.way.news |= self.search.explored.insert((function, inst));
                }
            }
        }
        // The last blocks may still be running.
        open.trail.way.seen = visits.len();
    }

    /// Whether a side of a branch leads to an unexplored node; if so, and if it is to be taken, what lies behind such nodes
    /// is unexplored again.
    pub(crate) fn leads_on(&mut self, aim: &Aim, state: &State, side: BlockId, take: bool) -> bool {
        let program = self.worker.program;
        let calls = self.contexts.calls(aim, program, state);
        let mut found = false;
        for (index, (frame, &call)) in state.frames.iter().zip(&calls).enumerate() {
            let function = frame.code.function;
            let graph = self.search.graph(&program.module.functions[function], function);
            let plan = self.contexts.plan(call);
            let at = frame.code.starts.partition_point(|&start| start <= frame.at).saturating_sub(1);
            let is_top = index + 1 == state.frames.len();
            let can = |block: usize| match is_top {
                true => block == side.index() || graph.reaches[side.index()][block],
                false => graph.reaches[at][block],
            };
            let nodes: Vec<(Node, usize)> = plan
                .nodes
                .ones()
                .filter_map(|inst| {
                    let inst = InstId::from_index(inst);
                    Some(((function, inst), *graph.block_of.get(&inst)?))
                })
                .collect();
            let unexplored: Vec<usize> = nodes
                .iter()
                .filter(|(node, block)| !self.search.explored.contains(node) && can(*block))
                .map(|(_, block)| *block)
                .collect();
            found |= !unexplored.is_empty();
            if take {
                for (node, block) in &nodes {
                    if unexplored.iter().any(|&from| from != *block && graph.reaches[from][*block]) {
                        self.search.explored.remove(node);
                    }
                }
            }
        }
        found
    }

    /// The block that a side of the running branch leads to.
    pub(crate) fn side_of(&self, state: &State, choice: &Choice, side: u32) -> Option<BlockId> {
        let frame = state.top().filter(|frame| frame.code.function == choice.function)?;
        let edge = match &frame.code.insts.get(frame.at as usize)?.op {
            Op::CondBr { then, otherwise, .. } => *if side == 0 { then } else { otherwise },
            Op::Switch { default, cases, .. } => match side.checked_sub(1) {
                Some(case) => cases.get(case as usize)?.1,
                None => *default,
            },
            _ => return None,
        };
        Some(frame.code.edges.get(edge as usize)?.to)
    }
}

impl Way {
    /// Whether the run explored something new since this was asked last.
    pub(crate) fn take_news(&mut self) -> bool {
        std::mem::take(&mut self.news)
    }
}

impl Search {
    fn graph(&mut self, function: &Function, id: FuncId) -> Rc<Graph> {
        self.graphs.entry(id).or_insert_with(|| Rc::new(Graph::new(function))).clone()
    }
}

impl Graph {
    fn new(function: &Function) -> Graph {
        let count = function.blocks.len();
        let mut successors = vec![Vec::new(); count];
        let mut block_of = BTreeMap::new();
        for (block, contents) in function.blocks.iter_ids() {
            block_of.extend(contents.insts.iter().map(|&inst| (inst, block.index())));
            if let Some(last) = function.terminator(block) {
                last.kind.for_each_successor(|to| successors[block.index()].push(to.index()));
            }
        }
        let reach = |from: usize| {
            let mut seen = vec![false; count];
            let mut stack = successors[from].clone();
            while let Some(block) = stack.pop() {
                if !std::mem::replace(&mut seen[block], true) {
                    stack.extend(&successors[block]);
                }
            }
            seen
        };
        let found = components(&successors[..]);
        let cycle = |block: usize| match found.cyclic[found.of[block]] {
            true => found.members[found.of[block]].clone(),
            false => Vec::new(),
        };
        Graph { reaches: (0..count).map(reach).collect(), cycle: (0..count).map(cycle).collect(), block_of }
    }
}
