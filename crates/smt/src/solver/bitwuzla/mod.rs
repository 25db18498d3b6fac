//! Bitwuzla as a solver: floats, hard arithmetic, arrays with many symbolic cells.
//!
//! Questions along a path share their beginning: each constraint has a level of Bitwuzla's stack, and
//! a question only pops and pushes where it differs from the one before. Bitwuzla has no limit on conflicts; the
//! steps in which its search asks whether to go on stand for them, so answers are the same on every machine.

mod translate;

use crate::bits::Bits;
use crate::eval::Model;
use crate::expr::{Expr, Op, TermId};
use crate::pool::Pool;
use crate::solver::{Answer, Limits, Reason, Solver};
use bitwuzla::Error;
use rustc_hash::FxHashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use translate::Translator;

/// Bitwuzla, with all that it has learnt so far. It belongs to one pool.
#[derive(Default)]
pub struct Bitwuzla {
    session: Option<Session>,
    stop: Option<Arc<AtomicBool>>,
    /// Whether models say nothing.
    decides: bool,
}

struct Session {
    translator: Translator,
    solver: bitwuzla::Solver,
    /// The constraints on the stack, a level each.
    asserted: Vec<Expr>,
    /// Questions so far.
    asked: u64,
}

/// Steps of the search for each conflict of a limit: some take microseconds, some milliseconds.
const STEPS_PER_CONFLICT: u64 = 2;

/// Gates of a limit that are worth one of the blaster's: Bitwuzla's take less room, and floats have many.
const GATES_PER_GATE: usize = 8;

/// Most gates of one question, whatever its limit: there is no answer to larger ones in reasonable time, and making and
/// deleting so many takes minutes.
const MAX_COST: usize = 6_000_000;

/// What a session may translate and be asked before a new one is faster.
const MAX_KEPT_COST: usize = 4_000_000;
const MAX_QUESTIONS: u64 = 20_000;

impl Bitwuzla {
    /// A solver that has seen nothing.
    pub fn new() -> Bitwuzla {
        Bitwuzla::default()
    }

    /// One that only tells whether there is a solution: its models say nothing, and are not made, which may take longer than
    /// the search.
    pub fn deciding() -> Bitwuzla {
        Bitwuzla { decides: true, ..Bitwuzla::default() }
    }

    /// Ends every search, with an unknown answer, once the flag is set.
    pub fn stopped_by(flag: Arc<AtomicBool>) -> Bitwuzla {
        Bitwuzla { stop: Some(flag), ..Bitwuzla::default() }
    }

    fn ask(&mut self, pool: &Pool, constraints: &[Expr], limits: Limits) -> Result<Answer, Error> {
        let worn = |session: &Session| session.translator.cost > MAX_KEPT_COST || session.asked > MAX_QUESTIONS;
        if self.session.as_ref().is_some_and(worn) {
            self.session = None;
        }
        let session = match &mut self.session {
            Some(session) => session,
            None => self.session.insert(Session::new()?),
        };
        session.asked += 1;
        if !session.assert(pool, constraints, limits)? {
            return Ok(Answer::Unknown(Reason::Limit));
        }
        let steps = Some(limits.conflicts.saturating_mul(STEPS_PER_CONFLICT));
        let limits =
            bitwuzla::Limits { time: limits.left(), steps, stop: self.stop.as_deref().or(limits.memory_full.0) };
        Ok(match session.solver.check(&limits)? {
            bitwuzla::Answer::Sat if self.decides => Answer::Sat(Model::default()),
            bitwuzla::Answer::Sat => Answer::Sat(session.model(pool, constraints)?),
            bitwuzla::Answer::Unsat => Answer::Unsat,
            bitwuzla::Answer::Unknown => Answer::Unknown(Reason::Limit),
        })
    }
}

impl Solver for Bitwuzla {
    fn check(&mut self, pool: &Pool, constraints: &[Expr], limits: Limits) -> Answer {
        self.ask(pool, constraints, limits).unwrap_or_else(|error| {
            // Whatever state it is in, the next question gets a new one.
            self.session = None;
            Answer::Unknown(match error {
                Error::Rejected(_) => Reason::Unsupported,
                _ => Reason::Failed,
            })
        })
    }

    fn name(&self) -> &'static str {
        "bitwuzla"
    }

    fn fresh(&self) -> Option<Box<dyn Solver>> {
        Some(Box::new(Bitwuzla { session: None, stop: self.stop.clone(), decides: self.decides }))
    }
}

impl Session {
    fn new() -> Result<Session, Error> {
        let translator = Translator::new()?;
        let solver = bitwuzla::Solver::new(&translator.terms, bitwuzla::Options::default())?;
        Ok(Session { translator, solver, asserted: Vec::new(), asked: 0 })
    }

    /// Makes the stack hold exactly `constraints`; false if translating them is too much work.
    fn assert(&mut self, pool: &Pool, constraints: &[Expr], limits: Limits) -> Result<bool, Error> {
        let common = self.asserted.iter().zip(constraints).take_while(|(a, b)| a == b).count();
        while self.asserted.len() > common {
            self.solver.pop()?;
            self.asserted.pop();
        }
        let most = self.translator.cost.saturating_add(limits.gates.saturating_mul(GATES_PER_GATE).min(MAX_COST));
        for &constraint in &constraints[common..] {
            let Some(term) = self.translator.constraint(pool, constraint, most)? else { return Ok(false) };
            self.solver.push()?;
            self.asserted.push(constraint);
            self.solver.assert(&term)?;
        }
        Ok(true)
    }

    /// The values that were chosen for what is below the constraints.
    fn model(&mut self, pool: &Pool, constraints: &[Expr]) -> Result<Model, Error> {
        let mut model = Model::default();
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut stack: Vec<Expr> = constraints.to_vec();
        while let Some(expr) = stack.pop() {
            let Expr::Term(id) = expr else { continue };
            if !seen.insert(id) {
                continue;
            }
            let node = pool.node(id);
            match node.op {
                Op::Symbol(symbol) => {
                    let value = self.value(pool, expr)?;
                    model.set(symbol, &value);
                }
                Op::Select => {
                    if let Some((array, symbol)) = base_symbol(pool, node.args()[0]) {
                        let index = self.value(pool, node.args()[1])?;
                        let element = self.translator.element(pool, array, node.args()[1])?;
                        let element = Bits::from_words(&self.solver.value(&element)?, node.width);
                        model.arrays.entry(symbol).or_default().insert(index.low(), element);
                    }
                    stack.extend(node.args());
                }
                Op::Apply { function, args } => {
                    let args = pool.apply_args(args);
                    let key = args.iter().map(|&arg| self.value(pool, arg)).collect::<Result<Vec<Bits>, _>>()?;
                    let result = self.value(pool, expr)?;
                    model.functions.entry(function).or_default().insert(key, result);
                    stack.extend(args);
                }
                _ => stack.extend(node.args()),
            }
        }
        Ok(model)
    }

    fn value(&mut self, pool: &Pool, expr: Expr) -> Result<Bits, Error> {
        let term = self.translator.bits(pool, expr)?;
        Ok(Bits::from_words(&self.solver.value(&term)?, pool.width(expr)))
    }
}

/// The array symbol below writes, if there is one.
fn base_symbol(pool: &Pool, array: Expr) -> Option<(Expr, crate::expr::SymbolId)> {
    let mut array = array;
    while let Expr::Term(id) = array {
        let node = pool.node(id);
        match node.op {
            Op::Store => array = node.args()[0],
            Op::ArraySymbol(symbol) => return Some((array, symbol)),
            _ => return None,
        }
    }
    None
}
