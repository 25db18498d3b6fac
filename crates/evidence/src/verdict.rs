//! Evidence on one function, and the verdict that follows from it.

use crate::gap::Weight;
use crate::{Assumption, Difference, Gap};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A line of a source file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The file, as results show it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// An assumption of a proof.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Assumed {
    /// Which one.
    #[serde(flatten)]
    pub assumption: Assumption,
    /// Where it matters, of the bounds that cut off paths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

impl From<Assumption> for Assumed {
    fn from(assumption: Assumption) -> Assumed {
        Assumed { assumption, place: None }
    }
}

/// The line that results show.
impl fmt::Display for Assumed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(Place { file, line }) => write!(f, "{} ({file}:{line})", self.assumption),
            None => self.assumption.fmt(f),
        }
    }
}

/// An open question.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Open {
    /// Which one.
    pub gap: Gap,
    /// Where.
    pub place: Option<Place>,
    /// How often.
    pub count: u64,
}

impl From<Gap> for Open {
    fn from(gap: Gap) -> Open {
        Open { gap, place: None, count: 1 }
    }
}

/// How something was proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Basis {
    /// The code is the same with all that it uses.
    Code,
    /// The code is the same, and whatever it uses is proved to do the same.
    Callees,
    /// Both versions were followed.
    Executions,
}

impl Basis {
    /// What a scope begins with that no assumption restricts.
    pub fn all_inputs(self) -> &'static str {
        match self {
            Basis::Code => "all inputs: the code is the same",
            Basis::Callees => "all inputs: its code, and whatever it uses, does the same",
            Basis::Executions => "all inputs",
        }
    }
}

/// What a witness is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Grade {
    /// Both native builds were run on it and differ.
    Confirmed,
    /// The same, of a kind that the user wants to be shown and not counted.
    Ignored,
    /// The model shows it, native runs do not.
    Unconfirmed,
}

/// What a tactic found out about a function. `W` is how a witness is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Evidence<W = ()> {
    /// Only the new version has the function.
    Added,
    /// Only the old version has it.
    Removed,
    /// Both versions do the same under these assumptions.
    Proof {
        /// How it was proved.
        basis: Basis,
        /// What the proof rests on.
        assumptions: Vec<Assumed>,
    },
    /// What was compared rests on these assumptions; it is no proof.
    Explored(Vec<Assumed>),
    /// An input on which the versions differ.
    Witness {
        /// What it is worth.
        grade: Grade,
        /// How it is shown.
        shown: W,
    },
    /// Executions in which none of the conditions of these differences ever holds are the same.
    Confined {
        /// Where the versions part: [`Difference::Local`].
        differences: Vec<Difference>,
        /// What the proof of the rest rests on.
        assumptions: Vec<Assumed>,
    },
    /// Both versions did the same on that many inputs that were tried.
    Tried {
        /// How many.
        inputs: u64,
    },
    /// An open question.
    Gap(Open),
}

impl<W> Evidence<W> {
    /// The gap, if it is one.
    pub fn gap(&self) -> Option<&Gap> {
        match self {
            Evidence::Gap(open) => Some(&open.gap),
            _ => None,
        }
    }
}

impl<W> From<Gap> for Evidence<W> {
    fn from(gap: Gap) -> Evidence<W> {
        Evidence::Gap(gap.into())
    }
}

/// What is promised of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It does the same on every input; proved, under the assumptions in its scope.
    Same,
    /// It does the same on every input within the bounds in its scope; larger ones were tried at most.
    #[serde(rename = "same_within_bounds")]
    SameWithinBounds,
    /// It does not, on an input that was run on both builds.
    Different,
    /// Neither is known; every reason is named.
    #[default]
    Undecided,
    /// Its parameters or its result changed, so that there are no common inputs; or others can call it no more.
    Interface,
    /// In the new version only.
    Added,
    /// In the old version only.
    Removed,
}

impl Verdict {
    /// Whether nothing differs as far as anything is promised.
    pub fn is_same(self) -> bool {
        matches!(self, Verdict::Same | Verdict::SameWithinBounds)
    }

