//! What whole programs are given: arguments and standard input; and what the world around them is taken to be.

use super::couple::unmarked;
use evidence::Assumption;
use exec::entry::{Bytes, Shell};
use ir::constant::ConstKind;
use ir::id::{FuncId, SymbolId};
use ir::inst::{InstKind, Value};
use ir::module::{Module, SymbolKind};
use std::collections::BTreeSet;

/// Arguments that a program is given beside its name, unless it asks for more, and most of them.
const ARGUMENTS: u64 = 3;
const MOST_ARGUMENTS: u64 = 32;

/// What a program is called.
const NAME: &str = "program";

/// Characters of an argument and of standard input of a program that is tried, of the latter in the second half of all.
pub const TRIED_ARGUMENT: u64 = 16;
pub const TRIED_INPUT: u64 = 80;
pub const TRIED_LONG_INPUT: u64 = 320;

/// What `main` is given: some arguments and some standard input, or less.
pub fn shell(arguments: u64, characters: u64, input: u64) -> Shell {
    let mut argv = vec![Bytes::Known(NAME.as_bytes().to_vec())];
    argv.extend((0..arguments).map(|_| Bytes::Unknown(characters)));
    Shell { argv, stdin: Bytes::Unknown(input), files: Vec::new(), or_less: true }
}

/// Whether a program may read its standard input: it uses something that does.
pub fn reads_input(module: &Module) -> bool {
    const READING: [&str; 8] = ["getc", "gets", "getline", "getdelim", "scanf", "read", "stdin", "getw"];
    module.symbols.ids().any(|id| {
        let name = module.symbol_name(id);
        let of_cpp = name == "_ZSt3cin" || name.contains("basic_istream");
        let is_elsewhere = match module.symbols[id].kind {
            SymbolKind::Function(function) => !module.functions[function].is_defined(),
            SymbolKind::Variable(variable) => module.globals[variable].initializer.is_none(),
            _ => false,
        };
        of_cpp || is_elsewhere && READING.iter().any(|part| name.contains(part))
    })
}

/// What is taken for granted of the world around a program, by what of the C library tells of it; the environment comes first,
/// since `main` may be given it.
const WORLD: [(Assumption, &[&str]); 6] = [
    (Assumption::EmptyEnvironment, &["getenv", "secure_getenv", "environ", "__environ", "_environ"]),
    (
        Assumption::NoOtherFiles,
        &[
            "fopen",
            "fopen64",
            "freopen",
            "freopen64",
            "open",
            "open64",
            "openat",
            "creat",
            "access",
            "stat",
            "stat64",
            "lstat",
            "remove",
            "unlink",
            "rename",
            "opendir",
            "mkdir",
            "rmdir",
            "chdir",
            "readlink",
            "realpath",
        ],
    ),
    (Assumption::NoTerminal, &["isatty", "ttyname"]),
    (Assumption::InputAtBeginning, &["ftell", "ftello", "fseek", "fseeko", "lseek", "rewind", "fgetpos"]),
    (Assumption::ReadingWorks, &["ferror", "ferror_unlocked"]),
    (
        Assumption::ProgramName,
        &["program_invocation_name", "program_invocation_short_name", "__progname", "getprogname"],
    ),
];

/// What is always said of a program that may know its name.
pub fn called(module: &Module, entries: [FuncId; 2]) -> Option<Assumption> {
    let takes_arguments = entries.iter().any(|&entry| module.functions[entry].params.len() > 1);
    takes_arguments.then(|| Assumption::CalledAs { program: NAME.to_owned() })
}

/// What is taken for granted of the world around a program that uses some symbols.
pub fn world(module: &Module, entries: [FuncId; 2], used: &BTreeSet<SymbolId>) -> Vec<Assumption> {
    let is_elsewhere = |id: SymbolId| match module.symbols[id].kind {
        SymbolKind::Function(id) => !module.functions[id].is_defined(),
        SymbolKind::Variable(id) => module.globals[id].initializer.is_none(),
        _ => false,
    };
    let names: BTreeSet<&str> =
        used.iter().filter(|id| is_elsewhere(**id)).map(|&id| unmarked(module.symbol_name(id))).collect();
    let takes_it = entries.iter().any(|&entry| module.functions[entry].params.len() > 2);
    let is_there = |(number, (_, uses)): &(usize, &(Assumption, &[&str]))| {
        uses.iter().any(|name| names.contains(name)) || *number == 0 && takes_it
    };
    WORLD.iter().enumerate().filter(is_there).map(|(_, (what, _))| what.clone()).collect()
}

/// How many arguments a program may want: as many as their number is compared with, none if it does not even take them.
pub fn arguments(module: &Module, entries: [FuncId; 2]) -> u64 {
    if entries.iter().all(|&entry| module.functions[entry].params.is_empty()) {
        return 0;
    }
    let mut most = ARGUMENTS;
    for entry in entries {
        for (_, _, inst) in module.functions[entry].body() {
            if let InstKind::Compare { left: Value::Arg(0), right: Value::Const(id), .. } = inst.kind
                && let ConstKind::Int(number) = module.consts[id].kind
                && let Ok(number) = u64::try_from(number)
                && number <= MOST_ARGUMENTS
            {
                most = most.max(number);
            }
        }
    }
    most
}
