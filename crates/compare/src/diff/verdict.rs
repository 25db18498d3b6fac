//! The verdict on one function: the same code, or both versions followed on the same inputs.

use super::callers::{ALL_INPUTS, ERRNO};
use super::couple::{Couple, mentions, readable};
use super::following::{follow, follow_larger, goes_together};
use super::machine::FLOAT_STATE;
use super::merged::Merged;
use super::natives::Natives;
use super::parameters::{has_member_pointer, other_pointee, same_parameters};
use super::part::Source;
use super::shown::Stage;
use super::startup::{Built, before_main_changed, runs_before_main};
use super::trying::try_further;
use super::versus::{MAX_DIFFERENCES, Versus};
use super::whole::{arguments, called, reads_input, world};
use super::{Options, common, records, shown_name, tests};
use crate::explain::changed_blocks;
use crate::explore::{function_place, place};
use crate::suite::{Test, signature};
use build::Environment;
use change::lines::Line;
use change::{Changes, FunctionChange, Kind};
use exec::inputs::Bounds;
use exec::relaid::Types;
use exec::scope::{PANICS, Scope};
use explore::pair::{Compared, Doubt};
use explore::{Stopped, Undecided};
use ir::debug::DebugTypeKind;
use ir::demangle::function_display_name;
use ir::id::{BlockId, DebugTypeId, FuncId, LocId};
use ir::module::{Linkage, Module, Symbol, SymbolKind, Visibility};
use report::diff::{Function, Interface, Verdict};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::sync::OnceLock;
use std::time::Instant;

/// Two versions, ready to be compared function by function.
pub struct Task<'a> {
    /// The old version.
    pub old: &'a Module,
    /// The new version.
    pub new: &'a Module,
    /// What changed.
    pub changes: &'a Changes,
    /// Both as one program, if that is needed, or why they cannot be one.
    pub couple: Option<&'a Result<Couple, String>>,
    /// The same with fewer branches, once it is needed.
    pub merged: &'a OnceLock<Option<Merged>>,
    /// Blocks of that program that are not the same in both versions.
    pub changed: &'a FxHashSet<(FuncId, BlockId)>,
    /// Variables that are built in another way before the program begins.
    pub built: &'a Built,
    /// How to compare.
    pub options: &'a Options,
    /// The machine.
    pub env: &'a Environment,
    /// Both versions built natively.
    pub natives: &'a Natives<'a>,
    /// The sources, old and new.
    pub sources: &'a (Source, Source),
}

/// Compares one function of two versions; tests are made if they are asked for. `proved` says that all it uses is the same.
pub fn of(task: &Task, function: &FunctionChange, proved: bool) -> (Function, Vec<Test>) {
    let started = Instant::now();
    let Task { old, new, sources, .. } = *task;
    let mut row = begin(task, function);
    let mut tests = Vec::new();
    let (Some(old_id), Some(new_id)) = (function.old, function.new) else {
        row.verdict = if function.new.is_some() { Verdict::Added } else { Verdict::Removed };
        let gone = function.old.filter(|_| function.new.is_none()).map(|id| old.functions[id].symbol);
        if gone.is_some_and(|symbol| others_may_call(&old.symbols[symbol])) {
            row.undecided.push(reason_row("it is gone, and others may call it".to_owned(), None, None, 1));
        }
        return (row, tests);
    };
    if function.same {
        row.verdict = Verdict::Same;
        row.scope.push("all inputs: the code is the same".to_owned());
        return (row, tests);
    }
    if proved && !task.options.tests {
        row.verdict = Verdict::Same;
        row.scope.push("all inputs: its code, and whatever it uses, does the same".to_owned());
        row.scope.extend(of_machine(task, old_id, new_id));
        return (row, tests);
    }
    row.verdict = Verdict::Undecided;
    if task.built.is_all(function) {
        return (row, tests);
    }
    match task.couple {
        Some(Ok(couple)) => tests = side_by_side(&mut row, task, function, couple, (old_id, new_id)),
        Some(Err(error)) => {
            let reason = format!("the versions cannot be put side by side: {error}");
            row.undecided.push(reason_row(reason, None, None, 1));
        }
        None => {}
    }
    if let Some(Ok(couple)) = task.couple
        && let Some(entries) = couple.old_function(old, old_id).zip(couple.new_function(new, new_id))
    {
        let granted = couple.taken_for_granted(entries.into());
        row.scope.extend(granted.into_iter().filter(|what| !row.scope.contains(what)).collect::<Vec<_>>());
        row.scope.extend(of_machine(task, old_id, new_id));
        if row.verdict.is_same() && couple.machine().floats.concerns(functions_of(couple, entries.into())) {
            row.verdict = Verdict::Undecided;
            row.undecided.push(reason_row(FLOAT_STATE.to_owned(), None, None, 1));
        }
        if row.verdict.is_same() && couple.computes(entries.into()) {
            row.scope.push(ERRNO.to_owned());
        }
    }
    if row.verdict.is_same() && pointees((old, old_id)) != pointees((new, new_id)) {
        // What fits behind a pointer of the old version may be too small for the new one.
        row.scope.retain(|what| what != ALL_INPUTS);
        row.scope.push("pointers lead to what both versions declare".to_owned());
    }
    for item in &mut row.undecided {
        item.file = item.file.as_deref().map(|file| sources.1.short(&sources.0.short(file)));
    }
    row.stats.millis = started.elapsed().as_millis() as u64;
    (row, tests)
}

