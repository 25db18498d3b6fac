//! First guess at which instructions of two functions correspond: alignment of the two texts.
//!
//! Instructions are compared as tokens, the telling ones first: with what their operands are made of, then without, and
//! in what is left between those by operation alone. [`crate::refine`] mends what the order of the text gets wrong.

use crate::canon::Canon;
use crate::digest::{Digest, Hasher};
use crate::form::{Form, Operand, forms};
use crate::renames::with_constants;
use imara_diff::{Algorithm, Diff, Token};
use ir::id::{BlockId, FuncId, Id, InstId};
use ir::inst::InstKind;
use ir::module::Function;
use rustc_hash::FxHashMap;

/// One of the two functions.
pub(crate) struct Side<'m> {
    pub function: &'m Function,
    pub forms: Vec<Form>,
    /// The block of each instruction; none for dead ones.
    pub block_of: Vec<Option<BlockId>>,
    /// Instructions other than markers in the order of the text.
    pub sequence: Vec<InstId>,
    /// The blocks before each block.
    pub predecessors: Vec<Vec<BlockId>>,
}

impl<'m> Side<'m> {
    /// A function whose parameters are called by the numbers in `params`.
    pub fn new(canon: &Canon<'m>, id: FuncId, params: &[u32]) -> Side<'m> {
        let function = &canon.module.functions[id];
        let mut forms = forms(canon, function);
        for operand in forms.iter_mut().flat_map(|form| &mut form.operands) {
            if let Operand::Arg(index) = operand {
                *index = params.get(*index as usize).copied().unwrap_or(*index);
            }
        }
        let mut block_of = vec![None; function.insts.len()];
        let mut sequence = Vec::new();
        for (block, id, inst) in function.body() {
            block_of[id.index()] = Some(block);
            if !matches!(inst.kind, InstKind::Marker(_)) {
                sequence.push(id);
            }
        }
        let mut predecessors = vec![Vec::new(); function.blocks.len()];
        for block in function.blocks.ids() {
            let terminator = function.terminator(block);
            terminator
                .iter()
                .for_each(|inst| inst.kind.for_each_successor(|next| predecessors[next.index()].push(block)));
        }
        Side { function, forms, block_of, sequence, predecessors }
    }

    pub fn form(&self, inst: InstId) -> &Form {
        &self.forms[inst.index()]
    }

    pub fn kind(&self, inst: InstId) -> &'m InstKind {
        &self.function.insts[inst].kind
    }

    pub fn is_marker(&self, inst: InstId) -> bool {
        matches!(self.kind(inst), InstKind::Marker(_))
    }

    pub fn is_phi(&self, inst: InstId) -> bool {
        matches!(self.kind(inst), InstKind::Phi { .. })
    }

    pub fn successors(&self, block: BlockId) -> Vec<BlockId> {
        self.function.terminator(block).map_or(Vec::new(), |inst| inst.kind.successors())
    }

    /// The place of each instruction in the sequence.
    pub fn positions(&self) -> Vec<usize> {
        let mut positions = vec![0; self.forms.len()];
        self.sequence.iter().enumerate().for_each(|(place, inst)| positions[inst.index()] = place);
        positions
    }

    fn tokens(&self, sequence: &[InstId], of: impl Fn(&Form) -> Digest) -> Vec<Digest> {
        sequence.iter().map(|inst| of(self.form(*inst))).collect()
    }

    /// Of each instruction of `sequence` what it does and what its operands do, two levels deep.
    fn deep_tokens(&self, sequence: &[InstId]) -> Vec<Digest> {
        let mut level: Vec<Digest> = self.forms.iter().map(with_constants).collect();
        for _ in 0..2 {
            let deeper = |(form, own): (&Form, &Digest)| {
                let mut hasher = Hasher::new("deeper");
                hasher.digest(*own);
                for operand in &form.operands {
                    if let Operand::Inst(used) = operand {
                        hasher.digest(level[used.index()]);
                    }
                }
                hasher.finish()
            };
            level = self.forms.iter().zip(&level).map(deeper).collect();
        }
        sequence.iter().map(|inst| level[inst.index()]).collect()
    }
}

