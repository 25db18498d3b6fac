//! Instructions that are not the same in both versions.

use crate::diff::couple::Couple;
use change::diff::Status;
use change::{Changes, FunctionChange};
use ir::id::{BlockId, FuncId, InstId};
use ir::inst::InstKind;
use ir::module::Module;
use rustc_hash::FxHashSet;

/// Instructions that are not the same in both versions, as the program knows them.
#[derive(Default)]
pub(super) struct Changed {
    /// Of the old version.
    pub(super) old: FxHashSet<(FuncId, InstId)>,
    /// Of these, those that the new version lacks.
    pub(super) removed: FxHashSet<(FuncId, InstId)>,
    /// Of the new version.
    pub(super) new: FxHashSet<(FuncId, InstId)>,
    /// Phis of both, and blocks from which they take other values than in the other version.
    pub(super) edges: FxHashSet<(FuncId, InstId, BlockId)>,
}

impl Changed {
    pub(super) fn new(old: &Module, new: &Module, changes: &Changes, couple: &Couple) -> Changed {
        let mut changed = Changed::default();
        for function in &changes.functions {
            let FunctionChange { old: of_old, new: of_new, diff, .. } = function;
            if let (Some(id), Some(linked)) = (of_old, of_old.and_then(|id| couple.old_function(old, id))) {
                for inst in old.functions[*id].insts.ids() {
                    let status = diff.as_ref().map_or(Status::Removed, |diff| diff.of_old(inst).status);
                    if status != Status::Unchanged {
                        changed.old.insert((linked, inst));
                    }
                    if status == Status::Removed {
                        changed.removed.insert((linked, inst));
                    }
                }
                let edges = diff.iter().flat_map(|diff| &diff.old_edges);
                changed.edges.extend(edges.map(|&(phi, from)| (linked, phi, from)));
            }
            if let (Some(id), Some(linked)) = (of_new, of_new.and_then(|id| couple.new_function(new, id))) {
                for inst in new.functions[*id].insts.ids() {
                    let status = diff.as_ref().map_or(Status::Added, |diff| diff.of_new(inst).status);
                    if status != Status::Unchanged {
                        changed.new.insert((linked, inst));
                    }
                }
                let edges = diff.iter().flat_map(|diff| &diff.new_edges);
                changed.edges.extend(edges.map(|&(phi, from)| (linked, phi, from)));
            }
        }
        changed
    }
}

/// The blocks of two versions in one program that are not the same in both.
pub(crate) fn changed_blocks(
    old: &Module,
    new: &Module,
    changes: &Changes,
    couple: &Couple,
) -> FxHashSet<(FuncId, BlockId)> {
    let changed = Changed::new(old, new, changes, couple);
    // What a phi takes comes from somewhere else, and most of it did not change.
    let mut found: FxHashSet<(FuncId, BlockId)> =
        changed.edges.iter().map(|(function, _, from)| (*function, *from)).collect();
    let functions: FxHashSet<FuncId> = changed.old.iter().chain(&changed.new).map(|(function, _)| *function).collect();
    for function in functions {
        let body = &couple.program.module.functions[function];
        let differs =
            |inst: &InstId| changed.old.contains(&(function, *inst)) || changed.new.contains(&(function, *inst));
        let is_phi = |inst: &InstId| matches!(body.insts[*inst].kind, InstKind::Phi { .. });
        for (block, contents) in body.blocks.iter_ids() {
            if contents.insts.iter().any(|inst| differs(inst) && !is_phi(inst)) {
                found.insert((function, block));
            }
        }
    }
    found
}

/// The instructions of the new one of two promoted versions that are changed or added. Where something was removed,
/// what stands in its place is not the same either: control flow or values that others use changed with it, or the
/// instructions of the block that it was in count.
pub fn changed_since(old: &Module, new: &Module) -> FxHashSet<(FuncId, InstId)> {
    let changes = change::compare(old, new);
    let mut changed = FxHashSet::default();
    for function in &changes.functions {
        let Some(id) = function.new else { continue };
        for inst in new.functions[id].insts.ids() {
            let status = function.diff.as_ref().map_or(Status::Added, |diff| diff.of_new(inst).status);
            if status != Status::Unchanged {
                changed.insert((id, inst));
            }
        }
        let (Some(diff), Some(of_old)) = (&function.diff, function.old) else { continue };
        for (_, contents) in old.functions[of_old].blocks.iter_ids() {
            if contents.insts.iter().any(|&inst| diff.of_old(inst).status == Status::Removed) {
                changed.extend(contents.insts.iter().filter_map(|&inst| Some((id, diff.of_old(inst).partner?))));
            }
        }
    }
    changed
}
