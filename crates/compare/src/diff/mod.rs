//! `pathshift diff`: for each changed function whether it still does the same.
//!
//! Cheapest means first: code that is the same with all that it uses needs no solver. Otherwise both versions are followed
//! on the same inputs ([`explore::pair`]). What looks different is run natively on both builds; only what really
//! differs there is called different. Whatever is left open is undecided, with its reasons.

mod aliasing;
mod assembled;
mod callees;
mod callers;
mod causes;
mod closures;
pub(crate) mod common;
mod confirm;
pub(crate) mod couple;
mod explored;
mod exported;
mod findings;
mod following;
mod goal;
mod held;
mod includes;
mod internal;
mod larger;
mod left_out;
mod line_numbers;
mod lockstep;
mod machine;
mod merged;
mod natives;
mod outside;
mod parameters;
mod part;
mod predicted;
mod records;
mod relating;
mod remembered;
mod runs;
mod rust_values;
mod shared;
pub(crate) mod shown;
mod smaller;
mod startup;
mod tactics;
mod task;
pub mod tests;
mod throwing;
mod trying;
mod unended;
mod unseen;
mod verdict;
mod versus;
mod virtuals;
mod visibility;
mod whole;
mod witness;
mod workers;

use crate::explain::changed_code;
use crate::explore::function_place;
use crate::journal::{Journal, Unit};
use crate::replay;
use crate::sabotage::Sabotage;
use crate::store::Store;
use crate::suite::Test;
use build::Environment;
use change::{Changes, FunctionChange, Kind};
use couple::Couple;
use explore::pair::ChangedCode;
pub use findings::Findings;
use ir::demangle::instance_display_name;
use ir::id::FuncId;
use ir::module::Module;
use line_numbers::LineNumbers;
use natives::Natives;
use part::Source;
use remembered::Memory;
use report::diff::{Diff, Function, Verdict};
use report::explore::RunState;
use report::model::Place;
use smt::solver::chain::Chain;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use task::Task;
use workers::Told;

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
    /// How many functions are compared at once.
    pub jobs: usize,
    /// Only these functions of the new version, and those of the old one that are gone; all if both are empty.
    pub functions: Vec<FuncId>,
    /// Only these functions of the old version, as far as they are gone.
    pub old_functions: Vec<FuncId>,
    /// Only functions that begin in a file whose path ends so; all if empty.
    pub files: Vec<String>,
    /// Functions whose verdict does not count, by name; a `*` at the end stands for any end.
    pub ignored_functions: Vec<String>,
    /// Kinds of differences that do not count.
    pub ignored: Vec<evidence::Difference>,
    /// Native runs; none if nothing is to be run.
    pub replay: Option<(replay::Options, replay::Limits)>,
    /// Whether to make tests.
    pub tests: bool,
    /// Whether line numbers that code contains are compared like other numbers.
    pub strict_locations: bool,
    /// Whether callers whose own code did not change are compared one by one, whatever differs behind them.
    pub callers: bool,
    /// Whether only proofs are wanted, and no search for differences.
    pub only_proof: bool,
    /// Time for all functions together, if that is limited.
    pub budget: Option<Duration>,
    /// Whether rows say what each tactic came to.
    pub trace: bool,
    /// Where verdicts are kept from one run to the next.
    pub store: Option<Store>,
    /// What earlier processes found out before they died, and where this one writes down what it finds.
    pub journal: Option<Arc<Journal<Findings>>>,
    /// Ends this process, for another one to go on with what the journal has.
    pub renew: Option<fn()>,
    /// Makes the work on a function fail, by its name, to see what becomes of the others.
    pub sabotage: Option<(String, Sabotage)>,
    /// Folders that are left out of paths which are shown, of the old and of the new version.
    pub roots: (Vec<PathBuf>, Vec<PathBuf>),
    /// The source files that compilers were given, of the old and of the new version.
    pub units: (Vec<PathBuf>, Vec<PathBuf>),
    /// Whether code of Rust is built for debugging: with debug assertions, and checks for overflows.
    pub rust_for_debugging: bool,
}

