//! Carries what was found in one version over to the other: DiSE, Fig. 5, `updateSets`.

use super::Versions;
use crate::changes::FunctionChange;
use crate::diff::FunctionDiff;
use analysis::facts::Facts;
use analysis::influence::{Cause, Influence, Influenced, Marks, Start};
use fixedbitset::FixedBitSet;
use ir::id::{FuncId, Id, InstId};
use rustc_hash::FxHashMap;

/// From which version to which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    ToNew,
    ToOld,
}

/// What corresponds in the other version to what an influence has, in an order of its own.
pub(super) fn carry(versions: &Versions, from: &Influence, direction: Direction) -> Start {
    let over = Over::new(versions, direction);
    let mut start = Start::default();
    for (&(function, cause), set) in &from.sets {
        let Some(partner) = over.functions.get(&function) else { continue };
        let Some(cause) = over.cause(function, cause) else { continue };
        let insts = |bits: &FixedBitSet| -> Vec<(FuncId, Cause, InstId)> {
            let partners = bits.ones().filter_map(|inst| partner.inst(direction, InstId::from_index(inst)));
            partners.map(|inst| (partner.id, cause, inst)).collect()
        };
        start.insts.extend(insts(&set.insts));
        start.runs.extend(insts(&set.runs));
        start.ends.extend(insts(&set.ends));
        for (&call, marks) in &set.marks {
            let Some(there) = partner.inst(direction, call) else { continue };
            let carried = over.marks(function, call, marks);
            if !carried.is_empty() {
                start.marks.push((partner.id, cause, there, carried));
            }
        }
    }
    start.insts.sort_unstable();
    start.runs.sort_unstable();
    start.ends.sort_unstable();
    start.marks.sort_unstable();
    start
}

/// Whether an influence has all of what was carried over from the other version.
pub(super) fn has_all(influence: &Influence, carried: &Start) -> bool {
    let has = |list: &[(FuncId, Cause, InstId)], part: fn(&Influenced) -> &FixedBitSet| {
        list.iter().all(|&(function, cause, inst)| {
            influence.of(function, cause).is_some_and(|set| part(set).contains(inst.index()))
        })
    };
    let has_insts = has(&carried.insts, |set| &set.insts)
        && has(&carried.runs, |set| &set.runs)
        && has(&carried.ends, |set| &set.ends);
    has_insts
        && carried.marks.iter().all(|(function, cause, call, marks)| {
            let known = influence.of(*function, *cause).and_then(|set| set.marks.get(call));
            known.is_some_and(|known| marks.params.iter().all(|index| known.params.contains(index)))
        })
}

struct Over<'v> {
    facts: &'v Facts<'v>,
    direction: Direction,
    functions: FxHashMap<FuncId, Partner<'v>>,
}

/// A function's partner in the other version.
struct Partner<'v> {
    id: FuncId,
    diff: &'v FunctionDiff,
}

impl Partner<'_> {
    fn inst(&self, direction: Direction, inst: InstId) -> Option<InstId> {
        let fates = match direction {
            Direction::ToNew => &self.diff.old,
            Direction::ToOld => &self.diff.new,
        };
        fates.get(inst.index()).and_then(|fate| fate.partner)
    }

    fn param(&self, direction: Direction, index: u32) -> Option<u32> {
        match direction {
            Direction::ToNew => {
                let place = self.diff.params.iter().position(|old| *old == Some(index))?;
                u32::try_from(place).ok()
            }
            Direction::ToOld => self.diff.params.get(index as usize).copied().flatten(),
        }
    }
}

impl<'v> Over<'v> {
    fn new(versions: &'v Versions, direction: Direction) -> Over<'v> {
        let pair = |change: &'v FunctionChange| {
            let (old, new, diff) = (change.old?, change.new?, change.diff.as_ref()?);
            Some(match direction {
                Direction::ToNew => (old, Partner { id: new, diff }),
                Direction::ToOld => (new, Partner { id: old, diff }),
            })
        };
        let facts = match direction {
            Direction::ToNew => versions.old,
            Direction::ToOld => versions.new,
        };
        Over { facts, direction, functions: versions.changes.functions.iter().filter_map(pair).collect() }
    }

    fn cause(&self, function: FuncId, cause: Cause) -> Option<Cause> {
        match cause {
            Cause::Param(index) => self.functions.get(&function)?.param(self.direction, index).map(Cause::Param),
            other => Some(other),
        }
    }

    fn marks(&self, function: FuncId, call: InstId, marks: &Marks) -> Marks {
        // What memory and unknown calls bring follows from instructions that are carried over themselves.
        let mut carried = Marks::default();
        let targets = self.facts.calls.site(function, call).map_or(&[][..], |site| &site.targets);
        for &target in targets {
            for &index in &marks.params {
                self.cause(target, Cause::Param(index)).into_iter().for_each(|cause| carried.add(cause));
            }
        }
        carried
    }
}
