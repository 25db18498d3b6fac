//! Every program of `examples/`: every test replays natively along the predicted branches, and in whatever order paths are
//! followed, by forking or from one input to the next, they are the same ones.

use crate::support::{clang, explored, full, must_run, pathshift};
use exec::entry::Entry;
use exec::program::{Options as ProgramOptions, Program};
use exec::state::Turn;
use explore::guided::{self, Strategy};
use explore::options::Options;
use smt::solver::chain::Chain;
use std::path::{Path, PathBuf};

/// Folders and the function that is explored.
const PROGRAMS: [(&str, &str); 17] = [
    ("altitude_switch", "step"),
    ("ascent_abort", "step"),
    ("brake", "update"),
    ("calendar", "book"),
    ("collision_avoidance", "advise"),
    ("disjoint_set", "disjoint_set"),
    ("loan", "pay"),
    ("mid", "mid"),
    ("ordered_set", "ordered_set"),
    ("packet_filter", "filter"),
    ("replace", "replace"),
    ("scheduler", "schedule"),
    ("switches", "panel"),
    ("tariff", "bill"),
    ("tokens", "tokens"),
    ("tree", "tree"),
    ("wheel_brake", "update"),
];

/// Files and functions: of every folder the first file, without the one that has 16,564 paths; in full all of them.
fn programs() -> Vec<(PathBuf, &'static str)> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let folders = std::fs::read_dir(&examples).unwrap().filter(|entry| entry.as_ref().unwrap().path().is_dir()).count();
    assert_eq!(folders, PROGRAMS.len(), "an example that is not tested");
    let mut found = Vec::new();
    for (folder, function) in PROGRAMS {
        let entries = std::fs::read_dir(examples.join(folder)).unwrap();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        files.sort();
        let few = if folder == "ascent_abort" { 0 } else { 1 };
        files.truncate(if full() { files.len() } else { few });
        found.extend(files.into_iter().map(|file| (file, function)));
    }
    found
}

#[test]
fn every_test_of_every_example_replays() {
    for (file, function) in programs() {
        let result = explored(&file, function, &[]);
        let paths = result["paths"].as_array().unwrap();
        assert!(paths.len() > 1 && result["run_state"] == "complete", "{}", file.display());
        for path in paths {
            assert_eq!(path["replayed"], "yes", "{}: {path:#}", file.display());
        }
    }
}

#[test]
fn every_order_finds_the_same_paths() {
    for (file, function) in programs() {
        let run = |order: &[&str]| {
            let mut command = pathshift();
            command.arg("explore").arg(&file).args(["-f", function, "--no-replay", "--no-store", "--format", "csv"]);
            command.args(order).output().unwrap().stdout
        };
        let depth_first = run(&["--order", "dfs", "-j", "1"]);
        assert!(depth_first.len() > 100, "{}", file.display());
        for order in [&["--order", "bfs"][..], &["--order", "random", "--seed", "7"], &["--order", "coverage"]] {
            assert!(run(order) == depth_first, "{}: {order:?}", file.display());
        }
    }
}

#[test]
fn the_concolic_driver_finds_the_same_paths() {
    for (file, function) in programs() {
        let text = must_run(&clang(
            19,
            &[
                "-g",
                "-O0",
                "-w",
                "-Xclang",
                "-disable-O0-optnone",
                "-S",
                "-emit-llvm",
                "-o",
                "-",
                file.to_str().unwrap(),
            ],
        ));
        let mut module = ir::parse::parse(&String::from_utf8(text).unwrap()).unwrap();
        ir::promote::promote(&mut module);
        let program = Program::new(module, ProgramOptions::default());
        let id = program.module.functions.ids().find(|&id| program.module.function_name(id) == function).unwrap();
        let entry = Entry { function: id, shell: None };
        let options = Options::default();
        let turns = |ended: explore::Ended| -> Vec<(usize, u32, u32)> {
            use ir::id::Id;
            let turn = |turn: &Turn| (turn.function.index(), turn.branch, turn.side);
            ended.state.turns.to_vec().into_iter().map(turn).collect()
        };
        let chain = || Chain::standard(options.limits);
        let mut forking = explore::parallel::explore(&program, &entry, &options, chain, turns).paths;
        let found = guided::explore(&program, &entry, &Strategy::Full, &options, chain(), |ended, _, _| turns(ended));
        let mut concolic = found.paths;
        forking.sort_unstable();
        concolic.sort_unstable();
        assert!(forking == concolic, "{}: {} and {} paths", file.display(), forking.len(), concolic.len());
    }
}
