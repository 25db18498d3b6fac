//! One file a verb.

pub mod bitcode;
pub mod completions;
pub mod diff;
pub mod doctor;
pub mod explain;
pub mod explore;
pub mod ir;
pub mod replay;
pub mod signature;
mod write_tests;
