//! The smallest values by search: no SAT solver, no new terms, and the same answer whatever was asked before.
//!
//! Symbols get values one after the other, each the first in the order of [`small`] that the constraints still allow.
//! After every choice ranges and known bits are carried through the constraints, from operands to results
//! and back (as constraint solvers over finite domains do), so that a wrong choice shows early. What the
//! search finds is *the* smallest solution, not just one: symbol by symbol in the order given. It gives up when
//! that takes more than its budget, which simple constraints never do.

mod domain;
pub mod small;
mod step;
#[cfg(test)]
mod tests;

use crate::eval::Model;
use crate::eval::quick::holds;
use crate::expr::{Expr, Op, SymbolId, TermId};
use crate::pool::{Node, Pool, Reading};
use domain::Domain;
use step::{backward, forward};

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The smallest values, in the order of the symbols.
    Values(Vec<u64>),
    /// There are none.
    Nothing,
    /// It takes too long, or an operation is not known here.
    GaveUp,
}

/// Room that searches use one after the other.
#[derive(Default)]
pub struct Search {
    /// Where each term of the pool is in `steps`, with the number of the search that said so.
    places: Vec<(u32, u32)>,
    round: u32,
    steps: Vec<Step>,
    /// `parents` of a step are at these positions.
    parents_from: Vec<u32>,
    parents: Vec<u32>,
    domains: Vec<Domain>,
    /// What domains were before they changed, for the way back.
    trail: Vec<(u32, Domain)>,
    waiting: Vec<u32>,
    is_waiting: Vec<bool>,
    /// How many steps may still be looked at.
    budget: u64,
}

/// A term or a constant of the constraints.
#[derive(Clone, Copy)]
struct Step {
    op: Op,
    width: u32,
    args: [u32; 3],
    count: u32,
}

/// More terms than this are left to solvers.
const MAX_STEPS: usize = 3000;

/// Reads below more writes than this are left to solvers.
const MAX_WRITES: usize = 64;

/// A symbol that gets a value.
#[derive(Clone, Copy, Debug)]
pub struct Unknown {
    /// Symbol.
    pub symbol: SymbolId,
    /// Where it is in the pool.
    pub term: TermId,
    /// How people read it.
    pub reading: Reading,
}

impl Search {
    /// The smallest values of `unknowns`, which are all symbols of the constraints.
    pub fn run(&mut self, pool: &Pool, constraints: &[Expr], unknowns: &[Unknown], budget: u64) -> Found {
        self.budget = budget;
        if !self.compile(pool, constraints) {
            return Found::GaveUp;
        }
        for &constraint in constraints {
            let Expr::Term(id) = constraint else {
                match constraint.is_true() {
                    true => continue,
                    false => return Found::Nothing,
                }
            };
            let place = self.places[id.index()].1;
            self.narrow(place, Domain::one(1, 1));
        }
        // Every step once, so that constants and tables are known to those above them.
        for place in (0..self.steps.len() as u32).rev() {
            self.wait(place);
        }
        match self.propagate(pool) {
            Some(true) => self.choose(pool, constraints, unknowns),
            Some(false) => Found::Nothing,
            None => Found::GaveUp,
        }
    }

    /// Depth first over the symbols.
    fn choose(&mut self, pool: &Pool, constraints: &[Expr], unknowns: &[Unknown]) -> Found {
        let mut chosen: Vec<u64> = Vec::with_capacity(unknowns.len());
        let mut marks: Vec<usize> = Vec::with_capacity(unknowns.len());
        // The value to go on after, if the last one did not do.
        let mut after: Option<u64> = None;
        // Whether something was passed over that is not known to be wrong.
        let mut unsure = false;
        loop {
            let Some(unknown) = unknowns.get(chosen.len()) else {
                match verify(pool, constraints, unknowns, &chosen) {
                    Some(true) => return Found::Values(chosen),
                    Some(false) => {}
                    None => unsure = true,
                }
                let (Some(value), Some(mark)) = (chosen.pop(), marks.pop()) else {
                    return if unsure { Found::GaveUp } else { Found::Nothing };
                };
                self.back_to(mark);
                after = Some(value);
                continue;
            };
            let place = self.place(unknown.term);
            let domain = match place {
                Some(place) => self.domains[place as usize],
                None => Domain::all(pool.node(unknown.term).width),
            };
            let Some(value) = small::next(unknown.reading, &domain, after, &mut self.budget) else {
                if self.budget == 0 {
                    return Found::GaveUp;
                }
                let (Some(value), Some(mark)) = (chosen.pop(), marks.pop()) else {
                    return if unsure { Found::GaveUp } else { Found::Nothing };
                };
                self.back_to(mark);
                after = Some(value);
                continue;
            };
            let mark = self.trail.len();
            if let Some(place) = place {
                self.narrow(place, Domain::one(value, domain.width));
                match self.propagate(pool) {
                    Some(true) => {}
                    Some(false) => {
                        self.back_to(mark);
                        after = Some(value);
                        continue;
                    }
                    None => return Found::GaveUp,
                }
            }
            chosen.push(value);
            marks.push(mark);
            after = None;
        }
    }

