//! What a run did of what a change affects: its affected instructions in order. Runs with the same trace are of one class.

use crate::aim::{Aim, Reach};
use analysis::influence::Marks;
use exec::program::Program;
use exec::state::{State, Visit};
use ir::id::{BlockId, FuncId, Id, InstId};

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
    /// What the call brings.
    pub marks: Marks,
    /// The block that was entered next in the same call.
    pub next: Option<BlockId>,
    /// The last instruction that was begun, if it is not the last one of the block.
    pub last: Option<InstId>,
}

/// The affected instructions of a run that recorded its visits, in order.
pub fn trace(aim: &Aim, program: &Program, state: &State) -> Vec<Step> {
    let visits = state.visits.to_vec();
    let mut steps = Vec::new();
    for stretch in stretches(aim, state, &visits) {
        let Visit { function, block, depth, .. } = *stretch.visit;
        if aim.reach == Reach::Entry && depth > 1 {
            continue;
        }
        let plan = aim.plan(program, function, &stretch.marks);
        let insts = &program.module.functions[function].blocks[block].insts;
        for &inst in insts {
            if plan.affected.contains(inst.index()) {
                let is_last = insts.last() == Some(&inst);
                steps.push(Step { function, inst, to: stretch.next.filter(|_| is_last) });
            }
            if stretch.last == Some(inst) {
                break;
            }
        }
    }
    steps
}

/// The blocks that a run entered, in order.
pub fn stretches<'v>(aim: &Aim, state: &State, visits: &[&'v Visit]) -> Vec<Stretch<'v>> {
    let mut stretches: Vec<Stretch> = Vec::with_capacity(visits.len());
    // By depth: what the calls bring, and their functions.
    let mut calls: Vec<(FuncId, Marks)> = Vec::new();
    for &visit in visits {
        let depth = visit.depth as usize;
        if visit.block.index() == 0 {
            let marks = match (depth.checked_sub(2).and_then(|caller| calls.get(caller)), visit.call) {
                (Some((caller, marks)), Some(call)) => aim.influence.marks(*caller, marks, call),
                _ => Marks::default(),
            };
            calls.truncate(depth.saturating_sub(1));
            calls.resize(depth.saturating_sub(1), (visit.function, Marks::default()));
            calls.push((visit.function, marks));
        }
        let marks =
            depth.checked_sub(1).and_then(|index| calls.get(index)).map_or(Marks::default(), |call| call.1.clone());
        stretches.push(Stretch { visit, marks, next: None, last: None });
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
