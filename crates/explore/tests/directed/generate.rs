//! Random pairs of C programs: a function with branches, loops, calls, arrays, globals and pointers, and an edit of it.

use std::fmt::Write;

/// Random numbers, the same on every machine.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..4 {
            random.below(2);
        }
        random
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % limit.max(1) as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

#[derive(Clone, Debug)]
enum Expr {
    Number(i64),
    Name(&'static str),
    Element(Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Call(usize, Vec<Expr>),
}

#[derive(Clone, Debug)]
enum Stmt {
    Set(&'static str, Expr),
    SetElement(Expr, Expr),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    Loop(usize, Expr, Vec<Stmt>),
    Switch(Expr, Vec<Vec<Stmt>>),
    Return(Expr),
    Abort(Expr),
    Divide(&'static str, Expr, Expr),
    Aim(Expr),
}

/// A program: helpers first, the function itself last.
#[derive(Clone, Debug)]
pub struct Program {
    bodies: Vec<Vec<Stmt>>,
}

const VALUES: [&str; 9] = ["a", "b", "x", "y", "g0", "g1", "p[0]", "p[1]", "*q"];
const PLACES: [&str; 7] = ["x", "y", "g0", "g1", "p[0]", "p[1]", "*q"];
const HELPER_VALUES: [&str; 6] = ["a", "b", "x", "y", "g0", "g1"];
const HELPER_PLACES: [&str; 4] = ["x", "y", "g0", "g1"];
const ARITHMETIC: [&str; 5] = ["+", "-", "&", "^", "|"];
const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];

/// Makes programs.
struct Maker<'r> {
    random: &'r mut Random,
    /// The body that is being made: helpers call later helpers only.
    body: usize,
    /// How many more statements there may be.
    left: usize,
    loops: usize,
}

/// A random program.
pub fn program(random: &mut Random) -> Program {
    let mut bodies = Vec::new();
    for body in 0..3 {
        let size = if body == 2 { 7 + random.below(6) } else { 3 + random.below(3) };
        let mut maker = Maker { random, body, left: size, loops: 0 };
        let mut stmts = maker.block(0);
        while maker.left > 0 {
            stmts.extend(maker.block(0));
        }
        bodies.push(stmts);
    }
    Program { bodies }
}

impl Maker<'_> {
    fn is_main(&self) -> bool {
        self.body == 2
    }

    fn value(&mut self) -> Expr {
        match self.random.below(10) {
            0..3 => Expr::Number(self.random.below(9) as i64 - 2),
            3 => Expr::Element(Box::new(Expr::Name(if self.random.chance(50) { "a" } else { "x" }))),
            _ => Expr::Name(match self.is_main() {
                true => self.random.pick(&VALUES),
                false => self.random.pick(&HELPER_VALUES),
            }),
        }
    }

    fn expr(&mut self, depth: usize) -> Expr {
        if depth == 0 || self.random.chance(40) {
            return self.value();
        }
        if self.random.chance(18) && self.body > 0 {
            let helper = self.random.below(self.body.min(2));
            return Expr::Call(helper, vec![self.expr(depth - 1), self.value()]);
        }
        let op = self.random.pick(&ARITHMETIC);
        Expr::Binary(op, Box::new(self.expr(depth - 1)), Box::new(self.value()))
    }

    fn condition(&mut self) -> Expr {
        let op = self.random.pick(&COMPARISONS);
        let left = self.expr(1);
        let right = if self.random.chance(70) { Expr::Number(self.random.below(7) as i64) } else { self.value() };
        let simple = Expr::Binary(op, Box::new(left), Box::new(right));
        if self.random.chance(15) {
            let op = if self.random.chance(50) { "&&" } else { "||" };
            return Expr::Binary(op, Box::new(simple), Box::new(self.condition()));
        }
        simple
    }

    fn block(&mut self, depth: usize) -> Vec<Stmt> {
        let count = 1 + self.random.below(3);
        let mut stmts = Vec::new();
        for _ in 0..count {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            let stmt = self.stmt(depth);
            stmts.push(stmt);
        }
        stmts
    }

    fn stmt(&mut self, depth: usize) -> Stmt {
        let nested = depth < 2;
        match self.random.below(100) {
            0..40 if nested => {
                let condition = self.condition();
                let then = self.block(depth + 1);
                let otherwise = if self.random.chance(50) { self.block(depth + 1) } else { Vec::new() };
                Stmt::If(condition, then, otherwise)
            }
            40..48 if nested && self.loops < 2 => {
                self.loops += 1;
                let number = self.loops;
                let bound = match self.random.chance(50) {
                    true => Expr::Number(1 + self.random.below(3) as i64),
                    false => Expr::Binary("&", Box::new(self.value()), Box::new(Expr::Number(1))),
                };
                Stmt::Loop(number, bound, self.block(depth + 1))
            }
            48..53 if nested => {
                let value = Expr::Binary("&", Box::new(self.expr(1)), Box::new(Expr::Number(3)));
                let cases = 2 + self.random.below(2);
                Stmt::Switch(value, (0..cases).map(|_| self.block(depth + 1)).collect())
            }
            53..58 => Stmt::SetElement(self.value(), self.expr(1)),
            58..61 if depth > 0 => Stmt::Return(self.expr(1)),
            61..64 => Stmt::Abort(self.condition()),
            64..67 => Stmt::Divide(self.place(), self.expr(1), self.value()),
            67..71 if self.is_main() => Stmt::Aim(self.condition()),
            _ => Stmt::Set(self.place(), self.expr(2)),
        }
    }

    fn place(&mut self) -> &'static str {
        if self.is_main() { self.random.pick(&PLACES) } else { self.random.pick(&HELPER_PLACES) }
    }
}

