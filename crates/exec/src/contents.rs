//! The bytes of an object: known ones in a list, all others as cells laid over them.
//!
//! A cell is a value that was stored whole: an expression, a pointer. Reading it whole gives it back; reading a part of
//! it slices the expression. Bytes that were never written are *unset*; what they are is the object's matter. Once an
//! index is symbolic, the contents become an array of equal elements, exact for every index.

use crate::bytes::{Bytes, Mark};
use crate::inputs::InputId;
use crate::value::Value;
use smt::expr::ArrayId;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The bytes of an object. They grow when they are written; what lies beyond is unset.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents {
    bytes: Bytes,
    cells: BTreeMap<u64, Cell>,
    /// What bytes are that were never written.
    pub unset: Unset,
    /// The contents as an array, in place of everything else.
    pub array: Option<Array>,
    /// The input object that unset bytes are part of, if it is not the one that the object itself is.
    pub source: Option<InputId>,
}

/// A value stored whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Bytes that it covers.
    pub size: u32,
    /// Value: bits of that size, a pointer, or undefined.
    pub value: Value,
}

/// Contents as an array of equal elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Array {
    /// Bytes of an element.
    pub element: u32,
    /// The array, indexed by the element's number.
    pub id: ArrayId,
}

/// What bytes are that were never written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unset {
    /// Undefined.
    #[default]
    Undefined,
    /// Zero.
    Zero,
    /// Part of the input.
    Input,
}

/// Bytes that may lie between what was written and what is written next.
const FAR: u64 = 64 << 20;

/// What some bytes are.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Known bytes, the first one lowest.
    Bytes(u64),
    /// A whole cell.
    Cell(Value),
    /// All of them were never written.
    Unset,
    /// Different things; to be looked at byte by byte.
    Mixed,
}

impl Contents {
    /// Contents of known bytes; what lies behind them is unset.
    pub fn from_bytes(bytes: &[u8], unset: Unset) -> Contents {
        Contents { bytes: Bytes::new(bytes), unset, ..Contents::default() }
    }

    /// Contents without a written byte.
    pub fn new(unset: Unset) -> Contents {
        Contents { unset, ..Contents::default() }
    }

    /// What the `size` bytes from `offset` on are; `size` is at most 8 for known bytes to be told at once.
    pub fn part(&self, offset: u64, size: u64) -> Part {
        let end = offset.saturating_add(size);
        match self.bytes.mark(offset) {
            Mark::Byte if size > 8 || !self.bytes.all(offset, end, Mark::Byte) => Part::Mixed,
            Mark::Byte => {
                let mut word = [0; 8];
                self.bytes.read(offset, &mut word[..size as usize]);
                Part::Bytes(u64::from_le_bytes(word))
            }
            Mark::Cell => match self.cells.get(&offset) {
                Some(cell) if u64::from(cell.size) == size => Part::Cell(cell.value.clone()),
                _ => Part::Mixed,
            },
            Mark::Unset if self.bytes.all(offset, end, Mark::Unset) => Part::Unset,
            Mark::Unset => Part::Mixed,
        }
    }

    /// The known bytes from `offset` on, if all of them are.
    pub fn known(&self, offset: u64, size: u64) -> Option<Cow<'_, [u8]>> {
        let end = offset.checked_add(size)?;
        if self.array.is_some() || !self.bytes.all(offset, end, Mark::Byte) {
            return None;
        }
        if let Some(slice) = self.bytes.slice(offset, end) {
            return Some(Cow::Borrowed(slice));
        }
        // All of it was written, so there is room for it.
        let mut bytes = vec![0; usize::try_from(size).ok()?];
        self.bytes.read(offset, &mut bytes);
        Some(Cow::Owned(bytes))
    }

    /// How many known bytes follow `offset`, at most `most`.
    pub fn known_length(&self, offset: u64, most: u64) -> u64 {
        self.bytes.run(offset, offset.saturating_add(most).min(self.bytes.end()), Mark::Byte)
    }

    /// The cell that covers `offset`, with where it begins.
    pub fn cell_at(&self, offset: u64) -> Option<(u64, &Cell)> {
        let (&start, cell) = self.cells.range(..=offset).next_back()?;
        (offset - start < u64::from(cell.size)).then_some((start, cell))
    }

    /// All cells by offset.
    pub fn cells(&self) -> impl Iterator<Item = (u64, &Cell)> {
        self.cells.iter().map(|(&offset, cell)| (offset, cell))
    }

    /// The end of what was ever written.
    pub fn written(&self) -> u64 {
        self.bytes.end()
    }

    /// Whether a range ends so far behind all that was written that there is no room for what lies between.
    pub fn is_far(&self, offset: u64, size: u64) -> bool {
        offset.saturating_add(size) > self.written() + FAR
    }

    /// Writes known bytes. Cells that are only partly covered must have been split before.
    pub fn write_bytes(&mut self, offset: u64, bytes: &[u8]) {
        if self.clear(offset, bytes.len() as u64).is_some() {
            self.bytes.write(offset, bytes);
        }
    }

    /// Writes a number of up to 8 bytes, the lowest byte first.
    pub fn write_word(&mut self, offset: u64, word: u64, size: u64) {
        let bytes = word.to_le_bytes();
        self.write_bytes(offset, &bytes[..(size as usize).min(8)]);
    }

    /// Writes a whole value. Cells that are only partly covered must have been split before.
    pub fn write_cell(&mut self, offset: u64, size: u32, value: Value) {
        let Some(end) = self.clear(offset, u64::from(size)) else { return };
        // Where unset bytes of this object mean something else, undefined ones need a cell.
        if value == Value::Undef && self.unset == Unset::Undefined {
            self.bytes.set(offset, end, Mark::Unset);
            return;
        }
        self.bytes.set(offset, end, Mark::Cell);
        self.cells.insert(offset, Cell { size, value });
    }

    /// The cells that stick out of a range at either end: they have to be split before the range is written.
    pub fn cut_cells(&self, offset: u64, size: u64) -> Vec<(u64, Cell)> {
        if self.cells.is_empty() {
            return Vec::new();
        }
        let end = offset + size;
        let mut cut = Vec::new();
        for at in [offset, end.saturating_sub(1)] {
            if let Some((start, cell)) = self.cell_at(at)
                && (start < offset || start + u64::from(cell.size) > end)
                && !cut.iter().any(|(known, _)| *known == start)
            {
                cut.push((start, cell.clone()));
            }
        }
        cut
    }

    /// Removes cells inside a range; where that ends, unless it ends nowhere.
    fn clear(&mut self, offset: u64, size: u64) -> Option<u64> {
        let end = offset.checked_add(size)?;
        if !self.cells.is_empty() {
            let inside: Vec<u64> = self.cells.range(offset..end).map(|(&at, _)| at).collect();
            for at in inside {
                self.cells.remove(&at);
            }
        }
        Some(end)
    }
}
