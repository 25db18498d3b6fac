//! What depended on what in a run, instance by instance: an optional log beside a state.
//!
//! An *event* is an instruction that was executed, a question that was answered, an edge that was followed, a phi that
//! took a value there, a call that began or ended, or the end of the run. Events are numbered by time. Each has *links*:
//! the events that made the values it used, found by a shadow of every register and of every byte of memory. That is
//! dynamic data dependence, exact to the byte; a write at an unknown place of an object hides nothing.
//!
//! The recorder knows neither control nor potential dependence: both need to know what was *not* executed, which is a
//! question to the program and not to the run. Whoever reads the log adds them.

use crate::code::{Code, NO_REGISTER, Op, Operand, Target};
use crate::state::State;
use crate::value::{ObjectId, Pointer};
use ir::id::{FuncId, Id};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use smt::expr::Expr;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// A log of a run, and what is needed to go on with it.
#[derive(Clone, Default)]
pub struct Recorder {
    /// What happened, in order.
    pub events: Vec<Event>,
    /// Links of all events, one behind the other.
    pub links: Vec<u32>,
    /// Events that did something to the outside, each with how many effects there were then.
    pub effects: Vec<(u32, usize)>,
    /// Events that read bytes which nobody had written, as objects begin with them.
    pub initial: Vec<(u32, ObjectId)>,
    frames: Vec<Shadow>,
    memory: FxHashMap<ObjectId, Bytes>,
    running: Option<(Arc<Code>, u32)>,
    touched: SmallVec<[Touch; 4]>,
    followed: SmallVec<[(Arc<Code>, u32); 1]>,
    decisions: SmallVec<[u32; 2]>,
    effects_seen: usize,
}

/// Something that happened.
#[derive(Clone, Debug)]
pub struct Event {
    /// What.
    pub kind: EventKind,
    /// Function.
    pub function: FuncId,
    /// Position of the instruction in its code; [`NO_POSITION`] before the first one.
    pub at: u32,
    /// Where its links begin; they end where those of the next event begin.
    pub links: u32,
    /// The oldest write that it read from, 0 for memory that nobody wrote; nothing if it read no memory.
    pub oldest: Option<u32>,
    /// The event that decided where it wrote to, itself for a library function; [`NOBODY`] if it wrote nothing, or to a
    /// place that nothing decided.
    pub address: u32,
    /// When the youngest object that it used was freed, 0 if it was not; nothing if it used none that can be.
    pub life: Option<u32>,
}

/// The position of what happens before the first instruction.
pub const NO_POSITION: u32 = u32::MAX;

/// Kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// An instruction was executed.
    Step,
    /// A question of an instruction was answered.
    Decision,
    /// An edge of the running call was followed.
    Edge(u32),
    /// A phi took its value into a register.
    Phi(u32),
    /// An argument was given to a call that begins, or a result to the caller.
    Pass,
    /// A call began.
    Enter,
    /// A call ended.
    Leave,
    /// The run ended.
    End,
}

#[derive(Clone, Default)]
struct Shadow {
    function: Option<FuncId>,
    /// For each register the event that made its value.
    registers: Vec<u32>,
    /// Where the result of the call that it makes goes.
    dest: u32,
    /// The position of that call.
    call: u32,
}

/// No event: a constant, or a value of the input.
pub const NOBODY: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct Touch {
    object: ObjectId,
    /// Bytes; nothing if they are not known.
    bytes: Option<Range<u64>>,
    what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Read,
    /// It may have been written.
    MayWrite,
    Write,
    End,
}

/// Who wrote the bytes of an object.
#[derive(Clone, Default)]
struct Bytes {
    /// By first byte: the one behind the last one, and the event.
    ranges: BTreeMap<u64, (u64, u32)>,
    /// Writes at places that are not known, in order.
    loose: Vec<u32>,
    /// When it was freed.
    ended: Option<u32>,
}

impl Recorder {
    /// Links of an event.
    pub fn links_of(&self, event: u32) -> &[u32] {
        let start = self.events[event as usize].links as usize;
        let end = self.events.get(event as usize + 1).map_or(self.links.len(), |next| next.links as usize);
        &self.links[start..end]
    }

    /// The events that wrote what objects hold now, by object.
    pub fn memory(&self) -> BTreeMap<ObjectId, Vec<u32>> {
        let writers = |bytes: &Bytes| {
            let mut writers: Vec<u32> = bytes.ranges.values().map(|(_, event)| *event).collect();
            writers.extend(&bytes.loose);
            writers.sort_unstable();
            writers.dedup();
            writers
        };
        self.memory.iter().map(|(object, bytes)| (*object, writers(bytes))).collect()
    }

