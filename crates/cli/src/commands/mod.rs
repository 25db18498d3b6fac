//! One file a verb.

pub mod bitcode;
pub mod completions;
pub mod diff;
pub mod doctor;
pub mod explain;
pub mod explain_code;
pub mod explore;
pub mod impact;
pub mod impacted;
pub mod ir;
pub mod replay;
pub mod signature;
pub mod store;
mod suite_bounds;
pub mod tests;
mod write_tests;
