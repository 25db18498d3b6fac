//! Going on behind a branch without deciding it.
//!
//! A branch that cannot matter to whoever drives the state is *skipped*: execution goes on where all its ways meet again
//! (the join), and what they may have assigned in between is no longer known ([`Value::Skipped`]). What that is, the
//! ways tell themselves: each is executed, no side of any question being left out and no solver being asked; branches on
//! the way are skipped in the same manner. At the join everything in which two ways differ is forgotten. A way that
//! leads back to the branch begins again from what is left, until nothing more is to be forgotten. So the work is that
//! of the code in between, however many paths it has, and memory is as exact as in any other run.
//!
//! A way that ends the program, by a fault or on its own, does not come to the join: whoever goes on from there goes on
//! for the inputs that do. Where more happens than computing (a call to the outside, output, memory that ends, an
//! exception) the branch is not skipped.

use crate::code::{Code, Op};
use crate::contents::{Cell, Contents, Unset};
use crate::inputs::{InputId, LeafValue};
use crate::memory::{Kind, Object};
use crate::run::{Run, Worker};
use crate::state::{ChoiceKind, End, State, Stop};
use crate::step::execute;
use crate::value::{ObjectId, Pointer, Value};
use ir::id::FuncId;
use std::rc::Rc;
use std::sync::Arc;

/// The state behind the branch or switch that `state` asks about; what is unknown there is from skip `number`. `None` if
/// the branch cannot be skipped.
pub fn skip(worker: &mut Worker, state: &State, number: u32) -> Option<State> {
    let mut skipper = Skipper { worker, number, left: MAX_STEPS, open: Vec::new() };
    let mut behind = skipper.pass(state.clone()).ok().flatten()?;
    behind.until = state.until;
    behind.steps = state.steps + (MAX_STEPS - skipper.left);
    Some(behind)
}

/// Goes on behind the running instruction, which asks something, without its value. `false` if it does more than compute
/// one.
pub fn skip_value(state: &mut State, number: u32) -> bool {
    let Some(frame) = state.top_mut() else { return false };
    let Some(inst) = frame.code.insts.get(frame.at as usize) else { return false };
    let computes = matches!(
        inst.op,
        Op::Binary { .. }
            | Op::FNeg { .. }
            | Op::Compare { .. }
            | Op::Cast { .. }
            | Op::Select { .. }
            | Op::Load { volatile: false, .. }
            | Op::Gep { .. }
            | Op::ExtractElement { .. }
            | Op::InsertElement { .. }
    );
    let dest = inst.dest as usize;
    if !computes || dest >= frame.registers.len() {
        return false;
    }
    frame.registers[dest] = Value::Skipped(number);
    frame.at += 1;
    state.forget_questions();
    true
}

/// Most instructions that are executed for a skip.
const MAX_STEPS: u64 = 100_000;
/// Most branches that are skipped inside each other.
const MAX_NESTING: usize = 24;
/// Most rounds until a loop has nothing more to be forgotten.
const MAX_ROUNDS: usize = 16;
/// Most ways that wait at a time.
const MAX_WAYS: usize = 64;

/// A branch cannot be skipped.
struct GiveUp;

struct Skipper<'w, 'p> {
    worker: &'w mut Worker<'p>,
    number: u32,
    left: u64,
    open: Vec<Region>,
}

/// A branch whose ways are being executed.
struct Region {
    depth: usize,
    function: FuncId,
    branch: u32,
    /// The state at the branch, for any number of rounds.
    base: State,
    /// Whether the base lost something in this round.
    grown: bool,
    /// Objects below this number are the same in all ways.
    known: u32,
    /// What comes to the join.
    joined: Joined,
}

enum Joined {
    Nothing,
    /// One way, which is exact.
    One(Box<State>),
    /// Several, without what they differ in.
    Several(Box<State>),
}

