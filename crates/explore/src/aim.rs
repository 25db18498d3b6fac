//! What a change means to a running program: which instructions of which calls it affects, which branches cannot matter
//! to any of them, and from where none of them can be reached any more.
//!
//! The same function may be affected in one call and not in another: what a call brings counts ([`Marks`]), as iDiSE
//! has it with its sets for each formal parameter. What is needed of a function under one such set of marks is worked out
//! once ([`Plan`]).

use analysis::influence::{Influence, Marks, Why};
use change::impact::affected::{Affected, kinds};
use exec::code::{Code, Op};
use exec::program::Program;
use exec::state::{Frame, State};
use fixedbitset::FixedBitSet;
use ir::id::{BlockId, FuncId, Id, InstId};
use ir::inst::InstKind;
use ir::module::Function;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

/// What a change means to the functions of a program.
pub struct Aim {
    /// What depends on the change.
    pub influence: Influence,
    /// Instructions in whose place more happened in the other version.
    pub gaps: BTreeMap<FuncId, Vec<InstId>>,
    /// How far it looks.
    pub reach: Reach,
    plans: Mutex<FxHashMap<(FuncId, Marks), Arc<Plan>>>,
}

/// How far an exploration looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// At the entry only; what it calls is followed in full.
    Entry,
    /// Into what it calls.
    Calls,
}

/// What a change means to a function in calls that bring the same.
#[derive(Debug)]
pub struct Plan {
    /// Affected instructions, by number.
    pub affected: FixedBitSet,
    /// Those of them that the papers call nodes: conditions and writes.
    pub nodes: FixedBitSet,
    /// Those of them that do more than pass on what others computed: without one of these nothing happened yet.
    pub sources: FixedBitSet,
    /// Blocks from whose end an affected instruction can be reached.
    pub behind: FixedBitSet,
    /// Blocks from whose end a source can.
    pub sources_behind: FixedBitSet,
    /// For each branch whether it cannot matter: nothing affected lies between it and where its ways meet.
    pub skippable: Vec<bool>,
}

impl Aim {
    /// An aim at what depends on a change.
    pub fn new(influence: Influence, gaps: BTreeMap<FuncId, Vec<InstId>>, reach: Reach) -> Aim {
        Aim { influence, gaps, reach, plans: Mutex::default() }
    }

    /// What the change means to a function in a call that brings this.
    pub fn plan(&self, program: &Program, function: FuncId, marks: &Marks) -> Arc<Plan> {
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(plan) = plans.get(&(function, marks.clone())) {
            return plan.clone();
        }
        let plan = Arc::new(self.make_plan(program, function, marks));
        plans.insert((function, marks.clone()), plan.clone());
        plan
    }

    /// What the calls of a state bring, the entry first.
    pub fn marks(&self, state: &State) -> Vec<Marks> {
        let mut all: Vec<Marks> = Vec::with_capacity(state.frames.len());
        let mut caller: Option<&Rc<Frame>> = None;
        for frame in &state.frames {
            let marks = match (caller, all.last()) {
                (Some(caller), Some(marks)) => match running(caller) {
                    Some(call) => self.influence.marks(caller.code.function, marks, call),
                    None => Marks::default(),
                },
                _ => Marks::default(),
            };
            all.push(marks);
            caller = Some(frame);
        }
        all
    }

    /// Whether the running instruction is affected.
    pub fn affects(&self, program: &Program, state: &State) -> bool {
        let frame = match self.reach {
            Reach::Entry => state.frames.first(),
            Reach::Calls => state.frames.last(),
        };
        let (Some(frame), marks) = (frame, self.marks(state)) else { return false };
        let marks = match self.reach {
            Reach::Entry => marks.first(),
            Reach::Calls => marks.last(),
        };
        let plan = marks.map(|marks| self.plan(program, frame.code.function, marks));
        let inst = running(frame);
        plan.zip(inst).is_some_and(|(plan, inst)| plan.affected.contains(inst.index()))
    }

    /// Whether the branch that a state asks about cannot matter.
    pub fn may_skip(&self, program: &Program, state: &State, branch: u32) -> bool {
        if self.reach == Reach::Entry && state.frames.len() > 1 {
            return false;
        }
        let (Some(frame), marks) = (state.top(), self.marks(state)) else { return false };
        let Some(marks) = marks.last() else { return false };
        let plan = self.plan(program, frame.code.function, marks);
        plan.skippable.get(branch as usize).copied().unwrap_or(false)
    }

    /// Whether an affected instruction can still be reached, here or after a return: the running one counts. With
    /// `sources` only those that do more than pass on what others computed.
    pub fn is_ahead(&self, program: &Program, state: &State, sources: bool) -> bool {
        let marks = self.marks(state);
        let looked = match self.reach {
            Reach::Entry => 1,
            Reach::Calls => state.frames.len(),
        };
        for (index, (frame, marks)) in state.frames.iter().zip(&marks).enumerate().take(looked) {
            let plan = self.plan(program, frame.code.function, marks);
            // A call that is running is behind us, but what it calls belongs to it where only the entry is looked at.
            let is_top = index + 1 == state.frames.len();
            let first = if is_top || self.reach == Reach::Entry { frame.at } else { frame.at + 1 };
            let (insts, behind) = match sources {
                true => (&plan.sources, &plan.sources_behind),
                false => (&plan.affected, &plan.behind),
            };
            if is_ahead(insts, behind, &frame.code, frame.at, first) {
                return true;
            }
        }
        // Before the entry begins, everything is ahead.
        state.frames.is_empty()
    }

