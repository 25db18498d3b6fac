//! Small records that travel in registers.
//!
//! A record of up to 16 bytes is given to a function, or returned by it, as one or two plain numbers. Nothing says of such a
//! number that it is a record, so where the function is outside of the program, its fields cannot be told.

use super::{Relaid, is_record};
use crate::program::Program;
use crate::value::Shape;
use ir::debug::DebugTypeKind;
use ir::id::{DebugTypeId, FuncId};
use ir::inst::InstKind;
use ir::module::Module;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Most bytes of a record that fit into registers.
const MOST_BYTES: u64 = 16;

/// Bytes of a register.
const REGISTER: u64 = 8;

/// Records that changed and travel in registers.
#[derive(Clone, Debug, Default)]
pub struct InRegisters {
    /// Functions that have such a record.
    functions: FxHashSet<FuncId>,
    /// Bytes of them.
    sizes: BTreeSet<u64>,
}

impl InRegisters {
    /// Finds them.
    pub fn find(program: &Program) -> InRegisters {
        let module = &program.module;
        let both = |relaid: &Relaid| [relaid.old_size, relaid.new_size];
        let known = program.relaid.values().flat_map(both);
        let unclear = program.unclear.iter().map(|id| module.debug.bits(*id) / 8);
        let sizes: BTreeSet<u64> = known.chain(unclear).filter(|size| *size <= MOST_BYTES).collect();
        if sizes.is_empty() {
            return InRegisters::default();
        }
        let is_one = |ty: DebugTypeId| is_changed(program, ty);
        let typed: FxHashSet<FuncId> = module.functions.ids().filter(|id| is_typed(module, *id, &is_one)).collect();
        let has_one = |id: &FuncId| {
            let inside = module.functions[*id].body().any(|(_, _, inst)| match &inst.kind {
                InstKind::Alloca { element, .. } => program.changed_records.contains(element),
                InstKind::Marker(marker) => module.debug.variables[marker.variable].ty.is_some_and(is_one),
                kind => module.called_function(kind).is_some_and(|callee| typed.contains(&callee)),
            });
            inside || typed.contains(id)
        };
        InRegisters { functions: module.functions.ids().filter(has_one).collect(), sizes }
    }

    /// Whether what a function gives to another one, or gets from it, may be such a record.
    pub(crate) fn may_travel(&self, function: FuncId, given: &[Shape], result: &Shape) -> bool {
        if !self.functions.contains(&function) {
            return false;
        }
        let pairs = given.windows(2).any(|pair| bytes(&pair[0]) == REGISTER && self.has_rest(bytes(&pair[1])));
        pairs || given.iter().chain([result]).any(|shape| self.is_one(shape))
    }

    fn is_one(&self, shape: &Shape) -> bool {
        match shape {
            Shape::Void | Shape::Ptr | Shape::Opaque => false,
            _ => self.sizes.contains(&bytes(shape)),
        }
    }

    /// Whether so many bytes may be in a second register.
    fn has_rest(&self, bytes: u64) -> bool {
        bytes > 0 && self.sizes.contains(&(REGISTER + bytes))
    }
}

fn bytes(shape: &Shape) -> u64 {
    match shape {
        Shape::Int { bits, .. } => u64::from(bits.div_ceil(8)),
        other => other.size(),
    }
}

/// Whether a type is a record that changed.
fn is_changed(program: &Program, ty: DebugTypeId) -> bool {
    let debug = &program.module.debug;
    let ty = debug.strip(ty);
    // The old version's own descriptions are known by their names.
    let named = || debug.types[ty].name.is_some_and(|name| program.changed_names.contains(program.module.str(name)));
    program.relaid.contains_key(&ty) || program.unclear.contains(&ty) || is_record(debug, ty) && named()
}

/// Whether a parameter or the result of a function is a record, by the source.
fn is_typed(module: &Module, id: FuncId, is_one: &impl Fn(DebugTypeId) -> bool) -> bool {
    let debug = &module.debug;
    let signature = module.functions[id].scope.and_then(|scope| debug.scopes[scope].ty).map(|ty| &debug.types[ty].kind);
    match signature {
        Some(DebugTypeKind::Function { types }) => types.iter().flatten().any(|ty| is_one(*ty)),
        _ => false,
    }
}
