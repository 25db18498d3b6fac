//! Comparisons. An ordering against a constant stays as it was written, strict or not: people read it.

use super::Pool;
use crate::bits::Bits;
use crate::expr::{Expr, Op, mask};

impl Pool {
    /// Equality.
    pub fn eq(&mut self, a: Expr, b: Expr) -> Expr {
        let width = self.width(a);
        if let Some(value) = self.folded(Op::Eq, 1, &[a, b]) {
            return value;
        }
        if a == b {
            return Expr::bool(true);
        }
        let (a, b) = self.order(a, b);
        if width == 1 {
            return match b.as_const() {
                Some(1) => a,
                Some(_) => self.not(a),
                None => {
                    let differ = self.xor(a, b);
                    self.not(differ)
                }
            };
        }
        let (first, second) = (self.facts(a), self.facts(b));
        let overlap = first.low <= second.high && second.low <= first.high;
        if width <= 64 && (!overlap || first.zeros & second.ones != 0 || first.ones & second.zeros != 0) {
            return Expr::bool(false);
        }
        if self.is_known(b)
            && let Some(simpler) = self.look_into(|pool| pool.eq_known(a, b))
        {
            return simpler;
        }
        match (self.view(a), self.view(b)) {
            // `x + c == y + c`, `x - y == 0` and the like come out of loops and pointers.
            (Some((Op::Add, [x, y, _])), Some((Op::Add, [u, v, _]))) if y == v => self.eq(x, u),
            (Some((Op::Add, [x, y, _])), _) if x == b || y == b => {
                let zero = self.zero(width);
                self.eq(if x == b { y } else { x }, zero)
            }
            (_, Some((Op::Add, [x, y, _]))) if x == a || y == a => {
                let zero = self.zero(width);
                self.eq(if x == a { y } else { x }, zero)
            }
            (Some((Op::ZExt, [x, ..])), Some((Op::ZExt, [y, ..])))
            | (Some((Op::SExt, [x, ..])), Some((Op::SExt, [y, ..])))
                if self.width(x) == self.width(y) =>
            {
                self.eq(x, y)
            }
            _ => self.term2(Op::Eq, 1, a, b),
        }
    }

