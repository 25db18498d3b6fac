//! Bodies of callees in place of their calls.
//!
//! Whoever compares two versions of a function does not care whether a part of it has become a function of its own. [`inline_calls`] takes
//! the bodies of some callees into one function. Everything that was in the function keeps its id: the call becomes the
//! phi of what the callee returns, and what comes behind it moves to a block of its own.
//!
//! Not every call can be replaced: the callee needs a body that ends with returns, unwinding or nowhere, parameters that fit,
//! and none that is a copy that the call makes. Locals of the callee become locals of the caller.

use crate::attrs::{Attr, AttrFlag};
use crate::id::{BlockId, FuncId, InstId};
use crate::inst::{Flags, Inst, InstKind, Tail, Value};
use crate::module::{Block, Function, Module};
use rustc_hash::FxHashMap;

/// How much is taken in.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Instructions of all callees together.
    pub instructions: usize,
    /// How deep callees of callees are taken in.
    pub depth: u32,
}

/// Takes the bodies of callees into a function where the call is `wanted`; how many calls were replaced.
pub fn inline_calls(
    module: &mut Module,
    caller: FuncId,
    limits: Limits,
    mut wanted: impl FnMut(InstId, FuncId) -> bool,
) -> usize {
    let mut room = limits.instructions;
    let mut replaced = 0;
    for _ in 0..limits.depth {
        let calls: Vec<(InstId, FuncId)> = module.functions[caller]
            .body()
            .filter_map(|(_, id, inst)| Some((id, module.called_function(&inst.kind)?)))
            .filter(|&(id, callee)| callee != caller && fits(module, caller, id, callee) && wanted(id, callee))
            .collect();
        let before = replaced;
        for (call, callee) in calls {
            let size = module.functions[callee].insts.len();
            if size > room {
                continue;
            }
            room -= size;
            // Blocks move while calls are replaced.
            let place = module.functions[caller].body().find(|(_, id, _)| *id == call).map(|(block, ..)| block);
            if let Some(block) = place {
                replace(module, caller, (block, call), callee);
                replaced += 1;
            }
        }
        if replaced == before {
            break;
        }
    }
    replaced
}

/// Whether a call can be replaced by the body of its callee.
fn fits(module: &Module, caller: FuncId, call: InstId, callee: FuncId) -> bool {
    let function = &module.functions[callee];
    let inst = &module.functions[caller].insts[call];
    let InstKind::Call(made) = &inst.kind else { return false };
    let Some((result, params, variadic)) = module.types.signature(function.ty) else { return false };
    let is_copy = |attr: &Attr| matches!(attr, Attr::ByVal(_) | Attr::InAlloca(_) | Attr::ByRef(_));
    let copies = function.params.iter().any(|param| module.attrs[param.attrs].0.iter().any(is_copy));
    let may_be_entered = |inst: &Inst| match &inst.kind {
        InstKind::IndirectBr { .. } | InstKind::Unsupported(_) | InstKind::VaArg { .. } => false,
        kind => kind
            .call()
            .is_none_or(|call| call.tail != Tail::MustTail && !module.attrs[call.attrs].has(AttrFlag::ReturnsTwice)),
    };
    let entry = function.blocks.ids().next();
    let is_static = |block: BlockId, inst: &Inst| match inst.kind {
        // Memory of a size that is only known there lives until the callee returns.
        InstKind::Alloca { count, .. } => Some(block) == entry && matches!(count, Value::Const(_)),
        _ => true,
    };
    function.is_defined()
        && !variadic
        && !copies
        && made.tail != Tail::MustTail
        && made.bundles.is_empty()
        && made.function_ty == function.ty
        && inst.ty == result
        && made.args.len() == params.len()
        && function.params.len() == params.len()
        && entry.is_some_and(|entry| !is_branched_to(function, entry))
        && function.body().all(|(block, _, inst)| may_be_entered(inst) && is_static(block, inst))
        && function.body().any(|(_, _, inst)| matches!(inst.kind, InstKind::Ret(_)))
}

