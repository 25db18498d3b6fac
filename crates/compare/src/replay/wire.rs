//! The formats in which cases go to a driver and records come back: 64-bit words, bytes padded to whole words.
//!
//! `runtime.c` is the other side. Values are laid out as the program lays them out in memory; where a pointer lies,
//! an entry of four words says what it leads to, since addresses mean nothing outside of the process.

use std::collections::BTreeMap;

use exec::case::{Datum, Memory, Target};
use ir::id::TypeId;
use ir::module::Module;
use ir::types::Type;
use smt::bits::Bits;

// Kinds of pointers, as `runtime.c` numbers them.
const TO_NULL: u64 = 0;
const TO_OBJECT: u64 = 1;
const TO_SYMBOL: u64 = 2;
const TO_OWN: u64 = 3;
const TO_ADDRESS: u64 = 4;
/// The arguments of a program.
pub const TO_ARGV: u64 = 5;
/// Its environment.
pub const TO_ENVIRONMENT: u64 = 6;
/// What an argument of an earlier call to the outside led to.
pub const TO_EARLIER: u64 = 7;

/// Addresses below are no object's.
const FIRST_PAGES: u64 = 65536;
/// Addresses from here on are no process's.
const LAST_ADDRESS: u64 = 1 << 47;

/// Bytes and the pointers in them, each by offset with its kind, index and distance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blob {
    /// Bytes; zero under pointers.
    pub bytes: Vec<u8>,
    /// Pointers.
    pub pointers: Vec<(u64, [u64; 3])>,
}

/// Symbols of a program by number.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    /// Names in the order of their numbers.
    pub names: Vec<String>,
    /// Size and properties of each.
    pub facts: Vec<[u64; 2]>,
    /// Numbers by name.
    pub numbers: BTreeMap<String, u64>,
}

/// The program can change it.
pub const MUTABLE: u64 = 1;
/// Nobody can change it.
pub const READONLY: u64 = 2;

impl Symbols {
    /// The wire form of a pointer.
    pub fn encode(&self, target: &Target, objects: usize) -> Result<[u64; 3], String> {
        Ok(match target {
            Target::Null => [TO_NULL, 0, 0],
            Target::Object { index, .. } if *index >= objects => return Err(format!("there is no object {index}")),
            Target::Object { index, offset } => [TO_OBJECT, *index as u64, *offset as u64],
            Target::Symbol { name, offset } => match self.numbers.get(name) {
                Some(number) => [TO_SYMBOL, *number, *offset as u64],
                None => return Err(format!("the program has no symbol `{name}`")),
            },
            Target::Own => return Err("a pointer of an input leads to memory that only a run can make".to_owned()),
            Target::Address(address) => [TO_ADDRESS, 0, *address],
        })
    }

    fn decode(&self, [kind, index, offset]: [u64; 3]) -> Target {
        match kind {
            TO_OBJECT => Target::Object { index: index as usize, offset: offset as i64 },
            TO_SYMBOL => match self.names.get(index as usize) {
                Some(name) => Target::Symbol { name: name.clone(), offset: offset as i64 },
                None => Target::Own,
            },
            TO_OWN => Target::Own,
            TO_ADDRESS => Target::Address(offset),
            _ => Target::Null,
        }
    }

    /// The wire form of an object's contents.
    pub fn encode_memory(&self, memory: &Memory, objects: usize) -> Result<Blob, String> {
        let mut blob = Blob { bytes: memory.bytes.clone(), pointers: Vec::new() };
        for (offset, target) in &memory.pointers {
            if offset.checked_add(8).is_none_or(|end| end > blob.bytes.len() as u64) {
                return Err(format!("a pointer lies outside of `{}`", memory.name));
            }
            blob.pointers.push((*offset, self.encode(target, objects)?));
        }
        Ok(blob)
    }

    /// The contents that a wire form stands for; name and alignment are the caller's.
    pub fn decode_memory(&self, blob: Blob, name: &str, align: u64) -> Memory {
        let mut bytes = blob.bytes;
        let mut pointers = Vec::new();
        for (offset, target) in blob.pointers {
            if let Some(under) = usize::try_from(offset).ok().and_then(|at| bytes.get_mut(at..at.checked_add(8)?)) {
                under.copy_from_slice(&OwnPlace::of(target).map_or(0, OwnPlace::word).to_le_bytes());
                pointers.push((offset, self.decode(target)));
            }
        }
        pointers.sort_by_key(|(offset, _)| *offset);
        Memory { name: name.to_owned(), bytes, pointers, any: Vec::new(), align }
    }

