//! Arithmetic and shifts.

use super::Pool;
use crate::expr::{Expr, Op, mask};

impl Pool {
    /// Two's complement.
    pub fn neg(&mut self, a: Expr) -> Expr {
        let width = self.width(a);
        if let Some(value) = self.folded(Op::Neg, width, &[a]) {
            return value;
        }
        match self.view(a) {
            Some((Op::Neg, [inner, ..])) => inner,
            Some((Op::Sub, [x, y, _])) => self.sub(y, x),
            _ if width == 1 => a,
            _ => self.term1(Op::Neg, width, a),
        }
    }

    /// Sum.
    pub fn add(&mut self, a: Expr, b: Expr) -> Expr {
        let width = self.width(a);
        if let Some(value) = self.folded(Op::Add, width, &[a, b]) {
            return value;
        }
        if width == 1 {
            return self.xor(a, b);
        }
        let (a, b) = self.order(a, b);
        if self.is_zero(b) {
            return a;
        }
        if self.is_known(b) {
            match self.view(a) {
                Some((Op::Add, [x, y, _])) if self.is_known(y) => {
                    let both = self.add(y, b);
                    return self.add(x, both);
                }
                Some((Op::Sub, [x, y, _])) if self.is_known(x) => {
                    let both = self.add(x, b);
                    return self.sub(both, y);
                }
                Some((Op::Ite, [c, x, y])) if self.is_known(x) && self.is_known(y) => {
                    let (x, y) = (self.add(x, b), self.add(y, b));
                    return self.ite(c, x, y);
                }
                _ => {}
            }
        }
        match (self.view(a), self.view(b)) {
            (_, Some((Op::Neg, [y, ..]))) => return self.sub(a, y),
            (Some((Op::Neg, [x, ..])), _) => return self.sub(b, x),
            (Some((Op::Sub, [x, y, _])), _) if y == b => return x,
            (_, Some((Op::Sub, [x, y, _]))) if y == a => return x,
            // Constants go outside, where the next one finds them.
            (Some((Op::Add, [x, y, _])), _) if self.is_known(y) => {
                let inner = self.add(x, b);
                return self.add(inner, y);
            }
            (_, Some((Op::Add, [x, y, _]))) if self.is_known(y) => {
                let inner = self.add(a, x);
                return self.add(inner, y);
            }
            _ => {}
        }
        self.term2(Op::Add, width, a, b)
    }

