//! The fields of a metadata node, `(key: value, …)`.
//!
//! Kinds of nodes share most of their keys, so one reader fills one struct for all of them. Unknown
//! keys and values of an unexpected form are skipped as balanced tokens.

use crate::parse::lexer::{Lexer, Token};

/// The fields that any kind of node may have; what a node does not have stays empty.
#[derive(Default)]
pub(super) struct Fields<'t> {
    pub tag: &'t str,
    pub name: &'t str,
    pub linkage_name: &'t str,
    pub filename: &'t str,
    pub directory: &'t str,
    pub producer: &'t str,
    pub language: &'t str,
    pub encoding: &'t str,
    pub flags: &'t str,
    pub scope: Option<u32>,
    pub inlined_at: Option<u32>,
    pub file: Option<u32>,
    /// `type` or `baseType`.
    pub ty: Option<u32>,
    /// `elements` or `types`.
    pub list: Option<List>,
    /// The member that tells variants apart.
    pub discriminator: Option<u32>,
    pub variable: Option<u32>,
    pub line: u32,
    pub column: u32,
    pub arg: u32,
    pub size: u64,
    pub offset: u64,
    pub value: Option<i128>,
    pub discriminant: Discriminant,
    pub count: Option<i128>,
    pub lower_bound: Option<i128>,
    pub upper_bound: Option<i128>,
}

/// Where a list of nodes is written.
#[derive(Clone, Copy)]
pub(super) enum List {
    /// In the node of that number.
    Numbered(u32),
    /// At that position of the text.
    At(usize),
}

/// For which value of its discriminator a variant stands (`extraData`).
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Discriminant {
    /// For every value that no other variant has.
    #[default]
    Default,
    /// For this one.
    Value(u128),
    /// For values in a form that C, C++ and Rust do not need.
    Unknown,
}

impl<'t> Fields<'t> {
    /// Reads what stands between `(`, where the lexer is, and `)`. Of a malformed node it returns the
    /// fields before the flaw.
    pub fn read(lexer: &mut Lexer<'t>) -> Self {
        let mut fields = Fields::default();
        if lexer.token() != Token::Punct(b'(') {
            return fields;
        }
        while let Token::Label(key) = lexer.token() {
            let Some(value) = Value::read(lexer, b')') else { break };
            fields.set(key, &value);
            if value.last {
                break;
            }
        }
        fields
    }

    /// Whether `flags` has this one.
    pub fn has_flag(&self, flag: &str) -> bool {
        self.flags.split('|').any(|word| word.trim() == flag)
    }

    fn set(&mut self, key: &str, value: &Value<'t>) {
        match key {
            "tag" => self.tag = value.word(),
            "name" => self.name = value.string(),
            "linkageName" => self.linkage_name = value.string(),
            "filename" => self.filename = value.string(),
            "directory" => self.directory = value.string(),
            "producer" => self.producer = value.string(),
            // Since LLVM 22 a language may be given as a name and a version.
            "language" | "sourceLanguageName" => self.language = value.word(),
            "encoding" => self.encoding = value.word(),
            "flags" => self.flags = value.text,
            "scope" => self.scope = value.node(),
            "inlinedAt" => self.inlined_at = value.node(),
            "file" => self.file = value.node(),
            "type" | "baseType" => self.ty = value.node(),
            "elements" | "types" => self.list = value.list(),
            "discriminator" => self.discriminator = value.node(),
            "var" => self.variable = value.node(),
            "line" => self.line = value.unsigned(),
            "column" => self.column = value.unsigned(),
            "arg" => self.arg = value.unsigned(),
            "size" => self.size = value.unsigned(),
            "offset" => self.offset = value.unsigned(),
            "value" => self.value = value.integer(),
            "extraData" => self.discriminant = value.discriminant(),
            "count" => self.count = value.integer(),
            "lowerBound" => self.lower_bound = value.integer(),
            "upperBound" => self.upper_bound = value.integer(),
            _ => {}
        }
    }
}

