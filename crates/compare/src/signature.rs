//! `pathshift signature`: what a function computes, one line for each way in which its outputs come about.
//!
//! The semantic signature of "Path Exploration based on Symbolic Output", ESEC/FSE 2011: the classes of inputs that
//! [`explore::output`] tells apart, each with the expressions of its outputs. Classes with the same expressions are one
//! case.

use crate::explore::{Options, fault_name, place, undecided};
use exec::contents::{Contents, Part};
use exec::entry::Entry;
use exec::inputs::LeafValue;
use exec::memory::Kind;
use exec::program::Program;
use exec::run::Worker;
use exec::state::{Effect, End, State};
use exec::value::{ObjectId, Value};
use explore::concolic::Run;
use explore::dependence::Trace;
use explore::guided::{self, Strategy};
use explore::output::{self, Criterion};
use report::explore::RunState;
use report::signature::{Case, Comparison, SCHEMA, Signature};
use smt::expr::Expr;
use smt::pool::Reading;
use std::collections::BTreeMap;

/// The signature of a function.
pub fn signature(program: &Program, entry: &Entry, criterion: &Criterion, options: &Options) -> Signature {
    let strategy = Strategy::Output { criterion: criterion.clone(), reorder: true };
    let chain = (options.chain)();
    let found = guided::explore(program, entry, &strategy, &options.explore, chain, |ended, run, trace| {
        let condition = conditions(ended.worker, program, criterion, run, trace);
        let outputs = outputs(ended.worker, criterion, ended.state, ended.end);
        (condition, outputs)
    });
    let mut cases: Vec<Case> = Vec::new();
    for (condition, outputs) in found.paths {
        match cases.iter_mut().find(|case| case.outputs == outputs) {
            Some(case) if case.conditions.contains(&condition) => {}
            Some(case) => case.conditions.push(condition),
            None => cases.push(Case { conditions: vec![condition], outputs }),
        }
    }
    Signature {
        schema: SCHEMA,
        run_state: if found.stopped.is_some() { RunState::Incomplete } else { RunState::Complete },
        function: ir::demangle::function_display_name(&program.module, entry.function),
        cases,
        paths: found.stats.paths,
        undecided: undecided(&program.module, found.undecided),
    }
}

/// Two signatures, case by case.
pub fn compare(old: Signature, new: Signature) -> Comparison {
    let complete = old.run_state == RunState::Complete && new.run_state == RunState::Complete;
    let mut result = Comparison {
        schema: SCHEMA,
        run_state: if complete { RunState::Complete } else { RunState::Incomplete },
        function: new.function,
        same: Vec::new(),
        moved: Vec::new(),
        removed: Vec::new(),
        added: Vec::new(),
    };
    let sorted = |case: &Case| {
        let mut conditions = case.conditions.clone();
        conditions.iter_mut().for_each(|class| class.sort());
        conditions.sort();
        conditions
    };
    let mut left: Vec<Case> = old.cases;
    for case in new.cases {
        match left.iter().position(|other| other.outputs == case.outputs) {
            Some(at) => {
                let other = left.remove(at);
                match sorted(&other) == sorted(&case) {
                    true => result.same.push(case),
                    false => result.moved.push((other, case)),
                }
            }
            None => result.added.push(case),
        }
    }
    result.removed = left;
    result
}

/// The conditions of the outputs, in the order of the run.
fn conditions(
    worker: &mut Worker,
    program: &Program,
    criterion: &Criterion,
    run: &Run,
    trace: &mut Trace,
) -> Vec<String> {
    let slice = output::criterion(program, criterion, run, trace);
    let mut shown: Vec<String> = Vec::new();
    for turn in trace.sets.get(slice) {
        let Some(question) = trace.turns[turn as usize].question else { continue };
        let text = worker.text(run.questions[question as usize].condition()).to_string();
        if !shown.contains(&text) {
            shown.push(text);
        }
    }
    shown
}

/// The outputs as expressions.
fn outputs(worker: &mut Worker, criterion: &Criterion, state: &State, end: &End) -> Vec<String> {
    let mut shown = Vec::new();
    match end {
        End::Returned(Some(value)) if matches!(criterion, Criterion::All | Criterion::Result) => {
            shown.push(format!("returns {}", expression(worker, value)));
        }
        End::Returned(_) => {}
        End::Exited(code) => shown.push(format!("exits with {}", worker.text(*code))),
        End::Fault { kind, at, .. } => {
            let line = at.and_then(|at| place(&worker.program.module, at)).map(|place| place.line);
            let line = line.map(|line| format!(" in line {line}")).unwrap_or_default();
            shown.push(format!("{}{line}", fault_name(*kind)));
        }
        End::Scope { what, .. } | End::Bound { what, .. } | End::Unsupported { what, .. } => {
            shown.push(format!("not followed: {what}"));
        }
        End::Left => shown.push("not followed to its end".to_owned()),
    }
    if matches!(criterion, Criterion::All | Criterion::Global(_)) {
        shown.extend(memory(worker, criterion, state));
    }
    if matches!(criterion, Criterion::All | Criterion::Outside) {
        shown.extend(state.effects.to_vec().into_iter().map(|effect| effect_text(worker, effect)));
    }
    if shown.is_empty() {
        shown.push("returns".to_owned());
    }
    shown
}

