//! The same work on several threads.
//!
//! A worker that has more open states than it needs gives one away as a *unit*: the prefix of decisions that leads to
//! it. Another worker repeats these decisions in expressions of its own, without asking which sides are feasible, and
//! explores below. Results carry their prefix and are put in the order of the tree at the end, so they do not depend on
//! who found them.

use crate::forking::{Explorer, Step};
use crate::options::Options;
use crate::prefix::{Decision, Key};
use crate::reuse::Taken;
use crate::{Ended, Exploration, Stats, Stopped};
use exec::entry::Entry;
use exec::program::Program;
use exec::run::Worker;
use smt::solver::chain::Chain;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// Explores a program from an entry. `look` is called with each path that ends, on whatever thread found it; `chain`
/// makes the solvers of a worker.
pub fn explore<R: Send>(
    program: &Program,
    entry: &Entry,
    options: &Options,
    chain: impl Fn() -> Chain + Sync,
    look: impl Fn(Ended) -> R + Sync,
) -> Exploration<R> {
    explore_with(program, entry, options, chain, look, &Hooks { begin: &|_| {}, end: &|_| {}, take: &|_| None })
}

/// What else happens around the work of a worker.
pub(crate) struct Hooks<'h, 'p, 'o, R> {
    /// Before it begins.
    pub begin: &'h (dyn Fn(&mut Explorer<'p, 'o>) + Sync),
    /// When it has nothing left to do.
    pub end: &'h (dyn Fn(&mut Explorer<'p, 'o>) + Sync),
    /// With each path that is taken over.
    pub take: &'h (dyn Fn(Taken) -> Option<R> + Sync),
}

/// The same with a say in how a worker begins and ends.
pub(crate) fn explore_with<'p, 'o, R: Send>(
    program: &'p Program,
    entry: &Entry,
    options: &'o Options,
    chain: impl Fn() -> Chain + Sync,
    look: impl Fn(Ended) -> R + Sync,
    hooks: &Hooks<'_, 'p, 'o, R>,
) -> Exploration<R> {
    let free_globals = entry.shell.is_none();
    let (manner, begun) = crate::directed::probe(program, entry, options, &chain);
    // Where what is left out depends on what was found before, the order must be the same each time.
    let jobs = if options.literal || options.target.is_some() { 1 } else { options.jobs.max(1) };
    let queue = Queue::new(jobs);
    queue.put(Vec::new());
    let work = |number: usize, begun: Option<(Worker<'p>, Chain)>| {
        let mut total = Exploration::<(Key, R)> {
            paths: Vec::new(),
            undecided: Default::default(),
            stats: Stats::default(),
            stopped: None,
        };
        let (worker, chain) = begun.unwrap_or_else(|| (Worker::new(program, free_globals), chain()));
        let mut explorer = Explorer::new(worker, chain, options);
        explorer.forced.clone_from(&manner.forced);
        explorer.plain = manner.plain;
        explorer.written.worker = number as u32;
        (hooks.begin)(&mut explorer);
        // A worker that dies must not leave the others waiting for it.
        let _guard = CloseOnPanic(&queue);
        // An entry is the same for all threads, but not to be sent between them.
        let entry = entry.clone();
        while let Some(unit) = queue.take() {
            explorer.begin(&entry, &unit);
            run_unit(&mut explorer, &queue, options, &look, hooks.take, &mut total);
        }
        (hooks.end)(&mut explorer);
        explorer.stats.solver = explorer.chain.stats;
        total.stats = explorer.stats;
        total.undecided = explorer.undecided;
        total
    };
    let mut parts = Vec::new();
    let mut lost = false;
    if jobs == 1 {
        parts.push(work(0, begun));
    } else {
        let entry_work = &work;
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..jobs)
                .filter_map(|index| {
                    let builder = std::thread::Builder::new().stack_size(64 << 20);
                    builder.spawn_scoped(scope, move || entry_work(index, None)).ok()
                })
                .collect();
            if threads.is_empty() {
                parts.push(work(0, None));
            }
            for thread in threads {
                match thread.join() {
                    Ok(part) => parts.push(part),
                    Err(_) => lost = true,
                }
            }
        });
    }
    let mut result = merge(parts);
    // Workers that end a path at the same time may find one more than was asked for.
    result.paths.truncate(usize::try_from(options.max_paths).unwrap_or(usize::MAX));
    result.stats.paths = result.stats.paths.min(options.max_paths);
    if lost {
        result.stopped = Some(Stopped::Lost);
    }
    result
}

