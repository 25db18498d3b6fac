//! Names of symbols, blocks and values: as in the model where they are distinct, else made distinct.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::body::has_funclets;
use super::portable;
use super::text::{push_decimal, push_name};
use crate::constant::ConstKind;
use crate::id::{BlockId, Id, InstId, StrId, SymbolId, TypeId};
use crate::inst::{Inst, InstKind};
use crate::module::{Function, Module, SymbolKind};
use crate::types::Type;

/// Makes distinct names by suffixes `.1`, `.2`, … counted for each base. Two bases never make the same
/// name, since the last dot tells base and suffix apart.
#[derive(Default)]
pub struct Suffixes {
    next: FxHashMap<String, u32>,
}

impl Suffixes {
    /// `base` with the first suffix that was not given out and makes no name that is `taken`.
    pub fn fresh(&mut self, base: &str, taken: impl Fn(&str) -> bool) -> String {
        let next = self.next.entry(base.to_string()).or_insert(0);
        loop {
            *next += 1;
            let name = format!("{base}.{next}");
            if !taken(&name) {
                return name;
            }
        }
    }

    fn clear(&mut self) {
        self.next.clear();
    }
}

/// The text of every symbol, from the `@` on.
pub struct SymbolNames {
    text: String,
    ranges: Vec<Range<usize>>,
    /// Symbols that stand for the same intrinsic as another one, with that one, which is printed instead.
    pub duplicates: FxHashMap<SymbolId, SymbolId>,
}

impl SymbolNames {
    /// Gives every symbol of a module its name. Only local symbols may have to change theirs.
    pub fn new(module: &Module) -> Self {
        let names: Vec<&str> = module.symbols.iter().map(|symbol| portable::name(module.str(symbol.name))).collect();
        let mut result =
            SymbolNames { text: String::new(), ranges: vec![0..0; names.len()], duplicates: FxHashMap::default() };
        let mut owner = FxHashMap::<&str, SymbolId>::default();
        let (local, global): (Vec<SymbolId>, Vec<SymbolId>) =
            module.symbols.ids().partition(|&id| module.symbols[id].linkage.is_local());
        let order = || global.iter().chain(&local).copied();
        for id in order() {
            owner.entry(names[id.index()]).or_insert(id);
        }
        let mut suffixes = Suffixes::default();
        for id in order() {
            let name = names[id.index()];
            let first = owner.get(name).copied().unwrap_or(id);
            let unique = first == id;
            let variable = matches!(module.symbols[id].kind, SymbolKind::Variable(_));
            let intrinsic = name.starts_with("llvm.") && !variable;
            if unique || intrinsic {
                result.set(id, name);
            } else {
                result.set(id, &suffixes.fresh(name, |text| owner.contains_key(text)));
            }
            if !unique && intrinsic {
                result.duplicates.insert(id, first);
            }
        }
        result
    }

    /// The text of a symbol, from the `@` on.
    pub fn get(&self, id: SymbolId) -> &str {
        &self.text[self.ranges[id.index()].clone()]
    }

    fn set(&mut self, id: SymbolId, name: &str) {
        let start = self.text.len();
        self.text.push('@');
        push_name(&mut self.text, name);
        self.ranges[id.index()] = start..self.text.len();
    }
}

/// How a block or value of a function is called.
#[derive(Clone, Copy, Default, PartialEq)]
enum Local {
    /// Not at all: it has no value, or is in no block.
    #[default]
    None,
    Named(StrId),
    /// Position among everything without a name, as LLVM counts.
    Number(u32),
    /// Index into the names made up.
    Fresh(u32),
}

/// What a local name belongs to.
#[derive(Clone, Copy)]
enum Place {
    Arg(usize),
    Block(usize),
    Inst(usize),
}

/// Names of one function's parameters, blocks and values. Reused from function to function.
#[derive(Default)]
pub struct LocalNames {
    args: Vec<Local>,
    blocks: Vec<Local>,
    insts: Vec<Local>,
    fresh: Vec<String>,
    suffixes: Suffixes,
    /// The round in which each string was last a name, so that nothing is cleared between functions.
    seen: Vec<u32>,
    round: u32,
}

impl LocalNames {
    /// Names everything in `function`. Blocks of `needs_name`, ascending, are named, never numbered.
    pub fn assign(&mut self, module: &Module, function: &Function, needs_name: &[BlockId]) {
        self.start(module, function);
        let mut number = 0;
        let mut unresolved: Vec<(Place, Option<StrId>)> = Vec::new();
        let mut place = |this: &mut Self, place: Place, name: Option<StrId>| {
            let local = match name.filter(|&name| !module.str(name).is_empty()) {
                Some(name) if this.see(name) => Local::Named(name),
                Some(name) => {
                    unresolved.push((place, Some(name)));
                    Local::None
                }
                None => match place {
                    Place::Block(index) if needs_name.binary_search(&BlockId::from_index(index)).is_ok() => {
                        unresolved.push((place, None));
                        Local::None
                    }
                    _ => {
                        number += 1;
                        Local::Number(number - 1)
                    }
                },
            };
            *this.slot(place) = local;
        };
        for (index, param) in function.params.iter().enumerate() {
            place(self, Place::Arg(index), param.name);
        }
        let void = module.types.find(&Type::Void);
        for (id, block) in function.blocks.iter_ids() {
            place(self, Place::Block(id.index()), block.name);
            for &inst in &block.insts {
                if has_name(module, void, &function.insts[inst]) {
                    place(self, Place::Inst(inst.index()), function.insts[inst].name);
                }
            }
        }
        for (place, base) in unresolved {
            let index = self.fresh.len() as u32;
            let name = self.make_fresh(module, base.map_or("block", |base| module.str(base)));
            self.fresh.push(name);
            *self.slot(place) = Local::Fresh(index);
        }
    }

