//! `pathshift.toml`: settings that stay the same from run to run.
//!
//! A setting is a word of the command line that stands before those that the user typed: what is typed wins, lists grow.

use crate::console::Failure;
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The file.
pub const FILE: &str = "pathshift.toml";

/// Largest file that is read.
const MAX_BYTES: u64 = 1 << 20;

/// What a setting may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A whole number.
    Number,
    /// A number.
    Seconds,
    /// A text.
    Text,
    /// A text, or several.
    Texts,
    /// `true` or `false`.
    Switch,
}

/// Table, setting, form, and the flag that it stands for.
const SETTINGS: &[(&str, &str, Form, &str)] = &[
    ("build", "cflags", Form::Texts, "--cflags"),
    ("build", "rustflags", Form::Texts, "--rustflags"),
    ("build", "cargo-flags", Form::Texts, "--cargo-flags"),
    ("build", "clang", Form::Text, "--clang"),
    ("build", "edition", Form::Text, "--edition"),
    ("build", "bin", Form::Text, "--bin"),
    ("build", "units", Form::Texts, "--unit"),
    ("build", "jobs", Form::Number, "--jobs"),
    ("build", "timeout", Form::Number, "--build-timeout"),
    ("bounds", "unwind", Form::Number, "--unwind"),
    ("bounds", "string", Form::Number, "--string"),
    ("bounds", "elements", Form::Number, "--elements"),
    ("bounds", "depth", Form::Number, "--depth"),
    ("bounds", "calls", Form::Number, "--calls"),
    ("bounds", "steps", Form::Number, "--steps"),
    ("bounds", "paths", Form::Number, "--paths"),
    ("bounds", "timeout", Form::Seconds, "--timeout"),
    ("bounds", "memory", Form::Text, "--memory"),
    ("bounds", "check", Form::Texts, "--check"),
    ("bounds", "solver", Form::Text, "--solver"),
    ("diff", "ignore", Form::Texts, "--ignore"),
    ("diff", "ignore-functions", Form::Texts, "--ignore-function"),
    ("diff", "allow-undecided", Form::Switch, "--allow-undecided"),
];

/// The settings that hold for a folder, as words of the command line; the file is looked for there and above.
pub fn words(folder: &Path) -> Result<Vec<OsString>, Failure> {
    let Some(path) = folder.ancestors().map(|folder| folder.join(FILE)).find(|path| path.is_file()) else {
        return Ok(Vec::new());
    };
    let unreadable = |problem: String| Failure::usage(format!("cannot read {}: {problem}", path.display()), None);
    let length = std::fs::metadata(&path).map_err(|error| unreadable(error.to_string()))?.len();
    if length > MAX_BYTES {
        return Err(unreadable(format!("larger than {MAX_BYTES} bytes")));
    }
    let text = std::fs::read_to_string(&path).map_err(|error| unreadable(error.to_string()))?;
    let words = read(&text).map_err(|problem| {
        let line = text.get(..problem.at.start).unwrap_or(&text).matches('\n').count() + 1;
        Failure::usage(format!("{}:{line}: {}", path.display(), problem.message), problem.help)
    })?;
    let folder = path.parent().map(Path::to_owned).unwrap_or_default();
    Ok(words.into_iter().map(|word| word.finish(&folder)).collect())
}

/// A word of the command line.
#[derive(Debug, PartialEq, Eq)]
enum Word {
    /// As it is.
    Plain(String),
    /// A path, from the folder of the file on if it is not just a name.
    Program(String),
}

impl Word {
    fn finish(self, folder: &Path) -> OsString {
        match self {
            Word::Plain(word) => word.into(),
            Word::Program(path) if path.contains('/') => folder.join(path).into(),
            Word::Program(name) => PathBuf::from(name).into(),
        }
    }
}

#[derive(Debug)]
struct Problem {
    at: Range<usize>,
    message: String,
    help: Option<String>,
}

fn read(text: &str) -> Result<Vec<Word>, Problem> {
    let table = DeTable::parse(text).map_err(|error| Problem {
        at: error.span().unwrap_or(0..0),
        message: error.message().to_owned(),
        help: None,
    })?;
    let mut tables: Vec<&str> = SETTINGS.iter().map(|(table, ..)| *table).collect();
    tables.dedup();
    let mut words = Vec::new();
    for (name, value) in table.get_ref() {
        let key: &str = name.get_ref();
        if !tables.contains(&key) {
            // A setting outside of its table is a likely slip.
            let home = SETTINGS.iter().find(|(_, setting, ..)| *setting == key);
            let help = home.map(|(table, ..)| format!("it belongs to [{table}]"));
            return Err(unknown("table", key, name.span(), &tables, help));
        }
        let DeValue::Table(settings) = value.get_ref() else {
            let message = format!("`{key}` is a table: write [{key}]");
            return Err(Problem { at: name.span(), message, help: None });
        };
        for (setting, value) in settings {
            words.extend(one(key, setting.get_ref(), setting.span(), value)?);
        }
    }
    Ok(words)
}

