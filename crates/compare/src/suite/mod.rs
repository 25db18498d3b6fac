//! Suites: tests of one entry function in a folder that reads and diffs well.
//!
//! The folder has one file, `tests.txt`: a header, a line `--`, then one line a test. A line is input, expected
//! outcome and branch turns:
//!
//! ```text
//! pathshift suite 1
//! entry scale
//! program 3f0c9a7be1d24485
//! param buf ptr
//! param n i32
//! param mode c8
//! result i32
//! with "--string=4"
//! --
//! buf=&0 n=3 mode='a' &0:buf="abc\0" -> -1 &0="aXc\0" out="bad\n" log(2:i32) | scale:0a1b(2a3b)*4
//! buf=null n=0 mode='b' -> fault null-pointer | scale:0b
//! ```
//!
//! *Input*: a value for each parameter, then what pointers lead to, then the rest.
//!
//! | item | means |
//! |---|---|
//! | `n=3` | value of a parameter, read as the header says |
//! | `&0:buf%8=CONTENTS` | object 0, which the user calls `buf`, aligned to 8 bytes |
//! | `@count=CONTENTS` | contents of a global variable |
//! | `argv["prog" "-x"]`, `stdin="…"`, `file("a.txt")="…"` | what a program is given |
//! | `ask()=10:i32` | what the next call of the outside function `ask` returns |
//! | `klee_int(:count)=10:i32` | the same for one that makes up an input, with what the harness calls it |
//!
//! *Values*: `-3`, `'a'`, `true`, `1.5`, `0x7fc00000` (bits), `null`, `&0`, `&0+4`, `&@table-8`, `new` (memory that the
//! run makes), `at 0x1000`, `{1:i32, 2:i8}`, `_` (anything). Where the header does not say how to read a value, a suffix does:
//! `:i32` signed, `:u8` unsigned, `:c8` character, `:b1` truth value, `:f64` float, `:x80` bits.
//!
//! *Contents* are pieces joined by `,`: `"text\n\x01"`, `#00ff` (bytes in hex), `0*97` (97 zero bytes), `?*4` (4 bytes that
//! were never assigned and may be anything), `i32(1 -2)`
//! (numbers one after the other), `&1` or any other pointer (8 bytes).
//!
//! *Outcome*: the returned value, or `done` (returned nothing), `exit 3`, `fault out-of-bounds`, `bound "…"`,
//! `unsupported "…"`; then objects and globals that changed, `out=` and `err=`, and calls to the outside with arguments.
//!
//! *Turns*: function, then branch number and side (`a` is the first successor); `(…)*4` is repeated.

pub mod emit;
pub mod import;
pub mod ktest;
mod parse;
pub mod show;
pub mod signature;
mod text;
pub mod universe;
mod values;

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use exec::case::{Datum, End, Input, Outcome, Turn};
use report::in_order::in_order;
use smt::pool::digest::mix;

use crate::store::trees;

/// The file in the folder.
pub const FILE: &str = "tests.txt";

/// First line of the file, without and with the number of its form.
const NAME: &str = "pathshift suite ";
pub(crate) const SCHEMA: &str = "pathshift suite 1";
const FORM: u32 = 1;

/// Longest line that is read, in bytes.
const MAX_LINE: u64 = 256 << 20;

/// One test.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Test {
    /// What the entry is given.
    pub input: Input,
    /// What is expected of it.
    pub outcome: Outcome,
    /// Branches that it takes.
    #[serde(with = "exec::case::compact_turns")]
    pub turns: Vec<Turn>,
}

impl Test {
    /// A test of which only the input is known.
    pub fn of_input(input: Input) -> Test {
        let outcome = Outcome {
            end: End::Returned,
            result: Datum::Any,
            objects: Vec::new(),
            globals: Vec::new(),
            stdout: Vec::new(),
            stderr: Vec::new(),
            calls: Vec::new(),
        };
        Test { input, outcome, turns: Vec::new() }
    }
}

/// What all tests of a suite share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Symbol name of the entry function.
    pub entry: String,
    /// What tells whether the program is the one that the tests were made for.
    pub program: String,
    /// Names of the entry's parameters and how to read them.
    pub params: Vec<(String, Reading)>,
    /// How to read the result.
    pub result: Reading,
    /// How to read the elements of objects, by the object's name.
    pub elements: Vec<(String, Reading)>,
    /// Bounds that the tests were made within, as options of the command line, if they are not the usual ones.
    pub bounds: Vec<String>,
}

/// How the bits of a value are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reading {
    /// Not at all: a pointer, an aggregate, or nothing.
    #[default]
    None,
    /// A signed integer of that many bits.
    Signed(u32),
    /// An unsigned integer.
    Unsigned(u32),
    /// A character.
    Char(u32),
    /// A truth value.
    Bool(u32),
    /// A float.
    Float(u32),
    /// Bits.
    Raw(u32),
}

