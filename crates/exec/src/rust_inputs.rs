//! Inputs of Rust types: only values that safe code can make.
//!
//! References lead to something, slices and vectors to as many elements as they say, at most [`Bounds::elements`] (text:
//! [`Bounds::characters`]), tags are those of a case, characters are characters. These are assumptions on the leaf that
//! they are about, so a path that looks at it makes them. Text is assumed to be ASCII, which is part of the
//! scope of a path that looks at it.
//!
//! [`Bounds::elements`]: crate::inputs::Bounds::elements
//! [`Bounds::characters`]: crate::inputs::Bounds::characters

use crate::containers::{self, Layout};
use crate::inputs::{Buffer, Extent, InputId, InputObject, Leaf, LeafValue, Naming, Origin};
use crate::run::Run;
use evidence::Assumption;
use ir::debug::{DebugInfo, DebugTypeKind, Encoding, Field, Language};
use ir::id::{DebugTypeId, StrId};
use ir::module::Module;
use smt::expr::Expr;
use smt::pool::{Pool, Reading};

/// Deepest nesting of types.
const DEEPEST: u32 = 64;

/// The largest number of nanoseconds that make no second.
const NANOSECONDS: u64 = 999_999_999;

/// What a scalar lies in.
#[derive(Default)]
struct Around {
    /// Records from the outermost on, with where they begin in bits.
    records: Vec<(DebugTypeId, u64)>,
    /// Values of tags that share the scalar's place, each with whether other values are those of another case.
    tags: Vec<(Vec<u64>, bool)>,
}

/// Where a slice or vector keeps its length, in bytes from the beginning of the object.
struct Counted {
    length: u64,
    element: Option<DebugTypeId>,
    text: bool,
}

impl Run<'_, '_> {
    /// The leaf of a Rust type, where there is more to say of it than of any other language's.
    pub(crate) fn rust_leaf(&mut self, id: InputId, object: &InputObject, extent: &Extent, name: &str) -> Option<Leaf> {
        let program = self.worker.program;
        let module = &program.module;
        let debug = &module.debug;
        let ty = debug.strip(extent.ty?);
        if debug.types[ty].language != Language::Rust {
            return None;
        }
        let element = object.element.max(1);
        let base = extent.start / element * element;
        let mut around = Around::default();
        let whole = object.ty.filter(|_| extent.path.is_some());
        let place = ((extent.start - base) * 8, u64::from(extent.size) * 8);
        if let Some(whole) = whole {
            around.find(debug, whole, 0, place, 0);
        }
        match &debug.types[ty].kind {
            DebugTypeKind::Pointer { to, .. } if extent.size == 8 => {
                Some(self.rust_pointer(id, object, extent, &around, *to, name, base))
            }
            DebugTypeKind::Pointer { .. } => None,
            _ => self.rust_scalar(id, extent, &around, ty, name, base),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "all that is known of one leaf")]
    fn rust_pointer(
        &mut self,
        id: InputId,
        object: &InputObject,
        extent: &Extent,
        around: &Around,
        to: Option<DebugTypeId>,
        name: &str,
        base: u64,
    ) -> Leaf {
        let program = self.worker.program;
        let module = &program.module;
        let bounds = self.worker.bounds.clone();
        let raw = extent.ty.is_some_and(|ty| type_name(module, module.debug.strip(ty)).starts_with('*'));
        let non_null = !raw || around.named(module, "NonNull<").is_some() || around.named(module, "Unique<").is_some();
        let null_case = around.tags.iter().any(|(values, _)| values.contains(&0));
        let counted = self.counted(extent, around, to, base);
        let ty = counted.as_ref().map_or(to, |counted| counted.element);
        let bytes = ty.map_or(1, |ty| (module.debug.bits(ty) / 8).max(1));
        // What is compared as a part of a vector is not compared by itself.
        let inner = extent.start % object.element.max(1);
        let vector = object.ty.and_then(|ty| containers::around(module, ty, inner)).and_then(|found| found.layout);
        let mut made = InputObject {
            name: plain_name(name),
            naming: Naming::Single,
            ty,
            element: bytes,
            count: 1,
            size: Expr::constant(bytes, 64),
            address: None,
            origin: Origin::Pointer(id, extent.start),
            depth: object.depth + 1,
            terminator: None,
            exact: ty.is_some(),
            align: 16,
            memory: true,
            held: matches!(vector, Some(Layout::Rust { .. })),
        };
        let mut assume = None;
        let text = counted.as_ref().is_some_and(|counted| counted.text);
        if let Some(counted) = counted
            && let Ok(length) = self.leaf(id, counted.length, false)
            && let LeafValue::Bits(count) = length.value
        {
            made.naming = Naming::Several;
            made.count = if text { bounds.characters } else { bounds.elements };
            made.exact = true;
            made.size = self.worker.pool.mul(count, Expr::constant(bytes, 64));
            assume = length.assume;
        }
        let deep = object.depth >= bounds.depth;
        if !non_null || null_case {
            let pool = &mut self.worker.pool;
            let address = pool.symbol_as(made.name.clone(), 64, Reading::Address);
            made.address = Some(address);
            if deep {
                let null = pool.eq(address, Expr::constant(0, 64));
                assume = Some(assume.map_or(null, |other| pool.and(other, null)));
            }
        }
        let to = self.worker.inputs.add(made);
        if let Some((vector, start)) = around.named(module, "Vec<")
            && around.named(module, "RawVecInner<").is_some()
            && let Some(length) = field_offset(module, vector, &["len"])
        {
            let length_at = base + (start + length) / 8;
            self.worker.inputs.buffers.insert(to, Buffer { vector: id, length_at, element: bytes });
        }
        if text {
            self.worker.inputs.mark_text(to);
        }
        Leaf { offset: extent.start, size: extent.size, value: LeafValue::Pointer(to), assume, ascii: false }
    }

