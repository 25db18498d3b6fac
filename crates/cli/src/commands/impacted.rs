//! `pathshift coverage` and `pathshift select`: a suite against a change.

use super::explore::{FEW_ROUNDS, options, program_options};
use crate::args::{Bounds, Build, Coverage, Format, Select, SuiteArgs};
use crate::console::Failure;
use crate::{environment, output};
use compare::explore::Options;
use compare::impacted::suite::{About, Suite, SuiteImpactError};
use compare::impacted::{self, suite};
use compare::suite::universe::UniverseError;
use compare::suite::{SuiteError, Writer, signature};
use exec::program::Program;
use ir::module::Module;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// Measures what a suite covers of what a change affects.
pub fn coverage(args: &Coverage) -> Result<ExitCode, Failure> {
    let (old, new, options) = load(&args.old, &args.new, &args.build, &args.bounds)?;
    let suite = read(&new, &args.suite)?;
    let program = Program::new(new, program_options(&args.bounds));
    let coverage = impacted::coverage(&old, &program, &suite, &options);
    output::write(args.output.as_deref(), args.format.syntax(), |out| match args.format {
        Format::Text => out.write_all(report::impacted::coverage_text(&coverage).as_bytes()),
        Format::Json => report::write_json(&coverage, out),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Says which tests of a suite are to be run after a change, and which to add.
pub fn select(args: &Select) -> Result<ExitCode, Failure> {
    let (old, new, options) = load(&args.old, &args.new, &args.build, &args.bounds)?;
    let suite = read(&new, &args.suite)?;
    let (old, new) =
        (Program::new(old, program_options(&args.bounds)), Program::new(new, program_options(&args.bounds)));
    let (selection, added) = impacted::select(&old, &new, &suite, &options);
    if let Some(dir) = &args.add {
        let write = || -> Result<u128, SuiteError> {
            let mut writer = Writer::create(dir, signature::header(&new.module, suite.entry))?;
            added.iter().try_for_each(|test| writer.push(test))?;
            writer.finish()
        };
        write().map_err(|error| Failure::usage(error.to_string(), error.help().map(str::to_owned)))?;
    }
    output::write(args.output.as_deref(), args.format.syntax(), |out| match args.format {
        Format::Text => out.write_all(report::impacted::selection_text(&selection).as_bytes()),
        Format::Json => report::write_json(&selection, out),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn load(old: &Path, new: &Path, build: &Build, bounds: &Bounds) -> Result<(Module, Module, Options), Failure> {
    let build = environment::options(build, &[old, new])?;
    let machine = environment::machine();
    let load = |path: &Path| -> Result<Module, Failure> {
        let mut built = build::load(path, &build, &machine)?;
        if build.cancel.load(Ordering::Relaxed) {
            return Err(build::BuildError::Cancelled.into());
        }
        ir::promote::promote(&mut built.module);
        exec::models::prelude::link(built.module).map_err(|error| Failure::Internal(anyhow::Error::new(error)))
    };
    let (old, new) = (load(old)?, load(new)?);
    Ok((old, new, options(bounds, FEW_ROUNDS, build.jobs, build.cancel.clone())?))
}

fn read(module: &Module, args: &SuiteArgs) -> Result<Suite, Failure> {
    let about = About { function: args.function.clone(), arguments: args.argv.clone(), cwd: args.cwd.clone() };
    suite::read(module, &args.suite, &about).map_err(|error| {
        let help = match &error {
            SuiteImpactError::Suite(error) => error.help().map(str::to_owned),
            SuiteImpactError::NoFunction(_) => Some("for instance: --function parse".to_owned()),
            SuiteImpactError::Empty(_) => Some("`pathshift explore --suite DIR` writes a suite".to_owned()),
            SuiteImpactError::Universe(UniverseError::Line { .. }) if args.cwd.is_none() => {
                Some("files are looked for beside the suite; `--cwd DIR` says where the tests run".to_owned())
            }
            SuiteImpactError::DoesNotFit { .. } => {
                Some("the parameters of the function changed: make new tests with `pathshift explore`".to_owned())
            }
            _ => None,
        };
        Failure::usage(error.to_string(), help)
    })
}
