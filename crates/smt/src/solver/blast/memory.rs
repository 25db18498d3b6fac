//! Reads of arrays and uninterpreted functions.

use super::{Blaster, Word, array_symbol};
use crate::bits::Bits;
use crate::eval::Model;
use crate::expr::{ArrayId, Expr, FunctionId, Op, SymbolId, TermId};
use crate::pool::{Node, Pool};
use batsat::Lit;
use rustc_hash::{FxHashMap, FxHashSet};

/// Reads and calls so far: equal arguments must give equal results.
#[derive(Default)]
pub struct Reads {
    arrays: FxHashMap<SymbolId, Vec<Read>>,
    calls: FxHashMap<FunctionId, Vec<Call>>,
}

struct Read {
    index: Expr,
    index_word: Word,
    value: Word,
}

struct Call {
    args: u32,
    words: Vec<Word>,
    value: Word,
}

/// What has to be blasted before a read: its index, and index and value of every write below it.
pub fn operands(pool: &Pool, read: &Node) -> Vec<Expr> {
    let (writes, _) = chain(pool, read);
    let mut operands = vec![read.args()[1]];
    operands.extend(writes.into_iter().flat_map(|(index, value)| [index, value]));
    operands
}

/// About how many gates a read takes: those of the table, and a comparison of places for each write.
pub fn cost(pool: &Pool, read: &Node) -> usize {
    let (writes, base) = chain(pool, read);
    let table = match base.map(|base| pool.node(base.0).op) {
        // Neighbours have much in common.
        Some(Op::ArrayTable(table)) => pool.table(table).len() / 8,
        _ => 1,
    };
    let width = read.width as usize;
    table.saturating_mul(width).saturating_add(writes.len().saturating_mul(width + 128))
}

/// The writes below a read, the last one first, and the array below them.
fn chain(pool: &Pool, read: &Node) -> (Vec<(Expr, Expr)>, Option<ArrayId>) {
    let mut writes = Vec::new();
    let mut array = read.args()[0];
    while let Expr::Term(id) = array {
        let node = pool.node(id);
        if node.op != Op::Store {
            return (writes, Some(ArrayId(id)));
        }
        writes.push((node.args()[1], node.args()[2]));
        array = node.args()[0];
    }
    (writes, None)
}

impl Blaster {
    /// The element that a read gives; its operands are blasted already.
    pub(super) fn read(&mut self, pool: &Pool, node: &Node) -> Option<Word> {
        let (writes, base) = chain(pool, node);
        let index = node.args()[1];
        let index_word = self.known(pool, index);
        let base = base?.0;
        let mut word = match pool.node(base).op {
            Op::ArrayTable(table) => self.look_up(pool.table(table), &index_word, node.width),
            _ => self.read_symbol(pool, array_symbol(pool, base)?, index, &index_word, node.width),
        };
        for (at, value) in writes.into_iter().rev() {
            let (at, value) = (self.known(pool, at), self.known(pool, value));
            let here = self.gates.equal(&at, &index_word);
            word = self.gates.zip(&value, &word, |gates, new, old| gates.choose(here, new, old));
        }
        Some(word)
    }

    /// A known table as a tree of choices over the bits of the index; zero beyond it.
    fn look_up(&mut self, table: &[u64], index: &[Lit], width: u32) -> Word {
        let constant = |blaster: &Blaster, value: u64| -> Word {
            (0..width).map(|i| blaster.gates.constant(value >> i.min(63) & 1 == 1)).collect()
        };
        let levels = table.len().next_power_of_two().trailing_zeros() as usize;
        let mut row: Vec<Word> = table.iter().map(|&value| constant(self, value)).collect();
        row.resize(1 << levels, constant(self, 0));
        for &bit in &index[..levels] {
            row = row
                .chunks(2)
                .map(|pair| self.gates.zip(&pair[1], &pair[0], |gates, high, low| gates.choose(bit, high, low)))
                .collect();
        }
        // Every higher bit of the index leads beyond the table.
        let mut inside = self.gates.constant(true);
        for &bit in &index[levels..] {
            inside = self.gates.and(inside, !bit);
        }
        row.remove(0).iter().map(|&lit| self.gates.and(lit, inside)).collect()
    }

