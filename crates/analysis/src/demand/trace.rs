//! How demand is traced back: a queue of facts for each function and want, until nothing new comes.
//!
//! Sets of locations hold what is read; a write matters if it may touch one of them.

use super::{Demand, Demanded, Goals, Want};
use crate::boundary::Boundary;
use crate::calls::CallSite;
use crate::facts::{Facts, FunctionFacts, KnownFunctions};
use crate::id::NodeId;
use crate::memory::Source;
use fixedbitset::FixedBitSet;
use ir::id::{FuncId, Id, InstId};
use ir::inst::{Callee, InstKind, Value};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, VecDeque};

pub(super) struct Trace<'f, 'm> {
    facts: &'f Facts<'m>,
    functions: &'f mut KnownFunctions,
    top: Option<FuncId>,
    boundary: Boundary,
    states: Vec<State>,
    ids: BTreeMap<(FuncId, Want), usize>,
    waiting: VecDeque<usize>,
    /// Which calls of which states want something of which state.
    links: FxHashSet<(usize, InstId, usize)>,
    outside: bool,
    outside_memory: FixedBitSet,
    outside_memory_waits: bool,
}

struct State {
    function: FuncId,
    want: Want,
    set: Demanded,
    queue: Vec<Fact>,
    waits: bool,
    /// Whether `Fact::Exit` is in the queue.
    exit_waits: bool,
    /// Whether those who called should be told.
    grew: bool,
    callers: Vec<(usize, InstId)>,
}

#[derive(Clone, Copy)]
enum Fact {
    Inst(InstId),
    Runs(InstId),
    Ends(InstId),
    /// Memory as the function leaves it.
    Exit,
    /// What a state's function needs of a call.
    Callee(InstId, usize),
    /// Memory as code outside finds it, in front of a call.
    Outside(InstId),
}

impl<'f, 'm> Trace<'f, 'm> {
    pub(super) fn new(facts: &'f Facts<'m>, functions: &'f mut KnownFunctions, top: Option<FuncId>) -> Trace<'f, 'm> {
        Trace {
            facts,
            functions,
            top,
            boundary: Boundary::new(facts),
            states: Vec::new(),
            ids: BTreeMap::new(),
            waiting: VecDeque::new(),
            links: FxHashSet::default(),
            outside: false,
            outside_memory: FixedBitSet::with_capacity(facts.effects.locations.len()),
            outside_memory_waits: false,
        }
    }

    pub(super) fn begin(&mut self, goals: &Goals) {
        for &(function, inst) in &goals.insts {
            let state = self.state(function, Want::Own);
            self.inst(state, inst);
        }
        for &(function, call) in &goals.runs {
            let state = self.state(function, Want::Own);
            self.runs(state, call);
        }
        for &(function, call) in &goals.ends {
            let state = self.state(function, Want::Own);
            self.ends(state, call);
        }
    }

    pub(super) fn run(&mut self) {
        loop {
            while let Some(state) = self.waiting.pop_front() {
                self.states[state].waits = false;
                let known = self.functions.get(self.facts, self.states[state].function);
                while let Some(fact) = self.states[state].queue.pop() {
                    self.step(state, &known, fact);
                }
                if std::mem::take(&mut self.states[state].grew) {
                    self.tell_callers(state);
                }
            }
            if !std::mem::take(&mut self.outside_memory_waits) {
                return;
            }
            self.trace_outside_memory();
        }
    }

    pub(super) fn finish(self) -> Demand {
        Demand { sets: self.states.into_iter().map(|state| ((state.function, state.want), state.set)).collect() }
    }

    // States and queues.

