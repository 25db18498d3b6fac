//! Two versions of a function on the same inputs.
//!
//! Both versions live in one program, their inputs are the same symbols. Every path of the new version is followed; at its
//! end the old version is run under the condition of that path, and where it ends the two outcomes are compared. A
//! difference is an input for which they are not the same; if there is none on any pair of paths, and nothing was left
//! undecided, the versions do the same for every input in scope.

use crate::forking::{Explorer, Open, Step};
use crate::options::{Options, Order};
use crate::order::Frontier;
use crate::{Ended, Stats, Stopped, Undecided};
use exec::case::Input;
use exec::entry::Entry;
use exec::observe::{Observer, Values};
use exec::program::Program;
use exec::run::{Run, Worker};
use exec::same::{self, Aspect};
use exec::state::{End, Remark, RemarkKind, State};
use ir::id::{FuncId, LocId};
use smt::expr::Expr;
use smt::solver::chain::{Chain, Path};
use std::collections::{BTreeMap, BTreeSet};

/// How two versions of a function compare.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// Inputs on which the versions differ, as far as the model of the program knows.
    pub differences: Vec<Difference>,
    /// What was not decided, by reason and place, with how often.
    pub undecided: BTreeMap<(Doubt, Option<LocId>), u64>,
    /// What the result holds for.
    pub scope: BTreeSet<String>,
    /// How many pairs of paths were compared.
    pub pairs: u64,
    /// Figures.
    pub stats: Stats,
    /// Whether it was cut short.
    pub stopped: Option<Stopped>,
}

/// Why something is not decided.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Doubt {
    /// While following paths.
    Path(Undecided),
    /// Outcomes could not be compared.
    Comparison(String),
    /// The outcome depends on more than the input.
    Remark(String),
}

/// An input on which the versions differ.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The input, for both versions.
    pub input: Input,
    /// The same as the source names it.
    pub named: Vec<(String, String)>,
    /// Which parts of the outcome differ.
    pub aspects: Vec<Aspect>,
    /// Condition of the pair of paths, as people write it.
    pub condition: Vec<String>,
    /// How the old version ended.
    pub old: Side,
    /// How the new version ended.
    pub new: Side,
}

/// How a version ended.
#[derive(Clone, Debug)]
pub struct Side {
    /// What is expected to come of the input.
    pub outcome: exec::case::Outcome,
    /// More about a fault.
    pub detail: String,
    /// Where a fault is.
    pub at: Option<LocId>,
    /// What the outcome depends on beyond its input.
    pub remarks: Vec<Remark>,
}

/// Compares two versions of a function; `most` bounds how many differences are looked for.
pub fn compare(program: &Program, old: FuncId, new: FuncId, options: &Options, chain: Chain, most: usize) -> Compared {
    let options = &Options { order: Order::DepthFirst, jobs: 1, ..options.clone() };
    let mut explorer = Explorer::new(Worker::new(program, true), chain, options);
    explorer.begin(&Entry { function: new, shell: None }, &[]);
    let mut compared = Compared::default();
    let keep = |ended: Ended| (ended.state.clone(), ended.path.clone(), ended.end.clone());
    while compared.differences.len() < most {
        if let Some(stopped) = options.stop() {
            compared.stopped = Some(stopped);
            break;
        }
        match explorer.advance(&mut { keep }) {
            Some(Ok((_, (state, path, end)))) => {
                follow_old(&mut explorer, old, &state, &path, &end, options, &mut compared, most);
            }
            Some(Err(Step::Stopped(stopped))) => compared.stopped = Some(stopped),
            Some(Err(Step::Forked | Step::Dead | Step::Left)) => {}
            None => break,
        }
        if compared.stopped.is_some() {
            break;
        }
    }
    for ((what, at), count) in std::mem::take(&mut explorer.undecided) {
        *compared.undecided.entry((Doubt::Path(what), at)).or_default() += count;
    }
    explorer.stats.solver = explorer.chain.stats;
    compared.stats = explorer.stats;
    compared
}

/// Runs the old version under the condition of a path of the new one.
#[expect(clippy::too_many_arguments, reason = "one step of one loop, apart for its length")]
fn follow_old(
    explorer: &mut Explorer,
    old: FuncId,
    state: &State,
    path: &Path,
    end: &End,
    options: &Options,
    compared: &mut Compared,
    most: usize,
) {
    compared.scope.extend(explorer.worker.inputs.scope(state));
    if !comes_to_an_end(end) {
        return;
    }
    let begin = Open::new(State::new(explorer.worker.program, Entry { function: old, shell: None }), path.clone());
    let waiting = std::mem::replace(&mut explorer.frontier, Frontier::new(Order::DepthFirst));
    explorer.frontier.add(std::iter::once(begin));
    let keep = |ended: Ended| (ended.state.clone(), ended.path.clone(), ended.end.clone());
    while compared.differences.len() < most {
        if let Some(stopped) = options.stop() {
            compared.stopped = Some(stopped);
            break;
        }
        match explorer.advance(&mut { keep }) {
            Some(Ok((_, (old_state, path, old_end)))) => {
                if comes_to_an_end(&old_end) {
                    compare_ends(explorer, (&old_state, &old_end), (state, end), &path, compared);
                }
            }
            Some(Err(Step::Stopped(stopped))) => {
                compared.stopped = Some(stopped);
                break;
            }
            Some(Err(Step::Forked | Step::Dead | Step::Left)) => {}
            None => break,
        }
    }
    explorer.frontier = waiting;
}

