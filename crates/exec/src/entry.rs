//! Where a run begins: a function with arguments of the input, or `main` with what a shell gives it.

use crate::aliasing::{Root, Route};
use crate::case::Input;
use crate::casts;
use crate::contents::{Contents, Unset};
use crate::inputs::{InputId, InputObject, Naming, Origin, RESULT};
use crate::list::List;
use crate::memory::{Kind, Memory};
use crate::program::Program;
use crate::run::{Run, Worker};
use crate::state::{ChoiceKind, Frame, OnReturn, State, Stop};
use crate::value::{Pointer, Shape, Value};
use ir::attrs::Attr;
use ir::debug::{DebugTypeKind, ExprOp, Language};
use ir::id::{DebugTypeId, FuncId, InstId, SymbolId, VarId};
use ir::inst::{InstKind, Marker, MarkerKind, Value as Operand};
use ir::module::Module;
use ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};
use smt::expr::Expr;
use smt::pool::Reading;
use std::rc::Rc;
use std::sync::Arc;

/// Where a run begins.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The function.
    pub function: FuncId,
    /// What a shell gives to `main`; `None` for arguments of the input.
    pub shell: Option<Arc<Shell>>,
}

/// What a shell gives to a program.
#[derive(Clone, Debug, Default)]
pub struct Shell {
    /// Arguments, the program's name first.
    pub argv: Vec<Bytes>,
    /// What can be read from standard input.
    pub stdin: Bytes,
    /// Files by name.
    pub files: Vec<(String, Bytes)>,
    /// Whether it may also be fewer arguments than these, and less unknown standard input.
    pub or_less: bool,
}

impl Shell {
    /// What the shell gives in a test.
    pub fn of_input(input: &Input) -> Shell {
        Shell {
            argv: input.argv.iter().cloned().map(Bytes::Known).collect(),
            stdin: Bytes::Known(input.stdin.clone()),
            files: input.files.iter().map(|(name, bytes)| (name.clone(), Bytes::Known(bytes.clone()))).collect(),
            or_less: false,
        }
    }
}

/// Bytes of the outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bytes {
    /// Known ones.
    Known(Vec<u8>),
    /// So many unknown ones.
    Unknown(u64),
}

impl Default for Bytes {
    fn default() -> Self {
        Bytes::Known(Vec::new())
    }
}

impl State {
    /// A state before its first instruction.
    pub fn new(program: &Program, entry: Entry) -> State {
        State {
            old: crate::names::is_old(program.module.function_name(entry.function)),
            frames: Vec::new(),
            memory: Memory::new(program.symbol_count(), program.end_of_statics),
            effects: List::default(),
            shared: List::default(),
            library: Rc::new(crate::models::Library::new(entry.shell.clone())),
            answers: SmallVec::new(),
            question: None,
            fresh: SmallVec::new(),
            fresh_used: 0,
            steps: 0,
            remarks: Rc::default(),
            unwinding: None,
            exceptions: Rc::default(),
            turns: List::default(),
            leaves: List::default(),
            record_turns: true,
            visits: List::default(),
            selected: List::default(),
            record_visits: false,
            watched: None,
            sightings: List::default(),
            until: None,
            heads: None,
            recorder: None,
            entry: Some(entry),
            args: Rc::new([]),
            inputs: Rc::default(),
            told_apart: false,
            asked_for_memory: false,
            asked_in: List::default(),
            allocated: false,
            debug_check: false,
            asked_for_alignment: false,
            last_call: None,
            unfollowed: false,
        }
    }
}

impl Worker<'_> {
    /// Makes a global variable an input.
    pub(crate) fn global_input(&mut self, symbol: SymbolId) {
        let canonical = self.program.canonical(symbol);
        let relaid = self.program.relaid_variables.contains_key(&canonical);
        if let Some(object) = crate::changes::global_object(self.program, if relaid { canonical } else { symbol }) {
            let id = self.inputs.add(object);
            self.of_side(id, relaid);
        }
    }
}

