//! Makes one module of several.
//!
//! Three steps: every table of every module is merged into one, which gives a map from old to new ids (`types`,
//! `remap`); for every name it is decided which unit's definition counts (`symbols`); the definitions that count are
//! moved over with their ids replaced.

mod labels;
mod remap;
mod symbols;
#[cfg(test)]
mod tests;
mod types;

use std::collections::BTreeMap;

use crate::attrs::AttrSet;
use crate::constant::{Const, ConstKind};
use crate::id::{ConstId, GlobalId, Id, SymbolId};
use crate::layout::TypeLayouts;
use crate::module::{Linkage, Module, Symbol, SymbolKind};
use crate::types::Type;
use remap::{Maps, Merged};
use symbols::Resolution;

/// Why modules cannot become one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// Two units define a name.
    #[error("`{symbol}` is defined in `{first}` and in `{second}`")]
    Duplicate {
        /// Name.
        symbol: String,
        /// First unit.
        first: String,
        /// Second unit.
        second: String,
    },
    /// The modules are for different machines.
    #[error("modules for different targets: `{first}` and `{second}`")]
    Targets {
        /// Triple of a module.
        first: String,
        /// Triple of another one.
        second: String,
    },
    /// The modules disagree on sizes and alignments.
    #[error("modules with different data layouts: `{first}` and `{second}`")]
    Layouts {
        /// Layout of a module.
        first: String,
        /// Layout of another one.
        second: String,
    },
    /// Arrays that should be appended to each other have different elements, or are no arrays.
    #[error("the parts of `{symbol}` cannot be joined")]
    Appending {
        /// Name.
        symbol: String,
    },
}

/// Makes one module of several. Everything keeps the order of the modules.
pub fn link(mut modules: Vec<Module>) -> Result<Module, LinkError> {
    let mut target = Module::default();
    target.attrs.intern(AttrSet::default());
    agree_on_target(&mut target, &modules)?;

    let mut merged = Merged::default();
    let mut maps: Vec<Maps> = Vec::with_capacity(modules.len());
    for module in &mut modules {
        maps.push(Maps::merge_tables(&mut target, &mut merged, module));
    }
    let resolution = symbols::resolve(&target, &modules, &maps)?;
    for (index, (module, maps)) in modules.iter().zip(&mut maps).enumerate() {
        maps.merge_consts(&mut target, module, index, &resolution);
    }
    add_symbols(&mut target, &modules, &maps, &resolution);
    labels::label_locals(&mut target);
    let mut appended = Appended::new();
    for (index, (module, maps)) in modules.into_iter().zip(&maps).enumerate() {
        move_definitions(&mut target, module, maps, index, &resolution, &mut appended);
    }
    join_appended(&mut target, appended)?;
    target.type_layouts = TypeLayouts::compute(&target.types, &target.layout);
    Ok(target)
}

/// Takes over the one target that all modules have; a module that names none fits any.
fn agree_on_target(target: &mut Module, modules: &[Module]) -> Result<(), LinkError> {
    for module in modules {
        if target.triple.is_empty() {
            target.triple.clone_from(&module.triple);
        } else if !module.triple.is_empty() && machine(&target.triple) != machine(&module.triple) {
            return Err(LinkError::Targets { first: target.triple.clone(), second: module.triple.clone() });
        }
        if target.layout.text.is_empty() {
            target.layout.clone_from(&module.layout);
        } else if !module.layout.text.is_empty() && target.layout.text != module.layout.text {
            return Err(LinkError::Layouts { first: target.layout.text.clone(), second: module.layout.text.clone() });
        }
    }
    Ok(())
}

/// A triple without its vendor, which compilers for one machine name differently (`pc`, `unknown`).
fn machine(triple: &str) -> (&str, &str) {
    let (arch, rest) = triple.split_once('-').unwrap_or((triple, ""));
    match rest.split_once('-') {
        Some((_, system)) => (arch, system),
        None => (arch, rest),
    }
}

