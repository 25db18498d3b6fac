//! `pathshift explore`.

use super::{store, suite_bounds, write_tests};
use crate::args::{Bounds, Check, Explore, ExploreFormat, ExploreGoal, ExploreStrategy, SearchOrder, ShellArgs, When};
use crate::console::{self, Failure};
use crate::{environment, output, supervisor};
use compare::explore::{Directed, Explored, Looked, Options};
use compare::find;
use compare::journal::{Death, Journal, Unit};
use compare::replay;
use compare::since::{Since, Strategy};
use compare::suite::Test;
use exec::entry::{Bytes, Entry, Shell};
use exec::models::prelude;
use exec::program::Program;
use explore::dgse::Dgse;
use explore::goals::Goal;
use explore::guided;
use explore::options::Order;
use explore::output::Criterion;
use explore::pursuit::Target;
use ir::id::{FuncId, SymbolId};
use ir::module::{Module, SymbolKind};
use report::escape::Syntax;
use report::explore::{Paths, RunState};
use smt::solver::Interrupt;
use smt::solver::chain::Chain;
use smt::solver::record::Record;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Explores a function.
pub fn run(args: &Explore) -> Result<ExitCode, Failure> {
    let mut inputs: Vec<&Path> = args.since.iter().map(|since| since.as_path()).collect();
    inputs.push(&args.input);
    let build = environment::options(&args.build, &inputs)?;
    let mut built = build::load(&args.input, &build, &environment::machine())?;
    if build.cancel.load(Ordering::Relaxed) {
        return Err(build::BuildError::Cancelled.into());
    }
    ir::promote::promote(&mut built.module);
    let function = choose(&built.module, args.function.as_deref())?;
    let shell = shell(&built.module, function, &args.shell)?;
    let native = prelude::is_needed(&built.module).then(|| (built.module.clone(), function));
    let (module, function) = compare::explore::with_library(built.module, function)
        .map_err(|error| Failure::Internal(anyhow::Error::new(error)))?;
    let program = Program::new(module, program_options(&args.bounds));
    let entry = Entry { function, shell: shell.map(Arc::new) };
    let options = supervised(&args.bounds, MANY_ROUNDS, build.jobs, build.cancel.clone())?;
    let options = Options { resume: args.resume, ..options.with_store(store::open(&args.store)) };
    let name = ir::demangle::function_display_name(&program.module, function);
    let sabotage = environment::sabotage().filter(|(of, _)| *of == name).map(|(_, how)| how);
    let mut options = Options { sabotage, ..options };
    options.older = older_tests(args, &program, &entry)?;
    options.guided = guided(args, &program, function)?;
    if options.guided.is_none() {
        direct(args, &program, function, &mut options)?;
    }
    if let (Some(path), ExploreFormat::Json) = (&args.output, args.format) {
        // Whoever looks before the end, or after a crash, sees that it is not the result.
        let begun = compare::explore::begun(&program, &entry);
        output::write(Some(path), Syntax::Json, |out| report::write_json(&begun, out))?;
    }
    let mut explored = watch(&options, || compare::explore::explore(&program, &entry, &options));
    store::finish(options.store.as_ref());
    let made_with = suite_bounds::options(&args.bounds, &args.shell);
    write_tests::write(&args.tests, made_with, &program, function, &explored.report.paths, build.jobs)?;
    let journal = options.journal.as_deref();
    let died_of_it = journal.and_then(|journal| journal.failed(&Unit::Replay));
    if let Some(death) = died_of_it {
        console::warn(&format!("not replayed natively: {}", death.gap()));
    } else if !args.no_replay {
        journal.into_iter().for_each(|journal| journal.begins(Unit::Replay, true));
        // After Ctrl-C has ended the exploration, a few paths may still be run.
        let interrupted = build.cancel.load(Ordering::Relaxed);
        let until = if interrupted { Some(Instant::now()) } else { options.explore.deadline };
        let build =
            if interrupted { build::Options { cancel: Arc::default(), ..build.clone() } } else { build.clone() };
        let limits = replay::Limits { jobs: build.jobs, until, ..replay::Limits::default() };
        let replaying = replay::Options { build, checks: wants_checks(&args.bounds), ..Default::default() };
        let native = native.as_ref().map_or((&program.module, function), |(module, id)| (module, *id));
        let done = compare::explore::replay(native, &mut explored, &replaying, &limits, &environment::machine());
        if let Err(error) = done {
            // What was found stays found; only its confirmation is missing.
            console::warn(&format!("not replayed natively: {error}"));
        }
        journal.into_iter().for_each(|journal| journal.ends(Unit::Replay, None));
    }
    let syntax = if args.format == ExploreFormat::Json { Syntax::Json } else { Syntax::Text };
    output::write(args.output.as_deref(), syntax, |out| match args.format {
        ExploreFormat::Text => report::explore::text(&explored.report, build.jobs, out),
        ExploreFormat::Csv => report::explore::csv(&explored.report.paths, build.jobs, out),
        ExploreFormat::Json => report::explore::json(&explored.report, build.jobs, out),
    })?;
    if let Some(error) = &explored.lost {
        return Err(Failure::usage(format!("not all paths could be kept: {error}"), Some(TEMP_HELP.to_owned())));
    }
    Ok(code(&explored))
}

