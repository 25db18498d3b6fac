//! Types of exceptions and objects: which are parts of which, as the compiler's type information tells.

use crate::names::unmarked;
use crate::run::Run;
use crate::state::Stop;
use crate::value::{ObjectId, Pointer, Shape, Value};
use ir::module::SymbolKind;
use smt::expr::Expr;
use std::rc::Rc;

/// A type, known by the symbol of its type information.
#[derive(Clone, Debug)]
pub struct Type {
    /// Name of the symbol.
    name: Rc<str>,
    /// Its address, if the program has the symbol.
    info: Option<Pointer>,
}

/// Classes of the standard library and what they are derived from.
const STANDARD: &[(&str, &str)] = &[
    ("logic_error", "exception"),
    ("runtime_error", "exception"),
    ("bad_alloc", "exception"),
    ("bad_cast", "exception"),
    ("bad_typeid", "exception"),
    ("bad_exception", "exception"),
    ("bad_function_call", "exception"),
    ("bad_optional_access", "exception"),
    ("bad_variant_access", "exception"),
    ("bad_weak_ptr", "exception"),
    ("bad_any_cast", "bad_cast"),
    ("bad_array_new_length", "bad_alloc"),
    ("invalid_argument", "logic_error"),
    ("domain_error", "logic_error"),
    ("length_error", "logic_error"),
    ("out_of_range", "logic_error"),
    ("range_error", "runtime_error"),
    ("overflow_error", "runtime_error"),
    ("underflow_error", "runtime_error"),
    ("system_error", "runtime_error"),
    ("regex_error", "runtime_error"),
];

/// Deepest hierarchy that is followed.
const DEEPEST: u32 = 64;

impl Type {
    /// The type whose information lies at an address.
    pub fn at(run: &Run, info: Pointer) -> Option<Type> {
        let symbol = run.program().object_symbol(info.object)?;
        Some(Type { name: unmarked(run.program().module.symbol_name(symbol)).into(), info: Some(info) })
    }

    /// A class of the standard library.
    pub fn standard(run: &Run, class: &str) -> Type {
        let name = format!("_ZTISt{}{class}", class.len());
        let module = &run.program().module;
        let symbol = module.symbols.ids().find(|&id| module.symbol_name(id) == name);
        let info = symbol.map(|symbol| Pointer::to(run.program().symbol_object(symbol)));
        Type { name: name.into(), info }
    }

    /// Whether values of it are pointers.
    pub fn is_pointer(&self) -> bool {
        self.name.starts_with("_ZTIP")
    }

    /// The name as the user wrote it.
    pub fn display(&self) -> String {
        let name = ir::demangle::demangle(&self.name);
        name.strip_prefix("typeinfo for ").unwrap_or(&name).to_owned()
    }

    /// Whether the program has its information, not only its name.
    fn described(&self, run: &Run) -> Option<Pointer> {
        let info = self.info?;
        let module = &run.program().module;
        let symbol = run.program().object_symbol(info.object)?;
        let SymbolKind::Variable(id) = module.symbols[symbol].kind else { return None };
        module.globals[id].initializer.map(|_| info)
    }
}

/// The number that landing pads tell of a type.
pub fn number(info: Pointer) -> u32 {
    info.object.0
}

/// The number that landing pads tell of what catches everything.
pub const EVERYTHING: u32 = i32::MAX as u32;

/// The distance of the part that a handler of type `wanted` is given of a value, if it handles it at all.
pub fn handled(run: &mut Run, thrown: &Type, wanted: &Type) -> Result<Option<u64>, Stop> {
    if !thrown.is_pointer() || !wanted.is_pointer() {
        return part(run, thrown, wanted);
    }
    let (from, to) = (&thrown.name[5..], wanted.name[5..].trim_start_matches('K'));
    if from == to || from.trim_start_matches('K') == to && wanted.name[5..].starts_with('K') || to == "v" {
        return Ok(Some(0));
    }
    match (thrown.described(run), wanted.described(run)) {
        (Some(thrown), Some(wanted)) if qualifiers(run, thrown)? & !qualifiers(run, wanted)? != 0 => Ok(None),
        (Some(thrown), Some(wanted)) => match (pointee(run, thrown)?, pointee(run, wanted)?) {
            (Some(thrown), Some(wanted)) => part(run, &thrown, &wanted),
            _ => Ok(None),
        },
        _ => Ok(None),
    }
}

/// The distance of the part of type `wanted` in an object of type `whole`.
pub fn part(run: &mut Run, whole: &Type, wanted: &Type) -> Result<Option<u64>, Stop> {
    let mut todo = vec![(whole.clone(), 0u64, 0)];
    while let Some((ty, offset, depth)) = todo.pop() {
        if ty.name == wanted.name {
            return Ok(Some(offset));
        }
        if depth >= DEEPEST {
            continue;
        }
        for (base, distance) in bases(run, &ty)? {
            todo.push((base, offset.wrapping_add(distance), depth + 1));
        }
    }
    Ok(None)
}

fn load_pointer(run: &mut Run, base: Pointer, offset: u64) -> Result<Pointer, Stop> {
    let place = run.offset(base, offset);
    let value = run.load(place, &Shape::Ptr)?;
    run.pointer(&value)
}

fn load_number(run: &mut Run, base: Pointer, offset: u64, bytes: u32) -> Result<u64, Stop> {
    let place = run.offset(base, offset);
    let value = run.load(place, &Shape::Int { bits: bytes * 8, bytes })?;
    match value {
        Value::Bits(Expr::Const { bits, .. }) => Ok(bits),
        _ => Err(run.unsupported("type information that is not known")),
    }
}

/// `const` and `volatile` of what a pointer type points to.
fn qualifiers(run: &mut Run, info: Pointer) -> Result<u64, Stop> {
    Ok(load_number(run, info, 16, 4)? & 3)
}

/// What a pointer type points to.
fn pointee(run: &mut Run, info: Pointer) -> Result<Option<Type>, Stop> {
    let to = load_pointer(run, info, 24)?;
    Ok(Type::at(run, to))
}

/// Public bases of a class with their distances.
fn bases(run: &mut Run, ty: &Type) -> Result<Vec<(Type, u64)>, Stop> {
    let Some(info) = ty.described(run) else {
        let class = STANDARD.iter().find(|(class, _)| *ty.name == *format!("_ZTISt{}{class}", class.len()));
        return Ok(class.map(|(_, base)| (Type::standard(run, base), 0)).into_iter().collect());
    };
    let table = load_pointer(run, info, 0)?;
    let kind = match run.program().object_symbol(table.object) {
        Some(symbol) if table.object != ObjectId::NONE => unmarked(run.program().module.symbol_name(symbol)),
        _ => return Ok(Vec::new()),
    };
    if kind.contains("__si_class_type_info") {
        let base = load_pointer(run, info, 16)?;
        return Ok(Type::at(run, base).map(|base| (base, 0)).into_iter().collect());
    }
    if !kind.contains("__vmi_class_type_info") {
        return Ok(Vec::new());
    }
    let count = load_number(run, info, 20, 4)?;
    let mut bases = Vec::new();
    for i in 0..count {
        let base = load_pointer(run, info, 24 + i * 16)?;
        let how = load_number(run, info, 32 + i * 16, 8)?;
        let (is_virtual, is_public) = (how & 1 == 1, how >> 1 & 1 == 1);
        if !is_public {
            continue;
        }
        if is_virtual {
            return Err(run.unsupported("a conversion to a virtual base class"));
        }
        if let Some(base) = Type::at(run, base) {
            bases.push((base, ((how as i64) >> 8) as u64));
        }
    }
    Ok(bases)
}
