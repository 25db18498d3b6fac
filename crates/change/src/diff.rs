//! Two versions of a function, instruction by instruction.

use crate::align::{Map, Side, align, extend};
use crate::arguments::arguments;
use crate::body::body;
use crate::canon::Canon;
use crate::digest::{Digest, Hasher};
use crate::flow::{BlockMap, Flow};
use crate::form::Operand;
use crate::refine::{Refined, refine, translate};
use ir::id::{BlockId, FuncId, Id, InstId};
use ir::inst::{InstKind, Marker, Value};
use ir::module::{Function, Module};

/// What became of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// Its partner is the same.
    Unchanged,
    /// Its partner does something else, uses other values, or stands elsewhere.
    Changed,
    /// It is in the new version only.
    Added,
    /// It is in the old version only.
    Removed,
}

/// What became of an instruction, and its partner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fate {
    /// What became of it.
    pub status: Status,
    /// The instruction of the other version that it corresponds to.
    pub partner: Option<InstId>,
}

/// Two versions of a function, instruction by instruction.
///
/// Markers have fates too: an assignment whose value changed is changed. They do not make a function a changed one,
/// because nothing depends on them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionDiff {
    /// The fate of each old instruction, by its id.
    pub old: Vec<Fate>,
    /// The fate of each new instruction, by its id.
    pub new: Vec<Fate>,
    /// The new block that begins where each old one does.
    pub old_blocks: Vec<Option<BlockId>>,
    /// The old block that begins where each new one does.
    pub new_blocks: Vec<Option<BlockId>>,
    /// The old parameter that each new one corresponds to.
    pub params: Vec<Option<u32>>,
    /// Changed calls that differ in some arguments only: the new call, and which, ascending.
    pub arguments: Vec<(InstId, Vec<u32>)>,
    /// Old phis, and the blocks from which another value comes than in the new version.
    pub old_edges: Vec<(InstId, BlockId)>,
    /// New phis, and the blocks from which another value comes than in the old version.
    pub new_edges: Vec<(InstId, BlockId)>,
}

impl FunctionDiff {
    /// The fate of an old instruction.
    pub fn of_old(&self, inst: InstId) -> Fate {
        self.old[inst.index()]
    }

    /// The fate of a new instruction.
    pub fn of_new(&self, inst: InstId) -> Fate {
        self.new[inst.index()]
    }
}

/// Compares two functions under keys of a pair.
pub(crate) fn diff(old: &Canon<'_>, new: &Canon<'_>, old_id: FuncId, new_id: FuncId) -> FunctionDiff {
    let (old_params, new_params) = parameters(old, new, old_id, new_id);
    let left = Side::new(old, old_id, &old_params);
    let right = Side::new(new, new_id, &new_params);
    let left_body = body(old, old_id, &left.forms);
    let right_body = body(new, new_id, &right.forms);
    let mut map = Map::new(&left, &right);
    let refined = if left_body.digest == right_body.digest {
        for (left, right) in left_body.order.iter().zip(&right_body.order) {
            map.link(*left, *right);
        }
        align(&left, &right, &mut map);
        let flow = Flow::new(&left, &right, &map);
        Refined { unchanged: map.forward.iter().map(Option::is_some).collect(), map, flow }
    } else {
        align(&left, &right, &mut map);
        refine(&left, &right, map)
    };
    let Refined { mut map, flow, mut unchanged } = refined;
    markers(old.module, new.module, &left, &right, &mut map, &flow.begins, &mut unchanged);
    let (old_edges, new_edges) = edges(&left, &right, &map, &flow, &unchanged);
    let arguments = arguments(&left, &right, &map, &unchanged);
    let same = |inst: Option<InstId>| inst.is_some_and(|inst| unchanged[inst.index()]);
    let old_fates = left.function.insts.ids().map(|inst| {
        let partner = map.new_of(inst);
        fate(partner, same(Some(inst)), Status::Removed)
    });
    let new_fates = right.function.insts.ids().map(|inst| {
        let partner = map.old_of(inst);
        fate(partner, same(partner), Status::Added)
    });
    FunctionDiff {
        old: old_fates.collect(),
        new: new_fates.collect(),
        old_blocks: flow.begins.forward,
        new_blocks: flow.begins.backward,
        params: new_params.iter().map(|&old| Some(old).filter(|&old| (old as usize) < old_params.len())).collect(),
        arguments,
        old_edges,
        new_edges,
    }
}

