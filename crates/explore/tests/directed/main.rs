//! Directed exploration: the papers' examples, and its guarantee on random pairs of programs.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod examples;
mod generate;
mod goals;
mod guarantee;
mod guided;

use analysis::facts::Facts;
use analysis::influence::Upward;
use analysis::points_to::Scope;
use change::impact::{Known, Versions, impact};
use evidence::Gap;
use exec::entry::Entry;
use exec::program::{Options as ProgramOptions, Program};
use explore::aim::Aim;
use explore::options::Options;
use explore::{Ended, Exploration, dise, gaps, idise};
use ir::id::FuncId;
use ir::module::Module;
use smt::solver::Limits;
use smt::solver::chain::Chain;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Compiles C to a module that is ready to run.
fn module(source: &str) -> Module {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("t.ll");
    clang(source, &folder.path().join("t.c"), &["-S", "-emit-llvm"], &to);
    let mut module = ir::parse::parse(&std::fs::read_to_string(&to).unwrap()).unwrap();
    ir::promote::promote(&mut module);
    module
}

fn clang(source: &str, from: &Path, flags: &[&str], to: &Path) {
    std::fs::write(from, source).unwrap();
    let clang = ["clang-19", "clang-16", "clang-15", "clang-14", "clang"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()));
    let status = Command::new(clang.unwrap())
        .args(["-w", "-g", "-O0", "-fwrapv", "-Xclang", "-disable-O0-optnone"])
        .args(flags)
        .arg("-o")
        .arg(to)
        .arg(from)
        .status()
        .unwrap();
    assert!(status.success(), "{source}");
}

/// A new version and what its changes mean.
struct Change {
    program: Program,
    dise: Arc<Aim>,
    idise: Arc<Aim>,
}

impl Change {
    fn new(old: &str, new: &str) -> Change {
        let (old, new) = (module(old), module(new));
        let changes = change::compare(&old, &new);
        let (old_facts, new_facts) = (Facts::new(&old, &Scope::Library), Facts::new(&new, &Scope::Library));
        let versions = Versions { old: &old_facts, new: &new_facts, changes: &changes };
        let impact = impact(&versions, &mut Known::default(), Upward::Callers);
        let gaps = gaps::gaps(&versions, &impact);
        let dise = Arc::new(dise::aim(impact.new.influence.clone(), gaps.clone()));
        let idise = Arc::new(idise::aim(impact.new.influence, gaps));
        Change { program: Program::new(new, ProgramOptions::default()), dise, idise }
    }

    fn function(&self, name: &str) -> FuncId {
        let module = &self.program.module;
        module.functions.ids().find(|&id| module.function_name(id) == name).unwrap()
    }

    fn explore<R: Send>(&self, name: &str, options: &Options, look: impl Fn(Ended) -> R + Sync) -> Exploration<R> {
        let entry = Entry { function: self.function(name), shell: None };
        let limits = Limits { conflicts: 20_000, ..Limits::default() };
        explore::parallel::explore(&self.program, &entry, options, || Chain::new(Vec::new(), limits), look)
    }
}

fn options(aim: Option<Arc<Aim>>) -> Options {
    let deadline = Instant::now().checked_add(Duration::from_secs(20));
    Options { aim, record_visits: true, max_paths: 3000, deadline, ..Options::default() }
}

/// Whether nothing was left out for lack of time.
fn is_complete<R>(explored: &Exploration<R>) -> bool {
    explored.stopped.is_none() && !explored.undecided.keys().any(|(what, _)| *what == Gap::Solver)
}
