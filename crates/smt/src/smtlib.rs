//! Constraints as SMT-LIB 2 text, for other solvers and for people.
//!
//! Every term is defined once, in order, so the text is as small as the shared expression. A truth
//! value is a bit-vector of width 1 here too. The bits of a floating-point result are a constant of
//! their own, tied to the number they stand for: the standard has no function from numbers to bits.

use crate::bits::Bits;
use crate::expr::{Expr, FloatFormat, FloatOp, FunctionId, Op, Rounding, SymbolId, TermId};
use crate::fold::default_nan;
use crate::pool::{Node, Pool};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Constraints in SMT-LIB 2, and what to ask of a model.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// Declarations, definitions and assertions, without `check-sat`.
    pub text: String,
    /// Symbols in the text.
    pub symbols: Vec<SymbolId>,
    /// Reads of array symbols in the text: the array, and the terms of its index and of its element.
    pub reads: Vec<(SymbolId, Expr, String)>,
    /// Calls of uninterpreted functions in the text: the function, its arguments and the term.
    pub calls: Vec<(FunctionId, Vec<Expr>, TermId)>,
}

/// Writes constraints that are to hold together.
pub fn script(pool: &Pool, constraints: &[Expr]) -> Script {
    let mut writer =
        Writer { pool, script: Script::default(), defined: FxHashSet::default(), functions: BTreeMap::new() };
    for &constraint in constraints {
        writer.define_below(constraint);
        let term = term(pool, constraint);
        writer.line(format_args!("(assert (= {term} #b1))"));
    }
    writer.script
}

/// How a script refers to an expression.
pub fn term(pool: &Pool, expr: Expr) -> String {
    match expr {
        Expr::Const { bits, width } => constant(&Bits::new(u128::from(bits), width)),
        Expr::Term(id) => match pool.node(id).op {
            Op::Symbol(symbol) | Op::ArraySymbol(symbol) => symbol_name(symbol),
            Op::Wide(index) => constant(pool.wide(index)),
            _ => format!("t{}", id.index()),
        },
    }
}

/// How a script refers to a symbol.
pub fn symbol_name(symbol: SymbolId) -> String {
    format!("s{}", symbol.0)
}

struct Writer<'p> {
    pool: &'p Pool,
    script: Script,
    defined: FxHashSet<TermId>,
    /// Signatures that each function was declared with.
    functions: BTreeMap<(FunctionId, Vec<u32>, u32), String>,
}

