//! Integer and floating-point literals as bits.

use crate::types::FloatKind;

/// Most digits of a literal: reading decimal ones costs the square of their number. LLVM's widest type needs 2.5 million,
/// no program does.
const MAX_DECIMAL_DIGITS: usize = 20_000;

/// Most hexadecimal digits, so that the number has no more decimal ones than allowed.
const MAX_HEX_DIGITS: usize = 16_000;

/// The value of an integer literal (`-7`, `u0xFF`, `s0xFF`) modulo 2^`bits`, in 64-bit words from the least significant,
/// without those that only repeat the sign of the one before.
pub(super) fn integer(text: &str, bits: u32) -> Option<Vec<u64>> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let hex = digits.strip_prefix("u0x").or_else(|| digits.strip_prefix("s0x"));
    let mut value = match hex {
        Some(hex) if hex.len() <= MAX_HEX_DIGITS => magnitude(hex, 16, 15)?,
        None if digits.len() <= MAX_DECIMAL_DIGITS => magnitude(digits, 10, 19)?,
        _ => return None,
    };
    if digits.starts_with("s0x") {
        // The highest bit that is set is the sign.
        if let Some(last) = value.last_mut().filter(|last| **last != 0) {
            *last |= u64::MAX << (63 - last.leading_zeros());
        }
    } else {
        value.push(0);
    }
    if negative {
        let mut carry = true;
        for word in &mut value {
            let (sum, overflow) = (!*word).overflowing_add(u64::from(carry));
            (*word, carry) = (sum, overflow);
        }
    }
    wrap(&mut value, bits);
    Some(value)
}

/// The number that digits stand for, read `step` at a time, in words from the least significant.
fn magnitude(digits: &str, radix: u64, step: usize) -> Option<Vec<u64>> {
    if digits.is_empty() || !digits.bytes().all(|digit| (digit as char).is_digit(radix as u32)) {
        return None;
    }
    let mut words = vec![0_u64];
    let (first, rest) = digits.split_at(digits.len() % step);
    let steps = rest.as_bytes().chunks(step).map(|chunk| std::str::from_utf8(chunk).unwrap_or_default());
    for part in std::iter::once(first).filter(|first| !first.is_empty()).chain(steps) {
        let factor = u128::from(radix.pow(part.len() as u32));
        let mut carry = u128::from(u64::from_str_radix(part, radix as u32).ok()?);
        for word in &mut words {
            let sum = u128::from(*word) * factor + carry;
            *word = sum as u64;
            carry = sum >> 64;
        }
        if carry > 0 {
            words.push(carry as u64);
        }
    }
    Some(words)
}

/// Takes a signed number modulo 2^`bits` and drops words that only repeat the sign.
fn wrap(words: &mut Vec<u64>, bits: u32) {
    let width = (bits as usize).div_ceil(64);
    if words.len() >= width {
        words.truncate(width);
        let unused = (64 - bits % 64) % 64;
        if let Some(last) = words.last_mut() {
            *last = ((*last << unused).cast_signed() >> unused).cast_unsigned();
        }
    }
    let sign = |word: u64| (word.cast_signed() >> 63).cast_unsigned();
    while let [.., before, last] = words[..]
        && last == sign(before)
    {
        words.pop();
    }
}

/// The value of an integer literal of up to 128 bits.
pub(super) fn small_integer(text: &str, bits: u32) -> Option<u128> {
    let mask = if bits >= 128 { u128::MAX } else { (1 << bits) - 1 };
    if text.len() <= 38
        && let Ok(value) = text.parse::<i128>()
    {
        return Some(value as u128 & mask);
    }
    let value = match integer(text, bits)?[..] {
        [low] => i128::from(low.cast_signed()).cast_unsigned(),
        [low, high, ..] => u128::from(low) | u128::from(high) << 64,
        [] => 0,
    };
    Some(value & mask)
}

