//! Suites where it is easy to be wrong: the same code that comes to do something else, tests that say more than the bounds
//! allow, inputs that are containers.

use crate::support::{pathshift, scratch};
use std::path::Path;

fn tests(dir: &Path, args: &[&str]) -> String {
    let output = pathshift().current_dir(dir).arg("tests").args(args).output().unwrap();
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// How many tests a suite has, and how many of them do natively what they expect.
fn replayed(dir: &Path, suite: &str, file: &str) -> (usize, bool) {
    let text = std::fs::read_to_string(dir.join(suite).join("tests.txt")).unwrap();
    let count = text.lines().skip_while(|line| *line != "--").skip(1).count();
    let said = tests(dir, &["replay", suite, file]);
    (count, said.contains(&format!("{count} of {count} tests")))
}

/// Old version, what is replaced by what, and the function. Nothing of its own code changes.
const ELSEWHERE: [(&str, &str, &str, &str, &str); 6] = [
    // A constructor has two names.
    (
        "cc",
        "struct A { int v; A(int x); int get() const; };\nA::A(int x) { v = x + 1; }\nint A::get() const { return v * 2; }\n\
         int f(int a) { if (a == 3) return 7; A b(a); return b.get(); }\n",
        "v = x + 1;",
        "v = x + 1; if (x == 77) v = -1;",
        "f",
    ),
    (
        "c",
        "int helper(int x) { return x + 1; }\nint other(int) __attribute__((alias(\"helper\")));\n\
         int f(int a) { if (a == 3) return 7; return other(a); }\n",
        "x + 1",
        "x + 2",
        "f",
    ),
    // Addresses that are numbers.
    (
        "cc",
        "struct A { int k; int m(int x) { return x * k; } int n(int x) { return x - k; } };\n\
         static int (A::*const t[2])(int) = { &A::m, &A::n };\n\
         int f(int a) { A s; s.k = 3; if (a == 9) return 0; return (s.*t[a & 1])(a); }\n",
        "x * k",
        "x * k + 1",
        "f",
    ),
    (
        "c",
        "static int h0(int x) { return x; }\nstatic int h1(int x) { return -x; }\n\
         static const long tab[2] = {(long)h0, (long)h1};\n\
         int f(int a) { if (a == 9) return 0; return ((int (*)(int))tab[a & 1])(a); }\n",
        "return x;",
        "return x + 1;",
        "f",
    ),
    // What a pointer leads to.
    (
        "c",
        "int f(char *v, int k) { int *p = (int *)v; if (k == 1) return 0; if (p[4] == 7) return 2; return 3; }\n",
        "char *v",
        "int *v",
        "f",
    ),
    (
        "c",
        "char *g; int f(int k) { int *p = (int *)g; if (k == 1) return 0; if (p[4] == 7) return 2; return 3; }\n",
        "char *g;",
        "int *g;",
        "f",
    ),
];

#[test]
fn nothing_is_taken_over_that_does_something_else() {
    for (kind, old, from, to, function) in ELSEWHERE {
        let dir = scratch();
        let new = old.replacen(from, to, 1);
        assert_ne!(old, new);
        let (old_file, new_file) = (format!("old.{kind}"), format!("new.{kind}"));
        std::fs::write(dir.path().join(&old_file), old).unwrap();
        std::fs::write(dir.path().join(&new_file), &new).unwrap();
        tests(dir.path(), &["generate", &old_file, "-f", function, "--suite", "s"]);
        let ledger = tests(dir.path(), &["update", &old_file, &new_file, "--suite", "s"]);
        tests(dir.path(), &["generate", &new_file, "-f", function, "--suite", "fresh", "--no-store"]);
        let (updated, fresh) = (replayed(dir.path(), "s", &new_file), replayed(dir.path(), "fresh", &new_file));
        assert_eq!(updated, (fresh.0, true), "{new}\n{ledger}");
    }
}

/// A suite of our own has a test for each path, so none of them is one too many, and all replay.
#[test]
fn own_suites_are_minimal() {
    for (file, source) in [
        (
            "v.cc",
            "#include <vector>\nint f(const std::vector<int> &v) { if (v.size() > 2 && v[2] == 7) return 1; return v.empty() ? 2 : 3; }\n",
        ),
        (
            "t.cc",
            "#include <string>\nint f(const std::string &s) { if (s.size() > 2 && s[2] == 'x') return 1; return s.empty() ? 2 : 3; }\n",
        ),
        (
            "m.cc",
            "#include <vector>\nstruct R { int k; std::vector<short> v; };\nint f(const R &r) { if (r.k == 2 && r.v.size() == 3) return 1; return 0; }\n",
        ),
        (
            "v.rs",
            "#![crate_type = \"lib\"]\n#[inline(never)] pub fn f(v: &Vec<i32>) -> i32 { if v.len() > 2 { 1 } else { 0 } }\n",
        ),
        (
            "s.rs",
            "#![crate_type = \"lib\"]\n#[inline(never)] pub fn f(s: &String) -> i32 { if s.len() > 2 && s.as_bytes()[1] == b'x' { 1 } else { 0 } }\n",
        ),
        ("p.c", "int (*cb)(int);\nint f(int a) { if (a > 2) return cb(a); return 1; }\n"),
        ("r.c", "int f(const char *s, int a) { int loc = s[1] * 0; if (a > 2) return 1; return loc; }\n"),
        ("d.c", "int f(int a, int b) { int loc = (a / b) * 0; if (a > 2) return 1; return loc; }\n"),
    ] {
        let dir = scratch();
        std::fs::write(dir.path().join(file), source).unwrap();
        tests(dir.path(), &["generate", file, "-f", "f", "--suite", "s", "--no-store"]);
        let before = std::fs::read_to_string(dir.path().join("s/tests.txt")).unwrap();
        let (count, agree) = replayed(dir.path(), "s", file);
        assert!(agree && count > 1, "{source}{before}{}", tests(dir.path(), &["replay", "s", file]));
        let ledger = tests(dir.path(), &["minimize", file, "--suite", "s", "--no-store"]);
        assert_eq!(std::fs::read_to_string(dir.path().join("s/tests.txt")).unwrap(), before, "{source}{ledger}");
    }
}

/// Tests that are larger than the bounds are never taken for smaller ones.
#[test]
fn tests_beyond_the_bounds_stay() {
    let dir = scratch();
    let source = "int f(const char *s, int k) { int n = 0; while (s[n]) n++; if (n > 20) return k > 2 ? 100 : 50;\n\
                  if (n > 10) return 7; return n + k; }\n";
    std::fs::write(dir.path().join("f.c"), source).unwrap();
    std::fs::write(dir.path().join("g.c"), source.replace("return 7", "return 8")).unwrap();
    tests(dir.path(), &["generate", "f.c", "-f", "f", "--suite", "s"]);
    let file = dir.path().join("s/tests.txt");
    let mut text = std::fs::read_to_string(&file).unwrap();
    let longer = "s=&0 k=3 &0:s%16=\"hello world, this is long\\000\" -> 100\n";
    text.push_str(longer);
    std::fs::write(&file, text).unwrap();
    let ledger = tests(dir.path(), &["update", "f.c", "g.c", "--suite", "s"]);
    assert!(ledger.contains("larger than the bounds"), "{ledger}");
    assert!(std::fs::read_to_string(&file).unwrap().contains("this is long"), "{ledger}");
    // Who only follows tests needs no bounds.
    let ledger = tests(dir.path(), &["minimize", "f.c", "--suite", "s"]);
    assert!(!ledger.contains("larger than the bounds") && !ledger.contains("1 obsolete"), "{ledger}");
    assert!(std::fs::read_to_string(&file).unwrap().contains("this is long"), "{ledger}");
}

/// What `tests update` says of a suite of the old version.
fn ledger_of(dir: &Path, old: &str, new: &str, name: &str, more: &[&str]) -> String {
    std::fs::write(dir.join("o.c"), old).unwrap();
    std::fs::write(dir.join("n.c"), new).unwrap();
    tests(dir, &["generate", "o.c", "-f", name, "--suite", "s"]);
    tests(dir, &[&["update", "o.c", "n.c", "--suite", "s"], more].concat())
}

/// What a test expects may be the address of a function, which has another name now.
#[test]
fn addresses_of_renamed_functions_are_expected_by_their_new_names() {
    let dir = scratch();
    let old =
        "int a(int x) { return x + 1; }\ntypedef int (*F)(int);\nF pick(int k) { if (k == 1) return a; return 0; }\n";
    let new = old.replace("int a(", "int alpha(").replace("return a;", "return alpha;");
    let ledger = ledger_of(dir.path(), old, &new, "pick", &[]);
    assert_eq!(replayed(dir.path(), "s", "n.c"), (2, true), "{ledger}");
}

/// Memory that an outside function hands out is part of the input of a whole program, too.
#[test]
fn programs_are_given_what_outside_functions_hand_out() {
    let dir = scratch();
    let source = "char *get(void);\nint main(void) { char *p = get(); if (!p) return 3; if (p[0] == 'a') return 1; return 0; }\n";
    std::fs::write(dir.path().join("m.c"), source).unwrap();
    tests(dir.path(), &["generate", "m.c", "--suite", "s", "--no-store"]);
    assert_eq!(replayed(dir.path(), "s", "m.c"), (3, true), "{}", tests(dir.path(), &["replay", "s", "m.c"]));
    let ledger = tests(dir.path(), &["minimize", "m.c", "--suite", "s", "--no-store"]);
    assert_eq!(replayed(dir.path(), "s", "m.c"), (3, true), "{ledger}");
}

/// Without the tree of paths nobody knows the conditions of older tests, and so whether they changed.
#[test]
fn nothing_is_said_of_conditions_that_are_not_known() {
    let dir = scratch();
    let source = "int f(int x) { if (x > 3) return 1; if (x < -3) return 2; return 3; }\n";
    let ledger = ledger_of(dir.path(), source, source, "f", &["--no-store", "--dry-run"]);
    assert!(ledger.contains("3 kept") && !ledger.contains("conditions changed"), "{ledger}");
}

/// A case that is added to a `switch` moves the others, which still lead where they led.
#[test]
fn cases_are_known_by_where_they_lead() {
    let dir = scratch();
    let source =
        "int f(int x) { switch (x) { case 1: return 10; case 2: return 20; case 3: return 30; default: return 0; } }\n";
    let ledger = ledger_of(dir.path(), source, &source.replace("case 1", "case 0: return 5; case 1"), "f", &[]);
    assert!(ledger.contains("3 kept, 1 re-aimed, 0 obsolete, 1 new"), "{ledger}");
    assert_eq!(replayed(dir.path(), "s", "n.c"), (5, true));
}

/// Who says which function it is now says that it is the same one.
#[test]
fn a_function_that_is_named_is_the_same_function() {
    let dir = scratch();
    let old = "int f(int a) { if (a > 3) return 1; if (a < -3) return 2; return 3; }\n";
    let new = "int g(int a) { if (a > 4) return 1; if (a < -3) return 2; return 3; }\n";
    let ledger = ledger_of(dir.path(), old, new, "f", &["-f", "g"]);
    assert!(!ledger.contains("signature"), "{ledger}");
    assert!(ledger.contains("2 kept"), "{ledger}");
}
