//! Values and memory as the source writes them: `line[offset - 1]`, `p->next`, `strlen(s)`.
//!
//! A best effort over debug info and the instructions that compute a value: what has no such text keeps that of its term.

use crate::version::{Version, constant};
use ir::constant::ConstKind;
use ir::debug::{DebugTypeKind, Encoding};
use ir::demangle::function_display_name;
use ir::id::{BlockId, DebugTypeId, InstId, SymbolId, TypeId};
use ir::inst::{BinaryOp, CastOp, InstKind, MarkerKind, Value};
use ir::module::{Module, SymbolKind};
use smt::expr::{FloatFormat, signed};
use smt::pool::Reading;

/// Deepest expression that is written out.
const MAX_DEPTH: u32 = 6;

/// Most arguments of a call that are written out.
const MAX_ARGUMENTS: usize = 6;

/// Most characters of a string literal that are written out.
const MAX_LITERAL: usize = 32;

/// Something that an address leads to.
struct Place {
    text: String,
    /// Whether the text is a pointer to it.
    behind: bool,
    ty: Option<DebugTypeId>,
}

/// The result of a call, whether or not it is in a variable.
pub fn call(version: &Version<'_>, id: InstId) -> Option<(String, Reading)> {
    let text = text_of(version, id, MAX_DEPTH)?;
    Some((text, reading(version, type_of(version, Value::Inst(id), MAX_DEPTH))))
}

/// The memory of some bits behind an address.
pub fn memory(version: &Version<'_>, address: Value, bits: u64) -> Option<(String, Reading)> {
    let (text, ty) = lvalue(version, address, bits, MAX_DEPTH)?;
    Some((text, reading(version, ty)))
}

/// How people read values of a type.
pub fn reading(version: &Version<'_>, ty: Option<DebugTypeId>) -> Reading {
    let debug = &version.module.debug;
    let Some(ty) = ty else { return Reading::Signed };
    match &debug.types[debug.strip(ty)].kind {
        DebugTypeKind::Basic(Encoding::Unsigned | Encoding::Boolean) => Reading::Unsigned,
        DebugTypeKind::Basic(Encoding::SignedChar | Encoding::UnsignedChar) => Reading::Char,
        DebugTypeKind::Basic(Encoding::Float) => match debug.bits(ty) {
            32 => Reading::Float(FloatFormat::Single),
            64 => Reading::Float(FloatFormat::Double),
            _ => Reading::Unsigned,
        },
        DebugTypeKind::Pointer { .. } => Reading::Address,
        _ => Reading::Signed,
    }
}

/// The source variable that a value is.
pub fn variable(version: &Version<'_>, value: Value) -> Option<(String, Option<DebugTypeId>)> {
    let module = version.module;
    let variable = version.function.body().find_map(|(_, _, inst)| match &inst.kind {
        InstKind::Marker(marker)
            if marker.kind == MarkerKind::Assign && marker.value == Some(value) && marker.expr.is_none() =>
        {
            Some(marker.variable)
        }
        _ => None,
    })?;
    let variable = &module.debug.variables[variable];
    Some((module.str(variable.name?).to_owned(), variable.ty))
}

fn text(version: &Version<'_>, value: Value, depth: u32) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    let module = version.module;
    if let Value::Const(id) = value {
        return match &module.consts[id].kind {
            ConstKind::Int(number) => {
                let bits = module.type_layouts.get(module.consts[id].ty)?.bits as u32;
                let number = u64::try_from(*number).ok().filter(|_| bits <= 64)?;
                Some(signed(number, bits).to_string())
            }
            ConstKind::Null => Some("NULL".to_owned()),
            ConstKind::Symbol(symbol) => Some(symbol_text(module, *symbol, true)),
            _ => None,
        };
    }
    if let Some((name, _)) = variable(version, value) {
        return Some(name);
    }
    let Value::Inst(id) = value else { return None };
    text_of(version, id, depth)
}

