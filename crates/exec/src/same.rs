//! Whether two runs on the same input ended the same way, as far as anybody outside can see.
//!
//! The runs are states of one worker, so that their inputs are the same symbols. Each part of the outcome gives a
//! condition under which it is the same; what cannot be compared is said, never guessed.

mod buffers;
mod effects;
mod fields;
mod layout;
mod meaning;

use crate::case::FaultKind;
use crate::containers;
use crate::contents::{Contents, Part, Unset};
use crate::inputs::{Buffer, InputId, Origin};
use crate::memory::{Kind, Life, Memory};
use crate::run::{Run, Worker};
use crate::state::{Choice, ChoiceKind, End, State, Stop};
use crate::value::{ObjectId, Pointer, Shape, Value};
use evidence::Assumption;
use ir::debug::{DebugTypeKind, Language};
use ir::id::{DebugTypeId, FuncId, SymbolId};
use ir::module::Module;
use rustc_hash::FxHashSet;
use smt::expr::{Expr, FloatFormat, FloatOp};
use std::collections::BTreeSet;
use std::rc::Rc;

pub use layout::Typed;
pub(crate) use meaning::KnownContainers;

/// A part of an outcome.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Aspect {
    /// How the run ended.
    End,
    /// What was returned.
    Result,
    /// Memory behind a pointer of the input, by its name.
    Memory(String),
    /// A global variable, by its name.
    Global(String),
    /// What was written to a stream.
    Output(u32),
    /// Calls to the outside.
    Calls,
}

/// How two outcomes compare.
#[derive(Clone, Debug, Default)]
pub struct Sameness {
    /// Each part that may differ, with the condition under which it is the same.
    pub parts: Vec<(Aspect, Expr)>,
    /// What could not be compared, and why.
    pub unknown: Vec<(Aspect, String)>,
    /// What every valid input fulfils, of those parts of it that only the comparison looked at.
    pub assumed: Vec<Expr>,
    /// What was left out on purpose.
    pub left_out: BTreeSet<Assumption>,
    /// Scalars of the input that the runs or the comparison looked at: one version may leave what the other one writes.
    pub leaves: Vec<(InputId, u64)>,
}

/// Compares how two states of versions of a function ended. Neither end is a bound or something unsupported.
pub fn compare(worker: &mut Worker, function: FuncId, old: (&State, &End), new: (&State, &End)) -> Sameness {
    let mut comparer = Comparer {
        result_type: result_type(&worker.program.module, function),
        result_shape: result_shape(worker, function),
        floats: Vec::new(),
        capacities: Vec::new(),
        by_meaning: Vec::new(),
        of_rust: is_of_rust(&worker.program.module, function),
        worker,
        old: old.0.clone(),
        new: new.0.clone(),
        result: Sameness::default(),
        pairs: FxHashSet::default(),
        filled: None,
        reached: None,
        aspect: Aspect::End,
    };
    comparer.compare(old, new);
    let (old, new) = (comparer.old.leaves.to_vec(), comparer.new.leaves.to_vec());
    comparer.result.leaves = old.into_iter().chain(new).copied().collect();
    comparer.result
}

/// The source type of a function's result.
pub fn result_type(module: &Module, function: FuncId) -> Option<DebugTypeId> {
    let debug = &module.debug;
    match &debug.types[debug.scopes[module.functions[function].scope?].ty?].kind {
        DebugTypeKind::Function { types } => types.first().copied().flatten(),
        _ => None,
    }
}

fn result_shape(worker: &Worker, function: FuncId) -> Shape {
    let module = &worker.program.module;
    let signature = module.types.signature(module.functions[function].ty);
    signature.map_or(Shape::Void, |(result, _, _)| worker.program.shape(result))
}

/// Whether a function was written in Rust.
pub fn is_of_rust(module: &Module, function: FuncId) -> bool {
    let debug = &module.debug;
    let ty = module.functions[function].scope.and_then(|scope| debug.scopes[scope].ty);
    ty.is_some_and(|ty| debug.types[ty].language == Language::Rust)
}

/// Whether the ends of two runs say something of what they do: that both use memory that is not there says nothing of what they
/// do where it is.
pub fn tells(old: &End, new: &End) -> bool {
    use crate::case::FaultKind::{Abort, Assertion, Panic, Uncaught};
    let fails = |end: &End| matches!(end, End::Fault { .. });
    let meant = |end: &End| matches!(end, End::Fault { kind: Abort | Assertion | Panic | Uncaught, .. });
    !(fails(old) && fails(new)) || meant(old) || meant(new)
}

