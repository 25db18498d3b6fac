//! The command line of pathshift: arguments in, results to standard output, an exit code out.
//!
//! Only this crate prints, reads the environment and exits.

mod args;
mod commands;
mod config;
mod console;
mod dependencies;
mod environment;
mod memory;
mod output;
mod supervisor;
mod versions;

use args::Command;
use console::NoArguments;
use std::process::ExitCode;

/// Exploring makes and drops millions of small things.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    console::show_panics();
    let args = match console::arguments() {
        Ok(args) => args,
        Err(NoArguments::Clap(error)) => return console::usage(&error),
        Err(NoArguments::Settings(failure)) => {
            return console::report(&failure, console::Color::choose(args::When::Auto));
        }
    };
    let color = console::Color::choose(args.color);
    if is_supervised(&args.command)
        && let Some(result) = supervisor::run()
    {
        return result.unwrap_or_else(|failure| console::report(&failure, color));
    }
    let result = match args.command {
        Command::Ir(ir) => commands::ir::run(&ir),
        Command::Diff(diff) => commands::diff::run(&diff),
        Command::Impact(impact) => commands::impact::run(&impact, args.color),
        Command::Explore(explore) => commands::explore::run(&explore),
        Command::Coverage(coverage) => commands::impacted::coverage(&coverage),
        Command::Select(select) => commands::impacted::select(&select),
        Command::Signature(signature) => commands::signature::run(&signature),
        Command::Explain(explain) => commands::explain::run(&explain),
        Command::Replay(replay) => commands::replay::run(&replay),
        Command::Tests(tests) => commands::tests::run(&tests),
        Command::Store { command, store } => commands::store::run(&command, store.as_deref()),
        Command::ExplainCode { code } => commands::explain_code::run(code.as_deref()),
        Command::Doctor(doctor) => commands::doctor::run(&doctor),
        Command::Completions { shell } => commands::completions::run(shell),
        Command::BitcodeToText { libllvm, file } => commands::bitcode::run(&libllvm, &file),
    };
    match result {
        Ok(code) => code,
        Err(failure) => console::report(&failure, color),
    }
}

/// Whether a command runs code symbolically, and may take more time or memory than it should.
fn is_supervised(command: &Command) -> bool {
    match command {
        Command::Diff(_)
        | Command::Explore(_)
        | Command::Coverage(_)
        | Command::Select(_)
        | Command::Signature(_)
        | Command::Explain(_)
        | Command::Tests(_) => true,
        Command::Ir(_)
        | Command::Impact(_)
        | Command::Replay(_)
        | Command::Store { .. }
        | Command::Doctor(_)
        | Command::ExplainCode { .. }
        | Command::Completions { .. }
        | Command::BitcodeToText { .. } => false,
    }
}
