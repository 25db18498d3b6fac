//! Calls through pointers of the input: no library brings what they lead to, so the case answers for them.
//!
//! Before each call through a pointer the runtime is asked whether the pointer leads to an object of the input. If so,
//! a function of the same type is called in its place, which records its arguments and returns what the case says.

use std::collections::BTreeMap;

use ir::id::{AttrsId, FuncId, TypeId};
use ir::inst::{Call, Callee, InstKind, Value};
use ir::module::{Function, Module, Param, SymbolKind};
use ir::types::Type;

use super::emit;
use super::outside::{Outside, answering_body, runtime_functions};

/// Of numbers of functions those that stand for pointers of the input, as `runtime.c` has it.
pub const OF_INPUT: u64 = 1 << 63;

/// Where in such a number that of the function begins; the object's lies below.
pub const FUNCTION_SHIFT: u32 = 32;

/// What calls have in common that one function can answer.
type Shape = (TypeId, Box<[AttrsId]>, AttrsId, u32);

/// Lets the case answer for pointers of the input in `functions`; what answers, by number.
pub fn answer(module: &mut Module, functions: &[FuncId]) -> Vec<(u64, Outside)> {
    let mut answering: BTreeMap<Shape, Option<FuncId>> = BTreeMap::new();
    let mut found = Vec::new();
    let mut runtime = None;
    for &function in functions {
        for block in module.functions[function].blocks.ids() {
            let mut position = 0;
            while let Some(&inst) = module.functions[function].blocks[block].insts.get(position) {
                position += 1;
                let Some((pointer, shape)) =
                    through_pointer(module, function, &module.functions[function].insts[inst].kind)
                else {
                    continue;
                };
                let (runtime, callee) = *runtime.get_or_insert_with(|| {
                    let ptr = module.types.ptr();
                    (runtime_functions(module), emit::function(module, "pathshift_callee", ptr, &[ptr, ptr]))
                });
                let number = OF_INPUT | (answering.len() as u64) << FUNCTION_SHIFT;
                let stub = *answering.entry(shape).or_insert_with_key(|shape| {
                    let stub = declare(module, shape, found.len())?;
                    found.push((number, answering_body(module, stub, runtime, number)?));
                    Some(stub)
                });
                let Some(stub) = stub else { continue };
                let address = emit::address(module, module.functions[stub].symbol);
                let (kind, ty) = emit::call(module, callee, &[pointer, address]);
                let asked = emit::instruction(&mut module.functions[function], kind, ty);
                module.functions[function].blocks[block].insts.insert(position - 1, asked);
                position += 1;
                if let Some(call) = call_of(&mut module.functions[function].insts[inst].kind) {
                    call.callee = Callee::Value(Value::Inst(asked));
                }
            }
        }
    }
    found
}

fn call_of(kind: &mut InstKind) -> Option<&mut Call> {
    match kind {
        InstKind::Call(call) => Some(call),
        InstKind::Invoke { call, .. } => Some(call),
        _ => None,
    }
}

/// The pointer that an instruction calls, if which function it leads to is not written down.
fn through_pointer(module: &Module, function: FuncId, kind: &InstKind) -> Option<(Value, Shape)> {
    let call = match kind {
        InstKind::Call(call) => &**call,
        InstKind::Invoke { call, .. } => &**call,
        _ => return None,
    };
    let Callee::Value(pointer @ (Value::Inst(_) | Value::Arg(_))) = call.callee else { return None };
    let plain = call.args.len() == call.arg_attrs.len() || call.arg_attrs.is_empty();
    let is_pointer = module.types[module.type_of(&module.functions[function], pointer)] == Type::Ptr(0);
    (plain && is_pointer && call.bundles.is_empty())
        .then(|| (pointer, (call.function_ty, call.arg_attrs.clone(), call.result_attrs, call.convention)))
}

/// A function that can be called as `shape` says; none if what it is given is not written down.
fn declare(module: &mut Module, (ty, arg_attrs, result_attrs, convention): &Shape, number: usize) -> Option<FuncId> {
    let (_, params, variadic) = module.types.signature(*ty)?;
    let params: Vec<TypeId> = params.to_vec();
    if variadic {
        return None;
    }
    let none = module.attrs.intern(ir::attrs::AttrSet::default());
    let attrs = |index: usize| arg_attrs.get(index).copied().unwrap_or(none);
    let params = params.iter().enumerate().map(|(index, &ty)| Param { ty, name: None, attrs: attrs(index) }).collect();
    let symbol = emit::symbol(module, &format!("pathshift_answers_{number}"), SymbolKind::Missing);
    let mut function = Function::declaration(symbol, *ty, params, none);
    (function.result_attrs, function.convention) = (*result_attrs, *convention);
    let id = module.functions.push(function);
    module.symbols[symbol].kind = SymbolKind::Function(id);
    Some(id)
}
