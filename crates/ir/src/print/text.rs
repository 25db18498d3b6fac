//! Small pieces of text: names with or without quotes, numbers, escapes.

use crate::parse::lexer::is_name_byte;

/// Appends `value` in decimal.
pub fn push_decimal(out: &mut String, value: u128) {
    let mut digits = [0u8; 39];
    let mut start = digits.len();
    // Almost every number is small, and dividing 64 bits is much faster than dividing 128.
    let mut high = value;
    while high > u128::from(u64::MAX) {
        start -= 1;
        digits[start] = b'0' + (high % 10) as u8;
        high /= 10;
    }
    let mut low = high as u64;
    loop {
        start -= 1;
        digits[start] = b'0' + (low % 10) as u8;
        low /= 10;
        if low == 0 {
            break;
        }
    }
    out.extend(digits[start..].iter().map(|&digit| digit as char));
}

/// Appends `value` in decimal, with its sign.
pub fn push_signed(out: &mut String, value: i128) {
    if value < 0 {
        out.push('-');
    }
    push_decimal(out, value.unsigned_abs());
}

/// Appends a signed number of any size in decimal, given in words from the least significant.
pub fn push_wide(out: &mut String, words: &[u64]) {
    const STEP: u64 = 10_u64.pow(19);
    let mut words = words.to_vec();
    if words.last().is_some_and(|last| last.cast_signed() < 0) {
        out.push('-');
        let mut carry = true;
        for word in &mut words {
            (*word, carry) = (!*word).overflowing_add(u64::from(carry));
        }
    }
    let mut parts = Vec::new();
    loop {
        let used = words.iter().rposition(|word| *word != 0).map_or(1, |last| last + 1);
        words.truncate(used);
        if used == 1 {
            break;
        }
        let mut rest = 0;
        for word in words.iter_mut().rev() {
            let value = u128::from(rest) << 64 | u128::from(*word);
            (*word, rest) = ((value / u128::from(STEP)) as u64, (value % u128::from(STEP)) as u64);
        }
        parts.push(rest);
    }
    push_decimal(out, u128::from(words.first().copied().unwrap_or(0)));
    parts.iter().rev().for_each(|part| out.push_str(&format!("{part:019}")));
}

/// Appends the low `digits` hexadecimal digits of `value`, in capitals.
pub fn push_hex(out: &mut String, value: u128, digits: u32) {
    for digit in (0..digits).rev() {
        let nibble = (value >> (4 * digit)) as usize & 15;
        out.push(b"0123456789ABCDEF"[nibble] as char);
    }
}

/// Appends a name as the model keeps it (escapes not resolved), quoted if it has to be.
pub fn push_name(out: &mut String, name: &str) {
    if is_bare(name) {
        out.push_str(name);
    } else {
        push_quoted(out, name);
    }
}

/// Appends text as the model keeps it (escapes not resolved) between quotes.
pub fn push_quoted(out: &mut String, text: &str) {
    out.push('"');
    out.push_str(text);
    out.push('"');
}

/// Appends the bytes of a string, escaped.
pub fn push_escaped(out: &mut String, bytes: &[u8]) {
    for &byte in bytes {
        if matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\' {
            out.push(byte as char);
        } else {
            out.push('\\');
            push_hex(out, u128::from(byte), 2);
        }
    }
}

/// Whether a name needs no quotes. One that begins with a digit could be taken for a number.
fn is_bare(name: &str) -> bool {
    let starts_well = name.bytes().next().is_some_and(|b| !b.is_ascii_digit() && b != b'-');
    starts_well && name.bytes().all(is_name_byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(push: impl FnOnce(&mut String)) -> String {
        let mut out = String::new();
        push(&mut out);
        out
    }

    #[test]
    fn numbers() {
        for value in [0, 7, 10, u128::from(u64::MAX), u128::from(u64::MAX) + 1, u128::MAX] {
            assert_eq!(text(|out| push_decimal(out, value)), value.to_string());
        }
        for value in [0, -1, 255, i128::MIN, i128::MAX] {
            assert_eq!(text(|out| push_signed(out, value)), value.to_string());
        }
        let top = 1 << 63;
        for (words, expect) in [
            (&[0][..], "0"),
            (&[u64::MAX], "-1"),
            (&[u64::MAX, 0], "18446744073709551615"),
            (&[0, 1], "18446744073709551616"),
            (&[top], "-9223372036854775808"),
            (&[top - 1, u64::MAX], "-9223372036854775809"),
            (&[0, 0, top], "-3138550867693340381917894711603833208051177722232017256448"),
            (&[0, 0, top, 0], "3138550867693340381917894711603833208051177722232017256448"),
        ] {
            assert_eq!(text(|out| push_wide(out, words)), expect);
        }
        assert_eq!(text(|out| push_hex(out, 0x1A2B, 4)), "1A2B");
        assert_eq!(text(|out| push_hex(out, 0xF, 4)), "000F");
    }

    #[test]
    fn names_are_quoted_where_they_must_be() {
        let check = |name: &str, expect: &str| assert_eq!(text(|out| push_name(out, name)), expect);
        check("x.addr", "x.addr");
        check("$_-9", "$_-9");
        check("0", "\"0\"");
        check("1st", "\"1st\"");
        check("-1", "\"-1\"");
        check("a b", "\"a b\"");
        check("\\01_f", "\"\\01_f\"");
        check("", "\"\"");
    }

    #[test]
    fn bytes_are_escaped() {
        assert_eq!(text(|out| push_escaped(out, b"a\"b\\c\0\xff ~")), "a\\22b\\5Cc\\00\\FF ~");
    }
}
