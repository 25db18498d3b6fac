//! `pathshift explore` and `pathshift diff` as a user runs them: known path counts, every path replayed, the same bytes whatever the number of jobs, verdicts on pairs whose truth is known.

use crate::support::{explored, folder, is_same, pathshift};
use serde_json::Value;
use std::path::Path;

fn count(source: &str, function: &str, expect: usize) {
    let (_folder, files) = folder(&[("t.c", source)]);
    let result = explored(&files[0], function, &[]);
    let paths = result["paths"].as_array().unwrap();
    assert_eq!(paths.len(), expect, "{source}");
    for path in paths {
        assert_eq!(path["replayed"], "yes", "{path}");
    }
}

#[test]
fn known_counts_and_all_paths_replay() {
    let brake = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/brake/new.c");
    let result = explored(&brake, "update", &[]);
    assert_eq!(result["paths"].as_array().unwrap().len(), 24);
    count(
        "int mid(int x, int y, int z) { int m = z; if (y < z) { if (x < y) m = y; else if (x < z) m = x; }
         else { if (x > y) m = y; else if (x > z) m = x; } return m; }",
        "mid",
        6,
    );
    count(
        "int a[5]; void sort(void) { for (int i = 0; i < 4; i++) for (int j = 0; j < 4 - i; j++)
         if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; } }",
        "sort",
        120,
    );
    // Floats that are no unsigned numbers become what the machine makes of them.
    count("unsigned long f(double x, float y) { if (x < 0) return x; if (y < -3) return y; return 1; }", "f", 4);
}

#[test]
fn the_same_bytes_twice_and_with_two_jobs() {
    let source = "int f(const char *s, int n) { int k = 0; for (int i = 0; s[i]; i++) if (s[i] == n) k++; return k; }";
    let (_folder, files) = folder(&[("t.c", source)]);
    let run = |jobs: &str| {
        let output = pathshift()
            .arg("explore")
            .arg(&files[0])
            .args(["-f", "f", "--format", "csv", "--no-replay", "-j", jobs, "--string", "5"])
            .output()
            .unwrap();
        output.stdout
    };
    let first = run("1");
    assert!(first.len() > 1000);
    assert_eq!(first, run("1"));
    assert_eq!(first, run("2"));
}

/// Pairs of versions and the truth about them.
const PAIRS: &[(&str, &str, &str)] = &[
    // Variables that no version defines, or only one has, and memory that others use: never the same without a proof.
    ("different", "extern int g; void f(int v) { g = v; }", "extern int g; void f(int v) { g = v + 1; }"),
    // What the outside is given: order, memory, functions that it may call; variables whose size nobody knows.
    (
        "different",
        "void a(int); void b(int); void f(int v) { a(v); b(v); }",
        "void a(int); void b(int); void f(int v) { b(v); a(v); }",
    ),
    (
        "different",
        "void send(char *); void f(void) { char b[1]; b[0] = 1; send(b); }",
        "void send(char *); void f(void) { char b[1]; b[0] = 2; send(b); }",
    ),
    (
        "same",
        "void send(char *); void f(int v) { char b[2]; b[0] = v; b[1] = 3; send(b); }",
        "void send(char *); void f(int v) { char b[2]; b[1] = 1 + 2; b[0] = v; send(b); }",
    ),
    (
        "undecided",
        "extern int t[]; int f(int i) { return t[i & 3]; }",
        "extern int t[]; int f(int i) { return t[i % 4]; }",
    ),
    ("same", "extern int g; void f(int v) { g = v + 1; }", "extern int g; void f(int v) { g = 1 + v; }"),
    (
        "undecided",
        "int count; void f(int v) { count = count + v * 3; }",
        "long zebra[4]; void f(int v) { zebra[1] = 7; }",
    ),
    ("undecided", "int f(int v) { return v; }", "static int calls; int f(int v) { calls++; return v; }"),
    (
        "undecided",
        "volatile int reg; int f(void) { int a = reg; int b = reg; return a - b; }",
        "volatile int reg; int f(void) { return 0; }",
    ),
    ("undecided", "int f(int v) { return v; } int k(void) { return 1; }", "int f(int v) { return v; }"),
    ("same", "static int k(int v) { return v + 1; } int f(int v) { return k(v); }", "int f(int v) { return v + 1; }"),
    ("same", "int f(int x) { return x * 5; }", "int f(int x) { return (x << 2) + x; }"),
    ("different", "int f(int x) { return x * 5; }", "int f(int x) { return (x << 2) + x + (x == 1234567); }"),
    ("same", "unsigned f(unsigned x) { return x % 8; }", "unsigned f(unsigned x) { return x & 7; }"),
    ("different", "int f(int x) { return x % 8; }", "int f(int x) { return x & 7; }"),
    (
        "same",
        "int f(int *p) { return p[0] + p[1]; }",
        "int f(int *p) { int s = 0; for (int i = 0; i < 2; i++) s += p[i]; return s; }",
    ),
    ("different", "int g; void f(int v) { g = v; }", "int g; void f(int v) { if (v != 7) g = v; }"),
    ("different", "int f(int a, int b) { return b ? a / b : 0; }", "int f(int a, int b) { return a / b; }"),
    (
        "same_within_bounds",
        "int f(const char *s) { int n = 0; while (*s) { n += *s == 'a'; s++; } return n; }",
        "int f(const char *s) { int n = 0; for (int i = 0; s[i]; i++) if (s[i] == 'a') n++; return n; }",
    ),
    (
        "different",
        "struct p { int x, y; }; void f(struct p *a) { a->x = 1; a->y = 2; }",
        "struct p { int x, y; }; void f(struct p *a) { a->x = 1; a->y = a->x > 1; }",
    ),
    (
        "same",
        "#include <stdio.h>\nvoid f(int x) { if (x) printf(\"yes\\n\"); else printf(\"no\\n\"); }",
        "#include <stdio.h>\nvoid f(int x) { puts(x ? \"yes\" : \"no\"); }",
    ),
    (
        "different",
        "#include <stdio.h>\nvoid f(int x) { printf(\"%d\\n\", x); }",
        "#include <stdio.h>\nvoid f(int x) { printf(\"%u\\n\", x); }",
    ),
];

