//! Solves constraints between sets of targets.
//!
//! Wave propagation (F. Pereira, D. Berlin: "Wave Propagation and Deep Propagation for Pointer Analysis", CGO 2009):
//! in turns, cycles of copies become one node, new targets (differences only) flow along copies in topological order,
//! and loads, stores, distances and calls through the new targets add copies.

use super::constraints::CallConstraint;
use super::{Object, ObjectKind, PointsTo, Target};
use crate::components::components;
use crate::id::ObjectId;
use fixedbitset::FixedBitSet;
use ir::dominators::Graph;
use ir::id::{Arena, ConstId, FuncId, Id};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// A set of targets that is computed.
pub(super) type Node = u32;
/// A target, interned.
type TargetId = u32;

/// An object has at most so many distances that are told apart; further ones become any.
const MAX_OFFSETS: u32 = 128;
/// An access to more cells than this is one of the whole object.
const MAX_CELLS: i64 = 8;

/// What a constraint does with every target of its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Complex {
    /// Copies so many bytes at the target to the node.
    Load(Node, u64),
    /// Copies the node to so many bytes at the target.
    Store(Node, u64),
    /// The node has the target moved by that distance.
    Move(Node, Option<i64>),
    /// The function is called.
    Call(u32),
}

/// The parameters and results of a function.
#[derive(Clone, Debug, Default)]
pub(super) struct Signature {
    pub params: Vec<Node>,
    pub result: Node,
    /// Contents of its variadic arguments.
    pub variadic: Option<Node>,
    /// Whether it has a body; one without is called through `externals`.
    pub defined: bool,
}

#[derive(Default)]
pub(super) struct Solver {
    pub objects: Arena<ObjectId, Object>,
    /// Where every object's own node for all distances begins: stores to any place, then loads from any place.
    blobs: Vec<(Node, Node)>,
    cells: FxHashMap<(ObjectId, i64), Node>,
    offsets: Vec<u32>,
    targets: Vec<Target>,
    target_ids: FxHashMap<Target, TargetId>,

    /// Union-find over nodes that are one.
    same: Vec<Node>,
    copies: Vec<Vec<Node>>,
    complex: Vec<Vec<Complex>>,
    /// Targets that have been passed on.
    old: Vec<Vec<TargetId>>,
    /// Targets that have not.
    new: Vec<Vec<TargetId>>,
    /// Targets that the complex constraints have not seen.
    unseen: Vec<Vec<TargetId>>,
    marks: Vec<Marks>,
    /// Nodes that only help: addresses that a constraint is about.
    helpers: FxHashSet<Node>,
    known_copies: FxHashSet<(Node, Node)>,
    /// How many copies came since cycles were looked for.
    added_copies: usize,
    /// Sources have smaller ranks than nodes that they flow to, as far as was known when cycles were looked for.
    ranks: Vec<Node>,
    /// Nodes at which something is new.
    touched: Vec<Node>,
    is_touched: FixedBitSet,

    pub calls: Vec<CallConstraint>,
    pub signatures: Vec<Signature>,
    /// What an external does when it is called through a pointer.
    pub call_external: Vec<(u32, FuncId)>,
}

#[derive(Clone, Copy, Default)]
struct Marks {
    /// It may be any pointer that the outside has.
    outside: bool,
    /// The same, and its constraints know.
    outside_seen: bool,
    /// Whatever it points to gets known outside.
    leaks: bool,
}

impl Solver {
    pub fn add_node(&mut self) -> Node {
        let node = u32::try_from(self.same.len()).unwrap_or(u32::MAX);
        self.same.push(node);
        self.copies.push(Vec::new());
        self.complex.push(Vec::new());
        self.old.push(Vec::new());
        self.new.push(Vec::new());
        self.unseen.push(Vec::new());
        self.marks.push(Marks::default());
        self.is_touched.grow(self.same.len());
        node
    }

    /// A node for an address that an instruction uses and that has no value of its own.
    pub fn add_helper(&mut self) -> Node {
        let node = self.add_node();
        self.helpers.insert(node);
        node
    }

    pub fn add_object(&mut self, kind: ObjectKind, size: Option<u64>) -> ObjectId {
        let (stored, loaded) = (self.add_node(), self.add_node());
        self.add_copy(stored, loaded);
        self.blobs.push((stored, loaded));
        self.offsets.push(0);
        self.objects.push(Object { kind, size, constant: false, escapes: false, private: false })
    }

