//! Vectors and strings of C++ and Rust, compared by what they hold: where that lies and how much room there is nobody can see.

use super::{Comparer, MAX_BYTES, Typed, float_format};
use crate::containers::{self, Layout, TEXT_LENGTH, VECTOR_END};
use crate::contents::Part;
use crate::inputs::LeafValue;
use crate::memory::{Kind, Life};
use crate::run::Worker;
use crate::rust_inputs::type_name;
use crate::value::{ObjectId, Pointer, Value};
use evidence::Assumption;
use ir::debug::{DebugTypeKind, Encoding};
use ir::id::DebugTypeId;
use ir::module::Module;
use smt::expr::Expr;
use std::rc::Rc;

const UNREADABLE: &str = "a container that cannot be read";

/// Deepest nesting of containers.
const DEEPEST: u32 = 4;

/// A place in memory.
#[derive(Clone, Copy)]
struct Place {
    object: ObjectId,
    at: u64,
}

/// What a container holds: from there on so many bytes.
struct Held {
    from: Place,
    bytes: Expr,
}

/// Most bytes that a container can hold.
enum Most {
    /// There is room for so many.
    Room(u64),
    /// It is not known how much room there is; so many were written.
    Written(u64),
}

impl Worker<'_> {
    /// Containers in memory whose type is known, by distance; nothing if one of them is not known well enough.
    pub(crate) fn containers(&self, typed: Typed) -> Option<Vec<(u64, Layout)>> {
        let Some((ty, element, size)) = self.source_type(typed) else { return Some(Vec::new()) };
        let within = self.containers_of(ty)?;
        let starts = (0..size / element).map(|index| index * element);
        Some(starts.flat_map(|start| within.iter().map(move |(at, layout)| (start + at, *layout))).collect())
    }

    /// Whether there is a container in memory whose type is known.
    pub(crate) fn holds_container(&self, typed: Typed) -> bool {
        let ty = self.source_type(typed).map(|(ty, ..)| ty);
        ty.is_some_and(|ty| self.containers_of(ty).is_none_or(|within| !within.is_empty()))
    }

    /// Containers in a type, by distance; nothing if one of them is not known well enough.
    fn containers_of(&self, ty: DebugTypeId) -> KnownContainers {
        let find = || {
            let within = containers::within(&self.program.module, ty);
            within.iter().map(|container| Some((container.start, container.layout?))).collect()
        };
        self.known_containers.borrow_mut().entry(ty).or_insert_with(find).clone()
    }
}

/// Containers in a type, by distance; nothing if one of them is not known well enough.
pub(crate) type KnownContainers = Option<Rc<[(u64, Layout)]>>;

impl Comparer<'_, '_> {
    /// Whether the containers at a distance in two objects hold the same.
    pub(super) fn same_container(&mut self, (a, b): (ObjectId, ObjectId), at: u64, layout: Layout) -> Expr {
        if self.is_left_alone((a, b), at, layout) {
            return Expr::bool(true);
        }
        self.result.left_out.insert(if matches!(layout, Layout::Rust { .. }) {
            Assumption::Capacity
        } else {
            Assumption::ContainerPlace
        });
        self.held_alike((Place { object: a, at }, Place { object: b, at }), layout, 0)
    }

