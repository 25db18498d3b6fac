//! Records whose fields lie elsewhere in the other version of a program.
//!
//! A struct that gets a field, loses one or changes their order is still the same thing to whoever knows its fields by their
//! names. So an input object of such a type is two objects, one for each version and laid out as that version wants it:
//! fields of the same name hold the same, and outcomes are compared field by field. What only one version has is its own
//! affair: it may hold anything, and nothing can be said of a difference that depends on it.

use crate::case::{Memory, Outcome, Target};
use crate::inputs::InputObject;
use crate::names::unmarked;
use ir::debug::{DebugInfo, DebugTypeKind, Encoding, Field};
use ir::id::{DebugTypeId, Id};
use ir::module::Module;
use rustc_hash::FxHashMap;
use smt::expr::Expr;
use std::collections::BTreeMap;

/// A type that lies differently in the old version.
#[derive(Clone, Debug)]
pub struct Relaid {
    /// The type in the old version.
    pub old: DebugTypeId,
    /// Bytes in the old version.
    pub old_size: u64,
    /// Bytes in the new version.
    pub new_size: u64,
    /// What both versions have, by its place in the new one.
    pub moves: Vec<Move>,
    /// Places of the old version with their moves, ascending.
    by_old: Vec<(u64, usize)>,
}

/// A scalar that both versions have, or bytes that are moved as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where it begins in the old version, in bytes.
    pub old: u64,
    /// Where it begins in the new version.
    pub new: u64,
    /// Bytes in the old version.
    pub old_size: u32,
    /// Bytes in the new version.
    pub new_size: u32,
    /// What it is.
    pub what: What,
}

/// What is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// An integer, with whether it has a sign in the old and in the new version.
    Integer(bool, bool),
    /// A float.
    Float,
    /// A pointer, or bytes that may be one.
    Pointer,
    /// Something that means another thing in the other version.
    Incompatible,
}

/// Deepest nesting of types.
const DEEPEST: u32 = 32;

/// Most scalars of a type.
const MOST: usize = 1 << 14;

/// Records by their type in the new version. Types of `module` from `first_old` on are those of the old version.
pub fn find(module: &Module, first_old: usize) -> FxHashMap<DebugTypeId, Relaid> {
    let debug = &module.debug;
    let mut named: BTreeMap<&str, [Vec<DebugTypeId>; 2]> = BTreeMap::new();
    for id in debug.types.ids() {
        let ty = &debug.types[id];
        let record = match &ty.kind {
            DebugTypeKind::Record { .. } => id,
            // A record without a name of its own goes by that of its alias.
            DebugTypeKind::Alias { to: Some(to), qualifier: None } if debug.types[*to].name.is_none() => *to,
            _ => continue,
        };
        if let Some(name) = ty.name.filter(|_| is_record(debug, record)) {
            named.entry(module.str(name)).or_default()[usize::from(id.index() >= first_old)].push(record);
        }
    }
    let mut found = FxHashMap::default();
    for [new, old] in named.into_values() {
        let (Some(&first), Some(&before)) = (new.first(), old.first()) else { continue };
        // One name for several things says nothing.
        let alike = |ids: &[DebugTypeId]| ids.iter().all(|&id| same_layout(module, ids[0], id, 0));
        if !alike(&new) || !alike(&old) || same_layout(module, first, before, 0) {
            continue;
        }
        for id in new {
            if let Some(relaid) = between(module, before, id) {
                found.insert(id, relaid);
            }
        }
    }
    found
}

/// How a type of the old version and one of the new version go together, if they lie differently.
pub fn between(module: &Module, old: DebugTypeId, new: DebugTypeId) -> Option<Relaid> {
    if same_layout(module, old, new, 0) {
        return None;
    }
    let mut moves = Vec::new();
    Walk { module, moves: &mut moves }.go(old, new, 0, 0, 0)?;
    moves.sort_by_key(|one| one.new);
    let mut by_old: Vec<(u64, usize)> = moves.iter().enumerate().map(|(index, one)| (one.old, index)).collect();
    by_old.sort_unstable();
    let size = |id: DebugTypeId| (module.debug.bits(id) / 8).max(1);
    Some(Relaid { old, old_size: size(old), new_size: size(new), moves, by_old })
}