impl Default for Options {
    fn default() -> Self {
        let crate::explore::Options { explore, chain, .. } = crate::explore::Options::default();
        Options {
            explore,
            program: exec::program::Options::default(),
            chain,
            time: Duration::from_secs(60),
            jobs: 1,
            functions: Vec::new(),
            old_functions: Vec::new(),
            files: Vec::new(),
            ignored_functions: Vec::new(),
            ignored: Vec::new(),
            replay: None,
            tests: false,
            strict_locations: false,
            callers: false,
            only_proof: false,
            budget: None,
            trace: false,
            store: None,
            journal: None,
            renew: None,
            sabotage: None,
            roots: (Vec::new(), Vec::new()),
            units: (Vec::new(), Vec::new()),
            rust_for_debugging: true,
        }
    }
}

/// What came of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// For people.
    pub report: Diff,
    /// Tests of functions of the new version, if asked for.
    pub tests: Vec<(FuncId, Vec<Test>)>,
}

/// How far a comparison is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Functions that have their verdict.
    pub done: usize,
    /// All functions that need more than a look at their code.
    pub all: usize,
    /// How many differ so far.
    pub different: usize,
    /// The one that is next.
    pub next: &'a str,
}

/// What is said of line numbers that only moved.
fn moved_lines(functions: usize) -> String {
    let them = if functions == 1 { "function" } else { "functions" };
    format!(
        "line numbers that code contains (__LINE__) moved in {functions} {them} and count as equal; --strict-locations compares them"
    )
}

/// What is said of every comparison of Rust code that is built for debugging.
const FOR_DEBUGGING: &str = "Rust code is compared as built for debugging: overflow checks and debug assertions are on";

/// Whether code of Rust is among the units of a version.
fn holds_rust(module: &Module) -> bool {
    module.units.iter().any(|unit| unit.language.is_some_and(|language| module.str(language) == "DW_LANG_Rust"))
}

