//! Two versions of a program, with all that every function's comparison needs of them.

use super::Options;
use super::couple::Couple;
use super::merged::Merged;
use super::natives::Natives;
use super::part::Source;
use super::relating::Related;
use super::startup::Built;
use build::Environment;
use change::Changes;
use explore::pair::ChangedCode;
use ir::module::Module;
use std::sync::OnceLock;
use std::time::Duration;

/// Two versions, ready to be compared function by function.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The old version.
    pub old: &'a Module,
    /// The new version.
    pub new: &'a Module,
    /// What changed.
    pub changes: &'a Changes,
    /// Both as one program, if that is needed, or why they cannot be one.
    pub couple: Option<&'a Result<Couple, String>>,
    /// The same with fewer branches, once it is needed.
    pub merged: &'a OnceLock<Option<Merged>>,
    /// What of that program is not the same in both versions.
    pub changed: &'a ChangedCode,
    /// Variables that are built in another way before the program begins.
    pub built: &'a Built,
    /// How to compare.
    pub options: &'a Options,
    /// Time for one function.
    pub time: Duration,
    /// The machine.
    pub env: &'a Environment,
    /// Both versions built natively.
    pub natives: &'a Natives<'a>,
    /// The sources, old and new.
    pub sources: &'a (Source, Source),
    /// What is proved from any state.
    pub related: &'a Related,
}