/// Turns an outcome of the old version into one that lies as the new version has it, in what both versions have.
pub fn as_new(outcome: &mut Outcome, of_objects: &[(&str, &Relaid)], of_variables: &[(&str, &Relaid)]) {
    let find = |known: &[(&str, &Relaid)], name: &str| -> Option<usize> {
        known.iter().position(|(known, _)| *known == unmarked(name))
    };
    let names: Vec<String> = outcome.objects.iter().map(|memory| memory.name.clone()).collect();
    let target = |target: &mut Target| match target {
        Target::Object { index, offset } if *offset != 0 => {
            let relaid = names.get(*index).and_then(|name| find(of_objects, name)).map(|at| of_objects[at].1);
            if let (Some(relaid), Ok(at)) = (relaid, u64::try_from(*offset)) {
                *offset = relaid.to_new(at).map_or(*offset, |(place, _)| place as i64);
            }
        }
        Target::Symbol { name, offset } if *offset != 0 => {
            let relaid = find(of_variables, name).map(|at| of_variables[at].1);
            if let (Some(relaid), Ok(at)) = (relaid, u64::try_from(*offset)) {
                *offset = relaid.to_new(at).map_or(*offset, |(place, _)| place as i64);
            }
        }
        _ => {}
    };
    outcome.result.each_target(&target);
    outcome.calls.iter_mut().flat_map(|call| call.args.iter_mut()).for_each(|arg| arg.each_target(&target));
    for memory in &mut outcome.objects {
        memory.pointers.iter_mut().for_each(|(_, to)| target(to));
        if let Some(at) = find(of_objects, &memory.name) {
            *memory = of_objects[at].1.memory(memory);
        }
    }
    for (name, memory) in &mut outcome.globals {
        memory.pointers.iter_mut().for_each(|(_, to)| target(to));
        if let Some(at) = find(of_variables, name) {
            *memory = of_variables[at].1.memory(memory);
        }
    }
}

/// Leaves of an outcome of the new version what both versions have.
pub fn only_common(outcome: &mut Outcome, of_objects: &[(&str, &Relaid)], of_variables: &[(&str, &Relaid)]) {
    let clear = |memory: &mut Memory, known: &[(&str, &Relaid)], name: &str| {
        let Some((_, relaid)) = known.iter().find(|(known, _)| *known == unmarked(name)) else { return };
        let is_common = |at: u64| relaid.to_old(at).is_some_and(|(_, one)| one.what != What::Incompatible);
        for (at, byte) in (0u64..).zip(&mut memory.bytes) {
            if !is_common(at) {
                *byte = 0;
            }
        }
        memory.pointers.retain(|(at, _)| is_common(*at));
    };
    for memory in &mut outcome.objects {
        let name = memory.name.clone();
        clear(memory, of_objects, &name);
    }
    for (name, memory) in &mut outcome.globals {
        clear(memory, of_variables, name);
    }
}

impl Relaid {
    /// What both versions have of memory of the old version, as it lies in the new one.
    fn memory(&self, old: &Memory) -> Memory {
        let count = (old.bytes.len() as u64).div_ceil(self.old_size);
        let mut new = Memory { bytes: vec![0; (count * self.new_size) as usize], ..old.clone() };
        new.pointers.clear();
        new.any.clear();
        for index in 0..count {
            for one in self.moves.iter().filter(|one| one.what != What::Incompatible) {
                let (from, to) = (index * self.old_size + one.old, index * self.new_size + one.new);
                let range = from as usize..(from + u64::from(one.old_size)) as usize;
                let Some(bytes) = old.bytes.get(range) else { continue };
                let negative =
                    matches!(one.what, What::Integer(true, _)) && bytes.last().is_some_and(|&byte| byte > 127);
                for at in 0..one.new_size as usize {
                    let rest = if negative { 0xff } else { 0 };
                    new.bytes[to as usize + at] = bytes.get(at).copied().unwrap_or(rest);
                }
                if old.is_any(from) {
                    new.any.push((to, one.new_size.into()));
                }
                let pointer = old.pointers.iter().find(|(at, _)| *at == from);
                new.pointers.extend(pointer.map(|(_, target)| (to, target.clone())));
            }
        }
        new.pointers.sort_by_key(|(at, _)| *at);
        new.any.sort_unstable();
        new
    }

    /// The place in the new version of a byte of the old one, of one or several elements.
    pub fn to_new(&self, at: u64) -> Option<(u64, &Move)> {
        let (index, inner) = (at / self.old_size, at % self.old_size);
        let position = self.by_old.partition_point(|(start, _)| *start <= inner).checked_sub(1)?;
        let one = &self.moves[self.by_old[position].1];
        let distance = inner - one.old;
        (distance < u64::from(one.old_size)).then(|| (index * self.new_size + one.new + distance, one))
    }

