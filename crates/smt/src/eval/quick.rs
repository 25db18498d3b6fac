//! Evaluation of small expressions, without any memory of its own. Most conditions are a few terms of at most 64 bits.

use super::{Evaluator, Model};
use crate::expr::{Expr, Op};
use crate::fold::fold_small;
use crate::pool::Pool;

/// How deep and how many terms; what is larger shares terms that are better evaluated once.
const MAX_DEPTH: u32 = 24;
const MAX_TERMS: u32 = 64;

/// Whether a truth value holds; nothing if some operation in it may give any value.
pub fn holds(pool: &Pool, model: &Model, expr: Expr) -> Option<bool> {
    match small(pool, model, expr, MAX_DEPTH, &mut { MAX_TERMS }) {
        Some(value) => Some(value == 1),
        None => Evaluator::new(pool, model).holds(expr),
    }
}

/// The value of an expression; nothing if it is too large or has terms that are not simple.
fn small(pool: &Pool, model: &Model, expr: Expr, depth: u32, left: &mut u32) -> Option<u64> {
    let id = match expr {
        Expr::Const { bits, .. } => return Some(bits),
        Expr::Term(id) => id,
    };
    let (depth, node) = (depth.checked_sub(1)?, pool.node(id));
    *left = left.checked_sub(1)?;
    if node.width > 64 {
        return None;
    }
    let args = node.args();
    let mut value = |expr: Expr| small(pool, model, expr, depth, left);
    match node.op {
        Op::Symbol(symbol) => Some(model.small(symbol)),
        Op::Ite => {
            let chosen = if value(args[0])? == 1 { args[1] } else { args[2] };
            value(chosen)
        }
        Op::Concat => {
            let (high, low) = (value(args[0])?, value(args[1])?);
            Some(high << pool.width(args[1]) | low)
        }
        Op::Select => {
            let Expr::Term(array) = args[0] else { return None };
            let Op::ArrayTable(table) = pool.node(array).op else { return None };
            let index = usize::try_from(value(args[1])?).unwrap_or(usize::MAX);
            Some(pool.table(table).get(index).copied().unwrap_or(0))
        }
        Op::Float(_) | Op::Apply { .. } | Op::Wide(_) | Op::Store | Op::ArraySymbol(_) | Op::ArrayTable(_) => None,
        op => {
            let a = value(*args.first()?)?;
            let b = args.get(1).map_or(Some(0), |&b| value(b))?;
            let width = pool.width(args[0]);
            if width > 64 {
                return None;
            }
            fold_small(op, node.width, width, a, b)
        }
    }
}
