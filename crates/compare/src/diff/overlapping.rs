//! Parameters that lead to the same place: one pointer may be given twice, and the address of a variable may be given.
//!
//! Both versions are tried on such inputs; nothing is proved of them. A difference counts as every other one, unless it
//! takes a pointer to something `const` that leads to what the function writes: by convention that is an input, and nearly
//! every change of a function that copies would be a difference otherwise. Then the scope of *same* says where that ends.

use super::confirm::is_left_open;
use exec::overlaps::Overlap;
use exec::program::Program;
use explore::pair::Compared;
use report::diff::{Function, Verdict};
use report::scope::EXCEPT;
use std::time::{Duration, Instant};

/// How long usual overlaps are tried, and how long unusual ones.
pub const TIME: Duration = Duration::from_millis(400);

/// Most characters of an input in a scope.
const MAX_SHOWN: usize = 120;

/// Tries overlaps: `find` looks for inputs on which the versions differ, `confirm` runs these natively.
pub fn try_them(
    row: &mut Function,
    overlaps: Vec<Overlap>,
    program: &Program,
    find: &dyn Fn(Overlap) -> Compared,
    confirm: &dyn Fn(&mut Function, &Compared),
) {
    let (unusual, usual): (Vec<Overlap>, Vec<Overlap>) = overlaps.into_iter().partition(|overlap| overlap.unusual);
    let seen = |row: &Function, overlap: Overlap| {
        let found = find(overlap);
        if found.differences.is_empty() {
            return None;
        }
        let mut seen = Function { differences: Vec::new(), ..row.clone() };
        confirm(&mut seen, &found);
        Some(seen)
    };
    let until = Instant::now() + TIME;
    for overlap in usual {
        if row.verdict == Verdict::Different || Instant::now() >= until {
            break;
        }
        if let Some(seen) = seen(row, overlap) {
            adopt(row, seen);
        }
    }
    let until = Instant::now() + TIME;
    let mut said: Vec<(String, String)> = Vec::new();
    for overlap in unusual {
        // A difference makes it different and a doubt undecided anyway.
        if row.verdict != Verdict::Same || Instant::now() >= until {
            break;
        }
        let names = (overlap.pointer.clone(), overlap.other(program));
        if said.iter().any(|(a, b)| *a == names.0 && *b == names.1 || *a == names.1 && *b == names.0) {
            continue;
        }
        let Some(seen) = seen(row, overlap) else { continue };
        let how = match seen.verdict {
            Verdict::Different => example(&seen),
            _ if is_left_open(&seen) => ", or so it seems (nobody ran it)".to_owned(),
            _ => {
                row.ignored = seen.ignored;
                continue;
            }
        };
        row.scope.push(format!("{EXCEPT}{} overlaps {}{how}", names.0, names.1));
        said.push(names);
    }
}

/// Takes over what native runs showed, if they showed anything.
pub fn adopt(row: &mut Function, mut seen: Function) {
    if seen.verdict == Verdict::Different {
        *row = seen;
    } else if is_left_open(&seen) {
        // What nobody could run may be a difference after all.
        seen.verdict = Verdict::Undecided;
        *row = seen;
    } else {
        row.ignored = seen.ignored;
    }
}

/// The input that shows it.
fn example(seen: &Function) -> String {
    let Some(difference) = seen.differences.first() else { return String::new() };
    let given: Vec<String> =
        difference.inputs.iter().map(|input| format!("{} = {}", input.name, input.value)).collect();
    let given = given.join(", ");
    if given.is_empty() || given.chars().count() > MAX_SHOWN { String::new() } else { format!(" (given {given})") }
}