    /// The place in the old version of a byte of the new one.
    pub fn to_old(&self, at: u64) -> Option<(u64, &Move)> {
        let (index, inner) = (at / self.new_size, at % self.new_size);
        let position = self.moves.partition_point(|one| one.new <= inner).checked_sub(1)?;
        let one = &self.moves[position];
        let distance = inner - one.new;
        (distance < u64::from(one.new_size)).then(|| (index * self.old_size + one.old + distance, one))
    }

    /// What the old version has in place of an object of the new one.
    pub fn twin(&self, object: &InputObject) -> InputObject {
        let elements = object.size.as_const().map(|size| size.div_ceil(self.new_size));
        let size = elements.map_or(object.size, |elements| Expr::constant(elements * self.old_size, 64));
        InputObject { ty: Some(self.old), element: self.old_size, size, ..object.clone() }
    }
}

fn is_record(debug: &DebugInfo, id: DebugTypeId) -> bool {
    let ty = &debug.types[id];
    let rust = ty.language == ir::debug::Language::Rust;
    !rust
        && ty.bits > 0
        && matches!(&ty.kind, DebugTypeKind::Record { fields, variants: None, .. } if !fields.is_empty())
}

/// Whether types are laid out the same way, with the same names. What pointers lead to does not count.
fn same_layout(module: &Module, a: DebugTypeId, b: DebugTypeId, depth: u32) -> bool {
    let debug = &module.debug;
    let (a, b) = (debug.strip(a), debug.strip(b));
    if a == b || depth > DEEPEST {
        return true;
    }
    let (first, second) = (&debug.types[a], &debug.types[b]);
    let inner = |a: Option<DebugTypeId>, b: Option<DebugTypeId>| match (a, b) {
        (Some(a), Some(b)) => same_layout(module, a, b, depth + 1),
        (a, b) => a.is_some() == b.is_some(),
    };
    first.bits == second.bits
        && match (&first.kind, &second.kind) {
            (
                DebugTypeKind::Record { union, fields, .. },
                DebugTypeKind::Record { union: other, fields: others, .. },
            ) => {
                let same = |(f, g): (&Field, &Field)| {
                    name(module, f) == name(module, g)
                        && (f.offset, f.bits, f.bit_field) == (g.offset, g.bits, g.bit_field)
                        && inner(f.ty, g.ty)
                };
                union == other && fields.len() == others.len() && fields.iter().zip(others).all(same)
            }
            (DebugTypeKind::Array { element, counts }, DebugTypeKind::Array { element: other, counts: others }) => {
                counts == others && inner(*element, *other)
            }
            (DebugTypeKind::Record { .. } | DebugTypeKind::Array { .. }, _)
            | (_, DebugTypeKind::Record { .. } | DebugTypeKind::Array { .. }) => false,
            _ => class(debug, a) == class(debug, b),
        }
}

fn name<'m>(module: &'m Module, field: &Field) -> Option<&'m str> {
    field.name.map(|id| module.str(id))
}

/// What a scalar is; `None` for what is none.
fn class(debug: &DebugInfo, ty: DebugTypeId) -> Option<What> {
    match &debug.types[debug.strip(ty)].kind {
        DebugTypeKind::Basic(Encoding::Float) => Some(What::Float),
        DebugTypeKind::Basic(Encoding::Signed | Encoding::SignedChar) => Some(What::Integer(true, true)),
        DebugTypeKind::Basic(_) => Some(What::Integer(false, false)),
        DebugTypeKind::Enum { base, .. } => match base {
            Some(base) => class(debug, *base).filter(|what| matches!(what, What::Integer(..))),
            None => Some(What::Integer(false, false)),
        },
        DebugTypeKind::Pointer { .. } => Some(What::Pointer),
        _ => None,
    }
}

struct Walk<'a> {
    module: &'a Module,
    moves: &'a mut Vec<Move>,
}

