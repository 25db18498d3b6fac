//! What exploring costs: processor seconds beside those that KLEE 3.3 was measured with, growth with the number of paths,
//! memory, threads, and which layer of the solver chain answered. All tests are written.
//!
//! `cargo bench -p pathshift --bench engine`; with `-- --million` a million paths too.

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const IFS: &str = "int a[N]; int h(void) { int n = 0; for (int i = 0; i < N; i++) if (a[i] > 0) n++; return n; }";
const SORT: &str = "int a[N]; void h(void) { for (int i = 0; i < N - 1; i++) for (int j = 0; j < N - 1 - i; j++)
    if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; } }";
const MATCH: &str = "static int match(const char *p, const char *s) { if (!*p) return !*s;
    if (*p == '*') return match(p + 1, s) || (*s && match(p, s + 1));
    if (*s && (*p == '?' || *p == *s)) return match(p + 1, s + 1); return 0; }
    char p[4], s[4]; int h(void) { char a[5], b[5]; for (int i = 0; i < 4; i++) { a[i] = p[i]; b[i] = s[i]; }
    a[4] = b[4] = 0; return match(a, b); }";
const NOTHING: &str = "int h(int x) { return x; }";

/// Name, program, its `N`, paths, processor seconds of KLEE.
const SUBJECTS: &[(&str, &str, u32, u64, f64)] = &[
    ("start-up", NOTHING, 1, 1, 0.04),
    ("12 ifs", IFS, 12, 4096, 0.70),
    ("15 ifs", IFS, 15, 32_768, 9.2),
    ("sort of 5", SORT, 5, 120, 0.48),
    ("sort of 6", SORT, 6, 720, 3.3),
    ("wildcard match", MATCH, 4, 884, 0.49),
];

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let clang = ["clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang"];
    println!("subject          paths  cpu s  KLEE s  ratio   MiB  answered by");
    for (name, text, size, paths, klee) in SUBJECTS {
        let input = compiled(folder.path(), &clang, text, *size);
        // The best of three: others use the machine too.
        let run = (0..3).map(|_| explored(&input, 1, folder.path())).min_by(|a, b| a.cpu.cmp(&b.cpu)).unwrap();
        assert_eq!(run.result["stats"]["paths"], *paths, "{name}");
        let cpu = run.cpu.as_secs_f64();
        let mib = run.memory >> 20;
        println!("{name:15} {paths:6} {cpu:6.3} {klee:7.2} {:6.1} {mib:5}  {}", klee / cpu, layers(&run.result));
    }
    let twelve = compiled(folder.path(), &clang, IFS, 12);
    let fifteen = compiled(folder.path(), &clang, IFS, 15);
    let seventeen = compiled(folder.path(), &clang, IFS, 17);
    let growth = ratio(7, |is_first| explored(if is_first { &fifteen } else { &twelve }, 1, folder.path()).wall);
    println!("8 times the paths: {growth:.2} times the time");
    let gain = ratio(5, |is_first| explored(&seventeen, if is_first { 1 } else { 2 }, folder.path()).wall);
    println!("two jobs: {gain:.2} times faster");
    if std::env::args().any(|arg| arg == "--million") {
        let input = compiled(folder.path(), &clang, IFS, 20);
        let run = explored(&input, 1, folder.path());
        let mib = run.memory >> 20;
        println!("{} paths: {:.1} s, {mib} MiB", run.result["stats"]["paths"], run.cpu.as_secs_f64());
    }
}

/// How many times as long the first of two runs takes as the other. They take turns, so that whatever else the machine
/// does falls on both; and it is the time to the end of the process, since its processor time is that of the last look
/// at it, which may be a tenth of a short run before that.
fn ratio(rounds: u32, run: impl Fn(bool) -> Duration) -> f64 {
    let (mut first, mut second) = (Duration::MAX, Duration::MAX);
    for _ in 0..rounds {
        first = first.min(run(true));
        second = second.min(run(false));
    }
    first.as_secs_f64() / second.as_secs_f64()
}

fn compiled(folder: &Path, clang: &[&str], text: &str, size: u32) -> std::path::PathBuf {
    let (source, output) = (folder.join("t.c"), folder.join(format!("{size}-{}.ll", text.len())));
    std::fs::write(&source, text).unwrap();
    let compiles = |clang: &&&str| {
        let mut command = Command::new(clang);
        command.args(["-g", "-O0", "-Xclang", "-disable-O0-optnone", "-S", "-emit-llvm", "-o"]).arg(&output);
        command.arg(format!("-DN={size}")).arg(&source).status().is_ok_and(|status| status.success())
    };
    assert!(clang.iter().any(|name| compiles(&name)), "no clang compiles the program");
    output
}

struct Run {
    result: Value,
    cpu: Duration,
    wall: Duration,
    memory: u64,
}

/// Explores, writes a suite, and reads the figures; the paths themselves go to a table that nobody reads.
fn explored(input: &Path, jobs: u32, folder: &Path) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pathshift"));
    command.arg("explore").arg(input).args([
        "-f",
        "h",
        "--no-replay",
        "--no-store",
        "--format",
        "json",
        "-j",
        &jobs.to_string(),
    ]);
    command.arg("--suite").arg(folder.join("suite")).arg("-o").arg(folder.join("result.json"));
    // Replacing files costs what their old contents cost to throw away.
    let _ = std::fs::remove_dir_all(folder.join("suite"));
    let _ = std::fs::remove_file(folder.join("result.json"));
    let started = Instant::now();
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    // The last look before the end is close to the most that was used.
    let (mut cpu, mut memory) = (Duration::ZERO, 0);
    while child.try_wait().unwrap().is_none() {
        let read = |file: &str| std::fs::read_to_string(format!("/proc/{}/{file}", child.id())).unwrap_or_default();
        memory = memory.max(most_memory(&read("status")).unwrap_or(0));
        cpu = cpu.max(used(&read("schedstat")).unwrap_or_default());
        std::thread::sleep(Duration::from_millis(1));
    }
    let wall = started.elapsed();
    let text = std::fs::read_to_string(folder.join("result.json")).unwrap();
    // Only the figures behind the paths.
    let stats = text.rfind("\"stats\"").map_or("", |at| &text[at..]);
    let result: Value = serde_json::from_str(&format!("{{{stats}")).unwrap();
    let explored = Duration::from_millis(result["stats"]["cpu_ms"].as_u64().unwrap());
    Run { result, cpu: cpu.max(explored), wall, memory }
}

/// Processor time in nanoseconds, of the first thread; with one job that is all.
fn used(schedstat: &str) -> Option<Duration> {
    Some(Duration::from_nanos(schedstat.split(' ').next()?.parse().ok()?))
}

fn most_memory(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

fn layers(result: &Value) -> String {
    let layers = result["stats"]["layers"].as_object().unwrap();
    let shown = layers.iter().filter(|(_, count)| **count != 0).map(|(name, count)| format!("{name} {count}"));
    shown.collect::<Vec<_>>().join(", ")
}
