//! Emitted test files compile without a warning, pass, and fail when the code changes.

use std::process::Command;

use compare::replay::{Options, Placement};
use compare::suite::{Test, emit, signature};
use exec::case::{CallResult, Datum, Input, Memory, Target};
use ir::module::Module;

use crate::lab::{Lab, input, int, limits, memory, object};

/// What a function does on these inputs, as tests.
fn tests(lab: &Lab, module: &Module, function: &str, inputs: Vec<Input>) -> Vec<Test> {
    let driver = lab.driver(module, function, &Options::default());
    let seen = driver.run(&inputs, Placement::Aligned, &limits()).unwrap();
    let test =
        |(input, seen): (Input, compare::replay::Replayed)| Test { input, outcome: seen.outcome, turns: seen.turns };
    inputs.into_iter().zip(seen).map(test).collect()
}

fn run(command: &mut Command) -> (bool, String) {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    (output.status.success(), text)
}

/// Emits tests of a C function; they must pass on the source and fail on the changed one.
fn check_c(source: &str, function: &str, inputs: Vec<Input>, change: (&str, &str), written: usize) -> String {
    let lab = Lab::new();
    let module = lab.module("code.c", source);
    let entry = compare::find::functions(&module, function).unwrap()[0];
    let tests = tests(&lab, &module, function, inputs);
    let emitted = emit::c_file(&module, entry, &signature::header(&module, entry), &tests);
    assert_eq!((emitted.written, emitted.left_out), (written, tests.len() - written), "{}", emitted.text);
    lab.write("tests.c", &emitted.text);
    let included = emitted.text.contains("#include \"");
    if included {
        let text = emitted.text.replace(&lab.dir.path().join("code.c").display().to_string(), "code.c");
        lab.write("tests.c", &text);
    }
    for compiler in ["clang-19", "gcc"] {
        for changed in [false, true] {
            let source = if changed { source.replace(change.0, change.1) } else { source.to_owned() };
            lab.write("code.c", &source);
            let mut command = Command::new(compiler);
            command.current_dir(lab.dir.path()).args(["-Wall", "-Wextra", "-Werror", "tests.c", "-o", "tests"]);
            if !included {
                command.arg("code.c");
            }
            let (built, messages) = run(&mut command);
            assert!(built, "{compiler}: {messages}\n{}", emitted.text);
            let (passed, messages) = run(&mut Command::new(lab.dir.path().join("tests")));
            assert_eq!(passed, !changed, "{compiler} changed={changed}: {messages}\n{}", emitted.text);
        }
    }
    emitted.text
}

