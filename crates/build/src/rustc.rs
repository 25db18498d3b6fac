//! Compiles one Rust file.

use std::path::{Path, PathBuf};

use crate::error::BuildError;
use crate::{Context, UnitText, process, read_compiled, text, toolchain};

/// Unoptimised IR with debug info; private and inline functions stay, all in one unit; a panic ends the program. Lints
/// never stop the build: `#![deny(warnings)]` is for the author.
pub(crate) const FLAGS: [&str; 9] =
    ["-g", "-C", "panic=abort", "-C", "codegen-units=1", "-C", "link-dead-code", "--cap-lints", "warn"];

/// Compiles `source` as a program if it has a `main`, else as a library. Warnings are dropped, errors are the
/// compiler's own words.
pub(crate) fn compile(source: &Path, context: &Context) -> Result<UnitText, BuildError> {
    toolchain::check_rust(Path::new("."), context)?;
    let (contents, _) = text::decode(text::read(source, context.options.max_bytes)?);
    if !has_main(&contents) {
        return compile_as("lib", source, &contents, context);
    }
    match compile_as("bin", source, &contents, context) {
        // The `main` that was seen is none after all, but part of a comment, say.
        Err(BuildError::CompilerFailed { stderr, .. }) if stderr.contains("error[E0601]") => {
            compile_as("lib", source, &contents, context)
        }
        result => result,
    }
}

fn compile_as(crate_type: &str, source: &Path, contents: &str, context: &Context) -> Result<UnitText, BuildError> {
    let options = context.options;
    let ir = context.ir_path("", source);
    let mut emit = std::ffi::OsString::from("--emit=llvm-ir=");
    emit.push(&ir);
    let mut command = process::command(toolchain::rust_tool("rustc", context)?, context);
    command.args(["--crate-type", crate_type, "--edition", &options.edition]);
    // rustc wants this flag and the attribute to agree.
    if !contents.contains("crate_name") {
        let name = options.crate_name.clone().unwrap_or_else(|| crate_name(source));
        command.args(["--crate-name", &name]);
    }
    // Where rustc puts what it needs in between: two versions of a crate are compiled at the same time.
    if let Some(folder) = ir.parent() {
        command.arg("--out-dir").arg(folder);
    }
    command.args(FLAGS).args(&options.rustflags).arg(emit).arg(process::operand(source));
    let finished = process::run(&mut command, context)?;
    if !finished.status.success() {
        let help = package_of(source)
            .map(|dir| format!("the file is part of a cargo package; name the package: {}", dir.display()));
        return Err(finished.failure(source, &command, help));
    }
    read_compiled(source, process::display(&command), &ir, finished.took, context)
}

/// Whether a line begins with `fn main`.
fn has_main(contents: &str) -> bool {
    contents.lines().any(|line| {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        let rest = line.strip_prefix("fn main");
        rest.is_some_and(|rest| rest.trim_start().starts_with(['(', '<']))
    })
}

/// The file's name as an identifier: what a crate is called that says nothing else.
pub fn crate_name(source: &Path) -> String {
    let stem = source.file_stem().unwrap_or_default().to_string_lossy();
    let name: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { format!("_{name}") }
}

/// The cargo package that a source file lies in.
fn package_of(source: &Path) -> Option<PathBuf> {
    let source = source.canonicalize().ok()?;
    source.ancestors().skip(1).find(|dir| dir.join("Cargo.toml").is_file()).map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn main_is_found_at_the_start_of_a_line() {
        let check = |contents: &str, expect: bool| assert_eq!(has_main(contents), expect, "{contents}");
        check("fn main() {}", true);
        check("use x;\npub fn main () {}", true);
        check("fn main_loop() {}", false);
        check("mod a {\n    fn main() {}\n}", false);
        check("// fn main() {}", false);
    }

    #[test]
    fn crate_names_are_identifiers() {
        let check = |file: &str, expect: &str| assert_eq!(crate_name(Path::new(file)), expect);
        check("a/foo.rs", "foo");
        check("my-file 2.rs", "my_file_2");
        check("1.rs", "_1");
    }
}
