//! A small interpreter of the program model that writes down what really happened: which object every access met, who had
//! written what was read, whom calls called, and which values every instruction had. The analyses must have foreseen all
//! of it. It can also disturb one instance of an instruction, so that a second run shows what depends on it.

use analysis::memory::Source;
use analysis::points_to::ObjectKind;
use ir::attrs::Attr;
use ir::constant::ConstKind;
use ir::id::{BlockId, ConstId, FuncId, Id, InstId, TypeId};
use ir::inst::{BinaryOp, Call, Callee, CastOp, InstKind, IntPredicate, Predicate, RmwOp, Value};
use ir::module::{Module, SymbolKind};
use ir::types::Type;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Why a run ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The program ended itself.
    Exit,
    /// It did something undefined.
    Fault(&'static str),
    /// It took too long.
    Limit,
    /// It uses something that this interpreter does not know.
    Unsupported(&'static str),
}

/// What is disturbed: an instance of an instruction, counted from 0.
#[derive(Clone, Copy, Debug)]
pub struct Disturbance {
    pub function: FuncId,
    pub inst: InstId,
    pub instance: usize,
    pub bits: u64,
}

/// What happened.
#[derive(Default)]
pub struct Trace {
    /// Values of every instruction: results, what was stored and where, which way a branch went.
    pub values: BTreeMap<(FuncId, InstId), Vec<u64>>,
    /// Where what was read came from.
    pub sources: BTreeSet<(FuncId, InstId, Source)>,
    /// What addresses led to: function, address, object, offset.
    pub targets: BTreeSet<(FuncId, Value, ObjectKind, i64)>,
    /// Who was called.
    pub calls: BTreeSet<(FuncId, InstId, FuncId)>,
}

struct Object {
    kind: ObjectKind,
    /// Where it begins inside of `kind`: not 0 for a copy of a part.
    offset: i64,
    bytes: Vec<u8>,
    /// For each byte who wrote it: a position in `writes`, from 1.
    writers: Vec<u32>,
}

struct Activation {
    parent: usize,
    call: Option<InstId>,
}

/// A number, or an aggregate of them.
#[derive(Clone, Debug, PartialEq)]
pub enum Val {
    Num(u64),
    Many(Vec<Val>),
}

pub struct Interpreter<'m> {
    module: &'m Module,
    memory: BTreeMap<u64, Object>,
    globals: Vec<u64>,
    heap: HashMap<(FuncId, InstId), u64>,
    sites: HashMap<(FuncId, InstId), u64>,
    stack: u64,
    writes: Vec<(usize, InstId)>,
    activations: Vec<Activation>,
    steps: usize,
    pub trace: Trace,
    disturbance: Option<Disturbance>,
}

const FUNCTIONS: u64 = 0x1000_0000;
const STACK: u64 = 0x4000_0000;
const HEAP: u64 = 0x1_0000_0000;
const LIMIT: usize = 300_000;
const DEPTH: usize = 60;

type Run<T> = Result<T, Stop>;

