//! A condition that compares choices, as the cases in which it holds: people understand `c == '+'` or `c == '-'` sooner
//! than `(c == '+' ? -1 : 0) != (c == '-' ? -1 : 0)`.

use smt::expr::{Expr, Op};
use smt::pool::Pool;

/// Most cases.
const MOST: usize = 8;
/// Most values that one side of a comparison may have.
const MOST_LEAVES: usize = 6;

/// The cases in which all literals hold: each is a conjunction, and together they say the same. `None` if there is but one,
/// or if there are too many. Some may be impossible.
pub(super) fn cases(pool: &mut Pool, literals: &[Expr]) -> Option<Vec<Vec<Expr>>> {
    let mut done: Vec<Vec<Expr>> = Vec::new();
    let mut todo = vec![literals.to_vec()];
    let mut split = false;
    while let Some(conjunction) = todo.pop() {
        if done.len() + todo.len() >= MOST {
            return None;
        }
        let found = (0..conjunction.len()).find_map(|at| Some((at, alternatives(pool, conjunction[at])?)));
        let Some((at, alternatives)) = found else {
            done.push(conjunction);
            continue;
        };
        split = true;
        for alternative in alternatives {
            let mut one = conjunction.clone();
            one.splice(at..=at, alternative);
            one.retain(|literal| !literal.is_true());
            if !one.iter().any(|literal| literal.is_false()) {
                todo.push(one);
            }
        }
    }
    done.reverse();
    split.then_some(done)
}

/// What a literal is one of.
fn alternatives(pool: &mut Pool, literal: Expr) -> Option<Vec<Vec<Expr>>> {
    let Expr::Term(id) = literal else { return None };
    let node = pool.node(id);
    match (node.op, node.args()) {
        (Op::Xor, &[a, b]) if node.width == 1 => {
            let (not_a, not_b) = (pool.not(a), pool.not(b));
            Some(vec![vec![a, not_b], vec![not_a, b]])
        }
        (Op::Not, &[Expr::Term(inner)]) => match (pool.node(inner).op, pool.node(inner).args()) {
            (Op::Xor, &[a, b]) if node.width == 1 => {
                let (not_a, not_b) = (pool.not(a), pool.not(b));
                Some(vec![vec![a, b], vec![not_a, not_b]])
            }
            (Op::Eq, &[a, b]) if is_choice(pool, a) || is_choice(pool, b) => unequal(pool, a, b),
            _ => None,
        },
        _ => None,
    }
}

fn is_choice(pool: &Pool, expr: Expr) -> bool {
    matches!(expr, Expr::Term(id) if pool.node(id).op == Op::Ite)
}

/// The cases in which two choices are not equal.
fn unequal(pool: &mut Pool, a: Expr, b: Expr) -> Option<Vec<Vec<Expr>>> {
    let (left, right) = (leaves(pool, a)?, leaves(pool, b)?);
    let mut found = Vec::new();
    for (conditions, one) in &left {
        for (more, other) in &right {
            let equal = pool.eq(*one, *other);
            let differ = pool.not(equal);
            if !differ.is_false() {
                found.push(conditions.iter().chain(more).copied().chain([differ]).collect());
            }
        }
    }
    Some(found)
}

/// The values of a choice, each with the conditions under which it has it.
fn leaves(pool: &mut Pool, expr: Expr) -> Option<Vec<(Vec<Expr>, Expr)>> {
    let mut found = Vec::new();
    let mut todo = vec![(Vec::new(), expr)];
    while let Some((conditions, expr)) = todo.pop() {
        if found.len() + todo.len() >= MOST_LEAVES {
            return None;
        }
        match expr {
            Expr::Term(id) if pool.node(id).op == Op::Ite => {
                let &[condition, then, otherwise] = pool.node(id).args() else { return None };
                let not = pool.not(condition);
                for (holds, value) in [(not, otherwise), (condition, then)] {
                    todo.push((conditions.iter().copied().chain([holds]).collect(), value));
                }
            }
            value => found.push((conditions, value)),
        }
    }
    Some(found)
}
