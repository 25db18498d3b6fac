//! Makes faults show that a plain run passes over: arithmetic without a defined result, use of stack memory beside its
//! object or after its function returned, and of memory beside global variables. And makes runs repeatable: what a
//! program does not initialise begins with bytes that are a setting of the run.

use std::collections::BTreeSet;

use ir::attrs::Attr;
use ir::constant::{Const, ConstKind};
use ir::id::{BlockId, ConstId, FuncId, GlobalId, Id, InstId, SymbolId, TypeId};
use ir::inst::{
    Access, Align, BinaryOp, CastOp, Flags, FloatPredicate, InstKind, IntPredicate, Predicate, Tail, Value,
};
use ir::module::{Block, Global, Linkage, Module, SymbolKind};
use ir::types::Type;

use super::emit;

/// The function of the runtime that ends a run with a fault.
pub const FAULT: &str = "pathshift_fault";

// Positions among the kinds of faults.
const OVERFLOW: u64 = 13;
const SHIFT: u64 = 14;
const CONVERSION: u64 = 15;

/// Ends a run when signed arithmetic overflows, a shift is by the width or more, or a float does not fit the integer that it
/// is converted to.
pub fn check_arithmetic(module: &mut Module) {
    let (void, i32) = (module.types.void(), module.types.int(32));
    let check = emit::function(module, "pathshift_check", void, &[i32, i32]);
    for id in module.functions.ids() {
        for block in module.functions[id].blocks.ids() {
            let old = std::mem::take(&mut module.functions[id].blocks[block].insts);
            let mut new = Vec::with_capacity(old.len());
            for inst in old {
                check_one(module, id, inst, check, &mut new);
                new.push(inst);
            }
            module.functions[id].blocks[block].insts = new;
        }
    }
}

/// Adds the check of one instruction, which comes next.
fn check_one(module: &mut Module, id: FuncId, inst: InstId, check: FuncId, out: &mut Vec<InstId>) {
    let ty = module.functions[id].insts[inst].ty;
    let Type::Int(bits) = module.types[ty] else { return };
    let (op, flags, left, right) = match module.functions[id].insts[inst].kind {
        InstKind::Binary { op, flags, left, right } => (op, flags, left, right),
        InstKind::Cast { op: op @ (CastOp::FpToSi | CastOp::FpToUi), value, .. } => {
            return check_conversion(module, id, (value, op == CastOp::FpToSi, bits), check, out);
        }
        _ => return,
    };
    let mut add = |module: &mut Module, kind: InstKind, ty: TypeId| {
        let inst = emit::instruction(&mut module.functions[id], kind, ty);
        out.push(inst);
        Value::Inst(inst)
    };
    let (i1, i32) = (module.types.int(1), module.types.int(32));
    let none = Flags::empty();
    let (bad, kind) = match op {
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
            let predicate = Predicate::Int(IntPredicate::Uge);
            let width = emit::int(module, bits, u64::from(bits));
            (add(module, InstKind::Compare { predicate, flags: none, left: right, right: width }, i1), SHIFT)
        }
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul if flags.contains(Flags::NSW) && bits <= 64 => {
            // The exact result needs at most twice the bits.
            let wide = module.types.int(bits * 2);
            let [a, b] =
                [left, right].map(|value| add(module, InstKind::Cast { op: CastOp::SExt, value, flags: none }, wide));
            let exact = add(module, InstKind::Binary { op, flags: none, left: a, right: b }, wide);
            let cut = add(module, InstKind::Cast { op: CastOp::Trunc, value: exact, flags: none }, ty);
            let back = add(module, InstKind::Cast { op: CastOp::SExt, value: cut, flags: none }, wide);
            let predicate = Predicate::Int(IntPredicate::Ne);
            (add(module, InstKind::Compare { predicate, flags: none, left: exact, right: back }, i1), OVERFLOW)
        }
        _ => return,
    };
    let bad = add(module, InstKind::Cast { op: CastOp::ZExt, value: bad, flags: none }, i32);
    let kind = emit::int(module, 32, kind);
    let (call, ty) = emit::call(module, check, &[bad, kind]);
    add(module, call, ty);
}

