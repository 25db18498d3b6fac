//! What `printf` makes of a format and its arguments.
//!
//! Known values are written as glibc writes them. An integer that is not known is asked for its sign and number of
//! digits; the digits are expressions. A float that is not known is left as an opaque piece.

use super::float_text::Float;
use super::text::{Text, constant};
use super::{Arguments, list};
use crate::run::Run;
use crate::state::{ChoiceKind, Stop};
use crate::value::{Pointer, Shape, Value};
use smt::expr::{Expr, mask, signed};

/// What was made, in order.
#[derive(Default)]
pub(super) struct Formatted {
    /// Pieces.
    pub pieces: Vec<Piece>,
    /// What `%n` is to write: where, how much, in how many bytes.
    pub counts: Vec<(Pointer, u64, u32)>,
}

/// A piece of formatted text.
pub(super) enum Piece {
    /// Bytes.
    Text(Text),
    /// Something whose bytes are not known: the conversion and its value.
    Opaque(String, Expr),
}

/// Where arguments come from.
#[derive(Clone, Copy)]
pub(super) enum From {
    /// The call's own arguments from this one on.
    Here(usize),
    /// The `va_list` that this argument is.
    List(usize),
}

/// Makes text of a format, which is an argument, and further arguments. Asks, but changes nothing.
pub(super) fn format(run: &mut Run, args: &Arguments, at: usize, from: From) -> Result<Formatted, Stop> {
    let ptr = args.pointer(run, at)?;
    let text = run.string(ptr)?;
    let parts = parse(run, &text)?;
    let values = fetch(run, args, from, &kinds(&parts))?;
    let mut made = Formatted::default();
    let mut length = Some(0u64);
    for part in parts {
        match part {
            Part::Literal(text) => made.push(text, &mut length),
            Part::Directive(directive) => directive.write(run, &values, &mut made, &mut length)?,
        }
    }
    Ok(made)
}

/// Makes text of one value as a directive says, which is written without its `%`.
pub(super) fn convert(run: &mut Run, directive: &str, value: Value) -> Result<Formatted, Stop> {
    let mut made = Formatted::default();
    let Some(directive) = parse_directive(directive.as_bytes(), &mut 0) else {
        return Err(run.unsupported(format!("the format %{directive}")));
    };
    directive.write(run, &[value], &mut made, &mut Some(0))?;
    Ok(made)
}

impl Formatted {
    fn push(&mut self, text: Text, length: &mut Option<u64>) {
        *length = length.map(|length| length + text.len() as u64);
        match self.pieces.last_mut() {
            Some(Piece::Text(last)) => last.append(&text),
            _ => self.pieces.push(Piece::Text(text)),
        }
    }

    /// The text if all of it is known as bytes.
    pub fn text(&self) -> Result<Text, &str> {
        let mut all = Text::Known(Vec::new());
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => all.append(text),
                Piece::Opaque(what, _) => return Err(what),
            }
        }
        Ok(all)
    }
}

enum Part {
    Literal(Text),
    Directive(Directive),
}

#[derive(Clone, Debug, Default)]
struct Directive {
    minus: bool,
    plus: bool,
    space: bool,
    alternative: bool,
    zero: bool,
    width: Count,
    precision: Option<Count>,
    /// Bytes of an integer argument; 16 for `L`.
    size: u32,
    conversion: u8,
    /// Number of the argument.
    arg: usize,
    /// As it is written.
    text: String,
}

#[derive(Clone, Copy, Debug)]
enum Count {
    Known(u64),
    Arg(usize),
}

impl Default for Count {
    fn default() -> Self {
        Count::Known(0)
    }
}

/// What an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ArgKind {
    Int(u32),
    Double,
    Extended,
    Pointer,
}

/// Cuts a format into literals and directives.
fn parse(run: &mut Run, format: &Text) -> Result<Vec<Part>, Stop> {
    let mut parts = Vec::new();
    let mut at = 0;
    let mut next_arg = 0;
    let mut literal = Text::Known(Vec::new());
    while let Some(byte) = format.byte(at) {
        at += 1;
        let percent = run.pool().eq(byte, constant(b'%'));
        if !run.decide(percent)? {
            literal.push(byte);
            continue;
        }
        let mut known = Vec::new();
        for index in at..format.len() {
            let Some(byte) = format.byte(index).and_then(Expr::as_const) else {
                return Err(run.unsupported("a format that is not known"));
            };
            known.push(byte as u8);
            if byte as u8 == b'%' || (byte as u8).is_ascii_alphabetic() && !b"hlqLjzt".contains(&(byte as u8)) {
                break;
            }
        }
        at += known.len();
        if known.last() == Some(&b'%') {
            literal.push(constant(b'%'));
            continue;
        }
        let Some(directive) = parse_directive(&known, &mut next_arg) else {
            return Err(run.unsupported(format!("the format %{}", String::from_utf8_lossy(&known))));
        };
        if literal.len() > 0 {
            parts.push(Part::Literal(std::mem::replace(&mut literal, Text::Known(Vec::new()))));
        }
        parts.push(Part::Directive(directive));
    }
    if literal.len() > 0 {
        parts.push(Part::Literal(literal));
    }
    Ok(parts)
}