    /// Difference.
    pub fn sub(&mut self, a: Expr, b: Expr) -> Expr {
        let width = self.width(a);
        if let Some(value) = self.folded(Op::Sub, width, &[a, b]) {
            return value;
        }
        if width == 1 {
            return self.xor(a, b);
        }
        if a == b {
            return self.zero(width);
        }
        if self.is_known(b) {
            let negative = self.neg(b);
            return self.add(a, negative);
        }
        if self.is_zero(a) {
            return self.neg(b);
        }
        match (self.view(a), self.view(b)) {
            (_, Some((Op::Neg, [y, ..]))) => return self.add(a, y),
            (Some((Op::Add, [x, y, _])), _) if x == b => return y,
            (Some((Op::Add, [x, y, _])), _) if y == b => return x,
            // Constants go outside, so that `(x + 3) - (x + 1)` finds its way to 2.
            (Some((Op::Add, [x, y, _])), _) if self.is_known(y) => {
                let inner = self.sub(x, b);
                return self.add(inner, y);
            }
            (_, Some((Op::Add, [x, y, _]))) if self.is_known(y) => {
                let inner = self.sub(a, x);
                let outer = self.neg(y);
                return self.add(inner, outer);
            }
            (_, Some((Op::Add, [x, y, _]))) if x == a => return self.neg(y),
            (_, Some((Op::Add, [x, y, _]))) if y == a => return self.neg(x),
            (_, Some((Op::Sub, [x, y, _]))) if x == a => return y,
            // What is left of a number without all multiples of another one.
            (_, Some((Op::Mul, [x, y, _]))) => {
                for (quotient, divisor) in [(x, y), (y, x)] {
                    match self.view(quotient) {
                        Some((Op::UDiv, [n, by, _])) if n == a && by == divisor => return self.urem(a, by),
                        Some((Op::SDiv, [n, by, _])) if n == a && by == divisor => return self.srem(a, by),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        self.term2(Op::Sub, width, a, b)
    }

    /// Product.
    pub fn mul(&mut self, a: Expr, b: Expr) -> Expr {
        let width = self.width(a);
        if let Some(value) = self.folded(Op::Mul, width, &[a, b]) {
            return value;
        }
        if width == 1 {
            return self.and(a, b);
        }
        let (a, b) = self.order(a, b);
        if self.is_zero(b) {
            return b;
        }
        if self.is_ones(b) {
            return self.neg(a);
        }
        if let Some(power) = self.power_of_two(b) {
            let distance = self.number(u64::from(power), width);
            return self.shl(a, distance);
        }
        if let Some((Op::Mul, [x, y, _])) = self.view(a)
            && self.is_known(y)
            && self.is_known(b)
        {
            let both = self.mul(y, b);
            return self.mul(x, both);
        }
        self.term2(Op::Mul, width, a, b)
    }

    /// Unsigned quotient; by zero all ones.
    pub fn udiv(&mut self, a: Expr, b: Expr) -> Expr {
        let width = self.width(a);
        if let Some(value) = self.folded(Op::UDiv, width, &[a, b]) {
            return value;
        }
        if self.is_zero(b) {
            return self.ones(width);
        }
        if let Some(power) = self.power_of_two(b) {
            let distance = self.number(u64::from(power), width);
            return self.lshr(a, distance);
        }
        if let Some(simpler) = self.quotient_of_parts((Op::UDiv, Op::URem), a, b) {
            return simpler;
        }
        self.term2(Op::UDiv, width, a, b)
    }

    /// Unsigned remainder; by zero the dividend.
    pub fn urem(&mut self, a: Expr, b: Expr) -> Expr {
        let width = self.width(a);
        if let Some(value) = self.folded(Op::URem, width, &[a, b]) {
            return value;
        }
        if self.is_zero(b) {
            return a;
        }
        if let Some(power) = self.power_of_two(b) {
            if power == 0 {
                return self.zero(width);
            }
            let low = self.extract(a, 0, power);
            return self.zext(low, width);
        }
        if let Some(simpler) = self.remainder_of_remainder(Op::URem, a, b) {
            return simpler;
        }
        self.term2(Op::URem, width, a, b)
    }

    /// Two operands' values, if they are positive as signed numbers.
    fn positive(&self, a: Expr, b: Expr) -> Option<(u64, u64)> {
        let width = self.width(b);
        if width > 64 {
            return None;
        }
        let most = mask(width) >> 1;
        let known = |value: Expr| value.as_const().filter(|&value| value > 0 && value <= most);
        known(a).zip(known(b))
    }

    /// Seconds as hours, minutes and seconds: a quotient of a quotient is one quotient, and a quotient of a remainder is the
    /// remainder of a quotient.
    fn quotient_of_parts(&mut self, (div, rem): (Op, Op), a: Expr, b: Expr) -> Option<Expr> {
        let (width, (op, [x, y, _])) = (self.width(a), self.view(a)?);
        let (inner, outer) = self.positive(y, b)?;
        if op == div {
            let both = inner.checked_mul(outer).filter(|&both| both <= mask(width) >> 1)?;
            let both = self.number(both, width);
            return Some(if div == Op::UDiv { self.udiv(x, both) } else { self.sdiv(x, both) });
        }
        if op != rem || inner % outer != 0 {
            return None;
        }
        let times = self.number(inner / outer, width);
        if div == Op::UDiv {
            let quotient = self.udiv(x, b);
            return Some(self.urem(quotient, times));
        }
        let quotient = self.sdiv(x, b);
        Some(self.srem(quotient, times))
    }

    /// A remainder by a multiple leaves that by the number as it is.
    fn remainder_of_remainder(&mut self, rem: Op, a: Expr, b: Expr) -> Option<Expr> {
        let (op, [x, y, _]) = self.view(a)?;
        let (inner, outer) = self.positive(y, b)?;
        if op != rem || inner % outer != 0 {
            return None;
        }
        Some(if rem == Op::URem { self.urem(x, b) } else { self.srem(x, b) })
    }

    /// Whether a number is not negative, whatever its symbols are.
    fn is_positive(&self, a: Expr) -> bool {
        let width = self.width(a);
        width <= 64 && self.facts(a).high <= mask(width) >> 1
    }

    /// Signed quotient, rounded to zero; by zero 1 or -1, against the dividend's sign.
    pub fn sdiv(&mut self, a: Expr, b: Expr) -> Expr {
        let width = self.width(a);
        if let Some(value) = self.folded(Op::SDiv, width, &[a, b]) {
            return value;
        }
        if self.is_positive(a) && self.is_positive(b) {
            return self.udiv(a, b);
        }
        match self.power_of_two(b) {
            Some(0) if width > 1 => a,
            _ if self.is_ones(b) => self.neg(a),
            _ => match self.quotient_of_parts((Op::SDiv, Op::SRem), a, b) {
                Some(simpler) => simpler,
                None => self.term2(Op::SDiv, width, a, b),
            },
        }
    }

    /// Signed remainder, with the dividend's sign; by zero the dividend.
    pub fn srem(&mut self, a: Expr, b: Expr) -> Expr {
        let width = self.width(a);
        if let Some(value) = self.folded(Op::SRem, width, &[a, b]) {
            return value;
        }
        if self.is_zero(b) {
            return a;
        }
        if self.is_positive(a) && self.is_positive(b) {
            return self.urem(a, b);
        }
        if self.is_ones(b) || self.power_of_two(b) == Some(0) {
            return self.zero(width);
        }
        if let Some(simpler) = self.remainder_of_remainder(Op::SRem, a, b) {
            return simpler;
        }
        self.term2(Op::SRem, width, a, b)
    }

    /// Left shift; zero if the distance is the width or more.
    pub fn shl(&mut self, a: Expr, b: Expr) -> Expr {
        let width = self.width(a);
        if let Some(value) = self.folded(Op::Shl, width, &[a, b]) {
            return value;
        }
        if self.is_zero(a) {
            return a;
        }
        match self.distance(b) {
            Some(0) => a,
            Some(distance) if distance >= width => self.zero(width),
            // The bits that stay, above zeros: what slices and joins understand.
            Some(distance) => {
                let (kept, zeros) = (self.extract(a, 0, width - distance), self.zero(distance));
                self.concat(kept, zeros)
            }
            None => self.term2(Op::Shl, width, a, b),
        }
    }

    /// Logical right shift; zero if the distance is the width or more.
    pub fn lshr(&mut self, a: Expr, b: Expr) -> Expr {
        let width = self.width(a);
        if let Some(value) = self.folded(Op::LShr, width, &[a, b]) {
            return value;
        }
        if self.is_zero(a) {
            return a;
        }
        match self.distance(b) {
            Some(0) => a,
            Some(distance) if distance >= width => self.zero(width),
            Some(distance) => {
                let kept = self.extract(a, distance, width - distance);
                self.zext(kept, width)
            }
            None => self.term2(Op::LShr, width, a, b),
        }
    }

    /// Arithmetic right shift; all sign bits if the distance is the width or more.
    pub fn ashr(&mut self, a: Expr, b: Expr) -> Expr {
        let width = self.width(a);
        if let Some(value) = self.folded(Op::AShr, width, &[a, b]) {
            return value;
        }
        if self.is_zero(a) || self.is_ones(a) {
            return a;
        }
        match self.distance(b) {
            Some(0) => a,
            Some(distance) => {
                let distance = distance.min(width - 1);
                let kept = self.extract(a, distance, width - distance);
                self.sext(kept, width)
            }
            None => self.term2(Op::AShr, width, a, b),
        }
    }

    /// A small number of any width.
    pub fn number(&mut self, value: u64, width: u32) -> Expr {
        if width <= 64 {
            Expr::constant(value, width)
        } else {
            self.bits(&crate::bits::Bits::new(u128::from(value), width))
        }
    }

    /// The exponent of a constant that is a power of two.
    fn power_of_two(&self, expr: Expr) -> Option<u32> {
        let bits = self.known(expr)?;
        let ones: u32 = bits.words.iter().map(|word| word.count_ones()).sum();
        let position = bits.words.iter().position(|&word| word != 0)?;
        (ones == 1).then(|| position as u32 * 64 + bits.words[position].trailing_zeros())
    }

    /// A known distance, cut to the width of the value that is shifted.
    fn distance(&self, expr: Expr) -> Option<u32> {
        let bits = self.known(expr)?;
        let high = bits.words.iter().skip(1).any(|&word| word != 0);
        Some(if high { bits.width } else { u32::try_from(bits.low()).unwrap_or(u32::MAX).min(bits.width) })
    }
}
