//! Both versions of a function followed on all inputs within bounds, cheapest means first.
//!
//! A proof in lockstep holds for any number of rounds. Else functions that both versions share are not entered at first;
//! then everything is followed; and where that takes too long, with fewer branches and on smaller inputs. What is the same
//! for small inputs is looked at once more on inputs as large as numbers in the code suggest.

use super::callers::ALL_INPUTS;
use super::confirm::is_left_open;
use super::couple::Couple;
use super::merged::merged;
use super::verdict::is_bounded;
use super::versus::Versus;
use super::{Options, larger, smaller};
use exec::inputs::Bounds;
use exec::scope::Scope;
use explore::lockstep::{Proof, prove};
use explore::pair::{Compared, Doubt};
use explore::probe::{Effort, Tried};
use explore::{Stopped, Undecided};
use ir::id::FuncId;
use report::diff::{Function, Verdict};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// What came of following both versions; the verdict is in the row.
pub struct Followed {
    /// How they compare.
    pub compared: Compared,
    /// Bounds of the inputs.
    pub bounds: Bounds,
    /// Whether there was only time for smaller inputs than these.
    pub shrunk: bool,
    /// What was tried on the way.
    pub tried: Option<Tried>,
    /// Whether the verdict stands, and nothing else is to be looked at.
    pub is_over: bool,
}

/// How often pointers are taken to lead to what others lead to, where nothing gets to a change otherwise.
const MOST_ALIASES: usize = 3;

/// How long a proof in lockstep may take.
const LOCKSTEP: Duration = Duration::from_secs(5);

/// Most inputs that are tried.
pub const INPUTS: u32 = 20_000;

/// How long inputs are tried before much time is spent on a proof.
const TRYING_FIRST: Duration = Duration::from_millis(600);

/// How long larger inputs are looked for, once it is the same for small ones.
const MORE_TIME: Duration = Duration::from_secs(2);

/// Whether both versions are proved to go together, whatever the rounds of their loops: the row says so then.
pub fn goes_together(row: &mut Function, versus: &Versus) -> bool {
    let (options, couple) = (versus.task.options, versus.couple);
    !versus.is_program
        && !options.tests
        && versus.plain
        && !couple.asks_for_output(versus.entries)
        && in_lockstep(row, couple, versus.entries, options, options.time / 3)
}

/// Follows both versions within the usual bounds.
pub fn follow(row: &mut Function, versus: &Versus) -> Followed {
    let options = versus.task.options;
    let bounds = options.program.inputs.clone();
    let mut followed = Followed { compared: Compared::default(), bounds, shrunk: false, tried: None, is_over: false };
    // Functions that both versions share are entered only if there is no proof without.
    if calls_shared(&versus.couple.program, versus.entries) {
        followed.compared = versus.compare(&followed.bounds, options.explore.unwind, options.time / 4, true);
        if followed.compared.differences.is_empty() {
            versus.judge(row, &followed.compared);
        }
    }
    if row.verdict == Verdict::Same {
        return followed;
    }
    (row.undecided, row.scope) = (Vec::new(), Vec::new());
    lead_to_change(&mut followed, versus);
    if followed.compared.stopped == Some(Stopped::Time) && followed.compared.differences.is_empty() {
        take_longer(row, &mut followed, versus);
    }
    if !followed.is_over {
        versus.judge(row, &followed.compared);
    }
    followed
}

/// The same for small inputs: the program itself says where larger ones may matter.
pub fn follow_larger(row: &mut Function, followed: &mut Followed, versus: &Versus) {
    let unwind = versus.task.options.explore.unwind;
    for one in [true, false] {
        let compared = &followed.compared;
        if followed.shrunk || row.verdict != Verdict::Same || !is_bounded(compared) || one && !has_one_record(compared)
        {
            continue;
        }
        let larger = larger::bounds(&versus.couple.program.module, versus.entries, &followed.bounds, one);
        let Some((bounds, rounds)) = larger else { continue };
        // Where nothing got to the change, larger inputs are all there is.
        let time = if compared.reached { MORE_TIME.min(versus.left() / 2) } else { versus.left() / 2 };
        let deeply = versus.compare(&bounds, unwind.map(|known| known.max(rounds)), time, false);
        let mut deeper = Function { scope: Vec::new(), ..row.clone() };
        versus.judge(&mut deeper, &deeply);
        let open = deeper.verdict != Verdict::Different && is_left_open(&deeper);
        if open {
            deeper.verdict = Verdict::Undecided;
        }
        if matches!(deeper.verdict, Verdict::Different) || open || deeper.undecided.is_empty() {
            *row = deeper;
            followed.compared = deeply;
            followed.bounds = bounds;
        }
    }
}

