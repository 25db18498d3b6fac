//! Variables that begin with something else than in the old version, or have another size.
//!
//! No instruction says that, so what changed is the line that declares the variable. It is a cause where the wrong outcome
//! depends on a read of bytes that nobody wrote before.

use super::Version;
use super::texts::Texts;
use super::versions::Versions;
use ir::id::SymbolId;
use report::explain::Kind;
use report::model::Place;
use rustc_hash::{FxHashMap, FxHashSet};

/// Changed variables of both versions, as the program knows them, and the lines of their declarations that were changed.
pub(super) struct Variables {
    declared: FxHashMap<SymbolId, Vec<(Place, Kind)>>,
}

impl Variables {
    /// Those that begin with something else, unless the test says what they hold, and those of another size.
    pub(super) fn new(versions: &Versions, texts: &Texts) -> Variables {
        let mut declared = FxHashMap::default();
        let program = &versions.couple.program;
        for global in versions.changes.globals.iter().filter(|global| global.kind == change::Kind::Changed) {
            let (Some(old), Some(new), Some(line)) = (global.old, global.new, &global.new_line) else { continue };
            let Some(both) = versions.couple.variables((&versions.old, old), (&versions.new, new)) else { continue };
            let [old_size, new_size] = both.map(|symbol| program.place(symbol).size);
            if old_size != new_size || program.differing.contains(&program.canonical(both[1])) {
                let mut changed = texts.of_declaration(global.old_line.as_ref(), line);
                if changed.is_empty() {
                    changed.push((Place { file: line.0.clone(), line: line.1, column: 0 }, Kind::Changed));
                }
                declared.extend(both.map(|symbol| (symbol, changed.clone())));
            }
        }
        Variables { declared }
    }

    /// What they begin with that the wrong outcome of a run depends on: where they are declared, and when that was read.
    pub(super) fn read_by<'v>(&'v self, versions: &Versions, side: &Version) -> Vec<(&'v (Place, Kind), u32)> {
        if self.declared.is_empty() {
            return Vec::new();
        }
        let slice: FxHashSet<u32> = side.slice.iter().copied().collect();
        let reads = side.run.log.initial.iter().filter(|(event, _)| slice.contains(event));
        let declared = |symbol: SymbolId| self.declared.get(&symbol);
        let found = reads.flat_map(|(event, object)| {
            let places = versions.couple.program.object_symbol(*object).and_then(declared).into_iter().flatten();
            places.map(|place| (place, *event))
        });
        found.collect()
    }
}
