//! What is found out about two versions of a function.

use evidence::{Assumption, Gap};
use std::collections::BTreeSet;

/// A place where the versions part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// Source file.
    pub file: String,
    /// Line in the new version, or in the old one if only that is known; 0 if none is.
    pub line: u32,
    /// Whether the line is one of the old version.
    pub of_old: bool,
    /// When they part, over what is known at the place from which both were followed.
    pub condition: String,
    /// Whether that is always so, as far as is known.
    pub always: bool,
    /// Whether they certainly part then.
    pub exact: bool,
    /// What they do differently.
    pub effect: Effect,
    /// What the old version does there; empty if it goes on.
    pub old: String,
    /// What the new version does there; empty if it goes on.
    pub new: String,
}

/// What the versions do differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// They run other code.
    Control,
    /// They return something else.
    Result,
    /// They go on with other values.
    Value,
    /// They leave other memory, or call something else.
    Memory,
    /// They call a function that may differ.
    Callee,
    /// The new version accesses memory, or divides, where the old one does not.
    MayFault,
}

/// What is known of two versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// They do the same from any state.
    Same(BTreeSet<Assumption>),
    /// They do the same unless one of these conditions holds.
    Confined(Vec<Local>, BTreeSet<Assumption>),
    /// Nothing is claimed.
    Open(Gap),
}
