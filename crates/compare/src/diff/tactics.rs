//! How a function is decided: tactics, one file each, in one list, cheapest means first.
//!
//! A tactic adds evidence to the findings; what it learns that later ones build on is in the goal. Once a proof holds for all
//! inputs, or both builds were seen to differ, the others have nothing to add.

use super::aliasing::Aliases;
use super::findings::{Evidence, Findings};
use super::following::Following;
use super::goal::{Goal, Tactic};
use super::larger::Larger;
use super::lockstep::Lockstep;
use super::outside::Outside;
use super::trying::Trying;
use super::unended::Unended;
use evidence::Grade;
use report::diff::Step;
use std::time::Instant;

/// All tactics, in their order.
const TACTICS: [&dyn Tactic; 7] = [&Lockstep, &Following, &Larger, &Trying, &Aliases, &Outside, &Unended];

/// Runs all tactics that apply.
pub fn attempt(goal: &mut Goal, findings: &mut Findings) {
    for tactic in TACTICS {
        let options = goal.versus.task.options;
        if goal.is_over || options.only_proof && !tactic.only_proves() || !tactic.applies(goal, findings) {
            continue;
        }
        let begun = Instant::now();
        tactic.run(goal, findings);
        if options.trace {
            findings.trace.push(Step {
                tactic: tactic.name().to_owned(),
                millis: begun.elapsed().as_millis() as u64,
                verdict: findings.verdict(),
                evidence: findings.evidence.iter().filter_map(in_short).collect(),
            });
        }
    }
}

/// Evidence as a word with its codes.
fn in_short(evidence: &Evidence) -> Option<String> {
    Some(match evidence {
        Evidence::Proof { assumptions, .. } => {
            let codes: Vec<&str> = assumptions.iter().map(|one| one.assumption.code()).collect();
            format!("proof {}", codes.join(" ")).trim_end().to_owned()
        }
        Evidence::Witness { grade, shown } => {
            let grade = match grade {
                Grade::Confirmed => "confirmed",
                Grade::Ignored => "ignored",
                Grade::Unconfirmed => "unconfirmed",
            };
            format!("{grade} {}", shown.kind.code())
        }
        Evidence::Gap(open) => format!("{} x {}", open.count, open.gap.code()),
        Evidence::Confined { differences, .. } => format!("confined to {} places", differences.len()),
        Evidence::Tried { inputs } => format!("{inputs} inputs tried"),
        Evidence::Explored(_) | Evidence::Added | Evidence::Removed => return None,
    })
}
