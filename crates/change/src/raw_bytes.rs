//! Code that uses a record as bytes and not by its fields.
//!
//! Two versions whose records lie differently can be given one layout ([`crate::one_layout`]) as long as code says which field it means.
//! `memset(&s->a, 0, 8)` does not: in each version it means the fields that lie there. So do accesses wider than their field, addresses
//! that are computed in bytes or as numbers, and functions of the C library that read or write a whole record.
//!
//! A pointer that has two types in the source (`char *c = (char *)p`, `struct node *n = (struct node *)link`) leads to bytes as well.
//! What is seen is an address that the function itself makes of a variable, parameter or field of a record. A record behind a pointer
//! that is loaded and used as bytes without a name in between is not seen.

use analysis::externals::externals;
use ir::constant::ConstKind;
use ir::debug::DebugTypeKind;
use ir::id::{DebugTypeId, FuncId, Id, InstId, NamedTypeId, TypeId};
use ir::inst::{BinaryOp, CastOp, Inst, InstKind, Value};
use ir::module::{Function, Module, SymbolKind};
use ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Deepest nesting of types, and longest way from an address to what it is made of.
const MAX_DEPTH: u32 = 32;

/// What an address into a record leads to, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// A whole record.
    Record(u64),
    /// A field of one.
    Field(u64),
}

/// Records of a module that lie differently in another version.
pub struct Records<'m> {
    module: &'m Module,
    moved: FxHashSet<NamedTypeId>,
    /// What the source calls them.
    names: BTreeSet<String>,
    /// Functions of libraries of which it is known what they do.
    known: Vec<bool>,
}

impl<'m> Records<'m> {
    /// Some records of a module, with their names in the source.
    pub fn new(module: &'m Module, moved: FxHashSet<NamedTypeId>, names: BTreeSet<String>) -> Records<'m> {
        let known = externals(module).iter().map(Option::is_some).collect();
        Records { module, moved, names, known }
    }

    /// Functions that use one of them as bytes.
    pub fn users(&self) -> BTreeSet<FuncId> {
        self.module.functions.ids().filter(|&id| Bytes::new(self, id).is_used()).collect()
    }

    /// Whether a number in an instruction can only be the size of a record: that of memory for one, or of one that is copied or set as
    /// a whole.
    pub fn takes_size(&self, function: FuncId, inst: InstId) -> bool {
        let bytes = Bytes::new(self, function);
        let body = &self.module.functions[function];
        match &body.insts[inst].kind {
            kind @ (InstKind::Call(call) | InstKind::Invoke { call, .. }) => {
                self.allocates(&bytes, inst) || bytes.copies(kind, &call.args) && bytes.covers_record(&call.args)
            }
            InstKind::Binary { op: BinaryOp::Mul, .. } => {
                let is_use = |kind: &InstKind| {
                    let mut uses = false;
                    kind.for_each_operand(|value| uses |= value == Value::Inst(inst));
                    uses && !matches!(kind, InstKind::Marker(_))
                };
                body.body().filter(|(_, _, inst)| is_use(&inst.kind)).all(|(_, id, _)| self.allocates(&bytes, id))
            }
            _ => false,
        }
    }

    /// Whether an instruction allocates memory for what is declared as one of the records.
    fn allocates(&self, bytes: &Bytes<'_>, inst: InstId) -> bool {
        let callee = self.module.called_function(&bytes.function.insts[inst].kind);
        let is_allocation = callee.is_some_and(|callee| ALLOCATING.contains(&self.module.function_name(callee)));
        is_allocation && bytes.declared.get(&Value::Inst(inst)).is_some_and(|known| known.record.is_some())
    }
}

struct Bytes<'m> {
    records: &'m Records<'m>,
    module: &'m Module,
    function: &'m Function,
    /// What parameters and variables are declared to lead to.
    declared: FxHashMap<Value, Declared>,
}

