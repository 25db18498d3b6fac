//! The program model: textual LLVM IR of any recent version, read, understood, promoted and printed.
//!
//! - [`mod@parse`] reads text into a `Module`;
//! - [`mod@print`] writes a module in a dialect that clang 15 and newer compile;
//! - [`mod@promote`] turns stack variables into values, keeping assignment markers;
//! - [`mod@link`] makes one module of several;
//! - [`weak`] makes addresses of undefined weak symbols values that are read;
//! - [`debug`] tells where an instruction comes from and what the user calls things;
//! - [`dominators`] tells which nodes of a graph lie on every way to a node;
//! - [`layout`] tells sizes, alignments and offsets.
//!
//! The crate knows nothing of compilers, files or the terminal.

pub mod attrs;
pub mod constant;
pub mod debug;
pub mod demangle;
pub mod dominators;
pub mod id;
pub mod inline;
pub mod inst;
pub mod layout;
pub mod link;
pub mod merge;
pub mod module;
mod operands;
pub mod parse;
pub mod passing;
pub mod print;
pub mod promote;
pub mod types;
pub mod weak;
