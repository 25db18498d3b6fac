#![allow(clippy::unwrap_used, clippy::panic)]
//! Simplification against plain evaluation: whatever rule applies, the value must stay the same.

use super::*;
use crate::eval::{Evaluator, Model};
use crate::expr::{FloatFormat, FloatOp, Rounding};

/// A small generator, so that a failure names its seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 33) as usize % limit
    }

    /// Values at which rules tend to be wrong are frequent.
    fn bits(&mut self, width: u32) -> Bits {
        match self.below(6) {
            0 => Bits::zero(width),
            1 => Bits::ones(width),
            2 => Bits::new(1, width).shl(width - 1),
            3 => Bits::new(u128::from(self.next() % 5), width),
            4 => Bits::new(1, width).shl(self.below(width as usize) as u32),
            _ => Bits::from_words(&[self.next(), self.next(), self.next(), self.next()], width),
        }
    }
}

const WIDTHS: [u32; 9] = [1, 2, 8, 16, 32, 33, 64, 65, 130];
const MODELS: usize = 6;

/// An expression and its value under each model, found without the pool.
type Item = (Expr, Vec<Bits>);

fn resize(pool: &mut Pool, (expr, values): &Item, width: u32, signed: bool) -> Item {
    let from = pool.width(*expr);
    let op = match (width < from, signed) {
        (true, _) => Op::Extract { low: 0 },
        (false, false) => Op::ZExt,
        (false, true) => Op::SExt,
    };
    let expr = match op {
        Op::Extract { .. } => pool.extract(*expr, 0, width),
        Op::ZExt => pool.zext(*expr, width),
        _ => pool.sext(*expr, width),
    };
    if from == width {
        return (expr, values.clone());
    }
    (expr, values.iter().map(|v| fold(op, width, std::slice::from_ref(v)).unwrap()).collect())
}

fn step(pool: &mut Pool, random: &mut Random, items: &[Item]) -> Item {
    let pick = |random: &mut Random| items[random.below(items.len())].clone();
    let first = pick(random);
    let width = pool.width(first.0);
    let signed = random.below(2) == 0;
    let second = pick(random);
    let second = resize(pool, &second, width, signed);
    let both = |op: Op, to: u32| -> Vec<Bits> {
        let pairs = first.1.iter().zip(&second.1);
        pairs.map(|(a, b)| fold(op, to, &[a.clone(), b.clone()]).unwrap()).collect()
    };
    let (a, b) = (first.0, second.0);
    match random.below(26) {
        0 => (pool.not(a), both(Op::Not, width)),
        1 => (pool.neg(a), both(Op::Neg, width)),
        2 => (pool.and(a, b), both(Op::And, width)),
        3 => (pool.or(a, b), both(Op::Or, width)),
        4 => (pool.xor(a, b), both(Op::Xor, width)),
        5 | 6 => (pool.add(a, b), both(Op::Add, width)),
        7 | 8 => (pool.sub(a, b), both(Op::Sub, width)),
        9 => (pool.mul(a, b), both(Op::Mul, width)),
        10 => (pool.udiv(a, b), both(Op::UDiv, width)),
        11 => (pool.urem(a, b), both(Op::URem, width)),
        12 => (pool.sdiv(a, b), both(Op::SDiv, width)),
        13 => (pool.srem(a, b), both(Op::SRem, width)),
        14 => (pool.shl(a, b), both(Op::Shl, width)),
        15 => (pool.lshr(a, b), both(Op::LShr, width)),
        16 => (pool.ashr(a, b), both(Op::AShr, width)),
        17 => (pool.eq(a, b), both(Op::Eq, 1)),
        18 => (pool.ult(a, b), both(Op::Ult, 1)),
        19 => (pool.ule(a, b), both(Op::Ule, 1)),
        20 => (pool.slt(a, b), both(Op::Slt, 1)),
        21 => (pool.sle(a, b), both(Op::Sle, 1)),
        22 if width < 300 => (pool.concat(a, b), both(Op::Concat, 2 * width)),
        23 => {
            let low = random.below(width as usize) as u32;
            let to = 1 + random.below((width - low) as usize) as u32;
            let values = first.1.iter().map(|v| v.extract(low, to)).collect();
            (pool.extract(a, low, to), values)
        }
        24 => {
            let to = WIDTHS[random.below(WIDTHS.len())].max(width);
            resize(pool, &first, to, signed)
        }
        _ => {
            let condition = pick(random);
            let condition = resize(pool, &condition, 1, false);
            let values = (0..MODELS)
                .map(|i| if condition.1[i].is_zero() { second.1[i].clone() } else { first.1[i].clone() })
                .collect();
            (pool.ite(condition.0, a, b), values)
        }
    }
}

