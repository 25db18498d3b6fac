//! What a file with settings says, whoever wrote it. It knows no other part of the program, so that it can be fuzzed.

use build::allowed::{self, Allowed};
use std::ffi::OsString;
use std::ops::Range;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What a setting may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A whole number.
    Number,
    /// Seconds as a number, or a text with a unit.
    Time,
    /// A text.
    Text,
    /// A text, or several.
    Texts,
    /// `true` or `false`.
    Switch,
}

/// Who may choose a setting.
#[derive(Clone, Copy)]
enum Whose {
    /// Also the tree.
    Anyones,
    /// Also the tree, as far as the flags do not run anything.
    Flags(fn(&[String]) -> Allowed),
    /// Only the user: it names a program, or hides results.
    Users,
}

/// A setting: table, name, form, the flag that it stands for, and who may choose it.
type Setting = (&'static str, &'static str, Form, &'static str, Whose);

const SETTINGS: &[Setting] = &[
    ("build", "cflags", Form::Texts, "--cflags", Whose::Flags(allowed::c_flags)),
    ("build", "rustflags", Form::Texts, "--rustflags", Whose::Flags(allowed::rustc_flags)),
    ("build", "cargo-flags", Form::Texts, "--cargo-flags", Whose::Flags(allowed::cargo_flags)),
    ("build", "clang", Form::Text, "--clang", Whose::Users),
    ("build", "edition", Form::Text, "--edition", Whose::Anyones),
    ("build", "bin", Form::Text, "--bin", Whose::Anyones),
    ("build", "units", Form::Texts, "--unit", Whose::Users),
    ("build", "jobs", Form::Number, "--jobs", Whose::Anyones),
    ("build", "timeout", Form::Time, "--build-timeout", Whose::Anyones),
    ("bounds", "unwind", Form::Number, "--unwind", Whose::Anyones),
    ("bounds", "string", Form::Number, "--string", Whose::Anyones),
    ("bounds", "elements", Form::Number, "--elements", Whose::Anyones),
    ("bounds", "depth", Form::Number, "--depth", Whose::Anyones),
    ("bounds", "calls", Form::Number, "--calls", Whose::Anyones),
    ("bounds", "steps", Form::Number, "--steps", Whose::Anyones),
    ("bounds", "paths", Form::Number, "--paths", Whose::Anyones),
    ("bounds", "timeout", Form::Time, "--timeout", Whose::Anyones),
    ("bounds", "memory", Form::Text, "--memory", Whose::Anyones),
    ("bounds", "check", Form::Texts, "--check", Whose::Anyones),
    ("bounds", "solver", Form::Text, "--solver", Whose::Users),
    ("diff", "ignore", Form::Texts, "--ignore", Whose::Users),
    ("diff", "ignore-functions", Form::Texts, "--ignore-function", Whose::Users),
    ("diff", "allow-undecided", Form::Switch, "--allow-undecided", Whose::Users),
    ("diff", "require-proof", Form::Switch, "--require-proof", Whose::Anyones),
];

/// A setting and its values.
#[derive(Debug)]
pub struct Given {
    table: &'static str,
    name: &'static str,
    flag: &'static str,
    whose: Whose,
    values: Values,
}

#[derive(Debug)]
enum Values {
    /// The flag alone, or not at all.
    Switch(bool),
    /// A path, from the folder of the file on if it is not just a name.
    Program(String),
    /// The flag with each of these.
    Texts(Vec<String>),
}

impl std::fmt::Debug for Whose {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Whose::Anyones => "Anyones",
            Whose::Flags(_) => "Flags",
            Whose::Users => "Users",
        })
    }
}

impl Given {
    /// The words of the command line that it stands for.
    pub fn words(self, folder: &Path) -> Vec<OsString> {
        match self.values {
            Values::Switch(on) => on.then(|| self.flag.into()).into_iter().collect(),
            Values::Program(path) if path.contains('/') => vec![self.flag.into(), folder.join(path).into()],
            Values::Program(name) => vec![self.flag.into(), name.into()],
            Values::Texts(texts) => texts.iter().map(|text| format!("{}={text}", self.flag).into()).collect(),
        }
    }

    /// What is left of it if a tree says so; what is not is added to `refused`.
    pub fn limited_to_tree(mut self, refused: &mut Vec<String>) -> Given {
        match (self.whose, &mut self.values) {
            (Whose::Anyones, _) | (Whose::Users, Values::Switch(false)) => {}
            (Whose::Users, _) => {
                refused.push(format!("`{}` in [{}]", self.name, self.table));
                self.values = Values::Switch(false);
            }
            (Whose::Flags(judge), Values::Texts(texts)) => {
                let mut kept = Vec::new();
                for text in texts.iter() {
                    // What a shell would not split is told where flags are read.
                    let Some(words) = shlex::split(text) else {
                        kept.push(text.clone());
                        continue;
                    };
                    let Allowed { flags, refused: others } = judge(&words);
                    let joined =
                        |words: &[String]| shlex::try_join(words.iter().map(String::as_str)).unwrap_or_default();
                    if !others.is_empty() {
                        refused.push(format!("`{}` among its {}", others.join(" "), self.name));
                    }
                    if !flags.is_empty() {
                        kept.push(joined(&flags));
                    }
                }
                *texts = kept;
            }
            (Whose::Flags(_), Values::Switch(_) | Values::Program(_)) => self.values = Values::Switch(false),
        }
        self
    }
}

