//! Text of others on its way to a terminal, a file or a comment on a pull request.
//!
//! Names, source lines, messages of compilers and output of programs may hold anything: escape sequences that drive a
//! terminal, overrides of the writing direction that make code read as what it is not, line breaks that forge a line of
//! a result. All of it is shown as visible escapes (`\x1b`, `\u{202e}`). There are two nets:
//!
//! - [`Shown`] escapes every text of a result before it is laid out, line breaks included, and cuts what nobody can
//!   read. Results are plain data, so this is one pass over all of their fields; the macro `shown!` does not compile if
//!   a field is forgotten.
//! - [`Escaping`] is the writer through which every byte goes that the program prints. It lets nothing hidden through
//!   but the codes of [`Style`].

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::Arc;

/// Most characters of a source line that are shown.
pub const MAX_SOURCE: usize = 500;

/// Most characters of any other single text that are shown to people.
pub const MAX_TEXT: usize = 10_000;

/// Whether a character is none that one can see: controls, line separators, direction marks, characters without width.
/// Line feed and tab are among them.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{70f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a character may not be written, be it inside of a line or at its end.
fn is_forbidden(c: char) -> bool {
    !matches!(c, '\n' | '\t') && is_hidden(c)
}

/// Text in which every hidden character is visible, line breaks too: it stays on one line. Tabs stay as they are.
pub fn inline(text: &str) -> Cow<'_, str> {
    replace(text, |c| c != '\t' && is_hidden(c))
}

/// The same for text of several lines.
pub fn lines(text: &str) -> Cow<'_, str> {
    replace(text, is_forbidden)
}

fn replace(text: &str, is_bad: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(&is_bad) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_bad(c) { visible(&mut out, c) } else { out.push(c) }
    }
    Cow::Owned(out)
}

/// A character as the languages that we read would write it in a text.
fn visible(out: &mut String, c: char) {
    // Writing to a string cannot fail.
    let _ = match c {
        '\n' => write!(out, "\\n"),
        '\r' => write!(out, "\\r"),
        '\t' => write!(out, "\\t"),
        '\0'..='\u{7f}' => write!(out, "\\x{:02x}", u32::from(c)),
        _ => write!(out, "\\u{{{:x}}}", u32::from(c)),
    };
}

/// At most `max` characters of a text, and how many are left out.
pub fn cut(text: &str, max: usize) -> Cow<'_, str> {
    match text.char_indices().nth(max) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}… ({} more characters)", &text[..end], text[end..].chars().count())),
    }
}

/// A line of source as it is kept in results: not more of it than one can read.
pub fn source_line(line: &str) -> String {
    cut(line, MAX_SOURCE).into_owned()
}

/// Data that people get to see: [`Shown::escape`] makes every text in it harmless.
pub trait Shown {
    /// Escapes every text, each to one line.
    fn escape(&mut self);

    /// The same data, escaped.
    fn escaped(&self) -> Self
    where
        Self: Clone,
    {
        let mut copy = self.clone();
        copy.escape();
        copy
    }
}

impl Shown for String {
    fn escape(&mut self) {
        if let Some(text) = mended(self) {
            *self = text;
        }
    }
}

impl Shown for Arc<str> {
    fn escape(&mut self) {
        if let Some(text) = mended(self) {
            *self = text.into();
        }
    }
}

/// A text cut and escaped; nothing if it is harmless as it is.
fn mended(text: &str) -> Option<String> {
    match cut(text, MAX_TEXT) {
        Cow::Borrowed(text) => match inline(text) {
            Cow::Borrowed(_) => None,
            Cow::Owned(text) => Some(text),
        },
        Cow::Owned(text) => Some(inline(&text).into_owned()),
    }
}

impl<T: Shown> Shown for Vec<T> {
    fn escape(&mut self) {
        self.iter_mut().for_each(Shown::escape);
    }
}

impl<T: Shown> Shown for Option<T> {
    fn escape(&mut self) {
        self.iter_mut().for_each(Shown::escape);
    }
}

impl<A: Shown, B: Shown> Shown for (A, B) {
    fn escape(&mut self) {
        self.0.escape();
        self.1.escape();
    }
}

/// Keys are what others look values up by, so the texts that name them are escaped the same way.
impl<K: Shown + Ord, V: Shown> Shown for BTreeMap<K, V> {
    fn escape(&mut self) {
        let escaped = |(mut key, mut value): (K, V)| {
            key.escape();
            value.escape();
            (key, value)
        };
        *self = std::mem::take(self).into_iter().map(escaped).collect();
    }
}

