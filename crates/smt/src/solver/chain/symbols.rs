//! Which symbols an expression has, as interned sets: two expressions that share none are independent.

use crate::expr::{Expr, FunctionId, Op, SymbolId, TermId};
use crate::pool::Pool;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A symbol, or an uninterpreted function, whose results must agree wherever it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Name {
    /// A symbol.
    Symbol(SymbolId),
    /// A function.
    Function(FunctionId),
}

/// A set of names, sorted.
pub type Names = Rc<[Name]>;

/// The sets of all terms that were asked for.
#[derive(Default)]
pub struct SymbolSets {
    /// The set of each term, by its position in `sets`, plus one; zero if it was not asked for.
    known: Vec<u32>,
    sets: Vec<Names>,
    index: FxHashMap<Names, u32>,
    /// The term of each symbol that was seen.
    terms: Vec<Option<TermId>>,
    scratch: Vec<Name>,
    stack: Vec<TermId>,
}

impl SymbolSets {
    /// The names in an expression.
    pub fn of(&mut self, pool: &Pool, expr: Expr) -> Names {
        let Expr::Term(root) = expr else { return [].into() };
        self.known.resize(self.known.len().max(pool.len()), 0);
        if self.known[root.index()] == 0 {
            self.find(pool, root);
        }
        self.sets[self.known[root.index()] as usize - 1].clone()
    }

    /// The term of a symbol in an expression that was asked for.
    pub fn term(&self, symbol: SymbolId) -> Option<TermId> {
        self.terms.get(symbol.0 as usize).copied().flatten()
    }

    fn find(&mut self, pool: &Pool, root: TermId) {
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(root);
        while let Some(&id) = stack.last() {
            if self.known[id.index()] != 0 {
                stack.pop();
                continue;
            }
            let node = pool.node(id);
            let args = match node.op {
                Op::Apply { args, .. } => pool.apply_args(args),
                _ => node.args(),
            };
            let before = stack.len();
            for arg in args {
                if let Expr::Term(id) = arg
                    && self.known[id.index()] == 0
                {
                    stack.push(*id);
                }
            }
            if stack.len() > before {
                continue;
            }
            let own = match node.op {
                Op::Symbol(symbol) | Op::ArraySymbol(symbol) => {
                    let at = symbol.0 as usize;
                    self.terms.resize(self.terms.len().max(at + 1), None);
                    self.terms[at] = Some(id);
                    Some(Name::Symbol(symbol))
                }
                Op::Apply { function, .. } => Some(Name::Function(function)),
                _ => None,
            };
            self.known[id.index()] = self.union(own, args) + 1;
            stack.pop();
        }
        self.stack = stack;
    }

    /// The set of all names of the operands and their own, by its position.
    fn union(&mut self, own: Option<Name>, args: &[Expr]) -> u32 {
        let ids = args.iter().filter_map(|arg| match arg {
            Expr::Term(id) => Some(self.known[id.index()] - 1),
            Expr::Const { .. } => None,
        });
        // Most terms have the names of one operand, and share its set.
        let mut sets: [u32; 3] = [u32::MAX; 3];
        let (mut count, mut many) = (0, false);
        for id in ids {
            if sets.contains(&id) {
                continue;
            }
            match sets.get_mut(count) {
                Some(set) => *set = id,
                None => many = true,
            }
            count += 1;
        }
        if own.is_none() && count == 1 {
            return sets[0];
        }
        let mut names = std::mem::take(&mut self.scratch);
        names.clear();
        names.extend(own);
        if many {
            for arg in args {
                if let Expr::Term(id) = arg {
                    names.extend(self.sets[self.known[id.index()] as usize - 1].iter());
                }
            }
        } else {
            sets[..count].iter().for_each(|&set| names.extend(self.sets[set as usize].iter()));
        }
        names.sort_unstable();
        names.dedup();
        let id = self.intern(&names);
        self.scratch = names;
        id
    }

    fn intern(&mut self, names: &[Name]) -> u32 {
        if let Some(&id) = self.index.get(names) {
            return id;
        }
        let (set, id) = (Names::from(names), self.sets.len() as u32);
        self.sets.push(set.clone());
        self.index.insert(set, id);
        id
    }
}

/// Whether two sorted sets have a name in common.
pub fn share(a: &[Name], b: &[Name]) -> bool {
    let (Some(first_a), Some(last_a), Some(first_b), Some(last_b)) = (a.first(), a.last(), b.first(), b.last()) else {
        return false;
    };
    if last_a < first_b || last_b < first_a {
        return false;
    }
    let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
    few.iter().any(|name| many.binary_search(name).is_ok())
}
