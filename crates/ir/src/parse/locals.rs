//! Values and blocks of the function being read, by number or name, defined or not yet.

use super::lexer::Token;
use super::{Parsed, Parser};
use crate::id::{Arena, BlockId, Id, InstId, TypeId};
use crate::inst::{Inst, InstKind, Value};
use crate::module::{Block, Param};
use rustc_hash::FxHashMap;

/// Ids from here on stand for values that are used before they are defined.
const FORWARD: usize = 1 << 31;

/// Numbers up to so far ahead go into a table, others into a map.
const DENSE_AHEAD: usize = 1 << 12;

/// The function being read.
#[derive(Default)]
pub(super) struct Body<'t> {
    /// Result type of the function.
    pub result: Option<TypeId>,
    pub params: Vec<Param>,
    pub insts: Arena<InstId, Inst>,
    /// Blocks in the order in which they are first named.
    blocks: Vec<NewBlock<'t>>,
    /// Blocks in the order of the text.
    order: Vec<BlockId>,
    numbered: Vec<Local>,
    far: FxHashMap<u32, Local>,
    named: FxHashMap<&'t str, Local>,
    forward: Vec<Forward<'t>>,
    /// The number that the next unnamed value or block gets.
    next_number: u32,
}

struct NewBlock<'t> {
    name: Name<'t>,
    insts: Vec<InstId>,
    /// Where it begins, or is first used until it does.
    pos: usize,
    defined: bool,
}

#[derive(Clone, Copy, Debug)]
enum Local {
    Unset,
    Value(Value),
    Block(BlockId),
}

#[derive(Clone, Copy)]
struct Forward<'t> {
    name: Name<'t>,
    ty: TypeId,
    pos: usize,
    value: Option<Value>,
}

/// A name as it stands in the text.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Name<'t> {
    Number(u32),
    Text(&'t str),
}

impl std::fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Name::Number(number) => write!(f, "%{number}"),
            Name::Text(text) => write!(f, "%{text}"),
        }
    }
}

/// What is left of a body when its text is read.
pub(super) struct FinishedBody<'t> {
    pub params: Vec<Param>,
    pub blocks: Arena<BlockId, Block>,
    pub insts: Arena<InstId, Inst>,
    /// Name of each block in the text, for `blockaddress`.
    pub labels: Vec<Name<'t>>,
}

impl<'t> Body<'t> {
    pub fn new(result: TypeId) -> Self {
        Body { result: Some(result), ..Body::default() }
    }

    fn get(&self, name: Name<'t>) -> Local {
        let found = match name {
            Name::Number(number) => match self.numbered.get(number as usize) {
                None | Some(Local::Unset) if !self.far.is_empty() => self.far.get(&number),
                found => found,
            },
            Name::Text(text) => self.named.get(text),
        };
        found.copied().unwrap_or(Local::Unset)
    }

    fn set(&mut self, name: Name<'t>, local: Local) {
        match name {
            Name::Number(number) => {
                let index = number as usize;
                if index >= self.insts.len() + self.blocks.len() + self.params.len() + DENSE_AHEAD {
                    self.far.insert(number, local);
                    return;
                }
                if index >= self.numbered.len() {
                    self.numbered.resize(index + 1, Local::Unset);
                }
                self.numbered[index] = local;
            }
            Name::Text(text) => {
                self.named.insert(text, local);
            }
        }
    }

    /// The value behind the one with that number that was used before its definition.
    fn resolve(&mut self, number: usize) -> Option<Value> {
        // A pointer cast that vanished may itself stand for such a value, and so on. Each is unknown while the chain is
        // followed, so that a chain that leads back to itself ends, and knows the end of the chain afterwards.
        let mut chain = vec![number];
        let mut end = self.forward[number].value.take();
        while let Some(Value::Inst(id)) = end
            && id.index() >= FORWARD
        {
            chain.push(id.index() - FORWARD);
            end = self.forward[id.index() - FORWARD].value.take();
        }
        chain.into_iter().for_each(|number| self.forward[number].value = end);
        end
    }

    /// Appends an instruction to the current block.
    pub fn push(&mut self, inst: Inst) -> InstId {
        let id = self.insts.push(inst);
        if let Some(&block) = self.order.last() {
            self.blocks[block.index()].insts.push(id);
        }
        id
    }

