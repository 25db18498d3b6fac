//! What a change can reach, in both versions of a program.
//!
//! S. Person, G. Yang, N. Rungta, S. Khurshid: "Directed Incremental Symbolic Execution", PLDI 2011 (DiSE), section 3.2,
//! and its successor for several procedures (iDiSE), section III.A. From what changed, [`analysis::influence`] follows
//! control, data, memory and calls forward; [`affected`] adds what feeds that, as rule (4) of DiSE and the backward rules
//! of iDiSE have it; [`relevant`] says what an exploration must decide so that nothing affected is lost.
//!
//! Differences: the papers' rules (1)-(3) leave out writes that use affected values, which loses `y = x; if (y)`; here
//! they count. Code that was removed is followed in the old version and the result carried over to the new one, as in
//! DiSE's Fig. 5, and the other way round too, until neither version learns anything from the other: then what is in no
//! set has the same value, and runs in the same cases, in both versions.

pub mod affected;
mod over;
pub mod relevant;
mod start;

use crate::changes::Changes;
use analysis::facts::{Facts, KnownFunctions};
use analysis::influence::{Influence, Start, Upward, influence};
use over::Direction;

/// Two versions with all that is known of them.
pub struct Versions<'a, 'm> {
    /// The old version.
    pub old: &'a Facts<'m>,
    /// The new version.
    pub new: &'a Facts<'m>,
    /// What changed between them.
    pub changes: &'a Changes,
}

/// What is known of single functions of both versions, filled as they are asked for.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Functions of the old version.
    pub old: KnownFunctions,
    /// Functions of the new version.
    pub new: KnownFunctions,
}

/// What a change can reach in both versions.
#[derive(Clone, Debug, Default)]
pub struct Impact {
    /// In the old version.
    pub old: Reach,
    /// In the new version.
    pub new: Reach,
}

/// What a change can reach in one version.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// What changed.
    pub start: Start,
    /// What depends on it, here or in the other version.
    pub influence: Influence,
}

/// What a change can reach. With [`Upward::Nobody`] callers of what changed are left alone, as DiSE does, which looks at
/// one procedure.
pub fn impact(versions: &Versions, known: &mut Known, upward: Upward) -> Impact {
    let (old_start, new_start) = (start::of_old(versions), start::of_new(versions));
    reach(versions, known, old_start, new_start, upward)
}

/// The same for what changed in one function, or in one that has no partner.
pub fn impact_of_function(versions: &Versions, known: &mut Known, change: usize) -> Impact {
    let Some(function) = versions.changes.functions.get(change) else { return Impact::default() };
    let (mut old_start, mut new_start) = (start::of_old(versions), start::of_new(versions));
    start::keep(&mut old_start, function.old);
    start::keep(&mut new_start, function.new);
    reach(versions, known, old_start, new_start, Upward::Nobody)
}

fn reach(versions: &Versions, known: &mut Known, old_start: Start, new_start: Start, upward: Upward) -> Impact {
    let mut from_new = Start::default();
    let mut old = influence(versions.old, &mut known.old, &old_start, &from_new, upward);
    let mut from_old = over::carry(versions, &old, Direction::ToNew);
    let new = loop {
        let new = influence(versions.new, &mut known.new, &new_start, &from_old, upward);
        let carried = over::carry(versions, &new, Direction::ToOld);
        if carried == from_new || over::has_all(&old, &carried) {
            break new;
        }
        from_new = carried;
        old = influence(versions.old, &mut known.old, &old_start, &from_new, upward);
        let carried = over::carry(versions, &old, Direction::ToNew);
        if carried == from_old || over::has_all(&new, &carried) {
            break new;
        }
        from_old = carried;
    };
    Impact { old: Reach { start: old_start, influence: old }, new: Reach { start: new_start, influence: new } }
}
