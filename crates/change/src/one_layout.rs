//! Both versions with one layout of their records: that of the new version.
//!
//! A struct that gets a field moves all fields behind it, and with them every function that uses one of these changes, although its
//! source did not. [`one_layout`] makes the versions as they would be if both were compiled with one definition: fields of the same
//! name and type lie at the same place, and fields that only the old version has lie behind all others. What is
//! the same then is the same *field by field*. Functions that use such a record as bytes are named ([`OneLayout::as_bytes`]); `sizeof` is not
//! the same.
//!
//! Only structs are changed whose fields debug info knows one by one; unions and Rust's records, whose fields
//! the code reaches by plain offsets, stay what they are. A number that is the size of such a struct in both versions counts as
//! one number where memory for it is allocated, or all of it is copied or set.

use crate::changes::{Kind, compare};
use crate::line_constants::{Replacement, Replacements, replaced};
use crate::raw_bytes;
use ir::constant::{Const, ConstKind};
use ir::debug::{DebugTypeKind, Field};
use ir::id::{ConstId, DebugTypeId, FuncId, InstId, NamedTypeId, TypeId};
use ir::inst::{InstKind, Value};
use ir::layout::TypeLayouts;
use ir::module::Module;
use ir::types::{NamedType, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Both versions with one layout.
#[derive(Clone, Debug)]
pub struct OneLayout {
    /// The old version.
    pub old: Module,
    /// The new version.
    pub new: Module,
    /// Records that lay differently.
    pub records: BTreeSet<String>,
    /// Functions of each version that use such a record as bytes: that they do the same here says nothing.
    pub as_bytes: [BTreeSet<FuncId>; 2],
}

/// An element of a struct type.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Element {
    /// Name and type of the field; nothing for padding.
    field: Option<(String, String)>,
    ty: TypeId,
}

/// A struct that lies differently in the versions.
struct Record {
    name: String,
    ids: [NamedTypeId; 2],
    /// All elements: those of the new version, then those that only the old one has.
    merged: Vec<(usize, Element)>,
    /// Where each element of the old version is among all of them.
    moved: Vec<Option<u64>>,
    packed: bool,
}

/// Sizes of a struct in bytes: in the old version, in the new one, and with all elements.
struct Sizes {
    old: u64,
    new: u64,
    merged: u64,
}

/// Deepest nesting of types and constants.
const MAX_DEPTH: u32 = 64;

/// Both versions with one layout of their records; nothing if no record moved, or none can be related.
pub fn one_layout(old: &Module, new: &Module) -> Option<OneLayout> {
    let records = moved_records(old, new);
    if records.is_empty() {
        return None;
    }
    let mut versions = [old.clone(), new.clone()];
    for record in &records {
        for side in [0, 1] {
            lay_out(&mut versions[side], record, side, [old, new])?;
        }
    }
    for version in &mut versions {
        version.type_layouts = TypeLayouts::compute(&version.types, &version.layout);
    }
    let moved: FxHashMap<NamedTypeId, &Record> = records.iter().map(|record| (record.ids[0], record)).collect();
    let sizes = sizes([old, new], &versions);
    let names: BTreeSet<String> = records.iter().map(|record| record.name.clone()).collect();
    let by_version = [0, 1].map(|side| {
        let moved: FxHashSet<NamedTypeId> = records.iter().map(|record| record.ids[side]).collect();
        raw_bytes::Records::new([old, new][side], moved, names.clone())
    });
    let as_bytes = by_version.each_ref().map(raw_bytes::Records::users);
    let [laid_old, laid_new] = versions;
    let mut result = OneLayout {
        old: Moving { before: old, after: laid_old, moved: &moved, known: FxHashMap::default() }.run(),
        new: laid_new,
        records: names,
        as_bytes,
    };
    settle_sizes(&mut result, &sizes, &by_version);
    Some(result)
}

