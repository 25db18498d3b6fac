//! Differences by trying: both versions run on many known inputs.
//!
//! What a solver cannot decide is often easy to see: most values of most inputs show that two formulas are not the same.
//! And a loop that is followed for some rounds only may do something else in a later one. So inputs are made up, mostly
//! of values that the code itself mentions, and both versions run on them. Nothing is symbolic then, which makes a run
//! fast, and no bound on loops is needed. An input that gets to new places is varied further, the more so if it gets to what
//! changed. Nothing is proved either: this finds differences, it never says *same*.

use crate::Stats;
use crate::mentioned::{Chooser, Mentioned};
use crate::options::Options;
use crate::pair::{Compared, Difference, Questions, comes_to_an_end, witness_of};
use crate::rounds::goes_on_for_ever;
use crate::shrink::{Spent, shrink};
use exec::concrete::Concrete;
use exec::entry::Entry;
use exec::inputs::{Bounds, InputId};
use exec::program::Program;
use exec::run::Worker;
use exec::same::{self, Aspect};
use exec::state::{Choice, ChoiceKind, End, RemarkKind, State, Stop};
use exec::step::execute;
use ir::id::{BlockId, FuncId};
use rustc_hash::FxHashSet;
use smt::bits::Bits;
use smt::eval::{Evaluator, Model};
use smt::expr::{Expr, SymbolId};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How much is tried.
pub struct Effort {
    /// Number of the first input: other numbers are other inputs.
    pub first: u32,
    /// Most inputs.
    pub inputs: u32,
    /// Most time.
    pub time: Duration,
    /// How many inputs are kept that show no difference: natively they may.
    pub samples: usize,
}

impl Effort {
    /// Two parts: the first one takes more of the time, and what is kept.
    pub fn halves(self) -> (Effort, Effort) {
        let Effort { first, inputs, time, samples } = self;
        let part = Effort { first, inputs: inputs / 2, time: time * 3 / 5, samples };
        (part, Effort { first: first.saturating_add(inputs / 2), inputs: inputs / 2, time: time * 2 / 5, samples: 0 })
    }
}

/// What came of trying.
pub struct Tried {
    /// Inputs on which the versions differ.
    pub compared: Compared,
    /// Inputs on which they do not, as far as the model of the program knows; all of one cause.
    pub samples: Compared,
    /// How many inputs were tried.
    pub inputs: u32,
}

/// Most instructions of a run.
const STEPS: u64 = 100_000;

/// How such a run ends.
const FOR_EVER: &str = crate::forking::STEPS;

/// Most instructions of all runs.
const ALL_STEPS: u64 = 100_000_000;

/// What is tried however long it takes, so that a busy machine finds what others find: inputs, and instructions of their runs.
const LEAST_INPUTS: u32 = 400;
const LEAST_STEPS: u64 = 4_000_000;

/// Differences after which no more are looked for.
const ENOUGH: usize = 3;

/// How often a value is chosen again because valid inputs have others.
const RETRIES: u32 = 24;

/// Looks for inputs on which two versions differ.
pub fn probe(
    program: &Program,
    old: &Entry,
    new: &Entry,
    options: &Options,
    bounds: &Bounds,
    questions: &Questions,
    effort: &Effort,
) -> Tried {
    let mut worker = Worker::new(program, new.shell.is_none());
    worker.bounds = bounds.clone();
    let mentioned = Mentioned::of(&program.module, [old.function, new.function]);
    let arguments = new.shell.as_ref().map(|shell| shell.argv.len() as u64);
    let mut corpus = Corpus::default();
    let mut compared = Compared { stats: Stats::default(), ..Compared::default() };
    let mut samples = Compared { causes: 1, ..Compared::default() };
    let until = Instant::now() + effort.time;
    let (mut steps, mut inputs) = (0, 0);
    for number in effort.first..effort.first.saturating_add(effort.inputs) {
        let enough = inputs >= LEAST_INPUTS || steps >= LEAST_STEPS;
        let over = enough && Instant::now() >= until || steps > ALL_STEPS || options.stop().is_some();
        if over || compared.differences.len() >= ENOUGH {
            break;
        }
        inputs += 1;
        let chooser = Chooser::new(mentioned.clone(), arguments, u64::from(number) + 1);
        worker.concrete = Some(corpus.input(chooser, worker.pool.symbol_count()));
        let Some(found) = both(&mut worker, old, new, &mut steps) else { continue };
        let model = || worker.concrete.as_ref().map(|concrete| concrete.model.clone()).unwrap_or_default();
        corpus.learn([&found.old.0, &found.new.0], questions.changed, model);
        compared.pairs += 1;
        if found.differing.is_empty() || found.only_calls() {
            if samples.differences.len() < effort.samples && !found.depends_on_more() {
                let model = worker.concrete.as_ref().map(|concrete| concrete.model.clone()).unwrap_or_default();
                let (old, new) = ((&found.old.0, &found.old.1), (&found.new.0, &found.new.1));
                let leaves = &found.leaves;
                samples.differences.push(witness_of(&mut worker, old, new, &model, &found.differing, leaves, &[]));
            }
            continue;
        }
        let model = worker.concrete.as_ref().map(|concrete| concrete.model.clone()).unwrap_or_default();
        let mut spent = Spent { steps: &mut steps, until };
        let smaller = shrink(&mut worker, [old, new], &model, &mut |_, _, _| true, &mut spent);
        let (model, found) = smaller.unwrap_or((model, found));
        worker.concrete = Some(Concrete::fixed(model.clone()));
        let (old, new) = ((&found.old.0, &found.old.1), (&found.new.0, &found.new.1));
        compared.differences.push(witness_of(&mut worker, old, new, &model, &found.differing, &found.leaves, &[]));
    }
    if compared.differences.is_empty() {
        compared.differences.extend(with_other_texts(&mut worker, [old, new], options, &corpus, &mut steps));
    }
    // One cause or several: nobody asked where else they differ.
    let mut causes: Vec<String> = Vec::new();
    for difference in &mut compared.differences {
        let cause = (questions.cause)(difference);
        difference.cause = causes.iter().position(|known| *known == cause).unwrap_or_else(|| {
            causes.push(cause);
            causes.len() - 1
        });
    }
    compared.causes = causes.len();
    compared.stats.instructions = steps;
    Tried { compared, samples, inputs }
}

