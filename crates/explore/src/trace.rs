//! What a run did of what a change affects: its affected instructions in order. Runs with the same trace are of one class.

use crate::aim::{Aim, Plan, Reach};
use crate::contexts::{ContextId, Contexts};
use change::digest::{Digest, Hasher};
use exec::program::Program;
use exec::state::{State, Visit};
use fixedbitset::FixedBitSet;
use ir::id::{BlockId, FuncId, Id, InstId};
use ir::module::Module;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// An affected instruction that was executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// Function.
    pub function: FuncId,
    /// Instruction.
    pub inst: InstId,
    /// Where it led, if it is the last one of its block and the run went on in the function.
    pub to: Option<BlockId>,
}

/// Whether a run with these steps did something affected: more than pass on what others computed. A value that the change
/// does not reach may go through an affected phi or return; then nothing on its way is affected.
pub fn is_affected(aim: &Aim, program: &Program, steps: &[Step]) -> bool {
    steps.iter().any(|step| aim.is_source(program, step.function, step.inst))
}

/// A block that was entered, and how much of it was executed.
pub struct Stretch<'v> {
    /// The block.
    pub visit: &'v Visit,
    /// What the change means to the call.
    pub plan: Arc<Plan>,
    /// The block that was entered next in the same call.
    pub next: Option<BlockId>,
    /// The last instruction that was begun, if it is not the last one of the block.
    pub last: Option<InstId>,
}

/// The affected instructions of a run that recorded its visits, in the order of their execution: what a call did comes
/// before what follows the call. So the steps of a run that dies are the first ones of a run that goes on.
pub fn trace(aim: &Aim, program: &Program, state: &State) -> Vec<Step> {
    let visits = state.visits.to_vec();
    let mut listing = Listing { aim, program, steps: Vec::new(), open: Vec::new() };
    for stretch in stretches(aim, program, state, &visits) {
        listing.enter(stretch);
    }
    listing.leave(0);
    listing.steps
}

/// What stands for the class of a run with these steps.
pub fn class(steps: &[Step]) -> Digest {
    let mut hasher = Hasher::new("class");
    for step in steps {
        let to = step.to.map_or(0, |block| block.index() as u64 + 1);
        hasher.word((step.function.index() as u64) << 32 | step.inst.index() as u64);
        hasher.word(to);
    }
    hasher.finish()
}

/// Instructions that are looked for in runs.
pub struct Sought {
    /// By function: instructions, and the blocks that they are in.
    functions: Vec<(FixedBitSet, FixedBitSet)>,
    /// Phis among them that count only if control comes from one of these blocks.
    edges: FxHashMap<(FuncId, InstId), Vec<BlockId>>,
}

impl Sought {
    /// All instructions of a module for which `is_sought` holds; a phi with `edges` only where control comes along one.
    pub fn new(
        module: &Module,
        is_sought: impl Fn(FuncId, InstId) -> bool,
        edges: impl Iterator<Item = (FuncId, InstId, BlockId)>,
    ) -> Sought {
        let in_function = |(id, function): (FuncId, &ir::module::Function)| {
            let (mut insts, mut blocks) = (FixedBitSet::new(), FixedBitSet::new());
            for (block, inst, _) in function.body().filter(|(_, inst, _)| is_sought(id, *inst)) {
                insts.grow_and_insert(inst.index());
                blocks.grow_and_insert(block.index());
            }
            (insts, blocks)
        };
        let functions = module.functions.iter_ids().map(in_function).collect();
        let mut by_phi: FxHashMap<(FuncId, InstId), Vec<BlockId>> = FxHashMap::default();
        // A jump comes back to the middle of a block: the block that was entered before is not where control came from.
        let may_jump = module.functions.ids().any(|id| module.function_name(id).contains("setjmp"));
        for (function, phi, from) in edges.filter(|_| !may_jump) {
            by_phi.entry((function, phi)).or_default().push(from);
        }
        Sought { functions, edges: by_phi }
    }

    /// The first of them that a run executed, block by block in the order in which they were entered.
    pub fn find(&self, module: &Module, state: &State) -> Option<(FuncId, InstId)> {
        let visits = state.visits.to_vec();
        // Of calls that have not returned the last block is not yet executed to its end.
        let mut running: Vec<Option<InstId>> =
            state.frames.iter().map(|frame| crate::contexts::running(frame)).collect();
        let mut ends: Vec<(usize, InstId)> = Vec::new();
        for (index, visit) in visits.iter().enumerate().rev() {
            let depth = (visit.depth as usize).wrapping_sub(1);
            if let Some(last) = running.get_mut(depth).and_then(Option::take) {
                ends.push((index, last));
            }
            if ends.len() == running.len() {
                break;
            }
        }
        visits.iter().enumerate().find_map(|(index, visit)| {
            let (sought, blocks) = self.functions.get(visit.function.index())?;
            if !blocks.contains(visit.block.index()) {
                return None;
            }
            let insts = &module.functions[visit.function].blocks[visit.block].insts;
            let last = ends.iter().find(|(of, _)| *of == index).map(|(_, last)| *last);
            let end = insts.iter().position(|&inst| last == Some(inst)).map_or(insts.len(), |last| last + 1);
            // Where the call was before.
            let before =
                || visits[..index].iter().rev().find(|before| before.depth <= visit.depth).map(|visit| visit.block);
            let counts = |inst: &InstId| match self.edges.get(&(visit.function, *inst)) {
                Some(edges) => before().is_none_or(|before| edges.contains(&before)),
                None => true,
            };
            let found = insts[..end].iter().find(|inst| sought.contains(inst.index()) && counts(inst));
            found.map(|&inst| (visit.function, inst))
        })
    }
}

