//! What tactics work on, and what a tactic is.

use super::explored::is_bounded;
use super::findings::{Findings, is_proved, is_settled};
use super::versus::Versus;
use super::whole::reads_input;
use exec::inputs::Bounds;
use explore::pair::Compared;
use explore::probe::Tried;

/// What came of following both versions; the findings have what it says by itself.
pub struct Followed {
    /// How they compare.
    pub compared: Compared,
    /// Bounds of the inputs.
    pub bounds: Bounds,
    /// Whether there was only time for smaller inputs than these.
    pub shrunk: bool,
    /// What was tried on the way.
    pub tried: Option<Tried>,
}

impl Followed {
    /// Nothing was followed yet.
    pub fn new(bounds: Bounds) -> Followed {
        Followed { compared: Compared::default(), bounds, shrunk: false, tried: None }
    }
}

/// Two versions of a function about which something is to be found out.
pub struct Goal<'v, 'a> {
    /// The function, and the means to compare its versions.
    pub versus: Versus<'v, 'a>,
    /// What came of following both versions.
    pub followed: Followed,
    /// What came of trying inputs.
    pub tried: Option<Tried>,
    /// Whether a proof needs nothing more.
    pub is_over: bool,
}

/// A way to find something out.
pub trait Tactic {
    /// As `--trace` names it.
    fn name(&self) -> &'static str;

    /// Whether it may find out something that is not known yet.
    fn applies(&self, goal: &Goal, findings: &Findings) -> bool;

    /// Whether it finds nothing but proofs that hold for all inputs.
    fn only_proves(&self) -> bool {
        false
    }

    /// Adds what it finds out.
    fn run(&self, goal: &mut Goal, findings: &mut Findings);
}

impl Goal<'_, '_> {
    /// Whether what is proved so far does not hold for all inputs.
    pub fn is_bounded(&self) -> bool {
        let versus = &self.versus;
        is_bounded(&self.followed.compared)
            || versus.is_program && reads_input(&versus.couple.program.module)
            || !versus.world.is_empty()
    }

    /// Whether there may be a difference that was not found yet.
    pub fn is_open(&self, findings: &Findings) -> bool {
        !is_settled(&findings.evidence) && (self.is_bounded() || !is_proved(findings))
    }
}
