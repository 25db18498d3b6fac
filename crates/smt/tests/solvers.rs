//! Solvers that fail, that lie, and that are recorded.

#![allow(clippy::unwrap_used, clippy::panic)]

use smt::eval::Model;
use smt::expr::{Expr, SymbolId};
use smt::pool::{Pool, Reading};
use smt::solver::blast::Blaster;
use smt::solver::chain::{Chain, Path};
use smt::solver::process::ProcessSolver;
use smt::solver::record::{Record, Recorder};
use smt::solver::validate::Validating;
use smt::solver::{Answer, Limits, Reason, Solver};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// `x * x + 1 == 50` of 16 bits.
fn question(pool: &mut Pool) -> Expr {
    let x = pool.symbol_as("x", 16, Reading::Signed);
    let square = pool.mul(x, x);
    let next = pool.add(square, Expr::constant(1, 16));
    pool.eq(next, Expr::constant(50, 16))
}

fn ask(script: &str, millis: u64) -> Answer {
    let mut pool = Pool::new();
    let constraint = question(&mut pool);
    let command = ["sh", "-c", script].map(str::to_string).to_vec();
    ProcessSolver::new(command, Duration::from_millis(millis)).check(&pool, &[constraint], Limits::default())
}

#[test]
fn a_process_that_fails_is_unknown_with_a_reason() {
    let failed = Answer::Unknown(Reason::Failed);
    for script in [
        "exit 0",
        "kill -9 $$",
        "exec cat",
        "echo hello world",
        "echo '(error \"no\")'",
        // It says sat and then dies, lies about values, or talks nonsense.
        "echo sat",
        "echo sat; echo '((s0 #b1'; exec cat >/dev/null",
        "echo sat; while read line; do echo '((s0 #xZZ))'; echo next; done",
        "echo sat; while read line; do echo next; done",
        "head -c 100000 /dev/zero",
        "printf 'sat\\377\\n'",
    ] {
        let answer = ask(script, 1500);
        let late = Answer::Unknown(Reason::Limit);
        assert!(answer == failed || answer == late, "{script}: {answer:?}");
    }
    assert_eq!(ask("kill -9 $$", 5000), failed);
    assert_eq!(ask("echo hello world; exec cat >/dev/null", 5000), failed);
}

#[test]
fn a_process_that_does_not_answer_is_given_up_in_time() {
    let start = Instant::now();
    assert_eq!(ask("exec sleep 60", 200), Answer::Unknown(Reason::Limit));
    assert_eq!(ask("yes '; still thinking'", 200), Answer::Unknown(Reason::Failed));
    // It does not read, either: more than a pipe holds is written to it.
    let mut pool = Pool::new();
    let mut constraints = Vec::new();
    let mut sum = Expr::constant(0, 32);
    for i in 0..3000 {
        let x = pool.symbol(format!("x{i}"), 32);
        let product = pool.mul(sum, x);
        sum = pool.add(product, x);
        constraints.push(pool.ult(sum, x));
    }
    let mut deaf = ProcessSolver::new(vec!["sleep".into(), "60".into()], Duration::from_millis(300));
    assert_eq!(deaf.check(&pool, &constraints, Limits::default()), Answer::Unknown(Reason::Limit));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn a_process_that_was_killed_is_started_again() {
    let mut pool = Pool::new();
    let constraint = question(&mut pool);
    let mark = tempfile::NamedTempFile::new().unwrap();
    // The first time it dies, then it is z3.
    let script = format!("if [ -s {0} ]; then exec z3 -in; else echo x > {0}; kill -9 $$; fi", mark.path().display());
    let command = ["sh".to_string(), "-c".to_string(), script];
    let mut solver = ProcessSolver::new(command.to_vec(), Duration::from_secs(10));
    assert_eq!(solver.check(&pool, &[constraint], Limits::default()), Answer::Unknown(Reason::Failed));
    assert!(matches!(solver.check(&pool, &[constraint], Limits::default()), Answer::Sat(_)));
}

/// Says that everything is 99.
struct Liar;

impl Solver for Liar {
    fn check(&mut self, _: &Pool, _: &[Expr], _: Limits) -> Answer {
        let mut model = Model::default();
        model.set_small(SymbolId(0), 99);
        Answer::Sat(model)
    }

    fn name(&self) -> &'static str {
        "liar"
    }
}

