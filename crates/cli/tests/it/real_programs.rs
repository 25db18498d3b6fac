//! Real programs from the registry: every unit goes through parse, print and compile, and what is
//! built from our print behaves like the normal build.

use crate::support::registry::{c_files, source};
use crate::support::{clang, data, full, must_run, prints, run_limited, scratch};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A program: its units, how to compile them, and what to give it.
pub struct Program {
    pub name: &'static str,
    pub units: Vec<PathBuf>,
    pub flags: Vec<String>,
    pub libraries: &'static [&'static str],
    pub args: Vec<String>,
}

#[test]
fn lua() {
    check(lua_program());
}

pub fn lua_program() -> Program {
    let dir = source("lua-src", "547.0.0").join("lua-5.4.7");
    let mut units = c_files(&dir, |_| true);
    units.push(data("lua_main.c"));
    Program {
        name: "lua",
        units,
        flags: vec![format!("-I{}", dir.display()), "-DLUA_USE_POSIX".into()],
        libraries: &["-lm"],
        args: vec![data("script.lua").display().to_string()],
    }
}

#[test]
fn sqlite() {
    check(sqlite_program());
}

pub fn sqlite_program() -> Program {
    let dir = source("libsqlite3-sys", "0.30.1").join("sqlite3");
    Program {
        name: "sqlite",
        units: vec![dir.join("sqlite3.c"), data("sqlite_main.c")],
        flags: vec![format!("-I{}", dir.display())],
        libraries: &["-lm", "-lpthread", "-ldl"],
        args: vec![data("statements.sql").display().to_string()],
    }
}

#[test]
fn zlib() {
    check(zlib_program());
}

pub fn zlib_program() -> Program {
    let dir = source("libz-sys", "1.1.15").join("src/zlib");
    let mut units = c_files(&dir, |_| true);
    units.push(data("zlib_main.c"));
    Program {
        name: "zlib",
        units,
        flags: vec![format!("-I{}", dir.display()), "-DHAVE_UNISTD_H".into()],
        libraries: &[],
        args: vec![data("script.lua").display().to_string()],
    }
}

#[test]
fn bzip2() {
    check(bzip2_program());
}

pub fn bzip2_program() -> Program {
    let dir = source("bzip2-sys", "0.1.11+1.0.8").join("bzip2-1.0.8");
    let library = ["blocksort", "huffman", "crctable", "randtable", "compress", "decompress", "bzlib"];
    let mut units = c_files(&dir, |name| library.contains(&name));
    units.push(data("bzip2_main.c"));
    Program {
        name: "bzip2",
        units,
        flags: vec![format!("-I{}", dir.display()), "-D_FILE_OFFSET_BITS=64".into()],
        libraries: &[],
        args: vec![data("script.lua").display().to_string()],
    }
}

#[test]
fn lz4() {
    check(lz4_program());
}

pub fn lz4_program() -> Program {
    let dir = source("lz4-sys", "1.11.1+lz4-1.10.0").join("liblz4/lib");
    let mut units = c_files(&dir, |_| true);
    units.push(data("lz4_main.c"));
    Program {
        name: "lz4",
        units,
        flags: vec![format!("-I{}", dir.display())],
        libraries: &[],
        args: vec![data("script.lua").display().to_string()],
    }
}

/// The newest and an old compiler; the long suite also optimises.
fn compilers() -> Vec<(u32, &'static str)> {
    let mut all = vec![(19, "-O0"), (14, "-O0")];
    if full() {
        all.extend([(16, "-O0"), (19, "-O1"), (14, "-O1")]);
    }
    all
}

fn check(program: Program) {
    let dir = scratch();
    let direct = dir.path().join("direct");
    let mut build = clang(19, &["-O0", "-o"]);
    build.arg(&direct).args(&program.flags).args(&program.units).args(program.libraries);
    must_run(&build);
    let expected = run(&direct, &program);
    assert!(expected.len() > 40, "{} tells too little to compare", program.name);
    for (version, level) in compilers() {
        let what = format!("{} by clang {version} {level}", program.name);
        let mut objects = [Vec::new(), Vec::new(), Vec::new()];
        for unit in &program.units {
            let mut emit =
                clang(version, &["-g", level, "-Xclang", "-disable-O0-optnone", "-S", "-emit-llvm", "-o", "-"]);
            emit.args(&program.flags).arg(unit);
            let text = String::from_utf8(must_run(&emit)).unwrap();
            let name = unit.file_stem().unwrap().to_str().unwrap();
            for ((form, print), objects) in prints(&text, &format!("{what}, {name}")).into_iter().zip(&mut objects) {
                let ll = dir.path().join(format!("{name}.{form}.ll"));
                std::fs::write(&ll, print).unwrap();
                let object = ll.with_extension("o");
                must_run(&clang(19, &["-O0", "-c", ll.to_str().unwrap(), "-o", object.to_str().unwrap()]));
                objects.push(object);
            }
        }
        for objects in objects {
            let built = dir.path().join("from-print");
            let mut link = clang(19, &["-o"]);
            link.arg(&built).args(&objects).args(program.libraries);
            must_run(&link);
            let found = run(&built, &program);
            assert_eq!(String::from_utf8_lossy(&found), String::from_utf8_lossy(&expected), "{what}");
        }
    }
    linked(&program, &dir, &expected);
}

/// All units as one module of ours: parsed, linked, promoted, printed, compiled and run.
fn linked(program: &Program, dir: &tempfile::TempDir, expected: &[u8]) {
    let modules = program
        .units
        .iter()
        .map(|unit| {
            let mut emit = clang(19, &["-g", "-O0", "-Xclang", "-disable-O0-optnone", "-S", "-emit-llvm", "-o", "-"]);
            emit.args(&program.flags).arg(unit);
            ir::parse::parse(&String::from_utf8(must_run(&emit)).unwrap()).unwrap()
        })
        .collect();
    let mut module = ir::link::link(modules).unwrap();
    ir::promote::promote(&mut module);
    let (ll, built) = (dir.path().join("linked.ll"), dir.path().join("linked"));
    std::fs::write(&ll, ir::print::print(&module)).unwrap();
    let mut link = clang(19, &["-O0", "-o"]);
    link.arg(&built).arg(&ll).args(program.libraries);
    must_run(&link);
    let found = run(&built, program);
    assert_eq!(String::from_utf8_lossy(&found), String::from_utf8_lossy(expected), "{} linked", program.name);
}

pub fn run(built: &Path, program: &Program) -> Vec<u8> {
    let mut command = Command::new(built);
    command.args(&program.args);
    let ran = run_limited(&command, Duration::from_secs(120)).unwrap_or_else(|| panic!("{} hangs", program.name));
    assert_eq!(ran.code, Some(0), "{}: {}", program.name, ran.stderr);
    ran.stdout
}
