//! Turns a module into constraints between sets of targets.

use super::solver::{Complex, Node, Signature, Solver};
use super::{ObjectKind, PointsTo, Scope, Target};
use crate::externals::{External, ResultOf};
use crate::id::ObjectId;
use ir::constant::ConstKind;
use ir::id::{Arena, ConstId, FuncId, GlobalId, Id, InstId, SymbolId, TypeId};
use ir::inst::{Call, Callee, CastOp, InstKind, Value};
use ir::module::{Module, SymbolKind};
use ir::types::Type;
use rustc_hash::FxHashMap;

/// An initialiser with more parts than this is one that is stored anywhere.
const MAX_PARTS: usize = 1 << 14;
/// A copy of more words than this copies everything.
const MAX_COPIED_WORDS: u64 = 64;

/// A call whose callee, arguments and result are sets.
#[derive(Clone, Debug)]
pub(super) struct CallConstraint {
    pub caller: FuncId,
    pub inst: InstId,
    pub args: Vec<Option<Node>>,
    pub result: Option<Node>,
}

/// All constraints of a module.
pub(super) struct Constraints<'m> {
    module: &'m Module,
    externals: &'m Arena<FuncId, Option<External>>,
    solver: Solver,
    /// Where the nodes of each function's parameters and then instructions begin.
    starts: Vec<usize>,
    values: usize,
    globals: Vec<ObjectId>,
    functions: Vec<ObjectId>,
    outside: Node,
    consts: FxHashMap<ConstId, Option<Node>>,
    variadic: FxHashMap<FuncId, ObjectId>,
}

/// All constraints of a module.
pub(super) fn generate<'m>(
    module: &'m Module,
    externals: &'m Arena<FuncId, Option<External>>,
    scope: &Scope,
) -> Constraints<'m> {
    let mut solver = Solver::default();
    let mut starts = Vec::with_capacity(module.functions.len());
    let mut values = 0;
    for function in module.functions.iter() {
        starts.push(values);
        values += function.params.len() + function.insts.len();
    }
    for _ in 0..values {
        solver.add_node();
    }
    let outside_object = solver.add_object(ObjectKind::Outside, None);
    let world = solver.add_object(ObjectKind::World, None);
    let outside = solver.add_node();
    let mut constraints = Constraints {
        module,
        externals,
        solver,
        starts,
        values,
        globals: Vec::new(),
        functions: Vec::new(),
        outside,
        consts: FxHashMap::default(),
        variadic: FxHashMap::default(),
    };
    constraints.signatures();
    constraints.objects();
    constraints.solver.escape(outside_object);
    constraints.solver.escape(world);
    constraints.solver.mark_outside(outside);
    constraints.initializers();
    for id in module.functions.ids() {
        constraints.body(id);
    }
    constraints.roots(scope);
    constraints
}

