//! Integers: overflow, saturation, counting and moving bits.

use super::{element, lanes, scalar_bits};
use crate::models::{Arguments, Model, Reply};
use crate::run::Run;
use crate::state::Stop;
use crate::value::{Shape, Value};
use smt::bits::Bits;
use smt::expr::Expr;
use smt::pool::Pool;

pub(super) const MODELS: &[Model] = &[
    Model { name: "llvm.sadd.with.overflow", run: |run, args| overflowing(run, args, Pool::add, true, 1) },
    Model { name: "llvm.uadd.with.overflow", run: |run, args| overflowing(run, args, Pool::add, false, 1) },
    Model { name: "llvm.ssub.with.overflow", run: |run, args| overflowing(run, args, Pool::sub, true, 1) },
    Model { name: "llvm.usub.with.overflow", run: |run, args| overflowing(run, args, Pool::sub, false, 1) },
    Model { name: "llvm.smul.with.overflow", run: |run, args| overflowing(run, args, Pool::mul, true, 2) },
    Model { name: "llvm.umul.with.overflow", run: |run, args| overflowing(run, args, Pool::mul, false, 2) },
    Model { name: "llvm.sadd.sat", run: |run, args| integers(run, args, |p, x, w| saturate(p, x, w, Pool::add, true)) },
    Model {
        name: "llvm.uadd.sat",
        run: |run, args| integers(run, args, |p, x, w| saturate(p, x, w, Pool::add, false)),
    },
    Model { name: "llvm.ssub.sat", run: |run, args| integers(run, args, |p, x, w| saturate(p, x, w, Pool::sub, true)) },
    Model { name: "llvm.usub.sat", run: |run, args| integers(run, args, usub_sat) },
    Model { name: "llvm.sshl.sat", run: |run, args| integers(run, args, |p, x, w| shl_sat(p, x, w, true)) },
    Model { name: "llvm.ushl.sat", run: |run, args| integers(run, args, |p, x, w| shl_sat(p, x, w, false)) },
    Model { name: "llvm.ctpop", run: |run, args| integers(run, args, count_ones) },
    Model { name: "llvm.ctlz", run: |run, args| integers(run, args, leading_zeros) },
    Model { name: "llvm.cttz", run: |run, args| integers(run, args, trailing_zeros) },
    Model { name: "llvm.bswap", run: |run, args| integers(run, args, |p, x, w| reverse(p, x[0], w, 8)) },
    Model { name: "llvm.bitreverse", run: |run, args| integers(run, args, |p, x, w| reverse(p, x[0], w, 1)) },
    Model { name: "llvm.fshl", run: |run, args| integers(run, args, |p, x, w| funnel(p, x, w, true)) },
    Model { name: "llvm.fshr", run: |run, args| integers(run, args, |p, x, w| funnel(p, x, w, false)) },
    Model { name: "llvm.smin", run: |run, args| integers(run, args, |p, x, _| smaller(p, x[0], x[1], true)) },
    Model { name: "llvm.smax", run: |run, args| integers(run, args, |p, x, _| larger(p, x[0], x[1], true)) },
    Model { name: "llvm.umin", run: |run, args| integers(run, args, |p, x, _| smaller(p, x[0], x[1], false)) },
    Model { name: "llvm.umax", run: |run, args| integers(run, args, |p, x, _| larger(p, x[0], x[1], false)) },
    Model { name: "llvm.abs", run: |run, args| integers(run, args, absolute) },
    Model { name: "llvm.scmp", run: |run, args| compare(run, args, true) },
    Model { name: "llvm.ucmp", run: |run, args| compare(run, args, false) },
];

/// A model of an operation on bits of one width, element by element.
fn integers(run: &mut Run, args: &Arguments, op: fn(&mut Pool, &[Expr], u32) -> Expr) -> Result<Reply, Stop> {
    let wanted = args.shapes.len().max(1);
    lanes(run, args, |run, values, shape| {
        let mut bits = scalar_bits(run, values, args)?;
        let width = shape.bits().unwrap_or(64);
        // What is missing from a call with too few arguments is zero.
        while bits.len() < wanted.max(3) {
            bits.push(run.pool().zero(width));
        }
        Ok(Value::Bits(op(run.pool(), &bits, width)))
    })
}

