//! Operations on one float format each, exact as IEEE defines them: expressions for the solver's formats, known values
//! for the x87's.

use crate::models::intrinsics::element;
use crate::models::{Arguments, Reply};
use crate::run::Run;
use crate::state::{RemarkKind, Stop};
use crate::value::{Shape, Value};
use crate::x87;
use smt::bits::Bits;
use smt::expr::{Expr, FloatFormat, FloatOp, Rounding};
use smt::pool::Pool;

/// A float of some format.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A format of the solver's.
    Ieee(FloatFormat),
    /// The x87's format: known values only.
    X87,
}

impl Kind {
    /// The format of a shape.
    pub fn of(run: &Run, shape: &Shape) -> Result<Kind, Stop> {
        match shape {
            Shape::Float { format: Some(format), .. } => Ok(Kind::Ieee(*format)),
            Shape::Float { bits: x87::BITS, .. } => Ok(Kind::X87),
            _ => Err(run.unsupported("this float type")),
        }
    }

    /// Bits of the format.
    pub fn width(self) -> u32 {
        match self {
            Kind::Ieee(format) => format.width(),
            Kind::X87 => x87::BITS,
        }
    }
}

/// The value of an x87 float.
pub fn known(run: &mut Run, value: Expr) -> Result<u128, Stop> {
    match run.pool().known(value) {
        Some(bits) => Ok(bits.low_128()),
        None => Err(run.unsupported("a long double of unknown value")),
    }
}

/// An x87 float as an expression.
pub fn wide(run: &mut Run, bits: u128) -> Expr {
    run.pool().bits(&Bits::new(bits, x87::BITS))
}

/// The format and bits of the first `count` arguments, which are floats of one format.
pub fn floats(run: &mut Run, args: &Arguments, count: usize) -> Result<(Kind, Vec<Expr>), Stop> {
    let kind = Kind::of(run, &element(args.shapes.first()))?;
    let mut bits = Vec::with_capacity(count);
    for index in 0..count {
        bits.push(run.bits(&args.value(index), kind.width())?);
    }
    Ok((kind, bits))
}

/// A float as a reply.
pub fn reply(value: Expr) -> Result<Reply, Stop> {
    Ok(Reply::Value(Value::Bits(value)))
}

/// The nearest integral number in a direction.
pub fn integral(run: &mut Run, kind: Kind, a: Expr, rounding: Rounding) -> Result<Expr, Stop> {
    match kind {
        Kind::Ieee(format) => Ok(run.pool().float(FloatOp::RoundToIntegral(format, rounding), &[a], format.width())),
        Kind::X87 => {
            let bits = x87::round_to_integral(known(run, a)?, rounding);
            Ok(wide(run, bits))
        }
    }
}

/// Square root.
pub fn square_root(run: &mut Run, kind: Kind, a: Expr) -> Result<Expr, Stop> {
    match kind {
        Kind::Ieee(format) => Ok(run.pool().float(FloatOp::Sqrt(format, Rounding::NearestEven), &[a], format.width())),
        Kind::X87 => {
            let bits = x87::square_root(known(run, a)?);
            Ok(wide(run, bits))
        }
    }
}

/// Arithmetic, and `fmod`.
pub fn binary(run: &mut Run, kind: Kind, op: ir::inst::BinaryOp, a: Expr, b: Expr) -> Result<Expr, Stop> {
    let format = match kind {
        Kind::Ieee(format) => Some(format),
        Kind::X87 => None,
    };
    let shape = Shape::Float { format, bits: kind.width(), bytes: kind.width().div_ceil(8) };
    let value = run.binary(op, ir::inst::Flags::empty(), &Value::Bits(a), &Value::Bits(b), &shape)?;
    run.bits(&value, kind.width())
}

/// First times second plus third, rounded once.
pub fn multiply_add(run: &mut Run, kind: Kind, x: &[Expr]) -> Result<Expr, Stop> {
    match kind {
        Kind::Ieee(format) => Ok(run.pool().float(FloatOp::Fma(format, Rounding::NearestEven), x, format.width())),
        Kind::X87 => {
            let bits = x87::multiply_add(known(run, x[0])?, known(run, x[1])?, known(run, x[2])?);
            Ok(wide(run, bits))
        }
    }
}

