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

use crate::forking::{Explorer, MAX_GIVEN_UP, Open, Step};
use crate::options::{Options, Order};
use crate::order::Frontier;
use crate::probe::{Doubt as Unended, Found};
use crate::region::{Extent, MAX_PAIRS, Pair, Region, Regions};
use crate::shrink::{Spent, shrink};
use crate::{Ended, Stats, Stopped};
use change::lines::{Line, line};
use evidence::{Assumption, Gap, Limit};
use exec::aliasing::candidates::{Accesses, Candidates};
use exec::case::{FaultKind, Input, Outcome};
use exec::entry::Entry;
use exec::inputs::{Bounds, InputId, InputObject};
use exec::observe::{Observer, Values};
use exec::program::Program;
use exec::relaid::Relaid;
use exec::run::{Run, Shares, Worker};
use exec::same::{self, Aspect};
use exec::state::{End, Remark, RemarkKind, State, Turn};
use ir::id::{BlockId, FuncId, InstId, LocId};
use ir::inst::InstKind;
use ir::module::{Function, Module};
use rustc_hash::FxHashSet;
use smt::eval::{Evaluator, Model};
use smt::expr::Expr;
use smt::pool::polynomial::normal;
use smt::solver::chain::{Chain, Path};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// What is asked of a comparison, beside the verdict.
pub struct Questions<'q> {
    /// Most differences that are looked for.
    pub most: usize,
    /// What makes two differences one: those with the same answer have one cause.
    pub cause: &'q dyn Fn(&Difference) -> String,
    /// Whether to keep an input for every pair of paths.
    pub cases: bool,
    /// What is not the same in both versions.
    pub changed: &'q ChangedCode,
}

/// Code of a program that is not the same in both versions.
#[derive(Clone, Debug, Default)]
pub struct ChangedCode {
    /// Blocks with an instruction that differs.
    pub blocks: FxHashSet<(FuncId, BlockId)>,
    /// Ways from a block to another one: those of branches that differ, and those on which phis take another value.
    pub edges: FxHashSet<(FuncId, BlockId, BlockId)>,
    /// Selects that differ, or whose conditions do.
    pub selects: FxHashSet<(FuncId, InstId)>,
}

/// How two versions of a function compare.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// Inputs on which the versions differ, as far as the model of the program knows.
    pub differences: Vec<Difference>,
    /// How many causes they have.
    pub causes: usize,
    /// An input for every pair of paths, with what comes of it in the new version, if asked for.
    pub cases: Vec<Case>,
    /// What was not decided, by reason and place, with how often.
    pub undecided: BTreeMap<(Gap, Option<LocId>), u64>,
    /// What the result holds for.
    pub scope: BTreeSet<Assumption>,
    /// What was left out on purpose.
    pub left_out: BTreeSet<Assumption>,
    /// How many pairs of paths were compared.
    pub pairs: u64,
    /// Whether a pair of paths that was compared got to something that changed.
    pub reached: bool,
    /// Whether both versions used memory that is not there on some input: nobody knows what they do where it is.
    pub untold: bool,
    /// Changed lines of the function itself that no pair of paths got to.
    pub missed: BTreeSet<Line>,
    /// Pointers that could lead to what another one leads to, and were taken not to.
    pub possible_aliases: Vec<(String, String)>,
    /// Pointers of the input that may alias, where that can matter.
    pub aliases: Candidates,
    /// Whether a pointer was said to alias something that is not there.
    pub unaliased: bool,
    /// Figures.
    pub stats: Stats,
    /// Whether it was cut short.
    pub stopped: Option<Stopped>,
}

/// An input on which the versions differ.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The input, for both versions.
    pub input: Input,
    /// The input for the old version, if fields lie elsewhere there.
    pub old_input: Option<Box<Input>>,
    /// The objects of the input, and how they go together with those of the old version, if they lie differently there.
    pub objects: Vec<(InputObject, Option<Relaid>)>,
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
    /// Number of its cause.
    pub cause: usize,
    /// Where the versions differ for this cause, if that is known: the input is among it.
    pub region: Option<Region>,
    /// Names of inputs that may have any value, all at once.
    pub any: Vec<String>,
    /// Whether it depends on variables that the input leaves uninitialised in both versions.
    pub unread: bool,
}

impl Difference {
    /// How large the input is: small numbers and short texts come first.
    pub fn size(&self) -> u128 {
        let of = |value: &str| match value.parse::<i128>() {
            Ok(number) => number.unsigned_abs(),
            Err(_) => 1 + value.len() as u128,
        };
        self.named.iter().fold(0, |sum: u128, (_, value)| sum.saturating_add(of(value)))
    }
}

