//! Which functions `pathshift diff` has rows for, and how they are called.

use crate::support::{pathshift, scratch};
use serde_json::Value;

/// Names and verdicts of all rows, and the notes. The versions are `old.EXTENSION` and `new.EXTENSION`.
fn told(extension: &str, old: &str, new: &str, more: &[&str]) -> (Vec<String>, String) {
    let dir = scratch();
    let files = ["old", "new"].map(|version| format!("{version}.{extension}"));
    for (file, text) in files.iter().zip([old, new]) {
        std::fs::write(dir.path().join(file), text).unwrap();
    }
    let mut diff = pathshift();
    diff.current_dir(dir.path()).arg("diff").args(&files).args(["--format", "json", "--timeout", "10", "--no-store"]);
    let ran = diff.args(more).output().unwrap();
    let result: Value = serde_json::from_slice(&ran.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&ran.stderr)));
    let rows = result["functions"].as_array().unwrap().iter();
    let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
    let mut rows: Vec<String> = rows.map(|row| format!("{} {}", text(row, "verdict"), text(row, "name"))).collect();
    rows.sort();
    (rows, result["notes"].to_string())
}

#[track_caller]
fn check(extension: &str, old: &str, new: &str, more: &[&str], expect: &[&str]) {
    assert_eq!(told(extension, old, new, more).0, expect, "{old}\n{new}\n{more:?}");
}

#[test]
fn closures_are_told_by_their_callers() {
    let old = "fn helper(f: impl Fn(u32) -> u32, x: u32) -> u32 { f(f(x)) }\n\
               pub fn add(x: u32) -> u32 { helper(|y| y.wrapping_add(3), x) }\n\
               pub fn all(v: [u8; 3]) -> bool { v.iter().all(|x| *x < 10) }\n\
               pub fn sorted(v: [i32; 3]) -> bool { v.windows(2).all(|w| w[0] <= w[1]) }\n\
               pub fn bit(x: u32) -> Option<u32> { Some(x).map(|x| x & 1) }\n";
    let new = old.replace("f(f(x))", "f(x)").replace("add(3)", "add(6)");
    let new = new.replace("v.iter().all(|x| *x < 10)", "!v.iter().any(|x| *x >= 10)");
    let new = new.replace("v.windows(2).all(|w| w[0] <= w[1])", "(1..v.len()).all(|i| v[i - 1] <= v[i])");
    let (rows, notes) = told("rs", old, &new, &[]);
    let helper = "same new::helper<new::add::{closure_env#0}>";
    assert_eq!(rows, ["same new::add", "same new::all", helper, "same new::sorted"]);
    assert!(notes.contains("3 closures are left out"), "{notes}");
    // One that its caller tells from the other version does not hide either.
    check("rs", old, &old.replace("x & 1", "x & 3"), &[], &["different new::bit"]);
    // What was asked for by name is answered.
    let closure = ["--function", "new::bit::{{closure}}"];
    check("rs", old, &old.replace("x & 1", "x & 3"), &closure, &["different new::bit::{{closure}}"]);
    // Those of inline and generic functions.
    let old = "#[inline] pub fn all(v: [u8; 3]) -> bool { v.iter().all(|x| *x < 10) }\n\
               pub fn twice<T: Into<u32>>(x: T) -> u32 { Some(x.into()).map_or(0, |x: u32| x.wrapping_mul(2)) }\n\
               pub fn byte(x: u8) -> u32 { twice(x) }\n";
    let new = old.replace("v.iter().all(|x| *x < 10)", "!v.iter().any(|x| *x >= 10)");
    let new = new.replace("x.wrapping_mul(2)", "x.wrapping_add(x)");
    check("rs", old, &new, &[], &["same new::all", "same new::byte", "same new::twice<u8>"]);
    // A lambda.
    let old = "#include <algorithm>\n\
               int all(const int (&p)[3]) { return std::all_of(p, p + 3, [](int v) { return v < 10; }); }\n";
    let new = old.replace("std::all_of", "!std::any_of").replace("v < 10", "v >= 10");
    check("cpp", old, &new, &[], &["same all(int const (&) [3])"]);
}

/// What a closure does is told of the function that it is in, and callers are counted with that one.
#[test]
fn changed_closures_are_never_counted_with_nobody() {
    let old = "use std::collections::HashMap;\n\
               fn inner(v: &mut Vec<i64>, m: &HashMap<i64, i64>) -> i64 {\n\
               let g = |x: i64| -> i64 { m.get(&x).copied().unwrap_or(0) + x * 3 + 1 };\n\
               let mut t = 0;\n\
               for i in 0..v.len() { t += g(v[i]); v.push(t); if v.len() > 100 { break; } }\nt\n}\n\
               pub fn a(v: &mut Vec<i64>, m: &HashMap<i64, i64>) -> i64 { inner(v, m) }\n";
    check("rs", old, &old.replace("* 3 + 1", "* 3 + 2"), &["--timeout", "5"], &["undecided new::inner"]);
}

