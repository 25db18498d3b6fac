//! What pointers are cast to: `struct state *s = handle;`.
//!
//! A pointer to nothing, to a record that is only declared, or to the beginning of a record says little of the memory behind it.
//! The local variables that it is assigned to say more. Types are still a matter of the program alone, and not of the path.

use crate::entry::constant_distance;
use crate::names::is_old;
use crate::program::Program;
use ir::debug::DebugTypeKind;
use ir::id::{DebugTypeId, FuncId, InstId, SymbolId};
use ir::inst::{InstKind, MarkerKind, Value as Operand};
use ir::module::Module;
use ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

/// Most functions that are looked at.
const MOST_FUNCTIONS: usize = 400;

/// For each parameter what the code takes it to lead to.
pub(crate) fn of_parameters(program: &Program, id: FuncId) -> Vec<Vec<DebugTypeId>> {
    let module = &program.module;
    let function = &module.functions[id];
    let mut found: Vec<Vec<DebugTypeId>> = vec![Vec::new(); function.params.len()];
    for (_, _, inst) in function.body() {
        let cast = match &inst.kind {
            InstKind::Marker(marker) if marker.kind == MarkerKind::Assign && marker.expr.is_none() => {
                let variable = &module.debug.variables[marker.variable];
                let ty = variable.ty.filter(|_| variable.arg == 0).and_then(|ty| pointee(module, ty));
                marker.value.zip(ty)
            }
            InstKind::Gep { source, base, .. } => Some(*base).zip(record(program, id, *source)),
            _ => None,
        };
        if let Some((Operand::Arg(index), ty)) = cast
            && !found[index as usize].contains(&ty)
        {
            found[index as usize].push(ty);
        }
    }
    found
}

/// Whether a type says more of what a pointer leads to than the pointer's own type, which says nothing or tells the beginning
/// of a record only.
pub(crate) fn says_more(module: &Module, declared: Option<DebugTypeId>, cast: DebugTypeId) -> bool {
    let debug = &module.debug;
    let cast = debug.strip(cast);
    let Some(DebugTypeKind::Pointer { to, .. }) = declared.map(|ty| &debug.types[debug.strip(ty)].kind) else {
        return false;
    };
    let bits = |ty: DebugTypeId| debug.bits(ty);
    match to.map(|to| debug.strip(to)).map(|ty| (ty, &debug.types[ty].kind)) {
        // `const void` is an alias of nothing.
        None | Some((_, DebugTypeKind::Alias { to: None, .. })) => bits(cast) > 0,
        Some((ty, DebugTypeKind::Record { .. })) => {
            bits(cast) > bits(ty) && matches!(debug.types[cast].kind, DebugTypeKind::Record { .. })
        }
        Some(_) => false,
    }
}

/// What a pointer type leads to.
fn pointee(module: &Module, ty: DebugTypeId) -> Option<DebugTypeId> {
    match &module.debug.types[module.debug.strip(ty)].kind {
        DebugTypeKind::Pointer { to, .. } => *to,
        _ => None,
    }
}

/// The source type of a record of the IR, as the version has it that a function belongs to.
fn record(program: &Program, function: FuncId, ty: ir::id::TypeId) -> Option<DebugTypeId> {
    let module = &program.module;
    let name = record_name(module, &module.types[ty])?;
    let old = is_old(module.function_name(function));
    program.records_by_name().get(&name).and_then(|versions| versions[usize::from(old)])
}

/// Whether a pointer type says nothing of what it leads to.
pub(crate) fn says_little(module: &Module, declared: Option<DebugTypeId>) -> bool {
    let debug = &module.debug;
    match declared.map(|ty| &debug.types[debug.strip(ty)].kind) {
        Some(DebugTypeKind::Pointer { to: Some(to), .. }) => debug.bits(*to) == 0,
        Some(DebugTypeKind::Pointer { to: None, .. }) => true,
        _ => false,
    }
}