    /// A name that nothing else in the function has.
    pub fn make_fresh(&mut self, module: &Module, base: &str) -> String {
        let (seen, round) = (&self.seen, self.round);
        let taken = |text: &str| module.strings.find(text).is_some_and(|id| seen.get(id.index()) == Some(&round));
        self.suffixes.fresh(base, taken)
    }

    /// Appends the name of a parameter, without `%`. Returns whether it has one.
    pub fn push_arg(&self, module: &Module, out: &mut String, index: usize) -> bool {
        self.push(module, out, self.args.get(index))
    }

    /// Appends the name of an instruction's result, without `%`. Returns whether it has one.
    pub fn push_inst(&self, module: &Module, out: &mut String, id: InstId) -> bool {
        self.push(module, out, self.insts.get(id.index()))
    }

    /// Appends the name of a block, without `%`.
    pub fn push_block(&self, module: &Module, out: &mut String, id: BlockId) {
        self.push(module, out, self.blocks.get(id.index()));
    }

    /// Whether the block has a number only.
    pub fn is_numbered(&self, id: BlockId) -> bool {
        matches!(self.blocks.get(id.index()), Some(Local::Number(_)))
    }

    /// Whether the instruction has a result that can be named.
    pub fn is_named(&self, id: InstId) -> bool {
        self.insts.get(id.index()).is_some_and(|local| *local != Local::None)
    }

    fn start(&mut self, module: &Module, function: &Function) {
        let reset = |locals: &mut Vec<Local>, len: usize| {
            locals.clear();
            locals.resize(len, Local::None);
        };
        reset(&mut self.args, function.params.len());
        reset(&mut self.blocks, function.blocks.len());
        reset(&mut self.insts, function.insts.len());
        self.fresh.clear();
        self.suffixes.clear();
        self.seen.resize(module.strings.len(), 0);
        self.round += 1;
    }

    /// Notes that `name` is used in this function; false if it was already.
    fn see(&mut self, name: StrId) -> bool {
        std::mem::replace(&mut self.seen[name.index()], self.round) != self.round
    }

    fn slot(&mut self, place: Place) -> &mut Local {
        match place {
            Place::Arg(index) => &mut self.args[index],
            Place::Block(index) => &mut self.blocks[index],
            Place::Inst(index) => &mut self.insts[index],
        }
    }

    fn push(&self, module: &Module, out: &mut String, local: Option<&Local>) -> bool {
        match local.copied().unwrap_or_default() {
            Local::None => return false,
            Local::Named(name) => push_name(out, module.str(name)),
            Local::Number(number) => push_decimal(out, u128::from(number)),
            Local::Fresh(index) => push_name(out, &self.fresh[index as usize]),
        }
        true
    }
}

/// Names of the blocks whose address is taken, each without `%`. A block is always named the same way,
/// since a numbered one could not be referred to after its function.
#[derive(Default)]
pub struct BlockAddresses {
    blocks: FxHashMap<SymbolId, Vec<BlockId>>,
    names: FxHashMap<(SymbolId, BlockId), String>,
}

impl BlockAddresses {
    /// Finds and names every block whose address is taken.
    pub fn new(module: &Module, locals: &mut LocalNames) -> Self {
        let mut result = BlockAddresses::default();
        for (_, constant) in module.consts.iter_ids() {
            if let ConstKind::BlockAddress { function, block } = constant.kind {
                result.blocks.entry(function).or_default().push(block);
            }
        }
        for (&symbol, blocks) in &mut result.blocks {
            blocks.sort_unstable();
            let SymbolKind::Function(id) = module.symbols[symbol].kind else { continue };
            // Its blocks are not written.
            if has_funclets(module, &module.functions[id]) {
                continue;
            }
            locals.assign(module, &module.functions[id], blocks);
            for &block in blocks.iter() {
                let mut name = String::new();
                locals.push_block(module, &mut name, block);
                result.names.insert((symbol, block), name);
            }
        }
        result
    }

    /// Blocks of a function whose address is taken.
    pub fn of(&self, function: SymbolId) -> &[BlockId] {
        self.blocks.get(&function).map_or(&[], |blocks| blocks)
    }

    /// Name of a block whose address is taken, if it exists.
    pub fn name(&self, function: SymbolId, block: BlockId) -> Option<&str> {
        self.names.get(&(function, block)).map(String::as_str).filter(|name| !name.is_empty())
    }
}

/// Whether an instruction prints as something that has a result.
fn has_name(module: &Module, void: Option<TypeId>, inst: &Inst) -> bool {
    match inst.kind {
        InstKind::Marker(_) => false,
        // Nothing can stand in for a token.
        InstKind::Unsupported(_) if matches!(module.types[inst.ty], Type::Token) => false,
        _ => Some(inst.ty) != void,
    }
}
