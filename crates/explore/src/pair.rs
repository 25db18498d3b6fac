//! Two versions of a function on the same inputs.
//!
//! Both versions live in one program, their inputs are the same symbols. Every path of the new version is followed; at its
//! end the old version is run under the condition of that path, and where it ends the two outcomes are compared. A
//! difference is an input for which they are not the same; if there is none on any pair of paths, and nothing was left
//! undecided, the versions do the same for every input in scope.
//!
//! Where only one version comes to an end, and the other one goes on for as long as anybody waits or reads memory before
//! an object of the input begins, that is a difference too: a native run will tell. Larger inputs than are looked at are
//! none, since what a caller promises to bring is not known.

use crate::forking::{Explorer, Open, STEPS, Step};
use crate::options::{Options, Order};
use crate::order::Frontier;
use crate::{Ended, Stats, Stopped, Undecided};
use exec::case::{FaultKind, Input};
use exec::entry::Entry;
use exec::inputs::{Bounds, InputId};
use exec::list::List;
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
    /// Bytes of the input's memory that hold nothing, by object and by global variable.
    pub padding: Padding,
}

/// Bytes that hold nothing, by their distance.
#[derive(Clone, Debug, Default)]
pub struct Padding {
    /// Of the objects of the input, in their order.
    pub objects: Vec<Vec<u64>>,
    /// Of global variables, by symbol name.
    pub globals: BTreeMap<String, Vec<u64>>,
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

/// Compares two versions of a function, or of a program, on inputs within bounds; at most so many differences are looked
/// for.
pub fn compare(
    program: &Program,
    old: &Entry,
    new: &Entry,
    options: &Options,
    bounds: &Bounds,
    chain: Chain,
    most: usize,
) -> Compared {
    let options = &Options { order: Order::DepthFirst, jobs: 1, ..options.clone() };
    let mut worker = Worker::new(program, new.shell.is_none());
    worker.bounds = bounds.clone();
    let mut explorer = Explorer::new(worker, chain, options);
    explorer.begin(new, &[]);
    let mut compared = Compared::default();
    let keep = |ended: Ended| (ended.state.clone(), ended.path.clone(), ended.end.clone());
    while compared.differences.len() < most {
        if let Some(stopped) = options.stop() {
            compared.stopped = Some(stopped);
            break;
        }
        match explorer.advance(&mut { keep }) {
            Some(Ok((_, (state, path, end)))) => {
                follow_old(&mut explorer, old, new.function, &state, &path, &end, options, &mut compared, most);
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
    old: &Entry,
    function: FuncId,
    state: &State,
    path: &Path,
    end: &End,
    options: &Options,
    compared: &mut Compared,
    most: usize,
) {
    compared.scope.extend(explorer.worker.inputs.scope(state));
    if !comes_to_an_end(end) && !may_go_wrong(end) {
        return;
    }
    let begin = Open {
        state: State::new(explorer.worker.program, old.clone()),
        path: path.clone(),
        decisions: List::default(),
        repeat: Vec::new(),
        trail: Default::default(),
    };
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
                let (old, new) = ((&old_state, &old_end), (state, end));
                match (comes_to_an_end(&old_end), comes_to_an_end(end)) {
                    (true, true) => compare_ends(explorer, function, options, old, new, &path, compared),
                    (true, false) => differ_in_end(explorer, old, new, &path, compared),
                    (false, true) if may_go_wrong(&old_end) => differ_in_end(explorer, old, new, &path, compared),
                    _ => {}
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

/// How many times the usual work is spent on whether outcomes are the same.
const HARDER: u32 = 100;

/// Whether a run ended by itself, within the scope.
fn comes_to_an_end(end: &End) -> bool {
    matches!(end, End::Returned(_) | End::Exited(_) | End::Fault { .. })
}

/// Whether a run did what no valid input makes a right program do: it reads before an object, or does not end.
fn may_go_wrong(end: &End) -> bool {
    match end {
        End::Scope { before, .. } => *before,
        End::Bound { what, .. } => what == STEPS,
        _ => false,
    }
}

/// One version came to its end, the other one went wrong.
fn differ_in_end(
    explorer: &mut Explorer,
    old: (&State, &End),
    new: (&State, &End),
    path: &Path,
    compared: &mut Compared,
) {
    let parts = [(Aspect::End, Expr::bool(false))];
    let leaves: Vec<(InputId, u64)> = old.0.leaves.to_vec().into_iter().copied().collect();
    let difference = witness(explorer, old, new, path, &parts, &leaves);
    compared.differences.push(difference);
}

fn compare_ends(
    explorer: &mut Explorer,
    function: FuncId,
    options: &Options,
    old: (&State, &End),
    new: (&State, &End),
    path: &Path,
    compared: &mut Compared,
) {
    compared.pairs += 1;
    compared.scope.extend(explorer.worker.inputs.scope(old.0));
    let found = same::compare(&mut explorer.worker, function, old, new);
    let seen: Vec<Expr> = path.constraints.iter().copied().chain(found.parts.iter().map(|(_, same)| *same)).collect();
    for remark in old.0.remarks.iter().chain(new.0.remarks.iter()) {
        let doubt = match &remark.kind {
            RemarkKind::Address => "the outcome depends on where objects lie in memory".to_owned(),
            // What was never assigned matters only where something that is seen depends on it.
            RemarkKind::Uninitialized if !explorer.worker.depends_on_undefined(&seen) => continue,
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
    let mut answer = explorer.chain.extend(&explorer.worker.pool, path, differs);
    // The one question that everything leads to is worth more work, as long as there is time.
    if answer.is_err() && options.deadline.is_some() {
        answer = explorer.chain.extend_harder(&explorer.worker.pool, path, differs, HARDER);
    }
    match answer {
        Ok(None) => {}
        Err(_) => {
            *compared.undecided.entry((Doubt::Path(Undecided::Solver), None)).or_default() += 1;
        }
        Ok(Some(path)) => {
            let difference = witness(explorer, old, new, &path, &found.parts, &found.leaves);
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
    leaves: &[(InputId, u64)],
) -> Difference {
    let model = explorer.chain.smallest(&mut explorer.worker.pool, path);
    // One input for both: what either of them looked at.
    let mut merged = new.0.clone();
    for &(id, _) in old.0.inputs.iter() {
        Run { worker: &mut explorer.worker, state: &mut merged, at: None }.input_object(id);
    }
    for &leaf in leaves {
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
            End::Scope { what, at, .. } | End::Bound { what, at } => (what.clone(), *at),
            _ => (String::new(), None),
        };
        let mut outcome = Observer::new(worker, state, &values).outcome(end);
        if let End::Scope { before: true, .. } = end {
            outcome.end = exec::case::End::Fault(FaultKind::OutOfBounds);
        }
        Side { outcome, detail, at, remarks: state.remarks.to_vec() }
    };
    let padding = Padding {
        objects: observer.padding_of_objects(),
        globals: observer.padding_of_globals().into_iter().collect(),
    };
    let (old, new) = (side(old), side(new));
    Difference { input, named, aspects, condition, old, new, padding }
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