#[test]
fn a_lie_is_no_answer() {
    let mut pool = Pool::new();
    let constraint = question(&mut pool);
    let mut liar = Validating::new(Liar);
    assert_eq!(liar.check(&pool, &[constraint], Limits::default()), Answer::Unknown(Reason::Failed));
    assert_eq!(liar.wrong_models, 1);
    let mut honest = Validating::new(Blaster::new());
    assert!(matches!(honest.check(&pool, &[constraint], Limits::default()), Answer::Sat(_)));
}

fn files(directory: &std::path::Path) -> BTreeMap<String, String> {
    std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(path).unwrap())
        })
        .collect()
}

#[test]
fn recorded_questions_are_read_by_another_solver() {
    let directory = tempfile::tempdir().unwrap();
    let mut pool = Pool::new();
    let constraint = question(&mut pool);
    let x = pool.symbol("y", 8);
    let never = pool.ult(x, Expr::constant(0, 8));
    assert!(never.is_false());
    let odd = pool.and(x, Expr::constant(1, 8));
    let (is_odd, doubled) = (pool.eq(odd, Expr::constant(1, 8)), pool.shl(x, Expr::constant(1, 8)));
    let impossible = pool.eq(doubled, x);
    let mut solver = Recorder { solver: Blaster::new(), record: Record::new(directory.path()).unwrap() };
    for constraints in [vec![constraint], vec![is_odd, impossible], vec![impossible, is_odd]] {
        solver.check(&pool, &constraints, Limits::default());
    }
    assert_eq!((solver.record.written, solver.record.failure.is_none()), (3, true));
    let files = files(directory.path());
    // The order of constraints makes no difference.
    assert_eq!(files.len(), 2);
    for (name, text) in files {
        let expected = text.lines().find_map(|line| line.strip_prefix("(set-info :status ")).unwrap();
        let output = std::process::Command::new("z3").arg(directory.path().join(name)).output().unwrap();
        let answer = String::from_utf8(output.stdout).unwrap();
        assert_eq!(answer.trim(), expected.trim_end_matches(')'), "{text}");
    }
}

#[test]
fn a_directory_that_cannot_be_written_does_not_matter() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().join("gone");
    let mut solver = Recorder { solver: Blaster::new(), record: Record::new(&place).unwrap() };
    std::fs::remove_dir(&place).unwrap();
    let mut pool = Pool::new();
    let constraint = question(&mut pool);
    assert!(matches!(solver.check(&pool, &[constraint], Limits::default()), Answer::Sat(_)));
    assert!(solver.record.failure.is_some());
    assert!(Record::new(std::path::Path::new("/proc/no/such/place")).is_err());
}

/// Explores a tree of conditions and says what every leaf's input is.
fn explore(record: Option<&std::path::Path>) -> Vec<Vec<u64>> {
    let mut pool = Pool::new();
    let symbols: Vec<Expr> = (0..5).map(|i| pool.symbol_as(format!("x{i}"), 32, Reading::Signed)).collect();
    let mut chain = Chain::standard(Limits::default());
    chain.record = record.map(|directory| Record::new(directory).unwrap());
    let mut leaves = Vec::new();
    let mut stack = vec![(Path::new(), 0)];
    while let Some((path, depth)) = stack.pop() {
        let Some(pair) = symbols.get(depth..depth + 2) else {
            let model = chain.smallest(&mut pool, &path);
            leaves.push((0..5).map(|at| model.small(SymbolId(at))).collect());
            continue;
        };
        let product = pool.mul(pair[0], pair[1]);
        let condition = pool.slt(Expr::constant(20, 32), product);
        for side in [condition, pool.not(condition)] {
            if let Some(path) = chain.extend(&pool, &path, side).unwrap() {
                stack.push((path, depth + 1));
            }
        }
    }
    leaves
}

#[test]
fn workers_on_several_threads_find_the_same() {
    let expected = explore(None);
    assert_eq!(expected.len(), 16);
    let found: Vec<Vec<Vec<u64>>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4).map(|_| scope.spawn(|| explore(None))).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).collect()
    });
    assert!(found.into_iter().all(|found| found == expected));
    // Recording changes nothing, and records the same.
    let (a, b) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    assert_eq!(explore(Some(a.path())), expected);
    explore(Some(b.path()));
    let recorded = files(a.path());
    assert!(recorded.len() > 3);
    assert_eq!(recorded, files(b.path()));
}
