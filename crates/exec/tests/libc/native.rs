//! Programs of known input print the same and end with the same code as natively.

use exec::entry::{Bytes, Entry, Shell};
use exec::models::prelude;
use exec::program::{Options, Program};
use exec::run::Worker;
use exec::state::{Effect, End, State, Stop};
use exec::step::execute;
use exec::value::Value;
use smt::eval::{Evaluator, Model};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a program wrote and how it ended.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    out: String,
    error: String,
    code: Option<u8>,
}

macro_rules! programs {
    ($($name:ident),* $(,)?) => {
        $(
            #[test]
            fn $name() {
                check(stringify!($name));
            }
        )*
    };
}

programs!(
    alloc, ctype, errors, exits, files, floats, formats, getopts, inputs, jumps, numbers, random, scan, search,
    sorting, strings, variadic,
);

/// Compiles a program to a module.
pub fn module_of(source: &Path, dir: &Path) -> ir::module::Module {
    let ll = dir.join("program.ll");
    must_run(Command::new("clang-19").args(["-w", "-g", "-O0", "-S", "-emit-llvm"]).arg(source).arg("-o").arg(&ll));
    let module = ir::parse::parse(&std::fs::read_to_string(ll).unwrap()).unwrap();
    prelude::link(module).unwrap()
}

fn check(name: &str) {
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/libc/programs").join(format!("{name}.c"));
    let input = std::fs::read(source.with_extension("in")).unwrap_or_default();
    let dir = tempfile::tempdir().unwrap();
    let args = ["-a", "one", "-b", "value", "two", "--long=5", "three", "-x"];
    let expect = native(&source, &input, &args, dir.path());
    let seen = interpret(module_of(&source, dir.path()), &input, &args);
    let different = seen.out.lines().zip(expect.out.lines()).position(|(a, b)| a != b);
    if let Some(line) = different {
        let at = |text: &str| text.lines().nth(line).map(str::to_owned);
        panic!("{name}, line {}: {:?}, natively {:?}", line + 1, at(&seen.out), at(&expect.out));
    }
    assert_eq!(seen, expect, "{name}");
}

fn native(source: &Path, input: &[u8], args: &[&str], dir: &Path) -> Seen {
    let program = dir.join("program");
    must_run(Command::new("clang-19").args(["-w", "-O0"]).arg(source).arg("-lm").arg("-o").arg(&program));
    let mut child = Command::new(&program)
        .args(args)
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    // Messages begin with the program's name.
    let error = String::from_utf8_lossy(&output.stderr).replace(&*program.to_string_lossy(), "program");
    let code = output.status.code().map(|code| code as u8);
    Seen { out: String::from_utf8_lossy(&output.stdout).into_owned(), error, code }
}

/// Compiles a program natively: from bytes of standard input to bytes of standard output and exit code.
pub fn native_of(source: &Path, dir: &Path) -> impl Fn(&[u8]) -> (Vec<u8>, Option<u8>) {
    let program = dir.join("program");
    must_run(Command::new("clang-19").args(["-w", "-O0"]).arg(source).arg("-o").arg(&program));
    move |input| {
        let mut command = Command::new(&program);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        // A program that ends without reading closes the pipe.
        let _ = child.stdin.take().unwrap().write_all(input);
        let output = child.wait_with_output().unwrap();
        (output.stdout, output.status.code().map(|code| code as u8))
    }
}

fn interpret(module: ir::module::Module, input: &[u8], args: &[&str]) -> Seen {
    let program = Program::new(module, Options { clock: Some(1_700_000_000), ..Options::default() });
    let functions = &program.module.functions;
    let main = functions.iter_ids().map(|(id, _)| id).find(|&id| program.module.function_name(id) == "main").unwrap();
    let argv = std::iter::once("program").chain(args.iter().copied());
    let argv = argv.map(|arg| Bytes::Known(arg.as_bytes().to_vec())).collect();
    let shell = Shell { argv, stdin: Bytes::Known(input.to_vec()), ..Shell::default() };
    let mut worker = Worker::new(&program, false);
    let mut state = State::new(&program, Entry { function: main, shell: Some(shell.into()) });
    let nothing = Model::default();
    let (mut end, mut why) = (None, String::new());
    for _ in 0..10_000 {
        match execute(&mut worker, &mut state, 100_000_000) {
            Stop::End(End::Returned(Some(Value::Bits(code))) | End::Exited(code)) => {
                end = Evaluator::new(&worker.pool, &nothing).small(code).map(|code| code as u8);
            }
            // Everything is known but what was never assigned and what the outside tells: any value does.
            Stop::Choose(choice) => {
                let mut evaluator = Evaluator::new(&worker.pool, &nothing);
                let holds = choice.conditions.iter().position(|&condition| evaluator.holds(condition) == Some(true));
                state.answer(holds.unwrap() as u32);
                continue;
            }
            other => why = format!("\n{other:?}"),
        }
        break;
    }
    let written = |wanted: u32| {
        let mut bytes = Vec::new();
        for effect in state.effects.to_vec() {
            if let Effect::Output { stream, bytes: written } = effect
                && *stream == wanted
            {
                let mut evaluator = Evaluator::new(&worker.pool, &nothing);
                bytes.extend(written.iter().map(|&byte| evaluator.small(byte).unwrap() as u8));
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    };
    Seen { out: written(1), error: written(2) + &why, code: end }
}

#[track_caller]
fn must_run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}
