//! Instructions other than calls.

use super::body::Body;
use super::constants::{cast_keyword, gep_keyword};
use super::text::{push_decimal, push_quoted};
use crate::constant::ConstKind;
use crate::id::{BlockId, ConstId, InstId, StrId, TypeId};
use crate::inst::{Access, Align, AtomicRmw, CompareExchange, InstKind, Ordering, Unsupported, Value};
use crate::types::Type;

impl Body<'_, '_> {
    /// Writes an instruction and the end of its line.
    pub fn instruction(&mut self, id: InstId) {
        let inst = &self.function.insts[id];
        match &inst.kind {
            InstKind::Marker(_) => return,
            InstKind::Unsupported(unsupported) => return self.unsupported(id, unsupported),
            InstKind::Call(call) => return self.call(id, call),
            InstKind::Phi { incoming, .. } if !incoming.iter().any(|&(block, _)| self.has_successors(block)) => {
                // Every predecessor ends in an instruction that could not be written.
                return self.any_value(id, inst.ty);
            }
            _ => {}
        }
        self.result(id);
        self.operation(id, &inst.kind, inst.ty);
        self.push("\n");
    }

    fn operation(&mut self, id: InstId, kind: &InstKind, ty: TypeId) {
        match kind {
            InstKind::Alloca { element, count, align } => {
                self.push("alloca ");
                self.push(self.marked_allocas.get(&id).copied().unwrap_or_default());
                self.ty(*element);
                if !self.is_one(*count) {
                    self.push(", ");
                    self.typed(*count);
                }
                self.printer.align(", ", *align);
                if let Type::Ptr(space @ 1..) = self.printer.module.types[ty] {
                    self.push(", ");
                    self.printer.address_space(space);
                }
            }
            InstKind::Load { ptr, access } => {
                self.push("load ");
                self.access_start(access);
                self.ty(ty);
                self.push(", ");
                self.typed(*ptr);
                self.access_end(access, ty);
            }
            InstKind::Store { value, ptr, access } => {
                self.push("store ");
                self.access_start(access);
                self.list(&[*value, *ptr]);
                self.access_end(access, self.type_of(*value));
            }
            InstKind::Gep { source, base, indices, flags } => {
                self.push(gep_keyword(*flags));
                self.push(" ");
                self.ty(*source);
                self.push(", ");
                self.typed(*base);
                for &index in indices {
                    self.push(", ");
                    self.typed(index);
                }
            }
            InstKind::Binary { op, flags, left, right } => {
                self.push(op.keyword());
                self.printer.flags(*flags);
                self.push(" ");
                self.pair(*left, *right);
            }
            InstKind::FNeg { value, flags } => {
                self.push("fneg");
                self.printer.fast_math(*flags);
                self.push(" ");
                self.typed(*value);
            }
            InstKind::Compare { predicate, flags, left, right } => {
                self.printer.comparison(*predicate, *flags);
                self.push(" ");
                self.pair(*left, *right);
            }
            InstKind::Cast { op, value, .. } => {
                self.push(cast_keyword(*op));
                self.push(" ");
                self.typed(*value);
                self.push(" to ");
                self.ty(ty);
            }
            InstKind::Select { condition, then, otherwise, flags } => {
                self.push("select");
                self.printer.fast_math(*flags);
                self.push(" ");
                self.list(&[*condition, *then, *otherwise]);
            }
            InstKind::Phi { incoming, flags } => {
                self.push("phi");
                self.printer.fast_math(*flags);
                self.push(" ");
                self.ty(ty);
                self.incoming(incoming);
            }
            InstKind::Freeze(value) => {
                self.push("freeze ");
                self.typed(*value);
            }
            InstKind::ExtractValue { aggregate, path } => {
                self.push("extractvalue ");
                self.typed(*aggregate);
                self.path(path);
            }
            InstKind::InsertValue { aggregate, element, path } => {
                self.push("insertvalue ");
                self.list(&[*aggregate, *element]);
                self.path(path);
            }
            InstKind::ExtractElement { vector, index } => {
                self.push("extractelement ");
                self.list(&[*vector, *index]);
            }
            InstKind::InsertElement { vector, element, index } => {
                self.push("insertelement ");
                self.list(&[*vector, *element, *index]);
            }
            InstKind::ShuffleVector { left, right, mask } => {
                self.push("shufflevector ");
                self.list(&[*left, *right, *mask]);
            }
            InstKind::AtomicRmw(rmw) => self.atomic_rmw(rmw),
            InstKind::CompareExchange(exchange) => self.compare_exchange(exchange),
            InstKind::Fence { ordering, scope } => {
                self.push("fence");
                self.scope(*scope);
                self.ordering(*ordering);
            }
            InstKind::VaArg { list } => {
                self.push("va_arg ");
                self.typed(*list);
                self.push(", ");
                self.ty(ty);
            }
            InstKind::LandingPad { cleanup, clauses } => {
                self.push("landingpad ");
                self.ty(ty);
                if *cleanup {
                    self.push(" cleanup");
                }
                for clause in clauses {
                    self.push(if clause.filter { " filter " } else { " catch " });
                    self.ty(clause.ty);
                    self.push(" ");
                    self.value(clause.value);
                }
            }
            InstKind::Ret(None) => self.push("ret void"),
            InstKind::Ret(Some(value)) => {
                self.push("ret ");
                self.typed(*value);
            }
            InstKind::Br(target) => {
                self.push("br ");
                self.label(*target);
            }
            InstKind::CondBr { condition, then, otherwise } => {
                self.push("br ");
                self.typed(*condition);
                self.push(", ");
                self.label(*then);
                self.push(", ");
                self.label(*otherwise);
            }
            InstKind::Switch { value, default, cases } => self.switch(*value, *default, cases),
            InstKind::IndirectBr { address, targets } => {
                self.push("indirectbr ");
                self.typed(*address);
                self.push(", [");
                for (i, &target) in targets.iter().enumerate() {
                    if i > 0 {
                        self.push(", ");
                    }
                    self.label(target);
                }
                self.push("]");
            }
            InstKind::Invoke { call, normal, unwind } => {
                self.push("invoke");
                self.callee_and_arguments(call);
                self.push(" to ");
                self.label(*normal);
                self.push(" unwind ");
                self.label(*unwind);
            }
            InstKind::Resume(value) => {
                self.push("resume ");
                self.typed(*value);
            }
            InstKind::Unreachable => self.push("unreachable"),
            InstKind::Call(_) | InstKind::Marker(_) | InstKind::Unsupported(_) => {}
        }
    }