/// The tests of an older version that are to be used again.
fn older_tests(args: &Explore, program: &Program, entry: &Entry) -> Result<Option<Vec<Test>>, Failure> {
    match (&args.old_tests, args.strategy) {
        (None, Some(ExploreStrategy::Reuse)) => Err(Failure::usage(
            "--strategy reuse needs the tests of an older version".to_owned(),
            Some("name their folder with --tests DIR; `pathshift tests generate` makes one".to_owned()),
        )),
        (None, _) => Ok(None),
        (Some(suite), None | Some(ExploreStrategy::Reuse)) => {
            let known = super::tests::open(suite)?;
            // A name that this version does not have is that of the same function in an older one.
            if let Some(of) = known.as_ref().map(super::tests::Known::entry)
                && let Ok(found) = find::functions(&program.module, of)
                && !found.contains(&entry.function)
            {
                let wanted = ir::demangle::function_display_name(&program.module, entry.function);
                return Err(super::tests::of_another(
                    suite,
                    &ir::demangle::demangle(of),
                    &wanted,
                    "name another folder",
                ));
            }
            Ok(Some(super::tests::tests_of(suite, known, program, entry)?.0))
        }
        (Some(_), Some(_)) => {
            Err(Failure::usage("--tests is for --strategy reuse".to_owned(), Some("leave out one of them".to_owned())))
        }
    }
}

/// Directs an exploration at what changed since the older version that the user named.
fn direct(args: &Explore, program: &Program, entry: FuncId, options: &mut Options) -> Result<(), Failure> {
    let Some(since) = &args.since else {
        let needs = [
            (matches!(args.strategy, Some(ExploreStrategy::Dise | ExploreStrategy::Idise)), "--strategy dise|idise"),
            (args.literal, "--literal"),
            (args.delta, "--delta"),
            (args.goal.is_some(), "--goal"),
        ];
        return match needs.iter().find(|(given, _)| *given) {
            Some((_, option)) => Err(Failure::usage(
                format!("{option} needs an older version to compare with"),
                Some("name it with --since OLD".to_owned()),
            )),
            None => Ok(()),
        };
    };
    let old = older(args, since)?;
    let strategy = match args.strategy.unwrap_or(ExploreStrategy::Idise) {
        ExploreStrategy::Full | ExploreStrategy::Dgse | ExploreStrategy::Output | ExploreStrategy::Reuse => {
            Strategy::Full
        }
        ExploreStrategy::Dise => Strategy::Dise,
        ExploreStrategy::Idise => Strategy::Idise,
    };
    let since = Since::new(&old, &program.module);
    options.explore.aim = since.aim(strategy).map(Arc::new);
    options.explore.literal = args.literal;
    if args.literal {
        options.explore.order = Order::DepthFirst;
    }
    let goal = args.goal.map(|goal| match goal {
        ExploreGoal::Statement => Goal::Statement,
        ExploreGoal::Block => Goal::Block,
        ExploreGoal::Branch => Goal::Branch,
        ExploreGoal::Path => Goal::Path,
        ExploreGoal::Data => Goal::Data,
    });
    options.explore.target = goal.map(|goal| Target { goal, functions: since.reached_from(entry) });
    options.directed = Directed { strategy: Some(strategy), delta: args.delta, goal };
    Ok(())
}

/// The older version, with what the newer one has of the library too: that is no change.
fn older(args: &Explore, since: &Path) -> Result<Module, Failure> {
    let build = environment::options(&args.build, &[since, &args.input])?;
    let mut built = build::load(since, &build, &environment::machine())?;
    ir::promote::promote(&mut built.module);
    prelude::link(built.module).map_err(|error| Failure::Internal(anyhow::Error::new(error)))
}

