//! Whether the text of an expression means in C, C++ and Rust what the expression means.
//!
//! [`crate::show`] leaves out what mostly does not matter: that numbers are extended before they are used, how wide a sum is,
//! which sign a character has. Who claims something of all inputs must not do so.

use crate::expr::{Expr, FloatFormat, FloatOp, Op};
use crate::pool::{Pool, Reading};
use rustc_hash::FxHashSet;

/// Whether a condition can be read as it is shown.
pub fn is_plain(pool: &Pool, condition: Expr) -> bool {
    let (mut todo, mut seen) = (vec![condition], FxHashSet::default());
    while let Some(expr) = todo.pop() {
        let Expr::Term(id) = expr else { continue };
        if !seen.insert(id) {
            continue;
        }
        let node = pool.node(id);
        let args = node.args();
        let plain = match node.op {
            Op::And | Op::Or | Op::Xor | Op::Not if node.width == 1 => true,
            // Numbers are computed with as they are read: shorter ones become `int` first.
            Op::Add | Op::Sub | Op::Mul | Op::Neg | Op::And | Op::Or | Op::Xor | Op::Not | Op::Shl => {
                is_number(node.width) && args.iter().all(|&arg| !is_extended(pool, arg) || node.width == 32)
            }
            Op::UDiv | Op::URem | Op::LShr => has_sign(pool, args, node.width, false),
            Op::SDiv | Op::SRem | Op::AShr => has_sign(pool, args, node.width, true),
            Op::Ult | Op::Ule => compares(pool, args, false),
            Op::Slt | Op::Sle => compares(pool, args, true),
            // Equal bits are not what `==` says of floats: there are two zeros.
            Op::Eq if args.iter().any(|&arg| is_float(pool, arg)) => false,
            Op::Eq => args.iter().all(|&arg| pool.width(arg) != 8 || !is_character(pool, args) || is_ascii(arg)),
            Op::ZExt => extends(pool, args[0], false),
            Op::SExt => extends(pool, args[0], true),
            // Tables have no names, so that two of them read alike.
            Op::Extract { .. } | Op::Concat | Op::Store | Op::ArrayTable(_) => false,
            Op::Float(op) => is_plain_float(pool, op, args),
            _ => true,
        };
        if !plain {
            return false;
        }
        match node.op {
            Op::Apply { args, .. } => todo.extend(pool.apply_args(args)),
            _ => todo.extend(args),
        }
    }
    true
}

/// Whether a condition computes with numbers that have a sign, such that a result may be too large for them: here it wraps
/// around, as it does in the unoptimised program, and the text does not say so.
pub fn may_wrap(pool: &Pool, condition: Expr) -> bool {
    let (mut todo, mut seen) = (vec![condition], FxHashSet::default());
    while let Some(expr) = todo.pop() {
        let Expr::Term(id) = expr else { continue };
        if !seen.insert(id) {
            continue;
        }
        let node = pool.node(id);
        // As many bits as a number with a sign needs for what an operand may be.
        let bits = |arg: &Expr| match *arg {
            Expr::Term(id) if is_extended(pool, *arg) => {
                pool.width(pool.node(id).args()[0]) + u32::from(pool.node(id).op == Op::ZExt)
            }
            _ => arg.as_const().map_or(node.width, |value| 65 - value.leading_zeros()),
        };
        let sizes = node.args().iter().map(bits);
        let needed = match node.op {
            Op::Add | Op::Sub | Op::Neg => sizes.max().unwrap_or(0) + 1,
            Op::Mul => sizes.sum(),
            Op::Shl => node.width + 1,
            _ => 0,
        };
        if is_number(node.width) && needed > node.width && !computes_unsigned(pool, expr) {
            return true;
        }
        match node.op {
            Op::Apply { args, .. } => todo.extend(pool.apply_args(args)),
            _ => todo.extend(node.args()),
        }
    }
    false
}

fn is_float(pool: &Pool, expr: Expr) -> bool {
    let Expr::Term(id) = expr else { return false };
    match pool.node(id).op {
        Op::Float(_) => pool.width(expr) > 1,
        _ => matches!(reading(pool, expr), Some(Reading::Float(_))),
    }
}