/// A result and whether it is not the exact one. The exact one fits `width + 1` bits, or `width * factor`.
fn overflowing(
    run: &mut Run,
    args: &Arguments,
    op: fn(&mut Pool, Expr, Expr) -> Expr,
    signed: bool,
    factor: u32,
) -> Result<Reply, Stop> {
    let shape = element(args.shapes.first());
    let width = shape.bits().unwrap_or(64);
    let scalar = |run: &mut Run, left: &Value, right: &Value| -> Result<(Value, Value), Stop> {
        let (a, b) = (run.bits(left, width)?, run.bits(right, width)?);
        let pool = run.pool();
        let result = op(pool, a, b);
        let wide = if factor == 1 { width + 1 } else { width * factor };
        let (wide_a, wide_b) = (extend(pool, a, wide, signed), extend(pool, b, wide, signed));
        let exact = op(pool, wide_a, wide_b);
        let back = extend(pool, result, wide, signed);
        Ok((Value::Bits(result), Value::Bits(pool.ne(exact, back))))
    };
    let (left, right) = (args.value(0), args.value(1));
    let Some(Shape::Many { elements, .. }) = args.shapes.first() else {
        let (result, overflow) = scalar(run, &left, &right)?;
        return Ok(Reply::Value(Value::Many([result, overflow].into())));
    };
    let (mut results, mut overflows) = (Vec::new(), Vec::new());
    for index in 0..elements.len() {
        let (a, b) = (crate::arith::part(&left, index), crate::arith::part(&right, index));
        let (result, overflow) = scalar(run, &a, &b)?;
        results.push(result);
        overflows.push(overflow);
    }
    Ok(Reply::Value(Value::Many([Value::Many(results.into()), Value::Many(overflows.into())].into())))
}

fn extend(pool: &mut Pool, a: Expr, width: u32, signed: bool) -> Expr {
    if signed { pool.sext(a, width) } else { pool.zext(a, width) }
}

fn least(pool: &mut Pool, width: u32) -> Expr {
    pool.bits(&Bits::new(1, width).shl(width - 1))
}

fn greatest(pool: &mut Pool, width: u32) -> Expr {
    pool.bits(&Bits::ones(width).lshr(1))
}

/// The limit that a negative or positive number saturates to.
fn limit(pool: &mut Pool, negative: Expr, width: u32) -> Expr {
    let (low, high) = (least(pool, width), greatest(pool, width));
    pool.ite(negative, low, high)
}

fn saturate(pool: &mut Pool, x: &[Expr], width: u32, op: fn(&mut Pool, Expr, Expr) -> Expr, signed: bool) -> Expr {
    let result = op(pool, x[0], x[1]);
    let (a, b) = (extend(pool, x[0], width + 1, signed), extend(pool, x[1], width + 1, signed));
    let exact = op(pool, a, b);
    let back = extend(pool, result, width + 1, signed);
    let fits = pool.eq(exact, back);
    let beyond = if signed {
        let negative = pool.extract(exact, width, 1);
        limit(pool, negative, width)
    } else {
        pool.ones(width)
    };
    pool.ite(fits, result, beyond)
}

fn usub_sat(pool: &mut Pool, x: &[Expr], width: u32) -> Expr {
    let less = pool.ult(x[0], x[1]);
    let (zero, difference) = (pool.zero(width), pool.sub(x[0], x[1]));
    pool.ite(less, zero, difference)
}

fn shl_sat(pool: &mut Pool, x: &[Expr], width: u32, signed: bool) -> Expr {
    let shifted = pool.shl(x[0], x[1]);
    let back = if signed { pool.ashr(shifted, x[1]) } else { pool.lshr(shifted, x[1]) };
    let fits = pool.eq(back, x[0]);
    let beyond = if signed {
        let negative = pool.extract(x[0], width - 1, 1);
        limit(pool, negative, width)
    } else {
        pool.ones(width)
    };
    pool.ite(fits, shifted, beyond)
}

