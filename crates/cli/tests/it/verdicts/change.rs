//! Changes of a function: some keep what it does, some do not. Which, the native run decides.

use super::generate::Function;
use super::random::Random;
use super::tree::{Expr, INTS, Kind, Stmt, all_blocks, all_exprs, all_stmts};

/// A rewrite that is meant to keep what the function does.
pub fn rewrite(function: &mut Function, random: &mut Random) {
    let wanted = 2 + random.below(5);
    for _ in 0..wanted {
        if random.chance(65) {
            let number = function.number;
            let mut extracted = std::mem::take(&mut function.extracted);
            change_expr(function, random, &mut |expr, random| rewrite_expr(expr, random, number, &mut extracted));
            function.extracted = extracted;
        } else {
            let mut temporary = random.below(1000);
            change_stmt(function, random, &mut |stmt, random| {
                temporary += 1;
                rewrite_stmt(stmt, random, temporary)
            });
        }
    }
}

/// A change that is likely to do something else.
pub fn mutate(function: &mut Function, random: &mut Random) {
    match random.below(10) {
        0 => {
            // A statement is missing, or comes at another place.
            let mut count = 0;
            all_blocks(&mut function.body, &mut |block| count += usize::from(!block.is_empty()));
            let chosen = random.below(count);
            let mut at = 0;
            let swap = random.chance(40);
            all_blocks(&mut function.body, &mut |block| {
                if block.is_empty() {
                    return;
                }
                if at == chosen {
                    let index = random.below(block.len());
                    let declares = |stmt: &Stmt| matches!(stmt, Stmt::Declare(..) | Stmt::Text(_) | Stmt::Return(_));
                    if swap && index + 1 < block.len() && !declares(&block[index]) && !declares(&block[index + 1]) {
                        block.swap(index, index + 1);
                    } else if !declares(&block[index]) {
                        block.remove(index);
                    }
                }
                at += 1;
            });
        }
        1 => change_stmt(function, random, &mut |stmt, random| match stmt {
            Stmt::Assign(place, op, value) if place.ty.is_int() && value.ty.is_int() => {
                *op = *random.pick(&["=", "+=", "-=", "^=", "|=", "&="]);
                true
            }
            Stmt::Switch(_, cases, _) => {
                let index = random.below(cases.len());
                cases[index].2 ^= true;
                true
            }
            Stmt::If(_, yes, no) if !no.is_empty() => {
                std::mem::swap(yes, no);
                true
            }
            _ => false,
        }),
        _ => change_expr(function, random, &mut mutate_expr),
    }
}

/// Applies a change to a random expression that it applies to.
fn change_expr(function: &mut Function, random: &mut Random, change: &mut dyn FnMut(&mut Expr, &mut Random) -> bool) {
    let mut count = 0;
    all_exprs(&mut function.body, &mut |_| count += 1);
    let in_body = count;
    all_exprs(&mut function.helper, &mut |_| count += 1);
    for _ in 0..20 {
        let chosen = random.below(count);
        let mut at = 0;
        let mut done = false;
        let mut visit = |expr: &mut Expr| {
            if at == chosen && !done {
                done = change(expr, random);
            }
            at += 1;
        };
        if chosen < in_body {
            all_exprs(&mut function.body, &mut visit);
        } else {
            at = in_body;
            let mut visit = |expr: &mut Expr| {
                if at == chosen && !done {
                    done = change(expr, random);
                }
                at += 1;
            };
            all_exprs(&mut function.helper, &mut visit);
        }
        if done {
            return;
        }
    }
}

fn change_stmt(function: &mut Function, random: &mut Random, change: &mut dyn FnMut(&mut Stmt, &mut Random) -> bool) {
    let mut count = 0;
    all_stmts(&mut function.body, &mut |_| count += 1);
    for _ in 0..10 {
        let chosen = random.below(count);
        let (mut at, mut done) = (0, false);
        all_stmts(&mut function.body, &mut |stmt| {
            if at == chosen && !done {
                done = change(stmt, random);
            }
            at += 1;
        });
        if done {
            return;
        }
    }
}

