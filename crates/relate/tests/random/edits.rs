//! Changes of a function: some keep what it means, others may not.

use super::program::{E, Function, Rng, S, bin, var};

/// A change of one statement and those behind it: what takes their place and how many that is, if it applies there.
type Edit = fn(&[S], &mut Rng) -> Option<(Vec<S>, usize)>;

/// A change of one expression.
type ExprEdit = fn(&E, &mut Rng) -> Option<E>;

/// How a change is made.
#[derive(Clone, Copy)]
pub enum Way {
    Statement(Edit),
    Expression(ExprEdit),
    Helper(ExprEdit),
    Room,
}

/// A kind of change.
#[derive(Clone, Copy)]
pub struct Kind {
    pub name: &'static str,
    pub keeps: bool,
    way: Way,
}

const fn kind(name: &'static str, keeps: bool, way: Way) -> Kind {
    Kind { name, keeps, way }
}

use Way::{Expression, Helper, Room, Statement};

/// All kinds.
pub const KINDS: &[Kind] = &[
    kind("commute", true, Expression(commute)),
    kind("mirror a comparison", true, Expression(mirror)),
    kind("double", true, Expression(double)),
    kind("remainder as mask", true, Expression(mask)),
    kind("wide sum", true, Expression(wide)),
    kind("outline", true, Expression(outline)),
    kind("outline in a callee", true, Helper(outline)),
    kind("commute in a callee", true, Helper(commute)),
    kind("temporary", true, Statement(temporary)),
    kind("invert if", true, Statement(invert)),
    kind("split and", true, Statement(split_and)),
    kind("early return", true, Statement(early_return)),
    kind("choice as if", true, Statement(choice)),
    kind("for as while", true, Statement(while_loop)),
    kind("peel", true, Statement(peel)),
    kind("unroll", true, Statement(unroll)),
    kind("rotate", true, Statement(rotate)),
    kind("switch as ifs", true, Statement(ifs)),
    kind("dead store", true, Statement(dead_store)),
    kind("reorder distinct stores", true, Statement(reorder)),
    kind("uninitialised for a moment", true, Statement(moment)),
    kind("other number", false, Expression(other_number)),
    kind("other operator", false, Expression(other_operator)),
    kind("other comparison", false, Expression(other_comparison)),
    kind("unsigned comparison", false, Expression(unsigned)),
    kind("narrow", false, Expression(narrow)),
    kind("other pointer", false, Expression(other_pointer)),
    kind("other callee", false, Expression(other_callee)),
    kind("number in a callee", false, Helper(other_number)),
    kind("operator in a callee", false, Helper(other_operator)),
    kind("uninitialised local", false, Expression(uninitialised)),
    kind("uninitialised comparison", false, Expression(uninitialised_pair)),
    kind("private index by address", false, Expression(by_address)),
    kind("swap statements", false, Statement(swap)),
    kind("drop a statement", false, Statement(drop_one)),
    kind("repeat a statement", false, Statement(repeat)),
    kind("hoist a value", false, Statement(hoist)),
    kind("hoist out of a guard", false, Statement(out_of_guard)),
    kind("drop else", false, Statement(drop_else)),
    kind("memcpy for memmove", false, Statement(memcpy)),
    kind("peel too much", false, Statement(peel_wrongly)),
    kind("keep a loaded value", false, Statement(keep_loaded)),
    kind("smaller local", false, Room),
];

/// A changed function; nothing if the kind does not apply to it.
pub fn apply(kind: &Kind, old: &Function, rng: &mut Rng) -> Option<Function> {
    let mut new = old.clone();
    for _ in 0..6 {
        match kind.way {
            Statement(edit) => {
                let mut left = rng.below(count(&new.body));
                statements(&mut new.body, &mut left, edit, rng);
            }
            Expression(edit) => {
                let mut left = rng.below(60);
                expressions(&mut new.body, &mut left, edit, rng);
            }
            Helper(edit) => {
                let (helper, mut left) = (rng.below(3), rng.below(9));
                expressions(&mut new.helpers[helper], &mut left, edit, rng);
            }
            Room => new.room = 3,
        }
        if new.body != old.body || new.helpers != old.helpers || new.room != old.room {
            return Some(new);
        }
    }
    None
}

