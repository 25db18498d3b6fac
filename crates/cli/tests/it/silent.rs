//! Changes that leave no trace in the code of any function that is compared: none of them may pass in silence.

use crate::support::{pathshift, scratch};
use serde_json::Value;

/// What `pathshift diff` says of two versions of a file, and its exit code.
fn diff(extension: &str, old: &str, new: &str, more: &[&str]) -> (Value, Option<i32>) {
    let dir = scratch();
    let files = ["old", "new"].map(|version| format!("{version}.{extension}"));
    for (file, text) in files.iter().zip([old, new]) {
        std::fs::write(dir.path().join(file), text).unwrap();
    }
    let mut diff = pathshift();
    diff.current_dir(dir.path()).arg("diff").args(&files);
    diff.args(["--format", "json", "--no-store", "--timeout", "10s", "--budget", "1m"]);
    if extension == "rs" {
        diff.args(["--rustflags", "--crate-type=lib"]);
    }
    let ran = diff.args(more).output().unwrap();
    let result =
        serde_json::from_slice(&ran.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&ran.stderr)));
    (result, ran.status.code())
}

/// Verdicts, names and codes of all rows.
fn rows(result: &Value) -> Vec<String> {
    let row = |row: &Value| {
        let codes = row["undecided"].as_array().unwrap().iter();
        let codes: Vec<&str> = codes.map(|open| open["code"].as_str().unwrap()).collect();
        let name = format!("{} {}", row["verdict"].as_str().unwrap(), row["name"].as_str().unwrap());
        format!("{name} {}", codes.join(" ")).trim_end().to_owned()
    };
    let mut rows: Vec<String> = result["functions"].as_array().unwrap().iter().map(row).collect();
    rows.sort();
    rows
}

#[track_caller]
fn check(extension: &str, old: &str, new: &str, expect: &[&str], code: i32) {
    let (result, got) = diff(extension, old, new, &[]);
    assert_eq!((rows(&result), got), (expect.iter().map(ToString::to_string).collect(), Some(code)), "{result:#}");
}

#[test]
fn exported_names() {
    let old = "int a(int x) { return x; }\nint b(int x) { return x + 1; }\nint c(int) __attribute__((alias(\"a\")));\n";
    check("c", old, &old.replace("\"a\"", "\"b\""), &["undecided c G094"], 3);
    let gone = "int a(int x) { return x; }\nint b(int x) { return x + 1; }\n";
    check("c", old, gone, &["removed c G071"], 3);
    let own = format!("{gone}int c(int x) {{ return x + 1; }}\n");
    check("c", old, &own, &["added c", "undecided c G094"], 3);
    check("c", &own, old, &["removed c", "undecided c G094"], 3);
    // One that others cannot see.
    let local = old.replace("int c(int)", "static int c(int)");
    check("c", &local, &local.replace("\"a\"", "\"b\""), &[], 0);
}

#[test]
fn exported_variables() {
    let f = "int f(void) { return 1; }\n";
    check("c", &format!("int v = 3;\n{f}"), f, &["removed v G095"], 3);
    check("c", f, &format!("int v = 3;\n{f}"), &["added v"], 0);
    check("c", &format!("const int k = 3;\n{f}"), &format!("const int k = 4;\n{f}"), &["undecided k G096"], 3);
    check("c", &format!("static int v = 3;\n{f}"), &format!("static int v = 4;\n{f}"), &[], 0);
    // What a variable begins with that functions use is theirs to tell.
    let used = "int v = 3;\nint f(void) { return v > 2; }\n";
    check("c", used, &used.replace("v = 3", "v = 4"), &["same f"], 0);
}

