//! Any bytes as the text of a module: an error or a module, nothing else.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = ir::parse::parse(&String::from_utf8_lossy(bytes));
});
