//! Dependence guided exploration: the papers' examples, and the guarantees on random programs.

#![allow(clippy::unwrap_used, clippy::panic)]

mod random;

use exec::entry::Entry;
use exec::program::{Options as ProgramOptions, Program};
use exec::run::Worker;
use exec::state::End;
use explore::concolic::Run;
use explore::dependence::Trace;
use explore::dgse::{self, Dgse};
use explore::guided::{self, Strategy};
use explore::options::{Options, Order};
use explore::output::{self, Criterion};
use explore::sets::SetId;
use smt::solver::Limits;
use smt::solver::chain::Chain;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Compiles C and makes it ready to run.
fn program(source: &str) -> Program {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("t.c"), folder.path().join("t.ll"));
    std::fs::write(&from, source).unwrap();
    let clang = ["clang-19", "clang-16", "clang-15", "clang-14", "clang"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()));
    let status = Command::new(clang.unwrap())
        .args(["-g", "-O0", "-w", "-Xclang", "-disable-O0-optnone", "-S", "-emit-llvm", "-o"])
        .arg(&to)
        .arg(&from)
        .status()
        .unwrap();
    assert!(status.success(), "{source}");
    let mut module = ir::parse::parse(&std::fs::read_to_string(&to).unwrap()).unwrap();
    ir::promote::promote(&mut module);
    Program::new(module, ProgramOptions::default())
}

fn entry(program: &Program, function: &str) -> Entry {
    let id = program.module.functions.ids().find(|&id| program.module.function_name(id) == function).unwrap();
    Entry { function: id, shell: None }
}

/// What is looked at of the runs of an exploration.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    paths: usize,
    infeasible: u64,
    /// Faults with their lines.
    faults: BTreeSet<String>,
    /// Classes of all that was executed; the conditions, for people.
    slices: BTreeMap<u128, String>,
    /// Classes of the outputs; the returned value and the conditions, for people.
    outputs: BTreeMap<u128, String>,
    undecided: Vec<String>,
}

fn explore_as(
    program: &Program,
    function: &str,
    strategy: &Strategy,
    criterion: &Criterion,
    options: &Options,
) -> Seen {
    let entry = entry(program, function);
    let mut seen = Seen::default();
    let explored = guided::explore(
        program,
        &entry,
        strategy,
        options,
        Chain::new(Vec::new(), Limits::default()),
        |ended, run, trace| {
            if let End::Fault { kind, at, .. } = ended.end {
                let line = at.map_or(0, |at| program.module.debug.locations[at].line);
                seen.faults.insert(format!("{kind:?} in line {line}"));
            }
            for wanted in dgse::criteria(program, &Dgse::default(), run, trace) {
                let last = &run.log.events[wanted.until as usize];
                let code = program.code(last.function);
                let line = code.insts.get(last.at as usize).and_then(|inst| inst.loc);
                let line = line.map_or(0, |at| program.module.debug.locations[at].line);
                let text = conditions(ended.worker, run, trace, wanted.slice);
                seen.slices.insert(trace.class(wanted.slice), format!("{:?} in line {line} when {text}", last.kind));
            }
            let slice = output::criterion(program, criterion, run, trace);
            let value = match ended.end {
                End::Returned(Some(exec::value::Value::Bits(expr))) => ended.worker.text(*expr).to_string(),
                _ => String::new(),
            };
            let conditions = conditions(ended.worker, run, trace, slice);
            seen.outputs.insert(trace.class(slice), format!("{value} when {conditions}"));
        },
    );
    seen.paths = explored.paths.len();
    seen.infeasible = explored.stats.infeasible;
    seen.undecided = explored.undecided.keys().map(|key| format!("{key:?}")).collect();
    seen
}

/// The conditions of a slice, as text.
fn conditions(worker: &mut Worker, run: &Run, trace: &Trace, slice: SetId) -> String {
    let mut conditions = Vec::new();
    for turn in trace.sets.get(slice) {
        if let Some(question) = trace.turns[turn as usize].question {
            conditions.push(worker.text(run.questions[question as usize].condition()).to_string());
        }
    }
    conditions.join(" && ")
}

fn explore(source: &str, function: &str, strategy: &Strategy) -> Seen {
    let options = Options::default();
    explore_as(&program(source), function, strategy, &Criterion::Result, &options)
}

fn full() -> Strategy {
    Strategy::Full
}

fn dgse() -> Strategy {
    Strategy::Dgse(Dgse::default())
}

