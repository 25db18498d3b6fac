//! Changes between versions of real code: small programs, libraries from the registry, random edits.
//!
//! Needs clang 14 and 19. The long run (`PATHSHIFT_FULL=1`) makes more edits.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod digests;
mod edits;
mod impact;
mod real;
#[path = "../../../cli/tests/it/support/registry.rs"]
#[allow(dead_code)]
mod registry;
mod small;
mod source;
mod support;
