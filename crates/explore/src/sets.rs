//! Sets of numbers, each stored once, that share their parts.
//!
//! A set is a tree: a leaf has 64 numbers as bits, an inner node sixteen smaller sets of numbers that count from the node's
//! beginning. No tree is higher than its largest number needs, so equal sets are the same node. Unions are remembered
//! for every part: joining two large sets that differ in a corner costs that corner, which is what slices of the events
//! of a long run are.

use rustc_hash::FxHashMap;

/// A set among [`Sets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SetId(pub u32);

/// Numbers in a leaf, as a power of two.
const LEAF: u32 = 6;
/// Parts of an inner node, as a power of two.
const FAN: u32 = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node {
    Leaf(u64),
    /// Its height, and its parts; one behind the first is not empty.
    Inner(u8, [SetId; 1 << FAN]),
}

/// Sets, each stored once.
#[derive(Clone, Debug)]
pub struct Sets {
    nodes: Vec<Node>,
    known: FxHashMap<Node, SetId>,
    unions: FxHashMap<(SetId, SetId), SetId>,
}

impl Default for Sets {
    fn default() -> Self {
        let empty = Node::Leaf(0);
        Sets { nodes: vec![empty], known: FxHashMap::from_iter([(empty, Sets::EMPTY)]), unions: FxHashMap::default() }
    }
}

impl Sets {
    /// The set without elements.
    pub const EMPTY: SetId = SetId(0);

    /// Elements, ascending.
    pub fn get(&self, set: SetId) -> Vec<u32> {
        let mut found = Vec::new();
        self.list(set, 0, &mut found);
        found
    }

    /// Both together.
    pub fn union(&mut self, a: SetId, b: SetId) -> SetId {
        if a == b || b == Sets::EMPTY {
            return a;
        }
        if a == Sets::EMPTY {
            return b;
        }
        if let (Node::Leaf(a), Node::Leaf(b)) = (self.node(a), self.node(b)) {
            return self.intern(Node::Leaf(a | b));
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.unions.get(&key) {
            return known;
        }
        let height = self.height(a).max(self.height(b));
        let (left, right) = (self.parts(a, height), self.parts(b, height));
        let mut parts = left;
        for (part, &other) in parts.iter_mut().zip(&right) {
            *part = self.union(*part, other);
        }
        let id = self.intern(Node::Inner(height, parts));
        self.unions.insert(key, id);
        id
    }

    /// With one more element.
    pub fn with(&mut self, set: SetId, element: u32) -> SetId {
        let mut one = self.intern(Node::Leaf(1 << (element & ((1 << LEAF) - 1))));
        let mut rest = element >> LEAF;
        let mut height = 1;
        // Zeros on top are no levels, those in between are.
        let mut pending = 0;
        while rest != 0 {
            let place = (rest & ((1 << FAN) - 1)) as usize;
            if place == 0 {
                pending += 1;
            } else {
                let mut parts = [Sets::EMPTY; 1 << FAN];
                parts[place] = one;
                height += pending;
                pending = 0;
                one = self.intern(Node::Inner(height, parts));
                height += 1;
            }
            rest >>= FAN;
        }
        self.union(set, one)
    }

    /// The numbers below another one.
    pub fn all(&mut self, below: u32) -> SetId {
        (0..below).fold(Sets::EMPTY, |set, element| self.with(set, element))
    }

    /// Whether all elements of a set are in another one.
    pub fn is_subset(&mut self, set: SetId, of: SetId) -> bool {
        self.union(set, of) == of
    }

    fn node(&self, set: SetId) -> Node {
        self.nodes[set.0 as usize]
    }

    fn height(&self, set: SetId) -> u8 {
        match self.nodes[set.0 as usize] {
            Node::Leaf(_) => 0,
            Node::Inner(height, _) => height,
        }
    }

    /// The parts of a set seen as a node of some height.
    fn parts(&self, set: SetId, height: u8) -> [SetId; 1 << FAN] {
        match self.nodes[set.0 as usize] {
            Node::Inner(own, parts) if own == height => parts,
            _ => {
                let mut parts = [Sets::EMPTY; 1 << FAN];
                parts[0] = set;
                parts
            }
        }
    }

    fn list(&self, set: SetId, from: u32, found: &mut Vec<u32>) {
        match self.nodes[set.0 as usize] {
            Node::Leaf(mut bits) => {
                while bits != 0 {
                    found.push(from + bits.trailing_zeros());
                    bits &= bits - 1;
                }
            }
            Node::Inner(height, parts) => {
                let width = LEAF + FAN * (u32::from(height) - 1);
                for (at, &part) in (0u32..).zip(&parts).filter(|(_, part)| **part != Sets::EMPTY) {
                    self.list(part, from + (at << width), found);
                }
            }
        }
    }

    fn intern(&mut self, node: Node) -> SetId {
        if let Some(&known) = self.known.get(&node) {
            return known;
        }
        let id = SetId(self.nodes.len() as u32);
        self.nodes.push(node);
        self.known.insert(node, id);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::Sets;
    use std::collections::BTreeSet;

    #[test]
    fn unions_are_sets() {
        let mut sets = Sets::default();
        let a = sets.with(Sets::EMPTY, 1);
        let b = sets.with(a, 4);
        let c = sets.with(Sets::EMPTY, 3);
        let all = sets.union(b, c);
        assert_eq!(sets.get(all), [1, 3, 4]);
        assert_eq!(sets.union(c, b), all);
        assert!(sets.is_subset(b, all) && !sets.is_subset(all, b));
        assert_eq!(sets.all(200), sets.all(200));
        let all = sets.all(3000);
        assert_eq!(sets.get(all), (0..3000).collect::<Vec<u32>>());
    }

    #[test]
    fn random_sets_are_as_those_of_the_library() {
        let mut sets = Sets::default();
        let mut known = vec![(Sets::EMPTY, BTreeSet::new())];
        let mut seed = 7u64;
        let mut random = move |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..4000 {
            let (left, right) = (random(known.len() as u64) as usize, random(known.len() as u64) as usize);
            // Numbers of all sizes, many of them with zeros inside.
            let element = (random(1 << 31) as u32 >> random(31)) & !(0xff << random(24));
            let one = sets.with(known[left].0, element);
            let joined = sets.union(one, known[right].0);
            let expected: BTreeSet<u32> = known[left].1.union(&known[right].1).copied().chain([element]).collect();
            assert_eq!(sets.get(joined), expected.iter().copied().collect::<Vec<u32>>());
            if let Some((same, _)) = known.iter().find(|(_, other)| *other == expected) {
                assert_eq!(*same, joined);
            }
            if known.len() < 100 {
                known.push((joined, expected));
            } else {
                known[left] = (one, known[left].1.iter().copied().chain([element]).collect());
            }
        }
    }
}