impl Run<'_, '_> {
    /// Makes the entry's arguments and its frame.
    pub(crate) fn enter(&mut self, entry: &Entry) -> Result<(), Stop> {
        let program = self.worker.program;
        let function = &program.module.functions[entry.function];
        if !function.is_defined() {
            return Err(self.unsupported("a function whose code is not part of this version"));
        }
        if function.params.iter().any(|param| program.shape(param.ty).is_too_wide()) {
            return Err(self.too_wide());
        }
        if !self.worker.entries.contains(&entry.function) {
            self.worker.entries.push(entry.function);
        }
        let args = match &entry.shell {
            Some(shell) => self.shell_arguments(entry.function, shell)?,
            None => self.input_arguments(entry.function)?,
        };
        let code = program.code(entry.function);
        self.state.args = args.clone().into();
        let mut registers = args;
        registers.resize(code.registers as usize, Value::Undef);
        let rounds = smallvec![0; code.loops as usize];
        let frame = Frame {
            code,
            at: 0,
            registers,
            stack: Vec::new(),
            varargs: Rc::new([]),
            rounds,
            on_return: OnReturn::End,
            windows: Vec::new(),
        };
        self.state.frames.push(Rc::new(frame));
        self.state.visit(entry.function, ir::id::Id::from_index(0), None);
        if entry.shell.is_some() {
            for constructor in program.module.constructors().into_iter().rev() {
                let code = program.code(constructor);
                let registers = vec![Value::Undef; code.registers as usize];
                let rounds = smallvec![0; code.loops as usize];
                let on_return = OnReturn::Nothing;
                let frame = Frame {
                    code,
                    at: 0,
                    registers,
                    stack: Vec::new(),
                    varargs: Rc::new([]),
                    rounds,
                    on_return,
                    windows: Vec::new(),
                };
                self.state.frames.push(Rc::new(frame));
                self.state.visit(constructor, ir::id::Id::from_index(0), None);
            }
        }
        Ok(())
    }

    fn input_arguments(&mut self, id: FuncId) -> Result<Vec<Value>, Stop> {
        let program = self.worker.program;
        let function = &program.module.functions[id];
        let sources = sources(program, id);
        for (index, cast) in (0u32..).zip(casts::of_parameters(program, id)) {
            if !cast.is_empty() {
                self.worker.parameter_casts.entry(index).or_insert(cast);
            }
        }
        let mut args = vec![Value::Undef; function.params.len()];
        // What leads into something else comes behind that.
        let aliased = self.worker.bounds.aliased.clone();
        let is_parameter = |route: &Route, index: usize| {
            route.root == Root::Parameter(index as u32) && route.steps == [sources[index].offset]
        };
        let leads_back = |index: &usize| aliased.iter().any(|alias| is_parameter(&alias.pointer, *index));
        let (last, first): (Vec<usize>, Vec<usize>) = (0..args.len()).partition(leads_back);
        for index in first.into_iter().chain(last) {
            let param = &function.params[index];
            let attrs = &program.module.attrs[param.attrs];
            let shape = program.shape(param.ty);
            let memory = attrs.0.iter().find_map(|attr| match attr {
                Attr::Sret(ty) => Some((*ty, true)),
                Attr::ByVal(ty) | Attr::ByRef(ty) => Some((*ty, false)),
                _ => None,
            });
            let source = &sources[index];
            if source.indirect && memory.is_none() && matches!(shape, Shape::Ptr) {
                // Memory that the caller made for the call alone: what becomes of it, only a destructor sees.
                let input = self.worker.inputs.add(InputObject { memory: true, ..source.object(index) });
                if !source.ty.is_some_and(|ty| has_destructor(&program.module, ty)) {
                    self.worker.copies.insert(input);
                }
                let object = self.input_object(input);
                if let Some(object) = self.state.memory.get_mut(object) {
                    object.present = true;
                }
                args[index] = Value::Ptr(Pointer::to(object));
                continue;
            }
            let value = match memory {
                Some((ty, result)) => {
                    let layout = program.module.type_layouts.get(ty);
                    let (size, align) = layout.map_or((0, 16), |layout| (layout.size, layout.align));
                    let made = source.object(index);
                    let input = self.worker.inputs.add(InputObject {
                        name: if result { RESULT.to_owned() } else { made.name },
                        size: Expr::constant(size, 64),
                        element: size.max(1),
                        naming: Naming::Variable,
                        align,
                        exact: true,
                        memory: true,
                        held: false,
                        ty: if result { crate::same::result_type(&program.module, id) } else { source.ty },
                        ..made
                    });
                    if attrs.0.iter().any(|attr| matches!(attr, Attr::ByVal(_))) {
                        self.worker.copies.insert(input);
                    }
                    let object = self.input_object(input);
                    if result && let Some(contents) = self.contents_mut(object) {
                        *contents = Contents::new(Unset::Undefined);
                    }
                    Value::Ptr(Pointer::to(object))
                }
                None => self.parameter(index, source, &shape)?,
            };
            args[index] = value;
        }
        Ok(args)
    }

