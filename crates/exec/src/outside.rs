//! What functions of which only a declaration is known may do to memory that they are not given.
//!
//! Such a function may change every variable that it can name or was told of, what a pointer of the input leads to, since callers
//! may have told others of it, and local variables whose address an earlier call was given. Where
//! [`Bounds::outside_writes`](crate::inputs::Bounds::outside_writes) says so, all of that is unknown after a call: the same unknown in
//! both versions of a program behind the same call. What the function might have seen of it before is compared, too.
//!
//! That is not all that it may use. It may follow pointers, remember what an earlier call was told of, and set `errno`. Where a run
//! brings the program's own memory, or `errno`, into its reach in such a way, the run [says so](Run::may_be_used_unfollowed):
//! what is proved of it rests on such functions not doing that.

use crate::changes::global_object;
use crate::contents::{Contents, Unset};
use crate::inputs::{InputId, InputObject, Naming, Origin};
use crate::memory::{Kind, Life, Object};
use crate::run::{Run, Worker};
use crate::state::{Effect, State};
use crate::value::{ObjectId, Value};
use ir::attrs::MemoryEffects;
use ir::id::{FuncId, SymbolId};
use rustc_hash::FxHashSet;
use smt::expr::Expr;
use std::rc::Rc;

/// How a function outside of the program knows memory that it is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Known {
    /// A global variable.
    Variable(SymbolId),
    /// An object of the input.
    Input(InputId),
    /// What an argument of an earlier call led to, by the number of the call and the position of the argument.
    Argument(u64, u32),
}

/// What memory holds since a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Since {
    /// Number of the call.
    pub call: u64,
    /// Which memory.
    pub known: Known,
}

/// A call that may have changed memory that it was not given.
#[derive(Clone, Debug)]
pub struct LastCall {
    name: Rc<str>,
    number: u64,
}

impl Worker<'_> {
    /// Whether others may use a variable.
    pub(crate) fn is_visible(&self, symbol: SymbolId) -> bool {
        let program = self.program;
        let canonical = program.canonical(symbol);
        let is_private = |old: bool| program.private.contains(&program.of_side(canonical, old));
        !(program.is_constant(symbol) || is_private(true) && is_private(false))
    }

    /// Whether others may write what a pointer of the input leads to.
    pub(crate) fn is_known_elsewhere(&self, id: InputId) -> bool {
        let object = self.inputs.object(id);
        let Origin::Pointer(from, at) = object.origin else { return false };
        let plain = object.memory && !object.held && !self.inputs.buffers.contains_key(&id);
        plain
            && object.size.as_const().is_some()
            && self.relaid(id).is_none()
            && self.route(id).is_some()
            && self.may_alias(from, at) == Some(false)
    }
}

impl Run<'_, '_> {
    /// Whether a function may use memory that it is not given.
    pub(crate) fn uses_elsewhere(&self, id: Option<FuncId>, memory: Option<MemoryEffects>) -> bool {
        let contained = id.is_some_and(|id| self.worker.program.contained.contains(&id));
        let any = !matches!(
            memory,
            Some(MemoryEffects::None | MemoryEffects::Read | MemoryEffects::ReadArguments | MemoryEffects::Arguments)
        );
        self.worker.bounds.outside_writes && any && !contained
    }