/// Why a suite cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// A file cannot be read or written.
    #[error("cannot {action} {}: {error}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// A line is not what it should be.
    #[error("{}:{line}:{column}: {message}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: u64,
        /// Column in bytes, from 1.
        column: usize,
        /// What is wrong.
        message: String,
        /// What to do.
        help: String,
    },
}

impl SuiteError {
    /// What the user can do about it.
    pub fn help(&self) -> Option<&str> {
        match self {
            SuiteError::Io { action: "read", error, .. } if error.kind() == io::ErrorKind::NotFound => {
                Some("a suite is a folder with tests.txt; `pathshift tests generate` makes one")
            }
            SuiteError::Io { .. } => None,
            SuiteError::Line { help, .. } => Some(help),
        }
    }
}

/// The folder of a suite that may be named by its file.
pub fn folder(path: &Path) -> &Path {
    if path.file_name() != Some(OsStr::new(FILE)) || path.is_dir() {
        return path;
    }
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// What a test is given, and what is expected of it, as its line has them.
pub fn input_and_outcome(header: &Header, test: &Test) -> (String, String) {
    let mut input = String::new();
    text::input(&mut input, header, &test.input);
    let mut line = String::new();
    text::test(&mut line, header, &Test { turns: Vec::new(), ..test.clone() });
    let outcome = line.strip_prefix(&input).and_then(|rest| rest.strip_prefix(" -> ")).unwrap_or_default().to_owned();
    (input, outcome)
}

/// Writes a suite test by test. The folder changes only when all of it is written.
pub struct Writer {
    path: PathBuf,
    file: BufWriter<tempfile::NamedTempFile>,
    header: Header,
    line: String,
    digest: u128,
}

impl Writer {
    /// Begins a suite in a folder, which is made if it is not there; its file will do for the folder.
    pub fn create(path: &Path, header: Header) -> Result<Writer, SuiteError> {
        let dir = folder(path);
        let io = |action, path: &Path| {
            let path = path.to_owned();
            move |error| SuiteError::Io { action, path, error }
        };
        std::fs::create_dir_all(dir).map_err(io("create", dir))?;
        // A temporary file is for its owner's eyes; a suite is as any other file.
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o666);
        let file = tempfile::Builder::new().permissions(mode).tempfile_in(dir).map_err(io("write to", dir))?;
        let mut writer =
            Writer { path: dir.join(FILE), file: BufWriter::new(file), header, line: String::new(), digest: 0 };
        let header = text::header(&writer.header);
        writer.write(&header)?;
        Ok(writer)
    }

    /// Adds a test.
    pub fn push(&mut self, test: &Test) -> Result<(), SuiteError> {
        let mut line = std::mem::take(&mut self.line);
        line.clear();
        text::test(&mut line, &self.header, test);
        line.push('\n');
        let done = self.write(&line);
        self.line = line;
        done
    }

    /// Adds many tests; `jobs` threads ask for them, batch by batch, and write them down.
    pub fn push_all(
        &mut self,
        jobs: usize,
        count: usize,
        tests: impl Fn(&[usize]) -> io::Result<Vec<Test>> + Sync,
    ) -> Result<(), SuiteError> {
        let all: Vec<usize> = (0..count).collect();
        let (header, path, file, digest) = (&self.header, &self.path, &mut self.file, &mut self.digest);
        let lines = |batch: &[usize]| -> io::Result<String> {
            let mut lines = String::new();
            for test in tests(batch)? {
                text::test(&mut lines, header, &test);
                lines.push('\n');
            }
            Ok(lines)
        };
        let write = |lines: io::Result<String>| {
            let lines = lines?;
            *digest = with_lines(*digest, &lines);
            file.write_all(lines.as_bytes())
        };
        in_order(jobs, &all, lines, write).map_err(|error| SuiteError::Io {
            action: "write",
            path: path.clone(),
            error,
        })
    }

    /// Puts the suite in its place, and says its digest.
    pub fn finish(self) -> Result<u128, SuiteError> {
        let failed = |error| SuiteError::Io { action: "write", path: self.path.clone(), error };
        let file = self.file.into_inner().map_err(|error| failed(error.into_error()))?;
        // Tests that are replaced must not be lost with the power; where there were none, nothing can be.
        if self.path.exists() {
            file.as_file().sync_all().map_err(failed)?;
        }
        file.persist(&self.path).map_err(|error| failed(error.error))?;
        Ok(self.digest)
    }

    fn write(&mut self, text: &str) -> Result<(), SuiteError> {
        self.digest = with_lines(self.digest, text);
        let failed = |error| SuiteError::Io { action: "write", path: self.path.clone(), error };
        self.file.write_all(text.as_bytes()).map_err(failed)
    }
}

