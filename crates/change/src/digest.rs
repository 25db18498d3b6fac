//! A hash wide enough that two different things never share one by accident.

use std::fmt;

/// 128 bits that stand for what was hashed. Equal digests mean equal contents.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest(pub u128);

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// Takes in words and digests one after the other. Whoever feeds it makes sure that the sequence can be read back in one
/// way only: lists begin with their length, alternatives with a tag.
#[derive(Clone)]
pub struct Hasher {
    low: u64,
    high: u64,
}

/// Odd, and without a pattern: digits of pi and of the golden ratio.
const LOW: u64 = 0x9e37_79b9_7f4a_7c15;
const HIGH: u64 = 0x2437_54a8_85a3_08d3;

impl Hasher {
    /// A hasher for one kind of thing; digests of different kinds differ.
    pub fn new(kind: &str) -> Hasher {
        let mut hasher = Hasher { low: LOW, high: HIGH };
        hasher.bytes(kind.as_bytes());
        hasher
    }

    /// Takes in a word.
    pub fn word(&mut self, word: u64) {
        self.low = fold(self.low ^ word, LOW).wrapping_add(self.high);
        self.high = fold(self.high.rotate_left(23) ^ word, HIGH) ^ self.low.rotate_left(40);
    }

    /// Takes in a wide number.
    pub fn wide(&mut self, number: u128) {
        self.word(number as u64);
        self.word((number >> 64) as u64);
    }

    /// Takes in bytes and how many they are.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    /// Takes in a text.
    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// Takes in what was hashed before.
    pub fn digest(&mut self, digest: Digest) {
        self.wide(digest.0);
    }

    /// The digest of all that was taken in.
    pub fn finish(mut self) -> Digest {
        self.word(LOW);
        self.word(HIGH);
        Digest(u128::from(self.low) << 64 | u128::from(self.high))
    }
}

/// Both halves of a product, mixed.
fn fold(word: u64, by: u64) -> u64 {
    let product = u128::from(word) * u128::from(by);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn order_length_and_kind_count() {
        let hash = |kind: &str, texts: &[&str]| {
            let mut hasher = Hasher::new(kind);
            texts.iter().for_each(|text| hasher.text(text));
            hasher.finish()
        };
        let all = [
            hash("a", &[]),
            hash("b", &[]),
            hash("a", &[""]),
            hash("a", &["", ""]),
            hash("a", &["x", "y"]),
            hash("a", &["y", "x"]),
            hash("a", &["xy"]),
            hash("a", &["x\0"]),
        ];
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
    }

    #[test]
    fn neighbouring_words_share_no_half() {
        let mut halves = HashSet::new();
        for word in 0..50_000u64 {
            let mut hasher = Hasher::new("");
            hasher.word(word);
            hasher.word(word >> 3);
            let digest = hasher.finish().0;
            assert!(halves.insert(digest as u64) && halves.insert((digest >> 64) as u64));
        }
    }
}
