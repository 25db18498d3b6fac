//! What can be said on the command line.

mod impacted;
pub mod tests;

pub use impacted::{Coverage, Select, SuiteArgs};
pub use tests::{StoreArgs, StoreCommand, Tests, TestsCommand};

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use report::escape::Syntax;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Tells what a change to a program does to its behaviour.
///
/// pathshift reads C, C++ and Rust through the LLVM IR that their compilers write. INPUT is, everywhere:
/// a source file (.c .cc .cpp .cxx .rs), LLVM IR (.ll) or bitcode (.bc) of any LLVM from 13 to 22,
/// a directory with compile_commands.json, or a cargo package.
#[derive(Debug, Parser)]
#[command(version, about, long_about, max_term_width = 110, after_help = EXIT_CODES)]
pub struct Args {
    /// When to use colour; the variable NO_COLOR also turns it off
    #[arg(long, global = true, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    pub color: When,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "Exit codes:
  0   done
  1   a difference or a fault was found
  3   something was not decided
  2   the command line is wrong, or names something that cannot be read or written
  4   an input does not build, or a compiler is missing
  70  a failure of pathshift itself
  130 interrupted";

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Say what a change does: for each changed function whether it still does the same
    ///
    /// `same` is proved under the assumptions that are shown, `same within bounds` up to the bounds that are, `different` comes with an input that was run on both builds, and
    /// whatever is neither is `undecided`, with every reason.
    #[command(after_help = DIFF_EXAMPLES)]
    Diff(Box<Diff>),
    /// Show a program as pathshift understands it
    ///
    /// Functions with their names and lines, source variables, basic blocks, and under each source
    /// line the instructions that it became; what is unsupported, and where.
    #[command(after_help = IR_EXAMPLES)]
    Ir(Box<Ir>),
    /// Say what a change can reach: lines that depend on it, and why, in every function
    ///
    /// Nothing is run or solved: control, data, memory and calls are followed from what changed, in both versions. What
    /// is not marked does the same in both. `!` marks what changed, `>` what depends on it, `.` what gives it values.
    #[command(after_help = IMPACT_EXAMPLES)]
    Impact(Box<Impact>),
    /// Follow every path of a function: an input for each, what comes of it, and the faults
    ///
    /// Needs no harness: parameters, the memory behind pointers and global variables are the input.
    #[command(after_help = EXPLORE_EXAMPLES)]
    Explore(Box<Explore>),
    /// Measure what a suite covers of what a change affects, and what would cover the rest
    ///
    /// Tests are run by the interpreter on the new version. Suites are those of pathshift, or folders of `.ktest` files.
    #[command(after_help = impacted::COVERAGE_EXAMPLES)]
    Coverage(Box<Coverage>),
    /// Say which tests of a suite a change affects, which need not run, and which to add
    #[command(after_help = impacted::SELECT_EXAMPLES)]
    Select(Box<Select>),
    /// Say what a function computes: one case for each way in which its outputs come about
    ///
    /// Each case has the expressions of the outputs and the conditions under which they are computed so. With two
    /// versions their cases are compared.
    #[command(after_help = SIGNATURE_EXAMPLES)]
    Signature(Box<Signature>),
    /// Find the lines that make a test fail which passed on the old version
    ///
    /// The test is an input of a function, or what `main` is given. Lines that were changed and that the wrong outcome
    /// depends on come first, then decisions that the versions make differently, each with an input that shows it.
    #[command(after_help = EXPLAIN_EXAMPLES)]
    Explain(Box<Explain>),
    /// Run the tests of a suite natively and compare outcome and branches with what they expect
    Replay(Box<Replay>),
    /// Make a suite of tests and keep it in step with the code
    #[command(after_help = tests::EXAMPLES)]
    Tests(Box<Tests>),
    /// Show or clear what earlier runs found out
    ///
    /// Solved formulas, trees of paths, verdicts and impacts are kept in an SQLite file for each tree, in ~/.cache/pathshift.
    /// It is safe to delete. Rows that this user's own runs did not write are ignored.
    Store {
        /// What to do.
        #[command(subcommand)]
        command: StoreCommand,
        /// The file [default: that of the tree which this folder is in]
        #[arg(long, value_name = "PATH", global = true)]
        store: Option<PathBuf>,
    },
    /// Say what a code of a result means, such as A018 or G007, and what to do about it; without a code, list all of them
    ExplainCode {
        /// The code
        code: Option<String>,
    },
    /// Say what is installed, what will be used and what is missing
    Doctor(Doctor),
    /// Write a completion script for a shell to standard output
    ///
    /// For instance: pathshift completions bash > ~/.local/share/bash-completion/completions/pathshift
    Completions {
        /// Shell
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Reads bitcode with a libLLVM, in a process that may die of it.
    #[command(name = "__bitcode-to-text", hide = true)]
    BitcodeToText {
        /// Library.
        libllvm: PathBuf,
        /// Bitcode or IR text.
        file: PathBuf,
    },
}

const IR_EXAMPLES: &str = "Examples:
  pathshift ir brake.c                              everything in brake.c
  pathshift ir brake.c --function update            one function
  pathshift ir . --summary                          the project in this directory
  pathshift ir src/lib.rs --format json             for other programs
  pathshift ir old.bc --format llvm -o new.ll       LLVM IR that clang 15 and newer compile";

/// `pathshift ir`.
#[derive(Debug, ClapArgs)]
pub struct Ir {
    /// Source file, LLVM IR, bitcode, directory with compile_commands.json, or cargo package
    pub input: PathBuf,
    /// Show only this function: its name in the source, the end of it (`Type::f`), or its symbol; repeatable
    #[arg(short, long = "function", value_name = "NAME")]
    pub functions: Vec<String>,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = IrFormat::Text)]
    pub format: IrFormat,
    /// Only one line a function (text)
    #[arg(long)]
    pub summary: bool,
    /// Leave local variables in memory, as an unoptimising compiler does, instead of making them values
    #[arg(long)]
    pub no_promote: bool,
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How to build the input.
    #[command(flatten)]
    pub build: Build,
}

