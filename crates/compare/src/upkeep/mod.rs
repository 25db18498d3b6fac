//! A suite that keeps up with the code: `pathshift tests update` and its sisters.
//!
//! [`update`] explores the new version with the old tests ([`explore::reuse`]) and says of each what became of it. What
//! counts is the way through the code, branch by branch:
//!
//! - *kept*: the test goes the way that it went before;
//! - *re-aimed*: the same input goes another way, and no other test does;
//! - *obsolete*: another test goes the same way now;
//! - *new*: no old test goes this way.
//!
//! Paths whose code did not change ([`same`]) are not even executed, provided that the store has the tree of paths that
//! the suite was made from.

pub mod alike;
pub mod same;

use crate::explore::resume::{self, Resumable};
use crate::explore::{Options, function_place, place, report_stats, test_of, undecided};
use crate::store::{Store, this_build};
use crate::suite::{Test, show, signature};
use exec::case::{Input, Turn};
use exec::entry::Entry;
use exec::observe::turns;
use exec::program::Program;
use exec::state::State;
use explore::reuse::{Reuse, Reused, Taken};
use explore::tree::Tree;
use explore::{Ended, Exploration};
use ir::id::FuncId;
use ir::module::Module;
use report::explore::RunState;
use report::ledger::{Counts, Entry as Line, Ledger, SCHEMA, Status};
use report::model::Place;
use rustc_hash::{FxHashMap, FxHashSet};
use same::{Correspondence, branches};
use serde::{Deserialize, Serialize};
use smt::pool::digest::{mix, text};
use std::sync::Arc;
use std::time::Instant;

/// A version of a program, and the function that is looked at.
#[derive(Clone, Copy)]
pub struct Version<'v> {
    /// The program.
    pub program: &'v Program,
    /// Where runs begin.
    pub entry: &'v Entry,
}

/// A suite to be updated.
pub struct Suite<'s> {
    /// Its tests.
    pub tests: &'s [Test],
    /// Digest of the file that they are from, as the store knows it.
    pub digest: Option<u128>,
    /// Where it is.
    pub name: String,
}

/// What an update comes to.
pub struct Updated {
    /// What became of the tests.
    pub ledger: Ledger,
    /// The new suite.
    pub tests: Vec<Test>,
    /// Its tree of paths, for the store.
    pub tree: Option<Tree>,
}

/// Explores a version and writes its tree of paths down: the suite of all its paths.
pub fn generate(new: Version, options: &Options, suite: String) -> Updated {
    update(None, new, &Suite { tests: &[], digest: None, name: suite }, options, None)
}

/// Finds a suite for the new version that has a test for each of its paths, old ones where they will do. Without an old
/// version the tests are only known by their inputs.
pub fn update(old: Option<Version>, new: Version, suite: &Suite, options: &Options, store: Option<&Store>) -> Updated {
    let started = Instant::now();
    let mut notes = Vec::new();
    let changes = old.map(|old| {
        // Whoever says which function it is knows it under another name, too.
        let [older, newer] = [old, new].map(|of| of.program.module.functions[of.entry.function].symbol);
        change::compare_knowing(&old.program.module, &new.program.module, &[(older, newer)])
    });
    let pair = match (&old, &changes) {
        (Some(old), Some(changes)) => Some(Correspondence::new(old.program, new.program, old.entry.function, changes)),
        _ => None,
    };
    let tree = old.and_then(|old| older_tree(old, suite, options, store, &mut notes));
    let has_tree = tree.is_some();
    let take = match (&tree, &old, &pair) {
        (Some(tree), Some(old), Some(pair)) => untouched_subtrees(tree, *old, pair, suite.tests),
        _ => Vec::new(),
    };
    let inputs: Vec<&Input> = suite.tests.iter().map(|test| &test.input).collect();
    let went_so = |test: u32, state: &State| {
        let Some(before) = suite.tests.get(test as usize) else { return false };
        first_difference(&before.turns, &turns(&new.program.module, state), pair.as_ref()).is_none()
    };
    let reuse = Reuse { inputs, tree, take, went_so: Some(&went_so), ..Reuse::default() };
    let explored = follow_resumably(old, new, options, suite, reuse);
    let mut ledger = judge(&explored, new, suite, pair.as_ref(), has_tree);
    ledger.notes = notes;
    if let Some(obstacle) = pair.as_ref().and_then(|pair| pair.obstacle) {
        ledger.notes.push(format!("no path is taken over unseen: {obstacle}"));
    }
    ledger.stats = report_stats(&explored.found, started);
    let complete = explored.found.stopped.is_none();
    let tests = new_suite(explored.found.paths, suite, pair.as_ref(), &ledger);
    Updated { ledger, tests, tree: explored.tree.filter(|_| complete) }
}

