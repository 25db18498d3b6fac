//! Constant expressions that newer LLVM has no more become instructions in front of their user.
//!
//! What every version knows stays an expression: addresses (`getelementptr`), conversions between
//! pointers and integers, `trunc`, `bitcast`, `add`, `sub` and `xor`. An initialiser of a variable
//! cannot hold instructions, so there every expression stays as it is.

use super::body::Body;
use super::constants::{cast_keyword, gep_keyword};
use super::text::{push_decimal, push_signed};
use crate::constant::{Const, ConstKind};
use crate::id::{BlockId, ConstId, Id, TypeId};
use crate::inst::{BinaryOp, CastOp, Flags, InstKind, Value};
use crate::module::Module;
use crate::types::Type;

/// Which constants have to become instructions; empty if none.
pub fn find(module: &Module) -> Vec<bool> {
    let mut expands: Vec<bool> =
        module.consts.iter_ids().map(|(_, constant)| !is_lasting(module, &constant.kind)).collect();
    if !expands.contains(&true) {
        return Vec::new();
    }
    // Whatever contains such an expression, too. Parts mostly come before the whole, so few rounds do.
    loop {
        let mut changed = false;
        for (id, constant) in module.consts.iter_ids() {
            if !expands[id.index()] && parts(&constant.kind).iter().any(|part| expands[part.index()]) {
                expands[id.index()] = true;
                changed = true;
            }
        }
        if !changed {
            return expands;
        }
    }
}

impl Body<'_, '_> {
    /// Chooses names for the constants of phis that have to be computed in a predecessor.
    pub fn name_phi_expansions(&mut self) {
        if self.printer.expands.is_empty() {
            return;
        }
        for (_, _, inst) in self.function.body() {
            let InstKind::Phi { incoming, .. } = &inst.kind else { continue };
            for &(block, value) in incoming {
                if let Value::Const(id) = value
                    && self.expands(id)
                    && !self.phi_expansions.contains_key(&(block, id))
                {
                    let name = self.names.make_fresh(self.printer.module, "expr");
                    self.phi_expansions.insert((block, id), name);
                }
            }
        }
    }

    /// Writes the instructions that compute the operands of `kind`, an instruction of `block`.
    pub fn expand_operands(&mut self, block: BlockId, kind: &InstKind) {
        if kind.is_terminator() {
            let first = ConstId::from_index(0);
            let wanted: Vec<_> = self
                .phi_expansions
                .range((block, first)..)
                .take_while(|((predecessor, _), _)| *predecessor == block)
                .map(|((_, id), name)| (*id, name.clone()))
                .collect();
            for (id, name) in wanted {
                self.expand_as(id, name);
            }
        }
        // Phis were served by their predecessors; the others take constants only.
        if matches!(kind, InstKind::Phi { .. } | InstKind::Marker(_) | InstKind::LandingPad { .. }) {
            return;
        }
        let mut constants = Vec::new();
        kind.for_each_operand(|value| {
            if let Value::Const(id) = value {
                constants.push(id);
            }
        });
        constants.into_iter().for_each(|id| self.expand(id));
    }

    /// Writes the value of a phi for a predecessor.
    pub fn incoming_value(&mut self, block: BlockId, value: Value) {
        let expansion = match value {
            Value::Const(id) => self.phi_expansions.get(&(block, id)),
            _ => None,
        };
        match expansion {
            Some(name) => {
                self.printer.out.push('%');
                self.printer.out.push_str(name);
            }
            None => self.value(value),
        }
    }

    /// Starts an instruction whose result gets a fresh name, which is returned.
    pub fn temporary(&mut self, opcode: &str) -> String {
        let name = self.names.make_fresh(self.printer.module, "expr");
        self.start(&name, opcode);
        name
    }

    fn expands(&self, id: ConstId) -> bool {
        self.printer.expands.get(id.index()) == Some(&true)
    }

    /// Writes the instructions that compute a constant, if it has to be and is not yet.
    fn expand(&mut self, id: ConstId) {
        if self.expands(id) && !self.printer.expanded.contains_key(&id) {
            let name = self.names.make_fresh(self.printer.module, "expr");
            self.expand_as(id, name);
        }
    }

    /// Writes the instructions that compute a constant; the last one's result has that name.
    fn expand_as(&mut self, id: ConstId, name: String) {
        let module = self.printer.module;
        let Const { ty, kind } = &module.consts[id];
        parts(kind).iter().for_each(|&part| self.expand(part));
        match kind {
            ConstKind::Aggregate(elements) => self.build(&name, *ty, elements),
            ConstKind::Splat(element) => self.repeat(&name, *ty, *element),
            ConstKind::Unsupported(_) => {
                self.printer.trap();
                self.start(&name, "freeze ");
                self.ty(*ty);
                self.push(" undef\n");
            }
            _ => {
                self.start(&name, "");
                self.expression(*ty, kind);
                self.push("\n");
            }
        }
        self.printer.expanded.insert(id, name);
    }

