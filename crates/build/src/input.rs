//! Tells what the user named.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::error::BuildError;

/// What is accepted, in words.
pub const ACCEPTED: &str = "C (.c), C++ (.cc .cpp .cxx .C), Rust (.rs), LLVM IR (.ll), LLVM bitcode (.bc), \
                            a directory with compile_commands.json, and a cargo package";

/// What the user named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A C file.
    C,
    /// A C++ file.
    Cpp,
    /// A Rust file.
    Rust,
    /// LLVM IR as text.
    Ir,
    /// LLVM bitcode.
    Bitcode,
    /// A compilation database, `compile_commands.json`.
    CompileCommands,
    /// A cargo package.
    CargoPackage,
}

/// The file that stands for what the user named, and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// What it is.
    pub kind: Kind,
    /// The file; of a directory its `compile_commands.json` or `Cargo.toml`.
    pub path: PathBuf,
}

/// Tells what `path` is: a directory by the files in it, bitcode by its contents, everything else by its name.
pub fn classify(path: &Path) -> Result<Input, BuildError> {
    let metadata = std::fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => BuildError::NotFound { path: path.into() },
        _ => BuildError::Io { action: "read", path: path.into(), error },
    })?;
    let unknown = |found: &str| BuildError::UnknownKind { path: path.into(), found: found.to_owned() };
    if metadata.is_dir() {
        return in_directory(path)
            .ok_or_else(|| unknown("a directory with neither compile_commands.json nor Cargo.toml"));
    }
    if !metadata.is_file() {
        return Err(unknown("not a regular file"));
    }
    let start = first_bytes(path)?;
    if start.is_empty() {
        return Err(BuildError::Empty { path: path.into() });
    }
    let found = by_contents(&start).or_else(|| by_name(path)).unwrap_or(Err("of a kind that is not known"));
    let kind = found.map_err(unknown)?;
    Ok(Input { kind, path: path.into() })
}

/// Whether the bytes are the start of bitcode, plain or in its wrapper.
pub fn is_bitcode(start: &[u8]) -> bool {
    start.starts_with(b"BC\xC0\xDE") || start.starts_with(&0x0B17_C0DE_u32.to_le_bytes())
}

/// The language of a C or C++ source file, by its name.
pub(crate) fn c_language(path: &Path) -> Option<Kind> {
    match path.extension()?.to_str()? {
        "c" | "i" => Some(Kind::C),
        "cc" | "cp" | "cpp" | "CPP" | "cxx" | "c++" | "C" | "ii" => Some(Kind::Cpp),
        _ => None,
    }
}

/// A database comes first: a C project more often carries a cargo package along than the reverse, and the package can
/// still be named by its `Cargo.toml`.
fn in_directory(dir: &Path) -> Option<Input> {
    let candidates = [
        ("compile_commands.json", Kind::CompileCommands),
        ("Cargo.toml", Kind::CargoPackage),
        ("build/compile_commands.json", Kind::CompileCommands),
    ];
    let inputs = candidates.map(|(name, kind)| Input { kind, path: dir.join(name) });
    inputs.into_iter().find(|input| input.path.is_file())
}

type Found = Result<Kind, &'static str>;

fn by_contents(start: &[u8]) -> Option<Found> {
    if is_bitcode(start) {
        Some(Ok(Kind::Bitcode))
    } else if start.starts_with(b"; ModuleID") || start.starts_with(b"source_filename") {
        Some(Ok(Kind::Ir))
    } else if start.starts_with(b"\x7FELF") || start.starts_with(b"!<arch>") {
        Some(Err("machine code; name the source that it was built from"))
    } else {
        None
    }
}

fn by_name(path: &Path) -> Option<Found> {
    if let Some(kind) = c_language(path) {
        return Some(Ok(kind));
    }
    match path.file_name()?.to_string_lossy().as_ref() {
        "compile_commands.json" => return Some(Ok(Kind::CompileCommands)),
        "Cargo.toml" => return Some(Ok(Kind::CargoPackage)),
        _ => {}
    }
    Some(match path.extension()?.to_str()? {
        "rs" => Ok(Kind::Rust),
        "ll" => Ok(Kind::Ir),
        "bc" => Err("named .bc, but it does not begin as bitcode does"),
        "h" | "hh" | "hpp" | "hxx" => Err("a header; name a source file that includes it"),
        _ => return None,
    })
}

