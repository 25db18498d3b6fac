//! A tree as bytes: the gaps that its notes name, then nodes in order, each with its forced decisions, notes, end and fork.

use super::{End, Fork, Node, NodeId, Tree};
use evidence::Gap;
use std::collections::{BTreeMap, BTreeSet};

/// The form of the bytes; another number for another form.
const FORM: u8 = 2;

impl Tree {
    /// The tree as bytes; nothing if it grew too large.
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        if self.overflow {
            return None;
        }
        let mut out = vec![FORM];
        // Many nodes have the same few gaps.
        let gaps: BTreeSet<&Gap> = self.nodes.iter().flat_map(|node| &node.notes).map(|(gap, _)| gap).collect();
        number(&mut out, gaps.len() as u64);
        for gap in &gaps {
            let text = serde_json::to_string(gap).ok()?;
            number(&mut out, text.len() as u64);
            out.extend(text.as_bytes());
        }
        let places: BTreeMap<&Gap, u64> = gaps.into_iter().zip(0..).collect();
        let mut todo = vec![Tree::ROOT];
        while let Some(id) = todo.pop() {
            let node = self.nodes.get(id.0 as usize)?;
            // Most nodes have neither end nor notes.
            let end = match node.end {
                None => 0,
                Some(End::Path) => 1,
                Some(End::Dead) => 2,
            };
            let flags = end | u64::from(node.fork.is_some()) << 2 | u64::from(!node.notes.is_empty()) << 3;
            number(&mut out, flags | (node.forced.len() as u64) << 4);
            for (condition, side) in &node.forced {
                out.extend(condition.to_le_bytes());
                number(&mut out, (*side).into());
            }
            if !node.notes.is_empty() {
                number(&mut out, node.notes.len() as u64);
                for (gap, loc) in &node.notes {
                    number(&mut out, *places.get(gap)?);
                    number(&mut out, loc.map_or(0, |loc| u64::from(loc) + 1));
                }
            }
            let Some(fork) = &node.fork else { continue };
            out.extend(fork.condition.to_le_bytes());
            let followed = |side: &u32| fork.children.iter().any(|(known, _)| known == side);
            match &fork.sides {
                // The sides, and which of them were followed.
                Some(sides) => {
                    number(&mut out, sides.len() as u64 + 1);
                    sides.iter().for_each(|side| number(&mut out, u64::from(*side) << 1 | u64::from(followed(side))));
                }
                None => {
                    number(&mut out, 0);
                    number(&mut out, fork.children.len() as u64);
                    fork.children.iter().for_each(|(side, _)| number(&mut out, (*side).into()));
                }
            }
            todo.extend(fork.children.iter().rev().map(|(_, child)| *child));
        }
        Some(out)
    }

    /// The tree that bytes are; nothing if they are none.
    pub fn from_bytes(bytes: &[u8]) -> Option<Tree> {
        let (&form, mut rest) = bytes.split_first()?;
        if form != FORM {
            return None;
        }
        let mut gaps = Vec::new();
        for _ in 0..take(&mut rest)? {
            gaps.push(gap(&mut rest)?);
        }
        let mut tree = Tree::new();
        let mut todo = vec![Tree::ROOT];
        while let Some(id) = todo.pop() {
            let flags = take(&mut rest)?;
            let end = match flags & 3 {
                0 => None,
                1 => Some(End::Path),
                2 => Some(End::Dead),
                _ => return None,
            };
            let mut node = Node { end, ..Node::default() };
            for _ in 0..flags >> 4 {
                let condition = word(&mut rest)?;
                node.forced.push((condition, side(&mut rest)?));
            }
            if flags & 8 != 0 {
                for _ in 0..take(&mut rest)? {
                    node.notes.push(note(&mut rest, &gaps)?);
                }
            }
            if flags & 4 != 0 {
                let mut fork = Fork { condition: word(&mut rest)?, sides: None, children: Vec::new() };
                let count = take(&mut rest)?;
                let mut followed = Vec::new();
                if count > 0 {
                    let mut sides = Vec::new();
                    for _ in 1..count {
                        let number = take(&mut rest)?;
                        let side = u32::try_from(number >> 1).ok()?;
                        sides.push(side);
                        if number & 1 == 1 {
                            followed.push(side);
                        }
                    }
                    fork.sides = Some(sides);
                } else {
                    for _ in 0..take(&mut rest)? {
                        followed.push(side(&mut rest)?);
                    }
                }
                for side in followed {
                    fork.children.push((side, NodeId(u32::try_from(tree.nodes.len()).ok()?)));
                    tree.nodes.push(Node::default());
                }
                todo.extend(fork.children.iter().rev().map(|(_, child)| *child));
                node.fork = Some(fork);
            }
            tree.nodes[id.0 as usize] = node;
        }
        rest.is_empty().then_some(tree)
    }
}

fn gap(rest: &mut &[u8]) -> Option<Gap> {
    let length = usize::try_from(take(rest)?).ok()?;
    let (text, left) = rest.split_at_checked(length)?;
    *rest = left;
    serde_json::from_slice(text).ok()
}

fn note(rest: &mut &[u8], gaps: &[Gap]) -> Option<(Gap, Option<u32>)> {
    let gap = gaps.get(usize::try_from(take(rest)?).ok()?)?.clone();
    let loc = take(rest)?;
    Some((gap, loc.checked_sub(1).and_then(|loc| u32::try_from(loc).ok())))
}

/// Seven bits a byte, the lowest first.
fn number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn take(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, left) = rest.split_first()?;
        *rest = left;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

fn side(rest: &mut &[u8]) -> Option<u32> {
    u32::try_from(take(rest)?).ok()
}

fn word(rest: &mut &[u8]) -> Option<u64> {
    let (word, left) = rest.split_at_checked(8)?;
    *rest = left;
    Some(u64::from_le_bytes(word.try_into().ok()?))
}
