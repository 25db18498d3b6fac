//! Random pairs of C functions: whatever is called the same must behave alike natively. Needs clang 19.
//!
//! Functions write through pointers that may alias, walk lists and strings, call what is unknown, recurse. Each is changed in
//! a way that keeps what it means or in one that may not. Where relating says *same*, both versions run on dense inputs: every pointer
//! into one small arena that ends at a guard page, extreme numbers, two fillings of the stack. Results, memory, calls with
//! arguments and faults are compared. Inputs on which the old version faults or depends on the filling are out of scope:
//! that is what the assumptions of such an answer say. `PATHSHIFT_SEEDS=N` runs that many seeds.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

#[path = "random/edits.rs"]
mod edits;
#[path = "random/program.rs"]
mod program;

use change::compare;
use ir::module::Module;
use program::{Function, PRELUDE, Rng, source};
use relate::answer::Answer;
use relate::{Options, summarise};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Functions of a unit.
const FUNCTIONS: usize = 12;

/// Changed units for each old one.
const VERSIONS: usize = 4;

/// Inputs on which a pair runs natively.
const INPUTS: usize = 300;

/// Kinds of change that are known to be called the same wrongly: counted and shown, and to be taken off this list when mended.
const KNOWN: &[&str] = &[];

#[derive(Default)]
struct Count {
    tried: usize,
    same: usize,
    confined: usize,
    wrong: usize,
}

fn clang(args: &[&str], dir: &Path) {
    let ran = Command::new("clang-19").args(args).current_dir(dir).output().unwrap();
    assert!(ran.status.success(), "{args:?} {}", String::from_utf8_lossy(&ran.stderr));
}

fn module(source: &str, dir: &Path) -> Module {
    std::fs::write(dir.join("a.c"), source).unwrap();
    clang(&["-O0", "-Xclang", "-disable-O0-optnone", "-g", "-w", "-S", "-emit-llvm", "-o", "a.ll", "a.c"], dir);
    let mut module = ir::parse::parse(&std::fs::read_to_string(dir.join("a.ll")).unwrap()).unwrap();
    ir::promote::promote(&mut module);
    module
}

fn unit(functions: &[Function]) -> String {
    functions.iter().fold(PRELUDE.to_owned(), |all, function| all + &source(function))
}

/// Runs pairs natively: what was seen of each that differs, and how many inputs the others ran on.
fn judge(sources: [&str; 2], pairs: &BTreeSet<usize>, dir: &Path) -> BTreeMap<usize, String> {
    let native = ["-O0", "-fno-strict-aliasing", "-fwrapv", "-w", "-c"];
    for (side, source) in ["old", "new"].into_iter().zip(sources) {
        std::fs::write(dir.join(format!("{side}.c")), source).unwrap();
        let (prefix, input) = (format!("-DV(name)={side}_##name"), format!("{side}.c"));
        clang(&[&native[..], &[&prefix, &input]].concat(), dir);
    }
    let mut driver = include_str!("random/driver.c").to_owned();
    let list = |make: &dyn Fn(&usize) -> String| pairs.iter().map(make).collect::<Vec<_>>().join(", ");
    for at in pairs {
        let _ = writeln!(driver, "F old_f{at}, new_f{at};");
    }
    let _ = writeln!(
        driver,
        "F *const old_all[] = {{{}}}, *const new_all[] = {{{}}};\nconst int count = {}, indices[] = {{{}}};",
        list(&|at| format!("old_f{at}")),
        list(&|at| format!("new_f{at}")),
        pairs.len(),
        list(&usize::to_string)
    );
    std::fs::write(dir.join("driver.c"), driver).unwrap();
    clang(&["-O1", "-w", "-o", "run", "driver.c", "old.o", "new.o"], dir);
    let ran = Command::new(dir.join("run")).arg(INPUTS.to_string()).output().unwrap();
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(ran.status.success(), "{:?} {text}", ran.status);
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    lines.map(|(at, what)| (at.parse().unwrap(), what.to_owned())).collect()
}

