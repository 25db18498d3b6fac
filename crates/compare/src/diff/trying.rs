//! What is not proved for all inputs is tried: on many inputs, and on some of them natively.

use super::confirm::Doubt;
use super::findings::{Findings, adopt, ignored, is_confirmed, is_settled};
use super::following::INPUTS;
use super::goal::{Followed, Goal, Tactic};
use super::unended;
use super::versus::Versus;
use explore::probe::{Effort, Tried};
use std::time::Duration;

/// Inputs that are tried natively, where the model of the program shows no difference.
const SAMPLES: usize = 96;

/// How long inputs are tried where nothing is decided, and where only larger ones are left.
const TRYING: Duration = Duration::from_secs(2);
const TRYING_SAME: Duration = Duration::from_millis(300);

/// Tries inputs. A difference makes the function different; what could not be run leaves it undecided.
pub struct Trying;

impl Tactic for Trying {
    fn name(&self) -> &'static str {
        "trying"
    }

    fn applies(&self, goal: &Goal, findings: &Findings) -> bool {
        goal.is_open(findings)
    }

    fn run(&self, goal: &mut Goal, findings: &mut Findings) {
        let tried = tried(findings, &mut goal.followed, &goal.versus);
        run_natively(findings, &tried, &goal.versus);
        goal.tried = Some(tried);
    }
}

/// What was tried already, if it showed a difference, or else further inputs.
fn tried(findings: &Findings, followed: &mut Followed, versus: &Versus) -> Tried {
    let whole = versus.task.time;
    // The same as far as was looked, and that was far enough to see the change.
    let is_same = findings.verdict().is_same();
    let seen = is_same && followed.compared.reached && !followed.shrunk;
    let share = if seen { TRYING_SAME } else { TRYING.max(whole / 8) };
    let time = share.min(versus.left().max(whole / 8));
    let samples = if is_same { 0 } else { SAMPLES };
    // What was tried before need not be tried again, if it showed nothing.
    let earlier = followed.tried.take();
    let first = earlier.as_ref().map_or(0, |tried| tried.inputs);
    earlier
        .filter(|tried| !tried.compared.differences.is_empty())
        .unwrap_or_else(|| versus.try_inputs(&followed.bounds, Effort { first, inputs: INPUTS, time, samples }))
}

/// Runs what was tried on both builds: differences first, then what the model of the program may not know enough about.
fn run_natively(findings: &mut Findings, tried: &Tried, versus: &Versus) {
    let to_its_end = unended::to_its_end(&tried.doubtful);
    let natively = [
        (&tried.compared, Doubt::Expected),
        (&tried.samples, Doubt::Tried),
        (&to_its_end, Doubt::TriedBriefly),
        (&tried.long, Doubt::TriedBriefly),
    ];
    for (inputs, doubt) in natively {
        if inputs.differences.is_empty() || is_settled(&findings.evidence) {
            continue;
        }
        // Pointers into records that changed cannot be compared without knowing what they mean.
        if doubt != Doubt::Expected && !versus.plain {
            continue;
        }
        let seen = versus.confirm(inputs, doubt);
        if doubt == Doubt::Expected || is_confirmed(&seen) {
            adopt(findings, seen);
        } else {
            findings.add(ignored(seen));
        }
    }
}