#[test]
fn every_rule_keeps_the_value() {
    for seed in 1..=3000u64 {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut pool = Pool::new();
        let mut models = vec![Model::default(); MODELS];
        let mut items: Vec<Item> = Vec::new();
        for i in 0..3 {
            let width = WIDTHS[random.below(WIDTHS.len())];
            let expr = pool.symbol(format!("s{i}"), width);
            let values: Vec<Bits> = (0..MODELS).map(|_| random.bits(width)).collect();
            for (model, value) in models.iter_mut().zip(&values) {
                model.set(SymbolId(i), value);
            }
            items.push((expr, values));
        }
        for _ in 0..2 {
            let width = WIDTHS[random.below(WIDTHS.len())];
            let constant = random.bits(width);
            items.push((pool.bits(&constant), vec![constant; MODELS]));
        }
        for number in 0..40 {
            let item = step(&mut pool, &mut random, &items);
            for (model, expect) in models.iter().zip(&item.1) {
                let found = Evaluator::new(&pool, model).value(item.0);
                assert_eq!(found.as_ref(), Some(expect), "seed {seed}, step {number}, {:?}", item.0);
                let facts = pool.facts(item.0);
                let possible = expect.width > 64 || facts.contains(expect.low());
                assert!(possible, "seed {seed}, step {number}: {facts:?} without {expect:?}");
            }
            if number % 8 == 7 {
                let normal = polynomial::normal(&mut pool, item.0);
                for (model, expect) in models.iter().zip(&item.1) {
                    let found = Evaluator::new(&pool, model).value(normal);
                    assert_eq!(found.as_ref(), Some(expect), "seed {seed}, step {number}: normal form");
                }
            }
            items.push(item);
        }
    }
}

#[test]
fn equal_expressions_are_one_term() {
    let mut pool = Pool::new();
    let (x, y) = (pool.symbol("x", 32), pool.symbol("y", 32));
    let three = Expr::constant(3, 32);
    let check = |pool: &mut Pool, left: Expr, right: Expr| assert_eq!(left, right, "{} terms", pool.len());
    let (a, b) = (pool.add(x, y), pool.add(y, x));
    check(&mut pool, a, b);
    // (x + 3) - (x + 1) is 2.
    let (p, q) = (pool.add(x, three), pool.add(x, Expr::constant(1, 32)));
    let difference = pool.sub(p, q);
    check(&mut pool, difference, Expr::constant(2, 32));
    // not (x < y) is y <= x, and both are opposites.
    let less = pool.slt(x, y);
    let not_less = pool.not(less);
    let at_least = pool.sle(y, x);
    check(&mut pool, not_less, at_least);
    let never = pool.and(less, at_least);
    check(&mut pool, never, Expr::bool(false));
    // A truth value through an integer and back is itself.
    let wide = pool.zext(less, 32);
    let again = pool.ne(wide, Expr::constant(0, 32));
    check(&mut pool, again, less);
    // Bytes of a word side by side are the word.
    let bytes: Vec<Expr> = (0..4).map(|i| pool.extract(x, 8 * i, 8)).collect();
    let joined = bytes.iter().rev().copied().reduce(|high, low| pool.concat(high, low)).unwrap();
    check(&mut pool, joined, x);
    // x == 3 of a zero-extended byte is a comparison of the byte.
    let c = pool.symbol("c", 8);
    let extended = pool.zext(c, 32);
    let (wide, narrow) = (pool.eq(extended, three), pool.eq(c, Expr::constant(3, 8)));
    check(&mut pool, wide, narrow);
    let never = pool.eq(extended, Expr::constant(300, 32));
    check(&mut pool, never, Expr::bool(false));
}

