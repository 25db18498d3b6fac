//! Compiles one C or C++ file.

use std::path::{Path, PathBuf};

use crate::error::BuildError;
use crate::input::{Kind, c_language};
use crate::{Context, UnitText, process, read_compiled, toolchain};

/// Unoptimised IR with debug info and without the `optnone` that would pin it so; unused functions stay.
pub(crate) const FLAGS: [&str; 7] =
    ["-g", "-O0", "-Xclang", "-disable-O0-optnone", "-femit-all-decls", "-S", "-emit-llvm"];

/// Classes are described wherever they are used, not only where their virtual functions are.
pub(crate) const CPP_FLAGS: [&str; 1] = ["-fstandalone-debug"];

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

/// Makes the code of `std::string` part of each unit that uses it.
const STRINGS: &str = include_str!("headers/basic_string.tcc");

/// Whether a file is compiled as C++.
pub(crate) fn is_cpp(source: &Path, flags: &[String]) -> bool {
    c_language(source) == Some(Kind::Cpp) || flags.iter().any(|flag| flag == "c++" || flag == "-xc++")
}

/// A directory of headers that are to be found before those of the C++ library, for `-isystem`.
pub(crate) fn headers(context: &Context) -> Result<PathBuf, BuildError> {
    // Compilers that run in another directory must find it too.
    let scratch = std::path::absolute(context.scratch).unwrap_or_else(|_| context.scratch.into());
    let dir = scratch.join("headers");
    let (bits, write) = (dir.join("bits"), |error, path| BuildError::Io { action: "write", path, error });
    std::fs::create_dir_all(&bits).map_err(|error| write(error, bits.clone()))?;
    let file = bits.join("basic_string.tcc");
    std::fs::write(&file, STRINGS).map_err(|error| write(error, file))?;
    Ok(dir)
}

/// Compiles `source`. Warnings are dropped, errors are the compiler's own words.
pub(crate) fn compile(source: &Path, context: &Context) -> Result<UnitText, BuildError> {
    let ir = context.ir_path("", source);
    let mut command = process::command(toolchain::clang(context)?, context);
    if is_cpp(source, &context.options.cflags) {
        command.args(CPP_FLAGS).arg("-isystem").arg(headers(context)?);
    }
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
