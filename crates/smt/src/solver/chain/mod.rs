//! The chain of solvers: cheap answers first, each layer asked only what those before it left open.
//!
//! A question is whether one more constraint can hold on a [`Path`], whose constraints are known to
//! hold together for the values that the path carries along. The layers, from top to bottom:
//!
//! 1. *constant*: the constraint is true or false as it stands, or the path has it or its opposite already;
//! 2. *values*: it holds for the path's own values, so the path goes on as it is;
//! 3. *independence*: only constraints that share symbols with it, directly or through others, matter;
//! 4. *cache*: that very set was asked before, on whatever path;
//! 5. *order*: comparisons that go round in a circle;
//! 6. *search*: the smallest values, by ranges and known bits;
//! 7. *memory*: that very set was solved before, by another run;
//! 8. *blaster*: gates and a SAT solver, under a limit;
//! 9. *others*: the solvers given to the chain, in order; Bitwuzla has floats, and now and then an answer where the
//!    blaster came to its limit.
//!
//! What nobody answers is unknown, with the reason of the last one asked. Every model is checked by
//! evaluation before it is believed; one that does not hold counts as no answer.
//!
//! **Determinism.** [`Chain::smallest`] is a function of the path's constraints alone: which input a path gets does not
//! depend on what the chain was asked before, nor on which worker asked. Most paths carry these values along:
//! the search finds the smallest ones, and a constraint that holds for the smallest values leaves them the smallest. Only
//! where the search gives up and a solver answers, values are arbitrary until somebody asks for the smallest.

mod cache;
mod known;
mod minimise;
mod order;
mod path;
mod search;
mod shrink;
mod symbols;
#[cfg(test)]
mod tests;

pub use known::{Memory, Solved};
pub use path::Path;

use crate::eval::Model;
use crate::eval::quick::holds;
use crate::expr::{Expr, SymbolId};
use crate::pool::Pool;
use crate::pool::digest::{Digests, mix};
use crate::solver::blast::Blasters;
use crate::solver::record::Record;
use crate::solver::validate::satisfies;
use crate::solver::{Answer, Limits, Reason, Solver};
use cache::{Cache, Cached};
use path::{Group, Values};
use search::{Found, Search, Unknown};
use std::cell::OnceCell;
use std::ops::AddAssign;
use std::rc::Rc;
use std::time::Instant;
use symbols::{Name, Names, SymbolSets, share};

/// A chain of solvers. It belongs to one pool.
pub struct Chain {
    sets: SymbolSets,
    cache: Cache,
    search: Search,
    /// By symbol: its name in a form whose order is that of the symbols.
    keys: Vec<Box<[u8]>>,
    blaster: Blasters,
    others: Vec<Box<dyn Solver>>,
    limits: Limits,
    /// How many steps the search may take before a solver is asked.
    search_steps: u64,
    /// Room for the groups that a constraint touches, and for their constraints.
    joined: Vec<u32>,
    slice: Vec<Expr>,
    /// How many questions each layer answered.
    pub stats: Stats,
    /// What expressions say, for the memory.
    pub digests: Digests,
    /// What other runs found out.
    pub memory: Option<Box<dyn Memory>>,
    /// What is being made small, as the memory knows it.
    small: minimise::Known,
    /// Where questions are written that neither the path's values nor the cache answer.
    pub record: Option<Record>,
}

/// Which sides of a branch can be taken.
#[derive(Clone)]
pub enum Branch {
    /// Only that one; the path goes on as it is.
    Only(bool),
    /// Both: the path where the condition holds, and the one where it does not.
    Both {
        /// With the condition.
        yes: Path,
        /// With its negation.
        no: Path,
    },
    /// One side is not known. The other one is there if it can be taken.
    Unknown {
        /// With the condition.
        yes: Option<Path>,
        /// With its negation.
        no: Option<Path>,
        /// Why one side is not known.
        reason: Reason,
    },
}

