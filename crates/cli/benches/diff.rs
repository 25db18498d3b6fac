//! What `pathshift diff` costs: `cargo bench -p pathshift --bench diff`.
//!
//! Unchanged functions are told by their code alone. Goal: at least 2,000 a second after parsing, measured on sqlite's IR
//! compared with itself. A change of one line in a function of 200 lines with 10 branches takes the compilers, both
//! explorations and the native runs together. Goal: under one second, for the whole command.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

#[path = "../tests/it/support/registry.rs"]
#[allow(dead_code)]
mod registry;

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

const ROUNDS: usize = 5;
const RATE_GOAL: f64 = 2000.0;
const TIME_GOAL: Duration = Duration::from_secs(1);

fn main() {
    let dir = tempfile::tempdir().unwrap();
    unchanged(dir.path());
    one_line(dir.path());
}

fn unchanged(dir: &Path) {
    let ll = dir.join("sqlite3.ll");
    let source = registry::source("libsqlite3-sys", "0.30.1").join("sqlite3/sqlite3.c");
    let flags = ["-w", "-g", "-O0", "-Xclang", "-disable-O0-optnone", "-femit-all-decls", "-S", "-emit-llvm", "-o"];
    assert!(Command::new("clang-19").args(flags).arg(&ll).arg(&source).status().unwrap().success());
    let mut module = ir::parse::parse(&std::fs::read_to_string(&ll).unwrap()).unwrap();
    ir::promote::promote(&mut module);
    let options = compare::diff::Options::default();
    let machine = build::Environment { path: "".into(), temp: dir.to_owned(), bitcode_helper: None };
    let mut best = (Duration::MAX, 0);
    for _ in 0..ROUNDS {
        let started = Instant::now();
        let compared = compare::diff::diff(&module, &module, &options, &machine, |_| {});
        best = best.min((started.elapsed(), compared.report.unchanged));
    }
    let rate = best.1 as f64 / best.0.as_secs_f64();
    let reached = verdict(rate >= RATE_GOAL);
    println!(
        "unchanged   {} functions in {:.0?}: {rate:.0} a second, goal: {RATE_GOAL:.0}   {reached}",
        best.1, best.0
    );
}

fn one_line(dir: &Path) {
    let text = |limit: u32| {
        let mut text = String::from("int f(int a, int b) {\n  int r = a;\n");
        for branch in 0..10 {
            for _ in 0..17 {
                text.push_str("  r = r * 3 + b;\n");
            }
            let bound = if branch == 5 { limit } else { 100 + branch };
            writeln!(text, "  if (b > {bound})\n    r += {branch};\n  else r ^= 1;").unwrap();
        }
        text.push_str("  return r;\n}\n");
        text
    };
    std::fs::write(dir.join("old.c"), text(105)).unwrap();
    std::fs::write(dir.join("new.c"), text(1050)).unwrap();
    let mut best = Duration::MAX;
    for _ in 0..ROUNDS {
        let started = Instant::now();
        let output = Command::new(env!("CARGO_BIN_EXE_pathshift"))
            .current_dir(dir)
            .args(["diff", "old.c", "new.c"])
            .output()
            .unwrap();
        best = best.min(started.elapsed());
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stdout));
    }
    println!("one line    of 200 with 10 branches: {best:.0?}, goal: {TIME_GOAL:.0?}   {}", verdict(best < TIME_GOAL));
}

fn verdict(reached: bool) -> &'static str {
    if reached { "reached" } else { "MISSED" }
}