/// Whether a run ended by using memory that is not there, or not any more. Safe Rust does no such thing: what it was given then
/// is no input.
pub fn strays(end: &End) -> bool {
    use crate::case::FaultKind::{DoubleFree, InvalidFree, OutOfBounds, UseAfterFree, WildPointer};
    matches!(end, End::Fault { kind: OutOfBounds | WildPointer | UseAfterFree | DoubleFree | InvalidFree, .. })
}

/// The format of a float of so many bytes.
fn float_format(bytes: u64) -> Option<FloatFormat> {
    match bytes {
        4 => Some(FloatFormat::Single),
        8 => Some(FloatFormat::Double),
        _ => None,
    }
}

struct Comparer<'a, 'p> {
    result_type: Option<DebugTypeId>,
    result_shape: Shape,
    /// Where floats begin in the objects that are compared, with their bytes.
    floats: Vec<(u64, u64)>,
    /// Where capacities that tell cases of an enum apart begin in the objects that are compared.
    capacities: Vec<u64>,
    /// Where containers lie that are compared by what they hold, with their bytes.
    by_meaning: Vec<(u64, u64)>,
    /// Whether the source is Rust: nobody can look at a value that was never assigned there.
    of_rust: bool,
    worker: &'a mut Worker<'p>,
    old: State,
    new: State,
    result: Sameness,
    /// Objects that the runs made themselves and that are taken to be the same.
    pairs: FxHashSet<(ObjectId, ObjectId)>,
    /// Behind so many bytes the objects that are compared hold nothing.
    filled: Option<Expr>,
    /// Objects that equal pointers lead to, if they are wanted.
    reached: Option<Vec<(ObjectId, ObjectId)>>,
    aspect: Aspect,
}

/// Most bytes of an object that are compared one by one.
const MAX_BYTES: u64 = 1 << 16;

/// Most assumptions that reading one value takes.
const MAX_ASSUMPTIONS: u32 = 64;

/// Most objects that are compared because arguments lead to them.
const MAX_GIVEN: usize = 256;

impl Comparer<'_, '_> {
    fn compare(&mut self, old: (&State, &End), new: (&State, &End)) {
        self.effects();
        self.buffers(old.1, new.1);
        self.shared_calls();
        // Of a whole program the exit code is all that is left besides its effects.
        let program = new.0.library.shell.is_some();
        let code = |end: &End| match end {
            End::Exited(code) => Some(*code),
            End::Returned(Some(Value::Bits(code))) if program => Some(*code),
            _ => None,
        };
        if let (Some(a), Some(b)) = (code(old.1), code(new.1)) {
            let (a, b) = (self.exit_code(a), self.exit_code(b));
            let same = self.worker.pool.eq(a, b);
            self.aspect = Aspect::End;
            self.note(same);
            if !program {
                // Whoever asked to be called at the end sees them.
                self.globals();
            }
            return;
        }
        match (old.1, new.1) {
            (End::Returned(a), End::Returned(b)) => {
                self.aspect = Aspect::Result;
                let same = match (a, b) {
                    (Some(a), Some(b)) => {
                        let mut at = 0;
                        let a = self.without_padding(a, &mut at);
                        at = 0;
                        let b = self.without_padding(b, &mut at);
                        let shape = self.result_shape.clone();
                        if self.returns_changed_record() {
                            self.unknown("a record that changed is returned in registers")
                        } else if let Some(same) = self.same_reference(&a, &b) {
                            same
                        } else {
                            self.result(&a, &b, &shape)
                        }
                    }
                    (None, None) => Expr::bool(true),
                    _ => Expr::bool(false),
                };
                self.note(same);
                self.memory();
                self.globals();
                if !program {
                    self.library();
                }
            }
            (End::Fault { kind: a, detail, .. }, End::Fault { kind: b, detail: other, .. }) => {
                self.aspect = Aspect::End;
                self.note(Expr::bool(a == b));
                if self.old.debug_check || self.new.debug_check {
                    self.result.left_out.insert(Assumption::DebugBuild);
                }
                match (a, b) {
                    (FaultKind::Uncaught, FaultKind::Uncaught) => self.exception(detail == other),
                    (FaultKind::Panic, FaultKind::Panic) if detail != other || detail.contains("{}") => {
                        self.result.left_out.insert(Assumption::PanicMessage);
                    }
                    (FaultKind::Assertion, FaultKind::Assertion) if detail != other => {
                        self.result.left_out.insert(Assumption::AssertionMessage);
                    }
                    _ => {}
                }
            }
            (one, other) => {
                self.aspect = Aspect::End;
                if self.leaves_changed_record(one) || self.leaves_changed_record(other) {
                    self.unknown("memory beside a record that changed is used");
                    return;
                }
                self.note(Expr::bool(false));
            }
        }
    }

