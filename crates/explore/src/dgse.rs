//! Dependence guided symbolic execution: paths that show no new symbolic value anywhere are left out.
//!
//! H. Wang, T. Liu, X. Guan, C. Shen, Q. Zheng, Z. Yang: "Dependence Guided Symbolic Execution", TSE 2017, Algorithm 2.
//! Two paths on which something that is executed has the same relevant path slice give it the same symbolic value. So
//! it is enough to have, for everything that is executed, each of its slices on some path.
//!
//! *Deviations.* The paper finds out beforehand which branches can ever meet in one statement (interactive dependence,
//! Algorithm 3, by pair reaching definitions over all of the program) and puts those into each other's slices, so that
//! one search over slices of branches covers the slices of statements. Here the statements themselves are what is
//! searched for: every event of a run has its slice, two branches that meet in an event are in that slice together, and
//! the slice is explored on its own ([`crate::guided`]). What meets only on paths that were not run yet is found when
//! they are run. So nothing is approximated but aliasing, procedures need no special care, and branches that only might
//! have met somewhere else are not combined: the paper's counts are kept where it has none to spare, and fewer paths
//! come out elsewhere. Without this (`interactive` off) only the slices of branches are searched for, and faults are
//! lost: the paper's Table 4.
//!
//! With a change, only what the change reaches is searched for (section 8), see [`crate::since`].

use crate::concolic::Run;
use crate::dependence::Trace;
use crate::sets::{SetId, Sets};
use crate::since::{Change, depending};
use exec::program::Program;
use exec::record::EventKind;
use ir::id::{FuncId, InstId};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is searched for.
#[derive(Clone, Debug, Default)]
pub struct Dgse {
    /// Only the slices of branches; this loses faults.
    pub branches_only: bool,
    /// Only what this change reaches.
    pub since: Option<Change>,
}

/// A slice that is to be covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The slice.
    pub slice: SetId,
    /// The last turn before what has this slice at which the run could have ended: who does not get there does not compute
    /// it.
    pub behind: Option<u32>,
    /// The first event that has this slice and is behind that turn.
    pub from: u32,
    /// The last one.
    pub until: u32,
}

/// The slices of a run that are to be covered, each once behind each turn at which the run could have ended, and under each
/// decision.
pub fn criteria(program: &Program, dgse: &Dgse, run: &Run, trace: &Trace) -> Vec<Wanted> {
    let affected = dgse.since.as_ref().map(|change| change.wanted(program, run, trace));
    let mut positions: FxHashMap<(SetId, SetId, Option<u32>), usize> = FxHashMap::default();
    let mut found: Vec<Wanted> = Vec::new();
    let mut behind = None;
    let mut turns = (0u32..).zip(&trace.turns).filter(|(_, turn)| turn.near_end).peekable();
    for (event, &slice) in trace.slices.iter().enumerate() {
        let kind = run.log.events[event].kind;
        let is_decision = kind == EventKind::Decision;
        // What is only handed on was computed before.
        let wanted = kind != EventKind::Pass
            && affected.as_ref().is_none_or(|affected| affected[event])
            && (is_decision || !dgse.branches_only);
        if wanted && slice != Sets::EMPTY {
            let under = trace.under(event as u32);
            let at = *positions.entry((slice, under, behind)).or_insert_with(|| {
                found.push(Wanted { slice, behind, from: event as u32, until: 0 });
                found.len() - 1
            });
            found[at].until = event as u32;
        }
        if let Some((turn, _)) = turns.next_if(|(_, turn)| turn.event == event as u32) {
            behind = Some(turn);
        }
    }
    found
}

/// Which events changed instructions reach.
pub fn affected(program: &Program, changed: &FxHashSet<(FuncId, InstId)>, run: &Run, trace: &Trace) -> Vec<bool> {
    let is_changed = |event: usize| {
        let happened = &run.log.events[event];
        let code = program.code(happened.function);
        matches!(happened.kind, EventKind::Step | EventKind::Decision)
            && code.insts.get(happened.at as usize).is_some_and(|inst| changed.contains(&(happened.function, inst.id)))
    };
    depending(run.log.events.len(), trace, is_changed)
}
