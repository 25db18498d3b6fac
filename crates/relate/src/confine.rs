//! Where a change is confined to, in terms of code.
//!
//! From a place, versions part under some condition over everything that they compute from there. That condition is exact, and mostly no
//! reading for people. The *regions* say it in terms of the program: code that one version has and the other one has not, with the branch
//! conditions that lead there from code that both have; changed branches, where their conditions differ; changed values, where they do.
//! A set of regions is an answer if a solver proves that versions part in none but states in which one of the regions is entered.

use crate::answer::{Effect, Local};
use crate::guard::conjunction;
use crate::keys::Side;
use crate::places;
use crate::prover::Prover;
use crate::sources;
use crate::value::Val;
use crate::version::{Position, Version};
use crate::walk::Segment;
use change::Status;
use ir::id::{BlockId, Id, InstId, LocId};
use ir::inst::{InstKind, Value};
use rustc_hash::FxHashMap;
use smt::expr::Expr;

/// A condition under which versions part.
pub struct Parting {
    /// When.
    pub condition: Expr,
    /// Whether they certainly do then.
    pub exact: bool,
    /// Where in each version, if not where the stretch of code ends.
    pub positions: [Option<Position>; 2],
}

/// Changed code, and when it matters.
#[derive(Clone)]
struct Region {
    side: Side,
    /// Where it begins. What parts the versions before it is not due to it: it may never be reached then.
    position: Position,
    /// When it is entered, or computes something else.
    conditions: Vec<Expr>,
    /// Those of the conditions that lead there from code that both versions have.
    shown: Vec<Expr>,
    at: Option<LocId>,
    old: String,
    new: String,
    /// Whether it does nothing but compute and branch: what it leads to says more.
    is_silent: bool,
    /// Whether it is a branch that changed, and not known when it goes elsewhere: the code that it leads to says more.
    is_coarse: bool,
}

/// Most regions of one place.
const MAX_REGIONS: usize = 6;

/// Regions that all of some conditions are due to; nothing if that is not proved.
pub fn regions(prover: &mut Prover<'_, '_>, segments: [&Segment; 2], parting: &[Parting]) -> Option<Vec<Local>> {
    let mut regions: Vec<Region> = Vec::new();
    for side in Side::BOTH {
        for (&block, guard) in &segments[side.index()].blocks {
            let guard = guard.conjuncts().to_vec();
            of_block(prover, side, block, &guard, segments, &mut regions);
        }
    }
    // Those first that say most.
    let choices: [fn(&&Region) -> bool; 4] = [
        |region| !region.is_silent && !region.is_coarse,
        |region| !region.is_coarse,
        |region| !region.is_silent,
        |_| true,
    ];
    choices.iter().find_map(|choice| {
        let chosen: Vec<Region> = regions.iter().filter(choice).cloned().collect();
        covering(prover, weakest(chosen), parting)
    })
}

/// Those of some regions that all of some conditions are due to.
fn covering(prover: &mut Prover<'_, '_>, regions: Vec<Region>, parting: &[Parting]) -> Option<Vec<Local>> {
    if regions.is_empty() || regions.len() > MAX_REGIONS {
        return None;
    }
    let entered: Vec<Expr> = regions.iter().map(|region| conjunction(&mut prover.pool, &region.conditions)).collect();
    let mut kept: Vec<usize> = (0..regions.len()).collect();
    if !due_to(prover, parting, &regions, &entered, &kept) {
        return None;
    }
    // What is not needed is no place where versions part.
    for candidate in (0..regions.len()).rev() {
        let rest: Vec<usize> = kept.iter().copied().filter(|at| *at != candidate).collect();
        if !rest.is_empty() && due_to(prover, parting, &regions, &entered, &rest) {
            kept = rest;
        }
    }
    let mut locals = Vec::new();
    for at in kept {
        let region = &regions[at];
        // Exact if the versions part whenever it is entered.
        let certain: Vec<&Parting> = parting.iter().filter(|part| part.exact && region.is_before(part)).collect();
        let stays: Vec<Expr> =
            certain.iter().map(|part| prover.pool.not(part.condition)).chain([entered[at]]).collect();
        let exact = !prover.meets_difference && !certain.is_empty() && prover.oracle.refutes(&mut prover.pool, &stays);
        locals.push(local(prover, region, exact));
    }
    Some(locals)
}

/// Whether each of some conditions holds only where a region was entered before that versions part.
fn due_to(
    prover: &mut Prover<'_, '_>,
    parting: &[Parting],
    regions: &[Region],
    entered: &[Expr],
    kept: &[usize],
) -> bool {
    parting.iter().all(|part| {
        let before = kept.iter().filter(|&&at| regions[at].is_before(part));
        let mut all: Vec<Expr> = before.map(|&at| prover.pool.not(entered[at])).collect();
        all.push(part.condition);
        prover.oracle.refutes(&mut prover.pool, &all)
    })
}

impl Region {
    /// Whether it begins no later than where versions part.
    fn is_before(&self, part: &Parting) -> bool {
        part.positions[self.side.index()].is_none_or(|position| self.position <= position)
    }
}

