//! `math.h`: exact where IEEE defines the result; otherwise computed by the machine's own library where the arguments are
//! known, and any number, the same for the same arguments, where they are not.
//!
//! Each model serves all formats of its function (`sqrt`, `sqrtf`, `sqrtl`) and the intrinsic of the same meaning.
//! `errno` and floating-point exceptions are not set.

mod classes;
mod ops;

pub use classes::Classes;
pub use ops::{Choice, Kind};

use super::{Arguments, Model, Reply};
use crate::run::Run;
use crate::state::Stop;
use crate::value::{Shape, Value};
use crate::x87;
use ir::inst::BinaryOp;
use ops::{floats, reply};
use rustc_apfloat::Float;
use smt::expr::{Expr, FloatFormat, Rounding};

/// A model for each format of a function.
macro_rules! families {
    ($($name:literal => $run:expr;)*) => {
        &[$(
            Model { name: $name, run: $run },
            Model { name: concat!($name, "f"), run: $run },
            Model { name: concat!($name, "l"), run: $run },
        )*]
    };
}

/// A function of one number that the standard library computes by the C library.
macro_rules! computed {
    ($name:literal, $method:ident) => {
        |run, args| {
            let (kind, x) = floats(run, args, 1)?;
            reply(ops::inexact(run, kind, $name, &x, Some(&|x| x[0].$method()), Some(&|x| x[0].$method())))
        }
    };
    ($name:literal, 2, $method:ident) => {
        |run, args| {
            let (kind, x) = floats(run, args, 2)?;
            reply(ops::inexact(run, kind, $name, &x, Some(&|x| x[0].$method(x[1])), Some(&|x| x[0].$method(x[1]))))
        }
    };
}

/// A function whose value is not computed here.
macro_rules! unknown {
    ($name:literal, $count:literal) => {
        |run, args| {
            let (kind, x) = floats(run, args, $count)?;
            reply(ops::inexact(run, kind, $name, &x, None, None))
        }
    };
}

/// Functions that never set `errno`.
const QUIET: [&str; 17] = [
    "fabs",
    "floor",
    "ceil",
    "trunc",
    "rint",
    "nearbyint",
    "round",
    "roundeven",
    "copysign",
    "fmin",
    "fmax",
    "frexp",
    "modf",
    "atan",
    "tanh",
    "asinh",
    "cbrt",
];

/// Whether a function of the C library says in `errno` that something went wrong.
pub fn may_set_errno(name: &str) -> bool {
    let is_one = |name: &str| EXACT.iter().chain(INEXACT).any(|model| model.name == name);
    let is_quiet = |name: &str| QUIET.contains(&name);
    is_one(name) && !is_quiet(name) && !name.strip_suffix(['f', 'l']).is_some_and(is_quiet)
}

/// All of them.
pub fn models() -> impl Iterator<Item = Model> {
    [EXACT, INEXACT, CLASSES].into_iter().flatten().copied()
}

const EXACT: &[Model] = families! {
    "sqrt" => sqrt;
    "fabs" => fabs;
    "floor" => floor;
    "ceil" => ceil;
    "trunc" => trunc;
    "rint" => rint;
    "nearbyint" => rint;
    "round" => round;
    "roundeven" => rint;
    "fmod" => fmod;
    "remainder" => remainder;
    "drem" => remainder;
    "copysign" => copysign;
    "fmin" => |run, args| library_extreme(run, args, false);
    "fmax" => |run, args| library_extreme(run, args, true);
    "fdim" => fdim;
    "fma" => fma;
    "ldexp" => ldexp;
    "scalbn" => ldexp;
    "scalbln" => ldexp;
    "frexp" => frexp;
    "modf" => modf;
    "nextafter" => nextafter;
    "logb" => logb;
    "ilogb" => ilogb;
    "lrint" => |run, args| to_integer(run, args, Rounding::NearestEven);
    "llrint" => |run, args| to_integer(run, args, Rounding::NearestEven);
    "lround" => |run, args| to_integer(run, args, Rounding::NearestAway);
    "llround" => |run, args| to_integer(run, args, Rounding::NearestAway);
};

