//! From a function of the model to code.

mod joins;
mod loops;
mod windows;

use crate::code::{BranchInfo, Call, Clause, Code, Edge, Inst, NO_REGISTER, Op, Operand, Target};
use crate::program::Program;
use crate::value::{Shape, Value as Known};
use ir::attrs::{Attr, AttrFlag};
use ir::constant::ConstKind;
use ir::id::{AttrsId, BlockId, FuncId, Id, InstId, TypeId};
use ir::inst::{self, Callee, InstKind, Value};
use ir::module::{Function, Module, SymbolKind};
use ir::passing::passing;
use ir::types::Type;
use loops::Loops;
use rustc_hash::FxHashMap;

/// Prepares a function that has a body.
pub fn prepare(program: &Program, id: FuncId) -> Code {
    let function = &program.module.functions[id];
    let mut registers = function.params.len() as u32;
    let mut dests = vec![NO_REGISTER; function.insts.len()];
    for (_, id, inst) in function.body() {
        if program.module.types[inst.ty] != Type::Void {
            dests[id.index()] = registers;
            registers += 1;
        }
    }
    let mut starts = Vec::with_capacity(function.blocks.len());
    let mut next = 0;
    for block in function.blocks.iter() {
        starts.push(next);
        let phis = block.insts.iter().filter(|&&inst| is_phi(&function.insts[inst].kind)).count();
        next += (block.insts.len() - phis) as u32;
    }
    let loops = Loops::find(function);
    let joins = joins::joins(function);
    let mut translator = Translator {
        program,
        module: &program.module,
        function,
        dests: &dests,
        starts: &starts,
        loops: &loops,
        joins: &joins,
        edges: Vec::new(),
        branches: Vec::new(),
        block: BlockId::from_index(0),
    };
    let mut insts = Vec::with_capacity(next as usize);
    for (block, data) in function.blocks.iter_ids() {
        translator.block = block;
        for &inst in &data.insts {
            if !is_phi(&function.insts[inst].kind) {
                insts.push(translator.instruction(inst));
            }
        }
    }
    let by_id = windows::windows(program, function, |value| translator.operand(value));
    let window = |(at, inst): (u32, &Inst)| Some((at, by_id.get(&inst.id)?.clone()));
    let windows = (0..).zip(&insts).filter(|_| !by_id.is_empty()).filter_map(window).collect();
    let Translator { edges, branches, .. } = translator;
    let variadic = program.module.types.signature(function.ty).is_some_and(|(_, _, variadic)| variadic);
    Code {
        function: id,
        insts,
        edges,
        registers,
        params: function.params.len() as u32,
        variadic,
        branches,
        loops: loops.count() as u32,
        starts,
        windows,
    }
}

fn is_phi(kind: &InstKind) -> bool {
    matches!(kind, InstKind::Phi { .. })
}

struct Translator<'p> {
    program: &'p Program,
    module: &'p Module,
    function: &'p Function,
    dests: &'p [u32],
    starts: &'p [u32],
    loops: &'p Loops,
    joins: &'p [Option<BlockId>],
    edges: Vec<Edge>,
    branches: Vec<BranchInfo>,
    block: BlockId,
}

