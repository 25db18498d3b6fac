//! Full against directed exploration over all versions of the examples: `cargo bench -p pathshift --bench directed`.
//!
//! Like Tables 2 and 3 of the DiSE paper and Tables I to III of the iDiSE paper. Every version of a subject is compared
//! with its first one. Both explorations run in this process, one after the other, so the ratio is taken in one run on
//! one machine. Goals, where full exploration takes over a second: at most 10 % of its time where fewer than a third of
//! the paths are affected, at most 5 % more where all are.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use compare::explore::Options;
use compare::impacted::{Suite, select};
use compare::since::{Since, Strategy};
use exec::entry::Entry;
use exec::observe::{Observer, Values};
use exec::program::Program;
use explore::options::Options as Exploring;
use explore::trace::trace;
use explore::{Ended, Stats};
use ir::id::FuncId;
use ir::module::Module;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Subjects and their entries.
const SUBJECTS: [(&str, &str); 4] = [
    ("wheel_brake", "update"),
    ("altitude_switch", "step"),
    ("ascent_abort", "step"),
    ("collision_avoidance", "advise"),
];

/// Most paths of an exploration.
const MAX_PATHS: u64 = 200_000;

/// One exploration.
struct Run {
    time: Duration,
    paths: usize,
    stats: Stats,
}

fn main() {
    let mut goals = Vec::new();
    for (subject, entry) in SUBJECTS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(subject);
        let mut versions: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
        versions.sort();
        println!("\n{subject}: {entry}");
        println!(
            "{:>4} {:>7} {:>8}  {:>9} {:>9} {:>7}  {:>9} {:>9} {:>7} {:>6}  {:>6}  {:>8} {:>5}",
            "",
            "changed",
            "affected",
            "full ms",
            "states",
            "paths",
            "idise ms",
            "states",
            "paths",
            "solver",
            "ratio",
            "selected",
            "added"
        );
        let old = load(&versions[0]);
        let suite = suite(&program(load(&versions[0])), entry);
        for version in &versions[1..] {
            row(&old, version, entry, &suite, &mut goals);
        }
    }
    println!();
    for goal in goals {
        println!("{goal}");
    }
}

fn row(old: &Module, version: &Path, entry: &str, suite: &[exec::case::Input], goals: &mut Vec<String>) {
    let new = program(load(version));
    let function = find(&new, entry);
    let full = explore(&new, function, None, |_| ()).0;
    let started = Instant::now();
    let since = Since::new(old, &new.module);
    let aim = Arc::new(since.aim(Strategy::Idise).unwrap());
    let analysis = started.elapsed();
    let (mut directed, _) = explore(&new, function, Some(aim.clone()), |_| ());
    directed.time += analysis;
    // How many of all paths are affected, which is not part of either time.
    let traced = Exploring { record_visits: true, max_paths: MAX_PATHS, ..Exploring::default() };
    let affected = run(&new, function, &traced, |ended| !trace(&aim, &new, ended.state).is_empty()).1;
    let affected = affected.iter().filter(|affected| **affected).count();
    let changed: usize = since.impact.new.start.insts.len();
    let nodes: usize = since
        .reached_from(function)
        .iter()
        .map(|&id| {
            new.module.functions[id]
                .body()
                .filter(|(_, inst, _)| since.impact.new.influence.has_anywhere(id, *inst))
                .count()
        })
        .sum();
    let tests = Suite {
        entry: function,
        tests: suite.iter().enumerate().map(|(index, input)| (index.to_string(), input.clone())).collect(),
    };
    let (selected, added) = if suite.len() <= 2000 {
        let old = program(load(&version.with_file_name("base.c")));
        let selection = select(&old, &new, &tests, &Options::default()).0;
        (selection.selected.len().to_string(), selection.added.len().to_string())
    } else {
        ("-".to_owned(), "-".to_owned())
    };
    let ratio = directed.time.as_secs_f64() / full.time.as_secs_f64();
    let name = version.file_stem().unwrap().to_string_lossy();
    println!(
        "{name:>4} {changed:>7} {nodes:>8}  {:>9.1} {:>9} {:>7}  {:>9.1} {:>9} {:>7} {:>6}  {:>5.0}%  {selected:>8} {added:>5}",
        full.time.as_secs_f64() * 1e3,
        full.stats.instructions,
        full.paths,
        directed.time.as_secs_f64() * 1e3,
        directed.stats.instructions,
        directed.paths,
        directed.stats.solver.blaster + directed.stats.solver.others,
        ratio * 100.0,
    );
    if full.time > Duration::from_secs(1) {
        let goal = match (affected * 3 < full.paths, affected == full.paths) {
            (true, _) => Some(0.10),
            (_, true) => Some(1.05),
            _ => None,
        };
        if let Some(goal) = goal {
            let verdict = if ratio <= goal { "reached" } else { "MISSED" };
            goals.push(format!(
                "{entry} {name}: {affected} of {} paths affected, {:.1} % of the time, goal {:.0} %: {verdict}",
                full.paths,
                ratio * 100.0,
                goal * 100.0
            ));
        }
    }
}

fn explore<R: Send>(
    program: &Program,
    function: FuncId,
    aim: Option<Arc<explore::aim::Aim>>,
    look: impl Fn(Ended) -> R + Sync,
) -> (Run, Vec<R>) {
    run(program, function, &Exploring { aim, max_paths: MAX_PATHS, ..Exploring::default() }, look)
}

fn run<R: Send>(
    program: &Program,
    function: FuncId,
    options: &Exploring,
    look: impl Fn(Ended) -> R + Sync,
) -> (Run, Vec<R>) {
    let options = Exploring { progress: Arc::default(), ..options.clone() };
    let chain = Options::default().chain;
    let started = Instant::now();
    let explored = explore::parallel::explore(program, &Entry { function, shell: None }, &options, &chain, look);
    (Run { time: started.elapsed(), paths: explored.paths.len(), stats: explored.stats }, explored.paths)
}

/// The inputs of a suite for the first version.
fn suite(program: &Program, entry: &str) -> Vec<exec::case::Input> {
    let look = |ended: Ended| {
        let model = ended.chain.smallest(&mut ended.worker.pool, ended.path);
        let values = Values::new(ended.worker, &model);
        Observer::new(ended.worker, ended.state, &values).input()
    };
    explore(program, find(program, entry), None, look).1
}

fn load(path: &Path) -> Module {
    let env = build::Environment {
        path: std::env::var_os("PATH").unwrap_or_default(),
        temp: std::env::temp_dir(),
        bitcode_helper: None,
    };
    let mut built = build::load(path, &build::Options::default(), &env).unwrap();
    ir::promote::promote(&mut built.module);
    built.module
}

fn program(module: Module) -> Program {
    Program::new(module, exec::program::Options::default())
}

fn find(program: &Program, name: &str) -> FuncId {
    program.module.functions.ids().find(|&id| program.module.function_name(id) == name).unwrap()
}
