//! Bounds that a suite was made within. They are part of the suite, so that whoever updates it need not repeat them; for
//! tests that come from elsewhere they are made as large as the tests.

use crate::args::tests::Common;
use crate::args::{Bounds, Check, ShellArgs};
use compare::suite::Test;
use exec::entry::{Bytes, Shell};

/// Bounds other than the usual ones, as options of the command line.
pub fn options(bounds: &Bounds, shell: &ShellArgs) -> Vec<String> {
    let mut options = Vec::new();
    let mut add = |name: &str, value: String| options.push(format!("--{name}={value}"));
    let usual = Usual::default();
    if let Some(unwind) = bounds.unwind {
        add("unwind", unwind.to_string());
    }
    for (name, value, usual) in [
        ("string", bounds.string, usual.string),
        ("elements", bounds.elements, usual.elements),
        ("depth", u64::from(bounds.depth), usual.depth),
        ("calls", bounds.calls as u64, usual.calls),
        ("steps", bounds.steps, usual.steps),
    ] {
        if value != usual {
            add(name, value.to_string());
        }
    }
    if bounds.check.contains(&Check::Undefined) {
        add("check", "undefined".to_owned());
    }
    shell.argv.iter().for_each(|arg| add("argv", arg.clone()));
    if shell.stdin > 0 {
        add("stdin", shell.stdin.to_string());
    }
    if let Some(path) = &shell.stdin_file {
        add("stdin-file", path.display().to_string());
    }
    shell.files.iter().for_each(|file| add("file", file.clone()));
    options
}

/// Sets what the user did not give to what a suite was made with. Who gives what is usual wants just that.
pub fn recall(options: &[String], common: &mut Common) {
    let shell_is_given = shell_is_given(common);
    let Common { bounds, shell, given, .. } = common;
    for option in options {
        let Some((name, value)) = option.strip_prefix("--").and_then(|option| option.split_once('=')) else { continue };
        match name {
            "argv" | "stdin" | "stdin-file" | "file" if shell_is_given => {}
            name if given.has(name) => {}
            "unwind" => bounds.unwind = value.parse().ok(),
            "string" => bounds.string = value.parse().unwrap_or(bounds.string),
            "elements" => bounds.elements = value.parse().unwrap_or(bounds.elements),
            "depth" => bounds.depth = value.parse().unwrap_or(bounds.depth),
            "calls" => bounds.calls = value.parse().unwrap_or(bounds.calls),
            "steps" => bounds.steps = value.parse().unwrap_or(bounds.steps),
            "check" => bounds.check.push(Check::Undefined),
            "argv" => shell.argv.push(value.to_owned()),
            "stdin" => shell.stdin = value.parse().unwrap_or(shell.stdin),
            "stdin-file" => shell.stdin_file = Some(value.into()),
            "file" => shell.files.push(value.to_owned()),
            _ => {}
        }
    }
}

/// Whether it was said what `main` is given, by the user or by the suite.
pub fn shell_is_given(common: &Common) -> bool {
    let ShellArgs { argv, stdin, stdin_file, files } = &common.shell;
    !argv.is_empty() || *stdin > 0 || common.given.has("stdin") || stdin_file.is_some() || !files.is_empty()
}

/// What a shell has to give so that all tests are among it, if that is more than nothing.
pub fn of_tests(tests: &[Test]) -> Option<Shell> {
    let inputs = || tests.iter().map(|test| &test.input);
    let count = inputs().map(|input| input.argv.len()).max()?;
    let mut shell = Shell { argv: vec![Bytes::Known(b"program".to_vec())], ..Shell::default() };
    for index in 1..count {
        let longest = inputs().filter_map(|input| input.argv.get(index)).map(Vec::len).max();
        shell.argv.push(Bytes::Unknown(longest.unwrap_or(0) as u64));
    }
    let stdin = inputs().map(|input| input.stdin.len()).max().unwrap_or(0);
    shell.stdin = Bytes::Unknown(stdin as u64);
    for (name, bytes) in inputs().flat_map(|input| &input.files) {
        match shell.files.iter_mut().find(|(known, _)| known == name) {
            Some((_, Bytes::Unknown(length))) => *length = (*length).max(bytes.len() as u64),
            _ => shell.files.push((name.clone(), Bytes::Unknown(bytes.len() as u64))),
        }
    }
    shell.or_less = inputs().any(|input| input.argv.len().max(1) != count.max(1) || input.stdin.len() != stdin);
    (count > 1 || stdin > 0 || !shell.files.is_empty()).then_some(shell)
}

/// What the command line takes where nothing is said; its own tests compare.
struct Usual {
    string: u64,
    elements: u64,
    depth: u64,
    calls: u64,
    steps: u64,
}

impl Default for Usual {
    fn default() -> Usual {
        Usual { string: 8, elements: 8, depth: 4, calls: 10_000, steps: 10_000_000 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Args, Command, TestsCommand};
    use clap::Parser;

    fn common(words: &str) -> Common {
        let words = format!("pathshift tests update old.c new.c --suite s {words}");
        let command = Args::try_parse_from(words.split_whitespace()).map(|args| args.command);
        let Ok(Command::Tests(tests)) = command else { unreachable!("{command:?}") };
        let TestsCommand::Update(update) = tests.command else { unreachable!() };
        update.common
    }

    #[test]
    fn what_is_not_usual_is_remembered() {
        let usual = common("");
        assert_eq!(options(&usual.bounds, &usual.shell), [""; 0]);
        let made = common("--string 2 --unwind 5 --depth 3 --argv 1x2 --stdin 4 --file a.txt=3");
        let words = options(&made.bounds, &made.shell);
        assert_eq!(
            words,
            ["--unwind=5", "--string=2", "--depth=3", "--argv=1x2", "--stdin=4", "--file=a.txt=3"].map(str::to_owned)
        );
        let mut again = common("--string 3");
        recall(&words, &mut again);
        assert_eq!((again.bounds.string, again.bounds.unwind, again.bounds.depth), (3, Some(5), 3));
        assert_eq!((again.shell.argv.as_slice(), again.shell.stdin), (["1x2".to_owned()].as_slice(), 4));
        let mut other = common("--stdin 1");
        recall(&words, &mut other);
        assert_eq!((other.shell.argv.len(), other.shell.stdin, other.shell.files.len()), (0, 1, 0));
    }

    /// What is usual is given like anything else, if it is given.
    #[test]
    fn what_is_given_is_not_recalled() {
        let words =
            ["--string=2", "--elements=2", "--depth=2", "--calls=2", "--steps=2", "--stdin=2"].map(str::to_owned);
        let values = |words_given: &str| {
            let mut common = common(words_given);
            recall(&words, &mut common);
            let Bounds { string, elements, depth, calls, steps, .. } = common.bounds;
            [string, elements, u64::from(depth), calls as u64, steps, common.shell.stdin]
        };
        assert_eq!(values(""), [2; 6]);
        assert_eq!(values("--string 8 --depth 4 --steps 10000000"), [8, 2, 4, 2, 10_000_000, 2]);
        assert_eq!(values("--elements 8 --calls 10000 --stdin 0"), [2, 8, 2, 10_000, 2, 0]);
    }
}
