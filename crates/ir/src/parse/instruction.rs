//! Instructions in the text, except calls.

use super::constants::predicate;
use super::lexer::Token;
use super::locals::{Body, Name};
use super::{Parsed, Parser};
use crate::constant::ConstKind;
use crate::id::{BlockId, ConstId, Id, LocId, TypeId};
use crate::inst::{
    Access, Align, AtomicRmw, BinaryOp, CastOp, Clause, CompareExchange, Inst, InstKind, Ordering, RmwOp, Unsupported,
    Value,
};
use crate::layout::TypeLayout;
use crate::types::Type;
use rustc_hash::FxHashSet;

/// An instruction before it has a place: what it does and the type of its result.
pub(super) type Read = (InstKind, TypeId);

impl<'t> Parser<'t> {
    /// One instruction or debug record.
    pub(super) fn instruction(&mut self, body: &mut Body<'t>) -> Parsed<()> {
        if let Token::Record(name) = self.token {
            return self.debug_record(body, name);
        }
        let from = self.start;
        let name = match self.token {
            Token::LocalNumber(number) => Some(Name::Number(number)),
            Token::Local(text) => Some(Name::Text(text)),
            _ => None,
        };
        if name.is_some() {
            self.bump();
            self.expect_punct(b'=')?;
        }
        let Token::Word(opcode) = self.token else { return Err(self.expected("an instruction")) };
        self.bump();
        let (kind, ty) = match self.read(body, opcode)? {
            Reading::Inst(read) => read,
            Reading::Same(value) => {
                self.attachments()?;
                return self.define(body, name, value);
            }
            Reading::Nothing => return Ok(()),
            Reading::Unknown => (self.unsupported(from)?, self.types.void),
        };
        let loc = self.attachments()?.map(raw_location);
        if name.is_some() && ty == self.types.void && !matches!(kind, InstKind::Unsupported(_)) {
            return Err(self.error_at(from, "an instruction without a result has a name".into()));
        }
        let text = match name {
            Some(Name::Text(text)) => Some(self.module.strings.intern_str(text)),
            _ => None,
        };
        let id = body.push(Inst { kind, ty, loc, name: text });
        if ty != self.types.void || name.is_some() {
            self.define(body, name, Value::Inst(id))?;
        }
        Ok(())
    }

    /// `, !name !node` any number of times; returns the node's number of `!dbg`.
    pub(super) fn attachments(&mut self) -> Parsed<Option<u32>> {
        let mut location = None;
        while self.eat_punct(b',') {
            location = self.attached()?.or(location);
        }
        Ok(location)
    }

    /// `!name !node` any number of times, as functions have it; returns the node's number of `!dbg`.
    pub(super) fn attached(&mut self) -> Parsed<Option<u32>> {
        let mut location = None;
        loop {
            let Token::Metadata(name) = self.token else { return Ok(location) };
            let start = self.start;
            self.bump();
            if self.is_punct(b'=') {
                // `!name = …` is a definition of its own.
                self.rewind(start);
                return Ok(location);
            }
            let node = self.node()?;
            if name == "dbg" {
                location = node;
            }
        }
    }

    /// A metadata node as an operand: a number, or a node written in place, which gets a number of its own.
    pub(super) fn node(&mut self) -> Parsed<Option<u32>> {
        match self.token {
            Token::MetadataNumber(number) => {
                self.bump();
                Ok(Some(number))
            }
            Token::Metadata(_) => {
                let number = self.inline_node;
                self.inline_node -= 1;
                self.nodes.push(super::metadata::Node { number, pos: self.start });
                self.bump();
                self.skip_balanced()?;
                Ok(Some(number))
            }
            Token::Bang => {
                self.bump();
                self.skip_balanced()?;
                Ok(None)
            }
            _ => Err(self.expected("metadata")),
        }
    }