    /// Whether results of Rust that are references lead to the same values; nothing if they are none, or may be written through.
    pub(super) fn same_reference(&mut self, a: &Value, b: &Value) -> Option<Expr> {
        let ty = self.result_type.filter(|_| self.of_rust)?;
        let module = &self.worker.program.module;
        let ty = module.debug.strip(ty);
        let name = type_name(module, ty);
        if !name.starts_with('&') || name.starts_with("&mut") {
            return None;
        }
        let (element, slice) = match &module.debug.types[ty].kind {
            DebugTypeKind::Pointer { to, .. } => ((*to)?, false),
            DebugTypeKind::Record { fields, .. } => {
                let data = fields.iter().find(|field| field.name.is_some_and(|name| module.str(name) == "data_ptr"))?;
                match module.debug.types[module.debug.strip(data.ty?)].kind {
                    DebugTypeKind::Pointer { to, .. } => (to?, true),
                    _ => return None,
                }
            }
            _ => return None,
        };
        let size = module.debug.bits(element) / 8;
        // What has no bytes, or changes behind a shared reference, is told apart by more than what it is now.
        if size == 0 || holds_cell(module, element) {
            return None;
        }
        let pointer = |value: &Value| match value {
            Value::Ptr(pointer) => Some(*pointer),
            Value::Bits(address) => Some(Pointer { object: ObjectId::NONE, offset: *address }),
            _ => None,
        };
        let parts = |value: &Value, pool: &mut smt::pool::Pool| match (value, slice) {
            (Value::Many(parts), true) => match &parts[..] {
                [data, Value::Bits(length)] => Some((pointer(data)?, pool.mul(*length, Expr::constant(size, 64)))),
                _ => None,
            },
            (value, false) => Some((pointer(value)?, Expr::constant(size, 64))),
            _ => None,
        };
        let (x, y) = (parts(a, &mut self.worker.pool)?, parts(b, &mut self.worker.pool)?);
        if !slice && (x.0.object == ObjectId::NONE || y.0.object == ObjectId::NONE) {
            return None;
        }
        let held = |(pointer, bytes): (Pointer, Expr)| match pointer.object {
            // An empty slice leads nowhere.
            ObjectId::NONE => {
                Some(Held { from: Place { object: ObjectId::NONE, at: 0 }, bytes: Expr::constant(0, 64) })
            }
            object => Some(Held { from: Place { object, at: pointer.offset.as_const()? }, bytes }),
        };
        let (Some(x), Some(y)) = (held(x), held(y)) else { return Some(self.unknown("where a reference leads")) };
        self.result.left_out.insert(Assumption::ReferencePlace);
        Some(self.held_the_same(x, y, Some(element), 0))
    }

    fn held_alike(&mut self, (a, b): (Place, Place), layout: Layout, depth: u32) -> Expr {
        if depth > DEEPEST {
            return self.unknown("containers in containers");
        }
        let (Some(x), Some(y)) = (self.held(true, a, layout), self.held(false, b, layout)) else {
            return self.unknown(UNREADABLE);
        };
        self.held_the_same(x, y, layout.element(), depth)
    }

    fn held_the_same(&mut self, x: Held, y: Held, element: Option<DebugTypeId>, depth: u32) -> Expr {
        let same_length = self.worker.pool.eq(x.bytes, y.bytes);
        let is_flat = element.is_none_or(|ty| self.worker.containers_of(ty).is_some_and(|within| within.is_empty()));
        if same_length.is_false() || is_flat && self.is_same_memory(&x, &y) {
            return same_length;
        }
        let most = match x.bytes.as_const().or(y.bytes.as_const()) {
            Some(most) => most,
            None => match (self.most(true, &x), self.most(false, &y)) {
                (Some(Most::Room(x)), Some(Most::Room(y))) => x.min(y),
                (Some(Most::Room(room)), Some(_)) | (Some(_), Some(Most::Room(room))) => room,
                // Behind what one of them wrote the other one may have something.
                (Some(Most::Written(x)), Some(Most::Written(y))) => x.max(y),
                _ => return self.unknown(UNREADABLE),
            },
        };
        if most > MAX_BYTES {
            return self.unknown("an object too large to compare");
        }
        let step = element.map_or(1, |ty| (self.worker.program.module.debug.bits(ty) / 8).max(1));
        let mut all = same_length;
        for start in (0..most).step_by(step as usize) {
            let places = (x.from.further(start), y.from.further(start));
            let same = match element {
                Some(ty) => self.same_element(places, ty, step, depth),
                None => self.same_byte(places),
            };
            let pool = &mut self.worker.pool;
            let is_behind = pool.ule(x.bytes, Expr::constant(start, 64));
            let same = pool.or(same, is_behind);
            all = pool.and(all, same);
            if all.is_false() {
                break;
            }
        }
        all
    }

