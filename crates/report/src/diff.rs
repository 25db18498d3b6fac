//! What a change does to behaviour: what `pathshift diff` shows.

use crate::explore::{Input, RunState, Undecided};
use crate::model::Place;
use serde::Serialize;

/// The format's name and version.
pub const SCHEMA: &str = "pathshift.diff/1";

/// Two versions of a program.
#[derive(Clone, Debug, Serialize)]
pub struct Diff {
    /// Version of this format.
    pub schema: &'static str,
    /// Whether everything was looked at.
    pub run_state: RunState,
    /// The worst verdict of all functions.
    pub verdict: Verdict,
    /// Functions whose code, or that of something that they use, is not the same.
    pub functions: Vec<Function>,
    /// How many functions are the same with all that they use.
    pub unchanged: usize,
    /// What limits the result.
    pub notes: Vec<String>,
}

impl Default for Diff {
    fn default() -> Self {
        Diff {
            schema: SCHEMA,
            run_state: RunState::Incomplete,
            verdict: Verdict::Same,
            functions: Vec::new(),
            unchanged: 0,
            notes: Vec::new(),
        }
    }
}

/// What is promised of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It does the same on every input in scope; proved.
    Same,
    /// It does not, on an input that was run on both builds.
    Different,
    /// Neither is known; every reason is named.
    #[default]
    Undecided,
    /// In the new version only.
    Added,
    /// In the old version only.
    Removed,
}

/// A function.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Function {
    /// Name.
    pub name: String,
    /// Name in the old version, if it has another one.
    pub old_name: Option<String>,
    /// What is promised.
    pub verdict: Verdict,
    /// What the promise holds for.
    pub scope: Vec<String>,
    /// Whether its own code changed.
    pub changed: bool,
    /// Changed functions and variables that it uses.
    pub through: Vec<String>,
    /// Where it changed.
    pub hunks: Vec<String>,
    /// Inputs on which the versions differ.
    pub differences: Vec<Difference>,
    /// What was not decided.
    pub undecided: Vec<Undecided>,
    /// Pairs of paths that were compared.
    pub pairs: u64,
    /// Milliseconds that it took.
    pub millis: u64,
}

/// An input on which the versions differ.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// `value`, `memory`, `output`, `calls`, `end`, `fault appears`, `fault disappears`, `another fault`.
    pub kind: String,
    /// The input, as far as the versions look at it.
    pub inputs: Vec<Input>,
    /// Which parts of the outcome differ.
    pub parts: Vec<String>,
    /// What the old version does.
    pub old: Side,
    /// What the new version does.
    pub new: Side,
    /// Condition of the paths.
    pub condition: Vec<String>,
    /// Whether both builds were run and really differ.
    pub replayed: bool,
}

/// What a version does.
#[derive(Clone, Debug, Serialize)]
pub struct Side {
    /// In words.
    pub outcome: String,
    /// Where, if it ended before its time.
    pub line: Option<Place>,
}

/// The result as text.
pub fn text(diff: &Diff) -> String {
    let mut out = String::new();
    let count = |verdict| diff.functions.iter().filter(|function| function.verdict == verdict).count();
    let (same, different, undecided) = (count(Verdict::Same), count(Verdict::Different), count(Verdict::Undecided));
    let (added, removed) = (count(Verdict::Added), count(Verdict::Removed));
    for function in &diff.functions {
        let verdict = match function.verdict {
            Verdict::Same => "same",
            Verdict::Different => "DIFFERENT",
            Verdict::Undecided => "undecided",
            Verdict::Added => "added",
            Verdict::Removed => "removed",
        };
        let mut line = format!("{verdict:<10} {}", function.name);
        if let Some(old) = &function.old_name {
            line.push_str(&format!(" (was {old})"));
        }
        if !function.changed && !function.through.is_empty() {
            line.push_str(&format!("  through {}", function.through.join(", ")));
        }
        if function.verdict == Verdict::Same && !function.scope.is_empty() {
            line.push_str(&format!("  [{}]", function.scope.join("; ")));
        }
        out.push_str(&line);
        out.push('\n');
        for difference in &function.differences {
            let inputs: Vec<String> =
                difference.inputs.iter().map(|input| format!("{} = {}", input.name, input.value)).collect();
            let inputs = if inputs.is_empty() { "any input".to_owned() } else { inputs.join(", ") };
            let label = if difference.replayed { "" } else { "  (not confirmed)" };
            let line = |side: &Side| {
                side.line.as_ref().map(|place| format!("   {}:{}", place.file, place.line)).unwrap_or_default()
            };
            out.push_str(&format!("    given  {inputs}{label}\n"));
            out.push_str(&format!("      old  {}{}\n", difference.old.outcome, line(&difference.old)));
            out.push_str(&format!("      new  {}{}\n", difference.new.outcome, line(&difference.new)));
        }
        for item in function.undecided.iter().take(8) {
            let place = match (&item.file, item.line) {
                (Some(file), Some(line)) => format!("   {file}:{line}"),
                _ => String::new(),
            };
            out.push_str(&format!("      {} x {}{place}\n", item.count, item.reason));
        }
        if function.undecided.len() > 8 {
            out.push_str(&format!("      and {} more reasons\n", function.undecided.len() - 8));
        }
    }
    if !diff.functions.is_empty() {
        out.push('\n');
    }
    out.push_str(&format!(
        "{different} different, {same} proved the same, {undecided} undecided, {added} added, {removed} removed, \
         {} untouched\n",
        diff.unchanged
    ));
    for note in &diff.notes {
        out.push_str(&format!("note: {note}\n"));
    }
    if diff.run_state == RunState::Incomplete {
        out.push_str("incomplete: interrupted\n");
    }
    out
}
