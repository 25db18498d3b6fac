//! Expressions as people write them: `PedalPos <= 0 && buf[2] == '.'`.
//!
//! The text is for reading, not for parsing: extensions are silent as C's promotions are, and a long
//! expression is cut.

use crate::bits::Bits;
use crate::expr::{Expr, FloatFormat, FloatOp, Op, Rounding, TermId, mask};
use crate::pool::canonical::commutes;
use crate::pool::{Pool, Reading};
use rustc_hash::{FxHashMap, FxHasher};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// How long a text may become before it is cut.
pub const MAX_LENGTH: usize = 400;

/// How names of functions end whose first operand is the number of the call: the first call is not numbered, those behind
/// it are `f(x)#1`, `f(x)#2`.
pub const NUMBERED: &str = "@";

/// An expression as text.
pub fn show(pool: &Pool, expr: Expr) -> String {
    let mut writer = Writer { pool, out: String::new(), depth: 0, shapes: FxHashMap::default() };
    writer.expr(expr, Binding::Loosest, None);
    if writer.out.chars().count() > MAX_LENGTH {
        let kept: String = writer.out.chars().take(MAX_LENGTH).collect();
        return kept + "…";
    }
    writer.out
}

/// How people read an expression, by the first symbol in it that tells.
pub fn reading(pool: &Pool, expr: Expr) -> Option<Reading> {
    let (mut expr, mut computed) = (expr, false);
    for _ in 0..MAX_DEPTH {
        let Expr::Term(id) = expr else { return None };
        let node = pool.node(id);
        expr = match node.op {
            Op::Symbol(symbol) | Op::ArraySymbol(symbol) => return Some(pool.symbol_info(symbol).reading),
            // What is computed of shorter numbers is an `int`.
            Op::ZExt | Op::SExt if computed && node.width == 32 && pool.width(node.args()[0]) < 32 => {
                return Some(Reading::Signed);
            }
            Op::Add | Op::Sub | Op::Mul | Op::Neg | Op::And | Op::Or | Op::Xor | Op::Not if node.width > 1 => {
                computed = true;
                let operand = node.args().iter().find(|arg| matches!(arg, Expr::Term(_)));
                *operand?
            }
            Op::Select | Op::Store | Op::ZExt | Op::SExt => node.args()[0],
            Op::Ite => node.args()[1],
            Op::Apply { function, .. } => {
                let is_float =
                    pool.function_name(function).split_once('/').is_some_and(|(_, end)| end.starts_with('f'));
                return match node.width {
                    32 if is_float => Some(Reading::Float(FloatFormat::Single)),
                    64 if is_float => Some(Reading::Float(FloatFormat::Double)),
                    // Most functions return an `int`.
                    8 | 16 | 32 | 64 => Some(Reading::Signed),
                    _ => None,
                };
            }
            _ => return None,
        };
    }
    None
}

/// How tightly an operator binds its operands, the loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Loosest,
    Choice,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Ordering,
    Shift,
    Sum,
    Product,
    Prefix,
}

/// How deep an expression is written out.
const MAX_DEPTH: u32 = 40;

/// What the bits of the C library's table of characters mean, on machines whose first byte is the lowest.
const CLASSES: [(u64, &str); 12] = [
    (1 << 8, "isupper"),
    (1 << 9, "islower"),
    (1 << 10, "isalpha"),
    (1 << 11, "isdigit"),
    (1 << 12, "isxdigit"),
    (1 << 13, "isspace"),
    (1 << 14, "isprint"),
    (1 << 15, "isgraph"),
    (1, "isblank"),
    (1 << 1, "iscntrl"),
    (1 << 2, "ispunct"),
    (1 << 3, "isalnum"),
];

/// Most elements of a table that are written out; of longer ones a few.
const MAX_ELEMENTS: u64 = 16;

struct Writer<'p> {
    pool: &'p Pool,
    out: String,
    depth: u32,
    /// How large terms are, and what they look like whatever the order of operands.
    shapes: FxHashMap<TermId, (u64, u64)>,
}

