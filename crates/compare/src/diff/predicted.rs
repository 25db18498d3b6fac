//! Whether a native run did what the model of the program predicts. Where it did not, the model is wrong about that input, and what
//! it says of other inputs is not shown: where the versions differ, and which inputs may have any value.

use super::confirm::is_valid;
use crate::replay::does_as_expected;
use evidence::Difference as Kind;
use exec::case::{Datum, End, Outcome, Target};
use exec::inputs::RESULT;

/// Whether a run did what was predicted, as far as a prediction says anything that holds on every machine. Both outcomes are
/// written in the same form.
pub fn is_as_predicted(predicted: &Outcome, seen: &Outcome) -> bool {
    let is_open = matches!(predicted.end, End::Bound(_) | End::Unsupported(_) | End::Refused(_));
    // What a build makes of memory that is not there is chance.
    if is_open || !is_valid(predicted) {
        return true;
    }
    let [mut predicted, mut seen] = [predicted, seen].map(|outcome| comparable(outcome.clone()));
    for (a, b) in predicted.objects.iter_mut().zip(&mut seen.objects) {
        let places = a.pointers.drain(..).chain(b.pointers.drain(..)).map(|(at, _)| (at, POINTER));
        a.any.extend(places);
        a.any.sort_unstable();
    }
    does_as_expected(&predicted, &seen).is_ok()
}

/// Bytes of a pointer.
const POINTER: u64 = 8;

/// An outcome without what a run and the model name in different ways. What is called, and what is written to standard error, is
/// only compared with the other version.
fn comparable(outcome: Outcome) -> Outcome {
    let mut outcome = Outcome { calls: Vec::new(), stderr: Vec::new(), globals: Vec::new(), ..outcome };
    forget_names(&mut outcome.result);
    outcome
}

fn forget_names(datum: &mut Datum) {
    match datum {
        Datum::Many(parts) => parts.iter_mut().for_each(forget_names),
        Datum::Pointer(Target::Symbol { .. } | Target::Own | Target::Address(_)) => *datum = Datum::Any,
        Datum::Pointer(Target::Null | Target::Object { .. }) | Datum::Bits(_) | Datum::Any => {}
    }
}

/// What sort of difference two runs show, whatever was predicted.
pub fn kind_of(old: &Outcome, new: &Outcome) -> Kind {
    let is_fault = |outcome: &Outcome| matches!(outcome.end, End::Fault(_));
    let is_bound = |outcome: &Outcome| matches!(outcome.end, End::Bound(_));
    let result = |outcome: &Outcome| outcome.objects.iter().find(|memory| memory.name == RESULT).cloned();
    match (is_fault(old), is_fault(new)) {
        _ if is_bound(old) || is_bound(new) => Kind::Hang,
        (false, true) => Kind::FaultAppears,
        (true, false) => Kind::FaultDisappears,
        (true, true) => Kind::AnotherFault,
        (false, false) if old.end != new.end => Kind::End,
        (false, false) if old.result != new.result || result(old) != result(new) => Kind::Value,
        (false, false) if old.objects != new.objects || old.globals != new.globals => Kind::Memory,
        (false, false) if old.stdout != new.stdout || old.stderr != new.stderr => Kind::Output,
        (false, false) if old.calls != new.calls => Kind::Calls,
        (false, false) => Kind::Memory,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use exec::case::{FaultKind, Memory};
    use smt::bits::Bits;

    fn returns(result: u128) -> Outcome {
        Outcome {
            end: End::Returned,
            result: Datum::Bits(Bits::new(result, 32)),
            objects: vec![Memory { bytes: vec![1, 2], ..Memory::default() }],
            globals: Vec::new(),
            stdout: Vec::new(),
            stderr: Vec::new(),
            calls: Vec::new(),
        }
    }

    #[test]
    fn another_result_memory_output_or_end_contradicts_a_prediction() {
        let one = returns(1);
        let check = |seen: Outcome, expect: bool| assert_eq!(is_as_predicted(&one, &seen), expect, "{seen:?}");
        check(one.clone(), true);
        check(returns(2), false);
        check(Outcome { end: End::Fault(FaultKind::Abort), ..one.clone() }, false);
        check(Outcome { stdout: b"x".to_vec(), ..one.clone() }, false);
        check(Outcome { objects: vec![Memory { bytes: vec![1, 3], ..Memory::default() }], ..one.clone() }, false);
        // Where nothing is predicted, or memory is used that is not there, nothing is contradicted.
        let strays = Outcome { end: End::Fault(FaultKind::OutOfBounds), ..one.clone() };
        assert!(is_as_predicted(&strays, &one));
        assert!(is_as_predicted(&Outcome { result: Datum::Any, ..one.clone() }, &returns(2)));
    }

    #[test]
    fn kinds_are_those_of_the_runs() {
        let fault = Outcome { end: End::Fault(FaultKind::Abort), ..returns(1) };
        assert_eq!(kind_of(&returns(1), &returns(2)), Kind::Value);
        assert_eq!(kind_of(&returns(1), &fault), Kind::FaultAppears);
        assert_eq!(kind_of(&fault, &returns(1)), Kind::FaultDisappears);
        assert_eq!(kind_of(&returns(1), &Outcome { end: End::Exited(1), ..returns(1) }), Kind::End);
        assert_eq!(kind_of(&returns(1), &Outcome { stdout: b"x".to_vec(), ..returns(1) }), Kind::Output);
    }
}
