//! Runs that go on for ever.
//!
//! A run that comes back to where it was with nothing changed does so again and again. Mostly something does change: a
//! counter that nobody asks for. So whatever differs after a round is forgotten, and the round is run once more: if it
//! takes the same turns whatever the forgotten values are, and changes nothing but them, no later round can be another.

use exec::run::Worker;
use exec::state::{Choice, State, Stop};
use exec::step::execute;
use exec::value::Value;
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
        if changed.is_empty() || stays_so(worker, now.clone(), &changed, answer) {
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

/// Whether a round is the same whatever some registers hold.
fn stays_so(
    worker: &mut Worker,
    mut state: State,
    changed: &[Register],
    answer: &mut dyn FnMut(&mut Worker, &Choice) -> Option<u32>,
) -> bool {
    for &(frame, number) in changed {
        Rc::make_mut(&mut state.frames[frame]).registers[number] = Value::Undef;
    }
    // Where the input is known, what was forgotten would be chosen as if it were input.
    let concrete = worker.concrete.take();
    let before = state.clone();
    let mut same = false;
    for _ in 0..ROUND {
        if !step(worker, &mut state, answer) {
            break;
        }
        if same_place(&state, &before) {
            let more = differing(&state, &before);
            same = more.is_some_and(|more| more.iter().all(|register| changed.contains(register)));
            break;
        }
    }
    worker.concrete = concrete;
    same
}

fn same_place(now: &State, then: &State) -> bool {
    now.frames.len() == then.frames.len()
        && now.frames.iter().zip(&then.frames).all(|(a, b)| a.at == b.at && a.code.function == b.code.function)
}
