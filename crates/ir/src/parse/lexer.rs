//! Tokens of textual LLVM IR, cut one at a time and never copied.

/// A token. Names are the text between the quotes, escapes and all, so a name is equal to itself in
/// every dialect and can be printed back as it was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Token<'t> {
    /// A keyword, type or other bare word.
    Word(&'t str),
    /// `%name`.
    Local(&'t str),
    /// `%7`.
    LocalNumber(u32),
    /// `@name`; a number with its sign (`@7`), since `@"7"` is a name.
    Global(&'t str),
    /// `$name`.
    Comdat(&'t str),
    /// `name:`, the start of a block or the key of a metadata field.
    Label(&'t str),
    /// `!name`, as in `!dbg` and `!DILocation`.
    Metadata(&'t str),
    /// `!7`.
    MetadataNumber(u32),
    /// `!` before `{` or `"`.
    Bang,
    /// `#7`, an attribute group.
    AttrGroup(u32),
    /// `#dbg_value` and the like.
    Record(&'t str),
    /// `7`, `-7`.
    Integer(&'t str),
    /// `1.0e+00`, `0x3FF0000000000000`, `0xK…`, `u0x…`.
    Number(&'t str),
    /// `"…"`, without quotes, escapes not resolved.
    String(&'t str),
    /// `c"…"`, likewise.
    Bytes(&'t str),
    /// One character of `( ) [ ] { } < > , = * | : ^`.
    Punct(u8),
    /// `...`
    Ellipsis,
    /// End of the text.
    End,
    /// A character that starts no token, or a string without an end.
    Bad,
}

/// Cuts tokens off a text.
#[derive(Clone, Debug)]
pub struct Lexer<'t> {
    text: &'t str,
    /// Where the next token is looked for.
    pub pos: usize,
}

impl<'t> Lexer<'t> {
    /// A lexer at `pos` of `text`.
    pub fn new(text: &'t str, pos: usize) -> Self {
        Lexer { text, pos }
    }

    /// The whole text.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// Moves to the next token and returns the position where it starts.
    #[inline]
    pub fn skip_space(&mut self) -> usize {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.pos) {
                Some(b' ' | b'\n' | b'\t' | b'\r') => self.pos += 1,
                Some(b';' | b'/') if self.skip_comment() => {}
                _ => return self.pos,
            }
        }
    }

    /// Skips a comment, if one begins here.
    #[cold]
    fn skip_comment(&mut self) -> bool {
        let bytes = self.text.as_bytes();
        match bytes[self.pos..] {
            [b';', ..] => self.pos = line_end(bytes, self.pos),
            [b'/', b'*', ..] => {
                let end = memchr::memmem::find(&bytes[self.pos + 2..], b"*/");
                self.pos = end.map_or(bytes.len(), |length| self.pos + length + 4);
            }
            _ => return false,
        }
        true
    }

    /// Cuts the next token.
    pub fn token(&mut self) -> Token<'t> {
        let start = self.skip_space();
        self.token_at(start)
    }

    /// Cuts the token that starts at `start`.
    pub fn token_at(&mut self, start: usize) -> Token<'t> {
        let bytes = self.text.as_bytes();
        let Some(&first) = bytes.get(start) else { return Token::End };
        match first {
            // Only a bare number is one: `%"0"` is a name.
            b'%' if bytes.get(start + 1) == Some(&b'"') => self.named(start, Token::Local),
            b'%' => self.named(start, |name| numbered(name, Token::LocalNumber, Token::Local)),
            b'@' => self.global(start),
            b'$' => self.label(start).unwrap_or_else(|| self.named(start, Token::Comdat)),
            b'!' => self.metadata(start),
            b'#' => self.named(start, |name| numbered(name, Token::AttrGroup, Token::Record)),
            b'"' => self.string(start, Token::String),
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b',' | b'=' | b'*' | b'|' | b':' | b'^' => {
                self.pos = start + 1;
                Token::Punct(first)
            }
            b'0'..=b'9' | b'-' | b'+' => self.number(start),
            b'.' if bytes[start..].starts_with(b"...") => {
                self.pos = start + 3;
                Token::Ellipsis
            }
            _ if is_name_byte(first) => self.word(start),
            _ => {
                self.pos = start + self.text[start..].chars().next().map_or(1, char::len_utf8);
                Token::Bad
            }
        }
    }

    fn slice(&mut self, from: usize, to: usize) -> &'t str {
        self.pos = to;
        &self.text[from..to]
    }

    /// The token of the name behind the sign at `sign`.
    fn named(&mut self, sign: usize, token: impl FnOnce(&'t str) -> Token<'t>) -> Token<'t> {
        // Past the sign even if no name follows, so that whoever goes on comes to the end.
        self.pos = sign + 1;
        self.name(sign + 1).map_or(Token::Bad, token)
    }

    fn global(&mut self, sign: usize) -> Token<'t> {
        let token = self.named(sign, Token::Global);
        match self.text.as_bytes().get(sign + 1) {
            Some(b'0'..=b'9') => Token::Global(&self.text[sign..self.pos]),
            _ => token,
        }
    }

    /// A bare name with a colon at `start`.
    fn label(&mut self, start: usize) -> Option<Token<'t>> {
        let bytes = self.text.as_bytes();
        let end = name_end(bytes, start);
        if end == start || bytes.get(end) != Some(&b':') || !is_label_colon(bytes, end) {
            return None;
        }
        let name = self.slice(start, end);
        self.pos = end + 1;
        Some(Token::Label(name))
    }

    /// A bare or quoted name at `start`.
    fn name(&mut self, start: usize) -> Option<&'t str> {
        let bytes = self.text.as_bytes();
        if bytes.get(start) == Some(&b'"') {
            let end = memchr::memchr(b'"', &bytes[start + 1..])? + start + 1;
            let name = self.slice(start + 1, end);
            self.pos = end + 1;
            return Some(name);
        }
        let end = name_end(bytes, start);
        (end > start).then(|| self.slice(start, end))
    }

    fn metadata(&mut self, start: usize) -> Token<'t> {
        let bytes = self.text.as_bytes();
        match bytes.get(start + 1) {
            // A metadata name may hold escapes, as in `!llvm\20x`.
            Some(&b) if is_name_byte(b) || b == b'\\' => {
                let mut end = start + 1;
                while bytes.get(end).is_some_and(|&b| is_name_byte(b) || b == b'\\') {
                    end += 1;
                }
                let name = self.slice(start + 1, end);
                numbered(name, Token::MetadataNumber, Token::Metadata)
            }
            _ => {
                self.pos = start + 1;
                Token::Bang
            }
        }
    }

    fn string(&mut self, quote: usize, token: fn(&'t str) -> Token<'t>) -> Token<'t> {
        let bytes = self.text.as_bytes();
        let Some(length) = memchr::memchr(b'"', &bytes[quote + 1..]) else {
            self.pos = bytes.len();
            return Token::Bad;
        };
        let end = quote + 1 + length;
        let contents = self.slice(quote + 1, end);
        self.pos = end + 1;
        if bytes.get(self.pos) == Some(&b':') && is_label_colon(bytes, self.pos) {
            self.pos += 1;
            return Token::Label(contents);
        }
        token(contents)
    }

    fn number(&mut self, start: usize) -> Token<'t> {
        if let Some(label) = self.label(start) {
            return label;
        }
        let bytes = self.text.as_bytes();
        let digits = |from: usize| from + bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        let first = start + usize::from(!bytes[start].is_ascii_digit());
        let mut end = digits(first);
        if end == first {
            // Words may have signs, as in `-inf`.
            return Token::Number(self.slice(start, name_end(bytes, first)));
        }
        if bytes[first..].starts_with(b"0x") {
            let format = usize::from(matches!(bytes.get(first + 2), Some(b'H' | b'K' | b'L' | b'M' | b'R')));
            end = first + 2 + format;
            end += bytes[end..].iter().take_while(|b| b.is_ascii_hexdigit()).count();
            return Token::Number(self.slice(start, end));
        }
        if bytes.get(end) != Some(&b'.') || bytes[end..].starts_with(b"...") {
            return Token::Integer(self.slice(start, end));
        }
        end = digits(end + 1);
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let power = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let power_end = digits(power);
            if power_end > power {
                end = power_end;
            }
        }
        Token::Number(self.slice(start, end))
    }

    fn word(&mut self, start: usize) -> Token<'t> {
        let bytes = self.text.as_bytes();
        if bytes[start] == b'c' && bytes.get(start + 1) == Some(&b'"') {
            return self.string(start + 1, Token::Bytes);
        }
        let end = name_end(bytes, start);
        let word = self.slice(start, end);
        if bytes.get(end) == Some(&b':') && is_label_colon(bytes, end) {
            self.pos = end + 1;
            return Token::Label(word);
        }
        if word.starts_with("u0x") || word.starts_with("s0x") || word.starts_with("f0x") {
            return Token::Number(word);
        }
        Token::Word(word)
    }
}

