//! `setjmp.h`: returning a second time to where a function of the stack once was.
//!
//! The `jmp_buf` holds the number of a place that the library remembers. A jump ends the calls above that place; the call
//! of `setjmp` then returns once more. Values of its function that lie in memory are as the jump leaves them.

use super::{Arguments, Model, Reply};
use crate::case::FaultKind;
use crate::code::{Code, NO_REGISTER};
use crate::run::Run;
use crate::state::Stop;
use crate::value::{Shape, Value};
use smt::expr::Expr;
use std::sync::Arc;

/// All of them.
pub const MODELS: &[Model] = &[
    Model { name: "setjmp", run: setjmp },
    Model { name: "_setjmp", run: setjmp },
    Model { name: "__sigsetjmp", run: setjmp },
    Model { name: "sigsetjmp", run: setjmp },
    Model { name: "longjmp", run: longjmp },
    Model { name: "_longjmp", run: longjmp },
    Model { name: "siglongjmp", run: longjmp },
    Model { name: "__longjmp_chk", run: longjmp },
];

/// A call of `setjmp`.
#[derive(Clone, Debug)]
pub struct Place {
    /// How many calls there were.
    depth: usize,
    /// The function that called it.
    code: Arc<Code>,
    /// The call.
    at: u32,
}

const NUMBER: Shape = Shape::Int { bits: 64, bytes: 8 };

fn setjmp(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let buffer = args.pointer(run, 0)?;
    run.access(buffer, 8, true)?;
    let depth = run.state.frames.len();
    let Some(frame) = run.state.top() else { return Ok(Reply::Value(Value::int(0, 32))) };
    let (code, at) = (frame.code.clone(), frame.at);
    let places = &mut run.library().jumps;
    let same = |place: &Place| place.depth == depth && place.at == at && Arc::ptr_eq(&place.code, &code);
    let number = match places.iter().position(same) {
        Some(number) => number,
        None => {
            places.push(Place { depth, code, at });
            places.len() - 1
        }
    };
    run.store(buffer, &Value::int(number as u64 + 1, 64), &NUMBER)?;
    Ok(Reply::Value(Value::int(0, 32)))
}

fn longjmp(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let buffer = args.pointer(run, 0)?;
    let value = args.int(run, 1)?;
    let number = run.load(buffer, &NUMBER)?;
    let number = run.bits(&number, 64)?;
    let Some(number) = number.as_const() else { return Err(run.unsupported("a jump to an unknown place")) };
    let place = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
    let Some(place) = place.and_then(|number| run.state.library.jumps.get(number)).cloned() else {
        return Err(run.fault(FaultKind::BadCall, "longjmp without setjmp"));
    };
    let returned = match place.depth.checked_sub(1).and_then(|index| run.state.frames.get(index)) {
        Some(frame) => !Arc::ptr_eq(&frame.code, &place.code),
        None => true,
    };
    if returned {
        return Err(run.fault(FaultKind::BadCall, "longjmp to a function that has returned"));
    }
    let dest = place.code.insts[place.at as usize].dest;
    let zero = run.pool().eq(value, Expr::constant(0, 32));
    let value = run.pool().ite(zero, Expr::constant(1, 32), value);
    while run.state.frames.len() > place.depth {
        run.pop_frame();
    }
    if let Some(frame) = run.state.top_mut() {
        if dest != NO_REGISTER {
            frame.registers[dest as usize] = Value::Bits(value);
        }
        frame.at = place.at + 1;
    }
    Ok(Reply::Jump)
}
