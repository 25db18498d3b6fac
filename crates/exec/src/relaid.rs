//! Records whose fields lie elsewhere in the other version of a program.
//!
//! A struct that gets a field, loses one or changes their order is still the same thing to whoever knows its fields by their
//! names. So an input object of such a type is two objects, one for each version and laid out as that version wants it:
//! fields of the same name hold the same, and outcomes are compared field by field. What only one version has is its own
//! affair: it may hold anything, and nothing can be said of a difference that depends on it.

mod outcomes;
mod registers;
mod walk;

pub use outcomes::{Unfit, as_new, only_common, unfit};
pub use registers::InRegisters;
use walk::Walk;

use crate::inputs::InputObject;
use ir::debug::{DebugInfo, DebugTypeKind, Encoding, Field, ScopeKind, Variant};
use ir::id::{DebugTypeId, Id, ScopeId};
use ir::module::Module;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::expr::Expr;
use std::collections::{BTreeMap, BTreeSet};

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
    /// Where records and arrays begin, and arrays end, in the old and in the new version.
    borders: Vec<(u64, u64)>,
}

/// A scalar that both versions have, or several that follow each other.
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
    /// How many follow each other: one, unless they have the same size in both versions.
    pub count: u64,
    /// What it is.
    pub what: What,
}

/// What is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// An integer, with whether it has a sign in the old and in the new version.
    Integer(bool, bool),
    /// A truth value in one version, an integer in the other one.
    Truth,
    /// A float.
    Float,
    /// A pointer, or bytes that may be one.
    Pointer,
    /// Something that means another thing in the other version.
    Incompatible,
}

/// Deepest nesting of types.
const DEEPEST: u32 = 32;

/// Most different scalars of a type.
const MOST: usize = 1 << 14;

/// Records of two versions that go by the same names.
#[derive(Default)]
pub struct Records {
    /// Those of the new version that lie differently in the old one.
    pub relaid: FxHashMap<DebugTypeId, Relaid>,
    /// Those of which nobody can say what they were in the old version: several have the same name.
    pub unclear: FxHashSet<DebugTypeId>,
    /// Names of all that changed.
    pub names: BTreeSet<String>,
    /// Their full names and bytes, in either version.
    kinds: BTreeSet<(String, u64)>,
}

impl Records {
    /// Whether a record of the IR, by its name there and its bytes, may be one that changed. Without bytes any will do.
    pub fn has(&self, name: &str, bytes: Option<u64>) -> bool {
        let wanted = without_arguments(name);
        let last = |name: &str| name.rsplit("::").next().unwrap_or_default().to_owned();
        self.kinds.iter().any(|(known, size)| {
            // What has no name of its own in a scope is spelled in several ways.
            let unclear = known.contains('(') || wanted.contains('(');
            (*known == wanted || unclear && last(known) == last(&wanted)) && bytes.is_none_or(|bytes| bytes == *size)
        })
    }

    fn add(&mut self, name: &str, module: &Module, ids: &[DebugTypeId], scopes: &FxHashMap<DebugTypeId, ScopeId>) {
        let debug = &module.debug;
        for &id in ids {
            // Records of functions go by their own name in the IR.
            let local =
                |scope: ScopeId| debug.scope_chain(scope).any(|id| debug.scopes[id].kind == ScopeKind::Function);
            let scope = scopes.get(&id).filter(|scope| debug.types[id].name.is_some() && !local(**scope));
            let full = scope.map_or_else(|| name.to_owned(), |scope| debug.qualified_name(&module.strings, *scope));
            self.kinds.insert((without_arguments(&full), debug.bits(id) / 8));
        }
    }
}

/// The scopes of types.
fn scopes(module: &Module) -> FxHashMap<DebugTypeId, ScopeId> {
    let scopes = module.debug.scopes.iter_ids();
    scopes.filter(|(_, scope)| scope.kind == ScopeKind::Type).filter_map(|(id, scope)| Some((scope.ty?, id))).collect()
}

/// A name without arguments of templates, which the IR leaves out at its end.
fn without_arguments(name: &str) -> String {
    let mut depth = 0u32;
    let plain = |c: &char| match c {
        '<' => {
            depth += 1;
            false
        }
        '>' => {
            depth = depth.saturating_sub(1);
            false
        }
        _ => depth == 0,
    };
    name.chars().filter(plain).collect()
}

/// Types of one version: all of a module, or those from one on.
#[derive(Clone, Copy)]
pub struct Types<'m> {
    /// The module.
    pub module: &'m Module,
    /// Where they begin and end.
    pub range: (usize, usize),
}