/// Whether it is no number.
pub fn is_nan(run: &mut Run, kind: Kind, a: Expr) -> Result<Expr, Stop> {
    match kind {
        Kind::Ieee(format) => Ok(run.pool().float(FloatOp::IsNan(format), &[a], 1)),
        Kind::X87 => Ok(Expr::bool(x87::is_nan(known(run, a)?))),
    }
}

/// Ordered and less, or also equal.
pub fn less(run: &mut Run, kind: Kind, a: Expr, b: Expr, or_equal: bool) -> Result<Expr, Stop> {
    match kind {
        Kind::Ieee(format) => {
            let op = if or_equal { FloatOp::Le(format) } else { FloatOp::Lt(format) };
            Ok(run.pool().float(op, &[a, b], 1))
        }
        Kind::X87 => {
            use ir::inst::FloatPredicate::{Ole, Olt};
            let (a, b) = (known(run, a)?, known(run, b)?);
            Ok(Expr::bool(x87::compare(if or_equal { Ole } else { Olt }, a, b)))
        }
    }
}

/// The number without its sign.
pub fn absolute(pool: &mut Pool, kind: Kind, a: Expr) -> Expr {
    let rest = pool.bits(&Bits::ones(kind.width()).lshr(1));
    pool.and(a, rest)
}

/// The first number with the second one's sign.
pub fn copy_sign(pool: &mut Pool, kind: Kind, a: Expr, b: Expr) -> Expr {
    let width = kind.width();
    let sign = pool.extract(b, width - 1, 1);
    let rest = pool.extract(a, 0, width - 1);
    pool.concat(sign, rest)
}

/// Which of two numbers an operation on the lesser or greater one gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The other one if one is no number; the first one if they are equal.
    Number,
    /// As `Number`, but the second one if they are equal.
    NumberSecond,
    /// No number if one is none; zeros are ordered by their signs.
    Strict,
    /// As `Strict`, but the other one if one is no number.
    StrictNumber,
}

/// The lesser or greater of two numbers.
pub fn extreme(run: &mut Run, kind: Kind, a: Expr, b: Expr, greater: bool, choice: Choice) -> Result<Expr, Stop> {
    let (nan_a, nan_b) = (is_nan(run, kind, a)?, is_nan(run, kind, b)?);
    let (x, y) = if greater { (b, a) } else { (a, b) };
    let below = less(run, kind, x, y, false)?;
    let equal = {
        let (one, other) = (less(run, kind, a, b, true)?, less(run, kind, b, a, true)?);
        run.pool().and(one, other)
    };
    let pool = run.pool();
    let width = kind.width();
    let tie = match choice {
        Choice::Number => a,
        Choice::NumberSecond => b,
        // Equal and different only as zeros: the sign decides.
        Choice::Strict | Choice::StrictNumber => {
            let negative = pool.extract(a, width - 1, 1);
            if greater { pool.ite(negative, b, a) } else { pool.ite(negative, a, b) }
        }
    };
    let different = pool.ite(below, a, b);
    let ordered = pool.ite(equal, tie, different);
    Ok(match choice {
        Choice::Strict => {
            let rest = pool.ite(nan_b, b, ordered);
            pool.ite(nan_a, a, rest)
        }
        _ => {
            let rest = pool.ite(nan_b, a, ordered);
            pool.ite(nan_a, b, rest)
        }
    })
}

/// The number times a known power of two, rounded once.
pub fn scale(run: &mut Run, kind: Kind, a: Expr, exponent: i64) -> Result<Expr, Stop> {
    let Kind::Ieee(format) = kind else {
        let exponent = exponent.clamp(-100_000, 100_000) as i32;
        let bits = x87::scale(known(run, a)?, exponent);
        return Ok(wide(run, bits));
    };
    let most = (1i64 << (format.exponent() - 1)) - 1;
    let least = 1 - most;
    let mut left = exponent.clamp(-8 * most, 8 * most);
    let mut value = a;
    // Every step but the last one is exact, or its result is zero or infinite anyway.
    while left > most {
        value = times_power(run, format, value, most);
        left -= most;
    }
    let step = least + i64::from(format.significand());
    while left < least {
        value = times_power(run, format, value, step);
        left -= step;
    }
    Ok(times_power(run, format, value, left))
}

