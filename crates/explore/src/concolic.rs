//! The driver that follows one input: its values answer every question, and what depended on what is recorded.
//!
//! A run is a path with its log. What to do next with it is [`crate::guided`]'s business.

use crate::Stopped;
use crate::options::Options;
use evidence::{Assumption, Limit};
use exec::entry::Entry;
use exec::pin::pin;
use exec::record::Recorder;
use exec::run::Worker;
use exec::state::{Choice, ChoiceKind, End, State, Stop};
use exec::step::execute;
use ir::id::Id;
use smallvec::SmallVec;
use smt::eval::{Evaluator, Known, Model};
use smt::expr::Expr;
use smt::solver::chain::{Chain, Path};
use std::rc::Rc;

/// A run on one input.
pub struct Run {
    /// The final state, without its log.
    pub state: State,
    /// How it ended.
    pub end: End,
    /// Whether it ended because the input is none that the program can be given, or goes round a loop too often.
    pub outside: bool,
    /// What was asked, and the answers.
    pub questions: Vec<Question>,
    /// What happened.
    pub log: Box<Recorder>,
    /// The input.
    pub values: Rc<Model>,
}

/// A question with its answer.
#[derive(Clone, Debug)]
pub struct Question {
    /// What was asked.
    pub choice: Choice,
    /// The answer.
    pub side: u32,
}

impl Question {
    /// The condition that holds.
    pub fn condition(&self) -> Expr {
        self.choice.conditions.get(self.side as usize).copied().unwrap_or(Expr::bool(true))
    }
}

impl Run {
    /// The condition of the whole path.
    pub fn path(&self, worker: &Worker, chain: &mut Chain) -> Path {
        let conditions = self.questions.iter().map(Question::condition);
        path_of(worker, chain, self.values.clone(), conditions)
    }
}

/// A path of conditions that hold for values.
pub fn path_of(
    worker: &Worker,
    chain: &mut Chain,
    values: Rc<Model>,
    conditions: impl IntoIterator<Item = Expr>,
) -> Path {
    let mut path = Path::beginning_with(values);
    for condition in conditions {
        // They hold; a condition with an operation that may give any value is left out.
        if let Ok(Some(grown)) = chain.extend(&worker.pool, &path, condition) {
            path = grown;
        }
    }
    path
}

/// Instructions between two looks at the clock.
const SLICE: u64 = 100_000;

/// Runs a program on the values of an input.
pub fn follow(
    worker: &mut Worker,
    chain: &mut Chain,
    entry: &Entry,
    values: Rc<Model>,
    options: &Options,
) -> Result<Run, Stopped> {
    follow_with(worker, chain, entry, values, options, Pin::No, |_, _, _| {})
}

/// Whether values are set to what they are on the input where the run could not go on otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pin {
    /// They are: one input is to be followed to its end.
    Yes,
    /// They are not: the run stands for all that go the same way.
    No,
}

