//! Conditions of a case, with as few words as they need.
//!
//! A class of inputs is a list of conditions. Two classes that differ in one condition, which the one has turned around, are
//! one class without it; a class that is part of another one adds nothing. What follows from other conditions of a class is
//! left out when it is shown.

use exec::run::Worker;
use rustc_hash::FxHashSet;
use smt::expr::{Expr, Op, SymbolId};
use smt::pool::Pool;
use smt::show::{Below, show, show_knowing};
use smt::solver::Limits;
use smt::solver::chain::{Chain, Path};

/// Most classes that are brought together, and most conditions of which each is looked at beside all others.
const MOST_CLASSES: usize = 256;
const MOST_CONDITIONS: usize = 24;

/// Most casts and masks of an expression that are looked at.
const MOST_CASTS: usize = 8;

/// Work that a question is worth which only makes a text shorter.
fn small_chain() -> Chain {
    Chain::new(Vec::new(), Limits { conflicts: 200, gates: 20_000, ..Limits::default() })
}

/// The classes of a case.
pub(super) struct Classes {
    all: Vec<Class>,
    chain: Chain,
}

impl Default for Classes {
    fn default() -> Classes {
        Classes { all: Vec::new(), chain: small_chain() }
    }
}

struct Class {
    conditions: Vec<Expr>,
    texts: Vec<String>,
}

impl Classes {
    /// Adds a class.
    pub(super) fn add(&mut self, pool: &mut Pool, class: Vec<Expr>) {
        let mut class = class;
        while self.all.len() <= MOST_CLASSES {
            if self.all.iter().any(|other| is_part(&other.conditions, &class)) {
                return;
            }
            self.all.retain(|other| !is_part(&class, &other.conditions));
            let mut either = |other: &Class| {
                let chain = &mut self.chain;
                let both = joined(pool, chain, &other.conditions, &class);
                both.or_else(|| joined(pool, chain, &class, &other.conditions))
            };
            let joined = self.all.iter().enumerate().find_map(|(at, other)| Some((at, either(other)?)));
            if let Some((at, both)) = joined {
                self.all.remove(at);
                class = both;
                continue;
            }
            let Some(all) = all_sides(pool, &mut self.chain, &self.all, &class) else { break };
            class = all;
        }
        let texts = texts(pool, &mut self.chain, &class);
        self.all.push(Class { conditions: class, texts });
    }

    /// The classes as texts.
    pub(super) fn texts(self) -> Vec<Vec<String>> {
        let mut shown: Vec<Vec<String>> = Vec::new();
        for class in self.all {
            if !shown.contains(&class.texts) {
                shown.push(class.texts);
            }
        }
        shown
    }
}

/// A truth value that the conditions of a class decide.
pub(super) fn decided(worker: &mut Worker, class: &[Expr], value: Expr) -> Option<bool> {
    let mut chain = small_chain();
    let not = worker.pool.not(value);
    let mut never = |value: Expr| {
        let conditions: Vec<Expr> = class.iter().copied().chain([value]).collect();
        holds_never(&worker.pool, &mut chain, &conditions)
    };
    if never(value) { Some(false) } else { never(not).then_some(true) }
}

/// An expression as text, without casts and masks that make no difference for inputs of a class.
pub(super) fn text_within(worker: &mut Worker, class: &[Expr], expr: Expr) -> String {
    let (text, asked) = show_knowing(&worker.pool, expr, &Below::default());
    if asked.is_empty() || asked.len() > MOST_CASTS {
        return text;
    }
    let mut known = Below::default();
    for (number, bound) in asked {
        let below = worker.pool.ult(number, Expr::constant(bound, worker.pool.width(number)));
        if decided(worker, class, below) == Some(true) {
            known.insert((number, bound));
        }
    }
    show_knowing(&worker.pool, expr, &known).0
}

