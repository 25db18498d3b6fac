//! Constraints in a pool of their own, in an order that depends on nothing but what they say.
//!
//! Terms of a pool are numbered, and their operands ordered, as they came; solvers follow that order. Who needs the same
//! answer from every worker copies the constraints first: symbols and functions count by their names,
//! constants and tables by their values.

use super::{Node, Pool};
use crate::eval::Model;
use crate::expr::{ArrayId, Expr, FloatOp, FunctionId, Op, SymbolId, TermId};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// A copy of constraints.
pub struct Copy {
    /// Holds them and nothing else.
    pub pool: Pool,
    /// The constraints.
    pub constraints: Vec<Expr>,
    /// What symbols and functions of the copy are in the original.
    symbols: Vec<SymbolId>,
    functions: Vec<FunctionId>,
}

impl Copy {
    /// Copies constraints.
    pub fn of(pool: &Pool, constraints: &[Expr]) -> Copy {
        let hashes = hashes(pool, constraints);
        let hash = |expr: Expr| match expr {
            Expr::Const { bits, width } => mix(bits, width.into()),
            Expr::Term(id) => hashes.get(&id).copied().unwrap_or(0),
        };
        let mut order = constraints.to_vec();
        order.sort_by_key(|&constraint| hash(constraint));
        order.dedup();
        let mut copy = Copy { pool: Pool::new(), constraints: Vec::new(), symbols: Vec::new(), functions: Vec::new() };
        let mut made: FxHashMap<TermId, Expr> = FxHashMap::default();
        let mut functions: FxHashMap<FunctionId, FunctionId> = FxHashMap::default();
        for constraint in order {
            let Expr::Term(root) = constraint else {
                copy.constraints.push(constraint);
                continue;
            };
            let mut stack = vec![root];
            while let Some(&id) = stack.last() {
                if made.contains_key(&id) {
                    stack.pop();
                    continue;
                }
                let node = *pool.node(id);
                let mut below: Vec<TermId> = operands(pool, &node)
                    .iter()
                    .filter_map(|&arg| match arg {
                        Expr::Term(id) if !made.contains_key(&id) => Some(id),
                        _ => None,
                    })
                    .collect();
                if !below.is_empty() {
                    // The last one is made first.
                    below.sort_by_key(|id| std::cmp::Reverse(hashes.get(id)));
                    stack.extend(below);
                    continue;
                }
                let args: Vec<Expr> = operands(pool, &node)
                    .iter()
                    .map(|&arg| match arg {
                        Expr::Term(id) => made.get(&id).copied().unwrap_or(arg),
                        Expr::Const { .. } => arg,
                    })
                    .collect();
                let expr = copy.make(pool, &node, &args, &mut functions);
                made.insert(id, expr);
                stack.pop();
            }
            copy.constraints.extend(made.get(&root));
        }
        copy
    }

    /// A model of the copy as one of the original.
    pub fn model_of(&self, model: &Model) -> Model {
        let mut original = Model::default();
        for (copy, &symbol) in self.symbols.iter().enumerate() {
            let copy = SymbolId(copy as u32);
            let info = self.pool.symbol_info(copy);
            if !info.array {
                original.set(symbol, &model.get(copy, info.width));
            } else if let Some(elements) = model.arrays.get(&copy) {
                original.arrays.insert(symbol, elements.clone());
            }
        }
        for (copy, &function) in self.functions.iter().enumerate() {
            if let Some(table) = model.functions.get(&FunctionId(copy as u32)) {
                original.functions.insert(function, table.clone());
            }
        }
        original
    }

    fn make(
        &mut self,
        from: &Pool,
        node: &Node,
        args: &[Expr],
        functions: &mut FxHashMap<FunctionId, FunctionId>,
    ) -> Expr {
        let pool = &mut self.pool;
        let width = node.width;
        match node.op {
            Op::Symbol(symbol) => {
                self.symbols.push(symbol);
                let info = from.symbol_info(symbol);
                pool.symbol_as(info.name.clone(), width, info.reading)
            }
            Op::ArraySymbol(symbol) => {
                self.symbols.push(symbol);
                let info = from.symbol_info(symbol);
                Expr::Term(pool.array_symbol(info.name.clone(), width, info.reading).0)
            }
            Op::Wide(index) => pool.bits(from.wide(index)),
            Op::ArrayTable(table) => Expr::Term(pool.array_table(from.table(table), width).0),
            Op::Apply { function, .. } => {
                let function = *functions.entry(function).or_insert_with(|| {
                    self.functions.push(function);
                    pool.function(from.function_name(function))
                });
                pool.apply(function, args, width)
            }
            op => pool.make(op, width, args),
        }
    }
}