/// What is wrong with a file.
#[derive(Debug)]
pub struct Problem {
    /// Where: bytes of the text.
    pub at: Range<usize>,
    /// What.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

/// The settings of a file.
pub fn read(text: &str) -> Result<Vec<Given>, Problem> {
    let table = DeTable::parse(text).map_err(|error| Problem {
        at: error.span().unwrap_or(0..0),
        message: error.message().to_owned(),
        help: None,
    })?;
    let mut tables: Vec<&str> = SETTINGS.iter().map(|(table, ..)| *table).collect();
    tables.dedup();
    let mut given = Vec::new();
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
            given.push(one(key, setting.get_ref(), setting.span(), value)?);
        }
    }
    Ok(given)
}

/// A setting with its values.
fn one(table: &str, key: &str, at: Range<usize>, value: &Spanned<DeValue>) -> Result<Given, Problem> {
    let Some(&(table, name, form, flag, whose)) =
        SETTINGS.iter().find(|(home, setting, ..)| *home == table && *setting == key)
    else {
        let known: Vec<&str> = SETTINGS.iter().filter(|(home, ..)| *home == table).map(|(_, key, ..)| *key).collect();
        return Err(unknown(&format!("setting in [{table}]"), key, at, &known, None));
    };
    let wrong = |expected: &str| Problem {
        at: value.span(),
        message: format!("`{key}` is {expected}, not {}", value.get_ref().type_str()),
        help: None,
    };
    let values = match (form, value.get_ref()) {
        (Form::Number | Form::Time, DeValue::Integer(number)) => Values::Texts(vec![number.as_str().to_owned()]),
        (Form::Time, DeValue::Float(number)) => Values::Texts(vec![number.as_str().to_owned()]),
        (Form::Text, DeValue::String(text)) if flag == "--clang" => Values::Program(text.to_string()),
        (Form::Text | Form::Texts | Form::Time, DeValue::String(text)) => Values::Texts(vec![text.to_string()]),
        (Form::Texts, DeValue::Array(items)) => {
            let text = |item: &Spanned<DeValue>| item.get_ref().as_str().map(str::to_owned);
            let texts = items.iter().map(text).collect::<Option<Vec<_>>>();
            Values::Texts(texts.ok_or_else(|| wrong("a list of texts"))?)
        }
        (Form::Switch, DeValue::Boolean(on)) => Values::Switch(*on),
        (Form::Number, _) => return Err(wrong("a whole number")),
        (Form::Time, _) => return Err(wrong("a number or a text such as \"90s\"")),
        (Form::Text, _) => return Err(wrong("a text")),
        (Form::Texts, _) => return Err(wrong("a text or a list of texts")),
        (Form::Switch, _) => return Err(wrong("true or false")),
    };
    Ok(Given { table, name, flag, whose, values })
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
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn check(text: &str, expect: &str) {
        let folder = Path::new("/p");
        let got = match read(text) {
            Ok(given) => {
                let words = given.into_iter().flat_map(|given| given.words(folder));
                words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
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
        check("[bounds]\ntimeout = \"2m\"\n[build]\ntimeout = 30", "--timeout=2m --build-timeout=30");
        check("[build]\ncflags = [\"-Ia\", \"-Ib\"]", "--cflags=-Ia --cflags=-Ib");
        check("[build]\nclang = \"clang-19\"", "--clang clang-19");
        check("[build]\nclang = \"tools/clang\"", "--clang /p/tools/clang");
        check("[diff]\nallow-undecided = true\nignore = \"output\"", "--allow-undecided --ignore=output");
    }

    #[test]
    fn a_tree_sets_bounds_and_flags_and_nothing_else() {
        let check = |text: &str, words: &str, refused: &[&str]| {
            let mut told = Vec::new();
            let given = read(text).unwrap().into_iter().map(|given| given.limited_to_tree(&mut told));
            let got: Vec<String> =
                given.flat_map(|given| given.words(Path::new("/p"))).map(|word| word.into_string().unwrap()).collect();
            assert_eq!((got.join(" "), told), (words.to_owned(), refused.iter().map(ToString::to_string).collect()));
        };
        check("[bounds]\nunwind = 4", "--unwind=4", &[]);
        check("[bounds]\nsolver = \"./evil\"", "", &["`solver` in [bounds]"]);
        check("[build]\nclang = \"./evil\"\nunits = \"x\"", "", &["`clang` in [build]", "`units` in [build]"]);
        check("[diff]\nallow-undecided = false", "", &[]);
        check(
            "[diff]\nallow-undecided = true\nignore = \"value\"",
            "",
            &["`allow-undecided` in [diff]", "`ignore` in [diff]"],
        );
        let flags = "[build]\ncflags = [\"-DX='a b' -fplugin=./evil.so\", \"-B.\"]";
        check(flags, "--cflags='-DX=a b'", &["`-fplugin=./evil.so` among its cflags", "`-B.` among its cflags"]);
        check(
            "[build]\ncargo-flags = \"--config x=1 --release\"",
            "--cargo-flags=--release",
            &["`--config x=1` among its cargo-flags"],
        );
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
