//! The edges that slices follow. Both directions have the same edges: whoever changes one changes the other.
//!
//! Memory nodes carry a location: in a forward slice that of the write, in a backward slice that of the read.

use super::{Direction, Node, Reason, Site, Slicer};
use crate::calls::CallSite;
use crate::cfg::Edge;
use crate::facts::FunctionFacts;
use crate::id::{LocationId, NodeId};
use crate::memory::{Access, Source};
use crate::points_to::ObjectKind;
use fixedbitset::FixedBitSet;
use ir::id::{FuncId, Id, InstId};
use ir::inst::{Callee, InstKind, Value};
use ir::module::Function;

/// A step from one node to another.
pub(super) enum Step {
    /// Inside of a function.
    Within(Node),
    /// From a call into a function that it may call.
    Down { call: Site, into: Node },
    /// From a function to a call that may call it.
    Up { call: Site, to: Node },
}

type Steps = Vec<(Step, Reason)>;

impl Slicer<'_, '_> {
    pub(super) fn steps(&mut self, node: Node, direction: Direction) -> Steps {
        let mut steps = Steps::new();
        let id = node.function();
        if !self.facts.module.functions[id].is_defined() {
            return steps;
        }
        let facts = self.function(id);
        match (direction, node) {
            (Direction::Forward, Node::Inst(_, inst)) => self.next_of_inst(id, &facts, inst, &mut steps),
            (Direction::Forward, Node::Param(_, index)) => self.users(id, &facts, Value::Arg(index), &mut steps),
            (Direction::Forward, Node::Runs(_, call)) => self.next_of_run(id, call, &mut steps),
            (Direction::Forward, Node::Returns(_, call)) => {
                self.next_of_decision(id, &facts, call, &mut steps);
                self.next_of_end(id, call, &mut steps);
            }
            (Direction::Forward, Node::Called(_)) => {
                for (_, inst, _) in self.facts.module.functions[id].body() {
                    self.execution(id, inst, Reason::Call, &mut steps);
                }
            }
            (Direction::Forward, Node::Entry(_, location)) => {
                self.readers(id, &facts, Source::Entry, location, &mut steps);
            }
            (Direction::Forward, Node::After(_, call, location)) => {
                self.readers(id, &facts, Source::Inst(call), location, &mut steps);
                self.memory_of_callers(id, &facts, call, location, &mut steps);
            }
            (Direction::Backward, Node::Inst(_, inst)) => self.of_inst(id, &facts, inst, &mut steps),
            (Direction::Backward, Node::Param(_, index)) => self.of_param(id, index, &mut steps),
            (Direction::Backward, Node::Runs(_, call)) => self.of_run(id, &facts, call, &mut steps),
            (Direction::Backward, Node::Returns(_, call)) => self.of_end(id, call, &mut steps),
            (Direction::Backward, Node::Called(_)) => self.of_called(id, &mut steps),
            (Direction::Backward, Node::Entry(_, location)) => self.of_entry(id, location, &mut steps),
            (Direction::Backward, Node::After(_, call, location)) => self.of_after(id, call, location, &mut steps),
        }
        steps
    }

    // Forward.

    fn next_of_inst(&mut self, id: FuncId, facts: &FunctionFacts, inst: InstId, steps: &mut Steps) {
        let module = self.facts.module;
        let function = &module.functions[id];
        self.users(id, facts, Value::Inst(inst), steps);
        if let Some(effect) = self.facts.effects.get(id, inst) {
            for &location in &effect.writes {
                self.readers(id, facts, Source::Inst(inst), location, steps);
                self.memory_of_callers(id, facts, inst, location, steps);
            }
        }
        match function.insts[inst].kind {
            InstKind::Ret(_) => {
                for call in self.callers(id) {
                    steps.push((Step::Up { call, to: Node::Inst(call.0, call.1) }, Reason::Returned));
                }
            }
            InstKind::Resume(_) => self.next_of_end(id, inst, steps),
            _ => {}
        }
        let Some(site) = self.facts.calls.site(id, inst) else {
            return self.next_of_decision(id, facts, inst, steps);
        };
        if self.goes_outside(site) {
            steps.push((Step::Within(Node::Returns(id, inst)), Reason::Exit));
        }
        if site.unknown {
            for &known in &self.facts.calls.from_outside {
                steps.push((Step::Down { call: (id, inst), into: Node::Called(known) }, Reason::Call));
            }
        }
    }

