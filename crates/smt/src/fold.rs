//! The value of an operation on operands of known value.

use crate::bits::Bits;
use crate::expr::{FloatFormat, FloatOp, Op, Rounding, mask, signed};
use rustc_apfloat::ieee::{BFloat, Double, Half, IeeeFloat, Quad, Semantics, Single};
use rustc_apfloat::{Float, FloatConvert, Round, Status, StatusAnd};

/// An operation of one or two operands of `arg_width` bits, where that and the result's width are at most 64.
pub fn fold_small(op: Op, width: u32, arg_width: u32, a: u64, b: u64) -> Option<u64> {
    let (sa, sb) = (signed(a, arg_width), signed(b, arg_width));
    let value = match op {
        Op::Not => !a,
        Op::Neg => a.wrapping_neg(),
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        Op::UDiv => a.checked_div(b).unwrap_or(u64::MAX),
        Op::URem => a.checked_rem(b).unwrap_or(a),
        Op::SDiv if sb == 0 => {
            if sa < 0 {
                1
            } else {
                u64::MAX
            }
        }
        Op::SDiv => sa.wrapping_div(sb) as u64,
        Op::SRem if sb == 0 => a,
        Op::SRem => sa.wrapping_rem(sb) as u64,
        Op::Shl => {
            if b >= u64::from(width) {
                0
            } else {
                a << b
            }
        }
        Op::LShr => {
            if b >= u64::from(width) {
                0
            } else {
                a >> b
            }
        }
        Op::AShr => (sa >> b.min(63)) as u64,
        Op::Eq => u64::from(a == b),
        Op::Ult => u64::from(a < b),
        Op::Ule => u64::from(a <= b),
        Op::Slt => u64::from(sa < sb),
        Op::Sle => u64::from(sa <= sb),
        Op::Extract { low } => a >> low.min(63),
        Op::ZExt => a,
        Op::SExt => sa as u64,
        _ => return None,
    };
    Some(value & mask(width))
}

/// Any operation on bit-vectors, except those on arrays and functions; `width` is the result's.
pub fn fold(op: Op, width: u32, args: &[Bits]) -> Option<Bits> {
    let bool = |value: bool| Bits::new(u128::from(value), 1);
    let [a, b] = [args.first()?, args.get(1).unwrap_or(args.first()?)];
    // A distance that does not fit 32 bits is beyond every width.
    let distance = |by: &Bits| match by.words.iter().skip(1).all(|&word| word == 0) {
        true => u32::try_from(by.low()).unwrap_or(u32::MAX).min(by.width),
        false => by.width,
    };
    Some(match op {
        Op::Not => a.not(),
        Op::Neg => a.neg(),
        Op::And => a.zip(b, |a, b| a & b),
        Op::Or => a.zip(b, |a, b| a | b),
        Op::Xor => a.zip(b, |a, b| a ^ b),
        Op::Add => a.add(b),
        Op::Sub => a.sub(b),
        Op::Mul => a.mul(b),
        Op::UDiv => a.udivrem(b).0,
        Op::URem => a.udivrem(b).1,
        Op::SDiv => a.sdivrem(b).0,
        Op::SRem => a.sdivrem(b).1,
        Op::Shl => a.shl(distance(b)),
        Op::LShr => a.lshr(distance(b)),
        Op::AShr => a.ashr(distance(b)),
        Op::Eq => bool(a == b),
        Op::Ult => bool(a.ult(b)),
        Op::Ule => bool(!b.ult(a)),
        Op::Slt => bool(a.slt(b)),
        Op::Sle => bool(!b.slt(a)),
        Op::Ite => {
            let chosen = if a.is_zero() { args.get(2)? } else { b };
            chosen.clone()
        }
        Op::Concat => a.concat(b),
        Op::Extract { low } => a.extract(low, width),
        Op::ZExt => a.zext(width),
        Op::SExt => a.sext(width),
        Op::Float(op) => fold_float(op, width, args)?,
        Op::Symbol(_)
        | Op::Wide(_)
        | Op::ArraySymbol(_)
        | Op::ArrayTable(_)
        | Op::Store
        | Op::Select
        | Op::Apply { .. } => return None,
    })
}