    fn rust_scalar(
        &mut self,
        id: InputId,
        extent: &Extent,
        around: &Around,
        ty: DebugTypeId,
        name: &str,
        base: u64,
    ) -> Option<Leaf> {
        let module = &self.worker.program.module;
        let width = extent.size * 8;
        if width > 64 {
            return None;
        }
        let bounds = self.worker.bounds.clone();
        let path = extent.path.clone().unwrap_or_default();
        let text = self.worker.inputs.is_text(id);
        let reading = crate::inputs::reading(self.worker.program, ty, extent.size);
        let symbol = |pool: &mut Pool| pool.symbol_as(name, width, reading);
        let leaf = |value: Expr, assume: Option<Expr>, ascii: bool| {
            let (offset, size) = (extent.start, extent.size);
            Some(Leaf { offset, size, value: LeafValue::Bits(value), assume, ascii })
        };
        let most = |pool: &mut Pool, value: Expr, most: u64| pool.ule(value, Expr::constant(most, width));
        if text {
            let value = symbol(&mut self.worker.pool);
            let assume = self.worker.pool.ult(value, Expr::constant(0x80, width));
            return leaf(value, Some(assume), true);
        }
        // The smallest things first: what the scalar itself may be.
        let slice = around.records.last().is_some_and(|(ty, _)| is_slice(module, *ty)) && path.ends_with("length");
        let capacity =
            around.named(module, "RawVecInner<").is_some() && around.named(module, "UsizeNoHighBit").is_some();
        let vector = around.records.last().filter(|(ty, _)| type_name(module, *ty).starts_with("Vec<"));
        let vector = vector.filter(|_| path.ends_with(".len")).copied();
        let non_zero = around.named(module, "NonZero<").is_some();
        let tag = path.ends_with("<tag>");
        let shared = !around.tags.is_empty() && !tag;
        let boolean = matches!(module.debug.types[ty].kind, DebugTypeKind::Basic(Encoding::Boolean));
        // Whoever has a shared pointer is counted.
        let of_shared = around.named(module, "RcInner<").or(around.named(module, "ArcInner<")).is_some();
        let count = of_shared && (path.contains("strong") || path.contains("weak"));
        let nanoseconds = around.named(module, "Nanoseconds").is_some();
        if !(slice || capacity || vector.is_some() || non_zero || tag || shared || count || nanoseconds) {
            return None;
        }
        let value = match slice || vector.is_some() {
            true => {
                let whole = length_name(name);
                let is_text = around.records.last().is_some_and(|(record, _)| is_text(module, *record))
                    || around.named(module, "String").is_some();
                let most = match vector {
                    Some(_) => bounds.elements.max(bounds.characters),
                    None if is_text => bounds.characters,
                    None => bounds.elements,
                };
                let limit = Assumption::Elements { of: whole.trim_end_matches(".len()").to_owned(), most };
                self.worker.inputs.limits.insert((id, extent.start), limit);
                self.worker.pool.symbol_as(whole, width, reading)
            }
            false => symbol(&mut self.worker.pool),
        };
        if capacity {
            let limit = Assumption::FewElementsOfRoom;
            self.worker.inputs.limits.insert((id, extent.start), limit);
        }
        let mut inner = self.valid(Some(ty), value, width);
        let pool = &mut self.worker.pool;
        if boolean {
            inner = Some(most(pool, value, 1));
        } else if slice {
            let record = around.records.last().map(|(ty, _)| *ty);
            let is_text = record.is_some_and(|record| is_text(module, record));
            inner = Some(most(pool, value, if is_text { bounds.characters } else { bounds.elements }));
        } else if capacity {
            let is_text = around.named(module, "String").is_some();
            inner = Some(most(pool, value, if is_text { bounds.characters } else { bounds.elements }));
        } else if nanoseconds && !shared {
            inner = Some(most(pool, value, NANOSECONDS));
        } else if (non_zero || count) && !shared {
            inner = Some(pool.ne(value, Expr::constant(0, width)));
        } else if let Some((record, start)) = vector
            && let Some(offset) = field_offset(module, record, &["buf", "inner", "cap"])
            && let Ok(room) = self.leaf(id, base + (start + offset) / 8, false)
            && let LeafValue::Bits(capacity) = room.value
        {
            self.worker.inputs.together.insert((id, extent.start), room.offset);
            let pool = &mut self.worker.pool;
            let most = most(pool, value, bounds.elements.max(bounds.characters));
            let fits = pool.ule(value, capacity);
            let both = pool.and(most, fits);
            // Whoever chooses values must not choose another room later.
            inner = Some(room.assume.map_or(both, |valid| pool.and(both, valid)));
        }
        let pool = &mut self.worker.pool;
        let mut assume = inner;
        for (values, others) in &around.tags {
            let mut one = Expr::bool(false);
            for &known in values {
                let equal = pool.eq(value, Expr::constant(known, width));
                one = pool.or(one, equal);
            }
            assume = if tag {
                // Other values are those of another case, or never occur.
                if *others { None } else { Some(one) }
            } else {
                assume.map(|inner| pool.or(inner, one))
            };
        }
        leaf(value, assume, false)
    }

