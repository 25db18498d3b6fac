//! What is installed and what is missing: what `pathshift doctor` shows.

use crate::escape::{Shown, shown};
use serde::Serialize;
use std::fmt::Write;

/// The state of the machine.
#[derive(Clone, Debug, Serialize)]
pub struct Doctor {
    /// Version of this format.
    pub schema: &'static str,
    /// Version of pathshift.
    pub version: String,
    /// Whether nothing required is missing.
    pub ready: bool,
    /// Tools.
    pub tools: Vec<Tool>,
}

/// The format's name and version.
pub const SCHEMA: &str = "pathshift.doctor/1";

/// Something that pathshift can use.
#[derive(Clone, Debug, Serialize)]
pub struct Tool {
    /// Name.
    pub name: String,
    /// What it is used for.
    pub purpose: String,
    /// Whether some input cannot be read without it.
    pub required: bool,
    /// What was found, the one that is used first.
    pub found: Vec<Found>,
    /// How to get it.
    pub install: String,
}

/// A tool that was found.
#[derive(Clone, Debug, Serialize)]
pub struct Found {
    /// Where.
    pub path: String,
    /// Version, if it told.
    pub version: Option<String>,
}

shown! {
    Doctor { schema, version, ready, tools }
    Tool { name, purpose, required, found, install }
    Found { path, version }
}

/// The state of the machine as text.
pub fn write(doctor: &Doctor) -> String {
    let doctor = &doctor.escaped();
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "pathshift {}\n", doctor.version);
    for tool in &doctor.tools {
        let state = match (tool.found.is_empty(), tool.required) {
            (false, _) => "ok",
            (true, true) => "missing",
            (true, false) => "absent",
        };
        let found = match tool.found.first() {
            Some(used) => match &used.version {
                Some(version) => format!("{version}  {}", used.path),
                None => used.path.clone(),
            },
            None => format!("help: {}", tool.install),
        };
        let _ = writeln!(out, "  {state:<8} {:<12} for {}\n                        {found}", tool.name, tool.purpose);
        let others: Vec<String> = tool
            .found
            .iter()
            .skip(1)
            .map(|other| other.version.clone().unwrap_or_else(|| other.path.clone()))
            .collect();
        if !others.is_empty() {
            let _ = writeln!(out, "                        also there: {}", others.join(", "));
        }
    }
    let missing = doctor.tools.iter().filter(|tool| tool.required && tool.found.is_empty()).count();
    let _ = match missing {
        0 => writeln!(out, "\nReady: nothing that an input could need is missing."),
        1 => writeln!(out, "\n1 tool is missing; inputs that do not need it still work."),
        n => writeln!(out, "\n{n} tools are missing; inputs that do not need them still work."),
    };
    out
}