    /// Writes a value of a type at an offset of a blob that is large enough.
    pub fn write(
        &self,
        module: &Module,
        ty: TypeId,
        value: &Datum,
        at: u64,
        objects: usize,
        blob: &mut Blob,
    ) -> Result<(), String> {
        let layout = module.type_layouts.get(ty).ok_or("a value has no size")?;
        match (module.types.resolve(ty), value) {
            (_, Datum::Any) => Ok(()),
            (Type::Ptr(_), Datum::Pointer(target)) => {
                blob.pointers.push((at, self.encode(target, objects)?));
                Ok(())
            }
            (Type::Int(_) | Type::Float(_) | Type::Ptr(_), Datum::Bits(bits)) => {
                if u64::from(bits.width) != layout.bits {
                    return Err(format!("a value of {} bits is given for one of {}", bits.width, layout.bits));
                }
                write_bits(bits, at, layout.store_size, blob)
            }
            (Type::Vector { element, count, scalable: false }, Datum::Many(parts)) if *count == parts.len() as u64 => {
                self.write_vector(module, *element, parts, at, objects, blob)
            }
            (Type::Array(_, count), Datum::Many(parts)) if *count == parts.len() as u64 => {
                self.write_parts(module, ty, parts, at, objects, blob)
            }
            (Type::Struct { fields, .. }, Datum::Many(parts)) if fields.len() == parts.len() => {
                self.write_parts(module, ty, parts, at, objects, blob)
            }
            _ => Err("a value does not fit its type".to_owned()),
        }
    }

    fn write_parts(
        &self,
        module: &Module,
        ty: TypeId,
        parts: &[Datum],
        at: u64,
        objects: usize,
        blob: &mut Blob,
    ) -> Result<(), String> {
        for (index, part) in parts.iter().enumerate() {
            let element = module.type_layouts.element_offset(&module.types, ty, index as i64);
            let (offset, element) = element.ok_or("a value has no size")?;
            self.write(module, element, part, at + offset as u64, objects, blob)?;
        }
        Ok(())
    }

    fn write_vector(
        &self,
        module: &Module,
        element: TypeId,
        parts: &[Datum],
        at: u64,
        objects: usize,
        blob: &mut Blob,
    ) -> Result<(), String> {
        let width = module.type_layouts.get(element).ok_or("a value has no size")?.bits;
        if width.is_multiple_of(8) {
            for (index, part) in parts.iter().enumerate() {
                self.write(module, element, part, at + index as u64 * (width / 8), objects, blob)?;
            }
            return Ok(());
        }
        // Narrow elements are packed.
        for (index, part) in parts.iter().enumerate() {
            let Datum::Bits(bits) = part else { continue };
            for bit in (0..bits.width).filter(|&bit| bits.bit(bit)) {
                let place = index as u64 * width + u64::from(bit);
                if let Some(byte) = blob.bytes.get_mut((at + place / 8) as usize) {
                    *byte |= 1 << (place % 8);
                }
            }
        }
        Ok(())
    }

    /// The value of a type at an offset of a blob.
    pub fn read(&self, module: &Module, ty: TypeId, at: u64, blob: &Blob) -> Datum {
        let Some(layout) = module.type_layouts.get(ty) else { return Datum::Any };
        match module.types.resolve(ty) {
            Type::Ptr(_) => Datum::Pointer(self.read_pointer(at, blob)),
            Type::Int(bits) => Datum::Bits(read_bits(blob, at * 8, *bits)),
            Type::Float(kind) => Datum::Bits(read_bits(blob, at * 8, kind.bits())),
            Type::Vector { element, count, scalable: false } => {
                let width = layout.bits.checked_div(*count).unwrap_or(0);
                let part = |index: u64| match module.types.resolve(*element) {
                    Type::Ptr(_) => Datum::Pointer(self.read_pointer(at + index * width / 8, blob)),
                    _ => Datum::Bits(read_bits(blob, at * 8 + index * width, width as u32)),
                };
                Datum::Many((0..*count).map(part).collect())
            }
            Type::Array(_, count) => self.read_parts(module, ty, *count, at, blob),
            Type::Struct { fields, .. } => self.read_parts(module, ty, fields.len() as u64, at, blob),
            _ => Datum::Any,
        }
    }

    fn read_parts(&self, module: &Module, ty: TypeId, count: u64, at: u64, blob: &Blob) -> Datum {
        let part = |index: u64| match module.type_layouts.element_offset(&module.types, ty, index as i64) {
            Some((offset, element)) => self.read(module, element, at + offset as u64, blob),
            None => Datum::Any,
        };
        Datum::Many((0..count).map(part).collect())
    }