impl Pool {
    /// The term of an operation on other terms, simplified.
    pub(crate) fn make(&mut self, op: Op, width: u32, args: &[Expr]) -> Expr {
        let nothing = Expr::constant(0, 1);
        let [a, b, c] = [0, 1, 2].map(|at| args.get(at).copied().unwrap_or(nothing));
        let array = |expr: Expr| match expr {
            Expr::Term(id) => Some(ArrayId(id)),
            Expr::Const { .. } => None,
        };
        match op {
            Op::Not => self.not(a),
            Op::Neg => self.neg(a),
            Op::And => self.and(a, b),
            Op::Or => self.or(a, b),
            Op::Xor => self.xor(a, b),
            Op::Add => self.add(a, b),
            Op::Sub => self.sub(a, b),
            Op::Mul => self.mul(a, b),
            Op::UDiv => self.udiv(a, b),
            Op::URem => self.urem(a, b),
            Op::SDiv => self.sdiv(a, b),
            Op::SRem => self.srem(a, b),
            Op::Shl => self.shl(a, b),
            Op::LShr => self.lshr(a, b),
            Op::AShr => self.ashr(a, b),
            Op::Eq => self.eq(a, b),
            Op::Ult => self.ult(a, b),
            Op::Ule => self.ule(a, b),
            Op::Slt => self.slt(a, b),
            Op::Sle => self.sle(a, b),
            Op::Ite => self.ite(a, b, c),
            Op::Concat => self.concat(a, b),
            Op::Extract { low } => self.extract(a, low, width),
            Op::ZExt => self.zext(a, width),
            Op::SExt => self.sext(a, width),
            Op::Store => array(a).map_or(nothing, |a| Expr::Term(self.store(a, b, c).0)),
            Op::Select => array(a).map_or(nothing, |a| self.select(a, b)),
            Op::Float(op) => self.float(op, args, width),
            // They have no operands, and are made where their name or value is known.
            Op::Symbol(_) | Op::Wide(_) | Op::ArraySymbol(_) | Op::ArrayTable(_) | Op::Apply { .. } => nothing,
        }
    }
}

/// The operands of a term, whatever it is.
pub(super) fn operands<'p>(pool: &'p Pool, node: &'p Node) -> &'p [Expr] {
    match node.op {
        Op::Apply { args, .. } => pool.apply_args(args),
        _ => node.args(),
    }
}

fn mix(a: u64, b: u64) -> u64 {
    let mut hasher = FxHasher::default();
    (a, b).hash(&mut hasher);
    hasher.finish()
}

/// A number for each term below the constraints, made of what it says.
fn hashes(pool: &Pool, constraints: &[Expr]) -> FxHashMap<TermId, u64> {
    let mut known: FxHashMap<TermId, u64> = FxHashMap::default();
    let mut stack: Vec<TermId> = Vec::new();
    for &constraint in constraints {
        let Expr::Term(root) = constraint else { continue };
        stack.push(root);
        while let Some(&id) = stack.last() {
            if known.contains_key(&id) {
                stack.pop();
                continue;
            }
            let node = pool.node(id);
            let before = stack.len();
            stack.extend(operands(pool, node).iter().filter_map(|&arg| match arg {
                Expr::Term(id) if !known.contains_key(&id) => Some(id),
                _ => None,
            }));
            if stack.len() > before {
                continue;
            }
            let hash = hash_node(pool, node, &known);
            known.insert(id, hash);
            stack.pop();
        }
    }
    known
}

fn hash_node(pool: &Pool, node: &Node, known: &FxHashMap<TermId, u64>) -> u64 {
    let mut hasher = FxHasher::default();
    std::mem::discriminant(&node.op).hash(&mut hasher);
    node.width.hash(&mut hasher);
    match node.op {
        Op::Symbol(symbol) | Op::ArraySymbol(symbol) => pool.symbol_info(symbol).name.hash(&mut hasher),
        Op::Wide(index) => pool.wide(index).hash(&mut hasher),
        Op::ArrayTable(table) => pool.table(table).hash(&mut hasher),
        Op::Apply { function, .. } => pool.function_name(function).hash(&mut hasher),
        Op::Extract { low } => low.hash(&mut hasher),
        Op::Float(op) => op.hash(&mut hasher),
        _ => {}
    }
    let args = operands(pool, node).iter().map(|&arg| match arg {
        Expr::Const { bits, width } => mix(bits, width.into()),
        Expr::Term(id) => known.get(&id).copied().unwrap_or(0),
    });
    // The order of operands that may change places says nothing.
    if commutes(node.op) {
        args.fold(0u64, u64::wrapping_add).hash(&mut hasher);
    } else {
        args.for_each(|arg| arg.hash(&mut hasher));
    }
    hasher.finish()
}

/// Whether the operands of an operation may change places.
pub(crate) fn commutes(op: Op) -> bool {
    match op {
        Op::Float(op) => matches!(op, FloatOp::Add(..) | FloatOp::Mul(..) | FloatOp::Eq(_)),
        op => matches!(op, Op::And | Op::Or | Op::Xor | Op::Add | Op::Mul | Op::Eq),
    }
}
