//! What a marker says of a variable once the memory it was declared in is gone.
//!
//! The operations of a `Declare` lead from an address to the variable's address, those of an `Assign` from a value to
//! the variable's value.

use super::slots::{Declare, Slot, StackObject};
use crate::debug::{DebugInfo, ExprOp};
use crate::id::{ExprId, LocId, VarId};

/// What a store to a slot says of one variable.
#[derive(Clone, Copy)]
pub(super) struct Assignment {
    /// Variable.
    pub variable: VarId,
    /// How to get from the stored value to the variable.
    pub expr: Option<ExprId>,
    /// Location of the marker that declared the variable.
    pub declared_at: Option<LocId>,
}

impl Assignment {
    /// Location of the assignment that a store at `store` makes. The store's own, unless it belongs to another inlined
    /// copy of a function than the variable does: the variables of two copies are told apart by the location only.
    pub fn loc(&self, debug: &DebugInfo, store: Option<LocId>) -> Option<LocId> {
        let inlined_at = |loc: LocId| debug.locations[loc].inlined_at;
        match (store, self.declared_at) {
            (Some(store), Some(declared)) if inlined_at(store) != inlined_at(declared) => Some(declared),
            (store, declared) => store.or(declared),
        }
    }
}

/// What stores to `slot` of `object` say of the variables declared there.
pub(super) fn assignments(debug: &mut DebugInfo, object: &StackObject, slot: &Slot) -> Vec<Assignment> {
    let mut result = Vec::new();
    for declare in &object.declares {
        let ops = declare.expr.map_or_else(Vec::new, |expr| debug.exprs[expr].to_vec());
        let Some(ops) = value_ops(debug, object, slot, declare, &ops) else { continue };
        let expr = (!ops.is_empty()).then(|| debug.exprs.intern(ops.into()));
        result.push(Assignment { variable: declare.variable, expr, declared_at: declare.loc });
    }
    result
}

/// The operations from the value of `slot` to the declared variable; `None` if the slot tells nothing of it.
fn value_ops(
    debug: &DebugInfo,
    object: &StackObject,
    slot: &Slot,
    declare: &Declare,
    ops: &[ExprOp],
) -> Option<Vec<ExprOp>> {
    // Additions in front lead to another place in the same memory.
    let added = ops.iter().take_while(|op| matches!(op, ExprOp::Add(_))).count();
    let (additions, ops) = ops.split_at(added);
    let sum = additions.iter().map(|op| if let ExprOp::Add(n) = op { *n } else { 0 }).try_fold(0, i64::checked_add)?;
    let start = u64::try_from(declare.offset.checked_add(sum)?).ok()?;
    let distance = slot.offset.checked_sub(start)?.checked_mul(8)?;
    let (ops, fragment) = match ops.split_last() {
        Some((&ExprOp::Fragment { offset, bits }, ops)) => (ops, Some((offset, bits))),
        _ => (ops, None),
    };
    match ops.split_first() {
        None => {
            let rest = object.size.saturating_sub(start).checked_mul(8)?;
            let (first, bits) = fragment.unwrap_or((0, variable_bits(debug, declare.variable).unwrap_or(rest)));
            let left = bits.checked_sub(distance).filter(|&left| left > 0)?;
            // Padding is never stored, so a slot that ends where only padding follows holds all that is left.
            if distance == 0 && (slot.size * 8 >= bits || slot.padded_size * 8 >= rest) {
                return Some(fragment.map(|(offset, bits)| ExprOp::Fragment { offset, bits }).into_iter().collect());
            }
            let offset = first.checked_add(distance)?;
            Some(vec![ExprOp::Fragment { offset, bits: left.min(slot.size * 8) }])
        }
        // The variable is behind the pointer in the slot.
        Some((ExprOp::Deref, ops)) if distance == 0 => {
            let fragment = fragment.map(|(offset, bits)| ExprOp::Fragment { offset, bits });
            Some(ops.iter().cloned().chain([ExprOp::Deref]).chain(fragment).collect())
        }
        Some(_) => None,
    }
}

/// Size in bits of a variable, if its type tells.
fn variable_bits(debug: &DebugInfo, variable: VarId) -> Option<u64> {
    let bits = debug.bits(debug.variables[variable].ty?);
    (bits > 0).then_some(bits)
}
