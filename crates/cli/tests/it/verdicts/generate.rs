//! Random C functions, and what they need.

use super::random::Random;
use super::tree::{Expr, INT, INTS, Kind, Stmt, Type};

/// What every file begins with. `GIVEN` and `OWN` tell the native driver of an index; else they are nothing.
pub const PREAMBLE: &str = "\
#include <string.h>
#ifdef ORACLE
#define GIVEN(i, n) oracle_given((long)(i), n)
#define OWN(i, n) oracle_own((long)(i), n)
#define hook oracle_hook
#else
extern int hook(int, int) __attribute__((weak));
#define GIVEN(i, n) (i)
#define OWN(i, n) (i)
#endif
struct S { int a; unsigned char b; short c; long d; int r[4]; unsigned e : 5; int f : 7; };
int g0 = 5;
unsigned char g1;
long g2 = -1;
short ga[8];
unsigned short gb[4] = {1, 2, 3, 4};
struct S gs;
static int st[4] = {3, -1, 7, 100};
static const int ct[8] = {9, 8, 70, 6, -5, 4, 300, 2};
static int first(int a, int b) { return a + b; }
static int second(int a, int b) { return a - b; }
static int third(int a, int b) { return a * 3 ^ b; }
static int fourth(int a, int b) { return a < b ? b : a; }
static int (*const tab[4])(int, int) = {first, second, third, fourth};
static int (*var[2])(int, int) = {fourth, second};
static int use_var(int a, int b) { return var[a & 1](a, b) + st[b & 3]; }
static int hooked(int a, int b) { return hook ? a : b; }
";

/// A parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Param {
    Number(Type),
    Pointer(Type),
    StructPointer,
    Struct,
    Text,
}

/// A function with a helper of its own.
#[derive(Clone, Debug)]
pub struct Function {
    pub number: usize,
    pub params: Vec<Param>,
    pub result: Option<Type>,
    pub helper: Vec<Stmt>,
    pub helper_type: Type,
    pub body: Vec<Stmt>,
    /// More functions, written down, which a change has made.
    pub extracted: String,
}

impl Function {
    pub fn text(&self) -> String {
        let k = self.number;
        let ty = self.helper_type.name();
        let mut out = format!("{}static {ty} h{k}({ty} a, {ty} b) {{\n", self.extracted);
        self.helper.iter().for_each(|stmt| stmt.write(&mut out, 1));
        let params: Vec<String> = self.params.iter().enumerate().map(|(i, param)| declaration(*param, i)).collect();
        let result = self.result.map_or("void", Type::name);
        out.push_str(&format!("}}\n{result} f{k}({}) {{\n", params.join(", ")));
        self.body.iter().for_each(|stmt| stmt.write(&mut out, 1));
        out.push_str("}\n\n");
        out
    }
}

pub fn declaration(param: Param, index: usize) -> String {
    match param {
        Param::Number(ty) => format!("{} x{index}", ty.name()),
        Param::Pointer(ty) => format!("{} *x{index}", ty.name()),
        Param::StructPointer => format!("struct S *x{index}"),
        Param::Struct => format!("struct S x{index}"),
        Param::Text => format!("char *x{index}"),
    }
}

/// A random function.
pub fn function(random: &mut Random, number: usize) -> Function {
    let count = 1 + random.below(3);
    let mut params = Vec::new();
    for _ in 0..count {
        let ty = *random.pick(&INTS);
        params.push(match random.below(20) {
            0..=8 => Param::Number(ty),
            9 => Param::Number(if random.chance(50) { Type::Double } else { Type::Float }),
            10..=13 => Param::Pointer(match ty {
                // A pointer to characters is a string.
                Type::Int { bytes: 1, signed: true } => INT,
                ty => ty,
            }),
            14..=15 => Param::StructPointer,
            16..=17 => Param::Struct,
            _ => Param::Text,
        });
    }
    let helper_type = *random.pick(&INTS);
    let result = random.chance(85).then(|| *random.pick(&INTS));
    let mut helper =
        Maker { names: Vec::new(), arrays: Vec::new(), next: 0, helper: None, loops: 0, texts: Vec::new(), random };
    helper.names.extend([("a".to_owned(), helper_type), ("b".to_owned(), helper_type)]);
    let body = vec![Stmt::Return(Some(helper.expr(2)))];
    let helper_body = body;
    let mut maker = Maker {
        names: Vec::new(),
        arrays: Vec::new(),
        next: 0,
        helper: Some((number, helper_type)),
        loops: 0,
        texts: Vec::new(),
        random,
    };
    maker.globals();
    for (index, param) in params.iter().enumerate() {
        maker.param(*param, index);
    }
    let mut body = Vec::new();
    let ty = *maker.random.pick(&INTS);
    if maker.random.chance(40) {
        body.push(Stmt::Text("int la[4] = {1, 2, 3, 4};".to_owned()));
        maker.arrays.push(("la".to_owned(), INT, 4, false));
    }
    let start = maker.expr(2);
    body.push(Stmt::Declare(ty, "t".to_owned(), start));
    maker.names.push(("t".to_owned(), ty));
    let length = 1 + maker.random.below(4);
    for _ in 0..length {
        maker.stmt(&mut body, 2, result);
    }
    if result.is_some() {
        let value = maker.expr(2);
        let value = Expr::binary("+", Expr::name("t", ty), value);
        body.push(Stmt::Return(Some(value)));
    }
    Function { number, params, result, helper: helper_body, helper_type, body, extracted: String::new() }
}

