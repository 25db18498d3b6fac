//! What an instruction uses, defines and goes to.

use crate::id::BlockId;
use crate::inst::{Call, Callee, InstKind, Value};

impl InstKind {
    /// Whether it ends its block.
    pub fn is_terminator(&self) -> bool {
        match self {
            InstKind::Ret(_)
            | InstKind::Br(_)
            | InstKind::CondBr { .. }
            | InstKind::Switch { .. }
            | InstKind::IndirectBr { .. }
            | InstKind::Invoke { .. }
            | InstKind::Resume(_)
            | InstKind::Unreachable => true,
            InstKind::Unsupported(unsupported) => unsupported.terminator,
            _ => false,
        }
    }

    /// The call of a call or invoke.
    pub fn call(&self) -> Option<&Call> {
        match self {
            InstKind::Call(call) | InstKind::Invoke { call, .. } => Some(call),
            _ => None,
        }
    }

    /// Blocks that control may go to next, in order, repeated where the instruction repeats them.
    pub fn successors(&self) -> Vec<BlockId> {
        let mut successors = Vec::new();
        self.for_each_successor(|block| successors.push(block));
        successors
    }

    /// Calls `visit` with every block that control may go to next, in order, repeated where the instruction repeats them.
    pub fn for_each_successor(&self, mut visit: impl FnMut(BlockId)) {
        match self {
            InstKind::Br(target) => visit(*target),
            InstKind::CondBr { then, otherwise, .. } => [*then, *otherwise].into_iter().for_each(visit),
            InstKind::Switch { default, cases, .. } => {
                visit(*default);
                cases.iter().for_each(|&(_, block)| visit(block));
            }
            InstKind::IndirectBr { targets, .. } => targets.iter().copied().for_each(visit),
            InstKind::Invoke { normal, unwind, .. } => [*normal, *unwind].into_iter().for_each(visit),
            _ => {}
        }
    }

