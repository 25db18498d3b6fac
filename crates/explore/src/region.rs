//! The condition under which two versions differ, as short as possible.
//!
//! What was compared is a list of pairs of paths: each has a condition, and on it the versions do the same, or differ if a
//! further condition holds. The *on-set* are inputs that differ, the *off-set* those that do not. A difference's condition
//! is a conjunction of literals; as in two-level logic minimisation each literal is left out that is not needed to keep
//! clear of the off-set, and inputs that are covered already need no condition of their own. Every step is a proof by the
//! solver; what it does not know stays as it is.
//!
//! If every path was compared or given up, inputs on no path do not exist and may be covered too. What is on a path that was
//! given up, because of a bound, is in the off-set: nobody knows whether it differs, and the region is part of the truth only.
//! If not all such paths are known, the off-set is all that is not known to differ.

mod cases;

use exec::run::Worker;
use smt::eval::{Evaluator, Model};
use smt::expr::{Expr, Op, SymbolId, signed};
use smt::plain::{is_plain, may_wrap};
use smt::pool::{Pool, Reading};
use smt::solver::chain::{Chain, Path};
use std::rc::Rc;

/// Where versions differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// The versions differ if one of these holds; each as people write it. An empty text always holds.
    pub conditions: Vec<String>,
    /// Whether they do not differ, in scope, if none holds.
    pub exact: bool,
    /// Whether sums in them may be too large for their numbers, and wrap around then.
    pub wraps: bool,
}

/// A pair of paths that was compared.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    /// The condition of both paths.
    pub path: Rc<Vec<Expr>>,
    /// Under which further condition the outcomes differ.
    pub differs: Expr,
}

/// Which paths are known.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Extent<'a> {
    /// All paths: pairs, and those that were given up, with these conditions.
    AllBut(&'a [Rc<Vec<Expr>>]),
    /// Some of them.
    Some,
}

/// Conditions that are met only where versions differ.
pub(crate) struct Cover {
    /// Literals of each, and what people write.
    conditions: Vec<(Vec<Expr>, String)>,
    /// Whether one of them holds wherever they differ.
    exact: bool,
}

/// Most conditions of a region.
const MAX_CONDITIONS: usize = 3;
/// Most conditions that are found before some of them become one.
const MAX_FOUND: usize = 8;
/// Most letters of a condition.
const MAX_LENGTH: usize = 120;
/// Most questions to the solver.
const MAX_QUESTIONS: u32 = 400;
/// Most pairs that are looked at.
pub(crate) const MAX_PAIRS: usize = 256;
/// Most literals of a condition that are looked at.
const MAX_LITERALS: usize = 48;
/// From which length on another way of saying it is looked for.
const LONG: usize = 30;

/// All pairs that were compared, ready for questions.
pub(crate) struct Regions<'a, 'p> {
    worker: &'a mut Worker<'p>,
    chain: &'a mut Chain,
    pairs: &'a [Pair],
    extent: Extent<'a>,
    /// Whether only the pairs may differ, once it is known.
    decided: Option<bool>,
    stop: &'a dyn Fn() -> bool,
    left: u32,
}

impl<'a, 'p> Regions<'a, 'p> {
    /// Regions of pairs.
    pub fn new(
        worker: &'a mut Worker<'p>,
        chain: &'a mut Chain,
        pairs: &'a [Pair],
        extent: Extent<'a>,
        stop: &'a dyn Fn() -> bool,
    ) -> Self {
        Regions { worker, chain, pairs, extent, decided: None, stop, left: 0 }
    }

    /// The condition under which one of the chosen pairs is taken and differs.
    pub fn cover(&mut self, chosen: &[usize]) -> Option<Cover> {
        self.left = MAX_QUESTIONS;
        let decided = self.is_decided();
        let off = self.off_set(chosen);
        let whole: Vec<Vec<Expr>> = chosen.iter().map(|&index| self.literals(index)).collect();
        let split = self.split(&whole);
        let by_cases = split.and_then(|cases| self.covered(&cases, chosen, off));
        if by_cases.as_ref().is_some_and(|region| region.exact || !decided) {
            return by_cases;
        }
        let plain = self.covered(&whole, chosen, off);
        plain.filter(|plain| plain.exact || by_cases.is_none()).or(by_cases)
    }

