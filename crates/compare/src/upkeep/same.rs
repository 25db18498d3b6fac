//! Which tests run through nothing that changed, and branches of one version in the other.
//!
//! A path of the old version exists unchanged in the new one if every instruction that it executes is the same, does the
//! same to corresponding values, and leads to the corresponding block. What a test executes follows from its turns: between
//! two branches control has no choice. Where that is not quite so, more is counted as executed than is: a call through
//! a pointer may be of any function whose address is taken, an `invoke` may go both ways. A call of a function that only the new
//! version has code for is not the same.
//!
//! Whatever else could make the same code behave differently ends the comparison: changed types, variables or signatures,
//! inputs that look different, variables that are constant in one version only, other names of variables and of functions whose
//! address is used, code that runs before `main`. Then no test counts as untouched.

use change::{Changes, FunctionDiff, Kind, Status, symbols_of_constant};
use exec::case::Turn;
use exec::program::Program;
use exec::shapes;
use ir::constant::ConstKind;
use ir::id::{BlockId, FuncId, Id, InstId};
use ir::inst::{Callee, InstKind, Value};
use ir::module::{Function, Module, SymbolKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Two versions of a program, seen from the old one.
pub struct Correspondence<'m> {
    old: &'m Module,
    /// By old function.
    functions: Vec<Pair<'m>>,
    by_name: FxHashMap<&'m str, FuncId>,
    /// Functions that a call through a pointer may be of.
    addressed: Vec<FuncId>,
    /// Functions without code here that have some there.
    filled: FxHashSet<FuncId>,
    /// Why nothing counts as untouched, if that is so.
    pub obstacle: Option<&'static str>,
}

#[derive(Default)]
struct Pair<'m> {
    new_name: Option<&'m str>,
    /// By old block: whether all in it is the same, phis aside.
    intact: Vec<bool>,
    /// Phis and blocks from which another value comes.
    changed_edges: FxHashSet<(InstId, BlockId)>,
    /// Phis that are the same from every block that is not listed.
    known_phis: FxHashSet<InstId>,
    /// By number of the old branch.
    branches: Vec<Branch>,
}

/// A branch of the old version.
struct Branch {
    block: BlockId,
    /// Its number in the new version.
    there: Option<u32>,
    /// The sides of a `switch` there, by the old ones. Those of other branches stay what they are.
    sides: Option<Vec<Option<u32>>>,
}

