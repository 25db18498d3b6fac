//! Calls that changed in some arguments only: the same function is called at the same place.

use crate::align::{Map, Side};
use crate::refine::{is_ordered, translate};
use ir::id::{Id, InstId};
use ir::inst::{Callee, InstKind};

/// New calls that differ from their partners in arguments only, and in which.
pub(crate) fn arguments(old: &Side<'_>, new: &Side<'_>, map: &Map, unchanged: &[bool]) -> Vec<(InstId, Vec<u32>)> {
    let positions = new.positions();
    // What keeps its place, and what might, with its new position and the arguments that differ.
    let mut places = Vec::new();
    for &inst in &old.sequence {
        let Some(partner) = map.new_of(inst) else { continue };
        if unchanged[inst.index()] && is_ordered(old.kind(inst)) {
            places.push((positions[partner.index()], None));
        } else if let Some(differing) = differing(old, new, map, inst, partner).filter(|_| !unchanged[inst.index()]) {
            places.push((positions[partner.index()], Some((partner, differing))));
        }
    }
    let mut behind = vec![usize::MAX; places.len() + 1];
    for (index, (place, _)) in places.iter().enumerate().rev() {
        behind[index] = behind[index + 1].min(*place);
    }
    let mut found = Vec::new();
    let mut before = None;
    for (index, (place, call)) in places.into_iter().enumerate() {
        let keeps_place = before.is_none_or(|before| before < place) && place < behind[index + 1];
        found.extend(call.filter(|_| keeps_place));
        before = before.max(Some(place));
    }
    found.sort_unstable();
    found
}

/// The arguments in which two calls of the same function differ, if there are any and nothing else differs.
fn differing(old: &Side<'_>, new: &Side<'_>, map: &Map, left: InstId, right: InstId) -> Option<Vec<u32>> {
    let (InstKind::Call(call), InstKind::Call(_)) = (old.kind(left), new.kind(right)) else { return None };
    let (left, right) = (old.form(left), new.form(right));
    if left.head != right.head || left.operands.len() != right.operands.len() {
        return None;
    }
    // The callee comes first if it is a value, bundles last.
    let first = usize::from(matches!(call.callee, Callee::Value(_)));
    let differs = |place: &usize| translate(map, left.operands[*place]) != Some(right.operands[*place]);
    let places: Vec<usize> = (0..left.operands.len()).filter(differs).collect();
    let is_argument = |place: &usize| (first..first + call.args.len()).contains(place);
    let all = !places.is_empty() && places.iter().all(is_argument);
    all.then(|| places.iter().filter_map(|place| u32::try_from(place - first).ok()).collect())
}