    /// The node of what is stored anywhere in an object.
    pub fn stored_anywhere(&self, object: ObjectId) -> Node {
        self.blobs[object.index()].0
    }

    pub fn add_target(&mut self, node: Node, target: Target) {
        let node = self.find(node);
        let target = self.target(target);
        if self.marks[node as usize].outside && self.objects[self.targets[target as usize].object].escapes {
            return;
        }
        self.new[node as usize].push(target);
        self.touch(node);
    }

    pub fn add_complex(&mut self, node: Node, complex: Complex) {
        let node = self.find(node);
        let at = node as usize;
        self.complex[at].push(complex);
        // Start anew: they have not been seen by this one.
        self.unseen[at] = self.old[at].clone();
        self.marks[at].outside_seen = false;
        self.touch(node);
    }

    pub fn add_copy(&mut self, from: Node, to: Node) {
        let (from, to) = (self.find(from), self.find(to));
        if from == to || !self.known_copies.insert((from, to)) {
            return;
        }
        let (source, dest) = (self.marks[from as usize], self.marks[to as usize]);
        if source.leaks && dest.outside {
            // All that it points to is known outside, and so are the other's targets.
            self.known_copies.remove(&(from, to));
            return;
        }
        self.copies[from as usize].push(to);
        self.added_copies += 1;
        if source.outside {
            self.mark_outside(to);
        }
        if !self.old[from as usize].is_empty() {
            let targets = std::mem::take(&mut self.old[from as usize]);
            self.pass_on(&targets, to);
            self.old[from as usize] = targets;
        }
    }

    /// The node may be any pointer that the outside has.
    pub fn mark_outside(&mut self, node: Node) {
        let node = self.find(node);
        if !std::mem::replace(&mut self.marks[node as usize].outside, true) {
            self.touch(node);
        }
    }

    /// What the node points to gets known outside.
    pub fn mark_leaking(&mut self, node: Node) {
        let node = self.find(node) as usize;
        if !std::mem::replace(&mut self.marks[node].leaks, true) {
            let targets = self.old[node].clone();
            self.escape_all(&targets);
        }
    }

    /// The object gets known outside.
    pub fn escape(&mut self, object: ObjectId) {
        if std::mem::replace(&mut self.objects[object].escapes, true) {
            return;
        }
        let (stored, loaded) = self.blobs[object.index()];
        self.mark_leaking(loaded);
        if !self.objects[object].constant {
            self.mark_outside(stored);
        }
        if let ObjectKind::Function(function) = self.objects[object].kind {
            self.call_from_outside(function);
        }
    }

    /// The function may be called with anything.
    pub fn call_from_outside(&mut self, function: FuncId) {
        let Signature { params, result, variadic, .. } = self.signatures[function.index()].clone();
        params.into_iter().chain(variadic).for_each(|node| self.mark_outside(node));
        self.mark_leaking(result);
    }

    /// Solves everything.
    pub fn run(&mut self) {
        while !self.touched.is_empty() {
            // Looking for cycles costs as much as looking at everything, so it waits until it may be worth it.
            if self.ranks.is_empty() || self.added_copies * 50 > self.known_copies.len() {
                self.collapse_cycles();
            }
            self.ranks.resize(self.same.len(), Node::MAX);
            let mut waiting = BTreeSet::new();
            let mut flowed = Vec::new();
            loop {
                for node in std::mem::take(&mut self.touched) {
                    let node = self.find(node);
                    self.is_touched.set(node as usize, false);
                    waiting.insert((self.ranks[node as usize], node));
                }
                let Some((_, node)) = waiting.pop_first() else { break };
                self.flow(node);
                flowed.push(node);
            }
            flowed.sort_unstable_by_key(|&node| (self.ranks[node as usize], node));
            flowed.dedup();
            for node in flowed {
                self.constrain(node);
            }
        }
    }

    fn touch(&mut self, node: Node) {
        if !self.is_touched.put(node as usize) {
            self.touched.push(node);
        }
    }

