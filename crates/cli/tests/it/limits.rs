//! Limits hold: time, memory and the size of what a program asks for. One function never takes the others with it.

use crate::support::{folder, pathshift};
use serde_json::Value;
use std::path::Path;
use std::time::{Duration, Instant};

/// Compares two files with such options; the exit code, the result, and how long it took.
fn diff(dir: &Path, names: [&str; 2], more: &[&str], sabotage: Option<&str>) -> (Option<i32>, Value, Duration) {
    let started = Instant::now();
    let mut command = pathshift();
    command.current_dir(dir).arg("diff").args(names).args(["--no-store", "--format", "json"]).args(more);
    if let Some(sabotage) = sabotage {
        command.env("PATHSHIFT_SABOTAGE", sabotage);
    }
    let ran = command.output().unwrap();
    let result = serde_json::from_slice(&ran.stdout)
        .unwrap_or_else(|_| panic!("{:?}: {}", ran.status, String::from_utf8_lossy(&ran.stderr)));
    (ran.status.code(), result, started.elapsed())
}

fn row<'r>(result: &'r Value, name: &str) -> &'r Value {
    let mut rows = result["functions"].as_array().unwrap().iter();
    rows.find(|row| row["name"] == name).unwrap_or_else(|| panic!("no row for {name}: {result:#}"))
}

/// Why a function is undecided, in one line.
fn reasons(row: &Value) -> String {
    assert_eq!(row["verdict"], "undecided", "{row:#}");
    let reasons: Vec<&str> =
        row["undecided"].as_array().unwrap().iter().map(|one| one["reason"].as_str().unwrap()).collect();
    reasons.join("; ")
}

/// Both versions of some C code, the new one with other words in place of some.
fn versions(code: &str, from: &str, to: &str) -> tempfile::TempDir {
    assert!(code.contains(from));
    folder(&[("old.c", code), ("new.c", &code.replace(from, to))]).0
}

/// Operations on wide integers are too much for solvers; finding that out takes neither time nor memory.
#[test]
fn wide_integers_are_undecided_in_time() {
    for (op, width) in [("mul", 2048), ("mul", 4096), ("udiv", 2048), ("sdiv", 4096), ("urem", 4096), ("mul", 16384)] {
        let code = format!(
            "define i1 @f(i{width} %a, i{width} %b) {{\n  %c = {op} i{width} %a, %b\n  \
             %d = icmp ult i{width} %c, %b\n  ret i1 %d\n}}\n"
        );
        let dir = folder(&[("old.ll", &code), ("new.ll", &code.replace("ult", "slt"))]).0;
        // Two gigabytes are far less than the gates of these would take.
        let more = ["--timeout", "5", "--memory", "2G", "--no-replay"];
        let (code, result, took) = diff(dir.path(), ["old.ll", "new.ll"], &more, None);
        assert_eq!(code, Some(3), "{op} {width}: {result:#}");
        let reasons = reasons(row(&result, "f"));
        assert!(!reasons.contains("memory") && !reasons.contains("failed"), "{op} {width}: {reasons}");
        assert!(took < Duration::from_secs(40), "{op} {width}: {took:?}");
    }
}

#[test]
fn integers_beyond_all_bounds_are_refused_where_they_are_met() {
    let code = "define i1 @f(i8388607 %a) {\n  %c = mul i8388607 %a, %a\n  %d = icmp ult i8388607 %c, %a\n  ret i1 %d\n}\n\
                define i32 @g(i32 %a) {\n  %w = sext i32 %a to i8388607\n  %p = mul i8388607 %w, %w\n  \
                %c = trunc i8388607 %p to i32\n  ret i32 %c\n}\n\
                define i32 @h(i32 %a) {\n  %c = add i32 %a, 1\n  ret i32 %c\n}\n";
    let new =
        code.replace("ult", "slt").replace("%c = trunc i8388607 %p", "%c = trunc i8388607 %w").replace(", 1", ", 2");
    let dir = folder(&[("old.ll", code), ("new.ll", &new)]).0;
    // Compilers take minutes for such a product.
    let (_, result, _) = diff(dir.path(), ["old.ll", "new.ll"], &["--timeout", "5", "--no-replay"], None);
    for name in ["f", "g"] {
        assert_eq!(reasons(row(&result, name)), "unsupported: an integer of more than 16384 bits");
    }
    assert!(reasons(row(&result, "h")).contains("a difference was found but not run natively"), "{result:#}");
}

