//! What runs in place of intrinsics, `math.h` and the runtimes of Rust and C++ does what they do.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

mod cpp;
mod inputs;
mod intrinsics;
mod math;
mod rust;
mod support;