    fn state(&mut self, function: FuncId, want: Want) -> usize {
        if let Some(&state) = self.ids.get(&(function, want)) {
            return state;
        }
        let data = &self.facts.module.functions[function];
        let insts = FixedBitSet::with_capacity(data.insts.len());
        let locations = FixedBitSet::with_capacity(self.facts.effects.locations.len());
        let set = Demanded {
            insts: insts.clone(),
            runs: insts.clone(),
            ends: insts,
            params: FixedBitSet::with_capacity(data.params.len()),
            entry: locations.clone(),
            exit: locations,
            called: false,
        };
        let state = self.states.len();
        self.ids.insert((function, want), state);
        self.states.push(State {
            function,
            want,
            set,
            queue: Vec::new(),
            waits: false,
            exit_waits: false,
            grew: false,
            callers: Vec::new(),
        });
        match want {
            Want::Result => {
                self.boundary.returns[function].clone().into_iter().for_each(|end| self.inst(state, end));
            }
            Want::Ends => {
                self.boundary.leaves[function].clone().into_iter().for_each(|end| self.decision(state, end));
            }
            Want::Own | Want::Memory => {}
        }
        state
    }

    fn push(&mut self, state: usize, fact: Fact) {
        let data = &mut self.states[state];
        data.queue.push(fact);
        if !std::mem::replace(&mut data.waits, true) {
            self.waiting.push_back(state);
        }
    }

    fn inst(&mut self, state: usize, inst: InstId) {
        if !self.states[state].set.insts.put(inst.index()) {
            self.push(state, Fact::Inst(inst));
        }
    }

    fn runs(&mut self, state: usize, call: InstId) {
        if !self.states[state].set.runs.put(call.index()) {
            self.push(state, Fact::Runs(call));
        }
    }

    fn ends(&mut self, state: usize, call: InstId) {
        if !self.states[state].set.ends.put(call.index()) {
            self.push(state, Fact::Ends(call));
        }
    }

    /// Where control goes at an instruction matters.
    fn decision(&mut self, state: usize, inst: InstId) {
        match self.facts.calls.site(self.states[state].function, inst) {
            Some(_) => self.ends(state, inst),
            None => self.inst(state, inst),
        }
    }

    fn value(&mut self, state: usize, value: Value) {
        match value {
            Value::Inst(inst) => self.inst(state, inst),
            Value::Arg(index) => {
                let data = &mut self.states[state];
                data.set.params.grow(index as usize + 1);
                data.grew |= !data.set.params.put(index as usize);
            }
            Value::Const(_) => {}
        }
    }

    fn called(&mut self, state: usize) {
        let data = &mut self.states[state];
        data.grew |= !std::mem::replace(&mut data.set.called, true);
    }

    fn tell_callers(&mut self, state: usize) {
        let State { function, want, .. } = self.states[state];
        if want == Want::Own && self.top != Some(function) {
            let facts = self.facts;
            for site in facts.calls.callers(function) {
                let caller = self.state(site.caller, Want::Own);
                self.link(caller, site.inst, state);
            }
            if self.boundary.from_outside.contains(&function) {
                self.trace_outside();
                let entry = self.states[state].set.entry.clone();
                self.want_outside_memory(&entry);
            }
        }
        for (caller, call) in self.states[state].callers.clone() {
            self.push(caller, Fact::Callee(call, state));
        }
    }

    fn link(&mut self, caller: usize, call: InstId, callee: usize) {
        if self.links.insert((caller, call, callee)) {
            self.states[callee].callers.push((caller, call));
            self.push(caller, Fact::Callee(call, callee));
        }
    }

    // Steps.

    fn step(&mut self, state: usize, known: &FunctionFacts, fact: Fact) {
        let id = self.states[state].function;
        match fact {
            Fact::Inst(inst) => self.of_inst(state, id, known, inst),
            Fact::Runs(call) => {
                self.of_control(state, id, known, call);
                let call = self.facts.module.functions[id].insts[call].kind.call();
                if let Some(Callee::Value(callee)) = call.map(|call| call.callee) {
                    self.value(state, callee);
                }
            }
            Fact::Ends(call) => self.of_end(state, id, call),
            Fact::Exit => {
                self.states[state].exit_waits = false;
                let exit = self.states[state].set.exit.clone();
                for &writer in &known.memory.leaving {
                    self.writer(state, id, known, writer, &exit);
                }
            }
            Fact::Callee(call, callee) => self.of_callee(state, id, known, call, callee),
            Fact::Outside(call) => {
                let memory = self.outside_memory.clone();
                self.writers(state, id, known, call, &memory);
            }
        }
    }

