//! What functions do beside computing a number: which both versions can share, and which only look at memory.
//!
//! A function that both versions have, the same code with all that it uses, and that makes nothing but a number of numbers
//! need not be entered to see that two versions do the same: whatever it computes, it computes the same
//! for the same arguments in both. So it is an uninterpreted function first (as in ARDiff and Rêve, of the callees that did
//! not change), and only where that does not prove the versions the same it is followed. It may fault or go on for ever,
//! so the order of such calls counts; it may print, which is then the same too. Functions that read or write memory of
//! others are always followed.

use super::couple::Couple;
use analysis::externals::{ArgUse, External, ResultOf, externals};
use change::Changes;
use exec::program::Program;
use ir::constant::ConstKind;
use ir::demangle::demangle;
use ir::id::{Arena, FuncId};
use ir::inst::{InstKind, Value};
use ir::module::{Function, Module};
use ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known of the functions of two versions.
#[derive(Default)]
pub struct Sorted {
    /// For each function of either version that is shared the one that stands for both.
    pub shared: FxHashMap<FuncId, FuncId>,
    /// Those that have no loops and call nothing that has.
    pub straight: FxHashSet<FuncId>,
    /// Those that also print.
    pub printing: FxHashSet<FuncId>,
    /// Functions whose result depends on their arguments alone, and that do nothing else but perhaps not return.
    pub pure: FxHashSet<FuncId>,
    /// Functions that write no memory and leave nothing behind but what they print, and perhaps panic.
    pub reading: FxHashSet<FuncId>,
}

/// Sorts the functions of two versions.
pub fn sorted(couple: &Couple, changes: &Changes, old: &Module, new: &Module) -> Sorted {
    let program = &couple.program;
    let quiet = May { print: true, ..May::default() };
    let [pure, quiet, reading] =
        [May::default(), quiet, May { print: true, read: true, panic: true }].map(|may| harmless(program, may));
    let mut sorted = Sorted { pure, reading, ..Sorted::default() };
    for function in changes.functions.iter().filter(|function| function.same) {
        let (Some(old_id), Some(new_id)) = (function.old, function.new) else { continue };
        let pair = couple.old_function(old, old_id).zip(couple.new_function(new, new_id));
        if let Some((first, second)) = pair.filter(|(first, second)| quiet.contains(first) && quiet.contains(second)) {
            sorted.shared.insert(first, second);
            sorted.shared.insert(second, second);
            if !sorted.pure.contains(&second) {
                sorted.printing.insert(second);
            }
        }
    }
    sorted.straight = straight(program, &sorted.shared);
    sorted
}

