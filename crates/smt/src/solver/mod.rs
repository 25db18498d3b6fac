//! Solvers: whether constraints can hold together, and for which values.
//!
//! A solver is asked about a whole list of constraints each time. Lists along a path share their
//! beginning, and a solver that works with push and pop finds that out by itself, so callers need no
//! protocol, and every solver can stand in for every other.

#[cfg(feature = "bitwuzla")]
pub mod bitwuzla;
pub mod blast;
pub mod chain;
pub mod process;
pub mod record;
pub mod validate;

use crate::eval::Model;
use crate::expr::Expr;
use crate::pool::Pool;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a solver found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// They can, for instance with these values of the symbols in them.
    Sat(Model),
    /// They cannot.
    Unsat,
    /// Not known, and why. Never to be taken for either.
    Unknown(Reason),
}

/// Why a solver has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// The limit on work was reached.
    Limit,
    /// The solver does not know an operation.
    Unsupported,
    /// The solver stopped working.
    Failed,
}

/// How much work a question is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Conflicts of a SAT search; the same on every machine.
    pub conflicts: u64,
    /// Gates that may be built for it.
    pub gates: usize,
    /// When nobody waits for the answer any more. Only whoever has set it gets answers that depend on the machine.
    pub until: Option<Instant>,
    /// Whether the user does not want to wait any longer.
    pub interrupt: Interrupt,
    /// Whether there is no memory left for an answer.
    pub memory_full: Interrupt,
}

/// A flag that somebody else sets, if there is one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Interrupt(pub Option<&'static AtomicBool>);

impl Interrupt {
    /// Whether it is set.
    pub fn is_set(self) -> bool {
        self.0.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

impl PartialEq for Interrupt {
    fn eq(&self, other: &Interrupt) -> bool {
        match (self.0, other.0) {
            (Some(a), Some(b)) => std::ptr::eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }
}

impl Eq for Interrupt {}

impl Limits {
    /// Whether nobody waits for an answer any more.
    pub fn is_over(&self) -> bool {
        self.interrupt.is_set() || self.memory_full.is_set() || self.left() == Some(Duration::ZERO)
    }

    /// How long somebody waits, if not for ever.
    pub fn left(&self) -> Option<Duration> {
        self.until.map(|until| until.saturating_duration_since(Instant::now()))
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            conflicts: 20_000,
            gates: 500_000,
            until: None,
            interrupt: Interrupt::default(),
            memory_full: Interrupt::default(),
        }
    }
}

/// Something that decides constraints.
pub trait Solver {
    /// Whether all `constraints`, truth values of `pool`, can hold together.
    fn check(&mut self, pool: &Pool, constraints: &[Expr], limits: Limits) -> Answer;

    /// Its name, for statistics.
    fn name(&self) -> &'static str;

    /// A solver of its kind that has seen nothing, where such a one can be made.
    fn fresh(&self) -> Option<Box<dyn Solver>> {
        None
    }
}
