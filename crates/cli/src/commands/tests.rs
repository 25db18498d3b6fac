//! `pathshift tests`.

use super::explore::{MANY_ROUNDS, choose, options, program_options, shell, watch};
use super::{store, suite_bounds};
use crate::args::tests::{Common, Generate, Minimize, MinimizeBy, Show, Update};
use crate::args::{Format, Tests, TestsCommand};
use crate::console::Failure;
use crate::{environment, output};
use build::{BuildError, ExitClass};
use compare::explore::Options;
use compare::find;
use compare::replay::is_made_for;
use compare::suite::{self, FILE, Header, SuiteError, Test, Tests as Suite, Writer, import, show, signature};
use compare::upkeep::{self, Updated, Version};
use exec::entry::Entry;
use exec::program::Program;
use explore::Stopped;
use ir::id::FuncId;
use report::escape::{MAX_TEXT, cut, inline};
use report::explore::RunState;
use report::ledger::{LISTING_SCHEMA, Listed, Listing, Status};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Does what was asked for.
pub fn run(args: &Tests) -> Result<ExitCode, Failure> {
    match &args.command {
        TestsCommand::Generate(args) => generate(args),
        TestsCommand::Update(args) => update(args),
        TestsCommand::Replay(args) => super::replay::run(args),
        TestsCommand::Minimize(args) => minimize(args),
        TestsCommand::Show(args) => show_suite(args),
    }
}

/// A program that is ready to be explored.
struct Loaded {
    program: Program,
    entry: Entry,
}

impl Loaded {
    fn version(&self) -> Version<'_> {
        Version { program: &self.program, entry: &self.entry }
    }

    fn header(&self) -> Header {
        signature::header(&self.program.module, self.entry.function)
    }
}

fn load(input: &Path, name: Option<&str>, common: &Common, build: &build::Options) -> Result<Loaded, Failure> {
    let mut built = build::load(input, build, &environment::machine())?;
    if build.cancel.load(Ordering::Relaxed) {
        return Err(BuildError::Cancelled.into());
    }
    ir::promote::promote(&mut built.module);
    let function = choose(&built.module, name)?;
    let shell = shell(&built.module, function, &common.shell)?;
    let (module, function) = compare::explore::with_library(built.module, function)
        .map_err(|error| Failure::Internal(anyhow::Error::new(error)))?;
    let program = Program::new(module, program_options(&common.bounds));
    Ok(Loaded { program, entry: Entry { function, shell: shell.map(Arc::new) } })
}

/// A suite of our own form.
pub(super) struct Known {
    header: Header,
    tests: Vec<Test>,
    digest: u128,
}

impl Known {
    /// The function that it is of.
    pub(super) fn entry(&self) -> &str {
        &self.header.entry
    }
}

/// Reads a suite before anything is built, for that takes time. Nothing if it is a folder of tests from elsewhere: which of
/// their inputs are whose only the program tells ([`import`]).
pub(super) fn open(suite: &Path) -> Result<Option<Known>, Failure> {
    if suite.is_file() || suite.join(FILE).exists() {
        let mut suite = Suite::open(suite).map_err(suite_failure)?;
        let tests = suite.by_ref().collect::<Result<_, _>>().map_err(suite_failure)?;
        return Ok(Some(Known { header: suite.header, tests, digest: suite.digest }));
    }
    let unusable = |message: String| {
        let help = "name a folder with tests.txt, with .ktest files, or for `main` with files that are standard input; \
                    `pathshift tests generate` makes one";
        Failure::usage(message, Some(help.to_owned()))
    };
    let files = std::fs::read_dir(suite);
    let mut files = files.map_err(|error| unusable(format!("cannot read the suite {}: {error}", suite.display())))?;
    if !files.any(|file| file.is_ok_and(|file| file.path().is_file())) {
        return Err(unusable(format!("there are no tests in {}", suite.display())));
    }
    Ok(None)
}

/// The tests of a suite, whatever their form, and their digest if they have our form.
pub(super) fn tests_of(
    suite: &Path,
    known: Option<Known>,
    program: &Program,
    entry: &Entry,
) -> Result<(Vec<Test>, Option<u128>), Failure> {
    if let Some(known) = known {
        return Ok((known.tests, Some(known.digest)));
    }
    let imported = import::folder(suite, &program.module, entry.function, entry.shell.as_deref());
    let inputs = imported.map_err(|message| Failure::usage(message, None))?;
    Ok((inputs.into_iter().map(Test::of_input).collect(), None))
}

