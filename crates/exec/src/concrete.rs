//! Runs on a known input: what is read of the input is a number, chosen when it is first looked at.
//!
//! Nothing stays symbolic then, so such a run is fast, knows every result of the mathematical library, and goes round a
//! loop as often as it takes. Addresses stay what they are; whoever drives the run answers questions about them with the
//! same values.

use crate::run::Worker;
use smt::bits::Bits;
use smt::eval::{Evaluator, Model};
use smt::expr::{Expr, SymbolId};
use smt::pool::Symbol;

/// Gives a value to a symbol; to the same one again if the first value is not a valid one.
type Choose = dyn FnMut(SymbolId, &Symbol) -> u64;

/// Values of the input, as far as a run has looked at it.
pub struct Concrete {
    /// The values.
    pub model: Model,
    /// All symbols before this one have a value.
    chosen: usize,
    choose: Box<Choose>,
}

impl Concrete {
    /// No value is known yet; `choose` gives one to each symbol.
    pub fn new(choose: impl FnMut(SymbolId, &Symbol) -> u64 + 'static) -> Concrete {
        Concrete { model: Model::default(), chosen: 0, choose: Box::new(choose) }
    }

    /// Exactly these values; what they do not say is zero.
    pub fn fixed(model: Model) -> Concrete {
        Concrete { model, chosen: 0, choose: Box::new(|_, _| 0) }.settled(usize::MAX)
    }

    fn settled(self, chosen: usize) -> Concrete {
        Concrete { chosen, ..self }
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
        for id in symbols.into_keys() {
            let symbol = self.pool.symbol_info(id);
            if !symbol.array {
                let value = (concrete.choose)(id, symbol);
                concrete.model.set(id, &Bits::new(u128::from(value), symbol.width));
            }
        }
    }

    /// What an expression over the input is in a run on a known one; itself in others.
    pub(crate) fn concrete_value(&mut self, expr: Expr) -> Expr {
        if self.concrete.is_none() || expr.as_const().is_some() {
            return expr;
        }
        self.choose_values();
        let value = self.concrete.as_ref().and_then(|known| Evaluator::new(&self.pool, &known.model).value(expr));
        value.map_or(expr, |value| self.pool.bits(&value))
    }
}
