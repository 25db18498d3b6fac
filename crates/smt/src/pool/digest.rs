//! What an expression says as 128 bits: the same in every pool, process and version of a program.
//!
//! Ids of terms and the order of operands that may change places do not count. Symbols count by a key that the caller may
//! choose ([`Digests::name`]), else by their name, and by how many have that name before them. Whether constraints can hold together does not depend on how
//! their symbols are called, so any names will do that tell the symbols of a set apart; good ones are those that
//! survive a change of the program.

use super::canonical::{commutes, operands};
use super::{Node, Pool};
use crate::expr::{Expr, Op, SymbolId, TermId};
use rustc_hash::FxHashMap;

/// Digests of the expressions of one pool, each made once.
#[derive(Default)]
pub struct Digests {
    /// By term; zero if it is not known yet.
    terms: Vec<u128>,
    /// By symbol; zero if it has no key.
    symbols: Vec<u128>,
    /// By symbol: how many before it have the same name.
    namesakes: Vec<u32>,
    /// How many symbols have a name.
    names: FxHashMap<String, u32>,
    stack: Vec<TermId>,
}

impl Digests {
    /// Says by what a symbol is known. To be said before any expression with that symbol is looked at.
    pub fn name(&mut self, symbol: SymbolId, key: u128) {
        let index = symbol.0 as usize;
        if index >= self.symbols.len() {
            self.symbols.resize(index + 1, 0);
        }
        self.symbols[index] = key;
    }

    /// The digest of an expression.
    pub fn of(&mut self, pool: &Pool, expr: Expr) -> u128 {
        let root = match expr {
            Expr::Const { bits, width } => return constant(bits, width),
            Expr::Term(root) => root,
        };
        if self.terms.len() < pool.len() {
            self.terms.resize(pool.len(), 0);
        }
        self.count_namesakes(pool);
        // Expressions can be deep, so the stack is our own.
        self.stack.push(root);
        while let Some(&id) = self.stack.last() {
            if self.terms[id.index()] != 0 {
                self.stack.pop();
                continue;
            }
            let node = pool.node(id);
            let before = self.stack.len();
            let terms = &self.terms;
            self.stack.extend(operands(pool, node).iter().filter_map(|&arg| match arg {
                Expr::Term(id) if terms[id.index()] == 0 => Some(id),
                _ => None,
            }));
            if self.stack.len() == before {
                self.terms[id.index()] = self.node(pool, node).max(1);
                self.stack.pop();
            }
        }
        self.terms[root.index()]
    }

    /// The digest of constraints whatever their order; each is to be given once.
    pub fn of_set(&mut self, pool: &Pool, constraints: &[Expr]) -> u128 {
        constraints.iter().fold(0u128, |sum, &constraint| sum.wrapping_add(mix(SET, self.of(pool, constraint))))
    }

    /// The key of a symbol.
    pub fn symbol(&self, pool: &Pool, symbol: SymbolId) -> u128 {
        match self.symbols.get(symbol.0 as usize) {
            Some(&key) if key != 0 => key,
            _ => {
                let name = text(&pool.symbol_info(symbol).name);
                match self.namesakes.get(symbol.0 as usize) {
                    Some(0) => name,
                    Some(&before) => mix(mix(name, NAMESAKE), before.into()),
                    // It is in no expression that was looked at.
                    None => mix(mix(name, UNCOUNTED), symbol.0.into()),
                }
            }
        }
    }

    /// A parameter and a global variable may have one name; that must not make them one symbol.
    fn count_namesakes(&mut self, pool: &Pool) {
        for index in self.namesakes.len()..pool.symbol_count() {
            let name = &pool.symbol_info(SymbolId(index as u32)).name;
            let before = match self.names.get_mut(name) {
                Some(count) => {
                    *count += 1;
                    *count - 1
                }
                None => {
                    self.names.insert(name.clone(), 1);
                    0
                }
            };
            self.namesakes.push(before);
        }
    }

    fn node(&self, pool: &Pool, node: &Node) -> u128 {
        let (tag, own) = match node.op {
            Op::Symbol(symbol) => (1, self.symbol(pool, symbol)),
            Op::ArraySymbol(symbol) => (2, self.symbol(pool, symbol)),
            Op::Wide(index) => (3, pool.wide(index).words.iter().fold(0, |hash, &word| mix(hash, word.into()))),
            Op::ArrayTable(table) => (4, pool.table(table).iter().fold(0, |hash, &word| mix(hash, word.into()))),
            Op::Apply { function, .. } => (5, text(pool.function_name(function))),
            Op::Extract { low } => (6, low.into()),
            // Written out, for the numbers of variants may change from one build of ours to the next.
            Op::Float(op) => (7, text(&format!("{op:?}"))),
            Op::Not => (8, 0),
            Op::Neg => (9, 0),
            Op::And => (10, 0),
            Op::Or => (11, 0),
            Op::Xor => (12, 0),
            Op::Add => (13, 0),
            Op::Sub => (14, 0),
            Op::Mul => (15, 0),
            Op::UDiv => (16, 0),
            Op::URem => (17, 0),
            Op::SDiv => (18, 0),
            Op::SRem => (19, 0),
            Op::Shl => (20, 0),
            Op::LShr => (21, 0),
            Op::AShr => (22, 0),
            Op::Eq => (23, 0),
            Op::Ult => (24, 0),
            Op::Ule => (25, 0),
            Op::Slt => (26, 0),
            Op::Sle => (27, 0),
            Op::Ite => (28, 0),
            Op::Concat => (29, 0),
            Op::ZExt => (30, 0),
            Op::SExt => (31, 0),
            Op::Store => (32, 0),
            Op::Select => (33, 0),
        };
        let head = mix(mix(tag, node.width.into()), own);
        let args = operands(pool, node).iter().map(|&arg| match arg {
            Expr::Const { bits, width } => constant(bits, width),
            Expr::Term(id) => self.terms[id.index()],
        });
        if commutes(node.op) {
            mix(head, args.fold(0u128, |sum, arg| sum.wrapping_add(mix(SET, arg))))
        } else {
            args.fold(head, mix)
        }
    }
}