    fn of_inst(&mut self, state: usize, id: FuncId, known: &FunctionFacts, inst: InstId) {
        let facts = self.facts;
        let kind = &facts.module.functions[id].insts[inst].kind;
        if let Some(site) = facts.calls.site(id, inst) {
            self.runs(state, inst);
            self.of_call(state, id, inst, site);
            // A call that comes back again does so because of one that does not.
            if self.boundary.again[id].binary_search(&inst).is_ok() {
                for leaving in self.boundary.leaves[id].clone() {
                    self.decision(state, leaving);
                }
            }
        } else {
            kind.for_each_operand(|operand| self.value(state, operand));
            self.of_control(state, id, known, inst);
        }
        if let Some(effect) = facts.effects.get(id, inst)
            && !effect.reads.is_empty()
        {
            let mut read = FixedBitSet::with_capacity(facts.effects.locations.len());
            effect.reads.iter().for_each(|location| read.insert(location.index()));
            self.writers(state, id, known, inst, &read);
        }
    }

    fn of_call(&mut self, state: usize, id: FuncId, inst: InstId, site: &CallSite) {
        let facts = self.facts;
        if let Some(call) = facts.module.functions[id].insts[inst].kind.call() {
            if self.goes_outside(site) {
                call.args.iter().for_each(|&arg| self.value(state, arg));
            }
            let bundled = call.bundles.iter().flat_map(|bundle| bundle.operands.iter());
            bundled.for_each(|&(_, value)| self.value(state, value));
        }
        for target in self.callees(id, inst) {
            let callee = self.state(target, Want::Result);
            self.link(state, inst, callee);
        }
        if site.unknown {
            self.trace_outside();
        }
    }

    fn of_end(&mut self, state: usize, id: FuncId, call: InstId) {
        self.runs(state, call);
        let Some(site) = self.facts.calls.site(id, call) else { return };
        if self.goes_outside(site) {
            self.inst(state, call);
        }
        if !self.facts.end_of_call(id, call).may_not_return() {
            return;
        }
        for target in self.callees(id, call) {
            let callee = self.state(target, Want::Ends);
            self.link(state, call, callee);
        }
    }

    /// Whether an instruction runs matters; of a phi, by which way control comes to it.
    fn of_control(&mut self, state: usize, id: FuncId, known: &FunctionFacts, inst: InstId) {
        let function = &self.facts.module.functions[id];
        self.called(state);
        let Some(node) = known.cfg.node_of(inst) else { return };
        let decider = |node: NodeId| known.cfg.decider(function, node);
        for edge in &known.control.of[node.index()] {
            decider(edge.node).into_iter().for_each(|decider| self.decision(state, decider));
        }
        if let (InstKind::Phi { .. }, Some(node)) = (&function.insts[inst].kind, known.cfg.nodes.get(node)) {
            for &node in &known.joins.deciders[node.block.index()] {
                decider(node).into_iter().for_each(|decider| self.decision(state, decider));
            }
        }
    }

    fn of_callee(&mut self, state: usize, id: FuncId, known: &FunctionFacts, call: InstId, callee: usize) {
        let State { function: target, ref set, .. } = self.states[callee];
        let (params, entry, called) = (set.params.clone(), set.entry.clone(), set.called);
        let facts = self.facts;
        let args = facts.module.functions[id].insts[call].kind.call().map_or(&[][..], |call| &call.args);
        if called || !params.is_clear() {
            self.runs(state, call);
        }
        for index in params.ones() {
            args.get(index).into_iter().for_each(|&arg| self.value(state, arg));
        }
        if entry.is_clear() {
            return;
        }
        self.writers(state, id, known, call, &entry);
        let variadic = self.boundary.variadic.get(&target).into_iter().flatten();
        if !facts.overlaps.of_all(variadic.copied()).is_disjoint(&entry) {
            let fixed = facts.module.functions[target].params.len();
            args.iter().skip(fixed).for_each(|&arg| self.value(state, arg));
        }
    }