    /// The value of a parameter: read from an object that stands for its variable.
    fn parameter(&mut self, index: usize, source: &Source, shape: &Shape) -> Result<Value, Stop> {
        let size = source.offset + shape.size();
        let total = source.size.max(size).max(1);
        let id = self.worker.inputs.add(InputObject {
            size: Expr::constant(total, 64),
            element: total,
            ..source.object(index)
        });
        self.refine_pointer(id, index, source, shape)?;
        let object = self.input_object(id);
        let place = Pointer { object, offset: Expr::constant(source.offset, 64) };
        if let Some(object) = self.state.memory.get_mut(object) {
            object.present = true;
        }
        if source.ty.is_none()
            && let Some(width) = shape.bits()
            && !matches!(shape, Shape::Ptr)
        {
            let module = &self.worker.program.module;
            let attrs = &module.attrs[module.functions[source.function].params[index].attrs];
            let reading = match shape {
                Shape::Float { format: Some(format), .. } => Reading::Float(*format),
                _ if attrs.has(ir::attrs::AttrFlag::ZeroExt) => Reading::Unsigned,
                _ => Reading::Signed,
            };
            let symbol = self.plain_parameter(id, &source.name, width, reading);
            return Ok(Value::Bits(self.worker.concrete_value(symbol)));
        }
        self.load(place, shape)
    }

    /// A scalar of the input of which no source type is known.
    pub(crate) fn plain_parameter(&mut self, id: InputId, name: &str, width: u32, reading: Reading) -> Expr {
        if let Some(&symbol) = self.worker.plain_parameters.get(&id) {
            return symbol;
        }
        let symbol = self.worker.pool.symbol_as(name, width, reading);
        self.worker.plain_parameters.insert(id, symbol);
        symbol
    }

    /// What attributes say of a pointer parameter: how much lies behind it, whether it may be null.
    fn refine_pointer(&mut self, id: InputId, index: usize, source: &Source, shape: &Shape) -> Result<(), Stop> {
        let program = self.worker.program;
        if !matches!(shape, Shape::Ptr) || self.worker.inputs.leaf_at(id, source.offset).is_some() {
            return Ok(());
        }
        let leaf = self.leaf(id, source.offset, true)?;
        let crate::inputs::LeafValue::Pointer(to) = leaf.value else { return Ok(()) };
        let function = &program.module.functions[source.function];
        let attrs = &program.module.attrs[function.params[index].attrs];
        let object = &mut self.worker.inputs.objects[to.0 as usize];
        for attr in attrs.0.iter() {
            match attr {
                Attr::Dereferenceable(bytes) => {
                    object.address = None;
                    let known = object.size.as_const().is_some_and(|size| size >= *bytes);
                    if !known && object.size.as_const().is_some() {
                        object.size = Expr::constant(*bytes, 64);
                    }
                }
                Attr::Flag(ir::attrs::AttrFlag::NonNull) => object.address = None,
                Attr::Align(bytes) => object.align = (*bytes).max(16),
                _ => {}
            }
        }
        Ok(())
    }

