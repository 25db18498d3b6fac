//! Which value a slot has at each load.
//!
//! M. Braun, S. Buchwald, S. Hack, R. Leißa, C. Mallon, A. Zwinkau: "Simple and Efficient Construction of Static
//! Single Assignment Form", CC 2013, algorithms 1 to 3. Deviations:
//! - the whole graph is known, so every block is sealed from the start (algorithm 4 is not needed);
//! - one slot is done after the other, so the current definitions are two plain vectors instead of a map;
//! - a phi is put at every join where the slot is read before it is written, and trivial ones are removed in the end for
//!   all slots together, because a load of one slot may be what is stored to another;
//! - reads go up the graph in a loop and phis wait in a list: no recursion;
//! - the redundant phis that may remain in irreducible graphs (algorithm 5) are kept.

use super::slots::SlotUse;
use crate::id::{BlockId, Id, InstId};
use crate::inst::Value;
use crate::module::Function;

/// The control-flow graph of a function, backwards.
pub(super) struct Cfg {
    /// Sources of the edges into each block, one for each edge, by ascending block.
    predecessors: Vec<Vec<BlockId>>,
    reachable: Vec<bool>,
}

impl Cfg {
    /// The graph of a function that has a body.
    pub fn new(function: &Function) -> Cfg {
        let count = function.blocks.len();
        let successors = |block| function.terminator(block).map_or_else(Vec::new, |inst| inst.kind.successors());
        let mut predecessors = vec![Vec::new(); count];
        let mut reachable = vec![false; count];
        for block in function.blocks.ids() {
            successors(block).iter().for_each(|next| predecessors[next.index()].push(block));
        }
        let mut stack = vec![BlockId::from_index(0)];
        while let Some(block) = stack.pop() {
            if !std::mem::replace(&mut reachable[block.index()], true) {
                stack.extend(successors(block));
            }
        }
        Cfg { predecessors, reachable }
    }

    /// Sources of the edges into a block, one for each edge.
    pub fn edges_into(&self, block: BlockId) -> &[BlockId] {
        &self.predecessors[block.index()]
    }

    /// Whether some path leads from the entry to the block.
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.reachable[block.index()]
    }

    /// Reachable blocks with an edge into a block, each once.
    fn sources(&self, block: BlockId) -> impl Iterator<Item = BlockId> {
        let edges = self.edges_into(block);
        // Edges are sorted by source, so equal ones are neighbours.
        let distinct = edges.iter().enumerate().filter(|&(i, source)| i == 0 || edges[i - 1] != *source);
        distinct.map(|(_, &source)| source).filter(|&source| self.is_reachable(source))
    }
}

/// A value that depends on where control came from.
pub(super) struct Phi {
    /// Its block.
    pub block: BlockId,
    /// Number of its slot.
    pub slot: usize,
    /// Value for each reachable predecessor, each block once.
    pub operands: Vec<(BlockId, Value)>,
}

/// Values under construction.
pub(super) struct Builder<'c> {
    cfg: &'c Cfg,
    /// What stands in place of a removed load or phi.
    replacements: Vec<Option<Value>>,
    /// Phis, whose ids follow those of the function's instructions.
    phis: Vec<Phi>,
    first_phi: usize,
    /// Value of the current slot at the start and at the end of each block, as far as it is known.
    at_start: Vec<Option<Value>>,
    at_end: Vec<Option<Value>>,
    /// Blocks with an entry in one of the two.
    touched: Vec<BlockId>,
}

/// What is known when all slots are done.
pub(super) struct Values {
    replacements: Vec<Option<Value>>,
    phis: Vec<Phi>,
    first_phi: usize,
}

impl<'c> Builder<'c> {
    /// Starts with no slot of `function`.
    pub fn new(function: &Function, cfg: &'c Cfg) -> Self {
        let (insts, blocks) = (function.insts.len(), function.blocks.len());
        Builder {
            cfg,
            replacements: vec![None; insts],
            phis: Vec::new(),
            first_phi: insts,
            at_start: vec![None; blocks],
            at_end: vec![None; blocks],
            touched: Vec::new(),
        }
    }

    /// Finds the value of slot number `slot` at each of its loads and hands it to `loaded`. The uses come in program
    /// order; `undef` is the slot's value before any store.
    pub fn read_slot(
        &mut self,
        slot: usize,
        uses: &[SlotUse],
        undef: Value,
        mut loaded: impl FnMut(&mut Self, SlotUse, Value),
    ) {
        for slot_use in uses.iter().filter(|slot_use| slot_use.stored.is_some()) {
            self.at_end[slot_use.block.index()] = slot_use.stored;
            self.touched.push(slot_use.block);
        }
        let mut current = None;
        let mut waiting = self.phis.len();
        for &slot_use in uses {
            let block = slot_use.block;
            let value = match (slot_use.stored, current.filter(|&(at, _)| at == block)) {
                (Some(stored), _) => stored,
                (None, Some((_, value))) => value,
                (None, None) if self.cfg.is_reachable(block) => self.read_at_start(slot, block, undef),
                (None, None) => undef,
            };
            current = Some((block, value));
            if slot_use.stored.is_none() {
                loaded(self, slot_use, value);
            }
        }
        while waiting < self.phis.len() {
            let block = self.phis[waiting].block;
            let cfg = self.cfg;
            let operands = cfg.sources(block).map(|source| (source, self.read_at_end(slot, source, undef))).collect();
            self.phis[waiting].operands = operands;
            waiting += 1;
        }
        for block in self.touched.drain(..) {
            self.at_start[block.index()] = None;
            self.at_end[block.index()] = None;
        }
    }