/// How many questions each layer answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// All questions.
    pub questions: u64,
    /// Answered by the constraint as it stands.
    pub constant: u64,
    /// Answered by the path's own values.
    pub values: u64,
    /// Answered by the cache.
    pub cache: u64,
    /// Answered by the order of comparisons.
    pub order: u64,
    /// Answered by the search for small values.
    pub search: u64,
    /// Answered by what other runs found out.
    pub memory: u64,
    /// Answered by the bit-blaster.
    pub blaster: u64,
    /// Answered by other solvers.
    pub others: u64,
    /// Not answered.
    pub unknown: u64,
    /// Models that did not hold; each is a bug of a solver.
    pub wrong_models: u64,
    /// How often the smallest values were not known yet when somebody asked for them.
    pub minimised: u64,
    /// Questions that this took.
    pub minimising: u64,
    /// Sets of constraints that were decided: what a question is about and nothing else of its path.
    pub sets: u64,
    /// How many constraints these had.
    pub constraints: u64,
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Stats) {
        let Stats { questions, constant, values, cache, order, search, memory, blaster, others, unknown, .. } = other;
        self.questions += questions;
        self.constant += constant;
        self.values += values;
        self.cache += cache;
        self.order += order;
        self.search += search;
        self.memory += memory;
        self.blaster += blaster;
        self.others += others;
        self.unknown += unknown;
        self.wrong_models += other.wrong_models;
        self.minimised += other.minimised;
        self.minimising += other.minimising;
        self.sets += other.sets;
        self.constraints += other.constraints;
    }
}

/// About how many bytes solved sets may take.
const CACHE_SIZE: usize = 96 << 20;

/// Steps of the search that take about as long as a solver for an easy question.
const SEARCH_STEPS: u64 = 1500;

impl Chain {
    /// A chain with the bit-blaster and, behind it, other solvers.
    pub fn new(others: Vec<Box<dyn Solver>>, limits: Limits) -> Chain {
        Chain {
            sets: SymbolSets::default(),
            cache: Cache::new(CACHE_SIZE),
            search: Search::default(),
            keys: Vec::new(),
            blaster: Blasters::default(),
            others,
            limits,
            search_steps: SEARCH_STEPS,
            joined: Vec::new(),
            slice: Vec::new(),
            stats: Stats::default(),
            digests: Digests::default(),
            memory: None,
            small: minimise::Known::default(),
            record: None,
        }
    }

    /// The chain for everyday use: the bit-blaster, and behind it Bitwuzla if it is built in.
    pub fn standard(limits: Limits) -> Chain {
        #[cfg(feature = "bitwuzla")]
        let others: Vec<Box<dyn Solver>> = vec![Box::new(crate::solver::bitwuzla::Bitwuzla::new())];
        #[cfg(not(feature = "bitwuzla"))]
        let others = Vec::new();
        Chain::new(others, limits)
    }

    /// Adds a solver that is asked last.
    pub fn add(&mut self, solver: Box<dyn Solver>) {
        self.others.push(solver);
    }

    /// The same as [`Chain::extend`], with so many times the work.
    pub fn extend_harder(
        &mut self,
        pool: &Pool,
        path: &Path,
        constraint: Expr,
        times: u32,
    ) -> Result<Option<Path>, Reason> {
        let usual = self.limits;
        self.limits.conflicts = usual.conflicts.saturating_mul(u64::from(times));
        self.limits.gates = usual.gates.saturating_mul(times as usize);
        let answer = self.extend(pool, path, constraint);
        self.limits = usual;
        answer
    }

    /// Whether `constraint` can hold on `path` too: the path with it, no path, or why that is not known.
    pub fn extend(&mut self, pool: &Pool, path: &Path, constraint: Expr) -> Result<Option<Path>, Reason> {
        self.stats.questions += 1;
        if let Some(value) = constraint.as_const() {
            self.stats.constant += 1;
            return Ok((value == 1).then(|| path.clone()));
        }
        let path = &*self.grouped(pool, path);
        let own = self.sets.of(pool, constraint);
        let mut joined = std::mem::take(&mut self.joined);
        let mut slice = std::mem::take(&mut self.slice);
        joined.clear();
        joined.extend((0..path.groups.len() as u32).filter(|&at| share(&path.groups[at as usize].names, &own)));
        let grown = self.extend_joined(pool, path, constraint, &own, &joined, &mut slice);
        self.joined = joined;
        self.slice = slice;
        grown
    }

    /// Whether a condition holds, if the path says so itself: nobody is asked.
    pub fn said(&mut self, pool: &mut Pool, path: &Path, condition: Expr) -> Option<bool> {
        if let Some(value) = condition.as_const() {
            return Some(value == 1);
        }
        let negation = pool.not(condition);
        let path = &*self.grouped(pool, path);
        let has = |constraint| path.groups.iter().any(|group| group.constraints.binary_search(&constraint).is_ok());
        if has(condition) { Some(true) } else { has(negation).then_some(false) }
    }

