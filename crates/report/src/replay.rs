//! What became of a suite that was run natively: what `pathshift replay` shows.

use crate::escape::{Shown, harmless, shown};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A replayed suite.
#[derive(Clone, Debug, Serialize)]
pub struct Replay {
    /// Version of this format.
    pub schema: &'static str,
    /// `complete`, or `incomplete` if not every test was run.
    pub run_state: RunState,
    /// The suite.
    pub suite: String,
    /// The entry function as the user calls it.
    pub entry: String,
    /// Whether the program is the one that the tests were made for.
    pub same_program: bool,
    /// How many tests were run.
    pub tests: u64,
    /// How many more do not count, because they leave the bounds of the exploration that made them: what comes of them then
    /// nobody said.
    pub beyond: u64,
    /// How many of them did what was expected, along the expected branches.
    pub agreed: u64,
    /// Those that did not, in order; at most as many as the caller keeps.
    pub disagreements: Vec<Disagreement>,
    /// How many there are.
    pub disagreed: u64,
    /// How many were stopped where they called a function that would have acted on the machine, by its name.
    pub refused: BTreeMap<String, u64>,
    /// What is worth knowing.
    pub notes: Vec<String>,
    /// Wall-clock time in milliseconds.
    pub wall_ms: u64,
}

/// The format's name and version.
pub const SCHEMA: &str = "pathshift.replay/1";

/// Whether a result is all there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// It is.
    Complete,
    /// It is not.
    Incomplete,
}

/// A test that did something else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Disagreement {
    /// Position in the suite, from 1.
    pub test: u64,
    /// Its input, as the suite has it.
    pub input: String,
    /// What differs: `end`, `result`, `*p at byte 3`, `turn 7`.
    pub part: String,
    /// What was expected.
    pub expected: String,
    /// What was seen.
    pub seen: String,
    /// What is worth knowing of this run.
    pub notes: Vec<String>,
}

shown! {
    Replay { schema, run_state, suite, entry, same_program, tests, beyond, agreed, disagreements, disagreed, refused, notes, wall_ms }
    Disagreement { test, input, part, expected, seen, notes }
}
harmless!(RunState);

/// Longest input that is shown, in characters.
const SHOWN: usize = 160;

/// A replayed suite as text.
pub fn write(replay: &Replay) -> String {
    let replay = &replay.escaped();
    let mut out = String::new();
    // Writing to a string cannot fail.
    for found in &replay.disagreements {
        let _ = writeln!(out, "test {}: {}", found.test, shortened(&found.input));
        let _ = writeln!(out, "  {} differs", found.part);
        let _ = writeln!(out, "  expected  {}", shortened(&found.expected));
        let _ = writeln!(out, "      seen  {}", shortened(&found.seen));
        found.notes.iter().for_each(|note| {
            let _ = writeln!(out, "      note  {note}");
        });
        out.push('\n');
    }
    let more = replay.disagreed.saturating_sub(replay.disagreements.len() as u64);
    if more > 0 {
        let _ = writeln!(out, "and {more} more\n");
    }
    if !replay.same_program {
        let _ = writeln!(out, "note: the program is not the one that the tests were made for");
    }
    for (function, tests) in &replay.refused {
        let _ = writeln!(out, "note: {tests} stopped where they call {function}: the sandbox refused it");
    }
    if !replay.refused.is_empty() {
        let _ = writeln!(out, "help: --unsafe-replay runs them without a sandbox, if you trust the program");
    }
    for note in &replay.notes {
        let _ = writeln!(out, "note: {note}");
    }
    let seconds = replay.wall_ms as f64 / 1000.0;
    let state = if replay.run_state == RunState::Incomplete { ", not all of them were run to their end" } else { "" };
    let beyond = match replay.beyond {
        0 => String::new(),
        1 => ", 1 more leaves the bounds of the exploration that made it".to_owned(),
        many => format!(", {many} more leave the bounds of the exploration that made them"),
    };
    let _ = writeln!(
        out,
        "{}: {} of {} tests of `{}` did what was expected in {seconds:.1} s{beyond}{state}",
        replay.suite, replay.agreed, replay.tests, replay.entry
    );
    out
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disagreements_come_before_the_sum() {
        let replay = Replay {
            schema: SCHEMA,
            run_state: RunState::Complete,
            suite: "tests".into(),
            entry: "f".into(),
            same_program: false,
            tests: 3,
            beyond: 0,
            agreed: 1,
            disagreements: vec![Disagreement {
                test: 2,
                input: "x=1".into(),
                part: "result".into(),
                expected: "5".into(),
                seen: "6".into(),
                notes: Vec::new(),
            }],
            disagreed: 2,
            refused: BTreeMap::new(),
            notes: Vec::new(),
            wall_ms: 1500,
        };
        let expect = "test 2: x=1\n  result differs\n  expected  5\n      seen  6\n\nand 1 more\n\n\
            note: the program is not the one that the tests were made for\n\
            tests: 1 of 3 tests of `f` did what was expected in 1.5 s\n";
        assert_eq!(write(&replay), expect);
    }
}
