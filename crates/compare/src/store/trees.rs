//! Trees of paths.

use super::auth::{Column, Table};
use super::{Store, StoreError, TODAY, bytes, optional_bytes, whole};
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

/// A row without its key: name, digest of the suite, number of paths, the bytes, and the code.
type Row = (Vec<u8>, Option<Vec<u8>>, i64, Vec<u8>, Vec<u8>);

impl Store {
    /// The tree of a key, if it is the user's own.
    pub fn tree(&self, key: u128) -> Result<Option<StoredTree>, StoreError> {
        let id = key.to_be_bytes();
        let row: Option<Row> = self.ask(|connection| {
            connection.execute(&format!("UPDATE trees SET used = {TODAY} WHERE key = ?1 AND used <> {TODAY}"), [id])?;
            connection
                .query_row("SELECT entry, suite, paths, tree, code FROM trees WHERE key = ?1", [id], |row| {
                    Ok((bytes(row, 0)?, optional_bytes(row, 1)?, whole(row, 2)?, bytes(row, 3)?, bytes(row, 4)?))
                })
                .optional()
        })?;
        let Some((entry, suite, paths, tree, code)) = row else { return Ok(None) };
        if !self.is_own(Table::Trees, key, &columns(&id, &entry, suite.as_deref(), paths, &tree), &code) {
            return Ok(None);
        }
        let suite = suite.and_then(|suite| suite.try_into().ok()).map(u128::from_be_bytes);
        Ok(Tree::from_bytes(&tree).map(|tree| StoredTree { tree, suite }))
    }

    /// Remembers a tree; one that is too large is not kept.
    pub fn put_tree(&self, key: u128, entry: &str, suite: Option<u128>, tree: &Tree) -> Result<(), StoreError> {
        let Some(bytes) = tree.to_bytes() else { return Ok(()) };
        if bytes.len() as u64 > self.inner.max_size / 4 {
            return Ok(());
        }
        let paths = tree.ranges().first().map_or(0, |range| i64::from(range.1));
        let (id, suite) = (key.to_be_bytes(), suite.map(u128::to_be_bytes));
        let suite = suite.as_ref().map(|suite| &suite[..]);
        let code = self.code(Table::Trees, &columns(&id, entry.as_bytes(), suite, paths, &bytes));
        self.with(|connection| {
            let insert = format!("INSERT OR REPLACE INTO trees VALUES (?1, ?2, ?3, ?4, ?5, {TODAY}, ?6)");
            connection.execute(&insert, params![id, entry, suite, paths, bytes, code]).map(|_| ())
        })
    }
}

/// The columns that the code of a tree is made of.
fn columns<'a>(
    key: &'a [u8; 16],
    entry: &'a [u8],
    suite: Option<&'a [u8]>,
    paths: i64,
    tree: &'a [u8],
) -> [Column<'a>; 5] {
    let suite = Column::optional(suite);
    [Column::Bytes(key), Column::Bytes(entry), suite, Column::Number(paths), Column::Bytes(tree)]
}

/// The digest of bytes.
pub fn digest(bytes: &[u8]) -> u128 {
    bytes.chunks(16).fold(bytes.len() as u128, |hash, chunk| {
        let mut word = [0; 16];
        word[..chunk.len()].copy_from_slice(chunk);
        mix(hash, u128::from_le_bytes(word))
    })
}
