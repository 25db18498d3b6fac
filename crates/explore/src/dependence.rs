//! What each thing that happened in a run depends on: one trace for all that is built on dependence.
//!
//! The log of a run ([`exec::record`]) has data dependence. Here control and potential dependence are added from what
//! the program could have done otherwise ([`crate::statics`]), in one pass in the order of time:
//!
//! - *control*: each call keeps a stack of the decisions whose ways have not met yet; what is executed depends on the
//!   innermost one, and what a call executes on the call;
//! - *potential*: a phi depends on the decisions that met in front of it; a read on every decision since the bytes were
//!   written whose ways may have written them, and on what decided where a write since then went, if it may have gone
//!   there; a value on every decision since that may have computed it anew.
//!
//! All three are symmetric: what depends on a decision does so whichever way was taken. That is what makes flipping work.
//!
//! A *turn* is a question that the input answered, or a branch that went its way because of earlier turns. The *slice* of
//! an event is the set of turns that it depends on, directly or through others. Since events come in the order of time,
//! all slices are made in the same pass, each as a union of few earlier ones: one pass, not one for each branch (which
//! the DGSE paper did and named its main cost). Out of a trace come
//!
//! - the path's condition: the conditions of all turns,
//! - the relevant path condition of an event (DGSE) and the relevant-slice condition of the outputs (symbolic output):
//!   the conditions of its slice,
//! - the lines that an outcome depends on: a walk backwards over the events.
//!
//! Every turn has an *execution index* that names the same instance on other paths: the chain of calls and decisions,
//! each with its side, under which it was executed, and how often the instruction was under the same ones (B. Xin et
//! al.: "Efficient program execution indexing", PLDI 2008). By the definition of dependence, every input that fulfils
//! the condition of a slice executes the same instances in it; so a set of indices with sides names a class of inputs.
//!
//! *Ends.* A check that goes well, such as a divisor that is not zero, and a branch that passes by an `exit` or a failing
//! assertion, are turns like others, but nothing depends on having passed them. Taken as dependence they would tie all
//! that follows to all that went before. The price: an input for a slice may end early, see [`crate::guided`].

use crate::concolic::Run;
use crate::sets::{SetId, Sets};
use crate::statics::{Decisions, Statics, Ways};
use exec::code::{Code, Op};
use exec::program::Program;
use exec::record::{EventKind, NO_POSITION, NOBODY};
use exec::state::ChoiceKind;
use ir::id::{FuncId, Id};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;
use std::sync::Arc;

/// A run with all dependences.
pub struct Trace {
    /// Turns in the order of time.
    pub turns: Vec<Turn>,
    /// Sets of turns, by their numbers.
    pub sets: Sets,
    /// For each event its slice, with its own turn if it is one.
    pub slices: Vec<SetId>,
    /// For each event the execution index of what it is executed under, and the event of that, if there is one.
    pub controls: Vec<(u128, Option<u32>)>,
    /// For each event, where its dependences begin.
    starts: Vec<u32>,
    dependences: Vec<u32>,
    /// Branches whose ways may end the run, have contact with the outside, or write memory that is seen after it.
    pub visible: Vec<Visible>,
    /// What was executed and could have been an end, a fault or a branch that leads to one, but for earlier turns.
    pub risks: Vec<u32>,
    /// Events that decided where something was written to that is seen after the run.
    pub aims: Vec<u32>,
    /// What is known of the functions that were executed.
    pub functions: FxHashMap<FuncId, Rc<Decisions>>,
}

/// An event and its name on all paths.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// The event.
    pub event: u32,
    /// Its name.
    pub name: u128,
    /// The name of what it is of: for the question of an instruction, that of the instruction.
    pub instance: u128,
}

/// A branch whose ways may have done something that is seen after the run.
#[derive(Clone, Debug)]
pub struct Visible {
    /// Its event.
    pub event: u32,
    decisions: Rc<Decisions>,
    block: u32,
}

impl Visible {
    /// What its ways may have done.
    pub fn ways(&self) -> Option<&Ways> {
        self.decisions.ways[self.block as usize].as_ref()
    }
}