impl Constraints<'_> {
    /// Solves them.
    pub fn solve(mut self) -> PointsTo {
        self.solver.run();
        // Functions without a body that are called through pointers are found on the way.
        while !self.solver.call_external.is_empty() {
            for (call, function) in std::mem::take(&mut self.solver.call_external) {
                let CallConstraint { caller, inst, .. } = self.solver.calls[call as usize];
                if let Some(call) = self.module.functions[caller].insts[inst].kind.call() {
                    self.external_call(caller, inst, call, function);
                }
            }
            self.solver.run();
        }
        let params = self.module.functions.iter().map(|function| function.params.len()).collect();
        let mut consts: Vec<(ConstId, Node)> =
            self.consts.iter().filter_map(|(&id, &node)| Some((id, node?))).collect();
        consts.sort_unstable();
        self.solver.finish(self.starts, params, self.values, &consts)
    }

    fn signatures(&mut self) {
        for (id, function) in self.module.functions.iter_ids() {
            let start = self.starts[id.index()] as Node;
            let params = (0..function.params.len() as Node).map(|index| start + index).collect();
            let result = self.solver.add_node();
            let defined = function.is_defined();
            self.solver.signatures.push(Signature { params, result, variadic: None, defined });
        }
    }

    fn objects(&mut self) {
        let module = self.module;
        for (id, global) in module.globals.iter_ids() {
            let size = module.type_layouts.get(global.ty).map(|layout| layout.size);
            let size = size.filter(|_| global.initializer.is_some());
            let object = self.solver.add_object(ObjectKind::Global(id), size);
            self.solver.objects[object].constant = global.constant;
            self.globals.push(object);
        }
        for (id, function) in module.functions.iter_ids() {
            let object = self.solver.add_object(ObjectKind::Function(id), Some(0));
            self.functions.push(object);
            let signature = module.types.signature(function.ty);
            if function.is_defined() && signature.is_some_and(|(_, _, variadic)| variadic) {
                let extra = self.solver.add_object(ObjectKind::Variadic(id), None);
                self.variadic.insert(id, extra);
                self.solver.signatures[id.index()].variadic = Some(self.solver.stored_anywhere(extra));
            }
        }
    }

    /// What the outside knows and calls from the start.
    fn roots(&mut self, scope: &Scope) {
        let module = self.module;
        let is_visible = |symbol: SymbolId| !module.symbols[symbol].linkage.is_local();
        for (id, global) in module.globals.iter_ids() {
            let is_declared = global.initializer.is_none() || global.externally_initialized;
            if is_declared || *scope == Scope::Library && is_visible(global.symbol) {
                self.solver.escape(self.globals[id.index()]);
            }
        }
        match scope {
            Scope::Library => {
                let defined = module.functions.iter_ids().filter(|(_, function)| function.is_defined());
                defined.for_each(|(id, _)| self.solver.call_from_outside(id));
            }
            Scope::Program(entries) => entries.iter().for_each(|&id| self.solver.call_from_outside(id)),
        }
    }

    fn initializers(&mut self) {
        let module = self.module;
        for (id, global) in module.globals.iter_ids() {
            let Some(initializer) = global.initializer else { continue };
            let object = self.globals[id.index()];
            let mut stack = vec![(initializer, 0i64)];
            let mut parts = 0usize;
            while let Some((constant, offset)) = stack.pop() {
                parts += 1;
                match &module.consts[constant].kind {
                    ConstKind::Aggregate(elements) => {
                        let ty = module.consts[constant].ty;
                        for (index, &element) in elements.iter().enumerate() {
                            let at = module.type_layouts.element_offset(&module.types, ty, index as i64);
                            stack.push((element, offset.saturating_add(at.map_or(0, |(at, _)| at))));
                        }
                    }
                    _ => {
                        let Some(node) = self.constant(constant) else { continue };
                        let to = match parts <= MAX_PARTS {
                            true => self.solver.cell(object, offset.div_euclid(8)),
                            false => self.solver.stored_anywhere(object),
                        };
                        self.solver.add_copy(node, to);
                    }
                }
            }
        }
    }

    fn value(&mut self, function: FuncId, value: Value) -> Option<Node> {
        match value {
            Value::Inst(id) => Some(self.inst(function, id)),
            Value::Arg(index) => Some((self.starts[function.index()] + index as usize) as Node),
            Value::Const(id) => self.constant(id),
        }
    }

    fn inst(&self, function: FuncId, inst: InstId) -> Node {
        (self.starts[function.index()] + self.module.functions[function].params.len() + inst.index()) as Node
    }

    /// The set of a constant; `None` if it points nowhere.
    fn constant(&mut self, id: ConstId) -> Option<Node> {
        if let Some(&known) = self.consts.get(&id) {
            return known;
        }
        let (mut targets, mut outside) = (Vec::new(), false);
        self.constant_targets(id, &mut targets, &mut outside);
        let node = (!targets.is_empty() || outside).then(|| self.solver.add_node());
        if let Some(node) = node {
            targets.into_iter().for_each(|target| self.solver.add_target(node, target));
            if outside {
                self.solver.mark_outside(node);
            }
        }
        self.consts.insert(id, node);
        node
    }

    fn constant_targets(&self, id: ConstId, targets: &mut Vec<Target>, outside: &mut bool) {
        let module = self.module;
        // Parts with the distance that is added to them. The parts of a constant come before it, so this ends; how often
        // a part is looked at is bounded, since it may be shared by very many.
        let mut stack = vec![(id, Some(0i64))];
        let mut steps = 0usize;
        while let Some((id, distance)) = stack.pop() {
            steps += 1;
            if steps > MAX_PARTS {
                *outside = true;
                targets.extend(self.globals.iter().map(|&object| Target { object, offset: None }));
                targets.extend(self.functions.iter().map(|&object| Target { object, offset: None }));
                return;
            }
            match &module.consts[id].kind {
                ConstKind::Symbol(symbol) | ConstKind::FunctionStub { function: symbol, .. } => {
                    match module.symbols[*symbol].kind {
                        SymbolKind::Function(function) => {
                            targets.push(Target { object: self.functions[function.index()], offset: distance });
                        }
                        SymbolKind::Variable(global) => {
                            targets.push(Target { object: self.globals[GlobalId::index(global)], offset: distance });
                        }
                        SymbolKind::Alias { target, .. } => stack.push((target, distance)),
                        SymbolKind::Ifunc { .. } | SymbolKind::Missing => *outside = true,
                    }
                }
                ConstKind::Offset { base, bytes, .. } => {
                    stack.push((*base, distance.and_then(|distance| distance.checked_add(*bytes))));
                }
                ConstKind::Gep { operands, .. } => stack.extend(operands.iter().map(|&part| (part, None))),
                ConstKind::Cast { op, value } => {
                    *outside |= *op == CastOp::IntToPtr;
                    stack.push((*value, distance));
                }
                ConstKind::Binary { left, right, .. } => stack.extend([(*left, None), (*right, None)]),
                ConstKind::Select(parts) => stack.extend(parts.iter().map(|&part| (part, distance))),
                ConstKind::Aggregate(parts) => stack.extend(parts.iter().map(|&part| (part, distance))),
                ConstKind::Splat(part) => stack.push((*part, distance)),
                ConstKind::Unsupported(_) => *outside = true,
                _ => {}
            }
        }
    }

    fn copy(&mut self, function: FuncId, from: Value, to: Node) {
        if let Some(from) = self.value(function, from) {
            self.solver.add_copy(from, to);
        }
    }

    fn load(&mut self, function: FuncId, ptr: Value, to: Node, size: u64) {
        if let Some(ptr) = self.value(function, ptr) {
            self.solver.add_complex(ptr, Complex::Load(to, size));
        }
    }

    fn store(&mut self, function: FuncId, value: Value, ptr: Value, size: u64) {
        if let (Some(value), Some(ptr)) = (self.value(function, value), self.value(function, ptr)) {
            self.solver.add_complex(ptr, Complex::Store(value, size));
        }
    }

    /// `to` points into the same objects as `from`, at any distance or moved by a known one.
    fn moved(&mut self, function: FuncId, from: Value, to: Node, distance: Option<i64>) {
        if let Some(from) = self.value(function, from) {
            match distance {
                Some(0) => self.solver.add_copy(from, to),
                _ => self.solver.add_complex(from, Complex::Move(to, distance)),
            }
        }
    }

    /// How many bytes a value has in memory; of one without a size very many.
    fn size(&self, ty: TypeId) -> u64 {
        self.module.type_layouts.get(ty).map_or(1 << 20, |layout| layout.store_size)
    }

    fn body(&mut self, id: FuncId) {
        let module = self.module;
        let function = &module.functions[id];
        let is_wide = |ty: TypeId| match module.types.resolve(ty) {
            Type::Int(bits) => *bits >= 64,
            Type::Ptr(_) | Type::Vector { .. } => true,
            _ => false,
        };
        for (_, inst, data) in function.body() {
            let to = self.inst(id, inst);
            match &data.kind {
                InstKind::Alloca { element, count, .. } => {
                    let one = module.type_layouts.get(*element).map(|layout| layout.size);
                    let count = match count {
                        Value::Const(count) => match module.consts[*count].kind {
                            ConstKind::Int(count) => u64::try_from(count).ok(),
                            _ => None,
                        },
                        _ => None,
                    };
                    let size = one.zip(count).and_then(|(one, count)| one.checked_mul(count));
                    let object = self.solver.add_object(ObjectKind::Stack(id, inst), size);
                    self.solver.add_target(to, Target { object, offset: Some(0) });
                }
                InstKind::Load { ptr, .. } => self.load(id, *ptr, to, self.size(data.ty)),
                InstKind::Store { value, ptr, .. } => {
                    self.store(id, *value, *ptr, self.size(module.type_of(function, *value)));
                }
                InstKind::Gep { base, .. } => {
                    let distance = crate::address::constant_distance(module, &data.kind);
                    self.moved(id, *base, to, distance);
                }
                InstKind::Binary { left, right, .. } if is_wide(data.ty) => {
                    self.moved(id, *left, to, None);
                    self.moved(id, *right, to, None);
                }
                InstKind::Cast { op, value, .. } => {
                    let distance = matches!(op, CastOp::PtrToInt | CastOp::IntToPtr | CastOp::BitCast).then_some(0);
                    self.moved(id, *value, to, distance);
                    if *op == CastOp::IntToPtr {
                        self.solver.mark_outside(to);
                    }
                }
                InstKind::Select { then, otherwise, .. } => {
                    self.copy(id, *then, to);
                    self.copy(id, *otherwise, to);
                }
                InstKind::Phi { incoming, .. } => incoming.iter().for_each(|&(_, value)| self.copy(id, value, to)),
                InstKind::Freeze(value)
                | InstKind::ExtractValue { aggregate: value, .. }
                | InstKind::ExtractElement { vector: value, .. } => self.copy(id, *value, to),
                InstKind::InsertValue { aggregate: left, element: right, .. }
                | InstKind::InsertElement { vector: left, element: right, .. }
                | InstKind::ShuffleVector { left, right, .. } => {
                    self.copy(id, *left, to);
                    self.copy(id, *right, to);
                }
                InstKind::AtomicRmw(rmw) => {
                    let size = self.size(data.ty);
                    self.load(id, rmw.ptr, to, size);
                    self.store(id, rmw.value, rmw.ptr, size);
                    // What is stored may be computed of both.
                    let stored = self.solver.add_node();
                    self.solver.add_complex(to, Complex::Move(stored, None));
                    if let Some(ptr) = self.value(id, rmw.ptr) {
                        self.solver.add_complex(ptr, Complex::Store(stored, size));
                    }
                }
                InstKind::CompareExchange(exchange) => {
                    let size = self.size(module.type_of(function, exchange.new));
                    self.load(id, exchange.ptr, to, size);
                    self.store(id, exchange.new, exchange.ptr, size);
                }
                InstKind::VaArg { list } => {
                    let [anywhere, area] = [self.solver.add_helper(), self.solver.add_node()];
                    self.moved(id, *list, anywhere, None);
                    self.solver.add_complex(anywhere, Complex::Load(area, 8));
                    self.solver.add_complex(area, Complex::Load(to, 8));
                }
                InstKind::LandingPad { .. } => self.solver.mark_outside(to),
                InstKind::Unsupported(_) => self.solver.mark_outside(to),
                InstKind::Ret(Some(value)) => {
                    let result = self.solver.signatures[id.index()].result;
                    self.copy(id, *value, result);
                }
                InstKind::Resume(value) => {
                    if let Some(node) = self.value(id, *value) {
                        self.solver.mark_leaking(node);
                    }
                }
                InstKind::Call(call) | InstKind::Invoke { call, .. } => self.call(id, inst, call),
                _ => {}
            }
        }
    }

    fn call(&mut self, caller: FuncId, inst: InstId, call: &Call) {
        let function = &self.module.functions[caller];
        let target = self.module.called_function(&function.insts[inst].kind);
        if let Some(target) = target.filter(|&target| !self.module.functions[target].is_defined()) {
            return self.external_call(caller, inst, call, target);
        }
        let args: Vec<Option<Node>> = call.args.iter().map(|&arg| self.value(caller, arg)).collect();
        let bundled: Vec<Node> = call
            .bundles
            .iter()
            .flat_map(|bundle| bundle.operands.iter())
            .filter_map(|&(_, value)| self.value(caller, value))
            .collect();
        bundled.into_iter().for_each(|node| self.solver.mark_leaking(node));
        let result = Some(self.inst(caller, inst));
        let callee = match call.callee {
            Callee::Asm(_) => Some(self.outside),
            Callee::Value(value) => self.value(caller, value),
        };
        let id = self.solver.calls.len() as u32;
        self.solver.calls.push(CallConstraint { caller, inst, args, result });
        match (target, callee) {
            (Some(target), _) => self.solver.link_call(id, target),
            (None, Some(callee)) => self.solver.add_complex(callee, Complex::Call(id)),
            (None, None) => {}
        }
    }

    /// What a call of a function without a body does to pointers.
    fn external_call(&mut self, caller: FuncId, inst: InstId, call: &Call, target: FuncId) {
        let result = self.inst(caller, inst);
        let args: Vec<Option<Node>> = call.args.iter().map(|&arg| self.value(caller, arg)).collect();
        let Some(known) = self.externals[target].clone() else {
            args.into_iter().flatten().for_each(|arg| self.solver.mark_leaking(arg));
            self.solver.mark_outside(result);
            return;
        };
        for (index, &arg) in args.iter().enumerate() {
            if let Some(arg) = arg.filter(|_| known.arg(self.module, call, index).keeps) {
                self.solver.mark_leaking(arg);
            }
        }
        let arg = |index: usize| args.get(index).copied().flatten();
        let name = self.module.function_name(target);
        if name.starts_with("llvm.va_start") {
            self.start_variadic(caller, arg(0));
        }
        if let (true, Some(dest), Some(source)) = (known.copies, arg(0), arg(1)) {
            let words = call.args.get(2).and_then(|&size| self.known_size(size)).map(|size| size.div_ceil(8));
            self.copy_memory(dest, source, words);
        }
        if let (true, Some(pointer), Some(place)) = (known.stores, arg(0), arg(1)) {
            let moved = self.solver.add_node();
            self.solver.add_complex(pointer, Complex::Move(moved, None));
            self.solver.add_complex(place, Complex::Store(moved, 8));
        }
        match known.result {
            ResultOf::Number => {}
            ResultOf::Argument(index) => {
                if let Some(arg) = arg(index) {
                    // `memcpy` and the like return the pointer itself.
                    let distance = if known.copies || name.starts_with("llvm.") { Some(0) } else { None };
                    match distance {
                        Some(_) if name != "mempcpy" && !name.contains("stp") => self.solver.add_copy(arg, result),
                        _ => self.solver.add_complex(arg, Complex::Move(result, None)),
                    }
                }
            }
            ResultOf::Fresh => drop(self.allocate(caller, inst, call)),
            ResultOf::Moved => {
                let object = self.allocate(caller, inst, call);
                if let Some(old) = arg(0) {
                    let to = self.solver.stored_anywhere(object);
                    let anywhere = self.solver.add_helper();
                    self.solver.add_complex(old, Complex::Move(anywhere, None));
                    self.solver.add_complex(anywhere, Complex::Load(to, 8));
                }
            }
            ResultOf::Hidden => {
                self.solver.add_target(result, Target { object: super::WORLD, offset: None });
            }
            ResultOf::Outside => {
                self.solver.mark_outside(result);
                // It may be made of what it was given.
                for arg in args.iter().copied().flatten() {
                    self.solver.add_complex(arg, Complex::Move(result, None));
                }
            }
        }
    }

    fn allocate(&mut self, caller: FuncId, inst: InstId, call: &Call) -> ObjectId {
        let is_plain = call.args.len() == 1;
        let size = call.args.first().filter(|_| is_plain).and_then(|&size| self.known_size(size));
        let object = self.solver.add_object(ObjectKind::Heap(caller, inst), size);
        self.solver.add_target(self.inst(caller, inst), Target { object, offset: Some(0) });
        object
    }

    fn known_size(&self, value: Value) -> Option<u64> {
        match value {
            Value::Const(id) => match self.module.consts[id].kind {
                ConstKind::Int(size) => u64::try_from(size).ok(),
                _ => None,
            },
            _ => None,
        }
    }

    /// Copies memory word by word, or all of it if it is of unknown length or long.
    fn copy_memory(&mut self, dest: Node, source: Node, words: Option<u64>) {
        let count = words.filter(|&words| words <= MAX_COPIED_WORDS);
        for word in 0..count.unwrap_or(1) {
            let distance = count.map(|_| word as i64 * 8);
            let [from, to] = [(); 2].map(|()| self.solver.add_helper());
            let value = self.solver.add_node();
            self.solver.add_complex(source, Complex::Move(from, distance));
            self.solver.add_complex(dest, Complex::Move(to, distance));
            self.solver.add_complex(from, Complex::Load(value, 8));
            self.solver.add_complex(to, Complex::Store(value, 8));
        }
    }

    /// The list that `va_start` fills leads to the variadic arguments.
    fn start_variadic(&mut self, function: FuncId, list: Option<Node>) {
        let (Some(list), Some(&object)) = (list, self.variadic.get(&function)) else { return };
        let [anywhere, area] = [self.solver.add_helper(), self.solver.add_node()];
        self.solver.add_target(area, Target { object, offset: None });
        self.solver.add_complex(list, Complex::Move(anywhere, None));
        self.solver.add_complex(anywhere, Complex::Store(area, 8));
    }
}