/// Compares two promoted versions of a program. `watch` is told how far it is.
pub fn diff(
    old: &Module,
    new: &Module,
    options: &Options,
    env: &Environment,
    mut watch: impl FnMut(Progress),
) -> Compared {
    let started = Instant::now();
    let mut changes = change::compare(old, new);
    let mut result = Compared::default();
    result.report.notes = changes.notes.clone();
    let sources = (Source::new(&options.roots.0), Source::new(&options.roots.1));
    let settled = if options.strict_locations {
        None
    } else {
        let numbers = [LineNumbers::new(old, &sources.0), LineNumbers::new(new, &sources.1)];
        let [of_old, of_new] = &numbers;
        let asks: [&change::AsksForLine; 2] =
            [&|line, number| of_old.is_one(line, number), &|line, number| of_new.is_one(line, number)];
        change::settle(old, new, &changes, asks)
    };
    let new = settled.as_ref().map_or(new, |settled| &settled.module);
    if let Some(settled) = &settled {
        changes = change::compare(old, new);
        result.report.notes.push(moved_lines(settled.functions));
    }
    let marked = records::mark(&mut changes, old, new);
    let built = startup::mark(&mut changes, old, new);
    let assembled = assembled::Assembled::new(old, new);
    // What is remembered of a function, or proved of it, speaks of its code.
    let doubt = |findings: &mut Findings, function: &FunctionChange| {
        built.doubt(findings, function);
        assembled.doubt(findings, function);
    };
    // Closures hold what they capture.
    let is_own = |name: &&String| !name.starts_with("{closure_env");
    let records: BTreeSet<String> = marked.records.iter().filter(is_own).cloned().collect();
    if !records.is_empty() {
        result.report.notes.push(format!("records that changed: {}", listed(&records)));
    }
    let is_wanted = |index: &usize| wanted(&changes.functions[*index], old, new, options);
    let mut chosen: Vec<usize> = (0..changes.functions.len()).filter(is_wanted).collect();
    let mut untold = BTreeSet::new();
    let mut unseen = unseen::Unseen::default();
    if options.functions.is_empty() && options.old_functions.is_empty() {
        let is_made = |index: &usize| {
            let function = &changes.functions[*index];
            !function.same && is_instance(function, old, new)
        };
        let made: BTreeSet<usize> = chosen.iter().copied().filter(is_made).collect();
        untold = closures::told_by_callers(old, new, &changes, &chosen, &made);
        // A closure that changed and is proved to do the same is a proof for its callers.
        let helps = |function: &FunctionChange| function.kind == Kind::Changed && needs_work(function);
        chosen.retain(|index| !made.contains(index) && (!untold.contains(index) || helps(&changes.functions[*index])));
        let notes = &mut result.report.notes;
        let of_library = "functions of the standard library, made for types of this program, are";
        notes.extend(left_out(
            made.len(),
            "function of the standard library, made for types of this program, is",
            of_library,
        ));
        notes.extend(left_out(untold.len(), "closure is", "closures are"));
        let versions = [
            unseen::Version { module: old, source: &sources.0, units: &options.units.0 },
            unseen::Version { module: new, source: &sources.1, units: &options.units.1 },
        ];
        unseen = unseen::unseen(versions, &changes, &options.files, options.rust_for_debugging);
    }
    let is_changed = changes.functions.iter().any(|function| !function.same)
        || !unseen.functions.is_empty()
        || !unseen.notes.is_empty();
    if is_changed && options.rust_for_debugging && [old, new].iter().any(|module| holds_rust(module)) {
        result.report.notes.push(FOR_DEBUGGING.to_owned());
    }
    result.report.notes.append(&mut unseen.notes);
    let open = chosen.iter().filter(|index| needs_work(&changes.functions[**index])).count();
    let related =
        if open > 0 { relating::relate(old, new, &changes, &marked, options) } else { relating::Related::default() };
    result.report.notes.extend(failed(options, &Unit::Relations, "proofs from any state"));
    let couple = if open > 0 {
        let mut couple = Couple::new(old, new, &changes, options.program.clone()).map_err(|error| error.to_string());
        if let Ok(couple) = &mut couple {
            safely_share(couple, old, new, &changes, options);
            result.report.notes.extend(failed(options, &Unit::Callees, "proofs that changed callees do the same"));
        }
        Some(couple)
    } else {
        None
    };
    let changed = match &couple {
        Some(Ok(couple)) => {
            let mut changed = changed_code(old, new, &changes, couple);
            for &(of_old, of_new) in &marked.functions {
                let both = [couple.old_function(old, of_old), couple.new_function(new, of_new)];
                for id in both.into_iter().flatten() {
                    changed.blocks.extend(couple.program.module.functions[id].blocks.ids().map(|block| (id, block)));
                }
            }
            changed
        }
        _ => ChangedCode::default(),
    };
    let couple = couple.as_ref();
    let merged = OnceLock::new();
    let compared = || {
        chosen
            .iter()
            .map(|&index| &changes.functions[index])
            .filter(|function| needs_work(function) && !built.is_all(function))
    };
    let natives = Natives::new(
        (old, compared().filter_map(|function| function.old).collect()),
        (new, compared().filter_map(|function| function.new).collect()),
        env,
    );
    let task = Task {
        old,
        new,
        changes: &changes,
        couple,
        merged: &merged,
        changed: &changed,
        built: &built,
        options,
        time: options.time,
        env,
        natives: &natives,
        sources: &sources,
        related: &related,
    };
    let report = &mut result.report;
    let mut memory = options.store.as_ref().filter(|_| open > 0).map(|store| Memory::new(store, &task));
    let interrupted = || options.explore.interrupt.load(Ordering::Relaxed);
    let (mut done, mut different) = (0, 0);
    let until = options.budget.map(|budget| started + budget);
    let mut rows: BTreeMap<usize, Findings> = BTreeMap::new();
    // Functions with changes of their own come first: of others it may then be known without a look at their paths.
    let changed = |index: &usize| changes.functions[*index].kind == Kind::Changed;
    let (first, then): (Vec<usize>, Vec<usize>) = chosen.iter().copied().partition(changed);
    let behind_pointers = if open > 0 { relate::behind_pointers(old, new, &changes) } else { BTreeMap::new() };
    // A closure has no row of its own: what it does is told of those that call it, so callers are counted with them.
    let hosts = causes::hosts([old, new], &changes, &untold);
    let (hosts, then): (Vec<usize>, Vec<usize>) = then.into_iter().partition(|index| hosts.contains(index));
    let counts = |index: usize| !is_ignored(&changes.functions[index], old, new, options);
    let mut plan = causes::Plan::default();
    for stage in [Stage::Changed, Stage::Hosts, Stage::Callers] {
        let known = match stage {
            Stage::Changed => BTreeMap::new(),
            Stage::Hosts | Stage::Callers => callers::proved(old, new, &changes, &built, &rows, &behind_pointers),
        };
        if stage == Stage::Callers && !options.callers && !options.tests && options.functions.is_empty() {
            let is_open = |index: &usize| needs_work(&changes.functions[*index]) && !known.contains_key(index);
            let open = then.iter().copied().filter(is_open).collect();
            let has_row = |index: usize| counts(index) && !untold.contains(&index);
            plan = causes::plan([old, new], &changes, &rows, &open, &behind_pointers, &has_row);
        }
        let mut todo: Vec<(usize, Option<u128>)> = Vec::new();
        let journalled = |index: usize| options.journal.as_ref().is_some_and(|journal| journal.row(index).is_some());
        let of_stage = match stage {
            Stage::Changed => &first,
            Stage::Hosts => &hosts,
            Stage::Callers => &then,
        };
        for &index in of_stage {
            if plan.counted.contains(&index) {
                continue;
            }
            let function = &changes.functions[index];
            if function.same {
                report.unchanged += 1;
                // What was asked for by name is answered by name.
                if options.functions.is_empty() && options.old_functions.is_empty() {
                    continue;
                }
            }
            let inherited = known.get(&index);
            let key =
                memory.as_ref().filter(|_| needs_work(function)).and_then(|memory| memory.key(function, inherited));
            // What an earlier process of this very run wrote down is no verdict of an earlier run.
            match memory.as_mut().zip(key).filter(|_| !journalled(index)).and_then(|(memory, key)| memory.recall(key)) {
                Some(mut findings) => {
                    doubt(&mut findings, function);
                    done += 1;
                    different += usize::from(findings.verdict() == Verdict::Different && !untold.contains(&index));
                    rows.insert(index, findings);
                }
                None => todo.push((index, key)),
            }
        }
        let functions: Vec<workers::Job> = todo
            .iter()
            .map(|&(index, _)| workers::Job {
                index,
                function: &changes.functions[index],
                inherited: known.get(&index),
            })
            .collect();
        workers::judge(&task, &functions, until, |told| match told {
            Told::Begins(place) if needs_work(functions[place].function) => {
                watch(Progress { done, all: open, different, next: &functions[place].function.name });
            }
            Told::Begins(_) => {}
            Told::Said(place, mut findings, tests) => {
                let (index, key) = todo[place];
                let workers::Job { function, .. } = functions[place];
                done += usize::from(needs_work(function));
                if let (Some(memory), Some(key), false) = (&mut memory, key, interrupted()) {
                    memory.remember(key, &function.name, &findings);
                }
                doubt(&mut findings, function);
                different += usize::from(findings.verdict() == Verdict::Different && !untold.contains(&index));
                rows.insert(index, *findings);
                if let (Some(id), false) = (function.new, tests.is_empty() || untold.contains(&index)) {
                    result.tests.push((id, tests));
                }
            }
        });
    }
    for &index in &chosen {
        let function = &changes.functions[index];
        let Some(lost) = visibility::lost(function, old, new) else { continue };
        // Of the standard libraries each version has what it uses.
        if is_instance(function, old, new) {
            continue;
        }
        let findings = rows.entry(index).or_insert_with(|| {
            report.unchanged = report.unchanged.saturating_sub(1);
            verdict::of(&task, function, None).0
        });
        visibility::mark(findings, lost, function, old, new);
    }
    // Whoever is done first comes first, which is another one each time.
    result.tests.sort_by_key(|(id, _)| *id);
    let is_lost = |index: usize| visibility::lost(&changes.functions[index], old, new).is_some();
    let is_hidden = |index: usize| plan.hides(index, rows.get(&index)) && !is_lost(index);
    // Closures without rows are compared with those that call them.
    let is_compared = |index: usize| untold.contains(&index) || rows.contains_key(&index) && !is_hidden(index);
    let internal = internal::told_by_callers(old, new, &changes, &rows, &is_compared);
    report.callers = chosen.iter().filter(|&&index| is_hidden(index)).count();
    let shown = rows.iter().filter(|(index, _)| !untold.contains(index) && !is_hidden(**index));
    let name = |index: usize| shown_name(&changes.functions[index], old, new).0;
    let shown = shown.map(|(&index, findings)| {
        let function = &changes.functions[index];
        let mut row = findings.clone().row(verdict::begin(&task, function));
        row.not_counted |= !counts(index);
        row.internal = internal.contains(&index);
        row.callers = plan.told(index, new, &changes, &rows, &name);
        row
    });
    let mut names = unseen.functions;
    if options.functions.is_empty() && options.old_functions.is_empty() {
        names.extend(exported::rows(old, new, &changes, &sources));
    }
    names.retain(|row| is_in_files(row.place.as_ref(), &options.files));
    names.iter_mut().for_each(|row| row.not_counted |= is_listed(&row.name, &options.ignored_functions));
    report.functions = shown.chain(names).collect();
    report.notes.extend(memory.and_then(Memory::note));
    report.verdict = overall(&report.functions);
    report.run_state = if interrupted() { RunState::Incomplete } else { RunState::Complete };
    result
}