    /// Whether a value is the address of a stack object.
    pub fn is_alloca(&self, value: Value) -> bool {
        let inst = match value {
            Value::Inst(id) => self.insts.get(id),
            _ => None,
        };
        inst.is_some_and(|inst| matches!(inst.kind, InstKind::Alloca { .. }))
    }

    /// Whether no block has begun.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Whether the next instruction needs a block of its own.
    pub fn needs_block(&self) -> bool {
        self.order.last().is_none_or(|block| {
            let last = self.blocks[block.index()].insts.last();
            last.is_some_and(|&inst| self.insts[inst].kind.is_terminator())
        })
    }
}

impl<'t> Parser<'t> {
    /// The operand of type `ty` that the current token begins.
    pub(super) fn value(&mut self, body: &mut Body<'t>, ty: TypeId) -> Parsed<Value> {
        let name = match self.token {
            Token::LocalNumber(number) => Name::Number(number),
            Token::Local(text) => Name::Text(text),
            _ => return self.constant(ty).map(Value::Const),
        };
        self.check_operand(ty)?;
        let value = self.local(body, name, ty)?;
        self.bump();
        Ok(value)
    }

    /// A type and an operand of it.
    pub(super) fn typed_value(&mut self, body: &mut Body<'t>) -> Parsed<(TypeId, Value)> {
        let ty = self.ty()?;
        Ok((ty, self.value(body, ty)?))
    }

    fn local(&mut self, body: &mut Body<'t>, name: Name<'t>, ty: TypeId) -> Parsed<Value> {
        match body.get(name) {
            Local::Value(value) => {
                let found = self.type_of(body, value);
                if found != ty {
                    match value {
                        Value::Inst(id) if self.is_of_unknown_type(body, value) => body.insts[id].ty = ty,
                        _ => return Err(self.error(format!("{name} was defined with another type"))),
                    }
                }
                Ok(value)
            }
            Local::Block(_) => Err(self.error(format!("{name} is a block, not a value"))),
            Local::Unset => {
                let value = Value::Inst(InstId::from_index(FORWARD + body.forward.len()));
                body.forward.push(Forward { name, ty, pos: self.start, value: None });
                body.set(name, Local::Value(value));
                Ok(value)
            }
        }
    }

    fn type_of(&self, body: &Body<'t>, value: Value) -> TypeId {
        match value {
            Value::Inst(id) if id.index() >= FORWARD => body.forward[id.index() - FORWARD].ty,
            Value::Inst(id) => body.insts[id].ty,
            Value::Arg(index) => body.params[index as usize].ty,
            Value::Const(id) => self.module.consts[id].ty,
        }
    }

    /// Gives a value its name; an unnamed one gets the next number.
    pub(super) fn define(&mut self, body: &mut Body<'t>, name: Option<Name<'t>>, value: Value) -> Parsed<()> {
        let name = self.next_name(body, name)?;
        match body.get(name) {
            Local::Unset => {}
            Local::Value(Value::Inst(id)) if id.index() >= FORWARD => {
                body.forward[id.index() - FORWARD].value = Some(value);
            }
            _ => return Err(self.error(format!("{name} is defined twice"))),
        }
        body.set(name, Local::Value(value));
        Ok(())
    }

