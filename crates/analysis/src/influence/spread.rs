//! How influence spreads: a queue of facts for each function and cause, until nothing new comes.
//!
//! Sets of locations are closed under overlap: they hold every location that may have a byte of what was written, so
//! that a read is influenced if one of its locations is in the set.

use super::{Cause, Influence, Influenced, Start, Upward, Why};
use crate::boundary::Boundary;
use crate::calls::CallSite;
use crate::cfg::Edge;
use crate::facts::{Facts, FunctionFacts, KnownFunctions};
use crate::memory::Source;
use crate::points_to::ObjectKind;
use fixedbitset::FixedBitSet;
use ir::id::{FuncId, Id, InstId};
use ir::inst::{Callee, InstKind, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, VecDeque};

pub(super) struct Spread<'f, 'm> {
    facts: &'f Facts<'m>,
    functions: &'f mut KnownFunctions,
    upward: Upward,
    boundary: Boundary,
    /// For each function the locations of its stack memory that nobody sees once it returned.
    hidden: FxHashMap<FuncId, FixedBitSet>,
    states: Vec<State>,
    ids: BTreeMap<(FuncId, Cause), usize>,
    waiting: VecDeque<usize>,
    /// Who has asked which call about which state.
    links: FxHashSet<(usize, InstId, usize)>,
    outside: bool,
    outside_memory: FixedBitSet,
    outside_memory_waits: bool,
    /// Functions that a jump may come back to.
    jump_targets: Vec<FuncId>,
    /// Memory that depends on the start when a jump happens.
    jump_memory: FixedBitSet,
    jump_memory_waits: bool,
}

struct State {
    function: FuncId,
    cause: Cause,
    set: Influenced,
    queue: Vec<Fact>,
    waits: bool,
    /// Whether `Fact::Entry` is in the queue.
    entry_waits: bool,
    /// Whether the set is not empty.
    has_something: bool,
    /// Whether those who called should be told.
    grew: bool,
    callers: Vec<(usize, InstId)>,
    /// What calls were found to leave behind and to find, so that nothing is followed twice.
    after: FxHashMap<InstId, FixedBitSet>,
    before: FxHashMap<InstId, FixedBitSet>,
}

#[derive(Clone, Copy)]
enum Fact {
    Inst(InstId),
    Runs(InstId),
    Ends(InstId),
    Param(u32),
    Called,
    /// Memory as the function finds it.
    Entry,
    /// What a call made of a state's function.
    Callee(InstId, usize),
    /// Memory as code outside leaves it, behind a call.
    Outside(InstId),
    /// Memory as a jump leaves it that comes back to the function.
    Jump,
}

impl<'f, 'm> Spread<'f, 'm> {
    pub(super) fn new(facts: &'f Facts<'m>, functions: &'f mut KnownFunctions, upward: Upward) -> Spread<'f, 'm> {
        let count = facts.effects.locations.len();
        let mut hidden: FxHashMap<FuncId, FixedBitSet> = FxHashMap::default();
        for (id, location) in facts.effects.locations.iter_ids() {
            let object = &facts.points_to.objects[location.object];
            if let ObjectKind::Stack(owner, _) = object.kind
                && (object.private || !facts.calls.recursive[owner])
            {
                hidden.entry(owner).or_insert_with(|| FixedBitSet::with_capacity(count)).insert(id.index());
            }
        }
        let boundary = Boundary::new(facts);
        let jump_targets = boundary.again.iter_ids().filter(|(_, again)| !again.is_empty()).map(|(id, _)| id);
        Spread {
            facts,
            functions,
            upward,
            jump_targets: jump_targets.collect(),
            boundary,
            hidden,
            states: Vec::new(),
            ids: BTreeMap::new(),
            waiting: VecDeque::new(),
            links: FxHashSet::default(),
            outside: false,
            outside_memory: FixedBitSet::with_capacity(count),
            outside_memory_waits: false,
            jump_memory: FixedBitSet::with_capacity(count),
            jump_memory_waits: false,
        }
    }

