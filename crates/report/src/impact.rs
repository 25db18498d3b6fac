//! What a change can reach: what `pathshift impact` shows. The text begins with what matters most: what changed, what
//! depends on it, who calls that; then the source of each function with marks and reasons.

use crate::escape::{Shown, Style, harmless, shown};
use crate::impact_graph::Graph;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// The format's name and version.
pub const SCHEMA: &str = "pathshift.impact/1";

/// What a change can reach.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Impact {
    /// Version of this format.
    pub schema: &'static str,
    /// How much of everything there is.
    pub counts: Counts,
    /// Functions that changed, or that the change reaches: changed ones first, then in the order of the new version.
    pub functions: Vec<Function>,
    /// Variables that begin with something else.
    pub variables: Vec<String>,
    /// What limits the result.
    pub notes: Vec<String>,
    /// Lines of the source files, for the text form.
    #[serde(skip)]
    pub sources: BTreeMap<String, Vec<String>>,
}

/// How many functions there are of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Whose own code is not the same, added and removed ones too.
    pub changed: usize,
    /// Others in which something depends on the change.
    pub impacted: usize,
    /// Others that do the same whenever they are called; but whether they are called depends on the change.
    pub called: usize,
    /// Others that only call one of those.
    pub callers: usize,
    /// All others.
    pub untouched: usize,
}

/// A function that changed, or that the change reaches.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Function {
    /// Name.
    pub name: String,
    /// Name in the old version, if it has another one.
    pub old_name: Option<String>,
    /// `changed`, `added`, `removed`, `renamed` (known to code outside by another name) or `unchanged`.
    pub status: &'static str,
    /// How the change touches it.
    pub touch: Touch,
    /// File in the new version, in the old one if it was removed.
    pub file: Option<String>,
    /// First and last line in the old version.
    pub old_lines: Option<(u32, u32)>,
    /// First and last line in the new version.
    pub new_lines: Option<(u32, u32)>,
    /// Lines that changed.
    pub changed: Sides,
    /// Affected lines of the new version, of the old one if it was removed.
    pub affected: Affected,
    /// Whether it is called depends on the change.
    pub called: bool,
    /// Through what the change comes here.
    pub impacted_by: Vec<String>,
    /// Functions that call it.
    pub callers: Vec<String>,
    /// Marked lines; without debug info marked instructions.
    pub lines: Vec<Line>,
    /// Its control flow, for the graphical forms.
    #[serde(skip)]
    pub graph: Graph,
}

/// How a change touches a function, the closest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Touch {
    /// Its own code is not the same.
    Changed,
    /// Something in it depends on the change.
    Impacted,
    /// It does the same, but whether it is called depends on the change.
    Called,
    /// It only calls one of those.
    Calls,
    /// Not at all.
    #[default]
    None,
}

/// Lines of both versions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sides {
    /// Lines of the old version.
    pub old: Vec<u32>,
    /// Lines of the new version.
    pub new: Vec<u32>,
}

/// Affected lines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Affected {
    /// Lines with a decision.
    pub conditions: Vec<u32>,
    /// Lines that give a variable, memory or the caller a value, or call.
    pub writes: Vec<u32>,
}

/// A marked line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Number; none without debug info.
    pub line: Option<u32>,
    /// The instruction, if there is no line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instruction: Option<String>,
    /// What it has to do with the change.
    pub mark: Mark,
    /// Why.
    pub why: String,
}

/// What something has to do with a change, the weakest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// Nothing.
    #[default]
    None,
    /// It gives values to what depends on it.
    Feeds,
    /// It depends on it.
    Impacted,
    /// It changed.
    Changed,
}

/// How much of the source is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// As much as one can read.
    Readable,
    /// Everything.
    All,
}

/// What a readable result shows at most: functions with their source, marked lines of each, names in a list, files in a
/// list and names for each, reasons.
const READABLE: usize = 12;
const READABLE_LINES: usize = 16;
const READABLE_NAMES: usize = 30;
const READABLE_FILES: usize = 20;
const NAMES_OF_FILE: usize = 4;
const READABLE_REASONS: usize = 2;
/// Unmarked lines between marked ones that are shown.
const CONTEXT: u32 = 1;

/// The result as text.
pub fn text(impact: &Impact, color: bool, extent: Extent) -> String {
    let impact = &impact.escaped();
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = Writer { out: &mut out, impact, paint: Paint(color), extent }.all();
    out
}

struct Writer<'a> {
    out: &'a mut String,
    impact: &'a Impact,
    paint: Paint,
    extent: Extent,
}

