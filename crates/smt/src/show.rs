//! Expressions as people write them: `PedalPos <= 0 && buf[2] == '.'`.
//!
//! The text is for reading, not for parsing: extensions are silent as C's promotions are, and a long
//! expression is cut.

mod forms;
#[cfg(test)]
mod tests;

use crate::bits::Bits;
use crate::expr::{Expr, FloatFormat, FloatOp, Op, Rounding, TermId, mask};
use crate::pool::canonical::commutes;
use crate::pool::{Pool, Reading};
use forms::{Sign, changed_sign, overflowing, range, shift, whole};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// How long a text may become before it is cut.
pub const MAX_LENGTH: usize = 400;

/// How names of functions end whose first operand is the number of the call: the first call is not numbered, those behind
/// it are `f(x)#1`, `f(x)#2`.
pub const NUMBERED: &str = "@";

/// An expression as text.
pub fn show(pool: &Pool, expr: Expr) -> String {
    show_knowing(pool, expr, &Below::default()).0
}

/// Expressions, each with a number that it is below of, read without a sign.
pub type Below = FxHashSet<(Expr, u64)>;

/// The same where more is known; and what it would be good to know, as casts and masks could be left out then.
pub fn show_knowing(pool: &Pool, expr: Expr, known: &Below) -> (String, Below) {
    let asked = Below::default();
    let mut writer = Writer { pool, out: String::new(), depth: 0, shapes: FxHashMap::default(), known, asked };
    writer.expr(expr, Binding::Loosest, None);
    let mut text = writer.out;
    if text.chars().count() > MAX_LENGTH {
        text = text.chars().take(MAX_LENGTH).chain(['…']).collect();
    }
    (text, writer.asked)
}

