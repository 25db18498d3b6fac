//! Builds Bitwuzla into a static library.
//!
//! Its sources come with the crate `bitwuzla-sys`, whose own build needs an installed Bitwuzla or downloads: we depend on
//! that crate, use nothing of it, and compile the sources that cargo has brought. CaDiCaL comes with `cadical-sys`, which
//! builds it; only its header is needed here. From the system come GMP and the headers of symfpu.

#![allow(clippy::print_stdout, reason = "a build script talks to cargo this way")]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The crates whose sources are used, each in the version of Cargo.toml.
const BITWUZLA: (&str, &str) = ("bitwuzla-sys", "0.8.0");
const CADICAL: (&str, &str) = ("cadical-sys", "0.7.0");

/// Our own sources.
const OURS: [&str; 2] = ["src/shim.cpp", "src/silent.cpp"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for file in OURS {
        println!("cargo::rerun-if-changed={file}");
    }
    if let Err(message) = build() {
        // Each line makes cargo fail, and is all that it shows: with a bad exit code it would show everything.
        for line in message.lines() {
            println!("cargo::error={line}");
        }
    }
}

fn build() -> Result<(), String> {
    let out = variable("OUT_DIR")?;
    let mut cpp = compiler();
    check_system(&cpp, &out)?;
    let metadata = metadata(&[BITWUZLA, CADICAL], &out)?;
    let bitwuzla = directory(&metadata, BITWUZLA.0)?.join("bitwuzla");
    let cadical = directory(&metadata, CADICAL.0)?.join("cadical");

    let generated = out.join("include");
    write_config(&bitwuzla, &generated)?;
    cpp.include(generated)
        .include(bitwuzla.join("include"))
        .include(bitwuzla.join("src"))
        .include(bitwuzla.join("src/lib"))
        .include(cadical.join("src"))
        // As `cadical-sys` does: it decides about the size of a class.
        .define("NTRACING", None)
        .files(OURS)
        .files(sources(&bitwuzla.join("src"))?);
    cpp.try_compile("pathshift_bitwuzla").map_err(|error| format!("Bitwuzla does not compile: {error}"))?;
    println!("cargo::rustc-link-lib=gmp");
    link_statically(&cpp, &out)
}

/// Makes programs carry the C++ library and GMP along where they can: loading and binding them takes longer than all the
/// rest of a program's start.
///
/// Linkers look for a library folder by folder, and take a static one where there is no other: so a folder that has
/// nothing else comes first. A system whose static libraries cannot be part of such programs keeps the shared ones.
fn link_statically(cpp: &cc::Build, out: &Path) -> Result<(), String> {
    let Ok(tool) = cpp.try_get_compiler() else { return Ok(()) };
    let folder = out.join("static");
    let source = folder.join("probe.cpp");
    write(&source, "#include <gmpxx.h>\n#include <iostream>\nint main() { std::cout << mpz_class(1).get_str(); }")?;
    for library in ["libstdc++.a", "libgmp.a"] {
        let found = tool.to_command().arg(format!("-print-file-name={library}")).output();
        let path = found.ok().and_then(|found| String::from_utf8(found.stdout).ok()).unwrap_or_default();
        // A library that is not there comes back as the name that was asked for.
        let path = Path::new(path.trim());
        if !path.is_absolute() || fs::copy(path, folder.join(library)).is_err() {
            return Ok(());
        }
    }
    let mut probe = tool.to_command();
    probe.arg("-pie").arg(&source).arg("-L").arg(&folder).arg("-lgmp").arg("-o").arg(folder.join("probe"));
    if probe.output().is_ok_and(|output| output.status.success()) {
        println!("cargo::rustc-link-search=native={}", folder.display());
    }
    Ok(())
}

/// Optimised in every profile: nobody debugs the solver, and its assertions cost a multiple.
fn compiler() -> cc::Build {
    let mut cpp = cc::Build::new();
    cpp.cpp(true).std("c++17").opt_level(2).debug(false).warnings(false).define("NDEBUG", None);
    if cpp.try_get_compiler().is_ok_and(|tool| tool.is_like_clang()) {
        // As `cadical-sys` does: the two are linked together.
        cpp.cpp_set_stdlib("c++");
    }
    cpp
}

