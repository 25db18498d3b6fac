//! From a cut point of one version to the next ones: loop-free code as one formula.
//!
//! Blocks are followed once each, in an order in which all that leads to a block comes before it. Where ways meet, values and
//! memory become choices, so the formula grows with the code and not with the number of paths (gated SSA, as Alive2
//! encodes functions). A call is a function of its arguments and of memory ([`crate::memory::Event`]); what both versions do
//! alike gets the same terms.

use crate::guard::Guard;
use crate::keys::{Key, Side};
use crate::memory::{EventId, MemId};
use crate::prover::Prover;
use crate::sources;
use crate::value::Val;
use evidence::Gap;
use ir::id::{BlockId, Id, InstId, LocId};
use ir::inst::{InstKind, Value};
use rustc_hash::FxHashMap;
use smt::expr::{Expr, Op};
use std::collections::BTreeMap;

/// Where a stretch of code ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// At a cut point.
    Cut(BlockId),
    /// The function returns.
    Return,
    /// It goes on unwinding.
    Resume,
    /// Behind a call that does not come back, or nowhere.
    Unreachable,
}

/// What there is at the end of a stretch of code.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// When it ends here.
    pub guard: Guard,
    /// Memory.
    pub memory: MemId,
    /// Memory of private locals, by their positions.
    pub slots: Vec<MemId>,
    /// Values of the phis of a cut; the result or exception at the end of the function.
    pub values: Vec<Val>,
}

/// An access or operation that may fault.
#[derive(Clone, Debug)]
pub struct Access {
    /// When it happens.
    pub guard: Guard,
    /// What.
    pub what: Faulty,
    /// Since which event memory has only been written to.
    pub epoch: Expr,
    /// The instruction.
    pub inst: Option<InstId>,
    /// Where in the source.
    pub at: Option<LocId>,
}

/// What may fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Faulty {
    /// A read of so many bytes.
    Read(Expr, u64),
    /// A write of so many bytes.
    Write(Expr, u64),
    /// A division of the first by the second, signed or not.
    Division(Expr, Expr, bool),
    /// A call of a function that only reads, with its arguments and the number of the memory that it reads.
    Call(Key, Vec<Expr>),
    /// A copy of so many bytes to the first address from the second one, which must not overlap unless they are the same.
    Copy(Expr, Expr, u64),
}

/// What a stretch of code does.
pub struct Segment {
    /// Where it ends.
    pub arrivals: BTreeMap<Target, Arrival>,
    /// Values of all instructions that were followed, and of those before.
    pub env: FxHashMap<InstId, Val>,
    /// Guards of the blocks that were followed.
    pub blocks: BTreeMap<BlockId, Guard>,
    /// What may fault.
    pub accesses: Vec<Access>,
    /// What happens, in order.
    pub events: Vec<Happening>,
    /// Events that are taken for the corresponding ones of the other version, and when they are others.
    pub forced: Vec<Forced>,
}

/// An event of a stretch of code.
#[derive(Clone, Debug)]
pub struct Happening {
    /// What happens.
    pub event: EventId,
    /// The instruction.
    pub inst: Option<InstId>,
    /// Where in the source.
    pub at: Option<LocId>,
}

/// An event that is taken for the corresponding one of the other version: versions part when it is another.
#[derive(Clone, Debug)]
pub struct Forced {
    /// When it is another one.
    pub condition: Expr,
    /// Whether it certainly is another one then.
    pub exact: bool,
    /// The instructions of both versions.
    pub insts: [Option<InstId>; 2],
    /// Where in the source of either version.
    pub at: [Option<LocId>; 2],
}

/// Most values that one text may mean.
const MAX_NAMES: usize = 64;

/// A state on an edge.
#[derive(Clone)]
pub struct Edge {
    from: Option<BlockId>,
    guard: Guard,
    memory: MemId,
    slots: Vec<MemId>,
    result: Option<Val>,
}

/// What is followed at the moment.
pub struct Walk<'w, 'p, 'm> {
    /// The proof that it is a part of.
    pub prover: &'w mut Prover<'p, 'm>,
    /// Which version.
    pub side: Side,
    /// What is known so far.
    pub segment: Segment,
    /// Guard of the running block.
    pub guard: Guard,
    /// Memory.
    pub memory: MemId,
    /// Memory of private locals.
    pub slots: Vec<MemId>,
    /// The running instruction.
    pub inst: Option<InstId>,
    /// Its place in the source.
    pub at: Option<LocId>,
    /// Events of the other version between the same cut points, if it was followed before.
    pub others: Option<&'w [Happening]>,
}

