//! Values and tokens of a line.

use exec::case::{Datum, Target};
use smt::bits::Bits;

use super::Reading;
use super::text::is_plain;

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where, in bytes from the beginning.
    pub at: usize,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

/// What was read, or what is wrong.
pub type Parsed<T> = Result<T, Problem>;

/// Deepest nesting of values.
const MAX_DEPTH: usize = 64;
/// Widest value in bits.
const MAX_WIDTH: u32 = 1 << 23;

/// A line, and how far it is read.
pub struct Parser<'a> {
    /// The line.
    pub line: &'a [u8],
    /// The next byte.
    pub at: usize,
}

impl<'a> Parser<'a> {
    /// A value, read as `known` says unless it says itself.
    pub fn value(&mut self, known: Reading, depth: usize) -> Parsed<Datum> {
        let start = self.at;
        if depth > MAX_DEPTH {
            return self.fail("values are nested too deeply", "at most 64 deep");
        }
        if let Some(target) = self.pointer()? {
            return Ok(Datum::Pointer(target));
        }
        if self.eat(b"{") {
            return Ok(Datum::Many(self.list(b"}", depth + 1)?));
        }
        if self.peek() == Some(b'_') {
            self.at += 1;
            return Ok(Datum::Any);
        }
        // The suffix, if there is one, says how to read what stands before it.
        let length = self.number_length();
        let mut reading = known;
        let after = Parser { line: self.line, at: start + length };
        let mut behind = after;
        let suffix = behind.eat(b":");
        if suffix {
            reading = behind.reading()?;
        }
        if reading == Reading::None {
            let help = "values are 3, 'a', 1.5, 0xff, null, &0, new, {…}, _; with :i32 where the header has no type";
            return self.fail_at(start, if length == 0 { "a value is missing" } else { "the value has no type" }, help);
        }
        let bits = self.number(reading)?;
        if suffix {
            if self.at != start + length {
                return self.fail("this is no part of a number", "write 3:i32");
            }
            self.at = behind.at;
        }
        Ok(Datum::Bits(bits))
    }

    /// Values up to the end, separated by commas.
    pub fn list(&mut self, end: &[u8], depth: usize) -> Parsed<Vec<Datum>> {
        let mut list = Vec::new();
        loop {
            self.spaces();
            if self.eat(end) {
                return Ok(list);
            }
            if !list.is_empty() {
                self.expect(b",", "values are separated by commas")?;
                self.spaces();
            }
            list.push(self.value(Reading::None, depth)?);
        }
    }

    /// A pointer, if there is one.
    pub fn pointer(&mut self) -> Parsed<Option<Target>> {
        let start = self.at;
        if self.eat(b"&@") {
            let name = self.name()?;
            let offset = self.offset()?;
            return Ok(Some(Target::Symbol { name, offset }));
        }
        if self.eat(b"&") {
            let index = self.unsigned()?;
            let index =
                usize::try_from(index).or_else(|_| self.fail_at(start, "there is no such object", "write &0"))?;
            return Ok(Some(Target::Object { index, offset: self.offset()? }));
        }
        if self.eat(b"at ") {
            let at = self.at;
            let bits = self.number(Reading::Raw(64))?;
            if self.at == at {
                return self.fail("an address comes next", "write at 0x1000");
            }
            return Ok(Some(Target::Address(bits.low())));
        }
        Ok(match self.word() {
            b"null" => Some(Target::Null),
            b"new" => Some(Target::Own),
            _ => {
                self.at = start;
                None
            }
        })
    }

    fn offset(&mut self) -> Parsed<i64> {
        if !matches!(self.peek(), Some(b'+' | b'-')) || self.rest().starts_with(b"->") {
            return Ok(0);
        }
        let start = self.at;
        let offset = self.signed()?;
        i64::try_from(offset).or_else(|_| self.fail_at(start, "the distance is too large", "it has 64 bits"))
    }

    /// How many bytes from here on look like one number.
    fn number_length(&self) -> usize {
        match self.peek() {
            Some(b'\'') => {
                let escaped = self.rest().get(1) == Some(&b'\\');
                self.rest().len().min(if escaped { 4 } else { 3 })
            }
            _ => self
                .rest()
                .iter()
                .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.'))
                .count(),
        }
    }