/// Follows tests of which only the inputs are known through the version that they are for, so that it is known which way they
/// went. What is expected is known of those that are the first on their way.
pub fn follow_inputs(version: Version, tests: &mut [Test], options: &Options) {
    let inputs: Vec<Input> = tests.iter().map(|test| test.input.clone()).collect();
    let reuse = Reuse { inputs: inputs.iter().collect(), only_tests: true, ..Reuse::default() };
    // These paths are none that somebody asked for.
    let exploring =
        explore::options::Options { progress: Arc::default(), max_paths: u64::MAX, ..options.explore.clone() };
    let solvers = (&exploring, &*options.chain as _);
    let look = |ended: Ended| (ended.old.tests.to_vec(), test_of(ended));
    let take = |_: Taken| (Vec::new(), Test::of_input(Input::default()));
    let explored = explore::reuse::explore(version.program, version.entry, solvers, (&reuse, false), look, take);
    for (numbers, path) in explored.found.paths {
        for (place, &number) in numbers.iter().enumerate() {
            let Some(test) = tests.get_mut(number as usize) else { continue };
            test.turns.clone_from(&path.turns);
            if place == 0 {
                test.outcome.clone_from(&path.outcome);
            }
        }
    }
}

/// Of several tests that go the same way keeps the first.
pub fn minimize(version: Version, suite: &Suite, options: &Options) -> Updated {
    let started = Instant::now();
    let inputs: Vec<&Input> = suite.tests.iter().map(|test| &test.input).collect();
    let reuse = Reuse { inputs, only_tests: true, ..Reuse::default() };
    let explored = follow(version, options, &reuse);
    let mut ledger = judge(&explored, version, suite, None, false);
    ledger.stats = report_stats(&explored.found, started);
    for entry in ledger.tests.iter_mut().filter(|entry| matches!(entry.status, Status::Kept | Status::ReAimed)) {
        // Only paths count here, not what the tests expect.
        (entry.status, entry.reason) = (Status::Kept, "the first that goes its way".to_owned());
    }
    ledger.counts.kept += std::mem::take(&mut ledger.counts.re_aimed);
    let tests = new_suite(explored.found.paths, suite, None, &ledger);
    Updated { ledger, tests, tree: None }
}

/// The key of a tree of paths in the store: what the function does, and within which bounds it is looked at.
pub fn tree_key(version: Version, options: &Options) -> u128 {
    let Version { program, entry } = version;
    let hashes = change::Hashes::of(&program.module);
    let function = hashes.full(program.module.functions[entry.function].symbol).0;
    let bounds = format!("{:?} {:?} {:?}", program.options, options.explore.unwind, options.explore.max_steps);
    mix(mix(mix(function, text(&bounds)), text(&format!("{:?}", entry.shell))), this_build())
}

fn older_tree(
    old: Version,
    suite: &Suite,
    options: &Options,
    store: Option<&Store>,
    notes: &mut Vec<String>,
) -> Option<Tree> {
    let stored = match store?.tree(tree_key(old, options)) {
        Ok(stored) => stored?,
        Err(error) => {
            notes.push(error.to_string());
            return None;
        }
    };
    let fits = stored.suite.is_some() && stored.suite == suite.digest;
    let mut tree = fits.then_some(stored.tree)?;
    let paths = tree.ranges().first().map_or(0, |range| range.1);
    tree.forget_places();
    // Behind them come tests that were never looked at.
    (paths as usize <= suite.tests.len()).then_some(tree)
}