/// Where a walk begins.
pub struct Begin {
    /// The cut point; nothing for the entry.
    pub at: Option<BlockId>,
    /// Values that are live there.
    pub env: FxHashMap<InstId, Val>,
    /// What holds there.
    pub guard: Guard,
    /// Memory.
    pub memory: MemId,
    /// Memory of private locals.
    pub slots: Vec<MemId>,
}

/// Follows a version from a cut point to wherever it may get without passing another one.
pub fn walk(
    prover: &mut Prover<'_, '_>,
    side: Side,
    begin: Begin,
    others: Option<&[Happening]>,
) -> Result<Segment, Gap> {
    let version = prover.versions[side.index()].clone();
    let Some(start) = begin.at.or_else(|| version.function.blocks.ids().next()) else {
        return Err(Gap::Unsupported { what: "a function without code".into() });
    };
    let segment = Segment {
        arrivals: BTreeMap::new(),
        env: begin.env,
        blocks: BTreeMap::new(),
        accesses: Vec::new(),
        events: Vec::new(),
        forced: Vec::new(),
    };
    let (guard, memory, slots) = (begin.guard.clone(), begin.memory, begin.slots.clone());
    let mut walk = Walk { prover, side, segment, guard, memory, slots, inst: None, at: None, others };
    let mut edges: BTreeMap<usize, Vec<Edge>> = BTreeMap::new();
    let mut ends: BTreeMap<Target, Vec<Edge>> = BTreeMap::new();
    let first = version.position[start.index()].unwrap_or(0);
    let edge = Edge { from: None, guard: begin.guard, memory: begin.memory, slots: begin.slots, result: None };
    // The entry may be a cut point itself: it is reached once before the first iteration.
    if begin.at.is_none() && version.cuts.contains(&start) {
        ends.insert(Target::Cut(start), vec![edge]);
    } else {
        edges.insert(first, vec![edge]);
    }
    while let Some((position, incoming)) = edges.pop_first() {
        let block = version.order[position];
        walk.enter(block, &incoming, begin.at == Some(block))?;
        for (target, edge) in walk.run(block)? {
            match target {
                Target::Cut(block) if !version.cuts.contains(&block) => {
                    let at = version.position[block.index()].unwrap_or(0);
                    edges.entry(at).or_default().push(edge);
                }
                target => ends.entry(target).or_default().push(edge),
            }
        }
        if walk.prover.oracle.is_over() {
            return Err(Gap::Time);
        }
    }
    for (target, edges) in ends {
        let arrival = walk.arrive(target, &edges)?;
        walk.segment.arrivals.insert(target, arrival);
    }
    Ok(walk.segment)
}

