//! What a change does to behaviour: what `pathshift diff` shows.

mod markdown;
mod text;

pub use evidence::Verdict;
pub use markdown::markdown;
pub use text::text;

use crate::escape::{Shown, harmless, shown};
use crate::explore::{RunState, Undecided};
use crate::model::Place;
use evidence::Assumed;
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
    /// How many functions whose own code did not change are counted with the changes that they get to, and have no entry of their own.
    pub callers: usize,
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
            callers: 0,
            notes: Vec::new(),
        }
    }
}

impl Diff {
    /// How many functions have a verdict that counts.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.functions.iter().filter(|function| function.verdict == verdict && function.counts()).count()
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
        let internal = self.functions.iter().filter(|function| function.internal && !function.not_counted).count();
        parts.extend((internal > 0).then(|| format!("{internal} internal")));
        parts.push(format!("{} untouched", self.unchanged));
        parts.extend((self.callers > 0).then(|| format!("{} callers not compared", self.callers)));
        parts.join(", ")
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
#[derive(Clone, Debug, Default, Serialize)]
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
    /// The assumptions among that, with their codes and parts.
    pub assumptions: Vec<Assumed>,
    /// Whether its own code changed.
    pub changed: bool,
    /// Changed functions and variables that it uses.
    pub through: Vec<String>,
    /// Where it changed.
    pub hunks: Vec<String>,
    /// Old and new parameters and result, if these changed.
    pub interface: Option<Interface>,
    /// What is promised of its body, where only others can call it no more.
    pub body: Option<Verdict>,
    /// How the versions differ, one entry a cause.
    pub differences: Vec<Difference>,
    /// Differences of kinds that the user ignores.
    pub ignored: Vec<Difference>,
    /// Whether the user ignores the function, or every difference that was found: the verdict is shown and does not count.
    pub not_counted: bool,
    /// Whether it has other parameters, which only its callers see, and these are all compared: the verdict is shown and does not
    /// count.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub internal: bool,
    /// Where the versions part, if all executions that get to none of these places do the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub confined: Vec<Confined>,
    /// Functions that get here and whose own code did not change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callers: Option<Callers>,
    /// What was not decided.
    pub undecided: Vec<Undecided>,
    /// Figures.
    pub stats: Stats,
    /// What each tactic came to, if that is asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trace: Vec<Step>,
}

impl Function {
    /// Whether its verdict counts.
    pub fn counts(&self) -> bool {
        !self.not_counted && !self.internal
    }
}

/// Functions that get to one that may differ, and whose own code did not change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Callers {
    /// How many may see the difference.
    pub count: usize,
    /// How many of them others may call.
    pub exported: usize,
    /// Some of them, those first that others may call.
    pub names: Vec<String>,
    /// Those that were seen to differ; each has an entry of its own.
    pub seen_from: Vec<String>,
}

/// A place where the versions part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Confined {
    /// Source file.
    pub file: String,
    /// Line.
    pub line: u32,
    /// What the source says there.
    pub source: String,
    /// When, over the variables there.
    pub condition: String,
    /// Whether that is always so.
    pub always: bool,
    /// Whether they always part then.
    pub exact: bool,
    /// What the old version does there.
    pub old: String,
    /// What the new version does there.
    pub new: String,
    /// Whether an input of the whole function is known that shows it.
    pub lifted: bool,
}

/// What a tactic came to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Step {
    /// Its name.
    pub tactic: String,
    /// Milliseconds that it took.
    pub millis: u64,
    /// The verdict that followed then.
    pub verdict: Verdict,
    /// The evidence that was there then, as words with codes.
    pub evidence: Vec<String>,
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
    /// In what they differ: in JSON `kind`, such as `fault appears`, and its `code`.
    #[serde(flatten, with = "kind_and_code")]
    pub kind: evidence::Difference,
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

/// A kind of difference as a text that users can name, and its code.
mod kind_and_code {
    use serde::ser::SerializeMap;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[derive(Deserialize)]
    struct Named {
        kind: String,
    }

    pub fn serialize<S: Serializer>(kind: &evidence::Difference, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("kind", &kind.to_string())?;
        map.serialize_entry("code", kind.code())?;
        map.end()
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<evidence::Difference, D::Error> {
        let Named { kind } = Named::deserialize(deserializer)?;
        evidence::Difference::parse(&kind).ok_or_else(|| D::Error::custom(format!("{kind} is no kind of difference")))
    }
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

/// Most inputs that may be anything that are listed for people.
const MAX_FREE: usize = 3;

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
        // What may be anything tells little, and the more of it there is the less.
        let free = inputs.iter().filter(|input| input.any).count();
        if free > MAX_FREE {
            let telling = inputs.iter().filter(|input| !input.any);
            let mut parts: Vec<String> = telling.clone().take(MAX_INPUTS).map(shown).collect();
            let more = telling.count().saturating_sub(MAX_INPUTS);
            if more > 0 {
                parts.push(format!("{more} more (`--format json` lists them)"));
            }
            parts.push(format!("any values of {free} others"));
            return parts.join(", ");
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
    Diff { schema, run_state, verdict, old, new, functions, unchanged, callers, notes }
    Callers { count, exported, names, seen_from }
    Function { name, old_name, place, verdict, scope, assumptions, changed, through, hunks, interface, body, differences, ignored, not_counted, internal, confined, callers, undecided, stats, trace }
    Step { tactic, millis, verdict, evidence }
    Interface { old, new }
    Difference { kind, inputs, parts, old, new, region, condition, replayed }
    Input { name, value, any }
    Region { conditions, exact, wraps }
    Side { outcome, line, source }
    Confined { file, line, source, condition, always, exact, old, new, lifted }
}
harmless!(Verdict, Stats);

impl Shown for Assumed {
    fn escape(&mut self) {
        self.assumption.for_each_text(&mut Shown::escape);
        if let Some(place) = &mut self.place {
            place.file.escape();
        }
    }
}

impl Shown for evidence::Difference {
    fn escape(&mut self) {
        self.for_each_text(&mut Shown::escape);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use evidence::{Gap, Open};

    /// A result with one function of each sort.
    pub fn sample() -> Diff {
        let place = |line| Some(Place { file: "brake.c".to_owned(), line, column: 1 });
        let input = |name: &str, value: &str, any| Input { name: name.to_owned(), value: value.to_owned(), any };
        let difference = Difference {
            kind: evidence::Difference::Value,
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
        let place = Some(evidence::Place { file: "run.c".to_owned(), line: 3 });
        undecided.undecided.push(Undecided::from(&Open { gap: Gap::Time, place, count: 1 }));
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
