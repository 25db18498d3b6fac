//! The C++ runtime: `new` and `delete`, exceptions, casts along a hierarchy, variables that are made on first use.
//!
//! After the Itanium C++ ABI. An exception lies in memory of its own; what else is to be known of it stands in
//! [`Exceptions`]. The program is given its address where the ABI has that of its header.

mod output;
pub mod types;

use super::{Arguments, Model, Reply};
use crate::case::FaultKind;
use crate::contents::{Contents, Unset};
use crate::memory::{Kind, Life};
use crate::run::Run;
use crate::state::Stop;
use crate::value::{ObjectId, Pointer, Shape, Value};
use smt::expr::Expr;
use std::rc::Rc;
use types::Type;

/// Exceptions that exist.
#[derive(Clone, Debug, Default)]
pub struct Exceptions {
    /// Those that were thrown and not destroyed.
    thrown: Vec<Exception>,
    /// Those that handlers run for, the innermost last.
    caught: Vec<ObjectId>,
    /// The one that nobody catches.
    pub uncaught: Option<ObjectId>,
}

/// An exception.
#[derive(Clone, Debug)]
pub struct Exception {
    /// Its memory.
    pub object: ObjectId,
    /// Its type.
    pub ty: Type,
    /// What destroys it, or a null pointer.
    destructor: Value,
    /// Distance of the part that its handler wants.
    pub part: u64,
    /// Handlers that run for it.
    handlers: u32,
    /// Whether a handler threw it again.
    rethrown: bool,
}

impl Exceptions {
    /// The exception in that memory.
    pub fn find(&self, object: ObjectId) -> Option<&Exception> {
        self.thrown.iter().find(|exception| exception.object == object)
    }

    /// The exception in that memory, to be changed.
    pub fn find_mut(&mut self, object: ObjectId) -> Option<&mut Exception> {
        self.thrown.iter_mut().find(|exception| exception.object == object)
    }
}

/// The model of a function that the C++ library throws by, or that makes or ends an allocator of text, which has no state.
pub fn find(name: &str) -> Option<Model> {
    let of_allocator = name.strip_prefix("_ZNSaIcE").or(name.strip_prefix("_ZNSaIwE"));
    if of_allocator.is_some_and(|rest| rest.starts_with(['C', 'D'])) {
        return Some(Model { name: "std::allocator", run: |_, _| Ok(Reply::Nothing) });
    }
    let throws = name.starts_with("_ZSt") && name.contains("__throw_");
    throws.then_some(Model { name: "std::__throw", run: throw_standard })
}

/// Whether a function is one of the C++ library: of the namespace `std`.
pub fn is_of_library(name: &str) -> bool {
    let of_namespace = |rest: &str| ["St", "Sa", "Sb", "Ss", "Si", "So", "Sd"].iter().any(|std| rest.starts_with(std));
    name.strip_prefix("_ZNK").or(name.strip_prefix("_ZN")).or(name.strip_prefix("_Z")).is_some_and(of_namespace)
}

/// All that have one name.
pub fn models() -> impl Iterator<Item = Model> {
    MODELS.iter().chain(output::MODELS).copied()
}

/// The model that takes the place of a function with code: whether text that a string is to take over is none of its own. The
/// library asks for addresses; text of another object never is, wherever it lies.
pub fn instead_of(symbol: &str) -> Option<Model> {
    const DISJUNCT: &str = "basic_stringIcSt11char_traitsIcESaIcEE11_M_disjunctEPKc";
    symbol.contains(DISJUNCT).then_some(Model { name: "std::string::_M_disjunct", run: is_disjunct })
}

fn is_disjunct(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (string, text) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let data = run.load(string, &Shape::Ptr)?;
    let data = run.pointer(&data)?;
    if data.object != text.object {
        return Ok(Reply::Value(Value::Bits(Expr::bool(true))));
    }
    let at = run.offset(string, crate::containers::TEXT_LENGTH);
    let length = run.load(at, &Shape::Int { bits: 64, bytes: 8 })?;
    let length = run.bits(&length, 64)?;
    let pool = run.pool();
    let end = pool.add(data.offset, length);
    let (is_before, is_behind) = (pool.ult(text.offset, data.offset), pool.ult(end, text.offset));
    Ok(Reply::Value(Value::Bits(pool.or(is_before, is_behind))))
}

