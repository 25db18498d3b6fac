//! Tests that compute their outputs the same way: `pathshift tests minimize --by output`.
//!
//! D. Qi, H. Nguyen, A. Roychoudhury: "Path Exploration based on Symbolic Output", ESEC/FSE 2011: two tests with the same
//! relevant-slice condition give the same expressions for all outputs, so one of them is enough to test these. They may
//! differ in what no output depends on.

use super::{Updated, Version};
use crate::explore::Options;
use exec::case::Input;
use exec::given::{Given, Places};
use exec::run::Worker;
use exec::state::State;
use explore::concolic::{Pin, follow_with};
use explore::dependence::trace;
use explore::output::{Criterion, criterion};
use explore::statics::Statics;
use report::ledger::Status;
use rustc_hash::FxHashMap;
use smt::eval::Model;
use smt::pool::digest::Digests;
use std::rc::Rc;

/// Of several tests that compute their outputs the same way keeps the first. Those that cannot be followed to their end
/// are kept.
pub fn drop_alike(version: Version, updated: &mut Updated, options: &Options) {
    let mut statics = Statics::new(version.program, version.entry);
    let mut firsts: FxHashMap<u128, usize> = FxHashMap::default();
    let mut like: Vec<Option<usize>> = Vec::with_capacity(updated.tests.len());
    for (number, test) in updated.tests.iter().enumerate() {
        let class = class(version, &mut statics, &test.input, options);
        let first = class.map(|class| *firsts.entry(class).or_insert(number));
        like.push(first.filter(|first| *first != number));
    }
    let old_numbers: FxHashMap<u64, u64> =
        updated.ledger.tests.iter().filter_map(|entry| Some((entry.new?, entry.old?))).collect();
    let mut left = 0;
    let new_numbers: Vec<u64> = like
        .iter()
        .map(|like| {
            left += u64::from(like.is_none());
            left
        })
        .collect();
    for entry in &mut updated.ledger.tests {
        let Some(number) = entry.new.and_then(|new| usize::try_from(new).ok()?.checked_sub(1)) else { continue };
        match like.get(number).copied().flatten() {
            None => entry.new = new_numbers.get(number).copied(),
            Some(first) => {
                let of = old_numbers.get(&(first as u64 + 1)).copied().unwrap_or(first as u64 + 1);
                let counts = &mut updated.ledger.counts;
                counts.kept = counts.kept.saturating_sub(1);
                counts.obsolete += 1;
                (entry.status, entry.new) = (Status::Obsolete, None);
                entry.reason = format!("computes all outputs the way that test {of} does");
            }
        }
    }
    let mut like = like.iter();
    updated.tests.retain(|_| like.next().is_none_or(Option::is_none));
}

/// The class of a test's relevant-slice condition.
fn class<'p>(version: Version<'p>, statics: &mut Statics<'p>, input: &Input, options: &Options) -> Option<u128> {
    let Version { program, entry } = version;
    let mut worker = Worker::new(program, entry.shell.is_none());
    let mut chain = (options.chain)();
    let (mut places, mut digests) = (Places::default(), Digests::default());
    let mut given = Given::new(program, entry.function, input);
    let learn = |worker: &mut Worker, state: &State, values: &mut Rc<Model>| {
        places.update(worker, &mut digests);
        given.update(worker, &places, state);
        values.clone_from(&given.model);
    };
    let run = follow_with(&mut worker, &mut chain, entry, Rc::default(), &options.explore, Pin::No, learn).ok()?;
    if run.outside || run.end.is_limit() {
        return None;
    }
    let mut trace = trace(program, statics, &run);
    let slice = criterion(program, &Criterion::All, &run, &mut trace);
    Some(trace.class(slice))
}
