//! Vectors and strings of bytes: what the library compiled once for all programs.

use super::{allocate, path, release, resize};
use crate::contents::Unset;
use crate::models::{Arguments, Model, Reply};
use crate::run::Run;
use crate::state::Stop;
use crate::value::{ObjectId, Pointer, Shape, Value};
use smt::expr::Expr;

pub(super) const MODELS: &[Model] = &[
    Model { name: "alloc::raw_vec::RawVecInner::try_allocate_in", run: try_allocate_in },
    Model { name: "alloc::raw_vec::RawVecInner::deallocate", run: deallocate },
    Model { name: "alloc::raw_vec::RawVec::grow_one", run: grow_one },
    Model { name: "alloc::raw_vec::RawVecInner::reserve::do_reserve_and_handle", run: reserve_inner },
    Model { name: "alloc::raw_vec::RawVecInner::grow_amortized", run: grow_amortized },
    Model { name: "alloc::raw_vec::RawVecInner::finish_grow", run: finish_grow },
    Model { name: "<alloc::raw_vec::RawVec as core::ops::drop::Drop>::drop", run: drop_raw },
    Model { name: "<alloc::vec::Vec as core::ops::drop::Drop>::drop", run: drop_elements },
    Model { name: "alloc::vec::Vec::reserve", run: reserve },
    Model { name: "<alloc::string::String as core::clone::Clone>::clone", run: clone_string },
];

/// Where the parts of a vector lie.
const CAPACITY: u64 = 0;
const POINTER: u64 = 8;
const LENGTH: u64 = 16;

const WORD: Shape = Shape::Int { bits: 64, bytes: 8 };

fn word(run: &mut Run, base: Pointer, offset: u64) -> Result<Expr, Stop> {
    let place = run.offset(base, offset);
    let value = run.load(place, &WORD)?;
    run.bits(&value, 64)
}

fn set(run: &mut Run, base: Pointer, offset: u64, value: Value) -> Result<(), Stop> {
    let place = run.offset(base, offset);
    run.store(place, &value, if matches!(value, Value::Ptr(_)) { &Shape::Ptr } else { &WORD })
}

/// The address that stands for memory of no size.
fn dangling(align: Expr) -> Value {
    Value::Ptr(Pointer { object: ObjectId::NONE, offset: align })
}

/// Size of a type that the library's own code is about.
fn size_of(name: &str) -> Option<u64> {
    Some(match name {
        "u8" | "i8" | "bool" => 1,
        "u16" | "i16" => 2,
        "u32" | "i32" | "char" | "f32" => 4,
        "u64" | "i64" | "usize" | "isize" | "f64" => 8,
        "u128" | "i128" | "&str" => 16,
        "alloc::string::String" => 24,
        _ => return None,
    })
}

/// Size and alignment of the elements that a generic function is about.
fn element(run: &Run, args: &Arguments) -> Result<(u64, u64), Stop> {
    let name = ir::demangle::demangle(run.program().module.function_name(args.function));
    let ty = path::argument(&name).unwrap_or("");
    match size_of(ty) {
        Some(size) => Ok((size, if matches!(ty, "&str" | "alloc::string::String") { 8 } else { size })),
        None => Err(run.unsupported(format!("{name} of elements of unknown size"))),
    }
}

/// `Result<RawVecInner, _>` to where the result goes.
fn try_allocate_in(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let result = args.pointer(run, 0)?;
    let (capacity, zeroed) = (args.bits(run, 1)?, args.bits(run, 2)?);
    let (align, size) = (args.bits(run, 3)?, args.bits(run, 4)?);
    let zeroed = run.decide(zeroed)?;
    let bytes = run.pool().mul(capacity, size);
    let none = run.pool().eq(bytes, Expr::constant(0, 64));
    let memory = if run.decide(none)? {
        run.access(result, 24, true)?;
        dangling(align)
    } else {
        fits(run, capacity, size)?;
        run.access(result, 24, true)?;
        let unset = if zeroed { Unset::Zero } else { Unset::Undefined };
        Value::Ptr(allocate(run, bytes, align.as_const().unwrap_or(16), unset))
    };
    set(run, result, 0, Value::int(0, 64))?;
    set(run, result, 8, Value::Bits(capacity))?;
    set(run, result, 16, memory)?;
    Ok(Reply::Nothing)
}

