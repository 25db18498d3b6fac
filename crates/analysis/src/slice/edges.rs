//! The edges that slices follow. Both directions have the same edges: whoever changes one changes the other.
//!
//! Memory nodes carry a location: in a forward slice that of the write, in a backward slice that of the read.

use super::{Direction, Node, Place, Reason, Seen, Slicer};
use crate::boundary::Site;
use crate::calls::CallSite;
use crate::cfg::Edge;
use crate::facts::FunctionFacts;
use crate::id::{LocationId, NodeId};
use crate::memory::Source;
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
    /// To where all callers count, whoever the slice came from.
    Top(Node),
}

type Steps = Vec<(Step, Reason)>;

impl Slicer<'_, '_> {
    /// The steps from a node that is not one of memory.
    pub(super) fn steps(&mut self, node: Node, direction: Direction, seen: &Seen) -> Steps {
        let mut steps = Steps::new();
        let Some(id) = node.function() else {
            match direction {
                Direction::Forward => self.next_of_outside(&mut steps),
                Direction::Backward => self.of_outside(&mut steps),
            }
            return steps;
        };
        if !self.facts.module.functions[id].is_defined() {
            return steps;
        }
        let facts = self.function(id);
        match (direction, node) {
            (Direction::Forward, Node::Inst(_, inst)) => self.next_of_inst(id, &facts, inst, seen, &mut steps),
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
            (Direction::Backward, Node::Inst(_, inst)) => self.of_inst(id, &facts, inst, seen, &mut steps),
            (Direction::Backward, Node::Param(_, index)) => self.of_param(id, index, &mut steps),
            (Direction::Backward, Node::Runs(_, call)) => self.of_run(id, &facts, call, &mut steps),
            (Direction::Backward, Node::Returns(_, call)) => self.of_end(id, call, &mut steps),
            (Direction::Backward, Node::Called(_)) => self.of_called(id, &mut steps),
            _ => {}
        }
        steps
    }

    /// The steps from locations at a place; each says of which location it is.
    pub(super) fn memory_steps(
        &mut self,
        place: Place,
        locations: &[LocationId],
        direction: Direction,
        seen: &Seen,
    ) -> Steps {
        let mut steps = Steps::new();
        let facts = match place {
            Place::Entry(id) | Place::Exit(id) | Place::Before(id, _) | Place::After(id, _) => self.function(id),
            Place::Outside => {
                for &location in locations {
                    match direction {
                        Direction::Forward => self.next_of_outside_memory(location, &mut steps),
                        Direction::Backward => self.of_outside_memory(location, &mut steps),
                    }
                }
                return steps;
            }
        };
        match (direction, place) {
            (Direction::Forward, Place::Entry(id)) => {
                self.readers(id, &facts, Source::Entry, locations, seen, &mut steps);
            }
            (Direction::Forward, Place::After(id, call)) => {
                self.readers(id, &facts, Source::Inst(call), locations, seen, &mut steps);
            }
            (Direction::Backward, Place::Before(id, call)) => {
                self.writers(id, &facts, call, locations, seen, &mut steps);
            }
            (Direction::Backward, Place::Exit(id)) => self.of_exit(id, &facts, locations, seen, &mut steps),
            _ => {}
        }
        for &location in locations {
            match (direction, place) {
                (Direction::Forward, Place::Exit(id)) => self.next_of_exit(id, location, &mut steps),
                (Direction::Forward, Place::Before(id, call)) => self.next_of_before(id, call, location, &mut steps),
                (Direction::Forward, Place::After(id, call)) => self.leaving(id, &facts, call, location, &mut steps),
                (Direction::Backward, Place::Entry(id)) => self.of_entry(id, location, &mut steps),
                (Direction::Backward, Place::After(id, call)) => self.of_after(id, call, location, &mut steps),
                _ => {}
            }
        }
        steps
    }

    // Forward.

