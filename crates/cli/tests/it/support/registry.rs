//! Sources of published crates, fetched by cargo when a test needs them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the sources of a crate are. Cargo keeps what it has fetched.
pub fn source(name: &str, version: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("registry").join(format!("{name}-{version}"));
    std::fs::create_dir_all(dir.join("src")).unwrap();
    let manifest = format!(
        "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\
         [dependencies]\n{name} = \"={version}\"\n[workspace]\n"
    );
    write_if_new(&dir.join("Cargo.toml"), &manifest);
    write_if_new(&dir.join("src/lib.rs"), "");
    let output = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(["metadata", "--format-version", "1", "--quiet"])
        .current_dir(&dir)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages.iter().find(|package| package["name"] == name).unwrap();
    let manifest = PathBuf::from(package["manifest_path"].as_str().unwrap());
    manifest.parent().unwrap().to_path_buf()
}

/// All C files of a directory whose names `wanted` accepts, in order.
pub fn c_files(dir: &Path, wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .filter(|path| wanted(path.file_stem().unwrap().to_str().unwrap()))
        .collect();
    files.sort();
    files
}

/// A copy of a crate's sources that cargo builds on its own.
pub fn writable_copy(name: &str, version: &str, to: &Path) -> PathBuf {
    let to = to.join(format!("{name}-{version}"));
    let status = Command::new("cp").arg("-r").arg(source(name, version)).arg(&to).status().unwrap();
    assert!(status.success());
    to
}

fn write_if_new(path: &Path, contents: &str) {
    if std::fs::read_to_string(path).ok().as_deref() != Some(contents) {
        std::fs::write(path, contents).unwrap();
    }
}
