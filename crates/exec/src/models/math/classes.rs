//! Zero, subnormal, normal, infinite or no number: told by the bits alone.

use super::ops::{Kind, floats, reply};
use crate::models::{Arguments, Reply};
use crate::run::Run;
use crate::state::Stop;
use smt::expr::Expr;
use smt::pool::Pool;

/// What a float is; the conditions exclude each other, except for the sign's.
pub struct Classes {
    /// No number.
    pub nan: Expr,
    /// No number, and quiet.
    pub quiet: Expr,
    /// Infinite.
    pub infinite: Expr,
    /// Zero.
    pub zero: Expr,
    /// Subnormal.
    pub subnormal: Expr,
    /// Normal.
    pub normal: Expr,
    /// Whether the sign is set.
    pub negative: Expr,
}

impl Classes {
    /// What a float is.
    pub fn of(pool: &mut Pool, kind: Kind, a: Expr) -> Classes {
        let width = kind.width();
        // Where the exponent begins and how wide the fraction below it is; the x87 has its leading bit between them.
        let (low, fraction) = match kind {
            Kind::Ieee(format) => (format.significand() - 1, format.significand() - 1),
            Kind::X87 => (64, 63),
        };
        let exponent_width = width - 1 - low;
        let exponent = pool.extract(a, low, exponent_width);
        let quiet = pool.extract(a, fraction - 1, 1);
        let fraction = pool.extract(a, 0, fraction);
        let (ones, zeros) = (pool.ones(exponent_width), pool.zero(exponent_width));
        let none = {
            let width = pool.width(fraction);
            pool.zero(width)
        };
        let (top, bottom, whole) = (pool.eq(exponent, ones), pool.eq(exponent, zeros), pool.eq(fraction, none));
        let part = pool.not(whole);
        let nan = pool.and(top, part);
        let either = pool.or(top, bottom);
        Classes {
            nan,
            quiet: pool.and(nan, quiet),
            infinite: pool.and(top, whole),
            zero: pool.and(bottom, whole),
            subnormal: pool.and(bottom, part),
            normal: pool.not(either),
            negative: pool.extract(a, width - 1, 1),
        }
    }

    /// Neither infinite nor no number.
    pub fn finite(&self, pool: &mut Pool) -> Expr {
        let special = pool.or(self.nan, self.infinite);
        pool.not(special)
    }

    /// Whether it is in one of the classes that the bits of LLVM's `is.fpclass` name.
    pub fn any_of(&self, pool: &mut Pool, mask: u64) -> Expr {
        let positive = pool.not(self.negative);
        let signalling = {
            let loud = pool.not(self.quiet);
            pool.and(self.nan, loud)
        };
        let signed = [
            (signalling, None),
            (self.quiet, None),
            (self.infinite, Some(self.negative)),
            (self.normal, Some(self.negative)),
            (self.subnormal, Some(self.negative)),
            (self.zero, Some(self.negative)),
            (self.zero, Some(positive)),
            (self.subnormal, Some(positive)),
            (self.normal, Some(positive)),
            (self.infinite, Some(positive)),
        ];
        let mut any = Expr::bool(false);
        for (bit, (class, sign)) in signed.into_iter().enumerate() {
            if mask >> bit & 1 == 1 {
                let this = match sign {
                    Some(sign) => pool.and(class, sign),
                    None => class,
                };
                any = pool.or(any, this);
            }
        }
        any
    }
}

/// 1 if a class fits, else 0.
pub(super) fn is(run: &mut Run, args: &Arguments, class: fn(&Classes, &mut Pool) -> Expr) -> Result<Reply, Stop> {
    let (kind, x) = floats(run, args, 1)?;
    let classes = Classes::of(run.pool(), kind, x[0]);
    let class = class(&classes, run.pool());
    reply(run.pool().zext(class, args.result_bits().max(1)))
}

/// 1 or -1 if it is infinite, else 0.
pub(super) fn signed_infinity(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (kind, x) = floats(run, args, 1)?;
    let pool = run.pool();
    let classes = Classes::of(pool, kind, x[0]);
    let (one, minus, zero) = (Expr::constant(1, 32), Expr::constant(u64::MAX, 32), Expr::constant(0, 32));
    let sign = pool.ite(classes.negative, minus, one);
    reply(pool.ite(classes.infinite, sign, zero))
}

/// The number of the class as the C library counts them.
pub(super) fn classify(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (kind, x) = floats(run, args, 1)?;
    let pool = run.pool();
    let classes = Classes::of(pool, kind, x[0]);
    let mut number = Expr::constant(4, 32);
    for (class, known) in [(classes.subnormal, 3), (classes.zero, 2), (classes.infinite, 1), (classes.nan, 0)] {
        number = pool.ite(class, Expr::constant(known, 32), number);
    }
    reply(number)
}
