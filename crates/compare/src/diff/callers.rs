//! Callers of what is proved to be the same.
//!
//! A function whose own code did not change does the same if all that it uses does, for all inputs: then nobody needs to
//! look at its paths (the rule of regression verification, Godlin and Strichman 2009). Functions that call each other and
//! are otherwise like that are the same together.

use change::hashes::{function_uses, uses};
use change::{Changes, Kind};
use explore::pair::PANICS;
use ir::constant::ConstKind;
use ir::id::{ConstId, Id, SymbolId};
use ir::module::{Module, SymbolKind};
use report::diff::{Function, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// What nobody looks at of the mathematical library.
pub const ERRNO: &str = "what mathematical functions leave in errno is not compared";

/// What a row says that is proved without a bound.
pub const ALL_INPUTS: &str = "all inputs";

/// Functions without changes of their own that are the same because all they use is, by position; `rows` has the verdicts
/// on those that changed.
pub fn proved(old: &Module, new: &Module, changes: &Changes, rows: &BTreeMap<usize, Function>) -> BTreeSet<usize> {
    let all = |row: &Function| {
        row.verdict == Verdict::Same
            && row.scope.iter().all(|what| what == ALL_INPUTS || what == PANICS || what == ERRNO)
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

/// Whether anything changed that runs before `main`, or behind it: constructors and destructors of variables.
pub fn before_main_changed(old: &Module, new: &Module, changes: &Changes) -> bool {
    let (olds, news) = (listed(old), listed(new));
    let changed = |function: &change::FunctionChange| {
        let named = |module: &Module, id: Option<ir::id::FuncId>, names: &[String]| {
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

/// Whether a version only declares something.
fn is_elsewhere(module: &Module, symbol: SymbolId) -> bool {
    match module.symbols[symbol].kind {
        SymbolKind::Function(id) => !module.functions[id].is_defined(),
        SymbolKind::Variable(id) => module.globals[id].initializer.is_none(),
        _ => false,
    }
}
