//! Records that are written once and read later, in any order: a little memory whatever their number.
//!
//! Up to 64 MiB stay in memory, then a temporary file holds them all. A record that cannot be written, because
//! the disk is full, is an error of that record; those before it can still be read.

use serde::{Serialize, de::DeserializeOwned};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};
use tempfile::SpooledTempFile;

/// Bytes that are kept in memory.
const IN_MEMORY: usize = 64 << 20;

/// Bytes that are read at once: records are mostly read in the order in which they were written.
const AHEAD: usize = 256 << 10;

/// Records of one type.
pub struct Spool<T> {
    inner: Mutex<Inner>,
    of: PhantomData<fn(T) -> T>,
}

struct Inner {
    file: SpooledTempFile,
    /// Where the next record goes.
    end: u64,
    /// Bytes that were read, and where they begin.
    ahead: Vec<u8>,
    from: u64,
}

/// Where a record is.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    start: u64,
    length: u32,
}

impl<T> Default for Spool<T> {
    fn default() -> Self {
        let file = SpooledTempFile::new(IN_MEMORY);
        Spool { inner: Mutex::new(Inner { file, end: 0, ahead: Vec::new(), from: 0 }), of: PhantomData }
    }
}

impl<T: Serialize + DeserializeOwned> Spool<T> {
    /// Keeps a record.
    pub fn put(&self, record: &T) -> io::Result<Slot> {
        let bytes = postcard::to_stdvec(record).map_err(io::Error::other)?;
        let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let start = inner.end;
        inner.file.seek(SeekFrom::Start(start))?;
        inner.file.write_all(&bytes)?;
        inner.end += u64::from(length);
        Ok(Slot { start, length })
    }

    /// Reads a record.
    pub fn get(&self, slot: Slot) -> io::Result<T> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let length = slot.length as usize;
        let at = slot.start.checked_sub(inner.from).and_then(|at| usize::try_from(at).ok());
        let at = match at.filter(|&at| at + length <= inner.ahead.len()) {
            Some(at) => at,
            None => {
                inner.read(slot)?;
                0
            }
        };
        postcard::from_bytes(&inner.ahead[at..at + length]).map_err(io::Error::other)
    }
}

impl Inner {
    /// Reads ahead from a record on.
    fn read(&mut self, slot: Slot) -> io::Result<()> {
        let left = usize::try_from(self.end - slot.start).unwrap_or(usize::MAX);
        self.ahead.clear();
        self.ahead.resize(left.min(AHEAD.max(slot.length as usize)), 0);
        self.from = slot.start;
        self.file.seek(SeekFrom::Start(slot.start))?;
        let read = self.file.read_exact(&mut self.ahead);
        if read.is_err() {
            self.ahead.clear();
        }
        read
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::{AHEAD, Spool};

    #[test]
    fn records_come_back_in_any_order() {
        let spool = Spool::<String>::default();
        let text = |number: usize| number.to_string().repeat(1 + number % 50);
        let mut slots: Vec<_> = (0..20_000).map(|number| (number, spool.put(&text(number)).unwrap())).collect();
        slots.push((0, spool.put(&text(0)).unwrap()));
        assert!(slots.len() * 50 > AHEAD);
        for (number, slot) in slots.iter().chain(slots.iter().rev()) {
            assert_eq!(spool.get(*slot).unwrap(), text(*number));
        }
    }
}