/// Follows everything for a moment; where nothing gets to the change, with pointers that lead back to what is known.
fn lead_to_change(followed: &mut Followed, versus: &Versus) {
    let options = versus.task.options;
    let Followed { compared, bounds, .. } = followed;
    let compare = |bounds: &Bounds| versus.compare(bounds, options.explore.unwind, options.time / 8, false);
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
/// left.
fn take_longer(row: &mut Function, followed: &mut Followed, versus: &Versus) {
    let options = versus.task.options;
    let Followed { compared, bounds, shrunk, tried, is_over } = followed;
    // That takes longer, unless trying shows a difference at once: then less is left to look for.
    let effort = Effort { first: 0, inputs: INPUTS, time: TRYING_FIRST, samples: 0 };
    let first = versus.try_inputs(bounds, effort);
    let found = !first.compared.differences.is_empty();
    *tried = Some(first);
    let merging = !found && !versus.is_program && !options.tests && versus.plain && !options.program.check_undefined;
    let merge = || versus.task.merged.get_or_init(|| merged(versus.task, versus.couple)).as_ref();
    let merged = if merging { merge() } else { None };
    let mut proved = false;
    // With fewer branches there may be a proof after all.
    if let Some(merged) = merged {
        if in_lockstep(row, &merged.couple, versus.entries, options, versus.left() / 4) {
            *is_over = true;
            return;
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
        let most = if found { versus.left() / 4 } else { versus.left().max(options.time / 3) };
        let time = if small.is_some() { versus.left() } else { most };
        *compared = versus.compare(bounds, options.explore.unwind, time, false);
    }
    let open = compared.differences.is_empty() && compared.stopped == Some(Stopped::Time);
    if let Some(small) = small.filter(|_| open) {
        (*compared, *shrunk) = (small, true);
    }
}

/// Whether both versions of a function that writes no memory of others go together, whatever the rounds of their loops.
fn in_lockstep(row: &mut Function, couple: &Couple, entries: [FuncId; 2], options: &Options, time: Duration) -> bool {
    let sorted = &couple.sorted;
    if !entries.iter().all(|entry| sorted.reading.contains(entry)) {
        return false;
    }
    if entries.iter().all(|entry| couple.proved.contains(entry)) {
        row.verdict = Verdict::Same;
        row.scope.push(ALL_INPUTS.to_owned());
        return true;
    }
    let recursive = entries.iter().all(|entry| sorted.pure.contains(entry));
    let deadline = Some(Instant::now() + LOCKSTEP.min(time));
    let exploring = explore::options::Options { deadline, ..options.explore.clone() };
    let bounds = &options.program.inputs;
    let proof = prove(&couple.program, entries, recursive, &exploring, bounds, || (options.chain)());
    // Where inputs are bounded, larger ones are to be tried as well, and other means do that.
    let unbounded = |proof: &Proof| proof.scope.iter().all(|what| *what == Scope::Panics);
    let Some(proof) = proof.filter(unbounded) else { return false };
    row.verdict = Verdict::Same;
    row.stats.pairs = proof.pairs;
    row.scope.push(ALL_INPUTS.to_owned());
    row.scope.extend(proof.scope.iter().map(Scope::to_string));
    true
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

/// Whether a run wanted more than the one record behind a pointer.
fn has_one_record(compared: &Compared) -> bool {
    let one =
        |doubt: &Doubt| matches!(doubt, Doubt::Path(Undecided::Scope(what)) if what.ends_with(": up to 1 elements"));
    compared.undecided.keys().any(|(doubt, _)| one(doubt))
}