    /// What is thrown, and what it holds: whoever calls may catch it, and it is told if nobody does.
    fn exception(&mut self, same_type: bool) {
        let same = match (self.old.exceptions.uncaught, self.new.exceptions.uncaught) {
            (Some(a), Some(b)) if same_type => self.value(&Value::Ptr(Pointer::to(a)), &Value::Ptr(Pointer::to(b))),
            _ => Expr::bool(same_type),
        };
        self.note(same);
    }

    fn note(&mut self, same: Expr) {
        if !same.is_true() {
            self.result.parts.push((self.aspect.clone(), same));
        }
    }

    fn unknown(&mut self, why: impl Into<String>) -> Expr {
        let item = (self.aspect.clone(), why.into());
        if !self.result.unknown.contains(&item) {
            self.result.unknown.push(item);
        }
        Expr::bool(true)
    }

    /// A result without the bytes of its type that hold nothing: a small record is returned as a number. `at` is where in
    /// the record the value begins, and then where it ends.
    fn without_padding(&mut self, value: &Value, at: &mut u64) -> Value {
        match value {
            Value::Bits(bits) => {
                let width = self.worker.pool.width(*bits);
                let size = u64::from(width.div_ceil(8));
                let first = at.next_multiple_of(size.next_power_of_two().clamp(1, 8));
                *at = first + size;
                let (debug, strings) = (&self.worker.program.module.debug, &self.worker.program.module.strings);
                let Some(ty) = self.result_type.filter(|_| width.is_multiple_of(8) && width <= 64) else {
                    return value.clone();
                };
                let full: Vec<u64> = (0..size).filter(|byte| !debug.is_padding(strings, ty, first + byte)).collect();
                if full.len() as u64 == size {
                    return value.clone();
                }
                let byte = |at: u64| Value::Bits(self.worker.pool.extract(*bits, at as u32 * 8, 8));
                Value::Many(full.into_iter().map(byte).collect())
            }
            Value::Many(parts) => Value::Many(parts.iter().map(|part| self.without_padding(part, at)).collect()),
            other => {
                *at = at.next_multiple_of(8) + 8;
                other.clone()
            }
        }
    }

    /// Whether results of a shape are the same. All that is no number is: which bits say so is nobody's decision.
    fn result(&mut self, a: &Value, b: &Value, shape: &Shape) -> Expr {
        match (a, b, shape) {
            (Value::Bits(x), Value::Bits(y), Shape::Float { format: Some(format), .. }) => {
                let same = self.value(a, b);
                self.or_no_numbers(same, *x, *y, *format)
            }
            (Value::Many(a), Value::Many(b), Shape::Many { elements, .. })
                if a.len() == b.len() && a.len() == elements.len() =>
            {
                let mut all = Expr::bool(true);
                for ((a, b), (_, shape)) in a.iter().zip(b.iter()).zip(elements.iter()) {
                    let same = self.result(a, b, shape);
                    all = self.worker.pool.and(all, same);
                }
                all
            }
            _ => self.value(a, b),
        }
    }

    /// A condition, or that two floats are both no number.
    fn or_no_numbers(&mut self, same: Expr, x: Expr, y: Expr, format: FloatFormat) -> Expr {
        if same.is_true() {
            return same;
        }
        let pool = &mut self.worker.pool;
        let [a, b] = [x, y].map(|float| pool.float(FloatOp::IsNan(format), &[float], 1));
        let neither = pool.and(a, b);
        pool.or(same, neither)
    }

    /// What a caller sees of an exit code.
    fn exit_code(&mut self, code: Expr) -> Expr {
        self.worker.pool.extract(code, 0, 8)
    }

    fn value(&mut self, a: &Value, b: &Value) -> Expr {
        match (a, b) {
            (Value::Bits(a), Value::Bits(b)) if self.worker.pool.width(*a) == self.worker.pool.width(*b) => {
                let same = self.worker.pool.eq(*a, *b);
                if self.of_rust && self.worker.depends_on_undefined(&[same]) {
                    self.defined_bytes(*a, *b)
                } else {
                    same
                }
            }
            (Value::Ptr(p), Value::Ptr(q)) => self.pointer(*p, *q),
            (Value::Ptr(p), Value::Bits(q)) => self.pointer(*p, Pointer { object: ObjectId::NONE, offset: *q }),
            (Value::Bits(p), Value::Ptr(q)) => self.pointer(Pointer { object: ObjectId::NONE, offset: *p }, *q),
            (Value::Many(a), Value::Many(b)) if a.len() == b.len() => {
                let mut all = Expr::bool(true);
                for (a, b) in a.iter().zip(b.iter()) {
                    let same = self.value(a, b);
                    all = self.worker.pool.and(all, same);
                }
                all
            }
            (Value::Skipped(_), _) | (_, Value::Skipped(_)) => self.unknown("a value that was not computed"),
            (Value::Undef, Value::Undef) => Expr::bool(true),
            // What the old version did not assign, the outside cannot have looked at.
            (Value::Undef, _) if self.reached.is_some() => Expr::bool(true),
            // In Rust it is part of a case that the value does not have.
            (Value::Undef, _) | (_, Value::Undef) if self.of_rust => Expr::bool(true),
            (Value::Undef, _) | (_, Value::Undef) => self.unknown("a value that was never assigned"),
            _ => Expr::bool(false),
        }
    }

