//! Which stack memory can become values, and in which pieces.
//!
//! The bytes of an alloca that are always read and written together are a *slot*; each slot becomes one value. An
//! alloca qualifies when every use of its address is understood and its slots do not overlap.

use std::collections::BTreeMap;

use super::Obstacle;
use super::ssa::Cfg;
use crate::constant::ConstKind;
use crate::id::{BlockId, ExprId, FuncId, Id, InstId, LocId, TypeId, VarId};
use crate::inst::{Access, Call, Callee, CastOp, InstKind, MarkerKind, Value};
use crate::module::{Function, Module};
use crate::types::Type;

/// What is to be done to one function.
#[derive(Default)]
pub(super) struct Plan {
    /// Allocas that become values.
    pub objects: Vec<StackObject>,
    /// How many allocas stay, and why.
    pub left: BTreeMap<Obstacle, usize>,
}

/// An alloca that becomes values.
pub(super) struct StackObject {
    /// Size in bytes.
    pub size: u64,
    /// Its slots by ascending offset.
    pub slots: Vec<Slot>,
    /// The source variables that live in it.
    pub declares: Vec<Declare>,
    /// Instructions that are of no use afterwards, other than loads and stores.
    pub dead: Vec<InstId>,
}

/// Bytes that are read and written together.
pub(super) struct Slot {
    /// Offset in bytes.
    pub offset: u64,
    /// Size in bytes.
    pub size: u64,
    /// Size in bytes with the padding that an array element of its type has.
    pub padded_size: u64,
    /// Type of its value.
    pub ty: TypeId,
    /// Loads and stores in program order.
    pub uses: Vec<SlotUse>,
}

/// A load or store of a slot.
#[derive(Clone, Copy)]
pub(super) struct SlotUse {
    /// The load or store.
    pub inst: InstId,
    /// Its block.
    pub block: BlockId,
    /// What is stored; `None` for a load.
    pub stored: Option<Value>,
    /// Type that is loaded or stored.
    pub ty: TypeId,
}

/// A marker that a variable lives in an alloca.
pub(super) struct Declare {
    /// Offset in bytes of the marker's address.
    pub offset: i64,
    /// Variable.
    pub variable: VarId,
    /// How to get from the address to the variable.
    pub expr: Option<ExprId>,
    /// The marker's location.
    pub loc: Option<LocId>,
}

/// Finds the stack memory of a function that can become values.
pub(super) fn find(module: &Module, function: FuncId, cfg: &Cfg) -> Plan {
    let function = &module.functions[function];
    let mut finder = Finder::new(module, function);
    finder.find_allocas(cfg);
    finder.find_addresses();
    finder.find_uses();
    finder.finish()
}

/// The conversion that keeps all bits, if a single one does.
pub(super) fn conversion(module: &Module, from: TypeId, to: TypeId) -> Option<CastOp> {
    let bits = |ty| module.type_layouts.get(ty).filter(|layout| layout.bits == layout.store_size * 8).map(|l| l.bits);
    let same_bits = bits(from).is_some() && bits(from) == bits(to);
    match (bit_pattern(module, from)?, bit_pattern(module, to)?) {
        _ if !same_bits => None,
        (BitPattern::Pointer, BitPattern::Pointer) => None,
        (BitPattern::Pointer, BitPattern::Integer) => Some(CastOp::PtrToInt),
        (BitPattern::Integer, BitPattern::Pointer) => Some(CastOp::IntToPtr),
        (BitPattern::Pointer, BitPattern::Other) | (BitPattern::Other, BitPattern::Pointer) => None,
        _ => Some(CastOp::BitCast),
    }
}

/// How a scalar's bits are read, in order of preference for the value of a slot that is read in several ways: a
/// pointer keeps what it points to, an integer keeps every bit pattern.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum BitPattern {
    Pointer,
    Integer,
    Other,
}

fn bit_pattern(module: &Module, ty: TypeId) -> Option<BitPattern> {
    match &module.types[ty] {
        Type::Ptr(_) => Some(BitPattern::Pointer),
        Type::Int(_) => Some(BitPattern::Integer),
        Type::Float(_) => Some(BitPattern::Other),
        Type::Vector { element, .. } if !matches!(module.types[*element], Type::Ptr(_)) => Some(BitPattern::Other),
        _ => None,
    }
}

/// Whether `call` only tells when stack memory is in use.
fn is_lifetime(module: &Module, call: &Call) -> bool {
    let Callee::Value(callee) = call.callee else { return false };
    module.as_symbol(callee).is_some_and(|symbol| module.symbol_name(symbol).starts_with("llvm.lifetime."))
}

struct Finder<'m> {
    module: &'m Module,
    function: &'m Function,
    allocas: Vec<Candidate>,
    /// For each instruction the alloca and offset that its result points to.
    addresses: Vec<Option<Address>>,
    left: BTreeMap<Obstacle, usize>,
}

/// A place inside an alloca: position in [`Finder::allocas`] and offset in bytes.
#[derive(Clone, Copy)]
struct Address {
    alloca: usize,
    offset: i64,
}

