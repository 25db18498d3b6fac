//! What a change does to behaviour: what `pathshift diff` shows.

mod markdown;
mod text;

pub use markdown::markdown;
pub use text::text;

use crate::escape::{harmless, shown};
use crate::explore::{RunState, Undecided};
use crate::model::Place;
use serde::{Deserialize, Serialize};

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
    /// What the old version is: a file, a folder, a revision.
    pub old: String,
    /// What the new version is.
    pub new: String,
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
            verdict: Verdict::Undecided,
            old: String::new(),
            new: String::new(),
            functions: Vec::new(),
            unchanged: 0,
            notes: Vec::new(),
        }
    }
}

impl Diff {
    /// How many functions have a verdict that counts.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.functions.iter().filter(|function| function.verdict == verdict && !function.not_counted).count()
    }

    /// The counts as one line.
    pub fn summary(&self) -> String {
        let mut parts = Vec::new();
        for (verdict, words) in [
            (Verdict::Different, "different"),
            (Verdict::Same, "proved the same"),
            (Verdict::SameWithinBounds, "same within bounds"),
            (Verdict::Undecided, "undecided"),
            (Verdict::Interface, "with another interface"),
            (Verdict::Added, "added"),
            (Verdict::Removed, "removed"),
        ] {
            let count = self.count(verdict);
            let always = matches!(verdict, Verdict::Different | Verdict::Same | Verdict::Undecided);
            if count > 0 || always {
                parts.push(format!("{count} {words}"));
            }
        }
        let ignored = self.functions.iter().filter(|function| function.not_counted).count();
        parts.extend((ignored > 0).then(|| format!("{ignored} ignored")));
        parts.push(format!("{} untouched", self.unchanged));
        parts.join(", ")
    }
}

/// What is promised of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It does the same on every input; proved, under the assumptions in its scope.
    Same,
    /// It does the same on every input within the bounds in its scope; larger ones were tried at most.
    #[serde(rename = "same_within_bounds")]
    SameWithinBounds,
    /// It does not, on an input that was run on both builds.
    Different,
    /// Neither is known; every reason is named.
    #[default]
    Undecided,
    /// Its parameters or its result changed, so that there are no common inputs; or others can call it no more.
    Interface,
    /// In the new version only.
    Added,
    /// In the old version only.
    Removed,
}

impl Verdict {
    /// Whether nothing differs as far as anything is promised.
    pub fn is_same(self) -> bool {
        matches!(self, Verdict::Same | Verdict::SameWithinBounds)
    }

    /// As it is written in results.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Same => "same",
            Verdict::SameWithinBounds => "same within bounds",
            Verdict::Different => "different",
            Verdict::Undecided => "undecided",
            Verdict::Interface => "interface",
            Verdict::Added => "added",
            Verdict::Removed => "removed",
        }
    }
}

/// What comes first.
fn rank(verdict: Verdict) -> u32 {
    match verdict {
        Verdict::Different => 0,
        Verdict::Undecided => 1,
        Verdict::Interface => 2,
        Verdict::Removed => 3,
        Verdict::Added => 4,
        Verdict::SameWithinBounds => 5,
        Verdict::Same => 6,
    }
}

/// A function.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Function {
    /// Name.
    pub name: String,
    /// Name in the old version, if it has another one.
    pub old_name: Option<String>,
    /// Where it begins, in the new version if it is there.
    pub place: Option<Place>,
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
    /// Old and new parameters and result, if these changed.
    pub interface: Option<Interface>,
    /// What is promised of its body, where only others can call it no more.
    #[serde(default)]
    pub body: Option<Verdict>,
    /// How the versions differ, one entry a cause.
    pub differences: Vec<Difference>,
    /// Differences of kinds that the user ignores.
    pub ignored: Vec<Difference>,
    /// Whether the user ignores the function, or every difference that was found: the verdict is shown and does not count.
    #[serde(default)]
    pub not_counted: bool,
    /// What was not decided.
    pub undecided: Vec<Undecided>,
    /// Figures.
    pub stats: Stats,
}

impl Function {
    /// As one line of JSON, to be read again.
    pub fn to_line(&self) -> Option<String> {
        serde_json::to_string(self).ok()
    }

    /// What [`Function::to_line`] wrote.
    pub fn from_line(text: &str) -> Option<Function> {
        serde_json::from_str(text).ok()
    }
}

/// Figures of a function.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Stats {
    /// Pairs of paths that were compared.
    pub pairs: u64,
    /// Paths that were followed.
    pub paths: u64,
    /// Questions to the solvers.
    pub queries: u64,
    /// Milliseconds that it took.
    pub millis: u64,
}

/// What callers see of a function that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interface {
    /// In the old version.
    pub old: String,
    /// In the new version.
    pub new: String,
}

