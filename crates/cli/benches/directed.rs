//! Full against directed exploration over all versions of the examples: `cargo bench -p pathshift --bench directed`, or
//! with the names of subjects and versions behind `--`.
//!
//! Like Tables 2 and 3 of the DiSE paper and Tables I to III of the iDiSE paper. Every version of a subject is compared
//! with its first one. Both explorations run in this process, one after the other, so the ratio is taken in one run on
//! one machine; times are processor times, both give each path an input, and the time of directed ones includes the
//! comparison of the versions.
//!
//! One step of a subject takes milliseconds. So a second table has two steps in a row, the second one with some of its
//! inputs known. Goals, where full exploration takes over a second: at most 10 % of its time where fewer than a third of
//! the paths are affected, at most 5 % more where all are.
//!
//! With `--markdown` the tables are those of `docs/directed-figures.md`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use compare::explore::{Options, cpu_time};
use compare::impacted::select;
use compare::impacted::suite::Suite;
use compare::since::{Since, Strategy};
use exec::entry::Entry;
use exec::observe::{Observer, Values};
use exec::program::Program;
use explore::options::Options as Exploring;
use explore::trace::{is_affected, trace};
use explore::{Ended, Stats};
use ir::id::FuncId;
use ir::module::Module;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// As in the binary: allocation is a good part of an exploration.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A program in several versions.
struct Subject {
    folder: &'static str,
    entry: &'static str,
    /// Arguments of the second step: those that are unknown are empty.
    second: &'static [&'static str],
}

const SUBJECTS: [Subject; 5] = [
    Subject { folder: "wheel_brake", entry: "update", second: &["", "", "", "", "", ""] },
    Subject { folder: "altitude_switch", entry: "step", second: &["", "", "", "", "", "", "", "", ""] },
    Subject {
        folder: "ascent_abort",
        entry: "step",
        second: &["500", "3000", "", "", "100", "60", "50", "0", "0", "0", ""],
    },
    Subject { folder: "collision_avoidance", entry: "advise", second: &["", "0", "", "", "", "", "", "1", "0"] },
    Subject { folder: "packet_filter", entry: "filter", second: &["", "", "", "", "", "0", "", ""] },
];

/// Most paths of an exploration.
const MAX_PATHS: u64 = 400_000;

/// How often two steps are explored; the shortest time counts.
const ROUNDS: usize = 3;

/// Tests of a suite that are selected from.
const MAX_TESTS: usize = 2000;

/// One exploration.
struct Run {
    time: Duration,
    paths: usize,
    stats: Stats,
}

/// A table that is printed row by row.
struct Table {
    markdown: bool,
    widths: Vec<usize>,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let markdown = args.iter().any(|arg| arg == "--markdown");
    let is_chosen = |name: &str, of: &[&str]| {
        let chosen: Vec<&String> = args.iter().filter(|arg| of.contains(&arg.as_str())).collect();
        chosen.is_empty() || chosen.iter().any(|arg| *arg == name)
    };
    let folders = SUBJECTS.map(|subject| subject.folder);
    let mut goals = Vec::new();
    for subject in SUBJECTS.iter().filter(|subject| is_chosen(subject.folder, &folders)) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(subject.folder);
        let mut versions: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
        versions.sort();
        let names: Vec<String> = versions.iter().map(|version| name(version)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let chosen: Vec<&PathBuf> = versions[1..].iter().filter(|version| is_chosen(&name(version), &names)).collect();
        one_step(subject, &versions[0], &chosen, markdown);
        two_steps(subject, &versions[0], &chosen, markdown, &mut goals);
    }
    println!();
    for goal in goals {
        println!("{goal}");
    }
}

fn name(version: &Path) -> String {
    version.file_stem().unwrap().to_string_lossy().into_owned()
}

