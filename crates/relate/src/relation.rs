//! The proof: both versions from every pair of cut points to the next ones.
//!
//! Relational induction over cut points, as regression verification does it for recursion (Godlin and Strichman 2009) and Rêve
//! for loops (Felsing et al. 2014), over flat memory. What holds at a pair of cut points is: memory is the same; the greatest set of equalities between live
//! values of both versions that every way there keeps, found by partition refinement; conditions over what does not
//! vary. From there, in any such state, both versions have to get to the same pair of cut points or the same exit, with the same memory, result and calls.
//! Both advance in every step, so they also end alike, given that what they call does.
//!
//! What may fault has to fault alike: each access and division of the new version must be one that the old one makes too,
//! between the same two events, or one that certainly lies inside of an object. Accesses of the old version alone are an assumption.
//!
//! Where versions part, and only under some condition, the proof goes on without these states: the change is *confined*.

use crate::answer::{Answer, Effect, Local};
use crate::confine::{self, Parting};
use crate::guard::{Guard, conjunction};
use crate::keys::Side;
use crate::memory::{FIRST_VARYING, MemId};
use crate::places;
use crate::prover::{Prover, Supposed};
use crate::value::Val;
use crate::version::{Position, Version};
use crate::walk::{Access, Arrival, Begin, Faulty, Forced, Segment, Target, walk};
use evidence::{Assumption, Gap};
use ir::id::{BlockId, InstId, LocId};
use ir::inst::InstKind;
use rustc_hash::FxHashMap;
use smt::expr::{Expr, Op};
use smt::pool::Reading;
use std::collections::{BTreeMap, BTreeSet};

/// A pair of cut points, the old version's first; nothing stands for the entry.
type Place = (Option<BlockId>, Option<BlockId>);

/// Something that a relation speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Var {
    /// A part of a value.
    Value(Side, InstId, u32),
    /// Memory of a private local.
    Slot(Side, usize),
    /// All other memory, which is the same in both versions.
    Memory,
}

/// What a variable is at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Term {
    Bits(Expr),
    Memory(MemId),
}

/// What is known at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Relation {
    /// Variables of one class are equal; a class is known by its least member.
    class: BTreeMap<Var, Var>,
    /// Variables that are always the same, and what they are.
    fixed: BTreeMap<Var, Term>,
    /// Conditions over what does not vary.
    facts: Vec<Expr>,
}

/// What is different at a place.
struct Part {
    condition: Expr,
    exact: bool,
    effect: Effect,
    at: [Option<LocId>; 2],
    /// Where in each version, if not where the stretch of code ends.
    positions: [Option<Position>; 2],
}

/// How a proof goes on where versions part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It does not.
    Prove,
    /// Without the states in which they part.
    Confine,
}

/// How often a place may be looked at again.
const MAX_VISITS: u32 = 24;

/// Most places of a proof.
const MAX_PLACES: usize = 64;

/// Most instructions that are followed in all.
const MAX_STEPS: u64 = 400_000;

/// Most variables of the old version that one of the new version may turn out to be equal to.
const MAX_PARTNERS: usize = 6;

/// Most conditions under which versions part at one place.
const MAX_PARTS: usize = 8;

/// Relates both versions.
pub fn relate(prover: &mut Prover<'_, '_>, mode: Mode) -> Answer {
    prover.mode = mode;
    let mut proof = Proof {
        prover,
        relations: BTreeMap::new(),
        parts: BTreeMap::new(),
        regions: BTreeMap::new(),
        visits: BTreeMap::new(),
        is_over: false,
        symbols: FxHashMap::default(),
        names: BTreeSet::new(),
        bases: FxHashMap::default(),
    };
    match proof.run() {
        Ok(()) => proof.answer(),
        Err(gap) => Answer::Open(gap),
    }
}

struct Proof<'q, 'p, 'm> {
    prover: &'q mut Prover<'p, 'm>,
    relations: BTreeMap<Place, Relation>,
    parts: BTreeMap<Place, Vec<Part>>,
    /// What the parts of a place are due to, if that is known.
    regions: BTreeMap<Place, Vec<Local>>,
    visits: BTreeMap<Place, u32>,
    /// Whether the versions part in all executions.
    is_over: bool,
    symbols: FxHashMap<(Place, Var, u32), Expr>,
    /// Names of symbols at each place.
    names: BTreeSet<(Place, String)>,
    bases: FxHashMap<(Place, Var), u32>,
}

