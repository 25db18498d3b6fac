//! What a verdict takes for granted of the machine: that the stack is large enough, and that no other thread interferes.
//!
//! What no assumption helps with is the floating-point state, where a program has to do with it: then nothing is called the same.
//!
//! None of them is part of the model. A recursive function that became a loop uses less stack, and two reads of an atomic variable
//! may see two values, so both are said where they could matter.

use super::couple::unmarked;
use analysis::components::components;
use analysis::float_state::FloatState;
use evidence::Assumption;
use ir::constant::ConstKind;
use ir::id::{FuncId, Id};
use ir::inst::{InstKind, Value};
use ir::module::Module;
use rustc_hash::FxHashSet;

/// Stack objects of a function that are larger than this in all count as large.
const LARGE: u64 = 1 << 16;

/// What functions ask of the machine, by function.
pub struct Machine {
    /// Whether one may use much of the stack: it is recursive, or has large objects there.
    deep: Vec<bool>,
    /// Whether one does something that other threads may see.
    atomic: Vec<bool>,
    /// How they take part in the floating-point state.
    pub floats: FloatState,
}

impl Machine {
    /// Looks at all functions of a program.
    pub fn new(module: &Module) -> Machine {
        let called =
            |id: FuncId| module.functions[id].body().filter_map(|(_, _, inst)| module.called_function(&inst.kind));
        let callees: Vec<Vec<usize>> =
            module.functions.ids().map(|id| called(id).map(|callee| callee.index()).collect()).collect();
        let cycles = components(callees.as_slice());
        let is_recursive = |id: FuncId| cycles.cyclic[cycles.of[id.index()]];
        let deep = module.functions.ids().map(|id| is_recursive(id) || has_large_objects(module, id)).collect();
        let atomic = module.functions.ids().map(|id| is_atomic(module, id)).collect();
        Machine { deep, atomic, floats: FloatState::new(module) }
    }

    /// What is taken for granted of some functions, of which some changed.
    pub fn taken_for_granted(
        &self,
        functions: impl Iterator<Item = FuncId>,
        changed: &FxHashSet<FuncId>,
    ) -> Vec<Assumption> {
        let (mut stack, mut threads) = (false, false);
        for id in functions {
            stack |= self.deep[id.index()] && changed.contains(&id);
            threads |= self.atomic[id.index()];
        }
        [stack.then_some(Assumption::Stack), threads.then_some(Assumption::Threads)].into_iter().flatten().collect()
    }
}

/// Whether the stack objects of a function are large, or of a size that only a run knows.
fn has_large_objects(module: &Module, id: FuncId) -> bool {
    let mut all = 0u64;
    for (_, _, inst) in module.functions[id].body() {
        let InstKind::Alloca { element, count: Value::Const(count), .. } = inst.kind else {
            if matches!(inst.kind, InstKind::Alloca { .. }) {
                return true;
            }
            continue;
        };
        let ConstKind::Int(count) = module.consts[count].kind else { return true };
        let size = module.type_layouts.get(element).map_or(0, |layout| layout.size);
        all = all.saturating_add(size.saturating_mul(u64::try_from(count).unwrap_or(u64::MAX)));
    }
    all > LARGE
}

fn is_atomic(module: &Module, id: FuncId) -> bool {
    module.functions[id].body().any(|(_, _, inst)| match &inst.kind {
        InstKind::AtomicRmw(_) | InstKind::CompareExchange(_) | InstKind::Fence { .. } => true,
        InstKind::Load { access, .. } | InstKind::Store { access, .. } => access.ordering.is_some(),
        kind => module.called_function(kind).is_some_and(|callee| synchronises(unmarked(module.function_name(callee)))),
    })
}

/// Whether a function of a library synchronises threads, or starts or waits for one.
fn synchronises(name: &str) -> bool {
    // Of POSIX and of C; `libstdc++` declares some of them by other names. Behind them the library of C++ and that of Rust.
    const FAMILIES: [&str; 22] = [
        "pthread_mutex_",
        "pthread_rwlock_",
        "pthread_spin_",
        "pthread_cond_",
        "pthread_barrier_",
        "pthread_once",
        "pthread_create",
        "pthread_join",
        "pthread_cancel",
        "sem_",
        "mtx_",
        "cnd_",
        "thrd_",
        "call_once",
        "flockfile",
        "ftrylockfile",
        "funlockfile",
        "_ZNSt18condition_variable",
        "_ZNSt6thread",
        "_ZNSt13__future_base",
        "_ZNSt11this_thread",
        "_ZN3std3sys4sync",
    ];
    let name = name.strip_prefix("__gthrw_").unwrap_or(name);
    let name = name.strip_prefix("__").unwrap_or(name);
    FAMILIES.iter().any(|family| name.starts_with(family))
}