/// The folder that a suite is to be written to.
fn folder_to_write(suite: &Path) -> Result<&Path, Failure> {
    let folder = suite::folder(suite);
    if folder.is_file() {
        let help = format!("name a folder; the suite is its file {FILE}");
        return Err(Failure::usage(format!("cannot write a suite to the file {}", folder.display()), Some(help)));
    }
    Ok(folder)
}

/// What the user wants, with what a suite was made with where nothing else is said.
fn as_made(common: &Common, suite: Option<&Header>) -> Common {
    let mut common = common.clone();
    if let Some(header) = suite {
        common.function.get_or_insert_with(|| header.entry.clone());
        suite_bounds::recall(&header.bounds, &mut common);
    }
    common
}

/// Sees to it that a suite is not taken for that of another function. A name that the version does not have is that of the
/// same function in another one.
fn is_of(suite: &Path, header: Option<&Header>, loaded: &Loaded, given: &Common) -> Result<(), Failure> {
    let (Some(header), Some(wanted)) = (header, &given.function) else { return Ok(()) };
    let module = &loaded.program.module;
    let [Ok(of), Ok(named)] = [&header.entry, wanted].map(|name| find::functions(module, name)) else { return Ok(()) };
    if named.iter().any(|id| of.contains(id)) {
        return Ok(());
    }
    Err(of_another(suite, &names(loaded, &of), wanted, "name another folder, or leave out --function"))
}

/// Sees to it that a suite is not replaced by that of another function, be it one of another program.
fn may_replace(suite: &Path, header: &Header, loaded: &Loaded, given: &Common) -> Result<(), Failure> {
    let of = find::functions(&loaded.program.module, &header.entry).unwrap_or_default();
    if of.contains(&loaded.entry.function) {
        return Ok(());
    }
    let of = if of.is_empty() { ir::demangle::demangle(&header.entry) } else { names(loaded, &of) };
    let wanted = given.function.as_deref().unwrap_or("main");
    Err(of_another(suite, &of, wanted, "name another folder, or delete the suite"))
}

pub(super) fn of_another(suite: &Path, of: &str, wanted: &str, help: &str) -> Failure {
    let message = format!("{} has tests of `{of}`, and `{wanted}` is another function", suite.display());
    Failure::usage(message, Some(help.to_owned()))
}

fn names(loaded: &Loaded, functions: &[FuncId]) -> String {
    let name = |&id: &FuncId| ir::demangle::function_display_name(&loaded.program.module, id);
    functions.iter().map(name).collect::<Vec<_>>().join("`, `")
}

/// Lets all tests be among what `main` is given, if nobody said what that is.
fn make_room(loaded: &mut Loaded, common: &Common, tests: &[Test]) {
    if loaded.entry.shell.is_some() && !suite_bounds::shell_is_given(common) {
        let shell = suite_bounds::of_tests(tests).map(Arc::new);
        loaded.entry.shell = shell.or_else(|| loaded.entry.shell.clone());
    }
}

fn prepare(common: &Common, build: &build::Options) -> Result<Options, Failure> {
    let options = options(&common.bounds, MANY_ROUNDS, build.jobs, build.cancel.clone())?;
    Ok(options.with_store(store::open(&common.store)))
}

fn generate(args: &Generate) -> Result<ExitCode, Failure> {
    let common = &args.common;
    let suite = folder_to_write(&args.suite)?;
    let is_there = suite.join(FILE).exists();
    let before = if is_there { Some(Suite::open(suite).map_err(suite_failure)?.header) } else { None };
    let build = environment::options(&common.build, &[&args.input])?;
    let loaded = load(&args.input, common.function.as_deref(), common, &build)?;
    if let Some(before) = &before {
        may_replace(suite, before, &loaded, common)?;
    }
    let options = Options { resume: args.resume, ..prepare(common, &build)? };
    let name = suite.display().to_string();
    let mut updated = watch(&options, || upkeep::generate(loaded.version(), &options, name));
    for entry in &mut updated.ledger.tests {
        "a path of its own".clone_into(&mut entry.reason);
    }
    let stopped = why_stopped(&updated, &options);
    if let Some(stopped) = stopped {
        offer_to_go_on(&mut updated, stopped, &options);
    }
    if stopped.is_some() && is_there {
        // Some of the paths are no replacement for what may be all of them.
        updated.ledger.notes.push(format!("the suite in {} is left as it was", suite.display()));
    } else {
        write(suite, &loaded, common, &mut updated, &options)?;
    }
    finish(&updated, stopped, common, &options)
}