/// Inputs that did something that none before them did: what is near to them may do something new again.
#[derive(Default)]
struct Corpus {
    inputs: Vec<Rc<Model>>,
    /// Those that got to what changed come last.
    changed: Vec<Rc<Model>>,
    /// Blocks that were entered one behind the other.
    seen: FxHashSet<(FuncId, BlockId, BlockId)>,
}

/// Most inputs that are kept of either kind.
const MAX_KEPT: usize = 256;

impl Corpus {
    /// The next input: a new one, or one that is near to one of these.
    fn input(&self, mut chooser: Chooser, symbols: usize) -> Concrete {
        let near = chooser.random.below(3) > 0;
        let kept = if !self.changed.is_empty() && chooser.random.below(3) > 0 { &self.changed } else { &self.inputs };
        if !near || kept.is_empty() || symbols == 0 {
            return Concrete::new(move |_, symbol| chooser.value(symbol));
        }
        let base = kept[chooser.random.below(kept.len() as u64) as usize].clone();
        let count = 1 + chooser.random.below(4);
        let mut others: BTreeSet<SymbolId> =
            (0..count).map(|_| SymbolId(chooser.random.below(symbols as u64) as u32)).collect();
        Concrete::new(move |id, symbol| {
            // Asked again means that the value was not a valid one.
            if (id.0 as usize) < symbols && others.insert(id) {
                return base.small(id);
            }
            chooser.near(symbol, base.small(id))
        })
    }

    /// Keeps an input if its runs did something new.
    fn learn(&mut self, runs: [&State; 2], changed: &FxHashSet<(FuncId, BlockId)>, model: impl Fn() -> Model) {
        let (mut is_new, mut gets_there) = (false, false);
        for run in runs {
            let mut next: Option<(FuncId, BlockId)> = None;
            for visit in run.visits.iter_back() {
                gets_there = gets_there || changed.contains(&(visit.function, visit.block));
                if let Some((function, block)) = next
                    && function == visit.function
                {
                    is_new = self.seen.insert((function, visit.block, block)) || is_new;
                }
                next = Some((visit.function, visit.block));
            }
        }
        let kept = if gets_there { &mut self.changed } else { &mut self.inputs };
        if is_new && kept.len() < MAX_KEPT || gets_there && kept.is_empty() {
            kept.push(Rc::new(model()));
        }
    }
}

/// Texts with characters of several bytes, which texts of Rust are taken not to have elsewhere.
const TEXTS: [&str; 9] = ["é", "aé", "éa", "日", "a日", "éé", "😀", "É", "ß"];

/// A difference that only texts show which are not ASCII.
fn with_other_texts(
    worker: &mut Worker,
    [old, new]: [&Entry; 2],
    options: &Options,
    corpus: &Corpus,
    steps: &mut u64,
) -> Option<Difference> {
    worker.any_text = true;
    let mut difference = None;
    let bases: Vec<Rc<Model>> =
        corpus.changed.iter().rev().take(2).chain(corpus.inputs.iter().rev().take(2)).cloned().collect();
    'texts: for text in worker.texts().into_iter().filter(|text| text.ascii) {
        let Some(length) = text.length else { continue };
        for (base, words) in bases.iter().flat_map(|base| TEXTS.iter().map(move |words| (base, words))) {
            if options.stop().is_some() {
                break 'texts;
            }
            if words.len() > text.bytes.len() {
                continue;
            }
            let mut model = Model::clone(base);
            let bytes = words.bytes().chain(std::iter::repeat(0));
            text.bytes.iter().zip(bytes).for_each(|(symbol, byte)| model.set(*symbol, &Bits::new(byte.into(), 8)));
            model.set(length, &Bits::new(words.len() as u128, worker.pool.symbol_info(length).width));
            worker.concrete = Some(Concrete::fixed(model.clone()));
            let found =
                both(worker, old, new, steps).filter(|found| !found.differing.is_empty() && !found.only_calls());
            if let Some(found) = found {
                let (old, new) = ((&found.old.0, &found.old.1), (&found.new.0, &found.new.1));
                difference = Some(witness_of(worker, old, new, &model, &found.differing, &found.leaves, &[]));
                break 'texts;
            }
        }
    }
    worker.any_text = false;
    difference
}