impl Skipper<'_, '_> {
    /// Executes all ways of the branch that a state is at. The state at the join; `None` if no way comes there.
    fn pass(&mut self, mut state: State) -> Result<Option<State>, GiveUp> {
        let Some(frame) = state.top() else { return Err(GiveUp) };
        let code = frame.code.clone();
        let (branch, edges) = sides(&code, frame.at).ok_or(GiveUp)?;
        let join = code.branches[branch as usize].join.ok_or(GiveUp)?;
        if self.open.len() >= MAX_NESTING {
            return Err(GiveUp);
        }
        state.forget_questions();
        let (depth, known) = (state.frames.len(), state.memory.len());
        let region = Region {
            depth,
            function: code.function,
            branch,
            base: state,
            grown: false,
            known,
            joined: Joined::Nothing,
        };
        self.open.push(region);
        let index = self.open.len() - 1;
        for _ in 0..MAX_ROUNDS {
            self.open[index].grown = false;
            self.open[index].joined = Joined::Nothing;
            for &edge in &edges {
                let mut way = self.open[index].base.clone();
                way.until = Some((depth, join));
                Run { worker: self.worker, state: &mut way, at: None }.follow(&code, edge).map_err(|_| GiveUp)?;
                self.run(way, index)?;
            }
            if !self.open[index].grown {
                let region = self.open.pop().ok_or(GiveUp)?;
                return Ok(match region.joined {
                    Joined::Nothing => None,
                    Joined::One(state) | Joined::Several(state) => Some(*state),
                });
            }
        }
        Err(GiveUp)
    }

    /// Executes a way to the join of a region, and all that it parts into.
    fn run(&mut self, way: State, index: usize) -> Result<(), GiveUp> {
        let (depth, until) = (self.open[index].depth, way.until);
        let mut waiting = vec![way];
        while let Some(mut way) = waiting.pop() {
            loop {
                if way.has_arrived() {
                    self.arrive(way, index)?;
                    break;
                }
                let before = way.steps;
                let stop = execute(self.worker, &mut way, self.left);
                self.left = self.left.saturating_sub(way.steps - before);
                if way.frames.len() < depth {
                    return Err(GiveUp);
                }
                match stop {
                    Stop::Arrived => {}
                    Stop::Paused => return Err(GiveUp),
                    Stop::End(End::Fault { .. } | End::Exited(_) | End::Scope { .. }) => break,
                    Stop::End(_) => return Err(GiveUp),
                    Stop::Choose(choice) => match choice.kind {
                        ChoiceKind::Branch { branch } => {
                            if let Some(again) = self.find(way.frames.len(), choice.function, branch) {
                                self.begin_again(&way, again)?;
                                break;
                            }
                            match self.pass(way)? {
                                Some(behind) => way = behind,
                                None => break,
                            }
                            way.until = until;
                        }
                        ChoiceKind::Assume => way.answer(0),
                        ChoiceKind::Check(_) | ChoiceKind::Value => {
                            if waiting.len() + choice.conditions.len() > MAX_WAYS {
                                return Err(GiveUp);
                            }
                            for side in 1..choice.conditions.len() {
                                let mut other = way.clone();
                                other.answer(side as u32);
                                waiting.push(other);
                            }
                            way.answer(0);
                        }
                    },
                }
            }
        }
        Ok(())
    }

    /// The region of a branch whose ways are being executed.
    fn find(&self, depth: usize, function: FuncId, branch: u32) -> Option<usize> {
        self.open.iter().rposition(|region| (region.depth, region.function, region.branch) == (depth, function, branch))
    }

    /// A way led back to a branch.
    fn begin_again(&mut self, way: &State, index: usize) -> Result<(), GiveUp> {
        let mut base = self.open[index].base.clone();
        let known = self.open[index].known;
        let grown = Forgetting { worker: self.worker, number: self.number, known }.forget(&mut base, way)?;
        let region = &mut self.open[index];
        region.base = base;
        region.grown |= grown;
        Ok(())
    }

