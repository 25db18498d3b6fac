//! Constants and constant expressions in the text.

use super::lexer::{Token, unescape};
use super::locals::Name;
use super::{Parsed, Parser, numbers};
use crate::constant::{Const, ConstKind};
use crate::id::{ConstId, TypeId};
use crate::inst::{BinaryOp, CastOp, Flags, FloatPredicate, IntPredicate, Predicate, Value};
use crate::types::Type;

impl<'t> Parser<'t> {
    /// A constant of type `ty`, which was read before it.
    pub(super) fn constant(&mut self, ty: TypeId) -> Parsed<ConstId> {
        self.check_operand(ty)?;
        let kind = match self.token {
            Token::Integer(text) | Token::Number(text) => {
                let kind = self.literal(text, ty)?;
                self.bump();
                kind
            }
            Token::Global(name) => {
                self.check_pointer(ty, self.start)?;
                self.bump();
                ConstKind::Symbol(self.symbol(name))
            }
            Token::Bytes(text) => {
                let bytes = unescape(text);
                let fits = matches!(self.module.types[ty], Type::Array(element, _) if element == self.types.i8);
                self.require(fits, self.start, "text of a type other than an array of i8")?;
                self.check_count(ty, bytes.len())?;
                self.bump();
                if bytes.iter().all(|byte| *byte == 0) { ConstKind::Zero } else { ConstKind::Bytes(bytes.into()) }
            }
            Token::Punct(open @ (b'[' | b'{' | b'<')) => self.nested(|p| p.aggregate(open, ty))?,
            Token::Word(word) => return self.word_constant(word, ty),
            _ => return Err(self.expected("a value")),
        };
        Ok(self.intern_const(ty, kind))
    }

    /// A type and a constant of it.
    pub(super) fn typed_constant(&mut self) -> Parsed<ConstId> {
        let ty = self.ty()?;
        self.constant(ty)
    }

    pub(super) fn intern_const(&mut self, ty: TypeId, kind: ConstKind) -> ConstId {
        self.module.consts.intern(Const { ty, kind })
    }

    fn literal(&self, text: &str, ty: TypeId) -> Parsed<ConstKind> {
        let kind = match &self.module.types[ty] {
            Type::Int(bits) if *bits <= 128 => numbers::small_integer(text, *bits).map(ConstKind::Int),
            Type::Int(bits) => numbers::integer(text, *bits).map(|words| ConstKind::WideInt(words.into())),
            Type::Float(kind) => numbers::float(text, *kind).map(ConstKind::Float),
            _ => return Err(self.error("a number of a type that has no numbers".into())),
        };
        kind.ok_or_else(|| self.error("a number that its type cannot hold".into()))
    }

    fn word_constant(&mut self, word: &'t str, ty: TypeId) -> Parsed<ConstId> {
        let kind = match word {
            "true" => ConstKind::Int(1),
            "false" => ConstKind::Int(0),
            "null" => ConstKind::Null,
            "undef" => ConstKind::Undef,
            "poison" => ConstKind::Poison,
            "none" => ConstKind::NoToken,
            // `zeroinitializer` may stand for any type; scalars have one form for zero.
            "zeroinitializer" => match &self.module.types[ty] {
                Type::Int(bits) if *bits <= 128 => ConstKind::Int(0),
                Type::Int(_) => ConstKind::WideInt([0].into()),
                Type::Float(_) => ConstKind::Float(0),
                Type::Ptr(_) => ConstKind::Null,
                _ => ConstKind::Zero,
            },
            "inf" | "nan" => {
                let kind = self.literal(word, ty)?;
                self.bump();
                return Ok(self.intern_const(ty, kind));
            }
            _ => return self.nested(|p| p.expression(word, ty)),
        };
        if matches!(word, "true" | "false") && ty != self.types.i1 {
            return Err(self.error(format!("`{word}` of a type other than i1")));
        }
        if word == "null" && !matches!(self.module.types[ty], Type::Ptr(_)) {
            return Err(self.error("`null` of a type other than a pointer".into()));
        }
        if word == "none" && self.module.types[ty] != Type::Token {
            return Err(self.error("`none` of a type other than a token".into()));
        }
        self.bump();
        Ok(self.intern_const(ty, kind))
    }

