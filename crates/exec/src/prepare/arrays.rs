//! Arrays inside of records that lie differently in the other version.
//!
//! What lies behind such an array is another field in each version, so an index that leaves it finds something else in
//! each, and neither means anything. Elsewhere an object ends where its memory ends.

use crate::program::Program;
use ir::constant::ConstKind;
use ir::id::{InstId, SymbolId};
use ir::inst::{InstKind, Value};
use ir::module::{Function, Module};
use ir::types::Type;

/// Arrays of so few elements often stand for more that follow.
const OPEN: u64 = 1;

/// Most steps from a place in a record to the record.
const DEEPEST: u32 = 16;

/// For an address in a record that changed: indices that are not known, by their position among such, with the number of
/// places that they may name; and whether a known one names none.
pub(super) fn limits(program: &Program, function: &Function, id: InstId) -> (Vec<(usize, u64)>, bool) {
    let (mut limits, mut beyond) = (Vec::new(), false);
    let InstKind::Gep { source, base, indices, .. } = &function.insts[id].kind else { return (limits, beyond) };
    if !program.has_changed_records()
        || !(program.changed_records.contains(source) || is_inside(program, function, *base))
    {
        return (limits, beyond);
    }
    let module = &program.module;
    // Where only the address is wanted it may be that of the end.
    let end = u64::from(!is_used_as_place(function, id));
    let (mut ty, mut unknown) = (*source, 0);
    for (position, index) in indices.iter().enumerate() {
        let known = known_index(module, *index);
        let count = match module.types.resolve(ty) {
            Type::Array(_, count) if position > 0 => Some(*count).filter(|count| *count > OPEN),
            _ => None,
        };
        match (known, count) {
            (Some(index), Some(count)) => beyond |= index >= u128::from(count) + u128::from(end),
            (None, Some(count)) => limits.push((unknown, count.saturating_add(end))),
            _ => {}
        }
        unknown += usize::from(known.is_none());
        if position > 0 {
            let field = known.and_then(|index| u64::try_from(index).ok()).unwrap_or(0);
            let Some(element) = module.types.element(ty, field) else { break };
            ty = element;
        }
    }
    (limits, beyond)
}

/// Whether an address leads into a record that changed.
fn is_inside(program: &Program, function: &Function, mut value: Value) -> bool {
    for _ in 0..DEEPEST {
        match value {
            Value::Inst(id) => match &function.insts[id].kind {
                InstKind::Gep { source, .. } if program.changed_records.contains(source) => return true,
                InstKind::Gep { base, .. } => value = *base,
                _ => return false,
            },
            Value::Const(id) => {
                let symbol = variable(&program.module, id);
                return symbol.is_some_and(|id| program.relaid_variables.contains_key(&program.canonical(id)));
            }
            Value::Arg(_) => return false,
        }
    }
    false
}

/// The variable that a constant address leads into.
fn variable(module: &Module, id: ir::id::ConstId) -> Option<SymbolId> {
    match &module.consts[id].kind {
        ConstKind::Symbol(symbol) => Some(*symbol),
        ConstKind::Offset { base, .. } => match &module.consts[*base].kind {
            ConstKind::Symbol(symbol) => Some(*symbol),
            _ => None,
        },
        _ => None,
    }
}

/// Whether all that is done with an address is to read or write there, or in a part of what is there.
fn is_used_as_place(function: &Function, id: InstId) -> bool {
    function.body().all(|(_, _, inst)| match &inst.kind {
        InstKind::Load { .. } => true,
        InstKind::Store { value, .. } => *value != Value::Inst(id),
        InstKind::Gep { indices, .. } => !indices.contains(&Value::Inst(id)),
        InstKind::Marker(_) => true,
        other => {
            let mut used = false;
            other.for_each_operand(|value| used |= value == Value::Inst(id));
            !used
        }
    })
}

fn known_index(module: &Module, index: Value) -> Option<u128> {
    let Value::Const(id) = index else { return None };
    match module.consts[id].kind {
        ConstKind::Int(value) => Some(value),
        ConstKind::Zero => Some(0),
        _ => None,
    }
}