    /// The run ended at the running instruction.
    pub fn finish(&mut self) {
        let (function, at) = self.place();
        self.event(EventKind::End, function, at);
        self.link_operands(None);
        self.link_memory(false);
        self.touched.clear();
    }

    /// An instruction is about to run, for the first time or again.
    pub(crate) fn begin(&mut self, state: &State, code: &Arc<Code>, at: u32) {
        self.touched.clear();
        self.followed.clear();
        if self.running.is_none() {
            // What was asked while the arguments were made decides about everything.
            self.decisions.clear();
        }
        while self.frames.len() < state.frames.len() {
            let frame = &state.frames[self.frames.len()];
            self.enter(&frame.code, &[]);
        }
        self.running = Some((code.clone(), at));
    }

    /// The running instruction is done.
    pub(crate) fn done(&mut self, state: &State) {
        let Some((code, at)) = self.running.clone() else { return };
        let inst = &code.insts[at as usize];
        let id = self.event(EventKind::Step, code.function, at);
        let entered = state.frames.len() > self.frames.len();
        let params = state.top().map_or(0, |frame| frame.code.params as usize);
        self.link_operands(entered.then_some(params));
        self.link_memory(true);
        self.decisions.clear();
        self.events[id as usize].address = self.address_of_write(&inst.op, entered, id);
        self.apply_writes(id);
        if state.effects.len() != self.effects_seen {
            self.effects_seen = state.effects.len();
            self.effects.push((id, state.effects.len()));
        }
        if entered {
            let args = self.argument_origins(&code, at, state);
            if let Some(shadow) = self.frames.last_mut() {
                (shadow.dest, shadow.call) = (inst.dest, at);
            }
            while self.frames.len() < state.frames.len() {
                let frame = &state.frames[self.frames.len()];
                self.enter(&frame.code, &args);
            }
        } else if state.frames.len() < self.frames.len() {
            while self.frames.len() > state.frames.len() {
                self.event(EventKind::Leave, code.function, at);
                self.frames.pop();
            }
            if matches!(inst.op, Op::Ret(_)) {
                self.give_result(id);
            }
        } else if state.top().map(|frame| frame.code.function) != self.frames.last().and_then(|top| top.function) {
            // One call ended and another began, as after the return of `main`.
            self.event(EventKind::Leave, code.function, at);
            self.frames.pop();
            if let Some(frame) = state.top() {
                self.enter(&frame.code, &vec![id; frame.code.params as usize]);
            }
        } else if inst.dest != NO_REGISTER
            && let Some(place) = self.frames.last_mut().and_then(|top| top.registers.get_mut(inst.dest as usize))
        {
            *place = id;
        }
        for (code, edge) in std::mem::take(&mut self.followed) {
            self.move_phis(&code, edge);
        }
        self.touched.clear();
    }

    /// A question of the running instruction is answered.
    pub(crate) fn decision(&mut self) {
        let (function, at) = self.place();
        let id = self.event(EventKind::Decision, function, at);
        self.link_operands(None);
        self.link_memory(false);
        self.decisions.push(id);
    }

    /// An edge is followed.
    pub(crate) fn follow(&mut self, code: &Arc<Code>, edge: u32) {
        self.followed.push((code.clone(), edge));
    }

    /// Bytes are checked to be there, to be read or to be written.
    pub(crate) fn accesses(&mut self, ptr: Pointer, size: u64, write: bool) {
        self.touch(ptr.object, ptr.offset, size, if write { What::MayWrite } else { What::Read });
    }

    /// Bytes are read.
    pub(crate) fn reads(&mut self, object: ObjectId, offset: Expr, size: u64) {
        self.touch(object, offset, size, What::Read);
    }

    /// Bytes are written.
    pub(crate) fn writes(&mut self, object: ObjectId, offset: Expr, size: u64) {
        self.touch(object, offset, size, What::Write);
    }

    /// An object ends.
    pub(crate) fn ends(&mut self, object: ObjectId) {
        self.touched.push(Touch { object, bytes: None, what: What::End });
    }

    fn touch(&mut self, object: ObjectId, offset: Expr, size: u64, what: What) {
        let bytes = offset.as_const().map(|at| at..at.saturating_add(size));
        let same = |touch: &Touch| touch.object == object && touch.bytes == bytes && touch.what == what;
        if !self.touched.last().is_some_and(same) {
            self.touched.push(Touch { object, bytes, what });
        }
    }

    fn place(&self) -> (FuncId, u32) {
        match &self.running {
            Some((code, at)) => (code.function, *at),
            None => (FuncId::from_index(0), NO_POSITION),
        }
    }

    fn event(&mut self, kind: EventKind, function: FuncId, at: u32) -> u32 {
        let id = self.events.len() as u32;
        self.events.push(Event {
            kind,
            function,
            at,
            links: self.links.len() as u32,
            oldest: None,
            address: NOBODY,
            life: None,
        });
        id
    }

