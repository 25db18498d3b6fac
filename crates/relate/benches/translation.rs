//! Translation validation: functions of real C programs against themselves after one pass of LLVM.
//!
//! `cargo bench -p pathshift-relate --bench translation`. Needs clang 19 and opt 19, and cargo to fetch the sources (lua,
//! zlib, bzip2, lz4, sqlite). Each unit is compiled without optimisation; the code as it is and the code after `sroa` are the
//! bases that each pass starts from. Passes keep the meaning, so each answer that is not *same* is a proof that is missing, or a
//! place where the pass made use of undefined behaviour.
//!
//! Options behind `--`, each may be given several times if it takes a value:
//!
//! - `--package NAME`, `--file NAME`, `--function NAME`, `--pass NAME`, `--base O0|sroa`: only these
//! - `--list`: prints each function that is not *same*, with the answer
//! - `--alone`: relates each function that is not *same* again with all others taken to be the same. Those that are proved then
//!   have a column of their own; for the rest the reasons and answers are those of the second attempt
//! - `--prove`: does not look for what a change is confined to, so that *confined* names the first difference only; faster
//! - `--keep DIR`: keeps the IR there
//! - `--time SECONDS` for a function (5), `--limit SECONDS` for a file and a pass (300)

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

#[path = "translation/figures.rs"]
mod figures;
#[path = "translation/packages.rs"]
mod packages;
#[path = "translation/passes.rs"]
mod passes;

use change::{Changes, Kind};
use figures::{Fate, Figures, Row};
use ir::module::Module;
use passes::{BASES, PASSES, Pass};
use relate::answer::Answer;
use relate::{Options, summarise};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What was asked for on the command line.
struct Wanted {
    packages: Vec<String>,
    files: Vec<String>,
    functions: Vec<String>,
    passes: Vec<String>,
    bases: Vec<String>,
    list: bool,
    alone: bool,
    prove: bool,
    keep: Option<PathBuf>,
    time: Duration,
    limit: Duration,
}

impl Wanted {
    fn of_arguments() -> Wanted {
        let mut wanted = Wanted {
            packages: Vec::new(),
            files: Vec::new(),
            functions: Vec::new(),
            passes: Vec::new(),
            bases: Vec::new(),
            list: false,
            alone: false,
            prove: false,
            keep: None,
            time: Options::default().time,
            limit: Duration::from_secs(300),
        };
        let mut args = std::env::args().skip(1);
        while let Some(option) = args.next() {
            let mut value = || args.next().unwrap_or_else(|| panic!("{option} needs a value"));
            match option.as_str() {
                "--package" => wanted.packages.push(value()),
                "--file" => wanted.files.push(value()),
                "--function" => wanted.functions.push(value()),
                "--pass" => wanted.passes.push(value()),
                "--base" => wanted.bases.push(value()),
                "--list" => wanted.list = true,
                "--alone" => wanted.alone = true,
                "--prove" => wanted.prove = true,
                "--keep" => wanted.keep = Some(PathBuf::from(value())),
                "--time" => wanted.time = seconds(&value()),
                "--limit" => wanted.limit = seconds(&value()),
                // What cargo adds.
                "--bench" => {}
                other => panic!("unknown option {other}"),
            }
        }
        wanted
    }
}

fn seconds(text: &str) -> Duration {
    Duration::from_secs_f64(text.parse().unwrap_or_else(|_| panic!("{text} is no number of seconds")))
}

/// Whether a name is among those that were asked for; all are if none was.
fn is_wanted(names: &[String], name: &str) -> bool {
    names.is_empty() || names.iter().any(|wanted| wanted == name)
}

