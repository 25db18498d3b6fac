//! A small language that is written out as C, and functions of it made from a seed.

use std::fmt::Write;

/// SplitMix64.
pub struct Rng(pub u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    /// One of them.
    pub fn pick<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum E {
    Num(i64),
    /// A variable or a field: no side effects, can be assigned.
    Var(String),
    /// `base[index & 3]`.
    At(String, Box<E>),
    Bin(&'static str, Box<E>, Box<E>),
    Not(Box<E>),
    Cast(&'static str, Box<E>),
    Pick(Box<E>, Box<E>, Box<E>),
    Call(String, Vec<E>),
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub enum S {
    Set(E, E),
    Do(E),
    If(E, Vec<S>, Vec<S>),
    /// `for (var = 0; var < limit; var++)`.
    For(String, E, Vec<S>),
    /// A walk along the list, of a few nodes: the body sees `x`.
    Walk(Vec<S>),
    Switch(E, Vec<(i64, Vec<S>)>),
    Ret(E),
    /// Text before, statements, text behind.
    Text(String, Vec<S>, String),
}

pub fn var(name: &str) -> E {
    E::Var(name.to_owned())
}

pub fn bin(op: &'static str, a: E, b: E) -> E {
    E::Bin(op, Box::new(a), Box::new(b))
}

impl E {
    /// Whether it reads memory that others may write.
    pub fn reads(&self) -> bool {
        match self {
            E::Num(_) => false,
            E::Var(name) => name.contains("->") || name.starts_with('g'),
            E::At(..) | E::Call(..) => true,
            E::Bin(_, a, b) => a.reads() || b.reads(),
            E::Not(a) | E::Cast(_, a) => a.reads(),
            E::Pick(a, b, c) => a.reads() || b.reads() || c.reads(),
        }
    }

    /// Whether it calls something.
    pub fn calls(&self) -> bool {
        match self {
            E::Num(_) | E::Var(_) => false,
            E::Call(..) => true,
            E::At(_, a) | E::Not(a) | E::Cast(_, a) => a.calls(),
            E::Bin(_, a, b) => a.calls() || b.calls(),
            E::Pick(a, b, c) => a.calls() || b.calls() || c.calls(),
        }
    }

    pub fn text(&self) -> String {
        match self {
            E::Num(n) if *n < 0 => format!("({n})"),
            E::Num(n) => n.to_string(),
            E::Var(name) => name.clone(),
            E::At(base, index) => match **index {
                E::Num(n) => format!("{base}[{n}]"),
                _ => format!("{base}[{} & 3]", index.text()),
            },
            E::Bin(op, a, b) => format!("({} {op} {})", a.text(), b.text()),
            E::Not(a) => format!("!{}", a.text()),
            E::Cast(ty, a) => format!("({ty})({})", a.text()),
            E::Pick(a, b, c) => format!("({} ? {} : {})", a.text(), b.text(), c.text()),
            E::Call(name, args) => {
                format!("{name}({})", args.iter().map(E::text).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// Statements as text.
pub fn text(body: &[S], out: &mut String) {
    for statement in body {
        let inside = |body: &[S]| {
            let mut inside = String::new();
            text(body, &mut inside);
            inside
        };
        let _ = match statement {
            S::Set(to, value) => writeln!(out, "{} = {};", to.text(), value.text()),
            S::Do(value) => writeln!(out, "{};", value.text()),
            S::If(c, then, otherwise) if otherwise.is_empty() => {
                writeln!(out, "if ({}) {{\n{}}}", c.text(), inside(then))
            }
            S::If(c, then, otherwise) => {
                writeln!(out, "if ({}) {{\n{}}} else {{\n{}}}", c.text(), inside(then), inside(otherwise))
            }
            S::For(i, limit, body) => {
                writeln!(out, "for ({i} = 0; {i} < {}; {i}++) {{\n{}}}", limit.text(), inside(body))
            }
            S::Walk(body) => {
                writeln!(out, "x = l;\nw = 0;\nwhile (x && w < 5) {{\n{}x = x->next;\nw++;\n}}", inside(body))
            }
            S::Switch(value, cases) => {
                let mut all = String::new();
                for (number, body) in cases {
                    let _ = writeln!(all, "case {number}:\n{}break;", inside(body));
                }
                writeln!(out, "switch ({}) {{\n{all}}}", value.text())
            }
            S::Ret(value) => writeln!(out, "return {};", value.text()),
            S::Text(before, body, behind) => writeln!(out, "{before}\n{}{behind}", inside(body)),
        };
    }
}

/// A function with the helpers that belong to it.
#[derive(Clone, Debug)]
pub struct Function {
    pub index: usize,
    pub body: Vec<S>,
    /// Bodies of `int k(int a)`, `void w(int *a, int b)` and the recursive `int c(int a, int *b)`.
    pub helpers: [Vec<S>; 3],
    /// Number of elements of the private local array.
    pub room: u32,
}

/// What every unit begins with.
pub const PRELUDE: &str = "\
#ifndef V
#define V(name) name
#endif
struct node { int v; short h[2]; char c[4]; struct node *next; };
struct rec { char a; short b; int d[3]; struct { unsigned char u; signed char y; unsigned short z; } in; long k; };
extern int shared[4];
int ext_a(int), ext_b(int);
void ext_w(int *, int);
void *memcpy(void *, const void *, unsigned long);
void *memmove(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
unsigned long strlen(const char *);
int V(ga)[16] = {1, -2, 3, 4};
int V(gb) = 7;
char V(gc)[4] = {1, 2, 3, 4};
#define ga V(ga)
#define gb V(gb)
#define gc V(gc)
void *V(global)(int at) { return at == 0 ? (void *)ga : at == 1 ? (void *)&gb : (void *)gc; }
static int same_as(int a) { return a; }
";

/// A function and its helpers as C.
pub fn source(function: &Function) -> String {
    let mut out = String::new();
    let at = function.index;
    let mut bodies = function.helpers.iter().map(|body| {
        let mut inside = String::new();
        text(body, &mut inside);
        inside
    });
    let mut next = || bodies.next().unwrap_or_default();
    let _ = writeln!(out, "static int k{at}(int a) {{\n{}return a;\n}}", next());
    let _ = writeln!(out, "static void w{at}(int *a, int b) {{\n{}}}", next());
    let _ = writeln!(out, "static int c{at}(int a, int *b) {{\n{}return a;\n}}", next());
    let mut body = String::new();
    text(&function.body, &mut body);
    let _ = writeln!(
        out,
        "int V(f{at})(int *p, int *q, char *s, struct node *l, struct rec *r, int n, unsigned m, int (*cb)(int)) {{\n\
         int t0 = n, t1 = 1, t2, i0, i1, w, z0, z1, o[{}], e[4];\nchar y[4] = {{1, 2, 3, 4}};\nunsigned u = m;\nlong j;\nstruct node *x;\n{body}return t0 + 3 * t1 + (o[1] ^ e[2]) - o[2] + y[1] * y[2];\n}}",
        function.room
    );
    out
}

/// Makes a function.
pub fn function(rng: &mut Rng, index: usize) -> Function {
    let mut maker = Maker { rng, index, depth: 0, in_walk: false };
    let k = vec![S::If(bin(">", var("a"), E::Num(maker.rng.below(9) as i64)), vec![maker.assign_a()], vec![])];
    let k = [k, vec![maker.assign_a()]].concat();
    let w = vec![
        S::Set(E::At("a".into(), Box::new(E::Num(maker.rng.below(3) as i64))), bin("+", var("b"), E::Num(1))),
        S::Set(E::At("a".into(), Box::new(var("b"))), E::At("a".into(), Box::new(E::Num(0)))),
    ];
    let step = bin("-", bin("&", var("a"), E::Num(7)), E::Num(1));
    let c = vec![
        S::If(bin("<=", var("a"), E::Num(0)), vec![S::Ret(E::Num(maker.rng.below(3) as i64))], vec![]),
        S::Set(E::At("b".into(), Box::new(var("a"))), bin("+", var("a"), E::Num(1))),
        S::Set(var("a"), bin("+", E::Call(format!("c{index}"), vec![step, var("b")]), var("a"))),
    ];
    let mut body = vec![
        S::Set(var("t2"), maker.expr(1)),
        S::Set(E::At("o".into(), Box::new(E::Num(0))), maker.expr(1)),
        S::Set(E::At("o".into(), Box::new(E::Num(1))), maker.leaf()),
        S::Set(E::At("o".into(), Box::new(E::Num(2))), E::Num(0)),
        S::Set(E::At("o".into(), Box::new(E::Num(3))), E::Num(0)),
    ];
    body.push(S::Set(var("t1"), E::Num(1)));
    if maker.rng.below(3) == 0 {
        let near = bin("==", var("p"), var("ga"));
        let index = E::Pick(Box::new(near), Box::new(E::Num(2)), Box::new(E::Num(0)));
        body.push(S::Set(E::At("y".into(), Box::new(index)), maker.leaf()));
        body.push(S::Set(var("t1"), E::At("y".into(), Box::new(E::Num(2)))));
    }
    body.push(S::Do(E::Call("memset".into(), vec![var("e"), E::Num(0), E::Num(16)])));
    for _ in 0..3 + maker.rng.below(4) {
        body.extend(maker.statement());
    }
    Function { index, body, helpers: [k, w, c], room: 4 }
}

struct Maker<'r> {
    rng: &'r mut Rng,
    index: usize,
    depth: u32,
    in_walk: bool,
}

impl Maker<'_> {
    fn assign_a(&mut self) -> S {
        let op = self.rng.pick(&["+", "*", "^", "-"]);
        S::Set(var("a"), bin(op, var("a"), E::Num(1 + self.rng.below(5) as i64)))
    }

    fn leaf(&mut self) -> E {
        if self.rng.below(4) == 0 {
            return E::Num(self.rng.below(9) as i64 - 1);
        }
        var(self.rng.pick(&["t0", "t1", "n", "n", "t0", "(int)u", "(int)m"]))
    }

    /// An index, which is masked unless it is a number.
    fn index(&mut self) -> Box<E> {
        Box::new(match self.leaf() {
            E::Num(n) => E::Num(n & 3),
            other => other,
        })
    }

    /// Something in memory: the same pointer may be behind several of them.
    fn place(&mut self) -> E {
        if self.in_walk && self.rng.below(2) == 0 {
            return var(self.rng.pick(&["x->v", "x->h[0]", "x->h[1]", "x->c[2]"]));
        }
        match self.rng.below(10) {
            9 => {
                let near = bin(self.rng.pick(&["==", "<"]), var("p"), var(self.rng.pick(&["ga", "q"])));
                let far = E::Pick(Box::new(near), Box::new(E::Num(2)), Box::new(self.leaf()));
                E::At("y".into(), Box::new(self.rng.pick(&[far, E::Num(1), E::Num(2)])))
            }
            0 | 1 => E::At("p".into(), Box::new(E::Num(self.rng.below(3) as i64))),
            2 => E::At("q".into(), Box::new(E::Num(self.rng.below(3) as i64))),
            3 => E::At(self.rng.pick(&["p", "q", "s"]).into(), self.index()),
            4 => var(self.rng.pick(&["r->a", "r->b", "r->d[1]", "r->in.u", "r->in.y", "r->in.z"])),
            5 => E::At(self.rng.pick(&["o", "e"]).into(), Box::new(E::Num(self.rng.below(4) as i64))),
            6 => E::At(self.rng.pick(&["o", "e"]).into(), self.index()),
            7 => E::At(self.rng.pick(&["ga", "gc", "shared"]).into(), self.index()),
            _ => var("gb"),
        }
    }

    fn expr(&mut self, depth: u32) -> E {
        if depth == 0 {
            return if self.rng.below(3) == 0 { self.place() } else { self.leaf() };
        }
        match self.rng.below(12) {
            0 => bin("*", self.expr(depth - 1), E::Num(2)),
            1 => bin("%", E::Cast("unsigned", Box::new(self.expr(depth - 1))), E::Num(8)),
            2 => E::Pick(Box::new(self.condition()), Box::new(self.leaf()), Box::new(self.expr(depth - 1))),
            3 => E::Cast(
                self.rng.pick(&["char", "short", "unsigned char", "unsigned short"]),
                Box::new(self.expr(depth - 1)),
            ),
            4 => E::Call(format!("k{}", self.index), vec![self.leaf()]),
            5 => bin("/", self.leaf(), E::Num(3)),
            _ => {
                let op = self.rng.pick(&["+", "-", "^", "&", "|", "+", "*"]);
                bin(op, self.expr(depth - 1), self.expr(depth - 1))
            }
        }
    }

    fn condition(&mut self) -> E {
        let op = self.rng.pick(&["<", "<=", "==", "!=", ">", ">="]);
        let simple = bin(op, self.leaf(), self.expr(0));
        match self.rng.below(6) {
            0 => bin("&&", simple, bin("!=", self.leaf(), E::Num(3))),
            1 => bin("||", simple, bin(">", self.leaf(), E::Num(2))),
            2 => self.rng.pick(&[
                bin("==", var("p"), var("q")),
                bin("<", var("p"), var("q")),
                bin("==", var("p"), var("ga")),
            ]),
            _ => simple,
        }
    }

    fn block(&mut self) -> Vec<S> {
        self.depth += 1;
        let body = (0..1 + self.rng.below(2)).flat_map(|_| self.statement()).collect();
        self.depth -= 1;
        body
    }

    fn call(&mut self) -> E {
        let at = self.index;
        match self.rng.below(8) {
            0 | 1 => E::Call("ext_a".into(), vec![self.leaf()]),
            2 => E::Call("ext_b".into(), vec![self.leaf()]),
            3 => E::Call("cb".into(), vec![self.leaf()]),
            4 => E::Call(format!("c{at}"), vec![self.leaf(), var(self.rng.pick(&["p", "q", "e", "ga"]))]),
            5 => E::Call("strlen".into(), vec![var("s")]),
            _ => E::Call(format!("k{at}"), vec![self.leaf()]),
        }
    }

    fn statement(&mut self) -> Vec<S> {
        let nested = self.depth >= 2;
        match self.rng.below(if nested { 9 } else { 16 }) {
            0..=2 => vec![S::Set(self.place(), self.expr(1))],
            3 => vec![S::Set(var("t0"), self.expr(2))],
            4 => vec![S::Set(self.place(), self.leaf()), S::Set(self.place(), self.leaf())],
            5 => vec![S::Set(var("t1"), self.call())],
            6 => vec![S::Do(E::Call(
                self.rng.pick(&["ext_w".to_owned(), format!("w{}", self.index)]),
                vec![var(self.rng.pick(&["p", "q", "e", "ga"])), self.leaf()],
            ))],
            7 => {
                let (a, b) =
                    self.rng.pick(&[("p", "q"), ("q", "p"), ("p + 1", "p"), ("r->d", "p"), ("e", "p"), ("q", "e")]);
                let long = self.rng.pick(&[4, 8, 12, 16, 24, 32]);
                let length = E::Num(if [a, b].contains(&"e") { long.min(16) } else { long });
                vec![S::Do(E::Call("memmove".into(), vec![var(a), var(b), length]))]
            }
            8 => vec![S::If(
                bin("!=", var("n"), E::Num(0)),
                vec![S::Set(var("t0"), bin("/", var("t0"), var("n")))],
                vec![],
            )],
            9 | 10 => {
                let otherwise = if self.rng.below(2) == 0 { self.block() } else { Vec::new() };
                vec![S::If(self.condition(), self.block(), otherwise)]
            }
            11 | 12 => {
                let i = if self.depth == 0 { "i0" } else { "i1" };
                let limit = bin("&", var("n"), E::Num(7));
                let mut body = self.block();
                let extra = self.rng.pick(&["p", "q", "s", "e"]);
                body.push(S::Set(E::At(extra.into(), Box::new(var(i))), bin("+", self.expr(0), var(i))));
                vec![S::For(i.into(), limit, body)]
            }
            13 if !self.in_walk => {
                self.in_walk = true;
                let body = self.block();
                self.in_walk = false;
                vec![S::Walk(body)]
            }
            14 => {
                let cases = (0..3).map(|number| (number, self.block())).collect();
                vec![S::Switch(bin("&", self.leaf(), E::Num(3)), cases)]
            }
            _ => {
                let value = self.expr(1);
                let guard = self.condition();
                vec![S::If(guard, vec![S::Ret(value)], vec![])]
            }
        }
    }
}
