//! Floats: the same functions as in `math.h`, and on vectors.

use super::{element, lanes};
use crate::models::math::{self, Choice, Classes, Kind};
use crate::models::{Arguments, Model, Reply};
use crate::run::Run;
use crate::state::Stop;
use crate::value::{Shape, Value};
use ir::inst::{BinaryOp, CastOp, Flags};
use smt::expr::{Expr, FloatOp, Rounding};

type Function = fn(&mut Run, &Arguments) -> Result<Reply, Stop>;

/// An intrinsic and its form under a stated rounding mode, which is to nearest wherever programs run.
macro_rules! families {
    ($($name:literal => $run:expr;)*) => {
        &[$(
            Model { name: concat!("llvm.", $name), run: $run },
            Model { name: concat!("llvm.experimental.constrained.", $name), run: $run },
        )*]
    };
}

pub(super) const MODELS: &[Model] = families! {
    "sqrt" => |run, args| each(run, args, math::sqrt);
    "fabs" => |run, args| each(run, args, math::fabs);
    "floor" => |run, args| each(run, args, math::floor);
    "ceil" => |run, args| each(run, args, math::ceil);
    "trunc" => |run, args| each(run, args, math::trunc);
    "rint" => |run, args| each(run, args, math::rint);
    "nearbyint" => |run, args| each(run, args, math::rint);
    "round" => |run, args| each(run, args, math::round);
    "roundeven" => |run, args| each(run, args, math::rint);
    "lrint" => |run, args| each(run, args, |run, args| math::to_integer(run, args, Rounding::NearestEven));
    "llrint" => |run, args| each(run, args, |run, args| math::to_integer(run, args, Rounding::NearestEven));
    "lround" => |run, args| each(run, args, |run, args| math::to_integer(run, args, Rounding::NearestAway));
    "llround" => |run, args| each(run, args, |run, args| math::to_integer(run, args, Rounding::NearestAway));
    "copysign" => |run, args| each(run, args, math::copysign);
    "fma" => |run, args| each(run, args, math::fma);
    "fmuladd" => |run, args| each(run, args, math::multiply_then_add);
    "minnum" => |run, args| each(run, args, |run, args| math::extreme(run, args, false, Choice::Number));
    "maxnum" => |run, args| each(run, args, |run, args| math::extreme(run, args, true, Choice::Number));
    "minimum" => |run, args| each(run, args, |run, args| math::extreme(run, args, false, Choice::Strict));
    "maximum" => |run, args| each(run, args, |run, args| math::extreme(run, args, true, Choice::Strict));
    "minimumnum" => |run, args| each(run, args, |run, args| math::extreme(run, args, false, Choice::StrictNumber));
    "maximumnum" => |run, args| each(run, args, |run, args| math::extreme(run, args, true, Choice::StrictNumber));
    "ldexp" => |run, args| each(run, args, math::ldexp);
    "powi" => |run, args| each(run, args, math::powi);
    "frexp" => math::frexp_pair;
    "canonicalize" => |run, args| each(run, args, |_, args| Ok(Reply::Value(args.value(0))));
    "fptosi.sat" => |run, args| saturating(run, args, true);
    "fptoui.sat" => |run, args| saturating(run, args, false);
    "is.fpclass" => is_class;
    "sin" => |run, args| named(run, args, "sin");
    "cos" => |run, args| named(run, args, "cos");
    "tan" => |run, args| named(run, args, "tan");
    "asin" => |run, args| named(run, args, "asin");
    "acos" => |run, args| named(run, args, "acos");
    "atan" => |run, args| named(run, args, "atan");
    "atan2" => |run, args| named(run, args, "atan2");
    "sinh" => |run, args| named(run, args, "sinh");
    "cosh" => |run, args| named(run, args, "cosh");
    "tanh" => |run, args| named(run, args, "tanh");
    "pow" => |run, args| named(run, args, "pow");
    "exp" => |run, args| named(run, args, "exp");
    "exp2" => |run, args| named(run, args, "exp2");
    "exp10" => |run, args| named(run, args, "exp10");
    "log" => |run, args| named(run, args, "log");
    "log2" => |run, args| named(run, args, "log2");
    "log10" => |run, args| named(run, args, "log10");
    "fadd" => |run, args| plain(run, args, BinaryOp::FAdd);
    "fsub" => |run, args| plain(run, args, BinaryOp::FSub);
    "fmul" => |run, args| plain(run, args, BinaryOp::FMul);
    "fdiv" => |run, args| plain(run, args, BinaryOp::FDiv);
    "frem" => |run, args| plain(run, args, BinaryOp::FRem);
    "fptosi" => |run, args| convert(run, args, CastOp::FpToSi);
    "fptoui" => |run, args| convert(run, args, CastOp::FpToUi);
    "sitofp" => |run, args| convert(run, args, CastOp::SiToFp);
    "uitofp" => |run, args| convert(run, args, CastOp::UiToFp);
    "fptrunc" => |run, args| convert(run, args, CastOp::FpTrunc);
    "fpext" => |run, args| convert(run, args, CastOp::FpExt);
};