fn main() {
    let wanted = Wanted::of_arguments();
    let scratch = tempfile::tempdir().unwrap();
    let dir = wanted.keep.clone().unwrap_or_else(|| scratch.path().to_path_buf());
    let mut figures = Figures::default();
    for package in packages::all().iter().filter(|package| is_wanted(&wanted.packages, package.name)) {
        for unit in package.units() {
            let file = unit.file_stem().unwrap().to_str().unwrap().to_owned();
            if !is_wanted(&wanted.files, &file) {
                continue;
            }
            let dir = dir.join(package.name);
            std::fs::create_dir_all(&dir).unwrap();
            let compiled = dir.join(format!("{file}.O0.ll"));
            passes::compile(&unit, &package.flags(), &compiled);
            for (base, pass) in BASES.iter().filter(|(base, _)| is_wanted(&wanted.bases, base)) {
                let begin = dir.join(format!("{file}.{base}.ll"));
                if let Some(pass) = pass {
                    passes::optimise(&compiled, pass, &begin);
                }
                let old = module(&begin);
                for pass in PASSES.iter().filter(|pass| is_wanted(&wanted.passes, pass.name)) {
                    let after = dir.join(format!("{file}.{base}.{}.ll", pass.name));
                    passes::optimise(&begin, pass.pipeline, &after);
                    let new = module(&after);
                    if wanted.keep.is_none() {
                        std::fs::remove_file(&after).unwrap();
                    }
                    let place = [package.name, &file, base, pass.name];
                    let row = figures.row(pass, base);
                    relate(&wanted, place, [&old, &new], row);
                }
            }
        }
        eprintln!("{} done", package.name);
    }
    print!("{figures}");
}

/// Reads a file of IR as `diff` does.
fn module(path: &Path) -> Module {
    let text = std::fs::read_to_string(path).unwrap();
    let mut module = ir::parse::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    ir::promote::promote(&mut module);
    module
}

/// Relates all functions of a file that a pass changed, and counts.
fn relate(wanted: &Wanted, place: [&str; 4], [old, new]: [&Module; 2], row: &mut Row) {
    let begin = Instant::now();
    let changes = change::compare(old, new);
    let mut options = Options { time: wanted.time, confine: !wanted.prove, ..Options::default() };
    options.limits.until = Some(begin + wanted.limit);
    let found = summarise(old, new, &changes, &Default::default(), &options);
    let took = begin.elapsed();
    if !found.answers.is_empty() {
        row.times.push(took / found.answers.len() as u32);
    }
    let mut alone = wanted.alone.then(|| all_same(&changes));
    for (position, function) in changes.functions.iter().enumerate() {
        if function.kind != Kind::Changed || !is_wanted(&wanted.functions, &function.name) {
            continue;
        }
        let answer = found.answers.get(&position);
        let own = match (answer, &mut alone) {
            (None | Some(Answer::Same(_)), _) | (_, None) => None,
            (_, Some(alone)) => Some(relate_alone(wanted, [old, new], (alone, &changes), position)),
        };
        let fate = match (answer, &own) {
            (None, _) => Fate::NotReached,
            (Some(answer), Some(own)) => Fate::of_two(answer, own),
            (Some(answer), None) => Fate::of(answer),
        };
        if wanted.list && !matches!(fate, Fate::Same { .. }) {
            let [package, file, base, pass] = place;
            let answer = own.as_ref().or(answer);
            let answer = answer.map_or("not reached".to_owned(), |answer| format!("{answer:?}"));
            println!("{package} {file} {} {base} {pass}: {fate}: {answer}", function.name);
        }
        row.count(fate, [place[0], place[1], &function.name]);
    }
}

/// The same changes with every function taken to be the same.
fn all_same(changes: &Changes) -> Changes {
    let mut changes = changes.clone();
    for function in &mut changes.functions {
        (function.kind, function.same) = (Kind::Unchanged, true);
    }
    changes
}

/// The answer for one function, with all others taken to be the same, and without looking for regions: it names the first
/// thing that fails.
fn relate_alone(
    wanted: &Wanted,
    [old, new]: [&Module; 2],
    (alone, changes): (&mut Changes, &Changes),
    position: usize,
) -> Answer {
    let options = Options { time: wanted.time, confine: false, ..Options::default() };
    let mark = |alone: &mut Changes, kind: Kind, same: bool| {
        (alone.functions[position].kind, alone.functions[position].same) = (kind, same);
    };
    mark(alone, changes.functions[position].kind, false);
    let found = summarise(old, new, alone, &Default::default(), &options);
    mark(alone, Kind::Unchanged, true);
    found
        .answers
        .get(&position)
        .cloned()
        .unwrap_or_else(|| panic!("no answer for {}", changes.functions[position].name))
}

/// The row of a pass and a base.
impl Figures {
    fn row(&mut self, pass: &Pass, base: &'static str) -> &mut Row {
        let at = PASSES.iter().position(|other| other.name == pass.name).unwrap();
        self.rows.entry((at, base)).or_default()
    }
}
