//! Static slices, forward and backward, across procedures: what a change can reach, and what something depends on.
//!
//! S. Horwitz, T. Reps, D. Binkley: "Interprocedural Slicing Using Dependence Graphs", TOPLAS 1990, with these
//! differences: nothing is built beforehand, functions are analysed when the slice comes to them; in place of summary
//! edges a slice that went from a call into a function comes back to the calls that it went in through only (all of
//! them, whichever way it went through the function), while from where it began it goes up to all callers; and memory is
//! followed location by location.
//!
//! The result says for each node through which edge it was reached first, so a chain of reasons leads back to the start.

mod edges;

use crate::cfg::Way;
use crate::facts::{Facts, FunctionFacts};
use crate::id::LocationId;
use edges::Step;
use ir::id::{FuncId, InstId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// What a slice consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// What an instruction computes, does or decides.
    Inst(FuncId, InstId),
    /// A parameter.
    Param(FuncId, u32),
    /// Whether a call runs.
    Runs(FuncId, InstId),
    /// Whether a call comes back.
    Returns(FuncId, InstId),
    /// Whether a function is called.
    Called(FuncId),
    /// Memory as a function finds it when it is called.
    Entry(FuncId, LocationId),
    /// Memory as a call leaves it.
    After(FuncId, InstId, LocationId),
}

impl Node {
    /// The function that the node belongs to.
    pub fn function(self) -> FuncId {
        match self {
            Node::Inst(function, _)
            | Node::Param(function, _)
            | Node::Runs(function, _)
            | Node::Returns(function, _)
            | Node::Called(function)
            | Node::Entry(function, _)
            | Node::After(function, _, _) => function,
        }
    }
}

/// Why one node depends on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// It is where the slice begins.
    Start,
    /// It uses the other's value.
    Value,
    /// It reads memory that the other one writes.
    Memory(LocationId),
    /// It runs only if the other one goes that way.
    Branch(Way),
    /// Its value depends on the way by which control comes to it.
    Join,
    /// It is a parameter, and the value its argument.
    Argument,
    /// It is a call, and the other one returns its result.
    Returned,
    /// It runs only if the call does.
    Call,
    /// It comes back only if the other one does not end the program or unwind.
    Exit,
}

/// How a node was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// From where; itself at the start.
    pub from: Node,
    /// Why the later one of both depends on the earlier one.
    pub reason: Reason,
}

/// All nodes that a slice reached, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slice {
    /// Nodes.
    pub nodes: BTreeMap<Node, Reached>,
}

impl Slice {
    /// Whether an instruction is in the slice.
    pub fn has(&self, function: FuncId, inst: InstId) -> bool {
        self.nodes.contains_key(&Node::Inst(function, inst))
    }

    /// The steps from a node back to where the slice began, the node's own first.
    pub fn why(&self, node: Node) -> Vec<(Node, Reached)> {
        let mut steps: Vec<(Node, Reached)> = Vec::new();
        let mut at = node;
        while let Some(&reached) = self.nodes.get(&at) {
            steps.push((at, reached));
            if reached.from == at || steps.len() > self.nodes.len() {
                break;
            }
            at = reached.from;
        }
        steps
    }
}

/// Which way a slice goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To what depends on the start.
    Forward,
    /// To what the start depends on.
    Backward,
}

/// Makes slices of one module, and remembers what it learned of functions.
pub struct Slicer<'f, 'm> {
    /// What is known of the module.
    pub facts: &'f Facts<'m>,
    functions: FxHashMap<FuncId, Rc<FunctionFacts>>,
    sites: Sites,
}

/// Call sites that may call something unknown, and functions that may be called from there.
struct Sites {
    unknown: Vec<(FuncId, InstId)>,
    from_outside: FxHashSet<FuncId>,
}

impl<'f, 'm> Slicer<'f, 'm> {
    /// A slicer of that module.
    pub fn new(facts: &'f Facts<'m>) -> Slicer<'f, 'm> {
        let unknown = facts.calls.sites.iter().filter(|site| site.unknown).map(|site| (site.caller, site.inst));
        let from_outside = facts.calls.from_outside.iter().copied().collect();
        Slicer { facts, functions: FxHashMap::default(), sites: Sites { unknown: unknown.collect(), from_outside } }
    }

    /// What is known of a function that has a body.
    pub fn function(&mut self, id: FuncId) -> Rc<FunctionFacts> {
        let facts = self.facts;
        self.functions.entry(id).or_insert_with(|| Rc::new(facts.function(id))).clone()
    }

    /// Everything that depends on these nodes.
    pub fn forward(&mut self, start: &[Node]) -> Slice {
        self.slice(start, Direction::Forward)
    }

    /// Everything that these nodes depend on.
    pub fn backward(&mut self, start: &[Node]) -> Slice {
        self.slice(start, Direction::Backward)
    }

    /// A slice in either direction.
    pub fn slice(&mut self, start: &[Node], direction: Direction) -> Slice {
        let mut walk = Walk::default();
        for &node in start {
            walk.reach(None, node, node, Reason::Start);
        }
        while let Some((level, node)) = walk.waiting.pop_front() {
            for (step, reason) in self.steps(node, direction) {
                match step {
                    Step::Within(next) => walk.reach(level, next, node, reason),
                    Step::Down { call, into } => {
                        walk.enter(into.function(), (level, call));
                        walk.reach(Some(into.function()), into, node, reason);
                    }
                    Step::Up { call, to } => walk.leave(level, call, to, node, reason),
                }
            }
        }
        walk.slice
    }
}

/// Where a slice is: among what called the start (`None`), or in a function that it went down into.
type Level = Option<FuncId>;
/// A call, by its function.
type Site = (FuncId, InstId);

/// A node with the one that it is reached from.
type Arrival = (Node, Node, Reason);

#[derive(Default)]
struct Walk {
    slice: Slice,
    seen: FxHashSet<(Level, Node)>,
    waiting: VecDeque<(Level, Node)>,
    /// For each function that the slice went down into the levels and calls that it came from.
    entered: FxHashMap<FuncId, Vec<(Level, Site)>>,
    /// For each function and call what a way up to it leads to, for calls through which the slice comes in later.
    ups: FxHashMap<(FuncId, Site), Vec<Arrival>>,
}

impl Walk {
    fn reach(&mut self, level: Level, node: Node, from: Node, reason: Reason) {
        if self.seen.insert((level, node)) {
            self.waiting.push_back((level, node));
            self.slice.nodes.entry(node).or_insert(Reached { from, reason });
        }
    }

    fn enter(&mut self, function: FuncId, way: (Level, Site)) {
        let ways = self.entered.entry(function).or_default();
        if ways.contains(&way) {
            return;
        }
        ways.push(way);
        for (to, from, reason) in self.ups.get(&(function, way.1)).cloned().unwrap_or_default() {
            self.reach(way.0, to, from, reason);
        }
    }

    fn leave(&mut self, level: Level, call: Site, to: Node, from: Node, reason: Reason) {
        let Some(function) = level else { return self.reach(None, to, from, reason) };
        let ups = self.ups.entry((function, call)).or_default();
        ups.push((to, from, reason));
        let ways: Vec<(Level, Site)> = self.entered.get(&function).cloned().unwrap_or_default();
        for (level, _) in ways.into_iter().filter(|(_, site)| *site == call) {
            self.reach(level, to, from, reason);
        }
    }
}