    /// The name of what comes next; numbers must not go down.
    fn next_name(&mut self, body: &mut Body<'t>, name: Option<Name<'t>>) -> Parsed<Name<'t>> {
        let name = name.unwrap_or(Name::Number(body.next_number));
        if let Name::Number(number) = name {
            if number < body.next_number || number == u32::MAX {
                return Err(self.error(format!("expected %{}, found {name}", body.next_number)));
            }
            body.next_number = number + 1;
        }
        Ok(name)
    }

    /// The block that the current token names.
    pub(super) fn block(&mut self, body: &mut Body<'t>) -> Parsed<BlockId> {
        let name = match self.token {
            Token::LocalNumber(number) => Name::Number(number),
            Token::Local(text) => Name::Text(text),
            _ => return Err(self.expected("a block")),
        };
        let block = self.block_named(body, name)?;
        self.bump();
        Ok(block)
    }

    /// `label %block`.
    pub(super) fn label(&mut self, body: &mut Body<'t>) -> Parsed<BlockId> {
        self.expect_word("label")?;
        self.block(body)
    }

    fn block_named(&mut self, body: &mut Body<'t>, name: Name<'t>) -> Parsed<BlockId> {
        match body.get(name) {
            Local::Block(block) => Ok(block),
            Local::Value(_) => Err(self.error(format!("{name} is a value, not a block"))),
            Local::Unset => {
                let block = BlockId::from_index(body.blocks.len());
                body.blocks.push(NewBlock { name, insts: Vec::new(), pos: self.start, defined: false });
                body.set(name, Local::Block(block));
                Ok(block)
            }
        }
    }

    /// Begins the block of that name; an unnamed one gets the next number.
    pub(super) fn begin_block(&mut self, body: &mut Body<'t>, name: Option<Name<'t>>) -> Parsed<()> {
        let name = self.next_name(body, name)?;
        let block = self.block_named(body, name)?;
        let new = &mut body.blocks[block.index()];
        new.pos = self.start;
        if std::mem::replace(&mut new.defined, true) {
            return Err(self.error(format!("block {name} is defined twice")));
        }
        body.order.push(block);
        Ok(())
    }

    /// Puts definitions in the place of uses that came before them, and blocks into the order of the text.
    pub(super) fn finish_body(&mut self, mut body: Body<'t>) -> Parsed<FinishedBody<'t>> {
        let resolved = self.resolve_forward(&mut body)?;
        if let Some(block) = body.blocks.iter().find(|block| !block.defined) {
            return Err(self.error_at(block.pos, format!("block {} is not defined", block.name)));
        }
        let mut place = vec![BlockId::from_index(0); body.blocks.len()];
        for (position, block) in body.order.iter().enumerate() {
            place[block.index()] = BlockId::from_index(position);
        }
        let moved = body.order.iter().enumerate().any(|(position, block)| block.index() != position);
        for inst in body.insts.iter_mut() {
            if !resolved.is_empty() {
                inst.kind.map_operands(|value| match value {
                    Value::Inst(id) if id.index() >= FORWARD => resolved[id.index() - FORWARD],
                    _ => value,
                });
            }
            if moved {
                inst.kind.map_blocks(|block| place[block.index()]);
            }
        }
        let mut blocks = Arena::new();
        let mut labels = Vec::with_capacity(body.order.len());
        let mut places = Vec::with_capacity(body.order.len());
        for block in body.order {
            let NewBlock { name, insts, pos, .. } = &mut body.blocks[block.index()];
            places.push(*pos);
            labels.push(*name);
            let name = match *name {
                Name::Number(_) => None,
                Name::Text(text) => Some(self.module.strings.intern_str(text)),
            };
            blocks.push(Block { name, insts: std::mem::take(insts) });
        }
        body.insts.shrink_to_fit();
        self.check_flow(&blocks, &mut body.insts, &places)?;
        Ok(FinishedBody { params: body.params, blocks, insts: body.insts, labels })
    }

    /// What each value that was used before its definition is.
    fn resolve_forward(&mut self, body: &mut Body<'t>) -> Parsed<Vec<Value>> {
        let mut resolved = Vec::with_capacity(body.forward.len());
        for number in 0..body.forward.len() {
            let value = body.resolve(number);
            let Forward { name, ty, pos, .. } = body.forward[number];
            let Some(value) = value else { return Err(self.error_at(pos, format!("{name} is not defined"))) };
            let found = self.type_of(body, value);
            if found != ty && !self.is_of_unknown_type(body, value) {
                return Err(self.error_at(pos, format!("{name} is defined with another type")));
            }
            if let (true, Value::Inst(id)) = (found != ty, value) {
                body.insts[id].ty = ty;
            }
            resolved.push(value);
        }
        Ok(resolved)
    }

    /// Whether a value is the result of an unsupported instruction that nothing has used yet: its text does not tell its
    /// type, its use does.
    fn is_of_unknown_type(&self, body: &Body<'t>, value: Value) -> bool {
        let Value::Inst(id) = value else { return false };
        let inst = body.insts.get(id);
        inst.is_some_and(|inst| inst.ty == self.types.void && matches!(inst.kind, InstKind::Unsupported(_)))
    }
}
