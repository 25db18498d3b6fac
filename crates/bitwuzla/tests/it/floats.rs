//! Floats against the processor.

use crate::operation::{self, Operation, Random, amount};
use bitwuzla::{Kind, RoundingMode, Sort, Term, TermManager};

use RoundingMode::{NearestAway, NearestEven, TowardNegative, TowardPositive, TowardZero};

const ROUNDING_MODES: [RoundingMode; 5] = [NearestEven, NearestAway, TowardNegative, TowardPositive, TowardZero];

/// The tests for a float of Rust with its bits, and how many samples are translated to clauses.
macro_rules! tests {
    ($module:ident, $float:ident, $bits:ident, $sort:expr, $translated:expr) => {
        mod $module {
            use super::*;

            #[test]
            fn arithmetic() {
                two(Kind::FpAdd, |a, b| a + b);
                two(Kind::FpSub, |a, b| a - b);
                two(Kind::FpMul, |a, b| a * b);
            }

            #[test]
            fn division() {
                two(Kind::FpDiv, |a, b| a / b);
            }

            #[test]
            fn square_root() {
                let operation = Operation {
                    name: "fp.sqrt".to_string(),
                    args: vec![$sort],
                    result: $sort,
                    make: &|terms, args| rounded(terms, Kind::FpSqrt, NearestEven, args),
                };
                check(&operation, |args| args[0].sqrt());
            }

            #[test]
            fn fused_multiplication() {
                let operation = Operation {
                    name: "fp.fma".to_string(),
                    args: vec![$sort; 3],
                    result: $sort,
                    make: &|terms, args| rounded(terms, Kind::FpFma, NearestEven, args),
                };
                check(&operation, |args| args[0].mul_add(args[1], args[2]));
            }

            #[test]
            fn rounding_to_integers() {
                for mode in ROUNDING_MODES {
                    let operation = Operation {
                        name: format!("fp.roundToIntegral {mode:?}"),
                        args: vec![$sort],
                        result: $sort,
                        make: &|terms, args| rounded(terms, Kind::FpRti, mode, args),
                    };
                    check(&operation, |args| match mode {
                        NearestEven => args[0].round_ties_even(),
                        NearestAway => args[0].round(),
                        TowardNegative => args[0].floor(),
                        TowardPositive => args[0].ceil(),
                        TowardZero => args[0].trunc(),
                    });
                }
            }

            #[test]
            fn signs_and_order() {
                plain(Kind::FpAbs, 1, |args| args[0].abs());
                plain(Kind::FpNeg, 1, |args| -args[0]);
                plain(Kind::FpMin, 2, |args| args[0].min(args[1]));
                plain(Kind::FpMax, 2, |args| args[0].max(args[1]));
                truth(Kind::FpEqual, 2, |args| args[0] == args[1]);
                truth(Kind::FpLt, 2, |args| args[0] < args[1]);
                truth(Kind::FpLe, 2, |args| args[0] <= args[1]);
                truth(Kind::FpGt, 2, |args| args[0] > args[1]);
                truth(Kind::FpGe, 2, |args| args[0] >= args[1]);
                let identical = |a: $float, b: $float| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
                truth(Kind::Equal, 2, |args| identical(args[0], args[1]));
                truth(Kind::FpIsNan, 1, |args| args[0].is_nan());
                truth(Kind::FpIsInf, 1, |args| args[0].is_infinite());
                truth(Kind::FpIsZero, 1, |args| args[0] == 0.0);
                truth(Kind::FpIsNormal, 1, |args| args[0].is_normal());
                truth(Kind::FpIsSubnormal, 1, |args| args[0].is_subnormal());
                truth(Kind::FpIsNeg, 1, |args| args[0].is_sign_negative() && !args[0].is_nan());
                truth(Kind::FpIsPos, 1, |args| args[0].is_sign_positive() && !args[0].is_nan());
            }

            #[test]
            fn from_integers() {
                let mut random = Random(7);
                let any: Vec<Vec<u128>> =
                    (0..amount(300, 3000)).map(|_| vec![u128::from(random.next() >> (random.next() % 64))]).collect();
                let from = |kind: Kind, width: u32, expect: &dyn Fn(u64) -> $float| {
                    let operation = Operation {
                        name: format!("{kind:?} of {width} bits"),
                        args: vec![Sort::BitVec(width)],
                        result: $sort,
                        make: &|terms, args| converted(terms, kind, args),
                    };
                    let mask = u128::from(u64::MAX >> (64 - width));
                    let samples: Vec<Vec<u128>> = any.iter().map(|sample| vec![sample[0] & mask]).collect();
                    operation::check(&operation, &samples, $translated, |args| bits(expect(args[0] as u64)), same);
                };
                from(Kind::FpFromSigned, 8, &|a| a as i8 as $float);
                from(Kind::FpFromSigned, 32, &|a| a as i32 as $float);
                from(Kind::FpFromSigned, 64, &|a| a as i64 as $float);
                from(Kind::FpFromUnsigned, 8, &|a| a as u8 as $float);
                from(Kind::FpFromUnsigned, 32, &|a| a as u32 as $float);
                from(Kind::FpFromUnsigned, 64, &|a| a as $float);
            }

            #[test]
            fn to_integers() {
                // What does not fit is not defined.
                let to = |kind: Kind, width: u32, low: $float, above: $float, expect: &dyn Fn($float) -> u64| {
                    let operation = Operation {
                        name: format!("{kind:?} of {width} bits"),
                        args: vec![$sort],
                        result: Sort::BitVec(width),
                        make: &|terms, args| {
                            let mode = terms.rounding_mode(TowardZero).unwrap();
                            terms.indexed(kind, &[&mode, args[0]], &[width]).unwrap()
                        },
                    };
                    let mut samples = samples(1, amount(3000, 30_000));
                    samples.retain(|sample| {
                        let value = float(sample[0]).trunc();
                        low <= value && value < above
                    });
                    assert!(samples.len() > 100);
                    let mask = u64::MAX >> (64 - width);
                    operation::check(
                        &operation,
                        &samples,
                        $translated,
                        |args| u128::from(expect(float(args[0])) & mask),
                        |a, b| a == b,
                    );
                };
                let power = |exponent: i32| (2.0 as $float).powi(exponent);
                to(Kind::FpToSigned, 8, -power(7), power(7), &|a| a as i8 as u64);
                to(Kind::FpToSigned, 32, -power(31), power(31), &|a| a as i32 as u64);
                to(Kind::FpToSigned, 64, -power(63), power(63), &|a| a as i64 as u64);
                to(Kind::FpToUnsigned, 8, 0.0, power(8), &|a| u64::from(a as u8));
                to(Kind::FpToUnsigned, 32, 0.0, power(32), &|a| u64::from(a as u32));
                to(Kind::FpToUnsigned, 64, 0.0, power(64), &|a| a as u64);
            }

            fn two(kind: Kind, expect: impl Fn($float, $float) -> $float) {
                let operation = Operation {
                    name: format!("{kind:?}"),
                    args: vec![$sort; 2],
                    result: $sort,
                    make: &|terms, args| rounded(terms, kind, NearestEven, args),
                };
                check(&operation, |args| expect(args[0], args[1]));
            }

            fn plain(kind: Kind, arity: usize, expect: impl Fn(&[$float]) -> $float) {
                let operation = Operation {
                    name: format!("{kind:?}"),
                    args: vec![$sort; arity],
                    result: $sort,
                    make: &|terms, args| terms.term(kind, args).unwrap(),
                };
                let mut samples = samples(arity, amount(300, 3000));
                if arity == 2 {
                    // Of zeros with two signs, minimum and maximum may be either.
                    samples.retain(|sample| float(sample[0]) != 0.0 || float(sample[1]) != 0.0);
                }
                operation::check(&operation, &samples, $translated, |args| bits(expect(&floats(args))), same);
            }

            fn truth(kind: Kind, arity: usize, expect: impl Fn(&[$float]) -> bool) {
                let operation = Operation {
                    name: format!("{kind:?}"),
                    args: vec![$sort; arity],
                    result: Sort::Bool,
                    make: &|terms, args| terms.term(kind, args).unwrap(),
                };
                let samples = samples(arity, amount(300, 3000));
                operation::check(
                    &operation,
                    &samples,
                    $translated,
                    |args| u128::from(expect(&floats(args))),
                    |a, b| a == b,
                );
            }

            fn check(operation: &Operation, expect: impl Fn(&[$float]) -> $float) {
                let samples = samples(operation.args.len(), amount(300, 3000));
                operation::check(operation, &samples, $translated, |args| bits(expect(&floats(args))), same);
            }

            fn same(a: u128, b: u128) -> bool {
                a == b || float(a).is_nan() && float(b).is_nan()
            }

            fn converted(terms: &TermManager, kind: Kind, args: &[&Term]) -> Term {
                let Sort::Float { exponent, significand } = $sort else { panic!() };
                let mode = terms.rounding_mode(NearestEven).unwrap();
                terms.indexed(kind, &[&mode, args[0]], &[exponent, significand]).unwrap()
            }

            fn samples(arity: usize, count: usize) -> Vec<Vec<u128>> {
                let Sort::Float { exponent, significand } = $sort else { panic!() };
                let mut random = Random(3);
                (0..count).map(|_| (0..arity).map(|_| sample(&mut random, exponent, significand)).collect()).collect()
            }

            fn floats(args: &[u128]) -> Vec<$float> {
                args.iter().map(|arg| float(*arg)).collect()
            }

            fn float(bits: u128) -> $float {
                $float::from_bits(bits as $bits)
            }

            fn bits(float: $float) -> u128 {
                u128::from(float.to_bits())
            }
        }
    };
}

