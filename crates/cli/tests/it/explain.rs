//! `pathshift explain`: what it shows of a test, and which lines it blames.

use crate::support::{folder, pathshift};
use serde_json::Value;
use std::path::Path;

/// Two versions with the given ending, explained: the lines (file name, number), and all else.
fn explain(ending: &str, old: &str, new: &str, args: &[&str]) -> (Vec<(String, u64)>, Value) {
    let (names, args) = ([format!("old.{ending}"), format!("new.{ending}")], [args, &["--format", "json"]].concat());
    let (_folder, files) = folder(&[(&names[0], old), (&names[1], new)]);
    let output = pathshift().arg("explain").args(&files).args(args).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let explanation: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}"));
    let name = |line: &Value| Path::new(line["place"]["file"].as_str().unwrap()).file_name().unwrap().to_owned();
    let lines = explanation["lines"].as_array().unwrap();
    let lines = lines.iter().map(|line| (name(line).into_string().unwrap(), line["place"]["line"].as_u64().unwrap()));
    (lines.collect(), explanation)
}

/// What is said on standard error, with the exit code.
fn refused(old: &str, new: &str, args: &[&str]) -> (Option<i32>, String) {
    let (_folder, files) = folder(&[("old.c", old), ("new.c", new)]);
    let output = pathshift().arg("explain").args(&files).args(args).output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn kinds(line: &Value) -> Vec<&str> {
    line["kinds"].as_array().unwrap().iter().filter_map(Value::as_str).collect()
}

/// An input as it is shown, as options.
fn given(inputs: &Value) -> Vec<String> {
    let given = |input: &Value| format!("{}={}", input["name"].as_str().unwrap(), input["value"].as_str().unwrap());
    inputs.as_array().unwrap().iter().flat_map(|input| ["--given".to_owned(), given(input)]).collect()
}

/// Explains the input that was shown, and each other one on which the versions differ: the same comes of it.
fn again(ending: &str, old: &str, new: &str, function: &str, explanation: &Value) {
    let others = explanation["lines"].as_array().unwrap().iter().map(|line| &line["alternative"]);
    let others = others.filter(|other| other.is_object() && other["same"] == false);
    for shown in others.chain([explanation]) {
        let mut args = given(&shown["inputs"]);
        args.extend(["-f".to_owned(), function.to_owned()]);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let (_, again) = explain(ending, old, new, &args);
        assert_eq!([&again["old"], &again["new"]], [&shown["old"], &shown["new"]], "{args:?}");
    }
}

#[test]
fn all_that_either_version_reads_is_shown() {
    let old = "int a, b, c;\nint f(int on) {\n    if (on)\n        return a * 10 + b + c;\n    return 0;\n}\n";
    let new = old.replace("if (on)", "if (!on)");
    let args = ["-f", "f", "--given", "on=1", "--given", "a=4", "--given", "b=2"];
    let (_, explanation) = explain("c", old, &new, &args);
    let shown = given(&explanation["inputs"]).join(" ");
    for part in ["on=1", "a=4", "b=2"] {
        assert!(shown.contains(part), "{shown}");
    }
    assert_eq!([&explanation["old"], &explanation["new"]], ["returns 42", "returns 0"]);
    again("c", old, &new, "f", &explanation);
}

#[test]
fn texts_are_shown_as_a_whole_and_can_be_given() {
    let old = "int f(const char *s, int late, double x) {
    int n = 0;
    while (s[n] != 0 && s[n] != ':')
        n++;
    return late && x > 1.0 ? n : -n;
}
";
    let new = old.replace("x > 1.0", "x > 2.0");
    let args = ["-f", "f", "--given", "s=\"ab:\\012\"", "--given", "late=1", "--given", "x=1.5"];
    let (lines, explanation) = explain("c", old, &new, &args);
    assert_eq!(lines.first().map(|(_, line)| *line), Some(5), "{explanation}");
    assert_eq!([&explanation["old"], &explanation["new"]], ["returns 2", "returns -2"]);
    again("c", old, &new, "f", &explanation);

    let old = "#include <stdio.h>
int main(int argc, char **argv) {
    if (argc != 3 || argv[1][0] != 'a') return 1;
    int c = getchar();
    printf(\"%s\\n\", c == 'x' ? argv[2] : \"none\");
    return 0;
}
";
    let (_folder, files) = folder(&[("in", "y and more\n")]);
    let args = ["--argv", "a*b", "--argv", "x", "--stdin-file", files[0].to_str().unwrap()];
    let (_, explanation) = explain("c", old, &old.replace("'x'", "'y'"), &args);
    let shown = given(&explanation["inputs"]);
    assert_eq!(
        shown[1..].iter().step_by(2).collect::<Vec<_>>(),
        ["argv[1]=\"a*b\"", "argv[2]=\"x\"", "stdin=\"y and more\\n\""]
    );
}

#[test]
fn parts_are_named_and_listed() {
    let old = "int a[4];\nstruct { int x; int y; } p;\nvoid f(int n) {\n    a[n & 3] = 1;\n    p.y = n;\n}\n";
    let (_, explanation) = explain("c", old, &old.replace("= 1;", "= 2;"), &["-f", "f", "--given", "n=2"]);
    assert_eq!([&explanation["old"], &explanation["new"]], ["returns, a[2] = 1", "returns, a[2] = 2"]);
    let (_, explanation) = explain("c", old, &old.replace("= n;", "= n + 1;"), &["-f", "f", "--given", "n=2"]);
    assert_eq!([&explanation["old"], &explanation["new"]], ["returns, p.y = 2", "returns, p.y = 3"]);
    assert!(!explanation.to_string().contains("\\u0001"), "{explanation}");
}

#[test]
fn values_that_have_no_room_are_refused() {
    let old = "int f(int on) {\n    return on ? 1 : 2;\n}\n";
    let new = old.replace("2;", "3;");
    let (code, said) = refused(old, &new, &["-f", "f", "--given", "on=99999999999"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("32 bits"), "{said}");
    let (_, said) = refused(old, &new, &["-f", "gg"]);
    assert!(!said.contains("with --summary"), "{said}");
    let old = "pub fn f(late: bool) -> i32 {\n    if late { 1 } else { 2 }\n}\n";
    let new = old.replace("{ 1 }", "{ 3 }");
    let (lines, explanation) = explain("rs", old, &new, &["-f", "f", "--given", "late=true"]);
    assert_eq!(lines.first().map(|(_, line)| *line), Some(2), "{explanation}");
    again("rs", old, &new, "f", &explanation);
}

#[test]
fn what_a_library_does_is_done_where_it_is_called() {
    let old = "pub fn rot(x: u32) -> u32 {\n    let y = x + 1;\n    y.rotate_left(3)\n}\n";
    let new = old.replace("(3)", "(4)");
    let (lines, explanation) = explain("rs", old, &new, &["-f", "rot", "--given", "x=1"]);
    assert_eq!(lines.first(), Some(&("new.rs".to_owned(), 3)), "{explanation}");
    assert!(lines.iter().all(|(file, _)| file.ends_with("w.rs") || file.ends_with("d.rs")), "{lines:?}");
    let old = "static int g(int k) {\n    return k * 2;\n}\nint f(int x) {\n    int y = g(3);\n    return x + y;\n}\n";
    let (lines, explanation) = explain("c", old, &old.replace("g(3)", "g(4)"), &["-f", "f", "--given", "x=1"]);
    assert_eq!(lines.first(), Some(&("new.c".to_owned(), 5)), "{explanation}");
}

#[test]
fn nobody_changed_a_line_that_reads_the_same() {
    let old = "int err;
int term(int v, int d, int op) {
  for (;;) {
    if (op == 1) { v *= d; op = 0; }
    else if (op == 2) {
      if (d == 0) { err = 2; return 0; }
      v /= d;
      op = 0;
    } else return v;
  }
}
";
    let new = old.replace("if (d == 0) { err = 2; return 0; }", "");
    let args = ["-f", "term", "--given", "v=1", "--given", "d=0", "--given", "op=2"];
    let (lines, explanation) = explain("c", old, &new, &args);
    assert_eq!(lines.first(), Some(&("old.c".to_owned(), 6)), "{explanation}");
    for line in explanation["lines"].as_array().unwrap() {
        let is_it = line["place"]["line"] == 6 && line["place"]["file"].as_str().unwrap().ends_with("old.c");
        assert!(is_it || !kinds(line).iter().any(|kind| ["changed", "removed"].contains(kind)), "{explanation}");
    }
}

#[test]
fn a_value_that_was_never_assigned_is_wrong() {
    let old = "int f(int a, int b) {\n    int m;\n    m = a;\n    if (b > m)\n        m = b;\n    return m;\n}\n";
    let new = old.replace("m = a;", "");
    let (lines, explanation) = explain("c", old, &new, &["-f", "f", "--given", "a=0", "--given", "b=0"]);
    assert!(lines.contains(&("old.c".to_owned(), 3)), "{explanation}");
    assert!(explanation["new"].as_str().unwrap().contains("never assigned"), "{explanation}");
}

#[test]
fn what_a_test_expects_decides_who_fails() {
    let old = "int f(int x) {\n    return x > 3 ? 1 : 0;\n}\n";
    let new = old.replace("x > 3", "x >= 3");
    let suite =
        |result: i32| format!("pathshift suite 1\nentry f\nprogram 0\nparam x i32\nresult i32\n--\nx=3 -> {result}\n");
    for (expected, passes) in [(0, "old"), (1, "new")] {
        let (_folder, files) = folder(&[("tests.txt", &suite(expected))]);
        let (lines, explanation) = explain("c", old, &new, &["--test", files[0].to_str().unwrap()]);
        assert_eq!(explanation["passes"], passes, "{explanation}");
        assert_eq!(lines, [("new.c".to_owned(), 2)]);
        let expect = expected.to_string();
        let (_, explanation) = explain("c", old, &new, &["-f", "f", "--given", "x=3", "--expect", &expect]);
        assert_eq!(explanation["passes"], passes, "{explanation}");
    }
    let (_folder, files) = folder(&[("tests.txt", &suite(777))]);
    for args in [&["--test", files[0].to_str().unwrap()][..], &["-f", "f", "--given", "x=3", "--expect", "777"]] {
        let (code, said) = refused(old, &new, args);
        assert_eq!(code, Some(2));
        assert!(said.contains("both versions fail") && said.contains("returns 777"), "{said}");
    }
}

#[test]
fn rows_and_macros_are_lines() {
    let table = "struct r { int lo, hi; };
static const struct r t[] = {
    {0, 9},
    {10, 19},
    {20, 29},
};
int f(int x) {
    for (int i = 0; i < 3; i++)
        if (x >= t[i].lo && x <= t[i].hi)
            return i;
    return -1;
}
";
    let (lines, explanation) = explain("c", table, &table.replace("19}", "18}"), &["-f", "f", "--given", "x=19"]);
    assert_eq!(lines.first(), Some(&("new.c".to_owned(), 4)), "{explanation}");
    let limit = "#define LIMIT 10\n#define IS_LOW(x) ((x) < LIMIT)\nint f(int x) {\n    int n = 0;\n    if (IS_LOW(x))\n        n = 1;\n    return n;\n}\n";
    let (lines, explanation) = explain("c", limit, &limit.replace("10", "11"), &["-f", "f", "--given", "x=10"]);
    assert_eq!(lines.first(), Some(&("new.c".to_owned(), 1)), "{explanation}");
}

#[test]
fn a_hang_is_noticed_soon() {
    let old = "int f(int n) {\n    int i = 0, s = 0;\n    while (i < n) {\n        s += i;\n        i++;\n    }\n    return s;\n}\n";
    let (lines, explanation) = explain("c", old, &old.replace("i++;", ""), &["-f", "f", "--given", "n=3"]);
    assert!(explanation["new"].as_str().unwrap().starts_with("does not end within 4"), "{explanation}");
    assert_eq!(lines.first(), Some(&("old.c".to_owned(), 5)), "{explanation}");
}