    fn read(&mut self, body: &mut Body<'t>, opcode: &'t str) -> Parsed<Reading> {
        let void = self.types.void;
        let read = match opcode {
            "load" => self.load(body)?,
            "store" => self.store(body)?,
            "br" => self.br(body)?,
            "call" | "tail" | "musttail" | "notail" => return self.call(body, opcode),
            "invoke" => return self.invoke(body),
            "getelementptr" => self.gep(body)?,
            "alloca" => self.alloca(body)?,
            "icmp" | "fcmp" => self.compare(body, opcode)?,
            "phi" => self.phi(body)?,
            "select" => self.select(body)?,
            "ret" => {
                let at = self.start;
                let ty = self.result_type()?;
                self.require(Some(ty) == body.result, at, "the function has another result type")?;
                let value = if ty == void { None } else { Some(self.value(body, ty)?) };
                (InstKind::Ret(value), void)
            }
            "switch" => self.switch(body)?,
            "unreachable" => (InstKind::Unreachable, void),
            "extractvalue" => self.extract_value(body)?,
            "insertvalue" => self.insert_value(body)?,
            "extractelement" | "insertelement" | "shufflevector" => self.vector_inst(body, opcode)?,
            "fneg" => {
                let flags = self.flags();
                let at = self.start;
                let (ty, value) = self.typed_value(body)?;
                self.check_float(ty, at)?;
                (InstKind::FNeg { value, flags }, ty)
            }
            "freeze" => {
                let (ty, value) = self.typed_value(body)?;
                (InstKind::Freeze(value), ty)
            }
            "resume" => {
                let (_, value) = self.typed_value(body)?;
                (InstKind::Resume(value), void)
            }
            "landingpad" => self.landing_pad(body)?,
            "indirectbr" => self.indirect_br(body)?,
            "atomicrmw" => match self.atomic_rmw(body)? {
                Some(read) => read,
                None => return Ok(Reading::Unknown),
            },
            "cmpxchg" => self.compare_exchange(body)?,
            "fence" => {
                let access = self.ordering()?;
                let ordering = access.ordering.ok_or_else(|| self.expected("an ordering"))?;
                (InstKind::Fence { ordering, scope: access.scope }, void)
            }
            "va_arg" => {
                let list = self.pointer_operand(body)?;
                self.expect_punct(b',')?;
                (InstKind::VaArg { list }, self.memory_type()?)
            }
            _ => {
                if let Some(op) = BinaryOp::from_keyword(opcode) {
                    self.binary(body, op)?
                } else if let Some(op) = CastOp::from_keyword(opcode) {
                    return self.cast(body, op);
                } else {
                    return Ok(Reading::Unknown);
                }
            }
        };
        Ok(Reading::Inst(read))
    }

    /// An instruction whose opcode is unknown, as text without its metadata.
    fn unsupported(&mut self, from: usize) -> Parsed<InstKind> {
        let mut end = self.previous_end;
        // The line tells where it ends, but LLVM writes the targets of a `callbr` on a line of their own.
        while (!self.at_new_line() || self.is_word("to")) && self.token != Token::End && !self.is_punct(b'}') {
            if self.is_punct(b',') {
                let comma = self.start;
                self.bump();
                if let Token::Metadata(_) = self.token {
                    self.rewind(comma);
                    break;
                }
                end = self.previous_end;
                continue;
            }
            self.skip_balanced()?;
            end = self.previous_end;
        }
        let text = &self.lexer.text()[from..end];
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = self.module.strings.intern_str(&text);
        // What stands last in its block must be what ends it; attachments may still follow on this line.
        let here = self.start;
        self.attachments()?;
        let terminator = matches!(self.token, Token::Label(_) | Token::Punct(b'}'));
        self.rewind(here);
        Ok(InstKind::Unsupported(Box::new(Unsupported { text, terminator })))
    }

    fn binary(&mut self, body: &mut Body<'t>, op: BinaryOp) -> Parsed<Read> {
        let flags = self.flags();
        self.skip_unknown_flags();
        let at = self.start;
        let (ty, left) = self.typed_value(body)?;
        self.check_arithmetic(op, ty, at)?;
        self.expect_punct(b',')?;
        let right = self.value(body, ty)?;
        Ok((InstKind::Binary { op, flags, left, right }, ty))
    }

    fn cast(&mut self, body: &mut Body<'t>, op: CastOp) -> Parsed<Reading> {
        let flags = self.flags();
        self.skip_unknown_flags();
        let at = self.start;
        let (from, value) = self.typed_value(body)?;
        self.expect_word("to")?;
        let to = self.ty()?;
        if op == CastOp::BitCast && from == to {
            return Ok(Reading::Same(value));
        }
        self.check_cast(op, from, to, at)?;
        Ok(Reading::Inst((InstKind::Cast { op, value, flags }, to)))
    }

