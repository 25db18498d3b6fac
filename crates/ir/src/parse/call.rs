//! Calls, invokes and the three spellings of debug variables.

use super::function::is_lifetime;
use super::instruction::{Read, Reading, raw_location};
use super::lexer::Token;
use super::locals::Body;
use super::{Parsed, Parser, metadata};
use crate::constant::ConstKind;
use crate::debug::ExprOp;
use crate::id::{AttrsId, ExprId, Id, TypeId, VarId};
use crate::inst::{Bundle, Call, Callee, Inst, InstKind, Marker, MarkerKind, Tail, Value};
use crate::types::Type;

/// Parts of a call as they are read.
struct Arguments {
    types: Vec<TypeId>,
    values: Vec<Value>,
    attrs: Vec<AttrsId>,
    any_attrs: bool,
}

impl<'t> Parser<'t> {
    /// A call; `first` is `call` or a tail-call marker, already read.
    pub(super) fn call(&mut self, body: &mut Body<'t>, first: &str) -> Parsed<Reading> {
        let tail = match first {
            "tail" => Tail::Tail,
            "musttail" => Tail::MustTail,
            "notail" => Tail::NoTail,
            _ => Tail::None,
        };
        if tail != Tail::None {
            self.expect_word("call")?;
        }
        if let Some(reading) = self.debug_intrinsic(body)? {
            return Ok(reading);
        }
        let (mut call, result) = self.callee_and_arguments(body)?;
        call.tail = tail;
        if self.is_idle_lifetime(body, &call) {
            self.attachments()?;
            return Ok(Reading::Nothing);
        }
        Ok(Reading::Inst((InstKind::Call(Box::new(call)), result)))
    }

    /// Whether a call says that something other than a stack object begins or ends; LLVM drops such calls.
    fn is_idle_lifetime(&self, body: &Body<'t>, call: &Call) -> bool {
        let Callee::Value(callee) = call.callee else { return false };
        let lifetime = self.module.as_symbol(callee).is_some_and(|symbol| is_lifetime(self.module.symbol_name(symbol)));
        lifetime && !matches!(call.args.first(), Some(&arg) if body.is_alloca(arg))
    }

    /// The object that a pointer to its start points to: what the pointer is before steps of no distance.
    fn whole_object(&self, body: &Body<'t>, pointer: Value) -> Value {
        let is_zero = |value: &Value| match value {
            Value::Const(id) => matches!(self.module.consts[*id].kind, ConstKind::Int(0)),
            _ => false,
        };
        let mut pointer = pointer;
        // No compiler makes more than a few such steps.
        for _ in 0..16 {
            match pointer {
                Value::Inst(id) => match body.insts.get(id).map(|inst| &inst.kind) {
                    Some(InstKind::Gep { base, indices, .. }) if indices.iter().all(is_zero) => pointer = *base,
                    _ => break,
                },
                _ => break,
            }
        }
        pointer
    }

    /// An invoke; the word itself is already read.
    pub(super) fn invoke(&mut self, body: &mut Body<'t>) -> Parsed<Reading> {
        let (call, result) = self.callee_and_arguments(body)?;
        self.expect_word("to")?;
        let normal = self.label(body)?;
        self.expect_word("unwind")?;
        let unwind = self.label(body)?;
        Ok(Reading::Inst((InstKind::Invoke { call: Box::new(call), normal, unwind }, result)))
    }

    fn callee_and_arguments(&mut self, body: &mut Body<'t>) -> Parsed<(Call, TypeId)> {
        let flags = self.flags();
        let convention = self.calling_convention()?;
        let result_attrs = self.value_attrs()?;
        let result_attrs = self.attrs(result_attrs);
        // Functions live in the space of the program, unless the call says otherwise.
        let space = match self.is_word("addrspace") {
            true => self.address_space()?,
            false => self.module.layout.program_space,
        };
        let stated_at = self.start;
        let stated = self.result_type()?;
        let intrinsic = matches!(self.token, Token::Global(name) if name.starts_with("llvm."));
        let lifetime = matches!(self.token, Token::Global(name) if is_lifetime(name));
        let callee = if self.is_word("asm") {
            Callee::Asm(self.assembly()?)
        } else {
            let ptr = self.pointer(space);
            Callee::Value(self.value(body, ptr)?)
        };
        let arguments_at = self.start;
        let mut arguments = self.arguments(body)?;
        if !intrinsic && arguments.types.contains(&self.types.metadata) {
            return Err(self.error_at(arguments_at, "metadata is an argument of intrinsics only".into()));
        }
        if lifetime && arguments.values.len() == 2 {
            // Today's form has the pointer only, and that is the alloca itself.
            arguments.types.remove(0);
            arguments.values.remove(0);
            arguments.attrs.remove(0);
            arguments.values[0] = self.whole_object(body, arguments.values[0]);
        }
        let function_ty = match &self.module.types[stated] {
            Type::Function { params, variadic, .. } if !lifetime => {
                let (fixed, given) = (params.len(), arguments.values.len());
                if given < fixed || (given > fixed && !variadic) {
                    return Err(self.error(format!("{given} arguments where the function's type has {fixed}")));
                }
                if arguments.types[..fixed] != **params {
                    return Err(self.error_at(arguments_at, "arguments of other types than the function's".into()));
                }
                stated
            }
            _ => {
                let result = self.module.types.signature(stated).map_or(stated, |(result, ..)| result);
                self.check_result(result, stated_at)?;
                let params = arguments.types.clone().into();
                self.module.types.intern(Type::Function { result, params, variadic: false })
            }
        };
        let result = self.module.types.signature(function_ty).map_or(self.types.void, |(result, ..)| result);
        let mut attrs = self.call_attrs()?;
        if lifetime {
            // LLVM drops them when it brings a call to today's form; they say nothing that the name does not.
            attrs.clear();
        }
        let call = Call {
            callee,
            function_ty,
            args: arguments.values.into(),
            arg_attrs: if arguments.any_attrs { arguments.attrs.into() } else { [].into() },
            result_attrs,
            attrs: self.attrs(attrs),
            convention,
            tail: Tail::None,
            flags,
            bundles: self.bundles(body)?,
        };
        Ok((call, result))
    }