impl<'m> Correspondence<'m> {
    /// Compares two versions; `entry` is the function whose paths are looked at.
    pub fn new(old: &'m Program, new: &'m Program, entry: FuncId, changes: &Changes) -> Correspondence<'m> {
        let (old_module, new_module) = (&old.module, &new.module);
        let mut functions: Vec<Pair> = old_module.functions.ids().map(|_| Pair::default()).collect();
        for change in &changes.functions {
            let Some(id) = change.old else { continue };
            let function = &old_module.functions[id];
            let mut pair = Pair { intact: vec![false; function.blocks.len()], ..Pair::default() };
            let new_branches = change.new.map(|id| branches(&new_module.functions[id])).unwrap_or_default();
            let switches = change.new.zip(change.diff.as_ref()).map(|(id, diff)| {
                changed_switches((function, &branches(function)), (&new_module.functions[id], &new_branches), diff)
            });
            for (block, inst) in branches(function) {
                let partner = change.diff.as_ref().and_then(|diff| diff.of_old(inst).partner);
                let partner = partner.or_else(|| switches.as_ref()?.get(&inst).copied());
                let there = partner.and_then(|partner| new_branches.iter().position(|(_, new)| *new == partner));
                let sides = change.new.zip(change.diff.as_ref()).zip(partner).and_then(|((id, diff), partner)| {
                    sides((old_module, function, inst), (new_module, &new_module.functions[id], partner), diff)
                });
                pair.branches.push(Branch { block, there: there.map(|number| number as u32), sides });
            }
            if let (Some(new_id), Some(diff)) = (change.new, &change.diff) {
                pair.new_name = Some(new_module.function_label(new_id));
                if !change.signature_changed && change.uses_globals.is_empty() {
                    pair.compare(function, &new_module.functions[new_id], diff);
                }
            }
            functions[id.index()] = pair;
        }
        let by_name = old_module.functions.ids().map(|id| (old_module.function_label(id), id)).collect();
        let has_code_there = |id: FuncId| {
            let there = changes.matching.new_of(old_module.functions[id].symbol)?;
            match new_module.symbols[there].kind {
                SymbolKind::Function(there) => Some(new_module.functions[there].is_defined()),
                // An alias is one of something.
                _ => Some(true),
            }
        };
        let without_code = old_module.functions.iter_ids().filter(|(_, function)| !function.is_defined());
        let filled = without_code.map(|(id, _)| id).filter(|&id| has_code_there(id) == Some(true)).collect();
        Correspondence {
            old: old_module,
            functions,
            by_name,
            addressed: addressed(old_module),
            filled,
            obstacle: obstacle(old, new, entry, changes),
        }
    }

    /// Whether any branch has another number in the new version, or is in a function of another name. Where sides of a `switch`
    /// have, no path through it is the same.
    pub fn moves_branches(&self) -> bool {
        self.functions.iter().zip(self.old.functions.ids()).any(|(pair, id)| {
            let stays = |(number, branch): (u32, &Branch)| branch.there.is_none_or(|there| there == number);
            let named = pair.new_name.is_none_or(|name| name == self.old.function_label(id));
            !named || !(0..).zip(&pair.branches).all(stays)
        })
    }

    /// A turn of the old version in the new one.
    pub fn turn(&self, turn: &Turn) -> Option<Turn> {
        let pair = &self.functions[self.by_name.get(&*turn.function)?.index()];
        let branch = pair.branches.get(turn.branch as usize)?;
        let side = match &branch.sides {
            Some(sides) => sides.get(turn.side as usize).copied().flatten()?,
            None => turn.side,
        };
        let name = pair.new_name?;
        // Names are many, and most are the same.
        let function = if *name == *turn.function { turn.function.clone() } else { name.into() };
        Some(Turn { function, branch: branch.there?, side })
    }

    /// For each list of turns whether a path with them runs through nothing that changed.
    pub fn untouched<'t>(&self, entry: FuncId, paths: impl Iterator<Item = &'t [Turn]>) -> Vec<bool> {
        let (same, turns, last) = (FxHashMap::default(), FxHashMap::default(), None);
        let mut known = Segments { of: self, same, turns, last };
        let begins = self.obstacle.is_none() && known.function(entry);
        paths.map(|turns| begins && turns.iter().all(|turn| known.turn(turn))).collect()
    }
}

/// Whether stretches between two branches are the same in both versions.
struct Segments<'c, 'm> {
    of: &'c Correspondence<'m>,
    same: FxHashMap<(FuncId, BlockId), bool>,
    /// The same by turn: paths take the same ones again and again.
    turns: FxHashMap<(FuncId, u32, u32), bool>,
    /// The function of the last turn, which is likely that of the next one.
    last: Option<(Arc<str>, FuncId)>,
}

impl Segments<'_, '_> {
    fn turn(&mut self, turn: &Turn) -> bool {
        let last = self.last.as_ref().filter(|(name, _)| *name == turn.function).map(|(_, id)| *id);
        let Some(id) = last.or_else(|| self.of.by_name.get(&*turn.function).copied()) else { return false };
        if last.is_none() {
            self.last = Some((turn.function.clone(), id));
        }
        let key = (id, turn.branch, turn.side);
        if let Some(&known) = self.turns.get(&key) {
            return known;
        }
        let same = self.leads_on(id, turn);
        self.turns.insert(key, same);
        same
    }

