//! Compiles the part of a replay driver that is the same for all programs, so that no run has to.

#![allow(clippy::print_stdout, reason = "a build script talks to cargo this way")]

use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let sources = ["src/replay/runtime.c", "src/replay/heap.c", "src/replay/sandbox.c"];
    for source in sources {
        println!("cargo::rerun-if-changed={source}");
    }
    // The first one includes the others.
    let objects = cc::Build::new()
        .file(sources[0])
        .opt_level(2)
        .debug(false)
        .warnings(false)
        .pic(true)
        .try_compile_intermediates()?;
    let object = objects.first().ok_or("the runtime of replays was not compiled")?;
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("cargo names no folder for what is built")?);
    std::fs::copy(object, folder.join("runtime.o"))?;
    Ok(())
}