/// Lets a function call a weak one, nearly always if it is there.
pub fn add_hook(function: &mut Function, random: &mut Random) {
    let declares = |stmt: &Stmt| matches!(stmt, Stmt::Declare(_, name, _) if name == "t");
    let Some(at) = function.body.iter().position(declares) else { return };
    let Stmt::Declare(ty, ..) = function.body[at] else { return };
    let place = Expr::name("t", ty);
    let constant = Expr::constant(random.below(4) as i64);
    let call = |name: &str, kids| Expr { kind: Kind::Call(name.to_owned()), ty: INT, kids };
    let value = call("hook", vec![Expr::cast(INT, place.clone()), constant]);
    let op = *random.pick(&["=", "+=", "^="]);
    let assign = Stmt::Assign(place, op, value);
    let guard = call("hooked", vec![Expr::constant(1), Expr::constant(0)]);
    function.body.insert(
        at + 1,
        match random.below(8) {
            0 => assign,
            1..=3 => Stmt::If(Expr::unary("!", guard), Vec::new(), vec![assign]),
            _ => Stmt::If(guard, vec![assign], Vec::new()),
        },
    );
}

struct Maker<'r> {
    random: &'r mut Random,
    /// What can be read and written.
    names: Vec<(String, Type)>,
    arrays: Vec<(String, Type, usize, bool)>,
    texts: Vec<String>,
    next: usize,
    helper: Option<(usize, Type)>,
    loops: usize,
}

const CHAR: Type = Type::Int { bytes: 1, signed: true };
const BYTE: Type = Type::Int { bytes: 1, signed: false };
const SHORT: Type = Type::Int { bytes: 2, signed: true };
const LONG: Type = Type::Int { bytes: 8, signed: true };