    /// From what decides where control goes behind its node, if there is a choice.
    fn next_of_decision(&self, id: FuncId, facts: &FunctionFacts, inst: InstId, steps: &mut Steps) {
        let function = &self.facts.module.functions[id];
        let Some(node) = facts.cfg.node_of(inst) else { return };
        if facts.cfg.successors[node.index()].len() < 2 || facts.cfg.decider(function, node) != Some(inst) {
            return;
        }
        for &Edge { node, way } in &facts.control.controls[node.index()] {
            for &controlled in facts.cfg.insts(function, node) {
                self.execution(id, controlled, Reason::Branch(way), steps);
            }
        }
        for &phi in &facts.joins.phis[node.index()] {
            steps.push((Step::Within(Node::Inst(id, phi)), Reason::Join));
        }
    }

    /// From an instruction at which the function may be left other than by returning.
    fn next_of_end(&self, id: FuncId, inst: InstId, steps: &mut Steps) {
        if self.may_leave(id, &self.facts.module.functions[id], inst) {
            for call in self.callers(id).into_iter().filter(|&call| self.may_not_return(call)) {
                steps.push((Step::Up { call, to: Node::Returns(call.0, call.1) }, Reason::Exit));
            }
        }
    }

    fn users(&mut self, id: FuncId, facts: &FunctionFacts, value: Value, steps: &mut Steps) {
        let function = &self.facts.module.functions[id];
        for &user in facts.uses.of(value) {
            let Some(site) = self.facts.calls.site(id, user) else {
                steps.push((Step::Within(Node::Inst(id, user)), Reason::Value));
                continue;
            };
            let call = call_operands(function, user, value);
            if call.called {
                steps.push((Step::Within(Node::Runs(id, user)), Reason::Value));
            }
            if call.bundled || !call.args.is_empty() && self.goes_outside(site) {
                steps.push((Step::Within(Node::Inst(id, user)), Reason::Value));
            }
            for &target in site.targets.iter().filter(|&&target| self.facts.module.functions[target].is_defined()) {
                for &index in &call.args {
                    for into in self.parameters(target, index) {
                        steps.push((Step::Down { call: (id, user), into }, Reason::Argument));
                    }
                }
            }
        }
    }

    /// What an argument becomes in a function: its parameter, or memory that variadic arguments are read from.
    fn parameters(&self, target: FuncId, index: usize) -> Vec<Node> {
        if index < self.facts.module.functions[target].params.len() {
            return vec![Node::Param(target, u32::try_from(index).unwrap_or(u32::MAX))];
        }
        self.variadic_locations(target).into_iter().map(|location| Node::Entry(target, location)).collect()
    }

    fn variadic_locations(&self, target: FuncId) -> Vec<LocationId> {
        let is_variadic = |object| self.facts.points_to.objects[object].kind == ObjectKind::Variadic(target);
        let locations = self.facts.effects.locations.iter_ids();
        locations.filter(|(_, location)| is_variadic(location.object)).map(|(id, _)| id).collect()
    }

    fn next_of_run(&mut self, id: FuncId, call: InstId, steps: &mut Steps) {
        steps.push((Step::Within(Node::Inst(id, call)), Reason::Call));
        steps.push((Step::Within(Node::Returns(id, call)), Reason::Call));
        let Some(site) = self.facts.calls.site(id, call) else { return };
        for &target in site.targets.iter().filter(|&&target| self.facts.module.functions[target].is_defined()) {
            steps.push((Step::Down { call: (id, call), into: Node::Called(target) }, Reason::Call));
        }
    }

    fn execution(&self, id: FuncId, inst: InstId, reason: Reason, steps: &mut Steps) {
        let node = match self.facts.calls.site(id, inst) {
            Some(_) => Node::Runs(id, inst),
            None => Node::Inst(id, inst),
        };
        steps.push((Step::Within(node), reason));
    }

