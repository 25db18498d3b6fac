//! Keys of symbols: what makes two symbols the same one.

use crate::canon::is_defined;
use crate::digest::{Digest, Hasher};
use crate::matching::Matching;
use crate::names::{file_name, stable_name, unit_source};
use ir::id::{Id, SymbolId};
use ir::module::{Module, SymbolKind};
use rustc_hash::{FxHashMap, FxHashSet};

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
    /// Those that are defined all look alike, as they may be renamed ones, but for those of a name that both versions have.
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
    let shared = match strangers {
        Strangers::Distinct => FxHashSet::default(),
        Strangers::Alike => shared_names(old, new, matching),
    };
    let stranger = |module: &Module, symbol: SymbolId, own: Digest, version: &str| {
        if strangers == Strangers::Alike && is_defined(module, symbol) {
            let name = stable_name(module, symbol);
            if shared.contains(&*name) {
                let mut hasher = Hasher::new("one of this name");
                hasher.text(&name);
                return hasher.finish();
            }
            let variable = matches!(module.symbols[symbol].kind, SymbolKind::Variable(_));
            return Hasher::new(if variable { "some variable" } else { "some function" }).finish();
        }
        let mut hasher = Hasher::new(version);
        hasher.digest(own);
        hasher.finish()
    };
    // Twins of which both versions have one are the same whichever they are.
    let old_twins: FxHashSet<Digest> = matching.old_twins.values().copied().collect();
    let new_twins: FxHashSet<Digest> = matching.new_twins.values().copied().collect();
    let in_both = |twin: Option<&Digest>| twin.copied().filter(|t| old_twins.contains(t) && new_twins.contains(t));
    let of_old = |symbol: SymbolId| {
        let own = old_keys[symbol.index()];
        let otherwise = || match matching.new_of(symbol) {
            Some(_) => own,
            None => stranger(old, symbol, own, "old only"),
        };
        in_both(matching.old_twins.get(&symbol)).unwrap_or_else(otherwise)
    };
    let of_new = |symbol: SymbolId| {
        let otherwise = || match matching.old_of(symbol) {
            Some(partner) => old_keys[partner.index()],
            None => stranger(new, symbol, new_keys[symbol.index()], "new only"),
        };
        in_both(matching.new_twins.get(&symbol)).unwrap_or_else(otherwise)
    };
    (old.symbols.ids().map(of_old).collect(), new.symbols.ids().map(of_new).collect())
}

/// Names that symbols without a partner have in both versions.
pub(crate) fn shared_names(old: &Module, new: &Module, matching: &Matching) -> FxHashSet<String> {
    let olds = old.symbols.ids().filter(|symbol| matching.new_of(*symbol).is_none());
    let news = new.symbols.ids().filter(|symbol| matching.old_of(*symbol).is_none());
    let olds: FxHashSet<String> = olds.map(|symbol| stable_name(old, symbol).into_owned()).collect();
    news.map(|symbol| stable_name(new, symbol).into_owned()).filter(|name| olds.contains(name)).collect()
}
