//! Directed incremental symbolic execution across functions.
//!
//! N. Rungta, S. Person, J. Branchaud: "A Change Impact Analysis to Characterize Evolving Program Behaviors", ICSM 2012
//! (iDiSE), section III.B. The impact set of a call is the function's own set and those of the parameters that the call
//! marks; it lives as long as the call does, and whether an impacted node is ahead is asked of all calls that have not
//! returned.
//!
//! Deviations: as in [`crate::dise`], branches that are not impacted are skipped instead of pinned. Memory and whether a
//! call happens carry impact too, not only arguments and results; what a call brings depends on what its own caller
//! brought.

use crate::aim::{Aim, Reach};
use analysis::influence::Influence;
use ir::id::{FuncId, InstId};
use std::collections::BTreeMap;

/// What to aim at: affected instructions of the entry and of all that it calls.
pub fn aim(influence: Influence, gaps: BTreeMap<FuncId, Vec<InstId>>) -> Aim {
    Aim::new(influence, gaps, Reach::Calls)
}
