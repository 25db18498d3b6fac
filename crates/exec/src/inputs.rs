//! What a program is given: made up when it is first looked at, and named as the source names it.
//!
//! An *input object* is memory that the input brings: what a pointer parameter leads to, a global variable, or, as a
//! device, the parameters of the entry themselves. Its bytes are *leaves*: the scalars of its source type, each a symbol
//! or a pointer to another input object. Which leaf a byte belongs to is decided by the type alone, never by how it is
//! read, so that the same byte is the same symbol on every path and in both versions of a program.
//!
//! A pointer is null or leads to an object of its own, unless it is said to [alias](crate::aliasing), sized by
//! `dereferenceable`, by its type, or by a bound. What lies beyond a bound is not a fault but the end of what is
//! looked at.

use crate::aliasing::Alias;
use crate::casts;
use crate::containers;
use crate::contents::{Contents, Unset};
use crate::memory::{Kind, Object};
use crate::outside::{Known, Since};
use crate::program::Program;
use crate::run::{Run, Worker};
use crate::state::{ChoiceKind, State, Stop};
use crate::value::{ObjectId, Pointer, Value};
use evidence::Assumption;
use ir::debug::{DebugTypeKind, Encoding, Language, Place};
use ir::id::{DebugTypeId, SymbolId};
use ir::module::SymbolKind;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::expr::{Expr, FloatFormat, Op, SymbolId as SmtSymbol};
use smt::pool::{Pool, Reading};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// An object of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InputId(pub u32);

/// What the memory is called that a function puts its result into. No name of a source looks like that.
pub const RESULT: &str = "the result";

/// Sizes of what pointers of the input lead to.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Elements behind a pointer to a number, and of a slice.
    pub elements: u64,
    /// Characters of a string before its end.
    pub characters: u64,
    /// Records behind a pointer to one.
    pub records: u64,
    /// How many pointers lead from the entry to an object at most; beyond, pointers are null.
    pub depth: u32,
    /// Pointers that lead to what another one leads to, by [plain names](plain_name) of what both lead to.
    pub aliases: Vec<(String, String)>,
    /// Pointers that lead into what others lead to.
    pub aliased: Vec<Alias>,
    /// Whether functions of which only a declaration is known change, and see, memory that they are not given.
    pub outside_writes: bool,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds {
            elements: 8,
            characters: 8,
            records: 1,
            depth: 4,
            aliases: Vec::new(),
            aliased: Vec::new(),
            outside_writes: false,
        }
    }
}

/// An object of the input.
#[derive(Clone, Debug)]
pub struct InputObject {
    /// What the user calls it.
    pub name: String,
    /// How its parts are named.
    pub naming: Naming,
    /// Source type of an element.
    pub ty: Option<DebugTypeId>,
    /// Bytes of an element.
    pub element: u64,
    /// Number of elements.
    pub count: u64,
    /// Size in bytes, where it depends on another part of the input.
    pub size: Expr,
    /// Address as a symbol, if it may be null.
    pub address: Option<Expr>,
    /// Where it comes from.
    pub origin: Origin,
    /// Pointers that lead from the entry to it.
    pub depth: u32,
    /// The byte that ends it as a string.
    pub terminator: Option<u64>,
    /// Whether the program itself knows its size, so that using more is a fault.
    pub exact: bool,
    /// Alignment.
    pub align: u64,
    /// Whether it is memory that a pointer leads to; what stands for a parameter or a global variable is not.
    pub memory: bool,
    /// Whether it is what a container of the C++ library leads to.
    pub held: bool,
}

/// How the parts of an input object are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// A variable: `x`, `x.len`, `x[2]`.
    Variable,
    /// Behind a pointer to one: `*p`, `p->len`.
    Single,
    /// Behind a pointer to several: `p[2]`, `p[2].len`.
    Several,
}

/// Where an input object comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// It stands for a parameter of the entry.
    Parameter(u32),
    /// A global variable.
    Global(SymbolId),
    /// A pointer at that distance in another one leads to it.
    Pointer(InputId, u64),
    /// Bytes of the outside: the arguments of the program, standard input, a file.
    Outside(u32),
    /// What the old version has in place of an object of the new one, in which fields lie elsewhere.
    Old(InputId),
}

/// One scalar of an input object.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    /// Distance in bytes.
    pub offset: u64,
    /// Bytes.
    pub size: u32,
    /// A symbol, cut or extended to its size, or a pointer to another object.
    pub value: LeafValue,
    /// What every valid input fulfils.
    pub assume: Option<Expr>,
    /// Whether it is part of a text that is assumed to be ASCII.
    pub ascii: bool,
}

