//! Suites that keep up with the code: the suite of an old version, updated, has exactly the paths that a full exploration
//! of the new version finds.

use crate::support::{folder, full, pathshift, scratch};
use crate::verdicts::{PREAMBLE, random_pair};
use compare::explore::Options;
use compare::replay;
use compare::store::{Key, Store};
use compare::suite::{Writer, signature};
use compare::upkeep::{self, Suite, Updated, Version};
use exec::entry::Entry;
use exec::program::Program;
use explore::tree::Tree;
use report::ledger::{Counts, Ledger, Status};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

fn machine(temp: &Path) -> build::Environment {
    build::Environment { path: std::env::var_os("PATH").unwrap(), temp: temp.into(), bitcode_helper: None }
}

/// A version of a program and a function of it.
struct Loaded(Program, Entry);

impl Loaded {
    fn new(dir: &Path, name: &str, source: &str, function: &str) -> Loaded {
        let path = dir.join(name);
        std::fs::write(&path, source).unwrap();
        let mut built = build::load(&path, &build::Options::default(), &machine(dir)).unwrap();
        ir::promote::promote(&mut built.module);
        let function = compare::find::functions(&built.module, function).unwrap()[0];
        Loaded(Program::new(built.module, exec::program::Options::default()), Entry { function, shell: None })
    }

    fn version(&self) -> Version<'_> {
        Version { program: &self.0, entry: &self.1 }
    }
}

/// Explores both versions in full, and brings the suite of the old one to the new one.
struct Pair {
    new: Loaded,
    full: Updated,
    updated: Updated,
    /// Without what the store knows.
    by_tests: Updated,
}

fn pair(dir: &Path, old: &str, new: &str, function: &str, jobs: usize) -> Option<Pair> {
    let old = Loaded::new(dir, "old.c", old, function);
    let new = Loaded::new(dir, "new.c", new, function);
    let mut options = Options::default();
    options.explore.max_paths = 2000;
    options.explore.unwind = Some(4);
    options.explore.jobs = jobs;
    updated(dir, old, new, function, options, 10)
}

fn updated(dir: &Path, old: Loaded, new: Loaded, function: &str, mut options: Options, seconds: u64) -> Option<Pair> {
    // Paths and time of one run count towards the limits of that run only.
    let fresh = |options: &mut Options| {
        options.explore.progress = Default::default();
        options.explore.deadline = Some(Instant::now() + Duration::from_secs(seconds));
    };
    fresh(&mut options);
    let store = Store::open(&dir.join(format!("{function}.db")), Key::random().unwrap()).unwrap().0;
    let before = upkeep::generate(old.version(), &options, String::new());
    fresh(&mut options);
    let full = upkeep::generate(new.version(), &options, String::new());
    fresh(&mut options);
    let (Some(tree), Some(_)) = (&before.tree, &full.tree) else { return None };
    // Where a solver does not know, a test may: then there are more paths, not the same.
    let unknown = |updated: &Updated| updated.ledger.undecided.iter().any(|item| item.reason.contains("solver"));
    if unknown(&before) || unknown(&full) {
        return None;
    }
    let digest = 1;
    store.put_tree(upkeep::tree_key(old.version(), &options), function, Some(digest), tree).unwrap();
    let suite = Suite { tests: &before.tests, digest: Some(digest), name: String::new() };
    let updated = upkeep::update(Some(old.version()), new.version(), &suite, &options, Some(&store));
    fresh(&mut options);
    let by_tests = upkeep::update(Some(old.version()), new.version(), &suite, &options, None);
    // On a slow machine the time may be up.
    let complete = updated.tree.is_some() && by_tests.tree.is_some();
    complete.then_some(Pair { new, full, updated, by_tests })
}

/// A tree without the places of what was not decided, which are those of one version.
fn bytes(tree: &Option<Tree>) -> Option<Vec<u8>> {
    let mut tree = tree.clone()?;
    tree.forget_places();
    tree.to_bytes()
}

fn check(pair: &Pair, what: &str) {
    for updated in [&pair.updated, &pair.by_tests] {
        assert_eq!(updated.tests.len(), pair.full.tests.len(), "{what}: number of paths");
        let ways = |updated: &Updated| updated.tree.as_ref().map(|tree| tree.ways(Tree::ROOT));
        assert_eq!(ways(updated), ways(&pair.full), "{what}: ways");
        assert!(bytes(&updated.tree) == bytes(&pair.full.tree), "{what}: conditions of the paths");
        for (index, (test, expected)) in updated.tests.iter().zip(&pair.full.tests).enumerate() {
            assert_eq!(test.turns, expected.turns, "{what}: turns of test {index}");
            assert_eq!(test.outcome.end, expected.outcome.end, "{what}: end of test {index}");
        }
        let Counts { kept, re_aimed, new, unchecked, .. } = updated.ledger.counts;
        assert_eq!((kept + re_aimed + new, unchecked), (updated.tests.len() as u64, 0), "{what}: counts");
    }
    // What became of a test does not depend on what else is known.
    assert_eq!(statuses(&pair.updated.ledger), statuses(&pair.by_tests.ledger), "{what}: ledger");
}