    pub(super) fn begin(&mut self, start: &Start, why: Why) {
        for &(function, cause, inst) in &start.insts {
            let state = self.state(function, cause);
            self.inst(state, inst, why);
        }
        for &(function, cause, call) in &start.runs {
            let state = self.state(function, cause);
            self.runs(state, call, why);
        }
        for &(function, cause, call) in &start.ends {
            let state = self.state(function, cause);
            self.ends(state, call);
        }
        for (function, cause, call, marks) in &start.marks {
            let state = self.state(*function, *cause);
            for target in self.callees(*function, *call) {
                for cause in marks.causes() {
                    match cause {
                        // What of it depends on the start was said by instructions.
                        Cause::Own | Cause::Memory => {}
                        Cause::Called => drop(self.mark(state, *call, target, cause)),
                        Cause::Param(index) => self.argument(state, *call, target, index as usize),
                    }
                }
            }
        }
        for &(function, index) in &start.params {
            let state = self.state(function, Cause::Own);
            self.push(state, Fact::Param(index));
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
            if std::mem::take(&mut self.jump_memory_waits) {
                self.spread_jump_memory();
            } else if std::mem::take(&mut self.outside_memory_waits) {
                self.spread_outside_memory();
            } else {
                return;
            }
        }
    }

    pub(super) fn finish(self) -> Influence {
        let sets = self.states.into_iter().map(|state| ((state.function, state.cause), state.set)).collect();
        Influence { sets, outside: self.outside, outside_memory: self.outside_memory }
    }

    // States and queues.

