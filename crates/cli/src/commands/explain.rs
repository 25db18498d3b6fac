//! `pathshift explain`.

use super::explore::{choose, options, program_options, shell};
use crate::args::{Explain, ExplainWith, Format};
use crate::console::Failure;
use crate::{environment, output};
use compare::explain::{ExplainError, Options, Test, With};
use exec::entry::Bytes;
use ir::module::Module;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// Explains why a test fails.
pub fn run(args: &Explain) -> Result<ExitCode, Failure> {
    let build = environment::options(&args.build, &[&args.old, &args.new])?;
    let load = |path: &Path| -> Result<Module, Failure> {
        let mut built = build::load(path, &build, &environment::machine())?;
        if build.cancel.load(Ordering::Relaxed) {
            return Err(build::BuildError::Cancelled.into());
        }
        ir::promote::promote(&mut built.module);
        Ok(built.module)
    };
    let (old, new) = (load(&args.old)?, load(&args.new)?);
    let function = args.function.as_deref();
    let entries = (choose(&old, function)?, choose(&new, function)?);
    let test = match shell(&new, entries.1, &args.shell)? {
        Some(mut shell) => {
            if shell.argv.iter().any(|arg| matches!(arg, Bytes::Unknown(_)))
                || matches!(shell.stdin, Bytes::Unknown(1..))
            {
                let help = Some("give the arguments as they are, and --stdin-file FILE".to_owned());
                return Err(Failure::usage("a test has no unknown bytes".to_owned(), help));
            }
            if matches!(shell.stdin, Bytes::Unknown(_)) {
                shell.stdin = Bytes::Known(Vec::new());
            }
            Test::Shell(shell)
        }
        None => Test::Named(args.given.iter().map(|given| value(given)).collect::<Result<_, _>>()?),
    };
    let exploring = options(&args.bounds, 1, build.cancel.clone())?;
    let options = Options {
        explore: explore::options::Options { unwind: None, ..exploring.explore },
        program: program_options(&args.bounds),
        chain: exploring.chain,
        with: match args.with {
            ExplainWith::Path => With::Path,
            ExplainWith::Slice => With::Slice,
            ExplainWith::Impacted => With::Impacted,
        },
    };
    let explanation = compare::explain::explain(&old, &new, entries, &test, &options).map_err(|error| {
        let help = match &error {
            ExplainError::Same(_) => Some("a test to be explained passes on the first version and fails on the second"),
            ExplainError::Unknown(_) => Some("names are those that `pathshift explore` shows"),
            _ => None,
        };
        Failure::usage(error.to_string(), help.map(str::to_owned))
    })?;
    output::write(args.output.as_deref(), |out| match args.format {
        Format::Text => out.write_all(report::explain::text(&explanation).as_bytes()),
        Format::Json => report::write_json(&explanation, out),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// `name=value`.
fn value(given: &str) -> Result<(String, i128), Failure> {
    let wrong = || {
        let help = Some("write NAME=NUMBER, such as `x=-3`, or NAME='c'".to_owned());
        Failure::usage(format!("--given {given}: not a value"), help)
    };
    let (name, text) = given.rsplit_once('=').ok_or_else(wrong)?;
    let text = text.trim();
    let value = match (text.strip_prefix("0x"), text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''))) {
        (Some(digits), _) => i128::from_str_radix(digits, 16).ok(),
        (_, Some(character)) => match character.as_bytes() {
            [byte] => Some(i128::from(*byte)),
            _ => None,
        },
        _ => text.parse().ok(),
    };
    Ok((name.trim().to_owned(), value.ok_or_else(wrong)?))
}
