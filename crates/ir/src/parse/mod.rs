//! Reads textual LLVM IR, in the dialects of LLVM 13 to 22, in one pass over the text.
//!
//! The reader is tolerant: attributes, flags and metadata that the model has no use for are skipped
//! as balanced tokens, an unknown instruction becomes [`InstKind::Unsupported`], and what was skipped
//! at module level is a [`Note`]. It is strict where tolerance would be a guess: a value that is
//! nowhere defined or used at another type, a block without an end, a name defined twice are errors
//! with line and column.
//!
//! While reading, the model is brought to one form whatever the dialect: pointers lose their pointee,
//! casts between pointers vanish, constant addresses become base plus bytes, the three spellings of
//! debug variables become [`Marker`]s, and intrinsics have the names and arguments of today.
//!
//! [`InstKind::Unsupported`]: crate::inst::InstKind::Unsupported
//! [`Marker`]: crate::inst::Marker

mod attributes;
mod call;
mod canonical;
mod check;
mod constants;
mod escapes;
mod finish;
mod flow;
mod function;
mod instruction;
mod intrinsics;
pub mod lexer;
mod locals;
pub mod metadata;
mod numbers;
mod toplevel;
mod types;

use crate::attrs::{Attr, AttrSet};
use crate::id::{AttrsId, NamedTypeId, StrId, SymbolId, TypeId};
use crate::module::{Module, Note};
use lexer::{Lexer, Token};
use rustc_hash::FxHashMap;

/// Why a text is not a module.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct ParseError {
    /// Line in the text, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
    /// What may help.
    pub help: Option<String>,
}

/// Reads the text of a module.
pub fn parse(text: &str) -> Result<Module, ParseError> {
    // Positions and counts are kept in 32 bits.
    if text.len() >= u32::MAX as usize / 2 {
        return Err(ParseError {
            line: 1,
            column: 1,
            message: format!("the text has {} bytes, the limit is 2 GiB", text.len()),
            help: None,
        });
    }
    let text = escapes::canonical(text);
    let mut parser = Parser::new(&text);
    parser.module().and_then(|()| parser.finish()).map_err(|error| *error)
}

/// Result inside the parser; the error is boxed because it is rare and large.
type Parsed<T> = Result<T, Box<ParseError>>;

/// How deep types, constants and attributes may nest.
const MAX_NESTING: u32 = 256;