const DIFF_EXAMPLES: &str = "Examples:
  pathshift diff                                    what changed since the last commit
  pathshift diff HEAD~1                             since the one before; also main..topic, v1.0...HEAD
  pathshift diff old.c new.c                        two files
  pathshift diff v1/ v2/ --function parse           one function of two projects
  pathshift diff main --format markdown -o pr.md    for a comment on a pull request
  pathshift diff HEAD~1 --suite tests/diff          regression tests for what it reaches

A folder is a project with compile_commands.json, or a cargo package. In a git repository the project is the one in
this folder or above it; the work tree is compared as it is, and nothing in the repository is written.

Settings that stay the same go into pathshift.toml, in this folder or above it, or in ~/.config/pathshift:
  [build]    cflags, rustflags, cargo-flags, edition, bin, jobs, timeout, clang*, units*
  [bounds]   unwind, string, elements, depth, calls, steps, paths, timeout, memory, check, solver*
  [diff]     ignore*, ignore-functions*, allow-undecided*, require-proof
Those with a * count only in ~/.config/pathshift, or with --trust-config: they run programs or hide results.

Exit codes: 0 the same, 1 different, 2 the command line is wrong, 3 undecided (with --require-proof the same within bounds, too),
4 a version does not build, 70 a failure of pathshift itself, 130 interrupted while building.";

