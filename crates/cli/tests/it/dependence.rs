//! Strategies and verbs that stand on dependence, as a user runs them.

use crate::support::{explored, folder, full, pathshift};
use crate::verdicts::seeded_regression;
use serde_json::Value;
use std::path::{Path, PathBuf};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

fn json(args: &[&str]) -> Value {
    let output = pathshift().args(args).args(["--format", "json"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn strategies_need_fewer_paths() {
    let count = |file: &str, function: &str, args: &[&str]| {
        let result = explored(&example(file), function, args);
        for path in result["paths"].as_array().unwrap() {
            assert_eq!(path["replayed"], "yes", "{path}");
        }
        result["paths"].as_array().unwrap().len()
    };
    assert_eq!(count("switches/switches.c", "panel", &[]), 64);
    assert!(count("switches/switches.c", "panel", &["--strategy", "dgse"]) <= 10);
    let since = example("brake/old.c");
    let since = ["--strategy", "dgse", "--since", since.to_str().unwrap()];
    assert_eq!(count("brake/new.c", "update", &since), 8);
}

#[test]
fn a_signature_has_a_case_for_each_way() {
    let source = "int f(int x, int y, int z) { int a, b = 2; if (x - y > 0) a = x; else a = y;
        if (x + y > 10) b = a; if (z * z > 3) b += 0; return b; }";
    let (_folder, files) = folder(&[("t.c", source)]);
    let signature = json(&["signature", files[0].to_str().unwrap(), "-f", "f", "--criterion", "result"]);
    let cases = signature["cases"].as_array().unwrap();
    let mut outputs: Vec<String> = cases.iter().map(|case| case["outputs"][0].as_str().unwrap().to_owned()).collect();
    outputs.sort();
    assert_eq!(outputs, ["returns 2", "returns x", "returns y"], "{signature}");
}

/// What functions do, in words of the source: name, outputs, conditions.
#[test]
fn signatures_are_in_words_of_the_source() {
    let source = "#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct point { int x, y; };
struct node { int v; struct node *next; };
enum color { RED, GREEN = 5, BLUE };
int hist[4];
static struct point last;
char grade(int p) { if (p < 0 || p > 100) return '?'; return p >= 50 ? 'A' : 'F'; }
const char *name(int k) { return k == 0 ? \"zero\" : \"more\"; }
enum color next(enum color c) { return c == RED ? GREEN : BLUE; }
struct point mirror(struct point p) { p.x = -p.x; return p; }
struct node *push(struct node *n, int v) {
    struct node *m = malloc(sizeof *m); if (!m) return n; m->v = v; m->next = n; return m; }
int *larger(int *a, int *b) { return *a > *b ? a : b; }
void fill(char *buf, int n) { for (int i = 0; i < n && i < 2; i++) buf[i] = 'a' + i; }
int bump(unsigned i) { if (i >= 4) return 0; return ++hist[i]; }
int fixed(void) { hist[2] = 7; last.y = 3; return 0; }
bool mixed(int a, int b, int c) { return a > 0 || (b > 0 && c > 0); }
unsigned char top(unsigned char a) { return a > 9 ? 255 : a; }
double half(double d) { if (d < 0) return 0; return d / 2; }
void say(int n) { if (n > 1) printf(\"%d items\\n\", n); else puts(\"few\"); }
int digit(int c) { return isdigit((unsigned char)c) ? 1 : 0; }
int yes(const char *s) { return strcmp(s, \"y\") == 0; }
int both(int a, int b, int c) { if ((a > 0 || b > 0) && c > 0) return 1; return 0; }
";
    let (_folder, files) = folder(&[("t.c", source)]);
    for (function, expected) in [
        ("grade", "'?' if p > 100 or p < 0; p >= 50 ? 'A' : 'F' if p >= 0 && p <= 100"),
        ("name", "\"more\" if k != 0; \"zero\" if k == 0"),
        ("next", "c == 0 ? GREEN : BLUE if"),
        ("mirror", "{x = -p.x, y = p.y} if"),
        ("push", "new {v = v, next = n} if"),
        (
            "larger",
            "a if a != NULL && b != NULL && b[0] < a[0]; b if a != NULL && b != NULL && a[0] <= b[0]; \
          null pointer in line 17 if a == NULL or a != NULL && b == NULL",
        ),
        (
            "fill",
            "buf[0] = 'a' if n > 0 && buf != NULL && n <= 1; \
          buf[0] = 'a', buf[1] = 'b' if buf != NULL && n > 1; null pointer in line 18 if n > 0 && buf == NULL; returns if n <= 0",
        ),
        ("bump", "0 if i >= 4; hist[i] + 1, hist[i] = hist[i] + 1 if i <= 3"),
        ("fixed", "0, hist[2] = 7, last.y = 3 if"),
        ("mixed", "c > 0 if a <= 0 && b > 0; false if a <= 0 && b <= 0; true if a > 0"),
        ("top", "255 if a > 9; a if a <= 9"),
        ("half", "0.0 if d < 0.0; d * 0.5 if !(d < 0.0)"),
        ("say", "prints \"few\\n\" if n <= 1; prints \"{n} items\\n\" if n > 1"),
        ("digit", "!isdigit((uint8_t)c) ? 0 : 1 if"),
        (
            "yes",
            "0 if s != NULL && s[0] != 'y' or s != NULL && s[0] == 'y' && s[1] != '\\0'; \
          1 if s != NULL && s[0] == 'y' && s[1] == '\\0'; null pointer in line 26 if s == NULL",
        ),
        (
            "both",
            "0 if a <= 0 && b <= 0 or a <= 0 && b > 0 && c <= 0 or a > 0 && c <= 0; \
          1 if a <= 0 && b > 0 && c > 0 or a > 0 && c > 0",
        ),
    ] {
        assert_eq!(cases(&files[0], function), expected, "{function}");
    }
}

/// The cases of a signature in one line, in order.
fn cases(file: &Path, function: &str) -> String {
    cases_of(file, function, &[])
}

fn cases_of(file: &Path, function: &str, args: &[&str]) -> String {
    let signature = json(&[&["signature", file.to_str().unwrap(), "-f", function], args].concat());
    let texts = |value: &Value, between: &str| -> String {
        value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect::<Vec<_>>().join(between)
    };
    let case = |case: &Value| {
        let classes = case["conditions"].as_array().unwrap().iter().map(|class| texts(class, " && "));
        let outputs = texts(&case["outputs"], ", ");
        let outputs = outputs.strip_prefix("returns ").unwrap_or(&outputs);
        format!("{outputs} if {}", classes.collect::<Vec<_>>().join(" or ")).trim_end().to_owned()
    };
    let mut shown: Vec<String> = signature["cases"].as_array().unwrap().iter().map(case).collect();
    shown.sort();
    shown.join("; ")
}

#[test]
fn signatures_of_rust_have_its_words() {
    let source = "#![crate_type = \"lib\"]
#[inline(never)] pub fn checked(a: u8, b: u8) -> Option<u8> { a.checked_add(b) }
#[inline(never)] pub fn quotient(a: i32, b: i32) -> Result<i32, String> {
    if b == 0 { Err(\"zero\".to_string()) } else { Ok(a.wrapping_div(b)) } }
#[inline(never)] pub fn code(a: i32) -> Result<i32, u8> { if a < 0 { Err(1) } else { Ok(a) } }
#[derive(Clone, Copy)] pub enum Dir { N, E }
#[inline(never)] pub fn turn(d: Dir) -> Dir { match d { Dir::N => Dir::E, Dir::E => Dir::N } }
#[inline(never)] pub fn pair(a: i32, b: i32) -> (i32, bool) { (a, b > 0) }
#[inline(never)] pub fn class(c: char) -> u8 { match c { '0'..='9' => 1, _ => 0 } }
";
    let (_folder, files) = folder(&[("t.rs", source)]);
    for (function, expected) in [
        ("checked", "None if a + b < a; Some(a + b) if a <= a + b"),
        (
            "quotient",
            "Err(\"zero\") if b == 0; Ok(a / b) if b != 0 && !(b == -1 && a == -2147483648); \
          Ok(a) if a == -2147483648 && b == -1",
        ),
        ("code", "Err(1) if a < 0; Ok(a) if a >= 0"),
        ("turn", "E if !d; N if d"),
        ("pair", "(a, b > 0) if"),
        ("class", "0 if c < '0' or c > '9'; 1 if c >= '0' && c <= '9'"),
    ] {
        assert_eq!(cases(&files[0], function), expected, "{function}");
    }
}

/// What callers see: parameters count by their places, and what was not followed is told.
#[test]
fn signatures_are_those_that_callers_see() {
    let differ = |old: &str, new: &str| {
        let (_folder, files) = folder(&[("old.c", old), ("new.c", new)]);
        json(&["signature", files[0].to_str().unwrap(), files[1].to_str().unwrap(), "-f", "f"])
    };
    let swapped = differ("int f(int a, int b) { return a - b; }", "int f(int b, int a) { return a - b; }");
    assert_eq!(swapped["different"].as_array().unwrap().len(), 1, "{swapped}");
    let renamed = differ("int f(int a, int b) { return a - b; }", "int f(int b, int a) { return b - a; }");
    assert_eq!(renamed["different"].as_array().unwrap().len(), 0, "{renamed}");
    let counted = "int f(unsigned n) { int c = 0; for (unsigned i = 0; i < n; i++) c ^= 1; return n == 200 ? 7 : c; }";
    let longer = differ(counted, &counted.replace("? 7", "? 8"));
    assert!(!longer["undecided"].as_array().unwrap().is_empty(), "{longer}");
}

#[test]
fn signatures_of_two_versions_are_compared() {
    let old = "int f(int x) { if (x > 10) return 10; if (x < 0) return 0; return x; }";
    let new = "int f(int x) { if (x > 20) return 20; if (x < 0) return 0; return x; }";
    let (_folder, files) = folder(&[("old.c", old), ("new.c", new)]);
    let compared = json(&["signature", files[0].to_str().unwrap(), files[1].to_str().unwrap(), "-f", "f"]);
    let count = |what: &str| compared[what].as_array().unwrap().len();
    assert_eq!((count("removed"), count("added")), (1, 1), "{compared}");
}

/// Which inputs the cases are about.
#[test]
fn signatures_have_their_scope() {
    let of = |source: &str, flags: &[&str]| {
        let (_folder, files) = folder(&[("t.c", source)]);
        let file = files[0].to_str().unwrap();
        let alone = pathshift().args(["signature", file, "-f", "f"]).args(flags).output().unwrap();
        let compared = pathshift().args(["signature", file, file, "-f", "f"]).args(flags).output().unwrap();
        [alone, compared].map(|output| String::from_utf8(output.stdout).unwrap())
    };
    for text in of("int f(int x) { return x > 3 ? x : 3; }", &[]) {
        assert!(text.ends_with("\nscope: all inputs\n"), "{text}");
    }
    for text in of("int f(const char *s) { int n = 0; while (s[n]) n++; return n; }", &["--string", "2"]) {
        assert!(text.contains("\nscope: ") && text.contains("2 characters"), "{text}");
    }
}

/// Refactorings that change nothing, and changes that look like some.
#[test]
fn versions_that_compute_the_same_have_the_same_cases() {
    let compared = |old: &str, new: &str| {
        let (_folder, files) = folder(&[("old.c", old), ("new.c", new)]);
        let [old, new] = [0, 1].map(|at| files[at].to_str().unwrap().to_owned());
        let args = ["signature", &old, &new, "-f", "f", "--format", "json"];
        let output = pathshift().args(args).output().unwrap();
        let compared: Value = serde_json::from_slice(&output.stdout).unwrap();
        let count = |what: &str| compared[what].as_array().unwrap().len();
        let counts = [count("moved"), count("removed"), count("added")];
        assert_eq!(output.status.code(), Some(i32::from(counts != [0; 3])), "{compared:#}");
        assert!(compared["by_text"].is_null(), "{compared:#}");
        (counts, compared)
    };
    for (old, new) in [
        (
            "int f(int a) { if (a % 2 == 0) return 1; return 5; }",
            "int f(int a) { if ((a & 1) == 0) return 1; return 5; }",
        ),
        (
            "int f(int a, int b) { if (a == 3 && b == 3) return 7; return 0; }",
            "int f(int a, int b) { if (a == b && b == 3) return 7; return 0; }",
        ),
        ("int f(int a) { return a * 2; }", "int f(int a) { return a + a; }"),
        ("int f(int a) { if (a < 0) return 0; return 1; }", "int f(int a) { return a >= 0; }"),
        (
            "int f(int a, int b) { if (a > b) return a; return b; }",
            "int f(int a, int b) { if (a >= b) return a; return b; }",
        ),
        ("int f(int a, int b) { return a > b ? a : b; }", "int f(int x, int y) { return y > x ? y : x; }"),
        ("int g; void f(int a) { if (a > 3) g = a; else g = a; }", "int g; void f(int a) { g = a + 1; g--; }"),
        ("int g; void f(int a) { if (a == 5) g = g; }", "int g; void f(int a) { }"),
        (
            "#include <stdio.h>\nvoid f(int a) { if (a) puts(\"ab\"); else puts(\"cd\"); }",
            "#include <stdio.h>\nvoid f(int a) { printf(a ? \"a\" : \"c\"); printf(a ? \"b\\n\" : \"d\\n\"); }",
        ),
        (
            "int t[4]; void f(unsigned i, int v) { if (i < 4) t[i] = v * 4; }",
            "int t[4]; void f(unsigned i, int v) { if (i <= 3) t[i] = v << 2; }",
        ),
        (
            "struct s { int x, y; }; void f(struct s *p) { if (!p) return; int x = p->x; p->x = p->y; p->y = x; }",
            "struct s { int x, y; };\nvoid f(struct s *q) { if (q) { int y = q->y; q->y = q->x; q->x = y; } }",
        ),
    ] {
        let (counts, compared) = compared(old, new);
        assert_eq!(counts, [0; 3], "{old} {new} {compared:#}");
        assert_eq!(compared["different"], Value::Array(Vec::new()));
    }
    let (counts, shown) = compared("int f(int a) { return a > 3; }", "int f(int a) { return a > 4; }");
    assert_ne!(counts, [0; 3], "{shown:#}");
    assert_eq!(shown["different"][0]["new"][0], "returns a > 4", "{shown:#}");
    let (counts, shown) =
        compared("int g; int f(int a) { if (a == 2) g = 1; return 0; }", "int g; int f(int a) { return 0; }");
    assert_ne!(counts, [0; 3], "{shown:#}");
    assert!(shown["different"][0]["conditions"][0].to_string().contains("a == 2"), "{shown:#}");
}

#[test]
fn what_is_shown_is_what_is_computed() {
    let source = "#include <stdlib.h>
int shl(int a, int b) { if (b < 0 || b > 31) return 0; return (unsigned)a << b >> 1; }
int any(int a, int b) { return (unsigned)a >> (b & 31); }
int half(int a) { return (unsigned)a / 2u; }
int low(int a, int b) { return (a & 255) + b; }
int sign(int a, int b) { return (signed char)a + b; }
static const int len[3] = {5, 6, 7};
int day(int m, int d) { if (m < 1 || m > 3) return -1; if (d < 1 || d > len[m - 1]) return -1; return m >= 3; }
int early(int a, int b) { if (a == 3) exit(2); if (b == 4) abort(); if (a > b) return 10 / (a - 5); return b; }
int month(int m) { if ((unsigned)(m - 1) <= 11) return 1; return 0; }
int table(int i, int c) { int t[3] = {0, 1, 2}; if (i < 0 || i > 2 || c < 0 || c > 2) return 9; t[i] = 7; return t[c]; }
";
    let (_folder, files) = folder(&[("t.c", source)]);
    for (function, expected) in [
        ("shl", "(unsigned)(a << b) >> 1 if b >= 0 && b <= 31; 0 if b > 31 or b < 0"),
        ("any", "(unsigned)a >> (b & 31) if"),
        ("half", "(unsigned)a >> 1 if"),
        ("low", "(uint8_t)a + b if"),
        ("sign", "(int8_t)a + b if"),
        ("month", "0 if m < 1 || m > 12; 1 if m >= 1 && m <= 12"),
        (
            "table",
            "9 if i >= 0 && i <= 2 && c > 2 or i >= 0 && i <= 2 && c < 0 or i > 2 or i < 0; \
          c == i ? 7 : {0, 1, 2}[c] if (unsigned)i <= 2 && (unsigned)c <= 2",
        ),
        (
            "day",
            "-1 if m < 1 or m >= 1 && m <= 3 && d < 1 or m >= 1 && m <= 3 && {5, 6, 7}[m - 1] < d or m > 3; \
          m >= 3 if d >= 1 && m >= 1 && m <= 3 && d <= {5, 6, 7}[m - 1]",
        ),
    ] {
        assert_eq!(cases(&files[0], function), expected, "{function}");
    }
    // Who does not return has no result.
    assert_eq!(
        cases_of(&files[0], "early", &["--criterion", "result"]),
        "10 / (a - 5) if a != 3 && b != 4 && b < a && a != 5; abort in line 9 if a != 3 && b == 4; \
         b if a != 3 && b != 4 && a <= b; division in line 9 if b != 4 && b < a && a == 5; exits with 2 if a == 3"
    );
}

#[test]
fn a_criterion_is_a_part_or_a_line() {
    let source = "struct st { int keep, drop; } st;
int f(int a, int *p, struct st *q) {
    if (a > 3) st.drop = 1;
    if (a > 7) st.keep = 2;
    if (p && q) { *p = a; q->drop = a + 1; }
    return a;
}
";
    let (_folder, files) = folder(&[("t.c", source)]);
    let shown = |criterion: &str| cases_of(&files[0], "f", &["--criterion", criterion]);
    assert_eq!(shown("st.drop"), "returns if a <= 3; st.drop = 1 if a > 3");
    assert!(shown("*p").contains("p[0] = a if"), "{}", shown("*p"));
    assert!(shown("q->drop").contains("q->drop = a + 1 if"), "{}", shown("q->drop"));
    for unknown in ["999", "st.dorp", "r->x", "a"] {
        let args = ["signature", files[0].to_str().unwrap(), "-f", "f", "--criterion", unknown];
        let output = pathshift().args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{unknown}");
    }
}

/// Explains a test of two versions; the lines that come out, with their files.
fn explain(old: &str, new: &str, args: &[&str]) -> (Vec<(String, u64)>, Value) {
    let (_folder, files) = folder(&[("old.c", old), ("new.c", new)]);
    let mut all = vec!["explain", files[0].to_str().unwrap(), files[1].to_str().unwrap()];
    all.extend(args);
    let explanation = json(&all);
    let name = |line: &Value| Path::new(line["place"]["file"].as_str().unwrap()).file_name().unwrap().to_owned();
    let lines = explanation["lines"].as_array().unwrap();
    let lines = lines.iter().map(|line| (name(line).into_string().unwrap(), line["place"]["line"].as_u64().unwrap()));
    (lines.collect(), explanation)
}

/// The program of section 5.2 of the paper on symbolic output: two inputs, and a wrong condition for the first.
const TWO_INPUTS: &str = "int x, y;
void f(int inp1, int inp2) {
    if (inp1 >= 0)
        x = inp1 + 1;
    else
        x = inp1 - 1;
    if (inp2 > 0)
        y = inp2 + 1;
    else
        y = inp2 - 1;
}
";

#[test]
fn a_wrong_condition_is_the_only_line() {
    let new = TWO_INPUTS.replace("inp1 >= 0", "inp1 > 0");
    for with in ["slice", "impacted"] {
        let args = ["-f", "f", "--given", "inp1=0", "--given", "inp2=0", "--with", with];
        let (lines, explanation) = explain(TWO_INPUTS, &new, &args);
        assert_eq!(lines.first(), Some(&("new.c".to_owned(), 3)), "{explanation}");
        assert!(lines.iter().all(|(_, line)| *line == 3), "{explanation}");
        assert!(explanation["lines"][0]["alternative"]["inputs"].is_array(), "{explanation}");
    }
}

#[test]
fn a_wrong_value_is_found_without_a_decision() {
    let old =
        "int f(int x, int y) {\n    int a = x + 1;\n    int b = y;\n    if (y > 3)\n        b = 2;\n    return a;\n}\n";
    let new = old.replace("x + 1", "x + 2");
    let (lines, explanation) = explain(old, &new, &["-f", "f", "--given", "x=5"]);
    assert_eq!(lines, [("new.c".to_owned(), 2)], "{explanation}");
}

#[test]
fn a_removed_line_is_named() {
    let old = "int f(int x) {\n    int a = x;\n    if (x < 0)\n        a = 0;\n    return a;\n}\n";
    let new = "int f(int x) {\n    int a = x;\n    return a;\n}\n";
    let (lines, explanation) = explain(old, new, &["-f", "f", "--given", "x=-4"]);
    assert!(lines.contains(&("old.c".to_owned(), 3)), "{explanation}");
}

#[test]
fn a_program_with_arguments_and_input() {
    let old = "#include <stdio.h>
#include <string.h>
static int words(const char *s) {
    int count = 0, inside = 0;
    for (; *s; s++) {
        if (*s == ' ' || *s == '\\t') inside = 0;
        else if (!inside) { inside = 1; count++; }
    }
    return count;
}
int main(int argc, char **argv) {
    char line[64];
    int total = 0;
    int verbose = argc > 1 && strcmp(argv[1], \"-v\") == 0;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, \"\\n\")] = 0;
        if (verbose) printf(\"[%s]\\n\", line);
        total += words(line);
    }
    printf(\"%d\\n\", total);
    return 0;
}
";
    let new = old.replace("*s == ' ' || *s == '\\t'", "*s == ' '");
    let (_input, files) = folder(&[("in.txt", "a\tb c\nd\n")]);
    let (lines, explanation) = explain(old, &new, &["--argv", "-v", "--stdin-file", files[0].to_str().unwrap()]);
    // The test for a tab is gone: the line stands in both versions.
    assert_eq!(lines.first().map(|(_, line)| *line), Some(6), "{explanation}");
    assert!(lines.len() <= 5, "{explanation}");
}

#[test]
fn the_same_outcome_is_not_explained() {
    let (_folder, files) =
        folder(&[("old.c", "int f(int x) { return x; }"), ("new.c", "int f(int x) { return x + 0; }")]);
    let output = pathshift()
        .args(["explain", files[0].to_str().unwrap(), files[1].to_str().unwrap(), "-f", "f", "--given", "x=1"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("both versions do the same"));
}

#[test]
fn the_first_failing_test_of_a_suite_is_explained() {
    let old = "struct point { int x, y; };\nint f(struct point *p, int scale) {\n    int sum = p->x + p->y;\n    if (scale > 3)\n        sum = sum * scale;\n    return sum;\n}\n";
    let new = old.replace("sum * scale", "sum * (scale + 1)");
    let (folder, files) = folder(&[("old.c", old), ("new.c", &new)]);
    let suite = folder.path().join("suite");
    let suite = suite.to_str().unwrap();
    let (old, new) = (files[0].to_str().unwrap(), files[1].to_str().unwrap());
    let given = ["explore", old, "-f", "f", "--suite", suite, "--no-store"];
    // It finds that `p` may be null.
    assert_eq!(pathshift().args(given).output().unwrap().status.code(), Some(1));
    // Tests with `p->x` and `p->y` zero cannot tell the versions apart.
    let text = std::fs::read_to_string(Path::new(suite).join("tests.txt")).unwrap();
    let text = text.replace("i32(0 0)", "i32(2 3)").replace("0*8", "i32(2 3)").replace("-> 0", "-> 20");
    std::fs::write(Path::new(suite).join("tests.txt"), text).unwrap();
    let explanation = json(&["explain", old, new, "--test", suite]);
    assert_eq!(explanation["lines"][0]["place"]["line"], 5, "{explanation}");
    let unknown = pathshift().args(["explain", old, new, "--test", &format!("{suite}:99")]).output().unwrap();
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("no test 99"));
}

#[test]
fn a_jump_that_was_taken_away_is_named() {
    // The line that is gone is there twice.
    let old = "int f(int x) {
    int r = 0;
    if (x > 5) {
        r = 1;
        goto out;
    }
    if (x > 3) {
        r = 2;
        goto out;
    }
    r = 7;
out:
    return r;
}
";
    let new = old.replace("        r = 2;\n        goto out;\n", "        r = 2;\n");
    let (lines, explanation) = explain(old, &new, &["-f", "f", "--given", "x=4"]);
    assert_eq!(lines[0], ("old.c".to_owned(), 9), "{explanation:#}");
}

#[test]
fn numbers_that_only_a_library_knows_are_explained() {
    let old = "#include <math.h>
#include <stdio.h>
int main(void) {
    double x = 0;
    if (scanf(\"%lf\", &x) != 1)
        return 1;
    double y = log(x) + 1.0;
    printf(\"%.3f\\n\", y);
    return 0;
}
";
    let (_folder, files) = folder(&[("input", "7.5\n")]);
    let given = ["--stdin-file", files[0].to_str().unwrap()];
    let (lines, explanation) = explain(old, &old.replace("+ 1.0", "+ 2.0"), &given);
    assert_eq!(lines[0], ("new.c".to_owned(), 7), "{explanation:#}");
}

#[test]
fn a_command_line_is_explained_with_the_files_that_it_opens() {
    let old = "#include <stdio.h>
int main(int argc, char **argv) {
    FILE *in = argc > 1 ? fopen(argv[1], \"r\") : stdin;
    int c, count = 0;
    if (!in)
        return 2;
    while ((c = getc(in)) != EOF)
        if (c == 'a')
            count++;
    printf(\"%d\\n\", count);
    return 0;
}
";
    let new = old.replace("c == 'a'", "c == 'A'");
    let lines = "missing\nnone\nsome\nmost\n< most\n";
    let texts = [("none", "bcd"), ("some", "abA"), ("most", "Aab"), ("universe", lines)];
    let (folder, files) = folder(&[[("old.c", old), ("new.c", new.as_str())].as_slice(), &texts].concat());
    let (old, new) = (files[0].to_str().unwrap(), files[1].to_str().unwrap());
    let suite = folder.path().join("universe");
    let suite = suite.to_str().unwrap();
    let failing = || pathshift().args(["explain", old, new, "--test", suite]).output().unwrap();
    assert!(String::from_utf8_lossy(&failing().stderr).contains("the same on all 5 tests"));
    std::fs::write(folder.path().join("most"), "aab").unwrap();
    for test in [suite.to_owned(), format!("{suite}:4"), format!("{suite}:5")] {
        let explanation = json(&["explain", old, new, "--test", &test]);
        assert_eq!(explanation["lines"][0]["place"]["line"], 8, "{explanation}");
    }
}

#[test]
fn a_test_is_followed_through_tables_of_pointers() {
    // A hash decides where in memory of unknown size a pointer is put: nothing that could stay unknown.
    let old = "#include <stdio.h>
#include <stdlib.h>
struct entry { unsigned char key; int count; struct entry *next; };
int main(void) {
    int first = getchar() - '0', c;
    unsigned buckets = 16u << first;
    struct entry **table = calloc(buckets, sizeof *table);
    unsigned hash = 5381;
    while ((c = getchar()) != EOF && c != '\\n') {
        hash = hash * 33 + (unsigned)c;
        struct entry **place = &table[hash % buckets];
        struct entry *made = malloc(sizeof *made);
        made->key = (unsigned char)c;
        made->count = c == 'b' ? 2 : 1;
        made->next = *place;
        *place = made;
    }
    int total = 0;
    for (unsigned i = 0; i < buckets; i++)
        for (struct entry *e = table[i]; e; e = e->next)
            total += e->count;
    printf(\"%d\\n\", total);
    return 0;
}
";
    let new = old.replace("? 2 : 1", "? 3 : 1");
    let (folder, files) = folder(&[("old.c", old), ("new.c", &new), ("red.txt", "3abc\n")]);
    let red = folder.path().join("red.txt");
    let (old, new) = (files[0].to_str().unwrap(), files[1].to_str().unwrap());
    let explanation = json(&["explain", old, new, "--stdin-file", red.to_str().unwrap()]);
    assert_eq!(explanation["lines"][0]["place"]["line"], 14, "{explanation}");
    assert!(explanation["lines"].as_array().unwrap().len() <= 5, "{explanation}");
}

/// A value that a variable has on one way only is no instruction, nor is a constant that gets a name.
#[test]
fn a_wrong_assignment_has_a_line() {
    let old =
        "int f(int x, int y) {\nint mode = 0;\nif (x > 3)\nmode = 1;\nelse if (y > 3)\nmode = 2;\nreturn mode; }\n";
    let new = old.replace("mode = 1", "mode = 4");
    let (lines, _) = explain(old, &new, &["-f", "f", "--given", "x=5"]);
    assert_eq!(lines, [("new.c".to_owned(), 4)]);
    let gone = old.replace("mode = 1;", ";");
    let (lines, _) = explain(old, &gone, &["-f", "f", "--given", "x=5"]);
    assert!(lines.contains(&("old.c".to_owned(), 4)), "{lines:?}");
    let old = "int f(int x) {\nint limit = 10;\nx++;\nif (x > limit)\nreturn 1;\nreturn 0; }\n";
    let (lines, _) = explain(old, &old.replace("10", "20"), &["-f", "f", "--given", "x=12"]);
    assert!(lines.contains(&("new.c".to_owned(), 2)), "{lines:?}");
}

/// Explains the first test of a suite, given as text, on which two versions differ.
fn explain_suite(old: &str, new: &str, suite: &str) -> (Vec<(String, u64)>, Value) {
    let (_folder, files) = folder(&[("tests.txt", suite)]);
    explain(old, new, &["--test", files[0].to_str().unwrap()])
}

#[test]
fn a_test_says_what_global_variables_hold() {
    let old = "int lim = 3;\nint f(int x) {\n    if (x > lim)\n        return 1;\n    return 0;\n}\n";
    let header = "pathshift suite 1\nentry f\nprogram 0\nparam x i32\nresult i32\n--\n";
    let suite = format!("{header}x=3 @lim%16=#04000000 -> 0\nx=9 @lim%16=#09000000 -> 0\n");
    // With the 3 that the variable begins with, the first test would show a difference and the second would not.
    let (lines, explanation) = explain_suite(old, &old.replace("x > lim", "x >= lim"), &suite);
    assert_eq!(lines[0], ("new.c".to_owned(), 3), "{explanation:#}");
    let inputs = explanation["inputs"].to_string();
    assert!(inputs.contains(r#""name":"lim","value":"9""#), "{inputs}");
    // It holds where the versions begin with something else, too.
    let new = old.replace("lim = 3", "lim = 5").replace("return 1", "return 2");
    let suite = format!("{header}x=4 @lim%16=#04000000 -> 0\nx=9 @lim%16=#08000000 -> 1\n");
    let (lines, explanation) = explain_suite(old, &new, &suite);
    assert_eq!(lines[0], ("new.c".to_owned(), 4), "{explanation:#}");
    assert!(explanation["inputs"].to_string().contains(r#""name":"lim","value":"8""#), "{explanation:#}");
}

#[test]
fn parts_behind_pointers_are_given_by_name() {
    let old = "struct r { int len; char kind; };
int f(struct r *p, const char *s, int *out) {
    if (p->len > 2 && s[0] == '[' && s[1] == 'a')
        *out = 1;
    return 0;
}
";
    let new = old.replace("*out = 1", "*out = 5");
    // `*out` is only written.
    for out in ["out[0]=7", "*out=7"] {
        let given = ["p->len=3", "s[0]=91", "s[1]='a'", out];
        let args: Vec<&str> =
            ["-f", "f"].into_iter().chain(given.into_iter().flat_map(|given| ["--given", given])).collect();
        let (lines, explanation) = explain(old, &new, &args);
        assert_eq!(lines, [("new.c".to_owned(), 4)], "{explanation:#}");
        assert!(explanation["inputs"].to_string().contains(r#""name":"p->len","value":"3""#), "{explanation:#}");
    }
    let (_folder, files) = folder(&[("old.c", old), ("new.c", &new)]);
    let versions = [files[0].to_str().unwrap(), files[1].to_str().unwrap()];
    let output = pathshift().arg("explain").args(versions).args(["-f", "f", "--given", "p->size=3"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("is called `p->size`"));
}

#[test]
fn a_run_that_does_not_end_is_explained() {
    let old = "#include <stdio.h>
int main(void) {
    int c, n = 0;
    while ((c = getchar()) != '\\n' && c != EOF)
        n++;
    printf(\"%d\\n\", n);
    return 0;
}
";
    let new = old.replace(" && c != EOF", "");
    let (_input, files) = folder(&[("in.txt", "abc")]);
    let (lines, explanation) = explain(old, &new, &["--stdin-file", files[0].to_str().unwrap()]);
    assert_eq!(lines.first().map(|(_, line)| *line), Some(4), "{explanation:#}");
    assert!(explanation["new"].as_str().unwrap().starts_with("does not end"), "{explanation:#}");
}

#[test]
fn a_label_of_a_switch_is_a_line() {
    let old = "int f(int c) {
    switch (c) {
    case 3:
    case 5: case 7:
        return 1;
    default:
        return 0;
    }
}
";
    let new = old.replace("case 5: case 7", "case 5");
    let (lines, explanation) = explain(old, &new, &["-f", "f", "--given", "c=7"]);
    assert_eq!(lines.first().map(|(_, line)| *line), Some(4), "{explanation:#}");
    assert!(lines.len() <= 5, "{explanation:#}");
}

#[test]
fn what_is_not_given_is_what_it_begins_with() {
    let old = "int limit = 10;\nconst char *name = \"abc\";\nint f(int x) {\n    if (x > limit && name[1] == 'b')\n        return 1;\n    return 0;\n}\n";
    let new = old.replace("return 1", "return 2");
    let (lines, explanation) = explain(old, &new, &["-f", "f", "--given", "x=12"]);
    assert_eq!(lines[0], ("new.c".to_owned(), 5), "{explanation:#}");
    assert!(explanation["inputs"].to_string().contains(r#""name":"limit","value":"10""#), "{explanation:#}");
    // A test of a suite that has a pointer to a variable.
    let old = "int here = 4;\nint f(int *p) {\n    if (p && *p == 4)\n        return 1;\n    return 0;\n}\n";
    let header = "pathshift suite 1\nentry f\nprogram 0\nparam p ptr\nresult i32\n--\n";
    let (lines, explanation) =
        explain_suite(old, &old.replace("return 1", "return 2"), &format!("{header}p=&@here -> 1\n"));
    assert_eq!(lines[0], ("new.c".to_owned(), 4), "{explanation:#}");
}

#[test]
fn tests_that_cannot_be_followed_are_passed_over() {
    let old = "struct item { int price, count; };
int f(struct item *it, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += it[i].price * it[i].count;
    return sum;
}
";
    let new = old.replace("int sum = 0", "int sum = n == 1");
    // Behind a pointer to a record is one record, and the first test asks for a second one.
    let header = "pathshift suite 1\nentry f\nprogram 0\nparam it ptr\nparam n i32\nresult i32\n--\n";
    let two = "it=&0 n=2 &0:it%16=0*8 -> bound \"it: up to 1 elements\" objects=1 &0:it%16=0*8\n";
    let one = "it=&0 n=1 &0:it%16=#0200000003000000 -> 6\n";
    let none = "it=&0 n=0 &0:it%16=0*8 -> 0\n";
    let (lines, explanation) = explain_suite(old, &new, &format!("{header}{two}{none}{one}"));
    assert_eq!(lines[0], ("new.c".to_owned(), 3), "{explanation:#}");
    let (_folder, files) = folder(&[("old.c", old), ("new.c", &new), ("tests.txt", &format!("{header}{two}{none}"))]);
    let [old, new, suite] = [0, 1, 2].map(|index| files[index].to_str().unwrap());
    let output = pathshift().args(["explain", old, new, "--test", suite]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("do the same on 1, and 1 cannot be followed"), "{error}");
    assert!(error.contains("it: up to 1 elements"), "{error}");
}

#[test]
fn what_a_variable_begins_with_is_a_cause() {
    let old = "#include <stdio.h>
static int base = 10;
static const char *names[] = { \"zero\", \"one\", \"two\" };
static int digit(int c) { return c - '0'; }
int main(int argc, char **argv) {
    int v = 0;
    if (argc < 2) return 2;
    for (char *p = argv[1]; *p; p++)
        v = v * base + digit(*p);
    if (v < 3) printf(\"%s\\n\", names[v]);
    else printf(\"%d\\n\", v);
    return 0;
}
";
    let (lines, explanation) = explain(old, &old.replace("base = 10", "base = 11"), &["--argv", "12"]);
    assert_eq!(lines[0], ("new.c".to_owned(), 2), "{explanation:#}");
    let both = old.replace("\"one\"", "\"uno\"").replace("base = 10", "base = 11");
    let (lines, explanation) = explain(old, &old.replace("\"one\"", "\"uno\""), &["--argv", "1"]);
    assert_eq!(lines, [("new.c".to_owned(), 3)], "{explanation:#}");
    let (lines, explanation) = explain(old, &both, &["--argv", "12"]);
    assert!(lines.contains(&("new.c".to_owned(), 2)), "{explanation:#}");
    assert!(!lines.contains(&("new.c".to_owned(), 3)), "{explanation:#}");
}

#[test]
fn a_variable_of_another_size_is_a_cause() {
    let old = "int hist[8];\nint f(unsigned i) {\n    if (i < 9)\n        hist[i]++;\n    return hist[0];\n}\n";
    let new = old.replace("hist[8]", "hist[9]");
    let header = "pathshift suite 1\nentry f\nprogram 0\nparam i u32\nresult i32\n--\n";
    let (lines, explanation) = explain_suite(old, &new, &format!("{header}i=8 @hist%16=0*32 -> fault out-of-bounds\n"));
    assert_eq!(lines[0], ("new.c".to_owned(), 1), "{explanation:#}");
}

#[test]
fn a_test_for_other_parameters_is_converted_where_it_fits() {
    let old = "int f(int x, int y) {\n    if (x > y)\n        return 1;\n    return 0;\n}\n";
    let header = "pathshift suite 1\nentry f\nprogram 0\nparam x i32\nparam y i32\nresult i32\n--\n";
    let error = |new: &str, tests: &str| {
        let (_folder, files) = folder(&[("old.c", old), ("new.c", new), ("tests.txt", &format!("{header}{tests}"))]);
        let [old, new, suite] = [0, 1, 2].map(|index| files[index].to_str().unwrap());
        let output = pathshift().args(["explain", old, new, "--test", suite]).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let typed = old.replace("int x, int y", "long x, short y");
    let tests = "x=0 y=-1 -> 1\nx=-1 y=7 -> 0\n";
    assert!(error(&typed, tests).contains("the same on all 2 tests"), "{}", error(&typed, tests));
    let (lines, explanation) =
        explain_suite(old, &typed.replace("x > y", "x > y + 3"), &format!("{header}x=-5 y=-7 -> 1\n"));
    assert_eq!(lines[0], ("new.c".to_owned(), 2), "{explanation:#}");
    assert_eq!(
        (&explanation["old"], &explanation["new"]),
        (&"returns 1".into(), &"returns 0".into()),
        "{explanation:#}"
    );
    let wide = error(&typed, "x=0 y=-70000 -> 1\n");
    assert!(wide.contains("`y`: -70000 has no room in 16 bits"), "{wide}");
    let pointer = error(&old.replace("int x", "int *x").replace("x > y", "*x > y"), tests);
    assert!(pointer.contains("the test does not fit both versions"), "{pointer}");
}

/// Seeded regressions: a random function, one random edit, and a test on which the two differ. The report has to contain
/// a line of the edit.
#[test]
fn seeded_regressions_are_explained() {
    let wanted = if full() { 500 } else { 8 };
    let (mut hits, mut sizes, mut missed) = (0, Vec::new(), Vec::new());
    for seed in 0.. {
        if sizes.len() == wanted {
            break;
        }
        let (old, new) = seeded_regression(seed);
        let (folder, files) = folder(&[("old.c", &old), ("new.c", &new)]);
        let suite = folder.path().join("suite");
        let (suite, before, after) = (suite.to_str().unwrap(), files[0].to_str().unwrap(), files[1].to_str().unwrap());
        let limits = ["--no-store", "--no-replay", "--timeout", "5", "--paths", "200"];
        pathshift().args(["explore", before, "-f", "f0", "--suite", suite]).args(limits).output().unwrap();
        let explained =
            pathshift().args(["explain", before, after, "--test", suite, "--format", "json"]).output().unwrap();
        // No test of the suite tells them apart.
        let Ok(explanation) = serde_json::from_slice::<Value>(&explained.stdout) else { continue };
        let differs = |a: &str, b: &str| {
            let other: Vec<&str> = b.lines().collect();
            let own: Vec<&str> = a.lines().collect();
            let begin = own.iter().zip(&other).take_while(|(a, b)| a == b).count();
            let end = own.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
            // Where lines are only missing, the ones beside them are the place.
            begin as u64..=(own.len().saturating_sub(end).max(begin) as u64 + 1)
        };
        let (of_old, of_new) = (differs(&old, &new), differs(&new, &old));
        let lines = explanation["lines"].as_array().unwrap();
        let hit = lines.iter().any(|line| {
            let number = line["place"]["line"].as_u64().unwrap();
            let file = line["place"]["file"].as_str().unwrap();
            if file.ends_with("old.c") { of_old.contains(&number) } else { of_new.contains(&number) }
        });
        hits += usize::from(hit);
        if !hit {
            missed.push(format!("seed {seed}: {lines:?}"));
        }
        sizes.push(lines.len());
    }
    sizes.sort_unstable();
    let median = sizes[sizes.len() / 2];
    println!("{hits} of {wanted} edits are in the report, {median} lines in the median");
    assert!(hits * 10 >= wanted * 9, "{hits} of {wanted}: {missed:#?}");
    assert!(median <= 5, "{median}");
}
