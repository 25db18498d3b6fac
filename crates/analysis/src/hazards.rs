//! What may go on in code besides computing: faults, loops, calls into the unknown, contact with the outside world.
//!
//! Whoever skips code must know these, even if nothing that it computes is used.

use crate::components::components;
use crate::facts::Facts;
use crate::id::LocationId;
use crate::points_to::{Object, ObjectKind, Target, WORLD};
use ir::constant::ConstKind;
use ir::id::{Arena, FuncId, Id, InstId};
use ir::inst::{BinaryOp, InstKind, Value};
use ir::module::Function;

/// What may go on in some code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hazards {
    /// An access to memory that may not be there, a division by what may be zero, an unreachable place, an instruction
    /// that is not supported.
    pub faults: bool,
    /// A loop or a recursion, of which nobody says that it ends.
    pub loops: bool,
    /// A call of unknown code.
    pub unknown: bool,
    /// Input or output.
    pub world: bool,
    /// The program may end, or an exception may leave the function.
    pub exits: bool,
}

impl Hazards {
    /// What may go on in either.
    pub fn join(self, other: Hazards) -> Hazards {
        Hazards {
            faults: self.faults | other.faults,
            loops: self.loops | other.loops,
            unknown: self.unknown | other.unknown,
            world: self.world | other.world,
            exits: self.exits | other.exits,
        }
    }
}

/// What may go on in a call of each function, through all that it calls.
pub fn hazards(facts: &Facts) -> Arena<FuncId, Hazards> {
    let mut of: Arena<FuncId, Hazards> = facts.module.functions.iter().map(|_| Hazards::default()).collect();
    for component in &facts.calls.bottom_up {
        // A function that calls itself has all hazards of those that it does so through.
        let mut all = Hazards::default();
        for &id in component {
            let function = &facts.module.functions[id];
            all.loops |= facts.calls.recursive[id] || has_cycle(function);
            for (_, inst, _) in function.body() {
                all = all.join(hazards_of(facts, &of, id, inst));
            }
        }
        component.iter().for_each(|&id| of[id] = all);
    }
    of
}

/// What may go on at an instruction; `of` tells it of functions.
pub fn hazards_of(facts: &Facts, of: &Arena<FuncId, Hazards>, id: FuncId, inst: InstId) -> Hazards {
    let function = &facts.module.functions[id];
    let mut found = Hazards { faults: may_fault(facts, id, function, inst), ..Hazards::default() };
    if let Some(effect) = facts.effects.get(id, inst) {
        found.unknown |= effect.unknown;
        let is_world = |location: &LocationId| facts.effects.locations[*location].object == WORLD;
        found.world |= effect.reads.iter().chain(&effect.writes).any(is_world);
    }
    if let Some(site) = facts.calls.site(id, inst) {
        let end = facts.end_of_call(id, inst);
        found.exits |= end.exits || end.unwinds && matches!(function.insts[inst].kind, InstKind::Call(_));
        found = site.targets.iter().map(|&target| of[target]).fold(found, Hazards::join);
        if site.unknown {
            found = facts.calls.from_outside.iter().map(|&known| of[known]).fold(found, Hazards::join);
        }
    }
    found.exits |= matches!(function.insts[inst].kind, InstKind::Resume(_));
    found
}

fn has_cycle(function: &Function) -> bool {
    let successors = |block| function.terminator(block).map_or(Vec::new(), |last| last.kind.successors());
    let successors: Vec<Vec<usize>> =
        function.blocks.ids().map(|block| successors(block).into_iter().map(Id::index).collect()).collect();
    components(&successors[..]).cyclic.contains(&true)
}

/// Whether an instruction may be undefined, apart from the calls that it makes into code with a body.
fn may_fault(facts: &Facts, id: FuncId, function: &Function, inst: InstId) -> bool {
    let is_safe_divisor = |value: &Value| match value {
        Value::Const(id) => matches!(facts.module.consts[*id].kind, ConstKind::Int(1..)),
        _ => false,
    };
    match &function.insts[inst].kind {
        InstKind::Binary { op: BinaryOp::UDiv | BinaryOp::URem, right, .. } => !is_safe_divisor(right),
        InstKind::Binary { op: BinaryOp::SDiv | BinaryOp::SRem, right, .. } => {
            // The least number divided by -1 overflows.
            let is_minus_one = |value: &Value| match value {
                Value::Const(id) => match facts.module.consts[*id].kind {
                    ConstKind::Int(bits) => bits.count_ones() == width(facts, *id),
                    _ => true,
                },
                _ => true,
            };
            !is_safe_divisor(right) || is_minus_one(right)
        }
        InstKind::Unreachable | InstKind::Unsupported(_) | InstKind::VaArg { .. } => true,
        InstKind::Call(_) | InstKind::Invoke { .. } => {
            let Some(site) = facts.calls.site(id, inst) else { return false };
            let Some(effect) = facts.effects.get(id, inst) else { return site.targets.is_empty() };
            site.indirect || effect.reads.iter().chain(&effect.writes).any(|&location| !is_there(facts, location))
        }
        InstKind::Load { ptr, .. } => !is_inside(facts, id, *ptr, function.insts[inst].ty),
        InstKind::Store { value, ptr, .. } => !is_inside(facts, id, *ptr, facts.module.type_of(function, *value)),
        InstKind::AtomicRmw(rmw) => !is_inside(facts, id, rmw.ptr, function.insts[inst].ty),
        InstKind::CompareExchange(exchange) => {
            !is_inside(facts, id, exchange.ptr, facts.module.type_of(function, exchange.new))
        }
        _ => false,
    }
}

/// Whether a value of that type is certainly inside of whatever the address points to.
fn is_inside(facts: &Facts, id: FuncId, ptr: Value, ty: ir::id::TypeId) -> bool {
    let targets = facts.points_to.of(id, ptr);
    let size = facts.module.type_layouts.get(ty).and_then(|layout| i64::try_from(layout.store_size).ok());
    let is_inside = |target: &Target| {
        let bytes = target.offset.zip(size).and_then(|(start, size)| Some((start, start.checked_add(size)?)));
        is_part(&facts.points_to.objects[target.object], bytes)
    };
    !targets.is_empty() && targets.iter().all(is_inside)
}

fn width(facts: &Facts, id: ir::id::ConstId) -> u32 {
    match facts.module.types.resolve(facts.module.consts[id].ty) {
        ir::types::Type::Int(bits) => *bits,
        _ => 0,
    }
}

/// Whether all bytes of a location are certainly there.
fn is_there(facts: &Facts, location: LocationId) -> bool {
    let location = &facts.effects.locations[location];
    is_part(&facts.points_to.objects[location.object], location.bytes)
}

fn is_part(object: &Object, bytes: Option<(i64, i64)>) -> bool {
    match object.kind {
        ObjectKind::World => true,
        ObjectKind::Global(_) | ObjectKind::Stack(..) => {
            let size = object.size.and_then(|size| i64::try_from(size).ok());
            bytes.zip(size).is_some_and(|((start, end), size)| 0 <= start && end <= size)
        }
        _ => false,
    }
}
