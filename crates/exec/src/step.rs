//! Executes instructions until the state stops.

use crate::arith::part;
use crate::case::FaultKind;
use crate::code::{Code, MAX_WIDTH, NO_REGISTER, Op, Operand};
use crate::contents::{Contents, Unset};
use crate::memory::Kind;
use crate::run::{Run, Worker};
use crate::state::{ChoiceKind, End, OnReturn, RemarkKind, State, Stop, Turn};
use crate::value::{Pointer, Shape, Value};
use ir::inst::{BinaryOp, Flags, IntPredicate, Predicate, RmwOp};
use smt::expr::Expr;
use std::sync::Arc;

/// Executes at most `steps` instructions; the reason why the state stopped.
pub fn execute(worker: &mut Worker, state: &mut State, steps: u64) -> Stop {
    let mut run = Run { worker, state, at: None };
    let last = run.state.steps.saturating_add(steps);
    if let Some(entry) = run.state.entry.clone() {
        run.state.fresh_used = 0;
        if let Err(stop) = run.enter(&entry) {
            return stop;
        }
        run.state.entry = None;
        run.state.answers.clear();
        run.state.fresh.clear();
    }
    loop {
        match run.execute_frame(last) {
            Ok(()) => {}
            Err(stop) => return stop,
        }
    }
}

impl Run<'_, '_> {
    /// Executes until another call runs or the state stops.
    fn execute_frame(&mut self, last: u64) -> Result<(), Stop> {
        let Some(frame) = self.state.top() else { return Err(Stop::End(End::Returned(None))) };
        let code = frame.code.clone();
        let depth = self.state.frames.len();
        if self.state.has_arrived() {
            return Err(Stop::Arrived);
        }
        loop {
            if self.state.steps >= last {
                return Err(Stop::Paused);
            }
            let Some(at) = self.state.top().map(|frame| frame.at) else { return Ok(()) };
            let Some(inst) = code.insts.get(at as usize) else {
                return Err(self.unsupported("a block without an end"));
            };
            self.at = inst.loc;
            self.state.fresh_used = 0;
            if self.state.recorder.is_some() {
                self.record_begin(&code, at);
            }
            if !code.windows.is_empty() {
                self.open_windows(&code, at);
            }
            let next = self.instruction(&code, at);
            self.worker.windows.clear();
            let next = next?;
            self.state.steps += 1;
            if !self.state.answers.is_empty() || !self.state.fresh.is_empty() {
                self.state.answers.clear();
                self.state.fresh.clear();
            }
            match next {
                Next::Value(value) => {
                    if let Some(frame) = self.state.top_mut() {
                        if inst.dest != NO_REGISTER {
                            frame.registers[inst.dest as usize] = value;
                        }
                        frame.at += 1;
                    }
                }
                Next::Nothing => {
                    if let Some(frame) = self.state.top_mut() {
                        frame.at += 1;
                    }
                }
                Next::Edge(edge) => {
                    self.follow(&code, edge)?;
                    if self.state.has_arrived() {
                        return Err(Stop::Arrived);
                    }
                }
                Next::Frame => {
                    self.record_end();
                    return Ok(());
                }
            }
            self.record_end();
            debug_assert!(self.state.frames.len() == depth);
        }
    }

    /// Tells the recorder which instruction is about to run.
    fn record_begin(&mut self, code: &Arc<Code>, at: u32) {
        if let Some(mut recorder) = self.state.recorder.take() {
            recorder.begin(self.state, code, at);
            self.state.recorder = Some(recorder);
        }
    }

    /// Tells the recorder that the instruction is done.
    fn record_end(&mut self) {
        if let Some(mut recorder) = self.state.recorder.take() {
            recorder.done(self.state);
            self.state.recorder = Some(recorder);
        }
    }

    /// Counts the work of arithmetic on wide integers.
    fn charge_binary(&mut self, op: BinaryOp, shape: &Shape) {
        let words = u64::from(shape.bits().unwrap_or(0) / 64);
        match op {
            _ if words <= 4 => {}
            BinaryOp::Mul => self.charge(words * words),
            BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => self.charge(words * words * 64),
            _ => self.charge(words),
        }
    }

    /// The end of a run that comes upon an integer that is too wide.
    pub(crate) fn too_wide(&self) -> Stop {
        self.unsupported(format!("an integer of more than {MAX_WIDTH} bits"))
    }