    /// The region as it is shown beside an input, whose own condition comes first if there are too many.
    pub fn around(&self, cover: &Cover, input: &Model) -> Option<Region> {
        let mut evaluator = Evaluator::new(&self.worker.pool, input);
        let mut holds = |literals: &[Expr]| literals.iter().all(|&literal| evaluator.holds(literal) == Some(true));
        let own = cover.conditions.iter().position(|(literals, _)| holds(literals))?;
        let mut shown: Vec<usize> =
            (0..cover.conditions.len()).filter(|&at| at != own).take(MAX_CONDITIONS - 1).collect();
        shown.push(own);
        shown.sort_unstable();
        let exact = cover.exact && shown.len() == cover.conditions.len();
        let shown: Vec<&(Vec<Expr>, String)> = shown.into_iter().map(|at| &cover.conditions[at]).collect();
        let wraps = shown.iter().any(|(literals, _)| literals.iter().any(|&part| may_wrap(&self.worker.pool, part)));
        Some(Region { conditions: shown.into_iter().map(|(_, text)| text.clone()).collect(), exact, wraps })
    }

    /// Whether inputs that are on no pair that differs are known not to differ.
    fn is_decided(&mut self) -> bool {
        if let Some(decided) = self.decided {
            return decided;
        }
        let decided = match self.extent {
            Extent::Some => false,
            Extent::AllBut(given_up) => {
                let open = self.one_of(given_up);
                let all: Vec<usize> = (0..self.pairs.len()).collect();
                let known = self.differing(&all);
                let unknown = self.worker.pool.not(known);
                open.is_false() || self.contradict(&[open, unknown])
            }
        };
        self.decided = Some(decided);
        decided
    }

    fn one_of(&mut self, paths: &[Rc<Vec<Expr>>]) -> Expr {
        let mut any = Expr::bool(false);
        for path in paths {
            let condition = self.conjunction(path);
            any = self.worker.pool.or(any, condition);
        }
        any
    }

    /// Inputs that differ on one of some pairs.
    fn differing(&mut self, pairs: &[usize]) -> Expr {
        let mut any = Expr::bool(false);
        for &index in pairs {
            let Pair { path, differs } = self.pairs[index].clone();
            let condition = self.conjunction(&path);
            let on = self.worker.pool.and(condition, differs);
            any = self.worker.pool.or(any, on);
        }
        any
    }

    /// Conjunctions by cases, if that makes more of them.
    fn split(&mut self, conjunctions: &[Vec<Expr>]) -> Option<Vec<Vec<Expr>>> {
        let mut all = Vec::new();
        let mut any = false;
        for literals in conjunctions {
            match cases::cases(&mut self.worker.pool, literals) {
                Some(cases) => {
                    any = true;
                    all.extend(cases.into_iter().filter(|case| !self.contradict(case)));
                }
                None => all.push(literals.clone()),
            }
        }
        (any && !all.is_empty()).then_some(all)
    }

    /// The condition under which one of some conjunctions holds, which are all in which the chosen pairs differ.
    fn covered(&mut self, conjunctions: &[Vec<Expr>], chosen: &[usize], off: Expr) -> Option<Cover> {
        let mut open: Vec<Vec<Expr>> = conjunctions.to_vec();
        let mut found: Vec<(Vec<Expr>, String)> = Vec::new();
        let mut skipped = false;
        while found.len() < MAX_FOUND && !open.is_empty() {
            let literals = open.remove(0);
            if literals.len() > MAX_LITERALS {
                skipped = true;
                continue;
            }
            let literals = self.widened(literals, off);
            let literals = self.with_ranges(literals, off);
            let literals = self.with_ranges_of_terms(literals, off);
            let literals = self.with_equalities(literals);
            let text = self.text(&literals);
            let covers = self.conjunction(&literals);
            let outside = self.worker.pool.not(covers);
            let mut rest = Vec::new();
            for other in open {
                let question: Vec<Expr> = other.iter().copied().chain([outside]).collect();
                if !self.contradict(&question) {
                    rest.push(other);
                }
            }
            open = rest;
            found.push((literals, text));
        }
        self.join(&mut found, off);
        let before = found.len();
        let pool = &self.worker.pool;
        found.retain(|(literals, text)| {
            let is_nameable = !text.contains(exec::run::UNINITIALISED);
            is_nameable && text.chars().count() <= MAX_LENGTH && literals.iter().all(|&literal| is_plain(pool, literal))
        });
        let whole = open.is_empty() && !skipped && found.len() == before;
        let needed = self.needed(&found, chosen);
        let exact = whole && needed.len() <= MAX_CONDITIONS && self.is_decided();
        let conditions: Vec<_> = needed.into_iter().map(|index| found[index].clone()).collect();
        (!conditions.is_empty()).then_some(Cover { conditions, exact })
    }

