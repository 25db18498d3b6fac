//! Programs that are generated, or compiled from C, C++ and Rust: their print does what they do.

use super::check_run;
use crate::support::{clang, data, full, must_run, prints, run_limited, scratch};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// `@show` prints 64 bits, `@wide` 128.
const HEAD: &str = r#"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare i32 @printf(ptr, ...)
@format = private constant [12 x i8] c"%llx %llx \0A\00"
define internal void @wide(i128 %value) {
  %low = trunc i128 %value to i64
  %shifted = lshr i128 %value, 64
  %high = trunc i128 %shifted to i64
  %1 = call i32 (ptr, ...) @printf(ptr @format, i64 %high, i64 %low)
  ret void
}
"#;

/// A program that is written line by line.
struct Program {
    globals: String,
    body: String,
    values: usize,
}

impl Program {
    fn new() -> Self {
        Program { globals: HEAD.into(), body: "  %place = alloca i256, align 16\n".into(), values: 0 }
    }

    /// Adds an instruction; the name of its result.
    fn value(&mut self, instruction: &str) -> String {
        self.values += 1;
        writeln!(self.body, "  %v{} = {instruction}", self.values).unwrap();
        format!("%v{}", self.values)
    }

    /// Prints an integer.
    fn show(&mut self, width: u32, value: &str) {
        let wide = match width {
            ..128 => self.value(&format!("zext i{width} {value} to i128")),
            128 => value.to_string(),
            _ => {
                let high = self.value(&format!("lshr i{width} {value}, {}", width - 128));
                let high = self.value(&format!("trunc i{width} {high} to i128"));
                writeln!(self.body, "  call void @wide(i128 {high})").unwrap();
                self.value(&format!("trunc i{width} {value} to i128"))
            }
        };
        writeln!(self.body, "  call void @wide(i128 {wide})").unwrap();
    }

    fn text(&self) -> String {
        format!("{}define i32 @main() {{\n{}  ret i32 0\n}}\n", self.globals, self.body)
    }
}

#[test]
fn integers_of_odd_widths() {
    let mut program = Program::new();
    for width in [1, 7, 8, 24, 33, 64, 65, 128, 129, 200] {
        let small = |value: i64| if width < 8 { value % 2 } else { value };
        // Each number is written once without and once with a sign.
        let largest = if width < 4 { "1".to_string() } else { "9".repeat(width as usize / 4) };
        let numbers = ["0", "-1", "1", &largest, &format!("-{largest}")];
        let list: Vec<String> = numbers.iter().map(|number| format!("i{width} {number}")).collect();
        let array = format!("[{} x i{width}]", numbers.len());
        writeln!(program.globals, "@n{width} = global {array} [{}]", list.join(", ")).unwrap();
        for index in 0..numbers.len() {
            let address = program.value(&format!("getelementptr {array}, ptr @n{width}, i64 0, i64 {index}"));
            let number = program.value(&format!("load volatile i{width}, ptr {address}"));
            for (op, operand) in [("add", 3), ("sub", 5), ("mul", 7), ("and", 85), ("or", 42), ("xor", -1)] {
                let result = program.value(&format!("{op} i{width} {number}, {}", small(operand)));
                program.show(width, &result);
            }
            if width > 7 && width <= 128 {
                for op in ["udiv", "sdiv", "urem", "srem"] {
                    let result = program.value(&format!("{op} i{width} {number}, 3"));
                    program.show(width, &result);
                }
            }
            if width > 1 {
                for op in ["shl", "lshr", "ashr"] {
                    let result = program.value(&format!("{op} i{width} {number}, {}", width - 1));
                    program.show(width, &result);
                }
            }
            for condition in ["slt", "ult", "sge", "eq"] {
                let result = program.value(&format!("icmp {condition} i{width} {number}, -1"));
                program.show(1, &result);
            }
            if width < 128 {
                let result = program.value(&format!("sext i{width} {number} to i128"));
                program.show(128, &result);
            }
            writeln!(program.body, "  store i{width} {number}, ptr %place").unwrap();
            let stored = program.value(&format!("load i{width}, ptr %place"));
            program.show(width, &stored);
        }
    }
    check_run(&program.text(), "integers", scratch().path());
}

