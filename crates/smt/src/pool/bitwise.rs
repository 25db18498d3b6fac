//! Not, and, or, exclusive or.

use super::Pool;
use crate::expr::{Expr, Op};

impl Pool {
    /// Every bit inverted.
    pub fn not(&mut self, a: Expr) -> Expr {
        let width = self.width(a);
        if let Some(value) = self.folded(Op::Not, width, &[a]) {
            return value;
        }
        match self.view(a) {
            Some((Op::Not, [inner, ..])) => inner,
            Some((Op::Ult, [x, y, _])) => self.ule(y, x),
            Some((Op::Ule, [x, y, _])) => self.ult(y, x),
            Some((Op::Slt, [x, y, _])) => self.sle(y, x),
            Some((Op::Sle, [x, y, _])) => self.slt(y, x),
            // A choice of constants stays one.
            Some((Op::Ite, [c, x, y])) if self.is_known(x) && self.is_known(y) => {
                let (x, y) = (self.not(x), self.not(y));
                self.ite(c, x, y)
            }
            _ => self.term1(Op::Not, width, a),
        }
    }

    /// Bitwise and.
    pub fn and(&mut self, a: Expr, b: Expr) -> Expr {
        let width = self.width(a);
        if let Some(value) = self.folded(Op::And, width, &[a, b]) {
            return value;
        }
        let (a, b) = self.order(a, b);
        if a == b || self.is_ones(b) {
            return a;
        }
        if self.is_zero(b) || self.are_opposites(a, b) {
            return self.zero(width);
        }
        if let Some((Op::And, [x, y, _])) = self.view(a) {
            if self.is_known(y) && self.is_known(b) {
                let both = self.and(y, b);
                return self.and(x, both);
            }
            if x == b || y == b {
                return a;
            }
        }
        if let Some((Op::And, [x, y, _])) = self.view(b)
            && (x == a || y == a)
        {
            return b;
        }
        if let Some(slice) = self.low_mask(a, b) {
            return slice;
        }
        self.term2(Op::And, width, a, b)
    }

    /// Bitwise or.
    pub fn or(&mut self, a: Expr, b: Expr) -> Expr {
        let width = self.width(a);
        if let Some(value) = self.folded(Op::Or, width, &[a, b]) {
            return value;
        }
        let (a, b) = self.order(a, b);
        if a == b || self.is_zero(b) {
            return a;
        }
        if self.is_ones(b) || self.are_opposites(a, b) {
            return self.ones(width);
        }
        if let Some((Op::Or, [x, y, _])) = self.view(a) {
            if self.is_known(y) && self.is_known(b) {
                let both = self.or(y, b);
                return self.or(x, both);
            }
            if x == b || y == b {
                return a;
            }
        }
        if let Some((Op::Or, [x, y, _])) = self.view(b)
            && (x == a || y == a)
        {
            return b;
        }
        if let Some(joined) = self.disjoint_parts(a, b) {
            return joined;
        }
        self.term2(Op::Or, width, a, b)
    }

    /// Bitwise exclusive or.
    pub fn xor(&mut self, a: Expr, b: Expr) -> Expr {
        let width = self.width(a);
        if let Some(value) = self.folded(Op::Xor, width, &[a, b]) {
            return value;
        }
        let (a, b) = self.order(a, b);
        if a == b {
            return self.zero(width);
        }
        if self.is_zero(b) {
            return a;
        }
        if self.is_ones(b) {
            return self.not(a);
        }
        if self.are_opposites(a, b) {
            return self.ones(width);
        }
        match (self.view(a), self.view(b)) {
            (Some((Op::Xor, [x, y, _])), _) if self.is_known(y) && self.is_known(b) => {
                let both = self.xor(y, b);
                self.xor(x, both)
            }
            (Some((Op::Not, [x, ..])), _) => {
                let inner = self.xor(x, b);
                self.not(inner)
            }
            (_, Some((Op::Not, [y, ..]))) => {
                let inner = self.xor(a, y);
                self.not(inner)
            }
            _ => self.term2(Op::Xor, width, a, b),
        }
    }

    /// Whether one is the complement of the other, by form.
    fn are_opposites(&self, a: Expr, b: Expr) -> bool {
        let is_not = |x: Expr, y: Expr| matches!(self.view(x), Some((Op::Not, [inner, ..])) if inner == y);
        if is_not(a, b) || is_not(b, a) {
            return true;
        }
        // `x < y` and `y <= x` are opposites too.
        match (self.view(a), self.view(b)) {
            (Some((Op::Ult, [x, y, _])), Some((Op::Ule, [u, v, _])))
            | (Some((Op::Ule, [u, v, _])), Some((Op::Ult, [x, y, _])))
            | (Some((Op::Slt, [x, y, _])), Some((Op::Sle, [u, v, _])))
            | (Some((Op::Sle, [u, v, _])), Some((Op::Slt, [x, y, _]))) => x == v && y == u,
            _ => false,
        }
    }

    /// `a & 0…01…1` as the low bits of `a` under zeros.
    fn low_mask(&mut self, a: Expr, b: Expr) -> Option<Expr> {
        let Expr::Const { bits, width } = b else { return None };
        if bits & bits.wrapping_add(1) != 0 {
            return None;
        }
        let low = self.extract(a, 0, bits.trailing_ones());
        Some(self.zext(low, width))
    }

    /// `(high << k) | low` where `low` has at most `k` bits: the two side by side.
    fn disjoint_parts(&mut self, a: Expr, b: Expr) -> Option<Expr> {
        let width = self.width(a);
        for (high, low) in [(a, b), (b, a)] {
            let Some((Op::Concat, [top, zeros, _])) = self.view(high) else { continue };
            let Some((Op::ZExt, [value, ..])) = self.view(low) else { continue };
            let (room, used) = (self.width(zeros), self.width(value));
            if self.is_zero(zeros) && used <= room {
                let padded = self.zext(value, room);
                let joined = self.concat(top, padded);
                debug_assert_eq!(self.width(joined), width);
                return Some(joined);
            }
        }
        None
    }
}