    /// Which inputs of a model may have any value, all at once: the versions differ in the chosen way all the same, whatever
    /// inputs hold that are not shown. `shown` are those that are, with their values.
    pub fn free(&mut self, chosen: &[usize], model: &Model, shown: &[(String, String)]) -> Vec<String> {
        self.left = MAX_QUESTIONS / 4;
        let off = self.off_set(chosen);
        let pool = &self.worker.pool;
        let named = |name: &String| {
            let mut found =
                (0..pool.symbol_count() as u32).map(SymbolId).filter(|&symbol| pool.symbol_info(symbol).name == *name);
            // Of two symbols with one name it is not known which one is meant.
            found.next().filter(|_| found.next().is_none())
        };
        let rows: Vec<(String, SymbolId)> =
            shown.iter().filter_map(|(name, _)| Some((name.clone(), named(name)?))).collect();
        let involved: Vec<(SymbolId, Expr)> = pool.symbols_in(&[off]).into_iter().collect();
        if involved.len() > MAX_LITERALS {
            return Vec::new();
        }
        let mut fixed: Vec<(SymbolId, Expr)> = Vec::new();
        for (symbol, term) in involved {
            let info = self.worker.pool.symbol_info(symbol);
            // Where something lies shows in what is shown of it.
            if info.array || info.reading != Reading::Address && !is_shown(&info.name, shown) {
                continue;
            }
            let value = model.get(symbol, info.width);
            let value = self.worker.pool.bits(&value);
            fixed.push((symbol, self.worker.pool.eq(term, value)));
        }
        let mut free = Vec::new();
        for (name, symbol) in rows {
            let others: Vec<(SymbolId, Expr)> = fixed.iter().copied().filter(|(known, _)| *known != symbol).collect();
            let mut question: Vec<Expr> = others.iter().map(|(_, fixed)| *fixed).collect();
            question.push(off);
            if self.contradict(&question) {
                fixed = others;
                free.push(name);
            }
        }
        free
    }

    /// What must not be covered: inputs that do not differ in the chosen way, or of which that is not known.
    fn off_set(&mut self, chosen: &[usize]) -> Expr {
        let on = self.differing(chosen);
        let not_on = self.worker.pool.not(on);
        let Extent::AllBut(given_up) = self.extent else { return not_on };
        let given_up = self.one_of(given_up);
        let mut off = self.worker.pool.and(given_up, not_on);
        for index in 0..self.pairs.len() {
            let Pair { path, differs } = self.pairs[index].clone();
            let condition = self.conjunction(&path);
            let pool = &mut self.worker.pool;
            let same = if chosen.contains(&index) { pool.not(differs) } else { Expr::bool(true) };
            let part = pool.and(condition, same);
            off = pool.or(off, part);
        }
        off
    }

    /// The literals of a difference: those of the path, then those under which its outcomes differ.
    fn literals(&self, index: usize) -> Vec<Expr> {
        let pair = &self.pairs[index];
        let mut todo: Vec<Expr> = pair.path.iter().copied().chain([pair.differs]).rev().collect();
        let mut literals = Vec::new();
        while let Some(expr) = todo.pop() {
            match expr {
                Expr::Term(id) if self.worker.pool.node(id).op == Op::And && self.worker.pool.node(id).width == 1 => {
                    todo.extend(self.worker.pool.node(id).args().iter().rev());
                }
                expr if expr.is_true() || literals.contains(&expr) => {}
                expr => literals.push(expr),
            }
        }
        literals
    }

    /// Leaves out what is not needed to keep clear of the off-set, what is long to say first.
    fn widened(&mut self, literals: Vec<Expr>, off: Expr) -> Vec<Expr> {
        let mut order: Vec<(usize, Expr)> = literals.iter().copied().enumerate().collect();
        order
            .sort_by_key(|(at, literal)| (std::cmp::Reverse(self.worker.text(*literal).len()), std::cmp::Reverse(*at)));
        let mut kept = order.clone();
        for (at, _) in order {
            let mut question: Vec<Expr> =
                kept.iter().filter(|(known, _)| *known != at).map(|(_, literal)| *literal).collect();
            question.push(off);
            if self.contradict(&question) {
                kept.retain(|(known, _)| *known != at);
            }
        }
        kept.sort_by_key(|(at, _)| *at);
        kept.into_iter().map(|(_, literal)| literal).collect()
    }