/// A function of `math.h` on every element.
fn each(run: &mut Run, args: &Arguments, function: Function) -> Result<Reply, Stop> {
    let shapes: Vec<Shape> = args.shapes.iter().map(|shape| element(Some(shape))).collect();
    lanes(run, args, |run, values, result| {
        let arguments = Arguments { function: args.function, values, shapes: &shapes, result };
        match function(run, &arguments)? {
            Reply::Value(value) => Ok(value),
            _ => Ok(Value::Undef),
        }
    })
}

fn named(run: &mut Run, args: &Arguments, name: &str) -> Result<Reply, Stop> {
    match math::by_name(name) {
        Some(model) => each(run, args, model.run),
        None => Err(run.unsupported(name)),
    }
}

fn plain(run: &mut Run, args: &Arguments, op: BinaryOp) -> Result<Reply, Stop> {
    run.binary(op, Flags::empty(), &args.value(0), &args.value(1), args.result).map(Reply::Value)
}

fn convert(run: &mut Run, args: &Arguments, op: CastOp) -> Result<Reply, Stop> {
    let from = args.shapes.first().cloned().unwrap_or(Shape::Void);
    run.cast(op, &args.value(0), &from, args.result).map(Reply::Value)
}

/// To an integer; what does not fit becomes the nearest one, no number zero.
fn saturating(run: &mut Run, args: &Arguments, signed: bool) -> Result<Reply, Stop> {
    let shape = element(args.shapes.first());
    let Kind::Ieee(format) = Kind::of(run, &shape)? else {
        return Err(run.unsupported("a saturating conversion of a long double"));
    };
    lanes(run, args, |run, values, result| {
        let width = result.bits().unwrap_or(64);
        let value = values.first().cloned().unwrap_or(Value::Undef);
        let bits = run.bits(&value, format.width())?;
        let fits = run.fits_int(bits, format, signed, width);
        let pool = run.pool();
        let nan = pool.float(FloatOp::IsNan(format), &[bits], 1);
        let negative = pool.extract(bits, format.width() - 1, 1);
        let (low, high) = if signed {
            let high = pool.bits(&smt::bits::Bits::ones(width).lshr(1));
            (pool.not(high), high)
        } else {
            (pool.zero(width), pool.ones(width))
        };
        let zero = pool.zero(width);
        let beyond = pool.ite(negative, low, high);
        let beyond = pool.ite(nan, zero, beyond);
        // Known values that do not fit must not be asked for.
        if fits.is_false() {
            return Ok(Value::Bits(beyond));
        }
        let whole = pool.float(FloatOp::ToInt { from: format, signed }, &[bits], width);
        Ok(Value::Bits(pool.ite(fits, whole, beyond)))
    })
}

fn is_class(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let shape = element(args.shapes.first());
    let kind = Kind::of(run, &shape)?;
    let mask = args.bits(run, 1)?.as_const().unwrap_or(0);
    lanes(run, args, |run, values, _| {
        let value = values.first().cloned().unwrap_or(Value::Undef);
        let bits: Expr = run.bits(&value, kind.width())?;
        let classes = Classes::of(run.pool(), kind, bits);
        Ok(Value::Bits(classes.any_of(run.pool(), mask)))
    })
}