impl Writer<'_> {
    fn all(&mut self) -> fmt::Result {
        let counts = self.impact.counts;
        if self.impact.functions.is_empty() && self.impact.variables.is_empty() {
            writeln!(self.out, "nothing changed, in {}", functions(counts.untouched))?;
            return self.notes();
        }
        let reached = counts.impacted + counts.called + counts.callers;
        let total = counts.changed + reached + counts.untouched;
        writeln!(self.out, "{} of {total} changed; the change reaches {reached} more", functions(counts.changed))?;
        for (count, what) in [
            (counts.impacted, "in which something depends on it"),
            (counts.called, "that do the same, but are called in other cases"),
            (counts.callers, "that only call one of these"),
            (counts.untouched, "untouched"),
        ] {
            if count > 0 {
                writeln!(self.out, "  {count:>5}  {what}")?;
            }
        }
        let all = &self.impact.functions;
        let titles = [
            (Touch::Changed, "changed"),
            (Touch::Impacted, "depend on the change"),
            (Touch::Called, "called in other cases"),
            (Touch::Calls, "only call these"),
            (Touch::None, "untouched"),
        ];
        for (touch, title) in titles {
            self.list(title, &all.iter().filter(|function| function.touch == touch).collect::<Vec<_>>())?;
        }
        if !self.impact.variables.is_empty() {
            writeln!(self.out, "\nvariables that changed: {}", self.impact.variables.join(", "))?;
        }
        self.notes()?;
        let is_shown = |function: &&Function| {
            !function.lines.is_empty() && (function.touch <= Touch::Impacted || self.extent == Extent::All)
        };
        let shown: Vec<&Function> = all.iter().filter(is_shown).collect();
        let limit = if self.extent == Extent::All { shown.len() } else { READABLE };
        for function in shown.iter().take(limit) {
            self.function(function)?;
        }
        if shown.len() > limit {
            writeln!(
                self.out,
                "\n{} more with marked lines: --function NAME shows one, --all all of them",
                functions(shown.len() - limit)
            )?;
        }
        Ok(())
    }

    fn notes(&mut self) -> fmt::Result {
        for note in &self.impact.notes {
            writeln!(self.out, "\nnote: {note}")?;
        }
        Ok(())
    }

    fn list(&mut self, title: &str, members: &[&Function]) -> fmt::Result {
        if members.is_empty() {
            return Ok(());
        }
        writeln!(self.out, "\n{title}")?;
        let is_long = self.extent == Extent::Readable && members.len() > READABLE_NAMES;
        if is_long && members.iter().all(|function| function.touch != Touch::Changed) {
            return self.by_file(members);
        }
        let limit = if is_long { READABLE_NAMES } else { members.len() };
        for function in members.iter().take(limit) {
            let line = format!("  {:<32} {:<28} {}", function.name, place(function), self.summary(function));
            writeln!(self.out, "{}", line.trim_end())?;
        }
        self.more(members.len() - limit)
    }

    /// Functions that are too many to be listed: how many each file has, with some of their names.
    fn by_file(&mut self, members: &[&Function]) -> fmt::Result {
        let mut files: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for function in members {
            files.entry(file_name(function)).or_default().push(&function.name);
        }
        let mut files: Vec<(&str, Vec<&str>)> = files.into_iter().collect();
        files.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
        for (file, names) in files.iter().take(READABLE_FILES) {
            let file = if file.is_empty() { "(no file)" } else { file };
            let shown = names[..names.len().min(NAMES_OF_FILE)].join(", ");
            let more = if names.len() > NAMES_OF_FILE { ", ..." } else { "" };
            writeln!(self.out, "  {file:<24} {:>5}  {shown}{more}", names.len())?;
        }
        let rest = files.iter().skip(READABLE_FILES).map(|(_, names)| names.len()).sum();
        self.more(rest)
    }

    fn more(&mut self, rest: usize) -> fmt::Result {
        if rest > 0 { writeln!(self.out, "  and {rest} more (--all)") } else { Ok(()) }
    }

    /// What a list says of a function: how much of it changed, else through what the change comes.
    fn summary(&self, function: &Function) -> String {
        let lines = if function.new_lines.is_some() { &function.changed.new } else { &function.changed.old };
        let mut parts = Vec::new();
        match function.status {
            "unchanged" => {}
            "changed" if lines.is_empty() => parts.push("no line of its own".to_owned()),
            "changed" => parts.push(count(lines.len(), "line")),
            status => parts.push(status.to_owned()),
        }
        if function.touch == Touch::Changed && self.extent == Extent::Readable {
            let callers = function.callers.len();
            parts.push(if callers == 0 { "no callers".to_owned() } else { count(callers, "caller") });
        } else {
            parts.extend(self.reasons(function));
        }
        parts.join("; ")
    }

    /// Through what the change comes to a function.
    fn reasons(&self, function: &Function) -> Option<String> {
        let all = &function.impacted_by;
        let limit = if self.extent == Extent::All { all.len() } else { READABLE_REASONS };
        let shown = all[..all.len().min(limit)].join("; ");
        let more = all.len().saturating_sub(limit);
        let more = if more > 0 { format!("; and {more} more ways") } else { String::new() };
        (!shown.is_empty()).then(|| shown + &more)
    }

    fn function(&mut self, function: &Function) -> fmt::Result {
        writeln!(self.out, "\n{}  {}", self.paint.bold(&function.name), place(function))?;
        if let Some(old) = &function.old_name {
            writeln!(self.out, "  was {old}")?;
        }
        if let Some(reasons) = self.reasons(function) {
            writeln!(self.out, "  reached by: {reasons}")?;
        }
        if !function.callers.is_empty() {
            let names: Vec<&str> = function.callers.iter().take(8).map(String::as_str).collect();
            let more = function.callers.len().saturating_sub(names.len());
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            writeln!(self.out, "  called by: {}{more}", names.join(", "))?;
        }
        if function.called {
            writeln!(self.out, "  whether it is called depends on the change")?;
        }
        let source = function.file.as_ref().and_then(|file| self.impact.sources.get(file));
        let mut last: Option<u32> = None;
        let shown = self.shown(&function.lines);
        for line in function.lines.iter().zip(&shown).filter(|(_, shown)| **shown).map(|(line, _)| line) {
            let Some(number) = line.line else {
                let text = line.instruction.as_deref().unwrap_or("");
                self.line(line.mark, None, text, &line.why)?;
                continue;
            };
            if let (Some(before), Some(source)) = (last, source) {
                let between: Vec<u32> = (before + 1..number).collect();
                if between.len() as u32 <= 2 * CONTEXT {
                    for number in between {
                        self.line(Mark::None, Some(number), source_line(source, number), "")?;
                    }
                } else {
                    writeln!(self.out, "           ...")?;
                }
            }
            let text = source.map_or("", |source| source_line(source, number));
            self.line(line.mark, Some(number), text, &line.why)?;
            last = Some(number);
        }
        let rest = shown.iter().filter(|shown| !**shown).count();
        if rest > 0 {
            writeln!(self.out, "           and {} (--function {})", count(rest, "more marked line"), function.name)?;
        }
        Ok(())
    }

    /// Which of a function's lines are shown: of many those that changed, then those that are closest to them.
    fn shown(&self, lines: &[Line]) -> Vec<bool> {
        if self.extent == Extent::All || lines.len() <= READABLE_LINES {
            return vec![true; lines.len()];
        }
        let changed: Vec<usize> = (0..lines.len()).filter(|&at| lines[at].mark == Mark::Changed).collect();
        let distance = |at: usize| changed.iter().map(|&from| from.abs_diff(at)).min().unwrap_or(at);
        let mut order: Vec<usize> = (0..lines.len()).collect();
        order.sort_by_key(|&at| (distance(at), at));
        let mut shown = vec![false; lines.len()];
        for &at in order.iter().take(READABLE_LINES) {
            shown[at] = true;
        }
        shown
    }

    fn line(&mut self, mark: Mark, number: Option<u32>, text: &str, why: &str) -> fmt::Result {
        let sign = match mark {
            Mark::None => ' ',
            Mark::Feeds => '.',
            Mark::Impacted => '>',
            Mark::Changed => '!',
        };
        let number = number.map_or(String::new(), |number| number.to_string());
        let text = text.trim_end();
        // Whoever writes long lines gets the reason further right.
        let padding = if why.is_empty() { 0 } else { 56usize.saturating_sub(text.chars().count()) };
        let shown = self.paint.mark(mark, text);
        let why = if why.is_empty() { String::new() } else { self.paint.dim(&format!("  {why}")) };
        let line = format!("  {sign} {number:>5}  {shown}{}{why}", " ".repeat(padding));
        writeln!(self.out, "{}", line.trim_end())
    }
}

