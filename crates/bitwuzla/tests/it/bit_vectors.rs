//! Bit-vectors against the arithmetic of Rust, and what SMT-LIB says about division by zero and wide shifts.

use crate::operation::{self, Operation, Random, amount};
use bitwuzla::{Kind, Sort};

#[test]
fn arithmetic_of_narrow_vectors() {
    arithmetic(&[1, 8, 13, 32], amount(30, 300), amount(30, 300));
}

#[test]
fn arithmetic_of_wide_vectors() {
    arithmetic(&[64, 65, 100, 128], amount(1, 10), amount(5, 100));
}

#[test]
fn width_changes() {
    let mut random = Random(2);
    for width in [1, 7, 32, 64, 65, 100] {
        let mask = u128::MAX >> (128 - width);
        let samples: Vec<Vec<u128>> = (0..20).map(|_| vec![bits(&mut random, width)]).collect();
        let signed = |value: u128| (value << (128 - width)) as i128 >> (128 - width);
        let (high, low) = (width - 1, width / 3);
        let wider = 128 - width;
        let change = |kind: Kind, indices: &[u32], to: u32, expect: &dyn Fn(u128) -> u128| {
            let operation = Operation {
                name: format!("{kind:?} {indices:?} of {width} bits"),
                args: vec![Sort::BitVec(width)],
                result: Sort::BitVec(to),
                make: &|terms, args| terms.indexed(kind, args, indices).unwrap(),
            };
            operation::check(&operation, &samples, 20, |args| expect(args[0]), |a, b| a == b);
        };
        change(Kind::BvExtract, &[high, low], high - low + 1, &|a| a >> low);
        change(Kind::BvExtract, &[low, 0], low + 1, &|a| a & mask & (u128::MAX >> (127 - low)));
        change(Kind::BvZeroExtend, &[wider], 128, &|a| a);
        change(Kind::BvSignExtend, &[wider], 128, &|a| signed(a) as u128);
        change(Kind::BvZeroExtend, &[0], width, &|a| a);
    }
    let concat = Operation {
        name: "concat".to_string(),
        args: vec![Sort::BitVec(3), Sort::BitVec(60), Sort::BitVec(13)],
        result: Sort::BitVec(76),
        make: &|terms, args| terms.term(Kind::BvConcat, args).unwrap(),
    };
    let samples: Vec<Vec<u128>> = (0..20).map(|_| [3, 60, 13].map(|width| bits(&mut random, width)).to_vec()).collect();
    operation::check(&concat, &samples, 20, |args| (args[0] << 60 | args[1]) << 13 | args[2], |a, b| a == b);
}

