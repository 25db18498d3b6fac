//! What both versions of a function share during a proof: terms, memories, names, and what stands for arguments, constants
//! and locals.

use crate::instruction::{float_kind, unsupported};
use crate::keys::{Key, Side, SymbolKey, own_variable, symbol_key};
use crate::memory::{Event, Memory, Object};
use crate::oracle::Oracle;
use crate::relation::Mode;
use crate::sources;
use crate::value::{Shape, Val, shape};
use crate::version::Version;
use change::{Changes, FunctionDiff};
use evidence::{Assumption, Gap};
use ir::constant::ConstKind;
use ir::id::{ConstId, FuncId, InstId, LocId, SymbolId};
use ir::inst::{Call, InstKind, MarkerKind, Predicate, Value};
use ir::module::{Module, SymbolKind};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::expr::{Expr, FunctionId, SymbolId as Atom, TermId};
use smt::pool::Pool;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What is known of a function that is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// It does the same in both versions, whatever the state, under these assumptions.
    Same(Vec<Assumption>),
    /// It may differ.
    Differs,
}

/// Something that may differ and is supposed not to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Supposed {
    /// A function of the new version.
    Function(SymbolId),
    /// What pointers lead to.
    Pointers,
}

/// A use of something uninitialised: the instruction, which of its operands, how wide.
type Use = (Option<(Side, InstId)>, u32, u32);

