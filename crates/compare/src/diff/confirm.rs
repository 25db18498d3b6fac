//! What looks different is run natively on both builds; only what really differs there is different.

use super::Options;
use super::couple::{Couple, unmarked};
use super::shown::shown;
use super::verdict::reason_row;
use crate::replay::{self, Placement, ReplayError};
use crate::suite::signature;
use build::Environment;
use exec::case::{self, End, Input, Outcome};
use explore::pair::Difference;
use ir::id::FuncId;
use ir::module::Module;
use report::diff::{Function, Verdict};

/// Runs what looks different on both builds.
pub fn confirm(
    row: &mut Function,
    old: (&Module, FuncId),
    new: (&Module, FuncId),
    couple: &Couple,
    differences: &[Difference],
    options: &Options,
    env: &Environment,
) {
    let reading = signature::result(new.0, &new.0.functions[new.1]);
    let Some((replaying, limits)) = &options.replay else {
        row.undecided.push(reason_row("a difference was found but not run natively".to_owned(), None, None, 1));
        row.differences.extend(differences.iter().take(1).map(|difference| shown(difference, couple, reading, None)));
        return;
    };
    let inputs: Vec<Input> = differences.iter().map(|difference| with_own_names(&difference.input)).collect();
    let run = |(module, id): (&Module, FuncId)| -> Result<Vec<replay::Replayed>, ReplayError> {
        let guarded = replay::Options { guard_stack: true, ..replaying.clone() };
        replay::prepare(module, id, &guarded, env)?.run(&inputs, Placement::Exact, limits)
    };
    let (seen_old, seen_new) = match (run(old), run(new)) {
        (Ok(a), Ok(b)) => (a, b),
        (Err(error), _) | (_, Err(error)) => {
            let reason = format!("a difference was found but could not be run natively: {error}");
            row.undecided.push(reason_row(reason, None, None, 1));
            row.differences
                .extend(differences.iter().take(1).map(|difference| shown(difference, couple, reading, None)));
            return;
        }
    };
    let said = |replayed: &[replay::Replayed], old: bool| -> Vec<Outcome> {
        replayed.iter().map(|one| with_constants_by_contents(&one.outcome, couple, old)).collect()
    };
    let (said_old, said_new) = (said(&seen_old, true), said(&seen_new, false));
    for (index, ((difference, a), b)) in differences.iter().zip(&seen_old).zip(&seen_new).enumerate() {
        let known = |outcome: &Outcome| !matches!(outcome.end, End::Bound(_) | End::Unsupported(_));
        if known(&a.outcome) && known(&b.outcome) && replay::agrees(&said_old[index], &said_new[index]).is_err() {
            row.verdict = Verdict::Different;
            row.differences.push(shown(difference, couple, reading, Some((&said_old[index], &said_new[index]))));
            return;
        }
    }
    let reason = "a difference of the model did not show natively".to_owned();
    row.undecided.push(reason_row(reason, None, None, differences.len() as u64));
    row.differences.extend(differences.iter().take(1).map(|difference| shown(difference, couple, reading, None)));
}

/// An outcome in which pointers to constants name what these say: literals of two versions are the same if their text is.
fn with_constants_by_contents(outcome: &Outcome, couple: &Couple, old: bool) -> Outcome {
    let mut outcome = outcome.clone();
    let target = |target: &mut case::Target| {
        if let case::Target::Symbol { name, offset } = target
            && let Some(text) = couple.constant_text(name, *offset, old)
        {
            (*name, *offset) = (format!("\"{}\"", text.escape_ascii()), 0);
        }
    };
    values(&mut outcome.result, &target);
    for memory in outcome.objects.iter_mut().chain(outcome.globals.iter_mut().map(|(_, memory)| memory)) {
        memory.pointers.iter_mut().for_each(|(_, to)| target(to));
    }
    outcome.calls.iter_mut().flat_map(|call| call.args.iter_mut()).for_each(|arg| values(arg, &target));
    outcome
}

/// Changes every pointer of a value.
fn values(datum: &mut case::Datum, change: &dyn Fn(&mut case::Target)) {
    match datum {
        case::Datum::Pointer(target) => change(target),
        case::Datum::Many(parts) => parts.iter_mut().for_each(|part| values(part, change)),
        _ => {}
    }
}

/// An input with the symbol names that the versions have themselves.
fn with_own_names(input: &Input) -> Input {
    let mut input = input.clone();
    let target = |target: &mut case::Target| {
        if let case::Target::Symbol { name, .. } = target {
            *name = unmarked(name).to_owned();
        }
    };
    input.args.iter_mut().for_each(|arg| values(arg, &target));
    for memory in input.objects.iter_mut().chain(input.globals.iter_mut().map(|(_, memory)| memory)) {
        memory.pointers.iter_mut().for_each(|(_, to)| target(to));
    }
    for (name, _) in &mut input.globals {
        *name = unmarked(name).to_owned();
    }
    input
}