/// The bytes that a string's text stands for (`\22` is a quote, `\\` a backslash).
pub fn unescape(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut result = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while let Some(&b) = bytes.get(i) {
        let hex = |at: usize| bytes.get(at).and_then(|&b| (b as char).to_digit(16));
        match (b, hex(i + 1), hex(i + 2)) {
            (b'\\', Some(high), Some(low)) => {
                result.push((high * 16 + low) as u8);
                i += 3;
            }
            (b'\\', ..) if bytes.get(i + 1) == Some(&b'\\') => {
                result.push(b'\\');
                i += 2;
            }
            _ => {
                result.push(b);
                i += 1;
            }
        }
    }
    result
}

/// Position behind the bracket or string that begins at `pos`, if it has an end.
pub fn bracket_end(bytes: &[u8], pos: usize) -> Option<usize> {
    let (mut at, mut depth) = (pos, 0u32);
    loop {
        match bytes.get(at)? {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            b'"' => at += memchr::memchr(b'"', &bytes[at + 1..])? + 1,
            b';' => at = line_end(bytes, at),
            _ => return None,
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
        at += bytes.get(at..)?.iter().position(|&b| BRACKET_BYTES[b as usize])?;
    }
}

/// Bytes that matter for where a bracket ends.
const BRACKET_BYTES: [bool; 256] = table_of(b"()[]{}\";");

/// Position of the line break that ends the line of `pos`, or the end of the text.
pub fn line_end(bytes: &[u8], pos: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &bytes[pos..]).map_or(bytes.len(), |length| pos + length)
}

