//! Builds expressions. Each term is stored once, so equal expressions have equal ids, and is
//! simplified while it is built.
//!
//! Normal form, on which solvers and caches rely:
//! - an operation on constants is a constant, and what is 64 bits or narrower and known is in place;
//! - a commutative operation has its constant last, else its older operand first;
//! - of comparisons only `Eq`, `Ult`, `Ule`, `Slt` and `Sle` occur, and no ordering stands under a `Not`;
//! - adding a constant is `Add`, never `Sub`; multiplying by a power of two is `Shl`;
//! - a comparison that bits or ranges of its operands decide is a constant;
//! - casts, slices and choices are moved towards each other where that makes them vanish.

mod arith;
mod array;
mod bitwise;
pub(crate) mod canonical;
mod compare;
pub mod digest;
mod facts;
mod float;
pub mod polynomial;
mod shape;
#[cfg(test)]
mod tests;
pub mod together;

pub use facts::Facts;

use crate::bits::Bits;
use crate::expr::{ArrayId, Expr, FloatFormat, FunctionId, Op, SymbolId, TermId, mask};
use crate::fold::{fold, fold_small};
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::hash::BuildHasher;

/// A term: what it does, with which operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// Operation.
    pub op: Op,
    /// Width of the result; of an array the width of its elements.
    pub width: u32,
    /// Operands; those that the operation does not have are a constant of width 0.
    args: [Expr; 3],
}

/// How deep rules may look into choices.
const MAX_REWRITING: u32 = 32;

/// No operand.
const NONE: Expr = Expr::Const { bits: 0, width: 0 };

impl Node {
    /// Operands, for an [`Op::Apply`] those are in the pool.
    pub fn args(&self) -> &[Expr] {
        let count = self.args.iter().take_while(|&&arg| arg != NONE).count();
        &self.args[..count]
    }
}

/// A symbol's name and width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Name, as the user should read it.
    pub name: String,
    /// Width of the value, or of an array's elements.
    pub width: u32,
    /// Whether it is an array.
    pub array: bool,
    /// How people read its bits.
    pub reading: Reading,
    /// Which symbols get small values first: those of lower rank, among equals by name.
    pub rank: u32,
}

/// How people read the bits of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reading {
    /// As a number that may be negative.
    Signed,
    /// As a number that is not negative.
    Unsigned,
    /// As a character.
    Char,
    /// As a float.
    Float(FloatFormat),
    /// As an address.
    Address,
}

/// All terms of one worker.
#[derive(Default)]
pub struct Pool {
    nodes: Vec<Node>,
    facts: Vec<Facts>,
    index: HashTable<TermId>,
    symbols: Vec<Symbol>,
    functions: Vec<String>,
    wides: Vec<Bits>,
    wide_index: FxHashMap<Bits, u32>,
    tables: Vec<Box<[u64]>>,
    table_index: FxHashMap<(u32, Box<[u64]>), ArrayId>,
    /// How deep rules that look into both sides of a choice are in each other.
    rewriting: u32,
    applications: Vec<Box<[Expr]>>,
    names: FxHashMap<TermId, (Box<str>, Reading)>,
    application_index: FxHashMap<(FunctionId, Box<[Expr]>), TermId>,
}

impl Pool {
    /// A pool without terms.
    pub fn new() -> Pool {
        Pool::default()
    }

    /// The term of an id.
    pub fn node(&self, id: TermId) -> &Node {
        &self.nodes[id.index()]
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no term.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// About how many bytes all terms take. Terms stay as long as the pool does.
    pub fn memory(&self) -> usize {
        let term = size_of::<Node>() + size_of::<Facts>() + 2 * size_of::<TermId>();
        let tables: usize = self.tables.iter().map(|table| 2 * size_of_val(&**table)).sum();
        let applications: usize = self.applications.iter().map(|args| 2 * size_of_val(&**args)).sum();
        self.nodes.len() * term + tables + applications
    }

    /// Width of an expression.
    pub fn width(&self, expr: Expr) -> u32 {
        match expr {
            Expr::Const { width, .. } => width,
            Expr::Term(id) => self.node(id).width,
        }
    }

    /// A new symbol, read as an unsigned number; two symbols of one name are still two.
    pub fn symbol(&mut self, name: impl Into<String>, width: u32) -> Expr {
        self.symbol_as(name, width, Reading::Unsigned)
    }

    /// A new symbol and how people read it.
    pub fn symbol_as(&mut self, name: impl Into<String>, width: u32, reading: Reading) -> Expr {
        let id = SymbolId(self.symbols.len() as u32);
        self.symbols.push(Symbol { name: name.into(), width, array: false, reading, rank: 0 });
        Expr::Term(self.intern(Op::Symbol(id), width, [NONE; 3]))
    }

    /// What is known of a symbol.
    pub fn symbol_info(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.0 as usize]
    }