    /// The same with a range for each number that several literals, or a long one, are about.
    fn with_ranges(&mut self, mut literals: Vec<Expr>, off: Expr) -> Vec<Expr> {
        for (symbol, term) in self.worker.pool.symbols_in(&literals) {
            let (own, others): (Vec<Expr>, Vec<Expr>) =
                literals.iter().partition(|&&literal| self.only_symbol(literal) == Some(symbol));
            let is_short = |regions: &mut Self| own.len() == 1 && regions.text(&own).chars().count() < LONG;
            if own.is_empty() || is_short(self) && !own.iter().any(|&literal| self.may_wrap(literal)) {
                continue;
            }
            let Some(reading) = self.reading(term) else { continue };
            literals = self.with_range(literals, (own, others), (term, reading), off);
        }
        literals
    }

    /// The same for what is computed, such as `f(x)` in `f(x) >= 3 && f(x) <= 3`.
    fn with_ranges_of_terms(&mut self, mut literals: Vec<Expr>, off: Expr) -> Vec<Expr> {
        let mut known: Vec<Expr> = Vec::new();
        for literal in literals.clone() {
            let Some((term, _)) = self.compared(literal) else { continue };
            let (own, others): (Vec<Expr>, Vec<Expr>) =
                literals.iter().partition(|&&one| self.compared(one).is_some_and(|(other, _)| other == term));
            if own.len() < 2 || known.contains(&term) {
                continue;
            }
            known.push(term);
            let is_signed = own.iter().any(|&one| self.compared(one).is_some_and(|(_, signed)| signed));
            let reading = if is_signed { Reading::Signed } else { Reading::Unsigned };
            literals = self.with_range(literals, (own, others), (term, reading), off);
        }
        literals
    }

    /// `a == b` in the place of `a <= b` and `b <= a`.
    fn with_equalities(&mut self, mut literals: Vec<Expr>) -> Vec<Expr> {
        let pool = &mut self.worker.pool;
        let sides = |pool: &Pool, literal: Expr| match literal {
            Expr::Term(id) => match (pool.node(id).op, pool.node(id).args()) {
                (op @ (Op::Sle | Op::Ule), &[a, b]) => Some((op, a, b)),
                _ => None,
            },
            Expr::Const { .. } => None,
        };
        for at in 0..literals.len() {
            let Some((op, a, b)) = literals.get(at).and_then(|&literal| sides(pool, literal)) else { continue };
            let is_reverse = |&literal: &Expr| sides(pool, literal) == Some((op, b, a));
            if let Some(other) = literals.iter().position(is_reverse).filter(|&other| other > at) {
                literals[at] = pool.eq(a, b);
                literals.remove(other);
            }
        }
        literals
    }

    /// Literals with a range in the place of some of them, if that keeps clear of the off-set.
    fn with_range(
        &mut self,
        literals: Vec<Expr>,
        (own, others): (Vec<Expr>, Vec<Expr>),
        number: (Expr, Reading),
        off: Expr,
    ) -> Vec<Expr> {
        let Some((low, high)) = self.hull(&own, number) else { return literals };
        let range = self.range(number, low, high);
        if !self.is_clear(&[&others, &range], off) {
            return literals;
        }
        self.widened(range.into_iter().chain(others).collect(), off)
    }

    /// Whether a literal compares a sum, which may be too large for its type: what people read is that it never is.
    fn may_wrap(&self, literal: Expr) -> bool {
        let pool = &self.worker.pool;
        let node = |expr: Expr| match expr {
            Expr::Term(id) => Some(pool.node(id)),
            Expr::Const { .. } => None,
        };
        let Some(mut comparison) = node(literal) else { return false };
        if let (Op::Not, &[inner]) = (comparison.op, comparison.args())
            && let Some(inner) = node(inner)
        {
            comparison = inner;
        }
        let is_sum = |&arg: &Expr| node(arg).is_some_and(|node| matches!(node.op, Op::Add | Op::Sub));
        matches!(comparison.op, Op::Slt | Op::Sle | Op::Ult | Op::Ule) && comparison.args().iter().any(is_sum)
    }