    fn read_symbol(&mut self, pool: &Pool, array: SymbolId, index: Expr, index_word: &Word, width: u32) -> Word {
        let earlier = self.reads.arrays.remove(&array).unwrap_or_default();
        if let Some(same) = earlier.iter().find(|read| read.index == index) {
            let value = same.value.clone();
            self.reads.arrays.insert(array, earlier);
            return value;
        }
        let value: Word = (0..width).map(|_| self.gates.fresh()).collect();
        for read in &earlier {
            // Two different constants are never the same place.
            if index.as_const().is_some() && read.index.as_const().is_some() {
                continue;
            }
            let same = self.gates.equal(&read.index_word, index_word);
            self.require_equal_if(same, &read.value, &value);
        }
        let mut reads = earlier;
        reads.push(Read { index, index_word: index_word.clone(), value: value.clone() });
        self.reads.arrays.insert(array, reads);
        debug_assert_eq!(pool.symbol_info(array).width, width);
        value
    }

    /// The result of an uninterpreted function; its arguments are blasted already.
    pub(super) fn apply(&mut self, pool: &Pool, function: FunctionId, args: u32, width: u32) -> Word {
        let words: Vec<Word> = pool.apply_args(args).iter().map(|&arg| self.known(pool, arg)).collect();
        let value: Word = (0..width).map(|_| self.gates.fresh()).collect();
        let earlier = self.reads.calls.remove(&function).unwrap_or_default();
        for call in &earlier {
            let alike = call.words.len() == words.len()
                && call.value.len() == value.len()
                && call.words.iter().zip(&words).all(|(a, b)| a.len() == b.len());
            if !alike {
                continue;
            }
            let mut same = self.gates.constant(true);
            for (a, b) in call.words.iter().zip(&words) {
                let equal = self.gates.equal(a, b);
                same = self.gates.and(same, equal);
            }
            self.require_equal_if(same, &call.value, &value);
        }
        let mut calls = earlier;
        calls.push(Call { args, words, value: value.clone() });
        self.reads.calls.insert(function, calls);
        value
    }

    fn require_equal_if(&mut self, condition: Lit, a: &[Lit], b: &[Lit]) {
        for (&a, &b) in a.iter().zip(b) {
            self.gates.require(&[!condition, !a, b]);
            self.gates.require(&[!condition, a, !b]);
        }
    }

    /// Adds to a model what the SAT solver chose for the arrays and functions that occur in `seen` terms.
    pub(super) fn add_memory(&self, pool: &Pool, model: &mut Model, seen: &FxHashSet<TermId>) {
        let mut arrays: FxHashSet<SymbolId> = FxHashSet::default();
        let mut functions: FxHashSet<FunctionId> = FxHashSet::default();
        for &id in seen {
            match pool.node(id).op {
                Op::ArraySymbol(symbol) => {
                    arrays.insert(symbol);
                }
                Op::Apply { function, .. } => {
                    functions.insert(function);
                }
                _ => {}
            }
        }
        for array in arrays {
            let elements = model.arrays.entry(array).or_default();
            for read in self.reads.arrays.get(&array).into_iter().flatten() {
                let (index, value) = (self.value(&read.index_word), self.value(&read.value));
                // Reads that this question does not have may name a place too; they agree where places agree.
                elements.insert(index.low(), value);
            }
        }
        for function in functions {
            let table = model.functions.entry(function).or_default();
            for call in self.reads.calls.get(&function).into_iter().flatten() {
                debug_assert_eq!(pool.apply_args(call.args).len(), call.words.len());
                let key: Vec<Bits> = call.words.iter().map(|word| self.value(word)).collect();
                table.insert(key, self.value(&call.value));
            }
        }
    }
}