/// What a function calls through a pointer may be what differs: it is counted with that, and no proof of its other callees makes it
/// the same.
#[test]
fn callers_through_pointers_are_counted() {
    let old = "static int c(int n) { return n + 1; }\nstatic int (*cb)(int);\nvoid reg(int (*p)(int)) { cb = p; }\n\
               int call(int n) { return cb ? cb(n) : 0; }\nstatic int k(int n) { return n + n; }\n\
               int h(int n) { return call(n) + k(n); }\nint apply(int (*p)(int), int n) { return p(n) + k(n); }\n\
               int main(int argc, char **argv) { reg(c); return h(argc) + apply(c, 3); }\n";
    let same = old.replace("n + n", "2 * n");
    check("c", old, &same, &[], &["same apply", "same h", "same k", "same main"]);
    let new = same.replace("n + 1;", "n + 2;");
    check("c", old, &new, &[], &["different c", "different main", "same k"]);
}

/// Those that others may call have rows of their own.
#[test]
fn closures_that_get_away_have_rows() {
    // Only a caller outside of the program would notice.
    let old = "pub fn make() -> impl Fn(u32) -> u32 { |x| x ^ 5 }\npub fn g() -> u32 { make()(0) }\n";
    check("rs", old, &old.replace("x ^ 5", "x + 5"), &[], &["different new::make::{{closure}}", "same new::g"]);
    let old = "pub fn make() -> impl Fn(u32) -> u32 { let f = |x| x ^ 5; f(0); f }\n";
    check("rs", old, &old.replace("x ^ 5", "x + 5"), &[], &["different new::make::{{closure}}", "same new::make"]);
    let old = "pub fn boxed() -> Box<dyn Fn(u32) -> u32> { Box::new(|x| x ^ 6) }\n";
    let new = old.replace("x ^ 6", "x ^ 7");
    check("rs", old, &new, &[], &["different new::boxed::{{closure}}"]);
    let old = "typedef int (*op)(int);\nop pick() { return [](int x) { return x ^ 1; }; }\n";
    let (rows, _) = told("cpp", old, &old.replace("x ^ 1", "x ^ 2"), &[]);
    assert!(rows.iter().any(|row| row.starts_with("different pick()::")), "{rows:?}");
}

/// Two files with different names are two versions of one file.
#[test]
fn where_a_panic_stands_is_no_change() {
    let old = "pub fn gcd(mut a: u32, mut b: u32) -> u32 { while b != 0 { let t = a % b; a = b; b = t; } a }\n\
               pub fn fib(n: u32) -> u64 { if n < 2 { n as u64 } else { fib(n - 1) + fib(n - 2) } }\n\
               pub fn at(v: &[u8], i: usize) -> u8 { v[i] }\n\
               pub fn even(x: u32) -> u32 { if x % 2 == 1 { panic!(\"odd\") } x }\n";
    let gcd = "pub fn gcd(a: u32, b: u32) -> u32 { if b == 0 { a } else { gcd(b, a % b) } }";
    let new = old.lines().skip(1).fold(gcd.to_owned(), |text, line| format!("{text}\n\n{line}"));
    check("rs", old, &new, &[], &["same new::gcd"]);
    // What it says counts.
    let (rows, _) = told("rs", old, &old.replace("\"odd\"", "\"ODD\""), &[]);
    assert!(rows.len() == 1 && rows[0].ends_with("new::even"), "{rows:?}");
}

#[test]
fn instances_of_generic_functions_are_named_with_their_types() {
    let old = "pub fn conv<T: Into<i64>>(x: T) -> i64 { let v: i64 = x.into(); if v > 1000 { 1000 } else { v } }\n\
               pub fn byte(x: u8) -> i64 { conv(x) }\n\
               pub fn short(x: i16) -> i64 { conv(x) }\n\
               pub struct W<T>(pub T);\n\
               impl<T: Into<i64> + Copy> W<T> { pub fn get(&self) -> i64 { let v: i64 = self.0.into(); v * 2 } }\n\
               pub fn wrapped(x: u8) -> i64 { W(x).get() }\n";
    let new = old.replace("if v > 1000 { 1000 } else { v }", "v").replace("v * 2", "v + v");
    let all = [
        "different new::conv<i16>",
        "different new::short",
        "same new::W<T>::get<u8>",
        "same new::byte",
        "same new::conv<u8>",
        "same new::wrapped",
    ];
    check("rs", old, &new, &[], &all);
    check("rs", old, &new, &["--function", "conv"], &["different new::conv<i16>", "same new::conv<u8>"]);
    check("rs", old, &new, &["--function", "conv<u8>"], &["same new::conv<u8>"]);
    check("rs", old, &new, &["--ignore-function", "new::conv"], &all);
}