/// What DiSE's Tables 2 and 3 and iDiSE's Tables I to III have.
fn one_step(subject: &Subject, base: &Path, versions: &[&PathBuf], markdown: bool) {
    let columns = "version changed affected full-ms instructions paths solver dise-ms paths idise-ms instructions paths \
                   solver ratio selected added";
    let table = Table::new(&format!("{}: `{}`", subject.folder, subject.entry), columns, markdown);
    let old = program(load(base));
    let suite = suite(&old, subject.entry);
    for version in versions {
        let new = program(load(version));
        let function = find(&new, subject.entry);
        let full = explore(&new, function, None);
        let (since, dise) = directed(&old.module, &new, function, Strategy::Dise);
        let (_, idise) = directed(&old.module, &new, function, Strategy::Idise);
        let influence = &since.impact.new.influence;
        let affected = |id: &FuncId| {
            let body = new.module.functions[*id].body();
            body.filter(|(_, inst, _)| influence.has_anywhere(*id, *inst)).count()
        };
        let affected: usize = since.reached_from(function).iter().map(affected).sum();
        let (selected, added) = match suite.len() {
            0..=MAX_TESTS => {
                let tests = suite.iter().enumerate().map(|(index, input)| (index.to_string(), input.clone()));
                let tests = Suite { entry: function, tests: tests.collect(), expected: Vec::new(), cwd: None };
                let selection = select(&old, &new, &tests, &Options::default()).0;
                (selection.selected.len().to_string(), selection.added.len().to_string())
            }
            _ => ("-".to_owned(), "-".to_owned()),
        };
        table.row(&[
            name(version),
            since.impact.new.start.insts.len().to_string(),
            affected.to_string(),
            milliseconds(full.time),
            full.stats.instructions.to_string(),
            full.paths.to_string(),
            solver_calls(&full),
            milliseconds(dise.time),
            dise.paths.to_string(),
            milliseconds(idise.time),
            idise.stats.instructions.to_string(),
            idise.paths.to_string(),
            solver_calls(&idise),
            format!("{:.0}%", idise.time.as_secs_f64() * 100.0 / full.time.as_secs_f64()),
            selected,
            added,
        ]);
    }
}

/// Two steps in a row, which take long enough to be timed.
fn two_steps(subject: &Subject, base: &Path, versions: &[&PathBuf], markdown: bool, goals: &mut Vec<String>) {
    let title = format!("{}: two steps of `{}`", subject.folder, subject.entry);
    let table = Table::new(&title, "version full-ms paths affected idise-ms paths ratio", markdown);
    let old = program(load(&driven(subject, base)));
    for version in versions {
        let new = program(load(&driven(subject, version)));
        let function = find(&new, "two_steps");
        let mut full = explore(&new, function, None);
        let (since, mut idise) = directed(&old.module, &new, function, Strategy::Idise);
        // By turns, so that whatever else the machine does slows both.
        for _ in 1..ROUNDS {
            full.time = full.time.min(explore(&new, function, None).time);
            idise.time = idise.time.min(directed(&old.module, &new, function, Strategy::Idise).1.time);
        }
        // How many of all paths are affected, which is not part of either time.
        let aim = since.aim(Strategy::Idise).unwrap();
        let traced = Exploring { record_visits: true, max_paths: MAX_PATHS, ..Exploring::default() };
        let is_affected = |ended: Ended| is_affected(&aim, &new, &trace(&aim, &new, ended.state));
        let affected = run(&new, function, &traced, is_affected).1;
        let affected = affected.iter().filter(|affected| **affected).count();
        let ratio = idise.time.as_secs_f64() / full.time.as_secs_f64();
        table.row(&[
            name(version),
            milliseconds(full.time),
            full.paths.to_string(),
            affected.to_string(),
            milliseconds(idise.time),
            idise.paths.to_string(),
            format!("{:.1}%", ratio * 100.0),
        ]);
        let goal = match (affected * 3 < full.paths, affected == full.paths) {
            (true, _) => 0.10,
            (_, true) => 1.05,
            _ => continue,
        };
        if full.time > Duration::from_secs(1) {
            let verdict = if ratio <= goal { "reached" } else { "MISSED" };
            goals.push(format!(
                "{} {}: {affected} of {} paths affected, {:.1} % of the time, goal {:.0} %: {verdict}",
                subject.folder,
                name(version),
                full.paths,
                ratio * 100.0,
                goal * 100.0
            ));
        }
    }
}

