//! Impacted coverage: what tests can cover of what a change affects.
//!
//! iDiSE, section IV, definitions IV.1 to IV.5. A goal has *obligations*; a run that recorded its visits covers some of
//! them. Obligations are told apart by function, not by call: a statement is covered if some call covers it.
//!
//! Statements are instructions that do something ([`Aim::statements`]): joins and jumps are none.
//!
//! Data flow counts pairs of affected instructions of which the second uses the value of the first; what goes through
//! memory is not told apart.

use crate::aim::{Aim, Reach};
use crate::trace::{class, stretches, trace};
use change::digest::Digest;
use exec::program::Program;
use exec::state::State;
use ir::id::{BlockId, FuncId, Id, InstId};
use ir::inst::{InstKind, Value};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What is to be covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Goal {
    /// Every affected instruction (IV.1).
    Statement,
    /// Every block with one (IV.2).
    Block,
    /// Every side of every affected branch (IV.3).
    Branch,
    /// Every sequence of affected instructions (IV.4).
    Path,
    /// Every use of an affected value by something affected (IV.5).
    Data,
}

/// All goals.
pub const GOALS: [Goal; 5] = [Goal::Statement, Goal::Block, Goal::Branch, Goal::Path, Goal::Data];

impl Goal {
    /// As users write it.
    pub fn name(self) -> &'static str {
        match self {
            Goal::Statement => "statement",
            Goal::Block => "block",
            Goal::Branch => "branch",
            Goal::Path => "path",
            Goal::Data => "data",
        }
    }
}

/// Something to be covered.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Obligation {
    /// An instruction.
    Statement(FuncId, InstId),
    /// A block.
    Block(FuncId, BlockId),
    /// A side of a branch.
    Branch(FuncId, InstId, BlockId),
    /// A sequence.
    Path(Fragment),
    /// A value and its use.
    Data(FuncId, InstId, InstId),
}

/// A sequence of affected instructions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fragment {
    /// How many there are.
    pub steps: usize,
    /// What tells it from others.
    pub class: Digest,
    /// The last one that has a line, else the last one.
    pub last: (FuncId, InstId),
}

impl Obligation {
    /// The function that it is in; paths may be in several.
    pub fn function(&self) -> Option<FuncId> {
        match self {
            Obligation::Statement(function, _)
            | Obligation::Block(function, _)
            | Obligation::Branch(function, ..)
            | Obligation::Data(function, ..) => Some(*function),
            Obligation::Path(_) => None,
        }
    }

    /// Where it is: a function and, if it is one place, an instruction.
    pub fn place(&self, program: &Program) -> Option<(FuncId, InstId)> {
        match self {
            Obligation::Statement(function, inst)
            | Obligation::Branch(function, inst, _)
            | Obligation::Data(function, _, inst) => Some((*function, *inst)),
            Obligation::Block(function, block) => {
                let insts = &program.module.functions[*function].blocks[*block].insts;
                insts.last().map(|&inst| (*function, inst))
            }
            Obligation::Path(fragment) => Some(fragment.last),
        }
    }
}

/// What a run covers of a goal.
pub fn covered(aim: &Aim, program: &Program, state: &State, goal: Goal) -> BTreeSet<Obligation> {
    covered_of(aim, program, state, &[goal]).remove(&goal).unwrap_or_default()
}

