//! Whether what was seen is what was expected.

use std::fmt;

use exec::case::{Datum, End, FaultKind, Memory, Outcome, Target, Turn};

use smt::bits::Bits;

use crate::suite::{Reading, show};

/// The first part in which two outcomes differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Which part: `end`, `result`, `*p`, `counter`, `stdout`, `call 2`.
    pub part: String,
    /// What was expected of it.
    pub expected: String,
    /// What was seen.
    pub seen: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, seen {}", self.part, self.expected, self.seen)
    }
}

impl std::error::Error for Mismatch {}

/// Whether a native run did what the model of the program expects, which does not lose the rest of a line when a program dies.
pub fn does_as_expected(expected: &Outcome, seen: &Outcome) -> Result<(), Mismatch> {
    match lost(expected, seen) {
        true => agrees(&Outcome { stdout: seen.stdout.clone(), ..expected.clone() }, seen),
        false => agrees(expected, seen),
    }
}

/// Whether a native run did what was expected.
///
/// What is not known ([`Datum::Any`]) agrees with everything, and memory that a run makes itself with every pointer but
/// null. Result and memory count only where the entry returned: nobody sees them otherwise. Standard error is not
/// compared after a fault, since runtimes write there in their own words.
pub fn agrees(expected: &Outcome, seen: &Outcome) -> Result<(), Mismatch> {
    if !same_end(&expected.end, &seen.end) {
        return differ("end", show::end(&expected.end), show::end(&seen.end));
    }
    for (index, (e, s)) in expected.calls.iter().zip(&seen.calls).enumerate() {
        // Of variable arguments a native run sees none.
        let same = e.function == s.function
            && e.args.len() >= s.args.len()
            && e.args.iter().zip(&s.args).all(|(e, s)| same_datum(e, s))
            // Only native runs know what was given.
            && (e.given.is_empty() || s.given.is_empty() || e.given == s.given);
        if !same {
            return differ(&format!("call {}", index + 1), show::call(e), show::call(s));
        }
    }
    // A native run goes on where something was decided that was never assigned.
    let goes_on = expected.end == End::Fault(FaultKind::Uninitialized);
    if expected.calls.len() != seen.calls.len() && !goes_on {
        return differ("number of calls", expected.calls.len(), seen.calls.len());
    }
    if expected.stdout != seen.stdout && !(goes_on && seen.stdout.starts_with(&expected.stdout)) {
        return differ("stdout", Text(&expected.stdout), Text(&seen.stdout));
    }
    if !matches!(expected.end, End::Returned | End::Exited(_)) {
        return Ok(());
    }
    if expected.stderr != seen.stderr {
        return differ("stderr", Text(&expected.stderr), Text(&seen.stderr));
    }
    if expected.end != End::Returned {
        return Ok(());
    }
    if !same_datum(&expected.result, &seen.result) {
        return differ(
            "result",
            show::value(&expected.result, Reading::None),
            show::value(&seen.result, Reading::None),
        );
    }
    for (index, (e, s)) in expected.objects.iter().zip(&seen.objects).enumerate() {
        let name = if e.name.is_empty() { format!("object {index}") } else { e.name.clone() };
        same_memory(&name, e, s)?;
    }
    same_globals(expected, seen)
}

/// Whether all that is missing of the output of a run that died is what it held back: the rest of a line.
fn lost(expected: &Outcome, seen: &Outcome) -> bool {
    let rest = expected.stdout.strip_prefix(seen.stdout.as_slice());
    matches!(expected.end, End::Fault(_)) && rest.is_some_and(|rest| !rest.contains(&b'\n'))
}

/// Whether a run took the expected branches; the position of the first other one.
pub fn same_turns(expected: &[Turn], seen: &[Turn], all_seen: bool) -> Result<(), usize> {
    let same = expected.iter().zip(seen).take_while(|(e, s)| e == s).count();
    let complete = same == expected.len() && (same == seen.len() || !all_seen);
    if complete || same == seen.len() && !all_seen { Ok(()) } else { Err(same) }
}

/// Whether memory that two runs made themselves holds the same.
pub fn same_own_memory(a: &[Memory], b: &[Memory]) -> bool {
    // How much room there is says nothing of what is in it.
    let first = |memory: &Memory, length: usize| Memory {
        bytes: memory.bytes[..length].to_vec(),
        pointers: memory.pointers.iter().filter(|(at, _)| *at + 8 <= length as u64).cloned().collect(),
        ..memory.clone()
    };
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| {
            let length = a.bytes.len().min(b.bytes.len());
            same_memory("", &first(a, length), &first(b, length)).is_ok()
        })
}

fn same_globals(expected: &Outcome, seen: &Outcome) -> Result<(), Mismatch> {
    for (name, e) in &expected.globals {
        match seen.globals.iter().find(|(other, _)| other == name) {
            Some((_, s)) => same_memory(name, e, s)?,
            // What was never assigned may happen to be what was there before.
            None if !e.any.is_empty() => {}
            None => return differ(name, "a change", "none"),
        }
    }
    match seen.globals.iter().find(|(name, _)| expected.globals.iter().all(|(other, _)| other != name)) {
        Some((name, memory)) => differ(name, "no change", Text(&memory.bytes)),
        None => Ok(()),
    }
}