const INEXACT: &[Model] = families! {
    "sin" => computed!("sin", sin);
    "cos" => computed!("cos", cos);
    "tan" => computed!("tan", tan);
    "asin" => computed!("asin", asin);
    "acos" => computed!("acos", acos);
    "atan" => computed!("atan", atan);
    "sinh" => computed!("sinh", sinh);
    "cosh" => computed!("cosh", cosh);
    "tanh" => computed!("tanh", tanh);
    "exp" => computed!("exp", exp);
    "exp2" => computed!("exp2", exp2);
    "expm1" => computed!("expm1", exp_m1);
    "log" => computed!("log", ln);
    "log2" => computed!("log2", log2);
    "log10" => computed!("log10", log10);
    "log1p" => computed!("log1p", ln_1p);
    "pow" => computed!("pow", 2, powf);
    "atan2" => computed!("atan2", 2, atan2);
    "hypot" => computed!("hypot", 2, hypot);
    // These the standard library computes by itself, and rounds differently.
    "cbrt" => unknown!("cbrt", 1);
    "asinh" => unknown!("asinh", 1);
    "acosh" => unknown!("acosh", 1);
    "atanh" => unknown!("atanh", 1);
    "exp10" => unknown!("exp10", 1);
    "erf" => unknown!("erf", 1);
    "erfc" => unknown!("erfc", 1);
    "tgamma" => unknown!("tgamma", 1);
    "lgamma" => unknown!("lgamma", 1);
    "j0" => unknown!("j0", 1);
    "j1" => unknown!("j1", 1);
    "y0" => unknown!("y0", 1);
    "y1" => unknown!("y1", 1);
};

const CLASSES: &[Model] = families! {
    "__fpclassify" => classes::classify;
    "isnan" => |run, args| classes::is(run, args, |classes, _| classes.nan);
    "__isnan" => |run, args| classes::is(run, args, |classes, _| classes.nan);
    "isinf" => classes::signed_infinity;
    "__isinf" => classes::signed_infinity;
    "finite" => |run, args| classes::is(run, args, Classes::finite);
    "__finite" => |run, args| classes::is(run, args, Classes::finite);
    "__signbit" => |run, args| classes::is(run, args, |classes, _| classes.negative);
};

/// Square root.
pub fn sqrt(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (kind, x) = floats(run, args, 1)?;
    reply(ops::square_root(run, kind, x[0])?)
}

/// The number without its sign.
pub fn fabs(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (kind, x) = floats(run, args, 1)?;
    reply(ops::absolute(run.pool(), kind, x[0]))
}

/// Rounding to an integral number.
pub fn integral(run: &mut Run, args: &Arguments, rounding: Rounding) -> Result<Reply, Stop> {
    let (kind, x) = floats(run, args, 1)?;
    reply(ops::integral(run, kind, x[0], rounding)?)
}

/// Down.
pub fn floor(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    integral(run, args, Rounding::Down)
}

/// Up.
pub fn ceil(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    integral(run, args, Rounding::Up)
}

/// To zero.
pub fn trunc(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    integral(run, args, Rounding::Zero)
}

/// To nearest, which is the direction that programs run with.
pub fn rint(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    integral(run, args, Rounding::NearestEven)
}

/// To nearest, ties away from zero.
pub fn round(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    integral(run, args, Rounding::NearestAway)
}

/// Remainder with the dividend's sign.
pub fn fmod(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (kind, x) = floats(run, args, 2)?;
    reply(ops::binary(run, kind, BinaryOp::FRem, x[0], x[1])?)
}

/// The first number with the second one's sign.
pub fn copysign(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (kind, x) = floats(run, args, 2)?;
    reply(ops::copy_sign(run.pool(), kind, x[0], x[1]))
}

/// The lesser or greater of two numbers.
pub fn extreme(run: &mut Run, args: &Arguments, greater: bool, choice: Choice) -> Result<Reply, Stop> {
    let (kind, x) = floats(run, args, 2)?;
    // Long doubles are left to the C library.
    let choice = if kind == Kind::X87 && choice == Choice::Number { library_choice(kind, greater) } else { choice };
    reply(ops::extreme(run, kind, x[0], x[1], greater, choice)?)
}

/// First times second plus third, rounded once.
pub fn fma(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (kind, x) = floats(run, args, 3)?;
    reply(ops::multiply_add(run, kind, &x)?)
}

/// First times second plus third, rounded twice, as unoptimised code does it.
pub fn multiply_then_add(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (kind, x) = floats(run, args, 3)?;
    let product = ops::binary(run, kind, BinaryOp::FMul, x[0], x[1])?;
    reply(ops::binary(run, kind, BinaryOp::FAdd, product, x[2])?)
}

