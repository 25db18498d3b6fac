//! What a change means to a running program: which instructions of which calls it affects, which branches cannot matter
//! to any of them, and from where none of them can be reached any more.
//!
//! The same function may be affected in one call and not in another: what a call brings counts ([`Marks`]), as iDiSE
//! has it with its sets for each formal parameter. What is needed of a function under one such set of marks is worked out
//! once ([`Plan`]).

use analysis::influence::{Influence, Marks, Why};
use change::impact::affected::{Affected, kinds};
use change::lines::silent_markers;
use exec::code::{Code, Op, Target};
use exec::program::Program;
use fixedbitset::FixedBitSet;
use ir::id::{BlockId, FuncId, Id, InstId};
use ir::inst::InstKind;
use ir::module::Function;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// What a change means to the functions of a program.
pub struct Aim {
    /// What depends on the change.
    pub influence: Influence,
    /// Instructions in whose place more happened in the other version.
    pub gaps: BTreeMap<FuncId, Vec<InstId>>,
    /// How far it looks.
    pub reach: Reach,
    plans: Mutex<FxHashMap<(FuncId, Marks), Arc<Plan>>>,
    watched: OnceLock<Arc<Vec<FixedBitSet>>>,
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
    /// Those of them that do something, as the source has it.
    pub statements: FixedBitSet,
    /// Those of them that do more than pass on what others computed: without one of these nothing happened yet. A call
    /// that is followed is none, as what it does is looked at by itself.
    pub sources: FixedBitSet,
    /// Sources, and calls that are followed and may get to one.
    pub reaching: FixedBitSet,
    /// Blocks with a source.
    pub source_blocks: FixedBitSet,
    /// Positions of the code behind which an affected instruction can be reached.
    pub after: FixedBitSet,
    /// Positions of the code behind which one that reaches a source can.
    pub reaching_after: FixedBitSet,
    /// Whether every return is affected: then something affected is ahead until the call returns.
    pub to_the_end: bool,
    /// For each branch whether it cannot matter: nothing affected lies between it and where its ways meet.
    pub skippable: Vec<bool>,
}

