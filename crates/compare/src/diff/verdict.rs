//! The verdict on one function: the same code, or both versions followed on the same inputs.

use super::couple::{Couple, mentions};
use super::explored::shortened;
use super::findings::{Evidence, Findings, is_proved};
use super::goal::{Followed, Goal};
use super::natives::Natives;
use super::parameters::{has_member_pointer, other_pointee, same_parameters};
use super::part::Source;
use super::runs::runs_before_main;
use super::shown::Stage;
use super::tactics::attempt;
use super::task::Task;
use super::versus::Versus;
use super::visibility::still_has;
use super::whole::{arguments, called, reads_input, world};
use super::{common, records, relating, shown_name, tests, throwing};
use crate::explain::changed_code;
use crate::explore::function_place;
use crate::suite::{Test, signature};
use change::lines::Line;
use change::{Changes, FunctionChange, Kind};
use evidence::{Assumption, Basis, Gap, Open, Place};
use exec::inputs::Bounds;
use exec::relaid::Types;
use ir::debug::DebugTypeKind;
use ir::demangle::function_display_name;
use ir::id::{DebugTypeId, FuncId};
use ir::module::{Linkage, Module, Symbol, SymbolKind, Visibility};
use report::diff::{Function, Interface};
use std::collections::BTreeSet;
use std::sync::OnceLock;
use std::time::Instant;