    fn make_plan(&self, program: &Program, id: FuncId, marks: &Marks) -> Plan {
        let function = &program.module.functions[id];
        let mut affected = FixedBitSet::with_capacity(function.insts.len());
        for set in self.influence.in_call(id, marks) {
            affected.union_with(&set.insts);
            affected.union_with(&set.calls);
        }
        for inst in self.gaps.get(&id).into_iter().flatten() {
            affected.grow_and_insert(inst.index());
        }
        let count = function.blocks.len();
        let is_affected = |inst: &InstId| affected.contains(inst.index());
        let has = |block: usize| function.blocks[BlockId::from_index(block)].insts.iter().any(is_affected);
        let mut successors = vec![Vec::new(); count];
        let mut predecessors = vec![Vec::new(); count];
        for block in function.blocks.ids() {
            let Some(last) = function.terminator(block) else { continue };
            last.kind.for_each_successor(|to| {
                successors[block.index()].push(to.index());
                predecessors[to.index()].push(block.index());
            });
        }
        let behind = before(function, &predecessors, &affected);
        let mut sources = affected.clone();
        for (_, inst, data) in function.body() {
            if passes_on(&data.kind) && !self.is_start(id, inst) && sources.contains(inst.index()) {
                sources.set(inst.index(), false);
            }
        }
        let sources_behind = before(function, &predecessors, &sources);
        let code = program.code(id);
        let mut skippable = vec![false; code.branches.len()];
        for (at, inst) in code.insts.iter().enumerate() {
            let (Op::CondBr { branch, .. } | Op::Switch { branch, .. }) = inst.op else { continue };
            let Some(join) = code.branches[branch as usize].join else { continue };
            let (from, join) = (block_at(&code, at as u32), block_at(&code, join));
            let phi = |inst: &&InstId| matches!(function.insts[**inst].kind, InstKind::Phi { .. });
            let phis = function.blocks[BlockId::from_index(join)].insts.iter().take_while(phi);
            let mut matters = is_affected(&inst.id) || phis.into_iter().any(is_affected);
            let mut inside = FixedBitSet::with_capacity(count);
            let mut stack = successors[from].clone();
            while let Some(block) = stack.pop() {
                if block != join && !inside.put(block) {
                    matters |= has(block);
                    stack.extend(&successors[block]);
                }
            }
            skippable[branch as usize] = !matters;
        }
        let mut nodes = FixedBitSet::with_capacity(function.insts.len());
        let Affected { conditions, writes } = kinds(&program.module, id, &affected);
        nodes.extend(conditions.iter().chain(&writes).map(|inst| inst.index()));
        Plan { affected, nodes, sources, behind, sources_behind, skippable }
    }

    /// Whether an affected instruction does more than pass on what others computed.
    pub fn is_source(&self, program: &Program, function: FuncId, inst: InstId) -> bool {
        !passes_on(&program.module.functions[function].insts[inst].kind) || self.is_start(function, inst)
    }

    /// Whether the change is in an instruction itself, or reaches it from the other version.
    fn is_start(&self, function: FuncId, inst: InstId) -> bool {
        let is_gap = self.gaps.get(&function).is_some_and(|gaps| gaps.contains(&inst));
        let starts = |why: &Why| matches!(why, Why::Start | Why::Other);
        is_gap || self.influence.of_function(function).any(|(_, set)| set.why.get(&inst).is_some_and(starts))
    }
}

/// Whether one of these instructions can be reached from position `first` of the block that `at` is in; `behind` says from
/// the ends of which blocks one can.
fn is_ahead(insts: &FixedBitSet, behind: &FixedBitSet, code: &Code, at: u32, first: u32) -> bool {
    let block = block_at(code, at);
    let end = code.starts.get(block + 1).map_or(code.insts.len(), |&start| start as usize);
    let rest = code.insts.get(first as usize..end).unwrap_or(&[]);
    rest.iter().any(|inst| insts.contains(inst.id.index())) || behind.contains(block)
}

/// Blocks from whose end one of these instructions can be reached.
fn before(function: &Function, predecessors: &[Vec<usize>], insts: &FixedBitSet) -> FixedBitSet {
    let has = |block: &usize| {
        let block = &function.blocks[BlockId::from_index(*block)];
        block.insts.iter().any(|inst| insts.contains(inst.index()))
    };
    let count = predecessors.len();
    let (mut seen, mut behind) = (FixedBitSet::with_capacity(count), FixedBitSet::with_capacity(count));
    let mut stack: Vec<usize> = (0..count).filter(has).collect();
    while let Some(block) = stack.pop() {
        if !seen.put(block) {
            for &before in &predecessors[block] {
                behind.insert(before);
                stack.push(before);
            }
        }
    }
    behind
}

/// Whether an instruction only passes on values or control.
fn passes_on(kind: &InstKind) -> bool {
    matches!(kind, InstKind::Phi { .. } | InstKind::Ret(_) | InstKind::Br(_) | InstKind::Marker(_))
}

/// The instruction that a call is at.
fn running(frame: &Frame) -> Option<InstId> {
    frame.code.insts.get(frame.at as usize).map(|inst| inst.id)
}

/// The block that a position is in.
fn block_at(code: &Code, at: u32) -> usize {
    code.starts.partition_point(|&start| start <= at).saturating_sub(1)
}