/// More bytes than there can be are a panic.
fn fits(run: &mut Run, count: Expr, size: Expr) -> Result<(), Stop> {
    let pool = run.pool();
    let (wide_count, wide_size) = (pool.zext(count, 128), pool.zext(size, 128));
    let product = pool.mul(wide_count, wide_size);
    let most = pool.number(i64::MAX as u64, 128);
    let fine = pool.ule(product, most);
    run.check(fine, crate::case::FaultKind::Panic, "capacity overflow")
}

fn deallocate(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let vector = args.pointer(run, 0)?;
    let size = args.bits(run, 2)?;
    free_memory(run, vector, size)
}

fn drop_raw(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (size, _) = element(run, args)?;
    let vector = args.pointer(run, 0)?;
    free_memory(run, vector, Expr::constant(size, 64))
}

fn free_memory(run: &mut Run, vector: Pointer, size: Expr) -> Result<Reply, Stop> {
    let capacity = word(run, vector, CAPACITY)?;
    let bytes = run.pool().mul(capacity, size);
    let none = run.pool().eq(bytes, Expr::constant(0, 64));
    if !run.decide(none)? {
        let place = run.offset(vector, POINTER);
        let memory = run.load(place, &Shape::Ptr)?;
        let memory = run.pointer(&memory)?;
        release(run, memory)?;
    }
    Ok(Reply::Nothing)
}

/// Elements that need no dropping.
fn drop_elements(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let name = ir::demangle::demangle(run.program().module.function_name(args.function));
    match path::argument(&name) {
        Some(ty) if size_of(ty).is_some() && !ty.ends_with("String") => Ok(Reply::Nothing),
        _ => Err(run.unsupported(name)),
    }
}

fn grow_one(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (size, align) = element(run, args)?;
    let vector = args.pointer(run, 0)?;
    let capacity = word(run, vector, CAPACITY)?;
    grow(run, vector, capacity, Expr::constant(1, 64), size, align)
}

fn reserve_inner(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let vector = args.pointer(run, 0)?;
    let (length, more) = (args.bits(run, 1)?, args.bits(run, 2)?);
    let (align, size) = (args.bits(run, 3)?, args.bits(run, 4)?);
    let (Some(align), Some(size)) = (align.as_const(), size.as_const()) else {
        return Err(run.unsupported("elements of unknown size"));
    };
    grow(run, vector, length, more, size, align)
}

/// How `Ok` is said in a `Result<(), TryReserveError>`: no alignment is that large.
const FINE: u64 = (1 << 63) + 1;

fn grow_amortized(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    reserve_inner(run, args)?;
    Ok(Reply::Value(Value::Many([Value::int(FINE, 64), Value::Undef].into())))
}

/// `Result<NonNull<[u8]>, TryReserveError>` to where the result goes.
fn finish_grow(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (result, vector) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let (room, align, size) = (args.bits(run, 2)?, args.bits(run, 3)?, args.bits(run, 4)?);
    fits(run, room, size)?;
    let bytes = run.pool().mul(room, size);
    let capacity = word(run, vector, CAPACITY)?;
    let held = run.pool().mul(capacity, size);
    let none = run.pool().eq(held, Expr::constant(0, 64));
    let empty = run.decide(none)?;
    let align = align.as_const().unwrap_or(16);
    run.access(result, 24, true)?;
    let memory = if empty {
        allocate(run, bytes, align, Unset::Undefined)
    } else {
        let place = run.offset(vector, POINTER);
        let old = run.load(place, &Shape::Ptr)?;
        let old = run.pointer(&old)?;
        resize(run, old, bytes, align)?
    };
    set(run, result, 0, Value::int(0, 64))?;
    set(run, result, 8, Value::Ptr(memory))?;
    set(run, result, 16, Value::Bits(bytes))?;
    Ok(Reply::Nothing)
}

