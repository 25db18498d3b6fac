//! Operations that are held as others: a shift as a slice, another sign of a float as another bit, a range as one comparison.

use crate::expr::{Expr, Op, TermId, mask, signed};
use crate::pool::Pool;
use crate::pool::canonical::commutes;
use std::collections::BTreeMap;

/// What becomes of the sign of a float where only that changes.
pub(super) enum Sign {
    Other,
    Positive,
}

/// A number of which only the first bit changes: floats are negated so, and made positive.
pub(super) fn changed_sign(pool: &Pool, id: TermId) -> Option<(Sign, Expr)> {
    let node = pool.node(id);
    let width = node.width;
    match (node.op, node.args()) {
        (Op::Xor, &[a, b]) if matches!(width, 32 | 64) => {
            let sign = Some(1 << (width - 1));
            let value = if a.as_const() == sign { b } else { a };
            (a.as_const() == sign || b.as_const() == sign).then_some((Sign::Other, value))
        }
        (Op::ZExt, &[Expr::Term(inner)]) if matches!(width, 32 | 64) => {
            let inner = pool.node(inner);
            let value = *inner.args().first()?;
            let rest = inner.op == Op::Extract { low: 0 } && inner.width == width - 1 && pool.width(value) == width;
            rest.then_some((Sign::Positive, value))
        }
        _ => None,
    }
}

/// What is computed, if its value with more bits is compared with the same computed with more bits.
pub(super) fn overflowing(pool: &Pool, short: Expr, long: Expr) -> Option<Expr> {
    let extension = |expr: Expr| match expr {
        Expr::Term(id) if matches!(pool.node(id).op, Op::ZExt | Op::SExt) => {
            Some((pool.node(id).op, pool.node(id).args()[0]))
        }
        _ => None,
    };
    let (kind, computed) = extension(short)?;
    let (Expr::Term(narrow), Expr::Term(wide)) = (computed, long) else { return None };
    let (narrow, wide) = (pool.node(narrow), pool.node(wide));
    if narrow.op != wide.op || !matches!(narrow.op, Op::Add | Op::Sub | Op::Mul) {
        return None;
    }
    let bare = |expr: Expr| {
        let mut expr = expr;
        while let Some((_, inner)) = extension(expr) {
            expr = inner;
        }
        expr
    };
    let is_same = |(one, other): (&Expr, &Expr)| match (*one, *other) {
        (Expr::Const { bits, width }, other) => {
            let signed = signed(bits, width) as u64;
            other
                .as_const()
                .is_some_and(|long| long == if kind == Op::SExt { signed & mask(pool.width(other)) } else { bits })
        }
        (one, other) => bare(one) == bare(other),
    };
    let (own, others) = (narrow.args(), wide.args());
    let same = own.iter().zip(others).all(is_same);
    let crossed = commutes(narrow.op) && own.iter().zip(others.iter().rev()).all(is_same);
    (same || crossed).then_some(computed)
}

/// The name of an array of the input, if these are its elements.
pub(super) fn whole<'p>(pool: &'p Pool, table: &[u64], places: &BTreeMap<u64, Expr>) -> Option<&'p str> {
    let name = |expr: Expr| match expr {
        Expr::Term(id) => match pool.node(id).op {
            Op::Symbol(symbol) => Some(&*pool.symbol_info(symbol).name),
            _ => None,
        },
        Expr::Const { .. } => None,
    };
    let stem = name(*places.get(&0)?)?.strip_suffix("[0]")?;
    let is_element = |(at, (&place, &value)): (u64, (&u64, &Expr))| {
        at == place && name(value).and_then(|name| name.strip_prefix(stem)) == Some(&format!("[{at}]"))
    };
    (places.len() >= table.len() && (0u64..).zip(places).all(is_element)).then_some(stem)
}

/// A shift by a constant, which is held as a slice under or above zeros.
pub(super) fn shift(pool: &Pool, id: TermId) -> Option<(&'static str, Expr, u32)> {
    let node = pool.node(id);
    let slice = |expr: Expr| match expr {
        Expr::Term(inner) => match pool.node(inner).op {
            Op::Extract { low } => Some((pool.node(inner).args()[0], low, pool.node(inner).width)),
            _ => None,
        },
        Expr::Const { .. } => None,
    };
    match node.op {
        Op::Concat => {
            let (value, low, _) = slice(node.args()[0])?;
            let zeros = node.args()[1];
            (low == 0 && zeros.as_const() == Some(0) && pool.width(value) == node.width)
                .then(|| ("<<", value, pool.width(zeros)))
        }
        Op::ZExt | Op::SExt => {
            let (value, low, width) = slice(node.args()[0])?;
            (low > 0 && low + width == pool.width(value) && pool.width(value) == node.width)
                .then_some((">>", value, low))
        }
        _ => None,
    }
}

/// A range of numbers with a sign, or all others.
pub(super) struct Range {
    pub(super) of: Expr,
    pub(super) low: Expr,
    pub(super) high: Expr,
    pub(super) is_inside: bool,
}

/// The range that a comparison without signs means: `m - 1 <= 11` are the numbers from 1 to 12.
pub(super) fn range(pool: &Pool, strict: bool, a: Expr, b: Expr) -> Option<Range> {
    let sum = |expr: Expr| match expr {
        Expr::Term(id) if pool.node(id).op == Op::Add => match *pool.node(id).args() {
            [of, Expr::Const { bits, width }] if width <= 64 => Some((of, bits, width)),
            _ => None,
        },
        _ => None,
    };
    // Up to which distance from the lowest number.
    let ((of, added, width), last, is_inside) = match (a, b) {
        (a, Expr::Const { bits, .. }) => (sum(a)?, bits.checked_sub(strict.into())?, true),
        (Expr::Const { bits, .. }, b) => (sum(b)?, bits.checked_sub((!strict).into())?, false),
        _ => return None,
    };
    let low = signed(added.wrapping_neg() & mask(width), width);
    let high = i128::from(low) + i128::from(last);
    let greatest = (mask(width) >> 1) as i64;
    let number = |value: i64| Expr::constant(value as u64 & mask(width), width);
    if high < i128::from(greatest) && low > -greatest - 1 {
        return Some(Range { of, low: number(low), high: number(high as i64), is_inside });
    }
    // It goes over the greatest number: what it leaves out is a range.
    let from = high - i128::from(mask(width));
    let is_around = high > i128::from(greatest) && from > i128::from(-greatest - 1) && low > -greatest;
    is_around.then(|| Range { of, low: number(from as i64), high: number(low - 1), is_inside: !is_inside })
}
