//! What an exploration of both versions says by itself, as evidence.

use super::couple::{Couple, readable};
use super::findings::{Evidence, line_of};
use super::part::Source;
use crate::explore::place;
use evidence::{Assumed, Assumption, Basis, Gap, Open, Place};
use explore::Stopped;
use explore::pair::Compared;
use std::collections::BTreeSet;

/// Most differences of a function that are looked for.
pub const MAX_DIFFERENCES: usize = 48;

/// A proof if nothing differs and no question is open; else what is open, and what the exploration rests on.
pub fn evidence_of(sources: &(Source, Source), couple: &Couple, compared: &Compared) -> Vec<Evidence> {
    let module = &couple.program.module;
    let mut assumptions: Vec<Assumed> = assumed(&compared.scope).into_iter().map(Assumed::from).collect();
    let mut found: Vec<Evidence> = Vec::new();
    for ((gap, at), count) in &compared.undecided {
        let mut gap = gap.clone();
        gap.for_each_text(&mut |text| *text = readable(text));
        let place = at.and_then(|at| place(module, at)).map(line_of);
        let place = place.map(|place| Place { file: shortened(&place.file, sources), ..place });
        match gap {
            // One place where it matters says enough.
            Gap::OutOfScope { bound } => {
                if !assumptions.iter().any(|known| known.assumption == bound) {
                    assumptions.push(Assumed { assumption: bound, place });
                }
            }
            gap => found.push(Evidence::Gap(Open { gap, place, count: *count })),
        }
    }
    found.extend(compared.stopped.map(|stopped| Evidence::from(gap_of(stopped))));
    if compared.pairs == 0 && found.is_empty() {
        found.push(Gap::NoCommonEnd.into());
    }
    let proved = compared.differences.is_empty() && found.is_empty();
    found.push(if proved {
        assumptions.extend(compared.left_out.iter().cloned().map(Assumed::from));
        Evidence::Proof { basis: Basis::Executions, assumptions }
    } else {
        Evidence::Explored(assumptions)
    });
    found
}

/// Assumptions with names as people know them, of which only the largest number of bytes of each object is worth saying.
fn assumed(scope: &BTreeSet<Assumption>) -> BTreeSet<Assumption> {
    let with_readable_names = |assumption: &Assumption| {
        let mut assumption = assumption.clone();
        assumption.for_each_text(&mut |text| *text = readable(text));
        assumption
    };
    let named: BTreeSet<Assumption> = scope.iter().map(with_readable_names).collect();
    let is_less = |what: &Assumption| match what {
        Assumption::AtLeast { of, bytes } => {
            let is_more = |other: &Assumption| matches!(other, Assumption::AtLeast { of: name, bytes: more } if more > bytes && name == of);
            named.iter().any(is_more)
        }
        _ => false,
    };
    named.iter().filter(|what| !is_less(what)).cloned().collect()
}

/// Why an exploration that was cut short leaves questions open.
fn gap_of(stopped: Stopped) -> Gap {
    match stopped {
        Stopped::Time => Gap::Time,
        Stopped::Interrupted => Gap::Interrupted,
        Stopped::Paths => Gap::ManyDifferences { most: MAX_DIFFERENCES as u64 },
        Stopped::Memory => Gap::Memory,
        _ => Gap::Room,
    }
}

/// Whether something is not said of all inputs: bounds cut some off, or something is assumed.
pub fn is_bounded(compared: &Compared) -> bool {
    compared.scope.iter().any(|what| *what != Assumption::Panics) || cuts_off(compared)
}

/// Whether paths were cut off at a bound.
fn cuts_off(compared: &Compared) -> bool {
    compared.undecided.keys().any(|(gap, _)| matches!(gap, Gap::OutOfScope { .. }))
}

/// A file of either version as results show it.
pub fn shortened(file: &str, (old, new): &(Source, Source)) -> String {
    new.short(&old.short(file))
}
