//! Tests of other tools as inputs: folders of `.ktest` files, and of plain files that a program reads.

use super::{ktest, universe};
use exec::case::Input;
use exec::entry::{Bytes, Shell};
use ir::id::FuncId;
use ir::module::Module;
use std::path::{Path, PathBuf};

/// The inputs in a folder: `.ktest` files if there are any, else every file as standard input of `main`.
pub fn folder(dir: &Path, module: &Module, entry: FuncId, shell: Option<&Shell>) -> Result<Vec<Input>, String> {
    let found = ktest::read(dir).map_err(|error| error.to_string())?;
    if !found.is_empty() {
        let input = |(path, test): &(PathBuf, ktest::KTest)| {
            ktest::to_input(module, entry, test).map_err(|message| format!("{}: {message}", path.display()))
        };
        return found.iter().map(input).collect();
    }
    let Some(shell) = shell else {
        return Err(format!("{} holds neither tests.txt nor .ktest files", dir.display()));
    };
    let failed = |error: std::io::Error| format!("cannot read {}: {error}", dir.display());
    let mut paths: Vec<PathBuf> = Vec::new();
    for file in std::fs::read_dir(dir).map_err(failed)? {
        let file = file.map_err(failed)?;
        if file.metadata().map_err(failed)?.is_file() {
            paths.push(file.path());
        }
    }
    paths.sort();
    paths.iter().map(|path| plain(path, shell)).collect()
}

fn plain(path: &Path, shell: &Shell) -> Result<Input, String> {
    let stdin = universe::read_input(path).map_err(|error| error.to_string())?;
    let known = |arg: &Bytes| match arg {
        Bytes::Known(known) => Some(known.clone()),
        Bytes::Unknown(_) => None,
    };
    Ok(Input { stdin, argv: shell.argv.iter().map_while(known).collect(), ..Input::default() })
}
