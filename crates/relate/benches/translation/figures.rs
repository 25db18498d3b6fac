//! Counts, and how they are printed.

use crate::passes::PASSES;
use evidence::Gap;
use relate::answer::{Answer, Effect, Local};
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// What came of a function that a pass changed.
pub enum Fate {
    /// The same, with so many assumptions.
    Same {
        /// How many.
        assumptions: usize,
    },
    /// The change is confined; the reason says to what kind of difference.
    Confined(String),
    /// Nothing is claimed.
    Open(String),
    /// Not the same, but proved if all other functions are.
    GivenOthers,
    /// There was no time.
    NotReached,
}

impl Fate {
    /// Of an answer.
    pub fn of(answer: &Answer) -> Fate {
        match answer {
            Answer::Same(assumptions) => Fate::Same { assumptions: assumptions.len() },
            Answer::Confined(locals, _) => Fate::Confined(parting(locals)),
            Answer::Open(gap) => Fate::Open(open(gap)),
        }
    }

    /// Of an answer and the one that there is if all other functions are the same.
    pub fn of_two(answer: &Answer, alone: &Answer) -> Fate {
        let reason = match alone {
            Answer::Same(_) => return Fate::GivenOthers,
            Answer::Confined(locals, _) => parting(locals),
            Answer::Open(gap) => open(gap),
        };
        match answer {
            Answer::Confined(..) => Fate::Confined(reason),
            _ => Fate::Open(reason),
        }
    }
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fate::Same { assumptions } => write!(f, "same, {assumptions} assumptions"),
            Fate::Confined(reason) => write!(f, "confined, {reason}"),
            Fate::Open(reason) => write!(f, "open, {reason}"),
            Fate::GivenOthers => write!(f, "proved if all other functions are the same"),
            Fate::NotReached => write!(f, "not reached"),
        }
    }
}

/// A gap without the names that are in it.
fn open(gap: &Gap) -> String {
    match gap {
        Gap::Unsupported { .. } => format!("{} {gap}", gap.code()),
        gap => format!("{} {}", gap.code(), gap.row().text),
    }
}

/// In what the versions part.
fn parting(locals: &[Local]) -> String {
    let mut effects: Vec<&str> = Vec::new();
    for effect in [Effect::Control, Effect::Result, Effect::Value, Effect::Memory, Effect::Callee, Effect::MayFault] {
        if locals.iter().any(|local| local.effect == effect) {
            effects.push(match effect {
                Effect::Control => "control",
                Effect::Result => "result",
                Effect::Memory => "memory",
                Effect::Value => "value",
                Effect::Callee => "callee",
                Effect::MayFault => "may fault",
            });
        }
    }
    let exact = if locals.iter().any(|local| local.exact) { ", exact" } else { "" };
    format!("parts: {}{exact}", effects.join(", "))
}

/// Counts of a pass and a base.
#[derive(Default)]
pub struct Row {
    changed: usize,
    same: usize,
    with_assumptions: usize,
    confined: usize,
    open: usize,
    given_others: usize,
    not_reached: usize,
    reasons: BTreeMap<String, Reason>,
    /// Mean time of a function, for each file.
    pub times: Vec<Duration>,
}

/// Functions that are not the same for a reason.
#[derive(Default)]
struct Reason {
    count: usize,
    examples: Vec<String>,
}

/// Most functions that are named for a reason.
const EXAMPLES: usize = 3;

impl Row {
    /// Counts a function: its package, file and name.
    pub fn count(&mut self, fate: Fate, place: [&str; 3]) {
        self.changed += 1;
        let reason = match fate {
            Fate::Same { assumptions } => {
                self.same += 1;
                self.with_assumptions += usize::from(assumptions > 0);
                return;
            }
            Fate::Confined(reason) => {
                self.confined += 1;
                format!("confined, {reason}")
            }
            Fate::Open(reason) => {
                self.open += 1;
                format!("open, {reason}")
            }
            Fate::GivenOthers => {
                self.given_others += 1;
                return;
            }
            Fate::NotReached => {
                self.not_reached += 1;
                return;
            }
        };
        let reason = self.reasons.entry(reason).or_default();
        reason.count += 1;
        if reason.examples.len() < EXAMPLES {
            reason.examples.push(place.join(" "));
        }
    }
}

/// All counts: by the position of the pass, and base.
#[derive(Default)]
pub struct Figures {
    /// Rows.
    pub rows: BTreeMap<(usize, &'static str), Row>,
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const COLUMNS: [&str; 11] = [
            "pass",
            "base",
            "changed",
            "same",
            "goal",
            "with assumptions",
            "only given the others",
            "confined",
            "open",
            "not reached",
            "ms a function: median, p90 of files",
        ];
        writeln!(f, "| {} |", COLUMNS.join(" | "))?;
        writeln!(f, "|---|---|{}", "---:|".repeat(COLUMNS.len() - 2))?;
        for ((pass, base), row) in &self.rows {
            let pass = &PASSES[*pass];
            let goal = pass.goal.map_or("shown apart".to_owned(), |goal| format!("{goal} %"));
            let share = match row.changed {
                0 => "-".to_owned(),
                changed => format!("{} ({:.1} %)", row.same, row.same as f64 * 100.0 / changed as f64),
            };
            let mut times = row.times.clone();
            times.sort_unstable();
            let at = |part: usize| times.get(times.len() * part / 100).map_or(0.0, |time| time.as_secs_f64() * 1e3);
            writeln!(
                f,
                "| {} | {base} | {} | {share} | {goal} | {} | {} | {} | {} | {} | {:.1}, {:.1} |",
                pass.name,
                row.changed,
                row.with_assumptions,
                row.given_others,
                row.confined,
                row.open,
                row.not_reached,
                at(50),
                at(90)
            )?;
        }
        for ((pass, base), row) in self.rows.iter().filter(|(_, row)| !row.reasons.is_empty()) {
            writeln!(f, "\n{}, {base}:", PASSES[*pass].name)?;
            let mut reasons: Vec<(&String, &Reason)> = row.reasons.iter().collect();
            reasons.sort_by_key(|(_, reason)| std::cmp::Reverse(reason.count));
            for (text, reason) in reasons {
                writeln!(f, "- {} {text}: {}", reason.count, reason.examples.join("; "))?;
            }
        }
        Ok(())
    }
}
