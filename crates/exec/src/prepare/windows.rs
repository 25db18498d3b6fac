//! Pointers into arrays of records that lie differently in the other version.
//!
//! What lies beside such an array is another field in each version, so a pointer that was made to lead into it and leaves it
//! finds something else in each, and neither means anything. So for each use of memory it is found out, where the code says
//! so, into which array its address was made to lead: through indices, pointers that go on, and arguments of calls.
//! Elsewhere an object ends where its memory ends.

use crate::code::Window;
use crate::program::Program;
use ir::constant::ConstKind;
use ir::id::{ConstId, InstId, SymbolId, TypeId};
use ir::inst::{InstKind, Value};
use ir::module::{Function, Module};
use ir::types::Type;
use rustc_hash::FxHashMap;

/// Arrays of so few elements often stand for more that follow.
const OPEN: u64 = 1;

/// Most steps from a place in a record to the record.
const DEEPEST: u32 = 16;

/// Most rounds until pointers that go round in loops are known.
const ROUNDS: u32 = 8;

/// Where an address was made to lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leads {
    /// Into an array that begins so many bytes behind an address, with its bytes.
    Array(Value, i64, u64),
    /// To where an argument leads.
    Argument(u32),
    /// Nobody knows.
    Anywhere,
}

/// For each instruction that uses memory, the arrays that its pointers lead into, by their position among its operands.
pub(super) fn windows(
    program: &Program,
    function: &Function,
    translate: impl Fn(Value) -> crate::code::Operand,
) -> FxHashMap<InstId, Vec<(usize, Window)>> {
    let mut found = FxHashMap::default();
    if !program.has_changed_records() {
        return found;
    }
    let leads = leads(program, function);
    let window = |value: Value| match lead(&leads, value)? {
        Leads::Array(base, start, bytes) => Some(Window::Array { base: translate(base), start, bytes }),
        Leads::Argument(index) => Some(Window::Argument(index)),
        Leads::Anywhere => None,
    };
    for (_, id, inst) in function.body() {
        let pointers: Vec<Value> = match &inst.kind {
            InstKind::Load { ptr, .. } | InstKind::Store { ptr, .. } => vec![*ptr],
            InstKind::Call(call) | InstKind::Invoke { call, .. } => call.args.to_vec(),
            _ => continue,
        };
        let known = |(position, value): (usize, Value)| Some((position, window(value)?));
        let windows: Vec<(usize, Window)> = pointers.into_iter().enumerate().filter_map(known).collect();
        if !windows.is_empty() {
            found.insert(id, windows);
        }
    }
    found
}

fn leads(program: &Program, function: &Function) -> FxHashMap<InstId, Leads> {
    let mut known: FxHashMap<InstId, Leads> = FxHashMap::default();
    for _ in 0..ROUNDS {
        let mut changed = false;
        for (_, id, inst) in function.body() {
            let said = match &inst.kind {
                InstKind::Gep { source, base, indices, .. } => {
                    array(program, function, *source, *base, indices).or_else(|| lead(&known, *base))
                }
                InstKind::Phi { incoming, .. } => all(&known, incoming.iter().map(|(_, value)| *value)),
                InstKind::Select { then, otherwise, .. } => all(&known, [*then, *otherwise].into_iter()),
                _ => Some(Leads::Anywhere),
            };
            if let Some(said) = said {
                changed |= known.insert(id, said) != Some(said);
            }
        }
        if !changed {
            return known;
        }
    }
    FxHashMap::default()
}

/// Where a value leads, if that was found out already.
fn lead(known: &FxHashMap<InstId, Leads>, value: Value) -> Option<Leads> {
    match value {
        Value::Inst(id) => known.get(&id).copied(),
        Value::Arg(index) => Some(Leads::Argument(index)),
        Value::Const(_) => Some(Leads::Anywhere),
    }
}

/// Where all of some values lead; those of which nothing is known yet may be what goes round in a loop.
fn all(known: &FxHashMap<InstId, Leads>, values: impl Iterator<Item = Value>) -> Option<Leads> {
    let mut found = None;
    for one in values.filter_map(|value| lead(known, value)) {
        match found {
            None => found = Some(one),
            Some(other) if other == one => {}
            Some(_) => return Some(Leads::Anywhere),
        }
    }
    found
}

/// The outermost array of a record that changed which indices lead into.
fn array(program: &Program, function: &Function, source: TypeId, base: Value, indices: &[Value]) -> Option<Leads> {
    if !(program.changed_records.contains(&source) || is_inside(program, function, base)) {
        return None;
    }
    let module = &program.module;
    let (types, layouts) = (&module.types, &module.type_layouts);
    let (mut ty, mut start) = (source, 0i64);
    for (position, index) in indices.iter().enumerate() {
        if position > 0
            && let Type::Array(element, count) = types.resolve(ty)
            && *count > OPEN
        {
            let bytes = layouts.get(*element)?.size.checked_mul(*count)?;
            return Some(Leads::Array(base, start, bytes));
        }
        let known = known_index(module, *index)?;
        match types.resolve(ty) {
            Type::Struct { .. } if position > 0 => {
                let (bytes, field) = layouts.element_offset(types, ty, known)?;
                (start, ty) = (start.checked_add(bytes)?, field);
            }
            _ => {
                ty = if position > 0 { types.element(ty, 0)? } else { ty };
                start = start.checked_add((layouts.get(ty)?.size as i64).checked_mul(known)?)?;
            }
        }
    }
    None
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
fn variable(module: &Module, id: ConstId) -> Option<SymbolId> {
    match &module.consts[id].kind {
        ConstKind::Symbol(symbol) => Some(*symbol),
        ConstKind::Offset { base, .. } => match &module.consts[*base].kind {
            ConstKind::Symbol(symbol) => Some(*symbol),
            _ => None,
        },
        _ => None,
    }
}

fn known_index(module: &Module, index: Value) -> Option<i64> {
    let Value::Const(id) = index else { return None };
    match module.consts[id].kind {
        ConstKind::Int(value) => {
            let width = module.type_layouts.get(module.consts[id].ty).map_or(64, |layout| layout.bits as u32);
            Some(smt::expr::signed(value as u64, width.clamp(1, 64)))
        }
        ConstKind::Zero => Some(0),
        _ => None,
    }
}
