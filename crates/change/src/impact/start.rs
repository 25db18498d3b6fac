//! From what changed to where its influence begins.

use super::Versions;
use crate::changes::{FunctionChange, Kind};
use crate::diff::Status;
use analysis::facts::Facts;
use analysis::influence::{Cause, Marks, Start};
use analysis::points_to::{OUTSIDE, ObjectKind};
use ir::id::{FuncId, GlobalId, InstId};
use ir::inst::{InstKind, Value};
use std::collections::BTreeSet;

/// Where influence begins in the old version: what was removed or changed.
pub(super) fn of_old(versions: &Versions) -> Start {
    let ids = |change: &FunctionChange| change.old;
    let status = |change: &FunctionChange, inst| change.diff.as_ref().map(|diff| diff.of_old(inst).status);
    let arguments = |change: &FunctionChange| {
        let diff = change.diff.iter();
        let calls = diff.flat_map(|diff| {
            diff.arguments.iter().filter_map(|(call, args)| Some((diff.of_new(*call).partner?, args.clone())))
        });
        calls.collect()
    };
    let changed = versions.changes.globals.iter().filter(|global| global.kind != Kind::Unchanged);
    let globals = changed.filter_map(|global| global.old).collect();
    Side { versions, facts: versions.old, ids: &ids, status: &status, arguments: &arguments, globals }.start()
}

/// Where influence begins in the new version: what was added or changed.
pub(super) fn of_new(versions: &Versions) -> Start {
    let ids = |change: &FunctionChange| change.new;
    let status = |change: &FunctionChange, inst| change.diff.as_ref().map(|diff| diff.of_new(inst).status);
    let arguments = |change: &FunctionChange| change.diff.iter().flat_map(|diff| diff.arguments.clone()).collect();
    let changed = versions.changes.globals.iter().filter(|global| global.kind != Kind::Unchanged);
    let globals = changed.filter_map(|global| global.new).collect();
    Side { versions, facts: versions.new, ids: &ids, status: &status, arguments: &arguments, globals }.start()
}

/// Keeps what begins in one function only.
pub(super) fn keep(start: &mut Start, function: Option<FuncId>) {
    start.insts.retain(|entry| Some(entry.0) == function);
    start.runs.retain(|entry| Some(entry.0) == function);
    start.ends.retain(|entry| Some(entry.0) == function);
    start.marks.retain(|entry| Some(entry.0) == function);
    start.params.retain(|entry| Some(entry.0) == function);
}

/// Calls, and which of their arguments differ.
type Arguments = Vec<(InstId, Vec<u32>)>;

/// One of the versions.
struct Side<'v, 'm> {
    versions: &'v Versions<'v, 'm>,
    facts: &'v Facts<'m>,
    ids: &'v dyn Fn(&FunctionChange) -> Option<FuncId>,
    status: &'v dyn Fn(&FunctionChange, InstId) -> Option<Status>,
    /// Calls that differ in these arguments only.
    arguments: &'v dyn Fn(&FunctionChange) -> Arguments,
    /// Variables that are not the same.
    globals: BTreeSet<GlobalId>,
}

impl Side<'_, '_> {
    fn start(&self) -> Start {
        let mut start = Start::default();
        for change in &self.versions.changes.functions {
            let Some(id) = (self.ids)(change) else { continue };
            self.instructions(change, id, &mut start);
            let appears = change.kind == Kind::Added || change.kind == Kind::Removed;
            if appears || change.signature_changed {
                self.seen_from_outside(change, id, &mut start);
            }
        }
        self.readers_of_globals(&mut start);
        for list in [&mut start.insts, &mut start.runs] {
            list.sort_unstable();
            list.dedup();
        }
        start
    }