    /// Whoever reads a location that `source` writes.
    fn readers(&mut self, id: FuncId, facts: &FunctionFacts, source: Source, location: LocationId, steps: &mut Steps) {
        let row = self.facts.overlaps.of(location);
        for &reader in facts.memory.readers.get(&source).into_iter().flatten() {
            let Some(access) = facts.memory.access(reader).filter(|access| !row.is_disjoint(&access.reads)) else {
                continue;
            };
            if self.reads_itself(id, access, row) {
                steps.push((Step::Within(Node::Inst(id, reader)), Reason::Memory(location)));
            }
            for target in self.callees(id, reader) {
                if !row.is_disjoint(&self.facts.mod_ref.of[target].reads) {
                    let into = Node::Entry(target, location);
                    steps.push((Step::Down { call: (id, reader), into }, Reason::Memory(location)));
                }
            }
        }
    }

    fn reads_itself(&self, id: FuncId, access: &Access, row: &FixedBitSet) -> bool {
        let effect = self.facts.effects.get(id, access.inst);
        effect.is_some_and(|effect| effect.reads.iter().any(|location| row.contains(location.index())))
    }

    fn memory_of_callers(
        &mut self,
        id: FuncId,
        facts: &FunctionFacts,
        writer: InstId,
        location: LocationId,
        steps: &mut Steps,
    ) {
        if self.is_visible_outside(id, location) && facts.memory.leaving.binary_search(&writer).is_ok() {
            for call in self.callers(id) {
                let to = Node::After(call.0, call.1, location);
                steps.push((Step::Up { call, to }, Reason::Memory(location)));
            }
        }
    }

    // Backward.

    fn of_inst(&mut self, id: FuncId, facts: &FunctionFacts, inst: InstId, steps: &mut Steps) {
        let module = self.facts.module;
        let function = &module.functions[id];
        if let Some(site) = self.facts.calls.site(id, inst) {
            steps.push((Step::Within(Node::Runs(id, inst)), Reason::Call));
            self.of_call(id, function, inst, site, steps);
        } else {
            function.insts[inst].kind.for_each_operand(|operand| of_value(id, operand, Reason::Value, steps));
            self.of_control(id, facts, inst, steps);
        }
        for &location in self.facts.effects.get(id, inst).map_or(&[][..], |effect| &effect.reads) {
            self.of_memory(id, facts, inst, location, &mut |node, reason| steps.push((Step::Within(node), reason)));
        }
    }

    fn of_call(&self, id: FuncId, function: &Function, inst: InstId, site: &CallSite, steps: &mut Steps) {
        let call = (id, inst);
        if let Some(data) = function.insts[inst].kind.call() {
            if self.goes_outside(site) {
                data.args.iter().for_each(|&arg| of_value(id, arg, Reason::Value, steps));
            }
            let bundled = data.bundles.iter().flat_map(|bundle| bundle.operands.iter());
            bundled.for_each(|&(_, value)| of_value(id, value, Reason::Value, steps));
        }
        for target in self.callees(id, inst) {
            for (_, end, data) in self.facts.module.functions[target].body() {
                if matches!(data.kind, InstKind::Ret(_)) {
                    steps.push((Step::Down { call, into: Node::Inst(target, end) }, Reason::Returned));
                }
            }
        }
    }

    fn of_end(&self, id: FuncId, inst: InstId, steps: &mut Steps) {
        steps.push((Step::Within(Node::Runs(id, inst)), Reason::Call));
        let Some(site) = self.facts.calls.site(id, inst) else { return };
        if self.goes_outside(site) {
            steps.push((Step::Within(Node::Inst(id, inst)), Reason::Exit));
        }
        let call = (id, inst);
        if !self.may_not_return(call) {
            return;
        }
        for target in self.callees(id, inst) {
            let callee = &self.facts.module.functions[target];
            for (_, end, _) in callee.body().filter(|&(_, end, _)| self.may_leave(target, callee, end)) {
                let into = match self.facts.calls.site(target, end) {
                    Some(_) => Node::Returns(target, end),
                    None => Node::Inst(target, end),
                };
                steps.push((Step::Down { call, into }, Reason::Exit));
            }
        }
    }