/// `pathshift diff`.
#[derive(Debug, ClapArgs)]
#[command(args_override_self = true)]
pub struct Diff {
    /// Two files or folders; in a git repository OLD..NEW, OLD...NEW, or one revision, which the work tree is compared
    /// with [default: HEAD]
    #[arg(value_name = "VERSION", num_args = 0..=2)]
    pub versions: Vec<OsString>,
    /// Only this function: its name in the source, the end of it (`Type::f`), or its symbol; repeatable
    #[arg(short, long = "function", value_name = "NAME")]
    pub functions: Vec<String>,
    /// Only functions of this source file; repeatable. In a repository without a project: the file to compare
    #[arg(long = "file", value_name = "PATH")]
    pub files: Vec<PathBuf>,
    /// Differences of this kind are shown and do not count; repeatable
    #[arg(long, value_enum, value_name = "KIND")]
    pub ignore: Vec<DifferenceKind>,
    /// The verdict on this function, or with a `*` at its end on all that begin so, is shown and does not count; repeatable
    #[arg(long = "ignore-function", value_name = "NAME")]
    pub ignore_functions: Vec<String>,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = DiffFormat::Text)]
    pub format: DiffFormat,
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write regression tests for every difference and every affected path to a folder, as a suite and as C or Rust
    #[arg(long, value_name = "DIR")]
    pub suite: Option<PathBuf>,
    /// Compare line numbers that the code itself contains (`__LINE__`, `assert`), although they only say where it stands
    #[arg(long)]
    pub strict_locations: bool,
    /// Compare every caller whose own code did not change, too, instead of counting it with the change that it gets to
    #[arg(long)]
    pub callers: bool,
    /// Only look for proofs that hold for all inputs, and for no differences: for refactorings
    #[arg(long)]
    pub only_proof: bool,
    /// Time for all functions together, such as `90`, `90s` or `2m`; --timeout limits each of them [default: 60s, without a
    /// limit if --timeout is given]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub budget: Option<Duration>,
    /// Show for each function which tactics were tried, what each cost and what it came to
    #[arg(long)]
    pub trace: bool,
    /// Exit with 0 although something is undecided
    #[arg(long)]
    pub allow_undecided: bool,
    /// Exit with 3 if something is the same within bounds only
    #[arg(long)]
    pub require_proof: bool,
    /// Do not run anything natively; differences are not confirmed then
    #[arg(long)]
    pub no_replay: bool,
    /// Take all settings from the pathshift.toml of the tree, also programs to run and what is ignored: only for trees that
    /// you trust
    #[arg(long)]
    pub trust_config: bool,
    /// What is to be said of the settings.
    #[arg(skip)]
    pub notes: Vec<String>,
    /// What earlier runs found out.
    #[command(flatten)]
    pub store: StoreArgs,
    /// Bounds and limits.
    #[command(flatten)]
    pub bounds: Bounds,
    /// How to build the input.
    #[command(flatten)]
    pub build: Build,
}

/// What sort of difference there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DifferenceKind {
    /// Another result
    Value,
    /// Other contents of memory or of global variables
    Memory,
    /// Other output
    Output,
    /// Other calls to the outside
    Calls,
    /// It ends in another way
    End,
    /// A fault that the old version did not have
    FaultAppears,
    /// A fault that the new version does not have
    FaultDisappears,
    /// Another fault
    AnotherFault,
    /// The old version did something undefined
    OldWasUndefined,
    /// A pointer to something `const` leads to what is written by another name
    Aliasing,
    /// One version does not end
    Hang,
    /// What the new version does depends on memory that it never initialised
    NewIsUndefined,
}

impl DifferenceKind {
    /// As results have it.
    pub fn difference(self) -> evidence::Difference {
        match self {
            DifferenceKind::Value => evidence::Difference::Value,
            DifferenceKind::Memory => evidence::Difference::Memory,
            DifferenceKind::Output => evidence::Difference::Output,
            DifferenceKind::Calls => evidence::Difference::Calls,
            DifferenceKind::End => evidence::Difference::End,
            DifferenceKind::FaultAppears => evidence::Difference::FaultAppears,
            DifferenceKind::FaultDisappears => evidence::Difference::FaultDisappears,
            DifferenceKind::AnotherFault => evidence::Difference::AnotherFault,
            DifferenceKind::OldWasUndefined => evidence::Difference::OldWasUndefined,
            DifferenceKind::Aliasing => evidence::Difference::Aliasing,
            DifferenceKind::Hang => evidence::Difference::Hang,
            DifferenceKind::NewIsUndefined => evidence::Difference::NewIsUndefined,
        }
    }
}

/// Forms of `pathshift diff`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// For people
    Text,
    /// For programs
    Json,
    /// For a comment on a pull request
    Markdown,
}