/// Steps in the order of their execution.
struct Listing<'a, 'v> {
    aim: &'a Aim,
    program: &'a Program,
    steps: Vec<Step>,
    /// By depth: the block that a call is in, and how many of its instructions are listed.
    open: Vec<Option<(Stretch<'v>, usize)>>,
}

impl<'v> Listing<'_, 'v> {
    fn enter(&mut self, stretch: Stretch<'v>) {
        let depth = stretch.visit.depth as usize;
        let Some(before) = depth.checked_sub(1) else { return };
        self.leave(before);
        let call = stretch.visit.call.filter(|_| stretch.visit.block.index() == 0);
        if let Some(call) = call
            && let Some((caller, listed)) = self.open.pop().flatten()
        {
            let listed = self.list(&caller, listed, Some(call));
            self.open.push(Some((caller, listed)));
        }
        self.open.resize_with(before, || None);
        self.open.push(Some((stretch, 0)));
    }

    /// Lists what is left of the blocks of all calls beyond this number, the latest call first.
    fn leave(&mut self, calls: usize) {
        while self.open.len() > calls {
            if let Some((stretch, listed)) = self.open.pop().flatten() {
                self.list(&stretch, listed, None);
            }
        }
    }

    /// Lists the instructions of a block from a position to `last`, or to its end. How many are listed then.
    fn list(&mut self, stretch: &Stretch<'v>, listed: usize, last: Option<InstId>) -> usize {
        let Visit { function, block, depth, .. } = *stretch.visit;
        if self.aim.reach == Reach::Entry && depth > 1 {
            return listed;
        }
        let insts = &self.program.module.functions[function].blocks[block].insts;
        let is_last = |inst: &InstId| last == Some(*inst) || stretch.last == Some(*inst);
        let end = insts.iter().position(is_last).map_or(insts.len(), |last| last + 1);
        for (position, &inst) in insts.iter().enumerate().take(end).skip(listed) {
            if stretch.plan.affected.contains(inst.index()) {
                let to = stretch.next.filter(|_| position + 1 == insts.len());
                self.steps.push(Step { function, inst, to });
            }
        }
        end
    }
}

/// The blocks that a run entered, in order.
pub fn stretches<'v>(aim: &Aim, program: &Program, state: &State, visits: &[&'v Visit]) -> Vec<Stretch<'v>> {
    let mut stretches: Vec<Stretch> = Vec::with_capacity(visits.len());
    let mut contexts = Contexts::default();
    // By depth: what the calls are.
    let mut calls: Vec<ContextId> = Vec::new();
    for &visit in visits {
        let Some(before) = (visit.depth as usize).checked_sub(1) else { continue };
        if visit.block.index() == 0 || calls.len() <= before {
            let caller = before.checked_sub(1).and_then(|caller| calls.get(caller));
            let id = match (caller, visit.call) {
                (Some(&caller), Some(call)) => contexts.called(aim, program, caller, call, visit.function),
                _ => contexts.of_function(aim, program, visit.function),
            };
            calls.resize(before, id);
            calls.push(id);
        }
        let plan = contexts.shared_plan(calls[before]);
        stretches.push(Stretch { visit, plan, next: None, last: None });
    }
    // From behind: the next block of the same call; for calls that have not returned how far their last block got.
    let mut next: Vec<Option<BlockId>> = Vec::new();
    let mut running: Vec<Option<InstId>> =
        state.frames.iter().map(|frame| frame.code.insts.get(frame.at as usize).map(|inst| inst.id)).collect();
    for stretch in stretches.iter_mut().rev() {
        let Some(index) = (stretch.visit.depth as usize).checked_sub(1) else { continue };
        next.resize(next.len().max(index + 1), None);
        next.truncate(index + 1);
        stretch.next = next[index];
        stretch.last = running.get_mut(index).and_then(Option::take);
        // The first block of a call is entered by the call only.
        next[index] = (stretch.visit.block.index() != 0).then_some(stretch.visit.block);
    }
    stretches
}
