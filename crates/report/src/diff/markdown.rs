//! `pathshift diff` as a comment on a pull request.

use super::{Confined, Diff, Difference, Function, Side, Verdict, at, rank};
use crate::escape::Shown;
use crate::explore::RunState;
use crate::markdown::{block, cell, code, html_code, words};
use std::fmt::Write;

/// Most bytes; code hosts take comments of up to 65,536 characters.
const MAX_BYTES: usize = 60_000;

/// Most functions in the table.
const MAX_ROWS: usize = 100;

/// The result as Markdown: a line, a table, and details that unfold.
pub fn markdown(diff: &Diff) -> String {
    let diff = &diff.escaped();
    let mut out = String::new();
    let head = match diff.verdict {
        Verdict::Different => "behaviour differs",
        Verdict::Same => "behaviour stays the same",
        Verdict::SameWithinBounds => "behaviour stays the same within bounds",
        _ => "not everything is decided",
    };
    let between =
        if diff.old.is_empty() { String::new() } else { format!(" ({} → {})", code(&diff.old), code(&diff.new)) };
    let _ = writeln!(out, "**pathshift: {head}**{between}\n\n{}", diff.summary());
    if diff.run_state == RunState::Incomplete {
        out.push_str("\n**Partial:** it was interrupted; what was not looked at is undecided.\n");
    }
    let mut shown: Vec<&Function> = diff.functions.iter().collect();
    shown.sort_by_key(|function| (rank(function.verdict), !function.changed));
    if !shown.is_empty() {
        out.push_str("\n| function | verdict | |\n|---|---|---|\n");
    }
    for function in shown.iter().take(MAX_ROWS) {
        let name = match function.verdict {
            verdict if function.not_counted => &format!("{} (ignored)", verdict.name()),
            verdict if function.internal => &format!("{} (internal: compared through its callers)", verdict.name()),
            Verdict::Different => "**different**",
            verdict => verdict.name(),
        };
        let _ = writeln!(out, "| {} | {name} | {} |", cell(&function.name), remark(function));
    }
    if shown.len() > MAX_ROWS {
        let _ = writeln!(out, "\nand {} more functions", shown.len() - MAX_ROWS);
    }
    let mut left_out = 0;
    let has_details = |function: &&&Function| {
        !function.differences.is_empty() || !function.ignored.is_empty() || !function.undecided.is_empty()
    };
    for function in shown.iter().filter(has_details) {
        let details = details(function);
        if out.len() + details.len() > MAX_BYTES {
            left_out += 1;
        } else {
            out.push_str(&details);
        }
    }
    if left_out > 0 {
        let _ = writeln!(out, "\nThe details of {left_out} more functions are left out.");
    }
    if !diff.notes.is_empty() {
        out.push('\n');
    }
    for note in &diff.notes {
        let _ = writeln!(out, "> {}", words(note));
    }
    out
}

/// What the table says of a function.
fn remark(function: &Function) -> String {
    match function.verdict {
        Verdict::Different => function
            .differences
            .iter()
            .chain(&function.ignored)
            .map(|difference| difference.region_words(cell).unwrap_or_else(|| words(&difference.kind.to_string())))
            .collect::<Vec<_>>()
            .join("; "),
        Verdict::Undecided => function.undecided.first().map(|item| words(&item.reason)).unwrap_or_default(),
        Verdict::Same | Verdict::SameWithinBounds => words(&crate::scope::in_short(&function.scope)),
        Verdict::Interface => match &function.interface {
            Some(interface) => format!("{} → {}", cell(&interface.old), cell(&interface.new)),
            None => String::new(),
        },
        Verdict::Added | Verdict::Removed => String::new(),
    }
}

