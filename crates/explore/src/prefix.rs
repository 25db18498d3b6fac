//! A prefix of decisions: names a part of the tree of paths in a few bytes.

use smallvec::SmallVec;

/// A decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decision {
    /// Which side was taken.
    pub side: u32,
    /// Whether another side could have been taken too. Where none could, the path's condition does not grow.
    pub open: bool,
}

/// Where a path stands in the tree; keys are ordered as the paths are. Only open decisions tell paths apart, so they are
/// all that is kept: a byte each, five for one with very many sides.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(SmallVec<[u8; INLINE]>);

/// Bytes of a key that need no memory of their own: millions of keys are made by one thread and thrown away by another.
const INLINE: usize = 24;

impl Key {
    /// The key of the path that these decisions lead to, the latest first.
    pub fn from_latest<'d>(decisions: impl Iterator<Item = &'d Decision>) -> Key {
        let mut bytes = SmallVec::new();
        for decision in decisions.filter(|decision| decision.open) {
            match u8::try_from(decision.side) {
                Ok(side) if side < u8::MAX => bytes.push(side),
                // Turned round below.
                _ => {
                    bytes.extend(decision.side.to_le_bytes());
                    bytes.push(u8::MAX);
                }
            }
        }
        bytes.reverse();
        Key(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::{Decision, Key};

    fn key(sides: &[u32]) -> Key {
        let decisions: Vec<Decision> = sides.iter().map(|&side| Decision { side, open: true }).collect();
        Key::from_latest(decisions.iter().rev())
    }

    #[test]
    fn keys_are_ordered_as_decisions_are() {
        let ascending: [&[u32]; 8] =
            [&[0], &[0, 1], &[0, 254], &[0, 255], &[0, 256, 9], &[0, 70_000], &[1], &[70_000, 0, 3]];
        assert!(ascending.windows(2).all(|pair| key(pair[0]) < key(pair[1])));
    }

    #[test]
    fn what_had_to_be_is_left_out() {
        let decisions = [Decision { side: 3, open: false }, Decision { side: 1, open: true }];
        assert_eq!(Key::from_latest(decisions.iter()), key(&[1]));
    }
}
