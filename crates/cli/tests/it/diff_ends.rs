//! Comparisons that do not come to their end: Ctrl-C, a killed run, no room on the disk. Nothing is lost, nothing wrong is
//! said. And differences in how programs end.

use crate::support::{pathshift, scratch};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// One function that is decided at once, and one that takes for ever.
const OLD: &str = "unsigned quick(unsigned x) { return x + x; }
unsigned slow(unsigned n) { unsigned s = 0; while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; s += n * n; } return s; }";
const NEW: &str = "unsigned quick(unsigned x) { return x * 2; }
unsigned slow(unsigned n) {
    unsigned s = 0;
    for (;;) {
        if (n == 1) return s;
        n = n & 1 ? n + 2 * n + 1 : n >> 1; s += n * n;
        if (n == 1) return s;
        n = n & 1 ? n + 2 * n + 1 : n >> 1; s += n * n;
    }
}";

fn write(dir: &Path, old: &str, new: &str) {
    std::fs::write(dir.join("old.c"), old).unwrap();
    std::fs::write(dir.join("new.c"), new).unwrap();
}

fn diff(dir: &Path) -> Command {
    let mut command = pathshift();
    command.current_dir(dir).args(["diff", "old.c", "new.c", "--format", "json"]);
    command
}

/// Sends a signal to a comparison once it is at work; its exit code, and what it wrote.
fn signalled(dir: &Path, signal: &str) -> (Option<i32>, Value) {
    let out = dir.join("result.json");
    let mut child = diff(dir)
        .args(["--timeout", "600", "--unwind", "1000", "-o", "result.json"])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let started = Instant::now();
    // The file is there before anything is compared; then the first function is done soon.
    while !out.exists() {
        assert!(started.elapsed() < Duration::from_secs(60), "it begins");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_secs(4));
    assert!(child.try_wait().unwrap().is_none(), "it is at work");
    Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    let code = child.wait().unwrap().code();
    (code, serde_json::from_slice(&std::fs::read(out).unwrap()).unwrap())
}

#[test]
fn ctrl_c_shows_what_is_known() {
    let dir = scratch();
    write(dir.path(), OLD, NEW);
    let (code, result) = signalled(dir.path(), "-INT");
    assert_eq!(code, Some(3), "{result:#}");
    assert_eq!(result["run_state"], "incomplete");
    let verdicts: Vec<_> =
        result["functions"].as_array().unwrap().iter().map(|row| (&row["name"], &row["verdict"])).collect();
    assert_eq!(
        format!("{verdicts:?}"),
        r#"[(String("quick"), String("same")), (String("slow"), String("undecided"))]"#
    );
}

#[test]
fn a_killed_run_leaves_no_result() {
    let dir = scratch();
    write(dir.path(), OLD, NEW);
    let (code, result) = signalled(dir.path(), "-KILL");
    assert_eq!(code, None);
    assert_eq!(result["run_state"], "incomplete");
    assert_eq!(result["functions"].as_array().unwrap().len(), 0);
}

#[test]
fn no_room_for_the_result_is_an_error() {
    let dir = scratch();
    write(dir.path(), "int f(int x) { return x; }", "int f(int x) { return x + 0; }");
    let ran = diff(dir.path()).args(["-o", "/dev/full"]).output().unwrap();
    assert!(!ran.status.success() && ran.status.code() != Some(1), "{:?}", ran.status);
    assert!(String::from_utf8_lossy(&ran.stderr).contains("cannot write /dev/full"));
    let room = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let ran = diff(dir.path()).stdout(room).output().unwrap();
    assert!(!ran.status.success() && ran.status.code() != Some(1), "{:?}", ran.status);
}

#[test]
fn ends_are_told_apart() {
    let check = |old: &str, new: &str, kind: &str| {
        let dir = scratch();
        write(dir.path(), old, new);
        let ran = diff(dir.path()).args(["--timeout", "10"]).output().unwrap();
        let result: Value = serde_json::from_slice(&ran.stdout).unwrap();
        let row = &result["functions"][0];
        assert_eq!(row["verdict"], "different", "{row:#}");
        assert_eq!(row["differences"][0]["kind"], kind, "{row:#}");
    };
    check("int f(int x) { return x + 1 > x; }", "int f(int x) { return 1; }", "old was undefined");
    check(
        "int f(unsigned n) { while (n > 9) n -= 3; return n; }",
        "int f(unsigned n) { while (n > 9) n -= n == 12 ? 0 : 3; return n; }",
        "hang",
    );
    check("int f(int a, int b) { return b ? a / b : 0; }", "int f(int a, int b) { return a / b; }", "fault appears");
}

/// What hangs natively is stopped with the comparison: nothing is confirmed, and what is known is shown.
#[test]
fn native_runs_end_with_us() {
    let dir = scratch();
    write(
        dir.path(),
        "int f(int n) { int s = 0, i = 0; while (i < n) s += i; return s; }",
        "int f(int n) { int s = 0, i = 0; while (i < n) s += i++; return s; }",
    );
    let temp = dir.path().join("temp");
    std::fs::create_dir(&temp).unwrap();
    let mut child = diff(dir.path())
        .args(["--timeout", "2", "--no-store", "-o", "result.json"])
        .env("TMPDIR", &temp)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let runs = || {
        let folders = |dir: &Path| -> Vec<_> {
            std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
        };
        folders(&temp).iter().any(|dir| folders(dir).iter().any(|dir| dir.join("records").exists()))
    };
    let started = Instant::now();
    while !runs() {
        assert!(started.elapsed() < Duration::from_secs(60), "it runs something");
        assert!(child.try_wait().unwrap().is_none(), "it is at work");
        std::thread::sleep(Duration::from_millis(5));
    }
    Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(3));
    let result: Value = serde_json::from_slice(&std::fs::read(dir.path().join("result.json")).unwrap()).unwrap();
    assert_eq!(result["run_state"], "incomplete");
    assert_eq!(result["functions"][0]["verdict"], "undecided", "{result:#}");
    assert_eq!(std::fs::read_dir(&temp).unwrap().count(), 0, "temporary files stay");
}

/// A difference that was found and could not be run is no proof that there is none.
#[test]
fn what_is_not_run_is_not_the_same() {
    let dir = scratch();
    write(
        dir.path(),
        "int f(unsigned n) { while (n > 9) n -= 3; return n; }",
        "int f(unsigned n) { while (n > 9) n -= n == 99 ? 0 : 3; return n; }",
    );
    let ran = diff(dir.path()).args(["--timeout", "10", "--no-store", "--no-replay"]).output().unwrap();
    let result: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(result["functions"][0]["verdict"], "undecided", "{result:#}");
}
