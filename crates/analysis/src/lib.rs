//! What depends on what in a program: control, data, memory, calls.
//!
//! Every analysis is a function from the promoted program model to a plain result:
//!
//! | question | module |
//! |---|---|
//! | what do functions without a body do | [`externals`] |
//! | what may pointers point to | [`points_to`] |
//! | who calls whom | [`calls`] |
//! | which calls come back | [`ends`] |
//! | where may control go | [`mod@cfg`], [`components`], [`loops`], [`post_dominators`] |
//! | which decisions does a node depend on | [`control`] |
//! | who uses a value | [`uses`] |
//! | which memory does an instruction touch | [`address`], [`locations`], [`effects`], [`mod_ref`] |
//! | which writes may a read see | [`memory`] |
//! | what else may happen | [`hazards`] |
//! | who has to do with the floating-point state | [`float_state`] |
//! | what lies between a branch and where its ways meet | [`region`] |
//! | where are functions entered and left | [`boundary`] |
//! | what depends on this, call by call | [`influence`](mod@influence) |
//! | what does this depend on, call by call | [`demand`](mod@demand) |
//! | what depends on this, what does this depend on | [`slice`](mod@slice) |
//!
//! [`facts`] runs them in the order in which they need each other. Ids are those of the program model; results name
//! nothing, since what the user calls things is the model's business.

pub mod address;
pub mod boundary;
pub mod calls;
pub mod cfg;
pub mod components;
pub mod control;
pub mod demand;
pub mod effects;
pub mod ends;
pub mod externals;
pub mod facts;
pub mod float_state;
pub mod hazards;
pub mod id;
pub mod influence;
pub mod locations;
pub mod loops;
pub mod memory;
pub mod mod_ref;
pub mod points_to;
pub mod post_dominators;
#[cfg(test)]
mod random;
pub mod region;
pub mod slice;
pub mod system;
pub mod uses;
