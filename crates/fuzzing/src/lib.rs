//! Everything that reads bytes of others, as functions from bytes to nothing that panic if a promise is broken.
//!
//! Two drivers call them: libFuzzer (`fuzz/`), for hours, and the test of this crate, for seconds, with the mutator of
//! [`mutate`] on the seeds in `fuzz/corpus`. What either finds becomes a seed or a test where the mend is.

#![allow(clippy::panic)]

mod diff;
mod files;
pub mod mutate;

#[allow(clippy::panic, missing_docs)]
#[path = "../../ir/tests/pipeline/mod.rs"]
mod pipeline;

#[allow(dead_code)]
#[path = "../../cli/src/config/file.rs"]
mod settings_file;

use std::path::Path;
use std::time::Duration;

/// Something that reads bytes of others.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name, also that of its folder in `fuzz/corpus`.
    pub name: &'static str,
    /// Reads bytes. Panics if a promise is broken.
    pub run: fn(&[u8]),
    /// Whether the bytes are text, so that mutants are best made of words and lines.
    pub is_text: bool,
}

/// All targets.
pub const TARGETS: [Target; 8] = [
    Target { name: "parse", run: parse, is_text: true },
    Target { name: "bitcode", run: files::bitcode, is_text: false },
    Target { name: "suite", run: files::suite, is_text: true },
    Target { name: "ktest", run: files::ktest, is_text: false },
    Target { name: "store", run: files::store, is_text: false },
    Target { name: "settings", run: settings, is_text: true },
    Target { name: "compile_commands", run: files::compile_commands, is_text: true },
    Target { name: "diff", run: diff::diff, is_text: true },
];

/// What no input may take longer than, in a build without optimisation on a busy machine.
pub const SLOWEST: Duration = Duration::from_secs(60);

/// The target of that name.
pub fn target(name: &str) -> Option<Target> {
    TARGETS.into_iter().find(|target| target.name == name)
}

/// `pathshift.toml`, of the user and of a tree.
fn settings(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match settings_file::read(&text) {
        Ok(given) => {
            let mut refused = Vec::new();
            given.into_iter().for_each(|given| drop(given.limited_to_tree(&mut refused).words(Path::new("/project"))));
        }
        Err(problem) => assert!(problem.at.start <= text.len() && !problem.message.is_empty()),
    }
}

/// A module out of text: read, printed, read again, linked, promoted, listed.
fn parse(bytes: &[u8]) {
    pipeline::run(&String::from_utf8_lossy(bytes));
}
