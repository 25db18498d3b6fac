//! What can only be done when the whole text is read: attribute groups, metadata and block addresses
//! are written behind their uses.

use super::{Parser, metadata};
use crate::attrs::{Attr, AttrSet};
use crate::constant::{Const, ConstKind};
use crate::id::{BlockId, Id, SymbolId, UnitId};
use crate::inst::InstKind;
use crate::layout::TypeLayouts;
use crate::module::{Function, Module, Note, SymbolKind};
use rustc_hash::FxHashMap;

/// Blocks whose address is taken, by the label that the text gives them.
#[derive(Default)]
pub(super) struct BlockAddresses<'t> {
    /// Label and place of each placeholder.
    wanted: Vec<(SymbolId, &'t str, usize)>,
    known: FxHashMap<(SymbolId, &'t str), BlockId>,
    numbers: FxHashMap<SymbolId, Vec<Option<u32>>>,
}

impl<'t> BlockAddresses<'t> {
    /// An id that stands for the block until its function is read.
    pub fn placeholder(&mut self, function: SymbolId, label: &'t str, pos: usize) -> BlockId {
        *self.known.entry((function, label)).or_insert_with(|| {
            self.wanted.push((function, label, pos));
            BlockId::from_index(self.wanted.len() - 1)
        })
    }

    /// Remembers the numbers of a function's blocks.
    pub fn add_function(&mut self, function: SymbolId, numbers: Vec<Option<u32>>) {
        self.numbers.insert(function, numbers);
    }
}

impl<'t> Parser<'t> {
    /// The module, when all of the text is read.
    pub(super) fn finish(mut self) -> Module {
        let mut module = std::mem::take(&mut self.module);
        resolve_groups(&mut module, &self.groups);
        let tables = metadata::read(self.lexer.text(), &self.nodes, &mut module.strings);
        resolve_metadata(&mut module, tables);
        if !self.block_addresses.wanted.is_empty() {
            let places: Vec<Option<BlockId>> =
                self.block_addresses.wanted.iter().map(|&(f, label, _)| self.find_block(&module, f, label)).collect();
            for (place, &(_, label, pos)) in places.iter().zip(&self.block_addresses.wanted) {
                if place.is_none() {
                    let (line, _) = self.place(pos);
                    module.notes.push(Note { line, message: format!("the address of block %{label} is unknown") });
                }
            }
            resolve_block_addresses(&mut module, &places);
        }
        module.type_layouts = TypeLayouts::compute(&module.types, &module.layout);
        module
    }

    fn find_block(&self, module: &Module, function: SymbolId, label: &str) -> Option<BlockId> {
        let SymbolKind::Function(id) = module.symbols[function].kind else { return None };
        let blocks = &module.functions[id].blocks;
        let by_name = || {
            let name = module.strings.find(label)?;
            blocks.iter_ids().find(|(_, block)| block.name == Some(name)).map(|(id, _)| id)
        };
        let numbers = self.block_addresses.numbers.get(&function)?;
        match super::without_sign(label, '%').parse::<u32>() {
            Ok(number) if label.starts_with('%') => {
                numbers.iter().position(|&found| found == Some(number)).map(BlockId::from_index)
            }
            _ => by_name(),
        }
    }
}

/// Puts the attributes of `#n` in its place.
fn resolve_groups(module: &mut Module, groups: &FxHashMap<u32, Vec<Attr>>) {
    if !module.attrs.iter_ids().any(|(_, set)| set.0.iter().any(|attr| matches!(attr, Attr::Group(_)))) {
        return;
    }
    // Sets that were different may become equal, so ids change.
    let old = std::mem::take(&mut module.attrs);
    let ids: Vec<_> = old
        .iter_ids()
        .map(|(_, set)| {
            let mut attrs: Vec<Attr> = Vec::new();
            for attr in &set.0 {
                match attr {
                    Attr::Group(number) => attrs.extend(groups.get(number).into_iter().flatten()),
                    other => attrs.push(*other),
                }
            }
            module.attrs.intern(AttrSet(attrs.into()))
        })
        .collect();
    for function in module.functions.iter_mut() {
        function.attrs = ids[function.attrs.index()];
        function.result_attrs = ids[function.result_attrs.index()];
        for param in &mut function.params {
            param.attrs = ids[param.attrs.index()];
        }
        for inst in function.insts.iter_mut() {
            if let InstKind::Call(call) | InstKind::Invoke { call, .. } = &mut inst.kind {
                call.attrs = ids[call.attrs.index()];
                call.result_attrs = ids[call.result_attrs.index()];
                for attrs in &mut call.arg_attrs {
                    *attrs = ids[attrs.index()];
                }
            }
        }
    }
}

/// Puts locations, variables and scopes in the place of node numbers.
fn resolve_metadata(module: &mut Module, tables: metadata::Tables) {
    let number = |index: usize| index as u32;
    for function in module.functions.iter_mut() {
        function.scope = function.scope.and_then(|scope| tables.scope(number(scope.index())));
        let mut lost = false;
        for inst in function.insts.iter_mut() {
            inst.loc = inst.loc.and_then(|loc| tables.location(number(loc.index())));
            if let InstKind::Marker(marker) = &mut inst.kind {
                match tables.variable(number(marker.variable.index())) {
                    Some(variable) => marker.variable = variable,
                    None => {
                        // A marker of nothing is no marker.
                        inst.kind = InstKind::Unreachable;
                        lost = true;
                    }
                }
            }
        }
        if lost {
            drop_lost_markers(function);
        }
    }
    for global in module.globals.iter_mut() {
        global.variable = global.variable.and_then(|variable| tables.variable(number(variable.index())));
    }
    if let Some(unit) = tables.units.first() {
        let own = &mut module.units[UnitId::from_index(0)];
        (own.producer, own.language) = (unit.producer, unit.language);
    }
    let exprs = std::mem::take(&mut module.debug.exprs);
    module.debug = tables.debug;
    module.debug.exprs = exprs;
}

/// Takes markers whose variable is unknown, now `unreachable`s inside of a block, out of their blocks.
fn drop_lost_markers(function: &mut Function) {
    for block in function.blocks.iter_mut() {
        let last = block.insts.last().copied();
        let insts = &function.insts;
        block.insts.retain(|&id| Some(id) == last || !matches!(insts[id].kind, InstKind::Unreachable));
    }
}

/// Puts blocks in the place of their placeholders; an address of an unknown block becomes poison.
fn resolve_block_addresses(module: &mut Module, places: &[Option<BlockId>]) {
    let old = std::mem::take(&mut module.consts);
    for (_, constant) in old.iter_ids() {
        let kind = match constant.kind {
            ConstKind::BlockAddress { function, block } => match places.get(block.index()).copied().flatten() {
                Some(block) => ConstKind::BlockAddress { function, block },
                // Distinct text keeps the ids of all constants as they are.
                None => ConstKind::Unsupported(
                    module.strings.intern_str(&format!("blockaddress of unknown block {}", block.index())),
                ),
            },
            _ => constant.kind.clone(),
        };
        module.consts.intern(Const { ty: constant.ty, kind });
    }
}
