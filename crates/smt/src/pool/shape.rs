//! Choices, joins, slices and extensions.

use super::{NONE, Pool};
use crate::expr::{Expr, Op};

impl Pool {
    /// `then` if the condition is 1, else `otherwise`.
    pub fn ite(&mut self, condition: Expr, then: Expr, otherwise: Expr) -> Expr {
        if let Some(value) = condition.as_const() {
            return if value == 1 { then } else { otherwise };
        }
        if then == otherwise {
            return then;
        }
        let width = self.width(then);
        if let Some((Op::Not, [inner, ..])) = self.view(condition) {
            return self.ite(inner, otherwise, then);
        }
        if width == 1 {
            return self.bool_ite(condition, then, otherwise);
        }
        // The condition is known inside its own branches.
        if let Some((Op::Ite, [inner, x, _])) = self.view(then)
            && inner == condition
        {
            return self.ite(condition, x, otherwise);
        }
        if let Some((Op::Ite, [inner, _, y])) = self.view(otherwise)
            && inner == condition
        {
            return self.ite(condition, then, y);
        }
        Expr::Term(self.intern(Op::Ite, width, [condition, then, otherwise]))
    }

    /// `high` above `low`.
    pub fn concat(&mut self, high: Expr, low: Expr) -> Expr {
        let width = self.width(high) + self.width(low);
        if let (Some(a), Some(b)) = (self.known(high), self.known(low)) {
            let joined = a.concat(&b);
            return self.bits(&joined);
        }
        if self.is_zero(high) {
            return self.zext(low, width);
        }
        if let Some(joined) = self.join(high, low) {
            return joined;
        }
        // Joins lean to the right, so neighbours meet.
        if let Some((Op::Concat, [x, y, _])) = self.view(high) {
            let rest = self.concat(y, low);
            return self.concat(x, rest);
        }
        if let Some((Op::Concat, [x, y, _])) = self.view(low)
            && let Some(joined) = self.join(high, x)
        {
            return self.concat(joined, y);
        }
        self.term2(Op::Concat, width, high, low)
    }

    /// `width` bits from `low` on.
    pub fn extract(&mut self, a: Expr, low: u32, width: u32) -> Expr {
        let from = self.width(a);
        if low == 0 && width == from {
            return a;
        }
        if let Some(value) = self.folded(Op::Extract { low }, width, &[a]) {
            return value;
        }
        if let Some(moved) = self.look_into(|pool| pool.extract_through(a, low, width)) {
            return moved;
        }
        self.term1(Op::Extract { low }, width, a)
    }

    /// A slice of what an operation was made of.
    fn extract_through(&mut self, a: Expr, low: u32, width: u32) -> Option<Expr> {
        let moved = match self.view(a) {
            Some((Op::Extract { low: inner }, [x, ..])) => self.extract(x, low + inner, width),
            Some((Op::Concat, [x, y, _])) => {
                let middle = self.width(y);
                if low >= middle {
                    self.extract(x, low - middle, width)
                } else if low + width <= middle {
                    self.extract(y, low, width)
                } else {
                    let (upper, lower) = (self.extract(x, 0, low + width - middle), self.extract(y, low, middle - low));
                    self.concat(upper, lower)
                }
            }
            Some((op @ (Op::ZExt | Op::SExt), [x, ..])) => {
                let inner = self.width(x);
                if low + width <= inner {
                    self.extract(x, low, width)
                } else if low >= inner && op == Op::ZExt {
                    self.zero(width)
                } else if low < inner {
                    let kept = self.extract(x, low, inner - low);
                    if op == Op::ZExt { self.zext(kept, width) } else { self.sext(kept, width) }
                } else {
                    let sign = self.extract(x, inner - 1, 1);
                    self.sext(sign, width)
                }
            }
            Some((op @ (Op::And | Op::Or | Op::Xor), [x, y, _])) if self.is_known(y) => {
                let (x, y) = (self.extract(x, low, width), self.extract(y, low, width));
                match op {
                    Op::And => self.and(x, y),
                    Op::Or => self.or(x, y),
                    _ => self.xor(x, y),
                }
            }
            Some((Op::Not, [x, ..])) => {
                let inner = self.extract(x, low, width);
                self.not(inner)
            }
            // Low bits of a sum depend on low bits only.
            Some((Op::Add, [x, y, _])) if low == 0 && self.is_known(y) => {
                let (x, y) = (self.extract(x, 0, width), self.extract(y, 0, width));
                self.add(x, y)
            }
            Some((Op::Ite, [c, x, y])) if self.is_known(x) || self.is_known(y) => {
                let (x, y) = (self.extract(x, low, width), self.extract(y, low, width));
                self.ite(c, x, y)
            }
            _ => return None,
        };
        Some(moved)
    }