tests!(single, f32, u32, Sort::F32, amount(20, 200));
tests!(double, f64, u64, Sort::F64, amount(5, 50));

/// The remainder of IEEE 754 is not that of Rust, but follows from it without rounding. Its translation has a round for
/// each exponent; that of the smallest format shows that it is right.
#[test]
fn remainder() {
    fn remainder(a: f64, b: f64) -> f64 {
        if !a.is_finite() || b == 0.0 || b.is_nan() {
            return f64::NAN;
        }
        // Modulo twice the divisor it is known whether the quotient is even.
        let (magnitude, b) = (a.abs() % (2.0 * b.abs()), b.abs());
        let rest = if magnitude >= 1.5 * b {
            magnitude - 2.0 * b
        } else if magnitude > 0.5 * b {
            magnitude - b
        } else {
            magnitude
        };
        if a.is_sign_negative() { -rest } else { rest }
    }
    let operation = Operation {
        name: "fp.rem".to_string(),
        args: vec![Sort::F16; 2],
        result: Sort::F16,
        make: &|terms, args| terms.term(Kind::FpRem, args).unwrap(),
    };
    let mut random = Random(4);
    let samples: Vec<Vec<u128>> =
        (0..amount(300, 3000)).map(|_| (0..2).map(|_| sample(&mut random, 5, 11)).collect()).collect();
    let same = |a: u128, b: u128| a == b || half(a).is_nan() && half(b).is_nan();
    operation::check(
        &operation,
        &samples,
        amount(20, 200),
        |args| half_bits(remainder(half(args[0]), half(args[1]))),
        same,
    );
}

