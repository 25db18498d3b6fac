//! Temporary folders. Their names mean nothing to users: whoever prints asks [`folders`] for them, to leave them out.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::TempDir;

/// All that this process made.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A new folder below `temp` that is removed when it is dropped.
pub fn folder(temp: &Path, prefix: &str) -> io::Result<TempDir> {
    let made = tempfile::Builder::new().prefix(prefix).tempdir_in(temp)?;
    let mut all = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    all.push(made.path().to_owned());
    all.extend(made.path().canonicalize().ok().filter(|path| path != made.path()));
    Ok(made)
}

/// The folders that this process made, those that are gone too.
pub fn folders() -> Vec<PathBuf> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