    /// What a container holds in a state.
    fn held(&mut self, old: bool, place: Place, layout: Layout) -> Option<Held> {
        let as_pointer = |value: Value| match value {
            Value::Ptr(pointer) => Some(pointer),
            Value::Bits(address) => Some(Pointer { object: ObjectId::NONE, offset: address }),
            _ => None,
        };
        let Pointer { object, offset } = as_pointer(self.word(old, place.object, place.at + layout.pointer())?)?;
        let bytes = match layout {
            Layout::Rust { length, element, .. } => {
                let size = element.map_or(1, |ty| (self.worker.program.module.debug.bits(ty) / 8).max(1));
                match self.read(old, place.object, place.at + length, 8, false)? {
                    Value::Bits(count) => self.worker.pool.mul(count, Expr::constant(size, 64)),
                    _ => return None,
                }
            }
            Layout::Text => match self.read(old, place.object, place.at + TEXT_LENGTH, 8, false)? {
                Value::Bits(length) => length,
                _ => return None,
            },
            Layout::Vector { .. } => {
                let end = as_pointer(self.word(old, place.object, place.at + VECTOR_END)?)?;
                if end.object != object {
                    return None;
                }
                self.worker.pool.sub(end.offset, offset)
            }
        };
        if object == ObjectId::NONE {
            // Only an empty vector leads nowhere, whatever its length is made of. Rust has a number there that is no address.
            let is_empty = match layout {
                Layout::Text => false,
                Layout::Vector { .. } => offset.as_const() == Some(0),
                Layout::Rust { .. } => offset.as_const().is_some(),
            };
            return is_empty.then_some(Held { from: place, bytes: Expr::constant(0, 64) });
        }
        let state = if old { &self.old } else { &self.new };
        if state.memory.get_or_nothing(object).life != Life::Alive {
            return None;
        }
        Some(Held { from: Place { object, at: offset.as_const()? }, bytes })
    }

    /// Most bytes that a container can hold.
    fn most(&self, old: bool, held: &Held) -> Option<Most> {
        let state = if old { &self.old } else { &self.new };
        let object = state.memory.get_or_nothing(held.from.object);
        let behind = |size: u64| size.checked_sub(held.from.at);
        match (object.size.as_const(), object.kind) {
            (Some(size), _) => behind(size).map(Most::Room),
            (None, Kind::Input(id)) => {
                let input = self.worker.inputs.object(id);
                behind(input.count.checked_mul(input.element)?).map(Most::Room)
            }
            (None, _) if object.contents.array.is_none() => behind(object.contents.written()).map(Most::Written),
            (None, _) => Some(Most::Room(self.worker.pool.facts(held.bytes).high)),
        }
    }

    /// Whether what two containers hold is the same memory of the input, which neither version wrote.
    fn is_same_memory(&self, x: &Held, y: &Held) -> bool {
        let [a, b] =
            [(&self.old, x), (&self.new, y)].map(|(state, held)| state.memory.get_or_nothing(held.from.object));
        let same = matches!((a.kind, b.kind), (Kind::Input(a), Kind::Input(b)) if a == b);
        same && !a.written && !b.written && x.from.at == y.from.at
    }

    /// Whether neither version did anything to a container of the input, or to what it leads to.
    fn is_left_alone(&self, (a, b): (ObjectId, ObjectId), at: u64, layout: Layout) -> bool {
        if !(at..at + layout.bytes()).all(|at| self.is_untouched(a, b, at)) {
            // Looking at it is no change.
            let [x, y] = [(&self.old, a), (&self.new, b)].map(|(state, id)| state.memory.get_or_nothing(id));
            if x.written || y.written {
                return false;
            }
        }
        let Kind::Input(id) = self.old.memory.get_or_nothing(a).kind else { return false };
        let pointer = at + layout.pointer();
        let Some(LeafValue::Pointer(to)) = self.worker.inputs.leaf_at(id, pointer).map(|leaf| leaf.value) else {
            return self.worker.inputs.leaf_at(id, pointer).is_none();
        };
        let holds_more =
            self.worker.inputs.object(to).ty.is_some_and(|ty| containers::holds(&self.worker.program.module, ty));
        let is_changed = |state: &crate::state::State| {
            let object = state.inputs.iter().find(|(known, _)| *known == to);
            let object = object.map(|(_, object)| state.memory.get_or_nothing(*object));
            object.is_some_and(|object| object.written || object.life != Life::Alive)
        };
        !holds_more && !is_changed(&self.old) && !is_changed(&self.new)
    }

    fn same_byte(&mut self, (a, b): (Place, Place)) -> Expr {
        match (self.byte(true, a.object, a.at), self.byte(false, b.object, b.at)) {
            (Some(x), Some(y)) => self.value(&x, &y),
            _ => self.unknown("memory that cannot be read"),
        }
    }

