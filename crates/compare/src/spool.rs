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
        self.put_bytes(&Self::bytes(record)?)
    }

    /// The bytes that a record is kept as.
    pub fn bytes(record: &T) -> io::Result<Vec<u8>> {
        postcard::to_stdvec(record).map_err(io::Error::other)
    }

    /// Keeps a record that is bytes already.
    pub fn put_bytes(&self, bytes: &[u8]) -> io::Result<Slot> {
        let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let start = inner.end;
        inner.file.seek(SeekFrom::Start(start))?;
        inner.file.write_all(bytes)?;
        inner.end += u64::from(length);
        Ok(Slot { start, length })
    }

    /// Reads records. Several threads do so side by side: others wait only while bytes are fetched.
    pub fn get_all(&self, slots: impl Iterator<Item = Slot>) -> io::Result<Vec<T>> {
        let (mut bytes, mut ends) = (Vec::new(), Vec::new());
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        for slot in slots {
            bytes.extend_from_slice(inner.bytes(slot)?);
            ends.push(bytes.len());
        }
        drop(inner);
        let mut start = 0;
        let mut record = |end: usize| {
            let record = &bytes[std::mem::replace(&mut start, end)..end];
            postcard::from_bytes(record).map_err(io::Error::other)
        };
        ends.into_iter().map(&mut record).collect()
    }
}

impl Inner {
    /// The bytes of a record.
    fn bytes(&mut self, slot: Slot) -> io::Result<&[u8]> {
        let length = slot.length as usize;
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
        for size in [1, 100] {
            for batch in slots.chunks(size).chain(slots.chunks(size).rev()) {
                let read = spool.get_all(batch.iter().map(|(_, slot)| *slot)).unwrap();
                assert_eq!(read, batch.iter().map(|(number, _)| text(*number)).collect::<Vec<_>>());
            }
        }
    }
}
