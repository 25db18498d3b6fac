//! Which instructions are unchanged, through operands and control flow.
//!
//! An instruction is *unchanged* if its partner has the same form, all operands are partners of each other, it goes to
//! partner blocks, it lies in a partner block and, where order counts, in the same order. Operands may themselves be
//! changed: what that does to those who use them is a question of impact, not of change.
//!
//! The guess of [`crate::align`] is mended in rounds: an instruction whose partner disagrees gets one that agrees if there
//! is one; operands of partners become partners.

use crate::align::{Map, Side};
use crate::digest::{Digest, Hasher};
use crate::form::Operand;
use ir::id::{BlockId, Id, InstId};
use ir::inst::{BinaryOp, InstKind};
use rustc_hash::FxHashMap;

/// Most rounds; in practice two or three change something.
const ROUNDS: usize = 12;

/// Blocks that correspond, one to one.
#[derive(Clone, Debug)]
pub(crate) struct BlockMap {
    pub forward: Vec<Option<BlockId>>,
    pub backward: Vec<Option<BlockId>>,
}

/// Two functions, what corresponds, and what of that is unchanged.
pub(crate) struct Refined {
    pub map: Map,
    pub blocks: BlockMap,
    /// Of each old instruction whether it has a partner that is the same.
    pub unchanged: Vec<bool>,
}

/// Mends `map` and says which partners are unchanged.
pub(crate) fn refine(old: &Side<'_>, new: &Side<'_>, mut map: Map) -> Refined {
    let mut blocks = match_blocks(old, new, &map);
    for _ in 0..ROUNDS {
        let paired = pair_operands(old, new, &mut map);
        let mended = mend(old, new, &mut map, &blocks);
        if !paired && !mended {
            break;
        }
        blocks = match_blocks(old, new, &map);
    }
    let mut unchanged = vec![false; old.forms.len()];
    for &inst in &old.sequence {
        unchanged[inst.index()] = map.new_of(inst).is_some_and(|partner| agree(old, new, &map, &blocks, inst, partner));
    }
    keep_order(old, new, &map, &blocks, &mut unchanged);
    Refined { map, blocks, unchanged }
}

/// Blocks whose instructions mostly are partners; then those that partners of terminators go to.
fn match_blocks(old: &Side<'_>, new: &Side<'_>, map: &Map) -> BlockMap {
    let mut votes: FxHashMap<(BlockId, BlockId), usize> = FxHashMap::default();
    for &inst in &old.sequence {
        let partner = map.new_of(inst);
        if let (Some(block), Some(partner)) = (old.block_of[inst.index()], partner)
            && let Some(partner_block) = new.block_of[partner.index()]
        {
            let same = old.form(inst).head == new.form(partner).head;
            *votes.entry((block, partner_block)).or_default() += if same { 4 } else { 1 };
        }
    }
    let mut sorted: Vec<(usize, BlockId, BlockId)> =
        votes.into_iter().map(|((left, right), count)| (usize::MAX - count, left, right)).collect();
    sorted.sort_unstable();
    let mut blocks =
        BlockMap { forward: vec![None; old.function.blocks.len()], backward: vec![None; new.function.blocks.len()] };
    // Control enters both at the same place.
    if let (Some(left), Some(right)) = (old.function.blocks.ids().next(), new.function.blocks.ids().next()) {
        blocks.join(left, right);
    }
    for (_, left, right) in sorted {
        blocks.join(left, right);
    }
    let mut work: Vec<(BlockId, BlockId)> =
        old.function.blocks.ids().filter_map(|left| Some((left, blocks.forward[left.index()]?))).collect();
    while let Some((left, right)) = work.pop() {
        let terminator = |side: &Side<'_>, block| side.function.blocks[block].insts.last().copied();
        let (Some(left), Some(right)) = (terminator(old, left), terminator(new, right)) else { continue };
        let (left, right) = (old.form(left), new.form(right));
        if left.head == right.head {
            for (left, right) in left.blocks.iter().zip(&right.blocks) {
                if blocks.join(*left, *right) {
                    work.push((*left, *right));
                }
            }
        }
    }
    blocks
}

