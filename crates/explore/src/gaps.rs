//! Where the new version does less: places of instructions that only the old one has.
//!
//! DiSE carries the effects of removed nodes over to nodes that both versions have (Fig. 5). A removed instruction that
//! something outside can see, such as a write to memory or a call, may have no such node; then the place where it would
//! have been counts as affected, and so do calls that lead there.

use change::impact::{Impact, Versions};
use ir::id::{FuncId, Id, InstId};
use ir::inst::InstKind;
use std::collections::{BTreeMap, BTreeSet};

/// For each function of the new version the instructions in whose place, or inside of which, more happened before.
pub fn gaps(versions: &Versions, impact: &Impact) -> BTreeMap<FuncId, Vec<InstId>> {
    let mut found: BTreeMap<FuncId, BTreeSet<InstId>> = BTreeMap::new();
    for change in &versions.changes.functions {
        let (Some(old), Some(new), Some(diff)) = (change.old, change.new, &change.diff) else { continue };
        let (function, other) = (&versions.old.module.functions[old], &versions.new.module.functions[new]);
        for (block, contents) in function.blocks.iter_ids() {
            for (position, &inst) in contents.insts.iter().enumerate() {
                let is_gone = diff.of_old(inst).partner.is_none();
                if !is_gone || !is_seen(&function.insts[inst].kind) || !impact.old.influence.has_anywhere(old, inst) {
                    continue;
                }
                let rest = contents.insts[position..].iter();
                let next = rest.filter(|inst| !is_marker(&function.insts[**inst].kind));
                let next = next.filter_map(|&inst| diff.of_old(inst).partner).next();
                let place = next.or_else(|| other.blocks[diff.old_blocks[block.index()]?].insts.last().copied());
                let place = place.or_else(|| other.blocks.iter().next()?.insts.last().copied());
                found.entry(new).or_default().extend(place);
            }
        }
    }
    let mut functions: Vec<FuncId> = found.keys().copied().collect();
    while let Some(function) = functions.pop() {
        for site in versions.new.calls.callers(function) {
            let calls = found.entry(site.caller).or_default();
            if calls.is_empty() {
                functions.push(site.caller);
            }
            calls.insert(site.inst);
        }
    }
    found.into_iter().map(|(function, insts)| (function, insts.into_iter().collect())).collect()
}

/// Whether somebody else may see what an instruction does.
fn is_seen(kind: &InstKind) -> bool {
    matches!(
        kind,
        InstKind::Store { .. }
            | InstKind::AtomicRmw(_)
            | InstKind::CompareExchange(_)
            | InstKind::Call(_)
            | InstKind::Invoke { .. }
            | InstKind::Load { .. }
            | InstKind::Binary { .. }
            | InstKind::VaArg { .. }
            | InstKind::Unsupported(_)
    )
}

fn is_marker(kind: &InstKind) -> bool {
    matches!(kind, InstKind::Marker(_))
}
