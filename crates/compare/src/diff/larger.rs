//! Bounds that a program itself suggests: a buffer of 64 bytes, a limit of 40 entries.
//!
//! Small inputs find most differences, but a guard of a buffer is only tested by an input that is as large as the buffer.
//! How large that is stands in the code: lengths of arrays, indices, and numbers that something is compared with.

use super::explored::is_bounded;
use super::findings::{Findings, is_confirmed, is_left_open};
use super::goal::{Goal, Tactic};
use evidence::{Assumption, Gap};
use exec::inputs::Bounds;
use explore::pair::Compared;
use ir::constant::ConstKind;
use ir::id::FuncId;
use ir::inst::{CastOp, InstKind, Value};
use ir::module::{Function, Module, SymbolKind};
use ir::types::Type;
use std::collections::BTreeSet;
use std::time::Duration;

/// Largest input that is worth a try.
const MOST: u64 = 260;

/// Most functions that are looked into.
const MAX_FUNCTIONS: usize = 200;

/// Records behind a pointer where one was not enough: at least, and at most where the code says how many there are.
const RECORDS: u64 = 3;
const MOST_RECORDS: u64 = 8;

/// How long larger inputs are looked for, once it is the same for small ones.
const MORE_TIME: Duration = Duration::from_secs(2);

/// Follows both versions on larger inputs: the program itself says where they may matter.
pub struct Larger;

impl Tactic for Larger {
    fn name(&self) -> &'static str {
        "larger inputs"
    }

    fn applies(&self, goal: &Goal, findings: &Findings) -> bool {
        !goal.followed.shrunk && findings.verdict().is_same() && is_bounded(&goal.followed.compared)
    }

    fn run(&self, goal: &mut Goal, findings: &mut Findings) {
        let Goal { versus, followed, .. } = goal;
        let unwind = versus.task.options.explore.unwind;
        for one in [true, false] {
            let compared = &followed.compared;
            if followed.shrunk
                || !findings.verdict().is_same()
                || !is_bounded(compared)
                || one && !has_one_record(compared)
            {
                continue;
            }
            let larger = bounds(&versus.couple.program.module, versus.entries, &followed.bounds, one);
            let Some((bounds, rounds)) = larger else { continue };
            // Where nothing got to the change, larger inputs are all there is.
            let time = if compared.reached { MORE_TIME.min(versus.left() / 2) } else { versus.left() / 2 };
            let deeply = versus.compare(&bounds, unwind.map(|known| known.max(rounds)), time, false);
            let deeper = versus.judge(&deeply);
            let is_decided = deeper.iter().all(|one| one.gap().is_none());
            if is_confirmed(&deeper) || is_left_open(&deeper) || is_decided {
                findings.stats.pairs = deeply.pairs;
                findings.supersede(deeper);
                followed.compared = deeply;
                followed.bounds = bounds;
            }
        }
    }
}

/// Whether a run wanted more than the one record behind a pointer.
fn has_one_record(compared: &Compared) -> bool {
    let one = |gap: &Gap| matches!(gap, Gap::OutOfScope { bound: Assumption::Elements { most: 1, .. } });
    compared.undecided.keys().any(|(gap, _)| one(gap))
}

/// Larger bounds than the usual ones, with rounds of loops, if some number in the code is beyond these, or if there may be
/// more than one record behind a pointer.
fn bounds(module: &Module, entries: [FuncId; 2], usual: &Bounds, one: bool) -> Option<(Bounds, u32)> {
    let mut todo = entries.to_vec();
    let mut seen: BTreeSet<FuncId> = BTreeSet::new();
    let mut largest = 0;
    while let Some(id) = todo.pop() {
        if seen.len() >= MAX_FUNCTIONS || !seen.insert(id) {
            continue;
        }
        for (_, _, inst) in module.functions[id].body() {
            largest = largest.max(number(module, &module.functions[id], &inst.kind).unwrap_or(0));
            if let Some(callee) = module.called_function(&inst.kind)
                && module.functions[callee].is_defined()
            {
                todo.push(callee);
            }
        }
    }
    let wanted = largest + 2;
    let more = |known: u64| known.max(wanted);
    if one {
        let records = (largest + 1).clamp(RECORDS, MOST_RECORDS);
        return Some((Bounds { records, ..usual.clone() }, 0));
    }
    (wanted > usual.characters.min(usual.elements)).then(|| {
        let bounds = Bounds { elements: more(usual.elements), characters: more(usual.characters), ..usual.clone() };
        (bounds, wanted as u32 + 2)
    })
}

/// The largest number of an instruction that may say how large something is.
fn number(module: &Module, function: &Function, kind: &InstKind) -> Option<u64> {
    let small = |number: u64| (number <= MOST).then_some(number);
    let constant = |value: &Value| match value {
        Value::Const(id) => match module.consts[*id].kind {
            ConstKind::Int(number) => u64::try_from(number).ok().and_then(small),
            // A global array, or a place in it.
            ConstKind::Symbol(symbol) => match module.symbols[symbol].kind {
                SymbolKind::Variable(global) => length(module, module.globals[global].ty).and_then(small),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    match kind {
        InstKind::Alloca { element, .. } => length(module, *element).and_then(small),
        InstKind::Gep { source, base, indices, .. } => {
            let index = indices.first().and_then(constant);
            index.max(constant(base)).max(length(module, *source).and_then(small))
        }
        // A number that a character is compared with is a character.
        InstKind::Compare { left, .. } if is_character(module, function, left) => None,
        InstKind::Compare { left, right, .. } => constant(left).max(constant(right)),
        InstKind::Call(call) => call.args.iter().filter_map(constant).max(),
        _ => None,
    }
}

/// Whether a value is eight bits wide, or was before it was extended.
fn is_character(module: &Module, function: &Function, value: &Value) -> bool {
    let narrow = |value: Value| matches!(module.types[module.type_of(function, value)], Type::Int(8));
    let extended = match value {
        Value::Inst(inst) => match function.insts[*inst].kind {
            InstKind::Cast { op: CastOp::SExt | CastOp::ZExt, value, .. } => narrow(value),
            _ => false,
        },
        _ => false,
    };
    extended || narrow(*value)
}

/// Elements of an array type, also of one in a record.
fn length(module: &Module, ty: ir::id::TypeId) -> Option<u64> {
    match module.types.resolve(ty) {
        Type::Array(_, count) => Some(*count),
        Type::Struct { fields, .. } => {
            let lengths = fields.iter().filter_map(|&field| match module.types.resolve(field) {
                Type::Array(_, count) => Some(*count),
                _ => None,
            });
            lengths.max()
        }
        _ => None,
    }
}
