//! Small programs, compiled both natively and to IR, run both ways.
//!
//! What a program finds out it tells by `out(number)`, a function outside of it.

use exec::code::Target;
use exec::entry::{Bytes, Entry, Shell};
use exec::program::{Options, Program};
use exec::run::Worker;
use exec::state::{Choice, ChoiceKind, Effect, End, State, Stop};
use exec::step::execute;
use exec::value::Value;
use smt::expr::Expr;
use smt::solver::Limits;
use smt::solver::chain::Chain;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A source language and how it is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    C,
    Cpp,
    Rust,
}

const OUT: &str = "#include <stdio.h>\nvoid out(unsigned long x) { printf(\"%lx\\n\", x); fflush(stdout); }\n";

/// What a program told, and how it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub lines: Vec<String>,
    pub end: Ending,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    Code(u8),
    /// Ended by a signal, or by a fault that natively is one.
    Killed,
    Other(String),
}

/// Compiles to IR.
pub fn ir(language: Language, source: &str, flags: &[&str], dir: &Path) -> ir::module::Module {
    let (file, mut command) = write(language, source, dir);
    let ll = dir.join("program.ll");
    match language {
        Language::Rust => command.args(["-g", "-Cpanic=abort", "-Ccodegen-units=1", "--emit=llvm-ir"]),
        _ => command.args(["-g", "-O0", "-S", "-emit-llvm"]),
    };
    must_run(command.args(flags).arg(&file).arg("-o").arg(&ll));
    ir::parse::parse(&std::fs::read_to_string(ll).unwrap()).unwrap()
}

/// Compiles natively and runs.
pub fn native(language: Language, source: &str, flags: &[&str], dir: &Path) -> Seen {
    let (file, mut command) = write(language, source, dir);
    let (out, program) = (dir.join("out.o"), dir.join("program"));
    std::fs::write(dir.join("out.c"), OUT).unwrap();
    must_run(Command::new("clang-19").arg("-c").arg(dir.join("out.c")).arg("-o").arg(&out));
    match language {
        Language::Rust => command.args(["-g", "-Cpanic=abort"]).arg("-C").arg(format!("link-arg={}", out.display())),
        _ => command.arg("-O0").arg(&out).arg("-lm"),
    };
    must_run(command.args(flags).arg(&file).arg("-o").arg(&program));
    let output = Command::new(program).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let end = output.status.code().map_or(Ending::Killed, |code| Ending::Code(code as u8));
    Seen { lines: text.lines().map(str::to_owned).collect(), end }
}

/// Runs `main` on the interpreter.
pub fn interpret(module: ir::module::Module) -> Seen {
    let module = exec::models::prelude::link(module).unwrap();
    let program = Program::new(module, Options::default());
    let function = find(&program, "main");
    let shell = Shell { argv: vec![Bytes::Known(b"program".to_vec())], ..Shell::default() };
    let mut worker = Worker::new(&program, false);
    let mut state = State::new(&program, Entry { function, shell: Some(shell.into()) });
    let end = match execute(&mut worker, &mut state, 50_000_000) {
        Stop::End(End::Returned(Some(Value::Bits(Expr::Const { bits, .. })))) => Ending::Code(bits as u8),
        Stop::End(End::Exited(Expr::Const { bits, .. })) => Ending::Code(bits as u8),
        Stop::End(End::Fault { .. }) => Ending::Killed,
        other => Ending::Other(format!("{other:?}")),
    };
    Seen { lines: lines(&state), end }
}

/// What a state wrote to standard output, with what it told.
fn lines(state: &State) -> Vec<String> {
    let mut text = Vec::new();
    for effect in state.effects.to_vec() {
        match effect {
            Effect::Call { function, args, .. } if &**function == "out" => match args.first() {
                Some(Value::Bits(Expr::Const { bits, .. })) => text.extend(format!("{bits:x}\n").bytes()),
                other => text.extend(format!("unknown {other:?}\n").bytes()),
            },
            Effect::Output { stream: 1, bytes } => {
                text.extend(bytes.iter().map(|byte| byte.as_const().unwrap_or(b'?'.into()) as u8));
            }
            _ => {}
        }
    }
    String::from_utf8_lossy(&text).lines().map(str::to_owned).collect()
}

/// A function by its name, mangled or as the user wrote it.
pub fn find(program: &Program, name: &str) -> ir::id::FuncId {
    let module = &program.module;
    let fits = |id| module.function_name(id) == name || ir::demangle::demangle(module.function_name(id)) == name;
    let mut found = module.functions.iter_ids().map(|(id, _)| id).filter(|&id| fits(id));
    found.find(|&id| matches!(program.target(id), Target::Code(_))).unwrap_or_else(|| panic!("no function {name}"))
}

