//! `pathshift completions`.

use crate::args::Args;
use crate::console::{Failure, write_stdout};
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use report::escape::Syntax;
use std::process::ExitCode;

/// Writes the completion script of a shell.
pub fn run(shell: Shell) -> Result<ExitCode, Failure> {
    let all = Args::command();
    // What is hidden in the help shall not be offered either.
    let offered = all.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
    let mut command = Command::new("pathshift").version(env!("CARGO_PKG_VERSION"));
    command = command.args(all.get_arguments().cloned()).subcommands(offered);
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "pathshift", &mut script);
    write_stdout(&String::from_utf8_lossy(&script), Syntax::Text)?;
    Ok(ExitCode::SUCCESS)
}