impl Aim {
    /// An aim at what depends on a change.
    pub fn new(influence: Influence, gaps: BTreeMap<FuncId, Vec<InstId>>, reach: Reach) -> Aim {
        Aim { influence, gaps, reach, plans: Mutex::default(), watched: OnceLock::new() }
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

    /// Of each function the blocks where something affected happens, in calls of some kind.
    pub fn watched(&self, program: &Program) -> Arc<Vec<FixedBitSet>> {
        let blocks = |id: FuncId| {
            let function = &program.module.functions[id];
            let mut affected = FixedBitSet::with_capacity(function.insts.len());
            for (_, set) in self.influence.of_function(id) {
                affected.union_with(&set.insts);
                affected.union_with(&set.calls);
            }
            affected.extend(self.gaps.get(&id).into_iter().flatten().map(|inst| inst.index()));
            if affected.is_clear() {
                return FixedBitSet::new();
            }
            let reaching = self.reaching(program, id, &affected);
            blocks_with(function, &self.sources(program, id, &reaching))
        };
        let watched = || Arc::new(program.module.functions.ids().map(blocks).collect());
        self.watched.get_or_init(watched).clone()
    }

    /// Those of some affected instructions that do more than pass on what others computed, or lead to such.
    fn reaching(&self, program: &Program, id: FuncId, affected: &FixedBitSet) -> FixedBitSet {
        let mut reaching = affected.clone();
        for (_, inst, data) in program.module.functions[id].body() {
            if passes_on(&data.kind) && !self.is_start(id, inst) && reaching.contains(inst.index()) {
                reaching.set(inst.index(), false);
            }
        }
        reaching
    }

    /// Those of them that do more by themselves: not calls that are followed.
    fn sources(&self, program: &Program, id: FuncId, reaching: &FixedBitSet) -> FixedBitSet {
        let mut sources = reaching.clone();
        for call in program.code(id).insts.iter().filter(|inst| self.follows(&inst.op)).map(|inst| inst.id) {
            if sources.contains(call.index()) && !self.is_start(id, call) {
                sources.set(call.index(), false);
            }
        }
        sources
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
        for block in function.blocks.ids() {
            let Some(last) = function.terminator(block) else { continue };
            last.kind.for_each_successor(|to| successors[block.index()].push(to.index()));
        }
        let code = program.code(id);
        let reaching = self.reaching(program, id, &affected);
        let sources = self.sources(program, id, &reaching);
        let after = positions_before(program, id, &affected);
        let reaching_after = positions_before(program, id, &reaching);
        let source_blocks = blocks_with(function, &sources);
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
        let mut returns = function.body().filter(|(_, _, data)| matches!(data.kind, InstKind::Ret(_)));
        let to_the_end = returns.all(|(_, inst, _)| affected.contains(inst.index()));
        let mut statements = self.statements(program, id);
        statements.intersect_with(&affected);
        let mut nodes = FixedBitSet::with_capacity(function.insts.len());
        let Affected { conditions, writes } = kinds(&program.module, id, &affected);
        nodes.extend(conditions.iter().chain(&writes).map(|inst| inst.index()));
        Plan {
            affected,
            nodes,
            statements,
            sources,
            reaching,
            source_blocks,
            after,
            reaching_after,
            to_the_end,
            skippable,
        }
    }

    /// The instructions of a function that do something: no joins and jumps, which only pass on values or control, nor what
    /// names the value of a join, unless something was removed in their place.
    pub fn statements(&self, program: &Program, id: FuncId) -> FixedBitSet {
        let function = &program.module.functions[id];
        let silent = silent_markers(&program.module, function);
        let is_gap = |inst: &InstId| self.gaps.get(&id).is_some_and(|gaps| gaps.contains(inst));
        let does = |inst: &InstId, kind: &InstKind| {
            !matches!(kind, InstKind::Phi { .. } | InstKind::Br(_)) && !silent.contains(inst)
        };
        let found = function.body().filter(|(_, inst, data)| does(inst, &data.kind) || is_gap(inst));
        found.map(|(_, inst, _)| inst.index()).collect()
    }

    /// Whether an affected instruction does more than pass on what others computed.
    pub fn is_source(&self, program: &Program, function: FuncId, inst: InstId) -> bool {
        let is_followed = || {
            let code = program.code(function);
            code.insts.iter().any(|prepared| prepared.id == inst && self.follows(&prepared.op))
        };
        let passes_on = match &program.module.functions[function].insts[inst].kind {
            InstKind::Call(_) | InstKind::Invoke { .. } => is_followed(),
            kind => passes_on(kind),
        };
        !passes_on || self.is_start(function, inst)
    }

    /// Whether an instruction is a call and what it does is looked at by itself.
    fn follows(&self, op: &Op) -> bool {
        let (Op::Call(call) | Op::Invoke { call, .. }) = op else { return false };
        self.reach == Reach::Calls && matches!(call.target, Target::Code(_))
    }

    /// Whether the change is in an instruction itself, or reaches it from the other version.
    fn is_start(&self, function: FuncId, inst: InstId) -> bool {
        let is_gap = self.gaps.get(&function).is_some_and(|gaps| gaps.contains(&inst));
        let starts = |why: &Why| matches!(why, Why::Start | Why::Other);
        is_gap || self.influence.of_function(function).any(|(_, set)| set.why.get(&inst).is_some_and(starts))
    }
}

/// Positions of a function's code behind which one of these instructions can be reached.
pub(crate) fn positions_before(program: &Program, id: FuncId, insts: &FixedBitSet) -> FixedBitSet {
    let behind = blocks_before(&program.module.functions[id], insts);
    let code = program.code(id);
    let mut found = FixedBitSet::with_capacity(code.insts.len());
    for (block, &start) in code.starts.iter().enumerate() {
        let end = code.starts.get(block + 1).map_or(code.insts.len(), |&start| start as usize);
        let mut ahead = behind.contains(block);
        for at in (start as usize..end).rev() {
            found.set(at, ahead);
            ahead |= insts.contains(code.insts[at].id.index());
        }
    }
    found
}

/// Blocks with one of these instructions.
fn blocks_with(function: &Function, insts: &FixedBitSet) -> FixedBitSet {
    let has = |block: &BlockId| function.blocks[*block].insts.iter().any(|inst| insts.contains(inst.index()));
    function.blocks.ids().filter(has).map(|block| block.index()).collect()
}

/// Blocks from whose end one of these instructions can be reached.
fn blocks_before(function: &Function, insts: &FixedBitSet) -> FixedBitSet {
    let count = function.blocks.len();
    let mut predecessors = vec![Vec::new(); count];
    for block in function.blocks.ids() {
        let Some(last) = function.terminator(block) else { continue };
        last.kind.for_each_successor(|to| predecessors[to.index()].push(block.index()));
    }
    let has = |block: &usize| {
        let block = &function.blocks[BlockId::from_index(*block)];
        block.insts.iter().any(|inst| insts.contains(inst.index()))
    };
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

/// The block that a position is in.
fn block_at(code: &Code, at: u32) -> usize {
    code.starts.partition_point(|&start| start <= at).saturating_sub(1)
}
