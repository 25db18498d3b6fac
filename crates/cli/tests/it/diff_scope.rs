//! What callers can see beside results and memory: no proof leaves it out without a word.

use crate::support::{is_same, pathshift, scratch};
use serde_json::Value;
use std::path::Path;

/// Two versions: a text with `OLD|NEW` in braces of its own, `{{OLD|NEW}}`.
fn versions(text: &str) -> [String; 2] {
    let (mut old, mut new) = (String::new(), String::new());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("{{") {
        let (change, after) = behind.split_once("}}").unwrap();
        let (a, b) = change.split_once('|').unwrap();
        old.push_str(before);
        old.push_str(a);
        new.push_str(before);
        new.push_str(b);
        rest = after;
    }
    [old + rest, new + rest]
}

/// The row of a function.
fn row(dir: &Path, extension: &str, function: &str, more: &[&str]) -> Value {
    let files = ["old", "new"].map(|version| format!("{version}.{extension}"));
    let mut diff = pathshift();
    diff.current_dir(dir).arg("diff").args(&files).args(["--format", "json", "--timeout", "5"]).args(more);
    let ran = diff.output().unwrap();
    let result: Value = serde_json::from_slice(&ran.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&ran.stderr)));
    let rows = result["functions"].as_array().unwrap();
    let is_it = |row: &&Value| row["name"].as_str().unwrap().split('(').next() == Some(function);
    rows.iter().find(is_it).cloned().unwrap_or_else(|| panic!("no {function}: {result:#}"))
}

fn put(dir: &Path, extension: &str, text: &str) {
    for (version, text) in ["old", "new"].into_iter().zip(versions(text)) {
        std::fs::write(dir.join(format!("{version}.{extension}")), text).unwrap();
    }
}

/// A scope of nothing means that the function must not be called the same at all.
#[test]
fn nothing_is_left_out_without_a_word() {
    let cases = [
        // What a loop leaves behind that no number tells.
        ("c", "f", "int f(int n) { int x; for (int i = 0; i < n; i++) x = {{i|i + 1}}; return n > 0 ? x : 0; }", ""),
        (
            "c",
            "f",
            "const char *f(int n) { const char *s = \"none\"; for (int i = 0; i < n; i++) if (i == 4) s = {{\"five\"|\"FIVE\"}}; return s; }",
            "",
        ),
        // Callers of functions that are the same as far as anybody looked.
        (
            "c",
            "use",
            "#include <string.h>\nstruct r { char a; int b; };\n\
             static void fill(struct r *r) { memset(r, {{0|1}}, sizeof *r); r->a = 1; r->b = 2; }\n\
             int use(void) { struct r r; fill(&r); return ((char *)&r)[1]; }",
            "",
        ),
        (
            "c",
            "use",
            "#include <stdlib.h>\nstatic void drop(int *p) { {{|free(p);}} }\n\
             int use(void) { int *p = malloc(4); *p = 1; drop(p); int v = *p; free(p); return v; }",
            "",
        ),
        ("c", "f", "int f(int *p) { {{|int t = p[1];}} return p[0] {{|+ 0 * t}}; }", "at least"),
        ("c", "f", "int f({{int|long}} *p) { return *p; }", "both versions declare"),
        (
            "c",
            "f",
            "#include <stdlib.h>\nstruct two { int *a, *b; };\n\
             void f(struct two *t) { t->a = malloc(4); *t->a = 1; t->b = {{t->a|malloc(4); *t->b = 1}}; }",
            "",
        ),
        // The C library remembers.
        ("c", "f", "#include <errno.h>\nint f(int x) { errno = {{x|x + 1}}; return 0; }", ""),
        ("c", "f", "#include <stdlib.h>\nint f(int x) { srand({{x|x + 1}}); return 0; }", ""),
        ("c", "f", "#include <stdlib.h>\nvoid g(void) {}\nint f(int x) { {{|atexit(g);}} return x; }", ""),
        (
            "c",
            "f",
            "#include <pthread.h>\npthread_mutex_t m;\nint f(int x) { {{|pthread_mutex_lock(&m);}} return x; }",
            "",
        ),
        (
            "c",
            "f",
            "#include <stdio.h>\nint f(int x) { FILE *o = fopen({{\"a\"|\"b\"}}, \"w\"); if (o) fclose(o); return x; }",
            "",
        ),
        // The order in which things happen.
        (
            "c",
            "f",
            "#include <stdio.h>\nvoid tell(void);\nvoid f(void) { {{puts(\"a\"); tell();|tell(); puts(\"a\");}} }",
            "",
        ),
        // Others may look at variables.
        ("c", "f", "int g; void tell(void);\nvoid f(int x) { {{g = x;|}} tell(); {{|g = x;}} }", "uses no variables"),
        // What runs before `main`.
        (
            "c",
            "main",
            "#include <stdio.h>\nint base;\n\
             __attribute__((constructor(1{{1|3}}0))) static void one(void) { base = 1; }\n\
             __attribute__((constructor(120))) static void two(void) { base = 2; }\n\
             int main(void) { printf(\"%d\\n\", base); return 0; }",
            "",
        ),
        ("c", "main", "int main(int argc, char **argv) { return argc == {{2|2 && argv}}; }", "arguments"),
        // What is thrown.
        ("cpp", "f", "int f(int x) { if (x > 3) throw {{1|1.5}}; return 0; }", ""),
        ("cpp", "f", "int g; int f(int x) { {{g = 1;|}} if (x > 3) throw 1; {{|g = 1;}} return x; }", "catches"),
    ];
    for (extension, function, text, scope) in cases {
        let dir = scratch();
        put(dir.path(), extension, text);
        let row = row(dir.path(), extension, function, &["--no-store"]);
        let same = is_same(&row);
        assert!(!same || !scope.is_empty() && row["scope"].to_string().contains(scope), "{text}\n{row:#}");
    }
}