/// A directive behind its `%`.
fn parse_directive(text: &[u8], next_arg: &mut usize) -> Option<Directive> {
    let mut directive =
        Directive { size: 4, text: format!("%{}", String::from_utf8_lossy(text)), ..Directive::default() };
    let mut at = 0;
    let number = |at: &mut usize| -> Option<u64> {
        let start = *at;
        while text.get(*at).is_some_and(u8::is_ascii_digit) {
            *at += 1;
        }
        std::str::from_utf8(&text[start..*at]).ok()?.parse().ok()
    };
    let position = |at: &mut usize| -> Option<usize> {
        let mut end = *at;
        let found = number(&mut end)?;
        if text.get(end) != Some(&b'$') {
            return None;
        }
        *at = end + 1;
        usize::try_from(found).ok()?.checked_sub(1).filter(|&index| index < 4096)
    };
    let mut take = |given: Option<usize>| {
        given.unwrap_or_else(|| {
            *next_arg += 1;
            *next_arg - 1
        })
    };
    let own = position(&mut at);
    loop {
        match text.get(at)? {
            b'-' => directive.minus = true,
            b'+' => directive.plus = true,
            b' ' => directive.space = true,
            b'#' => directive.alternative = true,
            b'0' => directive.zero = true,
            b'\'' | b'I' => {}
            _ => break,
        }
        at += 1;
    }
    if text.get(at) == Some(&b'*') {
        at += 1;
        directive.width = Count::Arg(take(position(&mut at)));
    } else {
        directive.width = Count::Known(number(&mut at).unwrap_or(0));
    }
    if text.get(at) == Some(&b'.') {
        at += 1;
        directive.precision = Some(if text.get(at) == Some(&b'*') {
            at += 1;
            Count::Arg(take(position(&mut at)))
        } else {
            Count::Known(number(&mut at).unwrap_or(0))
        });
    }
    let (length, conversion) = text[at..].split_at(text.len().checked_sub(at + 1)?);
    directive.size = match length {
        b"" => 4,
        b"hh" => 1,
        b"h" => 2,
        b"l" | b"ll" | b"q" | b"j" | b"z" | b"t" => 8,
        b"L" => 16,
        _ => return None,
    };
    directive.conversion = *conversion.first()?;
    if matches!((directive.conversion, length), (b'c' | b's', b"l")) || matches!(directive.conversion, b'C' | b'S') {
        return None;
    }
    if directive.conversion != b'm' {
        directive.arg = take(own);
    }
    b"diouxXcspneEfFgGaAm".contains(&directive.conversion).then_some(directive)
}

impl Directive {
    fn kind(&self) -> ArgKind {
        match self.conversion {
            b's' | b'p' | b'n' => ArgKind::Pointer,
            b'c' => ArgKind::Int(4),
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => {
                if self.size == 16 {
                    ArgKind::Extended
                } else {
                    ArgKind::Double
                }
            }
            _ => ArgKind::Int(self.size.clamp(4, 8)),
        }
    }

