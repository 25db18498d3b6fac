//! Rows that nobody but this user can have written.
//!
//! A store may come from anywhere: with a pull request, from a cache of a build server, or edited by hand. Each row
//! therefore carries a message authentication code (keyed BLAKE3) over its table and all columns that can influence an
//! answer, key columns included. A row whose code does not fit was written by somebody else, was edited, or holds
//! another row's value; it counts as not there. The key is a file of the user, outside of every tree.

use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::Path;

/// Bytes of a key.
const KEY_BYTES: usize = 32;

/// Bytes of a code: 128 bits, which no one guesses.
pub(super) const CODE_BYTES: usize = 16;

/// What codes are made for; other uses of the key would say something else.
const PURPOSE: &[u8] = b"pathshift store 2";

/// The secret of a user that authenticates the rows of their stores.
#[derive(Clone)]
pub struct Key([u8; KEY_BYTES]);

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The file cannot be read or made.
    #[error("cannot use the key {path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// What the system said.
        error: std::io::Error,
    },
    /// The file has another length.
    #[error("{path} is not a key: it has {found} bytes instead of {KEY_BYTES}; remove it, and a new one is made")]
    Length {
        /// The file.
        path: String,
        /// Its length.
        found: u64,
    },
    /// Others could read or replace the file.
    #[error(
        "the key {path} belongs to another user or is open to others (mode {mode:o}); remove it, and a new one is made"
    )]
    Open {
        /// The file.
        path: String,
        /// Its permissions.
        mode: u32,
    },
}

impl Key {
    /// The key in a file. If there is none, 32 random bytes are written to it; of several processes that do so at the
    /// same time one wins, and all have the same key.
    pub fn load_or_create(path: &Path) -> Result<Key, KeyError> {
        let io = |error| KeyError::Io { path: path.display().to_string(), error };
        match Key::load(path) {
            Err(KeyError::Io { error, .. }) if error.kind() == std::io::ErrorKind::NotFound => {}
            other => return other,
        }
        let folder = path.parent().unwrap_or(Path::new("."));
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(io)?;
        let key = Key::random().map_err(io)?;
        // A temporary file is open to its owner only, and complete before it gets its name.
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(io)?;
        file.write_all(&key.0).and_then(|()| file.as_file().sync_all()).map_err(io)?;
        match file.persist_noclobber(path) {
            Ok(_) => Ok(key),
            Err(lost) if lost.error.kind() == std::io::ErrorKind::AlreadyExists => Key::load(path),
            Err(lost) => Err(io(lost.error)),
        }
    }

    /// A new key, which nobody else has.
    pub fn random() -> std::io::Result<Key> {
        let mut bytes = [0; KEY_BYTES];
        getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
        Ok(Key(bytes))
    }

    fn load(path: &Path) -> Result<Key, KeyError> {
        let shown = || path.display().to_string();
        let io = |error| KeyError::Io { path: shown(), error };
        let mut file = std::fs::File::open(path).map_err(io)?;
        let metadata = file.metadata().map_err(io)?;
        let mode = metadata.mode() & 0o7777;
        if mode & 0o077 != 0 || metadata.uid() != rustix::process::geteuid().as_raw() {
            return Err(KeyError::Open { path: shown(), mode });
        }
        let mut bytes = [0; KEY_BYTES];
        if metadata.len() != KEY_BYTES as u64 {
            return Err(KeyError::Length { path: shown(), found: metadata.len() });
        }
        std::io::Read::read_exact(&mut file, &mut bytes).map_err(io)?;
        Ok(Key(bytes))
    }

    /// The code of a row.
    pub(super) fn code(&self, table: Table, columns: &[Column]) -> [u8; CODE_BYTES] {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        hasher.update(PURPOSE).update(&[table as u8]);
        for column in columns {
            // Each column says its kind and length: no two rows make the same sequence of bytes.
            match column {
                Column::Null => hasher.update(&[0]),
                Column::Number(number) => hasher.update(&[1]).update(&number.to_le_bytes()),
                Column::Bytes(bytes) => hasher.update(&[2]).update(&(bytes.len() as u64).to_le_bytes()).update(bytes),
            };
        }
        let mut code = [0; CODE_BYTES];
        hasher.finalize_xof().fill(&mut code);
        code
    }

    /// Whether a row has the code that it must have. The comparison takes the same time wherever the bytes differ.
    pub(super) fn fits(&self, table: Table, columns: &[Column], code: &[u8]) -> bool {
        let expected = self.code(table, columns);
        code.len() == CODE_BYTES && expected.iter().zip(code).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
    }
}

/// A table, as codes know it: numbers are never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Table {
    Formulas = 1,
    Trees = 2,
    Verdicts = 3,
    Impacts = 4,
    Progress = 5,
}

/// What a column holds.
#[derive(Clone, Copy)]
pub(super) enum Column<'a> {
    Null,
    Number(i64),
    Bytes(&'a [u8]),
}

impl<'a> Column<'a> {
    /// Bytes, or nothing.
    pub(super) fn optional(bytes: Option<&'a [u8]>) -> Column<'a> {
        bytes.map_or(Column::Null, Column::Bytes)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_code_tells_tables_columns_and_their_borders_apart() {
        let key = Key([7; KEY_BYTES]);
        let rows: [(Table, &[Column]); 7] = [
            (Table::Formulas, &[Column::Bytes(b"ab"), Column::Null]),
            (Table::Verdicts, &[Column::Bytes(b"ab"), Column::Null]),
            (Table::Formulas, &[Column::Bytes(b"a"), Column::Bytes(b"b")]),
            (Table::Formulas, &[Column::Bytes(b""), Column::Bytes(b"ab")]),
            (Table::Formulas, &[Column::Bytes(b"ab"), Column::Bytes(b"")]),
            (Table::Formulas, &[Column::Bytes(b"ab"), Column::Number(0)]),
            (Table::Formulas, &[Column::Bytes(b"ab")]),
        ];
        for (at, (table, columns)) in rows.iter().enumerate() {
            for (other, (other_table, other_columns)) in rows.iter().enumerate() {
                let fits = key.fits(*table, columns, &key.code(*other_table, other_columns));
                assert_eq!(fits, at == other, "{at} {other}");
            }
            assert!(!key.fits(*table, columns, &Key([8; KEY_BYTES]).code(*table, columns)));
            assert!(!key.fits(*table, columns, &[]));
        }
    }

    #[test]
    fn all_that_begin_at_once_have_the_same_key() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/pathshift/key");
        let keys: Vec<Key> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..16).map(|_| scope.spawn(|| Key::load_or_create(&path).unwrap())).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(keys.iter().all(|key| key.0 == keys[0].0) && keys[0].0 != [0; KEY_BYTES]);
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o7777, 0o600);
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_key_that_others_can_read_or_that_is_cut_off_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        Key::load_or_create(&path).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        assert!(matches!(Key::load_or_create(&path), Err(KeyError::Open { mode: 0o644, .. })));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        std::fs::write(&path, "short").unwrap();
        assert!(matches!(Key::load_or_create(&path), Err(KeyError::Length { found: 5, .. })));
    }
}
