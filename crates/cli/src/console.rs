//! How failures look: what, where with the source, why, and what to do.

use crate::args::{Args, Command, When};
use crate::{config, versions};
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use build::BuildError;
use clap::{ColorChoice, CommandFactory, FromArgMatches};
use report::escape::{self, Escaping, Folders, Syntax};
use std::ffi::OsString;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

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
            When::Auto => !forbidden && is_watched(),
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
    /// A limit was reached before there was a result.
    Undecided(String),
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

/// Standard output, behind the one writer that lets nothing hidden through.
#[expect(clippy::disallowed_methods, reason = "the one place that writes to it")]
pub fn stdout(syntax: Syntax) -> impl Write {
    Escaping::new(BufWriter::with_capacity(1 << 16, std::io::stdout().lock()), syntax, folders())
}

/// Writes text to standard error, behind the same writer. Nothing is left to do if the terminal is gone.
#[expect(clippy::disallowed_methods, reason = "the one place that writes to it")]
fn write_stderr(text: &str, syntax: Syntax) {
    let mut out = Escaping::new(std::io::stderr().lock(), syntax, folders());
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.finish());
}

/// Writes a result to standard output. A reader that went away (`| head`) is no failure.
pub fn write_stdout(text: &str, syntax: Syntax) -> Result<(), Failure> {
    let mut out = stdout(syntax);
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::Output(error)),
        _ => Ok(()),
    }
}

/// Says something that is worth knowing beside the result.
pub fn warn(message: &str) {
    write_stderr(&format!("warning: {}\n", one_line(message)), Syntax::Text);
}

/// Whether somebody watches standard error.
#[expect(clippy::disallowed_methods, reason = "nothing is written to it")]
pub fn is_watched() -> bool {
    std::io::stderr().is_terminal()
}

/// Whether somebody watches standard output.
#[expect(clippy::disallowed_methods, reason = "nothing is written to it")]
pub fn is_output_watched() -> bool {
    std::io::stdout().is_terminal()
}

/// Replaces the last line of a terminal by what is going on; by nothing if that is empty.
#[expect(clippy::disallowed_methods, reason = "the line is escaped here, the code that clears it is our own")]
pub fn show_progress(line: &str) {
    let _ = write!(std::io::stderr(), "\r\x1b[K{}", escape::inline(line));
}

/// Folders with a name of their own.
static NAMED: Mutex<Vec<(String, String)>> = Mutex::new(Vec::new());

/// Says what the user calls a temporary folder: `REV:` for the files of a revision.
pub fn name_folder(folder: &Path, name: &str) {
    let mut named = NAMED.lock().unwrap_or_else(PoisonError::into_inner);
    // Files in it, and the folder itself.
    named.push((format!("{}/", folder.display()), name.to_owned()));
    named.push((folder.display().to_string(), name.to_owned()));
}

/// What temporary folders are called where something names them.
pub fn folders() -> Folders {
    let mut all = NAMED.lock().unwrap_or_else(PoisonError::into_inner).clone();
    all.extend(
        build::scratch::folders().iter().map(|path| (path.display().to_string(), "(temporary folder)".to_owned())),
    );
    all
}

/// Shows panics as everything else is shown.
pub fn show_panics() {
    std::panic::set_hook(Box::new(|panic| write_stderr(&format!("internal error: {panic}\n"), Syntax::Text)));
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

/// What the command line says. How a wrong one is shown it may say itself, so that is looked for first. For `diff` settings
/// of files come first.
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
    let mut args = parse(words.clone())?;
    let verb = words.iter().position(|word| word == "diff");
    let (Command::Diff(diff), Some(verb)) = (&args.command, verb) else { return Ok(args) };
    let here = versions::current_folder().map_err(NoArguments::Settings)?;
    let settings = config::settings(diff, &here).map_err(NoArguments::Settings)?;
    if !settings.words.is_empty() {
        let (before, behind) = words.split_at(verb + 1);
        args = parse([before, settings.words.as_slice(), behind].concat())?;
    }
    if let Command::Diff(diff) = &mut args.command {
        diff.notes = settings.notes;
    }
    Ok(args)
}

