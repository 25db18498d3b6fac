//! Arithmetic on bit-vectors of known value and any width.

use crate::expr::mask;

/// A bit-vector of known value: words from the least significant, unused bits zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Bits {
    /// Width in bits.
    pub width: u32,
    /// `width` bits, 64 a word.
    pub words: Vec<u64>,
}

impl Bits {
    /// Zero.
    pub fn zero(width: u32) -> Bits {
        Bits { width, words: vec![0; (width as usize).div_ceil(64)] }
    }

    /// All bits one.
    pub fn ones(width: u32) -> Bits {
        Bits { width, words: vec![u64::MAX; (width as usize).div_ceil(64)] }.cut()
    }

    /// A number, cut to the width.
    pub fn new(value: u128, width: u32) -> Bits {
        let mut bits = Bits::zero(width);
        for (word, part) in bits.words.iter_mut().zip([value as u64, (value >> 64) as u64]) {
            *word = part;
        }
        bits.cut()
    }

    /// From words, the least significant first; missing ones are zero.
    pub fn from_words(words: &[u64], width: u32) -> Bits {
        let mut bits = Bits::zero(width);
        for (to, from) in bits.words.iter_mut().zip(words) {
            *to = *from;
        }
        bits.cut()
    }

    /// The lowest 64 bits.
    pub fn low(&self) -> u64 {
        self.words.first().copied().unwrap_or(0)
    }

    /// The lowest 128 bits.
    pub fn low_128(&self) -> u128 {
        let word = |i: usize| u128::from(self.words.get(i).copied().unwrap_or(0));
        word(0) | word(1) << 64
    }

