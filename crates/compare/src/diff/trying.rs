//! What is not proved for all inputs is tried: on many inputs, on some of them natively, and on inputs in which pointers
//! alias.

use super::confirm::{Doubt, is_left_open};
use super::following::{Followed, INPUTS};
use super::verdict::reason_row;
use super::versus::Versus;
use super::{aliasing, outside, unended};
use explore::probe::{Effort, Tried};
use report::diff::{Function, Verdict};
use std::time::Duration;

/// Inputs that are tried natively, where the model of the program shows no difference.
const SAMPLES: usize = 96;

/// How long inputs are tried where nothing is decided, and where only larger ones are left.
const TRYING: Duration = Duration::from_secs(2);
const TRYING_SAME: Duration = Duration::from_millis(300);

/// Tries inputs. A difference makes the function different; what nobody could run, or has not ended, leaves it undecided.
pub fn try_further(row: &mut Function, followed: &mut Followed, versus: &Versus) {
    let tried = tried(row, followed, versus);
    run_natively(row, &tried, versus);
    if row.verdict != Verdict::Different {
        aliasing::try_aliases(row, followed, versus);
    }
    if row.verdict != Verdict::Different {
        outside::try_writes(row, followed, versus);
    }
    // What has not ended natively either, while the other version ends at once, must not be called the same.
    if row.verdict != Verdict::Different
        && let [unended, ..] = &tried.doubtful.differences[..]
    {
        let mut seen = Function { differences: Vec::new(), ..row.clone() };
        versus.confirm(&mut seen, &tried.doubtful, Doubt::Expected);
        if seen.verdict == Verdict::Different || is_left_open(&seen) {
            row.verdict = Verdict::Undecided;
            row.undecided.push(reason_row(unended::perhaps_hang(unended), None, None, 1));
        }
    }
}

/// What was tried already, if it showed a difference, or else further inputs.
fn tried(row: &Function, followed: &mut Followed, versus: &Versus) -> Tried {
    let whole = versus.task.options.time;
    // The same as far as was looked, and that was far enough to see the change.
    let seen = row.verdict == Verdict::Same && followed.compared.reached && !followed.shrunk;
    let share = if seen { TRYING_SAME } else { TRYING.max(whole / 8) };
    let time = share.min(versus.left().max(whole / 8));
    let samples = if row.verdict == Verdict::Same { 0 } else { SAMPLES };
    // What was tried before need not be tried again, if it showed nothing.
    let earlier = followed.tried.take();
    let first = earlier.as_ref().map_or(0, |tried| tried.inputs);
    earlier
        .filter(|tried| !tried.compared.differences.is_empty())
        .unwrap_or_else(|| versus.try_inputs(&followed.bounds, Effort { first, inputs: INPUTS, time, samples }))
}

/// Runs what was tried on both builds: differences first, then what the model of the program may not know enough about.
fn run_natively(row: &mut Function, tried: &Tried, versus: &Versus) {
    let to_its_end = unended::to_its_end(&tried.doubtful);
    let natively = [
        (&tried.compared, Doubt::Expected),
        (&tried.samples, Doubt::Tried),
        (&to_its_end, Doubt::TriedBriefly),
        (&tried.long, Doubt::TriedBriefly),
    ];
    for (inputs, doubt) in natively {
        if inputs.differences.is_empty() || row.verdict == Verdict::Different {
            continue;
        }
        // Pointers into records that changed cannot be compared without knowing what they mean.
        if doubt != Doubt::Expected && !versus.plain {
            continue;
        }
        let mut seen = Function { differences: Vec::new(), ..row.clone() };
        versus.confirm(&mut seen, inputs, doubt);
        if doubt == Doubt::Expected || seen.verdict == Verdict::Different {
            aliasing::adopt(row, seen);
        } else {
            row.ignored = seen.ignored;
        }
    }
}
