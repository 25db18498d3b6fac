//! What is installed and what is missing, as plain data.

use std::path::{Path, PathBuf};

use crate::toolchain::{self, INSTALL_CLANG, INSTALL_RUST, Tool, Version};
use crate::{BuildError, Context, Environment, Options, process};

/// Something that the program can use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What it is called.
    pub name: &'static str,
    /// What it is used for.
    pub purpose: &'static str,
    /// Whether an input of some kind cannot be read without it.
    pub required: bool,
    /// What was found, the one that is used first; empty if it is missing.
    pub found: Vec<Tool>,
    /// How to get it.
    pub install: &'static str,
}

/// Looks for everything that the program can use.
pub fn survey(env: &Environment) -> Result<Vec<Item>, BuildError> {
    let options = Options::default();
    let context = Context { options: &options, env, scratch: &env.temp };
    let clang = toolchain::clang(&context).ok();
    let header = |language: &str, header: &str| {
        let clang = clang.as_deref()?;
        header_works(clang, language, header, &context).then(|| Tool { path: header.into(), version: None })
    };
    let program = |name: &str| toolchain::find(name, &env.path).map(|path| tool(path, &context));
    let item = |name, purpose, required, found, install| Item { name, purpose, required, found, install };
    Ok(vec![
        item("clang", "C and C++", true, clangs(clang.as_deref(), &context), INSTALL_CLANG),
        item("C headers", "C", true, header("c", "stdio.h").into_iter().collect(), "apt-get install libc6-dev"),
        item("C++ headers", "C++", true, header("c++", "vector").into_iter().collect(), "apt-get install g++"),
        item("rustc", "Rust", true, program("rustc").into_iter().collect(), INSTALL_RUST),
        item("cargo", "cargo packages", true, program("cargo").into_iter().collect(), INSTALL_RUST),
        item("libLLVM", "bitcode, through rustc's own library", true, libllvm(&context), INSTALL_RUST),
        item("llvm-dis", "bitcode, if libLLVM fails", false, all("llvm-dis", &context), "apt-get install llvm-19"),
        item("cc", "linking in cargo packages", false, program("cc").into_iter().collect(), "apt-get install gcc"),
        item("git", "comparing two revisions", false, program("git").into_iter().collect(), "apt-get install git"),
    ])
}

/// The clang that is used, then all others.
fn clangs(used: Option<&Path>, context: &Context) -> Vec<Tool> {
    let Some(used) = used else { return Vec::new() };
    let mut clangs = all("clang", context);
    clangs.sort_by_key(|clang| clang.path != used);
    clangs
}

fn all(name: &str, context: &Context) -> Vec<Tool> {
    let mut found: Vec<PathBuf> = Vec::new();
    for (_, path) in toolchain::versioned(name, &context.env.path) {
        // The plain name is often a link to a numbered program.
        let real = |path: &Path| path.canonicalize().ok();
        if real(&path).is_none() || found.iter().all(|other| real(other) != real(&path)) {
            found.push(path);
        }
    }
    found.into_iter().map(|path| tool(path, context)).collect()
}

fn tool(path: PathBuf, context: &Context) -> Tool {
    let version = toolchain::version(&path, context);
    Tool { path, version }
}

fn libllvm(context: &Context) -> Vec<Tool> {
    let Some(path) = toolchain::rustc_libllvm(context) else { return Vec::new() };
    let version = toolchain::find("rustc", &context.env.path)
        .and_then(|rustc| toolchain::answer(&rustc, &["-vV"], context))
        .and_then(|answer| answer.lines().find_map(|line| Version::parse(line.strip_prefix("LLVM version:")?)));
    vec![Tool { path, version }]
}

fn header_works(clang: &Path, language: &str, header: &str, context: &Context) -> bool {
    let mut command = process::command(clang, context);
    command.args(["-fsyntax-only", "-include", header, "-x", language, "/dev/null"]);
    process::run(&mut command, context).is_ok_and(|finished| finished.status.success())
}
