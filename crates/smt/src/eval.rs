//! The value of an expression under an assignment of its symbols.

pub(crate) mod quick;

pub use quick::holds;

use crate::bits::Bits;
use crate::expr::{Expr, FunctionId, Op, SymbolId, TermId, mask};
use crate::fold::{fold, fold_small};
use crate::pool::{Node, Pool};
use rustc_hash::FxHashMap;

/// Values of symbols. What is not assigned is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// Values of at most 64 bits, by symbol.
    small: Vec<u64>,
    /// Values of more than 64 bits.
    wide: FxHashMap<SymbolId, Bits>,
    /// Elements of arrays that are not zero.
    pub arrays: FxHashMap<SymbolId, FxHashMap<u64, Bits>>,
    /// Results of uninterpreted functions.
    pub functions: FxHashMap<FunctionId, FxHashMap<Vec<Bits>, Bits>>,
}

impl Model {
    /// Assigns a value.
    pub fn set(&mut self, symbol: SymbolId, value: &Bits) {
        if value.width <= 64 {
            self.set_small(symbol, value.low());
        } else {
            self.wide.insert(symbol, value.clone());
        }
    }

    /// Assigns a value of at most 64 bits.
    pub fn set_small(&mut self, symbol: SymbolId, value: u64) {
        let index = symbol.0 as usize;
        if value != 0 {
            if index >= self.small.len() {
                self.small.resize(index + 1, 0);
            }
            self.small[index] = value;
        } else if index < self.small.len() {
            self.small[index] = 0;
            // Zeros at the end are left out, so that equal models are equal.
            while self.small.last() == Some(&0) {
                self.small.pop();
            }
        }
    }

    /// Value of a symbol of at most 64 bits.
    pub fn small(&self, symbol: SymbolId) -> u64 {
        self.small.get(symbol.0 as usize).copied().unwrap_or(0)
    }

    /// Value of a symbol of that width.
    pub fn get(&self, symbol: SymbolId, width: u32) -> Bits {
        if width <= 64 {
            return Bits::new(u128::from(self.small(symbol)), width);
        }
        self.wide.get(&symbol).cloned().unwrap_or_else(|| Bits::zero(width))
    }

    /// Takes over what `other` says of a symbol, a value or an array.
    pub fn take_symbol(&mut self, other: &Model, symbol: SymbolId) {
        self.set_small(symbol, other.small(symbol));
        replace(&mut self.wide, &other.wide, symbol);
        replace(&mut self.arrays, &other.arrays, symbol);
    }

    /// Leaves out what is zero, which is what is not assigned is anyway.
    pub(crate) fn drop_zeros(&mut self) {
        self.wide.retain(|_, value| !value.is_zero());
        for elements in self.arrays.values_mut() {
            elements.retain(|_, element| !element.is_zero());
        }
        self.arrays.retain(|_, elements| !elements.is_empty());
        for results in self.functions.values_mut() {
            results.retain(|_, result| !result.is_zero());
        }
        self.functions.retain(|_, results| !results.is_empty());
    }

    /// Takes over what `other` says of a function.
    pub fn take_function(&mut self, other: &Model, function: FunctionId) {
        replace(&mut self.functions, &other.functions, function);
    }
}

fn replace<K: Copy + Eq + std::hash::Hash, V: Clone>(to: &mut FxHashMap<K, V>, from: &FxHashMap<K, V>, key: K) {
    match from.get(&key) {
        Some(value) => {
            to.insert(key, value.clone());
        }
        None => {
            to.remove(&key);
        }
    }
}

/// Evaluates under one model, remembering what it has seen.
pub struct Evaluator<'p> {
    pool: &'p Pool,
    model: &'p Model,
    known: FxHashMap<TermId, Value>,
}

/// What an evaluator has found out.
#[derive(Clone, Debug, Default)]
pub struct Known(FxHashMap<TermId, Value>);

#[derive(Clone, Debug)]
enum Value {
    Small(u64),
    Wide(Bits),
    /// An operation without a value of its own, such as a conversion that does not fit.
    Any,
}

impl<'p> Evaluator<'p> {
    /// An evaluator of that model.
    pub fn new(pool: &'p Pool, model: &'p Model) -> Self {
        Evaluator { pool, model, known: FxHashMap::default() }
    }

    /// An evaluator that knows what another one has found out. The model may have got values for more symbols since, not
    /// other ones for those that it had.
    pub fn knowing(pool: &'p Pool, model: &'p Model, known: Known) -> Self {
        Evaluator { pool, model, known: known.0 }
    }

    /// What it has found out.
    pub fn into_known(self) -> Known {
        Known(self.known)
    }

    /// The value of an expression; `None` if some operation in it may give any.
    pub fn value(&mut self, expr: Expr) -> Option<Bits> {
        self.run(expr);
        self.bits(expr)
    }

    /// The value of an expression of at most 64 bits.
    pub fn small(&mut self, expr: Expr) -> Option<u64> {
        if let Expr::Const { bits, .. } = expr {
            return Some(bits);
        }
        self.run(expr);
        self.small_known(expr)
    }

    /// Whether a truth value holds.
    pub fn holds(&mut self, expr: Expr) -> Option<bool> {
        self.small(expr).map(|value| value == 1)
    }

