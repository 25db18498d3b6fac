//! How much work full exploration would be, from a few random paths.
//!
//! D. E. Knuth: "Estimating the efficiency of backtrack programs", Mathematics of Computation 1975: on a random way down a
//! tree, what is done at a node counts as often as there are nodes beside it, which is the product of the numbers of
//! sides so far. The mean over some ways is right for the whole tree, give or take a factor that does not matter here.
//!
//! Guided exploration does more for each path than full exploration. Where it leaves out few paths it is the slower one,
//! and only then; so it is given a small share of the work that full exploration would be, and where that is not enough,
//! full exploration covers all that was asked for. If that turns out to be little, guided exploration may try again, up
//! to about a second: a smaller suite is worth that much ([`crate::guided::or_full`]). Estimates of small trees with long
//! branches are too low as a rule, so what is little is not estimated. Work is counted, not timed: the result is the same
//! everywhere.

use crate::Stats;
use crate::forking::{Explorer, Step};
use crate::options::{Options, Order};
use exec::entry::Entry;
use exec::program::Program;
use exec::run::Worker;
use exec::state::{ChoiceKind, State, Stop};
use exec::step::execute;
use ir::id::FuncId;
use smt::solver::chain::{Chain, Path};
use std::sync::Arc;

/// Work of an instruction that is executed, of one that is traced as well, of a question, of one that a solver has to answer,
/// of a path that is handed out, of one that is reported with its input, of two constraints on one that its values depend on together, and of a step of the search for
/// tasks. Twenty million are somewhat less than a second.
const INSTRUCTION: f64 = 1.0;
const TRACED: f64 = 8.0;
const QUESTION: f64 = 100.0;
const SOLVED: f64 = 16000.0;
const PATH: f64 = 100.0;
const REPORTED: f64 = 500.0;
const CONNECTED: f64 = 4.0;
const STEP: f64 = 0.5;

/// Fewest and most random ways down.
const FEWEST: u64 = 4;
const MOST: u64 = 1000;

/// Most questions on a way.
const DEEP: u64 = 2000;

/// What guided exploration may do before anybody asks how much full exploration would be, and what the first answer may cost.
const ALWAYS: f64 = 1e5;

/// Full exploration that is little: about a quarter of a second.
const LITTLE: f64 = 5e6;

/// What guided exploration may do where full exploration is little.
const WORTH_IT: u64 = 15_000_000;

/// The part of the work of full exploration that guided exploration may do without knowing more.
const SHARE: f64 = 0.01;

/// The part of what guided exploration has done that the estimate may be.
const ESTIMATE: f64 = 0.05;

/// How much guided exploration may do before full exploration takes over. The estimate becomes better the more depends on it.
pub(crate) struct Allowance<'p> {
    program: &'p Program,
    entry: Entry,
    options: Options,
    worker: Worker<'p>,
    chain: Chain,
    random: u64,
    ways: u64,
    /// Work that was done.
    done: f64,
    /// Work of the whole tree, as each way has it, summed up, and its squares.
    sum: f64,
    squares: f64,
    /// Work of guided exploration at which it is asked for again.
    next: f64,
}

