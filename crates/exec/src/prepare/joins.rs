//! Where the ways from a block meet again: its closest post-dominator.
//!
//! Ways that never come to a return (an abort, an endless loop) meet nothing and are left out.

use ir::dominators::Dominators;
use ir::id::{BlockId, Id};
use ir::inst::InstKind;
use ir::module::Function;

/// For each block the one where all ways from it that come to a return meet; `None` if they meet only behind the
/// function.
pub fn joins(function: &Function) -> Vec<Option<BlockId>> {
    let exit = function.blocks.len();
    let mut backward = vec![Vec::new(); exit + 1];
    for block in function.blocks.ids() {
        let Some(last) = function.terminator(block) else { continue };
        if matches!(last.kind, InstKind::Ret(_) | InstKind::Resume(_)) {
            backward[exit].push(block.index());
        }
        last.kind.for_each_successor(|to| backward[to.index()].push(block.index()));
    }
    let dominators = Dominators::new(&backward[..], exit);
    let join = |block: BlockId| dominators.immediate(block.index()).filter(|&join| join != exit);
    function.blocks.ids().map(|block| join(block).map(BlockId::from_index)).collect()
}
