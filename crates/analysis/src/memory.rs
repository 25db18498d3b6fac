//! Memory dependence inside a function: which writes may have made what an instruction reads.
//!
//! Reaching definitions over the control-flow graph. A write that certainly fills known bytes of one object, or at a
//! known distance from one value that is computed once, hides earlier writes of those bytes: such bytes are a *class*.
//! Every write is followed once for each class that it may touch, and hidden there by a certain write of the class, and
//! once for all other memory, where nothing hides it. What the function finds in memory when it is called counts as a
//! write in front of everything, and a call as a write of all that it may write.

use crate::address::Address;
use crate::calls::CallGraph;
use crate::cfg::Cfg;
use crate::effects::{Effect, Effects};
use crate::id::{LocationId, NodeId, ObjectId};
use crate::locations::Overlaps;
use crate::loops::Loops;
use crate::mod_ref::{ModRef, Summary};
use crate::points_to::{ObjectKind, PointsTo};
use fixedbitset::FixedBitSet;
use ir::id::{FuncId, Id, InstId};
use ir::inst::{InstKind, Value};
use ir::module::Module;
use rustc_hash::FxHashMap;

/// Where what is read may come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// It was there when the function was called.
    Entry,
    /// An instruction of the function wrote it, or a call that it makes.
    Inst(InstId),
}

/// An instruction that reads or writes memory, itself or by calling.
#[derive(Clone, Debug)]
pub struct Access {
    /// Instruction.
    pub inst: InstId,
    /// Locations that it may read.
    pub reads: FixedBitSet,
    /// Locations that it may write.
    pub writes: FixedBitSet,
    /// Locations that what it writes may overlap.
    pub touches: FixedBitSet,
}

/// Memory dependences of a function.
#[derive(Clone, Debug, Default)]
pub struct MemoryDependence {
    /// Instructions that touch memory, ascending.
    pub accesses: Vec<Access>,
    /// For each instruction that reads memory where that may come from, ascending.
    pub sources: FxHashMap<InstId, Vec<Source>>,
    /// The same the other way round.
    pub readers: FxHashMap<Source, Vec<InstId>>,
    /// Instructions that may have written what is in memory when the function is left, ascending.
    pub leaving: Vec<InstId>,
}

/// What the analysis of one function needs to know of all.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Module.
    pub module: &'a Module,
    /// What pointers may point to.
    pub points_to: &'a PointsTo,
    /// Who calls whom.
    pub calls: &'a CallGraph,
    /// What instructions do by themselves.
    pub effects: &'a Effects,
    /// Which locations overlap.
    pub overlaps: &'a Overlaps,
    /// What calls do.
    pub mod_ref: &'a ModRef,
}

/// A function tells apart at most so many classes of bytes.
const MAX_CLASSES: usize = 64;

/// Memory dependences of a function.
pub fn memory_dependence(context: Context, id: FuncId, cfg: &Cfg, loops: &Loops) -> MemoryDependence {
    let finder = Finder::new(context, id, cfg, loops);
    let reached = finder.reach();
    finder.collect(&reached)
}

impl MemoryDependence {
    /// The access of an instruction; `None` if it touches no memory.
    pub fn access(&self, inst: InstId) -> Option<&Access> {
        self.accesses.binary_search_by_key(&inst, |access| access.inst).ok().map(|at| &self.accesses[at])
    }
}

/// Bytes that a certain write fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Class {
    place: Place,
    start: i64,
    end: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    /// There is one such object only.
    Object(ObjectId),
    /// The value is computed once in a call of the function.
    Value(Value),
}

impl Class {
    fn covers(&self, other: &Class) -> bool {
        self.place == other.place && self.start <= other.start && other.end <= self.end
    }
}

/// A write: that of the accesses at `writer - 1`, or of the caller for 0.
#[derive(Clone, Copy)]
struct Definition {
    writer: usize,
    class: Option<usize>,
}

struct Finder<'a> {
    context: Context<'a>,
    id: FuncId,
    cfg: &'a Cfg,
    loops: &'a Loops,
    accesses: Vec<Access>,
    by_inst: FxHashMap<InstId, usize>,
    classes: Vec<Class>,
    /// For each class the locations that a write of it may overlap.
    class_touches: Vec<FixedBitSet>,
    definitions: Vec<Definition>,
    /// Definitions of each writer: positions in `definitions`.
    of_writer: Vec<Vec<usize>>,
    /// For each class the definitions that a certain write of it hides.
    hidden: Vec<FixedBitSet>,
}

