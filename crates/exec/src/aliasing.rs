//! Pointers of the input that alias: they lead into objects that something else leads to, too.
//!
//! Inputs are made up with every pointer leading to an object of its own. An [`Alias`] says of one pointer that it leads into
//! another object instead: what a parameter, a field of an object or a global pointer leads to, or a global variable. A set
//! of them is one way in which a caller may wire its data structures; [`candidates`] lists those that can matter, and
//! [`Bounds::aliased`](crate::inputs::Bounds::aliased) makes up inputs that are wired so.

pub mod candidates;

use crate::inputs::{InputId, LeafValue, Origin};
use crate::program::Program;
use crate::run::{Run, Worker};
use ir::id::SymbolId;
use smt::expr::Expr;

/// Objects of the input begin at multiples of this.
const BOUNDARY: u64 = 16;

/// How an object of the input is reached: from a parameter or a variable on, by pointers at these distances.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Route {
    /// Where it begins.
    pub root: Root,
    /// Distance in bytes of each pointer that is followed, in what the one before it leads to.
    pub steps: Vec<u64>,
}

/// Where a route begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Root {
    /// A parameter of the entry, by position.
    Parameter(u32),
    /// A global variable.
    Variable(SymbolId),
}

impl Route {
    /// Whether an object is reached through what this one leads to.
    fn leads_through(&self, other: &Route) -> bool {
        self.root == other.root && self.steps.starts_with(&other.steps)
    }
}

/// A pointer of the input that leads into an object which something else leads to, too.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Alias {
    /// What the pointer would lead to otherwise.
    pub pointer: Route,
    /// The object that it leads into; a global variable if there are no steps. What it would lead to anyway lies so far behind a
    /// boundary then, on which other objects begin.
    pub to: Route,
    /// How far inside that, in bytes.
    pub distance: u64,
    /// Whether one name for what both lead to is that of a pointer to something `const`. By convention that is an input, which
    /// no caller lets the function write over by another name; but nothing forbids it.
    pub constant: bool,
    /// The pointer and what it is, as the source writes both.
    pub names: (String, String),
}

impl Worker<'_> {
    /// How an object is reached; nothing for what calls brought.
    pub fn route(&self, id: InputId) -> Option<Route> {
        let (mut steps, mut id) = (Vec::new(), self.inputs.canonical(id));
        // A pointer leads from an object that was known before.
        let root = loop {
            match self.inputs.object(id).origin {
                Origin::Parameter(number) => break Root::Parameter(number),
                Origin::Global(symbol) => break Root::Variable(self.program.canonical(symbol)),
                Origin::Pointer(from, at) => {
                    steps.push(at);
                    id = self.inputs.canonical(from);
                }
                Origin::Outside(_) | Origin::Old(_) => return None,
            }
        };
        steps.reverse();
        Some(Route { root, steps })
    }
}

impl Run<'_, '_> {
    /// What a pointer is said to lead into, and how the source would write that.
    pub(crate) fn aliased(&mut self, id: InputId, offset: u64) -> Option<(LeafValue, String)> {
        if self.worker.bounds.aliased.is_empty() {
            return None;
        }
        let mut route = self.worker.route(id)?;
        route.steps.push(offset);
        let is_it = |alias: &&Alias| alias.pointer == route && alias.to != route;
        let alias = self.worker.bounds.aliased.iter().find(is_it)?.clone();
        let value = self.alias_target(&alias);
        if value.is_none() {
            self.worker.inputs.unaliased = true;
        }
        value.map(|value| (value, alias.names.1))
    }

    /// Lets an object lie elsewhere than other objects, if that is said: how far behind a boundary, and how the source would write
    /// that.
    pub(crate) fn displaced(&mut self, id: InputId) -> Option<(LeafValue, String)> {
        if self.worker.bounds.aliased.is_empty() {
            return None;
        }
        let route = self.worker.route(id)?;
        let is_it = |alias: &&Alias| alias.pointer == route && alias.to == route;
        let Alias { distance, names, .. } = self.worker.bounds.aliased.iter().find(is_it)?.clone();
        let object = &mut self.worker.inputs.objects[id.0 as usize];
        let size = object.size.as_const()?.checked_add(distance)?.checked_next_multiple_of(BOUNDARY)?;
        object.size = Expr::constant(size, 64);
        object.count = size / object.element.max(1);
        object.terminator = object.terminator.map(|_| size - 1);
        object.address = None;
        object.name = format!("around {}", object.name);
        Some((LeafValue::Inside(id, distance), names.1))
    }

    fn alias_target(&mut self, alias: &Alias) -> Option<LeafValue> {
        if let (Root::Variable(symbol), []) = (alias.to.root, &alias.to.steps[..]) {
            return Some(LeafValue::Variable(symbol, alias.distance));
        }
        let id = self.object_at(&alias.to)?;
        if alias.distance == 0 {
            return Some(LeafValue::Pointer(id));
        }
        // Nothing lies behind what is not there.
        self.worker.inputs.objects[id.0 as usize].address = None;
        Some(LeafValue::Inside(id, alias.distance))
    }

    /// The object at the end of a route, made up if no path has looked at it.
    fn object_at(&mut self, route: &Route) -> Option<InputId> {
        let mut id = match route.root {
            Root::Parameter(number) => self.worker.inputs.find(Origin::Parameter(number))?,
            Root::Variable(symbol) => {
                self.worker.global_input(symbol);
                self.worker.inputs.find(Origin::Global(symbol))?
            }
        };
        for &step in &route.steps {
            id = match self.leaf(id, step, true).ok()?.value {
                LeafValue::Pointer(to) => to,
                _ => return None,
            };
        }
        Some(id)
    }
}

impl Program {
    /// What a variable of the new version is in one version.
    pub(crate) fn of_side(&self, symbol: SymbolId, old: bool) -> SymbolId {
        let twin =
            self.twins.iter().filter(|(other, known)| **known == symbol && *other != *known).map(|(other, _)| *other);
        twin.min().filter(|_| old).unwrap_or(symbol)
    }
}