/// The row of a function before anything is known of it: its name, its place and what changed.
pub fn begin(task: &Task, function: &FunctionChange) -> Function {
    let Task { old, new, sources, .. } = *task;
    let place = match (function.new, function.old) {
        (Some(id), _) => function_place(new, id).map(|place| sources.1.shown(&place)),
        (None, Some(id)) => function_place(old, id).map(|place| sources.0.shown(&place)),
        (None, None) => None,
    };
    let (name, old_name) = shown_name(function, old, new);
    Function {
        name,
        old_name,
        place,
        changed: function.kind == Kind::Changed,
        through: through(task, function),
        hunks: function.hunks.iter().map(|one| hunk(one, sources)).collect(),
        ..Function::default()
    }
}

/// What is taken for granted of the machine.
fn of_machine(task: &Task, old: FuncId, new: FuncId) -> Vec<String> {
    let Some(Ok(couple)) = task.couple else { return Vec::new() };
    let entries = couple.old_function(task.old, old).zip(couple.new_function(task.new, new));
    let changed = task.changed.iter().map(|(function, _)| *function).collect();
    let Some(entries) = entries else { return Vec::new() };
    let functions = functions_of(couple, entries.into());
    couple.machine().taken_for_granted(functions, &changed).into_iter().map(str::to_owned).collect()
}

/// All functions that some use, directly or not, and they themselves.
fn functions_of(couple: &Couple, entries: [FuncId; 2]) -> impl Iterator<Item = FuncId> {
    couple.reached(entries).into_iter().filter_map(|symbol| match couple.program.module.symbols[symbol].kind {
        SymbolKind::Function(id) => Some(id),
        _ => None,
    })
}

/// How large the source says that what parameters lead to is, in bits.
fn pointees((module, id): (&Module, FuncId)) -> Vec<Option<u64>> {
    let debug = &module.debug;
    let types = module.functions[id].scope.and_then(|scope| debug.scopes[scope].ty).map(|ty| &debug.types[ty].kind);
    let Some(DebugTypeKind::Function { types }) = types else { return Vec::new() };
    let size = |ty: &Option<DebugTypeId>| match &debug.types[debug.strip((*ty)?)].kind {
        DebugTypeKind::Pointer { to: Some(to), .. } => Some(debug.types[debug.strip(*to)].bits),
        _ => None,
    };
    types.iter().skip(1).map(size).collect()
}

/// Whether code may call a symbol that is no part of the program.
pub fn others_may_call(symbol: &Symbol) -> bool {
    // Whoever uses an inline function or an instance of a template has a copy.
    let copied = matches!(symbol.linkage, Linkage::LinkOnce | Linkage::LinkOnceOdr | Linkage::AvailableExternally);
    !symbol.linkage.is_local() && !copied && symbol.visibility != Visibility::Hidden
}

