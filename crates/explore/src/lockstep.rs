//! A proof that two versions do the same, however often their loops go round.
//!
//! Relational induction: regression verification (Godlin and Strichman 2009) for loops, as in Rêve (Felsing et al. 2014,
//! section 4). Both versions are cut at the heads of their loops, and a *place* is a pair of such heads that the versions
//! come to together. What holds at a place is a set of equalities between variables of both versions, the largest that
//! survives: it begins with those that hold when the place is first reached, and loses what a further round does not keep.
//! From every place, with any values that fulfil its equalities, both versions are followed to the next heads or to their
//! ends; they have to get to the same place or to the same end. Then they do the same in lockstep, for any number of
//! rounds; if one does not end, neither does the other.
//!
//! The same rule covers recursion: a call of the function that is looked at is one and the same unknown function in both
//! versions, as long as both make the same calls in the same order.
//!
//! Deviations from Rêve: no invariants but equalities, values that never change, and what a value is computed from; heads
//! are paired as the versions come to them; paths are not asked whether any input takes them unless the proof would fail on
//! them, which spares the solver floats. Functions may read memory of others but not write it; of their own memory (`lockstep/own.rs`)
//! a place knows which bytes never change, and which are the same in both versions. Nothing is concluded from a proof that fails.

mod own;

use crate::options::Options;
use crate::pair::{granted, uncaught};
use evidence::Assumption;
use exec::code::{Inst, Op};
use exec::entry::Entry;
use exec::inputs::Bounds;
use exec::program::Program;
use exec::run::{Shares, Worker};
use exec::same;
use exec::state::{Choice, ChoiceKind, End, RemarkKind, SharedCall, State, Stop};
use exec::step::execute;
use exec::value::{ObjectId, Pointer, Value};
use ir::id::FuncId;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::bits::Bits;
use smt::eval::{Evaluator, Model};
use smt::expr::{Expr, SymbolId};
use smt::pool::polynomial::normal;
use smt::solver::chain::{Chain, Path};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// What a proof holds for.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// Bounds that it needs; none if it holds for all inputs.
    pub scope: BTreeSet<Assumption>,
    /// Pairs of paths that were compared.
    pub pairs: u64,
}

/// Proves that two functions, which write no memory, do the same. `recursive` says that they compute a number out of
/// numbers and nothing else, so that calls of themselves can be taken to be the same.
///
/// Functions that both share are entered if they have no loops, and only if that is no proof they are not.
pub fn prove(
    program: &Program,
    versions: [FuncId; 2],
    recursive: bool,
    options: &Options,
    bounds: &Bounds,
    chain: impl Fn() -> Chain,
) -> Option<Proof> {
    let first = prove_with(Shares::Loops, program, versions, recursive, options, bounds, chain());
    first.or_else(|| prove_with(Shares::All, program, versions, recursive, options, bounds, chain()))
}

fn prove_with(
    shares: Shares,
    program: &Program,
    [old, new]: [FuncId; 2],
    recursive: bool,
    options: &Options,
    bounds: &Bounds,
    chain: Chain,
) -> Option<Proof> {
    let mut worker = Worker::new(program, true);
    worker.bounds = bounds.clone();
    worker.shares = shares;
    worker.induction = recursive.then_some([old, new]);
    let mut prover = Prover {
        worker,
        chain,
        options,
        function: new,
        base: Vec::new(),
        places: BTreeMap::new(),
        todo: vec![None],
        symbols: FxHashMap::default(),
        bytes: own::Symbols::default(),
        varying: FxHashSet::default(),
        ways: 0,
        told: false,
        proof: Proof::default(),
    };
    let begin = [prover.begin(old)?, prover.begin(new)?];
    while let Some(at) = prover.todo.pop() {
        prover.follow(&begin, at)?;
    }
    prover.told.then_some(prover.proof)
}

/// Most ways of one version that are followed, in all.
const MAX_WAYS: usize = 20_000;

/// Most instructions from one place to the next.
const MAX_STEPS: u64 = 20_000;

/// How long a solver may think about one question.
const PATIENCE: Duration = Duration::from_millis(300);

