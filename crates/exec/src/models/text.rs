//! Reading memory as library functions do: known bytes at once, others one by one.

use super::Arguments;
use crate::run::Run;
use crate::state::Stop;
use crate::value::{ObjectId, Pointer, Value};
use smt::expr::Expr;
use std::rc::Rc;

/// How many known bytes are looked at in one go, at first and at most.
const FIRST_CHUNK: u64 = 32;
const LARGEST_CHUNK: u64 = 4096;

/// Most values of a length that is not known.
const MAX_LENGTH: u64 = 64;

/// Bytes that were read: each is an expression of 8 bits.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Text {
    /// All of them are known.
    Known(Vec<u8>),
    /// Some are not.
    Mixed(Vec<Expr>),
}

impl Text {
    /// How many bytes there are.
    pub fn len(&self) -> usize {
        match self {
            Text::Known(bytes) => bytes.len(),
            Text::Mixed(bytes) => bytes.len(),
        }
    }

    /// A byte.
    pub fn byte(&self, index: usize) -> Option<Expr> {
        match self {
            Text::Known(bytes) => bytes.get(index).map(|&byte| constant(byte)),
            Text::Mixed(bytes) => bytes.get(index).copied(),
        }
    }

    /// The bytes as expressions.
    pub fn exprs(&self) -> Vec<Expr> {
        match self {
            Text::Known(bytes) => bytes.iter().map(|&byte| constant(byte)).collect(),
            Text::Mixed(bytes) => bytes.clone(),
        }
    }

    /// The bytes, if all of them are known.
    pub fn known(&self) -> Option<&[u8]> {
        match self {
            Text::Known(bytes) => Some(bytes),
            Text::Mixed(_) => None,
        }
    }

    /// Appends a byte.
    pub fn push(&mut self, byte: Expr) {
        match (&mut *self, byte.as_const()) {
            (Text::Known(bytes), Some(known)) => bytes.push(known as u8),
            (Text::Known(_), None) => {
                let mut exprs = self.exprs();
                exprs.push(byte);
                *self = Text::Mixed(exprs);
            }
            (Text::Mixed(bytes), _) => bytes.push(byte),
        }
    }

    /// Appends known bytes.
    pub fn extend(&mut self, known: &[u8]) {
        match self {
            Text::Known(bytes) => bytes.extend_from_slice(known),
            Text::Mixed(bytes) => bytes.extend(known.iter().map(|&byte| constant(byte))),
        }
    }

    /// Appends a text.
    pub fn append(&mut self, other: &Text) {
        match other {
            Text::Known(bytes) => self.extend(bytes),
            Text::Mixed(bytes) => bytes.iter().for_each(|&byte| self.push(byte)),
        }
    }

    /// Keeps the first bytes only.
    pub fn truncate(&mut self, length: usize) {
        match self {
            Text::Known(bytes) => bytes.truncate(length),
            Text::Mixed(bytes) => bytes.truncate(length),
        }
    }
}

/// A known byte.
pub(crate) fn constant(byte: u8) -> Expr {
    Expr::constant(byte.into(), 8)
}

/// A place that is being read forwards, byte by byte.
pub(crate) struct Reader {
    object: ObjectId,
    start: Expr,
    /// Known bytes from `first` on.
    ahead: Vec<u8>,
    first: u64,
    chunk: u64,
}

impl Reader {
    /// Reads from an address on; nothing is looked at yet.
    pub fn new(ptr: Pointer) -> Reader {
        Reader { object: ptr.object, start: ptr.offset, ahead: Vec::new(), first: 0, chunk: FIRST_CHUNK }
    }

