//! The verdict on one function: the same code, or both versions followed on the same inputs.

use super::Options;
use super::confirm::confirm;
use super::couple::Couple;
use super::larger;
use crate::explore::place;
use build::Environment;
use change::{Changes, FunctionChange, Kind};
use exec::entry::{Bytes, Entry, Shell};
use exec::inputs::Bounds;
use explore::pair::{Compared, Doubt};
use explore::{Stopped, Undecided};
use ir::id::{FuncId, LocId};
use ir::module::Module;
use report::diff::{Function, Verdict};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Most differences of a function that are looked for before one is confirmed.
const MAX_CANDIDATES: usize = 8;

/// Compares one function of two versions.
pub fn of(
    old: &Module,
    new: &Module,
    changes: &Changes,
    function: &FunctionChange,
    couple: Option<&Result<Couple, String>>,
    options: &Options,
    env: &Environment,
) -> Function {
    let started = Instant::now();
    let mut row = Function {
        name: function.name.clone(),
        old_name: function.old_name.clone(),
        changed: function.kind == Kind::Changed,
        through: through(changes, function),
        hunks: function.hunks.iter().map(hunk).collect(),
        ..Function::default()
    };
    let (Some(old_id), Some(new_id)) = (function.old, function.new) else {
        row.verdict = if function.new.is_some() { Verdict::Added } else { Verdict::Removed };
        let gone = function.old.filter(|_| function.new.is_none()).map(|id| old.functions[id].symbol);
        if gone.is_some_and(|symbol| !old.symbols[symbol].linkage.is_local()) {
            row.undecided.push(reason_row("it is gone, and others may call it".to_owned(), None, None, 1));
        }
        return row;
    };
    if function.same {
        row.verdict = Verdict::Same;
        row.scope.push("all inputs: the code is the same".to_owned());
        return row;
    }
    row.verdict = Verdict::Undecided;
    let mut undecided = |reason: String| row.undecided.push(reason_row(reason, None, None, 1));
    match couple {
        Some(Ok(couple)) => {
            let pair = couple.old_function(old, old_id).zip(couple.new_function(new, new_id));
            let Some((old_entry, new_entry)) = pair else {
                undecided("the versions cannot be put side by side".to_owned());
                return row;
            };
            if !same_parameters(&couple.program, old_entry, new_entry) {
                undecided("its parameters or its result changed".to_owned());
                return row;
            }
            let program = new.function_name(new_id) == "main";
            if couple.program.code(new_entry).variadic {
                undecided("it takes a variable number of arguments".to_owned());
                return row;
            }
            let compare = |bounds: &Bounds, unwind: Option<u32>, time: Duration| {
                let deadline = Some(Instant::now() + time);
                let exploring = explore::options::Options { unwind, deadline, ..options.explore.clone() };
                let shell = program.then(|| Arc::new(shell(bounds)));
                let [old, new] = [old_entry, new_entry].map(|function| Entry { function, shell: shell.clone() });
                let chain = (options.chain)();
                explore::pair::compare(&couple.program, &old, &new, &exploring, bounds, chain, MAX_CANDIDATES)
            };
            let compared = compare(&options.program.inputs, options.explore.unwind, options.time);
            decide(&mut row, couple, &compared);
            for &index in &function.uses_globals {
                let global = &changes.globals[index];
                if couple.begins_differently(new, global) {
                    row.scope.push(format!("{} as the program begins", global.name));
                }
            }
            let confirm = |row: &mut Function, compared: &Compared| {
                confirm(row, (old, old_id), (new, new_id), couple, &compared.differences, options, env);
            };
            if !compared.differences.is_empty() {
                confirm(&mut row, &compared);
            }
            // The same for small inputs: the program itself says where larger ones may matter.
            let larger = (row.verdict == Verdict::Same && is_bounded(&compared))
                .then(|| larger::bounds(&couple.program.module, [old_entry, new_entry], &options.program.inputs))
                .flatten();
            if let Some((bounds, unwind)) = larger {
                let time = MORE_TIME.min(options.time.saturating_sub(started.elapsed()) / 2);
                let compared = compare(&bounds, options.explore.unwind.map(|known| known.max(unwind)), time);
                let mut deeper = Function { scope: Vec::new(), ..row.clone() };
                decide(&mut deeper, couple, &compared);
                if !compared.differences.is_empty() {
                    confirm(&mut deeper, &compared);
                }
                if matches!(deeper.verdict, Verdict::Different) || deeper.undecided.is_empty() {
                    row = deeper;
                }
            }
        }
        Some(Err(error)) => undecided(format!("the versions cannot be put side by side: {error}")),
        None => {}
    }
    row.millis = started.elapsed().as_millis() as u64;
    row
}