fn count(body: &[S]) -> usize {
    body.iter().map(|s| 1 + inner(s).map(|body| count(body)).sum::<usize>()).sum()
}

fn inner(statement: &S) -> impl Iterator<Item = &Vec<S>> {
    let found: Vec<&Vec<S>> = match statement {
        S::If(_, a, b) => vec![a, b],
        S::For(_, _, a) | S::Walk(a) | S::Text(_, a, _) => vec![a],
        S::Switch(_, cases) => cases.iter().map(|(_, body)| body).collect(),
        S::Set(..) | S::Do(_) | S::Ret(_) => Vec::new(),
    };
    found.into_iter()
}

fn inner_mut(statement: &mut S) -> Vec<&mut Vec<S>> {
    match statement {
        S::If(_, a, b) => vec![a, b],
        S::For(_, _, a) | S::Walk(a) | S::Text(_, a, _) => vec![a],
        S::Switch(_, cases) => cases.iter_mut().map(|(_, body)| body).collect(),
        S::Set(..) | S::Do(_) | S::Ret(_) => Vec::new(),
    }
}

/// Applies an edit to the first place behind so many statements where it can be; whether it did.
fn statements(body: &mut Vec<S>, left: &mut usize, edit: Edit, rng: &mut Rng) -> bool {
    for at in 0..body.len() {
        if *left > 0 {
            *left -= 1;
        } else if let Some((new, taken)) = edit(&body[at..], rng) {
            body.splice(at..at + taken, new);
            return true;
        }
        for inner in inner_mut(&mut body[at]) {
            if statements(inner, left, edit, rng) {
                return true;
            }
        }
    }
    false
}

fn expressions(body: &mut [S], left: &mut usize, edit: ExprEdit, rng: &mut Rng) -> bool {
    for statement in body {
        let own: Vec<&mut E> = match statement {
            S::Set(E::At(_, index), value) => vec![index, value],
            S::Set(_, value) | S::Do(value) | S::Ret(value) => vec![value],
            S::If(c, ..) => vec![c],
            S::For(_, limit, _) => vec![limit],
            S::Switch(value, _) => vec![value],
            S::Walk(_) | S::Text(..) => Vec::new(),
        };
        for value in own {
            if expression(value, left, edit, rng) {
                return true;
            }
        }
        for inner in inner_mut(statement) {
            if expressions(inner, left, edit, rng) {
                return true;
            }
        }
    }
    false
}

fn expression(value: &mut E, left: &mut usize, edit: ExprEdit, rng: &mut Rng) -> bool {
    if *left > 0 {
        *left -= 1;
    } else if let Some(new) = edit(value, rng) {
        *value = new;
        return true;
    }
    let below: Vec<&mut E> = match value {
        E::Num(_) | E::Var(_) => Vec::new(),
        E::At(_, a) | E::Not(a) | E::Cast(_, a) => vec![a],
        E::Bin(_, a, b) => vec![a, b],
        E::Pick(a, b, c) => vec![a, b, c],
        E::Call(name, _) if name == "memmove" || name == "memset" || name == "strlen" => Vec::new(),
        E::Call(_, args) => args.iter_mut().collect(),
    };
    below.into_iter().any(|value| expression(value, left, edit, rng))
}

fn commute(e: &E, _: &mut Rng) -> Option<E> {
    let E::Bin(op @ ("+" | "*" | "&" | "|" | "^" | "==" | "!="), a, b) = e else { return None };
    (!a.calls() && !b.calls() && a != b).then(|| bin(op, (**b).clone(), (**a).clone()))
}

fn mirror(e: &E, _: &mut Rng) -> Option<E> {
    let E::Bin(op, a, b) = e else { return None };
    let other = match *op {
        "<" => ">",
        ">" => "<",
        "<=" => ">=",
        ">=" => "<=",
        _ => return None,
    };
    (!a.calls() && !b.calls()).then(|| bin(other, (**b).clone(), (**a).clone()))
}

fn double(e: &E, _: &mut Rng) -> Option<E> {
    match e {
        E::Bin("*", a, b) if **b == E::Num(2) && !a.calls() => Some(bin("+", (**a).clone(), (**a).clone())),
        _ => None,
    }
}

