//! Variables that begin with something else than in the old version, or have another size.
//!
//! No instruction says that, so what changed is the line that declares the variable. It is a cause where the wrong outcome
//! depends on a read of bytes that nobody wrote before.

use super::Version;
use super::versions::Versions;
use change::Kind;
use ir::id::SymbolId;
use report::model::Place;
use rustc_hash::{FxHashMap, FxHashSet};

/// Changed variables of both versions, as the program knows them, and where the new version declares them.
pub(super) struct Variables {
    declared: FxHashMap<SymbolId, Place>,
}

impl Variables {
    /// Those that begin with something else, unless the test says what they hold, and those of another size.
    pub(super) fn new(versions: &Versions) -> Variables {
        let mut declared = FxHashMap::default();
        let program = &versions.couple.program;
        for global in versions.changes.globals.iter().filter(|global| global.kind == Kind::Changed) {
            let (Some(old), Some(new), Some((file, line))) = (global.old, global.new, &global.new_line) else {
                continue;
            };
            let Some(both) = versions.couple.variables((&versions.old, old), (&versions.new, new)) else { continue };
            let [old_size, new_size] = both.map(|symbol| program.place(symbol).size);
            if old_size != new_size || program.differing.contains(&program.canonical(both[1])) {
                let place = Place { file: file.clone(), line: *line, column: 0 };
                declared.extend(both.map(|symbol| (symbol, place.clone())));
            }
        }
        Variables { declared }
    }

    /// Where they are declared.
    pub(super) fn places(&self) -> impl Iterator<Item = &Place> {
        self.declared.values()
    }

    /// What they begin with that the wrong outcome of a run depends on: where they are declared, and when that was read.
    pub(super) fn read_by<'v>(&'v self, versions: &Versions, side: &Version) -> Vec<(&'v Place, u32)> {
        if self.declared.is_empty() {
            return Vec::new();
        }
        let slice: FxHashSet<u32> = side.slice.iter().copied().collect();
        let reads = side.run.log.initial.iter().filter(|(event, _)| slice.contains(event));
        let declared = |symbol: SymbolId| self.declared.get(&symbol);
        let found = reads.filter_map(|(event, object)| {
            let place = versions.couple.program.object_symbol(*object).and_then(declared)?;
            Some((place, *event))
        });
        found.collect()
    }
}
