#![allow(clippy::unwrap_used, clippy::panic)]
//! The chain against one solver asked about everything at once.

use super::*;
use crate::eval::Evaluator;
use crate::pool::Reading;
use crate::solver::blast::Blaster;

fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 20
}

/// A random truth value over a few of the symbols.
fn random(pool: &mut Pool, state: &mut u64, symbols: &[Expr]) -> Expr {
    let pick = |state: &mut u64| match next(state) % 4 {
        0 => Expr::constant(next(state) % 12, 8),
        _ => symbols[next(state) as usize % symbols.len()],
    };
    let (a, b, c) = (pick(state), pick(state), pick(state));
    let left = match next(state) % 4 {
        0 => pool.add(a, b),
        1 => pool.sub(a, b),
        2 => pool.and(a, b),
        _ => a,
    };
    match next(state) % 4 {
        0 => pool.eq(left, c),
        1 => pool.ult(left, c),
        2 => pool.slt(c, left),
        _ => pool.ne(left, c),
    }
}

#[test]
fn extending_a_path_agrees_with_asking_everything() {
    let mut found = Stats::default();
    for seed in 1..=150u64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut pool = Pool::new();
        let symbols: Vec<Expr> = (0..6).map(|i| pool.symbol(format!("x{i}"), 8)).collect();
        let mut chain = Chain::new(Vec::new(), Limits::default());
        // A tree of paths: each grows from one of those before it.
        let mut paths = vec![Path::new()];
        for _ in 0..60 {
            let path = paths[next(&mut state) as usize % paths.len()].clone();
            let constraint = random(&mut pool, &mut state, &symbols);
            let sides = match chain.branch(&mut pool, &path, constraint) {
                Branch::Only(side) => [side, !side],
                Branch::Both { .. } => [true, true],
                Branch::Unknown { reason, .. } => panic!("seed {seed}: {reason:?}"),
            };
            let negation = pool.not(constraint);
            let [yes, no] = [constraint, negation].map(|side| chain.extend(&pool, &path, side).unwrap().is_some());
            assert_eq!(sides, [yes, no], "seed {seed}: a branch is not its two sides");
            let mut all = path.constraints.to_vec();
            all.push(constraint);
            let truth = Blaster::new().check(&pool, &all, Limits::default());
            match chain.extend(&pool, &path, constraint) {
                Ok(Some(grown)) => {
                    assert!(matches!(truth, Answer::Sat(_)), "seed {seed}: a path that is none");
                    let mut evaluator = Evaluator::new(&pool, &grown.values);
                    for &constraint in grown.constraints.iter() {
                        assert_eq!(evaluator.holds(constraint), Some(true), "seed {seed}: values that do not hold");
                    }
                    paths.push(grown);
                }
                Ok(None) => assert_eq!(truth, Answer::Unsat, "seed {seed}: a path is lost"),
                Err(reason) => panic!("seed {seed}: {reason:?}"),
            }
        }
        found.values += chain.stats.values;
        found.cache += chain.stats.cache;
        found.order += chain.stats.order;
        found.search += chain.stats.search;
        found.blaster += chain.stats.blaster;
        assert_eq!(chain.stats.wrong_models, 0);
    }
    let each = [found.values, found.cache, found.order, found.search, found.blaster];
    assert!(each.into_iter().zip([1000, 5, 5, 1000, 100]).all(|(found, least)| found > least), "{found:?}");
}

#[test]
fn independent_constraints_are_solved_once() {
    let mut pool = Pool::new();
    let symbols: Vec<Expr> = (0..10).map(|i| pool.symbol_as(format!("x{i}"), 32, Reading::Signed)).collect();
    let mut chain = Chain::new(Vec::new(), Limits::default());
    let mut paths = vec![Path::new()];
    for &symbol in &symbols {
        let positive = pool.slt(Expr::constant(0, 32), symbol);
        let other = pool.not(positive);
        let mut next = Vec::new();
        for path in &paths {
            for side in [positive, other] {
                next.push(chain.extend(&pool, path, side).unwrap().unwrap());
            }
        }
        paths = next;
    }
    assert_eq!(paths.len(), 1024);
    // One question for each condition that zero does not answer; everything else is known.
    assert_eq!((chain.stats.search, chain.stats.blaster), (10, 0));
    assert_eq!(chain.stats.questions, 2046);
}

