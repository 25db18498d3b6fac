//! `pathshift diff`: for each changed function whether it still does the same.
//!
//! Cheapest means first: code that is the same with all that it uses needs no solver. Otherwise both versions are followed
//! on the same inputs ([`explore::pair`]). What looks different is run natively on both builds; only what really
//! differs there is called different. Whatever is left open is undecided, with its reasons.

mod couple;

use crate::explore::{datum, fault_name, place};
use crate::replay::{self, Placement, ReplayError};
use crate::suite::{Reading, signature};
use build::Environment;
use change::{Changes, FunctionChange, Kind};
use couple::{Couple, unmarked};
use exec::case::{self, End, FaultKind, Input, Outcome};
use explore::pair::{Compared, Difference, Doubt, aspect_name};
use explore::{Stopped, Undecided};
use ir::id::{FuncId, LocId};
use ir::module::Module;
use report::diff::{Diff, Function, SCHEMA, Verdict};
use smt::solver::chain::Chain;
use std::time::{Duration, Instant};

/// How to compare.
pub struct Options {
    /// Bounds and limits of the exploration.
    pub explore: explore::options::Options,
    /// Bounds of inputs.
    pub program: exec::program::Options,
    /// Makes the solvers.
    pub chain: Box<dyn Fn() -> Chain + Sync>,
    /// Time for each function.
    pub time: Duration,
    /// Only these functions of the new version; all if empty.
    pub functions: Vec<FuncId>,
    /// Native runs; none if nothing is to be run.
    pub replay: Option<(replay::Options, replay::Limits)>,
}

/// Most differences of a function that are looked for before one is confirmed.
const MAX_CANDIDATES: usize = 8;

/// Compares two promoted versions of a program. `watch` is told how far it is: functions done, of how many, which is next.
pub fn diff(
    old: &Module,
    new: &Module,
    options: &Options,
    env: &Environment,
    mut watch: impl FnMut(usize, usize, &str),
) -> Diff {
    let changes = change::compare(old, new);
    let mut result = Diff { schema: SCHEMA, functions: Vec::new(), notes: changes.notes.clone(), ..Diff::default() };
    let wanted = |function: &FunctionChange| match function.new {
        Some(id) => options.functions.is_empty() || options.functions.contains(&id),
        None => options.functions.is_empty(),
    };
    let chosen: Vec<&FunctionChange> = changes.functions.iter().filter(|function| wanted(function)).collect();
    let open = chosen.iter().filter(|function| !function.same).count();
    let couple = if open > 0 {
        Some(Couple::new(old, new, &changes, options.program.clone()).map_err(|error| error.to_string()))
    } else {
        None
    };
    let mut done = 0;
    for function in chosen {
        if function.same {
            result.unchanged += 1;
            // What was asked for by name is answered by name.
            if options.functions.is_empty() {
                continue;
            }
        } else {
            watch(done, open, &function.name);
            done += 1;
        }
        result.functions.push(one(old, new, &changes, function, couple.as_ref(), options, env));
    }
    result.verdict = overall(&result.functions);
    result.run_state = if options.explore.interrupt.load(std::sync::atomic::Ordering::Relaxed) {
        report::explore::RunState::Incomplete
    } else {
        report::explore::RunState::Complete
    };
    result
}

fn overall(functions: &[Function]) -> Verdict {
    let any = |verdict: Verdict| functions.iter().any(|function| function.verdict == verdict);
    if any(Verdict::Different) {
        Verdict::Different
    } else if functions.iter().any(|function| !function.undecided.is_empty()) {
        Verdict::Undecided
    } else {
        Verdict::Same
    }
}

fn one(
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
            if couple.program.code(new_entry).variadic {
                undecided("it takes a variable number of arguments".to_owned());
                return row;
            }
            let mut exploring = options.explore.clone();
            exploring.deadline = Some(Instant::now() + options.time);
            let chain = (options.chain)();
            let compared =
                explore::pair::compare(&couple.program, old_entry, new_entry, &exploring, chain, MAX_CANDIDATES);
            decide(&mut row, couple, &compared);
            for &index in &function.uses_globals {
                let global = &changes.globals[index];
                if couple.begins_differently(new, global) {
                    row.scope.push(format!("{} as the program begins", global.name));
                }
            }
            if !compared.differences.is_empty() {
                confirm(&mut row, (old, old_id), (new, new_id), couple, &compared.differences, options, env);
            }
        }
        Some(Err(error)) => undecided(format!("the versions cannot be put side by side: {error}")),
        None => {}
    }
    row.millis = started.elapsed().as_millis() as u64;
    row
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

