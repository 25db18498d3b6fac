#![allow(clippy::unwrap_used, clippy::panic)]
//! The search against trying everything.

use super::*;
use crate::expr::mask;

fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 20
}

/// A random expression of that width.
fn value(pool: &mut Pool, state: &mut u64, symbols: &[Expr], width: u32, depth: u32) -> Expr {
    if depth == 0 || random(state).is_multiple_of(5) {
        if random(state).is_multiple_of(3) {
            return Expr::constant(random(state), width);
        }
        let symbol = symbols[random(state) as usize % symbols.len()];
        return match pool.width(symbol).cmp(&width) {
            std::cmp::Ordering::Less if random(state).is_multiple_of(2) => pool.zext(symbol, width),
            std::cmp::Ordering::Less => pool.sext(symbol, width),
            std::cmp::Ordering::Greater => {
                let low = random(state) as u32 % (pool.width(symbol) - width + 1);
                pool.extract(symbol, low, width)
            }
            std::cmp::Ordering::Equal => symbol,
        };
    }
    let a = value(pool, state, symbols, width, depth - 1);
    let b = value(pool, state, symbols, width, depth - 1);
    match random(state) % 19 {
        0 | 1 => pool.add(a, b),
        2 | 3 => pool.sub(a, b),
        4 => pool.mul(a, b),
        5 => pool.udiv(a, b),
        6 => pool.urem(a, b),
        7 => pool.sdiv(a, b),
        8 => pool.srem(a, b),
        9 => pool.shl(a, b),
        10 => pool.lshr(a, b),
        11 => pool.ashr(a, b),
        12 => pool.and(a, b),
        13 => pool.or(a, b),
        14 => pool.xor(a, b),
        15 => {
            let condition = truth(pool, state, symbols, depth - 1);
            pool.ite(condition, a, b)
        }
        16 if width > 1 => {
            let (high, low) = (pool.extract(a, 0, width - 1), pool.extract(b, 0, 1));
            pool.concat(high, low)
        }
        17 => {
            let mut table = pool.array_table(&[3, 1, 4, 1, 5, 9, 2, 6], width);
            let index = pool.zext(a, 64);
            for _ in 0..random(state) % 3 {
                let at = value(pool, state, symbols, 3, 0);
                let at = pool.zext(at, 64);
                table = pool.store(table, at, b);
            }
            pool.select(table, index)
        }
        _ => pool.not(a),
    }
}

fn truth(pool: &mut Pool, state: &mut u64, symbols: &[Expr], depth: u32) -> Expr {
    let width = [3, 4, 5][random(state) as usize % 3];
    let a = value(pool, state, symbols, width, depth);
    let b = value(pool, state, symbols, width, depth);
    match random(state) % 6 {
        0 => pool.eq(a, b),
        1 => pool.ne(a, b),
        2 => pool.ult(a, b),
        3 => pool.ule(a, b),
        4 => pool.slt(a, b),
        _ => pool.sle(a, b),
    }
}

/// The smallest values, by trying all in order.
fn smallest(pool: &Pool, constraints: &[Expr], unknowns: &[Unknown]) -> Found {
    let orders: Vec<Vec<u64>> = unknowns
        .iter()
        .map(|unknown| {
            let domain = Domain::all(pool.node(unknown.term).width);
            let mut order: Vec<u64> = Vec::new();
            while let Some(next) = small::next(unknown.reading, &domain, order.last().copied(), &mut u64::MAX.clone()) {
                order.push(next);
            }
            order
        })
        .collect();
    for a in &orders[0] {
        for b in &orders[1] {
            for c in &orders[2] {
                if verify(pool, constraints, unknowns, &[*a, *b, *c]) == Some(true) {
                    return Found::Values(vec![*a, *b, *c]);
                }
            }
        }
    }
    Found::Nothing
}

#[test]
fn the_search_finds_the_smallest_values_or_proves_that_there_are_none() {
    let mut search = Search::default();
    let (mut found, mut nothing, mut gave_up) = (0, 0, 0);
    for seed in 1..=3000u64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut pool = Pool::new();
        let readings = [Reading::Signed, Reading::Unsigned, Reading::Char];
        let mut unknowns = Vec::new();
        let mut symbols = Vec::new();
        for (at, width) in [(0, 3), (1, 4), (2, 5)] {
            let reading = readings[random(&mut state) as usize % 3];
            let symbol = pool.symbol_as(format!("x{at}"), width, reading);
            let Expr::Term(term) = symbol else { panic!("a symbol is a term") };
            unknowns.push(Unknown { symbol: SymbolId(at), term, reading });
            symbols.push(symbol);
        }
        let count = 1 + random(&mut state) % 4;
        let constraints: Vec<Expr> = (0..count).map(|_| truth(&mut pool, &mut state, &symbols, 3)).collect();
        match search.run(&pool, &constraints, &unknowns, 100_000) {
            Found::GaveUp => gave_up += 1,
            answer => {
                assert_eq!(answer, smallest(&pool, &constraints, &unknowns), "seed {seed}");
                match answer {
                    Found::Values(_) => found += 1,
                    _ => nothing += 1,
                }
            }
        }
    }
    assert!(found > 1000 && nothing > 300 && gave_up < 30, "{found} {nothing} {gave_up}");
}

#[test]
fn comparisons_need_few_steps() {
    let mut pool = Pool::new();
    let symbols: Vec<Expr> = (0..6).map(|i| pool.symbol_as(format!("x{i}"), 32, Reading::Signed)).collect();
    let unknowns: Vec<Unknown> = symbols
        .iter()
        .zip(0..)
        .map(|(&symbol, at)| match symbol {
            Expr::Term(term) => Unknown { symbol: SymbolId(at), term, reading: Reading::Signed },
            Expr::Const { .. } => panic!("a symbol is a term"),
        })
        .collect();
    // 3 < 0 < 5 < 1 < 4 < 2
    let order = [3, 0, 5, 1, 4, 2];
    let constraints: Vec<Expr> = order.windows(2).map(|pair| pool.slt(symbols[pair[0]], symbols[pair[1]])).collect();
    let found = Search::default().run(&pool, &constraints, &unknowns, 2000);
    let minus_one = mask(32);
    assert_eq!(found, Found::Values(vec![0, 2, 4, minus_one, 3, 1]));
}

#[test]
fn budgets_end_searches() {
    let mut pool = Pool::new();
    let x = pool.symbol("x", 64);
    let Expr::Term(term) = x else { panic!("a symbol is a term") };
    let square = pool.mul(x, x);
    let never = pool.eq(square, Expr::constant(2, 64));
    let unknowns = [Unknown { symbol: SymbolId(0), term, reading: Reading::Signed }];
    assert_eq!(Search::default().run(&pool, &[never], &unknowns, 10_000), Found::GaveUp);
}
