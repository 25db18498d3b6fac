//! The assignment behind a phi.
//!
//! A local variable that different ways give different values is a phi, which has no line. `x = 1` on one of the ways is
//! no instruction either, only a value of the phi on that way and a marker. So when a run takes a value into a phi, the
//! line is that of the marker which gave the variable its value there.

use exec::program::Program;
use exec::record::{Event, EventKind};
use ir::id::{BlockId, FuncId, InstId, VarId};
use ir::inst::{InstKind, Value};
use ir::module::Function;

/// A value that a phi took.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taken {
    /// Function.
    pub function: FuncId,
    /// The phi.
    pub phi: InstId,
    /// The block that the run came from.
    pub from: BlockId,
}

/// The phi of an event, and where the run came from.
pub(super) fn taken(program: &Program, events: &[Event], event: u32) -> Option<Taken> {
    let happened = events.get(event as usize)?;
    let EventKind::Phi(dest) = happened.kind else { return None };
    let before = events[..event as usize].iter().rev();
    let edge = before.take(MOST_PHIS).find_map(|event| match event.kind {
        EventKind::Edge(edge) => Some(edge),
        _ => None,
    })?;
    let code = program.code(happened.function);
    let edge = code.edges.get(edge as usize)?;
    let position = edge.moves.iter().position(|(register, _)| *register == dest)?;
    let function = &program.module.functions[happened.function];
    let phi = *function.blocks[edge.to].insts.get(position)?;
    Some(Taken { function: happened.function, phi, from: edge.from })
}

/// The marker that gave a phi's variable the value which it has at the end of a block; else the last instruction of the
/// block, where there is no variable or no single way back to the assignment.
pub(super) fn assignment(function: &Function, taken: &Taken) -> Option<InstId> {
    let last = || function.blocks[taken.from].insts.last().copied();
    let Some(variable) = variable(function, taken.phi) else { return last() };
    let mut block = taken.from;
    for _ in 0..MOST_BLOCKS {
        let assigns = |inst: &&InstId| match &function.insts[**inst].kind {
            InstKind::Marker(marker) => marker.variable == variable,
            _ => false,
        };
        if let Some(found) = function.blocks[block].insts.iter().rev().find(assigns) {
            return if function.insts[*found].loc.is_some() { Some(*found) } else { last() };
        }
        let mut before = function.blocks.iter_ids().filter(|(from, _)| leads(function, *from, block));
        match (before.next(), before.next()) {
            (Some((only, _)), None) => block = only,
            _ => break,
        }
    }
    last()
}

/// Markers that give variables the values which an instruction uses: a constant, an argument or a result that is used
/// directly, because a variable was assigned it.
pub(super) fn names(function: &Function, inst: InstId) -> Vec<InstId> {
    let mut used = Vec::new();
    function.insts[inst].kind.for_each_operand(|value| used.push(value));
    let assigns = |inst: InstId| match &function.insts[inst].kind {
        InstKind::Marker(marker) => marker.value.is_some_and(|value| used.contains(&value)),
        _ => false,
    };
    function.body().filter(|(_, inst, _)| assigns(*inst)).map(|(_, inst, _)| inst).collect()
}

/// Longest way back to an assignment, in blocks.
const MOST_BLOCKS: usize = 32;

/// Most phis of a block that are looked at.
const MOST_PHIS: usize = 4096;

/// The variable whose values a phi joins.
fn variable(function: &Function, phi: InstId) -> Option<VarId> {
    let block = function.blocks.iter().find(|block| block.insts.contains(&phi))?;
    block.insts.iter().find_map(|inst| match &function.insts[*inst].kind {
        InstKind::Marker(marker) if marker.value == Some(Value::Inst(phi)) => Some(marker.variable),
        _ => None,
    })
}

fn leads(function: &Function, from: BlockId, to: BlockId) -> bool {
    let mut found = false;
    if let Some(end) = function.terminator(from) {
        end.kind.for_each_successor(|target| found |= target == to);
    }
    found
}