    /// Whether two numbers are the same in bytes that were assigned in both.
    fn defined_bytes(&mut self, a: Expr, b: Expr) -> Expr {
        let width = self.worker.pool.width(a);
        let mut all = Expr::bool(true);
        for low in (0..width).step_by(8) {
            let [x, y] = [a, b].map(|bits| self.worker.pool.extract(bits, low, 8.min(width - low)));
            if !self.worker.depends_on_undefined(&[x, y]) {
                let same = self.worker.pool.eq(x, y);
                all = self.worker.pool.and(all, same);
            }
        }
        all
    }

    fn pointer(&mut self, p: Pointer, q: Pointer) -> Expr {
        let distances = self.worker.pool.eq(p.offset, q.offset);
        if p.object == ObjectId::NONE && q.object == ObjectId::NONE {
            // Behind a null pointer fields lie elsewhere, too.
            if !distances.is_true() && self.worker.program.has_changed_records() && !self.is_null_or_not(p, q) {
                return self.unknown("where in a record whose fields moved a pointer leads");
            }
            return distances;
        }
        let (first, second) = (self.identity(true, p.object), self.identity(false, q.object));
        if let Some(reached) = &mut self.reached
            && first.is_known()
            && first == second
        {
            reached.push((p.object, q.object));
        }
        match (&first, &second) {
            // An empty vector may have memory or not, and a value may lie elsewhere and still be the same.
            (Identity::Own, _) | (_, Identity::Own) if self.of_rust && first != second => {
                self.unknown("where a value lies in memory")
            }
            (Identity::Number, _) | (_, Identity::Number) => {
                // One is a plain number; they are the same only if both are null.
                let (a, b) = (self.null(true, p), self.null(false, q));
                self.worker.pool.and(a, b)
            }
            (Identity::Input(a), Identity::Input(b)) => {
                if a == b {
                    let relaid = self.worker.relaid(*a);
                    return self.places(relaid, p.offset, q.offset, distances);
                }
                let (a, b) = (self.null(true, p), self.null(false, q));
                self.worker.pool.and(a, b)
            }
            // A constant that says something else is another one, whatever it is called.
            (Identity::Symbol(a), Identity::Symbol(b))
                if a == b && self.worker.program.differing.contains(a) && self.constant(q.object).is_some() =>
            {
                // Where in it a pointer leads says nothing then: a vtable has other parts at other places.
                if !distances.is_true() {
                    return self.unknown("where in a constant that changed a pointer leads");
                }
                self.constants(p, q)
            }
            (Identity::Symbol(a), Identity::Symbol(b)) if a == b => {
                // A pointer to a function that changed may be called by whoever gets it.
                if self.worker.program.differing.contains(a) && self.is_function(q.object) {
                    return self.unknown("a pointer to a function that changed");
                }
                let relaid = self.worker.program.relaid_variables.get(a);
                self.places(relaid, p.offset, q.offset, distances)
            }
            (Identity::Symbol(_), Identity::Symbol(_)) => self.constants(p, q),
            (Identity::Own, Identity::Own) => {
                if !self.pairs.insert((p.object, q.object)) {
                    return distances;
                }
                if self.pairs.iter().any(|(a, b)| (*a == p.object) != (*b == q.object)) {
                    return self.unknown("which pointers lead to the same memory");
                }
                let contents = match self.own_record() {
                    Some(relaid) => self.by_fields(p.object, q.object, relaid),
                    None if self.may_be_relaid(p.object, q.object) => self.unknown("memory of records that changed"),
                    None => {
                        // How full a vector is says nothing of what its elements lead to.
                        let filled = self.filled.take();
                        let same = self.contents(p.object, q.object, None);
                        self.filled = filled;
                        same
                    }
                };
                self.worker.pool.and(distances, contents)
            }
            _ => Expr::bool(false),
        }
    }

