//! Which pointers of the input may alias, and where it can matter.
//!
//! Two names for one object make a difference only where runs write bytes through one of them that they use through the other
//! one, or where they ask whether two pointers are equal. So runs on inputs without aliases say what is worth a try
//! ([`Accesses`]): as long as nothing is used in both ways, a run on an input with aliases is a run on one without.
//!
//! Which of these a caller may make is a question of the language: `restrict` and unique references exclude it, and so does a
//! variable whose address nobody takes. Types do, too, by convention: one name leads to the type of the other one, or to a part of
//! it, or to bytes. Where only that keeps names apart, a proof says so ([`Candidates::types_apart`]).

use super::{Alias, Root, Route};
use crate::changes::global_object;
use crate::containers;
use crate::contents::Part;
use crate::inputs::{InputId, InputObject, Naming, Origin};
use crate::memory::{Kind, Life, Object};
use crate::relaid::is_laid_alike;
use crate::run::Worker;
use crate::rust_inputs::type_name;
use crate::same::is_of_rust;
use crate::state::State;
use ir::attrs::{Attr, AttrFlag};
use ir::debug::{DebugTypeKind, Encoding, Qualifier};
use ir::id::{DebugTypeId, SymbolId};
use ir::module::Module;
use std::collections::BTreeMap;
use std::ops::Range;

/// Most distances between two objects of which each is tried.
const MOST_DISTANCES: usize = 3;

/// Most distances that are looked at to find those.
const MOST_PLACES: usize = 4096;

/// How far behind a multiple of 16 objects may lie.
const MOST_DISPLACED: u64 = 8;

/// Elements of an array, and parts of a record, that are looked at.
const MOST_PARTS: usize = 64;

/// Bytes of an object that are told apart where the program wrote.
const TOLD_APART: u64 = 512;

/// Deepest nesting of types.
const DEEPEST: u32 = 16;

/// What pointers of the input may alias.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    /// Each of them by itself, likely ones first.
    pub aliases: Vec<Alias>,
    /// Whether there are others that are not listed.
    pub others: bool,
    /// Whether names were taken to lead to different memory because of their types alone.
    pub types_apart: bool,
}

/// Which bytes of objects of the input, and of variables, runs read and wrote.
#[derive(Clone, Debug, Default)]
pub struct Accesses {
    of: BTreeMap<Accessed, Access>,
    /// Whether two pointers were compared that may alias.
    compared: bool,
}

/// An object of the input or a variable. Variables come first, as the order of objects is that in which they were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Accessed {
    Variable(SymbolId),
    Input(InputId),
}

#[derive(Clone, Debug, Default)]
struct Access {
    read: Bytes,
    written: Bytes,
}

/// Ranges of bytes, of which none lies inside of another one: the end of each by its start. Both ascend in the same order.
#[derive(Clone, Debug, Default)]
struct Bytes(BTreeMap<u64, u64>);

impl Bytes {
    fn add(&mut self, bytes: Range<u64>) {
        if self.0.range(..=bytes.start).next_back().is_some_and(|(_, &end)| bytes.end <= end) {
            return;
        }
        while let Some((&inner, _)) = self.0.range(bytes.start..).next().filter(|(_, end)| **end <= bytes.end) {
            self.0.remove(&inner);
        }
        self.0.insert(bytes.start, bytes.end);
    }

    fn ranges(&self) -> impl Iterator<Item = Range<u64>> + '_ {
        self.0.iter().map(|(&start, &end)| start..end)
    }

    fn end(&self) -> u64 {
        self.0.values().next_back().copied().unwrap_or(0)
    }

    /// Whether it has bytes in common with another set that lies at a distance.
    fn meets(&self, other: &Bytes, distance: u64) -> bool {
        let moved = |at: u64| at.saturating_add(distance);
        other.ranges().any(|b| {
            let last = self.0.range(..moved(b.end)).next_back();
            last.is_some_and(|(_, &end)| moved(b.start) < end)
        })
    }
}

