//! Follows one input from the beginning of a program to its end: at each question the input decides.

use crate::concolic::Pin;
use evidence::Limit;
use exec::case::Input;
use exec::entry::Entry;
use exec::given::{Given, Places};
use exec::pin::pin;
use exec::run::Worker;
use exec::state::{Choice, End, State, Stop};
use exec::step::execute;
use smt::eval::{Evaluator, Model};
use smt::pool::digest::Digests;
use std::rc::Rc;

/// Runs an input, recording the blocks that it enters. `None` if the input does not say enough to decide a question.
pub fn follow(worker: &mut Worker, entry: &Entry, input: &Input, max_steps: u64) -> Option<(State, End)> {
    let (mut places, mut digests) = (Places::default(), Digests::default());
    let mut given = Given::new(worker.program, entry.function, input);
    let mut state = State::new(worker.program, entry.clone());
    state.record_visits = true;
    run(worker, state, max_steps, Pin::Yes, |worker, state| {
        places.update(worker, &mut digests);
        given.update(worker, &places, state);
        given.model.clone()
    })
}

/// Runs on from a state that asks something, with an input that is given as values of the worker's symbols; where these
/// are not enough to go on, it ends.
pub fn go_on(worker: &mut Worker, state: State, values: &Rc<Model>, max_steps: u64) -> Option<(State, End)> {
    run(worker, state, max_steps, Pin::No, |_, _| values.clone())
}

fn run(
    worker: &mut Worker,
    mut state: State,
    max_steps: u64,
    pins: Pin,
    mut values: impl FnMut(&Worker, &State) -> Rc<Model>,
) -> Option<(State, End)> {
    loop {
        let left = max_steps.saturating_sub(state.steps);
        match execute(worker, &mut state, left) {
            Stop::Choose(choice) => {
                let values = values(worker, &state);
                state.answer(holding(worker, &values, &choice)?);
            }
            Stop::End(end) => {
                let values = values(worker, &state);
                if pins == Pin::No || !end.is_limit() || pin(worker, &mut state, &values).is_empty() {
                    return Some((state, end));
                }
            }
            Stop::Paused | Stop::Arrived => {
                return Some((state, End::Bound { what: Limit::Instructions, at: None }));
            }
        }
    }
}

/// The first condition that holds for these values.
fn holding(worker: &Worker, values: &Model, choice: &Choice) -> Option<u32> {
    let mut evaluator = Evaluator::new(&worker.pool, values);
    let side = choice.conditions.iter().position(|&condition| evaluator.holds(condition) == Some(true))?;
    u32::try_from(side).ok()
}
