//! `pathshift tests` and `pathshift store`.

use super::{Bounds, Build, Format, Replay, ShellArgs};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args as ClapArgs, FromArgMatches, Subcommand, ValueEnum};
use std::collections::BTreeSet;
use std::path::PathBuf;

pub const EXAMPLES: &str = "Examples:
  pathshift tests generate parse.c -f parse --suite tests/parse      a test for each path
  pathshift tests update old.c new.c --suite tests/parse --dry-run   what a change does to them
  pathshift tests update old.c new.c --suite tests/parse             and update the folder
  pathshift tests replay tests/parse new.c                           run them natively
  pathshift tests minimize new.c --suite klee-last -f parse          one test a path, from .ktest files
  pathshift tests show --suite tests/parse

A suite is a folder with the file tests.txt, one line a test. Where a suite is read, a folder of .ktest files, or for
`main` a folder of plain files that are standard input, will do too; tests.txt is written beside them.";

/// `pathshift tests`.
#[derive(Debug, ClapArgs)]
pub struct Tests {
    /// What to do.
    #[command(subcommand)]
    pub command: TestsCommand,
}

/// What can be done with tests.
#[derive(Debug, Subcommand)]
pub enum TestsCommand {
    /// Explore a function and write a test for each of its paths
    Generate(Box<Generate>),
    /// Bring a suite from an old version of a program to a new one
    ///
    /// Each old test is kept (it goes the same way as before), re-aimed (the same input goes another way) or obsolete (another
    /// test goes the same way now); new tests are added until every path of the new version has one. The folder is
    /// changed in one step. A side of a branch that an old test takes is not solved, nor one that the store knows to be
    /// impossible; parts of the program that did not change are not even executed.
    Update(Box<Update>),
    /// Run the tests of a suite natively and compare outcome and branches with what they expect
    Replay(Box<Replay>),
    /// Drop tests that go the same way as another one
    Minimize(Box<Minimize>),
    /// Show the tests of a suite
    Show(Show),
}

/// `pathshift tests generate`.
#[derive(Debug, ClapArgs)]
#[command(mut_arg("function", |arg| arg.help(FUNCTION_TO_EXPLORE)))]
pub struct Generate {
    /// The program: source file, LLVM IR, bitcode, directory with compile_commands.json, or cargo package
    pub input: PathBuf,
    /// Folder of the suite
    #[arg(long, value_name = "DIR")]
    pub suite: PathBuf,
    /// Go on where this was interrupted with the same program and bounds
    #[arg(long, conflicts_with = "no_store")]
    pub resume: bool,
    /// What is common to all of them.
    #[command(flatten)]
    pub common: Common,
}

/// `pathshift tests update`.
#[derive(Debug, ClapArgs)]
pub struct Update {
    /// The old version: source file, LLVM IR, bitcode, directory with compile_commands.json, or cargo package
    pub old: PathBuf,
    /// The new version
    pub new: PathBuf,
    /// Folder of the suite
    #[arg(long, value_name = "DIR")]
    pub suite: PathBuf,
    /// Say what would be done, and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Go on where this was interrupted with the same versions and bounds
    #[arg(long, conflicts_with = "no_store")]
    pub resume: bool,
    /// What is common to all of them.
    #[command(flatten)]
    pub common: Common,
}

/// `pathshift tests minimize`.
#[derive(Debug, ClapArgs)]
pub struct Minimize {
    /// The program: source file, LLVM IR, bitcode, directory with compile_commands.json, or cargo package
    pub input: PathBuf,
    /// Folder of the suite
    #[arg(long, value_name = "DIR")]
    pub suite: PathBuf,
    /// When two tests are one too many
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = MinimizeBy::Path)]
    pub by: MinimizeBy,
    /// Say what would be done, and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// What is common to all of them.
    #[command(flatten)]
    pub common: Common,
}

/// When two tests are one too many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MinimizeBy {
    /// They go the same way
    Path,
    /// They compute all that can be observed the same way, wherever else they go
    Output,
}

/// `pathshift tests show`.
#[derive(Debug, ClapArgs)]
pub struct Show {
    /// Folder of the suite
    #[arg(long, value_name = "DIR")]
    pub suite: PathBuf,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// What `generate` has instead of the help of [`Common::function`]: there need not be a suite yet.
const FUNCTION_TO_EXPLORE: &str =
    "The function: its name in the source, the end of it (`Type::f`), or its symbol [default: main]";

/// What is common to the verbs that explore.
#[derive(Clone, Debug, ClapArgs)]
pub struct Common {
    /// Which options were given. The fields below take theirs out of what was parsed, so this one comes first.
    #[command(flatten)]
    pub given: Given,
    /// The function: its name in the source, the end of it (`Type::f`), or its symbol [default: that of the suite, else main]
    #[arg(short, long, value_name = "NAME")]
    pub function: Option<String>,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// What earlier runs found out.
    #[command(flatten)]
    pub store: StoreArgs,
    /// Bounds and limits.
    #[command(flatten)]
    pub bounds: Bounds,
    /// What `main` is given.
    #[command(flatten)]
    pub shell: ShellArgs,
    /// How to build the input.
    #[command(flatten)]
    pub build: Build,
}

/// The options that the user gave, as opposed to those that are as usual because nothing was said.
#[derive(Clone, Debug)]
pub struct Given(BTreeSet<String>);

impl Given {
    /// Whether an option was given, by the name of its field.
    pub fn has(&self, option: &str) -> bool {
        self.0.contains(option)
    }
}

impl FromArgMatches for Given {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Given, clap::Error> {
        let is_given = |id: &&str| matches.value_source(id) == Some(ValueSource::CommandLine);
        Ok(Given(matches.ids().map(clap::Id::as_str).filter(is_given).map(str::to_owned).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Given::from_arg_matches(matches)?;
        Ok(())
    }
}

/// It only looks at the options of others.
impl ClapArgs for Given {
    fn augment_args(command: clap::Command) -> clap::Command {
        command
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        command
    }
}

/// Where what earlier runs found out is kept.
#[derive(Clone, Debug, ClapArgs)]
pub struct StoreArgs {
    /// File that keeps what runs find out, for later ones [default: one for each tree, in ~/.cache/pathshift]
    #[arg(long, value_name = "PATH")]
    pub store: Option<PathBuf>,
    /// Neither read nor write it
    #[arg(long, conflicts_with = "store")]
    pub no_store: bool,
}

/// What can be done with a store.
#[derive(Debug, Subcommand)]
pub enum StoreCommand {
    /// Show what is in it
    Info,
    /// Forget everything
    Clear,
}
