//! What a function written in Rust returned natively, as its source would write it: `Some(3)`, `Err("bad")`, `[1, 2]`.
//!
//! Only values of which every part can be read are written so.

use exec::case::{Datum, Memory, Outcome, Target};
use exec::program::Program;
use exec::value::Shape;
use ir::debug::{DebugInfo, DebugTypeKind, Encoding, Field, Language};
use ir::id::DebugTypeId;

use crate::replay::{OwnPlace, Replayed};

/// Deepest nesting of values, and most elements that are shown.
const DEEPEST: u32 = 8;
const MOST_SHOWN: u64 = 16;

/// Longest text of a value.
const LONGEST: usize = 300;

/// What is needed to read what a run left.
pub struct Reader<'a> {
    /// The program of both versions.
    pub program: &'a Program,
    /// The run.
    pub seen: &'a Replayed,
    /// What a constant of the version says from a distance on.
    pub constant: &'a dyn Fn(&str, i64) -> Option<Vec<u8>>,
}

/// A result that lies in memory, or in registers of a shape.
pub fn result(reader: &Reader, ty: DebugTypeId, in_memory: Option<&Memory>, shape: &Shape) -> Option<String> {
    let debug = &reader.program.module.debug;
    if debug.types[debug.strip(ty)].language != Language::Rust {
        return None;
    }
    // Numbers are shown as those of any language.
    if in_memory.is_none() && matches!(debug.types[debug.strip(ty)].kind, DebugTypeKind::Basic(_)) {
        return None;
    }
    let in_registers = || from_registers(&reader.seen.outcome, shape);
    let memory = in_memory.cloned().or_else(in_registers)?;
    reader.value(ty, &memory, 0, 0).filter(|text| text.len() <= LONGEST)
}

/// Whether all of a value is in its words.
pub fn is_whole(words: &str) -> bool {
    !words.contains('…')
}

fn from_registers(outcome: &Outcome, shape: &Shape) -> Option<Memory> {
    let mut memory = Memory { bytes: vec![0; shape.size() as usize], ..Memory::default() };
    put(&mut memory, 0, &outcome.result, shape)?;
    Some(memory)
}

fn put(memory: &mut Memory, at: u64, value: &Datum, shape: &Shape) -> Option<()> {
    match (value, shape) {
        (Datum::Any, _) => Some(()),
        (Datum::Bits(bits), Shape::Int { bytes, .. } | Shape::Float { bytes, .. }) => {
            for index in 0..*bytes {
                let word = bits.words.get(index as usize / 8).copied().unwrap_or(0);
                *memory.bytes.get_mut(at as usize + index as usize)? = (word >> (index % 8 * 8)) as u8;
            }
            Some(())
        }
        (Datum::Bits(bits), Shape::Ptr) => {
            memory.bytes.get_mut(at as usize..at as usize + 8)?.copy_from_slice(&bits.low().to_le_bytes());
            Some(())
        }
        (Datum::Pointer(Target::Null), _) => Some(()),
        (Datum::Pointer(target), _) => {
            memory.pointers.push((at, target.clone()));
            Some(())
        }
        (Datum::Many(parts), Shape::Many { elements, packed_bits: false, .. }) if parts.len() == elements.len() => {
            parts
                .iter()
                .zip(elements.iter())
                .try_for_each(|(part, (distance, shape))| put(memory, at + distance, part, shape))
        }
        _ => None,
    }
}

