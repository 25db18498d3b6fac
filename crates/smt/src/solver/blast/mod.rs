//! The bit-blaster: bit-vectors as gates, gates as clauses, clauses to an incremental SAT solver.
//!
//! Each term becomes gates once and stays; a question assumes the literals of its constraints. So what
//! the SAT solver learns serves all later questions, and nothing is ever pushed or popped. Arrays and
//! uninterpreted functions become equal results for equal arguments (Ackermann), known tables become
//! trees of choices. Floats are not known here.

mod arith;
mod gates;
mod memory;
mod several;
#[cfg(test)]
mod tests;

pub use several::Blasters;

use crate::bits::Bits;
use crate::eval::Model;
use crate::expr::{Expr, Op, SymbolId, TermId};
use crate::pool::{Node, Pool};
use crate::solver::{Answer, Limits, Reason, Solver};
use batsat::{Callbacks, Lit, SolverInterface, SolverOpts, lbool};
use gates::Gates;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;

/// The bits of a value, the least significant first.
type Word = Box<[Lit]>;

/// A bit-blaster with all that it has learnt so far. It belongs to one pool.
pub struct Blaster {
    gates: Gates<Budget>,
    words: FxHashMap<TermId, Word>,
    /// How many gates were made for each term.
    sizes: FxHashMap<TermId, u32>,
    /// Terms that cannot be blasted, so that they are not tried again.
    unsupported: FxHashSet<TermId>,
    reads: memory::Reads,
}

/// Most gates that are made for one question, whatever its limit: they take 600 MB, and searches over more do not end in
/// reasonable time.
const MOST_GATES: usize = 2_000_000;

/// Steps between two looks at the clock.
const LOOKS_AT_CLOCK: u32 = 256;

/// Stops the SAT solver when a question has cost enough.
#[derive(Default)]
struct Budget {
    conflicts: Cell<u64>,
    limits: Limits,
    /// How often it was asked whether to stop.
    asked: Cell<u32>,
    /// Once it has said so it stays with it: a search that stops asks once more before it gives up.
    stopped: Cell<bool>,
}

impl Callbacks for Budget {
    fn on_new_clause(&mut self, _: &[Lit], _: batsat::clause::Kind) {
        self.conflicts.set(self.conflicts.get() + 1);
    }

    fn stop(&self) -> bool {
        let asked = self.asked.get().wrapping_add(1);
        self.asked.set(asked);
        let over = asked.is_multiple_of(LOOKS_AT_CLOCK) && self.limits.is_over();
        if over || self.conflicts.get() > self.limits.conflicts {
            self.stopped.set(true);
        }
        self.stopped.get()
    }
}

impl Default for Blaster {
    fn default() -> Self {
        Blaster::new()
    }
}

impl Blaster {
    /// A blaster that has seen nothing.
    pub fn new() -> Blaster {
        let solver = batsat::Solver::new(SolverOpts::default(), Budget::default());
        Blaster {
            gates: Gates::new(solver),
            words: FxHashMap::default(),
            sizes: FxHashMap::default(),
            unsupported: FxHashSet::default(),
            reads: memory::Reads::default(),
        }
    }

    /// How many gates it holds.
    pub fn gates(&self) -> usize {
        self.gates.count()
    }

    /// How many of the gates are for terms below the constraints.
    fn known_gates(&self, pool: &Pool, constraints: &[Expr]) -> usize {
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut stack: Vec<Expr> = constraints.to_vec();
        let mut known = 0;
        while let Some(expr) = stack.pop() {
            let Expr::Term(id) = expr else { continue };
            if !seen.insert(id) {
                continue;
            }
            known += self.sizes.get(&id).map_or(0, |&size| size as usize);
            let node = pool.node(id);
            match node.op {
                Op::Apply { args, .. } => stack.extend(pool.apply_args(args)),
                _ => stack.extend(node.args()),
            }
        }
        known
    }

