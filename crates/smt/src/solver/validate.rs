//! A solver that is not believed: every model is checked by evaluation.

use crate::eval::{Evaluator, Model};
use crate::expr::Expr;
use crate::pool::Pool;
use crate::solver::{Answer, Limits, Reason, Solver};

/// A solver whose models are checked. One that does not hold is no answer.
pub struct Validating<S> {
    /// Answers the questions.
    pub solver: S,
    /// How many models did not hold; each is a bug of the solver.
    pub wrong_models: u64,
}

impl<S> Validating<S> {
    /// Checks what a solver says.
    pub fn new(solver: S) -> Validating<S> {
        Validating { solver, wrong_models: 0 }
    }
}

impl<S: Solver> Solver for Validating<S> {
    fn check(&mut self, pool: &Pool, constraints: &[Expr], limits: Limits) -> Answer {
        match self.solver.check(pool, constraints, limits) {
            Answer::Sat(model) if !satisfies(pool, &model, constraints) => {
                self.wrong_models += 1;
                Answer::Unknown(Reason::Failed)
            }
            answer => answer,
        }
    }

    fn name(&self) -> &'static str {
        self.solver.name()
    }

    fn fresh(&self) -> Option<Box<dyn Solver>> {
        self.solver.fresh()
    }
}

/// Whether all constraints hold under a model.
pub fn satisfies(pool: &Pool, model: &Model, constraints: &[Expr]) -> bool {
    let mut evaluator = Evaluator::new(pool, model);
    constraints.iter().all(|&constraint| evaluator.holds(constraint) == Some(true))
}
