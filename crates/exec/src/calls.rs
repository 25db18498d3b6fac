//! Calls, returns, unwinding and variadic arguments.

use crate::case::FaultKind;
use crate::code::{Call, Target};
use crate::contents::{Contents, Unset};
use crate::cpp_calls;
use crate::inputs::{InputObject, Naming, Origin};
use crate::memory::{Kind, Life};
use crate::models::list::{ALL, Registers, Walk};
use crate::models::{Arguments, Reply};
use crate::run::{OVER_ITSELF, Run, Shares};
use crate::state::{ChoiceKind, Effect, End, Frame, Given, OnReturn, RemarkKind, SharedCall, Stop, VarArg, Written};
use crate::step::Next;
use crate::value::{ObjectId, Pointer, Shape, Value};
use evidence::Limit;
use ir::attrs::{Attr, AttrFlag, MemoryEffects};
use ir::id::FuncId;
use ir::passing::Class;
use smallvec::smallvec;
use smt::expr::Expr;
use smt::pool::Reading;
use std::rc::Rc;
use std::sync::Arc;

/// Size of a `va_list` of the System V convention on x86-64.
const VA_LIST: u64 = 24;

/// Bytes from which on an object that is cleared is not written byte by byte.
const LARGE: u64 = 4096;

impl Run<'_, '_> {
    /// Calls.
    pub(crate) fn call(&mut self, call: &Call, on_return: OnReturn) -> Result<Next, Stop> {
        let mut args = Vec::with_capacity(call.args.len());
        for arg in &call.args {
            args.push(self.operand(arg)?);
        }
        let target = match &call.target {
            Target::Pointer(operand) => {
                let value = self.operand(operand)?;
                match self.pointer_target(&value)? {
                    Ok(target) => target,
                    Err(name) => return self.outside(&name, None, call, args, on_return),
                }
            }
            target => target.clone(),
        };
        match target {
            Target::Code(id) => match self.share(id, call, &args) {
                Some(result) => self.back(on_return, Some(result)),
                None => self.enter_code(id, call, args, on_return),
            },
            Target::Model(id, model) => {
                if !self.worker.windows.is_empty() {
                    self.narrow_windows(&args);
                }
                if self.worker.program.models.sets_errno(id) {
                    self.note_errno(true);
                }
                let arguments = Arguments { function: id, values: &args, shapes: &call.shapes, result: &call.result };
                match (model.run)(self, &arguments)? {
                    Reply::Nothing => self.back(on_return, None),
                    Reply::Value(value) => self.back(on_return, Some(value)),
                    Reply::Jump => Ok(Next::Frame),
                    Reply::Outside => {
                        let name = self.worker.program.module.function_name(id).to_owned();
                        self.outside(&name, Some(id), call, args, on_return)
                    }
                    Reply::Unwind(exception) => self.throw(exception, on_return),
                    Reply::Call { callee, args, shapes } => {
                        let copies = vec![None; args.len()];
                        let target = match self.pointer_target(&callee)? {
                            Ok(Target::Code(id)) => id,
                            _ => return Err(self.unsupported("a library function that calls the outside")),
                        };
                        let call = Call {
                            target: Target::Code(target),
                            args: Vec::new(),
                            shapes,
                            copies,
                            result: call.result.clone(),
                            passing: call.passing.clone(),
                            no_return: false,
                        };
                        self.enter_code(target, &call, args, on_return)
                    }
                }
            }
            Target::Outside(id) => {
                let name = self.worker.program.module.function_name(id).to_owned();
                self.outside(&name, Some(id), call, args, on_return)
            }
            Target::Unsupported(text) => {
                let text = self.worker.program.module.str(text).to_owned();
                // Assembly without instructions only keeps the optimiser away.
                match (text.contains("asm \"\"") || text.contains("asm sideeffect \"\""), &call.result) {
                    (true, Shape::Void) => self.back(on_return, None),
                    (true, _) if text.contains("\"=r,0") => self.back(on_return, args.into_iter().next()),
                    _ => Err(self.unsupported(text)),
                }
            }
            Target::Pointer(_) => Err(self.unsupported("a call through an unknown pointer")),
        }
    }

