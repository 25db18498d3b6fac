//! Tests of the analyses on compiled programs.

#![allow(clippy::unwrap_used, clippy::panic)]

mod dynamic;
mod expect;
mod interpreter;
mod robust;

use dynamic::{Checked, check_program};
use ir::module::Module;
use std::path::Path;
use std::process::Command;

/// Compiles a C file as the product does and promotes it.
fn compile(source: &Path, flags: &[&str]) -> Module {
    let out = tempfile::NamedTempFile::new().unwrap();
    let status = Command::new("clang-19")
        .args(["-w", "-g", "-O0", "-Xclang", "-disable-O0-optnone", "-S", "-emit-llvm", "-o"])
        .arg(out.path())
        .args(flags)
        .arg(source)
        .status()
        .unwrap();
    assert!(status.success(), "{} does not compile", source.display());
    let mut module = ir::parse::parse(&std::fs::read_to_string(out.path()).unwrap()).unwrap();
    ir::promote::promote(&mut module);
    module
}

#[test]
fn answers_are_as_expected() {
    for file in files("expect") {
        expect::check(&std::fs::read_to_string(&file).unwrap(), &file.display().to_string());
    }
}

/// All kinds of instructions, constants and symbols, also such as no compiler makes.
#[test]
fn any_module_can_be_analysed() {
    let mut paths = files("expect");
    paths.extend(files("../../../ir/tests/data"));
    for path in paths {
        let mut module = ir::parse::parse(&std::fs::read_to_string(&path).unwrap()).unwrap();
        robust::analyse(&module);
        ir::promote::promote(&mut module);
        robust::analyse(&module);
    }
}

/// What the compilers of C++ and Rust make of virtual calls, exceptions, traits and enums.
#[test]
fn other_languages_can_be_analysed() {
    let dir = tempfile::tempdir().unwrap();
    for path in files("other") {
        let out = dir.path().join("out.ll");
        let mut command = match path.extension().is_some_and(|extension| extension == "rs") {
            true => {
                let mut rustc = Command::new("rustc");
                rustc.args([
                    "--crate-type",
                    "lib",
                    "--edition",
                    "2021",
                    "-g",
                    "-C",
                    "panic=abort",
                    "-C",
                    "codegen-units=1",
                ]);
                rustc.arg("--emit=llvm-ir");
                rustc
            }
            false => {
                let mut clang = Command::new("clang++-19");
                clang.args(["-g", "-O0", "-Xclang", "-disable-O0-optnone", "-S", "-emit-llvm"]);
                clang
            }
        };
        assert!(command.arg("-o").arg(&out).arg(&path).status().unwrap().success(), "{}", path.display());
        let mut module = ir::parse::parse(&std::fs::read_to_string(&out).unwrap()).unwrap();
        ir::promote::promote(&mut module);
        robust::analyse(&module);
    }
}

/// The files of a directory of test data, in order.
fn files(name: &str) -> Vec<std::path::PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let mut files: Vec<_> = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn is_full() -> bool {
    std::env::var_os("PATHSHIFT_FULL").is_some()
}

#[test]
fn small_programs_do_what_was_foreseen() {
    let mut checked = Checked::default();
    let files = files("run");
    for file in &files {
        check_program(&compile(file, &[]), &file.display().to_string(), 200, &mut checked);
    }
    assert_eq!(checked.programs, files.len(), "{checked:?}");
}

#[test]
fn random_programs_do_what_was_foreseen() {
    let count = if is_full() { 400 } else { 30 };
    let mut checked = Checked::default();
    let dir = tempfile::tempdir().unwrap();
    for seed in 0..count {
        let source = dir.path().join("random.c");
        let small =
            ["--max-funcs", "4", "--max-block-size", "3", "--max-block-depth", "3", "--max-expr-complexity", "4"];
        let scalars = ["--no-pointers", "--no-arrays", "--no-structs", "--no-unions", "--no-global-variables"];
        let kinds: &[&str] = if seed % 2 == 0 { &[] } else { &scalars };
        let mut csmith = Command::new("csmith");
        // It leaves a file where it runs.
        csmith.current_dir(dir.path());
        let status = csmith.args(["--seed", &seed.to_string(), "-o"]).arg(&source).args(small).args(kinds).status();
        assert!(status.unwrap().success());
        let module = compile(&source, &["-I/usr/include/csmith"]);
        check_program(&module, &format!("csmith seed {seed}"), 20, &mut checked);
    }
    assert!(checked.programs * 2 > count, "{checked:?}");
    assert!(checked.differences > count, "{checked:?}");
}
