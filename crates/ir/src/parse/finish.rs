//! What can only be done when the whole text is read: attribute groups, metadata and block addresses
//! are written behind their uses.

use super::lexer::bracket_end;
use super::locals::Name;
use super::{Parsed, Parser, metadata};
use crate::attrs::{Attr, AttrSet};
use crate::constant::{Const, ConstKind};
use crate::id::{BlockId, ConstId, Id, Strings, SymbolId, TypeId, UnitId};
use crate::inst::{Call, Callee, InstKind, Value};
use crate::layout::TypeLayouts;
use crate::module::{Function, Module, Note, Param, SymbolKind};
use rustc_hash::FxHashMap;

/// Blocks whose address is taken, by the label that the text gives them.
#[derive(Default)]
pub(super) struct BlockAddresses<'t> {
    /// Label and place of each placeholder.
    wanted: Vec<(SymbolId, Name<'t>, usize)>,
    known: FxHashMap<(SymbolId, Name<'t>), BlockId>,
    /// Labels of the blocks of each function.
    labels: FxHashMap<SymbolId, Vec<Name<'t>>>,
}

impl<'t> BlockAddresses<'t> {
    /// An id that stands for the block until its function is read.
    pub fn placeholder(&mut self, function: SymbolId, label: Name<'t>, pos: usize) -> BlockId {
        *self.known.entry((function, label)).or_insert_with(|| {
            self.wanted.push((function, label, pos));
            BlockId::from_index(self.wanted.len() - 1)
        })
    }

    /// Remembers the labels of a function's blocks.
    pub fn add_function(&mut self, function: SymbolId, labels: Vec<Name<'t>>) {
        self.labels.insert(function, labels);
    }

    /// The block of each placeholder, or the place of one that has none.
    fn find(&self) -> Result<Vec<BlockId>, usize> {
        let mut found: FxHashMap<(SymbolId, Name<'t>), BlockId> = FxHashMap::default();
        for (function, ..) in &self.wanted {
            // The blocks of a function are entered with its first label that is looked for.
            let labels = self.labels.get(function).map_or(&[][..], |labels| labels);
            if labels.first().is_some_and(|first| !found.contains_key(&(*function, *first))) {
                let blocks = labels.iter().enumerate().map(|(i, label)| ((*function, *label), BlockId::from_index(i)));
                found.extend(blocks);
            }
        }
        self.wanted.iter().map(|&(function, label, pos)| found.get(&(function, label)).copied().ok_or(pos)).collect()
    }
}

impl<'t> Parser<'t> {
    /// The module, when all of the text is read.
    pub(super) fn finish(mut self) -> Parsed<Module> {
        self.check_structs()?;
        self.check_aliases()?;
        let blocks = self.block_addresses.find();
        let blocks = blocks.map_err(|pos| self.error_at(pos, "a block that its function does not have".into()))?;
        let mut module = std::mem::take(&mut self.module);
        if !blocks.is_empty() {
            resolve_block_addresses(&mut module, &blocks);
        }
        declare_intrinsics(&mut module);
        resolve_groups(&mut module, &self.groups);
        resolve_metadata_arguments(&mut module, self.lexer.text(), &self.nodes);
        let tables = metadata::read(self.lexer.text(), &self.nodes, &mut module.strings);
        resolve_metadata(&mut module, tables);
        module.type_layouts = TypeLayouts::compute(&module.types, &module.layout);
        Ok(module)
    }

    /// Fails if a struct contains itself.
    fn check_structs(&self) -> Parsed<()> {
        let types = &self.module.types;
        let mut state = vec![Visit::New; types.len()];
        for &(ty, pos) in &self.structs {
            let mut stack = vec![ty];
            while let Some(&at) = stack.last() {
                if state[at.index()] != Visit::New {
                    state[at.index()] = Visit::Done;
                    stack.pop();
                    continue;
                }
                state[at.index()] = Visit::Open;
                let mut endless = false;
                types.for_each_part(at, |part| match state[part.index()] {
                    Visit::New => stack.push(part),
                    Visit::Open => endless = true,
                    Visit::Done => {}
                });
                self.require(!endless, pos, "a struct that contains itself")?;
            }
        }
        Ok(())
    }

    /// Fails if an alias stands for itself.
    fn check_aliases(&self) -> Parsed<()> {
        let module = &self.module;
        let mut done = vec![false; module.symbols.len()];
        for &(alias, pos) in &self.aliases {
            let mut chain = Vec::new();
            let mut next = Some(alias);
            while let Some(symbol) = next.filter(|symbol| !done[symbol.index()]) {
                done[symbol.index()] = true;
                chain.push(symbol);
                next = match module.symbols[symbol].kind {
                    SymbolKind::Alias { target: address, .. } | SymbolKind::Ifunc { resolver: address, .. } => {
                        module.base_symbol(address)
                    }
                    _ => None,
                };
            }
            if next.is_some_and(|end| chain.contains(&end)) {
                return Err(self.error_at(pos, format!("@{} stands for itself", module.symbol_name(alias))));
            }
        }
        Ok(())
    }
}

/// How far a walk through types is with one of them.
#[derive(Clone, Copy, PartialEq)]
enum Visit {
    New,
    Open,
    Done,
}

/// Declares intrinsics that are called without a declaration, as LLVM does, with the type of the first call.
fn declare_intrinsics(module: &mut Module) {
    let missing = |module: &Module, symbol: SymbolId| {
        module.symbols[symbol].kind == SymbolKind::Missing && module.symbol_name(symbol).starts_with("llvm.")
    };
    if !module.symbols.ids().any(|symbol| missing(module, symbol)) {
        return;
    }
    let mut calls: Vec<(SymbolId, TypeId)> = Vec::new();
    for (_, _, inst) in module.functions.iter().flat_map(Function::body) {
        if let Some(Call { callee: Callee::Value(callee), function_ty, .. }) = inst.kind.call()
            && let Some(symbol) = module.as_symbol(*callee)
            && missing(module, symbol)
        {
            calls.push((symbol, *function_ty));
        }
    }
    for (symbol, ty) in calls {
        if module.symbols[symbol].kind == SymbolKind::Missing {
            let attrs = module.attrs.intern(AttrSet::default());
            let types = module.types.signature(ty).map_or(&[][..], |(_, params, _)| params);
            let params = types.iter().map(|&ty| Param { ty, name: None, attrs }).collect();
            let function = Function::declaration(symbol, ty, params, attrs);
            module.symbols[symbol].kind = SymbolKind::Function(module.functions.push(function));
        }
    }
}

/// Most attributes of one set, and most bytes of text in them: every function and call is printed with its own set.
const MAX_ATTRS: usize = 128;
const MAX_ATTR_TEXT: usize = 8192;

/// Puts the attributes of `#n` in its place.
fn resolve_groups(module: &mut Module, groups: &FxHashMap<u32, Vec<Attr>>) {
    let mut skipped = false;
    let groups: FxHashMap<u32, Vec<Attr>> =
        groups.iter().map(|(&number, attrs)| (number, bounded(&module.strings, attrs, &mut skipped))).collect();
    // Sets that were different may become equal, so ids change.
    let old = std::mem::take(&mut module.attrs);
    let ids: Vec<_> = old
        .iter_ids()
        .map(|(_, set)| {
            let expanded = set.0.iter().flat_map(|attr| match attr {
                Attr::Group(number) => groups.get(number).map_or(&[][..], |attrs| attrs),
                other => std::slice::from_ref(other),
            });
            let attrs = bounded(&module.strings, expanded, &mut skipped);
            module.attrs.intern(AttrSet(attrs.into()))
        })
        .collect();
    if skipped {
        let message = format!("more than {MAX_ATTRS} attributes, or {MAX_ATTR_TEXT} bytes of them, are skipped");
        module.notes.push(Note { line: 1, message });
    }
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

/// Attributes in order, each once, as many as a set may have.
fn bounded<'a>(strings: &Strings, attrs: impl IntoIterator<Item = &'a Attr>, skipped: &mut bool) -> Vec<Attr> {
    let (mut kept, mut room) = (Vec::new(), MAX_ATTR_TEXT);
    for attr in attrs {
        if kept.contains(attr) {
            continue;
        }
        let length = match attr {
            Attr::Text(key, value) => strings[*key].len() + value.map_or(0, |value| strings[value].len()),
            _ => 0,
        };
        if kept.len() < MAX_ATTRS && length <= room {
            room -= length;
            kept.push(*attr);
        } else {
            *skipped = true;
        }
    }
    kept
}

/// Longest node that is repeated where it is used.
const MAX_NODE: usize = 256;

/// Puts the text of a node in the place of its number where an intrinsic takes it, as in `read_register(metadata !{!"rsp"})`:
/// numbers differ from print to print, and what the node says is what the call does.
fn resolve_metadata_arguments(module: &mut Module, text: &str, nodes: &[metadata::Node]) {
    let number = |constant: &Const| match constant.kind {
        ConstKind::Metadata(text) => module.str(text).strip_prefix('!')?.parse::<u32>().ok(),
        _ => None,
    };
    let numbered: Vec<_> =
        module.consts.iter_ids().filter_map(|(id, constant)| Some((id, number(constant)?))).collect();
    if numbered.is_empty() {
        return;
    }
    let places: FxHashMap<u32, usize> = nodes.iter().map(|node| (node.number, node.pos)).collect();
    let mut resolved: FxHashMap<ConstId, ConstId> = FxHashMap::default();
    for (id, number) in numbered {
        if let Some(node) = places.get(&number).and_then(|&pos| self_contained_node(text, pos)) {
            let (ty, text) = (module.consts[id].ty, module.strings.intern_str(node));
            resolved.insert(id, module.consts.intern(Const { ty, kind: ConstKind::Metadata(text) }));
        }
    }
    for inst in module.functions.iter_mut().flat_map(|function| function.insts.iter_mut()) {
        if let InstKind::Call(call) | InstKind::Invoke { call, .. } = &mut inst.kind {
            for argument in &mut call.args {
                if let Value::Const(id) = argument {
                    *id = resolved.get(id).copied().unwrap_or(*id);
                }
            }
        }
    }
}

/// The node `!{…}` at `pos`, if it is short, refers to no other node and is not one of many with the same text.
fn self_contained_node(text: &str, pos: usize) -> Option<&str> {
    let bytes = text.as_bytes().get(pos..)?.strip_prefix(b"!")?;
    let end = pos + 1 + bracket_end(&bytes[..bytes.len().min(MAX_NODE)], 0)?;
    let node = text.get(pos..end)?;
    let refers = node.match_indices('!').any(|(i, _)| node.as_bytes().get(i + 1).is_some_and(u8::is_ascii_digit));
    (!refers).then_some(node)
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

/// Puts blocks in the place of their placeholders. Different placeholders stand for different blocks, so the ids of all
/// constants stay as they are.
fn resolve_block_addresses(module: &mut Module, blocks: &[BlockId]) {
    let old = std::mem::take(&mut module.consts);
    for (_, constant) in old.iter_ids() {
        let kind = match constant.kind {
            ConstKind::BlockAddress { function, block } => {
                ConstKind::BlockAddress { function, block: blocks.get(block.index()).copied().unwrap_or(block) }
            }
            _ => constant.kind.clone(),
        };
        module.consts.intern(Const { ty: constant.ty, kind });
    }
}