    /// Inequality.
    pub fn ne(&mut self, a: Expr, b: Expr) -> Expr {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// Unsigned less.
    pub fn ult(&mut self, a: Expr, b: Expr) -> Expr {
        if let Some(value) = self.folded(Op::Ult, 1, &[a, b]) {
            return value;
        }
        if a == b || self.is_zero(b) || self.is_ones(a) {
            return Expr::bool(false);
        }
        if self.width(a) == 1 {
            let not = self.not(a);
            return self.and(not, b);
        }
        if self.is_zero(a) {
            return self.ne(b, a);
        }
        match (a, b) {
            (_, Expr::Const { bits: 1, width }) => return self.eq(a, Expr::constant(0, width)),
            (_, Expr::Const { bits, width }) if bits == mask(width) => return self.ne(a, b),
            (Expr::Const { bits, width }, _) if bits == mask(width) - 1 => {
                return self.eq(b, Expr::constant(mask(width), width));
            }
            _ => {}
        }
        if let Some(decided) = self.decided(a, b, true) {
            return Expr::bool(decided);
        }
        if let Some(narrow) = self.narrowed(Op::Ult, a, b) {
            return narrow;
        }
        self.term2(Op::Ult, 1, a, b)
    }

    /// Unsigned less or equal.
    pub fn ule(&mut self, a: Expr, b: Expr) -> Expr {
        if let Some(value) = self.folded(Op::Ule, 1, &[a, b]) {
            return value;
        }
        if a == b || self.is_zero(a) || self.is_ones(b) {
            return Expr::bool(true);
        }
        if self.width(a) == 1 {
            let not = self.not(a);
            return self.or(not, b);
        }
        if self.is_zero(b) {
            return self.eq(a, b);
        }
        match (a, b) {
            (_, Expr::Const { bits, width }) if bits == mask(width) - 1 => {
                return self.ne(a, Expr::constant(mask(width), width));
            }
            (Expr::Const { bits, width }, _) if bits == mask(width) => return self.eq(b, a),
            (Expr::Const { bits: 1, width }, _) => return self.ne(b, Expr::constant(0, width)),
            _ => {}
        }
        if let Some(decided) = self.decided(a, b, false) {
            return Expr::bool(decided);
        }
        if let Some(narrow) = self.narrowed(Op::Ule, a, b) {
            return narrow;
        }
        self.term2(Op::Ule, 1, a, b)
    }

    /// Signed less.
    pub fn slt(&mut self, a: Expr, b: Expr) -> Expr {
        if let Some(value) = self.folded(Op::Slt, 1, &[a, b]) {
            return value;
        }
        let width = self.width(a);
        if a == b {
            return Expr::bool(false);
        }
        if width == 1 {
            // The only negative number is 1.
            let not = self.not(b);
            return self.and(a, not);
        }
        if let Some(decided) = self.signed_decided(a, b, true) {
            return Expr::bool(decided);
        }
        if let Some(narrow) = self.narrowed(Op::Slt, a, b) {
            return narrow;
        }
        if width <= 64 {
            let least = 1u64 << (width - 1);
            match (a.as_const(), b.as_const()) {
                (_, Some(bits)) if bits == least => return Expr::bool(false),
                (Some(bits), _) if bits == least - 1 => return Expr::bool(false),
                (Some(bits), _) if bits == least => return self.ne(b, a),
                (_, Some(bits)) if bits == least - 1 => return self.ne(a, b),
                _ => {}
            }
        }
        self.term2(Op::Slt, 1, a, b)
    }

    /// Signed less or equal.
    pub fn sle(&mut self, a: Expr, b: Expr) -> Expr {
        if let Some(value) = self.folded(Op::Sle, 1, &[a, b]) {
            return value;
        }
        if a == b {
            return Expr::bool(true);
        }
        let width = self.width(a);
        if width == 1 {
            let not = self.not(b);
            return self.or(a, not);
        }
        if width <= 64 {
            let least = 1u64 << (width - 1);
            match (a.as_const(), b.as_const()) {
                (Some(bits), _) if bits == least => return Expr::bool(true),
                (_, Some(bits)) if bits == least - 1 => return Expr::bool(true),
                (_, Some(bits)) if bits == least => return self.eq(a, b),
                (Some(bits), _) if bits == least - 1 => return self.eq(b, a),
                _ => {}
            }
        }
        if let Some(decided) = self.signed_decided(a, b, false) {
            return Expr::bool(decided);
        }
        if let Some(narrow) = self.narrowed(Op::Sle, a, b) {
            return narrow;
        }
        self.term2(Op::Sle, 1, a, b)
    }

    /// `a < b`, or `a <= b` if not `strict`, where the ranges of both decide it.
    fn decided(&self, a: Expr, b: Expr, strict: bool) -> Option<bool> {
        if self.width(a) > 64 {
            return None;
        }
        let (a, b) = (self.facts(a), self.facts(b));
        let (surely, never) =
            if strict { (a.high < b.low, a.low >= b.high) } else { (a.high <= b.low, a.low > b.high) };
        if surely { Some(true) } else { never.then_some(false) }
    }

    /// The same for signed numbers, where the signs are known.
    fn signed_decided(&self, a: Expr, b: Expr, strict: bool) -> Option<bool> {
        let width = self.width(a);
        if width > 64 {
            return None;
        }
        let sign = 1u64 << (width - 1);
        let negative = |facts: super::Facts| match (facts.ones & sign != 0, facts.zeros & sign != 0) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        match (negative(self.facts(a))?, negative(self.facts(b))?) {
            (first, second) if first == second => self.decided(a, b, strict),
            (first, _) => Some(first),
        }
    }

    /// `a == constant`, through the operation that `a` is.
    fn eq_known(&mut self, a: Expr, b: Expr) -> Option<Expr> {
        let (op, [x, y, z]) = self.view(a)?;
        let value = self.known(b)?;
        match op {
            Op::Not => {
                let b = self.not(b);
                Some(self.eq(x, b))
            }
            Op::Neg => {
                let b = self.neg(b);
                Some(self.eq(x, b))
            }
            Op::Add if self.is_known(y) => {
                let b = self.sub(b, y);
                Some(self.eq(x, b))
            }
            Op::Sub if self.is_known(x) => {
                let b = self.sub(x, b);
                Some(self.eq(y, b))
            }
            Op::Sub if value.is_zero() => Some(self.eq(x, y)),
            Op::Xor if self.is_known(y) => {
                let b = self.xor(b, y);
                Some(self.eq(x, b))
            }
            Op::Xor if value.is_zero() => Some(self.eq(x, y)),
            Op::ZExt | Op::SExt => {
                let width = self.width(x);
                let narrow = value.extract(0, width);
                let again = if op == Op::ZExt { narrow.zext(value.width) } else { narrow.sext(value.width) };
                if again != value {
                    return Some(Expr::bool(false));
                }
                let b = self.bits(&narrow);
                Some(self.eq(x, b))
            }
            Op::Concat => {
                let low = self.width(y);
                let (high_value, low_value) = (value.extract(low, value.width - low), value.extract(0, low));
                let (high, low) = (self.bits(&high_value), self.bits(&low_value));
                let (upper, lower) = (self.eq(x, high), self.eq(y, low));
                Some(self.and(upper, lower))
            }
            Op::Ite => {
                // Worth it only if a branch is decided.
                let decided = |pool: &Pool, branch: Expr| pool.known(branch).map(|known: Bits| known == value);
                match (decided(self, y), decided(self, z)) {
                    (Some(yes), Some(no)) => Some(match (yes, no) {
                        (true, true) => Expr::bool(true),
                        (true, false) => x,
                        (false, true) => self.not(x),
                        (false, false) => Expr::bool(false),
                    }),
                    (Some(true), None) => {
                        let other = self.eq(z, b);
                        Some(self.or(x, other))
                    }
                    (Some(false), None) => {
                        let (not, other) = (self.not(x), self.eq(z, b));
                        Some(self.and(not, other))
                    }
                    (None, Some(true)) => {
                        let (not, other) = (self.not(x), self.eq(y, b));
                        Some(self.or(not, other))
                    }
                    (None, Some(false)) => {
                        let other = self.eq(y, b);
                        Some(self.and(x, other))
                    }
                    (None, None) => None,
                }
            }
            _ => None,
        }
    }

    /// An ordering of extended values as one of the values before.
    fn narrowed(&mut self, op: Op, a: Expr, b: Expr) -> Option<Expr> {
        if let Some(upper) = self.without_low_bits(op, a, b) {
            return Some(upper);
        }
        let extension = |pool: &Pool, expr: Expr| match pool.view(expr) {
            Some((kind @ (Op::ZExt | Op::SExt), [inner, ..])) => Some((kind, inner)),
            _ => None,
        };
        let signed_op = matches!(op, Op::Slt | Op::Sle);
        let (kind, x, y) = match (extension(self, a), extension(self, b)) {
            (Some((first, x)), Some((second, y))) if first == second && self.width(x) == self.width(y) => (first, x, y),
            (Some((kind, x)), None) => (kind, x, self.narrow_constant(kind, b, x)?),
            (None, Some((kind, y))) => (kind, self.narrow_constant(kind, a, y)?, y),
            _ => return None,
        };
        // Zero-extended values order as unsigned ones in either sense, sign-extended ones in both alike.
        let strict = matches!(op, Op::Ult | Op::Slt);
        let by_sign = signed_op && kind == Op::SExt;
        Some(match (by_sign, strict) {
            (true, true) => self.slt(x, y),
            (true, false) => self.sle(x, y),
            (false, true) => self.ult(x, y),
            (false, false) => self.ule(x, y),
        })
    }

    /// A comparison of a number whose low bits are known with a constant, as one of its other bits.
    fn without_low_bits(&mut self, op: Op, a: Expr, b: Expr) -> Option<Expr> {
        let parts = |pool: &Pool, expr: Expr| match pool.view(expr) {
            Some((Op::Concat, [high, low @ Expr::Const { .. }, _])) => Some((high, low)),
            _ => None,
        };
        let (first, high, low, bound) = match (parts(self, a), parts(self, b)) {
            (Some((high, low)), None) => (true, high, low, self.known(b)?),
            (None, Some((high, low))) => (false, high, low, self.known(a)?),
            _ => return None,
        };
        let (low, cut) = (low.as_const()?, self.width(low));
        let rest = bound.extract(0, cut).low();
        let upper = bound.extract(cut, bound.width - cut);
        let upper = self.bits(&upper);
        // high:low < upper:rest exactly if high < upper, or high == upper and low < rest.
        let strict = matches!(op, Op::Ult | Op::Slt);
        let holds_if_equal = match (first, strict) {
            (true, true) => low < rest,
            (true, false) => low <= rest,
            (false, true) => rest < low,
            (false, false) => rest <= low,
        };
        let (x, y) = if first { (high, upper) } else { (upper, high) };
        Some(match (matches!(op, Op::Slt | Op::Sle), holds_if_equal) {
            (true, true) => self.sle(x, y),
            (true, false) => self.slt(x, y),
            (false, true) => self.ule(x, y),
            (false, false) => self.ult(x, y),
        })
    }

    /// A constant in the width of `like`, if extending it gives the constant back.
    fn narrow_constant(&mut self, kind: Op, constant: Expr, like: Expr) -> Option<Expr> {
        let value = self.known(constant)?;
        let narrow = value.extract(0, self.width(like));
        let again = if kind == Op::ZExt { narrow.zext(value.width) } else { narrow.sext(value.width) };
        (again == value).then(|| self.bits(&narrow))
    }
}
