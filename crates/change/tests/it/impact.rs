//! What a change reaches, by line: the papers' examples and each way that influence takes.

use crate::support::module_of_source;
use analysis::facts::Facts;
use analysis::influence::{Cause, Marks, Upward};
use analysis::points_to::Scope;
use change::impact::affected::{Feeding, impacted, kinds, with_feeding};
use change::impact::relevant::{Goal, relevant};
use change::impact::{Impact, Known, Versions, impact, impact_of_function};
use change::lines::{lines_of, silent_markers};
use ir::id::{FuncId, Id, InstId};
use ir::module::Module;
use std::fmt::Write;

fn with_versions<R>(old: &str, new: &str, run: impl FnOnce(&Versions) -> R) -> R {
    let (old, new) = (module_of_source("a.c", old), module_of_source("a.c", new));
    let changes = change::compare(&old, &new);
    let (old, new) = (Facts::new(&old, &Scope::Library), Facts::new(&new, &Scope::Library));
    run(&Versions { old: &old, new: &new, changes: &changes })
}

fn function(module: &Module, name: &str) -> FuncId {
    module.functions.ids().find(|&id| module.function_name(id) == name).unwrap()
}

fn numbers(lines: &[u32]) -> String {
    lines.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}

/// The affected sets of one function, as DiSE has them.
fn affected(versions: &Versions, name: &str) -> String {
    let change = versions.changes.functions.iter().position(|change| change.name == name).unwrap();
    let mut known = Known::default();
    let found = impact_of_function(versions, &mut known, change);
    let mut out = String::new();
    let sides = [
        ("old", versions.old, &found.old, &mut known.old, versions.changes.functions[change].old),
        ("new", versions.new, &found.new, &mut known.new, versions.changes.functions[change].new),
    ];
    for (side, facts, reach, known, id) in sides {
        let Some(id) = id else { continue };
        let insts = impacted(facts, &reach.influence, id, &Marks::default());
        let all = with_feeding(facts, &known.get(facts, id), id, &insts, Feeding::Data);
        let kinds = kinds(facts.module, id, &all);
        let conditions = lines_of(facts.module, id, kinds.conditions);
        let writes = lines_of(facts.module, id, kinds.writes);
        writeln!(out, "{side}: conditions {}; writes {}", numbers(&conditions), numbers(&writes)).unwrap();
    }
    out
}

fn check_affected(name: &str, old: &str, new: &str, expect: &str) {
    let found = with_versions(old, new, |versions| affected(versions, name));
    assert_eq!(found.trim(), expect.trim(), "{name}\n{old}\n---\n{new}");
}

/// The lines of the new version that are impacted, by function and cause, and what calls bring.
fn sets(facts: &Facts, found: &Impact, known: &mut Known) -> String {
    let module = facts.module;
    let mut out = String::new();
    for (&(id, cause), set) in &found.new.influence.sets {
        let mut insts = set.insts.clone();
        insts.union_with(&set.calls);
        let insts = with_feeding(facts, &known.new.get(facts, id), id, &insts, Feeding::DataAndControl);
        let silent = silent_markers(module, &module.functions[id]);
        let insts = insts.ones().map(InstId::from_index).filter(|inst| !silent.contains(inst));
        let lines = lines_of(module, id, insts);
        let cause = match cause {
            Cause::Own => String::new(),
            other => format!("({other:?})").to_lowercase(),
        };
        write!(out, "{}{cause}: {}", module.function_name(id), numbers(&lines)).unwrap();
        for (call, marks) in &set.marks {
            let line = lines_of(module, id, [*call]);
            let params: Vec<String> = marks.params.iter().map(u32::to_string).collect();
            let (memory, called) =
                (if marks.memory { " memory" } else { "" }, if marks.called { " called" } else { "" });
            write!(out, "; {} brings [{}]{memory}{called}", numbers(&line), params.join(" ")).unwrap();
        }
        out.push('\n');
    }
    out
}

fn check_sets(old: &str, new: &str, expect: &str) {
    let found = with_versions(old, new, |versions| {
        let mut known = Known::default();
        let found = impact(versions, &mut known, Upward::Callers);
        sets(versions.new, &found, &mut known)
    });
    let trim = |text: &str| text.trim().lines().map(str::trim).collect::<Vec<_>>().join("\n");
    assert_eq!(trim(&found), trim(expect), "{old}\n---\n{new}");
}