    /// A number.
    pub fn number(&mut self, reading: Reading) -> Parsed<Bits> {
        let start = self.at;
        let width = reading.width();
        let text = &self.rest()[..self.number_length()];
        // Behind an address a dot may come, which is no part of it.
        let text = match text.strip_prefix(b"0x") {
            Some(digits) => &text[..2 + digits.iter().take_while(|digit| digit.is_ascii_hexdigit()).count()],
            None => text,
        };
        // `->` behind a value begins with a sign, too.
        let text = text.strip_suffix(b"-").unwrap_or(text);
        self.at += text.len();
        let word = std::str::from_utf8(text).unwrap_or_default();
        let help = format!("write a value of {width} bits");
        if text.is_empty() {
            return self.fail_at(start, "a number is missing", &help);
        }
        if let Some(digits) = word.strip_prefix("0x") {
            return match from_hex(digits, width) {
                Some(bits) => Ok(bits),
                None => self.fail_at(start, "this is no hexadecimal number that fits", &help),
            };
        }
        let value = match reading {
            Reading::Char(_) if text.starts_with(b"'") => match text {
                [b'\'', b'\\', c, b'\''] | [b'\'', c, b'\''] => Some(u128::from(*c)),
                _ => None,
            },
            Reading::Bool(_) if word == "true" => Some(1),
            Reading::Bool(_) if word == "false" => Some(0),
            Reading::Float(32) => word.parse::<f32>().ok().map(|value| u128::from(value.to_bits())),
            Reading::Float(64) => word.parse::<f64>().ok().map(|value| u128::from(value.to_bits())),
            Reading::Float(_) | Reading::Raw(_) | Reading::None => None,
            Reading::Signed(_) | Reading::Char(_) if word.starts_with('-') => negative(word, width),
            _ => word.parse::<u128>().ok(),
        };
        let fits = |value: &u128| {
            let signed = matches!(reading, Reading::Signed(_) | Reading::Char(_)) && !word.starts_with(['-', '\'']);
            let limit = width.saturating_sub(u32::from(signed && width > 1));
            limit >= 128 || *value >> limit == 0 || word.starts_with('-')
        };
        match value.filter(fits) {
            Some(value) => Ok(Bits::new(value, width)),
            None => self.fail_at(start, &format!("`{word}` is no value of this type"), &help),
        }
    }

    /// How to read a value.
    pub fn reading(&mut self) -> Parsed<Reading> {
        let start = self.at;
        let word = self.take_while(|byte| byte.is_ascii_alphanumeric());
        let word = std::str::from_utf8(word).unwrap_or_default();
        if word == "ptr" {
            return Ok(Reading::None);
        }
        let width =
            word.get(1..).and_then(|digits| digits.parse().ok()).filter(|width| (1..=MAX_WIDTH).contains(width));
        match (word.as_bytes().first(), width) {
            (Some(b'i'), Some(width)) => Ok(Reading::Signed(width)),
            (Some(b'u'), Some(width)) => Ok(Reading::Unsigned(width)),
            (Some(b'c'), Some(width)) => Ok(Reading::Char(width)),
            (Some(b'b'), Some(width)) => Ok(Reading::Bool(width)),
            (Some(b'f'), Some(width)) => Ok(Reading::Float(width)),
            (Some(b'x'), Some(width)) => Ok(Reading::Raw(width)),
            _ => self.fail_at(start, &format!("`{word}` is no type"), "types are i32, u8, c8, b1, f64, x80, ptr"),
        }
    }

