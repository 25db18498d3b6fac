//! Attributes in the text. What the model has no use for is skipped, known or not.

use super::constants::is_constant_word;
use super::instruction::is_opcode;
use super::lexer::Token;
use super::{Parsed, Parser};
use crate::attrs::{Attr, AttrFlag, MemoryEffects};
use crate::types::Type;

/// Attributes with a text value that code generation or the engine needs: what instructions there are, how floats are
/// passed, whether tiny ones count as zero, and which functions are the ones of the C library. All others tell how to
/// debug, protect, instrument or optimise the program, which changes nothing that it promises to do.
const KEPT_TEXTS: [&str; 7] = [
    "target-cpu",
    "target-features",
    "use-soft-float",
    "denormal-fp-math",
    "denormal-fp-math-f32",
    "no-builtins",
    "alloc-family",
];

impl<'t> Parser<'t> {
    /// Attributes between a type and a value, or before a result's type.
    pub(super) fn value_attrs(&mut self) -> Parsed<Vec<Attr>> {
        let mut attrs = Vec::new();
        loop {
            match self.token {
                // The address space of a callee.
                Token::Word("addrspace") => break,
                Token::Word(word) if is_constant_word(word) || self.at_type() => break,
                Token::Word(_) | Token::String(_) => self.attribute(&mut attrs)?,
                _ => break,
            }
        }
        Ok(attrs)
    }

    /// Attributes of a call.
    pub(super) fn call_attrs(&mut self) -> Parsed<Vec<Attr>> {
        let mut attrs = Vec::new();
        loop {
            match self.token {
                Token::Word("to" | "unwind") => break,
                // What nobody knows is an attribute on the call's line, and an instruction on the next one.
                Token::Word(word) if is_opcode(word) => break,
                Token::Word(word) if self.at_new_line() && AttrFlag::from_keyword(word).is_none() => break,
                Token::Word(_) | Token::String(_) | Token::AttrGroup(_) => self.attribute(&mut attrs)?,
                _ => break,
            }
        }
        Ok(function_level(attrs))
    }

    /// The attribute that the current token begins.
    pub(super) fn attribute(&mut self, attrs: &mut Vec<Attr>) -> Parsed<()> {
        match self.take() {
            Token::AttrGroup(group) => attrs.push(Attr::Group(group)),
            Token::String(key) => {
                let mut value = None;
                if self.eat_punct(b'=') {
                    let Token::String(text) = self.token else { return Err(self.expected("a string")) };
                    self.bump();
                    value = Some(text);
                }
                if KEPT_TEXTS.contains(&key) || key.starts_with("no-builtin-") {
                    let key = self.module.strings.intern_str(key);
                    let value = value.map(|text| self.module.strings.intern_str(text));
                    attrs.push(Attr::Text(key, value));
                }
            }
            Token::Word(word) => self.word_attribute(word, attrs)?,
            _ => return Err(self.expected("an attribute")),
        }
        Ok(())
    }

    /// `attributes #n = { … }`.
    pub(super) fn attribute_group(&mut self) -> Parsed<()> {
        self.expect_word("attributes")?;
        let Token::AttrGroup(number) = self.take() else { return Err(self.expected("`#` and a number")) };
        self.expect_punct(b'=')?;
        self.expect_punct(b'{')?;
        let mut attrs = Vec::new();
        while !self.eat_punct(b'}') {
            self.attribute(&mut attrs)?;
        }
        attrs.retain(|attr| !matches!(attr, Attr::Group(_)));
        self.groups.insert(number, function_level(attrs));
        Ok(())
    }

    fn word_attribute(&mut self, word: &str, attrs: &mut Vec<Attr>) -> Parsed<()> {
        let attr = match word {
            "align" => Attr::Align(self.number_of_attribute()?),
            "alignstack" => Attr::AlignStack(self.number_of_attribute()?),
            "dereferenceable" => Attr::Dereferenceable(self.number_of_attribute()?),
            "dereferenceable_or_null" => Attr::DereferenceableOrNull(self.number_of_attribute()?),
            "sret" | "byval" | "byref" | "inalloca" | "preallocated" | "elementtype" if self.is_punct(b'(') => {
                self.bump();
                let ty = self.ty()?;
                self.expect_punct(b')')?;
                match word {
                    "sret" => Attr::Sret(ty),
                    "byval" => Attr::ByVal(ty),
                    "byref" => Attr::ByRef(ty),
                    "elementtype" => Attr::ElementType(ty),
                    _ => Attr::InAlloca(ty),
                }
            }
            "range" if self.is_punct(b'(') => return self.range(attrs),
            "memory" if self.is_punct(b'(') => {
                let from = self.start;
                self.skip_balanced()?;
                Attr::Memory(memory_effects(&self.lexer.text()[from + 1..self.previous_end - 1]))
            }
            "allocsize" if self.is_punct(b'(') => {
                self.bump();
                let size = self.unsigned("an argument's position")?;
                let count = if self.eat_punct(b',') { Some(self.unsigned("an argument's position")?) } else { None };
                self.expect_punct(b')')?;
                Attr::AllocSize(size, count)
            }
            // LLVM up to 15 says with single words what `memory(…)` says today; see `function_level`.
            "argmemonly" | "inaccessiblememonly" | "inaccessiblemem_or_argmemonly" => {
                Attr::Memory(MemoryEffects::Arguments)
            }
            _ => {
                if self.is_punct(b'(') {
                    self.skip_balanced()?;
                } else if self.eat_punct(b'=') {
                    self.bump();
                }
                match AttrFlag::from_keyword(word) {
                    Some(flag) => Attr::Flag(flag),
                    None => return Ok(()),
                }
            }
        };
        attrs.push(attr);
        Ok(())
    }