fn is_place(expr: &Expr) -> bool {
    matches!(expr.kind, Kind::Name(_) | Kind::Element { .. })
}

fn rewrite_expr(expr: &mut Expr, random: &mut Random, number: usize, extracted: &mut String) -> bool {
    let kids = expr.kids.clone();
    let new = match &expr.kind {
        Kind::Binary(op @ ("+" | "*" | "&" | "|" | "^" | "==" | "!=")) if random.chance(60) => {
            Expr::binary(op, kids[1].clone(), kids[0].clone())
        }
        Kind::Binary("*")
            if matches!(kids[1].kind, Kind::Const(c) if c > 0 && c & (c - 1) == 0) && expr.ty.is_int() =>
        {
            let Kind::Const(c) = kids[1].kind else { return false };
            let left = Expr::cast(expr.ty, kids[0].clone());
            Expr::binary("<<", left, Expr::constant(c.trailing_zeros().into()))
        }
        Kind::Binary("%") if matches!(kids[1].kind, Kind::Const(c) if c > 0 && c & (c - 1) == 0) => {
            // Right for unsigned numbers only.
            let Kind::Const(c) = kids[1].kind else { return false };
            Expr::binary("&", Expr::cast(expr.ty, kids[0].clone()), Expr::constant(c - 1))
        }
        Kind::Binary("/") if matches!(kids[1].kind, Kind::Const(c) if c > 0 && c & (c - 1) == 0) => {
            let Kind::Const(c) = kids[1].kind else { return false };
            Expr::binary(">>", Expr::cast(expr.ty, kids[0].clone()), Expr::constant(c.trailing_zeros().into()))
        }
        Kind::Binary("-") if expr.ty.is_int() && random.chance(50) => {
            let not = Expr::unary("~", Expr::cast(expr.ty, kids[1].clone()));
            Expr::binary("+", Expr::binary("+", kids[0].clone(), not), Expr::constant(1))
        }
        Kind::Binary("<") => Expr::binary(">", kids[1].clone(), kids[0].clone()),
        Kind::Binary(">=") => Expr::unary("!", Expr::binary("<", kids[0].clone(), kids[1].clone())),
        Kind::Binary("<=") => Expr::unary("!", Expr::binary(">", kids[0].clone(), kids[1].clone())),
        Kind::Binary("&&") => {
            Expr::choice(kids[0].clone(), Expr::unary("!", Expr::unary("!", kids[1].clone())), Expr::constant(0))
        }
        Kind::Binary("||") => {
            let not = |kid: &Expr| Expr::unary("!", kid.clone());
            Expr::unary("!", Expr::binary("&&", not(&kids[0]), not(&kids[1])))
        }
        Kind::Binary("^") => {
            let (a, b) = (kids[0].clone(), kids[1].clone());
            Expr::binary("-", Expr::binary("|", a.clone(), b.clone()), Expr::binary("&", a, b))
        }
        Kind::Binary(op) if !matches!(*op, "&&" | "||") => {
            // A function for an operation.
            let name = format!("e{number}_{}", extracted.matches('\n').count());
            let (a, b, result) = (kids[0].ty.name(), kids[1].ty.name(), expr.ty.name());
            extracted.push_str(&format!("static {result} {name}({a} a, {b} b) {{ return a {op} b; }}\n"));
            Expr { kind: Kind::Call(name), ty: expr.ty, kids }
        }
        Kind::Choice => {
            Expr { kids: vec![Expr::unary("!", kids[0].clone()), kids[2].clone(), kids[1].clone()], ..expr.clone() }
        }
        Kind::Unary("-") if expr.ty.is_int() => Expr::binary("-", Expr::constant(0), kids[0].clone()),
        Kind::Unary("~") => Expr::binary("^", kids[0].clone(), Expr::constant(-1)),
        Kind::Unary("!") => Expr::binary("==", kids[0].clone(), Expr::constant(0)),
        Kind::Cast => match expr.ty {
            super::tree::Type::Int { bytes: 1, signed: false } => {
                let cut = Expr::binary("&", kids[0].clone(), Expr::constant(255));
                Expr { ty: expr.ty, ..cut }
            }
            _ => return false,
        },
        _ => return false,
    };
    *expr = new;
    true
}

