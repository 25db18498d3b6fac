//! Small programs in two versions.

use crate::support::{checked, module_of_source, text};

#[track_caller]
fn check_file(name: &str, old: &str, new: &str, expect: &str) {
    let (old, new) = (module_of_source(name, old), module_of_source(name, new));
    let (_, summary) = checked(&old, &new);
    let expect: Vec<&str> = expect.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(text(&summary).lines().map(str::trim).collect::<Vec<_>>(), expect);
    // A version compared with itself has no change.
    for module in [&old, &new] {
        let (changes, summary) = checked(module, module);
        assert_eq!(text(&summary), "");
        assert!(changes.functions.iter().all(|function| function.same));
    }
}

#[track_caller]
fn check(old: &str, new: &str, expect: &str) {
    check_file("a.c", old, new, expect);
}

#[test]
fn noise_is_no_change() {
    check(
        "int f(int a, int b) { int c = a + b; if (c > 3) c = 0; return c; }\nint g(int x) { return f(x, 1); }",
        "/* first */\n\nint f(int u,\n      int v);\nint g(int y) {\n  // calls\n  return f(y, 1);\n}\n\
         int f(int u, int v) {\n  int w = u + v; /* sum */\n  if (w > 3)\n    w = 0;\n  return w;\n}",
        "",
    );
}

#[test]
fn who_sees_a_function_is_no_change() {
    check(
        "int f(int a) { return a; }\nint g(int a) { return f(a); }",
        "static int f(int a) { return a; }\nint g(int a) { return f(a); }",
        "",
    );
}

#[test]
fn unused_locals_and_their_order_are_no_change() {
    check(
        "void use(int *);\nint f(void) { int a[2]; int b[3]; use(a); use(b); return a[0] + b[0]; }",
        "void use(int *);\nint f(void) { int n[7]; int b[3]; int a[2]; use(a); use(b); return a[0] + b[0]; }",
        "",
    );
}

#[test]
fn operators_constants_and_conditions_are_changes() {
    let old = "int f(int a) {\n  int r = 0;\n  if (a > 3)\n    r = a * 2;\n  return r;\n}";
    let to = |from, to| old.replace(from, to);
    check(old, &to("* 2", "+ 2"), "f changed [4]->[4]");
    check(old, &to("* 2", "* 3"), "f changed [4]->[4]");
    check(old, &to("a > 3", "a >= 3"), "f changed [3]->[3]");
    check(old, &to("r = 0", "r = 1"), "f changed [2]->[2]");
    check(old, &to("int a", "unsigned a"), "f changed [3, 4]->[3, 4]");
    check(old, &to("return r;", "return r;\n}\nint g(void) {\n  return 7;"), "g added");
}

#[test]
fn returned_constants_have_the_line_of_their_return() {
    check(
        "int f(int a) {\n  if (a)\n    return 1;\n  return 2;\n}",
        "int f(int a) {\n  if (a)\n    return 5;\n  return 2;\n}",
        "f changed [3]->[3]",
    );
}

#[test]
fn inserted_and_removed_statements() {
    let short = "int x, y;\nint f(int a) {\n  x = a;\n  y = a + 1;\n  return a;\n}";
    let long = "int x, y;\nint f(int a) {\n  x = a;\n  if (a < 0)\n    x = -a;\n  y = a + 1;\n  return a;\n}";
    check(short, long, "f changed []->[4, 5]");
    check(long, short, "f changed [4, 5]->[]");
}

#[test]
fn swapped_statements_are_seen() {
    check(
        "int x, y;\nvoid f(int *p) {\n  x = *p;\n  *p = 1;\n}",
        "int x, y;\nvoid f(int *p) {\n  *p = 1;\n  x = *p;\n}",
        "f changed [4]->[3]",
    );
}

#[test]
fn callers_are_not_changed_but_told() {
    check(
        "int f(int a) { return a; }\nint g(int a) { return f(a); }\nint h(int a) { return g(a); }",
        "int f(int a) { return a + 1; }\nint g(int a) { return f(a); }\nint h(int a) { return g(a); }",
        "f changed [1]->[1]\n g unchanged calls f",
    );
}

#[test]
fn a_macro_changes_where_it_is_used() {
    check(
        "#define N 3\nint f(int a) { return a + N; }\nint g(int a) { return a; }",
        "#define N 4\nint f(int a) { return a + N; }\nint g(int a) { return a; }",
        "f changed [2]->[2]",
    );
}