    fn write(
        &self,
        run: &mut Run,
        values: &[Value],
        made: &mut Formatted,
        length: &mut Option<u64>,
    ) -> Result<(), Stop> {
        let mut how = self.clone();
        let mut width = count(run, values, self.width)?;
        if width < 0 {
            how.minus = true;
            width = width.saturating_neg();
        }
        let precision = match self.precision {
            Some(given) => Some(count(run, values, given)?).filter(|&given| given >= 0).map(|given| given as u64),
            None => None,
        };
        let most = run.program().options.max_bytes;
        if width as u64 > most || precision.is_some_and(|precision| precision > most && self.conversion != b's') {
            return Err(run.bound("bytes formatted at once"));
        }
        let width = width as usize;
        let value = values.get(self.arg).cloned().unwrap_or(Value::Undef);
        let text = match self.conversion {
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' => {
                let (prefix, digits) = how.integer(run, &value, precision)?;
                let zero = how.zero && precision.is_none();
                how.pad(&prefix, digits, width, zero)
            }
            b'c' => {
                let value = run.bits(&value, 32)?;
                let mut text = Text::Known(Vec::new());
                text.push(run.pool().extract(value, 0, 8));
                how.pad(b"", text, width, false)
            }
            b's' => {
                let ptr = run.pointer(&value)?;
                let text = if run.is_null(ptr)? {
                    // glibc writes all of it or nothing.
                    Text::Known(if precision.is_none_or(|most| most >= 6) { b"(null)".to_vec() } else { Vec::new() })
                } else {
                    run.string_up_to(ptr, precision.unwrap_or(u64::MAX))?
                };
                how.pad(b"", text, width, false)
            }
            b'p' => {
                let ptr = run.pointer(&value)?;
                let (prefix, text) = if run.is_null(ptr)? {
                    (Vec::new(), Text::Known(b"(nil)".to_vec()))
                } else {
                    let address = run.address(ptr)?;
                    let hex = Directive { size: 8, conversion: b'x', alternative: true, ..how.clone() };
                    hex.integer(run, &Value::Bits(address), precision)?
                };
                how.pad(&prefix, text, width, false)
            }
            b'n' => {
                let ptr = run.pointer(&value)?;
                let Some(length) = *length else { return Err(run.unsupported("%n behind a float that is not known")) };
                run.access(ptr, self.size.into(), true)?;
                made.counts.push((ptr, length, self.size));
                return Ok(());
            }
            b'm' => {
                let number = run.errno()?;
                let text = super::errors::text(run, number)?;
                how.pad(b"", Text::Known(text), width, false)
            }
            _ => {
                let bits = run.bits(&value, if self.size == 16 { 80 } else { 64 })?;
                let Some(known) = run.pool().known(bits) else {
                    made.pieces.push(Piece::Opaque(self.text.clone(), bits));
                    *length = None;
                    return Ok(());
                };
                let float = match self.size {
                    16 => Float::from_extended(known.low_128()),
                    _ => Float::from_double(known.low()),
                };
                how.float(float, precision, width)
            }
        };
        made.push(text, length);
        Ok(())
    }

    fn float(&self, float: Float, precision: Option<u64>, width: usize) -> Text {
        let mut text = float.text(self.conversion, precision.map(|precision| precision as usize), self.alternative);
        let mut prefix = self.sign(float.negative);
        if text.starts_with(b"0x") || text.starts_with(b"0X") {
            prefix.extend(text.drain(..2));
        }
        self.pad(&prefix, Text::Known(text), width, self.zero && float.is_finite())
    }

    /// The sign to be written.
    fn sign(&self, negative: bool) -> Vec<u8> {
        match (negative, self.plus, self.space) {
            (true, ..) => vec![b'-'],
            (_, true, _) => vec![b'+'],
            (_, _, true) => vec![b' '],
            _ => Vec::new(),
        }
    }

    /// Sign or prefix, and digits, of an integer.
    fn integer(&self, run: &mut Run, value: &Value, precision: Option<u64>) -> Result<(Vec<u8>, Text), Stop> {
        let bits = run.bits(value, self.size.clamp(4, 8) * 8)?;
        let width = self.size.min(8) * 8;
        let bits = if run.pool().width(bits) > width { run.pool().extract(bits, 0, width) } else { bits };
        let width = run.pool().width(bits);
        let is_signed = matches!(self.conversion, b'd' | b'i');
        let base = match self.conversion {
            b'o' => 8,
            b'x' | b'X' => 16,
            _ => 10,
        };
        let zero = run.pool().zero(width);
        let negative = if is_signed {
            let below = run.pool().slt(bits, zero);
            run.decide(below)?
        } else {
            false
        };
        let magnitude = if negative { run.pool().neg(bits) } else { bits };
        let mut digits = match magnitude.as_const() {
            Some(known) => Text::Known(known_digits(known, base)),
            None => unknown_digits(run, magnitude, base)?,
        };
        let is_zero = digits.known() == Some(b"0");
        if self.conversion == b'X'
            && let Text::Known(bytes) = &mut digits
        {
            bytes.make_ascii_uppercase();
        } else if self.conversion == b'X' {
            let upper: Vec<Expr> = digits.exprs().into_iter().map(|digit| upper_digit(run, digit)).collect();
            digits = Text::Mixed(upper);
        }
        if precision == Some(0) && is_zero {
            digits = Text::Known(Vec::new());
        }
        let least = precision.unwrap_or(1) as usize;
        let mut text = Text::Known(vec![b'0'; least.saturating_sub(digits.len())]);
        if self.alternative && base == 8 && text.len() == 0 && (!is_zero || digits.len() == 0) {
            text.extend(b"0");
        }
        text.append(&digits);
        let mut prefix = if is_signed { self.sign(negative) } else { Vec::new() };
        if self.alternative && base == 16 && !is_zero {
            prefix.extend_from_slice(if self.conversion == b'X' { b"0X" } else { b"0x" });
        }
        Ok((prefix, text))
    }

    /// Fills up to the width.
    fn pad(&self, prefix: &[u8], text: Text, width: usize, zeros: bool) -> Text {
        let missing = width.saturating_sub(prefix.len() + text.len());
        let mut padded = Text::Known(Vec::new());
        match (self.minus, zeros) {
            (true, _) => {
                padded.extend(prefix);
                padded.append(&text);
                padded.extend(&vec![b' '; missing]);
            }
            (false, true) => {
                padded.extend(prefix);
                padded.extend(&vec![b'0'; missing]);
                padded.append(&text);
            }
            (false, false) => {
                padded.extend(&vec![b' '; missing]);
                padded.extend(prefix);
                padded.append(&text);
            }
        }
        padded
    }
}

