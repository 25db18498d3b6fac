//! Virtual functions: calls by a number that means another function in the other version.
//!
//! `a->f()` is a call of the n-th function of the table that the object brings. A class that gets a virtual function, loses
//! one or changes their order gives these numbers another meaning, so the same code may call something else. What the
//! numbers mean is known from the tables that a version defines. Where it defines none for a class, and for none that is
//! derived from it, the order in which the class declares its functions stands in for it: debug info says of them all, but
//! not which of them are virtual.

use ir::constant::ConstKind;
use ir::debug::{DebugTypeKind, Field, Language, ScopeKind};
use ir::demangle::demangle;
use ir::id::{DebugTypeId, FuncId, ScopeId};
use ir::inst::{Callee, InstKind, Value};
use ir::module::{Global, Module};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Most bases of a class that are looked at: debug info may be garbled.
const MOST_BASES: usize = 256;

/// What the table pointers of all classes are called, up to the name of the class.
const POINTER: &str = "_vptr$";

/// Entries of tables that say nothing of the function that belongs there.
const PURE: &str = "__cxa_pure_virtual";

/// Names of table pointers whose tables have their functions elsewhere in the other version; `_vptr$` alone means all of them.
pub fn moved(old: &Module, new: &Module) -> BTreeSet<String> {
    let (before, after) = (Classes::of(old), Classes::of(new));
    let mut found = BTreeSet::new();
    for (name, entries) in &before.tables {
        if after.tables.get(name).is_some_and(|others| !keeps(entries, others)) {
            let pointers = [before.pointers(name), after.pointers(name)].concat();
            // Without a description nobody knows who calls through it.
            if pointers.is_empty() {
                found.insert(POINTER.to_owned());
            }
            found.extend(pointers);
        }
    }
    let known: FxHashSet<&str> = before.covered().intersection(&after.covered()).copied().collect();
    for name in before.types.keys().filter(|name| !known.contains(name.as_str())) {
        let (Some(functions), Some(others)) = (before.functions.get(name), after.functions.get(name)) else { continue };
        if !keeps(functions, others) {
            found.extend(before.pointers(name));
        }
    }
    found
}

/// Whether a table of a trait of Rust has its functions elsewhere in the other version.
pub fn traits_moved(old: &Module, new: &Module) -> bool {
    let (before, after) = (trait_tables(old), trait_tables(new));
    before.iter().any(|(name, entries)| after.get(name).is_some_and(|others| !keeps(entries, others)))
}

/// Whether a function calls what it finds in memory.
pub fn calls_by_table(module: &Module, id: FuncId) -> bool {
    let function = &module.functions[id];
    function.body().any(|(_, _, inst)| {
        let (InstKind::Call(call) | InstKind::Invoke { call, .. }) = &inst.kind else { return false };
        let Callee::Value(Value::Inst(callee)) = call.callee else { return false };
        matches!(function.insts[callee].kind, InstKind::Load { .. })
    })
}

/// Whether functions of a table stand where they stood, as far as is known.
fn keeps(before: &[String], after: &[String]) -> bool {
    let same = |(a, b): (&String, &String)| a == b || a == PURE || b == PURE;
    before.len() <= after.len() && before.iter().zip(after).all(same)
}

/// Classes of one version, by their full names.
struct Classes<'m> {
    module: &'m Module,
    types: BTreeMap<String, DebugTypeId>,
    /// What their tables lead to.
    tables: BTreeMap<String, Vec<String>>,
    /// Functions that they declare, in order.
    functions: BTreeMap<String, Vec<String>>,
}