    /// The term that a literal compares with a number, if it is no symbol, and whether it takes it as signed.
    fn compared(&self, literal: Expr) -> Option<(Expr, bool)> {
        let pool = &self.worker.pool;
        let Expr::Term(mut id) = literal else { return None };
        if let (Op::Not, &[Expr::Term(inner)]) = (pool.node(id).op, pool.node(id).args()) {
            id = inner;
        }
        let node = pool.node(id);
        let is_signed = match node.op {
            Op::Slt | Op::Sle => true,
            Op::Ult | Op::Ule | Op::Eq => false,
            _ => return None,
        };
        let ((Expr::Const { .. }, term) | (term, Expr::Const { .. })) = (*node.args().first()?, *node.args().get(1)?)
        else {
            return None;
        };
        let Expr::Term(of) = term else { return None };
        let is_number = (2..=64).contains(&pool.width(term)) && !matches!(pool.node(of).op, Op::Symbol(_));
        is_number.then_some((term, is_signed))
    }

    /// Makes one of two conditions that say the same of all numbers but one, if the range between them is as good.
    fn join(&mut self, found: &mut Vec<(Vec<Expr>, String)>, off: Expr) {
        let mut at = 1;
        while at < found.len() {
            let joined = (0..at).find_map(|other| Some((other, self.joined(&found[other].0, &found[at].0, off)?)));
            match joined {
                Some((other, literals)) => {
                    found[other] = (literals.clone(), self.text(&literals));
                    found.remove(at);
                    at = 1;
                }
                None => at += 1,
            }
        }
    }

    fn joined(&mut self, a: &[Expr], b: &[Expr], off: Expr) -> Option<Vec<Expr>> {
        for (symbol, term) in self.worker.pool.symbols_in(a) {
            let split = |literals: &[Expr]| -> (Vec<Expr>, Vec<Expr>) {
                literals.iter().partition(|&&literal| self.only_symbol(literal) == Some(symbol))
            };
            let ((first, rest), (second, other_rest)) = (split(a), split(b));
            if first.is_empty() || second.is_empty() || rest.iter().any(|literal| !other_rest.contains(literal)) {
                continue;
            }
            if rest.len() != other_rest.len() {
                continue;
            }
            let number = (term, self.reading(term)?);
            let (one, two) = (self.hull(&first, number)?, self.hull(&second, number)?);
            let range = self.range(number, one.0.min(two.0), one.1.max(two.1));
            if self.is_clear(&[&range, &rest], off) {
                return Some(range.into_iter().chain(rest).collect());
            }
        }
        None
    }

    /// Whether literals keep clear of the off-set.
    fn is_clear(&mut self, literals: &[&[Expr]], off: Expr) -> bool {
        let mut question = literals.concat();
        question.push(off);
        self.contradict(&question)
    }

    /// The number that a literal is about, if it is one only.
    fn only_symbol(&self, literal: Expr) -> Option<SymbolId> {
        let symbols = self.worker.pool.symbols_in(&[literal]);
        symbols.into_keys().next().filter(|_| self.worker.pool.symbols_in(&[literal]).len() == 1)
    }

    /// The literals that say that a number is in a range.
    fn range(&mut self, (term, reading): (Expr, Reading), low: i128, high: i128) -> Vec<Expr> {
        let width = self.worker.pool.width(term);
        let is_signed = reading == Reading::Signed;
        let number = |value: i128| Expr::constant(value as u64, width);
        let pool = &mut self.worker.pool;
        if low == high {
            return vec![pool.eq(term, number(low))];
        }
        // People compare with zero.
        let lower = match (is_signed, low) {
            (true, 1) => pool.slt(number(0), term),
            (true, _) => pool.sle(number(low), term),
            (false, 1) => pool.ult(number(0), term),
            (false, _) => pool.ule(number(low), term),
        };
        let upper = match (is_signed, high) {
            (true, -1) => pool.slt(term, number(0)),
            (true, _) => pool.sle(term, number(high)),
            (false, _) => pool.ule(term, number(high)),
        };
        [lower, upper].into_iter().filter(|literal| !literal.is_true()).collect()
    }

    /// How people read a symbol that is a whole number.
    fn reading(&self, term: Expr) -> Option<Reading> {
        let Expr::Term(id) = term else { return None };
        let Op::Symbol(symbol) = self.worker.pool.node(id).op else { return None };
        let info = self.worker.pool.symbol_info(symbol);
        let whole = matches!(info.reading, Reading::Signed | Reading::Unsigned | Reading::Char);
        (!info.array && info.width <= 64 && whole).then_some(info.reading)
    }