    fn shell_arguments(&mut self, id: FuncId, shell: &Shell) -> Result<Vec<Value>, Stop> {
        let program = self.worker.program;
        let function = &program.module.functions[id];
        let count = if shell.or_less { self.argument_count(shell.argv.len() as u64)? } else { shell.argv.len() as u64 };
        let mut argv = Vec::with_capacity(shell.argv.len());
        for (index, arg) in shell.argv.iter().take(count as usize).enumerate() {
            argv.push(self.outside_bytes(&format!("argv[{index}]"), arg, true));
        }
        let list = Contents::new(Unset::Zero);
        let size = Expr::constant((argv.len() as u64 + 1) * 8, 64);
        let list = self.state.memory.add(size, 16, Kind::Stack, list);
        for (index, pointer) in argv.iter().enumerate() {
            let at = Pointer { object: list, offset: Expr::constant(index as u64 * 8, 64) };
            self.store(at, &Value::Ptr(*pointer), &Shape::Ptr)?;
        }
        let environment = self.state.memory.add(Expr::constant(8, 64), 16, Kind::Stack, Contents::new(Unset::Zero));
        let given = [Value::int(count, 32), Value::Ptr(Pointer::to(list)), Value::Ptr(Pointer::to(environment))];
        Ok(function.params.iter().zip(given).map(|(_, value)| value).collect())
    }

    /// Asks how many arguments there are: the program's name, and up to so many in all.
    fn argument_count(&mut self, most: u64) -> Result<u64, Stop> {
        let argc = Source { name: "argc".to_owned(), ..Source::unknown() };
        let id = self.worker.inputs.add(InputObject { size: Expr::constant(4, 64), element: 4, ..argc.object(0) });
        let symbol = self.plain_parameter(id, "argc", 32, Reading::Signed);
        let pool = &mut self.worker.pool;
        let some = pool.ule(Expr::constant(1, 32), symbol);
        let few = pool.ule(symbol, Expr::constant(most, 32));
        let valid = pool.and(some, few);
        self.assume(valid)?;
        let conditions: Vec<Expr> =
            (1..=most).map(|count| self.worker.pool.eq(symbol, Expr::constant(count, 32))).collect();
        Ok(self.choose(&conditions, ChoiceKind::Value)? as u64 + 1)
    }

    /// Bytes of the outside as an object; unknown ones are characters of the input.
    pub fn outside_bytes(&mut self, name: &str, bytes: &Bytes, terminated: bool) -> Pointer {
        let extra = u64::from(terminated);
        match bytes {
            Bytes::Known(known) => {
                let size = Expr::constant(known.len() as u64 + extra, 64);
                let contents = Contents::from_bytes(known, Unset::Zero);
                Pointer::to(self.state.memory.add(size, 16, Kind::Stack, contents))
            }
            Bytes::Unknown(length) => {
                let origin = Origin::Outside(self.worker.outside_number(name));
                let id = self.worker.inputs.add(InputObject {
                    name: name.to_owned(),
                    naming: Naming::Several,
                    ty: None,
                    element: 1,
                    count: length + extra,
                    size: Expr::constant(length + extra, 64),
                    address: None,
                    origin,
                    depth: 1,
                    terminator: terminated.then_some(*length),
                    exact: true,
                    align: 16,
                    memory: true,
                    held: false,
                });
                Pointer::to(self.input_object(id))
            }
        }
    }
}

/// Which part of which source variable a parameter is.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    function: FuncId,
    pub(crate) name: String,
    /// The first parameter that is a part of the same variable.
    first: Option<u32>,
    pub(crate) ty: Option<DebugTypeId>,
    /// Size of the variable in bytes.
    pub(crate) size: u64,
    /// Where in the variable the parameter begins.
    pub(crate) offset: u64,
    /// Whether the parameter is the address of the variable.
    pub(crate) indirect: bool,
}

