//! The models of the C library against the real one: programs that are compiled natively and to IR, run both ways.

#![allow(clippy::unwrap_used, clippy::panic)]

mod native;
mod symbolic;
