//! `pathshift signature`.

use super::explore::{FEW_ROUNDS, choose, criterion, options, program_options, shell};
use crate::args::{Format, Signature};
use crate::console::Failure;
use crate::{environment, output};
use compare::signature::Versions;
use exec::entry::Entry;
use exec::program::Program;
use report::explore::RunState;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Shows the signature of a function, or compares those of two versions.
pub fn run(args: &Signature) -> Result<ExitCode, Failure> {
    let inputs: Vec<&Path> = std::iter::once(&args.input).chain(&args.new).map(|path| path.as_path()).collect();
    let build = environment::options(&args.build, &inputs)?;
    let mut versions = Versions::default();
    let mut of = |path: &Path| -> Result<report::signature::Signature, Failure> {
        let mut built = build::load(path, &build, &environment::machine())?;
        if build.cancel.load(Ordering::Relaxed) {
            return Err(build::BuildError::Cancelled.into());
        }
        ir::promote::promote(&mut built.module);
        let function = choose(&built.module, args.function.as_deref())?;
        let shell = shell(&built.module, function, &args.shell)?;
        let program = Program::new(built.module, program_options(&args.bounds));
        let criterion = criterion(&program, function, args.criterion.as_deref())?;
        let entry = Entry { function, shell: shell.map(Arc::new) };
        let options = options(&args.bounds, FEW_ROUNDS, 1, build.cancel.clone())?;
        let versions = args.new.is_some().then_some(&mut versions);
        Ok(compare::signature::signature(&program, &entry, &criterion, &options, versions))
    };
    let first = of(&args.input)?;
    let decided = |signature: &report::signature::Signature| {
        signature.run_state == RunState::Complete && signature.undecided.is_empty()
    };
    let Some(new) = &args.new else {
        output::write(args.output.as_deref(), args.format.syntax(), |out| match args.format {
            Format::Text => out.write_all(report::signature::text(&first).as_bytes()),
            Format::Json => report::write_json(&first, out),
        })?;
        return Ok(ExitCode::from(if decided(&first) { 0 } else { 3 }));
    };
    let second = of(new)?;
    let all = decided(&first) && decided(&second);
    let compared = compare::signature::compare(first, second, versions);
    output::write(args.output.as_deref(), args.format.syntax(), |out| match args.format {
        Format::Text => out.write_all(report::signature::comparison_text(&compared).as_bytes()),
        Format::Json => report::write_json(&compared, out),
    })?;
    let differ = !(compared.moved.is_empty() && compared.removed.is_empty() && compared.added.is_empty());
    Ok(ExitCode::from(if differ {
        1
    } else if all {
        0
    } else {
        3
    }))
}