    /// What a pointer calls; the name of what the input brings if it is not of the program.
    fn pointer_target(&mut self, value: &Value) -> Result<Result<Target, String>, Stop> {
        let pointer = self.pointer(value)?;
        if let Some(id) = self.function_at(pointer) {
            return Ok(Ok(self.worker.program.target(id)));
        }
        if pointer.object == ObjectId::NONE {
            let null = self.null_condition(pointer);
            if self.decide(null)? {
                return Err(self.fault(FaultKind::NullPointer, "a call through a null pointer"));
            }
            return Err(self.unsupported("a call through an unknown pointer"));
        }
        let (kind, present) = {
            let object = self.object(pointer.object);
            (object.kind, object.present)
        };
        match kind {
            Kind::Input(id) => {
                if !present && self.is_null(pointer)? {
                    return Err(self.fault(FaultKind::NullPointer, "a call through a null pointer"));
                }
                let name = self.worker.inputs.object(id).name.clone();
                if self.worker.program.has_moved(&name) {
                    return Err(
                        self.unsupported("a virtual function of classes that have others now, or in another order")
                    );
                }
                Ok(Err(format!("*{name}")))
            }
            _ => Err(self.fault(FaultKind::BadCall, "the pointer leads to no function")),
        }
    }

    /// The result of a function that both versions share, if such are not to be entered.
    fn share(&mut self, id: FuncId, call: &Call, args: &[Value]) -> Option<Value> {
        let shared = self.worker.program.shared.get(&id).copied().filter(|function| match self.worker.shares {
            Shares::Nothing => false,
            Shares::Loops => !self.worker.program.straight.contains(function),
            Shares::All => true,
        });
        let assumed = self.worker.induction.filter(|versions| versions.contains(&id)).map(|[_, new]| new);
        let function = shared.or(assumed)?;
        let numbers = args.iter().map(|arg| match arg {
            Value::Bits(expr) => Some(*expr),
            _ => None,
        });
        let args: Rc<[Expr]> = numbers.collect::<Option<Vec<Expr>>>()?.into();
        let (Shape::Int { bits, .. } | Shape::Float { bits, .. }) = call.result else { return None };
        let name = self.worker.function(&format!("{}#{}", self.worker.program.module.function_name(function), bits));
        let result = self.worker.pool.apply(name, &args, bits);
        if self.worker.program.printing.contains(&function) {
            let what = format!("what {} prints", self.worker.program.module.function_name(function));
            self.state.effects.push(Effect::Opaque { stream: 1, what: what.into(), args: args.clone() });
        }
        // If it does not return, the first call is the last.
        let known = self.state.shared.iter_back().any(|call| call.function == function && call.args == args);
        if !known {
            self.state.shared.push(SharedCall { function, args, effects: self.state.effects.len() });
        }
        Some(Value::Bits(result))
    }

