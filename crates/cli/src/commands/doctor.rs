//! `pathshift doctor`.

use crate::args::{Doctor, DoctorFormat};
use crate::console::{Failure, write_stdout};
use crate::environment;
use report::doctor::{Found, SCHEMA, Tool};
use report::escape::Syntax;
use std::process::ExitCode;

/// Shows what is installed. Missing tools are a result, not a failure.
pub fn run(args: &Doctor) -> Result<ExitCode, Failure> {
    let items = build::doctor::survey(&environment::machine())?;
    let tools: Vec<Tool> = items.into_iter().map(describe).collect();
    let result = report::doctor::Doctor {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION").to_string(),
        ready: tools.iter().all(|tool| !tool.required || !tool.found.is_empty()),
        tools,
    };
    let text = match args.format {
        DoctorFormat::Text => report::doctor::write(&result),
        DoctorFormat::Json => report::json(&result).map_err(|error| Failure::Internal(error.into()))?,
    };
    let syntax = match args.format {
        DoctorFormat::Text => Syntax::Text,
        DoctorFormat::Json => Syntax::Json,
    };
    write_stdout(&text, syntax)?;
    Ok(ExitCode::SUCCESS)
}

fn describe(item: build::doctor::Item) -> Tool {
    Tool {
        name: item.name.to_string(),
        purpose: item.purpose.to_string(),
        required: item.required,
        found: item
            .found
            .into_iter()
            .map(|tool| Found {
                path: tool.path.display().to_string(),
                version: tool.version.map(|version| version.to_string()),
            })
            .collect(),
        install: item.install.to_string(),
    }
}
