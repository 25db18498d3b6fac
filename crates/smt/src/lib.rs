//! Expressions over bit-vectors, arrays and floats.
//!
//! - [`expr`]: what an expression is;
//! - [`pool`]: builds expressions, each stored once and simplified while it is built;
//! - [`eval`]: the value of an expression under an assignment of its symbols;
//! - [`show`]: expressions as people write them; [`plain`]: which of them mean what they say;
//! - [`smtlib`]: constraints as text for other solvers;
//! - [`solver`]: whether constraints can hold together.
//!
//! The crate knows nothing of programs.

pub mod bits;
pub mod eval;
pub mod expr;
mod fold;
pub mod plain;
pub mod pool;
pub mod show;
pub mod smtlib;
pub mod solver;