/// A question that the input answered, or a branch that followed from others.
#[derive(Clone, Debug)]
pub struct Turn {
    /// Its event.
    pub event: u32,
    /// Its execution index.
    pub index: u128,
    /// Which way.
    pub side: u32,
    /// Number of the question; nothing if the way followed from other turns.
    pub question: Option<u32>,
    /// Turns that it depends on.
    pub slice: SetId,
    /// Whether it passed by an end of the run.
    pub passes_end: bool,
    /// Whether the run may end on its other ways, or could have on this one.
    pub near_end: bool,
    /// Whether the other sides are no inputs of the program.
    pub assumed: bool,
}

impl Turn {
    /// The name of the turn with some side, on all paths.
    pub fn literal(&self, side: u32) -> u128 {
        mix(mix(self.index, u64::from(side)), 1)
    }
}

impl Trace {
    /// Names of all events, the same on all paths that execute them: the instruction, what it is executed under, and how
    /// often it was. Questions of an instruction belong to it; another path may not have to ask.
    pub fn names(&self, run: &Run) -> Vec<Named> {
        let mut counts: FxHashMap<u128, u64> = FxHashMap::default();
        let mut names = Vec::new();
        let mut asked = 0;
        for (event, happened) in (0u32..).zip(&run.log.events) {
            let kind = match happened.kind {
                EventKind::Step | EventKind::Decision => 0,
                EventKind::End => 1,
                EventKind::Phi(phi) => 8 + u64::from(phi),
                EventKind::Pass | EventKind::Edge(_) | EventKind::Enter | EventKind::Leave => continue,
            };
            let (under, _) = self.controls[event as usize];
            let name = mix(mix(mix(under, happened.function.index() as u64), happened.at.into()), kind);
            let count = counts.entry(name).or_default();
            let instance = mix(name, *count);
            if happened.kind == EventKind::Decision {
                asked += 1;
            } else {
                *count += 1;
                asked = 0;
            }
            names.push(Named { event, name: mix(instance, asked), instance });
        }
        names
    }

    /// The slice of what an event is executed under.
    pub fn under(&self, event: u32) -> SetId {
        let (_, under) = self.controls[event as usize];
        under.map_or(Sets::EMPTY, |under| self.slices[under as usize])
    }

    /// Forgets all but turns and sets.
    pub fn forget_events(&mut self) {
        self.slices = Vec::new();
        self.controls = Vec::new();
        self.starts = Vec::new();
        self.dependences = Vec::new();
        self.visible = Vec::new();
        self.risks = Vec::new();
        self.aims = Vec::new();
        self.functions = FxHashMap::default();
    }

    /// What an event depends on, directly.
    pub fn dependences(&self, event: u32) -> &[u32] {
        let end = self.starts.get(event as usize + 1).copied().unwrap_or(self.dependences.len() as u32);
        &self.dependences[self.starts[event as usize] as usize..end as usize]
    }

    /// All events that some events depend on, directly or through others, themselves included, ascending.
    pub fn backward(&self, from: impl IntoIterator<Item = u32>) -> Vec<u32> {
        let mut seen = fixedbitset::FixedBitSet::with_capacity(self.slices.len());
        let mut stack: Vec<u32> = from.into_iter().collect();
        while let Some(event) = stack.pop() {
            if !seen.put(event as usize) {
                stack.extend_from_slice(self.dependences(event));
            }
        }
        seen.ones().map(|event| event as u32).collect()
    }

    /// The name of the class of inputs that fulfil the conditions of a slice.
    pub fn class(&self, set: SetId) -> u128 {
        let turns = self.sets.get(set).into_iter().map(|turn| &self.turns[turn as usize]);
        turns.filter(|turn| turn.question.is_some()).fold(0, |key, turn| key.wrapping_add(turn.literal(turn.side)))
    }