impl Writer<'_> {
    /// Writes an expression inside an operator of that binding; constants are read as `reading`.
    fn expr(&mut self, expr: Expr, around: Binding, reading: Option<Reading>) {
        if self.out.len() > 4 * MAX_LENGTH || self.depth > MAX_DEPTH {
            self.out.push('…');
            return;
        }
        self.depth += 1;
        match expr {
            Expr::Const { bits, width } => {
                // In a sum, 32 is a number and '0' is a character.
                let is_sign = char::from_u32(bits as u32).is_some_and(|sign| !sign.is_ascii_alphanumeric());
                let reading = match reading {
                    Some(Reading::Char) if around >= Binding::Sum && is_sign => Some(Reading::Signed),
                    reading => reading,
                };
                self.out.push_str(&constant(bits, width, reading));
            }
            Expr::Term(id) => self.term(id, around, reading),
        }
        self.depth -= 1;
    }

    fn term(&mut self, id: TermId, around: Binding, reading: Option<Reading>) {
        let pool = self.pool;
        let node = pool.node(id);
        let args = node.args();
        if let Some((sign, value)) = changed_sign(pool, id)
            && let Some(Reading::Float(_)) = reading.or_else(|| self.reading(value))
        {
            return match sign {
                Sign::Other => self.prefix("-", value),
                Sign::Positive => self.call("fabs", &[value]),
            };
        }
        if let Some((sign, value, distance)) = shift(pool, id) {
            return self.binary(sign, value, Expr::constant(u64::from(distance), 32), Binding::Shift, around, None);
        }
        match node.op {
            Op::Symbol(symbol) => self.out.push_str(&pool.symbol_info(symbol).name),
            Op::Wide(index) => self.out.push_str(&hexadecimal(pool.wide(index))),
            Op::Not if node.width == 1 => match args[0] {
                Expr::Term(inner) if pool.node(inner).op == Op::Eq => {
                    let operands = pool.node(inner).args();
                    self.compare("!=", operands[0], operands[1], Binding::Equality, around, None);
                }
                inner => self.prefix("!", inner),
            },
            Op::Not => self.prefix("~", args[0]),
            Op::Neg => self.prefix("-", args[0]),
            Op::And if node.width == 1 => self.binary("&&", args[0], args[1], Binding::And, around, None),
            Op::And => self.binary("&", args[0], args[1], Binding::BitAnd, around, None),
            Op::Or if node.width == 1 => self.binary("||", args[0], args[1], Binding::Or, around, None),
            Op::Or => self.binary("|", args[0], args[1], Binding::BitOr, around, None),
            Op::Xor if node.width == 1 => self.binary("!=", args[0], args[1], Binding::Equality, around, None),
            Op::Xor => self.binary("^", args[0], args[1], Binding::BitXor, around, None),
            Op::Add => match negative(args[1]) {
                Some(positive) => self.binary("-", args[0], positive, Binding::Sum, around, None),
                None => self.binary("+", args[0], args[1], Binding::Sum, around, reading),
            },
            Op::Sub => self.binary("-", args[0], args[1], Binding::Sum, around, reading),
            Op::Mul => self.binary("*", args[0], args[1], Binding::Product, around, reading),
            Op::UDiv | Op::SDiv => self.binary("/", args[0], args[1], Binding::Product, around, self.sense(node.op)),
            Op::URem | Op::SRem => self.binary("%", args[0], args[1], Binding::Product, around, self.sense(node.op)),
            Op::Shl => self.binary("<<", args[0], args[1], Binding::Shift, around, None),
            Op::LShr | Op::AShr => self.binary(">>", args[0], args[1], Binding::Shift, around, None),
            Op::Eq => self.compare("==", args[0], args[1], Binding::Equality, around, None),
            Op::Ult | Op::Slt => self.compare("<", args[0], args[1], Binding::Ordering, around, self.sense(node.op)),
            Op::Ule | Op::Sle => self.compare("<=", args[0], args[1], Binding::Ordering, around, self.sense(node.op)),
            Op::Ite => {
                let reading = reading.or_else(|| self.reading(args[1])).or_else(|| self.reading(args[2]));
                self.inside(Binding::Choice, around, |writer| {
                    writer.expr(args[0], Binding::Or, None);
                    writer.out.push_str(" ? ");
                    writer.expr(args[1], Binding::Choice, reading);
                    writer.out.push_str(" : ");
                    writer.expr(args[2], Binding::Choice, reading);
                });
            }
            Op::Concat => {
                let distance = pool.width(args[1]);
                let own = if args[1].as_const() == Some(0) { Binding::Shift } else { Binding::BitOr };
                self.inside(own, around, |writer| {
                    // Both sides are shown as numbers without a sign: what lies above must not come from a sign.
                    let (open, close) = if own == Binding::Shift { ("", "") } else { ("(", ")") };
                    writer.out.push_str(open);
                    writer.expr(args[0], Binding::Product, None);
                    writer.out.push_str(&format!(" << {distance}{close}"));
                    if own == Binding::BitOr {
                        writer.out.push_str(" | ");
                        writer.operand(args[1], Binding::BitOr, Binding::BitOr, None);
                    }
                });
            }
            Op::Extract { low } => self.slice(args[0], (low, node.width), around, reading),
            // Promotions are silent.
            Op::ZExt | Op::SExt => self.expr(args[0], around, reading),
            Op::Select => {
                self.array(args[0]);
                self.out.push('[');
                self.expr(args[1], Binding::Loosest, None);
                self.out.push(']');
            }
            Op::Apply { function, args } => {
                // Behind the name stands what its result is: `f64` for a float of 64 bits.
                let full = pool.function_name(function);
                let name = full.split_once('/').map_or(full, |(name, _)| name);
                match pool.apply_args(args) {
                    [Expr::Const { bits, .. }, others @ ..] if full.ends_with(NUMBERED) => {
                        self.call(name, others);
                        if *bits > 0 {
                            self.out.push_str(&format!("#{bits}"));
                        }
                    }
                    args => self.call(name, args),
                }
            }
            Op::Float(op) => self.float(op, args, around),
            Op::ArraySymbol(_) | Op::ArrayTable(_) | Op::Store => self.array(Expr::Term(id)),
        }
    }

    /// An array: its name, or its elements; after writes at unknown places with a mark that it was written to.
    fn array(&mut self, array: Expr) {
        let pool = self.pool;
        let mut array = array;
        let mut written = false;
        // What was written last, of each place that is known.
        let mut places: BTreeMap<u64, Expr> = BTreeMap::new();
        while let Expr::Term(id) = array {
            let node = pool.node(id);
            match node.op {
                Op::Store => {
                    match node.args()[1].as_const() {
                        Some(at) if !written => _ = places.entry(at).or_insert(node.args()[2]),
                        _ => written = true,
                    }
                    array = node.args()[0];
                    continue;
                }
                Op::ArraySymbol(symbol) => {
                    written |= !places.is_empty();
                    self.out.push_str(&pool.symbol_info(symbol).name);
                }
                Op::ArrayTable(table) => self.table(pool.table(table), node.width, &places),
                _ => self.out.push_str("table"),
            }
            break;
        }
        if written {
            self.out.push('\'');
        }
    }

    /// The elements of a table, some of them replaced.
    fn table(&mut self, table: &[u64], width: u32, places: &BTreeMap<u64, Expr>) {
        if let Some(name) = whole(self.pool, table, places) {
            return self.out.push_str(name);
        }
        let count = places.last_key_value().map_or(0, |(last, _)| last.saturating_add(1)).max(table.len() as u64);
        let shown = if count > MAX_ELEMENTS { MAX_ELEMENTS / 4 } else { count };
        self.out.push('{');
        for at in 0..shown {
            if at > 0 {
                self.out.push_str(", ");
            }
            let known = || Expr::constant(table.get(at as usize).copied().unwrap_or(0), width);
            self.expr(places.get(&at).copied().unwrap_or_else(known), Binding::Loosest, Some(Reading::Signed));
        }
        self.out.push_str(if shown < count { ", …}" } else { "}" });
    }

    fn binary(&mut self, sign: &str, a: Expr, b: Expr, own: Binding, around: Binding, reading: Option<Reading>) {
        let (a, b) = match sign {
            "+" | "*" | "&" | "|" | "^" | "!=" | "==" => self.ordered(a, b),
            // Short conditions come first.
            "&&" | "||" => {
                let (long, short) = self.ordered(a, b);
                (short, long)
            }
            _ => (a, b),
        };
        let reading = reading.or_else(|| self.reading(a)).or_else(|| self.reading(b));
        self.inside(own, around, |writer| {
            // Comparisons of comparisons, and the right operand of a difference, need their brackets.
            let looser = if matches!(sign, "!=" | "==") { next(own) } else { own };
            writer.operand(a, own, looser, reading);
            writer.out.push_str(&format!(" {sign} "));
            let tighter = if matches!(sign, "-" | "/" | "%" | "<<" | ">>" | "!=" | "==") { next(own) } else { own };
            writer.operand(b, own, tighter, reading);
        });
    }

    /// An operand. That `&&` binds tighter than `||`, and which operation on bits binds tighter than another one, few people
    /// know by heart: these stand in brackets inside each other.
    fn operand(&mut self, expr: Expr, own: Binding, around: Binding, reading: Option<Reading>) {
        use Binding::{And, BitAnd, BitOr, BitXor, Or, Product, Shift, Sum};
        let around = match (own, top(self.pool, expr)) {
            (Or, Some(And)) => BitOr,
            (BitOr, Some(BitXor | BitAnd | Shift | Sum)) => Product,
            (BitXor, Some(BitAnd | Shift | Sum)) | (BitAnd, Some(Shift | Sum)) | (Shift, Some(Sum)) => Product,
            _ => around,
        };
        self.expr(expr, around, reading);
    }

    /// Operands of an operation that commutes, the larger one first. Which of them the pool has first depends on what else
    /// it has been asked for.
    fn ordered(&mut self, a: Expr, b: Expr) -> (Expr, Expr) {
        let (Expr::Term(one), Expr::Term(other)) = (a, b) else { return (a, b) };
        let is_plain = |id: TermId| matches!(self.pool.node(id).op, Op::Symbol(_));
        if is_plain(one) && is_plain(other) || self.shape(one) >= self.shape(other) { (a, b) } else { (b, a) }
    }

    /// The size of a term, and a digest of it.
    fn shape(&mut self, root: TermId) -> (u64, u64) {
        let pool = self.pool;
        let mut todo = vec![root];
        while let Some(&id) = todo.last() {
            if self.shapes.contains_key(&id) {
                todo.pop();
                continue;
            }
            let node = pool.node(id);
            let operands = match node.op {
                Op::Apply { args, .. } => pool.apply_args(args),
                _ => node.args(),
            };
            let before = todo.len();
            todo.extend(operands.iter().filter_map(|&operand| match operand {
                Expr::Term(id) if !self.shapes.contains_key(&id) => Some(id),
                _ => None,
            }));
            if todo.len() > before {
                continue;
            }
            let mut own = FxHasher::default();
            match node.op {
                Op::Symbol(symbol) | Op::ArraySymbol(symbol) => pool.symbol_info(symbol).name.hash(&mut own),
                Op::Apply { function, .. } => pool.function_name(function).hash(&mut own),
                Op::Wide(index) => pool.wide(index).words.hash(&mut own),
                Op::ArrayTable(table) => pool.table(table).hash(&mut own),
                op => op.hash(&mut own),
            }
            let (mut size, mut hash) = (1u64, own.finish());
            for (at, &operand) in (1u64..).zip(operands) {
                let (part, digest) = match operand {
                    Expr::Const { bits, width } => (1, bits ^ u64::from(width) << 56),
                    Expr::Term(id) => self.shapes.get(&id).copied().unwrap_or_default(),
                };
                size = size.saturating_add(part);
                let mut mixed = FxHasher::default();
                (digest, if commutes(node.op) { 0 } else { at }).hash(&mut mixed);
                hash = hash.wrapping_add(mixed.finish());
            }
            self.shapes.insert(id, (size, hash));
            todo.pop();
        }
        self.shapes.get(&root).copied().unwrap_or_default()
    }

    /// A comparison with its constant on the right.
    fn compare(&mut self, sign: &str, a: Expr, b: Expr, own: Binding, around: Binding, sense: Option<Reading>) {
        if let (Some(0), Some((name, character))) = (b.as_const(), self.character_class(a)) {
            self.out.push_str(if sign == "!=" { "" } else { "!" });
            self.out.push_str(&format!("{name}({character})"));
            return;
        }
        if let Some(computed) = overflowing(self.pool, a, b).or_else(|| overflowing(self.pool, b, a)) {
            self.out.push_str(if sign == "!=" { "" } else { "!" });
            return self.call("overflows", &[computed]);
        }
        let (a, b) = if matches!(sign, "==" | "!=") { self.ordered(a, b) } else { (a, b) };
        let (a, b, sign) = match (a, sign) {
            (Expr::Const { .. }, "<") => (b, a, ">"),
            (Expr::Const { .. }, "<=") => (b, a, ">="),
            (Expr::Const { .. }, _) => (b, a, sign),
            _ => (a, b, sign),
        };
        let natural = self.reading(a).or_else(|| self.reading(b));
        let reading = match (sense, natural) {
            // Characters and addresses are more telling than numbers.
            (_, Some(Reading::Char)) => natural,
            (Some(sense), _) => Some(sense),
            (None, natural) => natural,
        };
        // An ordering in the other sense than the user's own type says so.
        let cast = match (sense, natural) {
            (Some(Reading::Unsigned), Some(Reading::Signed)) => "(unsigned)",
            (Some(Reading::Signed), Some(Reading::Unsigned)) => "(signed)",
            _ => "",
        };
        self.inside(own, around, |writer| {
            writer.out.push_str(cast);
            writer.expr(a, if cast.is_empty() { next(own) } else { Binding::Prefix }, reading);
            writer.out.push_str(&format!(" {sign} "));
            writer.expr(b, next(own), reading);
        });
    }

    /// The function of `ctype.h` that looks at a bit of its table so, and which character it is asked for.
    fn character_class(&self, expr: Expr) -> Option<(&'static str, String)> {
        let pool = self.pool;
        let inner = |expr: Expr| match expr {
            Expr::Term(id) => Some((pool.node(id).op, pool.node(id).args())),
            Expr::Const { .. } => None,
        };
        let mut expr = expr;
        while let Some((Op::ZExt | Op::SExt, args)) = inner(expr) {
            expr = args[0];
        }
        let (Op::And, &[looked_up, bit]) = inner(expr)? else { return None };
        let (looked_up, bit) = if bit.as_const().is_some() { (looked_up, bit) } else { (bit, looked_up) };
        let (_, name) = CLASSES.iter().find(|(known, _)| bit.as_const() == Some(*known))?;
        let mut looked_up = looked_up;
        while let Some((Op::ZExt | Op::SExt, args)) = inner(looked_up) {
            looked_up = args[0];
        }
        let (Op::Select, &[table, index]) = inner(looked_up)? else { return None };
        let (Op::ArrayTable(table), _) = inner(table)? else { return None };
        let table = pool.table(table);
        let has = |character: u8, bit: u64| table.get(128 + usize::from(character)).is_some_and(|bits| bits & bit != 0);
        let is_it = table.len() == 384 && has(b'7', 2048) && has(b'x', 1024) && has(b' ', 8192) && !has(b'x', 2048);
        let index = show(pool, index);
        let character = index.strip_suffix(" << 1) + 256) >> 1").and_then(|text| text.strip_prefix("(("));
        Some((name, character.filter(|_| is_it)?.to_owned()))
    }

    fn prefix(&mut self, sign: &str, a: Expr) {
        self.out.push_str(sign);
        self.expr(a, Binding::Prefix, None);
    }

    fn float(&mut self, op: FloatOp, args: &[Expr], around: Binding) {
        let read = |format| Some(Reading::Float(format));
        match op {
            FloatOp::Add(format, _) => self.binary("+", args[0], args[1], Binding::Sum, around, read(format)),
            FloatOp::Sub(format, _) => self.binary("-", args[0], args[1], Binding::Sum, around, read(format)),
            FloatOp::Mul(format, _) => self.binary("*", args[0], args[1], Binding::Product, around, read(format)),
            FloatOp::Div(format, _) => self.binary("/", args[0], args[1], Binding::Product, around, read(format)),
            FloatOp::Eq(format) => self.binary("==", args[0], args[1], Binding::Equality, around, read(format)),
            FloatOp::Lt(format) => match args[0] {
                Expr::Const { .. } => self.binary(">", args[1], args[0], Binding::Ordering, around, read(format)),
                Expr::Term(_) => self.binary("<", args[0], args[1], Binding::Ordering, around, read(format)),
            },
            FloatOp::Le(format) => match args[0] {
                Expr::Const { .. } => self.binary(">=", args[1], args[0], Binding::Ordering, around, read(format)),
                Expr::Term(_) => self.binary("<=", args[0], args[1], Binding::Ordering, around, read(format)),
            },
            // Conversions between formats are silent.
            FloatOp::Convert { .. } | FloatOp::FromInt { .. } => self.expr(args[0], around, None),
            FloatOp::ToInt { .. } => self.call("(int)", args),
            FloatOp::Rem(_) => self.call("fmod", args),
            FloatOp::Fma(..) => self.call("fma", args),
            FloatOp::Sqrt(..) => self.call("sqrt", args),
            FloatOp::IsNan(_) => self.call("isnan", args),
            FloatOp::RoundToIntegral(_, rounding) => {
                let name = match rounding {
                    Rounding::NearestEven => "rint",
                    Rounding::NearestAway => "round",
                    Rounding::Up => "ceil",
                    Rounding::Down => "floor",
                    Rounding::Zero => "trunc",
                };
                self.call(name, args);
            }
        }
    }

    /// Some bits of a number. They are unsigned, unless an operation around them reads them as signed.
    fn slice(&mut self, a: Expr, (low, width): (u32, u32), around: Binding, reading: Option<Reading>) {
        let signed = reading == Some(Reading::Signed) && width > 1;
        if signed || (low == 0 && matches!(width, 8 | 16 | 32)) {
            let sign = if signed { "" } else { "u" };
            self.out.push_str(&format!("({sign}int{width}_t)"));
            if low == 0 {
                self.expr(a, Binding::Prefix, None);
            } else {
                self.out.push('(');
                self.expr(a, Binding::Shift, None);
                self.out.push_str(&format!(" >> {low})"));
            }
            return;
        }
        if low + width >= self.pool.width(a) {
            return self.inside(Binding::Shift, around, |writer| {
                writer.expr(a, Binding::Product, None);
                writer.out.push_str(&format!(" >> {low}"));
            });
        }
        self.inside(Binding::BitAnd, around, |writer| {
            match low {
                0 => writer.operand(a, Binding::BitAnd, Binding::BitAnd, None),
                _ => {
                    writer.out.push('(');
                    writer.expr(a, Binding::Product, None);
                    writer.out.push_str(&format!(" >> {low})"));
                }
            }
            match width {
                0..=8 => writer.out.push_str(&format!(" & {}", mask(width))),
                9..=64 => writer.out.push_str(&format!(" & {:#x}", mask(width))),
                _ => writer.out.push_str(&format!(" & ((1 << {width}) - 1)")),
            }
        });
    }

    fn call(&mut self, name: &str, args: &[Expr]) {
        self.out.push_str(name);
        self.out.push('(');
        for (i, &arg) in args.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.expr(arg, Binding::Loosest, None);
        }
        self.out.push(')');
    }

    fn inside(&mut self, own: Binding, around: Binding, write: impl FnOnce(&mut Self)) {
        if own < around {
            self.out.push('(');
        }
        write(self);
        if own < around {
            self.out.push(')');
        }
    }

    fn sense(&self, op: Op) -> Option<Reading> {
        match op {
            Op::Slt | Op::Sle | Op::SDiv | Op::SRem => Some(Reading::Signed),
            Op::Ult | Op::Ule | Op::UDiv | Op::URem => Some(Reading::Unsigned),
            _ => None,
        }
    }

    fn reading(&self, expr: Expr) -> Option<Reading> {
        reading(self.pool, expr)
    }
}

