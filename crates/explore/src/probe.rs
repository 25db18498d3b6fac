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
use crate::pair::{Compared, Difference, Questions, as_overflow, comes_to_an_end, witness_of};
use crate::rounds::goes_on_for_ever;
use crate::shrink::{Spent, shrink};
use evidence::Limit;
use exec::concrete::Concrete;
use exec::entry::Entry;
use exec::inputs::{Bounds, InputId, Text};
use exec::program::Program;
use exec::run::{OVER_ITSELF, Run, UNKNOWN, Worker};
use exec::same::{self, Aspect};
use exec::state::{Choice, ChoiceKind, End, RemarkKind, State, Stop};
use exec::step::execute;
use ir::id::{BlockId, FuncId};
use rustc_hash::FxHashSet;
use smt::bits::Bits;
use smt::eval::{Evaluator, Model};
use smt::expr::{Expr, FloatFormat, SymbolId, signed};
use smt::pool::{Reading, Symbol};
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
    /// Inputs on which one version ends, and the other one has not ended after many instructions: perhaps it never does. The
    /// first one is the smallest.
    pub doubtful: Compared,
    /// Inputs of values that the code mentions, for which both versions take long: only native runs get to their end.
    pub long: Compared,
    /// How many inputs were tried.
    pub inputs: u32,
}

/// Most instructions of a run.
const STEPS: u64 = 100_000;

/// Most inputs of which a version has not ended that are kept.
const MAX_DOUBTFUL: usize = 4;
const MAX_LONG: usize = 8;

/// How long smaller inputs are looked for of which a version does not end, or not before its stack is full.
const SHRINKING: Duration = Duration::from_millis(150);

/// Numbers beyond this are large: calls that are as deep as the input is large are no runaway.
const SMALL: u64 = 1000;

/// Loops that are gone round that often take long natively, too.
const HUGE: u64 = 1 << 26;

/// How often calls may turn out to be that deep before no more inputs of this kind are looked at.
const MAX_DEEP: u32 = 2;

/// Most instructions of all runs.
const ALL_STEPS: u64 = 100_000_000;

/// What is tried even if time is up, so that a busy machine finds what others find: inputs, and instructions of their runs;
/// and how long that may take at most.
const LEAST_INPUTS: u32 = 400;
const LEAST_STEPS: u64 = 4_000_000;
const OVERTIME: Duration = Duration::from_secs(2);

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
    let (mut steps, mut inputs, mut deep) = (0, 0, 0);
    let mut unended: Vec<Unended> = Vec::new();
    let mut long: Vec<Difference> = Vec::new();
    for number in effort.first..effort.first.saturating_add(effort.inputs) {
        let enough = inputs >= LEAST_INPUTS || steps >= LEAST_STEPS;
        let now = Instant::now();
        let late = now >= until && enough || now >= until + OVERTIME;
        if late || steps > ALL_STEPS || options.stop().is_some() || compared.differences.len() >= ENOUGH {
            break;
        }
        inputs += 1;
        let chooser = Chooser::new(mentioned.clone(), arguments, u64::from(number) + 1, number - effort.first);
        worker.concrete = Some(corpus.input(chooser, worker.pool.symbol_count()));
        let Some(found) = both(&mut worker, old, new, &mut steps) else { continue };
        if found.doubt != Doubt::No {
            let model = worker.concrete.as_ref().map(|concrete| concrete.model.clone()).unwrap_or_default();
            if found.doubt == Doubt::MayEnd && unended.len() < MAX_DOUBTFUL {
                unended.push(Unended { size: size(&worker, &model), model });
            } else if found.doubt == Doubt::BothLong
                && long.len() < MAX_LONG
                && has_large(&worker, &model, |value, width| mentioned.has(value, width))
                && !values(&worker, &model).any(|(symbol, value)| magnitude(symbol, value) > HUGE)
            {
                let witness = found.witness(&mut worker, &model);
                if !long.iter().any(|known| known.named == witness.named) {
                    long.push(witness);
                }
            }
            continue;
        }
        if found.deep && deep >= MAX_DEEP {
            continue;
        }
        let model = || worker.concrete.as_ref().map(|concrete| concrete.model.clone()).unwrap_or_default();
        corpus.learn([&found.old.0, &found.new.0], &questions.changed.blocks, model);
        compared.pairs += 1;
        if found.differing.is_empty() || found.only_calls() {
            if samples.differences.len() < effort.samples && !found.depends_on_more() {
                let model = worker.concrete.as_ref().map(|concrete| concrete.model.clone()).unwrap_or_default();
                samples.differences.push(found.witness(&mut worker, &model));
            }
            continue;
        }
        let model = worker.concrete.as_ref().map(|concrete| concrete.model.clone()).unwrap_or_default();
        let until = if found.deep { Instant::now() + SHRINKING } else { until };
        let mut spent = Spent { steps: &mut steps, until };
        let was_deep = found.deep;
        let mut alike = |_: &mut Worker, _: &Model, other: &Found| other.deep == was_deep;
        let smaller = shrink(&mut worker, [old, new], &model, Doubt::No, &mut alike, &mut spent);
        let (model, found) = smaller.unwrap_or((model, found));
        if found.deep && has_large(&worker, &model, |_, _| true) {
            deep += 1;
            continue;
        }
        worker.concrete = Some(Concrete::fixed(model.clone()));
        compared.differences.push(found.witness(&mut worker, &model));
    }
    let mut doubtful = Compared { causes: 1, ..Compared::default() };
    if compared.differences.is_empty() {
        doubtful.differences.extend(smallest_unended(&mut worker, [old, new], unended, &mut steps));
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
    long.sort_by_key(Difference::size);
    let long = Compared { differences: long, causes: 1, ..Compared::default() };
    Tried { compared, samples, doubtful, long, inputs }
}