/// Follows both versions on the same inputs.
fn side_by_side(
    row: &mut Function,
    task: &Task,
    function: &FunctionChange,
    couple: &Couple,
    ids: (FuncId, FuncId),
) -> Vec<Test> {
    let Task { old, new, changes, options, .. } = *task;
    let mut undecided = |reason: &str| {
        row.undecided.push(reason_row(reason.to_owned(), None, None, 1));
        Vec::new()
    };
    let pair = couple.old_function(old, ids.0).zip(couple.new_function(new, ids.1));
    let Some(entries) = pair.map(<[FuncId; 2]>::from) else {
        return undecided("the versions cannot be put side by side");
    };
    let [old_entry, new_entry] = entries;
    if !same_parameters(&couple.program, old_entry, new_entry) {
        row.interface = Some(Interface { old: declaration(old, ids.0), new: declaration(new, ids.1) });
        on_common_ground(row, task, function, ids);
        return Vec::new();
    }
    if let Some(reason) = why_not(couple, entries) {
        return undecided(&reason);
    }
    let stage = Stage {
        couple,
        reading: signature::result(new, &new.functions[ids.1]),
        result: result_shape(&couple.program, new_entry),
        result_types: entries.map(|entry| exec::same::result_type(&couple.program.module, entry)),
        sources: task.sources,
        changed: changed_hunks(changes, function),
        until: Instant::now() + options.time,
    };
    let is_program = new.function_name(ids.1) == "main";
    let world = match is_program {
        true => world(&couple.program.module, entries, &couple.reached(entries)),
        false => Vec::new(),
    };
    let versus = Versus {
        task,
        couple,
        ids,
        entries,
        stage,
        several: places_that_changed(changes, function) > 1,
        is_program,
        arguments: arguments(&couple.program.module, entries),
        world,
        plain: !records::concern(&couple.program, entries),
        started: Instant::now(),
    };
    if goes_together(row, &versus) {
        return Vec::new();
    }
    let mut followed = follow(row, &versus);
    if followed.is_over {
        return Vec::new();
    }
    row.stats.paths = followed.compared.stats.paths;
    row.stats.queries = followed.compared.stats.solver.questions;
    follow_larger(row, &mut followed, &versus);
    let bounded = is_bounded(&followed.compared)
        || versus.is_program && reads_input(&couple.program.module)
        || !versus.world.is_empty();
    let proved = row.verdict == Verdict::Same && !bounded;
    if matches!(row.verdict, Verdict::Same | Verdict::Undecided) && !proved {
        try_further(row, &mut followed, &versus);
    }
    if versus.is_program {
        scope_of_program(row, &versus, &followed.bounds);
    }
    let compared = followed.compared;
    // Changed contents of variables are no code that a run could get to.
    let uses_code = !function.uses_functions.is_empty() || function.uses_globals.is_empty();
    let code_changed = function.kind == Kind::Changed || uses_code;
    let partial = bounded || compared.untold || couple.asks_for_output(entries);
    if row.verdict == Verdict::Same && partial && !compared.reached && code_changed && !task.changed.is_empty() {
        // Proved for inputs that have nothing to do with the change: that is no answer to what was asked.
        row.verdict = Verdict::Undecided;
        let reason = match compared.scope.contains(&Scope::Allocations) {
            true => "no input within the bounds gets to what changed, as long as allocations do not fail",
            false => "no input within the bounds gets to what changed",
        };
        row.undecided.push(reason_row(reason.to_owned(), None, None, 1));
    }
    if row.verdict == Verdict::Same && partial && !compared.missed.is_empty() {
        // The same as far as was looked, but not at all that changed.
        row.verdict = Verdict::Undecided;
        row.undecided.extend(compared.missed.iter().map(not_reached));
    }
    if row.differences.is_empty() && row.undecided.is_empty() && !row.ignored.is_empty() {
        // It is what it is, and only does not count.
        row.verdict = Verdict::Different;
        row.not_counted = true;
    }
    if row.verdict == Verdict::Same && is_within_bounds(&compared, &versus) {
        row.verdict = Verdict::SameWithinBounds;
    }
    if options.tests { tests::of(&compared, couple, ids.1, options, task.natives) } else { Vec::new() }
}

