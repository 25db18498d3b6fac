//! Vectors: reductions, and memory under a mask.

use super::element;
use super::integer::{larger, smaller};
use crate::arith::part;
use crate::models::math::{self, Choice};
use crate::models::{Arguments, Model, Reply};
use crate::run::Run;
use crate::state::Stop;
use crate::value::{Shape, Value};
use ir::inst::{BinaryOp, Flags};

pub(super) const MODELS: &[Model] = &[
    Model { name: "llvm.vector.reduce.add", run: |run, args| reduce(run, args, BinaryOp::Add) },
    Model { name: "llvm.vector.reduce.mul", run: |run, args| reduce(run, args, BinaryOp::Mul) },
    Model { name: "llvm.vector.reduce.and", run: |run, args| reduce(run, args, BinaryOp::And) },
    Model { name: "llvm.vector.reduce.or", run: |run, args| reduce(run, args, BinaryOp::Or) },
    Model { name: "llvm.vector.reduce.xor", run: |run, args| reduce(run, args, BinaryOp::Xor) },
    Model { name: "llvm.vector.reduce.smin", run: |run, args| extreme(run, args, false, true) },
    Model { name: "llvm.vector.reduce.smax", run: |run, args| extreme(run, args, true, true) },
    Model { name: "llvm.vector.reduce.umin", run: |run, args| extreme(run, args, false, false) },
    Model { name: "llvm.vector.reduce.umax", run: |run, args| extreme(run, args, true, false) },
    Model { name: "llvm.vector.reduce.fadd", run: |run, args| reduce_from(run, args, BinaryOp::FAdd) },
    Model { name: "llvm.vector.reduce.fmul", run: |run, args| reduce_from(run, args, BinaryOp::FMul) },
    Model { name: "llvm.vector.reduce.fmin", run: |run, args| float_extreme(run, args, false) },
    Model { name: "llvm.vector.reduce.fmax", run: |run, args| float_extreme(run, args, true) },
    Model { name: "llvm.masked.load", run: masked_load },
    Model { name: "llvm.masked.store", run: masked_store },
];

/// How many elements an argument has.
fn count(args: &Arguments, index: usize) -> usize {
    match args.shapes.get(index) {
        Some(Shape::Many { elements, .. }) => elements.len(),
        _ => 0,
    }
}

/// The elements of an argument.
fn parts(args: &Arguments, index: usize) -> Vec<Value> {
    let value = args.value(index);
    (0..count(args, index)).map(|i| part(&value, i)).collect()
}

fn fold(
    run: &mut Run,
    first: Option<Value>,
    parts: Vec<Value>,
    mut step: impl FnMut(&mut Run, &Value, &Value) -> Result<Value, Stop>,
) -> Result<Reply, Stop> {
    let mut result = first;
    for value in parts {
        result = Some(match result {
            Some(so_far) => step(run, &so_far, &value)?,
            None => value,
        });
    }
    Ok(Reply::Value(result.unwrap_or(Value::Undef)))
}

fn reduce(run: &mut Run, args: &Arguments, op: BinaryOp) -> Result<Reply, Stop> {
    fold(run, None, parts(args, 0), |run, a, b| run.binary(op, Flags::empty(), a, b, args.result))
}

/// In order, from a first value on.
fn reduce_from(run: &mut Run, args: &Arguments, op: BinaryOp) -> Result<Reply, Stop> {
    let first = args.value(0);
    fold(run, Some(first), parts(args, 1), |run, a, b| run.binary(op, Flags::empty(), a, b, args.result))
}

fn extreme(run: &mut Run, args: &Arguments, greater: bool, signed: bool) -> Result<Reply, Stop> {
    let width = args.result_bits();
    fold(run, None, parts(args, 0), |run, a, b| {
        let (a, b) = (run.bits(a, width)?, run.bits(b, width)?);
        let pool = run.pool();
        Ok(Value::Bits(if greater { larger(pool, a, b, signed) } else { smaller(pool, a, b, signed) }))
    })
}

fn float_extreme(run: &mut Run, args: &Arguments, greater: bool) -> Result<Reply, Stop> {
    let shape = element(args.shapes.first());
    let shapes = [shape.clone(), shape.clone()];
    fold(run, None, parts(args, 0), |run, a, b| {
        let values = [a.clone(), b.clone()];
        let both = Arguments { function: args.function, values: &values, shapes: &shapes, result: &shape };
        match math::extreme(run, &both, greater, Choice::Number)? {
            Reply::Value(value) => Ok(value),
            _ => Ok(Value::Undef),
        }
    })
}

/// Which elements a mask names, in order.
fn enabled(run: &mut Run, args: &Arguments, index: usize) -> Result<Vec<bool>, Stop> {
    let mut enabled = Vec::new();
    for bit in parts(args, index) {
        let bit = run.bits(&bit, 1)?;
        enabled.push(run.decide(bit)?);
    }
    Ok(enabled)
}

/// Where the mask stands: newer forms have no argument for the alignment.
fn mask_index(args: &Arguments, first: usize) -> usize {
    if matches!(args.shapes.get(first), Some(Shape::Many { .. })) { first } else { first + 1 }
}

fn masked_load(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let base = args.pointer(run, 0)?;
    let mask = mask_index(args, 1);
    let enabled = enabled(run, args, mask)?;
    let Shape::Many { elements, .. } = args.result else { return Err(run.unsupported("masked load")) };
    let otherwise = args.value(mask + 1);
    let mut values = Vec::with_capacity(elements.len());
    for (index, (offset, shape)) in elements.iter().enumerate() {
        values.push(if enabled.get(index).copied().unwrap_or(false) {
            let place = run.offset(base, *offset);
            run.load(place, shape)?
        } else {
            part(&otherwise, index)
        });
    }
    Ok(Reply::Value(Value::Many(values.into())))
}

fn masked_store(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let base = args.pointer(run, 1)?;
    let mask = mask_index(args, 2);
    let enabled = enabled(run, args, mask)?;
    let Some(Shape::Many { elements, .. }) = args.shapes.first() else { return Err(run.unsupported("masked store")) };
    let chosen: Vec<(usize, u64, &Shape)> = elements
        .iter()
        .enumerate()
        .filter(|(index, _)| enabled.get(*index).copied().unwrap_or(false))
        .map(|(index, (offset, shape))| (index, *offset, shape))
        .collect();
    // Every place is checked before one is written.
    for (_, offset, shape) in &chosen {
        let place = run.offset(base, *offset);
        run.access(place, shape.size(), true)?;
    }
    for (index, offset, shape) in chosen {
        let place = run.offset(base, offset);
        run.store(place, &part(&args.value(0), index), shape)?;
    }
    Ok(Reply::Nothing)
}
