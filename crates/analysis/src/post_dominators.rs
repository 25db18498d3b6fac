//! Which nodes lie on every way from a node to the exit: dominators of the reversed graph.
//!
//! An endless loop has no way to the exit. It is given one: every edge back to the node at which the loop is entered
//! first is led through an artificial node that could also go to the exit. So nodes inside the loop keep their order,
//! and what stands behind a branch that may enter the loop depends on that branch.

use crate::cfg::Cfg;
use crate::components::components;
use crate::id::NodeId;
use ir::dominators::{Dominators, Graph};
use ir::id::Id;

/// The post-dominator tree of a graph.
#[derive(Clone, Debug)]
pub struct PostDominators {
    tree: Dominators,
    /// Numbers from here on are artificial nodes.
    nodes: usize,
}

impl PostDominators {
    /// The tree of a function; of nodes that are reached from the entry.
    pub fn of_cfg(cfg: &Cfg) -> PostDominators {
        PostDominators::new(cfg, 0, cfg.exit.index())
    }

    /// The tree of a graph that is entered at `entry` and left at `exit`.
    pub fn new(graph: &(impl Graph + ?Sized), entry: usize, exit: usize) -> PostDominators {
        let nodes = graph.node_count();
        let mut reversed = vec![Vec::new(); nodes];
        let mut successors = vec![Vec::new(); nodes];
        for node in reachable_from(entry, |node, visit| graph.for_each_successor(node, visit), nodes) {
            graph.for_each_successor(node, |next| {
                successors[node].push(next);
                reversed[next].push(node);
            });
        }
        for (header, members) in endless_loops(&successors, &reversed, entry, exit) {
            let artificial = reversed.len();
            reversed.push(Vec::new());
            let (inner, outer) = reversed[header].iter().partition(|&from| members.binary_search(from).is_ok());
            reversed[header] = outer;
            reversed[artificial] = inner;
            reversed[header].push(artificial);
            reversed[exit].push(artificial);
        }
        PostDominators { tree: Dominators::new(&reversed[..], exit), nodes }
    }

    /// Whether every way from `node` to the exit leads through `other`, or they are the same; false for nodes that are
    /// not reached.
    pub fn post_dominates(&self, other: NodeId, node: NodeId) -> bool {
        self.tree.dominates(other.index(), node.index())
    }

    /// The closest other node on every way from `node` to the exit; `None` for the exit and for a node that is not
    /// reached.
    pub fn immediate(&self, node: NodeId) -> Option<NodeId> {
        let mut above = self.tree.immediate(node.index())?;
        // Above an artificial node stands a real one: the exit is on every way.
        while above >= self.nodes {
            above = self.tree.immediate(above)?;
        }
        Some(NodeId::from_index(above))
    }
}

/// The nodes that `start` leads to, in the order in which they are found.
fn reachable_from(start: usize, edges: impl Fn(usize, &mut dyn FnMut(usize)), nodes: usize) -> Vec<usize> {
    let mut seen = vec![false; nodes];
    let mut order = Vec::new();
    let mut stack = vec![start];
    while let Some(node) = stack.pop() {
        if !std::mem::replace(&mut seen[node], true) {
            order.push(node);
            edges(node, &mut |next| stack.push(next));
        }
    }
    order
}

/// Components that have no way out but are reached: the node of each that is entered first, and all its nodes.
fn endless_loops(
    successors: &[Vec<usize>],
    reversed: &[Vec<usize>],
    entry: usize,
    exit: usize,
) -> Vec<(usize, Vec<usize>)> {
    let nodes = successors.len();
    let mut leaves = vec![false; nodes];
    for node in reachable_from(exit, |node, visit| reversed[node].iter().for_each(|&from| visit(from)), nodes) {
        leaves[node] = true;
    }
    let order = reachable_from(entry, |node, visit| successors[node].iter().for_each(|&next| visit(next)), nodes);
    if order.iter().all(|&node| leaves[node]) {
        return Vec::new();
    }
    let found = components(successors);
    let mut done = vec![false; found.members.len()];
    let mut loops = Vec::new();
    for &node in &order {
        let component = found.of[node];
        if leaves[node] || std::mem::replace(&mut done[component], true) {
            continue;
        }
        let members = &found.members[component];
        if members.iter().all(|&from| successors[from].iter().all(|&to| found.of[to] == component)) {
            loops.push((node, members.clone()));
        }
    }
    loops
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::random_graphs;

    /// Whether a way leads from `from` to `to` that does not touch `without`.
    fn leads(successors: &[Vec<usize>], from: usize, to: usize, without: Option<usize>) -> bool {
        let edges = |node: usize, visit: &mut dyn FnMut(usize)| {
            successors[node].iter().filter(|&&next| Some(next) != without).for_each(|&next| visit(next));
        };
        Some(from) != without && reachable_from(from, edges, successors.len()).contains(&to)
    }

    #[test]
    fn agrees_with_the_definition_on_random_graphs() {
        for mut successors in random_graphs(3000, 10) {
            // The last node is the exit; nodes without successors end there.
            let exit = successors.len();
            successors.iter_mut().filter(|targets| targets.is_empty()).for_each(|targets| targets.push(exit));
            successors.push(Vec::new());
            let found = PostDominators::new(&successors[..], 0, exit);
            for node in 0..successors.len() {
                if !leads(&successors, 0, node, None) || !leads(&successors, node, exit, None) {
                    continue;
                }
                for other in 0..successors.len() {
                    // Ways that end in an endless loop do not count; ways through nodes that can also leave do.
                    let expect = !leads(&successors, node, exit, Some(other)) || node == other;
                    let endless = (0..exit)
                        .any(|end| leads(&successors, node, end, None) && !leads(&successors, end, exit, None));
                    let [a, b] = [other, node].map(NodeId::from_index);
                    if endless {
                        assert!(expect || !found.post_dominates(a, b), "{other} {node} {successors:?}");
                    } else {
                        assert_eq!(found.post_dominates(a, b), expect, "{other} {node} {successors:?}");
                    }
                }
            }
            for node in (0..exit).filter(|&node| leads(&successors, 0, node, None)) {
                assert!(found.immediate(NodeId::from_index(node)).is_some(), "{node} {successors:?}");
            }
        }
    }

    #[test]
    fn an_endless_loop_keeps_its_order() {
        // 0 -> 1; 1 -> 2 or 3; 2, 3 -> 4; 4 -> 1; 5 is the exit.
        let successors = [vec![1], vec![2, 3], vec![4], vec![4], vec![1], vec![]];
        let found = PostDominators::new(&successors[..], 0, 5);
        let immediate: Vec<_> = (0..6).map(|n| found.immediate(NodeId::from_index(n)).map(Id::index)).collect();
        assert_eq!(immediate, [Some(1), Some(4), Some(4), Some(4), Some(5), None]);
    }

    #[test]
    fn what_follows_a_possible_endless_loop_does_not_post_dominate() {
        // 0 -> 1 (endless) or 2; 2 -> 3, the exit.
        let successors = [vec![1, 2], vec![1], vec![3], vec![]];
        let found = PostDominators::new(&successors[..], 0, 3);
        assert_eq!(found.immediate(NodeId::from_index(0)), Some(NodeId::from_index(3)));
    }
}