/// A version with a function that takes two steps.
fn driven(subject: &Subject, version: &Path) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("two_steps").join(subject.folder);
    std::fs::create_dir_all(&folder).unwrap();
    let first: Vec<String> = (0..subject.second.len()).map(|index| format!("a{index}")).collect();
    let known =
        |(index, value): (usize, &&str)| if value.is_empty() { format!("b{index}") } else { (*value).to_owned() };
    let second: Vec<String> = subject.second.iter().enumerate().map(known).collect();
    let unknown = second.iter().filter(|argument| argument.starts_with('b'));
    let params: Vec<String> = first.iter().chain(unknown).map(|name| format!("int {name}")).collect();
    let text = format!(
        "{}\nint two_steps({}) {{ {entry}({}); return {entry}({}); }}\n",
        std::fs::read_to_string(version).unwrap(),
        params.join(", "),
        first.join(", "),
        second.join(", "),
        entry = subject.entry
    );
    let path = folder.join(version.file_name().unwrap());
    std::fs::write(&path, text).unwrap();
    path
}

/// What the change means, and a directed exploration; both are part of its time.
fn directed(old: &Module, new: &Program, function: FuncId, strategy: Strategy) -> (Since, Run) {
    let started = cpu_time();
    let since = Since::new(old, &new.module);
    let aim = since.aim(strategy).map(Arc::new);
    let analysis = cpu_time() - started;
    let mut run = explore(new, function, aim);
    run.time += analysis;
    (since, run)
}

fn explore(program: &Program, function: FuncId, aim: Option<Arc<explore::aim::Aim>>) -> Run {
    let options = Exploring { aim, max_paths: MAX_PATHS, ..Exploring::default() };
    run(program, function, &options, |ended| drop(ended.chain.smallest(&mut ended.worker.pool, ended.witness))).0
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1e3)
}

fn solver_calls(run: &Run) -> String {
    (run.stats.solver.blaster + run.stats.solver.others).to_string()
}

impl Table {
    fn new(title: &str, columns: &str, markdown: bool) -> Table {
        let columns: Vec<String> = columns.split_whitespace().map(|column| column.replace('-', " ")).collect();
        let table = Table { markdown, widths: columns.iter().map(|column| column.len().max(7)).collect() };
        println!("\n{}{title}\n", if markdown { "## " } else { "" });
        table.row(&columns);
        if markdown {
            println!("|{}", "---:|".repeat(columns.len()));
        }
        table
    }

    fn row(&self, cells: &[String]) {
        if self.markdown {
            println!("| {} |", cells.join(" | "));
        } else {
            let cells = cells.iter().zip(&self.widths).map(|(cell, width)| format!("{cell:>width$}"));
            println!("{}", cells.collect::<Vec<_>>().join("  "));
        }
    }
}

fn run<R: Send>(
    program: &Program,
    function: FuncId,
    options: &Exploring,
    look: impl Fn(Ended) -> R + Sync,
) -> (Run, Vec<R>) {
    let options = Exploring { progress: Arc::default(), ..options.clone() };
    let chain = Options::default().chain;
    let started = cpu_time();
    let explored = explore::parallel::explore(program, &Entry { function, shell: None }, &options, &chain, look);
    (Run { time: cpu_time() - started, paths: explored.paths.len(), stats: explored.stats }, explored.paths)
}

/// The inputs of a suite for the first version.
fn suite(program: &Program, entry: &str) -> Vec<exec::case::Input> {
    let look = |ended: Ended| {
        let model = ended.chain.smallest(&mut ended.worker.pool, ended.path);
        let values = Values::new(ended.worker, &model);
        Observer::new(ended.worker, ended.state, &values).input()
    };
    run(program, find(program, entry), &Exploring { max_paths: MAX_PATHS, ..Exploring::default() }, look).1
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
