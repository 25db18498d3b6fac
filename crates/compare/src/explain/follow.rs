//! Runs of a version on a test, or on a variation of it.

use super::values::{Learnt, learn};
use super::{ExplainError, Test};
use exec::case::Input;
use exec::entry::Entry;
use exec::given::{Given, Places};
use exec::program::Program;
use exec::run::Worker;
use exec::state::State;
use explore::concolic::{self, Pin, Run};
use smt::eval::Model;
use smt::expr::SymbolId;
use smt::pool::digest::Digests;
use smt::solver::chain::Chain;
use std::rc::Rc;

/// What follows a test.
pub(super) struct Follower<'t> {
    pub program: &'t Program,
    pub test: &'t Test,
    pub learnt: Learnt,
}

/// Values to begin with.
pub(super) struct Beginning {
    pub values: Rc<Model>,
    /// How many symbols have these values, whatever the test says of them. Others have those of the test.
    pub fixed: usize,
}

impl Follower<'_> {
    /// Follows a version.
    pub(super) fn follow(
        &mut self,
        (worker, chain): (&mut Worker, &mut Chain),
        entry: &Entry,
        begins: Beginning,
        limits: &explore::options::Options,
    ) -> Result<Run, ExplainError> {
        // What is not named is what it would be if nothing were.
        let nothing = Input::default();
        let mut case = match self.test {
            Test::Case(input) => Some((Given::new(self.program, entry.function, input), Places::default())),
            Test::Named(_) => Some((Given::new(self.program, entry.function, &nothing), Places::default())),
            Test::Shell(_) => None,
        };
        let mut digests = Digests::default();
        let (test, learnt) = (self.test, &mut self.learnt);
        let mut of_test = |worker: &mut Worker, state: &State, values: &mut Rc<Model>| {
            if let Some((given, places)) = &mut case {
                places.update(worker, &mut digests);
                given.update(worker, places, state);
                values.clone_from(&given.model);
            }
            learn(worker, test, values, learnt);
        };
        let (mut known, mut whole) = (begins.fixed, Rc::default());
        let learn = |worker: &mut Worker, state: &State, values: &mut Rc<Model>| {
            if begins.fixed == 0 {
                return of_test(worker, state, values);
            }
            let all = worker.pool.symbol_count();
            if all == known {
                return;
            }
            of_test(worker, state, &mut whole);
            let values = Rc::make_mut(values);
            for symbol in (known as u32..all as u32).map(SymbolId) {
                let width = worker.pool.symbol_info(symbol).width;
                values.set(symbol, &whole.get(symbol, width));
            }
            known = all;
        };
        concolic::follow_with(worker, chain, entry, begins.values, limits, Pin::Yes, learn)
            .map_err(|_| ExplainError::Stopped)
    }
}