impl<'a> Finder<'a> {
    fn new(context: Context<'a>, id: FuncId, cfg: &'a Cfg, loops: &'a Loops) -> Finder<'a> {
        let accesses = accesses(context, id);
        let by_inst = accesses.iter().enumerate().map(|(at, access)| (access.inst, at)).collect();
        let mut finder = Finder {
            context,
            id,
            cfg,
            loops,
            accesses,
            by_inst,
            classes: Vec::new(),
            class_touches: Vec::new(),
            definitions: Vec::new(),
            of_writer: Vec::new(),
            hidden: Vec::new(),
        };
        finder.find_classes();
        finder.find_definitions();
        finder
    }

    fn find_classes(&mut self) {
        let mut ids: FxHashMap<Class, usize> = FxHashMap::default();
        for access in &self.accesses {
            if let Some(class) = self.filled(access.inst)
                && ids.len() < MAX_CLASSES
            {
                let next = ids.len();
                let at = *ids.entry(class).or_insert(next);
                if at == self.classes.len() {
                    self.classes.push(class);
                    self.class_touches.push(FixedBitSet::with_capacity(self.context.effects.locations.len()));
                }
                self.class_touches[at].union_with(&access.touches);
            }
        }
    }

    fn find_definitions(&mut self) {
        self.of_writer = vec![Vec::new(); self.accesses.len() + 1];
        for writer in 0..=self.accesses.len() {
            let access = writer.checked_sub(1).map(|at| &self.accesses[at]);
            if access.is_some_and(|access| access.writes.is_clear()) {
                continue;
            }
            let touched = (0..self.classes.len()).filter(|&class| match access {
                None => true,
                Some(access) => !access.writes.is_disjoint(&self.class_touches[class]),
            });
            let touched: Vec<usize> = touched.collect();
            for class in touched.into_iter().map(Some).chain([None]) {
                self.of_writer[writer].push(self.definitions.len());
                self.definitions.push(Definition { writer, class });
            }
        }
        for class in &self.classes {
            let covered = |definition: &Definition| definition.class.is_some_and(|at| class.covers(&self.classes[at]));
            let mut hidden = FixedBitSet::with_capacity(self.definitions.len());
            let all = self.definitions.iter().enumerate().filter(|(_, definition)| covered(definition));
            all.for_each(|(at, _)| hidden.insert(at));
            self.hidden.push(hidden);
        }
    }

    fn effect(&self, inst: InstId) -> Option<&'a Effect> {
        self.context.effects.get(self.id, inst)
    }

    /// The bytes that an instruction certainly writes, if there is a class for them.
    fn filled(&self, inst: InstId) -> Option<Class> {
        let kind = &self.context.module.functions[self.id].insts[inst].kind;
        if matches!(kind, InstKind::CompareExchange(_)) {
            return None;
        }
        let effect = self.effect(inst)?;
        let (address, size) = effect.write_at.as_ref()?;
        self.class_of(&effect.writes, address, *size)
    }

    fn class_of(&self, locations: &[LocationId], address: &Address, size: u64) -> Option<Class> {
        if let [only] = locations {
            let location = &self.context.effects.locations[*only];
            if let Some((start, end)) = location.bytes.filter(|_| self.is_unique(location.object)) {
                return Some(Class { place: Place::Object(location.object), start, end });
            }
        }
        let start = address.distance.filter(|_| self.is_fixed(address.base))?;
        let end = start.checked_add(i64::try_from(size).ok()?)?;
        Some(Class { place: Place::Value(address.base), start, end })
    }

    /// Whether there is at most one such object at any time.
    fn is_unique(&self, object: ObjectId) -> bool {
        let module = self.context.module;
        let object = &self.context.points_to.objects[object];
        match object.kind {
            ObjectKind::Global(_) => true,
            ObjectKind::Stack(owner, inst) => {
                let function = &module.functions[owner];
                let entry = function.blocks.iter().next();
                let is_one = object.private || !self.context.calls.recursive[owner];
                is_one && entry.is_some_and(|entry| entry.insts.contains(&inst))
            }
            _ => false,
        }
    }

    /// Whether a value is computed at most once in a call of the function.
    fn is_fixed(&self, value: Value) -> bool {
        match value {
            Value::Arg(_) | Value::Const(_) => true,
            Value::Inst(inst) => self.cfg.node_of(inst).is_some_and(|node| !self.loops.cyclic.contains(node.index())),
        }
    }

    /// The definitions that reach the start of each node.
    fn reach(&self) -> Vec<FixedBitSet> {
        let count = self.cfg.nodes.len() + 1;
        let empty = FixedBitSet::with_capacity(self.definitions.len());
        let mut at_start = vec![empty; count];
        self.of_writer[0].iter().for_each(|&definition| at_start[0].insert(definition));
        let mut waiting: std::collections::BTreeSet<NodeId> = self.cfg.nodes.ids().collect();
        while let Some(node) = waiting.pop_first() {
            let mut now = at_start[node.index()].clone();
            self.pass(node, &mut now, |_, _| {});
            for edge in &self.cfg.successors[node.index()] {
                let next = &mut at_start[edge.node.index()];
                if !now.is_subset(next) {
                    next.union_with(&now);
                    if edge.node != self.cfg.exit {
                        waiting.insert(edge.node);
                    }
                }
            }
        }
        at_start
    }

    /// Takes what reaches the start of a node to its end; `visit` sees every access with what reaches it.
    fn pass(&self, node: NodeId, now: &mut FixedBitSet, mut visit: impl FnMut(usize, &FixedBitSet)) {
        for inst in self.cfg.insts(&self.context.module.functions[self.id], node) {
            let Some(&at) = self.by_inst.get(inst) else { continue };
            visit(at, now);
            if let Some(class) = self.filled(*inst)
                && let Some(class) = self.classes.iter().position(|other| *other == class)
            {
                now.difference_with(&self.hidden[class]);
            }
            self.of_writer[at + 1].iter().for_each(|&definition| now.insert(definition));
        }
    }

