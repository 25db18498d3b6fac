//! What is known of a term whatever its symbols are: bits that are always zero or one, and the range
//! of its value. Computed once, when the term is made, from what is known of its operands.

use super::Pool;
use crate::expr::{Expr, Op, mask, signed};

/// What is known of a value of at most 64 bits; of a wider one nothing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Bits that are zero.
    pub zeros: u64,
    /// Bits that are one.
    pub ones: u64,
    /// Least value, unsigned.
    pub low: u64,
    /// Greatest value, unsigned.
    pub high: u64,
}

impl Facts {
    /// Nothing but the width.
    pub fn unknown(width: u32) -> Facts {
        Facts { zeros: !mask(width), ones: 0, low: 0, high: mask(width) }
    }

    /// The value itself.
    pub fn exact(bits: u64) -> Facts {
        Facts { zeros: !bits, ones: bits, low: bits, high: bits }
    }

    /// Whether a value is possible.
    pub fn contains(&self, bits: u64) -> bool {
        self.zeros & bits == 0 && self.ones & !bits == 0 && (self.low..=self.high).contains(&bits)
    }

    /// The value, if only one is possible.
    pub fn value(&self) -> Option<u64> {
        (self.low == self.high).then_some(self.low)
    }

    fn range(low: u64, high: u64) -> Facts {
        Facts { zeros: 0, ones: 0, low, high }
    }

    fn bits(zeros: u64, ones: u64) -> Facts {
        Facts { zeros, ones, low: 0, high: u64::MAX }
    }

    /// Bits and range tell of each other.
    fn settle(mut self, width: u32) -> Facts {
        self.zeros |= !mask(width);
        self.low = self.low.max(self.ones);
        self.high = self.high.min(!self.zeros);
        if self.low > self.high {
            // Only a term that is never evaluated, or a rule that is wrong, gets here; claim nothing.
            return Facts::unknown(width);
        }
        // The bits above the first one in which the ends differ are the same in between.
        let differ = self.low ^ self.high;
        let common = if differ == 0 { u64::MAX } else { !(u64::MAX >> differ.leading_zeros()) };
        self.ones |= self.low & common;
        self.zeros |= !self.low & common;
        self
    }
}

/// How deep an expression is looked into for its range.
const RANGE_DEPTH: u32 = 6;

impl Pool {
    /// What is known of an expression.
    pub fn facts(&self, expr: Expr) -> Facts {
        match expr {
            Expr::Const { bits, .. } => Facts::exact(bits),
            Expr::Term(id) => self.facts[id.index()],
        }
    }

    /// Least and greatest value of an expression of at most 64 bits, read with a sign.
    pub fn signed_range(&self, expr: Expr) -> (i64, i64) {
        self.signed_range_within(expr, RANGE_DEPTH)
    }