    fn of_control(&self, id: FuncId, facts: &FunctionFacts, inst: InstId, steps: &mut Steps) {
        let function = &self.facts.module.functions[id];
        steps.push((Step::Within(Node::Called(id)), Reason::Call));
        let Some(node) = facts.cfg.node_of(inst) else { return };
        let of_decider = |node: NodeId, reason: Reason, steps: &mut Steps| {
            if let Some(decider) = facts.cfg.decider(function, node) {
                let is_call = self.facts.calls.site(id, decider).is_some();
                let node = if is_call { Node::Returns(id, decider) } else { Node::Inst(id, decider) };
                steps.push((Step::Within(node), reason));
            }
        };
        for &Edge { node, way } in &facts.control.of[node.index()] {
            of_decider(node, Reason::Branch(way), steps);
        }
        if let (InstKind::Phi { .. }, Some(node)) = (&function.insts[inst].kind, facts.cfg.nodes.get(node)) {
            for &decider in &facts.joins.deciders[node.block.index()] {
                of_decider(decider, Reason::Join, steps);
            }
        }
    }

    fn of_run(&mut self, id: FuncId, facts: &FunctionFacts, call: InstId, steps: &mut Steps) {
        self.of_control(id, facts, call, steps);
        if let Some(data) = self.facts.module.functions[id].insts[call].kind.call()
            && let Callee::Value(callee) = data.callee
        {
            of_value(id, callee, Reason::Value, steps);
        }
    }

    fn of_called(&self, id: FuncId, steps: &mut Steps) {
        for site in self.facts.calls.callers(id) {
            let call = (site.caller, site.inst);
            steps.push((Step::Up { call, to: Node::Runs(call.0, call.1) }, Reason::Call));
        }
        if self.sites.from_outside.contains(&id) {
            for &call in &self.sites.unknown {
                steps.push((Step::Up { call, to: Node::Inst(call.0, call.1) }, Reason::Call));
            }
        }
    }

    fn of_param(&self, id: FuncId, index: u32, steps: &mut Steps) {
        for site in self.facts.calls.callers(id) {
            let data = self.facts.module.functions[site.caller].insts[site.inst].kind.call();
            if let Some(&arg) = data.and_then(|data| data.args.get(index as usize)) {
                self.up_to_value((site.caller, site.inst), arg, steps);
            }
        }
        steps.push((Step::Within(Node::Called(id)), Reason::Call));
    }

    fn up_to_value(&self, call: Site, value: Value, steps: &mut Steps) {
        let to = match value {
            Value::Inst(inst) => Node::Inst(call.0, inst),
            Value::Arg(index) => Node::Param(call.0, index),
            Value::Const(_) => return,
        };
        steps.push((Step::Up { call, to }, Reason::Argument));
    }

    fn of_entry(&mut self, id: FuncId, location: LocationId, steps: &mut Steps) {
        for call in self.callers(id) {
            let facts = self.function(call.0);
            self.of_memory(call.0, &facts, call.1, location, &mut |to, reason| {
                steps.push((Step::Up { call, to }, reason));
            });
        }
        if self.variadic_locations(id).iter().any(|&own| self.facts.overlaps.of(own).contains(location.index())) {
            let fixed = self.facts.module.functions[id].params.len();
            for site in self.facts.calls.callers(id) {
                let data = self.facts.module.functions[site.caller].insts[site.inst].kind.call();
                for &arg in data.map_or(&[][..], |data| &data.args).iter().skip(fixed) {
                    self.up_to_value((site.caller, site.inst), arg, steps);
                }
            }
        }
    }

    /// Whoever may have written a location that `reader` reads.
    fn of_memory(
        &self,
        id: FuncId,
        facts: &FunctionFacts,
        reader: InstId,
        location: LocationId,
        visit: &mut dyn FnMut(Node, Reason),
    ) {
        let reason = Reason::Memory(location);
        for &source in facts.memory.sources.get(&reader).into_iter().flatten() {
            match source {
                Source::Entry => visit(Node::Entry(id, location), reason),
                Source::Inst(writer) => {
                    if self.writes_itself(id, writer, location) {
                        visit(Node::Inst(id, writer), reason);
                    }
                    let touched = |target: FuncId| self.facts.mod_ref.of[target].touches.contains(location.index());
                    if self.callees(id, writer).into_iter().any(touched) {
                        visit(Node::After(id, writer, location), reason);
                    }
                }
            }
        }
    }

    fn writes_itself(&self, id: FuncId, writer: InstId, location: LocationId) -> bool {
        let row = self.facts.overlaps.of(location);
        let effect = self.facts.effects.get(id, writer);
        effect.is_some_and(|effect| effect.writes.iter().any(|written| row.contains(written.index())))
    }