    /// The bits of an expression, its terms blasted as far as they were not; `None` if something in it is unknown here.
    fn word(&mut self, pool: &Pool, expr: Expr, limits: Limits) -> Result<Word, Reason> {
        let Expr::Term(root) = expr else { return Ok(self.known(pool, expr)) };
        // Expressions can be deep, so the stack is our own.
        let mut stack = vec![root];
        let mut looks = 0u32;
        while let Some(&id) = stack.last() {
            if self.unsupported.contains(&id) {
                self.unsupported.extend(stack);
                return Err(Reason::Unsupported);
            }
            if self.words.contains_key(&id) {
                stack.pop();
                continue;
            }
            looks = looks.wrapping_add(1);
            if self.gates.count() > limits.gates || (looks.is_multiple_of(LOOKS_AT_CLOCK) && limits.is_over()) {
                return Err(Reason::Limit);
            }
            let node = *pool.node(id);
            let before = stack.len();
            let mut push = |expr: Expr| {
                if let Expr::Term(id) = expr
                    && !self.words.contains_key(&id)
                {
                    stack.push(id);
                }
            };
            match node.op {
                Op::Select => memory::operands(pool, &node).into_iter().for_each(push),
                Op::Apply { args, .. } => pool.apply_args(args).iter().copied().for_each(push),
                _ => node.args().iter().copied().for_each(&mut push),
            }
            if stack.len() > before {
                continue;
            }
            // One term may be more than all others together, so what it takes is asked before it is made.
            if self.gates.count().saturating_add(self.cost(pool, &node)) > limits.gates {
                return Err(Reason::Limit);
            }
            let before = self.gates.count();
            match self.blast(pool, &node) {
                Some(mut word) => {
                    self.put_facts(pool, id, &mut word);
                    self.words.insert(id, word);
                    self.sizes.insert(id, (self.gates.count() - before) as u32);
                    stack.pop();
                }
                None => {
                    self.unsupported.insert(id);
                }
            }
        }
        Ok(self.known(pool, expr))
    }

    /// Bits of a term that are the same whatever its symbols are become constants: what is made of them gets smaller.
    fn put_facts(&self, pool: &Pool, id: TermId, word: &mut Word) {
        if word.len() > 64 {
            return;
        }
        let facts = pool.facts(Expr::Term(id));
        let used = 64 - facts.high.leading_zeros() as usize;
        for (at, lit) in word.iter_mut().enumerate() {
            if at >= used || facts.zeros >> at & 1 == 1 {
                *lit = self.gates.constant(false);
            } else if facts.ones >> at & 1 == 1 {
                *lit = self.gates.constant(true);
            }
        }
    }

    /// The bits of a constant, or of a term that is blasted already.
    fn known(&self, pool: &Pool, expr: Expr) -> Word {
        match expr {
            Expr::Const { bits, width } => (0..width).map(|i| self.gates.constant(bits >> i & 1 == 1)).collect(),
            Expr::Term(id) => match self.words.get(&id) {
                Some(word) => word.clone(),
                None => (0..pool.width(expr)).map(|_| self.gates.constant(false)).collect(),
            },
        }
    }

    /// About how many gates a term takes at most, its operands not counted.
    fn cost(&self, pool: &Pool, node: &Node) -> usize {
        let width = node.args().first().map_or(node.width, |&arg| pool.width(arg)).max(node.width) as usize;
        let arg = |at: usize| node.args().get(at).map(|&arg| self.known(pool, arg)).unwrap_or_default();
        match node.op {
            Op::Mul => self.gates.cost_of_product(&arg(0), &arg(1)),
            Op::UDiv | Op::URem | Op::SDiv | Op::SRem => self.gates.cost_of_quotient(&arg(0), &arg(1)),
            Op::Shl | Op::LShr | Op::AShr => width.saturating_mul(2 + width.ilog2() as usize),
            Op::Select => memory::cost(pool, node),
            _ => width.saturating_mul(8),
        }
    }