/// What a scalar of an input is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LeafValue {
    /// A number.
    Bits(Expr),
    /// A pointer to the beginning of another object.
    Pointer(InputId),
    /// A pointer to the end of another object.
    End(InputId),
    /// A pointer that leads so many bytes into what another one leads to.
    Inside(InputId, u64),
    /// A pointer that leads so many bytes into a global variable, or to a weak symbol, which may be null.
    Variable(SymbolId, u64),
}

/// Bytes of the input that follow each other, each a symbol of its own.
#[derive(Clone, Debug)]
pub struct Text {
    /// The bytes.
    pub bytes: Vec<SmtSymbol>,
    /// How many of them there are, if it is no end of the text that says so.
    pub length: Option<SmtSymbol>,
    /// Whether it is taken to be ASCII.
    pub ascii: bool,
}

/// What of the buffer of a Rust vector is part of its value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buffer {
    /// The object that has the vector in it.
    pub vector: InputId,
    /// Where in that is the number of elements.
    pub length_at: u64,
    /// Bytes of an element.
    pub element: u64,
}

/// How much of what a container of the C++ library leads to is in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted {
    /// Number of elements.
    pub length: Expr,
    /// That there are not too many.
    pub valid: Expr,
    /// Whether they are the characters of a string.
    pub text: bool,
}

/// All objects of the input that any path has looked at.
#[derive(Default)]
pub struct Inputs {
    /// Objects.
    pub objects: Vec<InputObject>,
    by_origin: FxHashMap<Origin, InputId>,
    leaves: Vec<BTreeMap<u64, Leaf>>,
    /// Where the leaf of a byte begins; with whether a pointer is read there.
    begins: FxHashMap<(InputId, u64, bool), u64>,
    /// Objects of bytes that are text.
    text: FxHashSet<InputId>,
    /// Buffers of Rust vectors.
    pub(crate) buffers: FxHashMap<InputId, Buffer>,
    /// What containers of the C++ library lead to.
    pub(crate) counted: FxHashMap<InputId, Counted>,
    /// Parts of objects that are valid only together with another part, by where both are.
    pub(crate) together: FxHashMap<(InputId, u64), u64>,
    /// Scalars that are bounded, or have a value that others might not have: what that limits, in words.
    pub(crate) limits: FxHashMap<(InputId, u64), Assumption>,
    /// Pairs of objects of which the second one's address was taken to be another one than the first one's.
    pub(crate) told_apart: BTreeSet<(InputId, InputId)>,
    /// Pointers that lead to what another one leads to: their names.
    pub(crate) aliases: BTreeMap<(InputId, u64), String>,
    /// Pointers that lead into what something else is: their names, and what the source would write for them.
    pub(crate) leading_into: BTreeMap<(InputId, u64), (String, String)>,
    /// Objects of which the program asked how they are aligned.
    pub(crate) asked_for_alignment: BTreeSet<InputId>,
    /// Whether a pointer was said to alias something that is not there.
    pub unaliased: bool,
    /// What memory holds since a call that was not given it.
    pub(crate) since: BTreeMap<InputId, Since>,
    /// For an object of the new version the one that the old version has in its place.
    pub(crate) twins: FxHashMap<InputId, InputId>,
    /// Numbers that have fewer bits in the old version.
    pub(crate) fitting: FxHashSet<(InputId, u64)>,
    /// What only one version has: nothing can be said of a difference that depends on it.
    pub(crate) one_sided: FxHashMap<SmtSymbol, String>,
}

impl Inputs {
    /// The object.
    pub fn object(&self, id: InputId) -> &InputObject {
        &self.objects[id.0 as usize]
    }

    /// The object that comes from there, if some path has looked at it.
    pub fn find(&self, origin: Origin) -> Option<InputId> {
        self.by_origin.get(&origin).copied()
    }

    /// Pointers that could lead to what another one leads to, and were taken not to: names of what both lead to.
    pub fn possible_aliases(&self) -> Vec<(String, String)> {
        let name = |id: InputId| plain_name(&self.object(id).name);
        let mut found: Vec<(String, String)> = Vec::new();
        for &(pointer, to) in &self.told_apart {
            if !found.iter().any(|(known, _)| *known == name(pointer)) {
                found.push((name(pointer), name(to)));
            }
        }
        found
    }

    /// How many elements an object has that a vector of C++ leads to, if that is a number of its own.
    pub(crate) fn element_count(&self, id: InputId) -> Option<Expr> {
        self.counted.get(&id).filter(|counted| !counted.text).map(|counted| counted.length)
    }

