//! Bytes of an object, each with a mark that says what it is.
//!
//! They lie in pages: what was never written takes no room, and copies share pages until one of them writes there. Most objects
//! are small and have only the beginning of the first page, so that one is as long as what was written of it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// What a byte is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Never written.
    Unset,
    /// A known byte.
    Byte,
    /// Part of a value that was stored whole.
    Cell,
}

/// Bytes of an object. They grow when they are written; what lies beyond is unset.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bytes {
    first: Page,
    /// All other pages that were written, by their number.
    pages: BTreeMap<u64, Rc<Page>>,
    /// The end of what was ever written.
    end: u64,
}

/// A page, up to what was written of it.
#[derive(Clone, Debug, Default, PartialEq)]
struct Page {
    bytes: Vec<u8>,
    marks: Vec<Mark>,
}

/// Bytes of a page.
const PAGE: u64 = 4096;

impl Bytes {
    /// Known bytes.
    pub fn new(bytes: &[u8]) -> Bytes {
        let mut all = Bytes::default();
        all.write(0, bytes);
        all
    }

    /// The end of what was ever written.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// What a byte is.
    pub fn mark(&self, at: u64) -> Mark {
        let page = self.page(at / PAGE).and_then(|page| page.marks.get((at % PAGE) as usize));
        page.copied().unwrap_or(Mark::Unset)
    }

    /// How many bytes from `start` on have that mark, at most up to `end`.
    pub fn run(&self, start: u64, end: u64, mark: Mark) -> u64 {
        let mut count = 0;
        for (number, range) in pieces(start, end) {
            let length = range.len();
            let written = self.page(number).map_or(&[][..], |page| &page.marks);
            let known = written.get(range.start..range.end.min(written.len())).unwrap_or(&[]);
            let same = known.iter().take_while(|&&known| known == mark).count();
            // What lies behind the written part of a page is unset.
            let same = if same == known.len() && mark == Mark::Unset { length } else { same };
            count += same as u64;
            if same < length {
                break;
            }
        }
        count
    }

    /// Whether all bytes of a range have that mark.
    pub fn all(&self, start: u64, end: u64, mark: Mark) -> bool {
        self.run(start, end, mark) == end.saturating_sub(start)
    }

    /// Bytes of a range that lies in one page; nothing if it does not, or ends behind what was written.
    pub fn slice(&self, start: u64, end: u64) -> Option<&[u8]> {
        let mut pieces = pieces(start, end);
        let (number, range) = pieces.next()?;
        self.page(number)?.bytes.get(range).filter(|_| pieces.next().is_none())
    }

    /// Copies bytes of a range; those that were never written are zero.
    pub fn read(&self, start: u64, into: &mut [u8]) {
        let mut rest = into;
        for (number, range) in pieces(start, start.saturating_add(rest.len() as u64)) {
            let (piece, behind) = rest.split_at_mut(range.len());
            let bytes = self.page(number).and_then(|page| page.bytes.get(range.start..)).unwrap_or(&[]);
            let known = bytes.len().min(piece.len());
            piece[..known].copy_from_slice(&bytes[..known]);
            piece[known..].fill(0);
            rest = behind;
        }
    }

    /// Writes known bytes.
    pub fn write(&mut self, start: u64, bytes: &[u8]) {
        let mut rest = bytes;
        for (number, range) in pieces(start, start.saturating_add(bytes.len() as u64)) {
            let (piece, behind) = rest.split_at(range.len());
            let page = self.page_mut(number, range.end);
            page.bytes[range.clone()].copy_from_slice(piece);
            page.marks[range].fill(Mark::Byte);
            rest = behind;
        }
    }

    /// Marks all bytes of a range.
    pub fn set(&mut self, start: u64, end: u64, mark: Mark) {
        self.end = self.end.max(end);
        for (number, range) in pieces(start, end) {
            // A page that is not there is unset.
            if mark != Mark::Unset || self.page(number).is_some() {
                self.page_mut(number, range.end).marks[range].fill(mark);
            }
        }
    }

    fn page(&self, number: u64) -> Option<&Page> {
        if number == 0 { Some(&self.first) } else { self.pages.get(&number).map(|page| &**page) }
    }

    /// A page with room for its first `length` bytes.
    fn page_mut(&mut self, number: u64, length: usize) -> &mut Page {
        self.end = self.end.max(number * PAGE + length as u64);
        let page = match number {
            0 => &mut self.first,
            _ => Rc::make_mut(self.pages.entry(number).or_default()),
        };
        if page.bytes.len() < length {
            page.bytes.resize(length, 0);
            page.marks.resize(length, Mark::Unset);
        }
        page
    }
}

/// The parts of a range that lie in one page each: its number, and where in it.
fn pieces(start: u64, end: u64) -> impl Iterator<Item = (u64, Range<usize>)> {
    let mut at = start;
    std::iter::from_fn(move || {
        if at >= end {
            return None;
        }
        let number = at / PAGE;
        let stop = end.min((number + 1).saturating_mul(PAGE));
        let range = (at - number * PAGE) as usize..(stop - number * PAGE) as usize;
        at = stop;
        Some((number, range))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Beside a plain list that has all bytes.
    #[test]
    fn pages_do_what_a_list_does() {
        const SIZE: u64 = 3 * PAGE + 100;
        let mut state = 7u64;
        let mut next = |below: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % below
        };
        let (mut bytes, mut list) = (Bytes::default(), vec![(0u8, Mark::Unset); SIZE as usize]);
        for round in 0..2000u64 {
            let length = if round % 5 == 0 { next(2 * PAGE) } else { next(12) };
            let start = next(SIZE - length);
            let range = start as usize..(start + length) as usize;
            match next(4) {
                0 => {
                    bytes.set(start, start + length, Mark::Unset);
                    list[range].iter_mut().for_each(|one| one.1 = Mark::Unset);
                }
                1 => {
                    bytes.set(start, start + length, Mark::Cell);
                    list[range].iter_mut().for_each(|one| one.1 = Mark::Cell);
                }
                _ => {
                    let written: Vec<u8> = (0..length).map(|_| next(256) as u8).collect();
                    bytes.write(start, &written);
                    list[range].iter_mut().zip(&written).for_each(|(one, &byte)| *one = (byte, Mark::Byte));
                }
            }
            let copy = bytes.clone();
            let at = next(SIZE);
            assert_eq!(copy.mark(at), list[at as usize].1);
            let end = at + next(SIZE - at + 1);
            for mark in [Mark::Unset, Mark::Byte, Mark::Cell] {
                let run = list[at as usize..end as usize].iter().take_while(|one| one.1 == mark).count() as u64;
                assert_eq!(copy.run(at, end, mark), run);
                assert_eq!(copy.all(at, end, mark), run == end - at);
            }
            let expected: Vec<u8> = list[at as usize..end as usize].iter().map(|one| one.0).collect();
            let mut read = vec![1; expected.len()];
            copy.read(at, &mut read);
            assert_eq!(read, expected);
            assert!(copy.slice(at, end).is_none_or(|slice| slice == expected));
        }
        assert!(bytes.end() <= SIZE);
    }

    #[test]
    fn what_is_not_written_takes_no_room() {
        let mut bytes = Bytes::default();
        bytes.write(1 << 40, &[5]);
        assert_eq!((bytes.pages.len(), bytes.end(), bytes.mark(1 << 40)), (1, (1 << 40) + 1, Mark::Byte));
        let copy = bytes.clone();
        bytes.write(10, &[6]);
        assert!(copy.pages.iter().zip(&bytes.pages).all(|(one, other)| Rc::ptr_eq(one.1, other.1)));
    }
}
