//! Bitcode of every compiler gives the same model as the text of the same source.

use crate::reprint::reprint;
use crate::support::registry::source;
use crate::support::{assert_same_lines, clang, data, must_run, normal_form, pathshift, scratch};
use std::path::Path;
use std::process::Command;

#[test]
fn bitcode_of_each_clang_equals_its_text() {
    let dir = scratch();
    let lua = source("lua-src", "547.0.0").join("lua-5.4.7");
    for file in [lua.join("lvm.c"), lua.join("lstrlib.c"), data("kinds.c"), data("kinds.cpp")] {
        for version in [14, 16, 19] {
            let (ll, bc) = (dir.path().join("x.ll"), dir.path().join("x.bc"));
            for (flag, out) in [("-S", &ll), ("-c", &bc)] {
                let mut emit = clang(version, &["-g", "-O0", flag, "-emit-llvm", "-o"]);
                emit.arg(out).arg(&file);
                must_run(&emit);
            }
            compare(&ll, &bc, &format!("{} by clang {version}", file.display()));
        }
    }
}

#[test]
fn bitcode_of_rustc_equals_its_text() {
    let dir = scratch();
    let (ll, bc) = (dir.path().join("x.ll"), dir.path().join("x.bc"));
    for (emit, out) in [("--emit=llvm-ir", &ll), ("--emit=llvm-bc", &bc)] {
        let mut rustc = Command::new("rustc");
        rustc.args(["--crate-type=lib", "-g", "-Ccodegen-units=1", "-Clink-dead-code", "-Awarnings", emit, "-o"]);
        rustc.arg(out).arg(data("kinds.rs"));
        must_run(&rustc);
    }
    compare(&ll, &bc, "rustc");
}

/// Through the library, and through the command as a user gives it.
fn compare(ll: &Path, bc: &Path, what: &str) {
    let text = std::fs::read_to_string(ll).unwrap();
    assert_same_lines(&normal_form(&text, what), &normal_form(&reprint(bc), what), what);
    let print = |file: &Path| {
        let mut command = pathshift();
        command.args(["ir", "--format", "llvm"]).arg(file);
        String::from_utf8(must_run(&command)).unwrap()
    };
    assert_same_lines(&print(ll), &print(bc), what);
}

#[test]
fn llvm_dis_is_the_second_choice() {
    let dir = scratch();
    let bc = dir.path().join("x.bc");
    let mut emit = clang(19, &["-O0", "-c", "-emit-llvm", "-o"]);
    emit.arg(&bc).arg(data("kinds.c"));
    must_run(&emit);
    // A search path with llvm-dis, but without rustc.
    let tools = dir.path().join("tools");
    std::fs::create_dir(&tools).unwrap();
    let found = build::toolchain::find("llvm-dis-19", &std::env::var_os("PATH").unwrap()).unwrap();
    std::os::unix::fs::symlink(found, tools.join("llvm-dis-19")).unwrap();
    let mut command = pathshift();
    command.args(["ir", "--summary"]).arg(&bc).env("PATH", &tools);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    // And without either.
    command.env("PATH", dir.path());
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{stderr}");
    assert!(stderr.contains("bitcode written by LLVM19"), "{stderr}");
    assert!(stderr.contains("apt-get install llvm"), "{stderr}");
}
