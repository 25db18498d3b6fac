//! `pathshift impact` as a user runs it.

use crate::support::{folder, pathshift};
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Exit code, standard output, standard error.
fn impact(files: &[PathBuf], flags: &[&str]) -> (Option<i32>, String, String) {
    let store: &[&str] = if flags.contains(&"--store") { &[] } else { &["--no-store"] };
    let output = pathshift().arg("impact").args(files).args(flags).args(store).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn json(files: &[PathBuf]) -> Value {
    serde_json::from_str(&impact(files, &["--format", "json"]).1).unwrap()
}

#[test]
fn the_example_of_dise() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/brake");
    let files = [examples.join("old.c"), examples.join("new.c")];
    let result = json(&files);
    let function = &result["functions"][0];
    assert_eq!(function["name"], "update");
    assert_eq!(function["affected"]["conditions"], serde_json::json!([2, 4, 15, 17]));
    assert_eq!(function["affected"]["writes"], serde_json::json!([3, 5, 6, 8, 16, 18, 19]));
    let (code, text, _) = impact(&files, &[]);
    assert_eq!(code, Some(0));
    assert!(text.starts_with("1 function of 1 changed; the change reaches 0 more\n"), "{text}");
    assert!(text.contains("\n  !     2 "), "{text}");
    for format in ["dot", "svg"] {
        let (code, text, _) = impact(&files, &["--format", format]);
        assert!(code == Some(0) && text.contains("update"), "{text}");
    }
}

/// A library of many functions in two files; the change reaches all of one.
/// What was found out once is not found out again: the source that is shown is there even when the files are gone.
#[test]
fn what_was_found_out_is_kept() {
    let source = |limit: u32| format!("int g;\nint f(int x) {{\n  if (x > {limit})\n    g = 1;\n  return g;\n}}\n");
    let (dir, files) = folder(&[("old.c", &source(3)), ("new.c", &source(4)), ("other.c", &source(5))]);
    let compiled: Vec<PathBuf> = files.iter().map(|file| file.with_extension("ll")).collect();
    for (from, to) in files.iter().zip(&compiled) {
        let flags = ["-g", "-O0", "-S", "-emit-llvm", "-o", to.to_str().unwrap(), from.to_str().unwrap()];
        crate::support::must_run(&crate::support::clang(19, &flags));
    }
    let store = dir.path().join("store.db");
    let store = ["--store", store.to_str().unwrap()];
    let first = impact(&compiled[..2], &store);
    assert!(first.1.contains("if (x > 4)"), "{}", first.1);
    files.iter().for_each(|file| std::fs::remove_file(file).unwrap());
    assert_eq!(impact(&compiled[..2], &store), first);
    // Source that the code has no checksums of may change, and nothing would tell.
    let plain = source(3).replace("g = 1;", "g = 1; /* here */");
    let (_dir, files) = folder(&[("old.c", &plain), ("new.c", &plain.replace("> 3", "> 4"))]);
    let old_debug = [&store[..], &["--cflags", "-gdwarf-4"]].concat();
    assert!(impact(&files, &old_debug).1.contains("here"));
    std::fs::write(&files[1], plain.replace("> 3", "> 4").replace("here", "HERE")).unwrap();
    assert!(impact(&files, &old_debug).1.contains("HERE"));
    // Other code, another form, other functions and no store are other questions.
    let forms: [&[&str]; 3] = [&["--format", "json"], &["--all"], &["-f", "f"]];
    for form in forms {
        assert_ne!(impact(&compiled[..2], &[&store[..], form].concat()).1, first.1);
    }
    assert!(!impact(&compiled[..2], &[]).1.contains("if (x > 4)"));
    assert_ne!(impact(&[compiled[0].clone(), compiled[2].clone()], &store).1, first.1);
    let info = pathshift().args(["store", "info"]).args(store).output().unwrap();
    let info = String::from_utf8(info.stdout).unwrap();
    assert!(info.contains("  5 impacts\n"), "{info}");
}

