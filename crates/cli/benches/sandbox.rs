//! What the sandbox around native runs costs: `cargo bench -p pathshift --bench sandbox`.
//!
//! All pairs of C programs in `examples/` are compared by the whole command, with and without the sandbox in turns. Goal: at most
//! 5 % more time. The sum of the best times of each pair counts, so that other work on the machine matters little.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const ROUNDS: usize = 7;
const GOAL: f64 = 1.05;

fn main() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut sums = [Duration::ZERO; 2];
    let mut folders: Vec<PathBuf> = std::fs::read_dir(examples).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    for folder in folders {
        let Some([old, new]) = versions(&folder) else { continue };
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let mut best = [Duration::MAX; 2];
        for _ in 0..ROUNDS {
            for (time, more) in best.iter_mut().zip([None, Some("--unsafe-replay")]) {
                let started = Instant::now();
                let mut command = Command::new(env!("CARGO_BIN_EXE_pathshift"));
                command.args(["diff", "--no-store", "--jobs", "1", "--timeout", "5"]).args([&old, &new]).args(more);
                let output = command.output().unwrap();
                assert!(output.status.code().is_some_and(|code| code < 4), "{output:?}");
                *time = (*time).min(started.elapsed());
            }
        }
        println!("{name:<16} in the sandbox {:>8.1?}   without {:>8.1?}", best[0], best[1]);
        sums.iter_mut().zip(best).for_each(|(sum, time)| *sum += time);
    }
    let ratio = sums[0].as_secs_f64() / sums[1].as_secs_f64();
    let reached = if ratio <= GOAL { "reached" } else { "MISSED" };
    println!(
        "{:<16} in the sandbox {:>8.1?}   without {:>8.1?}   {ratio:.3} times, goal: {GOAL}   {reached}",
        "all", sums[0], sums[1]
    );
}

/// The first two versions of an example.
fn versions(folder: &Path) -> Option<[PathBuf; 2]> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "c"));
    files.sort();
    files.into_iter().take(2).collect::<Vec<_>>().try_into().ok()
}