/// What becomes of the sign of a float where only that changes.
enum Sign {
    Other,
    Positive,
}

/// A number of which only the first bit changes: floats are negated so, and made positive.
fn changed_sign(pool: &Pool, id: TermId) -> Option<(Sign, Expr)> {
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
fn overflowing(pool: &Pool, short: Expr, long: Expr) -> Option<Expr> {
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
            let signed = crate::expr::signed(bits, width) as u64;
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
fn whole<'p>(pool: &'p Pool, table: &[u64], places: &BTreeMap<u64, Expr>) -> Option<&'p str> {
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
fn shift(pool: &Pool, id: TermId) -> Option<(&'static str, Expr, u32)> {
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

/// The positive number that a constant is the negative of, if it is a small one.
fn negative(expr: Expr) -> Option<Expr> {
    let Expr::Const { bits, width } = expr else { return None };
    let value = crate::expr::signed(bits, width);
    (value < 0 && value > -(1 << 20)).then(|| Expr::constant(value.unsigned_abs(), width))
}

/// How tightly the operator binds that the text of an expression has, if it is one of `&&`, bits, shifts and sums.
fn top(pool: &Pool, expr: Expr) -> Option<Binding> {
    let Expr::Term(id) = expr else { return None };
    if shift(pool, id).is_some() {
        return Some(Binding::Shift);
    }
    let node = pool.node(id);
    Some(match node.op {
        Op::And if node.width == 1 => Binding::And,
        Op::And => Binding::BitAnd,
        Op::Or if node.width > 1 => Binding::BitOr,
        Op::Concat if node.args()[1].as_const() != Some(0) => Binding::BitOr,
        Op::Xor if node.width > 1 => Binding::BitXor,
        Op::Shl | Op::LShr | Op::AShr | Op::Concat => Binding::Shift,
        Op::Extract { low } if low > 0 || !matches!(node.width, 8 | 16 | 32) => Binding::BitAnd,
        Op::Add | Op::Sub => Binding::Sum,
        Op::ZExt | Op::SExt => return top(pool, node.args()[0]),
        _ => return None,
    })
}

fn next(binding: Binding) -> Binding {
    match binding {
        Binding::Loosest => Binding::Choice,
        Binding::Choice => Binding::Or,
        Binding::Or => Binding::And,
        Binding::And => Binding::BitOr,
        Binding::BitOr => Binding::BitXor,
        Binding::BitXor => Binding::BitAnd,
        Binding::BitAnd => Binding::Equality,
        Binding::Equality => Binding::Ordering,
        Binding::Ordering => Binding::Shift,
        Binding::Shift => Binding::Sum,
        Binding::Sum => Binding::Product,
        Binding::Product | Binding::Prefix => Binding::Prefix,
    }
}

/// A constant as its neighbour is read.
pub fn constant(bits: u64, width: u32, reading: Option<Reading>) -> String {
    match reading {
        Some(Reading::Signed) => crate::expr::signed(bits, width).to_string(),
        Some(Reading::Char) if (0x20..0x7f).contains(&bits) => match bits as u8 as char {
            quote @ ('\'' | '\\') => format!("'\\{quote}'"),
            char => format!("'{char}'"),
        },
        Some(Reading::Char) => match bits {
            0 => "'\\0'".to_string(),
            9 => "'\\t'".to_string(),
            10 => "'\\n'".to_string(),
            13 => "'\\r'".to_string(),
            _ => match char::from_u32(bits as u32).filter(|_| width == 32) {
                // A character of Rust.
                Some(character) => format!("{character:?}"),
                None => crate::expr::signed(bits, width).to_string(),
            },
        },
        Some(Reading::Address) if bits == 0 => "NULL".to_string(),
        Some(Reading::Address) => format!("{bits:#x}"),
        Some(Reading::Float(FloatFormat::Double)) => format!("{:?}", f64::from_bits(bits)),
        Some(Reading::Float(FloatFormat::Single)) => format!("{:?}", f32::from_bits(bits as u32)),
        Some(Reading::Float(_)) | Some(Reading::Unsigned) | None if width == 1 => {
            if bits == 1 {
                "true".to_string()
            } else {
                "false".to_string()
            }
        }
        _ => bits.to_string(),
    }
}

fn hexadecimal(bits: &Bits) -> String {
    let digits: String = bits.words.iter().rev().map(|word| format!("{word:016x}")).collect();
    let trimmed = digits.trim_start_matches('0');
    format!("0x{}", if trimmed.is_empty() { "0" } else { trimmed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_people_write() {
        let mut pool = Pool::new();
        let p = &mut pool;
        let pedal = p.symbol_as("PedalPos", 32, Reading::Signed);
        let command = p.symbol_as("PedalCmd", 32, Reading::Signed);
        let len = p.symbol_as("req->len", 32, Reading::Unsigned);
        let dot = p.symbol_as("buf[2]", 8, Reading::Char);
        let next = p.symbol_as("list->next", 64, Reading::Address);
        let n = |value: i64| Expr::constant(value as u64, 32);
        let check = |pool: &Pool, expr: Expr, text: &str| assert_eq!(show(pool, expr), text);

        let low = p.sle(pedal, n(0));
        check(p, low, "PedalPos <= 0");
        let high = p.not(low);
        check(p, high, "PedalPos > 0");
        let negative = p.slt(pedal, n(-5));
        check(p, negative, "PedalPos < -5");
        let more = p.add(command, n(1));
        let two = p.eq(more, n(2));
        check(p, two, "PedalCmd == 1");
        let sum = p.add(more, pedal);
        let at_least = p.sle(n(7), sum);
        check(p, at_least, "PedalPos + PedalCmd + 1 >= 7");
        let both = p.and(low, two);
        check(p, both, "PedalCmd == 1 && PedalPos <= 0");
        let either = p.or(both, high);
        check(p, either, "PedalPos > 0 || (PedalCmd == 1 && PedalPos <= 0)");
        let nested = p.and(either, negative);
        check(p, nested, "PedalPos < -5 && (PedalPos > 0 || (PedalCmd == 1 && PedalPos <= 0))");
        let long = p.ult(n(16), len);
        check(p, long, "req->len > 16");
        let is_dot = p.eq(dot, Expr::constant(46, 8));
        check(p, is_dot, "buf[2] == '.'");
        let promoted = p.sext(dot, 32);
        let ended = p.ne(promoted, n(0));
        check(p, ended, "buf[2] != '\\0'");
        let last = p.eq(next, Expr::constant(0, 64));
        check(p, last, "list->next == NULL");
        let ratio = p.symbol_as("ratio", 64, Reading::Float(FloatFormat::Double));
        let sign = Expr::constant(1 << 63, 64);
        let negated = p.xor(ratio, sign);
        let one = Expr::constant(1f64.to_bits(), 64);
        let small = p.float(FloatOp::Lt(FloatFormat::Double), &[negated, one], 1);
        check(p, small, "-ratio < 1.0");
        let bits = p.symbol_as("bits", 64, Reading::Unsigned);
        let other = p.xor(bits, sign);
        check(p, other, "bits ^ 9223372036854775808");
        let positive = p.and(ratio, Expr::constant((1 << 63) - 1, 64));
        let near = p.float(FloatOp::Lt(FloatFormat::Double), &[positive, one], 1);
        check(p, near, "fabs(ratio) < 1.0");
        let odd_sense = p.ult(pedal, n(10));
        check(p, odd_sense, "(unsigned)PedalPos < 10");
        let doubled = p.shl(len, n(1));
        let halved = p.lshr(len, n(3));
        check(p, doubled, "req->len << 1");
        check(p, halved, "req->len >> 3");
        let masked = p.and(len, n(0xff));
        check(p, masked, "(uint8_t)req->len");
        let low_byte = p.extract(pedal, 0, 8);
        let (two, hex) = (Expr::constant(2, 8), Expr::constant(0xf0, 8));
        let signed_byte = p.slt(two, low_byte);
        check(p, signed_byte, "(int8_t)PedalPos > 2");
        let below = p.slt(low_byte, hex);
        check(p, below, "(int8_t)PedalPos < -16");
        let unsigned_byte = p.ult(two, low_byte);
        check(p, unsigned_byte, "(uint8_t)PedalPos > 2");
        let second = p.extract(pedal, 8, 8);
        let signed_second = p.slt(two, second);
        check(p, signed_second, "(int8_t)(PedalPos >> 8) > 2");
        let mixed = p.or(doubled, halved);
        check(p, mixed, "(req->len << 1) | (req->len >> 3)");
        let wide = p.concat(pedal, len);
        check(p, wide, "(PedalPos << 32) | req->len");
        let [one, other] = [pedal, command].map(|number| p.sext(number, 64));
        let (long, short) = (p.add(one, other), p.add(pedal, command));
        let short = p.sext(short, 64);
        let fits = p.eq(long, short);
        check(p, fits, "!overflows(PedalPos + PedalCmd)");
        let field = p.extract(len, 5, 3);
        let signed_field = p.slt(Expr::constant(1, 3), field);
        check(p, signed_field, "(int3_t)(req->len >> 5) > 1");
        let difference = p.sub(pedal, command);
        let scaled = p.mul(difference, n(3));
        check(p, scaled, "(PedalPos - PedalCmd) * 3");
        let chosen = p.ite(low, command, n(-1));
        check(p, chosen, "PedalPos <= 0 ? PedalCmd : -1");
    }

    #[test]
    fn long_expressions_are_cut() {
        let mut pool = Pool::new();
        let mut sum = pool.symbol("x", 32);
        for i in 0..1000 {
            let next = pool.symbol(format!("y{i}"), 32);
            sum = pool.mul(sum, next);
        }
        let text = show(&pool, sum);
        assert!(text.chars().count() <= MAX_LENGTH + 1 && text.contains('…'), "{text}");
    }
}
