//! What is known of all functions, from the leaves of the call graph up.
//!
//! A function is *the same* if its own code did not change and all that it uses is the same, or if both versions of it are
//! related with what it calls known. Functions that call each other are one component: they are assumed to do the same while
//! each of them that changed is proved, and if one proof fails none of it counts (Godlin and Strichman's rule).
//!
//! A call through a pointer may get to every function of the program whose address is taken and that has as many parameters.

use crate::answer::Answer;
use crate::keys::{Side, classes_of};
use crate::oracle::Oracle;
use crate::prover::{Prover, Sharing};
use crate::relation::{Mode, relate};
use crate::value::shape;
use crate::version::{Version, is_loop_free};
use analysis::externals::externals;
use change::{Changes, FunctionDiff, Kind};
use evidence::assumption::Callers;
use evidence::{Assumption, Gap};
use ir::attrs::AttrFlag;
use ir::id::{Arena, FuncId, Id, InstId, SymbolId};
use ir::inst::{Call, Callee, InstKind, Value};
use ir::module::{Function, Module, SymbolKind};
use rustc_hash::FxHashSet;
use smt::solver::Limits;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How to summarise.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Limits of solvers, and when to stop.
    pub limits: Limits,
    /// Time for one function.
    pub time: Duration,
    /// Whether to find out where a change that is not proved is confined to.
    pub confine: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { limits: Limits::default(), time: Duration::from_secs(5), confine: true }
    }
}

/// What is known of functions by their positions in [`Changes::functions`].
#[derive(Clone, Debug, Default)]
pub struct Summaries {
    /// Functions whose own code changed, and what came of it.
    pub answers: BTreeMap<usize, Answer>,
    /// Functions that do the same whatever the state, with what that rests on.
    pub same: BTreeMap<usize, BTreeSet<Assumption>>,
    /// Milliseconds that each answer took.
    pub millis: BTreeMap<usize, u64>,
}

/// Summarises all functions that both versions have. Functions of the new version in `unrelated` do not mean the same by equal
/// addresses and bytes, because a record that they use changed: nothing is claimed of them.
pub fn summarise(
    old: &Module,
    new: &Module,
    changes: &Changes,
    unrelated: &BTreeSet<FuncId>,
    options: &Options,
) -> Summaries {
    let graph = Graph::new(old, new, changes, unrelated);
    let mut found = Summaries::default();
    for component in graph.components() {
        if options.limits.is_over() {
            break;
        }
        graph.component(&component, options, &mut found);
    }
    graph.settle_outside(&mut found);
    found
}

/// What is taken in of callees.
const TAKEN_IN: ir::inline::Limits = ir::inline::Limits { instructions: 1500, depth: 3 };

/// Most instructions of a tiny callee.
const MAX_TINY: usize = 80;

/// Functions that each function may get to through pointers, in either version, by positions in [`Changes::functions`].
pub fn behind_pointers(old: &Module, new: &Module, changes: &Changes) -> BTreeMap<usize, BTreeSet<usize>> {
    let none = BTreeSet::new();
    let graph = Graph::new(old, new, changes, &none);
    let mut found: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (position, function) in changes.functions.iter().enumerate().filter(|(at, _)| graph.calls_pointers[*at]) {
        for (side, id) in [(Side::Old, function.old), (Side::New, function.new)] {
            let reached = id.map(|id| graph.pointees(side, id)).unwrap_or_default();
            found.entry(position).or_default().extend(reached);
        }
    }
    found
}

/// Functions by their positions in the list of changes, and what they use.
struct Graph<'m> {
    modules: [&'m Module; 2],
    changes: &'m Changes,
    unrelated: &'m BTreeSet<FuncId>,
    /// The position of each function, by version.
    positions: [Arena<FuncId, Option<usize>>; 2],
    /// What each function names, by position.
    uses: Vec<Vec<usize>>,
    /// Functions that name a variable that begins with something else, by itself or in the contents of others, and the variable.
    variables: BTreeMap<usize, String>,
    /// Functions that get to what changed assembly may define, and its name.
    assembled: BTreeMap<usize, String>,
    /// Functions whose address is taken, by version.
    taken: [BTreeSet<FuncId>; 2],
    /// Whether a function calls through pointers, by position.
    calls_pointers: Vec<bool>,
    /// Functions without code of which it is known what they do, by version.
    known: [Arena<FuncId, bool>; 2],
}

