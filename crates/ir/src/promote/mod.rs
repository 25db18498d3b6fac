//! Turns stack variables into values, keeping assignment markers.
//!
//! Unoptimised code keeps every variable in memory. An alloca whose address never leaves loads and stores is cut into
//! *slots* (`slots`), the value of each slot is followed through the control-flow graph (`ssa`), and every store is
//! replaced by markers that say which source variable has which value from there on (`markers`). Behind the phis of a
//! block stand such markers too, so the value that a variable has anywhere is found by walking one block.

mod compact;
mod markers;
mod redundant;
mod slots;
mod ssa;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub use compact::compact;

use crate::constant::{Const, ConstKind};
use crate::id::{FuncId, Id, InstId, TypeId};
use crate::inst::{CastOp, Flags, Inst, InstKind, Marker, MarkerKind, Value};
use crate::module::{Function, Module};
use markers::Assignment;
use slots::{Plan, Slot, SlotUse, StackObject};
use ssa::{Builder, Cfg, Values};

/// What promotion did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Promotion {
    /// Allocas that are gone.
    pub allocas: usize,
    /// Slots of them that became values.
    pub slots: usize,
    /// How many allocas stayed, and why; one with several obstacles counts for the first one found.
    pub left: BTreeMap<Obstacle, usize>,
}

/// Why an alloca stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Obstacle {
    /// It is not in the entry block, or more than one element is allocated.
    Dynamic,
    /// Its type, or a type it is accessed with, has no known size.
    Unsized,
    /// Its address is used by something other than a plain access at a known offset.
    Escapes,
    /// An access is volatile or atomic.
    Volatile,
    /// An access is outside of it.
    OutOfBounds,
    /// Two accesses share some bytes but not all.
    Overlaps,
    /// The same bytes are accessed with types that do not convert by one instruction.
    MixedTypes,
    /// As values it would take far more room: very many phis and markers, or copies of a long constant.
    TooLarge,
}

/// Turns stack variables of every function into values.
pub fn promote(module: &mut Module) -> Promotion {
    let mut total = Promotion::default();
    for function in module.functions.ids() {
        let promotion = promote_function(module, function);
        total.allocas += promotion.allocas;
        total.slots += promotion.slots;
        for (obstacle, count) in promotion.left {
            *total.left.entry(obstacle).or_default() += count;
        }
    }
    total
}

/// Turns stack variables of one function into values and compacts it.
pub fn promote_function(module: &mut Module, id: FuncId) -> Promotion {
    if !module.functions[id].is_defined() {
        return Promotion::default();
    }
    let cfg = Cfg::new(&module.functions[id]);
    let plan = slots::find(module, id, &cfg);
    let promotion = if plan.objects.is_empty() {
        Promotion { left: plan.left, ..Promotion::default() }
    } else {
        apply(module, id, &cfg, plan)
    };
    compact(&mut module.functions[id]);
    promotion
}

/// What becomes of an instruction.
#[derive(Clone, Copy)]
struct Fate {
    stays: bool,
    /// The slot it stores to, whose variables are assigned.
    assigns: Option<usize>,
}

/// What a slot's number stands for.
struct SlotInfo {
    ty: TypeId,
    /// Its value before any store.
    undef: Value,
    /// The variables in it.
    assignments: Vec<Assignment>,
}

fn apply(module: &mut Module, id: FuncId, cfg: &Cfg, plan: Plan) -> Promotion {
    let mut promotion = Promotion { left: plan.left, ..Promotion::default() };
    let insts = module.functions[id].insts.len();
    let mut fates = vec![Fate { stays: true, assigns: None }; insts];
    let mut builder = Builder::new(&module.functions[id], cfg);
    let mut infos = Vec::new();
    // How many entries of phis and markers may still come. Real functions need one for three instructions.
    let mut room = insts.saturating_mul(16).saturating_add(1 << 16);
    for mut object in plan.objects {
        if most_entries(cfg, &object) > room {
            *promotion.left.entry(Obstacle::TooLarge).or_default() += 1;
            continue;
        }
        promotion.allocas += 1;
        promotion.slots += object.slots.len();
        object.dead.iter().for_each(|dead| fates[dead.index()].stays = false);
        for i in 0..object.slots.len() {
            let assignments = markers::assignments(&mut module.debug, &object, &object.slots[i]);
            let slot = &mut object.slots[i];
            let undef = Value::Const(module.consts.intern(Const { ty: slot.ty, kind: ConstKind::Undef }));
            let mut stores = 0;
            for store in slot.uses.iter_mut().filter(|slot_use| slot_use.stored.is_some()) {
                let stays = convert_store(module, id, store, slot.ty);
                fates[store.inst.index()] = Fate { stays, assigns: Some(infos.len()) };
                stores += 1;
            }
            let first_phi = builder.phis().len();
            for (load, value) in builder.read_slot(infos.len(), &slot.uses, undef) {
                if let Some(op) = conversion_between(module, slot.ty, load.ty) {
                    module.functions[id].insts[load.inst].kind = InstKind::Cast { op, value, flags: Flags::empty() };
                } else {
                    builder.replace(load.inst, value, undef);
                    fates[load.inst.index()].stays = false;
                }
            }
            let phis = &builder.phis()[first_phi..];
            let edges: usize = phis.iter().map(|phi| cfg.edges_into(phi.block).len()).sum();
            room = room.saturating_sub(edges + (stores + phis.len()) * assignments.len());
            infos.push(SlotInfo { ty: slot.ty, undef, assignments });
        }
    }
    let values = builder.finish(|slot| infos[slot].undef);
    rewrite(module, id, cfg, &fates, &infos, values);
    promotion
}

