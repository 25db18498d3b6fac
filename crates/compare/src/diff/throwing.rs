//! Calls that may throw: the path exploration lets every call of a function outside of the program, and every call through a
//! pointer that leads out of it, return.
//!
//! What it proves then rests on that, and says so. Where code of the program runs if such a call throws, a handler or a
//! destructor, or where a function that the pointer may lead to does throw, it is no proof at all. Proofs from any state follow
//! unwinding themselves.

use super::couple::{Couple, readable};
use super::verdict::functions_of;
use evidence::{Assumption, Gap};
use exec::code::Target;
use exec::same::is_of_rust;
use ir::attrs::AttrFlag;
use ir::id::{FuncId, Id, TypeId};
use ir::inst::{Callee, InstKind};
use ir::module::{Function, Module};

/// What calls that may throw mean for a proof.
pub struct Throwing {
    /// What the proof rests on.
    pub assumption: Option<Assumption>,
    /// Why it is none.
    pub gap: Option<Gap>,
}

/// Whether an assumption says that the runs of a proof called something outside of the program.
pub fn is_of_outside(assumption: &Assumption) -> bool {
    matches!(assumption, Assumption::OutsideIsolated { .. } | Assumption::OutsideAnswers { .. })
}

/// What they mean for a proof about two versions of a function that were followed.
pub fn of(couple: &Couple, entries: [FuncId; 2]) -> Throwing {
    let module = &couple.program.module;
    let calls = Calls::new(couple);
    let reached: Vec<FuncId> = functions_of(couple, entries).filter(|&id| module.functions[id].is_defined()).collect();
    if !reached.iter().any(|&id| calls.propagates[id.index()]) {
        return Throwing { assumption: None, gap: None };
    }
    // What a panic of Rust unwinds is left out by an assumption of its own.
    if entries.iter().all(|&entry| is_of_rust(module, entry)) {
        return Throwing { assumption: Some(Assumption::Panics), gap: None };
    }
    let may_throw = entries.iter().any(|entry| calls.throws_out[entry.index()]);
    let handling = module.functions.ids().find(|&id| {
        let is_reached = reached.contains(&id);
        handles(module, id, |call| match calls.target(call) {
            Called::Program(callee) => {
                is_reached && calls.throws_out[callee.index()]
                    || may_throw && entries.iter().any(|&entry| calls.reaches(callee, entry))
            }
            Called::Other => is_reached && calls.may_throw(call),
        })
    });
    let function = |id: FuncId| Gap::MayThrow { function: readable(module.function_name(id)) };
    let gap = handling.map(function).or_else(|| calls.thrower(&reached).map(function));
    Throwing { assumption: Some(Assumption::OutsideReturns), gap }
}

/// What a call leads to.
enum Called {
    /// A function that has code.
    Program(FuncId),
    /// One that has none, or whatever a pointer leads to.
    Other,
}

/// What is known of the calls of a program.
struct Calls<'c> {
    couple: &'c Couple,
    module: &'c Module,
    /// Functions with code that functions call by name.
    callees: Vec<Vec<FuncId>>,
    /// Whether a function makes a call that is followed as one that returns and may throw.
    propagates: Vec<bool>,
    /// The same, of what it calls, too, as far as nothing forbids that it gets out.
    throws_out: Vec<bool>,
    /// Whether a function, or what it calls, throws something itself.
    throws: Vec<bool>,
}

