//! Parsing sqlite's IR, side by side with LLVM's own reader: `cargo bench -p pathshift --bench parse`.
//!
//! Both run as processes of their own, in turns, and the fastest run of each counts; so the ratio is
//! taken in one run on one machine. Goal: at least 4 times faster than `llvm-as`, which reads,
//! verifies and writes bitcode, and at most 6 bytes of memory a byte of text.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

#[path = "../tests/it/support/registry.rs"]
#[allow(dead_code)]
mod registry;

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

const ROUNDS: usize = 7;
const SPEED_GOAL: f64 = 4.0;
const MEMORY_GOAL: f64 = 6.0;

/// Tells this program, run again, to parse a file and do nothing else.
const PARSE_ONLY: &str = "--parse-only";

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if let Some(at) = args.iter().position(|arg| arg == PARSE_ONLY) {
        return parse_only(Path::new(&args[at + 1]));
    }
    let dir = tempfile::tempdir().unwrap();
    let (ll, bc) = (dir.path().join("sqlite3.ll"), dir.path().join("sqlite3.bc"));
    let source = registry::source("libsqlite3-sys", "0.30.1").join("sqlite3/sqlite3.c");
    let flags = ["-w", "-g", "-O0", "-Xclang", "-disable-O0-optnone", "-femit-all-decls", "-S", "-emit-llvm", "-o"];
    run(Command::new("clang-19").args(flags).arg(&ll).arg(&source));
    let bytes = std::fs::metadata(&ll).unwrap().len() as f64;
    println!("sqlite3.c by clang 19 -g -O0: {:.1} MB of text\n", bytes / 1e6);

    let own = std::env::current_exe().unwrap();
    let (mut ours, mut theirs, mut memory) = (Duration::MAX, Duration::MAX, 0.0f64);
    for _ in 0..ROUNDS {
        let (time, output) = run(Command::new(&own).arg(PARSE_ONLY).arg(&ll));
        ours = ours.min(time);
        memory = memory.max(output.trim().parse().unwrap());
        let (time, _) = run(Command::new("llvm-as-19").arg(&ll).arg("-o").arg(&bc));
        theirs = theirs.min(time);
    }
    let (speed, per_byte) = (theirs.as_secs_f64() / ours.as_secs_f64(), memory / bytes);
    println!("pathshift parse   {:>8.1?}   {:>6.1} MB/s", ours, bytes / 1e6 / ours.as_secs_f64());
    println!("llvm-as-19        {:>8.1?}   {:>6.1} MB/s", theirs, bytes / 1e6 / theirs.as_secs_f64());
    println!("faster            {speed:>7.1}x   goal: at least {SPEED_GOAL}x    {}", verdict(speed >= SPEED_GOAL));
    println!(
        "memory            {per_byte:>7.2}    bytes a byte of text, goal: at most {MEMORY_GOAL}   {}",
        verdict(per_byte <= MEMORY_GOAL)
    );
}

fn verdict(reached: bool) -> &'static str {
    if reached { "reached" } else { "MISSED" }
}

/// Parses and prints the most memory that the process ever had.
fn parse_only(file: &Path) {
    let text = std::fs::read_to_string(file).unwrap();
    let module = ir::parse::parse(&text).unwrap_or_else(|error| panic!("{error}"));
    assert!(module.functions.len() > 1000);
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    println!("{}", kilobytes * 1024);
    // As in the program itself, nobody waits for the memory to be given back piece by piece.
    std::process::exit(0);
}

fn run(command: &mut Command) -> (Duration, String) {
    let start = Instant::now();
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let time = start.elapsed();
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    (time, String::from_utf8_lossy(&output.stdout).into_owned())
}
