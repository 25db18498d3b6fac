//! Floats as text: `%e`, `%f`, `%g` and `%a`, exact to the last digit as glibc writes them.
//!
//! A finite binary float is a whole number times a power of two, so its decimal expansion ends. It is written out in full
//! and then rounded, half to even.

/// A known float.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Float {
    /// Whether the sign bit is set.
    pub negative: bool,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// `mantissa * 2^exponent`; `bits` of the mantissa are behind its first digit.
    Finite {
        mantissa: u64,
        exponent: i32,
        /// Bits behind the first hexadecimal digit.
        bits: u32,
    },
    Infinite,
    Nan,
}

impl Float {
    /// Of the bits of a `double`.
    pub fn from_double(bits: u64) -> Float {
        let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
        let kind = match (exponent, fraction) {
            (0x7ff, 0) => Kind::Infinite,
            (0x7ff, _) => Kind::Nan,
            (0, _) => Kind::Finite { mantissa: fraction, exponent: -1074, bits: 52 },
            _ => Kind::Finite { mantissa: fraction | 1 << 52, exponent: exponent - 1075, bits: 52 },
        };
        Float { negative: bits >> 63 == 1, kind }
    }

    /// Of the 80 bits of an x87 `long double`.
    pub fn from_extended(bits: u128) -> Float {
        let (exponent, mantissa) = ((bits >> 64 & 0x7fff) as i32, bits as u64);
        let kind = match (exponent, mantissa << 1) {
            (0x7fff, 0) => Kind::Infinite,
            (0x7fff, _) => Kind::Nan,
            (exponent, _) => Kind::Finite { mantissa, exponent: exponent.max(1) - 16446, bits: 60 },
        };
        Float { negative: bits >> 79 & 1 == 1, kind }
    }

    /// Whether it is neither infinite nor no number.
    pub fn is_finite(self) -> bool {
        matches!(self.kind, Kind::Finite { .. })
    }

    /// The text of a conversion (`e`, `f`, `g`, `a` or their capitals) without sign and padding.
    pub fn text(self, conversion: u8, precision: Option<usize>, alternative: bool) -> Vec<u8> {
        let upper = conversion.is_ascii_uppercase();
        let text = match self.kind {
            Kind::Infinite => b"inf".to_vec(),
            Kind::Nan => b"nan".to_vec(),
            Kind::Finite { mantissa, exponent, bits } => match conversion.to_ascii_lowercase() {
                b'a' => hexadecimal(mantissa, exponent, bits, precision, alternative),
                b'e' => scientific(&Decimal::new(mantissa, exponent), precision.unwrap_or(6), alternative),
                b'f' => fixed(&Decimal::new(mantissa, exponent), precision.unwrap_or(6), alternative),
                _ => general(&Decimal::new(mantissa, exponent), precision.unwrap_or(6), alternative),
            },
        };
        if upper { text.to_ascii_uppercase() } else { text }
    }
}

/// A decimal number: `0.d1d2d3... * 10^point`, without zeros at its beginning.
struct Decimal {
    digits: Vec<u8>,
    point: i32,
}

impl Decimal {
    /// The exact expansion of `mantissa * 2^exponent`.
    fn new(mantissa: u64, exponent: i32) -> Decimal {
        if mantissa == 0 {
            return Decimal { digits: Vec::new(), point: 1 };
        }
        // Halves are fives with the point moved; trailing zeros of the mantissa spare work.
        let spare = (mantissa.trailing_zeros() as i32).min((-exponent).max(0));
        let (mantissa, exponent) = (mantissa >> spare, exponent + spare);
        const LIMB: u64 = 1_000_000_000;
        let mut limbs: Vec<u32> = Vec::new();
        let mut rest = mantissa;
        while rest > 0 {
            limbs.push((rest % LIMB) as u32);
            rest /= LIMB;
        }
        let mut multiply = |factor: u64| {
            let mut carry = 0u64;
            for limb in &mut limbs {
                let product = u64::from(*limb) * factor + carry;
                *limb = (product % LIMB) as u32;
                carry = product / LIMB;
            }
            while carry > 0 {
                limbs.push((carry % LIMB) as u32);
                carry /= LIMB;
            }
        };
        let (base, most) = if exponent >= 0 { (2u64, 29) } else { (5, 13) };
        let mut left = exponent.unsigned_abs();
        while left > 0 {
            let now = left.min(most);
            multiply(base.pow(now));
            left -= now;
        }
        let mut digits = Vec::with_capacity(limbs.len() * 9);
        for limb in limbs.iter().rev() {
            let mut group = [0u8; 9];
            let mut rest = *limb;
            for digit in group.iter_mut().rev() {
                *digit = (rest % 10) as u8;
                rest /= 10;
            }
            digits.extend_from_slice(&group);
        }
        let zeros = digits.iter().take_while(|&&digit| digit == 0).count();
        digits.drain(..zeros);
        let point = digits.len() as i32 + exponent.min(0);
        Decimal { digits, point }
    }

