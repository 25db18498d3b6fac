//! Weak symbols that nobody needs to define: both programs are meant, with and without them.

use crate::support::{pathshift, scratch};
use serde_json::Value;

/// As a Rust compiler writes `#[linkage = "extern_weak"]`, and as older ones wrote a test in one constant.
const INSTRUCTION: &str = "
@limit = extern_weak global i64
define i64 @f(i64 %x) {
  %there = icmp ne ptr @limit, null
  br i1 %there, label %read, label %none
read:
  %value = load i64, ptr @limit
  ret i64 %value
none:
  ret i64 %x
}
";
const CONSTANT: &str = "
@limit = extern_weak global i64
define i64 @f(i64 %x) {
  br i1 icmp eq (ptr @limit, ptr null), label %none, label %read
none:
  ret i64 %x
read:
  %value = load i64, ptr @limit
  ret i64 %value
}
";
const UNGUARDED: &str = "
@limit = extern_weak global i64
define i64 @f(i64 %x) {
  %value = load i64, ptr @limit
  ret i64 %value
}
";
const STRONG: &str = "
@limit = external global i64
define i64 @f(i64 %x) {
  %value = load i64, ptr @limit
  ret i64 %value
}
";

fn row(old: &str, new: &str) -> Value {
    let dir = scratch();
    std::fs::write(dir.path().join("old.ll"), old).unwrap();
    std::fs::write(dir.path().join("new.ll"), new).unwrap();
    let mut diff = pathshift();
    diff.current_dir(dir.path()).args(["diff", "old.ll", "new.ll", "--format", "json", "--timeout", "5"]);
    let ran = diff.output().unwrap();
    let result: Value = serde_json::from_slice(&ran.stdout).unwrap();
    result["functions"][0].clone()
}

#[track_caller]
fn check(old: &str, new: &str, expect: &str) -> Value {
    let row = row(old, new);
    assert_eq!(row["verdict"], expect, "{row:#}");
    row
}

#[test]
fn addresses_of_weak_symbols_may_be_null() {
    check(INSTRUCTION, CONSTANT, "same");
    let row = check(CONSTANT, UNGUARDED, "different");
    let inputs = row["differences"][0]["inputs"].as_array().unwrap();
    assert!(inputs.iter().any(|input| input["name"] == "&limit" && input["value"] == "NULL"), "{row:#}");
    // Who declares it as certainly there cannot be linked without it, and the old version can.
    check(INSTRUCTION, STRONG, "different");
}
