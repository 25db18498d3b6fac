//! What a test expects, and which version does that.

use super::values::Number;
use crate::diff::couple::unmarked;
use crate::diff::shown::words;
use crate::replay::agrees;
use crate::suite::Reading;
use exec::case::{Datum, End, Memory, Outcome};

/// What a test expects.
#[derive(Clone, Debug, Default)]
pub enum Expected {
    /// It does not say: what the old version does is right.
    #[default]
    Nothing,
    /// A result, or a code that the program exits with; as it was written.
    Result(Number, String),
    /// An outcome.
    Outcome(Box<Outcome>),
}

/// Who passes a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passes {
    /// Nobody knows: the test expects nothing.
    Unknown,
    /// The old version: what a regression is.
    Old,
    /// The new version.
    New,
    /// Both.
    Both,
    /// Neither.
    Neither,
}

impl Expected {
    /// The expectation of a suite's test, which may be none.
    pub(super) fn of_suite(outcome: Option<&Outcome>) -> Expected {
        let says_nothing = |outcome: &&Outcome| {
            outcome.end == End::Returned
                && outcome.result == Datum::Any
                && (outcome.objects.is_empty() && outcome.globals.is_empty() && outcome.calls.is_empty())
                && (outcome.stdout.is_empty() && outcome.stderr.is_empty())
        };
        outcome
            .filter(|outcome| !says_nothing(outcome))
            .cloned()
            .map_or(Expected::Nothing, |outcome| Expected::Outcome(Box::new(outcome)))
    }

    /// Who does what is expected.
    pub(super) fn who_passes(&self, both: &[Outcome; 2], reading: Reading) -> Passes {
        // What was never assigned is nothing that is expected.
        let agrees = |expected: &Outcome, seen: Outcome| {
            let is_any = seen.result == Datum::Any && expected.result != Datum::Any && seen.end == End::Returned;
            !is_any && agrees(expected, &seen).is_ok()
        };
        let passed = match self {
            Expected::Nothing => return Passes::Unknown,
            Expected::Result(number, _) => both.each_ref().map(|seen| has_result(seen, *number, reading)),
            Expected::Outcome(expected) => {
                let strictly = both.each_ref().map(|seen| agrees(expected, alike(expected, seen, true)));
                match strictly {
                    // Of what it does not mention it may mean to say nothing.
                    [false, false] => both.each_ref().map(|seen| agrees(expected, alike(expected, seen, false))),
                    passed => passed,
                }
            }
        };
        match passed {
            [true, false] => Passes::Old,
            [false, true] => Passes::New,
            [true, true] => Passes::Both,
            [false, false] => Passes::Neither,
        }
    }

    /// The expectation in words.
    pub(super) fn words(&self, reading: Reading) -> Option<String> {
        match self {
            Expected::Nothing => None,
            Expected::Result(_, text) => Some(format!("returns {text}")),
            Expected::Outcome(outcome) => {
                let printed = exec::same::Aspect::Output(1);
                let aspects = if outcome.stdout.is_empty() { Vec::new() } else { vec![printed] };
                Some(words(outcome, "", &aspects, reading, None))
            }
        }
    }
}

fn has_result(seen: &Outcome, number: Number, reading: Reading) -> bool {
    match (&seen.end, &seen.result) {
        (End::Returned, Datum::Bits(bits)) => {
            number.bits(bits.width, matches!(reading, Reading::Float(_))) == Some(bits.low_128())
        }
        (End::Exited(code), _) => number == Number::Integer((*code).into()),
        _ => false,
    }
}

/// An outcome with its memory in the order of the expected one; without what that does not mention, unless strictly.
fn alike(expected: &Outcome, seen: &Outcome, strictly: bool) -> Outcome {
    let object = |of: &Memory| seen.objects.iter().find(|object| object.name == of.name).unwrap_or(of).clone();
    let is_mentioned = |name: &str| strictly || expected.globals.iter().any(|(other, _)| other == name);
    let globals = seen.globals.iter().map(|(name, memory)| (unmarked(name).to_owned(), memory.clone()));
    let mut outcome = Outcome {
        objects: expected.objects.iter().map(object).collect(),
        globals: globals.filter(|(name, _)| is_mentioned(name)).collect(),
        ..seen.clone()
    };
    if !strictly {
        let empty = |bytes: &Vec<u8>| bytes.is_empty();
        if empty(&expected.stdout) {
            outcome.stdout.clear();
        }
        if empty(&expected.stderr) {
            outcome.stderr.clear();
        }
        if expected.calls.is_empty() {
            outcome.calls.clear();
        }
    }
    outcome
}