impl Walk<'_> {
    /// Adds what both types have; `None` if that is too much.
    fn go(&mut self, old: DebugTypeId, new: DebugTypeId, at_old: u64, at_new: u64, depth: u32) -> Option<()> {
        let module = self.module;
        let debug = &module.debug;
        let (old, new) = (debug.strip(old), debug.strip(new));
        if depth > DEEPEST || self.moves.len() > MOST {
            return None;
        }
        let (first, second) = (&debug.types[old], &debug.types[new]);
        match (&first.kind, &second.kind) {
            (
                DebugTypeKind::Record { union: false, fields: before, variants: None },
                DebugTypeKind::Record { union: false, fields: after, variants: None },
            ) => {
                for field in after {
                    let twin = match field.name {
                        Some(_) => before.iter().find(|twin| name(module, twin) == name(module, field)),
                        // Parts without a name are told apart by their order.
                        None => {
                            let nameless = |field: &&Field| field.name.is_none();
                            let position =
                                after.iter().filter(nameless).position(|other| std::ptr::eq(other, field))?;
                            before.iter().filter(nameless).nth(position)
                        }
                    };
                    let Some((twin, (twin_ty, ty))) = twin.and_then(|twin| Some((twin, twin.ty.zip(field.ty)?))) else {
                        continue;
                    };
                    if field.bit_field || twin.bit_field {
                        self.bit_field(before, after, field, twin, at_old, at_new);
                    } else if twin.offset % 8 == 0 && field.offset % 8 == 0 {
                        self.go(twin_ty, ty, at_old + twin.offset / 8, at_new + field.offset / 8, depth + 1)?;
                    }
                }
                Some(())
            }
            (
                DebugTypeKind::Array { element: Some(before), counts },
                DebugTypeKind::Array { element: Some(after), counts: others },
            ) => {
                let count = |counts: &[Option<u64>]| counts.iter().try_fold(1u64, |all, one| all.checked_mul((*one)?));
                let count = count(counts)?.min(count(others)?);
                let strides = [before, after].map(|element| debug.bits(*element) / 8);
                for index in 0..count {
                    let (at_old, at_new) = (at_old + index * strides[0], at_new + index * strides[1]);
                    self.go(*before, *after, at_old, at_new, depth + 1)?;
                }
                Some(())
            }
            _ => {
                let bytes = [old, new].map(|ty| (debug.bits(ty) / 8) as u32);
                match (class(debug, old), class(debug, new)) {
                    (Some(What::Integer(was_signed, _)), Some(What::Integer(is_signed, _))) => {
                        self.add(at_old, at_new, bytes, What::Integer(was_signed, is_signed));
                    }
                    (Some(a), Some(b)) if a == b && bytes[0] == bytes[1] => self.add(at_old, at_new, bytes, a),
                    // Unions, and whatever else has no scalars of its own.
                    (None, None) if same_layout(module, old, new, depth) => {
                        let step = if bytes[0] % 8 == 0 { 8 } else { 1 };
                        for at in (0..u64::from(bytes[0])).step_by(step) {
                            self.add(at_old + at, at_new + at, [step as u32; 2], What::Pointer);
                        }
                    }
                    _ => self.add(at_old, at_new, bytes, What::Incompatible),
                }
                Some(())
            }
        }
    }

    fn add(&mut self, old: u64, new: u64, [old_size, new_size]: [u32; 2], what: What) {
        if old_size > 0 && new_size > 0 {
            self.moves.push(Move { old, new, old_size, new_size, what });
        }
    }

    /// Bytes that hold nothing but bit-fields which lie beside each other as before.
    fn bit_field(&mut self, before: &[Field], after: &[Field], field: &Field, twin: &Field, at_old: u64, at_new: u64) {
        let module = self.module;
        let over = |fields: &[Field], byte: u64| -> Vec<(Option<String>, i64, u64)> {
            let covers = |field: &&Field| field.offset < byte * 8 + 8 && byte * 8 < field.offset + field.bits;
            let place = |field: &Field| {
                (name(module, field).map(str::to_owned), field.offset as i64 - byte as i64 * 8, field.bits)
            };
            fields.iter().filter(covers).map(place).collect()
        };
        let bytes = |field: &Field| field.offset / 8..(field.offset + field.bits).div_ceil(8);
        for (byte, twin_byte) in bytes(field).zip(bytes(twin)) {
            let same = over(after, byte) == over(before, twin_byte) && field.bit_field && twin.bit_field;
            let what = if same { What::Integer(false, false) } else { What::Incompatible };
            if !self.moves.iter().any(|one| one.new == at_new + byte) {
                self.add(at_old + twin_byte, at_new + byte, [1; 2], what);
            }
        }
    }
}
