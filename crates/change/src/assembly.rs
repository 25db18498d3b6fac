//! Module-level assembly: text that only an assembler understands.
//!
//! Assembly may define what code names and no unit defines. Where both versions have the same text, that is the same thing in
//! both; where they do not, nothing is known of it, nor of anything that gets to it.

use crate::hashes::uses;
use ir::id::{Id, SymbolId};
use ir::module::{Module, SymbolKind};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Symbols of each version that get, by themselves or by what they use, to something that changed assembly may define: with its
/// name. Nothing if both versions have the same assembly.
pub fn behind_changed_assembly(old: &Module, new: &Module) -> [BTreeMap<SymbolId, String>; 2] {
    let [of_old, of_new] = [old, new].map(text);
    if of_old == of_new {
        return [BTreeMap::new(), BTreeMap::new()];
    }
    let named: FxHashSet<&str> = words(&of_old).chain(words(&of_new)).collect();
    [old, new].map(|module| reaching(module, &named))
}

fn text(module: &Module) -> String {
    module.assembly.iter().map(|&line| module.str(line)).collect::<Vec<_>>().join("\n")
}

/// What may be a name. Names may have a version behind an `@`, and some systems put a `_` in front of those of C.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.' | '$'));
    words.filter(|word| !word.is_empty()).flat_map(|word| [Some(word), word.strip_prefix('_')].into_iter().flatten())
}

/// All that gets to something without a definition that has one of some names.
fn reaching(module: &Module, named: &FxHashSet<&str>) -> BTreeMap<SymbolId, String> {
    let is_elsewhere = |symbol: &SymbolId| match module.symbols[*symbol].kind {
        SymbolKind::Function(id) => !module.functions[id].is_defined(),
        SymbolKind::Variable(id) => module.globals[id].initializer.is_none(),
        SymbolKind::Missing => true,
        SymbolKind::Alias { .. } | SymbolKind::Ifunc { .. } => false,
    };
    // A name that stands for itself begins with this byte.
    let name = |symbol: SymbolId| module.symbol_name(symbol).trim_start_matches('\u{1}');
    let starts: Vec<SymbolId> =
        module.symbols.ids().filter(|symbol| is_elsewhere(symbol) && named.contains(name(*symbol))).collect();
    if starts.is_empty() {
        return BTreeMap::new();
    }
    let mut users: Vec<Vec<SymbolId>> = vec![Vec::new(); module.symbols.len()];
    for (user, used) in module.symbols.ids().zip(uses(module)) {
        used.into_iter().for_each(|symbol| users[symbol.index()].push(user));
    }
    let mut found: BTreeMap<SymbolId, String> = BTreeMap::new();
    for start in starts {
        let mut todo = vec![start];
        while let Some(symbol) = todo.pop() {
            if let Entry::Vacant(place) = found.entry(symbol) {
                place.insert(name(start).to_owned());
                todo.extend(&users[symbol.index()]);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_assembly_are_words() {
        let found: Vec<&str> = words(".globl zz\n_y@V1: .long 1").collect();
        assert_eq!(found, [".globl", "zz", "_y", "y", "V1", ".long", "1"]);
    }
}
