//! Suites as users handle them: what is refused, interrupted, or named in other ways.

use crate::support::{pathshift, scratch};
use crate::upkeep::{MID, explore, shown, slow_program, tests};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Runs `pathshift tests`, waits until a file is there and interrupts it; how it ended and what it wrote.
fn interrupted(dir: &Path, args: &[&str], begun: &Path) -> (Option<i32>, String) {
    let mut command = pathshift();
    command.current_dir(dir).arg("tests").args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let started = Instant::now();
    while !begun.exists() {
        assert!(started.elapsed() < Duration::from_secs(60), "{args:?} does not begin");
        std::thread::sleep(Duration::from_millis(20));
    }
    let status = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What pathshift says on standard error, of a run that names something unusable.
fn refused(dir: &Path, args: &[&str]) -> String {
    let output = tests(dir, args);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {errors}");
    errors
}

/// Who gives a bound wants it, be it the usual one.
#[test]
fn a_given_bound_is_not_that_of_the_suite() {
    let dir = scratch();
    let source = "int h(const char *s) { int n = 0; while (s[n]) n++; return n > 10; }\n";
    std::fs::write(dir.path().join("h.c"), source).unwrap();
    let paths = |args: &[&str]| {
        let output = tests(dir.path(), &[args, &["--suite", "s", "--format", "json"]].concat());
        let ledger: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        ledger["stats"]["paths"].as_u64().unwrap()
    };
    let with_12 = paths(&["generate", "h.c", "-f", "h", "--string", "12"]);
    let update = ["update", "h.c", "h.c", "--dry-run"];
    assert_eq!(paths(&update), with_12);
    assert_eq!(paths(&[&update[..], &["--string", "8"]].concat()), with_12 - 4);
}

/// A replay that is interrupted says so with its exit code.
#[test]
fn interrupted_replays_are_no_success() {
    let dir = scratch();
    std::fs::write(dir.path().join("f.c"), MID[0]).unwrap();
    shown(dir.path(), &["generate", "f.c", "-f", "mid", "--suite", "s"]);
    let made = pathshift().current_dir(dir.path()).args(["ir", "f.c", "--format", "llvm", "-o", "f.ll"]).status();
    assert!(made.unwrap().success());
    // IR is read without a compiler: the first one is that of the replay.
    let (clang, begun) = (dir.path().join("clang"), dir.path().join("begun"));
    std::fs::write(&clang, format!("#!/bin/sh\ntouch {}\nexec sleep 100\n", begun.display())).unwrap();
    std::fs::set_permissions(&clang, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let (code, text) = interrupted(dir.path(), &["replay", "s", "f.ll", "--clang", clang.to_str().unwrap()], &begun);
    assert!(text.contains("note: interrupted\n") && text.contains("not all of them were run"), "{text}");
    assert_eq!(code, Some(130));
}

/// Some of the paths do not take the place of all of them.
#[test]
fn cut_short_suites_replace_none() {
    let dir = scratch();
    std::fs::write(dir.path().join("f.c"), slow_program(8, 1)).unwrap();
    std::fs::write(dir.path().join("slow.c"), slow_program(18, 2000)).unwrap();
    let suite = || std::fs::read(dir.path().join("s/tests.txt")).unwrap();
    shown(dir.path(), &["generate", "f.c", "-f", "f", "--suite", "s", "--no-store"]);
    let before = suite();
    let output = tests(dir.path(), &["generate", "f.c", "-f", "f", "--suite", "s", "--paths", "2", "--no-store"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!((output.status.code(), suite() == before), (Some(3), true), "{text}");
    let said = ["a path of its own", "(nothing was written)", "stopped by the limit on paths", "s is left as it was"];
    assert!(said.iter().all(|words| text.contains(words)), "{text}");
    // The store is opened when all is built.
    let store = dir.path().join("store.db");
    let (code, text) =
        interrupted(dir.path(), &["generate", "slow.c", "-f", "f", "--suite", "s", "--store", "store.db"], &store);
    assert_eq!((code, suite() == before), (Some(130), true), "{text}");
    assert!(text.contains("note: interrupted, ") && text.contains("with --resume goes on"), "{text}");
    let args = ["update", "f.c", "slow.c", "--suite", "s", "--timeout", "0.3"];
    let output = tests(dir.path(), &args);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.code() == Some(3) && text.contains("note: stopped by the time limit, "), "{text}");
    let output = explore(dir.path(), &["--paths", "2"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        text.contains("stopped by the limit on paths") && text.contains("with --resume and more --paths"),
        "{text}"
    );
}

/// A suite that is there is replaced only by one of the same function.
#[test]
fn suites_of_other_functions_are_not_replaced() {
    let dir = scratch();
    let source = "int f(int x) { return x > 3; }\nint g(int x) { return x > 5; }\nint main(void) { return f(1); }\n";
    std::fs::write(dir.path().join("a.c"), source).unwrap();
    std::fs::write(dir.path().join("b.c"), "int g(int x) { return x > 5; }\n").unwrap();
    shown(dir.path(), &["generate", "a.c", "-f", "f", "--suite", "s"]);
    let suite = dir.path().join("s/tests.txt");
    let before = std::fs::read(&suite).unwrap();
    for (args, wanted) in [(&["a.c", "-f", "g"][..], "g"), (&["b.c", "-f", "g"], "g"), (&["a.c"], "main")] {
        let errors = refused(dir.path(), &[&["generate", "--suite", "s"], args].concat());
        assert!(errors.contains(&format!("s has tests of `f`, and `{wanted}` is another function")), "{errors}");
        assert_eq!(std::fs::read(&suite).unwrap(), before);
    }
    shown(dir.path(), &["generate", "a.c", "-f", "f", "--suite", "s"]);
}

/// What is wrong with a suite is said, and before anything is built: the programs are not even there.
#[test]
fn unusable_suites_are_told_first() {
    let dir = scratch();
    std::fs::create_dir(dir.path().join("nothing")).unwrap();
    std::fs::write(dir.path().join("f.c"), MID[0]).unwrap();
    shown(dir.path(), &["generate", "f.c", "-f", "mid", "--suite", "cut"]);
    let whole = std::fs::read_to_string(dir.path().join("cut/tests.txt")).unwrap();
    let last = whole.lines().count();
    let files: [(&str, &str, &str); 5] = [
        ("empty", "", "empty/tests.txt:1:1: this is no suite"),
        ("garbage", "\0\x01 what\nis this", "garbage/tests.txt:1:1: this is no suite"),
        ("newer", "pathshift suite 2\nentry f\n--\n", "written by a newer pathshift (form 2, this one knows 1)"),
        ("cut", &whole[..whole.len() - 5], &format!("cut/tests.txt:{last}:")),
        ("broken", &whole.replace("--\n", "--\nx=\n"), "broken/tests.txt:"),
    ];
    for (folder, text, _) in files {
        std::fs::create_dir_all(dir.path().join(folder)).unwrap();
        std::fs::write(dir.path().join(folder).join("tests.txt"), text).unwrap();
    }
    let expected = files.map(|(folder, _, expect)| (folder, expect));
    let not_there = [("no-folder", "no-folder"), ("nothing", "nothing"), ("no/tests.txt", "cannot read")];
    for (suite, expect) in expected.into_iter().chain(not_there) {
        let update = ["update", "no.c", "no.c", "--suite", suite];
        let minimize = ["minimize", "no.c", "--suite", suite];
        for args in [&update[..], &minimize, &["replay", suite, "no.c"]] {
            let errors = refused(dir.path(), args);
            assert!(errors.contains(expect) && errors.contains("help: "), "{args:?}: {errors}");
        }
    }
    let errors = refused(dir.path(), &["show", "--suite", "cut"]);
    assert!(errors.contains("the last line does not end") && errors.contains("cut short"), "{errors}");
    // A file that is no suite is not taken for a place to write one.
    for suite in ["garbage", "garbage/tests.txt", "f.c"] {
        refused(dir.path(), &["generate", "f.c", "-f", "mid", "--suite", suite]);
    }
}

/// The file of a suite stands for its folder, wherever a suite is read or written.
#[test]
fn a_suite_may_be_named_by_its_file() {
    let dir = scratch();
    std::fs::write(dir.path().join("old.c"), MID[0]).unwrap();
    std::fs::write(dir.path().join("new.c"), MID[1]).unwrap();
    let suite = ["--suite", "s/tests.txt"];
    for args in [&["generate", "old.c", "-f", "mid"][..], &["update", "old.c", "new.c"], &["minimize", "new.c"]] {
        let text = shown(dir.path(), &[args, &suite].concat());
        assert!(!text.contains("nothing was written"), "{text}");
    }
    assert!(dir.path().join("s/tests.txt").is_file());
    let listed: serde_json::Value =
        serde_json::from_str(&shown(dir.path(), &["show", "--format", "json", "--suite", "s"])).unwrap();
    let tests = listed["tests"].as_array().unwrap();
    assert_eq!((&listed["entry"], tests.len()), (&"mid".into(), 6));
    let plain = shown(dir.path(), &["show", "--suite", "s/tests.txt"]);
    for (test, line) in tests.iter().zip(plain.lines().skip(1)) {
        let [input, expected] = ["input", "expected"].map(|part| test[part].as_str().unwrap());
        let start = format!("{:>6}  {input} -> {expected} | ", test["number"].as_u64().unwrap());
        assert!(line.starts_with(&start) && input.starts_with("x="), "{line}: {test}");
    }
}

/// Exploring with the tests of an older version finds what exploring without them does, and asks less.
#[test]
fn older_tests_answer_for_solvers() {
    let dir = scratch();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let run = |args: &[&str]| {
        let output = pathshift().current_dir(dir.path()).args(args).arg("--no-store").output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned(), output.stderr)
    };
    for (folder, versions, function) in
        [("mid", ["old.c", "new.c"], "mid"), ("wheel_brake", ["base.c", "v02.c"], "update")]
    {
        let [old, new] = versions.map(|version| examples.join(folder).join(version).display().to_string());
        let made = run(&["tests", "generate", &old, "--function", function, "--suite", folder]);
        assert_eq!(made.0, Some(0), "{}", String::from_utf8_lossy(&made.2));
        let explore = |flags: &[&str]| -> serde_json::Value {
            let common = ["explore", &new, "--function", function, "--no-replay", "--format", "json"];
            let (code, text, errors) = run(&[&common[..], flags].concat());
            assert!(matches!(code, Some(0 | 1)), "{}", String::from_utf8_lossy(&errors));
            serde_json::from_str(&text).unwrap()
        };
        let conditions = |result: &serde_json::Value| -> BTreeSet<String> {
            result["paths"].as_array().unwrap().iter().map(|path| path["condition"].to_string()).collect()
        };
        let (full, reuse) = (explore(&[]), explore(&["--strategy", "reuse", "--tests", folder]));
        assert_eq!(conditions(&full), conditions(&reuse), "{folder}");
        assert_eq!((&reuse["strategy"], &reuse["run_state"]), (&"reuse".into(), &"complete".into()));
        let asked = |result: &serde_json::Value| result["stats"]["queries"].as_u64().unwrap();
        assert!(asked(&reuse) * 4 < asked(&full) * 3, "{folder}: {} of {}", asked(&reuse), asked(&full));
    }
    let other = examples.join("wheel_brake/base.c").display().to_string();
    let (code, _, errors) = run(&["explore", &other, "-f", "park", "--tests", "wheel_brake"]);
    let errors = String::from_utf8_lossy(&errors);
    assert!(code == Some(2) && errors.contains("`park` is another function"), "{code:?} {errors}");
    let wrong: [&[&str]; 3] =
        [&["--strategy", "reuse"], &["--tests", "mid", "--strategy", "dgse"], &["--tests", "gone"]];
    for flags in wrong {
        let new = examples.join("mid/new.c").display().to_string();
        let (code, _, errors) = run(&[&["explore", &new, "-f", "mid"][..], flags].concat());
        let errors = String::from_utf8_lossy(&errors);
        assert!(code == Some(2) && errors.contains("help:"), "{flags:?} {code:?} {errors}");
    }
}

/// Uses before the beginning of an object show natively, as those behind its end do, and whatever sums that were too large came
/// before them.
#[test]
fn faults_are_replayed_where_they_show() {
    let dir = scratch();
    let source = "int t[4];\n\
        int f(int i) { int a[4] = {1, 2, 3, 4}; if (i > 3) return 0; return a[i]; }\n\
        int g(int i) { if (i > 3) return 0; return t[i]; }\n\
        int h(int i) { int n = i + 2147483647; if (n > -2147483641) return 0; return t[i]; }\n";
    std::fs::write(dir.path().join("f.c"), source).unwrap();
    for function in ["f", "g", "h"] {
        shown(dir.path(), &["generate", "f.c", "-f", function, "--suite", function]);
        let replayed = tests(dir.path(), &["replay", function, "f.c"]);
        assert_eq!(replayed.status.code(), Some(0), "{}", String::from_utf8_lossy(&replayed.stdout));
        let explored = pathshift().current_dir(dir.path()).args(["explore", "f.c", "-f", function]).output().unwrap();
        let explored = String::from_utf8(explored.stdout).unwrap();
        assert!(explored.contains("out of bounds") && !explored.contains("no: "), "{explored}");
    }
}