/// The format's default NaN: quiet, positive, no payload.
pub fn default_nan(format: FloatFormat) -> Bits {
    let (width, significand) = (format.width(), format.significand());
    let exponent = Bits::new((1 << format.exponent()) - 1, width).shl(significand - 1);
    exponent.add(&Bits::new(1, width).shl(significand - 2))
}

/// A floating-point operation.
pub fn fold_float(op: FloatOp, width: u32, args: &[Bits]) -> Option<Bits> {
    match op {
        FloatOp::Add(format, _)
        | FloatOp::Sub(format, _)
        | FloatOp::Mul(format, _)
        | FloatOp::Div(format, _)
        | FloatOp::Rem(format)
        | FloatOp::Fma(format, _)
        | FloatOp::Sqrt(format, _)
        | FloatOp::RoundToIntegral(format, _)
        | FloatOp::Eq(format)
        | FloatOp::Lt(format)
        | FloatOp::Le(format)
        | FloatOp::IsNan(format) => match format {
            FloatFormat::Half => in_format::<Half>(op, format, args),
            FloatFormat::BFloat => in_format::<BFloat>(op, format, args),
            FloatFormat::Single => in_format::<Single>(op, format, args),
            FloatFormat::Double => in_format::<Double>(op, format, args),
            FloatFormat::Quad => in_format::<Quad>(op, format, args),
        },
        FloatOp::Convert { from, to, rounding } => {
            let bits = args.first()?.low_128();
            Some(match from {
                FloatFormat::Half => convert(Half::from_bits(bits), to, rounding),
                FloatFormat::BFloat => convert(BFloat::from_bits(bits), to, rounding),
                FloatFormat::Single => convert(Single::from_bits(bits), to, rounding),
                FloatFormat::Double => convert(Double::from_bits(bits), to, rounding),
                FloatFormat::Quad => convert(Quad::from_bits(bits), to, rounding),
            })
        }
        FloatOp::FromInt { to, signed, rounding } => {
            let value = args.first()?;
            match to {
                FloatFormat::Half => from_int::<Half>(value, to, signed, rounding),
                FloatFormat::BFloat => from_int::<BFloat>(value, to, signed, rounding),
                FloatFormat::Single => from_int::<Single>(value, to, signed, rounding),
                FloatFormat::Double => from_int::<Double>(value, to, signed, rounding),
                FloatFormat::Quad => from_int::<Quad>(value, to, signed, rounding),
            }
        }
        FloatOp::ToInt { from, signed } => {
            let bits = args.first()?.low_128();
            match from {
                FloatFormat::Half => to_int(Half::from_bits(bits), signed, width),
                FloatFormat::BFloat => to_int(BFloat::from_bits(bits), signed, width),
                FloatFormat::Single => to_int(Single::from_bits(bits), signed, width),
                FloatFormat::Double => to_int(Double::from_bits(bits), signed, width),
                FloatFormat::Quad => to_int(Quad::from_bits(bits), signed, width),
            }
        }
    }
}

