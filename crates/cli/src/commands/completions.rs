//! `pathshift completions`.

use crate::args::Args;
use crate::console::{Failure, write_stdout};
use clap::CommandFactory;
use clap_complete::Shell;
use std::process::ExitCode;

/// Writes the completion script of a shell.
pub fn run(shell: Shell) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "pathshift", &mut script);
    write_stdout(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
