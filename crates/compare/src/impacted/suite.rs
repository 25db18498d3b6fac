//! Suites for `coverage` and `select`, whatever their form: ours, `.ktest` files, command lines, plain files.

use crate::find::{self, NotFound};
use crate::suite::ktest::{self, KTestError};
use crate::suite::universe::{self, UniverseError};
use crate::suite::{FILE, SCHEMA, SuiteError, Tests};
use exec::case::{Input, Outcome};
use ir::demangle::function_display_name;
use ir::id::FuncId;
use ir::module::Module;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Why a suite cannot be looked at.
#[derive(Debug, thiserror::Error)]
pub enum SuiteImpactError {
    /// The suite cannot be read.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// A `.ktest` file cannot be read.
    #[error(transparent)]
    KTest(#[from] KTestError),
    /// Command lines or plain files cannot be read.
    #[error(transparent)]
    Universe(#[from] UniverseError),
    /// The program has no such function.
    #[error(transparent)]
    NotFound(#[from] NotFound),
    /// There is no test in the folder.
    #[error("{0}: no suite here: neither `tests.txt`, nor `.ktest` files, nor inputs of a program")]
    Empty(String),
    /// A folder of `.ktest` files does not say whose tests they are.
    #[error("{0}: `.ktest` files do not say which function they test; name it with `--function`")]
    NoFunction(String),
    /// Command lines and plain files are for `main`.
    #[error("{0}: command lines and plain files are tests of a whole program, and this one has no `main`")]
    NoMain(String),
    /// The suite is another function's.
    #[error("the suite tests `{suite}`, not `{function}`")]
    OtherFunction {
        /// Whose it is.
        suite: String,
        /// Who was asked for.
        function: String,
    },
    /// The tests do not have the parameters of the function.
    #[error("the suite does not fit `{function}`: {why}")]
    DoesNotFit {
        /// The function.
        function: String,
        /// Why.
        why: String,
    },
}

/// A suite that fits a function.
#[derive(Debug)]
pub struct Suite {
    /// The function.
    pub entry: FuncId,
    /// Names and inputs of the tests.
    pub tests: Vec<(String, Input)>,
    /// What the tests expect, where they say so.
    pub expected: Vec<Outcome>,
    /// The folder that the tests run in: the program finds its files. Without one there are no files but those of a test.
    pub cwd: Option<PathBuf>,
}

/// What the user says about a suite.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// The function that is tested.
    pub function: Option<String>,
    /// Arguments that a program is given with each plain file; `@@` stands for the file.
    pub arguments: Vec<String>,
    /// The folder that command lines run in.
    pub cwd: Option<PathBuf>,
}

/// Reads a suite for a program.
pub fn read(module: &Module, path: &Path, about: &About) -> Result<Suite, SuiteImpactError> {
    let named = match &about.function {
        Some(name) => find::functions(module, name)?.first().copied(),
        None => None,
    };
    if path.join(FILE).is_file() || path.is_file() && begins_as_ours(path) {
        return read_ours(module, path, named);
    }
    if path.is_dir() || path.extension().is_some_and(|end| end == "ktest") || !path.exists() {
        let files = ktest::read(path)?;
        if !files.is_empty() {
            return read_ktests(module, path, files, named);
        }
    }
    read_plain(module, path, about, named)
}

fn begins_as_ours(path: &Path) -> bool {
    let mut first = vec![0; SCHEMA.len()];
    std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut first)).is_ok() && first == SCHEMA.as_bytes()
}

fn main_of(module: &Module) -> Option<FuncId> {
    module.functions.ids().find(|&id| module.function_name(id) == "main" && module.functions[id].is_defined())
}

fn read_plain(module: &Module, path: &Path, about: &About, named: Option<FuncId>) -> Result<Suite, SuiteImpactError> {
    // Where the tests run is where a user would stand who runs them.
    let folder = if path.is_dir() { Some(path) } else { path.parent() };
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let cwd = about.cwd.clone().unwrap_or_else(|| folder.to_owned());
    let tests = match path.is_dir() {
        true => universe::folder(path, &about.arguments, &cwd)?,
        false => universe::command_lines(path, &cwd)?,
    };
    if tests.is_empty() {
        return Err(SuiteImpactError::Empty(path.display().to_string()));
    }
    let main = main_of(module);
    if let Some(named) = named.filter(|named| Some(*named) != main) {
        let function = function_display_name(module, named);
        return Err(SuiteImpactError::OtherFunction { suite: "main".to_owned(), function });
    }
    let entry = main.ok_or_else(|| SuiteImpactError::NoMain(path.display().to_string()))?;
    Ok(Suite { entry, tests, expected: Vec::new(), cwd: Some(cwd) })
}

fn read_ktests(
    module: &Module,
    path: &Path,
    files: Vec<(PathBuf, ktest::KTest)>,
    named: Option<FuncId>,
) -> Result<Suite, SuiteImpactError> {
    let entry = named.or_else(|| main_of(module));
    let entry = entry.ok_or_else(|| SuiteImpactError::NoFunction(path.display().to_string()))?;
    let mut tests = Vec::with_capacity(files.len());
    for (path, test) in files {
        let name = path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        let input = ktest::to_input(module, entry, &test).map_err(|why| SuiteImpactError::DoesNotFit {
            function: function_display_name(module, entry),
            why: format!("{name}: {why}"),
        })?;
        tests.push((name, input));
    }
    Ok(Suite { entry, tests, expected: Vec::new(), cwd: None })
}

fn read_ours(module: &Module, dir: &Path, named: Option<FuncId>) -> Result<Suite, SuiteImpactError> {
    let tests = Tests::open(dir)?;
    let header = tests.header.clone();
    let found = find::functions(module, &header.entry)?;
    let Some(entry) = found.first().copied() else {
        return Err(SuiteImpactError::Empty(dir.display().to_string()));
    };
    if let Some(named) = named.filter(|named| !found.contains(named)) {
        let (suite, function) = (header.entry, function_display_name(module, named));
        return Err(SuiteImpactError::OtherFunction { suite, function });
    }
    let params = module.functions[entry].params.len();
    if module.function_name(entry) != "main" && header.params.len() != params {
        let why = format!("its tests have {} parameters, the function has {params}", header.params.len());
        return Err(SuiteImpactError::DoesNotFit { function: function_display_name(module, entry), why });
    }
    let (mut all, mut expected) = (Vec::new(), Vec::new());
    for (index, test) in tests.enumerate() {
        let test = test?;
        all.push(((index + 1).to_string(), test.input));
        expected.push(test.outcome);
    }
    Ok(Suite { entry, tests: all, expected, cwd: None })
}