/// How long larger inputs are looked for, once it is the same for small ones.
const MORE_TIME: Duration = Duration::from_secs(2);

/// Whether bounds cut anything off.
fn is_bounded(compared: &Compared) -> bool {
    let cut = |doubt: &Doubt| matches!(doubt, Doubt::Path(Undecided::Scope(_)));
    !compared.scope.is_empty() || compared.undecided.keys().any(|(doubt, _)| cut(doubt))
}

/// Arguments that a program is given beside its name.
const ARGUMENTS: usize = 3;

/// What `main` is given: some arguments and some standard input, or less, of as many characters as a string has.
fn shell(bounds: &Bounds) -> Shell {
    let mut argv = vec![Bytes::Known(b"program".to_vec())];
    argv.extend((0..ARGUMENTS).map(|_| Bytes::Unknown(bounds.characters)));
    Shell { argv, stdin: Bytes::Unknown(bounds.characters), files: Vec::new(), or_less: true }
}

/// Where a function changed, in words.
fn hunk(hunk: &change::Hunk) -> String {
    let side = |file: &str, lines: &[u32]| match lines {
        [] => "nothing".to_owned(),
        lines => {
            let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
            format!("{file}:{}", lines.join(","))
        }
    };
    format!("{} -> {}", side(&hunk.old_file, &hunk.old_lines), side(&hunk.new_file, &hunk.new_lines))
}

/// Changed functions through which a function is reached that did not change itself.
fn through(changes: &Changes, function: &FunctionChange) -> Vec<String> {
    let functions = function.uses_functions.iter().map(|&index| changes.functions[index].name.clone());
    functions.chain(function.uses_globals.iter().map(|&index| changes.globals[index].name.clone())).collect()
}

fn same_parameters(program: &exec::program::Program, old: FuncId, new: FuncId) -> bool {
    let module = &program.module;
    let (a, b) = (&module.functions[old], &module.functions[new]);
    let shapes = |function: &ir::module::Function| -> Vec<exec::value::Shape> {
        function.params.iter().map(|param| program.shape(param.ty)).collect()
    };
    let result = |function: &ir::module::Function| {
        module.types.signature(function.ty).map(|(result, _, variadic)| (program.shape(result), variadic))
    };
    shapes(a) == shapes(b) && result(a) == result(b)
}

/// The verdict if nothing differs.
fn decide(row: &mut Function, couple: &Couple, compared: &Compared) {
    let module = &couple.program.module;
    row.pairs = compared.pairs;
    row.scope = compared.scope.iter().cloned().collect();
    for ((doubt, at), count) in &compared.undecided {
        let reason = match doubt {
            Doubt::Path(Undecided::Scope(what)) => {
                let place = at.and_then(|at| place(module, at));
                let line = place.map(|place| format!(" ({}:{})", place.file, place.line)).unwrap_or_default();
                row.scope.push(format!("{what}{line}"));
                continue;
            }
            Doubt::Path(Undecided::Solver) => "the solver did not know within its limit".to_owned(),
            Doubt::Path(Undecided::Bound(what)) => format!("bound: {what}"),
            Doubt::Path(Undecided::Unsupported(what)) => format!("unsupported: {what}"),
            Doubt::Comparison(what) | Doubt::Remark(what) => what.clone(),
        };
        row.undecided.push(reason_row(reason, *at, Some(module), *count));
    }
    match compared.stopped {
        Some(Stopped::Time) => row.undecided.push(reason_row("out of time".to_owned(), None, None, 1)),
        Some(Stopped::Interrupted) => row.undecided.push(reason_row("interrupted".to_owned(), None, None, 1)),
        Some(_) => row.undecided.push(reason_row("out of room".to_owned(), None, None, 1)),
        None => {}
    }
    row.undecided.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.reason.cmp(&b.reason)));
    if compared.pairs == 0 && row.undecided.is_empty() {
        row.undecided.push(reason_row("no input in scope ends in both versions".to_owned(), None, None, 1));
    }
    if compared.differences.is_empty() && row.undecided.is_empty() {
        row.verdict = Verdict::Same;
        if row.scope.is_empty() {
            row.scope.push("all inputs".to_owned());
        }
    }
}

/// A reason why something is undecided.
pub fn reason_row(
    reason: String,
    at: Option<LocId>,
    module: Option<&Module>,
    count: u64,
) -> report::explore::Undecided {
    let place = at.zip(module).and_then(|(at, module)| place(module, at));
    report::explore::Undecided {
        reason,
        file: place.as_ref().map(|place| place.file.clone()),
        line: place.map(|place| place.line),
        count,
    }
}