    /// Writes an expression as the instruction that computes it.
    fn expression(&mut self, ty: TypeId, kind: &ConstKind) {
        match kind {
            ConstKind::Offset { base, bytes, inbounds } => {
                self.push(if *inbounds { "getelementptr inbounds i8, " } else { "getelementptr i8, " });
                self.printer.typed_constant(*base);
                self.push(", i64 ");
                push_signed(&mut self.printer.out, i128::from(*bytes));
            }
            ConstKind::Gep { source, operands, flags } => {
                self.push(gep_keyword(*flags));
                self.push(" ");
                self.ty(*source);
                for &operand in operands {
                    self.push(", ");
                    self.printer.typed_constant(operand);
                }
            }
            ConstKind::Cast { op, value } => {
                self.push(cast_keyword(*op));
                self.push(" ");
                self.printer.typed_constant(*value);
                self.push(" to ");
                self.ty(ty);
            }
            ConstKind::Binary { op, flags, left, right } => {
                self.push(op.keyword());
                self.printer.flags(*flags);
                self.push(" ");
                self.pair(Value::Const(*left), Value::Const(*right));
            }
            ConstKind::Compare { predicate, left, right } => {
                self.printer.comparison(*predicate, Flags::empty());
                self.push(" ");
                self.pair(Value::Const(*left), Value::Const(*right));
            }
            ConstKind::Select(operands) => {
                self.push("select ");
                self.list(&operands.map(Value::Const));
            }
            // No other constant has parts or has to be computed.
            _ => {
                self.push("freeze ");
                self.ty(ty);
                self.push(" poison");
            }
        }
    }

    /// Builds an aggregate or vector element by element.
    fn build(&mut self, name: &str, ty: TypeId, elements: &[ConstId]) {
        let is_vector = matches!(self.printer.module.types.resolve(ty), Type::Vector { .. });
        let mut so_far: Option<String> = None;
        for (index, &element) in elements.iter().enumerate() {
            let opcode = if is_vector { "insertelement " } else { "insertvalue " };
            let next = if index + 1 == elements.len() {
                self.start(name, opcode);
                name.to_string()
            } else {
                self.temporary(opcode)
            };
            self.ty(ty);
            match &so_far {
                Some(name) => {
                    self.push(" %");
                    self.push(name);
                }
                None => self.push(" poison"),
            }
            self.push(", ");
            self.printer.typed_constant(element);
            self.push(if is_vector { ", i32 " } else { ", " });
            push_decimal(&mut self.printer.out, index as u128);
            self.push("\n");
            so_far = Some(next);
        }
    }

    /// Builds a vector of equal elements.
    fn repeat(&mut self, name: &str, ty: TypeId, element: ConstId) {
        let first = self.temporary("insertelement ");
        self.ty(ty);
        self.push(" poison, ");
        self.printer.typed_constant(element);
        self.push(", i32 0\n");
        self.start(name, "shufflevector ");
        self.ty(ty);
        self.push(" %");
        self.push(&first);
        self.push(", ");
        self.ty(ty);
        self.push(" poison, ");
        self.printer.zero_mask(ty);
        self.push("\n");
    }

    fn start(&mut self, name: &str, opcode: &str) {
        self.push("  %");
        self.push(name);
        self.push(" = ");
        self.push(opcode);
    }
}

/// Whether every version knows the constant's own operation.
fn is_lasting(module: &Module, kind: &ConstKind) -> bool {
    use CastOp::*;
    match kind {
        // Distances that only the machine knows are no constants any more.
        ConstKind::Gep { source, .. } => module.type_layouts.get(*source).is_some(),
        ConstKind::Cast { op, .. } => {
            matches!(op, BitCast | AddrSpaceCast | IntToPtr | PtrToInt | PtrToAddr | Trunc)
        }
        ConstKind::Binary { op, .. } => matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Xor),
        ConstKind::Compare { .. } | ConstKind::Select(_) => false,
        // Known by its text only, which later versions do not read.
        ConstKind::Unsupported(text) => {
            let removed = ["extractvalue", "insertvalue", "fneg"];
            !removed.iter().any(|opcode| module.str(*text).starts_with(opcode))
        }
        _ => true,
    }
}

/// The constants that a constant is made of.
fn parts(kind: &ConstKind) -> Vec<ConstId> {
    match kind {
        ConstKind::Aggregate(elements) => elements.to_vec(),
        ConstKind::Gep { operands, .. } => operands.to_vec(),
        ConstKind::Splat(part) | ConstKind::Offset { base: part, .. } | ConstKind::Cast { value: part, .. } => {
            vec![*part]
        }
        ConstKind::Binary { left, right, .. } | ConstKind::Compare { left, right, .. } => vec![*left, *right],
        ConstKind::Select(parts) => parts.to_vec(),
        _ => Vec::new(),
    }
}