/// Forms that most verbs have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

impl Format {
    /// How hidden characters are written in it.
    pub fn syntax(self) -> Syntax {
        match self {
            Format::Text => Syntax::Text,
            Format::Json => Syntax::Json,
        }
    }
}

const IMPACT_EXAMPLES: &str = "Examples:
  pathshift impact old.c new.c                      what the change reaches, by function and line
  pathshift impact v1/ v2/ --function parse         one function of two projects
  pathshift impact old.c new.c --format svg -o impact.svg
  pathshift impact old.c new.c --format json        for other programs

Exit codes: 0 done, whatever was found; 2 no such function; 4 a version does not build.";

/// `pathshift impact`.
#[derive(Debug, ClapArgs)]
pub struct Impact {
    /// The old version: source file, LLVM IR, bitcode, directory with compile_commands.json, or cargo package
    pub old: PathBuf,
    /// The new version
    pub new: PathBuf,
    /// Show only this function, of either version; repeatable
    #[arg(short, long = "function", value_name = "NAME")]
    pub functions: Vec<String>,
    /// Show all that was found, however much (text)
    #[arg(long)]
    pub all: bool,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = ImpactFormat::Text)]
    pub format: ImpactFormat,
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// What earlier runs found out.
    #[command(flatten)]
    pub store: StoreArgs,
    /// How to build the input.
    #[command(flatten)]
    pub build: Build,
}

/// Forms of `pathshift impact`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ImpactFormat {
    /// For people: a summary, then the source with marks and reasons
    Text,
    /// For programs
    Json,
    /// Control flow with marks, for Graphviz
    Dot,
    /// The same as a picture
    Svg,
}

const EXPLORE_EXAMPLES: &str = "Examples:
  pathshift explore brake.c --function update       every path of update
  pathshift explore parse.c -f parse --string 12    strings of up to 12 characters
  pathshift explore tool.c --argv 2x4 --stdin 8     main with two unknown arguments of up to 4 bytes
  pathshift explore lib.rs -f lib::decode --format json

Exit codes: 0 every path was followed, 1 some path ends in a fault, 3 something was not decided.";

/// `pathshift explore`.
#[derive(Debug, ClapArgs)]
pub struct Explore {
    /// Source file, LLVM IR, bitcode, directory with compile_commands.json, or cargo package
    pub input: PathBuf,
    /// The function: its name in the source, the end of it (`Type::f`), or its symbol [default: main]
    #[arg(short, long, value_name = "NAME")]
    pub function: Option<String>,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = ExploreFormat::Text)]
    pub format: ExploreFormat,
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Go on where an exploration of the same program within the same bounds was interrupted
    #[arg(long, conflicts_with = "no_store")]
    pub resume: bool,
    /// What earlier runs found out.
    #[command(flatten)]
    pub store: StoreArgs,
    /// Do not run anything natively
    #[arg(long)]
    pub no_replay: bool,
    /// Where tests are written to.
    #[command(flatten)]
    pub tests: TestFiles,
    /// An older version: only paths that the change since then affects are followed
    #[arg(long, value_name = "OLD")]
    pub since: Option<PathBuf>,
    /// Which paths are followed [default: reuse with --tests, idise with --since, else full]
    #[arg(long, value_enum)]
    pub strategy: Option<ExploreStrategy>,
    /// Suite of an older version, for `--strategy reuse`; `pathshift tests update` also says what becomes of its tests
    #[arg(long = "tests", value_name = "DIR", conflicts_with = "since")]
    pub old_tests: Option<PathBuf>,
    /// Search as the papers do, which may lose affected paths; for comparison
    #[arg(long)]
    pub literal: bool,
    /// Show conditions only as far as the change matters to them
    #[arg(long)]
    pub delta: bool,
    /// Cover what is affected in this sense, with few paths: runs that can add nothing are left
    #[arg(long, value_enum)]
    pub goal: Option<ExploreGoal>,
    /// The output that `--strategy output` is about: `result`, `outside`, a global variable, a part of memory (`st.x`, `p->x`, `*p`), or a line number [default: all]
    #[arg(long, value_name = "WHAT")]
    pub criterion: Option<String>,
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