    /// `asm … "…", "…"` as text.
    fn assembly(&mut self) -> Parsed<crate::id::StrId> {
        let from = self.start;
        while let Token::Word(_) = self.token {
            self.bump();
        }
        self.string("the assembly's text")?;
        self.expect_punct(b',')?;
        self.string("the assembly's constraints")?;
        let text = &self.lexer.text()[from..self.previous_end];
        Ok(self.module.strings.intern_str(text))
    }

    fn arguments(&mut self, body: &mut Body<'t>) -> Parsed<Arguments> {
        let mut arguments = Arguments { types: Vec::new(), values: Vec::new(), attrs: Vec::new(), any_attrs: false };
        self.expect_punct(b'(')?;
        let mut first = true;
        while !self.eat_punct(b')') {
            if !std::mem::take(&mut first) {
                self.expect_punct(b',')?;
            }
            if self.token == Token::Ellipsis {
                // A tail call passes on the variadic arguments of its own function.
                self.bump();
                continue;
            }
            let ty = self.ty()?;
            let (value, attrs) = if ty == self.types.metadata {
                (Value::Const(self.metadata_argument(ty)?), self.no_attrs())
            } else {
                let attrs = self.value_attrs()?;
                arguments.any_attrs |= !attrs.is_empty();
                (self.value(body, ty)?, self.attrs(attrs))
            };
            arguments.types.push(ty);
            arguments.values.push(value);
            arguments.attrs.push(attrs);
        }
        Ok(arguments)
    }

    /// Metadata as an argument, kept as text; see `finish` for numbers.
    fn metadata_argument(&mut self, ty: TypeId) -> Parsed<crate::id::ConstId> {
        let from = self.start;
        let mut depth_zero = false;
        while !depth_zero {
            match self.token {
                Token::Punct(b',' | b')') | Token::End => depth_zero = true,
                _ => self.skip_balanced()?,
            }
        }
        let text = &self.lexer.text()[from..self.previous_end.max(from)];
        let text = self.module.strings.intern_str(text);
        Ok(self.intern_const(ty, ConstKind::Metadata(text)))
    }

    /// `[ "tag"(ty v, …), … ]`.
    fn bundles(&mut self, body: &mut Body<'t>) -> Parsed<Box<[Bundle]>> {
        let mut bundles = Vec::new();
        if !self.eat_punct(b'[') {
            return Ok([].into());
        }
        while !self.eat_punct(b']') {
            if !bundles.is_empty() {
                self.expect_punct(b',')?;
            }
            let tag = self.string("a bundle's tag")?;
            self.expect_punct(b'(')?;
            let mut operands = Vec::new();
            while !self.eat_punct(b')') {
                if !operands.is_empty() {
                    self.expect_punct(b',')?;
                }
                operands.push(self.typed_value(body)?);
            }
            bundles.push(Bundle { tag, operands: operands.into() });
        }
        Ok(bundles.into())
    }