    /// Rounded to its first `count` digits, half to even; a carry moves the point.
    fn rounded(&self, count: i64) -> Decimal {
        let Ok(keep) = usize::try_from(count) else { return Decimal { digits: Vec::new(), point: self.point } };
        if keep >= self.digits.len() {
            return Decimal { digits: self.digits.clone(), point: self.point };
        }
        let mut digits = self.digits[..keep].to_vec();
        let rest = &self.digits[keep..];
        let odd = digits.last().is_some_and(|digit| digit % 2 == 1);
        let more = rest[1..].iter().any(|&digit| digit != 0);
        if rest[0] < 5 || rest[0] == 5 && !more && !odd {
            return Decimal { digits, point: self.point };
        }
        for digit in digits.iter_mut().rev() {
            if *digit < 9 {
                *digit += 1;
                return Decimal { digits, point: self.point };
            }
            *digit = 0;
        }
        digits.insert(0, 1);
        Decimal { digits, point: self.point + 1 }
    }

    /// The digit of weight `10^weight`, as a character.
    fn digit(&self, weight: i32) -> u8 {
        let index = i64::from(self.point) - 1 - i64::from(weight);
        usize::try_from(index).ok().and_then(|index| self.digits.get(index)).map_or(b'0', |digit| b'0' + digit)
    }
}

fn fixed(value: &Decimal, precision: usize, alternative: bool) -> Vec<u8> {
    let value = value.rounded(i64::from(value.point) + precision as i64);
    let mut text = Vec::new();
    for weight in (0..value.point.max(1)).rev() {
        text.push(value.digit(weight));
    }
    if precision > 0 || alternative {
        text.push(b'.');
    }
    for place in 1..=precision {
        text.push(value.digit(-(place.min(1 << 30) as i32)));
    }
    text
}

fn scientific(value: &Decimal, precision: usize, alternative: bool) -> Vec<u8> {
    let value = value.rounded(precision as i64 + 1);
    let exponent = if value.digits.is_empty() { 0 } else { value.point - 1 };
    let mut text = vec![value.digit(exponent)];
    if precision > 0 || alternative {
        text.push(b'.');
    }
    for place in 1..=precision {
        text.push(value.digit(exponent - place.min(1 << 30) as i32));
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    text.extend_from_slice(format!("e{sign}{:02}", exponent.abs()).as_bytes());
    text
}

fn general(value: &Decimal, precision: usize, alternative: bool) -> Vec<u8> {
    let precision = precision.max(1);
    let rounded = value.rounded(precision as i64);
    let exponent = if rounded.digits.is_empty() { 0 } else { i64::from(rounded.point) - 1 };
    let plain = exponent >= -4 && exponent < precision as i64;
    let text = if plain {
        fixed(value, (precision as i64 - 1 - exponent).max(0) as usize, alternative)
    } else {
        scientific(value, precision - 1, alternative)
    };
    if alternative {
        return text;
    }
    let end = text.iter().position(|&byte| byte == b'e').unwrap_or(text.len());
    let (number, exponent) = text.split_at(end);
    let mut number = number.to_vec();
    if number.contains(&b'.') {
        while number.last() == Some(&b'0') {
            number.pop();
        }
        if number.last() == Some(&b'.') {
            number.pop();
        }
    }
    number.extend_from_slice(exponent);
    number
}

fn hexadecimal(mantissa: u64, exponent: i32, bits: u32, precision: Option<usize>, alternative: bool) -> Vec<u8> {
    let digits = bits as usize / 4;
    let mut mantissa = u128::from(mantissa);
    let binary = if mantissa == 0 { 0 } else { exponent + bits as i32 };
    if let Some(precision) = precision
        && precision < digits
    {
        let lost = (digits - precision) as u32 * 4;
        let (rest, half) = (mantissa & ((1 << lost) - 1), 1u128 << (lost - 1));
        let odd = mantissa >> lost & 1 == 1;
        mantissa >>= lost;
        if rest > half || rest == half && odd {
            mantissa += 1;
        }
        mantissa <<= lost;
    }
    let first = (mantissa >> bits) as u64;
    let mut fraction = format!("{:0digits$x}", mantissa & ((1 << bits) - 1)).into_bytes();
    match precision {
        Some(precision) => fraction.resize(precision, b'0'),
        None => {
            while fraction.last() == Some(&b'0') {
                fraction.pop();
            }
        }
    }
    let mut text = format!("0x{first:x}").into_bytes();
    if !fraction.is_empty() || alternative {
        text.push(b'.');
        text.extend_from_slice(&fraction);
    }
    text.extend_from_slice(format!("p{binary:+}").as_bytes());
    text
}