    /// The turns of a slice in an order in which a prefix says whether the next turn happens, whatever comes behind it:
    /// D. Qi, H. Nguyen, A. Roychoudhury: "Path Exploration based on Symbolic Output", ESEC/FSE 2011, Algorithm 1,
    /// `reorder`. The latest turn is the pivot; those that it depends on come before it, all others behind it, and so
    /// on. Turns that followed from others take part, for one of them may decide which of its predecessors matters.
    ///
    /// The turns of `first` come first as they are. With `ends`, turns that passed by an end come before all later ones, so
    /// that inputs which end there are not asked for what they do not come to.
    pub fn reordered(&self, set: SetId, first: &[u32], ends: bool) -> Vec<u32> {
        let wanted = self.sets.get(set);
        let passing: Vec<u32> =
            wanted.iter().copied().filter(|&turn| ends && self.turns[turn as usize].passes_end).collect();
        let last_end = |turn: u32| passing[..passing.partition_point(|&end| end < turn)].last().copied();
        let mut order = first.to_vec();
        let mut placed: rustc_hash::FxHashSet<u32> = first.iter().copied().collect();
        // Turns to place, the next one last; a turn is placed when it is met for the second time.
        let mut stack: Vec<(u32, bool)> = wanted.iter().map(|&turn| (turn, false)).collect();
        while let Some((turn, ready)) = stack.pop() {
            if placed.contains(&turn) {
                continue;
            }
            if ready {
                placed.insert(turn);
                order.push(turn);
                continue;
            }
            stack.push((turn, true));
            let slice = self.sets.get(self.turns[turn as usize].slice);
            let end = last_end(turn);
            let (before, behind) = slice.split_at(slice.partition_point(|&earlier| Some(earlier) < end));
            stack.extend(before.iter().chain(&end).chain(behind).map(|&earlier| (earlier, false)));
        }
        order
    }
}

/// How far potential dependence through memory is looked for: what might have been written but was not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Potential {
    /// All of it.
    Whole,
    /// With so many looks at decisions; if that is not enough there is no trace.
    Within(u64),
    /// Not at all. Data that went through memory is still followed exactly.
    Nothing,
}

/// Adds control and potential dependence to a run.
pub fn trace<'p>(program: &'p Program, statics: &mut Statics<'p>, run: &Run) -> Trace {
    let mut pass = Pass::new(program, statics, run, Potential::Whole);
    for event in 0..run.log.events.len() as u32 {
        pass.event(event);
    }
    pass.trace
}

/// The same with a limit: in a run of millions of steps every read may depend on thousands of decisions.
pub fn trace_within<'p>(
    program: &'p Program,
    statics: &mut Statics<'p>,
    run: &Run,
    potential: Potential,
) -> Option<Trace> {
    let mut pass = Pass::new(program, statics, run, potential);
    for event in 0..run.log.events.len() as u32 {
        pass.event(event);
        if matches!(potential, Potential::Within(most) if pass.looks > most) {
            return None;
        }
    }
    Some(pass.trace)
}

impl<'a, 'p> Pass<'a, 'p> {
    fn new(program: &'p Program, statics: &'a mut Statics<'p>, run: &'a Run, potential: Potential) -> Pass<'a, 'p> {
        Pass {
            potential,
            looks: 0,
            program,
            statics,
            run,
            trace: Trace {
                turns: Vec::new(),
                sets: Sets::default(),
                slices: Vec::with_capacity(run.log.events.len()),
                controls: Vec::with_capacity(run.log.events.len()),
                starts: Vec::with_capacity(run.log.events.len()),
                dependences: Vec::new(),
                visible: Vec::new(),
                aims: Vec::new(),
                risks: Vec::new(),
                functions: FxHashMap::default(),
            },
            frames: Vec::new(),
            frame_of: Vec::with_capacity(run.log.events.len()),
            frames_made: 0,
            before: None,
            last_step: None,
            asked: 0,
            asked_here: 0,
            passing: rustc_hash::FxHashSet::default(),
            branches: Vec::new(),
            aimed: Vec::new(),
            world: Vec::new(),
            world_since: 0,
            counts: FxHashMap::default(),
        }
    }
}

