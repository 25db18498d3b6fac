//! The verdict on one function: the same code, or both versions followed on the same inputs.

use super::callers::{ALL_INPUTS, ERRNO, before_main_changed, runs_before_main};
use super::confirm::{Doubt as Native, confirm, is_left_open};
use super::couple::{Couple, mentions, readable};
use super::larger;
use super::merged::{Merged, merged};
use super::natives::Natives;
use super::parameters::{has_member_pointer, other_pointee, same_parameters};
use super::part::Source;
use super::shown::{self, Stage};
use super::whole::{TRIED_ARGUMENT, TRIED_INPUT, TRIED_LONG_INPUT, arguments, reads_input, shell};
use super::{Options, common, overlapping, records, shown_name, smaller, tests, unended};
use crate::explain::changed_blocks;
use crate::explore::{function_place, place};
use crate::suite::{Test, signature};
use build::Environment;
use change::lines::Line;
use change::{Changes, FunctionChange, Kind};
use exec::entry::Entry;
use exec::inputs::Bounds;
use exec::overlaps::{Overlap, possible};
use exec::relaid::Types;
use explore::lockstep::{Proof, prove};
use explore::pair::{ALLOCATIONS, Compared, Difference, Doubt, PANICS, Questions};
use explore::probe::{Effort, Tried, probe};
use explore::{Stopped, Undecided};
use ir::debug::DebugTypeKind;
use ir::demangle::function_display_name;
use ir::id::{BlockId, DebugTypeId, FuncId, LocId};
use ir::module::{Linkage, Module, Symbol, Visibility};
use report::diff::{Function, Interface, Verdict};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Most differences of a function that are looked for.
const MAX_DIFFERENCES: usize = 48;

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
    let place = match (function.new, function.old) {
        (Some(id), _) => function_place(new, id).map(|place| sources.1.shown(&place)),
        (None, Some(id)) => function_place(old, id).map(|place| sources.0.shown(&place)),
        (None, None) => None,
    };
    let (name, old_name) = shown_name(function, old, new);
    let mut row = Function {
        name,
        old_name,
        place,
        changed: function.kind == Kind::Changed,
        through: through(task, function),
        hunks: function.hunks.iter().map(|one| hunk(one, sources)).collect(),
        ..Function::default()
    };
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
        return (row, tests);
    }
    row.verdict = Verdict::Undecided;
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
        if row.verdict == Verdict::Same && couple.computes(entries.into()) {
            row.scope.push(ERRNO.to_owned());
        }
    }
    if row.verdict == Verdict::Same && pointees((old, old_id)) != pointees((new, new_id)) {
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
fn others_may_call(symbol: &Symbol) -> bool {
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
    (old_id, new_id): (FuncId, FuncId),
) -> Vec<Test> {
    let Task { old, new, changes, options, .. } = *task;
    let mut undecided = |reason: &str| {
        row.undecided.push(reason_row(reason.to_owned(), None, None, 1));
        Vec::new()
    };
    let pair = couple.old_function(old, old_id).zip(couple.new_function(new, new_id));
    let Some((old_entry, new_entry)) = pair else {
        return undecided("the versions cannot be put side by side");
    };
    if !same_parameters(&couple.program, old_entry, new_entry) {
        row.interface = Some(Interface { old: declaration(old, old_id), new: declaration(new, new_id) });
        on_common_ground(row, task, function, (old_id, new_id));
        return Vec::new();
    }
    if couple.program.code(new_entry).variadic {
        return undecided("it takes a variable number of arguments");
    }
    let moved = couple.program.has_changed_records() || !couple.program.moved_tables.is_empty();
    if moved && [old_entry, new_entry].iter().any(|id| has_member_pointer(&couple.program.module, *id)) {
        return undecided("a pointer to a member says where this lies in a class, and classes changed");
    }
    let moved = |ty: DebugTypeId| couple.program.variants.moved.contains(&ty);
    if signature_types(&couple.program.module, new_entry).iter().any(|&ty| mentions(&couple.program.module, ty, &moved))
    {
        return undecided("variants of an enum that it is given or returns have other numbers in the other version");
    }
    if let Some(name) = other_pointee(&couple.program, old_entry, new_entry) {
        return undecided(&format!("{name} leads to something else in the other version"));
    }
    let stage = Stage {
        couple,
        reading: signature::result(new, &new.functions[new_id]),
        result: result_shape(&couple.program, new_entry),
        result_types: [old_entry, new_entry].map(|entry| exec::same::result_type(&couple.program.module, entry)),
        sources: task.sources,
        changed: changed_hunks(changes, function),
        until: Instant::now() + options.time,
    };
    let several = places_that_changed(changes, function) > 1;
    let cause = |difference: &Difference| shown::cause(difference, &stage, several);
    let questions = Questions { most: MAX_DIFFERENCES, cause: &cause, cases: options.tests, changed: task.changed };
    let is_program = new.function_name(new_id) == "main";
    let wanted = arguments(&couple.program.module, [old_entry, new_entry]);
    let compare_as = |couple: &Couple, changed, bounds: &Bounds, unwind: Option<u32>, time: Duration, shares: bool| {
        let deadline = Some(Instant::now() + time);
        let exploring = explore::options::Options { unwind, deadline, shares, ..options.explore.clone() };
        let shell = is_program.then(|| Arc::new(shell(wanted, bounds.characters, bounds.characters)));
        let [old, new] = [old_entry, new_entry].map(|function| Entry { function, shell: shell.clone() });
        let (chain, questions) = ((options.chain)(), Questions { changed, ..questions });
        explore::pair::compare(&couple.program, &old, &new, &exploring, bounds, chain, &questions)
    };
    let compare = |bounds: &Bounds, unwind: Option<u32>, time: Duration, shares: bool| {
        compare_as(couple, task.changed, bounds, unwind, time, shares)
    };
    let judge = |row: &mut Function, compared: &Compared| {
        decide(row, task, couple, compared);
        if !compared.differences.is_empty() {
            confirm(row, (old, old_id), (new, new_id), &stage, compared, options, task.natives, Native::Expected);
        }
    };
    let try_inputs = |bounds: &Bounds, effort: Effort| {
        let exploring = explore::options::Options { deadline: None, ..options.explore.clone() };
        let try_within = |bounds: &Bounds, effort, input: u64| {
            let shell = is_program.then(|| Arc::new(shell(wanted, TRIED_ARGUMENT, input)));
            let [first, second] = [old_entry, new_entry].map(|function| Entry { function, shell: shell.clone() });
            probe(&couple.program, &first, &second, &exploring, bounds, &questions, effort)
        };
        let usual = Bounds { records: TRIED_RECORDS, ..bounds.clone() };
        if is_program && !reads_input(&couple.program.module) {
            return try_within(&usual, &effort, TRIED_INPUT);
        }
        let (effort, more) = effort.halves();
        let tried = try_within(&usual, &effort, TRIED_INPUT);
        if !tried.compared.differences.is_empty() {
            return tried;
        }
        // Short inputs may make long outputs, for which there has to be room.
        let room = if is_program { 0 } else { TRIED_ELEMENTS };
        let large = Bounds { elements: usual.elements.max(room), characters: usual.characters.max(room), ..usual };
        let larger = try_within(&large, &more, TRIED_LONG_INPUT);
        let inputs = tried.inputs + larger.inputs;
        let any = |one: Compared, other: Compared| if one.differences.is_empty() { other } else { one };
        let compared = any(larger.compared, tried.compared);
        let (doubtful, long) = (any(tried.doubtful, larger.doubtful), any(tried.long, larger.long));
        Tried { compared, samples: tried.samples, doubtful, long, inputs }
    };
    let started = Instant::now();
    let left = || options.time.saturating_sub(started.elapsed());
    let plain = !records::concern(&couple.program, [old_entry, new_entry]);
    if !is_program
        && !options.tests
        && plain
        && !couple.asks_for_output([old_entry, new_entry])
        && in_lockstep(row, couple, [old_entry, new_entry], options, options.time / 3)
    {
        return Vec::new();
    }
    let (mut compared, mut tried, mut shrunk) = (Compared::default(), None, false);
    // Functions that both versions share are entered only if there is no proof without.
    if calls_shared(&couple.program, [old_entry, new_entry]) {
        compared = compare(&options.program.inputs, options.explore.unwind, options.time / 4, true);
        if compared.differences.is_empty() {
            judge(row, &compared);
        }
    }
    let mut bounds = options.program.inputs.clone();
    if row.verdict != Verdict::Same {
        (row.undecided, row.scope) = (Vec::new(), Vec::new());
        compared = compare(&bounds, options.explore.unwind, options.time / 8, false);
        // Some code goes on only where a pointer of the input leads back to something that is known already.
        for _ in 0..MOST_ALIASES {
            let known = |(pointer, _): &(String, String)| bounds.aliases.iter().any(|(known, _)| known == pointer);
            let more: Vec<_> = compared.possible_aliases.iter().filter(|alias| !known(alias)).cloned().collect();
            if compared.reached || !compared.differences.is_empty() || more.is_empty() {
                break;
            }
            bounds.aliases.extend(more);
            compared = compare(&bounds, options.explore.unwind, options.time / 8, false);
        }
        // And some of what changed may be reached so only: there is a proof for the rest, and differences count.
        if compared.reached && !compared.missed.is_empty() && compared.differences.is_empty() {
            let back = Bounds { aliases: compared.possible_aliases.clone(), ..bounds.clone() };
            if !back.aliases.is_empty() && bounds.aliases.is_empty() {
                let leading_back = compare(&back, options.explore.unwind, options.time / 8, false);
                if !leading_back.differences.is_empty() {
                    (compared, bounds) = (leading_back, back);
                }
            }
        }
        if compared.stopped == Some(Stopped::Time) && compared.differences.is_empty() {
            // That takes longer, unless trying shows a difference at once: then less is left to look for.
            let effort = Effort { first: 0, inputs: INPUTS, time: TRYING_FIRST, samples: 0 };
            tried = Some(try_inputs(&bounds, effort));
            let found = tried.as_ref().is_some_and(|tried| !tried.compared.differences.is_empty());
            let merging = !found && !is_program && !options.tests && plain && !options.program.check_undefined;
            let merged = merging.then(|| task.merged.get_or_init(|| merged(task, couple)).as_ref()).flatten();
            let mut proved = false;
            // With fewer branches there may be a proof after all.
            if let Some(merged) = merged {
                if in_lockstep(row, &merged.couple, [old_entry, new_entry], options, left() / 4) {
                    return Vec::new();
                }
                let unwind = options.explore.unwind;
                let whole = compare_as(&merged.couple, &merged.changed, &bounds, unwind, left() / 3, false);
                if smaller::is_proof(&whole) {
                    (compared, proved) = (whole, true);
                }
            }
            // Small inputs first: if there is no time for more, they are what can be said.
            let ladder = smaller::ladder(&bounds, options.explore.unwind);
            let mut small = None;
            for (bounds, unwind, says_enough) in ladder.into_iter().filter(|_| !found && !is_program && !proved) {
                let mut some = None;
                if let Some(merged) = merged {
                    let fewer = compare_as(&merged.couple, &merged.changed, &bounds, unwind, left() / 4, false);
                    some = Some(fewer).filter(smaller::is_proof);
                }
                let some = some.unwrap_or_else(|| compare(&bounds, unwind, left() / 4, false));
                let over = some.stopped.is_some() || !some.differences.is_empty();
                // The smallest inputs show differences, but are too few to say that there are none.
                if !some.differences.is_empty() || says_enough && smaller::is_proof(&some) {
                    small = Some(some);
                }
                if over {
                    break;
                }
            }
            let differs = small.as_ref().is_some_and(|small| !small.differences.is_empty());
            if !differs && !proved {
                let most = if found { left() / 4 } else { left().max(options.time / 3) };
                let time = if small.is_some() { left() } else { most };
                compared = compare(&bounds, options.explore.unwind, time, false);
            }
            let open = compared.differences.is_empty() && compared.stopped == Some(Stopped::Time);
            if let Some(small) = small.filter(|_| open) {
                (compared, shrunk) = (small, true);
            }
        }
        judge(row, &compared);
    }
    row.stats.paths = compared.stats.paths;
    row.stats.queries = compared.stats.solver.questions;
    // The same for small inputs: the program itself says where larger ones may matter.
    let mut usual = bounds;
    for one in [true, false] {
        if shrunk || row.verdict != Verdict::Same || !is_bounded(&compared) || one && !has_one_record(&compared) {
            continue;
        }
        let larger = larger::bounds(&couple.program.module, [old_entry, new_entry], &usual, one);
        let Some((bounds, unwind)) = larger else { continue };
        // Where nothing got to the change, larger inputs are all there is.
        let time = if compared.reached { MORE_TIME.min(left() / 2) } else { left() / 2 };
        let deeply = compare(&bounds, options.explore.unwind.map(|known| known.max(unwind)), time, false);
        let mut deeper = Function { scope: Vec::new(), ..row.clone() };
        judge(&mut deeper, &deeply);
        let open = deeper.verdict != Verdict::Different && is_left_open(&deeper);
        if open {
            deeper.verdict = Verdict::Undecided;
        }
        if matches!(deeper.verdict, Verdict::Different) || open || deeper.undecided.is_empty() {
            *row = deeper;
            compared = deeply;
            usual = bounds;
        }
    }
    // What is not proved for all inputs may be seen by trying.
    let bounded = is_bounded(&compared) || is_program && reads_input(&couple.program.module);
    let proved = row.verdict == Verdict::Same && !bounded;
    if matches!(row.verdict, Verdict::Same | Verdict::Undecided) && !proved {
        // The same as far as was looked, and that was far enough to see the change.
        let seen = row.verdict == Verdict::Same && compared.reached && !shrunk;
        let share = if seen { TRYING_SAME } else { TRYING.max(options.time / 8) };
        let time = share.min(left().max(options.time / 8));
        let samples = if row.verdict == Verdict::Same { 0 } else { SAMPLES };
        // What was tried before need not be tried again, if it showed nothing.
        let first = tried.as_ref().map_or(0, |tried| tried.inputs);
        let tried = tried
            .filter(|tried| !tried.compared.differences.is_empty())
            .unwrap_or_else(|| try_inputs(&usual, Effort { first, inputs: INPUTS, time, samples }));
        let to_its_end = unended::to_its_end(&tried.doubtful);
        let natively = [
            (&tried.compared, Native::Expected),
            (&tried.samples, Native::Tried),
            (&to_its_end, Native::TriedBriefly),
            (&tried.long, Native::TriedBriefly),
        ];
        for (inputs, doubt) in natively {
            if inputs.differences.is_empty() || row.verdict == Verdict::Different {
                continue;
            }
            // Pointers into records that changed cannot be compared without knowing what they mean.
            if doubt != Native::Expected && !plain {
                continue;
            }
            let mut seen = Function { differences: Vec::new(), ..row.clone() };
            confirm(&mut seen, (old, old_id), (new, new_id), &stage, inputs, options, task.natives, doubt);
            if doubt == Native::Expected || seen.verdict == Verdict::Different {
                overlapping::adopt(row, seen);
            } else {
                row.ignored = seen.ignored;
            }
        }
        let overlaps =
            if is_program || !plain { Vec::new() } else { possible(&couple.program, [old_entry, new_entry]) };
        let find = |overlap: Overlap| {
            let effort = Effort { first: 0, inputs: OVERLAPPING, time: overlapping::TIME / 4, samples: 0 };
            let bounds = Bounds { overlaps: vec![overlap], ..usual.clone() };
            let [first, second] = [old_entry, new_entry].map(|function| Entry { function, shell: None });
            let exploring = explore::options::Options { deadline: None, ..options.explore.clone() };
            probe(&couple.program, &first, &second, &exploring, &bounds, &questions, &effort).compared
        };
        let natively = |seen: &mut Function, found: &Compared| {
            confirm(seen, (old, old_id), (new, new_id), &stage, found, options, task.natives, Native::Expected);
        };
        overlapping::try_them(row, overlaps, &couple.program, &find, &natively);
        // What has not ended natively either, while the other version ends at once, must not be called the same.
        if row.verdict != Verdict::Different
            && let [unended, ..] = &tried.doubtful.differences[..]
        {
            let mut seen = Function { differences: Vec::new(), ..row.clone() };
            let inputs = &tried.doubtful;
            confirm(&mut seen, (old, old_id), (new, new_id), &stage, inputs, options, task.natives, Native::Expected);
            if seen.verdict == Verdict::Different || is_left_open(&seen) {
                row.verdict = Verdict::Undecided;
                row.undecided.push(reason_row(unended::perhaps_hang(unended), None, None, 1));
            }
        }
    }
    if is_program {
        if wanted > 0 {
            row.scope.push(format!("up to {wanted} arguments"));
        }
        if reads_input(&couple.program.module) {
            row.scope.retain(|what| what != ALL_INPUTS);
            row.scope.push(format!("standard input up to {} bytes", usual.characters));
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
    // Changed contents of variables are no code that a run could get to.
    let uses_code = !function.uses_functions.is_empty() || function.uses_globals.is_empty();
    let code_changed = function.kind == Kind::Changed || uses_code;
    let partial = bounded || compared.untold || couple.asks_for_output([old_entry, new_entry]);
    if row.verdict == Verdict::Same && partial && !compared.reached && code_changed && !task.changed.is_empty() {
        // Proved for inputs that have nothing to do with the change: that is no answer to what was asked.
        row.verdict = Verdict::Undecided;
        let reason = match compared.scope.contains(ALLOCATIONS) {
            true => "no input within the bounds gets to what changed, as long as allocations do not fail",
            false => "no input within the bounds gets to what changed",
        };
        row.undecided.push(reason_row(reason.to_owned(), None, None, 1));
    }
    if row.verdict == Verdict::Same && partial {
        row.scope.extend(not_reached(&compared, stage.sources));
    }
    if row.differences.is_empty() && row.undecided.is_empty() && !row.ignored.is_empty() {
        row.verdict = Verdict::Same;
        row.scope.push(format!("apart from what is ignored: {}", row.ignored.join(", ")));
    }
    if options.tests { tests::of(&compared, couple, new_id, options, task.natives) } else { Vec::new() }
}

/// Which changed lines a proof within bounds says nothing about.
fn not_reached(compared: &Compared, sources: &(Source, Source)) -> Option<String> {
    const SHOWN: usize = 3;
    let shown = |(file, line): &Line| format!("{}:{line}", sources.1.short(&sources.0.short(file)));
    let mut places: Vec<String> = compared.missed.iter().take(SHOWN).map(shown).collect();
    if compared.missed.len() > SHOWN {
        places.push(format!("{} more lines", compared.missed.len() - SHOWN));
    }
    (!places.is_empty()).then(|| format!("no such input gets to {}", places.join(", ")))
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
    if row.verdict != Verdict::Same && !common.same_parameters {
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

/// Whether both versions of a function that writes no memory of others go together, whatever the rounds of their loops.
fn in_lockstep(row: &mut Function, couple: &Couple, entries: [FuncId; 2], options: &Options, time: Duration) -> bool {
    let sorted = &couple.sorted;
    if !entries.iter().all(|entry| sorted.reading.contains(entry)) {
        return false;
    }
    if entries.iter().all(|entry| couple.proved.contains(entry)) {
        row.verdict = Verdict::Same;
        row.scope.push(ALL_INPUTS.to_owned());
        return true;
    }
    let recursive = entries.iter().all(|entry| sorted.pure.contains(entry));
    let deadline = Some(Instant::now() + LOCKSTEP.min(time));
    let exploring = explore::options::Options { deadline, ..options.explore.clone() };
    let bounds = &options.program.inputs;
    let proof = prove(&couple.program, entries, recursive, &exploring, bounds, || (options.chain)());
    // Where inputs are bounded, larger ones are to be tried as well, and other means do that.
    let unbounded = |proof: &Proof| proof.scope.iter().all(|what| what == PANICS);
    let Some(proof) = proof.filter(unbounded) else { return false };
    row.verdict = Verdict::Same;
    row.stats.pairs = proof.pairs;
    row.scope.push(ALL_INPUTS.to_owned());
    row.scope.extend(proof.scope);
    true
}

/// How often pointers are taken to lead to what others lead to, where nothing gets to a change otherwise.
const MOST_ALIASES: usize = 3;

/// How long a proof in lockstep may take.
const LOCKSTEP: Duration = Duration::from_secs(5);

/// Records behind a pointer of an input that is tried.
const TRIED_RECORDS: u64 = 3;

/// Elements and characters behind a pointer of an input that is tried, in the second half of all.
const TRIED_ELEMENTS: u64 = 270;

/// Inputs that are tried natively, where the model of the program shows no difference.
const SAMPLES: usize = 96;

/// Most inputs that are tried.
const INPUTS: u32 = 20_000;

/// How long inputs are tried where nothing is decided, before much time is spent on it, and where only small inputs are.
const TRYING: Duration = Duration::from_secs(2);
const TRYING_FIRST: Duration = Duration::from_millis(600);
const TRYING_SAME: Duration = Duration::from_millis(300);

/// Inputs in which pointers lead to the same place, for each way in which they may.
const OVERLAPPING: u32 = 200;

/// How long larger inputs are looked for, once it is the same for small ones.
const MORE_TIME: Duration = Duration::from_secs(2);

/// Whether bounds cut anything off.
fn is_bounded(compared: &Compared) -> bool {
    let cut = |doubt: &Doubt| matches!(doubt, Doubt::Path(Undecided::Scope(_)));
    compared.scope.iter().any(|what| what != PANICS) || compared.undecided.keys().any(|(doubt, _)| cut(doubt))
}

/// Whether code that can be reached without entering them calls functions that both versions share.
fn calls_shared(program: &exec::program::Program, entries: [FuncId; 2]) -> bool {
    let module = &program.module;
    let (mut todo, mut seen) = (entries.to_vec(), BTreeSet::new());
    while let Some(id) = todo.pop() {
        if !seen.insert(id) {
            continue;
        }
        for callee in module.functions[id].body().filter_map(|(_, _, inst)| module.called_function(&inst.kind)) {
            if program.shared.contains_key(&callee) {
                return true;
            }
            todo.push(callee);
        }
    }
    false
}

/// Whether a run wanted more than the one record behind a pointer.
fn has_one_record(compared: &Compared) -> bool {
    let one =
        |doubt: &Doubt| matches!(doubt, Doubt::Path(Undecided::Scope(what)) if what.ends_with(": up to 1 elements"));
    compared.undecided.keys().any(|(doubt, _)| one(doubt))
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
fn declaration(module: &Module, id: FuncId) -> String {
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

/// Scopes, of which only the largest number of bytes of each object is worth saying.
fn largest(scope: impl Iterator<Item = String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    let bytes = |what: &str| -> Option<(String, u64)> {
        let (name, rest) = what.split_once(": at least ")?;
        Some((name.to_owned(), rest.strip_suffix(" bytes")?.parse().ok()?))
    };
    for what in scope {
        let Some((name, count)) = bytes(&what) else {
            kept.push(what);
            continue;
        };
        match kept.iter_mut().find(|known| bytes(known).is_some_and(|(other, _)| other == name)) {
            Some(known) => {
                if bytes(known).is_some_and(|(_, other)| other < count) {
                    *known = what;
                }
            }
            None => kept.push(what),
        }
    }
    kept
}

/// The verdict if nothing differs.
fn decide(row: &mut Function, task: &Task, couple: &Couple, compared: &Compared) {
    let module = &couple.program.module;
    let (old_source, new_source) = task.sources;
    row.stats.pairs = compared.pairs;
    row.scope = largest(compared.scope.iter().map(|what| readable(what)));
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