impl<'m> Types<'m> {
    /// All types of a module.
    pub fn all(module: &'m Module) -> Types<'m> {
        Types { module, range: (0, module.debug.types.len()) }
    }

    /// Records by their names.
    pub(crate) fn records(self) -> BTreeMap<&'m str, Vec<DebugTypeId>> {
        let debug = &self.module.debug;
        let mut named: BTreeMap<&str, Vec<DebugTypeId>> = BTreeMap::new();
        let all = || (self.range.0..self.range.1).map(DebugTypeId::from_index);
        // A case of an enum is a part of it: what `Some` holds, only the whole option says.
        let cases: FxHashSet<DebugTypeId> = all()
            .filter_map(|id| match &debug.types[id].kind {
                DebugTypeKind::Record { variants: Some(variants), .. } => Some(variants),
                _ => None,
            })
            .flat_map(|variants| variants.cases.iter().filter_map(|case| case.field.ty))
            .collect();
        for id in all().filter(|id| !cases.contains(id)) {
            let ty = &debug.types[id];
            let record = match &ty.kind {
                DebugTypeKind::Record { .. } => id,
                // A record without a name of its own goes by that of its alias.
                DebugTypeKind::Alias { to: Some(to), qualifier: None } if debug.types[*to].name.is_none() => *to,
                _ => continue,
            };
            if let Some(name) = ty.name.filter(|_| is_record(debug, record)) {
                named.entry(self.module.str(name)).or_default().push(record);
            }
        }
        named
    }
}

/// Finds records that changed.
pub fn find(old: Types, new: Types) -> Records {
    let (mut before, after) = (old.records(), new.records());
    rename(&mut before, &after, old, new);
    let (mut found, mut known) = (Records::default(), None);
    for (name, of_new) in &after {
        let Some(of_old) = before.get(name) else { continue };
        let (of_old, of_new) = (layouts(old.module, of_old), layouts(new.module, of_new));
        let same = |a: &[DebugTypeId], b: &[DebugTypeId]| same_layout((old.module, a[0]), (new.module, b[0]), 0);
        // What lies somewhere in the other version as it does in this one is clear, however many have that name.
        let changed: Vec<&Vec<DebugTypeId>> =
            of_new.iter().filter(|ids| !of_old.iter().any(|twin| same(twin, ids))).collect();
        let gone: Vec<&Vec<DebugTypeId>> =
            of_old.iter().filter(|ids| !of_new.iter().any(|twin| same(ids, twin))).collect();
        let (Some(first), Some(twin)) = (changed.first(), gone.first()) else { continue };
        found.names.insert((*name).to_owned());
        let scopes = known.get_or_insert_with(|| (scopes(old.module), scopes(new.module)));
        gone.iter().for_each(|ids| found.add(name, old.module, ids, &scopes.0));
        changed.iter().for_each(|ids| found.add(name, new.module, ids, &scopes.1));
        let clear = changed.len() == 1 && gone.len() == 1;
        match between((old.module, twin[0]), (new.module, first[0])).filter(|_| clear) {
            Some(relaid) => found.relaid.extend(first.iter().map(|&id| (id, relaid.clone()))),
            None => found.unclear.extend(changed.into_iter().flatten()),
        }
    }
    found
}

/// Descriptions of records by what they describe: each unit of a program has its own.
fn layouts(module: &Module, ids: &[DebugTypeId]) -> Vec<Vec<DebugTypeId>> {
    let mut found: Vec<Vec<DebugTypeId>> = Vec::new();
    for &id in ids {
        match found.iter_mut().find(|known| same_layout((module, known[0]), (module, id), 0)) {
            Some(known) => known.push(id),
            None => found.push(vec![id]),
        }
    }
    found
}

/// Gives records that were renamed their new names: what parameters of functions led to, and lead to now.
fn rename<'m>(
    before: &mut BTreeMap<&'m str, Vec<DebugTypeId>>,
    after: &BTreeMap<&'m str, Vec<DebugTypeId>>,
    old: Types,
    new: Types<'m>,
) {
    let parameters = |types: Types| -> BTreeMap<String, Vec<Option<String>>> {
        let debug = &types.module.debug;
        let mut found = BTreeMap::new();
        for scope in debug.scopes.iter() {
            let (Some(name), Some(ty)) = (scope.linkage_name.or(scope.name), scope.ty) else { continue };
            let DebugTypeKind::Function { types: list } = &debug.types[ty].kind else { continue };
            if !(types.range.0..types.range.1).contains(&ty.index()) {
                continue;
            }
            let record = |ty: &Option<DebugTypeId>| record_behind(types.module, (*ty)?);
            found.insert(types.module.str(name).to_owned(), list.iter().map(record).collect());
        }
        found
    };
    let gone: Vec<&str> = before.keys().copied().filter(|name| !after.contains_key(name)).collect();
    if gone.is_empty() || after.keys().all(|name| before.contains_key(name)) {
        return;
    }
    let (of_old, of_new) = (parameters(old), parameters(new));
    let mut renamed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (function, records) in &of_new {
        let Some(others) = of_old.get(function).filter(|others| others.len() == records.len()) else { continue };
        for pair in others.iter().zip(records) {
            if let (Some(was), Some(is)) = pair
                && gone.contains(&was.as_str())
                && after.contains_key(is.as_str())
                && !before.contains_key(is.as_str())
            {
                renamed.entry(is.clone()).or_default().insert(was.clone());
            }
        }
    }
    for name in after.keys() {
        let Some(was) = renamed.get(*name).filter(|names| names.len() == 1).and_then(BTreeSet::first) else { continue };
        if let Some(records) = before.get(was.as_str()).cloned() {
            before.insert(name, records);
        }
    }
}