    /// Evaluates every term below `expr`, deepest first. Expressions can be deep, so the stack is our own.
    fn run(&mut self, expr: Expr) {
        let Expr::Term(root) = expr else { return };
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.known.contains_key(&id) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let node = *self.pool.node(id);
            let mut push = |expr: &Expr| {
                if let Expr::Term(id) = expr
                    && !self.known.contains_key(id)
                    && !is_array(self.pool.node(*id))
                {
                    stack.push(*id);
                }
            };
            match node.op {
                Op::Select => {
                    push(&node.args()[1]);
                    for expr in self.writes(&node) {
                        push(&expr);
                    }
                }
                Op::Apply { args, .. } => self.pool.apply_args(args).iter().for_each(push),
                _ => node.args().iter().for_each(push),
            }
            if stack.len() == before {
                let value = self.compute(&node);
                self.known.insert(id, value);
                stack.pop();
            }
        }
    }

    /// Indices and values of the writes below a read.
    fn writes(&self, read: &Node) -> Vec<Expr> {
        let mut writes = Vec::new();
        let mut array = read.args()[0];
        while let Expr::Term(id) = array {
            let node = self.pool.node(id);
            if node.op != Op::Store {
                break;
            }
            writes.extend(&node.args()[1..]);
            array = node.args()[0];
        }
        writes
    }

    fn compute(&self, node: &Node) -> Value {
        let args = node.args();
        match node.op {
            Op::Symbol(symbol) if node.width <= 64 => Value::Small(self.model.small(symbol)),
            Op::Symbol(symbol) => Value::Wide(self.model.get(symbol, node.width)),
            Op::Wide(index) => Value::Wide(self.pool.wide(index).clone()),
            Op::Ite => match self.small_known(args[0]) {
                Some(1) => self.copy(args[1]),
                Some(_) => self.copy(args[2]),
                None => Value::Any,
            },
            Op::Select => self.read(node),
            Op::Apply { function, args } => {
                let key: Option<Vec<Bits>> = self.pool.apply_args(args).iter().map(|&arg| self.bits(arg)).collect();
                let Some(key) = key else { return Value::Any };
                let result = self.model.functions.get(&function).and_then(|table| table.get(&key));
                wrap(result.cloned().unwrap_or_else(|| Bits::zero(node.width)))
            }
            op => {
                if node.width <= 64
                    && args.len() <= 2
                    && let Some(a) = self.small_known(args[0])
                    && let Some(b) = args.get(1).map_or(Some(0), |&b| self.small_known(b))
                    && let Some(value) = fold_small(op, node.width, self.pool.width(args[0]), a, b)
                {
                    return Value::Small(value);
                }
                // What one side decides holds whatever the other is: a number that does not fit is nothing in particular.
                if let Some(decided) = self.decided_by_one(op, node.width, args) {
                    return decided;
                }
                let known: Option<Vec<Bits>> = args.iter().map(|&arg| self.bits(arg)).collect();
                known.and_then(|known| fold(op, node.width, &known)).map_or(Value::Any, wrap)
            }
        }
    }

    /// A conjunction with a zero, or a disjunction with all ones.
    fn decided_by_one(&self, op: Op, width: u32, args: &[Expr]) -> Option<Value> {
        let decisive = match op {
            Op::And => 0,
            Op::Or if width <= 64 => mask(width),
            _ => return None,
        };
        let decides = args.iter().any(|&arg| width <= 64 && self.small_known(arg) == Some(decisive));
        decides.then_some(Value::Small(decisive))
    }

    fn read(&self, node: &Node) -> Value {
        let (mut array, Some(index)) = (node.args()[0], self.small_known(node.args()[1])) else { return Value::Any };
        while let Expr::Term(id) = array {
            let below = self.pool.node(id);
            match below.op {
                Op::Store => match self.small_known(below.args()[1]) {
                    Some(at) if at == index => return self.copy(below.args()[2]),
                    Some(_) => array = below.args()[0],
                    None => return Value::Any,
                },
                Op::ArrayTable(table) => {
                    let element = usize::try_from(index).ok().and_then(|at| self.pool.table(table).get(at));
                    return Value::Small(element.copied().unwrap_or(0));
                }
                Op::ArraySymbol(symbol) => {
                    let element = self.model.arrays.get(&symbol).and_then(|elements| elements.get(&index));
                    return wrap(element.cloned().unwrap_or_else(|| Bits::zero(node.width)));
                }
                _ => return Value::Any,
            }
        }
        Value::Any
    }

    fn copy(&self, expr: Expr) -> Value {
        match expr {
            Expr::Const { bits, .. } => Value::Small(bits),
            Expr::Term(id) => self.known.get(&id).cloned().unwrap_or(Value::Any),
        }
    }

    fn small_known(&self, expr: Expr) -> Option<u64> {
        match expr {
            Expr::Const { bits, .. } => Some(bits),
            Expr::Term(id) => match self.known.get(&id)? {
                Value::Small(bits) => Some(*bits),
                _ => None,
            },
        }
    }

    fn bits(&self, expr: Expr) -> Option<Bits> {
        match expr {
            Expr::Const { bits, width } => Some(Bits::new(u128::from(bits), width)),
            Expr::Term(id) => match self.known.get(&id)? {
                Value::Small(bits) => Some(Bits::new(u128::from(*bits), self.pool.node(id).width)),
                Value::Wide(bits) => Some(bits.clone()),
                Value::Any => None,
            },
        }
    }
}

fn wrap(bits: Bits) -> Value {
    if bits.width <= 64 { Value::Small(bits.low()) } else { Value::Wide(bits) }
}

fn is_array(node: &Node) -> bool {
    matches!(node.op, Op::ArraySymbol(_) | Op::ArrayTable(_) | Op::Store)
}