/// Sums of neighbours, of pairs, of pairs of pairs.
fn count_ones(pool: &mut Pool, x: &[Expr], width: u32) -> Expr {
    let mut sum = x[0];
    let mut step = 1;
    while step < width {
        let mut mask = Bits::zero(width);
        for low in (0..width).step_by(step as usize * 2) {
            let field = Bits::ones(width).lshr(width - step.min(width - low)).shl(low);
            mask = mask.add(&field);
        }
        let mask = pool.bits(&mask);
        let distance = pool.number(step.into(), width);
        let high = pool.lshr(sum, distance);
        let (low, high) = (pool.and(sum, mask), pool.and(high, mask));
        sum = pool.add(low, high);
        step *= 2;
    }
    sum
}

fn leading_zeros(pool: &mut Pool, x: &[Expr], width: u32) -> Expr {
    first_one(pool, x[0], width, |index| width - 1 - index, 0..width)
}

fn trailing_zeros(pool: &mut Pool, x: &[Expr], width: u32) -> Expr {
    first_one(pool, x[0], width, |index| index, (0..width).rev())
}

/// A number for the last one in `order` of the bits that are set; the width if none is.
fn first_one(
    pool: &mut Pool,
    x: Expr,
    width: u32,
    number: impl Fn(u32) -> u32,
    order: impl Iterator<Item = u32>,
) -> Expr {
    // In 1 bit the width itself wraps to 1, which is right: there is one zero.
    let mut result = pool.number(width.into(), width);
    for index in order {
        let bit = pool.extract(x, index, 1);
        let found = pool.number(number(index).into(), width);
        result = pool.ite(bit, found, result);
    }
    result
}

/// Pieces of `step` bits in the opposite order.
fn reverse(pool: &mut Pool, x: Expr, width: u32, step: u32) -> Expr {
    let mut result: Option<Expr> = None;
    for low in (0..width).step_by(step as usize) {
        let piece = pool.extract(x, low, step.min(width - low));
        result = Some(match result {
            Some(high) => pool.concat(high, piece),
            None => piece,
        });
    }
    result.unwrap_or(x)
}

/// Shifts the first operand above the second and cuts out as many bits.
fn funnel(pool: &mut Pool, x: &[Expr], width: u32, left: bool) -> Expr {
    let size = pool.number(width.into(), width.max(8));
    let distance = if width < 8 { pool.zext(x[2], 8) } else { x[2] };
    let distance = pool.urem(distance, size);
    let distance = pool.zext(distance, (width * 2).max(8));
    let distance = pool.extract(distance, 0, width * 2);
    let both = pool.concat(x[0], x[1]);
    if left {
        let shifted = pool.shl(both, distance);
        pool.extract(shifted, width, width)
    } else {
        let shifted = pool.lshr(both, distance);
        pool.extract(shifted, 0, width)
    }
}

pub(super) fn smaller(pool: &mut Pool, a: Expr, b: Expr, signed: bool) -> Expr {
    let less = if signed { pool.slt(a, b) } else { pool.ult(a, b) };
    pool.ite(less, a, b)
}

pub(super) fn larger(pool: &mut Pool, a: Expr, b: Expr, signed: bool) -> Expr {
    let less = if signed { pool.slt(a, b) } else { pool.ult(a, b) };
    pool.ite(less, b, a)
}

fn absolute(pool: &mut Pool, x: &[Expr], width: u32) -> Expr {
    let negative = pool.extract(x[0], width - 1, 1);
    let minus = pool.neg(x[0]);
    pool.ite(negative, minus, x[0])
}

/// -1, 0 or 1.
fn compare(run: &mut Run, args: &Arguments, signed: bool) -> Result<Reply, Stop> {
    lanes(run, args, |run, values, shape| {
        let bits = scalar_bits(run, values, args)?;
        let width = shape.bits().unwrap_or(8);
        let (Some(&a), Some(&b)) = (bits.first(), bits.get(1)) else { return Ok(Value::Undef) };
        let pool = run.pool();
        let less = if signed { pool.slt(a, b) } else { pool.ult(a, b) };
        let equal = pool.eq(a, b);
        let (zero, one, minus) = (pool.zero(width), pool.number(1, width), pool.ones(width));
        let otherwise = pool.ite(equal, zero, one);
        Ok(Value::Bits(pool.ite(less, minus, otherwise)))
    })
}
