//! Types in the text.

use super::lexer::Token;
use super::{Parsed, Parser};
use crate::id::TypeId;
use crate::types::{FloatKind, NamedType, Type, Types};

/// Ids of the types that nearly every instruction names.
pub(super) struct Cache {
    pub void: TypeId,
    pub ptr: TypeId,
    pub metadata: TypeId,
    pub i1: TypeId,
    pub i8: TypeId,
    pub i32: TypeId,
    pub i64: TypeId,
}

impl Cache {
    pub fn new(types: &mut Types) -> Cache {
        Cache {
            void: types.void(),
            ptr: types.ptr(),
            metadata: types.intern(Type::Metadata),
            i1: types.int(1),
            i8: types.int(8),
            i32: types.int(32),
            i64: types.int(64),
        }
    }
}

/// Most parts of a type other than a struct that a name stands for: it is printed wherever the name was.
const MAX_OTHER_TYPE: usize = 64;

/// LLVM's own limit for integer types.
const MAX_INT_BITS: u32 = 1 << 23;

impl<'t> Parser<'t> {
    /// A type other than `void`, with everything that follows it: `*`, `addrspace(n)`, parameters of a function type.
    pub(super) fn ty(&mut self) -> Parsed<TypeId> {
        let at = self.start;
        let ty = self.result_type()?;
        self.require(ty != self.types.void, at, "`void` is the type of results only")?;
        Ok(ty)
    }

    /// A type, or `void`.
    pub(super) fn result_type(&mut self) -> Parsed<TypeId> {
        let mut ty = match self.token {
            Token::Word(word) => match self.word_type(word) {
                Some(ty) => {
                    self.bump();
                    ty
                }
                None if word == "ptr" => {
                    self.bump();
                    let space = self.address_space()?;
                    self.pointer(space)
                }
                None if word == "target" => self.target_type()?,
                None => return Err(self.expected("a type")),
            },
            Token::Local(name) => {
                self.bump();
                self.named_type(name)?
            }
            Token::LocalNumber(_) => {
                let name = &self.lexer.text()[self.start..self.lexer.pos];
                self.bump();
                self.named_type(name)?
            }
            Token::Punct(b'[') => self.nested(Self::array_type)?,
            Token::Punct(b'{') => self.nested(|p| p.struct_type(false))?,
            Token::Punct(b'<') => {
                self.bump();
                if self.is_punct(b'{') {
                    let ty = self.nested(|p| p.struct_type(true))?;
                    self.expect_punct(b'>')?;
                    ty
                } else {
                    self.nested(Self::vector_type)?
                }
            }
            _ => return Err(self.expected("a type")),
        };
        loop {
            match self.token {
                Token::Punct(b'*') => {
                    self.bump();
                    ty = self.types.ptr;
                }
                Token::Word("addrspace") => {
                    let space = self.address_space()?;
                    self.expect_punct(b'*')?;
                    ty = self.pointer(space);
                }
                Token::Punct(b'(') => ty = self.nested(|p| p.function_type(ty))?,
                _ => return Ok(ty),
            }
        }
    }

    /// Whether the current token can only be the start of a type.
    pub(super) fn at_type(&self) -> bool {
        match self.token {
            Token::Word(word) => {
                matches!(word, "ptr" | "void" | "target" | "opaque") || int_bits(word).is_some() || is_other_type(word)
            }
            Token::Local(_) | Token::LocalNumber(_) => true,
            Token::Punct(punct) => matches!(punct, b'[' | b'{' | b'<'),
            _ => false,
        }
    }

    /// `addrspace(n)` if it is there, else 0.
    pub(super) fn address_space(&mut self) -> Parsed<u32> {
        if !self.eat_word("addrspace") {
            return Ok(0);
        }
        self.expect_punct(b'(')?;
        let space = match self.token {
            // The space that the layout gives to allocas, globals or the program.
            Token::String(kind) => {
                let layout = &self.module.layout;
                let space = match kind {
                    "A" => layout.alloca_space,
                    "G" => layout.global_space,
                    "P" => layout.program_space,
                    _ => return Err(self.expected("an address space")),
                };
                self.bump();
                space
            }
            _ => self.unsigned("an address space")?,
        };
        self.expect_punct(b')')?;
        Ok(space)
    }

    /// The type of that name: a struct, defined or not yet, or what the name is only another word for.
    pub(super) fn named_type(&mut self, name: &'t str) -> Parsed<TypeId> {
        if let Some(&(ty, depth)) = self.other_types.get(name) {
            self.check_nesting(depth)?;
            return Ok(ty);
        }
        let id = match self.named_types.get(name) {
            Some(&id) => id,
            None => {
                let text = super::without_sign(name, '%');
                let named = NamedType { name: self.module.strings.intern_str(text), body: None };
                let id = self.module.types.named.push(named);
                self.named_types.insert(name, id);
                id
            }
        };
        Ok(self.module.types.intern(Type::Named(id)))
    }

    /// How deep the text of a type nests; fails if it is longer than what a name may stand for.
    pub(super) fn measure_other_type(&self, ty: TypeId, at: usize) -> Parsed<u32> {
        let types = &self.module.types;
        let (mut deepest, mut left) = (0, MAX_OTHER_TYPE);
        let mut stack = vec![(ty, 1)];
        while let Some((ty, depth)) = stack.pop() {
            deepest = deepest.max(depth);
            self.require(left > 0, at, "a name for a type of very many parts")?;
            left -= 1;
            match &types[ty] {
                Type::Array(element, _) | Type::Vector { element, .. } => stack.push((*element, depth + 1)),
                Type::Struct { fields, .. } => stack.extend(fields.iter().map(|&field| (field, depth + 1))),
                Type::Function { result, params, .. } => {
                    stack.push((*result, depth + 1));
                    stack.extend(params.iter().map(|&param| (param, depth + 1)));
                }
                _ => {}
            }
        }
        Ok(deepest)
    }

