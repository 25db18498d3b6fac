//! What a function computes, case by case: what `pathshift signature` shows.

use crate::escape::{Shown, shown};
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
    /// What all inputs are taken to fulfil: what their types say, and bounds.
    pub assumed: Vec<String>,
    /// Which inputs were looked at; all if it is empty.
    pub scope: Vec<String>,
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
    /// Cases of the new version for all of whose inputs the old one gives the same.
    pub same: Vec<Case>,
    /// How many of these are written in another way.
    pub rewritten: u64,
    /// Cases with the same outputs under other conditions: old, new.
    pub moved: Vec<(Case, Case)>,
    /// Cases of the old version only.
    pub removed: Vec<Case>,
    /// Cases of the new version only.
    pub added: Vec<Case>,
    /// Inputs for which the versions differ.
    pub different: Vec<Different>,
    /// Why cases are compared as they are written and not by what they compute, if they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_text: Option<String>,
    /// Which inputs were looked at; all if it is empty.
    pub scope: Vec<String>,
    /// What was not decided in either version: nothing is said of such inputs.
    pub undecided: Vec<Undecided>,
}

/// Inputs for which two versions differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Different {
    /// Which inputs: one list of conditions for each class of them.
    pub conditions: Vec<Vec<String>>,
    /// What comes out of the old version.
    pub old: Vec<String>,
    /// What comes out of the new one.
    pub new: Vec<String>,
}

/// A signature as text.
pub fn text(signature: &Signature) -> String {
    let signature = &signature.escaped();
    let mut out = format!(
        "{}: {}, {}",
        signature.function,
        counted(signature.cases.len() as u64, "case"),
        counted(signature.paths, "path")
    );
    if signature.run_state == RunState::Incomplete {
        out.push_str(" (incomplete)");
    }
    out.push('\n');
    if !signature.assumed.is_empty() {
        out.push_str(&format!("\n  for inputs with  {}\n", condition(&signature.assumed)));
    }
    for case in &signature.cases {
        out.push('\n');
        out.push_str(&case_text(case, ""));
    }
    out.push_str(&undecided_text(&signature.undecided));
    out.push_str(&scope_text(&signature.scope));
    out
}

fn scope_text(scope: &[String]) -> String {
    let scope = if scope.is_empty() { "all inputs".to_owned() } else { crate::scope::in_short(scope) };
    format!("\nscope: {scope}\n")
}

fn undecided_text(undecided: &[Undecided]) -> String {
    let mut out = String::new();
    for item in undecided {
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
    let comparison = &comparison.escaped();
    let rewritten = match comparison.rewritten {
        0 => String::new(),
        count => format!(" ({count} written differently)"),
    };
    let mut out = format!(
        "{}: {} the same{rewritten}, {} under other conditions, {} removed, {} added\n",
        comparison.function,
        counted(comparison.same.len() as u64, "case"),
        comparison.moved.len(),
        comparison.removed.len(),
        comparison.added.len()
    );
    if let Some(why) = &comparison.by_text {
        out.push_str(&format!("compared as they are written: {why}\n"));
    }
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
    for different in &comparison.different {
        out.push_str("\ndifferent\n");
        different.conditions.iter().for_each(|class| out.push_str(&format!("    when  {}\n", condition(class))));
        out.push_str(&format!("-   {}\n+   {}\n", different.old.join(", "), different.new.join(", ")));
    }
    out.push_str(&undecided_text(&comparison.undecided));
    out.push_str(&scope_text(&comparison.scope));
    out
}

fn case_text(case: &Case, sign: &str) -> String {
    let mut out = format!("{sign}  {}\n", case.outputs.join(", "));
    case.conditions.iter().for_each(|class| out.push_str(&format!("{sign}    when  {}\n", condition(class))));
    out
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn condition(class: &[String]) -> String {
    if class.is_empty() {
        return "always".to_owned();
    }
    let one = |text: &String| if class.len() > 1 && is_loose(text) { format!("({text})") } else { text.clone() };
    class.iter().map(one).collect::<Vec<String>>().join(" && ")
}

/// Whether a condition has to stand in brackets beside others.
fn is_loose(text: &str) -> bool {
    let mut depth = 0;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        match first {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            // A character such as '(' or '\'' is no bracket.
            '\'' => {
                let begin = if rest[1..].starts_with('\\') { 3 } else { 2 };
                rest = rest.get(begin..).unwrap_or_default();
            }
            _ if depth == 0 && (rest.starts_with(" || ") || rest.starts_with(" ? ")) => return true,
            _ => {}
        }
        rest = rest.get(first.len_utf8()..).unwrap_or_default();
    }
    false
}

shown! {
    Signature { schema, run_state, function, cases, assumed, scope, paths, undecided }
    Case { conditions, outputs }
    Comparison { schema, run_state, function, same, rewritten, moved, removed, added, different, by_text, scope, undecided }
    Different { conditions, old, new }
}

#[cfg(test)]
mod tests {
    use super::condition;

    #[test]
    fn alternatives_stand_in_brackets() {
        let class = |texts: &[&str]| condition(&texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>());
        assert_eq!(class(&[]), "always");
        assert_eq!(class(&["a || b"]), "a || b");
        assert_eq!(class(&["a || b", "c"]), "(a || b) && c");
        assert_eq!(class(&["c == '(' || b", "c"]), "(c == '(' || b) && c");
        assert_eq!(class(&["c != '\\''", "c != ')'"]), "c != '\\'' && c != ')'");
        assert_eq!(class(&["!(a || b)", "f(x ? 1 : 2) == 3"]), "!(a || b) && f(x ? 1 : 2) == 3");
    }
}
