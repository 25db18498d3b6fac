//! `pathshift tests`.

use super::explore::{MANY_ROUNDS, choose, options, program_options, shell, watch};
use super::{store, suite_bounds};
use crate::args::tests::{Common, Generate, Minimize, MinimizeBy, Show, Update};
use crate::args::{Format, Tests, TestsCommand};
use crate::console::{Failure, write_stdout};
use crate::{environment, output};
use compare::explore::Options;
use compare::find;
use compare::suite::{Header, SuiteError, Test, Tests as Suite, Writer, import, show, signature};
use compare::upkeep::{self, Updated, Version};
use exec::entry::Entry;
use exec::program::Program;
use report::explore::RunState;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

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
    ir::promote::promote(&mut built.module);
    let function = choose(&built.module, name)?;
    let shell = shell(&built.module, function, &common.shell)?;
    let (module, function) = compare::explore::with_library(built.module, function)
        .map_err(|error| Failure::Internal(anyhow::Error::new(error)))?;
    let program = Program::new(module, program_options(&common.bounds));
    Ok(Loaded { program, entry: Entry { function, shell: shell.map(Arc::new) } })
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
    let of: Vec<String> = of.iter().map(|&id| ir::demangle::function_display_name(module, id)).collect();
    let of = of.join("`, `");
    Err(Failure::usage(
        format!("{} has tests of `{of}`, and `{wanted}` is another function", suite.display()),
        Some("name another folder, or leave out --function".to_owned()),
    ))
}