/// A proof about two versions of a function.
pub struct Prover<'p, 'm> {
    /// Terms.
    pub pool: Pool,
    /// Memories.
    pub memory: Memory,
    /// Solvers.
    pub oracle: Oracle,
    /// Both versions.
    pub versions: [Rc<Version<'m>>; 2],
    /// What changed.
    pub changes: &'p Changes,
    /// The function's instructions, one by one.
    pub diff: &'p FunctionDiff,
    /// What is known of functions that are called.
    pub sharing: &'p dyn Fn(Side, FuncId) -> Sharing,
    /// What is known of all functions that a call through a pointer may get to.
    pub behind_pointer: &'p dyn Fn(Side, &Call) -> Sharing,
    /// What the proof rests on so far.
    pub assumptions: BTreeSet<Assumption>,
    /// Instructions that were followed.
    pub steps: u64,
    /// Whether a function that may differ is called.
    pub meets_difference: bool,
    /// How the proof goes on where versions part. Without states in which they do, functions that may differ are supposed to do the same
    /// where they are called alike.
    pub mode: Mode,
    /// Those of which that was supposed, and where they are called first.
    pub supposed: BTreeMap<Supposed, Option<LocId>>,
    /// Positions of the private locals of each version.
    pub slots: [FxHashMap<InstId, usize>; 2],
    /// Sizes of objects in bytes.
    pub sizes: FxHashMap<Expr, u64>,
    /// Symbols that stand for something else in every iteration.
    pub varying: FxHashSet<Atom>,
    /// What opaque values are called between the cut points that are looked at.
    pub names: FxHashMap<String, TermId>,
    /// Addresses of string literals: two of them are never equal, since equal literals are one.
    pub literals: FxHashSet<Expr>,
    /// Symbols that stand for uninitialised values.
    pub uninitialised: FxHashSet<Atom>,
    functions: FxHashMap<(Key, u32, u32), FunctionId>,
    symbols: FxHashMap<SymbolKey, Expr>,
    keys: FxHashMap<(Side, SymbolId), SymbolKey>,
    arguments: FxHashMap<(Side, u32), Val>,
    locals: FxHashMap<(Side, InstId), Expr>,
    constants: FxHashMap<(Side, ConstId), Val>,
    user: Option<(Side, InstId)>,
    undefined: FxHashMap<Use, Expr>,
    undefined_of_user: u32,
}

impl<'p, 'm> Prover<'p, 'm> {
    /// A proof that has not begun.
    pub fn new(
        versions: [Rc<Version<'m>>; 2],
        changes: &'p Changes,
        diff: &'p FunctionDiff,
        sharing: &'p dyn Fn(Side, FuncId) -> Sharing,
        behind_pointer: &'p dyn Fn(Side, &Call) -> Sharing,
        oracle: Oracle,
    ) -> Prover<'p, 'm> {
        let mut prover = Prover {
            pool: Pool::new(),
            memory: Memory::default(),
            oracle,
            versions,
            changes,
            diff,
            sharing,
            behind_pointer,
            assumptions: BTreeSet::new(),
            steps: 0,
            meets_difference: false,
            mode: Mode::Prove,
            supposed: BTreeMap::new(),
            slots: Default::default(),
            sizes: FxHashMap::default(),
            varying: FxHashSet::default(),
            names: FxHashMap::default(),
            literals: FxHashSet::default(),
            uninitialised: FxHashSet::default(),
            functions: FxHashMap::default(),
            symbols: FxHashMap::default(),
            keys: FxHashMap::default(),
            arguments: FxHashMap::default(),
            locals: FxHashMap::default(),
            constants: FxHashMap::default(),
            user: None,
            undefined: FxHashMap::default(),
            undefined_of_user: 0,
        };
        for side in Side::BOTH {
            for local in prover.private_locals(side) {
                prover.local(side, local);
                let next = prover.slots[side.index()].len();
                prover.slots[side.index()].insert(local, next);
            }
        }
        prover
    }

    /// Private locals of a version in order: the positions of its slots. A local that the other version lets get out is none.
    pub fn private_locals(&self, side: Side) -> Vec<InstId> {
        let [own, other] = match side {
            Side::Old => [&self.versions[0], &self.versions[1]],
            Side::New => [&self.versions[1], &self.versions[0]],
        };
        let is_private =
            |local: &InstId| self.partner_of_local(side, *local).is_none_or(|partner| other.private.contains(&partner));
        own.private.iter().copied().filter(is_private).collect()
    }

    /// The local of the other version that corresponds: the aligned one, of the same size and alignment.
    pub fn partner_of_local(&self, side: Side, local: InstId) -> Option<InstId> {
        let (fate, own, other) = match side {
            Side::Old => (self.diff.of_old(local), &self.versions[0], &self.versions[1]),
            Side::New => (self.diff.of_new(local), &self.versions[1], &self.versions[0]),
        };
        let partner = fate.partner?;
        (own.locals.get(&local)? == other.locals.get(&partner)?).then_some(partner)
    }

    /// The address of a local.
    pub fn local(&mut self, side: Side, local: InstId) -> Expr {
        if let Some(&known) = self.locals.get(&(side, local)) {
            return known;
        }
        let width = self.address_width(side);
        let name = self.name_of_local(side, local);
        let address = self.pool.symbol(name, width);
        self.memory.objects.insert(address, Object::Local);
        if let Some((size, _)) = self.versions[side.index()].locals.get(&local) {
            self.sizes.insert(address, *size);
        }
        self.locals.insert((side, local), address);
        if let Some(partner) = self.partner_of_local(side, local) {
            let other = if side == Side::Old { Side::New } else { Side::Old };
            self.locals.insert((other, partner), address);
        }
        address
    }

    fn name_of_local(&self, side: Side, local: InstId) -> String {
        let version = &self.versions[side.index()];
        let declared = version.function.body().find_map(|(_, _, inst)| match &inst.kind {
            InstKind::Marker(marker)
                if marker.kind == MarkerKind::Declare && marker.value == Some(Value::Inst(local)) =>
            {
                version.module.debug.variables[marker.variable].name
            }
            _ => None,
        });
        declared.map_or_else(|| "a local".to_owned(), |name| format!("&{}", version.module.str(name)))
    }

    /// The number that memory of a private local has at the entry: both versions' where they correspond.
    pub fn first_memory(&self, side: Side, local: InstId) -> u32 {
        use ir::id::Id;
        match (side, self.partner_of_local(side, local)) {
            (Side::New, _) => 1 + 2 * local.index() as u32,
            (Side::Old, Some(partner)) => 1 + 2 * partner.index() as u32,
            (Side::Old, None) => 2 + 2 * local.index() as u32,
        }
    }

    /// Whether two events are seen to differ whenever something in them does: calls of a function outside of the program with other numbers.
    /// What a function of the program does with its arguments, and with memory, may be the same all the same.
    pub fn certainly_differ(&mut self, a: &Event, b: &Event) -> bool {
        let module = self.versions[1].module;
        let is_outside = match &a.key {
            Key::Function(SymbolKey::Both(symbol), _) => match module.symbols[*symbol].kind {
                SymbolKind::Function(id) => !module.functions[id].is_defined(),
                _ => false,
            },
            _ => false,
        };
        let same_memory = self.memory.differ(&mut self.pool, a.before, b.before).is_false();
        let mut numbers = a.args.iter().chain(b.args.iter());
        is_outside && same_memory && !numbers.any(|arg| self.memory.is_made_of_object(&self.pool, *arg))
    }

    /// Whether an address is certainly one of a byte of a variable or local.
    pub fn is_inside_object(&mut self, address: Expr) -> bool {
        let Some(base) = self.memory.base_of(&self.pool, address) else { return false };
        let offset = self.pool.sub(address, base).as_const();
        offset.zip(self.sizes.get(&base)).is_some_and(|(offset, size)| offset < *size)
    }

    /// A condition without which two events are the same one.
    pub fn events_differ(&mut self, a: &Event, b: &Event) -> Expr {
        let mut differs = self.memory.differ(&mut self.pool, a.before, b.before);
        for (x, y) in a.args.iter().zip(&b.args) {
            if self.pool.width(*x) != self.pool.width(*y) {
                return Expr::bool(true);
            }
            let other = self.pool.ne(*x, *y);
            differs = self.pool.or(differs, other);
        }
        differs
    }

    /// Width of an address.
    pub fn address_width(&self, side: Side) -> u32 {
        self.versions[side.index()].module.layout.pointer(0).bits
    }

    /// How both versions know a symbol.
    pub fn key(&mut self, side: Side, symbol: SymbolId) -> SymbolKey {
        let modules = [self.versions[0].module, self.versions[1].module];
        let changes = self.changes;
        *self.keys.entry((side, symbol)).or_insert_with(|| symbol_key(modules, changes, side, symbol))
    }

    /// The address of a symbol.
    fn symbol(&mut self, side: Side, symbol: SymbolId) -> Expr {
        let key = self.key(side, symbol);
        if let Some(&known) = self.symbols.get(&key) {
            return known;
        }
        let module = self.versions[side.index()].module;
        let width = self.address_width(side);
        let literal = sources::literal(module, symbol);
        let is_literal = literal.is_some();
        let name = literal.unwrap_or_else(|| format!("&{}", module.symbol_name(symbol)));
        let address = self.pool.symbol(name, width);
        if is_literal {
            self.literals.insert(address);
            self.memory.contents.extend(sources::contents(module, symbol).map(|bytes| (address, bytes.into())));
        }
        if let Expr::Term(id) = address
            && let smt::expr::Op::Symbol(atom) = self.pool.node(id).op
        {
            self.memory.from_entry.insert(atom);
        }
        // A variable that is no longer the same one may take the place of another of the other version.
        if !matches!(key, SymbolKey::Own(..))
            && let Some(id) = own_variable(module, symbol)
        {
            let global = &module.globals[id];
            let constant = global.constant && !global.externally_initialized;
            self.memory.objects.insert(address, Object::Variable { constant });
            if let Some(layout) = module.type_layouts.get(global.ty) {
                self.sizes.insert(address, layout.size);
            }
        }
        self.symbols.insert(key, address);
        address
    }

    /// The value of a parameter.
    pub fn argument(&mut self, side: Side, index: u32) -> Result<Val, Gap> {
        if let Some(known) = self.arguments.get(&(side, index)) {
            return Ok(known.clone());
        }
        let module = self.versions[side.index()].module;
        let parameter = self.versions[side.index()].function.params.get(index as usize);
        let shape = parameter.and_then(|parameter| shape(module, parameter.ty)).ok_or(unsupported("a parameter"))?;
        let name = self.name_of_argument(side, index);
        let version = &self.versions[side.index()];
        let ty = sources::variable(version, Value::Arg(index)).and_then(|(_, ty)| ty);
        let reading = sources::reading(version, ty);
        let value = Val::build(&shape, &mut |width| {
            let symbol = self.pool.symbol_as(name.clone(), width, reading);
            if let Expr::Term(id) = symbol
                && let smt::expr::Op::Symbol(atom) = self.pool.node(id).op
            {
                self.memory.from_entry.insert(atom);
            }
            symbol
        });
        self.arguments.insert((side, index), value.clone());
        let partner = match side {
            Side::Old => self.diff.params.iter().position(|old| *old == Some(index)).map(|new| new as u32),
            Side::New => self.diff.params.get(index as usize).copied().flatten(),
        };
        if let Some(partner) = partner {
            let other = if side == Side::Old { Side::New } else { Side::Old };
            self.arguments.insert((other, partner), value.clone());
        }
        Ok(value)
    }

    fn name_of_argument(&self, side: Side, index: u32) -> String {
        let version = &self.versions[side.index()];
        let named = version.function.body().find_map(|(_, _, inst)| match &inst.kind {
            InstKind::Marker(marker) if marker.value == Some(Value::Arg(index)) => {
                version.module.debug.variables[marker.variable].name
            }
            _ => None,
        });
        let name = named.or(version.function.params[index as usize].name);
        name.map_or_else(|| format!("argument {}", index + 1), |name| version.module.str(name).to_owned())
    }

    /// The function of terms that stands for a part of what something results in.
    pub fn function(&mut self, key: &Key, part: u32, width: u32) -> FunctionId {
        let entry = (key.clone(), part, width);
        if let Some(&known) = self.functions.get(&entry) {
            return known;
        }
        let name = match key {
            Key::Function(SymbolKey::Both(symbol) | SymbolKey::Own(Side::New, symbol), _) => {
                self.versions[1].module.symbol_name(*symbol).to_owned()
            }
            Key::Function(SymbolKey::Own(Side::Old, symbol), _) => {
                self.versions[0].module.symbol_name(*symbol).to_owned()
            }
            Key::Intrinsic(name) => name.to_string(),
            Key::Operation(name, _) => (*name).to_owned(),
            _ => "call".to_owned(),
        };
        let function = self.pool.function(name);
        self.functions.insert(entry, function);
        function
    }

    /// An operation that is only known to be a function of its operands.
    pub fn operation(&mut self, name: &'static str, detail: u32, args: &[Expr], width: u32) -> Expr {
        let function = self.function(&Key::Operation(name, detail), 0, width);
        self.pool.apply(function, args, width)
    }

    /// The same, if there was one so far.
    pub fn known_operation(&self, name: &'static str, detail: u32, width: u32) -> Option<FunctionId> {
        self.functions.get(&(Key::Operation(name, detail), 0, width)).copied()
    }

    /// So many bytes behind an address.
    pub fn at(&mut self, address: Expr, offset: u64) -> Expr {
        let width = self.pool.width(address);
        let offset = self.pool.number(offset, width);
        self.pool.add(address, offset)
    }

    /// Volatile and atomic accesses are in order, and nobody else's come in between.
    pub fn uses_threads(&mut self) {
        self.assumptions.insert(Assumption::Threads);
    }

    /// Says which instruction uses the constants that follow.
    pub fn begins(&mut self, side: Side, inst: InstId) {
        let partner = if side == Side::Old { self.diff.of_old(inst).partner } else { None };
        self.user = Some(partner.map_or((side, inst), |partner| (Side::New, partner)));
        self.undefined_of_user = 0;
    }

    /// A symbol for uninitialised bits: both versions see the same ones where instructions correspond, and only there. No two
    /// uses are known to see the same.
    fn undefined(&mut self, width: u32) -> Expr {
        let key = (self.user, self.undefined_of_user, width);
        self.undefined_of_user += 1;
        if let Some(&known) = self.undefined.get(&key) {
            return known;
        }
        let symbol = self.pool.symbol("uninitialised", width);
        if let Expr::Term(id) = symbol
            && let smt::expr::Op::Symbol(atom) = self.pool.node(id).op
        {
            self.uninitialised.insert(atom);
            self.varying.insert(atom);
        }
        self.undefined.insert(key, symbol);
        symbol
    }

    /// The value of a constant.
    pub fn constant(&mut self, side: Side, id: ConstId) -> Result<Val, Gap> {
        if let Some(known) = self.constants.get(&(side, id)) {
            return Ok(known.clone());
        }
        let before = self.undefined_of_user;
        let value = self.constant_within(side, id, MAX_DEPTH)?;
        if self.undefined_of_user == before {
            self.constants.insert((side, id), value.clone());
        }
        Ok(value)
    }

    fn constant_within(&mut self, side: Side, id: ConstId, depth: u32) -> Result<Val, Gap> {
        let depth = depth.checked_sub(1).ok_or(unsupported("a constant"))?;
        let module: &'m Module = self.versions[side.index()].module;
        let constant = &module.consts[id];
        let shape = shape(module, constant.ty);
        let bits = |shape: &Option<Shape>| match shape {
            Some(Shape::Bits(width)) => Ok(*width),
            _ => Err(unsupported("a constant")),
        };
        Ok(match &constant.kind {
            ConstKind::Int(value) | ConstKind::Float(value) => {
                let value = smt::bits::Bits::new(*value, bits(&shape)?);
                Val::Bits(self.pool.bits(&value))
            }
            ConstKind::WideInt(words) => {
                let value = wide(words, bits(&shape)?);
                Val::Bits(self.pool.bits(&value))
            }
            ConstKind::Null => Val::Bits(self.pool.zero(bits(&shape)?)),
            ConstKind::Undef | ConstKind::Poison => {
                let shape = shape.ok_or(unsupported("a type"))?;
                Val::build(&shape, &mut |width| self.undefined(width))
            }
            ConstKind::Zero => {
                let shape = shape.ok_or(unsupported("a type"))?;
                Val::build(&shape, &mut |width| self.pool.zero(width))
            }
            ConstKind::Aggregate(parts) => {
                let parts: Result<Vec<Val>, Gap> =
                    parts.iter().map(|part| self.constant_within(side, *part, depth)).collect();
                Val::Parts(parts?.into())
            }
            ConstKind::Bytes(bytes) => {
                Val::Parts(bytes.iter().map(|byte| Val::Bits(Expr::constant(u64::from(*byte), 8))).collect())
            }
            ConstKind::Splat(element) => {
                let element = self.constant_within(side, *element, depth)?;
                let Some(Shape::Parts(lanes)) = shape else { return Err(unsupported("a constant")) };
                Val::Parts(vec![element; lanes.len()].into())
            }
            ConstKind::Symbol(symbol) | ConstKind::FunctionStub { function: symbol, .. } => {
                Val::Bits(self.symbol(side, *symbol))
            }
            ConstKind::Offset { base, bytes, .. } => {
                let base = self.constant_within(side, *base, depth)?.bits().ok_or(unsupported("a constant"))?;
                Val::Bits(self.at(base, *bytes as u64))
            }
            ConstKind::Gep { source, operands, .. } => {
                let mut values = Vec::with_capacity(operands.len());
                for &operand in operands.iter() {
                    values.push(self.constant_within(side, operand, depth)?);
                }
                let Some((base, indices)) = values.split_first() else { return Err(unsupported("a constant")) };
                let indices: Vec<(Val, bool)> = indices.iter().map(|index| (index.clone(), true)).collect();
                Val::Bits(self.gep(side, *source, base, &indices)?)
            }
            ConstKind::Cast { op, value } => {
                let kinds = (float_kind(module, module.consts[*value].ty), float_kind(module, constant.ty));
                let value = self.constant_within(side, *value, depth)?.bits().ok_or(unsupported("a constant"))?;
                Val::Bits(self.cast(*op, value, bits(&shape)?, kinds)?)
            }
            ConstKind::Binary { op, flags, left, right } => {
                let [a, b] = self.pair(side, *left, *right, depth)?;
                Val::Bits(self.binary(*op, *flags, float_kind(module, constant.ty), a, b)?)
            }
            ConstKind::Compare { predicate, left, right } => {
                let kind = float_kind(module, module.consts[*left].ty);
                let [a, b] = self.pair(side, *left, *right, depth)?;
                Val::Bits(match predicate {
                    Predicate::Int(predicate) => self.compare_ints(*predicate, a, b),
                    Predicate::Float(predicate) => self.compare_floats(*predicate, kind, a, b)?,
                })
            }
            ConstKind::Select([condition, then, otherwise]) => {
                let condition = self.constant_within(side, *condition, depth)?;
                let condition = condition.bits().ok_or(unsupported("a constant"))?;
                let [a, b] = self.pair(side, *then, *otherwise, depth)?;
                Val::Bits(self.pool.ite(condition, a, b))
            }
            ConstKind::NoToken | ConstKind::Metadata(_) => Val::void(),
            ConstKind::BlockAddress { .. } | ConstKind::Unsupported(_) => return Err(unsupported("a constant")),
        })
    }

    fn pair(&mut self, side: Side, a: ConstId, b: ConstId, depth: u32) -> Result<[Expr; 2], Gap> {
        let a = self.constant_within(side, a, depth)?.bits();
        let b = self.constant_within(side, b, depth)?.bits();
        a.zip(b).map(|(a, b)| [a, b]).ok_or(unsupported("a constant"))
    }

    /// The shape of an instruction's result.
    pub fn shape_of(&self, side: Side, inst: InstId) -> Option<Shape> {
        let version = &self.versions[side.index()];
        shape(version.module, version.function.insts[inst].ty)
    }
}

/// Deepest constant that is followed.
const MAX_DEPTH: u32 = 64;

/// A number of many words, of which those that repeat the sign are left out.
fn wide(words: &[u64], width: u32) -> smt::bits::Bits {
    let count = width.div_ceil(64) as usize;
    let fill = if words.last().is_some_and(|word| word >> 63 == 1) { u64::MAX } else { 0 };
    let all: Vec<u64> = (0..count).map(|at| words.get(at).copied().unwrap_or(fill)).collect();
    smt::bits::Bits::from_words(&all, width)
}