    fn compare(&mut self, body: &mut Body<'t>, opcode: &str) -> Parsed<Read> {
        let flags = self.flags();
        let Token::Word(name) = self.token else { return Err(self.expected("a predicate")) };
        let predicate = predicate(opcode, name).ok_or_else(|| self.expected("a predicate"))?;
        self.bump();
        let at = self.start;
        let (ty, left) = self.typed_value(body)?;
        self.check_comparison(predicate, ty, at)?;
        self.expect_punct(b',')?;
        let right = self.value(body, ty)?;
        let result = self.with_shape_of(ty, self.types.i1);
        Ok((InstKind::Compare { predicate, flags, left, right }, result))
    }

    fn select(&mut self, body: &mut Body<'t>) -> Parsed<Read> {
        let flags = self.flags();
        self.skip_unknown_flags();
        let at = self.start;
        let (condition_ty, condition) = self.typed_value(body)?;
        self.expect_punct(b',')?;
        let (ty, then) = self.typed_value(body)?;
        self.check_condition(condition_ty, ty, at)?;
        self.expect_punct(b',')?;
        let otherwise = self.operand_of(body, ty)?;
        Ok((InstKind::Select { condition, then, otherwise, flags }, ty))
    }

    fn phi(&mut self, body: &mut Body<'t>) -> Parsed<Read> {
        let flags = self.flags();
        self.skip_unknown_flags();
        let ty = self.ty()?;
        let mut incoming = Vec::new();
        loop {
            self.expect_punct(b'[')?;
            let value = self.value(body, ty)?;
            self.expect_punct(b',')?;
            let block = self.block(body)?;
            self.expect_punct(b']')?;
            incoming.push((block, value));
            if !self.is_punct(b',') {
                break;
            }
            let comma = self.start;
            self.bump();
            if !self.is_punct(b'[') {
                self.rewind(comma);
                break;
            }
        }
        Ok((InstKind::Phi { incoming: incoming.into(), flags }, ty))
    }

    fn alloca(&mut self, body: &mut Body<'t>) -> Parsed<Read> {
        while self.eat_word("inalloca") || self.eat_word("swifterror") {}
        let element = self.memory_type()?;
        let (mut count, mut align, mut space) = (None, None, self.module.layout.alloca_space);
        while self.is_punct(b',') {
            let comma = self.start;
            self.bump();
            match self.token {
                Token::Word("align") => {
                    self.bump();
                    align = self.power_of_two()?;
                }
                Token::Word("addrspace") => space = self.address_space()?,
                _ if self.at_type() && count.is_none() => {
                    let at = self.start;
                    let (ty, value) = self.typed_value(body)?;
                    self.check_integer(ty, at)?;
                    count = Some(value);
                }
                _ => {
                    self.rewind(comma);
                    break;
                }
            }
        }
        let count = match count {
            Some(count) => count,
            None => Value::Const(self.intern_const(self.types.i32, ConstKind::Int(1))),
        };
        let ty = if space == 0 { self.ptr_type() } else { self.module.types.intern(Type::Ptr(space)) };
        Ok((InstKind::Alloca { element, count, align }, ty))
    }

    fn load(&mut self, body: &mut Body<'t>) -> Parsed<Read> {
        let (atomic, volatile) = (self.eat_word("atomic"), self.eat_word("volatile"));
        let ty = self.memory_type()?;
        self.expect_punct(b',')?;
        let ptr = self.pointer_operand(body)?;
        let mut access = self.access(atomic, volatile)?;
        access.align = self.trailing_align(ty, |layout| layout.align)?;
        Ok((InstKind::Load { ptr, access }, ty))
    }

    fn store(&mut self, body: &mut Body<'t>) -> Parsed<Read> {
        let (atomic, volatile) = (self.eat_word("atomic"), self.eat_word("volatile"));
        let at = self.start;
        let (ty, value) = self.typed_value(body)?;
        self.check_memory(ty, at)?;
        self.expect_punct(b',')?;
        let ptr = self.pointer_operand(body)?;
        let mut access = self.access(atomic, volatile)?;
        access.align = self.trailing_align(ty, |layout| layout.align)?;
        Ok((InstKind::Store { value, ptr, access }, self.types.void))
    }

    /// Ordering, if atomic.
    fn access(&mut self, atomic: bool, volatile: bool) -> Parsed<Access> {
        let mut access = if atomic { self.ordering()? } else { Access::default() };
        access.volatile = volatile;
        Ok(access)
    }

