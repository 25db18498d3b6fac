//! Decides which symbols of different units are the same, and whose definition counts.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::LinkError;
use super::remap::Maps;
use crate::id::{Id, StrId, SymbolId};
use crate::inst::Align;
use crate::module::{Linkage, Module, Symbol, SymbolKind, Visibility};

/// What became of the symbols.
pub(super) struct Resolution {
    /// For each module the new id of each of its symbols.
    pub ids: Vec<Vec<SymbolId>>,
    /// Where each new symbol's definition is taken from.
    pub chosen: Vec<Chosen>,
}

/// The declaration or definition that counts, with what others of its name add.
pub(super) struct Chosen {
    /// Number of its module.
    pub module: usize,
    /// Its symbol there.
    pub symbol: SymbolId,
    /// Linkage.
    pub linkage: Linkage,
    /// The strictest visibility of all.
    pub visibility: Visibility,
    /// Whether the address matters to nobody.
    pub unnamed_addr: bool,
    /// Alignment that all tentative definitions together need.
    pub align: Option<Align>,
}

impl Resolution {
    /// Whether the symbol's definition in that module is the one that counts.
    pub fn counts(&self, module: usize, symbol: SymbolId) -> bool {
        let chosen = &self.chosen[self.ids[module][symbol.index()].index()];
        chosen.module == module && chosen.symbol == symbol
    }
}

/// Decides for all symbols of all modules.
pub(super) fn resolve(target: &Module, modules: &[Module], maps: &[Maps]) -> Result<Resolution, LinkError> {
    let mut by_name: FxHashMap<StrId, usize> = FxHashMap::default();
    let mut chosen: Vec<Chosen> = Vec::new();
    let mut ids = Vec::with_capacity(modules.len());
    for (number, module) in modules.iter().enumerate() {
        let mut module_ids = Vec::with_capacity(module.symbols.len());
        for (id, symbol) in module.symbols.iter_ids() {
            let new = Chosen {
                module: number,
                symbol: id,
                linkage: symbol.linkage,
                visibility: symbol.visibility,
                unnamed_addr: symbol.unnamed_addr,
                align: tentative_align(module, symbol),
            };
            let place = chosen.len();
            let place = match by_name.entry(maps[number].str(symbol.name)) {
                _ if symbol.linkage.is_local() => place,
                Entry::Vacant(entry) => *entry.insert(place),
                Entry::Occupied(entry) => *entry.get(),
            };
            match chosen.get_mut(place) {
                Some(old) => combine(target, modules, maps, old, new)?,
                None => chosen.push(new),
            }
            module_ids.push(SymbolId::from_index(place));
        }
        ids.push(module_ids);
    }
    Ok(Resolution { ids, chosen })
}

/// How much a symbol says of what its name stands for; of two, the greater counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Missing,
    WeakDeclaration,
    Declaration,
    /// A copy of a definition elsewhere.
    Copy,
    /// One of several copies, or a definition that may be replaced.
    Weak,
    Tentative,
    Definition,
}

fn strength(module: &Module, symbol: &Symbol) -> Strength {
    let defined = match symbol.kind {
        SymbolKind::Function(id) => module.functions[id].is_defined(),
        SymbolKind::Variable(id) => module.globals[id].initializer.is_some(),
        SymbolKind::Alias { .. } | SymbolKind::Ifunc { .. } => true,
        SymbolKind::Missing => return Strength::Missing,
    };
    match symbol.linkage {
        Linkage::ExternWeak => Strength::WeakDeclaration,
        _ if !defined => Strength::Declaration,
        Linkage::AvailableExternally => Strength::Copy,
        Linkage::LinkOnce | Linkage::LinkOnceOdr | Linkage::Weak | Linkage::WeakOdr => Strength::Weak,
        Linkage::Common => Strength::Tentative,
        Linkage::External | Linkage::Private | Linkage::Internal | Linkage::Appending => Strength::Definition,
    }
}

/// Lets `new` take the place of `old` if it counts more, and fails if both define the name.
fn combine(target: &Module, modules: &[Module], maps: &[Maps], old: &mut Chosen, new: Chosen) -> Result<(), LinkError> {
    let symbol = |chosen: &Chosen| &modules[chosen.module].symbols[chosen.symbol];
    let strength = |chosen: &Chosen| strength(&modules[chosen.module], symbol(chosen));
    let comdat = |chosen: &Chosen| symbol(chosen).comdat.map(|name| maps[chosen.module].str(name));
    let wins = match (strength(old), strength(&new)) {
        (Strength::Definition, Strength::Definition) => {
            let appended = old.linkage == Linkage::Appending && new.linkage == Linkage::Appending;
            // Of a comdat group one copy is taken, whatever the linkage of its members.
            let copies = comdat(old).is_some() && comdat(old) == comdat(&new);
            if !appended && !copies {
                let unit = |chosen: &Chosen| {
                    let unit = maps[chosen.module].unit(symbol(chosen).unit);
                    target.str(target.units[unit].source).to_string()
                };
                let name = modules[new.module].symbol_name(new.symbol).to_string();
                return Err(LinkError::Duplicate { symbol: name, first: unit(old), second: unit(&new) });
            }
            false
        }
        (Strength::Tentative, Strength::Tentative) => {
            let size = |chosen: &Chosen| variable_size(&modules[chosen.module], symbol(chosen));
            size(&new) > size(old)
        }
        (Strength::Weak, Strength::Weak) => {
            old.linkage = lasting(old.linkage, new.linkage);
            false
        }
        (old, new) => new > old,
    };
    old.visibility = stricter(old.visibility, new.visibility);
    old.unnamed_addr &= new.unnamed_addr;
    old.align = old.align.max(new.align);
    if wins {
        (old.module, old.symbol, old.linkage) = (new.module, new.symbol, new.linkage);
    }
    Ok(())
}

/// A copy that may be dropped if unused must stay if another unit's copy must.
fn lasting(first: Linkage, second: Linkage) -> Linkage {
    match (first, second) {
        (Linkage::LinkOnce, Linkage::Weak | Linkage::WeakOdr) => Linkage::Weak,
        (Linkage::LinkOnceOdr, Linkage::Weak | Linkage::WeakOdr) => Linkage::WeakOdr,
        _ => first,
    }
}

fn stricter(first: Visibility, second: Visibility) -> Visibility {
    match (first, second) {
        (Visibility::Hidden, _) | (_, Visibility::Hidden) => Visibility::Hidden,
        (Visibility::Protected, _) | (_, Visibility::Protected) => Visibility::Protected,
        (Visibility::Default, Visibility::Default) => Visibility::Default,
    }
}

fn variable_size(module: &Module, symbol: &Symbol) -> Option<u64> {
    match symbol.kind {
        SymbolKind::Variable(id) => module.type_layouts.get(module.globals[id].ty).map(|layout| layout.size),
        _ => None,
    }
}

fn tentative_align(module: &Module, symbol: &Symbol) -> Option<Align> {
    match symbol.kind {
        SymbolKind::Variable(id) if symbol.linkage == Linkage::Common => module.globals[id].align,
        _ => None,
    }
}