impl<'m> Interpreter<'m> {
    pub fn new(module: &'m Module, disturbance: Option<Disturbance>) -> Interpreter<'m> {
        let mut interpreter = Interpreter {
            module,
            memory: BTreeMap::new(),
            globals: Vec::new(),
            heap: HashMap::new(),
            sites: HashMap::new(),
            stack: STACK,
            writes: Vec::new(),
            activations: Vec::new(),
            steps: 0,
            trace: Trace::default(),
            disturbance,
        };
        let mut at = 0x10000;
        for (id, global) in module.globals.iter_ids() {
            let size = module.type_layouts.get(global.ty).map_or(0, |layout| layout.size);
            interpreter.globals.push(at);
            interpreter.add_object(at, ObjectKind::Global(id), 0, size);
            at += size.next_multiple_of(16) + 16;
        }
        for (id, global) in module.globals.iter_ids() {
            if let Some(initializer) = global.initializer {
                let at = interpreter.globals[id.index()];
                interpreter.initialize(at, initializer);
            }
        }
        interpreter
    }

    /// Runs a function without arguments, or `main` without any either.
    pub fn run(&mut self, function: FuncId) -> Run<Val> {
        let args = self.module.functions[function].params.iter().map(|_| Val::Num(0)).collect();
        self.call_function(function, args, 0, None)
    }

    fn add_object(&mut self, at: u64, kind: ObjectKind, offset: i64, size: u64) {
        let size = size as usize;
        self.memory.insert(at, Object { kind, offset, bytes: vec![0; size], writers: vec![0; size] });
    }

    fn initialize(&mut self, at: u64, constant: ConstId) {
        let ty = self.module.consts[constant].ty;
        match &self.module.consts[constant].kind {
            ConstKind::Aggregate(elements) => {
                for (index, &element) in elements.iter().enumerate() {
                    let offset = self.module.type_layouts.element_offset(&self.module.types, ty, index as i64);
                    self.initialize(at + offset.unwrap().0 as u64, element);
                }
            }
            ConstKind::Bytes(bytes) => {
                let (base, object) = self.memory.range_mut(..=at).next_back().unwrap();
                let start = (at - base) as usize;
                object.bytes[start..start + bytes.len()].copy_from_slice(bytes);
            }
            ConstKind::Zero | ConstKind::Undef => {}
            _ => {
                if let Ok(Val::Num(number)) = self.constant(constant) {
                    let size = self.module.type_layouts.get(ty).unwrap().store_size as usize;
                    let (base, object) = self.memory.range_mut(..=at).next_back().unwrap();
                    let start = (at - base) as usize;
                    object.bytes[start..start + size].copy_from_slice(&number.to_le_bytes()[..size]);
                }
            }
        }
    }

    fn constant(&self, id: ConstId) -> Run<Val> {
        let module = self.module;
        let ty = module.consts[id].ty;
        Ok(Val::Num(match &module.consts[id].kind {
            ConstKind::Int(bits) => *bits as u64,
            ConstKind::Null | ConstKind::Undef | ConstKind::Poison | ConstKind::Zero => return self.zero(ty),
            ConstKind::Symbol(symbol) => match module.symbols[*symbol].kind {
                SymbolKind::Function(function) => FUNCTIONS + 16 * function.index() as u64,
                SymbolKind::Variable(global) => self.globals[global.index()],
                SymbolKind::Alias { target, .. } => return self.constant(target),
                _ => return Err(Stop::Unsupported("symbol")),
            },
            ConstKind::Offset { base, bytes, .. } => self.number(&self.constant(*base)?)?.wrapping_add_signed(*bytes),
            ConstKind::Cast { op: CastOp::PtrToInt | CastOp::IntToPtr, value } => return self.constant(*value),
            ConstKind::Aggregate(parts) => {
                return Ok(Val::Many(parts.iter().map(|&part| self.constant(part)).collect::<Run<_>>()?));
            }
            _ => return Err(Stop::Unsupported("constant")),
        }))
    }

    fn zero(&self, ty: TypeId) -> Run<Val> {
        Ok(match self.module.types.resolve(ty) {
            Type::Int(bits) if *bits > 64 => return Err(Stop::Unsupported("wide")),
            Type::Int(_) | Type::Ptr(_) => Val::Num(0),
            Type::Array(element, count) => Val::Many(vec![self.zero(*element)?; *count as usize]),
            Type::Struct { fields, .. } => Val::Many(fields.iter().map(|&field| self.zero(field)).collect::<Run<_>>()?),
            _ => return Err(Stop::Unsupported("type")),
        })
    }

    fn number(&self, value: &Val) -> Run<u64> {
        match value {
            Val::Num(number) => Ok(*number),
            Val::Many(_) => Err(Stop::Unsupported("aggregate")),
        }
    }

    fn bits(&self, ty: TypeId) -> Run<u32> {
        match self.module.types.resolve(ty) {
            Type::Int(bits) if *bits <= 64 => Ok(*bits),
            Type::Ptr(_) => Ok(64),
            _ => Err(Stop::Unsupported("bits")),
        }
    }

    fn object(&mut self, at: u64, size: u64) -> Run<(u64, &mut Object)> {
        let (&base, object) = self.memory.range_mut(..=at).next_back().ok_or(Stop::Fault("null"))?;
        match at + size <= base + object.bytes.len() as u64 {
            true => Ok((base, object)),
            false => Err(Stop::Fault("out of bounds")),
        }
    }

    fn note_target(&mut self, function: FuncId, ptr: Value, at: u64, size: u64) -> Run<()> {
        let (base, object) = self.object(at, size)?;
        let entry = (function, ptr, object.kind, (at - base) as i64 + object.offset);
        self.trace.targets.insert(entry);
        Ok(())
    }

    fn note_read(&mut self, frame: &Frame, inst: InstId, at: u64, size: u64) -> Run<()> {
        let (base, object) = self.object(at, size)?;
        let start = (at - base) as usize;
        let mut writers = object.writers[start..start + size as usize].to_vec();
        writers.sort_unstable();
        writers.dedup();
        for writer in writers {
            let source = match writer.checked_sub(1) {
                None => continue,
                Some(at) => self.source(frame, self.writes[at as usize]),
            };
            self.trace.sources.insert((frame.function, inst, source));
        }
        Ok(())
    }

    /// How a write looks from an activation: one of its own, one of a call that it made, or one before it was called.
    fn source(&self, frame: &Frame, (mut writer, inst): (usize, InstId)) -> Source {
        if writer == frame.activation {
            return Source::Inst(inst);
        }
        while writer > frame.activation {
            let Activation { parent, call } = self.activations[writer];
            if parent == frame.activation {
                return call.map_or(Source::Entry, Source::Inst);
            }
            writer = parent;
        }
        Source::Entry
    }

    fn load(&mut self, at: u64, ty: TypeId) -> Run<Val> {
        match self.module.types.resolve(ty).clone() {
            Type::Array(..) | Type::Struct { .. } => {
                let count = match self.module.types.resolve(ty) {
                    Type::Array(_, count) => *count as usize,
                    Type::Struct { fields, .. } => fields.len(),
                    _ => 0,
                };
                let mut parts = Vec::new();
                for index in 0..count {
                    let place = self.module.type_layouts.element_offset(&self.module.types, ty, index as i64);
                    let (offset, element) = place.ok_or(Stop::Unsupported("layout"))?;
                    parts.push(self.load(at + offset as u64, element)?);
                }
                Ok(Val::Many(parts))
            }
            _ => {
                let bits = self.bits(ty)?;
                let size = u64::from(bits.div_ceil(8));
                let (base, object) = self.object(at, size)?;
                let mut bytes = [0; 8];
                let start = (at - base) as usize;
                bytes[..size as usize].copy_from_slice(&object.bytes[start..start + size as usize]);
                Ok(Val::Num(cut(u64::from_le_bytes(bytes), bits)))
            }
        }
    }

    fn store(&mut self, at: u64, ty: TypeId, value: &Val, writer: u32) -> Run<()> {
        match value {
            Val::Many(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    let place = self.module.type_layouts.element_offset(&self.module.types, ty, index as i64);
                    let (offset, element) = place.ok_or(Stop::Unsupported("layout"))?;
                    self.store(at + offset as u64, element, part, writer)?;
                }
            }
            Val::Num(number) => {
                let size = u64::from(self.bits(ty)?.div_ceil(8));
                let (base, object) = self.object(at, size)?;
                let start = (at - base) as usize;
                object.bytes[start..start + size as usize].copy_from_slice(&number.to_le_bytes()[..size as usize]);
                object.writers[start..start + size as usize].fill(writer);
            }
        }
        Ok(())
    }