    /// Calls a function that has code.
    fn enter_code(&mut self, id: FuncId, call: &Call, args: Vec<Value>, on_return: OnReturn) -> Result<Next, Stop> {
        let program = self.worker.program;
        if self.state.frames.len() >= program.options.max_depth {
            return Err(self.bound(Limit::CallDepth));
        }
        let code = program.code(id);
        let params = code.params as usize;
        if args.len() < params {
            return Err(self.fault(FaultKind::BadCall, "fewer arguments than parameters"));
        }
        let mut stack = Vec::new();
        let mut registers = Vec::with_capacity(code.registers as usize);
        let mut varargs = Vec::new();
        // Copies are checked before anything changes.
        for (arg, copy) in args.iter().zip(&call.copies) {
            if let Some((size, _)) = copy {
                let pointer = self.pointer(arg)?;
                self.access(pointer, *size, false)?;
            }
        }
        for (index, arg) in args.into_iter().enumerate() {
            let copy = call.copies.get(index).copied().flatten();
            let arg = match copy {
                Some((size, align)) => {
                    let from = self.pointer(&arg)?;
                    let id = self.state.memory.add(Expr::constant(size, 64), align, Kind::Stack, Contents::default());
                    self.copy_bytes(Pointer::to(id), from, size)?;
                    stack.push(id);
                    Value::Ptr(Pointer::to(id))
                }
                None => arg,
            };
            if index < params {
                registers.push(arg);
            } else {
                let shape = call.shapes.get(index).cloned().unwrap_or(Shape::Ptr);
                varargs.push(VarArg { value: arg, shape, copy });
            }
        }
        registers.resize(code.registers as usize, Value::Undef);
        let rounds = smallvec![0; code.loops as usize];
        let windows = self.windows_of(params);
        let frame = Frame { code, at: 0, registers, stack, varargs: varargs.into(), rounds, on_return, windows };
        self.state.frames.push(Rc::new(frame));
        self.state.visit(id, ir::id::Id::from_index(0), None);
        Ok(Next::Frame)
    }

    /// Goes on behind a call that ran at once.
    pub(crate) fn back(&mut self, on_return: OnReturn, value: Option<Value>) -> Result<Next, Stop> {
        match on_return {
            OnReturn::Next(_) | OnReturn::Nothing | OnReturn::End => Ok(value.map_or(Next::Nothing, Next::Value)),
            OnReturn::Edge { dest, normal, .. } => {
                if let (Some(value), Some(frame)) = (value, self.state.top_mut())
                    && let Some(place) = frame.registers.get_mut(dest as usize)
                {
                    *place = value;
                }
                Ok(Next::Edge(normal))
            }
        }
    }

    /// Returns from the running call.
    pub(crate) fn leave(&mut self, value: Option<Value>) -> Result<Next, Stop> {
        let on_return = self.pop_frame();
        match on_return {
            OnReturn::End if crate::models::prelude::begin_exit(self, value.as_ref()) => {}
            OnReturn::End => return Err(Stop::End(End::Returned(value))),
            OnReturn::Nothing => {}
            OnReturn::Next(dest) => {
                if let Some(frame) = self.state.top_mut() {
                    if let (Some(value), Some(place)) = (value, frame.registers.get_mut(dest as usize)) {
                        *place = value;
                    }
                    frame.at += 1;
                }
            }
            OnReturn::Edge { dest, normal, .. } => {
                let Some(frame) = self.state.top_mut() else { return Ok(Next::Frame) };
                if let (Some(value), Some(place)) = (value, frame.registers.get_mut(dest as usize)) {
                    *place = value;
                }
                let code = frame.code.clone();
                self.follow(&code, normal)?;
            }
        }
        Ok(Next::Frame)
    }

    pub(crate) fn pop_frame(&mut self) -> OnReturn {
        let Some(frame) = self.state.frames.pop() else { return OnReturn::End };
        for &object in &frame.stack {
            self.state.memory.forget(object);
        }
        frame.on_return
    }

