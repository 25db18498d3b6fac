//! Labels for local symbols that share a name: `count@queue.c` is the `count` of the unit `queue.c`.
//!
//! Whoever writes down which variable or function is meant, for a test or for a native run, needs a name that is no other's.

use std::collections::BTreeMap;

use crate::id::{StrId, SymbolId};
use crate::module::Module;

/// Gives each local symbol whose name another symbol has a label of its own. Those that have one keep it.
pub(super) fn label_locals(module: &mut Module) {
    let mut sharing: BTreeMap<StrId, Vec<SymbolId>> = BTreeMap::new();
    for (id, symbol) in module.symbols.iter_ids() {
        sharing.entry(symbol.label.unwrap_or(symbol.name)).or_default().push(id);
    }
    for (name, symbols) in sharing.into_iter().filter(|(_, symbols)| symbols.len() > 1) {
        let is_local = |id: &&SymbolId| module.symbols[**id].linkage.is_local();
        let locals: Vec<SymbolId> = symbols.iter().filter(is_local).copied().collect();
        let source = |id: &SymbolId| module.str(module.units[module.symbols[*id].unit].source);
        let sources: Vec<&str> = locals.iter().map(source).collect();
        let name = module.str(name);
        let labels: Vec<String> = tails(&sources).iter().map(|tail| format!("{name}@{tail}")).collect();
        for (id, label) in locals.into_iter().zip(labels) {
            let label = module.strings.intern_str(&label);
            module.symbols[id].label = Some(label);
        }
    }
}

/// The ends of paths, as short as tells all of them apart; those of the same path are numbered.
fn tails(paths: &[&str]) -> Vec<String> {
    let parts: Vec<Vec<&str>> = paths.iter().map(|path| path.split('/').collect()).collect();
    let longest = parts.iter().map(Vec::len).max().unwrap_or(1);
    let of_length = |length: usize| -> Vec<String> {
        parts.iter().map(|parts| parts[parts.len().saturating_sub(length)..].join("/")).collect()
    };
    let is_unique = |tails: &Vec<String>| tails.iter().enumerate().all(|(at, tail)| !tails[..at].contains(tail));
    let all = (1..=longest).map(of_length).find(is_unique).unwrap_or_else(|| of_length(longest));
    let number = |at: usize| all[..at].iter().filter(|tail| **tail == all[at]).count();
    let numbered = |at: usize| match number(at) {
        0 => all[at].clone(),
        earlier => format!("{}#{}", all[at], earlier + 1),
    };
    (0..all.len()).map(numbered).collect()
}

#[cfg(test)]
mod tests {
    use super::tails;

    #[test]
    fn ends_of_paths_tell_units_apart() {
        assert_eq!(tails(&["/p/a.c", "/p/b.c"]), ["a.c", "b.c"]);
        assert_eq!(tails(&["/p/x/a.c", "/p/y/a.c", "b.c"]), ["x/a.c", "y/a.c", "b.c"]);
        assert_eq!(tails(&["a.c", "a.c"]), ["a.c", "a.c#2"]);
        assert_eq!(tails(&["", ""]), ["", "#2"]);
    }
}
