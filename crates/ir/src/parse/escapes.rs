//! Escapes in quoted text, brought to the one form that LLVM writes.
//!
//! Names are compared as they stand in the text, without a copy. That is right for what LLVM writes: it escapes what is not
//! printable, and nothing else. Only where other text says the same in another way (`"\61"` is `a`) it is rewritten first,
//! and places in errors are then those of the rewritten text.

use super::lexer::{line_end, unescape};
use std::borrow::Cow;

/// The text with every quoted part as LLVM would write it.
pub(super) fn canonical(text: &str) -> Cow<'_, str> {
    if text.is_ascii() && !has_odd_escape(text.as_bytes()) {
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let mut result = String::new();
    // Everything before is in the result.
    let mut done = 0;
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'"', b';', &bytes[at..]) {
        at += found;
        if bytes[at] == b';' {
            at = line_end(bytes, at);
            continue;
        }
        let start = at + 1;
        let Some(length) = memchr::memchr(b'"', &bytes[start..]) else { break };
        at = start + length + 1;
        let quoted = &text[start..start + length];
        if !quoted.is_ascii() || has_odd_escape(quoted.as_bytes()) {
            result.push_str(&text[done..start]);
            push_escaped(&mut result, &unescape(quoted));
            done = start + length;
        }
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    result.push_str(&text[done..]);
    Cow::Owned(result)
}

/// Whether something is escaped that LLVM would not escape, or not in this way.
fn has_odd_escape(bytes: &[u8]) -> bool {
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', &bytes[at..]) {
        at += found;
        at += match bytes[at + 1..] {
            [b'\\', ..] => 2,
            [high, low, ..] if is_canonical(high, low) => 3,
            _ => return true,
        };
    }
    false
}

/// Whether two digits are those of a byte that is escaped, in capitals.
fn is_canonical(high: u8, low: u8) -> bool {
    let digit = |b: u8| match b {
        b'0'..=b'9' => Some(b - b'0'),
        b'A'..=b'F' => Some(b - b'A' + 10),
        _ => None,
    };
    match (digit(high), digit(low)) {
        (Some(high), Some(low)) => !is_plain(high << 4 | low) && (high, low) != (5, 12),
        _ => false,
    }
}

fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\'
}

fn push_escaped(result: &mut String, bytes: &[u8]) {
    for &byte in bytes {
        match byte {
            b'\\' => result.push_str("\\\\"),
            _ if is_plain(byte) => result.push(byte as char),
            _ => result.push_str(&format!("\\{byte:02X}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_rewritten_only_where_llvm_writes_it_otherwise() {
        let same = |text: &str| assert!(matches!(canonical(text), Cow::Borrowed(_)), "{text}");
        same(r#"@"a\22\\\00\C3\A9" = global i8 0 ; é "\61""#);
        same("; é\n@x = global i8 0");
        same(r#"!named\20x = !{}"#);
        let check = |text: &str, expect: &str| assert_eq!(canonical(text), expect);
        check(r#"@"\61\5C\c3é" "#, r#"@"a\\\C3\C3\A9" "#);
        check("; \"\\61\"\n@\"\\61\" @\"b\" c\"\\zz\\0a\"", "; \"\\61\"\n@\"a\" @\"b\" c\"\\\\zz\\0A\"");
        check("%\"\\61\" \"open \\61", "%\"a\" \"open \\61");
    }
}
