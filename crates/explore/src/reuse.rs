//! Explores a program with the tests of an older version, so that next to nothing has to be solved.
//!
//! After *Makhdoom, Khan, Siddiqui: Incremental symbolic execution for automated test suite maintenance* (ASE 2014),
//! sections 2 and 3. At each branch the tests split by evaluation (Algorithm 1, line 2); a side that holds a test can be
//! taken, and the test has the values of a path there.
//!
//! Deviations. Read literally, the algorithm skips every side without a test ("infeasible before"), which loses paths once
//! a condition changed, and its set of invalid tests is always empty, for a test satisfies a condition or its negation.
//! Here a side without a test is skipped only if that very set of constraints was proven infeasible before: the
//! [`Tree`] of the older exploration says so, node by node, as long as the conditions on the way agree with it. Else the
//! side is solved. Nothing else is skipped, so the paths are exactly those of a full exploration.
//!
//! Where the tree agrees, not even a test has to be evaluated: the tests below a node are those of its paths. Behind a
//! condition that changed, what the tree says of infeasible sides is worth nothing, but its tests are still where they
//! were as far as the changed condition holds for them: only that one is evaluated, and those that fail it move
//! (`placed`). Conditions that are the same as before split the others as before.
//! Subtrees that the caller knows to be the same ([`Reuse::take`]) are not entered at all. Ranges of the paper are parts of
//! the tree, and these are work units anyway ([`crate::parallel`]).

use crate::done::Done;
use crate::forking::{Explorer, Open, Side, Sides};
use crate::options::Options;
use crate::parallel::{Hooks, explore_with};
use crate::prefix::{Decision, Key};
use crate::tree::{End, Known, Mark, NodeId, Tree};
use crate::{Ended, Exploration};
use exec::case::Input;
use exec::entry::{Entry, parameter_places};
use exec::given::Given;
use exec::list::List;
use exec::program::Program;
use exec::state::{Choice, ChoiceKind, State};
use ir::id::FuncId;
use smt::eval::holds;
use smt::expr::Expr;
use smt::pool::digest::mix;
use smt::solver::chain::{Chain, Path};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Says whether the old test of a number went the way of a state in the version that it is from.
pub type WentSo<'t> = dyn Fn(u32, &State) -> bool + Sync + 't;

/// What an older exploration left behind.
#[derive(Default)]
pub struct Reuse<'t> {
    /// Inputs of its tests.
    pub inputs: Vec<&'t Input>,
    /// What it found out; its paths are the first tests, in order.
    pub tree: Option<Tree>,
    /// For each node whether all below it is the same in this version, so that its paths are taken over.
    pub take: Vec<bool>,
    /// Whether only the tests are followed, and sides without one are left out.
    pub only_tests: bool,
    /// Whether paths are handed out with their decisions.
    pub marks: bool,
    /// Whether a test went before as this state does: of several tests of a path, the first such one is preferred.
    pub went_so: Option<&'t WentSo<'t>>,
    /// Paths of this very exploration that an interrupted run found: they are taken over, too.
    pub done: Option<Done>,
}

/// What is taken over: by default a path, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken<T = u32> {
    /// Of the older tree.
    Older(T),
    /// Of what an interrupted run found.
    Done(T),
}

/// What a path that ended knows of older tests.
#[derive(Clone, Copy, Debug, Default)]
pub struct Old<'a> {
    /// Those that go this way, the preferred one first, else ascending; the path's values are those of the first.
    pub tests: &'a [u32],
    /// Whether all constraints on the way are those of the older path of that test.
    pub same: bool,
}

/// What came of an exploration with older tests.
pub struct Reused<R> {
    /// The paths, taken over ones among them.
    pub found: Exploration<R>,
    /// What is known now, for the next time; nothing unless asked for.
    pub tree: Option<Tree>,
    /// Tests that have more than the bounds allow: no path is theirs, and whether one would be is not known.
    pub beyond: BTreeSet<u32>,
}