impl Source {
    /// A parameter of which nothing is known.
    fn unknown() -> Source {
        Source {
            function: ir::id::Id::from_index(0),
            name: String::new(),
            first: None,
            ty: None,
            size: 0,
            offset: 0,
            indirect: false,
        }
    }

    /// The input object that stands for the variable. Parameters that are parts of one variable share it.
    fn object(&self, index: usize) -> InputObject {
        let number = self.first.unwrap_or(index as u32);
        InputObject {
            name: self.name.clone(),
            naming: Naming::Variable,
            ty: self.ty,
            element: self.size.max(1),
            count: 1,
            size: Expr::constant(self.size, 64),
            address: None,
            origin: Origin::Parameter(number),
            depth: 0,
            terminator: None,
            exact: true,
            align: 16,
            memory: false,
            held: false,
        }
    }
}

/// For each parameter the number of the input object that stands for its variable, and where in it the parameter begins.
pub fn parameter_places(program: &Program, id: FuncId) -> Vec<(u32, u64)> {
    let places = (0u32..).zip(sources(program, id));
    places.map(|(index, source)| (source.first.unwrap_or(index), source.offset)).collect()
}

/// Finds for each parameter the variable that it is, or is a part of: assignment markers say so, or a store to where the
/// variable lives.
pub(crate) fn sources(program: &Program, id: FuncId) -> Vec<Source> {
    let module = &program.module;
    let function = &module.functions[id];
    let mut found: Vec<Option<(VarId, u64)>> = vec![None; function.params.len()];
    let mut places: FxHashMap<InstId, (VarId, u64)> = FxHashMap::default();
    // Parameters that are the address of what the source calls the parameter: classes of C++ that are copied by a function of
    // their own, large records of Rust.
    let mut indirect = vec![false; function.params.len()];
    let mut addresses: FxHashSet<InstId> = FxHashSet::default();
    let leads_there = |marker: &Marker| marker.expr.is_some_and(|id| module.debug.exprs[id].contains(&ExprOp::Deref));
    // What a parameter leads to may have parts with names of their own, as what a closure of Rust has captured does, or what
    // a pattern takes apart: none of them says what the parameter is.
    let is_part = |marker: &Marker| module.debug.variables[marker.variable].arg == 0;
    // What a parameter is called that was passed as something wider: `float` of old declarations is passed as `double`.
    let mut converted: FxHashMap<InstId, u32> = FxHashMap::default();
    let mut names: Vec<Option<VarId>> = vec![None; function.params.len()];
    for (_, inst_id, inst) in function.body() {
        if let InstKind::Cast { value: Operand::Arg(index), .. } = inst.kind {
            converted.insert(inst_id, index);
        }
    }
    // Where a parameter is put before it is copied to its variable.
    let mut spilled: FxHashMap<InstId, u32> = FxHashMap::default();
    for (_, _, inst) in function.body() {
        let InstKind::Marker(marker) = &inst.kind else { continue };
        let fragment = marker.expr.and_then(|id| {
            module.debug.exprs[id].iter().find_map(|op| match op {
                ExprOp::Fragment { offset, .. } => Some(offset / 8),
                _ => None,
            })
        });
        let offset = fragment.unwrap_or(0);
        match (marker.kind, marker.value) {
            // The first one; the variable may be assigned again.
            (MarkerKind::Assign, Some(Operand::Arg(_))) if is_part(marker) && leads_there(marker) => {}
            (MarkerKind::Declare, Some(Operand::Arg(_))) if is_part(marker) => {}
            (MarkerKind::Declare, Some(Operand::Inst(_))) if is_part(marker) && leads_there(marker) => {}
            (MarkerKind::Assign, Some(Operand::Arg(index))) if found[index as usize].is_none() => {
                found[index as usize] = Some((marker.variable, offset));
                indirect[index as usize] = leads_there(marker);
            }
            (MarkerKind::Declare, Some(Operand::Arg(index))) => {
                found[index as usize].get_or_insert((marker.variable, offset));
                indirect[index as usize] = !leads_there(marker);
            }
            (MarkerKind::Declare, Some(Operand::Inst(place))) => {
                places.entry(place).or_insert((marker.variable, offset));
                if leads_there(marker) {
                    addresses.insert(place);
                }
            }
            (MarkerKind::Assign, Some(Operand::Inst(value))) => {
                if let Some(&index) = converted.get(&value)
                    && module.debug.variables[marker.variable].arg == index + 1
                {
                    names[index as usize].get_or_insert(marker.variable);
                }
            }
            _ => {}
        }
    }
    for (_, inst_id, inst) in function.body() {
        match &inst.kind {
            InstKind::Gep { source, base: Operand::Inst(base), indices, .. } => {
                if let Some(&(variable, start)) = places.get(base)
                    && let Some(distance) = constant_distance(program, *source, indices)
                    && let Ok(distance) = u64::try_from(distance)
                {
                    places.entry(inst_id).or_insert((variable, start + distance));
                }
            }
            InstKind::Store { value: Operand::Arg(index), ptr: Operand::Inst(place), .. } => match places.get(place) {
                Some(&known) => {
                    if found[*index as usize].is_none() {
                        found[*index as usize] = Some(known);
                        indirect[*index as usize] = addresses.contains(place);
                    }
                }
                None => {
                    spilled.entry(*place).or_insert(*index);
                }
            },
            InstKind::Call(call) => {
                if let [Operand::Inst(to), Operand::Inst(from), ..] = call.args[..]
                    && let (Some(&known), Some(&index)) = (places.get(&to), spilled.get(&from))
                    && is_memory_copy(program, call)
                {
                    found[index as usize].get_or_insert(known);
                }
            }
            _ => {}
        }
    }
    let mut firsts: FxHashMap<VarId, u32> = FxHashMap::default();
    for (index, known) in (0u32..).zip(&found) {
        if let Some((variable, _)) = known {
            firsts.entry(*variable).or_insert(index);
        }
    }
    let declared = declared_references(module, id);
    let describe = |(index, found): (usize, Option<(VarId, u64)>)| {
        let param = &function.params[index];
        let size = module.type_layouts.get(param.ty).map_or(0, |layout| layout.size);
        let name = param.name.or_else(|| module.debug.variables[names[index]?].name);
        let plain = || name.map_or_else(|| format!("arg{index}"), |name| module.str(name).to_owned());
        match found {
            Some((var, offset)) => {
                let variable = &module.debug.variables[var];
                let bits = variable.ty.map_or(0, |ty| module.debug.bits(ty));
                Source {
                    function: id,
                    name: variable.name.map_or_else(plain, |name| module.str(name).to_owned()),
                    first: firsts.get(&var).copied(),
                    ty: variable.ty,
                    size: (bits / 8).max(offset + size),
                    offset,
                    indirect: indirect[index],
                }
            }
            None => {
                let ty = declared.get(&index).copied();
                Source { function: id, name: plain(), first: None, ty, size, offset: 0, indirect: false }
            }
        }
    };
    found.into_iter().enumerate().map(describe).collect()
}

