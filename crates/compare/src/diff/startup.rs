//! What runs before `main`, or behind it: constructors and destructors of variables.
//!
//! A variable that is built by code holds something else once that code does something else, and whoever reads it does too,
//! though none of his own code changed. Nobody runs that code here, so such functions are undecided unless they differ anyway.

use super::findings::Findings;
use change::hashes::{function_uses, uses};
use change::{Changes, FunctionChange};
use evidence::Gap;
use ir::constant::ConstKind;
use ir::id::{ConstId, FuncId, SymbolId};
use ir::module::{Module, SymbolKind};
use std::collections::{BTreeMap, BTreeSet};

/// What is built in another way before the program begins.
#[derive(Default)]
pub struct Built {
    /// Variables of the new version.
    pub variables: BTreeSet<SymbolId>,
    /// Functions of the new version that use one of them, with its name, and whether nothing else of them changed.
    functions: BTreeMap<FuncId, (String, bool)>,
}

/// Looks for variables that are built in another way, and marks functions that use one of them as not the same.
pub fn mark(changes: &mut Changes, old: &Module, new: &Module) -> Built {
    let mut built = Built::default();
    if !runs_before_main(old) && !runs_before_main(new) {
        return built;
    }
    let (old_run, new_run) = (run_at_first(old), run_at_first(new));
    for change in changes.functions.iter().filter(|change| !change.same) {
        if let Some(id) = change.old.filter(|&id| old_run.contains(&old.functions[id].symbol)) {
            let used = variables(old, id).filter_map(|symbol| changes.matching.new_of(symbol));
            built.variables.extend(used);
        }
        if let Some(id) = change.new.filter(|&id| new_run.contains(&new.functions[id].symbol)) {
            built.variables.extend(variables(new, id));
        }
    }
    if built.variables.is_empty() {
        return built;
    }
    let users = users(new, &built.variables);
    for change in changes.functions.iter_mut().filter(|change| change.old.is_some()) {
        let Some(id) = change.new else { continue };
        let symbol = new.functions[id].symbol;
        // What builds them has a verdict of its own.
        if new_run.contains(&symbol) && !change.same {
            continue;
        }
        if let Some(&variable) = users.get(&symbol) {
            let name = ir::demangle::demangle(new.symbol_name(variable));
            built.functions.insert(id, (name, change.same));
            change.same = false;
        }
    }
    built
}

impl Built {
    /// Whether nothing of a function changed but what it finds in a variable: then there is nothing to be compared.
    pub fn is_all(&self, change: &FunctionChange) -> bool {
        change.new.and_then(|id| self.functions.get(&id)).is_some_and(|(_, alone)| *alone)
    }

    /// Takes back a verdict that need not hold where a variable begins with something else.
    pub fn doubt(&self, findings: &mut Findings, change: &FunctionChange) {
        let Some((name, alone)) = change.new.and_then(|id| self.functions.get(&id)) else { return };
        if findings.verdict().is_same() || *alone {
            findings.open(Gap::BuiltBefore { variable: name.clone() });
        }
    }
}

/// Whether anything changed that runs before `main`, or behind it: constructors and destructors of variables.
pub fn before_main_changed(old: &Module, new: &Module, changes: &Changes) -> bool {
    let (olds, news) = (listed(old), listed(new));
    let changed = |function: &FunctionChange| {
        let named = |module: &Module, id: Option<FuncId>, names: &[String]| {
            id.is_some_and(|id| names.iter().any(|name| name == module.function_name(id)))
        };
        !function.same && (named(old, function.old, &olds) || named(new, function.new, &news))
    };
    olds.len() != news.len() || order(&olds) != order(&news) || changes.functions.iter().any(changed)
}

/// Names and numbers in the lists of what runs before `main` or behind it, in order.
fn listed(module: &Module) -> Vec<String> {
    let mut found = Vec::new();
    for symbol in module.symbols.ids().filter(|id| LISTS.contains(&module.symbol_name(*id))) {
        let SymbolKind::Variable(id) = module.symbols[symbol].kind else { continue };
        let mut todo: Vec<ConstId> = module.globals[id].initializer.into_iter().collect();
        while let Some(constant) = todo.pop() {
            match &module.consts[constant].kind {
                ConstKind::Aggregate(parts) => todo.extend(parts.iter().rev()),
                ConstKind::Symbol(symbol) => found.push(module.symbol_name(*symbol).to_owned()),
                ConstKind::Int(number) => found.push(number.to_string()),
                _ => {}
            }
        }
    }
    found
}

/// Functions that run then, as far as they are called by their names.
fn run_at_first(module: &Module) -> BTreeSet<SymbolId> {
    let names: BTreeSet<String> = listed(module).into_iter().collect();
    let mut todo: Vec<SymbolId> = module.symbols.ids().filter(|id| names.contains(module.symbol_name(*id))).collect();
    let mut seen = BTreeSet::new();
    while let Some(symbol) = todo.pop() {
        if let SymbolKind::Function(id) = module.symbols[symbol].kind
            && seen.insert(symbol)
        {
            let called = module.functions[id].body().filter_map(|(_, _, inst)| module.called_function(&inst.kind));
            todo.extend(called.map(|callee| module.functions[callee].symbol));
        }
    }
    seen
}

/// All that uses one of some variables, itself or by what it uses, and which.
fn users(module: &Module, variables: &BTreeSet<SymbolId>) -> BTreeMap<SymbolId, SymbolId> {
    let mut used_by: BTreeMap<SymbolId, Vec<SymbolId>> = BTreeMap::new();
    for (user, used) in module.symbols.ids().zip(uses(module)) {
        used.into_iter().for_each(|symbol| used_by.entry(symbol).or_default().push(user));
    }
    let mut found = BTreeMap::new();
    let mut todo: Vec<(SymbolId, SymbolId)> = variables.iter().map(|&variable| (variable, variable)).collect();
    while let Some((symbol, variable)) = todo.pop() {
        for &user in used_by.get(&symbol).into_iter().flatten() {
            if let std::collections::btree_map::Entry::Vacant(place) = found.entry(user) {
                place.insert(variable);
                todo.push((user, variable));
            }
        }
    }
    found
}

/// Variables of the program that a function uses, and that can be written.
fn variables(module: &Module, id: FuncId) -> impl Iterator<Item = SymbolId> + '_ {
    function_uses(module, id).into_iter().filter(|symbol| match module.symbols[*symbol].kind {
        SymbolKind::Variable(id) => module.globals[id].initializer.is_some() && !module.globals[id].constant,
        _ => false,
    })
}

/// The numbers of such a list; names may change with their file.
fn order(list: &[String]) -> Vec<&String> {
    list.iter().filter(|entry| entry.bytes().all(|byte| byte.is_ascii_digit())).collect()
}

/// Whether a version runs anything before `main`, or behind it.
pub fn runs_before_main(module: &Module) -> bool {
    module.symbols.ids().any(|id| LISTS.contains(&module.symbol_name(id)))
}

/// Where LLVM lists what runs then.
const LISTS: [&str; 2] = ["llvm.global_ctors", "llvm.global_dtors"];