    /// Calls a function of which nothing is known but its declaration: its result is any value, the same whenever it is
    /// called at the same point of the run with the same arguments; memory that it is given may change.
    fn outside(
        &mut self,
        name: &str,
        id: Option<FuncId>,
        call: &Call,
        args: Vec<Value>,
        on_return: OnReturn,
    ) -> Result<Next, Stop> {
        let program = self.worker.program;
        if id.is_some_and(|id| program.without_code.contains(&id)) {
            return Err(self.unsupported(format!("{name}, whose code only the other version has")));
        }
        let caller = self.state.top().map(|frame| frame.code.function);
        if caller.is_some_and(|caller| program.in_registers.may_travel(caller, &call.shapes, &call.result)) {
            return Err(self.unsupported(format!(
                "{name}, which may be given a record that changed, or return one, in registers"
            )));
        }
        let module = &program.module;
        let attrs = id.map(|id| &module.attrs[module.functions[id].attrs]);
        let memory = attrs.and_then(|attrs| {
            attrs.0.iter().find_map(|attr| match attr {
                Attr::Memory(effects) => Some(*effects),
                Attr::Flag(AttrFlag::ReadNone) => Some(MemoryEffects::None),
                Attr::Flag(AttrFlag::ReadOnly) => Some(MemoryEffects::Read),
                _ => None,
            })
        });
        let pure = memory == Some(MemoryEffects::None);
        let writes = !matches!(memory, Some(MemoryEffects::None | MemoryEffects::Read | MemoryEffects::ReadArguments));
        let number = self.state.outside_calls();
        let mut known = Vec::new();
        if !pure {
            known.push(Expr::constant(number, 64));
        }
        for (arg, shape) in args.iter().zip(&call.shapes) {
            match arg {
                Value::Bits(expr) => known.push(*expr),
                Value::Undef | Value::Many(_) => {}
                Value::Skipped(skip) => known.push(self.skipped(*skip, shape.bits().unwrap_or(64))),
                Value::Ptr(pointer) => {
                    known.push(self.identity(pointer.object));
                    known.push(pointer.offset);
                }
            }
        }
        if call.no_return {
            let given = self.state.given();
            self.push_outside(name, &call.passing, &args, given, None, &[]);
            return Err(self.fault(FaultKind::Abort, name));
        }
        let result = match &call.result {
            Shape::Void => None,
            shape => Some(self.outside_result(name, (number, !pure), &known, shape)?),
        };
        let given = self.state.given();
        self.note_unfollowed(id, &args, memory);
        let (mut written, mut changed) = (Vec::new(), Vec::new());
        let is_cpp = caller.is_some_and(|caller| cpp_calls::is_of_cpp(module, caller));
        let constant = id.filter(|_| is_cpp).map(|id| cpp_calls::constant_parameters(module, id)).unwrap_or_default();
        if writes {
            for (index, arg) in args.iter().enumerate() {
                if constant.get(index) == Some(&true) {
                    continue;
                }
                let read_only = id.is_some_and(|id| {
                    let function = &module.functions[id];
                    function.params.get(index).is_some_and(|param| {
                        let attrs = &module.attrs[param.attrs];
                        attrs.has(AttrFlag::ReadOnly) || attrs.has(AttrFlag::ReadNone)
                    })
                });
                if let Value::Ptr(pointer) = arg
                    && !read_only
                {
                    // What it would leave there has to fit together, and nobody knows how.
                    let is_container = id.is_some_and(|id| cpp_calls::returns_container(module, id, index));
                    if is_cpp && (is_container || self.has_pointers(pointer.object)) {
                        let name = ir::demangle::demangle(name);
                        return Err(self.unsupported(format!("{name}, which may change an object with pointers")));
                    }
                    let wrote = self.make_unknown(name, number, index as u32, *pointer);
                    changed.extend(wrote.is_some().then_some(pointer.object));
                    written.extend(wrote);
                }
            }
        }
        if self.uses_elsewhere(id, memory) {
            self.change_elsewhere(name, number, &changed);
        }
        self.push_outside(name, &call.passing, &args, given, result.clone(), &written);
        self.remark(RemarkKind::Outside(name.to_owned()));
        self.back(on_return, result)
    }

    /// Whether memory holds a container of the input, or pointers if it is the program's own.
    fn has_pointers(&mut self, object: ObjectId) -> bool {
        if object == ObjectId::NONE {
            return false;
        }
        let object = self.object(object);
        match object.kind {
            Kind::Input(id) => {
                let ty = self.worker.inputs.object(id).ty;
                ty.is_some_and(|ty| crate::containers::holds(&self.worker.program.module, ty))
            }
            Kind::Stack | Kind::Heap => object.contents.cells().any(|(_, cell)| matches!(cell.value, Value::Ptr(_))),
            _ => false,
        }
    }

