//! Libraries in consecutive versions, and by two compilers: what is found, and how long it takes.

use crate::registry::{c_files, source};
use crate::support::{checked, compile, linked, reached};
use change::Kind;
use change::summary::Summary;
use ir::module::Module;
use std::path::{Path, PathBuf};
use std::time::Instant;

fn library(clang: u32, units: Vec<PathBuf>, include: &Path, define: &str) -> Module {
    let flags = vec![format!("-I{}", include.display()), define.to_owned()];
    let texts: Vec<String> = units.iter().map(|unit| compile(clang, unit, &flags).unwrap()).collect();
    linked(&texts)
}

fn lua(clang: u32, crate_version: &str, version: &str) -> Module {
    let dir = source("lua-src", crate_version).join(format!("lua-{version}"));
    library(clang, c_files(&dir, |_| true), &dir, "-DLUA_USE_POSIX")
}

fn zlib(version: &str) -> Module {
    let dir = source("libz-sys", version).join("src/zlib");
    library(19, c_files(&dir, |_| true), &dir, "-DHAVE_UNISTD_H")
}

fn compared(what: &str, old: &Module, new: &Module) -> Summary {
    let start = Instant::now();
    let (_, summary) = checked(old, new);
    let took = start.elapsed();
    println!("{what} in {took:?}: {:?}", summary.counts);
    assert!(took.as_secs() < 20, "{what} took {took:?}");
    let start = Instant::now();
    let counts = reached(old, new);
    println!("{what}: {counts} sets of impacted instructions in {:?}", start.elapsed());
    assert!(counts > 0 && start.elapsed().as_secs() < 30, "{what} took {:?}", start.elapsed());
    summary
}

fn names(summary: &Summary, kind: Kind) -> Vec<&str> {
    summary.functions.iter().filter(|f| f.kind == kind).map(|f| &*f.name).collect()
}

#[test]
fn lua_in_consecutive_versions() {
    let (old, new) = (lua(19, "547.0.0", "5.4.7"), lua(19, "548.1.1", "5.4.8"));
    let summary = compared("lua 5.4.7 -> 5.4.8", &old, &new);
    let mut changed = names(&summary, Kind::Changed);
    changed.sort_unstable();
    // As the two sources say.
    let expect = [
        "basicgetobjname",
        "close_state",
        "getupvalname",
        "isEnv",
        "luaD_growstack",
        "luaD_seterrorobj",
        "luaD_throw",
        "luaE_checkcstack",
        "luaE_resetthread",
        "luaK_exp2val",
        "luaV_finishset",
        "new_localvar",
        "recfield",
    ];
    assert_eq!(changed, expect);
    assert_eq!(names(&summary, Kind::Added), ["luaD_errerr"]);
    assert_eq!(names(&summary, Kind::Removed), Vec::<&str>::new());
    assert!(summary.functions.iter().filter(|f| f.kind == Kind::Changed).all(|f| !f.hunks.is_empty()));
}

#[test]
fn lua_by_two_compilers() {
    let (old, new) = (lua(14, "548.1.1", "5.4.8"), lua(19, "548.1.1", "5.4.8"));
    let summary = compared("lua by clang 14 -> 19", &old, &new);
    assert!(summary.counts.functions.changed < 30, "{:?}", names(&summary, Kind::Changed));
    assert_eq!(names(&summary, Kind::Added), Vec::<&str>::new());
}

#[test]
fn zlib_in_versions_years_apart() {
    let summary = compared("zlib 1.2.11 -> 1.3.1", &zlib("1.1.12"), &zlib("1.1.15"));
    assert!(names(&summary, Kind::Changed).contains(&"deflateInit2_"));
    assert!(names(&summary, Kind::Added).contains(&"crc32_combine_op"));
    assert!(summary.counts.functions.unchanged > 100);
}
