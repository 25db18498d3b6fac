//! Values and memory of a run as expressions, in the words of the source.
//!
//! What a value is made of is told by its type in the debug info: a record that comes back as one number is shown field by
//! field, a Rust enum as its case, a pointer as what it leads to.

use super::classes::{decided, text_within};
use crate::suite::signature::result_type;
use exec::contents::{Array, Contents, Part, Unset};
use exec::inputs::{InputObject, LeafValue, Origin, reading};
use exec::memory::{Kind, Object};
use exec::run::Worker;
use exec::state::State;
use exec::value::{ObjectId, Pointer, Shape, Value};
use explore::output::Criterion;
use ir::attrs::Attr;
use ir::debug::{DebugTypeKind, Encoding, Field, Variants};
use ir::id::{DebugTypeId, FuncId};
use smt::expr::{Expr, Op};
use smt::pool::Reading;
use std::borrow::Cow;

/// How deep a value is shown, and how many elements of it.
const DEPTH: u32 = 4;
const ELEMENTS: usize = 16;

/// Most bytes of an object that are shown.
const BYTES: u64 = 1 << 12;

/// What a value is of which nothing is known.
const ANYTHING: &str = "any value";

/// Where a value of a type is taken from.
#[derive(Clone)]
enum Source {
    /// Parts that lie at distances in bits.
    Parts(Vec<(u64, Value)>),
    /// Memory.
    Object(ObjectId),
}

/// A part of memory that was written.
pub(super) struct Written {
    /// Where, in the words of the source.
    pub place: String,
    /// What, in the same.
    pub text: String,
    /// The expression, if it is one.
    pub value: Option<Expr>,
    /// What was there before, if the run knows.
    pub before: Option<Expr>,
    /// Places are known by the input only: all of the array, and its name.
    pub array: Option<(Array, String)>,
}

/// Shows what a run left behind.
pub(super) struct Words<'a, 'p> {
    pub worker: &'a mut Worker<'p>,
    pub state: &'a State,
    /// Conditions that hold: truth values that they decide are known.
    pub class: &'a [Expr],
}

impl Words<'_, '_> {
    /// What a function returns.
    pub(super) fn result(&mut self, function: FuncId, value: &Value) -> String {
        let module = &self.worker.program.module;
        let own = &module.functions[function];
        let ty = result_type(module, own);
        let shape = module.types.signature(own.ty).map_or(Shape::Void, |(ty, ..)| self.worker.program.shape(ty));
        let mut parts = Vec::new();
        spread(value, &shape, 0, &mut parts);
        match ty {
            Some(ty) => self.typed(&Source::Parts(parts), 0, ty, DEPTH),
            None => self.plain(value, Some(Reading::Signed)),
        }
    }

    /// What a function returns through a pointer that it is given.
    pub(super) fn indirect_result(&mut self, function: FuncId) -> Option<String> {
        let (id, object) = self.state.memory.iter().find_map(|(id, object)| {
            let input = self.input_of(id, object)?;
            self.is_result(function, &input).then_some((id, input))
        })?;
        Some(self.typed(&Source::Object(id), 0, object.ty?, DEPTH))
    }

    fn is_result(&self, function: FuncId, object: &InputObject) -> bool {
        let module = &self.worker.program.module;
        let Origin::Parameter(index) = object.origin else { return false };
        let param = module.functions[function].params.get(index as usize);
        param.is_some_and(|param| module.attrs[param.attrs].0.iter().any(|attr| matches!(attr, Attr::Sret(_))))
    }