/// Types without text of others.
macro_rules! harmless {
    ($($ty:ty),* $(,)?) => { $(impl $crate::escape::Shown for $ty { fn escape(&mut self) {} })* };
}

/// Types with such text: all of their fields. A field that is not named here does not compile.
macro_rules! shown {
    ($($ty:ident { $($field:ident),* $(,)? })*) => {
        $(impl $crate::escape::Shown for $ty {
            fn escape(&mut self) {
                let $ty { $($field),* } = self;
                $($crate::escape::Shown::escape($field);)*
            }
        })*
    };
}

pub(crate) use {harmless, shown};

harmless!(bool, u32, u64, usize, &'static str);

/// How text on a terminal looks. The only codes that are ever written to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Names.
    Bold,
    /// What matters less.
    Dim,
    /// What gives values to something affected.
    Cyan,
    /// What is affected.
    Yellow,
    /// What changed.
    BoldRed,
}

impl Style {
    const ALL: [Style; 5] = [Style::Bold, Style::Dim, Style::Cyan, Style::Yellow, Style::BoldRed];

    /// The code that begins it.
    fn code(self) -> &'static str {
        match self {
            Style::Bold => "\x1b[1m",
            Style::Dim => "\x1b[2m",
            Style::Cyan => "\x1b[36m",
            Style::Yellow => "\x1b[33m",
            Style::BoldRed => "\x1b[1;31m",
        }
    }

    /// Text in this style.
    pub fn paint(self, text: &str) -> String {
        format!("{}{text}{RESET}", self.code())
    }
}

/// The code that ends every style.
const RESET: &str = "\x1b[0m";

/// Codes of the renderer of errors, which is given escaped text only: bold, red, green, yellow, blue, cyan, white.
const OF_ERRORS: [&str; 9] =
    ["\x1b[1m", "\x1b[91m", "\x1b[92m", "\x1b[93m", "\x1b[94m", "\x1b[96m", "\x1b[97m", "\x1b[31m", "\x1b[32m"];

/// What a hidden character is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// Text for people, tables, pictures: `\u{202e}`.
    Text,
    /// Text for people with our own codes for colours.
    Coloured,
    /// JSON, in which such characters are in strings only: `\u202e`.
    Json,
    /// LLVM IR, in which they are in quotes or comments only: `\E2\80\AE`.
    Llvm,
}

/// The writer through which everything goes that is printed: a line at a time, with nothing hidden in it.
pub struct Escaping<W: Write> {
    inner: W,
    syntax: Syntax,
    /// The begin of a line whose end is yet to come.
    begun: Vec<u8>,
    /// What folders that nobody asked for are called.
    folders: Folders,
}

/// Folders and what they are called where they are named: temporary ones have names that mean nothing to the user.
pub type Folders = Vec<(String, String)>;

impl<W: Write> Escaping<W> {
    /// A writer to `inner`.
    pub fn new(inner: W, syntax: Syntax, folders: Folders) -> Escaping<W> {
        Escaping { inner, syntax, begun: Vec::new(), folders }
    }

    /// Writes what is left, and flushes.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()
    }
}

impl<W: Write> Write for Escaping<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match bytes.iter().rposition(|&byte| byte == b'\n') {
            None => self.begun.extend_from_slice(bytes),
            Some(end) => {
                self.begun.extend_from_slice(&bytes[..=end]);
                let whole = std::mem::take(&mut self.begun);
                self.begun.extend_from_slice(&bytes[end + 1..]);
                self.inner.write_all(printable(&whole, self.syntax, &self.folders).as_bytes())?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let rest = std::mem::take(&mut self.begun);
        self.inner.write_all(printable(&rest, self.syntax, &self.folders).as_bytes())?;
        self.inner.flush()
    }
}

