//! What runs before `main`, and behind it, in order, and what of that is not the same in both versions.
//!
//! The loader goes through lists of functions. One that only calls others without arguments, as compilers of C++ make them for a
//! unit, is the list of these. An entry is not the same if its code changed, if only one version has it, or if it comes on the
//! other side of one with which it shares memory. Whatever it may write may hold something else afterwards, and so may what a
//! later entry writes that reads it.

use analysis::externals::externals;
use change::hashes::{function_uses, list_around_main, uses};
use change::{Changes, symbols_of_constant};
use ir::constant::ConstKind;
use ir::id::{ConstId, FuncId, Id, SymbolId};
use ir::inst::{Callee, InstKind, Value};
use ir::module::{Module, SymbolKind};
use std::collections::{BTreeMap, BTreeSet};

/// The list that counts down.
const BEHIND_MAIN: usize = 1;

/// Most entries of which it is asked which of them share memory; more of them are assumed to share it.
const MOST_MOVED: usize = 400;

/// Symbols of functions that are called without anything being given to them, where the loader finds them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    /// The list, and its order in it.
    rank: (usize, u128),
    symbol: SymbolId,
}

/// What is not the same of all that runs then.
#[derive(Debug, Default)]
pub struct Start {
    /// Whether anything is not.
    pub differs: bool,
    /// Variables of the new version that may hold something else afterwards.
    pub variables: BTreeSet<SymbolId>,
    /// Functions of the new version that run then, as far as that is known.
    pub functions: BTreeSet<SymbolId>,
}

/// Whether a version runs anything before `main`, or behind it.
pub fn runs_before_main(module: &Module) -> bool {
    lists(module).next().is_some()
}

/// Compares what both versions run before `main` and behind it.
pub fn compare(old: &Module, new: &Module, changes: &Changes) -> Start {
    let (olds, news) = (entries(old), entries(new));
    let identity = |entry: &Entry| changes.matching.new_of(entry.symbol);
    let sequence: Vec<((usize, u128), Option<SymbolId>)> =
        olds.iter().map(|entry| (entry.rank, identity(entry))).collect();
    let mut differs = sequence != news.iter().map(|entry| (entry.rank, Some(entry.symbol))).collect::<Vec<_>>();
    let not_same = |module: &Module, id: &dyn Fn(&change::FunctionChange) -> Option<FuncId>| -> BTreeSet<SymbolId> {
        let changed = changes.functions.iter().filter(|function| !function.same);
        changed.filter_map(|function| Some(module.functions[id(function)?].symbol)).collect()
    };
    let changed = [not_same(old, &|function| function.old), not_same(new, &|function| function.new)];
    let mut suspects = [&olds, &news].map(|all| vec![false; all.len()]);
    let all = [&olds, &news];
    for side in 0..2 {
        for (at, entry) in all[side].iter().enumerate() {
            suspects[side][at] = changed[side].contains(&entry.symbol);
        }
    }
    // Entries that both versions have, in the order of the old one, with their places.
    let mut free: BTreeMap<SymbolId, Vec<usize>> = BTreeMap::new();
    for (at, entry) in news.iter().enumerate().rev() {
        free.entry(entry.symbol).or_default().push(at);
    }
    let mut common: Vec<(usize, usize)> = Vec::new();
    for (at, entry) in olds.iter().enumerate() {
        match identity(entry).and_then(|symbol| free.get_mut(&symbol)?.pop()) {
            Some(place) => common.push((at, place)),
            None => suspects[0][at] = true,
        }
    }
    free.into_values().flatten().for_each(|place| suspects[1][place] = true);
    let moved = out_of_order(&common);
    if !differs && !suspects.iter().flatten().any(|suspect| *suspect) {
        return Start::default();
    }
    differs = true;
    let runs = [Runs::new(old), Runs::new(new)];
    let reaches: [Vec<Reach>; 2] =
        [0, 1].map(|side: usize| all[side].iter().map(|entry| runs[side].reach(entry.symbol)).collect());
    for (index, &(old_a, new_a)) in moved.iter().enumerate() {
        for &(old_b, new_b) in &moved[index + 1..] {
            let is_swapped = (old_a < old_b) != (new_a < new_b);
            let share = |side: usize, a: usize, b: usize| reaches[side][a].meets(&reaches[side][b]);
            if is_swapped && (moved.len() > MOST_MOVED || share(0, old_a, old_b) || share(1, new_a, new_b)) {
                [old_a, old_b].into_iter().for_each(|at| suspects[0][at] = true);
                [new_a, new_b].into_iter().for_each(|at| suspects[1][at] = true);
            }
        }
    }
    let written = |side: usize| {
        let mut written: BTreeSet<SymbolId> = BTreeSet::new();
        for (reach, suspect) in reaches[side].iter().zip(&suspects[side]) {
            if *suspect || !reach.used.is_disjoint(&written) {
                written.extend(&reach.written);
            }
        }
        written
    };
    let mut variables: BTreeSet<SymbolId> =
        written(0).into_iter().filter_map(|symbol| changes.matching.new_of(symbol)).collect();
    variables.extend(written(1));
    let functions = reaches[1].iter().flat_map(|reach| &reach.functions).copied().collect();
    Start { differs, variables, functions }
}