    fn writer(&mut self, frame: &Frame, inst: InstId) -> u32 {
        self.writes.push((frame.activation, inst));
        self.writes.len() as u32
    }

    fn call_function(&mut self, function: FuncId, args: Vec<Val>, parent: usize, call: Option<InstId>) -> Run<Val> {
        let activation = self.activations.len();
        self.activations.push(Activation { parent, call });
        let depth = self.stack;
        let body = &self.module.functions[function];
        let mut frame = Frame { function, activation, args, values: vec![None; body.insts.len()] };
        if self.stack > STACK + (DEPTH as u64) * 0x10000 || !body.is_defined() {
            return Err(Stop::Limit);
        }
        let result = self.blocks(&mut frame);
        let dead: Vec<u64> = self.memory.range(depth + 0x8000..HEAP).map(|(&at, _)| at).collect();
        dead.into_iter().for_each(|at| drop(self.memory.remove(&at)));
        self.stack = depth;
        result
    }

    fn blocks(&mut self, frame: &mut Frame) -> Run<Val> {
        let function = &self.module.functions[frame.function];
        self.stack += 0x10000;
        let mut next_slot = self.stack;
        let (mut from, mut block) = (None, BlockId::from_index(0));
        loop {
            let insts = &function.blocks[block].insts;
            // Phis read what was there before any of them.
            let mut phis = Vec::new();
            for &inst in insts {
                let InstKind::Phi { incoming, .. } = &function.insts[inst].kind else { break };
                let value = incoming.iter().find(|(block, _)| Some(*block) == from).map(|(_, value)| *value);
                let value = self.value(frame, value.ok_or(Stop::Unsupported("phi"))?)?;
                phis.push((inst, value));
            }
            for (inst, value) in phis {
                let value = self.note(frame, inst, value);
                frame.values[inst.index()] = Some(value);
            }
            let mut target = None;
            for &inst in insts {
                self.steps += 1;
                if self.steps > LIMIT {
                    return Err(Stop::Limit);
                }
                match &function.insts[inst].kind {
                    InstKind::Phi { .. } | InstKind::Marker(_) => {}
                    InstKind::Alloca { element, count, .. } => {
                        let count = self.value(frame, *count)?;
                        let one = self.module.type_layouts.get(*element).ok_or(Stop::Unsupported("size"))?.size;
                        let size = one * self.number(&count)?;
                        self.add_object(next_slot, ObjectKind::Stack(frame.function, inst), 0, size);
                        frame.values[inst.index()] = Some(Val::Num(next_slot));
                        next_slot += size.next_multiple_of(16) + 16;
                        if next_slot > self.stack + 0x8000 {
                            return Err(Stop::Limit);
                        }
                    }
                    InstKind::Ret(value) => {
                        let value = match value {
                            Some(value) => self.value(frame, *value)?,
                            None => Val::Num(0),
                        };
                        return Ok(self.note(frame, inst, value));
                    }
                    InstKind::Br(to) => target = Some(*to),
                    InstKind::CondBr { condition, then, otherwise } => {
                        let condition = self.value(frame, *condition)?;
                        let condition = self.note(frame, inst, condition);
                        target = Some(if condition == Val::Num(0) { *otherwise } else { *then });
                    }
                    InstKind::Switch { value, default, cases } => {
                        let value = self.value(frame, *value)?;
                        let value = self.note(frame, inst, value);
                        let hit = cases.iter().find(|(case, _)| self.constant(*case).ok().as_ref() == Some(&value));
                        target = Some(hit.map_or(*default, |(_, block)| *block));
                    }
                    InstKind::Unreachable => return Err(Stop::Fault("unreachable")),
                    kind => {
                        let value = self.inst(frame, inst, kind)?;
                        let value = self.note(frame, inst, value);
                        frame.values[inst.index()] = Some(value);
                    }
                }
            }
            from = Some(block);
            block = target.ok_or(Stop::Unsupported("terminator"))?;
        }
    }

