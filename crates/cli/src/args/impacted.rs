//! Arguments of `pathshift coverage` and `pathshift select`.

use super::{Bounds, Build, Format};
use clap::Args as ClapArgs;
use std::path::PathBuf;

/// A suite in any of its forms.
#[derive(ClapArgs, Debug)]
pub struct SuiteArgs {
    /// The suite: a folder that `explore --suite` wrote, a folder of `.ktest` files, a file with a command line of the
    /// program on each line (`-x 3 < in.txt`), or a folder of plain files, each of them standard input of a test
    #[arg(long, value_name = "PATH")]
    pub suite: PathBuf,
    /// The function that is tested, where the suite does not say it [default: main]
    #[arg(short, long, value_name = "NAME")]
    pub function: Option<String>,
    /// An argument that the program is given with each plain file; `@@` stands for the file, which is standard input
    /// otherwise; repeatable
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    pub argv: Vec<String>,
    /// The folder that command lines run in [default: the folder of the suite]
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<PathBuf>,
}

/// `pathshift coverage`.
#[derive(ClapArgs, Debug)]
pub struct Coverage {
    /// The old version: source file, LLVM IR, bitcode, directory with compile_commands.json, or cargo package
    pub old: PathBuf,
    /// The new version
    pub new: PathBuf,
    /// The suite.
    #[command(flatten)]
    pub suite: SuiteArgs,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Bounds and limits.
    #[command(flatten)]
    pub bounds: Bounds,
    /// How to build the input.
    #[command(flatten)]
    pub build: Build,
}

/// `pathshift select`.
#[derive(ClapArgs, Debug)]
pub struct Select {
    /// The old version: source file, LLVM IR, bitcode, directory with compile_commands.json, or cargo package
    pub old: PathBuf,
    /// The new version
    pub new: PathBuf,
    /// The suite.
    #[command(flatten)]
    pub suite: SuiteArgs,
    /// Write the tests to add to a folder
    #[arg(long, value_name = "DIR")]
    pub add: Option<PathBuf>,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Bounds and limits.
    #[command(flatten)]
    pub bounds: Bounds,
    /// How to build the input.
    #[command(flatten)]
    pub build: Build,
}

pub(super) const COVERAGE_EXAMPLES: &str = "\
Examples:
  pathshift coverage old.c new.c --suite tests/              a suite written by `explore --suite`
  pathshift coverage old.c new.c --suite klee-out/ -f parse  tests that KLEE wrote
  pathshift coverage old.c new.c --suite universe            a command line of the program on each line
  pathshift coverage old.c new.c --suite in/ --argv @@       a file for each test, named as an argument";

pub(super) const SELECT_EXAMPLES: &str = "\
Examples:
  pathshift select old.c new.c --suite tests/             which tests to run again
  pathshift select old.c new.c --suite tests/ --add more/ and the missing ones as a suite of their own
  pathshift select old.c new.c --suite universe           tests of a program: a command line on each line
  pathshift select old.c new.c --suite in/ --argv @@      a file for each test, named as an argument";