impl<'m> Graph<'m> {
    fn new(old: &'m Module, new: &'m Module, changes: &'m Changes, unrelated: &'m BTreeSet<FuncId>) -> Graph<'m> {
        let modules = [old, new];
        let positions = [0, 1].map(|side: usize| {
            let mut positions: Arena<FuncId, Option<usize>> = modules[side].functions.ids().map(|_| None).collect();
            for (position, function) in changes.functions.iter().enumerate() {
                let id = if side == 0 { function.old } else { function.new };
                if let Some(id) = id {
                    positions[id] = Some(position);
                }
            }
            positions
        });
        let taken = modules.map(taken);
        let mut graph = Graph {
            modules,
            changes,
            unrelated,
            positions,
            uses: Vec::new(),
            variables: BTreeMap::new(),
            assembled: BTreeMap::new(),
            taken,
            calls_pointers: Vec::new(),
            known: modules.map(|module| externals(module).iter().map(Option::is_some).collect()),
        };
        let all_uses = modules.map(change::hashes::uses);
        let changed_variables = [0, 1].map(|side: usize| {
            let changed = changes.globals.iter().filter(|global| global.kind == Kind::Changed);
            let symbols = changed.filter_map(|global| {
                let id = if side == 0 { global.old } else { global.new };
                Some((modules[side].globals[id?].symbol, global.name.as_str()))
            });
            symbols.collect::<BTreeMap<SymbolId, &str>>()
        });
        let assembled = change::behind_changed_assembly(old, new);
        for (position, function) in changes.functions.iter().enumerate() {
            let mut used = BTreeSet::new();
            let mut pointers = false;
            for (side, id) in [(0, function.old), (1, function.new)] {
                let Some(id) = id else { continue };
                let module = modules[side];
                if let Some(name) = assembled[side].get(&module.functions[id].symbol) {
                    graph.assembled.insert(position, name.clone());
                }
                let mut todo: Vec<SymbolId> = vec![module.functions[id].symbol];
                let mut seen: FxHashSet<SymbolId> = FxHashSet::default();
                // Variables are followed to the functions in their contents, functions are not.
                while let Some(symbol) = todo.pop() {
                    for &next in &all_uses[side][symbol.index()] {
                        if !seen.insert(next) {
                            continue;
                        }
                        match module.symbols[next].kind {
                            SymbolKind::Function(callee) => used.extend(graph.positions[side][callee]),
                            _ => todo.push(next),
                        }
                        // Memory behind it is not the same when the program begins.
                        if let Some(&name) = changed_variables[side].get(&next) {
                            graph.variables.entry(position).or_insert_with(|| name.to_owned());
                        }
                    }
                }
                pointers |= calls_pointers(module, id, &graph.known[side]);
            }
            graph.calls_pointers.push(pointers);
            used.remove(&position);
            graph.uses.push(used.into_iter().collect());
        }
        graph
    }

    /// Functions that call each other, those that are called first.
    fn components(&self) -> Vec<Vec<usize>> {
        let pointed = self.pointed();
        let mut edges: Vec<Vec<usize>> = self.uses.clone();
        for (position, uses) in edges.iter_mut().enumerate() {
            if self.calls_pointers[position] {
                uses.extend(&pointed);
            }
        }
        strongly_connected(&edges)
    }

    /// Functions whose address is taken in a version.
    fn pointed(&self) -> BTreeSet<usize> {
        let of = |side: usize| self.taken[side].iter().filter_map(move |&id| self.positions[side][id]);
        of(0).chain(of(1)).collect()
    }

    /// Finds out which members of a component do the same: the greatest set of which each is proved with the help of the others.
    fn component(&self, members: &[usize], options: &Options, found: &mut Summaries) {
        self.untouched(members, found);
        let is_in_both =
            |member: &usize| matches!(self.changes.functions[*member].kind, Kind::Changed | Kind::Unchanged);
        let is_known = |member: &usize| found.same.contains_key(member);
        let members: Vec<usize> = members.iter().copied().filter(|one| is_in_both(one) && !is_known(one)).collect();
        let mut assumed: BTreeSet<usize> = members.iter().copied().collect();
        let mut proofs: BTreeMap<usize, BTreeSet<Assumption>> = BTreeMap::new();
        loop {
            for &member in &assumed {
                if proofs.contains_key(&member) {
                    continue;
                }
                let proof = match self.changes.functions[member].kind {
                    Kind::Changed => match self.answer(member, &assumed, options, found) {
                        Answer::Same(assumptions) => Some(assumptions),
                        Answer::Confined(..) | Answer::Open(_) => None,
                    },
                    _ => self.inherited(member, &assumed, found),
                };
                proofs.extend(proof.filter(are_inherited).map(|assumptions| (member, assumptions)));
            }
            let failed: BTreeSet<usize> = assumed.iter().copied().filter(|one| !proofs.contains_key(one)).collect();
            if failed.is_empty() {
                break;
            }
            assumed.retain(|member| !failed.contains(member));
            // What was proved with the help of an assumption that does not hold is proved again without it.
            proofs.retain(|member, _| !self.rests_on(*member, &failed));
        }
        // Each of them was proved with the help of all others.
        let together: BTreeSet<Assumption> = proofs.values().flatten().cloned().collect();
        for (&member, assumptions) in &mut proofs {
            assumptions.extend(together.iter().cloned());
            if let Some(Answer::Same(own)) = found.answers.get_mut(&member) {
                own.clone_from(assumptions);
            }
        }
        found.same.extend(proofs);
        // Whatever else is claimed of a member must not rest on others that differ; calls of itself do the same by induction.
        let differing: BTreeSet<usize> = members.iter().copied().filter(|one| !assumed.contains(one)).collect();
        for &member in &members {
            let is_changed = self.changes.functions[member].kind == Kind::Changed;
            let claims = !matches!(found.answers.get(&member), None | Some(Answer::Open(_)));
            if is_changed && claims && !assumed.contains(&member) && self.rests_on(member, &differing) {
                self.answer(member, &BTreeSet::from([member]), options, found);
            }
        }
    }

    /// Whether what is found out about a member may rest on others doing the same: it may call them, by name, through pointers, or
    /// through functions outside.
    fn rests_on(&self, member: usize, others: &BTreeSet<usize>) -> bool {
        let is_exported = |&other: &usize| {
            let ids = [self.changes.functions[other].old, self.changes.functions[other].new];
            self.modules.iter().zip(ids).any(|(module, id)| {
                id.is_some_and(|id| !module.symbols[module.functions[id].symbol].linkage.is_local())
            })
        };
        // Callees that differ are compared in place, and theirs.
        let mut callers = BTreeSet::from([member]);
        for _ in 0..TAKEN_IN.depth {
            callers.extend(callers.clone().into_iter().flat_map(|caller| self.uses[caller].iter().copied()));
        }
        callers.into_iter().any(|caller| {
            !self.used(caller).is_disjoint(others) || self.calls_pointers[caller] && others.iter().any(is_exported)
        })
    }

    /// Relates both versions of a function whose own code changed, and notes what came of it and how long it took.
    fn answer(&self, member: usize, assumed: &BTreeSet<usize>, options: &Options, found: &mut Summaries) -> Answer {
        let begun = Instant::now();
        // A defect of ours costs this function and no other.
        let related = catch_unwind(AssertUnwindSafe(|| self.relate(member, assumed, options, found)));
        let answer = related.unwrap_or(Answer::Open(Gap::OwnFailure));
        *found.millis.entry(member).or_default() += begun.elapsed().as_millis() as u64;
        found.answers.insert(member, answer.clone());
        answer
    }

    /// Members that do the same because nothing changed in them or in anything that they may call: all of these together, as they may
    /// call each other.
    fn untouched(&self, members: &[usize], found: &mut Summaries) {
        let mut rest: BTreeSet<usize> =
            members.iter().copied().filter(|&member| self.changes.functions[member].same).collect();
        loop {
            let holds = |member: &usize| {
                self.used(*member).iter().all(|used| found.same.contains_key(used) || rest.contains(used))
            };
            let kept: BTreeSet<usize> = rest.iter().copied().filter(holds).collect();
            if kept.len() == rest.len() {
                break;
            }
            rest = kept;
        }
        let of_callees = rest.iter().flat_map(|member| self.used(*member)).filter_map(|used| found.same.get(&used));
        let mut together: BTreeSet<Assumption> = of_callees.flatten().cloned().collect();
        together.extend(rest.iter().flat_map(|member| self.outside(*member)));
        found.same.extend(rest.into_iter().map(|member| (member, together.clone())));
    }

    /// What an unchanged function assumes of functions outside that it calls: that they do not get to what differs by its name.
    fn outside(&self, member: usize) -> BTreeSet<Assumption> {
        let Some(id) = self.changes.functions[member].new else { return BTreeSet::new() };
        let module = self.modules[Side::New.index()];
        let called = module.functions[id].body().filter_map(|(_, _, inst)| module.called_function(&inst.kind));
        let called: BTreeSet<FuncId> = called.filter(|&callee| self.positions[1][callee].is_none()).collect();
        let called = called.into_iter().filter(|&callee| self.calls_back(Side::New, callee));
        let called: Vec<FuncId> = called.filter(|&callee| !self.known[1][callee]).collect();
        let named =
            |callee: FuncId| Assumption::OutsideDeterministic { function: module.function_name(callee).to_owned() };
        called.into_iter().map(named).collect()
    }

    /// What an unchanged function rests on, if all that it uses is the same.
    fn inherited(&self, member: usize, assumed: &BTreeSet<usize>, found: &Summaries) -> Option<BTreeSet<Assumption>> {
        if self.variables.contains_key(&member) || self.assembled.contains_key(&member) {
            return None;
        }
        let mut all = self.outside(member);
        for used in self.used(member) {
            match found.same.get(&used) {
                Some(assumptions) => all.extend(assumptions.iter().cloned()),
                None if assumed.contains(&used) => {}
                None => return None,
            }
        }
        Some(all)
    }

    /// What a function uses, by name or through pointers.
    fn used(&self, member: usize) -> BTreeSet<usize> {
        let mut used: BTreeSet<usize> = self.uses[member].iter().copied().collect();
        if self.calls_pointers[member] {
            used.extend(self.pointed());
        }
        used
    }

    /// Relates both versions of a function whose own code changed.
    fn relate(&self, member: usize, assumed: &BTreeSet<usize>, options: &Options, found: &Summaries) -> Answer {
        let function = &self.changes.functions[member];
        let (Some(old), Some(new), Some(diff)) = (function.old, function.new, &function.diff) else {
            return Answer::Open(Gap::OtherSignature);
        };
        if self.unrelated.contains(&new) {
            return Answer::Open(Gap::NoRelation { why: "a record that it uses changed".into() });
        }
        if self.modules[0].layout.text != self.modules[1].layout.text
            || self.modules[0].triple != self.modules[1].triple
            || self.modules[0].layout.big_endian
        {
            return Answer::Open(Gap::NoRelation { why: "the targets differ".into() });
        }
        if !self.same_signature(old, new, diff) {
            return Answer::Open(Gap::OtherSignature);
        }
        if let Some(name) = self.variables.get(&member) {
            return Answer::Open(Gap::NoRelation { why: format!("{name} begins with something else") });
        }
        if let Some(name) = self.assembled.get(&member) {
            return Answer::Open(Gap::NoRelation { why: format!("assembly that may define {name} changed") });
        }
        let sharing = |side: Side, callee: FuncId| self.sharing(side, callee, assumed, found);
        let behind_pointer = |side: Side, call: &Call| self.behind_pointer(side, call, assumed, found);
        let begun = Instant::now();
        let run = |modules: [&Module; 2], diff: &FunctionDiff, mode: Mode, percent: u32| {
            let until = begun + options.time * percent / 100;
            let until = options.limits.until.map_or(until, |limit| limit.min(until));
            let versions = [Rc::new(Version::new(modules[0], old)), Rc::new(Version::new(modules[1], new))];
            let oracle = Oracle::new(Limits { until: Some(until), ..options.limits });
            let mut prover = Prover::new(versions, self.changes, diff, &sharing, &behind_pointer, oracle);
            relate(&mut prover, mode)
        };
        // Ways of looking, each with what time those before it leave. What one of them does not prove another one may.
        let mut answer = run(self.modules, diff, Mode::Prove, 40);
        let mut in_place = None;
        if !matches!(answer, Answer::Same(_)) {
            in_place = self.with_callees([old, new], diff, &sharing);
            if let Some((modules, diff)) = &in_place
                && let proof @ Answer::Same(_) = run(modules.each_ref(), diff, Mode::Prove, 60)
            {
                answer = proof;
            }
        }
        if options.confine && !matches!(answer, Answer::Same(_)) {
            answer = run(self.modules, diff, Mode::Confine, 100);
            let says_nothing = match &answer {
                Answer::Confined(locals, _) => locals.iter().any(|local| local.always),
                Answer::Open(_) => true,
                Answer::Same(_) => false,
            };
            if let Some((modules, diff)) = in_place.as_ref().filter(|_| says_nothing) {
                match run(modules.each_ref(), diff, Mode::Confine, 100) {
                    Answer::Confined(locals, _) if locals.iter().any(|local| local.always) => {}
                    other @ (Answer::Confined(..) | Answer::Same(_)) => answer = other,
                    Answer::Open(_) => {}
                }
            }
        }
        if let Answer::Same(assumptions) | Answer::Confined(_, assumptions) = &mut answer
            && self.promises(old, new, AttrFlag::NoAlias)
        {
            assumptions.insert(Assumption::NoAliases);
        }
        answer
    }

    /// Both modules with bodies of callees in place of their calls in a function, if there are calls for that: of callees that may
    /// differ, and of tiny ones that only one version calls there.
    fn with_callees(
        &self,
        functions: [FuncId; 2],
        diff: &FunctionDiff,
        sharing: &dyn Fn(Side, FuncId) -> Sharing,
    ) -> Option<([Module; 2], FunctionDiff)> {
        let callee_of = |side: Side, call: InstId| {
            let module = self.modules[side.index()];
            let inst = module.functions[functions[side.index()]].insts.get(call)?;
            Some(module.functions[module.called_function(&inst.kind)?].symbol)
        };
        let is_matched = |side: Side, call: InstId| {
            let fates = if side == Side::Old { &diff.old } else { &diff.new };
            let partner = fates.get(call.index()).and_then(|fate| fate.partner);
            let other = if side == Side::Old { Side::New } else { Side::Old };
            let symbols = callee_of(side, call).zip(partner.and_then(|partner| callee_of(other, partner)));
            symbols.is_some_and(|(own, others)| match side {
                Side::Old => self.changes.matching.new_of(own) == Some(others),
                Side::New => self.changes.matching.old_of(own) == Some(others),
            })
        };
        let wanted = |side: Side, call: InstId, callee: FuncId| {
            let module = self.modules[side.index()];
            let function = &module.functions[callee];
            let mut called = function.body().filter_map(|(_, _, inst)| module.called_function(&inst.kind));
            if !function.is_defined() || called.any(|called| called == callee) {
                return false;
            }
            match sharing(side, callee) {
                Sharing::Differs => function.insts.len() <= TAKEN_IN.instructions,
                Sharing::Same(_) => {
                    function.insts.len() <= MAX_TINY && is_loop_free(function) && !is_matched(side, call)
                }
            }
        };
        let calls_wanted = |side: Side| {
            let module = self.modules[side.index()];
            let mut body = module.functions[functions[side.index()]].body();
            body.any(|(_, id, inst)| module.called_function(&inst.kind).is_some_and(|of| wanted(side, id, of)))
        };
        if !Side::BOTH.into_iter().any(calls_wanted) {
            return None;
        }
        let mut replaced = 0;
        let modules = Side::BOTH.map(|side| {
            let mut module = self.modules[side.index()].clone();
            let caller = functions[side.index()];
            let wanted = |call: InstId, callee: FuncId| wanted(side, call, callee);
            replaced += ir::inline::inline_calls(&mut module, caller, TAKEN_IN, wanted);
            module
        });
        let diff = change::compare_function(&modules[0], &modules[1], &self.changes.matching, functions.into());
        (replaced > 0).then_some((modules, diff))
    }

    fn same_signature(&self, old: FuncId, new: FuncId, diff: &FunctionDiff) -> bool {
        let [a, b] = [&self.modules[0].functions[old], &self.modules[1].functions[new]];
        let signature = |side: usize, function: &Function| {
            let module = self.modules[side];
            let (result, _, variadic) = module.types.signature(function.ty)?;
            let mut classes = Vec::new();
            classes_of(module, result, Some(function.result_attrs), &mut classes);
            let mut shapes = vec![shape(module, result)];
            for param in &function.params {
                classes_of(module, param.ty, Some(param.attrs), &mut classes);
                shapes.push(shape(module, param.ty));
            }
            Some((shapes, classes, variadic, function.convention))
        };
        !self.promises(old, new, AttrFlag::NonNull)
            && signature(0, a).is_some_and(|known| signature(1, b) == Some(known))
            && diff.params.iter().enumerate().all(|(at, partner)| *partner == Some(at as u32))
    }

    /// Whether the new version, and not the old one, is promised something of a parameter: it may do anything otherwise.
    fn promises(&self, old: FuncId, new: FuncId, flag: AttrFlag) -> bool {
        let has = |side: usize, id: FuncId| {
            let (module, params) = (self.modules[side], &self.modules[side].functions[id].params);
            params.iter().map(move |param| module.attrs[param.attrs].has(flag))
        };
        has(0, old).zip(has(1, new)).any(|(old, new)| new && !old)
    }

    /// Whether a function does the same wherever it is called.
    fn sharing(&self, side: Side, callee: FuncId, assumed: &BTreeSet<usize>, found: &Summaries) -> Sharing {
        let module = self.modules[side.index()];
        let Some(position) = self.positions[side.index()][callee] else {
            // Neither version defines it.
            let symbol = module.functions[callee].symbol;
            let partner = match side {
                Side::Old => self.changes.matching.new_of(symbol),
                Side::New => self.changes.matching.old_of(symbol),
            };
            if partner.is_none() {
                return Sharing::Differs;
            }
            if self.calls_back(side, callee) && self.pointed_differs(side, assumed, found) {
                return Sharing::Differs;
            }
            // Functions of the table do what their specification says.
            if self.known[side.index()][callee] {
                return Sharing::Same(Vec::new());
            }
            let function = module.function_name(callee).to_owned();
            return Sharing::Same(vec![Assumption::OutsideDeterministic { function }]);
        };
        match found.same.get(&position) {
            Some(assumptions) => Sharing::Same(assumptions.iter().cloned().collect()),
            None if assumed.contains(&position) => Sharing::Same(Vec::new()),
            None => Sharing::Differs,
        }
    }

    /// Whether a function without code may call functions of the program whose addresses are taken.
    fn calls_back(&self, side: Side, callee: FuncId) -> bool {
        let module = self.modules[side.index()];
        calls_back(module, callee, self.known[side.index()][callee])
    }

    /// Whether some function whose address is taken differs.
    fn pointed_differs(&self, side: Side, assumed: &BTreeSet<usize>, found: &Summaries) -> bool {
        let positions = self.taken[side.index()].iter().filter_map(|&id| self.positions[side.index()][id]);
        positions.into_iter().any(|position| !found.same.contains_key(&position) && !assumed.contains(&position))
    }

    /// What is called outside may call functions of the program by their names. Where one of them differs, a proof assumes that it
    /// does not; only at the end it is known whether one does.
    fn settle_outside(&self, found: &mut Summaries) {
        let is_known = |position: usize| found.same.contains_key(&position) || self.changes.functions[position].same;
        let differs = Side::BOTH.into_iter().any(|side| {
            let module = self.modules[side.index()];
            self.positions[side.index()].iter_ids().any(|(id, position)| {
                let is_exported = || !module.symbols[module.functions[id].symbol].linkage.is_local();
                position.is_some_and(|position| !is_known(position)) && is_exported()
            })
        });
        if !differs {
            return;
        }
        let settle = |assumptions: &mut BTreeSet<Assumption>| {
            let settled = |one: Assumption| match one {
                Assumption::OutsideDeterministic { function } => Assumption::OutsideAnswers { function },
                other => other,
            };
            *assumptions = std::mem::take(assumptions).into_iter().map(settled).collect();
        };
        found.same.values_mut().for_each(settle);
        for answer in found.answers.values_mut() {
            if let Answer::Same(assumptions) | Answer::Confined(_, assumptions) = answer {
                settle(assumptions);
            }
        }
    }

    /// Whether all functions that a call through a pointer may get to do the same.
    fn behind_pointer(&self, side: Side, call: &Call, assumed: &BTreeSet<usize>, found: &Summaries) -> Sharing {
        let module = self.modules[side.index()];
        let mut assumptions = BTreeSet::new();
        for &id in &self.taken[side.index()] {
            match self.sharing(side, id, assumed, found) {
                Sharing::Differs if fits(module, call, id) => return Sharing::Differs,
                // To call it through a pointer of another type is undefined, and works on most machines.
                Sharing::Differs => {
                    assumptions.insert(Assumption::FunctionTypes);
                }
                Sharing::Same(of_callee) => assumptions.extend(of_callee),
            }
        }
        Sharing::Same(assumptions.into_iter().collect())
    }

    /// Functions that a function may get to through pointers, or through functions outside that call back.
    fn pointees(&self, side: Side, id: FuncId) -> BTreeSet<usize> {
        let module = self.modules[side.index()];
        let mut found = BTreeSet::new();
        for (_, _, inst) in module.functions[id].body() {
            let Some(call) = inst.kind.call() else { continue };
            let may_get_to = |&target: &FuncId| match module.called_function(&inst.kind) {
                Some(callee) => !module.functions[callee].is_defined() && self.calls_back(side, callee),
                None => matches!(call.callee, Callee::Value(_)) && fits(module, call, target),
            };
            let targets = self.taken[side.index()].iter().filter(|target| may_get_to(target));
            found.extend(targets.filter_map(|&target| self.positions[side.index()][target]));
        }
        found
    }
}