impl Access {
    /// Whether bytes are written here that the other one uses, if the other object lies at a distance in this one.
    fn conflicts(&self, other: &Access, distance: u64) -> bool {
        self.written.meets(&other.read, distance)
            || self.written.meets(&other.written, distance)
            || self.read.meets(&other.written, distance)
    }
}

impl Accesses {
    /// Adds what a run did.
    pub fn add(&mut self, worker: &Worker, state: &State) {
        self.compared = self.compared || state.told_apart;
        let inputs = &worker.inputs;
        for &(id, at) in state.leaves.iter_back() {
            let id = inputs.canonical(id);
            let key = match inputs.object(id).origin {
                Origin::Global(symbol) => Accessed::Variable(worker.program.canonical(symbol)),
                _ => Accessed::Input(id),
            };
            let size = inputs.leaf_at(id, at).map_or(1, |leaf| u64::from(leaf.size));
            self.of.entry(key).or_default().read.add(at..at + size);
        }
        for &(id, object) in state.inputs.iter() {
            self.add_object(Accessed::Input(inputs.canonical(id)), state.memory.get_or_nothing(object));
        }
        for (id, object) in state.memory.iter() {
            if matches!(object.kind, Kind::Global { constant: false })
                && let Some(symbol) = worker.program.object_symbol(id)
            {
                self.add_object(Accessed::Variable(worker.program.canonical(symbol)), object);
            }
        }
    }

    fn add_object(&mut self, key: Accessed, object: &Object) {
        let contents = &object.contents;
        if contents.array.is_some() {
            self.of.entry(key).or_default().read.add(0..u64::MAX);
        }
        // What was freed must not be used by another name either.
        if !object.written && object.life == Life::Alive {
            return;
        }
        let written = &mut self.of.entry(key).or_default().written;
        let end = contents.written();
        if contents.array.is_some() || contents.source.is_some() || object.life != Life::Alive {
            written.add(0..u64::MAX);
        } else if end > TOLD_APART {
            written.add(0..end);
        } else {
            let is_set = |at: &u64| contents.part(*at, 1) != Part::Unset;
            let mut from = 0;
            while let Some(start) = (from..end).find(is_set) {
                from = (start..end).find(|at| !is_set(at)).unwrap_or(end);
                written.add(start..from);
            }
        }
    }

    /// Aliases that a caller may make, and that may matter to these runs.
    pub fn candidates(&self, worker: &Worker) -> Candidates {
        let mut search = Search { worker, accesses: self, found: Candidates::default() };
        let names: Vec<Name> = self.of.keys().filter_map(|&key| search.name(key)).collect();
        for (index, first) in names.iter().enumerate() {
            for second in &names[index + 1..] {
                search.pair(first, second);
                let apart = search.found.types_apart || search.are_types_apart(first, second);
                search.found.types_apart = apart;
            }
        }
        for &(pointer, to) in &worker.inputs.told_apart {
            if let (Some(a), Some(b)) = (search.name(Accessed::Input(to)), search.name(Accessed::Input(pointer))) {
                search.add(&a, &b, 0);
            }
        }
        for &id in &worker.inputs.asked_for_alignment {
            search.displace(id);
        }
        search.found.others = search.found.others || self.compared;
        // What is const by convention comes last, what lies elsewhere inside of something behind what does not.
        search.found.aliases.sort_by_key(|alias| (alias.constant, alias.distance > 0));
        search.found
    }
}