    /// Memory that was written, that the caller sees, and that somebody wants to know of.
    pub(super) fn memory(&mut self, function: FuncId, criterion: &Criterion) -> Vec<Written> {
        let (variable, part) = match criterion {
            Criterion::All => (None, None),
            Criterion::Global(name) => (Some(name), None),
            Criterion::Part { variable, name } => (variable.as_ref(), Some(name)),
            Criterion::Result | Criterion::Outside | Criterion::Line(_) => return Vec::new(),
        };
        let mut shown = Vec::new();
        let state = self.state;
        for (id, object) in state.memory.iter().filter(|(_, object)| object.written) {
            let symbol = self.worker.program.object_symbol(id);
            let label = symbol.map(|symbol| self.worker.program.module.symbol_label(symbol));
            if variable.is_some_and(|variable| label != Some(variable)) {
                continue;
            }
            let Some(input) = self.input_of(id, object) else { continue };
            let is_own = matches!(input.origin, Origin::Parameter(_)) || self.is_result(function, &input);
            if !is_own {
                self.object(id, object, &input, &mut shown);
            }
        }
        if let Some(part) = part {
            shown.retain(|written| is_part(&written.place, part));
        }
        shown
    }

    /// The names of an object that the caller sees.
    fn input_of(&self, id: ObjectId, object: &Object) -> Option<InputObject> {
        let worker = &self.worker;
        match (object.kind, worker.program.object_symbol(id)) {
            (Kind::Input(input), _) => Some(worker.inputs.object(input).clone()),
            (Kind::Global { constant: false }, Some(symbol)) => {
                let known = worker.inputs.find(Origin::Global(worker.program.canonical(symbol)));
                match known {
                    Some(input) => Some(worker.inputs.object(input).clone()),
                    None => exec::changes::global_object(worker.program, symbol),
                }
            }
            _ => None,
        }
    }

    fn object(&mut self, id: ObjectId, object: &Object, input: &InputObject, shown: &mut Vec<Written>) {
        let program = self.worker.program;
        let contents: &Contents = &object.contents;
        if let Some(array) = contents.array {
            return self.array(array, input, shown);
        }
        let known = self.worker.inputs.find(input.origin);
        let initial = match (input.origin, contents.unset) {
            (_, Unset::Input) => None,
            (Origin::Global(symbol), _) => Some(program.initial_contents(symbol)),
            _ => None,
        };
        let end = contents.written().min(BYTES);
        let mut at = 0;
        while at < end {
            if contents.part(at, 1) == Part::Unset {
                at += 1;
                continue;
            }
            let is_pointer = contents.cell_at(at).is_some_and(|(_, cell)| matches!(cell.value, Value::Ptr(_)));
            let extent = input.extent(program, at, is_pointer);
            let (start, size) = (extent.start, extent.size);
            at = (start + u64::from(size)).max(at + 1);
            let part = contents.part(start, size.into());
            if initial.as_ref().is_some_and(|initial| initial.part(start, size.into()) == part) {
                continue;
            }
            let value = self.bytes(id, start, size.into());
            let leaf = known.and_then(|known| self.worker.inputs.leaf_at(known, start));
            let before = leaf.and_then(|leaf| match leaf.value {
                LeafValue::Bits(before) => Some(before),
                _ => None,
            });
            let is_same = leaf.is_some_and(|leaf| match (leaf.value, &value) {
                (LeafValue::Bits(before), Some(Value::Bits(now))) => before == *now,
                (LeafValue::Pointer(before), Some(Value::Ptr(now))) => {
                    let object = self.state.memory.get_or_nothing(now.object);
                    object.kind == Kind::Input(before) && now.offset.as_const() == Some(0)
                }
                _ => false,
            });
            if is_same {
                continue;
            }
            let text = match extent.ty {
                Some(ty) => self.typed(&Source::Object(id), start * 8, ty, DEPTH),
                None => value.as_ref().map_or(ANYTHING.to_owned(), |value| self.plain(value, None)),
            };
            let value = value.and_then(|value| match value {
                Value::Bits(expr) if !self.is_uninitialised(expr) => Some(expr),
                _ => None,
            });
            shown.push(Written { place: input.part_name(&extent), text, value, before, array: None });
        }
        if contents.written() > end {
            let (place, text) = (input.name.clone(), "…".to_owned());
            shown.push(Written { place, text, value: None, before: None, array: None });
        }
    }

