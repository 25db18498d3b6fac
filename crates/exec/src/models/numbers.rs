//! Numbers out of text: what `strtol`, `strtod`, `atoi` and `scanf` share.
//!
//! A digit that is not known is a decision (is it a digit?) and an expression (which one). Floats need to know their
//! digits, so there each digit is asked for.

use super::text::constant;
use crate::run::Run;
use crate::state::{ChoiceKind, Stop};
use smt::expr::Expr;

/// Where bytes come from: the byte at a distance, `None` at the end.
pub(super) type Peek<'a> = dyn FnMut(&mut Run, u64) -> Result<Option<Expr>, Stop> + 'a;

/// White space as `isspace` knows it.
pub(super) const SPACE: &[(u8, u8)] = &[(9, 13), (b' ', b' ')];

/// An integer that was read.
#[derive(Clone, Debug)]
pub(super) struct Integer {
    /// Whether a minus stood before it.
    pub negative: bool,
    /// Digits by value, 8 bits each.
    digits: Vec<Expr>,
    base: u32,
    /// Where it ends.
    pub end: u64,
}

/// How far white space goes.
pub(super) fn skip_space(run: &mut Run, start: u64, peek: &mut Peek) -> Result<u64, Stop> {
    let mut at = start;
    while let Some(byte) = peek(run, at)? {
        if !run.is_among(byte, SPACE)? {
            break;
        }
        at += 1;
    }
    Ok(at)
}

/// An integer at a place, without white space before it; `None` if there is no digit.
pub(super) fn integer(run: &mut Run, start: u64, base: u32, peek: &mut Peek) -> Result<Option<Integer>, Stop> {
    let mut at = start;
    let sign = match peek(run, at)? {
        Some(byte) => run.one_of(byte, b"+-")?,
        None => None,
    };
    at += u64::from(sign.is_some());
    let mut base = base;
    if base == 0 || base == 16 {
        let zero = match peek(run, at)? {
            Some(byte) => run.one_of(byte, b"0")?.is_some(),
            None => false,
        };
        if zero {
            let marked = match peek(run, at + 1)? {
                Some(byte) => run.one_of(byte, b"xX")?.is_some(),
                None => false,
            };
            if marked
                && let Some(byte) = peek(run, at + 2)?
                && digit(run, byte, 16)?.is_some()
            {
                at += 2;
                base = 16;
            } else if base == 0 {
                base = 8;
            }
        } else if base == 0 {
            base = 10;
        }
    }
    let mut digits = Vec::new();
    while let Some(byte) = peek(run, at)? {
        let Some(value) = digit(run, byte, base)? else { break };
        digits.push(value);
        at += 1;
    }
    Ok((!digits.is_empty()).then_some(Integer { negative: sign == Some(b'-'), digits, base, end: at }))
}

/// The value of a digit, if a byte is one.
fn digit(run: &mut Run, byte: Expr, base: u32) -> Result<Option<Expr>, Stop> {
    if let Some(known) = byte.as_const() {
        return Ok(char::from(known as u8).to_digit(base.clamp(2, 36)).map(|value| constant(value as u8)));
    }
    let decimal = run.in_range(byte, b'0'.into(), u64::from(b'0') + u64::from(base.min(10)) - 1);
    let mut conditions = vec![decimal];
    let mut starts = vec![b'0'];
    if base > 10 {
        for first in *b"aA" {
            conditions.push(run.in_range(byte, first.into(), u64::from(first) + u64::from(base) - 11));
            starts.push(first.wrapping_sub(10));
        }
    }
    let mut any = Expr::bool(false);
    for &condition in &conditions {
        any = run.pool().or(any, condition);
    }
    conditions.push(run.pool().not(any));
    let answer = run.choose(&conditions, ChoiceKind::Value)?;
    Ok(starts.get(answer).map(|&start| run.pool().sub(byte, constant(start))))
}

impl Integer {
    /// The number without its sign: in 64 bits, or `None` where it is larger, which is asked for.
    fn magnitude(&self, run: &mut Run) -> Result<Option<Expr>, Stop> {
        if self.digits.iter().all(|digit| digit.as_const().is_some()) {
            let mut value: u64 = 0;
            for digit in &self.digits {
                let next = value.checked_mul(self.base.into());
                match next.and_then(|next| next.checked_add(digit.as_const().unwrap_or(0))) {
                    Some(next) => value = next,
                    None => return Ok(None),
                }
            }
            return Ok(Some(Expr::constant(value, 64)));
        }
        let bits_of_digit = 32 - (self.base - 1).leading_zeros();
        let width = if self.digits.len() as u32 * bits_of_digit <= 64 { 64 } else { 128 };
        if self.digits.len() as u32 * bits_of_digit > 128 {
            return Err(run.bound("digits of a number"));
        }
        let pool = run.pool();
        let mut value = pool.number(0, width);
        let base = pool.number(self.base.into(), width);
        for &digit in &self.digits {
            let digit = pool.zext(digit, width);
            value = pool.mul(value, base);
            value = pool.add(value, digit);
        }
        if width == 64 {
            return Ok(Some(value));
        }
        let high = pool.extract(value, 64, 64);
        let fits = pool.eq(high, Expr::constant(0, 64));
        let low = pool.extract(value, 0, 64);
        Ok(run.decide(fits)?.then_some(low))
    }