impl BlockMap {
    fn join(&mut self, old: BlockId, new: BlockId) -> bool {
        let free = self.forward[old.index()].is_none() && self.backward[new.index()].is_none();
        if free {
            self.forward[old.index()] = Some(new);
            self.backward[new.index()] = Some(old);
        }
        free
    }

    pub fn of_pairs(old: usize, new: usize, pairs: impl Iterator<Item = (BlockId, BlockId)>) -> BlockMap {
        let mut blocks = BlockMap { forward: vec![None; old], backward: vec![None; new] };
        pairs.for_each(|(left, right)| {
            blocks.join(left, right);
        });
        blocks
    }
}

/// An operand of the old version in terms of the new one.
pub(crate) fn translate(map: &Map, operand: Operand) -> Option<Operand> {
    match operand {
        Operand::Inst(inst) => map.new_of(inst).map(Operand::Inst),
        other => Some(other),
    }
}

fn agree(old: &Side<'_>, new: &Side<'_>, map: &Map, blocks: &BlockMap, left: InstId, right: InstId) -> bool {
    let expected = fingerprint_in_new(old, map, blocks, left);
    expected.is_some() && expected == fingerprint(new, right)
}

/// What an old instruction would look like in the new version; `None` if something it needs has no partner.
fn fingerprint_in_new(old: &Side<'_>, map: &Map, blocks: &BlockMap, inst: InstId) -> Option<Digest> {
    let form = old.form(inst);
    let block = blocks.forward[old.block_of[inst.index()]?.index()]?;
    let operands: Option<Vec<Operand>> = form.operands.iter().map(|operand| translate(map, *operand)).collect();
    let targets: Option<Vec<BlockId>> = form.blocks.iter().map(|target| blocks.forward[target.index()]).collect();
    Some(combine(old.kind(inst), form.head, block, operands?, targets?))
}

fn fingerprint(side: &Side<'_>, inst: InstId) -> Option<Digest> {
    let form = side.form(inst);
    let block = side.block_of[inst.index()]?;
    Some(combine(side.kind(inst), form.head, block, form.operands.clone(), form.blocks.clone()))
}

fn combine(kind: &InstKind, head: Digest, block: BlockId, operands: Vec<Operand>, targets: Vec<BlockId>) -> Digest {
    let mut hasher = Hasher::new("fingerprint");
    hasher.digest(head);
    hasher.word(block.index() as u64);
    let operand = |hasher: &mut Hasher, operand: &Operand| match operand {
        Operand::Inst(inst) => hasher.wide(inst.index() as u128),
        Operand::Arg(index) => hasher.wide(1 << 64 | u128::from(*index)),
        Operand::Fixed(digest) => hasher.digest(*digest),
    };
    if matches!(kind, InstKind::Phi { .. }) {
        // The order in which a phi lists its blocks means nothing.
        let mut incoming: Vec<(BlockId, Operand)> = targets.into_iter().zip(operands).collect();
        incoming.sort_by_key(|(block, _)| *block);
        for (block, value) in &incoming {
            hasher.word(block.index() as u64);
            operand(&mut hasher, value);
        }
    } else {
        operands.iter().for_each(|value| operand(&mut hasher, value));
        targets.iter().for_each(|target| hasher.word(target.index() as u64));
    }
    hasher.finish()
}

/// Makes operands of partners partners where neither has one.
fn pair_operands(old: &Side<'_>, new: &Side<'_>, map: &mut Map) -> bool {
    let mut found = false;
    // Users before what they use, so that one pass follows chains.
    for &inst in old.sequence.iter().rev() {
        let Some(partner) = map.new_of(inst) else { continue };
        let (left, right) = (old.form(inst), new.form(partner));
        if matches!(old.kind(inst), InstKind::Phi { .. }) || left.operands.len() != right.operands.len() {
            continue;
        }
        for operands in left.operands.iter().zip(&right.operands) {
            if let (Operand::Inst(left), Operand::Inst(right)) = operands
                && map.new_of(*left).is_none()
                && map.old_of(*right).is_none()
                && old.form(*left).operation == new.form(*right).operation
            {
                map.link(*left, *right);
                found = true;
            }
        }
    }
    found
}