fn rewrite_stmt(stmt: &mut Stmt, random: &mut Random, temporary: usize) -> bool {
    *stmt = match stmt.clone() {
        Stmt::If(condition, yes, no) => Stmt::If(Expr::unary("!", condition), no, yes),
        Stmt::Count { counter, limit, body, plain_while: false } => {
            Stmt::Count { counter, limit, body, plain_while: true }
        }
        Stmt::Assign(place, "=", value) if random.chance(50) => {
            let name = format!("q{temporary}");
            let ty = value.ty;
            let store = Stmt::Assign(place, "=", Expr::name(name.clone(), ty));
            Stmt::If(Expr::constant(1), vec![Stmt::Declare(ty, name, value), store], Vec::new())
        }
        Stmt::Assign(place, op @ ("+=" | "-=" | "*=" | "^=" | "|="), value) => {
            let op = match op {
                "+=" => "+",
                "-=" => "-",
                "*=" => "*",
                "^=" => "^",
                _ => "|",
            };
            Stmt::Assign(place.clone(), "=", Expr::binary(op, place, value))
        }
        Stmt::Switch(value, cases, other) if cases.iter().all(|(_, _, ends)| *ends) => {
            let name = format!("q{temporary}");
            let mut rest = other;
            for (label, body, _) in cases.into_iter().rev() {
                let equal = Expr::binary("==", Expr::name(name.clone(), value.ty), Expr::constant(label));
                rest = vec![Stmt::If(equal, body, rest)];
            }
            rest.insert(0, Stmt::Declare(value.ty.promoted(), name, value));
            Stmt::If(Expr::constant(1), rest, Vec::new())
        }
        _ => return false,
    };
    true
}

fn mutate_expr(expr: &mut Expr, random: &mut Random) -> bool {
    match &mut expr.kind {
        // Masks of shifts stay: a distance that is too far and known to the compiler leaves no trace in what it makes.
        Kind::Const(31 | 63) => return false,
        Kind::Const(value) => {
            *value = match random.below(4) {
                0 => value.wrapping_add(1),
                1 => value.wrapping_sub(1),
                2 => value.wrapping_mul(2),
                _ => !*value,
            };
            *expr = Expr::constant(*value);
        }
        Kind::Binary(op) => {
            let group: &[&'static str] = match *op {
                "<" | "<=" | ">" | ">=" | "==" | "!=" => &["<", "<=", ">", ">=", "==", "!="],
                "&&" | "||" => &["&&", "||"],
                "<<" | ">>" => &["<<", ">>"],
                "/" | "%" => &["/", "%"],
                "&" | "|" | "^" => &["&", "|", "^"],
                _ => &["+", "-", "*"],
            };
            if random.chance(75) {
                let new = *random.pick(group);
                let changed = new != *op;
                *op = new;
                return changed;
            }
            expr.kids.swap(0, 1);
            // A shift by an unmasked distance is the machine's affair.
            return !matches!(expr.kind, Kind::Binary("<<" | ">>")) || {
                expr.kids.swap(0, 1);
                false
            };
        }
        Kind::Call(_) if expr.kids.len() == 2 => expr.kids.swap(0, 1),
        Kind::Choice => expr.kids.swap(1, 2),
        Kind::Cast => expr.ty = *random.pick(&INTS),
        Kind::Unary("~") => expr.kind = Kind::Unary("-"),
        Kind::Unary(_) => {
            let kid = expr.kids[0].clone();
            *expr = kid;
        }
        _ => return false,
    }
    debug_assert!(!is_place(expr) || expr.kids.len() < 2);
    true
}