impl Proof<'_, '_, '_> {
    fn run(&mut self) -> Result<(), Gap> {
        let entry = (None, None);
        self.relations.insert(entry, Relation::default());
        let mut todo = vec![entry];
        while let Some(place) = todo.pop() {
            let visits = self.visits.entry(place).or_default();
            *visits += 1;
            if *visits > MAX_VISITS || self.relations.len() > MAX_PLACES || self.prover.steps > MAX_STEPS {
                return Err(Gap::Room);
            }
            if self.prover.oracle.is_over() {
                return Err(Gap::Time);
            }
            for changed in self.visit(place)? {
                todo.retain(|other| *other != changed);
                todo.push(changed);
            }
            let is_parted = self.is_over || self.prover.mode == Mode::Prove && !self.parts.values().all(Vec::is_empty);
            if is_parted {
                return Ok(());
            }
        }
        Ok(())
    }

    fn answer(self) -> Answer {
        let mut assumptions = std::mem::take(&mut self.prover.assumptions);
        // What nobody else sees the address of may lie anywhere.
        let is_seen = |version: &Version<'_>| version.locals.keys().any(|local| !version.private.contains(local));
        if self.prover.versions.iter().any(|version| is_seen(version)) {
            assumptions.insert(Assumption::PairedAddresses);
        }
        let mut locals: Vec<Local> = Vec::new();
        for (place, parts) in self.parts.iter().filter(|(_, parts)| !parts.is_empty()) {
            match self.regions.get(place) {
                Some(regions) => locals.extend(regions.iter().cloned()),
                None => locals.extend(parts.iter().map(|part| local(&mut *self.prover, part))),
            }
        }
        locals.extend(self.prover.supposed.iter().map(|(what, at)| through(self.prover, *what, *at)));
        locals.sort_by(|a, b| (&a.file, a.line, &a.condition).cmp(&(&b.file, b.line, &b.condition)));
        // What reads alike is one place, whatever differs there.
        locals.dedup_by(|next, known| {
            let text = |local: &Local| {
                (local.file.clone(), local.line, local.condition.clone(), local.old.clone(), local.new.clone())
            };
            let is_same = text(next) == text(known);
            known.exact &= !is_same || next.exact;
            is_same
        });
        match locals.is_empty() {
            true => Answer::Same(assumptions),
            false => Answer::Confined(locals, assumptions),
        }
    }

    /// Follows both versions from a place; places of which less is known now.
    fn visit(&mut self, place: Place) -> Result<Vec<Place>, Gap> {
        self.parts.insert(place, Vec::new());
        self.prover.names.clear();
        let (begin_old, begin_new) = (self.begin(Side::Old, place)?, self.begin(Side::New, place)?);
        let old = walk(self.prover, Side::Old, begin_old, None)?;
        let new = walk(self.prover, Side::New, begin_new, Some(&old.events))?;
        for forced in &new.forced {
            let Forced { condition, exact, insts, at } = forced.clone();
            let position = |side: Side| Some(self.prover.versions[side.index()].position_of(insts[side.index()]?));
            let positions = [position(Side::Old), position(Side::New)];
            self.part(place, Part { condition, exact, effect: Effect::Memory, at, positions })?;
        }
        let mut changed = Vec::new();
        let settled = self.settled(&old, &new);
        for (&old_target, old_end) in &old.arrivals {
            for (&new_target, new_end) in &new.arrivals {
                let is_settled = settled.iter().any(|&(a, b)| (a == old_target) != (b == new_target));
                if is_settled {
                    continue;
                }
                let Some(both) = old_end.guard.both(&mut self.prover.pool, &new_end.guard) else { continue };
                if !self.correspond(old_target, new_target) {
                    let holds = self.prover.oracle.can_hold(&mut self.prover.pool, &both);
                    if holds != Some(false) {
                        let condition = conjunction(&mut self.prover.pool, &both);
                        let at = [self.first_line(Side::Old, old_target), self.first_line(Side::New, new_target)];
                        // Code that waits at different cut points may yet do the same.
                        let is_cut = |target: Target| matches!(target, Target::Cut(_));
                        let exact = holds.is_some() && !is_cut(old_target) && !is_cut(new_target);
                        self.part(place, Part { condition, exact, effect: Effect::Control, at, positions: [None; 2] })?;
                    }
                    continue;
                }
                match (old_target, new_target) {
                    (Target::Cut(a), Target::Cut(b)) => {
                        if self.arrive(place, (a, b), &both, (&old, old_end), (&new, new_end))? {
                            changed.push((Some(a), Some(b)));
                        }
                    }
                    _ => self.end(place, &both, old_end, new_end)?,
                }
            }
        }
        self.check_faults(place, &old, &new)?;
        self.find_uninitialised(&old, &new);
        if self.prover.mode == Mode::Confine {
            self.find_regions(place, &old, &new);
        }
        Ok(changed)
    }

    /// Targets that correspond and are reached under the same condition. As each version gets to one target at a time, none of them goes
    /// with any other target.
    fn settled(&self, old: &Segment, new: &Segment) -> Vec<(Target, Target)> {
        let mut found = Vec::new();
        for (&a, from_old) in &old.arrivals {
            let is_partner = |(b, from_new): &(&Target, &Arrival)| {
                self.correspond(a, **b) && from_old.guard.is_same(&from_new.guard)
            };
            found.extend(new.arrivals.iter().find(is_partner).map(|(&b, _)| (a, b)));
        }
        found
    }

    /// Finds the changed code that all parts of a place are due to: the conditions under which it runs say more to people than
    /// those under which its effects differ.
    fn find_regions(&mut self, place: Place, old: &Segment, new: &Segment) {
        let Some(parts) = self.parts.get_mut(&place).filter(|parts| !parts.is_empty()) else { return };
        let parting = |part: &Part| Parting { condition: part.condition, exact: part.exact, positions: part.positions };
        let parting: Vec<Parting> = parts.iter().map(parting).collect();
        let regions = confine::regions(self.prover, [old, new], &parting);
        if let Some(regions) = regions {
            self.regions.insert(place, regions);
            return;
        }
        self.regions.remove(&place);
    }

    /// Whether versions that get to these places do the same so far.
    fn correspond(&self, old: Target, new: Target) -> bool {
        match (old, new) {
            (Target::Cut(a), Target::Cut(b)) => {
                use ir::id::Id;
                let diff = self.prover.diff;
                let partner = diff.old_blocks.get(a.index()).copied().flatten();
                let cuts = &self.prover.versions[1].cuts;
                match partner.filter(|partner| cuts.contains(partner)) {
                    Some(partner) => partner == b,
                    // Neither has a partner among the cuts of the other version.
                    None => {
                        let back = diff.new_blocks.get(b.index()).copied().flatten();
                        back.is_none_or(|back| !self.prover.versions[0].cuts.contains(&back))
                    }
                }
            }
            (a, b) => a == b,
        }
    }

    fn first_line(&self, side: Side, target: Target) -> Option<LocId> {
        let Target::Cut(block) = target else { return None };
        let function = self.prover.versions[side.index()].function;
        function.blocks[block].insts.iter().find_map(|inst| function.insts[*inst].loc)
    }

    /// Where a place is in the new version.
    fn line_of_place(&self, place: Place) -> Option<LocId> {
        let function = self.prover.versions[1].function;
        let block = place.1.or_else(|| function.blocks.ids().next())?;
        function.blocks[block].insts.iter().find_map(|inst| function.insts[*inst].loc)
    }

    /// Where a version returns.
    fn line_of_return(&self, side: Side) -> Option<LocId> {
        let function = self.prover.versions[side.index()].function;
        let returns = function.body().filter(|(_, _, inst)| matches!(inst.kind, InstKind::Ret(_)));
        returns.filter_map(|(_, _, inst)| inst.loc).last()
    }

    /// Notes that the versions part.
    fn part(&mut self, place: Place, mut part: Part) -> Result<(), Gap> {
        if part.at == [None; 2] {
            part.at[1] = self.line_of_place(place);
        }
        // Nothing is left of what follows.
        self.is_over |= part.condition.is_true() && place == (None, None);
        let parts = self.parts.entry(place).or_default();
        // One is enough for a proof to fail.
        if self.prover.mode == Mode::Prove && !parts.is_empty() {
            return Ok(());
        }
        match last_of(parts, part.effect) {
            Some(other) => {
                other.condition = self.prover.pool.or(other.condition, part.condition);
                other.exact = false;
                for (known, position) in other.positions.iter_mut().zip(part.positions) {
                    *known = known.iter().copied().chain(position).min();
                }
            }
            None => parts.push(part),
        }
        Ok(())
    }

    /// A version at a place, in any state that the relation allows.
    fn begin(&mut self, side: Side, place: Place) -> Result<Begin, Gap> {
        let version = self.prover.versions[side.index()].clone();
        let at = if side == Side::Old { place.0 } else { place.1 };
        let relation = self.relations.get(&place).cloned().unwrap_or_default();
        let mut env = FxHashMap::default();
        for &inst in at.iter().filter_map(|at| version.live.get(at)).flatten() {
            let shape = self.prover.shape_of(side, inst).ok_or(Gap::Unsupported { what: "a type".into() })?;
            let mut leaf = 0;
            let value = Val::build(&shape, &mut |width| {
                let var = Var::Value(side, inst, leaf);
                leaf += 1;
                match relation.fixed.get(&var) {
                    Some(Term::Bits(bits)) => *bits,
                    _ => self.symbol(place, *relation.class.get(&var).unwrap_or(&var), width),
                }
            });
            env.insert(inst, value);
        }
        let locals = self.prover.private_locals(side);
        let mut slots = Vec::with_capacity(locals.len());
        for (slot, &local) in locals.iter().enumerate() {
            let var = Var::Slot(side, slot);
            slots.push(match (at, relation.fixed.get(&var)) {
                (None, _) => {
                    let number = self.prover.first_memory(side, local);
                    self.prover.memory.base(number)
                }
                (_, Some(Term::Memory(memory))) => *memory,
                _ => self.base(place, *relation.class.get(&var).unwrap_or(&var)),
            });
        }
        let memory = match (at, relation.fixed.get(&Var::Memory)) {
            (None, _) => self.prover.memory.base(0),
            (_, Some(Term::Memory(memory))) => *memory,
            _ => self.base(place, Var::Memory),
        };
        let guard = Guard::of(&mut self.prover.pool, relation.facts.iter().copied()).unwrap_or_default();
        Ok(Begin { at, env, guard, memory, slots })
    }

    /// What stands for the value of a class at a place.
    fn symbol(&mut self, place: Place, class: Var, width: u32) -> Expr {
        if let Some(&known) = self.symbols.get(&(place, class, width)) {
            return known;
        }
        let (name, reading) = match class {
            Var::Value(side, inst, _) => places::name_of(&self.prover.versions[side.index()], inst),
            _ => ("memory".to_owned(), Reading::Unsigned),
        };
        // Variables of one name that are not equal are told apart.
        let side = match class {
            Var::Value(Side::New, ..) => " (new)",
            _ => " (old)",
        };
        let is_taken = !self.names.insert((place, name.clone()));
        let name = if is_taken { name + side } else { name };
        let symbol = self.prover.pool.symbol_as(name, width, reading);
        if let Expr::Term(id) = symbol
            && let Op::Symbol(atom) = self.prover.pool.node(id).op
        {
            self.prover.varying.insert(atom);
        }
        self.symbols.insert((place, class, width), symbol);
        symbol
    }

    fn base(&mut self, place: Place, class: Var) -> MemId {
        let next = FIRST_VARYING + self.bases.len() as u32;
        let number = *self.bases.entry((place, class)).or_insert(next);
        self.prover.memory.base(number)
    }

    /// Compares what both versions leave where they end.
    fn end(&mut self, place: Place, both: &[Expr], old: &Arrival, new: &Arrival) -> Result<(), Gap> {
        let at = Side::BOTH.map(|side| self.line_of_return(side));
        for (a, b) in old.values.iter().zip(&new.values) {
            let pool = &mut self.prover.pool;
            let mut differ = Expr::bool(false);
            let same_shape = a
                .zip(b, &mut |a, b| {
                    if pool.width(a) == pool.width(b) {
                        let other = pool.ne(a, b);
                        differ = pool.or(differ, other);
                    } else {
                        differ = Expr::bool(true);
                    }
                    a
                })
                .is_some();
            if !same_shape {
                return Err(Gap::OtherSignature);
            }
            self.claim(place, both, differ, Effect::Result, at)?;
        }
        let prover = &mut *self.prover;
        let a = prover.memory.without_locals(&mut prover.pool, old.memory);
        let b = prover.memory.without_locals(&mut prover.pool, new.memory);
        let differ = prover.memory.differ(&mut prover.pool, a, b);
        self.claim(place, both, differ, Effect::Memory, at)
    }

    /// Notes that versions part under a condition, unless that cannot hold.
    fn claim(
        &mut self,
        place: Place,
        both: &[Expr],
        differ: Expr,
        effect: Effect,
        at: [Option<LocId>; 2],
    ) -> Result<(), Gap> {
        if differ.is_false() {
            return Ok(());
        }
        let mut all = both.to_vec();
        all.push(differ);
        let holds = self.prover.oracle.can_hold(&mut self.prover.pool, &all);
        if holds == Some(false) {
            return Ok(());
        }
        // Of memory, and of what is still to be used, only a condition is known without which they are the same.
        let is_certain = effect == Effect::Result && !differ.is_true();
        let exact = holds.is_some() && is_certain && !self.prover.meets_difference;
        let condition = conjunction(&mut self.prover.pool, &all);
        self.part(place, Part { condition, exact, effect, at, positions: [None; 2] })
    }

    /// What every variable of a cut point is on arrival.
    fn terms(&mut self, side: Side, at: BlockId, segment: &Segment, end: &Arrival) -> Result<Vec<(Var, Term)>, Gap> {
        let version = self.prover.versions[side.index()].clone();
        let is_phi = |inst: &InstId| matches!(version.function.insts[*inst].kind, InstKind::Phi { .. });
        let phis: Vec<InstId> = version.function.blocks[at].insts.iter().copied().filter(is_phi).collect();
        let mut terms = Vec::new();
        for &inst in version.live.get(&at).into_iter().flatten() {
            let value = match phis.iter().position(|phi| *phi == inst) {
                Some(position) => end.values.get(position),
                None => segment.env.get(&inst),
            };
            let Some(value) = value else {
                return Err(Gap::Unsupported { what: "a value that is used before it is made".into() });
            };
            let leaves = value.leaves().into_iter().enumerate();
            terms.extend(leaves.map(|(leaf, bits)| (Var::Value(side, inst, leaf as u32), Term::Bits(bits))));
        }
        let slots = end.slots.iter().enumerate();
        terms.extend(slots.map(|(slot, memory)| (Var::Slot(side, slot), Term::Memory(*memory))));
        Ok(terms)
    }

    /// Takes over what holds on arrival at a place; whether less is known of it than before.
    fn arrive(
        &mut self,
        from: Place,
        (old_at, new_at): (BlockId, BlockId),
        both: &[Expr],
        old: (&Segment, &Arrival),
        new: (&Segment, &Arrival),
    ) -> Result<bool, Gap> {
        let place = (Some(old_at), Some(new_at));
        let prover = &mut *self.prover;
        let differ = prover.memory.differ(&mut prover.pool, old.1.memory, new.1.memory);
        let at = [(Side::Old, old_at), (Side::New, new_at)].map(|(side, at)| self.first_line(side, Target::Cut(at)));
        self.claim(from, both, differ, Effect::Memory, at)?;
        let mut terms: BTreeMap<Var, Term> = BTreeMap::new();
        terms.extend(self.terms(Side::Old, old_at, old.0, old.1)?);
        terms.extend(self.terms(Side::New, new_at, new.0, new.1)?);
        if old.1.memory == new.1.memory {
            terms.insert(Var::Memory, Term::Memory(old.1.memory));
        }
        let before = self.relations.get(&place).cloned();
        let mut canonical: BTreeMap<Term, Term> = BTreeMap::new();
        let aligned: BTreeSet<(Var, Var)> = self.aligned(&terms).into_iter().collect();
        for (a, b) in self.candidates(&terms, before.as_ref()) {
            let (x, y) = (terms[&a], terms[&b]);
            if x == y || canonical.get(&y) == Some(&x) || canonical.contains_key(&y) {
                continue;
            }
            let differ = self.differ(x, y);
            if differ.is_true() {
                continue;
            }
            let mut all = both.to_vec();
            all.push(differ);
            let prover = &mut *self.prover;
            let are_equal = match aligned.contains(&(a, b)) {
                true => prover.oracle.refutes(&mut prover.pool, &all),
                false => prover.oracle.refutes_easily(&mut prover.pool, &all),
            };
            if are_equal {
                canonical.insert(y, *canonical.get(&x).unwrap_or(&x));
            }
        }
        if self.prover.mode == Mode::Confine {
            self.force(from, both, &terms, &mut canonical, at)?;
        }
        let mut class: BTreeMap<Var, Var> = BTreeMap::new();
        let mut groups: BTreeMap<(Option<Var>, Term), Var> = BTreeMap::new();
        let mut fixed = BTreeMap::new();
        for (&var, &term) in &terms {
            let known = before.as_ref().and_then(|before| before.class.get(&var)).copied();
            let term_of_class = *canonical.get(&term).unwrap_or(&term);
            class.insert(var, *groups.entry((known, term_of_class)).or_insert(var));
            let stays = match &before {
                None => self.is_stable(term),
                Some(before) => before.fixed.get(&var) == Some(&term),
            };
            if stays {
                fixed.insert(var, term);
            }
        }
        let mut facts = Vec::new();
        for &condition in both {
            let holds = match &before {
                None => self.is_stable(Term::Bits(condition)),
                Some(before) => before.facts.contains(&condition),
            };
            if holds {
                facts.push(condition);
            }
        }
        facts.sort_unstable();
        let relation = Relation { class, fixed, facts };
        let changed = before.as_ref() != Some(&relation);
        self.relations.insert(place, relation);
        Ok(changed)
    }

    fn is_stable(&mut self, term: Term) -> bool {
        let prover = &mut *self.prover;
        match term {
            Term::Bits(bits) => prover.memory.is_stable(&prover.pool, &prover.varying, bits),
            Term::Memory(memory) => prover.memory.is_stable_memory(&prover.pool, &prover.varying, memory),
        }
    }

    fn differ(&mut self, a: Term, b: Term) -> Expr {
        let prover = &mut *self.prover;
        match (a, b) {
            (Term::Bits(a), Term::Bits(b)) if prover.pool.width(a) == prover.pool.width(b) => prover.pool.ne(a, b),
            (Term::Memory(a), Term::Memory(b)) => prover.memory.differ(&mut prover.pool, a, b),
            _ => Expr::bool(true),
        }
    }

    /// Pairs of variables of the old and of the new version that may be equal though their terms are not.
    fn candidates(&self, terms: &BTreeMap<Var, Term>, before: Option<&Relation>) -> Vec<(Var, Var)> {
        let mut found = Vec::new();
        match before {
            None => found.extend(self.aligned(terms)),
            Some(before) => {
                let is_old = |var: &Var| matches!(var, Var::Value(Side::Old, ..) | Var::Slot(Side::Old, _));
                let mut olds: BTreeMap<Var, Vec<Var>> = BTreeMap::new();
                for var in terms.keys().filter(|var| is_old(var)) {
                    if let Some(class) = before.class.get(var) {
                        olds.entry(*class).or_default().push(*var);
                    }
                }
                // Those that correspond by what changed are most likely equal; of others each is worth a try.
                let aligned = self.aligned(terms);
                let of_class = |var: &Var| before.class.get(var);
                found.extend(aligned.into_iter().filter(|(old, new)| of_class(old) == of_class(new)));
                for var in terms.keys().filter(|var| !is_old(var) && **var != Var::Memory) {
                    let partners = of_class(var).and_then(|class| olds.get(class)).into_iter().flatten();
                    found.extend(partners.take(MAX_PARTNERS).map(|partner| (*partner, *var)));
                }
            }
        }
        found
    }

    /// Variables of both versions that correspond by what changed.
    fn aligned(&self, terms: &BTreeMap<Var, Term>) -> Vec<(Var, Var)> {
        let locals = Side::BOTH.map(|side| self.prover.private_locals(side));
        let partner = |var: &Var| match var {
            Var::Value(Side::Old, inst, leaf) => {
                Some(Var::Value(Side::New, self.prover.diff.of_old(*inst).partner?, *leaf))
            }
            Var::Slot(Side::Old, slot) => {
                let partner = self.prover.partner_of_local(Side::Old, *locals[0].get(*slot)?)?;
                Some(Var::Slot(Side::New, locals[1].iter().position(|local| *local == partner)?))
            }
            _ => None,
        };
        let pairs = terms.keys().filter_map(|var| Some((*var, partner(var)?)));
        pairs.filter(|(_, other)| terms.contains_key(other)).collect()
    }

    /// Goes on as if variables that correspond were equal, and notes when they are not.
    fn force(
        &mut self,
        from: Place,
        both: &[Expr],
        terms: &BTreeMap<Var, Term>,
        canonical: &mut BTreeMap<Term, Term>,
        at: [Option<LocId>; 2],
    ) -> Result<(), Gap> {
        for (a, b) in self.aligned(terms) {
            let (x, y) = (terms[&a], terms[&b]);
            let same = |term: Term| *canonical.get(&term).unwrap_or(&term);
            if same(x) == same(y) {
                continue;
            }
            let differ = self.differ(x, y);
            if differ.is_true() {
                continue;
            }
            self.claim(from, both, differ, Effect::Value, at)?;
            canonical.insert(y, same(x));
        }
        Ok(())
    }

    /// What faults in one version has to fault in the other one.
    fn check_faults(&mut self, place: Place, old: &Segment, new: &Segment) -> Result<(), Gap> {
        for access in &new.accesses {
            if let Some(open) = self.unmatched(access, &old.accesses) {
                let condition = conjunction(&mut self.prover.pool, &open);
                let position = access.inst.map(|inst| self.prover.versions[1].position_of(inst));
                // What the old version does instead says nothing of the fault.
                let positions = [Some((0, 0)), position];
                let part = Part { condition, exact: false, effect: Effect::MayFault, at: [None, access.at], positions };
                self.part(place, part)?;
            }
        }
        for access in &old.accesses {
            if self.unmatched(access, &new.accesses).is_some() {
                let line = access.at.and_then(|at| places::line(self.prover.versions[0].module, at));
                let (file, line) = line.unwrap_or_default();
                self.prover.assumptions.insert(Assumption::ValidOldAccess { file, line });
            }
        }
        Ok(())
    }

    /// Conditions under which an access has no counterpart; nothing if it always has one.
    fn unmatched(&mut self, access: &Access, others: &[Access]) -> Option<Vec<Expr>> {
        let candidates: Vec<&Access> = others.iter().filter(|other| is_kind(&access.what, &other.what)).collect();
        let is_plain = |other: &&&Access| {
            other.epoch == access.epoch
                && covers_plainly(&other.what, &access.what)
                && other.guard.conjuncts().iter().all(|condition| access.guard.conjuncts().contains(condition))
        };
        if candidates.iter().any(|other| is_plain(&other)) {
            return None;
        }
        let prover = &mut *self.prover;
        let mut open = access.guard.conjuncts().to_vec();
        if let Some(faults) = faults(prover, &access.what) {
            open.push(faults);
        }
        let mut tried = 0;
        for other in candidates {
            let covers = covers(prover, &other.what, &access.what);
            let same_epoch = prover.pool.eq(other.epoch, access.epoch);
            let covers = prover.pool.and(covers, same_epoch);
            if covers.is_false() {
                continue;
            }
            tried += 1;
            if tried > MAX_CANDIDATES {
                break;
            }
            let guard = other.guard.expr(&mut prover.pool);
            let matched = prover.pool.and(guard, covers);
            let unmatched = prover.pool.not(matched);
            open.push(unmatched);
        }
        (!prover.oracle.refutes(&mut prover.pool, &open)).then_some(open)
    }

    /// Notes whether what is compared depends on uninitialised memory or values.
    fn find_uninitialised(&mut self, old: &Segment, new: &Segment) {
        if self.prover.assumptions.contains(&Assumption::PairedUninitialised) {
            return;
        }
        let mut roots: Vec<Expr> = Vec::new();
        let mut memories: Vec<MemId> = Vec::new();
        for segment in [old, new] {
            for end in segment.arrivals.values() {
                roots.extend(end.guard.conjuncts());
                roots.extend(end.values.iter().flat_map(Val::leaves));
                memories.push(end.memory);
            }
            for happening in &segment.events {
                roots.extend(self.prover.memory.event(happening.event).args.iter());
            }
        }
        if places::is_uninitialised(self.prover, roots, memories) {
            self.prover.assumptions.insert(Assumption::PairedUninitialised);
        }
    }
}

