//! Every kind of fault: a program where it is found at the right line, with an input that a native run confirms, and a
//! guarded twin in which nothing is to be found.

use crate::support::{explored, folder};
use serde_json::Value;

/// Kind, file name, options, line, the faulty program and its twin. The function is `f`.
type Fault = (&'static str, &'static str, &'static [&'static str], u64, &'static str, &'static str);

const FAULTS: &[Fault] = &[
    ("null pointer", "t.c", &[], 1, "int f(int *p) { return *p; }", "int f(int *p) { return p ? *p : 0; }"),
    (
        "out of bounds",
        "t.c",
        &[],
        2,
        "int f(unsigned i) { int t[4] = {1, 2, 3, 4};\nreturn t[i]; }",
        "int f(unsigned i) { int t[4] = {1, 2, 3, 4};\nreturn i < 4 ? t[i] : 0; }",
    ),
    (
        "wild pointer",
        "t.c",
        &[],
        1,
        "int f(int x) { if (x == 3) return *(volatile int *)0x10000000; return x; }",
        "int f(int x) { if (x == 3) return 4; return x; }",
    ),
    (
        "use after free",
        "t.c",
        &[],
        3,
        "#include <stdlib.h>\nint f(int x) { int *p = malloc(4); if (!p) return 0; *p = x; if (x == 7) free(p);\nint r = *p; if (x != 7) free(p); return r; }",
        "#include <stdlib.h>\nint f(int x) { int *p = malloc(4); if (!p) return 0; *p = x; int r = *p; free(p); return r; }",
    ),
    (
        "double free",
        "t.c",
        &[],
        2,
        "#include <stdlib.h>\nvoid f(int x) { char *p = malloc(8); if (x == 3) free(p); free(p); }",
        "#include <stdlib.h>\nvoid f(int x) { char *p = malloc(8); if (x == 3) { free(p); p = 0; } free(p); }",
    ),
    (
        "invalid free",
        "t.c",
        &[],
        3,
        "#include <stdlib.h>\nvoid f(int x) { char *p = malloc(8); if (!p) return;\nfree(x == 3 ? p + 1 : p); }",
        "#include <stdlib.h>\nvoid f(int x) { char *p = malloc(8); if (!p) return;\nfree(x == 3 ? p + 0 : p); }",
    ),
    (
        "write to read-only memory",
        "t.c",
        &[],
        2,
        "void f(int x) { char *s = \"text\"; static char t[5];\nif (x != 9) s = t; s[0] = 'x'; }",
        "void f(int x) { char *s = \"text\"; static char t[5];\nif (x != 9) s = t; if (x != 9) s[0] = 'x'; }",
    ),
    (
        "division",
        "t.c",
        &[],
        1,
        "int f(int a, unsigned char b) { return a / b; }",
        "int f(int a, unsigned char b) { return b ? a / b : 0; }",
    ),
    (
        "division",
        "t.c",
        &[],
        1,
        "int f(int a) { return a % -1; }",
        "int f(int a) { return a == (-2147483647 - 1) ? 0 : a % -1; }",
    ),
    (
        "division",
        "t.c",
        &[],
        1,
        "int f(int a, unsigned char b) { int unused = a / b; return 1; }",
        "int f(int a, unsigned char b) { int unused = b ? a / b : 0; return 1; }",
    ),
    (
        "null pointer",
        "t.c",
        &[],
        1,
        "int f(int *p) { int unused = *p; return 1; }",
        "int f(int *p) { int unused = p ? *p : 0; return 1; }",
    ),
    (
        "unreachable code reached",
        "t.c",
        &[],
        1,
        "int f(int x) { switch (x & 3) { case 0: case 1: case 2: return x; } __builtin_unreachable(); }",
        "int f(int x) { switch (x & 3) { case 0: case 1: case 2: case 3: return x; } __builtin_unreachable(); }",
    ),
    (
        "assertion failed",
        "t.c",
        &[],
        2,
        "#include <assert.h>\nint f(int x) { assert(x != 42); return x; }",
        "#include <assert.h>\nint f(int x) { if (x == 42) return 0; assert(x != 42); return x; }",
    ),
    (
        "panic",
        "t.rs",
        &[],
        2,
        "pub fn f(x: u8, t: [u8; 4]) -> u8 {\n    t[(x & 7) as usize]\n}",
        "pub fn f(x: u8, t: [u8; 4]) -> u8 {\n    t[(x & 3) as usize]\n}",
    ),
    (
        "panic",
        "t.rs",
        &[],
        2,
        "pub fn f(x: Option<u8>) -> u8 {\n    x.unwrap()\n}",
        "pub fn f(x: Option<u8>) -> u8 {\n    x.unwrap_or(3)\n}",
    ),
    (
        "panic",
        "t.rs",
        &[],
        2,
        "pub fn f(x: i32) -> i32 {\n    x + 1\n}",
        "pub fn f(x: i32) -> i32 {\n    x.wrapping_add(1)\n}",
    ),
    (
        "abort",
        "t.c",
        &[],
        2,
        "#include <stdlib.h>\nint f(int x) { if (x == 5) abort(); return x; }",
        "#include <stdlib.h>\nint f(int x) { if (x == 5) return 5; return x; }",
    ),
    (
        "uncaught exception",
        "t.cpp",
        &[],
        1,
        "extern \"C\" int f(int x) { if (x == 5) throw 7; return x; }",
        "extern \"C\" int f(int x) { try { if (x == 5) throw 7; } catch (int e) { return e; } return x; }",
    ),
    (
        "signed overflow",
        "t.c",
        &["--check", "undefined"],
        1,
        "int f(int a) { return a + 1; }",
        "int f(int a) { return a < 2147483647 ? a + 1 : a; }",
    ),
    (
        "shift out of range",
        "t.c",
        &["--check", "undefined"],
        1,
        "unsigned f(unsigned a, unsigned s) { return a << s; }",
        "unsigned f(unsigned a, unsigned s) { return s < 32 ? a << s : 0; }",
    ),
    (
        "conversion out of range",
        "t.c",
        &["--check", "undefined", "--solver", "z3 -in"],
        1,
        "int f(int a) { double d = a * 2.0; return (int)d; }",
        "int f(int a) { double d = a * 2.0; return d > -2147483649.0 && d < 2147483648.0 ? (int)d : 0; }",
    ),
    (
        "conversion out of range",
        "t.c",
        &["--check", "undefined"],
        1,
        "unsigned char f(float x) { return (unsigned char)x; }",
        "unsigned char f(float x) { return x > -1.0f && x < 256.0f ? (unsigned char)x : 0; }",
    ),
    (
        "uninitialised value",
        "t.c",
        &["--check", "undefined"],
        2,
        "int f(int x) { int n; if (x > 3) n = x;\nif (n > 7) return 1; return 0; }",
        "int f(int x) { int n = 0; if (x > 3) n = x;\nif (n > 7) return 1; return 0; }",
    ),
    (
        "uninitialised value",
        "t.c",
        &["--check", "undefined"],
        3,
        "#include <stdlib.h>\nint f(int x) { char *p = malloc(4); if (!p) return 0; if (x) p[1] = x;\nint r = 2; if (p[1] > 2) r = 1; free(p); return r; }",
        "#include <stdlib.h>\nint f(int x) { char *p = malloc(4); if (!p) return 0; p[1] = x;\nint r = 2; if (p[1] > 2) r = 1; free(p); return r; }",
    ),
    (
        "bad call",
        "t.c",
        &[],
        4,
        "static int one(int x) { return x; }\nstatic int data;\nint f(int x) { int (*p)(int) = x == 1 ? (int (*)(int))(void *)&data : one;\nreturn p(x); }",
        "static int one(int x) { return x; }\nstatic int two(int x) { return x + 1; }\nint f(int x) { int (*p)(int) = x == 1 ? two : one;\nreturn p(x); }",
    ),
    (
        "stack overflow",
        "t.c",
        &[],
        1,
        "int f(int x) { if (x != 3) return x; volatile char room[4096]; room[0] = x; return f(x) + room[0]; }",
        "int f(int x) { if (x != 3) return x; volatile char room[4096]; room[0] = x; return f(x + 1) + room[0]; }",
    ),
];

#[test]
fn every_fault_is_found_and_its_guarded_twin_is_clean() {
    let mut wrong = Vec::new();
    for (kind, name, options, line, bad, good) in FAULTS {
        let (_folder, files) = folder(&[(&format!("bad_{name}"), bad), (&format!("good_{name}"), good)]);
        let result = explored(&files[0], "f", options);
        let faults: Vec<&Value> =
            result["paths"].as_array().unwrap().iter().filter(|path| !path["fault"].is_null()).collect();
        let right = faults.len() == 1
            && faults[0]["fault"] == *kind
            && faults[0]["line"]["line"] == *line
            && faults[0]["replayed"] == "yes";
        if !right {
            wrong.push(format!("{kind} in\n{bad}\n{result:#}"));
        }
        let result = explored(&files[1], "f", options);
        let clean = |path: &Value| path["fault"].is_null() && path["replayed"] == "yes";
        if !result["paths"].as_array().unwrap().iter().all(clean) {
            wrong.push(format!("no {kind} in\n{good}\n{result:#}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