    /// Calls `visit` with every operand in order, those of phis and markers too.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Value)) {
        let mut apply = |value: &Value| visit(*value);
        match self {
            InstKind::Alloca { count, .. } => apply(count),
            InstKind::Load { ptr, .. } => apply(ptr),
            InstKind::Store { value, ptr, .. } => [value, ptr].into_iter().for_each(apply),
            InstKind::Gep { base, indices, .. } => {
                apply(base);
                indices.iter().for_each(apply);
            }
            InstKind::Binary { left, right, .. } | InstKind::Compare { left, right, .. } => {
                [left, right].into_iter().for_each(apply);
            }
            InstKind::FNeg { value, .. } | InstKind::Cast { value, .. } => apply(value),
            InstKind::Select { condition, then, otherwise, .. } => {
                [condition, then, otherwise].into_iter().for_each(apply);
            }
            InstKind::Phi { incoming, .. } => incoming.iter().for_each(|(_, value)| apply(value)),
            InstKind::Freeze(value) | InstKind::Resume(value) => apply(value),
            InstKind::Call(call) | InstKind::Invoke { call, .. } => {
                if let Callee::Value(value) = &call.callee {
                    apply(value);
                }
                call.args.iter().for_each(&mut apply);
                call.bundles.iter().flat_map(|b| b.operands.iter()).for_each(|(_, value)| apply(value));
            }
            InstKind::ExtractValue { aggregate, .. } => apply(aggregate),
            InstKind::InsertValue { aggregate, element, .. } => [aggregate, element].into_iter().for_each(apply),
            InstKind::ExtractElement { vector, index } => [vector, index].into_iter().for_each(apply),
            InstKind::InsertElement { vector, element, index } => {
                [vector, element, index].into_iter().for_each(apply);
            }
            InstKind::ShuffleVector { left, right, mask } => [left, right, mask].into_iter().for_each(apply),
            InstKind::AtomicRmw(rmw) => [&rmw.ptr, &rmw.value].into_iter().for_each(apply),
            InstKind::CompareExchange(x) => {
                [&x.ptr, &x.expected, &x.new].into_iter().for_each(apply);
            }
            InstKind::VaArg { list } => apply(list),
            InstKind::LandingPad { clauses, .. } => clauses.iter().for_each(|clause| apply(&clause.value)),
            InstKind::Marker(marker) => marker.value.iter().for_each(apply),
            InstKind::Ret(value) => value.iter().for_each(apply),
            InstKind::CondBr { condition, .. } => apply(condition),
            InstKind::Switch { value, .. } => apply(value),
            InstKind::IndirectBr { address, .. } => apply(address),
            InstKind::Fence { .. } | InstKind::Br(_) | InstKind::Unreachable | InstKind::Unsupported(_) => {}
        }
    }

    /// Replaces every operand by what `map` makes of it.
    pub fn map_operands(&mut self, mut map: impl FnMut(Value) -> Value) {
        let mut apply = |value: &mut Value| *value = map(*value);
        match self {
            InstKind::Alloca { count, .. } => apply(count),
            InstKind::Load { ptr, .. } => apply(ptr),
            InstKind::Store { value, ptr, .. } => [value, ptr].into_iter().for_each(apply),
            InstKind::Gep { base, indices, .. } => {
                apply(base);
                indices.iter_mut().for_each(apply);
            }
            InstKind::Binary { left, right, .. } | InstKind::Compare { left, right, .. } => {
                [left, right].into_iter().for_each(apply);
            }
            InstKind::FNeg { value, .. } | InstKind::Cast { value, .. } => apply(value),
            InstKind::Select { condition, then, otherwise, .. } => {
                [condition, then, otherwise].into_iter().for_each(apply);
            }
            InstKind::Phi { incoming, .. } => incoming.iter_mut().for_each(|(_, value)| apply(value)),
            InstKind::Freeze(value) | InstKind::Resume(value) => apply(value),
            InstKind::Call(call) | InstKind::Invoke { call, .. } => {
                if let Callee::Value(value) = &mut call.callee {
                    apply(value);
                }
                call.args.iter_mut().for_each(&mut apply);
                call.bundles.iter_mut().flat_map(|b| b.operands.iter_mut()).for_each(|(_, value)| apply(value));
            }
            InstKind::ExtractValue { aggregate, .. } => apply(aggregate),
            InstKind::InsertValue { aggregate, element, .. } => [aggregate, element].into_iter().for_each(apply),
            InstKind::ExtractElement { vector, index } => [vector, index].into_iter().for_each(apply),
            InstKind::InsertElement { vector, element, index } => {
                [vector, element, index].into_iter().for_each(apply);
            }
            InstKind::ShuffleVector { left, right, mask } => [left, right, mask].into_iter().for_each(apply),
            InstKind::AtomicRmw(rmw) => [&mut rmw.ptr, &mut rmw.value].into_iter().for_each(apply),
            InstKind::CompareExchange(x) => {
                [&mut x.ptr, &mut x.expected, &mut x.new].into_iter().for_each(apply);
            }
            InstKind::VaArg { list } => apply(list),
            InstKind::LandingPad { clauses, .. } => clauses.iter_mut().for_each(|clause| apply(&mut clause.value)),
            InstKind::Marker(marker) => marker.value.iter_mut().for_each(apply),
            InstKind::Ret(value) => value.iter_mut().for_each(apply),
            InstKind::CondBr { condition, .. } => apply(condition),
            InstKind::Switch { value, .. } => apply(value),
            InstKind::IndirectBr { address, .. } => apply(address),
            InstKind::Fence { .. } | InstKind::Br(_) | InstKind::Unreachable | InstKind::Unsupported(_) => {}
        }
    }

    /// Replaces every block that control may go to, and every predecessor of a phi.
    pub fn map_blocks(&mut self, mut map: impl FnMut(BlockId) -> BlockId) {
        let mut apply = |block: &mut BlockId| *block = map(*block);
        match self {
            InstKind::Br(target) => apply(target),
            InstKind::CondBr { then, otherwise, .. } => [then, otherwise].into_iter().for_each(apply),
            InstKind::Switch { default, cases, .. } => {
                apply(default);
                cases.iter_mut().for_each(|(_, block)| apply(block));
            }
            InstKind::IndirectBr { targets, .. } => targets.iter_mut().for_each(apply),
            InstKind::Invoke { normal, unwind, .. } => [normal, unwind].into_iter().for_each(apply),
            InstKind::Phi { incoming, .. } => incoming.iter_mut().for_each(|(block, _)| apply(block)),
            _ => {}
        }
    }
}
