//! Compiles a cargo package: a target of it, and the user's own crates that go into it.
//!
//! Cargo calls a script of ours in place of rustc. It calls rustc, and makes a crate leave its IR too if it is part of the
//! program and not somebody else's; cargo's arguments tell: it silences warnings of crates that do not come from a local
//! path, and build scripts and macros never abort on panic, which all crates of the program are told to. So everything
//! comes from one build, and names of symbols agree between crates.
//!
//! Without a `Cargo.lock`, cargo writes one, as it always does.
//!
//! If nothing of the input may run ([`Native::Never`]), the script refuses to compile build scripts and procedural macros:
//! what is not compiled cannot run. Cargo then also runs outside of the package, where neither cargo nor rustup finds
//! settings of the package that name compilers, wrappers, linkers or a toolchain.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::error::BuildError;
use crate::{Context, Native, UnitText, process, read_compiled, toolchain, wrote_no_ir};

/// For all crates of the build.
const PROFILE: [&str; 4] = [
    "profile.dev.panic=\"abort\"",
    "profile.release.panic=\"abort\"",
    "profile.dev.debug=2",
    "profile.release.debug=2",
];

/// For the crates that leave their IR.
const FLAGS: [&str; 6] = ["-C", "codegen-units=1", "-C", "link-dead-code", "--cap-lints", "warn"];

/// Compiles the package at `manifest` (its `Cargo.toml`): its library and its binary, or the binary that the options
/// choose. The crates come in the order of their source files.
pub(crate) fn compile(manifest: &Path, context: &Context) -> Result<Vec<UnitText>, BuildError> {
    let manifest =
        manifest.canonicalize().map_err(|error| BuildError::Io { action: "read", path: manifest.into(), error })?;
    let cargo = toolchain::rust_tool("cargo", context)?;
    let metadata = metadata(&cargo, &manifest, &["--no-deps"], context)?;
    let package = package(&metadata, &manifest)?;
    let (target, left_out) = target(package, context.options.bin.as_deref(), &manifest)?;
    let target_dir = match &context.options.cargo_target {
        Some(dir) => {
            forget(&cargo, &manifest, dir, context)?;
            dir.clone()
        }
        None => context.scratch.join("target"),
    };
    let crates = Crates::new(context)?;
    let wrapper = wrapper(context)?;
    let mut command = cargo_command(&cargo, "rustc", &manifest, context);
    command.arg("--quiet").arg("--target-dir").arg(absolute(&target_dir));
    for setting in PROFILE {
        command.args(["--config", setting]);
    }
    command.args(target.selection()).args(&context.options.cargo_flags);
    command.env("RUSTC_WRAPPER", wrapper).env("PATHSHIFT_CRATES", &crates.notes).env("PATHSHIFT_IR", &crates.ir);
    command.env("PATHSHIFT_FLAGS", flags(context)).env("PATHSHIFT_MACROS", target.macros());
    command.env("PATHSHIFT_RAN", &crates.ran);
    if context.options.native == Native::Never {
        command.env("PATHSHIFT_REFUSED", &crates.refused);
    }
    let finished = process::run(&mut command, context)?;
    crates.check_refused(&manifest)?;
    let compiled = crates.compiled()?;
    let is_there = compiled.iter().any(|compiled| target.is_at(&compiled.source) && compiled.ir.is_file());
    // The IR is complete before the linker runs, and dead code may need what no library has.
    let only_linking_failed = finished.stderr.contains("error: linking with") && is_there;
    if !finished.status.success() && !only_linking_failed {
        return Err(finished.failure(&manifest, &command, None));
    }
    let (shown, mut took) = (process::display(&command), finished.took);
    if !is_there {
        return Err(wrote_no_ir(&target.src_path, shown));
    }
    let ran = code_that_ran(&crates)?;
    let mut units = Vec::new();
    for Compiled { source, ir } in &compiled {
        let mut unit = read_compiled(source, shown.clone(), ir, std::mem::take(&mut took), context)?;
        if target.is_at(source) {
            let unlinked = || format!("{} does not link; its code was read all the same", target.name);
            unit.notes.extend(only_linking_failed.then(unlinked));
            let more = || format!("not shown: the binaries {}; choose one with --bin", left_out.join(", "));
            unit.notes.extend((!left_out.is_empty()).then(more));
            unit.notes.extend(unused_settings(&manifest, context));
            unit.notes.extend(ran.clone());
        }
        units.push(unit);
    }
    Ok(units)
}