impl Worker<'_> {
    /// Whether the language forbids that others use what a pointer of the input leads to while the function runs.
    pub(crate) fn is_unshared(&self, id: InputId) -> bool {
        let Origin::Pointer(from, at) = self.inputs.object(id).origin else { return false };
        let module = &self.program.module;
        let holder = self.inputs.object(from);
        if self.entries.first().is_some_and(|&entry| is_of_rust(module, entry)) {
            return self.may_alias(from, at).is_none();
        }
        if let Origin::Parameter(index) = holder.origin
            && self.entries.iter().all(|&entry| {
                let param = module.functions[entry].params.get(index as usize);
                param.is_some_and(|param| module.attrs[param.attrs].has(AttrFlag::NoAlias))
            })
        {
            return true;
        }
        holder.extent(self.program, at, true).ty.is_some_and(|ty| has_qualifier(module, ty, Qualifier::Restrict))
    }

    /// Whether nothing forbids that a pointer aliases; and then, whether its type says that nothing is written through it.
    pub(crate) fn may_alias(&self, from: InputId, at: u64) -> Option<bool> {
        let (program, inputs) = (self.program, &self.inputs);
        let module = &program.module;
        let holder = inputs.object(from);
        if let Origin::Parameter(index) = holder.origin {
            let alone = self.entries.iter().any(|&entry| {
                let Some(param) = module.functions[entry].params.get(index as usize) else { return true };
                let attrs = &module.attrs[param.attrs];
                let copied = |attr: &Attr| matches!(attr, Attr::Sret(_) | Attr::ByVal(_) | Attr::ByRef(_));
                attrs.has(AttrFlag::NoAlias) || attrs.0.iter().any(copied)
            });
            if alone || holder.memory {
                return None;
            }
        }
        if holder.ty.is_some_and(|ty| containers::around(module, ty, at % holder.element.max(1)).is_some()) {
            return None;
        }
        let Some(ty) = holder.extent(program, at, true).ty else { return Some(false) };
        if has_qualifier(module, ty, Qualifier::Restrict) {
            return None;
        }
        let debug = &module.debug;
        let DebugTypeKind::Pointer { to, .. } = debug.types[debug.strip(ty)].kind else { return None };
        let is_function = |to: DebugTypeId| matches!(debug.types[debug.strip(to)].kind, DebugTypeKind::Function { .. });
        if to.is_some_and(|to| is_function(to) || containers::holds(module, to)) {
            return None;
        }
        let text = type_name(module, debug.strip(ty));
        if self.entries.first().is_some_and(|&entry| is_of_rust(module, entry)) && !may_be_shared(module, text, to) {
            return None;
        }
        Some(to.is_some_and(|to| is_const(module, to)) || text.starts_with("*const "))
    }
}

/// A name for memory: a pointer of the input, or a variable.
struct Name {
    key: Accessed,
    route: Route,
    /// What the source calls the pointer, or the variable.
    text: String,
    /// What it leads to; nothing for bytes.
    ty: Option<DebugTypeId>,
    /// Bytes of an element, if there are several.
    stride: Option<u64>,
    constant: bool,
}

struct Search<'a, 'p> {
    worker: &'a Worker<'p>,
    accesses: &'a Accesses,
    found: Candidates,
}

impl Search<'_, '_> {
    /// The name of memory, if something else may lead there.
    fn name(&mut self, key: Accessed) -> Option<Name> {
        let program = self.worker.program;
        let module = &program.module;
        match key {
            Accessed::Variable(symbol) => {
                if [true, false].iter().all(|&old| program.private.contains(&program.of_side(symbol, old))) {
                    return None;
                }
                let object = global_object(program, symbol)?;
                let route = Route { root: Root::Variable(symbol), steps: Vec::new() };
                let ty = object.ty?;
                let text = format!("&{}", object.name);
                Some(Name { key, route, text, ty: Some(ty), stride: None, constant: is_const(module, ty) })
            }
            Accessed::Input(id) => {
                let inputs = &self.worker.inputs;
                let object = inputs.object(id);
                let Origin::Pointer(from, at) = object.origin else {
                    self.found.others |= matches!(object.origin, Origin::Outside(_)) && object.memory;
                    return None;
                };
                if !object.memory || object.held || inputs.buffers.contains_key(&id) {
                    return None;
                }
                let constant = self.worker.may_alias(from, at)?;
                // What lies elsewhere in the old version, or is as large as something else says, is not tried.
                if self.worker.relaid(id).is_some() || object.size.as_const().is_none() {
                    self.found.others = true;
                    return None;
                }
                let Some(route) = self.worker.route(id) else {
                    self.found.others = true;
                    return None;
                };
                let known = object.ty.filter(|&ty| module.debug.bits(module.debug.strip(ty)) > 0);
                let ty = known.filter(|&ty| !is_character(module, ty));
                let stride = (object.naming == Naming::Several || object.count > 1).then_some(object.element);
                let constant = constant || object.ty.is_some_and(|ty| is_const(module, ty));
                Some(Name { key, route, text: object.name.clone(), ty, stride, constant })
            }
        }
    }

