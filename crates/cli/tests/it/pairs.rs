//! The pairs of `tests/pairs`: no wrong verdict, and nine of ten decided. A part of them in the quick suite.

use crate::support::{full, pairs};
use std::path::Path;

/// Every how many a pair is in the quick suite.
const STEP: usize = 8;

#[test]
fn verdicts_on_known_pairs_are_right() {
    let all = pairs::all();
    let (mut decided, mut count, mut wrong, mut open) = (0, 0, Vec::new(), Vec::new());
    for pair in all.iter().step_by(if full() { 1 } else { STEP }) {
        let (said, _) = pairs::judge(pair, Path::new(env!("CARGO_BIN_EXE_pathshift")), 10);
        for one in said {
            let counts = !pair.open || one.is_decided();
            count += usize::from(counts);
            decided += usize::from(one.is_decided());
            let line =
                format!("{}, {}: {}, not {}: {:?}", pair.name, one.function, one.verdict, one.truth, one.reasons);
            if one.is_wrong() {
                wrong.push(line);
            } else if counts && !one.is_decided() {
                open.push(line);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(decided * 10 >= count * 9, "{decided} of {count} decided\n{}", open.join("\n"));
}

#[test]
fn half_of_the_pairs_are_the_same() {
    let all = pairs::all();
    let same = all.iter().filter(|pair| pair.truth.iter().all(|(_, truth)| truth.starts_with("same"))).count();
    assert!(all.len() >= 120, "{} pairs", all.len());
    assert!(same * 5 >= all.len() * 2 && same * 5 <= all.len() * 3, "{same} of {} are the same", all.len());
}
