//! Full exploration beside dependence guided exploration and symbolic output, on the programs in `examples/`: paths,
//! infeasible tasks, questions to solvers, time. Tables like 5 to 7 of the DGSE paper and 4 of the one on symbolic output.
//!
//! `cargo bench -p pathshift --bench dependence`; `PATHSHIFT_COVERAGE=1` adds how many classes of outcomes were covered
//! after which part of the runs, for three search orders.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::panic)]

use exec::entry::Entry;
use exec::program::{Options as ProgramOptions, Program};
use explore::dgse::{self, Dgse};
use explore::guided::{self, Strategy};
use explore::options::{Options, Order};
use explore::output::Criterion;
use smt::solver::chain::Chain;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

const SUBJECTS: &[(&str, &str)] = &[
    ("switches/switches.c", "panel"),
    ("brake/new.c", "update"),
    ("mid/new.c", "mid"),
    ("scheduler/scheduler.c", "schedule"),
    ("replace/replace.c", "replace"),
    ("tokens/tokens.c", "tokens"),
    ("tree/tree.c", "tree"),
    ("ordered_set/ordered_set.c", "ordered_set"),
    ("disjoint_set/disjoint_set.c", "disjoint_set"),
];

fn main() {
    println!("| program | strategy | paths | infeasible | questions | to solvers | solver ms | total ms | of full |");
    println!("|---|---|--:|--:|--:|--:|--:|--:|--:|");
    for (file, function) in SUBJECTS {
        let Some(program) = load(&examples().join(file)) else { continue };
        let entry = entry(&program, function);
        let full = row(file, "full", &program, &entry, None, None);
        row(file, "dgse", &program, &entry, Some(Strategy::Dgse(Dgse::default())), Some(full));
        let output = Strategy::Output { criterion: Criterion::All, reorder: true };
        row(file, "output", &program, &entry, Some(output), Some(full));
    }
    if std::env::var_os("PATHSHIFT_COVERAGE").is_some() {
        coverage();
    }
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn load(path: &Path) -> Option<Program> {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("t.ll");
    let clang = ["clang-19", "clang-16", "clang-15", "clang-14", "clang"];
    let mut found = clang.into_iter().filter(|name| {
        std::process::Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
    });
    let status = std::process::Command::new(found.next()?)
        .args(["-g", "-O0", "-w", "-Xclang", "-disable-O0-optnone", "-S", "-emit-llvm", "-o"])
        .arg(&to)
        .arg(path)
        .status()
        .unwrap();
    assert!(status.success());
    let mut module = ir::parse::parse(&std::fs::read_to_string(&to).unwrap()).unwrap();
    ir::promote::promote(&mut module);
    Some(Program::new(module, ProgramOptions::default()))
}

fn entry(program: &Program, function: &str) -> Entry {
    let id = program.module.functions.ids().find(|&id| program.module.function_name(id) == function).unwrap();
    Entry { function: id, shell: None }
}

fn row(
    file: &str,
    name: &str,
    program: &Program,
    entry: &Entry,
    strategy: Option<Strategy>,
    full: Option<usize>,
) -> usize {
    let options = Options::default();
    let chain = || Chain::standard(options.limits);
    let started = Instant::now();
    // Each path's input is made small, as the verbs do.
    let (paths, stats) = match strategy {
        None => {
            let look = |ended: explore::Ended| drop(ended.chain.smallest(&mut ended.worker.pool, ended.path));
            let found = explore::parallel::explore(program, entry, &options, chain, look);
            (found.paths.len(), found.stats)
        }
        Some(strategy) => {
            let found = guided::explore(program, entry, &strategy, &options, chain(), |ended, _, _| {
                drop(ended.chain.smallest(&mut ended.worker.pool, ended.path));
            });
            (found.paths.len(), found.stats)
        }
    };
    let total = started.elapsed().as_secs_f64() * 1e3;
    let share = full.map_or("".to_owned(), |full| format!("{:.1} %", 100.0 * paths as f64 / full as f64));
    println!(
        "| {} | {name} | {paths} | {} | {} | {} | {:.1} | {total:.1} | {share} |",
        file.split('/').next().unwrap_or(file),
        stats.infeasible,
        stats.solver.questions,
        stats.solver.blaster + stats.solver.others,
        stats.solver_nanos as f64 / 1e6,
    );
    paths
}

/// Distinct slices after each tenth of the runs, full and guided, in three orders.
fn coverage() {
    println!("\n| program | strategy | order | distinct slices after 10 %, 20 %, ... of the runs of full |");
    println!("|---|---|---|---|");
    for (file, function) in SUBJECTS {
        let Some(program) = load(&examples().join(file)) else { continue };
        let entry = entry(&program, function);
        let mut tenth = 0;
        for (name, strategy) in [("full", Strategy::Full), ("dgse", Strategy::Dgse(Dgse::default()))] {
            for order in [Order::DepthFirst, Order::BreadthFirst, Order::Random(1)] {
                let options = Options { order, ..Options::default() };
                let mut seen = BTreeSet::new();
                let mut counts = Vec::new();
                let chain = Chain::standard(options.limits);
                guided::explore(&program, &entry, &strategy, &options, chain, |_, run, trace| {
                    let slices = dgse::criteria(&program, &Dgse::default(), run, trace);
                    seen.extend(slices.into_iter().map(|wanted| trace.class(wanted.slice)));
                    counts.push(seen.len());
                });
                if tenth == 0 {
                    tenth = counts.len().div_ceil(10);
                }
                let points: Vec<String> = (1..=10)
                    .map(|i| counts.get((i * tenth).min(counts.len()).max(1) - 1).copied().unwrap_or(0).to_string())
                    .collect();
                println!("| {} | {name} | {order:?} | {} |", file.split('/').next().unwrap_or(file), points.join(", "));
            }
        }
    }
}
