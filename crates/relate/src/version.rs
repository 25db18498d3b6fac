//! What is known of a version of a function before it is followed: where it is cut, what is live there, what of its stack is
//! private.
//!
//! Every cycle is cut at the target of an edge that a depth-first walk finds to lead back, whether or not the graph is
//! reducible. Between two cut points code is loop-free.

use ir::constant::ConstKind;
use ir::id::{BlockId, FuncId, Id, InstId};
use ir::inst::{InstKind, Value};
use ir::module::{Function, Module};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// A version of a function.
pub struct Version<'m> {
    /// Its module.
    pub module: &'m Module,
    /// The function.
    pub function: &'m Function,
    /// Blocks that can be reached, each behind those that lead to it but for edges back.
    pub order: Vec<BlockId>,
    /// Position of each block in the order.
    pub position: Vec<Option<usize>>,
    /// Blocks at which cycles are cut.
    pub cuts: BTreeSet<BlockId>,
    /// Values that are used at or behind a cut and made before it, and phis of the cut.
    pub live: BTreeMap<BlockId, Vec<InstId>>,
    /// Allocas of the entry block with a known size, and their size and alignment in bytes.
    pub locals: BTreeMap<InstId, (u64, u64)>,
    /// Those of them whose address nobody but loads and stores of this function sees.
    pub private: BTreeSet<InstId>,
    /// Private locals by the addresses that are computed from theirs, and by their own.
    pub local_of: FxHashMap<InstId, InstId>,
}

/// Most bytes that a copy or fill of known length may have to be followed as reads and writes.
pub const MAX_COPY: u64 = 256;

/// Where an instruction stands among all that are followed: the position of its block, and its own in the block.
pub type Position = (usize, usize);

impl<'m> Version<'m> {
    /// Where an instruction stands; first of all if it is in no block that can be reached.
    pub fn position_of(&self, inst: InstId) -> Position {
        let blocks = self.function.blocks.iter_ids();
        let mut found =
            blocks.filter_map(|(id, block)| Some((id, block.insts.iter().position(|other| *other == inst)?)));
        let found = found.next().and_then(|(id, at)| Some((self.position[id.index()]?, at)));
        found.unwrap_or_default()
    }