/// An input, and what comes of it in the new version.
#[derive(Clone, Debug)]
pub struct Case {
    /// The input.
    pub input: Input,
    /// What comes of it.
    pub outcome: Outcome,
    /// Branches that it takes.
    pub turns: Vec<exec::case::Turn>,
}

/// Bytes that hold nothing, by their distance, and places of floats.
#[derive(Clone, Debug, Default)]
pub struct Padding {
    /// Of the objects of the input, in their order.
    pub objects: Vec<Vec<u64>>,
    /// Of global variables, by symbol name.
    pub globals: BTreeMap<String, Vec<u64>>,
    /// Where floats begin in the objects of the input, with their bytes.
    pub floats: Vec<Vec<(u64, u64)>>,
    /// The same for global variables.
    pub global_floats: BTreeMap<String, Vec<(u64, u64)>>,
    /// Where capacities of Rust vectors begin in the objects of the input by which an enum tells its cases.
    pub capacities: Vec<Vec<u64>>,
}

/// How a version ended.
#[derive(Clone, Debug)]
pub struct Side {
    /// What is expected to come of the input.
    pub outcome: Outcome,
    /// More about a fault.
    pub detail: String,
    /// Where a fault is.
    pub at: Option<LocId>,
    /// What the outcome depends on beyond its input.
    pub remarks: Vec<Remark>,
    /// Branches that it took.
    pub turns: Vec<Turn>,
    /// Blocks that it entered.
    pub blocks: BTreeSet<(FuncId, BlockId)>,
}

/// Compares two versions of a function, or of a program, on inputs within bounds.
pub fn compare(
    program: &Program,
    old: &Entry,
    new: &Entry,
    options: &Options,
    bounds: &Bounds,
    chain: Chain,
    questions: &Questions,
) -> Compared {
    let options =
        &Options { order: Order::DepthFirst, jobs: 1, harder: HARDER, record_visits: true, ..options.clone() };
    let mut worker = Worker::new(program, new.shell.is_none());
    worker.bounds = bounds.clone();
    worker.whole_numbers = true;
    worker.shares = if options.shares { Shares::All } else { Shares::Nothing };
    let entries = [old.function, new.function];
    let of_entries = questions.changed.selects.iter().filter(|(function, _)| entries.contains(function));
    worker.watched_selects = of_entries.copied().collect();
    let mut explorer = Explorer::new(worker, chain, options);
    explorer.given_up = Some(Vec::new());
    explorer.begin(new, &[]);
    let mut compared = Compared::default();
    let mut seen = Seen {
        questions,
        pairs: Vec::new(),
        differing: Vec::new(),
        found_on: Vec::new(),
        all: true,
        accesses: Accesses::default(),
        met: Met::new(questions.changed, entries),
    };
    let keep = |ended: Ended| (ended.state.clone(), ended.path.clone(), ended.end.clone());
    let mut late = VecDeque::new();
    while !seen.enough() {
        if let Some(stopped) = options.stop() {
            compared.stopped = Some(stopped);
            break;
        }
        if !explorer.frontier.has_new()
            && let Some(behind) = late.pop_front()
        {
            late.extend(follow_old(&mut explorer, new.function, behind, options, &mut compared, &mut seen));
            continue;
        }
        match explorer.advance(&mut { keep }) {
            Some(Ok((_, (state, path, end)))) => {
                if let Some(behind) = begin_old(&mut explorer, old, state, path, end, &mut compared, &mut seen) {
                    late.extend(follow_old(&mut explorer, new.function, behind, options, &mut compared, &mut seen));
                }
            }
            Some(Err(Step::Stopped(stopped))) => compared.stopped = Some(stopped),
            Some(Err(Step::Forked | Step::Dead | Step::Left)) => {}
            None => break,
        }
        if compared.stopped.is_some() {
            break;
        }
    }
    if seen.enough() {
        // Nobody looked at the rest: it may differ in other ways.
        compared.stopped = compared.stopped.or(Some(Stopped::Paths));
    }
    for ((what, at), count) in std::mem::take(&mut explorer.undecided) {
        *compared.undecided.entry((what, at)).or_default() += count;
    }
    if !compared.differences.is_empty() {
        let decided = compared.undecided.keys().all(|(gap, _)| matches!(gap, Gap::OutOfScope { .. }));
        let complete = decided && compared.stopped.is_none() && seen.all && !seen.enough();
        make_smaller(&mut explorer, [old, new], complete, &mut compared, &mut seen);
        explain(&mut explorer, options, complete, &mut compared, &seen);
    }
    explorer.stats.solver = explorer.chain.stats;
    compared.stats = explorer.stats;
    compared.missed = seen.met.missed(&program.module);
    compared.possible_aliases = explorer.worker.inputs.possible_aliases();
    compared.aliases = seen.accesses.candidates(&explorer.worker);
    compared.unaliased = explorer.worker.inputs.unaliased;
    compared
}

