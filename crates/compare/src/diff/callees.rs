//! Callees that changed and do the same nevertheless.
//!
//! A function that makes nothing but a number of numbers, and that is proved to do the same for all inputs, is one and the
//! same function to its callers, as are those that did not change ([`super::shared`]): the versions are compared from the
//! leaves of the call graph upwards (regression verification, Godlin and Strichman 2009). Only proofs in lockstep count;
//! they are quick, and without a bound.

use super::Options;
use super::couple::Couple;
use change::Changes;
use explore::lockstep::prove;
use ir::id::FuncId;
use ir::module::Module;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How long one proof may take, and all of them as a part of the time for a function.
const ONE: Duration = Duration::from_secs(1);
const ALL: u32 = 2;

/// Lets both versions share what changed and is proved to do the same, as far as others call it.
pub fn share_proved(couple: &mut Couple, old: &Module, new: &Module, changes: &Changes, options: &Options) {
    let until = Instant::now() + options.time / ALL;
    let mut open: BTreeMap<FuncId, FuncId> = BTreeMap::new();
    for function in changes.functions.iter().filter(|function| !function.same) {
        let (Some(old_id), Some(new_id)) = (function.old, function.new) else { continue };
        if let Some((first, second)) = couple.old_function(old, old_id).zip(couple.new_function(new, new_id))
            && [first, second].iter().all(|id| couple.sorted.pure.contains(id))
            && alike(couple, first, second)
        {
            open.insert(second, first);
        }
    }
    if open.is_empty() {
        return;
    }
    let called = called(couple);
    open.retain(|new, old| called.get(new).is_some_and(|by| by.iter().any(|id| id != new && id != old)));
    // Leaves first: what calls others that are open waits for these.
    loop {
        let waits = |id: FuncId, own: [FuncId; 2]| {
            let is_open = |callee: &FuncId| open.contains_key(callee) || open.values().any(|old| old == callee);
            callees(couple, id).iter().any(|callee| !own.contains(callee) && is_open(callee))
        };
        let ready = |(new, old): &(&FuncId, &FuncId)| ![**new, **old].iter().any(|&id| waits(id, [**new, **old]));
        let Some((new, old)) = open.iter().find(ready).map(|(new, old)| (*new, *old)) else { return };
        open.remove(&new);
        let deadline = Some(until.min(Instant::now() + ONE.min(options.time / 10)));
        let exploring = explore::options::Options { deadline, ..options.explore.clone() };
        let bounds = &options.program.inputs;
        let proof = prove(&couple.program, [old, new], true, &exploring, bounds, || (options.chain)());
        if proof.is_some_and(|proof| proof.scope.is_empty()) {
            couple.proved.extend([old, new]);
            for id in [old, new] {
                couple.program.shared.insert(id, new);
                couple.sorted.shared.insert(id, new);
            }
        }
        if Instant::now() >= until {
            return;
        }
    }
}

/// Whether two functions are given the same and return the same.
fn alike(couple: &Couple, first: FuncId, second: FuncId) -> bool {
    let module = &couple.program.module;
    let shapes = |id: FuncId| {
        module.types.signature(module.functions[id].ty).map(|(result, params, _)| {
            let params: Vec<_> = params.iter().map(|&param| couple.program.shape(param)).collect();
            (couple.program.shape(result), params)
        })
    };
    shapes(first) == shapes(second)
}

/// Functions with a body that a function calls.
fn callees(couple: &Couple, id: FuncId) -> Vec<FuncId> {
    let module = &couple.program.module;
    let called = module.functions[id].body().filter_map(|(_, _, inst)| module.called_function(&inst.kind));
    called.filter(|&callee| module.functions[callee].is_defined()).collect()
}

/// For each function those that call it.
fn called(couple: &Couple) -> BTreeMap<FuncId, Vec<FuncId>> {
    let mut called: BTreeMap<FuncId, Vec<FuncId>> = BTreeMap::new();
    for id in couple.program.module.functions.ids() {
        for callee in callees(couple, id) {
            called.entry(callee).or_default().push(id);
        }
    }
    called
}
