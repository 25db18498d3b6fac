//! The pairs of `tests/pairs`: two versions of a program with the truth about each function that changed.
//!
//! A pair is one file. Its head says what changed and which functions are `same:`, `different:` or `interface:`; of some that are the
//! same only a proof within bounds is asked for, `same within bounds:`, and one for all inputs is as good. `//// old` and
//! `//// new` begin the versions, and what stands before them belongs to both. `// scope: TEXT` says that functions are the
//! same only within a scope that says so: without that text, `same` is wrong. `// open` says that it may stay undecided:
//! what counts there is that no wrong verdict is given.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Two versions of a program.
pub struct Pair {
    /// Folder and name, such as `strings/trim`.
    pub name: String,
    /// How the compiler knows the language: `c`, `cpp` or `rs`.
    pub extension: String,
    /// Functions with what is known of them: one of [`TRUTHS`].
    pub truth: Vec<(String, String)>,
    /// What the scope of `same` must say.
    pub scope: Option<String>,
    /// Whether it may stay undecided.
    pub open: bool,
    /// Further arguments of `pathshift diff`.
    pub arguments: Vec<String>,
    /// The old version.
    pub old: String,
    /// The new version.
    pub new: String,
}

/// What can be known of a function.
pub const TRUTHS: [&str; 4] = ["same within bounds", "same", "different", "interface"];

/// What was said of a function of a pair.
pub struct Said {
    /// Its name.
    pub function: String,
    /// What is known of it.
    pub truth: String,
    /// `same`, `same within bounds`, `different`, `interface`, `undecided`; or what went wrong. `same, but not everywhere` if the scope lacks what it must say.
    pub verdict: String,
    /// Why it is undecided.
    pub reasons: Vec<String>,
}

impl Said {
    /// Whether a verdict was given that is not true.
    pub fn is_wrong(&self) -> bool {
        let is_same = |word: &str| matches!(word, "same" | "same within bounds");
        self.verdict != self.truth && self.verdict != "undecided" && !(is_same(&self.verdict) && is_same(&self.truth))
    }

    pub fn is_decided(&self) -> bool {
        self.verdict == self.truth || self.truth == "same within bounds" && self.verdict == "same"
    }
}

/// All pairs in the order of their names.
pub fn all() -> Vec<Pair> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/pairs");
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in std::fs::read_dir(&root).unwrap() {
        let folder = folder.unwrap().path();
        if folder.is_dir() {
            files.extend(std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()));
        }
    }
    files.sort();
    files.iter().map(|file| read(file)).collect()
}

fn read(file: &Path) -> Pair {
    let text = std::fs::read_to_string(file).unwrap();
    let extension = file.extension().unwrap().to_str().unwrap().to_owned();
    let folder = file.parent().unwrap().file_name().unwrap().to_str().unwrap();
    let name = format!("{folder}/{}", file.file_stem().unwrap().to_str().unwrap());
    let (both, rest) = text.split_once("//// old\n").unwrap_or_else(|| panic!("{name} has no old version"));
    let (old, new) = rest.split_once("//// new\n").unwrap_or_else(|| panic!("{name} has no new version"));
    let (mut truth, mut arguments) = (Vec::new(), Vec::new());
    for line in both.lines() {
        for what in TRUTHS {
            if let Some(functions) = line.strip_prefix(&format!("// {what}: ")) {
                truth.extend(functions.split(", ").map(|function| (function.to_owned(), what.to_owned())));
            }
        }
        if let Some(given) = line.strip_prefix("// arguments: ") {
            arguments.extend(given.split_whitespace().map(str::to_owned));
        }
    }
    assert!(!truth.is_empty(), "{name} has no truth");
    let scope = both.lines().find_map(|line| line.strip_prefix("// scope: ")).map(str::to_owned);
    let open = both.lines().any(|line| line == "// open");
    Pair { name, extension, truth, scope, open, arguments, old: format!("{both}{old}"), new: format!("{both}{new}") }
}

/// Asks `pathshift diff` about a pair; how long that took.
pub fn judge(pair: &Pair, binary: &Path, seconds: u64) -> (Vec<Said>, Duration) {
    let dir = tempfile::tempdir().unwrap();
    let file = |version: &str| format!("{version}.{}", pair.extension);
    std::fs::write(dir.path().join(file("old")), &pair.old).unwrap();
    std::fs::write(dir.path().join(file("new")), &pair.new).unwrap();
    let mut command = Command::new(binary);
    command.env("NO_COLOR", "1").current_dir(dir.path());
    command.args(["diff", &file("old"), &file("new"), "--format", "json", "--time", &seconds.to_string()]);
    if pair.extension == "rs" {
        command.args(["--rustflags", "--crate-type=lib"]);
    }
    pair.truth.iter().for_each(|(function, _)| {
        command.args(["--function", function]);
    });
    command.args(&pair.arguments);
    let started = Instant::now();
    let ran = command.output().unwrap();
    let time = started.elapsed();
    let result: Option<serde_json::Value> = serde_json::from_slice(&ran.stdout).ok();
    let said = pair.truth.iter().map(|(function, truth)| {
        let rows = result.as_ref().and_then(|result| result["functions"].as_array());
        let row = rows.and_then(|rows| rows.iter().find(|row| is_called(row["name"].as_str(), function)));
        let Some(row) = row else {
            let problem = String::from_utf8_lossy(&ran.stderr).lines().next().unwrap_or("no answer").to_owned();
            return Said { function: function.clone(), truth: truth.clone(), verdict: problem, reasons: Vec::new() };
        };
        let reasons = row["undecided"].as_array().into_iter().flatten();
        let mut verdict = row["verdict"].as_str().unwrap_or_default().replace('_', " ");
        if let Some(text) = pair.scope.as_deref().filter(|_| verdict.starts_with("same"))
            && !row["scope"]
                .as_array()
                .into_iter()
                .flatten()
                .any(|what| what.as_str().unwrap_or_default().contains(text))
        {
            verdict.push_str(", but not everywhere");
        }
        Said {
            function: function.clone(),
            truth: truth.clone(),
            verdict,
            reasons: reasons.map(|row| row["reason"].as_str().unwrap_or_default().to_owned()).collect(),
        }
    });
    (said.collect(), time)
}

/// Names in results have their parameters or module with them.
fn is_called(name: Option<&str>, function: &str) -> bool {
    let name = name.unwrap_or_default();
    let plain = name.split('(').next().unwrap_or_default();
    plain == function || plain.ends_with(&format!("::{function}"))
}
