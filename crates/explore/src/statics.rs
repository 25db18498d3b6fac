//! What the decisions of a function could have done otherwise: the part of dependence that a run does not show.
//!
//! For every block with several ways out:
//!
//! - its *join*, the block through which all ways lead again: what runs before it depends on the decision (control
//!   dependence), and phis of the join do, whichever way was taken;
//! - which memory the ways may write until then: a read behind the join depends on the decision too, unless something
//!   wrote those bytes in between (potential dependence). The same for what the ways may free, and for contact with the
//!   outside;
//! - which memory an instruction may write elsewhere than it did: where its address depends on a decision;
//! - which values the ways may compute anew: a value of a loop that is used behind it depends on when the loop was left.
//!
//! A block from which no way leads back to the caller is *terminal*: the run ends there, by `exit`, `abort` or a failed
//! assertion. Passing by such an end is no dependence, just as not dividing by zero is none (see [`crate::guided`]), so
//! joins are those of the ways that come back.

use analysis::facts::Facts;
use analysis::hazards::{Hazards, hazards, hazards_of};
use analysis::id::LocationId;
use analysis::points_to::{ObjectKind, Scope, WORLD};
use exec::code::{Code, Op, Target};
use exec::entry::Entry;
use exec::program::Program;
use fixedbitset::FixedBitSet;
use ir::dominators::Dominators;
use ir::id::{Arena, FuncId, Id, InstId, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What is known of a program's functions, each analysed when it is first asked for.
pub struct Statics<'p> {
    program: &'p Program,
    facts: Facts<'p>,
    /// What may go on in each function besides computing.
    hazards: Arena<FuncId, Hazards>,
    /// Functions that may free memory.
    freeing: FxHashSet<FuncId>,
    functions: FxHashMap<FuncId, Rc<Decisions>>,
}

/// What is known of the decisions of a function.
#[derive(Clone, Debug)]
pub struct Decisions {
    /// For each instruction its block.
    pub block_of: Vec<u32>,
    /// For each block whether the run ends from there on.
    pub terminal: Vec<bool>,
    /// For each block where its ways meet again; nothing if only the end of the call does.
    pub join: Vec<Option<u32>>,
    /// For each block with several ways that come back, or that all end, what they may do.
    pub ways: Vec<Option<Ways>>,
    /// For each block with several ways the blocks on them until they meet, with those from which the run ends.
    pub regions: Vec<Option<FixedBitSet>>,
    /// Instructions that may be a fault.
    pub may_fault: FixedBitSet,
    /// For each instruction which memory it uses; nothing for most.
    pub uses: FxHashMap<u32, Use>,
}

/// What the ways of a decision may do until they meet.
#[derive(Clone, Debug)]
pub struct Ways {
    /// Blocks on them.
    pub blocks: FixedBitSet,
    /// Memory locations that what they write may overlap.
    pub touches: FixedBitSet,
    /// The same for what they free.
    pub frees: FixedBitSet,
    /// Whether they may have contact with the outside.
    pub world: bool,
    /// Whether they may write memory that others see after the run.
    pub visible: bool,
    /// Whether the run may end on them: by a fault, or in something that they call.
    pub ends: bool,
    /// Global variables that they may write.
    pub globals: FxHashSet<SymbolId>,
}

/// Which memory an instruction uses.
#[derive(Clone, Debug, Default)]
pub struct Use {
    /// Locations that it may read.
    pub reads: FixedBitSet,
    /// Locations that it may read or write.
    pub all: FixedBitSet,
    /// Locations that what it writes may overlap.
    pub touches: FixedBitSet,
    /// Whether it may write memory that others see after the run.
    pub visible: bool,
    /// Whether what it does depends on what happened outside before.
    pub reads_world: bool,
    /// Whether it changes what happens outside.
    pub writes_world: bool,
}