    /// The value of an operand.
    pub(crate) fn operand(&mut self, operand: &Operand) -> Result<Value, Stop> {
        match operand {
            Operand::Reg(index) => {
                Ok(self.state.top().map_or(Value::Undef, |frame| frame.registers[*index as usize].clone()))
            }
            Operand::Const(value) => Ok(value.clone()),
            Operand::Wide(bits) => Ok(Value::Bits(self.worker.pool.bits(bits))),
            Operand::Many(parts) => {
                let mut values = Vec::with_capacity(parts.len());
                for part in parts.iter() {
                    values.push(self.operand(part)?);
                }
                Ok(Value::Many(values.into()))
            }
            Operand::Unsupported(text) => {
                let text = self.worker.program.module.str(*text).to_owned();
                Err(self.unsupported(format!("constant {text}")))
            }
        }
    }

    fn operand_bits(&mut self, operand: &Operand, width: u32) -> Result<Expr, Stop> {
        if let Operand::Reg(index) = operand
            && let Some(Value::Bits(expr)) = self.state.top().map(|frame| &frame.registers[*index as usize])
        {
            return Ok(*expr);
        }
        let value = self.operand(operand)?;
        self.bits(&value, width)
    }

    fn operand_pointer(&mut self, operand: &Operand) -> Result<Pointer, Stop> {
        let value = self.operand(operand)?;
        self.pointer(&value)
    }