/// A solver that lies must not be believed.
struct Liar;

impl Solver for Liar {
    fn check(&mut self, _: &Pool, _: &[Expr], _: Limits) -> Answer {
        let mut model = Model::default();
        model.set(SymbolId(0), &crate::bits::Bits::new(99, 64));
        Answer::Sat(model)
    }

    fn name(&self) -> &'static str {
        "liar"
    }
}

#[test]
fn a_wrong_model_is_no_answer() {
    let mut pool = Pool::new();
    let (x, y) = (pool.symbol("x", 64), pool.symbol("y", 64));
    let product = pool.mul(x, y);
    let hard = pool.eq(product, Expr::constant(0xffff_fffb_u64.wrapping_mul(0xffff_ffef), 64));
    let (x_small, y_small) = (pool.ult(x, Expr::constant(1 << 32, 64)), pool.ult(y, Expr::constant(1 << 32, 64)));
    let small = pool.and(x_small, y_small);
    let hard = pool.and(hard, small);
    let limits = Limits { conflicts: 0, gates: 10, ..Limits::default() };
    let mut chain = Chain::new(vec![Box::new(Liar)], limits);
    assert_eq!(chain.extend(&pool, &Path::new(), hard).err(), Some(Reason::Failed));
    assert_eq!((chain.stats.wrong_models, chain.stats.unknown), (1, 1));
}

#[test]
fn values_become_what_a_person_would_choose() {
    let mut pool = Pool::new();
    let p = &mut pool;
    let a = p.symbol_as("a", 32, Reading::Signed);
    let b = p.symbol_as("b", 32, Reading::Signed);
    let n = p.symbol_as("n", 32, Reading::Unsigned);
    let c = p.symbol_as("c", 8, Reading::Char);
    let free = p.symbol_as("free", 64, Reading::Unsigned);
    let number = |value: i64| Expr::constant(value as u64, 32);
    let sum = p.add(a, b);
    let constraints = [p.slt(sum, number(-10)), p.ult(number(1000), n), p.ne(c, Expr::constant(b'a'.into(), 8))];
    let mut chain = Chain::new(Vec::new(), Limits::default());
    let mut path = Path::new();
    for constraint in constraints {
        path = chain.extend(&pool, &path, constraint).unwrap().unwrap();
    }
    let symbols: Vec<(SymbolId, Expr)> =
        [a, b, n, c, free].into_iter().zip(0..).map(|(e, i)| (SymbolId(i), e)).collect();
    let small = chain.shrink(&mut pool, &path, &symbols, 10_000);
    let value = |i: u32| small.values.small(SymbolId(i));
    assert_eq!((value(0), value(1) as i32), (0, -11));
    assert_eq!((value(2), value(4)), (1001, 0));
    assert!((b'b'..=b'z').contains(&(value(3) as u8)));
    // Without room for questions the values stay as they are, and still hold.
    let same = chain.shrink(&mut pool, &path, &symbols, 0);
    assert_eq!(same.values, path.values);
}

/// All symbols' values, by name.
fn by_name(pool: &Pool, model: &Model) -> Vec<(String, u64)> {
    let mut values: Vec<(String, u64)> = (0..pool.symbol_count() as u32)
        .map(|at| (pool.symbol_info(SymbolId(at)).name.clone(), model.small(SymbolId(at))))
        .collect();
    values.sort();
    values
}

