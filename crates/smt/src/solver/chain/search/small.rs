//! The order in which values are small: what a person would choose first.
//!
//! Zero is always the first, so a symbol that nothing is said of is zero.

use super::domain::Domain;
use crate::bits::Bits;
use crate::expr::{FloatFormat, FloatOp, Rounding, mask, signed};
use crate::fold::fold_float;
use crate::pool::Reading;

/// Classes of characters, from the most to the least readable; what is in none of them comes last, in order.
pub const CLASSES: [(u64, u64); 8] = [
    (0, 0),
    (b'a' as u64, b'z' as u64),
    (b'A' as u64, b'Z' as u64),
    (b'0' as u64, b'9' as u64),
    (b' ' as u64, b'~' as u64),
    (b'\n' as u64, b'\n' as u64),
    (b'\t' as u64, b'\t' as u64),
    (1, u64::MAX),
];

/// Numbers that a float is tried with first, in halves.
const HALVES: [i64; 25] = [
    0,
    2,
    -2,
    4,
    -4,
    6,
    -6,
    1,
    -1,
    8,
    -8,
    20,
    -20,
    200,
    -200,
    2_000,
    -2_000,
    20_000,
    -20_000,
    200_000,
    -200_000,
    2_000_000,
    -2_000_000,
    2_000_000_000,
    -2_000_000_000,
];

/// The value of a domain that comes next after `after`, from the smallest on; `budget` bounds the steps it takes.
pub fn next(reading: Reading, domain: &Domain, after: Option<u64>, budget: &mut u64) -> Option<u64> {
    match reading {
        Reading::Unsigned | Reading::Address => from_zero(domain, after),
        Reading::Signed => near_zero(domain, after, budget),
        Reading::Char => character(domain, after),
        Reading::Float(format) => float(format, domain, after),
    }
}

fn from_zero(domain: &Domain, after: Option<u64>) -> Option<u64> {
    match after {
        None => domain.next_from(0),
        Some(after) => domain.next_from(after.checked_add(1)?),
    }
}

/// 0, 1, -1, 2, -2 and so on.
fn near_zero(domain: &Domain, after: Option<u64>, budget: &mut u64) -> Option<u64> {
    let all = mask(domain.width);
    let (least, greatest) = (i128::from(domain.least), i128::from(domain.greatest));
    let follower = |number: i128| if number > 0 { -number } else { 1 - number };
    let mut number = match after {
        None => 0,
        Some(after) => follower(signed(after, domain.width).into()),
    };
    loop {
        if number > greatest && -number < least {
            return None;
        }
        // Where only one sign is left, bits and range say how far the next one is.
        if least > 0 || (number >= 0 && -number < least) {
            let from = if number < 0 { 1 - number } else { number };
            return domain.next_from(from.max(least) as u64).filter(|&value| signed(value, domain.width) >= 0);
        }
        if greatest < 0 && number.abs() < -greatest {
            number = greatest;
        }
        let value = number as u64 & all;
        if domain.contains(value) {
            return Some(value);
        }
        *budget = budget.saturating_sub(1);
        if *budget == 0 {
            return None;
        }
        number = follower(number);
    }
}

/// The class that a character belongs to.
pub fn class_of(value: u64) -> usize {
    CLASSES.iter().position(|(first, last)| (*first..=*last).contains(&value)).unwrap_or(CLASSES.len() - 1)
}

fn character(domain: &Domain, after: Option<u64>) -> Option<u64> {
    let (mut class, mut from) = match after {
        None => (0, 0),
        Some(after) => (class_of(after), after.checked_add(1)?),
    };
    while let Some(&(first, last)) = CLASSES.get(class) {
        let mut value = domain.next_from(from.max(first));
        // Classes overlap; a character counts in the first one that has it.
        while let Some(other) = value.filter(|&value| value <= last && class_of(value) != class) {
            value = domain.next_from(other + 1);
        }
        match value {
            Some(value) if value <= last => return Some(value),
            _ => (class, from) = (class + 1, 0),
        }
    }
    None
}

