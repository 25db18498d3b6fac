//! Inputs of Rust types: every value that safe code can make, and no other.

use crate::support::{Language, check_ends, ends};

/// The paths of `f` end so; each kind of end with its number.
#[track_caller]
fn rust(source: &str, expect: &[(&str, usize)]) {
    check_ends(Language::Rust, source, "program::f", expect);
}

/// The paths of `f` end in these ways, however many there are of each.
#[track_caller]
fn kinds(source: &str, expect: &[&str]) {
    let seen = ends(Language::Rust, source, "program::f", &[]);
    assert_eq!(seen.iter().map(|(end, _)| end.as_str()).collect::<Vec<_>>(), expect, "{source}");
}

#[test]
fn slices_have_as_many_elements_as_they_say() {
    let bounds = "Panic index out of bounds: the len is ? but the index is ?";
    rust("pub fn f(v: &[i32], i: usize) -> i32 { v[i] }", &[(bounds, 1), ("returned", 1)]);
    rust("pub fn f(v: &mut [u64], i: usize) { if i < v.len() { v[i] = 3; } }", &[("returned", 2)]);
    rust(
        "pub fn f(v: &[u8]) -> u32 { let mut n = 0; for _ in v { n += 1; } n }",
        &[("0", 1), ("1", 1), ("2", 1), ("3", 1), ("4", 1), ("5", 1), ("6", 1), ("7", 1), ("8", 1)],
    );
    rust(
        "pub fn f(v: &[(u8, bool)]) -> u32 { match v { [] => 0, [(1, true), ..] => 1, [_] => 2, _ => 3 } }",
        &[("0", 1), ("1", 1), ("2", 2), ("3", 2)],
    );
}

#[test]
fn text_is_ascii() {
    rust("pub fn f(s: &str) -> u32 { if s.len() == 2 && s.as_bytes()[0] > 127 { 1 } else { 0 } }", &[("0", 2)]);
    rust(
        "pub fn f(s: &str) -> u32 { if s.is_empty() { 0 } else if s.starts_with('a') { 1 } else { 2 } }",
        &[("0", 1), ("1", 1), ("2", 1)],
    );
}

#[test]
fn options_and_results_have_their_cases() {
    rust(
        "pub fn f(a: Option<&u32>) -> u32 { match a { Some(x) if *x == 5 => 1, Some(_) => 2, None => 3 } }",
        &[("1", 1), ("2", 1), ("3", 1)],
    );
    rust(
        "pub fn f(a: Option<u32>) -> u32 { match a { Some(5) => 1, Some(_) => 2, None => 3 } }",
        &[("1", 1), ("2", 1), ("3", 1)],
    );
    rust(
        "pub fn f(a: Result<u8, i32>) -> u32 { match a { Ok(9) => 1, Ok(_) => 2, Err(-1) => 3, Err(_) => 4 } }",
        &[("1", 1), ("2", 1), ("3", 1), ("4", 1)],
    );
    rust(
        "pub fn f(a: Option<bool>) -> u32 { match a { Some(true) => 1, Some(false) => 2, None => 3 } }",
        &[("1", 1), ("2", 1), ("3", 1)],
    );
    rust(
        "pub fn f(a: Option<char>) -> u32 { match a { Some('x') => 1, Some(_) => 2, None => 3 } }",
        &[("1", 1), ("2", 1), ("3", 1)],
    );
    rust(
        "pub enum E { A, B(u32), C { x: u16, y: u16 } } pub fn f(e: &E) -> u32 { match e { E::A => 1, E::B(3) => 2, E::B(_) => 3, E::C { x, y } => if x < y { 4 } else { 5 } } }",
        &[("1", 1), ("2", 1), ("3", 1), ("4", 1), ("5", 1)],
    );
    rust(
        "#[derive(Clone, Copy)] pub enum E { A = 1, B = 5 } pub fn f(e: E) -> u32 { match e { E::A => 1, E::B => 2 } }",
        &[("1", 1), ("2", 1)],
    );
    rust(
        "pub fn f(a: std::cmp::Ordering) -> u32 { match a { std::cmp::Ordering::Less => 1, std::cmp::Ordering::Equal => 2, _ => 3 } }",
        &[("1", 1), ("2", 1), ("3", 1)],
    );
}

