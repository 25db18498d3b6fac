//! The same functions with fewer branches.
//!
//! A branch that does nothing but choose between values becomes a `select`, conditions that are tested one behind the
//! other become one, and calls of a function by itself whose result it returns become a loop. Whoever follows paths has fewer
//! of them to follow, and loops and recursions can be compared. Everything keeps its id; blocks that are folded into
//! others stay behind, empty and out of reach.
//!
//! Only arithmetic that cannot fail is moved in front of its condition, without its promises about overflow.

use crate::attrs::Attr;
use crate::constant::{Const, ConstKind};
use crate::id::{BlockId, FuncId, Id, InstId, TypeId};
use crate::inst::{BinaryOp, CastOp, Flags, Inst, InstKind, IntPredicate, Predicate, Value};
use crate::module::{Block, Function, Module};
use crate::types::Type;
use std::collections::BTreeMap;

/// Blocks that are gone, and which ones their instructions are in now.
pub type Folded = BTreeMap<(FuncId, BlockId), BlockId>;

/// Most instructions that are moved in front of a condition.
const MOST_MOVED: usize = 24;

/// Most cases of a switch that become comparisons.
const MOST_CASES: usize = 24;

/// Functions with more blocks stay as they are.
const MOST_BLOCKS: usize = 2000;

/// Merges what can be merged in all functions.
pub fn merge(module: &mut Module) -> Folded {
    let mut folded = Folded::new();
    for id in module.functions.ids() {
        if module.functions[id].blocks.is_empty() || module.functions[id].blocks.len() > MOST_BLOCKS {
            continue;
        }
        tail_calls(module, id);
        let (boolean, void) = (module.types.int(1), module.types.intern(Type::Void));
        let no = Value::Const(module.consts.intern(Const { ty: boolean, kind: ConstKind::Int(0) }));
        let yes = Value::Const(module.consts.intern(Const { ty: boolean, kind: ConstKind::Int(1) }));
        let moves = movable(module, id);
        let simple = |ty: TypeId| matches!(module.types[ty], Type::Int(_) | Type::Float(_));
        let types: Vec<bool> = module.functions[id].insts.iter().map(|inst| simple(inst.ty)).collect();
        let function = &mut module.functions[id];
        let mut folding = Folding { function, boolean, void, no, yes, moves, simple: types };
        // Each step takes a block away.
        while let Some((gone, into)) = folding.step() {
            folded.extend(gone.iter().map(|&block| ((id, block), into)));
        }
    }
    folded
}

/// Which instructions may run although nothing needs them.
fn movable(module: &Module, id: FuncId) -> Vec<bool> {
    let number = |value: &Value| match value {
        Value::Const(id) => match module.consts[*id].kind {
            ConstKind::Int(number) => Some((number, module.consts[*id].ty)),
            _ => None,
        },
        _ => None,
    };
    let width = |ty: TypeId| match module.types[ty] {
        Type::Int(bits) => Some(bits),
        _ => None,
    };
    let is_movable = |inst: &Inst| match &inst.kind {
        InstKind::Binary { op, right, .. } => match op {
            BinaryOp::UDiv | BinaryOp::URem | BinaryOp::SDiv | BinaryOp::SRem => {
                // Neither zero nor minus one, by which the smallest number cannot be divided.
                let small = |(number, ty)| width(ty).is_some_and(|bits| number > 0 && number >> (bits - 1) == 0);
                number(right).is_some_and(small)
            }
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
                number(right).is_some_and(|(number, ty)| width(ty).is_some_and(|bits| number < u128::from(bits)))
            }
            _ => true,
        },
        // What does not fit is no number.
        InstKind::Cast { op, .. } => !matches!(op, CastOp::FpToUi | CastOp::FpToSi),
        InstKind::FNeg { .. } | InstKind::Compare { .. } | InstKind::Select { .. } | InstKind::Marker(_) => true,
        _ => false,
    };
    module.functions[id].insts.iter().map(is_movable).collect()
}