    /// Says which symbols get small values first, for instance the position of a parameter; zero if nothing is said.
    /// Must not change once solvers have seen the symbol.
    pub fn set_rank(&mut self, id: SymbolId, rank: u32) {
        self.symbols[id.0 as usize].rank = rank;
    }

    /// How many symbols there are.
    pub fn symbol_count(&self) -> usize {
        self.symbols.len()
    }

    /// The symbols in expressions, each with its term.
    pub fn symbols_in(&self, roots: &[Expr]) -> BTreeMap<SymbolId, Expr> {
        let mut found = BTreeMap::new();
        self.each_symbol(roots, |symbol, expr| {
            found.insert(symbol, expr);
        });
        found
    }

    /// Shows the symbols in expressions with their terms, some more than once.
    pub fn each_symbol(&self, roots: &[Expr], mut show: impl FnMut(SymbolId, Expr)) {
        let mut seen = FxHashSet::default();
        let mut todo: Vec<Expr> = roots.to_vec();
        while let Some(expr) = todo.pop() {
            let Expr::Term(id) = expr else { continue };
            let node = self.node(id);
            match node.op {
                Op::Symbol(symbol) | Op::ArraySymbol(symbol) => show(symbol, expr),
                Op::Apply { args, .. } if seen.insert(id) => todo.extend(self.apply_args(args)),
                Op::Apply { .. } => {}
                // Most conditions compare a symbol with a number: coming by twice costs less than remembering that.
                _ if node.args().iter().all(|&arg| self.is_leaf(arg)) || seen.insert(id) => todo.extend(node.args()),
                _ => {}
            }
        }
    }

    /// Whether an expression is a number or a symbol.
    fn is_leaf(&self, expr: Expr) -> bool {
        let Expr::Term(id) = expr else { return true };
        matches!(self.node(id).op, Op::Symbol(_) | Op::ArraySymbol(_))
    }

    /// A new uninterpreted function.
    pub fn function(&mut self, name: impl Into<String>) -> FunctionId {
        self.functions.push(name.into());
        FunctionId(self.functions.len() as u32 - 1)
    }

    /// Name of an uninterpreted function.
    pub fn function_name(&self, id: FunctionId) -> &str {
        &self.functions[id.0 as usize]
    }

    /// The result of an uninterpreted function: equal arguments give equal results.
    pub fn apply(&mut self, function: FunctionId, args: &[Expr], width: u32) -> Expr {
        let key = (function, args.into());
        if let Some(&id) = self.application_index.get(&key) {
            return Expr::Term(id);
        }
        self.applications.push(args.into());
        let op = Op::Apply { function, args: self.applications.len() as u32 - 1 };
        let id = self.intern(op, width, [NONE; 3]);
        self.application_index.insert(key, id);
        Expr::Term(id)
    }

    /// Says what people call a term, and how they read it. The first name stays.
    pub fn call_it(&mut self, expr: Expr, name: &str, reading: Reading) {
        if let Expr::Term(id) = expr {
            self.names.entry(id).or_insert_with(|| (name.into(), reading));
        }
    }

    /// What people call a term that is no symbol.
    pub fn called(&self, id: TermId) -> Option<(&str, Reading)> {
        self.names.get(&id).map(|(name, reading)| (&**name, *reading))
    }

    /// Operands of the application at `args` of an [`Op::Apply`].
    pub fn apply_args(&self, args: u32) -> &[Expr] {
        &self.applications[args as usize]
    }

    /// A constant of any width.
    pub fn bits(&mut self, bits: &Bits) -> Expr {
        if bits.width <= 64 {
            return Expr::constant(bits.low(), bits.width);
        }
        let index = match self.wide_index.get(bits) {
            Some(&index) => index,
            None => {
                let index = self.wides.len() as u32;
                self.wides.push(bits.clone());
                self.wide_index.insert(bits.clone(), index);
                index
            }
        };
        Expr::Term(self.intern(Op::Wide(index), bits.width, [NONE; 3]))
    }