/// An input on which one version does not seem to end.
struct Unended {
    size: u128,
    model: Model,
}

/// The smallest input on which one version ends and the other one has not: if that one just takes long, smaller inputs take
/// less long, and if a small one does not end natively either, something is wrong.
fn smallest_unended(
    worker: &mut Worker,
    [old, new]: [&Entry; 2],
    mut unended: Vec<Unended>,
    steps: &mut u64,
) -> Option<Difference> {
    unended.sort_by_key(|one| one.size);
    let Unended { model, .. } = unended.into_iter().next()?;
    let mut spent = Spent { steps, until: Instant::now() + SHRINKING };
    let smaller = shrink(worker, [old, new], &model, Doubt::MayEnd, &mut |_, _, _| true, &mut spent);
    let (model, found) = match smaller {
        Some(smaller) => smaller,
        None => {
            worker.concrete = Some(Concrete::fixed(model.clone()));
            (model, both(worker, old, new, steps).filter(|found| found.doubt == Doubt::MayEnd)?)
        }
    };
    worker.concrete = Some(Concrete::fixed(model.clone()));
    Some(found.witness(worker, &model))
}

/// How large a number is, whatever its sign.
fn magnitude(symbol: &Symbol, value: u64) -> u64 {
    match symbol.reading {
        Reading::Address => 0,
        Reading::Float(FloatFormat::Double) => f64::from_bits(value).abs() as u64,
        Reading::Float(FloatFormat::Single) => f32::from_bits(value as u32).abs() as u64,
        Reading::Signed => signed(value, symbol.width.min(64)).unsigned_abs(),
        _ => value,
    }
}

/// Symbols of the input and their values.
fn values<'w>(worker: &'w Worker, model: &'w Model) -> impl Iterator<Item = (&'w Symbol, u64)> {
    let ids = (0..worker.pool.symbol_count()).map(|index| SymbolId(index as u32));
    let symbols = ids.map(|id| (worker.pool.symbol_info(id), id));
    let is_input = |symbol: &Symbol| !symbol.array && symbol.width <= 64 && !symbol.name.starts_with(UNKNOWN);
    symbols.filter(move |(symbol, _)| is_input(symbol)).map(|(symbol, id)| (symbol, model.small(id)))
}

fn size(worker: &Worker, model: &Model) -> u128 {
    values(worker, model).map(|(symbol, value)| u128::from(magnitude(symbol, value))).sum()
}