    /// Where the length of what a pointer leads to is kept, if it is a slice or a vector.
    fn counted(&mut self, extent: &Extent, around: &Around, to: Option<DebugTypeId>, base: u64) -> Option<Counted> {
        let module = &self.worker.program.module;
        if let Some(&(record, _)) = around.records.last()
            && is_slice(module, record)
        {
            return Some(Counted { length: extent.start + 8, element: to, text: is_text(module, record) });
        }
        let (vector, start) = around.named(module, "Vec<")?;
        around.named(module, "RawVecInner<")?;
        let offset = field_offset(module, vector, &["buf", "inner", "cap"])?;
        let name = type_name(module, vector);
        let element = find_type(module, first_argument(name));
        let text = around.named(module, "String").is_some();
        Some(Counted { length: base + (start + offset) / 8, element, text })
    }
}

/// Whether a byte of a type is part of several variants of an enum, of things of which not every value is valid: what it may be
/// depends on the variant.
pub(crate) fn is_several_things(module: &Module, ty: DebugTypeId, at: u64) -> bool {
    let debug = &module.debug;
    let mut found: Vec<DebugTypeId> = Vec::new();
    let mut todo = vec![(debug.strip(ty), at * 8, 0)];
    while let Some((ty, bit, depth)) = todo.pop() {
        let inner = |field: &Field| {
            let inside = field.offset <= bit && bit < field.offset + field.bits;
            field.ty.filter(|_| inside && depth < DEEPEST).map(|ty| (debug.strip(ty), bit - field.offset, depth + 1))
        };
        match &debug.types[ty].kind {
            DebugTypeKind::Record { fields, variants, .. } => {
                todo.extend(fields.iter().filter_map(inner));
                let cases = variants.iter().flat_map(|variants| variants.cases.iter());
                todo.extend(cases.filter_map(|case| inner(&case.field)));
            }
            DebugTypeKind::Array { element: Some(element), .. } if debug.bits(*element) > 0 => {
                todo.push((debug.strip(*element), bit % debug.bits(*element), depth + 1));
            }
            _ if !found.contains(&ty) => found.push(ty),
            _ => {}
        }
    }
    let is_choosy = |ty: &DebugTypeId| {
        matches!(
            debug.types[*ty].kind,
            DebugTypeKind::Basic(Encoding::Utf | Encoding::Boolean) | DebugTypeKind::Enum { .. }
        )
    };
    found.len() > 1 && found.iter().any(is_choosy)
}

