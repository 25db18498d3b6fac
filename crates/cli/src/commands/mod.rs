//! One file a verb.

pub mod bitcode;
pub mod completions;
pub mod diff;
pub mod doctor;
pub mod explore;
pub mod impact;
pub mod ir;
pub mod replay;
