//! A proof in lockstep, which holds for any number of iterations: both versions are cut at the headers of their loops, and from
//! any pair of headers they get to the next one with the same values ([`explore::lockstep`]).

use super::Options;
use super::couple::Couple;
use super::findings::{Evidence, Findings};
use super::goal::{Goal, Tactic};
use evidence::{Assumed, Assumption, Basis};
use explore::lockstep::{Proof, prove};
use ir::id::FuncId;
use std::time::{Duration, Instant};

/// How long a proof in lockstep may take.
const LOCKSTEP: Duration = Duration::from_secs(5);

/// Proves that both versions go together, whatever the iterations of their loops.
pub struct Lockstep;

impl Tactic for Lockstep {
    fn name(&self) -> &'static str {
        "lockstep"
    }

    fn applies(&self, goal: &Goal, _: &Findings) -> bool {
        let versus = &goal.versus;
        !versus.is_program
            && !versus.task.options.tests
            && versus.plain
            && !versus.couple.asks_for_output(versus.entries)
    }

    fn only_proves(&self) -> bool {
        true
    }

    fn run(&self, goal: &mut Goal, findings: &mut Findings) {
        let versus = &goal.versus;
        let options = versus.task.options;
        goal.is_over = in_lockstep(findings, versus.couple, versus.entries, options, goal.versus.task.time / 3);
    }
}

/// Whether both versions of a function that writes no memory of others go together, whatever the rounds of their loops.
pub fn in_lockstep(
    findings: &mut Findings,
    couple: &Couple,
    entries: [FuncId; 2],
    options: &Options,
    time: Duration,
) -> bool {
    let sorted = &couple.sorted;
    if !entries.iter().all(|entry| sorted.reading.contains(entry)) {
        return false;
    }
    if entries.iter().all(|entry| couple.proved.contains(entry)) {
        findings.add([Evidence::Proof { basis: Basis::Executions, assumptions: Vec::new() }]);
        return true;
    }
    let recursive = entries.iter().all(|entry| sorted.pure.contains(entry));
    let deadline = Some(Instant::now() + LOCKSTEP.min(time));
    let exploring = explore::options::Options { deadline, ..options.explore.clone() };
    let bounds = &options.program.inputs;
    let proof = prove(&couple.program, entries, recursive, &exploring, bounds, || (options.chain)());
    // Where inputs are bounded, larger ones are to be tried as well, and other means do that.
    let unbounded = |proof: &Proof| proof.scope.iter().all(|what| *what == Assumption::Panics);
    let Some(proof) = proof.filter(unbounded) else { return false };
    findings.stats.pairs = proof.pairs;
    let assumptions = proof.scope.into_iter().map(Assumed::from).collect();
    findings.add([Evidence::Proof { basis: Basis::Executions, assumptions }]);
    true
}
