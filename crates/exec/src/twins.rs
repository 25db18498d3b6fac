//! Input objects of two versions: [what lies differently](crate::relaid) in them is two objects with the same values.

use crate::containers::{self, Container};
use crate::contents::Unset;
use crate::given::symbol_of;
use crate::inputs::{Extent, InputId, InputObject, Inputs, Leaf, LeafValue, Origin};
use crate::memory::Kind;
use crate::relaid::{Move, Relaid, What};
use crate::run::{Run, Worker};
use crate::rust_inputs::is_several_things;
use crate::state::{State, Stop};
use crate::value::{ObjectId, Pointer};
use evidence::Assumption;
use ir::debug::Language;
use ir::id::SymbolId;
use smt::expr::{Expr, SymbolId as SmtSymbol};
use smt::pool::{Pool, Reading};
use std::cmp::Ordering;
use std::collections::BTreeSet;

impl Inputs {
    /// The object that stands for both versions.
    pub fn canonical(&self, id: InputId) -> InputId {
        match self.object(id).origin {
            Origin::Old(new) => new,
            _ => id,
        }
    }

    /// Whether fields of some object lie elsewhere in the old version.
    pub fn has_twins(&self) -> bool {
        !self.twins.is_empty()
    }

    /// What an object of the new version is in the old one, if it lies differently there.
    pub fn twin(&self, id: InputId) -> Option<InputId> {
        self.twins.get(&id).copied()
    }

    /// What only one version has, by its symbol: its name.
    pub fn one_sided(&self, symbol: SmtSymbol) -> Option<&str> {
        self.one_sided.get(&symbol).map(String::as_str)
    }

    /// What is taken for granted of objects that lie differently in the two versions.
    pub(crate) fn scope_of_twins(&self, state: &State, scope: &mut Vec<Assumption>) {
        let looked_at = state.leaves.iter_back().map(|(id, _)| *id);
        let used = state.inputs.iter().map(|(id, _)| *id).chain(looked_at).map(|id| self.canonical(id));
        let names: BTreeSet<&str> =
            used.filter(|id| self.twins.contains_key(id)).map(|id| self.object(id).name.as_str()).collect();
        scope.extend(names.into_iter().map(|name| Assumption::CommonFields { of: name.to_owned() }));
        let names: BTreeSet<&str> = state
            .leaves
            .iter_back()
            .filter(|leaf| self.fitting.contains(leaf))
            .map(|(id, _)| self.object(*id).name.as_str())
            .collect();
        scope.extend(names.into_iter().map(|name| Assumption::CommonNumbers { of: name.to_owned() }));
    }
}

impl Run<'_, '_> {
    /// The scalar of this state's version that stands for one of either version, if there is one.
    pub fn leaf_of_side(&mut self, (id, at): (InputId, u64)) -> Option<(InputId, u64)> {
        let own = self.worker.of_side(id, self.state.old);
        if own == id {
            return Some((id, at));
        }
        let relaid = self.worker.relaid(self.worker.inputs.canonical(id))?;
        let (at, _) = if self.state.old { relaid.to_old(at)? } else { relaid.to_new(at)? };
        self.leaf(own, at, false).ok().map(|leaf| (own, leaf.offset))
    }

    /// A record that lies differently in the other version is used: memory must be known to hold one, or its bytes would be
    /// taken for the same in both versions.
    pub(crate) fn check_record(&mut self, pointer: Pointer) -> Result<(), Stop> {
        if pointer.object == ObjectId::NONE {
            return Ok(());
        }
        let object = self.object(pointer.object);
        let (kind, source, unset) = (object.kind, object.contents.source, object.contents.unset);
        let program = self.worker.program;
        let known = match (kind, source) {
            (_, Some(source)) => self.worker.relaid(self.worker.inputs.canonical(source)).is_some(),
            (Kind::Input(id), None) => self.worker.relaid(self.worker.inputs.canonical(id)).is_some(),
            (Kind::Global { .. }, None) if unset == Unset::Input => program
                .object_symbol(pointer.object)
                .is_some_and(|symbol| program.relaid_variables.contains_key(&program.canonical(symbol))),
            _ => true,
        };
        if known {
            return Ok(());
        }
        let name = self.describe(pointer.object);
        Err(self.unsupported(format!("{name}, which is used as a record that changed and is not declared as one")))
    }

