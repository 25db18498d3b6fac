//! What runs before `main`, or behind it: constructors and destructors of variables.
//!
//! A variable that is built by code holds something else once that code does something else, and whoever reads it does too,
//! though none of his own code changed. Nobody runs that code here, so such functions are undecided unless they differ anyway.

use super::findings::Findings;
use super::runs;
use change::hashes::uses;
use change::{Changes, FunctionChange};
use evidence::Gap;
use ir::id::{FuncId, SymbolId};
use ir::module::Module;
use std::collections::{BTreeMap, BTreeSet};

/// What is built in another way before the program begins.
#[derive(Default)]
pub struct Built {
    /// Variables of the new version.
    pub variables: BTreeSet<SymbolId>,
    /// Functions of the new version that use one of them, with its name, and whether nothing else of them changed.
    functions: BTreeMap<FuncId, (String, bool)>,
    /// Whether anything that runs before `main`, or behind it, is not the same.
    pub differs: bool,
}

/// Looks for variables that are built in another way, and marks functions that use one of them as not the same.
pub fn mark(changes: &mut Changes, old: &Module, new: &Module) -> Built {
    let runs::Start { differs, variables, functions } = runs::compare(old, new, changes);
    let mut built = Built { variables, differs, ..Built::default() };
    if built.variables.is_empty() {
        return built;
    }
    let users = users(new, &built.variables);
    for change in changes.functions.iter_mut().filter(|change| change.old.is_some()) {
        let Some(id) = change.new else { continue };
        let symbol = new.functions[id].symbol;
        // What builds them has a verdict of its own.
        if functions.contains(&symbol) && !change.same {
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
