//! `explore --since`, `coverage` and `select` as a user runs them.

use crate::support::{explored, folder, pathshift};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn brake() -> (PathBuf, PathBuf) {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/brake");
    (examples.join("old.c"), examples.join("new.c"))
}

fn directed(old: &Path, new: &Path, function: &str, flags: &[&str]) -> Value {
    let mut all = vec!["--since", old.to_str().unwrap()];
    all.extend(flags);
    explored(new, function, &all)
}

#[test]
fn only_what_a_change_affects() {
    let (old, new) = brake();
    for strategy in ["dise", "idise"] {
        let result = directed(&old, &new, "update", &["--strategy", strategy]);
        assert_eq!(result["strategy"], strategy);
        let paths = result["paths"].as_array().unwrap();
        assert_eq!(paths.len(), 8);
        for path in paths {
            assert_eq!(path["replayed"], "yes", "{path}");
            assert_eq!(path["affected"].as_array().unwrap().len(), path["condition"].as_array().unwrap().len());
        }
    }
    let full = directed(&old, &new, "update", &["--strategy", "full"]);
    assert_eq!(full["paths"].as_array().unwrap().len(), 24);
    let fewer = directed(&old, &new, "update", &["--goal", "statement"]);
    assert!(fewer["paths"].as_array().unwrap().len() < 8);
}

/// The smallest program on which the papers' search loses affected behaviour.
#[test]
fn skipping_keeps_what_pinning_loses() {
    let old =
        "int f(int x, int y) { int u = 0; if (y > 0) u = 1; x = x + 2;\n if (x > 3 && y < 0) return 1; return 0; }";
    let (_folder, files) = folder(&[("old.c", old), ("new.c", &old.replace("x + 2", "x + 1"))]);
    let returns_one = |flags: &[&str]| {
        let result = directed(&files[0], &files[1], "f", flags);
        result["paths"].as_array().unwrap().iter().any(|path| path["outcome"] == "returns 1")
    };
    assert!(returns_one(&["--strategy", "dise"]));
    assert!(!returns_one(&["--strategy", "dise", "--literal"]));
}

#[test]
fn suites_against_a_change() {
    let (old, new) = brake();
    let (folder, _) = folder(&[("note.txt", "no test")]);
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    let suite = folder.path().join("suite");
    let made =
        pathshift().arg("explore").arg(&old).args(["-f", "update", "--no-replay", "--suite"]).arg(&suite).output();
    assert!(made.unwrap().status.success());
    let run = |verb: &str, suite: &Path, flags: &[&str]| {
        pathshift().arg(verb).args([&old, &new]).arg("--suite").arg(suite).args(flags).output().unwrap()
    };
    let json =
        |verb: &str| -> Value { serde_json::from_slice(&run(verb, &suite, &["--format", "json"]).stdout).unwrap() };
    let coverage = json("coverage");
    let goals = coverage["goals"].as_array().unwrap();
    assert_eq!(goals.len(), 5);
    let statements = goals.iter().find(|goal| goal["goal"] == "statement").unwrap();
    assert_eq!(statements["covered"], statements["total"], "{statements}");
    // The old suite has no test with a negative position, the only inputs of a path that is new.
    let selection = json("select");
    assert_eq!(selection["selected"].as_array().unwrap().len(), 24);
    let paths = goals.iter().find(|goal| goal["goal"] == "path").unwrap();
    assert_eq!(paths["missing"].as_array().unwrap().len(), selection["added"].as_array().unwrap().len());

    for (suite, flags, message) in [
        ("empty", vec![], "no suite here"),
        ("suite", vec!["--function", "nobody"], "nobody"),
        ("nowhere", vec![], "cannot read"),
    ] {
        let output = run("coverage", &folder.path().join(suite), &flags);
        assert_eq!(output.status.code(), Some(2));
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(message), "{text}");
    }
}