fn in_format<F: Float>(op: FloatOp, format: FloatFormat, args: &[Bits]) -> Option<Bits> {
    let operand = |index: usize| args.get(index).map(|bits| F::from_bits(bits.low_128()));
    let a = operand(0)?;
    let bool = |value: bool| Some(Bits::new(u128::from(value), 1));
    let value = match op {
        FloatOp::Add(_, rounding) => a.add_r(operand(1)?, round(rounding)).value,
        FloatOp::Sub(_, rounding) => a.sub_r(operand(1)?, round(rounding)).value,
        FloatOp::Mul(_, rounding) => a.mul_r(operand(1)?, round(rounding)).value,
        FloatOp::Div(_, rounding) => a.div_r(operand(1)?, round(rounding)).value,
        FloatOp::Rem(_) => a.c_fmod(operand(1)?).value,
        FloatOp::Fma(_, rounding) => a.mul_add_r(operand(1)?, operand(2)?, round(rounding)).value,
        FloatOp::RoundToIntegral(_, rounding) => a.round_to_integral(round(rounding)).value,
        FloatOp::Sqrt(_, rounding) => return square_root(args.first()?, format, rounding),
        FloatOp::Eq(_) => return bool(a == operand(1)?),
        FloatOp::Lt(_) => return bool(a < operand(1)?),
        FloatOp::Le(_) => return bool(a <= operand(1)?),
        FloatOp::IsNan(_) => return bool(a.is_nan()),
        FloatOp::Convert { .. } | FloatOp::FromInt { .. } | FloatOp::ToInt { .. } => return None,
    };
    Some(number(value, format))
}

fn number<F: Float>(value: F, format: FloatFormat) -> Bits {
    if value.is_nan() { default_nan(format) } else { Bits::new(value.to_bits(), format.width()) }
}

/// Through the processor's double, whose square root is exact; rounding twice does no harm to a root of so few bits.
fn square_root(value: &Bits, format: FloatFormat, rounding: Rounding) -> Option<Bits> {
    if rounding != Rounding::NearestEven || format == FloatFormat::Quad {
        return None;
    }
    let nearest = Rounding::NearestEven;
    let double = FloatOp::Convert { from: format, to: FloatFormat::Double, rounding: nearest };
    let wide = fold_float(double, 64, std::slice::from_ref(value))?;
    let root = Bits::new(u128::from(f64::from_bits(wide.low()).sqrt().to_bits()), 64);
    let back = FloatOp::Convert { from: FloatFormat::Double, to: format, rounding: nearest };
    fold_float(back, format.width(), &[root])
}

fn convert<S: Semantics>(value: IeeeFloat<S>, to: FloatFormat, rounding: Rounding) -> Bits {
    let (round, mut lost) = (round(rounding), false);
    match to {
        FloatFormat::Half => number::<Half>(value.convert_r(round, &mut lost).value, to),
        FloatFormat::BFloat => number::<BFloat>(value.convert_r(round, &mut lost).value, to),
        FloatFormat::Single => number::<Single>(value.convert_r(round, &mut lost).value, to),
        FloatFormat::Double => number::<Double>(value.convert_r(round, &mut lost).value, to),
        FloatFormat::Quad => number::<Quad>(value.convert_r(round, &mut lost).value, to),
    }
}

/// Integers of more than 128 bits are left to the solver.
fn from_int<F: Float>(value: &Bits, to: FloatFormat, signed: bool, rounding: Rounding) -> Option<Bits> {
    if value.width > 128 {
        return None;
    }
    let round = round(rounding);
    let float: StatusAnd<F> = if signed {
        F::from_i128_r(value.sext(128).low_128() as i128, round)
    } else {
        F::from_u128_r(value.low_128(), round)
    };
    Some(number(float.value, to))
}

/// No value if it does not fit: the operation then may give any.
fn to_int<F: Float>(value: F, signed: bool, width: u32) -> Option<Bits> {
    if width > 128 {
        return None;
    }
    let mut exact = false;
    let (bits, status) = if signed {
        let StatusAnd { value, status } = value.to_i128_r(width as usize, Round::TowardZero, &mut exact);
        (value as u128, status)
    } else {
        let StatusAnd { value, status } = value.to_u128_r(width as usize, Round::TowardZero, &mut exact);
        (value, status)
    };
    (!status.contains(Status::INVALID_OP)).then(|| Bits::new(bits, width))
}

fn round(rounding: Rounding) -> Round {
    match rounding {
        Rounding::NearestEven => Round::NearestTiesToEven,
        Rounding::NearestAway => Round::NearestTiesToAway,
        Rounding::Up => Round::TowardPositive,
        Rounding::Down => Round::TowardNegative,
        Rounding::Zero => Round::TowardZero,
    }
}