/// The digest of a suite, with more lines of it.
fn with_lines(digest: u128, lines: &str) -> u128 {
    lines.split_terminator('\n').fold(digest, |digest, line| with_line(digest, line.as_bytes()))
}

fn with_line(digest: u128, line: &[u8]) -> u128 {
    if line.is_empty() { digest } else { mix(digest, trees::digest(line)) }
}

/// Reads a suite test by test.
pub struct Tests {
    /// What all tests share.
    pub header: Header,
    /// The digest of all lines that were read so far: at the end what [`Writer::finish`] said, unless somebody changed the file.
    pub digest: u128,
    path: PathBuf,
    file: BufReader<File>,
    line: u64,
    buffer: Vec<u8>,
}

impl Tests {
    /// Opens the suite in a folder, or a file of that form.
    pub fn open(path: &Path) -> Result<Tests, SuiteError> {
        let path = if path.is_dir() { path.join(FILE) } else { path.to_owned() };
        let file = File::open(&path).map_err(|error| SuiteError::Io { action: "read", path: path.clone(), error })?;
        let mut tests = Tests {
            header: Header::default(),
            digest: 0,
            path,
            file: BufReader::new(file),
            line: 0,
            buffer: Vec::new(),
        };
        tests.read_header()?;
        Ok(tests)
    }

    fn read_header(&mut self) -> Result<(), SuiteError> {
        if !self.next_line()? || self.buffer != SCHEMA.as_bytes() {
            return Err(self.error(self.no_suite()));
        }
        loop {
            if !self.next_line()? {
                let help = "write `--` between the header and the tests".to_owned();
                return Err(self.error(values::Problem { at: 0, message: "the header does not end".to_owned(), help }));
            }
            if self.buffer == b"--" {
                return Ok(());
            }
            let mut header = std::mem::take(&mut self.header);
            let read = parse::header_line(&self.buffer, &mut header);
            self.header = header;
            read.map_err(|problem| self.error(problem))?;
        }
    }

    /// What is wrong with the first line.
    fn no_suite(&self) -> values::Problem {
        let text = String::from_utf8_lossy(&self.buffer);
        let form = text.strip_prefix(NAME).and_then(|form| form.parse::<u32>().ok());
        let (message, help) = match form {
            Some(form) if form > FORM => (
                format!("this suite was written by a newer pathshift (form {form}, this one knows {FORM})"),
                "use that version of pathshift, or make the suite anew in another folder".to_owned(),
            ),
            _ => ("this is no suite".to_owned(), format!("the first line of a suite is `{SCHEMA}`")),
        };
        values::Problem { at: 0, message, help }
    }

    /// Reads the next line into the buffer; whether there was one.
    fn next_line(&mut self) -> Result<bool, SuiteError> {
        self.buffer.clear();
        let read = (&mut self.file).take(MAX_LINE).read_until(b'\n', &mut self.buffer);
        let read = read.map_err(|error| SuiteError::Io { action: "read", path: self.path.clone(), error })?;
        self.line += 1;
        if read as u64 == MAX_LINE {
            let help = format!("a line has at most {MAX_LINE} bytes");
            return Err(self.error(values::Problem { at: 0, message: "the line is too long".to_owned(), help }));
        }
        // A first line without an end is no suite, or one without a header: both are said elsewhere.
        if read > 0 && self.line > 1 && self.buffer.last() != Some(&b'\n') {
            let message = "the last line does not end".to_owned();
            let help = "the file is cut short, or add a newline at its end".to_owned();
            return Err(self.error(values::Problem { at: self.buffer.len(), message, help }));
        }
        while self.buffer.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
            self.buffer.pop();
        }
        self.digest = with_line(self.digest, &self.buffer);
        Ok(read > 0)
    }

    fn error(&self, problem: values::Problem) -> SuiteError {
        SuiteError::Line {
            path: self.path.clone(),
            line: self.line,
            column: problem.at + 1,
            message: problem.message,
            help: problem.help,
        }
    }
}

impl Iterator for Tests {
    type Item = Result<Test, SuiteError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.next_line() {
                Ok(true) if self.buffer.is_empty() => {}
                Ok(true) => {
                    return Some(parse::test(&self.buffer, &self.header).map_err(|problem| self.error(problem)));
                }
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// Tells programs apart: the same for a program and its copy, another one for another.
pub fn fingerprint(module: &ir::module::Module) -> String {
    // FNV-1a, since it has to be the same for ever.
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    format!("{:016x}", ir::print::print(module).bytes().fold(0xcbf2_9ce4_8422_2325, step))
}
