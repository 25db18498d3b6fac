//! Tests of a whole program as its users have them: command lines, and files that the program reads.
//!
//! Test universes of benchmark programs are files with a command line on each line, such as `-l 3 < inputs/a.txt`; scripts
//! that run the program once for each test; or folders with a file for each test. [`command_lines`] reads the first two,
//! [`folder`] the last. Files that a program opens itself are no part of a test: they lie in the folder that tests run in.

use exec::case::Input;
use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A test and its name: the number of its line, or the name of its file.
pub type Named = (String, Input);

/// Why tests cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum UniverseError {
    /// A file cannot be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// A line is no command line.
    #[error("{path}:{line}: {what}")]
    Line {
        /// The file.
        path: String,
        /// Number of the line.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// A file is too large to be an input.
    #[error("{path} has {size} bytes; at most {most} are read")]
    Large {
        /// The file.
        path: String,
        /// Its bytes.
        size: u64,
        /// How many may be read.
        most: u64,
    },
}

/// Largest file that is an input, in bytes.
const MAX_FILE: u64 = 1 << 20;

/// Largest file of command lines, in bytes.
const MAX_LINES: u64 = 64 << 20;

/// What a program is called if nobody says it.
const PROGRAM: &[u8] = b"program";

/// Stands for the name of a test's file among the arguments of a program.
pub const FILE_ARGUMENT: &str = "@@";

/// The tests of a file with a command line on each line. Lines hold arguments; in a script (it ends in `.sh` or begins with
/// `#!`), and if all lines begin with the same path, the program's name comes first. Names of files are those that a shell
/// in `cwd` would take them for.
pub fn command_lines(path: &Path, cwd: &Path) -> Result<Vec<Named>, UniverseError> {
    let text = read(path, MAX_LINES)?;
    let is_script = text.starts_with(b"#!") || path.extension().is_some_and(|end| end == "sh");
    let mut lines = Vec::new();
    for (index, line) in text.split(|&byte| byte == b'\n').enumerate() {
        let failed = |what: String| UniverseError::Line { path: path.display().to_string(), line: index + 1, what };
        let command = Command::parse(line).map_err(failed)?;
        if !command.words.is_empty() || command.stdin.is_some() {
            lines.push((index + 1, command));
        }
    }
    let mut cwd = cwd.to_owned();
    let has_name = is_script || has_program(&lines, &cwd);
    let mut tests = Vec::with_capacity(lines.len());
    for (number, mut command) in lines {
        let failed = |what: String| UniverseError::Line { path: path.display().to_string(), line: number, what };
        if is_script && let Some(first) = command.words.first() {
            match first.as_slice() {
                b"cd" => cwd = cwd.join(command.words.get(1).map_or(Path::new(""), |to| path_of(to))),
                b"echo" | b"set" | b"export" | b"mkdir" | b"rm" | b":" | b"exit" => {}
                _ => tests.push((number.to_string(), command.input(&cwd).map_err(failed)?)),
            }
            continue;
        }
        if !has_name {
            command.words.insert(0, PROGRAM.to_vec());
        }
        tests.push((number.to_string(), command.input(&cwd).map_err(failed)?));
    }
    Ok(tests)
}