    fn aggregate(&mut self, open: u8, ty: TypeId) -> Parsed<ConstKind> {
        let at = self.start;
        self.bump();
        let packed = open == b'<' && self.eat_punct(b'{');
        let fits = match self.module.types.resolve(ty) {
            Type::Array(..) => open == b'[',
            Type::Vector { .. } => open == b'<' && !packed,
            Type::Struct { packed: tight, .. } => *tight == packed && matches!((open, packed), (b'{', _) | (_, true)),
            _ => false,
        };
        self.require(fits, at, "a bracket that does not fit the type")?;
        let close = match open {
            b'[' => b']',
            b'{' => b'}',
            _ if packed => b'}',
            _ => b'>',
        };
        let mut elements = Vec::new();
        while !self.eat_punct(close) {
            if !elements.is_empty() {
                self.expect_punct(b',')?;
            }
            let expected = self.module.types.element(ty, elements.len() as u64);
            let at = self.start;
            let element = self.typed_constant()?;
            if expected != Some(self.module.consts[element].ty) {
                return Err(self.error_at(at, "an element that does not fit the type of its aggregate".into()));
            }
            elements.push(element);
        }
        if packed {
            self.expect_punct(b'>')?;
        }
        self.check_count(ty, elements.len())?;
        Ok(self.aggregate_of(ty, elements))
    }

    fn check_count(&self, ty: TypeId, found: usize) -> Parsed<()> {
        let expected = match self.module.types.resolve(ty) {
            Type::Array(_, count) | Type::Vector { count, scalable: false, .. } => *count,
            Type::Struct { fields, .. } => fields.len() as u64,
            _ => return Err(self.error("elements of a type that has none".into())),
        };
        if expected == found as u64 {
            return Ok(());
        }
        Err(self.error(format!("{found} elements where the type has {expected}")))
    }

    fn expression(&mut self, word: &'t str, ty: TypeId) -> Parsed<ConstId> {
        let from = self.start;
        self.bump();
        let (kind, found) = match word {
            "getelementptr" => return self.gep_expression(ty, from),
            "splat" => {
                self.expect_punct(b'(')?;
                let element = self.typed_constant()?;
                self.expect_punct(b')')?;
                let fits = matches!(self.module.types[ty], Type::Vector { element: part, .. }
                    if part == self.module.consts[element].ty);
                self.require(fits, from, "an element that does not fit its vector")?;
                (self.splat_of(element), ty)
            }
            "shufflevector" => match self.repeated_element(ty)? {
                Some(element) => (self.splat_of(element), ty),
                None => {
                    self.rewind(from);
                    self.bump();
                    (self.unsupported_constant(from)?, ty)
                }
            },
            "blockaddress" => return self.block_address(ty, from),
            "dso_local_equivalent" | "no_cfi" => {
                self.check_pointer(ty, from)?;
                let Token::Global(name) = self.take() else { return Err(self.expected("a function's name")) };
                let keyword = self.module.strings.intern_str(word);
                (ConstKind::FunctionStub { keyword, function: self.symbol(name) }, ty)
            }
            "select" => {
                let operands = self.operands::<3>()?;
                let [condition, then, otherwise] = operands.map(|operand| self.module.consts[operand].ty);
                self.check_condition(condition, then, from)?;
                self.check_same(then, otherwise, from)?;
                (ConstKind::Select(operands), then)
            }
            "icmp" | "fcmp" => {
                self.flags();
                let Token::Word(name) = self.take() else { return Err(self.expected("a predicate")) };
                let predicate = predicate(word, name).ok_or_else(|| self.expected("a predicate"))?;
                let ([left, right], operands) = self.pair(from)?;
                self.check_comparison(predicate, operands, from)?;
                (ConstKind::Compare { predicate, left, right }, self.with_shape_of(operands, self.types.i1))
            }
            _ => {
                if let Some(op) = CastOp::from_keyword(word) {
                    self.flags();
                    self.expect_punct(b'(')?;
                    let value = self.typed_constant()?;
                    self.expect_word("to")?;
                    let to = self.ty()?;
                    self.expect_punct(b')')?;
                    if op == CastOp::BitCast && to == self.module.consts[value].ty && to == ty {
                        return Ok(value);
                    }
                    self.check_cast(op, self.module.consts[value].ty, to, from)?;
                    (ConstKind::Cast { op, value }, to)
                } else if let Some(op) = BinaryOp::from_keyword(word) {
                    let flags = self.flags();
                    let ([left, right], operands) = self.pair(from)?;
                    self.check_arithmetic(op, operands, from)?;
                    (ConstKind::Binary { op, flags, left, right }, operands)
                } else if is_constant_word(word) {
                    (self.unsupported_constant(from)?, ty)
                } else {
                    self.rewind(from);
                    return Err(self.expected("a value"));
                }
            }
        };
        self.check_expression(ty, found, from)?;
        Ok(self.intern_const(ty, kind))
    }