    fn word_type(&mut self, word: &str) -> Option<TypeId> {
        match word {
            "i32" => return Some(self.types.i32),
            "i64" => return Some(self.types.i64),
            "i8" => return Some(self.types.i8),
            "i1" => return Some(self.types.i1),
            "void" => return Some(self.types.void),
            _ => {}
        }
        if let Some(bits) = int_bits(word) {
            return Some(self.module.types.int(bits));
        }
        let ty = match word {
            "half" => Type::Float(FloatKind::Half),
            "bfloat" => Type::Float(FloatKind::BFloat),
            "float" => Type::Float(FloatKind::Float),
            "double" => Type::Float(FloatKind::Double),
            "x86_fp80" => Type::Float(FloatKind::X86Fp80),
            "fp128" => Type::Float(FloatKind::Fp128),
            "ppc_fp128" => Type::Float(FloatKind::PpcFp128),
            "label" => Type::Label,
            "metadata" => Type::Metadata,
            "token" => Type::Token,
            "x86_mmx" | "x86_amx" => Type::Other(self.module.strings.intern_str(word)),
            _ => return None,
        };
        Some(self.module.types.intern(ty))
    }

    /// The type of pointers into an address space.
    pub(super) fn pointer(&mut self, space: u32) -> TypeId {
        if space == 0 { self.types.ptr } else { self.module.types.intern(Type::Ptr(space)) }
    }

    /// `target("name", …)`.
    fn target_type(&mut self) -> Parsed<TypeId> {
        let from = self.start;
        self.bump();
        self.skip_balanced()?;
        let text = &self.lexer.text()[from..self.previous_end];
        let id = self.module.strings.intern_str(text);
        Ok(self.module.types.intern(Type::Other(id)))
    }

    fn array_type(&mut self) -> Parsed<TypeId> {
        self.bump();
        let count = self.unsigned("a number of elements")?;
        self.expect_word("x")?;
        let element = self.memory_type()?;
        self.expect_punct(b']')?;
        Ok(self.module.types.intern(Type::Array(element, count)))
    }

    fn vector_type(&mut self) -> Parsed<TypeId> {
        let scalable = self.eat_word("vscale");
        if scalable {
            self.expect_word("x")?;
        }
        let at = self.start;
        let count = u64::from(self.unsigned::<u32>("a number of elements")?);
        self.require(count > 0, at, "a vector without elements")?;
        self.expect_word("x")?;
        let at = self.start;
        let element = self.ty()?;
        let fits = matches!(self.module.types[element], Type::Int(_) | Type::Float(_) | Type::Ptr(_) | Type::Other(_));
        self.require(fits, at, "a type that vectors cannot have as an element")?;
        self.expect_punct(b'>')?;
        Ok(self.module.types.intern(Type::Vector { element, count, scalable }))
    }

    fn struct_type(&mut self, packed: bool) -> Parsed<TypeId> {
        self.expect_punct(b'{')?;
        let mut fields = Vec::new();
        while !self.eat_punct(b'}') {
            if !fields.is_empty() {
                self.expect_punct(b',')?;
            }
            fields.push(self.memory_type()?);
        }
        Ok(self.module.types.intern(Type::Struct { fields: fields.into(), packed }))
    }

    /// The type of something in memory.
    pub(super) fn memory_type(&mut self) -> Parsed<TypeId> {
        let at = self.start;
        let ty = self.ty()?;
        self.check_memory(ty, at)?;
        Ok(ty)
    }

    /// Fails unless functions can return `ty`.
    pub(super) fn check_result(&self, ty: TypeId, at: usize) -> Parsed<()> {
        let fits = !matches!(self.module.types[ty], Type::Function { .. } | Type::Label | Type::Metadata);
        self.require(fits, at, "a type that functions cannot return")
    }

    /// The type of a parameter.
    pub(super) fn param_type(&mut self) -> Parsed<TypeId> {
        let at = self.start;
        let ty = self.ty()?;
        let fits = !matches!(self.module.types[ty], Type::Function { .. } | Type::Label);
        self.require(fits, at, "a type that parameters cannot have")?;
        Ok(ty)
    }

    fn function_type(&mut self, result: TypeId) -> Parsed<TypeId> {
        self.check_result(result, self.start)?;
        self.expect_punct(b'(')?;
        let (mut params, mut variadic) = (Vec::new(), false);
        while !self.eat_punct(b')') {
            if !params.is_empty() {
                self.expect_punct(b',')?;
            }
            if self.token == Token::Ellipsis {
                self.bump();
                variadic = true;
                self.expect_punct(b')')?;
                break;
            }
            params.push(self.param_type()?);
        }
        Ok(self.module.types.intern(Type::Function { result, params: params.into(), variadic }))
    }
}

/// Width of `iN`.
fn int_bits(word: &str) -> Option<u32> {
    let digits = word.strip_prefix('i')?;
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok().filter(|bits| (1..=MAX_INT_BITS).contains(bits))
}

fn is_other_type(word: &str) -> bool {
    matches!(
        word,
        "half"
            | "bfloat"
            | "float"
            | "double"
            | "x86_fp80"
            | "fp128"
            | "ppc_fp128"
            | "label"
            | "metadata"
            | "token"
            | "x86_mmx"
            | "x86_amx"
    )
}
