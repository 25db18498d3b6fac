//! The smallest values of a path: what a person would have chosen, and the same whatever was asked before.
//!
//! Symbols are made small one after the other, by rank and name, each in the order of [`small`](super::search::small)
//! and fixed before the next. This defines the values, however they are found:
//!
//! 1. the search, with a larger budget than while a path grows;
//! 2. a solver, bit by bit from the highest, so that few different terms are ever made;
//! 3. what is left (arrays, functions, symbols beyond the first few dozens, questions too hard): a solver that has
//!    seen nothing else is given the constraints in an order of their own, in a new pool, so that its answer depends on
//!    nothing else either; then elements of arrays and results of functions that may be zero become zero.
//!
//! The second may take long. What took long is remembered: the values, and as long as these are not known, single answers,
//! so that a run that is cut short again and again gets there in the end.

use super::path::{Group, Values};
use super::search::small::{self, CLASSES};
use super::search::{Found, Unknown};
use super::symbols::{Name, Names};
use super::{Chain, Path, Solved};
use crate::bits::Bits;
use crate::eval::Model;
use crate::expr::{Expr, FunctionId, SymbolId, mask, signed};
use crate::pool::canonical::Copy;
use crate::pool::digest::{mix, text};
use crate::pool::{Pool, Reading};
use crate::solver::blast::Blaster;
use crate::solver::validate::satisfies;
use crate::solver::{Answer, Reason, Solver};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How much longer the search may take when somebody waits for an input.
const PATIENCE: u64 = 16;

/// How many symbols a solver makes small, one after the other.
const MAX_SYMBOLS: usize = 40;

/// What takes longer is worth remembering.
const LONG: Duration = Duration::from_millis(20);

/// What keys in the memory are about: smallest values, and that somebody began to look for them.
const SMALLEST: u128 = 0x5a11;
const BEGUN: u128 = 0xbe6;

/// What the memory knows of the values that are being made small.
#[derive(Clone, Default)]
pub(super) struct Known {
    /// The key of the smallest values; nothing if they are not to be remembered.
    key: Option<u128>,
    /// Their names.
    names: Option<Names>,
    /// Whether it may have single answers.
    begun: bool,
}

impl Chain {
    /// The smallest values for which the path's constraints hold; a function of the constraints alone.
    ///
    /// Should even a new solver not know any values within the limits, they are those that the path has.
    pub fn smallest(&mut self, pool: &mut Pool, path: &Path) -> Rc<Model> {
        // Of constraints that nobody grouped, somebody knew the values.
        let loose = path.grouped < path.constraints.len();
        let others = path.brought || path.mixed;
        if loose || !others && path.groups.iter().all(|group| group.exact) {
            return path.values.clone();
        }
        let mut model = if path.brought { Model::default() } else { (*path.values).clone() };
        for group in path.groups.iter().filter(|group| others || !group.exact) {
            let smallest = match group.smallest.get() {
                _ if group.exact => group.values.clone(),
                Some(smallest) => smallest.clone(),
                None => {
                    self.stats.minimised += 1;
                    let found = self.minimise(pool, group);
                    group.smallest.get_or_init(|| found).clone()
                }
            };
            smallest.write(&group.names, &mut model);
        }
        debug_assert!(satisfies(pool, &model, &path.constraints), "the smallest values satisfy the path");
        Rc::new(model)
    }

    /// The smallest values for which conditions hold, nothing if there are none, or why that is not known; a function of
    /// the set of conditions.
    pub fn smallest_model(&mut self, pool: &mut Pool, conditions: &[Expr]) -> Result<Option<Rc<Model>>, Reason> {
        let mut path = Path::new();
        for &condition in conditions {
            match self.extend(pool, &path, condition)? {
                Some(grown) => path = grown,
                None => return Ok(None),
            }
        }
        Ok(Some(self.smallest(pool, &path)))
    }

    fn minimise(&mut self, pool: &mut Pool, group: &Group) -> Values {
        if let Some(Found::Values(values)) =
            self.smallest_by_search(pool, &group.constraints, &group.names, self.search_steps * PATIENCE)
        {
            return Values::Small(values.into());
        }
        if self.limits.is_over() {
            return group.values.clone();
        }
        self.small = self.known_of(pool, group);
        let key = self.small.key;
        if let Some(Some(model)) = key.and_then(|key| self.recall_model(pool, &group.constraints, &group.names, key)) {
            return Values::of(pool, &group.names, &model);
        }
        let started = Instant::now();
        let mut fixed = group.constraints.to_vec();
        let complete = match self.by_bits(pool, group, &mut fixed) {
            Ok(Some(model)) => {
                if started.elapsed() > LONG {
                    self.keep(pool, &group.names, key, Some(&model));
                }
                Some(model)
            }
            Ok(None) | Err(_) => self.alone(pool, &fixed, group),
        };
        match complete {
            Some(model) => Values::of(pool, &group.names, &model),
            None => group.values.clone(),
        }
    }

