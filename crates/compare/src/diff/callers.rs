//! Callers of what is proved to be the same.
//!
//! A function whose own code did not change does the same if all that it uses does, for all inputs: then nobody needs to
//! look at its paths (the rule of regression verification, Godlin and Strichman 2009). Functions that call each other and
//! are otherwise like that are the same together.

use super::machine::{STACK, THREADS};
use super::startup::{Built, before_main_changed};
use change::hashes::{function_uses, uses};
use change::{Changes, Kind};
use exec::scope::PANICS;
use ir::id::{Id, SymbolId};
use ir::module::{Module, SymbolKind};
use report::diff::{Function, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// What nobody looks at of the mathematical library.
pub const ERRNO: &str = "what mathematical functions leave in errno is not compared";

/// What a row says that is proved without a bound.
pub const ALL_INPUTS: &str = "all inputs";

/// Functions without changes of their own that are the same because all they use is, by position; `rows` has the verdicts
/// on those that changed.
pub fn proved(
    old: &Module,
    new: &Module,
    changes: &Changes,
    built: &Built,
    rows: &BTreeMap<usize, Function>,
) -> BTreeSet<usize> {
    // What is taken for granted of the machine, callers take for granted too.
    let unbounded = [ALL_INPUTS, PANICS, ERRNO, STACK, THREADS];
    let all = |row: &Function| {
        row.verdict == Verdict::Same && row.scope.iter().all(|what| unbounded.contains(&what.as_str()))
    };
    let proved_itself = |index: &usize| changes.functions[*index].same || rows.get(index).is_some_and(all);
    let functions = (0..changes.functions.len())
        .filter_map(|index| Some((new.functions[changes.functions[index].new?].symbol, index)));
    let by_symbol: BTreeMap<SymbolId, usize> = functions.collect();
    let changed_globals: BTreeSet<SymbolId> = changes
        .globals
        .iter()
        .filter(|global| !global.same)
        .filter_map(|global| Some(new.globals[global.new?].symbol))
        .chain(built.variables.iter().copied())
        .collect();
    // Constants that nobody could know by a name are what they hold.
    let matched: BTreeSet<SymbolId> =
        changes.globals.iter().filter_map(|global| Some(new.globals[global.new?].symbol)).collect();
    let is_nameless = |symbol: SymbolId| {
        matches!(new.symbols[symbol].kind, SymbolKind::Variable(_))
            && !matched.contains(&symbol)
            && !is_elsewhere(new, symbol)
    };
    let uses = uses(new);
    let elsewhere: BTreeSet<&str> =
        old.symbols.ids().filter(|id| is_elsewhere(old, *id)).map(|id| old.symbol_name(id)).collect();
    let starts_differently = before_main_changed(old, new, changes);
    let is_candidate = |index: &usize| {
        let function = &changes.functions[*index];
        if starts_differently && function.name == "main" {
            return false;
        }
        function.kind == Kind::Unchanged && !function.same && function.old.is_some() && !function.signature_changed
    };
    let mut candidates: BTreeSet<usize> = (0..changes.functions.len()).filter(is_candidate).collect();
    loop {
        let holds = |index: &usize| {
            let Some(id) = changes.functions[*index].new else { return false };
            let used = with_contents(&uses, function_uses(new, id), &is_nameless);
            used.iter().all(|symbol| match by_symbol.get(symbol) {
                Some(used) => proved_itself(used) || candidates.contains(used),
                None if is_elsewhere(new, *symbol) => elsewhere.contains(new.symbol_name(*symbol)),
                None => {
                    let is_variable = matches!(new.symbols[*symbol].kind, SymbolKind::Variable(_));
                    is_variable && !changed_globals.contains(symbol)
                }
            })
        };
        let rest: BTreeSet<usize> = candidates.iter().copied().filter(holds).collect();
        if rest.len() == candidates.len() {
            return rest;
        }
        candidates = rest;
    }
}

/// Symbols, and those in the contents of some of them.
fn with_contents(
    uses: &[Vec<SymbolId>],
    symbols: Vec<SymbolId>,
    are_opened: &dyn Fn(SymbolId) -> bool,
) -> BTreeSet<SymbolId> {
    let mut found = BTreeSet::new();
    let mut todo = symbols;
    while let Some(symbol) = todo.pop() {
        if found.insert(symbol) && are_opened(symbol) {
            todo.extend(uses.get(symbol.index()).into_iter().flatten());
        }
    }
    found
}

/// Whether a version only declares something.
fn is_elsewhere(module: &Module, symbol: SymbolId) -> bool {
    match module.symbols[symbol].kind {
        SymbolKind::Function(id) => !module.functions[id].is_defined(),
        SymbolKind::Variable(id) => module.globals[id].initializer.is_none(),
        _ => false,
    }
}