/// How many values are tried before a solver is asked whether two are the same.
const TRIES: u64 = 12;

/// Heads of loops, of the old and of the new version.
type Heads = (u32, u32);

/// A register of the old (`false`) or of the new version.
type Register = (bool, u32);

/// What is known of a register at a place.
#[derive(Clone, PartialEq, Eq)]
struct Known {
    /// Registers of one class are the same.
    class: u32,
    /// What a pointer leads into; the object as the version numbers it.
    object: Option<ObjectId>,
    /// Its value, if it is always the same for an input.
    fixed: Option<Expr>,
    width: u32,
}

/// What is known where versions come to together.
#[derive(Clone, Default, PartialEq, Eq)]
struct Place {
    registers: BTreeMap<Register, Known>,
    /// Calls of shared functions that were made before, whatever the way, by the old and by the new version: a further
    /// one with the same arguments does nothing new.
    calls: Vec<[SharedCall; 2]>,
    own: own::Known,
}

/// A way from a place to the next.
struct Way {
    state: State,
    conditions: Vec<Expr>,
    to: To,
}

enum To {
    Head(u32),
    End(End),
}

struct Prover<'p, 'o> {
    worker: Worker<'p>,
    chain: Chain,
    options: &'o Options,
    function: FuncId,
    /// What every valid input fulfils.
    base: Vec<Expr>,
    places: BTreeMap<Heads, Place>,
    /// Places that are to be followed again; nothing for the beginning.
    todo: Vec<Option<Heads>>,
    /// What stands for the value of a class.
    symbols: FxHashMap<(Heads, u32, u32), Expr>,
    /// What stands for bytes of the versions' own memory.
    bytes: own::Symbols,
    /// Symbols of all of these: they say something else at every place and in every round.
    varying: FxHashSet<SymbolId>,
    ways: usize,
    /// Whether any two ways say something of what the versions do.
    told: bool,
    proof: Proof,
}

impl Prover<'_, '_> {
    /// A version before its first instruction but for those that make its own memory, to be stopped at heads of loops;
    /// nothing if it makes memory elsewhere.
    fn begin(&mut self, function: FuncId) -> Option<State> {
        let mut state = State::new(self.worker.program, Entry { function, shell: None });
        state.record_turns = false;
        loop {
            match execute(&mut self.worker, &mut state, 0) {
                Stop::Paused => break,
                Stop::Choose(choice) if choice.kind == ChoiceKind::Assume => {
                    self.base.push(*choice.conditions.first()?);
                    state.answer(0);
                }
                _ => return None,
            }
        }
        let code = self.worker.program.code(function);
        let makes_memory =
            |at: u32| matches!(code.insts.get(at as usize).map(|inst| &inst.op), Some(Op::Alloca { .. }));
        let first = state.top()?.at;
        while makes_memory(state.top()?.at) {
            let Stop::Paused = execute(&mut self.worker, &mut state, 1) else { return None };
        }
        // A state that has gone nowhere yet may begin at the head of a loop.
        state.steps = 0;
        let own = first..state.top()?.at;
        if (0..code.insts.len() as u32).any(|at| makes_memory(at) && !own.contains(&at)) {
            return None;
        }
        let heads: BTreeSet<u32> =
            code.edges.iter().filter(|edge| !edge.enters.is_empty()).map(|edge| edge.target).collect();
        state.heads = Some(heads.into_iter().collect());
        Some(state)
    }

    /// Follows both versions from a place to wherever they get.
    fn follow(&mut self, begin: &[State; 2], at: Option<Heads>) -> Option<()> {
        let [old, new] = match at {
            Some(heads) => self.at_place(begin, heads)?,
            None => begin.clone(),
        };
        let base = self.base.clone();
        for new_way in self.ways(new, base)? {
            for old_way in self.ways(old.clone(), new_way.conditions.clone())? {
                self.proof.pairs += 1;
                let together = match (&old_way.to, &new_way.to) {
                    (To::Head(a), To::Head(b)) => {
                        let heads = (*a, *b);
                        let nothing = End::Returned(None);
                        let same = self.same((&old_way, &nothing), (&new_way, &nothing))?;
                        if same {
                            self.arrive(begin, heads, &old_way, &new_way)?;
                        }
                        same
                    }
                    (To::End(a), To::End(b)) => self.same((&old_way, a), (&new_way, b))?,
                    _ => false,
                };
                if !together && !self.is_impossible(&old_way.conditions) {
                    return None;
                }
            }
        }
        Some(())
    }

