//! Contradictions among comparisons: `a < b`, `b <= c` and `c < a` cannot hold together, whatever the terms are.
//!
//! Programs that sort or search ask little else, and neither ranges nor bits see it.

use crate::expr::{Expr, Op};
use crate::pool::Pool;

/// Beyond so many constraints the walk is no longer cheap.
const MAX_CONSTRAINTS: usize = 96;

/// Whether `constraint` contradicts the order that the others state; false if that is not seen.
pub fn contradicts(pool: &Pool, others: &[Expr], constraint: Expr) -> bool {
    if others.len() > MAX_CONSTRAINTS {
        return false;
    }
    let Some(Comparison { kind, a, b }) = comparison(pool, constraint) else { return false };
    let reach = |from: Expr, to: Expr, signed: bool| reach(pool, others, constraint, from, to, signed);
    match kind {
        Kind::Less { signed } => reach(b, a, signed).is_some(),
        Kind::LessOrEqual { signed } => reach(b, a, signed) == Some(true),
        Kind::Equal => [true, false]
            .into_iter()
            .any(|signed| reach(a, b, signed) == Some(true) || reach(b, a, signed) == Some(true)),
        Kind::Different => [true, false]
            .into_iter()
            .any(|signed| reach(a, b, signed) == Some(false) && reach(b, a, signed) == Some(false)),
    }
}

/// Whether one truth value is the other's negation, as far as that shows at once.
pub fn opposite(pool: &Pool, a: Expr, b: Expr) -> bool {
    let (Expr::Term(a_id), Expr::Term(b_id)) = (a, b) else { return false };
    let (node_a, node_b) = (pool.node(a_id), pool.node(b_id));
    let swapped = || node_a.args()[0] == node_b.args()[1] && node_a.args()[1] == node_b.args()[0];
    match (node_a.op, node_b.op) {
        (Op::Not, _) if node_a.args()[0] == b => true,
        (_, Op::Not) if node_b.args()[0] == a => true,
        (Op::Slt, Op::Sle) | (Op::Sle, Op::Slt) | (Op::Ult, Op::Ule) | (Op::Ule, Op::Ult) => swapped(),
        _ => false,
    }
}

struct Comparison {
    kind: Kind,
    a: Expr,
    b: Expr,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Less { signed: bool },
    LessOrEqual { signed: bool },
    Equal,
    Different,
}

fn comparison(pool: &Pool, constraint: Expr) -> Option<Comparison> {
    let Expr::Term(id) = constraint else { return None };
    let node = pool.node(id);
    let (kind, args) = match node.op {
        Op::Slt => (Kind::Less { signed: true }, node.args()),
        Op::Sle => (Kind::LessOrEqual { signed: true }, node.args()),
        Op::Ult => (Kind::Less { signed: false }, node.args()),
        Op::Ule => (Kind::LessOrEqual { signed: false }, node.args()),
        Op::Eq => (Kind::Equal, node.args()),
        Op::Not => {
            let Expr::Term(inner) = node.args()[0] else { return None };
            let inner = pool.node(inner);
            (inner.op == Op::Eq).then_some((Kind::Different, inner.args()))?
        }
        _ => return None,
    };
    Some(Comparison { kind, a: args[0], b: args[1] })
}

/// Whether `from` is at most `to` by the other constraints, and if so whether it is less.
fn reach(pool: &Pool, others: &[Expr], leave_out: Expr, from: Expr, to: Expr, signed: bool) -> Option<bool> {
    let edges: Vec<(Expr, Expr, bool)> = others
        .iter()
        .filter(|&&other| other != leave_out)
        .filter_map(|&other| comparison(pool, other))
        .flat_map(|Comparison { kind, a, b }| match kind {
            Kind::Less { signed: own } if own == signed => [Some((a, b, true)), None],
            Kind::LessOrEqual { signed: own } if own == signed => [Some((a, b, false)), None],
            Kind::Equal => [Some((a, b, false)), Some((b, a, false))],
            _ => [None, None],
        })
        .flatten()
        .collect();
    // A term is visited at most twice: reached, and reached by something less.
    let mut seen: Vec<(Expr, bool)> = vec![(from, false)];
    let mut next = 0;
    while let Some(&(term, less)) = seen.get(next) {
        next += 1;
        for &(_, b, strictly) in edges.iter().filter(|(a, ..)| *a == term) {
            let reached = (b, less || strictly);
            if !seen.contains(&reached) && !seen.contains(&(b, true)) {
                seen.push(reached);
            }
        }
    }
    match (seen.contains(&(to, true)), seen.contains(&(to, false))) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_contradict() {
        let mut p = Pool::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| p.symbol(name, 32));
        let (ab, bc) = (p.slt(a, b), p.sle(b, c));
        let (ca, ac, ca_or_equal, equal) = (p.slt(c, a), p.slt(a, c), p.sle(c, a), p.eq(c, a));
        assert!(contradicts(&p, &[ab, bc], ca));
        assert!(contradicts(&p, &[ab, bc], ca_or_equal));
        assert!(contradicts(&p, &[ab, bc], equal));
        assert!(!contradicts(&p, &[ab, bc], ac));
        // Nothing follows for the other kind of numbers, nor from half of it.
        let unsigned = p.ult(c, a);
        assert!(!contradicts(&p, &[ab, bc], unsigned));
        assert!(!contradicts(&p, &[ab], ca));
        let (weak, back, differ) = (p.ule(a, b), p.ule(b, a), p.ne(a, b));
        assert!(contradicts(&p, &[weak, back], differ));
        assert!(!contradicts(&p, &[weak], differ));
        assert!(!contradicts(&p, &[weak, back], weak));
        for condition in [ab, bc, unsigned, equal, differ] {
            let negation = p.not(condition);
            assert!(opposite(&p, condition, negation) && opposite(&p, negation, condition));
            assert!(!opposite(&p, condition, weak) && !opposite(&p, condition, condition));
        }
    }
}