/// How both versions ended on one input.
pub(crate) struct Found {
    pub old: (State, End),
    pub new: (State, End),
    /// Parts that differ.
    pub differing: Vec<(Aspect, Expr)>,
    pub leaves: Vec<(InputId, u64)>,
}

/// Functions whose results depend on when and where a program runs.
const CHANCE: [&str; 10] =
    ["time", "clock", "gettimeofday", "clock_gettime", "getpid", "rand", "random", "getenv", "getcwd", "arc4random"];

impl Found {
    /// Whether they differ in calls to the outside alone: natively there may be a library that knows better.
    fn only_calls(&self) -> bool {
        self.differing.iter().all(|(aspect, _)| *aspect == Aspect::Calls)
    }

    /// Whether what comes of the input depends on more than the input.
    fn depends_on_more(&self) -> bool {
        let remarks = self.old.0.remarks.iter().chain(self.new.0.remarks.iter());
        remarks.into_iter().any(|remark| matches!(&remark.kind, RemarkKind::Outside(name) if CHANCE.contains(&&**name)))
    }
}

/// Runs both versions; nothing if they cannot be compared on this input.
pub(crate) fn both(worker: &mut Worker, old: &Entry, new: &Entry, steps: &mut u64) -> Option<Found> {
    let new_end = follow(worker, new)?;
    *steps += new_end.0.steps;
    let old_end = follow(worker, old)?;
    *steps += old_end.0.steps;
    if [&old_end.0, &new_end.0].into_iter().any(|state| worker.looked_at_one_sided(state)) {
        return None;
    }
    let ends = [&old_end, &new_end].map(|(_, end)| comes_to_an_end(end));
    let hangs = [&old_end, &new_end].map(|(_, end)| matches!(end, End::Bound { what, .. } if what == FOR_EVER));
    if ends[0] && hangs[1] || hangs[0] && ends[1] {
        let leaves = old_end.0.leaves.to_vec().into_iter().chain(new_end.0.leaves.to_vec()).copied().collect();
        return Some(Found { old: old_end, new: new_end, differing: vec![(Aspect::End, Expr::bool(false))], leaves });
    }
    if !ends[0] || !ends[1] {
        return None;
    }
    // What depends on more than the input shows nothing.
    let remarks = old_end.0.remarks.iter().chain(new_end.0.remarks.iter());
    let vague = |kind: &RemarkKind| !matches!(kind, RemarkKind::Outside(_) | RemarkKind::AnyResult(_));
    if remarks.into_iter().any(|remark| vague(&remark.kind)) {
        return None;
    }
    let found = same::compare(worker, new.function, (&old_end.0, &old_end.1), (&new_end.0, &new_end.1));
    worker.choose_values();
    let values = worker.concrete.as_ref().map(|concrete| &concrete.model)?;
    let mut evaluator = Evaluator::new(&worker.pool, values);
    if found.assumed.iter().any(|&assumed| evaluator.holds(assumed) != Some(true)) {
        return None;
    }
    let differing = found.parts.into_iter().filter(|(_, same)| evaluator.holds(*same) == Some(false)).collect();
    Some(Found { old: old_end, new: new_end, differing, leaves: found.leaves })
}

/// Runs one version to its end, the chosen values answering every question.
fn follow(worker: &mut Worker, entry: &Entry) -> Option<(State, End)> {
    let mut state = State::new(worker.program, entry.clone());
    state.record_turns = true;
    state.record_visits = true;
    loop {
        let left = STEPS.saturating_sub(state.steps);
        match execute(worker, &mut state, left) {
            Stop::Choose(choice) => {
                let side = answer(worker, &choice)?;
                state.answer(side);
            }
            Stop::End(end) => return Some((state, end)),
            Stop::Paused | Stop::Arrived => {
                let at = state.top().and_then(|frame| frame.code.insts.get(frame.at as usize)?.loc);
                let end = End::Bound { what: FOR_EVER.to_owned(), at };
                return goes_on_for_ever(worker, &state, &mut answer).then_some((state, end));
            }
        }
    }
}

fn answer(worker: &mut Worker, choice: &Choice) -> Option<u32> {
    worker.choose_values();
    for _ in 0..RETRIES {
        let found = holding(worker, choice);
        if choice.kind != ChoiceKind::Assume || found == Some(0) {
            return found;
        }
        worker.choose_again(*choice.conditions.first()?);
    }
    None
}

/// The condition that holds for the chosen values.
fn holding(worker: &Worker, choice: &Choice) -> Option<u32> {
    let values = worker.concrete.as_ref().map(|concrete| &concrete.model)?;
    let mut evaluator = Evaluator::new(&worker.pool, values);
    let side = choice.conditions.iter().position(|&condition| evaluator.holds(condition) == Some(true))?;
    u32::try_from(side).ok()
}
