//! KLEE's `.ktest` files: read, written, and mapped to inputs.
//!
//! A file holds the command line and named objects of bytes, numbers in big-endian order. For a function, an object has
//! the name of a parameter (its value, or for a pointer what it leads to) or of a global variable. For a program they are
//! named as KLEE's model of POSIX names them: `arg00`, `n_args`, `stdin`, `A-data` with their `-stat`.

use std::fs;
use std::path::{Path, PathBuf};

use exec::case::{CallResult, Datum, Input, Memory, Target, Written};
use exec::models::harness::makes_input;
use ir::id::FuncId;
use ir::module::{Module, SymbolKind};
use ir::types::Type;
use smt::bits::Bits;

use super::{SuiteError, signature};

/// The version that is written.
const VERSION: u32 = 3;
const MAGIC: &[u8; 5] = b"KTEST";
/// What the file began with in old versions.
const OLD_MAGIC: &[u8; 5] = b"BOUT\n";
/// Largest file that is read, in bytes.
const MAX_FILE: u64 = 1 << 30;

/// The contents of a `.ktest` file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KTest {
    /// The command line.
    pub args: Vec<Vec<u8>>,
    /// Number of symbolic arguments; 0 in files of today.
    pub sym_argvs: u32,
    /// Their length; 0 in files of today.
    pub sym_argv_len: u32,
    /// Objects by name.
    pub objects: Vec<(String, Vec<u8>)>,
}

/// Why a `.ktest` file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KTestError {
    /// A file or folder cannot be read or written.
    #[error(transparent)]
    File(#[from] SuiteError),
    /// The file is not in the format.
    #[error("{}: {message} (byte {offset})", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Where, in bytes.
        offset: usize,
        /// What is wrong.
        message: String,
    },
}

/// Reads the bytes of a file; the offset and what is wrong there otherwise.
pub fn decode(bytes: &[u8]) -> Result<KTest, (usize, String)> {
    let mut cursor = Cursor { bytes, at: 0 };
    let magic = cursor.take(MAGIC.len())?;
    if magic != MAGIC && magic != OLD_MAGIC {
        return Err((0, "this is no .ktest file".to_owned()));
    }
    let version = cursor.number()?;
    if version == 0 || version > VERSION {
        return Err((5, format!("version {version} is not known; versions 1 to {VERSION} are")));
    }
    let mut test = KTest::default();
    for _ in 0..cursor.number()? {
        test.args.push(cursor.string()?.to_vec());
    }
    if version >= 2 {
        test.sym_argvs = cursor.number()?;
        test.sym_argv_len = cursor.number()?;
    }
    for _ in 0..cursor.number()? {
        let name = String::from_utf8_lossy(cursor.string()?).into_owned();
        test.objects.push((name, cursor.string()?.to_vec()));
    }
    Ok(test)
}

/// The bytes of a file.
pub fn encode(test: &KTest) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    let number = |out: &mut Vec<u8>, number: usize| out.extend(u32::try_from(number).unwrap_or(u32::MAX).to_be_bytes());
    let string = |out: &mut Vec<u8>, bytes: &[u8]| {
        number(out, bytes.len());
        out.extend(bytes);
    };
    out.extend(VERSION.to_be_bytes());
    number(&mut out, test.args.len());
    test.args.iter().for_each(|arg| string(&mut out, arg));
    out.extend(test.sym_argvs.to_be_bytes());
    out.extend(test.sym_argv_len.to_be_bytes());
    number(&mut out, test.objects.len());
    for (name, bytes) in &test.objects {
        string(&mut out, name.as_bytes());
        string(&mut out, bytes);
    }
    out
}

/// Reads every `.ktest` file of a folder in the order of names, or one file.
pub fn read(path: &Path) -> Result<Vec<(PathBuf, KTest)>, KTestError> {
    let io = |path: &Path, error| SuiteError::Io { action: "read", path: path.to_owned(), error };
    let mut paths = Vec::new();
    if path.is_dir() {
        for entry in fs::read_dir(path).map_err(|error| io(path, error))? {
            let entry = entry.map_err(|error| io(path, error))?.path();
            if entry.extension().is_some_and(|extension| extension == "ktest") {
                paths.push(entry);
            }
        }
        paths.sort();
    } else {
        paths.push(path.to_owned());
    }
    let read = |path: PathBuf| {
        let length = fs::metadata(&path).map_err(|error| io(&path, error))?.len();
        if length > MAX_FILE {
            let message = format!("the file has more than {MAX_FILE} bytes");
            return Err(KTestError::Format { path, offset: 0, message });
        }
        let bytes = fs::read(&path).map_err(|error| io(&path, error))?;
        match decode(&bytes) {
            Ok(test) => Ok((path, test)),
            Err((offset, message)) => Err(KTestError::Format { path, offset, message }),
        }
    };
    paths.into_iter().map(read).collect()
}

