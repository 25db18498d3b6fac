//! Arrays: reads and writes at indices of 64 bits.

use super::{NONE, Pool, Reading, Symbol};
use crate::expr::{ArrayId, Expr, Op, SymbolId, TermId, mask};

/// How many writes a read looks through before it is left to the solver.
const MAX_STEPS: usize = 256;

/// Elements from which on a table is large.
const LARGE: usize = 4096;

impl Pool {
    /// A new array whose elements, of that width, the solver may choose.
    pub fn array_symbol(&mut self, name: impl Into<String>, width: u32, reading: Reading) -> ArrayId {
        let id = SymbolId(self.symbols.len() as u32);
        self.symbols.push(Symbol { name: name.into(), width, array: true, reading, rank: 0 });
        ArrayId(self.intern(Op::ArraySymbol(id), width, [NONE; 3]))
    }

    /// An array of known elements of at most 64 bits; all beyond are zero.
    pub fn array_table(&mut self, elements: &[u64], width: u32) -> ArrayId {
        // What lies beyond a table is zero, so zeros at the end of a large one need no room.
        let used = match elements.len() {
            ..LARGE => elements.len(),
            _ => elements.iter().rposition(|&element| element & mask(width) != 0).map_or(0, |last| last + 1),
        };
        let elements: Box<[u64]> = elements[..used].iter().map(|element| element & mask(width)).collect();
        let key = (width, elements);
        if let Some(&id) = self.table_index.get(&key) {
            return id;
        }
        self.tables.push(key.1.clone());
        let index = self.tables.len() as u32 - 1;
        let id = ArrayId(self.intern(Op::ArrayTable(index), width, [NONE; 3]));
        self.table_index.insert(key, id);
        id
    }

    /// The elements of a table.
    pub fn table(&self, index: u32) -> &[u64] {
        &self.tables[index as usize]
    }

    /// The array with one element replaced.
    pub fn store(&mut self, array: ArrayId, index: Expr, value: Expr) -> ArrayId {
        let width = self.node(array.0).width;
        let node = *self.node(array.0);
        // Writing the same place again makes the write before it void.
        if node.op == Op::Store && node.args[1] == index {
            return self.store(array_of(node.args[0]), index, value);
        }
        ArrayId(self.intern(Op::Store, width, [Expr::Term(array.0), index, value]))
    }

    /// The element at an index.
    pub fn select(&mut self, array: ArrayId, index: Expr) -> Expr {
        let width = self.node(array.0).width;
        let mut array = array;
        for _ in 0..MAX_STEPS {
            let node = *self.node(array.0);
            match node.op {
                Op::Store => match self.eq(node.args[1], index) {
                    same if same.is_true() => return node.args[2],
                    same if same.is_false() => array = array_of(node.args[0]),
                    _ => break,
                },
                Op::ArrayTable(table) => {
                    if let Some(at) = index.as_const() {
                        let element = self.tables[table as usize].get(usize::try_from(at).unwrap_or(usize::MAX));
                        return Expr::constant(element.copied().unwrap_or(0), width);
                    }
                    break;
                }
                _ => break,
            }
        }
        self.term2(Op::Select, width, Expr::Term(array.0), index)
    }
}

/// The array that an operand is.
pub(crate) fn array_of(expr: Expr) -> ArrayId {
    match expr {
        Expr::Term(id) => ArrayId(id),
        // Operands of stores and reads are arrays by construction.
        Expr::Const { .. } => ArrayId(TermId::from_index(0)),
    }
}
