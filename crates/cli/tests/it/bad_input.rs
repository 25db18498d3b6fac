//! Wrong inputs: a clear error with a place, the right exit code, no panic, no hang.

use crate::support::{data, pathshift, scratch};
use std::path::Path;
use std::process::Output;

fn ir(input: &Path) -> Output {
    pathshift().arg("ir").arg(input).output().unwrap()
}

/// The file's contents must be refused with that exit code, and the message must say all of `expect`.
fn check(name: &str, contents: &[u8], code: i32, expect: &[&str]) {
    let dir = scratch();
    let file = dir.path().join(name);
    std::fs::write(&file, contents).unwrap();
    let output = ir(&file);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{name}: {stderr}");
    assert!(output.stdout.is_empty());
    for part in expect {
        assert!(stderr.contains(part), "{name}: no `{part}` in\n{stderr}");
    }
    assert!(!stderr.contains("panicked"), "{stderr}");
}

#[test]
fn text_that_is_no_ir() {
    check("cut.ll", b"define i32 @f(i32 %x) {\n  %y = add i32 %x,", 4, &["cut.ll:2:19", "expected a value", "help:"]);
    check("words.ll", b"hello world\n", 4, &["words.ll:1:1", "expected a definition, found `hello`", "help:"]);
    check(
        "undefined.ll",
        b"define i32 @f() {\n  ret i32 %x\n}\n",
        4,
        &["undefined.ll:2:11", "%x is not defined", "ret i32 %x"],
    );
    check("empty.ll", b"", 2, &["empty"]);
    check("binary.ll", &[0, 159, 146, 150, 255, 1, 2, 3], 4, &["binary.ll:1:1"]);
    let deep = format!("@x = global {}i8{} zeroinitializer", "[1 x ".repeat(50_000), "]".repeat(50_000));
    check("deep.ll", deep.as_bytes(), 4, &["nested more than 256 levels deep"]);
    let braces = "define void @f() {\n  call void @g(".to_string() + &"{".repeat(100_000);
    check("braces.ll", braces.as_bytes(), 4, &["nested more than 256 levels deep"]);
    check("bad.bc", b"BC\xC0\xDE and then nonsense", 4, &["bitcode", "cannot be read"]);
}

#[test]
fn sources_that_do_not_compile() {
    check("x.c", b"#include \"nowhere.h\"\n", 4, &["fatal error: 'nowhere.h' file not found", "x.c:1:10"]);
    check("x.c", b"int f( {\n", 4, &["error: expected", "does not compile"]);
    check("x.cpp", b"int f() { return undefined_name; }\n", 4, &["use of undeclared identifier 'undefined_name'"]);
    check("x.rs", b"fn f() -> u32 { \"text\" }\n", 4, &["error[E0308]", "mismatched types"]);
    check("x.py", b"print(1)\n", 2, &["accepted are C (.c)"]);
}

#[test]
fn names_that_are_not_there() {
    let output = ir(Path::new("no/such/file.c"));
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no/such/file.c: no such file or directory"));
    let output = pathshift().arg("ir").arg(data("kinds.c")).args(["--function", "pikc"]).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("no function `pikc`") && stderr.contains("pick"), "{stderr}");
    let output = pathshift().args(["ir"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let dir = scratch();
    let output = ir(dir.path());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("compile_commands.json"), "{stderr}");
}

#[test]
fn without_a_compiler_the_error_says_what_to_install() {
    let output = pathshift().arg("ir").arg(data("kinds.c")).env("PATH", "/nonexistent").output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{stderr}");
    assert!(stderr.contains("no clang found") && stderr.contains("apt-get install clang-19"), "{stderr}");
    let output = pathshift().arg("ir").arg(data("kinds.rs")).env("PATH", "/nonexistent").output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    let output = pathshift().arg("doctor").env("PATH", "/nonexistent").output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stdout).contains("missing"));
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let check = |command: &mut std::process::Command, expect: &[&str]| {
        let output = command.output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        for part in expect {
            assert!(stderr.contains(part), "no `{part}` in\n{stderr}");
        }
    };
    let run = || {
        let mut command = pathshift();
        command.arg("ir").arg(data("kinds.c"));
        command
    };
    check(run().env("TMPDIR", "/nonexistent"), &["temporary directory /nonexistent: No such file", "TMPDIR"]);
    check(run().args(["-o", "/nonexistent/x"]), &["cannot write /nonexistent/x"]);
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    check(run().stdout(full), &["cannot write the result", "No space left"]);
}

#[test]
fn a_compiler_that_says_nothing_is_named() {
    let check = |clang: &str, expect: &str| {
        let output = pathshift().arg("ir").arg(data("kinds.c")).args(["--clang", clang]).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{stderr}");
        assert!(stderr.contains(expect), "no `{expect}` in\n{stderr}");
    };
    check("/bin/false", "/bin/false: exit code 1");
    check("/bin/true", "wrote no LLVM IR");
}

#[test]
fn a_database_of_another_place_is_named() {
    let dir = scratch();
    let database = r#"[{"directory": "gone", "file": "x.c", "command": "cc -c x.c"}]"#;
    std::fs::write(dir.path().join("compile_commands.json"), database).unwrap();
    let output = ir(dir.path());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{stderr}");
    assert!(stderr.contains("gone: no such directory") && stderr.contains("write it again"), "{stderr}");
}

/// Every prefix of a real file is either a module or an error, never a panic.
#[test]
fn every_cut_of_a_real_file_is_handled() {
    let dir = scratch();
    let ll = dir.path().join("kinds.ll");
    let status = pathshift().args(["ir", "--format", "llvm", "-o"]).arg(&ll).arg(data("kinds.c")).status().unwrap();
    assert!(status.success());
    let text = std::fs::read_to_string(&ll).unwrap();
    let mut modules = 0;
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)).step_by(7) {
        modules += usize::from(ir::parse::parse(&text[..end]).is_ok());
    }
    assert!(modules > 0);
}