/// Whether a function has the type that it has to have where it is called through a pointer.
fn fits(module: &Module, call: &Call, function: FuncId) -> bool {
    let signature = |ty| {
        let (result, params, variadic) = module.types.signature(ty)?;
        let shapes: Vec<_> = params.iter().map(|&param| shape(module, param)).collect();
        Some((shape(module, result), shapes, variadic))
    };
    match (signature(call.function_ty), signature(module.functions[function].ty)) {
        (Some((_, _, false)), Some((_, _, true))) => false,
        (Some(called), Some(of)) => called.2 || called == of,
        _ => true,
    }
}

/// Whether callers may rest on a proof. What functions outside do is the same for callers, who say so, too.
fn are_inherited(assumptions: &BTreeSet<Assumption>) -> bool {
    let is_outside = |one: &Assumption| matches!(one, Assumption::OutsideAnswers { .. });
    assumptions.iter().all(|one| is_outside(one) || one.callers() == Callers::Inherit)
}

/// Functions of the table that call what they are given, at once or later.
const CALLING_BACK: [&str; 34] = [
    "qsort",
    "qsort_r",
    "bsearch",
    "lfind",
    "lsearch",
    "tsearch",
    "tfind",
    "tdelete",
    "twalk",
    "hsearch",
    "atexit",
    "on_exit",
    "__cxa_atexit",
    "__cxa_thread_atexit",
    "at_quick_exit",
    "signal",
    "sigaction",
    "pthread_create",
    "pthread_once",
    "thrd_create",
    "call_once",
    "scandir",
    "ftw",
    "nftw",
    "exit",
    "quick_exit",
    "err",
    "errx",
    "verr",
    "verrx",
    "pthread_exit",
    "thrd_exit",
    "abort",
    "raise",
];