struct Pass<'a, 'p> {
    potential: Potential,
    /// Looks at decisions so far.
    looks: u64,
    program: &'p Program,
    statics: &'a mut Statics<'p>,
    run: &'a Run,
    trace: Trace,
    frames: Vec<Frame>,
    /// For each event the number of the call that it is of.
    frame_of: Vec<u32>,
    frames_made: u32,
    /// The last question that was asked before the first instruction.
    before: Option<u32>,
    last_step: Option<u32>,
    /// Questions so far, of the run and of the running instruction.
    asked: u32,
    asked_here: u32,
    /// Events of turns that passed by an end.
    passing: rustc_hash::FxHashSet<u32>,
    /// Branches that may have written, freed or done something outside.
    branches: Vec<(u32, Rc<Decisions>, u32)>,
    /// Writes whose address depends on decisions: the event, what decided, and where the instruction is.
    aimed: Vec<(u32, u32, Rc<Decisions>, u32)>,
    /// What was done outside, as far as it is not hidden by something that depends on it.
    world: Vec<u32>,
    world_since: u32,
    /// How often an instruction was executed under a decision.
    counts: FxHashMap<(u32, u32, FuncId, u32), u32>,
}

struct Frame {
    number: u32,
    code: Arc<Code>,
    decisions: Rc<Decisions>,
    /// The call.
    base: Option<u32>,
    base_index: u128,
    stack: Vec<Control>,
    /// The latest execution of each branch, and its block, the latest one last.
    recent: Vec<(u32, u32)>,
    /// Decisions that met at the block that was entered last.
    met: SmallVec<[u32; 2]>,
    /// Execution index of the instruction that was executed last, if it is a branch or a call.
    index: u128,
}

#[derive(Clone, Copy)]
struct Control {
    join: Option<u32>,
    event: u32,
    index: u128,
}

impl Pass<'_, '_> {
    fn event(&mut self, event: u32) {
        self.trace.starts.push(self.trace.dependences.len() as u32);
        self.frame_of.push(self.frames.last().map_or(u32::MAX, |frame| frame.number));
        let control = match self.frames.last() {
            Some(frame) => match frame.stack.last() {
                Some(control) => (control.index, Some(control.event)),
                None => (frame.base_index, frame.base),
            },
            None => (0, self.before),
        };
        let kind = self.run.log.events[event as usize].kind;
        let slice = match kind {
            EventKind::Enter => {
                self.enter(event);
                Sets::EMPTY
            }
            EventKind::Leave => {
                self.leave();
                Sets::EMPTY
            }
            EventKind::Edge(edge) => {
                self.edge(edge);
                Sets::EMPTY
            }
            EventKind::Phi(_) => {
                let met = self.frames.last().map(|frame| frame.met.clone()).unwrap_or_default();
                self.trace.dependences.extend_from_slice(&met);
                self.depend(event)
            }
            EventKind::Decision => self.decision(event),
            EventKind::Step => self.step(event),
            EventKind::Pass | EventKind::End => self.depend(event),
        };
        self.trace.controls.push(control);
        self.trace.slices.push(slice);
    }

    /// Adds links, control and potential dependences of an event; its slice.
    fn depend(&mut self, event: u32) -> SetId {
        let log = &self.run.log;
        let happened = &log.events[event as usize];
        let from = self.trace.starts[event as usize] as usize;
        let links = log.links_of(event).iter().filter(|link| !self.passing.contains(link));
        self.trace.dependences.extend(links);
        if let Some(frame) = self.frames.last() {
            let control = frame.stack.last().map(|control| control.event).or(frame.base);
            let own = self.trace.dependences.len();
            self.again(event, from, own);
            self.trace.dependences.extend(control);
            self.through_memory(happened.at, happened.oldest, happened.life, happened.kind);
        } else {
            self.trace.dependences.extend(self.before);
        }
        let mut slice = Sets::EMPTY;
        for at in from..self.trace.dependences.len() {
            let on = self.trace.dependences[at];
            slice = self.trace.sets.union(slice, self.trace.slices[on as usize]);
        }
        slice
    }