/// Adds the check of a conversion from a float to an integer, signed or not, of so many bits.
fn check_conversion(
    module: &mut Module,
    id: FuncId,
    (value, signed, bits): (Value, bool, u32),
    check: FuncId,
    out: &mut Vec<InstId>,
) {
    let from = module.type_of(&module.functions[id], value);
    let Type::Float(kind) = module.types[from] else { return };
    // Bits of the fraction, which say whether the number before the least one is a float too.
    let fraction = match kind.bits() {
        32 => 23,
        64 => 52,
        _ => return,
    };
    if bits > 64 {
        return;
    }
    let above = 2f64.powi(if signed { bits - 1 } else { bits } as i32);
    let least = if signed { -above } else { 0.0 };
    let (below, least_is_in) = if bits <= fraction || !signed { (least - 1.0, false) } else { (least, true) };
    let constant = |module: &mut Module, number: f64| {
        let bits = if fraction == 23 { u128::from((number as f32).to_bits()) } else { u128::from(number.to_bits()) };
        Value::Const(module.consts.intern(Const { ty: from, kind: ConstKind::Float(bits) }))
    };
    let (below, above) = (constant(module, below), constant(module, above));
    let mut add = |module: &mut Module, kind: InstKind, ty: TypeId| {
        let inst = emit::instruction(&mut module.functions[id], kind, ty);
        out.push(inst);
        Value::Inst(inst)
    };
    let (i1, i32) = (module.types.int(1), module.types.int(32));
    let none = Flags::empty();
    // Unordered comparisons: what is no number does not fit.
    let too_small = if least_is_in { FloatPredicate::Ult } else { FloatPredicate::Ule };
    let compare = |predicate, right| InstKind::Compare {
        predicate: Predicate::Float(predicate),
        flags: none,
        left: value,
        right,
    };
    let small = add(module, compare(too_small, below), i1);
    let large = add(module, compare(FloatPredicate::Uge, above), i1);
    let bad = add(module, InstKind::Binary { op: BinaryOp::Or, flags: none, left: small, right: large }, i1);
    let bad = add(module, InstKind::Cast { op: CastOp::ZExt, value: bad, flags: none }, i32);
    let kind = emit::int(module, 32, CONVERSION);
    let (call, ty) = emit::call(module, check, &[bad, kind]);
    add(module, call, ty);
}

/// Writes the bytes that lie in the variable `fill` to every stack object where it begins, padding too: what the program did not
/// initialise is the same in every run with the same filling.
pub fn begin_with(module: &mut Module, fill: SymbolId) {
    let (void, ptr, i1, i8, i64) =
        (module.types.void(), module.types.ptr(), module.types.int(1), module.types.int(8), module.types.int(64));
    let known = module.functions.ids().find(|&id| module.function_name(id) == FILL);
    let memset = known.unwrap_or_else(|| emit::function(module, FILL, void, &[ptr, i8, i64, i1]));
    for id in module.functions.ids() {
        for block in module.functions[id].blocks.ids() {
            let old = std::mem::take(&mut module.functions[id].blocks[block].insts);
            let mut new = Vec::with_capacity(old.len());
            for inst in old {
                new.push(inst);
                fill_one(module, id, inst, (fill, memset), &mut new);
            }
            module.functions[id].blocks[block].insts = new;
        }
    }
}

/// Fills the stack object that an instruction makes, if it makes one.
fn fill_one(module: &mut Module, id: FuncId, inst: InstId, (fill, memset): (SymbolId, FuncId), out: &mut Vec<InstId>) {
    let InstKind::Alloca { element, count, .. } = module.functions[id].insts[inst].kind else { return };
    let Some(element_size) = module.type_layouts.get(element).map(|layout| layout.size) else { return };
    let known = match count {
        Value::Const(count) => match module.consts[count].kind {
            ConstKind::Int(count) => u64::try_from(count).ok(),
            _ => None,
        },
        _ => None,
    };
    let count_ty = module.type_of(&module.functions[id], count);
    let mut add = |module: &mut Module, kind: InstKind, ty: TypeId| {
        let inst = emit::instruction(&mut module.functions[id], kind, ty);
        out.push(inst);
        Value::Inst(inst)
    };
    let (void, i1, i8, i64) = (module.types.void(), module.types.int(1), module.types.int(8), module.types.int(64));
    let access = Access { align: Align::from_bytes(1), ..Access::default() };
    let (object, from, none) = (Value::Inst(inst), emit::address(module, fill), Flags::empty());
    if known == Some(1) && is_word(module, element) {
        let value = add(module, InstKind::Load { ptr: from, access }, element);
        add(module, InstKind::Store { value, ptr: object, access }, void);
        return;
    }
    let size = match (known, &module.types[count_ty]) {
        (Some(count), _) => match element_size.checked_mul(count) {
            Some(size) => emit::int(module, 64, size),
            None => return,
        },
        // Of an object whose size only a run knows, the beginning: the size may be nonsense that nobody uses.
        (None, Type::Int(bits @ 1..=64)) => {
            let wide = match bits {
                64 => count,
                _ => add(module, InstKind::Cast { op: CastOp::ZExt, value: count, flags: none }, i64),
            };
            let most = emit::int(module, 64, MAX_FILLED / element_size.max(1));
            let predicate = Predicate::Int(IntPredicate::Ult);
            let fits = add(module, InstKind::Compare { predicate, flags: none, left: wide, right: most }, i1);
            let few = add(module, InstKind::Select { condition: fits, then: wide, otherwise: most, flags: none }, i64);
            let right = emit::int(module, 64, element_size);
            add(module, InstKind::Binary { op: BinaryOp::Mul, flags: none, left: few, right }, i64)
        }
        _ => return,
    };
    let byte = add(module, InstKind::Load { ptr: from, access }, i8);
    let volatile = emit::int(module, 1, 0);
    let (call, ty) = emit::call(module, memset, &[object, byte, size, volatile]);
    add(module, call, ty);
}