fn update(args: &Update) -> Result<ExitCode, Failure> {
    let suite = if args.dry_run { suite::folder(&args.suite) } else { folder_to_write(&args.suite)? };
    // What an update that was cut short began with.
    let before = suite.join(BEFORE);
    let source = if args.resume && before.is_file() { &before } else { suite };
    let known = open(source)?;
    let header = known.as_ref().map(|known| &known.header);
    let common = &as_made(&args.common, header);
    let build = environment::options(&common.build, &[&args.old, &args.new])?;
    // Renamed functions keep their tests only if the user says what they are called now.
    let name_before = header.map(|header| header.entry.as_str()).or(common.function.as_deref());
    let mut old = load(&args.old, name_before, common, &build)?;
    is_of(suite, header, &old, &args.common)?;
    let mut new = load(&args.new, common.function.as_deref(), common, &build)?;
    let options = Options { resume: args.resume, ..prepare(common, &build)? };
    // Which way tests went in another version says nothing of the way that they go in this one.
    let of_another = header.is_some_and(|header| !is_made_for(header, &old.program.module));
    let (mut tests, digest) = tests_of(source, known, &old.program, &old.entry)?;
    make_room(&mut old, common, &tests);
    make_room(&mut new, common, &tests);
    if digest.is_none() || of_another {
        upkeep::follow_inputs(old.version(), &mut tests, &options);
    }
    let old_suite = upkeep::Suite { digest, tests: &tests, name: suite.display().to_string() };
    let work = || upkeep::update(Some(old.version()), new.version(), &old_suite, &options, options.store.as_ref());
    let mut updated = watch(&options, work);
    if of_another {
        let note = format!("the suite was made for another version than {}", args.old.display());
        updated.ledger.notes.push(note);
    }
    let stopped = why_stopped(&updated, &options);
    if let Some(stopped) = stopped {
        offer_to_go_on(&mut updated, stopped, &options);
    }
    if !args.dry_run {
        if stopped.is_some() && source != before && digest.is_some() {
            let kept = std::fs::copy(suite.join(FILE), &before);
            kept.map_err(|error| Failure::usage(format!("cannot write {}: {error}", before.display()), None))?;
        }
        write(suite, &new, common, &mut updated, &options)?;
    }
    finish(&updated, stopped, common, &options)
}

/// The suite that an update began with which was cut short, for the one that goes on with it.
const BEFORE: &str = "tests.before-update.txt";

/// Largest object of a test that bounds grow for, in bytes.
const LARGEST: u64 = 4096;

fn minimize(args: &Minimize) -> Result<ExitCode, Failure> {
    let suite = if args.dry_run { suite::folder(&args.suite) } else { folder_to_write(&args.suite)? };
    let known = open(suite)?;
    let header = known.as_ref().map(|known| &known.header);
    let common = &as_made(&args.common, header);
    let build = environment::options(&common.build, &[&args.input])?;
    let mut loaded = load(&args.input, common.function.as_deref(), common, &build)?;
    is_of(suite, header, &loaded, &args.common)?;
    let options = prepare(common, &build)?;
    let (tests, _) = tests_of(suite, known, &loaded.program, &loaded.entry)?;
    make_room(&mut loaded, common, &tests);
    let whole = upkeep::Suite { digest: None, tests: &tests, name: suite.display().to_string() };
    let mut updated = watch(&options, || {
        let mut updated = upkeep::minimize(loaded.version(), &whole, &options);
        if upkeep::has_larger_tests(&updated.ledger) {
            // Only tests are followed here, so larger bounds bring no other paths.
            let bounds = &mut loaded.program.options.inputs;
            let largest = tests.iter().flat_map(|test| &test.input.objects).map(|object| object.bytes.len() as u64);
            let largest = largest.max().unwrap_or(0).min(LARGEST);
            (bounds.characters, bounds.elements) = (bounds.characters.max(largest), bounds.elements.max(largest));
            updated = upkeep::minimize(loaded.version(), &whole, &options);
        }
        if args.by == MinimizeBy::Output {
            upkeep::alike::drop_alike(loaded.version(), &mut updated, &options);
        }
        updated
    });
    for entry in updated.ledger.tests.iter_mut().filter(|entry| entry.status == Status::Obsolete) {
        // Nothing changed: it always went there.
        if let Some(reason) = entry.reason.strip_suffix(" now") {
            entry.reason = reason.to_owned();
        }
    }
    let stopped = why_stopped(&updated, &options);
    if let Some(stopped) = stopped {
        updated.ledger.notes.push(format!("{}, tests that were not looked at are kept", in_words(stopped)));
    }
    if !args.dry_run {
        write(suite, &loaded, common, &mut updated, &options)?;
    }
    finish(&updated, stopped, common, &options)
}