    /// Whether elements of a type are the same, but for bytes that hold nothing.
    fn same_element(&mut self, (a, b): (Place, Place), ty: DebugTypeId, size: u64, depth: u32) -> Expr {
        let Some(within) = self.worker.containers_of(ty) else {
            return self.unknown("how a container of the library keeps what it holds");
        };
        let mut all = Expr::bool(true);
        let mut at = 0;
        while at < size {
            let places = (a.further(at), b.further(at));
            let module = &self.worker.program.module;
            let (same, length) = if let Some(&(_, layout)) = within.iter().find(|(start, _)| *start == at) {
                let (first, second) = places;
                let alone = self.is_same_input(first, second)
                    && self.is_left_alone((first.object, second.object), first.at, layout);
                (if alone { Expr::bool(true) } else { self.held_alike(places, layout, depth + 1) }, layout.bytes())
            } else if module.debug.is_padding(&module.strings, ty, at) {
                (Expr::bool(true), 1)
            } else {
                self.same_scalar(places, (ty, at), size - at)
            };
            all = self.worker.pool.and(all, same);
            if all.is_false() {
                break;
            }
            at += length;
        }
        all
    }

    /// Whether what begins at two places is the same, and how many bytes that is.
    fn same_scalar(&mut self, (a, b): (Place, Place), (ty, at): (DebugTypeId, u64), most: u64) -> (Expr, u64) {
        if let Some(size) = self.float_at(ty, at).filter(|size| *size <= most)
            && let Some(format) = float_format(size)
            && let (Some(Value::Bits(x)), Some(Value::Bits(y))) =
                (self.read(true, a.object, a.at, size, false), self.read(false, b.object, b.at, size, false))
        {
            let same = self.worker.pool.eq(x, y);
            return (self.or_no_numbers(same, x, y, format), size);
        }
        let (first, second) = (self.part(true, a.object, a.at, most), self.part(false, b.object, b.at, most));
        if let (Some((x, n)), Some((y, m))) = (&first, &second)
            && n == m
        {
            return (self.value(x, y), *n);
        }
        let is_pointer = |part: &Option<(Value, u64)>| matches!(part, Some((Value::Ptr(_), 8)));
        if most >= 8 && (is_pointer(&first) || is_pointer(&second)) {
            let same = match (self.word(true, a.object, a.at), self.word(false, b.object, b.at)) {
                (Some(x), Some(y)) => self.value(&x, &y),
                _ => self.unknown("memory that cannot be read"),
            };
            return (same, 8);
        }
        let is_unset = |state: &crate::state::State, place: Place| {
            state.memory.get_or_nothing(place.object).contents.part(place.at, 1) == Part::Unset
        };
        if is_unset(&self.old, a) && is_unset(&self.new, b) && self.is_same_input(a, b) {
            return (Expr::bool(true), 1);
        }
        (self.same_byte((a, b)), 1)
    }

    /// How many bytes a float has that begins at a distance in a type.
    fn float_at(&self, ty: DebugTypeId, at: u64) -> Option<u64> {
        let debug = &self.worker.program.module.debug;
        let plain = &debug.types[debug.strip(ty)];
        match plain.kind {
            DebugTypeKind::Basic(Encoding::Float) => (at == 0).then_some(plain.bits / 8),
            _ => debug.float_at(ty, at),
        }
    }

    /// Whether two places are the same one of the input.
    fn is_same_input(&self, a: Place, b: Place) -> bool {
        let kinds = (self.old.memory.get_or_nothing(a.object).kind, self.new.memory.get_or_nothing(b.object).kind);
        a.at == b.at && matches!(kinds, (Kind::Input(a), Kind::Input(b)) if a == b)
    }
}

/// Whether there is something in a type of Rust that a shared reference can change.
fn holds_cell(module: &Module, ty: DebugTypeId) -> bool {
    let debug = &module.debug;
    let (mut todo, mut seen) = (vec![debug.strip(ty)], Vec::new());
    while let Some(ty) = todo.pop() {
        if seen.contains(&ty) {
            continue;
        }
        seen.push(ty);
        if type_name(module, ty).starts_with("UnsafeCell<") {
            return true;
        }
        match &debug.types[ty].kind {
            DebugTypeKind::Record { fields, variants, .. } => {
                let cases = variants.iter().flat_map(|variants| variants.cases.iter().map(|case| &case.field));
                todo.extend(fields.iter().chain(cases).filter_map(|field| field.ty).map(|ty| debug.strip(ty)));
            }
            DebugTypeKind::Array { element: Some(element), .. } => todo.push(debug.strip(*element)),
            _ => {}
        }
    }
    false
}

impl Place {
    fn further(self, by: u64) -> Place {
        Place { at: self.at + by, ..self }
    }
}
