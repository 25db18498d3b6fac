//! Explorations that go on where they were interrupted.
//!
//! While it goes on, an exploration writes down every path with its decisions. When it is resumed, these are a tree of paths
//! of which parts are complete; they are taken over ([`explore::done`]), and only the rest is explored. Questions that were too hard are not asked again. The result is the same, byte for byte.

use super::{Looked, Options};
use crate::store::{Left, NewRecord, Progress, Step, Store};
use evidence::Gap;
use exec::entry::Entry;
use exec::program::Program;
use explore::Ended;
use explore::done::Done;
use explore::tree::{self, Mark, MarkKind, Tree};
use ir::id::{Id, LocId};
use serde::de::DeserializeOwned;
use smt::pool::digest::{mix, text};
use smt::solver::chain::{Chain, Memory, Solved};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// An exploration that can be resumed: what an interrupted one left behind, and where this one writes what it finds.
pub(crate) struct Resumable<'a> {
    options: &'a Options,
    started: Instant,
    /// The tree of paths that were found.
    tree: Mutex<Option<Tree>>,
    /// What was found, in the order of the tree.
    found: Vec<Vec<u8>>,
    /// Questions that came to the limit on work.
    gave_up: Arc<BTreeSet<u128>>,
    progress: Option<Arc<Progress>>,
}

impl<'a> Resumable<'a> {
    /// Begins an exploration, or goes on with one that was interrupted; what is found of a path is written as `F`. `key` says
    /// which exploration it is.
    pub fn new<F: DeserializeOwned>(options: &'a Options, store: Option<&Store>, key: impl Fn() -> u128) -> Self {
        let progress = store.cloned().map(|store| Arc::new(Progress::new(store, options.resume)));
        let (tree, found, gave_up) = (Mutex::default(), Vec::new(), Arc::default());
        let fresh = Resumable { options, started: Instant::now(), tree, found, gave_up, progress };
        let Some(store) = store.filter(|_| options.resume) else { return fresh };
        // Without what the store says, work is only done again.
        let Left { records, gave_up } = store.progress(key()).unwrap_or_default();
        let gave_up = Arc::new(gave_up);
        let mut tree = Tree::new();
        let mut found: BTreeMap<Vec<u32>, Vec<u8>> = BTreeMap::new();
        for record in records {
            let open = record.way.iter().filter(|step| step.sides.is_some()).map(|step| step.side).collect();
            let readable = postcard::from_bytes::<F>(&record.found).is_ok();
            if !readable || found.insert(open, record.found).is_some() {
                continue;
            }
            let marks: Vec<Mark> = record.way.into_iter().map(mark).collect();
            let mut notes = Vec::new();
            if let Some((gap, place)) = record.undecided {
                let Ok(gap) = serde_json::from_str::<Gap>(&gap) else { continue };
                notes.push((marks.len(), gap, place.map(|place| LocId::from_index(place as usize))));
            }
            tree.insert(&marks.iter().collect::<Vec<_>>(), Some(tree::End::Path), &mut notes);
        }
        let tree = Mutex::new((!found.is_empty()).then_some(tree));
        Resumable { tree, found: found.into_values().collect(), gave_up, ..fresh }
    }

    /// What of the exploration is done already; for its only run.
    pub fn done(&self) -> Option<Done> {
        self.tree.lock().unwrap_or_else(PoisonError::into_inner).take().map(Done::new)
    }

    /// Whether paths are written down, for which their decisions are needed.
    pub fn is_written(&self) -> bool {
        self.progress.is_some()
    }

    /// A path that was found before.
    pub fn found<F: DeserializeOwned>(&self, number: u32) -> Option<F> {
        postcard::from_bytes(self.found.get(number as usize)?).ok()
    }

    /// Solvers that know which questions were too hard, and write down those that are.
    pub fn chain(&self) -> Chain {
        let mut chain = (self.options.chain)();
        if let (Some(progress), Some(memory)) = (&self.progress, chain.memory.take()) {
            let (progress, gave_up) = (progress.clone(), self.gave_up.clone());
            chain.memory = Some(Box::new(Resuming { memory, progress, gave_up }));
        }
        chain
    }

    /// What is to be written of a path, before it is looked at; nothing if that is not worth it.
    pub fn begin(&self, ended: &mut Ended) -> Option<NewRecord> {
        let paths = self.options.explore.progress.paths.load(Ordering::Relaxed);
        let worth_it = self.progress.is_some() && is_worth_it(self.started.elapsed(), paths, self.options);
        worth_it.then(|| begin(ended))
    }