/// Structs of the same name that lie differently, as far as each element is known.
fn moved_records(old: &Module, new: &Module) -> Vec<Record> {
    let by_name = |module: &Module| -> BTreeMap<String, NamedTypeId> {
        let named = module.types.named.iter_ids().filter(|(_, ty)| ty.body.is_some());
        named.map(|(id, ty)| (module.str(ty.name).to_owned(), id)).collect()
    };
    let news = by_name(new);
    let mut found = Vec::new();
    for (name, of_old) in by_name(old) {
        let Some(&of_new) = news.get(&name) else { continue };
        if shape(old, old.types.named[of_old].body) == shape(new, new.types.named[of_new].body) {
            continue;
        }
        let (Some(a), Some(b)) = (elements(old, &name, of_old), elements(new, &name, of_new)) else { continue };
        let is_packed = |module: &Module, id: NamedTypeId| match module.types.named[id].body {
            Some(body) => matches!(module.types.resolve(body), Type::Struct { packed: true, .. }),
            None => false,
        };
        let mut merged: Vec<(usize, Element)> = b.iter().map(|element| (1, element.clone())).collect();
        let mut moved = Vec::new();
        for element in &a {
            let place = merged.iter().position(|(_, other)| element.field.is_some() && other.field == element.field);
            moved.push(match (place, &element.field) {
                (Some(place), _) => Some(place as u64),
                (None, None) => None,
                (None, Some(_)) => {
                    merged.push((0, element.clone()));
                    Some(merged.len() as u64 - 1)
                }
            });
        }
        let packed = is_packed(old, of_old) || is_packed(new, of_new);
        found.push(Record { name: plain(&name).to_owned(), ids: [of_old, of_new], merged, moved, packed });
    }
    found
}

/// The name that the source has for a struct type.
fn plain(name: &str) -> &str {
    let name = name.strip_prefix("struct.").or_else(|| name.strip_prefix("class.")).unwrap_or(name);
    name.rsplit("::").next().unwrap_or(name)
}

/// The elements of a struct, if debug info knows each of them.
fn elements(module: &Module, name: &str, id: NamedTypeId) -> Option<Vec<Element>> {
    if !name.starts_with("struct.") && !name.starts_with("class.") {
        return None;
    }
    let body = module.types.named[id].body?;
    let Type::Struct { fields: types, .. } = module.types.resolve(body) else { return None };
    let offsets = module.type_layouts.offsets(body)?;
    let size = module.type_layouts.get(body)?.size;
    let fields = fields_of(module, plain(name), size)?;
    let mut known = 0;
    let mut elements = Vec::with_capacity(types.len());
    for (&ty, &offset) in types.iter().zip(offsets) {
        let bits = module.type_layouts.get(ty)?.size * 8;
        let field = fields.iter().find(|field| field.offset == offset * 8 && field.bits == bits && !field.bit_field);
        let begin = offset * 8;
        let packed: Vec<&Field> =
            fields.iter().filter(|field| field.bit_field && (begin..begin + bits).contains(&field.offset)).collect();
        let name_of = |field: &Field| field.name.map_or(String::new(), |name| module.str(name).to_owned());
        let field = match field {
            Some(field) => {
                known += 1;
                Some((name_of(field), shape(module, Some(ty))))
            }
            // Bit-fields that share their bytes are one field, the same with the same ones at the same places.
            None if !packed.is_empty() => {
                known += packed.len();
                let each =
                    packed.iter().map(|field| format!("{}@{}:{};", name_of(field), field.offset - begin, field.bits));
                Some((each.collect(), shape(module, Some(ty))))
            }
            None if is_bytes(module, ty) => None,
            None => return None,
        };
        elements.push(Element { field, ty });
    }
    let names: BTreeSet<&(String, String)> = elements.iter().filter_map(|element| element.field.as_ref()).collect();
    let is_known = known == fields.len() && names.len() == elements.iter().flat_map(|element| &element.field).count();
    is_known.then_some(elements)
}

fn is_bytes(module: &Module, ty: TypeId) -> bool {
    match module.types.resolve(ty) {
        Type::Array(element, _) => *module.types.resolve(*element) == Type::Int(8),
        _ => false,
    }
}