    fn place(&self, term: TermId) -> Option<u32> {
        let (round, place) = *self.places.get(term.index())?;
        (round == self.round).then_some(place)
    }

    /// Puts the terms below the constraints in order, operands first; false if something in them is not known here.
    fn compile(&mut self, pool: &Pool, constraints: &[Expr]) -> bool {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.places.clear();
            self.round = 1;
        }
        self.places.resize(self.places.len().max(pool.len()), (0, 0));
        self.steps.clear();
        self.domains.clear();
        self.trail.clear();
        self.waiting.clear();
        let mut stack: Vec<TermId> = Vec::new();
        for &constraint in constraints {
            let Expr::Term(root) = constraint else { continue };
            stack.push(root);
            while let Some(&id) = stack.last() {
                if self.place(id).is_some() {
                    stack.pop();
                    continue;
                }
                let node = *pool.node(id);
                let mut writes = Vec::new();
                let args = match node.op {
                    Op::Select => match writes_over_table(pool, &node, &mut writes) {
                        true => &node.args()[1..],
                        false => return false,
                    },
                    // Of arrays only reads are followed, and only where a table is below them.
                    Op::Store | Op::ArraySymbol(_) | Op::ArrayTable(_) | Op::Apply { .. } | Op::Wide(_) => {
                        return false;
                    }
                    _ => node.args(),
                };
                if node.width > 64 || self.steps.len() > MAX_STEPS {
                    return false;
                }
                let before = stack.len();
                for arg in args.iter().chain(writes.iter().flat_map(|(index, value)| [index, value])) {
                    if let Expr::Term(id) = *arg
                        && self.place(id).is_none()
                    {
                        stack.push(id);
                    }
                }
                if stack.len() > before {
                    continue;
                }
                let mut places = [0; 3];
                for (place, &arg) in places.iter_mut().zip(args) {
                    *place = self.operand(arg);
                }
                // A read knows its table by the pool, so its place is kept where no operand is.
                if node.op == Op::Select {
                    places[1] = id.index() as u32;
                }
                let step = Step { op: node.op, width: node.width, args: places, count: args.len() as u32 };
                let mut place = self.push(step, Domain::all(node.width));
                // A write is a choice between what it wrote and what was there; the oldest one is the lowest.
                for &(at, value) in writes.iter().rev() {
                    let (at, value) = (self.operand(at), self.operand(value));
                    let here = Step { op: Op::Eq, width: 1, args: [at, places[0], 0], count: 2 };
                    let here = self.push(here, Domain::all(1));
                    let choice = Step { op: Op::Ite, width: node.width, args: [here, value, place], count: 3 };
                    place = self.push(choice, Domain::all(node.width));
                }
                self.places[id.index()] = (self.round, place);
                stack.pop();
            }
        }
        self.link();
        true
    }

    /// Where an operand is; a constant gets a place of its own.
    fn operand(&mut self, expr: Expr) -> u32 {
        match expr {
            Expr::Term(id) => self.places[id.index()].1,
            Expr::Const { bits, width } => {
                let constant = Step { op: Op::Wide(0), width, args: [0; 3], count: 0 };
                self.push(constant, Domain::one(bits, width))
            }
        }
    }

    fn push(&mut self, step: Step, domain: Domain) -> u32 {
        self.steps.push(step);
        self.domains.push(domain);
        self.steps.len() as u32 - 1
    }

    /// Who uses which step.
    fn link(&mut self) {
        let count = self.steps.len();
        self.is_waiting.clear();
        self.is_waiting.resize(count, false);
        self.parents_from.clear();
        self.parents_from.resize(count + 1, 0);
        for step in &self.steps {
            for &arg in &step.args[..step.count as usize] {
                self.parents_from[arg as usize + 1] += 1;
            }
        }
        for i in 0..count {
            self.parents_from[i + 1] += self.parents_from[i];
        }
        self.parents.clear();
        self.parents.resize(self.parents_from[count] as usize, 0);
        let mut next = self.parents_from.clone();
        for (place, step) in self.steps.iter().enumerate() {
            for &arg in &step.args[..step.count as usize] {
                self.parents[next[arg as usize] as usize] = place as u32;
                next[arg as usize] += 1;
            }
        }
    }

    fn wait(&mut self, place: u32) {
        if !std::mem::replace(&mut self.is_waiting[place as usize], true) {
            self.waiting.push(place);
        }
    }

    /// Takes away what `domain` does not have.
    fn narrow(&mut self, place: u32, domain: Domain) -> bool {
        let old = self.domains[place as usize];
        let new = old.common(&domain);
        if new == old {
            return true;
        }
        let new = new.settled();
        self.trail.push((place, old));
        self.domains[place as usize] = new;
        if new.is_empty() {
            return false;
        }
        self.wait(place);
        for at in self.parents_from[place as usize]..self.parents_from[place as usize + 1] {
            self.wait(self.parents[at as usize]);
        }
        true
    }

    /// Carries what is known through all steps that it concerns: whether values may be left, nothing if that takes
    /// too long.
    fn propagate(&mut self, pool: &Pool) -> Option<bool> {
        // Ranges can shrink in tiny steps for a long time; what is not seen by then is seen later.
        let mut most = 4 * self.steps.len() as u64 + 64;
        while let Some(place) = self.waiting.pop() {
            self.is_waiting[place as usize] = false;
            if most == 0 {
                continue;
            }
            most -= 1;
            self.budget = self.budget.saturating_sub(1);
            if self.budget == 0 {
                self.forget_waiting();
                return None;
            }
            if !self.revise(pool, place) {
                self.forget_waiting();
                return Some(false);
            }
        }
        Some(true)
    }

    fn forget_waiting(&mut self) {
        while let Some(place) = self.waiting.pop() {
            self.is_waiting[place as usize] = false;
        }
    }

    /// Lets a step and its operands tell of each other; false if no value is left.
    fn revise(&mut self, pool: &Pool, place: u32) -> bool {
        let Step { op, width, args, count } = self.steps[place as usize];
        if count == 0 {
            return !self.domains[place as usize].is_empty();
        }
        let operand = |search: &Search, at: u32| match at < count {
            true => search.domains[args[at as usize] as usize],
            false => Domain::one(0, 1),
        };
        let (a, b, c) = (operand(self, 0), operand(self, 1), operand(self, 2));
        let result = match op {
            Op::Select => read(pool, args[1], &a, width),
            _ => forward(op, width, &a, &b, &c, count as usize),
        };
        if !self.narrow(place, result) {
            return false;
        }
        if op == Op::Select {
            return true;
        }
        let back = backward(op, &self.domains[place as usize], &a, &b, &c);
        (0..count as usize).all(|at| self.narrow(args[at], back[at]))
    }

    fn back_to(&mut self, mark: usize) {
        while self.trail.len() > mark {
            if let Some((place, domain)) = self.trail.pop() {
                self.domains[place as usize] = domain;
            }
        }
    }
}

