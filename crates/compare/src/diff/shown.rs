//! A difference in words: inputs, and both outcomes as far as they differ.

use super::couple::{Couple, unmarked};
use crate::explore::{datum, fault_name, place};
use crate::suite::Reading;
use exec::case::{self, End, FaultKind, Outcome};
use explore::pair::{Difference, aspect_name};

/// A difference as it is shown; `seen` is what came of native runs.
pub fn shown(
    difference: &Difference,
    couple: &Couple,
    reading: Reading,
    seen: Option<(&Outcome, &Outcome)>,
) -> report::diff::Difference {
    let module = &couple.program.module;
    let side = |expected: &explore::pair::Side, seen: Option<&Outcome>| {
        let outcome = seen.unwrap_or(&expected.outcome);
        report::diff::Side {
            outcome: words(outcome, &expected.detail, &difference.aspects, reading),
            line: expected.at.and_then(|at| place(module, at)),
        }
    };
    let (old, new) = (side(&difference.old, seen.map(|(old, _)| old)), side(&difference.new, seen.map(|(_, new)| new)));
    report::diff::Difference {
        kind: kind(difference),
        inputs: difference
            .named
            .iter()
            .map(|(name, value)| report::explore::Input { name: name.as_str().into(), value: value.clone() })
            .collect(),
        parts: difference.aspects.iter().map(|aspect| unmarked(&aspect_name(aspect)).to_owned()).collect(),
        old,
        new,
        condition: difference.condition.clone(),
        replayed: seen.is_some(),
    }
}

fn kind(difference: &Difference) -> String {
    let fault = |end: &End| matches!(end, End::Fault(_));
    match (fault(&difference.old.outcome.end), fault(&difference.new.outcome.end)) {
        (false, true) => "fault appears",
        (true, false) => "fault disappears",
        (true, true) => "another fault",
        (false, false) => match difference.aspects.first() {
            Some(exec::same::Aspect::Result) => "value",
            Some(exec::same::Aspect::Memory(_) | exec::same::Aspect::Global(_)) => "memory",
            Some(exec::same::Aspect::Output(_)) => "output",
            Some(exec::same::Aspect::Calls) => "calls",
            _ => "end",
        },
    }
    .to_owned()
}

/// An outcome in words, as far as it differs.
pub(crate) fn words(outcome: &Outcome, detail: &str, aspects: &[exec::same::Aspect], reading: Reading) -> String {
    let mut parts = Vec::new();
    match &outcome.end {
        End::Returned => {
            if !matches!(outcome.result, case::Datum::Any) {
                let value = match reading {
                    Reading::None => datum(&outcome.result),
                    reading => crate::suite::show::value(&outcome.result, reading),
                };
                parts.push(format!("returns {value}"));
            } else {
                parts.push("returns".to_owned());
            }
        }
        End::Exited(code) => parts.push(format!("exits with {code}")),
        End::Fault(kind) => parts.push(fault(*kind, detail)),
        End::Bound(what) | End::Unsupported(what) => parts.push(what.clone()),
    }
    for aspect in aspects {
        match aspect {
            exec::same::Aspect::Global(name) => {
                let name = unmarked(name);
                match outcome.globals.iter().find(|(known, _)| unmarked(known) == name) {
                    Some((_, memory)) => parts.push(format!("{name} = {}", bytes(&memory.bytes))),
                    None => parts.push(format!("{name} as before")),
                }
            }
            exec::same::Aspect::Memory(name) => {
                if let Some(memory) = outcome.objects.iter().find(|memory| memory.name == *name) {
                    parts.push(format!("*{name} = {}", bytes(&memory.bytes)));
                }
            }
            exec::same::Aspect::Output(1) => parts.push(format!("prints \"{}\"", outcome.stdout.escape_ascii())),
            exec::same::Aspect::Output(2) => parts.push(format!("reports \"{}\"", outcome.stderr.escape_ascii())),
            exec::same::Aspect::Calls => {
                let calls = outcome.calls.iter().map(|call| {
                    format!("{}({})", call.function, call.args.iter().map(datum).collect::<Vec<_>>().join(", "))
                });
                parts.push(format!("calls {}", calls.collect::<Vec<_>>().join(", ")));
            }
            _ => {}
        }
    }
    parts.join(", ")
}

fn fault(kind: FaultKind, detail: &str) -> String {
    if detail.is_empty() { fault_name(kind).to_owned() } else { format!("{}: {detail}", fault_name(kind)) }
}

/// Bytes as people read them: a number if there are few, else text or hexadecimal digits.
fn bytes(bytes: &[u8]) -> String {
    match bytes.len() {
        1 => (bytes[0] as i8).to_string(),
        4 => i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]).to_string(),
        8 => {
            let mut word = [0; 8];
            word.copy_from_slice(bytes);
            i64::from_le_bytes(word).to_string()
        }
        _ => format!("\"{}\"", bytes.escape_ascii()),
    }
}
