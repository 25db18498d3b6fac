//! What is known of a function: evidence that tactics add to. The row of the report is made of it once, at the end, and the
//! verdict is the one that follows from it ([`evidence::judge`]).

use evidence::verdict::proof;
use evidence::{Assumed, Assumption, Domain, Gap, Grade, Judgement, Open, Place, Verdict, judge};
use report::diff::{Confined, Difference, Function, Interface, Stats, Step};
use report::explore::Undecided;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// Evidence whose witnesses are shown as reports show them.
pub type Evidence = evidence::Evidence<Difference>;

/// What is known of a function so far.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Findings {
    /// In the order in which it was found.
    pub evidence: Vec<Evidence>,
    /// Old and new parameters and result, if these changed.
    pub interface: Option<Interface>,
    /// Figures.
    pub stats: Stats,
    /// What each tactic came to, if that is asked for.
    #[serde(default)]
    pub trace: Vec<Step>,
}

impl From<Gap> for Findings {
    fn from(gap: Gap) -> Findings {
        Findings { evidence: vec![gap.into()], ..Findings::default() }
    }
}

impl Findings {
    /// As one line of JSON, to be read again.
    pub fn to_line(&self) -> Option<String> {
        serde_json::to_string(self).ok()
    }

    /// What [`Findings::to_line`] wrote.
    pub fn from_line(text: &str) -> Option<Findings> {
        serde_json::from_str(text).ok()
    }

    /// The verdict that follows so far.
    pub fn verdict(&self) -> Verdict {
        self.judgement().verdict
    }

    /// The same, with what else follows.
    pub fn judgement(&self) -> Judgement {
        judge(&self.evidence)
    }

    /// Adds evidence.
    pub fn add(&mut self, evidence: impl IntoIterator<Item = Evidence>) {
        self.evidence.extend(evidence);
    }

    /// Adds an open question.
    pub fn open(&mut self, gap: Gap) {
        self.evidence.push(gap.into());
    }

    /// Puts another attempt in the place of earlier ones. What stands beside any proof stays, as do confirmed witnesses.
    pub fn supersede(&mut self, attempt: Vec<Evidence>) {
        use evidence::gap::Weight;
        self.evidence.retain(|one| match one {
            Evidence::Proof { .. } | Evidence::Explored(_) => false,
            Evidence::Witness { grade, .. } => *grade != Grade::Unconfirmed,
            Evidence::Gap(open) => open.gap.weight() != Weight::Attempt,
            Evidence::Added | Evidence::Removed | Evidence::Confined { .. } | Evidence::Tried { .. } => true,
        });
        self.evidence.extend(attempt);
    }

    /// Lets what was proved, or explored, rest on further assumptions.
    pub fn assume(&mut self, assumptions: impl IntoIterator<Item = Assumption>) {
        if let Some(known) = self.assumptions_mut() {
            known.extend(assumptions.into_iter().map(Assumed::from));
        }
    }

    /// Takes back assumptions that proved to be unnecessary.
    pub fn discharge(&mut self, is_unnecessary: impl Fn(&Assumption) -> bool) {
        if let Some(known) = self.assumptions_mut() {
            known.retain(|one| !is_unnecessary(&one.assumption));
        }
    }

    /// What was proved, or explored, rests on.
    pub fn assumptions(&self) -> &[Assumed] {
        if let Some((_, assumptions)) = proof(&self.evidence) {
            return assumptions;
        }
        let explored = self.evidence.iter().rev().find_map(|one| match one {
            Evidence::Explored(assumptions) => Some(assumptions.as_slice()),
            _ => None,
        });
        explored.unwrap_or_default()
    }

    fn assumptions_mut(&mut self) -> Option<&mut Vec<Assumed>> {
        // An attempt takes the place of the one before, so there is one at most.
        self.evidence.iter_mut().rev().find_map(|one| match one {
            Evidence::Proof { assumptions, .. } | Evidence::Explored(assumptions) => Some(assumptions),
            _ => None,
        })
    }