/// Shows help, a version or a wrong command line.
pub fn usage(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    if escape::lines(&text) == text {
        // Nothing is left to do if the terminal is gone.
        let _ = error.print();
    } else {
        write_stderr(&text, Syntax::Text);
    }
    if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS }
}

/// Shows a failure and tells the exit code.
pub fn report(failure: &Failure, color: Color) -> ExitCode {
    let renderer = if color.0 { Renderer::styled() } else { Renderer::plain() };
    let (text, code) = match failure {
        Failure::Build(error) => (build_error(error, &renderer), error.exit_class().code()),
        Failure::Usage { message, help } => (plain(message, help.as_deref(), &renderer), 2),
        Failure::Output(error) => (plain(&format!("cannot write the result: {error}"), None, &renderer), 2),
        Failure::Undecided(message) => (plain(message, None, &renderer), 3),
        Failure::Internal(error) => (plain(&format!("{error:#}"), None, &renderer), 70),
    };
    write_stderr(&format!("{text}\n"), if color.0 { Syntax::Coloured } else { Syntax::Text });
    ExitCode::from(code)
}

fn build_error(error: &BuildError, renderer: &Renderer) -> String {
    let mut text = String::new();
    if let Some(output) = error.compiler_output() {
        // The compiler's own words come first, as it wrote them.
        text.push_str(&lines_cut(output));
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
    let (message, help) = (one_line(message), help.map(one_line));
    let mut group = Level::ERROR.primary_title(message).elements([] as [annotate_snippets::Padding; 0]);
    if let Some(help) = help {
        group = group.element(Level::HELP.message(help));
    }
    renderer.render(&[group]).to_string()
}

/// A message, escaped and no longer than one can read: what it names cannot pretend to be a message of its own.
fn one_line(text: &str) -> String {
    escape::inline(&escape::cut(text, escape::MAX_TEXT)).into_owned()
}

/// Text of several lines, escaped, and of each line no more than one can read.
fn lines_cut(text: &str) -> String {
    let cut: Vec<_> = text.split('\n').map(|line| escape::cut(line, escape::MAX_SOURCE)).collect();
    escape::lines(&cut.join("\n")).into_owned()
}

/// How much of a line is shown behind the place, and how far into its line a place may be shown at all.
const SHOWN: usize = 60;
const WIDEST: usize = 10_000;

/// The error with the line it is in.
fn in_source(path: &Path, error: &ir::parse::ParseError, help: Option<&str>, renderer: &Renderer) -> String {
    let shown_path = escape::inline(&path.display().to_string()).into_owned();
    let line = std::fs::read(path).ok().and_then(|bytes| {
        let line = bytes.split(|&b| b == b'\n').nth(error.line.checked_sub(1)? as usize)?;
        Some(line[..line.len().min(error.column as usize + SHOWN)].to_vec())
    });
    let column = (error.column as usize).saturating_sub(1);
    let Some(line) = line.filter(|line| column <= line.len() && column < WIDEST) else {
        return plain(&format!("{shown_path}:{error}"), help, renderer);
    };
    let clean = |bytes: &[u8]| escape::inline(&String::from_utf8_lossy(bytes)).replace('\t', " ");
    let (before, behind) = (clean(&line[..column]), clean(&line[column..]));
    let at = before.len();
    let width = behind.chars().next().map_or(0, char::len_utf8);
    let source = before + &behind;
    let snippet = Snippet::source(&source)
        .path(&*shown_path)
        .line_start(error.line as usize)
        .annotation(AnnotationKind::Primary.span(at..at + width).label("here"));
    let message = one_line(&error.message);
    let mut group = Level::ERROR.primary_title(message).element(snippet);
    if let Some(help) = help.map(one_line) {
        group = group.element(Level::HELP.message(help));
    }
    renderer.render(&[group]).to_string()
}