/// Writes tests to a folder as KLEE does: `test000001.ktest` and so on.
pub fn write<'t>(dir: &Path, tests: impl IntoIterator<Item = &'t KTest>) -> Result<(), KTestError> {
    let io = |path: &Path, error| SuiteError::Io { action: "write", path: path.to_owned(), error };
    fs::create_dir_all(dir).map_err(|error| io(dir, error))?;
    for (number, test) in (1..).zip(tests) {
        let path = dir.join(format!("test{number:06}.ktest"));
        fs::write(&path, encode(test)).map_err(|error| io(&path, error))?;
    }
    Ok(())
}

/// The input that a test stands for, or why it stands for none of this entry.
pub fn to_input(module: &Module, entry: FuncId, test: &KTest) -> Result<Input, String> {
    if module.function_name(entry) == "main" {
        return program_input(test);
    }
    let function = &module.functions[entry];
    let header = signature::header(module, entry);
    let mut input = Input::default();
    let mut used = vec![false; test.objects.len()];
    for ((name, _), param) in header.params.iter().zip(&function.params) {
        let found = test.objects.iter().position(|(other, _)| other == name);
        let bytes = found.map(|index| {
            used[index] = true;
            &test.objects[index].1
        });
        let layout = module.type_layouts.get(param.ty).ok_or(format!("parameter `{name}` has no size"))?;
        let value = match (module.types.resolve(param.ty), bytes) {
            (Type::Ptr(_), None) => Datum::Pointer(Target::Null),
            (Type::Ptr(_), Some(bytes)) => {
                input.objects.push(Memory { name: name.clone(), bytes: bytes.clone(), align: 16, ..Memory::default() });
                Datum::Pointer(Target::Object { index: input.objects.len() - 1, offset: 0 })
            }
            (_, None) => return Err(format!("the test has no object `{name}`")),
            (Type::Int(_) | Type::Float(_), Some(bytes)) if bytes.len() as u64 >= layout.store_size => {
                Datum::Bits(from_bytes(bytes, layout.bits as u32))
            }
            (Type::Int(_) | Type::Float(_), Some(bytes)) => {
                return Err(format!("object `{name}` has {} bytes, not {}", bytes.len(), layout.store_size));
            }
            _ => return Err(format!("parameter `{name}` is an aggregate")),
        };
        input.args.push(value);
    }
    for ((name, bytes), used) in test.objects.iter().zip(used) {
        if used || name == "model_version" {
            continue;
        }
        let global = module
            .symbols
            .iter_ids()
            .find(|(id, symbol)| module.symbol_label(*id) == name && matches!(symbol.kind, SymbolKind::Variable(_)));
        if global.is_none() {
            return Err(format!("there is no parameter or global variable `{name}`"));
        }
        let memory = Memory { name: name.clone(), bytes: bytes.clone(), align: 1, ..Memory::default() };
        input.globals.push((name.clone(), memory));
    }
    Ok(input)
}

/// The test for an input, and what of the input has no place in it.
pub fn from_input(module: &Module, entry: FuncId, input: &Input) -> (KTest, Vec<String>) {
    if module.function_name(entry) == "main" && input.args.is_empty() {
        return from_program_input(input);
    }
    let header = signature::header(module, entry);
    let mut test = KTest { args: vec![module.function_name(entry).as_bytes().to_vec()], ..KTest::default() };
    let mut notes = Vec::new();
    for ((name, _), value) in header.params.iter().zip(&input.args) {
        let object = match value {
            Datum::Bits(bits) => to_bytes(bits),
            Datum::Pointer(Target::Null) => continue,
            Datum::Pointer(Target::Object { index, offset: 0 }) => match input.objects.get(*index) {
                Some(memory) => {
                    if !memory.pointers.is_empty() {
                        notes.push(format!("pointers in what `{name}` leads to are left out"));
                    }
                    memory.bytes.clone()
                }
                None => continue,
            },
            _ => {
                notes.push(format!("the value of `{name}` is left out"));
                continue;
            }
        };
        test.objects.push((name.clone(), object));
    }
    for (name, memory) in &input.globals {
        if !memory.pointers.is_empty() {
            notes.push(format!("pointers in `{name}` are left out"));
        }
        test.objects.push((name.clone(), memory.bytes.clone()));
    }
    if !add_made(&mut test, input) {
        notes.push("answers of outside functions are left out".to_owned());
    }
    (test, notes)
}

