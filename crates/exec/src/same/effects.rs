//! What two runs did to the outside: output, calls, and what the C library remembers of them.

use super::{Aspect, Comparer, MAX_GIVEN, Typed};
use crate::inputs::InputId;
use crate::memory::{Kind, Memory};
use crate::models::harness::makes_input;
use crate::run::{Run, Worker};
use crate::state::{Effect, Given, SharedCall, State};
use crate::value::{ObjectId, Value};
use ir::passing::Class;
use rustc_hash::FxHashSet;
use smt::expr::Expr;
use std::rc::Rc;
use std::sync::Arc;

impl Comparer<'_, '_> {
    /// Output and calls.
    pub(super) fn effects(&mut self) {
        let (old, new) = (self.old.effects.clone(), self.new.effects.clone());
        let (old, new) = (old.to_vec(), new.to_vec());
        let mut streams: Vec<u32> = Vec::new();
        for effect in old.iter().chain(new.iter()) {
            if let Effect::Output { stream, .. } | Effect::Opaque { stream, .. } = effect
                && !streams.contains(stream)
            {
                streams.push(*stream);
            }
        }
        streams.sort_unstable();
        for stream in streams {
            self.aspect = Aspect::Output(stream);
            let (a, b) = (pieces(&old, stream), pieces(&new, stream));
            let mut all = Expr::bool(a.len() == b.len());
            for (a, b) in a.iter().zip(b.iter()) {
                let same = self.piece(a, b);
                all = self.worker.pool.and(all, same);
            }
            self.note(all);
        }
        self.aspect = Aspect::Calls;
        if order(&old) != order(&new) {
            self.unknown("the order of output and calls");
        }
        let calls = |list: &[&Effect]| -> Vec<OutsideCall> {
            let call = |effect: &&Effect| match effect {
                Effect::Call { function, passing, args, given, .. } if !makes_input(function) => {
                    Some((function.clone(), passing.clone(), args.clone(), given.clone()))
                }
                _ => None,
            };
            list.iter().filter_map(call).collect()
        };
        let (a, b) = (calls(&old), calls(&new));
        let mut all = Expr::bool(a.len() == b.len());
        for ((name, passing, args, given), (other, passed, others, also)) in a.iter().zip(&b) {
            if name != other || args.len() != others.len() {
                all = Expr::bool(false);
                break;
            }
            if passing != passed {
                self.unknown(format!("how {name} is given its arguments"));
            }
            // The outside sees what its arguments lead to, as it is then.
            let same = self.given(args, given, others, also);
            all = self.worker.pool.and(all, same);
        }
        self.note(all);
    }

    /// Functions that were not entered may not return, so they are to be called in the same order, at the same time.
    pub(super) fn shared_calls(&mut self) {
        let (old, new) = (self.old.shared.clone(), self.new.shared.clone());
        let (old, new) = (old.to_vec(), new.to_vec());
        self.aspect = Aspect::Calls;
        let alike = |(a, b): (&&SharedCall, &&SharedCall)| a.function == b.function && a.effects == b.effects;
        let mut all = Expr::bool(old.len() == new.len() && old.iter().zip(&new).all(alike));
        for (a, b) in old.iter().zip(&new).take(if all.is_false() { 0 } else { old.len() }) {
            for (&x, &y) in a.args.iter().zip(b.args.iter()) {
                let same = self.worker.pool.eq(x, y);
                all = self.worker.pool.and(all, same);
            }
        }
        self.note(all);
    }

    /// What the C library remembers for later calls.
    pub(super) fn library(&mut self) {
        self.aspect = Aspect::Calls;
        let (old, new) = (self.old.library.clone(), self.new.library.clone());
        for (what, same) in old.unlike(&new) {
            if !same {
                self.unknown(format!("{what} for later calls"));
            }
        }
        let token = self.pointer(old.token, new.token);
        if !token.is_true() {
            self.unknown("where `strtok` goes on, for later calls");
        }
        let mut at_exit = Expr::bool(old.at_exit.len() == new.at_exit.len());
        for ((a, with), (b, also)) in old.at_exit.iter().zip(&new.at_exit) {
            let function = self.value(a, b);
            let argument = match (with, also) {
                (Some(a), Some(b)) => self.value(a, b),
                (a, b) => Expr::bool(a.is_none() && b.is_none()),
            };
            let same = self.worker.pool.and(function, argument);
            at_exit = self.worker.pool.and(at_exit, same);
        }
        if !at_exit.is_true() {
            self.unknown("what is called at the end");
        }
        let errno = |state: &mut State, worker: &mut Worker| Run { worker, state, at: None }.errno().ok();
        let same = match (errno(&mut self.old, self.worker), errno(&mut self.new, self.worker)) {
            (Some(a), Some(b)) => self.worker.pool.eq(a, b),
            _ => Expr::bool(false),
        };
        if !same.is_true() {
            self.unknown("`errno` for later calls");
        }
    }

