//! Strongly connected components: nodes that lead to each other.
//!
//! R. Tarjan: "Depth-first search and linear graph algorithms", SIAM J. Comput. 1972, with a stack of its own.

use ir::dominators::Graph;

/// The strongly connected components of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// Component of each node.
    pub of: Vec<usize>,
    /// Nodes of each component, ascending. A component comes behind all others that it leads to.
    pub members: Vec<Vec<usize>>,
    /// Whether a component has an edge inside: more than one node, or one that leads to itself.
    pub cyclic: Vec<bool>,
}

/// Finds the strongly connected components, those without a way out first.
pub fn components(graph: &(impl Graph + ?Sized)) -> Components {
    let count = graph.node_count();
    let edges = Edges::of(graph);
    let mut result = Components { of: vec![usize::MAX; count], members: Vec::new(), cyclic: Vec::new() };
    let mut numbers = vec![usize::MAX; count];
    let mut lowest = vec![0; count];
    let mut next_number = 0;
    let mut open = Vec::new();
    // Nodes on the way, each with its next edge to look at.
    let mut way: Vec<(usize, usize)> = Vec::new();
    for root in 0..count {
        if numbers[root] != usize::MAX {
            continue;
        }
        way.push((root, edges.starts[root]));
        while let Some((node, edge)) = way.pop() {
            if numbers[node] == usize::MAX {
                numbers[node] = next_number;
                lowest[node] = next_number;
                next_number += 1;
                open.push(node);
            }
            if edge < edges.starts[node + 1] {
                way.push((node, edge + 1));
                let next = edges.targets[edge];
                if numbers[next] == usize::MAX {
                    way.push((next, edges.starts[next]));
                } else if result.of[next] == usize::MAX {
                    lowest[node] = lowest[node].min(numbers[next]);
                }
                continue;
            }
            if lowest[node] == numbers[node] {
                let start = open.iter().rposition(|&other| other == node).unwrap_or(0);
                let mut members = open.split_off(start);
                members.sort_unstable();
                members.iter().for_each(|&member| result.of[member] = result.members.len());
                let to_itself = edges.targets[edges.starts[node]..edges.starts[node + 1]].contains(&node);
                result.cyclic.push(members.len() > 1 || to_itself);
                result.members.push(members);
            }
            if let Some(&(from, _)) = way.last() {
                lowest[from] = lowest[from].min(lowest[node]);
            }
        }
    }
    result
}

/// All edges of a graph in one list: those of a node stand between its start and the next one's.
struct Edges {
    starts: Vec<usize>,
    targets: Vec<usize>,
}

impl Edges {
    fn of(graph: &(impl Graph + ?Sized)) -> Edges {
        let mut edges = Edges { starts: vec![0], targets: Vec::new() };
        for node in 0..graph.node_count() {
            graph.for_each_successor(node, |next| edges.targets.push(next));
            edges.starts.push(edges.targets.len());
        }
        edges
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::random_graphs;
    use petgraph::graph::DiGraph;

    #[test]
    fn agrees_with_petgraph() {
        for successors in random_graphs(2000, 12) {
            let mut graph = DiGraph::<(), ()>::new();
            let nodes: Vec<_> = successors.iter().map(|_| graph.add_node(())).collect();
            for (from, targets) in successors.iter().enumerate() {
                for &to in targets {
                    graph.add_edge(nodes[from], nodes[to], ());
                }
            }
            let found = components(&successors[..]);
            let mut expect: Vec<Vec<usize>> = petgraph::algo::tarjan_scc(&graph)
                .into_iter()
                .map(|members| members.into_iter().map(|node| node.index()).collect())
                .collect();
            expect.iter_mut().for_each(|members: &mut Vec<usize>| members.sort_unstable());
            let mut sorted = found.members.clone();
            sorted.sort();
            expect.sort();
            assert_eq!(sorted, expect, "{successors:?}");
            for (from, targets) in successors.iter().enumerate() {
                for &to in targets {
                    assert!(found.of[to] <= found.of[from], "not bottom-up: {successors:?}");
                    assert!(found.of[to] != found.of[from] || found.cyclic[found.of[to]]);
                }
            }
        }
    }
}