/// Where the tests of found paths are written to.
#[derive(Debug, Default, ClapArgs)]
#[command(next_help_heading = "Tests")]
pub struct TestFiles {
    /// Write a test for each path to a folder, as text that diffs well; `pathshift replay` runs it
    #[arg(long, value_name = "DIR")]
    pub suite: Option<PathBuf>,
    /// Write a test for each path to a folder as KLEE does: test000001.ktest and so on
    #[arg(long, value_name = "DIR")]
    pub ktest: Option<PathBuf>,
    /// Write a test for each path to a source file, which ends in .c or .rs; what was seen is what it asserts
    #[arg(long, value_name = "FILE")]
    pub emit: Option<PathBuf>,
}

const SIGNATURE_EXAMPLES: &str = "Examples:
  pathshift signature f.c --function clamp          what clamp returns, case by case
  pathshift signature f.c -f update --criterion AltPress
  pathshift signature old.c new.c -f clamp          which cases changed

Exit codes: 0 all cases were found (and are the same), 1 cases differ, 3 something was not decided.";

/// `pathshift signature`.
#[derive(Debug, ClapArgs)]
pub struct Signature {
    /// The program, or its old version
    pub input: PathBuf,
    /// The new version
    pub new: Option<PathBuf>,
    /// The function: its name in the source, the end of it (`Type::f`), or its symbol [default: main]
    #[arg(short, long, value_name = "NAME")]
    pub function: Option<String>,
    /// The output that it is about: `result`, `outside`, a global variable, a part of memory (`st.x`, `p->x`, `*p`), or a line number [default: all]
    #[arg(long, value_name = "WHAT")]
    pub criterion: Option<String>,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
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

const EXPLAIN_EXAMPLES: &str = "Examples:
  pathshift explain old.c new.c -f update --given PedalPos=-1 --given PedalCmd=1
  pathshift explain v1.c v2.c --argv -n --argv 'a*b' --stdin-file failing.txt
  pathshift explain old.c new.c -f parse --given 's[0]=91' --with path
  pathshift explain old.c new.c --test tests/parse              the first test of a suite that fails now

Exit codes: 0 explained, 2 both versions do the same on the test, both fail it, or it cannot be followed.";

/// `pathshift explain`.
#[derive(Debug, ClapArgs)]
pub struct Explain {
    /// The version on which the test passes
    pub old: PathBuf,
    /// The version on which it fails
    pub new: PathBuf,
    /// The function that is tested: its name in the source, the end of it (`Type::f`), or its symbol [default: main]
    #[arg(short, long, value_name = "NAME")]
    pub function: Option<String>,
    /// A test of a suite: its folder, or `DIR:N` for the one of that number [default: the first that fails]
    #[arg(long, value_name = "DIR[:N]", conflicts_with_all = ["given", "argv", "stdin", "stdin_file", "files"])]
    pub test: Option<String>,
    /// A part of the test's input as `explore` and `diff` show it: `x=3`, `req->len=-1`, `s[0]=91`, `s="[1]"`; the rest is
    /// zero, global variables hold what they begin with; repeatable
    #[arg(long, value_name = "NAME=VALUE", allow_hyphen_values = true)]
    pub given: Vec<String>,
    /// What the function should return, or `main` exit with [default: what the old version does]
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true, conflicts_with = "test")]
    pub expect: Option<String>,
    /// Which constraints are composed
    #[arg(long, value_enum, default_value_t = ExplainWith::Slice)]
    pub with: ExplainWith,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
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

/// Which constraints are composed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExplainWith {
    /// Those of the whole path
    Path,
    /// Those that the wrong outcome depends on
    Slice,
    /// Of these, those that the change reaches
    Impacted,
}

/// `pathshift replay`.
#[derive(Debug, ClapArgs)]
pub struct Replay {
    /// Folder of the suite
    pub suite: PathBuf,
    /// The program: source file, LLVM IR, bitcode, directory with compile_commands.json, or cargo package
    pub input: PathBuf,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How to build the input.
    #[command(flatten)]
    pub build: Build,
}

