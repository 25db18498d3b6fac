//! LLVM's own reader, loaded from the installed Rust toolchain. A process of its own, as it has to be.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use build::libllvm::{DisassembleError, disassemble};
use common::{Lab, libllvm};

#[test]
fn bitcode_and_text_are_printed() {
    let lab = Lab::new();
    lab.write("a.c", "int f(int x) { return x + 1; }");
    lab.write("b.rs", "pub fn f(x: u32) -> u32 { x + 1 }");
    let clang = build::toolchain::find("clang-19", &lab.env.path).map_or("clang", |_| "clang-19");
    lab.run(clang, &["-g", "-c", "-emit-llvm", "a.c", "-o", "c.bc"]);
    lab.run(clang, &["-g", "-S", "-emit-llvm", "a.c", "-o", "c.ll"]);
    lab.run("rustc", &["-g", "--crate-type", "lib", "--emit=llvm-bc=rust.bc", "b.rs"]);
    for file in ["c.bc", "c.ll", "rust.bc"] {
        let text = disassemble(&libllvm(), &lab.path(file)).unwrap();
        assert!(text.contains("define ") && text.contains("!DILocation("), "{file}: {text}");
    }
}

#[test]
fn bad_files_and_libraries_are_errors() {
    let lab = Lab::new();
    let check = |file: &str, contents: &[u8], expect: &str| {
        let path = lab.write(file, contents);
        let Err(DisassembleError::Rejected(message)) = disassemble(&libllvm(), &path) else {
            panic!("{file} is accepted")
        };
        assert!(message.contains(expect), "{file}: {message}");
    };
    check("a.ll", b"define void @f( {", "a.ll:1:18: error: expected");
    check("a.bc", b"BC\xC0\xDE1234", "error");
    let missing = disassemble(&libllvm(), &lab.path("missing.bc"));
    assert_eq!(missing, Err(DisassembleError::Rejected("No such file or directory".into())));
    assert!(matches!(disassemble(&lab.path("a.ll"), &lab.path("a.ll")), Err(DisassembleError::Library(_))));
}