/// Runs of the old version under the condition of a path of the new one.
struct Behind {
    /// How the new version ended.
    new: (State, End),
    /// Open states of the old one.
    open: Frontier<Open>,
}

/// The old version at its beginning, under the condition of a path of the new one, if that is worth a look.
fn begin_old(
    explorer: &mut Explorer,
    old: &Entry,
    state: State,
    path: Path,
    end: End,
    compared: &mut Compared,
    seen: &mut Seen,
) -> Option<Behind> {
    compared.scope.extend(explorer.worker.inputs.scope(&state));
    seen.accesses.add(&explorer.worker, &state);
    if !comes_to_an_end(&end) && !may_go_wrong(&end) {
        return None;
    }
    let mut begin = Open::new(State::new(explorer.worker.program, old.clone()), path);
    begin.state.record_visits = true;
    let mut open = Frontier::new(Order::DepthFirst);
    open.add(std::iter::once(begin));
    Some(Behind { new: (state, end), open })
}

/// Follows the old version. What is left are runs that take long, while other paths of the new version wait.
fn follow_old(
    explorer: &mut Explorer,
    function: FuncId,
    behind: Behind,
    options: &Options,
    compared: &mut Compared,
    seen: &mut Seen,
) -> Option<Behind> {
    let Behind { new: (state, end), open } = behind;
    let (state, end) = (&state, &end);
    let waiting = std::mem::replace(&mut explorer.frontier, open);
    explorer.others_wait = waiting.has_new();
    let keep = |ended: Ended| (ended.state.clone(), ended.path.clone(), ended.end.clone());
    while !seen.enough() {
        if let Some(stopped) = options.stop() {
            compared.stopped = Some(stopped);
            break;
        }
        if explorer.others_wait && !explorer.frontier.has_new() {
            break;
        }
        match explorer.advance(&mut { keep }) {
            Some(Ok((_, (old_state, path, old_end)))) => {
                seen.accesses.add(&explorer.worker, &old_state);
                let (old, new) = ((&old_state, &old_end), (state, end));
                match (comes_to_an_end(&old_end), comes_to_an_end(end)) {
                    (true, true) => compare_ends(explorer, function, options, old, new, &path, compared, seen),
                    (true, false) => differ_in_end(explorer, old, new, &path, compared, seen),
                    (false, true) if may_go_wrong(&old_end) => differ_in_end(explorer, old, new, &path, compared, seen),
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
    explorer.others_wait = false;
    let open = std::mem::replace(&mut explorer.frontier, waiting);
    (!open.is_empty()).then(|| Behind { new: (state.clone(), end.clone()), open })
}

/// Whether a run entered one of these blocks; with `left`, one that it left again before it ended: not one in which it ended,
/// or in which it made a call that never returned.
fn gets_to(state: &State, blocks: &FxHashSet<(FuncId, BlockId)>, left: bool) -> bool {
    let mut depth = u32::MAX;
    state.visits.iter_back().any(|visit| {
        let open = visit.depth < depth;
        depth = depth.min(visit.depth);
        !(left && open) && blocks.contains(&(visit.function, visit.block))
    })
}

/// How much of what changed in two functions was run.
struct Met {
    functions: [FuncId; 2],
    /// Changed blocks that were not entered.
    waiting: FxHashSet<(FuncId, BlockId)>,
    entered: FxHashSet<(FuncId, BlockId)>,
    /// Changed ways from a block to another one that were not taken.
    edges: FxHashSet<(FuncId, BlockId, BlockId)>,
    /// Arms of changed selects that were not chosen.
    arms: FxHashSet<((FuncId, InstId), bool)>,
}

impl Met {
    fn new(changed: &ChangedCode, functions: [FuncId; 2]) -> Met {
        let is_own = |function: &FuncId| functions.contains(function);
        let selects = changed.selects.iter().copied().filter(|(function, _)| is_own(function));
        Met {
            functions,
            waiting: changed.blocks.iter().copied().filter(|(function, _)| is_own(function)).collect(),
            entered: FxHashSet::default(),
            edges: changed.edges.iter().copied().filter(|(function, _, _)| is_own(function)).collect(),
            arms: selects.flat_map(|select| [(select, true), (select, false)]).collect(),
        }
    }

    fn add(&mut self, state: &State) {
        if self.waiting.is_empty() && self.edges.is_empty() {
            return;
        }
        for visit in state.visits.iter_back().filter(|visit| self.functions.contains(&visit.function)) {
            let place = (visit.function, visit.block);
            self.waiting.remove(&place);
            self.entered.insert(place);
            if let Some(from) = visit.from {
                self.edges.remove(&(visit.function, from, visit.block));
            }
        }
        // That allocations do not fail is said of the proof: what is done if they do is left out.
        for &(function, block) in state.asked_in.to_vec() {
            self.edges.retain(|&(of, from, _)| (of, from) != (function, block));
        }
    }

    /// Adds the arms of selects that inputs of a path choose.
    fn add_arms(&mut self, explorer: &mut Explorer, path: &Path, state: &State) {
        for &(select, condition) in state.selected.to_vec() {
            for arm in [true, false] {
                if !self.arms.contains(&(select, arm)) {
                    continue;
                }
                let chosen = if arm { condition } else { explorer.worker.pool.not(condition) };
                let is_chosen = match chosen {
                    chosen if chosen.is_true() => true,
                    chosen if chosen.is_false() => false,
                    chosen => matches!(explorer.chain.extend(&explorer.worker.pool, path, chosen), Ok(Some(_))),
                };
                if is_chosen {
                    self.arms.remove(&(select, arm));
                }
            }
        }
    }

    /// Lines of changed code that was not run, of the new version if it has any. A place that a block which was entered
    /// has too is only the other way out of something, such as a check that goes well.
    fn missed(&self, module: &Module) -> BTreeSet<Line> {
        let places = |&(function, block): &(FuncId, BlockId)| {
            let function = &module.functions[function];
            let insts = function.blocks[block].insts.iter().map(|&inst| &function.insts[inst]);
            insts.filter_map(|inst| inst.loc).collect::<Vec<LocId>>()
        };
        let entered: FxHashSet<LocId> = self.entered.iter().flat_map(places).collect();
        // A way that was not taken to where no other way led is told by what stands there, if that has a place of its own.
        let is_missed = |&&(function, from, to): &&(FuncId, BlockId, BlockId)| {
            let is_told = self.waiting.contains(&(function, to))
                && places(&(function, to)).iter().any(|at| !entered.contains(at));
            self.entered.contains(&(function, from)) && !is_told && !is_dead_end(&module.functions[function], to)
        };
        let [old, new] = self.functions.map(|function| {
            let own = self.waiting.iter().filter(|(of, _)| *of == function).flat_map(places);
            let ways = self.edges.iter().filter(|(of, _, _)| *of == function).filter(is_missed);
            let branches = ways.filter_map(|&(function, from, _)| places(&(function, from)).last().copied());
            let selects = self.arms.iter().filter(|((of, _), _)| *of == function);
            let selects = selects.filter_map(|&((function, inst), _)| module.functions[function].insts[inst].loc);
            let own = own.filter(|at| !entered.contains(at));
            own.chain(branches).chain(selects).filter_map(|at| line(module, at)).collect::<BTreeSet<Line>>()
        });
        if new.is_empty() { old } else { new }
    }
}

/// Whether a block leads to no return: such as one that panics.
fn is_dead_end(function: &Function, mut block: BlockId) -> bool {
    for _ in 0..function.blocks.len() {
        match function.terminator(block).map(|inst| &inst.kind) {
            Some(InstKind::Br(next)) => block = *next,
            Some(InstKind::Unreachable) => return true,
            _ => return false,
        }
    }
    true
}

/// How many times the usual work is spent where that leaves something open: it ends with the time for the function.
const HARDER: u32 = 100;

/// Whether a run ended by itself, within the scope.
pub(crate) fn comes_to_an_end(end: &End) -> bool {
    matches!(end, End::Returned(_) | End::Exited(_) | End::Fault { .. })
}

/// What is taken for granted where a run ends by something that its caller might catch.
pub(crate) fn uncaught(end: &End) -> Option<Assumption> {
    match end {
        End::Fault { kind: FaultKind::Uncaught, .. } => Some(Assumption::Uncaught),
        End::Fault { kind: FaultKind::Panic, .. } => Some(Assumption::Panics),
        _ => None,
    }
}

/// What is taken for granted where a program would do something else if there were no memory, or if objects lay elsewhere.
pub(crate) fn granted(state: &State) -> impl Iterator<Item = Assumption> + use<> {
    // Where no code asks, it may matter all the same which of several allocations fails.
    let memory = (state.asked_for_memory || state.allocated).then_some(Assumption::Allocations);
    memory.into_iter().chain(state.asked_for_alignment.then_some(Assumption::Aligned))
}

/// Whether a run did what no valid input makes a right program do: it reads before an object, or does not end, or calls
/// itself again and again.
fn may_go_wrong(end: &End) -> bool {
    match end {
        End::Scope { before, .. } => *before,
        End::Bound { what, .. } => matches!(what, Limit::Instructions | Limit::CallDepth),
        _ => false,
    }
}

/// Calls without end are the end of the stack.
pub(crate) fn as_overflow(end: &End) -> End {
    match end {
        End::Bound { what: Limit::CallDepth, at } => {
            let detail = "calls that never return".to_owned();
            End::Fault { kind: FaultKind::StackOverflow, detail, at: *at }
        }
        other => other.clone(),
    }
}

/// One version came to its end, the other one went wrong.
fn differ_in_end(
    explorer: &mut Explorer,
    old: (&State, &End),
    new: (&State, &End),
    path: &Path,
    compared: &mut Compared,
    seen: &mut Seen,
) {
    if let Some(gap) = one_sided(explorer, path, Expr::bool(true)) {
        *compared.undecided.entry((gap, None)).or_default() += 1;
        return;
    }
    let outside = |end: &End| matches!(end, End::Scope { .. });
    if explorer.worker.inputs.has_twins() && (outside(old.1) || outside(new.1)) {
        *compared.undecided.entry((Gap::BesideRecord, None)).or_default() += 1;
        return;
    }
    let parts = [(Aspect::End, Expr::bool(false))];
    // Whether calls really never return, a native run shows.
    let (old_end, new_end) = (as_overflow(old.1), as_overflow(new.1));
    let (old, new) = ((old.0, &old_end), (new.0, &new_end));
    compared.scope.extend([old.0, new.0].into_iter().flat_map(granted));
    let leaves: Vec<(InputId, u64)> = old.0.leaves.to_vec().into_iter().copied().collect();
    seen.keep(path, Expr::bool(true));
    let (difference, model) = witness(explorer, old, new, path, &parts, &leaves);
    seen.push_differing(model);
    compared.differences.push(difference);
}

#[expect(clippy::too_many_arguments, reason = "one step of one loop, apart for its length")]
fn compare_ends(
    explorer: &mut Explorer,
    function: FuncId,
    options: &Options,
    old: (&State, &End),
    new: (&State, &End),
    path: &Path,
    compared: &mut Compared,
    seen: &mut Seen,
) {
    compared.pairs += 1;
    // Where both versions fail, what changed may stand behind that.
    let both_fail = matches!((old.1, new.1), (End::Fault { .. }, End::Fault { .. }));
    let tells = same::tells(old.1, new.1);
    let reaches = |state: &State| tells && gets_to(state, &seen.questions.changed.blocks, both_fail);
    compared.reached = compared.reached || reaches(old.0) || reaches(new.0);
    compared.untold = compared.untold || !tells;
    if let (End::Fault { at, .. }, true) = (new.1, same::strays(old.1) && same::strays(new.1))
        && same::is_of_rust(&explorer.worker.program.module, function)
    {
        *compared.undecided.entry((Gap::NotGiven, *at)).or_default() += 1;
    }
    if tells {
        for state in [old.0, new.0] {
            seen.met.add(state);
            seen.met.add_arms(explorer, path, state);
        }
    }
    compared.scope.extend(explorer.worker.inputs.scope(old.0));
    // Only now it is known what lies differently in the old version.
    if explorer.worker.inputs.has_twins() {
        compared.scope.extend(explorer.worker.inputs.scope(new.0));
    }
    compared.scope.extend(explorer.worker.inputs.scope_of_one(old.0, new.0));
    compared.scope.extend([old.1, new.1].into_iter().filter_map(uncaught));
    compared.scope.extend([old.0, new.0].into_iter().flat_map(granted));
    let found = same::compare(&mut explorer.worker, function, old, new);
    let shown: Vec<Expr> = path.constraints.iter().copied().chain(found.parts.iter().map(|(_, same)| *same)).collect();
    let follows_outside = explorer.worker.bounds.outside_writes && !uses_unfollowed(explorer, [old.0, new.0]);
    for remark in old.0.remarks.iter().chain(new.0.remarks.iter()) {
        let gap = match &remark.kind {
            RemarkKind::Address => Gap::Addresses,
            // What was never assigned matters only where something that is seen depends on it.
            RemarkKind::Uninitialized if !explorer.worker.depends_on_undefined(&shown) => continue,
            RemarkKind::Uninitialized => Gap::Uninitialised,
            RemarkKind::Approximate(what) => Gap::Approximate { what: what.to_string() },
            // Whatever it returns, it returns to both; and what differs is run natively.
            RemarkKind::AnyResult(_) => continue,
            RemarkKind::Outside(name) => {
                compared.scope.insert(match follows_outside {
                    true => Assumption::OutsideAnswers { function: name.to_string() },
                    false => Assumption::OutsideIsolated { function: name.to_string() },
                });
                continue;
            }
        };
        *compared.undecided.entry((gap, remark.at)).or_default() += 1;
    }
    let has_unread = explorer.worker.depends_on_unread(&shown);
    compared.scope.extend(has_unread.then_some(Assumption::PairedUninitialised));
    compared.left_out.extend(found.left_out.iter().cloned());
    for (aspect, why) in &found.unknown {
        let gap = Gap::Incomparable { part: aspect_name(aspect), why: why.clone() };
        *compared.undecided.entry((gap, None)).or_default() += 1;
    }
    let mut all = Expr::bool(true);
    for (_, same) in &found.parts {
        all = explorer.worker.pool.and(all, *same);
    }
    let mut differs = explorer.worker.pool.not(all);
    for &assumed in &found.assumed {
        differs = explorer.worker.pool.and(differs, assumed);
    }
    let never = differs.is_false() || normal(&mut explorer.worker.pool, differs).is_false();
    let mut answer = if never { Ok(None) } else { explorer.chain.extend(&explorer.worker.pool, path, differs) };
    // The one question that everything leads to is worth more work, as long as there is time.
    if answer.is_err() && options.deadline.is_some() {
        answer = explorer.chain.extend_harder(&explorer.worker.pool, path, differs, HARDER);
    }
    let differing = matches!(answer, Ok(Some(_)));
    seen.keep(path, if differing { differs } else { Expr::bool(false) });
    match answer {
        Ok(None) => {}
        Err(_) => {
            *compared.undecided.entry((Gap::Solver, None)).or_default() += 1;
        }
        // Where objects lie is chance, and so is what comes of it.
        Ok(Some(_)) if depends_on_addresses(old.0) || depends_on_addresses(new.0) => return,
        Ok(Some(path)) => {
            if let Some(gap) = one_sided(explorer, &path, differs) {
                *compared.undecided.entry((gap, None)).or_default() += 1;
                return;
            }
            if has_unread {
                *compared.undecided.entry((Gap::Uninitialised, None)).or_default() += 1;
            }
            let (mut difference, model) = witness(explorer, old, new, &path, &found.parts, &found.leaves);
            difference.unread = has_unread;
            seen.push_differing(model);
            compared.differences.push(difference);
            return;
        }
    }
    if seen.questions.cases {
        let model = explorer.chain.smallest(&mut explorer.worker.pool, path);
        let merged = merged(&mut explorer.worker, new.0, old.0, &found.leaves);
        let values = Values::new(&explorer.worker, &model);
        let input = Observer::new(&explorer.worker, &merged, &values).input();
        let mut observer = Observer::new(&explorer.worker, new.0, &values);
        let (outcome, turns) = (observer.outcome(new.1), observer.turns());
        compared.cases.push(Case { input, outcome, turns });
    }
}

/// Whether calls to the outside may have used memory that is not followed there.
fn uses_unfollowed(explorer: &mut Explorer, states: [&State; 2]) -> bool {
    states
        .into_iter()
        .any(|state| Run { worker: &mut explorer.worker, state: &mut state.clone(), at: None }.may_be_used_unfollowed())
}

fn depends_on_addresses(state: &State) -> bool {
    state.remarks.iter().any(|remark| remark.kind == RemarkKind::Address)
}

/// Why a difference cannot be told, if it depends on something that only one version has.
fn one_sided(explorer: &Explorer, path: &Path, differs: Expr) -> Option<Gap> {
    let roots: Vec<Expr> = path.constraints.iter().copied().chain([differs]).collect();
    let name = explorer.worker.one_sided_in(&roots)?;
    Some(Gap::OneSided { what: name.to_owned() })
}

/// What was compared so far.
struct Seen<'q> {
    questions: &'q Questions<'q>,
    pairs: Vec<Pair>,
    /// For each difference its pair and its values.
    differing: Vec<(usize, Rc<Model>)>,
    /// For each difference the pair that showed it; its input may have been replaced by a smaller one of another pair.
    found_on: Vec<usize>,
    /// Whether all pairs are kept.
    all: bool,
    /// What runs did with memory of the input.
    accesses: Accesses,
    met: Met,
}

impl Seen<'_> {
    fn enough(&self) -> bool {
        self.differing.len() >= self.questions.most
    }

    /// Notes that the last pair that was kept differs.
    fn push_differing(&mut self, model: Rc<Model>) {
        let pair = self.pairs.len().wrapping_sub(1);
        self.differing.push((pair, model));
        self.found_on.push(pair);
    }

    fn keep(&mut self, path: &Path, differs: Expr) {
        if self.pairs.len() < MAX_PAIRS || differs != Expr::bool(false) {
            self.pairs.push(Pair { path: path.constraints.clone(), differs });
        } else {
            self.all = false;
        }
    }
}

/// Makes the smallest input of each cause smaller by trying: there may be a smaller one on another path.
fn make_smaller(
    explorer: &mut Explorer,
    versions: [&Entry; 2],
    complete: bool,
    compared: &mut Compared,
    seen: &mut Seen,
) {
    let until = Instant::now() + SHRINKING;
    let mut order: Vec<usize> = (0..compared.differences.len()).collect();
    order.sort_by_key(|&index| compared.differences[index].size());
    let mut causes: BTreeSet<String> = BTreeSet::new();
    let mut steps = 0;
    let worker = &mut explorer.worker;
    let shares = std::mem::replace(&mut worker.shares, Shares::Nothing);
    for index in order {
        let cause = (seen.questions.cause)(&compared.differences[index]);
        if !causes.insert(cause.clone()) || Instant::now() >= until {
            continue;
        }
        let pairs = &seen.pairs;
        let pair_of = |worker: &Worker, model: &Model| {
            let mut evaluator = Evaluator::new(&worker.pool, model);
            let mut all = |exprs: &[Expr]| exprs.iter().all(|&expr| evaluator.holds(expr) == Some(true));
            pairs.iter().position(|pair| all(&pair.path) && all(&[pair.differs]))
        };
        let made = |worker: &mut Worker, model: &Model, found: &Found, pair: Option<usize>| {
            let (old, new) = ((&found.old.0, &found.old.1), (&found.new.0, &found.new.1));
            let constraints = pair.map_or(&[][..], |pair| &pairs[pair].path);
            witness_of(worker, old, new, model, &found.differing, &found.leaves, constraints)
        };
        // Within what was explored: the condition that is shown is about that. Where it is not all there is, there is no harm.
        let mut accept = |worker: &mut Worker, model: &Model, found: &Found| {
            let pair = pair_of(worker, model);
            (pair.is_some() || !complete) && (seen.questions.cause)(&made(worker, model, found, pair)) == cause
        };
        let mut spent = Spent { steps: &mut steps, until };
        let model = seen.differing[index].1.clone();
        let Some((model, found)) = shrink(worker, versions, &model, Unended::No, &mut accept, &mut spent) else {
            continue;
        };
        let pair = pair_of(worker, &model);
        let smaller = made(worker, &model, &found, pair);
        if smaller.size() < compared.differences[index].size() {
            compared.differences[index] = smaller;
            seen.differing[index] = (pair.unwrap_or(usize::MAX), Rc::new(model));
        }
    }
    worker.concrete = None;
    worker.shares = shares;
}

/// How long smaller inputs are looked for.
const SHRINKING: Duration = Duration::from_millis(800);

/// Says which differences have one cause, where they differ, and which inputs do not matter.
fn explain(explorer: &mut Explorer, options: &Options, complete: bool, compared: &mut Compared, seen: &Seen) {
    let mut causes: Vec<(String, Vec<usize>)> = Vec::new();
    for (index, difference) in compared.differences.iter_mut().enumerate() {
        let cause = (seen.questions.cause)(difference);
        let known = causes.iter().position(|(name, _)| *name == cause);
        difference.cause = known.unwrap_or(causes.len());
        match known {
            Some(known) => causes[known].1.push(index),
            None => causes.push((cause, vec![index])),
        }
    }
    // Explanations are worth less time than the verdict.
    let started = Instant::now();
    let stop = || started.elapsed() > EXPLAINING || options.interrupt.load(Ordering::Relaxed);
    let given_up = explorer.given_up.take().unwrap_or_default();
    let extent = match complete && given_up.len() <= MAX_GIVEN_UP {
        true => Extent::AllBut(&given_up),
        false => Extent::Some,
    };
    let mut regions = Regions::new(&mut explorer.worker, &mut explorer.chain, &seen.pairs, extent, &stop);
    compared.causes = causes.len();
    for (_, members) in &causes {
        // Some input may be of no pair of paths that was followed: then nobody knows a condition for all.
        let known = members.iter().all(|&index| seen.differing[index].0 < seen.pairs.len());
        // The input that is shown, the smallest one, is to be covered first.
        let mut order = members.clone();
        order.sort_by_key(|&index| compared.differences[index].size());
        let mut pairs: Vec<usize> = Vec::new();
        for pair in order.iter().flat_map(|&index| [seen.differing[index].0, seen.found_on[index]]) {
            if !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
        let cover = known.then(|| regions.cover(&pairs)).flatten();
        for &index in members {
            let values = &seen.differing[index].1;
            compared.differences[index].region = cover.as_ref().and_then(|cover| regions.around(cover, values));
        }
        for &index in members.iter().filter(|_| known).take(MAX_WITNESSES) {
            let difference = &mut compared.differences[index];
            difference.any = regions.free(&pairs, &seen.differing[index].1, &difference.named);
        }
    }
}

/// How long explanations may take.
const EXPLAINING: Duration = Duration::from_secs(2);

/// How many differences of one cause may be shown, should the first ones not be confirmed.
const MAX_WITNESSES: usize = 3;

/// What either of two runs looked at of their input, as the first one sees it.
pub fn merged(worker: &mut Worker, state: &State, other: &State, leaves: &[(InputId, u64)]) -> State {
    let mut merged = state.clone();
    for &(id, _) in other.inputs.iter() {
        Run { worker, state: &mut merged, at: None }.input_object(id);
    }
    for &leaf in leaves {
        let mut run = Run { worker, state: &mut merged, at: None };
        if let Some(leaf) = run.leaf_of_side(leaf) {
            // A pointer that only the comparison looked at leads to something, too.
            if let Some(to) = run.worker.inputs.pointee(leaf) {
                run.input_object(to);
            }
            merged.leaves.push(leaf);
        }
    }
    merged
}

/// The same as the old version sees it, its objects in the order that the new version has them in.
fn merged_old(worker: &mut Worker, old: &State, merged_new: &State, leaves: &[(InputId, u64)]) -> State {
    let mut merged = merged(worker, old, merged_new, leaves);
    let position = |id: InputId| {
        let id = worker.inputs.canonical(id);
        merged_new.inputs.iter().position(|(known, _)| worker.inputs.canonical(*known) == id).unwrap_or(usize::MAX)
    };
    let mut inputs = merged.inputs.to_vec();
    inputs.sort_by_key(|(id, _)| position(*id));
    merged.inputs = Rc::new(inputs);
    merged
}

/// The smallest input on which the outcomes differ.
fn witness(
    explorer: &mut Explorer,
    old: (&State, &End),
    new: (&State, &End),
    path: &Path,
    parts: &[(Aspect, Expr)],
    leaves: &[(InputId, u64)],
) -> (Difference, Rc<Model>) {
    let model = explorer.chain.smallest(&mut explorer.worker.pool, path);
    (witness_of(&mut explorer.worker, old, new, &model, parts, leaves, &path.constraints), model)
}

/// An input on which the outcomes differ, given as values of its symbols.
pub(crate) fn witness_of(
    worker: &mut Worker,
    old: (&State, &End),
    new: (&State, &End),
    model: &Model,
    parts: &[(Aspect, Expr)],
    leaves: &[(InputId, u64)],
    constraints: &[Expr],
) -> Difference {
    // One input for both: what either of them looked at.
    let merged = merged(worker, new.0, old.0, leaves);
    let seen_by_old = worker.inputs.has_twins().then(|| merged_old(worker, old.0, &merged, leaves));
    let condition: Vec<String> = constraints.iter().map(|&constraint| worker.text(constraint).to_string()).collect();
    let worker = &*worker;
    let values = Values::new(worker, model);
    let mut observer = Observer::new(worker, &merged, &values);
    let input = observer.input();
    let old_input = seen_by_old.map(|state| Box::new(Observer::new(worker, &state, &values).input()));
    let named = observer.named_inputs(constraints).into_iter().map(|(name, value)| (name.to_string(), value)).collect();
    let differing = |(aspect, same): &(Aspect, Expr)| {
        let same = observer.bits(*same).is_some_and(|bits| bits.low() == 1);
        (!same).then(|| aspect.clone())
    };
    let aspects = parts.iter().filter_map(differing).collect();
    let side = |(state, end): (&State, &End)| {
        let (detail, at) = match end {
            End::Fault { detail, at, .. } => (detail.clone(), *at),
            End::Scope { what, at, .. } => (what.to_string(), *at),
            End::Bound { what, at } => (what.to_string(), *at),
            _ => (String::new(), None),
        };
        let mut outcome = Observer::new(worker, state, &values).outcome(end);
        if let End::Scope { before: true, .. } = end {
            outcome.end = exec::case::End::Fault(FaultKind::OutOfBounds);
        }
        let turns = state.turns.to_vec().into_iter().copied().collect();
        let blocks = state.visits.iter_back().map(|visit| (visit.function, visit.block)).collect();
        Side { outcome, detail, at, remarks: state.remarks.to_vec(), turns, blocks }
    };
    let padding = Padding {
        objects: observer.padding_of_objects(),
        globals: observer.padding_of_globals().into_iter().collect(),
        floats: observer.floats_of_objects(),
        global_floats: observer.floats_of_globals().into_iter().collect(),
        capacities: observer.capacities_of_objects(),
    };
    let (old, new) = (side(old), side(new));
    let objects = merged.inputs.iter().map(|(id, _)| *id).filter(|id| worker.inputs.object(*id).memory);
    let objects = objects.map(|id| (worker.inputs.object(id).clone(), worker.relaid(id).cloned())).collect();
    Difference {
        input,
        old_input,
        objects,
        named,
        aspects,
        condition,
        old,
        new,
        padding,
        cause: 0,
        region: None,
        any: Vec::new(),
        unread: false,
    }
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
        Aspect::Output(exec::state::Effect::NOWHERE) => "what the C library is told".to_owned(),
        Aspect::Output(stream) => format!("output {stream}"),
        Aspect::Calls => "calls".to_owned(),
    }
}