/// Instructions that correspond, one to one.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    pub forward: Vec<Option<InstId>>,
    pub backward: Vec<Option<InstId>>,
}

impl Map {
    pub fn new(old: &Side<'_>, new: &Side<'_>) -> Map {
        Map { forward: vec![None; old.forms.len()], backward: vec![None; new.forms.len()] }
    }

    pub fn new_of(&self, old: InstId) -> Option<InstId> {
        self.forward[old.index()]
    }

    pub fn old_of(&self, new: InstId) -> Option<InstId> {
        self.backward[new.index()]
    }

    /// Makes two instructions partners; their former partners have none any more.
    pub fn link(&mut self, old: InstId, new: InstId) {
        if let Some(former) = self.forward[old.index()].replace(new) {
            self.backward[former.index()] = None;
        }
        if let Some(former) = self.backward[new.index()].replace(old) {
            self.forward[former.index()] = None;
        }
        self.forward[old.index()] = Some(new);
        self.backward[new.index()] = Some(old);
    }
}

/// Aligns all instructions that have no partner in `map` yet. Partners do the same operation on the same types.
pub(crate) fn align(old: &Side<'_>, new: &Side<'_>, map: &mut Map) {
    let lone = |partners: &[Option<InstId>], sequence: &[InstId]| -> Vec<InstId> {
        sequence.iter().copied().filter(|inst| partners[inst.index()].is_none()).collect()
    };
    let olds = lone(&map.forward, &old.sequence);
    let news = lone(&map.backward, &new.sequence);
    let mut pairs = Vec::new();
    extend(&mut pairs, &old.deep_tokens(&olds), &new.deep_tokens(&news));
    extend(&mut pairs, &old.tokens(&olds, with_constants), &new.tokens(&news, with_constants));
    extend(&mut pairs, &old.tokens(&olds, |form| form.operation), &new.tokens(&news, |form| form.operation));
    pairs.into_iter().for_each(|(i, j)| map.link(olds[i], news[j]));
}

/// Adds pairs of positions with equal tokens between those that are there, in ascending order.
pub(crate) fn extend(pairs: &mut Vec<(usize, usize)>, old: &[Digest], new: &[Digest]) {
    let mut found = Vec::new();
    let (mut i, mut j) = (0, 0);
    for &(next_i, next_j) in pairs.iter().chain([&(old.len(), new.len())]) {
        common(&old[i..next_i], &new[j..next_j], |a, b| found.push((i + a, j + b)));
        (i, j) = (next_i + 1, next_j + 1);
    }
    pairs.extend(found);
    pairs.sort_unstable();
}

/// Calls `visit` with the positions of a long common subsequence.
fn common(old: &[Digest], new: &[Digest], mut visit: impl FnMut(usize, usize)) {
    if old.is_empty() || new.is_empty() {
        return;
    }
    let mut numbers: FxHashMap<Digest, u32> = FxHashMap::default();
    let mut number = |token: &Digest| {
        let next = numbers.len() as u32;
        Token(*numbers.entry(*token).or_insert(next))
    };
    let old: Vec<Token> = old.iter().map(&mut number).collect();
    let new: Vec<Token> = new.iter().map(&mut number).collect();
    let mut diff = Diff::default();
    diff.compute_with(Algorithm::Histogram, &old, &new, numbers.len() as u32);
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        if i < old.len() && diff.is_removed(i as u32) {
            i += 1;
        } else if j < new.len() && diff.is_added(j as u32) {
            j += 1;
        } else if i < old.len() && j < new.len() {
            visit(i, j);
            i += 1;
            j += 1;
        } else {
            return;
        }
    }
}