/// How people read an expression, by the first symbol in it that tells.
pub fn reading(pool: &Pool, expr: Expr) -> Option<Reading> {
    let (mut expr, mut computed) = (expr, false);
    for _ in 0..MAX_DEPTH {
        let Expr::Term(id) = expr else { return None };
        if let Some((_, reading)) = pool.called(id) {
            return Some(reading);
        }
        let node = pool.node(id);
        if let Some((_, value, _)) = shift(pool, id).filter(|_| node.op == Op::Concat) {
            expr = value;
            continue;
        }
        expr = match node.op {
            Op::Symbol(symbol) | Op::ArraySymbol(symbol) => return Some(pool.symbol_info(symbol).reading),
            Op::Shl => node.args()[0],
            // They are shown with the sign that they have.
            Op::SDiv | Op::SRem | Op::AShr => return Some(Reading::Signed),
            Op::UDiv | Op::URem | Op::LShr => return Some(Reading::Unsigned),
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
    known: &'p Below,
    asked: Below,
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
                    // Beside a character of C that was made wider, among bits and in sums, what is no byte is a number.
                    Some(Reading::Char) if around >= Binding::BitOr && bits > 0xff => Some(Reading::Signed),
                    reading => reading,
                };
                self.out.push_str(&constant(bits, width, reading));
            }
            Expr::Term(id) => match self.pool.called(id) {
                Some((name, _)) => self.out.push_str(name),
                None => self.term(id, around, reading),
            },
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
            let sense = match node.op {
                Op::ZExt => Some(Reading::Unsigned),
                Op::SExt => Some(Reading::Signed),
                _ => None,
            };
            return self.shifted(sign, value, Expr::constant(u64::from(distance), 32), around, sense);
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
            Op::UDiv | Op::SDiv => self.quotient("/", args[0], args[1], around, self.sense(node.op)),
            Op::URem | Op::SRem => self.quotient("%", args[0], args[1], around, self.sense(node.op)),
            Op::Shl => self.shifted("<<", args[0], args[1], around, None),
            Op::LShr | Op::AShr => self.shifted(">>", args[0], args[1], around, self.sense(node.op)),
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
            // Promotions are silent, but bits of a number become one with or without a sign.
            Op::ZExt | Op::SExt => {
                let is_slice = matches!(args[0], Expr::Term(id) if matches!(pool.node(id).op, Op::Extract { .. }));
                let own = if node.op == Op::SExt { Reading::Signed } else { Reading::Unsigned };
                self.expr(args[0], around, if is_slice { Some(own) } else { reading });
            }
            Op::Select => self.select(args[0], args[1], around, reading),
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

    /// A shift. How far is a number of its own.
    fn shifted(&mut self, sign: &str, value: Expr, distance: Expr, around: Binding, sense: Option<Reading>) {
        let cast = self.cast(&[value], sense);
        self.inside(Binding::Shift, around, |writer| {
            writer.out.push_str(cast);
            let around = if cast.is_empty() { Binding::Shift } else { Binding::Prefix };
            let reading = writer.reading(value);
            writer.operand(value, Binding::Shift, around, reading);
            writer.out.push_str(&format!(" {sign} "));
            let whole = writer.masked(distance);
            match whole.filter(|&(number, bits)| writer.is_below(number, 1 << bits)) {
                Some((number, _)) => writer.operand(number, Binding::Shift, next(Binding::Shift), None),
                None => writer.operand(distance, Binding::Shift, next(Binding::Shift), None),
            }
        });
    }

    /// The number of which an expression is some of the lowest bits, and how many.
    fn masked(&self, expr: Expr) -> Option<(Expr, u32)> {
        let mut expr = expr;
        loop {
            let Expr::Term(id) = expr else { return None };
            let node = self.pool.node(id);
            match node.op {
                Op::ZExt => expr = node.args()[0],
                Op::Extract { low: 0 } if node.width < 32 => return Some((node.args()[0], node.width)),
                _ => return None,
            }
        }
    }

    /// A quotient or a remainder.
    fn quotient(&mut self, sign: &str, a: Expr, b: Expr, around: Binding, sense: Option<Reading>) {
        let cast = self.cast(&[a, b], sense);
        self.inside(Binding::Product, around, |writer| {
            // One number without a sign is enough; constants need no cast.
            let casts = if matches!(a, Expr::Const { .. }) { ["", cast] } else { [cast, ""] };
            writer.cast_operand(casts[0], a, Binding::Product, sense);
            writer.out.push_str(&format!(" {sign} "));
            writer.cast_operand(casts[1], b, next(Binding::Product), sense);
        });
    }

    fn cast_operand(&mut self, cast: &str, operand: Expr, around: Binding, reading: Option<Reading>) {
        self.out.push_str(cast);
        self.operand(operand, Binding::Product, if cast.is_empty() { around } else { Binding::Prefix }, reading);
    }

    /// The cast that makes numbers be read as an operation reads them: nothing if their types say so, or if it makes no
    /// difference.
    fn cast(&mut self, operands: &[Expr], sense: Option<Reading>) -> &'static str {
        let Some(sense) = sense else { return "" };
        let natural = operands.iter().find_map(|&operand| self.reading(operand));
        let width = operands.first().map_or(0, |&operand| self.pool.width(operand));
        let cast = match (sense, natural, width) {
            (Reading::Unsigned, Some(Reading::Signed | Reading::Char) | None, 64) => "(uint64_t)",
            (Reading::Unsigned, Some(Reading::Signed | Reading::Char) | None, 32) => "(unsigned)",
            (Reading::Unsigned, Some(Reading::Signed | Reading::Char), 16) => "(uint16_t)",
            (Reading::Unsigned, Some(Reading::Signed | Reading::Char), 8) => "(uint8_t)",
            (Reading::Signed, Some(Reading::Unsigned), _) => "(signed)",
            _ => return "",
        };
        if operands.iter().all(|&operand| self.has_no_sign(operand)) { "" } else { cast }
    }

    /// Whether a number is known to be the same with and without a sign.
    fn has_no_sign(&mut self, expr: Expr) -> bool {
        let width = self.pool.width(expr);
        width <= 64 && width > 0 && self.is_below(expr, 1 << (width - 1))
    }

    /// Whether a number is known to be below another one, both without a sign.
    fn is_below(&mut self, expr: Expr, bound: u64) -> bool {
        if self.pool.width(expr) > 64 {
            return false;
        }
        let is_known = self.pool.facts(expr).high < bound || self.known.contains(&(expr, bound));
        if !is_known && matches!(expr, Expr::Term(_)) {
            self.asked.insert((expr, bound));
        }
        is_known
    }

    /// An element of an array. Behind writes at places that are not known it is one of several.
    fn select(&mut self, array: Expr, index: Expr, around: Binding, reading: Option<Reading>) {
        let pool = self.pool;
        if let Expr::Term(id) = array
            && let (Op::Store, &[before, at, value]) = (pool.node(id).op, pool.node(id).args())
            && (at.as_const().is_none() || has_unknown_store(pool, before))
            && self.depth < MAX_DEPTH / 4
        {
            self.depth += 1;
            self.inside(Binding::Choice, around, |writer| {
                writer.compare("==", index, at, Binding::Equality, Binding::Or, None);
                writer.out.push_str(" ? ");
                writer.expr(value, Binding::Choice, reading);
                writer.out.push_str(" : ");
                writer.select(before, index, Binding::Choice, reading);
            });
            self.depth -= 1;
            return;
        }
        self.array(array);
        self.out.push('[');
        self.expr(index, Binding::Loosest, None);
        self.out.push(']');
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
        if sense == Some(Reading::Unsigned)
            && let Some(found) = range(self.pool, sign == "<", a, b)
            && matches!(self.reading(found.of), Some(Reading::Signed))
        {
            let (joint, own, low, high) = match found.is_inside {
                true => ("&&", Binding::And, ">=", "<="),
                false => ("||", Binding::Or, "<", ">"),
            };
            return self.inside(own, around, |writer| {
                for (sign, bound) in [(low, found.low), (high, found.high)] {
                    writer.expr(found.of, next(Binding::Ordering), None);
                    writer.out.push_str(&format!(" {sign} "));
                    writer.expr(bound, next(Binding::Ordering), Some(Reading::Signed));
                    if sign == low {
                        writer.out.push_str(&format!(" {joint} "));
                    }
                }
            });
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
        let is_unlike = matches!(natural, Some(Reading::Signed | Reading::Unsigned)) && natural != sense;
        let cast = if is_unlike { self.cast(&[a, b], sense) } else { "" };
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
            Op::Slt | Op::Sle | Op::SDiv | Op::SRem | Op::AShr => Some(Reading::Signed),
            Op::Ult | Op::Ule | Op::UDiv | Op::URem | Op::LShr => Some(Reading::Unsigned),
            _ => None,
        }
    }

    fn reading(&self, expr: Expr) -> Option<Reading> {
        reading(self.pool, expr)
    }
}

/// Whether an array was written to at a place that is not known.
fn has_unknown_store(pool: &Pool, array: Expr) -> bool {
    let mut array = array;
    while let Expr::Term(id) = array {
        let (Op::Store, &[before, at, _]) = (pool.node(id).op, pool.node(id).args()) else { return false };
        if at.as_const().is_none() {
            return true;
        }
        array = before;
    }
    false
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
            _ => match char::from_u32(bits as u32).filter(|_| width == 32 && bits > 0xff) {
                // A character of Rust; smaller ones may be those of C, made wider.
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