/// The fields of a struct as the source declares them, if there is one struct of that name and size.
fn fields_of<'m>(module: &'m Module, name: &str, size: u64) -> Option<&'m [Field]> {
    let debug = &module.debug;
    let is_called = |id: Option<ir::id::StrId>| id.is_some_and(|id| module.str(id) == name);
    let aliased: BTreeSet<DebugTypeId> = debug
        .types
        .iter()
        .filter(|ty| is_called(ty.name))
        .filter_map(|ty| match ty.kind {
            DebugTypeKind::Alias { to, qualifier: None } => to,
            _ => None,
        })
        .collect();
    let mut found: Option<&[Field]> = None;
    for (id, ty) in debug.types.iter_ids() {
        let DebugTypeKind::Record { union: false, fields, variants: None } = &ty.kind else { continue };
        let is_it = is_called(ty.name) || ty.name.is_none() && aliased.contains(&id);
        if !is_it || debug.bits(id) != size * 8 || fields.is_empty() {
            continue;
        }
        // The same struct may be described several times.
        let places = |fields: &[Field]| -> Vec<(Option<&str>, u64, u64)> {
            fields.iter().map(|field| (field.name.map(|name| module.str(name)), field.offset, field.bits)).collect()
        };
        match found {
            Some(other) if places(other) != places(fields) => return None,
            _ => found = Some(fields),
        }
    }
    found
}

/// What a type is, the same for the same type of another module.
fn shape(module: &Module, ty: Option<TypeId>) -> String {
    let mut text = String::new();
    match ty {
        Some(ty) => write_shape(module, ty, MAX_DEPTH, &mut text),
        None => text.push_str("opaque"),
    }
    text
}

fn write_shape(module: &Module, ty: TypeId, depth: u32, text: &mut String) {
    use std::fmt::Write;
    let Some(depth) = depth.checked_sub(1) else { return text.push('?') };
    let ty = match named(module, ty) {
        // Names of what has none in the source are numbers, which move.
        Some((_, name)) if !is_anonymous(name) => return text.push_str(name),
        Some((body, _)) => body,
        None => ty,
    };
    match module.types.resolve(ty) {
        Type::Array(element, count) => {
            let _ = write!(text, "[{count} x ");
            write_shape(module, *element, depth, text);
            text.push(']');
        }
        Type::Struct { fields, packed } => {
            text.push_str(if *packed { "<{" } else { "{" });
            for &field in fields {
                write_shape(module, field, depth, text);
                text.push(',');
            }
            text.push('}');
        }
        Type::Vector { element, count, scalable } => {
            let _ = write!(text, "<{scalable} {count} x ");
            write_shape(module, *element, depth, text);
            text.push('>');
        }
        Type::Other(name) => text.push_str(module.str(*name)),
        plain => {
            let _ = write!(text, "{plain:?}");
        }
    }
}

/// Name and body of a named struct.
fn named(module: &Module, ty: TypeId) -> Option<(TypeId, &str)> {
    let id = module.types.named_of(ty)?;
    Some((module.types.named[id].body?, module.str(module.types.named[id].name)))
}

fn is_anonymous(name: &str) -> bool {
    name.contains(".anon") || !name.contains('.')
}

/// Gives a struct of a version all elements.
fn lay_out(version: &mut Module, record: &Record, side: usize, origins: [&Module; 2]) -> Option<()> {
    let mut fields = Vec::with_capacity(record.merged.len());
    for (origin, element) in &record.merged {
        fields.push(import(version, origins[*origin], element.ty, *origin == side, MAX_DEPTH)?);
    }
    let body = version.types.intern(Type::Struct { fields: fields.into(), packed: record.packed });
    version.types.named[record.ids[side]].body = Some(body);
    Some(())
}