struct Folding<'f> {
    function: &'f mut Function,
    boolean: TypeId,
    void: TypeId,
    no: Value,
    yes: Value,
    /// Whether an instruction may run although nothing needs it.
    moves: Vec<bool>,
    /// Whether an instruction is a number.
    simple: Vec<bool>,
}

impl Folding<'_> {
    /// Folds one block, or two, into another one.
    fn step(&mut self) -> Option<(Vec<BlockId>, BlockId)> {
        let entered = self.entered();
        for block in self.function.blocks.ids() {
            let Some(last) = self.last(block) else { continue };
            match self.function.insts[last].kind {
                InstKind::Br(next) if self.is_alone(&entered, next) && next != block => {
                    self.append(block, next);
                    return Some((vec![next], block));
                }
                InstKind::CondBr { condition, then, otherwise } if then != otherwise => {
                    let sides = [then, otherwise].map(|side| self.side(&entered, side));
                    let join = match sides {
                        [Some(a), Some(b)] if a == b => Some((a, vec![then, otherwise])),
                        [Some(join), _] if join == otherwise => Some((join, vec![then])),
                        [_, Some(join)] if join == then => Some((join, vec![otherwise])),
                        _ => None,
                    };
                    if let Some((join, gone)) = join
                        && join != block
                        && self.choose(block, condition, [then, otherwise], join)
                    {
                        return Some((gone, block));
                    }
                    for (second, other, on_true) in [(then, otherwise, true), (otherwise, then, false)] {
                        if self.test_both(&entered, block, condition, (second, other), on_true) {
                            return Some((vec![second], block));
                        }
                    }
                }
                InstKind::Switch { .. } => {
                    if let Some(gone) = self.choose_among(&entered, block, last) {
                        return Some((gone, block));
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// How often each block is gone to.
    fn entered(&self) -> Vec<usize> {
        let mut entered = vec![0; self.function.blocks.len()];
        for block in self.function.blocks.ids() {
            if let Some(last) = self.last(block) {
                self.function.insts[last].kind.for_each_successor(|next| entered[next.index()] += 1);
            }
        }
        entered
    }

    fn last(&self, block: BlockId) -> Option<InstId> {
        self.function.blocks[block].insts.last().copied()
    }

    fn is_alone(&self, entered: &[usize], block: BlockId) -> bool {
        block.index() != 0 && entered[block.index()] == 1
    }

    /// Whether all of a block but its last instruction may run although nothing needs it.
    fn is_movable(&self, entered: &[usize], block: BlockId) -> bool {
        let insts = &self.function.blocks[block].insts;
        let moves = |inst: &InstId| self.moves.get(inst.index()).copied().unwrap_or(true);
        self.is_alone(entered, block)
            && insts.len() <= MOST_MOVED
            && insts.split_last().is_some_and(|(_, others)| others.iter().all(moves))
    }

    /// Where a side of a branch leads that only computes.
    fn side(&self, entered: &[usize], block: BlockId) -> Option<BlockId> {
        match self.function.insts[self.last(block)?].kind {
            InstKind::Br(join) if join != block && self.is_movable(entered, block) => Some(join),
            _ => None,
        }
    }

    /// Both sides of a branch in front of it, and values by condition where they meet.
    fn choose(&mut self, block: BlockId, condition: Value, sides: [BlockId; 2], join: BlockId) -> bool {
        let from = sides.map(|side| if side == join { block } else { side });
        let Some(phis) = self.values(join, from) else { return false };
        let last = self.last(block);
        for side in sides.into_iter().filter(|side| *side != join) {
            self.take_over(block, side);
        }
        self.select(block, join, from, condition, phis);
        if let Some(last) = last {
            self.function.insts[last].kind = InstKind::Br(join);
        }
        true
    }

    /// A switch whose cases only compute: values by one comparison after the other.
    fn choose_among(&mut self, entered: &[usize], block: BlockId, last: InstId) -> Option<Vec<BlockId>> {
        let InstKind::Switch { value, default, cases } = self.function.insts[last].kind.clone() else { return None };
        if cases.is_empty() || cases.len() > MOST_CASES {
            return None;
        }
        let mut ways: BTreeMap<BlockId, usize> = BTreeMap::new();
        for target in cases.iter().map(|(_, target)| *target).chain([default]) {
            *ways.entry(target).or_default() += 1;
        }
        // Every way leads to the same place, at once or by computing something.
        let leads = |target: BlockId| match self.function.insts[self.last(target)?].kind {
            InstKind::Br(join) if join != target => Some(join),
            _ => None,
        };
        let join = ways.keys().find_map(|target| {
            let join = leads(*target)?;
            ways.keys().all(|other| *other == join || leads(*other) == Some(join)).then_some(join)
        })?;
        let computes = |(target, count): (&BlockId, &usize)| {
            let insts = &self.function.blocks[*target].insts;
            let moves = |inst: &InstId| self.moves.get(inst.index()).copied().unwrap_or(true);
            let inner = insts.split_last().is_some_and(|(_, others)| others.iter().all(moves));
            target.index() != 0 && entered[target.index()] == *count && insts.len() <= MOST_MOVED && inner
        };
        if join == block || !ways.iter().filter(|(target, _)| **target != join).all(computes) {
            return None;
        }
        let from = |target: BlockId| if target == join { block } else { target };
        let mut phis: Vec<(InstId, Vec<Value>)> = Vec::new();
        for &inst in &self.function.blocks[join].insts {
            let InstKind::Phi { incoming, .. } = &self.function.insts[inst].kind else { continue };
            let of =
                |target: BlockId| incoming.iter().find(|(known, _)| *known == from(target)).map(|(_, value)| *value);
            let targets = [default].into_iter().chain(cases.iter().map(|(_, target)| *target));
            let values: Vec<Value> = targets.map(of).collect::<Option<_>>()?;
            let one = values.iter().all(|other| Some(other) == values.first());
            if !one && !self.simple.get(inst.index()).copied().unwrap_or(false) {
                return None;
            }
            phis.push((inst, values));
        }
        let gone: Vec<BlockId> = ways.keys().copied().filter(|target| *target != join).collect();
        for &target in &gone {
            self.take_over(block, target);
        }
        let tests: Vec<Value> = cases
            .iter()
            .map(|(case, _)| {
                let (flags, right) = (Flags::empty(), Value::Const(*case));
                let kind = InstKind::Compare { predicate: Predicate::Int(IntPredicate::Eq), flags, left: value, right };
                Value::Inst(self.add(block, kind, self.boolean))
            })
            .collect();
        for (phi, values) in phis {
            let ty = self.function.insts[phi].ty;
            let mut values = values.into_iter();
            let mut chosen = values.next()?;
            for (test, then) in tests.iter().zip(values) {
                if then != chosen {
                    let flags = Flags::empty();
                    let kind = InstKind::Select { condition: *test, then, otherwise: chosen, flags };
                    chosen = Value::Inst(self.add(block, kind, ty));
                }
            }
            if let InstKind::Phi { incoming, .. } = &mut self.function.insts[phi].kind {
                let others = incoming.iter().filter(|(known, _)| *known != block && !gone.contains(known)).copied();
                *incoming = others.chain([(block, chosen)]).collect();
            }
        }
        self.function.insts[last].kind = InstKind::Br(join);
        Some(gone)
    }

    /// One branch out of two behind each other that both may lead to one block: `second` is tested if the first condition
    /// is `on_true`.
    fn test_both(
        &mut self,
        entered: &[usize],
        block: BlockId,
        condition: Value,
        (second, join): (BlockId, BlockId),
        on_true: bool,
    ) -> bool {
        let (Some(first), Some(last)) = (self.last(block), self.last(second)) else { return false };
        let InstKind::CondBr { condition: also, then, otherwise } = self.function.insts[last].kind else {
            return false;
        };
        if !self.is_movable(entered, second) || second == join {
            return false;
        }
        let (on, goes_on_true) = match (then == join, otherwise == join) {
            (false, true) => (then, true),
            (true, false) => (otherwise, false),
            _ => return false,
        };
        if on == second || on == block || join == block {
            return false;
        }
        let from = if on_true { [second, block] } else { [block, second] };
        let Some(phis) = self.values(join, from) else { return false };
        self.take_over(block, second);
        let loc = self.function.insts[first].loc;
        let goes_on = self.condition(block, also, goes_on_true);
        let tested = self.condition(block, condition, on_true);
        let kind = InstKind::Select { condition: tested, then: goes_on, otherwise: self.no, flags: Flags::empty() };
        let both = self.add(block, kind, self.boolean);
        self.select(block, join, from, condition, phis);
        self.rename(on, second, block);
        self.function.insts[first].kind = InstKind::CondBr { condition: Value::Inst(both), then: on, otherwise: join };
        self.function.insts[first].loc = loc;
        true
    }

    /// A condition, or its opposite.
    fn condition(&mut self, block: BlockId, condition: Value, as_it_is: bool) -> Value {
        if as_it_is {
            return condition;
        }
        let kind = InstKind::Binary { op: BinaryOp::Xor, flags: Flags::empty(), left: condition, right: self.yes };
        Value::Inst(self.add(block, kind, self.boolean))
    }

    /// What each phi of a block takes from two others; nothing if one of them would have to choose between pointers.
    fn values(&self, join: BlockId, from: [BlockId; 2]) -> Option<Vec<(InstId, [Value; 2])>> {
        let mut values = Vec::new();
        for &inst in &self.function.blocks[join].insts {
            let InstKind::Phi { incoming, .. } = &self.function.insts[inst].kind else { continue };
            let of = |from: BlockId| incoming.iter().find(|(block, _)| *block == from).map(|(_, value)| *value);
            let pair = [of(from[0])?, of(from[1])?];
            if pair[0] != pair[1] && !self.simple.get(inst.index()).copied().unwrap_or(false) {
                return None;
            }
            values.push((inst, pair));
        }
        Some(values)
    }

    /// Lets phis take from one block what they took from two.
    fn select(
        &mut self,
        block: BlockId,
        join: BlockId,
        from: [BlockId; 2],
        condition: Value,
        phis: Vec<(InstId, [Value; 2])>,
    ) {
        for (phi, [then, otherwise]) in phis {
            let value = if then == otherwise {
                then
            } else {
                let ty = self.function.insts[phi].ty;
                Value::Inst(self.add(block, InstKind::Select { condition, then, otherwise, flags: Flags::empty() }, ty))
            };
            if let InstKind::Phi { incoming, .. } = &mut self.function.insts[phi].kind {
                let others = incoming.iter().filter(|(known, _)| !from.contains(known)).copied();
                *incoming = others.chain([(block, value)]).collect();
            }
        }
        debug_assert!(join != block, "a loop is no choice");
    }

    /// An instruction at the end of a block, before the last one.
    fn add(&mut self, block: BlockId, kind: InstKind, ty: TypeId) -> InstId {
        let loc = self.last(block).and_then(|last| self.function.insts[last].loc);
        let id = self.function.insts.push(Inst { kind, ty, loc, name: None });
        let insts = &mut self.function.blocks[block].insts;
        let at = insts.len().saturating_sub(1);
        insts.insert(at, id);
        id
    }

    /// Moves all but the last instruction of a block to the end of another one, before its last one.
    fn take_over(&mut self, block: BlockId, from: BlockId) {
        let mut insts = std::mem::take(&mut self.function.blocks[from].insts);
        insts.pop();
        // What a variable is, it is in this case only.
        insts.retain(|inst| !matches!(self.function.insts[*inst].kind, InstKind::Marker(_)));
        for inst in &insts {
            match &mut self.function.insts[*inst].kind {
                InstKind::Binary { flags, .. } | InstKind::Cast { flags, .. } | InstKind::Compare { flags, .. } => {
                    flags.remove(Flags::all() - Flags::FAST);
                }
                _ => {}
            }
        }
        let target = &mut self.function.blocks[block].insts;
        let at = target.len().saturating_sub(1);
        target.splice(at..at, insts);
        self.leave_empty(from);
    }

    /// Puts a block behind the only one that leads to it.
    fn append(&mut self, block: BlockId, next: BlockId) {
        let insts = std::mem::take(&mut self.function.blocks[next].insts);
        let mut known: BTreeMap<InstId, Value> = BTreeMap::new();
        for inst in &insts {
            if let InstKind::Phi { incoming, .. } = &self.function.insts[*inst].kind
                && let Some((_, value)) = incoming.first()
            {
                known.insert(*inst, *value);
            }
        }
        replace(self.function, &known);
        let successors = insts.last().map(|last| self.function.insts[*last].kind.successors()).unwrap_or_default();
        let target = &mut self.function.blocks[block].insts;
        target.pop();
        target.extend(insts.into_iter().filter(|inst| !known.contains_key(inst)));
        for successor in successors {
            self.rename(successor, next, block);
        }
        self.leave_empty(next);
    }

    /// Lets phis of a block take from another block what they took from one.
    fn rename(&mut self, block: BlockId, from: BlockId, to: BlockId) {
        for inst in self.function.blocks[block].insts.clone() {
            if let InstKind::Phi { incoming, .. } = &mut self.function.insts[inst].kind {
                incoming.iter_mut().filter(|(known, _)| *known == from).for_each(|(known, _)| *known = to);
            }
        }
    }

    fn leave_empty(&mut self, block: BlockId) {
        let end = Inst { kind: InstKind::Unreachable, ty: self.void, loc: None, name: None };
        let end = self.function.insts.push(end);
        self.function.blocks[block].insts = vec![end];
    }
}

/// Puts values in the place of instructions; one of these may be another one's value.
fn replace(function: &mut Function, known: &BTreeMap<InstId, Value>) {
    if known.is_empty() {
        return;
    }
    let resolve = |mut value: Value| {
        for _ in 0..=known.len() {
            match value {
                Value::Inst(inst) => match known.get(&inst) {
                    Some(other) => value = *other,
                    None => break,
                },
                _ => break,
            }
        }
        value
    };
    for inst in function.insts.iter_mut() {
        inst.kind.map_operands(resolve);
    }
}

/// Turns calls of a function by itself, whose result it returns, into a loop.
fn tail_calls(module: &mut Module, id: FuncId) {
    let function = &module.functions[id];
    let variadic = module.types.signature(function.ty).is_none_or(|(_, _, variadic)| variadic);
    // Memory of its own, and copies that its callers make, would be new for each call.
    let is_copy = |attr: &Attr| matches!(attr, Attr::ByVal(_) | Attr::InAlloca(_));
    let copies = function.params.iter().any(|param| module.attrs[param.attrs].0.iter().any(is_copy));
    if variadic || copies || function.body().any(|(_, _, inst)| matches!(inst.kind, InstKind::Alloca { .. })) {
        return;
    }
    let mut found: Vec<(BlockId, InstId, Box<[Value]>)> = Vec::new();
    for (block, contents) in function.blocks.iter_ids() {
        let mut insts = contents.insts.iter().rev().skip(1);
        let is_marker = |inst: &&InstId| matches!(function.insts[**inst].kind, InstKind::Marker(_));
        let Some(&call) = insts.by_ref().find(|inst| !is_marker(inst)) else { continue };
        let kind = &function.insts[call].kind;
        let InstKind::Call(made) = kind else { continue };
        let fits = made.args.len() == function.params.len() && made.bundles.is_empty();
        if fits && module.called_function(kind) == Some(id) && returns(function, block, call) {
            found.push((block, call, made.args.clone()));
        }
    }
    if found.is_empty() {
        return;
    }
    let types: Vec<TypeId> = function.params.iter().map(|param| param.ty).collect();
    let ty = module.types.intern(Type::Void);
    let function = &mut module.functions[id];
    let Some((entry, _)) = function.blocks.iter_ids().next() else { return };
    let insts = std::mem::take(&mut function.blocks[entry].insts);
    let head = function.blocks.push(Block { name: None, insts });
    for inst in function.insts.iter_mut() {
        if let InstKind::Phi { incoming, .. } = &mut inst.kind {
            incoming.iter_mut().filter(|(from, _)| *from == entry).for_each(|(from, _)| *from = head);
        }
    }
    // What was called in the first block is called in the head now.
    for (block, _, _) in &mut found {
        *block = if *block == entry { head } else { *block };
    }
    let phis: Vec<InstId> = types
        .iter()
        .map(|&ty| {
            let kind = InstKind::Phi { incoming: Box::new([]), flags: Flags::empty() };
            function.insts.push(Inst { kind, ty, loc: None, name: None })
        })
        .collect();
    let given = |value: Value| match value {
        Value::Arg(index) => phis.get(index as usize).map_or(value, |phi| Value::Inst(*phi)),
        other => other,
    };
    // What the source calls a parameter is what the function is given first.
    for inst in function.insts.iter_mut().filter(|inst| !matches!(inst.kind, InstKind::Marker(_))) {
        inst.kind.map_operands(given);
    }
    for (index, phi) in (0u32..).zip(&phis) {
        let again = found.iter().filter_map(|(block, _, args)| Some((*block, given(*args.get(index as usize)?))));
        let incoming = [(entry, Value::Arg(index))].into_iter().chain(again).collect();
        function.insts[*phi].kind = InstKind::Phi { incoming, flags: Flags::empty() };
    }
    function.blocks[head].insts.splice(0..0, phis);
    for (block, call, _) in &found {
        let Some(&last) = function.blocks[*block].insts.last() else { continue };
        for successor in function.insts[last].kind.successors() {
            for inst in function.blocks[successor].insts.clone() {
                if let InstKind::Phi { incoming, .. } = &mut function.insts[inst].kind {
                    *incoming = incoming.iter().filter(|(from, _)| from != block).copied().collect();
                }
            }
        }
        function.insts[last].kind = InstKind::Br(head);
        let Function { blocks, insts, .. } = &mut *function;
        let says_it = |inst: &InstId| match &insts[*inst].kind {
            InstKind::Marker(marker) => marker.value == Some(Value::Inst(*call)),
            _ => false,
        };
        blocks[*block].insts.retain(|inst| inst != call && !says_it(inst));
        // Only its result was asked for, and only there.
        function.insts[*call].kind = InstKind::Unreachable;
    }
    let enter = function.insts.push(Inst { kind: InstKind::Br(head), ty, loc: None, name: None });
    function.blocks[entry].insts = vec![enter];
}

/// Whether nothing comes behind a call at the end of a block but that its result is returned.
fn returns(function: &Function, mut block: BlockId, call: InstId) -> bool {
    let mut value = Value::Inst(call);
    for _ in 0..function.blocks.len() {
        let Some(&last) = function.blocks[block].insts.last() else { return false };
        let next = match &function.insts[last].kind {
            InstKind::Ret(result) => return result.is_none_or(|result| result == value),
            InstKind::Br(next) => *next,
            _ => return false,
        };
        let mut becomes = value;
        let Some((_, others)) = function.blocks[next].insts.split_last() else { return false };
        for inst in others {
            match &function.insts[*inst].kind {
                InstKind::Marker(_) => {}
                InstKind::Phi { incoming, .. } => {
                    let taken = incoming.iter().find(|(from, _)| *from == block);
                    if taken.is_some_and(|(_, taken)| *taken == value) {
                        becomes = Value::Inst(*inst);
                    }
                }
                _ => return false,
            }
        }
        (block, value) = (next, becomes);
    }
    false
}