fn mask(e: &E, _: &mut Rng) -> Option<E> {
    match e {
        E::Bin("%", a, b) if **b == E::Num(8) => Some(bin("&", (**a).clone(), E::Num(7))),
        _ => None,
    }
}

fn wide(e: &E, _: &mut Rng) -> Option<E> {
    let E::Bin(op @ ("+" | "-" | "*" | "^"), a, b) = e else { return None };
    let wide = bin(op, E::Cast("long", a.clone()), (**b).clone());
    Some(E::Cast("int", Box::new(wide)))
}

fn outline(e: &E, _: &mut Rng) -> Option<E> {
    let E::Bin("+" | "-" | "*" | "^" | "&" | "|", ..) = e else { return None };
    Some(E::Call("same_as".into(), vec![e.clone()]))
}

fn temporary(body: &[S], _: &mut Rng) -> Option<(Vec<S>, usize)> {
    let S::Set(to @ (E::At(..) | E::Var(_)), value) = &body[0] else { return None };
    let is_int = value.calls() || value.reads() || matches!(value, E::Bin(..));
    let text = format!("{{ int t = {};\n{} = t; }}", value.text(), to.text());
    (is_int && !to.calls()).then(|| (vec![S::Text(text, Vec::new(), String::new())], 1))
}

fn invert(body: &[S], _: &mut Rng) -> Option<(Vec<S>, usize)> {
    let S::If(c, a, b) = &body[0] else { return None };
    let empty = || vec![S::Text(";".into(), Vec::new(), String::new())];
    let otherwise = if b.is_empty() { empty() } else { b.clone() };
    let opposite = E::Not(Box::new(E::Cast("int", Box::new(c.clone()))));
    Some((vec![S::If(opposite, otherwise, a.clone())], 1))
}

fn split_and(body: &[S], _: &mut Rng) -> Option<(Vec<S>, usize)> {
    let S::If(E::Bin("&&", a, b), then, otherwise) = &body[0] else { return None };
    otherwise.is_empty().then(|| {
        let inner = S::If((**b).clone(), then.clone(), Vec::new());
        (vec![S::If((**a).clone(), vec![inner], Vec::new())], 1)
    })
}

fn early_return(body: &[S], _: &mut Rng) -> Option<(Vec<S>, usize)> {
    let S::If(c, a, b) = &body[0] else { return None };
    let returns = matches!(a.last(), Some(S::Ret(_)));
    (returns && b.is_empty() && body.len() > 1)
        .then(|| (vec![S::If(c.clone(), a.clone(), body[1..].to_vec())], body.len()))
}

fn choice(body: &[S], _: &mut Rng) -> Option<(Vec<S>, usize)> {
    let S::Set(to, E::Pick(c, a, b)) = &body[0] else { return None };
    let set = |value: &E| vec![S::Set(to.clone(), value.clone())];
    (!to.calls()).then(|| (vec![S::If((**c).clone(), set(a), set(b))], 1))
}

fn looped(body: &[S]) -> Option<(String, String, Vec<S>)> {
    let S::For(i, limit, inside) = &body[0] else { return None };
    Some((i.clone(), limit.text(), inside.clone()))
}

fn written(text: String, body: Vec<S>, behind: String) -> Option<(Vec<S>, usize)> {
    Some((vec![S::Text(text, body, behind)], 1))
}

fn while_loop(body: &[S], _: &mut Rng) -> Option<(Vec<S>, usize)> {
    let (i, limit, inside) = looped(body)?;
    written(format!("{i} = 0;\nwhile ({limit} > {i}) {{"), inside, format!("{i} += 1;\n}}"))
}

fn peel(body: &[S], _: &mut Rng) -> Option<(Vec<S>, usize)> {
    let (i, limit, inside) = looped(body)?;
    let rest = S::Text(format!("{i}++;\nwhile ({i} < {limit}) {{"), inside.clone(), format!("{i}++;\n}}"));
    written(format!("{i} = 0;\nif ({i} < {limit}) {{"), [inside, vec![rest]].concat(), "}".into())
}

fn unroll(body: &[S], _: &mut Rng) -> Option<(Vec<S>, usize)> {
    let (i, limit, inside) = looped(body)?;
    let second = S::Text(format!("{i}++;\nif ({i} >= {limit}) break;"), inside.clone(), format!("{i}++;"));
    written(format!("{i} = 0;\nwhile ({i} < {limit}) {{"), [inside, vec![second]].concat(), "}".into())
}

