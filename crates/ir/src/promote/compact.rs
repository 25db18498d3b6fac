//! Numbers instructions anew.

use crate::id::{Arena, Id, InstId};
use crate::inst::{Inst, InstKind, Value};
use crate::module::Function;

/// Drops dead instructions and numbers the others in the order of the blocks. A dead instruction that is still an
/// operand of something stays, behind all others.
pub fn compact(function: &mut Function) {
    let mut order: Vec<InstId> = function.body().map(|(_, id, _)| id).collect();
    let sorted = order.iter().enumerate().all(|(i, id)| id.index() == i);
    if sorted && order.len() == function.insts.len() {
        return;
    }
    let mut numbers: Vec<Option<InstId>> = vec![None; function.insts.len()];
    for (i, id) in order.iter().enumerate() {
        numbers[id.index()] = Some(InstId::from_index(i));
    }
    let mut next = 0;
    while let Some(&id) = order.get(next) {
        function.insts[id].kind.for_each_operand(|operand| {
            if let Value::Inst(used) = operand
                && numbers[used.index()].is_none()
            {
                numbers[used.index()] = Some(InstId::from_index(order.len()));
                order.push(used);
            }
        });
        next += 1;
    }

    let mut old = std::mem::take(&mut function.insts);
    function.insts = order.iter().map(|&id| take(&mut old, id)).collect::<Arena<InstId, Inst>>();
    let renumber = |id: InstId| numbers[id.index()].unwrap_or(id);
    for inst in function.insts.iter_mut() {
        inst.kind.map_operands(|operand| match operand {
            Value::Inst(id) => Value::Inst(renumber(id)),
            other => other,
        });
    }
    for block in function.blocks.iter_mut() {
        block.insts.iter_mut().for_each(|id| *id = renumber(*id));
    }
}

fn take(insts: &mut Arena<InstId, Inst>, id: InstId) -> Inst {
    let inst = &mut insts[id];
    let gone = Inst { kind: InstKind::Unreachable, ty: inst.ty, loc: None, name: None };
    std::mem::replace(inst, gone)
}