/// The same program with a random edit.
pub fn edit(program: &Program, random: &mut Random) -> Program {
    let mut edited = program.clone();
    for _ in 0..1 + random.below(2) {
        // Mostly in the function itself.
        let body = if random.chance(70) { 2 } else { random.below(2) };
        match random.below(10) {
            0..5 => edit_expr(&mut edited.bodies[body], random),
            _ => edit_block(&mut edited.bodies[body], body, random),
        }
    }
    edited
}

fn edit_expr(stmts: &mut [Stmt], random: &mut Random) {
    let mut count = 0;
    visit_exprs(stmts, &mut |_| count += 1);
    let mut chosen = random.below(count);
    let change = random.below(3);
    let (number, op, comparison) = (random.below(7) as i64, random.below(5), random.below(6));
    visit_exprs(stmts, &mut |expr| {
        if chosen == 0 {
            match expr {
                Expr::Number(old) => *old = if *old == number { number + 1 } else { number },
                Expr::Binary(old, ..) if COMPARISONS.contains(old) => *old = COMPARISONS[comparison],
                Expr::Binary(old, ..) if ARITHMETIC.contains(old) => *old = ARITHMETIC[op],
                Expr::Name(_) if change > 0 => *expr = Expr::Number(number),
                other => *other = Expr::Binary("+", Box::new(other.clone()), Box::new(Expr::Number(1))),
            }
        }
        chosen = chosen.wrapping_sub(1);
    });
}

fn edit_block(stmts: &mut Vec<Stmt>, body: usize, random: &mut Random) {
    let mut count = 0;
    visit_blocks(stmts, &mut |_| count += 1);
    let mut chosen = random.below(count);
    let action = random.below(4);
    let place = random.below(100);
    let mut maker = Maker { random, body, left: 2, loops: 2 };
    let fresh = maker.stmt(2);
    visit_blocks(stmts, &mut |block| {
        if chosen == 0 {
            let at = place % block.len().max(1);
            match action {
                0 | 1 if !block.is_empty() => drop(block.remove(at)),
                2 if block.len() > 1 => block.swap(0, at),
                _ => block.insert(at.min(block.len()), fresh.clone()),
            }
        }
        chosen = chosen.wrapping_sub(1);
    });
}

fn visit_exprs(stmts: &mut [Stmt], visit: &mut dyn FnMut(&mut Expr)) {
    for stmt in stmts {
        match stmt {
            Stmt::Set(_, value) | Stmt::Return(value) | Stmt::Abort(value) | Stmt::Aim(value) => {
                visit_expr(value, visit)
            }
            Stmt::SetElement(left, right) | Stmt::Divide(_, left, right) => {
                visit_expr(left, visit);
                visit_expr(right, visit);
            }
            Stmt::If(condition, then, otherwise) => {
                visit_expr(condition, visit);
                visit_exprs(then, visit);
                visit_exprs(otherwise, visit);
            }
            Stmt::Loop(_, bound, body) => {
                // The bound keeps its mask, so that loops stay short.
                if let Expr::Binary(_, value, _) = bound {
                    visit_expr(value, visit);
                }
                visit_exprs(body, visit);
            }
            Stmt::Switch(Expr::Binary(_, value, _), cases) => {
                visit_expr(value, visit);
                cases.iter_mut().for_each(|case| visit_exprs(case, visit));
            }
            Stmt::Switch(_, cases) => cases.iter_mut().for_each(|case| visit_exprs(case, visit)),
        }
    }
}

fn visit_expr(expr: &mut Expr, visit: &mut dyn FnMut(&mut Expr)) {
    visit(expr);
    match expr {
        Expr::Number(_) | Expr::Name(_) => {}
        Expr::Element(index) => visit_expr(index, visit),
        Expr::Binary(_, left, right) => {
            visit_expr(left, visit);
            visit_expr(right, visit);
        }
        Expr::Call(_, args) => args.iter_mut().for_each(|arg| visit_expr(arg, visit)),
    }
}

