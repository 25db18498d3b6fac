//! The canonical digest of a function.
//!
//! Blocks are numbered as a depth-first walk from the entry meets them, values in the order of the blocks. Stack objects
//! and phis have no place of their own within a block: they are numbered as they are first used, so their order and those
//! nobody uses do not matter. Two functions with equal digests are the same but for these numbers, which
//! [`Body::order`] maps onto each other.

use crate::canon::{Canon, linkage_class};
use crate::digest::{Digest, Hasher};
use crate::form::{Form, Operand, sorted_cases};
use crate::names::is_intrinsic;
use ir::id::{BlockId, FuncId, Id, InstId};
use ir::inst::{InstKind, Value};
use ir::module::{Function, Module};

/// A function's canonical digest, and its instructions in canonical order.
pub(crate) struct Body {
    pub digest: Digest,
    pub order: Vec<InstId>,
}

/// The digest of all that a function is to its callers, without its body.
pub(crate) fn signature(canon: &Canon<'_>, id: FuncId) -> Digest {
    let module = canon.module;
    let function = &module.functions[id];
    let symbol = &module.symbols[function.symbol];
    let mut hasher = Hasher::new("signature");
    hasher.digest(canon.ty(function.ty));
    hasher.word(u64::from(function.convention));
    hasher.word(linkage_class(symbol.linkage));
    hasher.word(u64::from(function.is_defined()));
    if is_intrinsic(module, function.symbol) {
        // Its name says it all; what is written besides depends on the compiler's version.
        return hasher.finish();
    }
    function.params.iter().for_each(|param| hasher.digest(canon.attrs(param.attrs)));
    hasher.digest(canon.attrs(function.result_attrs));
    hasher.digest(canon.attrs(function.attrs));
    hasher.word(function.align.map_or(0, |align| u64::from(align.0) + 1));
    hasher.text(function.section.map_or("", |section| module.str(section)));
    hasher.text(function.gc.map_or("", |gc| module.str(gc)));
    match function.personality {
        Some(personality) => hasher.digest(canon.constant(personality)),
        None => hasher.word(0),
    }
    hasher.finish()
}

/// The canonical digest of a function with the given forms of its instructions.
pub(crate) fn body(canon: &Canon<'_>, id: FuncId, forms: &[Form]) -> Body {
    let function = &canon.module.functions[id];
    let blocks = block_order(canon.module, function);
    let mut numbering = Numbering::new(function, &blocks);
    for block in &blocks {
        for &inst in &function.blocks[*block].insts {
            let kind = &function.insts[inst].kind;
            if !matches!(kind, InstKind::Marker(_)) && !floats(function, *block, kind) {
                numbering.define(inst);
            }
        }
    }
    let mut hasher = Hasher::new("function");
    hasher.digest(signature(canon, id));
    hasher.word(numbering.order.len() as u64);
    let mut next = 0;
    while let Some(&inst) = numbering.order.get(next) {
        numbering.instruction(&mut hasher, inst, &forms[inst.index()]);
        next += 1;
    }
    Body { digest: hasher.finish(), order: numbering.order }
}

/// Blocks that control can reach, in the order in which a walk from the entry meets them.
pub(crate) fn block_order(module: &Module, function: &Function) -> Vec<BlockId> {
    let mut seen = vec![false; function.blocks.len()];
    let mut order = Vec::new();
    let mut stack: Vec<BlockId> = function.blocks.ids().take(1).collect();
    while let Some(block) = stack.pop() {
        if std::mem::replace(&mut seen[block.index()], true) {
            continue;
        }
        order.push(block);
        let Some(terminator) = function.terminator(block) else { continue };
        let from = stack.len();
        match &terminator.kind {
            InstKind::Switch { default, cases, .. } => {
                stack.push(*default);
                stack.extend(sorted_cases(module, cases).iter().map(|(_, block)| *block));
            }
            kind => kind.for_each_successor(|block| stack.push(block)),
        }
        stack[from..].reverse();
    }
    order
}

/// Whether an instruction's place in its block means nothing.
pub(crate) fn floats(function: &Function, block: BlockId, kind: &InstKind) -> bool {
    match kind {
        InstKind::Phi { .. } => true,
        // Stack memory of a fixed size at the function's start lives as long as the function.
        InstKind::Alloca { count: Value::Const(_), .. } => function.blocks.ids().next() == Some(block),
        _ => false,
    }
}

struct Numbering {
    order: Vec<InstId>,
    values: Vec<Option<u64>>,
    blocks: Vec<Option<u64>>,
    /// The block of each phi.
    phi_blocks: Vec<Option<BlockId>>,
}

impl Numbering {
    fn new(function: &Function, reached: &[BlockId]) -> Numbering {
        let mut blocks = vec![None; function.blocks.len()];
        let mut phi_blocks = vec![None; function.insts.len()];
        for (number, block) in reached.iter().enumerate() {
            blocks[block.index()] = Some(number as u64);
            for inst in &function.blocks[*block].insts {
                if matches!(function.insts[*inst].kind, InstKind::Phi { .. }) {
                    phi_blocks[inst.index()] = Some(*block);
                }
            }
        }
        Numbering { order: Vec::new(), values: vec![None; function.insts.len()], blocks, phi_blocks }
    }

    fn define(&mut self, inst: InstId) -> u64 {
        let number = self.order.len() as u64;
        self.values[inst.index()] = Some(number);
        self.order.push(inst);
        number
    }

    fn instruction(&mut self, hasher: &mut Hasher, inst: InstId, form: &Form) {
        hasher.digest(form.head);
        let Some(block) = self.phi_blocks[inst.index()] else {
            form.operands.iter().for_each(|operand| self.operand(hasher, *operand));
            form.blocks.iter().for_each(|block| hasher.word(self.block(*block)));
            return;
        };
        // Control never comes from a block without a number.
        let mut incoming: Vec<(u64, Operand)> = form
            .blocks
            .iter()
            .zip(&form.operands)
            .filter_map(|(block, operand)| Some((self.blocks[block.index()]?, *operand)))
            .collect();
        incoming.sort_by_key(|(block, _)| *block);
        hasher.word(self.block(block));
        hasher.word(incoming.len() as u64);
        for (block, operand) in incoming {
            hasher.word(block);
            self.operand(hasher, operand);
        }
    }

    fn operand(&mut self, hasher: &mut Hasher, operand: Operand) {
        match operand {
            Operand::Inst(inst) => {
                let number = self.values[inst.index()].unwrap_or_else(|| self.define(inst));
                hasher.word(0);
                hasher.word(number);
            }
            Operand::Arg(index) => {
                hasher.word(1);
                hasher.word(u64::from(index));
            }
            Operand::Fixed(digest) => {
                hasher.word(2);
                hasher.digest(digest);
            }
        }
    }

    fn block(&self, block: BlockId) -> u64 {
        self.blocks[block.index()].unwrap_or(u64::MAX)
    }
}