    /// A way led to the join.
    fn arrive(&mut self, way: State, index: usize) -> Result<(), GiveUp> {
        let known = self.open[index].known;
        let mut forgetting = Forgetting { worker: self.worker, number: self.number, known };
        let region = &mut self.open[index];
        region.joined = match std::mem::replace(&mut region.joined, Joined::Nothing) {
            Joined::Nothing => Joined::One(Box::new(way)),
            Joined::One(first) => {
                let mut both = region.base.clone();
                if let (Some(frame), Some(there)) = (both.top_mut(), way.top()) {
                    frame.at = there.at;
                }
                if let Some(visit) = way.visits.iter_back().next().filter(|_| both.record_visits) {
                    both.visit(visit.function, visit.block, None);
                }
                forgetting.forget(&mut both, &first)?;
                forgetting.forget(&mut both, &way)?;
                Joined::Several(Box::new(both))
            }
            Joined::Several(mut all) => {
                forgetting.forget(&mut all, &way)?;
                Joined::Several(all)
            }
        };
        Ok(())
    }
}

/// The number of the branch at a position, and its edges.
fn sides(code: &Arc<Code>, at: u32) -> Option<(u32, Vec<u32>)> {
    match &code.insts.get(at as usize)?.op {
        Op::CondBr { then, otherwise, branch, .. } => Some((*branch, vec![*then, *otherwise])),
        Op::Switch { default, cases, branch, .. } => {
            let edges = std::iter::once(*default).chain(cases.iter().map(|(_, edge)| *edge));
            Some((*branch, edges.collect()))
        }
        _ => None,
    }
}

/// Takes from a state what another one has otherwise.
struct Forgetting<'w, 'p> {
    worker: &'w mut Worker<'p>,
    number: u32,
    known: u32,
}

impl Forgetting<'_, '_> {
    /// Forgets in `state` what is not so in `way`. Whether there was anything.
    fn forget(&mut self, state: &mut State, way: &State) -> Result<bool, GiveUp> {
        let same = state.frames.len() == way.frames.len()
            && state.effects.len() == way.effects.len()
            && Rc::ptr_eq(&state.library, &way.library)
            && Rc::ptr_eq(&state.exceptions, &way.exceptions);
        if !same {
            return Err(GiveUp);
        }
        let mut changed = false;
        let skipped = Value::Skipped(self.number);
        if let (Some(mine), Some(theirs)) = (state.top_mut(), way.top()) {
            for (mine, theirs) in mine.registers.iter_mut().zip(&theirs.registers) {
                if mine != theirs && *mine != skipped {
                    *mine = skipped.clone();
                    changed = true;
                }
            }
        }
        for id in way.memory.unlike(&state.memory) {
            let Some(theirs) = way.memory.get(id) else {
                // Global variables are there when they are first looked at. If any other object is gone that all ways had,
                // this is more than computing.
                if (state.memory.first_dynamic()..self.known).contains(&id.0) {
                    return Err(GiveUp);
                }
                continue;
            };
            let mine = match theirs.kind {
                Kind::Input(input) if theirs.written => {
                    Run { worker: self.worker, state, at: None }.input_object(input)
                }
                // What only this way made, only this way knows.
                _ if id.0 >= self.known => continue,
                _ => id,
            };
            changed |= self.object(state, mine, theirs, way)?;
        }
        Ok(changed)
    }

    fn object(&mut self, state: &mut State, id: ObjectId, theirs: &Object, way: &State) -> Result<bool, GiveUp> {
        let mine = Run { worker: self.worker, state, at: None }.object(id).clone();
        if mine.life != theirs.life || mine.size != theirs.size {
            return Err(GiveUp);
        }
        if !theirs.written || Rc::ptr_eq(&mine.contents, &theirs.contents) {
            return Ok(false);
        }
        let input = Run { worker: self.worker, state, at: None }.input_of(id);
        let ranges = match (mine.contents.array, theirs.contents.array) {
            (None, None) => {
                let (worker, mine, theirs) = (&*self.worker, &mine.contents, &theirs.contents);
                mine.unlike(theirs, |offset, cell| is_leaf(worker, way, input, offset, cell))
            }
            (mine_now, Some(array)) => {
                // Looking at an unknown place makes an array of an object, which is no difference.
                let mut scratch = state.clone();
                let mut run = Run { worker: self.worker, state: &mut scratch, at: None };
                let same = match mine_now {
                    Some(mine) => mine == array,
                    None => run.as_array(id, array.element).ok().flatten() == Some(array),
                };
                if same { Vec::new() } else { vec![(0, u64::MAX)] }
            }
            _ => vec![(0, u64::MAX)],
        };
        let mut changed = false;
        for (start, end) in ranges {
            changed |= self.range(state, id, &mine, start, end)?;
        }
        Ok(changed)
    }