/// Functions that do without loops and recursion, of these.
fn straight(program: &Program, shared: &FxHashMap<FuncId, FuncId>) -> FxHashSet<FuncId> {
    let module = &program.module;
    let mut found: FxHashSet<FuncId> = FxHashSet::default();
    loop {
        let is_straight = |id: FuncId| {
            let mut callees = module.functions[id].body().filter_map(|(_, _, inst)| module.called_function(&inst.kind));
            let known = |callee: FuncId| !module.functions[callee].is_defined() || found.contains(&callee);
            program.code(id).loops == 0 && callees.all(known)
        };
        let more: Vec<FuncId> = shared.keys().copied().filter(|id| !found.contains(id) && is_straight(*id)).collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}

/// What a function may do beside computing a number out of numbers.
#[derive(Clone, Copy, Default)]
struct May {
    /// Print.
    print: bool,
    /// Look at memory, and be given pointers.
    read: bool,
    /// End the program by a panic.
    panic: bool,
}

/// Functions that do no more than they may.
fn harmless(program: &Program, may: May) -> FxHashSet<FuncId> {
    let module = &program.module;
    let externals = externals(module);
    let is_candidate = |id: &FuncId| module.functions[*id].is_defined() && (may.read || is_of_numbers(module, *id));
    let mut found: FxHashSet<FuncId> = module.functions.ids().filter(is_candidate).collect();
    // A function is not harmless if it calls one that is not, until nothing changes any more.
    loop {
        let is_harmless = |id: FuncId| {
            let function = &module.functions[id];
            function.body().all(|(_, _, inst)| is_harmless(program, function, &inst.kind, may, &found, &externals))
        };
        let rest: FxHashSet<FuncId> = found.iter().copied().filter(|&id| is_harmless(id)).collect();
        if rest.len() == found.len() {
            return found;
        }
        found = rest;
    }
}

/// Whether a function has a body, is given numbers and returns one.
fn is_of_numbers(module: &Module, id: FuncId) -> bool {
    let function = &module.functions[id];
    let number = |ty| matches!(module.types.resolve(ty), Type::Int(1..=64) | Type::Float(_));
    let signature = module.types.signature(function.ty);
    function.is_defined()
        && !function.params.is_empty()
        && function.params.iter().all(|param| number(param.ty))
        && signature.is_some_and(|(result, _, variadic)| !variadic && number(result))
}

fn is_harmless(
    program: &Program,
    function: &Function,
    kind: &InstKind,
    may: May,
    callable: &FxHashSet<FuncId>,
    externals: &Arena<FuncId, Option<External>>,
) -> bool {
    let is_pointer =
        |arg: &Value| matches!(program.module.types.resolve(program.module.type_of(function, *arg)), Type::Ptr(_));
    match kind {
        InstKind::Gep { .. }
        | InstKind::Binary { .. }
        | InstKind::FNeg { .. }
        | InstKind::Compare { .. }
        | InstKind::Cast { .. }
        | InstKind::Select { .. }
        | InstKind::Phi { .. }
        | InstKind::Freeze(_)
        | InstKind::ExtractValue { .. }
        | InstKind::InsertValue { .. }
        | InstKind::Marker(_)
        | InstKind::Ret(_)
        | InstKind::Br(_)
        | InstKind::CondBr { .. }
        | InstKind::Switch { .. }
        | InstKind::Unreachable => true,
        InstKind::Load { ptr, access } => {
            let plain = !access.volatile && access.ordering.is_none();
            plain && (may.read || root(program, function, *ptr) != Root::Anything)
        }
        // Nobody else sees memory of its own: it ends with the call, and its address is given to nobody.
        InstKind::Alloca { .. } => true,
        InstKind::Store { ptr, value, access } => {
            let own = root(program, function, *ptr) == Root::Own && root(program, function, *value) != Root::Own;
            own && !access.volatile && access.ordering.is_none()
        }
        InstKind::Call(call) => match program.module.called_function(kind) {
            Some(callee) if program.module.functions[callee].is_defined() => {
                let escapes = |arg: &Value| root(program, function, *arg) == Root::Own;
                callable.contains(&callee) && !call.args.iter().any(escapes)
            }
            // The end of arrays whose length is computed.
            Some(callee) if program.module.function_name(callee).starts_with("llvm.stack") => true,
            Some(callee) if is_memory_intrinsic(program.module.function_name(callee)) => {
                let mut roots = call.args.iter().filter(|arg| is_pointer(arg)).map(|arg| root(program, function, *arg));
                roots.next() == Some(Root::Own) && roots.all(|root| root != Root::Anything || may.read)
            }
            Some(callee) if may.print && PRINTING.contains(&program.module.function_name(callee)) => {
                call.args.iter().all(|arg| !is_pointer(arg) || root(program, function, *arg) == Root::Constant)
            }
            Some(callee) if is_overflow_check(program.module.function_name(callee)) => true,
            Some(callee) if may.panic && is_panic(program.module.function_name(callee)) => true,
            Some(callee) => externals[callee].as_ref().is_some_and(|external| {
                let own = |at: usize| call.args.get(at).is_some_and(|arg| root(program, function, *arg) == Root::Own);
                computes_a_number(external, own)
            }),
            None => false,
        },
        _ => false,
    }
}

/// Functions that do nothing but print.
const PRINTING: [&str; 3] = ["printf", "puts", "putchar"];

/// Arithmetic that says whether its result fits.
fn is_overflow_check(name: &str) -> bool {
    name.strip_prefix("llvm.").is_some_and(|rest| rest.contains(".with.overflow."))
}

/// Whether a function of Rust's library does nothing but panic, with a text that does not depend on memory.
fn is_panic(name: &str) -> bool {
    const PANICS: [&str; 2] = ["core::panicking::panic_const::", "core::panicking::panic_bounds_check"];
    let is_rust = name.starts_with("_R") || name.starts_with("_ZN");
    is_rust && PANICS.iter().any(|start| demangle(name).starts_with(start))
}

fn is_memory_intrinsic(name: &str) -> bool {
    ["llvm.memset.", "llvm.memcpy.", "llvm.memmove.", "llvm.lifetime."].iter().any(|start| name.starts_with(start))
}

/// Where a pointer certainly leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Root {
    /// Something that never changes.
    Constant,
    /// Memory of the function itself.
    Own,
    /// That is not known.
    Anything,
}

fn root(program: &Program, function: &Function, pointer: Value) -> Root {
    let mut pointer = pointer;
    for _ in 0..64 {
        match pointer {
            Value::Inst(inst) => match &function.insts[inst].kind {
                InstKind::Gep { base, .. } => pointer = *base,
                InstKind::Alloca { .. } => return Root::Own,
                _ => break,
            },
            Value::Const(id) => match &program.module.consts[id].kind {
                ConstKind::Symbol(symbol) if program.is_constant(*symbol) => return Root::Constant,
                ConstKind::Offset { base, .. } => pointer = Value::Const(*base),
                _ => break,
            },
            _ => break,
        }
    }
    Root::Anything
}

/// Whether a function of the outside does no more than compute a number out of numbers, and others for memory of the
/// caller's own.
fn computes_a_number(external: &External, is_own: impl Fn(usize) -> bool) -> bool {
    let untouched = |arg: &ArgUse| !arg.reads && !arg.writes && !arg.keeps;
    let harmless = |(at, arg): (usize, &ArgUse)| untouched(arg) || !arg.keeps && is_own(at);
    external.result == ResultOf::Number
        && external.args.iter().enumerate().all(harmless)
        && untouched(&external.rest)
        && !(external.world.reads || external.world.writes || external.exits || external.throws)
}