#[test]
fn quotients_and_remainders_of_each_other() {
    let mut pool = Pool::new();
    let t = pool.symbol("t", 32);
    let n = |value: u64| Expr::constant(value, 32);
    for signed in [false, true] {
        let div = |pool: &mut Pool, a, b| if signed { pool.sdiv(a, n(b)) } else { pool.udiv(a, n(b)) };
        let rem = |pool: &mut Pool, a, b| if signed { pool.srem(a, n(b)) } else { pool.urem(a, n(b)) };
        let minutes = div(&mut pool, t, 60);
        assert_eq!(div(&mut pool, minutes, 60), div(&mut pool, t, 3600));
        let of_hour = rem(&mut pool, t, 3600);
        assert_eq!(div(&mut pool, of_hour, 60), rem(&mut pool, minutes, 60));
        assert_eq!(rem(&mut pool, of_hour, 60), rem(&mut pool, t, 60));
        let whole = pool.mul(minutes, n(60));
        assert_eq!(pool.sub(t, whole), rem(&mut pool, t, 60));
        assert_ne!(rem(&mut pool, of_hour, 7), rem(&mut pool, t, 7));
    }
    // Every number of eight bits, by numbers whose product fits and by some whose product does not.
    let x = pool.symbol("x", 8);
    let ops = [Pool::udiv, Pool::urem, Pool::sdiv, Pool::srem];
    for (first, second) in [(3, 5), (5, 3), (15, 3), (60, 12), (11, 13), (100, 25), (253, 11), (11, 251), (120, 7)] {
        for (inner, outer) in ops.iter().flat_map(|inner| ops.iter().map(move |outer| (inner, outer))) {
            let part = inner(&mut pool, x, Expr::constant(first, 8));
            let whole = outer(&mut pool, part, Expr::constant(second, 8));
            for value in 0..=255u64 {
                let mut model = Model::default();
                model.set(SymbolId(1), &Bits::new(u128::from(value), 8));
                let known = inner(&mut pool, Expr::constant(value, 8), Expr::constant(first, 8));
                let expected = outer(&mut pool, known, Expr::constant(second, 8)).as_const();
                let found = Evaluator::new(&pool, &model).small(whole);
                assert_eq!(found, expected, "{value} by {first} and {second}");
            }
        }
    }
}

#[test]
fn equal_polynomials_are_one_term() {
    let mut pool = Pool::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, 32));
    let n = |value: u64| Expr::constant(value, 32);
    let check = |pool: &mut Pool, left: Expr, right: Expr| {
        let same = pool.eq(left, right);
        assert!(polynomial::normal(pool, same).is_true());
        let (left, right) = (pool.udiv(left, y), pool.udiv(right, y));
        let same = pool.eq(left, right);
        assert!(polynomial::normal(pool, same).is_true());
    };
    // x * 33 + z, by a shift.
    let product = pool.mul(x, n(33));
    let product = pool.add(product, z);
    let shifted = pool.shl(x, n(5));
    let shifted = pool.add(shifted, x);
    let shifted = pool.add(z, shifted);
    check(&mut pool, product, shifted);
    // The same of what has a polynomial itself.
    let again = pool.mul(product, n(33));
    let moved = pool.shl(shifted, n(5));
    let moved = pool.add(moved, shifted);
    check(&mut pool, again, moved);
    // A hash of some characters, both ways.
    let characters: Vec<Expr> = (0..4).map(|i| pool.symbol(format!("c{i}"), 8)).collect();
    let (mut product, mut moved) = (n(5381), n(5381));
    for c in characters {
        let c = pool.zext(c, 32);
        product = pool.mul(product, n(33));
        product = pool.add(product, c);
        let five = pool.shl(moved, n(5));
        let sum = pool.add(five, moved);
        moved = pool.add(sum, c);
    }
    check(&mut pool, product, moved);
    // x * (y + 2 z) and x y + x z + x z.
    let double = pool.mul(z, n(2));
    let sum = pool.add(y, double);
    let left = pool.mul(x, sum);
    let (xy, xz) = (pool.mul(x, y), pool.mul(z, x));
    let right = pool.add(xz, xy);
    let right = pool.add(xz, right);
    check(&mut pool, left, right);
    // x % y and x - x / y * y, signed.
    let rest = pool.srem(x, y);
    let quotient = pool.sdiv(x, y);
    let taken = pool.mul(quotient, y);
    let also = pool.sub(x, taken);
    check(&mut pool, rest, also);
    // A sum that is cut is the sum of what is cut.
    let sum = pool.add(x, y);
    let wide = pool.mul(sum, sum);
    let cut = pool.extract(wide, 0, 16);
    let [x, y] = [x, y].map(|term| pool.extract(term, 0, 16));
    let sum = pool.add(y, x);
    let narrow = pool.mul(sum, sum);
    let same = pool.eq(cut, narrow);
    assert!(polynomial::normal(&mut pool, same).is_true());
}