    /// The byte at a distance, checked.
    pub fn byte(&mut self, run: &mut Run, distance: u64) -> Result<Expr, Stop> {
        if let Some(at) = distance.checked_sub(self.first)
            && let Some(&byte) = self.ahead.get(at as usize)
        {
            return Ok(constant(byte));
        }
        let offset = run.pool().add(self.start, Expr::constant(distance, 64));
        let ptr = Pointer { object: self.object, offset };
        let byte = run.load_byte(ptr)?;
        if byte.as_const().is_some() {
            self.first = distance;
            self.ahead = run.known_ahead(ptr, self.chunk);
            self.chunk = (self.chunk * 4).min(LARGEST_CHUNK);
        }
        Ok(byte)
    }

    /// The known bytes from a distance on, as many as are at hand; empty if the next byte is not known.
    pub fn known(&mut self, run: &mut Run, distance: u64) -> Result<&[u8], Stop> {
        self.byte(run, distance)?;
        let at = distance.wrapping_sub(self.first) as usize;
        Ok(self.ahead.get(at..).unwrap_or(&[]))
    }
}

impl Run<'_, '_> {
    /// Known bytes from an address on that lie inside the object, at most `most`. Nothing is asked.
    pub(crate) fn known_ahead(&mut self, ptr: Pointer, most: u64) -> Vec<u8> {
        let Some(at) = ptr.offset.as_const() else { return Vec::new() };
        let object = self.object(ptr.object);
        let Some(size) = object.size.as_const() else { return Vec::new() };
        if object.contents.array.is_some() {
            return Vec::new();
        }
        let most = most.min(size.saturating_sub(at));
        let length = object.contents.known_length(at, most);
        object.contents.known(at, length).unwrap_or_default().into_owned()
    }

    /// Known bytes of a range, checked; `None` if some are not known or where they lie is not.
    pub(crate) fn known_range(
        &mut self,
        ptr: Pointer,
        size: u64,
    ) -> Result<Option<(Rc<crate::contents::Contents>, u64)>, Stop> {
        let (object, offset) = self.access(ptr, size, false)?;
        let Some(at) = offset.as_const() else { return Ok(None) };
        let contents = self.object(object).contents.clone();
        Ok(contents.known(at, size).is_some().then_some((contents, at)))
    }

    /// Asks how long a string is, at most `most`.
    pub(crate) fn string_length(&mut self, ptr: Pointer, most: u64) -> Result<u64, Stop> {
        let mut reader = Reader::new(ptr);
        let mut length = 0;
        while length < most {
            let known = reader.known(self, length)?;
            if !known.is_empty() {
                match known.iter().position(|&byte| byte == 0) {
                    Some(end) => return Ok((length + end as u64).min(most)),
                    None => length += known.len() as u64,
                }
                continue;
            }
            let byte = reader.byte(self, length)?;
            let end = self.pool().eq(byte, constant(0));
            if self.decide(end)? {
                return Ok(length);
            }
            length += 1;
            if length > self.program().options.max_bytes {
                return Err(self.bound("length of a string"));
            }
        }
        Ok(most)
    }

    /// A string without its end.
    pub(crate) fn string(&mut self, ptr: Pointer) -> Result<Text, Stop> {
        self.string_up_to(ptr, u64::MAX)
    }

    /// A string without its end, or its first `most` bytes.
    pub(crate) fn string_up_to(&mut self, ptr: Pointer, most: u64) -> Result<Text, Stop> {
        let length = self.string_length(ptr, most)?;
        self.bytes(ptr, length)
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&mut self, ptr: Pointer, size: u64) -> Result<Text, Stop> {
        if size == 0 {
            return Ok(Text::Known(Vec::new()));
        }
        if let Some((contents, at)) = self.known_range(ptr, size)? {
            return Ok(Text::Known(contents.known(at, size).unwrap_or_default().into_owned()));
        }
        if size > self.program().options.max_bytes {
            return Err(self.bound("bytes read at once"));
        }
        let mut reader = Reader::new(ptr);
        let mut text = Text::Known(Vec::new());
        for distance in 0..size {
            let byte = reader.byte(self, distance)?;
            text.push(byte);
        }
        Ok(text)
    }

