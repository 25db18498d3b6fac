//! A goal is pursued: runs from which nothing can be reached that is still to be covered are left.
//!
//! iDiSE, section IV, has configurations that stop once an impacted statement, block, branch or use is covered. What is
//! covered is known only path by path, so what one run may leave out depends on those before it: one worker, and the
//! same order each time.

use crate::aim::{Aim, Reach, positions_before};
use crate::contexts::{Calls, ContextId, Contexts, running};
use crate::goals::{Goal, Obligation, covered, obligations};
use exec::program::Program;
use exec::state::State;
use fixedbitset::FixedBitSet;
use ir::id::{FuncId, Id};
use ir::inst::InstKind;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// What to cover.
#[derive(Clone, Debug)]
pub struct Target {
    /// The kind of coverage.
    pub goal: Goal,
    /// The entry and all that it may call.
    pub functions: BTreeSet<FuncId>,
}

/// A goal and how far it is reached.
pub(crate) struct Pursuit {
    goal: Goal,
    covered: BTreeSet<Obligation>,
    /// What the code shows that is not covered.
    open: BTreeMap<FuncId, BTreeSet<Obligation>>,
    /// Positions of the code behind which, or at which, something open can be reached.
    ahead: FxHashMap<ContextId, Ahead>,
}

struct Ahead {
    insts: FixedBitSet,
    after: FixedBitSet,
}

impl Pursuit {
    /// A goal of which nothing is reached.
    pub fn new(aim: &Aim, program: &Program, entry: FuncId, target: &Target) -> Pursuit {
        let looked = |function: &&FuncId| aim.reach == Reach::Calls || **function == entry;
        let functions = target.functions.iter().filter(looked);
        let open =
            functions.map(|&function| (function, obligations(aim, program, &BTreeSet::from([function]), target.goal)));
        Pursuit {
            goal: target.goal,
            covered: BTreeSet::new(),
            open: open.filter(|(_, open)| !open.is_empty()).collect(),
            ahead: FxHashMap::default(),
        }
    }

    /// Whether something that is not covered can still be reached. Paths are not told from the code, so they always can.
    pub fn is_ahead(&mut self, contexts: &Contexts, program: &Program, calls: &Calls, state: &State) -> bool {
        if self.goal == Goal::Path {
            return true;
        }
        let top = state.frames.len().wrapping_sub(1);
        state.frames.iter().zip(calls).enumerate().any(|(index, (frame, &id))| {
            if !self.ahead.contains_key(&id) {
                let ahead = self.find_ahead(contexts, program, frame.code.function, id);
                self.ahead.insert(id, ahead);
            }
            let Some(Ahead { insts, after }) = self.ahead.get(&id) else { return true };
            // Where only the entry is looked at, a call that is running belongs to it.
            let counts = index == top || calls.len() < state.frames.len();
            after.contains(frame.at as usize)
                || counts && running(frame).is_some_and(|inst| insts.contains(inst.index()))
        })
    }

    /// What a run covers.
    pub fn covered_by(&self, aim: &Aim, program: &Program, state: &State) -> BTreeSet<Obligation> {
        covered(aim, program, state, self.goal)
    }

    /// What a run covers, if it is more than what is covered.
    pub fn news(&self, aim: &Aim, program: &Program, state: &State) -> Option<BTreeSet<Obligation>> {
        let covers = self.covered_by(aim, program, state);
        (!covers.is_subset(&self.covered)).then_some(covers)
    }

    /// Counts what a run covers as covered.
    pub fn count(&mut self, covers: BTreeSet<Obligation>) {
        for obligation in &covers {
            let Some(function) = obligation.function() else { continue };
            if let Some(open) = self.open.get_mut(&function)
                && open.remove(obligation)
            {
                self.ahead.clear();
            }
        }
        self.open.retain(|_, open| !open.is_empty());
        self.covered.extend(covers);
    }

    fn find_ahead(&self, contexts: &Contexts, program: &Program, function: FuncId, id: ContextId) -> Ahead {
        let affected = &contexts.plan(id).affected;
        let mut insts = FixedBitSet::with_capacity(affected.len());
        let open = self.open.get(&function).into_iter().flatten();
        let places = open.filter_map(|obligation| obligation.place(program));
        insts.extend(places.map(|(_, inst)| inst.index()));
        // A call may lead to whatever is open elsewhere, or here again.
        if !self.open.is_empty() {
            let body = program.module.functions[function].body();
            let calls = body.filter(|(_, inst, data)| affected.contains(inst.index()) && is_call(&data.kind));
            insts.extend(calls.map(|(_, inst, _)| inst.index()));
        }
        let after = positions_before(program, function, &insts);
        Ahead { insts, after }
    }
}

fn is_call(kind: &InstKind) -> bool {
    matches!(kind, InstKind::Call(_) | InstKind::Invoke { .. })
}
