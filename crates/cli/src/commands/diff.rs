//! `pathshift diff`.

use super::explore::{FEW_ROUNDS, options_within, program_options, wants_checks};
use crate::args::{Diff, DiffFormat};
use crate::console::{self, Failure};
use crate::versions::{Version, Versions, resolve};
use crate::{dependencies, environment, output, supervisor};
use build::{Environment, Kind};
use compare::diff::{Compared, Progress};
use compare::{find, replay};
use evidence::Gap;
use explore::options::Progress as Paths;
use ir::id::FuncId;
use ir::module::Module;
use report::diff::Verdict;
use report::escape::Syntax;
use report::explore::RunState;
use report::explore::Undecided;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Time for a function unless something else is said.
const TIME: Duration = Duration::from_secs(60);

/// Time for all functions unless something else is said.
const BUDGET: Duration = Duration::from_secs(60);

/// Adds a row for dependencies that are not the same: nothing of them is compared.
fn add_dependencies(report: &mut report::diff::Diff, versions: &Versions) {
    let changed = dependencies::changed(&versions.old.input, &versions.new.input);
    add_row(report, "dependencies", changed.into_iter().map(|change| Gap::Dependency { change }));
}

/// Tells of sources that changed and that neither build has. Where the list of what is built names files that a version does not
/// have, it is that of another version, and nobody knows what belongs to this one.
fn add_unbuilt(report: &mut report::diff::Diff, versions: &Versions, modules: [&Module; 2]) {
    let is_list = |version: &Version| {
        build::input::classify(&version.input).is_ok_and(|input| input.kind == Kind::CompileCommands)
    };
    if !is_list(&versions.old) && !is_list(&versions.new) {
        return;
    }
    let is_built = |path: &Path| {
        modules.iter().any(|module| {
            let mut files = module.debug.files.iter();
            files.any(|file| {
                let directory = file.directory.map_or("", |directory| module.str(directory));
                Path::new(directory).join(module.str(file.name)).ends_with(path)
            })
        })
    };
    let unbuilt: Vec<&PathBuf> = versions.changed_sources.iter().filter(|path| !is_built(path)).collect();
    let is_of_another = report.notes.iter().any(|note| note.contains(build::compile_db::NOT_THERE));
    if is_of_another {
        let gap = |path: &&PathBuf| Gap::NotBuilt { file: path.display().to_string() };
        add_row(report, "files that are not built", unbuilt.iter().map(gap));
    } else if !unbuilt.is_empty() {
        let names: Vec<String> = unbuilt.iter().map(|path| path.display().to_string()).collect();
        report.notes.push(format!("changed, and not in compile_commands.json: {}", names.join(", ")));
    }
}

/// Adds a row that says why not all is known, if there is a reason.
fn add_row(report: &mut report::diff::Diff, name: &str, gaps: impl Iterator<Item = Gap>) {
    let undecided: Vec<Undecided> = gaps.map(|gap| Undecided::from(&gap.into())).collect();
    if undecided.is_empty() {
        return;
    }
    report.functions.push(report::diff::Function {
        name: name.to_owned(),
        verdict: Verdict::Undecided,
        undecided,
        ..report::diff::Function::default()
    });
    if report.verdict.is_same() {
        report.verdict = Verdict::Undecided;
    }
}