    /// Whether a turn exists unchanged, and all that runs behind it to the next one.
    fn leads_on(&mut self, id: FuncId, turn: &Turn) -> bool {
        let pair = &self.of.functions[id.index()];
        let Some(&Branch { block, there: Some(_), .. }) = pair.branches.get(turn.branch as usize) else { return false };
        let function = &self.of.old.functions[id];
        let mut targets = Vec::new();
        if let Some(terminator) = function.terminator(block) {
            terminator.kind.for_each_successor(|target| targets.push(target));
        }
        match targets.get(turn.side as usize) {
            Some(&target) => pair.edge(function, block, target) && self.from(id, target),
            None => false,
        }
    }

    fn function(&mut self, id: FuncId) -> bool {
        match self.of.old.functions[id].blocks.ids().next() {
            Some(first) => self.from(id, first),
            None => true,
        }
    }

    /// Whether all that runs from the beginning of a block to the next branch is the same.
    fn from(&mut self, id: FuncId, block: BlockId) -> bool {
        let mut seen = FxHashSet::default();
        let mut todo = vec![(id, block)];
        while let Some(place) = todo.pop() {
            if !seen.insert(place) {
                continue;
            }
            match self.same.get(&place) {
                Some(true) => continue,
                Some(false) => return false,
                None => {}
            }
            if !self.of.block(place, &mut todo) {
                self.same.insert(place, false);
                self.same.insert((id, block), false);
                return false;
            }
        }
        // All of them lead to nothing but each other.
        self.same.extend(seen.into_iter().map(|place| (place, true)));
        true
    }
}

impl Correspondence<'_> {
    /// Whether a block is the same; what runs inside of it and directly behind it is added.
    fn block(&self, (id, block): (FuncId, BlockId), todo: &mut Vec<(FuncId, BlockId)>) -> bool {
        let (pair, function) = (&self.functions[id.index()], &self.old.functions[id]);
        if !pair.intact.get(block.index()).copied().unwrap_or(false) {
            return false;
        }
        let mut same = true;
        let mut enter = |callee: FuncId| {
            same &= !self.filled.contains(&callee);
            todo.extend(self.old.functions[callee].blocks.ids().next().map(|first| (callee, first)));
        };
        for &inst in &function.blocks[block].insts {
            let kind = &function.insts[inst].kind;
            let (InstKind::Call(call) | InstKind::Invoke { call, .. }) = kind else { continue };
            let Callee::Value(_) = call.callee else { continue };
            let callee = self.old.called_function(kind);
            callee.into_iter().for_each(&mut enter);
            // What runs in place of library functions may call back.
            if callee.is_none_or(|callee| !self.old.functions[callee].is_defined()) {
                self.addressed.iter().copied().for_each(&mut enter);
            }
        }
        let Some(terminator) = function.terminator(block) else { return false };
        match &terminator.kind {
            InstKind::Br(_) | InstKind::Invoke { .. } => terminator.kind.for_each_successor(|target| {
                same &= pair.edge(function, block, target);
                todo.push((id, target));
            }),
            InstKind::IndirectBr { .. } => same = false,
            _ => {}
        }
        same
    }
}

impl Pair<'_> {
    fn compare(&mut self, old: &Function, new: &Function, diff: &FunctionDiff) {
        self.changed_edges.extend(diff.old_edges.iter().copied());
        let mut block_of_new: FxHashMap<InstId, BlockId> = FxHashMap::default();
        for (block, contents) in new.blocks.iter_ids() {
            contents.insts.iter().for_each(|&inst| {
                block_of_new.insert(inst, block);
            });
        }
        for (block, contents) in old.blocks.iter_ids() {
            let Some(partner) = diff.old_blocks[block.index()] else { continue };
            let plain = |function: &Function, inst: &InstId| {
                !matches!(function.insts[*inst].kind, InstKind::Marker(_) | InstKind::Phi { .. })
            };
            let olds: Vec<InstId> = contents.insts.iter().copied().filter(|inst| plain(old, inst)).collect();
            let news: Vec<InstId> = new.blocks[partner].insts.iter().copied().filter(|inst| plain(new, inst)).collect();
            let same_insts = olds.len() == news.len()
                && olds.iter().zip(&news).all(|(old, new)| {
                    let fate = diff.of_old(*old);
                    fate.partner == Some(*new) && fate.status == Status::Unchanged
                });
            self.intact[block.index()] = same_insts && same_targets(old, new, block, partner, diff);
            for &inst in &contents.insts {
                let fate = diff.of_old(inst);
                if matches!(old.insts[inst].kind, InstKind::Phi { .. })
                    && fate.partner.is_some_and(|new| block_of_new.get(&new) == Some(&partner))
                    && (fate.status == Status::Unchanged || self.changed_edges.iter().any(|(phi, _)| *phi == inst))
                {
                    self.known_phis.insert(inst);
                }
            }
            // A phi that is in the new block only may matter to what is new; what is the same does not use it.
        }
    }

    /// Whether phis get the same values on an edge.
    fn edge(&self, function: &Function, from: BlockId, to: BlockId) -> bool {
        function.blocks[to].insts.iter().all(|&inst| {
            !matches!(function.insts[inst].kind, InstKind::Phi { .. })
                || self.known_phis.contains(&inst) && !self.changed_edges.contains(&(inst, from))
        })
    }
}

