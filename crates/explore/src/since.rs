//! Which things that happen in a run a change has to do with: what dependence guided exploration searches for when it is
//! given an older version (DGSE, section 8).
//!
//! - Events at changed instructions, and all that depends on them.
//! - Events where the old version did more ([`crate::gaps`]). What depends on these is as it was: who saw what the old
//!   version did there is among the changed instructions.
//! - *Guards*: branches that have something on their ways which the change may affect, whether this run came there or
//!   not; and ends of runs before something like that. A search that only looked at what depends on changed events of runs
//!   already made would never come to changed code under a branch that the change has nothing to do with.
//! - What depends on guards, as far as the change may affect it at all: on other sides of the guard it may depend on changed
//!   instructions.
//!
//! An instruction may be a changed one in some calls only: what they are given tells ([`analysis::influence`]).
//!
//! What a change may affect is known beforehand ([`change::impact`]); that is coarse, as it knows no paths. What it does affect
//! in a run is exact.

use crate::aim::positions_before;
use crate::concolic::Run;
use crate::dependence::Trace;
use analysis::influence::{Cause, Influence, Marks, Why};
use exec::code::{Code, Op};
use exec::program::Program;
use exec::record::{Event, EventKind};
use exec::state::End;
use fixedbitset::FixedBitSet;
use ir::id::{BlockId, FuncId, Id, InstId};
use ir::inst::InstKind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// A change, as far as a search has to know it.
#[derive(Clone, Debug, Default)]
pub struct Change {
    /// Instructions that are not what they were, or do not find what they found, in calls that bring a cause for that.
    changed: FxHashSet<(FuncId, Cause, InstId)>,
    /// What calls bring to whom they call.
    marks: FxHashMap<(FuncId, InstId), Vec<(Cause, Marks)>>,
    /// Instructions in whose place, or inside of which, more happened before.
    gaps: FxHashSet<(FuncId, InstId)>,
    /// Functions of which the change may affect something.
    reached: FxHashMap<FuncId, Reached>,
}

/// What a change may affect in a function, whoever calls it.
#[derive(Clone, Debug)]
struct Reached {
    /// Instructions, by number; calls inside of which something is affected are among them.
    insts: FixedBitSet,
    /// Blocks with one.
    blocks: FixedBitSet,
    /// Positions behind which there is one.
    ahead: FixedBitSet,
}

impl Change {
    /// A change of some instructions, with all that it may affect and the places where the old version did more.
    pub fn new(
        program: &Program,
        changed: FxHashSet<(FuncId, InstId)>,
        influence: &Influence,
        gaps: &BTreeMap<FuncId, Vec<InstId>>,
    ) -> Change {
        // Nothing depends on what is only said about a variable.
        let is_marker = |id: FuncId, inst: InstId| {
            let insts = &program.module.functions[id].insts;
            matches!(insts[inst].kind, InstKind::Marker(_))
        };
        let places = gaps.iter().flat_map(|(id, insts)| insts.iter().map(|inst| (*id, *inst)));
        let mut change = Change { gaps: places.collect(), ..Change::default() };
        change.changed.extend(changed.iter().map(|(id, inst)| (*id, Cause::Own, *inst)));
        let mut affected: BTreeMap<FuncId, FixedBitSet> = BTreeMap::new();
        for ((id, cause), set) in &influence.sets {
            let insts = affected.entry(*id).or_default();
            insts.union_with(&set.insts);
            insts.union_with(&set.calls);
            let starts = set.why.iter().filter(|(_, why)| matches!(why, Why::Start | Why::Other));
            change.changed.extend(starts.map(|(inst, _)| (*id, *cause, *inst)));
            for (call, marks) in &set.marks {
                change.marks.entry((*id, *call)).or_default().push((*cause, marks.clone()));
            }
        }
        change.changed.retain(|(id, _, inst)| !is_marker(*id, *inst));
        let changed = change.changed.iter().map(|(id, _, inst)| (*id, *inst));
        for (id, inst) in changed.chain(change.gaps.iter().copied()) {
            affected.entry(id).or_default().grow_and_insert(inst.index());
        }
        for (id, insts) in affected.into_iter().filter(|(_, insts)| !insts.is_clear()) {
            let function = &program.module.functions[id];
            let has = |block: &BlockId| function.blocks[*block].insts.iter().any(|inst| insts.contains(inst.index()));
            let blocks = function.blocks.ids().filter(has).map(|block| block.index()).collect();
            let ahead = positions_before(program, id, &insts);
            change.reached.insert(id, Reached { insts, blocks, ahead });
        }
        change
    }