impl<'p> Statics<'p> {
    /// Analyses a program as a whole.
    pub fn new(program: &'p Program, entry: &Entry) -> Statics<'p> {
        Statics::of_entries(program, std::slice::from_ref(entry))
    }

    /// Analyses a program that has several entries, such as two versions of one.
    pub fn of_entries(program: &'p Program, entries: &[Entry]) -> Statics<'p> {
        let scope = match entries.iter().all(|entry| entry.shell.is_some()) {
            true => Scope::Program(entries.iter().map(|entry| entry.function).collect()),
            false => Scope::Library,
        };
        let facts = Facts::new(&program.module, &scope);
        let freeing = freeing(&facts);
        let hazards = hazards(&facts);
        Statics { program, facts, hazards, freeing, functions: FxHashMap::default() }
    }

    /// What is known of the whole program.
    pub fn facts(&self) -> &Facts<'p> {
        &self.facts
    }

    /// What is known of a function's decisions.
    pub fn of(&mut self, function: FuncId) -> Rc<Decisions> {
        if let Some(known) = self.functions.get(&function) {
            return known.clone();
        }
        let code = self.program.code(function);
        let decisions = Rc::new(self.decisions(&code));
        self.functions.insert(function, decisions.clone());
        decisions
    }

    fn decisions(&self, code: &Code) -> Decisions {
        let count = code.starts.len();
        let block_of = blocks_of(code);
        let ways_out: Vec<Vec<usize>> = (0..count).map(|block| successors(code, block)).collect();
        let cut: Vec<bool> = (0..count).map(|block| self.never_passes(code, block)).collect();
        let terminal = terminal(code, &ways_out, &cut);
        // Ways that come back keep to themselves; those that end do too.
        let kept: Vec<Vec<usize>> = (0..count)
            .map(|block| match cut[block] {
                true => Vec::new(),
                false => ways_out[block].iter().copied().filter(|&to| terminal[to] == terminal[block]).collect(),
            })
            .collect();
        let join = joins(&kept);
        let mut uses = FxHashMap::default();
        let mut frees = FxHashMap::default();
        let mut may_fault = FixedBitSet::with_capacity(code.insts.len());
        for (at, inst) in code.insts.iter().enumerate() {
            may_fault.set(at, hazards_of(&self.facts, &self.hazards, code.function, inst.id).faults);
            if let Some(found) = self.use_of(code.function, inst.id) {
                if self.may_free(&inst.op) {
                    frees.insert(at as u32, self.facts.overlaps.of_all(found.all.ones().map(LocationId::from_index)));
                }
                uses.insert(at as u32, found);
            }
        }
        let ways = (0..count)
            .map(|block| {
                let mut several = kept[block].clone();
                several.sort_unstable();
                several.dedup();
                (several.len() > 1).then(|| self.ways(code, &kept, block, join[block], &terminal, (&uses, &frees)))
            })
            .collect();
        let regions = (0..count)
            .map(|block| (ways_out[block].len() > 1).then(|| region(&ways_out, block, join[block])))
            .collect();
        Decisions {
            may_fault,
            regions,
            block_of,
            terminal,
            join: join.iter().map(|join| join.map(|at| at as u32)).collect(),
            ways,
            uses,
        }
    }

    fn ways(
        &self,
        code: &Code,
        kept: &[Vec<usize>],
        block: usize,
        join: Option<usize>,
        terminal: &[bool],
        (uses, frees): (&FxHashMap<u32, Use>, &FxHashMap<u32, FixedBitSet>),
    ) -> Ways {
        let blocks = region(kept, block, join);
        let locations = self.facts.effects.locations.len();
        let mut ways = Ways {
            touches: FixedBitSet::with_capacity(locations),
            frees: FixedBitSet::with_capacity(locations),
            world: false,
            visible: false,
            ends: false,
            globals: FxHashSet::default(),
            blocks,
        };
        let mut writes = FixedBitSet::with_capacity(locations);
        for block in ways.blocks.ones() {
            let end = code.starts.get(block + 1).copied().unwrap_or(code.insts.len() as u32);
            ways.ends |= successors(code, block).iter().any(|&to| terminal[to] != terminal[block]);
            for at in code.starts[block]..end {
                let hazards = hazards_of(&self.facts, &self.hazards, code.function, code.insts[at as usize].id);
                ways.ends |= hazards.faults || hazards.exits || hazards.unknown;
                let Some(used) = uses.get(&at) else { continue };
                ways.world |= used.writes_world;
                if let Some(writer) = self.writes_of(code.function, code.insts[at as usize].id) {
                    writes.union_with(&writer);
                }
                if let Some(freed) = frees.get(&at) {
                    ways.frees.union_with(freed);
                }
            }
        }
        ways.visible = !writes.ones().all(|location| self.is_hidden(location));
        ways.touches = self.facts.overlaps.of_all(writes.ones().map(LocationId::from_index));
        let global = |location: usize| match self.kind_at(location) {
            ObjectKind::Global(id) => Some(self.facts.module.globals[id].symbol),
            _ => None,
        };
        ways.globals = ways.touches.ones().filter_map(global).collect();
        ways
    }

    /// Whether a call in the block never comes back, neither by returning nor by an exception.
    fn never_passes(&self, code: &Code, block: usize) -> bool {
        let end = code.starts.get(block + 1).copied().unwrap_or(code.insts.len() as u32);
        code.insts[code.starts[block] as usize..end as usize].iter().any(|inst| match &inst.op {
            Op::Call(call) | Op::Invoke { call, .. } => {
                let end = self.facts.end_of_call(code.function, inst.id);
                (call.no_return || !end.returns) && !end.unwinds
            }
            Op::Unreachable | Op::Unsupported(_) | Op::TooWide => true,
            _ => false,
        })
    }

    fn writes_of(&self, function: FuncId, inst: InstId) -> Option<FixedBitSet> {
        let mut writes = self.facts.mod_ref.of_call(&self.facts.calls, function, inst).writes;
        writes.grow(self.facts.effects.locations.len());
        if let Some(effect) = self.facts.effects.get(function, inst) {
            effect.writes.iter().for_each(|location| writes.insert(location.index()));
        }
        (!writes.is_clear()).then_some(writes)
    }

    fn use_of(&self, function: FuncId, inst: InstId) -> Option<Use> {
        let effect = self.facts.effects.get(function, inst);
        let is_call = self.facts.calls.site(function, inst).is_some();
        if effect.is_none() && !is_call {
            return None;
        }
        let count = self.facts.effects.locations.len();
        let summary = self.facts.mod_ref.of_call(&self.facts.calls, function, inst);
        let (mut reads, mut all) = (summary.reads, summary.writes);
        reads.grow(count);
        all.grow(count);
        let mut unknown = summary.unknown;
        if let Some(effect) = effect {
            effect.reads.iter().for_each(|location| reads.insert(location.index()));
            effect.writes.iter().for_each(|location| all.insert(location.index()));
            unknown |= effect.unknown;
        }
        let is_world = |location: usize| self.facts.effects.locations[LocationId::from_index(location)].object == WORLD;
        let writes_world = unknown || all.ones().any(is_world);
        let touches = self.facts.overlaps.of_all(all.ones().map(LocationId::from_index));
        let visible = !all.ones().all(|location| self.is_hidden(location));
        let reads_world = unknown || reads.ones().any(is_world);
        all.union_with(&reads);
        Some(Use { reads, all, touches, visible, reads_world, writes_world })
    }

    fn kind_at(&self, location: usize) -> ObjectKind {
        let object = self.facts.effects.locations[LocationId::from_index(location)].object;
        self.facts.points_to.objects[object].kind
    }

    /// Whether nobody sees a location after the run.
    fn is_hidden(&self, location: usize) -> bool {
        matches!(self.kind_at(location), ObjectKind::Stack(..) | ObjectKind::Variadic(_) | ObjectKind::World)
    }

    fn may_free(&self, op: &Op) -> bool {
        match op {
            Op::Call(call) | Op::Invoke { call, .. } => match &call.target {
                Target::Code(id) | Target::Model(id, _) | Target::Outside(id) => self.freeing.contains(id),
                Target::Pointer(_) => !self.freeing.is_empty(),
                Target::Unsupported(_) => false,
            },
            _ => false,
        }
    }
}

/// Functions that free memory, themselves or by calling.
fn freeing(facts: &Facts) -> FxHashSet<FuncId> {
    const FREE: &[&str] =
        &["free", "cfree", "realloc", "reallocarray", "fclose", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm"];
    let mut freeing = FxHashSet::default();
    for component in &facts.calls.bottom_up {
        let frees = component.iter().any(|&id| {
            let name = facts.module.function_name(id);
            FREE.contains(&name)
                || name.contains("__rust_dealloc")
                || name.contains("__rust_realloc")
                || facts.calls.from[id]
                    .iter()
                    .any(|&site| facts.calls.sites[site].targets.iter().any(|target| freeing.contains(target)))
        });
        if frees {
            freeing.extend(component.iter().copied());
        }
    }
    // Declared functions may be in no component.
    for id in facts.module.functions.ids() {
        if FREE.contains(&facts.module.function_name(id)) {
            freeing.insert(id);
        }
    }
    freeing
}

fn blocks_of(code: &Code) -> Vec<u32> {
    let mut block_of = vec![0; code.insts.len()];
    for (block, &start) in code.starts.iter().enumerate() {
        let end = code.starts.get(block + 1).copied().unwrap_or(code.insts.len() as u32);
        (start..end).for_each(|at| block_of[at as usize] = block as u32);
    }
    block_of
}

fn successors(code: &Code, block: usize) -> Vec<usize> {
    let end = code.starts.get(block + 1).copied().unwrap_or(code.insts.len() as u32);
    let Some(last) = end.checked_sub(1).and_then(|last| code.insts.get(last as usize)) else { return Vec::new() };
    last.op.edges().into_iter().map(|edge| code.edges[edge as usize].to.index()).collect()
}

/// The blocks on the ways out of a block, until they meet.
fn region(ways_out: &[Vec<usize>], block: usize, join: Option<usize>) -> FixedBitSet {
    let mut blocks = FixedBitSet::with_capacity(ways_out.len());
    let mut stack = ways_out[block].clone();
    while let Some(next) = stack.pop() {
        if Some(next) != join && !blocks.put(next) {
            stack.extend(&ways_out[next]);
        }
    }
    blocks
}

/// Blocks from which no way leads out of the function by returning or unwinding.
fn terminal(code: &Code, ways_out: &[Vec<usize>], cut: &[bool]) -> Vec<bool> {
    let count = ways_out.len();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut terminal = vec![true; count];
    let mut stack = Vec::new();
    for block in 0..count {
        if cut[block] {
            continue;
        }
        ways_out[block].iter().for_each(|&to| before[to].push(block));
        let end = code.starts.get(block + 1).copied().unwrap_or(code.insts.len() as u32);
        let leaves =
            code.insts[..end as usize].last().is_some_and(|inst| matches!(inst.op, Op::Ret(_) | Op::Resume(_)));
        if leaves {
            stack.push(block);
        }
    }
    while let Some(block) = stack.pop() {
        if std::mem::replace(&mut terminal[block], false) {
            stack.extend(&before[block]);
        }
    }
    terminal
}

/// Where the ways out of each block meet again.
fn joins(kept: &[Vec<usize>]) -> Vec<Option<usize>> {
    let count = kept.len();
    // Backwards, from a virtual exit.
    let mut backwards: Vec<Vec<usize>> = vec![Vec::new(); count + 1];
    for (block, ways) in kept.iter().enumerate() {
        ways.iter().for_each(|&to| backwards[to].push(block));
        if ways.is_empty() {
            backwards[count].push(block);
        }
    }
    let tree = Dominators::new(backwards.as_slice(), count);
    (0..count).map(|block| tree.immediate(block).filter(|&join| join != count)).collect()
}
