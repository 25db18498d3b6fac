//! Source files, as lines. Debug info may name any file, and what is shown of it may be read by others: a `#line` directive, or a link
//! that is called `a.c`, must show no line of a private key. So only plain files of a size that sources have are read,
//! which, wherever links lead, are called as sources are.

use std::path::Path;

/// Largest file that is read as source, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// How names of sources end, in small letters.
const ENDINGS: [&str; 32] = [
    "c", "h", "cc", "cp", "cpp", "cxx", "c++", "hh", "hp", "hpp", "hxx", "h++", "inl", "inc", "ipp", "ixx", "tcc",
    "tpp", "txx", "def", "tbl", "rs", "y", "yy", "l", "re", "m", "mm", "s", "ll", "in", "gperf",
];

/// The lines of a source file; nothing if it cannot be read.
pub(crate) fn lines(path: &Path) -> Option<Vec<String>> {
    let path = path.canonicalize().ok()?;
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    let metadata = std::fs::metadata(&path).ok()?;
    if !ENDINGS.contains(&&*ending) || !metadata.is_file() || metadata.len() > MAX_BYTES {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    Some(String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may")]

    use super::*;

    #[test]
    fn devices_and_folders_are_no_source() {
        assert_eq!(lines(Path::new("/dev/zero")), None);
        assert_eq!(lines(Path::new("/")), None);
        assert!(lines(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src/lib.rs"))).is_some());
    }

    #[test]
    fn other_files_are_no_source_even_behind_links() {
        let dir = tempfile::tempdir().unwrap();
        let (key, link) = (dir.path().join("id_rsa"), dir.path().join("a.c"));
        std::fs::write(&key, "secret\n").unwrap();
        std::os::unix::fs::symlink(&key, &link).unwrap();
        assert_eq!((lines(&key), lines(&link)), (None, None));
    }
}
