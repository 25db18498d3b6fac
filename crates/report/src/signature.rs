//! What a function computes, case by case: what `pathshift signature` shows.

use crate::explore::{RunState, Undecided};
use serde::Serialize;

/// The format's name and version.
pub const SCHEMA: &str = "pathshift.signature/1";

/// The semantic signature of a function.
#[derive(Clone, Debug, Serialize)]
pub struct Signature {
    /// Version of this format.
    pub schema: &'static str,
    /// Whether all cases were found.
    pub run_state: RunState,
    /// Function.
    pub function: String,
    /// The cases.
    pub cases: Vec<Case>,
    /// How many paths were run for them.
    pub paths: u64,
    /// What was not decided.
    pub undecided: Vec<Undecided>,
}

/// A way in which the outputs are computed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Case {
    /// When: one list of conditions for each class of inputs.
    pub conditions: Vec<Vec<String>>,
    /// What comes out.
    pub outputs: Vec<String>,
}

/// Two signatures, case by case.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Version of this format.
    pub schema: &'static str,
    /// Whether all cases of both were found.
    pub run_state: RunState,
    /// Function.
    pub function: String,
    /// Cases that both have.
    pub same: Vec<Case>,
    /// Cases with the same outputs under other conditions: old, new.
    pub moved: Vec<(Case, Case)>,
    /// Cases of the old version only.
    pub removed: Vec<Case>,
    /// Cases of the new version only.
    pub added: Vec<Case>,
}

/// A signature as text.
pub fn text(signature: &Signature) -> String {
    let mut out = format!("{}: {} cases, {} paths", signature.function, signature.cases.len(), signature.paths);
    if signature.run_state == RunState::Incomplete {
        out.push_str(" (incomplete)");
    }
    out.push('\n');
    for case in &signature.cases {
        out.push('\n');
        out.push_str(&case_text(case, ""));
    }
    for item in &signature.undecided {
        let line = match (&item.file, item.line) {
            (Some(file), Some(line)) => format!("  {file}:{line}"),
            _ => String::new(),
        };
        out.push_str(&format!("undecided: {} x {}{line}\n", item.count, item.reason));
    }
    out
}

/// A comparison as text.
pub fn comparison_text(comparison: &Comparison) -> String {
    let mut out = format!(
        "{}: {} cases the same, {} under other conditions, {} removed, {} added\n",
        comparison.function,
        comparison.same.len(),
        comparison.moved.len(),
        comparison.removed.len(),
        comparison.added.len()
    );
    for (old, new) in &comparison.moved {
        out.push_str(&format!("\n  {}\n", new.outputs.join(", ")));
        old.conditions.iter().for_each(|class| out.push_str(&format!("-   when  {}\n", condition(class))));
        new.conditions.iter().for_each(|class| out.push_str(&format!("+   when  {}\n", condition(class))));
    }
    for (cases, sign) in [(&comparison.removed, "- "), (&comparison.added, "+ ")] {
        for case in cases {
            out.push('\n');
            out.push_str(&case_text(case, sign));
        }
    }
    out
}

fn case_text(case: &Case, sign: &str) -> String {
    let mut out = format!("{sign}  {}\n", case.outputs.join(", "));
    case.conditions.iter().for_each(|class| out.push_str(&format!("{sign}    when  {}\n", condition(class))));
    out
}

fn condition(class: &[String]) -> String {
    if class.is_empty() { "always".to_owned() } else { class.join(" && ") }
}
