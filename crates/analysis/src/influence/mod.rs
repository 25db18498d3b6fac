//! What depends on some instructions, told apart by what a call is given.
//!
//! S. Person, G. Yang, N. Rungta, S. Khurshid and others, "Directed incremental symbolic execution" and its successor
//! for several procedures, keep for each method one impact set and one more for each formal parameter, and annotate call
//! edges with the arguments that carry impact. The same here, as a tabulation in the sense of T. Reps, S. Horwitz,
//! M. Sagiv: "Precise interprocedural dataflow analysis via graph reachability", POPL 1995: a *cause* is what a call of
//! a function is given, and each function has one set for each cause that occurs.
//!
//! Differences from the papers: memory and whether a call happens at all are causes too; results, memory, and whether a
//! call comes back lead from a callee to those calls only that brought the cause; what depends on code outside of the
//! module is followed as well. All memory that a call finds is one cause, with all locations that any call brings.

mod spread;

use crate::cfg::Way;
use crate::facts::{Facts, KnownFunctions};
use crate::memory::Source;
use fixedbitset::FixedBitSet;
use ir::id::{FuncId, Id, InstId};
use ir::inst::Value;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What a call of a function is given that makes instructions of the function depend on the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// Nothing: they depend on it whoever calls.
    Own,
    /// Memory that depends on it.
    Memory,
    /// Whether the call happens depends on it.
    Called,
    /// The argument for that parameter depends on it.
    Param(u32),
}

/// The causes that a call brings; [`Cause::Own`] counts for every call.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Marks {
    /// Memory.
    pub memory: bool,
    /// Whether it happens.
    pub called: bool,
    /// Parameters, ascending.
    pub params: Vec<u32>,
}

impl Marks {
    /// All causes that count in such a call, [`Cause::Own`] first.
    pub fn causes(&self) -> impl Iterator<Item = Cause> + '_ {
        let memory = self.memory.then_some(Cause::Memory);
        let called = self.called.then_some(Cause::Called);
        [Cause::Own].into_iter().chain(memory).chain(called).chain(self.params.iter().map(|&index| Cause::Param(index)))
    }

    /// Whether the call brings nothing.
    pub fn is_empty(&self) -> bool {
        !self.memory && !self.called && self.params.is_empty()
    }

    /// Adds a cause.
    pub fn add(&mut self, cause: Cause) {
        match cause {
            Cause::Own => {}
            Cause::Memory => self.memory = true,
            Cause::Called => self.called = true,
            Cause::Param(index) => {
                if let Err(place) = self.params.binary_search(&index) {
                    self.params.insert(place, index);
                }
            }
        }
    }

    /// Adds all causes of another call.
    pub fn join(&mut self, other: &Marks) {
        other.causes().for_each(|cause| self.add(cause));
    }
}

/// Why an instruction depends on the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Why {
    /// It is part of it.
    Start,
    /// It depends on it in the other version of the program.
    Other,
    /// It uses a value.
    Value(Value),
    /// It reads memory that comes from there.
    Memory(Source),
    /// Whether it runs is decided there.
    Branch(InstId, Way),
    /// Its value depends on the way that is decided there.
    Join(InstId),
    /// It is a call, and what comes back from that function depends on the start.
    Returned(FuncId),
    /// Whether its function is called depends on the start.
    Called,
    /// It is a call of code outside, or what that calls.
    Outside,
}

/// What depends on the start in a function, for one cause.
#[derive(Clone, Debug, Default)]
pub struct Influenced {
    /// Instructions that may compute, do or decide something else, or run or not, by number.
    pub insts: FixedBitSet,
    /// Those among them that are calls which may run or not, or call somebody else.
    pub runs: FixedBitSet,
    /// Calls that may come back or not.
    pub ends: FixedBitSet,
    /// Calls inside of which something depends on the start.
    pub calls: FixedBitSet,
    /// What calls of this function bring to what they call.
    pub marks: BTreeMap<InstId, Marks>,
    /// Why instructions depend on the start, the first reason that was found.
    pub why: FxHashMap<InstId, Why>,
    /// Locations that depend on it when the function is called, as far as the function reads them.
    pub entry: FixedBitSet,
    /// Locations that depend on it when the function is left, as far as the function writes them.
    pub exit: FixedBitSet,
    /// Whether what the function returns depends on it.
    pub returned: bool,
    /// Whether the function may be left other than by returning, depending on it.
    pub left: bool,
}

