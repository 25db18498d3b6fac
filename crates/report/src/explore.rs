//! The paths of a function: what `pathshift explore` shows.

use crate::escape::{Shown, harmless, shown};
use crate::in_order::in_order;
use crate::model::Place;
use evidence::Open;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::sync::Arc;

/// The format's name and version.
pub const SCHEMA: &str = "pathshift.explore/1";

/// The paths of a function. There may be millions of them: `P` is a vector, or some other place to keep them.
#[derive(Clone, Debug, Serialize)]
pub struct Exploration<P = Vec<Path>> {
    /// Version of this format.
    pub schema: &'static str,
    /// Whether everything was looked at that the bounds allow.
    pub run_state: RunState,
    /// Function, as the user wrote it.
    pub function: String,
    /// Where it is defined.
    pub place: Option<Place>,
    /// How paths were chosen.
    pub strategy: String,
    /// What the result holds for: bounds and assumptions.
    pub scope: Vec<String>,
    /// Paths in the order of the tree.
    pub paths: P,
    /// Figures.
    pub stats: Stats,
    /// What was not decided.
    pub undecided: Vec<Undecided>,
}

impl<P> Exploration<P> {
    /// The same with other paths.
    pub fn with_paths<Q>(&self, paths: Q) -> Exploration<Q> {
        Exploration {
            schema: self.schema,
            run_state: self.run_state,
            function: self.function.clone(),
            place: self.place.clone(),
            strategy: self.strategy.clone(),
            scope: self.scope.clone(),
            paths,
            stats: self.stats,
            undecided: self.undecided.clone(),
        }
    }
}

/// Whether a run came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// It did.
    Complete,
    /// It was cut short, or is still going on.
    Incomplete,
}

/// Paths in the order of the tree, wherever they are kept.
pub trait Paths: Sync {
    /// How many there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether that path ends in a fault.
    fn is_fault(&self, index: usize) -> bool;

    /// Those paths.
    fn get_all(&self, indices: &[usize]) -> io::Result<Vec<Path>>;
}

impl Paths for Vec<Path> {
    fn len(&self) -> usize {
        Vec::len(self)
    }

    fn is_fault(&self, index: usize) -> bool {
        self[index].fault.is_some()
    }

    fn get_all(&self, indices: &[usize]) -> io::Result<Vec<Path>> {
        Ok(indices.iter().map(|&index| self[index].clone()).collect())
    }
}

/// How a path ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PathEnd {
    /// The function returned.
    Returned,
    /// The program ended itself.
    Exited,
    /// A fault.
    Fault,
    /// A bound was reached.
    Bound,
    /// Something that cannot be executed was reached.
    Unsupported,
}

impl PathEnd {
    /// As it is written in results.
    pub fn name(self) -> &'static str {
        match self {
            PathEnd::Returned => "returned",
            PathEnd::Exited => "exited",
            PathEnd::Fault => "fault",
            PathEnd::Bound => "bound",
            PathEnd::Unsupported => "unsupported",
        }
    }
}

/// A path.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Path {
    /// How it ended.
    pub end: PathEnd,
    /// What inputs of this path have in common, in the order of the branches.
    pub condition: Vec<Arc<str>>,
    /// For each part of the condition whether it was decided where a change matters; empty unless the exploration was
    /// directed at one.
    pub affected: Vec<bool>,
    /// The smallest such input, as far as the path looks at it.
    pub inputs: Vec<Input>,
    /// What comes of it.
    pub outcome: Outcome,
    /// Where the path ended, if it did so before its time.
    pub line: Option<Place>,
    /// The fault.
    pub fault: Option<String>,
    /// Whether a native run agreed: `yes`, `no: …`, or `not run` if there was no time for it.
    pub replayed: Option<Arc<str>>,
    /// What the outcome depends on beyond the input.
    pub remarks: Vec<String>,
}

/// What comes of a path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Outcome {
    /// In words.
    pub words: String,
    /// What the function returned.
    pub result: Option<String>,
    /// Memory of the caller and global variables that have other values afterwards, with these values.
    pub changed: Vec<Input>,
    /// What was written to standard output.
    pub stdout: String,
    /// What was written to standard error.
    pub stderr: String,
    /// Calls to functions outside of the program, in order.
    pub calls: Vec<String>,
}

impl Serialize for Outcome {
    /// For people only what there is; in our own files all fields.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Outcome { words, result, changed, stdout, stderr, calls } = self;
        if !serializer.is_human_readable() {
            return (words, result, changed, stdout, stderr, calls).serialize(serializer);
        }
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("words", words)?;
        if let Some(result) = result {
            map.serialize_entry("result", result)?;
        }
        if !changed.is_empty() {
            map.serialize_entry("changed", changed)?;
        }
        for (name, text) in [("stdout", stdout), ("stderr", stderr)] {
            if !text.is_empty() {
                map.serialize_entry(name, text)?;
            }
        }
        if !calls.is_empty() {
            map.serialize_entry("calls", calls)?;
        }
        map.end()
    }
}

