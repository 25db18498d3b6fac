//! libFuzzer in front of one of the targets of `crates/fuzzing`: that which the variable `FUZZ_TARGET` names.
#![no_main]

use std::sync::OnceLock;

static RUN: OnceLock<fn(&[u8])> = OnceLock::new();

libfuzzer_sys::fuzz_target!(
    init: {
        let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
        let target = fuzzing::target(&name).unwrap_or_else(|| panic!("FUZZ_TARGET={name}: no such target"));
        let _ = RUN.set(target.run);
    },
    |bytes: &[u8]| if let Some(run) = RUN.get() {
        run(bytes);
    }
);