#[test]
fn what_is_called_the_same_is_the_same() {
    let seeds: u64 = std::env::var("PATHSHIFT_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(4);
    let dir = tempfile::tempdir().unwrap();
    let mut counts: BTreeMap<(bool, &str), Count> = BTreeMap::new();
    let (mut wrong, mut ran, mut idle) = (Vec::new(), 0, 0);
    let mut spent = Duration::ZERO;
    for seed in 0..seeds {
        let mut rng = Rng(seed.wrapping_mul(0x1234_5678_9abc_def1));
        let old: Vec<Function> = (0..FUNCTIONS).map(|at| program::function(&mut rng, at)).collect();
        let old_text = unit(&old);
        let old_module = module(&old_text, dir.path());
        for _ in 0..VERSIONS {
            let (new, kinds): (Vec<Function>, Vec<_>) = old.iter().map(|old| changed(old, &mut rng)).unzip();
            let new_text = unit(&new);
            let new_module = module(&new_text, dir.path());
            let changes = compare(&old_module, &new_module);
            let options = Options { time: Duration::from_millis(400), ..Options::default() };
            let begin = std::time::Instant::now();
            let found = summarise(&old_module, &new_module, &changes, &Default::default(), &options);
            spent += begin.elapsed();
            let mut same = BTreeSet::new();
            for (at, kind) in kinds.iter().enumerate() {
                let Some(kind) = kind else { continue };
                let name = format!("f{at}");
                let position = changes.functions.iter().position(|function| function.name == name).unwrap();
                let count = counts.entry((kind.keeps, kind.name)).or_default();
                count.tried += 1;
                match found.answers.get(&position) {
                    Some(Answer::Same(_)) => {
                        same.insert(at);
                    }
                    Some(Answer::Confined(locals, _)) => {
                        assert!(!locals.is_empty());
                        count.confined += 1;
                    }
                    Some(Answer::Open(_)) => {}
                    None if changes.functions[position].same || found.same.contains_key(&position) => {
                        same.insert(at);
                    }
                    None => {}
                }
                count.same += usize::from(same.contains(&at));
            }
            for (at, seen) in judge([&old_text, &new_text], &same, dir.path()) {
                let Some(kind) = kinds[at] else { continue };
                if let Some(inputs) = seen.strip_prefix("same ") {
                    ran += 1;
                    idle += usize::from(inputs == "0");
                    continue;
                }
                counts.entry((kind.keeps, kind.name)).or_default().wrong += 1;
                let (a, b) = (source(&old[at]), source(&new[at]));
                let text = format!("seed {seed}, {}: {seen}\n{}", kind.name, side_by_side(&a, &b));
                if KNOWN.contains(&kind.name) {
                    eprintln!("known: {}", text.lines().next().unwrap_or_default())
                } else {
                    wrong.push((a.len(), text))
                }
            }
        }
    }
    let (kept, share) = table(&counts);
    eprintln!(
        "{spent:.1?} of relating; {ran} pairs ran alike, {idle} of them on no input; {share:.0} % of {kept} pairs that mean the same are called so"
    );
    wrong.sort();
    for (_, text) in wrong.iter().skip(1) {
        eprintln!("wrong: {}", text.lines().filter(|line| !line.starts_with(' ')).collect::<Vec<_>>().join("\n"));
    }
    assert!(wrong.is_empty(), "{} wrong; the smallest:\n{}", wrong.len(), wrong[0].1);
    assert!(idle * 5 <= ran, "too many pairs have no input on which the old version is defined");
    assert!(kept < 40 || share >= 60.0, "hardly anything is decided");
}

/// A function after one change that applies to it.
fn changed(old: &Function, rng: &mut Rng) -> (Function, Option<edits::Kind>) {
    for _ in 0..8 {
        let kind = rng.pick(edits::KINDS);
        if let Some(new) = edits::apply(&kind, old, rng) {
            return (new, Some(kind));
        }
    }
    (old.clone(), None)
}

fn table(counts: &BTreeMap<(bool, &str), Count>) -> (usize, f64) {
    let (mut tried, mut same) = (0, 0);
    for ((keeps, name), count) in counts {
        let keeps_text = if *keeps { "keeps" } else { "may not" };
        eprintln!(
            "{keeps_text:8} {name:28} {:5} pairs {:5} same {:5} confined {:3} wrong",
            count.tried, count.same, count.confined, count.wrong
        );
        if *keeps {
            tried += count.tried;
            same += count.same;
        }
    }
    (tried, 100.0 * same as f64 / tried.max(1) as f64)
}

/// The old version, and what lines of the new one are others.
fn side_by_side(old: &str, new: &str) -> String {
    let lines: BTreeSet<&str> = old.lines().collect();
    let new_lines: BTreeSet<&str> = new.lines().collect();
    let mark = |text: &str, known: &BTreeSet<&str>| {
        text.lines()
            .map(|line| format!("{} {line}\n", if known.contains(line) { ' ' } else { '*' }))
            .collect::<String>()
    };
    format!("--- old\n{}--- new\n{}", mark(old, &new_lines), mark(new, &lines))
}
