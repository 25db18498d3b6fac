//! What was found out about a tree of paths: which sides of which decisions can be taken.
//!
//! A node stands for the constraints on the way to it. In it are the decisions that these constraints left no choice
//! (*forced* ones: every other side was proven infeasible), and the decision that forks, with all sides that
//! can be taken. A decision is known by the digest of its conditions, which depends neither on the program nor on the
//! pool, so a node says something about formulas only: whoever comes along with the same constraints, one after the other,
//! and asks the same question, may take the answer, whatever program asks. This is the hash chain of path constraints
//! with proven-infeasible prefixes: a way from the root that agrees digest by digest has the same set of constraints.
//!
//! Nodes and paths are numbered in the order of the tree. As bytes a tree takes 9 for a forced decision and about 12 for
//! a fork, shared by all paths below it.

use evidence::Gap;
use ir::id::{Id, LocId};
use std::sync::Arc;

/// A node of a tree; the root is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// What was found out about a tree of paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    nodes: Vec<Node>,
    /// Whether it grew too large to be kept.
    overflow: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Node {
    /// Decisions that had one possible side: digest of the conditions, side.
    forced: Vec<(u64, u32)>,
    fork: Option<Fork>,
    end: Option<End>,
    /// What was not decided here.
    notes: Vec<(Gap, Option<u32>)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Fork {
    condition: u64,
    /// All sides that can be taken, ascending; `None` if that is not known of all of them.
    sides: Option<Vec<u32>>,
    /// Those that were followed, ascending.
    children: Vec<(u32, NodeId)>,
}

/// How the way to a node ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With a path.
    Path,
    /// Without one: beyond the bounds, or not decided.
    Dead,
}

/// A decision on the way of a path.
#[derive(Clone, Debug)]
pub struct Mark {
    /// Digest of the conditions.
    pub condition: u64,
    /// Side that was taken.
    pub side: u32,
    /// What the others are.
    pub kind: MarkKind,
}

/// What is known of the other sides of a decision.
#[derive(Clone, Debug)]
pub enum MarkKind {
    /// They cannot be taken.
    Forced,
    /// These can be taken, ascending; `None` if it is not known.
    Fork(Option<Arc<[u32]>>),
}

/// What a tree says of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known<'t> {
    /// Nothing.
    Nothing,
    /// Only this side can be taken.
    Forced(u32),
    /// These sides can be taken, and no other; with the nodes of those that were followed.
    Fork(&'t [u32], &'t [(u32, NodeId)]),
}

/// Most nodes of a tree; beyond, it is not kept.
const MAX_NODES: usize = 1 << 21;

impl Tree {
    /// The root.
    pub const ROOT: NodeId = NodeId(0);

    /// A tree of which nothing is known.
    pub fn new() -> Tree {
        Tree { nodes: vec![Node::default()], overflow: false }
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.overflow || self.nodes.first().is_none_or(|root| *root == Node::default())
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// What is known of a decision at a node.
    pub fn known(&self, at: NodeId, condition: u64) -> Known<'_> {
        let Some(node) = self.nodes.get(at.0 as usize) else { return Known::Nothing };
        if let Some(Fork { condition: known, sides: Some(sides), children }) = &node.fork
            && *known == condition
        {
            return Known::Fork(sides, children);
        }
        match node.forced.iter().find(|(known, _)| *known == condition) {
            Some((_, side)) => Known::Forced(*side),
            None => Known::Nothing,
        }
    }

    /// The nodes behind the fork of a node, by side, if it is the decision with these conditions.
    pub fn fork(&self, at: NodeId, condition: u64) -> Option<&[(u32, NodeId)]> {
        let fork = self.nodes.get(at.0 as usize)?.fork.as_ref()?;
        (fork.condition == condition).then_some(&fork.children)
    }