/// Marks symbols whose name others had before them, and those that were never counted.
const NAMESAKE: u128 = 0x2a3e;
const UNCOUNTED: u128 = 0x2a3f;

/// Marks members of a set, whose digests are added.
const SET: u128 = 0x5e7;

fn constant(bits: u64, width: u32) -> u128 {
    mix(u128::from(width) << 64 | u128::from(bits), 0xc0)
}

/// The digest of a text.
pub fn text(text: &str) -> u128 {
    let start = mix(text.len() as u128, 0x7e);
    text.as_bytes().chunks(8).fold(start, |hash, chunk| {
        mix(hash, chunk.iter().rev().fold(0u128, |word, &byte| word << 8 | u128::from(byte)))
    })
}

/// Two digests as one; the order counts.
pub fn mix(a: u128, b: u128) -> u128 {
    // Odd, and without a pattern: digits of pi and of the golden ratio.
    const FIRST: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
    const SECOND: u128 = 0x2437_54a8_85a3_08d3_1319_8a2e_0370_7345;
    let mixed = (a ^ b.rotate_left(37)).wrapping_mul(FIRST);
    let mixed = (mixed ^ mixed >> 61).wrapping_add(b).wrapping_mul(SECOND);
    mixed ^ mixed >> 59
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Digests of `x < 3 + y` and `x & y`, the terms made in another order if `turned`.
    fn of_pool(turned: bool, names: [&str; 2]) -> [u128; 3] {
        let mut pool = Pool::new();
        let (x, y) = if turned {
            let y = pool.symbol(names[1], 32);
            pool.mul(y, y);
            (pool.symbol(names[0], 32), y)
        } else {
            (pool.symbol(names[0], 32), pool.symbol(names[1], 32))
        };
        let sum = pool.add(y, Expr::constant(3, 32));
        let (less, and) = (pool.slt(x, sum), pool.and(x, y));
        let zero = pool.eq(and, Expr::constant(0, 32));
        let mut digests = Digests::default();
        [digests.of(&pool, less), digests.of(&pool, zero), digests.of_set(&pool, &[zero, less])]
    }

    #[test]
    fn numbers_of_terms_do_not_count_and_names_do() {
        assert_eq!(of_pool(false, ["x", "y"]), of_pool(true, ["x", "y"]));
        let (these, others) = (of_pool(false, ["x", "y"]), of_pool(false, ["x", "z"]));
        assert!((0..3).all(|at| these[at] != others[at]));
        assert_ne!(these[0], these[1]);
    }

    #[test]
    fn namesakes_are_told_apart() {
        let mut pool = Pool::new();
        let (parameter, global) = (pool.symbol("x", 32), pool.symbol("x", 32));
        let three = Expr::constant(3, 32);
        let (square, product) = (pool.mul(parameter, parameter), pool.mul(parameter, global));
        let (square, product) = (pool.eq(square, three), pool.eq(product, three));
        let mut digests = Digests::default();
        // No square is three, but products are: what is known of one must not be taken for the other.
        assert_ne!(digests.of_set(&pool, &[square]), digests.of_set(&pool, &[product]));
        assert_ne!(digests.symbol(&pool, SymbolId(0)), digests.symbol(&pool, SymbolId(1)));
    }

    #[test]
    fn a_set_has_no_order() {
        let mut pool = Pool::new();
        let (a, b) = (pool.symbol("a", 1), pool.symbol("b", 1));
        let mut digests = Digests::default();
        assert_eq!(digests.of_set(&pool, &[a, b]), digests.of_set(&pool, &[b, a]));
        assert_ne!(digests.of_set(&pool, &[a]), digests.of_set(&pool, &[b]));
    }

    #[test]
    fn a_key_stands_for_a_name() {
        let mut pool = Pool::new();
        let (a, b) = (pool.symbol("a", 8), pool.symbol("b", 8));
        let mut digests = Digests::default();
        digests.name(SymbolId(0), 7);
        digests.name(SymbolId(1), 7);
        assert_eq!(digests.of(&pool, a), digests.of(&pool, b));
    }
}