/// For each node of the older tree whether no path below it runs through anything that changed.
fn untouched_subtrees(tree: &Tree, old: Version, pair: &Correspondence, tests: &[Test]) -> Vec<bool> {
    let untouched = pair.untouched(old.entry.function, tests.iter().map(|test| test.turns.as_slice()));
    // How many tests before each are touched: a node is untouched if none is added below it.
    let mut touched = vec![0u32];
    for &same in &untouched {
        touched.push(touched.last().copied().unwrap_or(0) + u32::from(!same));
    }
    let (ranges, complete, alive) = (tree.ranges(), tree.complete(), tree.without_dead_ends());
    (0..tree.len())
        .map(|node| {
            let (first, end) = (ranges[node].0 as usize, ranges[node].1 as usize);
            complete[node] && alive[node] && first < end && touched.get(first) == touched.get(end)
        })
        .collect()
}

/// A path of the new version.
#[derive(Serialize, Deserialize)]
enum Found {
    /// It was executed.
    Path { test: Box<Test>, tests: Vec<u32>, same: bool },
    /// It is that of an old test, taken over.
    Taken(u32),
}

impl Found {
    fn of(ended: Ended) -> Found {
        let (tests, same) = (ended.old.tests.to_vec(), ended.old.same);
        Found::Path { test: Box::new(test_of(ended)), tests, same }
    }
}

/// Explores the new version such that an interrupted run can be resumed, or goes on with one.
fn follow_resumably(
    old: Option<Version>,
    new: Version,
    options: &Options,
    suite: &Suite,
    mut reuse: Reuse<'_>,
) -> Reused<Found> {
    let versions: Vec<Version> = old.into_iter().chain([new]).collect();
    // The same tests have to come to the same new version from the same old one.
    let key = || {
        let keys = versions.iter().map(|version| resume::key(version.program, version.entry, options));
        keys.fold(mix(text("update"), suite.digest.unwrap_or_default()), mix)
    };
    // Of tests from elsewhere nobody knows whether they are still the same.
    let known = suite.digest.is_some() || suite.tests.is_empty();
    let resumable = Resumable::new::<Found>(options, options.store.as_ref().filter(|_| known), key);
    (reuse.done, reuse.marks) = (resumable.done(), resumable.is_written());
    let look = |mut ended: Ended| {
        let record = resumable.begin(&mut ended);
        let found = Found::of(ended);
        if let Some(record) = resumable.unless_stopped(record)
            && let Ok(bytes) = postcard::to_stdvec(&found)
        {
            resumable.push(&record, &[bytes.into()]);
        }
        Some(found)
    };
    let take = |path: Taken| match path {
        Taken::Older(number) => Some(Found::Taken(number)),
        Taken::Done(number) => resumable.found(number),
    };
    let chain = || resumable.chain();
    let solvers = (&options.explore, &chain as _);
    let work = || explore::reuse::explore(new.program, new.entry, solvers, (&reuse, true), look, take);
    let Reused { found, tree, beyond } = resumable.run(key, work, |reused| reused.found.stopped.is_some());
    let Exploration { paths, undecided, stats, stopped } = found;
    let found = Exploration { paths: paths.into_iter().flatten().collect(), undecided, stats, stopped };
    Reused { found, tree, beyond }
}

fn follow(version: Version, options: &Options, reuse: &Reuse<'_>) -> Reused<Found> {
    let solvers = (&options.explore, &*options.chain as _);
    let take = |path: Taken| match path {
        Taken::Older(number) | Taken::Done(number) => Found::Taken(number),
    };
    explore::reuse::explore(version.program, version.entry, solvers, (reuse, false), Found::of, take)
}