fn first_bytes(path: &Path) -> Result<Vec<u8>, BuildError> {
    let mut start = Vec::new();
    File::open(path).and_then(|file| file.take(64).read_to_end(&mut start)).map_err(|error| BuildError::Io {
        action: "read",
        path: path.into(),
        error,
    })?;
    Ok(start)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    /// Writes `name` with `contents` into an empty directory and classifies `operand` there.
    fn check(operand: &str, files: &[(&str, &[u8])], expect: &str) {
        let dir = tempfile::tempdir().unwrap();
        for (name, contents) in files {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, contents).unwrap();
        }
        let got = match classify(&dir.path().join(operand)) {
            Ok(Input { kind, path }) => {
                format!("{kind:?} {}", path.strip_prefix(dir.path()).unwrap().display())
            }
            Err(error) => error.to_string().replace(&dir.path().display().to_string(), "."),
        };
        assert_eq!(got, expect, "{operand} among {files:?}");
    }

    #[test]
    fn files_are_known_by_name() {
        for (name, kind) in [
            ("a.c", "C"),
            ("a.i", "C"),
            ("a.cc", "Cpp"),
            ("a.cpp", "Cpp"),
            ("a.cxx", "Cpp"),
            ("a.C", "Cpp"),
            ("a.rs", "Rust"),
            ("a.ll", "Ir"),
            ("compile_commands.json", "CompileCommands"),
            ("Cargo.toml", "CargoPackage"),
        ] {
            check(name, &[(name, b"x")], &format!("{kind} {name}"));
        }
    }

    #[test]
    fn a_name_need_not_be_unicode() {
        use std::os::unix::ffi::OsStrExt;
        let dir = tempfile::tempdir().unwrap();
        for (name, kind) in [(&b"\xff.rs"[..], Kind::Rust), (b"\xff.ll", Kind::Ir), (b"\xff.c", Kind::C)] {
            let path = dir.path().join(std::ffi::OsStr::from_bytes(name));
            std::fs::write(&path, "x").unwrap();
            assert_eq!(classify(&path).unwrap().kind, kind);
        }
    }

    #[test]
    fn contents_outweigh_the_name() {
        check("a.txt", &[("a.txt", b"BC\xC0\xDE....")], "Bitcode a.txt");
        check("a.ll", &[("a.ll", b"\xDE\xC0\x17\x0B....")], "Bitcode a.ll");
        check("a", &[("a", b"; ModuleID = 'x'")], "Ir a");
        check("a.bc", &[("a.bc", b"source_filename = \"x\"")], "Ir a.bc");
    }

    #[test]
    fn directories_are_known_by_their_files() {
        let (db, package) = (("p/compile_commands.json", &b"[]"[..]), ("p/Cargo.toml", &b"[package]"[..]));
        check("p", &[db], "CompileCommands p/compile_commands.json");
        check("p", &[package], "CargoPackage p/Cargo.toml");
        check("p", &[db, package], "CompileCommands p/compile_commands.json");
        check("p", &[("p/build/compile_commands.json", b"[]")], "CompileCommands p/build/compile_commands.json");
        check("p", &[("p/a.c", b"x")], "./p: a directory with neither compile_commands.json nor Cargo.toml");
    }

    #[test]
    fn the_rest_is_refused_with_a_reason() {
        check("a.c", &[], "./a.c: no such file or directory");
        check("a.c", &[("a.c", b"")], "./a.c: the file is empty");
        check("a.py", &[("a.py", b"x")], "./a.py: of a kind that is not known");
        check("a.bc", &[("a.bc", b"x")], "./a.bc: named .bc, but it does not begin as bitcode does");
        check("a.h", &[("a.h", b"x")], "./a.h: a header; name a source file that includes it");
        check("a.c", &[("a.c", b"\x7FELF")], "./a.c: machine code; name the source that it was built from");
        let device = classify(Path::new("/dev/null")).unwrap_err();
        assert_eq!(device.to_string(), "/dev/null: not a regular file");
        assert!(device.help().unwrap().contains("compile_commands.json"));
    }
}
