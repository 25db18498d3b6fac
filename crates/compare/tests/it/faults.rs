//! Every kind of fault shows natively.

use compare::replay::{Options, Placement};
use exec::case::{End, FaultKind, Input};

use crate::lab::{Lab, input, int, limits, memory, object};

/// Bodies of `int f(char *p, int n)`, where `p` has five bytes: with the first number they fail, with the second not.
const FAULTS: [(&str, i128, i128, FaultKind); 31] = [
    ("return p[n];", 5, 4, FaultKind::OutOfBounds),
    ("p[n] = 1; return 0;", -1, 0, FaultKind::OutOfBounds),
    ("char *m = malloc(7); m[n] = 1; free(m); return 0;", 7, 6, FaultKind::OutOfBounds),
    ("char b[3] = {0}; return b[n];", 3, 2, FaultKind::OutOfBounds),
    ("return sum(&n, n);", 2, 1, FaultKind::OutOfBounds),
    ("char *m = malloc(8); if (n) free(m); return m[2];", 1, 0, FaultKind::UseAfterFree),
    ("int *m = leak(); return n ? *m : 0;", 1, 0, FaultKind::UseAfterFree),
    ("free(n ? p : 0); return p[0];", 1, 0, FaultKind::UseAfterFree),
    ("char *m = realloc(malloc(8), 16); free(m); if (n) m = realloc(m, 20); return 0;", 1, 0, FaultKind::DoubleFree),
    ("char *m = malloc(8); free(m); if (n) free(m); return 0;", 1, 0, FaultKind::DoubleFree),
    ("char *m = malloc(8); free(m + n); return 0;", 1, 0, FaultKind::InvalidFree),
    ("if (n) free(&n); return 0;", 1, 0, FaultKind::InvalidFree),
    ("if (n) p = 0; return *p;", 1, 0, FaultKind::NullPointer),
    ("if (n) p = (char *) 0x123456789000; return *p;", 1, 0, FaultKind::WildPointer),
    ("if (n) *(int *) fixed = 3; return 0;", 1, 0, FaultKind::ReadOnly),
    ("return 10 / n;", 0, 1, FaultKind::Division),
    ("return INT_MIN % n;", -1, 1, FaultKind::Division),
    ("return n / -1;", i32::MIN as i128, 5, FaultKind::Division),
    ("return n % -1;", i32::MIN as i128, 5, FaultKind::Division),
    ("return n / n;", 0, 5, FaultKind::Division),
    ("return 0 / n;", 0, 5, FaultKind::Division),
    ("return (n ^ n) % (unsigned) n;", 0, 5, FaultKind::Division),
    ("if (n) __builtin_unreachable(); return 0;", 1, 0, FaultKind::Unreachable),
    ("assert(n != 1); return 0;", 1, 0, FaultKind::Assertion),
    ("if (n) abort(); return 0;", 1, 0, FaultKind::Abort),
    ("if (n) __builtin_trap(); return 0;", 1, 0, FaultKind::Abort),
    ("return n + 1;", i32::MAX as i128, 5, FaultKind::Overflow),
    ("return n * 65536;", 65536, 5, FaultKind::Overflow),
    ("return 1 << n;", 32, 31, FaultKind::Shift),
    ("void *q = n ? (void *) fixed : (void *) down; if (n) ((int (*)(void)) q)(); return 0;", 1, 0, FaultKind::BadCall),
    ("return down(n);", 10_000_000, 5, FaultKind::StackOverflow),
];

