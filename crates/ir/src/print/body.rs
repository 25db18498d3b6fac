//! A function's body: blocks, operands, and everything that depends on the function at hand.

use std::collections::BTreeMap;

use super::Printer;
use super::names::LocalNames;
use crate::attrs::{Attr, AttrFlag};
use crate::id::{BlockId, ConstId, InstId, TypeId};
use crate::inst::{InstKind, Value};
use crate::module::{Function, Module};
use crate::types::Type;

/// The body being written.
pub struct Body<'p, 'm> {
    /// The text and what it refers to.
    pub printer: &'p mut Printer<'m>,
    /// The function.
    pub function: &'m Function,
    /// Names of its blocks and values.
    pub names: LocalNames,
    /// Constants of phis that have to be computed at the end of a predecessor, and what they are named.
    pub phi_expansions: BTreeMap<(BlockId, ConstId), String>,
    /// Stack objects that are passed in a way that they must be marked for, and the mark.
    pub marked_allocas: BTreeMap<InstId, &'static str>,
}

impl<'p, 'm> Body<'p, 'm> {
    /// Writes a function from after its linkage.
    pub fn print(printer: &'p mut Printer<'m>, function: &'m Function) {
        let mut names = std::mem::take(&mut printer.locals);
        names.assign(printer.module, function, printer.block_addresses.of(function.symbol));
        let marked_allocas = marked_allocas(printer.module, function);
        let mut body = Body { printer, function, names, phi_expansions: BTreeMap::new(), marked_allocas };
        body.name_phi_expansions();
        body.head();
        if has_funclets(body.printer.module, function) {
            // Unwinding leads into a block that cannot be written, and no other block may stand there.
            body.printer.trap();
            body.push("  unreachable\n");
        } else {
            function.blocks.ids().for_each(|id| body.block(id));
        }
        body.printer.out.push_str("}\n");
        body.printer.locals = body.names;
    }

    fn head(&mut self) {
        let Body { printer, function, names, .. } = self;
        printer.signature(function, |printer, index| {
            let param = &function.params[index];
            printer.ty(param.ty);
            printer.value_attributes(param.attrs);
            printer.out.push_str(" %");
            names.push_arg(printer.module, &mut printer.out, index);
        });
        printer.placement(function);
        printer.out.push_str(" {\n");
    }

    fn block(&mut self, id: BlockId) {
        let function = self.function;
        let is_entry = function.blocks.ids().next() == Some(id);
        if !(is_entry && self.names.is_numbered(id)) {
            self.names.push_block(self.printer.module, &mut self.printer.out, id);
            self.printer.out.push_str(":\n");
        }
        let mut ended = false;
        for &inst in &function.blocks[id].insts {
            let kind = &function.insts[inst].kind;
            ended = kind.is_terminator();
            if !self.printer.expands.is_empty() {
                self.expand_operands(id, kind);
            }
            self.instruction(inst);
            self.printer.expanded.clear();
        }
        if !ended {
            self.push("  unreachable\n");
        }
    }

    /// Whether control may still go on from a block in the text.
    pub fn has_successors(&self, block: BlockId) -> bool {
        let end = self.function.terminator(block);
        end.is_some_and(|inst| inst.kind.is_terminator() && !matches!(inst.kind, InstKind::Unsupported(_)))
    }

    /// Appends text.
    pub fn push(&mut self, text: &str) {
        self.printer.out.push_str(text);
    }

    /// Writes a type.
    pub fn ty(&mut self, ty: TypeId) {
        self.printer.ty(ty);
    }

    /// Writes type and name or value of an operand.
    pub fn typed(&mut self, value: Value) {
        self.ty(self.type_of(value));
        self.push(" ");
        self.value(value);
    }

    /// Writes two operands of the same type, the type once.
    pub fn pair(&mut self, left: Value, right: Value) {
        self.typed(left);
        self.push(", ");
        self.value(right);
    }

    /// Writes several operands with their types.
    pub fn list(&mut self, values: &[Value]) {
        for (i, &value) in values.iter().enumerate() {
            if i > 0 {
                self.push(", ");
            }
            self.typed(value);
        }
    }

    /// Writes name or value of an operand.
    pub fn value(&mut self, value: Value) {
        let module = self.printer.module;
        let out = &mut self.printer.out;
        let named = match value {
            Value::Const(id) => return self.printer.constant(id),
            Value::Inst(id) => {
                out.push('%');
                self.names.push_inst(module, out, id)
            }
            Value::Arg(index) => {
                out.push('%');
                self.names.push_arg(module, out, index as usize)
            }
        };
        if !named {
            // The value of something that is not in the text.
            out.pop();
            let token = matches!(module.types[self.type_of(value)], Type::Token);
            self.push(if token { "none" } else { "poison" });
        }
    }

    /// Writes a block as an operand.
    pub fn label(&mut self, block: BlockId) {
        self.push("label ");
        self.block_name(block);
    }

    /// Writes the name of a block.
    pub fn block_name(&mut self, block: BlockId) {
        self.push("%");
        self.names.push_block(self.printer.module, &mut self.printer.out, block);
    }

    /// Writes the result of an instruction and `=`, if it has one.
    pub fn result(&mut self, id: InstId) {
        self.push("  ");
        if self.names.is_named(id) {
            self.push("%");
            self.names.push_inst(self.printer.module, &mut self.printer.out, id);
            self.push(" = ");
        }
    }

    /// Type of an operand.
    pub fn type_of(&self, value: Value) -> TypeId {
        self.printer.module.type_of(self.function, value)
    }
}

/// Whether a function unwinds in the way of Windows, which the model knows by its text only.
pub(super) fn has_funclets(module: &Module, function: &Function) -> bool {
    let is_pad = |text: &str| ["catchswitch", "catchpad", "cleanuppad"].iter().any(|opcode| text.contains(opcode));
    function.insts.iter().any(|inst| match &inst.kind {
        InstKind::Unsupported(unsupported) => is_pad(module.str(unsupported.text)),
        _ => false,
    })
}

/// Stack objects that calls take in a way that LLVM wants to know where they are made.
fn marked_allocas(module: &Module, function: &Function) -> BTreeMap<InstId, &'static str> {
    let mark = |attr: &Attr| match attr {
        Attr::Flag(AttrFlag::SwiftError) => Some("swifterror "),
        Attr::InAlloca(_) => Some("inalloca "),
        _ => None,
    };
    let calls = function.insts.iter().filter_map(|inst| inst.kind.call());
    let args = calls.flat_map(|call| call.args.iter().zip(&call.arg_attrs));
    args.filter_map(|(&arg, &attrs)| match arg {
        Value::Inst(id) => Some((id, module.attrs[attrs].0.iter().find_map(mark)?)),
        _ => None,
    })
    .collect()
}
