//! Compiles one target of a cargo package.
//!
//! Only the target itself is emitted as IR. The panic strategy is set by profile, so that dependencies agree with it;
//! everything else concerns the target alone. Without a `Cargo.lock`, cargo writes one, as it always does.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::error::BuildError;
use crate::{Context, UnitText, process, read_compiled, toolchain};

/// For all crates of the build.
const PROFILE: [&str; 4] = [
    "profile.dev.panic=\"abort\"",
    "profile.release.panic=\"abort\"",
    "profile.dev.debug=2",
    "profile.release.debug=2",
];

/// For the crate that is emitted as IR.
const FLAGS: [&str; 6] = ["-C", "codegen-units=1", "-C", "link-dead-code", "--cap-lints", "warn"];

/// Compiles the library of the package at `manifest` (its `Cargo.toml`), or the binary that the options choose.
pub(crate) fn compile(manifest: &Path, context: &Context) -> Result<UnitText, BuildError> {
    let manifest =
        manifest.canonicalize().map_err(|error| BuildError::Io { action: "read", path: manifest.into(), error })?;
    let cargo = toolchain::rust_tool("cargo", context)?;
    let metadata = metadata(&cargo, &manifest, context)?;
    let package = package(&metadata, &manifest)?;
    let target = target(package, context.options.bin.as_deref(), &manifest)?;
    let target_dir = match &context.options.cargo_target {
        Some(dir) => {
            forget(&cargo, &manifest, package, dir, context)?;
            dir.clone()
        }
        None => context.scratch.join("target"),
    };
    let ir = context.ir_path("", Path::new(&target.name));
    let mut emit = std::ffi::OsString::from("--emit=llvm-ir=");
    emit.push(&ir);
    let mut command = cargo_command(&cargo, "rustc", &manifest, context);
    command.arg("--quiet").arg("--target-dir").arg(absolute(&target_dir));
    for setting in PROFILE {
        command.args(["--config", setting]);
    }
    command.args(target.selection()).args(&context.options.cargo_flags).arg("--").args(FLAGS);
    command.args(&context.options.rustflags).arg(emit);
    let finished = process::run(&mut command, context)?;
    // The IR is complete before the linker runs, and dead code may need what no library has.
    let only_linking_failed = finished.stderr.contains("error: linking with") && ir.is_file();
    if !finished.status.success() && !only_linking_failed {
        return Err(finished.failure(&manifest, &command, None));
    }
    let mut unit = read_compiled(&target.src_path, process::display(&command), &ir, finished.took, context)?;
    if only_linking_failed {
        unit.notes.push(format!("{} does not link; its code was read all the same", target.name));
    }
    Ok(unit)
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    manifest_path: PathBuf,
    targets: Vec<Target>,
}

#[derive(Clone, Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
    src_path: PathBuf,
}

impl Target {
    fn is(&self, kind: &str) -> bool {
        self.kind.iter().any(|k| k == kind)
    }

    fn is_library(&self) -> bool {
        ["lib", "rlib", "dylib", "cdylib", "staticlib", "proc-macro"].iter().any(|kind| self.is(kind))
    }

    /// The arguments that make cargo build this target.
    fn selection(&self) -> Vec<&str> {
        if !self.is_library() {
            vec!["--bin", &self.name]
        } else if self.is("proc-macro") {
            vec!["--lib"]
        } else {
            // As a plain library nothing has to be linked.
            vec!["--lib", "--crate-type", "lib"]
        }
    }
}

fn metadata(cargo: &Path, manifest: &Path, context: &Context) -> Result<Metadata, BuildError> {
    let mut command = cargo_command(cargo, "metadata", manifest, context);
    command.args(["--no-deps", "--format-version", "1"]);
    let finished = process::run(&mut command, context)?;
    if !finished.status.success() {
        return Err(finished.failure(manifest, &command, None));
    }
    serde_json::from_slice(&finished.stdout)
        .map_err(|error| BuildError::Internal { message: format!("cargo metadata: {error}") })
}