/// The strategy that leaves out paths by dependence, if one was asked for.
fn guided(args: &Explore, program: &Program, entry: FuncId) -> Result<Option<guided::Strategy>, Failure> {
    let strategy = args.strategy.unwrap_or(ExploreStrategy::Full);
    if args.criterion.is_some() && strategy != ExploreStrategy::Output {
        let help = Some("add --strategy output".to_owned());
        return Err(Failure::usage("--criterion is for --strategy output".to_owned(), help));
    }
    if !matches!(strategy, ExploreStrategy::Dgse | ExploreStrategy::Output) {
        return Ok(None);
    }
    if args.since.is_some() && strategy == ExploreStrategy::Output {
        let help = Some("use --strategy dgse, dise or idise with --since".to_owned());
        return Err(Failure::usage("--strategy output knows no older version".to_owned(), help));
    }
    let others = [(args.literal, "--literal"), (args.delta, "--delta"), (args.goal.is_some(), "--goal")];
    if let Some((_, option)) = others.iter().find(|(given, _)| *given) {
        let help = Some("use --strategy dise or idise".to_owned());
        return Err(Failure::usage(format!("{option} is not for this strategy"), help));
    }
    let since = match &args.since {
        None => None,
        Some(since) => Some(compare::since::change(&older(args, since)?, program)),
    };
    Ok(match strategy {
        ExploreStrategy::Full | ExploreStrategy::Dise | ExploreStrategy::Idise | ExploreStrategy::Reuse => None,
        ExploreStrategy::Dgse => Some(guided::Strategy::Dgse(Dgse { branches_only: false, since })),
        ExploreStrategy::Output => {
            let criterion = criterion(program, entry, args.criterion.as_deref())?;
            Some(guided::Strategy::Output { criterion, reorder: true })
        }
    })
}