#[test]
fn much_is_cut_and_says_how_to_see_more() {
    let mut old = String::from("int f0(int x) {\n  return x + 1;\n}\n");
    for number in 1..=80 {
        let _ =
            writeln!(old, "int f{number}(int x) {{\n  if (f{}(x) > {number}) return 1;\n  return 0;\n}}", number - 1);
    }
    for number in 0..40 {
        let _ = writeln!(old, "int other{number}(int x) {{ return x; }}");
    }
    let new = old.replace("x + 1", "x + 2");
    let (_folder, files) = folder(&[("old.c", &old), ("new.c", &new)]);
    let (_, text, _) = impact(&files, &[]);
    assert!(text.starts_with("1 function of 121 changed; the change reaches 80 more\n"), "{text}");
    assert!(text.lines().count() < 100 && text.lines().all(|line| line.len() < 160), "{text}");
    assert!(text.contains("--function NAME shows one, --all all of them"), "{text}");
    let (_, all, _) = impact(&files, &["--all"]);
    assert!((0..=80).all(|number| all.contains(&format!("\nf{number}  "))), "{all}");
    let (_, one, _) = impact(&files, &["--function", "f7"]);
    assert!(one.contains("`f6` returns something else") && !one.contains("\nf8 "), "{one}");
}

#[test]
fn unusual_pairs() {
    let ir = |name: &str, value: i32| {
        format!("define i32 @{name}(i32 %x) {{\n  %y = add i32 %x, {value}\n  ret i32 %y\n}}\n")
    };
    let (f, g) = ("int f(int x) { return x; }", "int g(int x) { return x; }");
    let both = format!("{f} {g}");
    let (_folder, files) = folder(&[
        ("f.c", f),
        ("g.c", g),
        ("both.c", &both),
        ("f1.ll", &ir("f", 1)),
        ("f2.ll", &ir("f", 2)),
        ("other.c", "long h(int *p, long q) { while (q > *p) q -= 7; return q * 3; }"),
        ("empty.c", ""),
        ("broken.c", "int f( {"),
    ]);
    let path = |name: &str| files.iter().find(|path| path.ends_with(name)).unwrap().clone();
    // (old, new, flags, exit code, what it says)
    for (old, new, flags, code, says) in [
        ("f.c", "f.c", vec![], 0, "nothing changed, in 1 function"),
        ("f.c", "g.c", vec![], 0, "renamed; no callers"),
        ("f.c", "both.c", vec![], 0, "added"),
        ("both.c", "f.c", vec![], 0, "removed"),
        ("both.c", "f.c", vec!["--function", "g"], 0, "removed"),
        ("f1.ll", "f2.ll", vec![], 0, "add i32"),
        ("f.c", "other.c", vec![], 0, "no function in common"),
        ("f.c", "empty.c", vec![], 2, "the file is empty"),
        ("f.c", "both.c", vec!["--function", "h"], 2, "h"),
        ("f.c", "broken.c", vec![], 4, "broken.c"),
        ("f.c", "nowhere.c", vec![], 2, "nowhere.c"),
    ] {
        let new = if new == "nowhere.c" { PathBuf::from(new) } else { path(new) };
        let (found, out, err) = impact(&[path(old), new], &flags);
        let text = if code == 0 { &out } else { &err };
        assert_eq!(found, Some(code), "{old}: {out}{err}");
        assert!(text.contains(says), "{old} with {flags:?} does not say {says:?}: {out}{err}");
    }
}

/// What code outside calls a function by is part of what it is; what only its own file sees is not.
#[test]
fn a_renamed_function_is_another_interface() {
    let old = "static int half(int x) { return x / 2; }\nint mean(int a, int b) { return half(a + b); }\n";
    let check = |from: &str, to: &str, expect: &[(&str, &str)]| {
        let (_folder, files) = folder(&[("old.c", old), ("new.c", &old.replace(from, to))]);
        let result = json(&files);
        let functions = result["functions"].as_array().unwrap().iter();
        let found: Vec<(&str, &str)> = functions
            .map(|function| (function["name"].as_str().unwrap(), function["status"].as_str().unwrap()))
            .collect();
        assert_eq!(found, expect, "{result}");
    };
    check("mean", "average", &[("average", "renamed")]);
    check("half", "halved", &[]);
}