    /// How many elements a container has that leads to an object, if some path has looked at that.
    pub(crate) fn length_of(&self, id: InputId) -> Option<Expr> {
        if let Some(counted) = self.counted.get(&id) {
            return Some(counted.length);
        }
        let (holder, at) = match (self.buffers.get(&id), self.object(id).origin) {
            (Some(buffer), _) => (buffer.vector, buffer.length_at),
            // Slices have it behind the pointer.
            (None, Origin::Pointer(from, at)) if self.object(id).size.as_const().is_none() => (from, at + 8),
            _ => return None,
        };
        match self.leaf_at(holder, at)?.value {
            LeafValue::Bits(length) => Some(length),
            _ => None,
        }
    }

    /// Whether an object's bytes are text whose length is known.
    pub(crate) fn is_text_with_length(&self, id: InputId) -> bool {
        let is_text = self.is_text(id) || self.counted.get(&id).is_some_and(|counted| counted.text);
        is_text && self.length_of(id).is_some()
    }

    /// Says that an object's bytes are text.
    pub(crate) fn mark_text(&mut self, id: InputId) {
        self.text.insert(id);
    }

    /// Whether an object's bytes are text.
    pub(crate) fn is_text(&self, id: InputId) -> bool {
        self.text.contains(&id)
    }

    /// Adds an object, or finds the one that comes from the same place.
    pub fn add(&mut self, object: InputObject) -> InputId {
        if let Some(&id) = self.by_origin.get(&object.origin) {
            return id;
        }
        let id = InputId(self.objects.len() as u32);
        self.by_origin.insert(object.origin, id);
        self.objects.push(object);
        self.leaves.push(BTreeMap::new());
        id
    }

    /// All leaves of an object that any path has looked at, by distance.
    pub fn leaves_of(&self, id: InputId) -> impl Iterator<Item = &Leaf> {
        self.leaves[id.0 as usize].values()
    }

    /// The leaf that begins there, if some path has looked at it.
    pub fn leaf_at(&self, id: InputId, offset: u64) -> Option<&Leaf> {
        self.leaves[id.0 as usize].get(&offset)
    }
}

impl Inputs {
    /// What a pointer of the input leads to.
    pub fn pointee(&self, (id, at): (InputId, u64)) -> Option<InputId> {
        match self.leaf_at(id, at)?.value {
            LeafValue::Pointer(to) | LeafValue::End(to) | LeafValue::Inside(to, _) => Some(to),
            LeafValue::Bits(_) | LeafValue::Variable(..) => None,
        }
    }

    /// What a state's outcome holds for: the bounds of the input objects that it uses.
    pub fn scope(&self, state: &State) -> Vec<Assumption> {
        let mut scope = Vec::new();
        let mut pointers = 0;
        for (id, _) in state.inputs.iter() {
            let object = self.object(*id);
            // What a parameter or the result is put into is no pointer of the source.
            if !object.memory || matches!(object.origin, Origin::Parameter(_)) {
                continue;
            }
            // What containers lead to is never what anything else leads to.
            pointers += usize::from(!object.held);
            // A size that depends on the input is bounded by an assumption.
            if object.size.as_const().is_none() {
                scope.push(Assumption::Elements { of: object.name.clone(), most: object.count });
            }
            // A string's end is an assumption; other objects are as large as it takes until their bound is met.
            if let Some(length) = object.terminator {
                scope.push(Assumption::Characters { of: object.name.clone(), most: length });
            }
        }
        let aliases: BTreeSet<Assumption> = state
            .leaves
            .iter_back()
            .filter_map(|leaf| {
                let name = self.aliases.get(leaf)?;
                let LeafValue::Pointer(to) = self.leaf_at(leaf.0, leaf.1)?.value else { return None };
                Some(Assumption::Aliased { pointer: name.clone(), to: self.object(to).name.clone() })
            })
            .collect();
        scope.extend(aliases);
        if !self.limits.is_empty() {
            let limits = state.leaves.iter_back().filter_map(|leaf| self.limits.get(leaf));
            let limits: BTreeMap<String, &Assumption> = limits.map(|limit| (limit.to_string(), limit)).collect();
            scope.extend(limits.into_values().cloned());
        }
        let is_text = |(id, at): &&(InputId, u64)| self.leaf_at(*id, *at).is_some_and(|leaf| leaf.ascii);
        let texts: BTreeSet<InputId> = state.leaves.iter_back().filter(is_text).map(|(id, _)| *id).collect();
        scope.extend(texts.into_iter().map(|id| Assumption::Ascii { of: self.object(id).name.clone() }));
        if self.has_twins() {
            self.scope_of_twins(state, &mut scope);
        }
        let deep = |(id, at): &(InputId, u64)| {
            let leaf = self.leaf_at(*id, *at);
            leaf.is_some_and(|leaf| match leaf.value {
                LeafValue::Pointer(to) => leaf.assume.is_some() && self.object(to).address.is_some(),
                _ => false,
            })
        };
        if let Some((id, _)) = state.leaves.iter_back().find(|leaf| deep(leaf)) {
            scope.push(Assumption::Depth { pointers: self.object(*id).depth });
        }
        let read = || state.leaves.iter_back().any(|(id, _)| matches!(self.object(*id).origin, Origin::Global(_)));
        // One that is only written may be what a pointer leads to just as well.
        let variable = |object: &Object| matches!(object.kind, Kind::Global { constant: false });
        let written = || state.memory.iter().any(|(_, object)| object.written && variable(object));
        if state.told_apart || pointers > 1 || pointers > 0 && (read() || written()) {
            scope.push(Assumption::NoAliases);
        }
        scope
    }