    /// Notes whether a call may use memory that is not followed there: what an earlier call was told of, and what pointers
    /// lead to that lie in memory which it knows.
    pub(crate) fn note_unfollowed(&mut self, id: Option<FuncId>, args: &[Value], memory: Option<MemoryEffects>) {
        if self.state.unfollowed || !self.worker.bounds.outside_writes || memory == Some(MemoryEffects::None) {
            return;
        }
        let state = &self.state;
        let of_arguments = matches!(memory, Some(MemoryEffects::ReadArguments | MemoryEffects::Arguments));
        let contained = of_arguments || id.is_some_and(|id| self.worker.program.contained.contains(&id));
        let only_reads = matches!(memory, Some(MemoryEffects::Read | MemoryEffects::ReadArguments));
        // What it may change without being given it was followed.
        let elsewhere = only_reads || self.uses_elsewhere(id, memory);
        let given: FxHashSet<ObjectId> = args.iter().filter_map(object_of).collect();
        let mut todo: Vec<ObjectId> = Vec::new();
        if !contained {
            let is_variable = |object: &Object| matches!(object.kind, Kind::Global { constant: false });
            let is_visible = |id: ObjectId| {
                self.worker.program.object_symbol(id).is_some_and(|symbol| self.worker.is_visible(symbol))
            };
            let variables = state.memory.iter().filter(|(id, object)| is_variable(object) && is_visible(*id));
            todo.extend(variables.map(|(id, _)| id));
            todo.extend(state.inputs.iter().map(|(_, object)| *object));
        }
        // What calls are told of comes first.
        let known = todo.len();
        let earlier = state.effects.to_vec().into_iter().filter_map(|effect| match effect {
            Effect::Call { args, .. } if !contained => Some(args.iter()),
            _ => None,
        });
        args.iter().chain(earlier.flatten()).for_each(|value| for_each_pointer(value, &mut |id| todo.push(id)));
        let mut seen: FxHashSet<ObjectId> = FxHashSet::default();
        while let Some(id) = todo.pop() {
            let is_told = todo.len() >= known;
            if !seen.insert(id) {
                continue;
            }
            let object = state.memory.get_or_nothing(id);
            let follows = given.contains(&id)
                || match object.kind {
                    Kind::Stack | Kind::Heap => object.life != Life::Alive,
                    // What callers may tell the outside of the input is asked at the end.
                    Kind::Input(id) => elsewhere && (!is_told || self.worker.is_known_elsewhere(id)),
                    Kind::Global { constant: false } => elsewhere,
                    _ => true,
                };
            if !follows {
                self.state.unfollowed = true;
                return;
            }
            for (_, cell) in object.contents.cells() {
                for_each_pointer(&cell.value, &mut |object| todo.push(object));
            }
        }
    }

    /// Whether calls of this run to the outside may have used memory that is not followed there.
    pub fn may_be_used_unfollowed(&self) -> bool {
        let is_called = self.state.effects.to_vec().into_iter().any(|effect| matches!(effect, Effect::Call { .. }));
        let is_unfollowed = |id: InputId| {
            let object = self.worker.inputs.object(id);
            object.memory && !self.worker.is_known_elsewhere(id) && !self.worker.is_unshared(id)
        };
        self.state.unfollowed
            || is_called && self.state.library.has_errno()
            || self.state.last_call.is_some() && self.state.inputs.iter().any(|(id, _)| is_unfollowed(*id))
    }

    /// A call may have changed all that it may know of; what `changed` has is known to be changed already.
    pub(crate) fn change_elsewhere(&mut self, name: &str, number: u64, changed: &[ObjectId]) {
        let call = LastCall { name: name.into(), number };
        let given = |object: ObjectId| changed.contains(&object);
        let mut found: Vec<(ObjectId, Known)> = Vec::new();
        for (id, object) in self.state.memory.iter() {
            if matches!(object.kind, Kind::Global { constant: false })
                && let Some(symbol) = self.worker.program.object_symbol(id)
                && self.worker.is_visible(symbol)
            {
                found.push((id, Known::Variable(symbol)));
            }
        }
        let inputs = self.state.inputs.iter();
        found.extend(
            inputs
                .filter(|(id, _)| self.worker.is_known_elsewhere(*id))
                .map(|(id, object)| (*object, Known::Input(*id))),
        );
        found.extend(escaped(self.state));
        found.retain(|(object, _)| !given(*object));
        for (object, known) in found {
            self.change(object, known, &call);
        }
        self.state.last_call = Some(call);
    }

