//! Functions of which only a declaration is known: what if they change, and see, memory that they are not given?
//!
//! Proofs assume that they use no variables of the program. That is tried here: both versions are followed with functions that
//! change all that they may know of ([`exec::outside`]). A difference makes the function different. If they do the same all the same, the
//! verdict does not rest on the assumption any more; otherwise that stands first in the scope.

use super::aliasing::{adopt, forget_regions};
use super::confirm::Doubt;
use super::following::Followed;
use super::smaller::is_proof;
use super::versus::Versus;
use exec::inputs::Bounds;
use exec::scope::{Scope, USES_NOTHING};
use report::diff::{Function, Verdict};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// How long such functions are followed.
const TIME: Duration = Duration::from_millis(1500);

/// Most aliases with which they are followed.
const MOST_ALIASES: usize = 8;

/// Follows both versions with functions outside that use what they are not given: on inputs without aliases, then on those with
/// one.
pub fn try_writes(row: &mut Function, followed: &Followed, versus: &Versus) {
    let is_assumed = |what: &Scope| matches!(what, Scope::Answers { changes: false, .. });
    let first = &followed.compared;
    if versus.is_program || !versus.plain || !first.scope.iter().any(is_assumed) {
        return;
    }
    let until = Instant::now() + TIME;
    let aliases = first.aliases.aliases.iter().take(MOST_ALIASES).map(|alias| vec![alias.clone()]);
    let mut settled = first.aliases.aliases.len() <= MOST_ALIASES;
    let mut scope = BTreeSet::new();
    for aliased in std::iter::once(Vec::new()).chain(aliases) {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            settled = false;
            break;
        }
        let bounds = Bounds { outside_writes: true, aliased, ..followed.bounds.clone() };
        let mut compared = versus.compare(&bounds, versus.task.options.explore.unwind, left, false);
        forget_regions(&mut compared);
        settled = settled && is_proof(&compared);
        if !compared.differences.is_empty() {
            let mut seen = Function { differences: Vec::new(), ..row.clone() };
            versus.confirm(&mut seen, &compared, Doubt::Expected);
            adopt(row, seen);
            if row.verdict == Verdict::Different {
                return;
            }
        }
        let calls_nothing = |what: &&Scope| matches!(what, Scope::Answers { changes: true, .. });
        scope.extend(compared.scope.iter().filter(calls_nothing).map(Scope::to_string));
    }
    let (assumed, rest): (Vec<String>, Vec<String>) =
        row.scope.drain(..).partition(|what| what.ends_with(USES_NOTHING));
    row.scope = match settled {
        true => rest.into_iter().chain(scope).collect(),
        false => assumed.into_iter().chain(rest).collect(),
    };
}
