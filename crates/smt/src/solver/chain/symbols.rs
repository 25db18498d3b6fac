//! Which symbols an expression has, as interned sets: two expressions that share none are independent.

use super::Path;
use crate::eval::Model;
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
    known: FxHashMap<TermId, Names>,
}

impl SymbolSets {
    /// The names in an expression.
    pub fn of(&mut self, pool: &Pool, expr: Expr) -> Names {
        let Expr::Term(root) = expr else { return [].into() };
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.known.contains_key(&id) {
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
                    && !self.known.contains_key(id)
                {
                    stack.push(*id);
                }
            }
            if stack.len() > before {
                continue;
            }
            let own = match node.op {
                Op::Symbol(symbol) | Op::ArraySymbol(symbol) => Some(Name::Symbol(symbol)),
                Op::Apply { function, .. } => Some(Name::Function(function)),
                _ => None,
            };
            let names = self.union(own, args);
            self.known.insert(id, names);
            stack.pop();
        }
        self.known.get(&root).cloned().unwrap_or_else(|| [].into())
    }

    fn union(&self, own: Option<Name>, args: &[Expr]) -> Names {
        let sets: Vec<&Names> = args
            .iter()
            .filter_map(|arg| match arg {
                Expr::Term(id) => self.known.get(id),
                Expr::Const { .. } => None,
            })
            .collect();
        // Most terms have the names of one operand, and share its set.
        if let (None, Some(largest)) = (own, sets.iter().max_by_key(|set| set.len()))
            && sets.iter().all(|set| set.iter().all(|name| largest.binary_search(name).is_ok()))
        {
            return (*largest).clone();
        }
        let mut names: Vec<Name> = sets.iter().flat_map(|set| set.iter().copied()).chain(own).collect();
        names.sort_unstable();
        names.dedup();
        names.into()
    }

    /// Puts what `model` says of everything connected with `constraint` on `path` into `values`.
    pub fn take_over(&mut self, pool: &Pool, values: &mut Model, model: &Model, path: &Path, constraint: Expr) {
        let own = self.of(pool, constraint);
        let connected = path.groups.iter().filter(|group| group.shares(&own)).flat_map(|group| group.names.iter());
        for name in connected.chain(own.iter()) {
            match *name {
                Name::Symbol(symbol) => values.take_symbol(model, symbol),
                Name::Function(function) => values.take_function(model, function),
            }
        }
    }
}