/// A verdict of an earlier run holds only as long as all that it depends on stays.
#[test]
fn remembered_verdicts_know_what_they_depend_on() {
    let record = |field: &str| {
        format!(
            "#include <string.h>\nstruct r {{ char a; {field} int b; }};\n\
             void f(struct r *r) {{ memset(r, {{{{0|1}}}}, sizeof *r); r->a = 1; r->b = 2; }}"
        )
    };
    let limit =
        |setter: &str| format!("static int limit = 4;\n{setter}\nint f(int x) {{ return x < {{{{limit|4}}}}; }}");
    for (before, after) in
        [(record(""), record("char c;")), (limit(""), limit("void set(int value) { limit = value; }"))]
    {
        let dir = scratch();
        put(dir.path(), "c", &before);
        assert_eq!(row(dir.path(), "c", "f", &[])["verdict"], "same", "{before}");
        put(dir.path(), "c", &after);
        let again = row(dir.path(), "c", "f", &[]);
        assert!(!is_same(&again), "{after}\n{again:#}");
    }
}

#[test]
fn what_only_one_version_has_decides_nothing() {
    let cases = [
        // What a new field holds no caller of the old version can say.
        ("struct s { int a; {{|int b; }} };\nint f(struct s *s) { return s->a{{| && s->b}}; }", "s->b"),
        ("struct s { {{int b; |}} int a; };\nint f(struct s *s) { return s->a + {{s->b|1}}; }", "s->b"),
        // Parts without a name of their own: bit-fields, unions, bytes between fields.
        (
            "struct s { int a; {{|unsigned k : 3, l : 5; }} };\nint f(struct s *s) { return s->a{{| + s->l}}; }",
            "<byte ",
        ),
        (
            "struct s { int a; {{|union { int i; float x; } u; }} };\nint f(struct s *s) { return s->a{{| && s->u.i}}; }",
            "s",
        ),
        (
            "#include <string.h>\nstruct s { {{char a; int b|int b; char a}}; };\n\
             int f(struct s *p, struct s *q) { return !memcmp(p, q, sizeof *p); }",
            "<byte ",
        ),
        // A record that is only declared here.
        (
            "struct s { {{int n, a|int a, n}}; };\nextern struct s e;\nint g(struct s *s) { return s->n; }\nint f(void) { return e.n; }",
            "e",
        ),
        (
            "struct s { {{int n, a|int a, n}}; };\nextern struct s e;\nint g(struct s *s) { return s->n; }\nvoid f(void) { e.n = 1; }",
            "only declared",
        ),
        // A field of another kind.
        (
            "struct s { {{long|char *}} a; int b; };\nint f(struct s *s) { return s->a ? s->b : {{0|s->b - s->b}}; }",
            "s->a",
        ),
    ];
    for (text, name) in cases {
        let dir = scratch();
        put(dir.path(), "c", text);
        let row = row(dir.path(), "c", "f", &[]);
        assert_eq!(row["verdict"], "undecided", "{text}: {row:#}");
        let reasons = row["undecided"].as_array().unwrap();
        let says = |reason: &Value| reason["reason"].as_str().unwrap().contains(name);
        assert!(reasons.iter().any(says), "{text}: {row:#}");
    }
}

/// What the C library always grants here, a program may find refused elsewhere.
#[test]
fn memory_and_output_are_taken_for_granted_aloud() {
    let cases = [
        // Nothing that was looked at gets to the change.
        (
            "int f(unsigned n) { char *p = malloc(100); if (!p) return {{-1|-2}}; free(p); return 0; }",
            "undecided",
            "allocations do not fail",
        ),
        (
            "int f(unsigned n) { char *p = malloc(100); if (!p) return -1; free(p); return {{n / 2|n >> 1}}; }",
            "same",
            "all inputs",
        ),
        ("int f(int n) { return puts(\"a\") < 0 ? n * 2 : {{n + n|n * 2}}; }", "same", "all inputs"),
    ];
    for (text, verdict, scope) in cases {
        let dir = scratch();
        put(dir.path(), "c", &format!("#include <stdio.h>\n#include <stdlib.h>\n{text}"));
        let row = row(dir.path(), "c", "f", &[]);
        let said = row["scope"].as_array().unwrap().iter().any(|what| what == scope);
        assert!(row["verdict"] == verdict && said, "{text}\n{row:#}");
    }
    // Nor where both versions ask the same.
    for text in [
        "int f(unsigned n) { char *p = malloc(100); *p = n; int v = *p; free(p); return {{v + v|v * 2}}; }",
        "int f(int n) { puts(\"a\"); return {{n + n|n * 2}}; }",
    ] {
        let dir = scratch();
        put(dir.path(), "c", &format!("#include <stdio.h>\n#include <stdlib.h>\n{text}"));
        let row = row(dir.path(), "c", "f", &[]);
        assert_eq!(row["scope"], serde_json::json!(["all inputs"]), "{text}\n{row:#}");
    }
}