    /// Questions that are open beside the verdict.
    pub fn gaps(&self) -> Vec<&Open> {
        use evidence::gap::Weight;
        let is_proved = proof(&self.evidence).is_some();
        let gaps = self.evidence.iter().filter_map(|one| match one {
            Evidence::Gap(open) if !is_proved || open.gap.weight() != Weight::Attempt => Some(open),
            _ => None,
        });
        let mut gaps: Vec<&Open> = gaps.collect();
        let rank = |weight: Weight| match weight {
            Weight::NoInterface | Weight::OutOfSight => 0,
            Weight::Stands | Weight::Attempt => 1,
        };
        gaps.sort_by_cached_key(|open| (rank(open.gap.weight()), Reverse(open.count), open.gap.to_string()));
        gaps
    }

    /// The row of the report; `head` says which function it is and where it changed.
    pub fn row(self, head: Function) -> Function {
        let Judgement { verdict, body, not_counted } = self.judgement();
        let mut assumptions = self.assumptions().to_vec();
        assumptions.sort();
        assumptions.dedup();
        let basis = proof(&self.evidence).map(|(basis, _)| basis);
        let all_inputs = basis.filter(|_| assumptions.iter().all(|one| one.assumption.leaves_all_inputs()));
        let all_inputs = all_inputs.map(|basis| basis.all_inputs().to_owned());
        let scope = all_inputs.into_iter().chain(assumptions.iter().map(Assumed::to_string)).collect();
        let undecided = self.gaps().into_iter().map(Undecided::from).collect();
        let is_shown = |grade: Grade| match grade {
            Grade::Confirmed => true,
            Grade::Unconfirmed => verdict == Verdict::Undecided,
            Grade::Ignored => false,
        };
        let (mut differences, mut ignored) = (Vec::new(), Vec::new());
        let mut confined: Vec<Confined> = Vec::new();
        for one in self.evidence {
            match one {
                Evidence::Confined { differences, .. } => {
                    confined = differences.into_iter().filter_map(local).collect()
                }
                Evidence::Witness { grade: Grade::Ignored, shown } => ignored.push(shown),
                Evidence::Witness { grade, shown } if is_shown(grade) => differences.push(shown),
                _ => {}
            }
        }
        // A confirmed witness got to one of the places, to the only one if there is no other.
        let only = confined.len() == 1 && verdict == Verdict::Different;
        confined.iter_mut().for_each(|one| one.lifted = only);
        if verdict.is_same() {
            confined.clear();
        }
        Function {
            verdict,
            body,
            not_counted,
            scope,
            assumptions,
            differences,
            ignored,
            confined,
            undecided,
            interface: self.interface,
            stats: self.stats,
            trace: self.trace,
            ..head
        }
    }
}

/// A place where versions part, as reports show it.
fn local(difference: evidence::Difference) -> Option<Confined> {
    match difference {
        evidence::Difference::Local { file, line, source, condition, always, exact, old, new } => {
            Some(Confined { file, line, source, condition, always, exact, old, new, lifted: false })
        }
        _ => None,
    }
}

/// A place as evidence has it.
pub fn line_of(place: report::model::Place) -> Place {
    Place { file: place.file, line: place.line }
}

/// Whether a difference was found that could not be run: then the function must not be called the same.
pub fn is_left_open(evidence: &[Evidence]) -> bool {
    evidence.iter().filter_map(Evidence::gap).any(Gap::is_unconfirmed)
}

/// Whether native runs showed a difference that counts.
pub fn is_confirmed(evidence: &[Evidence]) -> bool {
    evidence.iter().any(|one| matches!(one, Evidence::Witness { grade: Grade::Confirmed, .. }))
}

/// Whether one of the differences that native runs showed is one of two defined versions: no better one is to be looked for.
pub fn is_settled(evidence: &[Evidence]) -> bool {
    let is_defined = |shown: &Difference| shown.kind.domain() == Domain::Both;
    evidence.iter().any(|one| matches!(one, Evidence::Witness { grade: Grade::Confirmed, shown } if is_defined(shown)))
}

/// Witnesses of kinds that the user ignores.
pub fn ignored(evidence: Vec<Evidence>) -> impl Iterator<Item = Evidence> {
    evidence.into_iter().filter(|one| matches!(one, Evidence::Witness { grade: Grade::Ignored, .. }))
}