/// Adds what a harness made up, in the order of its calls; whether that is all that the outside answered.
fn add_made(test: &mut KTest, input: &Input) -> bool {
    // Further inputs of a name have a number behind it, for us alone.
    let own_name = |name: &str| name.split('#').next().unwrap_or(name).to_owned();
    let mut all = true;
    for result in &input.results {
        match (&result.result, result.function.as_str()) {
            (Datum::Any, "klee_make_symbolic") => {
                let made = result.writes.iter().map(|written| &written.memory);
                test.objects.extend(made.map(|memory| (own_name(&memory.name), memory.bytes.clone())));
            }
            (Datum::Bits(bits), _) if !result.name.is_empty() => {
                test.objects.push((own_name(&result.name), to_bytes(bits)));
            }
            (_, function) => all &= makes_input(function),
        }
    }
    all
}

/// How many words follow an option of KLEE's model of POSIX; `None` if it is none.
fn option_words(word: &[u8]) -> Option<usize> {
    let name = word.strip_prefix(b"--").or_else(|| word.strip_prefix(b"-"))?;
    Some(match name {
        b"sym-arg" | b"sym-stdin" | b"max-fail" => 1,
        b"sym-files" => 2,
        b"sym-args" => 3,
        b"sym-stdout" | b"save-all-writes" | b"fd-fail" | b"fd-fails" => 0,
        _ => return None,
    })
}

fn program_input(test: &KTest) -> Result<Input, String> {
    let mut input = Input::default();
    let until_zero = |bytes: &[u8]| bytes.split(|byte| *byte == 0).next().unwrap_or_default().to_vec();
    let is_arg =
        |name: &str| name.strip_prefix("arg").is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    let mut symbolic = test.objects.iter().filter(|(name, _)| is_arg(name)).map(|(_, bytes)| until_zero(bytes));
    let mut counts =
        test.objects.iter().filter(|(name, _)| name == "n_args").map(|(_, bytes)| from_bytes(bytes, 32).low());
    let mut words = test.args.iter();
    input.argv.push(words.next().cloned().unwrap_or_else(|| b"program".to_vec()));
    let mut options = false;
    while let Some(word) = words.next() {
        let Some(more) = option_words(word) else {
            input.argv.push(word.clone());
            continue;
        };
        let count = match (word.ends_with(b"sym-arg"), more) {
            (true, _) => 1,
            (_, 3) => counts.next().unwrap_or(0),
            _ => 0,
        };
        options |= count > 0;
        for _ in 0..more {
            words.next();
        }
        for _ in 0..count {
            input.argv.extend(symbolic.next());
        }
    }
    if !options {
        input.argv.extend(symbolic);
    }
    for (name, bytes) in &test.objects {
        if name == "stdin" {
            input.stdin.clone_from(bytes);
        } else if let Some(file) = name.strip_suffix("-data") {
            input.files.push((file.to_owned(), bytes.clone()));
        } else if !is_arg(name) && !name.ends_with("-stat") && name != "model_version" && name != "n_args" {
            made_up(&mut input, name, bytes);
        }
    }
    Ok(input)
}

/// Adds what a harness made up with `klee_make_symbolic`.
fn made_up(input: &mut Input, name: &str, bytes: &[u8]) {
    // Further inputs of a name have a number behind it, for us alone.
    let own_name = |made: &CallResult| made.writes.iter().any(|made| made.memory.name.split('#').next() == Some(name));
    let earlier = input.results.iter().filter(|made| own_name(made)).count();
    let name = if earlier == 0 { name.to_owned() } else { format!("{name}#{}", earlier + 1) };
    let memory = Memory { name, bytes: bytes.to_vec(), align: 1, ..Memory::default() };
    input.results.push(CallResult {
        function: "klee_make_symbolic".to_owned(),
        name: String::new(),
        result: Datum::Any,
        writes: vec![Written { argument: 0, distance: 0, memory }],
    });
}