    /// Which sides of a branch can be taken: the same as asking for the condition and for its negation, at less cost. A
    /// path whose other side cannot be taken stays as it is, for the condition adds nothing to it.
    pub fn branch(&mut self, pool: &mut Pool, path: &Path, condition: Expr) -> Branch {
        self.stats.questions += 1;
        if let Some(value) = condition.as_const() {
            self.stats.constant += 1;
            return Branch::Only(value == 1);
        }
        let negation = pool.not(condition);
        let path = &*self.grouped(pool, path);
        let own = self.sets.of(pool, condition);
        let mut joined = std::mem::take(&mut self.joined);
        let mut slice = std::mem::take(&mut self.slice);
        joined.clear();
        joined.extend((0..path.groups.len() as u32).filter(|&at| share(&path.groups[at as usize].names, &own)));
        let branch = self.branch_joined(pool, path, [condition, negation], &own, &joined, &mut slice);
        self.joined = joined;
        self.slice = slice;
        branch
    }

    fn branch_joined(
        &mut self,
        pool: &Pool,
        path: &Path,
        [condition, negation]: [Expr; 2],
        own: &Names,
        joined: &[u32],
        slice: &mut Vec<Expr>,
    ) -> Branch {
        let has = |constraint: Expr| {
            joined.iter().any(|&at| path.groups[at as usize].constraints.binary_search(&constraint).is_ok())
        };
        let known = if has(condition) { Some(true) } else { has(negation).then_some(false) };
        if let Some(known) = known {
            self.stats.constant += 1;
            return Branch::Only(known);
        }
        // The side that the path's own values take is there for certain.
        let certain = holds(pool, &path.values, condition);
        let mut ask = |chain: &mut Chain, side: Expr| chain.extend_joined(pool, path, side, own, joined, slice);
        let other = match certain {
            Some(true) => ask(self, negation),
            _ => ask(self, condition),
        };
        if certain.is_some() && other.as_ref().is_ok_and(Option::is_none) {
            return Branch::Only(certain == Some(true));
        }
        let first = match certain {
            Some(true) => ask(self, condition),
            _ => ask(self, negation),
        };
        let (yes, no) = if certain == Some(true) { (first, other) } else { (other, first) };
        match (yes, no) {
            (Ok(Some(yes)), Ok(Some(no))) => Branch::Both { yes, no },
            (Ok(Some(_)), Ok(None)) => Branch::Only(true),
            (Ok(None), Ok(Some(_))) => Branch::Only(false),
            (Err(reason), no) => Branch::Unknown { yes: None, no: no.ok().flatten(), reason },
            (yes, Err(reason)) => Branch::Unknown { yes: yes.ok().flatten(), no: None, reason },
            // A path can always go on; only an operation without a value of its own gets here.
            (Ok(None), Ok(None)) => Branch::Unknown { yes: None, no: None, reason: Reason::Unsupported },
        }
    }

    fn extend_joined(
        &mut self,
        pool: &Pool,
        path: &Path,
        constraint: Expr,
        own: &Names,
        joined: &[u32],
        slice: &mut Vec<Expr>,
    ) -> Result<Option<Path>, Reason> {
        let groups = || joined.iter().map(|&at| &path.groups[at as usize]);
        if groups().any(|group| group.constraints.binary_search(&constraint).is_ok()) {
            self.stats.constant += 1;
            return Ok(Some(path.clone()));
        }
        if groups().any(|group| group.constraints.iter().any(|&other| order::opposite(pool, other, constraint))) {
            self.stats.constant += 1;
            return Ok(None);
        }
        slice.clear();
        groups().for_each(|group| slice.extend_from_slice(&group.constraints));
        slice.push(constraint);
        self.stats.sets += 1;
        self.stats.constraints += slice.len() as u64;
        slice.sort_unstable();
        let exact = !path.brought && !path.mixed && groups().all(|group| group.exact);
        if holds(pool, &path.values, constraint) == Some(true) {
            self.stats.values += 1;
            let group = match self.cache.get(slice) {
                Some(Cached::Sat(group)) if group.exact || !exact => group,
                // Nobody says that they contradict each other, for these values show that they do not.
                _ => {
                    let names = join_names(groups(), own);
                    let values = Values::of(pool, &names, &path.values);
                    self.remember(names, slice, values, exact)
                }
            };
            let better = group.exact && !exact;
            return Ok(Some(grown(path, joined, constraint, group, better)));
        }
        let group = match self.cache.get(slice) {
            Some(known) => {
                self.stats.cache += 1;
                known
            }
            None => {
                let answer = self.decide(pool, slice, constraint, &join_names(groups(), own));
                if let Some(record) = &mut self.record {
                    let satisfiable = answer.as_ref().ok().map(|known| matches!(known, Cached::Sat(_)));
                    record.write(pool, slice, satisfiable);
                }
                answer?
            }
        };
        Ok(match group {
            Cached::Unsat => None,
            Cached::Sat(group) => {
                let path = grown(path, joined, constraint, group, true);
                debug_assert!(satisfies(pool, &path.values, slice), "the values of a path satisfy it");
                Some(path)
            }
        })
    }