    fn state(&mut self, function: FuncId, cause: Cause) -> usize {
        if let Some(&state) = self.ids.get(&(function, cause)) {
            return state;
        }
        let insts = FixedBitSet::with_capacity(self.facts.module.functions[function].insts.len());
        let locations = FixedBitSet::with_capacity(self.facts.effects.locations.len());
        let set = Influenced {
            insts: insts.clone(),
            runs: insts.clone(),
            ends: insts.clone(),
            calls: insts,
            entry: locations.clone(),
            exit: locations,
            ..Influenced::default()
        };
        let state = self.states.len();
        self.ids.insert((function, cause), state);
        self.states.push(State {
            function,
            cause,
            set,
            queue: Vec::new(),
            waits: false,
            entry_waits: false,
            has_something: false,
            grew: false,
            callers: Vec::new(),
            after: FxHashMap::default(),
            before: FxHashMap::default(),
        });
        match cause {
            Cause::Called => self.push(state, Fact::Called),
            Cause::Param(index) => self.push(state, Fact::Param(index)),
            Cause::Own | Cause::Memory => {}
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

    fn inst(&mut self, state: usize, inst: InstId, why: Why) {
        let set = &mut self.states[state].set;
        if !set.insts.put(inst.index()) {
            set.why.entry(inst).or_insert(why);
            self.has_something(state);
            self.push(state, Fact::Inst(inst));
        }
    }

    fn runs(&mut self, state: usize, call: InstId, why: Why) {
        let set = &mut self.states[state].set;
        if !set.runs.put(call.index()) {
            set.why.entry(call).or_insert(why);
            self.push(state, Fact::Runs(call));
        }
    }

    fn ends(&mut self, state: usize, call: InstId) {
        if !self.states[state].set.ends.put(call.index()) {
            self.push(state, Fact::Ends(call));
        }
    }

    fn has_something(&mut self, state: usize) {
        let data = &mut self.states[state];
        data.grew |= !std::mem::replace(&mut data.has_something, true);
    }

    fn tell_callers(&mut self, state: usize) {
        let State { function, cause, .. } = self.states[state];
        if cause == Cause::Own && self.upward == Upward::Callers {
            let facts = self.facts;
            for site in facts.calls.callers(function) {
                let caller = self.state(site.caller, Cause::Own);
                self.link(caller, site.inst, state);
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

    /// A call brings a cause to a function.
    fn mark(&mut self, state: usize, call: InstId, target: FuncId, cause: Cause) -> usize {
        self.states[state].set.marks.entry(call).or_default().add(cause);
        let callee = self.state(target, cause);
        self.link(state, call, callee);
        callee
    }

    // Steps.

    fn step(&mut self, state: usize, known: &FunctionFacts, fact: Fact) {
        let id = self.states[state].function;
        match fact {
            Fact::Inst(inst) => self.next_of_inst(state, id, known, inst),
            Fact::Runs(call) => {
                let why = self.states[state].set.why.get(&call).copied().unwrap_or(Why::Start);
                self.inst(state, call, why);
                self.ends(state, call);
                for target in self.callees(id, call) {
                    self.mark(state, call, target, Cause::Called);
                }
            }
            Fact::Ends(call) => {
                self.next_of_decision(state, id, known, call);
                self.next_of_end(state, id, call);
                for again in self.boundary.again[id].clone() {
                    self.inst(state, again, Why::Join(call));
                }
            }
            Fact::Param(index) => self.users(state, id, known, Value::Arg(index)),
            Fact::Called => {
                let facts = self.facts;
                for (_, inst, _) in facts.module.functions[id].body() {
                    self.execution(state, id, inst, Why::Called);
                }
            }
            Fact::Entry => {
                self.states[state].entry_waits = false;
                let entry = self.states[state].set.entry.clone();
                self.readers(state, id, known, Source::Entry, &entry);
            }
            Fact::Callee(call, callee) => self.next_of_callee(state, id, known, call, callee),
            Fact::Outside(call) => {
                let memory = self.outside_memory.clone();
                self.after(state, id, known, call, &memory);
            }
            Fact::Jump => {
                // Where in the function it comes back to does not say what was written when.
                let memory = self.jump_memory.clone();
                let mut sources: Vec<Source> = known.memory.readers.keys().copied().collect();
                sources.sort_unstable();
                for source in sources {
                    self.readers(state, id, known, source, &memory);
                }
                self.leave_memory(state, id, &memory);
            }
        }
    }

    fn next_of_inst(&mut self, state: usize, id: FuncId, known: &FunctionFacts, inst: InstId) {
        let facts = self.facts;
        self.users(state, id, known, Value::Inst(inst));
        if let Some(effect) = facts.effects.get(id, inst)
            && !effect.writes.is_empty()
        {
            match known.memory.access(inst).filter(|_| facts.calls.site(id, inst).is_none()) {
                Some(access) => self.after(state, id, known, inst, &access.touches),
                None => {
                    let touched = facts.overlaps.of_all(effect.writes.iter().copied());
                    self.after(state, id, known, inst, &touched);
                }
            }
        }
        match facts.module.functions[id].insts[inst].kind {
            InstKind::Ret(_) => {
                let data = &mut self.states[state];
                if !std::mem::replace(&mut data.set.returned, true) {
                    data.grew = true;
                    self.tell_outside(state);
                }
            }
            InstKind::Resume(_) => self.next_of_end(state, id, inst),
            _ => {}
        }
        let Some(site) = facts.calls.site(id, inst) else {
            return self.next_of_decision(state, id, known, inst);
        };
        if self.goes_outside(site) {
            self.ends(state, inst);
        }
        if site.unknown {
            self.spread_outside();
        }
    }

    /// From what decides where control goes behind its node, if there is a choice.
    fn next_of_decision(&mut self, state: usize, id: FuncId, known: &FunctionFacts, inst: InstId) {
        let function = &self.facts.module.functions[id];
        let Some(node) = known.cfg.node_of(inst) else { return };
        if known.cfg.successors[node.index()].len() < 2 || known.cfg.decider(function, node) != Some(inst) {
            return;
        }
        for &Edge { node, way } in &known.control.controls[node.index()] {
            for &controlled in known.cfg.insts(function, node) {
                self.execution(state, id, controlled, Why::Branch(inst, way));
            }
        }
        for &phi in &known.joins.phis[node.index()] {
            self.inst(state, phi, Why::Join(inst));
        }
    }

    fn execution(&mut self, state: usize, id: FuncId, inst: InstId, why: Why) {
        match self.facts.calls.site(id, inst) {
            Some(_) => self.runs(state, inst, why),
            None => self.inst(state, inst, why),
        }
    }

    /// From an instruction at which the function may be left other than by returning.
    fn next_of_end(&mut self, state: usize, id: FuncId, inst: InstId) {
        if self.boundary.leaves[id].binary_search(&inst).is_ok() {
            let data = &mut self.states[state];
            if !std::mem::replace(&mut data.set.left, true) {
                data.grew = true;
                self.tell_outside(state);
            }
        }
    }

    fn next_of_callee(&mut self, state: usize, id: FuncId, known: &FunctionFacts, call: InstId, callee: usize) {
        let State { function, ref set, .. } = self.states[callee];
        let (returned, left) = (set.returned, set.left);
        let has_something = self.states[callee].has_something;
        if has_something && !self.states[state].set.calls.put(call.index()) {
            self.has_something(state);
        }
        if returned {
            self.inst(state, call, Why::Returned(function));
        }
        if left && self.facts.end_of_call(id, call).may_not_return() {
            self.ends(state, call);
        }
        if !self.states[callee].set.exit.is_clear() {
            let exit = self.states[callee].set.exit.clone();
            if grow(self.states[state].after.entry(call).or_default(), &exit, None) {
                self.after(state, id, known, call, &exit);
            }
        }
    }

    fn users(&mut self, state: usize, id: FuncId, known: &FunctionFacts, value: Value) {
        let facts = self.facts;
        for &user in known.uses.of(value) {
            let why = Why::Value(value);
            let Some(site) = facts.calls.site(id, user) else {
                self.inst(state, user, why);
                continue;
            };
            let Some(call) = facts.module.functions[id].insts[user].kind.call() else { continue };
            if call.callee == Callee::Value(value) {
                self.runs(state, user, why);
            }
            let is_argument = call.args.contains(&value);
            let is_bundled = call.bundles.iter().flat_map(|bundle| &bundle.operands).any(|(_, used)| *used == value);
            if is_bundled || is_argument && self.goes_outside(site) {
                self.inst(state, user, why);
            }
            for index in (0..call.args.len()).filter(|&index| call.args[index] == value) {
                for target in self.callees(id, user) {
                    self.argument(state, user, target, index);
                }
            }
        }
    }

    /// What an argument becomes in a function: its parameter, or memory that variadic arguments are read from.
    fn argument(&mut self, state: usize, call: InstId, target: FuncId, index: usize) {
        match u32::try_from(index) {
            Ok(position) if index < self.facts.module.functions[target].params.len() => {
                self.mark(state, call, target, Cause::Param(position));
            }
            _ => {
                let locations = self.boundary.variadic.get(&target).into_iter().flatten();
                let all = self.facts.overlaps.of_all(locations.copied());
                self.bring_memory(state, call, target, &all);
            }
        }
    }

    // Memory.

    /// From memory that an instruction, or what it calls, leaves behind.
    fn after(&mut self, state: usize, id: FuncId, known: &FunctionFacts, writer: InstId, memory: &FixedBitSet) {
        self.readers(state, id, known, Source::Inst(writer), memory);
        let may_jump = !self.jump_targets.is_empty() && !self.boundary.leaves[id].is_empty();
        if may_jump && !memory.is_subset(&self.jump_memory) {
            self.jump_memory.union_with(memory);
            self.jump_memory_waits = true;
        }
        if known.memory.leaving.binary_search(&writer).is_ok() {
            self.leave_memory(state, id, memory);
        }
    }

    /// A function leaves memory behind.
    fn leave_memory(&mut self, state: usize, id: FuncId, memory: &FixedBitSet) {
        let data = &mut self.states[state];
        if memory.is_subset(&data.set.exit) {
            return;
        }
        let mut visible = memory.clone();
        if let Some(hidden) = self.hidden.get(&id) {
            visible.difference_with(hidden);
        }
        if !visible.is_subset(&data.set.exit) {
            data.set.exit.union_with(&visible);
            data.grew = true;
            let is_own = data.cause == Cause::Own;
            if is_own && self.boundary.from_outside.contains(&id) {
                self.outside_memory.union_with(&visible);
                self.outside_memory_waits = true;
            }
            if is_own && self.upward == Upward::Callers {
                self.tell_later_stages(id, &visible);
            }
        }
    }

    /// What the loader runs later finds the memory that a function of an earlier stage leaves behind.
    fn tell_later_stages(&mut self, id: FuncId, memory: &FixedBitSet) {
        let Some(stage) = self.boundary.stages.iter().position(|stage| stage.contains(&id)) else { return };
        // Of one stage some run before others.
        for function in self.boundary.stages[stage..].concat() {
            if function != id && !self.facts.mod_ref.of[function].reads.is_disjoint(memory) {
                let state = self.state(function, Cause::Own);
                self.find_memory(state, memory, function);
            }
        }
    }

    fn readers(&mut self, state: usize, id: FuncId, known: &FunctionFacts, source: Source, memory: &FixedBitSet) {
        for &reader in known.memory.readers.get(&source).into_iter().flatten() {
            let Some(site) = self.facts.calls.site(id, reader) else {
                let is_known = self.states[state].set.insts.contains(reader.index());
                let reads = || known.memory.access(reader).is_some_and(|access| !access.reads.is_disjoint(memory));
                if !is_known && reads() {
                    self.inst(state, reader, Why::Memory(source));
                }
                continue;
            };
            let reads = known.memory.access(reader).map(|access| &access.reads);
            if !grow(self.states[state].before.entry(reader).or_default(), memory, reads) {
                continue;
            }
            let own = self.facts.effects.get(id, reader).map_or(&[][..], |effect| &effect.reads);
            if own.iter().any(|read| memory.contains(read.index())) {
                self.inst(state, reader, Why::Memory(source));
            }
            for target in self.callees(id, reader) {
                self.bring_memory(state, reader, target, memory);
            }
            if site.unknown && !memory.is_subset(&self.outside_memory) {
                self.outside_memory.union_with(memory);
                self.outside_memory_waits = true;
            }
        }
    }

    fn bring_memory(&mut self, state: usize, call: InstId, target: FuncId, memory: &FixedBitSet) {
        let read = &self.facts.mod_ref.of[target].reads;
        if read.is_disjoint(memory) {
            return;
        }
        let callee = self.mark(state, call, target, Cause::Memory);
        self.find_memory(callee, memory, target);
    }

    /// A function finds other memory.
    fn find_memory(&mut self, state: usize, memory: &FixedBitSet, function: FuncId) {
        let data = &mut self.states[state];
        let grew = grow(&mut data.set.entry, memory, Some(&self.facts.mod_ref.of[function].reads));
        if grew && !std::mem::replace(&mut data.entry_waits, true) {
            self.push(state, Fact::Entry);
        }
    }

    // The outside.

    /// What comes back from a function that code outside calls.
    fn tell_outside(&mut self, state: usize) {
        let State { function, cause, .. } = self.states[state];
        if cause == Cause::Own && self.upward == Upward::Callers && self.boundary.from_outside.contains(&function) {
            self.spread_outside();
        }
    }

    fn spread_outside(&mut self) {
        if std::mem::replace(&mut self.outside, true) {
            return;
        }
        let facts = self.facts;
        if !self.boundary.unknown.is_empty() {
            for &function in &facts.calls.from_outside {
                let state = self.state(function, Cause::Own);
                self.push(state, Fact::Called);
            }
        }
        for (caller, call) in self.boundary.unknown.clone() {
            let state = self.state(caller, Cause::Own);
            self.inst(state, call, Why::Outside);
        }
    }

    /// A jump ends calls in the middle: what they wrote is there where the jump comes back to.
    fn spread_jump_memory(&mut self) {
        for function in self.jump_targets.clone() {
            if self.upward == Upward::Callers || self.ids.contains_key(&(function, Cause::Own)) {
                let state = self.state(function, Cause::Own);
                self.push(state, Fact::Jump);
            }
        }
    }

    fn spread_outside_memory(&mut self) {
        let facts = self.facts;
        let memory = self.outside_memory.clone();
        for (caller, call) in self.boundary.unknown.clone() {
            let state = self.state(caller, Cause::Own);
            self.push(state, Fact::Outside(call));
        }
        if !self.boundary.unknown.is_empty() {
            for &function in &facts.calls.from_outside {
                if !facts.mod_ref.of[function].reads.is_disjoint(&memory) {
                    let state = self.state(function, Cause::Own);
                    self.find_memory(state, &memory, function);
                }
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

/// Adds locations to a set, those in `within` only; whether there were new ones.
fn grow(set: &mut FixedBitSet, more: &FixedBitSet, within: Option<&FixedBitSet>) -> bool {
    set.grow(more.len());
    let mut grew = false;
    for (index, (word, &more)) in set.as_mut_slice().iter_mut().zip(more.as_slice()).enumerate() {
        let mask = within.map_or(usize::MAX, |within| within.as_slice().get(index).copied().unwrap_or(0));
        let new = more & mask & !*word;
        grew |= new != 0;
        *word |= new;
    }
    grew
}