/// Which functions are compared one after another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Those with changes of their own.
    Changed,
    /// Those that call closures without rows of their own.
    Hosts,
    /// All others.
    Callers,
}

/// Shares callees that are proved to do the same, unless an earlier process died of that.
fn safely_share(couple: &mut Couple, old: &Module, new: &Module, changes: &Changes, options: &Options) {
    let Some(journal) = &options.journal else { return callees::share_proved(couple, old, new, changes, options) };
    if journal.failed(&Unit::Callees).is_none() {
        journal.begins(Unit::Callees, !options.explore.memory_full.is_set());
        callees::share_proved(couple, old, new, changes, options);
        journal.ends(Unit::Callees, None);
    }
}

/// Says that nothing is known of a part of the work because an earlier process died of it.
fn failed(options: &Options, unit: &Unit, what: &str) -> Option<String> {
    let death = options.journal.as_ref()?.failed(unit)?;
    Some(format!("{what} failed for this comparison, so more than necessary may be undecided: {}", death.gap()))
}

/// How many of something are no rows of their own.
fn left_out(count: usize, one: &str, many: &str) -> Option<String> {
    let what = if count == 1 { one } else { many };
    let them = if count == 1 { ("it", "it does") } else { ("them", "they do") };
    (count > 0)
        .then(|| format!("{count} {what} left out: whoever calls {} is compared with all that {}", them.0, them.1))
}