struct Candidate {
    size: u64,
    obstacle: Option<Obstacle>,
    /// Offset, size and use in program order.
    uses: Vec<(u64, u64, SlotUse)>,
    declares: Vec<Declare>,
    /// Instructions that go when the alloca goes: itself, addresses, lifetime calls, markers.
    dead: Vec<InstId>,
}

impl<'m> Finder<'m> {
    fn new(module: &'m Module, function: &'m Function) -> Self {
        Finder {
            module,
            function,
            allocas: Vec::new(),
            addresses: vec![None; function.insts.len()],
            left: BTreeMap::new(),
        }
    }

    fn find_allocas(&mut self, cfg: &Cfg) {
        for (block, id, inst) in self.function.body() {
            let InstKind::Alloca { element, count, .. } = &inst.kind else { continue };
            let runs_once = block.index() == 0 && cfg.edges_into(block).is_empty();
            let one = self.constant_int(*count) == Some(1);
            match self.module.type_layouts.get(*element) {
                _ if !runs_once || !one => *self.left.entry(Obstacle::Dynamic).or_default() += 1,
                None => *self.left.entry(Obstacle::Unsized).or_default() += 1,
                Some(layout) => {
                    self.addresses[id.index()] = Some(Address { alloca: self.allocas.len(), offset: 0 });
                    self.allocas.push(Candidate {
                        size: layout.size,
                        obstacle: None,
                        uses: Vec::new(),
                        declares: Vec::new(),
                        dead: vec![id],
                    });
                }
            }
        }
    }

    /// Follows every chain of constant `getelementptr`s to the alloca it starts from, in whatever order the text has
    /// the links.
    fn find_addresses(&mut self) {
        if self.allocas.is_empty() {
            return;
        }
        let mut seen = vec![false; self.function.insts.len()];
        let mut chain = Vec::new();
        for (_, id, _) in self.function.body() {
            let mut at = id;
            while let InstKind::Gep { base: Value::Inst(base), .. } = self.function.insts[at].kind
                && !std::mem::replace(&mut seen[at.index()], true)
            {
                chain.push(at);
                at = base;
            }
            while let Some(gep) = chain.pop() {
                let base = self.addresses[at.index()];
                self.addresses[gep.index()] = base.and_then(|base| {
                    let offset = base.offset.checked_add(self.constant_offset(gep)?)?;
                    Some(Address { offset, ..base })
                });
                at = gep;
            }
        }
    }

    fn find_uses(&mut self) {
        if self.allocas.is_empty() {
            return;
        }
        let (module, function) = (self.module, self.function);
        for (block, id, inst) in function.body() {
            match &inst.kind {
                InstKind::Load { ptr, access } => {
                    self.access(*ptr, access, SlotUse { inst: id, block, stored: None, ty: inst.ty });
                }
                InstKind::Store { value, ptr, access } => {
                    self.obstruct(*value, Obstacle::Escapes);
                    let ty = module.type_of(function, *value);
                    self.access(*ptr, access, SlotUse { inst: id, block, stored: Some(*value), ty });
                }
                InstKind::Gep { base, indices, .. } => {
                    indices.iter().for_each(|index| self.obstruct(*index, Obstacle::Escapes));
                    match self.addresses[id.index()] {
                        Some(address) => self.allocas[address.alloca].dead.push(id),
                        None => self.obstruct(*base, Obstacle::Escapes),
                    }
                }
                InstKind::Marker(marker) if marker.kind == MarkerKind::Declare => {
                    if let Some(address) = marker.value.and_then(|value| self.address(value)) {
                        let alloca = &mut self.allocas[address.alloca];
                        let (variable, expr) = (marker.variable, marker.expr);
                        alloca.declares.push(Declare { offset: address.offset, variable, expr, loc: inst.loc });
                        alloca.dead.push(id);
                    }
                }
                InstKind::Call(call) if is_lifetime(module, call) => {
                    for &arg in &call.args {
                        if let Some(address) = self.address(arg) {
                            self.allocas[address.alloca].dead.push(id);
                        }
                    }
                }
                kind => kind.for_each_operand(|operand| self.obstruct(operand, Obstacle::Escapes)),
            }
        }
    }

    fn finish(self) -> Plan {
        let mut plan = Plan { left: self.left, ..Plan::default() };
        for candidate in self.allocas {
            let slots = match candidate.obstacle {
                Some(obstacle) => Err(obstacle),
                None => slots(self.module, candidate.uses),
            };
            match slots {
                Ok(slots) => {
                    let Candidate { size, declares, dead, .. } = candidate;
                    plan.objects.push(StackObject { size, slots, declares, dead });
                }
                Err(obstacle) => *plan.left.entry(obstacle).or_default() += 1,
            }
        }
        plan
    }