/// What pointers of the source lead to that are one value.
#[derive(Clone, Copy, Debug, Default)]
struct Declared {
    /// Size of a record that moved, if one of them leads to such a record.
    record: Option<u64>,
    /// Whether one of them leads to anything else.
    other: bool,
}

impl<'m> Bytes<'m> {
    fn new(records: &'m Records<'m>, id: FuncId) -> Bytes<'m> {
        let module = records.module;
        let function = &module.functions[id];
        let mut declared: FxHashMap<Value, Declared> = FxHashMap::default();
        for (_, _, inst) in function.body() {
            let InstKind::Marker(marker) = &inst.kind else { continue };
            let (Some(value), Some(ty)) = (marker.value, module.debug.variables[marker.variable].ty) else { continue };
            let is_address = match value {
                Value::Const(id) => module.base_symbol(id).is_some(),
                _ => true,
            };
            let Some(pointee) = pointee(module, ty).filter(|_| is_address) else { continue };
            let known = declared.entry(value).or_default();
            match record_of(module, pointee, &records.names) {
                Some(size) => known.record = Some(size),
                None => known.other = true,
            }
        }
        Bytes { records, module, function, declared }
    }

    fn is_used(&self) -> bool {
        let is_both = |declared: &Declared| declared.record.is_some() && declared.other;
        self.declared.values().any(is_both) || self.function.body().any(|(_, _, inst)| self.uses(inst))
    }

    fn uses(&self, inst: &Inst) -> bool {
        match &inst.kind {
            InstKind::Load { ptr, .. } => self.accesses(*ptr, self.size(inst.ty)),
            InstKind::Store { value, ptr, .. } => {
                self.accesses(*ptr, self.size(self.module.type_of(self.function, *value)))
            }
            InstKind::Cast { op: CastOp::PtrToInt, value, .. } => self.extent(*value, MAX_DEPTH).is_some(),
            InstKind::Gep { source, base, indices, .. } => {
                let within = |extent: Extent| match extent {
                    Extent::Record(_) => !self.contains_moved(*source, MAX_DEPTH),
                    Extent::Field(size) => self.leaves(*source, indices, size),
                };
                let is_cast = || {
                    let is_other = |known: &Declared| known.record.is_none() && known.other;
                    self.is_moved(*source) && self.declared.get(base).is_some_and(is_other)
                };
                self.extent(*base, MAX_DEPTH).is_some_and(within) || is_cast()
            }
            InstKind::Call(call) | InstKind::Invoke { call, .. } => self.call_uses(&inst.kind, &call.args),
            _ => false,
        }
    }

    /// Whether an access of that size is not one of the field that its address is made for.
    fn accesses(&self, ptr: Value, size: Option<u64>) -> bool {
        match self.extent(ptr, MAX_DEPTH) {
            Some(Extent::Field(room)) => size.is_some_and(|size| size > room),
            Some(Extent::Record(_)) => true,
            None => false,
        }
    }

    fn call_uses(&self, kind: &InstKind, args: &[Value]) -> bool {
        if self.copies(kind, args) {
            let length = args.get(2).and_then(|length| self.number(*length));
            let is_odd = |extent: Extent| match (extent, length) {
                (Extent::Record(size), Some(length)) => length != size,
                (Extent::Field(size), Some(length)) => length > size,
                (_, None) => true,
            };
            let extents = || args.iter().take(2).filter_map(|arg| self.extent(*arg, MAX_DEPTH));
            let is_other = |arg: &Value| self.extent(*arg, MAX_DEPTH).is_none() && self.is_known_otherwise(*arg);
            let to_bytes = extents().any(|extent| matches!(extent, Extent::Record(_)));
            return extents().any(is_odd) || to_bytes && args.iter().take(2).any(is_other);
        }
        let Some(callee) = self.module.called_function(kind) else { return false };
        let is_known =
            !self.module.functions[callee].is_defined() && self.records.known.get(callee.index()) == Some(&true);
        let name = self.module.function_name(callee);
        let looks = is_known && !name.starts_with("llvm.") && !FREEING.contains(&name);
        looks && args.iter().any(|arg| matches!(self.extent(*arg, MAX_DEPTH), Some(Extent::Record(_))))
    }

    /// Whether an instruction copies or sets memory of a length that it is given.
    fn copies(&self, kind: &InstKind, args: &[Value]) -> bool {
        let name = self.module.called_function(kind).map_or("", |callee| self.module.function_name(callee));
        let is_copy = ["llvm.memcpy.", "llvm.memmove.", "llvm.memset."].iter().any(|begin| name.starts_with(begin));
        (is_copy || ["memcpy", "memmove", "memset"].contains(&name)) && args.len() > 2
    }

    /// Whether a copy is one of a whole record.
    fn covers_record(&self, args: &[Value]) -> bool {
        let length = args.get(2).and_then(|length| self.number(*length));
        let is_whole = |arg: &Value| match self.extent(*arg, MAX_DEPTH) {
            Some(Extent::Record(size)) => length == Some(size),
            _ => false,
        };
        args.iter().take(2).any(is_whole)
    }

    /// Whether an address leads to an object that is declared as something else than a record that moved.
    fn is_known_otherwise(&self, value: Value) -> bool {
        if self.declared.get(&value).is_some_and(|known| known.other) {
            return true;
        }
        match value {
            Value::Const(id) => self.module.base_symbol(id).is_some(),
            Value::Inst(inst) => {
                matches!(self.function.insts[inst].kind, InstKind::Alloca { .. } | InstKind::Gep { .. })
            }
            Value::Arg(_) => false,
        }
    }

    /// Whether a step from a field of that size may leave it.
    fn leaves(&self, source: TypeId, indices: &[Value], size: u64) -> bool {
        let Some((first, inner)) = indices.split_first() else { return false };
        let Some(step) = self.size(source) else { return true };
        match self.number(*first) {
            Some(0) => step > size && !inner.is_empty(),
            Some(count) => count.checked_mul(step).is_none_or(|at| at >= size),
            // An index that is not known stays inside of what it is an index of.
            None => step >= size,
        }
    }

    /// What an address leads to, if it leads into a record that moved.
    fn extent(&self, value: Value, depth: u32) -> Option<Extent> {
        let depth = depth.checked_sub(1)?;
        if let Some(size) = self.declared.get(&value).and_then(|known| known.record) {
            return Some(Extent::Record(size));
        }
        match value {
            Value::Arg(_) => None,
            Value::Const(id) => {
                let symbol = self.module.base_symbol(id)?;
                let SymbolKind::Variable(variable) = self.module.symbols[symbol].kind else { return None };
                let ty = self.module.globals[variable].ty;
                let whole = self.whole(ty)?;
                Some(match &self.module.consts[id].kind {
                    ConstKind::Symbol(_) => whole,
                    ConstKind::Offset { bytes, .. } => {
                        let at = u64::try_from(*bytes).ok();
                        Extent::Field(at.and_then(|at| self.scalar_at(ty, at, MAX_DEPTH)).unwrap_or(0))
                    }
                    _ => Extent::Field(0),
                })
            }
            Value::Inst(inst) => self.extent_of(inst, depth),
        }
    }

    fn extent_of(&self, inst: InstId, depth: u32) -> Option<Extent> {
        match &self.function.insts[inst].kind {
            InstKind::Alloca { element, .. } => self.whole(*element),
            InstKind::Gep { source, base, indices, .. } => {
                self.field(*source, indices).or_else(|| self.extent(*base, depth))
            }
            InstKind::Select { then, otherwise, .. } => {
                self.extent(*then, depth).or_else(|| self.extent(*otherwise, depth))
            }
            InstKind::Phi { incoming, .. } => incoming.iter().find_map(|(_, value)| self.extent(*value, depth)),
            InstKind::Freeze(value) => self.extent(*value, depth),
            _ => None,
        }
    }

    /// The size of the scalar that begins at a byte of a type.
    fn scalar_at(&self, ty: TypeId, at: u64, depth: u32) -> Option<u64> {
        let depth = depth.checked_sub(1)?;
        match self.module.types.resolve(ty) {
            Type::Array(element, _) => {
                let size = self.size(*element).filter(|size| *size > 0)?;
                self.scalar_at(*element, at % size, depth)
            }
            Type::Struct { fields, .. } => {
                let body = self.module.types.named_of(ty).map_or(Some(ty), |id| self.module.types.named[id].body)?;
                let offsets = self.module.type_layouts.offsets(body)?;
                let field = offsets.partition_point(|offset| *offset <= at).checked_sub(1)?;
                self.scalar_at(*fields.get(field)?, at - offsets.get(field)?, depth)
            }
            _ => self.size(ty).filter(|_| at == 0),
        }
    }

    /// What a step through types leads to, if it enters a record that moved.
    fn field(&self, source: TypeId, indices: &[Value]) -> Option<Extent> {
        let mut ty = source;
        let mut found = self.whole(ty).filter(|_| indices.len() == 1);
        for index in indices.iter().skip(1) {
            let inside = self.is_moved(ty);
            ty = self.module.types.element(ty, self.number(*index).unwrap_or(0))?;
            if let Some(whole) = self.whole(ty) {
                found = Some(whole);
            } else if inside {
                found = Some(Extent::Field(self.size(ty)?));
            }
        }
        found
    }

    /// A value of a type, if there is a record in it that moved.
    fn whole(&self, ty: TypeId) -> Option<Extent> {
        self.contains_moved(ty, MAX_DEPTH).then(|| self.size(ty).map(Extent::Record)).flatten()
    }

    fn is_moved(&self, ty: TypeId) -> bool {
        self.module.types.named_of(ty).is_some_and(|id| self.records.moved.contains(&id))
    }

    fn contains_moved(&self, ty: TypeId, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        if self.is_moved(ty) {
            return true;
        }
        match self.module.types.resolve(ty) {
            Type::Array(element, _) => self.contains_moved(*element, depth),
            Type::Struct { fields, .. } => fields.iter().any(|field| self.contains_moved(*field, depth)),
            _ => false,
        }
    }

    fn size(&self, ty: TypeId) -> Option<u64> {
        self.module.type_layouts.get(ty).map(|layout| layout.size)
    }

    fn number(&self, value: Value) -> Option<u64> {
        let Value::Const(id) = value else { return None };
        match self.module.consts[id].kind {
            ConstKind::Int(number) => u64::try_from(number).ok(),
            _ => None,
        }
    }
}

