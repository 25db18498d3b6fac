//! `stdlib.h`: allocated memory.

use super::{Arguments, Model, Reply};
use crate::case::FaultKind;
use crate::contents::{Contents, Part, Unset};
use crate::memory::{Kind, Life};
use crate::run::Run;
use crate::state::Stop;
use crate::value::{ObjectId, Pointer, Shape, Value};
use smt::expr::Expr;

/// All of them.
pub const MODELS: &[Model] = &[
    Model { name: "malloc", run: malloc },
    Model { name: "calloc", run: calloc },
    Model { name: "realloc", run: realloc },
    Model { name: "reallocarray", run: reallocarray },
    Model { name: "free", run: free },
    Model { name: "cfree", run: free },
    Model { name: "aligned_alloc", run: aligned_alloc },
    Model { name: "memalign", run: aligned_alloc },
    Model { name: "valloc", run: valloc },
    Model { name: "posix_memalign", run: posix_memalign },
    Model { name: "malloc_usable_size", run: malloc_usable_size },
];

/// The largest size that is ever given.
const LARGEST: u64 = i64::MAX as u64;

/// Error numbers.
const ENOMEM: u64 = 12;
const EINVAL: u64 = 22;

/// Memory of a size, of unset or zero bytes.
pub(crate) fn allocate(run: &mut Run, size: Expr, align: u64, zero: bool) -> Pointer {
    let contents = Contents::new(if zero { Unset::Zero } else { Unset::Undefined });
    Pointer::to(run.state.memory.add(size, align, Kind::Heap, contents))
}

/// Says that a program which looks at a pointer to allocated memory could find it null.
pub(crate) fn might_be_null(run: &mut Run, ptr: Pointer) -> Reply {
    run.state.allocated = true;
    if let Some(object) = run.state.memory.get_mut(ptr.object) {
        object.present = false;
    }
    Reply::Value(Value::Ptr(ptr))
}

/// Ends memory that was allocated; what else it may be is a fault.
pub(crate) fn release(run: &mut Run, ptr: Pointer) -> Result<(), Stop> {
    if run.is_null(ptr)? {
        return Ok(());
    }
    let object = allocated(run, ptr)?;
    run.end_object(object);
    Ok(())
}

/// The allocation that begins at an address.
fn allocated(run: &mut Run, ptr: Pointer) -> Result<ObjectId, Stop> {
    let at_start = run.pool().eq(ptr.offset, Expr::constant(0, 64));
    let object = run.object(ptr.object);
    let (kind, life) = (object.kind, object.life);
    match (kind, life) {
        (Kind::Heap, Life::Ended(_)) => Err(run.fault(FaultKind::DoubleFree, "allocated memory")),
        (Kind::Input(_), Life::Ended(_)) => {
            let name = run.describe(ptr.object);
            Err(run.fault(FaultKind::DoubleFree, &name))
        }
        // What a pointer of the input leads to may have been allocated.
        (Kind::Heap | Kind::Input(_), Life::Alive) => {
            run.check(at_start, FaultKind::InvalidFree, "not the beginning of allocated memory")?;
            Ok(ptr.object)
        }
        _ if ptr.object == ObjectId::NONE => Err(run.fault(FaultKind::InvalidFree, "no address of allocated memory")),
        _ => {
            let name = run.describe(ptr.object);
            Err(run.fault(FaultKind::InvalidFree, &name))
        }
    }
}

/// Asks whether a size can be given at all.
fn possible(run: &mut Run, size: Expr) -> Result<bool, Stop> {
    let fits = run.pool().ule(size, Expr::constant(LARGEST, 64));
    run.decide(fits)
}

/// A product of sizes, unless it overflows.
fn product(run: &mut Run, count: Expr, size: Expr) -> Result<Option<Expr>, Stop> {
    if let (Some(count), Some(size)) = (count.as_const(), size.as_const()) {
        return Ok(count.checked_mul(size).filter(|&size| size <= LARGEST).map(|size| Expr::constant(size, 64)));
    }
    let pool = run.pool();
    let (wide_count, wide_size) = (pool.zext(count, 128), pool.zext(size, 128));
    let wide = pool.mul(wide_count, wide_size);
    let largest = pool.number(LARGEST, 128);
    let fits = pool.ule(wide, largest);
    let product = pool.mul(count, size);
    Ok(run.decide(fits)?.then_some(product))
}

