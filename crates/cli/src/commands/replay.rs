//! `pathshift replay`.

use crate::args::{Format, Replay};
use crate::console::{Failure, write_stdout};
use crate::environment;
use compare::replay::{self, Limits, Options};
use std::process::ExitCode;

/// Replays a suite.
pub fn run(args: &Replay) -> Result<ExitCode, Failure> {
    let build = environment::options(&args.build, &[&args.input])?;
    let machine = environment::machine();
    let mut built = build::load(&args.input, &build, &machine)?;
    ir::promote::promote(&mut built.module);
    let options = Options { build: build.clone(), ..Options::default() };
    let limits = Limits { jobs: build.jobs, ..Limits::default() };
    let report = replay::replay_suite(&args.suite, &built.module, &options, &limits, &machine)
        .map_err(|error| Failure::usage(error.to_string(), None))?;
    let text = match args.format {
        Format::Text => report::replay::write(&report),
        Format::Json => report::json(&report).map_err(|error| Failure::Internal(error.into()))?,
    };
    match &args.output {
        None => write_stdout(&text)?,
        Some(path) => std::fs::write(path, &text)
            .map_err(|error| Failure::usage(format!("cannot write {}: {error}", path.display()), None))?,
    }
    Ok(ExitCode::from(u8::from(report.disagreed > 0)))
}
