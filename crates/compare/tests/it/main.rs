//! Cases on their way: native runs, suites, other tools' tests.

#![allow(clippy::unwrap_used, clippy::panic)]

mod emit;
mod explain;
mod faults;
mod lab;
mod random_programs;
mod replay;
mod suite;
mod whole_suite;