    /// A number for an object that is the same in both versions of a program; all that a run makes itself have one.
    pub(crate) fn identity(&mut self, object: ObjectId) -> Expr {
        let program = self.worker.program;
        let number = match (program.object_symbol(object), self.object(object).kind) {
            (Some(symbol), _) => u64::from(program.symbol_object(program.canonical(symbol)).0),
            (None, Kind::Input(id)) => 1 << 32 | u64::from(self.worker.inputs.canonical(id).0),
            (None, _) => 1 << 33,
        };
        Expr::constant(if object == ObjectId::NONE { 0 } else { number }, 64)
    }

    fn push_outside(
        &mut self,
        name: &str,
        passing: &Arc<[Class]>,
        args: &[Value],
        given: Given,
        result: Option<Value>,
        written: &[Written],
    ) {
        let (function, args, written) = (name.into(), args.into(), written.into());
        let effect = Effect::Call { function, passing: passing.clone(), args, given, result, written, at: self.at };
        self.state.effects.push(effect);
    }

    /// What an unknown function returns. With the number of the call comes whether it is the first one of `args`.
    fn outside_result(
        &mut self,
        name: &str,
        (number, numbered): (u64, bool),
        args: &[Expr],
        shape: &Shape,
    ) -> Result<Value, Stop> {
        match shape {
            Shape::Int { bits, .. } | Shape::Float { bits, .. } => {
                // The mark says that the first operand is the number of the call.
                let mark = if numbered { smt::show::NUMBERED } else { "" };
                let float = if matches!(shape, Shape::Float { .. }) { "f" } else { "" };
                let function = self.worker.function(&format!("{name}/{float}{bits}{mark}"));
                Ok(Value::Bits(self.worker.pool.apply(function, args, *bits)))
            }
            Shape::Ptr => {
                let label = format!("{name}()#{number}");
                let origin = Origin::Outside(self.worker.outside_number(&label));
                let id = match self.worker.inputs.find(origin) {
                    Some(id) => id,
                    None => {
                        let address = self.worker.pool.symbol_as(label.clone(), 64, Reading::Address);
                        let count = self.worker.bounds.elements;
                        self.worker.inputs.add(InputObject {
                            name: label,
                            naming: Naming::Several,
                            ty: None,
                            element: 1,
                            count,
                            size: Expr::constant(count, 64),
                            address: Some(address),
                            origin,
                            depth: 1,
                            terminator: None,
                            exact: false,
                            align: 16,
                            memory: true,
                            held: false,
                        })
                    }
                };
                Ok(Value::Ptr(Pointer::to(self.input_object(id))))
            }
            Shape::Many { elements, .. } => {
                let mut values = Vec::with_capacity(elements.len());
                for (index, (_, element)) in elements.iter().enumerate() {
                    values.push(self.outside_result(&format!("{name}.{index}"), (number, numbered), args, element)?);
                }
                Ok(Value::Many(values.into()))
            }
            Shape::Void | Shape::Opaque => Ok(Value::Undef),
        }
    }

