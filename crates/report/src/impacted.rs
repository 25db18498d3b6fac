//! A suite against a change: what `pathshift coverage` and `pathshift select` show.

use crate::escape::{Shown, shown};
use crate::explore::Input;
use crate::model::Place;
use serde::Serialize;
use std::fmt::Write;

/// The name and version of the format of a coverage.
pub const COVERAGE_SCHEMA: &str = "pathshift.coverage/1";
/// The name and version of the format of a selection.
pub const SELECT_SCHEMA: &str = "pathshift.select/1";

/// What a suite covers of what a change affects.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Coverage {
    /// Version of this format.
    pub schema: String,
    /// Function, as the user wrote it.
    pub function: String,
    /// How many tests there are.
    pub tests: u64,
    /// Each goal.
    pub goals: Vec<GoalCoverage>,
    /// What limits the result.
    pub notes: Vec<String>,
}

/// What a suite covers of one goal.
#[derive(Clone, Debug, Serialize)]
pub struct GoalCoverage {
    /// `statement`, `block`, `branch`, `path` or `data`.
    pub goal: String,
    /// How much is covered.
    pub covered: u64,
    /// How much there is.
    pub total: u64,
    /// What is not covered.
    pub missing: Vec<Missing>,
}

/// Something that no test covers.
#[derive(Clone, Debug, Serialize)]
pub struct Missing {
    /// What.
    pub what: String,
    /// Where.
    pub place: Option<Place>,
    /// An input that covers it; none if none was found.
    pub input: Option<Vec<Input>>,
}

/// Which tests to run after a change.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Selection {
    /// Version of this format.
    pub schema: String,
    /// Function, as the user wrote it.
    pub function: String,
    /// Tests that reach affected behaviour.
    pub selected: Vec<TestRow>,
    /// Tests that need not be run.
    pub skipped: Vec<TestRow>,
    /// Tests to be added.
    pub added: Vec<Added>,
    /// What limits the result.
    pub notes: Vec<String>,
}

/// A test of a suite.
#[derive(Clone, Debug, Serialize)]
pub struct TestRow {
    /// Number in the suite, or name of its file.
    pub test: String,
    /// The first affected place that it reaches.
    pub place: Option<Place>,
    /// Why.
    pub why: String,
    /// Whether a whole program writes something else, or ends otherwise, in the new version, as its interpretation has it;
    /// not there if that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub differs: Option<bool>,
}

/// A test to be added.
#[derive(Clone, Debug, Serialize)]
pub struct Added {
    /// Its input.
    pub inputs: Vec<Input>,
    /// What comes of it in the new version.
    pub outcome: String,
    /// The last affected place that it reaches.
    pub place: Option<Place>,
}

shown! {
    Coverage { schema, function, tests, goals, notes }
    GoalCoverage { goal, covered, total, missing }
    Missing { what, place, input }
    Selection { schema, function, selected, skipped, added, notes }
    TestRow { test, place, why, differs }
    Added { inputs, outcome, place }
}

/// A coverage as text.
pub fn coverage_text(coverage: &Coverage) -> String {
    let coverage = &coverage.escaped();
    let mut out = String::new();
    let _ = writeln!(out, "{}: {} tests", coverage.function, coverage.tests);
    for goal in &coverage.goals {
        let share = if goal.total == 0 { 100.0 } else { goal.covered as f64 * 100.0 / goal.total as f64 };
        let _ = writeln!(out, "{:>10}  {:>4} of {:<4}  {share:>5.1} %", goal.goal, goal.covered, goal.total);
    }
    for goal in coverage.goals.iter().filter(|goal| !goal.missing.is_empty()) {
        let _ = writeln!(out, "\nnot covered ({}):", goal.goal);
        for missing in &goal.missing {
            let _ = writeln!(out, "  {}{}", place(&missing.place), missing.what);
            let _ = match &missing.input {
                Some(input) => writeln!(out, "      given  {}", inputs(input)),
                None => writeln!(out, "      no input was found that reaches it"),
            };
        }
    }
    notes(&coverage.notes, &mut out);
    out
}

/// A selection as text.
pub fn selection_text(selection: &Selection) -> String {
    let selection = &selection.escaped();
    let mut out = String::new();
    let (selected, skipped, added) = (selection.selected.len(), selection.skipped.len(), selection.added.len());
    let differ = selection.selected.iter().filter(|row| row.differs == Some(true)).count();
    let differ = if differ > 0 { format!(" ({differ} do something else now)") } else { String::new() };
    let _ =
        writeln!(out, "{}: {selected} selected{differ}, {skipped} need not run, {added} to add", selection.function);
    let rows = selection.selected.iter().map(|row| ("run", row));
    for (verb, row) in rows.chain(selection.skipped.iter().map(|row| ("skip", row))) {
        let differs = if row.differs == Some(true) { "; does something else now" } else { "" };
        let _ = writeln!(out, "{verb:>6}  test {}: {}{}{differs}", row.test, place(&row.place), row.why);
    }
    for added in &selection.added {
        let _ = writeln!(out, "   add  {}given  {}", place(&added.place), inputs(&added.inputs));
        let _ = writeln!(out, "        gets   {}", added.outcome);
    }
    notes(&selection.notes, &mut out);
    out
}

fn place(place: &Option<Place>) -> String {
    place.as_ref().map(|place| format!("{}:{}: ", place.file, place.line)).unwrap_or_default()
}

fn inputs(inputs: &[Input]) -> String {
    let all: Vec<String> = inputs.iter().map(|input| format!("{} = {}", input.name, input.value)).collect();
    if all.is_empty() { "any input".to_owned() } else { all.join(", ") }
}

fn notes(notes: &[String], out: &mut String) {
    for note in notes {
        let _ = writeln!(out, "note: {note}");
    }
}