    /// The number in `align 8`, `align(8)` and `align=8`.
    fn number_of_attribute(&mut self) -> Parsed<u64> {
        if self.is_punct(b'(') {
            return self.parenthesised("a number of bytes");
        }
        self.eat_punct(b'=');
        self.unsigned("a number of bytes")
    }

    /// `range(i32 0, 5)`.
    fn range(&mut self, attrs: &mut Vec<Attr>) -> Parsed<()> {
        self.bump();
        let ty = self.ty()?;
        let Type::Int(width @ 1..=128) = self.module.types[ty] else {
            // Ranges of vectors and very wide integers are of no use here.
            while !self.is_punct(b')') {
                if self.token == Token::End {
                    return Err(self.expected("`)`"));
                }
                self.skip_balanced()?;
            }
            self.bump();
            return Ok(());
        };
        let bound = |p: &mut Self| -> Parsed<u128> {
            let (Token::Integer(text) | Token::Number(text)) = p.token else { return Err(p.expected("a bound")) };
            let value = super::numbers::small_integer(text, width).ok_or_else(|| p.expected("a bound"))?;
            p.bump();
            Ok(value)
        };
        let low = bound(self)?;
        self.expect_punct(b',')?;
        let high = bound(self)?;
        self.expect_punct(b')')?;
        attrs.push(Attr::Range { width, low, high });
        Ok(())
    }
}

/// Attributes of a function or call: what older LLVM said with `readnone`, `readonly`, `writeonly` and
/// `argmemonly` becomes one memory effect.
pub(super) fn function_level(mut attrs: Vec<Attr>) -> Vec<Attr> {
    let has = |flag| attrs.contains(&Attr::Flag(flag));
    let arguments_only = attrs.contains(&Attr::Memory(MemoryEffects::Arguments));
    let effects = if has(AttrFlag::ReadNone) {
        MemoryEffects::None
    } else if has(AttrFlag::ReadOnly) && arguments_only {
        MemoryEffects::ReadArguments
    } else if has(AttrFlag::ReadOnly) {
        MemoryEffects::Read
    } else if has(AttrFlag::WriteOnly) && !arguments_only {
        MemoryEffects::Write
    } else {
        return attrs;
    };
    let old = [AttrFlag::ReadNone, AttrFlag::ReadOnly, AttrFlag::WriteOnly].map(Attr::Flag);
    attrs.retain(|attr| !old.contains(attr) && !matches!(attr, Attr::Memory(_)));
    attrs.push(Attr::Memory(effects));
    attrs
}

/// The effects inside `memory(…)`.
fn memory_effects(text: &str) -> MemoryEffects {
    let (mut elsewhere, mut arguments, mut hidden) = (None, None, false);
    for part in text.split(',').map(str::trim) {
        match part.split_once(':') {
            None => elsewhere = Some(part),
            Some(("argmem", access)) => arguments = Some(access.trim()),
            // State that only the callee sees: two equal calls may still differ.
            Some((_, access)) => hidden |= access.trim() != "none",
        }
    }
    match (elsewhere.unwrap_or("none"), arguments) {
        ("none", _) if hidden => MemoryEffects::Arguments,
        _ if hidden => MemoryEffects::Any,
        ("none", None | Some("none")) => MemoryEffects::None,
        ("none", Some("read")) => MemoryEffects::ReadArguments,
        ("none", Some(_)) => MemoryEffects::Arguments,
        ("read", None | Some("read" | "none")) => MemoryEffects::Read,
        ("write", None | Some("write" | "none")) => MemoryEffects::Write,
        _ => MemoryEffects::Any,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_effects_of_each_form() {
        let check = |text, expect| assert_eq!(memory_effects(text), expect, "{text}");
        check("none", MemoryEffects::None);
        check("read", MemoryEffects::Read);
        check("write", MemoryEffects::Write);
        check("readwrite", MemoryEffects::Any);
        check("argmem: read", MemoryEffects::ReadArguments);
        check("argmem: readwrite", MemoryEffects::Arguments);
        check("argmem: write, inaccessiblemem: readwrite", MemoryEffects::Arguments);
        check("inaccessiblemem: readwrite", MemoryEffects::Arguments);
        check("read, argmem: readwrite", MemoryEffects::Any);
        check("read, argmem: none", MemoryEffects::Read);
        check("read, inaccessiblemem: readwrite", MemoryEffects::Any);
    }
}