/// Functions of the C++ runtime that call nothing of the program.
const RUNTIME: [&str; 4] =
    ["__cxa_allocate_exception", "__cxa_begin_catch", "__cxa_free_exception", "__cxa_get_exception_ptr"];

/// Whether a function without code may call functions of the program; `known` says that the table has it.
fn calls_back(module: &Module, id: FuncId, known: bool) -> bool {
    let name = module.function_name(id);
    !name.starts_with("llvm.") && !RUNTIME.contains(&name) && (!known || CALLING_BACK.contains(&name))
}

/// Whether a function calls through pointers, or calls something outside that may call back.
fn calls_pointers(module: &Module, id: FuncId, known: &Arena<FuncId, bool>) -> bool {
    module.functions[id].body().any(|(_, _, inst)| {
        let Some(call) = inst.kind.call() else { return false };
        match module.called_function(&inst.kind) {
            Some(callee) => !module.functions[callee].is_defined() && calls_back(module, callee, known[callee]),
            None => matches!(call.callee, Callee::Value(_)),
        }
    })
}

/// Functions whose address is used for anything but a call.
fn taken(module: &Module) -> BTreeSet<FuncId> {
    let mut taken = BTreeSet::new();
    let mut note = |constant| {
        let mut found = Vec::new();
        change::symbols_of_constant(module, constant, &mut found);
        taken.extend(found.into_iter().filter_map(|symbol| function_behind(module, symbol)));
    };
    for global in module.globals.iter() {
        global.initializer.into_iter().for_each(&mut note);
    }
    for function in module.functions.iter() {
        for (_, _, inst) in function.body().filter(|(_, _, inst)| !matches!(inst.kind, InstKind::Marker(_))) {
            let called = module.called_function(&inst.kind).is_some();
            let callee = inst.kind.call().filter(|_| called).map(|call| call.callee);
            let mut first = true;
            inst.kind.for_each_operand(|value| {
                let is_callee = std::mem::take(&mut first) && callee == Some(Callee::Value(value));
                if let (Value::Const(constant), false) = (value, is_callee) {
                    note(constant);
                }
            });
        }
    }
    taken
}