    /// The same after it was looked at. Once the run is to stop, values are no longer made small: such a path is looked for
    /// again.
    pub fn unless_stopped(&self, record: Option<NewRecord>) -> Option<NewRecord> {
        let record = record?;
        if self.options.explore.stop().is_none() {
            return Some(record);
        }
        if let Some(progress) = &self.progress {
            progress.close();
        }
        None
    }

    /// Writes a path down; what was found comes in parts, in the form in which it is read again.
    pub fn push(&self, record: &NewRecord, found: &[Cow<[u8]>]) {
        if let Some(progress) = &self.progress {
            progress.push(record, found);
        }
    }

    /// Explores, while what is found is being written.
    pub fn run<R>(&self, key: impl Fn() -> u128 + Send, work: impl FnOnce() -> R, stopped: impl Fn(&R) -> bool) -> R {
        let Some(progress) = &self.progress else { return work() };
        std::thread::scope(|scope| {
            scope.spawn(move || progress.write_all(key));
            let result = work();
            progress.stop(stopped(&result));
            result
        })
    }
}

/// A memory that knows which questions were too hard.
struct Resuming {
    memory: Box<dyn Memory>,
    progress: Arc<Progress>,
    gave_up: Arc<BTreeSet<u128>>,
}

impl Memory for Resuming {
    fn get(&mut self, key: u128) -> Option<Solved> {
        self.memory.get(key)
    }

    fn put(&mut self, key: u128, solved: Solved) {
        self.memory.put(key, solved);
    }

    fn gave_up(&mut self, question: u128) -> bool {
        self.gave_up.contains(&question)
    }

    fn give_up(&mut self, question: u128) {
        self.progress.give_up(question);
    }
}

/// The key of an exploration: everything that its result depends on, lines included.
pub(crate) fn key(program: &Program, entry: &Entry, options: &Options) -> u128 {
    let module = &program.module;
    let code = text(&crate::suite::fingerprint(module));
    let places = module
        .debug
        .locations
        .iter()
        .fold(code, |key, location| mix(key, u128::from(location.line) << 64 | u128::from(location.column)));
    let explore = &options.explore;
    let work = explore.limits.conflicts;
    let bounds = format!("{:?} {:?} {:?} {work}", program.options, explore.unwind, explore.max_steps);
    let function = text(module.function_name(entry.function));
    // The number is that of the form in which records are written.
    mix(mix(places, function), text(&format!("4 {bounds} {:?}", entry.shell)))
}

/// Whether a path is to be written down: not while they come so fast that finding them again takes no longer than writing
/// them, unless there is a lot to find again. Who resumes a run, or limits its time, will do so again: then all that was found
/// counts, or it would never end.
fn is_worth_it(elapsed: Duration, paths: u64, options: &Options) -> bool {
    const A_LOT: Duration = Duration::from_secs(10);
    const FAST: Duration = Duration::from_micros(100);
    options.resume
        || options.explore.deadline.is_some()
        || elapsed > A_LOT
        || elapsed.as_micros() > FAST.as_micros() * u128::from(paths)
}

/// What is to be written of a path before it is looked at.
fn begin(ended: &mut Ended) -> NewRecord {
    let step = |mark: &Mark| Step {
        side: mark.side,
        condition: mark.condition,
        sides: match &mark.kind {
            MarkKind::Forced => None,
            MarkKind::Fork(sides) => Some(sides.clone()),
        },
    };
    let gap = ended.end.gap().and_then(|gap| serde_json::to_string(&gap).ok());
    let place = ended.place().map(|place| place.index() as u32);
    let (shared, rest) = ended.marks.since(&ended.written.marks);
    let record = NewRecord {
        worker: ended.written.worker,
        shared: shared as u32,
        rest: rest.into_iter().map(step).collect(),
        undecided: gap.map(|gap| (gap, place)),
    };
    ended.written.marks = ended.marks.clone();
    record
}

/// What was found; `row` and `test` are its parts as they are kept.
pub(super) fn parts<'a>(looked: &Looked, row: &'a [u8], test: &'a [u8]) -> [Cow<'a, [u8]>; 3] {
    // Values one after the other are a record of them.
    let rest = postcard::to_stdvec(&(&looked.scope, looked.is_open)).unwrap_or_default();
    [row.into(), test.into(), rest.into()]
}

fn mark(step: Step) -> Mark {
    let kind = match step.sides {
        None => MarkKind::Forced,
        Some(sides) => MarkKind::Fork(sides),
    };
    Mark { condition: step.condition, side: step.side, kind }
}