/// Regions that are not inside of others that begin before them.
fn weakest(regions: Vec<Region>) -> Vec<Region> {
    let is_inside = |inner: &Region, outer: &Region| {
        outer.side == inner.side
            && outer.position <= inner.position
            && outer.conditions.len() < inner.conditions.len()
            && outer.conditions.iter().all(|condition| inner.conditions.contains(condition))
    };
    let mut kept: Vec<Region> = Vec::new();
    let inside: Vec<bool> = regions.iter().map(|inner| regions.iter().any(|outer| is_inside(inner, outer))).collect();
    for (region, inside) in regions.into_iter().zip(inside) {
        match kept.iter_mut().find(|other| other.conditions == region.conditions) {
            Some(other) => {
                if other.old.is_empty() {
                    other.old.clone_from(&region.old);
                }
                if other.new.is_empty() {
                    other.new.clone_from(&region.new);
                }
                // What the new version does is where people look.
                let is_new = other.side == Side::Old && region.side == Side::New;
                if is_new || other.side == region.side && region.position < other.position {
                    (other.side, other.at, other.position) = (region.side, region.at, region.position);
                }
            }
            None if inside => {}
            None => kept.push(region),
        }
    }
    kept
}

/// The regions that a block of a version has.
fn of_block(
    prover: &mut Prover<'_, '_>,
    side: Side,
    block: BlockId,
    guard: &[Expr],
    segments: [&Segment; 2],
    regions: &mut Vec<Region>,
) {
    let version = prover.versions[side.index()].clone();
    let diff = prover.diff;
    let partners = if side == Side::Old { &diff.old_blocks } else { &diff.new_blocks };
    let has_partner = |block: BlockId| partners.get(block.index()).copied().flatten().is_some();
    let insts = &version.function.blocks[block].insts;
    let begin = version.position[block.index()].unwrap_or_default();
    let first = insts.iter().find_map(|inst| version.function.insts[*inst].loc);
    let action = insts.iter().find_map(|inst| sources::action(&version, &version.function.insts[*inst].kind));
    let action = action.or_else(|| sources::returned(&version, block));
    let told = |text: Option<String>| match side {
        Side::Old => (text.unwrap_or_default(), String::new()),
        Side::New => (String::new(), text.unwrap_or_default()),
    };
    if !has_partner(block) {
        let both = segments[side.index()].blocks.iter().filter(|(other, outer)| {
            has_partner(**other) && outer.conjuncts().iter().all(|condition| guard.contains(condition))
        });
        let outer = both.max_by_key(|(_, outer)| outer.conjuncts().len()).map(|(_, outer)| outer.conjuncts().to_vec());
        let outer = outer.unwrap_or_default();
        let shown = guard.iter().copied().filter(|condition| !outer.contains(condition)).collect();
        let (old, new) = told(action);
        let is_silent = !insts.iter().any(|inst| does_something(&version, *inst));
        // Of code that only leads on, the branch that leads to it says more.
        let branch = if is_silent { branch_to(&version, block) } else { None };
        let first = branch.or(first);
        // Where ways meet, the code before says more.
        let is_coarse = is_silent && branch.is_none();
        let position = (begin, 0);
        let conditions = guard.to_vec();
        regions.push(Region { side, position, conditions, shown, at: first, old, new, is_silent, is_coarse });
        return;
    }
    for (at_inst, &inst) in insts.iter().enumerate() {
        let position = (begin, at_inst);
        let kind = &version.function.insts[inst].kind;
        let fate = if side == Side::Old { diff.of_old(inst) } else { diff.of_new(inst) };
        if fate.status == Status::Unchanged || matches!(kind, InstKind::Marker(_) | InstKind::Alloca { .. }) {
            continue;
        }
        let at = version.function.insts[inst].loc.or(first);
        let differs = fate.partner.and_then(|partner| differs(prover, side, (inst, partner), segments));
        let (old, new) = told(sources::action(&version, kind));
        match differs {
            Some(condition) if condition.is_false() => {}
            Some(condition) => {
                let mut conditions = guard.to_vec();
                conditions.push(condition);
                let shown = vec![condition];
                let (is_silent, is_coarse) = (false, false);
                regions.push(Region { side, position, conditions, shown, at, old, new, is_silent, is_coarse });
            }
            None if is_effect(&version, inst) => {
                let conditions = guard.to_vec();
                let is_coarse = kind.is_terminator() && kind.call().is_none();
                let (shown, is_silent) = (Vec::new(), false);
                regions.push(Region { side, position, conditions, shown, at, old, new, is_silent, is_coarse });
            }
            None => {}
        }
    }
}

