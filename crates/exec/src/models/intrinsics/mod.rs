//! LLVM's intrinsics: memory, control and odds and ends here, arithmetic in the modules below.

mod float;
mod integer;
mod vector;

use super::{Arguments, Model, Reply};
use crate::arith::part;
use crate::case::FaultKind;
use crate::run::Run;
use crate::state::{RemarkKind, Stop};
use crate::value::{Pointer, Shape, Value};
use smt::expr::Expr;

/// All of them, by family.
pub fn models() -> impl Iterator<Item = Model> {
    [MODELS, integer::MODELS, float::MODELS, vector::MODELS].into_iter().flatten().copied()
}

const MODELS: &[Model] = &[
    Model { name: "llvm.memcpy", run: copy },
    Model { name: "llvm.memcpy.inline", run: copy },
    Model { name: "llvm.memcpy.element.unordered.atomic", run: copy },
    Model { name: "llvm.memmove", run: move_bytes },
    Model { name: "llvm.memmove.element.unordered.atomic", run: move_bytes },
    Model { name: "llvm.memset", run: fill },
    Model { name: "llvm.memset.inline", run: fill },
    Model { name: "llvm.memset.element.unordered.atomic", run: fill },
    Model { name: "llvm.lifetime.start", run: nothing },
    Model { name: "llvm.lifetime.end", run: nothing },
    Model { name: "llvm.invariant.start", run: null },
    Model { name: "llvm.invariant.end", run: nothing },
    Model { name: "llvm.experimental.noalias.scope.decl", run: nothing },
    Model { name: "llvm.launder.invariant.group", run: first },
    Model { name: "llvm.strip.invariant.group", run: first },
    Model { name: "llvm.va_start", run: va_start },
    Model { name: "llvm.va_end", run: nothing },
    Model { name: "llvm.va_copy", run: va_copy },
    Model { name: "llvm.assume", run: assume },
    Model { name: "llvm.expect", run: first },
    Model { name: "llvm.expect.with.probability", run: first },
    Model { name: "llvm.ssa.copy", run: first },
    Model { name: "llvm.annotation", run: first },
    Model { name: "llvm.ptr.annotation", run: first },
    Model { name: "llvm.var.annotation", run: nothing },
    Model { name: "llvm.arithmetic.fence", run: first },
    Model { name: "llvm.threadlocal.address", run: first },
    Model { name: "llvm.ptrmask", run: mask_pointer },
    Model { name: "llvm.prefetch", run: nothing },
    Model { name: "llvm.donothing", run: nothing },
    Model { name: "llvm.sideeffect", run: nothing },
    Model { name: "llvm.pseudoprobe", run: nothing },
    Model { name: "llvm.codeview.annotation", run: nothing },
    Model { name: "llvm.debugtrap", run: nothing },
    Model { name: "llvm.trap", run: trap },
    Model { name: "llvm.ubsantrap", run: trap },
    Model { name: "llvm.is.constant", run: no },
    Model { name: "llvm.objectsize", run: object_size },
    Model { name: "llvm.stacksave", run: null },
    Model { name: "llvm.stackrestore", run: nothing },
    Model { name: "llvm.frameaddress", run: unknown_address },
    Model { name: "llvm.returnaddress", run: unknown_address },
    Model { name: "llvm.addressofreturnaddress", run: unknown_address },
    Model { name: "llvm.allow.runtime.check", run: yes },
    Model { name: "llvm.allow.ubsan.check", run: yes },
    Model { name: "llvm.load.relative", run: load_relative },
];

fn nothing(_: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    Ok(Reply::Nothing)
}

fn first(_: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    Ok(Reply::Value(args.value(0)))
}

fn null(_: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    Ok(Reply::Value(Value::NULL))
}

fn yes(_: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    Ok(Reply::Value(Value::int(1, 1)))
}

/// `is.constant`: unoptimised code does not know.
fn no(_: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    Ok(Reply::Value(Value::int(0, 1)))
}

fn trap(run: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    Err(run.fault(FaultKind::Abort, "trap"))
}

/// A condition that the compiler was told to believe; unoptimised code does not look at it.
fn assume(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    if run.program().options.check_undefined {
        let condition = args.bits(run, 0)?;
        run.check(condition, FaultKind::Unreachable, "an assumption does not hold")?;
    }
    Ok(Reply::Nothing)
}