    fn next_of_inst(&self, id: FuncId, facts: &FunctionFacts, inst: InstId, seen: &Seen, steps: &mut Steps) {
        self.users(id, facts, Value::Inst(inst), steps);
        if let Some(effect) = self.facts.effects.get(id, inst) {
            self.readers(id, facts, Source::Inst(inst), &effect.writes, seen, steps);
            effect.writes.iter().for_each(|&location| self.leaving(id, facts, inst, location, steps));
        }
        match self.facts.module.functions[id].insts[inst].kind {
            InstKind::Ret(_) => {
                for call in self.callers(id) {
                    steps.push((Step::Up { call, to: Node::Inst(call.0, call.1) }, Reason::Returned));
                }
                if self.index.from_outside.contains(&id) {
                    steps.push((Step::Top(Node::Outside), Reason::Returned));
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
            steps.push((Step::Top(Node::Outside), Reason::Call));
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
        if self.index.leaves[id].binary_search(&inst).is_err() {
            return;
        }
        for call in self.callers(id).filter(|&call| self.may_not_return(call)) {
            steps.push((Step::Up { call, to: Node::Returns(call.0, call.1) }, Reason::Exit));
        }
        if self.index.from_outside.contains(&id) {
            steps.push((Step::Top(Node::Outside), Reason::Exit));
        }
    }

    fn next_of_run(&self, id: FuncId, call: InstId, steps: &mut Steps) {
        steps.push((Step::Within(Node::Inst(id, call)), Reason::Call));
        steps.push((Step::Within(Node::Returns(id, call)), Reason::Call));
        for target in self.callees(id, call) {
            steps.push((Step::Down { call: (id, call), into: Node::Called(target) }, Reason::Call));
        }
    }

    fn next_of_exit(&self, id: FuncId, location: LocationId, steps: &mut Steps) {
        let reason = Reason::Memory(location);
        for call in self.callers(id) {
            steps.push((Step::Up { call, to: Node::After(call.0, call.1, location) }, reason));
        }
        if self.index.from_outside.contains(&id) {
            steps.push((Step::Top(Node::OutsideMemory(location)), reason));
        }
    }

    fn next_of_outside(&self, steps: &mut Steps) {
        for &known in &self.facts.calls.from_outside {
            steps.push((Step::Top(Node::Called(known)), Reason::Call));
        }
        for &(caller, call) in &self.index.unknown {
            steps.push((Step::Top(Node::Inst(caller, call)), Reason::Returned));
        }
    }

    fn next_of_outside_memory(&self, location: LocationId, steps: &mut Steps) {
        let reason = Reason::Memory(location);
        for &known in &self.facts.calls.from_outside {
            if self.facts.overlaps.any(location, &self.facts.mod_ref.of[known].reads) {
                steps.push((Step::Top(Node::Entry(known, location)), reason));
            }
        }
        for &(caller, call) in &self.index.unknown {
            steps.push((Step::Top(Node::After(caller, call, location)), reason));
        }
    }

    fn users(&self, id: FuncId, facts: &FunctionFacts, value: Value, steps: &mut Steps) {
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
            for target in self.callees(id, user) {
                for &index in &call.args {
                    self.parameters(target, index, |into| {
                        steps.push((Step::Down { call: (id, user), into }, Reason::Argument));
                    });
                }
            }
        }
    }

    /// What an argument becomes in a function: its parameter, or memory that variadic arguments are read from.
    fn parameters(&self, target: FuncId, index: usize, mut visit: impl FnMut(Node)) {
        match u32::try_from(index) {
            Ok(position) if index < self.facts.module.functions[target].params.len() => {
                visit(Node::Param(target, position));
            }
            _ => {
                let locations = self.index.variadic.get(&target).into_iter().flatten();
                locations.for_each(|&location| visit(Node::Entry(target, location)));
            }
        }
    }

    fn execution(&self, id: FuncId, inst: InstId, reason: Reason, steps: &mut Steps) {
        let node = match self.facts.calls.site(id, inst) {
            Some(_) => Node::Runs(id, inst),
            None => Node::Inst(id, inst),
        };
        steps.push((Step::Within(node), reason));
    }

    /// Whoever reads one of the locations that `source` writes.
    fn readers(
        &self,
        id: FuncId,
        facts: &FunctionFacts,
        source: Source,
        locations: &[LocationId],
        seen: &Seen,
        steps: &mut Steps,
    ) {
        let all = self.facts.overlaps.of_all(locations.iter().copied());
        for &reader in facts.memory.readers.get(&source).into_iter().flatten() {
            let is_call = self.facts.calls.site(id, reader).is_some();
            let is_known = match is_call {
                true => seen.covers(Place::Before(id, reader), &all),
                false => seen.has(Node::Inst(id, reader)),
            };
            let access = facts.memory.access(reader);
            let Some(access) = access.filter(|access| !is_known && !all.is_disjoint(&access.reads)) else { continue };
            for &location in locations.iter().filter(|&&location| self.facts.overlaps.any(location, &access.reads)) {
                let reason = Reason::Memory(location);
                if !is_call {
                    steps.push((Step::Within(Node::Inst(id, reader)), reason));
                    break;
                }
                steps.push((Step::Within(Node::Before(id, reader, location)), reason));
            }
        }
    }

    fn next_of_before(&self, id: FuncId, call: InstId, location: LocationId, steps: &mut Steps) {
        let reason = Reason::Memory(location);
        let row = self.facts.overlaps.of(location);
        let own = self.facts.effects.get(id, call).map_or(&[][..], |effect| &effect.reads);
        if own.iter().any(|read| row.contains(read.index())) {
            steps.push((Step::Within(Node::Inst(id, call)), reason));
        }
        for target in self.callees(id, call) {
            if !row.is_disjoint(&self.facts.mod_ref.of[target].reads) {
                steps.push((Step::Down { call: (id, call), into: Node::Entry(target, location) }, reason));
            }
        }
        if self.facts.calls.site(id, call).is_some_and(|site| site.unknown) {
            steps.push((Step::Top(Node::OutsideMemory(location)), reason));
        }
    }

    /// What a write becomes when the function is left.
    fn leaving(&self, id: FuncId, facts: &FunctionFacts, writer: InstId, location: LocationId, steps: &mut Steps) {
        if self.is_visible_outside(id, location) && facts.memory.leaving.binary_search(&writer).is_ok() {
            steps.push((Step::Within(Node::Exit(id, location)), Reason::Memory(location)));
        }
    }

    // Backward.

    fn of_inst(&self, id: FuncId, facts: &FunctionFacts, inst: InstId, seen: &Seen, steps: &mut Steps) {
        let function = &self.facts.module.functions[id];
        if let Some(site) = self.facts.calls.site(id, inst) {
            steps.push((Step::Within(Node::Runs(id, inst)), Reason::Call));
            self.of_call(id, function, inst, site, steps);
        } else {
            function.insts[inst].kind.for_each_operand(|operand| of_value(id, operand, Reason::Value, steps));
            self.of_control(id, facts, inst, steps);
        }
        if let Some(effect) = self.facts.effects.get(id, inst) {
            self.writers(id, facts, inst, &effect.reads, seen, steps);
        }
    }

    fn of_call(&self, id: FuncId, function: &Function, inst: InstId, site: &CallSite, steps: &mut Steps) {
        if let Some(data) = function.insts[inst].kind.call() {
            if self.goes_outside(site) {
                data.args.iter().for_each(|&arg| of_value(id, arg, Reason::Value, steps));
            }
            let bundled = data.bundles.iter().flat_map(|bundle| bundle.operands.iter());
            bundled.for_each(|&(_, value)| of_value(id, value, Reason::Value, steps));
        }
        for target in self.callees(id, inst) {
            for &end in &self.index.returns[target] {
                let into = Node::Inst(target, end);
                steps.push((Step::Down { call: (id, inst), into }, Reason::Returned));
            }
        }
        if site.unknown {
            steps.push((Step::Top(Node::Outside), Reason::Returned));
        }
    }

    fn of_end(&self, id: FuncId, inst: InstId, steps: &mut Steps) {
        steps.push((Step::Within(Node::Runs(id, inst)), Reason::Call));
        let Some(site) = self.facts.calls.site(id, inst) else { return };
        if self.goes_outside(site) {
            steps.push((Step::Within(Node::Inst(id, inst)), Reason::Exit));
        }
        if !self.may_not_return((id, inst)) {
            return;
        }
        for target in self.callees(id, inst) {
            for &end in &self.index.leaves[target] {
                let into = self.deciding(target, end);
                steps.push((Step::Down { call: (id, inst), into }, Reason::Exit));
            }
        }
    }

    /// The node that says where control goes at an instruction.
    fn deciding(&self, id: FuncId, inst: InstId) -> Node {
        match self.facts.calls.site(id, inst) {
            Some(_) => Node::Returns(id, inst),
            None => Node::Inst(id, inst),
        }
    }

    fn of_control(&self, id: FuncId, facts: &FunctionFacts, inst: InstId, steps: &mut Steps) {
        let function = &self.facts.module.functions[id];
        steps.push((Step::Within(Node::Called(id)), Reason::Call));
        let Some(node) = facts.cfg.node_of(inst) else { return };
        let of_decider = |node: NodeId, reason: Reason, steps: &mut Steps| {
            if let Some(decider) = facts.cfg.decider(function, node) {
                steps.push((Step::Within(self.deciding(id, decider)), reason));
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

    fn of_run(&self, id: FuncId, facts: &FunctionFacts, call: InstId, steps: &mut Steps) {
        self.of_control(id, facts, call, steps);
        if let Some(data) = self.facts.module.functions[id].insts[call].kind.call()
            && let Callee::Value(callee) = data.callee
        {
            of_value(id, callee, Reason::Value, steps);
        }
    }

    fn of_called(&self, id: FuncId, steps: &mut Steps) {
        for call in self.callers(id) {
            steps.push((Step::Up { call, to: Node::Runs(call.0, call.1) }, Reason::Call));
        }
        if self.index.from_outside.contains(&id) {
            steps.push((Step::Top(Node::Outside), Reason::Call));
        }
    }

    fn of_outside(&self, steps: &mut Steps) {
        for &(caller, call) in &self.index.unknown {
            steps.push((Step::Top(Node::Inst(caller, call)), Reason::Call));
        }
        for &known in &self.facts.calls.from_outside {
            for &end in &self.index.returns[known] {
                steps.push((Step::Top(Node::Inst(known, end)), Reason::Returned));
            }
            for &end in &self.index.leaves[known] {
                steps.push((Step::Top(self.deciding(known, end)), Reason::Exit));
            }
        }
    }

    fn of_param(&self, id: FuncId, index: u32, steps: &mut Steps) {
        for call in self.callers(id) {
            let data = self.facts.module.functions[call.0].insts[call.1].kind.call();
            if let Some(&arg) = data.and_then(|data| data.args.get(index as usize)) {
                up_to_value(call, arg, steps);
            }
        }
        steps.push((Step::Within(Node::Called(id)), Reason::Call));
    }

    fn of_entry(&self, id: FuncId, location: LocationId, steps: &mut Steps) {
        let reason = Reason::Memory(location);
        let row = self.facts.overlaps.of(location);
        let variadic = self.index.variadic.get(&id).is_some_and(|own| own.iter().any(|own| row.contains(own.index())));
        for call in self.callers(id) {
            steps.push((Step::Up { call, to: Node::Before(call.0, call.1, location) }, reason));
            if variadic {
                let fixed = self.facts.module.functions[id].params.len();
                let data = self.facts.module.functions[call.0].insts[call.1].kind.call();
                for &arg in data.map_or(&[][..], |data| &data.args).iter().skip(fixed) {
                    steps.extend(value_node(call.0, arg).map(|to| (Step::Up { call, to }, reason)));
                }
            }
        }
        if self.index.from_outside.contains(&id) {
            steps.push((Step::Top(Node::OutsideMemory(location)), reason));
        }
    }

    /// Whoever may have written one of the locations that `reader` reads.
    fn writers(
        &self,
        id: FuncId,
        facts: &FunctionFacts,
        reader: InstId,
        locations: &[LocationId],
        seen: &Seen,
        steps: &mut Steps,
    ) {
        let all = self.facts.overlaps.of_all(locations.iter().copied());
        for &source in facts.memory.sources.get(&reader).into_iter().flatten() {
            match source {
                Source::Entry if seen.covers(Place::Entry(id), &all) => {}
                Source::Entry => {
                    let nodes = locations.iter().map(|&location| (Node::Entry(id, location), Reason::Memory(location)));
                    steps.extend(nodes.map(|(node, reason)| (Step::Within(node), reason)));
                }
                Source::Inst(writer) => self.of_writer(id, writer, locations, &all, seen, steps),
            }
        }
    }

    fn of_writer(
        &self,
        id: FuncId,
        writer: InstId,
        locations: &[LocationId],
        all: &FixedBitSet,
        seen: &Seen,
        steps: &mut Steps,
    ) {
        let mut is_own_known = seen.has(Node::Inst(id, writer));
        let is_call = self.facts.calls.site(id, writer).is_some();
        let is_inner_known = !is_call || seen.covers(Place::After(id, writer), all);
        for &location in locations {
            let reason = Reason::Memory(location);
            if !is_own_known && self.writes_itself(id, writer, location) {
                steps.push((Step::Within(Node::Inst(id, writer)), reason));
                is_own_known = true;
            }
            if !is_inner_known && self.writes_inside(id, writer, location) {
                steps.push((Step::Within(Node::After(id, writer, location)), reason));
            }
        }
    }

    fn writes_itself(&self, id: FuncId, writer: InstId, location: LocationId) -> bool {
        let row = self.facts.overlaps.of(location);
        let effect = self.facts.effects.get(id, writer);
        effect.is_some_and(|effect| effect.writes.iter().any(|written| row.contains(written.index())))
    }

    /// Whether a call may write a location in functions with a body.
    fn writes_inside(&self, id: FuncId, call: InstId, location: LocationId) -> bool {
        let touched = |target: FuncId| self.facts.mod_ref.of[target].touches.contains(location.index());
        let site = self.facts.calls.site(id, call);
        self.callees(id, call).any(touched)
            || site.is_some_and(|site| site.unknown) && self.facts.mod_ref.outside.touches.contains(location.index())
    }

    fn of_after(&self, id: FuncId, call: InstId, location: LocationId, steps: &mut Steps) {
        let reason = Reason::Memory(location);
        for target in self.callees(id, call) {
            if self.facts.mod_ref.of[target].touches.contains(location.index()) {
                steps.push((Step::Down { call: (id, call), into: Node::Exit(target, location) }, reason));
            }
        }
        if self.facts.calls.site(id, call).is_some_and(|site| site.unknown) {
            steps.push((Step::Top(Node::OutsideMemory(location)), reason));
        }
    }

    fn of_exit(&self, id: FuncId, facts: &FunctionFacts, locations: &[LocationId], seen: &Seen, steps: &mut Steps) {
        let all = self.facts.overlaps.of_all(locations.iter().copied());
        for &writer in &facts.memory.leaving {
            let effect = self.facts.effects.get(id, writer);
            let is_hidden = effect.is_some_and(|effect| {
                effect.writes.iter().all(|&written| !self.is_visible_outside(id, written))
                    && self.facts.calls.site(id, writer).is_none()
            });
            if !is_hidden {
                self.of_writer(id, writer, locations, &all, seen, steps);
            }
        }
    }

    fn of_outside_memory(&self, location: LocationId, steps: &mut Steps) {
        let reason = Reason::Memory(location);
        for &known in &self.facts.calls.from_outside {
            if self.facts.mod_ref.of[known].touches.contains(location.index()) {
                steps.push((Step::Top(Node::Exit(known, location)), reason));
            }
        }
        for &(caller, call) in &self.index.unknown {
            steps.push((Step::Top(Node::Before(caller, call, location)), reason));
        }
    }

    // Both.

    /// The calls in the module that may call a function.
    fn callers(&self, id: FuncId) -> impl Iterator<Item = Site> {
        self.facts.calls.callers(id).map(|site| (site.caller, site.inst))
    }

    /// The functions with a body that a call may call.
    fn callees(&self, id: FuncId, inst: InstId) -> impl Iterator<Item = FuncId> {
        let targets = self.facts.calls.site(id, inst).map_or(&[][..], |site| &site.targets);
        targets.iter().copied().filter(|&target| self.facts.module.functions[target].is_defined())
    }

    /// Whether a call may call something without a body.
    fn goes_outside(&self, site: &CallSite) -> bool {
        site.unknown || site.targets.iter().any(|&target| !self.facts.module.functions[target].is_defined())
    }

    fn may_not_return(&self, call: Site) -> bool {
        self.facts.end_of_call(call.0, call.1).may_not_return()
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
    if let Some(node) = value_node(id, value) {
        steps.push((Step::Within(node), reason));
    }
}

fn up_to_value(call: Site, value: Value, steps: &mut Steps) {
    if let Some(to) = value_node(call.0, value) {
        steps.push((Step::Up { call, to }, Reason::Argument));
    }
}

fn value_node(id: FuncId, value: Value) -> Option<Node> {
    match value {
        Value::Inst(inst) => Some(Node::Inst(id, inst)),
        Value::Arg(index) => Some(Node::Param(id, index)),
        Value::Const(_) => None,
    }
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
