//! Cases on their way: native runs, suites, other tools' tests.

#![allow(clippy::unwrap_used, clippy::panic)]

mod faults;
mod lab;
mod replay;
mod suite;