/// Conditions as texts, without those that follow from others.
pub(super) fn texts(pool: &mut Pool, chain: &mut Chain, class: &[Expr]) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    let parts = parts(pool, class);
    for condition in without_implied(pool, chain, &parts) {
        let text = show(pool, condition);
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

/// Whether all conditions of one class are in another one.
fn is_part(conditions: &[Expr], of: &[Expr]) -> bool {
    conditions.iter().all(|condition| of.contains(condition))
}

/// Two classes that differ in one condition, which the other one has turned around, as one. The other one may have more
/// conditions, if they follow from those that it shares with this one.
fn joined(pool: &mut Pool, chain: &mut Chain, class: &[Expr], other: &[Expr]) -> Option<Vec<Expr>> {
    for &turned in class {
        let not = pool.not(turned);
        let rest: Vec<Expr> = class.iter().copied().filter(|condition| *condition != turned).collect();
        if !other.contains(&not) || !is_part(&rest, other) {
            continue;
        }
        let more: Vec<Expr> =
            other.iter().copied().filter(|condition| *condition != not && !rest.contains(condition)).collect();
        let follow = more.len() <= MOST_CONDITIONS
            && more.into_iter().all(|condition| {
                let shared: Vec<Expr> = rest.iter().copied().chain([not]).collect();
                follows(pool, chain, &shared, condition)
            });
        if follow {
            return Some(rest);
        }
    }
    None
}

/// A class without one of its conditions, if other classes have all other sides of that: questions may have many.
fn all_sides(pool: &mut Pool, chain: &mut Chain, classes: &[Class], class: &[Expr]) -> Option<Vec<Expr>> {
    for &side in class {
        let rest: Vec<Expr> = class.iter().copied().filter(|condition| *condition != side).collect();
        let others = classes.iter().filter(|other| other.conditions.len() == class.len());
        let others = others.filter(|other| is_part(&rest, &other.conditions));
        let sides =
            others.filter_map(|other| other.conditions.iter().copied().find(|condition| !rest.contains(condition)));
        let sides: Vec<Expr> = sides.collect();
        if sides.len() < 2 || sides.len() > MOST_CONDITIONS {
            continue;
        }
        let none: Vec<Expr> = sides.into_iter().chain([side]).map(|side| pool.not(side)).collect();
        if holds_never(pool, chain, &rest.iter().copied().chain(none).collect::<Vec<Expr>>()) {
            return Some(rest);
        }
    }
    None
}

/// The parts of conditions that hold all together.
fn parts(pool: &Pool, conditions: &[Expr]) -> Vec<Expr> {
    let mut parts: Vec<Expr> = Vec::new();
    let mut todo: Vec<Expr> = conditions.iter().rev().copied().collect();
    while let Some(condition) = todo.pop() {
        match condition {
            Expr::Term(id) if pool.node(id).op == Op::And => todo.extend(pool.node(id).args().iter().rev()),
            _ if parts.contains(&condition) => {}
            _ => parts.push(condition),
        }
    }
    parts
}

/// The conditions without those that follow from the others.
fn without_implied(pool: &mut Pool, chain: &mut Chain, class: &[Expr]) -> Vec<Expr> {
    let mut kept = class.to_vec();
    if kept.len() > MOST_CONDITIONS {
        return kept;
    }
    let mut at = 0;
    while at < kept.len() {
        let others = kept.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, condition)| *condition);
        let others: Vec<Expr> = others.collect();
        match follows(pool, chain, &others, kept[at]) {
            true => drop(kept.remove(at)),
            false => at += 1,
        }
    }
    kept
}

/// Whether a condition is known to follow from others. That an element of an array is something does not say that there is
/// such an element: to solvers all beyond its end is zero, to people it is nothing.
fn follows(pool: &mut Pool, chain: &mut Chain, from: &[Expr], condition: Expr) -> bool {
    let mut of_condition: FxHashSet<SymbolId> = FxHashSet::default();
    pool.each_symbol(&[condition], |symbol, _| _ = of_condition.insert(symbol));
    let is_bound = indices(pool, condition).is_empty();
    let not = pool.not(condition);
    let reads = |expr: Expr| {
        let mut found = false;
        pool.each_symbol(&indices(pool, expr), |symbol, _| found |= of_condition.contains(&symbol));
        is_bound && found
    };
    let conditions: Vec<Expr> = from.iter().copied().filter(|&expr| !reads(expr)).chain([not]).collect();
    holds_never(pool, chain, &conditions)
}

/// The places of arrays that an expression reads.
fn indices(pool: &Pool, expr: Expr) -> Vec<Expr> {
    let (mut todo, mut seen, mut found) = (vec![expr], FxHashSet::default(), Vec::new());
    while let Some(expr) = todo.pop() {
        let Expr::Term(id) = expr else { continue };
        if !seen.insert(id) {
            continue;
        }
        let node = pool.node(id);
        match node.op {
            Op::Select => found.push(node.args()[1]),
            Op::Apply { args, .. } => todo.extend(pool.apply_args(args)),
            _ => {}
        }
        todo.extend(node.args());
    }
    found
}

/// Whether conditions are known to contradict each other.
fn holds_never(pool: &Pool, chain: &mut Chain, conditions: &[Expr]) -> bool {
    let mut path = Path::new();
    for &condition in conditions {
        match chain.extend(pool, &path, condition) {
            Ok(Some(grown)) => path = grown,
            Ok(None) => return true,
            Err(_) => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::pool::Reading;

    #[test]
    fn what_follows_is_left_out() {
        let mut pool = Pool::new();
        let n = pool.symbol_as("n", 32, Reading::Signed);
        let number = |value: u64| Expr::constant(value, 32);
        let (large, small) = (pool.slt(number(1), n), pool.ult(n, number(10)));
        let zero = pool.eq(n, number(0));
        let some = pool.not(zero);
        let mut chain = small_chain();
        assert_eq!(without_implied(&mut pool, &mut chain, &[large, small, some]), [large, small]);
        // What is small or not, and not zero anyway.
        let not_small = pool.not(small);
        assert_eq!(joined(&mut pool, &mut chain, &[large, not_small], &[large, small, some]), Some(vec![large]));
        assert_eq!(joined(&mut pool, &mut chain, &[not_small], &[small, some]), None);
        // One of three sides, where others have the other two.
        let (middle, end) = (pool.ult(number(9), n), pool.ult(n, number(100)));
        let (middle, far) = (pool.and(middle, end), pool.not(end));
        let class = |conditions: &[Expr]| Class { conditions: conditions.to_vec(), texts: Vec::new() };
        let others = [class(&[large, small]), class(&[large, middle])];
        assert_eq!(all_sides(&mut pool, &mut chain, &others, &[large, far]), Some(vec![large]));
        assert_eq!(all_sides(&mut pool, &mut chain, &others[1..], &[large, far]), None);
        assert_eq!(parts(&pool, &[large, middle, large]).len(), 3);
    }
}