impl Walk<'_, '_, '_> {
    /// Begins a block: values of its phis, and memory, by the edges that lead to it.
    fn enter(&mut self, block: BlockId, incoming: &[Edge], is_begin: bool) -> Result<(), Gap> {
        let (guard, selectors) = self.join(incoming);
        (self.memory, self.slots) = self.memories(incoming, &selectors);
        self.segment.blocks.insert(block, guard.clone());
        self.guard = guard;
        // Phis of the cut point that a walk begins at are known.
        if !is_begin {
            let values = self.phis(block, incoming, &selectors)?;
            self.segment.env.extend(values);
        }
        Ok(())
    }

    fn join(&mut self, incoming: &[Edge]) -> (Guard, Vec<Expr>) {
        let guards: Vec<&Guard> = incoming.iter().map(|edge| &edge.guard).collect();
        Guard::join(&mut self.prover.pool, &guards)
    }

    fn memories(&mut self, incoming: &[Edge], selectors: &[Expr]) -> (MemId, Vec<MemId>) {
        let prover = &mut *self.prover;
        let mut choose = |of: &dyn Fn(&Edge) -> MemId| {
            let mut chosen: Option<MemId> = None;
            for (edge, &selector) in incoming.iter().zip(selectors).rev() {
                chosen = Some(match chosen {
                    Some(other) => prover.memory.choice(&mut prover.pool, selector, of(edge), other),
                    None => of(edge),
                });
            }
            chosen.unwrap_or(self.memory)
        };
        let memory = choose(&|edge| edge.memory);
        let slots = (0..self.slots.len()).map(|slot| choose(&|edge: &Edge| edge.slots[slot])).collect();
        (memory, slots)
    }

    /// Values of the phis of a block, all read before any is written.
    fn phis(&mut self, block: BlockId, incoming: &[Edge], selectors: &[Expr]) -> Result<Vec<(InstId, Val)>, Gap> {
        let function = self.prover.versions[self.side.index()].function;
        let mut found = Vec::new();
        for &inst in &function.blocks[block].insts {
            let InstKind::Phi { incoming: ways, .. } = &function.insts[inst].kind else {
                if matches!(function.insts[inst].kind, InstKind::Marker(_)) {
                    continue;
                }
                break;
            };
            let mut values = Vec::with_capacity(incoming.len());
            for edge in incoming {
                let way = ways.iter().find(|(from, _)| Some(*from) == edge.from);
                let Some(&(_, value)) = way else {
                    return Err(Gap::Unsupported { what: "a phi without a value".into() });
                };
                self.prover.begins(self.side, inst);
                values.push(self.value(value)?);
            }
            found.push((inst, self.choose(&values, selectors)?));
        }
        Ok(found)
    }

    fn choose(&mut self, values: &[Val], selectors: &[Expr]) -> Result<Val, Gap> {
        let mut chosen: Option<Val> = None;
        for (value, &selector) in values.iter().zip(selectors).rev() {
            let pool = &mut self.prover.pool;
            chosen = Some(match chosen {
                Some(other) => value
                    .zip(&other, &mut |a, b| pool.ite(selector, a, b))
                    .ok_or(Gap::Unsupported { what: "values of several shapes".into() })?,
                None => value.clone(),
            });
        }
        Ok(chosen.unwrap_or_else(Val::void))
    }

    /// What there is where edges end the walk.
    fn arrive(&mut self, target: Target, edges: &[Edge]) -> Result<Arrival, Gap> {
        let (guard, selectors) = self.join(edges);
        let (memory, slots) = self.memories(edges, &selectors);
        let values = match target {
            Target::Cut(block) => {
                let phis = self.phis(block, edges, &selectors)?;
                // Where other values of the cut are asked for, those of the walk count: its phis are new from now on.
                phis.into_iter().map(|(_, value)| value).collect()
            }
            _ => {
                let results: Vec<Val> =
                    edges.iter().map(|edge| edge.result.clone().unwrap_or_else(Val::void)).collect();
                vec![self.choose(&results, &selectors)?]
            }
        };
        Ok(Arrival { guard, memory, slots, values })
    }

    /// Follows a block to its end: where it goes.
    fn run(&mut self, block: BlockId) -> Result<Vec<(Target, Edge)>, Gap> {
        let function = self.prover.versions[self.side.index()].function;
        let insts = &function.blocks[block].insts;
        for &id in insts {
            let inst = &function.insts[id];
            self.at = inst.loc.or(self.at);
            self.inst = Some(id);
            self.prover.begins(self.side, id);
            self.prover.steps += 1;
            match &inst.kind {
                InstKind::Phi { .. } | InstKind::Marker(_) => {}
                kind if kind.is_terminator() => return self.leave(block, id, kind),
                kind => {
                    let value = self.execute(kind, inst.ty)?;
                    self.name(id, kind, &value);
                    self.segment.env.insert(id, value);
                }
            }
        }
        Err(Gap::Unsupported { what: "a block without an end".into() })
    }

    fn edge(&self, block: BlockId, guard: Guard, result: Option<Val>) -> Edge {
        Edge { from: Some(block), guard, memory: self.memory, slots: self.slots.clone(), result }
    }

    /// Follows the end of a block.
    fn leave(&mut self, block: BlockId, id: InstId, kind: &InstKind) -> Result<Vec<(Target, Edge)>, Gap> {
        let mut out = Vec::new();
        match kind {
            InstKind::Br(target) => out.push((Target::Cut(*target), self.edge(block, self.guard.clone(), None))),
            InstKind::CondBr { condition, then, otherwise } => {
                let condition = self.bits(*condition)?;
                let opposite = self.prover.pool.not(condition);
                self.branch(&mut out, block, condition, *then);
                self.branch(&mut out, block, opposite, *otherwise);
            }
            InstKind::Switch { value, default, cases } => {
                let value = self.bits(*value)?;
                let mut rest = Some(self.guard.clone());
                for &(case, target) in cases.iter() {
                    let case = self.bits(Value::Const(case))?;
                    let is_case = self.prover.pool.eq(value, case);
                    self.branch(&mut out, block, is_case, target);
                    let is_other = self.prover.pool.not(is_case);
                    rest = rest.and_then(|rest| rest.and(&mut self.prover.pool, is_other));
                }
                if let Some(rest) = rest {
                    out.push((Target::Cut(*default), self.edge(block, rest, None)));
                }
            }
            InstKind::Ret(value) => {
                let value = value.map(|value| self.value(value)).transpose()?;
                out.push((Target::Return, self.edge(block, self.guard.clone(), value)));
            }
            InstKind::Resume(value) => {
                let value = self.value(*value)?;
                out.push((Target::Resume, self.edge(block, self.guard.clone(), Some(value))));
            }
            InstKind::Unreachable => out.push((Target::Unreachable, self.edge(block, self.guard.clone(), None))),
            InstKind::Invoke { call, normal, unwind } => {
                let ty = self.prover.versions[self.side.index()].function.insts[id].ty;
                let (value, unwinds) = self.invoke(kind, call, ty)?;
                self.name(id, kind, &value);
                self.segment.env.insert(id, value);
                let returns = self.prover.pool.not(unwinds);
                self.branch(&mut out, block, returns, *normal);
                self.branch(&mut out, block, unwinds, *unwind);
            }
            InstKind::IndirectBr { .. } => return Err(Gap::IndirectBranch),
            _ => return Err(Gap::Unsupported { what: "an instruction".into() }),
        }
        Ok(out)
    }

    fn branch(&mut self, out: &mut Vec<(Target, Edge)>, block: BlockId, condition: Expr, target: BlockId) {
        if let Some(guard) = self.guard.and(&mut self.prover.pool, condition) {
            out.push((Target::Cut(target), self.edge(block, guard, None)));
        }
    }

    /// Says what the source calls the result of a read or call.
    fn name(&mut self, id: InstId, kind: &InstKind, value: &Val) {
        let Val::Bits(bits @ Expr::Term(term)) = *value else { return };
        if !matches!(self.prover.pool.node(term).op, Op::Apply { .. }) {
            return;
        }
        if let Some(known) = self.prover.pool.called(term).map(|(name, _)| name.to_owned()) {
            self.prover.names.entry(known).or_insert(term);
            return;
        }
        let version = &self.prover.versions[self.side.index()];
        let named = match kind {
            InstKind::Load { ptr, .. } => {
                let width = u64::from(self.prover.pool.width(bits));
                sources::memory(version, *ptr, width)
            }
            InstKind::Call(_) | InstKind::Invoke { .. } => sources::call(version, id),
            _ => None,
        };
        if let Some((text, reading)) = named {
            // A value that is read later, or by the other version, may be another one.
            let names = (0..).map(|later: u32| if later == 0 { text.clone() } else { format!("{text}#{later}") });
            let is_free = |name: &String| self.prover.names.get(name).is_none_or(|other| *other == term);
            if let Some(name) = names.take(MAX_NAMES).find(is_free) {
                self.prover.pool.call_it(bits, &name, reading);
                self.prover.names.insert(name, term);
            }
        }
    }

    /// The value of an operand that is no aggregate.
    pub fn bits(&mut self, value: Value) -> Result<Expr, Gap> {
        self.value(value)?.bits().ok_or(Gap::Unsupported { what: "an aggregate as a number".into() })
    }

    /// The value of an operand.
    pub fn value(&mut self, value: Value) -> Result<Val, Gap> {
        match value {
            Value::Inst(id) => self
                .segment
                .env
                .get(&id)
                .cloned()
                .ok_or_else(|| Gap::Unsupported { what: "a value that is used before it is made".into() }),
            Value::Arg(index) => self.prover.argument(self.side, index),
            Value::Const(id) => self.prover.constant(self.side, id),
        }
    }
}
