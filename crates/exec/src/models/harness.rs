//! Functions by which harnesses of other tools ask for inputs and say what they assume: KLEE's, and those of SV-COMP.
//!
//! What a harness makes up is an input with the name that it gives. The call is one to the outside, so a native run
//! answers what the case says: `klee_make_symbolic` writes to memory, `klee_int` and `__VERIFIER_nondet_int` return a
//! value. What only tells the other tool something has no effect; the runtime of native runs brings the same functions.

use super::{Arguments, Model, Reply};
use crate::case::FaultKind;
use crate::contents::{Contents, Unset};
use crate::inputs::{InputId, InputObject, Naming, Origin};
use crate::memory::Kind;
use crate::run::Run;
use crate::state::{Effect, End, Stop, Written};
use crate::value::{ObjectId, Pointer, Shape, Value};
use ir::debug::{DebugTypeKind, Encoding};
use ir::id::DebugTypeId;
use ir::inst::{InstKind, MarkerKind, Value as Operand};
use ir::module::SymbolKind;
use smt::expr::{Expr, FloatFormat};
use smt::pool::Reading;
use std::rc::Rc;
use std::sync::Arc;

/// All of them but those that [`find`] knows by their family.
pub const MODELS: &[Model] = &[
    Model { name: "klee_make_symbolic", run: make_symbolic },
    Model { name: "klee_int", run: int },
    Model { name: "klee_range", run: range },
    Model { name: "klee_choose", run: choose },
    Model { name: "klee_assume", run: assume },
    Model { name: "__VERIFIER_assume", run: assume },
    Model { name: "klee_is_symbolic", run: is_symbolic },
    Model { name: "klee_check_memory_access", run: check_access },
    Model { name: "klee_silent_exit", run: silent_exit },
    Model { name: "klee_abort", run: abort },
    Model { name: "klee_report_error", run: report_error },
    Model { name: "__VERIFIER_error", run: reach_error },
    Model { name: "reach_error", run: reach_error },
    Model { name: "klee_prefer_cex", run: nothing },
    Model { name: "klee_posix_prefer_cex", run: nothing },
    Model { name: "klee_warning", run: nothing },
    Model { name: "klee_warning_once", run: nothing },
    Model { name: "klee_print_expr", run: nothing },
    Model { name: "klee_print_range", run: nothing },
    Model { name: "klee_open_merge", run: nothing },
    Model { name: "klee_close_merge", run: nothing },
    Model { name: "klee_mark_global", run: nothing },
    Model { name: "klee_set_forking", run: nothing },
    Model { name: "klee_stack_trace", run: nothing },
    Model { name: "__VERIFIER_atomic_begin", run: nothing },
    Model { name: "__VERIFIER_atomic_end", run: nothing },
];

/// The model of a function that belongs to a family.
pub fn find(name: &str) -> Option<Model> {
    if name.starts_with("klee_get_value") {
        return Some(Model { name: "klee_get_value", run: value_itself });
    }
    let scalar = name.strip_prefix(NONDET)?;
    SCALARS.contains(&scalar).then_some(Model { name: NONDET, run: nondet })
}

/// Whether a call to a function only makes up an input, which is nothing that a program does.
pub fn makes_input(name: &str) -> bool {
    matches!(name, "klee_make_symbolic" | "klee_int" | "klee_range" | "klee_choose" | "klee_is_symbolic")
        || name.strip_prefix(NONDET).is_some_and(|scalar| SCALARS.contains(&scalar))
}

const NONDET: &str = "__VERIFIER_nondet_";

/// What functions of SV-COMP return; pointers are made up as those of any other function outside of the program.
const SCALARS: [&str; 31] = [
    "bool",
    "_Bool",
    "char",
    "uchar",
    "unsigned_char",
    "short",
    "ushort",
    "unsigned_short",
    "int",
    "uint",
    "unsigned",
    "unsigned_int",
    "long",
    "ulong",
    "unsigned_long",
    "longlong",
    "ulonglong",
    "long_long",
    "unsigned_long_long",
    "int128",
    "uint128",
    "float",
    "double",
    "size_t",
    "loff_t",
    "sector_t",
    "u8",
    "u16",
    "u32",
    "u64",
    "S8",
];

/// Makes memory an input: `klee_make_symbolic(address, size, name)`.
fn make_symbolic(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let place = args.pointer(run, 0)?;
    let size = args.bits(run, 1)?;
    let Some(bytes) = size.as_const() else { return Err(run.unsupported("klee_make_symbolic of unknown size")) };
    let name = given_name(run, args, 2)?;
    if bytes == 0 {
        return Ok(Reply::Nothing);
    }
    let (object, offset) = run.access(place, bytes, true)?;
    let elements = elements_at(run, Pointer { object, offset }, bytes);
    let source = made(run, &name, bytes, &elements);
    let whole = offset.as_const() == Some(0) && run.object(object).size.as_const() == Some(bytes);
    if whole {
        become_input(run, object, source);
    } else {
        let copy = run.state.memory.add(Expr::constant(bytes, 64), 16, Kind::Library, Contents::default());
        become_input(run, copy, source);
        run.copy_bytes(Pointer { object, offset }, Pointer::to(copy), bytes)?;
    }
    Rc::make_mut(&mut run.state.inputs).push((source, object));
    let written = Written { argument: 0, source, size: Expr::constant(bytes, 64), distance: Expr::constant(0, 64) };
    record(run, args, None, Some(written));
    Ok(Reply::Nothing)
}

