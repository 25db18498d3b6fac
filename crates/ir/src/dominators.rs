//! Which nodes of a graph lie on every way to a node.
//!
//! T. Lengauer, R. E. Tarjan: "A Fast Algorithm for Finding Dominators in a Flowgraph", TOPLAS 1979, in its simple
//! version (path compression only), with stacks of its own.

/// A directed graph whose nodes are the numbers below `node_count`.
pub trait Graph {
    /// How many nodes there are.
    fn node_count(&self) -> usize;
    /// Calls `visit` with every node that an edge from `node` leads to, in order.
    fn for_each_successor(&self, node: usize, visit: impl FnMut(usize));
}

impl Graph for [Vec<usize>] {
    fn node_count(&self) -> usize {
        self.len()
    }

    fn for_each_successor(&self, node: usize, visit: impl FnMut(usize)) {
        self[node].iter().copied().for_each(visit);
    }
}

/// The dominator tree of a graph.
#[derive(Clone, Debug)]
pub struct Dominators {
    /// For each node when a walk through the tree enters and leaves it; `None` for one that is not reached.
    spans: Vec<Option<(usize, usize)>>,
    /// For each node its closest dominator; `None` for the entry and for one that is not reached.
    parents: Vec<Option<usize>>,
}

impl Dominators {
    /// The tree of a graph that is entered at `entry`.
    pub fn new(graph: &(impl Graph + ?Sized), entry: usize) -> Dominators {
        let count = graph.node_count();
        if entry >= count {
            return Dominators { spans: vec![None; count], parents: vec![None; count] };
        }
        let walk = Walk::new(graph, entry);
        let numbers = immediate_dominators(graph, &walk);
        let mut parents = vec![None; count];
        for (number, &node) in walk.order.iter().enumerate().skip(1) {
            parents[node] = Some(walk.order[numbers[number]]);
        }
        Dominators { spans: spans(count, &walk.order, &numbers), parents }
    }

    /// Whether some way leads to the node.
    pub fn is_reachable(&self, node: usize) -> bool {
        self.spans[node].is_some()
    }

    /// The closest other node on every way to `node`; `None` for the entry and for a node that is not reached.
    pub fn immediate(&self, node: usize) -> Option<usize> {
        self.parents[node]
    }

    /// Whether every way to `node` leads through `other`, or they are the same; false if no way leads to one of them.
    pub fn dominates(&self, other: usize, node: usize) -> bool {
        match (self.spans[other], self.spans[node]) {
            (Some((enter, leave)), Some((inner, _))) => enter <= inner && inner < leave,
            _ => false,
        }
    }
}

/// A depth-first walk. Nodes have the number of their place in it.
struct Walk {
    /// Nodes in the order in which they are entered.
    order: Vec<usize>,
    /// Number of each node; `None` for one that is not reached.
    numbers: Vec<Option<usize>>,
    /// By number: number of the node that it was entered from; the entry's is its own.
    parents: Vec<usize>,
}

impl Walk {
    fn new(graph: &(impl Graph + ?Sized), entry: usize) -> Walk {
        let mut walk = Walk { order: Vec::new(), numbers: vec![None; graph.node_count()], parents: Vec::new() };
        let mut stack = vec![(entry, 0)];
        while let Some((node, parent)) = stack.pop() {
            if walk.numbers[node].is_some() {
                continue;
            }
            let number = walk.order.len();
            walk.numbers[node] = Some(number);
            walk.order.push(node);
            walk.parents.push(parent);
            graph.for_each_successor(node, |next| stack.push((next, number)));
        }
        walk
    }
}