fn visit_blocks(stmts: &mut Vec<Stmt>, visit: &mut dyn FnMut(&mut Vec<Stmt>)) {
    visit(stmts);
    for stmt in stmts {
        match stmt {
            Stmt::If(_, then, otherwise) => {
                visit_blocks(then, visit);
                visit_blocks(otherwise, visit);
            }
            Stmt::Loop(_, _, body) => visit_blocks(body, visit),
            Stmt::Switch(_, cases) => cases.iter_mut().for_each(|case| visit_blocks(case, visit)),
            _ => {}
        }
    }
}

/// A program as C. All its names end in `tag`, so that many fit in one file: the function is `f` and the tag, its global
/// variables are `g0`, `g1` and `t`, which belong to the inputs.
pub fn text(program: &Program, tag: &str) -> String {
    let mut out = format!("int g0{tag}, g1{tag}, t{tag}[4];\n");
    for (index, body) in program.bodies.iter().enumerate() {
        let printer = Printer { tag };
        if index == 2 {
            let _ = writeln!(out, "int f{tag}(int a, int b, int *p) {{\n  int x = 0, y = 1, *q = p;");
        } else {
            let _ = writeln!(out, "static int h{index}{tag}(int a, int b) {{\n  int x = b, y = 2;");
        }
        printer.block(body, 1, &mut out);
        out.push_str("  return x + y;\n}\n");
    }
    out
}

fn is_constant(expr: &Expr) -> bool {
    match expr {
        Expr::Number(_) => true,
        Expr::Binary(_, left, right) => is_constant(left) && is_constant(right),
        Expr::Name(_) | Expr::Element(_) | Expr::Call(..) => false,
    }
}

struct Printer<'t> {
    tag: &'t str,
}

impl Printer<'_> {
    fn name(&self, name: &str) -> String {
        if name.starts_with('g') { format!("{name}{}", self.tag) } else { name.to_owned() }
    }

    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Number(number) => number.to_string(),
            Expr::Name(name) => self.name(name),
            Expr::Element(index) => format!("t{}[{} & 3]", self.tag, self.expr(index)),
            Expr::Binary(op, left, right) => format!("({} {op} {})", self.expr(left), self.expr(right)),
            Expr::Call(helper, args) => {
                let args: Vec<String> = args.iter().map(|arg| self.expr(arg)).collect();
                format!("h{helper}{}({})", self.tag, args.join(", "))
            }
        }
    }

    fn block(&self, stmts: &[Stmt], depth: usize, out: &mut String) {
        let indent = "  ".repeat(depth);
        for stmt in stmts {
            out.push_str(&indent);
            let _ = match stmt {
                Stmt::Set(place, value) => writeln!(out, "{} = {};", self.name(place), self.expr(value)),
                Stmt::SetElement(index, value) => {
                    writeln!(out, "t{}[{} & 3] = {};", self.tag, self.expr(index), self.expr(value))
                }
                Stmt::Return(value) => writeln!(out, "return {};", self.expr(value)),
                Stmt::Abort(condition) => writeln!(out, "if ({} && b == 5) __builtin_trap();", self.expr(condition)),
                Stmt::Divide(place, left, right) => {
                    // A division by a zero that the compiler sees does not trap: it gives whatever a register holds.
                    let never = if is_constant(right) { " | 1" } else { "" };
                    let (place, left, right) = (self.name(place), self.expr(left), self.expr(right));
                    writeln!(out, "{place} = ({left} & 15) / ({right} & 3{never});")
                }
                Stmt::Aim(condition) => writeln!(out, "q = {} ? &t{}[1] : p;", self.expr(condition), self.tag),
                Stmt::If(condition, then, otherwise) => {
                    let _ = writeln!(out, "if ({}) {{", self.expr(condition));
                    self.block(then, depth + 1, out);
                    if !otherwise.is_empty() {
                        let _ = writeln!(out, "{indent}}} else {{");
                        self.block(otherwise, depth + 1, out);
                    }
                    writeln!(out, "{indent}}}")
                }
                Stmt::Loop(number, bound, body) => {
                    let _ = writeln!(out, "for (int i{number} = 0; i{number} < {}; i{number}++) {{", self.expr(bound));
                    self.block(body, depth + 1, out);
                    writeln!(out, "{indent}}}")
                }
                Stmt::Switch(value, cases) => {
                    let _ = writeln!(out, "switch ({}) {{", self.expr(value));
                    for (number, case) in cases.iter().enumerate() {
                        let _ = writeln!(out, "{indent}case {number}:");
                        self.block(case, depth + 1, out);
                        let _ = writeln!(out, "{indent}  break;");
                    }
                    writeln!(out, "{indent}}}")
                }
            };
        }
    }
}