/// Explores a program. `look` is called for each path that was executed, `take` with each path that is taken over. If `record` is set, the tree is written down.
pub fn explore<R: Send>(
    program: &Program,
    entry: &Entry,
    (options, chain): (&Options, &(dyn Fn() -> Chain + Sync)),
    (reuse, record): (&Reuse<'_>, bool),
    look: impl Fn(Ended) -> R + Sync,
    take: impl Fn(Taken) -> R + Sync,
) -> Reused<R> {
    let (whole, beyond) = (Mutex::new(Tree::new()), Mutex::new(BTreeSet::new()));
    let ranges = reuse.tree.as_ref().map(Tree::ranges).unwrap_or_default();
    let hooks = Hooks {
        begin: &|explorer| {
            explorer.recorder = record.then(Tree::new);
            explorer.wants_marks = reuse.marks;
            explorer.done = reuse.done.as_ref();
            if reuse.tree.is_some() || !reuse.inputs.is_empty() {
                explorer.guide = Some(Box::new(Guide::new(program, entry.function, reuse, &ranges)));
            }
        },
        end: &|explorer| {
            if let Some(guide) = &explorer.guide {
                beyond.lock().unwrap_or_else(PoisonError::into_inner).extend(guide.beyond());
            }
            if let Some(part) = explorer.recorder.take() {
                whole.lock().unwrap_or_else(PoisonError::into_inner).graft(Tree::ROOT, &part, Tree::ROOT);
            }
        },
        take: &|path| Some(take(path)),
    };
    let found = explore_with(program, entry, options, chain, look, &hooks);
    let tree = whole.into_inner().unwrap_or_else(PoisonError::into_inner);
    let beyond = beyond.into_inner().unwrap_or_else(PoisonError::into_inner);
    Reused { found, tree: record.then_some(tree), beyond }
}

/// One worker's view of older tests.
pub struct Guide<'r> {
    reuse: &'r Reuse<'r>,
    ranges: &'r [(u32, u32)],
    /// Where parameters lie in the memory of their variables.
    parameters: Vec<(u32, u64)>,
    /// By number of the test; nothing until somebody asks for its values.
    given: Vec<Option<Given<'r>>>,
    /// For each node of the older tree how many are above it.
    depths: Vec<u32>,
    /// For each test the depth of the node below which it is no longer where the older tree has it, because of a condition
    /// that changed. A node of that tree corresponds to one place of this exploration at most, so it does not matter
    /// who asks.
    moved: Vec<Option<u32>>,
}

/// Which older tests a state may still go with.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// Node of the older tree that this state corresponds to.
    at: Option<NodeId>,
    /// Whether the constraints on the way to it are those of this state.
    exact: bool,
    /// Tests below that node: first, and behind the last. Those that moved are not among them.
    range: (u32, u32),
    /// Other tests for which the constraints hold.
    others: Option<Rc<[u32]>>,
}

impl Standing {
    fn is_empty(&self) -> bool {
        self.at.is_none() && self.range.0 == self.range.1 && self.others.is_none()
    }

    fn of(tests: Vec<u32>) -> Standing {
        Standing { others: (!tests.is_empty()).then(|| tests.into()), ..Standing::default() }
    }
}