    fn identity(&mut self, old: bool, object: ObjectId) -> Identity {
        if object == ObjectId::NONE {
            return Identity::Number;
        }
        let program = self.worker.program;
        if let Some(symbol) = program.object_symbol(object) {
            return Identity::Symbol(program.canonical(symbol));
        }
        let state = if old { &self.old } else { &self.new };
        match state.memory.get_or_nothing(object).kind {
            Kind::Input(id) => Identity::Input(self.worker.inputs.canonical(id)),
            _ => Identity::Own,
        }
    }

    fn null(&mut self, old: bool, pointer: Pointer) -> Expr {
        let state = if old { &mut self.old } else { &mut self.new };
        Run { worker: self.worker, state, at: None }.null_condition(pointer)
    }

    /// Pointers to constants of the two versions, such as string literals, are the same if what they lead to is.
    fn constants(&mut self, p: Pointer, q: Pointer) -> Expr {
        let (Some(a), Some(b)) = (p.offset.as_const(), q.offset.as_const()) else { return Expr::bool(false) };
        let (first, second) = (self.constant(p.object), self.constant(q.object));
        let (Some(first), Some(second)) = (first, second) else { return Expr::bool(false) };
        let rest = |contents: &Contents, size: u64, at: u64| {
            (at..size)
                .map(|at| match contents.part(at, 1) {
                    Part::Bytes(byte) => Some(byte as u8),
                    Part::Unset => Some(0),
                    _ => None,
                })
                .collect::<Option<Vec<u8>>>()
        };
        match (rest(&first.0, first.1, a), rest(&second.0, second.1, b)) {
            (Some(x), Some(y)) => Expr::bool(x == y),
            _ => self.unknown("pointers to constants with pointers"),
        }
    }

    fn is_function(&mut self, object: ObjectId) -> bool {
        let symbol = self.worker.program.object_symbol(object);
        symbol.is_some_and(|symbol| matches!(self.worker.initial_static(symbol).kind, Kind::Function(_)))
    }

    fn constant(&mut self, object: ObjectId) -> Option<(Rc<Contents>, u64)> {
        let symbol = self.worker.program.object_symbol(object)?;
        let object = self.worker.initial_static(symbol);
        matches!(object.kind, Kind::Global { constant: true }).then(|| {
            let size = object.size.as_const().unwrap_or(0).min(MAX_BYTES);
            (object.contents.clone(), size)
        })
    }

    fn memory(&mut self) {
        let mut ids: Vec<InputId> = Vec::new();
        for (id, _) in self.old.inputs.iter().chain(self.new.inputs.iter()) {
            let id = self.worker.inputs.canonical(*id);
            let object = self.worker.inputs.object(id);
            // What a container leads to is compared as a part of it, unless that is compared field by field.
            let is_part = object.held
                && !matches!(object.origin, Origin::Pointer(holder, _)
                    if self.worker.relaid(self.worker.inputs.canonical(holder)).is_some());
            let visible = object.memory && !is_part && !self.worker.copies.contains(&id);
            if visible && !ids.contains(&id) {
                ids.push(id);
            }
        }
        for id in ids {
            self.aspect = Aspect::Memory(self.worker.inputs.object(id).name.clone());
            let a = Run { worker: self.worker, state: &mut self.old, at: None }.input_object(id);
            let b = Run { worker: self.worker, state: &mut self.new, at: None }.input_object(id);
            let by_each = [(&self.old, a), (&self.new, b)].map(|(state, id)| state.memory.get_or_nothing(id).written);
            if by_each[0] != by_each[1] && !self.of_rust {
                self.result.left_out.insert(Assumption::WritableMemory);
            }
            if by_each.contains(&true) || self.worker.holds_container(Typed::Input(id)) {
                self.filled = self.filled_bytes(id);
                let pairs = self.filled.is_some().then(|| self.pairs.clone());
                let same = self.contents(a, b, Some(Typed::Input(id)));
                self.filled = None;
                // What only an element behind the end leads to need not be the same.
                self.pairs = pairs.unwrap_or_else(|| std::mem::take(&mut self.pairs));
                self.note(same);
            }
            let [first, second] = [&self.old, &self.new].map(|state| &state.memory);
            let is_alive = |memory: &Memory, id: ObjectId| memory.get_or_nothing(id).life == Life::Alive;
            // In Rust a vector that grows frees what it had.
            if !self.of_rust && is_alive(first, a) != is_alive(second, b) {
                self.note(Expr::bool(false));
            }
        }
    }

