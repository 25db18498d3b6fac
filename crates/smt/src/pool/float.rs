//! Floating-point operations. Those that only move bits are done on bits.

use super::{NONE, Pool};
use crate::bits::Bits;
use crate::expr::{Expr, FloatFormat, FloatOp, Op};

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
        // The reciprocal of a power of two is exact, and so is everything that is made of it.
        if let FloatOp::Div(format, rounding) = op
            && let Some(reciprocal) = self.reciprocal(format, args[1])
        {
            return self.float(FloatOp::Mul(format, rounding), &[args[0], reciprocal], width);
        }
        // Addition and multiplication commute, except for the NaN that comes out, and there is only one.
        if matches!(op, FloatOp::Add(..) | FloatOp::Mul(..) | FloatOp::Eq(_)) {
            let (a, b) = self.order(operands[0], operands[1]);
            (operands[0], operands[1]) = (a, b);
        }
        Expr::Term(self.intern(Op::Float(op), width, operands))
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
