//! Tests of found paths as files: our own suites, KLEE's files, source files.

use crate::args::TestFiles;
use crate::console::{self, Failure};
use crate::output;
use compare::explore::Found;
use compare::suite::{Header, SuiteError, Test, Writer, emit, ktest, signature};
use exec::program::Program;
use ir::id::FuncId;
use report::escape::Syntax;
use report::explore::Paths;
use std::path::Path;

/// Writes the tests of all paths wherever the user wants them.
pub fn write(
    files: &TestFiles,
    bounds: Vec<String>,
    program: &Program,
    function: FuncId,
    found: &Found,
    jobs: usize,
) -> Result<(), Failure> {
    if let Some(dir) = &files.suite {
        let header = Header { bounds, ..signature::header(&program.module, function) };
        let mut writer = Writer::create(dir, header).map_err(failure)?;
        writer.push_all(jobs, found.len(), |batch| found.tests(batch)).map_err(failure)?;
        writer.finish().map_err(failure)?;
    }
    if let Some(dir) = &files.ktest {
        ktests(dir, program, function, found)?;
    }
    if let Some(file) = &files.emit {
        source(file, program, function, found)?;
    }
    Ok(())
}

fn ktests(dir: &Path, program: &Program, function: FuncId, found: &Found) -> Result<(), Failure> {
    let mut left_out = std::collections::BTreeSet::new();
    let mut tests = Vec::with_capacity(found.len());
    for test in all_tests(found, dir)? {
        let (test, notes) = ktest::from_input(&program.module, function, &test.input);
        left_out.extend(notes);
        tests.push(test);
    }
    for note in left_out {
        console::warn(&format!("{}: {note}", dir.display()));
    }
    ktest::write(dir, &tests).map_err(|error| Failure::usage(error.to_string(), None))
}

fn source(file: &Path, program: &Program, function: FuncId, found: &Found) -> Result<(), Failure> {
    let tests = all_tests(found, file)?;
    let header = signature::header(&program.module, function);
    let emitted = match file.extension().and_then(|extension| extension.to_str()) {
        Some("rs") => emit::rust_file(&program.module, function, &header, &tests),
        Some("c") => emit::c_file(&program.module, function, &header, &tests),
        _ => {
            let message = format!("{}: tests are written in C or Rust", file.display());
            return Err(Failure::usage(message, Some("name a file that ends in .c or .rs".to_owned())));
        }
    };
    if emitted.left_out > 0 {
        let all = emitted.left_out + emitted.written;
        console::warn(&format!(
            "{}: {} of {all} tests cannot be said in the language; they are comments with the reason",
            file.display(),
            emitted.left_out,
        ));
    }
    output::write(Some(file), Syntax::Text, |out| out.write_all(emitted.text.as_bytes()))
}

fn all_tests(found: &Found, to: &Path) -> Result<Vec<Test>, Failure> {
    let all: Vec<usize> = (0..found.len()).collect();
    found.tests(&all).map_err(|error| failure(SuiteError::Io { action: "write", path: to.to_owned(), error }))
}

fn failure(error: SuiteError) -> Failure {
    Failure::usage(error.to_string(), error.help().map(str::to_owned))
}