    /// Looks at a function that has a body.
    pub fn new(module: &'m Module, id: FuncId) -> Version<'m> {
        let function = &module.functions[id];
        let (order, cuts) = order(function);
        let mut position = vec![None; function.blocks.len()];
        for (at, block) in order.iter().enumerate() {
            position[block.index()] = Some(at);
        }
        let live = live(function, &order, &cuts);
        let locals = locals(module, function);
        let (mut private, mut local_of) = (BTreeSet::new(), FxHashMap::default());
        for &local in locals.keys() {
            if let Some(addresses) = private_addresses(module, function, local) {
                private.insert(local);
                local_of.extend(addresses.into_iter().map(|address| (address, local)));
            }
        }
        Version { module, function, order, position, cuts, live, locals, private, local_of }
    }
}

/// Whether a function has no loops.
pub fn is_loop_free(function: &Function) -> bool {
    order(function).1.is_empty()
}

/// Blocks in reverse post-order, and the targets of edges that lead back.
fn order(function: &Function) -> (Vec<BlockId>, BTreeSet<BlockId>) {
    let successors = |block: BlockId| function.terminator(block).map(|inst| inst.kind.successors()).unwrap_or_default();
    let (mut order, mut cuts) = (Vec::new(), BTreeSet::new());
    let (mut seen, mut open): (FxHashSet<BlockId>, FxHashSet<BlockId>) = Default::default();
    let Some(entry) = function.blocks.ids().next() else { return (order, cuts) };
    let mut stack = vec![(entry, successors(entry), 0)];
    seen.insert(entry);
    open.insert(entry);
    while let Some((block, next, at)) = stack.last_mut() {
        match next.get(*at).copied() {
            Some(target) => {
                *at += 1;
                if open.contains(&target) {
                    cuts.insert(target);
                } else if seen.insert(target) {
                    open.insert(target);
                    stack.push((target, successors(target), 0));
                }
            }
            None => {
                open.remove(block);
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    (order, cuts)
}

/// Which values each cut needs.
fn live(function: &Function, order: &[BlockId], cuts: &BTreeSet<BlockId>) -> BTreeMap<BlockId, Vec<InstId>> {
    if cuts.is_empty() {
        return BTreeMap::new();
    }
    let mut live_in: BTreeMap<BlockId, BTreeSet<InstId>> = BTreeMap::new();
    let is_phi = |inst: InstId| matches!(function.insts[inst].kind, InstKind::Phi { .. });
    loop {
        let mut changed = false;
        for &block in order.iter().rev() {
            let mut live: BTreeSet<InstId> = BTreeSet::new();
            let insts = &function.blocks[block].insts;
            if let Some(last) = function.terminator(block) {
                last.kind.for_each_successor(|next| {
                    live.extend(live_in.get(&next).into_iter().flatten());
                    for &phi in &function.blocks[next].insts {
                        if let InstKind::Phi { incoming, .. } = &function.insts[phi].kind {
                            let own = incoming.iter().filter(|(from, _)| *from == block);
                            live.extend(own.filter_map(|(_, value)| made_by(*value)));
                        }
                    }
                });
            }
            for &inst in insts.iter().rev() {
                live.remove(&inst);
                let kind = &function.insts[inst].kind;
                if !is_phi(inst) && !matches!(kind, InstKind::Marker(_)) {
                    kind.for_each_operand(|value| live.extend(made_by(value)));
                }
            }
            if live_in.get(&block) != Some(&live) {
                live_in.insert(block, live);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let at_cut = |cut: &BlockId| {
        let phis = function.blocks[*cut].insts.iter().copied().filter(|&inst| is_phi(inst));
        let mut all: BTreeSet<InstId> = live_in.remove(cut).unwrap_or_default();
        all.extend(phis);
        (*cut, all.into_iter().collect())
    };
    cuts.iter().map(at_cut).collect()
}

fn made_by(value: Value) -> Option<InstId> {
    match value {
        Value::Inst(inst) => Some(inst),
        _ => None,
    }
}

/// Allocas of the entry block with a known size.
fn locals(module: &Module, function: &Function) -> BTreeMap<InstId, (u64, u64)> {
    let Some(entry) = function.blocks.ids().next() else { return BTreeMap::new() };
    let known = function.blocks[entry].insts.iter().filter_map(|&inst| {
        let InstKind::Alloca { element, count, align } = &function.insts[inst].kind else { return None };
        let layout = module.type_layouts.get(*element)?;
        let size = layout.size.checked_mul(constant(module, *count)?)?;
        Some((inst, (size, align.map_or(layout.align, |align| align.bytes()))))
    });
    known.collect()
}

/// The number that a constant is.
pub fn constant(module: &Module, value: Value) -> Option<u64> {
    match value {
        Value::Const(id) => match module.consts[id].kind {
            ConstKind::Int(number) => u64::try_from(number).ok(),
            _ => None,
        },
        _ => None,
    }
}

/// The addresses that are computed from an alloca's, if all of them are used for loads, stores, short copies and fills of this
/// function only.
fn private_addresses(module: &Module, function: &Function, local: InstId) -> Option<FxHashSet<InstId>> {
    let mut derived: FxHashSet<InstId> = FxHashSet::from_iter([local]);
    loop {
        let mut grown = false;
        for (_, id, inst) in function.body() {
            let is_derived = |value: &Value| made_by(*value).is_some_and(|made| derived.contains(&made));
            let mut used = false;
            inst.kind.for_each_operand(|value| used |= is_derived(&value));
            if !used {
                continue;
            }
            match &inst.kind {
                InstKind::Marker(_) => {}
                InstKind::Load { access, .. } if !access.volatile && access.ordering.is_none() => {}
                InstKind::Store { value, access, .. }
                    if !access.volatile && access.ordering.is_none() && !is_derived(value) => {}
                InstKind::Gep { indices, .. } if !indices.iter().any(is_derived) => grown |= derived.insert(id),
                kind @ InstKind::Call(call) => {
                    let name = module.called_function(kind).map(|callee| module.function_name(callee));
                    let length = || call.args.get(2).and_then(|&length| constant(module, length));
                    let plain = || call.args.get(3).and_then(|&volatile| constant(module, volatile)) == Some(0);
                    match name {
                        Some(name) if name.starts_with("llvm.lifetime.") => {}
                        Some(name) if is_transfer(name) && plain() && length().is_some_and(|n| n <= MAX_COPY) => {}
                        _ => return None,
                    }
                }
                _ => return None,
            }
        }
        if !grown {
            return Some(derived);
        }
    }
}

/// Whether an intrinsic copies or fills memory.
pub fn is_transfer(name: &str) -> bool {
    ["llvm.memcpy.", "llvm.memmove.", "llvm.memset."].iter().any(|begin| name.starts_with(begin))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn version<R>(text: &str, look: impl FnOnce(&Version) -> R) -> R {
        let module = ir::parse::parse(text).unwrap();
        let id = module.functions.ids().find(|&id| module.functions[id].is_defined()).unwrap();
        look(&Version::new(&module, id))
    }

    #[test]
    fn loops_are_cut_at_their_headers() {
        let text = "define i32 @f(i32 %n) {\n\
            entry:\n  br label %head\n\
            head:\n  %i = phi i32 [ 0, %entry ], [ %j, %body ]\n  %c = icmp slt i32 %i, %n\n\
              br i1 %c, label %body, label %out\n\
            body:\n  %j = add i32 %i, 1\n  br label %head\n\
            out:\n  ret i32 %i\n}\n";
        version(text, |version| {
            assert_eq!(version.cuts.len(), 1);
            let live: usize = version.live.values().map(Vec::len).sum();
            assert_eq!(live, 1, "{:?}", version.live);
        });
    }

    #[test]
    fn a_local_is_private_until_its_address_gets_out() {
        let text = |call: &str| {
            format!(
                "declare void @g(ptr)\ndefine i32 @f() {{\n  %a = alloca [4 x i32]\n  \
                 %p = getelementptr [4 x i32], ptr %a, i64 0, i64 1\n  store i32 1, ptr %p\n  {call}\n  \
                 %v = load i32, ptr %p\n  ret i32 %v\n}}\n"
            )
        };
        version(&text(""), |version| assert_eq!(version.private.len(), 1));
        version(&text("call void @g(ptr %p)"), |version| assert_eq!(version.private.len(), 0));
    }
}
