//! Follows one input from the beginning of a program to its end: at each question the input decides.

use exec::case::Input;
use exec::entry::Entry;
use exec::given::{Given, Places};
use exec::run::Worker;
use exec::state::{Choice, End, State, Stop};
use exec::step::execute;
use smt::eval::{Evaluator, Model};
use smt::pool::digest::Digests;
use std::rc::Rc;

/// Runs an input, recording the blocks that it enters. `None` if the input does not say enough to decide a question.
pub fn follow(worker: &mut Worker, entry: &Entry, input: &Input, max_steps: u64) -> Option<(State, End)> {
    let (mut places, mut digests) = (Places::default(), Digests::default());
    let mut given = Given::new(worker.program, entry.function, Rc::new(input.clone()));
    run(worker, entry, max_steps, |worker, state, choice| {
        places.update(worker, &mut digests);
        given.update(worker, &places, state);
        holding(worker, &given.model, choice)
    })
}

/// The same with an input that is given as values of the worker's symbols.
pub fn follow_values(worker: &mut Worker, entry: &Entry, values: &Model, max_steps: u64) -> Option<(State, End)> {
    run(worker, entry, max_steps, |worker, _, choice| holding(worker, values, choice))
}

fn run(
    worker: &mut Worker,
    entry: &Entry,
    max_steps: u64,
    mut decide: impl FnMut(&Worker, &State, &Choice) -> Option<u32>,
) -> Option<(State, End)> {
    let mut state = State::new(worker.program, entry.clone());
    state.record_visits = true;
    loop {
        let left = max_steps.saturating_sub(state.steps);
        match execute(worker, &mut state, left) {
            Stop::Choose(choice) => {
                let side = decide(worker, &state, &choice)?;
                state.answer(side);
            }
            Stop::End(end) => return Some((state, end)),
            Stop::Paused | Stop::Arrived => {
                return Some((state, End::Bound { what: "instructions on a path".to_owned(), at: None }));
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
