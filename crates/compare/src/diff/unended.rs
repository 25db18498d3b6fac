//! Inputs on which one version ends, and the other one has not ended after many instructions.

use super::confirm::Doubt;
use super::findings::{Findings, is_confirmed, is_left_open};
use super::goal::{Goal, Tactic};
use evidence::Gap;
use exec::case::End;
use explore::pair::{Compared, Difference, Side};

/// What has not ended natively either, while the other version ends at once, must not be called the same.
pub struct Unended;

impl Tactic for Unended {
    fn name(&self) -> &'static str {
        "unended"
    }

    fn applies(&self, goal: &Goal, findings: &Findings) -> bool {
        let has_some = goal.tried.as_ref().is_some_and(|tried| !tried.doubtful.differences.is_empty());
        has_some && goal.is_open(findings)
    }

    fn run(&self, goal: &mut Goal, findings: &mut Findings) {
        let Some(tried) = &goal.tried else { return };
        let [unended, ..] = &tried.doubtful.differences[..] else { return };
        let seen = goal.versus.confirm(&tried.doubtful, Doubt::Expected);
        if is_confirmed(&seen) || is_left_open(&seen) {
            findings.open(perhaps_hang(unended));
        }
    }
}

/// The same inputs, for runs of which nobody says how they end.
pub fn to_its_end(unended: &Compared) -> Compared {
    let mut compared = unended.clone();
    for difference in &mut compared.differences {
        for side in [&mut difference.old, &mut difference.new] {
            if let End::Bound(limit) = &side.outcome.end {
                side.outcome.end = End::Unsupported(limit.to_string());
            }
        }
    }
    compared
}

/// That this may be a hang.
fn perhaps_hang(unended: &Difference) -> Gap {
    let is_late = |side: &Side| matches!(side.outcome.end, End::Bound(_));
    let (version, other) = if is_late(&unended.old) { ("old", "new") } else { ("new", "old") };
    let given: Vec<String> = unended.named.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    Gap::PerhapsHangs { version: version.to_owned(), other: other.to_owned(), input: given.join(", ") }
}