/// The last part of a kind, if there are so many that they are joined.
fn last_of(parts: &mut [Part], effect: Effect) -> Option<&mut Part> {
    let many = parts.len() >= MAX_PARTS;
    parts.iter_mut().rfind(|other| other.effect == effect).filter(|_| many)
}

/// Most accesses of the other version that may be the counterpart of one.
const MAX_CANDIDATES: usize = 64;

/// Whether an access can have another one as its counterpart: a read does not make sure that a write succeeds.
fn is_kind(what: &Faulty, other: &Faulty) -> bool {
    match (what, other) {
        (Faulty::Read(..), Faulty::Read(..) | Faulty::Write(..)) | (Faulty::Write(..), Faulty::Write(..)) => true,
        (Faulty::Division(_, _, a), Faulty::Division(_, _, b)) => a == b,
        (Faulty::Call(a, x), Faulty::Call(b, y)) => a == b && x.len() == y.len(),
        (Faulty::Copy(..), Faulty::Copy(..)) => true,
        _ => false,
    }
}

/// Whether the first access covers the second one as their terms stand.
fn covers_plainly(first: &Faulty, second: &Faulty) -> bool {
    match (first, second) {
        (Faulty::Read(a, n) | Faulty::Write(a, n), Faulty::Read(b, m) | Faulty::Write(b, m)) => a == b && n >= m,
        (first, second) => first == second,
    }
}