/// The record that a pointer or reference leads to, or that a type is.
pub fn record_behind(module: &Module, ty: DebugTypeId) -> Option<String> {
    let debug = &module.debug;
    let mut ty = ty;
    for _ in 0..DEEPEST {
        let one = &debug.types[ty];
        ty = match &one.kind {
            DebugTypeKind::Record { .. } => return one.name.map(|name| module.str(name).to_owned()),
            DebugTypeKind::Alias { to: Some(to), .. } => {
                if debug.types[*to].name.is_none() && is_record(debug, *to) {
                    return one.name.map(|name| module.str(name).to_owned());
                }
                *to
            }
            DebugTypeKind::Pointer { to: Some(to), .. } => *to,
            _ => return None,
        };
    }
    None
}

/// Whether two types are laid out the same way, with the same names.
pub fn is_laid_alike(old: Typed, new: Typed) -> bool {
    same_layout(old, new, 0)
}

/// How a type of the old version and one of the new version go together, if they lie differently.
pub fn between(old: Typed, new: Typed) -> Option<Relaid> {
    if same_layout(old, new, 0) {
        return None;
    }
    let (mut moves, mut borders) = (Vec::new(), Vec::new());
    Walk { old: old.0, new: new.0, moves: &mut moves, borders: &mut borders }.go(old.1, new.1, 0, 0, 0)?;
    moves.sort_by_key(|one| one.new);
    let mut by_old: Vec<(u64, usize)> = moves.iter().enumerate().map(|(index, one)| (one.old, index)).collect();
    by_old.sort_unstable();
    let size = |(module, id): Typed| (module.debug.bits(id) / 8).max(1);
    Some(Relaid { old: old.1, old_size: size(old), new_size: size(new), moves, by_old, borders })
}

/// A type of a module.
pub type Typed<'m> = (&'m Module, DebugTypeId);

impl Relaid {
    /// Whether something lies elsewhere, or is something else: not only behind the end of what was there.
    pub fn is_shifted(&self) -> bool {
        let moved = |one: &Move| one.old != one.new || one.old_size != one.new_size || one.what == What::Incompatible;
        self.new_size < self.old_size || self.moves.iter().any(moved)
    }

    /// The place in the new version of a byte of the old one, of one or several elements.
    pub fn to_new(&self, at: u64) -> Option<(u64, &Move)> {
        let (index, inner) = (at / self.old_size, at % self.old_size);
        let position = self.by_old.partition_point(|(start, _)| *start <= inner).checked_sub(1)?;
        let one = &self.moves[self.by_old[position].1];
        let distance = inner - one.old;
        let place = index.checked_mul(self.new_size)?.checked_add(one.new + distance)?;
        (distance < u64::from(one.old_size) * one.count).then_some((place, one))
    }

    /// The place in the old version of a byte of the new one.
    pub fn to_old(&self, at: u64) -> Option<(u64, &Move)> {
        let (index, inner) = (at / self.new_size, at % self.new_size);
        let position = self.moves.partition_point(|one| one.new <= inner).checked_sub(1)?;
        let one = &self.moves[position];
        let distance = inner - one.new;
        let place = index.checked_mul(self.old_size)?.checked_add(one.old + distance)?;
        (distance < u64::from(one.new_size) * one.count).then_some((place, one))
    }

