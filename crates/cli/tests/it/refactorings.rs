//! Changes that real histories are full of and that change no behaviour, or only some of it: helpers taken out, lines and fields that
//! move, checks that are added. Each is beside one that looks alike and does change it.

use crate::support::{pathshift, scratch};
use serde_json::Value;

/// What `pathshift diff` says of two versions of a file of C.
fn diff(old: &str, new: &str, more: &[&str]) -> Value {
    let dir = scratch();
    std::fs::write(dir.path().join("old.c"), old).unwrap();
    std::fs::write(dir.path().join("new.c"), new).unwrap();
    let mut diff = pathshift();
    diff.current_dir(dir.path()).args(["diff", "old.c", "new.c", "--format", "json", "--no-store", "--timeout", "10"]);
    let ran = diff.args(more).output().unwrap();
    serde_json::from_slice(&ran.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&ran.stderr)))
}

fn row<'r>(result: &'r Value, name: &str) -> &'r Value {
    let rows = result["functions"].as_array().unwrap();
    rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("no row of {name}: {result:#}"))
}

const LOOP: &str = "int use(char *p, int k) {\n    int i, total = 0;\n    for (i = 0; i < k; i++) {\n\
                    if (p[i] == '\\n') { p[i] = 0; total += 2; }\n\
                    else if (p[i] == '\\t') { p[i] = ' '; total++; }\n    }\n    return total;\n}\n";

const TAKEN_OUT: &str = "static int fix(char *p, int i) {\n    if (p[i] == '\\n') { p[i] = 0; return 2; }\n\
                         if (p[i] == '\\t') { p[i] = ' '; return 1; }\n    return 0;\n}\n\
                         int use(char *p, int k) {\n    int i, total = 0;\n\
                         for (i = 0; i < k; i++) total += fix(p, i);\n    return total;\n}\n";

#[test]
fn helpers_that_are_taken_out_or_in() {
    for (old, new) in [(LOOP, TAKEN_OUT), (TAKEN_OUT, LOOP)] {
        let result = diff(old, new, &["--only-proof"]);
        assert_eq!(row(&result, "use")["verdict"], "same", "{result:#}");
    }
    let result = diff(LOOP, &TAKEN_OUT.replace("return 1", "return 2"), &[]);
    assert_eq!(row(&result, "use")["verdict"], "different", "{result:#}");
    // A helper whose parameters changed.
    let old = "static void cut(char *s, int n) { s[n] = 0; }\nvoid f(char *s, int n) { s[0] = 'x'; cut(s, n); }\n";
    let new = "static void cut(char *e) { *e = 0; }\nvoid f(char *s, int n) { s[0] = 'x'; cut(s + n); }\n";
    assert_eq!(row(&diff(old, new, &["--only-proof"]), "f")["verdict"], "same");
    let new = new.replace("s + n", "s + n + 1");
    assert_ne!(row(&diff(old, &new, &["--only-proof"]), "f")["verdict"], "same");
}

#[test]
fn line_numbers_are_no_behaviour() {
    let old = "void fail(const char *at, int line);\n#define TEXT(x) #x\n#define LINE(x) TEXT(x)\n\
               int f(int a) {\n    if (a < 0) fail(\"f.c:\" LINE(__LINE__), __LINE__);\n    return a;\n}\n\
               int g(int a) {\n    if (a < 3) fail(__FILE__, 10);\n    return a;\n}\n";
    let moved = format!("/* A comment. */\n\n{old}");
    let result = diff(old, &moved, &[]);
    assert_eq!(
        (result["verdict"].as_str(), result["functions"].as_array().map(Vec::len)),
        (Some("same"), Some(0)),
        "{result:#}"
    );
    assert!(result["notes"].to_string().contains("--strict-locations"), "{result:#}");
    let strict = diff(old, &moved, &["--strict-locations"]);
    assert_eq!(row(&strict, "f")["verdict"], "different", "{strict:#}");
    // A number that is no line is one, though another line moved by as much.
    let result = diff(old, &moved.replace("10", "12"), &[]);
    assert_eq!(row(&result, "g")["verdict"], "different", "{result:#}");
}