fn is_branched_to(function: &Function, block: BlockId) -> bool {
    function.body().any(|(_, _, inst)| inst.kind.successors().contains(&block))
}

/// Replaces a call by the body of its callee.
fn replace(module: &mut Module, caller: FuncId, (block, call): (BlockId, InstId), callee: FuncId) {
    let InstKind::Call(made) = module.functions[caller].insts[call].kind.clone() else { return };
    let body = module.functions[callee].clone();
    let function = &mut module.functions[caller];
    let Some(entry) = function.blocks.ids().next() else { return };
    let blocks: FxHashMap<BlockId, BlockId> =
        body.blocks.ids().map(|id| (id, function.blocks.push(Block { name: None, insts: Vec::new() }))).collect();
    let behind = split(function, block, call);
    let insts: FxHashMap<InstId, InstId> =
        body.body().map(|(_, id, inst)| (id, function.insts.push(inst.clone()))).collect();
    let mut locals = Vec::new();
    let mut returned: Vec<(BlockId, Value)> = Vec::new();
    let of_caller = |value: Value| match value {
        Value::Arg(index) => made.args.get(index as usize).copied().unwrap_or(value),
        Value::Inst(inst) => insts.get(&inst).map_or(value, |inst| Value::Inst(*inst)),
        Value::Const(_) => value,
    };
    for (id, contents) in body.blocks.iter_ids() {
        let place = blocks[&id];
        for inst in &contents.insts {
            let copy = insts[inst];
            let inst = &mut function.insts[copy];
            inst.kind.map_operands(of_caller);
            inst.kind.map_blocks(|block| blocks.get(&block).copied().unwrap_or(block));
            match &inst.kind {
                InstKind::Alloca { .. } => {
                    locals.push(copy);
                    continue;
                }
                InstKind::Ret(value) => {
                    returned.extend(value.map(|value| (place, value)));
                    inst.kind = InstKind::Br(behind);
                }
                _ => {}
            }
            function.blocks[place].insts.push(copy);
        }
    }
    function.blocks[entry].insts.splice(0..0, locals);
    let begin = body.blocks.ids().next().map_or(behind, |entry| blocks[&entry]);
    match returned[..] {
        [] => {}
        [(_, only)] => {
            let result = Value::Inst(call);
            for inst in function.insts.iter_mut() {
                inst.kind.map_operands(|value| if value == result { only } else { value });
            }
        }
        _ => {
            function.insts[call].kind = InstKind::Phi { incoming: returned.into(), flags: Flags::empty() };
            function.blocks[behind].insts.insert(0, call);
        }
    }
    let (loc, ty) =
        (function.insts[call].loc, body.insts.iter().find(|inst| inst.kind.is_terminator()).map(|inst| inst.ty));
    let enter = Inst { kind: InstKind::Br(begin), ty: ty.unwrap_or(function.insts[call].ty), loc, name: None };
    let enter = function.insts.push(enter);
    function.blocks[block].insts.push(enter);
    lay_out(function, block, blocks.len() + 1);
}

/// Puts blocks that were added last behind the one that leads to them: the order of blocks is that of the source, and whoever compares
/// versions goes by it. The last one added leads on.
fn lay_out(function: &mut Function, behind: BlockId, added: usize) {
    let ids: Vec<BlockId> = function.blocks.ids().collect();
    let (known, added) = ids.split_at(ids.len() - added);
    let Some(at) = known.iter().position(|id| *id == behind) else { return };
    let (before, after) = known.split_at(at + 1);
    let order: Vec<BlockId> = [before, added, after].concat();
    let places: FxHashMap<BlockId, BlockId> = order.iter().copied().zip(ids.iter().copied()).collect();
    function.blocks = order.iter().map(|id| function.blocks[*id].clone()).collect();
    for inst in function.insts.iter_mut() {
        inst.kind.map_blocks(|block| places.get(&block).copied().unwrap_or(block));
    }
}