    fn enter(&mut self, code: &Arc<Code>, args: &[u32]) {
        self.event(EventKind::Enter, code.function, 0);
        let mut registers: Vec<u32> = args.iter().take(code.params as usize).copied().collect();
        registers.resize(code.registers as usize, NOBODY);
        self.frames.push(Shadow { function: Some(code.function), registers, dest: NO_REGISTER, call: NO_POSITION });
    }

    /// Links the newest event to what made the operands of the running instruction, and to its questions so far. The
    /// arguments of a call that begins are linked to its `params` parameters instead, unless there are more of them.
    fn link_operands(&mut self, params: Option<usize>) {
        let Some((code, at)) = self.running.clone() else {
            let earlier = self.decisions.clone();
            self.links.extend_from_slice(&earlier);
            return;
        };
        let op = &code.insts[at as usize].op;
        let Some(shadow) = self.frames.last().filter(|top| top.function == Some(code.function)) else { return };
        let links = &mut self.links;
        let origin = |register: u32| shadow.registers.get(register as usize).copied().unwrap_or(NOBODY);
        let mut link = |register: u32| links.extend(Some(origin(register)).filter(|origin| *origin != NOBODY));
        match (op, params) {
            (Op::Call(call) | Op::Invoke { call, .. }, Some(params)) => {
                if let Target::Pointer(Operand::Reg(register)) = &call.target {
                    link(*register);
                }
                // A library function that calls back computes what it gives.
                let given = if matches!(call.target, Target::Code(_) | Target::Pointer(_)) { params } else { 0 };
                call.args.iter().skip(given).for_each(|arg| arg.for_each(&mut link));
            }
            (op, _) => op.for_each_register(link),
        }
        let earlier = self.decisions.clone();
        self.links.extend_from_slice(&earlier);
    }

    /// Links the newest event to who wrote what the running instruction has read so far. Once it is `done`, bytes that
    /// may have been written and others that were not are told apart: what was there may still be.
    fn link_memory(&mut self, done: bool) {
        let Some(id) = self.events.len().checked_sub(1) else { return };
        let (mut oldest, mut life) = (None, None);
        let mut found: SmallVec<[u32; 8]> = SmallVec::new();
        for touch in &self.touched {
            let known = self.memory.get(&touch.object);
            let ended = known.and_then(|bytes| bytes.ended);
            found.extend(ended);
            life = life.max(Some(ended.unwrap_or(0)));
            let kept = || done && !self.touched.iter().any(|other| other.hides(touch));
            if matches!(touch.what, What::Write | What::End) || touch.what == What::MayWrite && !kept() {
                continue;
            }
            let since = match known {
                Some(bytes) => bytes.read(touch.bytes.clone(), &mut found),
                None => 0,
            };
            if since == 0 && self.initial.last() != Some(&(id as u32, touch.object)) {
                self.initial.push((id as u32, touch.object));
            }
            oldest = Some(oldest.map_or(since, |oldest: u32| oldest.min(since)));
        }
        found.sort_unstable();
        found.dedup();
        self.links.extend_from_slice(&found);
        let event = &mut self.events[id];
        (event.oldest, event.life) = (oldest, life);
    }

    fn address_of_write(&self, op: &Op, entered: bool, id: u32) -> u32 {
        match op {
            Op::Store { ptr: Operand::Reg(register), .. }
            | Op::Rmw { ptr: Operand::Reg(register), .. }
            | Op::CompareExchange { ptr: Operand::Reg(register), .. } => {
                let origin = self.frames.last().and_then(|top| top.registers.get(*register as usize));
                origin.copied().unwrap_or(NOBODY)
            }
            Op::Call(_) | Op::Invoke { .. } if !entered => {
                let writes = |touch: &Touch| matches!(touch.what, What::Write | What::MayWrite);
                if self.touched.iter().any(writes) { id } else { NOBODY }
            }
            _ => NOBODY,
        }
    }

    fn apply_writes(&mut self, id: u32) {
        let touched = std::mem::take(&mut self.touched);
        for touch in &touched {
            match touch.what {
                What::Read => {}
                What::MayWrite if touched.iter().any(|other| other.hides(touch)) => {}
                What::MayWrite | What::Write => {
                    self.memory.entry(touch.object).or_default().write(touch.bytes.clone(), id)
                }
                What::End => self.memory.entry(touch.object).or_default().ended = Some(id),
            }
        }
    }