/// Why two versions of a function with the same parameters cannot be compared, if they cannot.
fn why_not(couple: &Couple, [old_entry, new_entry]: [FuncId; 2]) -> Option<String> {
    let (program, module) = (&couple.program, &couple.program.module);
    if program.code(new_entry).variadic {
        return Some("it takes a variable number of arguments".to_owned());
    }
    let moved = program.has_changed_records() || !program.moved_tables.is_empty();
    if moved && [old_entry, new_entry].iter().any(|id| has_member_pointer(module, *id)) {
        return Some("a pointer to a member says where this lies in a class, and classes changed".to_owned());
    }
    let moved = |ty: DebugTypeId| program.variants.moved.contains(&ty);
    if signature_types(module, new_entry).iter().any(|&ty| mentions(module, ty, &moved)) {
        return Some(
            "variants of an enum that it is given or returns have other numbers in the other version".to_owned(),
        );
    }
    let name = other_pointee(program, old_entry, new_entry)?;
    Some(format!("{name} leads to something else in the other version"))
}

/// What a verdict on a whole program holds for.
fn scope_of_program(row: &mut Function, versus: &Versus, bounds: &Bounds) {
    let Task { old, new, changes, .. } = *versus.task;
    if !versus.world.is_empty() || reads_input(&versus.couple.program.module) {
        row.scope.retain(|what| what != ALL_INPUTS);
    }
    row.scope.extend(versus.world.iter().cloned());
    row.scope.extend(called(&versus.couple.program.module, versus.entries));
    if versus.arguments > 0 {
        row.scope.push(format!("up to {} arguments", versus.arguments));
    }
    if reads_input(&versus.couple.program.module) {
        row.scope.push(format!("standard input up to {} bytes", bounds.characters));
    }
    if before_main_changed(old, new, changes) {
        // Nobody runs what comes before or behind `main`.
        let reason = "what runs before or behind `main` changed".to_owned();
        row.undecided.push(reason_row(reason, None, None, 1));
        row.verdict = if row.verdict == Verdict::Same { Verdict::Undecided } else { row.verdict };
    } else if runs_before_main(new) {
        row.scope.push("variables as they are before constructors run".to_owned());
    }
}

/// A changed line that a proof within bounds says nothing about.
fn not_reached((file, line): &Line) -> report::explore::Undecided {
    let reason = "no input in scope gets to this line, which changed".to_owned();
    report::explore::Undecided { reason, file: Some(file.clone()), line: Some(*line), count: 1 }
}

/// Compares versions with different signatures on what both of them mean, if there is such a thing.
fn on_common_ground(row: &mut Function, task: &Task, function: &FunctionChange, (old_id, new_id): (FuncId, FuncId)) {
    let Task { old, new, changes, options, .. } = *task;
    let other_interface = |row: &mut Function| {
        row.verdict = Verdict::Interface;
        (row.differences, row.scope) = (Vec::new(), Vec::new());
        let reason = "its parameters or its result changed".to_owned();
        row.undecided = vec![reason_row(reason, None, None, 1)];
    };
    if takes_changed_variants(old, (new, new_id)) {
        return other_interface(row);
    }
    let Some(common) = common::wrapped((old, old_id), (new, new_id)) else { return other_interface(row) };
    let ((old, old_id), (new, new_id)) = ((&common.old.0, common.old.1), (&common.new.0, common.new.1));
    let Ok(couple) = Couple::new(old, new, changes, options.program.clone()) else { return other_interface(row) };
    let changed = changed_blocks(old, new, changes, &couple);
    let fewer = OnceLock::new();
    let natives = Natives::new((old, vec![old_id]), (new, vec![new_id]), task.env);
    let task = Task { old, new, couple: None, merged: &fewer, changed: &changed, natives: &natives, ..*task };
    side_by_side(row, &task, function, &couple, (old_id, new_id));
    if !row.verdict.is_same() && !common.same_parameters {
        return other_interface(row);
    }
    row.scope.retain(|what| what != ALL_INPUTS);
    row.scope.splice(0..0, common.scope);
}