    /// Values of the running call that a decision since may have computed anew.
    fn again(&mut self, event: u32, from: usize, to: usize) {
        let Some(frame) = self.frames.last() else { return };
        let Some(&(latest, _)) = frame.recent.last() else { return };
        let mut found: SmallVec<[u32; 4]> = SmallVec::new();
        for &link in &self.trace.dependences[from..to] {
            if latest <= link || self.frame_of[link as usize] != frame.number || link == event {
                continue;
            }
            let at = self.run.log.events[link as usize].at;
            let Some(&block) = frame.decisions.block_of.get(at as usize) else { continue };
            for &(branch, of) in frame.recent.iter().rev().take_while(|(branch, _)| *branch > link) {
                let again = |ways: &Ways| ways.blocks.contains(block as usize);
                if frame.decisions.ways[of as usize].as_ref().is_some_and(again) && !found.contains(&branch) {
                    found.push(branch);
                }
            }
        }
        self.trace.dependences.extend_from_slice(&found);
    }

    /// Decisions that may have written or freed what an instruction uses, and what happened outside.
    fn through_memory(&mut self, at: u32, oldest: Option<u32>, life: Option<u32>, kind: EventKind) {
        if matches!(kind, EventKind::Phi(_) | EventKind::Pass) || self.potential == Potential::Nothing {
            return;
        }
        let Some(frame) = self.frames.last() else { return };
        let Some(used) = frame.decisions.uses.get(&at) else { return };
        let is_load = matches!(frame.code.insts[at as usize].op, Op::Load { .. });
        let read = if is_load { &used.reads } else { &used.all };
        let is_call = matches!(frame.code.insts[at as usize].op, Op::Call(_) | Op::Invoke { .. });
        let entered = self.begins_call(self.frame_of.len());
        let reads_world = is_call && !entered && used.reads_world;
        let world_since = self.world_since;
        let since = |time: Option<u32>| time.unwrap_or(u32::MAX);
        let earliest = since(oldest).min(since(life)).min(if reads_world { world_since } else { u32::MAX });
        for (branch, decisions, block) in self.branches.iter().rev().take_while(|(branch, ..)| *branch > earliest) {
            self.looks += 1;
            let Some(ways) = &decisions.ways[*block as usize] else { continue };
            let written = *branch > since(oldest) && !ways.touches.is_disjoint(read);
            let freed = *branch > since(life) && !ways.frees.is_disjoint(&used.all);
            let outside = reads_world && *branch > world_since && ways.world;
            if written || freed || outside {
                self.trace.dependences.push(*branch);
            }
        }
        for (_, aim, decisions, at) in self.aimed.iter().rev().take_while(|(write, ..)| *write > since(oldest)) {
            if decisions.uses.get(at).is_some_and(|used| !used.touches.is_disjoint(read)) {
                self.trace.dependences.push(*aim);
            }
        }
        if reads_world {
            self.trace.dependences.extend_from_slice(&self.world);
        }
    }

    fn enter(&mut self, event: u32) {
        let function = self.run.log.events[event as usize].function;
        let (base, base_index) = match self.frames.last() {
            Some(frame) => (self.last_step, mix(frame.index, 2)),
            None => (self.last_step.or(self.before), 0),
        };
        let number = self.frames_made;
        self.frames_made += 1;
        let decisions = self.statics.of(function);
        self.trace.functions.entry(function).or_insert_with(|| decisions.clone());
        self.frames.push(Frame {
            number,
            code: self.program.code(function),
            decisions,
            base,
            base_index,
            stack: Vec::new(),
            recent: Vec::new(),
            met: SmallVec::new(),
            index: 0,
        });
    }

    fn leave(&mut self) {
        let Some(left) = self.frames.pop() else { return };
        let Some(step) = self.last_step else { return };
        let Some(frame) = self.frames.last_mut() else { return };
        let returned = match self.run.log.events.get(step as usize) {
            Some(event) => left.code.insts.get(event.at as usize).is_some_and(|inst| matches!(inst.op, Op::Ret(_))),
            None => false,
        };
        // That no exception came this way depends on what the call decided.
        let may_unwind = self.statics.facts().ends.of[left.code.function].unwinds;
        if !returned || may_unwind {
            frame.stack.push(Control { join: None, event: step, index: mix(left.base_index, 3) });
        }
    }