/// When an operation certainly faults, if that can be said.
fn faults(prover: &mut Prover<'_, '_>, what: &Faulty) -> Option<Expr> {
    let pool = &mut prover.pool;
    if let Faulty::Copy(to, from, bytes) = what {
        let width = pool.width(*to);
        let size = pool.number(*bytes, width);
        let (behind, front) = (pool.sub(*to, *from), pool.sub(*from, *to));
        let (near, far) = (pool.ult(behind, size), pool.ult(front, size));
        let (overlap, differ) = (pool.or(near, far), pool.ne(*to, *from));
        return Some(pool.and(overlap, differ));
    }
    let Faulty::Division(a, b, signed) = what else { return None };
    let width = pool.width(*b);
    let zero = pool.zero(width);
    let by_zero = pool.eq(*b, zero);
    if !signed {
        return Some(by_zero);
    }
    let (one, ones) = (pool.number(1, width), pool.ones(width));
    let high = pool.number(u64::from(width - 1), width);
    let least = pool.shl(one, high);
    let (is_least, is_minus) = (pool.eq(*a, least), pool.eq(*b, ones));
    let overflows = pool.and(is_least, is_minus);
    Some(pool.or(by_zero, overflows))
}

/// When the first access faults if the second one does.
fn covers(prover: &mut Prover<'_, '_>, first: &Faulty, second: &Faulty) -> Expr {
    match (first, second) {
        (Faulty::Read(a, n) | Faulty::Write(a, n), Faulty::Read(b, m) | Faulty::Write(b, m)) => {
            let pool = &mut prover.pool;
            if n < m || pool.width(*a) != pool.width(*b) {
                return Expr::bool(false);
            }
            let width = pool.width(*a);
            let (offset, room) = (pool.sub(*b, *a), pool.number(n - m, width));
            pool.ule(offset, room)
        }
        (Faulty::Division(..), Faulty::Division(..)) | (Faulty::Copy(..), Faulty::Copy(..)) => {
            match faults(prover, first) {
                Some(faults) => faults,
                None => Expr::bool(false),
            }
        }
        (Faulty::Call(_, x), Faulty::Call(_, y)) => {
            let pool = &mut prover.pool;
            x.iter().zip(y).fold(Expr::bool(true), |all, (a, b)| {
                if pool.width(*a) != pool.width(*b) {
                    return Expr::bool(false);
                }
                let same = pool.eq(*a, *b);
                pool.and(all, same)
            })
        }
        _ => Expr::bool(false),
    }
}

