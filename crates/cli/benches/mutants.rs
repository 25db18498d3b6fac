//! Mutants of the programs in `examples/`, killed by the tests of full exploration and by those of dependence guided
//! exploration, by class of mutation: tables like 10 and 11 of the DGSE paper.
//!
//! `cargo bench -p pathshift --bench mutants`, with `-- NAME` for some of them only; `-- --lost` shows mutants that only full
//! exploration kills. A mutant is killed if some test has another outcome on it, as the engine
//! runs it.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::panic)]

use exec::case::{Input, Outcome};
use exec::entry::Entry;
use exec::observe::{Observer, Values};
use exec::program::{Options as ProgramOptions, Program};
use exec::run::Worker;
use explore::dgse::Dgse;
use explore::follow::follow;
use explore::guided::{self, Strategy};
use explore::options::Options;
use smt::eval::Model;
use smt::solver::chain::Chain;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const SUBJECTS: &[(&str, &str)] = &[
    ("switches/switches.c", "panel"),
    ("brake/new.c", "update"),
    ("mid/new.c", "mid"),
    ("wheel_brake/base.c", "update"),
    ("altitude_switch/base.c", "step"),
    ("ascent_abort/base.c", "step"),
    ("collision_avoidance/base.c", "advise"),
    ("packet_filter/base.c", "filter"),
    ("calendar/base.c", "book"),
    ("tariff/base.c", "bill"),
    ("loan/base.c", "pay"),
    ("scheduler/scheduler.c", "schedule"),
    ("replace/replace.c", "replace"),
    ("tokens/tokens.c", "tokens"),
    ("tree/tree.c", "tree"),
    ("ordered_set/ordered_set.c", "ordered_set"),
    ("disjoint_set/disjoint_set.c", "disjoint_set"),
];

/// Mutations by class: what is replaced by what.
const MUTATIONS: &[(&str, &[(&str, &str)])] = &[
    (
        "relation",
        &[(" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "), (" == ", " != "), (" != ", " == ")],
    ),
    ("arithmetic", &[(" + ", " - "), (" - ", " + "), (" * ", " + "), ("++", "--"), ("--", "++")]),
    ("logic", &[(" && ", " || "), (" || ", " && "), ("if (", "if (!(1 && "), ("while (", "while (0 && ")]),
    ("constant", &[(" 0", " 1"), (" 1", " 2"), (" 2", " 3"), (" 3", " 4")]),
    ("assignment", &[(" += ", " -= "), (" -= ", " += "), (" = ", " = 1 + ")]),
];

/// Most steps of a run: mutants may not end.
const STEPS: u64 = 200_000;

#[derive(Default, Clone, Copy)]
struct Killed {
    mutants: usize,
    full: usize,
    dgse: usize,
}

fn main() {
    println!("| program | tests full | tests dgse | mutants | killed by full | killed by dgse |");
    println!("|---|--:|--:|--:|--:|--:|");
    let mut classes: BTreeMap<&str, Killed> = BTreeMap::new();
    let mut all = Killed::default();
    let (flags, names): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|arg| arg.starts_with("--"));
    let lost = flags.iter().any(|flag| flag == "--lost");
    for (file, function) in SUBJECTS {
        if !names.is_empty() && !names.iter().any(|name| file.starts_with(name.as_str())) {
            continue;
        }
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
        let source = std::fs::read_to_string(&path).unwrap();
        let Some(program) = load(&source) else { continue };
        let entry = entry(&program, function).unwrap();
        let [full, dgse] =
            [Strategy::Full, Strategy::Dgse(Dgse::default())].map(|strategy| tests(&program, &entry, &strategy));
        let mut here = Killed::default();
        for (class, text) in mutants(&source) {
            let Some(mutant) = load(&text) else { continue };
            let Some(entry) = self::entry(&mutant, function) else { continue };
            let kills = |tests: &[(Input, Outcome)]| {
                usize::from(
                    tests.iter().any(|(input, expected)| outcome(&mutant, &entry, input).as_ref() != Some(expected)),
                )
            };
            let (by_full, by_dgse) = (kills(&full), kills(&dgse));
            if lost && by_full > by_dgse {
                println!("lost ({class}): {}", line_that_differs(&source, &text));
            }
            for killed in [&mut here, &mut all, classes.entry(class).or_default()] {
                killed.mutants += 1;
                killed.full += by_full;
                killed.dgse += by_dgse;
            }
        }
        let name = file.split('/').next().unwrap_or(file);
        println!("| {name} | {} | {} | {} |", full.len(), dgse.len(), cells(here));
    }
    println!("| all | | | {} |", cells(all));
    println!("\n| class | mutants | killed by full | killed by dgse |\n|---|--:|--:|--:|");
    for (class, killed) in classes {
        println!("| {class} | {} |", cells(killed));
    }
}