fn same_end(expected: &End, seen: &End) -> bool {
    match (expected, seen) {
        // A parent process sees eight bits of an exit code.
        (End::Exited(expected), End::Exited(seen)) => expected & 0xff == seen & 0xff,
        (End::Fault(expected), End::Fault(seen)) => same_fault(*expected, *seen),
        _ => expected == seen,
    }
}

/// Natively some kinds of faults look alike: an address tells nothing of the object that it was computed from.
fn same_fault(expected: FaultKind, seen: FaultKind) -> bool {
    use FaultKind::*;
    let memory = |kind| matches!(kind, NullPointer | OutOfBounds | WildPointer | UseAfterFree | ReadOnly | BadCall);
    let ends_itself = |kind| matches!(kind, Assertion | Panic | Abort | Uncaught | Unreachable);
    expected == seen
        || memory(expected) && memory(seen)
        || ends_itself(expected) && seen == Abort
        || matches!((expected, seen), (InvalidFree, DoubleFree | UseAfterFree) | (DoubleFree, InvalidFree))
}

fn same_datum(expected: &Datum, seen: &Datum) -> bool {
    match (expected, seen) {
        (Datum::Any, _) | (_, Datum::Any) => true,
        (Datum::Pointer(e), Datum::Pointer(s)) => same_target(e, s),
        (Datum::Many(e), Datum::Many(s)) => e.len() == s.len() && e.iter().zip(s).all(|(e, s)| same_datum(e, s)),
        // Of a number some bytes are known.
        (Datum::Many(e), Datum::Bits(s)) => same_bytes(e, s),
        (Datum::Bits(e), Datum::Many(s)) => same_bytes(s, e),
        // A pointer as a number: which one, depends on the run.
        (Datum::Pointer(e), Datum::Bits(s)) => (*e == Target::Null) == s.is_zero(),
        (Datum::Bits(e), Datum::Pointer(s)) => e.is_zero() == (*s == Target::Null),
        _ => expected == seen,
    }
}

fn same_bytes(bytes: &[Datum], number: &Bits) -> bool {
    let byte = |at: usize| number.words.get(at / 8).map_or(0, |word| (word >> (at % 8 * 8)) as u8);
    let same = |(at, known): (usize, &Datum)| match known {
        Datum::Any => true,
        Datum::Bits(known) => known.width == 8 && known.low() == u64::from(byte(at)),
        _ => false,
    };
    number.width as usize == 8 * bytes.len() && bytes.iter().enumerate().all(same)
}

fn same_target(expected: &Target, seen: &Target) -> bool {
    match (expected, seen) {
        (Target::Own, seen) => *seen != Target::Null,
        // Memory of libraries and addresses of code.
        (Target::Address(address), Target::Own) => *address != 0,
        _ => expected == seen,
    }
}

fn same_memory(name: &str, expected: &Memory, seen: &Memory) -> Result<(), Mismatch> {
    // Nobody can look at what was freed.
    if seen.bytes.is_empty() {
        return Ok(());
    }
    if expected.bytes.len() != seen.bytes.len() {
        return differ(&format!("size of {name}"), expected.bytes.len(), seen.bytes.len());
    }
    let covered = |memory: &Memory, at: u64| {
        memory.is_any(at) || memory.pointers.iter().any(|(offset, _)| (*offset..*offset + 8).contains(&at))
    };
    for (offset, target) in &expected.pointers {
        match seen.pointers.iter().find(|(other, _)| other == offset) {
            Some((_, other)) if same_target(target, other) => {}
            Some((_, other)) => {
                return differ(&format!("{name} at byte {offset}"), show::target(target), show::target(other));
            }
            None => {
                let bytes = seen.bytes.get(*offset as usize..).unwrap_or_default();
                let zero = bytes.iter().take(8).all(|byte| *byte == 0);
                if zero != (*target == Target::Null) {
                    return differ(
                        &format!("{name} at byte {offset}"),
                        show::target(target),
                        Text(&bytes[..bytes.len().min(8)]),
                    );
                }
            }
        }
    }
    let differing = expected
        .bytes
        .iter()
        .zip(&seen.bytes)
        .enumerate()
        .find(|(at, (e, s))| e != s && !covered(expected, *at as u64));
    let unexpected = seen.pointers.iter().find(|(offset, _)| (*offset..offset + 8).any(|at| !covered(expected, at)));
    match (differing, unexpected) {
        (Some((at, (e, s))), _) => differ(&format!("{name} at byte {at}"), e, s),
        (None, Some((offset, target))) => {
            differ(&format!("{name} at byte {offset}"), "no pointer", show::target(target))
        }
        (None, None) => Ok(()),
    }
}

fn differ(part: &str, expected: impl fmt::Display, seen: impl fmt::Display) -> Result<(), Mismatch> {
    Err(Mismatch { part: part.to_owned(), expected: expected.to_string(), seen: seen.to_string() })
}

/// Bytes as people read them, the first of them.
struct Text<'a>(&'a [u8]);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 80;
        write!(f, "\"{}\"", self.0[..self.0.len().min(SHOWN)].escape_ascii())?;
        if self.0.len() > SHOWN { write!(f, "… ({} bytes)", self.0.len()) } else { Ok(()) }
    }
}