/// Whether a run ended by itself, within the scope.
fn comes_to_an_end(end: &End) -> bool {
    matches!(end, End::Returned(_) | End::Exited(_) | End::Fault { .. })
}

fn compare_ends(
    explorer: &mut Explorer,
    old: (&State, &End),
    new: (&State, &End),
    path: &Path,
    compared: &mut Compared,
) {
    compared.pairs += 1;
    compared.scope.extend(explorer.worker.inputs.scope(old.0));
    let found = same::compare(&mut explorer.worker, old, new);
    for remark in old.0.remarks.iter().chain(new.0.remarks.iter()) {
        let doubt = match &remark.kind {
            RemarkKind::Address => "the outcome depends on where objects lie in memory".to_owned(),
            RemarkKind::Uninitialized => "a value that was never assigned is used".to_owned(),
            RemarkKind::Approximate(what) => format!("only known approximately: {what}"),
            RemarkKind::Outside(name) => {
                let scope = format!("{name} returns the same whenever it is called with the same arguments, in order");
                compared.scope.insert(scope);
                continue;
            }
        };
        *compared.undecided.entry((Doubt::Remark(doubt), remark.at)).or_default() += 1;
    }
    for (aspect, why) in &found.unknown {
        let doubt = Doubt::Comparison(format!("{}: {why}", aspect_name(aspect)));
        *compared.undecided.entry((doubt, None)).or_default() += 1;
    }
    let mut all = Expr::bool(true);
    for (_, same) in &found.parts {
        all = explorer.worker.pool.and(all, *same);
    }
    if all.is_true() {
        return;
    }
    let differs = explorer.worker.pool.not(all);
    match explorer.chain.extend(&explorer.worker.pool, path, differs) {
        Ok(None) => {}
        Err(_) => {
            *compared.undecided.entry((Doubt::Path(Undecided::Solver), None)).or_default() += 1;
        }
        Ok(Some(path)) => {
            let difference = witness(explorer, old, new, &path, &found.parts);
            compared.differences.push(difference);
        }
    }
}

/// The smallest input on which the outcomes differ.
fn witness(
    explorer: &mut Explorer,
    old: (&State, &End),
    new: (&State, &End),
    path: &Path,
    parts: &[(Aspect, Expr)],
) -> Difference {
    let model = explorer.chain.smallest(&mut explorer.worker.pool, path);
    // One input for both: what either of them looked at.
    let mut merged = new.0.clone();
    for &(id, _) in old.0.inputs.iter() {
        Run { worker: &mut explorer.worker, state: &mut merged, at: None }.input_object(id);
    }
    for &leaf in old.0.leaves.to_vec() {
        merged.leaves.push(leaf);
    }
    let condition: Vec<String> =
        path.constraints.iter().map(|&constraint| explorer.worker.text(constraint).to_string()).collect();
    let values = Values::new(&explorer.worker, &model);
    let worker = &explorer.worker;
    let mut observer = Observer::new(worker, &merged, &values);
    let input = observer.input();
    let named =
        observer.named_inputs(&path.constraints).into_iter().map(|(name, value)| (name.to_string(), value)).collect();
    let differing = |(aspect, same): &(Aspect, Expr)| {
        let same = observer.bits(*same).is_some_and(|bits| bits.low() == 1);
        (!same).then(|| aspect.clone())
    };
    let aspects = parts.iter().filter_map(differing).collect();
    let side = |(state, end): (&State, &End)| {
        let (detail, at) = match end {
            End::Fault { detail, at, .. } => (detail.clone(), *at),
            _ => (String::new(), None),
        };
        let outcome = Observer::new(worker, state, &values).outcome(end);
        Side { outcome, detail, at, remarks: state.remarks.to_vec() }
    };
    let (old, new) = (side(old), side(new));
    Difference { input, named, aspects, condition, old, new }
}

/// A part of an outcome in words.
pub fn aspect_name(aspect: &Aspect) -> String {
    match aspect {
        Aspect::End => "end".to_owned(),
        Aspect::Result => "result".to_owned(),
        Aspect::Memory(name) => format!("memory {name}"),
        Aspect::Global(name) => name.clone(),
        Aspect::Output(1) => "standard output".to_owned(),
        Aspect::Output(2) => "standard error".to_owned(),
        Aspect::Output(stream) => format!("output {stream}"),
        Aspect::Calls => "calls".to_owned(),
    }
}
