//! Solving: a stack of assertions, questions about them, and the values that answer.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::{Error, Term, TermManager, sys};

/// What a solver is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Values can be asked for.
    pub models: bool,
    /// Formulas are simplified before they are solved. Without it a formula is translated as it is written, which is
    /// slower, and good to test the translation.
    pub simplify: bool,
}

/// What ends a search before its end. By default nothing does.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// So much time.
    pub time: Option<Duration>,
    /// So many steps of the search. A step has no fixed length, but the same formula takes the same steps on every machine.
    pub steps: Option<u64>,
    /// The flag being set, by another thread.
    pub stop: Option<&'a AtomicBool>,
}

/// Whether there are values for which all that was asserted and assumed holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// There are.
    Sat,
    /// There are none.
    Unsat,
    /// A limit came first, or Bitwuzla cannot tell.
    Unknown,
}

/// Solves formulas over the terms of one manager.
pub struct Solver {
    raw: sys::Solver,
    models: bool,
    /// How often it was pushed and not popped.
    level: u32,
    /// Whether the last answer still holds and is satisfiable.
    has_model: bool,
    /// Why it cannot be used any more.
    failure: Option<Error>,
}

impl Solver {
    /// A solver without assertions.
    pub fn new(terms: &TermManager, options: Options) -> Result<Self, Error> {
        let raw = sys::Solver::new(terms.raw(), options.models, options.simplify)?;
        Ok(Self { raw, models: options.models, level: 0, has_model: false, failure: None })
    }

    /// Opens a level: what is asserted from now on holds until it is closed.
    pub fn push(&mut self) -> Result<(), Error> {
        self.change(sys::Solver::push)?;
        self.level += 1;
        Ok(())
    }

    /// Closes the last level.
    pub fn pop(&mut self) -> Result<(), Error> {
        if self.level == 0 {
            return Err(Error::NothingPushed);
        }
        self.change(sys::Solver::pop)?;
        self.level -= 1;
        Ok(())
    }

    /// How many levels are open.
    pub fn level(&self) -> u32 {
        self.level
    }

    /// Asserts a Boolean term in the current level.
    pub fn assert(&mut self, term: &Term) -> Result<(), Error> {
        self.change(|solver| solver.assert(term.raw()))
    }

    /// Whether all assertions can hold.
    pub fn check(&mut self, limits: &Limits) -> Result<Answer, Error> {
        self.check_assuming(&[], limits)
    }

    /// Whether all assertions and these Boolean terms can hold.
    pub fn check_assuming(&mut self, assumptions: &[&Term], limits: &Limits) -> Result<Answer, Error> {
        let assumptions = assumptions.iter().map(|term| term.raw());
        let answer = match self.change(|solver| solver.check(assumptions, limits.time, limits.steps, limits.stop))? {
            10 => Answer::Sat,
            20 => Answer::Unsat,
            _ => Answer::Unknown,
        };
        self.has_model = self.models && answer == Answer::Sat;
        Ok(answer)
    }

    /// The value of a term in the solution that the last check has found, as words, the least significant first.
    ///
    /// The term is a Boolean, a bit-vector or a float, whose bits are those of IEEE 754. It need not occur in a formula.
    pub fn value(&mut self, term: &Term) -> Result<Vec<u64>, Error> {
        if !self.has_model {
            return Err(self.failure.clone().unwrap_or(Error::NoModel));
        }
        let digits = self.run(|solver| solver.value(term.raw()))?;
        let mut words = vec![0; digits.len().div_ceil(64)];
        for (at, digit) in digits.bytes().rev().enumerate() {
            words[at / 64] |= u64::from(digit == b'1') << (at % 64);
        }
        Ok(words)
    }

    /// The same for a term of at most 64 bits.
    pub fn value_u64(&mut self, term: &Term) -> Result<u64, Error> {
        match self.value(term)?[..] {
            [word] => Ok(word),
            _ => Err(Error::Rejected("the value has more than 64 bits".to_string())),
        }
    }

    /// Does something that ends the model.
    fn change<T>(&mut self, what: impl FnOnce(&mut sys::Solver) -> Result<T, Error>) -> Result<T, Error> {
        self.has_model = false;
        self.run(what)
    }

    /// Does something, if nothing failed before.
    fn run<T>(&mut self, what: impl FnOnce(&mut sys::Solver) -> Result<T, Error>) -> Result<T, Error> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let result = what(&mut self.raw);
        if let Err(failure @ Error::Failed(_)) = &result {
            self.failure = Some(failure.clone());
            self.has_model = false;
        }
        result
    }
}

impl Default for Options {
    fn default() -> Self {
        Self { models: true, simplify: true }
    }
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Solver at level {}", self.level)
    }
}