/// The flags for crates that leave their IR, as the words of a shell.
fn flags(context: &Context) -> String {
    let flags = FLAGS.into_iter().chain(context.options.rustflags.iter().map(String::as_str));
    flags.map(process::quote).collect::<Vec<_>>().join(" ")
}

/// Where crates leave their IR, and a note that they did.
struct Crates {
    /// A file for each crate that was compiled, with the path of its source.
    notes: PathBuf,
    ir: PathBuf,
    /// A file for each build script or procedural macro that was not compiled because nothing may run, which says whose it is.
    refused: PathBuf,
    /// The same for those that were compiled, and that cargo or rustc has run.
    ran: PathBuf,
}

/// A crate that was compiled.
struct Compiled {
    source: PathBuf,
    ir: PathBuf,
}

/// What cargo calls in place of rustc. Ids of types and hashes in symbols are made of a crate's metadata, which is made of
/// its version and its place; both versions get the same.
const WRAPPER: &str = r#"#!/bin/sh
previous= crate= suffix= source= part= foreign= runs=
for argument do
    [ "$previous" = --crate-name ] && crate=$argument
    case $argument in
    extra-filename=*) suffix=${argument#*=} ;;
    panic=abort) part=yes ;;
    --cap-lints) foreign=yes ;;
    proc-macro|--crate-type=proc-macro) runs='a procedural macro' ;;
    *.rs) source=$argument ;;
    esac
    previous=$argument
done
case $crate in build_script_*) runs='a build script' ;; esac
if [ "$crate" = "$PATHSHIFT_MACROS" ]; then part=yes runs=; fi
if [ "$PATHSHIFT_REFUSED" ] && [ "$runs" ] && [ "$source" ]; then
    printf '%s of %s' "$runs" "$CARGO_PKG_NAME" > "$PATHSHIFT_REFUSED/$crate$suffix"
    exit 1
fi
if [ "$runs" ] && [ "$source" ]; then
    printf '%s of %s' "$runs" "$CARGO_PKG_NAME" > "$PATHSHIFT_RAN/$crate$suffix"