/// Compares two versions.
pub fn run(args: &Diff) -> Result<ExitCode, Failure> {
    let build = environment::options_for_any(&args.build)?;
    let machine = environment::machine();
    let mut versions = resolve(args, &build, &machine)?;
    let name = environment::common_name(&[&versions.old.input, &versions.new.input]);
    versions.old.build.crate_name.clone_from(&name);
    versions.new.build.crate_name = name;
    environment::check_fit(&args.build, &[&versions.old.input, &versions.new.input])?;
    let mut result = Compared::default();
    result.report.old.clone_from(&versions.old.shown);
    result.report.new.clone_from(&versions.new.shown);
    // Whoever looks at the file while this runs, or after it was killed, sees that it is not the result.
    if args.output.is_some() && args.format == DiffFormat::Json {
        show(args, &result)?;
    }
    let (old, new) = load_both(&versions, &machine)?;
    let units = (old.units, new.units);
    let ((old, old_notes), (new, new_notes)) = ((old.module, old.notes), (new.module, new.notes));
    let (functions, old_functions) = chosen(args, &old, &new)?;
    let time = args.bounds.timeout.unwrap_or(TIME);
    let budget = args.budget.or(args.bounds.timeout.is_none().then_some(BUDGET));
    let journal = supervisor::journal().map(Arc::new);
    // Without a journal there is nobody who would go on.
    let memory_full = supervisor::watch_limits(args.bounds.memory, Some(time), journal.clone(), |_| {});
    let exploring = options_within(&args.bounds, FEW_ROUNDS, 1, build.cancel.clone(), memory_full)?
        .with_store(super::store::open(&args.store));
    let replaying = replay::Options { build: build.clone(), checks: wants_checks(&args.bounds), ..Default::default() };
    let options = compare::diff::Options {
        explore: exploring.explore,
        chain: exploring.chain,
        program: program_options(&args.bounds),
        time,
        jobs: build.jobs,
        functions,
        old_functions,
        files: args.files.iter().map(|file| file.display().to_string()).collect(),
        ignored_functions: args.ignore_functions.clone(),
        ignored: args.ignore.iter().map(|kind| kind.difference()).collect(),
        replay: (!args.no_replay)
            .then_some((replaying, replay::Limits { jobs: build.jobs, ..replay::Limits::default() })),
        tests: args.suite.is_some(),
        strict_locations: args.strict_locations,
        callers: args.callers,
        only_proof: args.only_proof,
        budget,
        trace: args.trace,
        store: exploring.store,
        journal,
        renew: Some(supervisor::give_up),
        sabotage: environment::sabotage(),
        roots: (versions.old.roots.clone(), versions.new.roots.clone()),
        units,
        rust_for_debugging: [&versions.old, &versions.new].iter().all(|version| is_for_debugging(version)),
    };
    let watcher = Watcher::start(options.explore.progress.clone());
    let compared = compare::diff::diff(&old, &new, &options, &machine, |progress| watcher.tell(&progress));
    watcher.stop();
    result.tests = compared.tests;
    result.report = report::diff::Diff { old: result.report.old, new: result.report.new, ..compared.report };
    result.report.notes.extend(args.notes.iter().cloned());
    result.report.notes.extend(old_notes.into_iter().map(|note| format!("old: {note}")));
    result.report.notes.extend(new_notes.into_iter().map(|note| format!("new: {note}")));
    result.report.notes.extend(options.store.as_ref().and_then(super::store::refused));
    if args.functions.is_empty() {
        add_dependencies(&mut result.report, &versions);
        if args.files.is_empty() {
            add_unbuilt(&mut result.report, &versions, [&old, &new]);
        }
    }
    if let Some(dir) = &args.suite {
        compare::diff::tests::write(dir, &new, &result.tests)
            .map_err(|error| Failure::usage(error.to_string(), error.help().map(str::to_owned)))?;
    }
    show(args, &result)?;
    Ok(code(args, &result))
}

fn code(args: &Diff, result: &Compared) -> ExitCode {
    let incomplete = result.report.run_state == RunState::Incomplete;
    match result.report.verdict {
        Verdict::Different => ExitCode::from(1),
        Verdict::Undecided if !args.allow_undecided => ExitCode::from(3),
        _ if args.require_proof && result.report.count(Verdict::SameWithinBounds) > 0 => ExitCode::from(3),
        // What was not looked at is not the same.
        _ if incomplete => ExitCode::from(3),
        _ => ExitCode::SUCCESS,
    }
}

fn show(args: &Diff, result: &Compared) -> Result<(), Failure> {
    let syntax = if args.format == DiffFormat::Json { Syntax::Json } else { Syntax::Text };
    output::write(args.output.as_deref(), syntax, |out| match args.format {
        DiffFormat::Text => out.write_all(report::diff::text(&result.report).as_bytes()),
        DiffFormat::Markdown => out.write_all(report::diff::markdown(&result.report).as_bytes()),
        DiffFormat::Json => report::write_json(&result.report, out),
    })
}

/// A version as it was built.
struct Loaded {
    module: Module,
    /// What compilers were given.
    units: Vec<PathBuf>,
    notes: Vec<String>,
}