/// What an instruction computes, as an expression.
fn text_of(version: &Version<'_>, id: InstId, depth: u32) -> Option<String> {
    let module = version.module;
    let inst = &version.function.insts[id];
    match &inst.kind {
        InstKind::Cast { op: CastOp::ZExt | CastOp::SExt | CastOp::Trunc, value, .. } => text(version, *value, depth),
        InstKind::Load { ptr, .. } => Some(lvalue(version, *ptr, bits(module, inst.ty)?, depth)?.0),
        InstKind::Binary { op, left, right, .. } => {
            let sign = match op {
                BinaryOp::Add => "+",
                BinaryOp::Sub => "-",
                BinaryOp::Mul => "*",
                _ => return None,
            };
            let (a, b) = (text(version, *left, depth)?, text(version, *right, depth)?);
            let simple = |text: &str| !text.contains(' ');
            if *op == BinaryOp::Mul && !(simple(&a) && simple(&b)) {
                return None;
            }
            match (op, b.strip_prefix('-')) {
                (BinaryOp::Add, Some(number)) => Some(format!("{a} - {number}")),
                _ if *op == BinaryOp::Sub && !simple(&b) => Some(format!("{a} - ({b})")),
                _ => Some(format!("{a} {sign} {b}")),
            }
        }
        InstKind::Call(call) | InstKind::Invoke { call, .. } => {
            let callee = match module.called_function(&inst.kind) {
                Some(callee) => function_display_name(module, callee),
                None => match call.callee {
                    ir::inst::Callee::Value(pointer) => text(version, pointer, depth)?,
                    ir::inst::Callee::Asm(_) => return None,
                },
            };
            Some(format!("{callee}({})", arguments(version, &call.args, depth)))
        }
        InstKind::Gep { .. } => {
            let (text, _) = place(version, Value::Inst(id), depth).and_then(|place| whole(version, &place, 0, 8))?;
            Some(format!("&{text}"))
        }
        _ => None,
    }
}

/// Arguments of a call as the source writes them.
pub fn arguments(version: &Version<'_>, args: &[Value], depth: u32) -> String {
    let shown = args.iter().take(MAX_ARGUMENTS).map(|&arg| text(version, arg, depth).unwrap_or("…".to_owned()));
    let more = (args.len() > MAX_ARGUMENTS).then(|| "…".to_owned());
    shown.chain(more).collect::<Vec<_>>().join(", ")
}

/// What a block returns that does nothing but lead to a return.
pub fn returned(version: &Version<'_>, block: BlockId) -> Option<String> {
    let function = version.function;
    let (mut from, mut at) = (None, block);
    // Blocks that only lead on come to an end, or go round.
    for _ in 0..MAX_DEPTH {
        match &function.terminator(at)?.kind {
            InstKind::Br(next) => (from, at) = (Some(at), *next),
            InstKind::Ret(Some(value)) => {
                let incoming = match value {
                    Value::Inst(inst) if function.blocks[at].insts.contains(inst) => {
                        match &function.insts[*inst].kind {
                            InstKind::Phi { incoming, .. } => incoming.iter().find(|(before, _)| Some(*before) == from),
                            _ => None,
                        }
                    }
                    _ => None,
                };
                let value = incoming.map_or(*value, |(_, value)| *value);
                return Some(format!("returns {}", text(version, value, MAX_DEPTH)?));
            }
            InstKind::Ret(None) => return Some("returns".to_owned()),
            _ => return None,
        }
    }
    None
}