    /// How many bytes of the buffer of a vector hold elements. Where the versions do not agree on that, the lengths differ.
    fn filled_bytes(&mut self, id: InputId) -> Option<Expr> {
        let Buffer { vector, length_at, element } = *self.worker.inputs.buffers.get(&id)?;
        let Origin::Pointer(_, pointer_at) = self.worker.inputs.object(id).origin else { return None };
        let mut vectors = [ObjectId::NONE; 2];
        for (old, place) in [true, false].into_iter().zip(&mut vectors) {
            let state = if old { &mut self.old } else { &mut self.new };
            let mut run = Run { worker: self.worker, state, at: None };
            let (holder, buffer) = (run.input_object(vector), run.input_object(id));
            *place = holder;
            // Vectors may have changed places: then the length is that of another buffer.
            let is_its_own = matches!(self.word(old, holder, pointer_at)?, Value::Ptr(pointer)
                if pointer.object == buffer && pointer.offset.as_const() == Some(0));
            if !is_its_own {
                return None;
            }
        }
        match self.word(true, vectors[0], length_at)? {
            Value::Bits(length) => Some(self.worker.pool.mul(length, Expr::constant(element, 64))),
            _ => None,
        }
    }

    fn globals(&mut self) {
        let program = self.worker.program;
        let mut done: FxHashSet<ObjectId> = FxHashSet::default();
        let objects: Vec<ObjectId> = self.old.memory.iter().chain(self.new.memory.iter()).map(|(id, _)| id).collect();
        for id in objects {
            let Some(symbol) = program.object_symbol(id) else { continue };
            let canonical = program.canonical(symbol);
            let twin = program.symbol_object(canonical);
            if !done.insert(twin) {
                continue;
            }
            let written = |state: &State| {
                let object = state.memory.get_or_nothing(id);
                object.written && matches!(object.kind, Kind::Global { constant: false })
            };
            let Some(old_symbol) = program.twins.iter().find(|(_, new)| **new == canonical).map(|(old, _)| *old) else {
                // What one version alone keeps may decide what its next call does.
                if written(&self.old) || written(&self.new) {
                    self.aspect = Aspect::Global(program.module.symbol_label(symbol).to_owned());
                    self.unknown("only one version has this variable");
                }
                continue;
            };
            let (a, b) = (program.symbol_object(old_symbol), twin);
            let kind = Run { worker: self.worker, state: &mut self.new, at: None }.object(b).kind;
            Run { worker: self.worker, state: &mut self.old, at: None }.object(a);
            let written = self.old.memory.get_or_nothing(a).written || self.new.memory.get_or_nothing(b).written;
            let compared = written || self.worker.holds_container(Typed::Global(canonical));
            if compared && matches!(kind, Kind::Global { constant: false }) {
                self.aspect = Aspect::Global(program.module.symbol_label(canonical).to_owned());
                if program.is_unclear_variable(canonical) {
                    self.unknown("a record that changed and is only declared");
                    continue;
                }
                let same = self.contents(a, b, Some(Typed::Global(canonical)));
                self.note(same);
            }
        }
    }