    /// Whether arguments, and all that they lead to at the time of a call, are the same.
    fn given(&mut self, args: &[Value], given: &Given, others: &[Value], also: &Given) -> Expr {
        let (old, new, pairs) = (self.old.clone(), self.new.clone(), std::mem::take(&mut self.pairs));
        (self.old.memory, self.old.inputs) = (given.memory.clone(), given.inputs.clone());
        (self.new.memory, self.new.inputs) = (also.memory.clone(), also.inputs.clone());
        let before = self.reached.replace(Vec::new());
        let mut all = Expr::bool(true);
        for (x, y) in args.iter().zip(others.iter()) {
            let same = self.value(x, y);
            all = self.worker.pool.and(all, same);
        }
        self.reach_visible(given, also);
        let mut done: FxHashSet<(ObjectId, ObjectId)> = FxHashSet::default();
        while let Some((a, b)) = self.reached.as_mut().and_then(Vec::pop) {
            if !done.insert((a, b)) {
                continue;
            }
            if done.len() > MAX_GIVEN {
                self.unknown("memory that is given to the outside");
                break;
            }
            let typed = match self.new.memory.get_or_nothing(b).kind {
                Kind::Input(id) => Some(Typed::Input(id)),
                Kind::Global { constant: false } => self.worker.program.object_symbol(b).map(Typed::Global),
                // What never changes is the same for pointers that are.
                _ => continue,
            };
            let same = self.contents(a, b, typed);
            all = self.worker.pool.and(all, same);
        }
        self.reached = before;
        let leaves = (self.old.leaves.clone(), self.new.leaves.clone());
        (self.old, self.new, self.pairs) = (old, new, pairs);
        (self.old.leaves, self.new.leaves) = leaves;
        all
    }

    /// Adds memory that a function outside may see although it is not given it, as far as one version wrote it.
    fn reach_visible(&mut self, given: &Given, also: &Given) {
        if !self.worker.bounds.outside_writes {
            return;
        }
        (self.old.last_call, self.new.last_call) = (given.last_call.clone(), also.last_call.clone());
        let program = self.worker.program;
        let written = |memory: &Memory| -> Vec<ObjectId> {
            memory.iter().filter(|(_, object)| object.written).map(|(id, _)| id).collect()
        };
        let mut pairs: Vec<(ObjectId, ObjectId)> = Vec::new();
        for id in written(&given.memory).into_iter().chain(written(&also.memory)) {
            let Some(symbol) = program.object_symbol(id).filter(|symbol| self.worker.is_visible(*symbol)) else {
                continue;
            };
            let canonical = program.canonical(symbol);
            let [a, b] = [true, false].map(|old| program.symbol_object(program.of_side(canonical, old)));
            Run { worker: self.worker, state: &mut self.old, at: None }.object(a);
            Run { worker: self.worker, state: &mut self.new, at: None }.object(b);
            pairs.push((a, b));
        }
        let inputs = given
            .inputs
            .iter()
            .map(|one| (one, &given.memory))
            .chain(also.inputs.iter().map(|one| (one, &also.memory)));
        let written = inputs.filter(|((_, object), memory)| memory.get_or_nothing(*object).written);
        let ids: Vec<InputId> =
            written.map(|((id, _), _)| *id).filter(|id| self.worker.is_known_elsewhere(*id)).collect();
        for id in ids {
            let a = Run { worker: self.worker, state: &mut self.old, at: None }.input_object(id);
            let b = Run { worker: self.worker, state: &mut self.new, at: None }.input_object(id);
            pairs.push((a, b));
        }
        if let Some(reached) = &mut self.reached {
            reached.extend(pairs);
        }
    }

    fn piece(&mut self, a: &Piece, b: &Piece) -> Expr {
        match (a, b) {
            (Piece::Byte(a), Piece::Byte(b)) => self.worker.pool.eq(*a, *b),
            (Piece::Opaque(a, x), Piece::Opaque(b, y)) if a == b && x.len() == y.len() => {
                let mut all = Expr::bool(true);
                for (&x, &y) in x.iter().zip(y.iter()) {
                    if self.worker.pool.width(x) != self.worker.pool.width(y) {
                        return Expr::bool(false);
                    }
                    let same = self.worker.pool.eq(x, y);
                    all = self.worker.pool.and(all, same);
                }
                // Different arguments may still give the same text.
                if all.is_true() { all } else { self.unknown("output that is not known byte by byte") }
            }
            _ => self.unknown("output that is not known byte by byte"),
        }
    }
}

/// Name, how arguments are passed, arguments, and the memory that they lead to.
type OutsideCall = (Rc<str>, Arc<[Class]>, Rc<[Value]>, Given);

enum Piece {
    Byte(Expr),
    Opaque(Rc<str>, Rc<[Expr]>),
}

/// Which stream was written to, or that a function was called, one after the other.
fn order(effects: &[&Effect]) -> Vec<Option<u32>> {
    let mut order: Vec<Option<u32>> = Vec::new();
    for effect in effects {
        let turn = match effect {
            Effect::Output { bytes, .. } if bytes.is_empty() => continue,
            Effect::Output { stream, .. } | Effect::Opaque { stream, .. } => Some(*stream),
            Effect::Call { function, .. } if makes_input(function) => continue,
            Effect::Call { .. } => None,
        };
        if turn.is_none() || order.last() != Some(&turn) {
            order.push(turn);
        }
    }
    order
}

fn pieces(effects: &[&Effect], chosen: u32) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for effect in effects {
        match effect {
            Effect::Output { stream, bytes } if *stream == chosen => {
                pieces.extend(bytes.iter().map(|&byte| Piece::Byte(byte)));
            }
            Effect::Opaque { stream, what, args } if *stream == chosen => {
                pieces.push(Piece::Opaque(what.clone(), args.clone()));
            }
            _ => {}
        }
    }
    pieces
}
