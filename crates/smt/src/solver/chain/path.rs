//! The constraints of a path, grouped by the symbols that they share.

use super::symbols::{Name, Names, SymbolSets};
use crate::eval::Model;
use crate::expr::Expr;
use crate::pool::Pool;
use std::rc::Rc;

/// Constraints that hold together, with values for which they do. Cheap to copy.
#[derive(Clone, Default)]
pub struct Path {
    /// Groups that share no symbol with each other.
    pub(super) groups: Vec<Rc<Group>>,
    /// The constraints in the order in which they came, true ones left out.
    pub constraints: Rc<Vec<Expr>>,
    /// Values for which all of them hold.
    pub values: Rc<Model>,
}

/// Constraints that are connected by the symbols that they share.
pub(super) struct Group {
    pub names: Names,
    /// Sorted, each once.
    pub constraints: Vec<Expr>,
}

impl Group {
    pub fn shares(&self, names: &[Name]) -> bool {
        names.iter().any(|name| self.names.binary_search(name).is_ok())
    }
}

impl Path {
    /// A path without constraints.
    pub fn new() -> Path {
        Path::default()
    }

    /// `constraint` and all constraints that are connected with it, sorted.
    pub(super) fn related(&self, pool: &Pool, sets: &mut SymbolSets, constraint: Expr) -> Box<[Expr]> {
        let names = sets.of(pool, constraint);
        let groups = self.groups.iter().filter(|group| group.shares(&names));
        let mut related: Vec<Expr> = groups.flat_map(|group| group.constraints.iter().copied()).collect();
        related.push(constraint);
        related.sort_unstable();
        related.dedup();
        related.into()
    }

    /// Adds a constraint that holds for `values`, as all before it do.
    pub(super) fn push(&mut self, pool: &Pool, sets: &mut SymbolSets, constraint: Expr, values: Rc<Model>) {
        let names = sets.of(pool, constraint);
        self.values = values;
        let related = self.related(pool, sets, constraint);
        let (joined, apart): (Vec<_>, Vec<_>) = self.groups.drain(..).partition(|group| group.shares(&names));
        let mut all: Vec<Name> = joined.iter().flat_map(|group| group.names.iter().copied()).collect();
        all.extend(names.iter());
        all.sort_unstable();
        all.dedup();
        self.groups = apart;
        self.groups.push(Rc::new(Group { names: all.into(), constraints: related.into_vec() }));
        Rc::make_mut(&mut self.constraints).push(constraint);
    }
}