#[test]
fn verdicts_on_pairs_whose_truth_is_known() {
    for (truth, old, new) in PAIRS {
        let (_folder, files) = folder(&[("old.c", old), ("new.c", new)]);
        let output = pathshift().arg("diff").args(&files).args(["--format", "json"]).output().unwrap();
        let result: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(&output.stderr)));
        assert_eq!(result["verdict"], *truth, "{old}\n{new}\n{result}");
        assert_eq!(
            output.status.code(),
            Some(match *truth {
                "same" | "same_within_bounds" => 0,
                "different" => 1,
                _ => 3,
            })
        );
        for function in result["functions"].as_array().unwrap() {
            let confirmed = |difference: &Value| difference["replayed"] == true;
            let is_different = function["verdict"] == "different";
            assert!(!is_different || function["differences"].as_array().unwrap().iter().all(confirmed), "{function}");
        }
    }
}

/// The comparison that an outside function gets is another one.
#[test]
fn a_changed_callback_is_no_proof() {
    let version = |order: &str| {
        format!(
            "#include <stdlib.h>\nstatic int c(const void *a, const void *b) {{ return {order}; }}\n\
             void f(int *p) {{ qsort(p, 3, 4, c); }}"
        )
    };
    let (_folder, files) =
        folder(&[("old.c", &version("*(int *)a - *(int *)b")), ("new.c", &version("*(int *)b - *(int *)a"))]);
    let output = pathshift().arg("diff").args(&files).args(["-f", "f", "--format", "json"]).output().unwrap();
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(!is_same(&result), "{result}");
}