    fn blast(&mut self, pool: &Pool, node: &Node) -> Option<Word> {
        let args: Vec<Word> = match node.op {
            Op::Select | Op::Apply { .. } => Vec::new(),
            _ => node.args().iter().map(|&arg| self.known(pool, arg)).collect(),
        };
        let gates = &mut self.gates;
        let one = |lit: Lit| -> Word { [lit].into() };
        Some(match node.op {
            Op::Symbol(_) => (0..node.width).map(|_| gates.fresh()).collect(),
            Op::Wide(index) => {
                let bits = pool.wide(index);
                (0..node.width).map(|i| gates.constant(bits.bit(i))).collect()
            }
            Op::Not => args[0].iter().map(|&lit| !lit).collect(),
            Op::Neg => gates.negate(&args[0]),
            Op::And => gates.zip(&args[0], &args[1], Gates::and),
            Op::Or => gates.zip(&args[0], &args[1], Gates::or),
            Op::Xor => gates.zip(&args[0], &args[1], Gates::xor),
            Op::Add => gates.add(&args[0], &args[1]),
            Op::Sub => gates.subtract(&args[0], &args[1]),
            Op::Mul => gates.multiply(&args[0], &args[1]),
            Op::UDiv => gates.divide(&args[0], &args[1], is_not_zero(pool, node)).0,
            Op::URem => gates.divide(&args[0], &args[1], is_not_zero(pool, node)).1,
            Op::SDiv => gates.signed_divide(&args[0], &args[1], is_not_zero(pool, node)).0,
            Op::SRem => gates.signed_divide(&args[0], &args[1], is_not_zero(pool, node)).1,
            Op::Shl => gates.shift_left(&args[0], &args[1]),
            Op::LShr => {
                let zero = gates.constant(false);
                gates.shift_right(&args[0], &args[1], zero)
            }
            Op::AShr => {
                let sign = args[0][args[0].len() - 1];
                gates.shift_right(&args[0], &args[1], sign)
            }
            Op::Eq => one(gates.equal(&args[0], &args[1])),
            Op::Ult => one(gates.less(&args[0], &args[1])),
            Op::Ule => one(!gates.less(&args[1], &args[0])),
            Op::Slt => one(gates.signed_less(&args[0], &args[1])),
            Op::Sle => one(!gates.signed_less(&args[1], &args[0])),
            Op::Ite => {
                let condition = args[0][0];
                gates.zip(&args[1], &args[2], |gates, then, otherwise| gates.choose(condition, then, otherwise))
            }
            Op::Concat => args[1].iter().chain(args[0].iter()).copied().collect(),
            Op::Extract { low } => {
                let low = low as usize;
                args[0][low..low + node.width as usize].into()
            }
            Op::ZExt | Op::SExt => {
                let fill = if node.op == Op::ZExt { gates.constant(false) } else { args[0][args[0].len() - 1] };
                (0..node.width as usize).map(|i| args[0].get(i).copied().unwrap_or(fill)).collect()
            }
            Op::Select => self.read(pool, node)?,
            Op::Apply { function, args } => self.apply(pool, function, args, node.width),
            // Arrays are looked at through their reads only.
            Op::ArraySymbol(_) | Op::ArrayTable(_) | Op::Store => [].into(),
            Op::Float(_) => return None,
        })
    }

    /// The values that the SAT solver chose for the symbols below the constraints.
    fn model(&self, pool: &Pool, constraints: &[Expr]) -> Model {
        let mut model = Model::default();
        let mut seen = FxHashSet::default();
        let mut stack: Vec<Expr> = constraints.to_vec();
        while let Some(expr) = stack.pop() {
            let Expr::Term(id) = expr else { continue };
            if !seen.insert(id) {
                continue;
            }
            let node = pool.node(id);
            match node.op {
                Op::Symbol(symbol) => {
                    if let Some(word) = self.words.get(&id) {
                        model.set(symbol, &self.value(word));
                    }
                }
                Op::Apply { args, .. } => stack.extend(pool.apply_args(args)),
                _ => stack.extend(node.args()),
            }
        }
        self.add_memory(pool, &mut model, &seen);
        model
    }

    fn value(&self, word: &[Lit]) -> Bits {
        let mut bits = Bits::zero(word.len() as u32);
        for (i, &lit) in word.iter().enumerate() {
            if self.gates.solver.value_lit(lit) == lbool::TRUE {
                bits.words[i / 64] |= 1 << (i % 64);
            }
        }
        bits
    }
}

impl Solver for Blaster {
    fn check(&mut self, pool: &Pool, constraints: &[Expr], limits: Limits) -> Answer {
        let limits = Limits { gates: limits.gates.min(self.gates.count().saturating_add(MOST_GATES)), ..limits };
        let mut assumptions = Vec::with_capacity(constraints.len());
        for &constraint in constraints {
            match self.word(pool, constraint, limits) {
                Ok(word) => assumptions.extend(word.first()),
                Err(reason) => return Answer::Unknown(reason),
            }
        }
        let budget = self.gates.solver.cb_mut();
        budget.conflicts.set(0);
        budget.limits = limits;
        budget.stopped.set(false);
        match self.gates.solver.solve_limited(&assumptions) {
            result if result == lbool::TRUE => Answer::Sat(self.model(pool, constraints)),
            result if result == lbool::FALSE => Answer::Unsat,
            _ => Answer::Unknown(Reason::Limit),
        }
    }

    fn name(&self) -> &'static str {
        "blaster"
    }

    fn fresh(&self) -> Option<Box<dyn Solver>> {
        Some(Box::new(Blaster::new()))
    }
}

/// The symbol that an array term is, if it is one.
fn array_symbol(pool: &Pool, array: TermId) -> Option<SymbolId> {
    match pool.node(array).op {
        Op::ArraySymbol(symbol) => Some(symbol),
        _ => None,
    }
}

/// Whether the divisor of a division is not zero, whatever its symbols are.
fn is_not_zero(pool: &Pool, division: &Node) -> bool {
    let divisor = division.args()[1];
    division.width <= 64 && pool.facts(divisor).low > 0
}