    /// Forgets a part of an object, or all of it if the part has no end.
    fn range(&mut self, state: &mut State, id: ObjectId, mine: &Object, start: u64, end: u64) -> Result<bool, GiveUp> {
        let mut run = Run { worker: self.worker, state, at: None };
        let end = match end {
            u64::MAX => mine.size.as_const().ok_or(GiveUp)?,
            end => end,
        };
        let size = u32::try_from(end - start).map_err(|_| GiveUp)?;
        let covered = |contents: &Contents| {
            let cell = contents.cell_at(start).filter(|(_, cell)| matches!(cell.value, Value::Skipped(_)));
            contents.array.is_none() && cell.is_some_and(|(at, cell)| end <= at + u64::from(cell.size))
        };
        if covered(&run.object(id).contents) {
            return Ok(false);
        }
        if run.object(id).contents.array.is_none() {
            run.split_cells(id, start, u64::from(size)).map_err(|_| GiveUp)?;
        } else if let Some(contents) = run.contents_mut(id) {
            let (unset, source) = (contents.unset, contents.source);
            *contents = Contents::new(unset);
            contents.source = source;
        }
        if let Some(contents) = run.contents_mut(id) {
            if contents.is_far(start, size.into()) {
                return Err(GiveUp);
            }
            contents.write_cell(start, size, Value::Skipped(self.number));
        }
        if let Some(object) = run.state.memory.get_mut(id) {
            object.written = true;
        }
        Ok(true)
    }
}

/// Whether a cell is what the input has there.
fn is_leaf(worker: &Worker, way: &State, input: Option<InputId>, offset: u64, cell: &Cell) -> bool {
    let Some(leaf) = input.and_then(|input| worker.inputs.leaf_at(input, offset)) else { return false };
    if leaf.offset != offset || leaf.size != cell.size {
        return false;
    }
    match (leaf.value, &cell.value) {
        (LeafValue::Bits(expr), Value::Bits(value)) => expr == *value,
        (LeafValue::Pointer(to), Value::Ptr(Pointer { object, offset })) => {
            offset.as_const() == Some(0) && way.memory.get_or_nothing(*object).kind == Kind::Input(to)
        }
        _ => false,
    }
}

/// Parts of contents in which two differ.
impl Contents {
    /// Ranges in which `other` differs. `is_unset` says whether a cell of it is what never written bytes are.
    fn unlike(&self, other: &Contents, is_unset: impl Fn(u64, &Cell) -> bool) -> Vec<(u64, u64)> {
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        let mut add = |start: u64, end: u64| match ranges.last_mut() {
            Some(last) if last.1 >= start => last.1 = last.1.max(end),
            _ => ranges.push((start, end)),
        };
        let mut at = 0;
        let end = self.written().max(other.written());
        while at < end {
            let mine = self.cell_at(at);
            match (mine, other.cell_at(at)) {
                (Some((start, mine)), Some((begin, theirs))) if start == begin && mine == theirs => {
                    at = start + u64::from(mine.size);
                }
                (None, Some((begin, theirs))) if begin == at => {
                    let after = begin + u64::from(theirs.size);
                    let unset = self.part(begin, u64::from(theirs.size)) == crate::contents::Part::Unset;
                    if !(unset && is_unset(begin, theirs)) {
                        add(at, after);
                    }
                    at = after;
                }
                (None, None) => {
                    let byte = |contents: &Contents| contents.known(at, 1).map(|bytes| bytes[0]);
                    let zero = |byte: Option<u8>| byte.or((self.unset == Unset::Zero).then_some(0));
                    if zero(byte(self)) != zero(byte(other)) {
                        add(at, at + 1);
                    }
                    at += 1;
                }
                (mine, theirs) => {
                    let mine = mine.map(|(start, cell)| start + u64::from(cell.size));
                    let theirs = theirs.map(|(start, cell)| start + u64::from(cell.size));
                    let after = mine.into_iter().chain(theirs).min().unwrap_or(at + 1);
                    add(at, after);
                    at = after;
                }
            }
        }
        ranges
    }
}
