//! `explore --since`, `coverage` and `select` as a user runs them.

use crate::support::{clang, data, explored, folder, full, must_run, pathshift};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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

/// No paths is an answer, and says so.
#[test]
fn a_change_that_affects_nothing() {
    let old = "int f(int x) { return x > 3; } int g(int x) { return x + 1; }";
    let (_folder, files) = folder(&[("old.c", old), ("new.c", &old.replace("x + 1", "x + 2"))]);
    let text = |flags: &[&str]| {
        let mut explore = pathshift();
        explore.arg("explore").arg(&files[1]).arg("--since").arg(&files[0]).args(flags);
        String::from_utf8(explore.output().unwrap().stdout).unwrap()
    };
    let said = "0 paths, 0 faults\n  no path in this scope has anything affected that was asked for\n";
    assert!(text(&["-f", "f"]).contains(said), "{}", text(&["-f", "f"]));
    // The papers' own search cannot know.
    let literal = text(&["-f", "f", "--strategy", "dise", "--literal"]);
    assert!(literal.contains("0 paths") && !literal.contains("no path in"), "{literal}");
    assert!(!text(&["-f", "g"]).contains("no path in"), "{}", text(&["-f", "g"]));
}

/// The smallest program on which the papers' search loses affected behaviour.
#[test]
fn skipping_keeps_what_pinning_loses() {
    let old =
        "int f(int x, int y) { int u = 0; if (y > 0) u = 1; x = x + 2;\n if (x > 3 && y < 0) return 1; return 0; }";
    let (_folder, files) = folder(&[("old.c", old), ("new.c", &old.replace("x + 2", "x + 1"))]);
    let returns_one = |flags: &[&str]| {
        let result = directed(&files[0], &files[1], "f", flags);
        result["paths"].as_array().unwrap().iter().any(|path| path["outcome"]["words"] == "returns 1")
    };
    assert!(returns_one(&["--strategy", "dise"]));
    assert!(!returns_one(&["--strategy", "dise", "--literal"]));
}

#[test]
fn suites_against_a_change() {
    let (old, new) = brake();
    let (folder, _) = folder(&[("note.txt", "no test")]);
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    for (name, text) in [("broken.ktest", "KTESX0000"), ("lines", "1 2\n1 | 2\n"), ("redirected", "< nowhere\n")] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
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
    // Counted by hand: each affected line has one statement; all but 8 and 15 are blocks of their own.
    for (goal, count) in [("statement", 11), ("block", 11), ("branch", 8)] {
        let found = goals.iter().find(|found| found["goal"] == goal).unwrap();
        assert_eq!((&found["covered"], &found["total"]), (&count.into(), &count.into()), "{found}");
    }
    // The old suite has no test with a negative position, the only inputs of a path that is new.
    let selection = json("select");
    assert_eq!(selection["selected"].as_array().unwrap().len(), 24);
    let paths = goals.iter().find(|goal| goal["goal"] == "path").unwrap();
    assert_eq!(paths["missing"].as_array().unwrap().len(), selection["added"].as_array().unwrap().len());

    for (suite, flags, message) in [
        ("empty", vec![], "no suite here"),
        ("suite", vec!["--function", "nobody"], "nobody"),
        ("nowhere", vec![], "cannot read"),
        ("broken.ktest", vec!["--function", "update"], "this is no .ktest file"),
        ("note.txt", vec![], "this one has no `main`"),
        ("note.txt", vec!["--function", "update"], "the suite tests `main`, not `update`"),
        ("lines", vec![], "lines:2: `|` joins several commands"),
        ("redirected", vec![], "`--cwd DIR` says where the tests run"),
    ] {
        let output = run("coverage", &folder.path().join(suite), &flags);
        assert_eq!(output.status.code(), Some(2));
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(message), "{text}");
    }
}

/// Threads and goals leave the paths what they are, and goals need fewer.
#[test]
fn threads_and_goals() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/altitude_switch");
    let (old, new) = (folder.join("base.c"), folder.join("v03.c"));
    let result = |flags: &[&str]| directed(&old, &new, "step", &[&["--no-replay"], flags].concat());
    for strategy in ["dise", "idise"] {
        let [one, two] = ["1", "2"].map(|jobs| result(&["--strategy", strategy, "--jobs", jobs]));
        assert_eq!(one["paths"].to_string(), two["paths"].to_string());
        assert_eq!(one["undecided"], two["undecided"]);
    }
    let executed = |result: &Value| result["stats"]["instructions"].as_u64().unwrap();
    let (all, branches) = (result(&[]), result(&["--goal", "branch"]));
    assert!(executed(&branches) * 4 < executed(&all), "{} of {}", executed(&branches), executed(&all));
}