/// The tests of a folder: each file is standard input, or is named among the arguments where [`FILE_ARGUMENT`] stands.
/// Instead a file `NAME.args` holds the command line of a test, of which `NAME`, or `NAME` with another ending, is standard
/// input. Expected outputs beside them are left alone.
pub fn folder(dir: &Path, arguments: &[String], cwd: &Path) -> Result<Vec<Named>, UniverseError> {
    let failed = |source| UniverseError::Read { path: dir.display().to_string(), source };
    let mut files: BTreeSet<PathBuf> = BTreeSet::new();
    for file in std::fs::read_dir(dir).map_err(failed)? {
        let file = file.map_err(failed)?;
        if file.metadata().map_err(failed)?.is_file() {
            files.insert(file.path());
        }
    }
    let mut tests: Vec<Named> = Vec::new();
    let mut used: BTreeSet<PathBuf> = BTreeSet::new();
    for file in files.iter().filter(|file| is_command(file)) {
        let text = read_input(file)?;
        let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let wrong = |what: String| UniverseError::Line { path: file.display().to_string(), line: 1, what };
        let mut command = Command::parse(line).map_err(wrong)?;
        command.words.insert(0, PROGRAM.to_vec());
        let mut input = command.input(cwd).map_err(wrong)?;
        let stdin = [file.with_extension("")].into_iter().chain(INPUTS.map(|end| file.with_extension(end)));
        if let Some(stdin) = stdin.into_iter().find(|path| command.stdin.is_none() && files.contains(path)) {
            input.stdin = read_input(&stdin)?;
            used.insert(stdin);
        }
        used.insert(file.clone());
        tests.push((name_of(&file.with_extension("")), input));
    }
    for file in files.iter().filter(|file| !used.contains(*file)) {
        let has_others = files.iter().any(|other| other != file && other.with_extension("") == file.with_extension(""));
        if has_others && is_outcome(file) {
            continue;
        }
        let is_named = arguments.iter().any(|argument| argument.contains(FILE_ARGUMENT));
        let name = file.to_string_lossy();
        let given = arguments.iter().map(|argument| argument.replace(FILE_ARGUMENT, &name).into_bytes());
        let mut input = Input { argv: std::iter::once(PROGRAM.to_vec()).chain(given).collect(), ..Input::default() };
        let bytes = read_input(file)?;
        match is_named {
            true => input.files.push((name.into_owned(), bytes)),
            false => input.stdin = bytes,
        }
        tests.push((name_of(file), input));
    }
    Ok(tests)
}

/// The bytes of an input.
pub(super) fn read_input(path: &Path) -> Result<Vec<u8>, UniverseError> {
    read(path, MAX_FILE)
}

/// A file of the folder that tests run in; `None` if there is none, or it is too large.
pub fn file_in(cwd: &Path, name: &[u8]) -> Option<(String, Vec<u8>)> {
    let name = String::from_utf8(name.to_vec()).ok()?;
    let path = cwd.join(&name);
    path.is_file().then(|| read_input(&path).ok()).flatten().map(|bytes| (name, bytes))
}

fn read(path: &Path, most: u64) -> Result<Vec<u8>, UniverseError> {
    let failed = |source| UniverseError::Read { path: path.display().to_string(), source };
    let size = std::fs::metadata(path).map_err(failed)?.len();
    let too_large = |size| Err(UniverseError::Large { path: path.display().to_string(), size, most });
    if size > most {
        return too_large(size);
    }
    // A device says that it is empty, and may never end.
    let mut bytes = Vec::new();
    std::fs::File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut bytes)).map_err(failed)?;
    if bytes.len() as u64 > most { too_large(bytes.len() as u64) } else { Ok(bytes) }
}

/// Endings of files that hold standard input.
const INPUTS: [&str; 4] = ["in", "stdin", "input", "txt"];

/// Endings of files that hold what is expected.
const OUTCOMES: [&str; 9] = ["out", "expected", "exp", "ans", "golden", "err", "stdout", "stderr", "want"];

fn is_command(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "args" || end == "cmd")
}

fn is_outcome(path: &Path) -> bool {
    path.extension().is_some_and(|end| OUTCOMES.iter().any(|outcome| end == *outcome))
}

fn name_of(path: &Path) -> String {
    path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned())
}

fn path_of(name: &[u8]) -> &Path {
    Path::new(std::str::from_utf8(name).unwrap_or_default())
}

/// Whether all lines begin with the same path, which is not that of an input.
fn has_program(lines: &[(usize, Command)], cwd: &Path) -> bool {
    let Some(first) = lines.first().and_then(|(_, command)| command.words.first()) else { return false };
    let is_input = || {
        let path = cwd.join(path_of(first));
        path.is_file() && !is_executable(&path)
    };
    lines.len() > 1
        && first.contains(&b'/')
        && lines.iter().all(|(_, command)| command.words.first() == Some(first))
        && !is_input()
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|data| data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_: &Path) -> bool {
    true
}