/// Says which package is missing, before hundreds of lines of a compiler do.
fn check_system(cpp: &cc::Build, out: &Path) -> Result<(), String> {
    let needs = [
        ("a C++ compiler", "#include <vector>", "g++"),
        ("the header of GMP", "#include <gmpxx.h>", "libgmp-dev"),
        ("the headers of symfpu", "#include <symfpu/core/unpackedFloat.h>", "libsymfpu-dev"),
    ];
    for (what, include, package) in needs {
        let probe = out.join("probe.cpp");
        write(&probe, include)?;
        if cpp.clone().cargo_warnings(false).file(&probe).try_expand().is_err() {
            return Err(format!(
                "the SMT solver Bitwuzla needs {what}; on Debian and Ubuntu: apt-get install {package}\n\
                 or build without it: turn the cargo feature `bitwuzla` off (--no-default-features)"
            ));
        }
    }
    Ok(())
}

/// What cargo knows about crates that it has already brought for us.
///
/// Cargo tells where the dependencies of a package are, and for our own package it would first want those of the whole
/// workspace, with those for tests. So it is asked about a package that has nothing but these.
fn metadata(crates: &[(&str, &str)], out: &Path) -> Result<Value, String> {
    let manifest = out.join("locate/Cargo.toml");
    let mut text = "[package]\nname = \"locate\"\n[lib]\npath = \"lib.rs\"\n[workspace]\n[dependencies]\n".to_string();
    for (name, version) in crates {
        text += &format!("{name} = \"={version}\"\n");
    }
    write(&manifest, &text)?;
    write(&manifest.with_file_name("lib.rs"), "")?;

    // It runs in this package's directory, and so finds the user's settings: where the registry is, what is vendored.
    let output = Command::new(variable("CARGO")?)
        .args(["metadata", "--offline", "--format-version=1", "--filter-platform"])
        .arg(variable("TARGET")?)
        .arg("--manifest-path")
        .arg(&manifest)
        .output()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        return Err(format!("cargo does not tell where its crates are:\n{reason}"));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo's answer is not JSON: {error}"))
}

/// Where a crate is.
fn directory(metadata: &Value, name: &str) -> Result<PathBuf, String> {
    let package = metadata["packages"].as_array().into_iter().flatten().find(|package| package["name"] == name);
    let manifest = package.and_then(|package| package["manifest_path"].as_str()).map(Path::new);
    manifest.and_then(Path::parent).map(Path::to_path_buf).ok_or(format!("cargo does not tell where {name} is"))
}

/// What Bitwuzla's own build would write; the library shows it to those who ask, and we do not.
fn write_config(bitwuzla: &Path, directory: &Path) -> Result<(), String> {
    let template = bitwuzla.join("src/config.h.in");
    let mut text = fs::read_to_string(&template).map_err(|error| format!("{}: {error}", template.display()))?;
    for (key, value) in [
        ("@version@", BITWUZLA.1),
        ("@license@", "MIT"),
        ("@is_debug_build@", "false"),
        ("@is_dev_version@", "false"),
        ("@is_git_version@", "false"),
    ] {
        text = text.replace(key, value);
    }
    write(&directory.join("config.h"), &text)
}

/// The library's source files, without the parsers, the interface for C, the program, and what `silent.cpp` replaces.
fn sources(root: &Path) -> Result<Vec<PathBuf>, String> {
    let unused = [
        "api/c",
        "api/cpp/parser.cpp",
        "api/python",
        "main",
        "parser/btor2",
        "parser/smt2/parser.cpp",
        "parser/smt2/symbol_table.cpp",
        "util/logger.cpp",
    ];
    let unused = unused.map(|path| root.join(path));
    let mut files = Vec::new();
    let mut pending = vec![root.to_path_buf()];
    while let Some(directory) = pending.pop() {
        let failed = |error| format!("{}: {error}", directory.display());
        for entry in fs::read_dir(&directory).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if unused.contains(&path) {
                continue;
            }
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "cpp") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

fn variable(name: &str) -> Result<PathBuf, String> {
    env::var_os(name).map(PathBuf::from).ok_or(format!("cargo sets no {name}"))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let failed = |error| format!("{}: {error}", path.display());
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory).map_err(failed)?;
    }
    fs::write(path, text).map_err(failed)
}