/// The number times a power of two.
pub fn ldexp(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (kind, x) = floats(run, args, 1)?;
    let exponent = args.bits(run, 1)?;
    let width = run.pool().width(exponent);
    match exponent.as_const() {
        Some(known) => reply(ops::scale(run, kind, x[0], smt::expr::signed(known, width))?),
        None => reply(ops::inexact(run, kind, "ldexp", &[x[0], exponent], None, None)),
    }
}

/// A number to an integer power, by the same products as the compiler's own library.
pub fn powi(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (kind, x) = floats(run, args, 1)?;
    let exponent = args.bits(run, 1)?;
    let width = run.pool().width(exponent);
    let Some(known) = exponent.as_const() else {
        return reply(ops::inexact(run, kind, "powi", &[x[0], exponent], None, None));
    };
    let one = one(run, kind);
    let (mut result, mut square) = (one, x[0]);
    let exponent = smt::expr::signed(known, width);
    let mut left = exponent.unsigned_abs();
    loop {
        if left & 1 == 1 {
            result = ops::binary(run, kind, BinaryOp::FMul, result, square)?;
        }
        left >>= 1;
        if left == 0 {
            break;
        }
        square = ops::binary(run, kind, BinaryOp::FMul, square, square)?;
    }
    reply(if exponent < 0 { ops::binary(run, kind, BinaryOp::FDiv, one, result)? } else { result })
}

/// A number in [0.5, 1) and the power of two that it is to be multiplied by, which is returned beside it.
pub fn frexp_pair(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (kind, x) = floats(run, args, 1)?;
    let (fraction, exponent) = ops::split(run, kind, x[0])?;
    Ok(Reply::Value(Value::Many([Value::Bits(fraction), Value::Bits(exponent)].into())))
}

/// A float as an integer, the nearest one in a direction.
pub fn to_integer(run: &mut Run, args: &Arguments, rounding: Rounding) -> Result<Reply, Stop> {
    let (kind, x) = floats(run, args, 1)?;
    let whole = ops::integral(run, kind, x[0], rounding)?;
    let shape = args.shapes.first().cloned().unwrap_or(Shape::Void);
    run.cast(ir::inst::CastOp::FpToSi, &Value::Bits(whole), &shape, args.result).map(Reply::Value)
}

/// A function that the C library computes, for intrinsics.
pub fn by_name(name: &str) -> Option<Model> {
    INEXACT.iter().find(|model| model.name == name).copied()
}

fn one(run: &mut Run, kind: Kind) -> Expr {
    match kind {
        Kind::X87 => ops::wide(run, x87::from_int(1, false)),
        Kind::Ieee(format) => {
            let bias = (1u128 << (format.exponent() - 1)) - 1;
            run.pool().bits(&smt::bits::Bits::new(bias << (format.significand() - 1), format.width()))
        }
    }
}

/// Which of two equal zeros comes out of the C library is told by how it is written.
fn library_choice(kind: Kind, greater: bool) -> Choice {
    if kind == Kind::X87 && !greater { Choice::Number } else { Choice::NumberSecond }
}

/// `fmin` and `fmax`.
fn library_extreme(run: &mut Run, args: &Arguments, greater: bool) -> Result<Reply, Stop> {
    let (kind, x) = floats(run, args, 2)?;
    let choice = library_choice(kind, greater);
    reply(ops::extreme(run, kind, x[0], x[1], greater, choice)?)
}

fn fdim(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (kind, x) = floats(run, args, 2)?;
    let not_greater = ops::less(run, kind, x[0], x[1], true)?;
    let difference = ops::binary(run, kind, BinaryOp::FSub, x[0], x[1])?;
    let zero = run.pool().zero(kind.width());
    reply(run.pool().ite(not_greater, zero, difference))
}

fn frexp(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (kind, x) = floats(run, args, 1)?;
    let place = args.pointer(run, 1)?;
    let (fraction, exponent) = ops::split(run, kind, x[0])?;
    run.store(place, &Value::Bits(exponent), &Shape::Int { bits: 32, bytes: 4 })?;
    reply(fraction)
}