    /// Writes an instruction that is known by its text only: a comment, a trap, and a result of any
    /// value for those that use it.
    pub fn unsupported(&mut self, id: InstId, unsupported: &Unsupported) {
        let module = self.printer.module;
        self.push("  ;");
        // Either of the two would end the comment.
        for line in module.str(unsupported.text).split(['\n', '\r']) {
            self.push(" ");
            self.push(line.trim());
        }
        self.push("\n");
        self.trap(id);
        if unsupported.terminator {
            self.push("  unreachable\n");
        }
    }

    /// Writes a trap in place of an instruction, and a result of any value for those that use it.
    pub fn trap(&mut self, id: InstId) {
        self.printer.trap();
        if self.names.is_named(id) {
            self.any_value(id, self.function.insts[id].ty);
        }
    }

    fn any_value(&mut self, id: InstId, ty: TypeId) {
        self.result(id);
        self.push("freeze ");
        self.ty(ty);
        self.push(" undef\n");
    }

    fn incoming(&mut self, incoming: &[(BlockId, Value)]) {
        let mut separator = " [ ";
        for &(block, value) in incoming {
            if !self.has_successors(block) {
                continue;
            }
            self.push(separator);
            separator = ", [ ";
            self.incoming_value(block, value);
            self.push(", ");
            self.block_name(block);
            self.push(" ]");
        }
    }

    fn switch(&mut self, value: Value, default: BlockId, cases: &[(ConstId, BlockId)]) {
        self.push("switch ");
        self.typed(value);
        self.push(", ");
        self.label(default);
        self.push(" [\n");
        for &(case, target) in cases {
            self.push("    ");
            self.printer.typed_constant(case);
            self.push(", ");
            self.label(target);
            self.push("\n");
        }
        self.push("  ]");
    }

    fn atomic_rmw(&mut self, rmw: &AtomicRmw) {
        self.push("atomicrmw ");
        self.volatile(&rmw.access);
        self.push(rmw.op.keyword());
        self.push(" ");
        self.list(&[rmw.ptr, rmw.value]);
        self.scope(rmw.access.scope);
        self.ordering(rmw.access.ordering.unwrap_or(Ordering::SeqCst));
        self.printer.align(", ", rmw.access.align);
    }

    fn compare_exchange(&mut self, exchange: &CompareExchange) {
        self.push(if exchange.weak { "cmpxchg weak " } else { "cmpxchg " });
        self.volatile(&exchange.access);
        self.list(&[exchange.ptr, exchange.expected, exchange.new]);
        self.scope(exchange.access.scope);
        self.ordering(exchange.access.ordering.unwrap_or(Ordering::SeqCst));
        self.ordering(exchange.failure);
        self.printer.align(", ", exchange.access.align);
    }

    fn access_start(&mut self, access: &Access) {
        if access.ordering.is_some() {
            self.push("atomic ");
        }
        self.volatile(access);
    }

    fn volatile(&mut self, access: &Access) {
        if access.volatile {
            self.push("volatile ");
        }
    }

    fn access_end(&mut self, access: &Access, ty: TypeId) {
        let mut align = access.align;
        if let Some(ordering) = access.ordering {
            self.scope(access.scope);
            self.ordering(ordering);
            // Atomic accesses must say it.
            let layout = self.printer.module.type_layouts.get(ty);
            align = align.or_else(|| Align::from_bytes(layout?.align));
        }
        self.printer.align(", ", align);
    }

    fn scope(&mut self, scope: Option<StrId>) {
        if let Some(scope) = scope {
            self.push(" syncscope(");
            push_quoted(&mut self.printer.out, self.printer.module.str(scope));
            self.push(")");
        }
    }

    fn ordering(&mut self, ordering: Ordering) {
        self.push(" ");
        self.push(ordering.keyword());
    }

    fn path(&mut self, path: &[u32]) {
        for &index in path {
            self.push(", ");
            push_decimal(&mut self.printer.out, u128::from(index));
        }
    }

    fn is_one(&self, value: Value) -> bool {
        let Value::Const(id) = value else { return false };
        self.printer.module.consts[id].kind == ConstKind::Int(1)
    }
}