/// The bits of a floating-point literal.
pub(super) fn float(text: &str, kind: FloatKind) -> Option<u128> {
    let hex = |digits: &str| (digits.len() <= 32).then(|| u128::from_str_radix(digits, 16).ok()).flatten();
    if let Some(digits) = text.strip_prefix("f0x") {
        return hex(digits);
    }
    let Some(digits) = text.strip_prefix("0x") else {
        let value: f64 = match text {
            "inf" | "+inf" => f64::INFINITY,
            "-inf" => f64::NEG_INFINITY,
            _ => text.parse().ok()?,
        };
        return from_double(value.to_bits(), kind);
    };
    match (digits.as_bytes().first()?, kind) {
        (b'H', FloatKind::Half) | (b'R', FloatKind::BFloat) => hex(&digits[1..]),
        // The first four digits are sign and exponent, however few follow.
        (b'K', FloatKind::X86Fp80) => {
            let (head, mantissa) = digits[1..].split_at_checked(4)?;
            Some(hex(head)? << 64 | if mantissa.is_empty() { 0 } else { hex(mantissa)? })
        }
        // The two words of a 128-bit float are written least significant word first; one word alone is the other one.
        (b'L', FloatKind::Fp128) | (b'M', FloatKind::PpcFp128) => {
            let digits = &digits[1..];
            let (low, high) = digits.split_at_checked(16).unwrap_or(("0", digits));
            Some(hex(low)? | if high.is_empty() { 0 } else { hex(high)?.checked_shl(64)? })
        }
        (b'H' | b'R' | b'K' | b'L' | b'M', _) => None,
        _ => from_double(u64::try_from(hex(digits)?).ok()?, kind),
    }
}

/// A double's bits in another format; LLVM writes `float` and narrower constants as doubles that fit exactly.
fn from_double(bits: u64, kind: FloatKind) -> Option<u128> {
    match kind {
        FloatKind::Double => Some(u128::from(bits)),
        FloatKind::Float => Some(narrow(bits, 8, 23)),
        FloatKind::Half => Some(narrow(bits, 5, 10)),
        FloatKind::BFloat => Some(narrow(bits, 8, 7)),
        FloatKind::X86Fp80 => Some(widen(bits, 64, true)),
        FloatKind::Fp128 => Some(widen(bits, 112, false)),
        FloatKind::PpcFp128 => Some(u128::from(bits)),
    }
}

