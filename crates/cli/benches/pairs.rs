//! Every pair of `tests/pairs` with its verdict and time: `cargo bench -p pathshift --bench pairs [-- TEXT]`.
//!
//! TEXT chooses pairs whose name contains it. Goal: no wrong verdict, nine of ten decided within 10 s each.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

#[path = "../tests/it/support/pairs.rs"]
mod pairs;

use std::path::Path;
use std::time::Duration;

/// Seconds for each function.
const SECONDS: u64 = 10;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let (mut counts, mut total) = ([0usize; 3], Duration::ZERO);
    println!("{:<34} {:<20} {:<10} {:<10} {:>7}", "pair", "function", "truth", "verdict", "seconds");
    for pair in pairs::all() {
        if !wanted.is_empty() && !wanted.iter().any(|text| pair.name.contains(text)) {
            continue;
        }
        let (said, time) = pairs::judge(&pair, Path::new(env!("CARGO_BIN_EXE_pathshift")), SECONDS);
        total += time;
        for one in said {
            let (mark, kind) = if one.is_wrong() {
                (" WRONG", 2)
            } else if one.is_decided() {
                ("", 0)
            } else {
                (if pair.open { " may be open" } else { " open" }, 1)
            };
            counts[kind] += 1;
            let time = time.as_secs_f64();
            println!(
                "{:<34} {:<20} {:<10} {:<10} {time:>7.2}{mark} {}",
                pair.name,
                one.function,
                one.truth,
                one.verdict,
                one.reasons.join("; ")
            );
        }
    }
    let [decided, open, wrong] = counts;
    println!("\n{decided} decided, {open} undecided, {wrong} wrong; {:.0} s", total.as_secs_f64());
}