    fn signed_range_within(&self, expr: Expr, depth: u32) -> (i64, i64) {
        let width = self.width(expr);
        let half = mask(width) >> 1;
        let all = (-(half as i64) - 1, half as i64);
        let facts = self.facts(expr);
        // All values have the same sign.
        if facts.high <= half || facts.low > half {
            return (signed(facts.low, width), signed(facts.high, width));
        }
        let Expr::Term(id) = expr else { return all };
        let Some(depth) = depth.checked_sub(1) else { return all };
        let node = self.node(id);
        let range = |at: usize| self.signed_range_within(node.args()[at], depth);
        let both = |low: Option<i64>, high: Option<i64>| Some((low?, high?));
        let found = match node.op {
            Op::SExt => Some(range(0)),
            Op::Add => {
                let (a, b) = (range(0), range(1));
                both(a.0.checked_add(b.0), a.1.checked_add(b.1))
            }
            Op::Sub => {
                let (a, b) = (range(0), range(1));
                both(a.0.checked_sub(b.1), a.1.checked_sub(b.0))
            }
            Op::Neg => {
                let a = range(0);
                both(a.1.checked_neg(), a.0.checked_neg())
            }
            Op::Mul => {
                let (a, b) = (range(0), range(1));
                let ends = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)].map(|(a, b)| a.checked_mul(b));
                let ends: Option<Vec<i64>> = ends.into_iter().collect();
                ends.and_then(|ends| both(ends.iter().min().copied(), ends.iter().max().copied()))
            }
            Op::Shl => match node.args()[1].as_const() {
                Some(distance) if distance < 62 => {
                    let a = range(0);
                    both(a.0.checked_mul(1 << distance), a.1.checked_mul(1 << distance))
                }
                _ => None,
            },
            Op::Ite => {
                let (a, b) = (range(1), range(2));
                Some((a.0.min(b.0), a.1.max(b.1)))
            }
            _ => None,
        };
        // What does not fit wraps, and then anything is possible.
        found.filter(|&(low, high)| all.0 <= low && high <= all.1).unwrap_or(all)
    }

    /// What is known of a term that is being made.
    pub(super) fn derive(&self, op: Op, width: u32, args: [Expr; 3]) -> Facts {
        if width > 64 || args.iter().any(|&arg| self.width(arg) > 64) {
            return Facts::unknown(width);
        }
        let [a, b, c] = args.map(|arg| self.facts(arg));
        let all = mask(width);
        let fits = |value: Option<u64>| value.filter(|&value| value <= all);
        let facts = match op {
            Op::Not => Facts { zeros: a.ones, ones: a.zeros & all, low: !a.high & all, high: !a.low & all },
            Op::And => Facts { high: a.high.min(b.high), ..Facts::bits(a.zeros | b.zeros, a.ones & b.ones) },
            Op::Or => Facts { low: a.low.max(b.low), ..Facts::bits(a.zeros & b.zeros, a.ones | b.ones) },
            Op::Xor => Facts::bits(a.zeros & b.zeros | a.ones & b.ones, a.zeros & b.ones | a.ones & b.zeros),
            Op::Add => {
                let sum = known_sum(&a, &b, width);
                match fits(a.high.checked_add(b.high)) {
                    Some(high) => Facts { low: a.low + b.low, high, ..sum },
                    None => sum,
                }
            }
            Op::Sub if a.low >= b.high => Facts::range(a.low - b.high, a.high - b.low),
            Op::Mul => {
                let zeros = a.zeros.trailing_ones() + b.zeros.trailing_ones();
                let low_zeros = if zeros >= 64 { u64::MAX } else { (1 << zeros) - 1 };
                match fits(a.high.checked_mul(b.high)) {
                    Some(high) => Facts { zeros: low_zeros, ones: 0, low: a.low * b.low, high },
                    None => Facts::bits(low_zeros, 0),
                }
            }
            Op::UDiv if b.low > 0 => Facts::range(a.low / b.high, a.high / b.low),
            Op::URem if b.low > 0 => Facts::range(0, a.high.min(b.high - 1)),
            Op::URem | Op::LShr => Facts::range(0, a.high),
            Op::Ite => Facts {
                zeros: b.zeros & c.zeros,
                ones: b.ones & c.ones,
                low: b.low.min(c.low),
                high: b.high.max(c.high),
            },
            Op::Concat => {
                let shift = self.width(args[1]);
                let join = |high: u64, low: u64| if shift >= 64 { low } else { high << shift | low };
                Facts {
                    zeros: join(a.zeros, b.zeros & mask(shift)),
                    ones: join(a.ones, b.ones),
                    low: join(a.low, b.low),
                    high: join(a.high, b.high),
                }
            }
            Op::Extract { low } => {
                let bits = Facts::bits(a.zeros >> low, a.ones >> low & all);
                let cut = a.high >> low <= all;
                if cut { Facts { low: a.low >> low, high: a.high >> low, ..bits } } else { bits }
            }
            Op::ZExt => a,
            Op::SExt => {
                let from = self.width(args[0]);
                let (sign, above) = (1u64 << (from - 1), all & !mask(from));
                if a.zeros & sign != 0 {
                    a
                } else if a.ones & sign != 0 {
                    Facts {
                        zeros: a.zeros & mask(from),
                        ones: a.ones | above,
                        low: a.low | above,
                        high: a.high | above,
                    }
                } else {
                    Facts::bits(a.zeros & mask(from), a.ones)
                }
            }
            Op::Select => self.table_range(args[0]),
            _ => Facts::unknown(width),
        };
        facts.settle(width)
    }

    /// The range of the elements of a known table.
    fn table_range(&self, array: Expr) -> Facts {
        let Expr::Term(id) = array else { return Facts::range(0, u64::MAX) };
        match self.node(id).op {
            // Beyond its end a table is zero.
            Op::ArrayTable(table) => Facts::range(0, self.table(table).iter().copied().max().unwrap_or(0)),
            _ => Facts::range(0, u64::MAX),
        }
    }
}

/// Known bits of a sum: a bit is known where both operands' bits and the carry into it are.
fn known_sum(a: &Facts, b: &Facts, width: u32) -> Facts {
    let all = mask(width);
    let least = a.ones.wrapping_add(b.ones);
    let greatest = (!a.zeros & all).wrapping_add(!b.zeros & all);
    let carry_zero = !(greatest ^ a.zeros ^ b.zeros);
    let carry_one = least ^ a.ones ^ b.ones;
    let known = (a.zeros | a.ones) & (b.zeros | b.ones) & (carry_zero | carry_one) & all;
    Facts::bits(!greatest & known, least & known)
}
