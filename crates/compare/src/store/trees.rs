//! Trees of paths.

use super::{Store, StoreError, TODAY};
use explore::tree::Tree;
use rusqlite::{OptionalExtension, params};
use smt::pool::digest::mix;

/// A tree of paths, and the suite that was made from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTree {
    /// The tree.
    pub tree: Tree,
    /// Digest of the suite whose tests are its paths, in order.
    pub suite: Option<u128>,
}

/// Digest of the suite, digest of the bytes, and the bytes.
type Row = (Option<[u8; 16]>, [u8; 16], Vec<u8>);

impl Store {
    /// The tree of a key. One whose bytes are damaged is none.
    pub fn tree(&self, key: u128) -> Result<Option<StoredTree>, StoreError> {
        let row: Option<Row> = self.ask(|connection| {
            connection.execute(
                &format!("UPDATE trees SET used = {TODAY} WHERE key = ?1 AND used <> {TODAY}"),
                [key.to_be_bytes()],
            )?;
            connection
                .query_row("SELECT suite, digest, tree FROM trees WHERE key = ?1", [key.to_be_bytes()], |row| {
                    Ok((row.get(0)?, row.get(1)?, row.get(2)?))
                })
                .optional()
        })?;
        let Some((suite, known, bytes)) = row else { return Ok(None) };
        if u128::from_be_bytes(known) != digest(&bytes) {
            return Ok(None);
        }
        let suite = suite.map(u128::from_be_bytes);
        Ok(Tree::from_bytes(&bytes).map(|tree| StoredTree { tree, suite }))
    }

    /// Remembers a tree; one that is too large is not kept.
    pub fn put_tree(&self, key: u128, entry: &str, suite: Option<u128>, tree: &Tree) -> Result<(), StoreError> {
        let Some(bytes) = tree.to_bytes() else { return Ok(()) };
        if bytes.len() as u64 > self.inner.max_size / 4 {
            return Ok(());
        }
        let paths = tree.ranges().first().map_or(0, |range| range.1);
        let suite = suite.map(u128::to_be_bytes);
        self.with(|connection| {
            let insert = format!("INSERT OR REPLACE INTO trees VALUES (?1, ?2, ?3, ?4, ?5, ?6, {TODAY})");
            let known = digest(&bytes).to_be_bytes();
            connection.execute(&insert, params![key.to_be_bytes(), entry, suite, paths, known, bytes]).map(|_| ())
        })
    }
}

/// The digest of bytes.
pub fn digest(bytes: &[u8]) -> u128 {
    bytes.chunks(16).fold(bytes.len() as u128, |hash, chunk| {
        let mut word = [0; 16];
        word[..chunk.len()].copy_from_slice(chunk);
        mix(hash, u128::from_le_bytes(word))
    })
}