impl<'r> Guide<'r> {
    fn new(program: &'r Program, function: FuncId, reuse: &'r Reuse<'r>, ranges: &'r [(u32, u32)]) -> Guide<'r> {
        let given = reuse.inputs.iter().map(|_| None).collect();
        let depths = reuse.tree.as_ref().map(Tree::depths).unwrap_or_default();
        let moved = vec![None; reuse.inputs.len()];
        let parameters = parameter_places(program, function);
        Guide { reuse, ranges, parameters, given, depths, moved }
    }

    /// A test's values.
    fn given(&mut self, test: u32) -> Option<&mut Given<'r>> {
        let input = *self.reuse.inputs.get(test as usize)?;
        let parameters = &self.parameters;
        Some(self.given.get_mut(test as usize)?.get_or_insert_with(|| Given::at(parameters, input)))
    }

    /// Tests that were found to have more than the bounds allow.
    fn beyond(&self) -> impl Iterator<Item = u32> + '_ {
        (0..)
            .zip(&self.given)
            .filter(|(_, given)| given.as_ref().is_some_and(|given| given.is_beyond))
            .map(|(test, _)| test)
    }

    /// Where an exploration begins.
    pub(crate) fn root(&self) -> Standing {
        let count = self.given.len() as u32;
        let range = self.range(Tree::ROOT);
        let others: Vec<u32> = (range.1..count).collect();
        let at = self.reuse.tree.is_some().then_some(Tree::ROOT);
        Standing { at, exact: true, range, ..Standing::of(others) }
    }

    /// Tests that are still where the older tree has them.
    fn staying(&self, standing: &Standing) -> impl Iterator<Item = u32> + '_ {
        let (first, end) = standing.range;
        let here = standing.at.map_or(0, |at| self.depth(at));
        (first..end).filter(move |test| self.moved[*test as usize].is_none_or(|moved| moved >= here))
    }

    fn depth(&self, node: NodeId) -> u32 {
        self.depths.get(node.0 as usize).copied().unwrap_or(0)
    }

    /// Tests that go with a state: those in their place first.
    fn tests<'s>(&'s self, standing: &'s Standing) -> impl Iterator<Item = u32> + 's {
        self.staying(standing).chain(standing.others.iter().flat_map(|others| others.iter().copied()))
    }

    fn takes(&self, node: NodeId) -> bool {
        self.reuse.take.get(node.0 as usize).copied().unwrap_or(false)
    }

    /// Tests below a node; none if only their tree is known.
    fn range(&self, node: NodeId) -> (u32, u32) {
        let (first, end) = self.ranges.get(node.0 as usize).copied().unwrap_or((0, 0));
        let count = self.given.len() as u32;
        (first.min(count), end.min(count))
    }
}