impl<'m> Classes<'m> {
    fn of(module: &'m Module) -> Classes<'m> {
        let tables = module.globals.iter().filter_map(|global| class_table(module, global)).collect();
        let mut classes = Classes { module, types: BTreeMap::new(), tables, functions: BTreeMap::new() };
        let debug = &module.debug;
        let defined: FxHashSet<ScopeId> = module.functions.iter().filter_map(|function| function.scope).collect();
        let mut members: FxHashMap<ScopeId, Vec<ScopeId>> = FxHashMap::default();
        for id in debug.scopes.ids() {
            let scope = &debug.scopes[id];
            if let Some(parent) = scope.parent.filter(|_| scope.kind == ScopeKind::Function && !defined.contains(&id)) {
                members.entry(parent).or_default().push(id);
            }
        }
        for id in debug.scopes.ids() {
            let (ScopeKind::Type, Some(ty)) = (debug.scopes[id].kind, debug.scopes[id].ty) else { continue };
            if debug.types[ty].language != Language::Cpp || table_pointers(module, ty).is_empty() {
                continue;
            }
            let name = debug.qualified_name(&module.strings, id);
            let class = debug.scopes[id].name.map(|name| module.str(name));
            let functions =
                members.get(&id).into_iter().flatten().filter_map(|&id| member(module, id, class)).collect();
            classes.types.entry(name.clone()).or_insert(ty);
            classes.functions.entry(name).or_insert(functions);
        }
        classes
    }

    fn pointers(&self, name: &str) -> Vec<String> {
        self.types.get(name).map(|&ty| table_pointers(self.module, ty)).unwrap_or_default()
    }

    /// Classes all of whose virtual functions are seen in a table, their own or that of a class that is derived from them.
    fn covered(&self) -> FxHashSet<&str> {
        let by_type: FxHashMap<DebugTypeId, &str> = self.types.iter().map(|(name, &ty)| (ty, name.as_str())).collect();
        let mut found = FxHashSet::default();
        for name in
            self.tables.iter().filter(|(_, entries)| !entries.iter().any(|one| one == PURE)).map(|(name, _)| name)
        {
            let Some((name, &ty)) = self.types.get_key_value(name) else { continue };
            found.insert(name.as_str());
            let mut bases = Vec::new();
            parts(self.module, ty, &mut |field, ty| {
                if field.name.is_none() {
                    bases.push(ty);
                }
            });
            found.extend(bases.iter().filter_map(|ty| by_type.get(ty)));
        }
        found
    }
}

/// The name of a class and what its table leads to, if a variable is such a table.
fn class_table(module: &Module, global: &Global) -> Option<(String, Vec<String>)> {
    let name = module.symbol_name(global.symbol);
    let initializer = global.initializer.filter(|_| name.starts_with("_ZTV"))?;
    // As the demangler writes it.
    let class = demangle(name).strip_prefix("{vtable(")?.strip_suffix(")}")?.to_owned();
    Some((class, entries(module, initializer)))
}

/// Tables of traits, by the names of type and trait, without those of their crates.
fn trait_tables(module: &Module) -> BTreeMap<String, Vec<String>> {
    let table = |global: &Global| {
        let name = module.str(module.debug.variables[global.variable?].name?);
        let (types, _) = name.split_once(">::{vtable")?;
        let plain = |path: &str| path.rsplit("::").next().unwrap_or_default().to_owned();
        Some((types.split(" as ").map(plain).collect::<Vec<_>>().join(" as "), entries(module, global.initializer?)))
    };
    module.globals.iter().filter_map(table).collect()
}

/// What the functions of a table are called in their classes; nothing for what is no function.
fn entries(module: &Module, initializer: ir::id::ConstId) -> Vec<String> {
    let (mut todo, mut entries) = (vec![initializer], Vec::new());
    while let Some(part) = todo.pop() {
        match &module.consts[part].kind {
            ConstKind::Aggregate(inner) => todo.extend(inner.iter().rev()),
            ConstKind::Symbol(symbol) => entries.push(unqualified(module.symbol_name(*symbol))),
            _ => entries.push(String::new()),
        }
    }
    entries
}

/// A function of a class without the class, since a derived one may have its own: `f(int) const`.
fn unqualified(symbol: &str) -> String {
    if symbol == PURE {
        return PURE.to_owned();
    }
    if symbol.starts_with("_ZTI") {
        return String::new();
    }
    let name = demangle(symbol);
    // What adjusts the object first is known by what it calls then: `{virtual override thunk({offset(-16)}, B::f())}`.
    let adjusted = name.split_once("thunk(").and_then(|(_, rest)| rest.split_once("}, "));
    let name = adjusted.and_then(|(_, rest)| rest.strip_suffix(")}")).unwrap_or(&name);
    // Where the parameters begin, arguments of templates left out.
    let (mut depth, mut start, mut end) = (0u32, 0, name.len());
    let bytes = name.as_bytes();
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' => depth = depth.saturating_sub(1),
            b'(' if depth == 0 => {
                end = at;
                break;
            }
            b':' if depth == 0 && at > 0 && bytes[at - 1] == b':' => start = at + 1,
            _ => {}
        }
    }
    let (own, rest) = (name.get(start..end).unwrap_or(name), name.get(end..).unwrap_or_default());
    if own.starts_with('~') { "~".to_owned() } else { format!("{own}{rest}") }
}