    /// `[syncscope("…")] ordering`.
    fn ordering(&mut self) -> Parsed<Access> {
        let mut access = Access::default();
        if self.eat_word("syncscope") {
            self.expect_punct(b'(')?;
            access.scope = Some(self.string("a scope's name")?);
            self.expect_punct(b')')?;
        }
        access.ordering = Some(self.ordering_word()?);
        Ok(access)
    }

    fn ordering_word(&mut self) -> Parsed<Ordering> {
        let Token::Word(word) = self.token else { return Err(self.expected("an ordering")) };
        let ordering = Ordering::from_keyword(word).ok_or_else(|| self.expected("an ordering"))?;
        self.bump();
        Ok(ordering)
    }

    /// `, align N` if it is there, else the `usual` one of the type: what is not said is no secret.
    fn trailing_align(&mut self, ty: TypeId, usual: fn(TypeLayout) -> u64) -> Parsed<Option<Align>> {
        if self.is_punct(b',') {
            let comma = self.start;
            self.bump();
            if self.eat_word("align") {
                return self.power_of_two();
            }
            self.rewind(comma);
        }
        let module = &mut self.module;
        if module.type_layouts.get(ty).is_none() {
            module.type_layouts.extend(&module.types, &module.layout);
        }
        Ok(module.type_layouts.get(ty).and_then(|layout| Align::from_bytes(usual(layout))))
    }

    fn power_of_two(&mut self) -> Parsed<Option<Align>> {
        let at = self.start;
        let bytes = self.alignment()?;
        match Align::from_bytes(bytes) {
            Some(align) => Ok(Some(align)),
            None => Err(self.error_at(at, format!("an alignment of {bytes} is no power of two"))),
        }
    }

    fn atomic_rmw(&mut self, body: &mut Body<'t>) -> Parsed<Option<Read>> {
        let volatile = self.eat_word("volatile");
        let Token::Word(word) = self.token else { return Err(self.expected("an operation")) };
        let Some(op) = RmwOp::from_keyword(word) else { return Ok(None) };
        self.bump();
        let ptr = self.pointer_operand(body)?;
        self.expect_punct(b',')?;
        let at = self.start;
        let (ty, value) = self.typed_value(body)?;
        self.check_modified(op, ty, at)?;
        let mut access = self.access(true, volatile)?;
        access.align = self.trailing_align(ty, |layout| layout.store_size)?;
        Ok(Some((InstKind::AtomicRmw(Box::new(AtomicRmw { op, ptr, value, access })), ty)))
    }

    fn compare_exchange(&mut self, body: &mut Body<'t>) -> Parsed<Read> {
        let (weak, volatile) = (self.eat_word("weak"), self.eat_word("volatile"));
        let ptr = self.pointer_operand(body)?;
        self.expect_punct(b',')?;
        let at = self.start;
        let (ty, expected) = self.typed_value(body)?;
        let fits = matches!(self.module.types[ty], Type::Int(_) | Type::Ptr(_));
        self.require(fits, at, "an integer or a pointer is needed")?;
        self.expect_punct(b',')?;
        let new = self.operand_of(body, ty)?;
        let mut access = self.ordering()?;
        let failure = self.ordering_word()?;
        access.volatile = volatile;
        access.align = self.trailing_align(ty, |layout| layout.store_size)?;
        let fields = [ty, self.types.i1].into();
        let result = self.module.types.intern(Type::Struct { fields, packed: false });
        let exchange = CompareExchange { ptr, expected, new, access, failure, weak };
        Ok((InstKind::CompareExchange(Box::new(exchange)), result))
    }

    fn gep(&mut self, body: &mut Body<'t>) -> Parsed<Read> {
        let flags = self.gep_flags()?;
        self.skip_unknown_flags();
        let at = self.start;
        let source = self.ty()?;
        self.expect_punct(b',')?;
        let (base_ty, base) = self.typed_value(body)?;
        let (mut indices, mut index_types) = (Vec::new(), Vec::new());
        while self.is_punct(b',') {
            let comma = self.start;
            self.bump();
            if !self.at_type() {
                self.rewind(comma);
                break;
            }
            let (index_ty, index) = self.typed_value(body)?;
            index_types.push(index_ty);
            indices.push(index);
        }
        let result = self.check_address(base_ty, &index_types, at)?;
        self.check_path(source, &indices, at)?;
        Ok((InstKind::Gep { source, base, indices: indices.into(), flags }, result))
    }

