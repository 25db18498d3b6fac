//! What became of the tests of a suite after a change: what `pathshift tests update` shows.

use crate::escape::{Shown, harmless, shown};
use crate::explore::{RunState, Stats, Undecided};
use crate::model::Place;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The format's name and version.
pub const SCHEMA: &str = "pathshift.tests/1";

/// What became of the tests of a suite.
#[derive(Clone, Debug, Serialize)]
pub struct Ledger {
    /// Version of this format.
    pub schema: &'static str,
    /// Whether every path was looked at that the bounds allow.
    pub run_state: RunState,
    /// The function that the tests are of, as the user wrote it.
    pub function: String,
    /// Where it is defined.
    pub place: Option<Place>,
    /// Folder of the suite.
    pub suite: String,
    /// Whether the suite was written.
    pub written: bool,
    /// How many tests there are of each kind.
    pub counts: Counts,
    /// Every old and every new test, in the order of the new suite.
    pub tests: Vec<Entry>,
    /// What was not decided.
    pub undecided: Vec<Undecided>,
    /// What is worth knowing.
    pub notes: Vec<String>,
    /// Figures.
    pub stats: Stats,
    /// How much the old tests helped.
    pub reuse: Reuse,
}

/// How many tests there are of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Same input, same way.
    pub kept: u64,
    /// Same input, another way.
    pub re_aimed: u64,
    /// Dropped: another test goes the same way now.
    pub obsolete: u64,
    /// Added.
    pub new: u64,
    /// Kept without having been looked at.
    pub unchecked: u64,
}

/// How much the old tests helped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Reuse {
    /// Decisions that the older tree of paths answered.
    pub remembered: u64,
    /// Sides of decisions that an old test showed to be possible.
    pub tested: u64,
    /// Paths that were taken over without being executed.
    pub taken: u64,
    /// Questions that solved formulas of earlier runs answered.
    pub recalled: u64,
    /// Microseconds in the solver chain.
    pub solver_us: u64,
}

/// What became of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Same input, same way.
    Kept,
    /// Same input, another way.
    ReAimed,
    /// Dropped: another test goes the same way now.
    Obsolete,
    /// Added.
    New,
    /// Kept without having been looked at.
    Unchecked,
}

impl Status {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Status::Kept => "kept",
            Status::ReAimed => "re-aimed",
            Status::Obsolete => "obsolete",
            Status::New => "new",
            Status::Unchecked => "unchecked",
        }
    }
}

/// A test and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// What became of it.
    pub status: Status,
    /// Its number in the old suite, from 1.
    pub old: Option<u64>,
    /// Its number in the new suite, from 1.
    pub new: Option<u64>,
    /// Its input, as the suite has it.
    pub input: String,
    /// Why.
    pub reason: String,
    /// File of the place that the reason speaks of.
    pub file: Option<String>,
    /// Its line.
    pub line: Option<u32>,
}

/// The tests of a suite: what `pathshift tests show` shows.
#[derive(Clone, Debug, Serialize)]
pub struct Listing {
    /// Version of this format.
    pub schema: &'static str,
    /// The function that the tests are of, as the suite has it.
    pub entry: String,
    /// The tests, in the order of the suite.
    pub tests: Vec<Listed>,
}

/// A test as the suite has it.
#[derive(Clone, Debug, Serialize)]
pub struct Listed {
    /// Its number, from 1.
    pub number: u64,
    /// What it is given.
    pub input: String,
    /// What is expected of it.
    pub expected: String,
}

/// The format of [`Listing`]: its name and version.
pub const LISTING_SCHEMA: &str = "pathshift.listing/1";

shown! {
    Ledger { schema, run_state, function, place, suite, written, counts, tests, undecided, notes, stats, reuse }
    Entry { status, old, new, input, reason, file, line }
    Listing { schema, entry, tests }
    Listed { number, input, expected }
}
harmless!(Counts, Reuse, Status);

/// Most tests of one status that are all shown as text, and how many are shown if there are more.
const MANY: usize = 200;
const FEW: usize = 100;