    // Memory.

    /// Whoever may have written what an instruction, or what it calls, reads.
    fn writers(&mut self, state: usize, id: FuncId, known: &FunctionFacts, reader: InstId, read: &FixedBitSet) {
        for &source in known.memory.sources.get(&reader).into_iter().flatten() {
            match source {
                Source::Entry => {
                    let data = &mut self.states[state];
                    if !read.is_subset(&data.set.entry) {
                        data.set.entry.union_with(read);
                        data.grew = true;
                    }
                }
                Source::Inst(writer) => self.writer(state, id, known, writer, read),
            }
        }
    }

    fn writer(&mut self, state: usize, id: FuncId, known: &FunctionFacts, writer: InstId, read: &FixedBitSet) {
        let facts = self.facts;
        if known.memory.access(writer).is_none_or(|access| access.touches.is_disjoint(read)) {
            return;
        }
        let Some(site) = facts.calls.site(id, writer) else { return self.inst(state, writer) };
        let own = facts.effects.get(id, writer).map_or(&[][..], |effect| &effect.writes);
        if own.iter().any(|&written| facts.overlaps.any(written, read)) {
            self.inst(state, writer);
        }
        for target in self.callees(id, writer) {
            if facts.mod_ref.of[target].touches.is_disjoint(read) {
                continue;
            }
            let callee = self.state(target, Want::Memory);
            self.want_memory(callee, target, read);
            self.link(state, writer, callee);
        }
        if site.unknown {
            self.want_outside_memory(read);
            self.trace_outside();
        }
    }

    fn want_memory(&mut self, state: usize, function: FuncId, read: &FixedBitSet) {
        let mut wanted = read.clone();
        wanted.intersect_with(&self.facts.mod_ref.of[function].touches);
        let data = &mut self.states[state];
        if !wanted.is_subset(&data.set.exit) {
            data.set.exit.union_with(&wanted);
            if !std::mem::replace(&mut data.exit_waits, true) {
                self.push(state, Fact::Exit);
            }
        }
    }

    // The outside.

    fn trace_outside(&mut self) {
        if std::mem::replace(&mut self.outside, true) {
            return;
        }
        for (caller, call) in self.boundary.unknown.clone() {
            let state = self.state(caller, Want::Own);
            self.inst(state, call);
        }
        let facts = self.facts;
        for &known in &facts.calls.from_outside {
            for want in [Want::Result, Want::Ends] {
                let state = self.state(known, Want::Own);
                let ends = match want {
                    Want::Result => self.boundary.returns[known].clone(),
                    _ => self.boundary.leaves[known].clone(),
                };
                ends.into_iter().for_each(|end| self.decision(state, end));
            }
        }
    }

    fn want_outside_memory(&mut self, read: &FixedBitSet) {
        if !read.is_subset(&self.outside_memory) {
            self.outside_memory.union_with(read);
            self.outside_memory_waits = true;
        }
    }

    fn trace_outside_memory(&mut self) {
        let facts = self.facts;
        let memory = self.outside_memory.clone();
        for (caller, call) in self.boundary.unknown.clone() {
            let state = self.state(caller, Want::Own);
            self.push(state, Fact::Outside(call));
        }
        for &known in &facts.calls.from_outside {
            if !facts.mod_ref.of[known].touches.is_disjoint(&memory) {
                let state = self.state(known, Want::Own);
                self.want_memory(state, known, &memory);
            }
        }
    }

    // The call graph.

    /// The functions with a body that a call may call.
    fn callees(&self, id: FuncId, inst: InstId) -> impl Iterator<Item = FuncId> + use<'f, 'm> {
        let facts = self.facts;
        let targets = facts.calls.site(id, inst).map_or(&[][..], |site| &site.targets);
        targets.iter().copied().filter(|&target| facts.module.functions[target].is_defined())
    }

    /// Whether a call may call something without a body.
    fn goes_outside(&self, site: &CallSite) -> bool {
        site.unknown || site.targets.iter().any(|&target| !self.facts.module.functions[target].is_defined())
    }
}