fn given(run: &mut Run, size: Option<Expr>, align: u64, zero: bool) -> Result<Reply, Stop> {
    let size = match size {
        Some(size) if possible(run, size)? => size,
        _ => {
            run.set_errno(ENOMEM)?;
            return Ok(Reply::Value(Value::NULL));
        }
    };
    let memory = allocate(run, size, align, zero);
    Ok(might_be_null(run, memory))
}

fn malloc(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let size = args.unsigned(run, 0)?;
    given(run, Some(size), 16, false)
}

fn calloc(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (count, size) = (args.unsigned(run, 0)?, args.unsigned(run, 1)?);
    let size = product(run, count, size)?;
    given(run, size, 16, true)
}

fn realloc(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let old = args.pointer(run, 0)?;
    let size = args.unsigned(run, 1)?;
    resize(run, old, Some(size))
}

fn reallocarray(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let old = args.pointer(run, 0)?;
    let (count, size) = (args.unsigned(run, 1)?, args.unsigned(run, 2)?);
    let size = product(run, count, size)?;
    resize(run, old, size)
}

/// Moves memory to a new object. Its contents are taken over as a whole: what lies beyond the smaller size is out of
/// bounds or was never written.
fn resize(run: &mut Run, old: Pointer, size: Option<Expr>) -> Result<Reply, Stop> {
    if run.is_null(old)? {
        return given(run, size, 16, false);
    }
    let object = allocated(run, old)?;
    let size = match size {
        Some(size) if possible(run, size)? => size,
        _ => {
            run.set_errno(ENOMEM)?;
            return Ok(Reply::Value(Value::NULL));
        }
    };
    let none = run.pool().eq(size, Expr::constant(0, 64));
    if run.decide(none)? {
        run.end_object(object);
        return Ok(Reply::Value(Value::NULL));
    }
    let old_size = run.object(object).size;
    let mut contents = (*run.object(object).contents).clone();
    if contents.unset == Unset::Zero
        && contents.array.is_none()
        && let Some(end) = old_size.as_const()
    {
        let written = contents.written();
        if contents.is_far(written, end.saturating_sub(written)) {
            return Err(run.bound("more memory of zeros than is looked at"));
        }
        if written < end {
            contents.write_bytes(written, &vec![0; (end - written) as usize]);
        }
        for at in 0..written.min(end) {
            if contents.part(at, 1) == Part::Unset {
                contents.write_bytes(at, &[0]);
            }
        }
        contents.unset = Unset::Undefined;
    }
    if contents.unset == Unset::Input && contents.source.is_none() {
        contents.source = run.input_of(object);
    }
    let new = run.state.memory.add(size, 16, Kind::Heap, contents);
    run.end_object(object);
    Ok(might_be_null(run, Pointer::to(new)))
}

fn free(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    release(run, ptr)?;
    Ok(Reply::Nothing)
}

fn aligned_alloc(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let align = args.unsigned(run, 0)?;
    let size = args.unsigned(run, 1)?;
    let Some(align) = align.as_const() else {
        return Err(run.unsupported("an alignment that is not known"));
    };
    // glibc 2.36 rounds an alignment that is no power of two up to one.
    given(run, Some(size), align.min(1 << 40).next_power_of_two(), false)
}

fn valloc(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let size = args.unsigned(run, 0)?;
    given(run, Some(size), 4096, false)
}

fn posix_memalign(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let place = args.pointer(run, 0)?;
    let align = args.unsigned(run, 1)?;
    let size = args.unsigned(run, 2)?;
    let Some(align) = align.as_const() else {
        return Err(run.unsupported("an alignment that is not known"));
    };
    if align % 8 != 0 || !align.is_power_of_two() {
        return Ok(Reply::Value(Value::int(EINVAL, 32)));
    }
    if !possible(run, size)? {
        return Ok(Reply::Value(Value::int(ENOMEM, 32)));
    }
    run.access(place, 8, true)?;
    let memory = allocate(run, size, align, false);
    run.store(place, &Value::Ptr(memory), &Shape::Ptr)?;
    run.state.asked_for_memory = true;
    Ok(Reply::Value(Value::int(0, 32)))
}

fn malloc_usable_size(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    if run.is_null(ptr)? {
        return Ok(Reply::Value(Value::int(0, 64)));
    }
    let object = allocated(run, ptr)?;
    Ok(Reply::Value(Value::Bits(run.object(object).size)))
}