#[test]
fn floats_of_every_format() {
    let mut program = Program::new();
    let formats: [(&str, u32, &[&str]); 6] = [
        (
            "double",
            64,
            &[
                "0.0",
                "-0.0",
                "1.5e300",
                "-1.25E-10",
                "0.1",
                "123456789.123456789",
                "1.7976931348623157e+308",
                "4.9406564584124654e-324",
                "2.2250738585072014e-308",
                "0x1",
                "0x000FFFFFFFFFFFFF",
                "0x7FF0000000000000",
                "0xFFF0000000000000",
                "0x7FF8000000000ABC",
                "0x7FF4000000000001",
                "0xFFFFFFFFFFFFFFFF",
            ],
        ),
        (
            "float",
            32,
            &[
                "1.0",
                "-0.0",
                "0x36A0000000000000",
                "0xB6A0000000000000",
                "0x380FFFFFC0000000",
                "0x47EFFFFFE0000000",
                "0x3FB99999A0000000",
                "0x7FF0000000000000",
                "0x7FF8000000000000",
                "0x7FF4000020000000",
                "0x7FF0000020000000",
                "0xFFFFFFFFE0000000",
            ],
        ),
        (
            "half",
            16,
            &[
                "1.0",
                "65504.0",
                "6.103515625e-05",
                "5.9604644775390625e-08",
                "0x3FF0000000000000",
                "0xH0001",
                "0xH03FF",
                "0xH8000",
                "0xH7C00",
                "0xH7C01",
                "0xH7E00",
                "0xHFFFF",
            ],
        ),
        ("bfloat", 16, &["1.0", "-2.5", "0x4000000000000000", "0xR0001", "0xR7FC1", "0xR7F81"]),
        (
            "x86_fp80",
            80,
            &[
                "0xK3FFF8000000000000000",
                "0xK7FFF8000000000000000",
                "0xK7FFFC000000000000000",
                "0xK00000000000000000001",
                "0xKFFFFFFFFFFFFFFFFFFFF",
                "0xK7FFFA000000000000001",
            ],
        ),
        (
            "fp128",
            128,
            &[
                "0xL00000000000000003FFF000000000000",
                "0xL00000000000000017FFF800000000000",
                "0xL0123456789ABCDEF3FFF123456789ABC",
                "0xL00000000000000010000000000000000",
            ],
        ),
    ];
    for (ty, width, numbers) in formats {
        let list: Vec<String> = numbers.iter().map(|number| format!("{ty} {number}")).collect();
        let array = format!("[{} x {ty}]", numbers.len());
        writeln!(program.globals, "@{ty} = global {array} [{}]", list.join(", ")).unwrap();
        for (index, number) in numbers.iter().enumerate() {
            let address = program.value(&format!("getelementptr {array}, ptr @{ty}, i64 0, i64 {index}"));
            let bits = program.value(&format!("load i{width}, ptr {address}, align 2"));
            program.show(width, &bits);
            // As an operand; x87 would make a signalling NaN a quiet one on its way.
            if width <= 64 {
                writeln!(program.body, "  store volatile {ty} {number}, ptr %place").unwrap();
                let bits = program.value(&format!("load i{width}, ptr %place"));
                program.show(width, &bits);
            }
        }
    }
    check_run(&program.text(), "floats", scratch().path());
}

/// What C has beyond arithmetic: conventions, assembly, jumps out of functions, vectors, odd types.
#[test]
fn c() {
    check_source("machine.c", &[]);
}

#[test]
fn cpp_exceptions() {
    check_source("exceptions.cpp", &["-std=c++20", "-lstdc++"]);
}

/// A source that prints something, compiled directly and by way of our print.
fn check_source(name: &str, flags: &[&str]) {
    let dir = scratch();
    let (file, program) = (dir.path().join("print.ll"), dir.path().join("program"));
    let run = |input: &Path, flags: &[&str]| {
        let mut compile = clang(19, &["-O0", "-pthread", "-o"]);
        must_run(compile.arg(&program).arg(input).args(flags).arg("-lm"));
        run_limited(&Command::new(&program), Duration::from_secs(20)).unwrap()
    };
    let source = data("langref").join(name);
    let expected = run(&source, flags);
    assert!(expected.code == Some(0) && !expected.stdout.is_empty(), "{name}: {expected:?}");
    for version in if full() { &[16, 19][..] } else { &[19] } {
        for level in ["-O0", "-O2"] {
            let mut emit = clang(*version, &["-g", level, "-S", "-emit-llvm", "-o", "-"]);
            let text = must_run(emit.args(flags.iter().filter(|flag| !flag.starts_with("-l"))).arg(&source));
            let what = format!("{name} by clang {version} {level}");
            for (form, print) in prints(&String::from_utf8(text).unwrap(), &what) {
                std::fs::write(&file, &print).unwrap();
                assert_eq!(run(&file, &["-lstdc++"]), expected, "{what}, {form}");
            }
        }
    }
}

/// Panics unwind through the print as through the program. It is linked to the standard library that it was compiled for.
#[test]
fn rust_panics() {
    let dir = scratch();
    let path = |name: &str| dir.path().join(name);
    let rustc = |args: &[&str]| {
        let mut command = Command::new("rustc");
        command.current_dir(dir.path()).args(["-Awarnings", "-Ccodegen-units=1", "-Cprefer-dynamic"]).args(args);
        must_run(&command)
    };
    std::fs::write(path("main.rs"), "unsafe extern \"C\" { fn run(); }\nfn main() { unsafe { run() } }\n").unwrap();
    let sysroot = String::from_utf8(rustc(&["--print", "target-libdir"])).unwrap();
    let run = |object: &str| {
        rustc(&["main.rs", &format!("-Clink-arg={object}"), "-o", "program"]);
        let mut program = Command::new(path("program"));
        program.env("LD_LIBRARY_PATH", sysroot.trim());
        run_limited(&program, Duration::from_secs(20)).unwrap()
    };
    let source = data("langref/panics.rs");
    for level in ["-Copt-level=0", "-Copt-level=2"] {
        let emit =
            |what: &str| rustc(&["--crate-type=lib", "--crate-name=panics", level, what, source.to_str().unwrap()]);
        emit("--emit=obj=direct.o");
        emit("--emit=llvm-ir=own.ll");
        let expected = run("direct.o");
        assert!(expected.code == Some(0) && !expected.stdout.is_empty(), "{expected:?}");
        for (form, print) in prints(&std::fs::read_to_string(path("own.ll")).unwrap(), level) {
            std::fs::write(path("print.ll"), &print).unwrap();
            let (ll, object) = (path("print.ll"), path("print.o"));
            must_run(&clang(19, &["-O0", "-fPIC", "-c", ll.to_str().unwrap(), "-o", object.to_str().unwrap()]));
            assert_eq!(run("print.o"), expected, "{level}, {form}");
        }
    }
}