    fn instruction(&mut self, code: &Arc<Code>, at: u32) -> Result<Next, Stop> {
        let inst = &code.insts[at as usize];
        Ok(Next::Value(match &inst.op {
            Op::Binary { op, flags, left, right, shape } => {
                let (a, b) = (self.operand(left)?, self.operand(right)?);
                let value = self.binary(*op, *flags, &a, &b, shape)?;
                self.charge_binary(*op, shape);
                value
            }
            Op::Compare { predicate, left, right, shape } => {
                let (a, b) = (self.operand(left)?, self.operand(right)?);
                self.compare(*predicate, &a, &b, shape)?
            }
            Op::Cast { op, value, from, to } => {
                let value = self.operand(value)?;
                self.cast(*op, &value, from, to)?
            }
            Op::Load { ptr, shape, volatile } => {
                let ptr = self.operand_pointer(ptr)?;
                self.note_volatile(*volatile, ptr);
                self.load(ptr, shape)?
            }
            Op::Store { ptr, value, shape, volatile } => {
                let ptr = self.operand_pointer(ptr)?;
                self.note_volatile(*volatile, ptr);
                let value = self.operand(value)?;
                self.store(ptr, &value, shape)?;
                return Ok(Next::Nothing);
            }
            Op::Gep { base, constant, terms, changed } => {
                let base = self.operand_pointer(base)?;
                if *changed {
                    self.check_record(base)?;
                }
                let mut offset = self.worker.pool.add(base.offset, Expr::constant(*constant as u64, 64));
                for (index, size) in terms {
                    let index = self.operand(index)?;
                    let index = match &index {
                        Value::Bits(expr) => *expr,
                        other => self.bits(other, 64)?,
                    };
                    let pool = &mut self.worker.pool;
                    let index = match pool.width(index) {
                        64 => index,
                        width if width < 64 => pool.sext(index, 64),
                        _ => pool.extract(index, 0, 64),
                    };
                    let distance = pool.mul(index, Expr::constant(*size as u64, 64));
                    offset = pool.add(offset, distance);
                }
                Value::Ptr(Pointer { object: base.object, offset })
            }
            Op::Alloca { size, count, align } => self.stack_memory(*size, count, *align)?,
            Op::FNeg { value, shape } => {
                let value = self.operand(value)?;
                self.negate(&value, shape)?
            }
            Op::Select { condition, then, otherwise, shape } => {
                let condition = self.operand(condition)?;
                let (then, otherwise) = (self.operand(then)?, self.operand(otherwise)?);
                match (&condition, shape) {
                    (Value::Many(conditions), Shape::Many { elements, .. }) => {
                        let mut results = Vec::with_capacity(elements.len());
                        for (index, (_, element)) in elements.iter().enumerate() {
                            let condition = conditions.get(index).cloned().unwrap_or(Value::Undef);
                            let condition = self.bits(&condition, 1)?;
                            results.push(self.select(
                                condition,
                                &part(&then, index),
                                &part(&otherwise, index),
                                element,
                            )?);
                        }
                        Value::Many(results.into())
                    }
                    _ => {
                        let condition = self.bits(&condition, 1)?;
                        let place = (code.function, inst.id);
                        if self.worker.watched_selects.contains(&place) {
                            self.state.selected.push((place, condition));
                        }
                        self.select(condition, &then, &otherwise, shape)?
                    }
                }
            }
            Op::Freeze { value, shape } => {
                let value = self.operand(value)?;
                self.freeze(value, shape)
            }
            Op::Call(call) => return self.call(call, OnReturn::Next(inst.dest)),
            Op::Invoke { call, normal, unwind } => {
                return self.call(call, OnReturn::Edge { dest: inst.dest, normal: *normal, unwind: *unwind });
            }
            Op::ExtractValue { aggregate, path } => {
                let mut value = self.operand(aggregate)?;
                for &index in path.iter() {
                    value = part(&value, index as usize);
                }
                value
            }
            Op::InsertValue { aggregate, element, path, shape } => {
                let aggregate = self.operand(aggregate)?;
                let element = self.operand(element)?;
                insert(&aggregate, element, path, shape)
            }
            Op::ExtractElement { vector, index, shape } => {
                let vector = self.operand(vector)?;
                let index = self.vector_index(index, shape)?;
                part(&vector, index)
            }
            Op::InsertElement { vector, element, index, shape } => {
                let vector = self.operand(vector)?;
                let element = self.operand(element)?;
                let index = self.vector_index(index, shape)?;
                insert(&vector, element, &[index as u32], shape)
            }
            Op::Shuffle { left, right, mask, shape } => {
                let (left, right) = (self.operand(left)?, self.operand(right)?);
                let Shape::Many { elements, .. } = shape else { return Err(self.unsupported("shufflevector")) };
                let pick = |index: &Option<u32>| match index {
                    Some(index) if (*index as usize) < elements.len() => part(&left, *index as usize),
                    Some(index) => part(&right, *index as usize - elements.len()),
                    None => Value::Undef,
                };
                Value::Many(mask.iter().map(pick).collect())
            }
            Op::Rmw { op, ptr, value, shape } => {
                let ptr = self.operand_pointer(ptr)?;
                let value = self.operand(value)?;
                let old = self.load(ptr, shape)?;
                let new = self.modify(*op, &old, &value, shape)?;
                self.store(ptr, &new, shape)?;
                old
            }
            Op::CompareExchange { ptr, expected, new, shape } => {
                let ptr = self.operand_pointer(ptr)?;
                let (expected, new) = (self.operand(expected)?, self.operand(new)?);
                let old = self.load(ptr, shape)?;
                let same = self.compare(Predicate::Int(IntPredicate::Eq), &old, &expected, shape)?;
                let same = self.bits(&same, 1)?;
                let value = self.select(same, &new, &old, shape)?;
                self.store(ptr, &value, shape)?;
                Value::Many([old, Value::Bits(same)].into())
            }
            Op::VaArg { list, shape } => {
                let list = self.operand_pointer(list)?;
                self.next_argument(list, shape)?
            }
            Op::LandingPad { .. } => self.state.unwinding.take().unwrap_or(Value::Undef),
            Op::Nothing => return Ok(Next::Nothing),

            Op::Br(edge) => return Ok(Next::Edge(*edge)),
            Op::CondBr { condition, then, otherwise, branch } => {
                let condition = self.operand_bits(condition, 1)?;
                let taken = match condition.as_const() {
                    Some(known) => known == 1,
                    None => {
                        self.check_assigned(condition)?;
                        self.decide_as(condition, ChoiceKind::Branch { branch: *branch })?
                    }
                };
                self.turn(code, *branch, u32::from(!taken));
                return Ok(Next::Edge(if taken { *then } else { *otherwise }));
            }
            Op::Switch { value, default, cases, branch, width } => {
                let value = self.operand_bits(value, *width)?;
                self.check_assigned(value)?;
                let side = self.switch(value, *default, cases, *branch)?;
                self.turn(code, *branch, side);
                let edge = if side == 0 { *default } else { cases[side as usize - 1].1 };
                return Ok(Next::Edge(edge));
            }
            Op::IndirectBr { address, targets } => {
                let address = self.operand_pointer(address)?;
                let here = self.worker.program.module.functions[code.function].symbol;
                if address.object != self.worker.program.symbol_object(here) {
                    return Err(self.fault(FaultKind::WildPointer, "a jump to something that is no block"));
                }
                if let Some(offset) = address.offset.as_const() {
                    let found = targets.iter().find(|(known, _)| *known == offset);
                    let fault = || self.fault(FaultKind::WildPointer, "a jump to something that is no block");
                    return found.map(|(_, edge)| Next::Edge(*edge)).ok_or_else(fault);
                }
                let pool = &mut self.worker.pool;
                let equal = |(offset, _): &(u64, u32)| pool.eq(address.offset, Expr::constant(*offset, 64));
                let conditions: Vec<Expr> = targets.iter().map(equal).collect();
                let side = self.choose(&conditions, ChoiceKind::Value)?;
                return targets
                    .get(side)
                    .map(|(_, edge)| Next::Edge(*edge))
                    .ok_or_else(|| self.unsupported("a jump to an unknown block"));
            }
            Op::Ret(value) => {
                let value = value.as_ref().map(|value| self.operand(value)).transpose()?;
                return self.leave(value);
            }
            Op::Resume(landed) => {
                let landed = self.operand(landed)?;
                return self.resume(&landed);
            }
            Op::Unreachable => return Err(self.fault(FaultKind::Unreachable, "")),
            Op::Unsupported(text) => {
                let text = self.worker.program.module.str(*text).to_owned();
                return Err(self.unsupported(text));
            }
            Op::TooWide => return Err(self.too_wide()),
        }))
    }