/// Whether a function is given or returns an enum of Rust whose variants changed: a number that fits in both is not the same
/// variant in both.
fn takes_changed_variants(old: &Module, (new, id): (&Module, FuncId)) -> bool {
    let variants = exec::variants::changed(Types::all(old), Types::all(new));
    let is_one = |ty: DebugTypeId| new.debug.types[ty].name.is_some_and(|name| variants.names.contains(new.str(name)));
    signature_types(new, id).iter().any(|&ty| mentions(new, ty, &is_one))
}

/// The source types of what a function returns and is given.
fn signature_types(module: &Module, id: FuncId) -> Vec<DebugTypeId> {
    let debug = &module.debug;
    let types = module.functions[id].scope.and_then(|scope| debug.scopes[scope].ty).map(|ty| &debug.types[ty].kind);
    match types {
        Some(DebugTypeKind::Function { types }) => types.iter().flatten().copied().collect(),
        _ => Vec::new(),
    }
}

/// Whether something is not said of all inputs: bounds cut some off, or something is taken for granted.
pub fn is_bounded(compared: &Compared) -> bool {
    compared.scope.iter().any(|what| *what != Scope::Panics) || cuts_off(compared)
}

/// Whether paths were cut off at a bound.
fn cuts_off(compared: &Compared) -> bool {
    compared.undecided.keys().any(|(doubt, _)| matches!(doubt, Doubt::Path(Undecided::Scope(_))))
}

/// Whether what is the same is so within bounds that we chose. Assumptions about the world are no bounds.
fn is_within_bounds(compared: &Compared, versus: &Versus) -> bool {
    let of_program = versus.is_program && (versus.arguments > 0 || reads_input(&versus.couple.program.module));
    of_program || cuts_off(compared) || compared.scope.iter().any(Scope::is_bound)
}

/// How many places changed of all that a function runs.
fn places_that_changed(changes: &Changes, function: &FunctionChange) -> usize {
    let used = function.uses_functions.iter().map(|&index| changes.functions[index].hunks.len().max(1));
    function.hunks.len() + used.sum::<usize>() + function.uses_globals.len()
}

/// What changed in a function itself, then in those that it uses.
fn changed_hunks<'c>(changes: &'c Changes, function: &'c FunctionChange) -> Vec<&'c change::Hunk> {
    let used = function.uses_functions.iter().flat_map(|&index| &changes.functions[index].hunks);
    function.hunks.iter().chain(used).collect()
}

/// What callers see of a function.
pub fn declaration(module: &Module, id: FuncId) -> String {
    let name = function_display_name(module, id);
    let function = &module.functions[id];
    let debug = &module.debug;
    let types = function.scope.and_then(|scope| debug.scopes[scope].ty).map(|ty| &debug.types[ty].kind);
    let Some(DebugTypeKind::Function { types }) = types else {
        return format!("{name} with {} parameters", function.params.len());
    };
    let name_of = |ty: &Option<DebugTypeId>| ty.map_or("void".to_owned(), |ty| debug.type_name(&module.strings, ty));
    let mut names = types.iter().map(name_of);
    let result = names.next().unwrap_or_else(|| "void".to_owned());
    format!("{name}({}) -> {result}", names.collect::<Vec<_>>().join(", "))
}

/// Where a function changed, in words.
fn hunk(hunk: &change::Hunk, (old, new): &(Source, Source)) -> String {
    let side = |file: &str, lines: &[u32]| match lines {
        [] => "nothing".to_owned(),
        lines => {
            let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
            format!("{file}:{}", lines.join(","))
        }
    };
    format!(
        "{} -> {}",
        side(&old.short(&hunk.old_file), &hunk.old_lines),
        side(&new.short(&hunk.new_file), &hunk.new_lines)
    )
}

