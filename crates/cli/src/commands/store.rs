//! `pathshift store`, and the store that other verbs use.

use crate::args::{StoreArgs, StoreCommand};
use crate::console::{self, Failure, write_stdout};
use compare::store::{Store, StoreError};
use report::escape::Syntax;
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

/// Shows or clears a store.
pub fn run(command: &StoreCommand, path: &Path) -> Result<ExitCode, Failure> {
    let failed = |error: StoreError| Failure::usage(error.to_string(), None);
    if !path.exists() {
        write_stdout(&format!("{}: nothing is kept yet\n", path.display()), Syntax::Text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let (store, note) = Store::open(path).map_err(failed)?;
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

/// The store that the user named; nothing if it is not wanted or cannot be used, which is said.
pub(super) fn open(args: &StoreArgs) -> Option<Store> {
    if args.no_store {
        return None;
    }
    match Store::open(&args.store) {
        Ok((store, note)) => {
            warn(note.as_deref());
            Some(store)
        }
        Err(error) => {
            warn(Some(&format!("{error}; going on without it")));
            None
        }
    }
}

/// Writes what is left to write. A result is none the worse for a store that is not.
pub(super) fn finish(store: Option<&Store>) {
    if let Some(Err(error)) = store.map(Store::finish) {
        warn(Some(&error.to_string()));
    }
}

/// Says what is wrong with a store.
pub(super) fn warn(message: Option<&str>) {
    if let Some(message) = message {
        console::warn(message);
    }
}
