//! What a check costs: `cargo bench -p pathshift-bitwuzla --bench ladder`.
//!
//! The ladder is what symbolic execution asks: each branch both ways, below what was asserted before. Goal: at most 50
//! microseconds of the processor for a check of independent branches.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use std::time::{Duration, Instant};

use bitwuzla::{Answer, Kind, Limits, Options, Solver, Sort, Term, TermManager};

fn main() {
    measure("12 independent branches", 12, |terms, at, _| {
        let x = terms.symbol(&Sort::BitVec(32), &format!("x{at}")).unwrap();
        terms.term(Kind::BvSlt, &[&terms.bv_value(32, 0).unwrap(), &x]).unwrap()
    });
    measure("10 branches on sums", 10, |terms, at, before| {
        let x = terms.symbol(&Sort::BitVec(32), &format!("x{at}")).unwrap();
        *before = terms.term(Kind::BvAdd, &[before, &x]).unwrap();
        terms.term(Kind::BvUlt, &[before, &terms.bv_value(32, 1000).unwrap()]).unwrap()
    });
    measure("8 branches on a hash", 8, |terms, at, before| {
        let x = terms.symbol(&Sort::BitVec(8), &format!("x{at}")).unwrap();
        let wide = terms.indexed(Kind::BvZeroExtend, &[&x], &[24]).unwrap();
        let product = terms.term(Kind::BvMul, &[before, &terms.bv_value(32, 31).unwrap()]).unwrap();
        *before = terms.term(Kind::BvAdd, &[&product, &wide]).unwrap();
        let rest = terms.term(Kind::BvUrem, &[before, &terms.bv_value(32, 10).unwrap()]).unwrap();
        terms.term(Kind::BvUlt, &[&rest, &terms.bv_value(32, 5).unwrap()]).unwrap()
    });
}

/// Explores all ways through branches, each given by its condition.
fn measure(name: &str, branches: u32, condition: impl Fn(&TermManager, u32, &mut Term) -> Term) {
    let terms = TermManager::new().unwrap();
    let mut sum = terms.symbol(&Sort::BitVec(32), "start").unwrap();
    let conditions: Vec<Term> = (0..branches).map(|at| condition(&terms, at, &mut sum)).collect();
    let negations: Vec<Term> =
        conditions.iter().map(|condition| terms.term(Kind::Not, &[condition]).unwrap()).collect();

    for models in [false, true] {
        let mut run = Run {
            solver: Solver::new(&terms, Options::default()).unwrap(),
            sum: &sum,
            models,
            checks: 0,
            longest: Duration::ZERO,
        };
        let start = processor_time();
        run.explore(&conditions, &negations);
        let each = (processor_time() - start) / run.checks;
        let with = if models { "with a value each" } else { "" };
        println!("{name}: {} checks, {each:?} of the processor each, longest {:?} {with}", run.checks, run.longest);
    }
}

/// What this program has used of the processor, however busy the machine is.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap();
    Duration::from_nanos(text.split_whitespace().next().unwrap().parse().unwrap())
}

struct Run<'a> {
    solver: Solver,
    sum: &'a Term,
    models: bool,
    checks: u32,
    longest: Duration,
}

impl Run<'_> {
    fn explore(&mut self, conditions: &[Term], negations: &[Term]) {
        let ([condition, conditions @ ..], [negation, negations @ ..]) = (conditions, negations) else { return };
        for taken in [condition, negation] {
            self.solver.push().unwrap();
            self.solver.assert(taken).unwrap();
            self.checks += 1;
            let start = Instant::now();
            let limits = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
            let answer = self.solver.check(&limits).unwrap();
            self.longest = self.longest.max(start.elapsed());
            if answer == Answer::Sat {
                if self.models {
                    self.solver.value_u64(self.sum).unwrap();
                }
                self.explore(conditions, negations);
            }
            self.solver.pop().unwrap();
        }
    }
}