/// Runs a program on the values of an input, which `learn` may complete whenever something is asked: symbols come into
/// being when the program first looks at them.
pub fn follow_with(
    worker: &mut Worker,
    chain: &mut Chain,
    entry: &Entry,
    values: Rc<Model>,
    options: &Options,
    pins: Pin,
    mut learn: impl FnMut(&mut Worker, &State, &mut Rc<Model>),
) -> Result<Run, Stopped> {
    let mut values = values;
    let mut state = State::new(worker.program, entry.clone());
    state.recorder = Some(Box::default());
    let mut questions: Vec<Question> = Vec::new();
    let mut outside = false;
    // Symbols get their values before anything that they are in is asked for, so what was evaluated stays true.
    let mut known = Known::default();
    let end = loop {
        let left = options.max_steps.saturating_sub(state.steps);
        match execute(worker, &mut state, left.min(SLICE)) {
            Stop::Paused if left > SLICE => {
                if let Some(stopped) = options.stop() {
                    return Err(stopped);
                }
            }
            Stop::Paused | Stop::Arrived => {
                let at = state.top().and_then(|frame| frame.code.insts.get(frame.at as usize)?.loc);
                break End::Bound { what: Limit::Instructions, at };
            }
            Stop::End(end) => {
                if pins == Pin::No || !end.is_limit() {
                    break end;
                }
                learn(worker, &state, &mut values);
                let conditions = pin(worker, &mut state, &values);
                if conditions.is_empty() {
                    break end;
                }
                questions.extend(conditions.into_iter().map(|condition| pinned(worker, &state, condition)));
            }
            Stop::Choose(choice) => {
                learn(worker, &state, &mut values);
                let side = answer(worker, &values, &choice, &mut known);
                let too_far = too_far(worker, chain, &mut state, &questions, &choice, side, &values, options);
                let invalid = choice.kind == ChoiceKind::Assume && side != 0;
                let at = choice.at;
                state.answer(side);
                questions.push(Question { choice, side });
                if invalid || too_far.is_some() {
                    outside = true;
                    let what = too_far.unwrap_or(Assumption::HarnessInputs);
                    break End::Scope { what, at, before: false };
                }
            }
        }
    };
    learn(worker, &state, &mut values);
    let mut log = state.recorder.take().unwrap_or_default();
    log.finish();
    Ok(Run { state, end, outside, questions, log, values })
}

/// What was pinned, as a question with its answer.
fn pinned(worker: &mut Worker, state: &State, condition: Expr) -> Question {
    let not = worker.pool.not(condition);
    let inst = state.top().and_then(|frame| Some((frame.code.function, frame.code.insts.get(frame.at as usize)?)));
    let (function, id, at) =
        inst.map_or((Id::from_index(0), Id::from_index(0), None), |(function, inst)| (function, inst.id, inst.loc));
    let conditions = SmallVec::from_slice(&[condition, not]);
    Question { choice: Choice { conditions, kind: ChoiceKind::Value, function, inst: id, at }, side: 0 }
}

/// Which side values take.
fn answer(worker: &Worker, values: &Model, choice: &Choice, known: &mut Known) -> u32 {
    let mut evaluator = Evaluator::knowing(&worker.pool, values, std::mem::take(known));
    let side = choice.conditions.iter().position(|condition| evaluator.holds(*condition) == Some(true));
    *known = evaluator.into_known();
    // An operation that may give any value decides nothing: the last side is as good as any.
    side.unwrap_or(choice.conditions.len().saturating_sub(1)) as u32
}

/// The bound that this answer goes beyond, if it does: rounds of a loop, or calls inside each other. Only what the input
/// decides counts.
#[expect(clippy::too_many_arguments, reason = "one step of one loop, apart for its length")]
fn too_far(
    worker: &mut Worker,
    chain: &mut Chain,
    state: &mut State,
    questions: &[Question],
    choice: &Choice,
    side: u32,
    values: &Rc<Model>,
    options: &Options,
) -> Option<Assumption> {
    let unwind = options.unwind?;
    let mut reached = None;
    if let ChoiceKind::Branch { branch } = choice.kind {
        let code = worker.program.code(choice.function);
        let info = &code.branches[branch as usize];
        if let Some(inner) = info.leaves
            && state.count_round(inner) > unwind
            && info.stays.get(side as usize).copied().unwrap_or(false)
        {
            reached = Some(Assumption::Iterations { most: unwind });
        }
    }
    if let Some(top) = state.top() {
        let same = state.frames.iter().filter(|frame| frame.code.function == top.code.function);
        if same.take(unwind as usize + 2).count() > unwind as usize + 1 {
            reached = Some(Assumption::Recursion { most: unwind });
        }
    }
    let reached = reached?;
    let path = path_of(worker, chain, values.clone(), questions.iter().map(Question::condition));
    let open = choice.conditions.iter().enumerate().filter(|(other, _)| *other as u32 != side);
    let mut open = open.map(|(_, condition)| chain.extend(&worker.pool, &path, *condition));
    open.any(|other| !matches!(other, Ok(None))).then_some(reached)
}