impl Influenced {
    /// Whether nothing of the function depends on the start.
    pub fn is_empty(&self) -> bool {
        self.insts.is_clear() && self.calls.is_clear()
    }

    /// Whether an instruction depends on the start, or something that it calls does.
    pub fn has(&self, inst: InstId) -> bool {
        self.insts.contains(inst.index()) || self.calls.contains(inst.index())
    }
}

/// All that depends on the start.
#[derive(Clone, Debug, Default)]
pub struct Influence {
    /// For each function and cause that occurs what depends on the start.
    pub sets: BTreeMap<(FuncId, Cause), Influenced>,
    /// Whether what code outside does depends on it.
    pub outside: bool,
    /// Memory that depends on it when code outside runs.
    pub outside_memory: FixedBitSet,
}

impl Influence {
    /// The set of a function for one cause.
    pub fn of(&self, function: FuncId, cause: Cause) -> Option<&Influenced> {
        self.sets.get(&(function, cause))
    }

    /// The sets that count in a call with these marks.
    pub fn in_call<'a>(&'a self, function: FuncId, marks: &'a Marks) -> impl Iterator<Item = &'a Influenced> {
        marks.causes().filter_map(move |cause| self.of(function, cause))
    }

    /// Whether an instruction depends on the start in a call with these marks, or something that it calls does.
    pub fn has(&self, function: FuncId, marks: &Marks, inst: InstId) -> bool {
        self.in_call(function, marks).any(|set| set.has(inst))
    }

    /// What a call brings to whom it calls, made in a call with these marks.
    pub fn marks(&self, function: FuncId, marks: &Marks, call: InstId) -> Marks {
        let mut brought = Marks::default();
        self.in_call(function, marks).filter_map(|set| set.marks.get(&call)).for_each(|marks| brought.join(marks));
        brought
    }

    /// All sets of a function.
    pub fn of_function(&self, function: FuncId) -> impl Iterator<Item = (Cause, &Influenced)> {
        let range = (function, Cause::Own)..=(function, Cause::Param(u32::MAX));
        self.sets.range(range).map(|((_, cause), set)| (*cause, set))
    }

    /// Whether an instruction depends on the start in any call.
    pub fn has_anywhere(&self, function: FuncId, inst: InstId) -> bool {
        self.of_function(function).any(|(_, set)| set.has(inst))
    }
}

/// Where to begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Start {
    /// Instructions that do something else; of calls the result and what happens outside of the module.
    pub insts: Vec<(FuncId, Cause, InstId)>,
    /// Calls that may happen or not, or call somebody else.
    pub runs: Vec<(FuncId, Cause, InstId)>,
    /// Calls that may come back or not.
    pub ends: Vec<(FuncId, Cause, InstId)>,
    /// Causes that calls bring.
    pub marks: Vec<(FuncId, Cause, InstId, Marks)>,
    /// Parameters that have other values, whoever calls.
    pub params: Vec<(FuncId, u32)>,
}

impl Start {
    /// Begins with an instruction, of a call with all that it does.
    pub fn add(&mut self, facts: &Facts, function: FuncId, cause: Cause, inst: InstId) {
        match facts.calls.site(function, inst) {
            Some(_) => self.runs.push((function, cause, inst)),
            None => self.insts.push((function, cause, inst)),
        }
    }
}

/// Who is told when something in a function depends on the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upward {
    /// All callers.
    Callers,
    /// Nobody: the functions of the start are looked at for themselves, with what they call.
    Nobody,
}

/// Everything that depends on the start, or on what is known to depend on it from the other version of the program.
pub fn influence(
    facts: &Facts,
    functions: &mut KnownFunctions,
    start: &Start,
    other: &Start,
    upward: Upward,
) -> Influence {
    let mut spread = spread::Spread::new(facts, functions, upward);
    spread.begin(start, Why::Start);
    // What this version knows itself tells more than what the other one does.
    spread.run();
    spread.begin(other, Why::Other);
    spread.run();
    spread.finish()
}