    /// Lets numbers lie elsewhere than at a multiple of 16.
    fn displace(&mut self, id: InputId) {
        let (inputs, module) = (&self.worker.inputs, &self.worker.program.module);
        let object = inputs.object(id);
        let is_number =
            |ty: DebugTypeId| matches!(module.debug.types[module.debug.strip(ty)].kind, DebugTypeKind::Basic(_));
        let plain =
            object.memory && !object.held && object.size.as_const().is_some() && object.ty.is_none_or(is_number);
        let Some(route) = self.worker.route(id).filter(|route| plain && !route.steps.is_empty()) else { return };
        for distance in (1..=MOST_DISPLACED).filter(|distance| distance.is_multiple_of(object.element.max(1))) {
            let bytes = if distance == 1 { "byte" } else { "bytes" };
            let place = format!("{distance} {bytes} behind a multiple of 16");
            let names = (object.name.clone(), place);
            let (pointer, to) = (route.clone(), route.clone());
            self.found.aliases.push(Alias { pointer, to, distance, constant: false, names });
        }
    }

    /// Aliases of two names, of which the first was known before the second.
    fn pair(&mut self, first: &Name, second: &Name) {
        let (outer, mut inner) = (self.distances(first, second), self.distances(second, first));
        // The same place the other way round is the same alias.
        inner.retain(|&distance| distance > 0 || !outer.contains(&0));
        for distance in outer {
            self.add(first, second, distance);
        }
        for distance in inner {
            self.add(second, first, distance);
        }
    }

    /// Whether two names use the same memory, to which one of them writes, if they lead to places in each other at which their types
    /// do not fit.
    fn are_types_apart(&self, first: &Name, second: &Name) -> bool {
        let module = &self.worker.program.module;
        let (Some(x), Some(y)) = (first.ty, second.ty) else { return false };
        let [Some(a), Some(b)] = [first, second].map(|name| self.accesses.of.get(&name.key)) else { return false };
        let (inside_first, inside_second) = (places(module, x, y), places(module, y, x));
        let one_begins = inside_first.contains(&0) || inside_second.contains(&0);
        let apart = |outer: &Name, (a, b): (&Access, &Access), places: &[u64], inner: DebugTypeId| {
            let end = a.read.end().max(a.written.end()).min(TOLD_APART);
            let fits = |distance: u64| {
                let at = outer.stride.filter(|stride| *stride > 0).map_or(distance, |stride| distance % stride);
                places.contains(&at) || distance == 0 && one_begins
            };
            let step = usize::try_from(alignment(module, inner)).unwrap_or(1);
            (0..end).step_by(step).any(|distance| !fits(distance) && a.conflicts(b, distance))
        };
        apart(first, (a, b), &inside_first, y) || apart(second, (b, a), &inside_second, x)
    }

    /// How far inside of what one name leads to what the other one leads to may lie, where that matters.
    fn distances(&mut self, outer: &Name, inner: &Name) -> Vec<u64> {
        let module = &self.worker.program.module;
        let [Some(a), Some(b)] = [outer, inner].map(|name| self.accesses.of.get(&name.key)) else { return Vec::new() };
        let mut places = match (outer.ty, inner.ty) {
            (Some(outer), Some(inner)) => places(module, outer, inner),
            (None, Some(_)) => return Vec::new(),
            // Bytes may lie anywhere: where they meet what is used of the other one.
            (_, None) => {
                let ranges = a.read.ranges().chain(a.written.ranges());
                let mut starts: Vec<u64> = ranges.map(|range| range.start).chain([0]).collect();
                starts.sort_unstable();
                starts.dedup();
                starts
            }
        };
        if let Some(stride) = outer.stride.filter(|stride| *stride > 0) {
            let first = places.clone();
            places.extend((1..MOST_PARTS as u64).flat_map(|index| first.iter().map(move |at| at + index * stride)));
        }
        places.sort_unstable();
        places.dedup();
        self.found.others |= places.len() > MOST_PLACES;
        places.truncate(MOST_PLACES);
        let conflicts = places.into_iter().filter(|&distance| a.conflicts(b, distance));
        let mut places: Vec<u64> = conflicts.take(MOST_DISTANCES + 1).collect();
        self.found.others |=
            places.len() > MOST_DISTANCES || outer.ty.is_none() != inner.ty.is_none() && !places.is_empty();
        places.truncate(MOST_DISTANCES);
        places
    }