impl<'p> Allowance<'p> {
    /// For an exploration that has not begun.
    pub(crate) fn new(program: &'p Program, entry: &Entry, options: &Options) -> Allowance<'p> {
        Allowance {
            program,
            entry: entry.clone(),
            options: options.clone(),
            worker: Worker::new(program, entry.shell.is_none()),
            chain: Chain::standard(options.limits),
            random: 0x2545_f491_4f6c_dd1d,
            ways: 0,
            done: 0.0,
            sum: 0.0,
            squares: 0.0,
            next: ALWAYS,
        }
    }

    /// Whether guided exploration may go on after so much work.
    pub(crate) fn allows(&mut self, work: f64) -> bool {
        if work < self.next {
            return true;
        }
        self.next = work * 1.25;
        while self.ways < FEWEST || (self.ways < MOST && self.done < (ESTIMATE * work).max(ALWAYS)) {
            let before = self.sum;
            self.go_down();
            self.squares += (self.sum - before).powi(2);
        }
        // Where ways do not agree, few of them may be too many for the whole: less than their mean is sure.
        let ways = self.ways as f64;
        let mean = self.sum / ways;
        let error = ((self.squares / ways - mean * mean).max(0.0) / (ways - 1.0)).sqrt();
        // Several threads share the work of full exploration.
        let full = (mean - error) / self.options.jobs.max(1) as f64;
        work <= SHARE * full
    }

    fn go_down(&mut self) {
        self.ways += 1;
        let mut state = State::new(self.program, self.entry.clone());
        let mut path = Path::new();
        let mut beside = 1.0;
        for _ in 0..DEEP {
            let before = state.steps;
            let most = self.options.max_steps.saturating_sub(before).min(1_000_000);
            let stop = execute(&mut self.worker, &mut state, most);
            let mut work = INSTRUCTION * (state.steps - before) as f64;
            let sides = match stop {
                Stop::Choose(choice) if within_rounds(&self.worker, &mut state, &choice, &self.options) => {
                    let solved = solved(&self.chain);
                    let sides = if choice.kind == ChoiceKind::Assume { 1 } else { choice.conditions.len() };
                    let pool = &self.worker.pool;
                    let feasible = (0u32..).zip(&choice.conditions[..sides.min(choice.conditions.len())]);
                    let feasible = feasible.filter_map(|(side, &condition)| {
                        Some((side, self.chain.extend(pool, &path, condition).ok()??))
                    });
                    let feasible: Vec<(u32, Path)> = feasible.collect();
                    // Full exploration asks once for a branch with two sides.
                    work += QUESTION * (choice.conditions.len() as f64 - 1.0).max(1.0);
                    work += SOLVED * (self::solved(&self.chain) - solved) as f64;
                    feasible
                }
                _ => {
                    work += PATH + CONNECTED * path.connected() as f64;
                    Vec::new()
                }
            };
            self.done += work;
            self.sum += beside * work;
            let Some((side, taken)) = sides.get(next(&mut self.random) as usize % sides.len().max(1)) else { return };
            beside *= sides.len() as f64;
            path = taken.clone();
            state.answer(*side);
        }
    }
}

/// Questions that solvers answered.
fn solved(chain: &Chain) -> u64 {
    chain.stats.blaster + chain.stats.others
}

/// Work that guided exploration has done; `steps` are those of its search for tasks.
pub(crate) fn guided_work(stats: &Stats, chain: &Chain, steps: u64) -> f64 {
    TRACED * stats.instructions as f64
        + QUESTION * chain.stats.questions as f64
        + SOLVED * solved(chain) as f64
        + PATH * stats.paths as f64
        + STEP * steps as f64
}

/// How much work guided exploration is worth where full exploration was so much; nothing if that was enough already.
pub(crate) fn worth_after(full: &Stats) -> Option<u64> {
    let solver = &full.solver;
    let work = INSTRUCTION * full.instructions as f64
        + QUESTION * solver.questions as f64
        + SOLVED * (solver.blaster + solver.others) as f64
        + REPORTED * full.paths as f64;
    (work <= LITTLE).then_some(WORTH_IT)
}

/// Work of a skip beside the instructions that it executes, and of an instruction that is executed to complete a path.
const SKIP: f64 = 150.0;
const COMPLETING: f64 = 6.0;

/// Work from which on skipping must save much to be worth it; below it, conditions that say less are worth as much.
const LARGE: f64 = 5e6;

/// The part of the work without skipping that skipping may be, as estimated. Few ways fall back again and again, but they are
/// most of the work where there are any; so the estimate is mostly too low, by as much as a factor of ten.
const PAYS: f64 = 0.1;

/// Random ways down for that: at first, and at most. The more there is to explore, the more of them are worth it.
const FIRST_WAYS: u64 = 24;
const MOST_WAYS: u64 = 240;

/// The part of the work without skipping that the estimate itself may be.
const ESTIMATING: f64 = 0.004;

/// Whether a directed exploration had better skip what is not affected, or decide it. Asks with the worker and the solvers of
/// an explorer that has begun, which are worth keeping: what they found out will be asked again.
pub(crate) fn skipping_pays<'p>(
    begun: (Worker<'p>, Chain),
    entry: &Entry,
    options: &Options,
    forced: &[(FuncId, u32)],
) -> (bool, (Worker<'p>, Chain)) {
    let options = Options { order: Order::BreadthFirst, progress: Arc::default(), ..options.clone() };
    let mut explorer = Explorer::new(begun.0, begun.1, &options);
    explorer.forced = forced.to_vec();
    let [mut plain, mut skipping] = [Walk::default(), Walk::default()];
    let pays = loop {
        explorer.plain = true;
        (0..FIRST_WAYS).for_each(|_| plain.go_down(&mut explorer, entry));
        let is_large = plain.work() >= LARGE;
        let most = if is_large { PAYS * plain.work() } else { plain.work() };
        let is_last = !is_large || plain.ways >= MOST_WAYS || 2.0 * plain.done > ESTIMATING * plain.work();
        explorer.plain = false;
        // Ways that are dear enough settle it, whatever the others are.
        while skipping.ways < plain.ways && (!is_last || skipping.sum < most * plain.ways as f64) {
            skipping.go_down(&mut explorer, entry);
        }
        if is_last {
            break skipping.work() < most;
        }
    };
    (pays, (explorer.worker, explorer.chain))
}

/// Random ways down the tree of a directed exploration.
struct Walk {
    random: u64,
    ways: u64,
    /// Work that was done.
    done: f64,
    /// Work of the whole tree, as each way has it.
    sum: f64,
}

impl Default for Walk {
    fn default() -> Walk {
        Walk { random: 0x2545_f491_4f6c_dd1d, ways: 0, done: 0.0, sum: 0.0 }
    }
}

impl Walk {
    fn go_down(&mut self, explorer: &mut Explorer, entry: &Entry) {
        self.ways += 1;
        explorer.frontier.clear();
        explorer.begin(entry, &[]);
        let mut beside = 1.0;
        loop {
            let before = directed_work(explorer);
            let step = explorer.advance(&mut |_| ());
            let work = directed_work(explorer) - before;
            self.done += work;
            self.sum += beside * work;
            let sides = explorer.frontier.len();
            if !matches!(step, Some(Err(Step::Forked))) || sides == 0 {
                break;
            }
            beside *= sides as f64;
            explorer.frontier.keep(next(&mut self.random) as usize % sides);
        }
    }

    /// Work that the exploration would do.
    fn work(&self) -> f64 {
        self.sum / self.ways.max(1) as f64
    }
}

/// Work that a directed exploration has done.
fn directed_work(explorer: &Explorer) -> f64 {
    let Stats { instructions, completing, skipped, .. } = explorer.stats;
    INSTRUCTION * instructions as f64
        + COMPLETING * completing as f64
        + SKIP * skipped as f64
        + QUESTION * explorer.chain.stats.questions as f64
}

/// The next of numbers that look random (xorshift).
fn next(random: &mut u64) -> u64 {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    *random >> 33
}

/// Whether a loop may go on.
fn within_rounds(worker: &Worker, state: &mut State, choice: &exec::state::Choice, options: &Options) -> bool {
    let (Some(unwind), ChoiceKind::Branch { branch }) = (options.unwind, choice.kind) else { return true };
    let code = worker.program.code(choice.function);
    let leaves = code.branches.get(branch as usize).and_then(|info| info.leaves);
    leaves.is_none_or(|inner| state.count_round(inner) <= unwind + 1)
}
