//! `pathshift diff` as users see it: what can be compared, how differences are told, what is wrong with wrong input.

use crate::support::{folder, is_same, pathshift, scratch};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn git(dir: &Path, args: &[&str]) -> String {
    let output = Command::new("git")
        .current_dir(dir)
        .args(["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main"])
        .args(args)
        .output()
        .unwrap();
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn put(dir: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = dir.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

/// A repository with a commit for each list of files.
fn repository(commits: &[&[(&str, &str)]]) -> tempfile::TempDir {
    let dir = scratch();
    git(dir.path(), &["init", "-q"]);
    for files in commits {
        put(dir.path(), files);
        git(dir.path(), &["add", "-A"]);
        git(dir.path(), &["commit", "-q", "-m", "change"]);
    }
    dir
}

fn run(dir: &Path, args: &[&str]) -> Output {
    pathshift().current_dir(dir).arg("diff").args(args).output().unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(&output.stderr)))
}

/// Verdict and region of a function of two C texts.
fn told(old: &str, new: &str, function: &str) -> String {
    let (dir, _files) = folder(&[("old.c", old), ("new.c", new)]);
    let result = json(&run(dir.path(), &["old.c", "new.c", "--function", function, "--format", "json"]));
    let row = &result["functions"][0];
    let differences = row["differences"].as_array().unwrap().iter().map(|difference| {
        let region = &difference["region"];
        let conditions: Vec<&str> = region["conditions"]
            .as_array()
            .map(|list| list.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default();
        let how = if region["exact"] == true { "iff" } else { "if" };
        let any = difference["inputs"].as_array().unwrap().iter().filter(|input| input["any"] == true);
        let any: Vec<&str> = any.filter_map(|input| input["name"].as_str()).collect();
        let kind = difference["kind"].as_str().unwrap();
        format!("{kind} {how} {}; any {}", conditions.join(" or "), any.join(" "))
    });
    let differences: Vec<String> = differences.collect();
    format!("{}: {}", row["verdict"].as_str().unwrap(), differences.join(" | "))
}

#[test]
fn differences_say_where_they_are() {
    let check = |old: &str, new: &str, expect: &str| assert_eq!(told(old, new, "f"), expect, "{old}\n{new}");
    check(
        "int f(int x, int y) { if (x > 10) return 1; return 0; }",
        "int f(int x, int y) { if (x >= 10) return 1; return 0; }",
        "different: value iff x == 10; any y",
    );
    // One change, several paths behind it, one difference.
    check(
        "int f(int x, int y) { int r = 0; if (x < 0) r = 1; if (y > 5) r += 2; return r; }",
        "int f(int x, int y) { int r = 0; if (x < -4) r = 1; if (y > 5) r += 2; return r; }",
        "different: value iff x >= -4 && x < 0; any y",
    );
    check("int f(int x) { return x + 1; }", "int f(int x) { return x + 2; }", "different: value iff ; any x");
    check(
        "int f(int x, int y) { return x / y; }",
        "int f(int x, int y) { if (y == 0) return 0; return x / y; }",
        "different: fault disappears iff y == 0; any x",
    );
    check("int f(int x) { return x * 2; }", "int f(int x) { return x + x; }", "same: ");
}

const DATABASE: &str = r#"[{"directory": "ROOT", "file": "src/a.c", "command": "cc -Iinclude -c src/a.c"},
 {"directory": "ROOT", "file": "ROOT/src/b.c", "command": "cc -IROOT/include -c ROOT/src/b.c"}]"#;