    /// Which events depend on changed instructions or are where more happened before.
    pub fn affected(&self, program: &Program, run: &Run, trace: &Trace) -> Vec<bool> {
        let events = &run.log.events;
        let changed = self.changed(program, events);
        let mut affected = depending(events.len(), trace, |event| changed[event]);
        for (event, affected) in affected.iter_mut().enumerate() {
            let is_gap = |inst: InstId| self.gaps.contains(&(events[event].function, inst));
            *affected |= self.is_reached(events, event) && inst_of(program, events, event).is_some_and(is_gap);
        }
        affected
    }

    /// Which events are at changed instructions, in calls that bring a cause.
    fn changed(&self, program: &Program, events: &[Event]) -> Vec<bool> {
        let mut changed = vec![false; events.len()];
        // What the calls that are running bring, and the last instruction that was executed.
        let mut calls: Vec<Marks> = Vec::new();
        let mut last: Option<usize> = None;
        for (event, happened) in events.iter().enumerate() {
            let own = calls.last();
            match happened.kind {
                EventKind::Enter => {
                    let brought =
                        last.and_then(|last| self.marks.get(&(events[last].function, inst_of(program, events, last)?)));
                    let mut marks = Marks::default();
                    for (_, more) in brought.into_iter().flatten().filter(|(cause, _)| has(own, *cause)) {
                        marks.join(more);
                    }
                    calls.push(marks);
                }
                EventKind::Leave => drop(calls.pop()),
                EventKind::Step => last = Some(event),
                _ => {}
            }
            if self.is_reached(events, event)
                && let Some(inst) = inst_of(program, events, event)
            {
                let is_changed = |cause: Cause| self.changed.contains(&(happened.function, cause, inst));
                changed[event] = calls.last().map_or(is_changed(Cause::Own), |marks| marks.causes().any(is_changed));
            }
        }
        changed
    }

    /// Whether the change may affect something of the function of an event.
    fn is_reached(&self, events: &[Event], event: usize) -> bool {
        self.reached.contains_key(&events[event].function)
    }

    /// Which events have slices that are to be covered.
    pub fn wanted(&self, program: &Program, run: &Run, trace: &Trace) -> Vec<bool> {
        let events = &run.log.events;
        let mut wanted = self.affected(program, run, trace);
        let guards = self.guards(program, run, trace);
        let mut behind_guards = vec![false; events.len()];
        for event in 0..events.len() {
            let depends = trace.dependences(event as u32).iter().any(|&on| behind_guards[on as usize]);
            behind_guards[event] = depends || guards[event] || wanted[event];
            wanted[event] |= guards[event] || depends && self.may_affect(program, events, event);
        }
        wanted
    }