/// Takes over what native runs of further inputs showed, if they showed anything.
pub fn adopt(findings: &mut Findings, seen: Vec<Evidence>) {
    // Another input on which a version is undefined says no more than the first.
    let says_more = !is_confirmed(&findings.evidence) || is_settled(&seen);
    // What could not be run may be a difference after all.
    match says_more && (is_confirmed(&seen) || is_left_open(&seen)) {
        true => findings.add(seen),
        false => findings.add(ignored(seen)),
    }
}

/// Whether it is proved, and no question is open: whatever else was found is of a kind that the user ignores.
pub fn is_proved(findings: &Findings) -> bool {
    let judgement = findings.judgement();
    judgement.verdict.is_same() || judgement.not_counted && proof(&findings.evidence).is_some()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use evidence::Basis;

    fn proof_with(assumptions: Vec<Assumption>) -> Evidence {
        let assumptions = assumptions.into_iter().map(Assumed::from).collect();
        Evidence::Proof { basis: Basis::Executions, assumptions }
    }

    fn bound() -> Assumption {
        Assumption::Elements { of: "p".to_owned(), most: 8 }
    }

    fn row_of(evidence: Vec<Evidence>) -> Function {
        Findings { evidence, ..Findings::default() }.row(Function::default())
    }

    #[test]
    fn a_row_says_what_a_proof_holds_for() {
        let check = |assumptions: Vec<Assumption>, verdict: Verdict, expect: &[&str]| {
            let row = row_of(vec![proof_with(assumptions)]);
            assert_eq!((row.verdict, row.scope), (verdict, expect.iter().map(|&what| what.to_owned()).collect()));
        };
        check(vec![], Verdict::Same, &["all inputs"]);
        check(vec![Assumption::Errno], Verdict::Same, &["all inputs", &Assumption::Errno.to_string()]);
        check(vec![Assumption::Allocations], Verdict::Same, &["allocations do not fail"]);
        // In the order of their codes, each once.
        let several = vec![bound(), Assumption::NoAliases, bound()];
        let expect = ["pointers of the input do not alias", "p: up to 8 elements"];
        check(several, Verdict::SameWithinBounds, &expect);
    }

    #[test]
    fn what_a_proof_leaves_open_is_listed_and_what_it_settles_is_not() {
        let row = row_of(vec![Gap::Time.into(), proof_with(vec![])]);
        assert_eq!((row.verdict, row.undecided.len()), (Verdict::Same, 0));
        let often = Evidence::Gap(Open { gap: Gap::Solver, place: None, count: 3 });
        let row = row_of(vec![Gap::Time.into(), often, Gap::MadeLocal.into()]);
        let codes: Vec<&str> = row.undecided.iter().map(|one| one.code.as_str()).collect();
        assert_eq!((row.verdict, codes), (Verdict::Undecided, vec!["G073", "G007", "G001"]));
    }

    #[test]
    fn an_attempt_takes_the_place_of_the_one_before() {
        let mut findings = Findings::default();
        findings.supersede(vec![Gap::Time.into(), Evidence::Explored(Vec::new())]);
        findings.open(Gap::NotRun);
        findings.supersede(vec![proof_with(vec![bound()])]);
        // The difference that was not run stands beside the proof.
        assert_eq!((findings.verdict(), findings.evidence.len()), (Verdict::Undecided, 2));
        findings.assume([Assumption::Errno]);
        findings.discharge(|assumption| *assumption == bound());
        let assumptions: Vec<&Assumption> = findings.assumptions().iter().map(|one| &one.assumption).collect();
        assert_eq!(assumptions, [&Assumption::Errno]);
    }

    #[test]
    fn findings_are_read_as_they_were_written() {
        let place = Some(Place { file: "a.c".to_owned(), line: 3 });
        let assumptions = vec![Assumed { assumption: bound(), place: place.clone() }];
        let proof = Evidence::Proof { basis: Basis::Callees, assumptions };
        let open = Evidence::Gap(Open { gap: Gap::OutOfScope { bound: bound() }, place, count: 2 });
        let findings = Findings { evidence: vec![proof, open, Evidence::Removed], ..Findings::default() };
        let line = findings.to_line().unwrap();
        assert_eq!(Findings::from_line(&line).unwrap().to_line().unwrap(), line);
        assert_eq!(Findings::from_line(&line).unwrap().assumptions(), findings.assumptions());
    }
}