    /// An unknown function was given this memory: nothing is known of it any more.
    fn make_unknown(&mut self, name: &str, number: u64, arg: u32, pointer: Pointer) -> Option<Written> {
        if pointer.object == ObjectId::NONE {
            return None;
        }
        let object = self.object(pointer.object);
        let (kind, life, size) = (object.kind, object.life, object.size);
        let writable = matches!(kind, Kind::Stack | Kind::Heap | Kind::Input(_) | Kind::Global { constant: false });
        if !writable || life != Life::Alive {
            return None;
        }
        // Of what type it is, only inputs tell.
        let (ty, element, naming) = match kind {
            Kind::Input(id) => {
                // What it wrote is the same in both versions.
                let input = self.worker.inputs.object(self.worker.inputs.canonical(id));
                (input.ty, input.element, input.naming)
            }
            _ => (None, 1, Naming::Several),
        };
        let size = match kind {
            Kind::Input(id) => self.worker.inputs.object(self.worker.inputs.canonical(id)).size,
            _ => size,
        };
        let label = format!("{name}()#{number} wrote to argument {arg}");
        // The same call may be given memory of another type on another path.
        let key = format!("{label}, {ty:?}");
        let origin = Origin::Outside(self.worker.outside_number(&key));
        let count = size.as_const().map_or(self.worker.bounds.elements, |size| size / element.max(1));
        let source = self.worker.inputs.add(InputObject {
            name: label,
            naming,
            ty,
            element,
            count,
            size,
            address: None,
            origin,
            depth: 1,
            terminator: None,
            exact: true,
            align: 16,
            memory: false,
            held: false,
        });
        let source = self.worker.of_side(source, self.state.old);
        let size = self.worker.inputs.object(source).size;
        if let Some(contents) = self.contents_mut(pointer.object) {
            *contents = Contents::new(Unset::Input);
            contents.source = Some(source);
        }
        if let Some(object) = self.state.memory.get_mut(pointer.object) {
            object.written = true;
        }
        let distance = self.worker.pool.neg(pointer.offset);
        Some(Written { argument: arg, source, size, distance })
    }

    /// Begins reading variadic arguments, which lie where the convention puts them: those that came in registers in a save
    /// area, behind those of the parameters; the others in memory, one behind the other.
    pub fn start_arguments(&mut self, list: Pointer) -> Result<(), Stop> {
        self.access(list, VA_LIST, true)?;
        let (varargs, function) = match self.state.top() {
            Some(frame) => (frame.varargs.clone(), frame.code.function),
            None => return Ok(()),
        };
        let named = self.registers_of_parameters(function);
        let (mut used, mut size) = (named, 0u64);
        let mut places = Vec::with_capacity(varargs.len());
        for arg in varargs.iter() {
            let register = if arg.copy.is_some() { None } else { used.take(&arg.shape) };
            if let Some(place) = register {
                places.push((true, place));
                continue;
            }
            let (bytes, align) = arg.copy.unwrap_or_else(|| {
                let bytes = arg.shape.size();
                (bytes, if bytes > 8 { 16 } else { 8 })
            });
            size = size.next_multiple_of(align.clamp(8, 16));
            places.push((false, size));
            size += bytes.next_multiple_of(8);
        }
        let [saved, stacked] = [ALL, size]
            .map(|size| self.state.memory.add(Expr::constant(size, 64), 16, Kind::Stack, Contents::default()));
        if let Some(frame) = self.state.top_mut() {
            frame.stack.extend([saved, stacked]);
        }
        for (arg, (in_register, place)) in varargs.iter().zip(places) {
            let area = if in_register { saved } else { stacked };
            let to = Pointer { object: area, offset: Expr::constant(place, 64) };
            match arg.copy {
                Some((size, _)) => {
                    let from = self.pointer(&arg.value)?;
                    self.copy_bytes(to, from, size)?;
                }
                None => self.store(to, &arg.value, &arg.shape)?,
            }
        }
        named.walk(Pointer::to(stacked), Pointer::to(saved)).store(self, list)
    }

    fn registers_of_parameters(&self, function: FuncId) -> Registers {
        let program = self.worker.program;
        let module = &program.module;
        let mut registers = Registers::default();
        for param in &module.functions[function].params {
            let in_memory = module.attrs[param.attrs].0.iter().any(|attr| matches!(attr, Attr::ByVal(_)));
            if !in_memory {
                registers.take(&program.shape(param.ty));
            }
        }
        registers
    }

    /// The next variadic argument.
    pub fn next_argument(&mut self, list: Pointer, shape: &Shape) -> Result<Value, Stop> {
        let mut walk = Walk::new(self, list)?;
        let value = walk.next(self, shape)?;
        walk.store(self, list)?;
        Ok(value)
    }

