//! Which values a term may still have: an unsigned range, a signed range and known bits, all at once.

use crate::expr::{mask, signed};

/// Values of a term of at most 64 bits that are still possible, or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain {
    pub width: u32,
    /// Least and greatest value, unsigned.
    pub low: u64,
    pub high: u64,
    /// Least and greatest value, signed.
    pub least: i64,
    pub greatest: i64,
    /// Bits that are zero, and those that are one.
    pub zeros: u64,
    pub ones: u64,
}

impl Domain {
    /// All values.
    pub fn all(width: u32) -> Domain {
        let most = (mask(width) >> 1) as i64;
        Domain { width, low: 0, high: mask(width), least: -most - 1, greatest: most, zeros: !mask(width), ones: 0 }
    }

    /// One value.
    pub fn one(value: u64, width: u32) -> Domain {
        let number = signed(value, width);
        Domain { width, low: value, high: value, least: number, greatest: number, zeros: !value, ones: value }
    }

    /// Unsigned values from `low` to `high`; none of them may be too wide.
    pub fn range(low: u64, high: u64, width: u32) -> Domain {
        Domain { low, high, ..Domain::all(width) }.settled()
    }

    /// Signed values from `least` to `greatest`.
    pub fn signed_range(least: i64, greatest: i64, width: u32) -> Domain {
        Domain { least, greatest, ..Domain::all(width) }.settled()
    }

    /// Values with these bits.
    pub fn bits(zeros: u64, ones: u64, width: u32) -> Domain {
        Domain { zeros: zeros | !mask(width), ones: ones & mask(width), ..Domain::all(width) }.settled()
    }

    /// The value, if there is only one.
    pub fn value(&self) -> Option<u64> {
        (self.low == self.high).then_some(self.low)
    }

    pub fn is_empty(&self) -> bool {
        self.low > self.high || self.least > self.greatest || self.zeros & self.ones != 0
    }

    /// Whether a value is possible.
    pub fn contains(&self, value: u64) -> bool {
        let number = signed(value, self.width);
        (self.low..=self.high).contains(&value)
            && (self.least..=self.greatest).contains(&number)
            && value & self.zeros == 0
            && self.ones & !value == 0
    }

    /// What is possible in both.
    pub fn meet(&self, other: &Domain) -> Domain {
        self.common(other).settled()
    }

    /// The same, without letting ranges and bits tell of each other; `self` if nothing was taken away.
    pub fn common(&self, other: &Domain) -> Domain {
        Domain {
            width: self.width,
            low: self.low.max(other.low),
            high: self.high.min(other.high),
            least: self.least.max(other.least),
            greatest: self.greatest.min(other.greatest),
            zeros: self.zeros | other.zeros,
            ones: self.ones | other.ones,
        }
    }

    /// What is possible in one of them, or more.
    pub fn join(&self, other: &Domain) -> Domain {
        if self.is_empty() {
            return *other;
        }
        if other.is_empty() {
            return *self;
        }
        Domain {
            width: self.width,
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
        }
    }

    /// Without one value, where that can be said.
    pub fn without(&self, value: u64) -> Domain {
        let mut rest = *self;
        let number = signed(value, self.width);
        if self.value() == Some(value) {
            // Nothing is left.
            return Domain { low: 1, high: 0, ..rest };
        }
        if rest.low == value {
            rest.low += 1;
        }
        if rest.high == value {
            rest.high -= 1;
        }
        // The range has another value, so neither end goes beyond the type.
        if rest.least == number && rest.least < rest.greatest {
            rest.least += 1;
        }
        if rest.greatest == number && rest.least < rest.greatest {
            rest.greatest -= 1;
        }
        rest.settled()
    }

    /// Lets ranges and bits tell of each other.
    pub fn settled(mut self) -> Domain {
        // Twice: what the bits learn from one range, the other one learns from them.
        for _ in 0..2 {
            if self.is_empty() {
                return self;
            }
            let before = self;
            self.low = self.low.max(self.ones);
            self.high = self.high.min(!self.zeros);
            let (low, high) = (signed(self.low, self.width), signed(self.high, self.width));
            if (low < 0) == (high < 0) && self.low <= self.high {
                self.least = self.least.max(low);
                self.greatest = self.greatest.min(high);
            }
            if (self.least < 0) == (self.greatest < 0) {
                self.low = self.low.max(self.least as u64 & mask(self.width));
                self.high = self.high.min(self.greatest as u64 & mask(self.width));
            }
            if self.low > self.high {
                return self;
            }
            let differ = self.low ^ self.high;
            let common = if differ == 0 { u64::MAX } else { !(u64::MAX >> differ.leading_zeros()) };
            self.ones |= self.low & common;
            self.zeros |= !self.low & common;
            if self == before {
                return self;
            }
        }
        self
    }

    /// The least possible value that is `from` or more, unsigned, if some value is possible at all.
    pub fn next_from(&self, from: u64) -> Option<u64> {
        let mut value = from.max(self.low);
        loop {
            value = with_bits_from(value, self.zeros, self.ones)?;
            let number = signed(value, self.width);
            if value > self.high {
                return None;
            }
            if (self.least..=self.greatest).contains(&number) {
                return Some(value);
            }
            // The signed range goes on, if at all, from its least number.
            let next = self.least as u64 & mask(self.width);
            if next <= value {
                return None;
            }
            value = next;
        }
    }
}

/// The least value that is `from` or more and has these bits.
fn with_bits_from(from: u64, zeros: u64, ones: u64) -> Option<u64> {
    let wrong = (from & zeros) | (!from & ones);
    if wrong == 0 {
        return Some(from);
    }
    let at = 63 - wrong.leading_zeros();
    let below = (1u64 << at) - 1;
    if ones >> at & 1 == 1 {
        // Setting the bit makes it greater; all below is free.
        return Some((from & !below) | 1 << at | ones & below);
    }
    // The bit has to be cleared, so a free zero above it must become one.
    let above = !(below | 1 << at);
    let free = above & !from & !zeros;
    if free == 0 {
        return None;
    }
    let up = free.trailing_zeros();
    let below = (1u64 << up) - 1;
    Some((from & !below) | 1 << up | ones & below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_value_with_bits_is_the_least() {
        for zeros in 0..16u64 {
            for ones in (0..16).filter(|ones| ones & zeros == 0) {
                for from in 0..16 {
                    let expected = (from..16).find(|value| value & zeros == 0 && ones & !value == 0);
                    assert_eq!(with_bits_from(from, zeros | !15, ones), expected, "{from} {zeros:b} {ones:b}");
                }
            }
        }
    }

    #[test]
    fn nothing_is_lost_by_settling() {
        let width = 4;
        for low in 0..16u64 {
            for high in low..16 {
                for least in -8..8i64 {
                    for greatest in least..8 {
                        for zeros in [0u64, 1, 8, 6] {
                            let raw = Domain { width, low, high, least, greatest, zeros: zeros | !15, ones: 0 };
                            let settled = raw.settled();
                            for value in (0..16).filter(|&value| raw.contains(value)) {
                                assert!(settled.contains(value), "{value} of {raw:?}");
                                let rest = raw.without(value);
                                assert!(
                                    (0..16).all(|other| other == value || !raw.contains(other) || rest.contains(other))
                                );
                            }
                            let next = if settled.is_empty() { None } else { settled.next_from(0) };
                            assert_eq!(next, (0..16).find(|&value| settled.contains(value)), "{settled:?}");
                        }
                    }
                }
            }
        }
    }
}