#[test]
fn a_solver_finds_the_same_smallest_values_as_the_search() {
    let mut compared = 0;
    for seed in 1..=200u64 {
        let answer = |search_steps: u64| {
            let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut pool = Pool::new();
            let readings = [Reading::Signed, Reading::Unsigned, Reading::Char];
            let symbols: Vec<Expr> =
                (0..4).map(|i| pool.symbol_as(format!("x{i}"), 8, readings[next(&mut state) as usize % 3])).collect();
            let conditions: Vec<Expr> = (0..4).map(|_| random(&mut pool, &mut state, &symbols)).collect();
            let mut chain = Chain::new(Vec::new(), Limits::default());
            chain.search_steps = search_steps;
            let model = chain.smallest_model(&mut pool, &conditions).unwrap();
            (model.map(|model| by_name(&pool, &model)), chain.stats)
        };
        let (searched, stats) = answer(100_000);
        assert_eq!(stats.minimised, 0);
        let (solved, stats) = answer(0);
        assert_eq!(solved, searched, "seed {seed}");
        compared += stats.minimised;
    }
    assert!(compared > 100, "{compared}");
}

/// The same conditions in a pool and a chain with another past.
fn with_another_past(seed: u64, past: u64) -> Option<Vec<(String, u64)>> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut other = past.wrapping_mul(0x2545_f491_4f6c_dd1d) | 1;
    let mut pool = Pool::new();
    let mut chain = Chain::standard(Limits::default());
    // Symbols and terms come in another order.
    let mut names: Vec<usize> = (0..6).collect();
    for at in (1..names.len()).rev() {
        names.swap(at, next(&mut other) as usize % (at + 1));
    }
    let mut made: Vec<(usize, Expr)> =
        names.iter().map(|&i| (i, pool.symbol_as(format!("x{i}"), 8, Reading::Signed))).collect();
    made.sort_by_key(|&(i, _)| i);
    let symbols: Vec<Expr> = made.into_iter().map(|(_, symbol)| symbol).collect();
    // Other questions come first.
    let mut path = Path::new();
    for _ in 0..past * 10 {
        let condition = random(&mut pool, &mut other, &symbols);
        if let Ok(Some(grown)) = chain.extend(&pool, &path, condition) {
            path = grown;
        }
        if next(&mut other).is_multiple_of(4) {
            chain.smallest(&mut pool, &path);
            path = Path::new();
        }
    }
    let mut conditions: Vec<Expr> = (0..5).map(|_| random(&mut pool, &mut state, &symbols)).collect();
    // Some that only a solver answers.
    let (x, y) = (symbols[next(&mut state) as usize % 6], symbols[next(&mut state) as usize % 6]);
    let (x, y) = (pool.zext(x, 32), pool.zext(y, 32));
    let (square, sum) = (pool.mul(x, y), pool.add(x, y));
    let mixed = pool.xor(square, sum);
    let low = pool.and(mixed, Expr::constant(0xff, 32));
    conditions.push(pool.eq(low, Expr::constant(next(&mut state) % 256, 32)));
    if seed.is_multiple_of(2) {
        let array = pool.array_symbol("array", 8, Reading::Unsigned);
        let index = pool.zext(symbols[0], 64);
        let element = pool.select(array, index);
        conditions.push(pool.ult(symbols[1], element));
    }
    if seed.is_multiple_of(3) {
        let function = pool.function("f");
        let result = pool.apply(function, &[symbols[2]], 8);
        conditions.push(pool.slt(result, symbols[3]));
    }
    if past % 2 == 1 {
        conditions.reverse();
    }
    let model = chain.smallest_model(&mut pool, &conditions).unwrap()?;
    let mut values = by_name(&pool, &model);
    let mut elements: Vec<(String, u64)> = model
        .arrays
        .iter()
        .flat_map(|(symbol, elements)| {
            let name = &pool.symbol_info(*symbol).name;
            elements.iter().map(move |(index, element)| (format!("{name}[{index}]"), element.low()))
        })
        .chain(model.functions.values().flatten().map(|(args, value)| (format!("f{args:?}"), value.low())))
        .collect();
    elements.sort();
    values.extend(elements);
    Some(values)
}

#[test]
fn the_smallest_values_do_not_depend_on_the_past() {
    let mut found = 0;
    for seed in 1..=120 {
        let expected = with_another_past(seed, 0);
        found += u64::from(expected.is_some());
        for past in 1..=3 {
            assert_eq!(with_another_past(seed, past), expected, "seed {seed}, past {past}");
        }
    }
    assert!(found > 40, "{found}");
}
