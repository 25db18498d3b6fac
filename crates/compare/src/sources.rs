//! Source files, as lines. Debug info may name any file: only plain files of a size that sources have are read, so that
//! neither a device nor a pipe can hold a run up.

use std::path::Path;

/// Largest file that is read as source, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// The lines of a source file; nothing if it cannot be read.
pub(crate) fn lines(path: &Path) -> Option<Vec<String>> {
    let metadata = std::fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > MAX_BYTES {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    Some(String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_and_folders_are_no_source() {
        assert_eq!(lines(Path::new("/dev/zero")), None);
        assert_eq!(lines(Path::new("/")), None);
        assert!(lines(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))).is_some());
    }
}
