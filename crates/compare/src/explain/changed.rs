//! Instructions that are not the same in both versions.

use crate::diff::couple::Couple;
use change::diff::Status;
use change::{Changes, FunctionChange};
use explore::pair::ChangedCode;
use ir::id::{BlockId, FuncId, InstId};
use ir::inst::{InstKind, Value};
use ir::module::{Function, Module};
use ir::types::Type;
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

/// What is not the same in two versions in one program.
pub(crate) fn changed_code(old: &Module, new: &Module, changes: &Changes, couple: &Couple) -> ChangedCode {
    let changed = Changed::new(old, new, changes, couple);
    let module = &couple.program.module;
    // What a phi takes comes from somewhere else, and most of it did not change.
    let mut found = ChangedCode {
        blocks: changed.edges.iter().map(|(function, _, from)| (*function, *from)).collect(),
        ..ChangedCode::default()
    };
    let of_edges = changed.edges.iter().map(|(function, _, _)| function);
    let of_insts = changed.old.iter().chain(&changed.new).map(|(function, _)| function);
    let functions: FxHashSet<FuncId> = of_insts.chain(of_edges).copied().collect();
    for function in functions {
        let body = &module.functions[function];
        let differs =
            |inst: &InstId| changed.old.contains(&(function, *inst)) || changed.new.contains(&(function, *inst));
        for (block, contents) in body.blocks.iter_ids() {
            for &inst in &contents.insts {
                let is_new = |condition: &Value| differs(&inst) || decides_anew(module, body, *condition, &differs);
                match &body.insts[inst].kind {
                    InstKind::Phi { incoming, .. } => {
                        let of_phi = incoming.iter().map(|(from, _)| *from);
                        let other = of_phi.filter(|from| changed.edges.contains(&(function, inst, *from)));
                        found.edges.extend(other.map(|from| (function, from, block)));
                        continue;
                    }
                    InstKind::Select { condition, .. } if is_new(condition) => {
                        found.selects.insert((function, inst));
                    }
                    kind @ (InstKind::CondBr { condition: value, .. } | InstKind::Switch { value, .. })
                        if is_new(value) && !matches!(value, Value::Const(_)) =>
                    {
                        found.edges.extend(kind.successors().into_iter().map(|to| (function, block, to)));
                    }
                    _ => {}
                }
                if differs(&inst) {
                    found.blocks.insert((function, block));
                }
            }
        }
    }
    found
}

/// Most instructions that are looked at to find out whether a condition is another one.
const MAX_CONDITIONS: usize = 64;

/// Whether a condition is decided by an instruction that changed: itself, or one that it is composed of.
fn decides_anew(module: &Module, body: &Function, condition: Value, differs: &dyn Fn(&InstId) -> bool) -> bool {
    let is_condition = |inst: &InstId| matches!(module.types.resolve(body.insts[*inst].ty), Type::Int(1));
    let (mut todo, mut seen) = (vec![condition], FxHashSet::default());
    while let Some(value) = todo.pop() {
        let Value::Inst(inst) = value else { continue };
        if seen.len() >= MAX_CONDITIONS || !seen.insert(inst) {
            continue;
        }
        let kind = &body.insts[inst].kind;
        if differs(&inst) && !matches!(kind, InstKind::Phi { .. }) {
            return true;
        }
        kind.for_each_operand(|value| {
            let is_one = |inst: InstId| is_condition(&inst) || matches!(body.insts[inst].kind, InstKind::Cast { .. });
            if matches!(value, Value::Inst(inst) if is_one(inst)) {
                todo.push(value);
            }
        });
    }
    false
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
