//! `pathshift __bitcode-to-text`: libLLVM at work, in a process of its own.

use crate::console::{Failure, write_stdout};
use report::escape::Syntax;
use std::path::Path;
use std::process::ExitCode;

/// Writes the module in `file` as text.
pub fn run(libllvm: &Path, file: &Path) -> Result<ExitCode, Failure> {
    let text = build::libllvm::disassemble(libllvm, file).map_err(|error| Failure::Internal(error.into()))?;
    write_stdout(&text, Syntax::Llvm)?;
    Ok(ExitCode::SUCCESS)
}
