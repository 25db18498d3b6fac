//! What the user calls an entry's parameters, and how their bits are read.

use std::collections::BTreeMap;

use ir::debug::{DebugTypeKind, Encoding};
use ir::id::{DebugTypeId, FuncId, InstId, TypeId, VarId};
use ir::inst::{InstKind, Value};
use ir::module::{Function, Global, Module};
use ir::types::Type;

use super::{Header, Reading, fingerprint};

/// The header of a suite for an entry function.
pub fn header(module: &Module, entry: FuncId) -> Header {
    let function = &module.functions[entry];
    let variables = parameter_variables(function);
    let mut header = Header {
        entry: module.function_name(entry).to_owned(),
        program: fingerprint(module),
        result: result(module, function),
        ..Header::default()
    };
    let mut taken: BTreeMap<String, u32> = BTreeMap::new();
    for (index, param) in (0u32..).zip(&function.params) {
        let variable = variables.get(&index).map(|id| &module.debug.variables[*id]);
        let name = variable.and_then(|variable| variable.name).or(param.name).map(|id| module.str(id));
        let mut name = match name {
            Some(name) if !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) => name.to_owned(),
            _ => format!("arg{index}"),
        };
        // A record in two registers is one parameter of the source and two of the model.
        let times = taken.entry(name.clone()).or_insert(0);
        *times += 1;
        if *times > 1 {
            name = format!("{name}.{times}");
        }
        let ty = variable.and_then(|variable| variable.ty);
        if let Some(element) = ty.and_then(|ty| pointee_reading(module, ty)) {
            header.elements.push((name.clone(), element));
            header.elements.push((format!("*{name}"), element));
        }
        header.params.push((name, reading(module, param.ty, ty)));
    }
    header
}

/// Global variables that are a single number, and how that is read.
pub fn variables(module: &Module) -> Vec<(String, Reading)> {
    let number = |(_, global): (_, &Global)| {
        let ty = module.debug.variables[global.variable?].ty?;
        Some((module.symbol_label(global.symbol).to_owned(), source_reading(module, ty)?))
    };
    module.globals.iter_ids().filter_map(number).collect()
}

/// How a value of a type of the model is read that has a type of the source.
pub fn reading(module: &Module, ty: TypeId, source: Option<DebugTypeId>) -> Reading {
    let plain = match module.types.resolve(ty) {
        Type::Int(1) => Reading::Bool(1),
        Type::Int(bits) => Reading::Signed(*bits),
        Type::Float(kind) if matches!(kind.bits(), 32 | 64) => Reading::Float(kind.bits()),
        Type::Float(kind) => Reading::Raw(kind.bits()),
        _ => return Reading::None,
    };
    let Type::Int(bits) = *module.types.resolve(ty) else { return plain };
    match source.and_then(|ty| source_reading(module, ty)) {
        // A truth value is one bit in registers and eight in memory; anything else is a part of something.
        Some(found) if found.width() == bits => found,
        Some(Reading::Bool(_)) if bits == 1 => Reading::Bool(1),
        _ => plain,
    }
}

/// How a scalar of the source is read.
pub fn source_reading(module: &Module, ty: DebugTypeId) -> Option<Reading> {
    let debug = &module.debug;
    let ty = debug.strip(ty);
    let bits = u32::try_from(debug.types[ty].bits).ok().filter(|bits| *bits > 0)?;
    Some(match &debug.types[ty].kind {
        DebugTypeKind::Basic(encoding) => match encoding {
            Encoding::Signed => Reading::Signed(bits),
            Encoding::Unsigned => Reading::Unsigned(bits),
            // `signed char` and `unsigned char` are numbers to most people; so are `i8` and `u8`.
            Encoding::SignedChar | Encoding::UnsignedChar | Encoding::Utf => {
                let name = debug.types[ty].name.map_or("", |name| module.str(name));
                match (name, encoding) {
                    ("signed char", _) => Reading::Signed(bits),
                    ("unsigned char", _) => Reading::Unsigned(bits),
                    _ => Reading::Char(bits),
                }
            }
            Encoding::Boolean => Reading::Bool(bits),
            Encoding::Float if matches!(bits, 32 | 64) => Reading::Float(bits),
            Encoding::Float | Encoding::Other => return None,
        },
        DebugTypeKind::Enum { base, values } => {
            match base.map(|base| debug.strip(base)).map(|base| &debug.types[base].kind) {
                Some(DebugTypeKind::Basic(Encoding::Unsigned | Encoding::UnsignedChar)) => Reading::Unsigned(bits),
                _ if values.iter().all(|(_, value)| *value >= 0) && base.is_none() => Reading::Unsigned(bits),
                _ => Reading::Signed(bits),
            }
        }
        _ => return None,
    })
}

/// The source variable of each parameter of the model, by position.
pub fn parameter_variables(function: &Function) -> BTreeMap<u32, VarId> {
    // Unoptimised code stores a parameter to the stack object that is declared to be the variable.
    let mut stored: BTreeMap<InstId, u32> = BTreeMap::new();
    let mut widened: BTreeMap<InstId, u32> = BTreeMap::new();
    let mut found = BTreeMap::new();
    for (_, id, inst) in function.body() {
        match inst.kind {
            // A truth value is wider in memory.
            InstKind::Cast { value: Value::Arg(index), .. } => {
                widened.insert(id, index);
            }
            InstKind::Store { value, ptr: Value::Inst(object), .. } => {
                let index = match value {
                    Value::Arg(index) => Some(index),
                    Value::Inst(id) => widened.get(&id).copied(),
                    Value::Const(_) => None,
                };
                if let Some(index) = index {
                    stored.entry(object).or_insert(index);
                }
            }
            _ => {}
        }
    }
    for (_, _, inst) in function.body() {
        let InstKind::Marker(marker) = &inst.kind else { continue };
        let index = match marker.value {
            Some(Value::Arg(index)) => index,
            Some(Value::Inst(object)) => match stored.get(&object).or_else(|| widened.get(&object)) {
                Some(index) => *index,
                None => continue,
            },
            _ => continue,
        };
        found.entry(index).or_insert(marker.variable);
    }
    found
}

/// How a function's result is read.
pub fn result(module: &Module, function: &Function) -> Reading {
    let Some((ty, ..)) = module.types.signature(function.ty) else { return Reading::None };
    reading(module, ty, result_type(module, function))
}

/// The source type of a function's result; none for `void`.
pub fn result_type(module: &Module, function: &Function) -> Option<DebugTypeId> {
    let debug = &module.debug;
    match &debug.types[debug.scopes[function.scope?].ty?].kind {
        DebugTypeKind::Function { types } => types.first().copied().flatten(),
        _ => None,
    }
}

fn pointee_reading(module: &Module, ty: DebugTypeId) -> Option<Reading> {
    let debug = &module.debug;
    match debug.types[debug.strip(ty)].kind {
        DebugTypeKind::Pointer { to: Some(to), .. } => source_reading(module, to),
        _ => None,
    }
}
