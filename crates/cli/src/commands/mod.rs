//! One file a verb.

pub mod bitcode;
pub mod completions;
pub mod doctor;
pub mod explore;
pub mod ir;
