//! Terms of several pools in one: symbols and functions are the same if they have the same name.

use super::canonical::operands;
use super::{Node, Pool};
use crate::expr::{Expr, FunctionId, Op, TermId};
use rustc_hash::FxHashMap;

/// A pool with terms of others.
#[derive(Default)]
pub struct Together {
    /// The pool.
    pub pool: Pool,
    symbols: FxHashMap<String, Expr>,
    functions: FxHashMap<String, FunctionId>,
    /// Whether a name stands for symbols of different kinds, which then are not the same.
    pub clashes: bool,
}

/// Which terms of another pool were copied, and to what.
pub type Copied = FxHashMap<TermId, Expr>;

impl Together {
    /// Copies an expression of another pool, whose symbols have these names here.
    pub fn copy(&mut self, from: &Pool, copied: &mut Copied, expr: Expr, rename: &dyn Fn(&str) -> String) -> Expr {
        let Expr::Term(root) = expr else { return expr };
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if copied.contains_key(&id) {
                stack.pop();
                continue;
            }
            let node = *from.node(id);
            let before = stack.len();
            stack.extend(operands(from, &node).iter().filter_map(|&arg| match arg {
                Expr::Term(id) if !copied.contains_key(&id) => Some(id),
                _ => None,
            }));
            if stack.len() > before {
                continue;
            }
            let args: Vec<Expr> = operands(from, &node)
                .iter()
                .map(|&arg| match arg {
                    Expr::Term(id) => copied.get(&id).copied().unwrap_or(arg),
                    Expr::Const { .. } => arg,
                })
                .collect();
            let made = self.make(from, &node, &args, rename);
            copied.insert(id, made);
            stack.pop();
        }
        copied.get(&root).copied().unwrap_or(expr)
    }

    /// The symbol of a name, made if there is none.
    pub fn symbol(&mut self, name: &str, width: u32) -> Expr {
        let pool = &mut self.pool;
        *self.symbols.entry(name.to_owned()).or_insert_with(|| pool.symbol(name, width))
    }

    fn make(&mut self, from: &Pool, node: &Node, args: &[Expr], rename: &dyn Fn(&str) -> String) -> Expr {
        let pool = &mut self.pool;
        let width = node.width;
        match node.op {
            Op::Symbol(symbol) | Op::ArraySymbol(symbol) => {
                let info = from.symbol_info(symbol);
                let name = rename(&info.name);
                let known = *self.symbols.entry(name.clone()).or_insert_with(|| match info.array {
                    true => Expr::Term(pool.array_symbol(name, width, info.reading).0),
                    false => pool.symbol_as(name, width, info.reading),
                });
                let Expr::Term(id) = known else { return known };
                let is_array = matches!(pool.node(id).op, Op::ArraySymbol(_));
                if pool.width(known) == width && is_array == info.array {
                    return known;
                }
                self.clashes = true;
                match info.array {
                    true => Expr::Term(pool.array_symbol(info.name.clone(), width, info.reading).0),
                    false => pool.symbol_as(info.name.clone(), width, info.reading),
                }
            }
            Op::Wide(index) => pool.bits(from.wide(index)),
            Op::ArrayTable(table) => Expr::Term(pool.array_table(from.table(table), width).0),
            Op::Apply { function, .. } => {
                let name = from.function_name(function);
                let function = match self.functions.get(name) {
                    Some(&known) => known,
                    None => {
                        let made = pool.function(name);
                        self.functions.insert(name.to_owned(), made);
                        made
                    }
                };
                pool.apply(function, args, width)
            }
            op => pool.make(op, width, args),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_of_one_name_are_the_same() {
        let (mut one, mut other) = (Pool::new(), Pool::new());
        let (a, b) = (one.symbol("a", 32), one.symbol("b", 32));
        let sum = one.add(a, b);
        let (y, x) = (other.symbol("b", 32), other.symbol("x", 32));
        let swapped = other.add(y, x);
        let wide = other.symbol("a", 64);
        let mut together = Together::default();
        let sum = together.copy(&one, &mut Copied::default(), sum, &str::to_owned);
        let rename = |name: &str| if name == "x" { "a".to_owned() } else { name.to_owned() };
        let mut copied = Copied::default();
        assert_eq!(together.copy(&other, &mut copied, swapped, &rename), sum);
        assert!(!together.clashes);
        together.copy(&other, &mut copied, wide, &rename);
        assert!(together.clashes);
    }
}