    /// Whether the bytes of two objects are the same, but for those that hold nothing.
    fn contents(&mut self, a: ObjectId, b: ObjectId, typed: Option<Typed>) -> Expr {
        let (first, second) = (self.old.memory.get_or_nothing(a), self.new.memory.get_or_nothing(b));
        let containers = typed.and_then(|typed| self.worker.containers(typed));
        if Rc::ptr_eq(&first.contents, &second.contents) && containers.as_ref().is_none_or(Vec::is_empty) {
            return Expr::bool(true);
        }
        if let Some(relaid) = self.relaid(a, b) {
            return self.by_fields(a, b, relaid);
        }
        let (first, second) = (self.old.memory.get_or_nothing(a), self.new.memory.get_or_nothing(b));
        let (size, other) = (first.size, second.size);
        let (Some(size), Some(other)) = (size.as_const(), other.as_const()) else {
            // Inputs of the same symbolic size: compare what was ever written.
            let (x, y) = (first.contents.written(), second.contents.written());
            let plain = first.contents.array.is_none() && second.contents.array.is_none();
            if self.of_rust && typed.is_none() && plain {
                // What a vector has room for is no part of its value.
                self.result.left_out.insert(Assumption::Capacity);
                return self.bytes(a, b, x.min(y).min(MAX_BYTES), &[]);
            }
            let written = x.max(y);
            if size != other {
                return self.unknown("memory of unknown size");
            }
            // Behind the end of a shorter one nothing was written.
            let most = match second.kind {
                _ if plain => Some(written),
                Kind::Input(id) => {
                    let input = self.worker.inputs.object(id);
                    input.count.checked_mul(input.element).filter(|most| *most <= MAX_BYTES)
                }
                _ => None,
            };
            return match most {
                Some(most) => self.bytes(a, b, most.min(MAX_BYTES), &[]),
                None => self.unknown("memory of unknown size"),
            };
        };
        if size != other && self.of_rust && typed.is_none() {
            // What a vector has room for is no part of its value.
            self.result.left_out.insert(Assumption::Capacity);
            return self.bytes(a, b, size.min(other).min(MAX_BYTES), &[]);
        }
        if size != other {
            // Nobody sees that there is more room than before, as long as nobody looks into it, or that a record lost a field.
            return if other > size || self.is_of_relaid(size, other) {
                self.unknown("memory of another size")
            } else {
                Expr::bool(false)
            };
        }
        if size > MAX_BYTES {
            return self.unknown("an object too large to compare");
        }
        let padding = typed.map_or_else(Vec::new, |typed| self.worker.padding(typed));
        // Whole words that hold nothing are the capacities of vectors.
        let is_word = |word: &[u64]| word[0].is_multiple_of(8) && word[7] == word[0] + 7;
        if self.of_rust && padding.windows(8).any(is_word) {
            self.result.left_out.insert(Assumption::Capacity);
        }
        let floats = typed.map_or_else(Vec::new, |typed| self.worker.floats(typed));
        let capacities = typed.filter(|_| self.of_rust).map_or_else(Vec::new, |typed| self.worker.capacities(typed));
        let by_meaning = containers.iter().flatten().map(|(at, layout)| (*at, at + layout.bytes())).collect();
        // Pointers lead to other objects, which are compared before this one is done.
        let outer = (
            std::mem::replace(&mut self.floats, floats),
            std::mem::replace(&mut self.capacities, capacities),
            std::mem::replace(&mut self.by_meaning, by_meaning),
        );
        let mut same = self.bytes(a, b, size, &padding);
        (self.floats, self.capacities, self.by_meaning) = outer;
        if let Some(containers) = containers {
            for (at, layout) in containers {
                let held = self.same_container((a, b), at, layout);
                same = self.worker.pool.and(same, held);
            }
            return same;
        }
        let module = &self.worker.program.module;
        let ty = typed.and_then(|typed| self.worker.source_type(typed)).map(|(ty, _, _)| ty);
        if !same.is_true() && ty.is_some_and(|ty| containers::holds(module, ty)) {
            return self.unknown("how a container of the library keeps what it holds");
        }
        same
    }

    fn bytes(&mut self, a: ObjectId, b: ObjectId, size: u64, padding: &[u64]) -> Expr {
        let mut all = Expr::bool(true);
        let mut at = 0;
        let holds_nothing = |at: u64| padding.binary_search(&at).is_ok();
        while at < size {
            if let Some(&(_, end)) = self.by_meaning.iter().find(|(start, end)| (*start..*end).contains(&at)) {
                at = end;
                continue;
            }
            if self.is_untouched(a, b, at) {
                at += 1;
                continue;
            }
            if holds_nothing(at) {
                if !self.of_rust {
                    self.result.left_out.insert(Assumption::Padding);
                }
                at += 1;
                continue;
            }
            if self.capacities.binary_search(&at).is_ok()
                && let (Some(Value::Bits(x)), Some(Value::Bits(y))) =
                    (self.read(true, a, at, 8, false), self.read(false, b, at, 8, false))
            {
                let same = self.same_capacity(x, y);
                all = self.and_filled(all, same, at);
                at += 8;
                continue;
            }
            let (first, second) = (self.part(true, a, at, size - at), self.part(false, b, at, size - at));
            // Values that were stored whole are compared whole.
            let length = match (&first, &second) {
                (Some((x, n)), Some((y, m))) if n == m && !(at..at + n).any(holds_nothing) => {
                    let mut same = self.value(x, y);
                    if let (Value::Bits(x), Value::Bits(y)) = (x, y)
                        && self.floats.binary_search(&(at, *n)).is_ok()
                        && let Some(format) = float_format(*n)
                    {
                        same = self.or_no_numbers(same, *x, *y, format);
                    }
                    all = self.and_filled(all, same, at);
                    *n
                }
                // A pointer on one side, perhaps null on the other.
                (Some((Value::Ptr(_), 8)), _) | (_, Some((Value::Ptr(_), 8)))
                    if at + 8 <= size && !(at..at + 8).any(holds_nothing) =>
                {
                    let (x, y) = (self.word(true, a, at), self.word(false, b, at));
                    let same = match (x, y) {
                        (Some(x), Some(y)) => self.value(&x, &y),
                        _ => self.unknown("memory that cannot be read"),
                    };
                    all = self.and_filled(all, same, at);
                    8
                }
                _ => {
                    let (mut x, mut y) = (self.byte(true, a, at), self.byte(false, b, at));
                    let mut length = 1;
                    // A byte of a pointer is nothing; the whole pointer may be.
                    let whole = at.is_multiple_of(8) && at + 8 <= size && !(at..at + 8).any(holds_nothing);
                    if (x.is_none() || y.is_none()) && whole {
                        (x, y, length) = (self.word(true, a, at), self.word(false, b, at), 8);
                    }
                    let same = match (x, y) {
                        (Some(x), Some(y)) => self.value(&x, &y),
                        _ => self.unknown("memory that cannot be read"),
                    };
                    all = self.and_filled(all, same, at);
                    length
                }
            };
            if all.is_false() {
                return all;
            }
            at += length;
        }
        all
    }