/// What a run covers of each of these goals.
pub fn covered_of(aim: &Aim, program: &Program, state: &State, goals: &[Goal]) -> BTreeMap<Goal, BTreeSet<Obligation>> {
    let mut found: BTreeMap<Goal, BTreeSet<Obligation>> = goals.iter().map(|&goal| (goal, BTreeSet::new())).collect();
    if goals.contains(&Goal::Path) {
        found.insert(Goal::Path, fragment(aim, program, state).map(Obligation::Path).into_iter().collect());
    }
    let mut add = |goal: Goal, obligation: Obligation| {
        if let Some(found) = found.get_mut(&goal) {
            found.insert(obligation);
        }
    };
    let visits = state.visits.to_vec();
    // By depth: the block that the call came from.
    let mut before: Vec<Option<BlockId>> = Vec::new();
    // A loop does the same again and again.
    let mut seen = FxHashSet::default();
    for stretch in stretches(aim, program, state, &visits) {
        let (function, block, depth) = (stretch.visit.function, stretch.visit.block, stretch.visit.depth as usize);
        before.resize(depth + 1, None);
        let from = if block.index() == 0 { None } else { before[depth] };
        before[depth] = Some(block);
        let plan = &stretch.plan;
        let is_seen = !seen.insert((Arc::as_ptr(plan), block, from, stretch.next, stretch.last));
        if is_seen || aim.reach == Reach::Entry && depth > 1 {
            continue;
        }
        let data = &program.module.functions[function];
        let insts = &data.blocks[block].insts;
        for (position, &inst) in insts.iter().enumerate() {
            if plan.affected.contains(inst.index()) {
                if plan.statements.contains(inst.index()) {
                    add(Goal::Statement, Obligation::Statement(function, inst));
                    add(Goal::Block, Obligation::Block(function, block));
                }
                let kind = &data.insts[inst].kind;
                if let Some(to) = stretch.next.filter(|_| position + 1 == insts.len() && is_branch(kind)) {
                    add(Goal::Branch, Obligation::Branch(function, inst, to));
                }
                sources(kind, from, &mut |source| {
                    if plan.affected.contains(source.index()) {
                        add(Goal::Data, Obligation::Data(function, source, inst));
                    }
                });
            }
            if stretch.last == Some(inst) {
                break;
            }
        }
    }
    found
}

/// The sequence of affected instructions of a run; nothing if it has none.
fn fragment(aim: &Aim, program: &Program, state: &State) -> Option<Fragment> {
    let steps = trace(aim, program, state);
    let has_line = |step: &&crate::trace::Step| program.module.functions[step.function].insts[step.inst].loc.is_some();
    let last = steps.iter().rev().find(has_line).or(steps.last())?;
    Some(Fragment { steps: steps.len(), class: class(&steps), last: (last.function, last.inst) })
}

/// All obligations of a goal that the code shows, feasible or not; paths cannot be told from the code.
pub fn obligations(aim: &Aim, program: &Program, functions: &BTreeSet<FuncId>, goal: Goal) -> BTreeSet<Obligation> {
    let mut found = BTreeSet::new();
    for &id in functions {
        let function = &program.module.functions[id];
        let is_affected = |inst: InstId| aim.influence.has_anywhere(id, inst) || is_gap(aim, id, inst);
        let statements = aim.statements(program, id);
        let is_statement = |inst: InstId| statements.contains(inst.index());
        for (block, inst, data) in function.body().filter(|(_, inst, _)| is_affected(*inst)) {
            match goal {
                Goal::Statement if is_statement(inst) => {
                    found.insert(Obligation::Statement(id, inst));
                }
                Goal::Block if is_statement(inst) => {
                    found.insert(Obligation::Block(id, block));
                }
                Goal::Branch if is_branch(&data.kind) => {
                    data.kind.for_each_successor(|to| {
                        found.insert(Obligation::Branch(id, inst, to));
                    });
                }
                Goal::Data => sources(&data.kind, None, &mut |source| {
                    if is_affected(source) {
                        found.insert(Obligation::Data(id, source, inst));
                    }
                }),
                Goal::Statement | Goal::Block | Goal::Path | Goal::Branch => {}
            }
        }
    }
    found
}

fn is_gap(aim: &Aim, function: FuncId, inst: InstId) -> bool {
    aim.gaps.get(&function).is_some_and(|gaps| gaps.contains(&inst))
}

fn is_branch(kind: &InstKind) -> bool {
    matches!(kind, InstKind::CondBr { .. } | InstKind::Switch { .. } | InstKind::IndirectBr { .. })
}

/// The instructions whose values an instruction uses; of a phi the one for the block that control came from, if known.
fn sources(kind: &InstKind, from: Option<BlockId>, visit: &mut dyn FnMut(InstId)) {
    match kind {
        InstKind::Phi { incoming, .. } => {
            for (block, value) in incoming.iter() {
                if let Value::Inst(source) = value
                    && from.is_none_or(|from| from == *block)
                {
                    visit(*source);
                }
            }
        }
        kind => kind.for_each_operand(|operand| {
            if let Value::Inst(source) = operand {
                visit(source);
            }
        }),
    }
}