    /// Fails unless an expression has the type that was announced.
    fn check_expression(&self, ty: TypeId, found: TypeId, at: usize) -> Parsed<()> {
        self.require(ty == found, at, "an expression of another type than announced")
    }

    /// `( ty a, ty b )`: two operands of the same type.
    fn pair(&mut self, at: usize) -> Parsed<([ConstId; 2], TypeId)> {
        let operands = self.operands::<2>()?;
        let [left, right] = operands.map(|operand| self.module.consts[operand].ty);
        self.check_same(left, right, at)?;
        Ok((operands, left))
    }

    /// What LLVM before 20 and our print write for a vector of equal elements:
    /// `(V insertelement (V poison, T x, i32 0), V poison, M zeroinitializer)`; `None` if it is anything else.
    fn repeated_element(&mut self, ty: TypeId) -> Parsed<Option<ConstId>> {
        let Type::Vector { element: part, .. } = self.module.types[ty] else { return Ok(None) };
        let mask = self.with_shape_of(ty, self.types.i32);
        let head = self.eat_punct(b'(')
            && self.ty()? == ty
            && self.eat_word("insertelement")
            && self.eat_punct(b'(')
            && self.ty()? == ty
            && (self.eat_word("poison") || self.eat_word("undef"))
            && self.eat_punct(b',')
            && self.ty()? == part;
        if !head {
            return Ok(None);
        }
        let element = self.constant(part)?;
        self.expect_punct(b',')?;
        let position = self.typed_constant()?;
        let rest = self.module.consts[position].kind == ConstKind::Int(0)
            && self.eat_punct(b')')
            && self.eat_punct(b',')
            && self.ty()? == ty
            && (self.eat_word("poison") || self.eat_word("undef"))
            && self.eat_punct(b',')
            && self.ty()? == mask
            && self.eat_word("zeroinitializer")
            && self.eat_punct(b')');
        Ok(rest.then_some(element))
    }

    /// An expression that is kept as text: everything up to its closing bracket.
    fn unsupported_constant(&mut self, from: usize) -> Parsed<ConstKind> {
        while !self.is_punct(b'(') {
            match self.token {
                Token::Word(_) => self.bump(),
                _ => return Err(self.expected("`(`")),
            }
        }
        self.skip_balanced()?;
        let text = &self.lexer.text()[from..self.previous_end];
        Ok(ConstKind::Unsupported(self.module.strings.intern_str(text)))
    }

    /// `( ty a, ty b, … )`.
    fn operands<const N: usize>(&mut self) -> Parsed<[ConstId; N]> {
        let mut found = Vec::with_capacity(N);
        self.expect_punct(b'(')?;
        for i in 0..N {
            if i > 0 {
                self.expect_punct(b',')?;
            }
            found.push(self.typed_constant()?);
        }
        self.expect_punct(b')')?;
        found.try_into().map_err(|_| self.expected("an operand"))
    }

    fn gep_expression(&mut self, ty: TypeId, from: usize) -> Parsed<ConstId> {
        let flags = self.gep_flags()?;
        self.expect_punct(b'(')?;
        let source = self.ty()?;
        let mut operands = Vec::new();
        while self.eat_punct(b',') {
            if self.eat_word("inrange") && self.is_punct(b'(') {
                self.skip_balanced()?;
            }
            operands.push(self.typed_constant()?);
        }
        let Some((&base, indices)) = operands.split_first() else { return Err(self.expected("a base address")) };
        self.expect_punct(b')')?;
        let index_types: Vec<TypeId> = indices.iter().map(|index| self.module.consts[*index].ty).collect();
        let found = self.check_address(self.module.consts[base].ty, &index_types, from)?;
        self.check_expression(ty, found, from)?;
        let path: Vec<Value> = indices.iter().map(|index| Value::Const(*index)).collect();
        self.check_path(source, &path, from)?;
        if let Some(id) = self.constant_offset(ty, source, &operands, flags) {
            return Ok(id);
        }
        Ok(self.intern_const(ty, ConstKind::Gep { source, operands: operands.into(), flags }))
    }

    /// `inbounds`, `nuw`, `nusw`, `inrange(a, b)`.
    pub(super) fn gep_flags(&mut self) -> Parsed<Flags> {
        let mut flags = Flags::empty();
        while let Token::Word(word) = self.token {
            match word {
                "inbounds" => flags |= Flags::INBOUNDS,
                "nusw" => flags |= Flags::NUSW,
                "nuw" => flags |= Flags::NUW,
                "inrange" => {
                    self.bump();
                    self.skip_balanced()?;
                    continue;
                }
                _ => break,
            }
            self.bump();
        }
        Ok(flags)
    }