    /// Adds that what the second name leads to lies in what the first one leads to.
    fn add(&mut self, to: &Name, pointer: &Name, distance: u64) {
        let Accessed::Input(_) = pointer.key else { return };
        if to.route.leads_through(&pointer.route) {
            return;
        }
        let alias = Alias {
            pointer: pointer.route.clone(),
            to: to.route.clone(),
            distance,
            constant: to.constant || pointer.constant,
            names: (pointer.text.clone(), self.place(to, distance)),
        };
        if !self.found.aliases.contains(&alias) {
            self.found.aliases.push(alias);
        }
    }

    /// What the source calls a place in what a name leads to.
    fn place(&self, name: &Name, distance: u64) -> String {
        if distance == 0 {
            return name.text.clone();
        }
        let program = self.worker.program;
        let object: Option<InputObject> = match name.key {
            Accessed::Variable(symbol) => global_object(program, symbol),
            Accessed::Input(id) => Some(self.worker.inputs.object(id).clone()),
        };
        let part = object.as_ref().map(|object| (object, object.extent(program, distance, false)));
        match (part, name.stride) {
            (_, Some(stride)) if stride > 0 && distance.is_multiple_of(stride) => {
                format!("{} + {}", name.text, distance / stride)
            }
            (Some((object, extent)), _) if extent.start == distance => format!("&{}", object.part_name(&extent)),
            _ => format!("{} + {distance} bytes", name.text),
        }
    }
}

/// Where in a type another one lies, or something like it.
fn places(module: &Module, outer: DebugTypeId, inner: DebugTypeId) -> Vec<u64> {
    let debug = &module.debug;
    let (mut found, mut todo) = (Vec::new(), vec![(debug.strip(outer), 0u64, 0)]);
    while let Some((ty, at, depth)) = todo.pop() {
        if found.len() >= MOST_PARTS || depth > DEEPEST {
            break;
        }
        if alike(module, ty, inner) {
            found.push(at);
        }
        match &debug.types[ty].kind {
            DebugTypeKind::Record { fields, .. } => {
                let whole = fields.iter().filter(|field| !field.bit_field);
                let parts = whole.filter_map(|field| Some((debug.strip(field.ty?), at + field.offset / 8, depth + 1)));
                todo.extend(parts.take(MOST_PARTS));
            }
            DebugTypeKind::Array { element: Some(element), .. } => {
                let size = debug.bits(*element) / 8;
                let count = debug.bits(ty) / 8 / size.max(1);
                let parts =
                    (0..count.min(MOST_PARTS as u64)).map(|i| (debug.strip(*element), at + i * size, depth + 1));
                todo.extend(parts);
            }
            _ => {}
        }
    }
    found
}

/// At a multiple of what values of a type lie: the largest of its scalars.
fn alignment(module: &Module, ty: DebugTypeId) -> u64 {
    let debug = &module.debug;
    let (mut most, mut todo) = (1, vec![(debug.strip(ty), 0)]);
    while let Some((ty, depth)) = todo.pop() {
        match &debug.types[ty].kind {
            DebugTypeKind::Record { fields, .. } if depth < DEEPEST => {
                let types = fields.iter().filter_map(|field| Some((debug.strip(field.ty?), depth + 1)));
                todo.extend(types.take(MOST_PARTS));
            }
            DebugTypeKind::Array { element: Some(element), .. } if depth < DEEPEST => {
                todo.push((debug.strip(*element), depth + 1));
            }
            DebugTypeKind::Basic(_) | DebugTypeKind::Enum { .. } | DebugTypeKind::Pointer { .. } => {
                let bytes = debug.bits(ty) / 8;
                most = most.max(if bytes.is_power_of_two() { bytes.min(16) } else { 1 });
            }
            _ => {}
        }
    }
    most
}

