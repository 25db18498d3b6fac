//! Memory that programs never initialise: what rests on it is no plain difference, and a read that fails alike in both versions
//! keeps no proof from being one.

use crate::support::{pathshift, scratch};
use serde_json::Value;

/// The row of the function that changed.
fn row(old: &str, new: &str) -> Value {
    let dir = scratch();
    std::fs::write(dir.path().join("old.c"), old).unwrap();
    std::fs::write(dir.path().join("new.c"), new).unwrap();
    let mut command = pathshift();
    command.current_dir(dir.path()).args(["diff", "old.c", "new.c", "--format", "json", "--timeout", "10"]);
    let ran = command.output().unwrap();
    let result: Value = serde_json::from_slice(&ran.stdout).unwrap();
    result["functions"][0].clone()
}

/// Checks which kinds of differences native runs confirm.
fn check(old: &str, new: &str, expect: &[&str]) {
    let row = row(old, new);
    let kinds: Vec<&str> =
        row["differences"].as_array().unwrap().iter().filter_map(|one| one["kind"].as_str()).collect();
    assert_eq!((row["verdict"].as_str(), kinds.as_slice()), (Some("different"), expect), "{row:#}");
}

#[test]
fn a_witness_that_rests_on_uninitialised_memory_says_in_which_version() {
    let (initialised, uninitialised) = (
        "int f(int n) { int s = 1; if (n > 0) s = n; return s; }",
        "int f(int n) { int s; if (n > 0) s = n; return s; }",
    );
    check(uninitialised, initialised, &["old was undefined"]);
    check(initialised, uninitialised, &["new is undefined"]);
    // What decides where the output comes from, too.
    let body = |declared: &str| {
        format!(
            "#include <stdio.h>
            int main(int argc, char **argv) {{ {declared}; if (argc > 1) x = 1; if (x > 0) puts(\"a\"); else puts(\"b\"); }}"
        )
    };
    check(&body("int x = 2"), &body("int x"), &["new is undefined"]);
    // Allocations, and what an array of a size that only a run knows has.
    let heap = |get: &str| {
        format!(
            "#include <stdlib.h>
            int f(int n) {{ int *p = {get}; if (n > 3) p[1] = n; int r = p[1]; free(p); return r + 1; }}"
        )
    };
    check(&heap("calloc(2, 4)"), &heap("malloc(8)"), &["new is undefined"]);
    check(
        "int f(int n) { if (n < 1 || n > 3) return 0; int a[n]; return a[n - 1] > 0; }",
        "int f(int n) { if (n < 1 || n > 3) return 0; int a[n]; a[n - 1] = 1; return a[n - 1] > 0; }",
        &["old was undefined"],
    );
}

#[test]
fn a_difference_beside_uninitialised_bytes_is_a_plain_one() {
    let source = |c: u32| {
        format!(
            "struct s {{ char c; int i; }};
            struct s f(int n) {{ struct s s; s.c = {c}; s.i = n; return s; }}"
        )
    };
    check(&source(1), &source(2), &["value"]);
    let source = |c: u32| {
        format!(
            "#include <stdlib.h>
            struct s {{ char c; int i; }};
            struct s *f(int n) {{ struct s *s = malloc(sizeof *s); if (s) s->c = {c}; return s; }}"
        )
    };
    check(&source(1), &source(2), &["value"]);
}

#[test]
fn a_witness_that_rests_on_nothing_undefined_is_looked_for() {
    // The smallest input is one on which the old version is undefined.
    check(
        "int f(unsigned n) { int s; if (n > 0) s = n; return n == 77 ? 3 : s; }",
        "int f(unsigned n) { int s = 1; if (n > 0) s = n; return n == 77 ? 4 : s; }",
        &["value"],
    );
}

#[test]
fn an_unchecked_read_does_not_keep_a_proof_from_being_one() {
    let check = |old: &str, new: &str| {
        let row = row(&format!("#include <stdio.h>\n{old}"), &format!("#include <stdio.h>\n{new}"));
        let is_same = matches!(row["verdict"].as_str(), Some("same" | "same_within_bounds"));
        let codes: Vec<&str> =
            row["assumptions"].as_array().unwrap().iter().filter_map(|one| one["code"].as_str()).collect();
        assert!(is_same && codes.contains(&"A073"), "{row:#}");
    };
    check(
        "int main(void) { int n, s = 0; scanf(\"%d\", &n); for (int i = 0; i < 3; i++) s += n; printf(\"%d\\n\", s); return 0; }",
        "int main(void) { int n; scanf(\"%d\", &n); int s = 3 * n; printf(\"%d\\n\", s); return 0; }",
    );
    // In one call or in two, whatever the variables are called.
    check(
        "int main(void) { int x, y; scanf(\"%d\", &x); scanf(\"%d\", &y);
            if (x % 2 == 0 && y > 0) puts(\"yes\"); else puts(\"no\"); return 0; }",
        "int main(void) { int a, b; scanf(\"%d%d\", &a, &b);
            if (a % 2 == 0) { if (b > 0) puts(\"yes\"); else puts(\"no\"); } else puts(\"no\"); return 0; }",
    );
}

/// Values that were not read go together by their order: other ones are not the same.
#[test]
fn an_unchecked_read_hides_no_difference() {
    let source = |print: &str| {
        format!(
            "#include <stdio.h>
            int main(void) {{ int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", {print}); return 0; }}"
        )
    };
    let row = row(&source("a - b"), &source("b - a"));
    assert_eq!((&row["verdict"], &row["differences"][0]["kind"]), (&"different".into(), &"output".into()), "{row:#}");
    let (row, kind) = (row_of_missing_initialiser(), "new is undefined");
    assert_eq!((&row["verdict"], &row["differences"][0]["kind"]), (&"different".into(), &kind.into()), "{row:#}");
}

/// What is read is initialised in one version only: on a failed read this one is defined.
fn row_of_missing_initialiser() -> Value {
    let source = |declared: &str| {
        format!(
            "#include <stdio.h>
            int main(void) {{ {declared}; scanf(\"%d\", &n); printf(\"%d\\n\", n); return 0; }}"
        )
    };
    row(&source("int n = 0"), &source("int n"))
}