fn become_input(run: &mut Run, object: ObjectId, source: InputId) {
    if let Some(contents) = run.contents_mut(object) {
        *contents = Contents::new(Unset::Input);
        contents.source = Some(source);
    }
    if let Some(object) = run.state.memory.get_mut(object) {
        object.written = true;
    }
}

/// Any number: `klee_int(name)`.
fn int(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let name = given_name(run, args, 0)?;
    let (id, value) = scalar(run, args, &name, Reading::Signed)?;
    Ok(answer(run, args, id, value))
}

/// A number of a range without its end: `klee_range(begin, end, name)`.
fn range(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (begin, end) = (args.bits(run, 0)?, args.bits(run, 1)?);
    let name = given_name(run, args, 2)?;
    let (id, value) = scalar(run, args, &name, Reading::Signed)?;
    let (from, below) = (run.pool().sle(begin, value), run.pool().slt(value, end));
    run.assume(from)?;
    run.assume(below)?;
    Ok(answer(run, args, id, value))
}

/// One of so many: `klee_choose(n)`.
fn choose(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let count = args.bits(run, 0)?;
    let (id, value) = scalar(run, args, "klee_choose", Reading::Unsigned)?;
    let below = run.pool().ult(value, count);
    run.assume(below)?;
    Ok(answer(run, args, id, value))
}

fn nondet(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let program = run.program();
    let name = program.module.function_name(args.function);
    let kind = name.strip_prefix(NONDET).unwrap_or(name);
    let reading = match kind {
        "char" => Reading::Char,
        "bool" | "_Bool" | "size_t" => Reading::Unsigned,
        _ if kind.starts_with('u') => Reading::Unsigned,
        _ => Reading::Signed,
    };
    let (id, value) = scalar(run, args, name.trim_start_matches("__VERIFIER_"), reading)?;
    Ok(answer(run, args, id, value))
}

/// Goes on only where a condition holds: `klee_assume(condition)`.
fn assume(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let condition = args.bits(run, 0)?;
    let zero = Expr::constant(0, run.pool().width(condition));
    let fails = run.pool().eq(condition, zero);
    let holds = run.pool().not(fails);
    run.assume(holds)?;
    Ok(Reply::Nothing)
}

fn is_symbolic(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let known = args.bits(run, 0)?.as_const().is_some();
    let reply = Value::int(u64::from(!known), args.result_bits());
    record(run, args, Some(reply.clone()), None);
    Ok(Reply::Value(reply))
}

/// Any value that is possible: the value itself is one.
fn value_itself(_: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    Ok(Reply::Value(args.value(0)))
}

fn check_access(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let place = args.pointer(run, 0)?;
    let size = args.bits(run, 1)?;
    let Some(size) = size.as_const() else { return Err(run.unsupported("a check of memory of unknown size")) };
    run.access(place, size, false)?;
    Ok(Reply::Nothing)
}

fn silent_exit(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let code = args.bits(run, 0)?;
    Err(Stop::End(End::Exited(code)))
}

fn abort(run: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    Err(run.fault(FaultKind::Abort, "klee_abort"))
}

/// `klee_report_error(file, line, message, suffix)`.
fn report_error(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let message = args.pointer(run, 2)?;
    let message = run.known_string(message, "a message")?;
    Err(run.fault(FaultKind::Assertion, &String::from_utf8_lossy(&message)))
}

fn reach_error(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let program = run.program();
    Err(run.fault(FaultKind::Assertion, program.module.function_name(args.function)))
}

fn nothing(_: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    Ok(match args.result_bits() {
        0 => Reply::Nothing,
        bits => Reply::Value(Value::int(0, bits)),
    })
}

/// The name that a harness gives.
fn given_name(run: &mut Run, args: &Arguments, index: usize) -> Result<String, Stop> {
    let place = args.pointer(run, index)?;
    if run.is_null(place)? {
        return Ok("unnamed".to_owned());
    }
    let name = run.known_string(place, "the name of an input")?;
    Ok(if name.is_empty() { "unnamed".to_owned() } else { String::from_utf8_lossy(&name).into_owned() })
}

