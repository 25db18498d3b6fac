//! Symbols that share their name: instances of a generic function, whose names tell nothing of their types.
//!
//! Many of them do the same and are told apart by nothing, so which of two versions correspond cannot be known and need
//! not be: functions whose address means nothing (`unnamed_addr`) and that do the same *are* the same. They are put into
//! classes by partition refinement: at first by name, then by what they do with what they call known by its class, until
//! no class falls apart any more. Functions of one class then behave the same whatever is done with them.

use crate::body::body;
use crate::canon::Canon;
use crate::digest::{Digest, Hasher};
use crate::form::forms;
use crate::keys::{Strangers, of_pair};
use crate::matching::{Matching, Namesakes, nearest_first};
use crate::names::stable_name;
use ir::id::{FuncId, Id, SymbolId};
use ir::module::{Module, SymbolKind};
use std::collections::{BTreeMap, BTreeSet};

/// Most rounds of refinement; classes that may still fall apart then are not used.
const ROUNDS: usize = 24;

/// Most pairs of namesakes that are compared.
const MOST_PAIRS: usize = 1 << 20;

/// Joins symbols that share their name with others of their unit and have no partner yet: those of one class, then the
/// others in their order.
pub(crate) fn find(old: &Module, new: &Module, namesakes: &[Namesakes], matching: &mut Matching) {
    let (olds, news) = open(namesakes, matching);
    if olds.is_empty() && news.is_empty() {
        return;
    }
    let (old_keys, new_keys) = of_pair(old, new, matching, Strangers::Distinct);
    let mut sides = [Side::new(old, old_keys, &olds), Side::new(new, new_keys, &news)];
    // Both in step, so that classes of two versions have the same digest.
    let stable = (0..ROUNDS).any(|_| !sides.each_mut().map(Side::refine).contains(&true));
    if stable {
        let [old_side, new_side] = sides;
        (matching.old_twins, matching.new_twins) = (old_side.classes, new_side.classes);
    }
    for (olds, news) in namesakes {
        let mut free: BTreeMap<Digest, Vec<SymbolId>> = BTreeMap::new();
        for &symbol in news.iter().rev() {
            matching.new_twins.get(&symbol).into_iter().for_each(|class| free.entry(*class).or_default().push(symbol));
        }
        for &symbol in olds {
            let class = matching.old_twins.get(&symbol).copied();
            if let Some(partner) = class.and_then(|class| free.get_mut(&class)).and_then(Vec::pop) {
                matching.join(symbol, partner);
            }
        }
        let left: Vec<SymbolId> = olds.iter().copied().filter(|s| matching.new_of(*s).is_none()).collect();
        let right: Vec<SymbolId> = news.iter().copied().filter(|s| matching.old_of(*s).is_none()).collect();
        // Very many are not worth comparing each with each.
        if left.len().saturating_mul(right.len()) <= MOST_PAIRS {
            nearest_first(old, new, &left, &right, matching);
        }
    }
}

/// The namesakes of both versions that have no partner.
fn open(namesakes: &[Namesakes], matching: &Matching) -> (BTreeSet<SymbolId>, BTreeSet<SymbolId>) {
    let olds = namesakes.iter().flat_map(|(olds, _)| olds).copied().filter(|s| matching.new_of(*s).is_none());
    let news = namesakes.iter().flat_map(|(_, news)| news).copied().filter(|s| matching.old_of(*s).is_none());
    (olds.collect(), news.collect())
}

/// Functions of one version that share their names and whose addresses mean nothing.
struct Side<'m> {
    module: &'m Module,
    keys: Vec<Digest>,
    classes: BTreeMap<SymbolId, Digest>,
}

impl<'m> Side<'m> {
    fn new(module: &'m Module, keys: Vec<Digest>, open: &BTreeSet<SymbolId>) -> Side<'m> {
        let name = |symbol: SymbolId| {
            let mut hasher = Hasher::new("one of this name");
            hasher.text(&stable_name(module, symbol));
            hasher.finish()
        };
        let is_known = |id: FuncId| module.functions[id].body().all(|(_, _, i)| module.unsupported(&i.kind).is_none());
        let is_member =
            |symbol: &SymbolId| module.symbols[*symbol].unnamed_addr && function(module, *symbol).is_some_and(is_known);
        let classes = open.iter().copied().filter(is_member).map(|symbol| (symbol, name(symbol))).collect();
        Side { module, keys, classes }
    }

    /// Cuts classes by what their members do; whether one fell apart.
    fn refine(&mut self) -> bool {
        let mut keys = self.keys.clone();
        self.classes.iter().for_each(|(symbol, class)| keys[symbol.index()] = *class);
        let canon = Canon::new(self.module, keys, 0);
        let refined = |(symbol, class): (&SymbolId, &Digest)| {
            let id = function(self.module, *symbol)?;
            let mut hasher = Hasher::new("class");
            hasher.digest(*class);
            hasher.digest(body(&canon, id, &forms(&canon, &self.module.functions[id])).digest);
            Some((*symbol, hasher.finish()))
        };
        let refined: BTreeMap<SymbolId, Digest> = self.classes.iter().filter_map(refined).collect();
        let count = |classes: &BTreeMap<SymbolId, Digest>| classes.values().collect::<BTreeSet<_>>().len();
        let fell_apart = count(&refined) > count(&self.classes);
        self.classes = refined;
        fell_apart
    }
}

fn function(module: &Module, symbol: SymbolId) -> Option<FuncId> {
    match module.symbols[symbol].kind {
        SymbolKind::Function(id) if module.functions[id].is_defined() => Some(id),
        _ => None,
    }
}
