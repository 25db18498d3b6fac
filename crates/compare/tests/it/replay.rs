//! Cases with known outcomes, over C, C++ and Rust.

use compare::replay::{Limits, Options, Placement, ReplayError, agrees, prepare};
use evidence::Limit;
use exec::case::{CallResult, Datum, End, FaultKind, Input, OutsideCall, Target, Turn, Written};

use crate::lab::{Lab, input, int, limits, memory, object};

#[test]
fn scalars_of_every_width_come_and_go() {
    let lab = Lab::new();
    let check = |source: &str, args: &[Datum], expect: Datum| {
        let seen = lab.run("t.c", source, "f", &[input(args)]).remove(0).outcome;
        assert_eq!((seen.end, seen.result), (End::Returned, expect), "{source}");
    };
    check("static int f(int x, int y) { return x * 2 + y; }", &[int(3, 32), int(-1, 32)], int(5, 32));
    check("char f(signed char x) { return x - 1; }", &[int(-128, 8)], int(127, 8));
    check("_Bool f(_Bool x) { return !x; }", &[int(1, 1)], int(0, 1));
    let bits = |value: f64| int(i128::from(value.to_bits()), 64);
    check("double f(double x, float y) { return x / y; }", &[bits(1.0), int(0x4040_0000, 32)], bits(1.0 / 3.0));
    check("_BitInt(24) f(_BitInt(24) x) { return x + 1; }", &[int(-1, 24)], int(0, 24));
}

#[test]
fn aggregates_and_vectors_follow_the_convention() {
    let lab = Lab::new();
    let run = |source: &str, input: Input| lab.run("t.c", source, "f", &[input]).remove(0).outcome;
    // A pair of a double and an int is passed in registers.
    let seen = run("struct p { double a; int b; }; struct p f(struct p p) { p.a += 1; p.b = -p.b; return p; }", {
        input(&[int(i128::from(1.5f64.to_bits()), 64), int(7, 32)])
    });
    assert_eq!(seen.result, Datum::Many(vec![int(i128::from(2.5f64.to_bits()), 64), int(-7, 32)]));
    // A large struct is copied for the callee and returned through memory.
    let source = "struct s { long v[5]; }; struct s f(struct s x) { x.v[4] += 1; return x; }";
    let bytes: Vec<u8> = (0..40).collect();
    let seen = run(
        source,
        Input {
            args: vec![object(0), object(1)],
            objects: vec![memory("return", &[0; 40]), memory("x", &bytes)]
                .into_iter()
                .map(|m| exec::case::Memory { align: 8, ..m })
                .collect(),
            ..Input::default()
        },
    );
    let mut after = bytes.clone();
    after[32] += 1;
    assert_eq!((&seen.objects[0].bytes, &seen.objects[1].bytes), (&after, &bytes));
    let source = "typedef int v4 __attribute__((vector_size(16))); v4 f(v4 a, v4 b) { return a + b; }";
    let vector = |list: [i128; 4]| Datum::Many(list.map(|x| int(x, 32)).to_vec());
    let seen = run(source, input(&[vector([1, 2, 3, 4]), vector([10, 20, 30, -5])]));
    assert_eq!(seen.result, vector([11, 22, 33, -1]));
}

