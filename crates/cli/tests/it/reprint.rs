//! LLVM is our oracle for reading: a text and LLVM's own print of it give the same model.

use crate::support::registry::source;
use crate::support::{assert_same_lines, clang, data, full, must_run, normal_form, pathshift, scratch};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The libLLVM of the Rust toolchain.
pub fn libllvm() -> PathBuf {
    let mut rustc = Command::new("rustc");
    rustc.args(["--print", "sysroot"]);
    let sysroot = String::from_utf8(must_run(&rustc)).unwrap();
    build::toolchain::libllvm(Path::new(sysroot.trim())).unwrap()
}

/// What libLLVM prints of a module.
pub fn reprint(file: &Path) -> String {
    let mut command = pathshift();
    command.arg("__bitcode-to-text").arg(libllvm()).arg(file);
    String::from_utf8(must_run(&command)).unwrap()
}

fn check(file: &Path, what: &str) {
    let own = std::fs::read_to_string(file).unwrap();
    let theirs = reprint(file);
    assert_same_lines(&normal_form(&own, what), &normal_form(&theirs, what), what);
}

#[test]
fn llvms_print_of_a_module_gives_the_same_model() {
    let dir = scratch();
    let lua = source("lua-src", "547.0.0").join("lua-5.4.7");
    let zlib = source("libz-sys", "1.1.15").join("src/zlib");
    let mut files =
        vec![lua.join("lvm.c"), lua.join("lstrlib.c"), zlib.join("inflate.c"), data("kinds.cpp"), data("kinds.c")];
    if full() {
        files.extend(crate::support::registry::c_files(&lua, |_| true));
        files.push(source("libsqlite3-sys", "0.30.1").join("sqlite3/sqlite3.c"));
    }
    let include = [format!("-I{}", lua.display()), format!("-I{}", zlib.display())];
    for file in files {
        // LLVM's own reader of text no longer knows the `inrange` of C++ tables before clang 19; bitcode has it.
        let cpp = file.extension().is_some_and(|e| e == "cpp");
        for version in if cpp { &[19][..] } else { &[14, 16, 19] } {
            let version = *version;
            for level in ["-O0", "-O1"] {
                let what = format!("{} by clang {version} {level}", file.file_name().unwrap().to_str().unwrap());
                let ll = dir.path().join("own.ll");
                let mut emit = clang(version, &["-g", level, "-S", "-emit-llvm", "-o"]);
                emit.arg(&ll).args(&include).arg(&file);
                must_run(&emit);
                check(&ll, &what);
            }
        }
    }
}

#[test]
fn llvms_print_of_rustc_gives_the_same_model() {
    let dir = scratch();
    for flags in [&["-g"][..], &["-g", "-O"]] {
        let ll = dir.path().join("own.ll");
        let mut emit = Command::new("rustc");
        emit.args(["--crate-type=lib", "--emit=llvm-ir", "-Ccodegen-units=1", "-Clink-dead-code", "-Awarnings", "-o"]);
        emit.arg(&ll).args(flags).arg(data("kinds.rs"));
        must_run(&emit);
        check(&ll, &format!("rustc {flags:?}"));
    }
}