    fn of_after(&mut self, id: FuncId, call: InstId, location: LocationId, steps: &mut Steps) {
        for target in self.callees(id, call) {
            let facts = self.function(target);
            for &writer in &facts.memory.leaving {
                let row = self.facts.overlaps.of(location);
                let visible = |written: &&LocationId| self.is_visible_outside(target, **written);
                let effect = self.facts.effects.get(target, writer);
                let mut written = effect.into_iter().flat_map(|effect| &effect.writes).filter(visible);
                if written.any(|written| row.contains(written.index())) {
                    let into = Node::Inst(target, writer);
                    steps.push((Step::Down { call: (id, call), into }, Reason::Memory(location)));
                }
                let touched = |inner: FuncId| self.facts.mod_ref.of[inner].touches.contains(location.index());
                if self.callees(target, writer).into_iter().any(touched) {
                    let into = Node::After(target, writer, location);
                    steps.push((Step::Down { call: (id, call), into }, Reason::Memory(location)));
                }
            }
        }
    }

    // Both.

    /// The calls that may call a function, from outside too.
    fn callers(&self, id: FuncId) -> Vec<Site> {
        let mut callers: Vec<Site> = self.facts.calls.callers(id).map(|site| (site.caller, site.inst)).collect();
        if self.sites.from_outside.contains(&id) {
            callers.extend_from_slice(&self.sites.unknown);
            callers.sort_unstable();
            callers.dedup();
        }
        callers
    }

    /// The functions with a body that a call may call, through the outside too.
    fn callees(&self, id: FuncId, inst: InstId) -> Vec<FuncId> {
        let Some(site) = self.facts.calls.site(id, inst) else { return Vec::new() };
        let defined = |target: &FuncId| self.facts.module.functions[*target].is_defined();
        let mut callees: Vec<FuncId> = site.targets.iter().copied().filter(defined).collect();
        if site.unknown {
            callees.extend_from_slice(&self.facts.calls.from_outside);
            callees.sort_unstable();
            callees.dedup();
        }
        callees
    }

    /// Whether a call may call something without a body.
    fn goes_outside(&self, site: &CallSite) -> bool {
        site.unknown || site.targets.iter().any(|&target| !self.facts.module.functions[target].is_defined())
    }

    fn may_not_return(&self, call: Site) -> bool {
        self.facts.end_of_call(call.0, call.1).may_not_return()
    }

    /// Whether a function may be left at an instruction other than by returning.
    fn may_leave(&self, id: FuncId, function: &Function, inst: InstId) -> bool {
        match function.insts[inst].kind {
            InstKind::Resume(_) => true,
            InstKind::Call(_) => self.facts.end_of_call(id, inst).may_not_return(),
            InstKind::Invoke { .. } => self.facts.end_of_call(id, inst).exits,
            _ => false,
        }
    }

    /// Whether what a function does to a location matters to its callers.
    fn is_visible_outside(&self, id: FuncId, location: LocationId) -> bool {
        let object = self.facts.effects.locations[location].object;
        let object = &self.facts.points_to.objects[object];
        match object.kind {
            ObjectKind::Stack(owner, _) => owner != id || !object.private && self.facts.calls.recursive[owner],
            _ => true,
        }
    }
}

fn of_value(id: FuncId, value: Value, reason: Reason, steps: &mut Steps) {
    let node = match value {
        Value::Inst(inst) => Node::Inst(id, inst),
        Value::Arg(index) => Node::Param(id, index),
        Value::Const(_) => return,
    };
    steps.push((Step::Within(node), reason));
}

/// How a call uses a value.
struct CallOperands {
    called: bool,
    bundled: bool,
    args: Vec<usize>,
}

fn call_operands(function: &Function, inst: InstId, value: Value) -> CallOperands {
    let mut found = CallOperands { called: false, bundled: false, args: Vec::new() };
    if let Some(call) = function.insts[inst].kind.call() {
        found.called = call.callee == Callee::Value(value);
        found.bundled = call.bundles.iter().flat_map(|bundle| bundle.operands.iter()).any(|&(_, used)| used == value);
        found.args = call.args.iter().enumerate().filter(|(_, arg)| **arg == value).map(|(index, _)| index).collect();
    }
    found
}