/// A type of another module in this one.
fn import(into: &mut Module, from: &Module, ty: TypeId, is_own: bool, depth: u32) -> Option<TypeId> {
    if is_own {
        return Some(ty);
    }
    let depth = depth.checked_sub(1)?;
    if let Some(id) = from.types.named_of(ty) {
        let NamedType { name, body } = &from.types.named[id];
        let name = from.str(*name);
        if is_anonymous(name) {
            return import(into, from, (*body)?, false, depth);
        }
        let known = into.types.named.iter_ids().find(|(_, other)| into.str(other.name) == name).map(|(id, _)| id);
        let id = match known {
            Some(id) => id,
            None => {
                let body = import(into, from, (*body)?, false, depth)?;
                let name = into.strings.intern_str(name);
                into.types.named.push(NamedType { name, body: Some(body) })
            }
        };
        return Some(into.types.intern(Type::Named(id)));
    }
    let ty = match from.types.resolve(ty) {
        Type::Array(element, count) => Type::Array(import(into, from, *element, false, depth)?, *count),
        Type::Vector { element, count, scalable } => {
            let element = import(into, from, *element, false, depth)?;
            Type::Vector { element, count: *count, scalable: *scalable }
        }
        Type::Struct { fields, packed } => {
            let fields: Option<Vec<TypeId>> =
                fields.iter().map(|&field| import(into, from, field, false, depth)).collect();
            Type::Struct { fields: fields?.into(), packed: *packed }
        }
        plain @ (Type::Int(_) | Type::Float(_) | Type::Ptr(_)) => plain.clone(),
        _ => return None,
    };
    Some(into.types.intern(ty))
}

/// Rewrites the old version for its new layout.
struct Moving<'a> {
    before: &'a Module,
    after: Module,
    moved: &'a FxHashMap<NamedTypeId, &'a Record>,
    known: FxHashMap<ConstId, ConstId>,
}