fn run_unit<R>(
    explorer: &mut Explorer,
    queue: &Queue,
    options: &Options,
    look: &impl Fn(Ended) -> R,
    take: &(dyn Fn(Taken) -> Option<R> + Sync),
    total: &mut Exploration<(Key, R)>,
) {
    let mut look = |ended: Ended| look(ended);
    let mut count = 0u32;
    loop {
        count = count.wrapping_add(1);
        if count.is_multiple_of(16) {
            options.progress.open.store(explorer.frontier.len() as u64, Ordering::Relaxed);
            total.stopped = total.stopped.or_else(|| options.stop());
        }
        if options.progress.paths.load(Ordering::Relaxed) >= options.max_paths {
            total.stopped = total.stopped.or((!explorer.frontier.is_empty()).then_some(Stopped::Paths));
        }
        if total.stopped.is_some() {
            queue.close();
            return;
        }
        while explorer.frontier.len() > 1 && queue.wants() {
            let Some(open) = explorer.frontier.give() else { break };
            let mut unit: Vec<Decision> = open.decisions.to_vec().into_iter().copied().collect();
            unit.extend(open.repeat.iter().rev());
            queue.put(unit);
        }
        let step = explorer.advance(&mut look);
        let taken = explorer.take_over().into_iter();
        total.paths.extend(taken.filter_map(|(key, path)| Some((key, take(path)?))));
        match step {
            Some(Ok(result)) => total.paths.push(result),
            Some(Err(Step::Stopped(reason))) => total.stopped = Some(reason),
            Some(Err(Step::Forked | Step::Dead | Step::Left)) => {}
            None => return,
        }
    }
}

fn merge<R>(parts: Vec<Exploration<(Key, R)>>) -> Exploration<R> {
    let mut paths = Vec::new();
    let mut result =
        Exploration { paths: Vec::new(), undecided: Default::default(), stats: Stats::default(), stopped: None };
    for part in parts {
        paths.extend(part.paths);
        for (what, count) in part.undecided {
            *result.undecided.entry(what).or_default() += count;
        }
        result.stopped = result.stopped.or(part.stopped);
        result.stats.paths += part.stats.paths;
        result.stats.infeasible += part.stats.infeasible;
        result.stats.skipped += part.stats.skipped;
        result.stats.fell_back += part.stats.fell_back;
        result.stats.unaffected += part.stats.unaffected;
        result.stats.remembered += part.stats.remembered;
        result.stats.tested += part.stats.tested;
        result.stats.taken += part.stats.taken;
        result.stats.instructions += part.stats.instructions;
        result.stats.completing += part.stats.completing;
        result.stats.solver_nanos += part.stats.solver_nanos;
        result.stats.solver += part.stats.solver;
    }
    // Stable, because that sort takes what each worker found in order as it is.
    paths.sort_by(|(a, _), (b, _)| a.cmp(b));
    result.paths = paths.into_iter().map(|(_, result)| result).collect();
    result
}

struct CloseOnPanic<'q>(&'q Queue);

impl Drop for CloseOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.close();
        }
    }
}

/// Units that wait for a worker.
struct Queue {
    inner: Mutex<Waiting>,
    changed: Condvar,
    workers: usize,
    /// Workers without a unit, as it was a moment ago: looked at often, without a lock.
    hungry: AtomicUsize,
}

struct Waiting {
    units: Vec<Vec<Decision>>,
    idle: usize,
    closed: bool,
}

impl Queue {
    fn new(workers: usize) -> Queue {
        Queue {
            inner: Mutex::new(Waiting { units: Vec::new(), idle: 0, closed: false }),
            changed: Condvar::new(),
            workers,
            hungry: AtomicUsize::new(0),
        }
    }

    fn put(&self, unit: Vec<Decision>) {
        let mut waiting = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.units.push(unit);
        self.count(&waiting);
        self.changed.notify_one();
    }

    /// Whether some worker has nothing to do.
    fn wants(&self) -> bool {
        self.workers > 1 && self.hungry.load(Ordering::Relaxed) > 0
    }

    fn count(&self, waiting: &Waiting) {
        self.hungry.store(waiting.idle.saturating_sub(waiting.units.len()), Ordering::Relaxed);
    }

    /// The next unit; `None` when all work is done.
    fn take(&self) -> Option<Vec<Decision>> {
        let mut waiting = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.idle += 1;
        self.count(&waiting);
        loop {
            if waiting.closed {
                return None;
            }
            if let Some(unit) = waiting.units.pop() {
                waiting.idle -= 1;
                self.count(&waiting);
                return Some(unit);
            }
            if waiting.idle == self.workers {
                waiting.closed = true;
                self.changed.notify_all();
                return None;
            }
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn close(&self) {
        let mut waiting = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.closed = true;
        self.changed.notify_all();
    }
}