fn reason_row(reason: String, at: Option<LocId>, module: Option<&Module>, count: u64) -> report::explore::Undecided {
    let place = at.zip(module).and_then(|(at, module)| place(module, at));
    report::explore::Undecided {
        reason,
        file: place.as_ref().map(|place| place.file.clone()),
        line: place.map(|place| place.line),
        count,
    }
}

/// Runs what looks different on both builds.
fn confirm(
    row: &mut Function,
    old: (&Module, FuncId),
    new: (&Module, FuncId),
    couple: &Couple,
    differences: &[Difference],
    options: &Options,
    env: &Environment,
) {
    let reading = signature::result(new.0, &new.0.functions[new.1]);
    let Some((replaying, limits)) = &options.replay else {
        row.undecided.push(reason_row("a difference was found but not run natively".to_owned(), None, None, 1));
        row.differences.extend(differences.iter().take(1).map(|difference| shown(difference, couple, reading, None)));
        return;
    };
    let inputs: Vec<Input> = differences.iter().map(|difference| with_own_names(&difference.input)).collect();
    let run = |(module, id): (&Module, FuncId)| -> Result<Vec<replay::Replayed>, ReplayError> {
        let guarded = replay::Options { guard_stack: true, ..replaying.clone() };
        replay::prepare(module, id, &guarded, env)?.run(&inputs, Placement::Exact, limits)
    };
    let (seen_old, seen_new) = match (run(old), run(new)) {
        (Ok(a), Ok(b)) => (a, b),
        (Err(error), _) | (_, Err(error)) => {
            let reason = format!("a difference was found but could not be run natively: {error}");
            row.undecided.push(reason_row(reason, None, None, 1));
            row.differences
                .extend(differences.iter().take(1).map(|difference| shown(difference, couple, reading, None)));
            return;
        }
    };
    let said = |replayed: &[replay::Replayed], old: bool| -> Vec<Outcome> {
        replayed.iter().map(|one| with_constants_by_contents(&one.outcome, couple, old)).collect()
    };
    let (said_old, said_new) = (said(&seen_old, true), said(&seen_new, false));
    for (index, ((difference, a), b)) in differences.iter().zip(&seen_old).zip(&seen_new).enumerate() {
        let known = |outcome: &Outcome| !matches!(outcome.end, End::Bound(_) | End::Unsupported(_));
        if known(&a.outcome) && known(&b.outcome) && replay::agrees(&said_old[index], &said_new[index]).is_err() {
            row.verdict = Verdict::Different;
            row.differences.push(shown(difference, couple, reading, Some((&said_old[index], &said_new[index]))));
            return;
        }
    }
    let reason = "a difference of the model did not show natively".to_owned();
    row.undecided.push(reason_row(reason, None, None, differences.len() as u64));
    row.differences.extend(differences.iter().take(1).map(|difference| shown(difference, couple, reading, None)));
}

/// An outcome in which pointers to constants name what these say: literals of two versions are the same if their text is.
fn with_constants_by_contents(outcome: &Outcome, couple: &Couple, old: bool) -> Outcome {
    let mut outcome = outcome.clone();
    let target = |target: &mut case::Target| {
        if let case::Target::Symbol { name, offset } = target
            && let Some(text) = couple.constant_text(name, *offset, old)
        {
            (*name, *offset) = (format!("\"{}\"", text.escape_ascii()), 0);
        }
    };
    values(&mut outcome.result, &target);
    for memory in outcome.objects.iter_mut().chain(outcome.globals.iter_mut().map(|(_, memory)| memory)) {
        memory.pointers.iter_mut().for_each(|(_, to)| target(to));
    }
    outcome.calls.iter_mut().flat_map(|call| call.args.iter_mut()).for_each(|arg| values(arg, &target));
    outcome
}

/// Changes every pointer of a value.
fn values(datum: &mut case::Datum, change: &dyn Fn(&mut case::Target)) {
    match datum {
        case::Datum::Pointer(target) => change(target),
        case::Datum::Many(parts) => parts.iter_mut().for_each(|part| values(part, change)),
        _ => {}
    }
}

/// An input with the symbol names that the versions have themselves.
fn with_own_names(input: &Input) -> Input {
    let mut input = input.clone();
    let target = |target: &mut case::Target| {
        if let case::Target::Symbol { name, .. } = target {
            *name = unmarked(name).to_owned();
        }
    };
    input.args.iter_mut().for_each(|arg| values(arg, &target));
    for memory in input.objects.iter_mut().chain(input.globals.iter_mut().map(|(_, memory)| memory)) {
        memory.pointers.iter_mut().for_each(|(_, to)| target(to));
    }
    for (name, _) in &mut input.globals {
        *name = unmarked(name).to_owned();
    }
    input
}

