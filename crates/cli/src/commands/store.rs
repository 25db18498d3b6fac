//! `pathshift store`, and the store that other verbs use.

use crate::args::{StoreArgs, StoreCommand};
use crate::console::{self, Failure, write_stdout};
use crate::environment::Folder;
use compare::store::{Key, Store, StoreError};
use report::escape::Syntax;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Shows or clears a store.
pub fn run(command: &StoreCommand, given: Option<&Path>) -> Result<ExitCode, Failure> {
    let failed = |error: StoreError| Failure::usage(error.to_string(), None);
    let path = place(given).map_err(|problem| Failure::usage(problem, None))?;
    if !path.exists() {
        write_stdout(&format!("{}: nothing is kept yet\n", path.display()), Syntax::Text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let key = key().map_err(|problem| Failure::usage(problem, None))?;
    let (store, note) = Store::open(&path, key).map_err(failed)?;
    warn(note.as_deref());
    match command {
        StoreCommand::Info => {
            let info = store.info().map_err(failed)?;
            let mut out = String::new();
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{}: {} bytes", path.display(), info.bytes);
            let _ = writeln!(out, "  {} solved formulas, {} of them infeasible", info.formulas, info.infeasible);
            let _ = writeln!(out, "  {} trees with {} paths, {} bytes", info.trees, info.paths, info.tree_bytes);
            let _ = writeln!(out, "  {} verdicts", info.verdicts);
            let _ = writeln!(out, "  {} impacts", info.impacts);
            let _ = writeln!(out, "  {} explorations to be resumed", info.unfinished);
            write_stdout(&out, Syntax::Text)?;
        }
        StoreCommand::Clear => {
            store.clear().map_err(failed)?;
            write_stdout(&format!("{}: cleared\n", path.display()), Syntax::Text)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The store that the user named, or that of the tree; nothing if it is not wanted or cannot be used, which is said.
pub(super) fn open(args: &StoreArgs) -> Option<Store> {
    if args.no_store {
        return None;
    }
    let opened = place(args.store.as_deref())
        .and_then(|path| Store::open(&path, key()?).map_err(|error| format!("{error}; going on without it")));
    match opened {
        Ok((store, note)) => {
            warn(note.as_deref());
            Some(store)
        }
        Err(problem) => {
            warn(Some(&problem));
            None
        }
    }
}

/// Where the store is: outside of the tree, whose authors could write it otherwise.
fn place(given: Option<&Path>) -> Result<PathBuf, String> {
    if let Some(path) = given {
        return Ok(path.to_owned());
    }
    let cache =
        Folder::Cache.path().ok_or("without a home folder (HOME, XDG_CACHE_HOME) nothing is kept for later runs")?;
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let here = here.map_err(|error| format!("cannot read the current folder: {error}; nothing is kept"))?;
    let tree = here.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(&here);
    Ok(cache.join(compare::store::folder_name(tree)).join(compare::store::FILE))
}

/// The key of the user, which rows are authenticated with.
fn key() -> Result<Key, String> {
    let state =
        Folder::State.path().ok_or("without a home folder (HOME, XDG_STATE_HOME) nothing is kept for later runs")?;
    Key::load_or_create(&state.join("key")).map_err(|error| format!("{error}; going on without a store"))
}

/// Writes what is left to write. A result is none the worse for a store that is not.
pub(super) fn finish(store: Option<&Store>) {
    let Some(store) = store else { return };
    warn(refused(store).as_deref());
    if let Err(error) = store.finish() {
        warn(Some(&error.to_string()));
    }
}

/// What is to be said of rows that had no influence.
pub(super) fn refused(store: &Store) -> Option<String> {
    let (path, rows) = (store.path().display(), store.refused());
    match rows {
        0 => None,
        1 => Some(format!("1 row of {path} was ignored: it is not from a run of this user, or was edited")),
        _ => Some(format!("{rows} rows of {path} were ignored: they are not from runs of this user, or were edited")),
    }
}

/// Says what is wrong with a store.
pub(super) fn warn(message: Option<&str>) {
    if let Some(message) = message {
        console::warn(message);
    }
}
