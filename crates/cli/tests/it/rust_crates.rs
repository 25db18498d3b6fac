//! Rust crates from the registry, unoptimised and optimised: nothing unsupported but assembly and
//! SIMD, and clang accepts our print.

use crate::support::registry::writable_copy;
use crate::support::{clang, full, must_run, prints, scratch};
use ir::inst::InstKind;
use std::path::{Path, PathBuf};
use std::process::Command;

const CRATES: [(&str, &str); 12] = [
    ("itoa", "1.0.11"),
    ("hex", "0.4.3"),
    ("semver", "1.0.26"),
    ("httparse", "1.9.5"),
    ("smallvec", "1.13.2"),
    ("percent-encoding", "2.3.1"),
    ("base64", "0.22.1"),
    ("humantime", "2.1.0"),
    ("leb128", "0.2.5"),
    ("fnv", "1.0.7"),
    ("unicode-width", "0.1.13"),
    ("memchr", "2.7.4"),
];

#[test]
fn crates_are_understood_and_printed() {
    let dir = scratch();
    // The last one is large; it is for the long suite.
    let crates = if full() { &CRATES[..] } else { &CRATES[..CRATES.len() - 1] };
    for (name, version) in crates {
        let package = writable_copy(name, version, dir.path());
        for profile in ["debug", "release"] {
            let what = format!("{name} {version} {profile}");
            let text = std::fs::read_to_string(emit(&package, profile)).unwrap();
            let module = ir::parse::parse(&text).unwrap_or_else(|error| panic!("{what}: {error}"));
            let bodies = module.functions.iter().flat_map(|f| f.insts.iter());
            let unsupported = bodies.filter(|inst| matches!(inst.kind, InstKind::Unsupported(_))).count();
            assert_eq!((unsupported, module.notes.as_slice()), (0, &[][..]), "{what}");
            for (form, print) in prints(&text, &what) {
                let ll = dir.path().join(format!("{form}.ll"));
                std::fs::write(&ll, print).unwrap();
                must_run(&clang(19, &["-O0", "-c", ll.to_str().unwrap(), "-o", "/dev/null"]));
            }
        }
    }
}

/// The IR of a package's library.
fn emit(package: &Path, profile: &str) -> PathBuf {
    let target = package.join("target");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.args(["rustc", "--quiet", "--lib", "--config", "profile.dev.panic=\"abort\"", "--config"]);
    cargo.args(["profile.release.debug=2", "--target-dir"]).arg(&target).current_dir(package);
    if profile == "release" {
        cargo.arg("--release");
    }
    cargo.args(["--", "--cap-lints=allow", "--emit=llvm-ir", "-C", "codegen-units=1", "-C", "link-dead-code"]);
    must_run(&cargo);
    let deps = target.join(profile).join("deps");
    let mut found: Vec<PathBuf> = std::fs::read_dir(deps)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "ll"))
        .collect();
    assert_eq!(found.len(), 1);
    found.remove(0)
}