    /// Makes every cycle of copies one node, and ranks the nodes with sources in front of where they flow to.
    fn collapse_cycles(&mut self) {
        self.added_copies = 0;
        for node in 0..self.copies.len() {
            if self.same[node] as usize == node && !self.copies[node].is_empty() {
                let mut copies = std::mem::take(&mut self.copies[node]);
                copies.iter_mut().for_each(|to| *to = self.find(*to));
                copies.sort_unstable();
                copies.dedup();
                copies.retain(|&to| to as usize != node);
                self.copies[node] = copies;
            }
        }
        self.blur_growing_distances();
        let found = components(&Copies { copies: &self.copies, moves: &[] });
        for members in found.members.iter().filter(|members| members.len() > 1) {
            let into = members[0];
            members[1..].iter().for_each(|&node| self.merge(node, into));
        }
        // A component stands behind those that it leads to.
        let count = found.members.len();
        self.ranks = found.of.iter().map(|&component| (count - component) as Node).collect();
    }

    /// A distance that is added again and again, as `p = p + 8` in a loop, becomes any.
    fn blur_growing_distances(&mut self) {
        let moves: Vec<Vec<Node>> = self
            .complex
            .iter()
            .map(|list| {
                let moved = list.iter().filter_map(|complex| match complex {
                    Complex::Move(to, _) => Some(self.find(*to)),
                    _ => None,
                });
                moved.collect()
            })
            .collect();
        let found = components(&Copies { copies: &self.copies, moves: &moves });
        for node in 0..self.complex.len() {
            let mut blurred = false;
            for at in 0..self.complex[node].len() {
                if let Complex::Move(to, Some(1.. | ..=-1)) = self.complex[node][at]
                    && found.of[self.find(to) as usize] == found.of[node]
                {
                    self.complex[node][at] = Complex::Move(to, None);
                    blurred = true;
                }
            }
            if blurred {
                self.unseen[node] = self.old[node].clone();
                self.touch(node as Node);
            }
        }
    }

    fn merge(&mut self, node: usize, into: usize) {
        self.same[node] = into as Node;
        let copies = std::mem::take(&mut self.copies[node]);
        self.copies[into].extend(copies);
        let complex = std::mem::take(&mut self.complex[node]);
        let targets = [&mut self.old, &mut self.new].map(|sets| std::mem::take(&mut sets[node]));
        self.unseen[node] = Vec::new();
        // Each one's targets are new to the other's copies and constraints.
        let own = std::mem::take(&mut self.old[into]);
        if !(complex.is_empty() && self.complex[into].is_empty()) {
            self.unseen[into] = Vec::new();
        }
        self.new[into].extend(targets.into_iter().flatten().chain(own));
        self.complex[into].extend(complex);
        let marks = self.marks[node];
        let own = &mut self.marks[into];
        own.leaks |= marks.leaks;
        own.outside |= marks.outside;
        own.outside_seen = false;
        self.touch(into as Node);
    }

    /// Passes on what is new at a node.
    fn flow(&mut self, node: Node) {
        let at = node as usize;
        if self.marks[at].outside {
            let copies = std::mem::take(&mut self.copies[at]);
            copies.iter().for_each(|&to| self.mark_outside(to));
            self.copies[at] = copies;
        }
        if self.new[at].is_empty() {
            return;
        }
        let mut new = std::mem::take(&mut self.new[at]);
        new.sort_unstable();
        new.dedup();
        let outside = self.marks[at].outside;
        let old = &self.old[at];
        let known = |target: &TargetId| old.binary_search(target).is_ok();
        let implied = |target: &TargetId| outside && self.objects[self.targets[*target as usize].object].escapes;
        new.retain(|target| !known(target) && !implied(target));
        if new.is_empty() {
            return;
        }
        if self.marks[at].leaks {
            self.escape_all(&new);
        }
        let copies = std::mem::take(&mut self.copies[at]);
        copies.iter().for_each(|&to| self.pass_on(&new, to));
        self.copies[at] = copies;
        if !self.complex[at].is_empty() {
            self.unseen[at].extend_from_slice(&new);
        }
        self.old[at] = merged(&self.old[at], &new);
    }

    fn pass_on(&mut self, targets: &[TargetId], to: Node) {
        let to = self.find(to);
        self.new[to as usize].extend_from_slice(targets);
        self.touch(to);
    }