/// The ledger as text: a line a test, then the sum.
pub fn text(ledger: &Ledger) -> String {
    let ledger = &ledger.escaped();
    let mut out = String::new();
    let width = ledger.tests.iter().map(|entry| shown(&entry.input).chars().count()).max().unwrap_or(0);
    let mut counts: BTreeMap<Status, usize> = BTreeMap::new();
    ledger.tests.iter().for_each(|entry| *counts.entry(entry.status).or_default() += 1);
    let mut seen: BTreeMap<Status, usize> = BTreeMap::new();
    // Writing to a string cannot fail.
    for entry in &ledger.tests {
        let all = counts.get(&entry.status).copied().unwrap_or(0);
        let seen = seen.entry(entry.status).or_default();
        *seen += 1;
        if all > MANY && *seen > FEW {
            if *seen == FEW + 1 {
                let (status, more) = (entry.status.name(), all - FEW);
                let _ = writeln!(out, "{status:>9}  … and {more} more like these (--format json has all)");
            }
            continue;
        }
        let number = |number: Option<u64>| number.map_or("-".to_owned(), |number| number.to_string());
        let line = match (&entry.file, entry.line) {
            (Some(file), Some(line)) => format!("  {file}:{line}"),
            _ => String::new(),
        };
        let input = shown(&entry.input);
        let _ = writeln!(
            out,
            "{:>9}  {:>4} -> {:<4}  {input:width$}  {}{line}",
            entry.status.name(),
            number(entry.old),
            number(entry.new),
            entry.reason
        );
    }
    let Counts { kept, re_aimed, obsolete, new, unchecked } = ledger.counts;
    let place = ledger.place.as_ref().map(|place| format!(" ({}:{})", place.file, place.line)).unwrap_or_default();
    let _ = write!(out, "{}{place}: {kept} kept, {re_aimed} re-aimed, {obsolete} obsolete, {new} new", ledger.function);
    if unchecked > 0 {
        let _ = write!(out, ", {unchecked} not looked at");
    }
    let _ = writeln!(out, "{}", if ledger.written { "" } else { " (nothing was written)" });
    let Reuse { remembered, tested, taken, recalled, .. } = ledger.reuse;
    let _ = writeln!(
        out,
        "{}, {taken} of them taken over; {}; {} and {} were known, {} had a test",
        counted(ledger.stats.paths, "path"),
        counted(ledger.stats.solver_calls, "solver call"),
        counted(remembered, "decision"),
        counted(recalled, "formula"),
        counted(tested, "side"),
    );
    for item in &ledger.undecided {
        let line = match (&item.file, item.line) {
            (Some(file), Some(line)) => format!("  {file}:{line}"),
            _ => String::new(),
        };
        let _ = writeln!(out, "undecided: {} x {}{line}", item.count, item.reason);
    }
    for note in &ledger.notes {
        let _ = writeln!(out, "note: {note}");
    }
    out
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Longest input that is shown, in characters.
const SHOWN: usize = 60;

fn shown(input: &str) -> String {
    match input.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &input[..end]),
        None => input.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ledger(statuses: &[(Status, usize)]) -> Ledger {
        let entry = |status| Entry {
            status,
            old: None,
            new: Some(1),
            input: "x=1".to_owned(),
            reason: "a reason".to_owned(),
            file: None,
            line: None,
        };
        Ledger {
            schema: SCHEMA,
            run_state: RunState::Complete,
            function: "f".to_owned(),
            place: None,
            suite: "s".to_owned(),
            written: true,
            counts: Counts::default(),
            tests: statuses.iter().flat_map(|&(status, count)| (0..count).map(move |_| entry(status))).collect(),
            undecided: Vec::new(),
            notes: Vec::new(),
            stats: Stats { paths: 1, ..Stats::default() },
            reuse: Reuse::default(),
        }
    }

    #[test]
    fn many_tests_of_one_status_are_not_all_shown() {
        let lines = |statuses: &[(Status, usize)]| text(&ledger(statuses)).lines().count() - 2;
        assert_eq!(lines(&[(Status::New, 200), (Status::Kept, 200)]), 400);
        assert_eq!(lines(&[(Status::New, 150), (Status::Kept, 3), (Status::New, 51)]), 104);
        let shown = text(&ledger(&[(Status::New, 1000)]));
        assert!(shown.contains("      new  … and 900 more like these (--format json has all)\n"), "{shown}");
        assert!(shown.contains("\n1 path, 0 of them taken over; 0 solver calls;"), "{shown}");
    }
}