    /// What two runs take for granted that only one of them needs: memory that the other never touches.
    pub fn scope_of_one(&self, old: &State, new: &State) -> Vec<Assumption> {
        let touched = |state: &State| {
            let mut ends: BTreeMap<InputId, u64> = BTreeMap::new();
            for &(id, at) in state.leaves.iter_back() {
                let end = ends.entry(id).or_default();
                *end = (*end).max(at + self.leaf_at(id, at).map_or(1, |leaf| u64::from(leaf.size)));
            }
            for &(id, object) in state.inputs.iter() {
                let object = state.memory.get_or_nothing(object);
                if object.written {
                    let end = ends.entry(id).or_default();
                    *end = (*end).max(object.contents.written());
                }
            }
            ends
        };
        let (a, b) = (touched(old), touched(new));
        let ids: BTreeSet<InputId> = a.keys().chain(b.keys()).copied().collect();
        let more = |id: InputId| {
            let object = self.object(id);
            let [a, b] = [&a, &b].map(|ends| ends.get(&id).copied().unwrap_or(0));
            let relaid = matches!(object.origin, Origin::Old(_)) || self.twins.contains_key(&id);
            // What the program itself knows the size of is never smaller.
            (object.memory && !object.exact && a != b && !relaid)
                .then(|| Assumption::AtLeast { of: object.name.clone(), bytes: a.max(b) })
        };
        ids.into_iter().filter_map(more).collect()
    }
}

impl Worker<'_> {
    /// All texts of the input, as far as anybody looked at them.
    pub fn texts(&self) -> Vec<Text> {
        let symbol = |expr: Expr| match expr {
            Expr::Term(id) => match self.pool.node(id).op {
                Op::Symbol(symbol) => Some(symbol),
                _ => None,
            },
            Expr::Const { .. } => None,
        };
        let length_of = |origin: Origin, ascii: bool| {
            let length = match origin {
                Origin::Outside(number) => self.known_length(self.outside_name(number)?)?,
                // Texts of Rust have their length behind the pointer.
                Origin::Pointer(from, at) if ascii => match self.inputs.leaf_at(from, at + 8)?.value {
                    LeafValue::Bits(length) => length,
                    _ => return None,
                },
                _ => return None,
            };
            self.pool.symbols_in(&[length]).into_keys().next()
        };
        let text = |(id, (leaves, object)): (u32, (&BTreeMap<u64, Leaf>, &InputObject))| {
            let byte = |(at, leaf): (u64, &Leaf)| match leaf.value {
                LeafValue::Bits(expr) if leaf.offset == at && leaf.size == 1 => symbol(expr),
                _ => None,
            };
            let bytes: Vec<SmtSymbol> = (0..).zip(leaves.values()).map_while(byte).collect();
            let ascii = leaves.values().any(|leaf| leaf.ascii);
            let counted = self.inputs.counted.get(&InputId(id));
            let counted = counted.and_then(|counted| self.pool.symbols_in(&[counted.length]).into_keys().next());
            let length = counted.or_else(|| length_of(object.origin, ascii));
            (bytes.len() > 1).then_some(Text { bytes, length, ascii })
        };
        (0..).zip(self.inputs.leaves.iter().zip(&self.inputs.objects)).filter_map(text).collect()
    }
}

impl Run<'_, '_> {
    /// Looks at the first bytes of all texts of Rust, so that all of them are known that runs looked at in part only.
    pub fn look_at_texts(&mut self, bytes: u64) {
        let ids = (0..self.worker.inputs.objects.len() as u32).map(InputId);
        for id in ids.filter(|id| self.worker.inputs.is_text(*id)).collect::<Vec<_>>() {
            for at in 0..bytes.min(self.worker.inputs.object(id).count) {
                // What cannot be looked at is not known, as before.
                let _ = self.leaf(id, at, false);
            }
        }
    }

