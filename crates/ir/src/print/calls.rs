//! Calls and invokes.

use super::attributes::Owner;
use super::body::Body;
use super::portable::{Role, refers_to_node};
use super::text::{push_quoted, push_signed};
use crate::constant::ConstKind;
use crate::id::{Id, InstId, TypeId};
use crate::inst::{Call, Callee, Tail, Value};
use crate::module::SymbolKind;
use crate::types::Type;

impl Body<'_, '_> {
    /// Writes a call and the end of its line.
    pub fn call(&mut self, id: InstId, call: &Call) {
        match self.role(call) {
            Role::Nothing => return,
            Role::ThreeWayCompare { signed } => return self.three_way_compare(id, call, signed),
            Role::Metadata if call.args.iter().any(|&arg| self.is_unprinted_metadata(arg)) => return self.trap(id),
            _ => {}
        }
        self.result(id);
        self.push(match call.tail {
            Tail::None => "call",
            Tail::Tail => "tail call",
            Tail::MustTail => "musttail call",
            Tail::NoTail => "notail call",
        });
        if self.returns_float(call) {
            self.printer.fast_math(call.flags);
        }
        self.callee_and_arguments(call);
        self.push("\n");
    }

    /// Writes a call from after `call` or `invoke` and its flags.
    pub fn callee_and_arguments(&mut self, call: &Call) {
        let module = self.printer.module;
        self.push(" ");
        self.printer.convention(call.convention);
        self.printer.result_attributes(call.result_attrs);
        if let Callee::Value(callee) = call.callee
            && let Type::Ptr(space) = module.types[self.type_of(callee)]
            && (space != 0 || module.layout.program_space != 0)
        {
            self.printer.address_space(space);
            self.push(" ");
        }
        match module.types.signature(call.function_ty) {
            // Only the whole type tells which arguments are variadic.
            Some((_, _, true)) | None => self.ty(call.function_ty),
            Some((result, ..)) => self.ty(result),
        }
        self.push(" ");
        self.callee(call);
        self.arguments(call);
        self.printer.function_attributes(call.attrs, Owner::Call);
        self.bundles(call);
    }

    fn callee(&mut self, call: &Call) {
        let module = self.printer.module;
        match call.callee {
            Callee::Asm(text) => self.push(module.str(text)),
            Callee::Value(value) => {
                if let Some(symbol) = module.as_symbol(value)
                    && module.symbols[symbol].kind == SymbolKind::Missing
                {
                    self.printer.called_as.entry(symbol).or_insert(call.function_ty);
                }
                self.value(value);
            }
        }
    }

    fn arguments(&mut self, call: &Call) {
        let module = self.printer.module;
        let extra = match self.role(call) {
            Role::Extra(extra) => Some(extra),
            _ => None,
        };
        self.push("(");
        for (i, &arg) in call.args.iter().enumerate() {
            if i > 0 {
                self.push(", ");
            }
            if let Some(extra) = extra.filter(|extra| extra.position == i) {
                self.push(extra.ty);
                self.push(" ");
                push_signed(&mut self.printer.out, extra.value(module, call));
                self.push(", ");
            }
            self.ty(self.type_of(arg));
            if let Some(&attrs) = call.arg_attrs.get(i) {
                self.printer.value_attributes(attrs);
            }
            self.push(" ");
            self.value(arg);
        }
        if call.tail == Tail::MustTail && self.is_variadic() {
            // Such a call passes on all variadic arguments of its own function, and has to say so.
            self.push(if call.args.is_empty() { "..." } else { ", ..." });
        }
        self.push(")");
    }

    fn bundles(&mut self, call: &Call) {
        for (i, bundle) in call.bundles.iter().enumerate() {
            self.push(if i == 0 { " [ " } else { ", " });
            push_quoted(&mut self.printer.out, self.printer.module.str(bundle.tag));
            self.push("(");
            for (i, &(ty, value)) in bundle.operands.iter().enumerate() {
                if i > 0 {
                    self.push(", ");
                }
                self.ty(ty);
                self.push(" ");
                self.value(value);
            }
            self.push(")");
        }
        if !call.bundles.is_empty() {
            self.push(" ]");
        }
    }

    /// Writes −1, 0 or 1 by comparison as instructions, since LLVM before 19 has no intrinsic for it.
    fn three_way_compare(&mut self, id: InstId, call: &Call, signed: bool) {
        let &[left, right] = &*call.args else { return self.trap(id) };
        let (operands, result) = (self.type_of(left), self.function.insts[id].ty);
        // A call with a type of its own means nothing.
        if self.type_of(right) != operands || !self.is_compared_as(operands, result) {
            return self.trap(id);
        }
        let conditions = if signed { ["sgt", "slt"] } else { ["ugt", "ult"] };
        let [greater, less] = conditions.map(|condition| {
            let bit = self.temporary("icmp ");
            self.push(condition);
            self.push(" ");
            self.pair(left, right);
            self.push("\n");
            let number = self.temporary("zext ");
            self.printer.same_shape(operands, "i1");
            self.push(" %");
            self.push(&bit);
            self.push(" to ");
            self.ty(result);
            self.push("\n");
            number
        });
        self.result(id);
        self.push("sub ");
        self.ty(result);
        self.push(" %");
        self.push(&greater);
        self.push(", %");
        self.push(&less);
        self.push("\n");
    }

    /// Whether numbers of a type are compared with a result of another one: both are integers, or as many of them.
    fn is_compared_as(&self, operands: TypeId, result: TypeId) -> bool {
        let types = &self.printer.module.types;
        let is_wide = |ty: TypeId| matches!(types[ty], Type::Int(bits) if bits > 1);
        match (&types[operands], &types[result]) {
            (Type::Int(_), Type::Int(_)) => is_wide(result),
            (
                Type::Vector { element: of, count: many, scalable },
                Type::Vector { element, count, scalable: result_scalable },
            ) => {
                matches!(types[*of], Type::Int(_)) && is_wide(*element) && many == count && scalable == result_scalable
            }
            _ => false,
        }
    }

    fn role(&self, call: &Call) -> Role {
        let Callee::Value(value) = call.callee else { return Role::Plain };
        self.printer.module.as_symbol(value).map_or(Role::Plain, |symbol| self.printer.roles[symbol.index()])
    }

    fn is_variadic(&self) -> bool {
        matches!(self.printer.module.types.signature(self.function.ty), Some((_, _, true)))
    }

    fn is_unprinted_metadata(&self, value: Value) -> bool {
        let module = self.printer.module;
        let Value::Const(id) = value else { return false };
        matches!(module.consts[id].kind, ConstKind::Metadata(text) if refers_to_node(module.str(text)))
    }

    /// Whether the call may have fast-math flags: it returns floats, or vectors or arrays of them.
    fn returns_float(&self, call: &Call) -> bool {
        let types = &self.printer.module.types;
        let mut ty: TypeId = types.signature(call.function_ty).map_or(call.function_ty, |(result, ..)| result);
        loop {
            match types[ty] {
                Type::Float(_) => return true,
                Type::Array(element, _) | Type::Vector { element, .. } => ty = element,
                _ => return false,
            }
        }
    }
}
