//! C as a tree: just enough to write it down and to change it.

/// Types of expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Int { bytes: u32, signed: bool },
    Double,
    Float,
}

pub const INT: Type = Type::Int { bytes: 4, signed: true };

/// All integer types.
pub const INTS: [Type; 8] = [
    INT,
    Type::Int { bytes: 4, signed: false },
    Type::Int { bytes: 1, signed: true },
    Type::Int { bytes: 1, signed: false },
    Type::Int { bytes: 2, signed: true },
    Type::Int { bytes: 2, signed: false },
    Type::Int { bytes: 8, signed: true },
    Type::Int { bytes: 8, signed: false },
];

impl Type {
    pub fn name(self) -> &'static str {
        match self {
            Type::Int { bytes: 1, signed: true } => "signed char",
            Type::Int { bytes: 1, signed: false } => "unsigned char",
            Type::Int { bytes: 2, signed: true } => "short",
            Type::Int { bytes: 2, signed: false } => "unsigned short",
            Type::Int { bytes: 4, signed: true } => "int",
            Type::Int { bytes: 4, signed: false } => "unsigned",
            Type::Int { signed: true, .. } => "long",
            Type::Int { .. } => "unsigned long",
            Type::Double => "double",
            Type::Float => "float",
        }
    }

    pub fn is_int(self) -> bool {
        matches!(self, Type::Int { .. })
    }

    /// What a value of this type becomes in arithmetic.
    pub fn promoted(self) -> Type {
        match self {
            Type::Int { bytes, .. } if bytes < 4 => INT,
            other => other,
        }
    }

    /// The type of arithmetic on two types.
    pub fn common(self, other: Type) -> Type {
        match (self.promoted(), other.promoted()) {
            (Type::Double, _) | (_, Type::Double) => Type::Double,
            (Type::Float, _) | (_, Type::Float) => Type::Float,
            (Type::Int { bytes: a, signed: s }, Type::Int { bytes: b, signed: t }) if a == b => {
                Type::Int { bytes: a, signed: s && t }
            }
            (a @ Type::Int { bytes: x, .. }, b @ Type::Int { bytes: y, .. }) => {
                if x > y {
                    a
                } else {
                    b
                }
            }
        }
    }
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: Kind,
    pub ty: Type,
    pub kids: Vec<Expr>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Const(i64),
    /// A variable or a field.
    Name(String),
    /// An element; the flag says that the array is given by the caller, who promises only that many elements.
    Element {
        array: String,
        count: usize,
        given: bool,
    },
    Unary(&'static str),
    Binary(&'static str),
    Cast,
    Choice,
    Call(String),
}

impl Expr {
    pub fn constant(value: i64) -> Expr {
        let ty = if i32::try_from(value).is_ok() { INT } else { Type::Int { bytes: 8, signed: true } };
        Expr { kind: Kind::Const(value), ty, kids: Vec::new() }
    }

    pub fn name(name: impl Into<String>, ty: Type) -> Expr {
        Expr { kind: Kind::Name(name.into()), ty, kids: Vec::new() }
    }

    pub fn unary(op: &'static str, kid: Expr) -> Expr {
        let ty = if op == "!" { INT } else { kid.ty.promoted() };
        Expr { kind: Kind::Unary(op), ty, kids: vec![kid] }
    }

    pub fn binary(op: &'static str, left: Expr, right: Expr) -> Expr {
        let ty = match op {
            "<" | "<=" | ">" | ">=" | "==" | "!=" | "&&" | "||" => INT,
            "<<" | ">>" => left.ty.promoted(),
            _ => left.ty.common(right.ty),
        };
        Expr { kind: Kind::Binary(op), ty, kids: vec![left, right] }
    }

    pub fn cast(ty: Type, kid: Expr) -> Expr {
        Expr { kind: Kind::Cast, ty, kids: vec![kid] }
    }

    pub fn choice(condition: Expr, yes: Expr, no: Expr) -> Expr {
        let ty = yes.ty.common(no.ty);
        Expr { kind: Kind::Choice, ty, kids: vec![condition, yes, no] }
    }

    pub fn text(&self) -> String {
        let kid = |index: usize| self.kids[index].text();
        match &self.kind {
            Kind::Const(value) if self.ty == INT => value.to_string(),
            Kind::Const(value) => format!("{value}L"),
            Kind::Name(name) => name.clone(),
            Kind::Element { array, count, given: true } => format!("{array}[GIVEN({}, {count})]", kid(0)),
            Kind::Element { array, count, given: false } => format!("{array}[OWN({}, {count})]", kid(0)),
            Kind::Unary(op) => format!("{op}({})", kid(0)),
            Kind::Binary(op) => format!("({} {op} {})", kid(0), kid(1)),
            Kind::Cast => format!("({})({})", self.ty.name(), kid(0)),
            Kind::Choice => format!("({} ? {} : {})", kid(0), kid(1), kid(2)),
            Kind::Call(name) => {
                format!("{name}({})", self.kids.iter().map(Expr::text).collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// All expressions inside, itself first.
    pub fn all(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        visit(self);
        for kid in &mut self.kids {
            kid.all(visit);
        }
    }
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// `type name = value;`
    Declare(Type, String, Expr),
    /// `place op value;`
    Assign(Expr, &'static str, Expr),
    /// Anything, written down.
    Text(String),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// Counts a variable from 0 up, while it is below a number.
    Count {
        counter: String,
        limit: Expr,
        body: Vec<Stmt>,
        plain_while: bool,
    },
    Switch(Expr, Vec<(i64, Vec<Stmt>, bool)>, Vec<Stmt>),
    Return(Option<Expr>),
    Break,
}

impl Stmt {
    pub fn write(&self, out: &mut String, depth: usize) {
        let pad = "    ".repeat(depth);
        let block = |list: &[Stmt], out: &mut String| {
            for stmt in list {
                stmt.write(out, depth + 1);
            }
        };
        match self {
            Stmt::Declare(ty, name, value) => out.push_str(&format!("{pad}{} {name} = {};\n", ty.name(), value.text())),
            Stmt::Assign(place, op, value) => {
                out.push_str(&format!("{pad}{} {op} {};\n", place.text(), value.text()));
            }
            Stmt::Text(text) => out.push_str(&format!("{pad}{text}\n")),
            Stmt::If(condition, yes, no) => {
                out.push_str(&format!("{pad}if ({}) {{\n", condition.text()));
                block(yes, out);
                if !no.is_empty() {
                    out.push_str(&format!("{pad}}} else {{\n"));
                    block(no, out);
                }
                out.push_str(&format!("{pad}}}\n"));
            }
            Stmt::Count { counter: i, limit, body, plain_while } => {
                if *plain_while {
                    out.push_str(&format!("{pad}int {i} = 0;\n{pad}while ({i} < {}) {{\n", limit.text()));
                    block(body, out);
                    out.push_str(&format!("{pad}    {i}++;\n{pad}}}\n"));
                } else {
                    out.push_str(&format!("{pad}for (int {i} = 0; {i} < {}; {i}++) {{\n", limit.text()));
                    block(body, out);
                    out.push_str(&format!("{pad}}}\n"));
                }
            }
            Stmt::Switch(value, cases, other) => {
                out.push_str(&format!("{pad}switch ({}) {{\n", value.text()));
                for (label, body, ends) in cases {
                    out.push_str(&format!("{pad}case {label}:\n"));
                    block(body, out);
                    if *ends {
                        out.push_str(&format!("{pad}    break;\n"));
                    }
                }
                out.push_str(&format!("{pad}default:;\n"));
                block(other, out);
                out.push_str(&format!("{pad}}}\n"));
            }
            Stmt::Return(None) => out.push_str(&format!("{pad}return;\n")),
            Stmt::Return(Some(value)) => out.push_str(&format!("{pad}return {};\n", value.text())),
            Stmt::Break => out.push_str(&format!("{pad}break;\n")),
        }
    }

    /// Lists of statements inside.
    pub fn blocks(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            Stmt::If(_, yes, no) => vec![yes, no],
            Stmt::Count { body, .. } => vec![body],
            Stmt::Switch(_, cases, other) => {
                cases.iter_mut().map(|(_, body, _)| body).chain(std::iter::once(other)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Expressions of this statement itself.
    pub fn exprs(&mut self) -> Vec<&mut Expr> {
        match self {
            Stmt::Declare(_, _, value) => vec![value],
            Stmt::Assign(place, _, value) => vec![place, value],
            Stmt::If(condition, ..) => vec![condition],
            Stmt::Count { limit, .. } => vec![limit],
            Stmt::Switch(value, ..) => vec![value],
            Stmt::Return(Some(value)) => vec![value],
            _ => Vec::new(),
        }
    }
}

/// Visits all statements of a list, outer ones first.
pub fn all_stmts(list: &mut [Stmt], visit: &mut dyn FnMut(&mut Stmt)) {
    for stmt in list {
        visit(stmt);
        for block in stmt.blocks() {
            all_stmts(block, visit);
        }
    }
}

/// Visits all expressions of a list of statements.
pub fn all_exprs(list: &mut [Stmt], visit: &mut dyn FnMut(&mut Expr)) {
    all_stmts(list, &mut |stmt| {
        for expr in stmt.exprs() {
            expr.all(visit);
        }
    });
}

/// Visits all lists of statements.
pub fn all_blocks(list: &mut Vec<Stmt>, visit: &mut dyn FnMut(&mut Vec<Stmt>)) {
    visit(list);
    for stmt in list {
        for block in stmt.blocks() {
            all_blocks(block, visit);
        }
    }
}