    /// Zeros above, up to `width`.
    pub fn zext(&mut self, a: Expr, width: u32) -> Expr {
        if self.width(a) == width {
            return a;
        }
        if let Some(value) = self.folded(Op::ZExt, width, &[a]) {
            return value;
        }
        match self.view(a) {
            Some((Op::ZExt, [x, ..])) => self.zext(x, width),
            Some((Op::Ite, [c, x, y])) if self.is_known(x) && self.is_known(y) => {
                let (x, y) = (self.zext(x, width), self.zext(y, width));
                self.ite(c, x, y)
            }
            _ => self.term1(Op::ZExt, width, a),
        }
    }

    /// The sign above, up to `width`.
    pub fn sext(&mut self, a: Expr, width: u32) -> Expr {
        if self.width(a) == width {
            return a;
        }
        if let Some(value) = self.folded(Op::SExt, width, &[a]) {
            return value;
        }
        match self.view(a) {
            Some((Op::SExt, [x, ..])) => self.sext(x, width),
            // A zero-extended value is not negative.
            Some((Op::ZExt, [x, ..])) => self.zext(x, width),
            Some((Op::Ite, [c, x, y])) if self.is_known(x) && self.is_known(y) => {
                let (x, y) = (self.sext(x, width), self.sext(y, width));
                self.ite(c, x, y)
            }
            _ => self.term1(Op::SExt, width, a),
        }
    }

    /// Both must hold.
    pub fn both(&mut self, a: Expr, b: Expr) -> Expr {
        self.and(a, b)
    }

    /// If `a` holds, `b` does.
    pub fn implies(&mut self, a: Expr, b: Expr) -> Expr {
        let not = self.not(a);
        self.or(not, b)
    }

    /// A choice between truth values is logic.
    fn bool_ite(&mut self, condition: Expr, then: Expr, otherwise: Expr) -> Expr {
        match (then.as_const(), otherwise.as_const()) {
            (Some(1), Some(_)) => condition,
            (Some(_), Some(_)) => self.not(condition),
            (Some(1), None) => self.or(condition, otherwise),
            (Some(_), None) => {
                let not = self.not(condition);
                self.and(not, otherwise)
            }
            (None, Some(0)) => self.and(condition, then),
            (None, Some(_)) => self.implies(condition, then),
            (None, None) if then == condition => self.or(condition, otherwise),
            (None, None) if otherwise == condition => self.and(condition, then),
            (None, None) => Expr::Term(self.intern(Op::Ite, 1, [condition, then, otherwise])),
        }
    }

    /// Two neighbours that are one: slices of one value side by side, constants, a value below its own sign.
    fn join(&mut self, high: Expr, low: Expr) -> Option<Expr> {
        if let (Some(a), Some(b)) = (self.known(high), self.known(low)) {
            let joined = a.concat(&b);
            return Some(self.bits(&joined));
        }
        let slice = |pool: &Pool, expr: Expr| match pool.view(expr) {
            Some((Op::Extract { low }, [x, ..])) => (x, low),
            _ => (expr, 0),
        };
        let ((x, high_low), (y, low_low)) = (slice(self, high), slice(self, low));
        let (high_width, low_width) = (self.width(high), self.width(low));
        if x == y && x != NONE && high_low == low_low + low_width {
            return Some(self.extract(x, low_low, high_width + low_width));
        }
        None
    }
}