    /// Whether every bit is zero.
    pub fn is_zero(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Bit `index`; bits beyond the width are zero.
    pub fn bit(&self, index: u32) -> bool {
        index < self.width && self.words[index as usize / 64] >> (index % 64) & 1 == 1
    }

    /// The highest bit.
    pub fn is_negative(&self) -> bool {
        self.width > 0 && self.bit(self.width - 1)
    }

    /// Every bit inverted.
    pub fn not(&self) -> Bits {
        Bits { width: self.width, words: self.words.iter().map(|word| !word).collect() }.cut()
    }

    /// Two's complement.
    pub fn neg(&self) -> Bits {
        self.not().add(&Bits::new(1, self.width))
    }

    /// Word by word.
    pub fn zip(&self, other: &Bits, op: impl Fn(u64, u64) -> u64) -> Bits {
        let words = self.words.iter().zip(&other.words).map(|(&a, &b)| op(a, b)).collect();
        Bits { width: self.width, words }.cut()
    }

    /// Sum.
    pub fn add(&self, other: &Bits) -> Bits {
        let mut carry = false;
        let mut words = Vec::with_capacity(self.words.len());
        for (&a, &b) in self.words.iter().zip(&other.words) {
            let (sum, first) = a.overflowing_add(b);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            carry = first | second;
            words.push(sum);
        }
        Bits { width: self.width, words }.cut()
    }

    /// Difference.
    pub fn sub(&self, other: &Bits) -> Bits {
        self.add(&other.neg())
    }

    /// Product.
    pub fn mul(&self, other: &Bits) -> Bits {
        let mut result = Bits::zero(self.width);
        for (i, &a) in self.words.iter().enumerate() {
            let mut carry = 0u128;
            for (j, &b) in other.words.iter().enumerate().take(self.words.len() - i) {
                let sum = u128::from(a) * u128::from(b) + u128::from(result.words[i + j]) + carry;
                result.words[i + j] = sum as u64;
                carry = sum >> 64;
            }
        }
        result.cut()
    }

    /// Quotient and remainder, unsigned; by zero all ones and the dividend.
    pub fn udivrem(&self, other: &Bits) -> (Bits, Bits) {
        if other.is_zero() {
            return (Bits::ones(self.width), self.clone());
        }
        if self.width <= 128 {
            let (a, b) = (self.low_128(), other.low_128());
            return (Bits::new(a / b, self.width), Bits::new(a % b, self.width));
        }
        let (mut quotient, mut rest) = (Bits::zero(self.width), Bits::zero(self.width));
        for index in (0..self.width).rev() {
            let carried = rest.is_negative();
            rest.shift_in(self.bit(index));
            if carried || !rest.ult(other) {
                rest.take_away(other);
                quotient.words[index as usize / 64] |= 1 << (index % 64);
            }
        }
        (quotient, rest)
    }

    /// Quotient and remainder, signed and rounded to zero.
    pub fn sdivrem(&self, other: &Bits) -> (Bits, Bits) {
        let magnitude = |bits: &Bits| if bits.is_negative() { bits.neg() } else { bits.clone() };
        let (quotient, rest) = magnitude(self).udivrem(&magnitude(other));
        let quotient = if self.is_negative() != other.is_negative() { quotient.neg() } else { quotient };
        let rest = if self.is_negative() { rest.neg() } else { rest };
        (quotient, rest)
    }

    /// Left shift.
    pub fn shl(&self, distance: u32) -> Bits {
        let mut result = Bits::zero(self.width);
        let (skip, shift) = (distance as usize / 64, distance % 64);
        for i in skip..self.words.len() {
            let low = self.words[i - skip] << shift;
            let carried = if shift > 0 && i > skip { self.words[i - skip - 1] >> (64 - shift) } else { 0 };
            result.words[i] = low | carried;
        }
        result.cut()
    }

    /// Logical right shift.
    pub fn lshr(&self, distance: u32) -> Bits {
        let mut result = Bits::zero(self.width);
        let (skip, shift) = (distance as usize / 64, distance % 64);
        for i in skip..self.words.len() {
            let high = self.words[i] >> shift;
            let carried = if shift > 0 && i + 1 < self.words.len() { self.words[i + 1] << (64 - shift) } else { 0 };
            result.words[i - skip] = high | carried;
        }
        result
    }

    /// Arithmetic right shift.
    pub fn ashr(&self, distance: u32) -> Bits {
        let distance = distance.min(self.width);
        if !self.is_negative() {
            return self.lshr(distance);
        }
        let sign = Bits::ones(self.width).shl(self.width - distance);
        self.lshr(distance).zip(&sign, |a, b| a | b)
    }

    /// Unsigned less.
    pub fn ult(&self, other: &Bits) -> bool {
        self.words.iter().rev().lt(other.words.iter().rev())
    }

    /// Signed less.
    pub fn slt(&self, other: &Bits) -> bool {
        match (self.is_negative(), other.is_negative()) {
            (true, false) => true,
            (false, true) => false,
            _ => self.ult(other),
        }
    }

    /// Bits from `low` on, `width` of them.
    pub fn extract(&self, low: u32, width: u32) -> Bits {
        let shifted = self.lshr(low.min(self.width));
        Bits::from_words(&shifted.words, width)
    }

    /// This above `low`.
    pub fn concat(&self, low: &Bits) -> Bits {
        let width = self.width + low.width;
        let high = Bits::from_words(&self.words, width).shl(low.width);
        high.zip(&Bits::from_words(&low.words, width), |a, b| a | b)
    }

    /// Zeros above.
    pub fn zext(&self, width: u32) -> Bits {
        Bits::from_words(&self.words, width)
    }

    /// The sign above.
    pub fn sext(&self, width: u32) -> Bits {
        let extended = self.zext(width);
        if !self.is_negative() {
            return extended;
        }
        extended.zip(&Bits::ones(width).shl(self.width), |a, b| a | b)
    }

    /// Shifts left by one, in place; `low` becomes the lowest bit.
    fn shift_in(&mut self, low: bool) {
        let mut carry = u64::from(low);
        for word in &mut self.words {
            let next = *word >> 63;
            *word = *word << 1 | carry;
            carry = next;
        }
        self.cut_in_place();
    }

    /// Subtracts, in place.
    fn take_away(&mut self, other: &Bits) {
        let mut borrow = false;
        for (a, &b) in self.words.iter_mut().zip(&other.words) {
            let (difference, first) = a.overflowing_sub(b);
            let (difference, second) = difference.overflowing_sub(u64::from(borrow));
            borrow = first | second;
            *a = difference;
        }
        self.cut_in_place();
    }

    fn cut(mut self) -> Bits {
        self.cut_in_place();
        self
    }

    fn cut_in_place(&mut self) {
        if let Some(last) = self.words.last_mut() {
            let used = self.width % 64;
            *last &= if used == 0 { u64::MAX } else { mask(used) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers() -> impl Iterator<Item = u128> {
        let mut state = 0x9e37_79b9_7f4a_7c15_u128;
        (0..4000).map(move |i| {
            state = state.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(0x5851_f42d_4c95_7f2d);
            // Many small and many nearly full numbers.
            match i % 4 {
                0 => state >> 64 & 0xff,
                1 => u128::MAX - (state >> 100),
                2 => state >> 60,
                _ => state,
            }
        })
    }

    #[test]
    fn agrees_with_the_processor_at_128_bits() {
        let list: Vec<u128> = numbers().collect();
        for pair in list.chunks(2) {
            let [a, b] = [pair[0], pair[1]];
            let (x, y) = (Bits::new(a, 128), Bits::new(b, 128));
            assert_eq!(x.add(&y).low_128(), a.wrapping_add(b));
            assert_eq!(x.sub(&y).low_128(), a.wrapping_sub(b));
            assert_eq!(x.mul(&y).low_128(), a.wrapping_mul(b));
            let s = (b % 140) as u32;
            assert_eq!(x.shl(s).low_128(), a.checked_shl(s).unwrap_or(0));
            assert_eq!(x.lshr(s).low_128(), a.checked_shr(s).unwrap_or(0));
            assert_eq!(x.ashr(s).low_128(), ((a as i128) >> s.min(127)) as u128);
            assert_eq!((x.ult(&y), x.slt(&y)), (a < b, (a as i128) < (b as i128)));
            assert_eq!(x.extract(s.min(100), 20).low_128(), a >> s.min(100) & 0xfffff);
            let (q, r) = x.sdivrem(&y);
            assert_eq!(q.low_128() as i128, (a as i128).wrapping_div(b as i128));
            assert_eq!(r.low_128() as i128, (a as i128).wrapping_rem(b as i128));
        }
    }

    #[test]
    fn wide_division_gives_back_the_dividend() {
        let list: Vec<u128> = numbers().collect();
        for four in list.chunks(4) {
            let wide = |a, b| Bits::new(a, 128).concat(&Bits::new(b, 128)).zext(300);
            let (a, b) = (wide(four[0], four[1]), wide(four[2] & 0xff, four[3]));
            let (q, r) = a.udivrem(&b);
            assert!(r.ult(&b));
            assert_eq!(q.mul(&b).add(&r), a);
        }
        let seven = Bits::new(7, 200);
        assert_eq!(seven.udivrem(&Bits::zero(200)), (Bits::ones(200), seven));
    }

    #[test]
    fn extension_and_concatenation() {
        let minus = Bits::new(0x80, 8);
        assert_eq!(minus.sext(130).not(), Bits::new(0x7f, 130));
        assert_eq!(minus.zext(130).low_128(), 0x80);
        assert_eq!(Bits::new(0xab, 8).concat(&Bits::new(0xcd, 8)), Bits::new(0xabcd, 16));
        assert_eq!(Bits::new(1, 1).concat(&Bits::zero(64)).words, [0, 1]);
    }
}