/// Most bytes that are filled of a stack object whose size only a run knows.
const MAX_FILLED: u64 = 1 << 16;

/// Whether a type is a number or a pointer with as many bits as its bytes have, at most a word.
fn is_word(module: &Module, ty: TypeId) -> bool {
    match &module.types[ty] {
        Type::Int(bits) => matches!(bits, 8 | 16 | 32 | 64),
        Type::Float(kind) => matches!(kind.bits(), 16 | 32 | 64),
        Type::Ptr(_) => true,
        _ => false,
    }
}

/// Gives values that the program did not initialise, and that compilers keep in no memory, the bytes that lie in the variable `fill`.
pub fn define_undefined(module: &mut Module, fill: SymbolId) {
    for id in module.functions.ids() {
        let Some(entry) = module.functions[id].blocks.ids().next() else { continue };
        let mut loads: Vec<(TypeId, InstId)> = Vec::new();
        for inst in module.functions[id].insts.ids() {
            let mut wanted = Vec::new();
            module.functions[id].insts[inst]
                .kind
                .for_each_operand(|value| wanted.extend(undefined_type(module, value)));
            for ty in wanted {
                if loads.iter().all(|(known, _)| *known != ty) {
                    let ptr = emit::address(module, fill);
                    let access = Access { align: Align::from_bytes(1), ..Access::default() };
                    let load = emit::instruction(&mut module.functions[id], InstKind::Load { ptr, access }, ty);
                    loads.push((ty, load));
                }
            }
        }
        if loads.is_empty() {
            continue;
        }
        for inst in module.functions[id].insts.ids() {
            let mut kind = module.functions[id].insts[inst].kind.clone();
            kind.map_operands(|value| {
                let ty = undefined_type(module, value);
                let load = loads.iter().find(|(known, _)| Some(*known) == ty);
                load.map_or(value, |(_, load)| Value::Inst(*load))
            });
            module.functions[id].insts[inst].kind = kind;
        }
        let first = loads.into_iter().map(|(_, load)| load);
        let rest = std::mem::take(&mut module.functions[id].blocks[entry].insts);
        module.functions[id].blocks[entry].insts = first.chain(rest).collect();
    }
}

/// The type of an operand that was not initialised, if it is a number of a usual size or a pointer.
fn undefined_type(module: &Module, value: Value) -> Option<TypeId> {
    let Value::Const(id) = value else { return None };
    let constant = &module.consts[id];
    let usual = matches!(module.types[constant.ty], Type::Int(1)) || is_word(module, constant.ty);
    (constant.kind == ConstKind::Undef && usual).then_some(constant.ty)
}

/// Size of the pages that guard something.
const PAGE: u64 = 4096;

/// Largest global variable that is guarded, and how many are.
const MAX_GUARDED_SIZE: u64 = 1 << 16;
const MAX_GUARDED: usize = 4000;

