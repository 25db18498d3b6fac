//! Keys of symbols: what makes two symbols the same one.

use crate::canon::is_defined;
use crate::digest::{Digest, Hasher};
use crate::matching::Matching;
use crate::names::{file_name, stable_name, unit_source};
use ir::id::{Id, SymbolId};
use ir::module::{Module, SymbolKind};
use rustc_hash::FxHashMap;

/// Keys made of names: those of other units' symbols of the name alone, those of a unit's own symbols of its file too.
/// Symbols that share all that are counted.
pub(crate) fn standard(module: &Module) -> Vec<Digest> {
    let mut counts: FxHashMap<Digest, u64> = FxHashMap::default();
    let key = |symbol: SymbolId| {
        let mut hasher = Hasher::new("symbol");
        hasher.text(&stable_name(module, symbol));
        if module.symbols[symbol].linkage.is_local() {
            hasher.text(file_name(unit_source(module, symbol)));
        }
        let count = counts.entry(hasher.clone().finish()).or_default();
        hasher.word(*count);
        *count += 1;
        hasher.finish()
    };
    module.symbols.ids().map(key).collect()
}

/// Which symbols that have no partner are told apart.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Strangers {
    /// Each is itself: nothing of the other version is the same.
    Distinct,
    /// Those that are defined all look alike, as they may be renamed ones.
    Alike,
}

/// Keys of two versions under which partners, and only they, are the same.
pub(crate) fn of_pair(
    old: &Module,
    new: &Module,
    matching: &Matching,
    strangers: Strangers,
) -> (Vec<Digest>, Vec<Digest>) {
    let (old_keys, new_keys) = (standard(old), standard(new));
    let stranger = |module: &Module, symbol: SymbolId, own: Digest, version: &str| {
        if strangers == Strangers::Alike && is_defined(module, symbol) {
            let variable = matches!(module.symbols[symbol].kind, SymbolKind::Variable(_));
            return Hasher::new(if variable { "some variable" } else { "some function" }).finish();
        }
        let mut hasher = Hasher::new(version);
        hasher.digest(own);
        hasher.finish()
    };
    let of_old = |symbol: SymbolId| match matching.new_of(symbol) {
        Some(_) => old_keys[symbol.index()],
        None => stranger(old, symbol, old_keys[symbol.index()], "old only"),
    };
    let of_new = |symbol: SymbolId| match matching.old_of(symbol) {
        Some(partner) => old_keys[partner.index()],
        None => stranger(new, symbol, new_keys[symbol.index()], "new only"),
    };
    (old.symbols.ids().map(of_old).collect(), new.symbols.ids().map(of_new).collect())
}
