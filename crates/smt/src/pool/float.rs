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
        // Addition and multiplication commute, except for the NaN that comes out, and there is only one.
        if matches!(op, FloatOp::Add(..) | FloatOp::Mul(..) | FloatOp::Eq(_)) {
            let (a, b) = self.order(operands[0], operands[1]);
            (operands[0], operands[1]) = (a, b);
        }
        Expr::Term(self.intern(Op::Float(op), width, operands))
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