    /// The least and the greatest value of a number for which literals hold.
    fn hull(&mut self, literals: &[Expr], (term, reading): (Expr, Reading)) -> Option<(i128, i128)> {
        let width = self.worker.pool.width(term);
        let (least, greatest) = match reading {
            Reading::Signed => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
            _ => (0, (1i128 << width) - 1),
        };
        let path = self.path(literals)?;
        let value = |pool: &Pool, path: &Path| {
            let bits = Evaluator::new(pool, &path.values).value(term)?.low();
            Some(match reading {
                Reading::Signed => i128::from(signed(bits, width)),
                _ => i128::from(bits),
            })
        };
        let first = value(&self.worker.pool, &path)?;
        let (mut low, mut high) = (first, first);
        // The values nearest to the ends, by halving what is left.
        let mut from = least;
        while from < low {
            let middle = from + (low - from) / 2;
            let condition = self.at_most((term, Expr::constant(middle as u64, width)), reading);
            match self.ask(&path, condition)? {
                Some(smaller) => low = value(&self.worker.pool, &smaller)?,
                None => from = middle + 1,
            }
        }
        let mut to = greatest;
        while to > high {
            let middle = to - (to - high) / 2;
            let condition = self.at_most((Expr::constant(middle as u64, width), term), reading);
            match self.ask(&path, condition)? {
                Some(larger) => high = value(&self.worker.pool, &larger)?,
                None => to = middle - 1,
            }
        }
        Some((low, high))
    }

    fn at_most(&mut self, (a, b): (Expr, Expr), reading: Reading) -> Expr {
        match reading {
            Reading::Signed => self.worker.pool.sle(a, b),
            _ => self.worker.pool.ule(a, b),
        }
    }

    /// Conditions that the others do not make superfluous.
    fn needed(&mut self, found: &[(Vec<Expr>, String)], chosen: &[usize]) -> Vec<usize> {
        let mut kept: Vec<usize> = (0..found.len()).collect();
        for index in 0..found.len() {
            if kept.len() == 1 {
                break;
            }
            let mut outside = Vec::new();
            for &other in kept.iter().filter(|other| **other != index) {
                let covers = self.conjunction(&found[other].0);
                outside.push(self.worker.pool.not(covers));
            }
            let inside = self.conjunction(&found[index].0);
            let superfluous = chosen.iter().all(|&pair| {
                let mut question = self.literals(pair);
                question.push(inside);
                question.extend(&outside);
                self.contradict(&question)
            });
            if superfluous {
                kept.retain(|other| *other != index);
            }
        }
        kept
    }

    fn conjunction(&mut self, literals: &[Expr]) -> Expr {
        literals.iter().fold(Expr::bool(true), |all, &literal| self.worker.pool.and(all, literal))
    }

    fn text(&mut self, literals: &[Expr]) -> String {
        let several = literals.len() > 1;
        let text = |literal: &Expr| {
            let text = self.worker.text(*literal).to_string();
            if several && text.contains(" || ") { format!("({text})") } else { text }
        };
        literals.iter().map(text).collect::<Vec<_>>().join(" && ")
    }

    fn path(&mut self, conditions: &[Expr]) -> Option<Path> {
        let mut path = Path::new();
        for &condition in conditions {
            path = self.chain.extend(&self.worker.pool, &path, condition).ok()??;
        }
        Some(path)
    }

    /// Whether a condition can hold on a path; `None` if that is not known.
    fn ask(&mut self, path: &Path, condition: Expr) -> Option<Option<Path>> {
        if (self.stop)() {
            return None;
        }
        self.chain.extend(&self.worker.pool, path, condition).ok()
    }

    /// Whether conditions cannot hold together; no if that is not known.
    fn contradict(&mut self, conditions: &[Expr]) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let mut path = Path::new();
        for &condition in conditions {
            match self.ask(&path, condition) {
                Some(Some(grown)) => path = grown,
                Some(None) => return true,
                None => return false,
            }
        }
        false
    }
}

/// Whether an input is shown, by itself or as a part of a text or a list.
fn is_shown(name: &str, shown: &[(String, String)]) -> bool {
    shown.iter().any(|(known, value)| {
        let part = name.strip_prefix(known.as_str()).and_then(|rest| rest.strip_prefix('[')?.strip_suffix(']'));
        let listed = value.starts_with(['"', '{', '[']);
        name == known || listed && part.is_some_and(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
    })
}