    fn edge(&mut self, edge: u32) {
        let Some(frame) = self.frames.last_mut() else { return };
        let Some(step) = self.last_step else { return };
        let edge_at = &frame.code.edges[edge as usize];
        let (from, to) = (edge_at.from.index(), edge_at.to.index());
        let index = mix(mix(frame.index, u64::from(edge)), 4);
        if frame.decisions.terminal[to] && !frame.decisions.terminal[from] {
            frame.stack.push(Control { join: None, event: step, index });
        } else if let Some(ways) = &frame.decisions.ways[from] {
            let control = Control { join: frame.decisions.join[from], event: step, index };
            match frame.stack.last_mut().filter(|top| top.join == control.join) {
                Some(top) => *top = control,
                None => frame.stack.push(control),
            }
            frame.recent.retain(|(_, block)| *block != from as u32);
            frame.recent.push((step, from as u32));
            if !ways.touches.is_clear() || !ways.frees.is_clear() || ways.world {
                self.branches.push((step, frame.decisions.clone(), from as u32));
            }
            if ways.world || ways.visible || ways.ends {
                let (decisions, block) = (frame.decisions.clone(), from as u32);
                self.trace.visible.push(Visible { event: step, decisions, block });
            }
        }
        frame.met.clear();
        while let Some(top) = frame.stack.last().filter(|top| top.join == Some(to as u32)) {
            frame.met.push(top.event);
            frame.stack.pop();
        }
    }

    fn decision(&mut self, event: u32) -> SetId {
        let slice = self.depend(event);
        let question = &self.run.questions[self.asked as usize];
        let happened = &self.run.log.events[event as usize];
        let ordinal = self.asked_here;
        let index = mix(self.execution_index(happened.function, happened.at, false), u64::from(ordinal) + 16);
        let assumed = question.choice.kind == ChoiceKind::Assume;
        let passes_end = match question.choice.kind {
            ChoiceKind::Check(_) | ChoiceKind::Assume => question.side == 0,
            ChoiceKind::Branch { .. } => self.passes_end(happened.at, self.edge_of(happened.at, question.side)),
            ChoiceKind::Value => false,
        };
        let ways = self.frames.last().and_then(|frame| {
            let block = frame.decisions.block_of.get(happened.at as usize).map_or(0, |block| *block as usize);
            frame.decisions.ways[block].as_ref().filter(|_| matches!(question.choice.kind, ChoiceKind::Branch { .. }))
        });
        let (real, near_end) = (ways.is_some(), passes_end || ways.is_some_and(|ways| ways.ends));
        let number = self.trace.turns.len() as u32;
        self.trace.turns.push(Turn {
            event,
            index,
            side: question.side,
            question: Some(self.asked),
            slice,
            passes_end,
            near_end,
            assumed,
        });
        self.asked += 1;
        self.asked_here += 1;
        if passes_end && !real {
            self.passing.insert(event);
        }
        if self.frames.is_empty() {
            self.before = Some(event);
        }
        self.trace.sets.with(slice, number)
    }

    /// Whether a branch passes by blocks from which the run ends, on the way along an edge.
    fn passes_end(&self, at: u32, taken: Option<u32>) -> bool {
        let Some(frame) = self.frames.last() else { return false };
        let ends = |edge: u32| frame.decisions.terminal[frame.code.edges[edge as usize].to.index()];
        let edges = frame.code.insts[at as usize].op.edges();
        taken.is_some_and(|taken| !ends(taken)) && edges.iter().any(|&edge| ends(edge))
    }