fn fate(partner: Option<InstId>, same: bool, alone: Status) -> Fate {
    let status = match partner {
        Some(_) if same => Status::Unchanged,
        Some(_) => Status::Changed,
        None => alone,
    };
    Fate { status, partner }
}

/// A phi and a block that it has a value for.
type Edge = (InstId, BlockId);

/// Of changed phis the blocks from which different values come; of those without a partner all.
fn edges(old: &Side<'_>, new: &Side<'_>, map: &Map, flow: &Flow, unchanged: &[bool]) -> (Vec<Edge>, Vec<Edge>) {
    let (mut old_edges, mut new_edges) = (Vec::new(), Vec::new());
    let changed_phi = |inst: &InstId| old.is_phi(*inst) && !unchanged[inst.index()];
    for &phi in old.sequence.iter().filter(|inst| changed_phi(inst)) {
        let Some(partner) = map.new_of(phi) else {
            old_edges.extend(old.form(phi).blocks.iter().map(|block| (phi, *block)));
            continue;
        };
        let (left, right) = (old.form(phi), new.form(partner));
        let mut same = vec![false; right.blocks.len()];
        for (block, value) in left.blocks.iter().zip(&left.operands) {
            let there = flow.old_source(*block);
            let found = right.blocks.iter().zip(&right.operands).position(|(new_block, new_value)| {
                there.is_some() && flow.new_source(*new_block) == there && translate(map, *value) == Some(*new_value)
            });
            match found {
                Some(position) => same[position] = true,
                None => old_edges.push((phi, *block)),
            }
        }
        new_edges.extend(right.blocks.iter().zip(same).filter(|(_, same)| !same).map(|(block, _)| (partner, *block)));
    }
    for &phi in new.sequence.iter().filter(|inst| new.is_phi(**inst) && map.old_of(**inst).is_none()) {
        new_edges.extend(new.form(phi).blocks.iter().map(|block| (phi, *block)));
    }
    (old_edges, new_edges)
}

/// Numbers for the parameters of both functions, equal for those that correspond: by position if the types are the same,
/// else by type and name in order.
fn parameters(old: &Canon<'_>, new: &Canon<'_>, old_id: FuncId, new_id: FuncId) -> (Vec<u32>, Vec<u32>) {
    let types = |canon: &Canon<'_>, id: FuncId| -> Vec<Digest> {
        canon.module.functions[id].params.iter().map(|param| canon.ty(param.ty)).collect()
    };
    let (old_types, new_types) = (types(old, old_id), types(new, new_id));
    let olds: Vec<u32> = (0..old_types.len() as u32).collect();
    if old_types == new_types {
        return (olds.clone(), olds);
    }
    let named = |canon: &Canon<'_>, id: FuncId, types: &[Digest]| -> Vec<Digest> {
        let names = parameter_names(canon.module, &canon.module.functions[id]);
        let token = |(ty, name): (&Digest, Option<&str>)| {
            let mut hasher = Hasher::new("parameter");
            hasher.digest(*ty);
            hasher.text(name.unwrap_or(""));
            hasher.finish()
        };
        types.iter().zip(names).map(token).collect()
    };
    let mut pairs = Vec::new();
    extend(&mut pairs, &named(old, old_id, &old_types), &named(new, new_id, &new_types));
    extend(&mut pairs, &old_types, &new_types);
    // Those without a partner are told from all old ones.
    let mut news: Vec<u32> = (0..new_types.len() as u32).map(|index| index + olds.len() as u32).collect();
    pairs.into_iter().for_each(|(i, j)| news[j] = i as u32);
    (olds, news)
}

