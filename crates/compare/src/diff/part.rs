//! Where two runs on the same input part: the first branch at which they go different ways.
//!
//! Branches of two versions are the same if their functions have one name and their source lines read alike. Runs that never
//! part this way differ in a value only; then the changed lines are shown.

use super::couple::{Couple, unmarked};
use crate::explore::place;
use crate::sources;
use exec::code::Op;
use exec::program::Program;
use exec::state::Turn;
use ir::id::FuncId;
use report::model::Place;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The source of a version.
pub struct Source {
    /// Folders whose names are left out where a place is shown, the longest first.
    roots: Vec<PathBuf>,
    files: Mutex<BTreeMap<String, Vec<String>>>,
}

impl Source {
    /// A source below some folders.
    pub fn new(roots: &[PathBuf]) -> Source {
        let mut roots = roots.to_vec();
        roots.sort_by_key(|root| std::cmp::Reverse(root.as_os_str().len()));
        Source { roots, files: Mutex::default() }
    }

    /// What a file says in a line.
    pub fn line(&self, place: &Place) -> Option<String> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let lines = match files.get(&place.file) {
            Some(lines) => lines,
            None => {
                files.entry(place.file.clone()).or_insert(sources::lines(Path::new(&place.file)).unwrap_or_default())
            }
        };
        lines.get((place.line as usize).checked_sub(1)?).cloned()
    }

    /// All lines of a file.
    pub fn lines(&self, file: &str) -> Option<Vec<String>> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lines) = files.get(file) {
            return Some(lines.clone());
        }
        let lines = sources::lines(Path::new(file))?;
        files.insert(file.to_owned(), lines.clone());
        Some(lines)
    }

    /// The path of a file from the folder of the version on; nothing if it is no part of it.
    pub fn inside(&self, file: &str) -> Option<String> {
        let inside = self.roots.iter().find_map(|root| Path::new(file).strip_prefix(root).ok());
        inside.map(|path| path.display().to_string())
    }

    /// A place as people know it.
    pub fn shown(&self, place: &Place) -> Place {
        Place { file: self.short(&place.file), ..place.clone() }
    }

    /// A file as people know it.
    pub fn short(&self, file: &str) -> String {
        self.inside(file).unwrap_or_else(|| file.to_owned())
    }
}

/// Where two runs part, for each the place of its branch; nothing if they take the same turns.
pub fn parting(
    couple: &Couple,
    (old, old_source): (&[Turn], &Source),
    (new, new_source): (&[Turn], &Source),
) -> Option<(Option<Place>, Option<Place>)> {
    // What is proved to do the same may do it in another way.
    let program = &couple.program;
    let counts = |turn: &&Turn| !couple.proved.contains(&turn.function);
    let [old, new] = [old, new].map(|turns| turns.iter().filter(counts).copied().collect::<Vec<Turn>>());
    // Loops come to the same branches again and again.
    let mut known: FxHashMap<(BranchId, BranchId), bool> = FxHashMap::default();
    let mut same_branch = |a: Turn, b: Turn| {
        *known.entry(((a.function, a.branch), (b.function, b.branch))).or_insert_with(|| {
            let text = |turn: Turn, source: &Source| {
                let line = branch_place(program, turn).and_then(|place| source.line(&place));
                line.map(|line| line.trim().to_owned())
            };
            name(program, a) == name(program, b) && text(a, old_source) == text(b, new_source)
        })
    };
    let alike = old.iter().zip(&new).take_while(|&(&a, &b)| a.side == b.side && same_branch(a, b)).count();
    if alike == old.len() && alike == new.len() {
        return None;
    }
    let place_of = |turn: Option<&Turn>| turn.and_then(|turn| branch_place(program, *turn));
    Some((place_of(old.get(alike)), place_of(new.get(alike))))
}

/// A branch of a function.
type BranchId = (FuncId, u32);

fn name(program: &Program, turn: Turn) -> &str {
    unmarked(program.module.function_label(turn.function))
}

fn branch_place(program: &Program, turn: Turn) -> Option<Place> {
    let code = program.code(turn.function);
    let is_it = |op: &Op| match op {
        Op::CondBr { branch, .. } | Op::Switch { branch, .. } => *branch == turn.branch,
        _ => false,
    };
    let inst = code.insts.iter().find(|inst| is_it(&inst.op))?;
    place(&program.module, inst.loc?)
}