impl<'o> Explorer<'_, 'o> {
    /// A decision's digest, if somebody wants it.
    pub(crate) fn digest(&mut self, choice: &Choice) -> u64 {
        if self.guide.is_none() && self.recorder.is_none() && self.done.is_none() && !self.wants_marks {
            return 0;
        }
        self.places.update(&self.worker, &mut self.chain.digests);
        let considered = considered(choice);
        let start = considered as u128;
        let digest = choice
            .conditions
            .iter()
            .take(considered)
            .fold(start, |hash, &condition| mix(hash, self.chain.digests.of(&self.worker.pool, condition)));
        digest as u64
    }

    /// Which sides can be taken, as far as older tests say; nothing if there are none here.
    pub(crate) fn reused_sides(&mut self, open: &Open, choice: &Choice, digest: u64) -> Option<Sides> {
        if open.standing.is_empty() {
            return None;
        }
        let mut guide = self.guide.take()?;
        let sides = self.sides_of_tree(&mut guide, open, choice, digest);
        let sides = sides.or_else(|| self.sides_of_tests(&mut guide, open, choice, digest));
        self.guide = Some(guide);
        sides
    }

    fn sides_of_tree(&mut self, guide: &mut Guide, open: &Open, choice: &Choice, digest: u64) -> Option<Sides> {
        let (tree, at) = (guide.reuse.tree.as_ref()?, open.standing.at.filter(|_| open.standing.exact)?);
        let considered = considered(choice);
        let mut sides = Sides::default();
        match tree.known(at, digest) {
            Known::Nothing => return None,
            Known::Forced(side) => {
                if side as usize >= considered {
                    return None;
                }
                sides.found.push(Side { side, path: open.path.clone(), standing: open.standing.clone(), take: None });
            }
            Known::Fork(known, children) => {
                if guide.reuse.only_tests || known.iter().any(|&side| side as usize >= considered) {
                    return None;
                }
                for &side in known {
                    let condition = choice.conditions[side as usize];
                    let child = children.iter().find(|(known, _)| *known == side).map(|(_, child)| *child);
                    if let Some(child) = child
                        && guide.takes(child)
                    {
                        let (path, standing) = (open.path.clone(), Standing::default());
                        sides.found.push(Side { side, path, standing, take: Some(Taken::Older(child)) });
                        continue;
                    }
                    let range = child.map_or((0, 0), |child| guide.range(child));
                    let others = self.split(guide, open, open.standing.others.iter().flat_map(|o| o.iter()), condition);
                    let standing = Standing { at: child, exact: true, range, ..Standing::of(others) };
                    let first = guide.tests(&standing).next();
                    let path = first.and_then(|test| self.with_test(guide, (open, &open.path), test, condition));
                    match path.map_or_else(|| self.ask(&open.path, condition), |path| Ok(Some(path))) {
                        Ok(Some(path)) => sides.found.push(Side { side, path, standing, take: None }),
                        Ok(None) => {}
                        Err(()) => sides.unknown += 1,
                    }
                }
            }
        }
        self.stats.remembered += 1;
        self.stats.infeasible += (considered - sides.found.len().min(considered)) as u64;
        Some(sides)
    }

    fn sides_of_tests(&mut self, guide: &mut Guide, open: &Open, choice: &Choice, digest: u64) -> Option<Sides> {
        guide.tests(&open.standing).next()?;
        let mut sides = Sides { partial: guide.reuse.only_tests, ..Sides::default() };
        let standings = self.standings(guide, open, choice, digest);
        let started = Instant::now();
        let before = self.chain.settled(&self.worker.pool, &open.path);
        self.stats.solver_nanos += started.elapsed().as_nanos() as u64;
        for ((side, &condition), standing) in choice.conditions.iter().enumerate().zip(standings) {
            let first = guide.tests(&standing).next();
            let path = match first.and_then(|test| self.with_test(guide, (open, &before), test, condition)) {
                Some(path) => {
                    self.stats.tested += 1;
                    Ok(Some(path))
                }
                None if guide.reuse.only_tests => continue,
                None => self.ask(&before, condition),
            };
            match path {
                Ok(Some(path)) => sides.found.push(Side { side: side as u32, path, standing, take: None }),
                Ok(None) => self.stats.infeasible += 1,
                Err(()) => sides.unknown += 1,
            }
        }
        Some(sides)
    }

    /// Which tests go with each side of a decision that the older tree does not answer.
    fn standings(&mut self, guide: &mut Guide, open: &Open, choice: &Choice, digest: u64) -> Vec<Standing> {
        if let Some(placed) = self.placed(guide, open, choice, digest) {
            return placed;
        }
        let tests: Vec<u32> = guide.tests(&open.standing).collect();
        self.split_all(guide, open, tests, choice).into_iter().map(Standing::of).collect()
    }

    /// The same where the older tree has a corresponding decision, or where all tests that are in their place go the
    /// same way.
    fn placed(&mut self, guide: &mut Guide, open: &Open, choice: &Choice, digest: u64) -> Option<Vec<Standing>> {
        let (tree, at) = (guide.reuse.tree.as_ref()?, open.standing.at?);
        let others = open.standing.others.iter().flat_map(|others| others.iter().copied()).collect();
        let mut others = self.split_all(guide, open, others, choice);
        let stay = Standing { exact: false, others: None, ..open.standing.clone() };
        let mut placed = vec![Standing::default(); others.len()];
        let children = match tree.known(at, digest) {
            Known::Fork(_, children) => children,
            Known::Forced(side) => {
                *placed.get_mut(side as usize)? = stay;
                &[]
            }
            Known::Nothing => {
                let here: Vec<u32> = guide.staying(&open.standing).collect();
                let total = here.len();
                let sides = self.split_all(guide, open, here, choice);
                match sides.iter().position(|tests| tests.len() == total) {
                    Some(only) => {
                        placed[only] = stay;
                        &[]
                    }
                    None => {
                        let children = tree.children(at);
                        let home = |side: u32| {
                            let child = children.iter().find(|(of, _)| *of == side);
                            child.map_or((0, 0), |(_, child)| guide.range(*child))
                        };
                        let is_home = |side: usize, test: u32| {
                            let (first, end) = home(side as u32);
                            (first..end).contains(&test)
                        };
                        let mut moving = Vec::new();
                        for (side, tests) in sides.iter().enumerate() {
                            moving.extend(tests.iter().filter(|&&test| !is_home(side, test)).map(|&test| (side, test)));
                        }
                        // Too many of them: it is another decision.
                        if moving.len() * 2 > total {
                            return None;
                        }
                        let depth = guide.depth(at);
                        let decided: usize = sides.iter().map(Vec::len).sum();
                        if decided < total {
                            return None;
                        }
                        for (side, test) in moving {
                            guide.moved[test as usize] = Some(depth);
                            others[side].push(test);
                        }
                        children
                    }
                }
            }
        };
        for &(side, child) in children {
            if let Some(place) = placed.get_mut(side as usize) {
                *place = Standing { at: Some(child), range: guide.range(child), ..Standing::default() };
            }
        }
        for (standing, others) in placed.iter_mut().zip(others) {
            standing.others = (!others.is_empty()).then(|| others.into());
        }
        Some(placed)
    }

    /// The tests for which each condition of a decision is the first that holds.
    fn split_all(&mut self, guide: &mut Guide, open: &Open, tests: Vec<u32>, choice: &Choice) -> Vec<Vec<u32>> {
        let mut left = tests;
        let mut sides = Vec::new();
        for &condition in choice.conditions.iter().take(considered(choice)) {
            let here = self.split(guide, open, left.iter(), condition);
            let mut gone = here.iter().peekable();
            left.retain(|test| gone.next_if_eq(&test).is_none());
            sides.push(here);
        }
        sides
    }

    fn ask(&mut self, path: &Path, condition: Expr) -> Result<Option<Path>, ()> {
        let started = Instant::now();
        let answer = self.chain.extend(&self.worker.pool, path, condition);
        self.stats.solver_nanos += started.elapsed().as_nanos() as u64;
        answer.map_err(|_| ())
    }

    /// The path with one more condition and the values of a test; nothing should the condition not hold for it.
    fn with_test(
        &mut self,
        guide: &mut Guide,
        (open, path): (&Open, &Path),
        test: u32,
        condition: Expr,
    ) -> Option<Path> {
        let given = guide.given(test)?;
        given.update(&self.worker, &self.places, &open.state);
        let fits = !given.is_beyond && holds(&self.worker.pool, &given.model, condition) == Some(true);
        fits.then(|| path.assume(condition, given.model.clone()))
    }

    /// The tests for which a condition holds, in their order.
    fn split<'t>(
        &mut self,
        guide: &mut Guide,
        open: &Open,
        tests: impl Iterator<Item = &'t u32>,
        condition: Expr,
    ) -> Vec<u32> {
        let mut found = Vec::new();
        for &test in tests {
            let Some(given) = guide.given(test) else { continue };
            given.update(&self.worker, &self.places, &open.state);
            if !given.is_beyond && holds(&self.worker.pool, &given.model, condition) == Some(true) {
                found.push(test);
            }
        }
        found
    }

    /// The tests that remain when a decision is repeated, and the path with the values of one of them.
    pub(crate) fn repeat_with_tests(&mut self, open: &mut Open, choice: &Choice, side: u32, digest: u64) -> bool {
        let Some(mut guide) = self.guide.take() else { return false };
        let condition = choice.conditions[side as usize];
        let known = match (guide.reuse.tree.as_ref(), open.standing.at) {
            (Some(tree), Some(at)) => tree.known(at, digest),
            _ => Known::Nothing,
        };
        // A question without an answer in the tree is one that the tests split, here as when it was first asked.
        let exact = open.standing.exact && known != Known::Nothing;
        let standings = self.standings(&mut guide, open, choice, digest);
        let standing = standings.into_iter().nth(side as usize).unwrap_or_default();
        let standing = Standing { exact: exact && standing.at.is_some(), ..standing };
        let first = guide.tests(&standing).next();
        let before = self.chain.settled(&self.worker.pool, &open.path);
        let path = first.and_then(|test| self.with_test(&mut guide, (open, &before), test, condition));
        self.guide = Some(guide);
        open.standing = standing;
        match path {
            Some(path) => {
                open.path = path;
                true
            }
            None => false,
        }
    }

    /// The tests that go the way of a path that ended; its values become those of the first.
    pub(crate) fn tests_at_end(&mut self, open: &mut Open) -> (Vec<u32>, bool) {
        let Some(mut guide) = self.guide.take() else { return (Vec::new(), false) };
        let mut tests: Vec<u32> = guide.tests(&open.standing).collect();
        // Whatever was known of them on the way: the same tests are kept.
        tests.sort_unstable();
        self.places.update(&self.worker, &mut self.chain.digests);
        tests.retain(|&test| {
            let Some(given) = guide.given(test) else { return false };
            given.update(&self.worker, &self.places, &open.state);
            !given.is_beyond
        });
        if let ([_, _, ..], Some(went_so)) = (tests.as_slice(), guide.reuse.went_so)
            && let Some(at) = tests.iter().position(|&test| went_so(test, &open.state))
        {
            tests[..=at].rotate_right(1);
        }
        if let Some(given) = tests.first().and_then(|&test| guide.given(test)) {
            open.path = open.path.with_values(given.model.clone());
        }
        self.guide = Some(guide);
        let (first, end) = open.standing.range;
        let same = open.standing.exact && tests.first().is_some_and(|test| (first..end).contains(test));
        (tests, same)
    }

    /// Writes down how a state ended, if somebody wants it.
    pub(crate) fn record(&mut self, open: &Open, end: Option<End>) {
        let Some(tree) = &mut self.recorder else { return };
        tree.insert(&open.marks.to_vec(), end, &mut self.noted);
    }

    /// Everything, if nothing is left to be explored.
    pub(crate) fn takes_all(&self) -> Option<Taken<NodeId>> {
        if self.done.is_some_and(|done| done.is_complete(Tree::ROOT)) {
            return Some(Taken::Done(Tree::ROOT));
        }
        let guide = self.guide.as_ref()?;
        guide.root().at.filter(|&root| guide.takes(root)).map(Taken::Older)
    }

    /// Takes over a subtree: it is written down, and its paths are found by [`Explorer::take_over`].
    pub(crate) fn take_subtree(&mut self, marks: &List<Mark>, decisions: List<Decision>, from: Taken<NodeId>) {
        let Some(Source { tree: older, node, .. }) = self.source(from) else { return };
        if let Some(tree) = &mut self.recorder {
            let at = tree.insert(&marks.to_vec(), None, &mut self.noted);
            tree.graft(at, older, node);
        }
        for note in older.notes(node) {
            *self.undecided.entry(note).or_default() += 1;
        }
        self.taken.push((decisions, from));
    }

    /// Paths that were taken over since the last time, and where each stands.
    pub fn take_over(&mut self) -> Vec<(Key, Taken)> {
        let mut paths = Vec::new();
        for (decisions, from) in std::mem::take(&mut self.taken) {
            let Some(Source { tree, ranges, node }) = self.source(from) else { continue };
            let first = ranges.get(node.0 as usize).map_or(0, |range| range.0);
            let before: Vec<Decision> = decisions.to_vec().into_iter().copied().collect();
            for (number, way) in (first..).zip(tree.ways(node)) {
                let mut all = before.clone();
                all.extend(way.into_iter().map(|side| Decision { side, open: true }));
                let path = match from {
                    Taken::Older(_) => Taken::Older(number),
                    Taken::Done(_) => Taken::Done(number),
                };
                paths.push((Key::from_latest(all.iter().rev()), path));
            }
        }
        self.stats.taken += paths.len() as u64;
        self.stats.paths += paths.len() as u64;
        paths
    }

    /// Where something is taken over from.
    fn source(&self, from: Taken<NodeId>) -> Option<Source<'o>> {
        match from {
            Taken::Older(node) => {
                let guide = self.guide.as_ref()?;
                Some(Source { tree: guide.reuse.tree.as_ref()?, ranges: guide.ranges, node })
            }
            Taken::Done(node) => self.done.map(|done| Source { tree: &done.tree, ranges: &done.ranges, node }),
        }
    }
}

/// A part of a tree: the tree, the numbers of its paths, and the node.
struct Source<'t> {
    tree: &'t Tree,
    ranges: &'t [(u32, u32)],
    node: NodeId,
}

/// How many conditions of a question are looked at.
fn considered(choice: &Choice) -> usize {
    if choice.kind == ChoiceKind::Assume { 1 } else { choice.conditions.len() }
}