fn shown(
    difference: &Difference,
    couple: &Couple,
    reading: Reading,
    seen: Option<(&Outcome, &Outcome)>,
) -> report::diff::Difference {
    let module = &couple.program.module;
    let side = |expected: &explore::pair::Side, seen: Option<&Outcome>| {
        let outcome = seen.unwrap_or(&expected.outcome);
        report::diff::Side {
            outcome: words(outcome, &expected.detail, &difference.aspects, reading),
            line: expected.at.and_then(|at| place(module, at)),
        }
    };
    let (old, new) = (side(&difference.old, seen.map(|(old, _)| old)), side(&difference.new, seen.map(|(_, new)| new)));
    report::diff::Difference {
        kind: kind(difference),
        inputs: difference
            .named
            .iter()
            .map(|(name, value)| report::explore::Input { name: name.as_str().into(), value: value.clone() })
            .collect(),
        parts: difference.aspects.iter().map(|aspect| unmarked(&aspect_name(aspect)).to_owned()).collect(),
        old,
        new,
        condition: difference.condition.clone(),
        replayed: seen.is_some(),
    }
}

fn kind(difference: &Difference) -> String {
    let fault = |end: &End| matches!(end, End::Fault(_));
    match (fault(&difference.old.outcome.end), fault(&difference.new.outcome.end)) {
        (false, true) => "fault appears",
        (true, false) => "fault disappears",
        (true, true) => "another fault",
        (false, false) => match difference.aspects.first() {
            Some(exec::same::Aspect::Result) => "value",
            Some(exec::same::Aspect::Memory(_) | exec::same::Aspect::Global(_)) => "memory",
            Some(exec::same::Aspect::Output(_)) => "output",
            Some(exec::same::Aspect::Calls) => "calls",
            _ => "end",
        },
    }
    .to_owned()
}

/// An outcome in words, as far as it differs.
fn words(outcome: &Outcome, detail: &str, aspects: &[exec::same::Aspect], reading: Reading) -> String {
    let mut parts = Vec::new();
    match &outcome.end {
        End::Returned => {
            if !matches!(outcome.result, case::Datum::Any) {
                let value = match reading {
                    Reading::None => datum(&outcome.result),
                    reading => crate::suite::show::value(&outcome.result, reading),
                };
                parts.push(format!("returns {value}"));
            } else {
                parts.push("returns".to_owned());
            }
        }
        End::Exited(code) => parts.push(format!("exits with {code}")),
        End::Fault(kind) => parts.push(fault(*kind, detail)),
        End::Bound(what) | End::Unsupported(what) => parts.push(what.clone()),
    }
    for aspect in aspects {
        match aspect {
            exec::same::Aspect::Global(name) => {
                let name = unmarked(name);
                match outcome.globals.iter().find(|(known, _)| unmarked(known) == name) {
                    Some((_, memory)) => parts.push(format!("{name} = {}", bytes(&memory.bytes))),
                    None => parts.push(format!("{name} as before")),
                }
            }
            exec::same::Aspect::Memory(name) => {
                if let Some(memory) = outcome.objects.iter().find(|memory| memory.name == *name) {
                    parts.push(format!("*{name} = {}", bytes(&memory.bytes)));
                }
            }
            exec::same::Aspect::Output(1) => parts.push(format!("prints \"{}\"", outcome.stdout.escape_ascii())),
            exec::same::Aspect::Output(2) => parts.push(format!("reports \"{}\"", outcome.stderr.escape_ascii())),
            exec::same::Aspect::Calls => {
                let calls = outcome.calls.iter().map(|call| {
                    format!("{}({})", call.function, call.args.iter().map(datum).collect::<Vec<_>>().join(", "))
                });
                parts.push(format!("calls {}", calls.collect::<Vec<_>>().join(", ")));
            }
            _ => {}
        }
    }
    parts.join(", ")
}

fn fault(kind: FaultKind, detail: &str) -> String {
    if detail.is_empty() { fault_name(kind).to_owned() } else { format!("{}: {detail}", fault_name(kind)) }
}

/// Bytes as people read them: a number if there are few, else text or hexadecimal digits.
fn bytes(bytes: &[u8]) -> String {
    match bytes.len() {
        1 => (bytes[0] as i8).to_string(),
        4 => i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]).to_string(),
        8 => {
            let mut word = [0; 8];
            word.copy_from_slice(bytes);
            i64::from_le_bytes(word).to_string()
        }
        _ => format!("\"{}\"", bytes.escape_ascii()),
    }
}
