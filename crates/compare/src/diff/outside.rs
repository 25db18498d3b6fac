//! Functions of which only a declaration is known: what if they change, and see, memory that they are not given?
//!
//! Proofs assume that they use nothing of the program but the objects that their arguments point to. That is tried here: both versions are
//! followed with functions that change what they may know of ([`exec::outside`]). A difference makes the function different. If the
//! versions do the same all the same, and the runs brought nothing else into the reach of such functions, the
//! verdict does not rest on the assumption any more; otherwise that stands first in the scope.

use super::aliasing::forget_regions;
use super::confirm::Doubt;
use super::findings::{Findings, adopt, is_settled};
use super::goal::{Goal, Tactic};
use super::smaller::is_proof;
use evidence::Assumption;
use exec::aliasing::Alias;
use exec::inputs::Bounds;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// How long such functions are followed.
const TIME: Duration = Duration::from_millis(1500);

/// Most aliases with which they are followed.
const MOST_ALIASES: usize = 8;

/// Follows both versions with functions outside that use what they are not given: on inputs without aliases, then on those with
/// one.
pub struct Outside;

impl Tactic for Outside {
    fn name(&self) -> &'static str {
        "outside functions"
    }

    fn applies(&self, goal: &Goal, findings: &Findings) -> bool {
        goal.is_open(findings)
            && !goal.versus.is_program
            && goal.versus.plain
            && goal.followed.compared.scope.iter().any(is_isolated)
    }

    fn run(&self, goal: &mut Goal, findings: &mut Findings) {
        let Goal { versus, followed, .. } = goal;
        let first = &followed.compared;
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
            let bounds = Bounds { outside_writes: true, aliased: aliased.clone(), ..followed.bounds.clone() };
            let mut compared = versus.compare(&bounds, versus.task.options.explore.unwind, left, false);
            forget_regions(&mut compared);
            let knows_all = !compared.aliases.others && !compared.unaliased && !compared.scope.iter().any(is_isolated);
            // Two aliases at once were not followed.
            let more = |alias: &Alias| !aliased.is_empty() && aliased.iter().all(|one| one.pointer != alias.pointer);
            settled = settled && is_proof(&compared) && knows_all && !compared.aliases.aliases.iter().any(more);
            if !compared.differences.is_empty() {
                adopt(findings, versus.confirm(&compared, Doubt::Expected));
                if is_settled(&findings.evidence) {
                    return;
                }
            }
            let calls_nothing = |what: &&Assumption| matches!(what, Assumption::OutsideAnswers { .. });
            scope.extend(compared.scope.iter().filter(calls_nothing).cloned());
        }
        if settled {
            findings.discharge(is_isolated);
            findings.assume(scope);
        }
    }
}

/// Whether it says that such a function uses nothing that it is not given.
fn is_isolated(assumption: &Assumption) -> bool {
    matches!(assumption, Assumption::OutsideIsolated { .. })
}