    /// The object of this state that stands for an input object.
    pub fn input_object(&mut self, id: InputId) -> ObjectId {
        let id = self.worker.of_side(id, self.state.old);
        if let Some(&(_, object)) = self.state.inputs.iter().find(|(known, _)| *known == id) {
            return object;
        }
        let (size, align) = {
            let object = self.worker.inputs.object(id);
            (object.size, object.align)
        };
        let object = self.state.memory.add(size, align, Kind::Input(id), Contents::new(Unset::Input));
        Rc::make_mut(&mut self.state.inputs).push((id, object));
        self.change_since(object, Known::Input(id));
        object
    }

    /// The leaf that the byte at `offset` belongs to. `pointer` says that a pointer is read there, for types unknown.
    pub(crate) fn leaf(&mut self, id: InputId, offset: u64, pointer: bool) -> Result<Leaf, Stop> {
        let key = (id, offset, pointer);
        let known = self.worker.inputs.begins.get(&key).and_then(|&begin| self.worker.inputs.leaf_at(id, begin));
        if let Some(leaf) = known {
            return Ok(leaf.clone());
        }
        let extent = self.worker.inputs.object(id).extent(self.worker.program, offset, pointer);
        self.worker.inputs.begins.insert(key, extent.start);
        if let Some(leaf) = self.worker.inputs.leaf_at(id, extent.start) {
            return Ok(leaf.clone());
        }
        let leaf = self.leaf_of_version(id, &extent, pointer)?;
        self.worker.inputs.leaves[id.0 as usize].insert(extent.start, leaf.clone());
        Ok(leaf)
    }

    /// A leaf's value in this state, its assumption made.
    pub(crate) fn leaf_value(&mut self, leaf: &Leaf) -> Result<Value, Stop> {
        if let Some(assume) = leaf.assume.filter(|_| !(leaf.ascii && self.worker.any_text)) {
            self.assume(assume)?;
        }
        Ok(match leaf.value {
            LeafValue::Bits(expr) => Value::Bits(self.worker.concrete_value(expr)),
            LeafValue::Pointer(to) => Value::Ptr(Pointer::to(self.input_object(to))),
            LeafValue::End(to) => {
                let object = self.input_object(to);
                let offset = self.worker.concrete_value(self.worker.inputs.object(to).size);
                Value::Ptr(Pointer { object, offset })
            }
            LeafValue::Inside(to, bytes) => {
                Value::Ptr(Pointer { object: self.input_object(to), offset: Expr::constant(bytes, 64) })
            }
            LeafValue::Variable(symbol, bytes) => {
                let program = self.worker.program;
                match program.symbol_value(program.of_side(symbol, self.state.old)) {
                    Value::Ptr(pointer) => Value::Ptr(self.offset(pointer, bytes)),
                    other => other,
                }
            }
        })
    }

    /// Goes on only where `condition` holds.
    pub(crate) fn assume(&mut self, condition: Expr) -> Result<(), Stop> {
        if condition.is_true() {
            return Ok(());
        }
        let not = self.worker.pool.not(condition);
        self.choose(&[condition, not], ChoiceKind::Assume).map(|_| ())
    }

