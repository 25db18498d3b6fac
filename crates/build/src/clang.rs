//! Compiles one C or C++ file.

use std::path::Path;

use crate::error::BuildError;
use crate::{Context, UnitText, process, read_compiled, toolchain};

/// Unoptimised IR with debug info and without the `optnone` that would pin it so; unused functions stay.
pub(crate) const FLAGS: [&str; 7] =
    ["-g", "-O0", "-Xclang", "-disable-O0-optnone", "-femit-all-decls", "-S", "-emit-llvm"];

/// For code that was written for another compiler, or long ago: what gcc accepts shall not fail.
pub(crate) const LENIENT: [&str; 9] = [
    "-Qunused-arguments",
    "-Wno-unknown-warning-option",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-type",
    "-Wno-error=return-mismatch",
];

/// Compiles `source`. Warnings are dropped, errors are the compiler's own words.
pub(crate) fn compile(source: &Path, context: &Context) -> Result<UnitText, BuildError> {
    let ir = context.ir_path("", source);
    let mut command = process::command(toolchain::clang(context)?, context);
    command.args(FLAGS).args(LENIENT).args(&context.options.cflags).arg("-o").arg(&ir).arg(process::operand(source));
    let finished = process::run(&mut command, context)?;
    if !finished.status.success() {
        let help = missing_header(&finished.stderr)
            .then(|| "give include directories with --cflags \"-I...\", or name a compile_commands.json".to_owned());
        return Err(finished.failure(source, &command, help));
    }
    read_compiled(source, process::display(&command), &ir, finished.took, context)
}

fn missing_header(stderr: &str) -> bool {
    stderr.lines().any(|line| line.contains("fatal error:") && line.ends_with("file not found"))
}
