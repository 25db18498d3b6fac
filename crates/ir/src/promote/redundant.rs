//! Phis that stand for one value only.
//!
//! Algorithm 5 of the paper that [`super::ssa`] follows: if all phis of a strongly connected component have, besides
//! each other, one operand, they all are that operand. A trivial phi is a component of its own. Components are done after
//! those that they have operands from; of one that has several operands, those phis that have only phis of it as
//! operands are looked at again by themselves. Deviation: no recursion.

use super::ssa::{Phi, resolve};
use crate::id::Id;
use crate::inst::Value;

/// Notes in `replacements` the value of every redundant phi. The ids of `phis` begin with `first_id`; `undef` gives the
/// value of a phi that has no operand.
pub(super) fn replace_redundant(
    phis: &[Phi],
    first_id: usize,
    replacements: &mut [Option<Value>],
    undef: impl Fn(&Phi) -> Value,
) {
    let count = phis.len();
    let state = vec![State { set: 0, visit: 0, low: 0 }; count];
    let mut graph = Graph { phis, first_id, replacements, state, sets: 0 };
    let mut work = vec![Work::Set((0..count).collect())];
    while let Some(item) = work.pop() {
        match item {
            Work::Set(phis) => {
                let components = graph.components(&phis);
                work.extend(components.into_iter().rev().map(Work::Component));
            }
            Work::Component(phis) => match graph.outer_operands(&phis) {
                Outer::None => phis.iter().for_each(|&phi| graph.replace(phi, undef(&graph.phis[phi]))),
                Outer::One(value) => phis.iter().for_each(|&phi| graph.replace(phi, value)),
                Outer::Several { inner } if !inner.is_empty() => work.push(Work::Set(inner)),
                Outer::Several { .. } => {}
            },
        }
    }
}

enum Work {
    /// Phis to be cut into components.
    Set(Vec<usize>),
    /// A component.
    Component(Vec<usize>),
}

/// What the phis of a component have as operands besides each other.
enum Outer {
    None,
    One(Value),
    Several {
        /// The phis that have no such operand.
        inner: Vec<usize>,
    },
}

/// The phis with edges to their operands.
struct Graph<'a> {
    phis: &'a [Phi],
    first_id: usize,
    replacements: &'a mut [Option<Value>],
    state: Vec<State>,
    /// How many sets of phis were named so far.
    sets: usize,
}

#[derive(Clone, Copy)]
struct State {
    /// The set or component that a phi was last put into.
    set: usize,
    /// When it was visited, from 1; 0 if not yet.
    visit: usize,
    /// The earliest visit of a phi that it leads to.
    low: usize,
}

impl Graph<'_> {
    /// Strongly connected components of the graph of `set` alone, by Tarjan's algorithm; those of operands come first.
    fn components(&mut self, set: &[usize]) -> Vec<Vec<usize>> {
        let name = self.name_set(set);
        let mut components = Vec::new();
        let (mut visits, mut open, mut path) = (0, Vec::new(), Vec::new());
        for &root in set {
            if self.state[root].set == name {
                path.push((root, 0));
            }
            while let Some((phi, next)) = path.last_mut() {
                let phi = *phi;
                if self.state[phi].visit == 0 {
                    visits += 1;
                    (self.state[phi].visit, self.state[phi].low) = (visits, visits);
                    open.push(phi);
                }
                if *next < self.phis[phi].operands.len() {
                    let operand = self.operand(phi, *next);
                    *next += 1;
                    match self.member(operand, name) {
                        Some(operand) if self.state[operand].visit == 0 => path.push((operand, 0)),
                        // Its component is not complete yet, else it were no longer in this set.
                        Some(operand) => self.state[phi].low = self.state[phi].low.min(self.state[operand].visit),
                        None => {}
                    }
                    continue;
                }
                path.pop();
                let State { visit, low, .. } = self.state[phi];
                if let Some((parent, _)) = path.last() {
                    self.state[*parent].low = self.state[*parent].low.min(low);
                }
                if visit == low {
                    let start = open.iter().rposition(|&other| other == phi).unwrap_or(0);
                    let component = open.split_off(start);
                    self.name_set(&component);
                    components.push(component);
                }
            }
        }
        components
    }

    fn outer_operands(&mut self, component: &[usize]) -> Outer {
        let Some(&first) = component.first() else { return Outer::None };
        let name = self.state[first].set;
        let (mut only, mut several, mut inner) = (None, false, Vec::new());
        for &phi in component {
            let mut is_inner = true;
            for i in 0..self.phis[phi].operands.len() {
                let operand = self.operand(phi, i);
                if self.member(operand, name).is_none() {
                    is_inner = false;
                    several |= *only.get_or_insert(operand) != operand;
                }
            }
            if is_inner {
                inner.push(phi);
            }
        }
        match only {
            _ if several => Outer::Several { inner },
            Some(value) => Outer::One(value),
            None => Outer::None,
        }
    }

    /// Puts phis into a set of their own, as if never visited, and returns its name.
    fn name_set(&mut self, phis: &[usize]) -> usize {
        self.sets += 1;
        for &phi in phis {
            self.state[phi] = State { set: self.sets, visit: 0, low: 0 };
        }
        self.sets
    }

    fn operand(&mut self, phi: usize, index: usize) -> Value {
        resolve(self.replacements, self.phis[phi].operands[index].1)
    }

    /// The number of the phi that `value` is, if it is in the set of that name.
    fn member(&self, value: Value, set: usize) -> Option<usize> {
        let Value::Inst(id) = value else { return None };
        let phi = id.index().checked_sub(self.first_id)?;
        (self.state.get(phi)?.set == set).then_some(phi)
    }

    fn replace(&mut self, phi: usize, value: Value) {
        self.replacements[self.first_id + phi] = Some(value);
    }
}
