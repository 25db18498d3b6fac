//! What changed since an older version, as an aim for explorations.

use analysis::facts::Facts;
use analysis::influence::{Influence, Upward};
use analysis::points_to::Scope;
use change::impact::{Impact, Known, Versions, impact};
use exec::program::Program;
use explore::aim::Aim;
use explore::since::Change;
use explore::{dise, gaps, idise};
use ir::id::{BlockId, FuncId, InstId};
use ir::module::Module;
use std::collections::{BTreeMap, BTreeSet};

/// Which paths are explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// All.
    Full,
    /// Those that a change affects in the entry.
    Dise,
    /// Those that a change affects in the entry and what it calls.
    Idise,
}

impl Strategy {
    /// As users write it.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Full => "full",
            Strategy::Dise => "dise",
            Strategy::Idise => "idise",
        }
    }
}

/// What changed since an older version.
pub struct Since {
    /// What the change reaches.
    pub impact: Impact,
    /// Places in the new version where the old one did more.
    pub gaps: BTreeMap<FuncId, Vec<InstId>>,
    /// Phis that get another value from some blocks only, and these blocks, in the old and in the new version.
    pub edges: [Vec<(FuncId, InstId, BlockId)>; 2],
    /// What limits the comparison.
    pub notes: Vec<String>,
    /// Whom the functions of the new version call.
    calls: BTreeMap<FuncId, Vec<FuncId>>,
}

impl Since {
    /// Compares two versions whose stack variables are promoted.
    pub fn new(old: &Module, new: &Module) -> Since {
        let changes = change::compare(old, new);
        let (old_facts, new_facts) = (Facts::new(old, &Scope::Library), Facts::new(new, &Scope::Library));
        let versions = Versions { old: &old_facts, new: &new_facts, changes: &changes };
        let impact = impact(&versions, &mut Known::default(), Upward::Callers);
        let gaps = gaps::gaps(&versions, &impact);
        let mut calls: BTreeMap<FuncId, Vec<FuncId>> = BTreeMap::new();
        for site in &new_facts.calls.sites {
            calls.entry(site.caller).or_default().extend(&site.targets);
        }
        let mut edges = [Vec::new(), Vec::new()];
        for change in &changes.functions {
            let Some(diff) = &change.diff else { continue };
            let sides = [(change.old, &diff.old_edges), (change.new, &diff.new_edges)];
            for (all, (function, edges)) in edges.iter_mut().zip(sides) {
                all.extend(edges.iter().filter_map(|&(phi, from)| Some((function?, phi, from))));
            }
        }
        Since { impact, gaps, edges, notes: crate::impact::notes(&changes), calls }
    }

    /// An aim at what the change affects in the new version; nothing for a full exploration.
    pub fn aim(&self, strategy: Strategy) -> Option<Aim> {
        let influence: Influence = self.impact.new.influence.clone();
        match strategy {
            Strategy::Full => None,
            Strategy::Dise => Some(dise::aim(influence, self.gaps.clone())),
            Strategy::Idise => Some(idise::aim(influence, self.gaps.clone())),
        }
    }

    /// An aim at what the change affects in the old version.
    pub fn old_aim(&self) -> Aim {
        idise::aim(self.impact.old.influence.clone(), BTreeMap::new())
    }

    /// A function of the new version and all that it may call.
    pub fn reached_from(&self, entry: FuncId) -> BTreeSet<FuncId> {
        let mut found = BTreeSet::new();
        let mut stack = vec![entry];
        while let Some(function) = stack.pop() {
            if found.insert(function) {
                stack.extend(self.calls.get(&function).into_iter().flatten());
            }
        }
        found
    }
}

/// What changed since an older version whose stack variables are promoted, for searches by dependence.
pub fn change(old: &Module, new: &Program) -> Change {
    let since = Since::new(old, &new.module);
    let mut changed = crate::explain::changed_since(old, &new.module);
    changed.extend(since.edges[1].iter().map(|(function, phi, _)| (*function, *phi)));
    Change::new(new, changed, &since.impact.new.influence, &since.gaps)
}