    /// Events that decide whether something affected is executed.
    fn guards(&self, program: &Program, run: &Run, trace: &Trace) -> Vec<bool> {
        let events = &run.log.events;
        let mut guards = vec![false; events.len()];
        // The calls that are running, and the last instruction that was executed.
        let mut calls: Vec<Option<usize>> = Vec::new();
        let mut last = None;
        for (event, happened) in events.iter().enumerate() {
            match happened.kind {
                EventKind::Enter => calls.push(last),
                EventKind::Leave => {
                    // Whether the call came back was decided inside.
                    let call = calls.pop().flatten().filter(|&call: &usize| self.is_ahead(&events[call]));
                    if let (Some(call), Some(step)) = (call, last) {
                        let returned =
                            matches!(op(&program.code(events[step].function), &events[step]), Some(Op::Ret(_)));
                        guards[step] |= !returned || self.is_guard(program, trace, &events[call]);
                    }
                }
                EventKind::Step | EventKind::Decision => {
                    guards[event] = self.is_guard(program, trace, happened);
                    if happened.kind == EventKind::Step {
                        last = Some(event);
                    }
                }
                _ => {}
            }
        }
        // Who ended early has not come to what is ahead, of the branches and calls that led there.
        if !matches!(run.end, End::Returned(_)) {
            let last = events.len().checked_sub(1);
            let before = |event: &usize| trace.controls[*event].1.map(|on| on as usize).filter(|on| on < event);
            let led: Vec<usize> = std::iter::successors(last, before).collect();
            let outermost = led.iter().rposition(|&event| self.is_ahead(&events[event]));
            for &event in led.iter().take(outermost.map_or(0, |at| at + 1)) {
                // The end itself is not there on other ways; its question is.
                guards[event] |= events[event].kind != EventKind::End;
                for &on in trace.dependences(event as u32) {
                    let question = &events[on as usize];
                    let is_own = (question.function, question.at) == (events[event].function, events[event].at);
                    guards[on as usize] |= is_own && question.kind == EventKind::Decision;
                }
            }
        }
        guards
    }

    /// Whether a branch, or a call that may be one of several, has something affected on its ways.
    fn is_guard(&self, program: &Program, trace: &Trace, happened: &Event) -> bool {
        let Some(reached) = self.reached.get(&happened.function) else { return false };
        let code = program.code(happened.function);
        let Some(inst) = code.insts.get(happened.at as usize) else { return false };
        let is_chosen = happened.kind == EventKind::Decision && matches!(inst.op, Op::Call(_) | Op::Invoke { .. });
        if is_chosen && reached.insts.contains(inst.id.index()) {
            return true;
        }
        let Some(decisions) = trace.functions.get(&happened.function) else { return false };
        let region =
            decisions.block_of.get(happened.at as usize).and_then(|&block| decisions.regions[block as usize].as_ref());
        inst.op.edges().len() > 1 && region.is_some_and(|region| !region.is_disjoint(&reached.blocks))
    }

    /// Whether something affected may be executed behind an event, before its function returns.
    fn is_ahead(&self, happened: &Event) -> bool {
        self.reached.get(&happened.function).is_some_and(|reached| reached.ahead.contains(happened.at as usize))
    }

    /// Whether the change may affect an event on some path.
    fn may_affect(&self, program: &Program, events: &[Event], event: usize) -> bool {
        let Some(reached) = self.reached.get(&events[event].function) else { return false };
        inst_of(program, events, event).is_some_and(|inst| reached.insts.contains(inst.index()))
    }
}

/// Whether a cause counts in a call that brings these.
fn has(marks: Option<&Marks>, cause: Cause) -> bool {
    cause == Cause::Own || marks.is_some_and(|marks| marks.causes().any(|brought| brought == cause))
}

/// Which events are some first ones or depend on them.
pub(crate) fn depending(events: usize, trace: &Trace, is_first: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut found = vec![false; events];
    for event in 0..events {
        let depends = trace.dependences(event as u32).iter().any(|&on| found[on as usize]);
        found[event] = depends || is_first(event);
    }
    found
}

fn op<'c>(code: &'c Code, happened: &Event) -> Option<&'c Op> {
    code.insts.get(happened.at as usize).map(|inst| &inst.op)
}

/// The instruction of an event.
fn inst_of(program: &Program, events: &[Event], event: usize) -> Option<InstId> {
    let happened = &events[event];
    let code = program.code(happened.function);
    match happened.kind {
        EventKind::Step | EventKind::Decision | EventKind::End => Some(code.insts.get(happened.at as usize)?.id),
        EventKind::Phi(dest) => {
            let edge = events[..event].iter().rev().find_map(|event| match event.kind {
                EventKind::Edge(edge) => Some(edge),
                _ => None,
            })?;
            let edge = code.edges.get(edge as usize)?;
            let position = edge.moves.iter().position(|(register, _)| *register == dest)?;
            program.module.functions[happened.function].blocks[edge.to].insts.get(position).copied()
        }
        EventKind::Pass | EventKind::Edge(_) | EventKind::Enter | EventKind::Leave => None,
    }
}