const RECORD: &str = "#include <stdlib.h>\nstruct item { int kind; char *text; struct item *next; };\n\
                      struct list { struct item *first; int count; int limit; };\n\
                      struct item *push(struct list *l, int kind) {\n    struct item *i = malloc(sizeof(struct item));\n\
                      if (!i) return 0;\n    i->kind = kind; i->text = 0; i->next = l->first;\n    l->first = i; l->count++;\n    return i;\n}\n\
                      int full(struct list *l) { return l->count >= l->limit; }\n\
                      int walk(struct list *l) { int n = 0; for (struct item *i = l->first; i; i = i->next) n += i->kind; return n; }\n";

#[test]
fn fields_are_known_by_their_names() {
    let new = RECORD
        .replace("int kind; char *text;", "long id; int kind; char *text;")
        .replace("int count; int limit;", "int limit; int version; int count;");
    let result = diff(RECORD, &new, &["--only-proof"]);
    for name in ["push", "full", "walk"] {
        let row = row(&result, name);
        assert_eq!(row["verdict"], "same", "{name}: {result:#}");
        assert!(row["scope"].to_string().contains("fields of the same name"), "{result:#}");
    }
    // The same offsets as before, but of other fields.
    let swapped = RECORD.replace("int count; int limit;", "int limit; int count;");
    let result = diff(RECORD, &swapped.replace("l->count >= l->limit", "l->limit >= l->count"), &["--only-proof"]);
    assert_ne!(row(&result, "full")["verdict"], "same", "{result:#}");
    // A field of another type is another field.
    let wider = RECORD.replace("int count;", "short count;");
    let result = diff(RECORD, &wider, &["--only-proof"]);
    assert_ne!(row(&result, "full")["verdict"], "same", "{result:#}");
    // Numbers that happen to be sizes of a record, and bytes of one.
    let grown = |size: u32, more: &str| {
        format!(
            "#include <stdlib.h>\nstruct s {{ int a; int b; {more} }};\nvoid set(struct s *p) {{ p->b = 1; }}\n\
                 char *get(struct s *p) {{ char *c = malloc({size}); p->b = 1; if (c) c[9] = 1; return c; }}\n\
                 int size(struct s *p) {{ p->b = 1; return {size}; }}\n"
        )
    };
    let result = diff(&grown(12, "int c;"), &grown(8, ""), &["--only-proof"]);
    for name in ["get", "size"] {
        assert_ne!(row(&result, name)["verdict"], "same", "{name}: {result:#}");
    }
    let wide =
        |fields: &str| format!("struct s {{ {fields} }} g;\nlong f(void) {{ return *(long *)((char *)&g + 8); }}\n");
    let result = diff(&wide("long a; int b; int c;"), &wide("long a; int b; int d; int c;"), &["--only-proof"]);
    assert_ne!(row(&result, "f")["verdict"], "same", "{result:#}");
    // One that is gone and was read.
    let old = RECORD.replace("int limit; };", "int limit; int extra; };").replace("l->limit;", "l->limit + l->extra;");
    let result = diff(&old, RECORD, &["--only-proof"]);
    assert_ne!(row(&result, "full")["verdict"], "same", "{result:#}");
    assert_eq!(row(&result, "push")["verdict"], "same", "{result:#}");
}

#[test]
fn checks_that_are_added_confine_the_change() {
    let old = "#include <stdlib.h>\n#include <string.h>\nchar *copy(const char *s, int n, int m) {\n    char *p = malloc(n);\n\
               memcpy(p, s, m);\n    p[0] = 'x';\n    return p;\n}\n";
    let new = old.replace("memcpy", "if (p == NULL) return NULL;\n    memcpy");
    let result = diff(old, &new, &["--only-proof"]);
    let confined = row(&result, "copy")["confined"].as_array().unwrap();
    assert_eq!(confined.len(), 1, "{result:#}");
    assert_eq!((&confined[0]["condition"], &confined[0]["new"]), (&"malloc(n) == NULL".into(), &"returns NULL".into()));
}

#[test]
fn what_callees_may_do_is_told_apart_from_what_changed() {
    let old = "#include <stdio.h>\nint level(int a) { return a > 9 ? 2 : 1; }\n\
               void tell(int a) { printf(\"%d\\n\", level(a) + a); }\n";
    let new = old.replace("a > 9", "a > 8").replace("level(a) + a", "a + level(a)");
    let result = diff(old, &new, &["--only-proof"]);
    let confined = row(&result, "tell")["confined"].as_array().unwrap();
    assert!(confined.iter().all(|one| one["condition"] == "a call of level differs"), "{result:#}");
}