    fn read_pointer(&self, at: u64, blob: &Blob) -> Target {
        if let Some((_, target)) = blob.pointers.iter().find(|(offset, _)| *offset == at) {
            return self.decode(*target);
        }
        match read_bits(blob, at * 8, 64).low() {
            0 => Target::Null,
            word if !(FIRST_PAGES..LAST_ADDRESS).contains(&word) => Target::Address(word),
            _ => Target::Own,
        }
    }
}

/// A place in memory that a run made itself. Under a pointer to one, what a run left has a word that names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnPlace {
    /// Which piece of memory, by its position in [`super::Replayed::own`].
    pub piece: usize,
    /// Distance from its beginning.
    pub distance: u32,
}

impl OwnPlace {
    fn of([kind, number, distance]: [u64; 3]) -> Option<OwnPlace> {
        let piece = usize::try_from(number).ok()?.checked_sub(1).filter(|_| kind == TO_OWN)?;
        Some(OwnPlace { piece, distance: u32::try_from(distance).ok()? })
    }

    fn word(self) -> u64 {
        (self.piece as u64 + 1) << 32 | u64::from(self.distance)
    }

    /// The place that bytes under a pointer name, if it is known.
    pub fn under(memory: &Memory, at: u64) -> Option<OwnPlace> {
        let bytes = memory.bytes.get(at as usize..)?.get(..8)?;
        let word = u64::from_le_bytes(bytes.try_into().ok()?);
        Some(OwnPlace { piece: usize::try_from(word >> 32).ok()?.checked_sub(1)?, distance: word as u32 })
    }
}

fn write_bits(bits: &Bits, at: u64, bytes: u64, blob: &mut Blob) -> Result<(), String> {
    for index in 0..bytes {
        let byte = bits.words.get(index as usize / 8).map_or(0, |word| word >> (index % 8 * 8)) as u8;
        *blob.bytes.get_mut((at + index) as usize).ok_or("a value lies outside of its place")? = byte;
    }
    Ok(())
}

fn read_bits(blob: &Blob, first: u64, width: u32) -> Bits {
    let mut bits = Bits::zero(width);
    for bit in 0..u64::from(width) {
        let place = first + bit;
        let set = blob.bytes.get((place / 8) as usize).is_some_and(|byte| byte >> (place % 8) & 1 == 1);
        bits.words[(bit / 64) as usize] |= u64::from(set) << (bit % 64);
    }
    bits
}

/// Words as they are written.
#[derive(Default)]
pub struct Writer {
    /// What was written so far.
    pub out: Vec<u8>,
}

impl Writer {
    /// Writes a word.
    pub fn word(&mut self, word: u64) {
        self.out.extend(word.to_ne_bytes());
    }

    /// Writes bytes behind their number.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        self.padded(bytes);
    }

    /// Writes bytes without their number.
    fn padded(&mut self, bytes: &[u8]) {
        self.out.extend(bytes);
        self.out.resize(self.out.len().next_multiple_of(8), 0);
    }

    /// Writes bytes without their number, then the pointers.
    pub fn blob(&mut self, blob: &Blob) {
        self.padded(&blob.bytes);
        self.word(blob.pointers.len() as u64);
        for (offset, target) in &blob.pointers {
            self.word(*offset);
            target.iter().for_each(|&word| self.word(word));
        }
    }
}

/// Words as they are read. Everything is `None` behind the end.
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// From the beginning.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { rest: bytes }
    }

    /// Reads a word.
    pub fn word(&mut self) -> Option<u64> {
        let (word, rest) = self.rest.split_first_chunk::<8>()?;
        self.rest = rest;
        Some(u64::from_ne_bytes(*word))
    }

    /// Reads so many bytes.
    pub fn bytes(&mut self, count: u64) -> Option<&'a [u8]> {
        let padded = count.checked_next_multiple_of(8)?;
        let (bytes, rest) = self.rest.split_at_checked(usize::try_from(padded).ok()?)?;
        self.rest = rest;
        bytes.get(..count as usize)
    }

    /// Reads bytes behind their number, then the pointers.
    pub fn blob(&mut self) -> Option<Blob> {
        let size = self.word()?;
        let bytes = self.bytes(size)?.to_vec();
        let count = self.word()?;
        let mut pointers = Vec::new();
        for _ in 0..count {
            let offset = self.word()?;
            pointers.push((offset, [self.word()?, self.word()?, self.word()?]));
        }
        Some(Blob { bytes, pointers })
    }
}
