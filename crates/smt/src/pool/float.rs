//! Floating-point operations. Those that only move bits are done on bits.

use super::{NONE, Pool};
use crate::bits::Bits;
use crate::expr::{Expr, FloatFormat, FloatOp, Op, Rounding};

impl Pool {
    /// A floating-point operation on one to three operands.
    pub fn float(&mut self, op: FloatOp, args: &[Expr], width: u32) -> Expr {
        if let Some(value) = self.folded(Op::Float(op), width, args) {
            return value;
        }
        let mut operands = [NONE; 3];
        for (place, &arg) in operands.iter_mut().zip(args) {
            *place = arg;
        }
        if let FloatOp::Eq(format) | FloatOp::Lt(format) | FloatOp::Le(format) = op
            && let Some(compared) = self.compared_as_integers(op, format, args[0], args[1])
        {
            return compared;
        }
        // The reciprocal of a power of two is exact, and so is everything that is made of it.
        if let FloatOp::Div(format, rounding) = op
            && let Some(reciprocal) = self.reciprocal(format, args[1])
        {
            return self.float(FloatOp::Mul(format, rounding), &[args[0], reciprocal], width);
        }
        // What was computed has the one NaN that there is, so that multiplying it by one changes nothing.
        if let FloatOp::Mul(format, _) = op
            && let Some(other) = self.times_one(format, args)
        {
            return other;
        }
        // Adding what is negated is subtracting it, and the other way round.
        if let FloatOp::Add(format, rounding) = op {
            for (a, b) in [(args[0], args[1]), (args[1], args[0])] {
                if let Some(b) = self.negative_of(format, b) {
                    return self.float(FloatOp::Sub(format, rounding), &[a, b], width);
                }
            }
        }
        if let FloatOp::Sub(format, rounding) = op
            && let Some(b) = self.negative_of(format, args[1])
        {
            return self.float(FloatOp::Add(format, rounding), &[args[0], b], width);
        }
        if let FloatOp::Mul(format, _) | FloatOp::Div(format, _) = op
            && let (Some(a), Some(b)) = (self.negated(format, args[0]), self.negated(format, args[1]))
        {
            return self.float(op, &[a, b], width);
        }
        // Addition and multiplication commute, except for the NaN that comes out, and there is only one.
        if matches!(op, FloatOp::Add(..) | FloatOp::Mul(..) | FloatOp::Eq(_)) {
            let (a, b) = self.order(operands[0], operands[1]);
            (operands[0], operands[1]) = (a, b);
        }
        Expr::Term(self.intern(Op::Float(op), width, operands))
    }

    /// A comparison of integers that became floats without being rounded, with each other or with a known number.
    fn compared_as_integers(&mut self, op: FloatOp, format: FloatFormat, a: Expr, b: Expr) -> Option<Expr> {
        match (self.exact_integer(format, a), self.exact_integer(format, b)) {
            (Some((a, signed)), Some((b, also))) if signed == also && self.width(a) == self.width(b) => {
                Some(self.integers(op, a, b, signed))
            }
            (Some((a, signed)), None) => {
                let number = self.known_float(format, b)?;
                let bound = if matches!(op, FloatOp::Lt(_)) { number.ceil() } else { number.floor() };
                self.beside_bound(op, a, signed, number, bound, true)
            }
            (None, Some((b, signed))) => {
                let number = self.known_float(format, a)?;
                let bound = if matches!(op, FloatOp::Lt(_)) { number.floor() } else { number.ceil() };
                self.beside_bound(op, b, signed, number, bound, false)
            }
            _ => None,
        }
    }

    /// An integer beside a known number, whose nearest integer towards the integer's side is `bound`.
    fn beside_bound(
        &mut self,
        op: FloatOp,
        integer: Expr,
        signed: bool,
        number: f64,
        bound: f64,
        first: bool,
    ) -> Option<Expr> {
        let width = self.width(integer);
        // No more than 53 bits, so that these are exact.
        let (least, most) = if signed {
            (-((1u64 << (width - 1)) as f64), ((1u64 << (width - 1)) - 1) as f64)
        } else {
            (0.0, ((1u64 << width) - 1) as f64)
        };
        let never = number.is_nan() || matches!(op, FloatOp::Eq(_)) && number != number.trunc();
        if never {
            return Some(Expr::bool(false));
        }
        if !(least..=most).contains(&bound) {
            let below = bound < least;
            return Some(Expr::bool(!matches!(op, FloatOp::Eq(_)) && below != first));
        }
        let bound = Expr::constant(bound as i64 as u64, width);
        Some(if first { self.integers(op, integer, bound, signed) } else { self.integers(op, bound, integer, signed) })
    }

    fn integers(&mut self, op: FloatOp, a: Expr, b: Expr, signed: bool) -> Expr {
        match (op, signed) {
            (FloatOp::Lt(_), true) => self.slt(a, b),
            (FloatOp::Lt(_), false) => self.ult(a, b),
            (FloatOp::Le(_), true) => self.sle(a, b),
            (FloatOp::Le(_), false) => self.ule(a, b),
            _ => self.eq(a, b),
        }
    }

