//! Both versions of a function followed on all inputs within bounds, cheapest means first.
//!
//! A proof in lockstep holds for any number of rounds. Else functions that both versions share are not entered at first;
//! then everything is followed; and where that takes too long, with fewer branches and on smaller inputs. What is the same
//! for small inputs is looked at once more on inputs as large as numbers in the code suggest.

use super::findings::Findings;
use super::goal::{Followed, Goal, Tactic};
use super::lockstep::in_lockstep;
use super::merged::merged;
use super::smaller;
use super::versus::Versus;
use exec::inputs::Bounds;
use explore::Stopped;
use explore::probe::Effort;
use ir::id::FuncId;
use std::collections::BTreeSet;
use std::time::Duration;

/// How often pointers are taken to lead to what others lead to, where nothing gets to a change otherwise.
const MOST_ALIASES: usize = 3;

/// Most inputs that are tried.
pub const INPUTS: u32 = 20_000;

/// How long inputs are tried before much time is spent on a proof.
const TRYING_FIRST: Duration = Duration::from_millis(600);

/// Follows both versions within the usual bounds.
pub struct Following;

impl Tactic for Following {
    fn name(&self) -> &'static str {
        "following"
    }

    fn applies(&self, _: &Goal, _: &Findings) -> bool {
        true
    }

    fn run(&self, goal: &mut Goal, findings: &mut Findings) {
        follow(goal, findings);
        if !goal.is_over {
            findings.stats.paths = goal.followed.compared.stats.paths;
            findings.stats.queries = goal.followed.compared.stats.solver.questions;
        }
    }
}

fn follow(goal: &mut Goal, findings: &mut Findings) {
    let Goal { versus, followed, .. } = goal;
    let options = versus.task.options;
    // Functions that both versions share are entered only if there is no proof without.
    if calls_shared(&versus.couple.program, versus.entries) {
        followed.compared = versus.compare(&followed.bounds, options.explore.unwind, versus.task.time / 4, true);
        if followed.compared.differences.is_empty() {
            let attempt = versus.judge(&followed.compared);
            findings.stats.pairs = followed.compared.pairs;
            findings.supersede(attempt);
        }
    }
    if findings.verdict().is_same() {
        return;
    }
    findings.supersede(Vec::new());
    lead_to_change(followed, versus);
    if followed.compared.stopped == Some(Stopped::Time) && followed.compared.differences.is_empty() {
        goal.is_over = take_longer(findings, followed, versus);
    }
    if !goal.is_over {
        let attempt = goal.versus.judge(&goal.followed.compared);
        findings.stats.pairs = goal.followed.compared.pairs;
        findings.supersede(attempt);
    }
}

/// Follows everything for a moment; where nothing gets to the change, with pointers that lead back to what is known.
fn lead_to_change(followed: &mut Followed, versus: &Versus) {
    let options = versus.task.options;
    let Followed { compared, bounds, .. } = followed;
    let compare = |bounds: &Bounds| versus.compare(bounds, options.explore.unwind, versus.task.time / 8, false);
    *compared = compare(bounds);
    // Some code goes on only where a pointer of the input leads back to something that is known already.
    for _ in 0..MOST_ALIASES {
        let known = |(pointer, _): &(String, String)| bounds.aliases.iter().any(|(known, _)| known == pointer);
        let more: Vec<_> = compared.possible_aliases.iter().filter(|alias| !known(alias)).cloned().collect();
        if compared.reached || !compared.differences.is_empty() || more.is_empty() {
            break;
        }
        bounds.aliases.extend(more);
        *compared = compare(bounds);
    }
    // And some of what changed may be reached so only: there is a proof for the rest, and differences count.
    if compared.reached && !compared.missed.is_empty() && compared.differences.is_empty() {
        let back = Bounds { aliases: compared.possible_aliases.clone(), ..bounds.clone() };
        if !back.aliases.is_empty() && bounds.aliases.is_empty() {
            let leading_back = compare(&back);
            if !leading_back.differences.is_empty() {
                (*compared, *bounds) = (leading_back, back);
            }
        }
    }
}

/// Where all paths take too long: tries, then fewer branches, then smaller inputs, then all of them with the time that is
/// left. Whether there is a proof in lockstep, which needs nothing more.
fn take_longer(findings: &mut Findings, followed: &mut Followed, versus: &Versus) -> bool {
    let options = versus.task.options;
    let Followed { compared, bounds, shrunk, tried } = followed;
    // That takes longer, unless trying shows a difference at once: then less is left to look for.
    let effort = Effort { first: 0, inputs: INPUTS, time: TRYING_FIRST, samples: 0 };
    let first = versus.try_inputs(bounds, effort);
    let found = !first.compared.differences.is_empty();
    *tried = Some(first);
    let merging = !found && !versus.is_program && !options.tests && versus.plain && !options.program.check_undefined;
    let task = versus.task;
    let merge = || {
        versus
            .task
            .merged
            .get_or_init(|| merged((task.old, task.new), task.changes, task.options, versus.couple))
            .as_ref()
    };
    let merged = if merging { merge() } else { None };
    let mut proved = false;
    // With fewer branches there may be a proof after all.
    if let Some(merged) = merged {
        if in_lockstep(findings, &merged.couple, versus.entries, options, versus.left() / 4) {
            return true;
        }
        let unwind = options.explore.unwind;
        let whole = versus.compare_as(&merged.couple, &merged.changed, bounds, unwind, versus.left() / 3, false);
        if smaller::is_proof(&whole) {
            (*compared, proved) = (whole, true);
        }
    }
    // Small inputs first: if there is no time for more, they are what can be said.
    let ladder = smaller::ladder(bounds, options.explore.unwind);
    let mut small = None;
    for (bounds, unwind, says_enough) in ladder.into_iter().filter(|_| !found && !versus.is_program && !proved) {
        let time = || versus.left() / 4;
        let fewer =
            merged.map(|merged| versus.compare_as(&merged.couple, &merged.changed, &bounds, unwind, time(), false));
        let some = fewer.filter(smaller::is_proof);
        let some = some.unwrap_or_else(|| versus.compare(&bounds, unwind, time(), false));
        let over = some.stopped.is_some() || !some.differences.is_empty();
        // The smallest inputs show differences, but are too few to say that there are none.
        if !some.differences.is_empty() || says_enough && smaller::is_proof(&some) {
            small = Some(some);
        }
        if over {
            break;
        }
    }
    let differs = small.as_ref().is_some_and(|small| !small.differences.is_empty());
    if !differs && !proved {
        let most = if found { versus.left() / 4 } else { versus.left().max(versus.task.time / 3) };
        let time = if small.is_some() { versus.left() } else { most };
        *compared = versus.compare(bounds, options.explore.unwind, time, false);
    }
    let open = compared.differences.is_empty() && compared.stopped == Some(Stopped::Time);
    if let Some(small) = small.filter(|_| open) {
        (*compared, *shrunk) = (small, true);
    }
    false
}

/// Whether code that can be reached without entering them calls functions that both versions share.
fn calls_shared(program: &exec::program::Program, entries: [FuncId; 2]) -> bool {
    let module = &program.module;
    let (mut todo, mut seen) = (entries.to_vec(), BTreeSet::new());
    while let Some(id) = todo.pop() {
        if !seen.insert(id) {
            continue;
        }
        for callee in module.functions[id].body().filter_map(|(_, _, inst)| module.called_function(&inst.kind)) {
            if program.shared.contains_key(&callee) {
                return true;
            }
            todo.push(callee);
        }
    }
    false
}