impl Around {
    /// Goes down to a place, given by its offset and size in bits, and notes what is passed. Whether it is there.
    fn find(&mut self, debug: &DebugInfo, ty: DebugTypeId, start: u64, place: (u64, u64), depth: u32) -> bool {
        let ty = debug.strip(ty);
        let (offset, bits) = place;
        let (records, tags) = (self.records.len(), self.tags.len());
        let found = match &debug.types[ty].kind {
            _ if depth > DEEPEST => false,
            DebugTypeKind::Record { fields, variants, .. } => {
                self.records.push((ty, start));
                let mut found = fields.iter().any(|field| self.in_field(debug, field, start, place, depth));
                if let Some(variants) = variants {
                    let tag = variants.tag.as_ref().filter(|tag| start + tag.offset == offset && tag.bits == bits);
                    if tag.is_some() {
                        let values = variants.cases.iter().filter_map(|case| case.value.map(|value| value as u64));
                        let others = variants.cases.iter().any(|case| case.value.is_none());
                        self.tags.push((values.collect(), others));
                    }
                    let mut cases = variants.cases.iter();
                    found = found || cases.any(|case| self.in_field(debug, &case.field, start, place, depth));
                    found = found || tag.is_some();
                }
                found
            }
            DebugTypeKind::Array { element: Some(element), .. } => {
                let stride = debug.bits(*element);
                let inside = offset.checked_sub(start).filter(|_| stride > 0);
                inside.is_some_and(|inside| {
                    self.find(debug, *element, start + inside / stride * stride, place, depth + 1)
                })
            }
            _ => start == offset && debug.types[ty].bits == bits,
        };
        if !found {
            self.records.truncate(records);
            self.tags.truncate(tags);
        }
        found
    }

    fn in_field(&mut self, debug: &DebugInfo, field: &Field, start: u64, place: (u64, u64), depth: u32) -> bool {
        let begin = start + field.offset;
        let covers = begin <= place.0 && place.0 + place.1 <= begin + field.bits;
        covers && field.ty.is_some_and(|ty| self.find(debug, ty, begin, place, depth + 1))
    }