fn rotate(body: &[S], _: &mut Rng) -> Option<(Vec<S>, usize)> {
    let (i, limit, inside) = looped(body)?;
    written(format!("{i} = 0;\nif ({i} < {limit}) do {{"), inside, format!("{i}++;\n}} while ({i} < {limit});"))
}

fn ifs(body: &[S], _: &mut Rng) -> Option<(Vec<S>, usize)> {
    let S::Switch(value, cases) = &body[0] else { return None };
    let all = cases.iter().rev().fold(Vec::new(), |rest, (number, inside)| {
        vec![S::If(bin("==", var("z"), E::Num(*number)), inside.clone(), rest)]
    });
    written(format!("{{ int z = {};", value.text()), all, "}".into())
}

fn dead_store(body: &[S], rng: &mut Rng) -> Option<(Vec<S>, usize)> {
    let S::Set(to, value) = &body[0] else { return None };
    let first = S::Set(to.clone(), E::Num(rng.below(5) as i64));
    (!to.calls() && !value.calls() && !value.reads() && !value.text().contains(&to.text()))
        .then(|| (vec![first, body[0].clone()], 1))
}

fn reorder(body: &[S], _: &mut Rng) -> Option<(Vec<S>, usize)> {
    let [a @ S::Set(E::At(x, i), v), b @ S::Set(E::At(y, j), w), ..] = body else { return None };
    let fixed = |e: &E| matches!(e, E::Num(_));
    let simple = |e: &E| !e.calls() && !e.reads();
    (x == y && fixed(i) && fixed(j) && i != j && simple(v) && simple(w)).then(|| (vec![b.clone(), a.clone()], 2))
}

fn moment(body: &[S], _: &mut Rng) -> Option<(Vec<S>, usize)> {
    let S::If(c, a, b) = &body[0] else { return None };
    let text = format!("{{ int y0, c = !!({});\nif (c) y0 = 1;\nelse y0 = 0;", c.text());
    written(text, vec![S::If(var("y0"), a.clone(), b.clone())], "}".into())
}

fn other_number(e: &E, rng: &mut Rng) -> Option<E> {
    let E::Num(n) = e else { return None };
    Some(E::Num(rng.pick(&[n + 1, n - 1, n + 4, -n])).clone())
}

fn other_operator(e: &E, rng: &mut Rng) -> Option<E> {
    let E::Bin("+" | "-" | "*" | "^" | "&" | "|", a, b) = e else { return None };
    Some(bin(rng.pick(&["+", "-", "*", "^", "&", "|"]), (**a).clone(), (**b).clone()))
}

fn other_comparison(e: &E, rng: &mut Rng) -> Option<E> {
    let E::Bin("<" | "<=" | ">" | ">=" | "==" | "!=", a, b) = e else { return None };
    Some(bin(rng.pick(&["<", "<=", ">", ">=", "!=", "=="]), (**a).clone(), (**b).clone()))
}

fn unsigned(e: &E, _: &mut Rng) -> Option<E> {
    let E::Bin(op @ ("<" | "<=" | ">" | ">=" | "/" | "%"), a, b) = e else { return None };
    let is_pointer = a.text() == "p" || a.text() == "q";
    (!is_pointer).then(|| bin(op, E::Cast("unsigned", a.clone()), (**b).clone()))
}

fn narrow(e: &E, rng: &mut Rng) -> Option<E> {
    let E::Bin("+" | "-" | "*" | "^" | "&" | "|", ..) = e else { return None };
    let ty = rng.pick(&["char", "short", "unsigned char", "unsigned short"]);
    Some(E::Cast(ty, Box::new(e.clone())))
}

fn other_pointer(e: &E, rng: &mut Rng) -> Option<E> {
    match e {
        E::At(base, index) if ["p", "q", "ga", "shared", "e"].contains(&base.as_str()) => {
            Some(E::At(rng.pick(&["p", "q", "ga", "e"]).into(), index.clone()))
        }
        E::Var(name) if name == "r->in.u" => Some(var("r->in.y")),
        E::Var(name) if name == "x->h[0]" => Some(var("x->v")),
        _ => None,
    }
}