/// Bytes that a bare name may have.
pub fn is_name_byte(b: u8) -> bool {
    NAME_BYTES[b as usize]
}

const NAME_BYTES: [bool; 256] = table_of(b"-$._0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");

const fn table_of(bytes: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut i = 0;
    while i < bytes.len() {
        table[bytes[i] as usize] = true;
        i += 1;
    }
    table
}

fn name_end(bytes: &[u8], start: usize) -> usize {
    let mut end = start;
    while bytes.get(end).is_some_and(|&b| is_name_byte(b)) {
        end += 1;
    }
    end
}

/// Whether the `:` at `pos` makes the word before it a label; `a::b` has no label.
fn is_label_colon(bytes: &[u8], pos: usize) -> bool {
    bytes.get(pos + 1) != Some(&b':')
}

fn numbered<'t>(name: &'t str, number: fn(u32) -> Token<'t>, named: fn(&'t str) -> Token<'t>) -> Token<'t> {
    let digits = !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit());
    match name.parse() {
        Ok(n) if digits => number(n),
        _ => named(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[Token<'_>]) {
        let mut lexer = Lexer::new(text, 0);
        let tokens: Vec<_> = std::iter::from_fn(|| Some(lexer.token()).filter(|t| *t != Token::End)).collect();
        assert_eq!(tokens, expect);
    }

    #[test]
    fn names_and_numbers() {
        use Token::*;
        check(
            "%a %12 %\"x y\" @f @\"\\01g\"",
            &[Local("a"), LocalNumber(12), Local("x y"), Global("f"), Global("\\01g")],
        );
        check(
            "!12 !dbg !{ #3 #dbg_value",
            &[MetadataNumber(12), Metadata("dbg"), Bang, Punct(b'{'), AttrGroup(3), Record("dbg_value")],
        );
        check("-7 1.0e+00 0xK3F 12:", &[Integer("-7"), Number("1.0e+00"), Number("0xK3F"), Label("12")]);
        check("entry: \"a b\": c\"x\\00\" ; rest\n...", &[Label("entry"), Label("a b"), Bytes("x\\00"), Ellipsis]);
        check("\"open", &[Bad]);
        check("% @ # %\"x", &[Bad, Bad, Bad, Bad, Bad]);
        check("é", &[Bad]);
    }

    #[test]
    fn only_bare_digits_are_numbers() {
        use Token::*;
        check("%\"7\" @7 @\"7\"", &[Local("7"), Global("@7"), Global("7")]);
        check("$c $l: \"8\": -x:", &[Comdat("c"), Label("$l"), Label("8"), Label("-x")]);
        check("2x 1.5e3 1... +2.", &[Integer("2"), Word("x"), Number("1.5e3"), Integer("1"), Ellipsis, Number("+2.")]);
        check("0xH1g 1.0e -", &[Number("0xH1"), Word("g"), Number("1.0"), Word("e"), Number("-")]);
    }

    #[test]
    fn comments() {
        use Token::*;
        check("a /* ; */ b ; c\rd /* e", &[Word("a"), Word("b"), Word("d")]);
    }

    #[test]
    fn brackets() {
        let check = |text: &str, expect: Option<usize>| assert_eq!(bracket_end(text.as_bytes(), 0), expect, "{text}");
        check("(a: \")\", b: [{ }]) c", Some(18));
        check("\"x)\" y", Some(4));
        check("{ ; }\n}", Some(7));
        check("{ (", None);
        check("}", None);
        check("\"open", None);
        check("x()", None);
        check("", None);
    }

    #[test]
    fn escapes() {
        assert_eq!(unescape("a\\00\\5Cb\\\\c\\zz"), b"a\0\\b\\c\\zz");
    }
}
