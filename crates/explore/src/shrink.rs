//! An input on which two versions differ, made smaller by trying.
//!
//! The solver finds the smallest values on the paths that it was asked about, which need not be those of the smallest input.
//! So simpler values are tried one by one, and characters of texts are left out, as long as the versions still differ.
//! Both run on known values then, which takes next to no time.

use crate::probe::{Doubt, Found, both};
use exec::concrete::Concrete;
use exec::entry::Entry;
use exec::inputs::Text;
use exec::run::Worker;
use smt::bits::Bits;
use smt::eval::Model;
use smt::expr::{FloatFormat, SymbolId, signed};
use smt::pool::{Reading, Symbol};
use std::collections::BTreeSet;
use std::time::Instant;

/// Most inputs that are tried.
const TRIES: u32 = 600;

/// How often all values are gone through.
const PASSES: u32 = 4;

/// What running costs.
pub(crate) struct Spent<'a> {
    /// Instructions so far.
    pub steps: &'a mut u64,
    /// When to stop.
    pub until: Instant,
}

/// Says whether a smaller input, its values and what came of it, will do.
pub(crate) type Accept<'a> = dyn FnMut(&mut Worker, &Model, &Found) -> bool + 'a;

/// A smaller input than `model` on which two versions, the old one first, differ: its values, and how both ended. Nothing if there
/// is none.
pub(crate) fn shrink(
    worker: &mut Worker,
    versions: [&Entry; 2],
    model: &Model,
    doubt: Doubt,
    accept: &mut Accept,
    spent: &mut Spent,
) -> Option<(Model, Found)> {
    let mut shrinking = Shrinking { versions, best: model.clone(), doubt, found: None, accept, spent, left: TRIES };
    for _ in 0..PASSES {
        let before = shrinking.left;
        let texts = shrinking.shorten_texts(worker);
        let numbers = shrinking.simplify_numbers(worker);
        if !texts && !numbers || before == shrinking.left {
            break;
        }
    }
    shrinking.found.map(|found| (shrinking.best, found))
}

struct Shrinking<'a, 'c, 's> {
    versions: [&'a Entry; 2],
    best: Model,
    /// Whether both came to their end on all inputs that will do.
    doubt: Doubt,
    found: Option<Found>,
    accept: &'a mut Accept<'c>,
    spent: &'a mut Spent<'s>,
    left: u32,
}

impl Shrinking<'_, '_, '_> {
    /// Takes other values if the versions still differ.
    fn take(&mut self, worker: &mut Worker, other: Model) -> bool {
        if self.left == 0 || Instant::now() >= self.spent.until {
            return false;
        }
        self.left -= 1;
        worker.concrete = Some(Concrete::fixed(other));
        let [old, new] = self.versions;
        let will_do = |found: &Found| !found.differing.is_empty() && found.doubt == self.doubt;
        let Some(found) = both(worker, old, new, self.spent.steps).filter(will_do) else { return false };
        // Values that are not valid together were chosen again.
        let Some(values) = worker.concrete.as_ref().map(|concrete| concrete.model.clone()) else { return false };
        let good = (self.accept)(worker, &values, &found);
        if good {
            (self.best, self.found) = (values, Some(found));
        }
        good
    }

    fn simplify_numbers(&mut self, worker: &mut Worker) -> bool {
        let mut any = false;
        for index in 0..worker.pool.symbol_count() {
            let id = SymbolId(index as u32);
            let symbol = worker.pool.symbol_info(id).clone();
            if symbol.array || symbol.width > 64 || symbol.reading == Reading::Address {
                continue;
            }
            for value in simpler(&symbol, self.best.small(id)) {
                let mut other = self.best.clone();
                other.set(id, &Bits::new(u128::from(value), symbol.width));
                if self.take(worker, other) {
                    any = true;
                    break;
                }
            }
        }
        any
    }

    fn shorten_texts(&mut self, worker: &mut Worker) -> bool {
        let mut any = false;
        for Text { bytes, length, .. } in worker.texts() {
            let mut at = 0;
            while at < bytes.len() {
                let rest = bytes[at..].iter().any(|&byte| self.best.small(byte) != 0);
                let count = length.map(|length| self.best.small(length));
                if !rest && count.is_none_or(|count| at as u64 >= count) {
                    break;
                }
                let mut other = self.best.clone();
                for pair in bytes[at..].windows(2) {
                    other.set(pair[0], &Bits::new(u128::from(self.best.small(pair[1])), 8));
                }
                if let Some(&last) = bytes.last() {
                    other.set(last, &Bits::new(0, 8));
                }
                if let (Some(length), Some(count)) = (length, count) {
                    let width = worker.pool.symbol_info(length).width;
                    other.set(length, &Bits::new(u128::from(count.saturating_sub(1)), width));
                }
                if self.take(worker, other) {
                    any = true;
                } else {
                    at += 1;
                }
            }
        }
        any
    }
}

/// Values that are simpler than one, the simplest first.
fn simpler(symbol: &Symbol, value: u64) -> Vec<u64> {
    let mask = if symbol.width < 64 { (1 << symbol.width) - 1 } else { u64::MAX };
    let value = value & mask;
    let mut values = match symbol.reading {
        Reading::Float(FloatFormat::Double) => vec![0, 1f64.to_bits(), 2f64.to_bits(), (-1f64).to_bits()],
        Reading::Float(FloatFormat::Single) => {
            [0f32, 1.0, 2.0, -1.0].iter().map(|value| u64::from(value.to_bits())).collect()
        }
        Reading::Signed if signed(value, symbol.width) < 0 => {
            let size = signed(value, symbol.width).unsigned_abs();
            let parts = [1, 2, size >> 16, size >> 8, size >> 2, size >> 1, size - 1];
            let negative = parts.iter().map(|part| part.wrapping_neg() & mask);
            [0, 1, 2].into_iter().chain(negative).chain([size]).collect()
        }
        _ => vec![0, 1, 2, value >> 16, value >> 8, value >> 2, value >> 1, value.wrapping_sub(1) & mask],
    };
    let known = values.iter().position(|known| *known == value);
    values.truncate(known.unwrap_or(values.len()));
    let mut seen = BTreeSet::new();
    values.retain(|value| seen.insert(*value));
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simpler_values_are_smaller() {
        let check = |reading: Reading, value: u64, expect: &[u64]| {
            let symbol = Symbol { name: "x".into(), width: 8, array: false, reading, rank: 0 };
            assert_eq!(simpler(&symbol, value), expect, "{value}");
        };
        check(Reading::Unsigned, 0, &[]);
        check(Reading::Unsigned, 2, &[0, 1]);
        check(Reading::Unsigned, 20, &[0, 1, 2, 5, 10, 19]);
        check(Reading::Signed, 255, &[0, 1, 2]);
        check(Reading::Signed, 253, &[0, 1, 2, 255, 254, 3]);
    }
}