#[test]
fn bits_and_ranges_decide_comparisons() {
    let mut pool = Pool::new();
    let (x, y) = (pool.symbol("x", 32), pool.symbol("y", 32));
    let n = |value: u64| Expr::constant(value, 32);
    let sum = pool.add(x, y);
    let digit = pool.urem(sum, n(10));
    let index = pool.add(digit, n(3));
    assert!(pool.ult(index, n(13)).is_true());
    assert!(pool.ult(n(12), index).is_false());
    assert!(pool.slt(index, n(0)).is_false());
    assert!(pool.eq(index, n(2)).is_false());
    let even = pool.mul(x, n(6));
    let odd = pool.or(y, n(1));
    assert!(pool.eq(even, odd).is_false());
    let table = pool.array_table(&[1, 9, 4], 8);
    let wide = pool.zext(x, 64);
    let element = pool.select(table, wide);
    assert!(pool.ule(element, Expr::constant(9, 8)).is_true());
    assert!(!pool.ule(element, Expr::constant(8, 8)).is_true());
}

#[test]
fn reads_see_the_last_write() {
    let mut pool = Pool::new();
    let array = pool.array_symbol("a", 8, Reading::Unsigned);
    let (i, j) = (pool.symbol("i", 64), pool.symbol("j", 64));
    let value = |n: u64| Expr::constant(n, 8);
    let one = pool.store(array, i, value(1));
    assert_eq!(pool.select(one, i), value(1));
    let next = pool.add(i, Expr::constant(1, 64));
    let two = pool.store(one, next, value(2));
    assert_eq!(pool.select(two, i), value(1));
    assert_eq!(pool.store(two, next, value(2)), two);
    let maybe = pool.select(two, j);
    let check = |pool: &Pool, at: u64, expect: u64| {
        let mut model = Model::default();
        model.set(SymbolId(1), &Bits::new(5, 64));
        model.set(SymbolId(2), &Bits::new(at.into(), 64));
        model.arrays.entry(SymbolId(0)).or_default().insert(9, Bits::new(77, 8));
        assert_eq!(Evaluator::new(pool, &model).small(maybe), Some(expect));
    };
    check(&pool, 5, 1);
    check(&pool, 6, 2);
    check(&pool, 9, 77);
    check(&pool, 10, 0);
    let table = pool.array_table(&[10, 20, 30], 8);
    assert_eq!(pool.select(table, Expr::constant(2, 64)), value(30));
    assert_eq!(pool.select(table, Expr::constant(3, 64)), value(0));
}

#[test]
fn deep_choices_do_not_exhaust_the_stack() {
    let mut pool = Pool::new();
    let x = pool.symbol("x", 32);
    let mut chain = Expr::constant(0, 32);
    for i in 1..50_000u64 {
        let here = pool.eq(x, Expr::constant(i, 32));
        chain = pool.ite(here, Expr::constant(i * 7, 32), chain);
    }
    let equal = pool.eq(chain, Expr::constant(21, 32));
    let low = pool.extract(chain, 0, 8);
    let mut model = Model::default();
    model.set(SymbolId(0), &Bits::new(3, 32));
    let mut evaluator = Evaluator::new(&pool, &model);
    assert_eq!((evaluator.small(equal), evaluator.small(low)), (Some(1), Some(21)));
}

