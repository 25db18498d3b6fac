//! Several bit-blasters, each with its own gates.
//!
//! A SAT solver gives a value to every gate it has, whatever the question is about, so gates of other questions
//! are dead weight. A question goes to the blaster that knows most of it, unless that one knows far more else;
//! then one starts anew. So a path keeps its blaster, and paths that have little in common do not slow each other down.

use super::Blaster;
use crate::expr::Expr;
use crate::pool::Pool;
use crate::solver::{Answer, Limits, Solver};

/// A few bit-blasters. They belong to one pool.
#[derive(Default)]
pub struct Blasters {
    /// The one that was asked last is the last one.
    blasters: Vec<Blaster>,
}

/// How many blasters there are at most, and how many gates they have together; a gate takes some 300 bytes.
const MAX_BLASTERS: usize = 4;
const MAX_GATES: usize = 700_000;

/// How many gates beside those of the question are no burden: so many, and so many times those of the question.
const FREE_GATES: usize = 4_000;
const FREE_SHARE: usize = 3;

impl Blasters {
    fn gates(&self) -> usize {
        self.blasters.iter().map(Blaster::gates).sum()
    }

    /// The blaster for a question.
    fn choose(&mut self, pool: &Pool, constraints: &[Expr]) -> &mut Blaster {
        let best = self
            .blasters
            .iter()
            .enumerate()
            .map(|(at, blaster)| (blaster.known_gates(pool, constraints), at))
            .filter(|&(known, at)| self.blasters[at].gates() <= FREE_GATES + FREE_SHARE * known)
            .max();
        let chosen = match best {
            Some((_, at)) => self.blasters.remove(at),
            None => {
                while self.blasters.len() >= MAX_BLASTERS || self.gates() > MAX_GATES {
                    self.blasters.remove(0);
                }
                Blaster::new()
            }
        };
        self.blasters.push(chosen);
        let last = self.blasters.len() - 1;
        &mut self.blasters[last]
    }
}

impl Solver for Blasters {
    fn check(&mut self, pool: &Pool, constraints: &[Expr], limits: Limits) -> Answer {
        let blaster = self.choose(pool, constraints);
        // What it has already is paid for.
        let gates = limits.gates.saturating_add(blaster.gates());
        let answer = blaster.check(pool, constraints, Limits { gates, ..limits });
        if self.gates() > MAX_GATES && self.blasters.len() > 1 {
            self.blasters.remove(0);
        }
        answer
    }

    fn name(&self) -> &'static str {
        "blaster"
    }

    fn fresh(&self) -> Option<Box<dyn Solver>> {
        Some(Box::new(Blaster::new()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_that_share_little_have_blasters_of_their_own() {
        let mut pool = Pool::new();
        let mut question = |name: &str| {
            let (x, y) = (pool.symbol(name, 40), pool.symbol(name, 40));
            let product = pool.mul(x, y);
            [7, 9].map(|bound| pool.ult(Expr::constant(bound, 40), product))
        };
        let questions: Vec<[Expr; 2]> = ["a", "b", "c", "d", "e", "f"].map(&mut question).to_vec();
        let mut several = Blasters::default();
        let mut ask = |constraints: &[Expr]| {
            assert!(matches!(several.check(&pool, constraints, Limits::default()), Answer::Sat(_)));
            (several.blasters.len(), several.gates())
        };
        let (_, one) = ask(&questions[0][..1]);
        assert!(one > FREE_GATES, "{one} gates");
        // More of the same costs little.
        let (count, more) = ask(&questions[0]);
        assert!(count == 1 && more < one + 200, "{count} blasters, {more} gates");
        assert_eq!(ask(&questions[1]).0, 2);
        // The first one is still there.
        let before = ask(&questions[1]).1;
        assert_eq!(ask(&questions[0]), (2, before));
        assert_eq!(questions[2..].iter().map(|question| ask(question).0).max(), Some(MAX_BLASTERS));
    }
}