/// Edits of a calculator; some change nothing, some only what a rare input shows.
const EDITS: [(&str, &str); 19] = [
    ("t->value * 10", "t->value * 8"),
    ("push(a - b)", "push(b - a)"),
    ("push(0);\n        } else", "push(1);\n        } else"),
    ("vars[0] = pop();", "vars[1] = pop();"),
    ("{0, 1, 2, 3, 4}", "{4, 3, 2, 1, 0}"),
    ("n < 7", "n < 2"),
    ("+-*/=!", "+-*/="),
    ("errors++;", "if (errors < 2) errors++;"),
    ("depth >= 8", "depth >= 2"),
    ("stack[depth++] = v;", "stack[depth] = v; depth = depth + 1;"),
    ("return 0;\n    }\n    return stack", "return 1;\n    }\n    return stack"),
    ("push(-a);", "push(~a);"),
    ("errors == 0", "errors <= 1"),
    ("push(a * b)", "push(b * a)"),
    ("return counts[b] - counts[a];", "return counts[a] - counts[b];"),
    ("return a - b;", "return b - a;"),
    ("trace_on = 1;", "trace_on = !trace_on;"),
    ("errors > 3 ? 2 :", "errors > 2 ? 2 :"),
    ("shown > 0", "shown > 1"),
];

const INPUTS: [&str; 14] = [
    "3 4 + =\\n",
    "12 5 - =",
    "7 0 / =\\n8 2 / =",
    "1 2 3 4 5 6 7 8 9 =",
    "on + on ? =",
    "5 set a a * =",
    "abcdefghij set",
    "9 ! =\\n\\n",
    "",
    "? ? ? ?",
    "1 = 2 = 3",
    "on 4 set b =",
    "10 20 30 - * =",
    "=\\n= 1",
];

/// No test whose output or exit code differs between two native builds is left out.
#[test]
fn selection_drops_no_regression() {
    let base = std::fs::read_to_string(data("calculator.c")).unwrap();
    let (folder, files) = folder(&[("base.c", &base)]);
    let suite = folder.path().join("suite");
    must_run(pathshift().arg("explore").arg(&files[0]).args(["-f", "main", "--no-replay", "--suite"]).arg(&suite));
    let written = std::fs::read_to_string(suite.join("tests.txt")).unwrap();
    let head = written.split_inclusive("--\n").next().unwrap().to_owned();
    let tests = INPUTS.map(|input| format!("argv[\"program\"] stdin=\"{input}\" -> 0\n"));
    std::fs::write(suite.join("tests.txt"), head + &tests.concat()).unwrap();
    let before = outputs(&files[0]);
    let (mut regressions, mut skipped) = (0, 0);
    for (from, to) in EDITS.iter().take(if full() { EDITS.len() } else { 5 }) {
        assert!(base.contains(from), "{from}");
        let new = folder.path().join("new.c");
        std::fs::write(&new, base.replacen(from, to, 1)).unwrap();
        let after = outputs(&new);
        let differ: BTreeSet<String> =
            (0..INPUTS.len()).filter(|&at| before[at] != after[at]).map(|at| (at + 1).to_string()).collect();
        let output = pathshift()
            .arg("select")
            .args([&files[0], &new])
            .arg("--suite")
            .arg(&suite)
            .args(["--format", "json", "--timeout", "1"])
            .output()
            .unwrap();
        let selection: Value = serde_json::from_slice(&output.stdout).unwrap();
        let left_out = selection["skipped"].as_array().unwrap();
        for test in left_out {
            assert!(!differ.contains(test["test"].as_str().unwrap()), "{from} -> {to} drops {test}");
        }
        regressions += differ.len();
        skipped += left_out.len();
    }
    assert!(regressions > 5 && skipped > 20, "{regressions} regressions, {skipped} tests left out");
}

/// Edits of a program that has arguments, standard input and files; the last one changes what runs before `main`.
const LEDGER_EDITS: [(&str, &str); 9] = [
    ("amount > limit", "amount >= limit"),
    ("limit = 1000", "limit = 900"),
    ("e->next = entries;\n    entries = e;", "e->next = 0;\n    entries = e;"),
    ("reverse = 1", "reverse = 2"),
    ("turned = entries;\n", "turned = next ? entries : turned;\n"),
    ("return 2;", "return 3;"),
    ("line[0] == '#' ||", "line[0] == ';' ||"),
    ("rate = 1.0;\n    fclose", "rate = 2.0;\n    fclose"),
    ("started = 1;", "started = 0;"),
];

const UNIVERSE: [&str; 14] = [
    "",
    "in/few",
    "< in/few",
    "-r in/few",
    "-r < in/many",
    "-l 5 in/few",
    "-l 1000 < in/few",
    "-l 7 -r 'in/with space'",
    "in/none",
    "-l",
    "\"in/with space\" > out",
    "in/odd # the last line has no amount",
    "-r in/odd",
    "< in/empty",
];