    /// The nodes behind the fork of a node, by side.
    pub fn children(&self, at: NodeId) -> &[(u32, NodeId)] {
        let fork = self.nodes.get(at.0 as usize).and_then(|node| node.fork.as_ref());
        fork.map_or(&[], |fork| &fork.children)
    }

    /// Adds the way to a node, with what was not decided at which of its decisions; the node at its end.
    pub fn insert(
        &mut self,
        marks: &[&Mark],
        end: Option<End>,
        notes: &mut Vec<(usize, Gap, Option<LocId>)>,
    ) -> NodeId {
        let mut notes = std::mem::take(notes).into_iter().peekable();
        if self.overflow {
            return Tree::ROOT;
        }
        let mut at = Tree::ROOT;
        let mut forced = 0;
        for depth in 0..=marks.len() {
            while let Some((_, what, loc)) = notes.next_if(|(noted, ..)| *noted <= depth) {
                let loc = loc.map(|loc| loc.index() as u32);
                self.nodes[at.0 as usize].notes.push((what, loc));
            }
            let Some(mark) = marks.get(depth) else { break };
            match &mark.kind {
                MarkKind::Forced => {
                    let node = &mut self.nodes[at.0 as usize];
                    if node.forced.len() == forced {
                        node.forced.push((mark.condition, mark.side));
                    }
                    forced += 1;
                }
                MarkKind::Fork(sides) => {
                    at = self.child(at, mark, sides.as_deref());
                    forced = 0;
                    if self.overflow {
                        return at;
                    }
                }
            }
        }
        let node = &mut self.nodes[at.0 as usize];
        node.end = node.end.or(end);
        at
    }

    fn child(&mut self, at: NodeId, mark: &Mark, sides: Option<&[u32]>) -> NodeId {
        let next = NodeId(self.nodes.len() as u32);
        if self.nodes.len() >= MAX_NODES {
            *self = Tree { overflow: true, ..Tree::new() };
            return Tree::ROOT;
        }
        let fork = self.nodes[at.0 as usize].fork.get_or_insert_with(|| Fork {
            condition: mark.condition,
            sides: None,
            children: Vec::new(),
        });
        if fork.sides.is_none() {
            fork.sides = sides.map(<[u32]>::to_vec);
        }
        match fork.children.binary_search_by_key(&mark.side, |(side, _)| *side) {
            Ok(found) => fork.children[found].1,
            Err(place) => {
                fork.children.insert(place, (mark.side, next));
                self.nodes.push(Node::default());
                next
            }
        }
    }

    /// Adds what another tree knows below one of its nodes to a node of this one.
    pub fn graft(&mut self, at: NodeId, other: &Tree, from: NodeId) {
        self.overflow |= other.overflow;
        let mut todo = vec![(at, from)];
        while let Some((to, from)) = todo.pop().filter(|_| !self.overflow) {
            let Some(source) = other.nodes.get(from.0 as usize) else { continue };
            let node = &mut self.nodes[to.0 as usize];
            if source.forced.len() > node.forced.len() {
                node.forced.clone_from(&source.forced);
            }
            node.end = node.end.or(source.end);
            node.notes.extend(source.notes.iter().cloned());
            let Some(fork) = &source.fork else { continue };
            for &(side, child) in &fork.children {
                let mark = Mark { condition: fork.condition, side, kind: MarkKind::Forced };
                let made = self.child(to, &mark, fork.sides.as_deref());
                if self.overflow {
                    return;
                }
                todo.push((made, child));
            }
            if fork.children.is_empty() && self.nodes[to.0 as usize].fork.is_none() {
                self.nodes[to.0 as usize].fork = Some(fork.clone());
            }
        }
    }

    /// For each node the numbers of the paths below it: first, and behind the last.
    pub fn ranges(&self) -> Vec<(u32, u32)> {
        let mut ranges = vec![(0, 0); self.nodes.len()];
        let mut count = 0;
        self.walk(|node, entering| {
            let range = &mut ranges[node.0 as usize];
            if entering {
                range.0 = count;
                count += u32::from(self.nodes[node.0 as usize].end == Some(End::Path));
            } else {
                range.1 = count;
            }
        });
        ranges
    }

