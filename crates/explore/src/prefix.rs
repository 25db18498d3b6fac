//! A prefix of decisions: names a part of the tree of paths in a few bytes.

/// A decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decision {
    /// Which side was taken.
    pub side: u32,
    /// Whether another side could have been taken too. Where none could, the path's condition does not grow.
    pub open: bool,
}