    fn extract_value(&mut self, body: &mut Body<'t>) -> Parsed<Read> {
        let (ty, aggregate) = self.typed_value(body)?;
        let (path, element) = self.path(ty)?;
        Ok((InstKind::ExtractValue { aggregate, path }, element))
    }

    fn insert_value(&mut self, body: &mut Body<'t>) -> Parsed<Read> {
        let (ty, aggregate) = self.typed_value(body)?;
        self.expect_punct(b',')?;
        let at = self.start;
        let (element_ty, element) = self.typed_value(body)?;
        let (path, part) = self.path(ty)?;
        self.require(part == element_ty, at, "an element that does not fit its aggregate")?;
        Ok((InstKind::InsertValue { aggregate, element, path }, ty))
    }

    /// `, 1, 0 …`: the path into an aggregate and the type at its end.
    fn path(&mut self, ty: TypeId) -> Parsed<(Box<[u32]>, TypeId)> {
        let (mut path, mut element) = (Vec::new(), ty);
        while self.is_punct(b',') {
            let comma = self.start;
            self.bump();
            if !matches!(self.token, Token::Integer(_)) {
                self.rewind(comma);
                break;
            }
            let at = self.start;
            let index = self.unsigned::<u32>("a position")?;
            let outside = || self.error_at(at, format!("position {index} lies outside the aggregate"));
            let within = match self.module.types.resolve(element) {
                Type::Array(_, count) => u64::from(index) < *count,
                Type::Struct { .. } => true,
                _ => false,
            };
            element = self.module.types.element(element, u64::from(index)).filter(|_| within).ok_or_else(outside)?;
            path.push(index);
        }
        if path.is_empty() {
            return Err(self.expected("a position"));
        }
        Ok((path.into(), element))
    }

    fn vector_inst(&mut self, body: &mut Body<'t>, opcode: &str) -> Parsed<Read> {
        let at = self.start;
        let (ty, vector) = self.typed_value(body)?;
        let Type::Vector { element, .. } = self.module.types[ty] else {
            return Err(self.error_at(at, "the operand is no vector".into()));
        };
        self.expect_punct(b',')?;
        let at = self.start;
        let (second_ty, second) = self.typed_value(body)?;
        if opcode == "extractelement" {
            self.check_integer(second_ty, at)?;
            return Ok((InstKind::ExtractElement { vector, index: second }, element));
        }
        self.expect_punct(b',')?;
        let third_at = self.start;
        let (mask_ty, third) = self.typed_value(body)?;
        if opcode == "insertelement" {
            self.require(second_ty == element, at, "the element does not fit the vector")?;
            self.check_integer(mask_ty, third_at)?;
            return Ok((InstKind::InsertElement { vector, element: second, index: third }, ty));
        }
        self.check_same(ty, second_ty, at)?;
        self.check_mask(mask_ty, third, third_at)?;
        let result = self.with_shape_of(mask_ty, element);
        let mask = self.mask_of(mask_ty, third);
        Ok((InstKind::ShuffleVector { left: vector, right: second, mask }, result))
    }

    fn br(&mut self, body: &mut Body<'t>) -> Parsed<Read> {
        if self.is_word("label") {
            return Ok((InstKind::Br(self.label(body)?), self.types.void));
        }
        let condition = self.operand_of(body, self.types.i1)?;
        self.expect_punct(b',')?;
        let then = self.label(body)?;
        self.expect_punct(b',')?;
        let otherwise = self.label(body)?;
        Ok((InstKind::CondBr { condition, then, otherwise }, self.types.void))
    }

    fn switch(&mut self, body: &mut Body<'t>) -> Parsed<Read> {
        let at = self.start;
        let (ty, value) = self.typed_value(body)?;
        self.check_integer(ty, at)?;
        self.expect_punct(b',')?;
        let default = self.label(body)?;
        self.expect_punct(b'[')?;
        let mut cases: Vec<(ConstId, BlockId)> = Vec::new();
        let mut seen = FxHashSet::default();
        while !self.eat_punct(b']') {
            let at = self.start;
            let case = self.typed_constant()?;
            let constant = &self.module.consts[case];
            let number = matches!(constant.kind, ConstKind::Int(_) | ConstKind::WideInt(_));
            self.require(number && constant.ty == ty, at, "a case that is no number of the switch's type")?;
            self.require(seen.insert(case), at, "a case that the switch has already")?;
            self.expect_punct(b',')?;
            cases.push((case, self.label(body)?));
        }
        Ok((InstKind::Switch { value, default, cases: cases.into() }, self.types.void))
    }