/// Whether an operation on floats is one without its conversions, which are not shown, and with numbers as they are shown.
fn is_plain_float(pool: &Pool, op: FloatOp, args: &[Expr]) -> bool {
    match op {
        // What every language does by itself, and exactly.
        FloatOp::Convert { from, to, .. } => return from == FloatFormat::Single && to == FloatFormat::Double,
        FloatOp::FromInt { to, signed, .. } => {
            return to == FloatFormat::Double && pool.width(args[0]) <= 32 && extends(pool, args[0], signed);
        }
        FloatOp::ToInt { .. } => return false,
        _ => {}
    }
    let is_single = args.iter().any(|&arg| pool.width(arg) == 32);
    // `0.1` is a `double`, and another number than `0.1f`.
    let is_exact = |arg: &Expr| match arg.as_const() {
        Some(bits) if is_single => {
            let value = f32::from_bits(bits as u32);
            value.to_string().parse::<f64>().is_ok_and(|shown| shown == f64::from(value))
        }
        _ => true,
    };
    // And what is computed with a `double` is one.
    let compares = matches!(op, FloatOp::Eq(_) | FloatOp::Lt(_) | FloatOp::Le(_) | FloatOp::IsNan(_));
    let is_known = |arg: &Expr| arg.as_const().is_some();
    args.iter().all(is_exact) && (compares || !is_single || !args.iter().any(is_known))
}

fn is_number(width: u32) -> bool {
    matches!(width, 32 | 64)
}

fn is_extended(pool: &Pool, expr: Expr) -> bool {
    matches!(expr, Expr::Term(id) if matches!(pool.node(id).op, Op::ZExt | Op::SExt))
}

/// How a value is read, if it is an input or an extended one.
fn reading(pool: &Pool, expr: Expr) -> Option<Reading> {
    let Expr::Term(id) = expr else { return None };
    let node = pool.node(id);
    match node.op {
        Op::Symbol(symbol) => Some(pool.symbol_info(symbol).reading),
        Op::ZExt | Op::SExt => reading(pool, node.args()[0]),
        _ => None,
    }
}

/// Whether an extension is the one that the type of an input has.
fn extends(pool: &Pool, from: Expr, signed: bool) -> bool {
    match reading(pool, from) {
        Some(Reading::Signed | Reading::Char) => signed,
        Some(Reading::Unsigned) => !signed,
        // A truth value.
        None => pool.width(from) == 1 && !signed,
        _ => false,
    }
}

/// Whether an operation has the sign that its operands have.
fn has_sign(pool: &Pool, args: &[Expr], width: u32, signed: bool) -> bool {
    let fits = |arg: &Expr| match reading(pool, *arg) {
        Some(Reading::Signed) => signed,
        Some(Reading::Unsigned) => !signed && pool.width(*arg) == width,
        None => matches!(arg, Expr::Const { .. }) || signed,
        _ => false,
    };
    is_number(width) && args.iter().all(|arg| fits(arg) && (!is_extended(pool, *arg) || width == 32))
}

/// Whether a comparison is shown with its sign: that of its operands, or a cast.
fn compares(pool: &Pool, args: &[Expr], signed: bool) -> bool {
    let width = args.first().map_or(0, |&arg| pool.width(arg));
    // In C a number without a sign wins over one with a sign.
    let readings: Vec<Reading> = args.iter().filter_map(|&arg| reading(pool, arg)).collect();
    if signed && readings.contains(&Reading::Signed) && readings.contains(&Reading::Unsigned) {
        return false;
    }
    if signed && args.iter().any(|&arg| computes_unsigned(pool, arg)) {
        return false;
    }
    // A short number without a sign becomes an `int`, which has one, and so has what it is compared with.
    let is_short = |arg: Expr| is_extended(pool, arg) && reading(pool, arg) == Some(Reading::Unsigned);
    let has_none = |arg: Expr| is_short(arg) || is_ascii(arg) && arg.as_const().is_some();
    let makes_all = |arg: Expr| reading(pool, arg) == Some(Reading::Unsigned) && !is_extended(pool, arg);
    if !signed
        && args.iter().any(|&arg| is_short(arg))
        && !args.iter().all(|&arg| has_none(arg))
        && !args.iter().any(|&arg| makes_all(arg))
    {
        return false;
    }
    match args.iter().find_map(|&arg| reading(pool, arg)) {
        Some(Reading::Char) => signed && args.iter().all(|&arg| is_ascii(arg)),
        Some(Reading::Signed) => signed || is_number(width),
        Some(Reading::Unsigned) => !signed || is_number(width),
        _ => is_number(width) && signed,
    }
}

