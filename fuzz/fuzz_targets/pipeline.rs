//! Any bytes through everything that the model does with a text.
#![no_main]

#[path = "../../crates/ir/tests/pipeline/mod.rs"]
mod pipeline;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    pipeline::run(&String::from_utf8_lossy(bytes));
});