/// Puts arrays and records among the global variables between pages that cannot be touched, with their end, or with
/// `begin` their beginning, at such a page. Returns the addresses of these pages.
pub fn guard_globals(module: &mut Module, begin: bool) -> Vec<ConstId> {
    let mut pages = Vec::new();
    let chosen: Vec<(SymbolId, GlobalId, u64)> = module
        .symbols
        .ids()
        .filter_map(|id| {
            let SymbolKind::Variable(global) = module.symbols[id].kind else { return None };
            let size = guarded_size(module, id, global)?;
            Some((id, global, size))
        })
        .take(MAX_GUARDED)
        .collect();
    for (number, (id, global, size)) in chosen.into_iter().enumerate() {
        let Global { ty, initializer: Some(initializer), align, constant, .. } = module.globals[global] else {
            continue;
        };
        let natural = module.type_layouts.get(ty).map_or(16, |layout| layout.align);
        let mut align = align.map_or(natural, Align::bytes).clamp(1, PAGE);
        // Its end has to touch the page; a type that needs more has a size that is a multiple of it.
        while align > 1 && !size.is_multiple_of(align) {
            align /= 2;
        }
        let room = size.next_multiple_of(PAGE);
        let before = PAGE + if begin { 0 } else { (room - size) / align * align };
        let total = room + 2 * PAGE;
        let i8 = module.types.int(8);
        let [front, back] = [before, total - before - size].map(|bytes| module.types.intern(Type::Array(i8, bytes)));
        let block = module.types.intern(Type::Struct { fields: [front, ty, back].into(), packed: true });
        let [empty_front, empty_back] = [front, back].map(|ty| module.consts.intern(emit::zero(&module.types, ty)));
        let contents = ConstKind::Aggregate([empty_front, initializer, empty_back].into());
        let name = format!("pathshift.guarded.{number}");
        let symbol = emit::variable(module, &name, block, contents);
        module.symbols[symbol].linkage = Linkage::Internal;
        if let SymbolKind::Variable(block) = module.symbols[symbol].kind {
            module.globals[block].constant = constant;
            module.globals[block].align = Align::from_bytes(PAGE);
        }
        let target = at(module, symbol, before);
        module.symbols[id].kind = SymbolKind::Alias { ty, target };
        module.symbols[id].comdat = None;
        if module.symbols[id].linkage == Linkage::Common {
            module.symbols[id].linkage = Linkage::External;
        }
        pages.extend([at(module, symbol, 0), at(module, symbol, PAGE + room)]);
    }
    pages
}

/// A place in a variable.
fn at(module: &mut Module, symbol: SymbolId, bytes: u64) -> ConstId {
    let ty = module.types.ptr();
    let base = module.consts.intern(Const { ty, kind: ConstKind::Symbol(symbol) });
    let kind = ConstKind::Offset { base, bytes: bytes as i64, inbounds: true };
    module.consts.intern(Const { ty, kind })
}

/// The size of a variable that is to be guarded.
fn guarded_size(module: &Module, id: SymbolId, global: GlobalId) -> Option<u64> {
    let (symbol, global) = (&module.symbols[id], &module.globals[global]);
    let plain = global.initializer.is_some()
        && global.section.is_none()
        && global.address_space == 0
        && symbol.thread_local.is_none()
        && !matches!(symbol.linkage, Linkage::Appending | Linkage::AvailableExternally)
        && !module.symbol_name(id).starts_with("llvm.");
    let several = matches!(module.types.resolve(global.ty), Type::Array(..) | Type::Struct { .. });
    let size = module.type_layouts.get(global.ty)?.size;
    (plain && several && (1..=MAX_GUARDED_SIZE).contains(&size)).then_some(size)
}

/// The intrinsic that fills memory.
const FILL: &str = "llvm.memset.p0.i64";

/// Gives every stack object that has an address memory of its own, which ends with its function.
pub fn guard_stack_objects(module: &mut Module) {
    let (void, ptr, i64) = (module.types.void(), module.types.ptr(), module.types.int(64));
    let mark = emit::function(module, "pathshift_stack_mark", i64, &[]);
    let make = emit::function(module, "pathshift_stack_object", ptr, &[i64, i64]);
    let copy = emit::function(module, "pathshift_stack_copy", ptr, &[ptr, i64, i64]);
    let leave = emit::function(module, "pathshift_stack_leave", void, &[i64]);
    for id in module.functions.ids() {
        guard_function(module, id, [mark, make, copy, leave]);
    }
}