/// Why a test is kept without having been looked at, and what to do about it.
const BEYOND: &str = "it is larger than the bounds (--string, --elements)";

/// Whether tests were left out because they are larger than the bounds.
pub fn has_larger_tests(ledger: &Ledger) -> bool {
    ledger.tests.iter().any(|entry| entry.status == Status::Unchecked && entry.reason == BEYOND)
}

/// Says of every test what became of it. Without the tree that the tests were made from nobody knows their conditions.
fn judge(
    explored: &Reused<Found>,
    new: Version,
    suite: &Suite,
    pair: Option<&Correspondence>,
    has_tree: bool,
) -> Ledger {
    let found = &explored.found;
    let module = &new.program.module;
    let mut header = signature::header(module, new.entry.function);
    header.elements.extend(signature::variables(module));
    let lines = Lines::new(module);
    let mut ledger = Ledger {
        schema: SCHEMA,
        run_state: if found.stopped.is_some() { RunState::Incomplete } else { RunState::Complete },
        function: ir::demangle::function_display_name(module, new.entry.function),
        place: function_place(module, new.entry.function),
        suite: suite.name.clone(),
        written: false,
        counts: Counts::default(),
        tests: Vec::new(),
        undecided: undecided(module, found.undecided.clone()),
        notes: Vec::new(),
        stats: report::explore::Stats::default(),
        reuse: report::ledger::Reuse {
            remembered: found.stats.remembered,
            tested: found.stats.tested,
            taken: found.stats.taken,
            recalled: found.stats.solver.memory,
            solver_us: found.stats.solver_nanos / 1000,
        },
    };
    let seen: FxHashSet<u32> = found
        .paths
        .iter()
        .flat_map(|path| match path {
            Found::Path { tests, .. } => tests.as_slice(),
            Found::Taken(old) => std::slice::from_ref(old),
        })
        .copied()
        .collect();
    let mut add = |status, old: Option<u32>, new: Option<usize>, test: &Test, reason: String, at: Option<Place>| {
        let counts = &mut ledger.counts;
        *match status {
            Status::Kept => &mut counts.kept,
            Status::ReAimed => &mut counts.re_aimed,
            Status::Obsolete => &mut counts.obsolete,
            Status::New => &mut counts.new,
            Status::Unchecked => &mut counts.unchecked,
        } += 1;
        ledger.tests.push(Line {
            status,
            old: old.map(|old| u64::from(old) + 1),
            new: new.map(|new| new as u64 + 1),
            input: show::input(&header, test),
            reason,
            file: at.as_ref().map(|at| at.file.clone()),
            line: at.map(|at| at.line),
        });
    };
    // What is expected of a test that comes from elsewhere.
    let unknown = Test::of_input(Input::default()).outcome;
    for (number, path) in found.paths.iter().enumerate() {
        match path {
            Found::Taken(old) => {
                let Some(test) = suite.tests.get(*old as usize) else { continue };
                add(Status::Kept, Some(*old), Some(number), test, "nothing on its way changed".to_owned(), None);
            }
            Found::Path { test, tests, same } => {
                let Some((&first, rest)) = tests.split_first() else {
                    let at = test.turns.last().and_then(|turn| lines.of(turn));
                    add(Status::New, None, Some(number), test, "no old test goes this way".to_owned(), at);
                    continue;
                };
                let before = |old: u32| suite.tests.get(old as usize).map(|old| old.turns.as_slice()).unwrap_or(&[]);
                match first_difference(before(first), &test.turns, pair) {
                    None => {
                        let mut reason = match (same, has_tree) {
                            (true, _) => "its condition is the same".to_owned(),
                            (false, true) => "goes the same way, although conditions changed".to_owned(),
                            (false, false) => "goes the same way".to_owned(),
                        };
                        let expected = suite.tests.get(first as usize).map(|old| &old.outcome);
                        let other = expected.is_some_and(|expected| *expected != test.outcome && *expected != unknown);
                        if other {
                            reason.push_str("; expects something else now");
                        }
                        let at =
                            test.turns.last().filter(|_| other || !same && has_tree).and_then(|turn| lines.of(turn));
                        add(Status::Kept, Some(first), Some(number), test, reason, at);
                    }
                    Some(at) => {
                        let at = test.turns.get(at).or(test.turns.last()).and_then(|turn| lines.of(turn));
                        let reason = "the same input goes another way".to_owned();
                        add(Status::ReAimed, Some(first), Some(number), test, reason, at);
                    }
                }
                for &old in rest {
                    let Some(dropped) = suite.tests.get(old as usize) else { continue };
                    let at = first_difference(&dropped.turns, &test.turns, pair);
                    let at = at.and_then(|at| lines.of(test.turns.get(at).or(test.turns.last())?));
                    // Tests from elsewhere, and edited ones, may have gone the same way before.
                    let now = if dropped.turns == before(first) { "" } else { " now" };
                    let reason = format!("goes the way of test {}{now}", first + 1);
                    add(Status::Obsolete, Some(old), None, dropped, reason, at);
                }
            }
        }
    }
    let stopped = found.stopped.is_some();
    let mut next = found.paths.len();
    for (old, test) in (0u32..).zip(suite.tests).filter(|(old, _)| !seen.contains(old)) {
        let is_beyond = explored.beyond.contains(&old);
        if stopped || is_beyond {
            let reason = if is_beyond { BEYOND } else { "the exploration was cut short" }.to_owned();
            add(Status::Unchecked, Some(old), Some(next), test, reason, None);
            next += 1;
        } else {
            let reason = "its way is covered, or leaves the bounds".to_owned();
            add(Status::Obsolete, Some(old), None, test, reason, None);
        }
    }
    ledger
}

