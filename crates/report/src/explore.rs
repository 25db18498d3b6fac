//! The paths of a function: what `pathshift explore` shows.

use crate::model::Place;
use serde::Serialize;
use std::sync::Arc;

/// The format's name and version.
pub const SCHEMA: &str = "pathshift.explore/1";

/// The paths of a function.
#[derive(Clone, Debug, Serialize)]
pub struct Exploration {
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
    pub paths: Vec<Path>,
    /// Figures.
    pub stats: Stats,
    /// What was not decided.
    pub undecided: Vec<Undecided>,
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

/// A path.
#[derive(Clone, Debug, Serialize)]
pub struct Path {
    /// `returned`, `exited`, `fault`, `bound` or `unsupported`.
    pub end: &'static str,
    /// What inputs of this path have in common, in the order of the branches.
    pub condition: Vec<Arc<str>>,
    /// The smallest such input, as far as the path looks at it.
    pub inputs: Vec<Input>,
    /// What comes of it, in words.
    pub outcome: String,
    /// Where the path ended, if it did so before its time.
    pub line: Option<Place>,
    /// The fault.
    pub fault: Option<String>,
    /// Whether a native run agreed: `yes`, `no: …`, or `not run`.
    pub replayed: Option<String>,
    /// What the outcome depends on beyond the input.
    pub remarks: Vec<String>,
}

/// A part of an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
}

/// Something that was not decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Undecided {
    /// Why.
    pub reason: String,
    /// File.
    pub file: Option<String>,
    /// Line.
    pub line: Option<u32>,
    /// How often.
    pub count: u64,
}

/// The result as text: faults first, then every other path.
pub fn text(result: &Exploration) -> String {
    let mut out = String::new();
    let faults = result.paths.iter().filter(|path| path.fault.is_some()).count();
    let place = result.place.as_ref().map(|place| format!(" ({}:{})", place.file, place.line)).unwrap_or_default();
    let plural = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    out.push_str(&format!(
        "{}{place}: {}, {}",
        result.function,
        plural(result.paths.len(), "path"),
        plural(faults, "fault")
    ));
    if result.run_state == RunState::Incomplete {
        out.push_str(" (incomplete)");
    }
    out.push('\n');
    let (first, rest): (Vec<_>, Vec<_>) = result.paths.iter().enumerate().partition(|(_, path)| path.fault.is_some());
    for (number, path) in first.into_iter().chain(rest) {
        out.push('\n');
        let inputs: Vec<String> = path.inputs.iter().map(|input| format!("{} = {}", input.name, input.value)).collect();
        let inputs = if inputs.is_empty() { "any input".to_owned() } else { inputs.join(", ") };
        let line = path.line.as_ref().map(|place| format!("   {}:{}", place.file, place.line)).unwrap_or_default();
        out.push_str(&format!("{:>4}  given  {inputs}\n", number + 1));
        out.push_str(&format!(
            "      {}  {}{line}\n",
            if path.fault.is_some() { "FAULT" } else { " gets" },
            path.outcome
        ));
        if !path.condition.is_empty() {
            out.push_str(&format!("       when  {}\n", path.condition.join(" && ")));
        }
        for remark in &path.remarks {
            out.push_str(&format!("       note  {remark}\n"));
        }
        if let Some(replayed) = path.replayed.as_ref().filter(|replayed| *replayed != "yes") {
            out.push_str(&format!("     native  {replayed}\n"));
        }
    }
    out.push_str("\nscope: ");
    out.push_str(&if result.scope.is_empty() { "all inputs".to_owned() } else { result.scope.join("; ") });
    out.push('\n');
    if !result.undecided.is_empty() {
        out.push_str("undecided:\n");
        for item in &result.undecided {
            let line = match (&item.file, item.line) {
                (Some(file), Some(line)) => format!("  {file}:{line}"),
                _ => String::new(),
            };
            out.push_str(&format!("  {} x {}{line}\n", item.count, item.reason));
        }
    }
    let replayed = result.paths.iter().filter(|path| path.replayed.as_deref() == Some("yes")).count();
    if result.paths.iter().any(|path| path.replayed.is_some()) {
        out.push_str(&format!("replayed natively: {replayed} of {} agree\n", result.paths.len()));
    }
    out
}

/// The result as a table for spreadsheets.
pub fn csv(result: &Exploration) -> String {
    let mut out = String::from("path,end,condition,inputs,outcome,file,line,fault,replayed\n");
    for (number, path) in result.paths.iter().enumerate() {
        let inputs: Vec<String> = path.inputs.iter().map(|input| format!("{}={}", input.name, input.value)).collect();
        let fields = [
            (number + 1).to_string(),
            path.end.to_owned(),
            path.condition.join(" && "),
            inputs.join("; "),
            path.outcome.clone(),
            path.line.as_ref().map(|place| place.file.clone()).unwrap_or_default(),
            path.line.as_ref().map(|place| place.line.to_string()).unwrap_or_default(),
            path.fault.clone().unwrap_or_default(),
            path.replayed.clone().unwrap_or_default(),
        ];
        let quoted: Vec<String> = fields.iter().map(|field| quote(field)).collect();
        out.push_str(&quoted.join(","));
        out.push('\n');
    }
    out
}

fn quote(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
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