/// How the versions differ.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Difference {
    /// `value`, `memory`, `output`, `calls`, `end`, `fault appears`, `fault disappears`, `another fault`,
    /// `old was undefined`, `aliasing`, `hang`.
    pub kind: String,
    /// An input on which they do, as far as the versions look at it.
    pub inputs: Vec<Input>,
    /// Which parts of the outcome differ.
    pub parts: Vec<String>,
    /// What the old version does.
    pub old: Side,
    /// What the new version does.
    pub new: Side,
    /// On which inputs they differ in this way, if that can be said shortly.
    pub region: Option<Region>,
    /// Condition of the paths that the input takes.
    pub condition: Vec<String>,
    /// Whether both builds were run and really differ.
    pub replayed: bool,
}

/// A part of an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// As the source names it.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Whether every other value would do: proved, for all such inputs together.
    pub any: bool,
}

/// On which inputs versions differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    /// They differ if one of these holds; an empty one always does.
    pub conditions: Vec<String>,
    /// Whether they do not, in scope, if none holds.
    pub exact: bool,
    /// Whether sums in them may be too large for their numbers, and wrap around then.
    pub wraps: bool,
}

/// What a version does.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Side {
    /// In words.
    pub outcome: String,
    /// Where the versions part, or where a fault is.
    pub line: Option<Place>,
    /// What the source says there.
    pub source: Option<String>,
}

/// Most inputs of a difference that are listed for people.
const MAX_INPUTS: usize = 16;

impl Difference {
    /// The input in one line.
    pub fn given(&self) -> String {
        let shown = |input: &Input| {
            let any = if input.any { " (any)" } else { "" };
            format!("{} = {}{any}", input.name, input.value)
        };
        let inputs = self.inputs.as_slice();
        if inputs.is_empty() {
            return "any input".to_owned();
        }
        if inputs.len() <= MAX_INPUTS {
            return inputs.iter().map(shown).collect::<Vec<_>>().join(", ");
        }
        // Of many, those that are not just zero.
        let telling =
            inputs.iter().filter(|input| !input.any && !matches!(input.value.as_str(), "0" | "'\\0'" | "0.0"));
        let mut parts: Vec<String> = telling.take(MAX_INPUTS).map(shown).collect();
        parts.push(format!("and {} more (`--format json` lists them)", inputs.len() - parts.len()));
        parts.join(", ")
    }

    /// The region in words, its conditions quoted by `quote`.
    pub fn region_words(&self, quote: impl Fn(&str) -> String) -> Option<String> {
        let region = self.region.as_ref()?;
        let how = if region.exact { "if and only if" } else { "at least if" };
        if region.conditions.iter().any(String::is_empty) {
            return Some("differs on every input".to_owned());
        }
        let conditions: Vec<String> = region.conditions.iter().map(|condition| quote(condition)).collect();
        let wraps = if region.wraps { " (sums wrap around)" } else { "" };
        Some(format!("differs {how} {}{wraps}", conditions.join(" or ")))
    }
}

/// A place as file and line.
fn at(place: &Place) -> String {
    format!("{}:{}", place.file, place.line)
}

shown! {
    Diff { schema, run_state, verdict, old, new, functions, unchanged, notes }
    Function { name, old_name, place, verdict, scope, changed, through, hunks, interface, body, differences, ignored, not_counted, undecided, stats }
    Interface { old, new }
    Difference { kind, inputs, parts, old, new, region, condition, replayed }
    Input { name, value, any }
    Region { conditions, exact, wraps }
    Side { outcome, line, source }
}
harmless!(Verdict, Stats);

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A result with one function of each sort.
    pub fn sample() -> Diff {
        let place = |line| Some(Place { file: "brake.c".to_owned(), line, column: 1 });
        let input = |name: &str, value: &str, any| Input { name: name.to_owned(), value: value.to_owned(), any };
        let difference = Difference {
            kind: "value".to_owned(),
            inputs: vec![input("PedalPos", "-1", false), input("mode", "0", true)],
            parts: vec!["result".to_owned()],
            old: Side { outcome: "returns 2".to_owned(), line: place(19), source: Some("if (p == 0)".to_owned()) },
            new: Side { outcome: "returns 11".to_owned(), line: place(17), source: Some("if (p <= 0)".to_owned()) },
            region: Some(Region { conditions: vec!["PedalPos < 0".to_owned()], exact: true, wraps: false }),
            condition: Vec::new(),
            replayed: true,
        };
        let function = |name: &str, verdict| Function { name: name.to_owned(), verdict, ..Function::default() };
        let mut different = function("update", Verdict::Different);
        different.place = place(10);
        different.differences.push(difference);
        let mut same = function("clamp|it", Verdict::Same);
        same.scope.push("all inputs".to_owned());
        let mut undecided = function("run", Verdict::Undecided);
        undecided.undecided.push(Undecided {
            reason: "out of time".to_owned(),
            file: Some("run.c".to_owned()),
            line: Some(3),
            count: 1,
        });
        let mut interface = function("open", Verdict::Interface);
        interface.interface = Some(Interface { old: "int open(int)".to_owned(), new: "int open(long)".to_owned() });
        Diff {
            run_state: RunState::Complete,
            verdict: Verdict::Different,
            old: "HEAD~1".to_owned(),
            new: "work tree".to_owned(),
            functions: vec![different, same, undecided, interface, function("close", Verdict::Added)],
            unchanged: 7,
            ..Diff::default()
        }
    }
}