impl Writer<'_> {
    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.script.text.write_fmt(text);
        self.script.text.push('\n');
    }

    /// Defines every term below `expr`, deepest first.
    fn define_below(&mut self, expr: Expr) {
        let Expr::Term(root) = expr else { return };
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.defined.contains(&id) {
                stack.pop();
                continue;
            }
            let node = *self.pool.node(id);
            let before = stack.len();
            let args = match node.op {
                Op::Apply { args, .. } => self.pool.apply_args(args),
                _ => node.args(),
            };
            for arg in args {
                if let Expr::Term(id) = arg
                    && !self.defined.contains(id)
                {
                    stack.push(*id);
                }
            }
            if stack.len() == before {
                self.define(id, &node);
                self.defined.insert(id);
                stack.pop();
            }
        }
    }

    fn define(&mut self, id: TermId, node: &Node) {
        let pool = self.pool;
        let name = format!("t{}", id.index());
        let width = node.width;
        let args: Vec<String> = node.args().iter().map(|&arg| term(pool, arg)).collect();
        let joined = args.join(" ");
        let body = match node.op {
            Op::Symbol(symbol) => {
                self.script.symbols.push(symbol);
                let comment = pool.symbol_info(symbol).name.replace(['\n', '\r'], " ");
                return self
                    .line(format_args!("(declare-const {} (_ BitVec {width})) ; {comment}", symbol_name(symbol)));
            }
            Op::ArraySymbol(symbol) => {
                let comment = pool.symbol_info(symbol).name.replace(['\n', '\r'], " ");
                let sort = array_sort(width);
                return self.line(format_args!("(declare-const {} {sort}) ; {comment}", symbol_name(symbol)));
            }
            Op::Wide(_) => return,
            Op::ArrayTable(table) => {
                let zero = constant(&Bits::zero(width));
                let mut text = format!("((as const {}) {zero})", array_sort(width));
                for (index, &element) in pool.table(table).iter().enumerate() {
                    if element != 0 {
                        let (at, element) = (Bits::new(index as u128, 64), Bits::new(u128::from(element), width));
                        text = format!("(store {text} {} {})", constant(&at), constant(&element));
                    }
                }
                return self.line(format_args!("(define-fun {name} () {} {text})", array_sort(width)));
            }
            Op::Store => {
                return self.line(format_args!("(define-fun {name} () {} (store {joined}))", array_sort(width)));
            }
            Op::Select => {
                self.note_read(node);
                format!("(select {joined})")
            }
            Op::Apply { function, args } => self.application(id, function, args, width),
            Op::Not => format!("(bvnot {joined})"),
            Op::Neg => format!("(bvneg {joined})"),
            Op::And => format!("(bvand {joined})"),
            Op::Or => format!("(bvor {joined})"),
            Op::Xor => format!("(bvxor {joined})"),
            Op::Add => format!("(bvadd {joined})"),
            Op::Sub => format!("(bvsub {joined})"),
            Op::Mul => format!("(bvmul {joined})"),
            Op::UDiv => format!("(bvudiv {joined})"),
            Op::URem => format!("(bvurem {joined})"),
            Op::SDiv => format!("(bvsdiv {joined})"),
            Op::SRem => format!("(bvsrem {joined})"),
            Op::Shl => format!("(bvshl {joined})"),
            Op::LShr => format!("(bvlshr {joined})"),
            Op::AShr => format!("(bvashr {joined})"),
            Op::Eq => truth(&format!("(= {joined})")),
            Op::Ult => truth(&format!("(bvult {joined})")),
            Op::Ule => truth(&format!("(bvule {joined})")),
            Op::Slt => truth(&format!("(bvslt {joined})")),
            Op::Sle => truth(&format!("(bvsle {joined})")),
            Op::Ite => format!("(ite (= {} #b1) {} {})", args[0], args[1], args[2]),
            Op::Concat => format!("(concat {joined})"),
            Op::Extract { low } => format!("((_ extract {} {low}) {joined})", low + width - 1),
            Op::ZExt => format!("((_ zero_extend {}) {joined})", width - pool.width(node.args()[0])),
            Op::SExt => format!("((_ sign_extend {}) {joined})", width - pool.width(node.args()[0])),
            Op::Float(op) => match float(op, &args, width) {
                FloatText::Bits(text) => text,
                FloatText::Number(text, format) => return self.number(&name, &text, format),
            },
        };
        self.line(format_args!("(define-fun {name} () (_ BitVec {width}) {body})"));
    }

    /// A constant for the bits of a number.
    fn number(&mut self, name: &str, text: &str, format: FloatFormat) {
        let (width, nan) = (format.width(), constant(&default_nan(format)));
        let sort = float_sort(format);
        self.line(format_args!("(declare-const {name} (_ BitVec {width}))"));
        self.line(format_args!("(define-fun {name}.number () {sort} {text})"));
        let read = read_float(format, name);
        self.line(format_args!("(assert (= {read} {name}.number))"));
        self.line(format_args!("(assert (=> (fp.isNaN {name}.number) (= {name} {nan})))"));
    }

    /// Remembers which element of an array symbol a read may reach.
    fn note_read(&mut self, node: &Node) {
        let mut array = node.args()[0];
        while let Expr::Term(id) = array {
            let below = self.pool.node(id);
            match below.op {
                Op::Store => array = below.args()[0],
                Op::ArraySymbol(symbol) => {
                    let index = node.args()[1];
                    let element = format!("(select {} {})", symbol_name(symbol), term(self.pool, index));
                    self.script.reads.push((symbol, index, element));
                    return;
                }
                _ => return,
            }
        }
    }

    fn application(&mut self, id: TermId, function: FunctionId, args: u32, width: u32) -> String {
        let args = self.pool.apply_args(args).to_vec();
        let widths: Vec<u32> = args.iter().map(|&arg| self.pool.width(arg)).collect();
        self.script.calls.push((function, args.clone(), id));
        let key = (function, widths.clone(), width);
        let name = match self.functions.get(&key) {
            Some(name) => name.clone(),
            None => {
                let name = format!("f{}.{}", function.0, self.functions.len());
                let sorts: Vec<String> = widths.iter().map(|width| format!("(_ BitVec {width})")).collect();
                self.line(format_args!("(declare-fun {name} ({}) (_ BitVec {width}))", sorts.join(" ")));
                self.functions.insert(key, name.clone());
                name
            }
        };
        if args.is_empty() {
            return name;
        }
        let args: Vec<String> = args.iter().map(|&arg| term(self.pool, arg)).collect();
        format!("({name} {})", args.join(" "))
    }
}