    /// For each node how many are above it.
    pub fn depths(&self) -> Vec<u32> {
        let mut depths = vec![0; self.nodes.len()];
        let mut depth = 0;
        self.walk(|node, entering| {
            if entering {
                depths[node.0 as usize] = depth;
                depth += 1;
            } else {
                depth -= 1;
            }
        });
        depths
    }

    /// Whether all below a node was followed to its end.
    pub fn complete(&self) -> Vec<bool> {
        let mut complete = vec![false; self.nodes.len()];
        self.walk(|id, entering| {
            if entering {
                return;
            }
            let node = &self.nodes[id.0 as usize];
            complete[id.0 as usize] = match &node.fork {
                _ if node.end.is_some() => true,
                None => false,
                Some(fork) => fork.sides.as_ref().is_some_and(|sides| {
                    sides.len() == fork.children.len()
                        && fork.children.iter().all(|(_, child)| complete[child.0 as usize])
                }),
            };
        });
        complete
    }

    /// For each node whether every way below it ends with a path.
    pub fn without_dead_ends(&self) -> Vec<bool> {
        let mut alive = vec![true; self.nodes.len()];
        self.walk(|id, entering| {
            if !entering {
                let node = &self.nodes[id.0 as usize];
                let mut children = node.fork.iter().flat_map(|fork| &fork.children);
                alive[id.0 as usize] =
                    node.end != Some(End::Dead) && children.all(|(_, child)| alive[child.0 as usize]);
            }
        });
        alive
    }

    /// Forgets where what was not decided was: in another version it is elsewhere.
    pub fn forget_places(&mut self) {
        for node in &mut self.nodes {
            node.notes.iter_mut().for_each(|(_, place)| *place = None);
        }
    }

    /// The open decisions from a node to each path below it, in order.
    pub fn ways(&self, from: NodeId) -> Vec<Vec<u32>> {
        let mut ways = Vec::new();
        let mut todo = vec![(from, Vec::new())];
        while let Some((id, way)) = todo.pop() {
            let Some(node) = self.nodes.get(id.0 as usize) else { continue };
            let children = node.fork.iter().flat_map(|fork| fork.children.iter().rev());
            for &(side, child) in children {
                let mut next: Vec<u32> = way.clone();
                next.push(side);
                todo.push((child, next));
            }
            if node.end == Some(End::Path) {
                ways.push(way);
            }
        }
        ways
    }

    /// What was not decided below a node.
    pub fn notes(&self, from: NodeId) -> Vec<(Gap, Option<LocId>)> {
        let mut notes = Vec::new();
        let mut todo = vec![from];
        while let Some(id) = todo.pop() {
            let Some(node) = self.nodes.get(id.0 as usize) else { continue };
            let place = |loc: &Option<u32>| loc.map(|loc| LocId::from_index(loc as usize));
            notes.extend(node.notes.iter().map(|(what, loc)| (what.clone(), place(loc))));
            todo.extend(node.fork.iter().flat_map(|fork| &fork.children).map(|(_, child)| *child));
        }
        notes
    }

    /// Visits every node before and after those below it, in order.
    fn walk(&self, mut visit: impl FnMut(NodeId, bool)) {
        let mut todo = vec![(Tree::ROOT, true)];
        while let Some((id, entering)) = todo.pop() {
            let Some(node) = self.nodes.get(id.0 as usize) else { continue };
            visit(id, entering);
            if entering {
                todo.push((id, false));
                let children = node.fork.iter().flat_map(|fork| fork.children.iter().rev());
                todo.extend(children.map(|(_, child)| (*child, true)));
            }
        }
    }
}

mod bytes;

#[cfg(test)]
mod tests;
