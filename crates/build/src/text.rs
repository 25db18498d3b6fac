//! Reads files of a bounded size.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::error::{BuildError, Limit};

/// Reads a file of at most `max` bytes that is not empty.
pub(crate) fn read(path: &Path, max: u64) -> Result<Vec<u8>, BuildError> {
    let io = |error| BuildError::Io { action: "read", path: path.into(), error };
    let too_large = || BuildError::Limit { limit: Limit::Size { path: path.into(), max } };
    let file = File::open(path).map_err(io)?;
    let length = file.metadata().map_err(io)?.len();
    if length > max {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0) + 1);
    // The file may grow while it is read.
    file.take(max.saturating_add(1)).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > max {
        return Err(too_large());
    }
    if bytes.is_empty() {
        return Err(BuildError::Empty { path: path.into() });
    }
    Ok(bytes)
}

/// Bytes as text, and whether some of them were no UTF-8 and had to be replaced.
pub(crate) fn decode(bytes: Vec<u8>) -> (String, bool) {
    match String::from_utf8(bytes) {
        Ok(text) => (text, false),
        Err(error) => (String::from_utf8_lossy(error.as_bytes()).into_owned(), true),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    #[test]
    fn files_are_bounded_and_not_empty() {
        let dir = tempfile::tempdir().unwrap();
        let check = |contents: &str, max: u64, expect: &str| {
            let path = dir.path().join("x.ll");
            std::fs::write(&path, contents).unwrap();
            let got = match read(&path, max) {
                Ok(bytes) => String::from_utf8(bytes).unwrap(),
                Err(error) => error.to_string().replace(&dir.path().display().to_string(), "DIR"),
            };
            assert_eq!(got, expect);
        };
        check("abc", 3, "abc");
        check("abcd", 3, "DIR/x.ll: larger than 3 bytes");
        check("", 3, "DIR/x.ll: the file is empty");
    }

    #[test]
    fn invalid_utf8_is_replaced() {
        assert_eq!(decode(b"a\xffb".to_vec()), ("a\u{fffd}b".to_owned(), true));
        assert_eq!(decode("ä".into()), ("ä".to_owned(), false));
    }
}
