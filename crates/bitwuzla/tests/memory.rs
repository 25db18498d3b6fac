//! What is dropped is gone. Alone in its program: it looks at the memory of the whole.

#![allow(clippy::unwrap_used, clippy::panic)]

use bitwuzla::{Answer, Kind, Limits, Options, Solver, Sort, TermManager};

#[test]
fn memory_stays_flat() {
    let terms = TermManager::new().unwrap();
    let x = terms.symbol(&Sort::BitVec(64), "x").unwrap();
    flat("terms", 100_000, |round| {
        let value = terms.bv_value(64, round).unwrap();
        let sum = terms.term(Kind::BvAdd, &[&x, &value]).unwrap();
        let symbol = terms.symbol(&Sort::BitVec(64), "a name that needs some memory").unwrap();
        drop(terms.term(Kind::BvUlt, &[&sum, &symbol]).unwrap());
        assert!(terms.term(Kind::BvUlt, &[&sum, &terms.bool_value(true).unwrap()]).is_err());
    });
    flat("managers and solvers", 300, |round| {
        let terms = TermManager::new().unwrap();
        let x = terms.symbol(&Sort::BitVec(16), "x").unwrap();
        let square = terms.term(Kind::BvMul, &[&x, &x]).unwrap();
        let equal = terms.term(Kind::Equal, &[&square, &terms.bv_value(16, round * round % 65536).unwrap()]).unwrap();
        let mut solver = Solver::new(&terms, Options::default()).unwrap();
        solver.assert(&equal).unwrap();
        assert_eq!(solver.check(&Limits::default()), Ok(Answer::Sat));
        let found = solver.value_u64(&x).unwrap();
        assert_eq!(found * found % 65536, round * round % 65536);
    });
}

/// Runs something often, and checks that the second half of the runs needs no more memory than the first.
fn flat(what: &str, rounds: u64, run: impl Fn(u64)) {
    (0..rounds / 2).for_each(&run);
    let before = resident_kilobytes();
    (rounds / 2..rounds).for_each(&run);
    let grown = resident_kilobytes().saturating_sub(before);
    assert!(grown < 1000, "{what}: {grown} kB more");
}

fn resident_kilobytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}