/// Changed functions through which a function is reached that did not change itself.
fn through(task: &Task, function: &FunctionChange) -> Vec<String> {
    let changes = task.changes;
    let name = |index: &usize| shown_name(&changes.functions[*index], task.old, task.new).0;
    let functions = function.uses_functions.iter().map(name);
    functions.chain(function.uses_globals.iter().map(|&index| changes.globals[index].name.clone())).collect()
}

fn result_shape(program: &exec::program::Program, function: FuncId) -> exec::value::Shape {
    let signature = program.module.types.signature(program.module.functions[function].ty);
    signature.map_or(exec::value::Shape::Void, |(result, _, _)| program.shape(result))
}

/// Scopes in words, of which only the largest number of bytes of each object is worth saying.
fn in_words(scope: &BTreeSet<Scope>) -> Vec<String> {
    let is_less = |what: &Scope| match what {
        Scope::AtLeast { of, bytes } => {
            let of = readable(of);
            let is_more = |other: &Scope| matches!(other, Scope::AtLeast { of: name, bytes: more } if more > bytes && readable(name) == of);
            scope.iter().any(is_more)
        }
        _ => false,
    };
    let words: BTreeSet<String> =
        scope.iter().filter(|what| !is_less(what)).map(|what| readable(&what.to_string())).collect();
    words.into_iter().collect()
}

/// The verdict if nothing differs.
pub fn decide(row: &mut Function, task: &Task, couple: &Couple, compared: &Compared) {
    let module = &couple.program.module;
    let (old_source, new_source) = task.sources;
    row.stats.pairs = compared.pairs;
    row.scope = in_words(&compared.scope);
    for ((doubt, at), count) in &compared.undecided {
        let reason = match doubt {
            Doubt::Path(Undecided::Scope(what)) => {
                let place = at.and_then(|at| place(module, at));
                let line = place
                    .map(|place| format!(" ({}:{})", new_source.short(&old_source.short(&place.file)), place.line))
                    .unwrap_or_default();
                // One place where it matters says enough.
                let what = readable(what);
                let is_said = |known: &String| {
                    known.strip_prefix(&what).is_some_and(|rest| rest.is_empty() || rest.starts_with(" ("))
                };
                if !row.scope.iter().any(is_said) {
                    row.scope.push(format!("{what}{line}"));
                }
                continue;
            }
            Doubt::Path(Undecided::Solver) => "the solver did not know within its limit".to_owned(),
            Doubt::Path(Undecided::Bound(what)) => format!("bound: {}", readable(what)),
            Doubt::Path(Undecided::Unsupported(what)) => format!("unsupported: {}", readable(what)),
            Doubt::Comparison(what) | Doubt::Remark(what) => readable(what),
        };
        row.undecided.push(reason_row(reason, *at, Some(module), *count));
    }
    match compared.stopped {
        Some(Stopped::Time) => row.undecided.push(reason_row("out of time".to_owned(), None, None, 1)),
        Some(Stopped::Interrupted) => row.undecided.push(reason_row("interrupted".to_owned(), None, None, 1)),
        Some(Stopped::Paths) => {
            let reason = format!("there may be more than {MAX_DIFFERENCES} differences; the rest was not looked at");
            row.undecided.push(reason_row(reason, None, None, 1));
        }
        Some(Stopped::Memory) => {
            let reason = "out of memory; --memory sets the limit".to_owned();
            row.undecided.push(reason_row(reason, None, None, 1));
        }
        Some(_) => row.undecided.push(reason_row("out of room".to_owned(), None, None, 1)),
        None => {}
    }
    row.undecided.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.reason.cmp(&b.reason)));
    if compared.pairs == 0 && row.undecided.is_empty() {
        row.undecided.push(reason_row("no input in scope ends in both versions".to_owned(), None, None, 1));
    }
    if compared.differences.is_empty() && row.undecided.is_empty() {
        row.verdict = Verdict::Same;
        if row.scope.iter().all(|what| what == PANICS) {
            row.scope.insert(0, ALL_INPUTS.to_owned());
        }
        row.scope.extend(compared.left_out.iter().map(|&what| what.to_owned()));
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