/// Text as it may be printed.
fn printable<'t>(bytes: &'t [u8], syntax: Syntax, folders: &Folders) -> Cow<'t, str> {
    let text = String::from_utf8_lossy(bytes);
    // In JSON both would stand in strings.
    let quoted = |text: &str| match syntax {
        Syntax::Json => text.replace('\\', "\\\\").replace('"', "\\\""),
        _ => text.to_owned(),
    };
    let text = folders.iter().fold(text, |text, (folder, name)| match quoted(folder) {
        folder if text.contains(&folder) => Cow::Owned(text.replace(&folder, &quoted(name))),
        _ => text,
    });
    if !text.chars().any(is_forbidden) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest: &str = &text;
    while let Some(c) = rest.chars().next() {
        if let Some(code) = colour(rest, syntax) {
            out.push_str(code);
            rest = &rest[code.len()..];
            continue;
        }
        match (is_forbidden(c), syntax) {
            (false, _) => out.push(c),
            (true, Syntax::Text | Syntax::Coloured) => visible(&mut out, c),
            (true, Syntax::Json) => {
                let mut units = [0; 2];
                let units = c.encode_utf16(&mut units).iter();
                units.for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
            }
            (true, Syntax::Llvm) => {
                let mut bytes = [0; 4];
                let bytes = c.encode_utf8(&mut bytes).bytes();
                bytes.for_each(|byte| out.push_str(&format!("\\{byte:02X}")));
            }
        }
        rest = &rest[c.len_utf8()..];
    }
    Cow::Owned(out)
}

/// The code of ours that a text begins with.
fn colour(text: &str, syntax: Syntax) -> Option<&'static str> {
    if syntax != Syntax::Coloured || !text.starts_with('\x1b') {
        return None;
    }
    let ours = Style::ALL.into_iter().map(Style::code).chain(OF_ERRORS).chain([RESET]);
    ours.into_iter().find(|code| text.starts_with(code))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn written(pieces: &[&[u8]], syntax: Syntax) -> String {
        let mut out = Vec::new();
        let mut writer = Escaping::new(&mut out, syntax, vec![("/tmp/x1".to_owned(), "HEAD:".to_owned())]);
        pieces.iter().for_each(|piece| writer.write_all(piece).unwrap());
        writer.finish().unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn nothing_hidden_is_written() {
        let check = |text: &str, syntax, expect: &str| assert_eq!(written(&[text.as_bytes()], syntax), expect);
        check("a\tb\n", Syntax::Text, "a\tb\n");
        check("\x1b[31mred\x1b[0m\r\x7f\u{9b}\n", Syntax::Text, "\\x1b[31mred\\x1b[0m\\r\\x7f\\u{9b}\n");
        check("\u{202e}\u{2066}\u{feff}\u{2028}", Syntax::Text, "\\u{202e}\\u{2066}\\u{feff}\\u{2028}");
        check("\"\u{202e}\u{7f}\u{e0041}\"", Syntax::Json, "\"\\u202e\\u007f\\udb40\\udc41\"");
        check("@\"\u{202e}\"", Syntax::Llvm, "@\"\\E2\\80\\AE\"");
        check("\x1b[1mx\x1b[0m\x1b[5m\x1b]0;t\x07", Syntax::Coloured, "\x1b[1mx\x1b[0m\\x1b[5m\\x1b]0;t\\x07");
        check("grün ≤ 日本語\n", Syntax::Text, "grün ≤ 日本語\n");
        check("/tmp/x1/a.c:1: error", Syntax::Text, "HEAD:/a.c:1: error");
    }

    #[test]
    fn pieces_make_no_difference() {
        let text = "a\u{202e}\x1b[1mb\n/tmp/x1/é\u{85}c".as_bytes();
        for syntax in [Syntax::Text, Syntax::Coloured, Syntax::Json, Syntax::Llvm] {
            let whole = written(&[text], syntax);
            let bytes: Vec<&[u8]> = text.chunks(1).collect();
            assert_eq!(written(&bytes, syntax), whole);
        }
    }

    #[test]
    fn texts_stay_on_their_line_and_are_cut() {
        let mut texts = vec!["a\nsame  b".to_owned(), "x".repeat(MAX_TEXT + 3), "plain".to_owned()];
        texts.escape();
        assert_eq!(texts[0], "a\\nsame  b");
        assert!(texts[1].ends_with("x… (3 more characters)"));
        assert_eq!(texts[2], "plain");
        assert_eq!(
            source_line(&"é".repeat(MAX_SOURCE + 1)),
            format!("{}… (1 more characters)", "é".repeat(MAX_SOURCE))
        );
        let mut map = BTreeMap::from([("\x1b".to_owned(), "\u{85}".to_owned())]);
        map.escape();
        assert_eq!(map, BTreeMap::from([("\\x1b".to_owned(), "\\u{85}".to_owned())]));
    }
}