/// What is small enough is still decided.
#[test]
fn wide_integers_are_compared_where_that_is_easy() {
    let code = "typedef unsigned _BitInt(4096) W;\nint f(W *a, int n) { return (*a << (n & 63)) >= *a; }\n\
                void g(W *a, W *b) { *a = *a ^ *b; }\n";
    let dir = versions(code, ">= *a", "> *a");
    let (_, result, _) = diff(dir.path(), ["old.c", "new.c"], &["--timeout", "20"], None);
    assert_eq!(row(&result, "f")["verdict"], "different", "{result:#}");
}

/// Trial runs choose lengths that no machine has memory for.
#[test]
fn lengths_that_nobody_has_memory_for() {
    let code = "#include <string.h>\n#include <stdlib.h>\n\
                char *f(const char *s, unsigned long n) {\n  char *p = malloc(n + 1);\n  if (!p) return 0;\n  \
                memset(p, 0, n + 1);\n  memcpy(p, s, n);\n  return p;\n}\n\
                void g(char *p, unsigned long n) { memset(p, 1, n * 2); }\nint h(int a) { return a + 1; }\n";
    let dir = folder(&[
        ("old.c", code),
        ("new.c", &code.replace("n + 1", "n + 2").replace("n * 2", "n * 3").replace("a + 1", "a + 2")),
    ])
    .0;
    let (_, result, _) = diff(dir.path(), ["old.c", "new.c"], &["--timeout", "5"], None);
    assert_eq!(row(&result, "h")["verdict"], "different");
    // The process that compares did not die of it.
    assert!(!result.to_string().contains("failed"), "{result:#}");
}

/// Paths that never end, on either side of the one that matters, leave time for that one.
#[test]
fn endless_paths_take_turns_with_others() {
    let code = "unsigned f(int flag, unsigned x) {\n  volatile unsigned k = 1;\n  if (flag > 3) for (;;) k = k * 3 + 1;\n  \
                if (flag < -3) for (;;) k = k * 5 + 1;\n  return (x ^ 0x9e3779b9u) * 5 == 0x5bd1e995u ? 1 : 2;\n}\n";
    let dir = versions(code, "? 1", "? 9");
    let (_, result, _) = diff(dir.path(), ["old.c", "new.c"], &["--timeout", "8"], None);
    assert_eq!(row(&result, "f")["verdict"], "different", "{result:#}");
}

/// An object costs what is touched of it.
#[test]
fn a_large_local_costs_little() {
    let code = "int f(unsigned n, char c) {\n  char s[1000000] = {0};\n  if (n >= sizeof s) return -1;\n  s[n] = c;\n  \
                return s[n / 2] > 3;\n}\n";
    let dir = versions(code, "> 3", ">= 4");
    let (_, result, took) = diff(dir.path(), ["old.c", "new.c"], &["--timeout", "10", "--memory", "512M"], None);
    assert_eq!(row(&result, "f")["verdict"], "same", "{result:#}");
    assert!(took < Duration::from_secs(60), "{took:?}");
}

const THREE: &str = "int f(int a) { return a + 1; }\nint g(int a) { return a * 2; }\nint h(int a) { return a - 3; }\n";