/// The list of what is built is that of the work tree, where a file has another name.
#[test]
fn files_that_no_list_names_are_not_the_same() {
    let a = "int limit(int x) { return x > 10 ? 10 : x; }\n";
    let dir = repository(&[
        &[("src/a.c", a), ("src/b.c", "int b(void) { return 1; }\n"), (".gitignore", "compile_commands.json\n")],
        &[("src/a.c", &a.replace("10", "12"))],
    ]);
    let root = dir.path().canonicalize().unwrap();
    git(&root, &["mv", "src/a.c", "src/z.c"]);
    git(&root, &["commit", "-q", "-m", "rename"]);
    let list = DATABASE.replace("src/a.c", "src/z.c").replace("ROOT", root.to_str().unwrap());
    std::fs::write(root.join("compile_commands.json"), list).unwrap();
    let output = run(&root, &["HEAD~2..HEAD~1"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("src/a.c: it changed"), "{text}");
    // A file that nothing says belongs to the program is only told.
    std::fs::write(root.join("src/other.c"), "int other(void) { return 1; }\n").unwrap();
    git(&root, &["add", "-A"]);
    git(&root, &["commit", "-q", "-m", "more"]);
    let output = run(&root, &["HEAD~1..HEAD"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("not in compile_commands.json: src/other.c"), "{text}");
}

#[test]
fn revisions_of_a_c_project() {
    let header = ("include/a.h", "#define LIMIT 3\nint clamp(int);\n");
    let a = "#include \"a.h\"\nint clamp(int x) {\n  if (x > LIMIT)\n    return LIMIT;\n  return x;\n}\n";
    let b = "#include \"a.h\"\nint twice(int x) { return clamp(x) * 2; }\nint other(int x) { return x; }\n";
    let dir = repository(&[
        &[header, ("src/a.c", a), ("src/b.c", b), (".gitignore", "compile_commands.json\n")],
        &[("src/a.c", &a.replace("x > LIMIT", "x >= LIMIT"))],
        &[("include/a.h", "#define LIMIT 4\nint clamp(int);\n")],
    ]);
    // The database is a file of the build, with the paths of this place.
    let root = dir.path().canonicalize().unwrap();
    std::fs::write(root.join("compile_commands.json"), DATABASE.replace("ROOT", root.to_str().unwrap())).unwrap();
    let before = (git(&root, &["status", "--porcelain"]), std::fs::read_dir(root.join(".git")).unwrap().count());

    let output = run(&root, &["HEAD~1", "--format", "json"]);
    let result = json(&output);
    assert_eq!(output.status.code(), Some(1), "{result:#}");
    let row = result["functions"].as_array().unwrap().iter().find(|row| row["name"] == "clamp").unwrap();
    assert_eq!(row["verdict"], "different", "{row:#}");
    assert_eq!(row["differences"][0]["new"]["line"]["file"], "src/a.c", "{row:#}");
    assert_eq!(result["unchanged"], 1);
    assert_eq!((&result["old"], &result["new"]), (&"HEAD~1".into(), &"work tree".into()));

    // The same results, proved: at the limit both return it.
    let output = run(&root, &["HEAD~2..HEAD~1"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("same       clamp"), "{text}");

    // Nothing was committed since HEAD; then something is.
    assert_eq!(run(&root, &[]).status.code(), Some(0));
    std::fs::write(root.join("src/b.c"), b.replace("return x;", "return x + 1;")).unwrap();
    let text = String::from_utf8_lossy(&run(&root, &["--function", "other"]).stdout).into_owned();
    assert!(text.contains("DIFFERENT  other"), "{text}");
    std::fs::write(root.join("src/b.c"), b).unwrap();

    let after = (git(&root, &["status", "--porcelain"]), std::fs::read_dir(root.join(".git")).unwrap().count());
    assert_eq!(before, after, "the repository is as it was");
    assert_eq!(git(&root, &["worktree", "list"]).lines().count(), 1);
}

#[test]
fn revisions_of_a_crate() {
    let manifest = "[package]\nname = \"limits\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
    let old =
        "pub fn clamp(x: i32) -> i32 {\n    if x > 100 { 100 } else { x }\n}\npub fn same(x: u8) -> u8 { x / 2 }\n";
    let dir = repository(&[
        &[("Cargo.toml", manifest), ("src/lib.rs", old), (".gitignore", "target\n")],
        &[("src/lib.rs", &old.replace("x > 100 { 100 }", "x > 100 { 99 }").replace("x / 2", "x >> 1"))],
    ]);
    let output = run(dir.path(), &["HEAD~1", "--format", "json"]);
    let result = json(&output);
    let verdict = |name: &str| {
        let rows = result["functions"].as_array().unwrap();
        let row = rows.iter().find(|row| row["name"].as_str().unwrap().ends_with(name)).unwrap();
        row["verdict"].as_str().unwrap().to_owned()
    };
    assert_eq!((verdict("clamp"), verdict("same")), ("different".to_owned(), "same".to_owned()), "{result:#}");
    assert_eq!(git(dir.path(), &["status", "--porcelain"]), "", "no lock file was left");
}

#[test]
fn wrong_operands_say_what_to_do() {
    let c = |text: &'static str| [("a.c", text)];
    let dir = repository(&[&c("int f(int x) { return x; }\n"), &c("int f(int x) { return x + ; }\n")]);
    let check = |dir: &Path, args: &[&str], code: i32, expect: &str| {
        let output = run(dir, args);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
        assert!(said.contains(expect), "{args:?}: {said}");
    };
    check(dir.path(), &["nothing", "--file", "a.c"], 2, "there is no revision `nothing`");
    check(dir.path(), &["HEAD~1"], 2, "nothing to build");
    check(dir.path(), &["a.c"], 2, "a.c is one version only");
    check(dir.path(), &["HEAD~1..HEAD", "--file", "a.c"], 4, "expected expression");
    check(dir.path(), &["HEAD~1", "--ignore", "valu"], 2, "value");
    let outside = scratch();
    check(outside.path(), &[], 2, "not in a git repository");
    check(outside.path(), &["x.c", "y.c"], 2, "no such file");
}

#[test]
fn settings_come_from_a_file() {
    let dir = scratch();
    put(
        dir.path(),
        &[
            ("old.c", "int f(int x) { return x + D; }\nint log_it(int x) { return x; }"),
            ("new.c", "int f(int x) { return x - D; }\nint log_it(int x) { return x + 1; }"),
            ("sub/empty", ""),
            ("pathshift.toml", "[build]\ncflags = \"-DD=0\"\n[diff]\nignore-functions = [\"log_*\"]\n"),
        ],
    );
    let output = run(&dir.path().join("sub"), &["../old.c", "../new.c", "--trust-config"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&output.stderr));
    // What is typed comes later.
    let output = run(dir.path(), &["old.c", "new.c", "--cflags", "-UD -DD=1"]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    put(dir.path(), &[("pathshift.toml", "[bounds]\nunwnd = 1\n")]);
    let output = run(dir.path(), &["old.c", "new.c"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("pathshift.toml:2") && said.contains("did you mean `unwind`?"), "{said}");
}

#[test]
fn forms_ignored_kinds_and_tests() {
    let (dir, _files) = folder(&[
        ("old.c", "int f(int x) {\n  if (x > 1)\n    return 5;\n  return 0;\n}\nint g(int *x) { return 0; }\n"),
        ("new.c", "int f(int x) {\n  if (x > 2)\n    return 5;\n  return 0;\n}\nint g(int x) { return 0; }\n"),
    ]);
    let text = String::from_utf8_lossy(&run(dir.path(), &["old.c", "new.c"]).stdout).into_owned();
    for expect in [
        "DIFFERENT  f  new.c:1\n  value: differs if and only if `x == 2`\n    given  x = 2\n",
        "      old  returns 5   old.c:2\n      new  returns 0   new.c:2\n",
        "        2 - if (x > 1)\n        2 + if (x > 2)\n",
        "interface  g",
        "g(int *) -> int",
    ] {
        assert!(text.contains(expect), "{expect}\n{text}");
    }
    let output = run(dir.path(), &["old.c", "new.c", "-f", "f", "--format", "markdown", "-o", "out.md"]);
    assert_eq!(output.status.code(), Some(1));
    let markdown = std::fs::read_to_string(dir.path().join("out.md")).unwrap();
    assert!(markdown.contains("| `f` | **different** | differs if and only if `x == 2` |"), "{markdown}");
    let output = run(dir.path(), &["old.c", "new.c", "-f", "f", "--ignore", "value"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("(ignored)\n  ignored: value: differs"), "{text}");
    let output = run(dir.path(), &["old.c", "new.c", "-f", "f", "--ignore-function", "f", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0));
    let row = &json(&output)["functions"][0];
    assert!(row["verdict"] == "different" && row["not_counted"] == true, "{row:#}");
    // The tests pass on the new version and one of them fails on the old one.
    run(dir.path(), &["old.c", "new.c", "-f", "f", "--suite", "suite"]);
    for (version, passes) in [("new.c", true), ("old.c", false)] {
        let program = dir.path().join("program");
        let mut clang = Command::new("clang-19");
        clang.current_dir(dir.path()).args(["-w", "-o"]).arg(&program).args([version, "suite/f/tests.c"]);
        assert!(clang.status().unwrap().success());
        assert_eq!(Command::new(&program).output().unwrap().status.success(), passes, "{version}");
    }
}

#[test]
fn what_is_ignored_does_not_hide_what_nobody_looked_at() {
    // A hundred values differ before the one path on which a global variable does.
    let text = |value: &str, last: &str| {
        let cases: String = (0..100).map(|case| format!("case {case}: return {value} + {case};\n")).collect();
        format!(
            "int g;\nint f(unsigned n) {{ switch (n) {{ {cases} case 500: g = {last}; return 0; default: return 0; }} }}\n"
        )
    };
    let (_folder, files) = folder(&[("old.c", &text("1000", "1")), ("new.c", &text("2000", "2"))]);
    let output = pathshift()
        .arg("diff")
        .args(&files)
        .args(["--no-store", "--ignore", "value", "--format", "json"])
        .output()
        .unwrap();
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(!is_same(&result["functions"][0]), "{result:#}");
}

/// A proof within bounds is a verdict of its own: in text, JSON, Markdown, the summary and the exit code, remembered or not.
#[test]
fn same_within_bounds_is_no_proof() {
    let text = |body: &str| format!("int f(const char *s, int n) {{\n{body}\n}}\nint g(int x) {{ return x; }}\n");
    let old = text("    int a = 0;\n    while (*s) { a += *s == 'a'; s++; }\n    return a + n;");
    let new = text("    int a = n;\n    for (int i = 0; s[i]; i++) if (s[i] == 'a') a++;\n    return a;");
    let (dir, files) = folder(&[("old.c", &old), ("new.c", &new)]);
    let run = |args: &[&str]| {
        let output = pathshift().current_dir(dir.path()).arg("diff").args(&files).args(args).output().unwrap();
        (String::from_utf8(output.stdout).unwrap(), output.status.code())
    };
    for _ in 0..2 {
        let (json, code) = run(&["--format", "json"]);
        let result: Value = serde_json::from_str(&json).unwrap();
        assert_eq!((&result["verdict"], code), (&Value::from("same_within_bounds"), Some(0)), "{json}");
        assert_eq!(result["functions"][0]["verdict"], "same_within_bounds", "{json}");
    }
    let (shown, _) = run(&[]);
    assert!(shown.starts_with("same within bounds f  ["), "{shown}");
    assert!(shown.contains("0 different, 0 proved the same, 1 same within bounds, 0 undecided"), "{shown}");
    let (page, _) = run(&["--format", "markdown"]);
    assert!(page.contains("| same within bounds |") && page.contains("the same within bounds**"), "{page}");
    assert_eq!(run(&["--require-proof"]).1, Some(3));
    // What holds for all inputs is a proof.
    let (_dir, files) =
        folder(&[("old.c", "int f(int x) { return x + x; }"), ("new.c", "int f(int x) { return x * 2; }")]);
    let output = pathshift().arg("diff").args(&files).args(["--no-store", "--require-proof"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
}

/// Changed lines that nothing within the bounds executes are told, whatever else is the same.
#[test]
fn a_changed_line_that_nothing_executes_is_undecided() {
    let text = |first: &str, last: &str| {
        format!(
            "int f(const char *s) {{\n    int n = 0;\n    while (s[n] != 0)\n        n++;\n    if (n > 3000)\n        return {last};\n    return {first};\n}}\n"
        )
    };
    let (_folder, files) = folder(&[("old.c", &text("n + n", "1")), ("new.c", &text("n * 2", "2"))]);
    let output = pathshift().arg("diff").args(&files).args(["--no-store", "--format", "json"]).output().unwrap();
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    let row = &result["functions"][0];
    assert!(!is_same(row), "{result:#}");
    if row["verdict"] == "undecided" {
        let lines: Vec<&Value> = row["undecided"].as_array().unwrap().iter().map(|item| &item["line"]).collect();
        assert!(lines.contains(&&Value::from(6)), "{result:#}");
    }
}

#[test]
fn what_no_input_within_the_bounds_gets_to_is_undecided() {
    // Strings of eight characters are looked at.
    let text = |value: &str| {
        format!(
            "int f(const char *s) {{\n    int n = 0;\n    while (s[n] != 0)\n        n++;\n    if (n > 3000)\n        return {value};\n    return n;\n}}\n"
        )
    };
    let (_folder, files) = folder(&[("old.c", &text("1")), ("new.c", &text("2"))]);
    let output = pathshift().arg("diff").args(&files).args(["--no-store", "--format", "json"]).output().unwrap();
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(!is_same(&result["functions"][0]), "{result:#}");
}

#[test]
fn a_pointer_may_lead_to_a_variable_that_is_only_written() {
    // `g` is the same unless its pointer leads to `shared`, and that is what its caller gives it.
    let text = |body: &str| {
        format!("int shared;\nint g(int *a) {{ {body} return *a; }}\nint f(void) {{ return g(&shared); }}\n")
    };
    let (_folder, files) = folder(&[("old.c", &text("*a = 1; shared = 2;")), ("new.c", &text("shared = 2; *a = 1;"))]);
    let output = pathshift().arg("diff").args(&files).args(["--no-store", "--format", "json"]).output().unwrap();
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    for function in result["functions"].as_array().unwrap() {
        match function["name"].as_str().unwrap() {
            "g" => assert_eq!(function["scope"][0], "pointers of the input do not alias", "{result:#}"),
            _ => assert_eq!(function["verdict"], "different", "{result:#}"),
        }
    }
}

/// What only inputs outside of those that are looked at can show is never called the same for all of them: pointers that
/// lead to where another one does, long strings and lists, memory before that of a pointer. With and without a loop.
#[test]
fn no_proof_leaves_out_the_inputs_that_matter() {
    let rounds = "for (int i = 0; i < x; i++) n += i;";
    let ten: Vec<String> = (0..10).map(|at| format!("s[{at}]")).collect();
    let cases = [
        ("int shared; int g(int *p) { return 0; }", "int *p", "p == &shared", "f(&shared, x)"),
        ("int other(int x);", "int (*p)(int)", "p == other", "f(other, x)"),
        ("", "int *p, int *q", "p && p == q", "f(&x, &x, x)"),
        ("", "const char *s", &ten.join(" && "), "f(\"0123456789abc\", x)"),
        ("struct n { struct n *next; };", "struct n *p", "p->next->next->next->next->next->next", "0"),
        ("", "int *p", "p[-1] == 7", "0"),
    ];
    for (before, params, condition, call) in cases {
        for body in ["", rounds] {
            let text = |value: &str| {
                format!(
                    "{before}\nint f({params}, int x) {{\nint n = 0;\n{body}\nif ({condition})\nreturn {value};\nreturn n;\n}}\n\
                     int caller(int x) {{ return {call}; }}\n"
                )
            };
            let (_folder, files) = folder(&[("old.c", &text("n + 1")), ("new.c", &text("n + 2"))]);
            let args = ["--no-store", "--format", "json", "--timeout", "5"];
            let output = pathshift().arg("diff").args(&files).args(args).output().unwrap();
            let result: Value = serde_json::from_slice(&output.stdout).unwrap();
            for row in result["functions"].as_array().unwrap() {
                assert!(!is_same(row), "{condition} {body}: {row:#}");
            }
        }
    }
}

/// Values have the types of the source, and only what differs of something large is told.
#[test]
fn outcomes_are_told_in_words_of_the_source() {
    let check = |old: &str, new: &str, expect: [&str; 2]| {
        let (dir, _files) = folder(&[("old.c", old), ("new.c", new)]);
        let args = ["old.c", "new.c", "--no-store", "--format", "json", "--cflags=-std=gnu89"];
        let result = json(&run(dir.path(), &args));
        let difference = &result["functions"][0]["differences"][0];
        let outcomes = ["old", "new"].map(|side| difference[side]["outcome"].as_str().unwrap_or_default());
        assert_eq!(outcomes, expect, "{result:#}");
        difference.clone()
    };
    check(
        "double frac; void f(int x) { frac = x ? 0.5 : 2; }",
        "double frac; void f(int x) { frac = x ? 0.75 : 2; }",
        ["returns, frac = 0.5", "returns, frac = 0.75"],
    );
    check(
        "struct q { int length, kind; } queue[8]; void f(int i) { queue[3].length++; }",
        "struct q { int length, kind; } queue[8]; void f(int i) { }",
        ["returns, queue[3].length = 1", "returns, queue as before"],
    );
    check(
        "struct n { struct n *next; int v; }; void f(struct n *p) { if (p->next) p->v = 0; }",
        "struct n { struct n *next; int v; }; void f(struct n *p) { if (p->next) { p->v = 0; p->next = 0; } }",
        ["returns, p->next as before", "returns, p->next = NULL"],
    );
    let named = check(
        "int f(ratio, n) float ratio; int n; { return ratio > 2.0f; }",
        "int f(ratio, n) float ratio; int n; { return ratio > 3.0f; }",
        ["returns 1", "returns 0"],
    );
    assert_eq!(named["inputs"][0]["name"], "ratio", "{named:#}");
}

/// A bound that matters in several lines, and in both versions, is said once.
#[test]
fn a_scope_says_each_fact_once() {
    let old = "int f(const char *s, int i) {\n if (s[i] == 'a') return 1;\n return s[i + 1] == 'b';\n}";
    let new = "int f(const char *s, int i) {\n if ('a' == s[i])\n  return 1;\n return 'b' == s[i + 1];\n}";
    let (dir, _files) = folder(&[("old.c", old), ("new.c", new)]);
    let result = json(&run(dir.path(), &["old.c", "new.c", "--no-store", "--format", "json"]));
    let scope: Vec<&str> =
        result["functions"][0]["scope"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let mut facts: Vec<&str> = scope.iter().map(|what| what.split(" (").next().unwrap_or_default()).collect();
    facts.sort_unstable();
    let all = facts.len();
    facts.dedup();
    assert_eq!(facts.len(), all, "{scope:?}");
}

/// Functions of every kind in one module: different, proved the same, a program's own start, one that asks the outside.
const MANY: &str = "
extern int ask(int);
static int count;
static int half(int x) { return x / 2; }
static int twice(int x) { return x + x; }
int before(const char *text) { return text[0] == '-' ? -1 : 0; }
int through(int x) { return half(x) + 1; }
int asks(int x) { return ask(x) > 3; }
int counts(int x) { if (x > 7) count++; return count; }
int main(int argc, char **argv) { return argc > 1 ? before(argv[1]) & 3 : twice(argc); }
";

#[test]
fn several_functions_at_once_say_the_same_as_one_after_the_other() {
    let new = MANY
        .replace("x / 2", "x >> 1")
        .replace("x + x", "x << 1")
        .replace("'-'", "'+'")
        .replace("> 3", ">= 3")
        .replace("> 7", ">= 7");
    let (dir, _files) = folder(&[("old.c", MANY), ("new.c", &new)]);
    let told = |jobs: &str| {
        let mut result = json(&run(dir.path(), &["old.c", "new.c", "--format", "json", "--no-store", "--jobs", jobs]));
        for row in result["functions"].as_array_mut().unwrap() {
            row["stats"] = Value::Null;
        }
        result
    };
    let one = told("1");
    assert_eq!(one, told("3"));
    let verdicts: Vec<(&str, &str)> = one["functions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["name"].as_str().unwrap(), row["verdict"].as_str().unwrap()))
        .collect();
    let different = ["half", "before", "through", "asks", "counts", "main"];
    for (name, verdict) in &verdicts {
        let expect = if different.contains(name) { "different" } else { "same" };
        assert_eq!(*verdict, expect, "{name}");
    }
    assert_eq!(verdicts.len(), 7, "{verdicts:?}");
}

/// Two units that have the same names for their own things. `first` makes the strings behind it numbered otherwise.
fn namesakes(first: &str, limit: &str) -> Vec<(&'static str, String)> {
    // The same in both versions, but hard to prove: then inputs are tried.
    let hard = if limit == "5" { "x == y + 1" } else { "x / (y | 1) * (y | 1) + x % (y | 1) == y + 1" };
    let unit = |prefix: &str, strings: &str, limit: &str| {
        format!(
            "static int count;
             static int step(int by) {{ count += by; return count > {limit}; }}
             int {prefix}_next(int by) {{ return step(by); }}
             const char *{prefix}_first(int x) {{ return x > 3 ? {strings} : \"none\"; }}
             const char *{prefix}_kind(int x) {{ return x * x == 49 ? \"global\" : x % 7 == 3 ? \"field\" : \"other\"; }}
             const char *{prefix}_hard(unsigned long x, unsigned long y) {{ return {hard} ? \"other\" : \"field\"; }}"
        )
    };
    let command = |name: &str| format!(r#"{{"directory": ".", "file": "{name}", "command": "cc -c {name}"}}"#);
    vec![
        ("one.c", unit("one", first, "3")),
        ("two.c", unit("two", first, limit)),
        ("compile_commands.json", format!("[{}, {}]", command("one.c"), command("two.c"))),
    ]
}

#[test]
fn units_may_have_the_same_names_for_their_own_things() {
    let dir = scratch();
    for (version, first, limit) in [("old", "\"a\"", "5"), ("new", "x > 9 ? \"b\" : x > 7 ? \"c\" : \"a\"", "6")] {
        let files = namesakes(first, limit);
        let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
        put(&dir.path().join(version), &files);
    }
    let result = json(&run(dir.path(), &["old", "new", "--format", "json", "--no-store"]));
    let rows = result["functions"].as_array().unwrap();
    let verdict = |name: &str| {
        rows.iter().find(|row| row["name"] == name).map_or("untouched", |row| row["verdict"].as_str().unwrap())
    };
    for (name, expect) in [
        ("one_first", "different"),
        ("one_next", "untouched"),
        ("one_kind", "untouched"),
        ("two_next", "different"),
        ("two_first", "different"),
        ("two_kind", "untouched"),
    ] {
        assert_eq!(verdict(name), expect, "{name}: {rows:#?}");
    }
    for name in ["one_hard", "two_hard"] {
        assert!(matches!(verdict(name), "undecided" | "same" | "same_within_bounds"), "{name}: {rows:#?}");
    }
    let next = rows.iter().find(|row| row["name"] == "two_next").unwrap();
    let inputs = next["differences"][0]["inputs"].as_array().unwrap();
    assert!(inputs.iter().any(|input| input["name"].as_str().unwrap().starts_with("count")), "{next:#?}");
}
