//! `pathshift diff` for people.

use super::{Confined, Diff, Difference, Function, Side, Verdict, at, rank};
use crate::escape::Shown;
use crate::explore::RunState;
use crate::scope::in_short;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Most reasons that are listed for a function.
const MAX_REASONS: usize = 6;

/// Most places that are listed for a reason.
const MAX_PLACES: usize = 3;

/// Most reasons that are named beside differences.
const MAX_BESIDE: usize = 2;

/// Most characters of a condition.
const MAX_CONDITION: usize = 240;

/// Most differences of a function that are shown in full.
const MAX_DIFFERENCES: usize = 3;

/// From how many functions on those that are undecided, and whose own code is as it was, are listed together.
const MANY: usize = 12;

/// How long lines of names are.
const WIDTH: usize = 110;

/// The result as text, what matters most first: a line for each function, below it how it differs or why it is undecided.
pub fn text(diff: &Diff) -> String {
    let diff = &diff.escaped();
    let mut out = String::new();
    let mut shown: Vec<&Function> = diff.functions.iter().collect();
    shown.sort_by_key(|function| (rank(function.verdict), !function.changed));
    let is_caller = |function: &&Function| {
        let is_open = function.verdict == Verdict::Undecided && !function.changed && !function.not_counted;
        is_open && function.differences.is_empty() && function.ignored.is_empty()
    };
    let (callers, others): (Vec<&Function>, Vec<&Function>) = shown.iter().partition(|function| is_caller(function));
    let together = callers.len() >= MANY;
    for function in if together { &others } else { &shown } {
        one(&mut out, function);
    }
    if together {
        as_one(&mut out, &callers);
    }
    if !diff.functions.is_empty() {
        out.push('\n');
    }
    let _ = writeln!(out, "{}", diff.summary());
    let has_codes = |function: &&Function| !function.assumptions.is_empty() || !function.undecided.is_empty();
    if let Some(code) = diff.functions.iter().find(has_codes).and_then(first_code) {
        let _ = writeln!(out, "help: `pathshift explain-code {code}` says what a code means and what to do about it");
    }
    if diff.callers > 0 {
        out.push_str("help: --callers compares each caller, although its own code did not change\n");
    }
    for note in &diff.notes {
        let _ = writeln!(out, "note: {note}");
    }
    if diff.run_state == RunState::Incomplete {
        out.push_str("partial: it was interrupted; what was not looked at is undecided\n");
    }
    out
}

/// Functions that are undecided for what they use: their names, and their reasons together.
fn as_one(out: &mut String, functions: &[&Function]) {
    let _ =
        writeln!(out, "undecided  {} functions whose own code is as it was, through what they use:", functions.len());
    let mut line = String::new();
    for (index, function) in functions.iter().enumerate() {
        let comma = if index + 1 < functions.len() { "," } else { "" };
        if !line.is_empty() && line.len() + function.name.len() > WIDTH {
            let _ = writeln!(out, "     {line}");
            line.clear();
        }
        let _ = write!(line, " {}{comma}", function.name);
    }
    let _ = writeln!(out, "     {line}");
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for function in functions {
        let own: BTreeSet<&str> = function.undecided.iter().map(|item| item.reason.as_str()).collect();
        own.into_iter().for_each(|reason| *reasons.entry(reason).or_default() += 1);
    }
    let mut reasons: Vec<(&str, usize)> = reasons.into_iter().collect();
    reasons.sort_by_key(|&(_, count)| Reverse(count));
    for (reason, count) in reasons.iter().take(MAX_REASONS) {
        let _ = writeln!(out, "      {count} of them: {reason}");
    }
    if reasons.len() > MAX_REASONS {
        let _ =
            writeln!(out, "      and {} more reasons; `--format json` has those of each", reasons.len() - MAX_REASONS);
    }
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
    if function.verdict.is_same() && !function.scope.is_empty() {
        let _ = write!(out, "  [{}]{}", in_short(&function.scope), codes(function));
    }
    if let Some(place) = function.place.as_ref().filter(|_| !function.verdict.is_same()) {
        let _ = write!(out, "  {}", at(place));
    }
    if function.not_counted {
        out.push_str("  (ignored)");
    } else if function.internal {
        out.push_str("  (internal: compared through its callers)");
    }
    out.push('\n');
    if let Some(interface) = &function.interface {
        let _ = writeln!(out, "      old  {}\n      new  {}", interface.old, interface.new);
    }
    if let Some(body) = function.body {
        let _ = writeln!(out, "      its body: {}  [{}]", body.name(), in_short(&function.scope));
    }
    // Values and effects come first, faults behind them.
    let mut differences: Vec<&Difference> = function.differences.iter().collect();
    differences.sort_by_key(|difference| difference.kind.code());
    for difference in differences.iter().take(MAX_DIFFERENCES) {
        differs(out, difference, function, "");
    }
    if let Some(more) = differences.len().checked_sub(MAX_DIFFERENCES).filter(|more| *more > 0) {
        let _ = writeln!(out, "  and {more} more, of other kinds or places; `--format json` has them");
    }
    for difference in &function.ignored {
        differs(out, difference, function, "ignored: ");
    }
    confined(out, function);
    callers(out, function);
    let reasons = reasons(function);
    if function.verdict == Verdict::Different {
        not_decided(out, &reasons);
    } else {
        for reason in reasons.iter().take(MAX_REASONS) {
            let _ = writeln!(out, "      {}{}  [{}]", reason.text, places(&reason.places), reason.code);
        }
    }
    for step in &function.trace {
        let evidence = step.evidence.join(", ");
        let line =
            format!("      trace  {:<18} {:>6} ms  {:<10} {evidence}", step.tactic, step.millis, step.verdict.name());
        let _ = writeln!(out, "{}", line.trim_end());
    }
    if function.verdict == Verdict::Different {
        return;
    }
    if reasons.len() > MAX_REASONS {
        let _ = writeln!(out, "      and {} more reasons; `--format json` has them", reasons.len() - MAX_REASONS);
    }
    if let Some(help) = function.undecided.first().and_then(|item| evidence::find(&item.code)).map(|row| row.help) {
        let _ = writeln!(out, "      help: {help}");
    }
}