/// What `main` is given.
#[derive(Clone, Debug, ClapArgs)]
#[command(next_help_heading = "What main is given")]
pub struct ShellArgs {
    /// So many unknown arguments of so many bytes, such as `2x4`; or one known argument; repeatable
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    pub argv: Vec<String>,
    /// So many unknown bytes of standard input
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    pub stdin: u64,
    /// Standard input from a file
    #[arg(long, value_name = "FILE", conflicts_with = "stdin")]
    pub stdin_file: Option<PathBuf>,
    /// A file that the program can open: `NAME=BYTES` unknown ones, or `NAME=@PATH` with those of PATH; repeatable
    #[arg(long = "file", value_name = "NAME=...")]
    pub files: Vec<String>,
}

/// Bounds and limits of an exploration.
#[derive(Clone, Debug, ClapArgs)]
#[command(next_help_heading = "Bounds and limits")]
pub struct Bounds {
    /// Rounds of a loop, or calls of a function inside itself, whose end depends on the input [default: 64 to explore and
    /// for tests, else 16]
    #[arg(long, value_name = "N")]
    pub unwind: Option<u32>,
    /// Characters of a string behind a `char *`
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub string: u64,
    /// Elements behind a pointer to numbers, and of a slice
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub elements: u64,
    /// Pointers from the entry to an object
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub depth: u32,
    /// Calls on the stack
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub calls: usize,
    /// Instructions on a path
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    pub steps: u64,
    /// Paths
    #[arg(long, value_name = "N")]
    pub paths: Option<u64>,
    /// Time that the exploration of a function may take: seconds, or a number with ms, s, m or h
    #[arg(long, value_name = "TIME", alias = "time", value_parser = duration)]
    pub timeout: Option<Duration>,
    /// Memory that may be used, such as `512M` or `4G`; without a letter in MiB [default: half of what is free]
    #[arg(long, value_name = "SIZE", value_parser = memory_size)]
    pub memory: Option<u64>,
    /// Which open path goes on next
    #[arg(long, value_enum, default_value_t = SearchOrder::Dfs)]
    pub order: SearchOrder,
    /// Seed of the random order
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Faults that are looked for beyond the usual ones
    #[arg(long, value_enum, value_name = "WHAT")]
    pub check: Vec<Check>,
    /// A solver to ask last: a command that reads SMT-LIB 2, such as `z3 -in`
    #[arg(long, value_name = "COMMAND")]
    pub solver: Option<String>,
    /// Write every question that reaches a solver to a folder
    #[arg(long, value_name = "DIR")]
    pub smt2: Option<PathBuf>,
}

/// Which open path goes on next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SearchOrder {
    /// The latest one
    Dfs,
    /// The oldest one
    Bfs,
    /// Any, by a seed
    Random,
    /// One at code that no path has reached
    Coverage,
}

/// Faults beyond the usual ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Check {
    /// Signed overflow, shifts and conversions out of range, branches on values that were never assigned
    Undefined,
}

/// Forms of `pathshift explore`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExploreFormat {
    /// For people
    Text,
    /// For programs
    Json,
    /// For spreadsheets
    Csv,
}

/// How inputs are built.
#[derive(Clone, Debug, ClapArgs)]
#[command(next_help_heading = "How to build the input")]
pub struct Build {
    /// More flags for clang, such as `--cflags "-Iinclude -DNDEBUG"`; repeatable
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub cflags: Vec<String>,
    /// More flags for rustc; repeatable
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub rustflags: Vec<String>,
    /// More flags for cargo, such as `--cargo-flags "--features x"`; repeatable
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub cargo_flags: Vec<String>,
    /// The clang to use instead of the newest one
    #[arg(long, value_name = "PATH")]
    pub clang: Option<PathBuf>,
    /// Rust edition of a single .rs file [default: 2021]
    #[arg(long, value_name = "YEAR")]
    pub edition: Option<String>,
    /// The binary of a cargo package, with the library that it uses [default: the only binary, else the library]
    #[arg(long, value_name = "NAME")]
    pub bin: Option<String>,
    /// Only units of compile_commands.json whose path contains TEXT, or with `!TEXT` does not; repeatable
    #[arg(long = "unit", value_name = "TEXT")]
    pub units: Vec<String>,
    /// How many things are done at once: compilers, threads that follow paths, functions that `diff` compares, tests that
    /// are run [default: the number of processors]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Time that each compiler may run: seconds, or a number with ms, s, m or h
    #[arg(long, value_name = "TIME", default_value = "600s", value_parser = some_time)]
    pub build_timeout: Duration,
    /// Run nothing of the input: no function or program natively, no build script, no procedural macro
    #[arg(long)]
    pub no_run: bool,
    /// Run functions and programs of the input natively without a sandbox: only for code that you trust
    #[arg(long, conflicts_with = "no_run")]
    pub unsafe_replay: bool,
}