fn from_program_input(input: &Input) -> (KTest, Vec<String>) {
    let (mut test, mut notes) = (KTest::default(), Vec::new());
    test.args.push(input.argv.first().cloned().unwrap_or_else(|| b"program".to_vec()));
    for (number, arg) in input.argv.iter().skip(1).enumerate() {
        test.args.extend([b"--sym-arg".to_vec(), arg.len().to_string().into_bytes()]);
        let bytes = [arg.as_slice(), &[0]].concat();
        test.objects.push((format!("arg{number:02}"), bytes));
    }
    let mut add_file = |name: &str, bytes: &[u8]| {
        test.objects.push((name.to_owned(), bytes.to_vec()));
        test.objects.push((format!("{name}-stat"), stat(bytes.len())));
    };
    let (mut files, mut longest) = (0, 0);
    for (name, bytes) in &input.files {
        // KLEE calls its files A, B and so on.
        if *name != char::from(b'A' + files).to_string() || files == 25 {
            notes.push(format!("file `{name}` is left out"));
            continue;
        }
        add_file(&format!("{name}-data"), bytes);
        files += 1;
        longest = longest.max(bytes.len());
    }
    if !input.stdin.is_empty() {
        add_file("stdin", &input.stdin);
        test.args.extend([b"--sym-stdin".to_vec(), input.stdin.len().to_string().into_bytes()]);
    }
    if files > 0 {
        let numbers = [files.to_string().into_bytes(), longest.to_string().into_bytes()];
        test.args.push(b"--sym-files".to_vec());
        test.args.extend(numbers);
    }
    if !add_made(&mut test, input) || !input.globals.is_empty() {
        notes.push("answers of outside functions and global variables are left out".to_owned());
    }
    test.objects.push(("model_version".to_owned(), 1u32.to_le_bytes().to_vec()));
    (test, notes)
}

/// What `stat` says of a plain file on x86-64 Linux.
fn stat(size: usize) -> Vec<u8> {
    let mut bytes = vec![0; 144];
    bytes[24..28].copy_from_slice(&0o100_644u32.to_le_bytes());
    bytes[48..56].copy_from_slice(&(size as u64).to_le_bytes());
    bytes[56..64].copy_from_slice(&4096u64.to_le_bytes());
    bytes
}

fn from_bytes(bytes: &[u8], width: u32) -> Bits {
    let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    let words: Vec<u64> = bytes.chunks(8).map(word).collect();
    Bits::from_words(&words, width)
}