#[test]
fn pointers_globals_and_memory_come_back() {
    let lab = Lab::new();
    let source = r#"
        #include <stdlib.h>
        struct node { int value; struct node *next; };
        int count = 3; static struct node *last; const char *name = "x";
        struct node *f(struct node *list, int (*keep)(int)) {
            int sum = 0;
            for (struct node *n = list; n; n = n->next) { sum += n->value; last = n; n->value = 0; }
            count = sum + (keep == abs);
            if (sum == 0) { struct node *n = malloc(sizeof *n); return n; }
            last->next = list;
            return last;
        }"#;
    let node = |value: u8, next: Target| {
        let mut memory = memory("node", &[value, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        memory.pointers.push((8, next));
        memory.align = 8;
        memory
    };
    let to = |index| Target::Object { index, offset: 0 };
    let abs = Datum::Pointer(Target::Symbol { name: "abs".into(), offset: 0 });
    let two = Input {
        args: vec![object(0), abs.clone()],
        objects: vec![node(5, to(1)), node(6, Target::Null)],
        globals: vec![("count".into(), memory("count", &[9, 0, 0, 0]))],
        ..Input::default()
    };
    let none = Input { args: vec![Datum::Pointer(Target::Null), abs], ..Input::default() };
    let seen = lab.run("t.c", source, "f", &[two, none]);
    let [two, none] = [&seen[0].outcome, &seen[1].outcome];
    assert_eq!(two.result, object(1));
    assert_eq!(two.objects[1].pointers, [(8, to(0))]);
    assert_eq!(two.objects[0].bytes[0], 0);
    let globals: Vec<_> = two.globals.iter().map(|(name, m)| (name.as_str(), m.bytes[0], m.pointers.clone())).collect();
    assert_eq!(globals, [("count", 12, vec![]), ("last", 0, vec![(0, to(1))])]);
    assert_eq!(none.result, Datum::Pointer(Target::Own));
    assert_eq!(none.globals.len(), 1);
}

/// Whatever bytes a program leaves, they are bytes, unless they are one of the addresses that it was given.
#[test]
fn numbers_are_no_addresses() {
    let lab = Lab::new();
    let source = "void f(unsigned char *p, int at, int value) { p[at] = value; }";
    let mut inputs = Vec::new();
    for at in 3..6 {
        inputs.extend((0..=255).map(|value| Input {
            args: vec![object(0), int(at, 32), int(value, 32)],
            objects: vec![memory("p", &[0; 9])],
            ..Input::default()
        }));
    }
    let seen = lab.run("t.c", source, "f", &inputs);
    for (number, seen) in seen.iter().enumerate() {
        let mut expected = [0; 9];
        expected[3 + number / 256] = (number % 256) as u8;
        assert_eq!(seen.outcome.objects[0].bytes, expected, "{number}");
        assert!(seen.outcome.objects[0].pointers.is_empty(), "{number}");
    }
}

/// Sums that are too large become what the machine makes of them, also beside reads that a compiler must not leave out.
#[test]
fn nothing_is_promised_of_sums() {
    let lab = Lab::new();
    let source = "int f(unsigned short *p) { if (2147483647 + p[1] < 5) return 1; return 0; }";
    let input = Input { args: vec![object(0)], objects: vec![memory("p", &[0, 0, 1, 0])], ..Input::default() };
    let seen = lab.run("t.c", source, "f", &[input]);
    assert_eq!(seen[0].outcome.result, int(1, 32));
}

#[test]
fn turns_name_function_branch_and_side() {
    let lab = Lab::new();
    let source = "static int g(int x) { switch (x) { case 1: return 5; case 7: return 6; default: return x; } }
        int f(int x) { if (x > 3) return g(x); while (x < 2) x++; return g(x); }";
    let seen = lab.run("t.c", source, "f", &[input(&[int(7, 32)]), input(&[int(1, 32)])]);
    let turns = |index: usize| -> Vec<String> {
        let turn = |t: &Turn| format!("{}{}/{}", t.function, t.branch, t.side);
        seen[index].turns.iter().map(turn).collect()
    };
    assert_eq!(turns(0), ["f0/0", "g0/2"]);
    assert_eq!(turns(1), ["f0/1", "f1/0", "f1/1", "g0/0"]);
    assert!(seen[0].all_turns);
}

#[test]
fn outside_functions_answer_what_the_case_says() {
    let lab = Lab::new();
    let source = "int ask(int, const char *); double sense(void); extern int level;
        int f(int x) { level += 1; int a = ask(x, \"q\"); int b = ask(a, 0); return a + b + (int) sense(); }";
    let result = |function: &str, result: Datum| CallResult {
        function: function.into(),
        name: String::new(),
        result,
        writes: Vec::new(),
    };
    let case = Input {
        results: vec![
            result("ask", int(10, 32)),
            result("ask", int(-4, 32)),
            result("sense", int(i128::from(2.5f64.to_bits()), 64)),
        ],
        globals: vec![("level".into(), memory("level", &[41, 0, 0, 0]))],
        ..input(&[int(1, 32)])
    };
    let seen = lab.run("t.c", source, "f", &[case, input(&[int(1, 32)])]);
    assert_eq!(seen[0].outcome.result, int(8, 32));
    assert_eq!(seen[0].outcome.globals[0].1.bytes, [42, 0, 0, 0]);
    let calls = &seen[0].outcome.calls;
    let text = Datum::Pointer(Target::Symbol { name: ".str".into(), offset: 0 });
    assert_eq!(
        calls[0],
        OutsideCall { function: "ask".into(), args: vec![int(1, 32), text], given: calls[0].given.clone() }
    );
    assert_eq!(calls[1].args, [int(10, 32), Datum::Pointer(Target::Null)]);
    assert_eq!(calls[2].function, "sense");
    assert!(seen[0].notes.is_empty());
    assert_eq!(seen[1].notes, ["the program asked the outside more often than the case answers"]);
}

#[test]
fn outside_functions_write_what_the_case_says() {
    let lab = Lab::new();
    let source = "struct s { int a, b; }; void fill(int, struct s *, char *);
        int f(struct s *s) { char t[4] = {0}; fill(1, s, t + 1); fill(2, 0, t); return s->a + s->b * 10 + t[0] * 100 + t[2]; }";
    let written = |argument, distance, bytes: &[u8]| Written { argument, distance, memory: memory("m", bytes) };
    let call = |writes| CallResult { function: "fill".into(), name: String::new(), result: Datum::Any, writes };
    let case = Input {
        results: vec![
            call(vec![written(1, 0, &[3, 0, 0, 0, 4, 0, 0, 0]), written(2, -1, &[5, 6, 7, 8])]),
            call(vec![written(2, 0, &[9])]),
        ],
        objects: vec![memory("s", &[0; 8])],
        ..input(&[Datum::Pointer(Target::Object { index: 0, offset: 0 })])
    };
    let seen = lab.run("t.c", source, "f", &[case]);
    assert_eq!(seen[0].outcome.result, int(3 + 40 + 900 + 7, 32));
    assert_eq!(seen[0].outcome.objects[0].bytes, [3, 0, 0, 0, 4, 0, 0, 0]);
}

#[test]
fn functions_of_libraries_can_be_asked_too() {
    let lab = Lab::new();
    let module = lab.module("t.c", "#include <time.h>\nlong f(void) { return time(0) + 1; }");
    let options = Options { outside: ["time".to_owned()].into(), ..Options::default() };
    let case = Input {
        results: vec![CallResult {
            function: "time".into(),
            name: String::new(),
            result: int(99, 64),
            writes: Vec::new(),
        }],
        ..Input::default()
    };
    let seen = lab.driver(&module, "f", &options).run(&[case], Placement::Aligned, &limits()).unwrap();
    assert_eq!(seen[0].outcome.result, int(100, 64));
    assert_eq!(seen[0].outcome.calls.len(), 1);
}

#[test]
fn programs_have_arguments_input_and_files() {
    let lab = Lab::new();
    let source = r#"#include <stdio.h>
        #include <stdlib.h>
        static void bye(void) { puts("bye"); }
        int main(int argc, char **argv) {
            char line[64];
            atexit(bye);
            printf("%d %s\n", argc, argv[1]);
            while (fgets(line, sizeof line, stdin)) printf("<%s>", line);
            FILE *file = fopen("a.txt", "r");
            printf("%s", fgets(line, sizeof line, file));
            fclose(file);
            fprintf(stderr, "warn");
            if (argc > 2) exit(300);
            fclose(fopen("left", "w"));
            return 7;
        }"#;
    let case = |argv: &[&str]| Input {
        argv: argv.iter().map(|arg| arg.as_bytes().to_vec()).collect(),
        stdin: b"one\ntwo".to_vec(),
        files: vec![("a.txt".into(), b"text\n".to_vec())],
        ..Input::default()
    };
    let seen = lab.run("t.c", source, "main", &[case(&["p", "x y"]), case(&["p", "a", "b"])]);
    let text = |index: usize| String::from_utf8(seen[index].outcome.stdout.clone()).unwrap();
    assert_eq!(text(0), "2 x y\n<one\n><two>text\nbye\n");
    assert_eq!((&seen[0].outcome.end, &seen[0].outcome.result), (&End::Returned, &int(7, 32)));
    assert_eq!(seen[0].outcome.stderr, b"warn");
    assert_eq!(text(1), "3 a\n<one\n><two>text\nbye\n");
    assert_eq!(seen[1].outcome.end, End::Exited(300 & 0xff));
}

#[test]
fn constructors_run_in_each_case() {
    let lab = Lab::new();
    let source = "#include <cstdio>
        #include <stdexcept>
        #include <string>
        #include <vector>
        static int said = std::printf(\"starting\");
        static std::string greeting = std::string(\"hello, \") + \"a long enough world\";
        namespace n { class Box { std::vector<int> v; public:
            int add(int x) { if (x < 0) throw std::runtime_error(\"negative\"); v.push_back(x); return v.size(); } }; }
        int f(int x) {
            n::Box box;
            try { box.add(x); } catch (std::exception &e) { std::printf(\"%s\", e.what()); return -1; }
            return greeting.size() + box.add(x);
        }
        int g(int x) { n::Box box; return box.add(x); }";
    let seen = lab.run("t.cpp", source, "f", &[input(&[int(1, 32)]), input(&[int(-1, 32)])]);
    assert_eq!(seen[0].outcome.result, int(28, 32));
    assert_eq!((&seen[1].outcome.result, &*seen[1].outcome.stdout), (&int(-1, 32), &b"negative"[..]));
    let seen = lab.run("t.cpp", source, "g", &[input(&[int(-1, 32)])]);
    assert_eq!(seen[0].outcome.end, End::Fault(FaultKind::Uncaught));
    // Constructors are part of a program.
    let program = "#include <cstdio>\nstatic int seven() { return std::getchar() == EOF ? 7 : 8; }
        int x = seven() == 7 ? std::puts(\"first\") : 2; int main() { return x > 0 ? 0 : 1; }";
    let seen = lab.run("t.cpp", program, "main", &[Input::default()]);
    let turns: Vec<(&str, u32)> = seen[0].turns.iter().map(|turn| (&*turn.function, turn.side)).collect();
    assert_eq!((&*seen[0].outcome.stdout, turns.len()), (&b"first\n"[..], 1), "{turns:?}");
}

#[test]
fn rust_functions_run_with_their_library() {
    let lab = Lab::new();
    let source = "fn pick(list: &[i32], at: usize) -> i32 { list[at] }
        pub fn f(x: i32, at: usize) -> i32 {
            let list: Vec<i32> = (0..4).map(|i| i * x).collect();
            println!(\"{x:?}\");
            pick(&list, at)
        }
        pub fn add(x: u8) -> u8 { x + 200 }";
    let seen = lab.run("t.rs", source, "f", &[input(&[int(5, 32), int(3, 64)]), input(&[int(5, 32), int(4, 64)])]);
    assert_eq!((&seen[0].outcome.result, &*seen[0].outcome.stdout), (&int(15, 32), &b"5\n"[..]), "{seen:?}");
    assert_eq!(seen[1].outcome.end, End::Fault(FaultKind::Panic));
    let seen = lab.run("t.rs", source, "add", &[input(&[int(100, 8)]), input(&[int(55, 8)])]);
    assert_eq!(seen[0].outcome.end, End::Fault(FaultKind::Panic));
    assert_eq!(seen[1].outcome.result, int(255, 8));
    let wide = "fn wide(x: u128, y: i64) -> u128 { x * x + y as u128 }";
    let seen = lab.run("t.rs", wide, "wide", &[input(&[int(1 << 62, 128), int(5, 64)])]);
    assert_eq!(seen[0].outcome.result, int((1 << 124) + 5, 128));
    let slices = "fn sum(list: &[u16]) -> u16 { list.iter().sum() }";
    let case =
        Input { args: vec![object(0), int(2, 64)], objects: vec![memory("list", &[1, 0, 2, 0])], ..Input::default() };
    assert_eq!(lab.run("t.rs", slices, "sum", &[case])[0].outcome.result, int(3, 16));
    let program = "fn main() { let n = std::env::args().count(); println!(\"{n}\"); if n > 1 { panic!(\"many\") } }";
    let case = |count: usize| Input { argv: vec![b"p".to_vec(); count], ..Input::default() };
    let seen = lab.run("t.rs", program, "main", &[case(1), case(2)]);
    assert_eq!(seen[1].outcome.end, End::Fault(FaultKind::Panic));
    assert_eq!(seen[0].outcome.end, End::Returned);
}

#[test]
fn a_crash_a_hang_and_a_flood_do_not_stop_a_suite() {
    let lab = Lab::new();
    let source = r#"#include <stdio.h>
        #include <stdlib.h>
        #include <signal.h>
        #include <unistd.h>
        int f(int x) {
            switch (x) {
                case 1: return *(volatile int *) 8;
                case 2: for (;;) ;
                case 3: for (;;) puts("flood");
                case 4: { char *p; while ((p = malloc(1 << 20))) p[5] = 1; abort(); }
                case 5: pause();
                case 6: kill(getppid(), SIGKILL); for (;;) ;
                case 7: if (fork() == 0) for (;;) ; return 7;
                case 8: _exit(3);
                default: return x;
            }
        }"#;
    let inputs: Vec<Input> = (0..10).map(|x| input(&[int(x, 32)])).collect();
    let module = lab.module("t.c", source);
    let limits = Limits { time: std::time::Duration::from_millis(500), memory: 64 << 20, output: 1 << 20, ..limits() };
    let run = |native: build::Native| {
        let options = Options { build: build::Options { native, ..build::Options::default() }, ..Options::default() };
        lab.driver(&module, "f", &options).run(&inputs, Placement::Aligned, &limits).unwrap()
    };
    let killed = End::Unsupported("the driver was ended during this case".into());
    let expect = [
        &End::Returned,
        &End::Fault(FaultKind::NullPointer),
        &End::Bound(Limit::Time),
        &End::Bound(Limit::Output),
        &End::Bound(Limit::Memory),
        &End::Bound(Limit::Time),
        &killed,
        &End::Returned,
        &End::Exited(3),
        &End::Returned,
    ];
    let mut expect = expect.map(Clone::clone);
    for native in [build::Native::Uncontained, build::Native::Contained] {
        if native == build::Native::Contained {
            // Neither is there a signal, nor another process: both are answered with zero.
            expect[6..8].fill(End::Bound(Limit::Time));
        }
        let seen = run(native);
        let ends: Vec<End> = seen.iter().map(|seen| seen.outcome.end.clone()).collect();
        assert_eq!(ends, expect, "{native:?}");
        assert_eq!(seen[9].outcome.result, int(9, 32));
        assert_eq!(seen[3].outcome.stdout.len(), 1 << 20);
    }
}

#[test]
fn a_wrong_compiler_is_told() {
    let lab = Lab::new();
    let module = lab.module("t.c", "int f(int x) { return x; }");
    let entry = compare::find::functions(&module, "f").unwrap()[0];
    let check = |clang: &str, expect: &str| {
        let mut options = Options::default();
        options.build.clang = Some(clang.into());
        let error = prepare(&module, entry, &options, &lab.env).err().unwrap();
        assert!(error.to_string().contains(expect), "{clang}: {error}");
        assert!(error.help().is_some());
    };
    check("no-such-clang", "no compiler no-such-clang found");
    // The shell writes it: a file that this process had open could not be run while another test starts a program.
    let old = lab.dir.path().join("old-clang");
    let write = "printf '#!/bin/sh\\necho clang version 14.0.6\\n' > \"$0\" && chmod +x \"$0\"";
    assert!(std::process::Command::new("/bin/sh").args(["-c", write]).arg(&old).status().unwrap().success());
    check(&old.display().to_string(), "no clang 15 or newer (there is 14.0.6)");
    let mut options = Options::default();
    options.build.clang = Some("false".into());
    assert!(matches!(prepare(&module, entry, &options, &lab.env), Err(ReplayError::Build(_))));
}

#[test]
fn inputs_that_do_not_fit_are_not_run() {
    let lab = Lab::new();
    let check = |case: Input, expect: &str| {
        let source = "const int c = 1; int f(int x, int *p) { return x + *p + c; }";
        let seen = lab.run(
            "t.c",
            source,
            "f",
            &[
                case,
                Input {
                    args: vec![int(1, 32), object(0)],
                    objects: vec![memory("p", &[1, 0, 0, 0])],
                    ..Input::default()
                },
            ],
        );
        assert_eq!(seen[0].outcome.end, End::Unsupported(expect.into()));
        assert_eq!(seen[1].outcome.result, int(3, 32));
    };
    check(input(&[]), "0 arguments are given, not 2");
    check(input(&[int(1, 32), object(0)]), "there is no object 0");
    check(input(&[int(1, 8), object(0)]), "a value of 8 bits is given for one of 32");
    check(
        Input {
            globals: vec![("c".into(), memory("c", &[1, 0, 0, 0]))],
            ..input(&[int(1, 32), Datum::Pointer(Target::Null)])
        },
        "not run: it assigns something that cannot change",
    );
}

#[test]
fn outcomes_agree_part_by_part() {
    let lab = Lab::new();
    let seen = lab.run(
        "t.c",
        "int g; int *f(int x, int *p) { g = x; *p = x; return p; }",
        "f",
        &[Input { args: vec![int(4, 32), object(0)], objects: vec![memory("*p", &[0; 4])], ..Input::default() }],
    );
    let seen = &seen[0].outcome;
    let check = |change: &dyn Fn(&mut exec::case::Outcome), expect: Option<&str>| {
        let mut expected = seen.clone();
        change(&mut expected);
        let got = agrees(&expected, seen).err().map(|mismatch| mismatch.part);
        assert_eq!(got.as_deref(), expect);
    };
    check(&|_| {}, None);
    check(&|e| e.result = Datum::Any, None);
    check(&|e| e.result = Datum::Pointer(Target::Own), None);
    check(&|e| e.result = Datum::Pointer(Target::Null), Some("result"));
    check(&|e| e.objects[0].bytes[0] = 5, Some("*p at byte 0"));
    check(&|e| e.globals.clear(), Some("g"));
    check(&|e| e.globals[0].1.bytes[3] = 1, Some("g at byte 3"));
    check(&|e| e.end = End::Exited(0), Some("end"));
    check(&|e| e.stdout = b"x".to_vec(), Some("stdout"));
    check(
        &|e| e.calls.push(OutsideCall { function: "x".into(), args: vec![], given: vec![] }),
        Some("number of calls"),
    );
}

#[test]
fn what_was_never_assigned_is_zero_and_threads_have_their_variables() {
    let lab = Lab::new();
    let source = "struct s { char a; int b; long c[3]; };
        static _Thread_local int mine = 5;
        static void dirty(void) { volatile char b[200]; for (int i = 0; i < 200; i++) b[i] = 7; }
        static struct s g(char a) { struct s x; x.a = a; x.b = 2; return x; }
        int f(char a, struct s *out) { int never; dirty(); *out = g(a); mine += 1; return a ? 3 : never; }";
    let case = Input {
        args: vec![int(0, 8), object(0)],
        objects: vec![memory("out", &[9; 32])],
        globals: vec![("mine".into(), memory("mine", &[1, 0, 0, 0]))],
        ..Input::default()
    };
    let seen = lab.run("t.c", source, "f", &[case]).remove(0).outcome;
    let mut expect = [0; 32];
    expect[4] = 2;
    assert_eq!((&seen.result, &*seen.objects[0].bytes), (&int(0, 32), &expect[..]));
    assert_eq!(seen.globals, [("mine".into(), memory("mine", &[2, 0, 0, 0]))]);
}

/// Cases that do not end cost no more than they are allowed to, alone and together.
#[test]
fn hanging_cases_end_with_the_time_for_all() {
    use std::time::{Duration, Instant};
    let lab = Lab::new();
    let module = lab.module("t.c", "int f(int x) { while (x > 0) ; return x; }");
    let driver = lab.driver(&module, "f", &Options::default());
    let run = |count: i128, limits: Limits| {
        let inputs: Vec<Input> = (0..count).map(|x| input(&[int(x, 32)])).collect();
        driver.run(&inputs, Placement::Aligned, &limits).unwrap()
    };
    let time = Duration::from_secs(2);
    let started = Instant::now();
    let seen = run(41, Limits { time, time_after_hang: Duration::from_millis(10), ..limits() });
    assert!(started.elapsed() < 40 * time, "{:?}", started.elapsed());
    assert_eq!(seen[0].outcome.end, End::Returned);
    assert!(seen[1..].iter().all(|seen| seen.outcome.end == End::Bound(Limit::Time)));
    let until = Some(Instant::now() + Duration::from_millis(500));
    let seen = run(3, Limits { time: Duration::from_secs(1000), until, ..limits() });
    let known: Vec<bool> = seen.iter().map(|seen| !seen.had_no_time()).collect();
    assert_eq!(known, [true, false, false]);
}
