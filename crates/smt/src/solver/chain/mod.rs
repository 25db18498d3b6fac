//! The chain of solvers: cheap answers first, each layer asked only what those before it left open.
//!
//! A question is whether one more constraint can hold on a [`Path`], whose constraints are known to
//! hold together for the values that the path carries along. The layers, from top to bottom:
//!
//! 1. *constant*: the constraint is true or false as it stands;
//! 2. *values*: it holds for the path's own values, so the path goes on as it is;
//! 3. *independence*: only constraints that share symbols with it, directly or through others, matter;
//! 4. *cache*: that very set was asked before, on whatever path;
//! 5. *blaster*: gates and a SAT solver, under a limit;
//! 6. *others*: the solvers given to the chain, in order.
//!
//! What nobody answers is unknown, with the reason of the last one asked. Every model is checked by
//! evaluation before it is believed; one that does not hold counts as no answer.

mod path;
mod shrink;
mod symbols;
#[cfg(test)]
mod tests;

pub use path::Path;

use crate::eval::{Evaluator, Model};
use crate::expr::Expr;
use crate::pool::Pool;
use crate::solver::blast::Blaster;
use crate::solver::{Answer, Limits, Reason, Solver};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use symbols::SymbolSets;

/// A chain of solvers. It belongs to one pool.
pub struct Chain {
    sets: SymbolSets,
    cache: FxHashMap<Box<[Expr]>, Cached>,
    blaster: Blaster,
    others: Vec<Box<dyn Solver>>,
    limits: Limits,
    /// How many questions each layer answered.
    pub stats: Stats,
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
    /// Answered by the bit-blaster.
    pub blaster: u64,
    /// Answered by other solvers.
    pub others: u64,
    /// Not answered.
    pub unknown: u64,
    /// Models that did not hold; each is a bug of a solver.
    pub wrong_models: u64,
}

#[derive(Clone)]
enum Cached {
    Sat(Rc<Model>),
    Unsat,
}

/// How many blasted gates are kept before the blaster starts anew; what it knew is in the cache.
const MAX_KEPT_GATES: usize = 400_000;

impl Chain {
    /// A chain with the bit-blaster and, behind it, other solvers.
    pub fn new(others: Vec<Box<dyn Solver>>, limits: Limits) -> Chain {
        Chain {
            sets: SymbolSets::default(),
            cache: FxHashMap::default(),
            blaster: Blaster::new(),
            others,
            limits,
            stats: Stats::default(),
        }
    }

    /// Whether `constraint` can hold on `path` too: the path with it, no path, or why that is not known.
    pub fn extend(&mut self, pool: &Pool, path: &Path, constraint: Expr) -> Result<Option<Path>, Reason> {
        self.stats.questions += 1;
        if let Some(value) = constraint.as_const() {
            self.stats.constant += 1;
            return Ok((value == 1).then(|| path.clone()));
        }
        if Evaluator::new(pool, &path.values).holds(constraint) == Some(true) {
            self.stats.values += 1;
            let values = path.values.clone();
            return Ok(Some(self.grown(pool, path, constraint, values)));
        }
        let slice = path.related(pool, &mut self.sets, constraint);
        match self.decide(pool, slice)? {
            Cached::Unsat => Ok(None),
            Cached::Sat(model) => {
                // The slice's values replace the path's; all others stay, for no constraint connects them.
                let mut values = (*path.values).clone();
                self.sets.take_over(pool, &mut values, &model, path, constraint);
                Ok(Some(self.grown(pool, path, constraint, Rc::new(values))))
            }
        }
    }

    fn grown(&mut self, pool: &Pool, path: &Path, constraint: Expr, values: Rc<Model>) -> Path {
        let mut grown = path.clone();
        grown.push(pool, &mut self.sets, constraint, values);
        grown
    }

    /// Whether constraints can hold together; `slice` is sorted.
    fn decide(&mut self, pool: &Pool, slice: Box<[Expr]>) -> Result<Cached, Reason> {
        if let Some(known) = self.cache.get(&slice) {
            self.stats.cache += 1;
            return Ok(known.clone());
        }
        if self.blaster.gates() > MAX_KEPT_GATES {
            self.blaster = Blaster::new();
        }
        let mut reason = Reason::Unsupported;
        for layer in 0..=self.others.len() {
            let (solver, counter): (&mut dyn Solver, &mut u64) = match layer.checked_sub(1) {
                None => (&mut self.blaster, &mut self.stats.blaster),
                Some(index) => (&mut *self.others[index], &mut self.stats.others),
            };
            let found = match solver.check(pool, &slice, self.limits) {
                Answer::Unknown(why) => {
                    reason = why;
                    continue;
                }
                Answer::Unsat => Cached::Unsat,
                Answer::Sat(model) => {
                    let mut evaluator = Evaluator::new(pool, &model);
                    if !slice.iter().all(|&constraint| evaluator.holds(constraint) == Some(true)) {
                        self.stats.wrong_models += 1;
                        reason = Reason::Failed;
                        continue;
                    }
                    Cached::Sat(Rc::new(model))
                }
            };
            *counter += 1;
            self.cache.insert(slice, found.clone());
            return Ok(found);
        }
        self.stats.unknown += 1;
        Err(reason)
    }
}
