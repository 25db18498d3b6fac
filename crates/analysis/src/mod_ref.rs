//! What a call of a function may read and write, through all that it calls.
//!
//! Callees first; functions that call each other share one summary. Stack memory of a function is nobody else's
//! business once it returned, unless the function may be active several times at once and others have pointers to it.

use crate::calls::CallGraph;
use crate::effects::Effects;
use crate::id::LocationId;
use crate::locations::Overlaps;
use crate::points_to::{ObjectKind, PointsTo};
use fixedbitset::FixedBitSet;
use ir::id::{Arena, FuncId, Id, InstId};
use ir::module::Module;
use std::rc::Rc;

/// What a call may do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Locations that it may read.
    pub reads: FixedBitSet,
    /// Locations that it may write.
    pub writes: FixedBitSet,
    /// Locations that what it writes may overlap.
    pub touches: FixedBitSet,
    /// Whether it may run code that nobody knows.
    pub unknown: bool,
}

/// What the functions of a module may read and write.
#[derive(Clone, Debug)]
pub struct ModRef {
    /// What a call of each function may do.
    pub of: Arena<FuncId, Rc<Summary>>,
    /// What code outside may do by calling functions that it knows.
    pub outside: Rc<Summary>,
}

/// What the functions of a module may read and write.
pub fn mod_ref(
    module: &Module,
    points_to: &PointsTo,
    calls: &CallGraph,
    effects: &Effects,
    overlaps: &Overlaps,
) -> ModRef {
    let empty = Rc::new(Summary::default());
    let mut result = ModRef { of: module.functions.iter().map(|_| empty.clone()).collect(), outside: empty };
    for component in &calls.bottom_up {
        let mut summary = Summary::default();
        for &id in component {
            summary.add_own(effects, id);
            for site in calls.from[id].iter().map(|&site| &calls.sites[site]) {
                summary.unknown |= site.unknown;
                site.targets.iter().for_each(|&target| summary.add(&result.of[target]));
            }
        }
        if summary.unknown {
            // Each function that the outside knows is in this component, in front of it, or does not matter to it.
            calls.from_outside.iter().for_each(|&known| summary.add(&result.of[known]));
        }
        component.iter().for_each(|&id| summary.forget_stack_of(id, calls, points_to, effects));
        summary.touches = overlaps.of_all(summary.writes.ones().map(LocationId::from_index));
        let summary = Rc::new(summary);
        component.iter().for_each(|&id| result.of[id] = summary.clone());
    }
    let mut outside = Summary::default();
    calls.from_outside.iter().for_each(|&known| outside.add(&result.of[known]));
    result.outside = Rc::new(outside);
    result
}

impl ModRef {
    /// What a call may do inside of functions with a body.
    pub fn of_call(&self, calls: &CallGraph, caller: FuncId, inst: InstId) -> Summary {
        let mut summary = Summary::default();
        if let Some(site) = calls.site(caller, inst) {
            site.targets.iter().for_each(|&target| summary.add(&self.of[target]));
            if site.unknown {
                summary.add(&self.outside);
                summary.unknown = true;
            }
        }
        summary
    }
}

impl Summary {
    fn add(&mut self, other: &Summary) {
        self.reads.union_with(&other.reads);
        self.writes.union_with(&other.writes);
        self.touches.union_with(&other.touches);
        self.unknown |= other.unknown;
    }

    fn add_own(&mut self, effects: &Effects, id: FuncId) {
        let count = effects.locations.len();
        self.reads.grow(count);
        self.writes.grow(count);
        for (_, effect) in &effects.of[id] {
            effect.reads.iter().for_each(|location| self.reads.insert(location.index()));
            effect.writes.iter().for_each(|location| self.writes.insert(location.index()));
            self.unknown |= effect.unknown;
        }
    }

    fn forget_stack_of(&mut self, id: FuncId, calls: &CallGraph, points_to: &PointsTo, effects: &Effects) {
        for set in [&mut self.reads, &mut self.writes] {
            let own: Vec<usize> = set
                .ones()
                .filter(|&location| {
                    let object = &points_to.objects[effects.locations[LocationId::from_index(location)].object];
                    matches!(object.kind, ObjectKind::Stack(owner, _) if owner == id)
                        && (object.private || !calls.recursive[id])
                })
                .collect();
            own.into_iter().for_each(|location| set.set(location, false));
        }
    }
}