fn other_callee(e: &E, rng: &mut Rng) -> Option<E> {
    match e {
        E::Call(name, args) if ["ext_a", "ext_b", "cb"].contains(&name.as_str()) => {
            Some(E::Call(rng.pick(&["ext_a", "ext_b", "cb", "same_as"]).into(), args.clone()))
        }
        _ => None,
    }
}

fn uninitialised(e: &E, _: &mut Rng) -> Option<E> {
    matches!(e, E::Var(name) if name == "t1" || name == "t0").then(|| var("z0"))
}

fn uninitialised_pair(e: &E, rng: &mut Rng) -> Option<E> {
    match e {
        E::Num(1) => Some(bin("==", var("z0"), var("z1"))),
        E::Num(0) => Some(bin(rng.pick(&["-", "^", "!="]), var("z0"), var("z1"))),
        _ => None,
    }
}

fn by_address(e: &E, rng: &mut Rng) -> Option<E> {
    match e {
        E::At(base, index) if ["o", "e", "y"].contains(&base.as_str()) => {
            let near = bin(rng.pick(&["==", "<"]), var("p"), var("ga"));
            Some(E::At(base.clone(), Box::new(E::Pick(Box::new(near), Box::new(E::Num(3)), index.clone()))))
        }
        _ => None,
    }
}

fn swap(body: &[S], _: &mut Rng) -> Option<(Vec<S>, usize)> {
    let [a, b, ..] = body else { return None };
    (a != b && !matches!(b, S::Text(..))).then(|| (vec![b.clone(), a.clone()], 2))
}

fn drop_one(body: &[S], _: &mut Rng) -> Option<(Vec<S>, usize)> {
    Some((Vec::new(), 1)).filter(|_| !body.is_empty())
}

fn repeat(body: &[S], _: &mut Rng) -> Option<(Vec<S>, usize)> {
    Some((vec![body[0].clone(), body[0].clone()], 1))
}

fn hoist(body: &[S], _: &mut Rng) -> Option<(Vec<S>, usize)> {
    let [first, S::Set(to, value), ..] = body else { return None };
    let text = format!("{{ int t = {};", value.text());
    let behind = format!("{} = t; }}", to.text());
    Some((vec![S::Text(text, vec![first.clone()], behind)], 2))
}

fn out_of_guard(body: &[S], _: &mut Rng) -> Option<(Vec<S>, usize)> {
    let S::If(c, then, otherwise) = &body[0] else { return None };
    let Some(S::Set(to, value)) = then.first() else { return None };
    let text = format!("{{ int t = {};", value.text());
    let set = S::Text(format!("{} = t;", to.text()), Vec::new(), String::new());
    let then = [vec![set], then[1..].to_vec()].concat();
    Some((vec![S::Text(text, vec![S::If(c.clone(), then, otherwise.clone())], "}".into())], 1))
}

fn drop_else(body: &[S], _: &mut Rng) -> Option<(Vec<S>, usize)> {
    let S::If(c, then, otherwise) = &body[0] else { return None };
    (!otherwise.is_empty()).then(|| (vec![S::If(c.clone(), then.clone(), Vec::new())], 1))
}

fn memcpy(body: &[S], _: &mut Rng) -> Option<(Vec<S>, usize)> {
    let S::Do(E::Call(name, args)) = &body[0] else { return None };
    (name == "memmove").then(|| (vec![S::Do(E::Call("memcpy".into(), args.clone()))], 1))
}

fn peel_wrongly(body: &[S], _: &mut Rng) -> Option<(Vec<S>, usize)> {
    let (i, limit, inside) = looped(body)?;
    let rest = S::Text(format!("{i}++;\nwhile ({i} < {limit}) {{"), inside.clone(), format!("{i}++;\n}}"));
    written(format!("{i} = 0;"), [inside, vec![rest]].concat(), String::new())
}

/// Reads `p[0]` before a statement, and writes it back to a variable behind.
fn keep_loaded(body: &[S], _: &mut Rng) -> Option<(Vec<S>, usize)> {
    let [first, S::Set(to, value), ..] = body else { return None };
    let read = value.reads() && !value.calls();
    let text = format!("{{ int t = {};", value.text());
    let behind = format!("{} = t;\n(void){}; }}", to.text(), value.text());
    read.then(|| (vec![S::Text(text, vec![first.clone()], behind)], 2))
}
