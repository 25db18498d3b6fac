//! Goes on where an interrupted exploration of the same program within the same bounds stopped.
//!
//! What it found is a [`Tree`] of paths. A part of the tree that was followed to all its ends is not entered again: its
//! paths are handed out by their numbers. The rest is explored as if nothing had been there, so the result is the same.
//! A decision is one of the tree only if its conditions are the same; nothing below any other one is taken over.

use crate::forking::{Explorer, Open, Side};
use crate::reuse::Taken;
use crate::tree::{NodeId, Tree};

/// Paths of an exploration that was interrupted.
pub struct Done {
    pub(crate) tree: Tree,
    pub(crate) ranges: Vec<(u32, u32)>,
    complete: Vec<bool>,
}

impl Done {
    /// What the tree of an interrupted exploration says; its paths are numbered in order.
    pub fn new(tree: Tree) -> Done {
        Done { complete: tree.complete(), ranges: tree.ranges(), tree }
    }

    /// Whether all below a node was followed to its end.
    pub(crate) fn is_complete(&self, node: NodeId) -> bool {
        self.complete.get(node.0 as usize).copied().unwrap_or(false)
    }
}

impl Explorer<'_, '_> {
    /// Where a state stands behind a side of an open decision, if the interrupted run was there.
    pub(crate) fn done_below(&self, at: Option<NodeId>, digest: u64, side: u32) -> Option<NodeId> {
        let children = self.done?.tree.fork(at?, digest)?;
        children.iter().find(|(of, _)| *of == side).map(|(_, child)| *child)
    }

    /// Marks the sides of an open decision that the interrupted run followed to all their ends.
    pub(crate) fn mark_done(&self, open: &Open, digest: u64, sides: &mut [Side]) {
        let Some(done) = self.done else { return };
        for side in sides {
            if let Some(child) = self.done_below(open.done, digest, side.side)
                && done.is_complete(child)
            {
                side.take = Some(Taken::Done(child));
            }
        }
    }
}
