//! How calls and functions may end: by returning, by ending the program, by unwinding.
//!
//! Least fixed point over the call graph: a function returns only if some way through it, over calls that return, leads
//! to a `ret`. An unknown function is taken to return, as the engine takes it to. Faults are no ends: a fault in code
//! that both versions share is the same in both.

use crate::calls::{CallGraph, CallSite};
use crate::externals::External;
use fixedbitset::FixedBitSet;
use ir::attrs::AttrFlag;
use ir::id::{Arena, BlockId, FuncId, Id, InstId};
use ir::inst::InstKind;
use ir::module::{Function, Module};

/// How a call may end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallEnd {
    /// It comes back.
    pub returns: bool,
    /// The program, or the thread, ends inside.
    pub exits: bool,
    /// An exception passes through.
    pub unwinds: bool,
}

impl CallEnd {
    /// Whether control may not come back to where it was called.
    pub fn may_not_return(self) -> bool {
        !self.returns || self.exits || self.unwinds
    }

    fn join(self, other: CallEnd) -> CallEnd {
        CallEnd {
            returns: self.returns | other.returns,
            exits: self.exits | other.exits,
            unwinds: self.unwinds | other.unwinds,
        }
    }
}

/// How the functions of a module may end.
#[derive(Clone, Debug)]
pub struct Ends {
    /// How a call of each function may end.
    pub of: Arena<FuncId, CallEnd>,
}

/// How the functions of a module may end.
pub fn ends(module: &Module, externals: &Arena<FuncId, Option<External>>, calls: &CallGraph) -> Ends {
    let mut ends = Ends { of: module.functions.iter().map(|_| CallEnd::default()).collect() };
    for id in module.functions.ids().filter(|&id| !module.functions[id].is_defined()) {
        ends.of[id] = end_of_external(module, id, externals[id].as_ref());
    }
    // Callees first, each component until nothing changes.
    for component in &calls.bottom_up {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &id in component.iter().filter(|&&id| module.functions[id].is_defined()) {
                let end = ends.of_body(module, calls, id);
                changed |= end != ends.of[id];
                ends.of[id] = end;
            }
        }
    }
    ends
}

impl Ends {
    /// How a call or invoke may end.
    pub fn of_call(&self, module: &Module, calls: &CallGraph, caller: FuncId, inst: InstId) -> CallEnd {
        let function = &module.functions[caller];
        let Some(call) = function.insts[inst].kind.call() else {
            return CallEnd { returns: true, ..CallEnd::default() };
        };
        let mut end = CallEnd::default();
        if let Some(site) = calls.site(caller, inst) {
            end = self.of_site(site);
        }
        let has = |flag| module.attrs[call.attrs].has(flag);
        if has(AttrFlag::NoReturn) {
            end.returns = false;
            end.exits = true;
        }
        if has(AttrFlag::NoUnwind) || module.attrs[function.attrs].has(AttrFlag::NoUnwind) && !is_invoke(function, inst)
        {
            end.unwinds = false;
        }
        end
    }

    fn of_site(&self, site: &CallSite) -> CallEnd {
        let known = site.targets.iter().map(|&target| self.of[target]);
        // Whom nobody knows may return or throw; what it may call of ours ends as that does.
        let unknown = site.unknown.then_some(CallEnd { returns: true, exits: false, unwinds: true });
        known.chain(unknown).fold(CallEnd::default(), CallEnd::join)
    }

    fn of_body(&self, module: &Module, calls: &CallGraph, id: FuncId) -> CallEnd {
        let function = &module.functions[id];
        let mut end = CallEnd::default();
        let mut seen = FixedBitSet::with_capacity(function.blocks.len());
        let mut stack: Vec<BlockId> = vec![Id::from_index(0)];
        while let Some(block) = stack.pop() {
            if seen.put(block.index()) {
                continue;
            }
            for &inst in &function.blocks[block].insts {
                let kind = &function.insts[inst].kind;
                match kind {
                    InstKind::Ret(_) => end.returns = true,
                    InstKind::Resume(_) => end.unwinds = true,
                    InstKind::Call(_) => {
                        let call = self.of_call(module, calls, id, inst);
                        end.exits |= call.exits;
                        end.unwinds |= call.unwinds;
                        if !call.returns {
                            break;
                        }
                    }
                    InstKind::Invoke { normal, unwind, .. } => {
                        let call = self.of_call(module, calls, id, inst);
                        end.exits |= call.exits;
                        stack.extend(call.returns.then_some(*normal));
                        stack.extend(call.unwinds.then_some(*unwind));
                    }
                    _ => kind.for_each_successor(|next| stack.push(next)),
                }
            }
        }
        let attrs = &module.attrs[function.attrs];
        end.returns &= !attrs.has(AttrFlag::NoReturn);
        end.unwinds &= !attrs.has(AttrFlag::NoUnwind);
        end
    }
}

fn is_invoke(function: &Function, inst: InstId) -> bool {
    matches!(function.insts[inst].kind, InstKind::Invoke { .. })
}

fn end_of_external(module: &Module, id: FuncId, known: Option<&External>) -> CallEnd {
    let function = &module.functions[id];
    let attrs = &module.attrs[function.attrs];
    let never = attrs.has(AttrFlag::NoReturn) || known.is_some_and(|known| known.exits);
    let quiet = attrs.has(AttrFlag::NoUnwind) || known.is_some_and(|known| !known.throws);
    CallEnd { returns: !never, exits: never, unwinds: !quiet }
}
