//! The loops of a function, as far as counting their rounds needs: which edges enter one, which branches can leave one.
//!
//! An edge to a block that is still open in a depth-first walk closes a loop around that block. In code with jumps
//! into the middle of loops some loop may be taken for part of another; rounds are then counted together.

use ir::id::{BlockId, Id};
use ir::module::Function;

/// The loops of a function.
pub struct Loops {
    /// Blocks of each loop, as one truth value a block.
    members: Vec<Vec<bool>>,
    /// How many blocks each loop has.
    sizes: Vec<usize>,
}

impl Loops {
    /// Finds the loops.
    pub fn find(function: &Function) -> Loops {
        let count = function.blocks.len();
        let successors: Vec<Vec<usize>> = function
            .blocks
            .ids()
            .map(|block| {
                let mut list = Vec::new();
                if let Some(last) = function.terminator(block) {
                    last.kind.for_each_successor(|to| list.push(to.index()));
                }
                list
            })
            .collect();
        let mut predecessors = vec![Vec::new(); count];
        for (from, list) in successors.iter().enumerate() {
            list.iter().for_each(|&to| predecessors[to].push(from));
        }
        // Edges that close a loop, by the block that the loop begins with.
        let mut closing: Vec<(usize, usize)> = Vec::new();
        let (mut seen, mut open) = (vec![false; count], vec![false; count]);
        let mut stack = if count > 0 { vec![(0, 0)] } else { Vec::new() };
        if count > 0 {
            (seen[0], open[0]) = (true, true);
        }
        while let Some((block, next)) = stack.last_mut() {
            match successors[*block].get(*next) {
                Some(&to) => {
                    *next += 1;
                    if open[to] {
                        closing.push((to, *block));
                    } else if !seen[to] {
                        (seen[to], open[to]) = (true, true);
                        stack.push((to, 0));
                    }
                }
                None => {
                    open[*block] = false;
                    stack.pop();
                }
            }
        }
        closing.sort_unstable();
        let mut result = Loops { members: Vec::new(), sizes: Vec::new() };
        for group in closing.chunk_by(|a, b| a.0 == b.0) {
            let head = group[0].0;
            let mut inside = vec![false; count];
            inside[head] = true;
            let mut todo: Vec<usize> = group.iter().map(|&(_, from)| from).collect();
            while let Some(block) = todo.pop() {
                if !inside[block] && seen[block] {
                    inside[block] = true;
                    todo.extend(&predecessors[block]);
                }
            }
            result.sizes.push(inside.iter().filter(|&&member| member).count());
            result.members.push(inside);
        }
        result
    }

    /// How many loops there are.
    pub fn count(&self) -> usize {
        self.members.len()
    }

    /// Whether a block is in a loop.
    pub fn contains(&self, inner: u32, block: BlockId) -> bool {
        self.members[inner as usize][block.index()]
    }

    /// Loops that an edge enters from outside.
    pub fn entered(&self, from: BlockId, to: BlockId) -> Vec<u32> {
        let enters = |inside: &Vec<bool>| inside[to.index()] && !inside[from.index()];
        (0u32..).zip(&self.members).filter(|(_, inside)| enters(inside)).map(|(id, _)| id).collect()
    }

    /// The smallest loop around `from` that some of `targets` are outside of, while others are inside.
    pub fn left(&self, from: BlockId, targets: &[BlockId]) -> Option<u32> {
        let leaves = |inside: &Vec<bool>| {
            inside[from.index()]
                && targets.iter().any(|to| !inside[to.index()])
                && targets.iter().any(|to| inside[to.index()])
        };
        (0u32..)
            .zip(&self.members)
            .filter(|(_, inside)| leaves(inside))
            .map(|(id, _)| id)
            .min_by_key(|&id| self.sizes[id as usize])
    }
}
