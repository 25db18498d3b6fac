//! Tests of the whole: real compilers, real programs, the real binary.
//!
//! The long suites run with `PATHSHIFT_FULL=1` (`./test --full`); without it each runs a fixed part of itself.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs)]

mod bad_input;
mod bitcode;
mod commands;
mod concrete;
mod csmith;
mod dependence;
mod diff;
mod diff_ends;
mod diff_region;
mod diff_rows;
mod diff_scope;
mod directed;
mod examples;
mod explain;
mod explore;
mod faults;
mod hostile;
mod hostile_output;
mod impact;
mod interrupt;
mod langref;
mod limits;
mod pairs;
mod real_pairs;
mod real_programs;
mod refactorings;
mod reprint;
mod rust_crates;
mod sandbox;
mod silent;
mod suite_use;
mod support;
mod trust;
mod uninitialised;
mod units;
mod upkeep;
mod upkeep_traps;
mod verdicts;
mod weak;