/// Some names.
fn listed(names: &BTreeSet<String>) -> String {
    const SHOWN: usize = 6;
    let mut shown: Vec<&str> = names.iter().take(SHOWN).map(String::as_str).collect();
    let rest = format!("{} more", names.len().saturating_sub(SHOWN));
    if names.len() > SHOWN {
        shown.push(&rest);
    }
    shown.join(", ")
}

fn needs_work(function: &FunctionChange) -> bool {
    !function.same && function.old.is_some() && function.new.is_some()
}

/// Whether a function is an instance of code of the standard library of Rust or C++, which is no part of either version.
/// Instances come and go with their callers, and some return the number of a type, which rustc makes anew for each version.
fn is_instance(function: &FunctionChange, old: &Module, new: &Module) -> bool {
    let of_library =
        |place: Option<Place>| place.is_none_or(|place| LIBRARIES.iter().any(|part| place.file.contains(part)));
    let places = (
        function.old.map(|id| function_place(old, id)).unwrap_or_default(),
        function.new.map(|id| function_place(new, id)).unwrap_or_default(),
    );
    // What compilers add of their own comes and goes with exceptions.
    function.name == "__clang_call_terminate"
        || (places.0.is_some() || places.1.is_some()) && of_library(places.0) && of_library(places.1)
}

