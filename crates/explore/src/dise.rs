//! Directed incremental symbolic execution of one function.
//!
//! S. Person, G. Yang, N. Rungta, S. Khurshid: "Directed Incremental Symbolic Execution", PLDI 2011, section 3.3, Fig. 6.
//!
//! The paper explores a branch that no change affects on one feasible side only, and a side only if an affected node can
//! be reached there that was not explored yet. Its theorem 3.10 does not hold where such a branch is correlated with a
//! later affected one: the side that was chosen may exclude affected behaviour, and the other one is never tried.
//!
//! Deviation: here such a branch is not decided at all ([`crate::directed`]). A sequence of affected nodes is found
//! whenever some input goes that way, whatever unaffected branches do. What the entry calls is followed in full;
//! [`crate::idise`] looks into it. The algorithm of the paper is in [`crate::literal`].

use crate::aim::{Aim, Reach};
use analysis::influence::Influence;
use ir::id::{FuncId, InstId};
use std::collections::BTreeMap;

/// What to aim at: affected instructions of the entry.
pub fn aim(influence: Influence, gaps: BTreeMap<FuncId, Vec<InstId>>) -> Aim {
    Aim::new(influence, gaps, Reach::Entry)
}
