//! The tests of the solver, in one program.

#![allow(clippy::unwrap_used, clippy::panic)]

mod bit_vectors;
mod floats;
mod operation;
mod solver;
