//! How much work full exploration would be, from a few random paths.
//!
//! D. E. Knuth: "Estimating the efficiency of backtrack programs", Mathematics of Computation 1975: on a random way down a
//! tree, what is done at a node counts as often as there are nodes beside it, which is the product of the numbers of
//! sides so far. The mean over some ways is right for the whole tree, give or take a factor that does not matter here.
//!
//! Guided exploration does more for each path than full exploration. Where it leaves out few paths it is the slower one,
//! and only then; so it is given a small share of the work that full exploration would be, and where that is not
//! enough, full exploration covers all that was asked for. Work is counted, not timed: the result is the same everywhere.

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

/// Work of an instruction that is executed, of one that is traced as well, and of a question.
const INSTRUCTION: f64 = 1.0;
const TRACED: f64 = 8.0;
const QUESTION: f64 = 100.0;

/// Random ways down.
const WAYS: u64 = 16;

/// Most questions on a way.
const DEEP: u64 = 2000;

/// What guided exploration may always do.
const ALWAYS: f64 = 2e5;

/// The part of the work of full exploration that it may do.
const SHARE: f64 = 0.003;

/// Work that guided exploration may do before full exploration takes over.
pub fn allowance(program: &Program, entry: &Entry, options: &Options, chain: Chain) -> f64 {
    (SHARE * full_work(program, entry, options, chain)).max(ALWAYS)
}

/// Work that guided exploration has done.
pub fn guided_work(stats: &Stats, questions: u64) -> f64 {
    TRACED * stats.instructions as f64 + QUESTION * questions as f64
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

/// Work that full exploration would do.
fn full_work(program: &Program, entry: &Entry, options: &Options, mut chain: Chain) -> f64 {
    let mut worker = Worker::new(program, entry.shell.is_none());
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut sum = 0.0;
    let mut done = 0.0;
    let mut ways = 0.0;
    for _ in 0..WAYS {
        // Learning more must not cost more than what it is for.
        if done > ALWAYS / 4.0 {
            break;
        }
        ways += 1.0;
        let mut state = State::new(program, entry.clone());
        let mut path = Path::new();
        let mut beside = 1.0;
        let mut deep = 0;
        loop {
            let before = state.steps;
            let stop = execute(&mut worker, &mut state, options.max_steps.saturating_sub(before).min(1_000_000));
            let work = INSTRUCTION * (state.steps - before) as f64;
            sum += beside * work;
            done += work;
            let Stop::Choose(choice) = stop else { break };
            deep += 1;
            if deep > DEEP || !within_rounds(&worker, &mut state, &choice, options) {
                break;
            }
            let sides: Vec<(u32, Path)> = (0u32..)
                .zip(&choice.conditions)
                .take(if choice.kind == ChoiceKind::Assume { 1 } else { usize::MAX })
                .filter_map(|(side, &condition)| Some((side, chain.extend(&worker.pool, &path, condition).ok()??)))
                .collect();
            let asked = QUESTION * choice.conditions.len() as f64;
            sum += beside * asked;
            done += asked;
            let Some((side, taken)) = sides.get(next(&mut random) as usize % sides.len().max(1)) else { break };
            beside *= sides.len() as f64;
            path = taken.clone();
            state.answer(*side);
        }
    }
    sum / f64::max(ways, 1.0)
}

/// Whether a loop may go on.
fn within_rounds(worker: &Worker, state: &mut State, choice: &exec::state::Choice, options: &Options) -> bool {
    let (Some(unwind), ChoiceKind::Branch { branch }) = (options.unwind, choice.kind) else { return true };
    let code = worker.program.code(choice.function);
    let leaves = code.branches.get(branch as usize).and_then(|info| info.leaves);
    leaves.is_none_or(|inner| state.count_round(inner) <= unwind + 1)
}