/// Checks all operations on two vectors of each width. Some are large as clauses; their samples are counted apart.
fn arithmetic(widths: &[u32], large: usize, translated: usize) {
    let mut random = Random(1);
    for &width in widths {
        let samples: Vec<Vec<u128>> =
            (0..amount(300, 3000)).map(|_| vec![bits(&mut random, width), bits(&mut random, width)]).collect();
        let mask = u128::MAX >> (128 - width);
        let signed = |value: u128| (value << (128 - width)) as i128 >> (128 - width);
        let top = |value: u128| value >> (width - 1) & 1 == 1;
        let fits = |value: Option<i128>| value.is_some_and(|value| signed(value as u128) == value);
        let binary = |kind: Kind, result: Sort, expect: &dyn Fn(u128, u128) -> u128| {
            let operation = Operation {
                name: format!("{kind:?} of {width} bits"),
                args: vec![Sort::BitVec(width); 2],
                result,
                make: &|terms, args| terms.term(kind, args).unwrap(),
            };
            let translated = if LARGE.contains(&kind) { large } else { translated };
            operation::check(&operation, &samples, translated, |args| expect(args[0], args[1]), |a, b| a == b);
        };
        let number = |kind: Kind, expect: &dyn Fn(u128, u128) -> u128| {
            binary(kind, Sort::BitVec(width), &|a, b| expect(a, b) & mask);
        };
        let truth = |kind: Kind, expect: &dyn Fn(u128, u128) -> bool| {
            binary(kind, Sort::Bool, &|a, b| u128::from(expect(a, b)));
        };

        number(Kind::BvAnd, &|a, b| a & b);
        number(Kind::BvOr, &|a, b| a | b);
        number(Kind::BvXor, &|a, b| a ^ b);
        number(Kind::BvAdd, &|a, b| a.wrapping_add(b));
        number(Kind::BvSub, &|a, b| a.wrapping_sub(b));
        number(Kind::BvShl, &|a, b| if b < u128::from(width) { a << b } else { 0 });
        number(Kind::BvLshr, &|a, b| if b < u128::from(width) { a >> b } else { 0 });
        number(Kind::BvAshr, &|a, b| (signed(a) >> b.min(127)) as u128);
        number(Kind::BvMul, &|a, b| a.wrapping_mul(b));
        number(Kind::BvUdiv, &|a, b| a.checked_div(b).unwrap_or(mask));
        number(Kind::BvUrem, &|a, b| a.checked_rem(b).unwrap_or(a));
        number(Kind::BvSdiv, &|a, b| match signed(b) {
            0 if top(a) => 1,
            0 => mask,
            b => signed(a).wrapping_div(b) as u128,
        });
        number(Kind::BvSrem, &|a, b| match signed(b) {
            0 => a,
            b => signed(a).wrapping_rem(b) as u128,
        });
        number(Kind::BvSmod, &|a, b| match (signed(a), signed(b)) {
            (a, 0) => a as u128,
            (a, b) => {
                let rest = a.wrapping_rem(b);
                if rest != 0 && (rest < 0) != (b < 0) { rest.wrapping_add(b) as u128 } else { rest as u128 }
            }
        });
        truth(Kind::BvUmulOverflow, &|a, b| a.checked_mul(b).is_none_or(|product| product > mask));
        truth(Kind::BvSmulOverflow, &|a, b| !fits(signed(a).checked_mul(signed(b))));
        truth(Kind::BvSdivOverflow, &|a, b| signed(b) == -1 && top(a) && a << 1 & mask == 0);
        truth(Kind::Equal, &|a, b| a == b);
        truth(Kind::Distinct, &|a, b| a != b);
        truth(Kind::BvUlt, &|a, b| a < b);
        truth(Kind::BvUle, &|a, b| a <= b);
        truth(Kind::BvUgt, &|a, b| a > b);
        truth(Kind::BvUge, &|a, b| a >= b);
        truth(Kind::BvSlt, &|a, b| signed(a) < signed(b));
        truth(Kind::BvSle, &|a, b| signed(a) <= signed(b));
        truth(Kind::BvSgt, &|a, b| signed(a) > signed(b));
        truth(Kind::BvSge, &|a, b| signed(a) >= signed(b));
        truth(Kind::BvUaddOverflow, &|a, b| a.checked_add(b).is_none_or(|sum| sum > mask));
        truth(Kind::BvSaddOverflow, &|a, b| !fits(signed(a).checked_add(signed(b))));
        truth(Kind::BvUsubOverflow, &|a, b| a < b);
        truth(Kind::BvSsubOverflow, &|a, b| !fits(signed(a).checked_sub(signed(b))));
        binary(Kind::BvComp, Sort::BitVec(1), &|a, b| u128::from(a == b));

        let one = |kind: Kind, result: Sort, expect: &dyn Fn(u128) -> u128| {
            let operation = Operation {
                name: format!("{kind:?} of {width} bits"),
                args: vec![Sort::BitVec(width)],
                result,
                make: &|terms, args| terms.term(kind, args).unwrap(),
            };
            let samples: Vec<Vec<u128>> = samples.iter().map(|sample| vec![sample[0]]).collect();
            operation::check(&operation, &samples, translated, |args| expect(args[0]), |a, b| a == b);
        };
        one(Kind::BvNot, Sort::BitVec(width), &|a| !a & mask);
        one(Kind::BvNeg, Sort::BitVec(width), &|a| a.wrapping_neg() & mask);
        one(Kind::BvRedAnd, Sort::BitVec(1), &|a| u128::from(a == mask));
        one(Kind::BvRedOr, Sort::BitVec(1), &|a| u128::from(a != 0));
        one(Kind::BvRedXor, Sort::BitVec(1), &|a| u128::from(a.count_ones() % 2));
        one(Kind::BvNegOverflow, Sort::Bool, &|a| u128::from(top(a) && a << 1 & mask == 0));
    }
}

/// The operations that are large as clauses.
const LARGE: [Kind; 8] = [
    Kind::BvMul,
    Kind::BvUdiv,
    Kind::BvUrem,
    Kind::BvSdiv,
    Kind::BvSrem,
    Kind::BvSmod,
    Kind::BvUmulOverflow,
    Kind::BvSmulOverflow,
];

/// Any bits, or the special ones that break arithmetic.
fn bits(random: &mut Random, width: u32) -> u128 {
    let mask = u128::MAX >> (128 - width);
    let any = u128::from(random.next()) << 64 | u128::from(random.next());
    let small = u128::from(random.next() % 140);
    mask & random.pick(&[any, any, small, 0, 1, mask, mask / 2, mask / 2 + 1, mask.wrapping_sub(small)])
}
