//! `pathshift diff` for people.

use super::{Diff, Difference, Function, Side, Verdict, at};
use crate::explore::RunState;
use crate::scope::in_short;
use std::fmt::Write;

/// Most reasons that are listed for a function.
const MAX_REASONS: usize = 8;

/// The result as text: a line for each function, below it how it differs or why it is undecided.
pub fn text(diff: &Diff) -> String {
    let mut out = String::new();
    for function in &diff.functions {
        one(&mut out, function);
    }
    if !diff.functions.is_empty() {
        out.push('\n');
    }
    let _ = writeln!(out, "{}", diff.summary());
    for note in &diff.notes {
        let _ = writeln!(out, "note: {note}");
    }
    if diff.run_state == RunState::Incomplete {
        out.push_str("partial: it was interrupted; what was not looked at is undecided\n");
    }
    out
}

fn one(out: &mut String, function: &Function) {
    let verdict = match function.verdict {
        Verdict::Different => "DIFFERENT",
        verdict => verdict.name(),
    };
    let _ = write!(out, "{verdict:<10} {}", function.name);
    if let Some(old) = &function.old_name {
        let _ = write!(out, " (was {old})");
    }
    if !function.changed && !function.through.is_empty() {
        let _ = write!(out, "  through {}", function.through.join(", "));
    }
    if function.verdict == Verdict::Same && !function.scope.is_empty() {
        let _ = write!(out, "  [{}]", in_short(&function.scope));
    }
    if let Some(place) = function.place.as_ref().filter(|_| function.verdict != Verdict::Same) {
        let _ = write!(out, "  {}", at(place));
    }
    out.push('\n');
    if let Some(interface) = &function.interface {
        let _ = writeln!(out, "      old  {}\n      new  {}", interface.old, interface.new);
    }
    for difference in &function.differences {
        differs(out, difference, function);
    }
    for item in function.undecided.iter().take(MAX_REASONS) {
        let place = match (&item.file, item.line) {
            (Some(file), Some(line)) => format!("   {file}:{line}"),
            _ => String::new(),
        };
        let _ = writeln!(out, "      {} x {}{place}", item.count, item.reason);
    }
    if function.undecided.len() > MAX_REASONS {
        let _ = writeln!(out, "      and {} more reasons", function.undecided.len() - MAX_REASONS);
    }
}

fn differs(out: &mut String, difference: &Difference, function: &Function) {
    let region = difference.region_words(|condition| format!("`{condition}`"));
    let scope = match (&difference.region, function.scope.as_slice()) {
        (Some(_), scope @ [_, ..]) => format!("  [{}]", in_short(scope)),
        _ => String::new(),
    };
    let _ = match difference.replayed {
        true => {
            let region = region.map(|words| format!(": {words}")).unwrap_or_default();
            writeln!(out, "  {}{region}{scope}", difference.kind)
        }
        false => writeln!(out, "  perhaps {}: native runs do not confirm it, so it does not count", difference.kind),
    };
    let _ = writeln!(out, "    given  {}", difference.given());
    let width = [&difference.old, &difference.new].map(|side| side.outcome.chars().count());
    let width = width.into_iter().max().unwrap_or(0).min(60);
    for (name, side) in [("old", &difference.old), ("new", &difference.new)] {
        let place = side.line.as_ref().map(at).unwrap_or_default();
        let line = format!("      {name}  {:<width$}   {place}", side.outcome);
        let _ = writeln!(out, "{}", line.trim_end());
    }
    for (sign, side) in [('-', &difference.old), ('+', &difference.new)] {
        if let Side { line: Some(place), source: Some(source), .. } = side {
            let _ = writeln!(out, "    {:>5} {sign} {}", place.line, source.trim_end());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::sample;
    use super::*;

    #[test]
    fn a_difference_is_three_lines_with_both_sources() {
        let expect = "\
DIFFERENT  update  brake.c:10
  value: differs if and only if `PedalPos < 0`
    given  PedalPos = -1, mode = 0 (any)
      old  returns 2    brake.c:19
      new  returns 11   brake.c:17
       19 - if (p == 0)
       17 + if (p <= 0)
same       clamp|it  [all inputs]
undecided  run
      1 x out of time   run.c:3
interface  open
      old  int open(int)
      new  int open(long)
added      close

1 different, 1 proved the same, 1 undecided, 1 with another interface, 1 added, 7 untouched
";
        assert_eq!(text(&sample()), expect);
    }

    #[test]
    fn what_was_cut_short_says_so() {
        let diff = Diff { run_state: RunState::Incomplete, ..sample() };
        assert!(text(&diff).ends_with("is undecided\n"));
    }
}