/// Whether a read is of a known table, perhaps below a few writes, which are found, the last one first.
fn writes_over_table(pool: &Pool, read: &Node, writes: &mut Vec<(Expr, Expr)>) -> bool {
    let mut array = read.args()[0];
    while let Expr::Term(id) = array {
        let node = pool.node(id);
        match node.op {
            Op::Store if writes.len() < MAX_WRITES => {
                writes.push((node.args()[1], node.args()[2]));
                array = node.args()[0];
            }
            Op::ArrayTable(_) => return true,
            _ => return false,
        }
    }
    false
}

/// The table below the writes that a read may see.
fn table_below(pool: &Pool, read: TermId) -> Option<u32> {
    let mut array = *pool.node(read).args().first()?;
    while let Expr::Term(id) = array {
        let node = pool.node(id);
        match node.op {
            Op::Store => array = node.args()[0],
            Op::ArrayTable(table) => return Some(table),
            _ => return None,
        }
    }
    None
}

/// The element of a table at an index.
fn read(pool: &Pool, select: u32, index: &Domain, width: u32) -> Domain {
    let Some(table) = table_below(pool, TermId::from_index(select as usize)) else { return Domain::all(width) };
    let table = pool.table(table);
    let length = table.len() as u64;
    // Few places are looked at one by one.
    if index.low < length && index.high - index.low < 64 {
        let mut found: Option<Domain> = None;
        for at in (index.low..=index.high).filter(|&at| index.contains(at)) {
            let element = table.get(at as usize).copied().unwrap_or(0);
            let element = Domain::one(element, width);
            found = Some(found.map_or(element, |found| found.join(&element)));
        }
        return found.unwrap_or(Domain::all(width));
    }
    if index.low >= length {
        return Domain::one(0, width);
    }
    Domain::all(width)
}

/// Whether values satisfy all constraints, by evaluation.
fn verify(pool: &Pool, constraints: &[Expr], unknowns: &[Unknown], values: &[u64]) -> Option<bool> {
    let mut model = Model::default();
    for (unknown, &value) in unknowns.iter().zip(values) {
        model.set_small(unknown.symbol, value);
    }
    let mut unsure = false;
    for &constraint in constraints {
        match holds(pool, &model, constraint) {
            Some(true) => {}
            Some(false) => return Some(false),
            None => unsure = true,
        }
    }
    (!unsure).then_some(true)
}
