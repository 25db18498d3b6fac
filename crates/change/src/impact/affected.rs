//! Affected sets: what a change reaches in a function, and what feeds that.
//!
//! DiSE, Fig. 3 and 4: rules (1)-(3) are the forward closure that [`analysis::influence`] computes; rule (4) adds the
//! writes whose values reach something affected. iDiSE, Fig. 3(a), adds in the same way the conditions that decide
//! whether something affected runs. Neither addition is followed forward again.

use crate::lines::silent_markers;
use analysis::facts::{Facts, FunctionFacts};
use analysis::influence::{Influence, Marks};
use analysis::memory::Source;
use fixedbitset::FixedBitSet;
use ir::id::{FuncId, Id, InstId, VarId};
use ir::inst::{InstKind, MarkerKind, Value};
use ir::module::{Function, Module};

/// Affected instructions of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Affected {
    /// Instructions that decide where control goes.
    pub conditions: Vec<InstId>,
    /// Instructions that give a variable, memory or the caller a value, or act on the outside.
    pub writes: Vec<InstId>,
}

/// Which rules add what feeds affected instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feeding {
    /// Writes, as DiSE's rule (4).
    Data,
    /// Conditions too, as iDiSE.
    DataAndControl,
}

/// The conditions and writes in a set of instructions, ascending.
pub fn kinds(module: &Module, function: FuncId, insts: &FixedBitSet) -> Affected {
    let function = &module.functions[function];
    let mut affected = Affected::default();
    let silent = silent_markers(module, function);
    for (_, inst, data) in function.body().filter(|(_, inst, _)| insts.contains(inst.index())) {
        match &data.kind {
            InstKind::CondBr { .. } | InstKind::Switch { .. } | InstKind::IndirectBr { .. } => {
                affected.conditions.push(inst);
            }
            InstKind::Store { .. }
            | InstKind::AtomicRmw(_)
            | InstKind::CompareExchange(_)
            | InstKind::Call(_)
            | InstKind::Invoke { .. }
            | InstKind::Ret(Some(_)) => affected.writes.push(inst),
            InstKind::Marker(marker) if marker.kind == MarkerKind::Assign && !silent.contains(&inst) => {
                affected.writes.push(inst);
            }
            _ => {}
        }
    }
    affected.conditions.sort_unstable();
    affected.writes.sort_unstable();
    affected
}

/// Everything impacted in a call with these marks: what depends on the change, and calls inside of which something does.
pub fn impacted(facts: &Facts, influence: &Influence, function: FuncId, marks: &Marks) -> FixedBitSet {
    let mut all = FixedBitSet::with_capacity(facts.module.functions[function].insts.len());
    for set in influence.in_call(function, marks) {
        all.union_with(&set.insts);
        all.union_with(&set.calls);
    }
    all
}

/// Adds to a set of instructions those that feed it inside of the function.
pub fn with_feeding(
    facts: &Facts,
    known: &FunctionFacts,
    function: FuncId,
    insts: &FixedBitSet,
    feeding: Feeding,
) -> FixedBitSet {
    let mut feeder = Feeder {
        known,
        function: &facts.module.functions[function],
        found: insts.clone(),
        stack: insts.ones().map(InstId::from_index).collect(),
    };
    while let Some(inst) = feeder.stack.pop() {
        feeder.sources(inst);
        if feeding == Feeding::DataAndControl {
            feeder.deciders(inst);
        }
    }
    feeder.found
}

/// The nodes of a function's control-flow graph from which control may come to one of these instructions, by number.
pub fn leading_to(facts: &Facts, known: &FunctionFacts, function: FuncId, insts: &FixedBitSet) -> FixedBitSet {
    let cfg = &known.cfg;
    let mut leading = FixedBitSet::with_capacity(cfg.nodes.len() + 1);
    let has = |node| cfg.insts(&facts.module.functions[function], node).iter().any(|inst| insts.contains(inst.index()));
    let mut stack: Vec<_> = cfg.nodes.ids().filter(|&node| has(node)).collect();
    while let Some(node) = stack.pop() {
        if !leading.put(node.index()) {
            stack.extend(cfg.predecessors[node.index()].iter().map(|edge| edge.node));
        }
    }
    leading
}

struct Feeder<'f> {
    known: &'f FunctionFacts,
    function: &'f Function,
    found: FixedBitSet,
    stack: Vec<InstId>,
}

impl Feeder<'_> {
    fn add(&mut self, inst: InstId) {
        if !self.found.put(inst.index()) {
            self.stack.push(inst);
        }
    }

    fn sources(&mut self, inst: InstId) {
        let kind = &self.function.insts[inst].kind;
        let mut operands = Vec::new();
        kind.for_each_operand(|operand| operands.push(operand));
        for operand in operands {
            if let Value::Inst(source) = operand {
                self.add(source);
                self.assignments(Value::Inst(source));
            }
        }
        if let InstKind::Phi { incoming, .. } = kind {
            // A variable's value at a join may be a constant or a parameter: then its assignment is all there is.
            for variable in self.known.uses.variables(self.function, Value::Inst(inst)) {
                for (_, value) in incoming {
                    self.assignments_of(variable, *value);
                }
            }
        }
        for &source in self.known.memory.sources.get(&inst).into_iter().flatten() {
            if let Source::Inst(writer) = source
                && self.may_feed(writer, inst)
            {
                self.add(writer);
            }
        }
    }

    /// Whether a call that is given memory is fed by a write: not if it is here only because of what it calls.
    fn may_feed(&self, writer: InstId, reader: InstId) -> bool {
        let access = |inst| self.known.memory.access(inst);
        match (access(writer), access(reader)) {
            (Some(writer), Some(reader)) => !writer.touches.is_disjoint(&reader.reads),
            _ => false,
        }
    }

    /// The assignments of a value to variables.
    fn assignments(&mut self, value: Value) {
        for &user in self.known.uses.of(value) {
            if matches!(self.function.insts[user].kind, InstKind::Marker(_)) {
                self.add(user);
            }
        }
    }

    fn assignments_of(&mut self, variable: VarId, value: Value) {
        let assigned: Vec<InstId> = self
            .function
            .body()
            .filter(|(_, _, data)| match &data.kind {
                InstKind::Marker(marker) => marker.variable == variable && marker.value == Some(value),
                _ => false,
            })
            .map(|(_, inst, _)| inst)
            .collect();
        assigned.into_iter().for_each(|inst| self.add(inst));
    }

    fn deciders(&mut self, inst: InstId) {
        let Some(node) = self.known.cfg.node_of(inst) else { return };
        let edges: Vec<_> = self.known.control.of[node.index()].iter().map(|edge| edge.node).collect();
        let joins = match self.function.insts[inst].kind {
            InstKind::Phi { .. } => {
                self.known.cfg.nodes.get(node).map_or(&[][..], |node| &self.known.joins.deciders[node.block.index()])
            }
            _ => &[],
        };
        for node in edges.into_iter().chain(joins.iter().copied()) {
            if let Some(decider) = self.known.cfg.decider(self.function, node) {
                self.add(decider);
            }
        }
    }
}