/// A process that dies costs the function that it died of, and nothing else.
#[test]
fn one_function_never_takes_the_others_with_it() {
    let dir = folder(&[
        ("old.c", THREE),
        ("new.c", &THREE.replace("a + 1", "a + 2").replace("a * 2", "a + a").replace("a - 3", "3 - a")),
    ])
    .0;
    let (code, usual, _) = diff(dir.path(), ["old.c", "new.c"], &[], None);
    assert_eq!(code, Some(1));
    let without = |result: &Value| {
        let mut rows = result["functions"].as_array().unwrap().clone();
        rows.retain(|row| row["name"] != "g");
        rows.iter_mut().for_each(|row| row["stats"] = Value::Null);
        rows
    };
    for (how, reason) in [("abort", "signal 6"), ("overflow", "signal 6"), ("allocate", "out of memory")] {
        for jobs in ["1", "2"] {
            let more = ["--memory", "512M", "--jobs", jobs];
            let (code, result, _) = diff(dir.path(), ["old.c", "new.c"], &more, Some(&format!("{how}:g")));
            assert_eq!(code, Some(1), "{how}: {result:#}");
            assert!(reasons(row(&result, "g")).contains(reason), "{how}: {result:#}");
            assert_eq!(row(&result, "g")["place"], row(&usual, "g")["place"]);
            assert_eq!(without(&result), without(&usual), "{how}");
            assert_eq!((&result["run_state"], &result["notes"]), (&usual["run_state"], &usual["notes"]));
        }
    }
}

/// What was explored before a process died is shown.
#[test]
fn paths_outlive_the_process_that_found_them() {
    let code = "int f(int a, float b) {\n  if (a > 3) return b > 1.5f ? 1 : 2;\n  return a < -7 ? 3 : 4;\n}\n";
    let dir = folder(&[("f.c", code)]).0;
    let explore = |sabotage: Option<&str>| {
        let mut command = pathshift();
        command.current_dir(dir.path()).args([
            "explore",
            "f.c",
            "-f",
            "f",
            "--no-store",
            "--format",
            "json",
            "--jobs",
            "1",
        ]);
        command.args(["--memory", "512M"]);
        if let Some(how) = sabotage {
            command.env("PATHSHIFT_SABOTAGE", format!("{how}:f"));
        }
        let ran = command.output().unwrap();
        let said: Value = serde_json::from_slice(&ran.stdout)
            .unwrap_or_else(|_| panic!("{:?}: {}", ran.status, String::from_utf8_lossy(&ran.stderr)));
        (ran.status.code(), said)
    };
    let (code, usual) = explore(None);
    assert!(code == Some(0) && usual["paths"].as_array().unwrap().len() > 1, "{usual:#}");
    for (how, reason) in [("abort", "signal 6"), ("overflow", "signal 6"), ("allocate", "out of memory")] {
        let (code, said) = explore(Some(how));
        assert_eq!((code, &said["run_state"]), (Some(3), &Value::from("incomplete")), "{how}: {said:#}");
        assert!(said["undecided"][0]["reason"].as_str().unwrap().contains(reason), "{how}: {said:#}");
        // It failed when it had found its first path, which was still run natively.
        let paths = said["paths"].as_array().unwrap();
        assert!(paths.len() == 1 && usual["paths"].as_array().unwrap().contains(&paths[0]), "{how}: {said:#}");
    }
}

/// What compilers take too long for is not run natively.
#[test]
fn compilers_keep_to_the_time_that_is_left() {
    let code = "define i32 @f(i32 %a) {\n  %c = icmp eq i32 %a, 77\n  %r = zext i1 %c to i32\n  ret i32 %r\n}\n\
                define i1 @g(i8388607 %a) {\n  %p = mul i8388607 %a, %a\n  %d = icmp ult i8388607 %p, %a\n  ret i1 %d\n}\n";
    let new = code.replace("77", "78").replace("ult", "slt");
    let dir = folder(&[("old.ll", code), ("new.ll", &new)]).0;
    let (_, result, took) = diff(dir.path(), ["old.ll", "new.ll"], &["--timeout", "3"], None);
    assert!(reasons(row(&result, "f")).contains("stopped after"), "{result:#}");
    assert!(took < Duration::from_secs(60), "{took:?}");
}
