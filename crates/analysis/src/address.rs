//! How addresses are made: distances, anchors and the fields of structs that they name.

use ir::constant::ConstKind;
use ir::id::{InstId, TypeId};
use ir::inst::{InstKind, Value};
use ir::module::{Function, Module};
use ir::types::Type;

/// A part of a struct type: bytes from `start` to before `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct View {
    /// Struct type.
    pub ty: TypeId,
    /// First byte.
    pub start: i64,
    /// Byte behind the last one.
    pub end: i64,
}

/// How the address of an access is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The value that known distances are added to.
    pub base: Value,
    /// Distance from that value in bytes; `None` if it is not known.
    pub distance: Option<i64>,
    /// Which parts of structs it names, the smallest struct first.
    pub views: Vec<View>,
}

/// How many steps back an address is followed.
const MAX_STEPS: usize = 64;

/// How an address inside a function is made, for an access of `size` bytes.
pub fn address(module: &Module, function: &Function, ptr: Value, size: Option<u64>) -> Address {
    let mut found = Address { base: ptr, distance: Some(0), views: Vec::new() };
    let size = size.and_then(|size| i64::try_from(size).ok());
    // How far the access is from the address that the next step back makes; `None` once that is unknown.
    let mut behind = Some(0i64);
    for _ in 0..MAX_STEPS {
        let Value::Inst(inst) = found.base else { break };
        let kind = &function.insts[inst].kind;
        let base = match kind {
            InstKind::Gep { base, .. } => *base,
            InstKind::Freeze(value) => *value,
            _ => break,
        };
        if let (Some(size), Some(behind)) = (size, behind) {
            found.views.extend(field(module, function, inst, behind, size));
        }
        let distance = match kind {
            InstKind::Freeze(_) => Some(0),
            _ => constant_distance(module, kind),
        };
        behind = behind.zip(distance).and_then(|(a, b)| a.checked_add(b));
        found.distance = behind;
        found.base = base;
    }
    // The smallest and the largest struct tell most; more would only cost.
    if found.views.len() > 2 {
        found.views.drain(1..found.views.len() - 1);
    }
    found
}

/// By how many bytes a `getelementptr` moves its base, if all its indices are known.
pub fn constant_distance(module: &Module, kind: &InstKind) -> Option<i64> {
    let InstKind::Gep { source, indices, .. } = kind else { return None };
    let mut ty = *source;
    let mut distance = 0i64;
    for (position, &index) in indices.iter().enumerate() {
        let index = known_index(module, index)?;
        let (step, next) = match position {
            0 => (i64::try_from(module.type_layouts.get(ty)?.size).ok()?.checked_mul(index)?, ty),
            _ => module.type_layouts.element_offset(&module.types, ty, index)?,
        };
        distance = distance.checked_add(step)?;
        ty = next;
    }
    Some(distance)
}

/// The part of a struct that a `getelementptr` into it names, for an access of `size` bytes `behind` its result.
fn field(module: &Module, function: &Function, inst: InstId, behind: i64, size: i64) -> Option<View> {
    let InstKind::Gep { source, indices, .. } = &function.insts[inst].kind else { return None };
    if indices.len() < 2 || !matches!(module.types.resolve(*source), Type::Struct { .. }) {
        return None;
    }
    let mut ty = *source;
    let mut start = behind;
    for &index in &indices[1..] {
        let (step, next) = module.type_layouts.element_offset(&module.types, ty, known_index(module, index)?)?;
        start = start.checked_add(step)?;
        ty = next;
    }
    let end = start.checked_add(size)?;
    let whole = i64::try_from(module.type_layouts.get(*source)?.size).ok()?;
    (start >= 0 && end <= whole).then_some(View { ty: *source, start, end })
}

fn known_index(module: &Module, index: Value) -> Option<i64> {
    let Value::Const(id) = index else { return None };
    match module.consts[id].kind {
        ConstKind::Int(bits) => {
            let width = match module.types.resolve(module.consts[id].ty) {
                Type::Int(width) if *width <= 64 && *width > 0 => *width,
                _ => return None,
            };
            let shift = 64 - width;
            Some(((bits as u64) << shift) as i64 >> shift)
        }
        _ => None,
    }
}
