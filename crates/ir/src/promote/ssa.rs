//! Which value a slot has at each load.
//!
//! M. Braun, S. Buchwald, S. Hack, R. Leißa, C. Mallon, A. Zwinkau: "Simple and Efficient Construction of Static
//! Single Assignment Form", CC 2013. Deviations:
//! - the whole graph is known, so every block is sealed from the start (algorithm 4 is not needed);
//! - one slot is done after the other, so the current definitions are two plain vectors instead of a map;
//! - blocks are marked while their value is looked for, so only cycles and blocks before which values differ get a phi
//!   (section 3.3); the search keeps a stack of its own;
//! - phis that are not needed are found by algorithm 5 alone ([`super::redundant`]) when a slot is done, and once more
//!   when all are, because a load of one slot may be what is stored to another.

use super::redundant::replace_redundant;
use super::slots::SlotUse;
use crate::id::{BlockId, Id, InstId};
use crate::inst::Value;
use crate::module::Function;

/// The control-flow graph of a function, backwards.
pub(super) struct Cfg {
    /// Sources of the edges into each block, one for each edge, by ascending block.
    predecessors: Vec<Vec<BlockId>>,
    reachable: Vec<bool>,
    /// How many blocks have several edges into them.
    pub joins: usize,
    /// How many edges that are.
    pub join_edges: usize,
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
        let joins = || predecessors.iter().filter(|sources| sources.len() > 1);
        let (joins, join_edges) = (joins().count(), joins().map(Vec::len).sum());
        Cfg { predecessors, reachable, joins, join_edges }
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

/// What is known of a slot at the start of a block.
#[derive(Clone, Copy)]
enum Start {
    Unknown,
    /// Being looked for.
    Open,
    Known(Value),
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
    at_start: Vec<Start>,
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
            at_start: vec![Start::Unknown; blocks],
            at_end: vec![None; blocks],
            touched: Vec::new(),
        }
    }

    /// Finds the value of slot number `slot` at each of its loads. The uses come in program order; `undef` is the slot's
    /// value before any store.
    pub fn read_slot(&mut self, slot: usize, uses: &[SlotUse], undef: Value) -> Vec<(SlotUse, Value)> {
        for slot_use in uses.iter().filter(|slot_use| slot_use.stored.is_some()) {
            self.at_end[slot_use.block.index()] = slot_use.stored;
            self.touched.push(slot_use.block);
        }
        let first_phi = self.phis.len();
        let mut loads = Vec::new();
        let mut current = None;
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
                loads.push((slot_use, value));
            }
        }
        let mut waiting = first_phi;
        while let Some(phi) = self.phis.get(waiting) {
            let (cfg, block) = (self.cfg, phi.block);
            let operands = cfg.sources(block).map(|source| (source, self.read_at_end(slot, source, undef))).collect();
            self.phis[waiting].operands = operands;
            waiting += 1;
        }
        for block in self.touched.drain(..) {
            self.at_start[block.index()] = Start::Unknown;
            self.at_end[block.index()] = None;
        }
        replace_redundant(&self.phis[first_phi..], self.phi_id(first_phi).index(), &mut self.replacements, |_| undef);
        self.drop_replaced_phis(first_phi, &mut loads);
        loads
    }

    /// The phis so far; some may turn out to be another one.
    pub fn phis(&self) -> &[Phi] {
        &self.phis
    }

    /// Lets `value` stand in place of a load's result.
    pub fn replace(&mut self, load: InstId, value: Value, undef: Value) {
        let value = resolve(&mut self.replacements, value);
        // Only a value that is used before it is computed can lead back to itself.
        self.replacements[load.index()] = Some(if value == Value::Inst(load) { undef } else { value });
    }

    /// Ends the construction. `undef` gives the value of a slot that was never written.
    pub fn finish(mut self, undef: impl Fn(usize) -> Value) -> Values {
        // Now that all loads are values, phis of different slots may turn out to be the same.
        replace_redundant(&self.phis, self.first_phi, &mut self.replacements, |phi| undef(phi.slot));
        Values { replacements: self.replacements, phis: self.phis, first_phi: self.first_phi }
    }

    /// Forgets the replaced phis from number `first` on and closes the gaps between the others. Only these phis and
    /// `loads` may refer to them.
    fn drop_replaced_phis(&mut self, first: usize, loads: &mut [(SlotUse, Value)]) {
        let first_id = self.phi_id(first).index();
        let stays: Vec<bool> = self.replacements[first_id..].iter().map(Option::is_none).collect();
        let mut next_id = first_id;
        let mut new_ids = Vec::with_capacity(stays.len());
        for &stays in &stays {
            new_ids.push(Value::Inst(InstId::from_index(next_id)));
            next_id += usize::from(stays);
        }
        let mut renew = |value: &mut Value| {
            *value = match resolve(&mut self.replacements, *value) {
                Value::Inst(id) if id.index() >= first_id => new_ids[id.index() - first_id],
                other => other,
            };
        };
        loads.iter_mut().for_each(|(_, value)| renew(value));
        for (mut phi, stays) in self.phis.split_off(first).into_iter().zip(stays) {
            if stays {
                phi.operands.iter_mut().for_each(|(_, value)| renew(value));
                self.phis.push(phi);
            }
        }
        self.replacements.truncate(first_id);
        self.replacements.resize(next_id, None);
    }

    fn read_at_end(&mut self, slot: usize, block: BlockId, undef: Value) -> Value {
        match self.at_end[block.index()] {
            Some(value) => value,
            None => self.read_at_start(slot, block, undef),
        }
    }

    /// The slot's value at the start of a reachable block. It is the value at the end of all blocks before it if they
    /// agree, else a new phi, and so is the value of each of these. A block that is reached again while it is open is on
    /// a cycle, which a phi breaks.
    fn read_at_start(&mut self, slot: usize, block: BlockId, undef: Value) -> Value {
        let cfg = self.cfg;
        let mut stack = vec![block];
        while let Some(&at) = stack.last() {
            match self.at_start[at.index()] {
                Start::Unknown => {
                    self.at_start[at.index()] = Start::Open;
                    self.touched.push(at);
                    let is_join = cfg.sources(at).nth(1).is_some();
                    for source in cfg.sources(at) {
                        match self.at_start[source.index()] {
                            _ if self.at_end[source.index()].is_some() => {}
                            Start::Unknown => stack.push(source),
                            Start::Open => {
                                // Either end of the edge will do, but a phi is of use at a join only.
                                let place = if is_join { at } else { source };
                                self.at_start[place.index()] = Start::Known(self.new_phi(slot, place));
                                break;
                            }
                            Start::Known(_) => {}
                        }
                    }
                }
                Start::Open => {
                    let value = match self.agreed_value(at, undef) {
                        Some(value) => value,
                        None => self.new_phi(slot, at),
                    };
                    self.at_start[at.index()] = Start::Known(value);
                }
                Start::Known(_) => {
                    stack.pop();
                }
            }
        }
        self.known_at_start(block).unwrap_or(undef)
    }

    /// The value at the end of all blocks before a block, `undef` if there are none; `None` if they differ.
    fn agreed_value(&mut self, block: BlockId, undef: Value) -> Option<Value> {
        let mut agreed = None;
        for source in self.cfg.sources(block) {
            let value = self.at_end[source.index()].or_else(|| self.known_at_start(source))?;
            let value = resolve(&mut self.replacements, value);
            if *agreed.get_or_insert(value) != value {
                return None;
            }
        }
        Some(agreed.unwrap_or(undef))
    }

    fn known_at_start(&self, block: BlockId) -> Option<Value> {
        match self.at_start[block.index()] {
            Start::Known(value) => Some(value),
            Start::Unknown | Start::Open => None,
        }
    }

    /// A phi whose operands are still to be found.
    fn new_phi(&mut self, slot: usize, block: BlockId) -> Value {
        self.phis.push(Phi { block, slot, operands: Vec::new() });
        self.replacements.push(None);
        Value::Inst(self.phi_id(self.phis.len() - 1))
    }

    fn phi_id(&self, phi: usize) -> InstId {
        InstId::from_index(self.first_phi + phi)
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
pub(super) fn resolve(replacements: &mut [Option<Value>], value: Value) -> Value {
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
