//! What a verdict takes for granted of the machine: that the stack is large enough, and that no other thread interferes.
//!
//! Neither is part of the model. A recursive function that became a loop uses less stack, and two reads of an atomic variable
//! may see two values, so both are said where they could matter.

use super::couple::Couple;
use super::verdict::Task;
use ir::constant::ConstKind;
use ir::id::FuncId;
use ir::inst::{InstKind, Value};
use ir::module::Module;
use rustc_hash::FxHashSet;

/// What is taken for granted where versions may differ in how much stack they use.
pub const STACK: &str = "the stack is large enough";

/// What is taken for granted where versions use what several threads may share.
pub const THREADS: &str = "no other thread changes what is shared meanwhile";

/// Stack objects of a function that are larger than this in all count as large.
const LARGE: u64 = 1 << 16;

/// What is taken for granted of two functions and all that they call.
pub fn taken_for_granted(task: &Task, couple: &Couple, entries: [FuncId; 2]) -> Vec<&'static str> {
    let module = &couple.program.module;
    let called = called(module, entries);
    let changed: FxHashSet<FuncId> = task.changed.iter().map(|(function, _)| *function).collect();
    let mut found = Vec::new();
    if called.iter().any(|id| changed.contains(id) && (may_be_large(module, *id) || is_recursive(module, *id))) {
        found.push(STACK);
    }
    if called.iter().any(|&id| is_atomic(module, id)) {
        found.push(THREADS);
    }
    found
}

/// All functions that may be called, these included.
fn called(module: &Module, from: impl IntoIterator<Item = FuncId>) -> FxHashSet<FuncId> {
    let mut todo: Vec<FuncId> = from.into_iter().collect();
    let mut seen = FxHashSet::default();
    while let Some(id) = todo.pop() {
        if seen.insert(id) {
            todo.extend(callees(module, id));
        }
    }
    seen
}

fn callees(module: &Module, id: FuncId) -> impl Iterator<Item = FuncId> + '_ {
    module.functions[id].body().filter_map(|(_, _, inst)| module.called_function(&inst.kind))
}

fn is_recursive(module: &Module, id: FuncId) -> bool {
    called(module, callees(module, id)).contains(&id)
}

/// Whether a function may take much of the stack for itself.
fn may_be_large(module: &Module, id: FuncId) -> bool {
    let mut all = 0u64;
    for (_, _, inst) in module.functions[id].body() {
        let InstKind::Alloca { element, count, .. } = inst.kind else { continue };
        let number = match count {
            Value::Const(count) => match module.consts[count].kind {
                ConstKind::Int(number) => u64::try_from(number).ok(),
                _ => None,
            },
            _ => None,
        };
        let Some(number) = number else { return true };
        let size = module.type_layouts.get(element).map_or(0, |layout| layout.size);
        all = all.saturating_add(size.saturating_mul(number));
    }
    all > LARGE
}

fn is_atomic(module: &Module, id: FuncId) -> bool {
    module.functions[id].body().any(|(_, _, inst)| match &inst.kind {
        InstKind::AtomicRmw(_) | InstKind::CompareExchange(_) | InstKind::Fence { .. } => true,
        InstKind::Load { access, .. } | InstKind::Store { access, .. } => access.ordering.is_some(),
        _ => false,
    })
}