/// Rounds a double to a narrower format, on bits so that the payload of a NaN survives.
fn narrow(bits: u64, exponent_bits: u32, mantissa_bits: u32) -> u128 {
    let sign = (bits >> 63) << (exponent_bits + mantissa_bits);
    let (exponent, mantissa) = ((bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
    let max_exponent = (1u64 << exponent_bits) - 1;
    let infinity = max_exponent << mantissa_bits;
    let dropped = 52 - mantissa_bits;
    let magnitude = if exponent == 0x7ff {
        let payload = mantissa >> dropped;
        // A NaN whose payload would become zero must stay a NaN.
        infinity | if mantissa != 0 && payload == 0 { 1 << (mantissa_bits - 1) } else { payload }
    } else {
        let bias = (1i64 << (exponent_bits - 1)) - 1;
        let target = exponent as i64 - 1023 + bias;
        let full = if exponent == 0 { mantissa } else { mantissa | 1 << 52 };
        if target >= max_exponent as i64 {
            infinity
        } else if target > 0 {
            round_shift((target as u64) << 52 | mantissa, dropped).min(infinity)
        } else {
            let shift = i64::from(dropped) + 1 - target;
            if shift > 63 { 0 } else { round_shift(full, shift as u32) }
        }
    };
    u128::from(sign | magnitude)
}

/// `value >> shift`, rounded to nearest, ties to even.
fn round_shift(value: u64, shift: u32) -> u64 {
    if shift == 0 {
        return value;
    }
    let (quotient, rest, half) = (value >> shift, value & ((1 << shift) - 1), 1u64 << (shift - 1));
    quotient + u64::from(rest > half || (rest == half && quotient & 1 == 1))
}

/// A double's bits with 15 bits of exponent and `mantissa_bits` of mantissa, the leading one written out or not.
fn widen(bits: u64, mantissa_bits: u32, explicit_one: bool) -> u128 {
    let sign = u128::from(bits >> 63);
    let (exponent, mantissa) = ((bits >> 52) & 0x7ff, u128::from(bits & ((1 << 52) - 1)));
    let fraction_bits = if explicit_one { mantissa_bits - 1 } else { mantissa_bits };
    let one = if explicit_one { 1u128 << fraction_bits } else { 0 };
    let (exponent, fraction) = match (exponent, mantissa) {
        (0, 0) => (0, 0),
        (0x7ff, mantissa) => (0x7fff, one | mantissa << (fraction_bits - 52)),
        (0, mantissa) => {
            // A subnormal double is a normal number in the wider format.
            let shift = mantissa.leading_zeros() - (127 - 52);
            let normal = (mantissa << shift) & ((1 << 52) - 1);
            (16383 - 1022 - u128::from(shift), one | normal << (fraction_bits - 52))
        }
        (exponent, mantissa) => (u128::from(exponent) + 16383 - 1023, one | mantissa << (fraction_bits - 52)),
    };
    sign << (mantissa_bits + 15) | exponent << mantissa_bits | fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers() {
        assert_eq!(small_integer("-1", 8), Some(255));
        assert_eq!(small_integer("300", 8), Some(44));
        assert_eq!(small_integer("-170141183460469231731687303715884105728", 128), Some(1 << 127));
        assert_eq!(small_integer("340282366920938463463374607431768211455", 128), Some(u128::MAX));
        assert_eq!(small_integer("u0xFF", 16), Some(255));
        assert_eq!(small_integer("s0xFF", 16), Some(0xffff));
        assert_eq!(small_integer("x", 16), None);
        assert_eq!(small_integer("s0x7F", 16), Some(0xffff));
        assert_eq!(small_integer("s0x80", 16), Some(0xff80));
        assert_eq!(small_integer("u0x1FFFF", 16), Some(0xffff));
        assert_eq!(small_integer("u0x80000000000000000000000000000001", 128), Some(1 << 127 | 1));
        assert_eq!(small_integer("99999999999999999999999999999999999999999", 64), Some(4870020673419870207));
        let top = 1 << 63;
        assert_eq!(integer("-1", 130), Some(vec![u64::MAX]));
        assert_eq!(integer("18446744073709551616", 192), Some(vec![0, 1]));
        assert_eq!(integer("9223372036854775808", 192), Some(vec![top, 0]));
        assert_eq!(integer("-9223372036854775808", 192), Some(vec![top]));
        assert_eq!(integer("-9223372036854775809", 192), Some(vec![top - 1, u64::MAX]));
        assert_eq!(integer("0", 8_388_608), Some(vec![0]));
        // 2^191 is the smallest number of 192 bits.
        let edge = "3138550867693340381917894711603833208051177722232017256448";
        assert_eq!(integer(edge, 192), Some(vec![0, 0, top]));
        assert_eq!(integer(edge, 193), Some(vec![0, 0, top, 0]));
        assert_eq!(integer(edge, 191), Some(vec![0]));
        assert_eq!(integer(&format!("u0x{}", "F".repeat(48)), 192), Some(vec![u64::MAX]));
        assert_eq!(integer(&format!("u0x{}", "F".repeat(48)), 160), Some(vec![u64::MAX]));
        assert_eq!(integer("u0x", 192), None);
        assert_eq!(integer("1é", 192), None);
        assert_eq!(integer(&"1".repeat(20_001), 192), None);
    }

    #[test]
    fn narrow_agrees_with_native_conversion() {
        // Every conversion that the processor does itself is the oracle.
        let mut bits = 0x0123_4567_89ab_cdef_u64;
        for _ in 0..200_000 {
            bits = bits.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let exponent = 1023 - 160 + (bits >> 20) % 320;
            let double = bits & !(0x7ff << 52) | exponent << 52;
            let native = (f64::from_bits(double) as f32).to_bits();
            assert_eq!(narrow(double, 8, 23), u128::from(native), "{double:#x}");
        }
        assert_eq!(narrow(f64::INFINITY.to_bits(), 8, 23), u128::from(f32::INFINITY.to_bits()));
        assert_eq!(narrow(0x7ff4_0000_0000_0000, 8, 23), 0x7fa0_0000);
    }

    #[test]
    fn floats_of_each_format() {
        assert_eq!(float("1.000000e+00", FloatKind::Double), Some(0x3ff0_0000_0000_0000));
        assert_eq!(float("0x3FF0000000000000", FloatKind::Float), Some(0x3f80_0000));
        assert_eq!(float("0xH3C00", FloatKind::Half), Some(0x3c00));
        assert_eq!(float("1.0", FloatKind::Half), Some(0x3c00));
        assert_eq!(float("1.0", FloatKind::BFloat), Some(0x3f80));
        assert_eq!(float("1.0", FloatKind::X86Fp80), Some(0x3fff_8000_0000_0000_0000));
        assert_eq!(float("0xK3FFF8000000000000000", FloatKind::X86Fp80), Some(0x3fff_8000_0000_0000_0000));
        assert_eq!(float("1.0", FloatKind::Fp128), Some(0x3fff << 112));
        assert_eq!(float("0xL00000000000000003FFF000000000000", FloatKind::Fp128), Some(0x3fff << 112));
        assert_eq!(float("0xL1", FloatKind::Fp128), Some(1 << 64));
        assert_eq!(float("0xK7FFF8", FloatKind::X86Fp80), Some(0x7fff_0000_0000_0000_0008));
        assert_eq!(float("4.9406564584124654e-324", FloatKind::X86Fp80), Some(0x3bcd_8000_0000_0000_0000));
        assert_eq!(float("0xK3FFF", FloatKind::Double), None);
    }
}