    fn instructions(&self, change: &FunctionChange, id: FuncId, start: &mut Start) {
        let function = &self.facts.module.functions[id];
        let is_whole = change.kind == Kind::Added || change.kind == Kind::Removed;
        if change.kind == Kind::Unchanged || !function.is_defined() {
            return;
        }
        let arguments = (self.arguments)(change);
        for (_, inst, _) in function.body() {
            let is_changed = (self.status)(change, inst).is_some_and(|status| status != Status::Unchanged);
            if !is_whole && !is_changed {
                continue;
            }
            match arguments.iter().find(|(call, _)| *call == inst) {
                Some((_, params)) => self.arguments_of(id, inst, params, start),
                None => start.add(self.facts, id, Cause::Own, inst),
            }
        }
    }

    /// A call is given other arguments.
    fn arguments_of(&self, id: FuncId, call: InstId, params: &[u32], start: &mut Start) {
        let Some(site) = self.facts.calls.site(id, call) else { return };
        let is_defined = |target: &FuncId| self.facts.module.functions[*target].is_defined();
        if site.unknown || !site.targets.iter().all(is_defined) {
            start.insts.push((id, Cause::Own, call));
        }
        let marks = Marks { params: params.to_vec(), ..Marks::default() };
        start.marks.push((id, Cause::Own, call, marks));
    }

    /// Callers see another function, or one that was not there.
    fn seen_from_outside(&self, change: &FunctionChange, id: FuncId, start: &mut Start) {
        let function = &self.facts.module.functions[id];
        // A function that is new altogether is called directly where the call is new too.
        let is_declared = change.old.is_some() && change.new.is_some();
        for site in self.facts.calls.callers(id).filter(|site| is_declared || !site.indirect) {
            start.runs.push((site.caller, Cause::Own, site.inst));
        }
        if change.kind == Kind::Changed {
            let returns = function.body().filter(|(_, _, inst)| matches!(inst.kind, InstKind::Ret(_)));
            start.insts.extend(returns.map(|(_, inst, _)| (id, Cause::Own, inst)));
            // Parameters of another type are used by instructions that differ; others may be passed another way.
            start.params.extend((0..function.params.len() as u32).map(|index| (id, index)));
        }
    }

    /// Whatever reads a variable that begins with something else.
    fn readers_of_globals(&self, start: &mut Start) {
        if self.globals.is_empty() {
            return;
        }
        let module = self.facts.module;
        for (id, function) in module.functions.iter_ids() {
            for (_, inst, data) in function.body() {
                let reads = match &data.kind {
                    InstKind::Load { ptr, .. } => self.points_to_changed(id, *ptr),
                    InstKind::AtomicRmw(rmw) => self.points_to_changed(id, rmw.ptr),
                    InstKind::CompareExchange(exchange) => self.points_to_changed(id, exchange.ptr),
                    InstKind::VaArg { list } => self.points_to_changed(id, *list),
                    InstKind::Call(call) | InstKind::Invoke { call, .. } => {
                        self.facts.effects.get(id, inst).is_some()
                            && call.args.iter().any(|&arg| self.points_to_changed(id, arg))
                    }
                    _ => false,
                };
                if reads {
                    start.insts.push((id, Cause::Own, inst));
                }
            }
        }
    }

    /// Whether an address may be that of a changed variable. An address that came from outside counts only if the
    /// variable's address went there, not because the variable can be named there: then it is an input.
    fn points_to_changed(&self, id: FuncId, ptr: Value) -> bool {
        let module = self.facts.module;
        let objects = &self.facts.points_to.objects;
        self.facts.points_to.of(id, ptr).iter().any(|target| match objects[target.object].kind {
            ObjectKind::Global(global) => self.globals.contains(&global),
            _ if target.object == OUTSIDE => objects.iter().any(|object| match object.kind {
                ObjectKind::Global(global) => {
                    let is_local = module.symbols[module.globals[global].symbol].linkage.is_local();
                    object.escapes && is_local && self.globals.contains(&global)
                }
                _ => false,
            }),
            _ => false,
        })
    }
}