    /// What the memory knows of the smallest values of a group.
    fn known_of(&mut self, pool: &Pool, group: &Group) -> Known {
        if self.memory.is_none() || self.by_digest(pool, &group.names).is_none() {
            return Known::default();
        }
        // Which values are the smallest depends on the order of the symbols and on how they are read.
        let set = self.digests.of_set(pool, &group.constraints);
        let key = self.in_order(pool, group).into_iter().fold(mix(set, SMALLEST), |key, symbol| {
            let reading = text(&format!("{:?}", pool.symbol_info(symbol).reading));
            mix(mix(key, self.digests.symbol(pool, symbol)), reading)
        });
        let begun = self.memory.as_mut().is_some_and(|memory| memory.get(mix(key, BEGUN)).is_some());
        Known { key: Some(key), names: Some(group.names.clone()), begun }
    }

    /// Symbols of a group in the order in which they are made small.
    fn in_order(&mut self, pool: &Pool, group: &Group) -> Vec<SymbolId> {
        self.make_keys(pool);
        let mut symbols: Vec<SymbolId> = group
            .names
            .iter()
            .filter_map(|&name| match name {
                Name::Symbol(symbol) if !pool.symbol_info(symbol).array => Some(symbol),
                _ => None,
            })
            .collect();
        symbols.sort_by(|a, b| self.keys[a.0 as usize].cmp(&self.keys[b.0 as usize]).then(a.cmp(b)));
        symbols
    }

    /// Makes symbols small by asking a solver; what they became is in `fixed`. The model if nothing is left to choose.
    fn by_bits(&mut self, pool: &mut Pool, group: &Group, fixed: &mut Vec<Expr>) -> Result<Option<Model>, Reason> {
        let symbols = self.in_order(pool, group);
        let mut model = Model::default();
        group.values.write(&group.names, &mut model);
        for &symbol in symbols.iter().take(MAX_SYMBOLS) {
            let Some(term) = self.sets.term(symbol) else { continue };
            let reading = pool.symbol_info(symbol).reading;
            let before = fixed.len();
            let mut question = Question { chain: self, pool, fixed, symbol: Unknown { symbol, term, reading } };
            match question.smallest(model) {
                Ok(found) => model = found,
                Err(reason) => {
                    // What was only tried is not fixed.
                    fixed.truncate(before);
                    return Err(reason);
                }
            }
        }
        let all = symbols.len() <= MAX_SYMBOLS && group.names.len() == symbols.len();
        Ok(all.then_some(model))
    }

    /// What a solver says that has seen nothing but these constraints, in a pool that has nothing else.
    fn alone(&mut self, pool: &Pool, constraints: &[Expr], group: &Group) -> Option<Model> {
        if self.limits.is_over() {
            return None;
        }
        let copy = Copy::of(pool, constraints);
        let mut solvers: Vec<Box<dyn Solver>> = vec![Box::new(Blaster::new())];
        solvers.extend(self.others.iter().filter_map(|other| other.fresh()));
        for mut solver in solvers {
            self.stats.minimising += 1;
            let Answer::Sat(model) = solver.check(&copy.pool, &copy.constraints, self.limits) else { continue };
            let model = zero_what_may_be(pool, copy.model_of(&model), &group.constraints);
            if satisfies(pool, &model, constraints) {
                return Some(model);
            }
            self.stats.wrong_models += 1;
        }
        None
    }
}