#[test]
fn sources_without_code() {
    check(
        "rs",
        "pub fn g<T: Copy>(x: T) -> T { x }\n",
        "pub fn g<T: Copy>(x: T) -> T { let y = x; y }\n",
        &["undecided g G075"],
        3,
    );
    let windows = "#[cfg(windows)]\npub fn w() -> u8 { 1 }\n";
    check("rs", windows, &windows.replace('1', "2"), &["undecided w G075"], 3);
    let old = "pub struct A<T>(pub T);\nimpl<T: Copy> A<T> {\n    pub fn get(&self) -> T { self.0 }\n}\n\
               pub struct B(pub u8);\nimpl B {\n    pub fn get(&self) -> u8 { self.0 }\n}\n";
    check("rs", old, &old.replace("-> T { self.0 }", "-> T { let x = self.0; x }"), &["undecided A::get G075"], 3);
    let old = "int f(int x) { return x; }\n#ifdef A\nint g(int x) { return x; }\n#endif\n";
    let new = old.replace("int g(int x) { return x;", "int g(int x) { return x + 1;");
    let (result, _) = diff("c", old, &new, &[]);
    assert_eq!(rows(&result), ["undecided g G075"]);
    assert!(!result.to_string().contains("generic"), "{result:#}");
}

#[test]
fn statements_without_code() {
    let note = |extension: &str, old: &str, new: &str| {
        let (result, code) = diff(extension, old, new, &[]);
        assert_eq!((rows(&result), code), (Vec::new(), Some(0)), "{result:#}");
        result["notes"].to_string()
    };
    let old = "int g(int);\nint f(int x) {\n    int y = x;\n#ifdef FEATURE\n    y = g(1);\n#endif\n    return y;\n}\n";
    assert!(note("c", old, &old.replace("g(1)", "g(2)")).contains("has no code: new.c:5"));
    let old = "#define LOG(x)\nint f(int x) {\n    LOG(x);\n    return x;\n}\n";
    assert!(note("c", old, &old.replace("LOG(x);", "LOG(x + 1);")).contains("has no code: new.c:3"));
    let old = "pub fn f(x: u8) -> u8 {\n    #[cfg(feature = \"a\")]\n    return x / 2;\n    #[cfg(not(feature = \"a\"))]\n    x\n}\n";
    assert!(note("rs", old, &old.replace("x / 2", "x / 3")).contains("has no code: new.rs:3"));
    // What is only laid out in another way.
    let old = "int g(int, int);\nint f(int x) {\n    int y = g(x,\n        3);\n    for (int i = 0; i < 3; i++) { y += i; }\n    return y;\n}\n";
    let new = "int g(int, int);\nint f(int x) {\n    int y =\n        g(x, 3);\n    for (int i = 0;\n         i < 3;\n         i++) {\n        y += i;\n    }\n    return y;\n}\n";
    assert!(!note("c", old, new).contains("has no code"));
}

#[test]
fn code_for_debugging() {
    let old = "pub fn f(x: u32) -> u32 {\n    assert!(x > 3);\n    x\n}\n";
    let new = old.replace("assert", "debug_assert");
    let (result, _) = diff("rs", old, &new, &[]);
    let notes = result["notes"].to_string();
    assert!(notes.contains("built for debugging") && notes.contains("debug assertions: new.rs:2;"), "{notes}");
    let (result, _) = diff("rs", old, &new, &["--rustflags", "-C opt-level=1"]);
    assert!(!result["notes"].to_string().contains("debug"), "{result:#}");
}

#[test]
fn parameters_that_only_callers_know() {
    let old = "static int h(int a) { return a + 1; }\nint f(int x) { return h(x); }\n";
    let new = "static int h(int a, int b) { return a + b; }\nint f(int x) { return h(x, 1); }\n";
    check("c", old, new, &["interface h G070", "same f"], 0);
    let taken = "int (*p)(int) = h;\n";
    let (result, code) =
        diff("c", &format!("{old}{taken}"), &format!("{new}{}", taken.replace("(int)", "(int, int)")), &[]);
    assert_eq!(code, Some(3), "{result:#}");
    let old = "fn h(a: u32) -> u32 { a ^ 1 }\npub fn f(x: u32) -> u32 { h(x) }\n";
    let new = "fn h(a: u32, b: u32) -> u32 { a ^ b }\npub fn f(x: u32) -> u32 { h(x, 1) }\n";
    check("rs", old, new, &["interface new::h G070", "same new::f"], 0);
    // Others could call it before.
    let old = "int h(int a) { return a + 1; }\nint f(int x) { return h(x); }\n";
    let new = "static int h(int a, int b) { return a + b; }\nint f(int x) { return h(x, 1); }\n";
    assert_eq!(diff("c", old, new, &[]).1, Some(3));
}
