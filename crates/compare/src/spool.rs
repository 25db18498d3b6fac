//! Records that are written once and read later, in any order: a little memory whatever their number.
//!
//! Up to 64 MiB stay in memory, in pieces that never move; what comes then goes to a temporary file. A record that
//! cannot be written, because the disk is full, is an error of that record; those before it can still be read.

use serde::{Serialize, de::DeserializeOwned};
use std::fs::File;
use std::io;
use std::marker::PhantomData;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

/// Bytes that are kept in memory.
const IN_MEMORY: usize = 64 << 20;

/// Bytes of a piece of memory, unless a record is longer.
const PIECE: usize = 1 << 20;

/// Bytes that are read from the file at once: records are mostly read in the order in which they were written.
const AHEAD: usize = 256 << 10;

/// Records of one type.
pub struct Spool<T> {
    memory: RwLock<Vec<Vec<u8>>>,
    file: Mutex<Option<Disk>>,
    /// Bytes of the longest record so far, which others will not be far from.
    longest: AtomicUsize,
    of: PhantomData<fn(T) -> T>,
}

struct Disk {
    file: File,
    /// Where the file ends.
    end: u64,
    /// Bytes behind its end that are not written yet.
    tail: Vec<u8>,
    /// Bytes that were read, and where they begin.
    ahead: Vec<u8>,
    from: u64,
}

/// Where a record is.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// The piece of memory, or none for the file.
    piece: u32,
    length: u32,
    start: u64,
}

/// The number that no piece of memory has.
const FILE: u32 = u32::MAX;

impl<T> Default for Spool<T> {
    fn default() -> Self {
        let (memory, file) = (RwLock::default(), Mutex::default());
        Spool { memory, file, longest: AtomicUsize::new(64), of: PhantomData }
    }
}

impl<T: Serialize + DeserializeOwned> Spool<T> {
    /// Keeps a record.
    pub fn put(&self, record: &T) -> io::Result<Slot> {
        self.put_bytes(&self.bytes(record)?)
    }

    /// The bytes that a record is kept as.
    pub fn bytes(&self, record: &T) -> io::Result<Vec<u8>> {
        let room = Vec::with_capacity(self.longest.load(Ordering::Relaxed));
        let bytes = postcard::to_extend(record, room).map_err(io::Error::other)?;
        self.longest.fetch_max(bytes.len().min(PIECE), Ordering::Relaxed);
        Ok(bytes)
    }

    /// Keeps a record that is bytes already.
    pub fn put_bytes(&self, bytes: &[u8]) -> io::Result<Slot> {
        let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
        let mut memory = self.memory.write().unwrap_or_else(PoisonError::into_inner);
        let fits = memory.last().is_some_and(|piece| piece.capacity() - piece.len() >= bytes.len());
        if !fits {
            if memory.len() * PIECE >= IN_MEMORY || bytes.len() > PIECE {
                drop(memory);
                let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
                let start = Disk::opened(&mut file)?.append(bytes)?;
                return Ok(Slot { piece: FILE, length, start });
            }
            memory.push(Vec::with_capacity(PIECE));
        }
        let number = memory.len() as u32 - 1;
        let piece = &mut memory[number as usize];
        let start = piece.len() as u64;
        piece.extend_from_slice(bytes);
        Ok(Slot { piece: number, length, start })
    }

    /// Reads records. Several threads do so side by side: others wait only while bytes are fetched from the file.
    pub fn get_all(&self, slots: impl Iterator<Item = Slot>) -> io::Result<Vec<T>> {
        let memory = self.memory.read().unwrap_or_else(PoisonError::into_inner);
        let read = |slot: Slot| match memory.get(slot.piece as usize) {
            Some(piece) => {
                let start = slot.start as usize;
                postcard::from_bytes(&piece[start..start + slot.length as usize]).map_err(io::Error::other)
            }
            None => {
                let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
                let bytes = Disk::opened(&mut file)?.bytes(slot)?.to_vec();
                drop(file);
                postcard::from_bytes(&bytes).map_err(io::Error::other)
            }
        };
        slots.map(read).collect()
    }
}

impl Disk {
    fn opened(disk: &mut Option<Disk>) -> io::Result<&mut Disk> {
        match disk {
            Some(disk) => Ok(disk),
            None => Ok(disk.insert(Disk {
                file: tempfile::tempfile()?,
                end: 0,
                tail: Vec::new(),
                ahead: Vec::new(),
                from: 0,
            })),
        }
    }

    /// Adds a record behind the others. Where there is no room for it, those before it are still there.
    fn append(&mut self, bytes: &[u8]) -> io::Result<u64> {
        if self.tail.len() + bytes.len() > AHEAD {
            self.file.write_all_at(&self.tail, self.end)?;
            self.end += self.tail.len() as u64;
            self.tail.clear();
        }
        let start = self.end + self.tail.len() as u64;
        self.tail.extend_from_slice(bytes);
        Ok(start)
    }

    /// The bytes of a record.
    fn bytes(&mut self, slot: Slot) -> io::Result<&[u8]> {
        let length = slot.length as usize;
        if let Some(at) = slot.start.checked_sub(self.end) {
            return Ok(&self.tail[at as usize..at as usize + length]);
        }
        let at = slot.start.checked_sub(self.from).and_then(|at| usize::try_from(at).ok());
        let at = match at.filter(|&at| at + length <= self.ahead.len()) {
            Some(at) => at,
            None => {
                self.read(slot)?;
                0
            }
        };
        Ok(&self.ahead[at..at + length])
    }

    /// Reads ahead from a record on.
    fn read(&mut self, slot: Slot) -> io::Result<()> {
        let left = usize::try_from(self.end - slot.start).unwrap_or(usize::MAX);
        self.ahead.clear();
        self.ahead.resize(left.min(AHEAD.max(slot.length as usize)), 0);
        self.from = slot.start;
        let read = self.file.read_exact_at(&mut self.ahead, slot.start);
        if read.is_err() {
            self.ahead.clear();
        }
        read
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::{AHEAD, FILE, IN_MEMORY, PIECE, Spool};

    #[test]
    fn records_come_back_in_any_order() {
        let spool = Spool::<String>::default();
        let text = |number: usize| number.to_string().repeat(1 + number % 50);
        let mut slots: Vec<_> = (0..20_000).map(|number| (number, spool.put(&text(number)).unwrap())).collect();
        slots.push((0, spool.put(&text(0)).unwrap()));
        assert!(slots.len() * 50 > AHEAD);
        for size in [1, 100] {
            for batch in slots.chunks(size).chain(slots.chunks(size).rev()) {
                let read = spool.get_all(batch.iter().map(|(_, slot)| *slot)).unwrap();
                assert_eq!(read, batch.iter().map(|(number, _)| text(*number)).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn long_records_and_those_beyond_the_memory_go_to_a_file() {
        let spool = Spool::<String>::default();
        let long = "x".repeat(PIECE + 1);
        let text = |number: usize| format!("{number}{}", " ".repeat(PIECE / 3));
        let first = spool.put(&text(0)).unwrap();
        let second = spool.put(&long).unwrap();
        let others: Vec<_> =
            (1..IN_MEMORY / PIECE * 3).map(|number| (number, spool.put(&text(number)).unwrap())).collect();
        assert_eq!((first.piece, second.piece, others.last().unwrap().1.piece), (0, FILE, FILE));
        assert_eq!(spool.get_all([second, first].into_iter()).unwrap(), [long, text(0)]);
        for (number, slot) in others {
            assert_eq!(spool.get_all([slot].into_iter()).unwrap(), [text(number)]);
        }
    }
}