    /// Writes to places that the input decides, in their order, the latest last.
    fn array(&mut self, array: Array, input: &InputObject, shown: &mut Vec<Written>) {
        let known = self.worker.inputs.find(input.origin);
        let mut writes = Vec::new();
        let mut rest = Expr::Term(array.id.0);
        while let Expr::Term(term) = rest {
            let node = self.worker.pool.node(term);
            let (Op::Store, &[before, index, value]) = (node.op, node.args()) else { break };
            writes.push((index, value));
            rest = before;
        }
        let step = u64::from(array.element);
        let first = input.extent(self.worker.program, 0, false);
        // `p[0]` and `t[0]` are the first of many; anything else is shown by distances in bytes.
        let stem = input.part_name(&first).strip_suffix("[0]").map(str::to_owned);
        let stem = stem.filter(|_| u64::from(first.size) == step);
        for (index, value) in writes.into_iter().rev() {
            if let Some(at) = index.as_const() {
                let leaf = known.and_then(|known| self.worker.inputs.leaf_at(known, at * step));
                if leaf.is_some_and(|leaf| leaf.value == LeafValue::Bits(value)) {
                    continue;
                }
            }
            let index_text = self.worker.text(index).to_string();
            let place = match &stem {
                Some(stem) => format!("{stem}[{index_text}]"),
                None => format!("{} at byte {index_text} * {step}", input.name),
            };
            let text = match first.ty.filter(|_| stem.is_some()) {
                Some(ty) => self.typed(&Source::Parts(vec![(0, Value::Bits(value))]), 0, ty, DEPTH),
                None => self.text(value),
            };
            let array = Some((array, input.name.clone()));
            shown.push(Written { place, text, value: None, before: None, array });
        }
    }