/// Whether something is computed of numbers without a sign, and so has none in C.
fn computes_unsigned(pool: &Pool, expr: Expr) -> bool {
    let (mut todo, mut seen) = (vec![expr], FxHashSet::default());
    while let Some(expr) = todo.pop() {
        let Expr::Term(id) = expr else { continue };
        let node = pool.node(id);
        let computes = matches!(
            node.op,
            Op::Add | Op::Sub | Op::Mul | Op::Neg | Op::And | Op::Or | Op::Xor | Op::Not | Op::Shl | Op::Ite
        ) || matches!(node.op, Op::UDiv | Op::URem | Op::LShr | Op::SDiv | Op::SRem | Op::AShr);
        if !computes || node.width == 1 || !seen.insert(id) {
            continue;
        }
        for &arg in node.args() {
            if is_number(pool.width(arg)) && reading(pool, arg) == Some(Reading::Unsigned) && !is_extended(pool, arg) {
                return true;
            }
            todo.push(arg);
        }
    }
    false
}

fn is_character(pool: &Pool, args: &[Expr]) -> bool {
    args.iter().any(|&arg| matches!(reading(pool, arg), Some(Reading::Char)))
}

/// Whether a constant is the same number with and without a sign.
fn is_ascii(expr: Expr) -> bool {
    expr.as_const().is_none_or(|value| value < 128)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_is_what_is_meant() {
        let mut pool = Pool::default();
        let n = pool.symbol_as("n", 32, Reading::Signed);
        let c = pool.symbol_as("c", 8, Reading::Char);
        let b = pool.symbol_as("b", 8, Reading::Unsigned);
        let three = Expr::constant(3, 32);
        let check = |pool: &Pool, expr: Expr, expect: bool| {
            assert_eq!(is_plain(pool, expr), expect, "{}", crate::show::show(pool, expr));
        };
        // `n < 3`, as a signed number and, with a cast, as another one.
        let less = pool.slt(n, three);
        check(&pool, less, true);
        let less = pool.ult(n, three);
        check(&pool, less, true);
        // With a sign and without one.
        let m = pool.symbol_as("m", 32, Reading::Unsigned);
        let less = pool.slt(n, m);
        check(&pool, less, false);
        // A short one without a sign becomes an `int` beside one with a sign, or beside a sum.
        let short = pool.zext(b, 32);
        let less = pool.ult(short, n);
        check(&pool, less, false);
        let less = pool.ult(short, m);
        check(&pool, less, true);
        let less = pool.ult(short, Expr::constant(100, 32));
        check(&pool, less, true);
        // Characters have a sign.
        let less = pool.ult(c, Expr::constant(100, 8));
        check(&pool, less, false);
        let same = pool.eq(c, Expr::constant(100, 8));
        check(&pool, same, true);
        let same = pool.eq(c, Expr::constant(200, 8));
        check(&pool, same, false);
        // Sums of eight bits are none in C, of promoted numbers they are.
        let sum = pool.mul(b, c);
        let narrow = pool.eq(sum, Expr::constant(3, 8));
        check(&pool, narrow, false);
        let wide = pool.zext(b, 32);
        let product = pool.mul(wide, n);
        let promoted = pool.eq(product, three);
        check(&pool, promoted, true);
        // A sum of numbers with a sign may be too large for them, one of short ones is not.
        assert!(may_wrap(&pool, promoted));
        let (short, other) = (pool.zext(b, 32), pool.sext(c, 32));
        let sum = pool.add(short, other);
        let small = pool.eq(sum, three);
        assert!(!may_wrap(&pool, small));
        let (half, other) =
            (pool.symbol_as("half", 16, Reading::Unsigned), pool.symbol_as("other", 16, Reading::Unsigned));
        let (half, other) = (pool.zext(half, 32), pool.zext(other, 32));
        let product = pool.mul(half, other);
        let large = pool.eq(product, three);
        assert!(may_wrap(&pool, large));
        let sum = pool.add(m, three);
        let unsigned = pool.ult(sum, m);
        assert!(!may_wrap(&pool, unsigned));
        // A product of 64 bits looks like one of 32.
        let wide = pool.sext(n, 64);
        let product = pool.mul(wide, wide);
        let long = pool.eq(product, Expr::constant(3, 64));
        check(&pool, long, false);
    }
}