/// A callee that may differ: the versions may part wherever it does.
fn through(prover: &Prover<'_, '_>, what: Supposed, at: Option<LocId>) -> Local {
    let version = &prover.versions[1];
    let line = at.and_then(|at| places::line(version.module, at)).or_else(|| places::first_changed(prover));
    let (file, line) = line.unwrap_or_default();
    let (condition, does) = match what {
        Supposed::Function(symbol) => {
            let name = ir::demangle::demangle(version.module.symbol_name(symbol));
            (format!("a call of {name} differs"), format!("calls {name}"))
        }
        Supposed::Pointers => ("a call through a pointer differs".to_owned(), "calls through a pointer".to_owned()),
    };
    let [old, new] = ["old", "new"].map(|version| format!("{does} of the {version} version"));
    let (always, exact, effect) = (false, false, Effect::Callee);
    Local { file, line, of_old: false, condition, always, exact, effect, old, new }
}

/// A place where versions part, for people.
fn local(prover: &mut Prover<'_, '_>, part: &Part) -> Local {
    let [old, new] = part.at;
    let line_of_new = new.and_then(|at| places::line(prover.versions[1].module, at));
    let of_old = line_of_new.is_none() && old.is_some();
    let line = line_of_new
        .or_else(|| old.and_then(|at| places::line(prover.versions[0].module, at)))
        .or_else(|| places::first_changed(prover));
    let (file, line) = line.unwrap_or_default();
    let (condition, is_all) = places::readable(prover, part.condition);
    let always = condition.is_true();
    let condition = smt::show::show(&prover.pool, condition);
    Local {
        file,
        line,
        of_old,
        condition,
        always,
        exact: part.exact && is_all,
        effect: part.effect,
        old: String::new(),
        new: String::new(),
    }
}