/// Runs all tests natively, or says which part of which one disagrees.
fn replay(dir: &Path, pair: &Pair) -> Result<u64, String> {
    let suite = dir.join("suite");
    let module = &pair.new.0.module;
    let mut writer = Writer::create(&suite, signature::header(module, pair.new.1.function)).unwrap();
    pair.updated.tests.iter().for_each(|test| writer.push(test).unwrap());
    writer.finish().unwrap();
    let options = replay::Options::default();
    let report = replay::replay_suite(&suite, module, &options, &replay::Limits::default(), &machine(dir))
        .map_err(|error| error.to_string())?;
    match report.disagreements.first() {
        None => Ok(report.tests),
        Some(one) => Err(format!(
            "{} of {} tests disagree natively, as test {} ({}): {}: expected {}, seen {}; {}",
            report.disagreed,
            report.tests,
            one.test,
            one.input,
            one.part,
            one.expected,
            one.seen,
            one.notes.join("; ")
        )),
    }
}

pub const MID: [&str; 2] = [
    "int mid(int x, int y, int z) {
if (x<y) {
if (y<z) return y;
else if (x<z) return z;
else return x;
} else if (x<z) return x;
else if (y<z) return z;
else return y; }
",
    "int mid(int x, int y, int z) {
if (x<y) {
if (y<z) return y;
else if (x<=z) return z;
else return x;
} else if (x<z) return x;
else if (y<z) return z;
else return x; }
",
];

fn statuses(ledger: &Ledger) -> Vec<(Status, Option<u64>, Option<u64>)> {
    ledger.tests.iter().map(|entry| (entry.status, entry.old, entry.new)).collect()
}

/// The example of the paper on reusing suites.
#[test]
fn mid_keeps_four_tests_and_asks_once() {
    let dir = scratch();
    let pair = pair(dir.path(), MID[0], MID[1], "mid", 1).unwrap();
    check(&pair, "mid");
    let expected = [
        (Status::Kept, Some(1), Some(1)),
        (Status::Kept, Some(2), Some(2)),
        // Its input has x == z, so that it goes the way of the second test now.
        (Status::Obsolete, Some(3), None),
        (Status::New, None, Some(3)),
        (Status::Kept, Some(4), Some(4)),
        (Status::Kept, Some(5), Some(5)),
        (Status::Kept, Some(6), Some(6)),
    ];
    assert_eq!(statuses(&pair.updated.ledger), expected);
    assert_eq!(statuses(&pair.by_tests.ledger), expected);
    // One question for the one path that no test goes; the paths that did not change are not even executed.
    assert_eq!((pair.updated.ledger.stats.queries, pair.by_tests.ledger.stats.queries), (1, 1));
    assert_eq!(pair.updated.ledger.reuse.taken, 3);
    let lines: Vec<Option<u32>> = pair.updated.ledger.tests.iter().map(|entry| entry.line).collect();
    assert_eq!(lines[2..4], [Some(4), Some(4)]);
    assert_eq!(replay(dir.path(), &pair), Ok(6));
}

#[test]
fn nothing_is_asked_about_a_program_that_did_not_change() {
    let dir = scratch();
    // Lines that move and parameters with other names are no changes.
    let moved = MID[0].replace("x", "first").replace("int mid", "\n\n/* moved */\nint mid");
    for new in [MID[0], &moved] {
        let pair = pair(dir.path(), MID[0], new, "mid", 1).unwrap();
        check(&pair, "mid");
        let ledger = &pair.updated.ledger;
        assert_eq!((ledger.counts.kept, ledger.stats.queries, ledger.stats.instructions), (6, 0, 0));
        assert_eq!(ledger.reuse.taken, 6);
    }
}

/// The case that the paper's algorithm gets wrong: a side that no test takes, impossible before and possible now.
#[test]
fn a_side_without_a_test_is_not_forgotten() {
    let dir = scratch();
    let old = "int f(int x) { int y = x & 3; if (y > 3) return 1; if (x == 7) return 2; return 0; }";
    let new = "int f(int x) { int y = x & 7; if (y > 3) return 1; if (x == 7) return 2; return 0; }";
    let pair = pair(dir.path(), old, new, "f", 1).unwrap();
    check(&pair, "f");
    // x == 7 is impossible now, and y > 3 possible.
    assert_eq!((pair.full.tests.len(), pair.updated.ledger.counts.new), (2, 0));
}