    fn remember(&mut self, names: Names, slice: &[Expr], values: Values, exact: bool) -> Rc<Group> {
        let constraints: Rc<[Expr]> = slice.into();
        let group =
            Rc::new(Group { names, constraints: constraints.clone(), values, exact, smallest: OnceCell::new() });
        self.cache.insert(constraints, Cached::Sat(group.clone()));
        group
    }

    /// Whether constraints, in order, can hold together; all but `newest` can.
    fn decide(&mut self, pool: &Pool, slice: &[Expr], newest: Expr, names: &Names) -> Result<Cached, Reason> {
        if order::contradicts(pool, slice, newest) {
            self.stats.order += 1;
            return Ok(self.remember_unsat(slice));
        }
        match self.smallest_by_search(pool, slice, names, self.search_steps) {
            Some(Found::Values(values)) => {
                self.stats.search += 1;
                let values = Values::Small(values.into());
                return Ok(Cached::Sat(self.remember(names.clone(), slice, values, true)));
            }
            Some(Found::Nothing) => {
                self.stats.search += 1;
                return Ok(self.remember_unsat(slice));
            }
            Some(Found::GaveUp) | None => {}
        }
        let key = self.memory.is_some().then(|| self.digests.of_set(pool, slice));
        if let Some(known) = key.and_then(|key| self.recall(pool, slice, names, key)) {
            self.stats.memory += 1;
            return Ok(known);
        }
        let question = key.map(|key| mix(mix(key, self.limits.conflicts.into()), self.limits.gates as u128));
        match self.solve(pool, slice, question) {
            Ok(Some(model)) => {
                let values = Values::of(pool, names, &model);
                self.keep(pool, names, key, Some(&model));
                Ok(Cached::Sat(self.remember(names.clone(), slice, values, false)))
            }
            Ok(None) => {
                self.keep(pool, names, key, None);
                Ok(self.remember_unsat(slice))
            }
            Err(reason) => {
                self.stats.unknown += 1;
                Err(reason)
            }
        }
    }

    fn remember_unsat(&mut self, slice: &[Expr]) -> Cached {
        self.cache.insert(slice.into(), Cached::Unsat);
        Cached::Unsat
    }

    /// The smallest values of `names`, in their order, if the search can tell; it cannot if they are not all small
    /// symbols.
    fn smallest_by_search(&mut self, pool: &Pool, slice: &[Expr], names: &Names, steps: u64) -> Option<Found> {
        let order = self.unknowns(pool, names)?;
        let unknowns: Vec<Unknown> = order.iter().map(|&(_, unknown)| unknown).collect();
        Some(match self.search.run(pool, slice, &unknowns, steps) {
            Found::Values(found) => {
                let mut values = vec![0; names.len()];
                for (&(at, _), value) in order.iter().zip(found) {
                    values[at] = value;
                }
                Found::Values(values)
            }
            other => other,
        })
    }

    /// Symbols in the order in which they are made small, each with its position in `names`; nothing if there are others
    /// than small symbols.
    fn unknowns(&mut self, pool: &Pool, names: &Names) -> Option<Vec<(usize, Unknown)>> {
        let mut unknowns = Vec::with_capacity(names.len());
        for (at, name) in names.iter().enumerate() {
            let symbol = small_symbol(pool, *name)?;
            let reading = pool.symbol_info(symbol).reading;
            unknowns.push((at, Unknown { symbol, term: self.sets.term(symbol)?, reading }));
        }
        self.make_keys(pool);
        let keys = &self.keys;
        let key = |unknown: &Unknown| &keys[unknown.symbol.0 as usize];
        unknowns.sort_by(|(_, a), (_, b)| key(a).cmp(key(b)).then(a.symbol.cmp(&b.symbol)));
        Some(unknowns)
    }

    fn make_keys(&mut self, pool: &Pool) {
        for at in self.keys.len()..pool.symbol_count() {
            let symbol = pool.symbol_info(SymbolId(at as u32));
            self.keys.push(minimise::sort_key(symbol.rank, &symbol.name));
        }
    }

    /// Says when nobody waits for answers any more: from then on they are unknown, and values are not made small.
    pub fn set_deadline(&mut self, until: Option<Instant>) {
        self.limits.until = until;
    }