/// The tests in the order of the new suite.
fn new_suite(found: Vec<Found>, suite: &Suite, pair: Option<&Correspondence>, ledger: &Ledger) -> Vec<Test> {
    let mut tests = Vec::with_capacity(found.len());
    let moving = pair.filter(|pair| pair.moves_branches());
    for path in found {
        match path {
            Found::Path { test, .. } => tests.push(*test),
            Found::Taken(old) => {
                let Some(test) = suite.tests.get(old as usize) else { continue };
                let mut test = test.clone();
                // The same branches, by their new numbers.
                if let Some(pair) = moving {
                    test.turns.iter_mut().for_each(|turn| {
                        if let Some(moved) = pair.turn(turn) {
                            *turn = moved;
                        }
                    });
                }
                tests.push(test);
            }
        }
    }
    let unchecked = ledger.tests.iter().filter(|entry| entry.status == Status::Unchecked);
    tests.extend(unchecked.filter_map(|entry| suite.tests.get(entry.old? as usize - 1).cloned()));
    tests
}

/// Where two ways through the code part; `before` is of the old version.
fn first_difference(before: &[Turn], after: &[Turn], pair: Option<&Correspondence>) -> Option<usize> {
    let same = |old: &Turn, new: &Turn| match pair {
        Some(pair) => pair.turn(old).as_ref() == Some(new),
        None => old == new,
    };
    let common = before.iter().zip(after).take_while(|(old, new)| same(old, new)).count();
    (common < before.len().max(after.len())).then_some(common)
}

/// Where branches are in the source.
struct Lines<'m> {
    module: &'m Module,
    functions: FxHashMap<&'m str, FuncId>,
}

impl<'m> Lines<'m> {
    fn new(module: &'m Module) -> Lines<'m> {
        let functions = module.functions.ids().map(|id| (module.function_label(id), id)).collect();
        Lines { module, functions }
    }

    fn of(&self, turn: &Turn) -> Option<Place> {
        let function = &self.module.functions[*self.functions.get(&*turn.function)?];
        let (_, inst) = *branches(function).get(turn.branch as usize)?;
        place(self.module, function.insts[inst].loc?)
    }
}