    /// Notes a load or store through `ptr`.
    fn access(&mut self, ptr: Value, access: &Access, slot_use: SlotUse) {
        let Some(address) = self.address(ptr) else { return };
        let alloca = &mut self.allocas[address.alloca];
        let obstacle = match self.module.type_layouts.get(slot_use.ty) {
            _ if access.volatile || access.ordering.is_some() => Obstacle::Volatile,
            _ if slot_use.stored.is_some_and(|value| is_long(self.module, value)) => Obstacle::TooLarge,
            None => Obstacle::Unsized,
            Some(layout) => match u64::try_from(address.offset) {
                Ok(offset) if offset.saturating_add(layout.store_size) <= alloca.size => {
                    alloca.uses.push((offset, layout.store_size, slot_use));
                    return;
                }
                _ => Obstacle::OutOfBounds,
            },
        };
        self.obstruct(ptr, obstacle);
    }

    /// Gives up on the alloca that `value` points to, if it points to one.
    fn obstruct(&mut self, value: Value, obstacle: Obstacle) {
        if let Some(address) = self.address(value) {
            self.allocas[address.alloca].obstacle.get_or_insert(obstacle);
        }
    }

    fn address(&self, value: Value) -> Option<Address> {
        match value {
            Value::Inst(id) => self.addresses[id.index()],
            _ => None,
        }
    }

    /// The distance in bytes between a `getelementptr` and its base, if it is known.
    fn constant_offset(&self, gep: InstId) -> Option<i64> {
        let InstKind::Gep { source, indices, .. } = &self.function.insts[gep].kind else { return None };
        let (first, rest) = indices.split_first()?;
        let (types, layouts) = (&self.module.types, &self.module.type_layouts);
        let size = i64::try_from(layouts.get(*source)?.size).ok()?;
        let (mut ty, mut offset) = (*source, size.checked_mul(self.constant_int(*first)?)?);
        for index in rest {
            let (distance, element) = layouts.element_offset(types, ty, self.constant_int(*index)?)?;
            offset = offset.checked_add(distance)?;
            ty = element;
        }
        Some(offset)
    }

    fn constant_int(&self, value: Value) -> Option<i64> {
        let Value::Const(id) = value else { return None };
        let constant = &self.module.consts[id];
        match (&constant.kind, &self.module.types[constant.ty]) {
            (ConstKind::Int(bits), Type::Int(width @ 1..=128)) => {
                let unused = 128 - width;
                i64::try_from((bits << unused).cast_signed() >> unused).ok()
            }
            _ => None,
        }
    }
}

/// Whether a value is a constant of many parts, each use of which would make the text longer.
fn is_long(module: &Module, value: Value) -> bool {
    let Value::Const(id) = value else { return false };
    let mut left = 64_usize;
    let mut stack = vec![id];
    while let Some(id) = stack.pop() {
        let parts = match &module.consts[id].kind {
            ConstKind::Aggregate(parts) | ConstKind::Gep { operands: parts, .. } => &parts[..],
            ConstKind::Select(parts) => &parts[..],
            ConstKind::Binary { left, right, .. } | ConstKind::Compare { left, right, .. } => &[*left, *right],
            ConstKind::Splat(part) | ConstKind::Offset { base: part, .. } | ConstKind::Cast { value: part, .. } => {
                std::slice::from_ref(part)
            }
            _ => &[],
        };
        let length = match &module.consts[id].kind {
            ConstKind::Bytes(bytes) => bytes.len() / 8,
            ConstKind::WideInt(words) => words.len(),
            ConstKind::Unsupported(text) => module.str(*text).len() / 8,
            _ => parts.len() + 1,
        };
        match left.checked_sub(length) {
            Some(rest) => left = rest,
            None => return true,
        }
        stack.extend_from_slice(parts);
    }
    false
}

/// Sorts the uses of an alloca into slots, or says why that is not possible.
fn slots(module: &Module, uses: Vec<(u64, u64, SlotUse)>) -> Result<Vec<Slot>, Obstacle> {
    let mut groups: BTreeMap<(u64, u64), Vec<SlotUse>> = BTreeMap::new();
    for (offset, size, slot_use) in uses {
        groups.entry((offset, size)).or_default().push(slot_use);
    }
    let mut end = 0;
    let mut slots = Vec::with_capacity(groups.len());
    for ((offset, size), uses) in groups {
        if offset < end {
            return Err(Obstacle::Overlaps);
        }
        end = offset + size;
        let ty = slot_type(module, &uses).ok_or(Obstacle::MixedTypes)?;
        let padded_size = module.type_layouts.get(ty).map_or(size, |layout| layout.size);
        slots.push(Slot { offset, size, padded_size, ty, uses });
    }
    Ok(slots)
}

/// A type among those of the uses that converts to and from all others.
fn slot_type(module: &Module, uses: &[SlotUse]) -> Option<TypeId> {
    let mut types: Vec<TypeId> = Vec::new();
    for slot_use in uses {
        if !types.contains(&slot_use.ty) {
            types.push(slot_use.ty);
        }
    }
    types.sort_by_key(|&ty| bit_pattern(module, ty).unwrap_or(BitPattern::Other));
    types.iter().copied().find(|&ty| types.iter().all(|&other| ty == other || conversion(module, ty, other).is_some()))
}
