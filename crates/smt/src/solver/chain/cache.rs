//! Solved sets of constraints. Two generations: when the young one is full it becomes the old one, and the old one is
//! forgotten, except what was asked for again meanwhile. So memory is bounded and what is in use stays.

use super::path::Group;
use crate::expr::Expr;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What is known of a set of constraints.
#[derive(Clone)]
pub enum Cached {
    /// They hold together.
    Sat(Rc<Group>),
    /// They do not.
    Unsat,
}

/// Solved sets, by their constraints in order.
pub struct Cache {
    young: FxHashMap<Rc<[Expr]>, Cached>,
    old: FxHashMap<Rc<[Expr]>, Cached>,
    /// About how many bytes the young ones have.
    size: usize,
    limit: usize,
}

impl Cache {
    /// A cache of about so many bytes.
    pub fn new(limit: usize) -> Cache {
        Cache { young: FxHashMap::default(), old: FxHashMap::default(), size: 0, limit: limit / 2 }
    }

    /// What is known of a set.
    pub fn get(&mut self, constraints: &[Expr]) -> Option<Cached> {
        if let Some(known) = self.young.get(constraints) {
            return Some(known.clone());
        }
        let (key, known) = self.old.remove_entry(constraints)?;
        self.insert(key, known.clone());
        Some(known)
    }

    /// Remembers a set.
    pub fn insert(&mut self, constraints: Rc<[Expr]>, known: Cached) {
        self.size += size(&constraints, &known);
        if self.size > self.limit {
            self.old = std::mem::take(&mut self.young);
            self.size = size(&constraints, &known);
        }
        self.young.insert(constraints, known);
    }
}

fn size(constraints: &[Expr], known: &Cached) -> usize {
    let group = match known {
        Cached::Sat(group) => 200 + group.names.len() * 24,
        Cached::Unsat => 0,
    };
    100 + constraints.len() * 16 + group
}
