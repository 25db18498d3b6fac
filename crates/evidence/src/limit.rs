//! Limits on work, which end a path or a run before its own end.

use crate::table::Texts;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A limit on work.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Instructions on one path.
    Instructions,
    /// Instructions of one trial run.
    TrialInstructions,
    /// Activations of functions at the same time.
    CallDepth,
    /// Time of a native run.
    Time,
    /// Output of a native run.
    Output,
    /// Memory of a native run.
    Memory,
    /// A limit of a model of the memory or of a library: bytes copied at once, digits of a number.
    Model(String),
}

impl Limit {
    /// The limit of which a file has `Limit::to_string`.
    pub fn parse(text: &str) -> Limit {
        let plain = [
            Limit::Instructions,
            Limit::TrialInstructions,
            Limit::CallDepth,
            Limit::Time,
            Limit::Output,
            Limit::Memory,
        ];
        plain.into_iter().find(|limit| limit.to_string() == text).unwrap_or_else(|| Limit::Model(text.to_owned()))
    }

    /// Whether it is a limit of native runs, and not one of the exploration.
    pub fn is_native(&self) -> bool {
        matches!(self, Limit::Time | Limit::Output | Limit::Memory)
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Instructions => "instructions on a path",
            Limit::TrialInstructions => "instructions of a trial run",
            Limit::CallDepth => "depth of calls",
            Limit::Time => "time",
            Limit::Output => "output",
            Limit::Memory => "memory",
            Limit::Model(what) => what,
        })
    }
}

impl From<&str> for Limit {
    fn from(what: &str) -> Limit {
        Limit::Model(what.to_owned())
    }
}

impl Texts for Limit {
    fn each(&mut self, change: &mut dyn FnMut(&mut String)) {
        if let Limit::Model(what) = self {
            change(what);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let limits = [Limit::Instructions, Limit::CallDepth, Limit::Time, Limit::Output, Limit::Memory];
        for limit in limits.into_iter().chain([Limit::from("digits of a number")]) {
            assert_eq!(Limit::parse(&limit.to_string()), limit);
        }
        assert!(Limit::parse("time").is_native() && !Limit::parse("depth of calls").is_native());
    }
}
