//! Why a test fails on the new version: what `pathshift explain` shows.

use crate::escape::{Shown, harmless, shown};
use crate::explore::Input;
use crate::model::Place;
use serde::Serialize;

/// The format's name and version.
pub const SCHEMA: &str = "pathshift.explain/1";

/// Lines that make a test fail.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    /// Version of this format.
    pub schema: &'static str,
    /// The function that was tested.
    pub function: String,
    /// The test's input: all that either version looks at, and all that the user gave.
    pub inputs: Vec<Input>,
    /// What comes of it in the old version.
    pub old: String,
    /// What comes of it in the new version.
    pub new: String,
    /// What the test expects, if it says so.
    pub expected: Option<String>,
    /// Which version does what is expected: `old`, `new` or `both`.
    pub passes: Option<&'static str>,
    /// Which parts of the outcome differ.
    pub parts: Vec<String>,
    /// Lines, the likeliest cause first.
    pub lines: Vec<Line>,
    /// How many more lines were found.
    pub more: usize,
    /// How many lines of the new version the test executes.
    pub executed: usize,
    /// How many of these the wrong outcome depends on.
    pub in_slice: usize,
    /// How many constraints were turned around.
    pub questions: usize,
    /// What was left out.
    pub notes: Vec<String>,
}

/// A line that may be the cause.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// Where; a removed line is one of the old version.
    pub place: Place,
    /// Its text, if the file can be read.
    pub source: Option<String>,
    /// Why it is listed.
    pub kinds: Vec<Kind>,
    /// An input for which the decision at this line goes the other way.
    pub alternative: Option<Alternative>,
}

/// Why a line is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// It was changed or added, and the wrong outcome depends on it.
    Changed,
    /// It was removed, and the right outcome depended on it.
    Removed,
    /// It reads the same in both versions and computes something else.
    Affected,
    /// It was changed and executed; that the wrong outcome depends on it is not known.
    Met,
    /// It decides something that the old version does not decide the same way.
    Decides,
    /// In the old version it decided something that the new one does not decide the same way.
    DecidedBefore,
}

/// Another input, and what comes of it.
#[derive(Clone, Debug, Serialize)]
pub struct Alternative {
    /// The input.
    pub inputs: Vec<Input>,
    /// What comes of it in the old version.
    pub old: String,
    /// What comes of it in the new version.
    pub new: String,
    /// Whether both do the same on it.
    pub same: bool,
}

shown! {
    Explanation { schema, function, inputs, old, new, expected, passes, parts, lines, more, executed, in_slice, questions, notes }
    Line { place, source, kinds, alternative }
    Alternative { inputs, old, new, same }
}
harmless!(Kind);

/// The explanation as text.
pub fn text(explanation: &Explanation) -> String {
    let explanation = &explanation.escaped();
    let mut out = format!(
        "{}: {}\n\n  given  {}\n    old  {}\n    new  {}\n",
        explanation.function,
        match explanation.lines.len() {
            0 => "no line that was changed has to do with it".to_owned(),
            1 => "1 line".to_owned(),
            count => format!("{count} lines"),
        },
        inputs(&explanation.inputs),
        explanation.old,
        explanation.new,
    );
    if let Some(expected) = &explanation.expected {
        let who = match explanation.passes {
            Some("new") => "the test passes on the new version and fails on the old one",
            Some("both") => "both versions pass the test, which says nothing of what differs",
            _ => "the test passes on the old version and fails on the new one",
        };
        out.push_str(&format!("expected  {expected}: {who}\n"));
    }
    for (number, line) in explanation.lines.iter().enumerate() {
        let why: Vec<&str> = line.kinds.iter().map(|kind| kind.words()).collect();
        out.push_str(&format!("\n{:>4}  {}:{}  {}\n", number + 1, line.place.file, line.place.line, why.join(", ")));
        if let Some(source) = &line.source {
            out.push_str(&format!("      | {source}\n"));
        }
        if let Some(other) = &line.alternative {
            out.push_str(&format!("      the other way  {}\n", inputs(&other.inputs)));
            match other.same {
                true => out.push_str(&format!("        both  {}\n", other.new)),
                false => out.push_str(&format!("         old  {}\n         new  {}\n", other.old, other.new)),
            }
        }
    }
    if explanation.more > 0 {
        out.push_str(&format!("\nand {} more\n", explanation.more));
    }
    out.push_str(&format!(
        "\n{} lines executed, {} of them in the slice of the wrong outcome, {} constraints turned around\n",
        explanation.executed, explanation.in_slice, explanation.questions
    ));
    for note in &explanation.notes {
        out.push_str(&format!("note: {note}\n"));
    }
    out
}

impl Kind {
    fn words(self) -> &'static str {
        match self {
            Kind::Changed => "changed",
            Kind::Removed => "removed: it is in the old version only",
            Kind::Affected => "not changed, but computes something else",
            Kind::Met => "changed; whether the outcome depends on it is not known",
            Kind::Decides => "decides otherwise than the old version",
            Kind::DecidedBefore => "decided otherwise in the old version",
        }
    }
}

fn inputs(inputs: &[Input]) -> String {
    if inputs.is_empty() {
        return "any input".to_owned();
    }
    inputs.iter().map(|input| format!("{} = {}", input.name, input.value)).collect::<Vec<_>>().join(", ")
}
