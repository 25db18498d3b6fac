//! The SMT solver [Bitwuzla](https://bitwuzla.github.io) as a safe library: bit-vectors, arrays, IEEE floats and
//! uninterpreted functions.
//!
//! Terms are made by a [`TermManager`] and solved by a [`Solver`]:
//!
//! ```
//! use bitwuzla::{Answer, Kind, Limits, Options, Solver, Sort, TermManager};
//!
//! let terms = TermManager::new()?;
//! let x = terms.symbol(&Sort::BitVec(32), "x")?;
//! let square = terms.term(Kind::BvMul, &[&x, &x])?;
//! let is_1369 = terms.term(Kind::Equal, &[&square, &terms.bv_value(32, 1369)?])?;
//! let is_small = terms.term(Kind::BvUlt, &[&x, &terms.bv_value(32, 100)?])?;
//!
//! let mut solver = Solver::new(&terms, Options::default())?;
//! solver.assert(&is_1369)?;
//! assert_eq!(solver.check_assuming(&[&is_small], &Limits::default())?, Answer::Sat);
//! assert_eq!(solver.value_u64(&x)?, 37);
//! # Ok::<(), bitwuzla::Error>(())
//! ```
//!
//! **Errors.** Bitwuzla reports misuse by exceptions, and its interface for C ends the process. This crate therefore uses
//! the interface for C++ behind functions of its own (`shim.cpp`), which catch every exception and check what Bitwuzla
//! does not. A wrong sort or a missing model is an [`Error`] and leaves everything as it was. An exception in the midst of
//! solving makes the solver useless: every later call returns the same [`Error::Failed`].
//!
//! **Limits.** [`Answer::Unknown`] is what a search ends with at its limit. The limit is looked at all the time during the
//! search for a solution and between the rounds of preprocessing, but not while a formula is translated to clauses. That
//! takes about a second for thousands of additions or a hundred operations on doubles: who has such formulas must bound
//! their size. Unknown is also the answer to equalities of arrays with constant arrays among them.
//!
//! **Threads.** Bitwuzla has no state that is shared between term managers, but nothing in it is synchronised: a term
//! manager, its terms and its solvers stay on one thread (none is [`Send`] or [`Sync`]), and each thread has its own.
//!
//! **Memory.** A term lives as long as somebody has it, and a term manager as long as its terms and solvers. A solver
//! keeps what it has learned and translated: after many thousands of different queries a new one is smaller and faster.

mod solver;
mod sys;
mod term;

pub use solver::{Answer, Limits, Options, Solver};
pub use term::{Kind, RoundingMode, Sort, Term, TermManager};

/// The widest bit-vector.
pub const MAX_WIDTH: u32 = 1 << 20;

/// Why something was not done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The arguments do not fit together; nothing has changed.
    #[error("{0}")]
    Rejected(String),
    /// Terms of two term managers were mixed.
    #[error("the term belongs to another term manager")]
    Foreign,
    /// There is no level to go back to.
    #[error("pop without push")]
    NothingPushed,
    /// A value was asked for, but the last answer was not [`Answer::Sat`], or something was asserted, pushed or popped
    /// since, or [`Options::models`] is off.
    #[error("there is no model")]
    NoModel,
    /// Bitwuzla failed in the midst of its work, and the solver cannot be used any more.
    #[error("Bitwuzla failed: {0}")]
    Failed(String),
}
