//! `pathshift diff`.

use super::explore::{options, program_options, replay_build, wants_checks};
use crate::args::{Diff, DiffFormat};
use crate::console::{Failure, write_stdout};
use crate::environment;
use compare::{find, replay};
use report::diff::Verdict;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Seconds for a function unless something else is said.
const SECONDS: f64 = 60.0;

/// Compares two versions.
pub fn run(args: &Diff) -> Result<ExitCode, Failure> {
    let build = environment::options(&args.build, &[&args.old, &args.new])?;
    let machine = environment::machine();
    let load = |path| -> Result<ir::module::Module, Failure> {
        let mut built = build::load(path, &build, &machine)?;
        if build.cancel.load(Ordering::Relaxed) {
            return Err(build::BuildError::Cancelled.into());
        }
        ir::promote::promote(&mut built.module);
        Ok(built.module)
    };
    let (old, new) = (load(&args.old)?, load(&args.new)?);
    let mut functions = Vec::new();
    for name in &args.functions {
        functions.extend(find::functions(&new, name).map_err(super::ir::not_found)?);
    }
    let exploring = options(&args.bounds, 1, build.cancel.clone())?.with_store(super::store::open(&args.store));
    let replaying =
        replay::Options { build: replay_build(&build), checks: wants_checks(&args.bounds), ..Default::default() };
    let seconds = args.bounds.timeout.unwrap_or(SECONDS);
    let options = compare::diff::Options {
        explore: exploring.explore,
        chain: exploring.chain,
        program: program_options(&args.bounds),
        time: Duration::try_from_secs_f64(seconds)
            .map_err(|_| Failure::usage("--time: not a number of seconds".to_owned(), None))?,
        functions,
        replay: (!args.no_replay)
            .then_some((replaying, replay::Limits { jobs: build.jobs, ..replay::Limits::default() })),
    };
    let shows = std::io::stderr().is_terminal();
    let watch = |done: usize, all: usize, next: &str| {
        if shows {
            let _ = write!(std::io::stderr(), "\r\x1b[K{done} of {all} functions, now {next}");
        }
    };
    let diff = compare::diff::diff(&old, &new, &options, &machine, watch);
    if shows {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
    let text = match args.format {
        DiffFormat::Text => report::diff::text(&diff),
        DiffFormat::Json => report::json(&diff).map_err(|error| Failure::Internal(error.into()))?,
    };
    match &args.output {
        None => write_stdout(&text)?,
        Some(path) => std::fs::write(path, &text)
            .map_err(|error| Failure::usage(format!("cannot write {}: {error}", path.display()), None))?,
    }
    Ok(match diff.verdict {
        Verdict::Different => ExitCode::from(1),
        Verdict::Undecided if !args.allow_undecided => ExitCode::from(3),
        _ => ExitCode::SUCCESS,
    })
}