/// Lets all tests be among what `main` is given, if nobody said what that is.
fn make_room(loaded: &mut Loaded, common: &Common, tests: &[Test]) {
    if loaded.entry.shell.is_some() && !suite_bounds::is_given(&common.shell) {
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
    let build = environment::options(&common.build, &[&args.input])?;
    let loaded = load(&args.input, common.function.as_deref(), common, &build)?;
    let options = Options { resume: args.resume, ..prepare(common, &build)? };
    let name = args.suite.display().to_string();
    let mut updated = watch(&options, || upkeep::generate(loaded.version(), &options, name));
    offer_to_go_on(&mut updated, &options);
    write(&args.suite, &loaded, common, &mut updated, &options)?;
    finish(&updated, common, &options)
}

fn update(args: &Update) -> Result<ExitCode, Failure> {
    // What an update that was cut short began with.
    let before = args.suite.join(BEFORE);
    let source = if args.resume && before.is_file() { &before } else { &args.suite };
    let known = Suite::open(source).ok().map(|suite| suite.header);
    let common = &as_made(&args.common, known.as_ref());
    let build = environment::options(&common.build, &[&args.old, &args.new])?;
    // Renamed functions keep their tests only if the user says what they are called now.
    let name_before = known.as_ref().map(|header| header.entry.as_str()).or(common.function.as_deref());
    let mut old = load(&args.old, name_before, common, &build)?;
    is_of(&args.suite, known.as_ref(), &old, &args.common)?;
    let mut new = load(&args.new, common.function.as_deref(), common, &build)?;
    let options = Options { resume: args.resume, ..prepare(common, &build)? };
    let (mut tests, digest) = read(source, &old)?;
    make_room(&mut old, common, &tests);
    make_room(&mut new, common, &tests);
    if known.is_none() {
        upkeep::follow_inputs(old.version(), &mut tests, &options);
    }
    let suite = upkeep::Suite { digest, tests: &tests, name: args.suite.display().to_string() };
    let work = || upkeep::update(Some(old.version()), new.version(), &suite, &options, options.store.as_ref());
    let mut updated = watch(&options, work);
    offer_to_go_on(&mut updated, &options);
    if !args.dry_run {
        let cut_short = updated.ledger.run_state == RunState::Incomplete;
        if cut_short && source != &before && digest.is_some() {
            let kept = std::fs::copy(args.suite.join(compare::suite::FILE), &before);
            kept.map_err(|error| Failure::usage(format!("cannot write {}: {error}", before.display()), None))?;
        }
        write(&args.suite, &new, common, &mut updated, &options)?;
        if !cut_short {
            // It is of no use any more; should it stay, a later update that is cut short replaces it.
            let _ = std::fs::remove_file(&before);
        }
    }
    finish(&updated, common, &options)
}

/// The suite that an update began with which was cut short, for the one that goes on with it.
const BEFORE: &str = "tests.before-update.txt";

fn minimize(args: &Minimize) -> Result<ExitCode, Failure> {
    let known = Suite::open(&args.suite).ok().map(|suite| suite.header);
    let common = &as_made(&args.common, known.as_ref());
    let build = environment::options(&common.build, &[&args.input])?;
    let mut loaded = load(&args.input, common.function.as_deref(), common, &build)?;
    is_of(&args.suite, known.as_ref(), &loaded, &args.common)?;
    let options = prepare(common, &build)?;
    let (tests, _) = read(&args.suite, &loaded)?;
    make_room(&mut loaded, common, &tests);
    let suite = upkeep::Suite { digest: None, tests: &tests, name: args.suite.display().to_string() };
    let mut updated = watch(&options, || {
        let mut updated = upkeep::minimize(loaded.version(), &suite, &options);
        if args.by == MinimizeBy::Output {
            upkeep::alike::drop_alike(loaded.version(), &mut updated, &options);
        }
        updated
    });
    if !args.dry_run {
        write(&args.suite, &loaded, common, &mut updated, &options)?;
    }
    finish(&updated, common, &options)
}

fn show_suite(args: &Show) -> Result<ExitCode, Failure> {
    let suite = Suite::open(&args.suite).map_err(suite_failure)?;
    let header = suite.header.clone();
    let mut out = format!("tests of {}\n", header.entry);
    for (number, test) in suite.enumerate() {
        out.push_str(&format!("{:>6}  {}\n", number + 1, show::test(&header, &test.map_err(suite_failure)?)));
    }
    write_stdout(&out)?;
    Ok(ExitCode::SUCCESS)
}

/// The tests of a folder, whatever their form, and their digest if they have our form.
fn read(dir: &Path, loaded: &Loaded) -> Result<(Vec<Test>, Option<u128>), Failure> {
    if dir.is_file() || dir.join(compare::suite::FILE).exists() {
        let mut suite = Suite::open(dir).map_err(suite_failure)?;
        let tests = suite.by_ref().collect::<Result<_, _>>().map_err(suite_failure)?;
        return Ok((tests, Some(suite.digest)));
    }
    let module = &loaded.program.module;
    let imported = import::folder(dir, module, loaded.entry.function, loaded.entry.shell.as_deref());
    let inputs = imported.map_err(|message| Failure::usage(message, None))?;
    Ok((inputs.into_iter().map(Test::of_input).collect(), None))
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
    if let (Some(store), Some(tree)) = (&options.store, &updated.tree) {
        let key = upkeep::tree_key(loaded.version(), options);
        if let Err(error) = store.put_tree(key, &header.entry, Some(digest), tree) {
            updated.ledger.notes.push(error.to_string());
        }
    }
    Ok(())
}

fn finish(updated: &Updated, common: &Common, options: &Options) -> Result<ExitCode, Failure> {
    store::finish(options.store.as_ref());
    let ledger = &updated.ledger;
    output::write(common.output.as_deref(), |out| match common.format {
        Format::Text => out.write_all(report::ledger::text(ledger).as_bytes()),
        Format::Json => report::write_json(ledger, out),
    })?;
    let decided = ledger.run_state == RunState::Complete && ledger.undecided.is_empty();
    Ok(ExitCode::from(if decided { 0 } else { 3 }))
}

/// Says that not every path was looked at, and how to go on.
fn offer_to_go_on(updated: &mut Updated, options: &Options) {
    if updated.ledger.run_state == RunState::Incomplete {
        let how = if options.store.is_some() { ": the same command with --resume goes on from here" } else { "" };
        updated.ledger.notes.push(format!("cut short, other paths may be missing{how}"));
    }
}

fn suite_failure(error: SuiteError) -> Failure {
    Failure::usage(error.to_string(), error.help().map(str::to_owned))
}