fn details(function: &Function) -> String {
    let mut out = String::new();
    let place = function.place.as_ref().map(|place| format!(" at {}", html_code(&at(place)))).unwrap_or_default();
    let _ = writeln!(
        out,
        "\n<details><summary>{} {}{place}</summary>\n",
        html_code(&function.name),
        function.verdict.name()
    );
    for difference in &function.differences {
        one(&mut out, difference);
    }
    for difference in &function.ignored {
        out.push_str("ignored: ");
        one(&mut out, difference);
    }
    if !function.confined.is_empty() {
        out.push_str("The versions part only here; the rest of the function is proved unaffected:\n\n");
    }
    for Confined { file, line, condition, always, exact, old, new, .. } in &function.confined {
        let when = match (always, exact) {
            (true, _) => "always".to_owned(),
            (false, true) => format!("exactly if {}", code(condition)),
            (false, false) => format!("at most if {}", code(condition)),
        };
        let place = code(&format!("{file}:{line}"));
        let _ = writeln!(out, "- at {place}, {when}: old {}, new {}", words(old), words(new));
    }
    if let Some(callers) = &function.callers {
        let names = |names: &[String]| names.iter().map(|name| code(name)).collect::<Vec<_>>().join(", ");
        if !callers.seen_from.is_empty() {
            let _ = writeln!(out, "- seen from {}", names(&callers.seen_from));
        }
        if callers.count > 0 {
            let more = if callers.count > callers.names.len() { ", …" } else { "" };
            let (count, exported) = (callers.count, callers.exported);
            let _ = writeln!(
                out,
                "- may be seen by {count} callers, {exported} of them exported: {}{more}",
                names(&callers.names)
            );
        }
    }
    for item in &function.undecided {
        let place = match (&item.file, item.line) {
            (Some(file), Some(line)) => format!(" ({})", code(&format!("{file}:{line}"))),
            _ => String::new(),
        };
        let _ = writeln!(out, "- {} × {}{} `{}`", item.count, words(&item.reason), place, item.code);
    }
    out.push_str("\n</details>\n");
    out
}

fn one(out: &mut String, difference: &Difference) {
    let region = difference.region_words(code).map(|words| format!(": {words}")).unwrap_or_default();
    let doubt =
        if difference.replayed { "" } else { " (perhaps: native runs do not confirm it, so it does not count)" };
    let _ = writeln!(
        out,
        "{}{region}{doubt}\n\n| given | {} | |\n|---|---|---|",
        difference.kind,
        cell(&difference.given())
    );
    for (name, side) in [("old", &difference.old), ("new", &difference.new)] {
        let place = side.line.as_ref().map(|place| cell(&at(place))).unwrap_or_default();
        let _ = writeln!(out, "| {name} | {} | {place} |", cell(&side.outcome));
    }
    let lines: Vec<String> = [('-', &difference.old), ('+', &difference.new)]
        .into_iter()
        .filter_map(|(sign, side)| match side {
            Side { source: Some(source), .. } => Some(format!("{sign}{}", source.trim_end())),
            _ => None,
        })
        .collect();
    if !lines.is_empty() {
        let _ = write!(out, "\n{}", block("diff", &lines));
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::super::tests::sample;
    use super::*;

    #[test]
    fn it_fits_a_comment() {
        let text = markdown(&sample());
        for expect in [
            "**pathshift: behaviour differs** (`HEAD~1` → `work tree`)\n\n1 different, ",
            "| `update` | **different** | differs if and only if `PedalPos < 0` |\n",
            "| `clamp\\|it` | same | all inputs |\n",
            "<details><summary><code>update</code> different at <code>brake.c:10</code></summary>\n",
            "| given | `PedalPos = -1, mode = 0 (any)` | |\n",
            "```diff\n-if (p == 0)\n+if (p <= 0)\n```\n",
            "- 1 × out of time (`run.c:3`) `G001`\n",
        ] {
            assert!(text.contains(expect), "{expect}\n{text}");
        }
        let mut many = sample();
        let wordy = many.functions[0].clone();
        many.functions.extend((0..2000).map(|_| wordy.clone()));
        assert!(markdown(&many).len() < 65_536);
    }
}