fn modf(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (kind, x) = floats(run, args, 1)?;
    let place = args.pointer(run, 1)?;
    let whole = ops::integral(run, kind, x[0], Rounding::Zero)?;
    let difference = ops::binary(run, kind, BinaryOp::FSub, x[0], whole)?;
    let classes = Classes::of(run.pool(), kind, x[0]);
    let zero = run.pool().zero(kind.width());
    let rest = run.pool().ite(classes.infinite, zero, difference);
    let rest = ops::copy_sign(run.pool(), kind, rest, x[0]);
    let shape = args.shapes.first().cloned().unwrap_or(Shape::Void);
    run.store(place, &Value::Bits(whole), &shape)?;
    reply(rest)
}

/// Remainder with the quotient rounded to nearest.
fn remainder(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    use rustc_apfloat::ieee::{Double, Single};
    let (kind, x) = floats(run, args, 2)?;
    let double = |x: &[f64]| {
        let (a, b) = (Double::from_bits(x[0].to_bits().into()), Double::from_bits(x[1].to_bits().into()));
        f64::from_bits(a.ieee_rem(b).value.to_bits() as u64)
    };
    let single = |x: &[f32]| {
        let (a, b) = (Single::from_bits(x[0].to_bits().into()), Single::from_bits(x[1].to_bits().into()));
        f32::from_bits(a.ieee_rem(b).value.to_bits() as u32)
    };
    reply(ops::inexact(run, kind, "remainder", &x, Some(&double), Some(&single)))
}

fn nextafter(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (kind, x) = floats(run, args, 2)?;
    if kind == Kind::X87 {
        return Err(run.unsupported("nextafterl"));
    }
    let (from, to) = (x[0], x[1]);
    let width = kind.width();
    let (nan_from, nan_to) = (ops::is_nan(run, kind, from)?, ops::is_nan(run, kind, to)?);
    let up = ops::less(run, kind, from, to, false)?;
    let (below, above) = (ops::less(run, kind, from, to, true)?, ops::less(run, kind, to, from, true)?);
    let pool = run.pool();
    let same = pool.and(below, above);
    let magnitude = ops::absolute(pool, kind, from);
    let none = pool.zero(width);
    let zero = pool.eq(magnitude, none);
    let one = pool.number(1, width);
    let least = ops::copy_sign(pool, kind, one, to);
    let positive = {
        let sign = pool.extract(from, width - 1, 1);
        pool.not(sign)
    };
    let outwards = pool.eq(up, positive);
    let (more, less) = (pool.add(from, one), pool.sub(from, one));
    let step = pool.ite(outwards, more, less);
    let step = pool.ite(zero, least, step);
    let step = pool.ite(same, to, step);
    let step = pool.ite(nan_to, to, step);
    reply(pool.ite(nan_from, from, step))
}

/// What `ilogb` gives for zero, and for what is no number.
const ILOGB_ZERO: u64 = 1 << 31;

fn ilogb(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (kind, x) = floats(run, args, 1)?;
    let classes = Classes::of(run.pool(), kind, x[0]);
    let (_, power) = ops::split(run, kind, x[0])?;
    let pool = run.pool();
    let exponent = pool.sub(power, Expr::constant(1, 32));
    let exponent = pool.ite(classes.zero, Expr::constant(ILOGB_ZERO, 32), exponent);
    let exponent = pool.ite(classes.nan, Expr::constant(ILOGB_ZERO, 32), exponent);
    reply(pool.ite(classes.infinite, Expr::constant(ILOGB_ZERO - 1, 32), exponent))
}

fn logb(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (kind, x) = floats(run, args, 1)?;
    let Kind::Ieee(format) = kind else { return Err(run.unsupported("logbl")) };
    let classes = Classes::of(run.pool(), kind, x[0]);
    let (_, power) = ops::split(run, kind, x[0])?;
    let pool = run.pool();
    let exponent = pool.sub(power, Expr::constant(1, 32));
    let nearest = Rounding::NearestEven;
    let number = smt::expr::FloatOp::FromInt { to: format, signed: true, rounding: nearest };
    let exponent = pool.float(number, &[exponent], format.width());
    let infinity = infinity(run, format);
    let pool = run.pool();
    let minus = pool.float_neg(format, infinity);
    let exponent = pool.ite(classes.zero, minus, exponent);
    let exponent = pool.ite(classes.infinite, infinity, exponent);
    reply(pool.ite(classes.nan, x[0], exponent))
}

fn infinity(run: &mut Run, format: FloatFormat) -> Expr {
    let exponent = (1u128 << format.exponent()) - 1;
    run.pool().bits(&smt::bits::Bits::new(exponent << (format.significand() - 1), format.width()))
}