    pub(crate) fn make_leaf(&mut self, id: InputId, extent: &Extent) -> Leaf {
        let program = self.worker.program;
        let debug = &program.module.debug;
        let object = self.worker.inputs.object(id).clone();
        let (offset, size) = (extent.start, extent.size);
        if object.terminator == Some(offset) {
            return Leaf { offset, size: 1, value: LeafValue::Bits(Expr::constant(0, 8)), assume: None, ascii: false };
        }
        if let Origin::Global(symbol) = object.origin
            && let SymbolKind::Variable(variable) = program.module.symbols[symbol].kind
            && let Some(of) = program.module.globals[variable].address_of
        {
            return Leaf { offset, size, value: LeafValue::Variable(of, 0), assume: None, ascii: false };
        }
        let name = object.part_name(extent);
        let kind = extent.ty.map(|ty| &debug.types[debug.strip(ty)].kind);
        let pointer = match kind {
            Some(DebugTypeKind::Pointer { .. }) => size == 8,
            Some(_) => false,
            None => size == 8,
        };
        if pointer && let Some((value, place)) = self.aliased(id, offset) {
            self.worker.inputs.leading_into.insert((id, offset), (name, place));
            return Leaf { offset, size, value, assume: None, ascii: false };
        }
        if let Some(leaf) = self.rust_leaf(id, &object, extent, &name) {
            return leaf;
        }
        if let Some(leaf) = self.cpp_leaf(id, &object, extent, &name) {
            return leaf;
        }
        if pointer && let Some(to) = self.alias(&name) {
            let place = self.worker.inputs.object(to).name.clone();
            self.worker.inputs.leading_into.insert((id, offset), (name.clone(), place));
            self.worker.inputs.aliases.insert((id, offset), name);
            return Leaf { offset, size, value: LeafValue::Pointer(to), assume: None, ascii: false };
        }
        if pointer {
            let deep = object.depth >= self.worker.bounds.depth;
            let to = self.pointee(id, &object, extent, name.clone());
            if let Some((value, place)) = self.displaced(to) {
                self.worker.inputs.leading_into.insert((id, offset), (name, place));
                return Leaf { offset, size, value, assume: None, ascii: false };
            }
            let assume = deep.then(|| self.worker.inputs.object(to).clone().null(&mut self.worker.pool)).flatten();
            return Leaf { offset, size, value: LeafValue::Pointer(to), assume, ascii: false };
        }
        let width = size * 8;
        let pool = &mut self.worker.pool;
        match kind {
            Some(DebugTypeKind::Basic(Encoding::Boolean)) if size == 1 => {
                let symbol = pool.symbol_as(name, 1, Reading::Unsigned);
                Leaf { offset, size, value: LeafValue::Bits(pool.zext(symbol, width)), assume: None, ascii: false }
            }
            _ => {
                // Standard input, arguments and files are text to people.
                let is_text = size == 1 && matches!(object.origin, Origin::Outside(_));
                let plain = if is_text { Reading::Char } else { Reading::Unsigned };
                let reading = extent.ty.map_or(plain, |ty| reading(self.worker.program, ty, size));
                let pool = &mut self.worker.pool;
                let symbol = pool.symbol_as(name, width, reading);
                let assume = self.valid(extent.ty, symbol, width);
                Leaf { offset, size, value: LeafValue::Bits(symbol), assume, ascii: false }
            }
        }
    }

    /// What a pointer is said to lead to, of what is known already.
    fn alias(&self, name: &str) -> Option<InputId> {
        let aliases = &self.worker.bounds.aliases;
        let (_, to) = aliases.iter().find(|(pointer, _)| *pointer == plain_name(name))?;
        let is_it = |object: &InputObject| object.memory && plain_name(&object.name) == *to;
        let index = self.worker.inputs.objects.iter().position(is_it)?;
        Some(InputId(index as u32))
    }

    /// What valid values of a type fulfil: Rust enums and characters have values that never occur.
    pub(crate) fn valid(&mut self, ty: Option<DebugTypeId>, value: Expr, width: u32) -> Option<Expr> {
        let program = self.worker.program;
        let debug = &program.module.debug;
        let id = debug.strip(ty?);
        let ty = &debug.types[id];
        if ty.language != Language::Rust || width > 64 {
            return None;
        }
        let pool = &mut self.worker.pool;
        match &ty.kind {
            DebugTypeKind::Enum { values, .. } => {
                let own = || values.iter().map(|(_, known)| *known).collect();
                let values: Vec<i128> = program.variants.common.get(&id).cloned().unwrap_or_else(own);
                let mut any = Expr::bool(false);
                for known in values {
                    let equal = pool.eq(value, Expr::constant(known as u64, width));
                    any = pool.or(any, equal);
                }
                Some(any)
            }
            DebugTypeKind::Basic(Encoding::Utf) if width == 32 => {
                let below = pool.ult(value, Expr::constant(0xd800, 32));
                let above = pool.ult(Expr::constant(0xdfff, 32), value);
                let inside = pool.ult(value, Expr::constant(0x11_0000, 32));
                let above = pool.and(above, inside);
                Some(pool.or(below, above))
            }
            _ => None,
        }
    }

    /// What a pointer leads to, if the code knows more of it than its type says.
    fn known_pointee(&mut self, object: &InputObject, extent: &Extent) -> Option<DebugTypeId> {
        let program = self.worker.program;
        let (debug, module) = (&program.module.debug, &program.module);
        let place = match object.origin {
            Origin::Parameter(number) if extent.start == 0 => {
                let found = self.worker.parameter_casts.get(&number)?;
                return casts::the_only(module, extent.ty, found);
            }
            Origin::Global(symbol) if extent.start == 0 && extent.size == 8 && object.element == 8 => {
                casts::variable_key(program, symbol)
            }
            _ => {
                let name = debug.types[debug.strip(object.ty?)].name?;
                (module.str(name).to_owned(), extent.start % object.element.max(1))
            }
        };
        if !casts::says_little(module, extent.ty) {
            return None;
        }
        let worker = &mut *self.worker;
        let known = worker.field_casts.get_or_insert_with(|| casts::of_fields(program, &worker.entries));
        casts::the_only(module, extent.ty, known.get(&place)?)
    }