struct Parser<'t> {
    lexer: Lexer<'t>,
    /// The token under consideration.
    token: Token<'t>,
    /// Where it starts.
    start: usize,
    /// Where the token before it ended.
    previous_end: usize,
    nesting: u32,
    module: Module,
    named_types: FxHashMap<&'t str, NamedTypeId>,
    /// Where each named struct is defined.
    structs: Vec<(TypeId, usize)>,
    /// Names of types other than structs, which no compiler gives, and how deep the types nest.
    other_types: FxHashMap<&'t str, (TypeId, u32)>,
    symbols: FxHashMap<&'t str, SymbolId>,
    /// Intrinsics by the name that they have today.
    renamed: FxHashMap<StrId, SymbolId>,
    groups: FxHashMap<u32, Vec<Attr>>,
    nodes: Vec<metadata::Node>,
    /// Number for the next metadata node written in place.
    inline_node: u32,
    types: types::Cache,
    block_addresses: finish::BlockAddresses<'t>,
    /// Aliases and ifuncs, and where they are defined.
    aliases: Vec<(SymbolId, usize)>,
    /// Place and line of the last note, from which the next one is counted.
    last_note: (usize, u32),
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Self {
        let mut module = Module::default();
        module.attrs.intern(AttrSet::default());
        let types = types::Cache::new(&mut module.types);
        let mut parser = Parser {
            lexer: Lexer::new(text, 0),
            token: Token::End,
            start: 0,
            previous_end: 0,
            nesting: 0,
            module,
            named_types: FxHashMap::default(),
            structs: Vec::new(),
            other_types: FxHashMap::default(),
            symbols: FxHashMap::default(),
            renamed: FxHashMap::default(),
            groups: FxHashMap::default(),
            nodes: Vec::new(),
            inline_node: u32::MAX - 16,
            types,
            block_addresses: finish::BlockAddresses::default(),
            aliases: Vec::new(),
            last_note: (0, 1),
        };
        parser.bump();
        parser
    }

    /// Goes to the next token.
    fn bump(&mut self) {
        self.previous_end = self.lexer.pos;
        self.start = self.lexer.skip_space();
        self.token = self.lexer.token_at(self.start);
    }

    /// Goes to the next token and returns the one before.
    fn take(&mut self) -> Token<'t> {
        let token = self.token;
        self.bump();
        token
    }

    /// Goes back to `pos`, where a token starts.
    fn rewind(&mut self, pos: usize) {
        self.lexer.pos = pos;
        self.bump();
    }

    fn is_punct(&self, punct: u8) -> bool {
        self.token == Token::Punct(punct)
    }

    fn is_word(&self, word: &str) -> bool {
        self.token == Token::Word(word)
    }

    fn eat_punct(&mut self, punct: u8) -> bool {
        let found = self.is_punct(punct);
        if found {
            self.bump();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.bump();
        }
        found
    }

    fn expect_punct(&mut self, punct: u8) -> Parsed<()> {
        if self.eat_punct(punct) { Ok(()) } else { Err(self.expected(&format!("`{}`", punct as char))) }
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    /// Whether a line feed stands before the current token.
    fn at_new_line(&self) -> bool {
        self.lexer.text().as_bytes()[self.previous_end..self.start].contains(&b'\n')
    }

    fn unsigned<T: std::str::FromStr>(&mut self, what: &str) -> Parsed<T> {
        if let Token::Integer(digits) = self.token
            && let Ok(number) = digits.parse()
        {
            self.bump();
            return Ok(number);
        }
        Err(self.expected(what))
    }

    /// `( N )`, as after `align` and `dereferenceable`.
    fn parenthesised(&mut self, what: &str) -> Parsed<u64> {
        self.expect_punct(b'(')?;
        let number = self.unsigned(what)?;
        self.expect_punct(b')')?;
        Ok(number)
    }

    fn string(&mut self, what: &str) -> Parsed<StrId> {
        if let Token::String(text) = self.token {
            self.bump();
            return Ok(self.module.strings.intern_str(text));
        }
        Err(self.expected(what))
    }

    /// Skips one token, or everything up to the bracket that closes the one it stands on.
    fn skip_balanced(&mut self) -> Parsed<()> {
        let mut open = Vec::new();
        let from = self.start;
        loop {
            match self.token {
                Token::Punct(punct @ (b'(' | b'[' | b'{' | b'<')) => open.push(punct),
                Token::Punct(punct @ (b')' | b']' | b'}' | b'>')) => {
                    let opener = match punct {
                        b')' => b'(',
                        b']' => b'[',
                        b'}' => b'{',
                        _ => b'<',
                    };
                    if open.pop() != Some(opener) {
                        return Err(self.error(format!("`{}` closes nothing", punct as char)));
                    }
                }
                Token::End if !open.is_empty() => {
                    return Err(self.error_at(from, "this bracket is never closed".into()));
                }
                Token::End => return Ok(()),
                _ => {}
            }
            self.bump();
            if open.is_empty() {
                return Ok(());
            }
        }
    }

    /// Runs `parse` one level deeper.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.check_nesting(1)?;
        self.nesting += 1;
        let result = parse(self);
        self.nesting -= 1;
        result
    }

    /// Fails unless something `levels` deep may stand here.
    fn check_nesting(&self, levels: u32) -> Parsed<()> {
        if self.nesting + levels > MAX_NESTING {
            return Err(self.error(format!("nested more than {MAX_NESTING} levels deep")));
        }
        Ok(())
    }

    /// What `@name` stands for, known or not yet.
    fn symbol(&mut self, name: &'t str) -> SymbolId {
        if let Some(&id) = self.symbols.get(name) {
            return id;
        }
        let today = intrinsics::todays_name(without_sign(name, '@'));
        let known = self.module.strings.find(&*today).and_then(|text| self.renamed.get(&text));
        let id = match known {
            Some(&id) => id,
            None => {
                let symbol = self.new_symbol(&today);
                self.module.symbols.push(symbol)
            }
        };
        if today.starts_with("llvm.") {
            let text = self.module.symbols[id].name;
            self.renamed.insert(text, id);
        }
        self.symbols.insert(name, id);
        id
    }

    fn attrs(&mut self, attrs: Vec<Attr>) -> AttrsId {
        self.module.attrs.intern(AttrSet(attrs.into()))
    }

    fn note(&mut self, message: String) {
        let (pos, line) = self.last_note;
        let between = self.lexer.text().as_bytes().get(pos..self.start).unwrap_or_default();
        let line = line + memchr::memchr_iter(b'\n', between).count() as u32;
        self.last_note = (self.start, line);
        self.module.notes.push(Note { line, message });
    }

    fn error(&self, message: String) -> Box<ParseError> {
        self.error_at(self.start, message)
    }

    fn error_at(&self, pos: usize, message: String) -> Box<ParseError> {
        let (line, column) = self.place(pos);
        Box::new(ParseError { line, column, message, help: None })
    }

    fn expected(&self, what: &str) -> Box<ParseError> {
        let text = self.lexer.text();
        let found = match self.token {
            Token::End => "the end of the text".to_string(),
            Token::Bad if text[self.start..].starts_with('"') => "a string without an end".to_string(),
            _ => {
                let end = self.lexer.pos.max(self.start);
                let shown: String = text[self.start..end].chars().take(40).collect();
                format!("`{}`", shown.escape_debug())
            }
        };
        let mut error = self.error(format!("expected {what}, found {found}"));
        if self.token == Token::End {
            error.help = Some("the text seems to be cut off; write it again in full".into());
        }
        error
    }

    /// Line and column of a position.
    fn place(&self, pos: usize) -> (u32, u32) {
        let before = &self.lexer.text().as_bytes()[..pos.min(self.lexer.text().len())];
        let line = memchr::memchr_iter(b'\n', before).count() + 1;
        let column = pos - memchr::memrchr(b'\n', before).map_or(0, |feed| feed + 1) + 1;
        (line as u32, column as u32)
    }

    /// Type of the pointer in address space 0.
    fn ptr_type(&self) -> TypeId {
        self.types.ptr
    }
}

/// What the model calls something that the text calls `@7`, `%7` or `"7"`: the first two are other things than the
/// third, so a number keeps its sign while it is looked up.
fn without_sign(name: &str, sign: char) -> &str {
    match name.strip_prefix(sign) {
        Some(digits) if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => digits,
        _ => name,
    }
}

#[cfg(test)]
mod tests;
