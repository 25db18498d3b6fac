//! `pathshift explain`.

use super::explore::{FEW_ROUNDS, options, program_options, shell};
use crate::args::{Explain, ExplainWith, Format};
use crate::console::Failure;
use crate::{environment, output};
use compare::explain::{Expected, ExplainError, Number, Options, Part, Test, With, explain_of_suite, unescaped};
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
            let expected = match &args.expect {
                Some(text) => {
                    Expected::Result(number(text).ok_or_else(|| not_a_value("--expect", text))?, text.clone())
                }
                None => Expected::Nothing,
            };
            compare::explain::explain(&old, &new, entries, (&test, &expected), &options).map_err(failure)?
        }
    };
    output::write(args.output.as_deref(), args.format.syntax(), |out| match args.format {
        Format::Text => out.write_all(report::explain::text(&explanation).as_bytes()),
        Format::Json => report::write_json(&explanation, out),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The test that the command line describes.
fn given_test(new: &Module, entry: FuncId, args: &Explain) -> Result<Test, Failure> {
    let Some(mut shell) = shell(new, entry, &args.shell)? else {
        let parts: Result<Vec<Vec<Part>>, Failure> = args.given.iter().map(|given| parts(given)).collect();
        return Ok(Test::Named(parts?.concat()));
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
        ExplainError::BothFail { .. } => {
            "a test to be explained passes on one of the versions; does it expect the right thing?".to_owned()
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

/// The function of that name. This command cannot list functions, but another one does.
fn choose(module: &Module, name: Option<&str>) -> Result<FuncId, Failure> {
    let is_missing =
        compare::find::functions(module, name.unwrap_or("main")).is_err_and(|error| error.similar.is_empty());
    match super::explore::choose(module, name) {
        Err(Failure::Usage { message, .. }) if is_missing => {
            let help = "name a function with --function; `pathshift ir FILE --summary` lists them".to_owned();
            Err(Failure::usage(message, Some(help)))
        }
        chosen => chosen,
    }
}

/// `name=value`. A text is one part for each of its bytes.
fn parts(given: &str) -> Result<Vec<Part>, Failure> {
    let wrong = || not_a_value("--given", given);
    let (name, text) = split(given).ok_or_else(wrong)?;
    let (name, text) = (name.trim(), text.trim());
    let part =
        |name: String, value: Number, text: &str, optional: bool| Part { name, value, text: text.to_owned(), optional };
    let Some(quoted) = text.strip_prefix('"') else {
        return Ok(vec![part(name.to_owned(), number(text).ok_or_else(wrong)?, text, false)]);
    };
    let bytes = quoted.strip_suffix('"').and_then(unescaped).ok_or_else(wrong)?;
    let byte = |(at, byte): (usize, &u8)| {
        part(format!("{name}[{at}]"), Number::Integer((*byte).into()), &byte.to_string(), false)
    };
    let mut parts: Vec<Part> = bytes.iter().enumerate().map(byte).collect();
    // Of texts that do not end with a zero the length is a part.
    let (length, shown) = (Number::Integer(bytes.len() as i128), bytes.len().to_string());
    for name in [format!("{name}.len()"), format!("{name}.size()")] {
        parts.push(part(name, length, &shown, true));
    }
    Ok(parts)
}

/// Name and value: the last `=` that is in no text.
fn split(given: &str) -> Option<(&str, &str)> {
    match given.find('"') {
        Some(quote) => {
            let at = given[..quote].rfind('=')?;
            Some((&given[..at], &given[at + 1..]))
        }
        // The value may be the character itself.
        None if given.ends_with("'='") => given.strip_suffix("='='").map(|name| (name, "'='")),
        None => given.rsplit_once('='),
    }
}

fn not_a_value(option: &str, given: &str) -> Failure {
    let help = Some("write NUMBER, 0xBITS, 'c', true, false, NULL or, for --given, \"text\", such as x=-3".to_owned());
    Failure::usage(format!("{option} {given}: not a value"), help)
}

/// A value, written as `explore` and `explain` show it.
fn number(text: &str) -> Option<Number> {
    match text {
        "true" => return Some(Number::Integer(1)),
        "false" | "NULL" => return Some(Number::Integer(0)),
        "any memory" => return Some(Number::Integer(1)),
        "inf" => return Some(Number::Float(f64::INFINITY)),
        "-inf" => return Some(Number::Float(f64::NEG_INFINITY)),
        "NaN" => return Some(Number::Float(f64::NAN)),
        _ => {}
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return u128::from_str_radix(digits, 16).ok().map(Number::Raw);
    }
    if let Some(quoted) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        if let [byte] = unescaped(quoted)?.as_slice() {
            return Some(Number::Integer((*byte).into()));
        }
        let mut characters = quoted.chars();
        let character = characters.next()?;
        return characters.next().is_none().then(|| Number::Integer(i128::from(u32::from(character))));
    }
    let is_float = text.starts_with(|c: char| c.is_ascii_digit() || c == '-') && text.contains(['.', 'e']);
    let float = || text.parse().ok().filter(|_| is_float).map(Number::Float);
    text.parse().ok().map(Number::Integer).or_else(float)
}

#[cfg(test)]
mod tests {
    use super::{number, parts};
    use compare::explain::Number;

    #[test]
    fn values_are_read_as_they_are_shown() {
        for (text, value) in [
            ("-3", Some(Number::Integer(-3))),
            ("0x1f", Some(Number::Raw(31))),
            ("'c'", Some(Number::Integer(99))),
            ("'\\n'", Some(Number::Integer(10))),
            ("'\\''", Some(Number::Integer(39))),
            ("'é'", Some(Number::Integer(233))),
            ("true", Some(Number::Integer(1))),
            ("NULL", Some(Number::Integer(0))),
            ("1.5", Some(Number::Float(1.5))),
            ("1e300", Some(Number::Float(1e300))),
            ("three", None),
            ("", None),
        ] {
            assert_eq!(number(text), value, "{text}");
        }
    }

    #[test]
    fn a_text_is_its_bytes() {
        let names = |given: &str| -> Vec<String> {
            parts(given).map_or(Vec::new(), |parts| parts.into_iter().map(|part| part.name).collect())
        };
        assert_eq!(names("s = \"a=\""), ["s[0]", "s[1]", "s.len()", "s.size()"]);
        assert_eq!(names("c='='"), ["c"]);
        assert_eq!(names("c"), [""; 0]);
    }
}
