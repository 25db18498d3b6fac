//! Exceptions on their way from where they are thrown to who handles them.
//!
//! In two phases, as the Itanium C++ ABI has it: first a handler is looked for, and if there is none the program ends
//! where it is; only then is the stack unwound, through the clean-ups in between.

use crate::arith::part;
use crate::case::FaultKind;
use crate::code::{Clause, Code, Op};
use crate::models::cpp::types::{self, Type};
use crate::run::Run;
use crate::state::{OnReturn, Stop};
use crate::step::Next;
use crate::value::{Pointer, Value};
use std::rc::Rc;
use std::sync::Arc;

/// What a landing pad does with an exception.
enum Landing {
    /// It handles it; the number tells by which clause, and the distance which part it wants.
    Handler { selector: u32, part: u64 },
    /// It only cleans up.
    CleanUp,
    /// It takes no part.
    Nothing,
}

impl Run<'_, '_> {
    /// Throws out of a call that ran at once.
    pub(crate) fn throw(&mut self, exception: Value, on_return: OnReturn) -> Result<Next, Stop> {
        let depth = self.state.frames.len();
        let (mut level, mut edge) = (depth, on_return);
        let mut first: Option<(usize, u32, u32)> = None;
        let handler = loop {
            if let OnReturn::Edge { unwind, .. } = edge
                && let Some(frame) = level.checked_sub(1).and_then(|index| self.state.frames.get(index))
            {
                let code = frame.code.clone();
                match self.landing(&code, unwind, &exception)? {
                    Landing::Handler { selector, part } => break Some((level, unwind, selector, part)),
                    Landing::CleanUp => {
                        first.get_or_insert((level, unwind, 0));
                    }
                    Landing::Nothing => {}
                }
            }
            let Some(index) = level.checked_sub(1) else { break None };
            edge = self.state.frames[index].on_return;
            level = index;
            if level == 0 {
                break None;
            }
        };
        let Some((level, unwind, selector, wanted)) = handler else {
            let detail = self.exception_type(&exception).map_or_else(String::new, |ty| ty.display());
            let object = self.pointer(&exception)?.object;
            Rc::make_mut(&mut self.state.exceptions).uncaught = Some(object);
            return Err(self.fault(FaultKind::Uncaught, &detail));
        };
        let object = self.pointer(&exception)?.object;
        if let Some(exception) = Rc::make_mut(&mut self.state.exceptions).find_mut(object) {
            exception.part = wanted;
        }
        let (level, unwind, selector) = first.unwrap_or((level, unwind, selector));
        self.state.unwinding = Some(Value::Many([exception, Value::int(selector.into(), 32)].into()));
        if level == depth {
            return Ok(Next::Edge(unwind));
        }
        while self.state.frames.len() > level {
            self.pop_frame();
        }
        if let Some(frame) = self.state.top() {
            let code = frame.code.clone();
            self.follow(&code, unwind)?;
        }
        Ok(Next::Frame)
    }

    /// Goes on unwinding out of the running function, after a clean-up.
    pub(crate) fn resume(&mut self, landed: &Value) -> Result<Next, Stop> {
        self.throw(part(landed, 0), OnReturn::Next(0))
    }

    fn landing(&mut self, code: &Arc<Code>, edge: u32, exception: &Value) -> Result<Landing, Stop> {
        let target = code.edges[edge as usize].target;
        let Some(Op::LandingPad { cleanup, clauses }) = code.insts.get(target as usize).map(|inst| &inst.op) else {
            return Err(self.unsupported("an exception without a landing pad"));
        };
        let thrown = self.exception_type(exception);
        for Clause { filter, types: wanted } in clauses.iter() {
            let wanted = self.operand(wanted)?;
            if *filter {
                let allowed = match &wanted {
                    Value::Many(types) => types.to_vec(),
                    _ => Vec::new(),
                };
                let mut expected = false;
                for info in &allowed {
                    let info = self.pointer(info)?;
                    expected |= self.handles(thrown.as_ref(), info)?.is_some();
                }
                if !expected {
                    return Ok(Landing::Handler { selector: u32::MAX, part: 0 });
                }
                continue;
            }
            let info = self.pointer(&wanted)?;
            if info == Pointer::NULL {
                return Ok(Landing::Handler { selector: types::EVERYTHING, part: 0 });
            }
            if let Some(part) = self.handles(thrown.as_ref(), info)? {
                return Ok(Landing::Handler { selector: types::number(info), part });
            }
        }
        Ok(if *cleanup { Landing::CleanUp } else { Landing::Nothing })
    }

    fn handles(&mut self, thrown: Option<&Type>, info: Pointer) -> Result<Option<u64>, Stop> {
        match (thrown, Type::at(self, info)) {
            (Some(thrown), Some(wanted)) => types::handled(self, thrown, &wanted),
            _ => Ok(None),
        }
    }

    fn exception_type(&mut self, exception: &Value) -> Option<Type> {
        let Value::Ptr(pointer) = exception else { return None };
        self.state.exceptions.find(pointer.object).map(|exception| exception.ty.clone())
    }
}