#[test]
fn contents_of_constants_and_variables() {
    check(
        "static const int t[] = {1, 2, 3};\nint n = 1;\nint f(int i) { return t[i]; }\nint g(void) { return n; }",
        "static const int t[] = {1, 2, 4};\nint n = 2;\nint f(int i) { return t[i]; }\nint g(void) { return n; }",
        "f unchanged touches t\n g unchanged touches n\n variable t changed\n variable n changed",
    );
}

#[test]
fn string_literals_are_their_bytes() {
    let old = "void p(const char *);\nvoid f(void) { p(\"a\"); }\nvoid g(void) { p(\"b\"); }";
    check(old, "void p(const char *);\nvoid g(void) { p(\"b\"); }\nvoid f(void) { p(\"a\"); }", "");
    check(old, &old.replace("\"b\"", "\"c\""), "g changed [3]->[3]");
}

#[test]
fn a_moved_field_changes_its_users_only() {
    let old = "struct s { int a; int b; };\nint f(struct s *p) { return p->a; }\nint g(struct s *p) { return p->b; }";
    check(old, &old.replace("int a; int b;", "int a; int n; int b;"), "g changed [3]->[3]\n type struct s changed b n");
    check(old, &old.replace("int a; int b;", "int a; int b; int n;"), "type struct s changed n");
    check(old, &old.replace("struct s", "struct t"), "type struct t (was struct s) unchanged");
}

#[test]
fn sizes_count_where_they_are_used() {
    let old = "struct s { int a; };\nint f(struct s *p, int i) { return p[i].a; }\nint g(struct s *p) { return p->a; }";
    check(old, &old.replace("int a;", "int a; int b;"), "f changed [2]->[2]\n type struct s changed b");
}

#[test]
fn renamed_functions_and_variables_are_found() {
    check(
        "int total;\nstatic int add(int a) { total += a; return total; }\nint f(int a) { return add(a) * 2; }",
        "int sum;\nstatic int plus(int a) { sum += a; return sum; }\nint f(int a) { return plus(a) * 2; }",
        "plus (was add) unchanged\n variable sum (was total) unchanged",
    );
}

#[test]
fn a_renamed_function_may_be_changed_too() {
    let body = "  int r = 0;\n  for (int i = 0; i < n; i++)\n    r += p[i] * 3 - (r >> 2);\n  return r % 17;\n}";
    check(
        &format!("int sum(int *p, int n) {{\n{body}"),
        &format!("int total(int *p, int n) {{\n{}", body.replace("17", "19")),
        "total (was sum) changed [5]->[5]",
    );
}

#[test]
fn equal_contents_are_not_the_same_variable() {
    // Both versions use variables of equal contents, but not the same ones.
    let old = "static int a, b;\nint f(void) { a = 1; return b; }\nint g(void) { return a; }";
    check(old, &old.replace("return b", "return a"), "f changed [2]->[2]");
}

#[test]
fn recursion_in_a_circle() {
    let old = "int g(int);\nint f(int a) { return a ? g(a - 1) : 0; }\nint g(int a) { return a ? f(a - 1) : 1; }";
    check(old, &old.replace(": 1", ": 2"), "f unchanged calls g\n g changed [3]->[3]");
}

#[test]
fn parameters_that_come_and_go() {
    check(
        "int f(int a, char *s) {\n  return a + s[0];\n}",
        "int f(int a, long n, char *s) {\n  return a + s[0];\n}",
        "f changed signature []->[1]",
    );
}

#[test]
fn switches_in_any_order() {
    let old = "int f(int a) {\n  switch (a) {\n  case 1: return 10;\n  case 2: return 20;\n  }\n  return 0;\n}";
    check(old, "int f(int a) {\n  switch (a) {\n  case 2: return 20;\n  case 1: return 10;\n  }\n  return 0;\n}", "");
    check(old, &old.replace("20", "30"), "f changed [4]->[4]");
    check(old, &old.replace("case 2", "case 3"), "f changed [2]->[2]");
}

#[test]
fn lines_of_assertions_are_no_change() {
    let old = "#include <assert.h>\nint f(int a) { assert(a > 0); return a; }";
    check(old, &old.replace("int f", "\n\nint f"), "");
    check(old, &old.replace("a > 0", "a > 1"), "f changed [2]->[2]");
}