    /// The innermost record whose name begins so.
    fn named(&self, module: &Module, name: &str) -> Option<(DebugTypeId, u64)> {
        self.records.iter().rev().find(|(ty, _)| type_name(module, *ty).starts_with(name)).copied()
    }
}

/// Whether a record is a pointer with a length or a table of functions.
pub(crate) fn is_wide_reference(module: &Module, record: DebugTypeId) -> bool {
    let has = |name: &str| field_offset(module, record, &[name]).is_some();
    is_slice(module, record) || has("pointer") && has("vtable") && module.debug.bits(record) == 128
}

/// Whether a record is a pointer with a length.
fn is_slice(module: &Module, ty: DebugTypeId) -> bool {
    let DebugTypeKind::Record { fields, .. } = &module.debug.types[ty].kind else { return false };
    let named = |name: &str| fields.iter().any(|field| field.name.is_some_and(|id| module.str(id) == name));
    named("data_ptr") && named("length")
}

/// Whether a slice is one of text.
fn is_text(module: &Module, ty: DebugTypeId) -> bool {
    let name = type_name(module, ty);
    name.ends_with("str") || name.contains("<str")
}

pub(crate) fn type_name(module: &Module, ty: DebugTypeId) -> &str {
    module.debug.types[ty].name.map_or("", |id: StrId| module.str(id))
}

/// Where a field of a field lies, in bits.
pub(crate) fn field_offset(module: &Module, ty: DebugTypeId, path: &[&str]) -> Option<u64> {
    let (mut ty, mut offset) = (ty, 0);
    for name in path {
        let DebugTypeKind::Record { fields, .. } = &module.debug.types[module.debug.strip(ty)].kind else {
            return None;
        };
        let field = fields.iter().find(|field| field.name.is_some_and(|id| module.str(id) == *name))?;
        offset += field.offset;
        ty = field.ty?;
    }
    Some(offset)
}

/// The first generic argument in a type's name.
pub(crate) fn first_argument(name: &str) -> &str {
    let inner = name.split_once('<').map_or("", |(_, inner)| inner);
    let mut depth = 0;
    for (index, c) in inner.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            ',' | '>' if depth == 0 => return inner[..index].trim(),
            '>' | ')' | ']' => depth -= 1,
            _ => {}
        }
    }
    inner.trim()
}

/// A type by its name in a generic argument, where paths are written out.
pub(crate) fn find_type(module: &Module, name: &str) -> Option<DebugTypeId> {
    let short = match name.find('<') {
        Some(end) => name[..end].rfind("::").map_or(name, |at| &name[at + 2..]),
        None => name.rsplit("::").next().unwrap_or(name),
    };
    let fits = |wanted: &str| {
        module.debug.types.ids().find(|&id| type_name(module, id) == wanted && module.debug.bits(id) > 0)
    };
    fits(name).or_else(|| fits(short))
}

/// What the user calls what a slice or vector leads to: the slice or vector itself.
fn plain_name(name: &str) -> String {
    let ends = ["data_ptr", "buf.inner.ptr.pointer.pointer"];
    let name = ends.iter().find_map(|end| name.strip_suffix(end)).map_or(name, without_arrow);
    without_text(name).to_owned()
}

/// What the user calls the number of elements of a slice or vector, whose field has this name.
fn length_name(name: &str) -> String {
    let whole = name.strip_suffix("length").or(name.strip_suffix("len")).map_or(name, without_arrow);
    format!("{}.len()", without_text(whole))
}

/// A text is the vector in it.
fn without_text(name: &str) -> &str {
    name.strip_suffix("vec").filter(|rest| rest.ends_with('.') || rest.ends_with("->")).map_or(name, without_arrow)
}

fn without_arrow(name: &str) -> &str {
    name.strip_suffix("->").or(name.strip_suffix('.')).unwrap_or(name)
}