/// The tests of a whole program, one command line each.
#[test]
fn universes_of_command_lines() {
    let base = std::fs::read_to_string(data("ledger.c")).unwrap();
    let (folder, files) = folder(&[("base.c", &base)]);
    let cwd = folder.path().join("tests");
    std::fs::create_dir_all(cwd.join("in")).unwrap();
    for (name, text) in [
        ("in/few", "a 5\nb 7\na 1000\n"),
        ("in/many", "x 1\ny 2\n\n# no\nz 3\nx 4\nlongernamethanfits 1\n"),
        ("in/with space", "q 7\nr 8\n"),
        ("in/odd", "; b 3\na 950\nb\n"),
        ("in/empty", ""),
        ("rates.txt", "1.5"),
    ] {
        std::fs::write(cwd.join(name), text).unwrap();
    }
    std::fs::write(cwd.join("universe"), UNIVERSE.join("\n")).unwrap();
    let run = |binary: &Path| -> Vec<_> {
        let shell = |line: &&str| {
            let line = format!("'{}' {}", binary.display(), line);
            let output = Command::new("sh").args(["-c", &line]).current_dir(&cwd).stdin(Stdio::null()).output();
            let output = output.unwrap();
            (output.status.code(), output.stdout, output.stderr)
        };
        UNIVERSE.iter().map(shell).collect()
    };
    let build = |source: &Path| {
        let binary = source.with_extension("bin");
        must_run(clang(19, &["-O0", "-o"]).arg(&binary).arg(source));
        binary
    };
    let before = run(&build(&files[0]));
    let (mut regressions, mut skipped) = (0, 0);
    for (from, to) in LEDGER_EDITS {
        assert!(base.contains(from), "{from}");
        let new = folder.path().join("new.c");
        std::fs::write(&new, base.replacen(from, to, 1)).unwrap();
        let after = run(&build(&new));
        let mut select = pathshift();
        select.arg("select").args([&files[0], &new]).arg("--suite").arg(cwd.join("universe"));
        let output = select.args(["--format", "json", "--timeout", "0.2"]).output().unwrap();
        let selection: Value = serde_json::from_slice(&output.stdout).unwrap();
        let names = |list: &str| -> BTreeSet<usize> {
            let rows = selection[list].as_array().unwrap().iter();
            rows.map(|row| row["test"].as_str().unwrap().parse().unwrap()).collect()
        };
        let (selected, left_out) = (names("selected"), names("skipped"));
        // The first line is empty: no test.
        assert_eq!(selected.len() + left_out.len(), UNIVERSE.len() - 1);
        for row in selection["selected"].as_array().unwrap() {
            let line: usize = row["test"].as_str().unwrap().parse().unwrap();
            // What goes to a file is not among the outputs here.
            if UNIVERSE[line - 1].contains('>') {
                continue;
            }
            assert_eq!(row["differs"], before[line - 1] != after[line - 1], "{from} -> {to}: {}", UNIVERSE[line - 1]);
        }
        let dropped = left_out.iter().find(|line| before[*line - 1] != after[*line - 1]);
        assert_eq!(dropped.map(|line| UNIVERSE[line - 1]), None, "{from} -> {to}");
        regressions += selected.iter().filter(|line| before[*line - 1] != after[*line - 1]).count();
        skipped += left_out.len();
    }
    assert!(regressions > 20 && skipped > 30, "{regressions} regressions, {skipped} tests left out");

    let few = |flags: &[&str]| -> Value {
        let mut coverage = pathshift();
        coverage.arg("coverage").args([&files[0], &folder.path().join("new.c")]).arg("--suite").arg(cwd.join("in"));
        let output = coverage.args(["--format", "json", "--timeout", "0.2"]).args(flags).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    };
    for flags in [&[][..], &["--argv", "-r", "--argv", "@@"]] {
        let coverage = few(flags);
        assert_eq!(coverage["tests"], 5);
        assert!(coverage["goals"][0]["covered"].as_u64().unwrap() > 0, "{coverage}");
    }
}