/// What an instruction does that others see: a call, or a write.
pub fn action(version: &Version<'_>, kind: &InstKind) -> Option<String> {
    let module = version.module;
    match kind {
        InstKind::Call(call) | InstKind::Invoke { call, .. } => {
            let callee = match module.called_function(kind) {
                Some(callee) if module.function_name(callee).starts_with("llvm.") => return None,
                Some(callee) => function_display_name(module, callee),
                None => "a function through a pointer".to_owned(),
            };
            let callee = callee.split('(').next().unwrap_or_default().to_owned();
            Some(format!("calls {callee}({})", arguments(version, &call.args, MAX_DEPTH)))
        }
        InstKind::Store { ptr, value, .. } => {
            let bits = bits(module, module.type_of(version.function, *value))?;
            let (to, _) = lvalue(version, *ptr, bits, MAX_DEPTH)?;
            Some(match text(version, *value, MAX_DEPTH) {
                Some(value) => format!("sets {to} = {value}"),
                None => format!("sets {to}"),
            })
        }
        InstKind::Ret(Some(value)) => Some(match text(version, *value, MAX_DEPTH) {
            Some(value) => format!("returns {value}"),
            None => "returns".to_owned(),
        }),
        InstKind::Ret(None) => Some("returns".to_owned()),
        _ => None,
    }
}

fn bits(module: &Module, ty: TypeId) -> Option<u64> {
    Some(module.type_layouts.get(ty)?.bits)
}

fn symbol_text(module: &Module, symbol: SymbolId, address: bool) -> String {
    let name = module.symbol_name(symbol);
    match module.symbols[symbol].kind {
        SymbolKind::Function(id) => function_display_name(module, id),
        _ if let Some(literal) = literal(module, symbol) => literal,
        _ if address => format!("&{name}"),
        _ => name.to_owned(),
    }
}

/// The bytes of a string literal.
pub fn contents(module: &Module, symbol: SymbolId) -> Option<&[u8]> {
    let SymbolKind::Variable(global) = module.symbols[symbol].kind else { return None };
    match &module.consts[module.globals[global].initializer?].kind {
        ConstKind::Bytes(bytes) if change::is_known_by_contents(module, symbol) => Some(bytes),
        _ => None,
    }
}

/// A string literal as the source writes it, cut where it is long.
pub fn literal(module: &Module, symbol: SymbolId) -> Option<String> {
    let text = contents(module, symbol)?.strip_suffix(&[0]).filter(|text| std::str::from_utf8(text).is_ok())?;
    let text = String::from_utf8_lossy(text);
    let more = if text.chars().count() > MAX_LITERAL { "…" } else { "" };
    let shown: String = text.chars().take(MAX_LITERAL).flat_map(char::escape_default).collect();
    Some(format!("\"{shown}{more}\""))
}

/// The source type of a value.
fn type_of(version: &Version<'_>, value: Value, depth: u32) -> Option<DebugTypeId> {
    let depth = depth.checked_sub(1)?;
    if let Some((_, ty)) = variable(version, value) {
        return ty;
    }
    let Value::Inst(id) = value else { return None };
    let inst = &version.function.insts[id];
    match &inst.kind {
        InstKind::Load { ptr, .. } => lvalue(version, *ptr, bits(version.module, inst.ty)?, depth)?.1,
        InstKind::Cast { value, .. } => type_of(version, *value, depth),
        _ => None,
    }
}

/// What some bits behind an address are called, and their type.
fn lvalue(version: &Version<'_>, address: Value, bits: u64, depth: u32) -> Option<(String, Option<DebugTypeId>)> {
    let place = place(version, address, depth)?;
    whole(version, &place, 0, bits)
}

/// Some bits at an offset inside of a place.
fn whole(version: &Version<'_>, place: &Place, offset: u64, bits: u64) -> Option<(String, Option<DebugTypeId>)> {
    let debug = &version.module.debug;
    let found = place.ty.and_then(|ty| debug.place_at(&version.module.strings, ty, offset * 8, bits));
    match (found, place.behind) {
        (Some(found), false) => Some((format!("{}{}", place.text, found.path), found.ty)),
        (Some(found), true) => Some(match found.path.strip_prefix('.') {
            Some(field) => (format!("{}->{field}", place.text), found.ty),
            None if found.path.is_empty() => (format!("*{}", place.text), found.ty),
            None => (format!("(*{}){}", place.text, found.path), found.ty),
        }),
        (None, false) if offset == 0 => Some((place.text.clone(), None)),
        (None, true) if offset == 0 => Some((format!("*{}", place.text), None)),
        _ => None,
    }
}