    /// The same for memory that is looked at for the first time after a call.
    pub(crate) fn change_since(&mut self, object: ObjectId, known: Known) {
        let Some(call) = self.state.last_call.clone() else { return };
        let may_change = match known {
            Known::Variable(symbol) => {
                matches!(self.state.memory.get_or_nothing(object).kind, Kind::Global { constant: false })
                    && self.worker.is_visible(symbol)
            }
            Known::Input(id) => self.worker.is_known_elsewhere(id),
            Known::Argument(..) => true,
        };
        if may_change {
            self.change(object, known, &call);
        }
    }

    fn change(&mut self, object: ObjectId, known: Known, LastCall { name, number }: &LastCall) {
        let Some(source) = self.unknown_since(object, known, &format!("{name}()#{number}"), *number) else { return };
        let source = self.worker.of_side(source, self.state.old);
        if let Some(contents) = self.contents_mut(object) {
            *contents = Contents::new(Unset::Input);
            contents.source = Some(source);
        }
        if let Some(object) = self.state.memory.get_mut(object) {
            object.written = true;
        }
    }

    /// What memory holds after a call.
    fn unknown_since(&mut self, object: ObjectId, known: Known, call: &str, number: u64) -> Option<InputId> {
        let program = self.worker.program;
        let (known, made) = match known {
            Known::Variable(symbol) => {
                let symbol = program.canonical(symbol);
                (Known::Variable(symbol), global_object(program, symbol)?)
            }
            Known::Input(id) => {
                let id = self.worker.inputs.canonical(id);
                (Known::Input(id), self.worker.inputs.object(id).clone())
            }
            Known::Argument(of, argument) => {
                let size = self.state.memory.get_or_nothing(object).size;
                let made = InputObject {
                    name: format!("argument {argument} of call {of}"),
                    naming: Naming::Several,
                    ty: None,
                    element: 1,
                    count: size.as_const()?,
                    size: Expr::constant(size.as_const()?, 64),
                    address: None,
                    origin: Origin::Outside(0),
                    depth: 1,
                    terminator: None,
                    exact: true,
                    align: 16,
                    memory: false,
                    held: false,
                };
                (known, made)
            }
        };
        let name = format!("{call} sets {}", made.name);
        let origin = Origin::Outside(self.worker.outside_number(&format!("{name}, {known:?}")));
        let made = InputObject { name, address: None, origin, memory: false, ..made };
        let source = self.worker.inputs.add(made);
        self.worker.inputs.since.insert(source, Since { call: number, known });
        Some(source)
    }
}

fn object_of(value: &Value) -> Option<ObjectId> {
    match value {
        Value::Ptr(pointer) => Some(pointer.object),
        _ => None,
    }
}

/// Calls back with the object of every pointer in a value.
fn for_each_pointer(value: &Value, found: &mut dyn FnMut(ObjectId)) {
    match value {
        Value::Ptr(pointer) => found(pointer.object),
        Value::Many(parts) => parts.iter().for_each(|part| for_each_pointer(part, found)),
        _ => {}
    }
}

/// Local variables, and allocated memory, that earlier calls were given.
fn escaped(state: &State) -> Vec<(ObjectId, Known)> {
    let mut found: Vec<(ObjectId, Known)> = Vec::new();
    let calls = state.effects.to_vec().into_iter().filter_map(|effect| match effect {
        Effect::Call { args, .. } => Some(args),
        _ => None,
    });
    for (call, args) in (0u64..).zip(calls) {
        for (argument, arg) in (0u32..).zip(args.iter()) {
            let Value::Ptr(pointer) = arg else { continue };
            let object = state.memory.get_or_nothing(pointer.object);
            let own = matches!(object.kind, Kind::Stack | Kind::Heap) && object.life == Life::Alive;
            if own && pointer.offset.as_const().is_some() && !found.iter().any(|(id, _)| *id == pointer.object) {
                found.push((pointer.object, Known::Argument(call, argument)));
            }
        }
    }
    found
}
