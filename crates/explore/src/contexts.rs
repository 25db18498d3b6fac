//! The calls of a run and what the change means to each: which instructions it affects there, what may be skipped, and
//! whether anything affected can still be reached.
//!
//! A worker meets few kinds of calls and asks about them at every decision, so each is worked out once.

use crate::aim::{Aim, Plan, Reach};
use analysis::influence::Marks;
use exec::program::Program;
use exec::state::{Frame, Sighting, State};
use ir::id::{BlockId, FuncId, Id, InstId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// A kind of call: calls of a function that bring the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ContextId(u32);

/// What the calls of a state are, the entry first.
pub type Calls = SmallVec<[ContextId; 8]>;

/// The kinds of calls that a worker has met.
#[derive(Default)]
pub struct Contexts {
    all: Vec<Context>,
    ids: FxHashMap<(FuncId, Marks), ContextId>,
    called: FxHashMap<(ContextId, InstId, FuncId), ContextId>,
    /// The calls that were asked for last: function, position, and what they are. The next ones are mostly the same.
    recent: Vec<(FuncId, u32, ContextId)>,
}

struct Context {
    function: FuncId,
    marks: Marks,
    plan: Arc<Plan>,
}

/// Whether a run did something affected so far, found out without looking at anything twice. A run whose state has
/// [`Aim::watched`] tells when it comes to a block where something affected may happen, depending on the call.
#[derive(Clone, Default)]
pub struct Watch {
    /// How many of its sightings were looked at.
    seen: usize,
    /// Calls in a block where something affected happens, unless they have left it: number of calls, what it is, block.
    begun: SmallVec<[(usize, ContextId, BlockId); 4]>,
    happened: bool,
}

impl Contexts {
    /// What the change means to a call.
    pub fn plan(&self, id: ContextId) -> &Plan {
        &self.all[id.0 as usize].plan
    }

    /// The same, to be kept.
    pub fn shared_plan(&self, id: ContextId) -> Arc<Plan> {
        self.all[id.0 as usize].plan.clone()
    }

    /// A call of a function that brings nothing.
    pub fn of_function(&mut self, aim: &Aim, program: &Program, function: FuncId) -> ContextId {
        self.id(aim, program, function, Marks::default())
    }

    /// The calls of a state.
    pub fn calls(&mut self, aim: &Aim, program: &Program, state: &State) -> Calls {
        let mut calls = Calls::new();
        let mut caller: Option<&Frame> = None;
        let mut is_recent = true;
        for (index, frame) in state.frames[..looked(aim, state)].iter().enumerate() {
            let function = frame.code.function;
            is_recent &= self.recent.get(index).is_some_and(|recent| recent.0 == function);
            let id = match (calls.last(), caller.and_then(running)) {
                _ if is_recent => self.recent[index].2,
                (Some(&from), Some(call)) => self.called(aim, program, from, call, function),
                _ => self.of_function(aim, program, function),
            };
            // What this call calls is known if it was made from here.
            is_recent &= self.recent.get(index).is_some_and(|recent| recent.1 == frame.at);
            if !is_recent {
                self.recent.truncate(index);
                self.recent.push((function, frame.at, id));
            }
            calls.push(id);
            caller = Some(frame);
        }
        calls
    }

    /// Whether an affected instruction can still be reached, here or after a return: the running one counts. With
    /// `sources` only those that may get to more than passing on what others computed.
    pub fn is_ahead(&self, aim: &Aim, calls: &Calls, state: &State, sources: bool) -> bool {
        let top = state.frames.len().wrapping_sub(1);
        let is_ahead = |(index, (frame, &id)): (usize, (&std::rc::Rc<Frame>, &ContextId))| {
            let plan = self.plan(id);
            let (insts, after) = match sources {
                true => (&plan.reaching, &plan.reaching_after),
                false => (&plan.affected, &plan.after),
            };
            // A call that is running is behind us, but what it calls belongs to it where only the entry is looked at.
            let counts = index == top || aim.reach == Reach::Entry;
            after.contains(frame.at as usize)
                || counts && running(frame).is_some_and(|inst| insts.contains(inst.index()))
        };
        // Before the entry begins, everything is ahead.
        state.frames.is_empty() || state.frames.iter().zip(calls).enumerate().any(is_ahead)
    }

    /// Whether [`Contexts::is_ahead`] holds for `sources` because of the entry alone: what it has called need not be looked at.
    pub fn is_ahead_of_entry(&mut self, aim: &Aim, program: &Program, state: &State) -> bool {
        let Some(frame) = state.frames.first() else { return true };
        let id = match self.recent.first() {
            Some(&(function, _, id)) if function == frame.code.function => id,
            _ => self.of_function(aim, program, frame.code.function),
        };
        self.plan(id).reaching_after.contains(frame.at as usize)
    }

    /// Whether the running instruction is affected.
    pub fn affects(&self, calls: &Calls, state: &State) -> bool {
        let running = calls.len().checked_sub(1).and_then(|top| running(state.frames.get(top)?));
        let plan = calls.last().map(|&id| self.plan(id));
        plan.zip(running).is_some_and(|(plan, inst)| plan.affected.contains(inst.index()))
    }

    /// Whether the branch that a state asks about cannot matter.
    pub fn may_skip(&self, calls: &Calls, state: &State, branch: u32) -> bool {
        let is_looked_at = calls.len() == state.frames.len();
        let plan = calls.last().filter(|_| is_looked_at).map(|&id| self.plan(id));
        plan.is_some_and(|plan| plan.skippable.get(branch as usize).copied().unwrap_or(false))
    }

    /// A call of a function from inside another call.
    pub fn called(
        &mut self,
        aim: &Aim,
        program: &Program,
        from: ContextId,
        call: InstId,
        function: FuncId,
    ) -> ContextId {
        if let Some(&id) = self.called.get(&(from, call, function)) {
            return id;
        }
        let caller = &self.all[from.0 as usize];
        let marks = aim.influence.marks(caller.function, &caller.marks, call);
        let id = self.id(aim, program, function, marks);
        self.called.insert((from, call, function), id);
        id
    }

    fn id(&mut self, aim: &Aim, program: &Program, function: FuncId, marks: Marks) -> ContextId {
        let plan = || aim.plan(program, function, &marks);
        let all = &mut self.all;
        let known = self.ids.entry((function, marks.clone()));
        *known.or_insert_with(|| {
            all.push(Context { function, marks: marks.clone(), plan: plan() });
            ContextId(all.len() as u32 - 1)
        })
    }
}

impl Watch {
    /// Whether it is known that something affected was done, whatever comes.
    pub fn is_settled(&self) -> bool {
        self.happened
    }

    /// Remembers that something affected was done.
    pub fn settle(&mut self) {
        self.happened = true;
        self.begun.clear();
    }

    /// Whether a run did something affected: more than pass on what others computed.
    pub fn has_happened(&mut self, contexts: &mut Contexts, aim: &Aim, program: &Program, state: &State) -> bool {
        let fresh = state.sightings.len().saturating_sub(self.seen);
        if !self.happened && fresh > 0 {
            let sightings: SmallVec<[&Sighting; 16]> = state.sightings.iter_back().take(fresh).collect();
            sightings.iter().rev().for_each(|sighting| self.enter(contexts, aim, program, sighting));
            self.seen = state.sightings.len();
        }
        // The running instructions have only begun: they count, but may be begun again.
        let is_done = |&(depth, id, block): &(usize, ContextId, BlockId)| {
            let Context { function, plan, .. } = &contexts.all[id.0 as usize];
            let frame = state.frames.get(depth - 1).filter(|frame| frame.code.function == *function);
            let Some(running) = frame.and_then(|frame| running(frame)) else { return true };
            let insts = &program.module.functions[*function].blocks[block].insts;
            let begun = insts.iter().position(|&inst| inst == running).map_or(insts.len(), |last| last + 1);
            insts[..begun].iter().any(|inst| plan.sources.contains(inst.index()))
        };
        self.happened || self.begun.iter().any(is_done)
    }

    fn enter(&mut self, contexts: &mut Contexts, aim: &Aim, program: &Program, sighting: &Sighting) {
        let depth = sighting.calls.len();
        if depth == 0 || aim.reach == Reach::Entry && depth > 1 {
            return;
        }
        // Blocks that were left.
        while self.begun.last().is_some_and(|(before, ..)| *before >= depth) {
            self.begun.pop();
            self.happened = true;
        }
        let mut caller: Option<(ContextId, Option<InstId>)> = None;
        for &(function, at) in &sighting.calls {
            let id = match caller {
                Some((from, Some(call))) => contexts.called(aim, program, from, call, function),
                _ => contexts.of_function(aim, program, function),
            };
            caller = Some((id, at));
        }
        if let Some((id, _)) =
            caller.filter(|(id, _)| contexts.plan(*id).source_blocks.contains(sighting.block.index()))
        {
            self.begun.push((depth, id, sighting.block));
        }
    }
}

/// How many calls of a state are looked at.
fn looked(aim: &Aim, state: &State) -> usize {
    match aim.reach {
        Reach::Entry => state.frames.len().min(1),
        Reach::Calls => state.frames.len(),
    }
}

/// The instruction that a call is at.
pub(crate) fn running(frame: &Frame) -> Option<InstId> {
    frame.code.insts.get(frame.at as usize).map(|inst| inst.id)
}