    /// As it is written in results.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Same => "same",
            Verdict::SameWithinBounds => "same within bounds",
            Verdict::Different => "different",
            Verdict::Undecided => "undecided",
            Verdict::Interface => "interface",
            Verdict::Added => "added",
            Verdict::Removed => "removed",
        }
    }
}

/// What evidence comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// What is promised of the body, where only others can call it no more.
    pub body: Option<Verdict>,
    /// Whether every difference that was found is of a kind that the user ignores.
    pub not_counted: bool,
}

/// The verdict that follows from evidence, whatever its order, but that of equally strong proofs the last one counts.
pub fn judge<W>(evidence: &[Evidence<W>]) -> Judgement {
    let is = |verdict: Verdict| Judgement { verdict, body: None, not_counted: false };
    let has = |weight: Weight| evidence.iter().filter_map(Evidence::gap).any(|gap| gap.weight() == weight);
    let any = |wanted: &dyn Fn(&Evidence<W>) -> bool| evidence.iter().any(wanted);
    if any(&|one| matches!(one, Evidence::Added)) {
        return is(Verdict::Added);
    }
    if any(&|one| matches!(one, Evidence::Removed)) {
        return is(Verdict::Removed);
    }
    if has(Weight::NoInterface) {
        return is(Verdict::Interface);
    }
    let own = of_body(evidence);
    if own.verdict.is_same() && has(Weight::OutOfSight) {
        return Judgement { body: Some(own.verdict), ..is(Verdict::Interface) };
    }
    own
}

/// The same, whoever may call the function.
fn of_body<W>(evidence: &[Evidence<W>]) -> Judgement {
    let is = |verdict: Verdict| Judgement { verdict, body: None, not_counted: false };
    let has_witness =
        |wanted: Grade| evidence.iter().any(|one| matches!(one, Evidence::Witness { grade, .. } if *grade == wanted));
    let mut gaps = evidence.iter().filter_map(Evidence::gap);
    let proof = proof(evidence);
    let is_open = |gap: &Gap| match gap.weight() {
        Weight::Attempt => proof.is_none(),
        Weight::Stands => true,
        Weight::NoInterface | Weight::OutOfSight => false,
    };
    if has_witness(Grade::Confirmed) {
        is(Verdict::Different)
    } else if gaps.any(is_open) {
        is(Verdict::Undecided)
    } else if has_witness(Grade::Ignored) {
        // It is what it is, and only does not count.
        Judgement { not_counted: true, ..is(Verdict::Different) }
    } else {
        match proof {
            Some((_, assumptions)) if is_bounded(assumptions) => is(Verdict::SameWithinBounds),
            Some(_) => is(Verdict::Same),
            None => is(Verdict::Undecided),
        }
    }
}

/// The proof that counts: one without bounds if there is one, and of several the last.
pub fn proof<W>(evidence: &[Evidence<W>]) -> Option<(Basis, &[Assumed])> {
    let proofs = evidence.iter().filter_map(|one| match one {
        Evidence::Proof { basis, assumptions } => Some((*basis, assumptions.as_slice())),
        _ => None,
    });
    proofs.max_by_key(|(_, assumptions)| !is_bounded(assumptions))
}

