//! Which places in the control flow of two functions correspond.
//!
//! A statement put into the middle of a block may cut it in two, so beginnings and ends of blocks have partners of their
//! own: a beginning is what a branch goes to, an end is what a phi's value comes from. Code that is in one version only is
//! looked through: a branch that now leads through new code to the old place still goes there. That new code is itself
//! reported, so nothing is lost.

use crate::align::{Map, Side};
use ir::id::{BlockId, Id, InstId};

/// Places that correspond.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    /// The new block that begins where each old one does.
    pub begins: BlockMap,
    /// The new block that ends where each old one does.
    pub ends: BlockMap,
    /// Where a branch to each block ends up, looking through code of that version only.
    old_targets: Vec<Option<BlockId>>,
    new_targets: Vec<Option<BlockId>>,
    /// Where control came from that leaves each block, likewise.
    old_sources: Vec<Option<BlockId>>,
    new_sources: Vec<Option<BlockId>>,
}

/// Blocks that correspond, one to one.
#[derive(Clone, Debug)]
pub(crate) struct BlockMap {
    pub forward: Vec<Option<BlockId>>,
    pub backward: Vec<Option<BlockId>>,
}

impl BlockMap {
    /// No block of two functions.
    pub fn new(old: &Side<'_>, new: &Side<'_>) -> BlockMap {
        BlockMap { forward: vec![None; old.function.blocks.len()], backward: vec![None; new.function.blocks.len()] }
    }

    /// Makes two blocks partners unless one has a partner.
    pub fn join(&mut self, old: BlockId, new: BlockId) -> bool {
        let free = self.forward[old.index()].is_none() && self.backward[new.index()].is_none();
        if free {
            self.forward[old.index()] = Some(new);
            self.backward[new.index()] = Some(old);
        }
        free
    }
}

impl Flow {
    /// The places that correspond if these instructions do.
    pub fn new(old: &Side<'_>, new: &Side<'_>, map: &Map) -> Flow {
        let (begins, ends) = (begins(old, new, map), ends(old, new, map));
        Flow {
            old_targets: look_through(old, &begins.forward, &map.forward, Direction::Forward),
            new_targets: look_through(new, &begins.backward, &map.backward, Direction::Forward),
            old_sources: look_through(old, &ends.forward, &map.forward, Direction::Backward),
            new_sources: look_through(new, &ends.backward, &map.backward, Direction::Backward),
            begins,
            ends,
        }
    }

    /// Where an old branch to `block` leads in the new version.
    pub fn old_target(&self, block: BlockId) -> Option<BlockId> {
        self.begins.forward[self.old_targets[block.index()]?.index()]
    }

    /// Where a new branch to `block` leads.
    pub fn new_target(&self, block: BlockId) -> Option<BlockId> {
        self.new_targets[block.index()]
    }

    /// Where what comes from the old `block` comes from in the new version.
    pub fn old_source(&self, block: BlockId) -> Option<BlockId> {
        self.ends.forward[self.old_sources[block.index()]?.index()]
    }

    /// Where what comes from the new `block` comes from.
    pub fn new_source(&self, block: BlockId) -> Option<BlockId> {
        self.new_sources[block.index()]
    }
}

/// Blocks whose first instructions with a partner lie in each other; then blocks that partners of terminators go to.
fn begins(old: &Side<'_>, new: &Side<'_>, map: &Map) -> BlockMap {
    let first = |side: &Side<'_>, partners: &[Option<InstId>], other: &Side<'_>, block: BlockId| {
        let insts = side.function.blocks[block].insts.iter();
        let partner = insts.filter(|inst| !side.is_marker(**inst)).find_map(|inst| partners[inst.index()])?;
        other.block_of[partner.index()]
    };
    let mut blocks = BlockMap::new(old, new);
    let entry = |side: &Side<'_>| side.function.blocks.ids().next();
    if let (Some(left), Some(right)) = (entry(old), entry(new)) {
        // Control enters both at the same place.
        blocks.join(left, right);
    }
    for left in old.function.blocks.ids() {
        if let Some(right) = first(old, &map.forward, new, left)
            && first(new, &map.backward, old, right) == Some(left)
        {
            blocks.join(left, right);
        }
    }
    for &inst in &old.sequence {
        let Some(partner) = map.new_of(inst) else { continue };
        let (left, right) = (old.form(inst), new.form(partner));
        if old.kind(inst).is_terminator() && left.head == right.head {
            left.blocks.iter().zip(&right.blocks).for_each(|(left, right)| {
                let nothing = |side: &Side<'_>, partners: &[Option<InstId>], block| is_alone(side, partners, block);
                if nothing(old, &map.forward, *left) == nothing(new, &map.backward, *right) {
                    blocks.join(*left, *right);
                }
            });
        }
    }
    blocks
}

/// Blocks whose terminators are partners.
fn ends(old: &Side<'_>, new: &Side<'_>, map: &Map) -> BlockMap {
    let mut blocks = BlockMap::new(old, new);
    for (block, contents) in old.function.blocks.iter_ids() {
        let partner = contents.insts.last().and_then(|inst| map.new_of(*inst));
        if let Some(end) = partner.and_then(|partner| new.block_of[partner.index()]) {
            blocks.join(block, end);
        }
    }
    blocks
}

/// Whether no instruction of a block has a partner.
fn is_alone(side: &Side<'_>, partners: &[Option<InstId>], block: BlockId) -> bool {
    let mut insts = side.function.blocks[block].insts.iter().filter(|inst| !side.is_marker(**inst));
    insts.all(|inst| partners[inst.index()].is_none())
}

#[derive(Clone, Copy, PartialEq)]
enum Direction {
    Forward,
    Backward,
}

/// Of each block the one with a partner that all ways from it (or to it) come to first, through blocks without one.
fn look_through(
    side: &Side<'_>,
    has_partner: &[Option<BlockId>],
    partners: &[Option<InstId>],
    direction: Direction,
) -> Vec<Option<BlockId>> {
    let alone: Vec<bool> = side.function.blocks.ids().map(|block| is_alone(side, partners, block)).collect();
    let resolve = |block: BlockId| {
        if has_partner[block.index()].is_some() {
            return Some(block);
        }
        let (mut seen, mut stack, mut found) = (vec![block], vec![block], None);
        while let Some(block) = stack.pop() {
            if has_partner[block.index()].is_some() {
                if *found.get_or_insert(block) != block {
                    return None;
                }
                continue;
            }
            // A block that is partly the other version's is no place to look through, and no place to arrive at.
            if !alone[block.index()] || seen.len() > MOST_BLOCKS {
                return None;
            }
            let mut visit = |next: BlockId| {
                if !seen.contains(&next) {
                    seen.push(next);
                    stack.push(next);
                }
            };
            match direction {
                Direction::Forward => side.successors(block).into_iter().for_each(&mut visit),
                Direction::Backward => side.predecessors[block.index()].iter().copied().for_each(&mut visit),
            }
        }
        found
    };
    side.function.blocks.ids().map(resolve).collect()
}

/// Most blocks of one version only that are looked through at once.
const MOST_BLOCKS: usize = 64;
