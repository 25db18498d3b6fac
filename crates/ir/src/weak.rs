//! Undefined weak symbols: their addresses are read from variables.
//!
//! A symbol that is declared `extern_weak` and that nobody defines is null; if somebody does, it has an address. Which of
//! the two holds is only known once a program is linked, so it is part of what a program is given. [`lower`] declares for
//! each such symbol `hook` a variable `&hook` ([`Global::address_of`]) and makes every instruction that uses the address
//! read it from there. Nothing behind it can then take the symbol for non-null.
//!
//! Initial contents of variables keep the symbol itself.

use crate::constant::{Const, ConstKind};
use crate::id::{BlockId, ConstId, FuncId, InstId, SymbolId, TypeId};
use crate::inst::{Access, Flags, Inst, InstKind, Value};
use crate::module::{Global, Linkage, Module, Symbol, SymbolKind};
use crate::types::Type;
use rustc_hash::FxHashMap;

/// What the name of a variable begins with that holds the address of a weak symbol.
const ADDRESS_OF: char = '&';

/// Deepest nesting of constants.
const MAX_NESTING: u32 = 300;

/// Whether the address of a symbol may be null: it is only declared, and weakly. Those of threads have no one address.
pub fn may_be_null(module: &Module, symbol: SymbolId) -> bool {
    let Symbol { linkage, kind, thread_local, .. } = &module.symbols[symbol];
    let address_space = match *kind {
        SymbolKind::Variable(id) => module.globals[id].address_space,
        SymbolKind::Function(_) => 0,
        _ => return false,
    };
    *linkage == Linkage::ExternWeak && thread_local.is_none() && address_space == 0
}

/// Makes all functions read the addresses of undefined weak symbols from variables.
pub fn lower(module: &mut Module) {
    let weak: Vec<SymbolId> = module.symbols.ids().filter(|&id| may_be_null(module, id)).collect();
    if weak.is_empty() {
        return;
    }
    let known = module.globals.iter().filter_map(|global| Some((global.address_of?, global.symbol)));
    let mut variables: FxHashMap<SymbolId, SymbolId> = known.collect();
    for symbol in weak {
        variables.entry(symbol).or_insert_with(|| declare(module, symbol));
    }
    for function in module.functions.ids() {
        Lowering { module, variables: &variables, function }.run();
    }
    module.type_layouts.extend(&module.types, &module.layout);
}

/// The variable that holds the address of a symbol.
fn declare(module: &mut Module, of: SymbolId) -> SymbolId {
    let name = format!("{ADDRESS_OF}{}", module.symbol_name(of));
    let (name, ty, unit) = (module.strings.intern_str(&name), module.types.ptr(), module.symbols[of].unit);
    let symbol = module.symbols.push(Symbol {
        name,
        label: None,
        kind: SymbolKind::Missing,
        linkage: Linkage::External,
        visibility: module.symbols[of].visibility,
        dso_local: false,
        unnamed_addr: false,
        thread_local: None,
        comdat: None,
        unit,
    });
    let variable = module.globals.push(Global {
        symbol,
        ty,
        initializer: None,
        constant: true,
        externally_initialized: false,
        address_space: 0,
        align: None,
        section: None,
        variable: None,
        address_of: Some(of),
    });
    module.symbols[symbol].kind = SymbolKind::Variable(variable);
    symbol
}

/// One function.
struct Lowering<'m> {
    module: &'m mut Module,
    variables: &'m FxHashMap<SymbolId, SymbolId>,
    function: FuncId,
}