fn guard_function(module: &mut Module, id: FuncId, [mark, make, copy, leave]: [FuncId; 4]) {
    // Nothing may come between such a call and the return, so nothing can be cleaned up.
    if has_must_tail(module, id) {
        return;
    }
    let escaping = escaping(module, id);
    let objects: Vec<(InstId, u64, u64)> = module.functions[id]
        .body()
        .filter(|(block, ..)| *block == BlockId::from_index(0))
        .filter_map(|(_, inst, found)| {
            let InstKind::Alloca { element, count, align } = &found.kind else { return None };
            let Value::Const(count) = count else { return None };
            let ConstKind::Int(count) = module.consts[*count].kind else { return None };
            let layout = module.type_layouts.get(*element)?;
            // Scalars that nobody indexes stay where they are: they are many, and nothing lies beside them by mistake.
            let whole = !matches!(module.types.resolve(*element), Type::Array(..) | Type::Struct { .. });
            if whole && count == 1 && !escaping.contains(&inst) {
                return None;
            }
            let size = layout.size.checked_mul(u64::try_from(count).ok()?)?;
            Some((inst, size, align.map_or(layout.align, Align::bytes)))
        })
        .collect();
    let copies = passed_as_copies(module, id);
    if objects.is_empty() && copies.is_empty() {
        return;
    }
    for block in module.functions[id].blocks.ids() {
        let mut insts = std::mem::take(&mut module.functions[id].blocks[block].insts);
        insts.retain(|&inst| !is_lifetime(module, &module.functions[id].insts[inst].kind));
        module.functions[id].blocks[block].insts = insts;
    }
    for (inst, size, align) in objects {
        let [size, align] = [size, align].map(|number| emit::int(module, 64, number));
        module.functions[id].insts[inst].kind = emit::call(module, make, &[size, align]).0;
    }
    let (call, ty) = emit::call(module, mark, &[]);
    let start = emit::instruction(&mut module.functions[id], call, ty);
    let mut first = vec![start];
    for (param, size, align) in copies {
        let [size, align] = [size, align].map(|number| emit::int(module, 64, number));
        let (call, ty) = emit::call(module, copy, &[Value::Arg(param), size, align]);
        let copied = emit::instruction(&mut module.functions[id], call, ty);
        let own = |value| if value == Value::Arg(param) { Value::Inst(copied) } else { value };
        module.functions[id].insts.iter_mut().take(copied.index()).for_each(|inst| inst.kind.map_operands(own));
        first.push(copied);
    }
    if let Some(block) = module.functions[id].blocks.iter_mut().next() {
        block.insts.splice(0..0, first);
    }
    for block in module.functions[id].blocks.ids() {
        let leaves = |inst: &ir::inst::Inst| matches!(inst.kind, InstKind::Ret(_) | InstKind::Resume(_));
        if !module.functions[id].terminator(block).is_some_and(leaves) {
            continue;
        }
        let (call, ty) = emit::call(module, leave, &[Value::Inst(start)]);
        let inst = emit::instruction(&mut module.functions[id], call, ty);
        let Block { insts, .. } = &mut module.functions[id].blocks[block];
        insts.insert(insts.len() - 1, inst);
    }
}

/// Parameters that are copies of memory (`byval`), with size and alignment: nothing lies beside them by right.
fn passed_as_copies(module: &Module, id: FuncId) -> Vec<(u32, u64, u64)> {
    let function = &module.functions[id];
    let copied = |(number, param): (u32, &ir::module::Param)| {
        let attrs = &module.attrs[param.attrs].0;
        let ty = attrs.iter().find_map(|attr| if let Attr::ByVal(ty) = attr { Some(*ty) } else { None })?;
        let layout = module.type_layouts.get(ty)?;
        Some((number, layout.size, layout.align))
    };
    if function.blocks.is_empty() { Vec::new() } else { (0..).zip(&function.params).filter_map(copied).collect() }
}

/// Instructions whose value is used for more than plain reads and writes through it.
fn escaping(module: &Module, id: FuncId) -> BTreeSet<InstId> {
    let mut found = BTreeSet::new();
    let mut note = |operand: Value| {
        if let Value::Inst(inst) = operand {
            found.insert(inst);
        }
    };
    for (_, _, inst) in module.functions[id].body() {
        match &inst.kind {
            InstKind::Load { .. } | InstKind::Marker(_) => {}
            InstKind::Store { value, .. } => note(*value),
            other if is_lifetime(module, other) => {}
            other => other.for_each_operand(&mut note),
        }
    }
    found
}

/// Whether it only says from where to where a stack object is used.
fn is_lifetime(module: &Module, kind: &InstKind) -> bool {
    let callee = module.called_function(kind);
    callee.is_some_and(|callee| module.function_name(callee).starts_with("llvm.lifetime."))
}

/// Whether the function ends in a call that takes its place.
fn has_must_tail(module: &Module, id: FuncId) -> bool {
    let must = |inst: &ir::inst::Inst| inst.kind.call().is_some_and(|call| call.tail == Tail::MustTail);
    module.functions[id].body().any(|(_, _, inst)| must(inst))
}