/// How many entries of phis and markers an object can need at most.
fn most_entries(cfg: &Cfg, object: &StackObject) -> usize {
    let of_slot = |slot: &Slot| (slot.uses.len() + cfg.joins).saturating_mul(object.declares.len()) + cfg.join_edges;
    object.slots.iter().map(of_slot).fold(0, usize::saturating_add)
}

/// Makes a store of another type than its slot's a conversion to that type; says whether it did.
fn convert_store(module: &mut Module, id: FuncId, store: &mut SlotUse, slot_ty: TypeId) -> bool {
    let op = conversion_between(module, store.ty, slot_ty);
    if let (Some(value), Some(op)) = (store.stored, op) {
        let inst = &mut module.functions[id].insts[store.inst];
        inst.kind = InstKind::Cast { op, value, flags: Flags::empty() };
        inst.ty = slot_ty;
        store.stored = Some(Value::Inst(store.inst));
    }
    op.is_some()
}

/// The conversion between two types of one slot; `None` if they are the same.
fn conversion_between(module: &Module, from: TypeId, to: TypeId) -> Option<CastOp> {
    (from != to).then(|| slots::conversion(module, from, to)).flatten()
}

/// Writes phis, markers and what stays into the blocks, with every operand replaced.
fn rewrite(module: &mut Module, id: FuncId, cfg: &Cfg, fates: &[Fate], infos: &[SlotInfo], mut values: Values) {
    let void = module.types.void();
    let function = &mut module.functions[id];
    let phis = add_phis(function, cfg, infos, &values);
    let assign = |function: &mut Function, assignment: &Assignment, value, loc| {
        let Assignment { variable, expr, .. } = *assignment;
        let kind = InstKind::Marker(Marker { kind: MarkerKind::Assign, value: Some(value), variable, expr });
        function.insts.push(Inst { kind, ty: void, loc, name: None })
    };
    for block in function.blocks.ids() {
        let old = std::mem::take(&mut function.blocks[block].insts);
        let new_phis = &phis[block.index()];
        let (old_phis, rest) = old.split_at(count(&old, |id| matches!(function.insts[id].kind, InstKind::Phi { .. })));
        // A landing pad must come directly after the phis.
        let (pads, rest) =
            rest.split_at(count(rest, |id| matches!(function.insts[id].kind, InstKind::LandingPad { .. })));

        let mut new = Vec::with_capacity(old.len());
        new.extend_from_slice(old_phis);
        new.extend(new_phis.iter().map(|(phi, _)| *phi));
        new.extend_from_slice(pads);
        for (phi, slot) in new_phis {
            for assignment in &infos[*slot].assignments {
                new.push(assign(function, assignment, Value::Inst(*phi), None));
            }
        }
        for &inst in rest {
            let fate = fates[inst.index()];
            if fate.stays {
                new.push(inst);
            }
            let stored = match function.insts[inst].kind {
                InstKind::Store { value, .. } | InstKind::Cast { value, .. } => value,
                _ => continue,
            };
            for assignment in fate.assigns.iter().flat_map(|&slot| &infos[slot].assignments) {
                let loc = assignment.loc(&module.debug, function.insts[inst].loc);
                new.push(assign(function, assignment, stored, loc));
            }
        }
        for inst in &new {
            function.insts[*inst].kind.map_operands(|operand| values.resolve(operand));
        }
        function.blocks[block].insts = new;
    }
}

/// Adds the phis to the function, not yet to its blocks; returns those of each block with their slots.
fn add_phis(function: &mut Function, cfg: &Cfg, infos: &[SlotInfo], values: &Values) -> Vec<Vec<(InstId, usize)>> {
    let mut phis = vec![Vec::new(); function.blocks.len()];
    for (phi, needed) in values.phis() {
        let info = &infos[phi.slot];
        let entry = |&source| {
            let operand = phi.operands.binary_search_by_key(&source, |(block, _)| *block);
            (source, operand.map_or(info.undef, |i| phi.operands[i].1))
        };
        // A phi that is not needed is added too, so that the ids fit; no block will list it.
        let edges = if needed { cfg.edges_into(phi.block) } else { &[] };
        let kind = InstKind::Phi { incoming: edges.iter().map(entry).collect(), flags: Flags::empty() };
        let id = function.insts.push(Inst { kind, ty: info.ty, loc: None, name: None });
        if needed {
            phis[phi.block.index()].push((id, phi.slot));
        }
    }
    phis
}

/// How many instructions at the front have a property.
fn count(insts: &[InstId], property: impl Fn(InstId) -> bool) -> usize {
    insts.iter().take_while(|&&id| property(id)).count()
}