/// By number: the closest dominator of each node; the entry's is its own.
fn immediate_dominators(graph: &(impl Graph + ?Sized), walk: &Walk) -> Vec<usize> {
    let count = walk.order.len();
    let mut predecessors = vec![Vec::new(); count];
    for (number, &node) in walk.order.iter().enumerate() {
        graph.for_each_successor(node, |next| {
            if let Some(next) = walk.numbers[next] {
                predecessors[next].push(number);
            }
        });
    }
    let mut forest = Forest { above: vec![None; count], best: (0..count).collect(), semi: (0..count).collect() };
    let mut dominators = vec![0; count];
    let mut buckets = vec![Vec::new(); count];
    for node in (1..count).rev() {
        let parent = walk.parents[node];
        for &from in &predecessors[node] {
            let best = forest.best_above(from);
            forest.semi[node] = forest.semi[node].min(forest.semi[best]);
        }
        buckets[forest.semi[node]].push(node);
        forest.above[node] = Some(parent);
        for waiting in std::mem::take(&mut buckets[parent]) {
            let best = forest.best_above(waiting);
            dominators[waiting] = if forest.semi[best] < forest.semi[waiting] { best } else { parent };
        }
    }
    for node in 1..count {
        if dominators[node] != forest.semi[node] {
            dominators[node] = dominators[dominators[node]];
        }
    }
    dominators
}

struct Forest {
    above: Vec<Option<usize>>,
    /// The node with the smallest semidominator on the way up, as far as it was compressed.
    best: Vec<usize>,
    semi: Vec<usize>,
}

impl Forest {
    /// The node with the smallest semidominator from `node` up to below its root.
    fn best_above(&mut self, node: usize) -> usize {
        let mut path = Vec::new();
        let mut at = node;
        while let Some(above) = self.above[at] {
            path.push(at);
            at = above;
        }
        // The last one's way to the root has one step and stays as it is.
        path.pop();
        while let Some(at) = path.pop() {
            let Some(above) = self.above[at] else { break };
            if self.semi[self.best[above]] < self.semi[self.best[at]] {
                self.best[at] = self.best[above];
            }
            self.above[at] = self.above[above];
        }
        self.best[node]
    }
}

/// When a walk through the tree enters and leaves each node.
fn spans(nodes: usize, order: &[usize], parents: &[usize]) -> Vec<Option<(usize, usize)>> {
    // A node's number is greater than that of its parent, so sizes can be summed up from the end.
    let mut sizes = vec![1; order.len()];
    for number in (1..order.len()).rev() {
        sizes[parents[number]] += sizes[number];
    }
    let mut spans = vec![None; nodes];
    let mut enters = vec![0; order.len()];
    // Where the next child of each node begins.
    let mut free = vec![1; order.len()];
    for (number, &node) in order.iter().enumerate() {
        if number > 0 {
            enters[number] = free[parents[number]];
            free[parents[number]] += sizes[number];
            free[number] = enters[number] + 1;
        }
        spans[node] = Some((enters[number], enters[number] + sizes[number]));
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A node dominates those that cannot be reached without it.
    fn slow(successors: &[Vec<usize>], without: Option<usize>) -> Vec<bool> {
        let mut reached = vec![false; successors.len()];
        let mut stack = vec![0];
        while let Some(node) = stack.pop() {
            if Some(node) != without && !std::mem::replace(&mut reached[node], true) {
                stack.extend(&successors[node]);
            }
        }
        reached
    }

    #[test]
    fn agrees_with_the_definition_on_random_graphs() {
        let mut seed = 1_u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as usize % below
        };
        for _ in 0..2000 {
            let count = 1 + random(12);
            let successors: Vec<Vec<usize>> =
                (0..count).map(|_| (0..random(4)).map(|_| random(count)).collect()).collect();
            let found = Dominators::new(&successors[..], 0);
            let reachable = slow(&successors, None);
            for other in 0..count {
                let rest = slow(&successors, Some(other));
                let mut strict = (0..count).filter(|&node| node != other && found.dominates(node, other));
                let closest = strict.find(|&node| {
                    (0..count).all(|far| far == other || !found.dominates(far, other) || found.dominates(far, node))
                });
                assert_eq!(found.immediate(other), closest, "{other} {successors:?}");
                for node in 0..count {
                    let expect = reachable[node] && reachable[other] && !rest[node];
                    assert_eq!(found.dominates(other, node), expect, "{other} {node} {successors:?}");
                    assert_eq!(found.is_reachable(node), reachable[node]);
                }
            }
        }
    }
}