    /// All ways of a version from where it is, whether any input takes them or not.
    fn ways(&mut self, state: State, conditions: Vec<Expr>) -> Option<Vec<Way>> {
        let (mut open, mut ways) = (vec![(state, conditions)], Vec::new());
        while let Some((mut state, mut conditions)) = open.pop() {
            self.ways += 1;
            if self.ways > MAX_WAYS || self.options.stop().is_some() {
                return None;
            }
            loop {
                let left = MAX_STEPS.saturating_sub(state.steps);
                match execute(&mut self.worker, &mut state, left) {
                    Stop::Arrived => {
                        let to = To::Head(state.top()?.at);
                        self.proof.scope.extend(granted(&state));
                        ways.push(Way { state, conditions, to });
                        break;
                    }
                    Stop::End(end @ (End::Returned(_) | End::Exited(_) | End::Fault { .. })) => {
                        ways.push(Way { state, conditions, to: To::End(end) });
                        break;
                    }
                    // Other inputs than are looked at: larger ones, or memory before that of a pointer.
                    Stop::End(End::Scope { what, .. }) => {
                        self.proof.scope.insert(what);
                        break;
                    }
                    Stop::End(_) | Stop::Paused => return None,
                    Stop::Choose(choice) => {
                        let sides = self.sides(&choice, &conditions);
                        let Some((&first, others)) = sides.split_first() else { break };
                        for &side in others {
                            let (mut other, mut more) = (state.clone(), conditions.clone());
                            other.answer(side);
                            more.push(choice.conditions[side as usize]);
                            open.push((other, more));
                        }
                        state.answer(first);
                        let condition = choice.conditions[first as usize];
                        if !condition.is_true() && !conditions.contains(&condition) {
                            conditions.push(condition);
                        }
                    }
                }
            }
        }
        Some(ways)
    }

    /// Sides of a question that the conditions do not exclude as they are written.
    fn sides(&mut self, choice: &Choice, conditions: &[Expr]) -> Vec<u32> {
        let considered = if choice.kind == ChoiceKind::Assume { 1 } else { choice.conditions.len() };
        let mut sides = Vec::with_capacity(considered);
        for (side, &condition) in (0u32..).zip(&choice.conditions).take(considered) {
            let opposite = self.worker.pool.not(condition);
            if condition.is_true() || conditions.contains(&condition) {
                return vec![side];
            }
            if !condition.is_false() && !conditions.contains(&opposite) {
                sides.push(side);
            }
        }
        sides
    }

    /// Whether two ways did the same; nothing if that cannot be said at all.
    fn same(&mut self, old: (&Way, &End), new: (&Way, &End)) -> Option<bool> {
        if same::strays(old.1) && same::strays(new.1) && same::is_of_rust(&self.worker.program.module, self.function) {
            return Some(false);
        }
        self.told = self.told || same::tells(old.1, new.1);
        let found = same::compare(&mut self.worker, self.function, (&old.0.state, old.1), (&new.0.state, new.1));
        for (way, _) in [old, new] {
            self.proof.scope.extend(self.worker.inputs.scope(&way.state));
        }
        self.proof.scope.extend(self.worker.inputs.scope_of_one(&old.0.state, &new.0.state));
        self.proof.scope.extend([old.1, new.1].into_iter().filter_map(uncaught));
        let states = [&old.0.state, &new.0.state];
        self.proof.scope.extend(states.into_iter().flat_map(granted));
        self.proof.scope.extend(found.left_out.iter().cloned());
        let shown: Vec<Expr> =
            old.0.conditions.iter().copied().chain(found.parts.iter().map(|(_, same)| *same)).collect();
        for remark in old.0.state.remarks.iter().chain(new.0.state.remarks.iter()) {
            match &remark.kind {
                RemarkKind::AnyResult(_) => {}
                RemarkKind::Uninitialized if !self.worker.depends_on_undefined(&shown) => {}
                _ => {
                    return None;
                }
            }
        }
        if self.worker.depends_on_unread(&shown) {
            self.proof.scope.insert(Assumption::PairedUninitialised);
        }
        if !found.unknown.is_empty() {
            return Some(false);
        }
        let mut all = Expr::bool(true);
        for (_, same) in &found.parts {
            all = self.worker.pool.and(all, *same);
        }
        Some(self.holds(&old.0.conditions, all))
    }