/// Moves what stands behind an instruction to a block of its own, and takes the instruction out.
fn split(function: &mut Function, block: BlockId, at: InstId) -> BlockId {
    let insts = &mut function.blocks[block].insts;
    let position = insts.iter().position(|inst| *inst == at).unwrap_or(insts.len());
    let mut rest = insts.split_off(position);
    rest.retain(|inst| *inst != at);
    let behind = function.blocks.push(Block { name: None, insts: rest });
    let next = function.terminator(behind).map(|inst| inst.kind.successors()).unwrap_or_default();
    for successor in next {
        for inst in function.blocks[successor].insts.clone() {
            if let InstKind::Phi { incoming, .. } = &mut function.insts[inst].kind {
                incoming.iter_mut().filter(|(from, _)| *from == block).for_each(|(from, _)| *from = behind);
            }
        }
    }
    behind
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { instructions: 100, depth: 3 };

    fn inlined(text: &str) -> (usize, String) {
        let mut module = crate::parse::parse(text).unwrap();
        let caller = module.functions.ids().find(|&id| module.function_name(id) == "f").unwrap();
        let replaced = inline_calls(&mut module, caller, LIMITS, |_, _| true);
        let printed = crate::print::print(&module);
        // What is printed is a module again: the parser checks dominance, phis and types.
        crate::parse::parse(&printed).unwrap();
        (replaced, printed)
    }

    #[test]
    fn bodies_take_the_place_of_calls() {
        let (replaced, text) = inlined(
            "declare void @out(i32)\n\
             define i32 @h(i32 %x) {\n  %l = alloca i32\n  store i32 %x, ptr %l\n  %v = load i32, ptr %l\n  ret i32 %v\n}\n\
             define i32 @g(i32 %a) {\n  %c = icmp sgt i32 %a, 3\n  br i1 %c, label %t, label %e\n\
             t:\n  %h = call i32 @h(i32 %a)\n  ret i32 %h\ne:\n  ret i32 7\n}\n\
             define i32 @f(i32 %n) {\nentry:\n  br label %head\n\
             head:\n  %i = phi i32 [ 0, %entry ], [ %j, %head ]\n  %g = call i32 @g(i32 %i)\n  call void @out(i32 %g)\n  \
             %j = add i32 %i, 1\n  %c = icmp slt i32 %j, %n\n  br i1 %c, label %head, label %end\n\
             end:\n  ret i32 %g\n}\n",
        );
        let of_f = text.split("@f(").nth(1).unwrap();
        assert_eq!(replaced, 2);
        assert!(!of_f.contains("call i32") && of_f.contains("call void @out"), "{of_f}");
        assert!(of_f.find("alloca").unwrap() < of_f.find("br ").unwrap(), "{of_f}");
    }

    #[test]
    fn some_calls_stay() {
        let stays = |callee: &str, call: &str| {
            let (replaced, _) =
                inlined(&format!("{callee}\ndefine void @f(ptr %p, i32 %n) {{\n  {call}\n  ret void\n}}\n"));
            assert_eq!(replaced, 0, "{callee}");
        };
        stays("declare void @g(i32)", "call void @g(i32 %n)");
        stays("define void @g(i32 %a, ...) {\n  ret void\n}", "call void (i32, ...) @g(i32 %n)");
        stays("define void @g(ptr byval(i32) %a) {\n  ret void\n}", "call void @g(ptr byval(i32) %p)");
        stays("define void @g(i32 %a) {\n  unreachable\n}", "call void @g(i32 %n)");
        stays("define void @g(i32 %a) {\n  %l = alloca i8, i32 %a\n  ret void\n}", "call void @g(i32 %n)");
        stays("define void @g(i32 %a) {\n  ret void\n}", "call void @f(ptr %p, i32 %n)");
    }
}
