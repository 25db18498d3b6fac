//! Small values for a path: what a person would have chosen.
//!
//! Symbols are made small one after the other, each fixed before the next. So the result is the same
//! on every machine, and the first symbols, which people look at first, are the smallest.

use super::{Chain, Path};
use crate::expr::{Expr, SymbolId, mask};
use crate::pool::{Pool, Reading};

impl Chain {
    /// The path with a constraint on each of `symbols` that fixes it to a small value: numbers near zero, characters
    /// that can be read. `questions` bounds the work; symbols that are left keep the value they have.
    pub fn shrink(&mut self, pool: &mut Pool, path: &Path, symbols: &[(SymbolId, Expr)], questions: u64) -> Path {
        let last = self.stats.questions + questions;
        let mut path = path.clone();
        for &(symbol, expr) in symbols {
            let width = pool.width(expr);
            if width > 64 || self.stats.questions >= last {
                continue;
            }
            let smaller = match pool.symbol_info(symbol).reading {
                Reading::Char => self.readable(pool, &path, expr),
                Reading::Signed => self.near_zero(pool, &path, expr, width, last),
                Reading::Unsigned | Reading::Address | Reading::Float(_) => {
                    self.least(pool, &path, expr, mask(width), last)
                }
            };
            let found = smaller.unwrap_or_else(|| path.clone());
            // Whatever it is now, it stays, so that later symbols cannot move it.
            let value = Expr::constant(found.values.small(symbol), width);
            let fixed = pool.eq(expr, value);
            path = self.try_path(pool, &found, fixed).unwrap_or(found);
        }
        path
    }

    fn try_path(&mut self, pool: &Pool, path: &Path, constraint: Expr) -> Option<Path> {
        self.extend(pool, path, constraint).ok().flatten()
    }

    /// The least unsigned value, by halving.
    fn least(&mut self, pool: &mut Pool, path: &Path, expr: Expr, greatest: u64, last: u64) -> Option<Path> {
        let width = pool.width(expr);
        let (mut low, mut high, mut best) = (0u64, greatest, None);
        while low < high && self.stats.questions < last {
            // Most least values are tiny, so the steps up from the bottom grow.
            let middle = low + ((high - low) / 2).min(low.max(1) * 4);
            let below = pool.ule(expr, Expr::constant(middle, width));
            match self.try_path(pool, path, below) {
                Some(found) => {
                    high = middle;
                    best = Some(found);
                }
                None => low = middle + 1,
            }
        }
        best
    }

    /// The value nearest to zero; of two the positive one.
    fn near_zero(&mut self, pool: &mut Pool, path: &Path, expr: Expr, width: u32, last: u64) -> Option<Path> {
        let zero = Expr::constant(0, width);
        let negative = pool.slt(expr, zero);
        let size = {
            let positive = pool.neg(expr);
            pool.ite(negative, positive, expr)
        };
        let near = self.least(pool, path, size, mask(width), last)?;
        let not_negative = pool.not(negative);
        Some(self.try_path(pool, &near, not_negative).unwrap_or(near))
    }

    /// A character that can be read: a letter, a digit, anything printable, the end of the text.
    fn readable(&mut self, pool: &mut Pool, path: &Path, expr: Expr) -> Option<Path> {
        let width = pool.width(expr);
        for (first, last) in [(b'a', b'a'), (b'a', b'z'), (b'0', b'9'), (b' ', b'~'), (0, 0)] {
            let (first, last) = (Expr::constant(first.into(), width), Expr::constant(last.into(), width));
            let (above, below) = (pool.ule(first, expr), pool.ule(expr, last));
            let inside = pool.and(above, below);
            if let Some(found) = self.try_path(pool, path, inside) {
                return Some(found);
            }
        }
        None
    }
}