#[test]
fn the_example_of_dise() {
    let brake = |condition: &str| {
        let text = include_str!("../../../../examples/brake/old.c");
        text.replace("PedalPos == 0", condition)
    };
    let expect = "conditions 2 4 15 17; writes 3 5 6 8 16 18 19";
    check_affected(
        "update",
        &brake("PedalPos == 0"),
        &brake("PedalPos <= 0"),
        &format!("old: {expect}\nnew: {expect}"),
    );
}

#[test]
fn the_first_example_of_idise() {
    let source = |operator: &str| {
        format!(
            "int B(int x) {{\n if (x > 0) return 1;\n else return 0;\n}}\nint A(int x) {{\n x = x {operator} 1;\n return B(x);\n}}\n"
        )
    };
    check_sets(
        &source("+"),
        &source("-"),
        "
        B(param(0)): 2 3 4
        A: 6 7; 7 brings [0]
        ",
    );
}

#[test]
fn the_second_example_of_idise() {
    let source = |step: &str| {
        format!(
            "int B(int z) {{
 return z > 7 ? z : 2;
}}
int A(int x, int y) {{
 if (x > 0)
  y = y + {step};
 if (y > 0)
  x = B(y);
 return x + y;
}}
void start(int x, int y, int z) {{
 B(z);
 int t = A(x, y);
}}
"
        )
    };
    check_sets(
        &source("2"),
        &source("1"),
        "
        B(called): 2
        B(param(0)): 2
        A: 5 6 7 8 9; 8 brings [0] called
        start: 13
        ",
    );
}

/// Replaces lines of a source, given as number and text.
fn edited(source: &str, edits: &[(usize, &str)]) -> String {
    let mut lines: Vec<&str> = source.lines().collect();
    edits.iter().for_each(|&(number, text)| lines[number - 1] = text);
    lines.join("\n")
}

fn check_edit(source: &str, edits: &[(usize, &str)], expect: &str) {
    let source = source.trim_start();
    check_sets(source, &edited(source, edits), expect);
}

#[test]
fn through_variables() {
    let source = "
int g;
void set(int x) {
 g = x + 1;
}
int get(void) {
 return g;
}
int both(int x) {
 set(x);
 return get();
}
int other(int x) {
 return x;
}
";
    check_edit(
        source,
        &[(3, " g = x + 2;")],
        "
        set: 3
        get(memory): 6
        both: 9 10; 10 brings [] memory
        ",
    );
}

#[test]
fn through_pointers() {
    let source = "
struct pair { int a, b; };
void fill(struct pair *p, int x) {
 p->a = x;
 p->b = x * 2;
}
int f(int x, int *left) {
 struct pair p;
 fill(&p, x);
 *left = p.a;
 int right = p.b;
 return right;
}
";
    // The other field stays as it was.
    check_edit(
        source,
        &[(4, " p->b = x * 3;")],
        "
        fill: 4
        f: 7 8 10 11
        ",
    );
}

#[test]
fn through_what_was_removed() {
    let source = "
void exit(int);
int f(int x, int y) {
 if (x > 5)
  exit(1);
 return y + 1;
}
";
    check_edit(source, &[(3, ""), (4, "")], "f: 5");
}

#[test]
fn through_one_argument() {
    let source = "
int h(int a, int b) {
 if (a > 0)
  return b;
 return 0;
}
int f(int x) {
 return h(x, 1);
}
";
    check_edit(
        source,
        &[(7, " return h(x, 2);")],
        "
        h(param(1)): 2 5
        f: 7; 7 brings [1]
        ",
    );
}

#[test]
fn through_tables() {
    let source = "
int one(int x) { return x + 1; }
int two(int x) { return x + 2; }
static int (*const table[2])(int) = {one, two};
static const int numbers[3] = {1, 2, 3};
int f(int i, int x) {
 return table[i & 1](x);
}
int g(int i) {
 if (i < 0)
  return 0;
 return numbers[i % 3];
}
";
    check_edit(source, &[(1, "int one(int x) { return x + 3; }")], "one: 1\nf: 6");
    check_edit(source, &[(4, "static const int numbers[3] = {1, 2, 4};")], "g: 9 11 12");
}