#[test]
fn statics_of_the_same_name_in_functions() {
    let old = "int f(void) { static int n = 1; return n++; }\nint g(void) { static int n = 2; return n++; }";
    check(old, "int g(void) { static int n = 2; return n++; }\nint f(void) { static int n = 1; return n++; }", "");
    check(old, &old.replace("n = 2", "n = 3"), "g unchanged touches g.n\n variable g.n changed");
}

#[test]
fn loops_keep_their_variables_apart() {
    let old = "int f(int n) {\n  int a = 0, b = 0;\n  for (int i = 0; i < n; i++) {\n    a += i;\n    b += a;\n  }\n  \
               return a ^ b;\n}";
    check(old, &old.replace("b += a", "b -= a"), "f changed [5]->[5]");
    check(old, &old.replace("i < n", "i <= n"), "f changed [3]->[3]");
    check(old, &old.replace("int a = 0, b = 0", "int b = 0, a = 0"), "");
}

#[test]
fn classes() {
    check_file(
        "a.cpp",
        "struct S { virtual ~S() {} virtual int f() { return 1; } };\nint g(S &s) { return s.f(); }\nS s;",
        "struct S { virtual ~S() {}\n virtual int f() { return 2; } };\nint g(S &s) { return s.f(); }\nS s;",
        "S::f changed [1]->[2]",
    );
}

#[test]
fn rust_names_lines_and_panics() {
    let old = "pub fn f(v: &[u32], i: usize) -> u32 { v[i] + 1 }\npub fn g(v: &[u32]) -> u32 { f(v, 3) }";
    check_file("a.rs", old, &format!("// shifted\n\n{old}"), "");
    check_file(
        "a.rs",
        old,
        &old.replace("v[i] + 1", "v[i] + 2"),
        "sample::f changed [1]->[1]\n sample::g unchanged calls sample::f",
    );
}

#[test]
fn a_rust_file_may_have_another_name_in_each_version() {
    let source = "pub fn f(v: &[u32], i: usize) -> u32 { if i == 7 { panic!(\"seven\") } v[i] + 1 }\n\
                  pub fn g(v: &[u32]) -> u32 { f(v, 3) }";
    let same = |new: &str| {
        let changes = change::compare(&module_of_source("old.rs", source), &module_of_source("newer.rs", new));
        changes.functions.iter().filter(|f| f.name.starts_with("sample::")).all(|f| f.same)
    };
    assert!(same(source));
    assert!(!same(&source.replace("seven", "SEVEN")));
}

const RUST: &str = r#"
use std::collections::BTreeMap;
use std::fmt;

#[derive(Clone, Debug, PartialEq)]
pub enum Shape { Circle(f64), Square { side: f64 }, Empty }

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Circle(r) => write!(f, "circle {r}"),
            Shape::Square { side } => write!(f, "square {side}"),
            Shape::Empty => write!(f, "empty"),
        }
    }
}

pub fn area(shape: &Shape) -> f64 {
    match shape {
        Shape::Circle(r) => 3.0 * r * r,
        Shape::Square { side } => side * side,
        Shape::Empty => 0.0,
    }
}

pub fn count(words: &[&str]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for word in words {
        *counts.entry(word.to_string()).or_insert(0) += 1;
    }
    counts
}

pub fn total(shapes: &[Shape]) -> f64 {
    shapes.iter().map(|s| area(s)).filter(|a| *a > 1.0).sum()
}

pub fn longest<'a>(words: &[&'a str]) -> Option<&'a str> {
    words.iter().copied().max_by_key(|w| w.len())
}
"#;

#[test]
fn generic_rust_has_new_hashes_but_no_change() {
    check_file("a.rs", RUST, &format!("//! Documented.\n\n{RUST}"), "");
    let (area, longest) = (RUST.find("pub fn area").unwrap(), RUST.find("pub fn longest").unwrap());
    let reordered = format!("{}{}{}", &RUST[..area], &RUST[longest..], &RUST[area..longest]);
    check_file("a.rs", RUST, &reordered, "");
}

#[test]
fn generic_rust_changes_where_it_is_changed() {
    check_file(
        "a.rs",
        RUST,
        &RUST.replace("3.0 * r", "3.5 * r"),
        "sample::total::{{closure}} unchanged calls sample::area\n sample::area changed [20]->[20]",
    );
    check_file(
        "a.rs",
        RUST,
        &RUST.replace("> 1.0", "> 2.0"),
        "core::iter::adapters::filter::filter_fold::{{closure}} unchanged calls sample::total::{{closure}}\n \
         sample::total::{{closure}} changed [35]->[35]",
    );
}