/// What an address leads to.
fn place(version: &Version<'_>, address: Value, depth: u32) -> Option<Place> {
    let depth = depth.checked_sub(1)?;
    let module = version.module;
    if let Value::Const(id) = address {
        let symbol = module.base_symbol(id)?;
        let SymbolKind::Variable(global) = module.symbols[symbol].kind else { return None };
        let ty = module.globals[global].variable.and_then(|variable| module.debug.variables[variable].ty);
        let whole_object = Place { text: symbol_text(module, symbol, false), behind: false, ty };
        return match &module.consts[id].kind {
            ConstKind::Symbol(_) => Some(whole_object),
            ConstKind::Offset { bytes, .. } => {
                let (text, ty) = whole(version, &whole_object, u64::try_from(*bytes).ok()?, 8)?;
                Some(Place { text, behind: false, ty })
            }
            _ => None,
        };
    }
    if let Value::Inst(id) = address {
        match &version.function.insts[id].kind {
            InstKind::Alloca { .. } => {
                let declared = version.function.body().find_map(|(_, _, inst)| match &inst.kind {
                    InstKind::Marker(marker) if marker.kind == MarkerKind::Declare && marker.value == Some(address) => {
                        Some(marker.variable)
                    }
                    _ => None,
                })?;
                let variable = &module.debug.variables[declared];
                return Some(Place { text: module.str(variable.name?).to_owned(), behind: false, ty: variable.ty });
            }
            InstKind::Gep { source, base, indices, .. } if variable(version, address).is_none() => {
                return inside(version, *source, *base, indices, depth);
            }
            _ => {}
        }
    }
    let pointer = text(version, address, depth)?;
    let debug = &module.debug;
    let to = type_of(version, address, depth).and_then(|ty| match &debug.types[debug.strip(ty)].kind {
        DebugTypeKind::Pointer { to, .. } => *to,
        _ => None,
    });
    let simple = pointer.chars().all(|c| c.is_alphanumeric() || "_->.[]".contains(c));
    let text = if simple { pointer } else { format!("({pointer})") };
    Some(Place { text, behind: true, ty: to })
}

/// A part of what an address leads to.
fn inside(version: &Version<'_>, source: TypeId, base: Value, indices: &[Value], depth: u32) -> Option<Place> {
    let module = version.module;
    let place = place(version, base, depth)?;
    let debug = &module.debug;
    let element = |ty: Option<DebugTypeId>| {
        ty.and_then(|ty| match &debug.types[debug.strip(ty)].kind {
            DebugTypeKind::Array { element, .. } => *element,
            _ => None,
        })
    };
    match indices {
        // An element behind a pointer, or of an array.
        [index] if constant(module, *index) != Some(0) => {
            let index = text(version, *index, depth)?;
            if place.behind {
                return Some(Place { text: format!("{}[{index}]", place.text), behind: false, ty: place.ty });
            }
            Some(Place { text: format!("(&{})[{index}]", place.text), behind: false, ty: place.ty })
        }
        [first, index] if constant(module, *first) == Some(0) && constant(module, *index).is_none() => {
            let index = text(version, *index, depth)?;
            let object = if place.behind { format!("(*{})", place.text) } else { place.text.clone() };
            Some(Place { text: format!("{object}[{index}]"), behind: false, ty: element(place.ty) })
        }
        indices => {
            let (mut ty, mut offset) = (source, 0i64);
            for (position, index) in indices.iter().enumerate() {
                let index = i64::try_from(constant(module, *index)?).ok()?;
                if position == 0 {
                    let size = i64::try_from(module.type_layouts.get(ty)?.size).ok()?;
                    offset = offset.checked_add(size.checked_mul(index)?)?;
                } else {
                    let (at, element) = module.type_layouts.element_offset(&module.types, ty, index)?;
                    offset = offset.checked_add(at)?;
                    ty = element;
                }
            }
            let bits = bits(module, ty)?;
            let (text, ty) = whole(version, &place, u64::try_from(offset).ok()?, bits)?;
            Some(Place { text, behind: false, ty })
        }
    }
}
