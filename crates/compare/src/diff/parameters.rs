//! What two versions of a function are given.

use ir::debug::DebugTypeKind;
use ir::id::{DebugTypeId, FuncId};
use ir::module::Module;

/// Whether a function is given a pointer to a member of a class, or returns one.
pub fn has_member_pointer(module: &Module, id: FuncId) -> bool {
    let debug = &module.debug;
    let types = module.functions[id].scope.and_then(|scope| debug.scopes[scope].ty).map(|ty| &debug.types[ty].kind);
    let Some(DebugTypeKind::Function { types }) = types else { return false };
    let is_one = |ty: &DebugTypeId| matches!(debug.types[debug.strip(*ty)].kind, DebugTypeKind::Other(tag) if module.str(tag) == MEMBER_POINTER);
    types.iter().flatten().any(is_one)
}

/// What debug info calls the type of a pointer to a member.
const MEMBER_POINTER: &str = "DW_TAG_ptr_to_member_type";

/// Whether both versions are given and return the same shapes.
pub fn same_parameters(program: &exec::program::Program, old: FuncId, new: FuncId) -> bool {
    let module = &program.module;
    let (a, b) = (&module.functions[old], &module.functions[new]);
    let shapes = |function: &ir::module::Function| -> Vec<exec::value::Shape> {
        function.params.iter().map(|param| program.shape(param.ty)).collect()
    };
    let result = |function: &ir::module::Function| {
        module.types.signature(function.ty).map(|(result, _, variadic)| (program.shape(result), variadic))
    };
    shapes(a) == shapes(b) && result(a) == result(b)
}

/// A parameter that leads to something else in the other version, of which nothing is known to be the same.
pub fn other_pointee(program: &exec::program::Program, old: FuncId, new: FuncId) -> Option<String> {
    let module = &program.module;
    let debug = &module.debug;
    let types = |id: FuncId| -> Vec<Option<DebugTypeId>> {
        let ty = module.functions[id].scope.and_then(|scope| debug.scopes[scope].ty).map(|ty| &debug.types[ty].kind);
        match ty {
            Some(DebugTypeKind::Function { types }) => types.iter().skip(1).copied().collect(),
            _ => Vec::new(),
        }
    };
    let pointee = |ty: Option<DebugTypeId>| match &debug.types[debug.strip(ty?)].kind {
        DebugTypeKind::Pointer { to: Some(to), .. } => Some(debug.strip(*to)).filter(|&to| debug.bits(to) > 0),
        _ => None,
    };
    let (before, after) = (types(old), types(new));
    if before.len() != after.len() {
        return None;
    }
    for (index, (a, b)) in before.into_iter().zip(after).enumerate() {
        let (Some(a), Some(b)) = (pointee(a), pointee(b)) else { continue };
        // Each unit has a description of its own of one record.
        let alike = |a: DebugTypeId, b: DebugTypeId| exec::relaid::is_laid_alike((module, a), (module, b));
        let known = program.relaid.get(&b).is_some_and(|relaid| alike(relaid.old, a));
        if !known && !program.unclear.contains(&b) && !alike(a, b) {
            return Some(format!("parameter {}", index + 1));
        }
    }
    None
}