/// A condition, cut where it is long.
fn cut(condition: &str) -> String {
    match condition.char_indices().nth(MAX_CONDITION) {
        Some((end, _)) => format!("{}…  (`--format json` has all of it)", &condition[..end]),
        None => condition.to_owned(),
    }
}

/// A reason for which something is undecided, and where that was met.
struct Reason<'f> {
    code: &'f str,
    text: &'f str,
    places: Vec<String>,
}

/// Why something is undecided, each reason once, the most frequent one first.
fn reasons(function: &Function) -> Vec<Reason<'_>> {
    let mut found: Vec<Reason> = Vec::new();
    for item in &function.undecided {
        let known = found.iter_mut().find(|known| known.code == item.code && known.text == item.reason);
        let place = item.file.as_ref().zip(item.line).map(|(file, line)| format!("{file}:{line}"));
        match known {
            Some(known) => known.places.extend(place.filter(|place| !known.places.contains(place))),
            None => found.push(Reason { code: &item.code, text: &item.reason, places: place.into_iter().collect() }),
        }
    }
    found
}

fn places(places: &[String]) -> String {
    let more = if places.len() > MAX_PLACES { ", …" } else { "" };
    let shown = places.iter().take(MAX_PLACES).map(String::as_str).collect::<Vec<_>>().join(", ");
    if shown.is_empty() { shown } else { format!("   {shown}{more}") }
}

