//! Code that uses a record as bytes and not by its fields.
//!
//! Two versions whose records lie differently can be given one layout ([`crate::one_layout`]) as long as code says which field it means.
//! `memset(&s->a, 0, 8)` does not: in each version it means the fields that lie there. So do accesses wider than their field, addresses
//! that are computed in bytes or as numbers, and functions of the C library that read or write a whole record.
//!
//! What is seen is an address that the function itself makes of a variable, parameter or field of a record. A record behind a pointer
//! that is loaded and used as bytes without a name in between is not seen.

use analysis::externals::externals;
use ir::constant::ConstKind;
use ir::debug::DebugTypeKind;
use ir::id::{DebugTypeId, FuncId, InstId, NamedTypeId, TypeId};
use ir::inst::{Callee, CastOp, Inst, InstKind, Value};
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

/// Functions that use one of some records as bytes.
pub fn users(module: &Module, moved: &FxHashSet<NamedTypeId>, names: &BTreeSet<String>) -> BTreeSet<FuncId> {
    let known: Vec<bool> = externals(module).iter().map(Option::is_some).collect();
    let all = module.functions.ids();
    all.filter(|&id| Bytes::new(module, id, moved, names).is_used(&known)).collect()
}

struct Bytes<'m> {
    module: &'m Module,
    function: &'m Function,
    moved: &'m FxHashSet<NamedTypeId>,
    /// Sizes of records behind parameters and variables that are declared as pointers to them.
    declared: FxHashMap<Value, u64>,
}

impl<'m> Bytes<'m> {
    fn new(module: &'m Module, id: FuncId, moved: &'m FxHashSet<NamedTypeId>, names: &BTreeSet<String>) -> Bytes<'m> {
        let function = &module.functions[id];
        let mut declared = FxHashMap::default();
        for (_, _, inst) in function.body() {
            let InstKind::Marker(marker) = &inst.kind else { continue };
            let (Some(value), Some(ty)) = (marker.value, module.debug.variables[marker.variable].ty) else { continue };
            declared.extend(record_behind_pointer(module, ty, names).map(|size| (value, size)));
        }
        Bytes { module, function, moved, declared }
    }

    fn is_used(&self, known: &[bool]) -> bool {
        self.function.body().any(|(_, _, inst)| self.uses(inst, known))
    }

    fn uses(&self, inst: &Inst, known: &[bool]) -> bool {
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
                self.extent(*base, MAX_DEPTH).is_some_and(within)
            }
            InstKind::Call(call) | InstKind::Invoke { call, .. } => self.call_uses(&call.callee, &call.args, known),
            _ => false,
        }
    }

    /// Whether an access of that size goes beyond the field that its address is made for.
    fn accesses(&self, ptr: Value, size: Option<u64>) -> bool {
        let (Some(Extent::Field(room)), Some(size)) = (self.extent(ptr, MAX_DEPTH), size) else { return false };
        size > room
    }

    fn call_uses(&self, callee: &Callee, args: &[Value], known: &[bool]) -> bool {
        use ir::id::Id;
        let Callee::Value(Value::Const(id)) = callee else { return false };
        let Some(symbol) = self.module.base_symbol(*id) else { return false };
        let SymbolKind::Function(callee) = self.module.symbols[symbol].kind else { return false };
        let name = self.module.function_name(callee);
        if name.starts_with("llvm.") {
            let copies = ["llvm.memcpy.", "llvm.memmove.", "llvm.memset."].iter().any(|begin| name.starts_with(begin));
            let length = args.get(2).and_then(|length| self.number(*length));
            let is_odd = |extent: Extent| match (extent, length) {
                (Extent::Record(size), Some(length)) => length != size,
                (Extent::Field(size), Some(length)) => length > size,
                (_, None) => true,
            };
            return copies && args.iter().take(2).filter_map(|arg| self.extent(*arg, MAX_DEPTH)).any(is_odd);
        }
        let is_outside = !self.module.functions[callee].is_defined() && known.get(callee.index()) == Some(&true);
        let is_record = |arg: &Value| matches!(self.extent(*arg, MAX_DEPTH), Some(Extent::Record(_)));
        is_outside && !FREE.contains(&name) && args.iter().any(is_record)
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
        if let Some(&size) = self.declared.get(&value) {
            return Some(Extent::Record(size));
        }
        match value {
            Value::Arg(_) => None,
            Value::Const(id) => {
                let symbol = self.module.base_symbol(id)?;
                let SymbolKind::Variable(variable) = self.module.symbols[symbol].kind else { return None };
                let ty = self.module.globals[variable].ty;
                match self.module.consts[id].kind {
                    ConstKind::Symbol(_) => self.whole(ty),
                    // A field of a variable, whichever it is.
                    _ => self.whole(ty).map(|_| Extent::Field(8)),
                }
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
        self.module.types.named_of(ty).is_some_and(|id| self.moved.contains(&id))
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

/// Functions of the C library that are given records and look at none of their bytes.
const FREE: [&str; 2] = ["free", "realloc"];

/// The size in bytes of the record that a pointer leads to, if it is one of some.
fn record_behind_pointer(module: &Module, ty: DebugTypeId, names: &BTreeSet<String>) -> Option<u64> {
    let debug = &module.debug;
    let DebugTypeKind::Pointer { to: Some(to), .. } = debug.types[debug.strip(ty)].kind else { return None };
    let mut ty = to;
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