fn package<'m>(metadata: &'m Metadata, manifest: &Path) -> Result<&'m Package, BuildError> {
    let is_it = |package: &&Package| package.manifest_path.canonicalize().is_ok_and(|path| path == manifest);
    metadata.packages.iter().find(is_it).ok_or_else(|| {
        let dirs = metadata.packages.iter().filter_map(|package| package.manifest_path.parent());
        let dirs: Vec<_> = dirs.map(|dir| dir.display().to_string()).collect();
        BuildError::Package {
            path: manifest.into(),
            message: "a workspace of several packages".to_owned(),
            help: Some(format!("name one of them: {}", dirs.join(", "))),
        }
    })
}

/// The binary `bin`, else the library, else the only binary.
fn target<'p>(package: &'p Package, bin: Option<&str>, manifest: &Path) -> Result<&'p Target, BuildError> {
    let error = |message: String, help: Option<String>| BuildError::Package { path: manifest.into(), message, help };
    let bins: Vec<_> = package.targets.iter().filter(|target| target.is("bin")).collect();
    let names = || bins.iter().map(|bin| bin.name.as_str()).collect::<Vec<_>>().join(", ");
    if let Some(name) = bin {
        let help = (!bins.is_empty()).then(|| format!("it has {}", names()));
        return (bins.iter().copied().find(|bin| bin.name == name))
            .ok_or_else(|| error(format!("the package has no binary {name}"), help));
    }
    if let Some(library) = package.targets.iter().find(|target| target.is_library()) {
        return Ok(library);
    }
    match bins[..] {
        [bin] => Ok(bin),
        [] => Err(error("the package has neither a library nor a binary".to_owned(), None)),
        _ => Err(error(
            "the package has several binaries".to_owned(),
            Some(format!("choose one with --bin: {}", names())),
        )),
    }
}

/// Makes cargo compile the package itself anew: it would not write the IR of what it thinks is up to date, and leave one
/// more copy of what it does not.
fn forget(cargo: &Path, manifest: &Path, package: &Package, dir: &Path, context: &Context) -> Result<(), BuildError> {
    if !dir.is_dir() {
        return Ok(());
    }
    for profile in ["dev", "release"] {
        let mut command = cargo_command(cargo, "clean", manifest, context);
        command.arg("--package").arg(format!("{}@{}", package.name, package.version));
        command.args(["--quiet", "--profile", profile, "--target-dir"]).arg(absolute(dir));
        let finished = process::run(&mut command, context)?;
        if !finished.status.success() {
            return Err(finished.failure(manifest, &command, None));
        }
    }
    Ok(())
}

/// Cargo in the directory of the package, where its toolchain file and configuration are found.
fn cargo_command(cargo: &Path, subcommand: &str, manifest: &Path, context: &Context) -> Command {
    let mut command = process::command(cargo, context);
    command.arg(subcommand).arg("--manifest-path").arg(manifest);
    command.env("CARGO_TERM_COLOR", "never").env("CARGO_INCREMENTAL", "0");
    if let Some(dir) = manifest.parent() {
        command.current_dir(dir);
    }
    command
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_comes_first_and_a_binary_has_to_be_clear() {
        let check = |targets: &[(&str, &str)], bin: Option<&str>, expect: &str| {
            let target_of = |&(kind, name): &(&str, &str)| Target {
                name: name.into(),
                kind: vec![kind.into()],
                src_path: PathBuf::new(),
            };
            let package = Package {
                name: "p".into(),
                version: "1.0.0".into(),
                manifest_path: "p/Cargo.toml".into(),
                targets: targets.iter().map(target_of).collect(),
            };
            let got = match target(&package, bin, Path::new("p")) {
                Ok(target) => target.selection().join(" "),
                Err(error) => format!("{error}; {}", error.help().unwrap_or_default()),
            };
            assert_eq!(got, expect, "{targets:?} {bin:?}");
        };
        let (lib, a, b) = (("cdylib", "l"), ("bin", "a"), ("bin", "b"));
        check(&[lib, a, b], None, "--lib --crate-type lib");
        check(&[lib, a, b], Some("b"), "--bin b");
        check(&[("proc-macro", "m")], None, "--lib");
        check(&[("test", "t"), a], None, "--bin a");
        check(&[a, b], None, "p: the package has several binaries; choose one with --bin: a, b");
        check(&[a, b], Some("c"), "p: the package has no binary c; it has a, b");
        check(&[("test", "t")], None, "p: the package has neither a library nor a binary; ");
    }
}