    /// The constant address as base plus bytes, if every index is a known integer.
    fn constant_offset(&mut self, ty: TypeId, source: TypeId, operands: &[ConstId], flags: Flags) -> Option<ConstId> {
        let (&base, indices) = operands.split_first()?;
        let Type::Ptr(_) = self.module.types[ty] else { return None };
        let module = &mut self.module;
        module.type_layouts.extend(&module.types, &module.layout);
        let mut bytes = 0i64;
        let mut inner = source;
        for (position, &index) in indices.iter().enumerate() {
            let index = signed_index(&module.types, &module.consts[index])?;
            let step = if position == 0 {
                i64::try_from(module.type_layouts.get(source)?.size).ok()?.checked_mul(index)?
            } else {
                let (offset, element) = module.type_layouts.element_offset(&module.types, inner, index)?;
                inner = element;
                offset
            };
            bytes = bytes.checked_add(step)?;
        }
        let mut inbounds = flags.contains(Flags::INBOUNDS);
        let mut base = base;
        if let ConstKind::Offset { base: below, bytes: more, inbounds: also } = module.consts[base].kind {
            base = below;
            bytes = bytes.checked_add(more)?;
            inbounds &= also;
        }
        if bytes == 0 {
            return Some(base);
        }
        Some(self.intern_const(ty, ConstKind::Offset { base, bytes, inbounds }))
    }

    fn block_address(&mut self, ty: TypeId, from: usize) -> Parsed<ConstId> {
        self.check_pointer(ty, from)?;
        self.expect_punct(b'(')?;
        let Token::Global(function) = self.take() else { return Err(self.expected("a function's name")) };
        let function = self.symbol(function);
        self.expect_punct(b',')?;
        let label = match self.token {
            Token::Local(name) => Name::Text(name),
            Token::LocalNumber(number) => Name::Number(number),
            _ => return Err(self.expected("a block's name")),
        };
        let block = self.block_addresses.placeholder(function, label, self.start);
        self.bump();
        self.expect_punct(b')')?;
        Ok(self.intern_const(ty, ConstKind::BlockAddress { function, block }))
    }

    /// Flags of an instruction or expression, in any order.
    pub(super) fn flags(&mut self) -> Flags {
        let mut flags = Flags::empty();
        while let Token::Word(word) = self.token {
            flags |= match word {
                "nuw" => Flags::NUW,
                "nsw" => Flags::NSW,
                "exact" => Flags::EXACT,
                "disjoint" => Flags::DISJOINT,
                "nneg" => Flags::NNEG,
                "samesign" => Flags::SAMESIGN,
                "nnan" => Flags::NNAN,
                "ninf" => Flags::NINF,
                "nsz" => Flags::NSZ,
                "arcp" => Flags::ARCP,
                "contract" => Flags::CONTRACT,
                "afn" => Flags::AFN,
                "reassoc" => Flags::REASSOC,
                "fast" => Flags::FAST,
                _ => break,
            };
            self.bump();
        }
        flags
    }
}

/// The predicate of `icmp` or `fcmp`.
pub(super) fn predicate(opcode: &str, name: &str) -> Option<Predicate> {
    match opcode {
        "icmp" => IntPredicate::from_keyword(name).map(Predicate::Int),
        _ => FloatPredicate::from_keyword(name).map(Predicate::Float),
    }
}

/// Whether a bare word can start a constant; every other word before a value is an attribute.
pub(super) fn is_constant_word(word: &str) -> bool {
    matches!(
        word,
        "true"
            | "false"
            | "null"
            | "undef"
            | "poison"
            | "none"
            | "zeroinitializer"
            | "inf"
            | "nan"
            | "splat"
            | "blockaddress"
            | "dso_local_equivalent"
            | "no_cfi"
            | "ptrauth"
            | "asm"
            | "getelementptr"
            | "select"
            | "icmp"
            | "fcmp"
            | "fneg"
            | "extractelement"
            | "insertelement"
            | "shufflevector"
            | "extractvalue"
            | "insertvalue"
    ) || CastOp::from_keyword(word).is_some()
        || BinaryOp::from_keyword(word).is_some()
}

fn signed_index(types: &crate::types::Types, index: &Const) -> Option<i64> {
    let (Type::Int(bits), ConstKind::Int(value)) = (&types[index.ty], &index.kind) else { return None };
    let unused = 128 - (*bits).min(128);
    i64::try_from(((*value << unused) as i128) >> unused).ok()
}
