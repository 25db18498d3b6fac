//! Targets whose bytes are files: suites, stores, bitcode, databases of compilations.

use build::{Environment, Options};
use compare::impacted::suite::About;
use compare::store::{Key, Store};
use compare::suite::{FILE, Tests, Writer, ktest as ktests, show};
use ir::module::Module;
use std::path::Path;
use std::time::Duration;

/// A folder of its own for each input: nothing of the last one is left. A machine without room is no finding.
fn in_folder(work: impl FnOnce(&Path)) {
    if let Ok(folder) = tempfile::tempdir() {
        work(folder.path());
    }
}

fn put(folder: &Path, name: &str, bytes: &[u8]) -> bool {
    std::fs::write(folder.join(name), bytes).is_ok()
}

/// A program to read tests for: a function of numbers and pointers, and a `main`.
fn program() -> Option<Module> {
    ir::parse::parse(
        "@g = global i32 7\n\
         define i32 @f(i32 %x, ptr %p) {\n%v = load i32, ptr %p\n%s = add i32 %v, %x\nstore i32 %s, ptr @g\nret i32 %s\n}\n\
         define i32 @main(i32 %argc, ptr %argv) {\nret i32 %argc\n}\n",
    )
    .ok()
}

/// A suite of ours. What is read can be shown, and written and read again as the same.
pub fn suite(bytes: &[u8]) {
    in_folder(|folder| {
        if !put(folder, FILE, bytes) {
            return;
        }
        if let Ok(tests) = Tests::open(folder) {
            let header = tests.header.clone();
            let tests: Result<Vec<_>, _> = tests.collect();
            if let Ok(tests) = tests {
                tests.iter().for_each(|test| drop(show::test(&header, test)));
                let again = folder.join("again");
                let mut writer = Writer::create(&again, header).unwrap_or_else(|error| panic!("{error}"));
                tests.iter().for_each(|test| writer.push(test).unwrap_or_else(|error| panic!("{error}")));
                writer.finish().unwrap_or_else(|error| panic!("{error}"));
                let read = Tests::open(&again).unwrap_or_else(|error| panic!("what was written is no suite: {error}"));
                let read: Result<Vec<_>, _> = read.collect();
                let read = read.unwrap_or_else(|error| panic!("what was written is no test: {error}"));
                assert_eq!(tests.len(), read.len());
            }
        }
        if let Some(module) = program() {
            let about = About { function: None, arguments: vec!["@@".to_owned()], cwd: Some(folder.to_owned()) };
            let _ = compare::impacted::suite::read(&module, folder, &about);
            // The same as a file of command lines, and as standard input of a test.
            if std::fs::rename(folder.join(FILE), folder.join("lines")).is_ok() {
                let _ = compare::impacted::suite::read(&module, &folder.join("lines"), &about);
            }
            if std::fs::rename(folder.join("lines"), folder.join("a.cmd")).is_ok() {
                let _ = compare::impacted::suite::read(&module, folder, &about);
            }
        }
    });
}

/// A test of KLEE. What is read is written as the same, and may stand for an input.
pub fn ktest(bytes: &[u8]) {
    let Ok(test) = ktests::decode(bytes) else { return };
    let again = ktests::decode(&ktests::encode(&test)).unwrap_or_else(|(at, error)| panic!("{at}: {error}"));
    assert_eq!(test, again);
    let Some(module) = program() else { return };
    for entry in module.functions.ids() {
        if let Ok(input) = ktests::to_input(&module, entry, &test) {
            ktests::from_input(&module, entry, &input);
        }
    }
}

/// A store that somebody else has written.
pub fn store(bytes: &[u8]) {
    in_folder(|folder| {
        let path = folder.join("store");
        if !put(folder, "store", bytes) {
            return;
        }
        let Ok(own) = Key::random() else { return };
        let Ok((store, _)) = Store::open(&path, own) else { return };
        let _ = store.info();
        for key in [0, 1, u128::MAX] {
            let _ = store.verdict(key);
            let _ = store.impact(key);
            let _ = store.tree(key);
            let _ = store.progress(key);
            let _ = store.memory().get(key);
        }
        let _ = store.put_verdict(1, "f", "verdict");
        let _ = store.finish();
        let _ = store.clear();
    });
}

/// Bitcode, read by whichever tool of LLVM there is, in a process of its own.
pub fn bitcode(bytes: &[u8]) {
    in_folder(|folder| {
        if !put(folder, "a.bc", bytes) {
            return;
        }
        let options = Options { timeout: Duration::from_secs(5), max_bytes: 16 << 20, ..Options::default() };
        let path = std::env::var_os("PATH").unwrap_or_default();
        let env = Environment { path, temp: folder.to_owned(), bitcode_helper: None };
        match build::load(&folder.join("a.bc"), &options, &env) {
            Ok(mut built) => drop(ir::promote::promote(&mut built.module)),
            Err(error) => drop((error.to_string(), error.help())),
        }
    });
}

/// A list of what is compiled; nothing is compiled.
pub fn compile_commands(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match build::compile_db::sources(Path::new("/project/compile_commands.json"), &text) {
        Ok(sources) => drop(sources),
        Err(error) => drop((error.to_string(), error.help())),
    }
}
