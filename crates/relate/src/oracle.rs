//! Whether conditions can hold together: what ids tell first, then solvers under limits on their work.

use crate::guard::conjunction;
use rustc_hash::FxHashMap;
use smt::eval::{Model, holds};
use smt::expr::Expr;
use smt::pool::Pool;
use smt::solver::blast::Blaster;
use smt::solver::{Answer, Limits, Solver};
use std::collections::VecDeque;

/// Solvers, and what is left of the work they may do for one proof.
pub struct Oracle {
    /// Solvers, each with the gates that it may build for a query.
    solvers: Vec<(Box<dyn Solver>, usize)>,
    limits: Limits,
    left: u32,
    known: FxHashMap<Expr, Option<bool>>,
    /// Models of earlier queries, the last one first: conditions that one of them satisfies need no solver.
    models: VecDeque<Model>,
    /// Queries so far.
    pub queries: u64,
}

/// Most queries of one proof.
const MAX_QUERIES: u32 = 2_000;

/// Conflicts of one query.
const CONFLICTS: u64 = 4_000;

/// The same for a query whose answer is not needed.
const FEW_CONFLICTS: u64 = 600;

/// Most models that are kept.
const MAX_MODELS: usize = 24;

/// Gates of one query.
const GATES: usize = 400_000;

/// The same for the second solver, which looks at the clock only when all of them are built.
#[cfg(feature = "bitwuzla")]
const TRANSLATED: usize = 50_000;

impl Oracle {
    /// Solvers that stop when `limits` say so.
    pub fn new(limits: Limits) -> Oracle {
        let solvers: Vec<(Box<dyn Solver>, usize)> = vec![
            (Box::new(Blaster::new()), GATES),
            #[cfg(feature = "bitwuzla")]
            (Box::new(smt::solver::bitwuzla::Bitwuzla::deciding()), TRANSLATED),
        ];
        let limits = Limits { conflicts: CONFLICTS, ..limits };
        Oracle { solvers, limits, left: MAX_QUERIES, known: FxHashMap::default(), models: VecDeque::new(), queries: 0 }
    }

    /// Whether it is certain that the conditions cannot hold together.
    pub fn refutes(&mut self, pool: &mut Pool, conditions: &[Expr]) -> bool {
        self.can_hold(pool, conditions) == Some(false)
    }

    /// The same with little work, where a proof may do without the answer.
    pub fn refutes_easily(&mut self, pool: &mut Pool, conditions: &[Expr]) -> bool {
        self.limits.conflicts = FEW_CONFLICTS;
        let refuted = self.refutes(pool, conditions);
        self.limits.conflicts = CONFLICTS;
        refuted
    }

    /// Whether the conditions can hold together; nothing if no solver knows.
    pub fn can_hold(&mut self, pool: &mut Pool, conditions: &[Expr]) -> Option<bool> {
        let all = conjunction(pool, conditions);
        if let Some(value) = all.as_const() {
            return Some(value != 0);
        }
        if let Some(&known) = self.known.get(&all) {
            return known;
        }
        if self.left == 0 || self.limits.is_over() {
            return None;
        }
        if let Some(at) = self.models.iter().position(|model| holds(pool, model, all) == Some(true)) {
            // Queries that follow each other are alike.
            self.models.swap(0, at);
            self.known.insert(all, Some(true));
            return Some(true);
        }
        self.left -= 1;
        self.queries += 1;
        let mut answer = None;
        for (solver, gates) in &mut self.solvers {
            if self.limits.is_over() {
                break;
            }
            match solver.check(pool, &[all], Limits { gates: *gates, ..self.limits }) {
                Answer::Unsat => answer = Some(false),
                Answer::Sat(model) => {
                    answer = Some(true);
                    self.models.truncate(MAX_MODELS - 1);
                    self.models.push_front(model);
                }
                Answer::Unknown(_) => continue,
            }
            break;
        }
        if answer.is_some() || self.limits.conflicts == CONFLICTS {
            self.known.insert(all, answer);
        }
        answer
    }

    /// Whether nobody waits for an answer any more.
    pub fn is_over(&self) -> bool {
        self.limits.is_over()
    }
}