/// A number of bytes: `512M`, `4G`, or a number of MiB.
fn memory_size(text: &str) -> Result<u64, String> {
    let (number, unit) = match text.char_indices().next_back() {
        Some((at, letter)) if letter.is_ascii_alphabetic() => (&text[..at], letter.to_ascii_uppercase()),
        _ => (text, 'M'),
    };
    let shift = match unit {
        'K' => 10,
        'M' => 20,
        'G' => 30,
        'T' => 40,
        _ => return Err("expected a number with K, M, G or T".to_owned()),
    };
    let number: u64 = number.parse().map_err(|_| "expected a number with K, M, G or T".to_owned())?;
    number.checked_mul(1 << shift).filter(|&bytes| bytes > 0).ok_or_else(|| "out of range".to_owned())
}

/// A duration: seconds, or a number with `ms`, `s`, `m` or `h`.
fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "expected seconds, or a number with ms, s, m or h".to_owned();
    let at = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(at);
    let seconds = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(wrong()),
    };
    let number: f64 = number.trim_end().parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(number * seconds).map_err(|_| "out of range".to_owned())
}

/// A duration in which something can be done.
fn some_time(text: &str) -> Result<Duration, String> {
    duration(text).and_then(|time| if time.is_zero() { Err("out of range".to_owned()) } else { Ok(time) })
}

/// `pathshift doctor`.
#[derive(Debug, ClapArgs)]
pub struct Doctor {
    /// Form of the output
    #[arg(long, value_enum, default_value_t = DoctorFormat::Text)]
    pub format: DoctorFormat,
}

/// Forms of `pathshift ir`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum IrFormat {
    /// For people
    Text,
    /// For programs
    Json,
    /// For clang: LLVM IR without debug info
    Llvm,
}

/// Forms of `pathshift doctor`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DoctorFormat {
    /// For people
    Text,
    /// For programs
    Json,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Which paths are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExploreStrategy {
    /// All
    Full,
    /// Those that the change affects in the function itself; what it calls is followed in full
    Dise,
    /// Those that the change affects in the function and in what it calls
    Idise,
    /// One for each way in which anything is computed (dependence guided symbolic execution)
    Dgse,
    /// One for each way in which the outputs are computed (symbolic output)
    Output,
    /// All; where a test of an older version goes, no solver is asked
    Reuse,
}

/// A coverage of what is affected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExploreGoal {
    /// Every affected statement
    Statement,
    /// Every block with one
    Block,
    /// Every side of every affected branch
    Branch,
    /// Every sequence of affected statements
    Path,
    /// Every use of an affected value
    Data,
}

#[cfg(test)]
mod duration_tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        let check = |text: &str, expect: Option<u64>| {
            assert_eq!(duration(text).ok(), expect.map(Duration::from_millis), "{text}");
        };
        check("60", Some(60_000));
        check("2.5", Some(2500));
        check("60s", Some(60_000));
        check("250ms", Some(250));
        check("2m", Some(120_000));
        check("1.5 h", Some(5_400_000));
        for wrong in ["", "s", "3x", "-1", "1e400", "inf", "NaN", "1e30h"] {
            check(wrong, None);
        }
        assert!(some_time("0ms").is_err());
    }
}