    /// Says that memory was used which others read and write at any time; here it only changes when the program writes it.
    /// Nobody else knows a local variable.
    fn note_volatile(&mut self, volatile: bool, ptr: Pointer) {
        if volatile && self.object(ptr.object).kind != Kind::Stack {
            self.remark(RemarkKind::Approximate("a volatile access".to_owned()));
        }
    }

    fn turn(&mut self, code: &Code, branch: u32, side: u32) {
        if self.state.record_turns {
            self.state.turns.push(Turn { function: code.function, branch, side });
        }
    }

    /// Where undefined behaviour is checked, a value that was never assigned must not decide anything.
    fn check_assigned(&self, value: Expr) -> Result<(), Stop> {
        let (undefined, unread) = (&self.worker.undefined, &self.worker.unread);
        if undefined.is_empty() && unread.is_empty() || !self.worker.program.options.check_undefined {
            return Ok(());
        }
        let symbols = self.worker.pool.symbols_in(&[value]);
        let mut all = undefined.iter().map(|(symbol, _)| symbol).chain(unread.values());
        match all.any(|symbol| symbols.values().any(|used| used == symbol)) {
            true => Err(self.fault(FaultKind::Uninitialized, "a value that was never assigned decides")),
            false => Ok(()),
        }
    }

    /// Goes along an edge.
    pub(crate) fn follow(&mut self, code: &Arc<Code>, edge: u32) -> Result<(), Stop> {
        if let Some(recorder) = &mut self.state.recorder {
            recorder.follow(code, edge);
        }
        let edge = &code.edges[edge as usize];
        match edge.moves.as_slice() {
            [] => {}
            [(dest, operand)] => {
                let value = self.operand(operand)?;
                if let Some(frame) = self.state.top_mut() {
                    frame.registers[*dest as usize] = value;
                }
            }
            moves => {
                // All at once: a phi may be another one's operand.
                let mut values = smallvec::SmallVec::<[Value; 8]>::new();
                for (_, operand) in moves {
                    values.push(self.operand(operand)?);
                }
                if let Some(frame) = self.state.top_mut() {
                    for ((dest, _), value) in moves.iter().zip(values) {
                        frame.registers[*dest as usize] = value;
                    }
                }
            }
        }
        self.state.visit(code.function, edge.to, Some(edge.from));
        if let Some(frame) = self.state.top_mut() {
            frame.at = edge.target;
            for &entered in &edge.enters {
                if let Some(rounds) = frame.rounds.get_mut(entered as usize) {
                    *rounds = 0;
                }
            }
        }
        Ok(())
    }

    fn stack_memory(&mut self, size: u64, count: &Operand, align: u64) -> Result<Value, Stop> {
        let count = self.operand(count)?;
        let count = match count {
            Value::Bits(expr) => expr,
            other => self.bits(&other, 64)?,
        };
        let pool = &mut self.worker.pool;
        let count = if pool.width(count) <= 64 { pool.zext(count, 64) } else { pool.extract(count, 0, 64) };
        let bytes = pool.mul(count, Expr::constant(size, 64));
        let id = self.state.memory.add(bytes, align, Kind::Stack, Contents::new(Unset::Undefined));
        if let Some(frame) = self.state.top_mut() {
            frame.stack.push(id);
        }
        Ok(Value::Ptr(Pointer::to(id)))
    }

    fn negate(&mut self, value: &Value, shape: &Shape) -> Result<Value, Stop> {
        match shape {
            Shape::Many { elements, .. } => {
                let mut results = Vec::with_capacity(elements.len());
                for (index, (_, element)) in elements.iter().enumerate() {
                    results.push(self.negate(&part(value, index), element)?);
                }
                Ok(Value::Many(results.into()))
            }
            _ => {
                let width = shape.bits().unwrap_or(64);
                let bits = self.bits(value, width)?;
                let sign = smt::bits::Bits::new(1, width).shl(width - 1);
                let sign = self.worker.pool.bits(&sign);
                Ok(Value::Bits(self.worker.pool.xor(bits, sign)))
            }
        }
    }