fn known_digits(value: u64, base: u64) -> Vec<u8> {
    match base {
        8 => format!("{value:o}"),
        16 => format!("{value:x}"),
        _ => value.to_string(),
    }
    .into_bytes()
}

/// The digits of a number that is not known: how many is asked, which ones are expressions.
fn unknown_digits(run: &mut Run, value: Expr, base: u64) -> Result<Text, Stop> {
    let width = run.pool().width(value);
    let most = mask(width);
    let mut conditions = Vec::new();
    let mut low = 0u64;
    loop {
        // Numbers of so many digits: up to the next power less one. Zero has a question of its own.
        let high = if low == 0 { Some(0) } else { low.checked_mul(base).map(|next| next - 1) };
        let high = high.filter(|&high| high < most).unwrap_or(most);
        conditions.push(run.in_range(value, low, high));
        if high == most {
            break;
        }
        low = high + 1;
    }
    let count = run.choose(&conditions, ChoiceKind::Value)?;
    if count == 0 {
        return Ok(Text::Known(b"0".to_vec()));
    }
    let mut digits = Vec::with_capacity(count);
    let mut weight = 1u64;
    for _ in 0..count {
        let pool = run.pool();
        let shifted = pool.udiv(value, Expr::constant(weight, width));
        let digit = pool.urem(shifted, Expr::constant(base & most, width));
        let digit = pool.extract(digit, 0, 8);
        let character = pool.add(digit, constant(b'0'));
        let character = if base > 10 {
            let small = pool.ult(digit, constant(10));
            let letter = pool.add(digit, constant(b'a' - 10));
            pool.ite(small, character, letter)
        } else {
            character
        };
        digits.push(character);
        weight = weight.wrapping_mul(base);
    }
    digits.reverse();
    Ok(Text::Mixed(digits))
}

fn upper_digit(run: &mut Run, digit: Expr) -> Expr {
    let letter = run.in_range(digit, b'a'.into(), b'f'.into());
    let pool = run.pool();
    let upper = pool.sub(digit, constant(32));
    pool.ite(letter, upper, digit)
}

/// A width or precision.
fn count(run: &mut Run, values: &[Value], count: Count) -> Result<i64, Stop> {
    match count {
        Count::Known(count) => Ok(count.min(1 << 40) as i64),
        Count::Arg(index) => {
            let value = values.get(index).cloned().unwrap_or(Value::Undef);
            let bits = run.bits(&value, 32)?;
            let number = run.number(bits, 64, "a width that is not known")?;
            Ok(signed(number, 32))
        }
    }
}

/// What each argument is, by number.
fn kinds(parts: &[Part]) -> Vec<ArgKind> {
    let mut kinds: Vec<ArgKind> = Vec::new();
    let mut set = |index: usize, kind: ArgKind| {
        if kinds.len() <= index {
            kinds.resize(index + 1, ArgKind::Int(4));
        }
        kinds[index] = kind;
    };
    for part in parts {
        let Part::Directive(directive) = part else { continue };
        if let Count::Arg(index) = directive.width {
            set(index, ArgKind::Int(4));
        }
        if let Some(Count::Arg(index)) = directive.precision {
            set(index, ArgKind::Int(4));
        }
        if directive.conversion != b'm' {
            set(directive.arg, directive.kind());
        }
    }
    kinds
}

/// Reads the arguments.
fn fetch(run: &mut Run, args: &Arguments, from: From, kinds: &[ArgKind]) -> Result<Vec<Value>, Stop> {
    match from {
        From::Here(first) => Ok((0..kinds.len()).map(|index| args.value(first + index)).collect()),
        From::List(index) => {
            let list = args.pointer(run, index)?;
            let mut list = list::Walk::new(run, list)?;
            let shape = |kind: &ArgKind| match kind {
                ArgKind::Int(8) => Shape::Int { bits: 64, bytes: 8 },
                ArgKind::Int(_) => Shape::Int { bits: 32, bytes: 4 },
                ArgKind::Double => Shape::Float { format: None, bits: 64, bytes: 8 },
                ArgKind::Extended => Shape::Float { format: None, bits: 80, bytes: 10 },
                ArgKind::Pointer => Shape::Ptr,
            };
            kinds.iter().map(|kind| list.next(run, &shape(kind))).collect()
        }
    }
}
