//! A check of the library that asks for addresses: whether what is copied overlaps. Of two objects it never does, wherever
//! they lie, so no run depends on that.
//!
//! The function is part of every program that is built with checks; its model takes its place.

use crate::models::{Arguments, Model, Reply};
use crate::run::Run;
use crate::state::Stop;
use crate::value::Value;
use smt::expr::Expr;

/// The model that takes the place of a function with code.
pub fn instead_of(symbol: &str) -> Option<Model> {
    symbol.contains("is_nonoverlapping7runtime").then_some(Model { name: "is_nonoverlapping", run: is_nonoverlapping })
}

/// `fn(source: *const (), target: *const (), size: usize, count: usize) -> bool`
fn is_nonoverlapping(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (source, target) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let (size, count) = (args.bits(run, 2)?, args.bits(run, 3)?);
    if source.object != target.object {
        return Ok(Reply::Value(Value::Bits(Expr::bool(true))));
    }
    let pool = run.pool();
    let size = pool.mul(size, count);
    let (there, back) = (pool.sub(target.offset, source.offset), pool.sub(source.offset, target.offset));
    let is_behind = pool.ule(source.offset, target.offset);
    let distance = pool.ite(is_behind, there, back);
    Ok(Reply::Value(Value::Bits(pool.ule(size, distance))))
}