    /// The value of an expression, if it is a constant of any width.
    pub fn known(&self, expr: Expr) -> Option<Bits> {
        match expr {
            Expr::Const { bits, width } => Some(Bits::new(u128::from(bits), width)),
            Expr::Term(id) => match self.node(id).op {
                Op::Wide(index) => Some(self.wides[index as usize].clone()),
                _ => None,
            },
        }
    }

    /// The words of a wide constant.
    pub fn wide(&self, index: u32) -> &Bits {
        &self.wides[index as usize]
    }

    /// Zero of that width.
    pub fn zero(&mut self, width: u32) -> Expr {
        if width <= 64 { Expr::constant(0, width) } else { self.bits(&Bits::zero(width)) }
    }

    /// All ones of that width.
    pub fn ones(&mut self, width: u32) -> Expr {
        if width <= 64 { Expr::constant(mask(width), width) } else { self.bits(&Bits::ones(width)) }
    }

    /// Operation and operands, if the expression is a term.
    fn view(&self, expr: Expr) -> Option<(Op, [Expr; 3])> {
        match expr {
            Expr::Const { .. } => None,
            Expr::Term(id) => {
                let node = self.node(id);
                Some((node.op, node.args))
            }
        }
    }

    /// Whether it is zero, of any width.
    fn is_zero(&self, expr: Expr) -> bool {
        match expr {
            Expr::Const { bits, .. } => bits == 0,
            Expr::Term(_) => self.known(expr).is_some_and(|bits| bits.is_zero()),
        }
    }

    /// Whether it is all ones, of any width.
    fn is_ones(&self, expr: Expr) -> bool {
        match expr {
            Expr::Const { bits, width } => bits == mask(width),
            Expr::Term(_) => self.known(expr).is_some_and(|bits| bits == Bits::ones(bits.width)),
        }
    }

    /// The result if every operand is known.
    fn folded(&mut self, op: Op, width: u32, args: &[Expr]) -> Option<Expr> {
        let small = |expr: Option<&Expr>| match expr {
            Some(&Expr::Const { bits, width }) => Some((bits, width)),
            Some(Expr::Term(_)) => None,
            None => Some((0, 0)),
        };
        if width <= 64
            && args.len() <= 2
            && let (Some((a, arg_width)), Some((b, _))) = (small(args.first()), small(args.get(1)))
            && let Some(value) = fold_small(op, width, arg_width, a, b)
        {
            return Some(Expr::Const { bits: value, width });
        }
        let known: Option<Vec<Bits>> = args.iter().map(|&arg| self.known(arg)).collect();
        let value = fold(op, width, &known?)?;
        Some(self.bits(&value))
    }

    /// The term of an operation of two operands, in its place if it exists.
    fn term2(&mut self, op: Op, width: u32, a: Expr, b: Expr) -> Expr {
        Expr::Term(self.intern(op, width, [a, b, NONE]))
    }

    fn term1(&mut self, op: Op, width: u32, a: Expr) -> Expr {
        Expr::Term(self.intern(op, width, [a, NONE, NONE]))
    }

    fn intern(&mut self, op: Op, width: u32, args: [Expr; 3]) -> TermId {
        let node = Node { op, width, args };
        let hash = FxBuildHasher.hash_one(node);
        if let Some(&id) = self.index.find(hash, |id| self.nodes[id.index()] == node) {
            return id;
        }
        let facts = self.derive(op, width, args);
        let id = TermId::from_index(self.nodes.len());
        self.nodes.push(node);
        self.facts.push(facts);
        let nodes = &self.nodes;
        self.index.insert_unique(hash, id, |id| FxBuildHasher.hash_one(nodes[id.index()]));
        id
    }

    /// Runs a rule that may look into a choice in a choice in a choice; beyond some depth no rule is worth it.
    fn look_into<T>(&mut self, rule: impl FnOnce(&mut Pool) -> Option<T>) -> Option<T> {
        if self.rewriting >= MAX_REWRITING {
            return None;
        }
        self.rewriting += 1;
        let result = rule(self);
        self.rewriting -= 1;
        result
    }

    /// Puts a constant last, else the older operand first.
    fn order(&self, a: Expr, b: Expr) -> (Expr, Expr) {
        match (self.is_known(a), self.is_known(b)) {
            (true, false) => (b, a),
            (false, true) => (a, b),
            _ if a > b => (b, a),
            _ => (a, b),
        }
    }

    fn is_known(&self, expr: Expr) -> bool {
        match expr {
            Expr::Const { .. } => true,
            Expr::Term(id) => matches!(self.node(id).op, Op::Wide(_)),
        }
    }
}