    /// Writes bytes to memory.
    pub(crate) fn write_text(&mut self, ptr: Pointer, text: &Text) -> Result<(), Stop> {
        if text.len() == 0 {
            return Ok(());
        }
        let (object, offset) = self.access(ptr, text.len() as u64, true)?;
        match (text, offset.as_const()) {
            (Text::Known(bytes), Some(at)) => self.write_known(object, at, bytes),
            _ => {
                for (i, byte) in text.exprs().into_iter().enumerate() {
                    let at = self.pool().add(offset, Expr::constant(i as u64, 64));
                    self.write(object, at, 1, Value::Bits(byte))?;
                }
                Ok(())
            }
        }
    }

    /// A known string with its end, for file names and such; a byte that is not known is unsupported.
    pub(crate) fn known_string(&mut self, ptr: Pointer, what: &str) -> Result<Vec<u8>, Stop> {
        match self.string(ptr)? {
            Text::Known(bytes) => Ok(bytes),
            Text::Mixed(_) => Err(self.unsupported(format!("{what} that is not known"))),
        }
    }

    /// A byte as one of `candidates`, by asking; `None` if it is another one.
    pub(crate) fn one_of(&mut self, byte: Expr, candidates: &[u8]) -> Result<Option<u8>, Stop> {
        if let Some(known) = byte.as_const() {
            return Ok(candidates.iter().copied().find(|&candidate| u64::from(candidate) == known));
        }
        let mut conditions = Vec::with_capacity(candidates.len() + 1);
        let mut other = Expr::bool(true);
        for &candidate in candidates {
            let same = self.pool().eq(byte, constant(candidate));
            conditions.push(same);
            let not = self.pool().not(same);
            other = self.pool().and(other, not);
        }
        conditions.push(other);
        let answer = self.choose(&conditions, crate::state::ChoiceKind::Value)?;
        Ok(candidates.get(answer).copied())
    }

    /// Whether a value lies in a range, both ends included, unsigned.
    pub(crate) fn in_range(&mut self, value: Expr, low: u64, high: u64) -> Expr {
        let pool = self.pool();
        let width = pool.width(value);
        let from = pool.ule(Expr::constant(low, width), value);
        let to = pool.ule(value, Expr::constant(high, width));
        pool.and(from, to)
    }

    /// Asks whether a byte lies in one of several ranges.
    pub(crate) fn is_among(&mut self, byte: Expr, ranges: &[(u8, u8)]) -> Result<bool, Stop> {
        let mut any = Expr::bool(false);
        for &(low, high) in ranges {
            let inside = self.in_range(byte, low.into(), high.into());
            any = self.pool().or(any, inside);
        }
        self.decide(any)
    }
}

impl Arguments<'_> {
    /// An argument as a number of 64 bits, zero-extended.
    pub(crate) fn unsigned(&self, run: &mut Run, index: usize) -> Result<Expr, Stop> {
        let bits = self.bits(run, index)?;
        Ok(run.pool().zext(bits, 64))
    }

    /// An argument as an `int`.
    pub(crate) fn int(&self, run: &mut Run, index: usize) -> Result<Expr, Stop> {
        let bits = self.bits(run, index)?;
        let pool = run.pool();
        Ok(if pool.width(bits) > 32 { pool.extract(bits, 0, 32) } else { pool.zext(bits, 32) })
    }

    /// The lowest byte of an argument.
    pub(crate) fn character(&self, run: &mut Run, index: usize) -> Result<Expr, Stop> {
        let bits = self.bits(run, index)?;
        Ok(run.pool().extract(bits, 0, 8))
    }

    /// An argument as a size, asked for if it is not known.
    pub(crate) fn size(&self, run: &mut Run, index: usize) -> Result<u64, Stop> {
        let bits = self.unsigned(run, index)?;
        run.number(bits, MAX_LENGTH, "a length that is not known")
    }
}
