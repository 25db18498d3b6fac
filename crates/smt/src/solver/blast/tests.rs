#![allow(clippy::unwrap_used, clippy::panic)]
//! The blaster against evaluation: a model must satisfy the constraints, and what every value refutes
//! must be unsatisfiable.

use super::*;
use crate::eval::Evaluator;
use crate::pool::Reading;

fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 20
}

/// A random expression of `width` bits over the symbols.
fn random(pool: &mut Pool, state: &mut u64, symbols: &[Expr], width: u32, depth: u32) -> Expr {
    if depth == 0 || next(state).is_multiple_of(8) {
        return match next(state) % 3 {
            0 => Expr::constant(next(state), width),
            _ => symbols[next(state) as usize % symbols.len()],
        };
    }
    let (a, b) = (random(pool, state, symbols, width, depth - 1), random(pool, state, symbols, width, depth - 1));
    match next(state) % 18 {
        0 => pool.add(a, b),
        1 => pool.sub(a, b),
        2 => pool.mul(a, b),
        3 => pool.udiv(a, b),
        4 => pool.urem(a, b),
        5 => pool.sdiv(a, b),
        6 => pool.srem(a, b),
        7 => pool.shl(a, b),
        8 => pool.lshr(a, b),
        9 => pool.ashr(a, b),
        10 => pool.and(a, b),
        11 => pool.or(a, b),
        12 => pool.xor(a, b),
        13 => pool.neg(a),
        14 => {
            let condition = condition(pool, state, a, b);
            let c = random(pool, state, symbols, width, depth - 1);
            pool.ite(condition, a, c)
        }
        15 => {
            let half = pool.extract(a, width / 2, width - width / 2);
            pool.sext(half, width)
        }
        16 => {
            let (high, low) = (pool.extract(a, 0, width / 2), pool.extract(b, width / 2, width - width / 2));
            pool.concat(high, low)
        }
        _ => pool.not(a),
    }
}

fn condition(pool: &mut Pool, state: &mut u64, a: Expr, b: Expr) -> Expr {
    match next(state) % 6 {
        0 => pool.eq(a, b),
        1 => pool.ult(a, b),
        2 => pool.ule(a, b),
        3 => pool.slt(a, b),
        4 => pool.sle(a, b),
        _ => pool.ne(a, b),
    }
}

/// Two symbols of 4 bits have 256 models: every answer can be checked completely, on one blaster that keeps learning.
#[test]
fn answers_agree_with_trying_every_value() {
    let (mut sat, mut unsat) = (0, 0);
    for seed in 1..=60u64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut pool = Pool::new();
        let symbols = [pool.symbol("x", 4), pool.symbol("y", 4)];
        let mut blaster = Blaster::new();
        for _ in 0..20 {
            let constraints: Vec<Expr> = (0..1 + next(&mut state) % 3)
                .map(|_| {
                    let a = random(&mut pool, &mut state, &symbols, 4, 3);
                    let b = random(&mut pool, &mut state, &symbols, 4, 2);
                    condition(&mut pool, &mut state, a, b)
                })
                .collect();
            let holds = |pool: &Pool, model: &Model| {
                let mut evaluator = Evaluator::new(pool, model);
                constraints.iter().all(|&constraint| evaluator.holds(constraint).unwrap())
            };
            let possible = (0..256u64).any(|values| {
                let mut model = Model::default();
                model.set(SymbolId(0), &Bits::new(u128::from(values & 15), 4));
                model.set(SymbolId(1), &Bits::new(u128::from(values >> 4), 4));
                holds(&pool, &model)
            });
            match blaster.check(&pool, &constraints, Limits::default()) {
                Answer::Sat(model) => {
                    assert!(holds(&pool, &model), "seed {seed}: a wrong model");
                    sat += 1;
                }
                Answer::Unsat => {
                    assert!(!possible, "seed {seed}: a wrong unsat");
                    unsat += 1;
                }
                Answer::Unknown(reason) => panic!("seed {seed}: {reason:?}"),
            }
        }
    }
    assert!(sat > 100 && unsat > 100, "{sat} sat, {unsat} unsat");
}

