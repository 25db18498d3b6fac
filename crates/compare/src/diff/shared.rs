//! Functions that both versions share: the same code, with all that it uses, and nothing but a number of numbers.
//!
//! Such a function need not be entered to see that two versions do the same: whatever it computes, it computes the same
//! for the same arguments in both. So it is an uninterpreted function first (as in ARDiff and Rêve, of the callees that did
//! not change), and only where that does not prove the versions the same it is followed. It may fault or go on for ever,
//! so the order of such calls counts. Functions that read or write memory of others are always followed.

use super::couple::Couple;
use analysis::externals::{External, ResultOf, externals};
use change::Changes;
use exec::program::Program;
use ir::constant::ConstKind;
use ir::id::{Arena, FuncId};
use ir::inst::{InstKind, Value};
use ir::module::{Function, Module};
use ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

/// For each function of either version that is shared the one that stands for both.
pub fn shared(couple: &Couple, changes: &Changes, old: &Module, new: &Module) -> FxHashMap<FuncId, FuncId> {
    let pure = pure(&couple.program);
    let mut shared = FxHashMap::default();
    for function in changes.functions.iter().filter(|function| function.same) {
        let (Some(old_id), Some(new_id)) = (function.old, function.new) else { continue };
        let pair = couple.old_function(old, old_id).zip(couple.new_function(new, new_id));
        if let Some((first, second)) = pair.filter(|(first, second)| pure.contains(first) && pure.contains(second)) {
            shared.insert(first, second);
            shared.insert(second, second);
        }
    }
    shared
}

/// Functions whose result depends on their arguments alone, and that do nothing else but perhaps not return.
fn pure(program: &Program) -> FxHashSet<FuncId> {
    let module = &program.module;
    let externals = externals(module);
    let mut pure: FxHashSet<FuncId> = module.functions.ids().filter(|&id| is_of_numbers(module, id)).collect();
    // A function is not pure if it calls one that is not, until nothing changes any more.
    loop {
        let is_pure = |id: FuncId| {
            let function = &module.functions[id];
            function.body().all(|(_, _, inst)| is_harmless(program, function, &inst.kind, &pure, &externals))
        };
        let rest: FxHashSet<FuncId> = pure.iter().copied().filter(|&id| is_pure(id)).collect();
        if rest.len() == pure.len() {
            return pure;
        }
        pure = rest;
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
    pure: &FxHashSet<FuncId>,
    externals: &Arena<FuncId, Option<External>>,
) -> bool {
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
        InstKind::Load { ptr, .. } => is_in_constant(program, function, *ptr),
        InstKind::Call(_) => match program.module.called_function(kind) {
            Some(callee) if program.module.functions[callee].is_defined() => pure.contains(&callee),
            Some(callee) => externals[callee].as_ref().is_some_and(computes_a_number),
            None => false,
        },
        _ => false,
    }
}

/// Whether a pointer certainly leads into something that never changes.
fn is_in_constant(program: &Program, function: &Function, pointer: Value) -> bool {
    let mut pointer = pointer;
    for _ in 0..64 {
        match pointer {
            Value::Inst(inst) => match &function.insts[inst].kind {
                InstKind::Gep { base, .. } => pointer = *base,
                _ => return false,
            },
            Value::Const(id) => match &program.module.consts[id].kind {
                ConstKind::Symbol(symbol) => return program.is_constant(*symbol),
                ConstKind::Offset { base, .. } => pointer = Value::Const(*base),
                _ => return false,
            },
            _ => return false,
        }
    }
    false
}

fn computes_a_number(external: &External) -> bool {
    let untouched = |arg: &analysis::externals::ArgUse| !arg.reads && !arg.writes && !arg.keeps;
    external.result == ResultOf::Number
        && external.args.iter().all(untouched)
        && untouched(&external.rest)
        && !(external.world.reads || external.world.writes || external.exits || external.throws)
}
