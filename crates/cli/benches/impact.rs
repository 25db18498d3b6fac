//! How long `pathshift impact` takes for whole libraries, phase by phase: `cargo bench -p pathshift --bench impact`.
//!
//! Compilation is not part of it: each unit is compiled first, and its IR is read as text. Times are processor times of one
//! thread. Goal: at most 5 seconds for each pair.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

#[path = "../tests/it/support/registry.rs"]
#[allow(dead_code)]
mod registry;

use analysis::facts::Facts;
use analysis::influence::Upward;
use analysis::points_to::Scope;
use change::impact::{Known, Versions};
use compare::explore::cpu_time;
use ir::module::Module;
use report::impact::Extent;
use std::process::Command;

/// A library in two versions.
struct Pair {
    name: &'static str,
    package: &'static str,
    versions: [&'static str; 2],
    folders: [&'static str; 2],
    define: &'static str,
    left_out: &'static [&'static str],
}

const PAIRS: [Pair; 2] = [
    Pair {
        name: "lua 5.4.7 -> 5.4.8",
        package: "lua-src",
        versions: ["547.0.0", "548.1.1"],
        folders: ["lua-5.4.7", "lua-5.4.8"],
        define: "-DLUA_USE_POSIX",
        left_out: &["lua", "luac", "onelua", "ltests"],
    },
    Pair {
        name: "zlib 1.2.11 -> 1.3.1",
        package: "libz-sys",
        versions: ["1.1.12", "1.1.15"],
        folders: ["src/zlib", "src/zlib"],
        define: "-DHAVE_UNISTD_H",
        left_out: &[],
    },
];

const GOAL: f64 = 5.0;

fn main() {
    for pair in &PAIRS {
        let texts = [0, 1].map(|version| compile(pair, version));
        let bytes: usize = texts.iter().flatten().map(String::len).sum();
        println!("\n{}: {:.1} MB of IR", pair.name, bytes as f64 / 1e6);
        let begin = cpu_time();
        let mut phases = Phases { last: begin };
        let units = texts.map(|texts| texts.iter().map(|text| ir::parse::parse(text).unwrap()).collect());
        phases.end("parse");
        let mut modules = units.map(|units: Vec<Module>| ir::link::link(units).unwrap());
        phases.end("link");
        for module in &mut modules {
            ir::promote::promote(module);
        }
        phases.end("promote");
        let [old, new] = &modules;
        let before = cpu_time();
        let impact = compare::impact::impact(old, new, &[]).unwrap();
        let text = report::impact::text(&impact, false, Extent::Readable);
        phases.end("impact");
        let total = (cpu_time() - begin).as_secs_f64();
        let verdict = if total <= GOAL { "reached" } else { "MISSED" };
        println!("  {:<22} {total:>7.2} s   goal: at most {GOAL} s   {verdict}", "total");
        println!("  of impact, which took {:.2} s:", (cpu_time() - before).as_secs_f64());
        inside(old, new);
        println!("  {} functions, {} lines of text", impact.functions.len(), text.lines().count());
    }
}

/// The parts of `impact`, once more.
fn inside(old: &Module, new: &Module) {
    let mut phases = Phases { last: cpu_time() };
    let changes = change::compare(old, new);
    phases.end("  what changed");
    let (old_facts, new_facts) = (Facts::new(old, &Scope::Library), Facts::new(new, &Scope::Library));
    phases.end("  facts of both");
    let versions = Versions { old: &old_facts, new: &new_facts, changes: &changes };
    change::impact::impact(&versions, &mut Known::default(), Upward::Callers);
    phases.end("  what it reaches");
}

struct Phases {
    last: std::time::Duration,
}

impl Phases {
    fn end(&mut self, name: &str) {
        let now = cpu_time();
        println!("  {name:<22} {:>7.2} s", (now - self.last).as_secs_f64());
        self.last = now;
    }
}

/// The IR of all units of a version.
fn compile(pair: &Pair, version: usize) -> Vec<String> {
    let folder = registry::source(pair.package, pair.versions[version]).join(pair.folders[version]);
    let dir = tempfile::tempdir().unwrap();
    let to = dir.path().join("unit.ll");
    let units = registry::c_files(&folder, |name| !pair.left_out.contains(&name)).into_iter();
    let texts = units.map(|unit| {
        let flags = ["-w", "-g", "-O0", "-Xclang", "-disable-O0-optnone", "-femit-all-decls", "-S", "-emit-llvm"];
        let mut clang = Command::new("clang-19");
        clang.args(flags).arg(pair.define).arg("-I").arg(&folder).arg("-o").arg(&to).arg(&unit);
        assert!(clang.status().unwrap().success(), "{clang:?}");
        std::fs::read_to_string(&to).unwrap()
    });
    texts.collect()
}
