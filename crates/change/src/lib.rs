//! What changed between two versions of a program.
//!
//! [`compare`] takes two promoted modules. It finds which symbols are the same ([`matching`]), hashes every function so
//! that noise does not count ([`hashes`]), and aligns what is left instruction by instruction ([`diff`]) and line by line
//! ([`lines`]). [`summary`] says the same in plain words and numbers.
//!
//! What is no change: comments, white space, lines that shift, names of locals and parameters, the order of functions and
//! declarations, numbers of string literals, names and padding of types, fields that nobody uses. What is one: any
//! operation, constant, condition, type, offset, flag, attribute or callee that may make a difference.
//!
//! All of that looks at code only. [`impact`] says what a change can reach, with the analyses of both versions.

mod align;
mod arguments;
mod assembly;
mod attrs;
mod body;
mod canon;
pub mod changes;
pub mod diff;
pub mod digest;
mod flow;
mod form;
pub mod hashes;
mod image;
pub mod impact;
mod keys;
mod line_constants;
pub mod lines;
pub mod matching;
mod names;
mod one_layout;
mod raw_bytes;
mod refine;
mod renames;
pub mod summary;
mod twins;
pub mod types;

pub use assembly::behind_changed_assembly;
pub use canon::{is_known_by_contents, symbols_of_constant};
pub use changes::{Changes, FunctionChange, GlobalChange, Kind, compare, compare_function, compare_knowing};
pub use diff::{Fate, FunctionDiff, Status};
pub use digest::Digest;
pub use hashes::Hashes;
pub use line_constants::{AsksForLine, Settled, settle};
pub use lines::Hunk;
pub use matching::Matching;
pub use one_layout::{OneLayout, one_layout};