/// The input that a call makes up. Further ones of a name have a number behind it.
fn made(run: &mut Run, name: &str, size: u64, elements: &Elements) -> InputId {
    let of_name = |(id, _): &&(InputId, ObjectId)| {
        let object = run.worker.inputs.object(*id);
        let rest = object.name.strip_prefix(name);
        !object.memory && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('#'))
    };
    let earlier = run.state.inputs.iter().filter(of_name).count();
    let name = if earlier == 0 { name.to_owned() } else { format!("{name}#{}", earlier + 1) };
    // On another path memory of another type may have the name.
    let origin = Origin::Outside(run.worker.outside_number(&format!("made {name}, {size}, {:?}", elements.ty)));
    run.worker.inputs.add(InputObject {
        name,
        naming: elements.naming,
        ty: elements.ty,
        element: elements.size,
        count: size / elements.size.max(1),
        size: Expr::constant(size, 64),
        address: None,
        origin,
        depth: 1,
        terminator: None,
        exact: true,
        align: 16,
        memory: false,
        held: false,
    })
}

/// A number that a call returns.
fn scalar(run: &mut Run, args: &Arguments, name: &str, reading: Reading) -> Result<(InputId, Expr), Stop> {
    let (bits, reading) = match args.result {
        Shape::Int { bits, .. } => (*bits, reading),
        Shape::Float { bits: 32, .. } => (32, Reading::Float(FloatFormat::Single)),
        Shape::Float { bits: 64, .. } => (64, Reading::Float(FloatFormat::Double)),
        _ => return Err(run.unsupported("an input that is no number")),
    };
    let size = u64::from(bits.div_ceil(8));
    let id = made(run, name, size, &Elements { ty: None, size, naming: Naming::Variable });
    let name = run.worker.inputs.object(id).name.clone();
    Ok((id, run.plain_parameter(id, &name, bits, reading)))
}

fn answer(run: &mut Run, args: &Arguments, id: InputId, value: Expr) -> Reply {
    run.input_object(id);
    let value = Value::Bits(value);
    record(run, args, Some(value.clone()), None);
    Reply::Value(value)
}

/// Records the call, so that a native run answers the same.
fn record(run: &mut Run, args: &Arguments, result: Option<Value>, written: Option<Written>) {
    let effect = Effect::Call {
        function: run.program().module.function_name(args.function).into(),
        passing: Arc::new([]),
        args: args.values.into(),
        given: run.state.given(),
        result,
        written: written.into_iter().collect(),
        at: run.at,
    };
    run.state.effects.push(effect);
}

/// What memory is made of: the source type of its elements, their size, and how they are named.
struct Elements {
    ty: Option<DebugTypeId>,
    size: u64,
    naming: Naming,
}

/// What lies at a place and has that size: a variable, what a pointer variable leads to, else a number of that size.
fn elements_at(run: &Run, place: Pointer, size: u64) -> Elements {
    let debug = &run.program().module.debug;
    let whole = |ty: DebugTypeId| Elements { ty: Some(ty), size, naming: Naming::Variable };
    let of_size = |ty: &DebugTypeId| debug.bits(*ty) == size * 8;
    if let Some(ty) = variable_at(run, place, MarkerKind::Declare).filter(of_size) {
        return whole(ty);
    }
    if let Some(pointer) = variable_at(run, place, MarkerKind::Assign)
        && let DebugTypeKind::Pointer { to: Some(to), .. } = debug.types[debug.strip(pointer)].kind
    {
        let element = debug.bits(to) / 8;
        if element > 0 && size.is_multiple_of(element) {
            let naming = if element == size { Naming::Variable } else { Naming::Several };
            return Elements { ty: Some(to), size: element, naming };
        }
    }
    let is_number = |id: &DebugTypeId| {
        matches!(debug.types[*id].kind, DebugTypeKind::Basic(Encoding::Signed | Encoding::SignedChar))
    };
    match debug.types.ids().filter(of_size).find(is_number) {
        Some(number) => whole(number),
        None => Elements { ty: None, size: 1, naming: Naming::Several },
    }
}

/// The source type of a variable that lies at a place ([`MarkerKind::Declare`]) or that is a pointer to it
/// ([`MarkerKind::Assign`]): a global one, or one of the running call.
fn variable_at(run: &Run, place: Pointer, kind: MarkerKind) -> Option<DebugTypeId> {
    let program = run.program();
    let module = &program.module;
    if let Some(symbol) = program.object_symbol(place.object) {
        let SymbolKind::Variable(global) = module.symbols[symbol].kind else { return None };
        let here = kind == MarkerKind::Declare && place.offset.as_const() == Some(0);
        return module.globals[global].variable.filter(|_| here).and_then(|id| module.debug.variables[id].ty);
    }
    let frame = run.state.frames.last()?;
    let holds_place = |value: Operand| {
        let Operand::Inst(id) = value else { return false };
        let inst = frame.code.insts.iter().find(|inst| inst.id == id);
        match inst.and_then(|inst| frame.registers.get(inst.dest as usize)) {
            Some(Value::Ptr(found)) => found.object == place.object && found.offset == place.offset,
            _ => false,
        }
    };
    let mut markers = module.functions[frame.code.function].body().filter_map(|(_, _, inst)| match &inst.kind {
        InstKind::Marker(marker) if marker.kind == kind && marker.expr.is_none() => Some(marker),
        _ => None,
    });
    let marker = markers.find(|marker| marker.value.is_some_and(holds_place))?;
    module.debug.variables[marker.variable].ty
}
