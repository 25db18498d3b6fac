//! Where a condition only just holds: `x <= 100` at 100, `x != 7` at 8.
//!
//! Conditions are most often wrong by one. A strategy that has few tests wants each of them to tell as much as it can, so
//! the input that is made for a side of a branch lies at the edge of that side, if any does. Which path it takes is
//! the same, or is found out as for any other input.

use smt::expr::{Expr, Op};
use smt::pool::Pool;

/// What holds in addition at the edge of a condition, best first; nothing if it has no edge.
pub fn edges(pool: &mut Pool, condition: Expr) -> Vec<Expr> {
    let Some((op, a, b)) = comparison(pool, condition) else { return Vec::new() };
    match op {
        Op::Ule | Op::Sle => vec![pool.eq(a, b)],
        Op::Ult | Op::Slt => {
            let next = beside(pool, a, 1);
            vec![pool.eq(next, b)]
        }
        Op::Not => [1, u64::MAX].map(|step| (beside(pool, b, step), a)).map(|(next, a)| pool.eq(a, next)).to_vec(),
        _ => Vec::new(),
    }
}

/// A number a step away.
fn beside(pool: &mut Pool, number: Expr, step: u64) -> Expr {
    let width = pool.width(number);
    let step = pool.number(step, width);
    pool.add(number, step)
}

/// The comparison that a condition is; `Not` stands for two numbers that are not equal.
fn comparison(pool: &Pool, condition: Expr) -> Option<(Op, Expr, Expr)> {
    let Expr::Term(id) = condition else { return None };
    let node = pool.node(id);
    match (node.op, node.args()) {
        (op @ (Op::Ult | Op::Ule | Op::Slt | Op::Sle), &[a, b, ..]) => Some((op, a, b)),
        (Op::Not, &[Expr::Term(inner), ..]) => {
            let inner = pool.node(inner);
            match (inner.op, inner.args()) {
                (Op::Eq, &[a, b, ..]) if pool.width(a) > 1 => Some((Op::Not, a, b)),
                _ => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::pool::Reading;

    #[test]
    fn edges_are_where_conditions_turn() {
        let mut pool = Pool::new();
        let x = pool.symbol_as("x", 32, Reading::Signed);
        let hundred = Expr::constant(100, 32);
        let at = |pool: &mut Pool, value: u64| pool.eq(x, Expr::constant(value, 32));
        for (condition, expect) in [
            (pool.slt(x, hundred), vec![99]),
            (pool.sle(x, hundred), vec![100]),
            (pool.slt(hundred, x), vec![101]),
            (pool.ne(x, hundred), vec![101, 99]),
        ] {
            let expect: Vec<Expr> = expect.into_iter().map(|value| at(&mut pool, value)).collect();
            assert_eq!(edges(&mut pool, condition), expect);
        }
        let equal = pool.eq(x, hundred);
        assert_eq!(edges(&mut pool, equal), []);
    }
}
