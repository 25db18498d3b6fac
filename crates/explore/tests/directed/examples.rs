//! The papers' examples.

use crate::{Change, options};
use exec::state::End;
use explore::options::Options;

/// How many paths there are in full, with `dise` and with `idise`.
fn check(old: &str, new: &str, function: &str, expect: [usize; 3]) {
    let change = Change::new(old, new);
    let count = |aim| change.explore(function, &options(aim), |_| ()).paths.len();
    let found = [count(None), count(Some(change.dise.clone())), count(Some(change.idise.clone()))];
    assert_eq!(found, expect, "{function}: full, dise, idise");
}

/// Conditions of directed paths.
fn conditions(old: &str, new: &str, function: &str) -> Vec<String> {
    let change = Change::new(old, new);
    let explored = change.explore(function, &options(Some(change.idise.clone())), |ended| {
        let constraints: Vec<String> =
            ended.path.constraints.iter().map(|&expr| smt::show::show(&ended.worker.pool, expr)).collect();
        constraints.join(" and ")
    });
    explored.paths
}

const BRAKE: &str = "int AltPress = 0, Meter = 2;
    void update(int PedalPos, int BSwitch, int PedalCmd) {
        if (PedalPos == 0) PedalCmd = PedalCmd + 1;
        else if (PedalPos == 1) PedalCmd = PedalCmd + 2;
        else PedalCmd = PedalPos;
        PedalCmd = PedalCmd + 1;
        if (BSwitch == 0) Meter = 1;
        else if (BSwitch == 1) Meter = 2;
        if (PedalCmd == 2) AltPress = 0;
        else if (PedalCmd == 3) AltPress = 1;
        else AltPress = 2;
    }";

#[test]
fn brake_of_dise() {
    check(BRAKE, &BRAKE.replace("PedalPos == 0", "PedalPos <= 0"), "update", [24, 8, 8]);
}

/// Each constraint says whether a decision that the change affects made it: in every manner of directed exploration, and
/// behind prefixes that other threads repeat.
#[test]
fn where_constraints_come_from() {
    let change = Change::new(BRAKE, &BRAKE.replace("PedalPos == 0", "PedalPos <= 0"));
    let found = |skips, literal, jobs| {
        let options =
            Options { skips: Some(skips), literal, jobs, origins: true, ..options(Some(change.idise.clone())) };
        let paths = change.explore("update", &options, |ended| {
            let text = |&expr| smt::show::show(&ended.worker.pool, expr);
            let texts: Vec<String> = ended.path.constraints.iter().map(text).collect();
            let affected = ended.trail.affected(texts.len());
            texts.into_iter().zip(affected).collect::<Vec<_>>()
        });
        paths.paths
    };
    for (skips, literal, paths) in [(true, false, 8), (false, false, 24), (false, true, 8)] {
        let alone = found(skips, literal, 1);
        assert_eq!(alone.len(), paths, "skips: {skips}, literal: {literal}: {alone:?}");
        for (constraint, affected) in alone.iter().flatten() {
            assert_eq!(*affected, !constraint.contains("BSwitch"), "skips: {skips}, literal: {literal}: {constraint}");
        }
        assert_eq!(alone, found(skips, literal, 3));
    }
}

#[test]
fn nothing_affected() {
    check(BRAKE, BRAKE, "update", [24, 0, 0]);
}

/// The smallest program on which pinning one side of an unaffected branch loses affected behaviour.
#[test]
fn correlated_branch() {
    let old = "int f(int x, int y) { int u = 0; if (y > 0) u = 1; x = x + 2; if (x > 3 && y < 0) return 1; return 0; }";
    let found = conditions(old, &old.replace("x + 2", "x + 1"), "f");
    assert!(found.iter().any(|condition| condition.contains("y < 0") || condition.contains("0 > y")), "{found:?}");
    check(old, &old.replace("x + 2", "x + 1"), "f", [5, 3, 3]);
}

#[test]
fn both_branches_of_b() {
    let old = "int B(int z) { if (z > 0) return 1; return 2; } int A(int x) { x = x + 1; return B(x); }";
    check(old, &old.replace("x + 1", "x - 1"), "A", [2, 2, 2]);
}

/// iDiSE, Fig. 2: `B` matters where `A` calls it, not where `main` does.
#[test]
fn b_is_pruned_under_main() {
    let old = "int s; void B(int z) { if (z > 0) s = 1; else s = 2; }
        void A(int x, int y) { int k = x; if (k > 5) y = y + 1; B(k); }
        void entry(int a, int b, int c) { B(c); A(a, b); }";
    check(old, &old.replace("k = x;", "k = x + 1;"), "entry", [6, 6, 3]);
}

/// What was skipped is read where it matters: the branch is decided after all.
#[test]
fn a_skipped_value_that_matters() {
    let old = "int f(int x, int y) { int u = 0; if (y > 0) u = 1; x = x + 2; if (x > u) return 1; return 0; }";
    check(old, &old.replace("x + 2", "x + 1"), "f", [4, 4, 4]);
}

/// Memory, loops and calls between a branch and its join.
#[test]
fn what_lies_between() {
    let old = "int t[4]; int m; static int h(int v) { if (v > 3) return m; return 2; }
        int f(int x, int n, int c, int *p) {
            int k = 0;
            for (int i = 0; i < (n & 3); i++) { if (p[i] > c) t[i] = 1; k += h(i); }
            if (c > 7) *p = k;
            if (x > 2) return 1;
            return 0; }";
    let change = Change::new(old, &old.replace("x > 2", "x > 4"));
    let count = |aim| change.explore("f", &options(aim), |_| ()).paths.len();
    assert_eq!(count(Some(change.idise.clone())), 2);
    assert!(count(None) > 10);
}

/// Inputs that die where something was skipped are no tests; others are found.
#[test]
fn an_input_that_survives() {
    let old = "int d; int f(int x, int y) { if (y < 4) d = 10 / y; if (y == 0) __builtin_trap(); if (x > 2) return 1; return 0; }";
    let change = Change::new(old, &old.replace("x > 2", "x > 4"));
    let ends = change.explore("f", &options(Some(change.dise.clone())), |ended| matches!(ended.end, End::Returned(_)));
    assert_eq!(ends.paths, [true, true]);
}
