//! Proofs from any state ([`relate`]), which come before everything else: they cost milliseconds and hold without a bound.
//!
//! Where such a proof rests on accesses of the old version being valid, the path exploration looks first whether they are,
//! and what it finds counts. Where versions part under a condition only, the change is confined to that, whatever else is found.

use super::Options;
use super::findings::Evidence;
use super::records::Marked;
use super::task::Task;
use super::verdict::functions_of;
use crate::journal::Unit;
use change::{Changes, FunctionChange, Kind, OneLayout};
use evidence::{Assumed, Assumption, Basis, Difference, Verdict};
use ir::id::FuncId;
use ir::module::{Module, SymbolKind};
use relate::Summaries;
use relate::answer::{Answer, Local};
use report::diff::Step;
use report::escape::source_line;
use report::model::Place;
use smt::solver::Limits;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// Most time for one function; also a part of the time that a function has.
const MOST: Duration = Duration::from_secs(4);
const PART: u32 = 4;

/// Most places to which a change is confined: a longer list says nothing to people.
const MAX_PLACES: usize = 8;

/// What relating both versions came to, by functions of the new one.
#[derive(Default)]
pub struct Related(BTreeMap<FuncId, (Answer, u64)>);

/// What is known of a function.
#[derive(Default)]
pub struct Found {
    /// That it does the same.
    pub proof: Option<Evidence>,
    /// Whether nothing is left for a path exploration to find.
    pub is_enough: bool,
    /// Where its change is confined to.
    pub confined: Option<Evidence>,
}

/// Relates all functions of both versions but those that have to do with records that changed in a way that says nothing of their fields,
/// unless an earlier process died of that.
pub fn relate(old: &Module, new: &Module, changes: &Changes, marked: &Marked, options: &Options) -> Related {
    let run = || {
        let limits = Limits {
            until: Some(Instant::now() + options.time),
            memory_full: options.explore.memory_full,
            ..Limits::default()
        };
        let how = relate::Options { limits, time: MOST.min(options.time / PART), confine: true };
        match (!marked.concerned.is_empty()).then(|| change::one_layout(old, new)).flatten() {
            Some(one) => relate_by_fields(&one, changes, marked, &how),
            None => {
                let summaries = relate::summarise(old, new, changes, &marked.concerned, &how);
                by_function(summaries, changes)
            }
        }
    };
    let Some(journal) = &options.journal else { return run() };
    if journal.failed(&Unit::Relations).is_some() {
        return Related::default();
    }
    journal.begins(Unit::Relations, !options.explore.memory_full.is_set());
    let found = run();
    journal.ends(Unit::Relations, None);
    found
}

fn by_function(summaries: Summaries, changes: &Changes) -> Related {
    let Summaries { answers, millis, .. } = summaries;
    let timed = answers.into_iter().map(|(index, answer)| (index, answer, millis.get(&index).copied()));
    let known = timed.filter_map(|(index, answer, millis)| {
        Some((changes.functions[index].new?, (answer, millis.unwrap_or_default())))
    });
    Related(known.collect())
}

/// The same for versions whose records lie differently, as if both had one layout.
fn relate_by_fields(one: &OneLayout, changes: &Changes, marked: &Marked, how: &relate::Options) -> Related {
    let (old, new) = (&one.old, &one.new);
    let mut unrelated = marked.concerned_beside(&one.records, changes, [old, new]);
    let uses_bytes = |function: &&FunctionChange| {
        let versions = [function.old, function.new];
        versions.iter().zip(&one.as_bytes).any(|(id, users)| id.is_some_and(|id| users.contains(&id)))
    };
    unrelated.extend(changes.functions.iter().filter(uses_bytes).filter_map(|function| function.new));
    let mut laid = change::compare(old, new);
    for function in &mut laid.functions {
        if function.new.is_some_and(|id| unrelated.contains(&id)) {
            // Equal code says nothing there.
            (function.same, function.kind) = (false, Kind::Changed);
        }
    }
    let summaries = relate::summarise(old, new, &laid, &unrelated, how);
    let same = summaries.same.clone();
    let mut found = by_function(summaries, &laid);
    // Of what is the same but for places of fields, nothing else is known.
    for (position, assumptions) in same {
        if let Some(id) = laid.functions[position].new.filter(|id| marked.concerned.contains(id)) {
            found.0.entry(id).or_insert((Answer::Same(assumptions), 0));
        }
    }
    let records = one.records.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
    let assumption = Assumption::FieldsByName { records };
    let matters = callers_of(new, &marked.concerned);
    for (_, (answer, _)) in found.0.iter_mut().filter(|(id, _)| matters.contains(id)) {
        if let Answer::Same(assumptions) | Answer::Confined(_, assumptions) = answer {
            assumptions.insert(assumption.clone());
        }
    }
    found
}