impl Lowering<'_> {
    fn run(mut self) {
        let blocks: Vec<BlockId> = self.module.functions[self.function].blocks.ids().collect();
        // What phis use is read where control comes from.
        let mut at_end: FxHashMap<BlockId, Vec<InstId>> = FxHashMap::default();
        for block in blocks.iter().copied() {
            let insts = std::mem::take(&mut self.module.functions[self.function].blocks[block].insts);
            let mut lowered = Vec::with_capacity(insts.len());
            for inst in insts {
                self.instruction(inst, &mut lowered, &mut at_end);
                lowered.push(inst);
            }
            self.module.functions[self.function].blocks[block].insts = lowered;
        }
        for (block, added) in at_end {
            let insts = &mut self.module.functions[self.function].blocks[block].insts;
            let last = insts.len().saturating_sub(1);
            insts.splice(last..last, added);
        }
    }

    fn instruction(&mut self, id: InstId, before: &mut Vec<InstId>, at_end: &mut FxHashMap<BlockId, Vec<InstId>>) {
        let mut kind = self.module.functions[self.function].insts[id].kind.clone();
        match &mut kind {
            // Nothing of it is computed.
            InstKind::Marker(_) | InstKind::LandingPad { .. } => return,
            InstKind::Phi { incoming, .. } => {
                for (block, value) in incoming.iter_mut() {
                    *value = self.value(*value, at_end.entry(*block).or_default());
                }
                // A block that comes twice has to bring the same value twice.
                for index in 1..incoming.len() {
                    let (block, _) = incoming[index];
                    if let Some(&(_, first)) = incoming[..index].iter().find(|(known, _)| *known == block) {
                        incoming[index].1 = first;
                    }
                }
            }
            kind => kind.map_operands(|value| self.value(value, before)),
        }
        self.module.functions[self.function].insts[id].kind = kind;
    }

    fn value(&mut self, value: Value, before: &mut Vec<InstId>) -> Value {
        match value {
            Value::Const(id) if self.mentions(id, 0) => self.computed(id, before),
            other => other,
        }
    }

    /// Whether a constant has the address of a weak symbol in it.
    fn mentions(&self, id: ConstId, depth: u32) -> bool {
        let any = |ids: &[ConstId]| ids.iter().any(|&id| self.mentions(id, depth + 1));
        if depth > MAX_NESTING {
            return false;
        }
        match &self.module.consts[id].kind {
            ConstKind::Symbol(symbol) | ConstKind::FunctionStub { function: symbol, .. } => {
                self.variables.contains_key(symbol)
            }
            ConstKind::Aggregate(parts) | ConstKind::Gep { operands: parts, .. } => any(parts),
            ConstKind::Splat(one) | ConstKind::Offset { base: one, .. } | ConstKind::Cast { value: one, .. } => {
                any(&[*one])
            }
            ConstKind::Binary { left, right, .. } | ConstKind::Compare { left, right, .. } => any(&[*left, *right]),
            ConstKind::Select(parts) => any(parts),
            _ => false,
        }
    }

    /// A constant that has the address of a weak symbol in it, computed by instructions.
    fn computed(&mut self, id: ConstId, before: &mut Vec<InstId>) -> Value {
        let Const { ty, kind } = self.module.consts[id].clone();
        let flags = Flags::empty();
        let mut part = |id: ConstId| self.value(Value::Const(id), before);
        let computed = match kind {
            ConstKind::Symbol(symbol) | ConstKind::FunctionStub { function: symbol, .. } => {
                let Some(&variable) = self.variables.get(&symbol) else { return Value::Const(id) };
                let ptr = self.module.types.ptr();
                let address = Const { ty: ptr, kind: ConstKind::Symbol(variable) };
                let ptr = Value::Const(self.module.consts.intern(address));
                InstKind::Load { ptr, access: Access::default() }
            }
            ConstKind::Offset { base, bytes, .. } => {
                let base = part(base);
                let (source, i64) = (self.module.types.int(8), self.module.types.int(64));
                let bytes = Const { ty: i64, kind: ConstKind::Int(u128::from(bytes as u64)) };
                let bytes = Value::Const(self.module.consts.intern(bytes));
                InstKind::Gep { source, base, indices: Box::new([bytes]), flags }
            }
            ConstKind::Gep { source, operands, .. } => {
                let mut operands = operands.iter().map(|&operand| part(operand));
                let Some(base) = operands.next() else { return Value::Const(id) };
                InstKind::Gep { source, base, indices: operands.collect(), flags }
            }
            ConstKind::Cast { op, value } => InstKind::Cast { op, value: part(value), flags },
            ConstKind::Binary { op, left, right, .. } => {
                InstKind::Binary { op, flags, left: part(left), right: part(right) }
            }
            ConstKind::Compare { predicate, left, right } => {
                InstKind::Compare { predicate, flags, left: part(left), right: part(right) }
            }
            ConstKind::Select([condition, then, otherwise]) => {
                let [condition, then, otherwise] = [condition, then, otherwise].map(part);
                InstKind::Select { condition, then, otherwise, flags }
            }
            ConstKind::Aggregate(parts) => return self.put_together(ty, &parts, before),
            ConstKind::Splat(one) => match self.module.types[ty] {
                Type::Vector { count, scalable: false, .. } if count <= 1 << 10 => {
                    return self.put_together(ty, &vec![one; count as usize], before);
                }
                _ => return Value::Const(id),
            },
            _ => return Value::Const(id),
        };
        self.push(computed, ty, before)
    }

    /// An aggregate or vector, element by element.
    fn put_together(&mut self, ty: TypeId, parts: &[ConstId], before: &mut Vec<InstId>) -> Value {
        let is_vector = matches!(self.module.types[ty], Type::Vector { .. });
        let (nothing, i32) = (Const { ty, kind: ConstKind::Poison }, self.module.types.int(32));
        let mut whole = Value::Const(self.module.consts.intern(nothing));
        for (index, &part) in (0..).zip(parts) {
            let element = self.value(Value::Const(part), before);
            let kind = if is_vector {
                let index = Const { ty: i32, kind: ConstKind::Int(u128::from(index)) };
                let index = Value::Const(self.module.consts.intern(index));
                InstKind::InsertElement { vector: whole, element, index }
            } else {
                InstKind::InsertValue { aggregate: whole, element, path: Box::new([index]) }
            };
            whole = self.push(kind, ty, before);
        }
        whole
    }

    fn push(&mut self, kind: InstKind, ty: TypeId, before: &mut Vec<InstId>) -> Value {
        let inst = self.module.functions[self.function].insts.push(Inst { kind, ty, loc: None, name: None });
        before.push(inst);
        Value::Inst(inst)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn lowered(text: &str) -> String {
        let mut module = crate::parse::parse(text).unwrap();
        lower(&mut module);
        lower(&mut module);
        let printed = crate::print::print(&module);
        crate::parse::parse(&printed).unwrap();
        let start = printed.find("define").unwrap();
        printed[start..].trim().to_owned()
    }

    #[track_caller]
    fn check(declared: &str, body: &str, expect: &[&str]) {
        let text = lowered(&format!("{declared}\ndefine i64 @f(i1 %c, ptr %p) {{\n{body}\n}}\n"));
        for part in expect {
            assert!(text.contains(part), "{part} in\n{text}");
        }
        assert!(!text.contains("@hook"), "{text}");
    }

    #[test]
    fn addresses_are_read_wherever_they_are_used() {
        let function = "declare extern_weak void @hook()";
        let read = "load ptr, ptr @\"&hook\"";
        check(function, "call void @hook() ret i64 0", &[read, "call void %"]);
        check(function, "%1 = icmp ne ptr @hook, null %2 = zext i1 %1 to i64 ret i64 %2", &[read, "icmp ne ptr %"]);
        check(function, "ret i64 ptrtoint (ptr @hook to i64)", &[read, "ptrtoint ptr %"]);
        check(function, "ret i64 zext (i1 icmp ne (ptr @hook, ptr null) to i64)", &[read, "icmp ne ptr %", "zext i1"]);
        check(function, "store { i32, ptr } { i32 1, ptr @hook }, ptr %p ret i64 0", &[read, "insertvalue"]);
        check(function, "store <2 x ptr> <ptr @hook, ptr null>, ptr %p ret i64 0", &[read, "insertelement"]);
        let variable = "@hook = extern_weak global [4 x i32]";
        let place = "%1 = load i32, ptr getelementptr (i8, ptr @hook, i64 8) ret i64 0";
        check(variable, place, &[read, "getelementptr i8, ptr %"]);
    }

    #[test]
    fn what_a_phi_uses_is_read_where_control_comes_from() {
        let body = "  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %x = phi ptr [ @hook, %0 ], [ null, %a ]
  %y = ptrtoint ptr %x to i64
  ret i64 %y";
        let text = lowered(&format!("declare extern_weak void @hook()\ndefine i64 @f(i1 %c, ptr %p) {{\n{body}\n}}\n"));
        let (read, branch) = (text.find("load ptr").unwrap(), text.find("br i1").unwrap());
        assert!(read < branch, "{text}");
    }

    #[test]
    fn what_is_defined_stays() {
        let text = "define weak void @hook() { ret void }\ndefine void @f() { call void @hook() ret void }";
        assert!(lowered(text).contains("call void @hook()"));
    }
}