impl Moving<'_> {
    fn run(mut self) -> Module {
        let functions: Vec<FuncId> = self.before.functions.ids().collect();
        for function in functions {
            for id in self.before.functions[function].insts.ids() {
                let mut kind = self.before.functions[function].insts[id].kind.clone();
                kind.map_operands(|value| match value {
                    Value::Const(id) => Value::Const(self.constant(id, MAX_DEPTH)),
                    other => other,
                });
                if let InstKind::Gep { source, indices, .. } = &mut kind {
                    self.indices(*source, indices);
                }
                self.after.functions[function].insts[id].kind = kind;
            }
        }
        for id in self.before.globals.ids() {
            if let Some(initializer) = self.before.globals[id].initializer {
                self.after.globals[id].initializer = Some(self.constant(initializer, MAX_DEPTH));
            }
        }
        self.after
    }

    /// Indices of an address, for elements that moved; constants of either form of the module.
    fn indices(&mut self, source: TypeId, indices: &mut [Value]) {
        let mut ty = source;
        for value in indices.iter_mut().skip(1) {
            let Value::Const(index) = *value else {
                // Elements of arrays are all of one type.
                let Some(element) = self.before.types.element(ty, 0) else { return };
                ty = element;
                continue;
            };
            let Constant { number: Some(number), ty: index_ty } = self.number(index) else { return };
            if let Some(place) = self.place(ty, number) {
                *value =
                    Value::Const(self.after.consts.intern(Const { ty: index_ty, kind: ConstKind::Int(place.into()) }));
            }
            let Some(element) = self.before.types.element(ty, number) else { return };
            ty = element;
        }
    }

    fn number(&self, id: ConstId) -> Constant {
        let Const { ty, kind } = &self.after.consts[id];
        let number = match kind {
            ConstKind::Int(number) => u64::try_from(*number).ok(),
            _ => None,
        };
        Constant { number, ty: *ty }
    }

    /// Where an element of a struct that moved is now.
    fn place(&self, ty: TypeId, index: u64) -> Option<u64> {
        let record = self.moved.get(&self.before.types.named_of(ty)?)?;
        record.moved.get(usize::try_from(index).ok()?).copied().flatten()
    }

    fn constant(&mut self, id: ConstId, depth: u32) -> ConstId {
        if let Some(&known) = self.known.get(&id) {
            return known;
        }
        let Some(depth) = depth.checked_sub(1) else { return id };
        let Const { ty, kind } = self.before.consts[id].clone();
        let kind = match kind {
            ConstKind::Offset { base, bytes, inbounds } => {
                let behind = match self.before.consts[base].kind {
                    ConstKind::Symbol(symbol) => match self.before.symbols[symbol].kind {
                        ir::module::SymbolKind::Variable(id) => Some(self.before.globals[id].ty),
                        _ => None,
                    },
                    _ => None,
                };
                let moved = behind.zip(u64::try_from(bytes).ok()).and_then(|(ty, bytes)| self.offset(ty, bytes, depth));
                let bytes = moved.and_then(|bytes| i64::try_from(bytes).ok()).unwrap_or(bytes);
                ConstKind::Offset { base: self.constant(base, depth), bytes, inbounds }
            }
            ConstKind::Gep { source, operands, flags } => {
                let (base, rest) = operands.split_first().map_or((None, &[][..]), |(base, rest)| (Some(*base), rest));
                let mut indices: Vec<Value> = rest.iter().map(|&index| Value::Const(index)).collect();
                self.indices(source, &mut indices);
                let base = base.map(|base| self.constant(base, depth));
                let indices = indices.into_iter().filter_map(|value| match value {
                    Value::Const(id) => Some(id),
                    _ => None,
                });
                ConstKind::Gep { source, operands: base.into_iter().chain(indices).collect(), flags }
            }
            ConstKind::Aggregate(parts) => {
                let parts: Vec<ConstId> = parts.iter().map(|&part| self.constant(part, depth)).collect();
                ConstKind::Aggregate(self.all_elements(ty, parts))
            }
            ConstKind::Cast { op, value } => ConstKind::Cast { op, value: self.constant(value, depth) },
            ConstKind::Binary { op, flags, left, right } => {
                let (left, right) = (self.constant(left, depth), self.constant(right, depth));
                ConstKind::Binary { op, flags, left, right }
            }
            ConstKind::Compare { predicate, left, right } => {
                let (left, right) = (self.constant(left, depth), self.constant(right, depth));
                ConstKind::Compare { predicate, left, right }
            }
            ConstKind::Select(parts) => ConstKind::Select(parts.map(|part| self.constant(part, depth))),
            other => other,
        };
        let moved = self.after.consts.intern(Const { ty, kind });
        self.known.insert(id, moved);
        moved
    }

    /// Elements of a constant struct in their places; what only the new version has is zero.
    fn all_elements(&mut self, ty: TypeId, parts: Vec<ConstId>) -> Box<[ConstId]> {
        let record = self.before.types.named_of(ty).and_then(|id| self.moved.get(&id).copied());
        let Some(record) = record else { return parts.into() };
        let mut all: Vec<ConstId> = Vec::with_capacity(record.merged.len());
        for place in 0..record.merged.len() as u64 {
            let old = record.moved.iter().position(|moved| *moved == Some(place));
            let part = old.and_then(|old| parts.get(old).copied());
            all.push(part.unwrap_or_else(|| {
                let ty = self.after.types.element(ty, place).unwrap_or(ty);
                let kind = match self.after.types.resolve(ty) {
                    Type::Int(_) => ConstKind::Int(0),
                    Type::Float(_) => ConstKind::Float(0),
                    Type::Ptr(_) => ConstKind::Null,
                    _ => ConstKind::Zero,
                };
                self.after.consts.intern(Const { ty, kind })
            }));
        }
        all.into()
    }

    /// Where a byte of a type is now.
    fn offset(&self, ty: TypeId, bytes: u64, depth: u32) -> Option<u64> {
        let depth = depth.checked_sub(1)?;
        let size = |module: &Module, ty: TypeId| module.type_layouts.get(ty).map(|layout| layout.size);
        match self.before.types.resolve(ty) {
            Type::Array(element, _) => {
                let old = size(self.before, *element).filter(|size| *size > 0)?;
                let inner = self.offset(*element, bytes % old, depth)?;
                (bytes / old).checked_mul(size(&self.after, *element)?)?.checked_add(inner)
            }
            Type::Struct { .. } => {
                let body = |module: &Module| match module.types.named_of(ty) {
                    Some(id) => module.types.named[id].body,
                    None => Some(ty),
                };
                let offsets = self.before.type_layouts.offsets(body(self.before)?)?;
                let at = offsets.partition_point(|offset| *offset <= bytes).checked_sub(1)?;
                let place = self.place(ty, at as u64).unwrap_or(at as u64);
                let begin = *self.after.type_layouts.offsets(body(&self.after)?)?.get(usize::try_from(place).ok()?)?;
                let element = self.before.types.element(ty, at as u64)?;
                begin.checked_add(self.offset(element, bytes - offsets[at], depth)?)
            }
            _ => Some(bytes),
        }
    }
}