    fn collect(mut self, reached: &[FixedBitSet]) -> MemoryDependence {
        let mut result = MemoryDependence::default();
        for node in self.cfg.nodes.ids().filter(|&node| self.cfg.is_reachable(node)) {
            let mut now = reached[node.index()].clone();
            let mut found = Vec::new();
            self.pass(node, &mut now, |at, now| {
                let reader = &self.accesses[at];
                if !reader.reads.is_clear() {
                    found.push((reader.inst, self.sources(reader, now)));
                }
            });
            for (inst, sources) in found {
                sources.iter().for_each(|&source| result.readers.entry(source).or_default().push(inst));
                result.sources.insert(inst, sources);
            }
        }
        result.readers.values_mut().for_each(|readers| readers.sort_unstable());
        let at_exit = &reached[self.cfg.exit.index()];
        let leaving = at_exit.ones().filter_map(|definition| self.definitions[definition].writer.checked_sub(1));
        result.leaving = leaving.map(|at| self.accesses[at].inst).collect();
        result.leaving.sort_unstable();
        result.leaving.dedup();
        result.accesses = std::mem::take(&mut self.accesses);
        result
    }

    fn sources(&self, reader: &Access, now: &FixedBitSet) -> Vec<Source> {
        let effect = self.effect(reader.inst);
        let read_at = effect.and_then(|effect| effect.read_at.as_ref());
        let own = read_at.and_then(|(address, size)| self.class_of(&effect?.reads, address, *size));
        // The smallest class that has all of what is read.
        let class = own.and_then(|own| {
            let covering = (0..self.classes.len()).filter(|&class| self.classes[class].covers(&own));
            covering.min_by_key(|&class| self.classes[class].end - self.classes[class].start)
        });
        let mut sources: Vec<Source> = now
            .ones()
            .map(|definition| self.definitions[definition])
            .filter(|definition| definition.class == class)
            .filter_map(|definition| match definition.writer.checked_sub(1) {
                None => self.sees_entry(reader).then_some(Source::Entry),
                Some(at) => {
                    let writer = &self.accesses[at];
                    let meet = !writer.touches.is_disjoint(&reader.reads) && !self.are_apart(writer, read_at);
                    meet.then_some(Source::Inst(writer.inst))
                }
            })
            .collect();
        sources.sort_unstable();
        sources.dedup();
        sources
    }

    /// Whether a read may find what was there before the call: not in stack memory of the function's own.
    fn sees_entry(&self, reader: &Access) -> bool {
        let is_own = |location: usize| {
            let object = self.context.effects.locations[LocationId::from_index(location)].object;
            let object = &self.context.points_to.objects[object];
            match object.kind {
                ObjectKind::Stack(owner, _) => {
                    owner == self.id && (object.private || !self.context.calls.recursive[owner])
                }
                _ => false,
            }
        };
        !reader.reads.ones().all(is_own)
    }

    /// Whether a write and a read are at known distances from one value that is computed once, without a common byte.
    fn are_apart(&self, writer: &Access, read_at: Option<&(Address, u64)>) -> bool {
        let written = self.effect(writer.inst).and_then(|effect| effect.write_at.as_ref());
        let (Some((a, a_size)), Some((b, b_size))) = (written, read_at) else { return false };
        let (Some(a_start), Some(b_start)) = (a.distance, b.distance) else { return false };
        let ends_before = |start: i64, size: u64, other: i64| {
            i64::try_from(size).ok().and_then(|size| start.checked_add(size)).is_some_and(|end| end <= other)
        };
        let disjoint = ends_before(a_start, *a_size, b_start) || ends_before(b_start, *b_size, a_start);
        a.base == b.base && disjoint && self.is_fixed(a.base)
    }
}

/// Everything in a function that touches memory.
fn accesses(context: Context, id: FuncId) -> Vec<Access> {
    let function = &context.module.functions[id];
    let count = context.effects.locations.len();
    let mut found = Vec::new();
    for (_, inst, data) in function.body() {
        let effect = context.effects.get(id, inst);
        let summary = match data.kind.call() {
            Some(_) => context.mod_ref.of_call(context.calls, id, inst),
            None => Summary::default(),
        };
        if effect.is_none() && summary.reads.is_clear() && summary.writes.is_clear() {
            continue;
        }
        let mut access = Access { inst, reads: summary.reads, writes: summary.writes, touches: summary.touches };
        [&mut access.reads, &mut access.writes, &mut access.touches].into_iter().for_each(|set| set.grow(count));
        if let Some(effect) = effect {
            effect.reads.iter().for_each(|location| access.reads.insert(location.index()));
            effect.writes.iter().for_each(|location| {
                access.writes.insert(location.index());
                access.touches.union_with(context.overlaps.of(*location));
            });
        }
        found.push(access);
    }
    found.sort_unstable_by_key(|access| access.inst);
    found
}