    /// The value as `strtol` gives it, in 64 bits, and whether it was out of range.
    pub fn signed(&self, run: &mut Run) -> Result<(Expr, bool), Stop> {
        let limit = i64::MAX as u64 + u64::from(self.negative);
        let clamped = Expr::constant(limit, 64);
        let Some(magnitude) = self.magnitude(run)? else { return Ok((clamped, true)) };
        let fits = run.pool().ule(magnitude, clamped);
        if !run.decide(fits)? {
            return Ok((clamped, true));
        }
        Ok((if self.negative { run.pool().neg(magnitude) } else { magnitude }, false))
    }

    /// The value as `strtoul` gives it, in 64 bits, and whether it was out of range.
    pub fn unsigned(&self, run: &mut Run) -> Result<(Expr, bool), Stop> {
        let Some(magnitude) = self.magnitude(run)? else { return Ok((Expr::constant(u64::MAX, 64), true)) };
        Ok((if self.negative { run.pool().neg(magnitude) } else { magnitude }, false))
    }
}

/// A float that was read, as text that is known.
#[derive(Clone, Debug)]
pub(super) struct FloatText {
    text: Vec<u8>,
    /// Where it ends.
    pub end: u64,
}

/// A float at a place, without white space before it; every byte of it is asked for.
pub(super) fn float(run: &mut Run, start: u64, peek: &mut Peek) -> Result<Option<FloatText>, Stop> {
    let mut text = Vec::new();
    let mut next = |run: &mut Run, at: u64, candidates: &[u8]| match peek(run, at)? {
        Some(byte) => run.one_of(byte, candidates),
        None => Ok(None),
    };
    let mut at = start;
    if let Some(sign) = next(run, at, b"+-")? {
        text.push(sign);
        at += 1;
    }
    for (word, rest) in [("inf", "inity"), ("nan", "")] {
        let mut length = 0;
        for letter in word.bytes() {
            if next(run, at + length, &[letter, letter.to_ascii_uppercase()])?.is_none() {
                break;
            }
            length += 1;
        }
        if length == 3 {
            text.extend_from_slice(word.as_bytes());
            at += 3;
            let mut more = 0;
            for letter in rest.bytes() {
                if next(run, at + more, &[letter, letter.to_ascii_uppercase()])?.is_none() {
                    break;
                }
                more += 1;
            }
            if more == rest.len() as u64 {
                at += more;
            }
            if word == "nan" && next(run, at, b"(")?.is_some() {
                let letters = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
                let mut close = at + 1;
                while next(run, close, letters)?.is_some() {
                    close += 1;
                }
                if next(run, close, b")")?.is_some() {
                    at = close + 1;
                }
            }
            return Ok(Some(FloatText { text, end: at }));
        }
    }
    let mut digits: &[u8] = b"0123456789";
    let mut exponent_marks: &[u8] = b"eE";
    if next(run, at, b"0")?.is_some() && next(run, at + 1, b"xX")?.is_some() {
        let hex = b"0123456789abcdefABCDEF";
        let dotted = next(run, at + 2, b".")?.is_some();
        if next(run, at + 2 + u64::from(dotted), hex)?.is_some() {
            text.extend_from_slice(b"0x");
            at += 2;
            digits = hex;
            exponent_marks = b"pP";
        }
    }
    let mut any = false;
    while let Some(digit) = next(run, at, digits)? {
        text.push(digit);
        any = true;
        at += 1;
    }
    if next(run, at, b".")?.is_some() {
        let mut more = Vec::new();
        while let Some(digit) = next(run, at + 1 + more.len() as u64, digits)? {
            more.push(digit);
        }
        if any || !more.is_empty() {
            at += 1 + more.len() as u64;
            any = true;
            text.push(b'.');
            text.extend_from_slice(&more);
        }
    }
    if !any {
        return Ok(None);
    }
    if let Some(mark) = next(run, at, exponent_marks)? {
        let mut exponent = vec![mark];
        let mut behind = at + 1;
        if let Some(sign) = next(run, behind, b"+-")? {
            exponent.push(sign);
            behind += 1;
        }
        let first = behind;
        while let Some(digit) = next(run, behind, b"0123456789")? {
            exponent.push(digit);
            behind += 1;
        }
        if behind > first {
            text.extend_from_slice(&exponent);
            at = behind;
        }
    }
    Ok(Some(FloatText { text, end: at }))
}