/// Compares one function of two versions; tests are made if they are asked for. `inherited` has the assumptions of a function
/// of which all that it uses is proved to be the same.
pub fn of(task: &Task, function: &FunctionChange, inherited: Option<&BTreeSet<Assumption>>) -> (Findings, Vec<Test>) {
    let started = Instant::now();
    let Task { old, new, .. } = *task;
    let mut findings = Findings::default();
    let mut tests = Vec::new();
    let (Some(old_id), Some(new_id)) = (function.old, function.new) else {
        findings.add([if function.new.is_some() { Evidence::Added } else { Evidence::Removed }]);
        let gone = function.old.filter(|_| function.new.is_none()).map(|id| old.functions[id].symbol);
        if gone.is_some_and(|symbol| others_may_call(&old.symbols[symbol]) && !still_has(new, old.symbol_name(symbol)))
        {
            findings.open(Gap::Gone);
        }
        return (findings, tests);
    };
    let proof = |basis: Basis| Evidence::Proof { basis, assumptions: Vec::new() };
    if function.same {
        findings.add([proof(Basis::Code)]);
        return (findings, tests);
    }
    if let Some(inherited) = inherited.filter(|_| !task.options.tests) {
        findings.add([proof(Basis::Callees)]);
        findings.assume(inherited.iter().cloned());
        findings.assume(of_machine(task, old_id, new_id));
        return (findings, tests);
    }
    if task.built.is_all(function) {
        return (findings, tests);
    }
    let related = relating::of(task, function);
    if task.options.trace {
        findings.trace.extend(relating::trace(task, function));
    }
    if let Some(proof) = related.proof.clone().filter(|_| related.is_enough && !task.options.tests) {
        findings.add([proof]);
        findings.assume(relating::of_linking(task, old_id, new_id));
        findings.assume(of_machine(task, old_id, new_id));
        findings.stats.millis = started.elapsed().as_millis() as u64;
        return (findings, tests);
    }
    match task.couple {
        Some(Ok(couple)) => tests = side_by_side(&mut findings, task, function, couple, (old_id, new_id)),
        Some(Err(error)) => findings.open(Gap::NoProduct { why: error.clone() }),
        None => {}
    }
    if let Some(Ok(couple)) = task.couple
        && let Some(entries) = couple.old_function(old, old_id).zip(couple.new_function(new, new_id))
    {
        findings.assume(couple.taken_for_granted(entries.into()));
        findings.assume(of_machine(task, old_id, new_id));
        if findings.verdict().is_same() && couple.machine().floats.concerns(functions_of(couple, entries.into())) {
            findings.open(Gap::FloatState);
        }
        if findings.verdict().is_same()
            && findings.assumptions().iter().any(|one| throwing::is_of_outside(&one.assumption))
        {
            let throwing = throwing::of(couple, entries.into());
            findings.assume(throwing.assumption);
            if let Some(gap) = throwing.gap {
                findings.supersede(vec![gap.into()]);
            }
        }
        if findings.verdict().is_same() && couple.computes(entries.into()) {
            findings.assume([Assumption::Errno]);
        }
    }
    findings.add(related.confined);
    if let Some(proof) = related.proof {
        findings.add([proof]);
        findings.assume(relating::of_linking(task, old_id, new_id));
        findings.assume(of_machine(task, old_id, new_id));
    } else if findings.verdict().is_same() && pointees((old, old_id)) != pointees((new, new_id)) {
        // What fits behind a pointer of the old version may be too small for the new one.
        findings.assume([Assumption::DeclaredPointees]);
    }
    findings.stats.millis = started.elapsed().as_millis() as u64;
    (findings, tests)
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

/// Assumptions about the machine.
fn of_machine(task: &Task, old: FuncId, new: FuncId) -> Vec<Assumption> {
    let Some(Ok(couple)) = task.couple else { return Vec::new() };
    let entries = couple.old_function(task.old, old).zip(couple.new_function(task.new, new));
    let changed = task.changed.blocks.iter().map(|(function, _)| *function).collect();
    let Some(entries) = entries else { return Vec::new() };
    let functions = functions_of(couple, entries.into());
    couple.machine().taken_for_granted(functions, &changed)
}

/// All functions that some use, directly or not, and they themselves.
pub fn functions_of(couple: &Couple, entries: [FuncId; 2]) -> impl Iterator<Item = FuncId> {
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
    findings: &mut Findings,
    task: &Task,
    function: &FunctionChange,
    couple: &Couple,
    ids: (FuncId, FuncId),
) -> Vec<Test> {
    let Task { old, new, changes, options, .. } = *task;
    let pair = couple.old_function(old, ids.0).zip(couple.new_function(new, ids.1));
    let Some(entries) = pair.map(<[FuncId; 2]>::from) else {
        findings.open(Gap::NoProduct { why: "the function is missing".to_owned() });
        return Vec::new();
    };
    let [old_entry, new_entry] = entries;
    if !same_parameters(&couple.program, old_entry, new_entry) {
        findings.interface = Some(Interface { old: declaration(old, ids.0), new: declaration(new, ids.1) });
        on_common_ground(findings, task, function, ids);
        return Vec::new();
    }
    if let Some(gap) = why_not(couple, entries) {
        findings.open(gap);
        return Vec::new();
    }
    let stage = Stage {
        couple,
        reading: signature::result(new, &new.functions[ids.1]),
        result: result_shape(&couple.program, new_entry),
        result_types: entries.map(|entry| exec::same::result_type(&couple.program.module, entry)),
        sources: task.sources,
        changed: changed_hunks(changes, function),
        until: Instant::now() + task.time,
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
    let followed = Followed::new(options.program.inputs.clone());
    let mut goal = Goal { versus, followed, tried: None, is_over: false };
    attempt(&mut goal, findings);
    if goal.is_over {
        return Vec::new();
    }
    if options.only_proof {
        findings.open(Gap::NotSearched);
        return Vec::new();
    }
    let bounded = goal.is_bounded();
    let Goal { versus, followed, .. } = goal;
    if versus.is_program {
        scope_of_program(findings, &versus, &followed.bounds);
    }
    let compared = followed.compared;
    // Changed contents of variables are no code that a run could get to.
    let uses_code = !function.uses_functions.is_empty() || function.uses_globals.is_empty();
    let code_changed = function.kind == Kind::Changed || uses_code;
    let partial = bounded || compared.untold || couple.asks_for_output(entries);
    if is_proved(findings) && partial && !compared.reached && code_changed && !task.changed.blocks.is_empty() {
        // Proved for inputs that have nothing to do with the change: that is no answer to what was asked.
        findings.open(match compared.scope.contains(&Assumption::Allocations) {
            true => Gap::ChangeBehindFailure,
            false => Gap::ChangeNotReached,
        });
    }
    if is_proved(findings) && partial && !compared.missed.is_empty() {
        // The same as far as was looked, but not at all that changed.
        findings.add(compared.missed.iter().map(|line| not_reached(line, task.sources)));
    }
    if options.tests { tests::of(&compared, couple, ids.1, options, task.natives) } else { Vec::new() }
}

/// Why two versions of a function with the same parameters cannot be compared, if they cannot.
fn why_not(couple: &Couple, [old_entry, new_entry]: [FuncId; 2]) -> Option<Gap> {
    let (program, module) = (&couple.program, &couple.program.module);
    if program.code(new_entry).variadic {
        return Some(Gap::Variadic);
    }
    if ir::passing::of_function(module, old_entry) != ir::passing::of_function(module, new_entry) {
        return Some(Gap::Passing);
    }
    let moved = program.has_changed_records() || !program.moved_tables.is_empty();
    if moved && [old_entry, new_entry].iter().any(|id| has_member_pointer(module, *id)) {
        return Some(Gap::MemberPointers);
    }
    let moved = |ty: DebugTypeId| program.variants.moved.contains(&ty);
    if signature_types(module, new_entry).iter().any(|&ty| mentions(module, ty, &moved)) {
        return Some(Gap::Variants);
    }
    other_pointee(program, old_entry, new_entry).map(|of| Gap::Pointee { of })
}

/// What a verdict on a whole program holds for.
fn scope_of_program(findings: &mut Findings, versus: &Versus, bounds: &Bounds) {
    let Task { new, built, .. } = *versus.task;
    findings.assume(versus.world.iter().cloned());
    findings.assume(called(&versus.couple.program.module, versus.entries));
    if versus.arguments > 0 {
        findings.assume([Assumption::Arguments { most: versus.arguments }]);
    }
    if reads_input(&versus.couple.program.module) {
        findings.assume([Assumption::StandardInput { bytes: bounds.characters }]);
    }
    if built.differs {
        // What comes before or behind `main` is not run.
        findings.open(Gap::BeforeMain);
    } else if runs_before_main(new) {
        findings.assume([Assumption::BeforeConstructors]);
    }
}

/// A changed line that a proof within bounds says nothing about.
fn not_reached((file, line): &Line, sources: &(Source, Source)) -> Evidence {
    let place = Some(Place { file: shortened(file, sources), line: *line });
    Evidence::Gap(Open { gap: Gap::LineNotReached, place, count: 1 })
}

/// Compares versions with different signatures on what both of them mean, if there is such a thing.
fn on_common_ground(
    findings: &mut Findings,
    task: &Task,
    function: &FunctionChange,
    (old_id, new_id): (FuncId, FuncId),
) {
    let Task { old, new, changes, options, .. } = *task;
    let other_interface = |findings: &mut Findings| findings.evidence = vec![Gap::OtherSignature.into()];
    if takes_changed_variants(old, (new, new_id)) {
        return other_interface(findings);
    }
    let Some(common) = common::wrapped((old, old_id), (new, new_id)) else { return other_interface(findings) };
    let ((old, old_id), (new, new_id)) = ((&common.old.0, common.old.1), (&common.new.0, common.new.1));
    let Ok(couple) = Couple::new(old, new, changes, options.program.clone()) else { return other_interface(findings) };
    let changed = changed_code(old, new, changes, &couple);
    let fewer = OnceLock::new();
    let natives = Natives::new((old, vec![old_id]), (new, vec![new_id]), task.env);
    let task = Task { old, new, couple: None, merged: &fewer, changed: &changed, natives: &natives, ..*task };
    side_by_side(findings, &task, function, &couple, (old_id, new_id));
    if !findings.verdict().is_same() && !common.same_parameters {
        return other_interface(findings);
    }
    findings.assume(common.scope);
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