    /// A leaf of an object: where it has a place in both versions, both have the same there.
    pub(crate) fn leaf_of_version(&mut self, id: InputId, extent: &Extent, pointer: bool) -> Result<Leaf, Stop> {
        let new = self.worker.inputs.canonical(id);
        if self.worker.is_unclear(new) {
            let name = self.worker.inputs.object(id).part_name(extent);
            return Err(self.unsupported(format!("{name}, of which nobody can say what it is in the other version")));
        }
        let (module, object) = (&self.worker.program.module, self.worker.inputs.object(id));
        let container = object.ty.and_then(|ty| containers::around(module, ty, extent.start % object.element.max(1)));
        let unknown = container.filter(|container| container.layout.is_none() && extent.path.is_some());
        if let Some(Container { name, .. }) = unknown {
            let what = format!("{}, a container of the library ({name})", object.name);
            return Err(self.unsupported(what));
        }
        let several = object.ty.is_some_and(|ty| {
            let language = module.debug.types[module.debug.strip(ty)].language;
            language == Language::Rust && is_several_things(module, ty, extent.start % object.element.max(1))
        });
        if several {
            let what = format!("{}, which is something else in each variant of an enum", object.part_name(extent));
            return Err(self.unsupported(what));
        }
        let Some(relaid) = self.worker.relaid(new) else { return Ok(self.make_leaf(id, extent)) };
        if id == new {
            let mut leaf = self.make_leaf(id, extent);
            match relaid.to_old(extent.start) {
                Some((_, moved)) if moved.what != What::Incompatible => self.make_fit(id, &mut leaf, moved),
                _ => self.mark_one_sided(&leaf, extent, id),
            }
            return Ok(leaf);
        }
        let Some((start, &moved)) = relaid.to_new(extent.start) else {
            let leaf = self.make_leaf(id, extent);
            self.mark_one_sided(&leaf, extent, id);
            return Ok(leaf);
        };
        let leaf = self.leaf(new, start, pointer)?;
        let width = extent.size * 8;
        let (offset, size) = (extent.start, extent.size);
        match (moved.what, leaf.value) {
            (What::Incompatible, _) => {}
            (What::Truth, LeafValue::Bits(value)) if leaf.offset == start && moved.new_size == leaf.size => {
                let pool = &mut self.worker.pool;
                let value = pool.zext(value, width.max(leaf.size * 8));
                let value = LeafValue::Bits(pool.extract(value, 0, width));
                return Ok(Leaf { offset, size, value, ..leaf });
            }
            _ if (leaf.offset, leaf.size) == (start, size) => return Ok(Leaf { offset, ..leaf }),
            (What::Integer(_, is_signed), LeafValue::Bits(value))
                if leaf.offset == start && moved.old_size == size && moved.new_size == leaf.size =>
            {
                self.worker.inputs.fitting.insert((id, offset));
                let pool = &mut self.worker.pool;
                let value = match size > leaf.size {
                    true => extend(pool, value, is_signed, width),
                    false => pool.extract(value, 0, width),
                };
                return Ok(Leaf { offset, size, value: LeafValue::Bits(value), ..leaf });
            }
            _ => {}
        }
        let name = self.worker.inputs.object(id).part_name(extent);
        Err(self.unsupported(format!("{name}, which is something else in the other version")))
    }

    /// Makes a number of the new version one of those that the old version can hold too.
    fn make_fit(&mut self, id: InputId, leaf: &mut Leaf, moved: &Move) {
        let LeafValue::Bits(value) = leaf.value else { return };
        if moved.new_size != leaf.size {
            return;
        }
        let pool = &mut self.worker.pool;
        let width = leaf.size * 8;
        let info = symbol_of(pool, value).map(|symbol| pool.symbol_info(symbol));
        let (name, reading) = info.map_or((String::new(), Reading::Unsigned), |info| (info.name.clone(), info.reading));
        match moved.what {
            What::Truth => {
                let truth = pool.symbol_as(name, 1, Reading::Unsigned);
                leaf.value = LeafValue::Bits(pool.zext(truth, width));
            }
            What::Integer(was_signed, is_signed) => {
                if moved.old_size == moved.new_size && was_signed == is_signed {
                    return;
                }
                let narrow = match moved.old_size < moved.new_size {
                    true => {
                        let reading = match reading {
                            Reading::Signed | Reading::Unsigned if was_signed => Reading::Signed,
                            Reading::Signed | Reading::Unsigned => Reading::Unsigned,
                            other => other,
                        };
                        pool.symbol_as(name, moved.old_size * 8, reading)
                    }
                    false => value,
                };
                leaf.value = LeafValue::Bits(extend(pool, narrow, was_signed, width));
                // The version with a sign has negative numbers, unless it is wider.
                let negative = match moved.old_size.cmp(&moved.new_size) {
                    Ordering::Less => was_signed && !is_signed,
                    Ordering::Equal => was_signed != is_signed,
                    Ordering::Greater => is_signed && !was_signed,
                };
                if negative {
                    let zero = Expr::constant(0, pool.width(narrow));
                    leaf.assume = Some(pool.sle(zero, narrow));
                }
            }
            _ => return,
        }
        self.worker.inputs.fitting.insert((id, leaf.offset));
    }