/// What a line says: words, and where standard input comes from. Where output goes does not matter.
#[derive(Debug, Default, PartialEq, Eq)]
struct Command {
    words: Vec<Vec<u8>>,
    stdin: Option<Vec<u8>>,
}

/// What the next word is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Word,
    Input,
    Output,
}

impl Command {
    /// Splits a line as a shell does. Other than in the crate `shlex`, redirections are told from quoted characters.
    fn parse(line: &[u8]) -> Result<Command, String> {
        let mut command = Command::default();
        let mut next = Next::Word;
        let mut word: Option<Vec<u8>> = None;
        let mut bytes = line.strip_suffix(b"\r").unwrap_or(line).iter().copied().peekable();
        loop {
            let byte = bytes.next();
            let ends_word = byte.is_none_or(|byte| b" \t<>|;&".contains(&byte));
            if ends_word && let Some(done) = word.take() {
                // A number before `>` says which output.
                let is_number = byte == Some(b'>') && done.iter().all(u8::is_ascii_digit);
                match next {
                    Next::Word if is_number => {}
                    Next::Word => command.words.push(done),
                    Next::Input => command.stdin = Some(done),
                    Next::Output => {}
                }
                next = Next::Word;
            }
            let Some(byte) = byte else { break };
            match byte {
                b' ' | b'\t' => {}
                b'#' if word.is_none() => break,
                b'<' => next = Next::Input,
                b'>' => {
                    bytes.next_if_eq(&b'>');
                    let joined = bytes.next_if_eq(&b'&').is_some();
                    while joined && bytes.next_if(u8::is_ascii_digit).is_some() {}
                    next = if joined { Next::Word } else { Next::Output };
                }
                b'&' if bytes.peek() == Some(&b'>') => {}
                b'|' | b';' | b'&' => {
                    let what = char::from(byte);
                    return Err(format!("`{what}` joins several commands; quote it if it is part of an argument"));
                }
                b'\'' => {
                    let word = word.get_or_insert_default();
                    loop {
                        match bytes.next().ok_or("a quote has no end")? {
                            b'\'' => break,
                            byte => word.push(byte),
                        }
                    }
                }
                b'"' => {
                    let word = word.get_or_insert_default();
                    loop {
                        match bytes.next().ok_or("a quote has no end")? {
                            b'"' => break,
                            b'\\' => match bytes.next().ok_or("a quote has no end")? {
                                escaped @ (b'"' | b'\\' | b'$' | b'`') => word.push(escaped),
                                other => word.extend([b'\\', other]),
                            },
                            byte => word.push(byte),
                        }
                    }
                }
                b'\\' => word.get_or_insert_default().extend(bytes.next()),
                byte => word.get_or_insert_default().push(byte),
            }
        }
        match next {
            Next::Word => Ok(command),
            Next::Input | Next::Output => Err("a redirection does not say where to".to_owned()),
        }
    }