/// Whether the ends of two blocks lead to corresponding blocks.
fn same_targets(old: &Function, new: &Function, block: BlockId, partner: BlockId, diff: &FunctionDiff) -> bool {
    let targets = |function: &Function, block: BlockId| {
        let mut targets = Vec::new();
        if let Some(terminator) = function.terminator(block) {
            terminator.kind.for_each_successor(|target| targets.push(target));
        }
        targets
    };
    let (olds, news) = (targets(old, block), targets(new, partner));
    olds.len() == news.len() && olds.iter().zip(&news).all(|(old, new)| diff.old_blocks[old.index()] == Some(*new))
}

/// A `switch` with other cases is another instruction: those without a partner belong together in their order, if there are as
/// many of them.
fn changed_switches(
    (old, old_branches): (&Function, &[(BlockId, InstId)]),
    (new, new_branches): (&Function, &[(BlockId, InstId)]),
    diff: &FunctionDiff,
) -> FxHashMap<InstId, InstId> {
    let is_switch = |function: &Function, inst: InstId| matches!(function.insts[inst].kind, InstKind::Switch { .. });
    let olds = old_branches.iter().map(|(_, inst)| *inst);
    let olds: Vec<InstId> = olds.filter(|&inst| is_switch(old, inst) && diff.of_old(inst).partner.is_none()).collect();
    let news = new_branches.iter().map(|(_, inst)| *inst);
    let news: Vec<InstId> = news.filter(|&inst| is_switch(new, inst) && diff.of_new(inst).partner.is_none()).collect();
    if olds.len() == news.len() { olds.into_iter().zip(news).collect() } else { FxHashMap::default() }
}

/// Where the sides of a `switch` are in the new version: that which has one of the numbers, or leads to the corresponding block.
fn sides(
    (old_module, old, inst): (&Module, &Function, InstId),
    (new_module, new, partner): (&Module, &Function, InstId),
    diff: &FunctionDiff,
) -> Option<Vec<Option<u32>>> {
    let InstKind::Switch { default, cases, .. } = &old.insts[inst].kind else { return None };
    let InstKind::Switch { default: new_default, cases: new_cases, .. } = &new.insts[partner].kind else { return None };
    // Cases that lead to one block are one side, that of the first of them.
    let to = |block: BlockId| match block == *new_default {
        true => Some(0),
        false => new_cases.iter().position(|(_, target)| *target == block).map(|case| case as u32 + 1),
    };
    let by_number = |target: BlockId| {
        let numbers =
            cases.iter().filter(|(_, other)| *other == target).map(|(number, _)| &old_module.consts[*number].kind);
        let there = |number: &ConstKind| new_cases.iter().find(|(other, _)| new_module.consts[*other].kind == *number);
        numbers.filter_map(there).find_map(|(_, target)| to(*target))
    };
    let by_block = |target: BlockId| diff.old_blocks[target.index()].and_then(to);
    let of_cases = cases.iter().map(|(_, target)| match target == default {
        true => Some(0),
        false => by_number(*target).or_else(|| by_block(*target)),
    });
    Some(std::iter::once(Some(0)).chain(of_cases).collect())
}

