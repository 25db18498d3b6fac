//! C sources as tokens, for edits that are made at random.

/// A piece of C text.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    pub text: String,
    pub kind: TokenKind,
    /// Line it begins in.
    pub line: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TokenKind {
    /// White space and comments.
    Space,
    /// A preprocessor line with all its continuations.
    Directive,
    Word,
    Number,
    /// A string or character literal.
    Literal,
    Operator,
}

/// Cuts a text into tokens; joined together they are the text.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut line = 1;
    let mut line_start = true;
    while let Some(first) = rest.chars().next() {
        let (length, kind) = match first {
            _ if first.is_whitespace() => (first.len_utf8(), TokenKind::Space),
            '/' if rest.starts_with("//") => (rest.find('\n').unwrap_or(rest.len()), TokenKind::Space),
            '/' if rest.starts_with("/*") => (rest.find("*/").map_or(rest.len(), |end| end + 2), TokenKind::Space),
            '#' if line_start => (directive(rest), TokenKind::Directive),
            '"' | '\'' => (literal(rest, first), TokenKind::Literal),
            _ if first.is_ascii_digit() => (span(rest, |c| c.is_ascii_alphanumeric() || c == '.'), TokenKind::Number),
            _ if first.is_alphabetic() || first == '_' => {
                (span(rest, |c| c.is_alphanumeric() || c == '_'), TokenKind::Word)
            }
            _ => (operator(rest, first), TokenKind::Operator),
        };
        let (text, behind) = rest.split_at(length);
        tokens.push(Token { text: text.to_owned(), kind, line });
        line_start = (line_start && kind == TokenKind::Space) || text.ends_with('\n');
        line += text.matches('\n').count() as u32;
        rest = behind;
    }
    tokens
}

pub fn join(tokens: &[Token]) -> String {
    tokens.iter().map(|token| &*token.text).collect()
}

fn span(text: &str, accept: impl Fn(char) -> bool) -> usize {
    text.find(|c| !accept(c)).unwrap_or(text.len())
}

fn directive(text: &str) -> usize {
    let mut end = 0;
    loop {
        let line = text[end..].find('\n').map_or(text.len(), |at| end + at);
        // A comment that begins here may end lines below.
        let open = text[end..line].rfind("/*").filter(|at| !text[end + at..line].contains("*/"));
        if let Some(at) = open {
            end = text[end + at..].find("*/").map_or(text.len(), |close| end + at + close + 2);
        } else if text[..line].ends_with('\\') {
            end = line + 1;
        } else {
            return line;
        }
    }
}

fn literal(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn operator(text: &str, first: char) -> usize {
    const LONG: [&str; 22] = [
        "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=",
        "%=", "&=", "|=", "^=",
    ];
    LONG.iter().find(|long| text.starts_with(*long)).map_or(first.len_utf8(), |long| long.len())
}

/// A function definition as positions of tokens: where its declaration begins, its body's brace, behind its end.
#[derive(Clone, Debug)]
pub struct Definition {
    pub name: String,
    pub start: usize,
    pub body: usize,
    pub end: usize,
    /// Whether it is between `#if` and `#endif`.
    pub conditional: bool,
}

/// The function definitions of a file, as far as they look like ones.
pub fn definitions(tokens: &[Token]) -> Vec<Definition> {
    let mut found = Vec::new();
    let (mut depth, mut start, mut parens) = (0usize, 0, 0usize);
    let mut conditions = 0usize;
    let (mut name, mut body, mut last): (Option<String>, usize, Option<&Token>) = (None, 0, None);
    for (at, token) in tokens.iter().enumerate() {
        match (token.kind, &*token.text) {
            (TokenKind::Space, _) => continue,
            (TokenKind::Directive, text) => {
                let word = text[1..].trim_start();
                if word.starts_with("if") {
                    conditions += 1;
                } else if word.starts_with("endif") {
                    conditions = conditions.saturating_sub(1);
                }
                if depth == 0 {
                    (start, name) = (at + 1, None);
                }
                continue;
            }
            (_, "{") => {
                if depth == 0 {
                    body = at;
                    // `f(…) {` is a function; anything else in braces is not.
                    if last.is_none_or(|last| last.text != ")") {
                        name = None;
                    }
                }
                depth += 1;
            }
            (_, "}") => {
                depth = depth.saturating_sub(1);
                if depth == 0
                    && let Some(name) = name.take()
                {
                    found.push(Definition { name, start, body, end: at + 1, conditional: conditions > 0 });
                    start = at + 1;
                }
            }
            (_, ";") if depth == 0 => (start, name) = (at + 1, None),
            (_, "=") if depth == 0 => name = None,
            (_, "(") if depth == 0 => {
                if parens == 0
                    && name.is_none()
                    && let Some(last) = last.filter(|last| last.kind == TokenKind::Word)
                {
                    name = Some(last.text.clone());
                }
                parens += 1;
            }
            (_, ")") if depth == 0 => parens = parens.saturating_sub(1),
            _ => {}
        }
        last = Some(token);
    }
    found
}

#[test]
fn tokens_and_definitions() {
    let text = "#define A(x) \\\n  (x)\n/* c */ static int *f(int a) { return A(a) + 'x'; }\nint t[] = {1, 2};\nvoid g(void)\n{\n}\n";
    let tokens = tokens(text);
    assert_eq!(join(&tokens), text);
    let found = definitions(&tokens);
    let names: Vec<&str> = found.iter().map(|d| &*d.name).collect();
    assert_eq!(names, ["f", "g"]);
    assert_eq!(join(&tokens[found[0].start..found[0].body]).trim(), "/* c */ static int *f(int a)");
    assert_eq!(join(&tokens[found[1].body..found[1].end]), "{\n}");
    assert_eq!(tokens[found[1].body].line, 6);
}