    /// Whether a condition follows from others.
    fn holds(&mut self, conditions: &[Expr], condition: Expr) -> bool {
        let opposite = self.worker.pool.not(condition);
        if opposite.is_false() || normal(&mut self.worker.pool, opposite).is_false() {
            return true;
        }
        let never = |prover: &mut Self, what: Expr| {
            let soon = Instant::now() + PATIENCE;
            prover.chain.set_deadline(Some(prover.options.deadline.map_or(soon, |last| last.min(soon))));
            matches!(prover.chain.extend(&prover.worker.pool, &Path::new(), what), Ok(None))
        };
        if never(self, opposite) {
            return true;
        }
        let mut all = opposite;
        for &known in conditions {
            all = self.worker.pool.and(all, known);
        }
        all.is_false() || never(self, all)
    }

    /// Whether a condition holds for some values that are as good as any: those that fulfil the others, if there are such.
    fn seems(&self, conditions: &[Expr], condition: Expr) -> bool {
        let pool = &self.worker.pool;
        let all: Vec<Expr> = conditions.iter().copied().chain([condition]).collect();
        let symbols = pool.symbols_in(&all);
        let (mut some_are_valid, mut refuted) = (false, false);
        for round in 0..TRIES {
            let mut model = Model::default();
            for id in symbols.keys().copied() {
                let symbol = pool.symbol_info(id);
                if symbol.array {
                    continue;
                }
                let number = u64::from(id.0).wrapping_add(round).wrapping_add(2);
                // Floats that are not too large to tell apart what is computed with them.
                let float = (number as f64 * 0.37).sqrt();
                let value = match (round % 4, symbol.width) {
                    (0, _) => number * 7 % 13,
                    (1, _) => number.wrapping_mul(0x9e37_79b9_7f4a_7c15),
                    (_, 64) => float.to_bits(),
                    (2, 32) => u64::from((float as f32).to_bits()),
                    _ => number * 5 % 11,
                };
                model.set(id, &Bits::new(u128::from(value), symbol.width));
            }
            let mut evaluator = Evaluator::new(pool, &model);
            let valid = conditions.iter().all(|&known| evaluator.holds(known) == Some(true));
            let differs = evaluator.holds(condition) == Some(false);
            if valid && differs {
                return false;
            }
            some_are_valid = some_are_valid || valid;
            refuted = refuted || differs;
        }
        some_are_valid || !refuted
    }

    /// Whether no input fulfils all conditions.
    fn is_impossible(&mut self, conditions: &[Expr]) -> bool {
        self.holds(conditions, Expr::bool(false))
    }