/// The function that a symbol is, or is another name of.
fn function_behind(module: &Module, symbol: SymbolId) -> Option<FuncId> {
    let mut symbol = symbol;
    // Names of names come to an end, unless somebody made them by hand.
    for _ in 0..module.symbols.len() {
        symbol = match module.symbols[symbol].kind {
            SymbolKind::Function(id) => return Some(id),
            SymbolKind::Alias { target, .. } => module.base_symbol(target)?,
            _ => return None,
        };
    }
    None
}

/// Strongly connected components, those that others lead to first (Tarjan 1972, without recursion).
fn strongly_connected(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const NONE: usize = usize::MAX;
    let count = edges.len();
    let (mut index, mut low, mut on_stack) = (vec![NONE; count], vec![0; count], vec![false; count]);
    let (mut stack, mut found, mut next) = (Vec::new(), Vec::new(), 0);
    for root in 0..count {
        if index[root] != NONE {
            continue;
        }
        let mut work = vec![(root, 0)];
        while let Some(&mut (node, ref mut at)) = work.last_mut() {
            if *at == 0 {
                (index[node], low[node]) = (next, next);
                next += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(&to) = edges[node].get(*at) {
                *at += 1;
                if index[to] == NONE {
                    work.push((to, 0));
                } else if on_stack[to] {
                    low[node] = low[node].min(index[to]);
                }
                continue;
            }
            if low[node] == index[node] {
                let mut component = Vec::new();
                while let Some(member) = stack.pop() {
                    on_stack[member] = false;
                    component.push(member);
                    if member == node {
                        break;
                    }
                }
                component.sort_unstable();
                found.push(component);
            }
            work.pop();
            if let Some(&mut (parent, _)) = work.last_mut() {
                low[parent] = low[parent].min(low[node]);
            }
        }
    }
    found
}
