//! What a change reaches, by line: the papers' examples and each way that influence takes.

use crate::support::module_of_source;
use analysis::facts::Facts;
use analysis::influence::{Cause, Marks, Upward};
use analysis::points_to::Scope;
use change::impact::affected::{Feeding, impacted, kinds, with_feeding};
use change::impact::{Impact, Known, Versions, impact, impact_of_function};
use change::lines::lines_of;
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
        let kinds = kinds(&facts.module.functions[id], &all);
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
        let lines = lines_of(module, id, insts.ones().map(InstId::from_index));
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