    /// Whether pointers to places of the old and of the new version lead to the same, if that can be said: a place may be that
    /// of a scalar, and of the record or array that begins there, or ends. `scalar` says which is meant, if that is known.
    pub fn same_place(&self, old: u64, new: u64, scalar: Option<bool>) -> Option<bool> {
        // Before the beginning of an object nothing is known.
        if old > i64::MAX as u64 || new > i64::MAX as u64 {
            return None;
        }
        // Where an element begins, another one ends.
        let begins = |at: u64, size: u64| at > 0 && at.is_multiple_of(size);
        if begins(old, self.old_size) || begins(new, self.new_size) {
            let same = old / self.old_size == new / self.new_size;
            let both = begins(old, self.old_size) && begins(new, self.new_size);
            return (scalar == Some(false) && both).then_some(same);
        }
        let mut may_be: Vec<bool> = Vec::new();
        if scalar != Some(false) {
            let (to_new, to_old) = (self.to_new(old).map(|(at, _)| at), self.to_old(new).map(|(at, _)| at));
            may_be.extend(to_new.map(|at| at == new));
            may_be.extend(to_old.map(|at| at == old));
        }
        if scalar != Some(true) {
            let (index, inner) = (old / self.old_size, old % self.old_size);
            let (other, others) = (new / self.new_size, new % self.new_size);
            let of_old = self.borders.iter().filter(|(at, _)| *at == inner);
            let of_new = self.borders.iter().filter(|(_, at)| *at == others);
            may_be.extend(of_old.map(|(_, at)| index == other && *at == others));
            may_be.extend(of_new.map(|(at, _)| index == other && *at == inner));
        }
        let first = *may_be.first()?;
        may_be.iter().all(|one| *one == first).then_some(first)
    }

    /// What the old version has in place of an object of the new one.
    pub fn twin(&self, object: &InputObject) -> InputObject {
        let elements = object.size.as_const().map(|size| size.div_ceil(self.new_size));
        // Nothing can be read of what has a size that depends on the input.
        let size = elements.map_or(u64::MAX >> 1, |elements| elements.saturating_mul(self.old_size));
        let size = Expr::constant(size, 64);
        InputObject { ty: Some(self.old), element: self.old_size, size, ..object.clone() }
    }
}

fn is_record(debug: &DebugInfo, id: DebugTypeId) -> bool {
    let ty = &debug.types[id];
    let holds = |fields: &[Field], variants: bool| !fields.is_empty() || variants;
    ty.bits > 0
        && matches!(&ty.kind, DebugTypeKind::Record { fields, variants, .. } if holds(fields, variants.is_some()))
}

/// Whether types are laid out the same way, with the same names. Of what pointers lead to only numbers count.
fn same_layout((old, a): Typed, (new, b): Typed, depth: u32) -> bool {
    let (a, b) = (old.debug.strip(a), new.debug.strip(b));
    if std::ptr::eq(old, new) && a == b || depth > DEEPEST {
        return true;
    }
    let (first, second) = (&old.debug.types[a], &new.debug.types[b]);
    let inner = |a: Option<DebugTypeId>, b: Option<DebugTypeId>| match (a, b) {
        (Some(a), Some(b)) => same_layout((old, a), (new, b), depth + 1),
        (a, b) => a.is_some() == b.is_some(),
    };
    first.bits == second.bits
        && match (&first.kind, &second.kind) {
            (
                DebugTypeKind::Record { union, fields, variants },
                DebugTypeKind::Record { union: other, fields: others, variants: cases },
            ) => {
                let same = |(f, g): (&Field, &Field)| {
                    name(old, f) == name(new, g)
                        && (f.offset, f.bits, f.bit_field) == (g.offset, g.bits, g.bit_field)
                        && inner(f.ty, g.ty)
                };
                let same_case = |(a, b): (&Variant, &Variant)| a.value == b.value && same((&a.field, &b.field));
                let same_cases = match (variants, cases) {
                    (None, None) => true,
                    (Some(a), Some(b)) => a.cases.len() == b.cases.len() && a.cases.iter().zip(&b.cases).all(same_case),
                    _ => false,
                };
                let same_fields = fields.len() == others.len() && fields.iter().zip(others).all(same);
                union == other && same_fields && same_cases
            }
            (DebugTypeKind::Array { element, counts }, DebugTypeKind::Array { element: other, counts: others }) => {
                counts == others && inner(*element, *other)
            }
            (DebugTypeKind::Record { .. } | DebugTypeKind::Array { .. }, _)
            | (_, DebugTypeKind::Record { .. } | DebugTypeKind::Array { .. }) => false,
            (DebugTypeKind::Pointer { .. }, DebugTypeKind::Pointer { .. }) => same_pointee((old, a), (new, b)),
            _ => class(&old.debug, a) == class(&new.debug, b),
        }
}

/// Whether pointers lead to the same kind of number, where they lead to numbers.
fn same_pointee(old: Typed, new: Typed) -> bool {
    let pointee = |(module, ty): Typed| match &module.debug.types[module.debug.strip(ty)].kind {
        DebugTypeKind::Pointer { to: Some(to), .. } => {
            class(&module.debug, *to).map(|what| (what, module.debug.bits(*to)))
        }
        _ => None,
    };
    match (pointee(old), pointee(new)) {
        (Some((what, bits)), Some((other, others))) => {
            bits == others && (what == What::Float) == (other == What::Float)
        }
        _ => true,
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