fn result(reorder: bool) -> Strategy {
    Strategy::Output { criterion: Criterion::Result, reorder }
}

/// Figure 2 of the DGSE paper, with a conditional error that C has: memory of size zero is written.
const MEETING: &str = "#include <stdlib.h>
int test(int x, int y, int z) {
    int a = 4, b, c;
    if (x < 1)
        a = 2;
    if (y < 1)
        b = 0;
    else
        b = 2;
    if (z < 2)
        c = 7;
    else
        c = 4;
    char s[4];
    s[3 + (a == b)] = 'a';
    return 1 / (a - c);
}";

#[test]
fn eight_paths_become_six_with_both_faults() {
    let all = explore(MEETING, "test", &full());
    assert_eq!(all.paths, 8);
    assert_eq!(all.faults.len(), 2);
    let guided = explore(MEETING, "test", &dgse());
    assert_eq!((guided.paths, &guided.faults), (6, &all.faults));
    assert_eq!(guided.undecided, Vec::<String>::new());
}

#[test]
fn a_fault_is_lost_where_only_slices_of_branches_count() {
    let branches = Strategy::Dgse(Dgse { branches_only: true, since: None });
    let seen = explore(MEETING, "test", &branches);
    assert_eq!(seen.paths, 4);
    assert_eq!(seen.faults.iter().map(String::as_str).collect::<Vec<_>>(), ["OutOfBounds in line 15"]);
}

#[test]
fn independent_ifs_need_one_path_more_than_there_are() {
    for count in [1, 4, 20] {
        let params: Vec<String> = (0..count).map(|i| format!("int x{i}")).collect();
        let globals: Vec<String> = (0..count).map(|i| format!("g{i}")).collect();
        let ifs: Vec<String> = (0..count).map(|i| format!("if (x{i} > 0) g{i} = 1; else g{i} = 2;")).collect();
        let source = format!("int {}; void f({}) {{ {} }}", globals.join(", "), params.join(", "), ifs.join("\n"));
        let program = program(&source);
        for order in [Order::DepthFirst, Order::BreadthFirst, Order::Random(7)] {
            let options = Options { order, ..Options::default() };
            let seen = explore_as(&program, "f", &dgse(), &Criterion::Result, &options);
            assert_eq!((seen.paths, seen.infeasible), (count + 1, 0), "{count} ifs, {order:?}");
        }
    }
}

/// What a test takes on the way is free where no slice needs it: most sides come together in some test.
#[test]
fn sides_that_do_not_meet_are_in_one_test() {
    let count = 6;
    let params: Vec<String> = (0..count).map(|i| format!("int x{i}")).collect();
    let ifs: Vec<String> = (0..count).map(|i| format!("if (x{i} > 0) g{i} = 1; else g{i} = 2;")).collect();
    let globals: Vec<String> = (0..count).map(|i| format!("g{i}")).collect();
    let source = format!("int {}; void f({}) {{ {} }}", globals.join(", "), params.join(", "), ifs.join("\n"));
    let program = program(&source);
    let entry = entry(&program, "f");
    let chain = Chain::new(Vec::new(), Limits::default());
    let found = guided::explore(&program, &entry, &dgse(), &Options::default(), chain, |_, run, _| {
        run.questions.iter().map(|question| question.side).collect::<Vec<u32>>()
    });
    let mut pairs = BTreeSet::new();
    for sides in &found.paths {
        assert_eq!(sides.len(), count);
        for (a, b) in (0..count).flat_map(|a| (0..a).map(move |b| (a, b))) {
            pairs.insert((a, sides[a], b, sides[b]));
        }
    }
    // Of 60 pairs; a test that takes one other side than the first one each, as the search does, has 45.
    assert_eq!(found.paths.len(), count + 1);
    assert!(pairs.len() >= 54, "{} pairs", pairs.len());
    let all: BTreeSet<&Vec<u32>> = found.paths.iter().collect();
    assert_eq!(all.len(), found.paths.len(), "no path is handed out twice");
}

#[test]
fn an_infeasible_path_is_never_asked_for() {
    let source = "int first, second; void f(int x) { int a = 0, b = 1;
        if (x > 1) a = 2;
        if (x > 0) b = x;
        first = a; second = b; }";
    let all = explore(source, "f", &full());
    assert_eq!((all.paths, all.infeasible), (3, 1));
    let seen = explore(source, "f", &dgse());
    assert_eq!((seen.paths, seen.infeasible), (3, 0));
}

