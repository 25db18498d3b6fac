//! The bytes of an object: known ones in a list, all others as cells laid over them.
//!
//! A cell is a value that was stored whole: an expression, a pointer. Reading it whole gives it back; reading a part of
//! it slices the expression. Bytes that were never written are *unset*; what they are is the object's matter. Once an
//! index is symbolic, the contents become an array of equal elements, exact for every index.

use crate::inputs::InputId;
use crate::value::Value;
use smt::expr::ArrayId;
use std::collections::BTreeMap;

/// The bytes of an object. They grow when they are written; what lies beyond is unset.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents {
    bytes: Vec<u8>,
    marks: Vec<Mark>,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Unset,
    Byte,
    Cell,
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
    pub fn from_bytes(bytes: Vec<u8>, unset: Unset) -> Contents {
        let marks = vec![Mark::Byte; bytes.len()];
        Contents { bytes, marks, cells: BTreeMap::new(), unset, array: None, source: None }
    }

    /// Contents without a written byte.
    pub fn new(unset: Unset) -> Contents {
        Contents { unset, ..Contents::default() }
    }

    /// What the `size` bytes from `offset` on are; `size` is at most 8 for known bytes to be told at once.
    pub fn part(&self, offset: u64, size: u64) -> Part {
        let (Ok(start), Ok(length)) = (usize::try_from(offset), usize::try_from(size)) else { return Part::Unset };
        let Some(first) = self.marks.get(start) else { return Part::Unset };
        match first {
            Mark::Byte => {
                let Some(marks) = self.marks.get(start..start + length) else { return Part::Mixed };
                if length > 8 || marks.iter().any(|&mark| mark != Mark::Byte) {
                    return Part::Mixed;
                }
                let mut word = [0; 8];
                word[..length].copy_from_slice(&self.bytes[start..start + length]);
                Part::Bytes(u64::from_le_bytes(word))
            }
            Mark::Cell => match self.cells.get(&offset) {
                Some(cell) if u64::from(cell.size) == size => Part::Cell(cell.value.clone()),
                _ => Part::Mixed,
            },
            Mark::Unset => {
                let end = (start + length).min(self.marks.len());
                if self.marks[start..end].iter().all(|&mark| mark == Mark::Unset) { Part::Unset } else { Part::Mixed }
            }
        }
    }

    /// The known bytes from `offset` on, if all of them are.
    pub fn known(&self, offset: u64, size: u64) -> Option<&[u8]> {
        if self.array.is_some() {
            return None;
        }
        let start = usize::try_from(offset).ok()?;
        let end = start.checked_add(usize::try_from(size).ok()?)?;
        let all = self.marks.get(start..end)?.iter().all(|&mark| mark == Mark::Byte);
        all.then(|| &self.bytes[start..end])
    }

    /// How many known bytes follow `offset`, at most `most`.
    pub fn known_length(&self, offset: u64, most: u64) -> u64 {
        let Ok(start) = usize::try_from(offset) else { return 0 };
        let marks = self.marks.get(start..).unwrap_or(&[]);
        marks.iter().take(usize::try_from(most).unwrap_or(usize::MAX)).take_while(|&&mark| mark == Mark::Byte).count()
            as u64
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
        self.marks.len() as u64
    }

    /// Whether a range ends so far behind all that was written that there is no room for what lies between.
    pub fn is_far(&self, offset: u64, size: u64) -> bool {
        offset.saturating_add(size) > self.written() + FAR
    }

    /// Writes known bytes. Cells that are only partly covered must have been split before.
    pub fn write_bytes(&mut self, offset: u64, bytes: &[u8]) {
        let Some(range) = self.clear(offset, bytes.len() as u64) else { return };
        self.bytes[range.clone()].copy_from_slice(bytes);
        self.marks[range].fill(Mark::Byte);
    }

    /// Writes a number of up to 8 bytes, the lowest byte first.
    pub fn write_word(&mut self, offset: u64, word: u64, size: u64) {
        let bytes = word.to_le_bytes();
        self.write_bytes(offset, &bytes[..(size as usize).min(8)]);
    }

    /// Writes a whole value. Cells that are only partly covered must have been split before.
    pub fn write_cell(&mut self, offset: u64, size: u32, value: Value) {
        let Some(range) = self.clear(offset, u64::from(size)) else { return };
        if value == Value::Undef {
            self.marks[range].fill(Mark::Unset);
            if self.unset == Unset::Undefined {
                return;
            }
            // Unset bytes of this object mean something else, so undefined ones need a cell.
            let start = offset as usize;
            self.marks[start..start + size as usize].fill(Mark::Cell);
            self.cells.insert(offset, Cell { size, value });
            return;
        }
        self.marks[range].fill(Mark::Cell);
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

    /// Removes cells inside a range and makes room for it.
    fn clear(&mut self, offset: u64, size: u64) -> Option<std::ops::Range<usize>> {
        let start = usize::try_from(offset).ok()?;
        let end = start.checked_add(usize::try_from(size).ok()?)?;
        if end > self.bytes.len() {
            self.bytes.resize(end, 0);
            self.marks.resize(end, Mark::Unset);
        }
        if !self.cells.is_empty() && self.marks[start..end].contains(&Mark::Cell) {
            let inside: Vec<u64> = self.cells.range(offset..end as u64).map(|(&at, _)| at).collect();
            for at in inside {
                self.cells.remove(&at);
            }
        }
        Some(start..end)
    }
}