/// What a declared function of a class is called, if it may be virtual.
fn member(module: &Module, id: ScopeId, class: Option<&str>) -> Option<String> {
    let scope = &module.debug.scopes[id];
    let name = scope.name.map(|name| module.str(name))?;
    let is_template = name.contains('<') && !name.starts_with("operator");
    if Some(name) == class || is_template {
        return None;
    }
    Some(scope.linkage_name.map_or_else(|| unqualified(name), |name| unqualified(module.str(name))))
}

/// Names of all table pointers of a class, those of its bases too.
fn table_pointers(module: &Module, ty: DebugTypeId) -> Vec<String> {
    let mut found = Vec::new();
    parts(module, ty, &mut |field, _| {
        if let Some(name) = field.name.map(|name| module.str(name)).filter(|name| name.starts_with(POINTER)) {
            found.push(name.to_owned());
        }
    });
    found
}

/// Goes through the fields of a class and of its bases.
fn parts(module: &Module, ty: DebugTypeId, each: &mut dyn FnMut(&Field, DebugTypeId)) {
    let debug = &module.debug;
    let mut todo = vec![ty];
    for _ in 0..MOST_BASES {
        let Some(ty) = todo.pop() else { return };
        let DebugTypeKind::Record { fields, .. } = &debug.types[ty].kind else { continue };
        for field in fields {
            let Some(ty) = field.ty.map(|ty| debug.strip(ty)) else { continue };
            each(field, ty);
            if field.name.is_none() {
                todo.push(ty);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_known_without_their_classes() {
        let check = |symbol: &str, expect: &str| assert_eq!(unqualified(symbol), expect, "{symbol}");
        check("_ZN1A1fEv", "f()");
        check("_ZNK2ns1BIiE1fEiPKc", "f(int, char const*) const");
        check("_ZN1AD0Ev", "~");
        check("_ZN1BD2Ev", "~");
        check("_ZThn16_N1B1fEii", "f(int, int)");
        check("_ZTI1A", "");
        check("__cxa_pure_virtual", "__cxa_pure_virtual");
        check("plain", "plain");
    }

    #[test]
    fn tables_may_grow_at_their_end() {
        let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let check = |before: &[&str], after: &[&str], expect: bool| {
            assert_eq!(keeps(&list(before), &list(after)), expect, "{before:?} {after:?}");
        };
        check(&["f()", "g()"], &["f()", "g()", "h()"], true);
        check(&["f()", PURE], &["f()", "g()"], true);
        check(&["f()", "g()"], &["g()", "f()"], false);
        check(&["f()", "g()"], &["f()"], false);
        check(&["f()", "g()"], &["f()", "h()", "g()"], false);
    }
}
