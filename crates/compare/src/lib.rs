//! The verbs of pathshift as a library: each takes what the user named and returns a result of the
//! `report` crate. Nothing here prints, reads the environment or exits.

pub mod diff;
pub mod explain;
pub mod explore;
pub mod find;
pub mod impact;
pub mod impacted;
pub mod inspect;
pub mod journal;
pub mod replay;
pub mod sabotage;
pub mod signature;
pub mod since;
mod sources;
pub mod spool;
pub mod store;
pub mod suite;
pub mod upkeep;