    /// What is not read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.line.get(self.at..).unwrap_or_default()
    }

    /// The next byte.
    pub fn peek(&self) -> Option<u8> {
        self.rest().first().copied()
    }

    /// Reads a token if it is there.
    pub fn eat(&mut self, token: &[u8]) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    /// Reads a token that has to be there.
    pub fn expect(&mut self, token: &[u8], help: &str) -> Parsed<()> {
        if self.eat(token) {
            return Ok(());
        }
        self.fail(&format!("`{}` is missing", String::from_utf8_lossy(token)), help)
    }

    /// Nothing more may come.
    pub fn end(&self) -> Parsed<()> {
        if self.rest().is_empty() {
            Ok(())
        } else {
            self.fail("nothing may follow here", "remove the rest of the line")
        }
    }

    /// Skips spaces.
    pub fn spaces(&mut self) {
        self.take_while(|byte| byte == b' ');
    }

    /// Reads bytes as long as they are accepted.
    pub fn take_while(&mut self, accept: impl Fn(u8) -> bool) -> &'a [u8] {
        let length = self.rest().iter().take_while(|byte| accept(**byte)).count();
        let taken = &self.rest()[..length];
        self.at += length;
        taken
    }

    /// Reads letters.
    pub fn word(&mut self) -> &'a [u8] {
        self.take_while(|byte| byte.is_ascii_alphabetic())
    }

    /// Reads a name, in quotes or not.
    pub fn name(&mut self) -> Parsed<String> {
        if self.peek() == Some(b'"') {
            return self.quoted_text();
        }
        let name = self.take_while(is_plain);
        match std::str::from_utf8(name) {
            Ok(name) if !name.is_empty() => Ok(name.to_owned()),
            _ => self.fail("a name is missing", "write a name, in quotes if it has other than letters and digits"),
        }
    }

    /// Reads a number without a sign.
    pub fn unsigned(&mut self) -> Parsed<u128> {
        let start = self.at;
        let digits = self.take_while(|byte| byte.is_ascii_digit());
        let number = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
        number.map_or_else(|| self.fail_at(start, "a number is missing, or too large", "write a number"), Ok)
    }

    /// Reads a number.
    pub fn signed(&mut self) -> Parsed<i128> {
        let start = self.at;
        let negative = self.eat(b"-");
        if !negative {
            self.eat(b"+");
        }
        let number = i128::try_from(self.unsigned()?)
            .or_else(|_| self.fail_at(start, "the number is too large", "write a smaller number"))?;
        Ok(if negative { -number } else { number })
    }

    /// Reads text in quotes.
    pub fn quoted_text(&mut self) -> Parsed<String> {
        let start = self.at;
        let bytes = self.quoted()?;
        String::from_utf8(bytes).or_else(|_| self.fail_at(start, "this text is no UTF-8", "write a name in UTF-8"))
    }

    /// Reads bytes in quotes.
    pub fn quoted(&mut self) -> Parsed<Vec<u8>> {
        let start = self.at;
        self.expect(b"\"", "text stands in quotes")?;
        let mut bytes = Vec::new();
        loop {
            let plain = self.take_while(|byte| byte != b'"' && byte != b'\\');
            bytes.extend(plain);
            let escape = self.at;
            if self.eat(b"\"") {
                return Ok(bytes);
            }
            self.at += 1;
            match self.peek() {
                Some(b'n') => bytes.push(b'\n'),
                Some(b't') => bytes.push(b'\t'),
                Some(b'r') => bytes.push(b'\r'),
                Some(b'0') => bytes.push(0),
                Some(c @ (b'"' | b'\\')) => bytes.push(c),
                Some(b'x') => {
                    let digits = self.rest().get(1..3).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
                    let Some([high, low]) = digits else {
                        return self.fail_at(escape, "this escape is cut off", "write \\x and two digits");
                    };
                    bytes.push(hex_value(*high) << 4 | hex_value(*low));
                    self.at += 2;
                }
                Some(_) => {
                    return self.fail_at(
                        escape,
                        "there is no such escape",
                        "escapes are \\n \\t \\r \\0 \\\" \\\\ \\x1f",
                    );
                }
                None => {
                    self.at = self.line.len();
                    return self.fail_at(start, "the text does not end", "write a quote at its end");
                }
            }
            self.at += 1;
        }
    }

    /// Something is wrong here.
    pub fn fail<T>(&self, message: &str, help: &str) -> Parsed<T> {
        self.fail_at(self.at, message, help)
    }

    /// Something is wrong there.
    pub fn fail_at<T>(&self, at: usize, message: &str, help: &str) -> Parsed<T> {
        Err(Problem { at: at.min(self.line.len()), message: message.to_owned(), help: help.to_owned() })
    }
}

/// The value of a hexadecimal digit.
pub fn hex_value(digit: u8) -> u8 {
    char::from(digit).to_digit(16).unwrap_or(0) as u8
}

/// Two's complement of a number with a sign, if it fits.
fn negative(word: &str, width: u32) -> Option<u128> {
    let magnitude: u128 = word.strip_prefix('-')?.parse().ok()?;
    let limit = 1u128.checked_shl(width.checked_sub(1)?.min(127))?;
    (magnitude <= limit).then(|| magnitude.wrapping_neg())
}

fn from_hex(digits: &str, width: u32) -> Option<Bits> {
    let digits = digits.trim_start_matches('0');
    if digits.len() > (width as usize).div_ceil(4) || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let mut words = Vec::new();
    let bytes = digits.as_bytes();
    for chunk in bytes.rchunks(16) {
        words.push(chunk.iter().fold(0u64, |word, digit| word << 4 | u64::from(hex_value(*digit))));
    }
    let bits = Bits::from_words(&words, width);
    // Nothing may be cut off.
    let whole = words.iter().enumerate().all(|(index, word)| bits.words.get(index).copied().unwrap_or(0) == *word);
    whole.then_some(bits)
}