#[test]
fn wrong_names_are_told() {
    let (_folder, files) = folder(&[("t.c", "int parse(int x) { return x; }")]);
    let output = pathshift().arg("explore").arg(&files[0]).args(["-f", "prase"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("parse"));
}

#[test]
fn tests_are_written_in_every_form_and_hold() {
    let source = "#include <string.h>\nint f(const char *s, int n) { return strlen(s) > 2 && n == 7 ? s[0] : n / 2; }";
    let (folder, files) = folder(&[("t.c", source)]);
    let at = |name: &str| folder.path().join(name);
    let output = pathshift()
        .arg("explore")
        .arg(&files[0])
        .args(["-f", "f", "--string", "3", "--no-replay"])
        .arg("--suite")
        .arg(at("suite"))
        .arg("--ktest")
        .arg(at("ktest"))
        .arg("--emit")
        .arg(at("tests.c"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let paths = String::from_utf8(output.stdout).unwrap().matches("given").count();
    assert_eq!(std::fs::read_dir(at("ktest")).unwrap().count(), paths);
    let replayed = pathshift().arg("replay").arg(at("suite")).arg(&files[0]).output().unwrap();
    assert!(replayed.status.success(), "{}", String::from_utf8_lossy(&replayed.stdout));
    let compiled =
        std::process::Command::new("cc").arg("-o").arg(at("tests")).arg(at("tests.c")).arg(&files[0]).status();
    assert!(compiled.unwrap().success());
    assert!(std::process::Command::new(at("tests")).status().unwrap().success());
    let wrong = pathshift().arg("explore").arg(&files[0]).args(["-f", "f", "--emit", "tests.py"]).output().unwrap();
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn a_result_file_is_whole_or_says_that_it_is_not() {
    let (folder, files) = folder(&[(
        "t.c",
        "int a[9]; int f(void) { int n = 0; for (int i = 0; i < 9; i++) if (a[i] > 0) n++; return n; }",
    )]);
    let result = folder.path().join("result.json");
    let run = |more: &[&str]| {
        let mut command = pathshift();
        command.arg("explore").arg(&files[0]).args(["-f", "f", "--no-replay", "--format", "json", "-o"]).arg(&result);
        command.args(more).output().unwrap()
    };
    let state = || -> Value { serde_json::from_slice(&std::fs::read(&result).unwrap()).unwrap() };
    assert_eq!(run(&[]).status.code(), Some(0));
    assert_eq!((state()["run_state"].as_str(), state()["paths"].as_array().unwrap().len()), (Some("complete"), 512));
    assert_eq!(run(&["--paths", "10"]).status.code(), Some(3));
    assert_eq!((state()["run_state"].as_str(), state()["paths"].as_array().unwrap().len()), (Some("incomplete"), 10));
    // A limit that was passed before anything was done.
    assert_eq!(run(&["--memory", "1M"]).status.code(), Some(3));
    assert_eq!(state()["run_state"], "incomplete");
    let full =
        pathshift().arg("explore").arg(&files[0]).args(["-f", "f", "--no-replay", "-o", "/dev/full"]).output().unwrap();
    assert_eq!(full.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&full.stderr).contains("cannot write /dev/full"));
}

#[test]
fn what_the_outside_writes_is_replayed() {
    let source = "struct m { int kind; char text[4]; }; int receive(struct m *, int); void note(const struct m *);
        int f(int n) { struct m m = {0}; if (receive(&m, n) < 0) return -1; note(&m); return m.kind == 7 && m.text[1] == 'x'; }";
    let (_folder, files) = folder(&[("t.c", source)]);
    let result = explored(&files[0], "f", &[]);
    let paths = result["paths"].as_array().unwrap();
    assert_eq!(paths.len(), 3, "{result:#}");
    for path in paths {
        assert_eq!(path["replayed"], "yes", "{path:#}");
    }
}

/// Bytes that were never assigned may be anything; those beside them are compared.
#[test]
fn memory_that_was_never_assigned_is_left_open() {
    let source = "struct s { int a, b, c; }; static void dirty(void) { volatile int t[64]; for (int i = 0; i < 64; i++) t[i] = -1; }
        void f(struct s *out, int x) { dirty(); struct s t; t.a = x; t.c = 3; if (x > 5) t.b = 1; *out = t; }";
    let (folder, files) = folder(&[("t.c", source)]);
    let suite = folder.path().join("suite");
    let result = explored(&files[0], "f", &["--suite", suite.to_str().unwrap()]);
    let paths = result["paths"].as_array().unwrap();
    assert!(paths.iter().all(|path| path["replayed"] == "yes"), "{result:#}");
    let tests = std::fs::read_to_string(suite.join("tests.txt")).unwrap();
    assert!(tests.contains(",?*4,"), "{tests}");
    let replayed = pathshift().arg("replay").arg(&suite).arg(&files[0]).output().unwrap();
    assert!(replayed.status.success(), "{}", String::from_utf8_lossy(&replayed.stdout));
}

/// A harness written for KLEE runs unchanged: inputs have its names, assumptions hold, native runs are answered.
#[test]
fn harnesses_of_klee_run_unchanged() {
    let source = "#include <assert.h>\n#include <stdlib.h>\n#include <stdio.h>
        void klee_make_symbolic(void *, size_t, const char *); void klee_assume(unsigned long); int klee_int(const char *);
        int klee_range(int, int, const char *); void klee_warning(const char *); void klee_prefer_cex(void *, unsigned long);
        unsigned klee_is_symbolic(unsigned long); int klee_get_value_i32(int); void klee_silent_exit(int);
        struct p { int x, y; };
        int main(void) {
            int a, t[3]; struct p p; char *b = malloc(4); short s[2] = {1, 2};
            klee_make_symbolic(&a, sizeof a, \"a\"); klee_make_symbolic(t, sizeof t, \"t\");
            klee_make_symbolic(&p, sizeof p, \"p\"); klee_make_symbolic(b, 4, \"b\");
            klee_make_symbolic(&s[1], 2, \"s\"); klee_assume(a > 0 && a < 10); klee_prefer_cex(&a, a == 5);
            int i = klee_range(1, 4, \"i\"), n = klee_int(\"n\"), m = klee_int(\"n\");
            if (!klee_is_symbolic(n) || klee_is_symbolic(s[0])) return 9;
            if (a == 3) { puts(\"three\"); return klee_get_value_i32(m); }
            if (t[2] > p.y) klee_silent_exit(2);
            if (b[1] == 'x' && s[1] == 7) klee_warning(\"x\");
            assert(i + n != 7); return 0; }";
    let (folder, files) = folder(&[("t.c", source)]);
    let ktests = folder.path().join("ktest");
    let result = explored(&files[0], "main", &["--ktest", ktests.to_str().unwrap()]);
    let paths = result["paths"].as_array().unwrap();
    assert!(paths.iter().all(|path| path["replayed"] == "yes"), "{result:#}");
    let conditions: Vec<String> = paths.iter().map(|path| path["condition"].to_string()).collect();
    assert!(conditions.iter().all(|condition| condition.contains("a > 0") && condition.contains("a < 10")));
    for part in ["a == 3", "t[2]", "p.y", "b[1] == 'x'", "s == 7", "i < 4", "i + n == 7"] {
        assert!(conditions.iter().any(|condition| condition.contains(part)), "{part}: {conditions:#?}");
    }
    let faults = paths.iter().filter(|path| path["fault"] == "assertion failed").count();
    // Three ways to the assertion, each with both sides; a == 3 and the silent exit.
    assert_eq!((paths.len(), faults), (8, 3), "{result:#}");
    let names = |file: &Path| {
        let bytes = std::fs::read(file).unwrap();
        let test = compare::suite::ktest::decode(&bytes).unwrap();
        test.objects.into_iter().map(|(name, bytes)| format!("{name}:{}", bytes.len())).collect::<Vec<_>>()
    };
    let made = ["a:4", "t:12", "p:8", "b:4", "s:2", "i:4", "n:4", "n:4", "model_version:4"];
    assert_eq!(names(&ktests.join("test000001.ktest")), made);
}

/// The functions of SV-COMP's programs.
#[test]
fn harnesses_of_verifiers_run_unchanged() {
    let source = "extern int __VERIFIER_nondet_int(void); extern unsigned char __VERIFIER_nondet_uchar(void);
        extern _Bool __VERIFIER_nondet_bool(void); extern void __VERIFIER_assume(int); extern void reach_error(void);
        int main(void) { int s = 0;
            for (int i = 0; i < 2; i++) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x >= 0 && x < 100); s += x > 50; }
            if (__VERIFIER_nondet_bool() && __VERIFIER_nondet_uchar() == 200) s += 10;
            if (s == 12) reach_error();
            return s; }";
    let (_folder, files) = folder(&[("t.c", source)]);
    let result = explored(&files[0], "main", &[]);
    let paths = result["paths"].as_array().unwrap();
    assert!(paths.iter().all(|path| path["replayed"] == "yes"), "{result:#}");
    assert_eq!(paths.len(), 4, "{result:#}");
    let faults: Vec<&Value> = paths.iter().filter(|path| path["fault"] == "assertion failed").collect();
    let inputs: Vec<&str> =
        faults[0]["inputs"].as_array().unwrap().iter().filter_map(|input| input["name"].as_str()).collect();
    assert_eq!((faults.len(), inputs), (1, vec!["nondet_int", "nondet_int#2", "nondet_bool", "nondet_uchar"]));
}

/// What a path changes besides its result is told, in words and as data.
#[test]
fn outcomes_say_what_changed() {
    let check = |source: &str, words: &str, changed: &[(&str, &str)]| {
        let (_folder, files) = folder(&[("t.c", source)]);
        let result = explored(&files[0], "f", &[]);
        let paths = result["paths"].as_array().unwrap();
        let path = paths.iter().find(|path| path["end"] == "returned" && path["replayed"] == "yes").unwrap();
        assert_eq!(path["outcome"]["words"], words, "{source}");
        let list = path["outcome"]["changed"].as_array().cloned().unwrap_or_default();
        let list: Vec<_> =
            list.iter().map(|part| (part["name"].as_str().unwrap(), part["value"].as_str().unwrap())).collect();
        assert_eq!(list, changed, "{source}");
    };
    check("int f(int x) { return 4; }", "returns 4", &[]);
    check("int n; void f(void) { n = 7; }", "n = 7", &[("n", "7")]);
    check(
        "struct s { int len; char c; struct s *next; }; int f(struct s *p) { if (!p) return 0; p->len = 3; p->c = 'x'; p->next = p; return 1; }",
        "returns 1, p->len = 3, p->c = 'x', p->next = p",
        &[("p->len", "3"), ("p->c", "'x'"), ("p->next", "p")],
    );
    check(
        "#include <stdio.h>\nint t[3]; void g(int); void f(void) { t[1] = -2; puts(\"hi\"); g(5); }",
        "t[1] = -2, prints \"hi\\n\", calls g(5)",
        &[("t[1]", "-2")],
    );
    check(
        "char b[8]; _Bool on; double d; void f(void) { b[2] = 'h'; b[3] = 'i'; on = 1; d = 0.5; }",
        "b[2..3] = \"hi\", on = true, d = 0.5",
        &[("b[2..3]", "\"hi\""), ("on", "true"), ("d", "0.5")],
    );
}

/// What a program is given if nothing is said is part of the scope.
#[test]
fn programs_without_arguments_and_input_say_so() {
    let check = |source: &str, flags: &[&str], expect: &[&str]| {
        let (_folder, files) = folder(&[("t.c", source)]);
        let scope: Vec<Value> = expect.iter().map(|&what| what.into()).collect();
        assert_eq!(explored(&files[0], "main", flags)["scope"], Value::from(scope), "{source} {flags:?}");
    };
    let (arguments, input) = ("without arguments (--argv gives some)", "standard input empty (--stdin gives some)");
    let reader = "#include <stdio.h>\nint main(int argc, char **argv) { return argc > 1 ? 2 : getchar() == 'x'; }";
    check(reader, &[], &[input, arguments]);
    check(reader, &["--argv", "1x1"], &["argv[1]: strings up to 1 characters"]);
    check(reader, &["--stdin", "1"], &[arguments]);
    check("int main(void) { return 3; }", &[], &[]);
}

/// Native runs have the time that is left, and paths for which there was none say so.
#[test]
fn native_runs_are_part_of_the_time() {
    // Many more paths a second than processes can be started.
    let source =
        "#include <stdlib.h>\nint main(int n, char **v) { int s = 0; while (--n) s += atoi(v[n]); return s > 9; }";
    let (_folder, files) = folder(&[("t.c", source)]);
    let result = explored(&files[0], "main", &["--argv", "8x3", "--timeout", "2", "--no-store"]);
    let said = |what: &str| result["paths"].as_array().unwrap().iter().filter(|path| path["replayed"] == what).count();
    let (agree, left) = (said("yes"), said("not run"));
    assert_eq!(agree + left, result["paths"].as_array().unwrap().len());
    assert!(agree > 0 && left > 0, "{agree} agree, {left} are not run");
}

/// What lies between the arguments of a call to the outside, and pointers that lead before an object, break no native run.
#[test]
fn calls_to_the_outside_are_recorded_whatever_they_are_given() {
    let check = |source: &str| {
        let (_folder, files) = folder(&[("t.c", source)]);
        let result = explored(&files[0], "f", &["--no-store"]);
        let paths = result["paths"].as_array().unwrap();
        let is_bound = |path: &Value| path["end"] == "scope" || path["end"] == "bound";
        let disagrees = paths.iter().filter(|path| !is_bound(path)).find(|path| path["replayed"] != "yes");
        assert_eq!(disagrees, None, "{source}");
    };
    // The number is half of a word whose other half was part of an address.
    check(
        "const char *text(void *, int, unsigned long *); unsigned long number(void *, const char *); int last(void *, int);
        int f(void *p) { unsigned long n; const char *s = text(p, 1, &n);
            if (s && number(p, s) == n + 1) return last(p, 0); return 5; }",
    );
    check("int look(const char *); int f(const char *s) { if (!s || !s[0]) return 0; return look(s - 1); }");
}