    /// Both versions come to a place: what is known there is no more than what holds now.
    fn arrive(&mut self, begin: &[State; 2], heads: Heads, old: &Way, new: &Way) -> Option<()> {
        let mut now: BTreeMap<Register, (Option<ObjectId>, Expr)> = BTreeMap::new();
        for (of_new, way) in [(false, old), (true, new)] {
            let frame = way.state.top()?;
            for (index, value) in (0u32..).zip(&frame.registers).skip(frame.code.params as usize) {
                if let Some(value) = self.number(&begin[usize::from(of_new)], value) {
                    now.insert((of_new, index), value);
                }
            }
        }
        let before = self.places.get(&heads).cloned();
        let calls = self.calls(before.as_ref(), old, new);
        let own = self.own_memory(before.as_ref().map(|place| &place.own), [&old.state, &new.state]);
        let before = before.map(|place| place.registers);
        let mut after: BTreeMap<Register, Known> = BTreeMap::new();
        // For each class of before, the values that its registers have now, each a class, with the version of its first one.
        let mut classes: Vec<(u32, Expr, Option<u32>, bool)> = Vec::new();
        for (&register, &(object, value)) in &now {
            let width = self.worker.pool.width(value);
            let known = match &before {
                Some(before) => match before.get(&register) {
                    Some(known) if known.object == object && known.width == width => Some(known.clone()),
                    _ => continue,
                },
                None => None,
            };
            let origin = known.as_ref().map_or(0, |known| known.class);
            let input = object.and_then(|object| self.input_of(&begin[usize::from(register.0)], object));
            let pool = &mut self.worker.pool;
            let mut alike: Vec<(Expr, u32, bool)> = Vec::new();
            for (number, &(other, same, leads, of_new)) in (0u32..).zip(&classes) {
                if other == origin && leads == input && pool.width(same) == width {
                    alike.push((pool.eq(same, value), number, of_new));
                }
            }
            // First equalities are those that can be seen; later ones between versions are worth a question, where none can
            // be seen.
            let class = alike.iter().find(|(equal, _, _)| equal.is_true()).or_else(|| {
                let mut asked = alike.iter().filter(|(_, _, of_new)| before.is_some() && *of_new != register.0);
                asked.find(|(equal, _, _)| self.seems(&old.conditions, *equal) && self.holds(&old.conditions, *equal))
            });
            let class = class.map(|&(_, number, _)| number).unwrap_or_else(|| {
                classes.push((origin, value, input, register.0));
                classes.len() as u32 - 1
            });
            let fixed = match &known {
                Some(known) => known.fixed.filter(|&fixed| fixed == value),
                None => self.is_fixed(&[value]).then_some(value),
            };
            after.insert(register, Known { class, object, fixed, width });
        }
        // A class has a value that never changes only if all of it has.
        let mut varying: BTreeSet<u32> = BTreeSet::new();
        varying.extend(after.values().filter(|known| known.fixed.is_none()).map(|known| known.class));
        for known in after.values_mut().filter(|known| varying.contains(&known.class)) {
            known.fixed = None;
        }
        let after = Place { registers: after, calls, own };
        if self.places.get(&heads) != Some(&after) {
            self.places.insert(heads, after);
            if !self.todo.contains(&Some(heads)) {
                self.todo.push(Some(heads));
            }
        }
        Some(())
    }

    /// Whether expressions are made of inputs alone.
    fn is_fixed(&self, values: &[Expr]) -> bool {
        self.worker.pool.symbols_in(values).keys().all(|symbol| !self.varying.contains(symbol))
    }

    /// Calls that both versions have made whenever they come to a place.
    fn calls(&self, before: Option<&Place>, old: &Way, new: &Way) -> Vec<[SharedCall; 2]> {
        let (old, new) = (old.state.shared.to_vec(), new.state.shared.to_vec());
        let mut made = old.into_iter().zip(new).map(|(old, new)| {
            [old, new].map(|call| SharedCall { function: call.function, args: call.args.clone(), effects: 0 })
        });
        match before {
            Some(before) => {
                let made: Vec<[SharedCall; 2]> = made.collect();
                before.calls.iter().filter(|calls| made.contains(calls)).cloned().collect()
            }
            None => made.by_ref().filter(|calls| calls.iter().all(|call| self.is_fixed(&call.args))).collect(),
        }
    }

    /// A value as a number, or as a distance in an object that exists from the beginning on.
    fn number(&mut self, begin: &State, value: &Value) -> Option<(Option<ObjectId>, Expr)> {
        let (object, number) = match value {
            Value::Bits(bits) => (None, *bits),
            Value::Ptr(Pointer { object, offset }) => {
                let is_known = *object == ObjectId::NONE || self.input_of(begin, *object).is_some();
                (Some(is_known.then_some(*object)?), *offset)
            }
            Value::Many(_) | Value::Undef | Value::Skipped(_) => return None,
        };
        (!self.worker.depends_on_undefined(&[number])).then_some((object, number))
    }

    /// A number for an object of the input, the same in both versions.
    fn input_of(&self, begin: &State, object: ObjectId) -> Option<u32> {
        begin.inputs.iter().find(|(_, known)| *known == object).map(|(input, _)| self.worker.inputs.canonical(*input).0)
    }