    /// `void @llvm.dbg.…(…)`, the spelling of clang up to 18; anything else is left unread.
    fn debug_intrinsic(&mut self, body: &mut Body<'t>) -> Parsed<Option<Reading>> {
        if !self.is_word("void") {
            return Ok(None);
        }
        let from = self.start;
        self.bump();
        let kind = match self.token {
            Token::Global("llvm.dbg.declare") => Some(MarkerKind::Declare),
            Token::Global("llvm.dbg.value" | "llvm.dbg.assign" | "llvm.dbg.addr") => Some(MarkerKind::Assign),
            Token::Global("llvm.dbg.label") => None,
            _ => {
                self.rewind(from);
                return Ok(None);
            }
        };
        // The variable is what is there, but unlike with `dbg.declare` only from here on.
        let address = self.token == Token::Global("llvm.dbg.addr");
        self.bump();
        let Some(kind) = kind else {
            self.skip_balanced()?;
            self.call_attrs()?;
            self.attachments()?;
            return Ok(Some(Reading::Nothing));
        };
        self.expect_punct(b'(')?;
        self.expect_word("metadata")?;
        let value = self.debug_value(body)?;
        self.expect_punct(b',')?;
        self.expect_word("metadata")?;
        let variable = self.node()?;
        self.expect_punct(b',')?;
        self.expect_word("metadata")?;
        let mut expr = self.expression_node()?;
        if address {
            let ops = expr.map_or(&[][..], |expr| &self.module.debug.exprs[expr]);
            let ops = std::iter::once(ExprOp::Deref).chain(ops.iter().cloned()).collect();
            expr = Some(self.module.debug.exprs.intern(ops));
        }
        // `dbg.assign` also tells the address and a link to the store; the value is enough here.
        while self.eat_punct(b',') {
            self.expect_word("metadata")?;
            self.debug_value(body)?;
        }
        self.expect_punct(b')')?;
        self.call_attrs()?;
        let Some(variable) = variable else { return Ok(Some(Reading::Nothing)) };
        let marker = Marker { kind, value, variable: raw_variable(variable), expr };
        let read: Read = (InstKind::Marker(marker), self.types.void);
        Ok(Some(Reading::Inst(read)))
    }

    /// `#dbg_value(ty v, !var, !DIExpression(…), !loc)` and its kin.
    pub(super) fn debug_record(&mut self, body: &mut Body<'t>, name: &str) -> Parsed<()> {
        let kind = match name {
            "dbg_declare" => MarkerKind::Declare,
            "dbg_value" | "dbg_assign" => MarkerKind::Assign,
            _ => {
                self.bump();
                return self.skip_balanced();
            }
        };
        self.bump();
        self.expect_punct(b'(')?;
        let value = self.debug_value(body)?;
        self.expect_punct(b',')?;
        let variable = self.node()?;
        self.expect_punct(b',')?;
        let expr = self.expression_node()?;
        let mut last = None;
        while self.eat_punct(b',') {
            match self.token {
                Token::MetadataNumber(_) | Token::Metadata(_) | Token::Bang => last = self.node()?,
                _ => {
                    self.debug_value(body)?;
                }
            }
        }
        self.expect_punct(b')')?;
        // A marker behind a terminator has no place where it could matter.
        if let Some(variable) = variable
            && !body.needs_block()
        {
            let marker = Marker { kind, value, variable: raw_variable(variable), expr };
            let ty = self.types.void;
            body.push(Inst { kind: InstKind::Marker(marker), ty, loc: last.map(raw_location), name: None });
        }
        Ok(())
    }

    /// The value of a debug variable; `None` if it is unknown or computed of several values.
    fn debug_value(&mut self, body: &mut Body<'t>) -> Parsed<Option<Value>> {
        match self.token {
            Token::Metadata(_) => {
                self.bump();
                self.skip_balanced()?;
                Ok(None)
            }
            Token::MetadataNumber(_) | Token::Bang => {
                self.node()?;
                Ok(None)
            }
            _ => {
                let (_, value) = self.typed_value(body)?;
                let unknown = matches!(value, Value::Const(id)
                    if matches!(self.module.consts[id].kind, ConstKind::Undef | ConstKind::Poison));
                Ok(if unknown { None } else { Some(value) })
            }
        }
    }

    /// `!DIExpression(…)`; `None` for the empty one.
    fn expression_node(&mut self) -> Parsed<Option<ExprId>> {
        if self.token != Token::Metadata("DIExpression") {
            // By number it is never written; whatever it is, it is not the plain variable.
            let from = self.start;
            self.node()?;
            let text = self.lexer.text()[from..self.previous_end].trim();
            let name = self.module.strings.intern_str(text);
            return Ok(Some(self.module.debug.exprs.intern([ExprOp::Other(name, [].into())].into())));
        }
        let mut lexer = self.lexer.clone();
        let ops = metadata::expression_ops(&mut lexer, &mut self.module.strings);
        let Some(ops) = ops else { return Err(self.expected("a debug expression")) };
        self.rewind(lexer.pos);
        Ok(if ops.is_empty() { None } else { Some(self.module.debug.exprs.intern(ops)) })
    }
}

/// Until the metadata is read, a variable is its node's number.
fn raw_variable(number: u32) -> VarId {
    VarId::from_index(number as usize)
}
