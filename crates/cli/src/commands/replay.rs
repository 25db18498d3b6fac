//! `pathshift replay`.

use super::tests::suite_failure;
use crate::args::{Format, Replay};
use crate::console::Failure;
use crate::{environment, output};
use build::ExitClass;
use compare::replay::{self, Limits, Options};
use compare::suite::Tests;
use report::replay::{Replay as Report, RunState};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// Replays a suite.
pub fn run(args: &Replay) -> Result<ExitCode, Failure> {
    // Building takes time: what is wrong with the suite is said before.
    let mut tests = Tests::open(&args.suite).map_err(suite_failure)?;
    tests.try_for_each(|test| test.map(drop)).map_err(suite_failure)?;
    let build = environment::options(&args.build, &[&args.input])?;
    let machine = environment::machine();
    let mut built = build::load(&args.input, &build, &machine)?;
    ir::promote::promote(&mut built.module);
    let options = Options { build: build.clone(), ..Options::default() };
    let limits = Limits { jobs: build.jobs, ..Limits::default() };
    let mut report = replay::replay_suite(&args.suite, &built.module, &options, &limits, &machine)
        .map_err(|error| Failure::usage(error.to_string(), None))?;
    let interrupted = report.run_state == RunState::Incomplete && build.cancel.load(Ordering::Relaxed);
    if interrupted {
        report.notes.push("interrupted".to_owned());
    }
    let text = match args.format {
        Format::Text => report::replay::write(&report),
        Format::Json => report::json(&report).map_err(|error| Failure::Internal(error.into()))?,
    };
    output::write(args.output.as_deref(), args.format.syntax(), |out| out.write_all(text.as_bytes()))?;
    Ok(ExitCode::from(if interrupted { ExitClass::Interrupted.code() } else { code(&report) }))
}

fn code(report: &Report) -> u8 {
    match report.run_state {
        _ if report.disagreed > 0 => 1,
        RunState::Complete => 0,
        RunState::Incomplete => 3,
    }
}