    /// A value without a type.
    pub(super) fn plain(&mut self, value: &Value, reading: Option<Reading>) -> String {
        match value {
            Value::Bits(Expr::Const { bits, width: 1 }) => (*bits == 1).to_string(),
            Value::Bits(Expr::Const { bits, width }) => smt::show::constant(*bits, *width, reading),
            Value::Bits(expr) if self.is_uninitialised(*expr) => ANYTHING.to_owned(),
            Value::Bits(expr) => self.text(*expr),
            Value::Ptr(pointer) => self.pointer(*pointer, None, DEPTH),
            Value::Many(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.plain(part, reading)).collect();
                format!("{{{}}}", parts.join(", "))
            }
            Value::Undef | Value::Skipped(_) => ANYTHING.to_owned(),
        }
    }

    /// Any index of an array of that name, the same for all arrays of the name.
    pub(super) fn any_index(&mut self, name: &str) -> Expr {
        self.worker.pool.symbol(format!("any index of {name}"), 64)
    }

    /// An expression for inputs of this class.
    pub(super) fn text(&mut self, expr: Expr) -> String {
        text_within(self.worker, self.class, expr)
    }

    /// Whether a value is nothing but memory that nobody wrote to.
    fn is_uninitialised(&self, expr: Expr) -> bool {
        let mut todo = vec![expr];
        let mut count = 0;
        while let Some(expr) = todo.pop() {
            let Expr::Term(id) = expr else { return false };
            let node = self.worker.pool.node(id);
            match node.op {
                Op::Symbol(symbol) if self.worker.pool.symbol_info(symbol).name.starts_with("uninitialised") => {}
                Op::Concat | Op::Extract { .. } | Op::ZExt | Op::SExt => todo.extend(node.args()),
                _ => return false,
            }
            count += 1;
            if count > 64 {
                return false;
            }
        }
        true
    }

    /// A value of a type that begins at a distance in bits.
    fn typed(&mut self, source: &Source, at: u64, ty: DebugTypeId, depth: u32) -> String {
        if depth == 0 {
            return "{…}".to_owned();
        }
        let program = self.worker.program;
        let debug = &program.module.debug;
        let ty = debug.strip(ty);
        let bits = debug.bits(ty);
        match &debug.types[ty].kind {
            DebugTypeKind::Record { .. }
                if debug.types[ty].name.is_some_and(|name| program.module.str(name) == "String") =>
            {
                self.string(source, at, ty).unwrap_or_else(|| "a String".to_owned())
            }
            DebugTypeKind::Record { union: false, fields, variants } => match variants {
                Some(variants) => self.variants(source, at, variants, depth),
                None => self.record(source, at, fields, depth),
            },
            DebugTypeKind::Array { element: Some(element), .. } => {
                let each = debug.bits(*element).max(8);
                let count = (bits / each) as usize;
                let mut shown: Vec<String> = (0..count.min(ELEMENTS) as u64)
                    .map(|index| self.typed(source, at + index * each, *element, depth - 1))
                    .collect();
                if count > ELEMENTS {
                    shown.push("…".to_owned());
                }
                format!("{{{}}}", shown.join(", "))
            }
            DebugTypeKind::Pointer { to, .. } => match self.get(source, at, 64) {
                Some(Value::Ptr(pointer)) => self.pointer(pointer, *to, depth),
                Some(Value::Bits(bits)) if bits.as_const() == Some(0) => "NULL".to_owned(),
                Some(value) => self.plain(&value, Some(Reading::Address)),
                None => ANYTHING.to_owned(),
            },
            _ => match self.get(source, at, bits) {
                Some(value) => self.scalar(&value, ty, depth),
                None => ANYTHING.to_owned(),
            },
        }
    }

    /// A number of a type.
    fn scalar(&mut self, value: &Value, ty: DebugTypeId, depth: u32) -> String {
        let program = self.worker.program;
        if let Value::Bits(Expr::Term(id)) = value
            && let (Op::Ite, &[condition, yes, no]) = (self.worker.pool.node(*id).op, self.worker.pool.node(*id).args())
            && depth > 1
        {
            let [yes, no] = [yes, no].map(|side| self.scalar(&Value::Bits(side), ty, depth - 1));
            return format!("{} ? {yes} : {no}", self.worker.text(condition));
        }
        let Value::Bits(Expr::Const { bits: known, width }) = *value else { return self.plain(value, None) };
        match &program.module.debug.types[ty].kind {
            DebugTypeKind::Basic(Encoding::Boolean) if known < 2 => (known == 1).to_string(),
            DebugTypeKind::Basic(Encoding::Utf) => match char::from_u32(known as u32) {
                Some(character) => format!("{character:?}"),
                None => known.to_string(),
            },
            DebugTypeKind::Enum { values, .. } => {
                let number = smt::expr::signed(known, width);
                let is_it = |value: i128| value == i128::from(number) || value == i128::from(known);
                let name = values.iter().find(|(_, value)| is_it(*value));
                name.map_or(number.to_string(), |(name, _)| program.module.str(*name).to_owned())
            }
            _ => smt::show::constant(known, width, Some(reading(program, ty, width.div_ceil(8)))),
        }
    }

    /// A record, field by field.
    fn record(&mut self, source: &Source, at: u64, fields: &[Field], depth: u32) -> String {
        let module = &self.worker.program.module;
        let name = |field: &Field| field.name.map_or("", |name| module.str(name));
        if let [data, length] = fields
            && (name(data), name(length)) == ("data_ptr", "length")
            && let Some(text) = self.literal(source, at, (data, length))
        {
            return text;
        }
        // Rust numbers the fields of tuples.
        let is_tuple = fields.iter().all(|field| name(field).starts_with("__"));
        let mut shown = Vec::new();
        for field in fields.iter().take(ELEMENTS) {
            let Some(ty) = field.ty else { continue };
            let text = match field.bit_field {
                true => match self.get(source, at + field.offset, field.bits) {
                    Some(value) => self.plain(&value, Some(Reading::Unsigned)),
                    None => ANYTHING.to_owned(),
                },
                false if module.debug.bits(ty) == 0 => continue,
                false => self.typed(source, at + field.offset, ty, depth - 1),
            };
            shown.push(if is_tuple { text } else { format!("{} = {text}", name(field)) });
        }
        if fields.len() > ELEMENTS {
            shown.push("…".to_owned());
        }
        match is_tuple {
            true => format!("({})", shown.join(", ")),
            false => format!("{{{}}}", shown.join(", ")),
        }
    }

    /// A case of a Rust enum; of several if which one it is depends on the input.
    fn variants(&mut self, source: &Source, at: u64, variants: &Variants, depth: u32) -> String {
        let case = |words: &mut Self, field: &Field| {
            let module = &words.worker.program.module;
            let name = field.name.map_or("", |name| module.str(name)).to_owned();
            let Some(DebugTypeKind::Record { fields, .. }) =
                field.ty.map(|ty| &module.debug.types[module.debug.strip(ty)].kind)
            else {
                return name;
            };
            if fields.is_empty() {
                return name;
            }
            let inner = words.record(source, at + field.offset, fields, depth - 1);
            if inner.starts_with('(') { format!("{name}{inner}") } else { format!("{name} {inner}") }
        };
        let tag = variants.tag.as_ref().and_then(|tag| self.get(source, at + tag.offset, tag.bits));
        let known = match &tag {
            None => variants.cases.first().filter(|_| variants.tag.is_none()),
            Some(Value::Bits(Expr::Const { bits, .. })) => {
                let bits = u128::from(*bits);
                let named = variants.cases.iter().find(|case| case.value == Some(bits));
                named.or_else(|| variants.cases.iter().find(|case| case.value.is_none()))
            }
            // A pointer that leads somewhere is not null, which the other case is told by.
            Some(Value::Ptr(_)) => variants.cases.iter().find(|case| case.value.is_none()),
            Some(_) => None,
        };
        if let Some(known) = known {
            return case(self, &known.field);
        }
        let Some(Value::Bits(tag)) = tag else { return ANYTHING.to_owned() };
        let mut shown = String::new();
        let width = self.worker.pool.width(tag);
        for (number, variant) in variants.cases.iter().enumerate() {
            let text = case(self, &variant.field);
            let is_last = number + 1 == variants.cases.len();
            match variant.value.filter(|_| !is_last) {
                Some(value) => {
                    let is_it = self.worker.pool.eq(tag, Expr::constant(value as u64, width));
                    shown.push_str(&format!("{} ? {text} : ", self.worker.text(is_it)));
                }
                None => shown.push_str(&text),
            }
        }
        shown
    }

    /// Text that a Rust slice shows, if all of it is known.
    fn literal(&mut self, source: &Source, at: u64, (data, length): (&Field, &Field)) -> Option<String> {
        let Value::Ptr(pointer) = self.get(source, at + data.offset, 64)? else { return None };
        let Value::Bits(length) = self.get(source, at + length.offset, 64)? else { return None };
        let (offset, length) = (pointer.offset.as_const()?, length.as_const()?);
        let bytes = self.known_bytes(pointer.object)?;
        let bytes = bytes.get(usize::try_from(offset).ok()?..usize::try_from(offset.checked_add(length)?).ok()?)?;
        Some(format!("\"{}\"", bytes.escape_ascii()))
    }

    /// The text of a Rust string, if all of it is known: words of it are where it lies and how long it is.
    fn string(&mut self, source: &Source, at: u64, ty: DebugTypeId) -> Option<String> {
        let module = &self.worker.program.module;
        let (mut data, mut length) = (None, None);
        for word in (0..module.debug.bits(ty)).step_by(64) {
            let is_length = module.debug.place_at(&module.strings, ty, word, 64)?.path.ends_with(".len");
            match self.get(source, at + word, 64) {
                Some(Value::Ptr(pointer)) => data = Some(pointer),
                Some(Value::Bits(bits)) if is_length => length = bits.as_const(),
                _ => {}
            }
        }
        let (data, length) = (data?, length?);
        let contents = self.state.memory.get(data.object)?.contents.clone();
        let bytes = contents.known(data.offset.as_const()?, length)?;
        Some(format!("\"{}\"", bytes.escape_ascii()))
    }

    /// The bytes of a constant.
    fn known_bytes(&self, object: ObjectId) -> Option<Vec<u8>> {
        let found = self.state.memory.get_or_nothing(object);
        let symbol = self.worker.program.object_symbol(object)?;
        let size = self.worker.program.place(symbol).size;
        match found.kind {
            Kind::Global { constant: false } => None,
            _ => self.worker.program.initial_contents(symbol).known(0, size).map(Cow::into_owned),
        }
    }

    fn pointer(&mut self, pointer: Pointer, to: Option<DebugTypeId>, depth: u32) -> String {
        let program = self.worker.program;
        let offset = pointer.offset.as_const();
        if pointer.object == ObjectId::NONE {
            return match offset {
                Some(0) => "NULL".to_owned(),
                Some(known) => format!("{known:#x}"),
                None => self.worker.text(pointer.offset).to_string(),
            };
        }
        let object = self.state.memory.get_or_nothing(pointer.object);
        let symbol = program.object_symbol(pointer.object);
        if let (Some(bytes), Some(at)) = (self.known_bytes(pointer.object), offset)
            && symbol.is_some_and(|symbol| program.module.symbol_label(symbol).starts_with(['.', '"']))
            && let Some(text) = bytes.get(at as usize..).and_then(|rest| rest.split(|byte| *byte == 0).next())
        {
            return format!("\"{}\"", text.escape_ascii());
        }
        let name = match (self.input_of(pointer.object, object), symbol) {
            (Some(input), _) => match offset {
                // A pointer of the input leads to the first of what lies behind it.
                Some(0) if input.memory => return input.name,
                Some(at) => return format!("&{}", input.part_name(&input.extent(program, at, false))),
                None if input.memory => input.name,
                None => format!("&{}", input.name),
            },
            (None, Some(symbol)) => format!("&{}", program.module.symbol_label(symbol)),
            (None, None) => match (object.kind, to, offset) {
                (Kind::Heap, Some(to), Some(at)) if program.module.debug.bits(to) > 0 && depth > 1 => {
                    return format!("new {}", self.typed(&Source::Object(pointer.object), at * 8, to, depth - 1));
                }
                (Kind::Heap, ..) => "new memory".to_owned(),
                (Kind::Stack, ..) => "&(a local variable)".to_owned(),
                _ => "memory of the library".to_owned(),
            },
        };
        match offset {
            Some(0) => name,
            _ => format!("{name} + {}", self.worker.text(pointer.offset)),
        }
    }

    /// Some bits of a source.
    fn get(&mut self, source: &Source, at: u64, bits: u64) -> Option<Value> {
        let value = self.raw(source, at, bits)?;
        let Value::Bits(expr @ Expr::Term(_)) = value else { return Some(value) };
        let mut truth = expr;
        while let Expr::Term(id) = truth {
            match self.worker.pool.node(id).op {
                Op::ZExt => truth = self.worker.pool.node(id).args()[0],
                _ => break,
            }
        }
        let width = self.worker.pool.width(expr);
        let is_condition = self.worker.pool.width(truth) == 1 && width <= 64;
        let known = if is_condition { decided(self.worker, self.class, truth) } else { None };
        Some(known.map_or(value, |known| Value::int(u64::from(known), width)))
    }

    fn raw(&mut self, source: &Source, at: u64, bits: u64) -> Option<Value> {
        match source {
            Source::Object(object) => {
                let (first, end) = (at / 8, (at + bits).div_ceil(8));
                let value = self.bytes(*object, first, end - first)?;
                self.bits(&value, at - first * 8, bits)
            }
            Source::Parts(parts) => {
                let (start, value) = parts.iter().rev().find(|(start, _)| *start <= at)?;
                self.bits(value, at - start, bits)
            }
        }
    }

    fn bits(&mut self, value: &Value, low: u64, bits: u64) -> Option<Value> {
        match value {
            Value::Bits(expr) => {
                let width = u64::from(self.worker.pool.width(*expr));
                match (low, bits) {
                    // A truth value is one bit of a byte.
                    (0, bits) if bits >= width => Some(value.clone()),
                    _ if low + bits > width || bits == 0 => None,
                    _ => Some(Value::Bits(self.worker.pool.extract(*expr, low as u32, bits as u32))),
                }
                .filter(|found| !matches!(found, Value::Bits(expr) if self.is_uninitialised(*expr)))
            }
            Value::Ptr(_) if (low, bits) == (0, 64) => Some(value.clone()),
            _ => None,
        }
    }

    /// Some bytes of an object.
    fn bytes(&mut self, id: ObjectId, at: u64, size: u64) -> Option<Value> {
        let object = self.state.memory.get(id)?;
        let contents = &object.contents;
        if let Some(array) = contents.array {
            let step = u64::from(array.element);
            let index = at.checked_div(step).filter(|_| size == step && at.is_multiple_of(step))?;
            return Some(Value::Bits(self.worker.pool.select(array.id, Expr::constant(index, 64))));
        }
        match contents.part(at, size) {
            Part::Bytes(word) => Some(Value::int(word, size as u32 * 8)),
            Part::Cell(Value::Undef) => None,
            Part::Cell(value) => Some(value),
            Part::Unset => match contents.unset {
                Unset::Zero if size <= 8 => Some(Value::int(0, size as u32 * 8)),
                Unset::Zero | Unset::Undefined => None,
                Unset::Input => {
                    let input = contents.source.or(match object.kind {
                        Kind::Input(input) => Some(input),
                        _ => {
                            let symbol = self.worker.program.object_symbol(id)?;
                            self.worker.inputs.find(Origin::Global(self.worker.program.canonical(symbol)))
                        }
                    })?;
                    let leaf = self.worker.inputs.leaf_at(input, at).filter(|leaf| u64::from(leaf.size) == size)?;
                    match leaf.value {
                        LeafValue::Bits(expr) => Some(Value::Bits(expr)),
                        _ => None,
                    }
                }
            },
            Part::Mixed if size > 1 && size <= 8 => {
                let mut whole: Option<Expr> = None;
                for byte in at..at + size {
                    let next = match contents.cell_at(byte) {
                        Some((start, cell)) => match &cell.value {
                            Value::Bits(expr) => self.worker.pool.extract(*expr, (byte - start) as u32 * 8, 8),
                            _ => return None,
                        },
                        None => match self.bytes(id, byte, 1)? {
                            Value::Bits(expr) => expr,
                            _ => return None,
                        },
                    };
                    whole = Some(match whole {
                        Some(low) => self.worker.pool.concat(next, low),
                        None => next,
                    });
                }
                whole.map(Value::Bits)
            }
            Part::Mixed => match contents.cell_at(at) {
                Some((start, cell)) if size == 1 => {
                    let value = cell.value.clone();
                    self.bits(&value, (at - start) * 8, 8)
                }
                _ => None,
            },
        }
    }
}

/// Whether a place is a part that a user named. What a pointer leads to may be shown as the first of many.
fn is_part(place: &str, part: &str) -> bool {
    let first = match (part.strip_prefix('*'), part.split_once("->")) {
        (Some(pointer), _) => format!("{pointer}[0]"),
        (None, Some((pointer, field))) => format!("{pointer}[0].{field}"),
        (None, None) => part.to_owned(),
    };
    let rests = [part, &first].map(|part| place.strip_prefix(part));
    rests.into_iter().flatten().any(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// The parts of a value with their distances in bits.
fn spread(value: &Value, shape: &Shape, at: u64, parts: &mut Vec<(u64, Value)>) {
    match (value, shape) {
        (Value::Many(values), Shape::Many { elements, .. }) => {
            for (value, (distance, shape)) in values.iter().zip(elements.iter()) {
                spread(value, shape, at + distance * 8, parts);
            }
        }
        _ => parts.push((at, value.clone())),
    }
}