/// The words that a setting stands for.
fn one(table: &str, key: &str, at: Range<usize>, value: &Spanned<DeValue>) -> Result<Vec<Word>, Problem> {
    let Some((_, _, form, flag)) = SETTINGS.iter().find(|(home, setting, ..)| *home == table && *setting == key) else {
        let known: Vec<&str> = SETTINGS.iter().filter(|(home, ..)| *home == table).map(|(_, key, ..)| *key).collect();
        return Err(unknown(&format!("setting in [{table}]"), key, at, &known, None));
    };
    let wrong = |expected: &str| Problem {
        at: value.span(),
        message: format!("`{key}` is {expected}, not {}", value.get_ref().type_str()),
        help: None,
    };
    let joined = |text: &str| Word::Plain(format!("{flag}={text}"));
    Ok(match (form, value.get_ref()) {
        (Form::Number, DeValue::Integer(number)) => vec![joined(number.as_str())],
        (Form::Seconds, DeValue::Integer(number)) => vec![joined(number.as_str())],
        (Form::Seconds, DeValue::Float(number)) => vec![joined(number.as_str())],
        (Form::Text, DeValue::String(text)) if *flag == "--clang" => {
            vec![Word::Plain((*flag).to_owned()), Word::Program(text.to_string())]
        }
        (Form::Text | Form::Texts, DeValue::String(text)) => vec![joined(text)],
        (Form::Texts, DeValue::Array(items)) => {
            let text = |item: &Spanned<DeValue>| item.get_ref().as_str().map(joined);
            items.iter().map(text).collect::<Option<Vec<_>>>().ok_or_else(|| wrong("a list of texts"))?
        }
        (Form::Switch, DeValue::Boolean(true)) => vec![Word::Plain((*flag).to_owned())],
        (Form::Switch, DeValue::Boolean(false)) => Vec::new(),
        (Form::Number, _) => return Err(wrong("a whole number")),
        (Form::Seconds, _) => return Err(wrong("a number")),
        (Form::Text, _) => return Err(wrong("a text")),
        (Form::Texts, _) => return Err(wrong("a text or a list of texts")),
        (Form::Switch, _) => return Err(wrong("true or false")),
    })
}

fn unknown(what: &str, key: &str, at: Range<usize>, known: &[&str], help: Option<String>) -> Problem {
    let near = known.iter().map(|name| (strsim::osa_distance(key, name), name)).min();
    let help = help.unwrap_or_else(|| match near {
        Some((distance, name)) if distance <= 3 => format!("did you mean `{name}`?"),
        _ => format!("there are {}", known.join(", ")),
    });
    Problem { at, message: format!("unknown {what}: `{key}`"), help: Some(help) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &str) {
        let folder = Path::new("/p");
        let got = match read(text) {
            Ok(words) => {
                let words = words.into_iter().map(|word| word.finish(folder).to_string_lossy().into_owned());
                words.collect::<Vec<_>>().join(" ")
            }
            Err(problem) => {
                let line = text[..problem.at.start].matches('\n').count() + 1;
                format!("{line}: {}; {}", problem.message, problem.help.unwrap_or_default())
            }
        };
        assert_eq!(got, expect, "{text}");
    }

    #[test]
    fn settings_are_words() {
        check("", "");
        check("[bounds]\nunwind = 4\ntimeout = 2.5", "--timeout=2.5 --unwind=4");
        check("[build]\ncflags = [\"-Ia\", \"-Ib\"]", "--cflags=-Ia --cflags=-Ib");
        check("[build]\nclang = \"clang-19\"", "--clang clang-19");
        check("[build]\nclang = \"tools/clang\"", "--clang /p/tools/clang");
        check("[diff]\nallow-undecided = true\nignore = \"output\"", "--allow-undecided --ignore=output");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        check("[bounds]\n\nunwnd = 4", "3: unknown setting in [bounds]: `unwnd`; did you mean `unwind`?");
        check("[bound]\n", "1: unknown table: `bound`; did you mean `bounds`?");
        check("unwind = 3", "1: unknown table: `unwind`; it belongs to [bounds]");
        check("[bounds]\nunwind = \"x\"", "2: `unwind` is a whole number, not string; ");
        check("[diff]\nignore = [1]", "2: `ignore` is a list of texts, not array; ");
        check("bounds = 3", "1: `bounds` is a table: write [bounds]; ");
    }
}