/// Wide values have too many models to try, but a model can always be checked.
#[test]
fn models_of_wide_values_hold() {
    for seed in 1..=200u64 {
        let mut state = seed.wrapping_mul(0xd134_2543_de82_ef95);
        let mut pool = Pool::new();
        let width = [8, 16, 32, 64][seed as usize % 4];
        let symbols = [pool.symbol("x", width), pool.symbol("y", width), pool.symbol("z", width)];
        let a = random(&mut pool, &mut state, &symbols, width, 2);
        let b = random(&mut pool, &mut state, &symbols, width, 2);
        let constraint = condition(&mut pool, &mut state, a, b);
        let limits = Limits { conflicts: 2000, ..Limits::default() };
        if let Answer::Sat(model) = Blaster::new().check(&pool, &[constraint], limits) {
            assert_eq!(Evaluator::new(&pool, &model).holds(constraint), Some(true), "seed {seed}");
        }
    }
}

#[test]
fn arrays_and_functions_are_functions() {
    let mut pool = Pool::new();
    let array = pool.array_symbol("a", 8, Reading::Unsigned);
    let (i, j) = (pool.symbol("i", 64), pool.symbol("j", 64));
    let (at_i, at_j) = (pool.select(array, i), pool.select(array, j));
    let same_place = pool.eq(i, j);
    let differ = pool.ne(at_i, at_j);
    let mut blaster = Blaster::new();
    assert_eq!(blaster.check(&pool, &[same_place, differ], Limits::default()), Answer::Unsat);
    let Answer::Sat(model) = blaster.check(&pool, &[differ], Limits::default()) else { panic!() };
    assert_eq!(Evaluator::new(&pool, &model).holds(differ), Some(true));
    let written = pool.store(array, i, Expr::constant(7, 8));
    let read = pool.select(written, j);
    let is_nine = pool.eq(read, Expr::constant(9, 8));
    assert_eq!(blaster.check(&pool, &[same_place, is_nine], Limits::default()), Answer::Unsat);
    let Answer::Sat(model) = blaster.check(&pool, &[is_nine], Limits::default()) else { panic!() };
    assert_eq!(Evaluator::new(&pool, &model).holds(is_nine), Some(true));
    let f = pool.function("f");
    let (x, y) = (pool.apply(f, &[i], 32), pool.apply(f, &[j], 32));
    let differ = pool.ne(x, y);
    assert_eq!(blaster.check(&pool, &[same_place, differ], Limits::default()), Answer::Unsat);
    let Answer::Sat(model) = blaster.check(&pool, &[differ], Limits::default()) else { panic!() };
    assert_eq!(Evaluator::new(&pool, &model).holds(differ), Some(true));
    let table = pool.array_table(&[3, 1, 4, 1, 5], 8);
    let element = pool.select(table, j);
    let is_four = pool.eq(element, Expr::constant(4, 8));
    let Answer::Sat(model) = blaster.check(&pool, &[is_four], Limits::default()) else { panic!() };
    assert_eq!(model.small(SymbolId(2)), 2);
    let is_eight = pool.eq(element, Expr::constant(8, 8));
    assert_eq!(blaster.check(&pool, &[is_eight], Limits::default()), Answer::Unsat);
}

#[test]
fn a_limit_or_a_float_is_unknown() {
    use crate::expr::{FloatFormat, FloatOp, Rounding};
    let mut pool = Pool::new();
    let (x, y) = (pool.symbol("x", 64), pool.symbol("y", 64));
    let product = pool.mul(x, y);
    // A product of two primes, none of them 1.
    let hard = pool.eq(product, Expr::constant(0xffff_fffb_u64.wrapping_mul(0xffff_ffef), 64));
    let one = Expr::constant(1, 64);
    let (more_x, more_y) = (pool.ult(one, x), pool.ult(one, y));
    let small = Expr::constant(1 << 33, 64);
    let (less_x, less_y) = (pool.ult(x, small), pool.ult(y, small));
    let limits = Limits { conflicts: 50, ..Limits::default() };
    let answer = Blaster::new().check(&pool, &[hard, more_x, more_y, less_x, less_y], limits);
    assert_eq!(answer, Answer::Unknown(Reason::Limit));
    let sum = pool.float(FloatOp::Add(FloatFormat::Double, Rounding::NearestEven), &[x, y], 64);
    let equal = pool.eq(sum, one);
    let mut blaster = Blaster::new();
    assert_eq!(blaster.check(&pool, &[equal], Limits::default()), Answer::Unknown(Reason::Unsupported));
    assert!(matches!(blaster.check(&pool, &[more_x], Limits::default()), Answer::Sat(_)));
}