const MODELS: &[Model] = &[
    Model { name: "_Znwm", run: new },
    Model { name: "_Znam", run: new },
    Model { name: "_ZnwmRKSt9nothrow_t", run: new },
    Model { name: "_ZnamRKSt9nothrow_t", run: new },
    Model { name: "_ZnwmSt11align_val_t", run: new_aligned },
    Model { name: "_ZnamSt11align_val_t", run: new_aligned },
    Model { name: "_ZnwmSt11align_val_tRKSt9nothrow_t", run: new_aligned },
    Model { name: "_ZnamSt11align_val_tRKSt9nothrow_t", run: new_aligned },
    Model { name: "_ZdlPv", run: delete },
    Model { name: "_ZdaPv", run: delete },
    Model { name: "_ZdlPvm", run: delete },
    Model { name: "_ZdaPvm", run: delete },
    Model { name: "_ZdlPvRKSt9nothrow_t", run: delete },
    Model { name: "_ZdaPvRKSt9nothrow_t", run: delete },
    Model { name: "_ZdlPvSt11align_val_t", run: delete },
    Model { name: "_ZdaPvSt11align_val_t", run: delete },
    Model { name: "_ZdlPvmSt11align_val_t", run: delete },
    Model { name: "_ZdaPvmSt11align_val_t", run: delete },
    Model { name: "__cxa_allocate_exception", run: allocate_exception },
    Model { name: "__cxa_free_exception", run: free_exception },
    Model { name: "__cxa_throw", run: throw },
    Model { name: "__cxa_rethrow", run: rethrow },
    Model { name: "__cxa_begin_catch", run: begin_catch },
    Model { name: "__cxa_get_exception_ptr", run: exception_part },
    Model { name: "__cxa_end_catch", run: end_catch },
    Model { name: "__cxa_call_unexpected", run: terminate },
    Model { name: "__cxa_call_terminate", run: terminate },
    Model { name: "_ZSt9terminatev", run: terminate },
    Model { name: "__cxa_pure_virtual", run: pure_virtual },
    Model { name: "__cxa_deleted_virtual", run: pure_virtual },
    Model { name: "__cxa_throw_bad_array_new_length", run: throw_standard },
    Model { name: "__cxa_bad_cast", run: throw_standard },
    Model { name: "__cxa_bad_typeid", run: throw_standard },
    Model { name: "__cxa_guard_acquire", run: guard_acquire },
    Model { name: "__cxa_guard_release", run: guard_release },
    Model { name: "__cxa_guard_abort", run: |_, _| Ok(Reply::Nothing) },
    Model { name: "__dynamic_cast", run: dynamic_cast },
    Model { name: "llvm.eh.typeid.for", run: type_id },
];

fn new(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    allocate(run, args, 16)
}

fn new_aligned(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let align = args.bits(run, 1)?.as_const().unwrap_or(16).clamp(1, 1 << 20);
    allocate(run, args, align)
}

/// Memory; there is enough for every size that is possible at all.
fn allocate(run: &mut Run, args: &Arguments, align: u64) -> Result<Reply, Stop> {
    let size = args.bits(run, 0)?;
    let possible = run.pool().ule(size, Expr::constant(i64::MAX as u64, 64));
    let throws = !run.program().module.function_name(args.function).contains("nothrow");
    if !run.decide(possible)? {
        if !throws {
            return Ok(Reply::Value(Value::NULL));
        }
        return throw_class(run, "bad_alloc");
    }
    let object = run.state.memory.add(size, align, Kind::Heap, Contents::new(Unset::Undefined));
    match throws {
        true => Ok(Reply::Value(Value::Ptr(Pointer::to(object)))),
        false => Ok(super::alloc::might_be_null(run, Pointer::to(object))),
    }
}

fn delete(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    if run.is_null(ptr)? {
        return Ok(Reply::Nothing);
    }
    let object = run.object(ptr.object);
    match (object.kind, object.life) {
        _ if ptr.object == ObjectId::NONE => Err(run.fault(FaultKind::InvalidFree, "no address of allocated memory")),
        (Kind::Heap | Kind::Input(_), Life::Ended(_)) => Err(run.fault(FaultKind::DoubleFree, "allocated memory")),
        (Kind::Heap | Kind::Input(_), Life::Alive) => {
            let start = run.pool().eq(ptr.offset, Expr::constant(0, 64));
            run.check(start, FaultKind::InvalidFree, "not the beginning of allocated memory")?;
            run.end_object(ptr.object);
            Ok(Reply::Nothing)
        }
        _ => {
            let name = run.describe(ptr.object);
            Err(run.fault(FaultKind::InvalidFree, &name))
        }
    }
}

fn terminate(run: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    Err(run.fault(FaultKind::Abort, "std::terminate"))
}

fn pure_virtual(run: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    Err(run.fault(FaultKind::Abort, "a pure virtual function was called"))
}

fn allocate_exception(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    allocate(run, args, 16)
}

fn free_exception(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    run.end_object(ptr.object);
    Ok(Reply::Nothing)
}

fn throw(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (object, info) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let Some(ty) = Type::at(run, info) else { return Err(run.unsupported("an exception of unknown type")) };
    start(run, object.object, ty, args.value(2))
}

fn start(run: &mut Run, object: ObjectId, ty: Type, destructor: Value) -> Result<Reply, Stop> {
    let exception = Exception { object, ty, destructor, part: 0, handlers: 0, rethrown: false };
    Rc::make_mut(&mut run.state.exceptions).thrown.push(exception);
    Ok(Reply::Unwind(Value::Ptr(Pointer::to(object))))
}