/// A function as rows name it, and its old name if that is another one: instances of a generic function with the types that
/// they are for, since nothing is said of other types.
fn shown_name(function: &FunctionChange, old: &Module, new: &Module) -> (String, Option<String>) {
    if is_instance(function, old, new) {
        return (function.name.clone(), function.old_name.clone());
    }
    let of_old = function.old.map(|id| instance_display_name(old, id));
    let of_new = function.new.map(|id| instance_display_name(new, id));
    let name = of_new.or_else(|| of_old.clone()).unwrap_or_else(|| function.name.clone());
    // Closures are counted, so that the names of their types change with every new one.
    let is_other = |before: &String| function.old_name.is_some() || *before != name && !name.contains("{closure");
    let old_name = of_old.filter(is_other);
    (name, old_name)
}

/// What paths of the standard libraries' sources have in debug info: Rust's of a release, and of an installed source; those of
/// C++, of C, and of compilers.
const LIBRARIES: [&str; 7] = [
    "/rustc/",
    "/rust/deps/",
    "/lib/rustlib/src/rust/library/",
    "/include/c++/",
    "/usr/include/",
    "/lib/gcc/",
    "/lib/clang/",
];

/// Whether a function was asked for.
fn wanted(function: &FunctionChange, old: &Module, new: &Module, options: &Options) -> bool {
    let all = options.functions.is_empty() && options.old_functions.is_empty();
    let named = match (function.new, function.old) {
        (Some(id), _) => all || options.functions.contains(&id),
        (None, Some(id)) => all || options.old_functions.contains(&id),
        (None, None) => false,
    };
    let place = || match (function.new, function.old) {
        (Some(id), _) => function_place(new, id),
        (None, Some(id)) => function_place(old, id),
        (None, None) => None,
    };
    named && (options.files.is_empty() || is_in_files(place().as_ref(), &options.files))
}

/// Whether a place is in one of some files, which are known by how their paths end; any is if there are none.
fn is_in_files(place: Option<&Place>, files: &[String]) -> bool {
    let file = place.map_or("", |place| &place.file);
    files.is_empty() || files.iter().any(|end| Path::new(file).ends_with(end))
}

/// Whether the user wants the verdict on a function not to count.
fn is_ignored(function: &FunctionChange, old: &Module, new: &Module, options: &Options) -> bool {
    let patterns = &options.ignored_functions;
    let names_shown = |pattern: &String| !pattern.ends_with('*') && shown_name(function, old, new).0 == *pattern;
    is_listed(&function.name, patterns) || patterns.iter().any(names_shown)
}

/// Whether a name is one of those that are listed; a `*` at the end of one stands for any end.
fn is_listed(name: &str, patterns: &[String]) -> bool {
    patterns.iter().any(|pattern| match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == pattern,
    })
}

fn overall(functions: &[Function]) -> Verdict {
    let counted = || functions.iter().filter(|function| function.counts());
    let any = |verdict: Verdict| counted().any(|function| function.verdict == verdict);
    if any(Verdict::Different) {
        Verdict::Different
    } else if counted().any(|function| !function.undecided.is_empty()) {
        Verdict::Undecided
    } else if any(Verdict::SameWithinBounds) {
        Verdict::SameWithinBounds
    } else {
        Verdict::Same
    }
}