/// Gives instructions whose partner disagrees a partner that agrees.
fn mend(old: &Side<'_>, new: &Side<'_>, map: &mut Map, blocks: &BlockMap) -> bool {
    let settled =
        |map: &Map, inst: InstId| map.new_of(inst).is_some_and(|partner| agree(old, new, map, blocks, inst, partner));
    let mut open: FxHashMap<Digest, Vec<InstId>> = FxHashMap::default();
    for &inst in new.sequence.iter().rev() {
        if !map.old_of(inst).is_some_and(|partner| settled(map, partner))
            && let Some(fingerprint) = fingerprint(new, inst)
        {
            open.entry(fingerprint).or_default().push(inst);
        }
    }
    let mut found = false;
    for &inst in &old.sequence {
        if settled(map, inst) {
            continue;
        }
        let same = fingerprint_in_new(old, map, blocks, inst).and_then(|fingerprint| open.get_mut(&fingerprint));
        if let Some(partner) = same.and_then(Vec::pop) {
            map.link(inst, partner);
            found = true;
        }
    }
    found
}

/// Takes back what is the same but in another order, where order counts.
fn keep_order(old: &Side<'_>, new: &Side<'_>, map: &Map, blocks: &BlockMap, unchanged: &mut [bool]) {
    let mut position = vec![0; new.forms.len()];
    for (place, inst) in new.sequence.iter().enumerate() {
        position[inst.index()] = place;
    }
    for (block, contents) in old.function.blocks.iter_ids() {
        if blocks.forward[block.index()].is_none() {
            continue;
        }
        let ordered: Vec<(InstId, usize)> = contents
            .insts
            .iter()
            .filter(|inst| unchanged[inst.index()] && is_ordered(old.kind(**inst)))
            .filter_map(|inst| Some((*inst, position[map.new_of(*inst)?.index()])))
            .collect();
        let places: Vec<usize> = ordered.iter().map(|(_, place)| *place).collect();
        let kept = longest_ascending(&places);
        for (index, (inst, _)) in ordered.iter().enumerate() {
            unchanged[inst.index()] = kept.binary_search(&index).is_ok();
        }
    }
}

/// Positions of a longest ascending subsequence, ascending.
fn longest_ascending(values: &[usize]) -> Vec<usize> {
    // Of each length the position at which the smallest last element stands.
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![None; values.len()];
    for (position, value) in values.iter().enumerate() {
        let length = ends.partition_point(|end| values[*end] < *value);
        before[position] = length.checked_sub(1).map(|shorter| ends[shorter]);
        match ends.get_mut(length) {
            Some(end) => *end = position,
            None => ends.push(position),
        }
    }
    let mut result: Vec<usize> = std::iter::successors(ends.last().copied(), |position| before[*position]).collect();
    result.reverse();
    result
}

/// Whether it matters what an instruction comes before and behind: it reads or writes memory, may fail, or may not return.
fn is_ordered(kind: &InstKind) -> bool {
    match kind {
        InstKind::Binary { op, .. } => {
            matches!(op, BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem)
        }
        InstKind::Gep { .. }
        | InstKind::FNeg { .. }
        | InstKind::Compare { .. }
        | InstKind::Cast { .. }
        | InstKind::Select { .. }
        | InstKind::Phi { .. }
        | InstKind::Freeze(_)
        | InstKind::ExtractValue { .. }
        | InstKind::InsertValue { .. }
        | InstKind::ExtractElement { .. }
        | InstKind::InsertElement { .. }
        | InstKind::ShuffleVector { .. }
        | InstKind::Alloca { .. }
        | InstKind::Marker(_) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_ascending_subsequences() {
        let check = |values: &[usize], expect: &[usize]| assert_eq!(longest_ascending(values), expect, "{values:?}");
        check(&[], &[]);
        check(&[5], &[0]);
        check(&[1, 2, 3], &[0, 1, 2]);
        check(&[3, 1, 2], &[1, 2]);
        check(&[2, 1], &[1]);
        check(&[1, 5, 2, 3, 9, 4], &[0, 2, 3, 5]);
    }
}
