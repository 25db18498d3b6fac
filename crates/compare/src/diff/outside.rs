//! Functions of which only a declaration is known: what if they change, and see, memory that they are not given?
//!
//! Proofs assume that they use no variables of the program. That is tried here: both versions are followed with functions that
//! change all that they may know of ([`exec::outside`]). A difference makes the function different. If they do the same all the same, the
//! verdict does not rest on the assumption any more; otherwise that stands first in the scope.

use super::aliasing::adopt;
use super::confirm::Doubt;
use super::following::Followed;
use super::smaller::is_proof;
use super::versus::Versus;
use exec::inputs::Bounds;
use explore::pair::{CALLS_NOTHING, USES_NOTHING};
use report::diff::Function;
use std::time::Duration;

/// How long such functions are followed.
const TIME: Duration = Duration::from_millis(1500);

/// Follows both versions with functions outside that use what they are not given.
pub fn try_writes(row: &mut Function, followed: &Followed, versus: &Versus) {
    let assumes = |what: &&String| what.ends_with(USES_NOTHING);
    if versus.is_program || !versus.plain || !followed.compared.scope.iter().any(|what| assumes(&what)) {
        return;
    }
    let bounds = Bounds { outside_writes: true, ..followed.bounds.clone() };
    let compared = versus.compare(&bounds, versus.task.options.explore.unwind, TIME, false);
    if !compared.differences.is_empty() {
        let mut seen = Function { differences: Vec::new(), ..row.clone() };
        versus.confirm(&mut seen, &compared, Doubt::Expected);
        adopt(row, seen);
    }
    let (assumed, rest): (Vec<String>, Vec<String>) = row.scope.drain(..).partition(|what| assumes(&what));
    row.scope = match is_proof(&compared) {
        true => {
            rest.into_iter().chain(compared.scope.into_iter().filter(|what| what.ends_with(CALLS_NOTHING))).collect()
        }
        false => assumed.into_iter().chain(rest).collect(),
    };
}