/// Types of the variables that fields are assigned to, by the name of the record and the distance of the field, in all that
/// functions can call.
pub(crate) fn of_fields(program: &Program, roots: &[FuncId]) -> FxHashMap<(String, u64), Vec<DebugTypeId>> {
    let module = &program.module;
    let mut found: FxHashMap<(String, u64), Vec<DebugTypeId>> = FxHashMap::default();
    let (mut todo, mut seen) = (roots.to_vec(), FxHashSet::default());
    while let Some(id) = todo.pop() {
        if !seen.insert(id) || seen.len() > MOST_FUNCTIONS {
            continue;
        }
        let function = &module.functions[id];
        let mut places: FxHashMap<InstId, (String, u64)> = FxHashMap::default();
        let mut loads: FxHashMap<InstId, (String, u64)> = FxHashMap::default();
        for (_, at, inst) in function.body() {
            match &inst.kind {
                InstKind::Gep { source, indices, base, .. } => {
                    if let Operand::Inst(value) = base
                        && let Some(place) = loads.get(value)
                        && let Some(ty) = record(program, id, *source)
                    {
                        add(&mut found, place, ty);
                    }
                    if let Some(name) = record_name(module, &module.types[*source])
                        && let Some(distance) = constant_distance(program, *source, indices)
                        && let Ok(distance) = u64::try_from(distance)
                    {
                        places.insert(at, (name, distance));
                    }
                }
                InstKind::Load { ptr: Operand::Inst(place), .. } => {
                    loads.extend(places.get(place).map(|place| (at, place.clone())));
                }
                InstKind::Load { ptr: Operand::Const(place), .. } => {
                    if let Some(symbol) = module.as_symbol(Operand::Const(*place)) {
                        loads.insert(at, variable_key(program, symbol));
                    }
                }
                InstKind::Marker(marker) => {
                    if let (MarkerKind::Assign, Some(Operand::Inst(value)), None) =
                        (marker.kind, marker.value, marker.expr)
                        && let Some(place) = loads.get(&value)
                        && let Some(ty) = module.debug.variables[marker.variable].ty.and_then(|ty| pointee(module, ty))
                    {
                        add(&mut found, place, ty);
                    }
                }
                kind => todo.extend(module.called_function(kind)),
            }
        }
    }
    found
}

fn add(found: &mut FxHashMap<(String, u64), Vec<DebugTypeId>>, place: &(String, u64), ty: DebugTypeId) {
    let types = found.entry(place.clone()).or_default();
    if !types.contains(&ty) {
        types.push(ty);
    }
}

/// What stands for the record that a variable is.
pub(crate) fn variable_key(program: &Program, symbol: SymbolId) -> (String, u64) {
    (format!("@{}", program.module.symbol_label(program.canonical(symbol))), 0)
}

/// What a record of the IR is called in the source.
pub(crate) fn record_name(module: &Module, ty: &Type) -> Option<String> {
    let Type::Named(id) = ty else { return None };
    let name = module.str(module.types.named[*id].name);
    let name = name.split_once('.').map_or(name, |(_, name)| name);
    // Linkers number what has the same name.
    let end = name.rfind('.').filter(|&at| name[at + 1..].bytes().all(|byte| byte.is_ascii_digit()));
    Some(end.map_or(name, |at| &name[..at]).to_owned())
}

/// The type that all of these are which say more than the declared one, however often it is described.
pub(crate) fn the_only(module: &Module, declared: Option<DebugTypeId>, types: &[DebugTypeId]) -> Option<DebugTypeId> {
    let mut more = types.iter().copied().filter(|&ty| says_more(module, declared, ty));
    let first = more.next()?;
    let same = |ty: DebugTypeId| {
        let strip = |ty: DebugTypeId| module.debug.strip(ty);
        strip(ty) == strip(first) || crate::relaid::is_laid_alike((module, first), (module, ty))
    };
    more.all(same).then_some(first)
}