enum FloatText {
    Bits(String),
    Number(String, FloatFormat),
}

fn float(op: FloatOp, args: &[String], width: u32) -> FloatText {
    let read = |format: FloatFormat, index: usize| read_float(format, &args[index]);
    let number = |name: &str, format: FloatFormat, rounding: Option<Rounding>, count: usize| {
        let mut text = format!("({name}");
        for part in
            rounding.map(rounding_name).into_iter().map(str::to_string).chain((0..count).map(|i| read(format, i)))
        {
            text.push(' ');
            text.push_str(&part);
        }
        text.push(')');
        FloatText::Number(text, format)
    };
    let compare = |name: &str, format: FloatFormat| {
        FloatText::Bits(truth(&format!("({name} {} {})", read(format, 0), read(format, 1))))
    };
    match op {
        FloatOp::Add(format, rounding) => number("fp.add", format, Some(rounding), 2),
        FloatOp::Sub(format, rounding) => number("fp.sub", format, Some(rounding), 2),
        FloatOp::Mul(format, rounding) => number("fp.mul", format, Some(rounding), 2),
        FloatOp::Div(format, rounding) => number("fp.div", format, Some(rounding), 2),
        FloatOp::Fma(format, rounding) => number("fp.fma", format, Some(rounding), 3),
        FloatOp::Sqrt(format, rounding) => number("fp.sqrt", format, Some(rounding), 1),
        FloatOp::RoundToIntegral(format, rounding) => number("fp.roundToIntegral", format, Some(rounding), 1),
        // The standard's remainder rounds the quotient to nearest, C's to zero: take the sign of the dividend's side.
        FloatOp::Rem(format) => {
            let (x, y) = (read(format, 0), read(format, 1));
            let rem = format!("(fp.rem (fp.abs {x}) (fp.abs {y}))");
            let size = format!("(ite (fp.isNegative {rem}) (fp.add RNE {rem} (fp.abs {y})) {rem})");
            let signed = format!("(ite (fp.isNegative {x}) (fp.neg {size}) {size})");
            FloatText::Number(signed, format)
        }
        FloatOp::Eq(format) => compare("fp.eq", format),
        FloatOp::Lt(format) => compare("fp.lt", format),
        FloatOp::Le(format) => compare("fp.leq", format),
        FloatOp::IsNan(format) => FloatText::Bits(truth(&format!("(fp.isNaN {})", read(format, 0)))),
        FloatOp::Convert { from, to, rounding } => {
            let text = format!("({} {} {})", to_fp(to), rounding_name(rounding), read(from, 0));
            FloatText::Number(text, to)
        }
        FloatOp::FromInt { to, signed, rounding } => {
            let name = if signed { to_fp(to) } else { to_fp(to).replace("to_fp", "to_fp_unsigned") };
            FloatText::Number(format!("({name} {} {})", rounding_name(rounding), args[0]), to)
        }
        FloatOp::ToInt { from, signed } => {
            let name = if signed { "fp.to_sbv" } else { "fp.to_ubv" };
            FloatText::Bits(format!("((_ {name} {width}) RTZ {})", read(from, 0)))
        }
    }
}

fn truth(text: &str) -> String {
    format!("(ite {text} #b1 #b0)")
}

fn array_sort(width: u32) -> String {
    format!("(Array (_ BitVec 64) (_ BitVec {width}))")
}

fn float_sort(format: FloatFormat) -> String {
    format!("(_ FloatingPoint {} {})", format.exponent(), format.significand())
}

fn to_fp(format: FloatFormat) -> String {
    format!("(_ to_fp {} {})", format.exponent(), format.significand())
}

fn read_float(format: FloatFormat, bits: &str) -> String {
    format!("({} {bits})", to_fp(format))
}

fn rounding_name(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::NearestEven => "RNE",
        Rounding::NearestAway => "RNA",
        Rounding::Up => "RTP",
        Rounding::Down => "RTN",
        Rounding::Zero => "RTZ",
    }
}

fn constant(bits: &Bits) -> String {
    let mut text = String::from("#b");
    for i in (0..bits.width).rev() {
        text.push(if bits.bit(i) { '1' } else { '0' });
    }
    text
}