/// A part of an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// What the source calls it.
    pub name: Arc<str>,
    /// Its value.
    pub value: String,
}

/// Figures.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Stats {
    /// Paths.
    pub paths: u64,
    /// Sides of decisions that no input takes.
    pub infeasible: u64,
    /// Branches that were not decided because they cannot matter to the change.
    pub skipped: u64,
    /// Branches of these that turned out to matter.
    pub fell_back: u64,
    /// Paths left out because nothing on them is affected.
    pub unaffected: u64,
    /// Instructions.
    pub instructions: u64,
    /// Questions to the solver chain.
    pub queries: u64,
    /// Of these, those that reached a solver.
    pub solver_calls: u64,
    /// Milliseconds in the solver chain.
    pub solver_ms: u64,
    /// Milliseconds by the clock.
    pub wall_ms: u64,
    /// Milliseconds of processor time.
    pub cpu_ms: u64,
    /// Which layer of the solver chain answered how many questions.
    pub layers: Layers,
}

/// Questions by the layer of the solver chain that answered them, cheapest first.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Layers {
    /// The condition as it stands.
    pub constant: u64,
    /// Values that are known for the path.
    pub values: u64,
    /// Questions that were asked before.
    pub cache: u64,
    /// Comparisons in a circle.
    pub order: u64,
    /// The search for small values.
    pub search: u64,
    /// The bit-blaster.
    pub blaster: u64,
    /// Other solvers.
    pub others: u64,
    /// None.
    pub unknown: u64,
}

/// Something that was not decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undecided {
    /// The code of the reason: `G001`.
    pub code: String,
    /// Why.
    pub reason: String,
    /// File.
    pub file: Option<String>,
    /// Line.
    pub line: Option<u32>,
    /// How often.
    pub count: u64,
}

impl From<&Open> for Undecided {
    fn from(open: &Open) -> Undecided {
        let place = open.place.clone();
        Undecided {
            code: open.gap.code().to_owned(),
            reason: open.gap.to_string(),
            file: place.as_ref().map(|place| place.file.clone()),
            line: place.map(|place| place.line),
            count: open.count,
        }
    }
}

/// Writes the result as JSON, a path a line. `jobs` threads make the text, of this and of the other forms.
pub fn json(result: &Exploration<impl Paths>, jobs: usize, out: &mut dyn Write) -> io::Result<()> {
    let frame = crate::json(&result.with_paths(Vec::<Path>::new()))?;
    // In a string the line feed would be written as an escape.
    let (head, tail) = frame.split_once(NO_PATHS).unwrap_or((&frame, ""));
    out.write_all(head.as_bytes())?;
    out.write_all(NO_PATHS.trim_end_matches(']').as_bytes())?;
    let paths = &result.paths;
    let all: Vec<usize> = (0..paths.len()).collect();
    let texts = |batch: &[usize]| -> io::Result<Vec<u8>> {
        let mut text = Vec::with_capacity(batch.len() * USUAL);
        for (path, &index) in paths.get_all(batch)?.iter().zip(batch) {
            text.extend_from_slice(if index == 0 { b"\n    " } else { b",\n    " });
            serde_json::to_writer(&mut text, path)?;
        }
        Ok(text)
    };
    in_order(jobs, &all, texts, |text| out.write_all(&text?))?;
    out.write_all(if all.is_empty() { b"]" } else { b"\n  ]" })?;
    out.write_all(tail.as_bytes())
}

/// Bytes that a path usually takes as JSON.
const USUAL: usize = 1024;

/// An empty list of paths as JSON.
const NO_PATHS: &str = "\n  \"paths\": []";

/// Writes the result as text: faults first, then every other path.
pub fn text(result: &Exploration<impl Paths>, jobs: usize, out: &mut dyn Write) -> io::Result<()> {
    let paths = &result.paths;
    let result = &result.with_paths(()).escaped();
    let place = result.place.as_ref().map(|place| format!(" ({}:{})", place.file, place.line)).unwrap_or_default();
    let plural = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    let (faults, others): (Vec<usize>, Vec<usize>) = (0..paths.len()).partition(|&index| paths.is_fault(index));
    write!(out, "{}{place}: ", result.function)?;
    write!(out, "{}, {}", plural(paths.len(), "path"), plural(faults.len(), "fault"))?;
    if result.run_state == RunState::Incomplete {
        write!(out, " (incomplete)")?;
    }
    writeln!(out)?;
    // The papers' own search, which says so in its name, loses affected paths: that it shows none says nothing.
    let loses_nothing = ["dise", "idise"].contains(&result.strategy.as_str());
    if loses_nothing && paths.len() == 0 && result.run_state == RunState::Complete && result.undecided.is_empty() {
        writeln!(out, "  no path in this scope has anything affected that was asked for")?;
    }
    let (mut replayed, mut agreeing, mut left) = (0, 0, 0);
    let all: Vec<usize> = faults.into_iter().chain(others).collect();
    let texts = |batch: &[usize]| -> io::Result<(Vec<u8>, [usize; 3])> {
        let (mut text, mut replayed, mut agreeing, mut left) = (Vec::new(), 0, 0, 0);
        for (path, &index) in paths.get_all(batch)?.iter().zip(batch) {
            replayed += usize::from(path.replayed.is_some());
            agreeing += usize::from(path.replayed.as_deref() == Some(AGREES));
            left += usize::from(path.replayed.as_deref() == Some(NOT_RUN));
            path_text(index, &path.escaped(), &mut text)?;
        }
        Ok((text, [replayed, agreeing, left]))
    };
    in_order(jobs, &all, texts, |made| {
        let (text, [more_replayed, more_agreeing, more_left]) = made?;
        replayed += more_replayed;
        agreeing += more_agreeing;
        left += more_left;
        out.write_all(&text)
    })?;
    let scope = if result.scope.is_empty() { "all inputs".to_owned() } else { crate::scope::in_short(&result.scope) };
    writeln!(out, "\nscope: {scope}")?;
    if !result.undecided.is_empty() {
        writeln!(out, "undecided:")?;
        for item in &result.undecided {
            let line = match (&item.file, item.line) {
                (Some(file), Some(line)) => format!("  {file}:{line}"),
                _ => String::new(),
            };
            writeln!(out, "  {} x {}{line}", item.count, item.reason)?;
        }
    }
    if replayed > 0 {
        let left = if left > 0 { format!(", {left} not run in the time that was left") } else { String::new() };
        writeln!(out, "replayed natively: {agreeing} of {} agree{left}", paths.len())?;
    }
    Ok(())
}