    fn step(&mut self, event: u32) -> SetId {
        let mut slice = self.depend(event);
        let happened = &self.run.log.events[event as usize];
        let (function, at) = (happened.function, happened.at);
        let asked_here = std::mem::take(&mut self.asked_here);
        self.last_step = Some(event);
        let Some(frame) = self.frames.last() else { return slice };
        let op = &frame.code.insts[at as usize].op;
        let is_call = matches!(op, Op::Call(_) | Op::Invoke { .. });
        let block = frame.decisions.block_of[at as usize] as usize;
        let branches = op.edges().len() > 1;
        if branches || is_call || asked_here > 0 {
            let index = self.execution_index(function, at, true);
            if let Some(frame) = self.frames.last_mut() {
                frame.index = index;
            }
        }
        let aim = self.run.log.events[event as usize].address;
        let Some(frame) = self.frames.last() else { return slice };
        let entered = self.begins_call(event as usize + 1);
        let faults = frame.decisions.may_fault.contains(at as usize) && !entered;
        if slice != Sets::EMPTY
            && (faults || branches && asked_here == 0 && self.passes_end(at, self.edge_behind(event)))
        {
            self.trace.risks.push(event);
        }
        let aimed = match aim {
            NOBODY => Sets::EMPTY,
            own if own == event => slice,
            other => self.trace.slices[other as usize],
        };
        // That it was executed at all is the matter of branches; only where it went is new.
        let control = frame.stack.last().map(|control| control.event).or(frame.base);
        let control = control.map_or(Sets::EMPTY, |control| self.trace.slices[control as usize]);
        if !self.trace.sets.is_subset(aimed, control) {
            self.aimed.push((event, aim, frame.decisions.clone(), at));
            if frame.decisions.uses.get(&at).is_some_and(|used| used.visible) {
                self.trace.aims.push(aim);
            }
        }
        if is_call
            && !entered
            && let Some(used) = frame.decisions.uses.get(&at).filter(|used| used.writes_world)
        {
            if used.reads_world {
                self.world.clear();
                self.world_since = event;
            }
            self.world.push(event);
        }
        let followed = branches && asked_here == 0 && frame.decisions.ways[block].is_some();
        if followed && slice != Sets::EMPTY {
            let side = self.edge_behind(event).unwrap_or(0);
            let number = self.trace.turns.len() as u32;
            let index = frame.index;
            let near_end = frame.decisions.ways[block].as_ref().is_some_and(|ways| ways.ends);
            self.trace.turns.push(Turn {
                event,
                index,
                side,
                question: None,
                slice,
                passes_end: false,
                near_end,
                assumed: false,
            });
            slice = self.trace.sets.with(slice, number);
        }
        slice
    }

    /// The edge of a side of a branch.
    fn edge_of(&self, at: u32, side: u32) -> Option<u32> {
        self.frames.last()?.code.insts[at as usize].op.edges().get(side as usize).copied()
    }

    /// The edge that was followed behind an event.
    fn edge_behind(&self, event: u32) -> Option<u32> {
        match self.run.log.events.get(event as usize + 1)?.kind {
            EventKind::Edge(edge) => Some(edge),
            _ => None,
        }
    }

    /// Whether the events from there on begin a call.
    fn begins_call(&self, from: usize) -> bool {
        let mut following = self.run.log.events[from..].iter().map(|event| event.kind);
        following.find(|kind| *kind != EventKind::Pass) == Some(EventKind::Enter)
    }

    /// The name of the running instance of an instruction on all paths; `done` counts it.
    fn execution_index(&mut self, function: FuncId, at: u32, done: bool) -> u128 {
        if at == NO_POSITION {
            return 5;
        }
        let Some(frame) = self.frames.last() else { return 5 };
        let (under, index) = match frame.stack.last() {
            Some(control) => (control.event, control.index),
            None => (u32::MAX, frame.base_index),
        };
        let key = (frame.number, under, function, at);
        let count = match done {
            true => {
                let count = self.counts.entry(key).or_default();
                *count += 1;
                *count - 1
            }
            false => self.counts.get(&key).copied().unwrap_or(0),
        };
        mix(mix(mix(index, function.index() as u64), u64::from(at)), u64::from(count))
    }
}

/// Mixes a number into a name.
fn mix(name: u128, number: u64) -> u128 {
    let name = (name ^ u128::from(number) ^ 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)
        .wrapping_mul(0x2d99_787b_f1f7_7c6d_a3b1_952e_5f2a_91c5);
    name ^ (name >> 61)
}
