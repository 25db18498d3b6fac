//! Answers that stand beside the code: a comment `; expect: QUESTION = ANSWER` in an IR file asks an analysis.
//!
//! Instructions without a name are numbered by their kind (`store 2` is the second store of the function), nodes are
//! named by their block and, behind a call that may not come back, with a tick for each one before.

use analysis::cfg::{Edge, Way};
use analysis::facts::{Facts, FunctionFacts};
use analysis::hazards::hazards;
use analysis::id::{LocationId, NodeId, ObjectId};
use analysis::memory::Source;
use analysis::points_to::{ObjectKind, Scope};
use analysis::region::region;
use analysis::slice::{Direction, Node, Reason, Slicer};
use ir::id::{BlockId, FuncId, Id, InstId};
use ir::inst::{InstKind, Value};
use ir::module::Module;

/// Checks every expectation of a file.
pub fn check(text: &str, name: &str) {
    let mut module = ir::parse::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    ir::promote::promote(&mut module);
    let (mut count, mut wrong) = (0, String::new());
    for line in text.lines() {
        let Some(expect) = line.trim().strip_prefix("; expect:") else { continue };
        let (question, answer) = expect.split_once('=').unwrap_or_else(|| panic!("{name}: {line}"));
        let found = ask(&module, question.trim());
        if found != answer.trim() {
            wrong += &format!("{name}: {question}\n   found {found}\n  expect {}\n", answer.trim());
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(count > 0, "{name} expects nothing");
}

fn ask(module: &Module, question: &str) -> String {
    let mut words: Vec<&str> = question.split_whitespace().collect();
    let mut scope = Scope::Library;
    if words[0] == "program" {
        words.remove(0);
        scope = Scope::Program(vec![function(module, "main")]);
    }
    let facts = Facts::new(module, &scope);
    let id = function(module, words[1]);
    let asker = Asker { module, facts: &facts, id, known: facts.function(id) };
    let what = words[2..].join(" ");
    match words[0] {
        "successors" => asker.successors(),
        "post-dominators" => asker.post_dominators(),
        "control" => asker.control(),
        "joins" => asker.joins(&what),
        "loops" => asker.loops(),
        "end" => asker.end(),
        "points" => asker.points(&what),
        "calls" => asker.calls(&what),
        "reads" => asker.locations(facts.mod_ref.of[id].reads.ones()),
        "writes" => asker.locations(facts.mod_ref.of[id].writes.ones()),
        "sources" => asker.sources(&what),
        "users" => asker.insts(asker.known.uses.of(asker.value(&what)).iter().copied()),
        "hazards" => asker.hazards(),
        "region" => asker.region(&what),
        "forward" => asker.slice(&what, Direction::Forward),
        "backward" => asker.slice(&what, Direction::Backward),
        "why" => asker.why(&what),
        other => panic!("nobody knows `{other}`"),
    }
}

struct Asker<'f, 'm> {
    module: &'m Module,
    facts: &'f Facts<'m>,
    id: FuncId,
    known: FunctionFacts,
}

fn function(module: &Module, name: &str) -> FuncId {
    let found = module.functions.ids().find(|&id| module.function_name(id) == name);
    found.unwrap_or_else(|| panic!("no function {name}"))
}

impl Asker<'_, '_> {
    fn block_name(&self, block: BlockId) -> String {
        let name = self.module.functions[self.id].blocks[block].name;
        name.map_or(block.index().to_string(), |name| self.module.str(name).to_string())
    }

    fn node(&self, node: NodeId) -> String {
        let Some(data) = self.known.cfg.nodes.get(node) else { return "exit".into() };
        let ticks = node.index() - self.known.cfg.first_of(data.block).index();
        self.block_name(data.block) + &"'".repeat(ticks)
    }

    fn nodes(&self) -> impl Iterator<Item = NodeId> {
        self.known.cfg.nodes.ids().filter(|&node| self.known.cfg.is_reachable(node))
    }

    fn edges(&self, edges: &[Edge]) -> String {
        join(edges.iter().map(|edge| match edge.way {
            Way::Next => self.node(edge.node),
            way => format!("{} ({})", self.node(edge.node), way_name(way)),
        }))
    }

    fn successors(&self) -> String {
        let line =
            |node: NodeId| format!("{}: {}", self.node(node), self.edges(&self.known.cfg.successors[node.index()]));
        self.nodes().map(line).collect::<Vec<_>>().join("; ")
    }

    fn post_dominators(&self) -> String {
        let above = |node| self.known.post_dominators.immediate(node).map_or("none".into(), |above| self.node(above));
        self.nodes().map(|node| format!("{}: {}", self.node(node), above(node))).collect::<Vec<_>>().join("; ")
    }

    fn control(&self) -> String {
        let controlled = self.nodes().filter(|node| !self.known.control.of[node.index()].is_empty());
        let line = |node: NodeId| format!("{}: {}", self.node(node), self.edges(&self.known.control.of[node.index()]));
        controlled.map(line).collect::<Vec<_>>().join("; ")
    }

    fn joins(&self, block: &str) -> String {
        let blocks = &self.module.functions[self.id].blocks;
        let block = blocks.ids().find(|&id| self.block_name(id) == block).unwrap();
        join(self.known.joins.deciders[block.index()].iter().map(|&node| self.node(node)))
    }

    fn loops(&self) -> String {
        let found = self.known.loops.loops.iter();
        let line = |found: &analysis::loops::Loop| {
            let parent = found.parent.map(|parent| format!(" in {}", self.node(self.known.loops.loops[parent].header)));
            let nodes = join(found.nodes.iter().map(|&node| self.node(node)));
            format!("{}{}: {nodes}", self.node(found.header), parent.unwrap_or_default())
        };
        let natural = found.map(line);
        let entered_anywhere = |node: &NodeId| {
            self.known.loops.cyclic.contains(node.index()) && self.known.loops.innermost[node.index()].is_none()
        };
        let others: Vec<NodeId> = self.nodes().filter(entered_anywhere).collect();
        let others = (!others.is_empty()).then(|| format!("cycle: {}", join(others.iter().map(|&n| self.node(n)))));
        natural.chain(others).collect::<Vec<_>>().join("; ")
    }

    fn end(&self) -> String {
        let end = self.facts.ends.of[self.id];
        let all = [(end.returns, "returns"), (end.exits, "exits"), (end.unwinds, "unwinds")];
        join(all.into_iter().filter(|(is, _)| *is).map(|(_, name)| name.to_string()))
    }

    fn object(&self, id: ObjectId) -> String {
        let of = |function: FuncId, inst| {
            format!("{}.{}", self.module.function_name(function), inst_name(self.module, function, inst))
        };
        match self.facts.points_to.objects[id].kind {
            ObjectKind::Outside => "outside".into(),
            ObjectKind::World => "world".into(),
            ObjectKind::Global(global) => format!("@{}", self.module.symbol_name(self.module.globals[global].symbol)),
            ObjectKind::Function(function) => format!("@{}", self.module.function_name(function)),
            ObjectKind::Stack(function, inst) => format!("stack {}", of(function, inst)),
            ObjectKind::Heap(function, inst) => format!("heap {}", of(function, inst)),
            ObjectKind::Variadic(function) => format!("arguments of {}", self.module.function_name(function)),
        }
    }

    fn points(&self, what: &str) -> String {
        let targets = self.facts.points_to.of(self.id, self.value(what));
        join(targets.iter().map(|target| match target.offset {
            Some(offset) => format!("{}+{offset}", self.object(target.object)),
            None => self.object(target.object),
        }))
    }

    fn calls(&self, what: &str) -> String {
        let site = self.facts.calls.site(self.id, self.inst(what)).unwrap();
        let names = site.targets.iter().map(|&target| self.module.function_name(target).to_string());
        join(names.chain(site.unknown.then(|| "unknown".to_string())))
    }

    fn location(&self, id: LocationId) -> String {
        let location = &self.facts.effects.locations[id];
        let bytes = location.bytes.map(|(start, end)| format!("[{start}..{end}]")).unwrap_or_default();
        let view = |view: &analysis::address::View| format!(" field {}..{}", view.start, view.end);
        format!("{}{bytes}{}", self.object(location.object), location.views.iter().map(view).collect::<String>())
    }

    fn locations(&self, set: impl Iterator<Item = usize>) -> String {
        let mut names: Vec<String> = set.map(|at| self.location(LocationId::from_index(at))).collect();
        names.sort();
        join(names.into_iter())
    }

    fn sources(&self, what: &str) -> String {
        let sources = self.known.memory.sources.get(&self.inst(what)).unwrap();
        join(sources.iter().map(|source| match source {
            Source::Entry => "entry".into(),
            Source::Inst(inst) => inst_name(self.module, self.id, *inst),
        }))
    }

    fn hazards(&self) -> String {
        hazard_names(hazards(self.facts)[self.id])
    }

    fn region(&self, block: &str) -> String {
        let branch = self.nodes().find(|&node| self.node(node) == block).unwrap();
        let found = region(self.facts, &hazards(self.facts), self.id, &self.known, branch).unwrap();
        format!(
            "to {}; nodes {}; values {}; phis {}; writes {}; {}",
            self.node(found.join),
            join(found.nodes.iter().map(|&node| self.node(node))),
            self.insts(found.values.iter().copied()),
            self.insts(found.phis.iter().copied()),
            self.locations(found.writes.ones()),
            hazard_names(found.hazards),
        )
    }

    fn start(&self, what: &str) -> Node {
        match self.value_or_inst(what) {
            Ok(Value::Arg(index)) => Node::Param(self.id, index),
            Ok(Value::Inst(inst)) | Err(inst) => Node::Inst(self.id, inst),
            Ok(Value::Const(_)) => panic!("{what}"),
        }
    }

    fn slice(&self, what: &str, direction: Direction) -> String {
        let slice = Slicer::new(self.facts).slice(&[self.start(what)], direction);
        let name = |node: &Node| match *node {
            Node::Inst(function, inst) => Some((function, inst_name(self.module, function, inst))),
            Node::Param(function, index) => Some((function, param_name(self.module, function, index))),
            _ => None,
        };
        join(slice.nodes.keys().filter_map(name).map(|(function, name)| match function == self.id {
            true => name,
            false => format!("{}.{name}", self.module.function_name(function)),
        }))
    }

    /// `forward START to NODE`: the reasons in order.
    fn why(&self, what: &str) -> String {
        let (start, end) = what.split_once(" to ").unwrap();
        let slice = Slicer::new(self.facts).forward(&[self.start(start)]);
        let (end_function, end) = match end.split_once('.') {
            Some((name, end)) => (function(self.module, name), end),
            None => (self.id, end),
        };
        let end = find_inst(self.module, end_function, end);
        let steps = slice.why(Node::Inst(end_function, end));
        join(steps.iter().rev().map(|(_, reached)| match reached.reason {
            Reason::Memory(location) => format!("memory {}", self.location(location)),
            Reason::Branch(way) => format!("branch {}", way_name(way)),
            other => format!("{other:?}").to_lowercase(),
        }))
    }

    fn insts(&self, insts: impl Iterator<Item = InstId>) -> String {
        join(insts.map(|inst| inst_name(self.module, self.id, inst)))
    }

    fn inst(&self, what: &str) -> InstId {
        find_inst(self.module, self.id, what)
    }

    fn value(&self, what: &str) -> Value {
        self.value_or_inst(what).unwrap_or_else(Value::Inst)
    }

    fn value_or_inst(&self, what: &str) -> Result<Value, InstId> {
        let params = 0..self.module.functions[self.id].params.len() as u32;
        match { params }.find(|&index| param_name(self.module, self.id, index) == what) {
            Some(index) => Ok(Value::Arg(index)),
            None => Err(self.inst(what)),
        }
    }
}

fn param_name(module: &Module, function: FuncId, index: u32) -> String {
    let name = module.functions[function].params[index as usize].name;
    name.map_or(format!("%arg{index}"), |name| format!("%{}", module.str(name)))
}

fn find_inst(module: &Module, function: FuncId, what: &str) -> InstId {
    let found = module.functions[function].insts.ids().find(|&inst| inst_name(module, function, inst) == what);
    found.unwrap_or_else(|| panic!("no instruction {what}"))
}

fn inst_name(module: &Module, function: FuncId, inst: InstId) -> String {
    let insts = &module.functions[function].insts;
    if let Some(name) = insts[inst].name {
        return format!("%{}", module.str(name));
    }
    let kind = |inst: InstId| match &insts[inst].kind {
        InstKind::Store { .. } => "store",
        InstKind::Call(_) => "call",
        InstKind::Invoke { .. } => "invoke",
        InstKind::Ret(_) => "ret",
        InstKind::CondBr { .. } | InstKind::Br(_) => "br",
        InstKind::Switch { .. } => "switch",
        InstKind::Phi { .. } => "phi",
        InstKind::Marker(_) => "marker",
        InstKind::Unreachable => "unreachable",
        _ => "other",
    };
    let number = insts.ids().filter(|&other| other <= inst && insts[other].name.is_none() && kind(other) == kind(inst));
    format!("{} {}", kind(inst), number.count())
}

fn way_name(way: Way) -> String {
    match way {
        Way::Case(index) => format!("case {index}"),
        Way::Target(index) => format!("target {index}"),
        other => format!("{other:?}").to_lowercase(),
    }
}

fn hazard_names(found: analysis::hazards::Hazards) -> String {
    let all = [
        (found.faults, "faults"),
        (found.loops, "loops"),
        (found.unknown, "unknown"),
        (found.world, "world"),
        (found.exits, "exits"),
    ];
    join(all.into_iter().filter(|(is, _)| *is).map(|(_, name)| name.to_string()))
}

fn join(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.collect();
    if names.is_empty() { "nothing".into() } else { names.join(", ") }
}