/// Whether Rust code of a version is built with debug assertions and without optimisation, as far as its flags say; text and bitcode
/// were built by somebody else.
fn is_for_debugging(version: &Version) -> bool {
    let kind = build::input::classify(&version.input).map(|input| input.kind);
    let flags = version.build.rustflags.iter().chain(&version.build.cargo_flags);
    let others = ["--release", "--profile", "-O", "opt-level", "debug-assertions", "overflow-checks"];
    matches!(kind, Ok(Kind::Rust | Kind::CargoPackage))
        && !flags.into_iter().any(|flag| others.iter().any(|other| flag.contains(other)))
}

/// Builds both versions, at once unless the second build can use what the first one has built.
fn load_both(versions: &Versions, machine: &Environment) -> Result<(Loaded, Loaded), Failure> {
    let cargo =
        |version: &Version| build::input::classify(&version.input).is_ok_and(|input| input.kind == Kind::CargoPackage);
    if cargo(&versions.old) || cargo(&versions.new) || versions.old.build.shared.is_some() {
        return Ok((load(&versions.old, machine)?, load(&versions.new, machine)?));
    }
    std::thread::scope(|scope| {
        let old = scope.spawn(|| load(&versions.old, machine));
        let new = load(&versions.new, machine);
        let lost = || Err(build::BuildError::Internal { message: "a thread was lost".to_owned() }.into());
        // The old version's errors come first, whichever was faster.
        Ok((old.join().unwrap_or_else(|_| lost())?, new?))
    })
}

fn load(version: &Version, machine: &Environment) -> Result<Loaded, Failure> {
    let mut built = build::load(&version.input, &version.build, machine)?;
    if version.build.cancel.load(Ordering::Relaxed) {
        return Err(build::BuildError::Cancelled.into());
    }
    ir::promote::promote(&mut built.module);
    let notes = version.notes.iter().cloned().chain(built.notes).collect();
    // Debug info has absolute paths.
    let units = built.units.into_iter().map(|unit| std::path::absolute(&unit.source).unwrap_or(unit.source)).collect();
    Ok(Loaded { module: built.module, units, notes })
}

/// The functions that were asked for, of the new version and of the old one if they are gone.
fn chosen(args: &Diff, old: &Module, new: &Module) -> Result<(Vec<FuncId>, Vec<FuncId>), Failure> {
    let (mut functions, mut gone) = (Vec::new(), Vec::new());
    for name in &args.functions {
        match (find::functions(new, name), find::functions(old, name)) {
            (Ok(found), _) => functions.extend(found),
            (Err(_), Ok(found)) => gone.extend(found),
            (Err(error), Err(_)) => return Err(super::ir::not_found(error)),
        }
    }
    Ok((functions, gone))
}

/// Shows on a terminal how far it is.
struct Watcher {
    now: Arc<Mutex<Now>>,
    done: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

/// What is looked at.
struct Now {
    line: String,
    name: String,
    since: Instant,
}

impl Watcher {
    fn start(paths: Arc<Paths>) -> Watcher {
        let now = Arc::new(Mutex::new(Now { line: String::new(), name: String::new(), since: Instant::now() }));
        let done = Arc::new(AtomicBool::new(false));
        if !console::is_watched() {
            return Watcher { now, done, thread: None };
        }
        let (seen, finished) = (now.clone(), done.clone());
        let thread = std::thread::spawn(move || {
            while !finished.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(100));
                let Ok(now) = seen.lock() else { break };
                let seconds = now.since.elapsed().as_secs();
                let slow = if seconds >= 2 { format!(" for {seconds} s") } else { String::new() };
                let paths = paths.paths.load(Ordering::Relaxed);
                if !now.line.is_empty() {
                    console::show_progress(&format!("{}, {paths} paths decided; {}{slow}", now.line, now.name));
                }
            }
            console::show_progress("");
        });
        Watcher { now, done, thread: Some(thread) }
    }

    fn tell(&self, progress: &Progress) {
        if let Ok(mut now) = self.now.lock() {
            now.line = format!("{} of {} functions, {} different", progress.done, progress.all, progress.different);
            progress.next.clone_into(&mut now.name);
            now.since = Instant::now();
        }
    }

    fn stop(self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread {
            // It only writes to the terminal.
            let _ = thread.join();
        }
    }
}