/// Conversions between formats, to the wider one and back.
#[test]
fn formats() {
    let convert = |from: Sort, to: Sort, expect: &dyn Fn(u128) -> u128, is_nan: &dyn Fn(u128) -> bool| {
        let (Sort::Float { exponent, significand }, Sort::Float { exponent: e, significand: s }) = (&from, &to) else {
            panic!();
        };
        let mut random = Random(5);
        let samples: Vec<Vec<u128>> =
            (0..amount(300, 3000)).map(|_| vec![sample(&mut random, *exponent, *significand)]).collect();
        let operation = Operation {
            name: format!("{from:?} to {to:?}"),
            args: vec![from.clone()],
            result: to.clone(),
            make: &|terms, args| {
                let mode = terms.rounding_mode(NearestEven).unwrap();
                terms.indexed(Kind::FpFromFp, &[&mode, args[0]], &[*e, *s]).unwrap()
            },
        };
        operation::check(
            &operation,
            &samples,
            amount(20, 200),
            |args| expect(args[0]),
            |a, b| a == b || is_nan(a) && is_nan(b),
        );
    };
    let single = |bits: u128| f32::from_bits(bits as u32);
    let double = |bits: u128| f64::from_bits(bits as u64);
    let to_double = |bits| u128::from(f64::from(single(bits)).to_bits());
    let to_single = |bits| u128::from((double(bits) as f32).to_bits());
    convert(Sort::F32, Sort::F64, &to_double, &|bits| double(bits).is_nan());
    convert(Sort::F64, Sort::F32, &to_single, &|bits| single(bits).is_nan());
    convert(Sort::F16, Sort::F64, &|bits| u128::from(half(bits).to_bits()), &|bits| double(bits).is_nan());
}

fn rounded(terms: &TermManager, kind: Kind, mode: RoundingMode, args: &[&Term]) -> Term {
    let mode = terms.rounding_mode(mode).unwrap();
    terms.term(kind, &[&[&mode], args].concat()).unwrap()
}

/// The bits of a float, with exponents and significands of all kinds; many have a magnitude that integers have.
fn sample(random: &mut Random, exponent: u32, significand: u32) -> u128 {
    let (sign_at, stored) = (exponent + significand - 1, significand - 1);
    let (most, all) = ((1 << exponent) - 1, (1 << stored) - 1);
    let (any, bias) = (random.next() & most, most / 2);
    let near = bias + random.next() % 8;
    let integer = (bias + random.next() % 66).min(most);
    let exponent = random.pick(&[any, any, near, near, integer, integer, 0, 1, most - 1, most]);
    let any = random.next() & all;
    let significand = random.pick(&[any, any, any, any, 0, 1, all, all / 2 + 1, any & !(all / 64)]);
    u128::from((random.next() & 1) << sign_at | exponent << stored | significand)
}

/// The value of a 16-bit float, which has no type.
fn half(bits: u128) -> f64 {
    let bits = bits as u64;
    let magnitude = match (bits >> 10 & 31, bits & 1023) {
        (31, 0) => f64::INFINITY,
        (31, _) => f64::NAN,
        (0, significand) => significand as f64 * 2f64.powi(-24),
        (exponent, significand) => (1024 + significand) as f64 * 2f64.powi(exponent as i32 - 25),
    };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}

/// The bits of a number that a 16-bit float can be.
fn half_bits(value: f64) -> u128 {
    (0..1 << 16)
        .find(|bits| {
            let half = half(*bits);
            half == value && half.is_sign_negative() == value.is_sign_negative() || half.is_nan() && value.is_nan()
        })
        .unwrap()
}
