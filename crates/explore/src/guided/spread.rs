//! Inputs of tests that show more at once.
//!
//! A run is handed out because it is the first one that has some slices. The conditions of these are all that its input
//! needs; all else is as in the run that made the task. So every slice is in the suite, but of turns that do not depend on each
//! other few combinations are, and a test that gets to a faulty line may not get to where it shows. Here the turns that are
//! free are taken such that any two sides of them come together in some test, as far as that can be had by choosing one
//! turn after the other (D. M. Cohen, S. R. Dalal, M. L. Fredman, G. C. Patton: "The AETG System", TSE 1997).
//!
//! Only what is handed out is another run, and only if everything that no test has shown yet has the same slice in it. The
//! search goes on with the run that it had, so it finds the same classes with as many runs as without this.

use super::{Search, Strategy};
use crate::concolic::Run;
use crate::dependence::Trace;
use crate::sets::{SetId, Sets};
use rustc_hash::FxHashSet;
use smt::solver::chain::Path;
use std::cmp::Reverse;

/// A run with its things that have slices, by name.
type Spread = (Run, Trace, Vec<(u128, SetId)>);

/// Most turns of a run whose combinations are looked at: their number grows with its square.
const MOST_TURNS: usize = 64;

/// What was handed out.
#[derive(Default)]
pub(super) struct Shown {
    /// Two literals that are in one test, or were to be.
    pairs: FxHashSet<(u128, u128)>,
    /// Things by name, with the classes of their slices.
    things: FxHashSet<(u128, u128)>,
    /// Whole paths.
    paths: FxHashSet<u128>,
}

impl Shown {
    /// How many of some literals are in no test together with another one.
    fn gain(&self, literal: u128, others: &[u128]) -> usize {
        others.iter().filter(|&&other| !self.pairs.contains(&pair(literal, other))).count()
    }

    fn add(&mut self, literals: &[u128]) {
        for (at, &literal) in literals.iter().enumerate() {
            self.pairs.extend(literals[..at].iter().map(|&other| pair(literal, other)));
        }
    }

    /// Counts a path as shown; whether it is new.
    pub(super) fn is_new(&mut self, trace: &Trace, named: &[(u128, SetId)]) -> bool {
        self.things.extend(named.iter().map(|(name, slice)| (*name, trace.class(*slice))));
        let literals = literals(trace);
        if literals.len() <= MOST_TURNS {
            self.add(&literals);
        }
        self.paths.insert(literals.iter().fold(0, |key: u128, literal| key.wrapping_add(*literal)))
    }
}

fn pair(a: u128, b: u128) -> (u128, u128) {
    (a.min(b), a.max(b))
}

fn literals(trace: &Trace) -> Vec<u128> {
    let asked = trace.turns.iter().filter(|turn| turn.question.is_some());
    asked.map(|turn| turn.literal(turn.side)).collect()
}

impl Search<'_, '_> {
    /// Whether tests are to show more than the search needs: not where the papers' own algorithms run as they are written.
    pub(super) fn spreads(&self) -> bool {
        matches!(self.strategy, Strategy::Dgse(dgse) if !dgse.branches_only)
    }

    /// A run to be handed out in the place of another one, with its things that have slices.
    pub(super) fn spread(&mut self, run: &Run, trace: &mut Trace, named: &[(u128, SetId)]) -> Option<Spread> {
        if !self.spreads() || trace.turns.len() > MOST_TURNS {
            return None;
        }
        let new = named.iter().copied().map(|(name, slice)| ((name, trace.class(slice)), slice));
        let new: Vec<((u128, u128), SetId)> = new.filter(|(thing, _)| !self.shown.things.contains(thing)).collect();
        let kept = kept(trace, new.iter().map(|(_, slice)| *slice));
        let is_free = |turn: u32| kept.binary_search(&turn).is_err() && trace.turns[turn as usize].question.is_some();
        let free: Vec<u32> = (0..trace.turns.len() as u32).filter(|&turn| is_free(turn)).collect();
        let sides = |turn: u32| {
            let question = trace.turns[turn as usize].question.map(|question| &run.questions[question as usize]);
            question.map_or(&[][..], |question| question.choice.conditions.as_slice())
        };
        let all = literals(trace);
        let promises = |turn: &u32| {
            let turn_of = &trace.turns[*turn as usize];
            let mut others = (0..sides(*turn).len() as u32).filter(|&side| side != turn_of.side);
            others.any(|side| self.shown.gain(turn_of.literal(side), &all) > 0)
        };
        if !free.iter().any(promises) {
            return None;
        }
        let mut path = Path::beginning_with(run.values.clone());
        let mut chosen = Vec::new();
        for &number in &kept {
            let turn = &trace.turns[number as usize];
            let Some(question) = turn.question else { continue };
            path = self.ask(&path, run.questions[question as usize].condition()).ok()??;
            chosen.push(turn.literal(turn.side));
        }
        let mut moved: Vec<u32> = Vec::new();
        for &number in &free {
            let turn = &trace.turns[number as usize];
            // Whether it is asked at all may be another matter by now.
            if trace.sets.get(turn.slice).iter().any(|on| moved.contains(on)) {
                continue;
            }
            let mut order: Vec<u32> = (0..sides(number).len() as u32).collect();
            order.sort_by_key(|&side| (Reverse(self.shown.gain(turn.literal(side), &chosen)), side != turn.side));
            for side in order {
                if let Ok(Some(grown)) = self.ask(&path, sides(number)[side as usize]) {
                    path = grown;
                    chosen.push(turn.literal(side));
                    moved.extend((side != turn.side).then_some(number));
                    break;
                }
            }
        }
        // What does not come together although it was asked for is not asked for again.
        self.shown.add(&chosen);
        if moved.is_empty() {
            return None;
        }
        let (other, mut other_trace) = self.run(path.values.clone()).ok()?;
        let (things, wanted) = self.things(&other, &mut other_trace);
        let class = |name: &u128| things.get(name).map(|thing| other_trace.class(thing.slice));
        let has_all = new.iter().all(|((name, own), _)| class(name) == Some(*own));
        let named = wanted.iter().filter_map(|name| Some((*name, things.get(name)?.slice))).collect();
        (has_all && !other.outside).then_some((other, other_trace, named))
    }
}

/// The turns that a run with the same slices needs, ascending: those of the slices, and of ends that it passed by, for
/// nothing depends on these although it would not get there without them.
fn kept(trace: &mut Trace, slices: impl Iterator<Item = SetId>) -> Vec<u32> {
    let mut kept = slices.fold(Sets::EMPTY, |all, slice| trace.sets.union(all, slice));
    for number in 0..trace.turns.len() as u32 {
        let turn = &trace.turns[number as usize];
        if turn.passes_end || turn.assumed {
            let slice = turn.slice;
            kept = trace.sets.union(kept, slice);
            kept = trace.sets.with(kept, number);
        }
    }
    trace.sets.get(kept)
}
