//! Tests as source files: each calls the entry on an input and asserts the outcome that was seen.
//!
//! What the language cannot say is not said wrongly: such a test becomes a comment with the reason and its line of the
//! suite, which `pathshift replay` can still run.

mod c;
mod rust;

pub use c::c_file;
pub use rust::rust_file;

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

/// Text that ends no comment.
fn in_comment(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *").replace('\n', " ")
}