/// What [`Path::replayed`] says if a native run agreed.
pub const AGREES: &str = "yes";

/// What it says if there was no time for a native run.
pub const NOT_RUN: &str = "not run";

fn path_text(index: usize, path: &Path, out: &mut dyn Write) -> io::Result<()> {
    let inputs: Vec<String> = path.inputs.iter().map(|input| format!("{} = {}", input.name, input.value)).collect();
    let inputs = if inputs.is_empty() { "any input".to_owned() } else { inputs.join(", ") };
    let line = path.line.as_ref().map(|place| format!("   {}:{}", place.file, place.line)).unwrap_or_default();
    let verb = if path.fault.is_some() { "FAULT" } else { " gets" };
    writeln!(out, "\n{:>4}  given  {inputs}", index + 1)?;
    writeln!(out, "      {verb}  {}{line}", path.outcome.words)?;
    if !path.condition.is_empty() {
        writeln!(out, "       when  {}", path.condition.join(" && "))?;
    }
    for remark in &path.remarks {
        writeln!(out, "       note  {remark}")?;
    }
    match path.replayed.as_deref() {
        None | Some(AGREES | NOT_RUN) => Ok(()),
        Some(message) => writeln!(out, "     native  {message}"),
    }
}

/// Writes the result as a table for spreadsheets.
pub fn csv(paths: &impl Paths, jobs: usize, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "path,end,condition,inputs,outcome,file,line,fault,replayed")?;
    let all: Vec<usize> = (0..paths.len()).collect();
    let rows = |batch: &[usize]| -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        for (path, &index) in paths.get_all(batch)?.iter().zip(batch) {
            row(index, &path.escaped(), &mut text)?;
        }
        Ok(text)
    };
    in_order(jobs, &all, rows, |text| out.write_all(&text?))
}

fn row(index: usize, path: &Path, out: &mut dyn Write) -> io::Result<()> {
    let inputs: Vec<String> = path.inputs.iter().map(|input| format!("{}={}", input.name, input.value)).collect();
    let fields = [
        (index + 1).to_string(),
        path.end.name().to_owned(),
        path.condition.join(" && "),
        inputs.join("; "),
        path.outcome.words.clone(),
        path.line.as_ref().map(|place| place.file.clone()).unwrap_or_default(),
        path.line.as_ref().map(|place| place.line.to_string()).unwrap_or_default(),
        path.fault.clone().unwrap_or_default(),
        path.replayed.as_deref().unwrap_or_default().to_owned(),
    ];
    let quoted: Vec<String> = fields.iter().map(|field| quote(field)).collect();
    writeln!(out, "{}", quoted.join(","))
}

fn quote(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

shown! {
    Path { end, condition, affected, inputs, outcome, line, fault, replayed, remarks }
    Outcome { words, result, changed, stdout, stderr, calls }
    Input { name, value }
    Undecided { code, reason, file, line, count }
}
harmless!(RunState, Stats, PathEnd, ());

impl<P: Shown> Shown for Exploration<P> {
    fn escape(&mut self) {
        let Exploration { schema, run_state, function, place, strategy, scope, paths, stats, undecided } = self;
        schema.escape();
        run_state.escape();
        function.escape();
        place.escape();
        strategy.escape();
        scope.escape();
        paths.escape();
        stats.escape();
        undecided.escape();
    }
}

#[cfg(test)]
mod tests {
    use super::quote;

    #[test]
    fn fields_with_commas_and_quotes() {
        assert_eq!(quote("a, \"b\""), "\"a, \"\"b\"\"\"");
        assert_eq!(quote("plain"), "plain");
    }
}