    /// The input of the program. Its first word is the program's name.
    fn input(&self, cwd: &Path) -> Result<Input, String> {
        let mut input = Input { argv: self.words.clone(), ..Input::default() };
        if let Some(stdin) = &self.stdin {
            let name = path_of(stdin);
            input.stdin = read_input(&cwd.join(name)).map_err(|error| error.to_string())?;
        }
        Ok(input)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use super::*;

    #[test]
    fn lines_are_split_as_a_shell_does() {
        let check = |line: &str, words: &[&str], stdin: Option<&str>| {
            let command = Command::parse(line.as_bytes()).unwrap();
            let text: Vec<String> = command.words.iter().map(|word| String::from_utf8_lossy(word).into()).collect();
            assert_eq!(text, words, "{line}");
            assert_eq!(command.stdin.as_deref(), stdin.map(str::as_bytes), "{line}");
        };
        check(" 958 1  1\t2597\r", &["958", "1", "1", "2597"], None);
        check("", &[], None);
        check("# nothing", &[], None);
        check("-x a#b '#c'", &["-x", "a#b", "#c"], None);
        check("'-?' 'a&' < temp/1.inp", &["-?", "a&"], Some("temp/1.inp"));
        check("<in x>out 2>err y 2>&1 >>more z &>all", &["x", "y", "z"], Some("in"));
        check("'<' \">|\" \\; ''", &["<", ">|", ";", ""], None);
        check(r#""a\"b\\c\n$d" 'it'"'"'s'"#, &[r#"a"b\c\n$d"#, "it's"], None);
        check("12>out 3", &["3"], None);
        for (line, what) in [
            ("a | b", "`|` joins several commands; quote it if it is part of an argument"),
            ("'a", "a quote has no end"),
            ("a <", "a redirection does not say where to"),
        ] {
            assert_eq!(Command::parse(line.as_bytes()).unwrap_err(), what);
        }
    }

    fn words(tests: &[Named]) -> Vec<(&str, Vec<String>, String)> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        tests
            .iter()
            .map(|(name, input)| (name.as_str(), input.argv.iter().map(|arg| text(arg)).collect(), text(&input.stdin)))
            .collect()
    }

    fn row(name: &str, argv: &[&str], stdin: &str) -> (String, Vec<String>, String) {
        (name.to_owned(), argv.iter().map(|arg| (*arg).to_owned()).collect(), stdin.to_owned())
    }

    fn check(found: &[Named], expect: &[(String, Vec<String>, String)]) {
        let expect: Vec<_> =
            expect.iter().map(|(name, argv, stdin)| (name.as_str(), argv.clone(), stdin.clone())).collect();
        assert_eq!(words(found), expect);
    }

    #[test]
    fn files_of_command_lines() {
        let dir = tempfile::tempdir().unwrap();
        let cwd = dir.path();
        std::fs::create_dir(cwd.join("in")).unwrap();
        std::fs::write(cwd.join("in/a"), "hello").unwrap();
        let lines = |name: &str, text: &str| {
            std::fs::write(cwd.join(name), text).unwrap();
            command_lines(&cwd.join(name), cwd)
        };
        check(
            &lines("universe", "1 2\n\n# more\n-x < in/a\n").unwrap(),
            &[row("1", &["program", "1", "2"], ""), row("4", &["program", "-x"], "hello")],
        );
        check(
            &lines("named", "./p 1 > o\n./p < in/a\n").unwrap(),
            &[row("1", &["./p", "1"], ""), row("2", &["./p"], "hello")],
        );
        // The same input each time is no program.
        check(&lines("files", "in/a 1\nin/a 2\n").unwrap()[..1], &[row("1", &["program", "in/a", "1"], "")]);
        check(
            &lines("all.sh", "echo begin\ncd in\n../p.exe x < a > ../o\n").unwrap(),
            &[row("3", &["../p.exe", "x"], "hello")],
        );
        let error = lines("wrong", "ok\n< in/b\n").unwrap_err().to_string();
        assert!(error.contains("wrong:2: cannot read ") && error.contains("in/b"), "{error}");
        check(&lines("nothing", "1 < /dev/null\n").unwrap(), &[row("1", &["program", "1"], "")]);
        assert!(lines("endless", "1 < /dev/zero\n").is_err());
    }

    #[test]
    fn folders_of_files() {
        let dir = tempfile::tempdir().unwrap();
        let files = [("t1.args", "-x 'a b'\n"), ("t1.in", "one"), ("t1.out", "x"), ("t2", "two"), ("t3.out", "three")];
        for (name, text) in files {
            std::fs::write(dir.path().join(name), text).unwrap();
        }
        let tests = folder(dir.path(), &["-q".to_owned()], dir.path()).unwrap();
        check(
            &tests,
            &[
                row("t1", &["program", "-x", "a b"], "one"),
                row("t2", &["program", "-q"], "two"),
                row("t3.out", &["program", "-q"], "three"),
            ],
        );
        let named = folder(dir.path(), &["@@".to_owned()], dir.path()).unwrap();
        assert_eq!((named[1].1.files[0].1.as_slice(), named[1].1.stdin.len()), (&b"two"[..], 0));
    }
}
