//! What looks different is run natively on both builds; only what really differs there is different.

use super::Options;
use super::couple::{Couple, unmarked};
use super::shown::shown;
use super::verdict::reason_row;
use crate::replay::{self, Placement, ReplayError};
use crate::suite::signature;
use build::Environment;
use exec::case::{self, End, FaultKind, Input, Outcome};
use explore::pair::Difference;
use ir::id::FuncId;
use ir::module::Module;
use report::diff::{Function, Verdict};
use std::time::Duration;

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
    let limits = if differences.iter().any(|difference| hangs(difference).is_some()) {
        &replay::Limits { time: limits.time.min(PATIENCE), ..limits.clone() }
    } else {
        limits
    };
    // What a use before the beginning of an object does, only the second placement shows.
    for placement in [Placement::Exact, Placement::Begin] {
        let run = |(module, id): (&Module, FuncId)| -> Result<Vec<replay::Replayed>, ReplayError> {
            let guard_begin = placement == Placement::Begin;
            let guarded = replay::Options { guard_stack: true, guard_begin, ..replaying.clone() };
            replay::prepare(module, id, &guarded, env)?.run(&inputs, placement, limits)
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
        let program = new.0.function_name(new.1) == "main";
        for ((difference, a), b) in differences.iter().zip(&seen_old).zip(&seen_new) {
            let said = |one: &replay::Replayed, old: bool| {
                let outcome = with_constants_by_contents(&one.outcome, couple, old);
                let outcome = without_padding(outcome, difference);
                if program { of_program(outcome) } else { outcome }
            };
            let (said_old, said_new) = (said(a, true), said(b, false));
            let known = |outcome: &Outcome| !matches!(outcome.end, End::Bound(_) | End::Unsupported(_));
            let differ = match hangs(difference) {
                Some(true) => known(&said_new) && is_out_of_time(&said_old),
                Some(false) => known(&said_old) && is_out_of_time(&said_new),
                None => {
                    known(&said_old)
                        && known(&said_new)
                        && (replay::agrees(&said_old, &said_new).is_err() || a.differs_in_own_memory(b))
                }
            };
            if differ {
                row.verdict = Verdict::Different;
                row.differences.push(shown(difference, couple, reading, Some((&said_old, &said_new))));
                return;
            }
        }
        let before = |difference: &Difference| {
            [&difference.old, &difference.new].iter().any(|side| side.outcome.end == End::Fault(FaultKind::OutOfBounds))
        };
        if !differences.iter().any(before) {
            break;
        }
    }
    let reason = "a difference of the model did not show natively".to_owned();
    row.undecided.push(reason_row(reason, None, None, differences.len() as u64));
    row.differences.extend(differences.iter().take(1).map(|difference| shown(difference, couple, reading, None)));
}

/// How long a run may work where one version is expected not to end.
const PATIENCE: Duration = Duration::from_secs(3);

/// Which version is expected not to end: the old one?
fn hangs(difference: &Difference) -> Option<bool> {
    let hangs = |outcome: &Outcome| matches!(outcome.end, End::Bound(_));
    match (hangs(&difference.old.outcome), hangs(&difference.new.outcome)) {
        (false, false) => None,
        (old, _) => Some(old),
    }
}

fn is_out_of_time(outcome: &Outcome) -> bool {
    matches!(&outcome.end, End::Bound(what) if what == "time")
}

/// An outcome of a whole program: of it the exit code is left, and what it wrote.
fn of_program(mut outcome: Outcome) -> Outcome {
    outcome.objects.clear();
    outcome.globals.clear();
    if let (End::Returned, case::Datum::Bits(code)) = (&outcome.end, &outcome.result) {
        outcome.end = End::Exited(code.low() as u8 as i32);
    }
    outcome.result = case::Datum::Any;
    outcome
}

/// An outcome in which bytes that hold nothing are zero.
fn without_padding(mut outcome: Outcome, difference: &Difference) -> Outcome {
    let clear = |memory: &mut case::Memory, padding: &[u64]| {
        for &at in padding {
            if let Some(byte) = memory.bytes.get_mut(at as usize) {
                *byte = 0;
            }
        }
    };
    for (memory, padding) in outcome.objects.iter_mut().zip(&difference.padding.objects) {
        clear(memory, padding);
    }
    for (name, memory) in &mut outcome.globals {
        for (_, padding) in difference.padding.globals.iter().filter(|(known, _)| unmarked(known) == name) {
            clear(memory, padding);
        }
    }
    outcome
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