#[test]
fn updated_suites_have_the_paths_of_the_new_version() {
    let first: u64 = std::env::var("PATHSHIFT_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let default = if full() { 1000 } else { 12 };
    let count = std::env::var("PATHSHIFT_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(default);
    let mut sum = Counts::default();
    let (mut looked_at, mut replayed, mut taken, mut calls) = (0, 0, 0, [0, 0]);
    let mut wrong: Vec<String> = Vec::new();
    let started = Instant::now();
    for seed in first..first + count {
        if !full() && started.elapsed() > Duration::from_secs(30) {
            break;
        }
        let dir = scratch();
        let (old, new) = random_pair(seed);
        let (old, new) = (format!("{PREAMBLE}{old}"), format!("{PREAMBLE}{new}"));
        let jobs = if seed % 4 == 0 { 2 } else { 1 };
        let Some(pair) = pair(dir.path(), &old, &new, "f0", jobs) else { continue };
        check(&pair, &format!("seed {seed}"));
        match replay(dir.path(), &pair) {
            Ok(tests) => replayed += tests,
            Err(problem) => {
                println!("seed {seed}: {problem}\n{new}");
                wrong.push(format!("seed {seed}: {problem}"));
            }
        }
        looked_at += 1;
        let counts = pair.updated.ledger.counts;
        sum.kept += counts.kept;
        sum.re_aimed += counts.re_aimed;
        sum.obsolete += counts.obsolete;
        sum.new += counts.new;
        taken += pair.updated.ledger.reuse.taken;
        calls[0] += pair.full.ledger.stats.queries;
        calls[1] += pair.updated.ledger.stats.queries;
    }
    println!("{looked_at} pairs of {count}: {sum:?}, {taken} taken over, questions full and updated: {calls:?}");
    println!("{replayed} tests replayed");
    assert!(looked_at > 0, "no pair was small enough");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// All versions of all examples, function by function; every test of the updated suites does natively what it says.
#[test]
fn updated_suites_of_examples_have_the_paths_of_the_new_version() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let started = Instant::now();
    let (mut looked_at, mut tests) = (0, 0);
    let mut folders: Vec<PathBuf> = std::fs::read_dir(examples).unwrap().map(|item| item.unwrap().path()).collect();
    folders.sort();
    for folder in folders.iter().filter(|path| path.is_dir()) {
        let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|item| item.unwrap().path()).collect();
        files.sort();
        let base = if folder.join("old.c").exists() { folder.join("old.c") } else { files[0].clone() };
        for version in files.iter().filter(|version| **version != base) {
            let text = |path: &Path| std::fs::read_to_string(path).unwrap();
            let dir = scratch();
            let load = |name: &str, path: &Path, function: &str| Loaded::new(dir.path(), name, &text(path), function);
            let all = |path: &Path| {
                let mut built = build::load(path, &build::Options::default(), &machine(dir.path())).unwrap();
                ir::promote::promote(&mut built.module);
                built.module
            };
            let (before, after) = (all(&base), all(version));
            let changes = change::compare(&before, &after);
            for changed in changes.functions.iter().filter(|changed| !changed.same) {
                let (Some(_), Some(id)) = (changed.old, changed.new) else { continue };
                if !full() && started.elapsed() > Duration::from_secs(20) {
                    continue;
                }
                let function = after.function_name(id);
                let what = format!("{} {function}", version.display());
                let mut options = Options::default();
                options.explore.max_paths = if full() { 50_000 } else { 500 };
                let (old, new) = (load("old.c", &base, function), load("new.c", version, function));
                let Some(pair) = updated(dir.path(), old, new, function, options, 60) else {
                    assert!(!full(), "{what} has too many paths");
                    continue;
                };
                check(&pair, &what);
                replay(dir.path(), &pair).unwrap_or_else(|problem| panic!("{what}: {problem}"));
                looked_at += 1;
                tests += pair.updated.tests.len();
            }
        }
    }
    println!("{looked_at} functions, {tests} tests");
    assert!(looked_at > 0);
}

/// A function with many paths, a few milliseconds each with hundreds of rounds.
pub fn slow_program(conditions: usize, rounds: u32) -> String {
    let mut body = String::new();
    for at in 0..conditions {
        body.push_str(&format!(
            "  for (int i = 0; i < {rounds}; i++) n += i ^ n;\n  if (b[{at} % 8] > {} + {at}) s += {at};\n",
            at * 7 % 50
        ));
    }
    format!("int f(unsigned char b[8]) {{ unsigned n = 1; int s = 0;\n{body}  return s + (n & 1); }}\n")
}

pub fn explore(dir: &Path, more: &[&str]) -> std::process::Command {
    let mut command = pathshift();
    command.current_dir(dir).args(["explore", "f.c", "-f", "f", "--no-replay"]).args(more);
    command
}

/// An exploration that is killed again and again finds what an uninterrupted one does.
#[test]
fn killed_explorations_are_resumed() {
    let dir = scratch();
    // About a minute, or a second.
    let (conditions, rounds, kills) = if full() { (16, 6000, 20) } else { (11, 300, 3) };
    std::fs::write(dir.path().join("f.c"), slow_program(conditions, rounds)).unwrap();
    let started = Instant::now();
    let whole = explore(dir.path(), &["--no-store"]).output().unwrap();
    let took = started.elapsed();
    let mut last = None;
    let mut random = 12345u64;
    for round in 0.. {
        let mut child =
            explore(dir.path(), &["--resume"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        if round < kills {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let share = 0.2 + (random >> 40) as f64 / (1u64 << 24) as f64;
            std::thread::sleep(Duration::from_secs_f64(took.as_secs_f64() * share / f64::from(kills)));
            child.kill().unwrap();
        }
        let output = child.wait_with_output().unwrap();
        if output.status.code().is_some() {
            last = Some(output);
            break;
        }
    }
    let last = last.unwrap();
    assert_eq!(String::from_utf8_lossy(&last.stderr), "");
    assert!(last.stdout == whole.stdout, "the result is another one");
    // Nothing is left to be resumed.
    let info = pathshift().current_dir(dir.path()).args(["store", "info"]).output().unwrap();
    assert!(String::from_utf8_lossy(&info.stdout).contains("0 explorations to be resumed"), "{info:?}");
}

/// What was found before an interruption is not looked for again.
#[test]
fn finished_parts_are_not_repeated() {
    let dir = scratch();
    std::fs::write(dir.path().join("f.c"), slow_program(9, 300)).unwrap();
    let run = |more: &[&str]| -> serde_json::Value {
        let output = explore(dir.path(), &[&["--format", "json"], more].concat()).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let whole = run(&["--no-store"]);
    let part = run(&["--paths", "150"]);
    let rest = run(&["--resume"]);
    let instructions = |result: &serde_json::Value| result["stats"]["instructions"].as_u64().unwrap();
    assert_eq!(rest["paths"], whole["paths"]);
    assert_eq!(part["run_state"], "incomplete");
    assert!(instructions(&part) + instructions(&rest) < instructions(&whole) * 5 / 4);
    assert!(instructions(&rest) < instructions(&whole) * 4 / 5);
}

/// Suites whose making or updating was cut short are the same in the end, with the same ledger.
#[test]
fn cut_short_suites_are_resumed() {
    let (whole, cut) = (scratch(), scratch());
    let (old, new) = (slow_program(9, 300), slow_program(9, 300).replace("+ 5) s += 5", "+ 6) s += 5"));
    assert_ne!(old, new);
    for dir in [&whole, &cut] {
        std::fs::write(dir.path().join("old.c"), &old).unwrap();
        std::fs::write(dir.path().join("new.c"), &new).unwrap();
    }
    let run = |dir: &Path, args: &[&str]| -> serde_json::Value {
        let output = tests(dir, &[args, &["--suite", "s", "--format", "json"]].concat());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        serde_json::from_str(&text).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
    };
    let suite = |dir: &Path| std::fs::read_to_string(dir.join("s/tests.txt")).unwrap();
    let before = cut.path().join("s/tests.before-update.txt");
    for args in [&["generate", "old.c", "-f", "f"][..], &["update", "old.c", "new.c"]] {
        let all = run(whole.path(), args);
        let part = run(cut.path(), &[args, &["--paths", "100"]].concat());
        assert_eq!((&part["run_state"], before.exists()), (&"incomplete".into(), args[0] == "update"));
        assert!(part["notes"].to_string().contains("--resume"), "{part}");
        assert_ne!(suite(cut.path()), suite(whole.path()));
        let rest = run(cut.path(), &[args, &["--resume"]].concat());
        let rows = |ledger: &serde_json::Value| -> Vec<String> {
            let rows = ledger["tests"].as_array().unwrap().iter();
            rows.map(|row| format!("{} {} {} {}", row["status"], row["input"], row["reason"], row["line"])).collect()
        };
        assert_eq!(rest["counts"], all["counts"]);
        assert!(rows(&rest) == rows(&all), "{} rows", rows(&all).len());
        assert_eq!(suite(cut.path()), suite(whole.path()));
        assert!(!before.exists());
        let instructions = |ledger: &serde_json::Value| ledger["stats"]["instructions"].as_u64().unwrap();
        assert!(instructions(&part) + instructions(&rest) < instructions(&all) * 5 / 4);
        assert!(instructions(&rest) < instructions(&all) * 9 / 10, "{} {}", instructions(&rest), instructions(&all));
    }
}

/// Two processes that use one store at the same time find what each of them would alone.
#[test]
fn two_processes_share_a_store() {
    let dir = scratch();
    let source = "int f(unsigned a, unsigned b) { if (a * b == 391 && a > 1 && b > a) return 1; \
                  if (a * a * a == 2197) return 2; if ((a ^ b) % 1000 == 77 && a > b) return 3; return 0; }";
    std::fs::write(dir.path().join("f.c"), source).unwrap();
    let alone = explore(dir.path(), &["--no-store"]).output().unwrap().stdout;
    let store: PathBuf = dir.path().join("shared.db");
    for round in 0..if full() { 50 } else { 3 } {
        let both = [(); 2].map(|()| {
            let shared = ["--store", store.to_str().unwrap()];
            explore(dir.path(), &shared).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        });
        for child in both {
            let output = child.wait_with_output().unwrap();
            assert_eq!(String::from_utf8_lossy(&output.stderr), "", "round {round}");
            assert!(output.stdout == alone, "round {round}: another result");
        }
        if round % 3 == 2 {
            std::fs::remove_file(&store).unwrap();
        }
    }
}

/// A verdict is asked for once, until something that it shows or stands on changes.
#[test]
fn verdicts_are_found_again() {
    let dir = scratch();
    let helper = "int twice(int x) {\n    return 2 * x;\n}\n";
    let of = |how: &str| format!("int f(int x) {{\n    return {how};\n}}\n");
    let diff = |old: &str, new: &str| {
        std::fs::write(dir.path().join("old.c"), old).unwrap();
        std::fs::write(dir.path().join("new.c"), new).unwrap();
        let output = pathshift().current_dir(dir.path()).args(["diff", "old.c", "new.c", "--format", "json"]).output();
        let result: serde_json::Value = serde_json::from_slice(&output.unwrap().stdout).unwrap();
        let mut rows = result["functions"].clone();
        rows.as_array_mut().unwrap().iter_mut().for_each(|row| row["stats"] = serde_json::Value::Null);
        let recalled =
            result["notes"].as_array().unwrap().iter().any(|note| note.as_str().unwrap().contains("earlier run"));
        (rows, recalled)
    };
    let (old, same, other) = (of("x + x") + helper, of("x * 2") + helper, of("x + 2") + helper);
    let first = [diff(&old, &same), diff(&old, &other)];
    assert_eq!(first.each_ref().map(|(rows, _)| rows[0]["verdict"].as_str().unwrap()), ["same", "different"]);
    assert!(first.iter().all(|(_, recalled)| !recalled), "{first:?}");
    let second = [diff(&old, &same), diff(&old, &other)];
    assert!(second.iter().all(|(_, recalled)| *recalled), "{second:?}");
    assert_eq!(first.map(|(rows, _)| rows), second.map(|(rows, _)| rows));
    // Something else in the file, below it.
    let below = |text: &str| text.replace("2 * x", "x << 1");
    assert!(diff(&below(&old), &below(&other)).1);
    // Lines that move, names that it shows, and bounds.
    assert!(!diff(&old, &format!("\n{other}")).1);
    let named =
        |text: &str| text.replace("int f(int x) {\n    return x", "int f(int y) {\n    return y").replace("+ x", "+ y");
    assert!(!diff(&named(&old), &named(&other)).1);
}

/// A store of a newer version is left alone, and work goes on.
#[test]
fn a_newer_store_is_left_alone() {
    let dir = scratch();
    std::fs::write(dir.path().join("f.c"), MID[0].replace("mid", "f")).unwrap();
    let generate = |dir: &Path| {
        let mut command = pathshift();
        command.current_dir(dir).args(["tests", "generate", "f.c", "-f", "f", "--suite", "s", "--store", "store.db"]);
        command.output().unwrap()
    };
    assert_eq!(generate(dir.path()).status.code(), Some(0));
    let path = dir.path().join("store.db");
    let mut bytes = std::fs::read(&path).unwrap();
    // The number that the user of SQLite may set: bytes 60 to 63.
    bytes[60..64].copy_from_slice(&99u32.to_be_bytes());
    std::fs::write(&path, &bytes).unwrap();
    let output = generate(dir.path());
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.contains("was written by a newer pathshift (form 99, this one knows 2)"), "{errors}");
    assert_eq!((output.status.code(), std::fs::read(&path).unwrap()), (Some(0), bytes));
}

#[test]
fn the_commands() {
    let dir = scratch();
    std::fs::write(dir.path().join("old.c"), MID[0]).unwrap();
    std::fs::write(dir.path().join("new.c"), MID[1]).unwrap();
    let run = |args: &[&str]| {
        let output = pathshift().current_dir(dir.path()).arg("tests").args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let suite = dir.path().join("s/tests.txt");
    assert!(run(&["generate", "old.c", "-f", "mid", "--suite", "s"]).contains("6 new\n"));
    let before = std::fs::read(&suite).unwrap();
    let shown = run(&["update", "old.c", "new.c", "--suite", "s", "--dry-run"]);
    assert!(shown.contains("5 kept, 0 re-aimed, 1 obsolete, 1 new (nothing was written)"), "{shown}");
    assert_eq!(std::fs::read(&suite).unwrap(), before);
    let shown = run(&["update", "old.c", "new.c", "--suite", "s", "--format", "json"]);
    let ledger: serde_json::Value = serde_json::from_str(&shown).unwrap();
    assert_eq!((&ledger["counts"]["kept"], &ledger["written"]), (&5.into(), &true.into()));
    assert!(run(&["replay", "s", "new.c"]).contains("6 of 6 tests of `mid` did what was expected"));
    // The same once more: nothing changed.
    let shown = run(&["update", "new.c", "new.c", "--suite", "s"]);
    assert!(shown.contains("6 paths, 6 of them taken over; 0 solver calls"), "{shown}");
    let mut twice = std::fs::read_to_string(&suite).unwrap();
    let last = twice.lines().last().unwrap().to_owned();
    twice.push_str(&format!("{last}\n"));
    std::fs::write(&suite, twice).unwrap();
    let shown = run(&["minimize", "new.c", "--suite", "s"]);
    assert!(shown.contains("6 kept, 0 re-aimed, 1 obsolete, 0 new"), "{shown}");
    assert_eq!(run(&["show", "--suite", "s"]).lines().count(), 7);
}

#[test]
fn tests_that_compute_the_same_are_one_too_many() {
    // Eight paths, but only three ways to compute what is returned: `z` decides about nothing that is seen.
    let source = "int f(int x, int y, int z) {
    int a, b = 2, c = 0;
    if (x - y > 0) a = x; else a = y;
    if (x + y > 10) b = a;
    if (z > 3) c = 1; else c = 2;
    (void)c;
    return b;
}
";
    let (folder, files) = folder(&[("t.c", source)]);
    let suite = folder.path().join("suite");
    let (suite, input) = (suite.to_str().unwrap(), files[0].to_str().unwrap());
    let made =
        pathshift().args(["tests", "generate", input, "-f", "f", "--suite", suite, "--no-store"]).output().unwrap();
    assert_eq!(made.status.code(), Some(0), "{}", String::from_utf8_lossy(&made.stderr));
    let count = || {
        let text = std::fs::read_to_string(Path::new(suite).join("tests.txt")).unwrap();
        text.lines().skip_while(|line| *line != "--").skip(1).count()
    };
    assert_eq!(count(), 8);
    for (by, left) in [("path", 8), ("output", 3)] {
        let args = ["tests", "minimize", input, "--suite", suite, "--by", by, "--no-store"];
        let done = pathshift().args(args).output().unwrap();
        assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
        assert_eq!(count(), left, "{}", String::from_utf8_lossy(&done.stdout));
    }
}

/// Variables of a test are shown as the source has them.
#[test]
fn variables_are_numbers() {
    let dir = scratch();
    std::fs::write(dir.path().join("f.c"), "int level; int f(int x) { return level == 7 ? x : 0; }").unwrap();
    let mut command = pathshift();
    command.current_dir(dir.path()).args(["tests", "generate", "f.c", "-f", "f", "--suite", "s", "--format", "json"]);
    let output = command.output().unwrap();
    let ledger: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let inputs: Vec<&str> =
        ledger["tests"].as_array().unwrap().iter().filter_map(|test| test["input"].as_str()).collect();
    assert!(inputs.iter().any(|input| input.ends_with(" level=7")), "{inputs:?}");
    assert!(inputs.iter().all(|input| !input.contains(['@', '%', '#'])), "{inputs:?}");
}

/// What a shell gives is part of a test, and what it was made with is part of a suite.
#[test]
fn programs_keep_their_arguments_input_and_files() {
    let version = |word: &str, limit: char| {
        format!(
            "#include <stdio.h>
int main(int argc, char **argv) {{
    int count = 0, c;
    FILE *file = fopen(\"in.txt\", \"r\");
    if (argc > 1 && argv[1][0] == '-') printf(\"option %c\\n\", argv[1][1] == 'v' ? 'v' : '?');
    while ((c = getchar()) != EOF) if (c > '{limit}') count++; else if (c == '\\n') puts(\"{word}\");
    if (file && getc(file) == 'x') count += 10;
    printf(\"%d\\n\", count);
    return 0;
}}
"
        )
    };
    let dir = scratch();
    std::fs::write(dir.path().join("old.c"), version("line", '0')).unwrap();
    std::fs::write(dir.path().join("new.c"), version("LINE", '1')).unwrap();
    let run = |args: &[&str]| {
        let output = pathshift().current_dir(dir.path()).arg("tests").args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let bounds = ["--argv", "1x2", "--stdin", "2", "--file", "in.txt=1"];
    let ways = |suite: &str| {
        let text = std::fs::read_to_string(dir.path().join(suite).join("tests.txt")).unwrap();
        let tests = text.lines().skip_while(|line| *line != "--").skip(1);
        tests.map(|line| line.rsplit_once(" | ").unwrap().1.to_owned()).collect::<std::collections::BTreeSet<_>>()
    };
    let generate = |version: &str, suite: &str| {
        let mut args = vec!["generate", version, "--suite", suite];
        args.extend(bounds);
        run(&args);
        ways(suite)
    };
    let old = generate("old.c", "s");
    // The bounds are those of the suite.
    run(&["update", "old.c", "new.c", "--suite", "s"]);
    let all = format!("{0} of {0} tests of `main` did what was expected", old.len());
    let replayed = run(&["replay", "s", "new.c"]);
    assert!(replayed.contains(&all), "{replayed}");
    assert_eq!(ways("s"), generate("new.c", "fresh"));
    let shown = run(&["minimize", "new.c", "--suite", "s", "--no-store"]);
    assert!(shown.contains(&format!("{} kept, 0 re-aimed, 0 obsolete", old.len())), "{shown}");
    // Files of standard input, of different lengths.
    let files = dir.path().join("files");
    std::fs::create_dir(&files).unwrap();
    for (name, text) in [("a", ""), ("b", "\n"), ("c", "12"), ("d", "\n\n"), ("e", "34")] {
        std::fs::write(files.join(name), text).unwrap();
    }
    let shown = run(&["minimize", "old.c", "--suite", "files", "--no-store", "--dry-run"]);
    assert!(shown.contains("4 kept, 0 re-aimed, 1 obsolete"), "{shown}");
}

/// Of a record that is returned as a number, what lies between its fields is not known, and the fields are.
#[test]
fn fields_of_returned_records_are_compared() {
    let version = |letter: char| {
        format!(
            "struct pair {{ char c; int n; }}; struct pair mk(int x) {{ struct pair p; p.c = '{letter}'; p.n = x; return p; }}"
        )
    };
    let (folder, files) = folder(&[("old.c", &version('n')), ("new.c", &version('m'))]);
    let suite = folder.path().join("suite");
    let [old, new] = [0, 1].map(|at: usize| files[at].to_str().unwrap());
    let suite = suite.to_str().unwrap();
    let run = |args: &[&str]| pathshift().arg("tests").args(args).output().unwrap().status.code();
    assert_eq!(run(&["generate", old, "-f", "mk", "--suite", suite, "--no-store"]), Some(0));
    assert_eq!((run(&["replay", suite, old]), run(&["replay", suite, new])), (Some(0), Some(1)));
}

/// `pathshift tests` in a folder.
pub fn tests(dir: &Path, args: &[&str]) -> std::process::Output {
    pathshift().current_dir(dir).arg("tests").args(args).output().unwrap()
}

/// The same, for those that end well: what they show.
pub fn shown(dir: &Path, args: &[&str]) -> String {
    let output = tests(dir, args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Functions that the library has natively and we bring for the exploration are part of the ways, and of no native run.
#[test]
fn suites_know_the_library() {
    let version = |order: &str| {
        format!(
            "#include <stdlib.h>
static int order(const void *a, const void *b) {{
    int x = *(const int *)a, y = *(const int *)b;
    return {order};
}}
int middle(int a, int b, int c) {{
    int v[3] = {{a, b, c}};
    qsort(v, 3, sizeof *v, order);
    return v[1];
}}
"
        )
    };
    let dir = scratch();
    std::fs::write(dir.path().join("old.c"), version("x < y ? -1 : x > y")).unwrap();
    std::fs::write(dir.path().join("new.c"), version("x < y ? -1 : x > y ? 1 : 0")).unwrap();
    let generated = shown(dir.path(), &["generate", "old.c", "-f", "middle", "--suite", "s"]);
    assert!(generated.contains("13 new"), "{generated}");
    let agree = "s: 13 of 13 tests of `middle` did what was expected";
    let replayed = shown(dir.path(), &["replay", "s", "old.c"]);
    assert!(replayed.starts_with(agree), "{replayed}");
    shown(dir.path(), &["update", "old.c", "new.c", "--suite", "s"]);
    let replayed = shown(dir.path(), &["replay", "s", "new.c"]);
    assert!(replayed.starts_with(agree), "{replayed}");
}

/// A suite belongs to a function: it is not made one of another, and goes along when the function has another name.
#[test]
fn a_suite_is_of_one_function() {
    let dir = scratch();
    let old = "int f(int x) { if (x > 3) return 1; return 2; }\nint g(int x) { if (x > 5) return 7; return 8; }\n";
    std::fs::write(dir.path().join("old.c"), old).unwrap();
    std::fs::write(dir.path().join("new.c"), old.replace("int f", "int first")).unwrap();
    let suite = dir.path().join("s/tests.txt");
    shown(dir.path(), &["generate", "old.c", "-f", "f", "--suite", "s"]);
    let before = std::fs::read(&suite).unwrap();
    for args in [&["update", "old.c", "new.c"][..], &["minimize", "old.c"]] {
        let output = tests(dir.path(), &[args, &["--suite", "s", "-f", "g"]].concat());
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(errors.contains("s has tests of `f`, and `g` is another function"), "{errors}");
        assert_eq!((output.status.code(), &std::fs::read(&suite).unwrap()), (Some(2), &before));
    }
    let kept = shown(dir.path(), &["update", "old.c", "new.c", "--suite", "s", "-f", "first"]);
    assert!(kept.contains("2 kept, 0 re-aimed, 0 obsolete, 0 new"), "{kept}");
    let replayed = shown(dir.path(), &["replay", "s", "new.c"]);
    assert!(replayed.contains("2 of 2 tests of `first`"), "{replayed}");
}

/// Of tests that come from elsewhere only the inputs are known; the old version tells which way they went.
#[test]
fn tests_from_elsewhere_are_kept() {
    let version = |limit: char| {
        format!(
            "#include <stdio.h>
int main(void) {{
    int c = getchar();
    if (c == EOF) return 1;
    if (c > '{limit}') return 2;
    return 3;
}}
"
        )
    };
    let dir = scratch();
    std::fs::write(dir.path().join("old.c"), version('c')).unwrap();
    std::fs::write(dir.path().join("new.c"), version('x')).unwrap();
    std::fs::create_dir(dir.path().join("in")).unwrap();
    for (name, text) in [("1", ""), ("2", "a"), ("3", "k"), ("4", "z")] {
        std::fs::write(dir.path().join("in").join(name), text).unwrap();
    }
    let ledger = shown(dir.path(), &["update", "old.c", "new.c", "--suite", "in"]);
    assert!(ledger.contains("3 kept, 0 re-aimed, 1 obsolete, 0 new"), "{ledger}");
    assert!(!ledger.contains("something else"), "{ledger}");
    let again = shown(dir.path(), &["update", "new.c", "new.c", "--suite", "in"]);
    assert!(again.contains("3 paths, 3 of them taken over; 0 solver calls"), "{again}");
}

/// A question that takes longer than a run has time: whether a prime number of 62 bits has factors.
const HARD: &str = "int f(unsigned a, unsigned b, unsigned char c) {
    int r = 0;
    if (c > 3) r = 1;
    if ((unsigned long)a * b == 4611686018427387847ul && a > 1 && b > 1) return 10 + r;
    if (c > 70) r += 2;
    return r;
}
";

/// A question that was cut off is none that the solver did not know: the run is not complete, and no test is given up.
#[test]
fn time_that_is_over_is_no_answer() {
    let dir = scratch();
    std::fs::write(dir.path().join("f.c"), HARD).unwrap();
    let output = explore(dir.path(), &["--timeout", "0.3", "--format", "json"]).output().unwrap();
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&result["run_state"], output.status.code()), (&"incomplete".into(), Some(3)));
    let scope = result["scope"].to_string();
    assert!(scope.contains("stopped by the time limit"), "{scope}");
    let easy = HARD.replace("(unsigned long)a * b == 4611686018427387847ul", "a + b == 7");
    std::fs::write(dir.path().join("easy.c"), easy).unwrap();
    shown(dir.path(), &["generate", "easy.c", "-f", "f", "--suite", "s"]);
    let count = |text: &str| text.lines().skip_while(|line| *line != "--").skip(1).count();
    let suite = || count(&std::fs::read_to_string(dir.path().join("s/tests.txt")).unwrap());
    let before = suite();
    let output = tests(dir.path(), &["update", "easy.c", "f.c", "--suite", "s", "--timeout", "0.3"]);
    let ledger = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(3), "{ledger}");
    assert!(ledger.contains("not looked at") && suite() >= before, "{ledger}");
}

/// Runs that are cut short again and again come to an end, however short they are.
#[test]
fn short_runs_get_there_in_the_end() {
    let dir = scratch();
    let fast: String = (0..8).map(|at| format!("  if (b[{at}] > {at} + 1) s += {at};\n")).collect();
    let hard = "  if (b[0] * b[1] * b[2] % 251 == 77) s += 100;\n  if (b[3] * b[4] * b[5] % 241 == 78) s += 100;\n";
    for (body, seconds) in [(&fast, "0.02"), (&hard.to_owned(), "0.5")] {
        let program = format!("int f(unsigned char b[8]) {{ int s = 0;\n{body}  return s; }}\n");
        std::fs::write(dir.path().join("f.c"), program).unwrap();
        let whole = explore(dir.path(), &["--no-store"]).output().unwrap();
        let mut runs = 0;
        let last = loop {
            let output = explore(dir.path(), &["--resume", "--timeout", seconds]).output().unwrap();
            runs += 1;
            if !String::from_utf8_lossy(&output.stdout).contains("stopped by the time limit") {
                break output;
            }
            assert!(runs < 200, "{body}");
        };
        assert!(last.stdout == whole.stdout, "after {runs} runs the result is another one");
    }
}

/// Functions that only one version has code for do not make calls of them look the same.
#[test]
fn code_that_was_elsewhere_is_a_change() {
    let caller = "int g(int x);\nint f(int x) {\n    if (x > 3) return g(x);\n    return 0;\n}\n";
    let callee = "int g(int x) {\n    if (x > 9) return 1;\n    return 2;\n}\n";
    let library = |text: &str| {
        format!("#include <string.h>\n{text}int f(const char *s) {{ if (strlen(s) > 2) return 1; return 0; }}\n")
    };
    let own = "size_t strlen(const char *s) { if (s[0] == 'x') return 5; return 0; }\n";
    for (old, new) in [
        (caller.to_owned(), format!("{callee}{caller}")),
        (format!("{callee}{caller}"), caller.to_owned()),
        (library(""), library(own)),
    ] {
        let dir = scratch();
        let pair = pair(dir.path(), &old, &new, "f", 1).unwrap();
        check(&pair, &new);
        replay(dir.path(), &pair).unwrap_or_else(|problem| panic!("{new}: {problem}"));
    }
}