    /// Writes a value down, and disturbs it if it is the one to be disturbed.
    fn note(&mut self, frame: &Frame, inst: InstId, mut value: Val) -> Val {
        let is_store = matches!(self.module.functions[frame.function].insts[inst].kind, InstKind::Store { .. });
        let list = self.trace.values.entry((frame.function, inst)).or_default();
        if let Some(disturbance) = self.disturbance
            && (disturbance.function, disturbance.inst, disturbance.instance) == (frame.function, inst, list.len())
            && let (Val::Num(number), false) = (&mut value, is_store)
        {
            let ty = match &self.module.functions[frame.function].insts[inst].kind {
                InstKind::CondBr { .. } => 1,
                _ => 64,
            };
            let bits = self.module.types.resolve(self.module.functions[frame.function].insts[inst].ty);
            let width = if let Type::Int(bits) = bits { (*bits).min(64) } else { ty };
            *number = cut(*number ^ disturbance.bits, width);
        }
        list.push(hash(&value));
        value
    }

    fn value(&self, frame: &Frame, value: Value) -> Run<Val> {
        match value {
            Value::Const(id) => self.constant(id),
            Value::Arg(index) => frame.args.get(index as usize).cloned().ok_or(Stop::Unsupported("argument")),
            Value::Inst(id) => frame.values[id.index()].clone().ok_or(Stop::Unsupported("value")),
        }
    }

    fn num(&self, frame: &Frame, value: Value) -> Run<u64> {
        self.number(&self.value(frame, value)?)
    }