#[test]
fn scalars_are_valid() {
    rust(
        "pub fn f(c: char) -> u32 { let n = c as u32; if n > 0x10ffff || n >= 0xd800 && n <= 0xdfff { 1 } else { 2 } }",
        &[("2", 2)],
    );
    rust("pub fn f(b: bool) -> u32 { if b { 1 } else { 2 } }", &[("1", 1), ("2", 1)]);
    rust("pub fn f(n: std::num::NonZeroU8) -> u32 { if n.get() == 0 { 1 } else { 2 } }", &[("2", 1)]);
    rust("pub fn f(p: *const u8) -> u32 { if p.is_null() { 1 } else { 2 } }", &[("1", 1), ("2", 1)]);
    rust(
        "pub struct S { a: u8, b: &'static u16 } pub fn f(s: S) -> u32 { if s.a as u16 == *s.b { 1 } else { 2 } }",
        &[("1", 1), ("2", 1)],
    );
}

#[test]
fn vectors_strings_and_boxes() {
    rust(
        "pub fn f(v: &Vec<u32>) -> u32 { if v.is_empty() { 0 } else if v[0] == 7 { 1 } else { 2 } }",
        &[("0", 1), ("1", 1), ("2", 1)],
    );
    kinds("pub fn f(v: Vec<u16>) -> u32 { if v.len() > v.capacity() || v.len() > 8 { 1 } else { 2 } }", &["2"]);
    kinds("pub fn f(s: &String) -> u32 { if s.len() > 8 { 9 } else if s == \"ab\" { 1 } else { 2 } }", &["1", "2"]);
    rust("pub fn f(b: Box<u32>) -> u32 { if *b == 3 { 1 } else { 2 } }", &[("1", 1), ("2", 1)]);
    kinds(
        "pub struct P { x: i32, y: u8 } pub fn f(v: &[P], w: Vec<P>) -> u32 { if v.len() == 1 && w.len() == 1 && v[0].x == w[0].x && w[0].y == 4 { 1 } else { 2 } }",
        &["1", "2"],
    );
    kinds(
        "pub fn f(o: Option<Vec<u8>>) -> u32 { match o { None => 1, Some(v) => if v.len() == 2 { 2 } else { 3 } } }",
        &["1", "2", "3"],
    );
}

#[test]
fn inputs_can_be_changed() {
    let source = "pub fn f(v: &mut Vec<u8>) -> usize { v.push(1); v.len() }";
    let seen = ends(Language::Rust, source, "program::f", &[]);
    assert!(seen.iter().all(|(end, _)| end == "returned"), "{seen:?}");
    let source = "pub fn f(s: &mut String) -> usize { s.push_str(\"xy\"); s.len() }";
    let seen = ends(Language::Rust, source, "program::f", &[]);
    assert!(seen.iter().all(|(end, _)| end == "returned"), "{seen:?}");
}

#[test]
fn memory_far_away_is_a_bound_and_takes_none() {
    let far = ("bound: memory far behind all that was used before", 1);
    let c = |source: &str, expect: &[(&str, usize)]| check_ends(Language::C, source, "f", expect);
    let allocated = "void *malloc(unsigned long); int f(void) { char *p = malloc(4000000000u);";
    c(&format!("{allocated} p[3999999999u] = 1; return p[3999999999u]; }}"), &[far]);
    c(&format!("{allocated} __builtin_memset(p + 3000000000u, 1, 8); return p[3000000001u]; }}"), &[far]);
    c("char a[3000000000u]; int f(void) { return a[2999999999u] == 7; }", &[far]);
    // Memory that is used from its beginning may be as large.
    c(&format!("{allocated} p[40000000] = 3; p[80000000] = 1; return p[40000000] + p[80000000]; }}"), &[("4", 1)]);
}