fn cells(killed: Killed) -> String {
    let rate = |count: usize| format!("{count} ({:.1} %)", 100.0 * count as f64 / killed.mutants.max(1) as f64);
    format!("{} | {} | {}", killed.mutants, rate(killed.full), rate(killed.dgse))
}

/// The first line of a mutant that is not the source's.
fn line_that_differs<'a>(source: &str, mutant: &'a str) -> &'a str {
    source.lines().zip(mutant.lines()).find_map(|(a, b)| (a != b).then_some(b.trim())).unwrap_or_default()
}

/// Every mutation at every place of the code.
fn mutants(source: &str) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    for (class, replacements) in MUTATIONS {
        for (from, to) in *replacements {
            for (at, _) in source.match_indices(from) {
                let line = source[..at].rfind('\n').map_or(0, |start| start + 1);
                let is_code = !source[line..].trim_start().starts_with(['#', '/', '*']);
                let mut text = format!("{}{to}{}", &source[..at], &source[at + from.len()..]);
                if to.matches('(').count() > from.matches('(').count() {
                    // A condition is turned around: its end is found by counting.
                    let Some(end) = closing(&text, at + to.len()) else { continue };
                    text.insert(end, ')');
                }
                if is_code {
                    found.push((*class, text));
                }
            }
        }
    }
    found
}

/// Where the bracket ends that is open at a place.
fn closing(text: &str, from: usize) -> Option<usize> {
    let mut depth = 1;
    for (at, byte) in text.bytes().enumerate().skip(from) {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// A test for each path, with what comes of it.
fn tests(program: &Program, entry: &Entry, strategy: &Strategy) -> Vec<(Input, Outcome)> {
    let options = Options::default();
    let chain = Chain::standard(options.limits);
    let found = guided::explore(program, entry, strategy, &options, chain, |ended, _, _| {
        let model = ended.chain.smallest(&mut ended.worker.pool, ended.path);
        let values = Values::new(ended.worker, &model);
        Observer::new(ended.worker, ended.state, &values).input()
    });
    let run = |input: Input| outcome(program, entry, &input).map(|outcome| (input, outcome));
    found.paths.into_iter().filter_map(run).collect()
}

/// What comes of an input.
fn outcome(program: &Program, entry: &Entry, input: &Input) -> Option<Outcome> {
    let mut worker = Worker::new(program, true);
    let (state, end) = follow(&mut worker, entry, input, STEPS)?;
    let mut given = exec::given::Given::new(program, entry.function, input);
    let (mut places, mut digests) = (exec::given::Places::default(), smt::pool::digest::Digests::default());
    places.update(&worker, &mut digests);
    given.update(&worker, &places, &state);
    let model: &Model = &given.model;
    let values = Values::new(&worker, model);
    Some(Observer::new(&worker, &state, &values).outcome(&end))
}

fn load(source: &str) -> Option<Program> {
    let folder = tempfile::tempdir().unwrap();
    let (from, to): (PathBuf, PathBuf) = (folder.path().join("t.c"), folder.path().join("t.ll"));
    std::fs::write(&from, source).unwrap();
    let clang = ["clang-19", "clang-16", "clang-15", "clang-14", "clang"].into_iter().find(|name| {
        std::process::Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
    })?;
    let output = std::process::Command::new(clang)
        .args(["-g", "-O0", "-w", "-Xclang", "-disable-O0-optnone", "-S", "-emit-llvm", "-o"])
        .arg(&to)
        .arg(&from)
        .output()
        .unwrap();
    if !output.status.success() {
        return None;
    }
    let mut module = ir::parse::parse(&std::fs::read_to_string(&to).unwrap()).ok()?;
    ir::promote::promote(&mut module);
    Some(Program::new(module, ProgramOptions::default()))
}

fn entry(program: &Program, function: &str) -> Option<Entry> {
    let id = program.module.functions.ids().find(|&id| program.module.function_name(id) == function)?;
    Some(Entry { function: id, shell: None })
}