/// Figure 1 of the paper on symbolic output.
const PARTITIONS: &str = "#include <stdio.h>
int f(int x, int y, int z) {
    int a, b = 2;
    if (x - y > 0) a = x; else a = y;
    if (x + y > 10) b = a;
    if (z * z > 3) puts(\"square(z) > 3\"); else puts(\"square(z) <= 3\");
    return b;
}";

#[test]
fn eight_paths_are_three_partitions() {
    let all = explore(PARTITIONS, "f", &full());
    assert_eq!(all.paths, 8);
    let seen = explore(PARTITIONS, "f", &result(true));
    assert_eq!(seen.paths, 3);
    let value = |text: &String| text.split(" when ").next().unwrap_or_default().to_owned();
    let values: BTreeSet<String> = seen.outputs.values().map(value).collect();
    assert_eq!(values, BTreeSet::from(["2", "x", "y"].map(str::to_owned)));
    assert_eq!(seen.outputs, all.outputs);
}

#[test]
fn a_partition_is_lost_without_reordering() {
    let seen = explore(PARTITIONS, "f", &result(false));
    // Four runs, three of them in the same partition.
    assert_eq!((seen.paths, seen.outputs.len()), (4, 2));
}

#[test]
fn a_value_of_a_loop_depends_on_when_it_was_left() {
    let source =
        "int f(int n, int y) { int i = 0; while (i < 3 && i < n) i++; int s = 0; if (y > 5) s = 1; if (s) return 1;
        return i; }";
    let all = explore(source, "f", &full());
    let seen = explore(source, "f", &result(true));
    assert_eq!(seen.outputs, all.outputs);
}

#[test]
fn what_ends_on_the_way_is_not_lost() {
    // Every small input for the second fault ends in the first.
    let source = "#include <stdlib.h>
int f(int x, int y) {
    int a = 1;
    if (y == 3) a = 0;
    if (x < 100) exit(2);
    int b = 7 / (x - 100);
    return b / a;
}";
    let all = explore(source, "f", &full());
    assert_eq!(all.faults.len(), 2, "{all:?}");
    let seen = explore(source, "f", &dgse());
    assert_eq!(seen.faults, all.faults);
    assert_eq!(seen.slices, all.slices);
}

#[test]
fn unknown_indices_are_exact() {
    let source =
        "int t[4]; int f(int i, int j, int v) { t[i & 3] = v; if (v > 3) t[j & 3] = 9; if (t[1] == 9) return t[2];
        return i; }";
    let all = explore(source, "f", &full());
    let seen = explore(source, "f", &result(true));
    assert_eq!(seen.outputs, all.outputs);
    let seen = explore(source, "f", &dgse());
    assert_eq!(seen.slices, all.slices);
}

/// Random functions: what full exploration finds, guided exploration finds too.
#[test]
fn guarantees_on_random_programs() {
    let count: u64 = if std::env::var_os("PATHSHIFT_FULL").is_some() { 2000 } else { 200 };
    const IN_A_FILE: u64 = 20;
    let options = Options { max_paths: 3000, ..Options::default() };
    for file in 0..count / IN_A_FILE {
        let functions: Vec<String> =
            (0..IN_A_FILE).map(|i| random::function(file * IN_A_FILE + i, &format!("f{i}"))).collect();
        let source = format!("{}{}", random::PRELUDE, functions.join("\n"));
        let program = program(&source);
        for (i, text) in functions.iter().enumerate() {
            let name = format!("f{i}");
            let all = explore_as(&program, &name, &full(), &Criterion::All, &options);
            let seen = explore_as(&program, &name, &dgse(), &Criterion::All, &options);
            let missing: Vec<_> = all.slices.iter().filter(|(class, _)| !seen.slices.contains_key(class)).collect();
            assert!(seen.undecided == all.undecided, "{:?} {text}", seen.undecided);
            assert_eq!(seen.faults, all.faults, "file {file}: {text}");
            let covered: Vec<_> = seen.slices.values().collect();
            assert!(missing.is_empty(), "file {file}: slices lost: {missing:#?} of {covered:#?}: {text}");
            let outputs = Strategy::Output { criterion: Criterion::All, reorder: true };
            let seen = explore_as(&program, &name, &outputs, &Criterion::All, &options);
            let missing: Vec<_> = all.outputs.iter().filter(|(class, _)| !seen.outputs.contains_key(class)).collect();
            let covered: Vec<_> = seen.outputs.values().collect();
            assert!(missing.is_empty(), "file {file}: outputs lost: {missing:#?} of {covered:#?} {text}");
        }
    }
}