#[test]
fn floats_agree_with_the_processor() {
    let mut random = Random(7);
    let mut pool = Pool::new();
    let nearest = Rounding::NearestEven;
    for _ in 0..20_000 {
        let special = [0.0, -0.0, 1.0, f64::INFINITY, f64::NAN, f64::MIN_POSITIVE / 4.0, f64::MAX];
        let mut number = || match random.below(3) {
            0 => special[random.below(special.len())],
            1 => f64::from_bits(random.next()),
            _ => (random.next() as i64 % 1000) as f64 / 8.0,
        };
        let (a, b) = (number(), number());
        let expr = |value: f64| Expr::constant(value.to_bits(), 64);
        let format = FloatFormat::Double;
        let mut check = |op: FloatOp, expect: f64| {
            let found = f64::from_bits(pool.float(op, &[expr(a), expr(b)], 64).as_const().unwrap());
            assert!(found.to_bits() == expect.to_bits() || (found.is_nan() && expect.is_nan()), "{op:?} {a} {b}");
        };
        check(FloatOp::Add(format, nearest), a + b);
        check(FloatOp::Sub(format, nearest), a - b);
        check(FloatOp::Mul(format, nearest), a * b);
        check(FloatOp::Div(format, nearest), a / b);
        check(FloatOp::Rem(format), a % b);
        let truth = |pool: &mut Pool, op: FloatOp| pool.float(op, &[expr(a), expr(b)], 1).is_true();
        assert_eq!(truth(&mut pool, FloatOp::Lt(format)), a < b);
        assert_eq!(truth(&mut pool, FloatOp::Le(format)), a <= b);
        assert_eq!(truth(&mut pool, FloatOp::Eq(format)), a == b);
        let single =
            pool.float(FloatOp::Convert { from: format, to: FloatFormat::Single, rounding: nearest }, &[expr(a)], 32);
        let native = a as f32;
        assert!(single.as_const() == Some(u64::from(native.to_bits())) || native.is_nan());
        let root = pool.float(FloatOp::Sqrt(FloatFormat::Single, nearest), &[single], 32).as_const().unwrap();
        let root = f32::from_bits(root as u32);
        assert!(
            root.to_bits() == native.sqrt().to_bits() || (root.is_nan() && native.sqrt().is_nan()),
            "sqrt {native}"
        );
        if a.abs() < 1e18 {
            let int = pool.float(FloatOp::ToInt { from: format, signed: true }, &[expr(a)], 64);
            assert_eq!(int.as_const(), Some(a as i64 as u64));
            let back = pool.float(FloatOp::FromInt { to: format, signed: true, rounding: nearest }, &[int], 64);
            assert_eq!(back.as_const(), Some((a as i64 as f64).to_bits()));
        }
    }
}