/// Conditional branches and switches in the order of their numbers.
pub fn branches(function: &Function) -> Vec<(BlockId, InstId)> {
    let decides = |inst: InstId| {
        matches!(function.insts[inst].kind, InstKind::CondBr { .. } | InstKind::Switch { .. }).then_some(inst)
    };
    let ends = function.blocks.iter_ids().map(|(block, contents)| (block, contents.insts.last().copied()));
    ends.filter_map(|(block, last)| Some((block, last.and_then(decides)?))).collect()
}

/// Functions whose address is used for more than calling them, by whatever name.
pub(crate) fn addressed(module: &Module) -> Vec<FuncId> {
    let mut symbols = Vec::new();
    for global in module.globals.iter() {
        global.initializer.into_iter().for_each(|constant| symbols_of_constant(module, constant, &mut symbols));
    }
    for function in module.functions.iter() {
        for (_, _, inst) in function.body() {
            let mut callee = match &inst.kind {
                InstKind::Call(call) | InstKind::Invoke { call, .. } => match call.callee {
                    Callee::Value(value) if module.as_symbol(value).is_some() => Some(value),
                    _ => None,
                },
                _ => None,
            };
            inst.kind.for_each_operand(|operand| {
                // The callee is an operand too, once.
                if callee == Some(operand) {
                    callee = None;
                } else if let Value::Const(constant) = operand {
                    symbols_of_constant(module, constant, &mut symbols);
                }
            });
        }
    }
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    while let Some(symbol) = symbols.pop() {
        if !seen.insert(symbol) {
            continue;
        }
        match module.symbols[symbol].kind {
            SymbolKind::Function(id) => found.push(id),
            SymbolKind::Alias { target, .. } => symbols_of_constant(module, target, &mut symbols),
            SymbolKind::Ifunc { resolver, .. } => symbols_of_constant(module, resolver, &mut symbols),
            SymbolKind::Variable(_) | SymbolKind::Missing => {}
        }
    }
    found.sort_unstable();
    found
}

fn obstacle(old: &Program, new: &Program, entry: FuncId, changes: &Changes) -> Option<&'static str> {
    if !changes.types.is_empty() {
        return Some("types changed");
    }
    if changes.globals.iter().any(|global| !matches!(global.kind, Kind::Unchanged | Kind::Added)) {
        return Some("variables changed");
    }
    let own = changes.functions.iter().find(|change| change.old == Some(entry));
    if own.is_none_or(|own| own.new.is_none()) {
        return Some("the function is another one");
    }
    if own.is_some_and(|own| own.signature_changed) {
        return Some("the signature of the function changed");
    }
    let there = own.and_then(|own| own.new);
    if there.is_none_or(|there| shapes::of_inputs(old, entry) != shapes::of_inputs(new, there)) {
        return Some("inputs look different");
    }
    let (old_module, new_module) = (&old.module, &new.module);
    let runs_before = |module: &Module| module.symbols.ids().any(|id| module.symbol_name(id) == "llvm.global_ctors");
    if runs_before(old_module) || runs_before(new_module) {
        return Some("code runs before main");
    }
    // What tests expect may be the address of a function, by its name.
    for id in addressed(old_module) {
        let symbol = old_module.functions[id].symbol;
        let there = changes.matching.new_of(symbol);
        if there.is_some_and(|there| old_module.symbol_label(symbol) != new_module.symbol_label(there)) {
            return Some("a function whose address is used has another name");
        }
    }
    for symbol in old_module.symbols.ids() {
        if !matches!(old_module.symbols[symbol].kind, SymbolKind::Variable(_)) {
            continue;
        }
        let Some(there) = changes.matching.new_of(symbol) else { continue };
        if old.is_constant(symbol) != new.is_constant(there) {
            return Some("a variable changes in one version only");
        }
        if old_module.symbol_label(symbol) != new_module.symbol_label(there) {
            return Some("a variable has another name");
        }
    }
    None
}