/// Functions that give back memory of records and look at none of their bytes.
const FREEING: [&str; 4] = ["free", "realloc", "_ZdlPv", "_ZdlPvm"];

/// Functions that are given the size of memory for records, or how many records that memory is for.
const ALLOCATING: [&str; 7] = ["malloc", "calloc", "realloc", "reallocarray", "aligned_alloc", "_Znwm", "_Znam"];

/// What a pointer type leads to, if the source says.
fn pointee(module: &Module, ty: DebugTypeId) -> Option<DebugTypeId> {
    let debug = &module.debug;
    match debug.types[debug.strip(ty)].kind {
        DebugTypeKind::Pointer { to, .. } => to,
        _ => None,
    }
}

/// The size in bytes of a record, if it is one of some.
fn record_of(module: &Module, ty: DebugTypeId, names: &BTreeSet<String>) -> Option<u64> {
    let debug = &module.debug;
    let mut ty = ty;
    for _ in 0..MAX_DEPTH {
        let one = &debug.types[ty];
        let is_named = one.name.is_some_and(|name| names.contains(module.str(name)));
        match one.kind {
            DebugTypeKind::Record { .. } => return is_named.then(|| debug.bits(ty) / 8),
            DebugTypeKind::Alias { to: Some(to), .. } if is_named => return Some(debug.bits(to) / 8),
            DebugTypeKind::Alias { to: Some(to), .. } => ty = to,
            _ => return None,
        }
    }
    None
}
