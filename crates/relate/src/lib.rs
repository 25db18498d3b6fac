//! Two versions of a function, related where they differ.
//!
//! A proof from *any* state instead of one made-up entry: both versions are cut at loop headers and followed side by side over
//! flat memory from each pair of cut points to the next (`relation`). What both do alike has the same terms, so
//! the work grows with the change. Calls are functions of arguments and memory (`calls`); what a callee is
//! known to do comes from [`summaries`], which goes through the call graph from its leaves.
//!
//! The result is an [`answer::Answer`]: the same from any state, under typed assumptions; or confined, with the conditions
//! under which the versions part; or nothing, with the gap.

pub mod answer;
mod calls;
mod confine;
mod guard;
mod instruction;
pub mod keys;
mod memory;
mod oracle;
mod places;
mod prover;
mod relation;
mod sources;
pub mod summaries;
mod value;
mod version;
mod walk;

pub use summaries::{Options, Summaries, behind_pointers, summarise};
