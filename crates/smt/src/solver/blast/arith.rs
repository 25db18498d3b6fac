//! Arithmetic, shifts and comparisons as gates. Bits come least significant first.

use super::Word;
use super::gates::Gates;
use batsat::{Callbacks, Lit};

impl<C: Callbacks> Gates<C> {
    /// Sum.
    pub fn add(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let carry = self.constant(false);
        self.add_with(a, b, carry)
    }

    /// Difference.
    pub fn subtract(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let inverted: Word = b.iter().map(|&lit| !lit).collect();
        let carry = self.constant(true);
        self.add_with(a, &inverted, carry)
    }

    /// Two's complement.
    pub fn negate(&mut self, a: &[Lit]) -> Word {
        let zero: Word = a.iter().map(|_| self.constant(false)).collect();
        self.subtract(&zero, a)
    }

    /// Product, by adding shifted copies.
    pub fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let width = a.len();
        // The operand with more known zeros decides which copies are added.
        let zeros = |word: &[Lit]| word.iter().filter(|&&lit| lit == self.constant(false)).count();
        let (a, b) = if zeros(a) > zeros(b) { (b, a) } else { (a, b) };
        let zero = self.constant(false);
        let mut sum: Word = a.iter().map(|_| zero).collect();
        for (shift, &bit) in b.iter().enumerate() {
            if bit == zero {
                continue;
            }
            let copy: Word = a[..width - shift].iter().map(|&lit| self.and(lit, bit)).collect();
            let high = self.add(&sum[shift..], &copy);
            sum[shift..].copy_from_slice(&high);
        }
        sum
    }

    /// About how many gates a product takes: one for the copy and six for the sum, for each bit of one operand that is not known
    /// to be zero and each bit of the other one from there on.
    pub fn cost_of_product(&self, a: &[Lit], b: &[Lit]) -> usize {
        let zero = self.constant(false);
        let cost = |word: &[Lit]| -> usize {
            let added = word.iter().enumerate().filter(|&(_, &lit)| lit != zero);
            added.map(|(shift, _)| 7 * (word.len() - shift)).sum()
        };
        cost(a).min(cost(b))
    }

    /// About how many gates a quotient takes: a comparison, a difference and a choice for each bit of the dividend and
    /// each bit that the remainder may have.
    pub fn cost_of_quotient(&self, a: &[Lit], b: &[Lit]) -> usize {
        let zero = self.constant(false);
        let used = |word: &[Lit]| word.iter().rposition(|&lit| lit != zero).map_or(0, |last| last + 1);
        used(a).saturating_mul(used(a).max(used(b)) + 1).saturating_mul(9)
    }

    /// Quotient and remainder, unsigned, by long division; by zero all ones and the dividend. Leading zeros of the operands
    /// take no gates; neither do bits of the remainder that a divisor which is `not_zero` cannot leave.
    pub fn divide(&mut self, a: &[Lit], b: &[Lit], not_zero: bool) -> (Word, Word) {
        let width = a.len();
        let zero = self.constant(false);
        let used = |word: &[Lit]| word.iter().rposition(|&lit| lit != zero).map_or(0, |last| last + 1);
        let (dividend_bits, divisor_bits) = (used(a), used(b).max(1));
        let kept = if not_zero { divisor_bits } else { divisor_bits.max(dividend_bits) };
        let high = if not_zero { zero } else { self.is_zero(b) };
        // One bit more, so that the remainder never overflows when it is shifted.
        let divisor: Word = b[..kept].iter().copied().chain([zero]).collect();
        let mut rest: Word = vec![zero; kept + 1].into();
        let mut quotient: Word = vec![high; width].into();
        for i in (0..dividend_bits).rev() {
            let shifted: Word = [a[i]].iter().chain(&rest[..kept]).copied().collect();
            let fits = !self.less(&shifted, &divisor);
            let reduced = self.subtract(&shifted, &divisor);
            rest = self.zip(&reduced, &shifted, |gates, less, same| gates.choose(fits, less, same));
            quotient[i] = fits;
        }
        (quotient, rest[..kept].iter().copied().chain(std::iter::repeat_n(zero, width - kept)).collect())
    }

    /// Whether all bits are zero.
    fn is_zero(&mut self, a: &[Lit]) -> Lit {
        let mut any = self.constant(false);
        for &lit in a {
            any = self.or(any, lit);
        }
        !any
    }

    /// Quotient and remainder, signed and rounded to zero.
    pub fn signed_divide(&mut self, a: &[Lit], b: &[Lit], not_zero: bool) -> (Word, Word) {
        let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
        let (size_a, size_b) = (self.negate_if(a, sign_a), self.negate_if(b, sign_b));
        let (quotient, rest) = self.divide(&size_a, &size_b, not_zero);
        let signs_differ = self.xor(sign_a, sign_b);
        (self.negate_if(&quotient, signs_differ), self.negate_if(&rest, sign_a))
    }

    /// Left shift; zero if the distance is the width or more.
    pub fn shift_left(&mut self, a: &[Lit], distance: &[Lit]) -> Word {
        let reversed: Word = a.iter().rev().copied().collect();
        let zero = self.constant(false);
        let mut shifted = self.shift_right(&reversed, distance, zero);
        shifted.reverse();
        shifted
    }

    /// Right shift; all `fill` if the distance is the width or more.
    pub fn shift_right(&mut self, a: &[Lit], distance: &[Lit], fill: Lit) -> Word {
        let width = a.len();
        let mut word: Word = a.into();
        let mut beyond = self.constant(false);
        for (i, &bit) in distance.iter().enumerate() {
            match 1usize.checked_shl(i as u32).filter(|&step| step < width) {
                Some(step) => {
                    word = (0..width)
                        .map(|at| self.choose(bit, word.get(at + step).copied().unwrap_or(fill), word[at]))
                        .collect();
                }
                None => beyond = self.or(beyond, bit),
            }
        }
        word.iter().map(|&lit| self.choose(beyond, fill, lit)).collect()
    }

    /// Equality.
    pub fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut all = self.constant(true);
        for (&a, &b) in a.iter().zip(b) {
            let same = !self.xor(a, b);
            all = self.and(all, same);
        }
        all
    }

    /// Unsigned less.
    pub fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut less = self.constant(false);
        for (&a, &b) in a.iter().zip(b) {
            // A higher bit that differs decides.
            let differ = self.xor(a, b);
            less = self.choose(differ, b, less);
        }
        less
    }

    /// Signed less: unsigned less with the signs the other way round.
    pub fn signed_less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let flip = |word: &[Lit]| -> Word {
            let mut word: Word = word.into();
            if let Some(sign) = word.last_mut() {
                *sign = !*sign;
            }
            word
        };
        self.less(&flip(a), &flip(b))
    }

    fn add_with(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> Word {
        let mut carry = carry;
        let mut sum = Vec::with_capacity(a.len());
        for (i, (&a, &b)) in a.iter().zip(b).enumerate() {
            let half = self.xor(a, b);
            sum.push(self.xor(half, carry));
            // Nobody asks for the last carry.
            if i + 1 < sum.capacity() {
                carry = self.majority(a, b, carry);
            }
        }
        sum.into()
    }

    fn negate_if(&mut self, a: &[Lit], condition: Lit) -> Word {
        let flipped: Word = a.iter().map(|&lit| self.xor(lit, condition)).collect();
        let zero: Word = a.iter().map(|_| self.constant(false)).collect();
        self.add_with(&flipped, &zero, condition)
    }
}