/// References among the parameters of a function of Rust by position, as far as its type tells which they are: a number or a
/// thin reference is one parameter, a reference with a length or a table two, and nothing is known behind something else.
fn declared_references(module: &Module, id: FuncId) -> FxHashMap<usize, DebugTypeId> {
    let (function, debug) = (&module.functions[id], &module.debug);
    let mut found = FxHashMap::default();
    if !crate::same::is_of_rust(module, id) {
        return found;
    }
    let ty = function.scope.and_then(|scope| debug.scopes[scope].ty).map(|ty| &debug.types[ty].kind);
    let Some(DebugTypeKind::Function { types }) = ty else { return found };
    let returns_memory =
        |param: &ir::module::Param| module.attrs[param.attrs].0.iter().any(|attr| matches!(attr, Attr::Sret(_)));
    let mut index = usize::from(function.params.first().is_some_and(returns_memory));
    for ty in types.iter().skip(1) {
        let Some(ty) = ty.map(|ty| debug.strip(ty)) else { break };
        match &debug.types[ty].kind {
            DebugTypeKind::Pointer { .. } => {
                // Optimised code may have lost parameters that its declaration has.
                let is_pointer = |param: &ir::module::Param| matches!(module.types[param.ty], Type::Ptr(_));
                if !function.params.get(index).is_some_and(is_pointer) {
                    return FxHashMap::default();
                }
                found.insert(index, ty);
                index += 1;
            }
            DebugTypeKind::Basic(_) => index += usize::from(debug.bits(ty) > 0),
            _ if crate::rust_inputs::is_wide_reference(module, ty) => index += 2,
            _ => return found,
        }
    }
    // A function that tells where it was called from is given that as well.
    if (index..=index + 1).contains(&function.params.len()) { found } else { FxHashMap::default() }
}

