//! Path counts that are known: by hand, or from other tools.

#![allow(clippy::unwrap_used, clippy::panic)]

use exec::entry::Entry;
use exec::program::{Options as ProgramOptions, Program};
use explore::options::Options;
use smt::solver::Limits;
use smt::solver::chain::Chain;
use std::process::Command;

/// Compiles C and makes it ready to run.
fn program(source: &str) -> Program {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("t.c"), folder.path().join("t.ll"));
    std::fs::write(&from, source).unwrap();
    let clang = ["clang-19", "clang-16", "clang-15", "clang-14", "clang"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()));
    let status = Command::new(clang.unwrap())
        .args(["-g", "-O0", "-Xclang", "-disable-O0-optnone", "-S", "-emit-llvm", "-o"])
        .arg(&to)
        .arg(&from)
        .status()
        .unwrap();
    assert!(status.success());
    let mut module = ir::parse::parse(&std::fs::read_to_string(&to).unwrap()).unwrap();
    ir::promote::promote(&mut module);
    Program::new(module, ProgramOptions::default())
}

/// The ends of all paths, as text.
fn ends(source: &str, function: &str, options: &Options) -> Vec<String> {
    let program = program(source);
    let id = program.module.functions.ids().find(|&id| program.module.function_name(id) == function).unwrap();
    let entry = Entry { function: id, shell: None };
    let chain = || Chain::new(Vec::new(), Limits::default());
    let explored = explore::parallel::explore(&program, &entry, options, chain, |ended| format!("{:?}", ended.end));
    assert!(explored.undecided.is_empty(), "{:?}", explored.undecided);
    explored.paths
}

fn check(source: &str, function: &str, count: usize) {
    for jobs in [1, 2] {
        let options = Options { jobs, ..Options::default() };
        assert_eq!(ends(source, function, &options).len(), count, "{function} with {jobs} jobs");
    }
}

#[test]
fn middle_of_three() {
    let source = "int mid(int x, int y, int z) { int m = z; if (y < z) { if (x < y) m = y; else if (x < z) m = x; }
        else { if (x > y) m = y; else if (x > z) m = x; } return m; }";
    check(source, "mid", 6);
}

#[test]
fn independent_conditions() {
    let source = "int f(int a[12]) { int n = 0; for (int i = 0; i < 12; i++) if (a[i] > 0) n++; return n; }
        int g(void) { int a[12]; return f(a); }";
    let source = format!("{source} int a[12]; int h(void) {{ return f(a); }}");
    check(&source, "h", 4096);
}

#[test]
fn bubble_sort() {
    let source = "int a[5]; void sort(void) { for (int i = 0; i < 4; i++) for (int j = 0; j < 4 - i; j++)
        if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; } }";
    check(source, "sort", 120);
}

#[test]
fn cases_that_lead_to_the_same_block_are_one_path() {
    let source =
        "int f(int x) { switch (x) { case 0: case 1: case 2: return 1; case 10: return 2; case 11: case 200: return 3;
        case -5: return 4; case 1000 ... 1010: return 6; default: return 5; } }
        int g(unsigned char c) { switch (c) { case 'a' ... 'f': return 1; case '_': return 2; } return 3; }";
    check(source, "f", 6);
    check(source, "g", 3);
}

#[test]
fn wildcard_match() {
    let source = "int match(const char*p,const char*s){ if(!*p) return !*s; if(*p=='*') return match(p+1,s) ||
        (*s && match(p,s+1)); if(*s && (*p=='?'||*p==*s)) return match(p+1,s+1); return 0; }
        char p[4], s[4];
        int entry(void) { char a[5], b[5]; for (int i = 0; i < 4; i++) { a[i] = p[i]; b[i] = s[i]; } a[4] = b[4] = 0;
        return match(a, b); }";
    check(source, "entry", 884);
}