    fn inst(&mut self, frame: &mut Frame, inst: InstId, kind: &InstKind) -> Run<Val> {
        let module = self.module;
        let function = &module.functions[frame.function];
        let ty = function.insts[inst].ty;
        Ok(match kind {
            InstKind::Load { ptr, .. } => {
                let at = self.num(frame, *ptr)?;
                let size = module.type_layouts.get(ty).ok_or(Stop::Unsupported("size"))?.store_size;
                self.note_target(frame.function, *ptr, at, size)?;
                self.note_read(frame, inst, at, size)?;
                self.load(at, ty)?
            }
            InstKind::Store { value, ptr, .. } => {
                let ty = module.type_of(function, *value);
                let (mut stored, at) = (self.value(frame, *value)?, self.num(frame, *ptr)?);
                let seen = self.trace.values.get(&(frame.function, inst)).map_or(0, Vec::len);
                if let Some(disturbance) = self.disturbance
                    && (disturbance.function, disturbance.inst, disturbance.instance) == (frame.function, inst, seen)
                    && let (Val::Num(number), Ok(bits)) = (&mut stored, self.bits(ty))
                {
                    *number = cut(*number ^ disturbance.bits, bits);
                }
                let size = module.type_layouts.get(ty).ok_or(Stop::Unsupported("size"))?.store_size;
                self.note_target(frame.function, *ptr, at, size)?;
                let writer = self.writer(frame, inst);
                self.store(at, ty, &stored, writer)?;
                Val::Many(vec![Val::Num(at), stored])
            }
            InstKind::AtomicRmw(rmw) => {
                let at = self.num(frame, rmw.ptr)?;
                let size = module.type_layouts.get(ty).ok_or(Stop::Unsupported("size"))?.store_size;
                self.note_target(frame.function, rmw.ptr, at, size)?;
                self.note_read(frame, inst, at, size)?;
                let (old, operand) = (self.load(at, ty)?, self.num(frame, rmw.value)?);
                let number = self.number(&old)?;
                let new = match rmw.op {
                    RmwOp::Xchg => operand,
                    RmwOp::Add => number.wrapping_add(operand),
                    RmwOp::Sub => number.wrapping_sub(operand),
                    _ => return Err(Stop::Unsupported("atomicrmw")),
                };
                let writer = self.writer(frame, inst);
                let new = Val::Num(cut(new, self.bits(ty)?));
                self.store(at, ty, &new, writer)?;
                old
            }
            InstKind::Gep { source, base, indices, .. } => {
                let mut at = self.num(frame, *base)?;
                let mut walked = *source;
                for (position, &index) in indices.iter().enumerate() {
                    let bits = self.bits(module.type_of(function, index))?;
                    let index = signed(self.num(frame, index)?, bits);
                    let (step, next) = match position {
                        0 => {
                            let size = module.type_layouts.get(walked).ok_or(Stop::Unsupported("size"))?.size;
                            (index.wrapping_mul(size as i64), walked)
                        }
                        _ => module
                            .type_layouts
                            .element_offset(&module.types, walked, index)
                            .ok_or(Stop::Unsupported("gep"))?,
                    };
                    at = at.wrapping_add_signed(step);
                    walked = next;
                }
                Val::Num(at)
            }
            InstKind::Binary { op, left, right, .. } => {
                let bits = self.bits(ty)?;
                Val::Num(binary(*op, self.num(frame, *left)?, self.num(frame, *right)?, bits)?)
            }
            InstKind::Compare { predicate: Predicate::Int(predicate), left, right, .. } => {
                let bits = self.bits(module.type_of(function, *left))?;
                let (a, b) = (self.num(frame, *left)?, self.num(frame, *right)?);
                let (x, y) = (signed(a, bits), signed(b, bits));
                Val::Num(u64::from(match predicate {
                    IntPredicate::Eq => a == b,
                    IntPredicate::Ne => a != b,
                    IntPredicate::Ugt => a > b,
                    IntPredicate::Uge => a >= b,
                    IntPredicate::Ult => a < b,
                    IntPredicate::Ule => a <= b,
                    IntPredicate::Sgt => x > y,
                    IntPredicate::Sge => x >= y,
                    IntPredicate::Slt => x < y,
                    IntPredicate::Sle => x <= y,
                }))
            }
            InstKind::Cast { op, value, .. } => {
                let from = self.bits(module.type_of(function, *value))?;
                let (to, number) = (self.bits(ty)?, self.num(frame, *value)?);
                Val::Num(match op {
                    CastOp::SExt => cut(signed(number, from) as u64, to),
                    CastOp::Trunc | CastOp::ZExt | CastOp::PtrToInt | CastOp::IntToPtr => cut(number, to),
                    CastOp::BitCast => number,
                    _ => return Err(Stop::Unsupported("cast")),
                })
            }
            InstKind::Select { condition, then, otherwise, .. } => {
                let side = if self.num(frame, *condition)? == 0 { otherwise } else { then };
                self.value(frame, *side)?
            }
            InstKind::Freeze(value) => self.value(frame, *value)?,
            InstKind::ExtractValue { aggregate, path } => {
                let mut value = self.value(frame, *aggregate)?;
                for &index in path {
                    value = match value {
                        Val::Many(mut parts) => parts.swap_remove(index as usize),
                        Val::Num(_) => return Err(Stop::Unsupported("path")),
                    };
                }
                value
            }
            InstKind::InsertValue { aggregate, element, path } => {
                let mut value = self.value(frame, *aggregate)?;
                let element = self.value(frame, *element)?;
                let mut place = &mut value;
                for &index in path {
                    place = match place {
                        Val::Many(parts) => &mut parts[index as usize],
                        Val::Num(_) => return Err(Stop::Unsupported("path")),
                    };
                }
                *place = element;
                value
            }
            InstKind::Call(call) => self.call(frame, inst, call)?,
            _ => return Err(Stop::Unsupported("instruction")),
        })
    }

