//! How failures look: what, where with the source, why, and what to do.

use crate::args::{Args, Command, When};
use crate::config;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use build::BuildError;
use clap::{ColorChoice, CommandFactory, FromArgMatches};
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

/// Whether to use colour on standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(bool);

impl Color {
    /// By what was asked for, the terminal and NO_COLOR.
    pub fn choose(when: When) -> Color {
        let forbidden = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Color(match when {
            When::Always => true,
            When::Never => false,
            When::Auto => !forbidden && std::io::stderr().is_terminal(),
        })
    }
}

/// Why a command has no result.
#[derive(Debug)]
pub enum Failure {
    /// An input did not build.
    Build(Box<BuildError>),
    /// The command line names something that is not there.
    Usage {
        /// What is wrong.
        message: String,
        /// What to do.
        help: Option<String>,
    },
    /// Results cannot be written.
    Output(std::io::Error),
    /// A failure of our own.
    Internal(anyhow::Error),
}

impl Failure {
    /// A wrong command line.
    pub fn usage(message: String, help: Option<String>) -> Failure {
        Failure::Usage { message, help }
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Failure {
        Failure::Build(Box::new(error))
    }
}

/// Writes a result to standard output. A reader that went away (`| head`) is no failure.
pub fn write_stdout(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::Output(error)),
        _ => Ok(()),
    }
}

/// Why there are no arguments.
pub enum NoArguments {
    /// They are wrong, or ask for help.
    Clap(clap::Error),
    /// Settings in a file are wrong.
    Settings(Failure),
}

impl From<clap::Error> for NoArguments {
    fn from(error: clap::Error) -> NoArguments {
        NoArguments::Clap(error)
    }
}

/// What the command line says. How a wrong one is shown it may say itself, so that is looked for first. For `diff` the
/// settings of the folder come first.
pub fn arguments() -> Result<Args, NoArguments> {
    let words: Vec<_> = std::env::args_os().collect();
    let asks = |word: &str| {
        let joined = format!("--color={word}");
        words.iter().any(|given| *given == *joined)
            || words.windows(2).any(|pair| pair[0] == "--color" && pair[1] == word)
    };
    let color = match (asks("always"), asks("never")) {
        (true, false) => ColorChoice::Always,
        (false, true) => ColorChoice::Never,
        _ => ColorChoice::Auto,
    };
    let parse = |words: Vec<OsString>| -> Result<Args, clap::Error> {
        Args::from_arg_matches(&Args::command().color(color).try_get_matches_from(words)?)
    };
    let args = parse(words.clone())?;
    let verb = words.iter().position(|word| word == "diff");
    let (Command::Diff(_), Some(verb), Ok(here)) = (&args.command, verb, std::env::current_dir()) else {
        return Ok(args);
    };
    let settings = config::words(&here).map_err(NoArguments::Settings)?;
    if settings.is_empty() {
        return Ok(args);
    }
    let (before, behind) = words.split_at(verb + 1);
    Ok(parse([before, settings.as_slice(), behind].concat())?)
}

/// Shows help, a version or a wrong command line.
pub fn usage(error: &clap::Error) -> ExitCode {
    // Nothing is left to do if the terminal is gone.
    let _ = error.print();
    if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS }
}

/// Shows a failure and tells the exit code.
pub fn report(failure: &Failure, color: Color) -> ExitCode {
    let renderer = if color.0 { Renderer::styled() } else { Renderer::plain() };
    let (text, code) = match failure {
        Failure::Build(error) => (build_error(error, &renderer), error.exit_class().code()),
        Failure::Usage { message, help } => (plain(message, help.as_deref(), &renderer), 2),
        Failure::Output(error) => (plain(&format!("cannot write the result: {error}"), None, &renderer), 2),
        Failure::Internal(error) => (plain(&format!("{error:#}"), None, &renderer), 70),
    };
    let _ = writeln!(std::io::stderr(), "{text}");
    ExitCode::from(code)
}

fn build_error(error: &BuildError, renderer: &Renderer) -> String {
    let mut text = String::new();
    if let Some(output) = error.compiler_output() {
        // The compiler's own words come first, as it wrote them.
        text.push_str(output);
        if !output.is_empty() && !output.ends_with('\n') {
            text.push('\n');
        }
    }
    let help = error.help();
    match error {
        BuildError::BadIr { path, generated: false, error } => {
            text.push_str(&in_source(path, error, help.as_deref(), renderer));
        }
        _ => text.push_str(&plain(&error.to_string(), help.as_deref(), renderer)),
    }
    text
}

fn plain(message: &str, help: Option<&str>, renderer: &Renderer) -> String {
    let mut group = Level::ERROR.primary_title(message).elements([] as [annotate_snippets::Padding; 0]);
    if let Some(help) = help {
        group = group.element(Level::HELP.message(help));
    }
    renderer.render(&[group]).to_string()
}

/// How much of a line is shown behind the place, and how far into its line a place may be shown at all.
const SHOWN: usize = 60;
const WIDEST: usize = 10_000;

/// The error with the line it is in.
fn in_source(path: &Path, error: &ir::parse::ParseError, help: Option<&str>, renderer: &Renderer) -> String {
    let shown_path = path.display().to_string();
    let line = std::fs::read(path).ok().and_then(|bytes| {
        let line = bytes.split(|&b| b == b'\n').nth(error.line.checked_sub(1)? as usize)?;
        Some(line[..line.len().min(error.column as usize + SHOWN)].to_vec())
    });
    let column = (error.column as usize).saturating_sub(1);
    let Some(line) = line.filter(|line| column <= line.len() && column < WIDEST) else {
        return plain(&format!("{shown_path}:{error}"), help, renderer);
    };
    let clean = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(|c: char| c.is_control(), " ");
    let (before, behind) = (clean(&line[..column]), clean(&line[column..]));
    let at = before.len();
    let width = behind.chars().next().map_or(0, char::len_utf8);
    let source = before + &behind;
    let snippet = Snippet::source(&source)
        .path(&*shown_path)
        .line_start(error.line as usize)
        .annotation(AnnotationKind::Primary.span(at..at + width).label("here"));
    let mut group = Level::ERROR.primary_title(&*error.message).element(snippet);
    if let Some(help) = help {
        group = group.element(Level::HELP.message(help));
    }
    renderer.render(&[group]).to_string()
}