/// An exception of the library's; its contents are not known.
fn throw_standard(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let name = run.program().module.function_name(args.function);
    let class = match name {
        "__cxa_throw_bad_array_new_length" => "bad_array_new_length",
        "__cxa_bad_cast" => "bad_cast",
        "__cxa_bad_typeid" => "bad_typeid",
        _ => {
            let name = name.split("__throw_").nth(1).unwrap_or("");
            // Behind the name stand its parameters: none, a text, or a text with arguments.
            let name =
                name.strip_suffix("PKcz").or(name.strip_suffix("PKc")).or(name.strip_suffix('v')).unwrap_or(name);
            name.strip_suffix("_fmt").unwrap_or(name)
        }
    };
    throw_class(run, class)
}

fn throw_class(run: &mut Run, class: &str) -> Result<Reply, Stop> {
    let ty = Type::standard(run, class);
    let object = run.state.memory.add(Expr::constant(32, 64), 16, Kind::Heap, Contents::new(Unset::Undefined));
    start(run, object, ty, Value::NULL)
}

fn rethrow(run: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    let Some(&object) = run.state.exceptions.caught.last() else {
        return Err(run.fault(FaultKind::Abort, "std::terminate"));
    };
    if let Some(exception) = Rc::make_mut(&mut run.state.exceptions).find_mut(object) {
        exception.rethrown = true;
    }
    Ok(Reply::Unwind(Value::Ptr(Pointer::to(object))))
}

/// The part of an exception that its handler wants.
fn exception_part(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    let Some((part, pointer)) = run.state.exceptions.find(ptr.object).map(|e| (e.part, e.ty.is_pointer())) else {
        return Ok(Reply::Value(Value::Ptr(ptr)));
    };
    let whole = if pointer {
        // Of a pointer the handler wants the value.
        let value = run.load(ptr, &Shape::Ptr)?;
        run.pointer(&value)?
    } else {
        ptr
    };
    Ok(Reply::Value(Value::Ptr(run.offset(whole, part))))
}

fn begin_catch(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    let reply = exception_part(run, args)?;
    let exceptions = Rc::make_mut(&mut run.state.exceptions);
    exceptions.caught.push(ptr.object);
    if let Some(exception) = exceptions.find_mut(ptr.object) {
        exception.handlers += 1;
        exception.rethrown = false;
    }
    Ok(reply)
}

/// Ends a handler, and the exception with its last one.
fn end_catch(run: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    let exceptions = Rc::make_mut(&mut run.state.exceptions);
    let Some(object) = exceptions.caught.pop() else { return Ok(Reply::Nothing) };
    let Some(exception) = exceptions.find_mut(object) else { return Ok(Reply::Nothing) };
    exception.handlers = exception.handlers.saturating_sub(1);
    if exception.handlers > 0 || exception.rethrown {
        return Ok(Reply::Nothing);
    }
    let destructor = exception.destructor.clone();
    exceptions.thrown.retain(|exception| exception.object != object);
    let code = match destructor {
        Value::Ptr(pointer) => run.function_at(pointer),
        _ => None,
    };
    if code.is_some_and(|id| run.program().module.functions[id].is_defined()) {
        let args = vec![Value::Ptr(Pointer::to(object))];
        return Ok(Reply::Call { callee: destructor, args, shapes: vec![Shape::Ptr] });
    }
    run.end_object(object);
    Ok(Reply::Nothing)
}

/// Whether a variable is still to be made.
fn guard_acquire(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let guard = args.pointer(run, 0)?;
    let done = run.load_byte(guard)?;
    let new = run.pool().eq(done, Expr::constant(0, 8));
    Ok(Reply::Value(Value::Bits(run.pool().zext(new, 32))))
}

fn guard_release(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let guard = args.pointer(run, 0)?;
    run.store_byte(guard, Expr::constant(1, 8))?;
    Ok(Reply::Nothing)
}

/// The number that a landing pad tells of a type.
fn type_id(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let info = args.pointer(run, 0)?;
    Ok(Reply::Value(Value::int(types::number(info).into(), 32)))
}

/// Where in an object's table its distance from the whole object and the type of that stand.
const TO_TOP: u64 = 16;
const TYPE: u64 = 8;

/// The part of a whole object that is of a type.
fn dynamic_cast(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let object = args.pointer(run, 0)?;
    let wanted = args.pointer(run, 2)?;
    let table = run.load(object, &Shape::Ptr)?;
    let table = run.pointer(&table)?;
    let place = run.offset(table, 0u64.wrapping_sub(TYPE));
    let info = run.load(place, &Shape::Ptr)?;
    let info = run.pointer(&info)?;
    let (Some(whole), Some(wanted)) = (Type::at(run, info), Type::at(run, wanted)) else {
        return Err(run.unsupported("dynamic_cast of an object of unknown type"));
    };
    let Some(part) = types::part(run, &whole, &wanted)? else { return Ok(Reply::Value(Value::NULL)) };
    let place = run.offset(table, 0u64.wrapping_sub(TO_TOP));
    let top = run.load(place, &Shape::Int { bits: 64, bytes: 8 })?;
    let top = run.bits(&top, 64)?;
    let offset = run.pool().add(object.offset, top);
    let offset = run.pool().add(offset, Expr::constant(part, 64));
    Ok(Reply::Value(Value::Ptr(Pointer { object: object.object, offset })))
}