/// What else of a function that differs could not be decided, in one line.
fn not_decided(out: &mut String, reasons: &[Reason<'_>]) {
    let mut shown: Vec<String> = Vec::new();
    for reason in reasons {
        let text = format!("{} [{}]", reason.text, reason.code);
        if !shown.contains(&text) {
            shown.push(text);
        }
    }
    let more = if shown.len() > MAX_BESIDE { "; …" } else { "" };
    shown.truncate(MAX_BESIDE);
    if !shown.is_empty() {
        let _ = writeln!(out, "      there may be other differences: {}{more}", shown.join("; "));
    }
}

/// Where the versions part: everything else in the function is proved to do the same.
fn confined(out: &mut String, function: &Function) {
    if function.confined.is_empty() {
        return;
    }
    let _ = writeln!(out, "      the versions part only here; the rest of the function is proved unaffected:");
    for Confined { file, line, source, condition, always, exact, old, new, .. } in &function.confined {
        let when = match (always, exact) {
            (true, _) => "always".to_owned(),
            (false, true) => format!("exactly if {}", cut(condition)),
            (false, false) => format!("at most if {}", cut(condition)),
        };
        let _ = writeln!(out, "        at {file}:{line}  {when}");
        // What only computes is told by its line.
        match old == new && !source.is_empty() {
            true => writeln!(out, "          {line}  {source}"),
            false => writeln!(out, "          old  {old}\n          new  {new}"),
        }
        .ok();
    }
}

/// Who may see a difference. Callers have no entries of their own.
fn callers(out: &mut String, function: &Function) {
    let Some(callers) = &function.callers else { return };
    if !callers.seen_from.is_empty() {
        let _ = writeln!(out, "      seen from  {}", callers.seen_from.join(", "));
    }
    let others = if callers.seen_from.is_empty() { "" } else { "other " };
    let (them, count) = (if callers.count == 1 { "caller" } else { "callers" }, callers.count);
    if count > 0 {
        let more = if count > callers.names.len() { ", …" } else { "" };
        let names = callers.names.join(", ");
        let _ = writeln!(
            out,
            "      may be seen by {count} {others}{them}, {} of them exported: {names}{more}",
            callers.exported
        );
    }
}

/// A code of a function that the reader may want to have explained.
fn first_code(function: &Function) -> Option<&str> {
    let gap = function.undecided.first().map(|item| item.code.as_str());
    gap.or_else(|| function.assumptions.first().map(|one| one.assumption.code()))
}

/// The codes of the assumptions of a function.
fn codes(function: &Function) -> String {
    let codes: BTreeSet<&str> = function.assumptions.iter().map(|one| one.assumption.code()).collect();
    codes.into_iter().map(|code| format!(" {code}")).collect()
}

fn differs(out: &mut String, difference: &Difference, function: &Function, remark: &str) {
    let region = difference.region_words(|condition| format!("`{condition}`"));
    let scope = match (&difference.region, function.scope.as_slice()) {
        (Some(_), scope @ [_, ..]) => format!("  [{}]", in_short(scope)),
        _ => String::new(),
    };
    let _ = match difference.replayed {
        true => {
            let region = region.map(|words| format!(": {words}")).unwrap_or_default();
            writeln!(out, "  {remark}{}{region}{scope}", difference.kind)
        }
        false => {
            writeln!(out, "  {remark}perhaps {}: native runs do not confirm it, so it does not count", difference.kind)
        }
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
undecided  run
      out of time   run.c:3  [G001]
      help: --timeout N gives each function more seconds
interface  open
      old  int open(int)
      new  int open(long)
added      close
same       clamp|it  [all inputs]

1 different, 1 proved the same, 1 undecided, 1 with another interface, 1 added, 7 untouched
help: `pathshift explain-code G001` says what a code means and what to do about it
";
        assert_eq!(text(&sample()), expect);
    }

    #[test]
    fn many_callers_are_listed_together() {
        let mut diff = sample();
        let (mut changed, caller) = (diff.functions[2].clone(), diff.functions[2].clone());
        (changed.name, changed.changed) = ("changed".to_owned(), true);
        let numbered = |number: usize| Function { name: format!("caller{number}"), ..caller.clone() };
        diff.functions = (0..MANY).map(numbered).chain([changed]).collect();
        let lines = text(&diff);
        assert!(
            lines.starts_with("undecided  changed\n      out of time   run.c:3  [G001]\n      help: --timeout"),
            "{lines}"
        );
        assert!(lines.contains("undecided  12 functions whose own code is as it was, through what they use:\n"));
        assert!(lines.contains(" caller10, caller11\n      12 of them: out of time\n"), "{lines}");
        assert!(lines.contains("13 undecided"));
    }

    #[test]
    fn what_is_ignored_has_its_line() {
        let mut diff = sample();
        let found = std::mem::take(&mut diff.functions[0].differences);
        (diff.functions[0].ignored, diff.functions[0].not_counted) = (found, true);
        let lines = text(&diff);
        assert!(lines.starts_with("DIFFERENT  update  brake.c:10  (ignored)\n  ignored: value: differs"), "{lines}");
        assert!(lines.contains("0 different") && lines.contains("1 ignored"), "{lines}");
        let markdown = super::super::markdown(&diff);
        assert!(markdown.contains("| `update` | different (ignored) | differs if and only if"), "{markdown}");
        assert!(markdown.contains("given | `PedalPos = -1"), "{markdown}");
    }

    #[test]
    fn what_was_cut_short_says_so() {
        let diff = Diff { run_state: RunState::Incomplete, ..sample() };
        assert!(text(&diff).ends_with("is undecided\n"));
    }
}
