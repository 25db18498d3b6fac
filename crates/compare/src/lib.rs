//! The verbs of pathshift as a library: each takes what the user named and returns a result of the
//! `report` crate. Nothing here prints, reads the environment or exits.

pub mod diff;
pub mod explain;
pub mod explore;
pub mod find;
pub mod inspect;
pub mod replay;
pub mod signature;
pub mod spool;
pub mod suite;