/// Whether an input has a large number of some kind in it.
fn has_large(worker: &Worker, model: &Model, is_one: impl Fn(u64, u32) -> bool) -> bool {
    values(worker, model).any(|(symbol, value)| magnitude(symbol, value) > SMALL && is_one(value, symbol.width))
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
        let near = chooser.random.below(3) > 0 && !chooser.is_planned();
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

/// What stands in the place of characters of other texts: one that has two bytes, and one that is an ASCII letter once it is
/// made a small one.
const WIDE: [&str; 2] = ["é", "\u{212a}"];

/// Numbers beside such texts, which are short.
const BESIDE: [u64; 3] = [1, 2, 3];

/// Bytes of each text that may be other ones.
const MAX_LOOKED_AT: u64 = 24;

/// Most runs on such texts, and how long they may take once there were some.
const MAX_TEXTS: u32 = 4000;
const LEAST_TEXTS: u32 = 200;
const TRYING_TEXTS: Duration = Duration::from_millis(400);

/// A difference that only texts show which are not ASCII: some short ones, and those of inputs that got somewhere with a
/// character of several bytes in them.
fn with_other_texts(
    worker: &mut Worker,
    [old, new]: [&Entry; 2],
    options: &Options,
    corpus: &Corpus,
    steps: &mut u64,
) -> Option<Difference> {
    worker.any_text = true;
    let until = Instant::now() + TRYING_TEXTS;
    let bases: Vec<Rc<Model>> =
        corpus.changed.iter().rev().take(8).chain(corpus.inputs.iter().rev().take(6)).cloned().collect();
    let mut state = State::new(worker.program, new.clone());
    Run { worker, state: &mut state, at: None }.look_at_texts(MAX_LOOKED_AT);
    let texts = worker.texts();
    let numbers = numbers_beside(worker, &texts);
    let (mut difference, mut runs) = (None, 0);
    for (text, base) in
        texts.iter().filter(|text| text.ascii).flat_map(|text| bases.iter().map(move |base| (text, base)))
    {
        let over = |runs: u32| runs >= LEAST_TEXTS && Instant::now() >= until || runs >= MAX_TEXTS;
        let inputs = with_wide_characters(worker, text, base, &numbers);
        for model in inputs {
            if difference.is_some() || over(runs) || options.stop().is_some() {
                break;
            }
            runs += 1;
            worker.concrete = Some(Concrete::fixed(model.clone()));
            let shows = |found: &Found| found.doubt == Doubt::No && !found.differing.is_empty() && !found.only_calls();
            difference = both(worker, old, new, steps).filter(shows).map(|found| found.witness(worker, &model));
        }
    }
    worker.any_text = false;
    difference
}

/// An input with another text, as many times as there are other texts and numbers beside them.
fn with_wide_characters(worker: &Worker, text: &Text, base: &Model, numbers: &[(SymbolId, u32)]) -> Vec<Model> {
    let Some(length) = text.length else { return Vec::new() };
    let width = worker.pool.symbol_info(length).width;
    let known = (base.small(length) as usize).min(text.bytes.len());
    let own: Vec<u8> = text.bytes[..known].iter().map(|&byte| base.small(byte) as u8).collect();
    let with = |words: &[u8]| {
        let mut model = Model::clone(base);
        let bytes = words.iter().copied().chain(std::iter::repeat(0));
        text.bytes.iter().zip(bytes).for_each(|(symbol, byte)| model.set(*symbol, &Bits::new(byte.into(), 8)));
        model.set(length, &Bits::new(words.len() as u128, width));
        model
    };
    let mut found = Vec::new();
    for words in TEXTS.iter().filter(|words| words.len() <= text.bytes.len()) {
        let model = with(words.as_bytes());
        for number in BESIDE.into_iter().filter(|_| !numbers.is_empty()) {
            let mut other = model.clone();
            numbers.iter().for_each(|(symbol, width)| other.set(*symbol, &Bits::new(number.into(), *width)));
            found.push(other);
        }
        found.push(model);
    }
    let wide = with_wide(&own).into_iter().filter(|words| words.len() <= text.bytes.len());
    found.extend(wide.map(|words| with(&words)));
    found
}

/// A text with a wide character in each of its places, in the place of each of its characters, and of as many as it has bytes.
fn with_wide(text: &[u8]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for wide in WIDE.map(str::as_bytes) {
        for (at, left_out) in (0..=text.len()).flat_map(|at| [wide.len(), 1, 0].map(|left_out| (at, left_out))) {
            if let Some(rest) = text.get(at + left_out..) {
                found.push([&text[..at], wide, rest].concat());
            }
        }
    }
    found
}

/// Numbers of the input that are no part of a text, with their widths.
fn numbers_beside(worker: &Worker, texts: &[Text]) -> Vec<(SymbolId, u32)> {
    let ids = (0..worker.pool.symbol_count()).map(|index| SymbolId(index as u32));
    let is_of_text = |id: &SymbolId| texts.iter().any(|text| text.length == Some(*id) || text.bytes.contains(id));
    ids.filter(|id| !is_of_text(id))
        .filter_map(|id| {
            let symbol = worker.pool.symbol_info(id);
            let is_number = matches!(symbol.reading, Reading::Signed | Reading::Unsigned);
            let counts = is_number && !symbol.array && (8..=64).contains(&symbol.width);
            (counts && !symbol.name.starts_with(UNKNOWN)).then_some((id, symbol.width))
        })
        .collect()
}

/// Whether runs came to their end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// Both did, or one of them certainly never does.
    No,
    /// One of them did not, and may end later.
    MayEnd,
    /// Neither did.
    BothLong,
}