    fn freeze(&mut self, value: Value, shape: &Shape) -> Value {
        match (&value, shape) {
            (Value::Undef, Shape::Many { elements, .. }) => {
                Value::Many(elements.iter().map(|(_, element)| self.freeze(Value::Undef, element)).collect())
            }
            (Value::Undef, shape) => match shape.bits() {
                Some(width) => Value::Bits(self.undefined(width)),
                None => value,
            },
            (Value::Many(parts), Shape::Many { elements, .. }) => Value::Many(
                parts.iter().zip(elements.iter()).map(|(part, (_, e))| self.freeze(part.clone(), e)).collect(),
            ),
            _ => value,
        }
    }

    fn vector_index(&mut self, index: &Operand, shape: &Shape) -> Result<usize, Stop> {
        let count = match shape {
            Shape::Many { elements, .. } => elements.len(),
            _ => 0,
        };
        let index = self.operand(index)?;
        let index = self.bits(&index, 64)?;
        let index = self.number(index, count as u64, "a vector's length")?;
        Ok(index as usize)
    }

    /// What an atomic operation writes.
    fn modify(&mut self, op: RmwOp, old: &Value, value: &Value, shape: &Shape) -> Result<Value, Stop> {
        let none = Flags::empty();
        let binary = match op {
            RmwOp::Xchg => return Ok(value.clone()),
            RmwOp::Add => BinaryOp::Add,
            RmwOp::Sub => BinaryOp::Sub,
            RmwOp::And => BinaryOp::And,
            RmwOp::Or => BinaryOp::Or,
            RmwOp::Xor => BinaryOp::Xor,
            RmwOp::FAdd => BinaryOp::FAdd,
            RmwOp::FSub => BinaryOp::FSub,
            RmwOp::Nand => {
                let both = self.binary(BinaryOp::And, none, old, value, shape)?;
                let width = shape.bits().unwrap_or(64);
                let both = self.bits(&both, width)?;
                return Ok(Value::Bits(self.worker.pool.not(both)));
            }
            RmwOp::Max | RmwOp::Min | RmwOp::UMax | RmwOp::UMin => {
                let predicate = match op {
                    RmwOp::Max => IntPredicate::Sgt,
                    RmwOp::Min => IntPredicate::Slt,
                    RmwOp::UMax => IntPredicate::Ugt,
                    _ => IntPredicate::Ult,
                };
                let keep = self.compare(Predicate::Int(predicate), old, value, shape)?;
                let keep = self.bits(&keep, 1)?;
                return self.select(keep, old, value, shape);
            }
            RmwOp::USubSat | RmwOp::USubCond => {
                let enough = self.compare(Predicate::Int(IntPredicate::Uge), old, value, shape)?;
                let enough = self.bits(&enough, 1)?;
                let less = self.binary(BinaryOp::Sub, none, old, value, shape)?;
                let otherwise = if op == RmwOp::USubSat { self.zero(shape) } else { old.clone() };
                return self.select(enough, &less, &otherwise, shape);
            }
            RmwOp::UIncWrap | RmwOp::UDecWrap | RmwOp::FMax | RmwOp::FMin | RmwOp::FMaximum | RmwOp::FMinimum => {
                return Err(self.unsupported(format!("atomicrmw {}", op.keyword())));
            }
        };
        self.binary(binary, none, old, value, shape)
    }
}

/// Where execution goes on.
pub(crate) enum Next {
    /// Behind the instruction, with its value.
    Value(Value),
    /// Behind the instruction.
    Nothing,
    /// Along an edge.
    Edge(u32),
    /// In another call.
    Frame,
}

/// An aggregate with one element replaced.
fn insert(aggregate: &Value, element: Value, path: &[u32], shape: &Shape) -> Value {
    let Some((&first, rest)) = path.split_first() else { return element };
    let Shape::Many { elements, .. } = shape else { return element };
    let mut parts: Vec<Value> = match aggregate {
        Value::Many(parts) => parts.to_vec(),
        other => (0..elements.len()).map(|index| part(other, index)).collect(),
    };
    let index = first as usize;
    if let (Some(place), Some((_, inner))) = (parts.get_mut(index), elements.get(index)) {
        *place = insert(&place.clone(), element, rest, inner);
    }
    Value::Many(parts.into())
}