/// Both ways give the same.
#[track_caller]
pub fn check(language: Language, source: &str, flags: &[&str]) -> Seen {
    let dir = tempfile::tempdir().unwrap();
    let expect = native(language, source, flags, dir.path());
    let seen = interpret(ir(language, source, flags, dir.path()));
    let differs = (0..expect.lines.len().max(seen.lines.len())).find(|&i| seen.lines.get(i) != expect.lines.get(i));
    if let Some(i) = differs {
        panic!("line {i}: {:?}, natively {:?}; {:?}\n{source}", seen.lines.get(i), expect.lines.get(i), seen.end);
    }
    assert_eq!(seen.end, expect.end, "{source}");
    seen
}

/// A finished path of an exploration.
pub struct Ended {
    pub end: End,
    pub remarks: Vec<exec::state::Remark>,
}

/// All paths of a function with free arguments, by brute force.
pub fn explore(program: &Program, name: &str) -> Vec<Ended> {
    let function = find(program, name);
    let mut worker = Worker::new(program, true);
    let mut solver = Chain::standard(Limits::default());
    let mut todo = vec![(State::new(program, Entry { function, shell: None }), smt::solver::chain::Path::new())];
    let mut done = Vec::new();
    while let Some((mut state, path)) = todo.pop() {
        match execute(&mut worker, &mut state, 1_000_000) {
            Stop::Choose(Choice { conditions, kind, .. }) => {
                let count = if kind == ChoiceKind::Assume { 1 } else { conditions.len() };
                for alternative in (0..count).rev() {
                    let grown = solver.extend(&worker.pool, &path, conditions[alternative]).unwrap();
                    let Some(path) = grown else { continue };
                    let mut state = state.clone();
                    state.answer(alternative as u32);
                    todo.push((state, path));
                }
            }
            Stop::End(end) => {
                let remarks = state.remarks.to_vec();
                done.push(Ended { end, remarks });
            }
            Stop::Paused | Stop::Arrived => panic!("too long"),
        }
        assert!(done.len() < 5000, "too many paths");
    }
    done
}

/// A short word for how a path ended.
pub fn word(end: &End) -> String {
    match end {
        End::Returned(Some(Value::Bits(Expr::Const { bits, width }))) => smt::expr::signed(*bits, *width).to_string(),
        End::Returned(_) => "returned".to_owned(),
        End::Exited(code) => format!("exited {code:?}"),
        End::Fault { kind, detail, .. } => format!("{kind:?} {detail}"),
        End::Scope { what, .. } => format!("bound: {what}"),
        End::Bound { what, .. } => format!("bound: {what}"),
        End::Unsupported { what, .. } => format!("unsupported: {what}"),
        End::Left => "left".to_owned(),
    }
}

/// How the paths of a function of a Rust or C program end, sorted, each once with its number.
pub fn ends(language: Language, source: &str, function: &str, flags: &[&str]) -> Vec<(String, usize)> {
    let dir = tempfile::tempdir().unwrap();
    let flags: Vec<&str> = if language == Language::Rust {
        [&["--crate-type=lib", "-Clink-dead-code"], flags].concat()
    } else {
        flags.to_vec()
    };
    let program = Program::new(ir(language, source, &flags, dir.path()), Options::default());
    let paths = explore(&program, function);
    let mut ends: std::collections::BTreeMap<String, usize> = Default::default();
    for path in &paths {
        *ends.entry(word(&path.end)).or_default() += 1;
    }
    ends.into_iter().collect()
}

/// What outcomes of a function of a Rust program depend on beyond its input.
pub fn remarks(source: &str, function: &str) -> Vec<exec::state::RemarkKind> {
    let dir = tempfile::tempdir().unwrap();
    let flags = ["--crate-type=lib", "-Clink-dead-code"];
    let program = Program::new(ir(Language::Rust, source, &flags, dir.path()), Options::default());
    let paths = explore(&program, function);
    paths.into_iter().flat_map(|path| path.remarks).map(|remark| remark.kind).collect()
}

/// The paths of a function end so.
#[track_caller]
pub fn check_ends(language: Language, source: &str, function: &str, expect: &[(&str, usize)]) {
    let seen = ends(language, source, function, &[]);
    let seen: Vec<(&str, usize)> = seen.iter().map(|(end, count)| (end.as_str(), *count)).collect();
    assert_eq!(seen, expect, "{source}");
}

fn write(language: Language, source: &str, dir: &Path) -> (PathBuf, Command) {
    let (name, compiler) = match language {
        Language::C => ("program.c", "clang-19"),
        Language::Cpp => ("program.cpp", "clang++-19"),
        Language::Rust => ("program.rs", "rustc"),
    };
    let file = dir.join(name);
    std::fs::write(&file, source).unwrap();
    let mut command = Command::new(compiler);
    match language {
        Language::Rust => command.args(["--edition=2021", "--cap-lints=allow"]),
        _ => command.arg("-w"),
    };
    (file, command)
}

#[track_caller]
fn must_run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}