impl Maker<'_> {
    fn globals(&mut self) {
        let all: [(&str, Type); 5] = [("g0", INT), ("g1", BYTE), ("g2", LONG), ("gs.c", SHORT), ("gs.e", BYTE)];
        for (name, ty) in all {
            if self.random.chance(25) {
                self.names.push((name.to_owned(), ty));
            }
        }
        for (name, ty, count) in [("ga", SHORT, 8), ("gb", Type::Int { bytes: 2, signed: false }, 4), ("gs.r", INT, 4)]
        {
            if self.random.chance(20) {
                self.arrays.push((name.to_owned(), ty, count, name == "gs.r"));
            }
        }
    }

    fn param(&mut self, param: Param, index: usize) {
        let name = format!("x{index}");
        match param {
            Param::Number(ty) => self.names.push((name, ty)),
            Param::Pointer(ty) => {
                self.names.push((format!("*{name}"), ty));
                self.arrays.push((name, ty, 8, true));
            }
            Param::Text => {
                self.names.push((format!("{name}[1]"), CHAR));
                self.arrays.push((name.clone(), CHAR, 9, true));
                self.texts.push(name);
            }
            Param::StructPointer | Param::Struct => {
                let sep = if param == Param::Struct { "." } else { "->" };
                let fields = [("a", INT), ("b", BYTE), ("c", SHORT), ("d", LONG), ("e", BYTE), ("f", CHAR)];
                for (field, ty) in fields {
                    if self.random.chance(50) {
                        self.names.push((format!("{name}{sep}{field}"), ty));
                    }
                }
                self.arrays.push((format!("{name}{sep}r"), INT, 4, true));
            }
        }
    }

    fn constant(&mut self) -> Expr {
        let edges = [0, 1, 2, 3, 4, 7, 8, 10, 16, 31, 100, 127, 128, 255, 256, 1000, 32767, 65535, 65536, -1, -2, -128];
        let rare = [2_147_483_647, -2_147_483_648, 4_294_967_295, 1 << 40, i64::MAX];
        let value = match self.random.below(12) {
            0 => *self.random.pick(&rare),
            1..=4 => self.random.below(20) as i64,
            _ => *self.random.pick(&edges),
        };
        Expr::constant(value)
    }

    fn leaf(&mut self) -> Expr {
        if !self.arrays.is_empty() && self.random.chance(20) {
            return self.element();
        }
        if self.names.is_empty() || self.random.chance(25) {
            return self.constant();
        }
        let (name, ty) = self.random.pick(&self.names).clone();
        Expr::name(name, ty)
    }

    fn element(&mut self) -> Expr {
        let (array, ty, count, given) = self.random.pick(&self.arrays).clone();
        let index = if self.random.chance(40) {
            Expr::constant(self.random.below(count.min(8)) as i64)
        } else if self.loops > 0 && self.random.chance(60) {
            Expr::name(format!("i{}", self.loops), INT)
        } else {
            let index = self.int(1);
            let mask = count.next_power_of_two().min(8) as i64 - 1;
            Expr::binary("&", index, Expr::constant(if self.random.chance(95) { mask } else { mask * 2 + 1 }))
        };
        Expr { kind: Kind::Element { array, count, given }, ty, kids: vec![index] }
    }

    /// An expression that is no float.
    fn int(&mut self, depth: usize) -> Expr {
        let expr = self.expr(depth);
        if expr.ty.is_int() {
            return expr;
        }
        let other = self.leaf();
        Expr::binary("<", expr, other)
    }

    fn condition(&mut self, depth: usize) -> Expr {
        match self.random.below(8) {
            0 => {
                let (a, b) = (self.condition(depth.saturating_sub(1)), self.condition(depth.saturating_sub(1)));
                Expr::binary(if self.random.chance(50) { "&&" } else { "||" }, a, b)
            }
            1 => Expr::unary("!", self.expr(depth)),
            2 => self.expr(depth),
            _ => {
                let op = *self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
                let (a, b) = (self.expr(depth), self.expr(depth.saturating_sub(1)));
                Expr::binary(op, a, b)
            }
        }
    }

    fn expr(&mut self, depth: usize) -> Expr {
        if depth == 0 {
            return self.leaf();
        }
        match self.random.below(24) {
            0..=8 => {
                let op = *self.random.pick(&["+", "-", "+", "-", "+", "-", "*"]);
                let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
                Expr::binary(op, a, b)
            }
            9..=12 => {
                let op = *self.random.pick(&["&", "|", "^"]);
                let (a, b) = (self.int(depth - 1), self.int(depth - 1));
                Expr::binary(op, a, b)
            }
            13..=14 => {
                let (a, b) = (self.int(depth - 1), self.int(depth - 1));
                let mask = if matches!(a.ty.promoted(), Type::Int { bytes: 8, .. }) { 63 } else { 31 };
                let distance = Expr::binary("&", b, Expr::constant(mask));
                Expr::binary(if self.random.chance(50) { "<<" } else { ">>" }, a, distance)
            }
            15 => {
                let op = if self.random.chance(50) { "/" } else { "%" };
                let (a, b) = (self.int(depth - 1), self.int(depth - 1));
                let b = match self.random.below(4) {
                    0 => b,
                    1 => Expr::binary("|", b, Expr::constant(1)),
                    2 => Expr::constant(*self.random.pick(&[2, 3, 7, 8, 10, -1, -4, 16])),
                    _ => Expr::choice(b.clone(), b, Expr::constant(1)),
                };
                Expr::binary(op, a, b)
            }
            16 => {
                let op = *self.random.pick(&["-", "~", "!"]);
                let kid = if op == "~" { self.int(depth - 1) } else { self.expr(depth - 1) };
                Expr::unary(op, kid)
            }
            17 => {
                let ty = *self.random.pick(&INTS);
                Expr::cast(ty, self.int(depth - 1))
            }
            18..=19 => {
                let condition = self.condition(depth - 1);
                let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
                Expr::choice(condition, a, b)
            }
            20 => self.condition(depth - 1),
            21..=22 => self.call(depth - 1),
            _ => self.leaf(),
        }
    }

    fn call(&mut self, depth: usize) -> Expr {
        let Some((number, ty)) = self.helper else { return self.leaf() };
        match self.random.below(5) {
            0 => {
                let which = Expr::binary("&", self.int(depth), Expr::constant(3));
                let (a, b) = (self.int(depth), self.int(depth));
                Expr { kind: Kind::Call(format!("tab[{}]", which.text())), ty: INT, kids: vec![a, b] }
            }
            1 => {
                let (a, b) = (self.int(depth), self.int(depth));
                Expr { kind: Kind::Call("use_var".to_owned()), ty: INT, kids: vec![a, b] }
            }
            2 if !self.texts.is_empty() => {
                let text = self.random.pick(&self.texts).clone();
                let kids = vec![Expr::name(text, INT)];
                Expr { kind: Kind::Call("(int)strlen".to_owned()), ty: INT, kids }
            }
            2 => {
                let index = Expr::binary("&", self.int(depth), Expr::constant(7));
                let array = if self.random.chance(50) { ("ct", 8) } else { ("st", 4) };
                let index = Expr::binary("&", index, Expr::constant(array.1 - 1));
                let kind = Kind::Element { array: array.0.to_owned(), count: array.1 as usize, given: false };
                Expr { kind, ty: INT, kids: vec![index] }
            }
            _ => {
                let (a, b) = (self.int(depth), self.int(depth));
                Expr { kind: Kind::Call(format!("h{number}")), ty, kids: vec![a, b] }
            }
        }
    }

    fn place(&mut self) -> Expr {
        if !self.arrays.is_empty() && self.random.chance(40) {
            return self.element();
        }
        let (name, ty) = self.random.pick(&self.names).clone();
        Expr::name(name, ty)
    }

    fn stmt(&mut self, out: &mut Vec<Stmt>, depth: usize, result: Option<Type>) {
        match self.random.below(if depth == 0 { 8 } else { 16 }) {
            0..=6 => {
                let place = self.place();
                let value = self.int(2);
                let op = if place.ty.is_int() {
                    *self.random.pick(&["=", "=", "=", "+=", "-=", "^=", "|=", "*="])
                } else {
                    *self.random.pick(&["=", "+=", "-="])
                };
                out.push(Stmt::Assign(place, op, value));
            }
            7 if depth < 2 && self.random.chance(40) => {
                let value = result.map(|_| self.expr(1));
                out.push(Stmt::Return(value));
            }
            7 => {
                self.next += 1;
                let (name, ty) = (format!("v{}", self.next), *self.random.pick(&INTS));
                let value = self.int(2);
                out.push(Stmt::Declare(ty, name, value));
            }
            8..=11 => {
                let condition = self.condition(2);
                let yes = self.block(depth - 1, result);
                let no = if self.random.chance(50) { self.block(depth - 1, result) } else { Vec::new() };
                out.push(Stmt::If(condition, yes, no));
            }
            12..=13 if self.loops < 2 => {
                let limit = if self.random.chance(60) {
                    Expr::constant(1 + self.random.below(4) as i64)
                } else {
                    Expr::binary("&", self.int(0), Expr::constant(3))
                };
                // A loop ends: its limit is read once.
                let name = format!("n{}", self.loops + 10 * self.next);
                self.next += 1;
                out.push(Stmt::Declare(INT, name.clone(), limit));
                self.loops += 1;
                let counter = format!("i{}", self.loops);
                let mut body = self.block(depth - 1, result);
                if self.random.chance(20) {
                    let condition = self.condition(1);
                    body.insert(0, Stmt::If(condition, vec![Stmt::Break], Vec::new()));
                }
                out.push(Stmt::If(
                    Expr::constant(1),
                    vec![Stmt::Count { counter, limit: Expr::name(name, INT), body, plain_while: false }],
                    Vec::new(),
                ));
                self.loops -= 1;
            }
            14 => {
                let value = self.int(1);
                let mut cases = Vec::new();
                let step = 1 + self.random.below(3) as i64;
                for label in 0..2 + self.random.below(3) as i64 {
                    let body = self.block(0, result);
                    cases.push((label * step, body, self.random.chance(75)));
                }
                let other = if self.random.chance(60) { self.block(0, result) } else { Vec::new() };
                out.push(Stmt::Switch(value, cases, other));
            }
            _ => {
                let place = self.place();
                let value = self.int(2);
                out.push(Stmt::Assign(place, "=", value));
            }
        }
    }

    fn block(&mut self, depth: usize, result: Option<Type>) -> Vec<Stmt> {
        let mut list = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            self.stmt(&mut list, depth, result);
        }
        list
    }
}