/// Makes elements of arrays and results of functions zero where the constraints allow it: all at once if possible, else
/// one after the other.
fn zero_what_may_be(pool: &Pool, model: Model, constraints: &[Expr]) -> Model {
    let hold = |model: &Model| satisfies(pool, model, constraints);
    let mut model = model;
    model.drop_zeros();
    let mut zero = model.clone();
    zero.arrays.clear();
    zero.functions.clear();
    if hold(&zero) {
        return zero;
    }
    let mut arrays: Vec<SymbolId> = model.arrays.keys().copied().collect();
    arrays.sort_by(|&a, &b| pool.symbol_info(a).name.cmp(&pool.symbol_info(b).name).then(a.cmp(&b)));
    for array in arrays {
        let mut indices: Vec<u64> = model.arrays.get(&array).into_iter().flatten().map(|(&index, _)| index).collect();
        indices.sort_unstable();
        for index in indices {
            let Some(element) = model.arrays.get_mut(&array).and_then(|elements| elements.remove(&index)) else {
                continue;
            };
            if !hold(&model) {
                model.arrays.entry(array).or_default().insert(index, element);
            }
        }
    }
    let mut functions: Vec<FunctionId> = model.functions.keys().copied().collect();
    functions.sort_by(|&a, &b| pool.function_name(a).cmp(pool.function_name(b)).then(a.cmp(&b)));
    for function in functions {
        let mut calls: Vec<Vec<Bits>> =
            model.functions.get(&function).into_iter().flatten().map(|(args, _)| args.clone()).collect();
        calls.sort_by_key(|args| args.iter().map(|arg| arg.words.clone()).collect::<Vec<_>>());
        for args in calls {
            let Some(result) = model.functions.get_mut(&function).and_then(|calls| calls.remove(&args)) else {
                continue;
            };
            if !hold(&model) {
                model.functions.entry(function).or_default().insert(args, result);
            }
        }
    }
    model.drop_zeros();
    model
}

/// Makes one symbol small.
struct Question<'a> {
    chain: &'a mut Chain,
    pool: &'a mut Pool,
    /// Constraints, and what earlier symbols became.
    fixed: &'a mut Vec<Expr>,
    symbol: Unknown,
}