    fn indirect_br(&mut self, body: &mut Body<'t>) -> Parsed<Read> {
        let address = self.pointer_operand(body)?;
        self.expect_punct(b',')?;
        self.expect_punct(b'[')?;
        let mut targets = Vec::new();
        while !self.eat_punct(b']') {
            if !targets.is_empty() {
                self.expect_punct(b',')?;
            }
            targets.push(self.label(body)?);
        }
        Ok((InstKind::IndirectBr { address, targets: targets.into() }, self.types.void))
    }

    fn landing_pad(&mut self, body: &mut Body<'t>) -> Parsed<Read> {
        let ty = self.ty()?;
        let cleanup = self.eat_word("cleanup");
        let mut clauses = Vec::new();
        while self.is_word("catch") || self.is_word("filter") {
            let filter = self.is_word("filter");
            self.bump();
            let (ty, value) = self.typed_value(body)?;
            clauses.push(Clause { filter, ty, value });
        }
        Ok((InstKind::LandingPad { cleanup, clauses: clauses.into() }, ty))
    }

    /// A type and an operand of it, which must be a pointer.
    fn pointer_operand(&mut self, body: &mut Body<'t>) -> Parsed<Value> {
        let at = self.start;
        let (ty, value) = self.typed_value(body)?;
        self.check_pointer(ty, at)?;
        Ok(value)
    }

    /// A type, which must be `ty`, and an operand of it.
    fn operand_of(&mut self, body: &mut Body<'t>, ty: TypeId) -> Parsed<Value> {
        let at = self.start;
        let found = self.ty()?;
        self.check_same(ty, found, at)?;
        self.value(body, ty)
    }

    /// `scalar`, or a vector of it where `shape` is a vector.
    pub(super) fn with_shape_of(&mut self, shape: TypeId, scalar: TypeId) -> TypeId {
        match self.module.types[shape] {
            Type::Vector { count, scalable, .. } => {
                self.module.types.intern(Type::Vector { element: scalar, count, scalable })
            }
            _ => scalar,
        }
    }

    /// Flags that came after this reader was written: all flags so far only say when a result is poison.
    fn skip_unknown_flags(&mut self) {
        while let Token::Word(word) = self.token
            && !self.at_type()
            && !self.at_new_line()
        {
            self.note(format!("unknown flag `{word}` is skipped"));
            self.bump();
        }
    }
}

/// What the text of an instruction amounts to.
pub(super) enum Reading {
    /// An instruction.
    Inst(Read),
    /// Another name for a value.
    Same(Value),
    /// Nothing that the model keeps, or something that is placed already.
    Nothing,
    /// An opcode that the model does not know.
    Unknown,
}

/// Until the metadata is read, a location is its node's number.
pub(super) fn raw_location(number: u32) -> LocId {
    LocId::from_index(number as usize)
}

/// Whether a word begins an instruction, supported or not.
pub(super) fn is_opcode(word: &str) -> bool {
    matches!(
        word,
        "ret"
            | "br"
            | "switch"
            | "indirectbr"
            | "invoke"
            | "callbr"
            | "resume"
            | "catchswitch"
            | "catchret"
            | "cleanupret"
            | "unreachable"
            | "fneg"
            | "extractelement"
            | "insertelement"
            | "shufflevector"
            | "extractvalue"
            | "insertvalue"
            | "alloca"
            | "load"
            | "store"
            | "fence"
            | "cmpxchg"
            | "atomicrmw"
            | "getelementptr"
            | "icmp"
            | "fcmp"
            | "phi"
            | "select"
            | "freeze"
            | "call"
            | "tail"
            | "musttail"
            | "notail"
            | "va_arg"
            | "landingpad"
            | "catchpad"
            | "cleanuppad"
            | "uselistorder"
            | "uselistorder_bb"
    ) || BinaryOp::from_keyword(word).is_some()
        || CastOp::from_keyword(word).is_some()
}