    /// The integer that a float was made of, and whether it is signed, if every one of its values fits.
    fn exact_integer(&self, format: FloatFormat, a: Expr) -> Option<(Expr, bool)> {
        let Expr::Term(id) = a else { return None };
        let node = self.node(id);
        let Op::Float(FloatOp::FromInt { to, signed, .. }) = node.op else { return None };
        let integer = node.args()[0];
        (to == format && self.width(integer) <= format.significand().min(53)).then_some((integer, signed))
    }

    fn known_float(&self, format: FloatFormat, a: Expr) -> Option<f64> {
        let bits = self.known(a)?.low();
        match format {
            FloatFormat::Double => Some(f64::from_bits(bits)),
            FloatFormat::Single => Some(f64::from(f32::from_bits(bits as u32))),
            _ => None,
        }
    }

    /// The other operand, if one is one and the other was computed in the same format.
    fn times_one(&self, format: FloatFormat, args: &[Expr]) -> Option<Expr> {
        if format.width() > 64 {
            return None;
        }
        let bias = (1u64 << (format.exponent() - 1)) - 1;
        let one = Expr::constant(bias << (format.significand() - 1), format.width());
        let other = if args[0] == one { args[1] } else { (args[1] == one).then_some(args[0])? };
        let Expr::Term(id) = other else { return None };
        let Op::Float(op) = self.node(id).op else { return None };
        let computed = match op {
            FloatOp::Add(of, _) | FloatOp::Sub(of, _) | FloatOp::Mul(of, _) | FloatOp::Div(of, _) => of,
            FloatOp::Rem(of) | FloatOp::Fma(of, _) | FloatOp::Sqrt(of, _) | FloatOp::RoundToIntegral(of, _) => of,
            FloatOp::Convert { to, .. } | FloatOp::FromInt { to, .. } => to,
            FloatOp::Eq(_) | FloatOp::Lt(_) | FloatOp::Le(_) | FloatOp::IsNan(_) | FloatOp::ToInt { .. } => {
                return None;
            }
        };
        (computed == format).then_some(other)
    }

    /// What an expression has the same size as, with the other sign, as far as sums can tell: they have one NaN. A product
    /// with one negated factor is the negated product where rounding knows no direction.
    fn negative_of(&mut self, format: FloatFormat, a: Expr) -> Option<Expr> {
        if let Some(inner) = self.negated(format, a) {
            return Some(inner);
        }
        let Expr::Term(id) = a else { return None };
        let node = self.node(id);
        let (Op::Float(op @ (FloatOp::Mul(of, rounding) | FloatOp::Div(of, rounding))), &[left, right]) =
            (node.op, node.args())
        else {
            return None;
        };
        if of != format || !matches!(rounding, Rounding::NearestEven | Rounding::NearestAway) {
            return None;
        }
        let operands = match (self.negated(format, left), self.negated(format, right)) {
            (Some(left), None) => [left, right],
            (None, Some(right)) => [left, right],
            _ => return None,
        };
        Some(self.float(op, &operands, format.width()))
    }

    /// What an expression is the negation of, if it is one of something that is not known.
    fn negated(&self, format: FloatFormat, a: Expr) -> Option<Expr> {
        let Expr::Term(id) = a else { return None };
        let node = self.node(id);
        let sign = Expr::constant(1u64.checked_shl(format.width() - 1)?, format.width());
        match (node.op, node.args()) {
            (Op::Xor, &[inner, known]) if known == sign => Some(inner),
            (Op::Xor, &[known, inner]) if known == sign => Some(inner),
            _ => None,
        }
    }

    /// The reciprocal of a known number if both are normal powers of two.
    fn reciprocal(&mut self, format: FloatFormat, a: Expr) -> Option<Expr> {
        let bits = self.known(a).filter(|bits| bits.width <= 64)?.low();
        let fraction = format.significand() - 1;
        let field = bits >> fraction & ((1 << format.exponent()) - 1);
        let bias = (1u64 << (format.exponent() - 1)) - 1;
        // The reciprocal's exponent is `2 * bias - field`, which has to be normal too.
        let power = bits & ((1 << fraction) - 1) == 0 && (1..2 * bias).contains(&field);
        let sign = bits >> (format.width() - 1) << (format.width() - 1);
        power.then(|| Expr::constant(sign | (2 * bias - field) << fraction, format.width()))
    }

    /// The number with its sign inverted; of a NaN too.
    pub fn float_neg(&mut self, format: FloatFormat, a: Expr) -> Expr {
        let sign = Bits::new(1, format.width()).shl(format.width() - 1);
        let sign = self.bits(&sign);
        self.xor(a, sign)
    }

    /// The number without its sign.
    pub fn float_abs(&mut self, format: FloatFormat, a: Expr) -> Expr {
        let rest = Bits::ones(format.width()).lshr(1);
        let rest = self.bits(&rest);
        self.and(a, rest)
    }
}
