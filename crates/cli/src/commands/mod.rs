//! One file a verb.

pub mod bitcode;
pub mod completions;
pub mod diff;
pub mod doctor;
pub mod explore;
pub mod impacted;
pub mod ir;
pub mod replay;
mod write_tests;