    /// Applies constraints to targets that they have not seen.
    fn constrain(&mut self, node: Node) {
        let at = node as usize;
        if self.complex[at].is_empty() {
            return;
        }
        let unseen = std::mem::take(&mut self.unseen[at]);
        let outside = self.marks[at].outside && !std::mem::replace(&mut self.marks[at].outside_seen, true);
        if unseen.is_empty() && !outside {
            return;
        }
        let complex = std::mem::take(&mut self.complex[at]);
        for &constraint in &complex {
            if outside {
                self.apply_outside(constraint);
            }
            for &target in &unseen {
                self.apply(constraint, self.targets[target as usize]);
            }
        }
        // Applying may have added constraints to this very node.
        let added = std::mem::replace(&mut self.complex[at], complex);
        self.complex[at].extend(added);
    }

    fn apply_outside(&mut self, constraint: Complex) {
        match constraint {
            Complex::Load(to, _) | Complex::Move(to, _) => self.mark_outside(to),
            Complex::Store(from, _) => self.mark_leaking(from),
            Complex::Call(call) => {
                let CallConstraint { args, result, .. } = self.calls[call as usize].clone();
                args.into_iter().flatten().for_each(|arg| self.mark_leaking(arg));
                result.into_iter().for_each(|result| self.mark_outside(result));
            }
        }
    }

    fn apply(&mut self, constraint: Complex, target: Target) {
        match constraint {
            Complex::Load(to, size) => match self.cells_of(target, size) {
                Some(cells) => cells.for_each(|cell| {
                    let from = self.cell(target.object, cell);
                    self.add_copy(from, to);
                }),
                None => self.add_copy(self.blobs[target.object.index()].1, to),
            },
            Complex::Store(from, size) => match self.cells_of(target, size) {
                Some(cells) => cells.for_each(|cell| {
                    let to = self.cell(target.object, cell);
                    self.add_copy(from, to);
                }),
                None => self.add_copy(from, self.blobs[target.object.index()].0),
            },
            Complex::Move(to, distance) => {
                let offset = target.offset.zip(distance).and_then(|(a, b)| a.checked_add(b));
                self.add_target(to, Target { object: target.object, offset });
            }
            Complex::Call(call) => {
                if let ObjectKind::Function(function) = self.objects[target.object].kind {
                    self.link_call(call, function);
                }
            }
        }
    }

    /// The arguments of a call go to a function's parameters, and its result comes back.
    pub fn link_call(&mut self, call: u32, function: FuncId) {
        let signature = self.signatures[function.index()].clone();
        let CallConstraint { args, result, .. } = self.calls[call as usize].clone();
        if !signature.defined {
            self.call_external.push((call, function));
            return;
        }
        for (index, arg) in args.into_iter().enumerate() {
            let to = signature.params.get(index).copied().or(signature.variadic);
            if let (Some(arg), Some(to)) = (arg, to) {
                self.add_copy(arg, to);
            }
        }
        if let Some(result) = result {
            self.add_copy(signature.result, result);
        }
    }

    /// The cells that an access touches; `None` for the whole object.
    fn cells_of(&self, target: Target, size: u64) -> Option<std::ops::RangeInclusive<i64>> {
        let start = target.offset?;
        let last = start.checked_add(i64::try_from(size.max(1)).ok()? - 1)?;
        let cells = start.div_euclid(8)..=last.div_euclid(8);
        (cells.end() - cells.start() < MAX_CELLS).then_some(cells)
    }

    /// The node of a word of an object. It also has what is stored anywhere, and loads from anywhere have it.
    pub fn cell(&mut self, object: ObjectId, cell: i64) -> Node {
        if let Some(&node) = self.cells.get(&(object, cell)) {
            return node;
        }
        let node = self.add_node();
        self.cells.insert((object, cell), node);
        let (stored, loaded) = self.blobs[object.index()];
        self.add_copy(stored, node);
        self.add_copy(node, loaded);
        node
    }

    /// A target whose distance is told apart only inside of its object, and if there are not too many.
    fn target(&mut self, target: Target) -> TargetId {
        if let Some(&id) = self.target_ids.get(&target) {
            return id;
        }
        let size = self.objects[target.object].size;
        let inside = |offset: i64| offset >= 0 && size.is_none_or(|size| offset.unsigned_abs() <= size);
        let offset = target.offset.filter(|&offset| inside(offset));
        if target.offset != offset {
            return self.target(Target { offset, ..target });
        }
        let count = &mut self.offsets[target.object.index()];
        if offset.is_some() && *count >= MAX_OFFSETS {
            return self.target(Target { offset: None, ..target });
        }
        *count += 1;
        let id = u32::try_from(self.targets.len()).unwrap_or(u32::MAX);
        self.targets.push(target);
        self.target_ids.insert(target, id);
        id
    }