fn is_bounded(assumptions: &[Assumed]) -> bool {
    assumptions.iter().any(|one| one.assumption.is_bound())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proof_with(assumptions: &[Assumption]) -> Evidence {
        let assumptions = assumptions.iter().cloned().map(Assumed::from).collect();
        Evidence::Proof { basis: Basis::Executions, assumptions }
    }

    fn witness(grade: Grade) -> Evidence {
        Evidence::Witness { grade, shown: () }
    }

    fn bound() -> Assumption {
        Assumption::Iterations { most: 16 }
    }

    /// The verdict, and the same for the reverse order.
    fn check(evidence: &[Evidence], expect: Verdict) {
        assert_eq!(judge(evidence).verdict, expect, "{evidence:?}");
        let reverse: Vec<Evidence> = evidence.iter().rev().cloned().collect();
        assert_eq!(judge(&reverse).verdict, expect, "{reverse:?}");
    }

    #[test]
    fn without_evidence_nothing_is_known() {
        check(&[], Verdict::Undecided);
        check(&[Evidence::Tried { inputs: 20_000 }, Evidence::Explored(Vec::new())], Verdict::Undecided);
        let confined = Evidence::Confined { differences: Vec::new(), assumptions: Vec::new() };
        check(&[confined], Verdict::Undecided);
    }

    #[test]
    fn a_proof_makes_it_the_same() {
        check(&[proof_with(&[])], Verdict::Same);
        check(&[proof_with(&[Assumption::NoAliases, Assumption::Panics])], Verdict::Same);
        check(&[proof_with(&[bound()])], Verdict::SameWithinBounds);
        check(&[proof_with(&[bound()]), proof_with(&[])], Verdict::Same);
    }

    #[test]
    fn a_failed_attempt_does_not_weaken_a_proof() {
        check(&[Gap::Time.into()], Verdict::Undecided);
        check(&[Gap::Time.into(), Gap::Solver.into(), proof_with(&[])], Verdict::Same);
        check(
            &[Gap::NotConfirmed.into(), witness(Grade::Unconfirmed), proof_with(&[bound()])],
            Verdict::SameWithinBounds,
        );
    }

    #[test]
    fn a_gap_that_stands_does() {
        let refused = Gap::Refused { calls: "connect".to_owned() };
        for gap in [Gap::ChangeNotReached, Gap::NotRun, Gap::FloatState, refused] {
            check(&[gap.into(), proof_with(&[])], Verdict::Undecided);
        }
    }

    #[test]
    fn a_confirmed_witness_wins() {
        check(&[witness(Grade::Confirmed)], Verdict::Different);
        check(&[witness(Grade::Confirmed), Gap::Time.into(), proof_with(&[bound()])], Verdict::Different);
        check(&[witness(Grade::Confirmed), witness(Grade::Ignored)], Verdict::Different);
        check(&[witness(Grade::Unconfirmed), Gap::NotConfirmed.into()], Verdict::Undecided);
    }

    #[test]
    fn what_is_ignored_is_shown_and_not_counted() {
        let ignored = [proof_with(&[]), witness(Grade::Ignored)];
        check(&ignored, Verdict::Different);
        assert!(judge(&ignored).not_counted);
        assert!(!judge(&[witness(Grade::Ignored), witness(Grade::Confirmed)]).not_counted);
        // What else there may be counts.
        check(&[witness(Grade::Ignored), Gap::Time.into()], Verdict::Undecided);
    }

    #[test]
    fn interfaces_come_before_bodies() {
        check(&[Evidence::Added], Verdict::Added);
        check(&[Evidence::Removed, Gap::Gone.into()], Verdict::Removed);
        check(&[Gap::OtherSignature.into(), proof_with(&[])], Verdict::Interface);
        check(&[Gap::MadeLocal.into(), proof_with(&[])], Verdict::Interface);
        check(&[Gap::MadeLocal.into(), witness(Grade::Confirmed)], Verdict::Different);
        check(&[Gap::MadeLocal.into(), Gap::Time.into()], Verdict::Undecided);
        assert_eq!(judge(&[Gap::Renamed.into(), proof_with(&[bound()])]).body, Some(Verdict::SameWithinBounds));
    }

    #[test]
    fn of_equally_strong_proofs_the_last_counts() {
        let (weaker, stronger) = (proof_with(&[Assumption::NoAliases]), proof_with(&[]));
        let counts = |evidence: &[Evidence]| proof(evidence).map(|(_, assumptions)| assumptions.len());
        assert_eq!(counts(&[weaker.clone(), stronger.clone()]), Some(0));
        assert_eq!(counts(&[stronger.clone(), weaker]), Some(1));
        assert_eq!(counts(&[stronger, proof_with(&[bound()])]), Some(0));
        assert_eq!(counts(&[Evidence::Removed]), None);
    }
}
