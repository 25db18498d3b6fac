//! Static slices, forward and backward, across procedures: what a change can reach, and what something depends on.
//!
//! S. Horwitz, T. Reps, D. Binkley: "Interprocedural Slicing Using Dependence Graphs", TOPLAS 1990, with these
//! differences: nothing is built beforehand, functions are analysed when the slice comes to them; in place of summary
//! edges a slice that went from a call into a function comes back to the calls that it went in through only (all of
//! them, whichever way it went through the function), while from where it began, and from what code outside calls, it
//! goes up to all callers; and memory is followed location by location.
//!
//! The result says for each node through which edge it was reached first, so a chain of reasons leads back to the start.

mod edges;

use crate::boundary::{Boundary, Site};
use crate::cfg::Way;
use crate::facts::{Facts, FunctionFacts, KnownFunctions};
use crate::id::LocationId;
use crate::locations::Overlaps;
use crate::mod_ref::ModRef;
use edges::Step;
use fixedbitset::FixedBitSet;
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
    /// Memory as a function leaves it.
    Exit(FuncId, LocationId),
    /// Memory as a call finds it.
    Before(FuncId, InstId, LocationId),
    /// Memory as a call leaves it.
    After(FuncId, InstId, LocationId),
    /// What code outside does: which functions it calls, and what calls of it return.
    Outside,
    /// Memory as code outside finds and leaves it.
    OutsideMemory(LocationId),
}

impl Node {
    /// The function that the node belongs to; `None` for what code outside does.
    pub fn function(self) -> Option<FuncId> {
        match self {
            Node::Inst(function, _)
            | Node::Param(function, _)
            | Node::Runs(function, _)
            | Node::Returns(function, _)
            | Node::Called(function)
            | Node::Entry(function, _)
            | Node::Exit(function, _)
            | Node::Before(function, _, _)
            | Node::After(function, _, _) => Some(function),
            Node::Outside | Node::OutsideMemory(_) => None,
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
    functions: KnownFunctions,
    index: Boundary,
}

impl<'f, 'm> Slicer<'f, 'm> {
    /// A slicer of that module.
    pub fn new(facts: &'f Facts<'m>) -> Slicer<'f, 'm> {
        Slicer { facts, functions: KnownFunctions::default(), index: Boundary::new(facts) }
    }

    /// What is known of a function that has a body.
    pub fn function(&mut self, id: FuncId) -> Rc<FunctionFacts> {
        self.functions.get(self.facts, id)
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
        let mut walk = Walk::new(self.facts, direction);
        for &node in start {
            walk.reach(None, node, node, Reason::Start);
        }
        while let Some((level, work)) = walk.next() {
            let (steps, place) = match work {
                Work::Node(node) => (self.steps(node, direction, &Seen { walk: &walk, level }), Err(node)),
                Work::Place(place, locations) => {
                    (self.memory_steps(place, &locations, direction, &Seen { walk: &walk, level }), Ok(place))
                }
            };
            for (step, reason) in steps {
                let from = match (place, reason) {
                    (Err(node), _) => node,
                    (Ok(place), Reason::Memory(location)) => place.node(location),
                    (Ok(_), _) => continue,
                };
                match step {
                    Step::Within(next) => walk.reach(level, next, from, reason),
                    Step::Down { call, into } => {
                        if let Some(function) = into.function() {
                            walk.enter(function, (level, call));
                        }
                        walk.reach(into.function(), into, from, reason);
                    }
                    Step::Up { call, to } => walk.leave(level, call, to, from, reason),
                    Step::Top(next) => walk.reach(None, next, from, reason),
                }
            }
        }
        Slice { nodes: walk.reached.into_iter().collect() }
    }
}

/// Where a slice is: among what called the start (`None`), or in a function that it went down into.
type Level = Option<FuncId>;

/// Where a memory node is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Entry(FuncId),
    Exit(FuncId),
    Before(FuncId, InstId),
    After(FuncId, InstId),
    Outside,
}

impl Place {
    fn of(node: Node) -> Option<(Place, LocationId)> {
        match node {
            Node::Entry(function, location) => Some((Place::Entry(function), location)),
            Node::Exit(function, location) => Some((Place::Exit(function), location)),
            Node::Before(function, call, location) => Some((Place::Before(function, call), location)),
            Node::After(function, call, location) => Some((Place::After(function, call), location)),
            Node::OutsideMemory(location) => Some((Place::Outside, location)),
            _ => None,
        }
    }