    /// Both versions at a place, with any values that fulfil what is known there.
    fn at_place(&mut self, begin: &[State; 2], heads: Heads) -> Option<[State; 2]> {
        let place = self.places.get(&heads)?.clone();
        let mut states = begin.clone();
        for (state, at) in states.iter_mut().zip([heads.0, heads.1]) {
            Rc::make_mut(state.frames.last_mut()?).at = at;
        }
        self.set_own_memory(&place.own, &mut states)?;
        for calls in place.calls {
            for (state, call) in states.iter_mut().zip(calls) {
                state.shared.push(call);
            }
        }
        let place = place.registers;
        for (&(of_new, register), known) in &place {
            let number = match known.fixed {
                Some(fixed) => fixed,
                None => {
                    let pool = &mut self.worker.pool;
                    let name = || format!("value {} at {}:{}", known.class, heads.0, heads.1);
                    let key = (heads, known.class, known.width);
                    let number = *self.symbols.entry(key).or_insert_with(|| pool.symbol(name(), known.width));
                    self.varying.extend(self.worker.pool.symbols_in(&[number]).into_keys());
                    number
                }
            };
            let value = match known.object {
                Some(object) => Value::Ptr(Pointer { object, offset: number }),
                None => Value::Bits(number),
            };
            let state = &mut states[usize::from(of_new)];
            *Rc::make_mut(state.frames.last_mut()?).registers.get_mut(register as usize)? = value;
        }
        for (of_new, state) in states.iter_mut().enumerate() {
            let frame = Rc::make_mut(state.frames.last_mut()?);
            let unknown = |register: u32| !place.contains_key(&(of_new == 1, register));
            // Of the others nothing is known: unlike what was never assigned, that is never the same in both versions.
            for (register, value) in (0u32..).zip(frame.registers.iter_mut()).filter(|(register, _)| unknown(*register))
            {
                if matches!(value, Value::Undef) && register >= frame.code.params {
                    *value = Value::Skipped(0);
                }
            }
            self.compute(state, |register| place.contains_key(&(of_new == 1, register)))?;
        }
        Some(states)
    }

    /// Gives registers that are computed from others the value that these make: in SSA form whatever is live at a place was
    /// computed from what its operands still are.
    fn compute(&mut self, state: &mut State, is_live: impl Fn(u32) -> bool) -> Option<()> {
        let frame = state.top()?.clone();
        let is_phi =
            |register: u32| frame.code.edges.iter().any(|edge| edge.moves.iter().any(|(to, _)| *to == register));
        let computes = |inst: &Inst| {
            let pure = matches!(
                inst.op,
                Op::Binary { .. }
                    | Op::FNeg { .. }
                    | Op::Compare { .. }
                    | Op::Cast { .. }
                    | Op::Select { .. }
                    | Op::ExtractValue { .. }
            );
            pure && is_live(inst.dest) && !is_phi(inst.dest)
        };
        let mut open: Vec<u32> =
            (0u32..).zip(&frame.code.insts).filter(|(_, inst)| computes(inst)).map(|(at, _)| at).collect();
        let (mut done, params) = (BTreeSet::new(), frame.code.params);
        loop {
            let before = open.len();
            let mut rest = Vec::new();
            for at in open {
                let inst = &frame.code.insts[at as usize];
                let mut ready = true;
                inst.op.for_each_register(|register| {
                    ready = ready
                        && (register < params || is_phi(register) && is_live(register) || done.contains(&register));
                });
                let mut run = state.clone();
                Rc::make_mut(run.frames.last_mut()?).at = at;
                if !ready || !matches!(execute(&mut self.worker, &mut run, 1), Stop::Paused) {
                    rest.push(at);
                    continue;
                }
                let value = run.top()?.registers.get(inst.dest as usize)?.clone();
                *Rc::make_mut(state.frames.last_mut()?).registers.get_mut(inst.dest as usize)? = value;
                done.insert(inst.dest);
            }
            if rest.len() == before {
                return Some(());
            }
            open = rest;
        }
    }
}