    /// Lets `value` stand in place of a load's result.
    pub fn replace(&mut self, load: InstId, value: Value, undef: Value) {
        let value = resolve(&mut self.replacements, value);
        // Only a value that is used before it is computed can lead back to itself.
        self.replacements[load.index()] = Some(if value == Value::Inst(load) { undef } else { value });
    }

    /// Removes trivial phis: those that have no operands but themselves and one other value.
    /// `undef` gives the value of a slot that was never written.
    pub fn finish(mut self, undef: impl Fn(usize) -> Value) -> Values {
        // Phis that have a phi as an operand.
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); self.phis.len()];
        for user in 0..self.phis.len() {
            for i in 0..self.phis[user].operands.len() {
                let operand = resolve(&mut self.replacements, self.phis[user].operands[i].1);
                if let Some(phi) = self.phi_number(operand) {
                    users[phi].push(user);
                }
            }
        }
        let mut waiting: Vec<usize> = (0..self.phis.len()).rev().collect();
        while let Some(phi) = waiting.pop() {
            let id = self.phi_id(phi);
            if self.replacements[id.index()].is_some() {
                continue;
            }
            let undef = undef(self.phis[phi].slot);
            let Some(value) = self.only_operand(phi, undef) else { continue };
            self.replacements[id.index()] = Some(value);
            let mut moved = std::mem::take(&mut users[phi]);
            waiting.extend(&moved);
            if let Some(heir) = self.phi_number(value) {
                if users[heir].len() < moved.len() {
                    std::mem::swap(&mut users[heir], &mut moved);
                }
                users[heir].append(&mut moved);
            }
        }
        Values { replacements: self.replacements, phis: self.phis, first_phi: self.first_phi }
    }

    fn read_at_end(&mut self, slot: usize, block: BlockId, undef: Value) -> Value {
        match self.at_end[block.index()] {
            Some(value) => value,
            None => self.read_at_start(slot, block, undef),
        }
    }

    /// The slot's value at the start of a reachable block: found in the only block before it, or a new phi.
    fn read_at_start(&mut self, slot: usize, block: BlockId, undef: Value) -> Value {
        let first_passed = self.touched.len();
        let mut at = block;
        let value = loop {
            if let Some(value) = self.at_start[at.index()] {
                break value;
            }
            self.touched.push(at);
            let cfg = self.cfg;
            let mut sources = cfg.sources(at);
            match (sources.next(), sources.next()) {
                (None, _) => break undef,
                (Some(source), None) => match self.at_end[source.index()] {
                    Some(value) => break value,
                    None => at = source,
                },
                (Some(_), Some(_)) => {
                    self.phis.push(Phi { block: at, slot, operands: Vec::new() });
                    self.replacements.push(None);
                    break Value::Inst(self.phi_id(self.phis.len() - 1));
                }
            }
        };
        for passed in &self.touched[first_passed..] {
            self.at_start[passed.index()] = Some(value);
        }
        value
    }

    /// The one value that a phi can have, `undef` if it has no operand but itself; `None` if there are several.
    fn only_operand(&mut self, phi: usize, undef: Value) -> Option<Value> {
        let this = Value::Inst(self.phi_id(phi));
        let mut only = None;
        for (_, operand) in &mut self.phis[phi].operands {
            *operand = resolve(&mut self.replacements, *operand);
            if *operand != this && *only.get_or_insert(*operand) != *operand {
                return None;
            }
        }
        Some(only.unwrap_or(undef))
    }

    fn phi_id(&self, phi: usize) -> InstId {
        InstId::from_index(self.first_phi + phi)
    }

    fn phi_number(&self, value: Value) -> Option<usize> {
        match value {
            Value::Inst(id) => id.index().checked_sub(self.first_phi),
            _ => None,
        }
    }
}

impl Values {
    /// What stands in place of an operand.
    pub fn resolve(&mut self, value: Value) -> Value {
        resolve(&mut self.replacements, value)
    }

    /// Every phi and whether it is needed, in the order of their ids.
    pub fn phis(&self) -> impl Iterator<Item = (&Phi, bool)> {
        self.phis.iter().zip(&self.replacements[self.first_phi..]).map(|(phi, gone)| (phi, gone.is_none()))
    }
}

/// Follows replacements to their end and shortens the way for the next time.
fn resolve(replacements: &mut [Option<Value>], value: Value) -> Value {
    let next = |replacements: &[Option<Value>], value| match value {
        Value::Inst(id) => replacements[id.index()],
        _ => None,
    };
    let mut end = value;
    while let Some(value) = next(replacements, end) {
        end = value;
    }
    let mut at = value;
    while let (Value::Inst(id), Some(value)) = (at, next(replacements, at)) {
        replacements[id.index()] = Some(end);
        at = value;
    }
    end
}