#[test]
fn each_kind_of_fault_shows_and_its_guarded_twin_returns() {
    let lab = Lab::new();
    let mut source = "#include <assert.h>\n#include <stdlib.h>\n#include <limits.h>
        static const int fixed[2] = {1, 2};
        static int *leak(void) { int a[3] = {1, 2, 3}; int *p = a; return p; }
        static int sum(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
        int down(int n) { volatile char b[64]; b[0] = n; return n == 0 ? 0 : down(n - 1) + b[0]; }
        int f(char *p, int n, int which) { switch (which) {"
        .to_owned();
    let mut inputs = Vec::new();
    for (which, (body, bad, good, _)) in (0..).zip(FAULTS) {
        source += &format!("case {which}: {{ {body} }}\n");
        inputs.extend([bad, good].map(|n| Input {
            args: vec![object(0), int(n, 32), int(which, 32)],
            objects: vec![memory("p", b"abcde")],
            ..Input::default()
        }));
    }
    source += "} return fixed[0]; }";
    let module = lab.module("t.c", &source);
    let options = Options { checks: true, guard_stack: true, ..Options::default() };
    let seen = lab.driver(&module, "f", &options).run(&inputs, Placement::Exact, &limits()).unwrap();
    for ((body, bad, good, kind), seen) in FAULTS.into_iter().zip(seen.chunks(2)) {
        assert_eq!(seen[0].outcome.end, End::Fault(kind), "{body} with {bad}");
        assert_eq!(seen[1].outcome.end, End::Returned, "{body} with {good}");
    }
}

#[test]
fn without_checks_arithmetic_does_what_the_build_does() {
    let lab = Lab::new();
    let most = input(&[int(i128::from(i32::MAX), 32)]);
    let seen = lab.run("t.c", "int f(int x) { return x + 1; }", "f", &[most]);
    assert_eq!(seen[0].outcome.result, int(i128::from(i32::MIN), 32));
}

/// Bodies of `int f(char *p, int n)` that read beside an object, or not: where memory has to lie so that it shows.
const BESIDE: [(&str, i128, i128, Placement); 10] = [
    ("return p[n];", -1, 0, Placement::Begin),
    ("char *m = calloc(7, 1); return m[n];", -1, 0, Placement::Begin),
    ("char b[3] = {0}; return b[n];", -1, 0, Placement::Begin),
    ("return table[n];", -1, 0, Placement::Begin),
    ("return names[n].id;", -1, 0, Placement::Begin),
    ("return table[n];", 5, 4, Placement::Exact),
    ("table[n] = 1; return table[0];", 5, 4, Placement::Exact),
    ("return fixed[n];", 3, 2, Placement::Exact),
    ("return of(all, n);", 9, 8, Placement::Exact),
    ("return of(all, n);", -1, 0, Placement::Begin),
];

#[test]
fn reads_beside_memory_of_every_kind_show() {
    let lab = Lab::new();
    let mut source = "#include <stdlib.h>
        static int table[5]; static const int fixed[3] = {1, 2, 3};
        struct big { int r[9]; }; static struct big all; static int of(struct big s, int n) { return s.r[n]; }
        static struct { int id; char *name; } names[2] = {{1, \"a\"}, {2, \"b\"}};
        int f(char *p, int n, int which) { switch (which) {"
        .to_owned();
    for (which, (body, ..)) in BESIDE.iter().enumerate() {
        source += &format!("case {which}: {{ {body} }}\n");
    }
    source += "} return fixed[0]; }";
    let module = lab.module("t.c", &source);
    for placement in [Placement::Begin, Placement::Exact] {
        let guard_begin = placement == Placement::Begin;
        let options = Options { guard_stack: true, guard_begin, ..Options::default() };
        let driver = lab.driver(&module, "f", &options);
        for (which, (body, bad, good, _)) in (0..).zip(BESIDE).filter(|(_, case)| case.3 == placement) {
            let inputs = [bad, good].map(|n| Input {
                args: vec![object(0), int(n, 32), int(which, 32)],
                objects: vec![memory("p", b"abcde")],
                ..Input::default()
            });
            let seen = driver.run(&inputs, placement, &limits()).unwrap();
            assert_eq!(seen[0].outcome.end, End::Fault(FaultKind::OutOfBounds), "{body} with {bad}");
            assert_eq!(seen[1].outcome.end, End::Returned, "{body} with {good}");
        }
    }
}

#[test]
fn memory_that_a_run_made_is_brought_back() {
    let lab = Lab::new();
    let source = "#include <stdlib.h>
        struct node { int value; struct node *next; };
        struct node *f(int n) {
            struct node *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
            a->value = n; a->next = b; b->value = n + 1;
            return a;
        }";
    let seen = lab.run("t.c", source, "f", &[input(&[int(3, 32)]), input(&[int(3, 32)]), input(&[int(4, 32)])]);
    let values: Vec<u8> = seen[0].own.iter().map(|memory| memory.bytes[0]).collect();
    assert_eq!(values, [3, 4]);
    assert!(!seen[0].differs_in_own_memory(&seen[1]));
    assert!(seen[0].differs_in_own_memory(&seen[2]));
}
