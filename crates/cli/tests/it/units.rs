//! `pathshift diff` of programs that consist of several units, which have things of their own under the same names.

use crate::support::{pathshift, scratch};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// A unit: its file, further arguments for its compiler, its text.
type Unit<'a> = (&'a str, &'a str, &'a str);

fn put(dir: &Path, units: &[Unit]) {
    let commands: Vec<Value> = (0..)
        .zip(units)
        .map(|(number, (file, flags, _))| {
            serde_json::json!({ "directory": ".", "file": file, "command": format!("cc {flags} -c {file} -o {number}.o") })
        })
        .collect();
    for (file, _, text) in units {
        let path = dir.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    std::fs::write(dir.join("compile_commands.json"), serde_json::to_string(&commands).unwrap()).unwrap();
}

/// Verdicts by function, with their scopes.
fn verdicts(old: &[Unit], new: &[Unit]) -> BTreeMap<String, String> {
    let dir = scratch();
    put(&dir.path().join("old"), old);
    put(&dir.path().join("new"), new);
    let output = pathshift()
        .current_dir(dir.path())
        .args(["diff", "old", "new", "--format", "json", "--no-store", "--timeout", "5"])
        .output()
        .unwrap();
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    let row = |row: &Value| {
        let scope: Vec<&str> = row["scope"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let said = format!("{} [{}]", row["verdict"].as_str().unwrap(), scope.join("; "));
        (row["name"].as_str().unwrap().to_owned(), said)
    };
    result["functions"].as_array().unwrap().iter().map(row).collect()
}

const QUEUE: &str = "static int count = 1; void set_queue(int v) { count = v; } int queue(int x) { return x > count; }";

#[test]
fn what_assembly_writes_is_no_constant_whatever_its_label() {
    let unit = |test: &str| {
        format!(
            "static int count = 1;
             int bump(void) {{ __asm__ goto(\"incl %0; jc %l1\" : : \"m\"(count) : \"memory\", \"cc\" : out); return 0; out: return 1; }}
             int above(int x) {{ return {test}; }}"
        )
    };
    let (old, new) = (unit("x > count"), unit("x > 1"));
    let said = verdicts(&[("a.c", "", &old), ("b.c", "", QUEUE)], &[("a.c", "", &new), ("b.c", "", QUEUE)]);
    assert!(!said["above"].starts_with("same"), "{said:?}");
}

#[test]
fn each_version_gets_its_own_variables() {
    let unit = |name: &str, steps: &str| {
        format!(
            "int queue(int x); static int {name} = 1; void set_{name}(int v) {{ {name} = v; }}
             int mixed(int x) {{ if (x == 12345) {{ __asm__ volatile(\"{steps}\" : \"+r\"(x)); return x; }}
             return x ^ (queue(0) + 3 * {name}); }}"
        )
    };
    // The same but for the name, which is then that of another unit's variable.
    let (old, new) = (unit("total", "addl $2, %0"), unit("count", "addl $1, %0; addl $1, %0"));
    let said = verdicts(&[("a.c", "", QUEUE), ("b.c", "", &old)], &[("a.c", "", QUEUE), ("b.c", "", &new)]);
    assert!(!said["mixed"].starts_with("different"), "{said:?}");
}

#[test]
fn units_are_known_by_what_they_define() {
    // One file twice, in another order; and files that changed places.
    let text = "#define NAME(a, b) a##b
        #define OF(a, b) NAME(a, b)
        static int count = A; static int help(int x) { return x + A; }
        void OF(set, A)(int v) { count = v; } int OF(get, A)(int x) { return help(x) > count; }";
    let [one, two] = [("u.c", "-DA=1", text), ("u.c", "-DA=2", text)];
    assert_eq!(verdicts(&[one, two], &[two, one]), BTreeMap::new());
    let other = QUEUE.replace("queue", "stack");
    let (first, second) =
        ([("p/m.c", "", QUEUE), ("q/m.c", "", &*other)], [("p/m.c", "", &*other), ("q/m.c", "", QUEUE)]);
    assert_eq!(verdicts(&first, &second), BTreeMap::new());
}

#[test]
fn variables_that_begin_otherwise_are_part_of_every_scope() {
    let unit = |value: &str, test: &str| {
        format!(
            "int p = {value}; void set(int v) {{ p = v; }} int above(int x) {{ return x {test} p; }}
             int calls(int x) {{ return above(x) + 1; }}"
        )
    };
    let (old, new) = (unit("1", ">"), unit("2", ">="));
    let said = verdicts(&[("a.c", "", &old)], &[("a.c", "", &new)]);
    for name in ["above", "calls", "set"] {
        assert!(said[name].contains("p as the program begins") || said[name].starts_with("different"), "{said:?}");
    }
    let unit = |kind: &str| format!("static {kind} int t; void set(int v) {{ t = v; }} int get(void) {{ return t; }}");
    let (old, new) = (unit("_Thread_local"), unit(""));
    let said = verdicts(&[("a.c", "", &old)], &[("a.c", "", &new)]);
    assert!(said["get"].contains("t of one thread"), "{said:?}");
}

#[test]
fn what_is_another_number_each_time_is_no_difference() {
    let unit = |steps: &str| {
        format!(
            "int gettid(void);
             int tagged(int x) {{ if (x == 12345) {{ __asm__ volatile(\"{steps}\" : \"+r\"(x)); return x; }} return x + gettid(); }}"
        )
    };
    let (old, new) = (unit("addl $2, %0"), unit("addl $1, %0; addl $1, %0"));
    let said = verdicts(&[("a.c", "", &old)], &[("a.c", "", &new)]);
    assert!(!said["tagged"].starts_with("different"), "{said:?}");
}

#[test]
fn pointers_lead_back_whichever_unit_describes_their_type() {
    // The state is described by two units, the stream by all three, and the first unit only casts to the state.
    let header = "struct state; struct stream { int (*ask)(int); struct state *state; int total; };";
    let state = "struct inner { struct stream *owner; int mode; int wrap; };";
    let first = format!("{header}{state} int peek(struct stream *s) {{ return ((struct inner *)s->state)->mode; }}");
    let unit = |test: &str| {
        format!(
            "{header}{state}
             static int broken(struct stream *s) {{
                 if (!s || !s->ask) return 1;
                 struct inner *i = (struct inner *)s->state;
                 return !i || i->owner != s || i->mode < 10 || i->mode > 20;
             }}
             int validate(struct stream *s, int check) {{
                 if (broken(s)) return -2;
                 struct inner *i = (struct inner *)s->state;
                 if ({test}) i->wrap |= 4; else i->wrap &= ~4;
                 return 0;
             }}"
        )
    };
    let (old, new) = (unit("check"), unit("check && i->wrap"));
    let said = verdicts(&[("a.c", "", &first), ("b.c", "", &old)], &[("a.c", "", &first), ("b.c", "", &new)]);
    assert!(said["validate"].starts_with("different"), "{said:?}");
}
