//! Which symbols of two versions are the same: by name, then by what they are.
//!
//! A renaming that maps symbols one to one keeps behaviour, so a wrong guess costs clarity, never soundness.

use crate::canon::{is_defined, is_known_by_contents};
use crate::digest::Digest;
use crate::names::{common_tail, instance, stable_name, unit_source};
use crate::renames;
use crate::twins;
use ir::id::{Id, SymbolId, UnitId};
use ir::module::{Module, SymbolKind};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Partners among the symbols of two versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matching {
    old_to_new: Vec<Option<SymbolId>>,
    new_to_old: Vec<Option<SymbolId>>,
    /// Functions that share their name with others, none of whose addresses mean anything, by what they do.
    pub(crate) old_twins: BTreeMap<SymbolId, Digest>,
    pub(crate) new_twins: BTreeMap<SymbolId, Digest>,
}

impl Matching {
    /// The new version's partner of an old symbol. Constants without a name have none: they are known by their contents.
    pub fn new_of(&self, old: SymbolId) -> Option<SymbolId> {
        self.old_to_new.get(old.index()).copied().flatten()
    }

    /// The old version's partner of a new symbol.
    pub fn old_of(&self, new: SymbolId) -> Option<SymbolId> {
        self.new_to_old.get(new.index()).copied().flatten()
    }

    /// Makes two symbols partners, unless one has a partner.
    pub(crate) fn join(&mut self, old: SymbolId, new: SymbolId) -> bool {
        let free = self.old_to_new[old.index()].is_none() && self.new_to_old[new.index()].is_none();
        if free {
            self.old_to_new[old.index()] = Some(new);
            self.new_to_old[new.index()] = Some(old);
        }
        free
    }
}

/// Finds partners: those that are known, then by name, then among renamed ones.
pub(crate) fn find(old: &Module, new: &Module, known: &[(SymbolId, SymbolId)]) -> Matching {
    let mut matching = Matching {
        old_to_new: vec![None; old.symbols.len()],
        new_to_old: vec![None; new.symbols.len()],
        old_twins: BTreeMap::new(),
        new_twins: BTreeMap::new(),
    };
    for &(old, new) in known {
        matching.join(old, new);
    }
    let namesakes = by_name(old, new, &mut matching);
    renames::find(old, new, &mut matching);
    twins::find(old, new, &namesakes, &mut matching);
    matching
}

/// A symbol's kind, as far as symbols of different kinds are never the same.
pub(crate) fn kind(module: &Module, symbol: SymbolId) -> u8 {
    match module.symbols[symbol].kind {
        SymbolKind::Function(_) => 0,
        SymbolKind::Variable(_) => 1,
        SymbolKind::Alias { .. } | SymbolKind::Ifunc { .. } => 2,
        SymbolKind::Missing => 3,
    }
}

/// Symbols of one name and kind.
type Groups<'m> = BTreeMap<(u8, Cow<'m, str>), Vec<SymbolId>>;

/// Symbols of one name in both versions, several of which share a unit: instances of a generic function.
pub(crate) type Namesakes = (Vec<SymbolId>, Vec<SymbolId>);

fn by_name(old: &Module, new: &Module, matching: &mut Matching) -> Vec<Namesakes> {
    // Symbols as the linker sees them, where no two units have one of the name.
    let mut news = groups(new, exact_name);
    for (name, olds) in groups(old, exact_name) {
        if let ([old], Some([new])) = (&olds[..], news.get(&name).map(|news| &news[..])) {
            matching.join(*old, *new);
        }
    }
    let mut namesakes = Vec::new();
    news = groups(new, stable_name);
    news.values_mut().for_each(|news| news.retain(|symbol| matching.old_of(*symbol).is_none()));
    for (name, mut olds) in groups(old, stable_name) {
        olds.retain(|symbol| matching.new_of(*symbol).is_none());
        let Some(news) = news.remove(&name).filter(|news| !news.is_empty() && !olds.is_empty()) else { continue };
        if let ([old], [new]) = (&olds[..], &news[..]) {
            matching.join(*old, *new);
            continue;
        }
        same_instances(old, new, &olds, &news, matching);
        if share_a_unit(old, &olds) || share_a_unit(new, &news) {
            namesakes.push((olds, news));
        } else {
            nearest_first(old, new, &olds, &news, matching);
        }
    }
    namesakes
}