/// The elements of a list, `!{…}`, where the lexer is: the number of each one that is a node.
pub(super) fn read_list(lexer: &mut Lexer<'_>) -> Vec<Option<u32>> {
    let mut elements = Vec::new();
    let mut token = lexer.token();
    if token == Token::Word("distinct") {
        token = lexer.token();
    }
    if token != Token::Bang || lexer.token() != Token::Punct(b'{') {
        return elements;
    }
    while let Some(value) = Value::read(lexer, b'}') {
        if value.first != Token::End {
            elements.push(value.node());
        }
        if value.last {
            break;
        }
    }
    elements
}

/// A value: its first two tokens, which are all that the forms of interest have, and its text.
struct Value<'t> {
    first: Token<'t>,
    second: Token<'t>,
    start: usize,
    text: &'t str,
    /// Whether the end of the node follows.
    last: bool,
}

impl<'t> Value<'t> {
    /// Reads up to and with the `,` or `close` after the value; `None` if neither comes.
    fn read(lexer: &mut Lexer<'t>, close: u8) -> Option<Self> {
        let start = lexer.skip_space();
        let mut first = Token::End;
        let mut second = Token::End;
        let mut depth = 0_usize;
        loop {
            let end = lexer.pos;
            let token = lexer.token();
            match token {
                Token::Punct(b) if depth == 0 && (b == b',' || b == close) => {
                    return Some(Value { first, second, start, text: &lexer.text()[start..end], last: b == close });
                }
                Token::Punct(b'(' | b'[' | b'{') => depth += 1,
                Token::Punct(b')' | b']' | b'}') => depth = depth.checked_sub(1)?,
                // No node has a `=`: the next one has begun before this one's end.
                Token::Punct(b'=') | Token::End | Token::Bad => return None,
                _ => {}
            }
            if first == Token::End {
                first = token;
            } else if second == Token::End {
                second = token;
            }
        }
    }

    fn word(&self) -> &'t str {
        match self.first {
            Token::Word(word) => word,
            _ => "",
        }
    }

    fn string(&self) -> &'t str {
        match self.first {
            Token::String(text) => text,
            _ => "",
        }
    }

    fn node(&self) -> Option<u32> {
        match self.first {
            Token::MetadataNumber(number) => Some(number),
            _ => None,
        }
    }

    fn list(&self) -> Option<List> {
        match self.first {
            Token::MetadataNumber(number) => Some(List::Numbered(number)),
            Token::Bang => Some(List::At(self.start)),
            _ => None,
        }
    }

    fn integer(&self) -> Option<i128> {
        integer(self.first)
    }

    /// A number of that width; 0 if there is none or it does not fit.
    fn unsigned<T: TryFrom<i128> + Default>(&self) -> T {
        self.integer().and_then(|value| T::try_from(value).ok()).unwrap_or_default()
    }

    /// A constant such as `i8 -1`, as the unsigned number with the same bits.
    fn discriminant(&self) -> Discriminant {
        let Token::Word(ty) = self.first else { return Discriminant::Unknown };
        let width = ty.strip_prefix('i').and_then(|width| width.parse::<u32>().ok());
        let value = match self.second {
            Token::Word("true") => Some(1),
            Token::Word("false") => Some(0),
            token => integer(token),
        };
        match (width, value) {
            (Some(width @ 1..=128), Some(value)) => Discriminant::Value(value as u128 & (u128::MAX >> (128 - width))),
            _ => Discriminant::Unknown,
        }
    }
}

/// A number of up to 128 bits, which as an unsigned one may look negative.
fn integer(token: Token<'_>) -> Option<i128> {
    let Token::Integer(digits) = token else { return None };
    digits.parse().ok().or_else(|| digits.parse::<u128>().ok().map(|value| value as i128))
}
