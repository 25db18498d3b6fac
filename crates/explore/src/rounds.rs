//! Runs that go on for ever.
//!
//! A run that comes back to where it was with nothing changed does so again and again. Mostly something does change: a
//! counter that nobody asks for. So whatever differs after a round is forgotten, and the round is run once more: if it
//! comes back whatever the forgotten values are, on every way that they allow, and changes nothing but them, no later round
//! can end.

use exec::run::Worker;
use exec::state::{Choice, ChoiceKind, State, Stop};
use exec::step::execute;
use exec::value::Value;
use smt::expr::Expr;
use std::rc::Rc;

/// Most instructions of a round.
const ROUND: u32 = 2000;

/// Most rounds that are looked at: the run may be in the middle of a loop that is part of the round.
const ROUNDS: u32 = 8;

/// Whether a run never ends. `answer` is asked which way a branch goes, and says nothing if it may go several ways.
pub(crate) fn goes_on_for_ever(
    worker: &mut Worker,
    state: &State,
    answer: &mut dyn FnMut(&mut Worker, &Choice) -> Option<u32>,
) -> bool {
    let mut now = state.clone();
    let mut rounds = 0;
    for _ in 0..ROUND {
        if !step(worker, &mut now, answer) {
            return false;
        }
        let Some(changed) = differing(&now, state) else { continue };
        if changed.is_empty() || stays_so(worker, now.clone(), state, &changed, answer) {
            return true;
        }
        rounds += 1;
        if rounds >= ROUNDS {
            return false;
        }
    }
    false
}

/// A register: number of its frame, and its own.
type Register = (usize, usize);

/// Executes one instruction; whether the run goes on.
fn step(worker: &mut Worker, state: &mut State, answer: &mut dyn FnMut(&mut Worker, &Choice) -> Option<u32>) -> bool {
    match execute(worker, state, 1) {
        Stop::Paused => true,
        Stop::Choose(choice) => match answer(worker, &choice) {
            Some(side) => {
                state.answer(side);
                true
            }
            None => false,
        },
        Stop::End(_) | Stop::Arrived => false,
    }
}

/// Registers with other values, if a run is at the same place as another one and nothing else differs.
fn differing(now: &State, then: &State) -> Option<Vec<Register>> {
    // What was done to the outside, and where input goes on, is part of the state.
    let same_outside = now.effects.len() == then.effects.len()
        && now.shared.len() == then.shared.len()
        && Rc::ptr_eq(&now.library, &then.library)
        && Rc::ptr_eq(&now.exceptions, &then.exceptions);
    if !same_place(now, then) || !same_outside || !now.memory.unlike(&then.memory).is_empty() {
        return None;
    }
    let mut changed = Vec::new();
    for (frame, (a, b)) in now.frames.iter().zip(&then.frames).enumerate() {
        for (number, (value, before)) in a.registers.iter().zip(&b.registers).enumerate() {
            if value != before {
                // What leads somewhere else each time gets to an end of something.
                if !matches!((value, before), (Value::Bits(_) | Value::Undef, Value::Bits(_) | Value::Undef)) {
                    return None;
                }
                changed.push((frame, number));
            }
        }
    }
    Some(changed)
}

/// Whether every round ends as it began, whatever some registers hold. Their last bits may stay: a counter that goes by two
/// never gets from an even number to an odd one.
fn stays_so(
    worker: &mut Worker,
    mut state: State,
    before: &State,
    changed: &[Register],
    answer: &mut dyn FnMut(&mut Worker, &Choice) -> Option<u32>,
) -> bool {
    let mut kept: Vec<u32> = Vec::new();
    for (index, &(frame, number)) in changed.iter().enumerate() {
        let (now, then) = (&state.frames[frame].registers[number], &before.frames[frame].registers[number]);
        let (value, bits) = forgotten(worker, index, now, then);
        Rc::make_mut(&mut state.frames[frame]).registers[number] = value;
        kept.push(bits);
    }
    let begin = state.clone();
    let (mut open, mut ways, mut steps) = (vec![state], 1, 0);
    while let Some(mut state) = open.pop() {
        loop {
            steps += 1;
            if steps > ROUND {
                return false;
            }
            match execute(worker, &mut state, 1) {
                Stop::Paused => {}
                Stop::Choose(choice) => {
                    let decided_by_unknown = worker.mentions_unknown(&choice.conditions);
                    // Where the input is known, what was forgotten would be chosen as if it were input.
                    let asks = !decided_by_unknown || worker.concrete.is_none();
                    match asks.then(|| answer(worker, &choice)).flatten() {
                        Some(side) => state.answer(side),
                        // Every way has to lead back.
                        None if decided_by_unknown && choice.kind != ChoiceKind::Assume => {
                            ways += choice.conditions.len();
                            if ways > WAYS {
                                return false;
                            }
                            for side in 1..choice.conditions.len() as u32 {
                                let mut other = state.clone();
                                other.answer(side);
                                open.push(other);
                            }
                            state.answer(0);
                        }
                        None => return false,
                    }
                    continue;
                }
                Stop::End(_) | Stop::Arrived => return false,
            }
            if same_place(&state, &begin) {
                break;
            }
        }
        let Some(more) = differing(&state, &begin) else { return false };
        let mut still = |register: &Register| {
            let Some(index) = changed.iter().position(|known| known == register) else { return false };
            let (frame, number) = *register;
            let [now, then] = [&state, &begin].map(|state| &state.frames[frame].registers[number]);
            kept[index] == 0 || same_last_bits(worker, kept[index], now, then)
        };
        if !more.iter().all(&mut still) {
            return false;
        }
    }
    true
}

/// Most ways that a round may go.
const WAYS: usize = 24;

/// Any value, but for the last bits that two values of a register have in common; and how many these are.
fn forgotten(worker: &mut Worker, index: usize, now: &Value, then: &Value) -> (Value, u32) {
    let bits = |value: &Value| if let Value::Bits(bits) = value { Some(*bits) } else { None };
    let (now, then) = (bits(now), bits(then));
    let Some(width) = now.or(then).map(|value| worker.pool.width(value)) else { return (Value::Undef, 0) };
    let number = |value: Option<Expr>| value.and_then(|value| value.as_const());
    let (Some(now), Some(then)) = (number(now), number(then)) else {
        return (Value::Bits(worker.unknown(index, width)), 0);
    };
    let same = (now ^ then).trailing_zeros().min(width - 1);
    let any = worker.unknown(index, width - same);
    let value = match same {
        0 => any,
        _ => worker.pool.concat(any, Expr::constant(now & ((1 << same) - 1), same)),
    };
    (Value::Bits(value), same)
}

fn same_last_bits(worker: &mut Worker, count: u32, now: &Value, then: &Value) -> bool {
    let (Value::Bits(now), Value::Bits(then)) = (now, then) else { return false };
    worker.pool.extract(*now, 0, count) == worker.pool.extract(*then, 0, count)
}

fn same_place(now: &State, then: &State) -> bool {
    now.frames.len() == then.frames.len()
        && now.frames.iter().zip(&then.frames).all(|(a, b)| a.at == b.at && a.code.function == b.code.function)
}
