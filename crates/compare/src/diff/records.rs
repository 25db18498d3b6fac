//! Functions whose code is the same, byte for byte, but not what it means: the fields of a record lie elsewhere, or the
//! virtual functions of a class.
//!
//! `p->a` of the old version and `p->b` of the new one may be the same instruction. So functions that have to do with a record
//! whose fields changed places count as changed, and their callers as affected; so do those that call virtual functions
//! where some changed places.

use super::couple::mentions;
use super::virtuals;
use change::hashes::function_uses;
use change::{Changes, Kind};
use exec::program::Program;
use exec::relaid::{Types, find, record_behind};
use ir::debug::DebugTypeKind;
use ir::id::{DebugTypeId, FuncId};
use ir::inst::InstKind;
use ir::module::{Module, SymbolKind};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// What was marked.
#[derive(Default)]
pub struct Marked {
    /// Names of all records that changed.
    pub records: BTreeSet<String>,
    /// Functions of both versions, all of whose code may mean something else.
    pub functions: Vec<(FuncId, FuncId)>,
    /// Functions of the new version that have to do with anything that changed so, whether or not its fields moved: equal
    /// addresses and bytes need not mean the same there.
    pub concerned: BTreeSet<FuncId>,
    /// What records are called that changed or whose fields moved.
    names: BTreeSet<String>,
    /// Enums whose cases have other numbers.
    variants: BTreeSet<String>,
    /// Whether tables of virtual functions changed.
    tables_moved: bool,
}

impl Marked {
    /// Functions of the new version that have to do with anything that changed but these records.
    pub fn concerned_beside(
        &self,
        records: &BTreeSet<String>,
        changes: &Changes,
        versions: [&Module; 2],
    ) -> BTreeSet<FuncId> {
        let rest: BTreeSet<String> = self.names.difference(records).cloned().collect();
        let both = changes.functions.iter().filter_map(|function| function.old.zip(function.new));
        let is_concerned = |(old, new): &(FuncId, FuncId)| {
            let ids = [*old, *new];
            self.concerned.contains(new)
                && versions.iter().zip(ids).any(|(module, id)| {
                    !rest.is_empty() && reaches(module, id, &rest)
                        || self.tables_moved && virtuals::calls_by_table(module, id)
                        || has_variable_of(module, id, &self.variants)
                })
        };
        both.filter(is_concerned).map(|(_, new)| new).collect()
    }
}

/// Marks them.
pub fn mark(changes: &mut Changes, old: &Module, new: &Module) -> Marked {
    let records = find(Types::all(old), Types::all(new));
    let shifted = |id: &DebugTypeId| records.relaid.get(id).is_none_or(exec::relaid::Relaid::is_shifted);
    let types = records.relaid.keys().chain(&records.unclear);
    let names: BTreeSet<String> =
        types.filter(|id| shifted(id)).flat_map(|id| names(new, *id, &records.names)).collect();
    let all: BTreeSet<String> = records.names.iter().chain(&names).cloned().collect();
    let mut result = Marked { records: records.names, ..Marked::default() };
    let tables_moved = !virtuals::moved(old, new).is_empty() || virtuals::traits_moved(old, new);
    let variants = exec::variants::changed(Types::all(old), Types::all(new)).moved_names;
    if all.is_empty() && !tables_moved && variants.is_empty() {
        return result;
    }
    (result.names, result.variants, result.tables_moved) = (all.clone(), variants.clone(), tables_moved);
    let is_concerned = |module: &Module, id: FuncId| {
        reaches(module, id, &all)
            || tables_moved && virtuals::calls_by_table(module, id)
            || has_variable_of(module, id, &variants)
    };
    let changed = changes.functions.iter().filter(|function| function.kind == Kind::Changed);
    for (of_old, of_new) in changed.filter_map(|function| function.old.zip(function.new)) {
        if is_concerned(old, of_old) || is_concerned(new, of_new) {
            result.concerned.insert(of_new);
        }
    }
    let means_other = |id: FuncId| {
        has_to_do_with(new, id, &names)
            || tables_moved && virtuals::calls_by_table(new, id)
            || has_variable_of(new, id, &variants)
    };
    let mut marked: Vec<usize> = Vec::new();
    for (index, function) in changes.functions.iter_mut().enumerate() {
        if function.same && function.new.is_some_and(means_other) {
            (function.same, function.kind) = (false, Kind::Changed);
            marked.push(index);
            result.concerned.extend(function.new);
            result.functions.extend(function.old.zip(function.new));
        }
    }
    let by_function: BTreeMap<FuncId, usize> =
        changes.functions.iter().enumerate().filter_map(|(index, function)| Some((function.new?, index))).collect();
    let callers = callers(new);
    for index in marked.clone() {
        let (mut todo, mut seen) = (vec![changes.functions[index].new], FxHashSet::default());
        while let Some(Some(id)) = todo.pop() {
            for caller in callers.get(&id).into_iter().flatten() {
                let Some(&at) = by_function.get(caller).filter(|_| seen.insert(*caller)) else { continue };
                let function = &mut changes.functions[at];
                function.same = false;
                if !function.uses_functions.contains(&index) && at != index {
                    function.uses_functions.push(index);
                }
                todo.push(Some(*caller));
            }
        }
    }
    result
}

