//! `switch`: values that lead to the same block are one side.
//!
//! `case 0: case 1: case 2:` in the source is one way through the program, so it is one path. Its side is that of the
//! first case that leads there, or 0 if the default does.

use crate::run::Run;
use crate::state::{ChoiceKind, Stop};
use rustc_hash::FxHashMap;
use smt::bits::Bits;
use smt::expr::{Expr, signed};
use smt::pool::Reading;

/// The side of a case: that of the first one with the same edge.
pub(crate) fn side_of_case(default: u32, cases: &[(Bits, u32)], case: usize) -> u32 {
    let edge = cases[case].1;
    match edge == default {
        true => 0,
        false => cases.iter().position(|(_, other)| *other == edge).map_or(0, |first| first as u32 + 1),
    }
}

impl Run<'_, '_> {
    /// Which side a `switch` goes to.
    pub(crate) fn switch(
        &mut self,
        value: Expr,
        default: u32,
        cases: &[(Bits, u32)],
        branch: u32,
    ) -> Result<u32, Stop> {
        if let Some(known) = self.worker.pool.known(value) {
            let found = cases.iter().position(|(number, _)| *number == known);
            return Ok(found.map_or(0, |case| side_of_case(default, cases, case)));
        }
        // Sides keep their numbers: those of cases that belong to another one never hold.
        let mut conditions = vec![Expr::bool(false); cases.len() + 1];
        conditions[0] = Expr::bool(true);
        let mut groups: FxHashMap<u32, usize> = FxHashMap::default();
        let mut numbers: Vec<(usize, Vec<Bits>)> = Vec::new();
        for (case, (number, edge)) in cases.iter().enumerate().filter(|(_, (_, edge))| *edge != default) {
            let group = *groups.entry(*edge).or_insert_with(|| {
                numbers.push((case + 1, Vec::new()));
                numbers.len() - 1
            });
            numbers[group].1.push(number.clone());
        }
        for (side, numbers) in numbers {
            let here = self.is_one_of(value, numbers);
            let pool = &mut self.worker.pool;
            let elsewhere = pool.not(here);
            conditions[0] = pool.and(conditions[0], elsewhere);
            conditions[side] = here;
        }
        self.choose(&conditions, ChoiceKind::Branch { branch }).map(|side| side as u32)
    }

    /// That a value is one of some numbers, in ranges where they follow each other.
    fn is_one_of(&mut self, value: Expr, mut numbers: Vec<Bits>) -> Expr {
        let pool = &mut self.worker.pool;
        let width = pool.width(value);
        let mut found = Expr::bool(false);
        if numbers.len() < FEW || width > 64 {
            for number in numbers {
                let number = pool.bits(&number);
                let equal = pool.eq(value, number);
                found = pool.or(found, equal);
            }
            return found;
        }
        let is_signed = smt::show::reading(pool, value) == Some(Reading::Signed);
        let order =
            |number: &Bits| if is_signed { i128::from(signed(number.low(), width)) } else { number.low().into() };
        numbers.sort_by_key(order);
        for range in numbers.chunk_by(|a, b| order(a) + 1 == order(b)) {
            let (Some(first), Some(last)) = (range.first(), range.last()) else { continue };
            let [first, last] = [first, last].map(|number| Expr::constant(number.low(), width));
            let inside = match (range.len() < FEW, is_signed) {
                (true, _) => range.iter().fold(Expr::bool(false), |inside, number| {
                    let equal = pool.eq(value, Expr::constant(number.low(), width));
                    pool.or(inside, equal)
                }),
                (false, true) => {
                    let (above, below) = (pool.sle(first, value), pool.sle(value, last));
                    pool.and(above, below)
                }
                (false, false) => {
                    let (above, below) = (pool.ule(first, value), pool.ule(value, last));
                    pool.and(above, below)
                }
            };
            found = pool.or(found, inside);
        }
        found
    }
}

/// Fewer numbers than this are written one by one.
const FEW: usize = 3;