/// Whether a class has a destructor that does more than to destroy its parts. Those of the library only give memory back.
fn has_destructor(module: &Module, ty: DebugTypeId) -> bool {
    let debug = &module.debug;
    let ty = debug.strip(ty);
    let (Language::Cpp, Some(name)) = (debug.types[ty].language, debug.types[ty].name) else { return false };
    if crate::containers::holds_itself(module, ty) {
        return false;
    }
    let short = module.str(name).split('<').next().unwrap_or_default();
    let end = format!("~{short}()");
    let is_destructor = |name: &str| name.starts_with("_ZN") && (name.ends_with("D1Ev") || name.ends_with("D2Ev"));
    let tells = |id: FuncId| {
        module.functions[id].body().any(|(_, _, inst)| match &inst.kind {
            InstKind::Load { .. } | InstKind::Store { .. } => true,
            kind @ (InstKind::Call(_) | InstKind::Invoke { .. }) => {
                let callee = module.called_function(kind).map_or("", |id| module.function_name(id));
                let callee = crate::names::unmarked(callee);
                !is_destructor(callee) && !callee.starts_with("llvm.") && !callee.contains("__clang_call_terminate")
            }
            _ => false,
        })
    };
    let mut functions = module.functions.ids().filter(|&id| {
        let name = module.function_name(id);
        module.functions[id].is_defined() && name.contains("D1Ev") | name.contains("D2Ev")
    });
    functions.any(|id| {
        let name = ir::demangle::demangle(crate::names::unmarked(module.function_name(id)));
        (name.ends_with(&format!("::{end}")) || name == end) && tells(id)
    })
}

fn is_memory_copy(program: &Program, call: &ir::inst::Call) -> bool {
    let ir::inst::Callee::Value(callee) = call.callee else { return false };
    let symbol = program.module.as_symbol(callee);
    symbol.is_some_and(|symbol| program.module.symbol_name(symbol).starts_with("llvm.memcpy."))
}

/// The distance that constant indices stand for.
pub(crate) fn constant_distance(program: &Program, source: ir::id::TypeId, indices: &[Operand]) -> Option<i64> {
    let module = &program.module;
    let (mut total, mut ty) = (0i64, source);
    for (position, index) in indices.iter().enumerate() {
        let Operand::Const(id) = index else { return None };
        let ir::constant::ConstKind::Int(value) = module.consts[*id].kind else { return None };
        let index = value as i64;
        if position == 0 {
            let size = module.type_layouts.get(ty)?.size;
            total = total.checked_add(index.checked_mul(i64::try_from(size).ok()?)?)?;
        } else {
            let (bytes, element) = module.type_layouts.element_offset(&module.types, ty, index)?;
            total = total.checked_add(bytes)?;
            ty = element;
        }
    }
    Some(total)
}
