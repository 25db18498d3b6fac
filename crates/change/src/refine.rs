//! Which instructions are unchanged, through operands and control flow.
//!
//! An instruction is *unchanged* if its partner has the same form, all operands are partners of each other, it goes to
//! places that correspond (`flow`) and, where order counts, it stands in the same order. Operands may themselves be
//! changed: what that does to those who use them is a question of impact, not of change. If all instructions of two
//! functions are unchanged, terminators in the same order cut them into the same blocks, so the functions are the same.
//!
//! The guess of [`crate::align`] is mended in rounds: an instruction whose partner disagrees gets one that agrees if there
//! is one; operands of partners become partners.

use crate::align::{Map, Side};
use crate::digest::{Digest, Hasher};
use crate::flow::Flow;
use crate::form::Operand;
use ir::id::{BlockId, Id, InstId};
use ir::inst::{BinaryOp, InstKind};
use rustc_hash::FxHashMap;

/// Most rounds; in practice two or three change something.
const ROUNDS: usize = 12;

/// Two functions, what corresponds, and what of that is unchanged.
pub(crate) struct Refined {
    pub map: Map,
    pub flow: Flow,
    /// Of each old instruction whether it has a partner that is the same.
    pub unchanged: Vec<bool>,
}

/// Mends `map` and says which partners are unchanged.
pub(crate) fn refine(old: &Side<'_>, new: &Side<'_>, mut map: Map) -> Refined {
    let mut flow = Flow::new(old, new, &map);
    for _ in 0..ROUNDS {
        let paired = pair_operands(old, new, &mut map);
        let mended = mend(old, new, &mut map, &flow);
        if !paired && !mended {
            break;
        }
        flow = Flow::new(old, new, &map);
    }
    let mut unchanged = vec![false; old.forms.len()];
    for &inst in &old.sequence {
        unchanged[inst.index()] = map.new_of(inst).is_some_and(|partner| agree(old, new, &map, &flow, inst, partner));
    }
    keep_order(old, new, &map, &mut unchanged);
    Refined { map, flow, unchanged }
}

/// An operand of the old version in terms of the new one.
pub(crate) fn translate(map: &Map, operand: Operand) -> Option<Operand> {
    match operand {
        Operand::Inst(inst) => map.new_of(inst).map(Operand::Inst),
        other => Some(other),
    }
}

fn agree(old: &Side<'_>, new: &Side<'_>, map: &Map, flow: &Flow, left: InstId, right: InstId) -> bool {
    let expected = fingerprint_in_new(old, map, flow, left);
    expected.is_some() && expected == fingerprint(new, flow, right)
}

/// What an old instruction would look like in the new version; `None` if something it needs has no partner.
fn fingerprint_in_new(old: &Side<'_>, map: &Map, flow: &Flow, inst: InstId) -> Option<Digest> {
    let form = old.form(inst);
    let operands: Option<Vec<Operand>> = form.operands.iter().map(|operand| translate(map, *operand)).collect();
    let is_phi = old.is_phi(inst);
    let place = |block: &BlockId| if is_phi { flow.old_source(*block) } else { flow.old_target(*block) };
    let blocks: Option<Vec<BlockId>> = form.blocks.iter().map(place).collect();
    Some(combine(is_phi, form.head, operands?, blocks?))
}

/// What a new instruction looks like; `None` if it goes to or comes from places that are new.
fn fingerprint(new: &Side<'_>, flow: &Flow, inst: InstId) -> Option<Digest> {
    let form = new.form(inst);
    let is_phi = new.is_phi(inst);
    let place = |block: &BlockId| if is_phi { flow.new_source(*block) } else { flow.new_target(*block) };
    let blocks: Option<Vec<BlockId>> = form.blocks.iter().map(place).collect();
    Some(combine(is_phi, form.head, form.operands.clone(), blocks?))
}

fn combine(is_phi: bool, head: Digest, operands: Vec<Operand>, blocks: Vec<BlockId>) -> Digest {
    let mut hasher = Hasher::new("fingerprint");
    hasher.digest(head);
    let number = |operand: &Operand| match operand {
        Operand::Inst(inst) => inst.index() as u128,
        Operand::Arg(index) => 1 << 64 | u128::from(*index),
        Operand::Fixed(digest) => digest.0,
    };
    if is_phi {
        // Neither the order of a phi's blocks nor how many ways lead through new code means anything.
        let mut incoming: Vec<(BlockId, u128)> = blocks.into_iter().zip(operands.iter().map(number)).collect();
        incoming.sort_unstable();
        incoming.dedup();
        for (block, value) in incoming {
            hasher.word(block.index() as u64);
            hasher.wide(value);
        }
    } else {
        operands.iter().for_each(|operand| hasher.wide(number(operand)));
        blocks.iter().for_each(|block| hasher.word(block.index() as u64));
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
        if old.is_phi(inst) || left.operands.len() != right.operands.len() {
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

/// Gives instructions whose partner disagrees a partner that agrees: of several the one nearest to where it would be.
fn mend(old: &Side<'_>, new: &Side<'_>, map: &mut Map, flow: &Flow) -> bool {
    let settled =
        |map: &Map, inst: InstId| map.new_of(inst).is_some_and(|partner| agree(old, new, map, flow, inst, partner));
    let positions = new.positions();
    let mut open: FxHashMap<Digest, Vec<InstId>> = FxHashMap::default();
    for &inst in &new.sequence {
        if !map.old_of(inst).is_some_and(|partner| settled(map, partner))
            && let Some(fingerprint) = fingerprint(new, flow, inst)
        {
            open.entry(fingerprint).or_default().push(inst);
        }
    }
    let (mut found, mut expected) = (false, 0);
    for &inst in &old.sequence {
        if !settled(map, inst) {
            let same = fingerprint_in_new(old, map, flow, inst).and_then(|fingerprint| open.get_mut(&fingerprint));
            let nearest = same.and_then(|same| {
                let distance = |inst: &InstId| positions[inst.index()].abs_diff(expected);
                let place = (0..same.len()).min_by_key(|place| distance(&same[*place]))?;
                Some(same.remove(place))
            });
            if let Some(partner) = nearest {
                map.link(inst, partner);
                found = true;
            }
        }
        expected = map.new_of(inst).map_or(expected, |partner| positions[partner.index()]) + 1;
    }
    found
}

/// Takes back what is the same but in another order, where order counts.
fn keep_order(old: &Side<'_>, new: &Side<'_>, map: &Map, unchanged: &mut [bool]) {
    let positions = new.positions();
    let ordered: Vec<(InstId, usize)> = old
        .sequence
        .iter()
        .filter(|inst| unchanged[inst.index()] && is_ordered(old.kind(**inst)))
        .filter_map(|inst| Some((*inst, positions[map.new_of(*inst)?.index()])))
        .collect();
    let places: Vec<usize> = ordered.iter().map(|(_, place)| *place).collect();
    let kept = longest_ascending(&places);
    for (index, (inst, _)) in ordered.iter().enumerate() {
        unchanged[inst.index()] = kept.binary_search(&index).is_ok();
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
pub(crate) fn is_ordered(kind: &InstKind) -> bool {
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