fn times_power(run: &mut Run, format: FloatFormat, a: Expr, exponent: i64) -> Expr {
    let bias = (1i64 << (format.exponent() - 1)) - 1;
    let power = Bits::new((exponent + bias) as u128, format.width()).shl(format.significand() - 1);
    let power = run.pool().bits(&power);
    run.pool().float(FloatOp::Mul(format, Rounding::NearestEven), &[a, power], format.width())
}

/// A number in [0.5, 1) and the power of two, 32 bits, that it is to be multiplied by. Zeros, infinities and NaNs are
/// themselves.
pub fn split(run: &mut Run, kind: Kind, a: Expr) -> Result<(Expr, Expr), Stop> {
    let Kind::Ieee(format) = kind else {
        let (fraction, exponent) = x87::split(known(run, a)?);
        return Ok((wide(run, fraction), Expr::constant(exponent as u64, 32)));
    };
    let (width, significand) = (format.width(), format.significand());
    let bias = (1u64 << (format.exponent() - 1)) - 1;
    let largest = (1u64 << format.exponent()) - 1;
    let field = |pool: &mut Pool, a: Expr| {
        let field = pool.extract(a, significand - 1, format.exponent());
        pool.zext(field, 32)
    };
    let pool = run.pool();
    let exponent = field(pool, a);
    let special = pool.eq(exponent, Expr::constant(largest, 32));
    let magnitude = absolute(pool, kind, a);
    let none = pool.zero(width);
    let zero = pool.eq(magnitude, none);
    let unsplit = pool.or(special, zero);
    if run.decide(unsplit)? {
        return Ok((a, Expr::constant(0, 32)));
    }
    let subnormal = run.pool().eq(exponent, Expr::constant(0, 32));
    let (a, exponent, up) = if run.decide(subnormal)? {
        let up = i64::from(significand);
        let scaled = times_power(run, format, a, up);
        let exponent = field(run.pool(), scaled);
        (scaled, exponent, up)
    } else {
        (a, exponent, 0)
    };
    let pool = run.pool();
    let shift = Expr::constant((bias - 1).wrapping_add(up as u64), 32);
    let power = pool.sub(exponent, shift);
    let sign = pool.extract(a, width - 1, 1);
    let rest = pool.extract(a, 0, significand - 1);
    let half = pool.concat(Expr::constant(bias - 1, format.exponent()), rest);
    Ok((pool.concat(sign, half), power))
}

/// How a function of known numbers is computed, if it is.
type Known<'f, T> = Option<&'f dyn Fn(&[T]) -> T>;

/// A function that IEEE does not define exactly: computed where its arguments are known, else any number, the same for
/// the same arguments.
pub fn inexact(run: &mut Run, kind: Kind, name: &str, x: &[Expr], double: Known<f64>, single: Known<f32>) -> Expr {
    let known: Option<Vec<u64>> = x.iter().map(|bits| bits.as_const()).collect();
    match (kind, known, double, single) {
        (Kind::Ieee(FloatFormat::Double), Some(known), Some(double), _) => {
            let x: Vec<f64> = known.iter().map(|&bits| f64::from_bits(bits)).collect();
            Expr::constant(double(&x).to_bits(), 64)
        }
        (Kind::Ieee(FloatFormat::Single), Some(known), _, Some(single)) => {
            let x: Vec<f32> = known.iter().map(|&bits| f32::from_bits(bits as u32)).collect();
            Expr::constant(single(&x).to_bits().into(), 32)
        }
        _ => {
            let width = kind.width();
            let function = run.worker.function(&format!("{name}/{width}"));
            run.remark(RemarkKind::AnyResult(name.to_owned()));
            run.pool().apply(function, x, width)
        }
    }
}