/// When an instruction computes something else than its partner, or branches elsewhere; nothing if that cannot be said.
fn differs(
    prover: &mut Prover<'_, '_>,
    side: Side,
    (inst, partner): (InstId, InstId),
    segments: [&Segment; 2],
) -> Option<Expr> {
    let other = if side == Side::Old { Side::New } else { Side::Old };
    let kinds = [(side, inst), (other, partner)].map(|(side, inst)| {
        let version = &prover.versions[side.index()];
        (version.function.insts[inst].kind.clone(), inst, side)
    });
    let mut compared: Vec<Vec<Val>> = Vec::with_capacity(2);
    for (kind, inst, side) in &kinds {
        let env = &segments[side.index()].env;
        compared.push(match kind {
            InstKind::CondBr { condition, .. } => vec![operand(prover, *side, env, *condition)?],
            InstKind::Ret(Some(value)) => vec![operand(prover, *side, env, *value)?],
            InstKind::Store { value, ptr, access } if !access.volatile && access.ordering.is_none() => {
                vec![operand(prover, *side, env, *ptr)?, operand(prover, *side, env, *value)?]
            }
            InstKind::Call(call) if calls_the_same(prover, &kinds) => {
                let args = call.args.iter().map(|&arg| operand(prover, *side, env, arg));
                args.collect::<Option<_>>()?
            }
            InstKind::Store { .. } | InstKind::Call(_) => return None,
            kind if kind.is_terminator() => return None,
            _ => vec![env.get(inst)?.clone()],
        });
    }
    let [olds, news] = &compared[..] else { return None };
    if olds.len() != news.len() {
        return None;
    }
    let pool = &mut prover.pool;
    let mut any = Expr::bool(false);
    for (a, b) in olds.iter().zip(news) {
        a.zip(b, &mut |a, b| {
            let are_literals = a != b && prover.literals.contains(&a) && prover.literals.contains(&b);
            if pool.width(a) != pool.width(b) || are_literals {
                any = Expr::bool(true);
            } else {
                let other = pool.ne(a, b);
                any = pool.or(any, other);
            }
            a
        })?;
    }
    Some(any)
}

/// Whether two instructions are calls of one function.
fn calls_the_same(prover: &mut Prover<'_, '_>, kinds: &[(InstKind, InstId, Side); 2]) -> bool {
    let callees = kinds.each_ref().map(|(kind, _, side)| {
        let module = prover.versions[side.index()].module;
        Some(prover.key(*side, module.functions[module.called_function(kind)?].symbol))
    });
    callees[0].is_some() && callees[0] == callees[1]
}

/// What an operand is in a stretch of code.
fn operand(prover: &mut Prover<'_, '_>, side: Side, env: &FxHashMap<InstId, Val>, value: Value) -> Option<Val> {
    match value {
        Value::Inst(inst) => env.get(&inst).cloned(),
        Value::Arg(index) => prover.argument(side, index).ok(),
        Value::Const(id) => prover.constant(side, id).ok(),
    }
}

/// Where the branch stands that leads to a block, if that is the only way there.
fn branch_to(version: &Version<'_>, block: BlockId) -> Option<LocId> {
    let all = version.function.blocks.ids().filter_map(|other| version.function.terminator(other));
    let mut before = all.filter(|inst| inst.kind.successors().contains(&block));
    let branch = before.next().filter(|inst| inst.kind.successors().len() > 1)?;
    if before.next().is_some() { None } else { branch.loc }
}

/// Whether an instruction does something that others see, or decides where to go.
fn is_effect(version: &Version<'_>, inst: InstId) -> bool {
    let kind = &version.function.insts[inst].kind;
    match kind {
        InstKind::Br(_) => false,
        InstKind::Store { .. } | InstKind::AtomicRmw(_) | InstKind::CompareExchange(_) | InstKind::Fence { .. } => true,
        InstKind::Call(_) => sources::action(version, kind).is_some(),
        kind => kind.is_terminator(),
    }
}

/// The same but for branches and returns.
fn does_something(version: &Version<'_>, inst: InstId) -> bool {
    let kind = &version.function.insts[inst].kind;
    let leads_on = matches!(kind, InstKind::CondBr { .. } | InstKind::Switch { .. } | InstKind::Ret(_));
    !leads_on && is_effect(version, inst)
}

fn local(prover: &mut Prover<'_, '_>, region: &Region, exact: bool) -> Local {
    let version = &prover.versions[region.side.index()];
    let line = region.at.and_then(|at| places::line(version.module, at));
    let of_old = region.side == Side::Old && line.is_some();
    let (file, line) = line.or_else(|| places::first_changed(prover)).unwrap_or_default();
    let mut condition = conjunction(&mut prover.pool, &region.shown);
    if condition.is_true() {
        // What always differs there differs whenever it is reached.
        condition = conjunction(&mut prover.pool, &region.conditions);
    }
    // What leads there may be left out where other code leads there, too, and versions need not part then.
    let is_whole = region.shown.is_empty() || prover.versions.iter().all(|version| version.cuts.is_empty());
    let (condition, is_all) = places::readable(prover, condition);
    let always = condition.is_true();
    let condition = smt::show::show(&prover.pool, condition);
    Local {
        file,
        line,
        of_old,
        condition,
        always,
        exact: exact && is_all && is_whole,
        effect: Effect::Control,
        old: region.old.clone(),
        new: region.new.clone(),
    }
}