fi
if [ "$source" ] && [ "$part" ] && [ ! "$foreign" ]; then
    case $source in
    /*) ;;
    *) source=$PWD/$source ;;
    esac
    printf %s "$source" > "$PATHSHIFT_CRATES/$crate$suffix"
    for argument do
        shift
        case $argument in metadata=*) argument=metadata=pathshift ;; esac
        set -- "$@" "$argument"
    done
    eval "set -- \"\$@\" $PATHSHIFT_FLAGS"
    set -- "$@" "--emit=llvm-ir=$PATHSHIFT_IR/$crate$suffix.ll"
fi
exec "$@"
"#;

impl Crates {
    fn new(context: &Context) -> Result<Crates, BuildError> {
        let [notes, refused, ran] = ["crates", "refused", "ran"].map(|name| absolute(&context.scratch.join(name)));
        for folder in [&notes, &refused, &ran] {
            std::fs::create_dir(folder).map_err(|error| process::scratch_error(folder, &error))?;
        }
        let ir = absolute(context.options.keep_ir.as_deref().unwrap_or(context.scratch));
        Ok(Crates { notes, ir, refused, ran })
    }

    /// The error for a package that cannot be built unless something of it runs.
    fn check_refused(&self, manifest: &Path) -> Result<(), BuildError> {
        let refused = listed(&self.refused)?;
        if refused.is_empty() {
            return Ok(());
        }
        let refused: Vec<String> = refused.into_iter().collect();
        let message = format!("building it would run {}, and --no-run forbids it", refused.join(", "));
        let help = "if you trust the package and what it depends on, leave out --no-run; else name IR that was built elsewhere";
        Err(BuildError::Package { path: manifest.into(), message, help: Some(help.to_owned()) })
    }

    /// The crates that left their IR.
    fn compiled(&self) -> Result<Vec<Compiled>, BuildError> {
        let unreadable = |error| BuildError::Io { action: "read", path: self.notes.clone(), error };
        let mut compiled = Vec::new();
        for entry in std::fs::read_dir(&self.notes).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let source = std::fs::read(entry.path()).map_err(unreadable)?;
            let mut name = entry.file_name();
            name.push(".ll");
            let source = PathBuf::from(OsString::from_vec(source));
            compiled.push(Compiled { source, ir: self.ir.join(name) });
        }
        compiled.sort_by(|a, b| (&a.source, &a.ir).cmp(&(&b.source, &b.ir)));
        Ok(compiled)
    }
}

/// What the files of a folder say, in order, each thing once.
fn listed(folder: &Path) -> Result<BTreeSet<String>, BuildError> {
    let unreadable = |error| BuildError::Io { action: "read", path: folder.into(), error };
    let entries = std::fs::read_dir(folder).map_err(unreadable)?;
    entries.map(|entry| std::fs::read_to_string(entry.map_err(unreadable)?.path()).map_err(unreadable)).collect()
}

/// Says which code of the package, and of what it depends on, the build has run.
fn code_that_ran(crates: &Crates) -> Result<Option<String>, BuildError> {
    let ran = listed(&crates.ran)?;
    let shown: Vec<&str> = ran.iter().take(MOST_SHOWN).map(String::as_str).collect();
    let rest = ran.len().saturating_sub(MOST_SHOWN);
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    let note = || format!("the build ran {}{more}, without a sandbox; --no-run refuses to", shown.join(", "));
    Ok((!ran.is_empty()).then(note))
}

/// Most build scripts and procedural macros that are named.
const MOST_SHOWN: usize = 4;

/// Writes the script that cargo calls in place of rustc. A shell does it: a file that this process has open for
/// writing while another thread starts a program could not be run.
fn wrapper(context: &Context) -> Result<PathBuf, BuildError> {
    let file = absolute(&context.scratch.join("rustc-wrapper"));
    let mut write = process::command("/bin/sh", context);
    write.args(["-c", "printf %s \"$1\" > \"$0\" && chmod +x \"$0\""]).arg(&file).arg(WRAPPER);
    let finished = process::run(&mut write, context)?;
    if !finished.status.success() {
        return Err(BuildError::Internal { message: format!("{}: {}", file.display(), finished.problem()) });
    }
    Ok(file)
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
    /// Where it comes from; nowhere if it is the user's own.
    source: Option<String>,
    targets: Vec<Target>,
}

#[derive(Clone, Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
    src_path: PathBuf,
    #[serde(default, rename = "required-features")]
    required_features: Vec<String>,
}

impl Target {
    fn is(&self, kind: &str) -> bool {
        self.kind.iter().any(|k| k == kind)
    }

    fn is_library(&self) -> bool {
        ["lib", "rlib", "dylib", "cdylib", "staticlib", "proc-macro"].iter().any(|kind| self.is(kind))
    }

    /// Whether binaries of the same package use it.
    fn is_used_by_binaries(&self) -> bool {
        ["lib", "rlib", "dylib"].iter().any(|kind| self.is(kind))
    }

    /// Whether `source` is its root.
    fn is_at(&self, source: &Path) -> bool {
        source == self.src_path
            || source.canonicalize().is_ok_and(|a| self.src_path.canonicalize().is_ok_and(|b| a == b))
    }

    /// The name of its crate if it has macros, which cargo compiles in another way than programs.
    fn macros(&self) -> String {
        if self.is("proc-macro") { self.name.replace('-', "_") } else { String::new() }
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

fn metadata(cargo: &Path, manifest: &Path, flags: &[&str], context: &Context) -> Result<Metadata, BuildError> {
    let mut command = cargo_command(cargo, "metadata", manifest, context);
    command.args(["--format-version", "1"]).args(flags);
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

/// The binary `bin`, else the only binary, else the library; and the binaries that are left out though nobody chose. A
/// binary brings the library that it uses.
fn target<'p>(
    package: &'p Package,
    bin: Option<&str>,
    manifest: &Path,
) -> Result<(&'p Target, Vec<&'p str>), BuildError> {
    let error = |message: String, help: Option<String>| BuildError::Package { path: manifest.into(), message, help };
    let bins: Vec<_> = package.targets.iter().filter(|target| target.is("bin")).collect();
    let names = bins.iter().map(|bin| bin.name.as_str()).collect::<Vec<_>>();
    if let Some(name) = bin {
        let help = (!bins.is_empty()).then(|| format!("it has {}", names.join(", ")));
        let chosen = bins.iter().copied().find(|bin| bin.name == name);
        let chosen = chosen.ok_or_else(|| error(format!("the package has no binary {name}"), help))?;
        return Ok((chosen, Vec::new()));
    }
    match (package.targets.iter().find(|target| target.is_library()), &bins[..]) {
        (Some(library), [bin]) if library.is_used_by_binaries() && bin.required_features.is_empty() => {
            Ok((bin, Vec::new()))
        }
        (Some(library), _) => Ok((library, names)),
        (None, [bin]) => Ok((bin, Vec::new())),
        (None, []) => Err(error("the package has neither a library nor a binary".to_owned(), None)),
        (None, _) => Err(error(
            "the package has several binaries".to_owned(),
            Some(format!("choose one with --bin: {}", names.join(", "))),
        )),
    }
}

/// Makes cargo compile the user's own crates anew: those that it thinks are up to date would leave no IR.
fn forget(cargo: &Path, manifest: &Path, dir: &Path, context: &Context) -> Result<(), BuildError> {
    if !dir.is_dir() {
        return Ok(());
    }
    let offline = context.options.cargo_flags.iter().map(String::as_str);
    let offline: Vec<_> = offline.filter(|flag| ["--offline", "--locked", "--frozen"].contains(flag)).collect();
    let metadata = metadata(cargo, manifest, &offline, context)?;
    for profile in ["dev", "release"] {
        let mut command = cargo_command(cargo, "clean", manifest, context);
        for package in metadata.packages.iter().filter(|package| package.source.is_none()) {
            command.arg("--package").arg(format!("{}@{}", package.name, package.version));
        }
        command.args(["--quiet", "--profile", profile, "--target-dir"]).arg(absolute(dir)).args(&offline);
        let finished = process::run(&mut command, context)?;
        if !finished.status.success() {
            return Err(finished.failure(manifest, &command, None));
        }
    }
    Ok(())
}

/// Settings of a package that can name programs.
const SETTINGS: [&str; 4] = [".cargo/config.toml", ".cargo/config", "rust-toolchain.toml", "rust-toolchain"];

/// Says which settings of the package do not count because nothing of it may run.
fn unused_settings(manifest: &Path, context: &Context) -> Option<String> {
    let package = manifest.parent().filter(|_| context.options.native == Native::Never)?;
    let root = package.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(package);
    let folders = package.ancestors().take_while(|folder| folder.starts_with(root));
    let files = folders.flat_map(|folder| SETTINGS.map(|name| folder.join(name))).filter(|path| path.exists());
    let files: Vec<String> = files.map(|path| path.display().to_string()).collect();
    (!files.is_empty()).then(|| format!("not used because of --no-run: {}", files.join(", ")))
}

/// Cargo in the directory of the package, where its toolchain file and configuration are found; at the root of the file
/// system if these must not count.
fn cargo_command(cargo: &Path, subcommand: &str, manifest: &Path, context: &Context) -> Command {
    let mut command = process::command(cargo, context);
    command.arg(subcommand).arg("--manifest-path").arg(manifest);
    command.env("CARGO_TERM_COLOR", "never").env("CARGO_INCREMENTAL", "0");
    match manifest.parent() {
        _ if context.options.native == Native::Never => command.current_dir("/"),
        Some(dir) => command.current_dir(dir),
        None => &mut command,
    };
    command
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_binary_brings_its_library_and_has_to_be_clear() {
        let check = |targets: &[(&str, &str)], bin: Option<&str>, expect: &str| {
            let target_of = |&(kind, name): &(&str, &str)| Target {
                name: name.into(),
                kind: vec![kind.into()],
                src_path: PathBuf::new(),
                required_features: if name == "f" { vec!["feature".into()] } else { Vec::new() },
            };
            let package = Package {
                name: "p".into(),
                version: "1.0.0".into(),
                manifest_path: "p/Cargo.toml".into(),
                source: None,
                targets: targets.iter().map(target_of).collect(),
            };
            let got = match target(&package, bin, Path::new("p")) {
                Ok((target, left_out)) => [&target.selection()[..], &left_out].concat().join(" "),
                Err(error) => format!("{error}; {}", error.help().unwrap_or_default()),
            };
            assert_eq!(got, expect, "{targets:?} {bin:?}");
        };
        let (lib, a, b) = (("lib", "l"), ("bin", "a"), ("bin", "b"));
        check(&[lib, a, b], None, "--lib --crate-type lib a b");
        check(&[lib, a, b], Some("b"), "--bin b");
        check(&[lib, a], None, "--bin a");
        // Binaries cannot use every library, nor be built with every feature.
        check(&[("cdylib", "l"), a], None, "--lib --crate-type lib a");
        check(&[lib, ("bin", "f")], None, "--lib --crate-type lib f");
        check(&[("proc-macro", "m")], None, "--lib");
        check(&[("test", "t"), a], None, "--bin a");
        check(&[a, b], None, "p: the package has several binaries; choose one with --bin: a, b");
        check(&[a, b], Some("c"), "p: the package has no binary c; it has a, b");
        check(&[("test", "t")], None, "p: the package has neither a library nor a binary; ");
    }
}