/// Whether a function has a variable that is, holds or leads to one of some enums.
fn has_variable_of(module: &Module, id: FuncId, enums: &BTreeSet<String>) -> bool {
    let debug = &module.debug;
    let is_one = |ty: DebugTypeId| {
        let ty = &debug.types[ty];
        let name = ty.name.map_or("", |name| module.str(name));
        matches!(ty.kind, DebugTypeKind::Enum { .. }) && enums.contains(name)
    };
    let has_one = |kind: &InstKind| match kind {
        InstKind::Marker(marker) => debug.variables[marker.variable].ty.is_some_and(|ty| mentions(module, ty, &is_one)),
        _ => false,
    };
    !enums.is_empty() && module.functions[id].body().any(|(_, _, inst)| has_one(&inst.kind))
}

/// Whether functions, or whatever they call, may have to do with a record that changed.
pub fn concern(program: &Program, entries: [FuncId; 2]) -> bool {
    if !program.has_changed_records() {
        return false;
    }
    let module = &program.module;
    let (mut todo, mut seen) = (entries.to_vec(), FxHashSet::default());
    while let Some(id) = todo.pop() {
        if !seen.insert(id) {
            continue;
        }
        let uses = |kind: &InstKind| match kind {
            InstKind::Gep { source, .. } => program.changed_records.contains(source),
            // Whatever a pointer calls may.
            InstKind::Call(_) | InstKind::Invoke { .. } => module.called_function(kind).is_none(),
            _ => false,
        };
        let body = || module.functions[id].body().map(|(_, _, inst)| &inst.kind);
        if body().any(uses) || has_to_do_with(module, id, &program.changed_names) {
            return true;
        }
        todo.extend(body().filter_map(|kind| module.called_function(kind)));
    }
    // Variables are used without a record's name.
    let unclear = |global: &ir::module::Global| program.is_unclear_variable(global.symbol);
    !program.relaid_variables.is_empty() || module.globals.iter().any(unclear)
}

/// What a record is called: by itself, or by an alias.
fn names(module: &Module, id: DebugTypeId, known: &BTreeSet<String>) -> Vec<String> {
    let debug = &module.debug;
    match debug.types[id].name {
        Some(name) => vec![module.str(name).to_owned()],
        None => debug
            .types
            .iter()
            .filter(|ty| matches!(ty.kind, DebugTypeKind::Alias { to: Some(to), qualifier: None } if to == id))
            .filter_map(|ty| ty.name.map(|name| module.str(name).to_owned()))
            .filter(|name| known.contains(name))
            .collect(),
    }
}

/// Whether a parameter, a variable or the result of a function is such a record, or leads to one.
fn has_to_do_with(module: &Module, id: FuncId, names: &BTreeSet<String>) -> bool {
    let debug = &module.debug;
    let function = &module.functions[id];
    let is_one = |ty: DebugTypeId| record_behind(module, ty).is_some_and(|name| names.contains(&name));
    let signature = function.scope.and_then(|scope| debug.scopes[scope].ty).map(|ty| &debug.types[ty].kind);
    let declared = match signature {
        Some(DebugTypeKind::Function { types }) => types.iter().flatten().any(|ty| is_one(*ty)),
        _ => false,
    };
    declared
        || function.body().any(|(_, _, inst)| match &inst.kind {
            InstKind::Marker(marker) => debug.variables[marker.variable].ty.is_some_and(is_one),
            _ => false,
        })
}

/// Whether a function may get to such a record from what it is given, its variables, and those of the program that it names.
fn reaches(module: &Module, id: FuncId, names: &BTreeSet<String>) -> bool {
    let debug = &module.debug;
    let function = &module.functions[id];
    let mut types: BTreeSet<DebugTypeId> = BTreeSet::new();
    let signature = function.scope.and_then(|scope| debug.scopes[scope].ty).map(|ty| &debug.types[ty].kind);
    if let Some(DebugTypeKind::Function { types: declared }) = signature {
        types.extend(declared.iter().flatten());
    }
    types.extend(function.body().filter_map(|(_, _, inst)| match &inst.kind {
        InstKind::Marker(marker) => debug.variables[marker.variable].ty,
        _ => None,
    }));
    types.extend(function_uses(module, id).into_iter().filter_map(|symbol| match module.symbols[symbol].kind {
        SymbolKind::Variable(global) => debug.variables[module.globals[global].variable?].ty,
        _ => None,
    }));
    let is_one = |ty: DebugTypeId| record_behind(module, ty).is_some_and(|name| names.contains(&name));
    // Without debug info nothing is known of what a function uses.
    signature.is_none() || types.into_iter().any(|ty| mentions(module, ty, &is_one))
}

fn callers(module: &Module) -> BTreeMap<FuncId, Vec<FuncId>> {
    let mut found: BTreeMap<FuncId, Vec<FuncId>> = BTreeMap::new();
    for id in module.functions.ids() {
        for callee in module.functions[id].body().filter_map(|(_, _, inst)| module.called_function(&inst.kind)) {
            let callers = found.entry(callee).or_default();
            if callers.last() != Some(&id) {
                callers.push(id);
            }
        }
    }
    found
}