    fn escape_all(&mut self, targets: &[TargetId]) {
        for &target in targets {
            self.escape(self.targets[target as usize].object);
        }
    }

    fn find(&self, node: Node) -> Node {
        let mut node = node;
        while self.same[node as usize] != node {
            node = self.same[node as usize];
        }
        node
    }

    /// The plain result: sets of targets for values and constants.
    pub fn finish(
        mut self,
        starts: Vec<usize>,
        params: Vec<usize>,
        values: usize,
        consts: &[(ConstId, Node)],
    ) -> PointsTo {
        self.find_private(&starts, &params, values);
        let mut sets: Vec<Box<[Target]>> = vec![Box::new([])];
        let mut ids: FxHashMap<Box<[Target]>, u32> = FxHashMap::default();
        ids.insert(Box::new([]), 0);
        let mut of_node: Vec<Option<u32>> = vec![None; self.same.len()];
        let mut set_of = |node: Node| {
            let node = self.find(node) as usize;
            *of_node[node].get_or_insert_with(|| {
                let set = self.targets_of(node);
                *ids.entry(set).or_insert_with_key(|set| {
                    sets.push(set.clone());
                    u32::try_from(sets.len() - 1).unwrap_or(0)
                })
            })
        };
        let of_value = (0..values as Node).map(&mut set_of).collect();
        let of_const = consts.iter().map(|&(id, node)| (id, set_of(node))).collect();
        PointsTo { objects: self.objects, sets, starts, of_value, of_const, params }
    }

    fn find_private(&mut self, starts: &[usize], params: &[usize], values: usize) {
        let owners = self.objects.iter().map(|object| match object.kind {
            ObjectKind::Stack(owner, _) if !object.escapes => Some(owner),
            _ => None,
        });
        let mut private: Vec<Option<FuncId>> = owners.collect();
        let mut function = 0;
        for node in 0..self.same.len() {
            while node < values && starts.get(function + 1).is_some_and(|&next| next <= node) {
                function += 1;
            }
            let is_value = node < values && node >= starts[function] + params[function];
            let user = is_value.then(|| FuncId::from_index(function));
            if self.helpers.contains(&(node as Node)) {
                continue;
            }
            for &target in &self.old[self.find(node as Node) as usize] {
                let owner = &mut private[self.targets[target as usize].object.index()];
                *owner = owner.filter(|_| *owner == user);
            }
        }
        for (object, private) in self.objects.iter_mut().zip(private) {
            object.private = private.is_some();
        }
    }

    /// Sorted; without those that others imply.
    fn targets_of(&self, node: usize) -> Box<[Target]> {
        let outside = self.marks[node].outside;
        let mut targets: Vec<Target> = self.old[node].iter().map(|&target| self.targets[target as usize]).collect();
        targets.retain(|target| !outside || !self.objects[target.object].escapes);
        if outside {
            targets.push(Target { object: super::OUTSIDE, offset: None });
        }
        targets.sort_unstable();
        // Any distance sorts first and covers every other one of its object.
        let mut anywhere = None;
        targets.retain(|target| {
            let covered = anywhere == Some(target.object);
            if target.offset.is_none() {
                anywhere = Some(target.object);
            }
            !covered
        });
        targets.into()
    }
}

struct Copies<'s> {
    copies: &'s [Vec<Node>],
    moves: &'s [Vec<Node>],
}

impl Graph for Copies<'_> {
    fn node_count(&self) -> usize {
        self.copies.len()
    }

    fn for_each_successor(&self, node: usize, visit: impl FnMut(usize)) {
        let moves = self.moves.get(node).into_iter().flatten();
        self.copies[node].iter().chain(moves).map(|&to| to as usize).for_each(visit);
    }
}

/// The union of two sorted lists.
fn merged(a: &[TargetId], b: &[TargetId]) -> Vec<TargetId> {
    let mut union = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let next = a[i].min(b[j]);
        i += usize::from(a[i] == next);
        j += usize::from(b[j] == next);
        union.push(next);
    }
    union.extend_from_slice(&a[i..]);
    union.extend_from_slice(&b[j..]);
    union
}