    /// Copies bytes that must not overlap, unless they are in their place already. What becomes of others is for the library to
    /// say: the run goes on as if they were copied at once, with a remark.
    pub fn copy_apart(&mut self, to: Pointer, from: Pointer, size: u64) -> Result<(), Stop> {
        if to.object == from.object && to.object != ObjectId::NONE && size > 1 {
            let pool = &mut self.worker.pool;
            let (ahead, behind) = (pool.sub(to.offset, from.offset), pool.sub(from.offset, to.offset));
            let (least, size) = (Expr::constant(1, 64), Expr::constant(size, 64));
            let is_near = |pool: &mut smt::pool::Pool, distance: Expr| {
                let (apart, near) = (pool.ule(least, distance), pool.ult(distance, size));
                pool.and(apart, near)
            };
            let (after, before) = (is_near(pool, ahead), is_near(pool, behind));
            let overlap = pool.or(after, before);
            let apart = pool.not(overlap);
            if !self.decide_as(apart, ChoiceKind::Value)? {
                self.remark(RemarkKind::Approximate(OVER_ITSELF.to_owned()));
            }
        }
        self.copy_bytes(to, from, size)
    }

    /// Copies bytes, which may overlap, keeping values whole.
    pub fn copy_bytes(&mut self, to: Pointer, from: Pointer, size: u64) -> Result<(), Stop> {
        if size == 0 {
            return Ok(());
        }
        let (source, from) = self.access(from, size, false)?;
        let (target, to) = self.access(to, size, true)?;
        let (Some(start), Some(place)) = (from.as_const(), to.as_const()) else {
            return self.copy_slowly(target, to, source, from, size);
        };
        let arrays = self.object(source).contents.array.is_some() || self.object(target).contents.array.is_some();
        if arrays {
            return self.copy_slowly(target, to, source, from, size);
        }
        self.make_room(target, place, size)?;
        if let Some(bytes) = self.object(source).contents.known(start, size) {
            let bytes = bytes.into_owned();
            return self.write_known(target, place, &bytes);
        }
        self.copy_parts(target, place, source, start, size)
    }

    /// Counts the work of one instruction on so many bytes, or words of a wide integer, as that of several: one for each 64. To be
    /// called when nothing is left to ask, so that it counts once.
    pub(crate) fn charge(&mut self, work: u64) {
        self.state.steps = self.state.steps.saturating_add(work / 64);
    }

    /// Writes known bytes that are known to lie inside the object.
    pub(crate) fn write_known(&mut self, object: ObjectId, at: u64, bytes: &[u8]) -> Result<(), Stop> {
        if let Some(recorder) = &mut self.state.recorder {
            recorder.writes(object, Expr::constant(at, 64), bytes.len() as u64);
        }
        if self.object(object).contents.array.is_some() {
            for (i, &byte) in bytes.iter().enumerate() {
                self.write(object, Expr::constant(at + i as u64, 64), 1, Value::int(byte.into(), 8))?;
            }
            return Ok(());
        }
        self.split_cells(object, at, bytes.len() as u64)?;
        if let Some(object) = self.state.memory.get_mut(object) {
            object.written = true;
        }
        if let Some(contents) = self.contents_mut(object) {
            contents.write_bytes(at, bytes);
        }
        self.charge(bytes.len() as u64);
        Ok(())
    }

