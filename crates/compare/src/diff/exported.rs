//! Variables and other names that code outside of the program may use: those that are gone, that begin with something else, and
//! names that stand for something else.
//!
//! Verdicts are about functions of the program. What others read, or call by another name, no function here need ever touch.

use super::findings::{Evidence, Findings};
use super::part::Source;
use super::verdict::others_may_call;
use super::visibility::still_has;
use crate::explore::function_place;
use change::hashes::{function_uses, uses};
use change::lines::Line;
use change::{Changes, GlobalChange, Kind};
use evidence::Gap;
use ir::demangle::demangle;
use ir::id::{GlobalId, Id, SymbolId};
use ir::module::{Module, SymbolKind};
use report::diff::Function;
use report::model::Place;

/// Rows of exported variables and names.
pub fn rows(old: &Module, new: &Module, changes: &Changes, sources: &(Source, Source)) -> Vec<Function> {
    let used = [used_by_functions(old), used_by_functions(new)];
    let mut rows: Vec<Function> = Vec::new();
    for global in &changes.globals {
        if let Some(findings) = variable([old, new], global, &used) {
            let (line, source) = match &global.new_line {
                Some(line) => (Some(line), &sources.1),
                None => (global.old_line.as_ref(), &sources.0),
            };
            let place = line.map(|line| shown(line, source));
            let head = Function { name: global.name.clone(), old_name: global.old_name.clone(), place, ..changed() };
            rows.push(findings.row(head));
        }
    }
    for symbol in old.symbols.ids().filter(|&symbol| is_public(old, symbol)) {
        if let Some(findings) = other_name([old, new], symbol, changes) {
            let place = target(old, symbol).and_then(|symbol| match old.symbols[symbol].kind {
                SymbolKind::Function(id) => function_place(old, id),
                _ => None,
            });
            let place = place.map(|place| sources.0.shown(&place));
            rows.push(findings.row(Function { name: demangle(old.symbol_name(symbol)), place, ..changed() }));
        }
    }
    rows
}

fn changed() -> Function {
    Function { changed: true, ..Function::default() }
}

fn shown((file, line): &Line, source: &Source) -> Place {
    source.shown(&Place { file: file.clone(), line: *line, column: 0 })
}

/// What is to be said of a variable.
fn variable([old, new]: [&Module; 2], global: &GlobalChange, used: &[Vec<bool>; 2]) -> Option<Findings> {
    let of_old = global.old.filter(|&id| is_exported(old, id)).map(|id| old.globals[id].symbol);
    let of_new = global.new.filter(|&id| is_exported(new, id)).map(|id| new.globals[id].symbol);
    let mut findings = Findings::default();
    match (of_old, of_new) {
        (None, None) => return None,
        // What was local, or is defined elsewhere, takes nothing away.
        (None, Some(_)) if global.old.is_some() => return None,
        (None, Some(_)) => findings.add([Evidence::Added]),
        (Some(symbol), None) if !still_has(new, old.symbol_name(symbol)) => {
            findings.add(global.new.is_none().then_some(Evidence::Removed));
            findings.open(Gap::VariableGone);
        }
        (Some(_), Some(_)) if global.old_name.is_some() => findings.open(Gap::VariableGone),
        (Some(before), Some(after)) if global.kind == Kind::Changed => {
            let is_constant = [(old, global.old), (new, global.new)]
                .iter()
                .any(|(module, id)| id.is_some_and(|id| module.globals[id].constant));
            // Of any other one the functions tell that use it.
            if !is_constant && (used[0][before.index()] || used[1][after.index()]) {
                return None;
            }
            findings.open(Gap::OtherContents);
        }
        (Some(_), _) => return None,
    }
    Some(findings)
}

/// What is to be said of a name that stands, in the old version or in the new one, for something that has a name of its own.
fn other_name([old, new]: [&Module; 2], symbol: SymbolId, changes: &Changes) -> Option<Findings> {
    let by_name = || new.symbols.ids().find(|&other| new.symbol_name(other) == old.symbol_name(symbol));
    let now = changes.matching.new_of(symbol).or_else(by_name);
    let stands_for = |module: &Module, symbol: SymbolId| match module.symbols[symbol].kind {
        SymbolKind::Alias { .. } | SymbolKind::Ifunc { .. } => true,
        SymbolKind::Function(_) | SymbolKind::Variable(_) | SymbolKind::Missing => false,
    };
    let stood = stands_for(old, symbol);
    let Some(now) = now.filter(|&now| is_defined(new, now) && is_public(new, now)) else {
        // Functions and variables have rows of their own.
        let is_variable = target(old, symbol).is_some_and(|to| matches!(old.symbols[to].kind, SymbolKind::Variable(_)));
        let mut findings = Findings::default();
        findings.add([Evidence::Removed]);
        findings.open(if is_variable { Gap::VariableGone } else { Gap::Gone });
        return stood.then_some(findings);
    };
    let stands = stands_for(new, now);
    let is_equal = stood && stands && changes.old_hashes.own(symbol) == changes.new_hashes.own(now);
    if is_equal || !stood && !stands || !is_defined(old, symbol) {
        return None;
    }
    let name = |module: &Module, symbol: SymbolId, stands: bool| match target(module, symbol).filter(|_| stands) {
        Some(to) => demangle(module.symbol_name(to)),
        None => "something of its own".to_owned(),
    };
    Some(Findings::from(Gap::AliasTarget { old: name(old, symbol, stood), new: name(new, now, stands) }))
}

/// What an alias is another name for, or the function that finds out what it is.
fn target(module: &Module, symbol: SymbolId) -> Option<SymbolId> {
    match module.symbols[symbol].kind {
        SymbolKind::Alias { target: constant, .. } | SymbolKind::Ifunc { resolver: constant, .. } => {
            module.base_symbol(constant)
        }
        _ => None,
    }
}

fn is_defined(module: &Module, symbol: SymbolId) -> bool {
    match module.symbols[symbol].kind {
        SymbolKind::Function(id) => module.functions[id].is_defined(),
        SymbolKind::Variable(id) => module.globals[id].initializer.is_some(),
        SymbolKind::Alias { .. } | SymbolKind::Ifunc { .. } => true,
        SymbolKind::Missing => false,
    }
}

fn is_public(module: &Module, symbol: SymbolId) -> bool {
    others_may_call(&module.symbols[symbol]) && !module.symbol_name(symbol).starts_with("llvm.")
}

/// Whether code outside may use a variable of the source; tables that compilers make come and go with classes.
fn is_exported(module: &Module, id: GlobalId) -> bool {
    let global = &module.globals[id];
    let is_of_source = global.variable.is_some() || module.debug.variables.is_empty();
    global.initializer.is_some() && is_of_source && is_public(module, global.symbol)
}

/// Of each symbol whether a function names it, by itself or in the contents of a variable.
fn used_by_functions(module: &Module) -> Vec<bool> {
    let uses = uses(module);
    let mut used = vec![false; module.symbols.len()];
    let mut todo: Vec<SymbolId> = module.functions.ids().flat_map(|id| function_uses(module, id)).collect();
    while let Some(symbol) = todo.pop() {
        if !std::mem::replace(&mut used[symbol.index()], true) {
            todo.extend(&uses[symbol.index()]);
        }
    }
    used
}