    fn call(&mut self, frame: &mut Frame, inst: InstId, call: &Call) -> Run<Val> {
        let module = self.module;
        let Callee::Value(callee) = call.callee else { return Err(Stop::Unsupported("asm")) };
        let address = self.num(frame, callee)?;
        let index = address.wrapping_sub(FUNCTIONS) / 16;
        if address < FUNCTIONS || index as usize >= module.functions.len() || address % 16 != 0 {
            return Err(Stop::Fault("no function"));
        }
        let target = FuncId::from_index(index as usize);
        self.trace.calls.insert((frame.function, inst, target));
        if module.functions[target].is_defined() {
            if call.args.len() < module.functions[target].params.len() {
                return Err(Stop::Fault("arguments"));
            }
            let mut args = Vec::new();
            for (index, &arg) in call.args.iter().enumerate() {
                let mut value = self.value(frame, arg)?;
                let attrs = call.arg_attrs.get(index).map(|&attrs| &module.attrs[attrs]);
                let copied = attrs.and_then(|attrs| {
                    attrs.0.iter().find_map(|attr| match attr {
                        Attr::ByVal(ty) => Some(*ty),
                        _ => None,
                    })
                });
                if let Some(ty) = copied {
                    value = Val::Num(self.copy_argument(frame, self.number(&value)?, ty)?);
                }
                args.push(value);
            }
            return self.call_function(target, args, frame.activation, Some(inst));
        }
        let name = module.function_name(target);
        let args: Vec<Val> = call.args.iter().map(|&arg| self.value(frame, arg)).collect::<Run<_>>()?;
        let arg = |index: usize| args.get(index).map_or(Ok(0), |value| self.number(value));
        let is = |prefix: &str| name.starts_with(prefix);
        match () {
            () if is("llvm.lifetime") || is("llvm.dbg") || is("llvm.assume") || name == "free" => Ok(Val::Num(0)),
            () if is("llvm.memcpy") || is("llvm.memmove") || name == "memcpy" || name == "memmove" => {
                let (to, from, size) = (arg(0)?, arg(1)?, arg(2)?);
                if size > 0 {
                    self.note_target(frame.function, call.args[0], to, size)?;
                    self.note_target(frame.function, call.args[1], from, size)?;
                    self.note_read(frame, inst, from, size)?;
                    let writer = self.writer(frame, inst);
                    let (base, object) = self.object(from, size)?;
                    let start = (from - base) as usize;
                    let bytes = object.bytes[start..start + size as usize].to_vec();
                    let (base, object) = self.object(to, size)?;
                    let start = (to - base) as usize;
                    object.bytes[start..start + size as usize].copy_from_slice(&bytes);
                    object.writers[start..start + size as usize].fill(writer);
                    let seen = bytes.iter().fold(7u64, |sum, &byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
                    self.trace.values.entry((frame.function, inst)).or_default().push(seen);
                }
                Ok(Val::Num(to))
            }
            () if is("llvm.memset") || name == "memset" => {
                let (to, byte, size) = (arg(0)?, arg(1)? as u8, arg(2)?);
                if size > 0 {
                    self.note_target(frame.function, call.args[0], to, size)?;
                    let writer = self.writer(frame, inst);
                    let (base, object) = self.object(to, size)?;
                    let start = (to - base) as usize;
                    object.bytes[start..start + size as usize].fill(byte);
                    object.writers[start..start + size as usize].fill(writer);
                }
                Ok(Val::Num(to))
            }
            () if name == "malloc" || name == "calloc" => {
                let size = if name == "calloc" { arg(0)? * arg(1)? } else { arg(0)? };
                if size > 0x800 {
                    return Err(Stop::Limit);
                }
                let sites = self.sites.len() as u64;
                let site = *self.sites.entry((frame.function, inst)).or_insert(sites);
                let count = self.heap.entry((frame.function, inst)).or_default();
                // Where it is depends on the site and on how many it made, not on other sites.
                let at = HEAP + site * 0x100_0000 + *count * 0x1000;
                *count += 1;
                self.add_object(at, ObjectKind::Heap(frame.function, inst), 0, size);
                Ok(Val::Num(at))
            }
            () if name == "printf" || name == "puts" || name == "putchar" => {
                // What is printed counts as its value.
                let shown = args.iter().map(hash).fold(3u64, |sum, part| sum.wrapping_mul(31).wrapping_add(part));
                self.trace.values.entry((frame.function, inst)).or_default().push(shown);
                Ok(Val::Num(0))
            }
            () if name == "exit" || name == "abort" || name == "__assert_fail" => Err(Stop::Exit),
            _ => Err(Stop::Unsupported("external")),
        }
    }

    fn copy_argument(&mut self, frame: &Frame, from: u64, ty: TypeId) -> Run<u64> {
        let size = self.module.type_layouts.get(ty).ok_or(Stop::Unsupported("size"))?.size;
        let (base, object) = self.object(from, size)?;
        let start = (from - base) as usize;
        let (kind, offset) = (object.kind, object.offset + start as i64);
        let range = start..start + size as usize;
        let copy = Object {
            kind,
            offset,
            bytes: object.bytes[range.clone()].to_vec(),
            writers: object.writers[range].to_vec(),
        };
        // Below the next frame, above this one's variables.
        let mut at = self.stack + 0x8000 + (frame.activation as u64 % 2);
        at = at.next_multiple_of(16);
        while self.memory.contains_key(&at) {
            at += 0x400;
        }
        self.memory.insert(at, copy);
        Ok(at)
    }
}

struct Frame {
    function: FuncId,
    activation: usize,
    args: Vec<Val>,
    values: Vec<Option<Val>>,
}

fn cut(number: u64, bits: u32) -> u64 {
    if bits >= 64 { number } else { number & ((1 << bits) - 1) }
}

fn signed(number: u64, bits: u32) -> i64 {
    let shift = 64 - bits.clamp(1, 64);
    ((number << shift) as i64) >> shift
}

fn binary(op: BinaryOp, a: u64, b: u64, bits: u32) -> Run<u64> {
    let (x, y) = (signed(a, bits), signed(b, bits));
    let divides = |ok: bool| if ok { Ok(()) } else { Err(Stop::Fault("division")) };
    let shift = || if b < u64::from(bits) { Ok(b as u32) } else { Err(Stop::Fault("shift")) };
    let result = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::UDiv => divides(b != 0).map(|()| a / b)?,
        BinaryOp::URem => divides(b != 0).map(|()| a % b)?,
        BinaryOp::SDiv => divides(y != 0).map(|()| x.wrapping_div(y) as u64)?,
        BinaryOp::SRem => divides(y != 0).map(|()| x.wrapping_rem(y) as u64)?,
        BinaryOp::Shl => a << shift()?,
        BinaryOp::LShr => a >> shift()?,
        BinaryOp::AShr => (x >> shift()?) as u64,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        _ => return Err(Stop::Unsupported("float")),
    };
    Ok(cut(result, bits))
}

fn hash(value: &Val) -> u64 {
    match value {
        Val::Num(number) => *number,
        Val::Many(parts) => parts.iter().map(hash).fold(1, |sum, part| sum.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ part),
    }
}