    /// Whether two words are the same case of an enum: any capacities, or the same of what is none.
    fn same_capacity(&mut self, x: Expr, y: Expr) -> Expr {
        self.result.left_out.insert(Assumption::Capacity);
        let pool = &mut self.worker.pool;
        let equal = pool.eq(x, y);
        let zero = Expr::constant(0, 64);
        let [no_x, no_y] = [x, y].map(|word| pool.slt(word, zero));
        let neither = pool.or(no_x, no_y);
        let both = pool.not(neither);
        pool.or(equal, both)
    }

    /// Whether all is the same that was, and what begins at a place is too, or holds nothing.
    fn and_filled(&mut self, all: Expr, mut same: Expr, at: u64) -> Expr {
        if let Some(filled) = self.filled.filter(|_| !same.is_true()) {
            self.result.left_out.insert(Assumption::Capacity);
            let is_empty = self.worker.pool.ule(filled, Expr::constant(at, 64));
            same = self.worker.pool.or(same, is_empty);
        }
        self.worker.pool.and(all, same)
    }

    /// Whether neither run ever looked at a byte, or wrote it, of objects that began the same.
    fn is_untouched(&self, a: ObjectId, b: ObjectId, at: u64) -> bool {
        let (first, second) = (self.old.memory.get_or_nothing(a), self.new.memory.get_or_nothing(b));
        let (x, y) = (&first.contents, &second.contents);
        let inputs = match (first.kind, second.kind) {
            (Kind::Input(first), Kind::Input(second)) => first == second,
            (Kind::Global { .. }, Kind::Global { .. }) => true,
            _ => x.source.is_some(),
        };
        x.array.is_none()
            && y.array.is_none()
            && x.unset == y.unset
            && x.source == y.source
            && (x.unset != Unset::Input || inputs)
            && x.part(at, 1) == Part::Unset
            && y.part(at, 1) == Part::Unset
    }

    /// The cell that begins at a place, if it does not reach beyond `most` bytes.
    fn part(&mut self, old: bool, object: ObjectId, at: u64, most: u64) -> Option<(Value, u64)> {
        let state = if old { &self.old } else { &self.new };
        let contents = &state.memory.get_or_nothing(object).contents;
        if contents.array.is_some() {
            return None;
        }
        let (start, cell) = contents.cell_at(at)?;
        (start == at && u64::from(cell.size) <= most).then(|| (cell.value.clone(), u64::from(cell.size)))
    }

    /// A pointer, or the number in its place.
    fn word(&mut self, old: bool, object: ObjectId, at: u64) -> Option<Value> {
        self.read(old, object, at, 8, true)
    }

    fn byte(&mut self, old: bool, object: ObjectId, at: u64) -> Option<Value> {
        self.read(old, object, at, 1, false)
    }

    /// Reads memory, assuming of the input what the run itself would have assumed.
    fn read(&mut self, old: bool, object: ObjectId, at: u64, size: u64, pointer: bool) -> Option<Value> {
        let state = if old { &mut self.old } else { &mut self.new };
        let mut value = None;
        for _ in 0..MAX_ASSUMPTIONS {
            let mut run = Run { worker: self.worker, state, at: None };
            match run.read(object, Expr::constant(at, 64), size, pointer) {
                Ok(found) => value = Some(found),
                Err(Stop::Choose(Choice { conditions, kind: ChoiceKind::Assume, .. })) => {
                    self.result.assumed.extend(conditions.first());
                    state.answer(0);
                    continue;
                }
                Err(_) => {}
            }
            break;
        }
        state.forget_questions();
        value
    }
}

#[derive(PartialEq)]
enum Identity {
    Number,
    Symbol(SymbolId),
    Input(InputId),
    Own,
}

impl Identity {
    /// Whether it is the same object in both versions.
    fn is_known(&self) -> bool {
        matches!(self, Identity::Symbol(_) | Identity::Input(_))
    }
}