    /// Copies what lies in a range piece by piece: cells whole, known bytes in runs, unset bytes as what they are.
    fn copy_parts(
        &mut self,
        target: ObjectId,
        place: u64,
        source: ObjectId,
        start: u64,
        size: u64,
    ) -> Result<(), Stop> {
        use crate::contents::Part;
        let mut pieces: Vec<(u64, u32, Value)> = Vec::new();
        let mut position = start;
        while position < start + size {
            let left = start + size - position;
            let contents = &self.object(source).contents;
            let unset = contents.unset;
            let cell = contents.cell_at(position).map(|(at, cell)| (at, cell.size, cell.value.clone()));
            let (value, length) = match cell {
                Some((at, length, value)) if at == position && u64::from(length) <= left => (value, u64::from(length)),
                Some((at, length, Value::Skipped(skip))) => {
                    (Value::Skipped(skip), left.min(at + u64::from(length) - position))
                }
                Some(_) => (self.read(source, Expr::constant(position, 64), 1, false)?, 1),
                None => match contents.known_length(position, left.min(8)) {
                    0 if unset == Unset::Undefined => (Value::Undef, 1),
                    0 if unset == Unset::Zero => (Value::int(0, 8), 1),
                    0 => {
                        let leaf = match self.input_of(source) {
                            Some(id) => u64::from(self.leaf(id, position, false)?.size),
                            None => 1,
                        };
                        let length =
                            if leaf <= left && contents_unset(self, source, position, leaf) { leaf } else { 1 };
                        (self.read(source, Expr::constant(position, 64), length, false)?, length)
                    }
                    length => match contents.part(position, length) {
                        Part::Bytes(word) => (Value::int(word, length as u32 * 8), length),
                        _ => (Value::Undef, 1),
                    },
                },
            };
            pieces.push((place + (position - start), length as u32, value));
            position += length;
        }
        for (at, length, value) in pieces {
            self.write(target, Expr::constant(at, 64), length, value)?;
        }
        self.charge(size);
        Ok(())
    }

    /// Writes the same byte many times.
    pub fn fill_bytes(&mut self, to: Pointer, byte: Expr, size: u64) -> Result<(), Stop> {
        if size == 0 {
            return Ok(());
        }
        let (object, offset) = self.access(to, size, true)?;
        if let (Some(byte), Some(at)) = (byte.as_const(), offset.as_const()) {
            if byte == 0 && at == 0 && size >= LARGE && self.is_own(object, size) {
                self.clear_object(object, size);
                return Ok(());
            }
            // Before there are bytes to write there has to be room for them.
            self.make_room(object, at, size)?;
            let bytes = vec![byte as u8; usize::try_from(size).unwrap_or(0)];
            return self.write_known(object, at, &bytes);
        }
        if size > self.worker.program.options.max_bytes {
            return Err(self.bound("bytes written at once"));
        }
        for i in 0..size {
            let at = self.worker.pool.add(offset, Expr::constant(i, 64));
            self.write(object, at, 1, Value::Bits(byte))?;
        }
        Ok(())
    }

    /// Makes all of an object zero: the same as an object of zeros that nobody has written yet.
    fn clear_object(&mut self, object: ObjectId, size: u64) {
        if let Some(recorder) = &mut self.state.recorder {
            recorder.writes(object, Expr::constant(0, 64), size);
        }
        if let Some(object) = self.state.memory.get_mut(object) {
            object.written = true;
            object.contents = Rc::new(Contents::new(Unset::Zero));
        }
    }

    /// Whether the program made an object itself, of exactly that size.
    fn is_own(&mut self, object: ObjectId, size: u64) -> bool {
        let object = self.object(object);
        matches!(object.kind, Kind::Stack | Kind::Heap) && object.size.as_const() == Some(size)
    }

    fn copy_slowly(&mut self, target: ObjectId, to: Expr, source: ObjectId, from: Expr, size: u64) -> Result<(), Stop> {
        if size > self.worker.program.options.max_bytes {
            return Err(self.bound("bytes copied at once"));
        }
        let mut values = Vec::new();
        let mut at = 0;
        while at < size {
            let length = if size - at >= 8 { 8 } else { 1 };
            let offset = self.worker.pool.add(from, Expr::constant(at, 64));
            values.push((at, length, self.read(source, offset, length, false)?));
            at += length;
        }
        for (at, length, value) in values {
            let offset = self.worker.pool.add(to, Expr::constant(at, 64));
            self.write(target, offset, length as u32, value)?;
        }
        Ok(())
    }
}

fn contents_unset(run: &mut Run, object: ObjectId, at: u64, size: u64) -> bool {
    run.object(object).contents.part(at, size) == crate::contents::Part::Unset
}
