//! Conditions under which a block runs: conjunctions that joins keep small.
//!
//! Two edges that meet usually differ in the last conjunct only, `c` and `!c`, so the guard of a join is mostly that of the
//! branch above it. Keeping the conjuncts apart makes that a matter of comparing ids.

use smt::expr::Expr;
use smt::pool::Pool;

/// A conjunction; no conjuncts mean true.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guard(Vec<Expr>);

/// Most edges into a join for which pairs of edges are looked at one by one.
const MAX_PAIRED: usize = 24;

impl Guard {
    /// The conjunction of some conditions; nothing if it is false as it stands.
    pub fn of(pool: &mut Pool, conditions: impl IntoIterator<Item = Expr>) -> Option<Guard> {
        conditions.into_iter().try_fold(Guard::default(), |guard, condition| guard.and(pool, condition))
    }

    /// The guard and one more condition; nothing if that is false as it stands.
    pub fn and(&self, pool: &mut Pool, condition: Expr) -> Option<Guard> {
        if condition.is_false() {
            return None;
        }
        let mut conjuncts = self.0.clone();
        if !condition.is_true() && !conjuncts.contains(&condition) {
            let opposite = pool.not(condition);
            if conjuncts.contains(&opposite) {
                return None;
            }
            conjuncts.push(condition);
        }
        Some(Guard(conjuncts))
    }

    /// The conditions.
    pub fn conjuncts(&self) -> &[Expr] {
        &self.0
    }

    /// Whether two guards have the same conjuncts.
    pub fn is_same(&self, other: &Guard) -> bool {
        self.0.len() == other.0.len() && self.0.iter().all(|condition| other.0.contains(condition))
    }

    /// Both guards as one list of conditions; nothing if they contradict each other as they stand.
    pub fn both(&self, pool: &mut Pool, other: &Guard) -> Option<Vec<Expr>> {
        let mut all = self.clone();
        for &condition in &other.0 {
            all = all.and(pool, condition)?;
        }
        Some(all.0)
    }

    /// As one expression.
    pub fn expr(&self, pool: &mut Pool) -> Expr {
        conjunction(pool, &self.0)
    }

    /// Where edges meet, of which exactly one is taken: the guard of the join, and for each edge the condition that tells it
    /// from the others.
    pub fn join(pool: &mut Pool, edges: &[&Guard]) -> (Guard, Vec<Expr>) {
        let Some((first, others)) = edges.split_first() else { return (Guard::default(), Vec::new()) };
        let common: Vec<Expr> =
            first.0.iter().copied().filter(|condition| others.iter().all(|edge| edge.0.contains(condition))).collect();
        let rest = |guard: &Guard| -> Vec<Expr> { guard.0.iter().copied().filter(|c| !common.contains(c)).collect() };
        let mut rests: Vec<Vec<Expr>> = edges.iter().map(|edge| rest(edge)).collect();
        let selectors = rests.iter().map(|rest| conjunction(pool, rest)).collect();
        while rests.len() <= MAX_PAIRED
            && let Some((i, j, merged)) = complementary(pool, &rests)
        {
            rests[i] = merged;
            rests.remove(j);
        }
        let mut guard = common;
        match &rests[..] {
            [rest] => guard.extend(rest),
            rests => {
                let any = rests.iter().fold(Expr::bool(false), |any, rest| {
                    let rest = conjunction(pool, rest);
                    pool.or(any, rest)
                });
                guard.extend((!any.is_true()).then_some(any));
            }
        }
        (Guard(guard), selectors)
    }
}

/// Two conjunctions that differ in one condition and its opposite, and what they have in common.
fn complementary(pool: &mut Pool, rests: &[Vec<Expr>]) -> Option<(usize, usize, Vec<Expr>)> {
    for i in 0..rests.len() {
        for j in i + 1..rests.len() {
            let (a, b) = (&rests[i], &rests[j]);
            let mut own = a.iter().copied().filter(|condition| !b.contains(condition));
            let mut others = b.iter().copied().filter(|condition| !a.contains(condition));
            let merged = match (own.next(), own.next(), others.next(), others.next()) {
                (None, ..) => Some(a.clone()),
                (_, _, None, _) => Some(b.clone()),
                (Some(x), None, Some(y), None) if pool.not(x) == y => {
                    Some(a.iter().copied().filter(|condition| *condition != x).collect())
                }
                _ => None,
            };
            if let Some(merged) = merged {
                return Some((i, j, merged));
            }
        }
    }
    None
}

/// All conditions as one.
pub fn conjunction(pool: &mut Pool, conditions: &[Expr]) -> Expr {
    conditions.iter().fold(Expr::bool(true), |all, &condition| pool.and(all, condition))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_join_has_the_guard_of_the_branch_above_it() {
        let mut pool = Pool::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| pool.symbol(name, 1));
        let not_b = pool.not(b);
        let above = Guard::of(&mut pool, [a]).unwrap();
        let yes = above.and(&mut pool, b).unwrap();
        let no = above.and(&mut pool, not_b).unwrap();
        let (guard, selectors) = Guard::join(&mut pool, &[&yes, &no]);
        assert_eq!((guard, selectors), (above.clone(), vec![b, not_b]));
        // Three edges: b && c, b && !c, !b.
        let not_c = pool.not(c);
        let edges = [yes.and(&mut pool, c).unwrap(), yes.and(&mut pool, not_c).unwrap(), no];
        let (guard, _) = Guard::join(&mut pool, &[&edges[0], &edges[1], &edges[2]]);
        assert_eq!(guard, above);
    }

    #[test]
    fn contradictions_are_seen() {
        let mut pool = Pool::new();
        let a = pool.symbol("a", 1);
        let not_a = pool.not(a);
        let guard = Guard::of(&mut pool, [a]).unwrap();
        assert_eq!(guard.and(&mut pool, not_a), None);
        let other = Guard::of(&mut pool, [not_a]).unwrap();
        assert_eq!(guard.both(&mut pool, &other), None);
    }
}