/// Adds all symbols; those of functions and variables get their kind when these are moved.
fn add_symbols(target: &mut Module, modules: &[Module], maps: &[Maps], resolution: &Resolution) {
    for chosen in &resolution.chosen {
        let maps = &maps[chosen.module];
        let symbol = &modules[chosen.module].symbols[chosen.symbol];
        target.symbols.push(Symbol {
            name: maps.str(symbol.name),
            label: symbol.label.filter(|_| symbol.linkage.is_local()).map(|label| maps.str(label)),
            kind: match symbol.kind {
                SymbolKind::Alias { ty, target } => {
                    SymbolKind::Alias { ty: maps.ty(ty), target: maps.constant(target) }
                }
                SymbolKind::Ifunc { ty, resolver } => {
                    SymbolKind::Ifunc { ty: maps.ty(ty), resolver: maps.constant(resolver) }
                }
                SymbolKind::Function(_) | SymbolKind::Variable(_) | SymbolKind::Missing => SymbolKind::Missing,
            },
            linkage: chosen.linkage,
            visibility: chosen.visibility,
            unnamed_addr: chosen.unnamed_addr,
            dso_local: symbol.dso_local,
            thread_local: symbol.thread_local.map(|model| maps.str(model)),
            comdat: symbol.comdat.map(|name| maps.str(name)),
            unit: maps.unit(symbol.unit),
        });
    }
}

/// Elements of an appending array from all modules, by the array's symbol; `None` if they do not fit.
type Appended = BTreeMap<SymbolId, Option<Vec<ConstId>>>;

/// Moves the functions and variables of a module that count.
fn move_definitions(
    target: &mut Module,
    module: Module,
    maps: &Maps,
    index: usize,
    resolution: &Resolution,
    appended: &mut Appended,
) {
    for mut global in module.globals {
        let counts = resolution.counts(index, global.symbol);
        maps.global(&mut global);
        let symbol = global.symbol;
        if target.symbols[symbol].linkage == Linkage::Appending {
            let elements = elements(target, global.initializer);
            let all = appended.entry(symbol).or_insert_with(|| Some(Vec::new()));
            match (all.as_mut(), elements) {
                (Some(all), Some(elements)) => all.extend(elements),
                _ => *all = None,
            }
        }
        if counts {
            global.align = global.align.max(resolution.chosen[symbol.index()].align);
            target.symbols[symbol].kind = SymbolKind::Variable(target.globals.push(global));
        }
    }
    for mut function in module.functions {
        if resolution.counts(index, function.symbol) {
            maps.function(&mut function);
            let symbol = function.symbol;
            target.symbols[symbol].kind = SymbolKind::Function(target.functions.push(function));
        }
    }
}

/// Elements of an array constant.
fn elements(target: &Module, array: Option<ConstId>) -> Option<Vec<ConstId>> {
    let array = &target.consts[array?];
    match (&array.kind, &target.types[array.ty]) {
        (ConstKind::Aggregate(elements), Type::Array(..)) => Some(elements.to_vec()),
        (_, Type::Array(_, 0)) => Some(Vec::new()),
        _ => None,
    }
}

/// Gives appending arrays their final type and contents.
fn join_appended(target: &mut Module, appended: Appended) -> Result<(), LinkError> {
    for (symbol, elements) in appended {
        let error = || LinkError::Appending { symbol: target.symbol_name(symbol).to_string() };
        let SymbolKind::Variable(id) = target.symbols[symbol].kind else { return Err(error()) };
        let elements = elements.ok_or_else(error)?;
        let Type::Array(element, _) = target.types[target.globals[id].ty] else { return Err(error()) };
        if elements.iter().any(|&constant| target.consts[constant].ty != element) {
            return Err(error());
        }
        set_contents(target, id, Type::Array(element, elements.len() as u64), elements);
    }
    Ok(())
}

fn set_contents(target: &mut Module, id: GlobalId, ty: Type, elements: Vec<ConstId>) {
    let ty = target.types.intern(ty);
    let kind = if elements.is_empty() { ConstKind::Zero } else { ConstKind::Aggregate(elements.into()) };
    target.globals[id].ty = ty;
    target.globals[id].initializer = Some(target.consts.intern(Const { ty, kind }));
}