fn exact_name(module: &Module, symbol: SymbolId) -> Cow<'_, str> {
    Cow::Borrowed(module.symbol_name(symbol))
}

/// Joins instances of a generic function for the same types, where there is one each.
fn same_instances(old: &Module, new: &Module, olds: &[SymbolId], news: &[SymbolId], matching: &mut Matching) {
    let mut instances: BTreeMap<String, (Vec<SymbolId>, Vec<SymbolId>)> = BTreeMap::new();
    for &symbol in olds {
        instance(old, symbol).into_iter().for_each(|name| instances.entry(name).or_default().0.push(symbol));
    }
    for &symbol in news {
        instance(new, symbol).into_iter().for_each(|name| instances.entry(name).or_default().1.push(symbol));
    }
    for (olds, news) in instances.values() {
        if let ([old], [new]) = (&olds[..], &news[..]) {
            matching.join(*old, *new);
        }
    }
}

fn share_a_unit(module: &Module, symbols: &[SymbolId]) -> bool {
    let mut units: Vec<_> = symbols.iter().map(|symbol| module.symbols[*symbol].unit).collect();
    units.sort_unstable();
    units.windows(2).any(|pair| pair[0] == pair[1])
}

/// Joins symbols of one name: the more two units define that others see, and then the closer their paths, the likelier they
/// are the same. Instances for other types are others.
pub(crate) fn nearest_first(old: &Module, new: &Module, olds: &[SymbolId], news: &[SymbolId], matching: &mut Matching) {
    let mut pairs = Vec::new();
    let shared = shared_exports(old, new, olds, matching);
    let [old_instances, new_instances] = [(old, olds), (new, news)]
        .map(|(module, symbols)| symbols.iter().map(|symbol| instance(module, *symbol)).collect::<Vec<_>>());
    for (i, &left) in olds.iter().enumerate() {
        for (j, &right) in news.iter().enumerate() {
            if let (Some(a), Some(b)) = (&old_instances[i], &new_instances[j])
                && a != b
            {
                continue;
            }
            let path = common_tail(unit_source(old, left), unit_source(new, right));
            let defined = is_defined(old, left) == is_defined(new, right);
            let local = old.symbols[left].linkage.is_local() == new.symbols[right].linkage.is_local();
            let units = (old.symbols[left].unit, new.symbols[right].unit);
            let exports = shared.get(&units).copied().unwrap_or(0);
            pairs.push(((!local, !defined, usize::MAX - exports, usize::MAX - path, i.abs_diff(j), i), left, right));
        }
    }
    pairs.sort_unstable();
    for (_, left, right) in pairs {
        matching.join(left, right);
    }
}

/// How many symbols that others see two units both define, for units that have one of some symbols. A unit may have moved, and
/// another one may have come in its place.
fn shared_exports(
    old: &Module,
    new: &Module,
    olds: &[SymbolId],
    matching: &Matching,
) -> BTreeMap<(UnitId, UnitId), usize> {
    let units: BTreeSet<UnitId> = olds.iter().map(|symbol| old.symbols[*symbol].unit).collect();
    let mut shared = BTreeMap::new();
    for (id, symbol) in old.symbols.iter_ids() {
        let is_export =
            |module: &Module, id: SymbolId| is_defined(module, id) && !module.symbols[id].linkage.is_local();
        if units.contains(&symbol.unit)
            && is_export(old, id)
            && let Some(there) = matching.new_of(id).filter(|&there| is_export(new, there))
        {
            *shared.entry((symbol.unit, new.symbols[there].unit)).or_default() += 1;
        }
    }
    shared
}

fn groups<'m>(module: &'m Module, name: impl Fn(&'m Module, SymbolId) -> Cow<'m, str>) -> Groups<'m> {
    let mut groups = Groups::new();
    for symbol in module.symbols.ids().filter(|symbol| !is_known_by_contents(module, *symbol)) {
        groups.entry((kind(module, symbol), name(module, symbol))).or_default().push(symbol);
    }
    groups
}