impl FloatText {
    /// The bits of the nearest `double`, and whether it is out of range.
    pub fn double(&self) -> (u64, bool) {
        let text = String::from_utf8_lossy(&self.text).to_ascii_lowercase();
        if let Some((negative, hex)) = hexadecimal(&text) {
            let (bits, range) = hex_bits(hex, 52, 11);
            return (bits | u64::from(negative) << 63, range);
        }
        let value: f64 = text.parse().unwrap_or(f64::NAN);
        (value.to_bits(), out_of_range(&text, value.is_infinite(), value.abs() < f64::MIN_POSITIVE))
    }

    /// The bits of the nearest `float`, and whether it is out of range.
    pub fn single(&self) -> (u64, bool) {
        let text = String::from_utf8_lossy(&self.text).to_ascii_lowercase();
        if let Some((negative, hex)) = hexadecimal(&text) {
            let (bits, range) = hex_bits(hex, 23, 8);
            return (bits | u64::from(negative) << 31, range);
        }
        let value: f32 = text.parse().unwrap_or(f32::NAN);
        (value.to_bits().into(), out_of_range(&text, value.is_infinite(), value.abs() < f32::MIN_POSITIVE))
    }
}

/// Whether a decimal number became infinite or lost digits near zero.
fn out_of_range(text: &str, infinite: bool, tiny: bool) -> bool {
    let digits = text.split('e').next().unwrap_or("");
    let zero = !digits.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
    (infinite && !text.contains("inf")) || (tiny && !zero)
}

/// The part behind `0x`, and whether it is negative.
fn hexadecimal(text: &str) -> Option<(bool, &str)> {
    let negative = text.starts_with('-');
    let digits = text.trim_start_matches(['+', '-']).strip_prefix("0x")?;
    Some((negative, digits))
}

/// Bits of a hexadecimal float, rounded to nearest, ties to even; and whether it is out of range.
fn hex_bits(text: &str, fraction: u32, exponent_bits: u32) -> (u64, bool) {
    let (digits, exponent) = text.split_once('p').unwrap_or((text, "0"));
    let mut exponent: i64 = match exponent.parse::<i64>() {
        Ok(exponent) => exponent.clamp(-1 << 40, 1 << 40),
        Err(_) if exponent.starts_with('-') => -1 << 40,
        Err(_) => 1 << 40,
    };
    // The highest 60 bits, and whether anything was below them.
    let (mut value, mut sticky, mut behind_point) = (0u64, false, false);
    for digit in digits.chars() {
        let Some(digit) = digit.to_digit(16) else {
            behind_point = true;
            continue;
        };
        if value >> 56 == 0 {
            value = value << 4 | u64::from(digit);
            exponent -= if behind_point { 4 } else { 0 };
        } else {
            sticky |= digit != 0;
            exponent += if behind_point { 0 } else { 4 };
        }
    }
    if value == 0 {
        return (0, false);
    }
    let bias = (1i64 << (exponent_bits - 1)) - 1;
    let highest = 63 - i64::from(value.leading_zeros());
    let scale = highest + exponent;
    // How many bits are below the last one of the result.
    let lost = if scale < 1 - bias {
        highest - i64::from(fraction) + (1 - bias - scale)
    } else {
        highest - i64::from(fraction)
    };
    let (mut kept, inexact) = if lost <= 0 {
        (value << (-lost).min(63), false)
    } else if lost > 63 {
        (0, true)
    } else {
        let (rest, half) = (value & ((1 << lost) - 1), 1u64 << (lost - 1));
        let kept = value >> lost;
        let up = rest > half || rest == half && (sticky || kept & 1 == 1);
        (kept + u64::from(up), rest != 0 || sticky)
    };
    let infinity = ((1u64 << exponent_bits) - 1) << fraction;
    if scale < 1 - bias {
        return (kept, inexact);
    }
    // A carry out of the fraction raises the exponent by itself.
    kept = kept.wrapping_add(((scale + bias - 1).clamp(0, 1 << 20) as u64) << fraction);
    if scale > bias || kept >= infinity { (infinity, true) } else { (kept, false) }
}
