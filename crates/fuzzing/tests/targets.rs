//! Every fuzz target for a few seconds: all of its seeds, then mutants of them, the same in every run.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use fuzzing::{SLOWEST, mutate};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a target runs.
fn time() -> Duration {
    Duration::from_secs(if std::env::var_os("PATHSHIFT_FULL").is_some() { 120 } else { 4 })
}

fn seeds(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(name);
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{}: no seeds", folder.display());
    files.iter().map(|file| std::fs::read(file).unwrap()).collect()
}

fn run(name: &str) {
    let target = fuzzing::target(name).unwrap();
    let seeds = seeds(name);
    let give = |bytes: &[u8], what: &str| {
        let start = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| (target.run)(bytes)));
        if result.is_err() || start.elapsed() > SLOWEST {
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{what}"));
            std::fs::write(&path, bytes).unwrap();
            panic!("{what} after {:?}, saved as {}", start.elapsed(), path.display());
        }
    };
    seeds.iter().enumerate().for_each(|(number, seed)| give(seed, &format!("seed-{number}")));
    let start = Instant::now();
    let mut number = 0;
    // On a slow machine at least a few.
    while start.elapsed() < time() || number < 20 {
        give(&mutate::mutant(&seeds, number, target.is_text), &format!("mutant-{number}"));
        number += 1;
    }
}

#[test]
fn parse() {
    run("parse");
}

#[test]
fn bitcode() {
    run("bitcode");
}

#[test]
fn suite() {
    run("suite");
}

#[test]
fn ktest() {
    run("ktest");
}

#[test]
fn store() {
    run("store");
}

#[test]
fn settings() {
    run("settings");
}

#[test]
fn compile_commands() {
    run("compile_commands");
}

#[test]
fn diff() {
    run("diff");
}