impl Reader<'_> {
    fn name(&self, ty: DebugTypeId) -> &str {
        let module = &self.program.module;
        module.debug.types[ty].name.map_or("", |name| module.str(name))
    }

    fn field_name(&self, field: &Field) -> &str {
        field.name.map_or("", |name| self.program.module.str(name))
    }

    fn debug(&self) -> &DebugInfo {
        &self.program.module.debug
    }

    fn value(&self, ty: DebugTypeId, memory: &Memory, at: u64, depth: u32) -> Option<String> {
        let ty = self.debug().strip(ty);
        if depth > DEEPEST {
            return None;
        }
        let bytes = self.debug().types[ty].bits / 8;
        match &self.debug().types[ty].kind {
            DebugTypeKind::Basic(Encoding::Boolean) => Some((number(memory, at, 1)? == 1).to_string()),
            DebugTypeKind::Basic(Encoding::Utf) if bytes == 4 => {
                Some(format!("{:?}", char::from_u32(number(memory, at, 4)? as u32)?))
            }
            DebugTypeKind::Basic(_) if bytes == 0 => Some("()".to_owned()),
            DebugTypeKind::Basic(_) if bytes <= 8 => {
                let reading = exec::inputs::reading(self.program, ty, bytes as u32);
                Some(smt::show::constant(number(memory, at, bytes)?, bytes as u32 * 8, Some(reading)))
            }
            DebugTypeKind::Enum { values, .. } => {
                let (bytes, mask) = (bytes.clamp(1, 8), u64::MAX >> (64 - 8 * bytes.clamp(1, 8)));
                let value = number(memory, at, bytes)?;
                let (name, _) = values.iter().find(|(_, known)| *known as u64 & mask == value)?;
                Some(self.program.module.str(*name).to_owned())
            }
            DebugTypeKind::Record { fields, variants: None, .. } => self.record(ty, fields, memory, at, depth),
            DebugTypeKind::Record { variants: Some(variants), .. } => {
                // A pointer that tells cases apart by being null or not leads somewhere.
                let is_pointer = |place: u64| memory.pointers.iter().any(|(pointer, _)| *pointer == place);
                let tag = match &variants.tag {
                    Some(tag) if is_pointer(at + tag.offset / 8) => None,
                    Some(tag) => Some(u128::from(number(memory, at + tag.offset / 8, tag.bits / 8)?)),
                    None => None,
                };
                let of_tag = variants.cases.iter().find(|case| case.value.is_some() && case.value == tag);
                let case = of_tag.or_else(|| variants.cases.iter().find(|case| case.value.is_none()))?;
                self.value(case.field.ty?, memory, at + case.field.offset / 8, depth + 1)
            }
            DebugTypeKind::Array { element: Some(element), .. } => {
                let step = (self.debug().bits(*element) / 8).max(1);
                self.list(*element, memory, at, bytes / step, depth)
            }
            DebugTypeKind::Pointer { to: Some(to), .. } => {
                let (memory, at) = self.behind(memory, at)?;
                let value = self.value(*to, &memory, at, depth + 1)?;
                Some(if self.name(ty).starts_with('&') { format!("&{value}") } else { value })
            }
            _ => None,
        }
    }

    fn record(&self, ty: DebugTypeId, fields: &[Field], memory: &Memory, at: u64, depth: u32) -> Option<String> {
        let name = self.name(ty);
        if name == "String"
            || name == "&str"
            || name.starts_with("Vec<")
            || name.starts_with("&[")
            || name.starts_with("&mut [")
        {
            return self.counted(ty, memory, at, depth);
        }
        let short = name.split('<').next().unwrap_or(name);
        let short = short.rsplit("::").next().unwrap_or(short);
        // Inside of what the library makes there is nothing that a user wrote.
        if matches!(short, "Box" | "Rc" | "Arc" | "HashMap" | "BTreeMap" | "NonNull" | "Unique") {
            return None;
        }
        let mut shown = Vec::new();
        for field in fields {
            shown.push((self.field_name(field), self.value(field.ty?, memory, at + field.offset / 8, depth + 1)?));
        }
        let values = |open: &str, close: &str| {
            let values: Vec<&str> = shown.iter().map(|(_, value)| value.as_str()).collect();
            format!("{open}{}{close}", values.join(", "))
        };
        Some(if name.starts_with('(') {
            values("(", ")")
        } else if shown.is_empty() {
            short.to_owned()
        } else if shown.iter().all(|(field, _)| field.starts_with("__")) {
            values(&format!("{short}("), ")")
        } else {
            let fields: Vec<String> = shown.iter().map(|(field, value)| format!("{field}: {value}")).collect();
            format!("{short} {{ {} }}", fields.join(", "))
        })
    }

    /// A text, slice or vector.
    fn counted(&self, ty: DebugTypeId, memory: &Memory, at: u64, depth: u32) -> Option<String> {
        let (pointer, length) = match self.name(ty) {
            "String" => (&["vec", "buf", "inner", "ptr", "pointer", "pointer"][..], &["vec", "len"][..]),
            name if name.starts_with("Vec<") => (&["buf", "inner", "ptr", "pointer", "pointer"][..], &["len"][..]),
            _ => (&["data_ptr"][..], &["length"][..]),
        };
        let is_text = matches!(self.name(ty), "String" | "&str");
        let ((pointer, to), (length, _)) = (self.place(ty, pointer)?, self.place(ty, length)?);
        let length = number(memory, at + length, 8)?;
        if length == 0 {
            return Some(if is_text { "\"\"" } else { "[]" }.to_owned());
        }
        let (elements, from) = self.behind(memory, at + pointer)?;
        if is_text {
            let bytes = elements.bytes.get(from as usize..)?.get(..usize::try_from(length).ok()?)?;
            return Some(format!("{:?}", std::str::from_utf8(bytes).ok()?));
        }
        let element = self.element(ty).or(match self.debug().types[self.debug().strip(to)].kind {
            DebugTypeKind::Pointer { to, .. } => to,
            _ => None,
        })?;
        self.list(element, &elements, from, length, depth)
    }

    fn list(&self, element: DebugTypeId, memory: &Memory, at: u64, count: u64, depth: u32) -> Option<String> {
        let step = (self.debug().bits(element) / 8).max(1);
        let value = |index: u64| self.value(element, memory, at + index * step, depth + 1);
        let mut values = (0..count.min(MOST_SHOWN)).map(value).collect::<Option<Vec<String>>>()?;
        if count > MOST_SHOWN {
            values.push("…".to_owned());
        }
        Some(format!("[{}]", values.join(", ")))
    }

    /// The type of the elements of a vector, by its name: what its pointer leads to are bytes.
    fn element(&self, ty: DebugTypeId) -> Option<DebugTypeId> {
        let inner = self.name(ty).strip_prefix("Vec<")?;
        let mut depth = 0;
        let end = inner.find(|c: char| {
            depth += i32::from(matches!(c, '<' | '(' | '[')) - i32::from(matches!(c, '>' | ')' | ']'));
            depth < 0 || depth == 0 && c == ','
        })?;
        let wanted = &inner[..end];
        let types = &self.debug().types;
        let plain = wanted.rsplit("::").next().unwrap_or(wanted);
        let mut found = types.ids().filter(|id| [wanted, plain].contains(&self.name(*id)) && types[*id].bits > 0);
        found.next()
    }

    /// Where a field of fields lies, in bytes, and its type.
    fn place(&self, ty: DebugTypeId, path: &[&str]) -> Option<(u64, DebugTypeId)> {
        let (mut ty, mut offset) = (ty, 0);
        for name in path {
            let DebugTypeKind::Record { fields, .. } = &self.debug().types[self.debug().strip(ty)].kind else {
                return None;
            };
            let field = fields.iter().find(|field| self.field_name(field) == *name)?;
            offset += field.offset / 8;
            ty = field.ty?;
        }
        Some((offset, ty))
    }

    /// The memory that a pointer leads to, and how far into it.
    fn behind(&self, memory: &Memory, at: u64) -> Option<(Memory, u64)> {
        let (_, target) = memory.pointers.iter().find(|(offset, _)| *offset == at)?;
        match target {
            Target::Object { index, offset } => {
                Some((self.seen.outcome.objects.get(*index)?.clone(), u64::try_from(*offset).ok()?))
            }
            Target::Own => {
                let place = OwnPlace::under(memory, at)?;
                Some((self.seen.own.get(place.piece)?.clone(), place.distance.into()))
            }
            Target::Symbol { name, offset } => {
                let bytes = (self.constant)(name, *offset)?;
                Some((Memory { bytes, ..Memory::default() }, 0))
            }
            _ => None,
        }
    }
}

/// A number of up to eight bytes.
fn number(memory: &Memory, at: u64, bytes: u64) -> Option<u64> {
    let is_under_pointer = memory.pointers.iter().any(|(pointer, _)| *pointer < at + bytes && at < pointer + 8);
    if bytes > 8 || memory.is_any(at) || is_under_pointer {
        return None;
    }
    let bytes = memory.bytes.get(at as usize..)?.get(..bytes as usize)?;
    Some(bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)))
}