impl Translator<'_> {
    fn operand(&self, value: Value) -> Operand {
        match value {
            Value::Inst(id) => Operand::Reg(self.dests[id.index()]),
            Value::Arg(index) => Operand::Reg(index),
            Value::Const(id) => self.program.constant(id),
        }
    }

    fn shape_of(&self, value: Value) -> Shape {
        self.program.shape(self.module.type_of(self.function, value))
    }

    fn instruction(&mut self, id: InstId) -> Inst {
        let inst = &self.function.insts[id];
        let dest = self.dests[id.index()];
        let op = if self.is_too_wide(inst) { Op::TooWide } else { self.op(&inst.kind, inst.ty) };
        Inst { op, dest, id, loc: inst.loc }
    }

    /// Whether an instruction takes or makes an integer that is too wide.
    fn is_too_wide(&self, inst: &inst::Inst) -> bool {
        let mut found = self.program.shape(inst.ty).is_too_wide();
        inst.kind.for_each_operand(|value| found |= self.shape_of(value).is_too_wide());
        found
    }

    fn op(&mut self, kind: &InstKind, ty: TypeId) -> Op {
        let shape = self.program.shape(ty);
        match kind {
            InstKind::Alloca { element, count, align } => {
                let layout = self.module.type_layouts.get(*element);
                Op::Alloca {
                    size: layout.map_or(0, |layout| layout.size),
                    count: self.operand(*count),
                    align: align.map_or(layout.map_or(1, |layout| layout.align), |align| align.bytes()),
                }
            }
            InstKind::Load { ptr, access } => Op::Load { ptr: self.operand(*ptr), shape, volatile: access.volatile },
            InstKind::Store { value, ptr, access } => Op::Store {
                ptr: self.operand(*ptr),
                value: self.operand(*value),
                shape: self.shape_of(*value),
                volatile: access.volatile,
            },
            InstKind::Gep { source, base, indices, .. } if matches!(shape, Shape::Ptr) => {
                let (constant, terms) = self.distance(*source, indices);
                let changed = self.program.changed_records.contains(source);
                Op::Gep { base: self.operand(*base), constant, terms, changed }
            }
            // A vector of addresses.
            InstKind::Gep { .. } => self.unsupported("getelementptr"),
            InstKind::Binary { op, flags, left, right } => {
                Op::Binary { op: *op, flags: *flags, left: self.operand(*left), right: self.operand(*right), shape }
            }
            InstKind::FNeg { value, .. } => Op::FNeg { value: self.operand(*value), shape },
            InstKind::Compare { predicate, left, right, .. } => Op::Compare {
                predicate: *predicate,
                left: self.operand(*left),
                right: self.operand(*right),
                shape: self.shape_of(*left),
            },
            InstKind::Cast { op, value, .. } => {
                Op::Cast { op: *op, value: self.operand(*value), from: self.shape_of(*value), to: shape }
            }
            InstKind::Select { condition, then, otherwise, .. } => Op::Select {
                condition: self.operand(*condition),
                then: self.operand(*then),
                otherwise: self.operand(*otherwise),
                shape,
            },
            InstKind::Phi { .. } | InstKind::Fence { .. } | InstKind::Marker(_) => Op::Nothing,
            InstKind::Freeze(value) => Op::Freeze { value: self.operand(*value), shape },
            InstKind::Call(call) => Op::Call(Box::new(self.call(call, shape))),
            InstKind::ExtractValue { aggregate, path } => {
                Op::ExtractValue { aggregate: self.operand(*aggregate), path: path.clone() }
            }
            InstKind::InsertValue { aggregate, element, path } => Op::InsertValue {
                aggregate: self.operand(*aggregate),
                element: self.operand(*element),
                path: path.clone(),
                shape,
            },
            InstKind::ExtractElement { vector, index } => Op::ExtractElement {
                vector: self.operand(*vector),
                index: self.operand(*index),
                shape: self.shape_of(*vector),
            },
            InstKind::InsertElement { vector, element, index } => Op::InsertElement {
                vector: self.operand(*vector),
                element: self.operand(*element),
                index: self.operand(*index),
                shape,
            },
            InstKind::ShuffleVector { left, right, mask } => Op::Shuffle {
                left: self.operand(*left),
                right: self.operand(*right),
                mask: self.mask(*mask),
                shape: self.shape_of(*left),
            },
            InstKind::AtomicRmw(rmw) => {
                Op::Rmw { op: rmw.op, ptr: self.operand(rmw.ptr), value: self.operand(rmw.value), shape }
            }
            InstKind::CompareExchange(exchange) => Op::CompareExchange {
                ptr: self.operand(exchange.ptr),
                expected: self.operand(exchange.expected),
                new: self.operand(exchange.new),
                shape: self.shape_of(exchange.new),
            },
            InstKind::VaArg { list } => Op::VaArg { list: self.operand(*list), shape },
            InstKind::LandingPad { cleanup, clauses } => {
                let clause =
                    |clause: &inst::Clause| Clause { filter: clause.filter, types: self.operand(clause.value) };
                Op::LandingPad { cleanup: *cleanup, clauses: clauses.iter().map(clause).collect() }
            }
            InstKind::Ret(value) => Op::Ret(value.map(|value| self.operand(value))),
            InstKind::Br(target) => Op::Br(self.edge(*target)),
            InstKind::CondBr { condition, then, otherwise } => {
                let branch = self.branch(&[*then, *otherwise]);
                Op::CondBr {
                    condition: self.operand(*condition),
                    then: self.edge(*then),
                    otherwise: self.edge(*otherwise),
                    branch,
                }
            }
            InstKind::Switch { value, default, cases } => {
                let mut targets = vec![*default];
                targets.extend(cases.iter().map(|&(_, block)| block));
                let branch = self.branch(&targets);
                let width = self.shape_of(*value).bits().unwrap_or(1);
                let number = |id: &ir::id::ConstId| match self.program.constant(*id) {
                    Operand::Const(Known::Bits(expr)) => {
                        smt::bits::Bits::new(expr.as_const().unwrap_or(0).into(), width)
                    }
                    Operand::Wide(bits) => *bits,
                    _ => smt::bits::Bits::zero(width),
                };
                let numbers: Vec<_> = cases.iter().map(|(id, _)| number(id)).collect();
                // Cases that lead to the same block have one edge.
                let default_edge = self.edge(*default);
                let mut known = FxHashMap::from_iter([(*default, default_edge)]);
                let edges: Vec<u32> =
                    cases.iter().map(|&(_, block)| *known.entry(block).or_insert_with(|| self.edge(block))).collect();
                Op::Switch {
                    value: self.operand(*value),
                    default: default_edge,
                    cases: numbers.into_iter().zip(edges).collect(),
                    branch,
                    width,
                }
            }
            InstKind::Invoke { call, normal, unwind } => Op::Invoke {
                call: Box::new(self.call(call, shape)),
                normal: self.edge(*normal),
                unwind: self.edge(*unwind),
            },
            InstKind::Resume(value) => Op::Resume(self.operand(*value)),
            InstKind::Unreachable => Op::Unreachable,
            InstKind::IndirectBr { address, targets } => {
                let mut edges = Vec::with_capacity(targets.len());
                for &block in targets.iter() {
                    edges.push((crate::program::block_offset(block), self.edge(block)));
                }
                Op::IndirectBr { address: self.operand(*address), targets: edges }
            }
            InstKind::Unsupported(unsupported) => Op::Unsupported(unsupported.text),
        }
    }

    /// An operation that is known to the model but not to the interpreter. Its keyword need not be among the module's
    /// strings; any text of the module will do then.
    fn unsupported(&self, keyword: &str) -> Op {
        let text = self.module.strings.find(keyword).unwrap_or(self.module.symbols[self.function.symbol].name);
        Op::Unsupported(text)
    }

    /// The distance that indices stand for: what is known of it, and the rest.
    fn distance(&self, source: TypeId, indices: &[Value]) -> (i64, Vec<(Operand, i64)>) {
        let (types, layouts) = (&self.module.types, &self.module.type_layouts);
        let (mut constant, mut terms, mut ty) = (0i64, Vec::new(), source);
        for (position, &index) in indices.iter().enumerate() {
            let known = match index {
                Value::Const(id) => match self.module.consts[id].kind {
                    ConstKind::Int(value) => {
                        let width = layouts.get(self.module.consts[id].ty).map_or(64, |layout| layout.bits as u32);
                        Some(smt::expr::signed(value as u64, width.clamp(1, 64)))
                    }
                    ConstKind::Zero => Some(0),
                    _ => None,
                },
                _ => None,
            };
            if position > 0 && matches!(types.resolve(ty), Type::Struct { .. }) {
                let Some((bytes, field)) = layouts.element_offset(types, ty, known.unwrap_or(0)) else { continue };
                constant = constant.wrapping_add(bytes);
                ty = field;
                continue;
            }
            if position > 0 {
                let Some(element) = types.element(ty, 0) else { continue };
                ty = element;
            }
            let size = layouts.get(ty).map_or(0, |layout| layout.size) as i64;
            match known {
                Some(index) => constant = constant.wrapping_add(size.wrapping_mul(index)),
                None => terms.push((self.operand(index), size)),
            }
        }
        (constant, terms)
    }

    fn mask(&self, mask: Value) -> Box<[Option<u32>]> {
        let element = |operand: &Known| match operand {
            Known::Bits(expr) => expr.as_const().map(|bits| bits as u32),
            _ => None,
        };
        match self.operand(mask) {
            Operand::Const(Known::Many(parts)) => parts.iter().map(element).collect(),
            // `undef` as a whole.
            _ => match self.shape_of(mask) {
                Shape::Many { elements, .. } => elements.iter().map(|_| None).collect(),
                _ => Box::default(),
            },
        }
    }

    fn edge(&mut self, to: BlockId) -> u32 {
        let moves = self.function.blocks[to]
            .insts
            .iter()
            .map_while(|&inst| match &self.function.insts[inst].kind {
                InstKind::Phi { incoming, .. } => {
                    let value = incoming.iter().find(|(from, _)| *from == self.block).map(|&(_, value)| value);
                    let value = value.map_or(Operand::Const(Known::Undef), |value| self.operand(value));
                    Some((self.dests[inst.index()], value))
                }
                _ => None,
            })
            .collect();
        let enters = self.loops.entered(self.block, to);
        self.edges.push(Edge { from: self.block, to, target: self.starts[to.index()], moves, enters });
        self.edges.len() as u32 - 1
    }

    fn branch(&mut self, targets: &[BlockId]) -> u32 {
        let leaves = self.loops.left(self.block, targets);
        let stays = match leaves {
            Some(inner) => targets.iter().map(|&to| self.loops.contains(inner, to)).collect(),
            None => Vec::new(),
        };
        let join = self.joins[self.block.index()].map(|block| self.starts[block.index()]);
        self.branches.push(BranchInfo { leaves, stays, join });
        self.branches.len() as u32 - 1
    }

    fn call(&mut self, call: &inst::Call, result: Shape) -> Call {
        let target = match call.callee {
            Callee::Asm(text) => Target::Unsupported(text),
            Callee::Value(value) => match self.module.as_symbol(value) {
                Some(_) => self.named_target(value),
                None => Target::Pointer(self.operand(value)),
            },
        };
        let attrs = |index: usize| call.arg_attrs.get(index).copied();
        let result_ty = self.module.types.signature(call.function_ty).map(|(result, _, _)| result);
        let types = call.args.iter().map(|&arg| self.module.type_of(self.function, arg));
        Call {
            passing: result_ty.map_or_else(Vec::new, |ty| passing(self.module, call, ty, types).into()).into(),
            target,
            args: call.args.iter().map(|&arg| self.operand(arg)).collect(),
            shapes: call.args.iter().map(|&arg| self.shape_of(arg)).collect(),
            copies: (0..call.args.len()).map(|index| self.by_value(attrs(index)?)).collect(),
            result,
            no_return: self.module.attrs[call.attrs].has(AttrFlag::NoReturn),
        }
    }

    fn by_value(&self, attrs: AttrsId) -> Option<(u64, u64)> {
        self.module.attrs[attrs].0.iter().find_map(|attr| match attr {
            Attr::ByVal(ty) => self.module.type_layouts.get(*ty).map(|layout| (layout.size, layout.align)),
            _ => None,
        })
    }

    fn named_target(&self, callee: Value) -> Target {
        let mut value = callee;
        for _ in 0..64 {
            let Some(symbol) = self.module.as_symbol(value) else { break };
            match self.module.symbols[symbol].kind {
                SymbolKind::Function(id) => return self.program.target(id),
                SymbolKind::Alias { target, .. } => value = Value::Const(target),
                _ => break,
            }
        }
        Target::Pointer(self.operand(callee))
    }
}

impl Program {
    /// What a call of a function runs.
    pub fn target(&self, id: FuncId) -> Target {
        match self.models.get(id) {
            Some(model) => Target::Model(id, model),
            None if self.module.functions[id].is_defined() => Target::Code(id),
            None => Target::Outside(id),
        }
    }
}