/// The source name of each parameter that is a source parameter as a whole.
fn parameter_names<'m>(module: &'m Module, function: &'m Function) -> Vec<Option<&'m str>> {
    let mut names = vec![None; function.params.len()];
    for (_, _, inst) in function.body() {
        if let InstKind::Marker(Marker { value: Some(Value::Arg(index)), variable, .. }) = inst.kind
            && let Some(name) = names.get_mut(index as usize)
        {
            let variable = &module.debug.variables[variable];
            *name = name.or(variable.name.filter(|_| variable.arg > 0).map(|name| module.str(name)));
        }
    }
    names
}

/// Finds partners of markers: between instructions that correspond, those of values that correspond, then those of
/// variables of the same name.
fn markers(
    old_module: &Module,
    new_module: &Module,
    old: &Side<'_>,
    new: &Side<'_>,
    map: &mut Map,
    blocks: &BlockMap,
    unchanged: &mut [bool],
) {
    for (block, contents) in old.function.blocks.iter_ids() {
        let Some(partner) = blocks.forward[block.index()] else { continue };
        let (olds, news) = (&contents.insts, &new.function.blocks[partner].insts);
        // Values and instructions by the number of the new one; those without a partner equal nothing.
        let of_old = |inst: InstId| match map.new_of(inst) {
            Some(partner) => partner.index() as u64,
            None => u64::MAX - inst.index() as u64,
        };
        let of_new = |inst: InstId| inst.index() as u64;
        let mut pairs = Vec::new();
        let left: Vec<Digest> = olds.iter().map(|inst| value_token(old, *inst, &of_old)).collect();
        let right: Vec<Digest> = news.iter().map(|inst| value_token(new, *inst, &of_new)).collect();
        extend(&mut pairs, &left, &right);
        let same: Vec<InstId> = pairs.iter().map(|(i, _)| olds[*i]).filter(|inst| old.is_marker(*inst)).collect();
        let left: Vec<Digest> = olds.iter().zip(left).map(|(inst, t)| name_token(old_module, old, *inst, t)).collect();
        let right: Vec<Digest> =
            news.iter().zip(right).map(|(inst, t)| name_token(new_module, new, *inst, t)).collect();
        extend(&mut pairs, &left, &right);
        for (left, right) in pairs.into_iter().map(|(i, j)| (olds[i], news[j])) {
            if old.is_marker(left) && new.is_marker(right) {
                map.link(left, right);
            }
        }
        same.into_iter().for_each(|inst| unchanged[inst.index()] = true);
    }
}

/// A marker by the value that it gives its variable, any other instruction by its number.
fn value_token(side: &Side<'_>, inst: InstId, number: &dyn Fn(InstId) -> u64) -> Digest {
    if !side.is_marker(inst) {
        let mut hasher = Hasher::new("instruction");
        hasher.word(number(inst));
        return hasher.finish();
    }
    let form = side.form(inst);
    let mut hasher = Hasher::new("marker");
    hasher.digest(form.head);
    for operand in &form.operands {
        match operand {
            Operand::Inst(value) => hasher.wide(u128::from(number(*value))),
            Operand::Arg(index) => hasher.wide(1 << 64 | u128::from(*index)),
            Operand::Fixed(digest) => hasher.digest(*digest),
        }
    }
    hasher.finish()
}

/// A marker by the name of its variable, any other instruction as before.
fn name_token(module: &Module, side: &Side<'_>, inst: InstId, otherwise: Digest) -> Digest {
    let InstKind::Marker(marker) = side.kind(inst) else { return otherwise };
    let mut hasher = Hasher::new("variable");
    hasher.text(module.debug.variables[marker.variable].name.map_or("", |name| module.str(name)));
    hasher.finish()
}