/// The output that a user named.
pub(super) fn criterion(program: &Program, function: FuncId, name: Option<&str>) -> Result<Criterion, Failure> {
    let Some(name) = name else { return Ok(Criterion::All) };
    let module = &program.module;
    let unknown = |what: String| {
        let help = "an output is `result`, `outside`, a global variable or a part of one, what is behind a pointer that the \
                    function is given (`p->x`, `*p`), or a line number";
        Err(Failure::usage(what, Some(help.to_owned())))
    };
    if let Ok(line) = name.parse::<u32>() {
        let bodies = module.functions.iter().flat_map(|function| function.body());
        let mut lines = bodies.filter_map(|(_, _, inst)| Some(module.debug.locations[inst.loc?].line));
        return match lines.any(|known| known == line) {
            true => Ok(Criterion::Line(line)),
            false => unknown(format!("there is no code in line {line}")),
        };
    }
    match name {
        "result" | "return" => return Ok(Criterion::Result),
        "outside" | "stdout" => return Ok(Criterion::Outside),
        _ => {}
    }
    let is_variable = |id: &SymbolId| matches!(module.symbols[*id].kind, SymbolKind::Variable(_));
    let variable = |stem: &str| module.symbols.ids().filter(is_variable).find(|&id| module.symbol_name(id) == stem);
    if variable(name).is_some() {
        return Ok(Criterion::Global(name.to_owned()));
    }
    let bare = name.trim_start_matches('*');
    let stem = bare.split(['.', '[', '-']).next().unwrap_or(bare);
    let has = |part: String| {
        let rest = part.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    if let Some(symbol) = variable(stem).filter(|_| bare == name)
        && let Some(object) = exec::changes::global_object(program, symbol)
        && object.part_names(program, MOST_PART_BYTES).into_iter().any(has)
    {
        return Ok(Criterion::Part { variable: Some(stem.to_owned()), name: name.to_owned() });
    }
    let params = compare::signature::parameter_names(module, function);
    match params.iter().any(|param| param == stem) && stem != name {
        true => Ok(Criterion::Part { variable: None, name: name.to_owned() }),
        false => unknown(format!("no output is called `{name}`")),
    }
}

/// Most bytes of a variable whose parts can be named.
const MOST_PART_BYTES: u64 = 1 << 16;

const TEMP_HELP: &str = "paths are kept in the folder for temporary files; TMPDIR names another one";

pub(super) fn wants_checks(bounds: &Bounds) -> bool {
    bounds.check.contains(&Check::Undefined)
}

fn code(explored: &Explored) -> ExitCode {
    let report = &explored.report;
    if (0..report.paths.len()).any(|index| report.paths.is_fault(index)) {
        return ExitCode::from(1);
    }
    let decided = report.run_state == RunState::Complete && report.undecided.is_empty();
    ExitCode::from(if decided { 0 } else { 3 })
}

/// The one function of a name.
pub(super) fn choose(module: &Module, name: Option<&str>) -> Result<FuncId, Failure> {
    let found = find::functions(module, name.unwrap_or("main")).map_err(super::ir::not_found)?;
    match found.as_slice() {
        [one] => Ok(*one),
        several => {
            let names: Vec<&str> = several.iter().take(8).map(|&id| module.function_name(id)).collect();
            let name = name.unwrap_or("main");
            Err(Failure::usage(
                format!("`{name}` is the name of {} functions", several.len()),
                Some(format!("name one by its symbol: {}", names.join(", "))),
            ))
        }
    }
}

pub(super) fn program_options(bounds: &Bounds) -> exec::program::Options {
    exec::program::Options {
        check_undefined: wants_checks(bounds),
        max_depth: bounds.calls,
        inputs: exec::inputs::Bounds {
            elements: bounds.elements,
            characters: bounds.string,
            depth: bounds.depth,
            ..Default::default()
        },
        ..exec::program::Options::default()
    }
}

/// Rounds of a loop where all paths of one function are wanted: as many as a number has bits.
pub(super) const MANY_ROUNDS: u32 = 64;

/// Rounds of a loop where many functions are looked at, some of them in pairs.
pub(super) const FEW_ROUNDS: u32 = 16;

/// A flag for solvers, which is there as long as the program is.
fn flag(interrupt: &Arc<AtomicBool>) -> Interrupt {
    let flag: &'static Arc<AtomicBool> = Box::leak(Box::new(interrupt.clone()));
    Interrupt(Some(flag))
}

/// Bounds as the user gave them; `rounds` of a loop if nothing was said about those. Fails if an earlier process died of the
/// same work.
pub(super) fn options(
    bounds: &Bounds,
    rounds: u32,
    jobs: usize,
    interrupt: Arc<AtomicBool>,
) -> Result<Options, Failure> {
    let options = supervised(bounds, rounds, jobs, interrupt)?;
    match options.journal.as_ref().and_then(|journal| journal.failed(&Unit::Exploration)) {
        Some(death) => Err(supervisor::failure(death)),
        // Only paths of an exploration are kept.
        None => Ok(Options { journal: None, ..options }),
    }
}

/// The same for work of which a part may have been done by an earlier process. A process that goes far beyond its limits is ended.
fn supervised(bounds: &Bounds, rounds: u32, jobs: usize, interrupt: Arc<AtomicBool>) -> Result<Options, Failure> {
    static JOURNAL: OnceLock<Option<Arc<Journal<Looked>>>> = OnceLock::new();
    let journal = JOURNAL.get_or_init(|| supervisor::journal().map(Arc::new)).clone();
    if let Some(journal) = journal.as_ref().filter(|journal| journal.failed(&Unit::Exploration).is_none()) {
        journal.begins(Unit::Exploration, true);
    }
    let fail = |death: Death| {
        let code = if matches!(death, Death::Memory(_) | Death::Time) { UNDECIDED } else { OUR_FAILURE };
        console::report(&supervisor::failure(death), console::Color::choose(When::Never));
        std::process::exit(code);
    };
    let memory_full = supervisor::watch_limits(bounds.memory, bounds.timeout, journal.clone(), fail);
    Ok(Options { journal, ..options_within(bounds, rounds, jobs, interrupt, memory_full)? })
}

/// Exit codes of a process that comes to its limits, and of one that fails.
const UNDECIDED: i32 = 3;
const OUR_FAILURE: i32 = 70;

/// The same; somebody else sees to the memory, and says when it is full.
pub(super) fn options_within(
    bounds: &Bounds,
    rounds: u32,
    jobs: usize,
    interrupt: Arc<AtomicBool>,
    memory_full: Interrupt,
) -> Result<Options, Failure> {
    let time = bounds.timeout;
    let explore = explore::options::Options {
        order: match bounds.order {
            SearchOrder::Dfs => Order::DepthFirst,
            SearchOrder::Bfs => Order::BreadthFirst,
            SearchOrder::Random => Order::Random(bounds.seed),
            SearchOrder::Coverage => Order::Coverage,
        },
        unwind: Some(bounds.unwind.unwrap_or(rounds)),
        max_steps: bounds.steps,
        max_paths: bounds.paths.unwrap_or(u64::MAX),
        deadline: time.and_then(|time| Instant::now().checked_add(time)),
        memory_full,
        jobs,
        interrupt,
        ..explore::options::Options::default()
    };
    let limits = smt::solver::Limits { interrupt: flag(&explore.interrupt), memory_full, ..explore.limits };
    let solver = match &bounds.solver {
        Some(command) => Some(
            shlex::split(command)
                .filter(|words| !words.is_empty())
                .ok_or_else(|| Failure::usage("--solver: not a command".to_owned(), None))?,
        ),
        None => None,
    };
    let record = bounds.smt2.clone();
    if let Some(dir) = &record {
        Record::new(dir)
            .map_err(|error| Failure::usage(format!("cannot write to {}: {error}", dir.display()), None))?;
    }
    let chain = move || {
        let mut chain = Chain::standard(limits);
        chain.record = record.as_ref().and_then(|dir| Record::new(dir).ok());
        if let Some(command) = &solver {
            chain.add(Box::new(smt::solver::process::ProcessSolver::new(command.clone(), Duration::from_secs(30))));
        }
        chain
    };
    Ok(Options { explore, chain: Box::new(chain), ..Options::default() })
}

/// What `main` is given; `None` if another function is the entry.
pub(super) fn shell(module: &Module, function: FuncId, args: &ShellArgs) -> Result<Option<Shell>, Failure> {
    if module.function_name(function) != "main" {
        let given = !args.argv.is_empty() || args.stdin > 0 || args.stdin_file.is_some() || !args.files.is_empty();
        if given {
            let message = "--argv, --stdin and --file are for `main`".to_owned();
            return Err(Failure::usage(message, Some("leave them out, or choose main".to_owned())));
        }
        return Ok(None);
    }
    let mut shell = Shell { argv: vec![Bytes::Known(b"program".to_vec())], ..Shell::default() };
    for arg in &args.argv {
        match arg.split_once('x').and_then(|(count, size)| Some((count.parse::<u64>().ok()?, size.parse().ok()?))) {
            Some((count, size)) => shell.argv.extend((0..count.min(64)).map(|_| Bytes::Unknown(size))),
            None => shell.argv.push(Bytes::Known(arg.clone().into_bytes())),
        }
    }
    let read = |path: &Path| {
        std::fs::read(path).map_err(|error| Failure::usage(format!("cannot read {}: {error}", path.display()), None))
    };
    shell.stdin = match &args.stdin_file {
        Some(path) => Bytes::Known(read(path)?),
        None => Bytes::Unknown(args.stdin),
    };
    for file in &args.files {
        let Some((name, contents)) = file.split_once('=') else {
            return Err(Failure::usage(format!("--file {file}: expected NAME=BYTES or NAME=@PATH"), None));
        };
        let bytes = match contents.strip_prefix('@') {
            Some(path) => Bytes::Known(read(path.as_ref())?),
            None => Bytes::Unknown(
                contents.parse().map_err(|_| Failure::usage(format!("--file {file}: not a number of bytes"), None))?,
            ),
        };
        shell.files.push((name.to_owned(), bytes));
    }
    Ok(Some(shell))
}

/// Runs something long; on a terminal it shows how far it is.
pub(super) fn watch<T>(options: &Options, work: impl FnOnce() -> T) -> T {
    if !console::is_watched() {
        return work();
    }
    let done = Arc::new(AtomicBool::new(false));
    let (progress, finished) = (options.explore.progress.clone(), done.clone());
    let started = Instant::now();
    let watcher = std::thread::spawn(move || {
        while !finished.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(100));
            let (paths, open) = (progress.paths.load(Ordering::Relaxed), progress.open.load(Ordering::Relaxed));
            let seconds = started.elapsed().as_secs_f64();
            if seconds > 0.5 {
                console::show_progress(&format!("{paths} paths, {open} open, {seconds:.1} s"));
            }
        }
        console::show_progress("");
    });
    let result = work();
    done.store(true, Ordering::Relaxed);
    let _ = watcher.join();
    result
}