    fn node(self, location: LocationId) -> Node {
        match self {
            Place::Entry(function) => Node::Entry(function, location),
            Place::Exit(function) => Node::Exit(function, location),
            Place::Before(function, call) => Node::Before(function, call, location),
            Place::After(function, call) => Node::After(function, call, location),
            Place::Outside => Node::OutsideMemory(location),
        }
    }
}

/// What a slice looks at next.
enum Work {
    Node(Node),
    /// Locations that were reached at a place, all at once: most of them lead to the same.
    Place(Place, Vec<LocationId>),
}

/// A node with the one that it is reached from.
type Arrival = (Node, Node, Reason);

struct Walk<'f> {
    overlaps: &'f Overlaps,
    mod_ref: &'f ModRef,
    direction: Direction,
    reached: FxHashMap<Node, Reached>,
    seen: FxHashSet<(Level, Node)>,
    /// Nodes to look at, and places of memory, which wait until nothing else does.
    nodes: [VecDeque<(Level, Node)>; 2],
    places: [VecDeque<(Level, Place)>; 2],
    /// Locations that were reached at places to look at.
    arrived: FxHashMap<(Level, Place), Vec<LocationId>>,
    /// What the locations that were reached at a place overlap. A further one that overlaps nothing else leads nowhere
    /// else.
    covered: FxHashMap<(Level, Place), FixedBitSet>,
    /// For each function and call the levels from which the slice went down into the function through the call.
    entered: FxHashMap<(FuncId, Site), Vec<Level>>,
    /// For each function and call what a way up to it leads to, for calls through which the slice comes in later.
    ups: FxHashMap<(FuncId, Site), Vec<Arrival>>,
}

/// What need not be reached again from a level.
struct Seen<'w> {
    walk: &'w Walk<'w>,
    level: Level,
}

impl Seen<'_> {
    fn has(&self, node: Node) -> bool {
        let walk = self.walk;
        walk.seen.contains(&(self.level, node)) || walk.seen.contains(&(None, node))
    }

    /// Whether all of what these locations overlap was reached at a place.
    fn covers(&self, place: Place, overlapped: &FixedBitSet) -> bool {
        let at = |level| self.walk.covered.get(&(level, place)).is_some_and(|covered| overlapped.is_subset(covered));
        at(None) || self.level.is_some() && at(self.level)
    }
}

impl<'f> Walk<'f> {
    fn new(facts: &'f Facts, direction: Direction) -> Walk<'f> {
        Walk {
            overlaps: &facts.overlaps,
            mod_ref: &facts.mod_ref,
            direction,
            reached: FxHashMap::default(),
            seen: FxHashSet::default(),
            nodes: Default::default(),
            places: Default::default(),
            arrived: FxHashMap::default(),
            covered: FxHashMap::default(),
            entered: FxHashMap::default(),
            ups: FxHashMap::default(),
        }
    }

    /// What to look at next: first where all callers count, which makes the rest superfluous where both come.
    fn next(&mut self) -> Option<(Level, Work)> {
        for depth in 0..2 {
            if let Some((level, node)) = self.nodes[depth].pop_front() {
                return Some((level, Work::Node(node)));
            }
            if let Some((level, place)) = self.places[depth].pop_front() {
                let locations = self.arrived.remove(&(level, place)).unwrap_or_default();
                return Some((level, Work::Place(place, locations)));
            }
        }
        None
    }

    fn reach(&mut self, level: Level, node: Node, from: Node, reason: Reason) {
        let depth = usize::from(level.is_some());
        if let Some((place, location)) = Place::of(node) {
            if self.is_covered(level, place, location) {
                return;
            }
            let arrived = self.arrived.entry((level, place)).or_default();
            if arrived.is_empty() {
                self.places[depth].push_back((level, place));
            }
            arrived.push(location);
        } else {
            let is_known = level.is_some() && self.seen.contains(&(None, node));
            if is_known || !self.seen.insert((level, node)) {
                return;
            }
            self.nodes[depth].push_back((level, node));
        }
        self.reached.entry(node).or_insert(Reached { from, reason });
    }

    fn is_covered(&mut self, level: Level, place: Place, location: LocationId) -> bool {
        let row = self.overlaps.of(location);
        // What a function finds in memory matters only as far as it reads it.
        let read = match (self.direction, place) {
            (Direction::Forward, Place::Entry(function)) => Some(&self.mod_ref.of[function].reads),
            _ => None,
        };
        let is_known = |covered: &FixedBitSet| match read {
            Some(read) => row.intersection(read).all(|bit| covered.contains(bit)),
            None => row.is_subset(covered),
        };
        if level.is_some() && self.covered.get(&(None, place)).is_some_and(is_known) {
            return true;
        }
        let covered = self.covered.entry((level, place)).or_default();
        let known = is_known(covered);
        if !known {
            covered.union_with(row);
        }
        known
    }

    fn enter(&mut self, function: FuncId, (level, call): (Level, Site)) {
        let levels = self.entered.entry((function, call)).or_default();
        if levels.contains(&level) {
            return;
        }
        levels.push(level);
        for (to, from, reason) in self.ups.get(&(function, call)).cloned().unwrap_or_default() {
            self.reach(level, to, from, reason);
        }
    }

    fn leave(&mut self, level: Level, call: Site, to: Node, from: Node, reason: Reason) {
        let Some(function) = level else { return self.reach(None, to, from, reason) };
        let arrival = (to, from, reason);
        self.ups.entry((function, call)).or_default().push(arrival);
        for level in self.entered.get(&(function, call)).cloned().unwrap_or_default() {
            self.reach(level, to, from, reason);
        }
    }
}
