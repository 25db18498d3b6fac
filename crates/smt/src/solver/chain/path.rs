//! The constraints of a path, grouped by the symbols that they share.

use super::symbols::Names;
use crate::eval::Model;
use crate::expr::Expr;
use std::cell::OnceCell;
use std::rc::Rc;

/// Constraints that hold together, with values for which they do. Cheap to copy.
#[derive(Clone, Default)]
pub struct Path {
    /// Groups that share no symbol with each other.
    pub(super) groups: Vec<Rc<Group>>,
    /// How many of the constraints are in groups; the others came since somebody had to ask something.
    pub(super) grouped: usize,
    /// The constraints in the order in which they came, those left out that add nothing.
    pub constraints: Rc<Vec<Expr>>,
    /// Values for which all of them hold.
    pub values: Rc<Model>,
    /// Whether the values are somebody's, which need not be those that the groups have.
    pub(super) mixed: bool,
    /// Whether symbols without constraints have values that somebody brought along, so that they are not the smallest.
    pub(super) brought: bool,
}

/// Constraints that are connected by the symbols that they share.
pub(super) struct Group {
    /// All symbols and functions in them.
    pub names: Names,
    /// Sorted, each once.
    pub constraints: Rc<[Expr]>,
    /// Values for which they hold.
    pub values: Values,
    /// Whether the values are the smallest.
    pub exact: bool,
    /// The smallest values, once somebody asked for them.
    pub smallest: OnceCell<Values>,
}

/// Values of the names of a group.
#[derive(Clone, Debug)]
pub(super) enum Values {
    /// One for each name; all are symbols of at most 64 bits.
    Small(Box<[u64]>),
    /// Anything.
    Model(Rc<Model>),
}

impl Path {
    /// How many pairs of constraints share symbols, directly or through others: what making its values small depends on.
    pub fn connected(&self) -> u64 {
        self.groups.iter().map(|group| (group.constraints.len() as u64).pow(2)).sum()
    }

    /// A path without constraints.
    pub fn new() -> Path {
        Path::default()
    }

    /// The path with one more constraint. The caller knows values for which it and all before it hold, so that there is
    /// nothing to ask.
    pub fn assume(&self, constraint: Expr, values: Rc<Model>) -> Path {
        let mut constraints = Vec::with_capacity(self.constraints.len() + 1);
        constraints.extend_from_slice(&self.constraints);
        constraints.push(constraint);
        let (groups, constraints) = (self.groups.clone(), Rc::new(constraints));
        Path { groups, grouped: self.grouped, constraints, values, mixed: true, brought: self.brought }
    }

    /// The same path with other values for which its constraints hold.
    pub fn with_values(&self, values: Rc<Model>) -> Path {
        let constraints = self.constraints.clone();
        Path { groups: Vec::new(), grouped: 0, constraints, values, mixed: false, brought: self.brought }
    }

    /// A path without constraints that begins with known values: constraints that hold for them need no solver, and
    /// what no constraint is about keeps its value.
    pub fn beginning_with(values: Rc<Model>) -> Path {
        Path { values, brought: true, ..Path::default() }
    }
}
