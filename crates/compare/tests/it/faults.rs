//! Every kind of fault shows natively.

use compare::replay::{Options, Placement};
use exec::case::{End, FaultKind, Input};

use crate::lab::{Lab, input, int, limits, memory, object};

/// Bodies of `int f(char *p, int n)`, where `p` has five bytes: with the first number they fail, with the second not.
const FAULTS: [(&str, i128, i128, FaultKind); 26] = [
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
    ("if (n) __builtin_unreachable(); return 0;", 1, 0, FaultKind::Unreachable),
    ("assert(n != 1); return 0;", 1, 0, FaultKind::Assertion),
    ("if (n) abort(); return 0;", 1, 0, FaultKind::Abort),
    ("if (n) __builtin_trap(); return 0;", 1, 0, FaultKind::Abort),
    ("return n + 1;", i32::MAX as i128, 5, FaultKind::Overflow),
    ("return n * 65536;", 65536, 5, FaultKind::Overflow),
    ("return 1 << n;", 32, 31, FaultKind::Shift),
    ("if (n) ((int (*)(void)) p)(); return 0;", 1, 0, FaultKind::BadCall),
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