fn to_bytes(bits: &Bits) -> Vec<u8> {
    let bytes = bits.words.iter().flat_map(|word| word.to_le_bytes());
    bytes.take((bits.width as usize).div_ceil(8)).collect()
}

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], (usize, String)> {
        let end = self.at.checked_add(count).filter(|end| *end <= self.bytes.len());
        let end = end.ok_or((self.at, "the file ends too early".to_owned()))?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32, (usize, String)> {
        Ok(self.take(4)?.iter().fold(0, |number, byte| number << 8 | u32::from(*byte)))
    }

    fn string(&mut self) -> Result<&'a [u8], (usize, String)> {
        let length = self.number()?;
        self.take(length as usize)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use super::*;

    fn object(name: &str, bytes: &[u8]) -> (String, Vec<u8>) {
        (name.to_owned(), bytes.to_vec())
    }

    #[test]
    fn files_have_klees_bytes() {
        let test =
            KTest { args: vec![b"a.bc".to_vec()], objects: vec![object("x", &[1, 0, 0, 0])], ..KTest::default() };
        let bytes = b"KTEST\0\0\0\x03\0\0\0\x01\0\0\0\x04a.bc\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x01x\0\0\0\x04\x01\0\0\0";
        assert_eq!(encode(&test), bytes);
        assert_eq!(decode(bytes).unwrap(), test);
        for end in 0..bytes.len() {
            assert!(decode(&bytes[..end]).is_err());
        }
        assert_eq!(decode(b"KTEST\0\0\0\x09").unwrap_err().0, 5);
        assert_eq!(decode(b"ELF45\0\0\0\x09").unwrap_err(), (0, "this is no .ktest file".to_owned()));
        assert!(decode(b"KTEST\0\0\0\x03\xff\xff\xff\xff").is_err());
    }

    #[test]
    fn functions_have_objects_by_name() {
        let module =
            ir::parse::parse("@count = global i32 0\ndefine i32 @f(i16 %x, ptr %buf, double %d) { ret i32 0 }\n")
                .unwrap();
        let entry = module.functions.ids().next().unwrap();
        let test = KTest {
            args: vec![b"f".to_vec()],
            objects: vec![
                object("x", &[255, 255]),
                object("buf", b"abc"),
                object("d", &1.5f64.to_le_bytes()),
                object("count", &[9, 0, 0, 0]),
            ],
            ..KTest::default()
        };
        let input = to_input(&module, entry, &test).unwrap();
        assert_eq!(input.args[0], Datum::Bits(Bits::new(0xffff, 16)));
        assert_eq!(input.args[2], Datum::Bits(Bits::new(u128::from(1.5f64.to_bits()), 64)));
        assert_eq!((&*input.objects[0].bytes, &*input.globals[0].0), (&b"abc"[..], "count"));
        assert_eq!(from_input(&module, entry, &input), (test.clone(), Vec::new()));
        let check = |objects: &[(String, Vec<u8>)], expect: &str| {
            let test = KTest { objects: objects.to_vec(), ..KTest::default() };
            assert_eq!(to_input(&module, entry, &test).unwrap_err(), expect);
        };
        check(&[], "the test has no object `x`");
        check(&[object("x", &[1])], "object `x` has 1 bytes, not 2");
        check(
            &[object("x", &[1, 1]), object("d", &[0; 8]), object("q", &[])],
            "there is no parameter or global variable `q`",
        );
    }

    #[test]
    fn programs_have_arguments_and_files() {
        let module = ir::parse::parse("define i32 @main(i32 %argc, ptr %argv) { ret i32 0 }\n").unwrap();
        let entry = module.functions.ids().next().unwrap();
        let words = |list: &[&str]| list.iter().map(|word| word.as_bytes().to_vec()).collect::<Vec<_>>();
        // As KLEE writes it for `--sym-args 0 2 3 -x --sym-arg 2 --sym-files 1 4 --sym-stdin 3`.
        let test = KTest {
            args: words(&["p.bc", "--sym-args", "0", "2", "3", "-x", "--sym-arg", "2", "--sym-files", "1", "4"]),
            objects: vec![
                object("n_args", &[1, 0, 0, 0]),
                object("arg00", b"ab\0\0"),
                object("arg01", b"c\0\0"),
                object("A-data", b"file"),
                object("A-data-stat", &[0; 144]),
                object("stdin", b"in\n"),
                object("stdin-stat", &[0; 144]),
                object("model_version", &[1, 0, 0, 0]),
            ],
            ..KTest::default()
        };
        let input = to_input(&module, entry, &test).unwrap();
        assert_eq!(input.argv, words(&["p.bc", "ab", "-x", "c"]));
        assert_eq!((&*input.stdin, &input.files[0]), (&b"in\n"[..], &("A".to_owned(), b"file".to_vec())));
        let (written, notes) = from_input(&module, entry, &input);
        assert!(notes.is_empty());
        assert_eq!(to_input(&module, entry, &decode(&encode(&written)).unwrap()).unwrap(), input);
        let made = KTest { objects: vec![object("x", &[1]), object("x", &[2])], ..KTest::default() };
        let input = to_input(&module, entry, &made).unwrap();
        let names: Vec<&str> = input.results.iter().map(|made| made.writes[0].memory.name.as_str()).collect();
        assert_eq!(names, ["x", "x#2"]);
        assert_eq!(from_input(&module, entry, &input).0.objects[..2], made.objects);
    }

    #[test]
    fn folders_are_read_in_order() {
        let dir = tempfile::tempdir().unwrap();
        let tests: Vec<KTest> =
            (0..12).map(|n| KTest { objects: vec![object("x", &[n])], ..KTest::default() }).collect();
        write(dir.path(), &tests).unwrap();
        fs::write(dir.path().join("info"), "other").unwrap();
        let read_back: Vec<KTest> = read(dir.path()).unwrap().into_iter().map(|(_, test)| test).collect();
        assert_eq!(read_back, tests);
        fs::write(dir.path().join("test000099.ktest"), "KTEST").unwrap();
        let error = read(dir.path()).unwrap_err().to_string();
        assert!(error.ends_with("test000099.ktest: the file ends too early (byte 5)"), "{error}");
    }
}