fn reserve(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (size, align) = element(run, args)?;
    let vector = args.pointer(run, 0)?;
    let more = args.bits(run, 1)?;
    let (capacity, length) = (word(run, vector, CAPACITY)?, word(run, vector, LENGTH)?);
    let free = run.pool().sub(capacity, length);
    let enough = run.pool().ule(more, free);
    if run.decide(enough)? {
        return Ok(Reply::Nothing);
    }
    grow(run, vector, length, more, size, align)
}

/// Room for more elements, at least twice as many as there was.
fn grow(run: &mut Run, vector: Pointer, length: Expr, more: Expr, size: u64, align: u64) -> Result<Reply, Stop> {
    let capacity = word(run, vector, CAPACITY)?;
    // Memory that grows is of known size, so that what lies in it can be told apart.
    let bounds = &run.worker.bounds;
    let most = bounds.elements.max(bounds.characters);
    let capacity = Expr::constant(run.number(capacity, most, "elements of a vector that grows")?, 64);
    let length = Expr::constant(run.number(length, most, "elements of a vector that grows")?, 64);
    let pool = run.pool();
    let needed = pool.add(length, more);
    let wrapped = pool.ult(needed, length);
    let double = pool.add(capacity, capacity);
    let less = pool.ult(double, needed);
    let new = pool.ite(less, needed, double);
    let least = Expr::constant(
        if size == 1 {
            8
        } else if size <= 1024 {
            4
        } else {
            1
        },
        64,
    );
    let less = pool.ult(new, least);
    let new = pool.ite(less, least, new);
    let fine = pool.not(wrapped);
    run.check(fine, crate::case::FaultKind::Panic, "capacity overflow")?;
    fits(run, new, Expr::constant(size, 64))?;
    let none = run.pool().eq(capacity, Expr::constant(0, 64));
    let empty = run.decide(none)?;
    run.access(vector, 16, true)?;
    let bytes = run.pool().mul(new, Expr::constant(size, 64));
    let memory = if empty {
        allocate(run, bytes, align, Unset::Undefined)
    } else {
        let place = run.offset(vector, POINTER);
        let old = run.load(place, &Shape::Ptr)?;
        let old = run.pointer(&old)?;
        resize(run, old, bytes, align)?
    };
    set(run, vector, CAPACITY, Value::Bits(new))?;
    set(run, vector, POINTER, Value::Ptr(memory))?;
    Ok(Reply::Nothing)
}

fn clone_string(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (result, string) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let length = word(run, string, LENGTH)?;
    let place = run.offset(string, POINTER);
    let from = run.load(place, &Shape::Ptr)?;
    let from = run.pointer(&from)?;
    let known = run.length(length, &[(from, false)], "bytes copied at once")?;
    if known > 0 {
        run.access(from, known, false)?;
    }
    run.access(result, 24, true)?;
    new_string(run, result, known, |run, memory| run.copy_bytes(memory, from, known))?;
    Ok(Reply::Nothing)
}

/// Makes a `String` of `length` bytes at `result`, which is known to be writable.
pub(super) fn new_string(
    run: &mut Run,
    result: Pointer,
    length: u64,
    fill: impl FnOnce(&mut Run, Pointer) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let memory = if length == 0 {
        dangling(Expr::constant(1, 64))
    } else {
        let memory = allocate(run, Expr::constant(length, 64), 1, Unset::Undefined);
        fill(run, memory)?;
        Value::Ptr(memory)
    };
    set(run, result, CAPACITY, Value::int(length, 64))?;
    set(run, result, POINTER, memory)?;
    set(run, result, LENGTH, Value::int(length, 64))
}