impl Question<'_> {
    /// The smallest value becomes fixed; `model` satisfies what is fixed already, the result does too.
    fn smallest(&mut self, model: Model) -> Result<Model, Reason> {
        let width = self.width();
        let before = self.fixed.len();
        let zeros: Vec<Expr> = (0..width).map(|at| self.bit(at, false)).collect();
        if self.value_is_zero(&model) {
            self.fixed.extend(zeros);
            return Ok(model);
        }
        self.fixed.extend(zeros);
        if let Some(model) = self.ask()? {
            return Ok(model);
        }
        self.fixed.truncate(before);
        match self.symbol.reading {
            Reading::Unsigned | Reading::Address => self.descend(model, width, false),
            Reading::Signed => self.near_zero(model, width),
            Reading::Char => self.readable(model, width),
            Reading::Float(format) => {
                for number in small::simple_floats(format) {
                    if width > 64 || format.width() != width {
                        break;
                    }
                    let number = Expr::constant(number, width);
                    let is_number = self.pool.eq(Expr::Term(self.symbol.term), number);
                    self.fixed.push(is_number);
                    if let Some(model) = self.ask()? {
                        return Ok(model);
                    }
                    self.fixed.truncate(before);
                }
                self.descend(model, width, false)
            }
        }
    }

    fn width(&self) -> u32 {
        self.pool.node(self.symbol.term).width
    }

    /// That a bit has a value.
    fn bit(&mut self, at: u32, value: bool) -> Expr {
        let bit = self.pool.extract(Expr::Term(self.symbol.term), at, 1);
        if value { bit } else { self.pool.not(bit) }
    }

    fn value_is_zero(&self, model: &Model) -> bool {
        model.get(self.symbol.symbol, self.width()).is_zero()
    }

    fn ask(&mut self) -> Result<Option<Model>, Reason> {
        self.chain.stats.minimising += 1;
        if let Some(known) = self.recall() {
            return Ok(known);
        }
        let (blaster, others) = (self.chain.stats.blaster, self.chain.stats.others);
        let started = Instant::now();
        let answer = self.chain.solve(self.pool, self.fixed, None);
        // Those count questions of the engine.
        (self.chain.stats.blaster, self.chain.stats.others) = (blaster, others);
        if let (Ok(model), true) = (&answer, started.elapsed() > LONG) {
            self.keep(model.as_ref());
        }
        answer
    }

    /// What an earlier run was told, if it took long.
    fn recall(&mut self) -> Option<Option<Model>> {
        let names = self.chain.small.names.clone().filter(|_| self.chain.small.begun)?;
        let key = self.chain.digests.of_set(self.pool, self.fixed);
        self.chain.recall_model(self.pool, self.fixed, &names, key)
    }

    /// Remembers an answer that took long, and that there is one.
    fn keep(&mut self, model: Option<&Model>) {
        let Known { key: Some(of), names: Some(names), begun } = self.chain.small.clone() else { return };
        let key = self.chain.digests.of_set(self.pool, self.fixed);
        self.chain.keep(self.pool, &names, Some(key), model);
        if let (false, Some(memory)) = (begun, &mut self.chain.memory) {
            memory.put(mix(of, BEGUN), Solved::Sat(Vec::new()));
            self.chain.small.begun = true;
        }
    }

    /// Makes the lowest `bits` bits, from the highest on, `value` where they can be.
    fn descend(&mut self, model: Model, bits: u32, value: bool) -> Result<Model, Reason> {
        let mut model = model;
        for at in (0..bits).rev() {
            let wanted = self.bit(at, value);
            self.fixed.push(wanted);
            if model.get(self.symbol.symbol, self.width()).bit(at) == value {
                continue;
            }
            match self.ask()? {
                Some(better) => model = better,
                None => {
                    self.fixed.pop();
                    let other = self.bit(at, !value);
                    self.fixed.push(other);
                }
            }
        }
        Ok(model)
    }

    /// The least number that is not negative and the greatest that is: the nearer one, of two the positive.
    fn near_zero(&mut self, model: Model, width: u32) -> Result<Model, Reason> {
        if width > 64 {
            return self.descend(model, width, false);
        }
        let before = self.fixed.len();
        let mut found: [Option<Model>; 2] = [None, None];
        for (negative, found) in [false, true].into_iter().zip(&mut found) {
            self.fixed.truncate(before);
            let sign = self.bit(width - 1, negative);
            self.fixed.push(sign);
            let start = match model.get(self.symbol.symbol, width).bit(width - 1) == negative {
                true => Some(model.clone()),
                false => self.ask()?,
            };
            if let Some(start) = start {
                *found = Some(self.descend(start, width - 1, negative)?);
            }
        }
        self.fixed.truncate(before);
        let size = |model: &Model| signed(model.small(self.symbol.symbol), width).unsigned_abs();
        let nearer = match found {
            [Some(positive), Some(negative)] if size(&negative) < size(&positive) => negative,
            [Some(positive), _] => positive,
            [None, Some(negative)] => negative,
            [None, None] => model,
        };
        self.fix(&nearer, width);
        Ok(nearer)
    }

    /// Fixes the symbol to what a model says.
    fn fix(&mut self, model: &Model, width: u32) {
        let value = model.get(self.symbol.symbol, width);
        for at in 0..width {
            let bit = self.bit(at, value.bit(at));
            self.fixed.push(bit);
        }
    }

    fn readable(&mut self, model: Model, width: u32) -> Result<Model, Reason> {
        if width > 64 {
            return self.descend(model, width, false);
        }
        let before = self.fixed.len();
        let term = Expr::Term(self.symbol.term);
        for (first, last) in CLASSES.into_iter().filter(|&(first, _)| first <= mask(width)) {
            let (first, last) = (Expr::constant(first, width), Expr::constant(last.min(mask(width)), width));
            let (above, below) = (self.pool.ule(first, term), self.pool.ule(term, last));
            let inside = self.pool.and(above, below);
            self.fixed.push(inside);
            if let Some(start) = self.ask()? {
                return self.descend(start, width, false);
            }
            self.fixed.truncate(before);
        }
        self.descend(model, width, false)
    }
}

/// A symbol's rank and name as bytes whose order is that of the symbols: numbers in names count by their value, so that
/// `a[2]` comes before `a[10]`.
pub(super) fn sort_key(rank: u32, name: &str) -> Box<[u8]> {
    let mut key = rank.to_be_bytes().to_vec();
    let mut rest = name.as_bytes();
    while let Some(&first) = rest.first() {
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            key.push(first);
            rest = &rest[1..];
            continue;
        }
        let zeros = rest[..digits].iter().take_while(|&&byte| byte == b'0').count().min(digits - 1);
        key.push(b'0');
        key.push(u8::try_from(digits - zeros).unwrap_or(u8::MAX));
        key.extend_from_slice(&rest[zeros..digits]);
        rest = &rest[digits..];
    }
    key.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_count_by_their_value() {
        let mut names = ["b", "a[10]", "a[2]", "a", "a[02]", "a[1].x"];
        names.sort_by_key(|name| sort_key(0, name));
        assert_eq!(names, ["a", "a[1].x", "a[2]", "a[02]", "a[10]", "b"]);
        assert!(sort_key(0, "z") < sort_key(1, "a"));
    }
}