/// How both versions ended on one input.
pub(crate) struct Found {
    pub doubt: Doubt,
    /// Whether one of them made more calls inside each other than are followed.
    pub deep: bool,
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
    /// The input on which that came of it.
    fn witness(&self, worker: &mut Worker, model: &Model) -> Difference {
        let (old, new) = ((&self.old.0, &self.old.1), (&self.new.0, &self.new.1));
        witness_of(worker, old, new, model, &self.differing, &self.leaves, &[])
    }

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
    let mut new_end = follow(worker, new)?;
    *steps += new_end.0.steps;
    let mut old_end = follow(worker, old)?;
    *steps += old_end.0.steps;
    if [&old_end.0, &new_end.0].into_iter().any(|state| worker.looked_at_one_sided(state)) {
        return None;
    }
    let deep = [&old_end, &new_end].map(|(_, end)| matches!(end, End::Bound { what, .. } if *what == Limit::CallDepth));
    if deep[0] != deep[1] {
        // Whether the stack is really full, a native run shows.
        (old_end.1, new_end.1) = (as_overflow(&old_end.1), as_overflow(&new_end.1));
    }
    let ends = [&old_end, &new_end].map(|(_, end)| comes_to_an_end(end));
    let is_bound =
        |bound: Limit| [&old_end, &new_end].map(|(_, end)| matches!(end, End::Bound { what, .. } if *what == bound));
    let (hangs, late) = (is_bound(Limit::Instructions), is_bound(Limit::TrialInstructions));
    let doubt = match (late, hangs) {
        ([true, true], _) => Doubt::BothLong,
        ([false, false], _) | (_, [true, false] | [false, true]) => Doubt::No,
        _ => Doubt::MayEnd,
    };
    // What takes long may still end, natively, where the other one never does.
    let may_end = [0, 1].map(|version| ends[version] || late[version] && doubt == Doubt::No);
    let one_hangs = may_end[0] && hangs[1] || hangs[0] && may_end[1];
    let one_is_late = ends[0] && late[1] || late[0] && ends[1];
    if one_hangs || one_is_late || doubt == Doubt::BothLong || ends == [true, true] && deep[0] != deep[1] {
        let leaves = old_end.0.leaves.to_vec().into_iter().chain(new_end.0.leaves.to_vec()).copied().collect();
        if !one_is_late {
            (old_end.1, new_end.1) = (not_followed(old_end.1), not_followed(new_end.1));
        }
        let differing = vec![(Aspect::End, Expr::bool(false))];
        return Some(Found { doubt, deep: deep[0] != deep[1], old: old_end, new: new_end, differing, leaves });
    }
    if !ends[0] || !ends[1] {
        return None;
    }
    // What depends on more than the input shows nothing.
    let remarks = old_end.0.remarks.iter().chain(new_end.0.remarks.iter());
    let vague = |kind: &RemarkKind| match kind {
        RemarkKind::Outside(_) | RemarkKind::AnyResult(_) => false,
        // A native run shows what the library makes of it.
        RemarkKind::Approximate(what) => what != OVER_ITSELF,
        _ => true,
    };
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
    Some(Found { doubt, deep: false, old: old_end, new: new_end, differing, leaves: found.leaves })
}

/// What takes long is not known to hang: nobody followed it to its end.
fn not_followed(end: End) -> End {
    match end {
        End::Bound { what: what @ Limit::TrialInstructions, at } => End::Unsupported { what: what.to_string(), at },
        other => other,
    }
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
                let what = if goes_on_for_ever(worker, &state, &mut answer) {
                    Limit::Instructions
                } else {
                    Limit::TrialInstructions
                };
                return Some((state, End::Bound { what, at }));
            }
        }
    }
}

fn answer(worker: &mut Worker, choice: &Choice) -> Option<u32> {
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
fn holding(worker: &mut Worker, choice: &Choice) -> Option<u32> {
    let side = choice.conditions.iter().position(|&condition| worker.holds_concretely(condition) == Some(true))?;
    u32::try_from(side).ok()
}