/// Functions with all that may call them.
fn callers_of(module: &Module, functions: &BTreeSet<FuncId>) -> BTreeSet<FuncId> {
    let calls_pointers = |id: FuncId| {
        let mut calls = module.functions[id].body().filter(|(_, _, inst)| inst.kind.call().is_some());
        calls.any(|(_, _, inst)| module.called_function(&inst.kind).is_none())
    };
    let mut callers: BTreeMap<FuncId, Vec<FuncId>> = BTreeMap::new();
    for id in module.functions.ids() {
        for symbol in change::hashes::function_uses(module, id) {
            if let SymbolKind::Function(callee) = module.symbols[symbol].kind {
                callers.entry(callee).or_default().push(id);
            }
        }
    }
    let mut found = functions.clone();
    if !functions.is_empty() {
        found.extend(module.functions.ids().filter(|&id| calls_pointers(id)));
    }
    let mut todo: Vec<FuncId> = found.iter().copied().collect();
    while let Some(id) = todo.pop() {
        for &caller in callers.get(&id).into_iter().flatten() {
            if found.insert(caller) {
                todo.push(caller);
            }
        }
    }
    found
}

/// What is known of a function.
pub fn of(task: &Task, function: &FunctionChange) -> Found {
    let answer = function.new.and_then(|id| task.related.0.get(&id)).map(|(answer, _)| answer);
    let Some(answer) = answer.filter(|_| !depends_on_surroundings(task, function)) else { return Found::default() };
    let assumed = |all: &BTreeSet<Assumption>| -> Vec<Assumed> {
        all.iter().map(|one| Assumed::from(shown(task, one))).collect()
    };
    match answer {
        Answer::Same(assumptions) => Found {
            is_enough: !assumptions.iter().any(|one| matches!(one, Assumption::ValidOldAccess { .. })),
            proof: Some(Evidence::Proof { basis: Basis::Executions, assumptions: assumed(assumptions) }),
            confined: None,
        },
        Answer::Confined(locals, assumptions) if locals.len() <= MAX_PLACES => {
            let differences = locals.iter().map(|local| difference(task, local)).collect();
            Found {
                confined: Some(Evidence::Confined { differences, assumptions: assumed(assumptions) }),
                ..Found::default()
            }
        }
        Answer::Confined(..) | Answer::Open(_) => Found::default(),
    }
}

/// What relating the versions of a function came to, for `--trace`.
pub fn trace(task: &Task, function: &FunctionChange) -> Option<Step> {
    let (answer, millis) = function.new.and_then(|id| task.related.0.get(&id))?;
    let codes = |all: &BTreeSet<Assumption>| all.iter().map(|one| one.code().to_owned()).collect::<Vec<_>>().join(" ");
    let (verdict, evidence) = match answer {
        Answer::Same(assumptions) => (Verdict::Same, format!("proof {}", codes(assumptions))),
        Answer::Confined(locals, _) => (Verdict::Undecided, format!("confined to {} places", locals.len())),
        Answer::Open(gap) => (Verdict::Undecided, format!("1 x {} {gap}", gap.code())),
    };
    let evidence = vec![evidence.trim_end().to_owned()];
    Some(Step { tactic: "relation".to_owned(), millis: *millis, verdict, evidence })
}

/// Whether what a function does depends on more than its code and what that calls: how floats are rounded while something changes
/// that, and what runs before `main`.
fn depends_on_surroundings(task: &Task, function: &FunctionChange) -> bool {
    let Some(Ok(couple)) = task.couple else { return true };
    let old = function.old.and_then(|id| couple.old_function(task.old, id));
    let new = function.new.and_then(|id| couple.new_function(task.new, id));
    let Some(entries) = old.zip(new) else { return true };
    let is_program = function.new.is_some_and(|id| task.new.function_name(id) == "main");
    is_program && task.built.differs || couple.machine().floats.concerns(functions_of(couple, entries.into()))
}

/// What a proof from any state takes for granted of how the program is linked and run; how its variables begin does not matter.
pub fn of_linking(task: &Task, old: FuncId, new: FuncId) -> Vec<Assumption> {
    let Some(Ok(couple)) = task.couple else { return Vec::new() };
    let entries = couple.old_function(task.old, old).zip(couple.new_function(task.new, new));
    let all = entries.map(|entries| couple.taken_for_granted(entries.into())).unwrap_or_default();
    let matters = |one: &Assumption| matches!(one, Assumption::NotReplaced { .. } | Assumption::OneThread { .. });
    all.into_iter().filter(matters).collect()
}

/// An assumption with paths as results show them.
fn shown(task: &Task, assumption: &Assumption) -> Assumption {
    match assumption {
        Assumption::ValidOldAccess { file, line } => {
            Assumption::ValidOldAccess { file: task.sources.0.short(file), line: *line }
        }
        other => other.clone(),
    }
}

fn difference(task: &Task, local: &Local) -> Difference {
    let goes_on = |text: &String| if text.is_empty() { "goes on".to_owned() } else { text.clone() };
    let sources = if local.of_old { &task.sources.0 } else { &task.sources.1 };
    let place = Place { file: local.file.clone(), line: local.line, column: 0 };
    Difference::Local {
        source: sources.line(&place).map_or_else(String::new, |line| source_line(line.trim())),
        file: task.sources.1.short(&task.sources.0.short(&local.file)),
        line: local.line,
        condition: local.condition.clone(),
        always: local.always,
        exact: local.exact,
        old: goes_on(&local.old),
        new: goes_on(&local.new),
    }
}