/// Of pairs of places, ascending in the first one, those that have another one on their other side in the second one.
fn out_of_order(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut least_behind = vec![usize::MAX; pairs.len() + 1];
    for (at, &(_, place)) in pairs.iter().enumerate().rev() {
        least_behind[at] = least_behind[at + 1].min(place);
    }
    let mut most_before = None;
    let mut found = Vec::new();
    for (at, &pair) in pairs.iter().enumerate() {
        if most_before > Some(pair.1) || least_behind[at + 1] < pair.1 {
            found.push(pair);
        }
        most_before = most_before.max(Some(pair.1));
    }
    found
}

/// Lists of what runs then: their rank and their contents.
fn lists(module: &Module) -> impl Iterator<Item = (usize, ConstId)> + '_ {
    let globals = module.globals.iter();
    globals.filter_map(|global| Some((list_around_main(module, global.symbol)?, global.initializer?)))
}

/// What runs then, in order.
fn entries(module: &Module) -> Vec<Entry> {
    let mut found = Vec::new();
    for (rank, list) in lists(module) {
        let parts = match &module.consts[list].kind {
            ConstKind::Aggregate(parts) => parts.to_vec(),
            _ => vec![list],
        };
        for part in parts {
            let (priority, function) = match &module.consts[part].kind {
                ConstKind::Aggregate(fields) => match (fields.first(), fields.get(1)) {
                    (Some(&priority), Some(&function)) => (Some(priority), function),
                    _ => continue,
                },
                _ => (None, part),
            };
            let priority = match priority.map(|priority| &module.consts[priority].kind) {
                Some(ConstKind::Int(priority)) => *priority,
                _ => 0,
            };
            let mut symbols = Vec::new();
            symbols_of_constant(module, function, &mut symbols);
            let listed = symbols.into_iter().map(|symbol| Entry { rank: (rank, priority), symbol });
            found.extend(listed);
        }
    }
    // What is destroyed first was built last.
    let order = |entry: &Entry| match entry.rank {
        (BEHIND_MAIN, priority) => (BEHIND_MAIN, u128::MAX - priority),
        rank => rank,
    };
    found.sort_by_key(order);
    let flat = found
        .iter()
        .flat_map(|entry| flattened(module, entry.symbol).into_iter().map(|symbol| Entry { rank: entry.rank, symbol }));
    flat.collect()
}

/// The functions that one calls that does nothing else, in order; itself if it does.
fn flattened(module: &Module, symbol: SymbolId) -> Vec<SymbolId> {
    let (mut found, mut todo, mut open) = (Vec::new(), vec![symbol], BTreeSet::new());
    while let Some(symbol) = todo.pop() {
        match only_calls(module, symbol) {
            Some(callees) if open.insert(symbol) => todo.extend(callees.into_iter().rev()),
            _ => found.push(symbol),
        }
    }
    found
}

/// The functions that one calls, each without arguments, if it does nothing else.
fn only_calls(module: &Module, symbol: SymbolId) -> Option<Vec<SymbolId>> {
    let SymbolKind::Function(id) = module.symbols[symbol].kind else { return None };
    let function = &module.functions[id];
    if function.blocks.len() != 1 || !function.params.is_empty() {
        return None;
    }
    let mut callees = Vec::new();
    for (_, _, inst) in function.body() {
        match &inst.kind {
            InstKind::Marker(_) | InstKind::Ret(None) => {}
            InstKind::Call(call) if call.args.is_empty() && call.bundles.is_empty() => {
                let callee = module.called_function(&inst.kind).filter(|&callee| module.functions[callee].is_defined());
                callees.push(module.functions[callee?].symbol);
            }
            _ => return None,
        }
    }
    (!callees.is_empty()).then_some(callees)
}

/// What an entry may get to.
#[derive(Debug, Default)]
struct Reach {
    /// Variables of the program that it may read or write.
    used: BTreeSet<SymbolId>,
    /// Those that it may write.
    written: BTreeSet<SymbolId>,
    /// Whether it calls functions outside that may have memory of their own.
    outside: bool,
    /// Functions that it may call.
    functions: BTreeSet<SymbolId>,
}

impl Reach {
    /// Whether the order of both may matter.
    fn meets(&self, other: &Reach) -> bool {
        self.outside && other.outside
            || !self.written.is_disjoint(&other.used)
            || !self.used.is_disjoint(&other.written)
    }
}

/// The functions of a version, as something runs them.
struct Runs<'m> {
    module: &'m Module,
    uses: Vec<Vec<SymbolId>>,
    /// Of each function whether it has no code, and may have memory of its own.
    outside: BTreeSet<FuncId>,
}