/// As unoptimised code has it: nothing is known of any object.
fn object_size(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let least = args.bits(run, 1)?.is_true();
    let width = args.result_bits();
    let size = if least { run.pool().zero(width) } else { run.pool().ones(width) };
    Ok(Reply::Value(Value::Bits(size)))
}

fn unknown_address(run: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    run.remark(RemarkKind::Address);
    Ok(Reply::Value(Value::NULL))
}

/// A pointer with some of its low bits cleared.
fn mask_pointer(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let word = Shape::Int { bits: 64, bytes: 8 };
    let none = ir::inst::Flags::empty();
    let masked = run.binary(ir::inst::BinaryOp::And, none, &args.value(0), &args.value(1), &word)?;
    let pointer = run.pointer(&masked)?;
    Ok(Reply::Value(Value::Ptr(pointer)))
}

/// The address in a table of distances from the table's own beginning.
fn load_relative(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let base = args.pointer(run, 0)?;
    let offset = args.bits(run, 1)?;
    let offset = run.pool().sext(offset, 64);
    let place = Pointer { object: base.object, offset: run.pool().add(base.offset, offset) };
    let distance = run.load(place, &Shape::Int { bits: 32, bytes: 4 })?;
    let distance = run.bits(&distance, 32)?;
    let distance = run.pool().sext(distance, 64);
    let address = run.address(base)?;
    let target = run.pool().add(address, distance);
    let target = Pointer { object: crate::value::ObjectId::NONE, offset: target };
    Ok(Reply::Value(Value::Ptr(target)))
}

fn copy(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (to, from, size) = places(run, args)?;
    run.copy_apart(to, from, size)?;
    Ok(Reply::Nothing)
}

fn move_bytes(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (to, from, size) = places(run, args)?;
    run.copy_bytes(to, from, size)?;
    Ok(Reply::Nothing)
}

/// Where bytes are copied to, from where, and how many.
fn places(run: &mut Run, args: &Arguments) -> Result<(Pointer, Pointer, u64), Stop> {
    let (to, from) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let size = args.bits(run, 2)?;
    let size = run.length(size, &[(from, false), (to, true)], "bytes copied at once")?;
    Ok((to, from, size))
}

fn fill(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let to = args.pointer(run, 0)?;
    let byte = args.bits(run, 1)?;
    let size = args.bits(run, 2)?;
    let size = run.length(size, &[(to, true)], "bytes written at once")?;
    run.fill_bytes(to, byte, size)?;
    Ok(Reply::Nothing)
}

fn va_start(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let list = args.pointer(run, 0)?;
    run.start_arguments(list)?;
    Ok(Reply::Nothing)
}

fn va_copy(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (to, from) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    run.copy_bytes(to, from, 24)?;
    Ok(Reply::Nothing)
}

/// Does the same to every element of a vector, or to a scalar. Arguments that are no vectors are the same for all.
pub(super) fn lanes(
    run: &mut Run,
    args: &Arguments,
    mut scalar: impl FnMut(&mut Run, &[Value], &Shape) -> Result<Value, Stop>,
) -> Result<Reply, Stop> {
    let Shape::Many { elements, .. } = args.result else {
        return scalar(run, args.values, args.result).map(Reply::Value);
    };
    let mut results = Vec::with_capacity(elements.len());
    for (index, (_, element)) in elements.iter().enumerate() {
        let values: Vec<Value> = args
            .values
            .iter()
            .zip(args.shapes)
            .map(|(value, shape)| if matches!(shape, Shape::Many { .. }) { part(value, index) } else { value.clone() })
            .collect();
        results.push(scalar(run, &values, element)?);
    }
    Ok(Reply::Value(Value::Many(results.into())))
}

/// The shape of a vector's elements, or of a scalar.
pub(super) fn element(shape: Option<&Shape>) -> Shape {
    match shape {
        Some(Shape::Many { elements, .. }) => elements.first().map_or(Shape::Void, |(_, element)| element.clone()),
        Some(shape) => shape.clone(),
        None => Shape::Void,
    }
}

/// The bits of scalars that all have the shape of the first argument's elements, or their own where it is no vector.
fn scalar_bits(run: &mut Run, values: &[Value], args: &Arguments) -> Result<Vec<Expr>, Stop> {
    let mut bits = Vec::with_capacity(values.len());
    for (index, value) in values.iter().enumerate() {
        let width = element(args.shapes.get(index)).bits().unwrap_or(64);
        bits.push(run.bits(value, width)?);
    }
    Ok(bits)
}
