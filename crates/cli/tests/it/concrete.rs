//! Whole programs with known inputs, run by the interpreter: their output is that of the normal build.

use crate::real_programs::{self, Program};
use crate::support::{clang, full, must_run, pathshift, run_limited, scratch};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// How many seeds there are and how many programs must have been compared.
const SHORT: (u32, u32) = (8, 4);
const LONG: (u32, u32) = (800, 500);

#[test]
fn random_programs() {
    let (seeds, enough) = if full() { LONG } else { SHORT };
    let compared = (1..=seeds).filter(|&seed| random_program(seed)).count() as u32;
    println!("{compared} programs of {seeds} agree, the others did not end in time");
    assert!(compared >= enough, "only {compared} programs of {seeds} ended in time");
}

/// False if the program does not end in time.
fn random_program(seed: u32) -> bool {
    let dir = scratch();
    let source = dir.path().join("random.c");
    let mut csmith = Command::new("csmith");
    csmith.current_dir(dir.path()).arg("--seed").arg((seed + 5000).to_string()).arg("--output").arg(&source);
    must_run(&csmith);
    let direct = dir.path().join("direct");
    let path = source.to_str().unwrap();
    must_run(&clang(19, &["-O0", "-w", "-I/usr/include/csmith", path, "-o", direct.to_str().unwrap()]));
    let Some(native) = run_limited(&Command::new(&direct), Duration::from_millis(100)) else { return false };
    let mut command = pathshift();
    command.arg("explore").arg(&source).args(["--cflags", "-w -I/usr/include/csmith"]);
    let outcome = outcome(command, &format!("csmith seed {}", seed + 5000));
    assert!(outcome.contains(&format!("prints \"{}\"", native.stdout.escape_ascii())), "seed {seed}: {outcome}");
    true
}

#[test]
fn lua() {
    let mut program = real_programs::lua_program();
    // What depends on the time of day is not the same twice.
    program.flags.push("-Dluai_makeseed(L)=7".to_owned());
    check(&program);
}

#[test]
fn sqlite() {
    let mut program = real_programs::sqlite_program();
    program.flags.push("-DSQLITE_THREADSAFE=0".to_owned());
    check(&program);
}

#[test]
fn zlib() {
    check(&real_programs::zlib_program());
}

#[test]
fn bzip2() {
    check(&real_programs::bzip2_program());
}

#[test]
fn lz4() {
    check(&real_programs::lz4_program());
}

/// Runs a program natively and in the interpreter, from a compilation database.
fn check(program: &Program) {
    let dir = scratch();
    let direct = dir.path().join("direct");
    let mut build = clang(19, &["-O0", "-w", "-o"]);
    build.arg(&direct).args(&program.flags).args(&program.units).args(program.libraries);
    must_run(&build);
    let native = real_programs::run(&direct, program);
    let commands: Vec<Value> = program
        .units
        .iter()
        .map(|unit| {
            let mut arguments = vec!["clang".to_owned(), "-w".to_owned(), "-c".to_owned()];
            arguments.extend(program.flags.iter().cloned());
            arguments.push(unit.display().to_string());
            json!({"directory": dir.path(), "file": unit, "arguments": arguments})
        })
        .collect();
    std::fs::write(dir.path().join("compile_commands.json"), Value::from(commands).to_string()).unwrap();
    let mut command = pathshift();
    command.arg("explore").arg(dir.path());
    for arg in &program.args {
        command.arg("--argv").arg(arg);
        if Path::new(arg).exists() {
            command.arg("--file").arg(format!("{arg}=@{arg}"));
        }
    }
    let outcome = outcome(command, program.name);
    assert!(
        outcome.contains(&format!("prints \"{}\"", native.escape_ascii())),
        "{}: {outcome}\nnative: {}",
        program.name,
        native.escape_ascii()
    );
}

/// What comes of the only path.
fn outcome(mut command: Command, what: &str) -> String {
    command.args(["--no-replay", "--steps", "2000000000", "--timeout", "600", "--format", "json"]);
    let output = command.output().unwrap();
    let result: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{what}: {error}\n{}", String::from_utf8_lossy(&output.stderr)));
    let paths = result["paths"].as_array().unwrap();
    assert_eq!(paths.len(), 1, "{what}: {} {}", paths[0]["outcome"], result["undecided"]);
    assert_eq!(paths[0]["end"], "returned", "{what}: {} {}", paths[0]["outcome"], result["undecided"]);
    paths[0]["outcome"]["words"].as_str().unwrap().to_owned()
}