    /// The object that a pointer in an input object leads to.
    fn pointee(&mut self, from: InputId, object: &InputObject, extent: &Extent, name: String) -> InputId {
        let program = self.worker.program;
        let debug = &program.module.debug;
        let pointer = extent.ty.map(|ty| &debug.types[debug.strip(ty)]);
        let to = match pointer.map(|ty| &ty.kind) {
            Some(DebugTypeKind::Pointer { to, .. }) => *to,
            _ => None,
        };
        let to = self.known_pointee(object, extent).or(to);
        let to = to.map(|to| containers::complete(&program.module, to));
        let reference = matches!(pointer.map(|ty| &ty.kind), Some(DebugTypeKind::Pointer { reference: true, .. }));
        let origin = Origin::Pointer(from, extent.start);
        let behind = Behind::of(program, to, &self.worker.bounds);
        let pool = &mut self.worker.pool;
        let mut made = InputObject {
            naming: if behind.count > 1 { Naming::Several } else { Naming::Single },
            ty: to,
            element: behind.element,
            count: behind.count,
            size: Expr::constant(behind.bytes(), 64),
            address: None,
            origin,
            depth: object.depth + 1,
            terminator: behind.terminated.then(|| behind.bytes() - 1),
            exact: false,
            align: 16,
            memory: true,
            held: false,
            name,
        };
        if reference {
            (made.naming, made.count, made.terminator, made.exact) = (Naming::Single, 1, None, behind.element > 0);
            made.size = Expr::constant(made.element, 64);
        } else {
            made.address = Some(pool.symbol_as(made.name.clone(), 64, Reading::Address));
        }
        self.worker.inputs.add(made)
    }
}

/// A name of an object in which it makes no difference how many there might be.
pub fn plain_name(name: &str) -> String {
    name.replace("[0].", "->")
}

/// How people read a scalar of a type.
pub fn reading(program: &Program, ty: DebugTypeId, size: u32) -> Reading {
    let debug = &program.module.debug;
    match &debug.types[debug.strip(ty)].kind {
        DebugTypeKind::Basic(Encoding::Signed) => Reading::Signed,
        DebugTypeKind::Basic(Encoding::SignedChar) if size == 1 => Reading::Char,
        DebugTypeKind::Basic(Encoding::SignedChar) => Reading::Signed,
        DebugTypeKind::Basic(Encoding::Utf) if size == 4 => Reading::Char,
        DebugTypeKind::Basic(Encoding::Float) => match size {
            4 => Reading::Float(FloatFormat::Single),
            8 => Reading::Float(FloatFormat::Double),
            16 => Reading::Float(FloatFormat::Quad),
            _ => Reading::Unsigned,
        },
        DebugTypeKind::Enum { base: Some(base), .. } => match debug.types[debug.strip(*base)].kind {
            DebugTypeKind::Basic(Encoding::Signed) => Reading::Signed,
            _ => Reading::Unsigned,
        },
        DebugTypeKind::Pointer { .. } => Reading::Address,
        _ => Reading::Unsigned,
    }
}

/// Where a leaf lies and what it is called.
pub struct Extent {
    /// Distance in bytes.
    pub start: u64,
    /// Bytes.
    pub size: u32,
    pub(crate) path: Option<String>,
    /// Source type, if it is known.
    pub ty: Option<DebugTypeId>,
    /// Element of the object.
    index: u64,
}

impl InputObject {
    /// The bytes that are one leaf with a byte. Members of a union lie over each other, and which of them a byte is said to
    /// belong to differs from byte to byte; so only where all bytes of a member agree it is a leaf, and others are single
    /// bytes. What is a leaf is thus a matter of the type alone, and no two of them overlap.
    pub fn extent(&self, program: &Program, offset: u64, pointer: bool) -> Extent {
        let index = offset / self.element.max(1);
        let none = Extent { start: offset, size: if pointer { 8 } else { 1 }, path: None, ty: None, index };
        let Some(extent) = self.scalar_at(program, offset) else { return none };
        let mut bytes = extent.start..extent.start + u64::from(extent.size);
        let same = |other: Extent| (other.start, other.size) == (extent.start, extent.size);
        match bytes.all(|byte| byte == offset || self.scalar_at(program, byte).is_some_and(same)) {
            true => extent,
            false => Extent { start: offset, size: 1, path: None, ty: None, index },
        }
    }