    /// The result of the call that ended goes to its caller.
    fn give_result(&mut self, from: u32) {
        let Some((dest, call, function)) = self.frames.last().map(|top| (top.dest, top.call, top.function)) else {
            return;
        };
        let (true, Some(function)) = (dest != NO_REGISTER, function) else { return };
        let id = self.event(EventKind::Pass, function, call);
        self.links.push(from);
        if let Some(place) = self.frames.last_mut().and_then(|top| top.registers.get_mut(dest as usize)) {
            *place = id;
        }
    }

    /// Events that give the arguments of a call that begins, one for each that is not constant.
    fn argument_origins(&mut self, code: &Code, at: u32, state: &State) -> Vec<u32> {
        let id = self.events.len() as u32 - 1;
        match &code.insts[at as usize].op {
            Op::Call(call) | Op::Invoke { call, .. } => {
                // A library function that calls back gives what it likes.
                let calls_back = !matches!(call.target, Target::Code(_) | Target::Pointer(_));
                if calls_back {
                    let params = state.top().map_or(0, |frame| frame.code.params);
                    return vec![id; params as usize];
                }
                let mut origins = Vec::with_capacity(call.args.len());
                for arg in &call.args {
                    let mut made: SmallVec<[u32; 2]> = SmallVec::new();
                    if let Some(shadow) = self.frames.last() {
                        arg.for_each(&mut |register| made.extend(shadow.registers.get(register as usize).copied()));
                    }
                    made.retain(|origin| *origin != NOBODY);
                    origins.push(match made.is_empty() {
                        true => NOBODY,
                        false => {
                            let passed = self.event(EventKind::Pass, code.function, at);
                            self.links.extend_from_slice(&made);
                            passed
                        }
                    });
                }
                origins
            }
            _ => Vec::new(),
        }
    }

    fn move_phis(&mut self, code: &Arc<Code>, edge: u32) {
        let edge_at = &code.edges[edge as usize];
        self.event(EventKind::Edge(edge), code.function, edge_at.target);
        let Some(shadow) = self.frames.last() else { return };
        let mut moved: SmallVec<[(u32, SmallVec<[u32; 2]>); 4]> = SmallVec::new();
        for (dest, operand) in &edge_at.moves {
            let mut origins = SmallVec::new();
            operand.for_each(&mut |register| {
                origins.extend(shadow.registers.get(register as usize).copied().filter(|origin| *origin != NOBODY));
            });
            moved.push((*dest, origins));
        }
        for (dest, origins) in moved {
            let id = self.event(EventKind::Phi(dest), code.function, edge_at.target);
            self.links.extend_from_slice(&origins);
            if let Some(place) = self.frames.last_mut().and_then(|top| top.registers.get_mut(dest as usize)) {
                *place = id;
            }
        }
    }
}

impl Touch {
    /// Whether all that `other` may have written was written.
    fn hides(&self, other: &Touch) -> bool {
        self.what == What::Write && self.object == other.object && self.bytes == other.bytes
    }
}

impl Bytes {
    /// Adds who wrote bytes; says when the oldest of them was written, 0 if some byte never was.
    fn read(&self, bytes: Option<Range<u64>>, found: &mut SmallVec<[u32; 8]>) -> u32 {
        let Some(bytes) = bytes else {
            found.extend(self.ranges.values().map(|(_, event)| *event));
            found.extend_from_slice(&self.loose);
            return 0;
        };
        let mut oldest = u32::MAX;
        let mut next = bytes.start;
        let first = self.ranges.range(..=bytes.start).next_back().map_or(bytes.start, |(start, _)| *start);
        for (&start, &(end, event)) in self.ranges.range(first..bytes.end) {
            if end <= bytes.start {
                continue;
            }
            if start > next {
                oldest = 0;
            }
            next = end;
            oldest = oldest.min(event);
            found.push(event);
        }
        if next < bytes.end {
            oldest = 0;
        }
        found.extend(self.loose.iter().copied().filter(|event| *event > oldest));
        oldest
    }

    /// Bytes are written; where it is not known which, nothing is hidden.
    fn write(&mut self, bytes: Option<Range<u64>>, id: u32) {
        let Some(bytes) = bytes else {
            self.loose.push(id);
            return;
        };
        let first = self.ranges.range(..=bytes.start).next_back().map_or(bytes.start, |(start, _)| *start);
        let overlapping: SmallVec<[(u64, u64, u32); 4]> = self
            .ranges
            .range(first..bytes.end)
            .filter(|(_, (end, _))| *end > bytes.start)
            .map(|(start, (end, event))| (*start, *end, *event))
            .collect();
        for (start, end, event) in overlapping {
            self.ranges.remove(&start);
            if start < bytes.start {
                self.ranges.insert(start, (bytes.start, event));
            }
            if end > bytes.end {
                self.ranges.insert(bytes.end, (end, event));
            }
        }
        self.ranges.insert(bytes.start, (bytes.end, id));
    }
}
