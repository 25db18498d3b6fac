//! One interpreter of the program model: exact, symbolic, and silent about what it is used for.
//!
//! - [`program`]: a module made ready to run, shared by all workers; [`code`]: its functions, prepared;
//! - [`state`]: a running program between two instructions, cheap to copy, and why it stopped;
//! - [`run`]: how instructions and models ask, read, write and fail; [`step`]: the instructions;
//! - [`memory`], [`contents`], [`access`](mod@access): objects, their bytes, and every access checked;
//! - [`skip`](mod@skip): going on behind a branch without deciding it;
//! - [`inputs`]: what a program is given, made up when first looked at; [`entry`]: where a run begins; [`shapes`]: what
//!   inputs look like;
//! - [`models`]: what runs in place of the C library, the Rust runtime and intrinsics;
//! - [`concrete`]: runs on a known input;
//! - [`case`]: one concrete input and what comes of it, as plain data; [`given`]: such an input as values of symbols.
//!
//! The crate solves nothing and knows no strategy: where a state leaves something open it stops with a question.

pub mod access;
pub mod aliasing;
mod arith;
mod bytes;
mod calls;
pub mod case;
mod casts;
pub mod changes;
pub mod code;
pub mod concrete;
pub mod containers;
pub mod contents;
mod cpp_calls;
pub mod cpp_inputs;
pub mod entry;
mod extent;
pub mod fixed;
pub mod formatters;
pub mod given;
pub mod inputs;
pub mod list;
pub mod memory;
pub mod models;
pub mod names;
pub mod observe;
pub mod outside;
pub mod pin;
mod prepare;
pub mod program;
pub mod record;
pub mod relaid;
pub mod run;
mod rust_inputs;
pub mod same;
pub mod shapes;
pub mod skip;
pub mod state;
pub mod step;
mod switch;
mod twins;
mod unwind;
pub mod value;
pub mod variants;
pub mod windows;
mod x87;