/// A harness for KLEE: the tests say what it makes up. Only the test that takes the changed way is selected, although the
/// value goes through a place that all tests pass.
#[test]
fn tests_of_a_harness() {
    let old = "void klee_make_symbolic(void *, unsigned long, const char *);
int f(int x, int y) { if (x > 10) return y + 1; if (y == 3) return 7; return 0; }
int main(void) {
  int x, y;
  klee_make_symbolic(&x, sizeof x, \"x\");
  klee_make_symbolic(&y, sizeof y, \"y\");
  return f(x, y) & 1;
}
";
    let (folder, files) = folder(&[("old.c", old)]);
    let tests = folder.path().join("ktests");
    let mut explore = pathshift();
    must_run(explore.arg("explore").arg(&files[0]).args(["-f", "main", "--no-replay", "--ktest"]).arg(&tests));
    for (from, to, expect) in [("return 7", "return 9", "y == 3"), ("y + 1", "y + 2", "x > 10")] {
        let new = folder.path().join("new.c");
        std::fs::write(&new, old.replace(from, to)).unwrap();
        let mut select = pathshift();
        select.arg("select").args([&files[0], &new]).arg("--suite").arg(&tests).args(["--format", "json"]);
        let selection: Value = serde_json::from_slice(&select.output().unwrap().stdout).unwrap();
        let count = |list: &str| selection[list].as_array().unwrap().len();
        assert_eq!((count("selected"), count("skipped")), (1, 2), "{expect}: {selection}");
    }
}

/// Versions with nothing in common, and versions without debug info.
#[test]
fn odd_versions_against_a_suite() {
    let (folder, files) = folder(&[
        ("old.c", "int f(int x) { return x > 3 ? x : 0; }\n"),
        ("new.c", "int f(int x) { return x > 4 ? x : 0; }\n"),
        ("other.c", "int g(char *s) { return s[0] + 1; }\n"),
    ]);
    let suite = folder.path().join("suite");
    must_run(pathshift().arg("explore").arg(&files[0]).args(["-f", "f", "--no-replay", "--suite"]).arg(&suite));
    let run = |verb: &str, old: &Path, new: &Path| {
        let mut command = pathshift();
        command.arg(verb).args([old, new]).arg("--suite").arg(&suite).args(["--format", "json"]).output().unwrap()
    };
    for verb in ["coverage", "select"] {
        let output = run(verb, &files[0], &files[2]);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8(output.stderr).unwrap().contains("`f`"));
    }
    // A function that is new: all tests have to run.
    let selection: Value = serde_json::from_slice(&run("select", &files[2], &files[0]).stdout).unwrap();
    assert_eq!(selection["selected"].as_array().unwrap().len(), 2);
    let bare = ["old", "new"].map(|name| {
        let to = folder.path().join(format!("{name}.ll"));
        must_run(clang(19, &["-O0", "-S", "-emit-llvm", "-o"]).arg(&to).arg(folder.path().join(format!("{name}.c"))));
        to
    });
    let coverage: Value = serde_json::from_slice(&run("coverage", &bare[0], &bare[1]).stdout).unwrap();
    let statements = &coverage["goals"][0];
    assert!(statements["total"].as_u64().unwrap() > 1 && statements["covered"].as_u64().unwrap() > 1, "{coverage}");
    let note = coverage["notes"][0].as_str().unwrap();
    assert!(note.contains("no debug info"), "{note}");
}

/// Exit code and output of a program for each input.
fn outputs(source: &Path) -> Vec<(Option<i32>, Vec<u8>)> {
    let binary = source.with_extension("bin");
    must_run(clang(19, &["-O0", "-o"]).arg(&binary).arg(source));
    let run = |input: &&str| {
        let mut child = Command::new(&binary).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.replace("\\n", "\n").as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        (output.status.code(), output.stdout)
    };
    INPUTS.iter().map(run).collect()
}

/// A test that fails in one version only does something else there, whatever a build does behind the fault; it comes first.
#[test]
fn new_faults_are_new_behaviour() {
    let old = "#include <stdio.h>\n#include <string.h>
        int main(int argc, char **argv) {
            char *at = argc > 1 ? strchr(argv[1], '=') : 0;
            if (!at) { puts(\"none\"); return 1; }
            puts(at + 1);
            return 0;
        }";
    let (folder, files) = folder(&[("old.c", old), ("new.c", &old.replace("if (!at)", "if (argc < 2)"))]);
    let universe = folder.path().join("universe");
    std::fs::write(&universe, "a=1\nplain\nb=\n").unwrap();
    let check = |versions: [&PathBuf; 2]| {
        let mut select = pathshift();
        select.arg("select").args(versions).arg("--suite").arg(&universe).args(["--timeout", "0.2"]);
        let text = String::from_utf8(select.output().unwrap().stdout).unwrap();
        assert!(text.contains("(1 do something else now)"), "{text}");
        let selection: Value =
            serde_json::from_slice(&select.args(["--format", "json"]).output().unwrap().stdout).unwrap();
        let rows = selection["selected"].as_array().unwrap().iter().map(|row| (&row["test"], &row["differs"]));
        let rows: Vec<_> = rows.collect();
        assert_eq!(rows[0], (&Value::from("2"), &Value::from(true)), "{selection:#}");
        assert!(rows[1..].iter().all(|(_, differs)| **differs == false), "{selection:#}");
    };
    check([&files[0], &files[1]]);
    check([&files[1], &files[0]]);
}
