//! Runs on a known input: what is read of the input is a number, chosen when it is first looked at.
//!
//! Nothing stays symbolic then, so such a run is fast, knows every result of the mathematical library, and goes round a
//! loop as often as it takes. Addresses stay what they are; whoever drives the run answers questions about them with the
//! same values.

use crate::run::Worker;
use smt::bits::Bits;
use smt::eval::{Evaluator, Known, Model};
use smt::expr::{Expr, SymbolId};
use smt::pool::Symbol;

/// Gives a value to a symbol; to the same one again if the first value is not a valid one.
type Choose = dyn FnMut(SymbolId, &Symbol) -> u64;

/// Values of the input, as far as a run has looked at it.
pub struct Concrete {
    /// The values.
    pub model: Model,
    /// What these values make of expressions, as far as they were asked: expressions that stay symbolic, such as those of
    /// addresses, are asked for again and again while they grow.
    known: Known,
    /// All symbols before this one have a value.
    chosen: usize,
    choose: Box<Choose>,
}

impl Concrete {
    /// No value is known yet; `choose` gives one to each symbol.
    pub fn new(choose: impl FnMut(SymbolId, &Symbol) -> u64 + 'static) -> Concrete {
        Concrete { model: Model::default(), known: Known::default(), chosen: 0, choose: Box::new(choose) }
    }

    /// Exactly these values; what they do not say is zero.
    pub fn fixed(model: Model) -> Concrete {
        Concrete { model, known: Known::default(), chosen: usize::MAX, choose: Box::new(|_, _| 0) }
    }
}

impl Worker<'_> {
    /// Gives a value to every symbol that has none.
    pub fn choose_values(&mut self) {
        let Some(concrete) = &mut self.concrete else { return };
        while concrete.chosen < self.pool.symbol_count() {
            let id = SymbolId(concrete.chosen as u32);
            let symbol = self.pool.symbol_info(id);
            if !symbol.array {
                let value = (concrete.choose)(id, symbol);
                concrete.model.set(id, &Bits::new(u128::from(value), symbol.width));
            }
            concrete.chosen += 1;
        }
    }

    /// Gives other values to the symbols of an expression.
    pub fn choose_again(&mut self, expr: Expr) {
        let symbols = self.pool.symbols_in(&[expr]);
        let Some(concrete) = &mut self.concrete else { return };
        concrete.known = Known::default();
        for id in symbols.into_keys() {
            let symbol = self.pool.symbol_info(id);
            if !symbol.array {
                let value = (concrete.choose)(id, symbol);
                concrete.model.set(id, &Bits::new(u128::from(value), symbol.width));
            }
        }
    }

    /// Whether a condition holds in a run on a known input; nothing if there is none, or it may be either.
    pub fn holds_concretely(&mut self, condition: Expr) -> Option<bool> {
        self.choose_values();
        self.evaluated(|evaluator| evaluator.holds(condition))
    }

    /// What an expression over the input is in a run on a known one; itself in others.
    pub(crate) fn concrete_value(&mut self, expr: Expr) -> Expr {
        if self.concrete.is_none() || expr.as_const().is_some() {
            return expr;
        }
        self.choose_values();
        let value = self.evaluated(|evaluator| evaluator.value(expr));
        value.map_or(expr, |value| self.pool.bits(&value))
    }

    fn evaluated<T>(&mut self, ask: impl FnOnce(&mut Evaluator) -> Option<T>) -> Option<T> {
        let concrete = self.concrete.as_mut()?;
        let known = std::mem::take(&mut concrete.known);
        let mut evaluator = Evaluator::knowing(&self.pool, &concrete.model, known);
        let answer = ask(&mut evaluator);
        concrete.known = evaluator.into_known();
        answer
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::program::{Options, Program};

    /// What was found out of earlier values is forgotten with them, and kept as long as they are.
    #[test]
    fn other_values_make_other_truths() {
        let module = ir::parse::parse("define void @f() {\n  ret void\n}\n").unwrap();
        let program = Program::new(module, Options::default());
        let mut worker = Worker::new(&program, true);
        let mut next = 0;
        worker.concrete = Some(Concrete::new(move |_, _| {
            next += 1;
            next
        }));
        let x = worker.pool.symbol("x", 32);
        let is_one = worker.pool.eq(x, Expr::constant(1, 32));
        assert_eq!(worker.holds_concretely(is_one), Some(true));
        let y = worker.pool.symbol("y", 32);
        let both = worker.pool.eq(x, y);
        assert_eq!(worker.holds_concretely(both), Some(false));
        assert_eq!(worker.holds_concretely(is_one), Some(true));
        worker.choose_again(is_one);
        assert_eq!(worker.holds_concretely(is_one), Some(false));
        let product = worker.pool.mul(x, y);
        assert_eq!(worker.concrete_value(product), Expr::constant(6, 32));
    }
}