/// Sums and differences of products with signs, as compilers make them of `c - a * b`: one form, and the right value.
#[test]
fn signs_of_products_move_into_sums() {
    let format = FloatFormat::Double;
    let mut pool = Pool::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| pool.symbol(name, 64));
    let symbols: Vec<SymbolId> = pool.symbols_in(&[a, b, c]).into_keys().collect();
    for rounding in [Rounding::NearestEven, Rounding::Up] {
        let (add, sub, mul) =
            (FloatOp::Add(format, rounding), FloatOp::Sub(format, rounding), FloatOp::Mul(format, rounding));
        let [minus_a, minus_b] = [a, b].map(|value| pool.float_neg(format, value));
        let plain = pool.float(mul, &[a, b], 64);
        let negative = pool.float(mul, &[minus_a, b], 64);
        let other = pool.float(mul, &[a, minus_b], 64);
        let difference = pool.float(sub, &[c, plain], 64);
        let sums = [
            pool.float(add, &[c, negative], 64),
            pool.float(add, &[other, c], 64),
            pool.float(sub, &[c, negative], 64),
            pool.float(mul, &[minus_a, minus_b], 64),
        ];
        let nearest = rounding == Rounding::NearestEven;
        assert_eq!((sums[0] == difference, sums[1] == difference), (nearest, nearest));
        assert_eq!(sums[3], plain);
        let mut random = Random(0x1234_5678_9abc_def1);
        for _ in 0..400 {
            let values: Vec<u64> = (0..3)
                .map(|_| match random.below(4) {
                    0 => [0.0, -0.0, f64::INFINITY, -f64::INFINITY, f64::NAN, 1.0][random.below(6)].to_bits(),
                    1 => (random.below(9) as f64 - 4.0).to_bits(),
                    _ => random.next(),
                })
                .collect();
            let mut model = Model::default();
            for (symbol, value) in symbols.iter().zip(&values) {
                model.set(*symbol, &Bits::new(u128::from(*value), 64));
            }
            let word = |value: u64| Bits::new(u128::from(value), 64);
            let of = |op: FloatOp, x: u64, y: u64| fold(Op::Float(op), 64, &[word(x), word(y)]).unwrap().low();
            let [x, y, z] = [values[0], values[1], values[2]];
            let sign = 1 << 63;
            let expect = [
                of(add, z, of(mul, x ^ sign, y)),
                of(add, of(mul, x, y ^ sign), z),
                of(sub, z, of(mul, x ^ sign, y)),
                of(mul, x ^ sign, y ^ sign),
            ];
            let mut evaluator = Evaluator::new(&pool, &model);
            for (sum, expect) in sums.iter().zip(expect) {
                assert_eq!(evaluator.value(*sum).unwrap().low(), expect, "{values:x?} {rounding:?}");
            }
        }
    }
}

#[test]
fn integers_that_became_floats_are_compared_as_integers() {
    let mut pool = Pool::new();
    let (format, rounding) = (FloatFormat::Double, Rounding::NearestEven);
    let (x, y) = (pool.symbol("x", 8), pool.symbol("y", 8));
    let mut numbers = vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 1e300];
    numbers.extend([-129.0, -128.5, -128.0, -0.5, 0.5, 3.0, 126.5, 127.0, 127.5, 128.0, 254.5, 255.0, 255.5, 256.0]);
    for (signed, op) in [true, false]
        .into_iter()
        .flat_map(|signed| [FloatOp::Lt(format), FloatOp::Le(format), FloatOp::Eq(format)].map(|op| (signed, op)))
    {
        let [left, right] = [x, y].map(|int| pool.float(FloatOp::FromInt { to: format, signed, rounding }, &[int], 64));
        let mut cases = vec![(pool.float(op, &[left, right], 1), None, None)];
        for &number in &numbers {
            let known = Expr::constant(number.to_bits(), 64);
            cases.push((pool.float(op, &[left, known], 1), None, Some(number)));
            cases.push((pool.float(op, &[known, right], 1), Some(number), None));
        }
        let value = |bits: u64| if signed { f64::from(bits as u8 as i8) } else { f64::from(bits as u8) };
        for (a, b) in (0..=255).flat_map(|a| [0, 1, 127, 128, 255, a, a ^ 1].map(|b| (a, b))) {
            let mut model = Model::default();
            model.set(SymbolId(0), &Bits::new(u128::from(a), 8));
            model.set(SymbolId(1), &Bits::new(u128::from(b), 8));
            for &(expr, first, second) in &cases {
                let (first, second) = (first.unwrap_or(value(a)), second.unwrap_or(value(b)));
                let expect = match op {
                    FloatOp::Lt(_) => first < second,
                    FloatOp::Le(_) => first <= second,
                    _ => first == second,
                };
                let found = Evaluator::new(&pool, &model).holds(expr);
                assert_eq!(found, Some(expect), "{op:?} {signed} {first} {second}");
            }
        }
        assert!(cases.iter().all(|&(expr, _, _)| !pool.symbols_in(&[expr]).is_empty() || expr.as_const().is_some()));
    }
}