#[test]
fn numbers_memory_and_output_in_c() {
    let source = r#"#include <stdio.h>
        #include <stdlib.h>
        struct node { int value; struct node *next; };
        int ask(int x);
        int count = 4;
        double f(struct node *list, short n, unsigned char *text, float scale, unsigned long big) {
            int sum = 0;
            for (; list; list = list->next) { sum += list->value; list->value = 0; }
            if (n < 0) exit(3);
            if (n == 7) abort();
            printf("\"%d\"\n", sum);
            text[0] = 'A' + n;
            count += sum;
            return sum * scale + (big >> 60) + ask(sum);
        }"#;
    let node = |value: u8, next: Target| Memory {
        pointers: vec![(8, next)],
        align: 8,
        ..memory("node", &[value, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    };
    let case = |n: i128| Input {
        args: vec![object(0), int(n, 16), object(2), int(0x3f00_0000, 32), int(-1, 64)],
        objects: vec![
            node(5, Target::Object { index: 1, offset: 0 }),
            node(6, Target::Null),
            memory("text", b"??/ x\0"),
        ],
        globals: vec![("count".into(), memory("count", &[9, 0, 0, 0]))],
        results: vec![CallResult {
            function: "ask".into(),
            name: String::new(),
            result: int(100, 32),
            writes: Vec::new(),
        }],
        ..Input::default()
    };
    let text = check_c(source, "f", vec![case(3), case(-1), case(7), case(25)], ("count += sum", "count -= sum"), 4);
    assert!(text.contains("double f(void *, short, unsigned char *, float, unsigned long);"), "{text}");
}

#[test]
fn records_by_value_and_local_functions_in_c() {
    let source =
        "struct big { long v[4]; };\nstruct big f(struct big x, _Bool up) { x.v[1] += up ? 1 : -1; return x; }";
    let aligned = |bytes: &[u8]| Memory { align: 8, ..memory("x", bytes) };
    let case = Input {
        args: vec![object(0), object(1), int(1, 1)],
        objects: vec![aligned(&[0; 32]), aligned(&[1; 32])],
        ..Input::default()
    };
    check_c(source, "f", vec![case], ("? 1", "? 2"), 1);
    let local = "static int state = 1;\nstatic int f(signed char x, long *p) { state += x; if (p) *p = -1; return state; }\n\
                 int use(void) { return f(1, 0); }";
    let null = Datum::Pointer(Target::Null);
    let text = check_c(local, "f", vec![input(&[int(-128, 8), null])], ("+= x", "-= x"), 1);
    assert!(text.contains("/* The function is local to its file. */"), "{text}");
    let freed = "#include <stdlib.h>\nvoid *f(int *p, int n) { int k = *p; free(p); return n == k ? malloc(1) : 0; }";
    let case = |n: i128| Input {
        args: vec![object(0), int(n, 32)],
        objects: vec![memory("p", &[5, 0, 0, 0])],
        ..Input::default()
    };
    check_c(freed, "f", vec![case(5), case(4)], ("n == k", "n != k"), 2);
}

#[test]
fn what_c_cannot_say_is_a_comment() {
    let lab = Lab::new();
    let check = |file: &str, source: &str, function: &str, inputs: Vec<Input>, expect: &str| {
        let module = lab.module(file, source);
        let entry = compare::find::functions(&module, function).unwrap()[0];
        let tests = tests(&lab, &module, function, inputs);
        let emitted = emit::c_file(&module, entry, &signature::header(&module, entry), &tests);
        assert!(emitted.text.contains(expect), "{}", emitted.text);
        assert_eq!((emitted.written, emitted.left_out), (0, 1));
    };
    let small = "struct s { int a; char b; }; int f(struct s s) { return s.a; }";
    check(
        "t.c",
        small,
        "f",
        vec![input(&[int(1, 64)])],
        "/* No test can be written in C: a record is passed in registers. */",
    );
    check("t.cpp", "int f(int x) { return x; }", "f", vec![input(&[int(1, 32)])], "the function is not written in C");
    let hidden = "static int hidden; int f(int x) { hidden = x; return x; }";
    check("t.c", hidden, "f", vec![input(&[int(1, 32)])], "Not written in C: `hidden` is local to its file.");
    check("t.c", "int main(void) { return 0; }", "main", vec![Input::default()], "a program is run, not called");
}

#[test]
fn rust_tests_pass_and_fail_with_the_code() {
    let lab = Lab::new();
    let source = "fn sum(list: &[i16], scale: f32, last: &mut u8, name: &str, up: bool) -> i64 {
            *last = name.len() as u8;
            let total: i64 = list.iter().map(|x| *x as i64).sum();
            assert!(total != 9, \"nine\");
            (total as f32 * scale) as i64 + up as i64
        }
        fn flip(list: &mut [u32], c: char) -> char { list.reverse(); ((c as u8) + 1) as char }
        pub mod inner { fn secret(x: u8) -> u8 { x } pub fn open(x: u8) -> u8 { secret(x) } }
        pub struct S; pub fn with(s: &S, x: i32) -> i32 { let _ = s; x }";
    let module = lab.module("code.rs", source);
    let emit = |function: &str, inputs: Vec<Input>| {
        let entry = compare::find::functions(&module, function).unwrap()[0];
        let tests = tests(&lab, &module, function, inputs);
        emit::rust_file(&module, entry, &signature::header(&module, entry), &tests)
    };
    let case = |first: u8| Input {
        args: vec![object(0), int(2, 64), int(0x4000_0000, 32), object(1), object(2), int(3, 64), int(1, 1)],
        objects: vec![
            Memory { align: 2, ..memory("list", &[first, 0, 254, 255]) },
            memory("last", &[0]),
            memory("name", b"a\"\n"),
        ],
        ..Input::default()
    };
    let sum = emit("sum", vec![case(5), case(11)]);
    assert_eq!((sum.written, sum.left_out), (2, 0), "{}", sum.text);
    let list = Memory { align: 4, ..memory("list", &[1, 0, 0, 0, 2, 0, 0, 0]) };
    let flip = emit(
        "flip",
        vec![Input { args: vec![object(0), int(2, 64), int(97, 32)], objects: vec![list], ..Input::default() }],
    );
    assert_eq!(flip.written, 1, "{}", flip.text);
    let secret = emit("secret", vec![input(&[int(1, 8)])]);
    assert!(secret.written == 1 || secret.text.contains("is private to its module"), "{}", secret.text);
    let with = emit(
        "with",
        vec![Input { args: vec![object(0), int(1, 32)], objects: vec![memory("s", &[])], ..Input::default() }],
    );
    assert!(with.text.contains("No test can be written in Rust: it has to do with a `&code::S`"), "{}", with.text);
    lab.write("sum.rs", &sum.text);
    lab.write("flip.rs", &flip.text);
    for (changed, from, to) in [(false, "", ""), (true, "up as i64", "7"), (true, "list.reverse();", "")] {
        let source = if changed { source.replace(from, to) } else { source.to_owned() };
        lab.write("code.rs", &format!("{source}\n#[cfg(test)] mod sum;\n#[cfg(test)] mod flip;\n"));
        let mut command = Command::new("rustc");
        command.current_dir(lab.dir.path()).args([
            "--test",
            "--edition",
            "2021",
            "-A",
            "dead_code",
            "code.rs",
            "-o",
            "rust_tests",
        ]);
        let (built, messages) = run(&mut command);
        assert!(built, "{messages}\n{}", sum.text);
        let (passed, messages) = run(&mut Command::new(lab.dir.path().join("rust_tests")));
        assert_eq!(passed, !changed, "{messages}\n{}", sum.text);
    }
}
