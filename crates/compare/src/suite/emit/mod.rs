//! Tests as source files: each calls the entry on an input and asserts the outcome that was seen.
//!
//! What the language cannot say is not said wrongly: such a test becomes a comment with the reason and its line of the
//! suite, which `pathshift replay` can still run.

mod c;
mod rust;

pub use c::c_file;
pub use rust::rust_file;

use report::escape::inline;

/// A source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emitted {
    /// Its text.
    pub text: String,
    /// How many tests became code.
    pub written: usize,
    /// How many became comments.
    pub left_out: usize,
}

/// Text that ends no comment of C or Rust: on one line, with nothing hidden.
fn in_comment(text: &str) -> String {
    inline(text).replace("*/", "* /").replace("/*", "/ *")
}

/// Whether a name can stand in source as it is. Symbols may be called anything.
fn is_identifier(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name.bytes().next().is_some_and(|byte| !byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_not_left() {
        let check = |text: &str, expect: &str| assert_eq!(in_comment(text), expect);
        check("a */ b /* c", "a * / b / * c");
        check("*/*/", "* / * /");
        check("a\n#include \"x\"\r\u{2028}", "a\\n#include \"x\"\\r\\u{2028}");
    }

    #[test]
    fn names_that_source_can_say() {
        for (name, is_one) in [("f", true), ("_f1", true), ("", false), ("1f", false), ("f;}", false), ("f\n", false)] {
            assert_eq!(is_identifier(name), is_one, "{name}");
        }
    }
}