    /// Values for which constraints hold, by the blaster and the other solvers; nothing if there are none. A solver that came to
    /// the limit on work with `question` would do so again.
    fn solve(&mut self, pool: &Pool, slice: &[Expr], question: Option<u128>) -> Result<Option<Model>, Reason> {
        if self.limits.is_over() {
            return Err(Reason::Limit);
        }
        let mut reason = Reason::Unsupported;
        for layer in 0..=self.others.len() {
            let question = question.map(|question| mix(question, layer as u128));
            if let (Some(question), Some(memory)) = (question, &mut self.memory)
                && memory.gave_up(question)
            {
                reason = Reason::Limit;
                continue;
            }
            let (solver, counter): (&mut dyn Solver, &mut u64) = match layer.checked_sub(1) {
                None => (&mut self.blaster, &mut self.stats.blaster),
                Some(index) => (&mut *self.others[index], &mut self.stats.others),
            };
            match solver.check(pool, slice, self.limits) {
                // A limit says more than that a later solver does not know an operation.
                Answer::Unknown(Reason::Unsupported) if reason == Reason::Limit => {}
                Answer::Unknown(why) => {
                    reason = why;
                    if let (Some(question), Some(memory), Reason::Limit) = (question, &mut self.memory, why)
                        && !self.limits.is_over()
                    {
                        memory.give_up(question);
                    }
                }
                Answer::Unsat => {
                    *counter += 1;
                    return Ok(None);
                }
                Answer::Sat(model) if satisfies(pool, &model, slice) => {
                    *counter += 1;
                    return Ok(Some(model));
                }
                Answer::Sat(_) => {
                    self.stats.wrong_models += 1;
                    reason = Reason::Failed;
                }
            }
        }
        Err(reason)
    }
}

/// The path with one more constraint: `group` takes the place of those at `joined`.
fn grown(path: &Path, joined: &[u32], constraint: Expr, group: Rc<Group>, take_values: bool) -> Path {
    let values = match take_values {
        true => {
            let mut values = (*path.values).clone();
            group.values.write(&group.names, &mut values);
            Rc::new(values)
        }
        false => path.values.clone(),
    };
    let mut groups = Vec::with_capacity(path.groups.len() + 1 - joined.len());
    let mut from = 0;
    for &at in joined {
        groups.extend_from_slice(&path.groups[from..at as usize]);
        from = at as usize + 1;
    }
    groups.extend_from_slice(&path.groups[from..]);
    groups.push(group);
    let mut constraints = Vec::with_capacity(path.constraints.len() + 1);
    constraints.extend_from_slice(&path.constraints);
    constraints.push(constraint);
    let grouped = constraints.len();
    Path { groups, grouped, constraints: Rc::new(constraints), values, mixed: path.mixed, brought: path.brought }
}

/// The names of groups and of a constraint.
fn join_names<'a>(groups: impl Iterator<Item = &'a Rc<Group>> + Clone, own: &Names) -> Names {
    let mut each = groups.clone();
    match (each.next(), each.next()) {
        (None, _) => return own.clone(),
        (Some(only), None) if own.iter().all(|name| only.names.binary_search(name).is_ok()) => {
            return only.names.clone();
        }
        _ => {}
    }
    let mut names: Vec<Name> =
        groups.flat_map(|group| group.names.iter().copied()).chain(own.iter().copied()).collect();
    names.sort_unstable();
    names.dedup();
    names.into()
}

/// The symbol that a name is, if it is one of at most 64 bits.
fn small_symbol(pool: &Pool, name: Name) -> Option<SymbolId> {
    let Name::Symbol(symbol) = name else { return None };
    let info = pool.symbol_info(symbol);
    (!info.array && info.width <= 64).then_some(symbol)
}

impl Values {
    /// What a model says of names.
    fn of(pool: &Pool, names: &Names, model: &Model) -> Values {
        let small: Option<Box<[u64]>> =
            names.iter().map(|&name| Some(model.small(small_symbol(pool, name)?))).collect();
        small.map(Values::Small).unwrap_or_else(|| {
            let mut own = Model::default();
            copy(names, model, &mut own);
            own.drop_zeros();
            Values::Model(Rc::new(own))
        })
    }

    /// Puts them into a model, which keeps what it says of all other names.
    fn write(&self, names: &Names, model: &mut Model) {
        match self {
            Values::Small(values) => {
                for (name, &value) in names.iter().zip(values) {
                    if let Name::Symbol(symbol) = *name {
                        model.set_small(symbol, value);
                    }
                }
            }
            Values::Model(own) => copy(names, own, model),
        }
    }
}

fn copy(names: &Names, from: &Model, to: &mut Model) {
    for name in names.iter() {
        match *name {
            Name::Symbol(symbol) => to.take_symbol(from, symbol),
            Name::Function(function) => to.take_function(from, function),
        }
    }
}
