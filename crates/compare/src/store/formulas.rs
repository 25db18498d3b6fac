//! Solved sets of constraints.

use super::auth::{Column, Table};
use super::{Clock, FLUSH, Store, StoreError, TODAY, bytes as bytes_of, optional_bytes};
use rusqlite::{OptionalExtension, params};
use smt::solver::chain::{Memory, Solved};
use std::sync::PoisonError;
use std::time::Instant;

/// What is not written yet.
#[derive(Default)]
pub(super) struct Pending {
    solved: Vec<(u128, Solved)>,
    /// Sets that were useful again.
    used: Vec<u128>,
    last: Clock,
}

/// Most sets that wait to be written.
const MANY: usize = 4096;

/// What a chain of solvers remembers in a store.
struct Remembered(Store);

impl Store {
    /// The store as the memory of a chain of solvers.
    pub fn memory(&self) -> Box<dyn Memory> {
        Box::new(Remembered(self.clone()))
    }

    /// Writes solved sets that are still in memory.
    pub(super) fn flush_formulas(&self) -> Result<(), StoreError> {
        let (solved, mut used) = {
            let mut pending = self.inner.pending.lock().unwrap_or_else(PoisonError::into_inner);
            pending.last = Clock(Instant::now());
            (std::mem::take(&mut pending.solved), std::mem::take(&mut pending.used))
        };
        if solved.is_empty() && used.is_empty() {
            return Ok(());
        }
        used.sort_unstable();
        used.dedup();
        self.with(|connection| {
            connection.execute_batch("BEGIN IMMEDIATE")?;
            let insert = format!("INSERT OR REPLACE INTO formulas VALUES (?1, ?2, {TODAY}, ?3)");
            let mut insert = connection.prepare_cached(&insert)?;
            for (key, solved) in &solved {
                let model = match solved {
                    Solved::Unsat => None,
                    Solved::Sat(values) => Some(bytes(values)),
                };
                let id = key.to_be_bytes();
                let code = self.code(Table::Formulas, &[Column::Bytes(&id), Column::optional(model.as_deref())]);
                insert.execute(params![id, model, code])?;
            }
            let touch = format!("UPDATE formulas SET used = {TODAY} WHERE key = ?1 AND used <> {TODAY}");
            let mut touch = connection.prepare_cached(&touch)?;
            for key in &used {
                touch.execute([key.to_be_bytes()])?;
            }
            connection.execute_batch("COMMIT")
        })
    }
}

impl Memory for Remembered {
    fn get(&mut self, key: u128) -> Option<Solved> {
        let id = key.to_be_bytes();
        let (model, code): (Option<Vec<u8>>, Vec<u8>) = {
            let connection = self.0.inner.connection.lock().unwrap_or_else(PoisonError::into_inner);
            let find = "SELECT model, code FROM formulas WHERE key = ?1";
            let mut find = connection.as_ref()?.prepare_cached(find).ok()?;
            find.query_row([id], |row| Ok((optional_bytes(row, 0)?, bytes_of(row, 1)?))).optional().ok()??
        };
        let columns = [Column::Bytes(&id), Column::optional(model.as_deref())];
        if !self.0.is_own(Table::Formulas, key, &columns, &code) {
            return None;
        }
        self.0.inner.pending.lock().unwrap_or_else(PoisonError::into_inner).used.push(key);
        match model {
            None => Some(Solved::Unsat),
            Some(bytes) => Some(Solved::Sat(numbers(&bytes)?)),
        }
    }

    fn put(&mut self, key: u128, solved: Solved) {
        let due = {
            let mut pending = self.0.inner.pending.lock().unwrap_or_else(PoisonError::into_inner);
            pending.solved.push((key, solved));
            pending.solved.len() >= MANY || pending.last.0.elapsed() >= FLUSH
        };
        if due {
            // The answer is known anyway; only the next run would have gained.
            let _ = self.0.flush_formulas();
        }
    }
}

impl Drop for Remembered {
    fn drop(&mut self) {
        // Nobody is left to hear of a failure, and nothing of value is lost.
        let _ = self.0.flush_formulas();
    }
}

/// Numbers as bytes: how many bytes each takes, then those.
fn bytes(values: &[u64]) -> Vec<u8> {
    let mut out = Vec::with_capacity(values.len() * 2);
    for value in values {
        let used = 8 - value.leading_zeros() as usize / 8;
        out.push(used as u8);
        out.extend(&value.to_le_bytes()[..used]);
    }
    out
}

fn numbers(mut bytes: &[u8]) -> Option<Vec<u64>> {
    let mut values = Vec::new();
    while let Some((&used, rest)) = bytes.split_first() {
        let (own, rest) = rest.split_at_checked(used.into())?;
        let mut word = [0; 8];
        word.get_mut(..own.len())?.copy_from_slice(own);
        values.push(u64::from_le_bytes(word));
        bytes = rest;
    }
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::{bytes, numbers};

    #[test]
    fn numbers_and_back() {
        let values = vec![0, 1, 255, 256, u64::MAX, 1 << 40];
        assert_eq!(numbers(&bytes(&values)), Some(values));
        assert_eq!(numbers(&[9, 0]), None);
    }
}