#[test]
fn no_change_reaches_nothing() {
    let source = "
int f(int count) {
 int sum = 0;
 for (int i = 0; i < count; i++)
  sum += i;
 return sum;
}
";
    check_edit(source, &[], "");
    check_edit(source, &[(2, " int sum = 0; /* none yet */"), (4, "\n  sum += i;")], "");
    let renamed = source.trim_start().replace("sum", "total").replace("count", "n");
    check_sets(source.trim_start(), &renamed, "");
}

#[test]
fn calls_are_told_apart() {
    let source = "
int B(int z) {
 return z > 7 ? z : 2;
}
int A(int x, int y) {
 y = y + 2;
 return B(y) + x;
}
int start(int x, int y, int z) {
 int t = B(z);
 return t + A(x, y);
}
";
    let source = source.trim_start();
    with_versions(source, &edited(source, &[(5, " y = y + 1;")]), |versions| {
        let mut known = Known::default();
        let found = impact(versions, &mut known, Upward::Callers).new.influence;
        let module = versions.new.module;
        let (a, b, start) = (function(module, "A"), function(module, "B"), function(module, "start"));
        let call = |caller, callee| {
            let sites = versions.new.calls.callers(callee);
            sites.filter(|site| site.caller == caller).map(|site| site.inst).next().unwrap()
        };
        let nothing = Marks::default();
        let from_start = found.marks(start, &nothing, call(start, b));
        let from_a = found.marks(a, &nothing, call(a, b));
        assert!(from_start.is_empty());
        assert_eq!(from_a, Marks { params: vec![0], ..Marks::default() });
        assert!(impacted(versions.new, &found, b, &from_start).is_clear());
        assert!(!impacted(versions.new, &found, b, &from_a).is_clear());
        assert!(!found.has(start, &nothing, call(start, b)) && found.has(start, &nothing, call(start, a)));
    });
}

#[test]
fn an_unaffected_branch_that_matters_later_is_relevant() {
    // The smallest case in which the literal rules of DiSE lose a path.
    let source = "
int f(int x, int y) {
 int u = 0;
 if (y > 0)
  u = 1;
 x = x + 2;
 if (x > 3 && y < 0)
  return 1;
 return 0;
}
int g(int x, int y) {
 if (y > 0)
  x = 1;
 return f(x, y);
}
";
    let source = source.trim_start();
    with_versions(source, &edited(source, &[(5, " x = x + 1;")]), |versions| {
        let mut known = Known::default();
        let found = impact(versions, &mut known, Upward::Callers);
        let module = versions.new.module;
        let (f, g) = (function(module, "f"), function(module, "g"));
        for goal in [Goal::Paths, Goal::Outputs(f)] {
            let relevant = relevant(versions.new, &mut known.new, &found.new, goal);
            let conditions = |id: FuncId| {
                let all = relevant.insts.get(&id).map_or(Vec::new(), |insts| kinds(module, id, insts).conditions);
                lines_of(module, id, all)
            };
            assert_eq!(conditions(f), [6], "{goal:?}");
            // What `f` is given depends on it, unless `f` is where everything begins.
            let above = if goal == Goal::Paths { vec![11] } else { Vec::new() };
            assert_eq!(conditions(g), above, "{goal:?}");
        }
    });
}

/// What runs before `main` reaches it through memory only.
#[test]
fn constructors_run_before_main() {
    let source = |value: &str| {
        format!(
            "static int table, other;
__attribute__((constructor)) static void setup(void) {{
 table = {value};
}}
__attribute__((destructor)) static void end(void) {{
 other = table;
}}
int main(int argc, char **argv) {{
 if (argc > 1) other = 2;
 return table + 1;
}}
"
        )
    };
    check_sets(
        &source("3"),
        &source("4"),
        "
        setup: 3
        end: 6
        main: 10
        ",
    );
}

/// A jump brings a value and memory to where the function once was.
#[test]
fn long_jumps() {
    let source = |code: &str| {
        format!(
            "typedef long jmp_buf[32];
int setjmp(jmp_buf) __attribute__((returns_twice));
void longjmp(jmp_buf, int) __attribute__((noreturn));
static jmp_buf env;
static int why;
static void fail(int code) {{
 why = {code};
 longjmp(env, 1);
}}
int f(int x) {{
 if (setjmp(env))
  return why;
 if (x > 3)
  fail(x);
 return 0;
}}
"
        )
    };
    check_sets(
        &source("code + 1"),
        &source("code + 2"),
        "
        fail: 7
        f: 11 12 13 14 16
        ",
    );
}
