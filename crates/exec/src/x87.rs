//! Arithmetic of the x87's 80-bit floats (`long double`) on known values.
//!
//! Solvers have no such format, with its explicit leading bit, so nothing here takes expressions.

use ir::inst::{BinaryOp, FloatPredicate};
use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single, X87DoubleExtended as X87};
use rustc_apfloat::{Float, FloatConvert, Round, Status, StatusAnd};
use smt::expr::{FloatFormat, Rounding};
use std::cmp::Ordering;

/// Width of the format.
pub const BITS: u32 = 80;

/// Arithmetic; `None` for an operation on integers.
pub fn binary(op: BinaryOp, a: u128, b: u128) -> Option<u128> {
    let (a, b) = (X87::from_bits(a), X87::from_bits(b));
    let result = match op {
        BinaryOp::FAdd => a + b,
        BinaryOp::FSub => a - b,
        BinaryOp::FMul => a * b,
        BinaryOp::FDiv => a / b,
        BinaryOp::FRem => a.c_fmod(b),
        _ => return None,
    };
    Some(result.value.to_bits())
}

/// First times second plus third, rounded once.
pub fn multiply_add(a: u128, b: u128, c: u128) -> u128 {
    X87::from_bits(a).mul_add(X87::from_bits(b), X87::from_bits(c)).value.to_bits()
}

/// A comparison.
pub fn compare(predicate: FloatPredicate, a: u128, b: u128) -> bool {
    use FloatPredicate as P;
    let order = X87::from_bits(a).partial_cmp(&X87::from_bits(b));
    let (ordered, less, equal, greater) = (
        order.is_some(),
        order == Some(Ordering::Less),
        order == Some(Ordering::Equal),
        order == Some(Ordering::Greater),
    );
    match predicate {
        P::False => false,
        P::True => true,
        P::Ord => ordered,
        P::Uno => !ordered,
        P::Oeq => equal,
        P::Ueq => equal || !ordered,
        P::One => less || greater,
        P::Une => !equal,
        P::Olt => less,
        P::Ult => less || !ordered,
        P::Ole => less || equal,
        P::Ule => !greater,
        P::Ogt => greater,
        P::Ugt => greater || !ordered,
        P::Oge => greater || equal,
        P::Uge => !less,
    }
}

/// Whether it is no number.
pub fn is_nan(a: u128) -> bool {
    X87::from_bits(a).is_nan()
}

/// From another format.
pub fn from_format(bits: u128, from: FloatFormat) -> u128 {
    let mut lost = false;
    let value: StatusAnd<X87> = match from {
        FloatFormat::Half => Half::from_bits(bits).convert(&mut lost),
        FloatFormat::BFloat => BFloat::from_bits(bits).convert(&mut lost),
        FloatFormat::Single => Single::from_bits(bits).convert(&mut lost),
        FloatFormat::Double => Double::from_bits(bits).convert(&mut lost),
        FloatFormat::Quad => Quad::from_bits(bits).convert(&mut lost),
    };
    value.value.to_bits()
}

/// To another format, to nearest.
pub fn to_format(bits: u128, to: FloatFormat) -> u128 {
    let mut lost = false;
    let value = X87::from_bits(bits);
    match to {
        FloatFormat::Half => FloatConvert::<Half>::convert(value, &mut lost).value.to_bits(),
        FloatFormat::BFloat => FloatConvert::<BFloat>::convert(value, &mut lost).value.to_bits(),
        FloatFormat::Single => FloatConvert::<Single>::convert(value, &mut lost).value.to_bits(),
        FloatFormat::Double => FloatConvert::<Double>::convert(value, &mut lost).value.to_bits(),
        FloatFormat::Quad => FloatConvert::<Quad>::convert(value, &mut lost).value.to_bits(),
    }
}

/// From an integer of at most 128 bits, extended to 128.
pub fn from_int(value: u128, signed: bool) -> u128 {
    if signed { X87::from_i128(value as i128).value.to_bits() } else { X87::from_u128(value).value.to_bits() }
}

/// To an integer, rounded to zero; `None` if it does not fit.
pub fn to_int(bits: u128, signed: bool, width: u32) -> Option<u128> {
    let (value, mut exact) = (X87::from_bits(bits), false);
    let (value, status) = if signed {
        let StatusAnd { value, status } = value.to_i128_r(width as usize, Round::TowardZero, &mut exact);
        (value as u128, status)
    } else {
        let StatusAnd { value, status } = value.to_u128_r(width as usize, Round::TowardZero, &mut exact);
        (value, status)
    };
    (!status.contains(Status::INVALID_OP)).then_some(value)
}

/// The nearest integral number in a direction.
pub fn round_to_integral(bits: u128, rounding: Rounding) -> u128 {
    let round = match rounding {
        Rounding::NearestEven => Round::NearestTiesToEven,
        Rounding::NearestAway => Round::NearestTiesToAway,
        Rounding::Up => Round::TowardPositive,
        Rounding::Down => Round::TowardNegative,
        Rounding::Zero => Round::TowardZero,
    };
    X87::from_bits(bits).round_to_integral(round).value.to_bits()
}

/// The number times a power of two.
pub fn scale(bits: u128, exponent: i32) -> u128 {
    X87::from_bits(bits).scalbn(exponent).to_bits()
}

/// A number in [0.5, 1) and the power of two that it is to be multiplied by.
pub fn split(bits: u128) -> (u128, i32) {
    let value = X87::from_bits(bits);
    if !value.is_finite() || value.is_zero() {
        return (bits, 0);
    }
    let exponent = value.ilogb() + 1;
    (value.scalbn(-exponent).to_bits(), exponent)
}

/// Square root.
pub fn square_root(bits: u128) -> u128 {
    let value = X87::from_bits(bits);
    if value.is_nan() || value.is_zero() || (value.is_infinite() && !value.is_negative()) {
        return bits;
    }
    if value.is_negative() {
        return X87::NAN.to_bits();
    }
    // value = significand * 2^exponent with a significand of 64 bits, made a square times an even power of two.
    let exponent = value.ilogb() - 63;
    let significand = value.scalbn(-exponent).to_bits() & u128::from(u64::MAX);
    let (square, exponent) =
        if exponent % 2 == 0 { (significand << 64, exponent - 64) } else { (significand << 63, exponent - 63) };
    let root = square.isqrt();
    // To nearest: up if the rest is more than half a unit; a tie is impossible.
    let root = if square - root * root > root { root + 1 } else { root };
    X87::from_u128(root).value.scalbn(exponent / 2).to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_those_of_doubles_where_they_are_exact() {
        for (number, root) in
            [(0.0, 0.0), (1.0, 1.0), (4.0, 2.0), (2.25, 1.5), (1e-300 * 1e-300, 0.0), (6.25e10, 2.5e5)]
        {
            let x = from_format(u128::from(f64::to_bits(number)), FloatFormat::Double);
            let expect = f64::to_bits(root);
            assert_eq!(to_format(square_root(x), FloatFormat::Double) as u64, expect, "{number}");
        }
    }

    #[test]
    fn splitting_and_scaling_are_inverse() {
        for number in [1.0, -0.1, 1e300, 5e-324, 0.75] {
            let x = from_format(u128::from(f64::to_bits(number)), FloatFormat::Double);
            let (fraction, exponent) = split(x);
            assert_eq!(scale(fraction, exponent), x, "{number}");
            let fraction = f64::from_bits(to_format(fraction, FloatFormat::Double) as u64).abs();
            assert!((0.5..1.0).contains(&fraction), "{number} {fraction}");
        }
    }
}