    /// The scalar that debug info sees at a byte: in a union the largest one, which a pointer is among.
    fn scalar_at(&self, program: &Program, offset: u64) -> Option<Extent> {
        let module = &program.module;
        let element = self.element.max(1);
        let (index, inner) = (offset / element, offset % element);
        let start = index * element;
        let ty = self.ty?;
        let find = |at: u64, bytes: u64| Some((at, module.debug.place_at(&module.strings, ty, at * 8, bytes * 8)?));
        let is_scalar = |place: &Place| {
            let record =
                |ty| matches!(module.debug.types[ty].kind, DebugTypeKind::Record { .. } | DebugTypeKind::Array { .. });
            place.ty.is_some_and(|ty| !record(module.debug.strip(ty)))
        };
        let large = [8u64, 4, 2]
            .into_iter()
            .find_map(|bytes| find(inner / bytes * bytes, bytes).filter(|(_, place)| place.exact && is_scalar(place)));
        let (at, place) = match large {
            Some(found) => found,
            None => find(inner, 1)?,
        };
        let begin = (at * 8).checked_sub(place.offset)?;
        if !is_scalar(&place) || begin % 8 != 0 || place.bits % 8 != 0 || place.bits == 0 || place.bits > 128 {
            return None;
        }
        let size = (place.bits / 8) as u32;
        Some(Extent { start: start + begin / 8, size, path: Some(place.path), ty: place.ty, index })
    }

    /// What the source calls a part of it.
    pub fn part_name(&self, extent: &Extent) -> String {
        let path = match &extent.path {
            Some(path) => path.clone(),
            None if self.element <= u64::from(extent.size) => String::new(),
            None => format!("<byte {}>", extent.start % self.element.max(1)),
        };
        match self.naming {
            Naming::Variable => format!("{}{path}", self.name),
            Naming::Single if path.is_empty() => format!("*{}", self.name),
            Naming::Single => match path.strip_prefix('.') {
                Some(field) => format!("{}->{field}", self.name),
                None => format!("(*{}){path}", self.name),
            },
            Naming::Several => format!("{}[{}]{path}", self.name, extent.index),
        }
    }

    /// What the source calls the parts of it that lie within so many bytes.
    pub fn part_names(&self, program: &Program, most: u64) -> Vec<String> {
        let size = self.element.saturating_mul(self.count).min(most);
        let (mut at, mut names) = (0, Vec::new());
        while at < size {
            let extent = self.extent(program, at, false);
            names.push(self.part_name(&extent));
            at = (extent.start + u64::from(extent.size)).max(at + 1);
        }
        names
    }

    /// Whether a null pointer may stand in its place.
    pub fn null(&self, pool: &mut Pool) -> Option<Expr> {
        self.address.map(|address| pool.eq(address, Expr::constant(0, 64)))
    }
}

/// What lies behind a pointer of a type.
struct Behind {
    element: u64,
    count: u64,
    terminated: bool,
}

impl Behind {
    fn of(program: &Program, to: Option<DebugTypeId>, bounds: &Bounds) -> Behind {
        let debug = &program.module.debug;
        let Some(to) = to else { return Behind { element: 1, count: bounds.elements, terminated: false } };
        let ty = &debug.types[debug.strip(to)];
        let element = (ty.bits / 8).max(1);
        match &ty.kind {
            DebugTypeKind::Basic(Encoding::SignedChar | Encoding::Utf) if element == 1 => {
                Behind { element, count: bounds.characters + 1, terminated: true }
            }
            DebugTypeKind::Basic(_) | DebugTypeKind::Enum { .. } => {
                Behind { element, count: bounds.elements, terminated: false }
            }
            DebugTypeKind::Pointer { .. } => Behind { element, count: bounds.elements.min(4), terminated: false },
            DebugTypeKind::Alias { .. } | DebugTypeKind::Other(_) => {
                Behind { element: 1, count: bounds.elements, terminated: false }
            }
            // A parameter `int m[2][3]` is a pointer to rows of three.
            DebugTypeKind::Array { .. } if is_numbers(program, to) => {
                Behind { element, count: bounds.elements, terminated: false }
            }
            DebugTypeKind::Record { .. } => Behind { element, count: bounds.records, terminated: false },
            _ => Behind { element, count: 1, terminated: false },
        }
    }

    fn bytes(&self) -> u64 {
        self.element.saturating_mul(self.count)
    }
}

/// Whether a type is an array of numbers, of whatever number of dimensions.
fn is_numbers(program: &Program, ty: DebugTypeId) -> bool {
    let debug = &program.module.debug;
    let mut ty = ty;
    for _ in 0..8 {
        match &debug.types[debug.strip(ty)].kind {
            DebugTypeKind::Array { element: Some(element), .. } => ty = *element,
            DebugTypeKind::Basic(_) | DebugTypeKind::Enum { .. } => return true,
            _ => return false,
        }
    }
    false
}