/// Escapes for a terminal, or none.
#[derive(Clone, Copy)]
struct Paint(bool);

impl Paint {
    fn with(self, style: Style, text: &str) -> String {
        if self.0 && !text.is_empty() { style.paint(text) } else { text.to_owned() }
    }

    fn bold(self, text: &str) -> String {
        self.with(Style::Bold, text)
    }

    fn dim(self, text: &str) -> String {
        self.with(Style::Dim, text)
    }

    fn mark(self, mark: Mark, text: &str) -> String {
        match mark {
            Mark::None => text.to_owned(),
            Mark::Feeds => self.with(Style::Cyan, text),
            Mark::Impacted => self.with(Style::Yellow, text),
            Mark::Changed => self.with(Style::BoldRed, text),
        }
    }
}

fn functions(number: usize) -> String {
    count(number, "function")
}

/// A number of things.
fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// The file of a function without its folder; empty if it has none.
fn file_name(function: &Function) -> &str {
    function.file.as_deref().map_or("", |file| file.rsplit('/').next().unwrap_or(file))
}

fn place(function: &Function) -> String {
    let name = file_name(function);
    if name.is_empty() {
        return String::new();
    }
    match function.new_lines.or(function.old_lines) {
        Some((first, last)) => format!("{name}:{first}-{last}"),
        None => name.to_owned(),
    }
}

fn source_line(source: &[String], number: u32) -> &str {
    (number as usize).checked_sub(1).and_then(|index| source.get(index)).map_or("", String::as_str)
}

shown! {
    Impact { schema, counts, functions, variables, notes, sources }
    Function { name, old_name, status, touch, file, old_lines, new_lines, changed, affected, called, impacted_by, callers, lines, graph }
    Sides { old, new }
    Affected { conditions, writes }
    Line { line, instruction, mark, why }
}
harmless!(Counts, Touch, Mark);