/// Whether something else may lead to where a pointer of Rust leads to, while one of both writes there: it is no reference, or
/// one to a cell.
fn may_be_shared(module: &Module, pointer: &str, to: Option<DebugTypeId>) -> bool {
    let debug = &module.debug;
    let holds_cell = |ty: DebugTypeId| {
        let mut todo = vec![(debug.strip(ty), 0)];
        while let Some((ty, depth)) = todo.pop() {
            match &debug.types[ty].kind {
                _ if type_name(module, ty).starts_with("UnsafeCell<") => return true,
                DebugTypeKind::Record { fields, .. } if depth < DEEPEST => {
                    todo.extend(fields.iter().filter_map(|field| Some((debug.strip(field.ty?), depth + 1))));
                }
                _ => {}
            }
        }
        false
    };
    let is_raw = pointer.starts_with("*mut ") || pointer.starts_with("*const ");
    let is_shared = pointer.starts_with('&') && !pointer.starts_with("&mut ");
    is_raw || is_shared && to.is_some_and(holds_cell)
}

fn is_const(module: &Module, ty: DebugTypeId) -> bool {
    has_qualifier(module, ty, Qualifier::Const)
}

fn has_qualifier(module: &Module, ty: DebugTypeId, wanted: Qualifier) -> bool {
    let mut ty = ty;
    for _ in 0..8 {
        match module.debug.types[ty].kind {
            DebugTypeKind::Alias { qualifier: Some(known), .. } if known == wanted => return true,
            DebugTypeKind::Alias { to: Some(to), .. } => ty = to,
            // An array is constant if its elements are.
            DebugTypeKind::Array { element: Some(element), .. } => ty = element,
            _ => return false,
        }
    }
    false
}

fn is_character(module: &Module, ty: DebugTypeId) -> bool {
    let debug = &module.debug;
    matches!(&debug.types[debug.strip(ty)].kind, DebugTypeKind::Basic(_) if debug.bits(debug.strip(ty)) == 8)
}

/// Whether one object may have both types: numbers of one size, or the same record.
fn alike(module: &Module, first: DebugTypeId, second: DebugTypeId) -> bool {
    let debug = &module.debug;
    let number = |ty: DebugTypeId| match debug.types[ty].kind {
        DebugTypeKind::Basic(Encoding::Float) => Some((debug.bits(ty), true)),
        DebugTypeKind::Basic(_) | DebugTypeKind::Enum { .. } => Some((debug.bits(ty), false)),
        _ => None,
    };
    let (first, second) = (debug.strip(first), debug.strip(second));
    match (number(first), number(second)) {
        (None, None) => first == second || is_laid_alike((module, first), (module, second)),
        (first, second) => first == second,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_inside_of_others_are_left_out() {
        let mut bytes = Bytes::default();
        for range in [4..8, 0..4, 5..7, 6..12, 20..24, 19..30, 4..8] {
            bytes.add(range);
        }
        let ranges: Vec<Range<u64>> = bytes.ranges().collect();
        assert_eq!(ranges, [0..4, 4..8, 6..12, 19..30]);
        let other = |range: Range<u64>| {
            let mut other = Bytes::default();
            other.add(range);
            other
        };
        for (range, distance, expect) in [
            (0..1, 12, false),
            (0..1, 11, true),
            (0..9, 12, true),
            (0..7, 12, false),
            (29..31, 0, true),
            (30..31, 0, false),
        ] {
            assert_eq!(bytes.meets(&other(range.clone()), distance), expect, "{range:?} {distance}");
        }
    }
}