impl<'m> Runs<'m> {
    fn new(module: &'m Module) -> Runs<'m> {
        // That destructors are registered, in which order ever, changes no variable.
        let registers = |name: &str| matches!(name, "__cxa_atexit" | "atexit" | "__cxa_thread_atexit");
        let known = externals(module);
        let is_outside = |id: &FuncId| {
            let is_quiet = known[*id].as_ref().is_some_and(|known| !known.world.reads && !known.world.writes);
            !module.functions[*id].is_defined() && !is_quiet && !registers(module.function_name(*id))
        };
        Runs { module, uses: uses(module), outside: module.functions.ids().filter(is_outside).collect() }
    }

    fn reach(&self, entry: SymbolId) -> Reach {
        let module = self.module;
        let mut reach = Reach::default();
        let (mut todo, mut seen) = (vec![entry], BTreeSet::new());
        // Once something is called that has no name, whatever is named may be called.
        let mut anything = false;
        let mut functions: Vec<FuncId> = Vec::new();
        loop {
            while let Some(symbol) = todo.pop() {
                if !seen.insert(symbol) {
                    continue;
                }
                match module.symbols[symbol].kind {
                    SymbolKind::Function(id) => {
                        reach.outside |= self.outside.contains(&id);
                        reach.functions.insert(symbol);
                        functions.push(id);
                        anything |= self.function(id, &mut reach, &mut todo);
                    }
                    SymbolKind::Alias { .. } | SymbolKind::Ifunc { .. } => todo.extend(&self.uses[symbol.index()]),
                    SymbolKind::Variable(_) | SymbolKind::Missing => {}
                }
            }
            if !anything {
                break;
            }
            let named = functions.drain(..).flat_map(|id| function_uses(module, id));
            todo = self.with_contents(named).into_iter().filter(|symbol| !seen.contains(symbol)).collect();
            if todo.is_empty() {
                break;
            }
        }
        // What a variable points to may be got at through it.
        let behind =
            self.with_contents(reach.used.iter().copied()).into_iter().filter(|&symbol| self.is_variable(symbol));
        let behind: Vec<SymbolId> = behind.filter(|symbol| !reach.used.contains(symbol)).collect();
        reach.used.extend(&behind);
        reach.written.extend(behind);
        let is_own = |symbol: &SymbolId| self.is_variable(*symbol);
        reach.used.retain(is_own);
        reach.written.retain(is_own);
        reach
    }

    /// Notes what a function does by itself, and whom it calls; whether it calls something that has no name.
    fn function(&self, id: FuncId, reach: &mut Reach, todo: &mut Vec<SymbolId>) -> bool {
        let module = self.module;
        let mut anything = false;
        for (_, _, inst) in module.functions[id].body() {
            let mut named = Vec::new();
            let mut read = None;
            match &inst.kind {
                InstKind::Marker(_) => continue,
                InstKind::Load { ptr: Value::Const(address), .. } => read = module.base_symbol(*address),
                kind => {
                    kind.for_each_operand(|value| {
                        if let Value::Const(constant) = value {
                            symbols_of_constant(module, constant, &mut named);
                        }
                    });
                    if let Some(call) = kind.call() {
                        let is_named = module.called_function(kind).is_some();
                        anything |= !is_named || matches!(call.callee, Callee::Asm(_));
                    }
                }
            }
            reach.used.extend(read);
            for symbol in named {
                match module.symbols[symbol].kind {
                    // What is called, or may be called back.
                    SymbolKind::Function(_) if inst.kind.call().is_some() => todo.push(symbol),
                    SymbolKind::Function(_) => {}
                    SymbolKind::Alias { .. } | SymbolKind::Ifunc { .. } => todo.push(symbol),
                    SymbolKind::Variable(_) | SymbolKind::Missing => {
                        reach.used.insert(symbol);
                        reach.written.insert(symbol);
                    }
                }
            }
        }
        anything
    }

    /// Symbols, and those in the contents of variables among them.
    fn with_contents(&self, symbols: impl Iterator<Item = SymbolId>) -> BTreeSet<SymbolId> {
        let (mut found, mut todo) = (BTreeSet::new(), symbols.collect::<Vec<_>>());
        while let Some(symbol) = todo.pop() {
            if found.insert(symbol) && !matches!(self.module.symbols[symbol].kind, SymbolKind::Function(_)) {
                todo.extend(&self.uses[symbol.index()]);
            }
        }
        found
    }

    /// Whether it is a variable of the program that can be written.
    fn is_variable(&self, symbol: SymbolId) -> bool {
        match self.module.symbols[symbol].kind {
            SymbolKind::Variable(id) => {
                let global = &self.module.globals[id];
                global.initializer.is_some() && !global.constant
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_sides_is_out_of_order() {
        let check = |places: &[usize], expect: &[usize]| {
            let pairs: Vec<(usize, usize)> = places.iter().copied().enumerate().collect();
            let found: Vec<usize> = out_of_order(&pairs).into_iter().map(|(_, place)| place).collect();
            assert_eq!(found, expect, "{places:?}");
        };
        check(&[], &[]);
        check(&[0, 2, 5], &[]);
        check(&[0, 2, 1, 3], &[2, 1]);
        check(&[3, 0, 1, 4], &[3, 0, 1]);
    }
}