/// The simple numbers of a format, smallest first, each once.
pub fn simple_floats(format: FloatFormat) -> Vec<u64> {
    let mut simple = Vec::with_capacity(HALVES.len());
    for halves in HALVES {
        let number = halves as f64 / 2.0;
        let bits = match format {
            FloatFormat::Double => number.to_bits(),
            FloatFormat::Single => u64::from((number as f32).to_bits()),
            _ => {
                let convert =
                    FloatOp::Convert { from: FloatFormat::Double, to: format, rounding: Rounding::NearestEven };
                let number = Bits::new(number.to_bits().into(), 64);
                match fold_float(convert, format.width(), &[number]) {
                    Some(bits) if bits.width <= 64 => bits.low(),
                    _ => continue,
                }
            }
        };
        // Numbers that are too large for a format are all infinite.
        if !simple.contains(&bits) {
            simple.push(bits);
        }
    }
    simple
}

/// The simple numbers first, then all by their bits.
fn float(format: FloatFormat, domain: &Domain, after: Option<u64>) -> Option<u64> {
    if domain.width != format.width() {
        return from_zero(domain, after);
    }
    let simple = simple_floats(format);
    let tried = after.map(|after| simple.iter().position(|&value| value == after));
    let (next_simple, mut from) = match (after, tried) {
        // Not among them, so it is from the rest.
        (Some(after), Some(None)) => (simple.len(), after.checked_add(1)?),
        (_, Some(Some(at))) => (at + 1, 0),
        _ => (0, 0),
    };
    if let Some(&value) = simple[next_simple..].iter().find(|&&value| domain.contains(value)) {
        return Some(value);
    }
    loop {
        let value = domain.next_from(from)?;
        if !simple.contains(&value) {
            return Some(value);
        }
        from = value.checked_add(1)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(reading: Reading, domain: &Domain, count: usize) -> Vec<u64> {
        let mut values = Vec::new();
        let mut budget = 1_000_000;
        while values.len() < count
            && let Some(value) = next(reading, domain, values.last().copied(), &mut budget)
        {
            values.push(value);
        }
        values
    }

    #[test]
    fn every_value_comes_once() {
        for reading in [Reading::Signed, Reading::Unsigned, Reading::Char, Reading::Address] {
            let mut values = order(reading, &Domain::all(9), 1000);
            assert_eq!(values[0], 0, "{reading:?}");
            values.sort_unstable();
            assert_eq!(values, (0..512).collect::<Vec<_>>(), "{reading:?}");
        }
        let mut values = order(Reading::Float(FloatFormat::Half), &Domain::all(16), 70_000);
        assert_eq!(values[..3], [0, 0x3c00, 0xbc00]);
        values.sort_unstable();
        assert!(values.into_iter().eq(0..65_536));
    }

    #[test]
    fn small_ones_come_first() {
        let numbers = |domain: &Domain| -> Vec<i64> {
            order(Reading::Signed, domain, 5).into_iter().map(|value| signed(value, 32)).collect()
        };
        assert_eq!(numbers(&Domain::all(32)), [0, 1, -1, 2, -2]);
        assert_eq!(numbers(&Domain::signed_range(7, 1000, 32)), [7, 8, 9, 10, 11]);
        assert_eq!(numbers(&Domain::signed_range(-1000, -7, 32)), [-7, -8, -9, -10, -11]);
        assert_eq!(numbers(&Domain::signed_range(-1, 9, 32)), [0, 1, -1, 2, 3]);
        assert_eq!(numbers(&Domain::bits(1 << 31, 0x1000, 32)), [0x1000, 0x1001, 0x1002, 0x1003, 0x1004]);
        assert_eq!(order(Reading::Char, &Domain::range(b'x' as u64, 255, 8), 4), b"xyz{".map(u64::from));
        assert_eq!(order(Reading::Char, &Domain::range(b':' as u64, 255, 8), 2), b"ab".map(u64::from));
    }
}
