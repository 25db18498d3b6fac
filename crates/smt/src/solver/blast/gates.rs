//! Gates, each built once, as clauses of a SAT solver.

use batsat::{Callbacks, Lit, Solver, SolverInterface};
use rustc_hash::FxHashMap;

/// The gates of a SAT solver.
pub struct Gates<C: Callbacks> {
    /// The SAT solver.
    pub solver: Solver<C>,
    truth: Lit,
    ands: FxHashMap<(Lit, Lit), Lit>,
    xors: FxHashMap<(Lit, Lit), Lit>,
    choices: FxHashMap<(Lit, Lit, Lit), Lit>,
    clause: Vec<Lit>,
}

impl<C: Callbacks> Gates<C> {
    /// Gates of a SAT solver that has none.
    pub fn new(mut solver: Solver<C>) -> Self {
        let truth = Lit::new(solver.new_var_default(), true);
        solver.add_clause_reuse(&mut vec![truth]);
        Gates {
            solver,
            truth,
            ands: FxHashMap::default(),
            xors: FxHashMap::default(),
            choices: FxHashMap::default(),
            clause: Vec::new(),
        }
    }

    /// How many gates and inputs there are.
    pub fn count(&self) -> usize {
        self.solver.num_vars() as usize
    }

    /// True or false.
    pub fn constant(&self, value: bool) -> Lit {
        if value { self.truth } else { !self.truth }
    }

    /// A literal that nothing is known of.
    pub fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    /// Adds a clause that holds always.
    pub fn require(&mut self, clause: &[Lit]) {
        self.clause.clear();
        self.clause.extend_from_slice(clause);
        self.solver.add_clause_reuse(&mut self.clause);
    }

    fn is_true(&self, lit: Lit) -> bool {
        lit == self.truth
    }

    fn is_false(&self, lit: Lit) -> bool {
        lit == !self.truth
    }

    /// Both.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        if self.is_false(a) || self.is_false(b) || a == !b {
            return self.constant(false);
        }
        if self.is_true(a) || a == b {
            return b;
        }
        if self.is_true(b) {
            return a;
        }
        let key = if a.idx() < b.idx() { (a, b) } else { (b, a) };
        if let Some(&gate) = self.ands.get(&key) {
            return gate;
        }
        let gate = self.fresh();
        self.require(&[!gate, a]);
        self.require(&[!gate, b]);
        self.require(&[gate, !a, !b]);
        self.ands.insert(key, gate);
        gate
    }

    /// Either.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// Exactly one.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        if self.is_false(a) {
            return b;
        }
        if self.is_false(b) {
            return a;
        }
        if self.is_true(a) {
            return !b;
        }
        if self.is_true(b) {
            return !a;
        }
        if a.var() == b.var() {
            return self.constant(a != b);
        }
        // Signs go outside, so one gate serves four.
        let flip = a.sign() != b.sign();
        let (x, y) = (Lit::new(a.var(), true), Lit::new(b.var(), true));
        let key = if x.idx() < y.idx() { (x, y) } else { (y, x) };
        let gate = match self.xors.get(&key) {
            Some(&gate) => gate,
            None => {
                let gate = self.fresh();
                self.require(&[!gate, x, y]);
                self.require(&[!gate, !x, !y]);
                self.require(&[gate, !x, y]);
                self.require(&[gate, x, !y]);
                self.xors.insert(key, gate);
                gate
            }
        };
        if flip { !gate } else { gate }
    }

    /// `then` if the condition holds, else `otherwise`.
    pub fn choose(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        if self.is_true(condition) || then == otherwise {
            return then;
        }
        if self.is_false(condition) {
            return otherwise;
        }
        if self.is_true(then) || then == condition {
            return self.or(condition, otherwise);
        }
        if self.is_false(then) || then == !condition {
            return self.and(!condition, otherwise);
        }
        if self.is_true(otherwise) || otherwise == !condition {
            return self.or(!condition, then);
        }
        if self.is_false(otherwise) || otherwise == condition {
            return self.and(condition, then);
        }
        if then == !otherwise {
            return !self.xor(condition, then);
        }
        if !condition.sign() {
            return self.choose(!condition, otherwise, then);
        }
        let key = (condition, then, otherwise);
        if let Some(&gate) = self.choices.get(&key) {
            return gate;
        }
        let gate = self.fresh();
        self.require(&[!condition, !then, gate]);
        self.require(&[!condition, then, !gate]);
        self.require(&[condition, !otherwise, gate]);
        self.require(&[condition, otherwise, !gate]);
        // Not needed for truth, but lets the solver see more at once.
        self.require(&[!then, !otherwise, gate]);
        self.require(&[then, otherwise, !gate]);
        self.choices.insert(key, gate);
        gate
    }

    /// At least two of three.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let (either, both) = (self.or(a, b), self.and(a, b));
        let through = self.and(either, c);
        self.or(both, through)
    }

    /// Bit by bit.
    pub fn zip(&mut self, a: &[Lit], b: &[Lit], gate: impl Fn(&mut Self, Lit, Lit) -> Lit) -> Box<[Lit]> {
        a.iter().zip(b).map(|(&a, &b)| gate(self, a, b)).collect()
    }
}