fn show_suite(args: &Show) -> Result<ExitCode, Failure> {
    let suite = Suite::open(&args.suite).map_err(suite_failure)?;
    let header = suite.header.clone();
    let mut listing = Listing { schema: LISTING_SCHEMA, entry: header.entry.clone(), tests: Vec::new() };
    let mut text = format!("tests of {}\n", inline(&header.entry));
    for (number, test) in (1..).zip(suite) {
        let test = test.map_err(suite_failure)?;
        match args.format {
            Format::Text => {
                let line = show::test(&header, &test);
                text.push_str(&format!("{number:>6}  {}\n", inline(&cut(&line, MAX_TEXT))));
            }
            Format::Json => {
                let (input, expected) = suite::input_and_outcome(&header, &test);
                listing.tests.push(Listed { number, input, expected });
            }
        }
    }
    output::write(None, args.format.syntax(), |out| match args.format {
        Format::Text => out.write_all(text.as_bytes()),
        Format::Json => report::write_json(&listing, out),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Puts the suite in its place, and its tree of paths into the store.
fn write(
    dir: &Path,
    loaded: &Loaded,
    common: &Common,
    updated: &mut Updated,
    options: &Options,
) -> Result<(), Failure> {
    let header = Header { bounds: suite_bounds::options(&common.bounds, &common.shell), ..loaded.header() };
    let put = || -> Result<u128, SuiteError> {
        let mut writer = Writer::create(dir, header.clone())?;
        updated.tests.iter().try_for_each(|test| writer.push(test))?;
        writer.finish()
    };
    let digest = put().map_err(suite_failure)?;
    updated.ledger.written = true;
    if updated.ledger.run_state == RunState::Complete {
        // No update goes on from there any more; should it stay, a later one that is cut short replaces it.
        let _ = std::fs::remove_file(dir.join(BEFORE));
    }
    if let (Some(store), Some(tree)) = (&options.store, &updated.tree) {
        let key = upkeep::tree_key(loaded.version(), options);
        if let Err(error) = store.put_tree(key, &header.entry, Some(digest), tree) {
            updated.ledger.notes.push(error.to_string());
        }
    }
    Ok(())
}

fn finish(
    updated: &Updated,
    stopped: Option<Stopped>,
    common: &Common,
    options: &Options,
) -> Result<ExitCode, Failure> {
    store::finish(options.store.as_ref());
    let ledger = &updated.ledger;
    output::write(common.output.as_deref(), common.format.syntax(), |out| match common.format {
        Format::Text => out.write_all(report::ledger::text(ledger).as_bytes()),
        Format::Json => report::write_json(ledger, out),
    })?;
    Ok(ExitCode::from(match stopped {
        Some(Stopped::Interrupted) => ExitClass::Interrupted.code(),
        None if ledger.undecided.is_empty() => 0,
        _ => 3,
    }))
}

/// Why not every path was looked at, if not.
fn why_stopped(updated: &Updated, options: &Options) -> Option<Stopped> {
    let ledger = &updated.ledger;
    if ledger.run_state == RunState::Complete {
        return None;
    }
    let limits = &options.explore;
    // Time goes by after the exploration too, so that the number of paths is asked first.
    Some(if limits.interrupt.load(Ordering::Relaxed) {
        Stopped::Interrupted
    } else if ledger.stats.paths >= limits.max_paths {
        Stopped::Paths
    } else if limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
        Stopped::Time
    } else if limits.memory_full.is_set() {
        Stopped::Memory
    } else {
        Stopped::Lost
    })
}

/// As `explore` says it.
fn in_words(stopped: Stopped) -> &'static str {
    match stopped {
        Stopped::Interrupted => "interrupted",
        Stopped::Time => "stopped by the time limit",
        Stopped::Paths => "stopped by the limit on paths",
        Stopped::Memory => "stopped by the memory limit",
        Stopped::NoGain | Stopped::Lost => "a worker was lost (please report it)",
    }
}

/// Says that not every path was looked at, and how to go on.
fn offer_to_go_on(updated: &mut Updated, stopped: Stopped, options: &Options) {
    let how = match stopped {
        _ if options.store.is_none() => "",
        Stopped::Paths => ": the same command with --resume and more --paths goes on from here",
        _ => ": the same command with --resume goes on from here",
    };
    updated.ledger.notes.push(format!("{}, other paths may be missing{how}", in_words(stopped)));
}

pub(super) fn suite_failure(error: SuiteError) -> Failure {
    Failure::usage(error.to_string(), error.help().map(str::to_owned))
}