impl<'c> Calls<'c> {
    fn new(couple: &'c Couple) -> Calls<'c> {
        let module = &couple.program.module;
        let count = module.functions.len();
        let mut calls = Calls {
            couple,
            module,
            callees: vec![Vec::new(); count],
            propagates: vec![false; count],
            throws_out: vec![false; count],
            throws: vec![false; count],
        };
        for id in module.functions.ids() {
            let function = &module.functions[id];
            let mut callees = Vec::new();
            for (_, _, inst) in function.body() {
                if is_quiet(module, function, &inst.kind) {
                    continue;
                }
                match calls.target(&inst.kind) {
                    Called::Program(callee) => callees.push(callee),
                    Called::Other => {
                        calls.propagates[id.index()] |= calls.may_throw(&inst.kind);
                        calls.throws[id.index()] |= calls.never_returns(&inst.kind);
                    }
                }
            }
            calls.callees[id.index()] = callees;
        }
        calls.throws_out = calls.upwards(calls.propagates.clone());
        calls.throws = calls.upwards(calls.throws.clone());
        calls
    }

    /// Adds callers of functions for which something holds.
    fn upwards(&self, mut holds: Vec<bool>) -> Vec<bool> {
        loop {
            let more: Vec<usize> = (0..holds.len())
                .filter(|&id| !holds[id] && self.callees[id].iter().any(|callee| holds[callee.index()]))
                .collect();
            if more.is_empty() {
                return holds;
            }
            more.into_iter().for_each(|id| holds[id] = true);
        }
    }

    fn target(&self, kind: &InstKind) -> Called {
        match self.module.called_function(kind) {
            Some(id) if self.module.functions[id].is_defined() => Called::Program(id),
            _ => Called::Other,
        }
    }

    /// Whether a call that leads out of the program is followed as one that returns, and nothing says that it does not throw.
    fn may_throw(&self, kind: &InstKind) -> bool {
        match self.module.called_function(kind) {
            None => kind.call().is_some_and(|call| matches!(call.callee, Callee::Value(_))),
            Some(id) => matches!(self.couple.program.target(id), Target::Outside(_)),
        }
    }

    /// Whether a call leads out of the program and does not return: it throws, as far as it is known.
    fn never_returns(&self, kind: &InstKind) -> bool {
        let has = |attrs| self.module.attrs[attrs].has(AttrFlag::NoReturn);
        let callee = self.module.called_function(kind);
        kind.call().is_some_and(|call| has(call.attrs)) || callee.is_some_and(|id| has(self.module.functions[id].attrs))
    }

    /// Whether calls of a function get to another one.
    fn reaches(&self, from: FuncId, to: FuncId) -> bool {
        let (mut todo, mut seen) = (vec![from], vec![false; self.callees.len()]);
        while let Some(id) = todo.pop() {
            if id == to {
                return true;
            }
            if !std::mem::replace(&mut seen[id.index()], true) {
                todo.extend(&self.callees[id.index()]);
            }
        }
        false
    }

    /// A function that throws and that a pointer which some functions call may lead to.
    fn thrower(&self, functions: &[FuncId]) -> Option<FuncId> {
        let module = self.module;
        let pointers = functions.iter().flat_map(|&id| {
            let function = &module.functions[id];
            function.body().filter_map(move |(_, _, inst)| {
                let call = inst.kind.call().filter(|_| !is_quiet(module, function, &inst.kind))?;
                module.called_function(&inst.kind).is_none().then_some(call.function_ty)
            })
        });
        let types: Vec<TypeId> = pointers.collect();
        let fits = |id: &FuncId| module.functions[*id].is_defined() && types.contains(&module.functions[*id].ty);
        module.functions.ids().filter(fits).find(|id| self.throws[id.index()])
    }
}

/// Whether an instruction is no call, or one that does not throw, or what it throws ends the program.
fn is_quiet(module: &Module, function: &Function, kind: &InstKind) -> bool {
    let Some(call) = kind.call() else { return true };
    let has = |attrs| module.attrs[attrs].has(AttrFlag::NoUnwind);
    let callee = module.called_function(kind).map(|id| module.functions[id].attrs);
    has(call.attrs) || callee.is_some_and(has) || has(function.attrs) && !matches!(kind, InstKind::Invoke { .. })
}

/// Whether a function has code that runs if a call throws for which something holds; what only ends the program then is none.
fn handles(module: &Module, id: FuncId, holds: impl Fn(&InstKind) -> bool) -> bool {
    let function = &module.functions[id];
    function.body().any(|(_, _, inst)| match &inst.kind {
        InstKind::Invoke { unwind, .. } => {
            let ends = matches!(function.terminator(*unwind).map(|inst| &inst.kind), Some(InstKind::Unreachable));
            !ends && !is_quiet(module, function, &inst.kind) && holds(&inst.kind)
        }
        _ => false,
    })
}