fn expression(worker: &mut Worker, value: &Value) -> String {
    match value {
        Value::Bits(Expr::Const { bits, width }) => smt::show::constant(*bits, *width, Some(Reading::Signed)),
        Value::Bits(expr) => worker.text(*expr).to_string(),
        Value::Ptr(pointer) if pointer.object == ObjectId::NONE => worker.text(pointer.offset).to_string(),
        Value::Ptr(pointer) => {
            let name = match worker.program.object_symbol(pointer.object) {
                Some(symbol) => format!("&{}", worker.program.module.symbol_label(symbol)),
                None => "a pointer".to_owned(),
            };
            match pointer.offset.as_const() {
                Some(0) => name,
                _ => format!("{name} + {}", worker.text(pointer.offset)),
            }
        }
        Value::Many(parts) => {
            let parts: Vec<String> = parts.iter().map(|part| expression(worker, part)).collect();
            format!("{{{}}}", parts.join(", "))
        }
        Value::Undef | Value::Skipped(_) => "any value".to_owned(),
    }
}

/// Memory that was written and is seen after the run: `name = expression`.
fn memory(worker: &mut Worker, criterion: &Criterion, state: &State) -> Vec<String> {
    let mut shown = Vec::new();
    for (id, object) in state.memory.iter() {
        let symbol = worker.program.object_symbol(id);
        let name = symbol.map(|symbol| worker.program.module.symbol_label(symbol).to_owned());
        let wanted = match (criterion, &name) {
            (Criterion::Global(wanted), Some(name)) => wanted == name,
            (Criterion::Global(_), None) => false,
            _ => true,
        };
        if !object.written || !wanted {
            continue;
        }
        let input = match (object.kind, symbol) {
            (Kind::Input(input), _) => Some(input),
            (Kind::Global { .. }, Some(symbol)) => {
                worker.inputs.find(exec::inputs::Origin::Global(worker.program.canonical(symbol)))
            }
            _ => None,
        };
        if input.is_none() && name.is_none() {
            continue;
        }
        let contents: &Contents = &object.contents;
        if contents.array.is_some() {
            shown.push(format!("{} is written at unknown places", name.unwrap_or_else(|| "memory".to_owned())));
            continue;
        }
        let mut spots: BTreeMap<u64, u32> = contents.cells().map(|(at, cell)| (at, cell.size)).collect();
        if let Some(input) = input {
            spots.extend(worker.inputs.leaves_of(input).map(|leaf| (leaf.offset, leaf.size)));
        }
        if let (true, Some(size @ 1..=8)) = (spots.is_empty(), object.size.as_const()) {
            spots.insert(0, size as u32);
        }
        for (at, size) in spots {
            let value = match contents.part(at, u64::from(size)) {
                Part::Bytes(word) => Value::int(word, size * 8),
                Part::Cell(value) => value,
                Part::Unset | Part::Mixed => continue,
            };
            let leaf = input.and_then(|input| worker.inputs.leaf_at(input, at).cloned());
            let place = match (&leaf, &name) {
                (Some(leaf), _) => match leaf.value {
                    LeafValue::Bits(expr) if value == Value::Bits(expr) => continue,
                    LeafValue::Bits(expr) => worker.text(expr).to_string(),
                    LeafValue::Pointer(to) => worker.inputs.object(to).name.clone(),
                },
                (None, Some(name)) if at == 0 => name.clone(),
                (None, Some(name)) => format!("{name} + {at}"),
                (None, None) => {
                    let object = input.map(|id| worker.inputs.object(id).name.clone());
                    format!("{} + {at}", object.unwrap_or_default())
                }
            };
            shown.push(format!("{place} = {}", expression(worker, &value)));
        }
    }
    shown
}

fn effect_text(worker: &mut Worker, effect: &Effect) -> String {
    match effect {
        Effect::Output { bytes, .. } => {
            let mut text = String::new();
            for &byte in bytes.iter() {
                match byte.as_const() {
                    Some(known) => text.extend(std::ascii::escape_default(known as u8).map(char::from)),
                    None => text.push_str(&format!("{{{}}}", worker.text(byte))),
                }
            }
            format!("prints \"{text}\"")
        }
        Effect::Opaque { stream, what, args } => {
            let args: Vec<String> = args.iter().map(|&arg| worker.text(arg).to_string()).collect();
            let verb = if *stream == Effect::NOWHERE { "calls" } else { "writes" };
            format!("{verb} {what}({})", args.join(", "))
        }
        Effect::Call { function, args, .. } => {
            let args: Vec<String> = args.iter().map(|arg| expression(worker, arg)).collect();
            format!("calls {function}({})", args.join(", "))
        }
    }
}
