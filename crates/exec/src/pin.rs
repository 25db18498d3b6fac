//! Known values in the place of unknown ones, where one input is followed.
//!
//! Who follows an input knows what every expression is on it. So where the engine cannot go on with unknown values, such as
//! a pointer among thousands of places, the operands of the instruction are set to what they are on this input, and the
//! run goes on. That costs generality, not truth: every value that was set is a condition of the path, as concolic
//! testing has always done it. Exploration does not do this, for it would lose paths.

use crate::contents::Contents;
use crate::run::Worker;
use crate::state::State;
use crate::value::{ObjectId, Pointer, Value};
use smt::eval::{Evaluator, Model};
use smt::expr::Expr;
use std::rc::Rc;

/// Bytes of memory from its beginning that are set at most.
const MOST_BYTES: u64 = 1 << 16;

/// Sets the operands of the instruction that is about to run, or if those are known the memory that they point to; the
/// conditions under which that is right. Nothing if all was known already.
pub fn pin(worker: &mut Worker, state: &mut State, values: &Model) -> Vec<Expr> {
    let mut pins = Pins { worker, values, conditions: Vec::new() };
    let Some(frame) = state.top() else { return Vec::new() };
    let mut registers: Vec<u32> = Vec::new();
    if let Some(inst) = frame.code.insts.get(frame.at as usize) {
        inst.op.for_each_register(&mut |register| registers.push(register));
    }
    let mut objects: Vec<ObjectId> = Vec::new();
    for &register in &registers {
        let Some(frame) = state.top_mut() else { continue };
        let Some(value) = frame.registers.get_mut(register as usize) else { continue };
        *value = pins.value(value, &mut objects);
    }
    for &object in &objects {
        if let Some(object) = state.memory.get_mut(object) {
            object.size = pins.expr(object.size);
        }
    }
    if pins.conditions.is_empty() {
        for &object in &objects {
            if let Some(object) = state.memory.get_mut(object) {
                pins.contents(Rc::make_mut(&mut object.contents));
            }
        }
    }
    let conditions = pins.conditions;
    for _ in &conditions {
        state.record_decision();
    }
    conditions
}

struct Pins<'a, 'p> {
    worker: &'a mut Worker<'p>,
    values: &'a Model,
    conditions: Vec<Expr>,
}

impl Pins<'_, '_> {
    /// What an expression is; itself if no single value can be told.
    fn expr(&mut self, expr: Expr) -> Expr {
        let Expr::Term(_) = expr else { return expr };
        let Some(bits) = Evaluator::new(&self.worker.pool, self.values).value(expr) else { return expr };
        let known = self.worker.pool.bits(&bits);
        if known == expr {
            return expr;
        }
        let same = self.worker.pool.eq(expr, known);
        self.conditions.push(same);
        known
    }

    fn value(&mut self, value: &Value, objects: &mut Vec<ObjectId>) -> Value {
        match value {
            Value::Bits(expr) => Value::Bits(self.expr(*expr)),
            Value::Ptr(Pointer { object, offset }) => {
                objects.push(*object);
                Value::Ptr(Pointer { object: *object, offset: self.expr(*offset) })
            }
            Value::Many(parts) => Value::Many(parts.iter().map(|part| self.value(part, objects)).collect()),
            Value::Undef | Value::Skipped(_) => value.clone(),
        }
    }

    fn contents(&mut self, contents: &mut Contents) {
        let unknown = |value: &Value| matches!(value, Value::Bits(Expr::Term(_)));
        let cells: Vec<(u64, u32, Value)> = contents
            .cells()
            .take_while(|(at, _)| *at < MOST_BYTES)
            .filter(|(_, cell)| unknown(&cell.value))
            .map(|(at, cell)| (at, cell.size, cell.value.clone()))
            .collect();
        for (at, size, value) in cells {
            match self.value(&value, &mut Vec::new()) {
                Value::Bits(Expr::Const { bits, .. }) => contents.write_word(at, bits, size.into()),
                value => contents.write_cell(at, size, value),
            }
        }
    }
}
