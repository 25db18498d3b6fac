//! `pathshift explain`.

use super::explore::{FEW_ROUNDS, choose, options, program_options, shell};
use crate::args::{Explain, ExplainWith, Format};
use crate::console::Failure;
use crate::{environment, output};
use compare::explain::{ExplainError, Options, Test, With, explain_of_suite};
use compare::impacted::suite::About;
use exec::entry::Bytes;
use ir::id::FuncId;
use ir::module::Module;
use report::explain::Explanation;
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
    let exploring = options(&args.bounds, FEW_ROUNDS, 1, build.cancel.clone())?;
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
    let explanation = match &args.test {
        Some(test) => explain_suite(&old, &new, test, args.function.as_deref(), &options)?,
        None => {
            let function = args.function.as_deref();
            let entries = (choose(&old, function)?, choose(&new, function)?);
            let test = given_test(&new, entries.1, args)?;
            compare::explain::explain(&old, &new, entries, &test, &options).map_err(failure)?
        }
    };
    output::write(args.output.as_deref(), |out| match args.format {
        Format::Text => out.write_all(report::explain::text(&explanation).as_bytes()),
        Format::Json => report::write_json(&explanation, out),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The test that the command line describes.
fn given_test(new: &Module, entry: FuncId, args: &Explain) -> Result<Test, Failure> {
    let Some(mut shell) = shell(new, entry, &args.shell)? else {
        return Ok(Test::Named(args.given.iter().map(|given| value(given)).collect::<Result<_, _>>()?));
    };
    if shell.argv.iter().any(|arg| matches!(arg, Bytes::Unknown(_))) || matches!(shell.stdin, Bytes::Unknown(1..)) {
        let help = Some("give the arguments as they are, and --stdin-file FILE".to_owned());
        return Err(Failure::usage("a test has no unknown bytes".to_owned(), help));
    }
    if matches!(shell.stdin, Bytes::Unknown(_)) {
        shell.stdin = Bytes::Known(Vec::new());
    }
    Ok(Test::Shell(shell))
}

/// Explains the test of a suite that was asked for, or the first one on which the versions differ.
fn explain_suite(
    old: &Module,
    new: &Module,
    test: &str,
    function: Option<&str>,
    options: &Options,
) -> Result<Explanation, Failure> {
    let (dir, number) = match test.rsplit_once(':') {
        Some((dir, digits)) if !Path::new(test).exists() => match digits.parse::<usize>() {
            Ok(number) => (dir, Some(number)),
            Err(_) => (test, None),
        },
        _ => (test, None),
    };
    let about = About { function: function.map(str::to_owned), ..About::default() };
    let suite = compare::impacted::suite::read(new, Path::new(dir), &about).map_err(|error| {
        Failure::usage(error.to_string(), Some("a suite is what `explore --suite` writes".to_owned()))
    })?;
    let name = new.function_name(suite.entry);
    explain_of_suite(old, new, (choose(old, Some(name))?, &suite), number, options).map_err(failure)
}

fn failure(error: ExplainError) -> Failure {
    let help = match &error {
        ExplainError::Same(_) => {
            "a test to be explained passes on the first version and fails on the second".to_owned()
        }
        ExplainError::Unknown(_) => "names are those that `pathshift explore` shows".to_owned(),
        ExplainError::NoTest { tests, .. } => format!("the suite has {tests} tests, counted from 1"),
        ExplainError::SameWhereFollowed { .. } => {
            "`pathshift tests replay` runs tests natively; `explore --help` lists bounds that may be too small"
                .to_owned()
        }
        ExplainError::AllSame(_) => "`pathshift diff` looks for an input on which they differ".to_owned(),
        _ => return Failure::usage(error.to_string(), None),
    };
    Failure::usage(error.to_string(), Some(help))
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
