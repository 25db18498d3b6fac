//! The Rust runtime: allocation, panics, printing, and the functions of `core`, `alloc` and `std` that programs call most
//! but do not contain, for only generic ones are compiled into them.
//!
//! Functions are known by their path as the user would write it, generic arguments dropped.

pub mod checks;
mod format;
mod panics;
mod path;
mod search;
mod text;
mod vec;

use super::{Arguments, Model, Reply};
use crate::case::FaultKind;
use crate::contents::{Contents, Unset};
use crate::memory::{Kind, Life};
use crate::run::Run;
use crate::state::{End, Stop};
use crate::value::{ObjectId, Pointer, Shape, Value};
use ir::attrs::AttrFlag;
use ir::id::FuncId;
use ir::module::Module;
use rustc_hash::FxHashMap;
use smt::expr::Expr;

/// The model of a Rust function that the program only declares.
pub fn find(known: &FxHashMap<&str, Model>, module: &Module, id: FuncId) -> Option<Model> {
    let name = module.function_name(id);
    if !name.starts_with("_R") && !name.starts_with("_ZN") {
        return None;
    }
    let path = path::plain(&ir::demangle::demangle(name));
    if let Some(model) = known.get(path.as_str()) {
        return Some(*model);
    }
    let function = &module.functions[id];
    let library = ["core::", "alloc::", "std::", "<core::", "<alloc::", "<std::"];
    let never_returns = module.attrs[function.attrs].has(AttrFlag::NoReturn);
    if path.starts_with("core::panicking::") || never_returns && library.iter().any(|name| path.starts_with(name)) {
        return Some(Model { name: "panic", run: panics::panic });
    }
    format::find(&path)
}

/// All that have one path.
pub fn models() -> impl Iterator<Item = Model> {
    [MODELS, vec::MODELS, text::MODELS, search::MODELS, format::MODELS].into_iter().flatten().copied()
}

const MODELS: &[Model] = &[
    Model { name: "__rust_alloc", run: |run, args| allocation(run, args, Unset::Undefined) },
    Model { name: "__rustc::__rust_alloc", run: |run, args| allocation(run, args, Unset::Undefined) },
    Model { name: "__rust_alloc_zeroed", run: |run, args| allocation(run, args, Unset::Zero) },
    Model { name: "__rustc::__rust_alloc_zeroed", run: |run, args| allocation(run, args, Unset::Zero) },
    Model { name: "__rust_dealloc", run: deallocation },
    Model { name: "__rustc::__rust_dealloc", run: deallocation },
    Model { name: "__rust_realloc", run: reallocation },
    Model { name: "__rustc::__rust_realloc", run: reallocation },
    Model { name: "__rust_no_alloc_shim_is_unstable_v2", run: nothing },
    Model { name: "__rustc::__rust_no_alloc_shim_is_unstable_v2", run: nothing },
    Model { name: "alloc::alloc::handle_alloc_error", run: |run, _| Err(run.fault(FaultKind::Abort, "out of memory")) },
    Model { name: "std::rt::lang_start_internal", run: start },
    Model { name: "std::process::exit", run: exit },
    Model { name: "std::process::abort", run: abort },
    Model { name: "core::intrinsics::abort", run: abort },
];

fn nothing(_: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    Ok(Reply::Nothing)
}

fn abort(run: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    Err(run.fault(FaultKind::Abort, "abort"))
}

fn exit(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let code = args.bits(run, 0)?;
    Err(Stop::End(End::Exited(code)))
}

/// Where `Fn::call` stands in the table of a closure's functions, behind what every table has and its two other forms.
const CALL: u64 = 5 * 8;

/// Calls `main` through the closure that it is wrapped in.
fn start(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let table = args.pointer(run, 1)?;
    let place = run.offset(table, CALL);
    let callee = run.load(place, &Shape::Ptr)?;
    Ok(Reply::Call { callee, args: vec![args.value(0)], shapes: vec![Shape::Ptr] })
}

/// Memory that Rust asked for; it never fails here.
pub(super) fn allocate(run: &mut Run, size: Expr, align: u64, unset: Unset) -> Pointer {
    Pointer::to(run.state.memory.add(size, align, Kind::Heap, Contents::new(unset)))
}

/// Ends memory that Rust gave back.
pub(super) fn release(run: &mut Run, ptr: Pointer) -> Result<(), Stop> {
    let object = allocated(run, ptr)?;
    run.end_object(object);
    Ok(())
}

/// Moves memory to a new place of another size. Its contents are taken over as a whole: what lies beyond the lesser size
/// is out of bounds or was never written.
pub(super) fn resize(run: &mut Run, ptr: Pointer, size: Expr, align: u64) -> Result<Pointer, Stop> {
    let object = allocated(run, ptr)?;
    let mut contents = (*run.object(object).contents).clone();
    if contents.unset == Unset::Input && contents.source.is_none() {
        contents.source = run.input_of(object);
    }
    let new = run.state.memory.add(size, align, Kind::Heap, contents);
    run.end_object(object);
    Ok(Pointer::to(new))
}

/// The allocation that begins at an address.
fn allocated(run: &mut Run, ptr: Pointer) -> Result<ObjectId, Stop> {
    let object = run.object(ptr.object);
    match (object.kind, object.life) {
        (Kind::Heap | Kind::Input(_), Life::Ended(_)) => Err(run.fault(FaultKind::DoubleFree, "allocated memory")),
        (Kind::Heap | Kind::Input(_), Life::Alive) if ptr.object != ObjectId::NONE => {
            let start = run.pool().eq(ptr.offset, Expr::constant(0, 64));
            run.check(start, FaultKind::InvalidFree, "not the beginning of allocated memory")?;
            Ok(ptr.object)
        }
        _ => Err(run.fault(FaultKind::InvalidFree, "no allocated memory")),
    }
}

fn alignment(run: &mut Run, args: &Arguments, index: usize) -> Result<u64, Stop> {
    Ok(args.bits(run, index)?.as_const().unwrap_or(16).clamp(1, 1 << 20))
}

fn allocation(run: &mut Run, args: &Arguments, unset: Unset) -> Result<Reply, Stop> {
    let size = args.bits(run, 0)?;
    let align = alignment(run, args, 1)?;
    Ok(Reply::Value(Value::Ptr(allocate(run, size, align, unset))))
}

fn deallocation(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    release(run, ptr)?;
    Ok(Reply::Nothing)
}

fn reallocation(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    let align = alignment(run, args, 2)?;
    let size = args.bits(run, 3)?;
    Ok(Reply::Value(Value::Ptr(resize(run, ptr, size, align)?)))
}