    /// Notes what no place of the other version stands for; bytes between fields are such, too.
    fn mark_one_sided(&mut self, leaf: &Leaf, extent: &Extent, id: InputId) {
        let name = self.worker.inputs.object(id).part_name(extent);
        let value = match leaf.value {
            LeafValue::Bits(value) => Some(value),
            LeafValue::Pointer(to) => self.worker.inputs.object(to).address,
            LeafValue::End(_) | LeafValue::Inside(..) | LeafValue::Variable(..) => None,
        };
        if let Some(symbol) = value.and_then(|value| symbol_of(&self.worker.pool, value)) {
            self.worker.inputs.one_sided.insert(symbol, name);
        }
    }
}

impl<'p> Worker<'p> {
    /// How an object of the new version goes together with what the old one has in its place, if fields lie elsewhere there.
    pub fn relaid(&self, id: InputId) -> Option<&'p Relaid> {
        let program = self.program;
        if program.relaid.is_empty() && program.relaid_variables.is_empty() {
            return None;
        }
        let object = self.inputs.object(id);
        match object.origin {
            Origin::Global(symbol) => program.relaid_variables.get(&symbol),
            _ => program.relaid.get(&program.module.debug.strip(object.ty?)),
        }
    }

    /// Whether nobody can say what an object is in the other version.
    fn is_unclear(&self, id: InputId) -> bool {
        let program = self.program;
        let object = self.inputs.object(id);
        if matches!(object.origin, Origin::Global(symbol) if program.is_unclear_variable(symbol)) {
            return true;
        }
        let Some(ty) = object.ty.map(|ty| program.module.debug.strip(ty)) else { return false };
        program.unclear.contains(&ty) || program.relaid.contains_key(&ty) && object.size.as_const().is_none()
    }

    /// What an object is in one version.
    pub(crate) fn of_side(&mut self, id: InputId, old: bool) -> InputId {
        let new = self.inputs.canonical(id);
        if !old {
            return new;
        }
        if let Some(twin) = self.inputs.twin(new) {
            return twin;
        }
        let Some(relaid) = self.relaid(new) else { return new };
        let twin = InputObject { origin: Origin::Old(new), ..relaid.twin(self.inputs.object(new)) };
        let twin = self.inputs.add(twin);
        self.inputs.twins.insert(new, twin);
        if self.copies.contains(&new) {
            self.copies.insert(twin);
        }
        twin
    }

    /// The input object that a variable's contents come from.
    pub(crate) fn variable_input(&self, symbol: SymbolId) -> Option<InputId> {
        let canonical = self.program.canonical(symbol);
        let new = self.inputs.find(Origin::Global(canonical))?;
        match self.program.relaid_variables.contains_key(&canonical) && symbol != canonical {
            true => self.inputs.twin(new),
            false => Some(new),
        }
    }

    /// The variable that an input object is.
    pub(crate) fn variable_of(&self, id: InputId, object: &InputObject) -> Option<SymbolId> {
        match object.origin {
            Origin::Global(symbol) => Some(symbol),
            Origin::Old(new) => match self.inputs.object(new).origin {
                Origin::Global(symbol) if self.inputs.twin(new) == Some(id) => {
                    let twins = self.program.twins.iter();
                    let mut old = twins.filter(|(old, new)| **new == symbol && *old != *new).map(|(old, _)| *old);
                    old.next()
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a run looked at something that only one version has.
    pub fn looked_at_one_sided(&self, state: &State) -> bool {
        let symbol = |(id, at): &(InputId, u64)| match self.inputs.leaf_at(*id, *at).map(|leaf| leaf.value) {
            Some(LeafValue::Bits(value)) => symbol_of(&self.pool, value),
            Some(LeafValue::Pointer(to)) => {
                self.inputs.object(to).address.and_then(|value| symbol_of(&self.pool, value))
            }
            _ => None,
        };
        let mut symbols = state.leaves.iter_back().filter_map(symbol);
        !self.inputs.one_sided.is_empty() && symbols.any(|symbol| self.inputs.one_sided.contains_key(&symbol))
    }

    /// Whether expressions depend on something that only one version has: its name.
    pub fn one_sided_in(&self, roots: &[Expr]) -> Option<&str> {
        if self.inputs.one_sided.is_empty() {
            return None;
        }
        self.pool.symbols_in(roots).keys().find_map(|&symbol| self.inputs.one_sided(symbol))
    }
}

fn extend(pool: &mut Pool, value: Expr, signed: bool, width: u32) -> Expr {
    if signed { pool.sext(value, width) } else { pool.zext(value, width) }
}
