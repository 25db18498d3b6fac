//! What the inputs of a function look like: everything but the code on a path that decides which unknowns there are.
//!
//! Types are a matter of the program, and some of them of code far away: a pointer to nothing leads to what it is cast to
//! somewhere. Two versions whose inputs look the same give the same code the same unknowns.

use crate::casts;
use crate::entry::sources;
use crate::program::Program;
use ir::debug::{DebugTypeKind, Field};
use ir::id::{DebugTypeId, FuncId};
use ir::module::Module;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The inputs of a function, a line for each thing that is said of them.
pub fn of_inputs(program: &Program, entry: FuncId) -> BTreeSet<String> {
    let module = &program.module;
    let mut lines = BTreeSet::new();
    let mut types = Vec::new();
    let name = |ty: Option<DebugTypeId>| type_name(module, ty);
    for (index, source) in sources(program, entry).iter().enumerate() {
        let (size, offset, indirect) = (source.size, source.offset, source.indirect);
        lines.insert(format!("parameter {index}: {}, {size} at {offset} {indirect}", name(source.ty)));
        types.extend(source.ty);
    }
    for (index, cast) in casts::of_parameters(program, entry).into_iter().enumerate() {
        for (place, ty) in cast.into_iter().enumerate() {
            lines.insert(format!("cast {place} of parameter {index}: {}", name(Some(ty))));
            types.push(ty);
        }
    }
    for ((of, at), casts) in casts::of_fields(program, &[entry]) {
        for (place, ty) in casts.into_iter().enumerate() {
            lines.insert(format!("cast {place} of {of} at {at}: {}", name(Some(ty))));
            types.push(ty);
        }
    }
    for (_, global) in module.globals.iter_ids() {
        let Some(variable) = global.variable.filter(|_| !program.is_constant(global.symbol)) else { continue };
        let ty = module.debug.variables[variable].ty;
        lines.insert(format!("variable {}: {}", module.symbol_name(global.symbol), name(ty)));
        types.extend(ty);
    }
    describe_all(module, types, &mut lines);
    lines
}

/// Adds what the types are made of, and those that they are made of.
fn describe_all(module: &Module, mut types: Vec<DebugTypeId>, lines: &mut BTreeSet<String>) {
    let mut seen = FxHashSet::default();
    while let Some(id) = types.pop() {
        if !seen.insert(id) {
            continue;
        }
        let ty = &module.debug.types[id];
        let own = type_name(module, Some(id));
        let mut add = |what: String, part: Option<DebugTypeId>| {
            lines.insert(format!("{own} ({} bits): {what} {}", ty.bits, type_name(module, part)));
            types.extend(part);
        };
        let field = |field: &Field| {
            let name = field.name.map_or("", |name| module.str(name));
            format!("{name} {} {} {}", field.offset, field.bits, field.bit_field)
        };
        match &ty.kind {
            DebugTypeKind::Basic(encoding) => add(format!("{encoding:?}"), None),
            DebugTypeKind::Pointer { to, reference } => add(format!("pointer {reference}"), *to),
            DebugTypeKind::Alias { to, qualifier } => add(format!("{qualifier:?}"), *to),
            DebugTypeKind::Record { union, fields, variants } => {
                fields.iter().for_each(|part| add(format!("{union} {}", field(part)), part.ty));
                for variant in variants.iter().flat_map(|variants| &variants.cases) {
                    add(format!("case {:?} {}", variant.value, field(&variant.field)), variant.field.ty);
                }
                if let Some(tag) = variants.as_ref().and_then(|variants| variants.tag.as_ref()) {
                    add(format!("tag {}", field(tag)), tag.ty);
                }
            }
            DebugTypeKind::Array { element, counts } => add(format!("array {counts:?}"), *element),
            DebugTypeKind::Enum { base, values } => {
                values.iter().for_each(|(name, value)| add(format!("{} {value}", module.str(*name)), None));
                add("enum".to_owned(), *base);
            }
            DebugTypeKind::Function { types } => types.iter().for_each(|part| add("function".to_owned(), *part)),
            DebugTypeKind::Other(tag) => add(module.str(*tag).to_owned(), None),
        }
    }
}

fn type_name(module: &Module, ty: Option<DebugTypeId>) -> String {
    ty.map_or("nothing".to_owned(), |ty| module.debug.type_name(&module.strings, ty))
}