/// An integer constant, if it is one.
struct Constant {
    number: Option<u64>,
    ty: TypeId,
}

/// Sizes of structs that are not the same everywhere.
fn sizes(before: [&Module; 2], after: &[Module; 2]) -> Vec<Sizes> {
    let size = |module: &Module, name: &str| {
        let named = module.types.named.iter().find(|ty| module.str(ty.name) == name)?;
        Some(module.type_layouts.get(named.body?)?.size)
    };
    let names = before[0].types.named.iter().map(|ty| before[0].str(ty.name));
    names
        .filter_map(|name| {
            let sizes =
                Sizes { old: size(before[0], name)?, new: size(before[1], name)?, merged: size(&after[1], name)? };
            (sizes.old != sizes.new).then_some(sizes)
        })
        .collect()
}

/// Makes numbers equal that are the size of one struct in both versions, where they can be nothing else.
fn settle_sizes(versions: &mut OneLayout, sizes: &[Sizes], records: &[raw_bytes::Records<'_>; 2]) {
    if sizes.is_empty() {
        return;
    }
    let changes = compare(&versions.old, &versions.new);
    let mut replacements = [Replacements::new(), Replacements::new()];
    for function in changes.functions.iter().filter(|function| function.kind == Kind::Changed) {
        let (Some(old), Some(new), Some(diff)) = (function.old, function.new, &function.diff) else { continue };
        for (_, id, _) in versions.old.functions[old].body() {
            let Some(partner) = diff.of_old(id).partner else { continue };
            if !records[0].takes_size(old, id) || !records[1].takes_size(new, partner) {
                continue;
            }
            let (a, b) = (numbers(&versions.old, old, id), numbers(&versions.new, new, partner));
            for (at, pair) in a.iter().zip(&b).enumerate() {
                let (Some(a), Some(b)) = pair else { continue };
                let is_size = |sizes: &&Sizes| *a == u128::from(sizes.old) && *b == u128::from(sizes.new);
                if let Some(sizes) = sizes.iter().find(is_size) {
                    let merged = u128::from(sizes.merged);
                    replacements[0].insert((old, id, at), Replacement::Number(merged));
                    replacements[1].insert((new, partner, at), Replacement::Number(merged));
                }
            }
        }
    }
    let [of_old, of_new] = replacements;
    versions.old = replaced(&versions.old, of_old);
    versions.new = replaced(&versions.new, of_new);
}

/// The operands of an instruction that are numbers of at least 32 bits.
fn numbers(module: &Module, function: FuncId, inst: InstId) -> Vec<Option<u128>> {
    let mut found = Vec::new();
    let kind = &module.functions[function].insts[inst].kind;
    if matches!(kind, InstKind::Phi { .. } | InstKind::Marker(_) | InstKind::Gep { .. }) {
        return found;
    }
    kind.for_each_operand(|value| {
        found.push(match value {
            Value::Const(id) => match (&module.consts[id].kind, module.types.resolve(module.consts[id].ty)) {
                (ConstKind::Int(number), Type::Int(32..)) => Some(*number),
                _ => None,
            },
            _ => None,
        });
    });
    found
}
