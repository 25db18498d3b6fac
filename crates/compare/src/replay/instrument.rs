//! The program's part of a driver: the module itself, which tells what it does, and a way into each of its entries.
//!
//! Every conditional branch and switch tells which way it goes, every point that is never to be reached tells when it
//! is, and constructors wait for the child that runs a case. Symbols that the runtime brings too get other names.

use std::collections::{BTreeMap, BTreeSet};

use exec::formatters;
use ir::attrs::AttrFlag;
use ir::constant::{Const, ConstKind};
use ir::debug::Language;
use ir::id::{ConstId, FuncId, InstId, SymbolId, TypeId};
use ir::inst::{Access, Align, BinaryOp, Call, Callee, Flags, InstKind, IntPredicate, Predicate, Tail, Value};
use ir::module::{Linkage, Module, Symbol, SymbolKind};
use ir::types::Type;

use super::Options;
use super::emit::{self, Body};
use super::guard;
use super::loading;
use super::outside::Outside;
use super::pointers;
use super::wire::{MUTABLE, READONLY, Symbols};

/// The program's part of a driver.
pub struct Instrumented {
    /// The module with everything added.
    pub module: Module,
    /// Symbols that cases can name.
    pub symbols: Symbols,
    /// The function and branch behind each number that a turn has.
    pub branches: Vec<(FuncId, u32)>,
    /// What is known of each entry, or what of it native runs do not know.
    pub entries: BTreeMap<FuncId, Result<Entry, String>>,
    /// Functions that answer for pointers of the input, by number.
    pub answering: Vec<(u64, Outside)>,
}

/// A function that can be run by itself.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its number among all entries.
    pub number: u64,
    /// Types of its parameters.
    pub params: Vec<TypeId>,
    /// Where each argument lies.
    pub offsets: Vec<u64>,
    /// How large all of them are.
    pub size: u64,
    /// Type of the result, and its size.
    pub result: Option<(TypeId, u64)>,
    /// Whether it is the program's `main`.
    pub program: bool,
}

/// Largest result of an entry in bytes.
const MAX_RESULT: u64 = 1 << 16;

/// Functions of the runtime that take the place of the C library's where the program calls them.
const REPLACED: [(&str, &str); 3] =
    [("malloc", "pathshift_malloc"), ("calloc", "pathshift_calloc"), ("realloc", "pathshift_realloc")];

/// Functions that the runtime brings.
const OF_RUNTIME: [&str; 11] = [
    "main",
    "malloc",
    "calloc",
    "realloc",
    "free",
    "memalign",
    "aligned_alloc",
    "valloc",
    "posix_memalign",
    "malloc_usable_size",
    "__assert_fail",
];

/// Functions that end or leave a run, which no answer can do in their place.
const LEAVING: [&str; 9] =
    ["abort", "exit", "_exit", "_Exit", "quick_exit", "longjmp", "siglongjmp", "_setjmp", "__sigsetjmp"];

/// Whether a case can answer for a function: not for memory of the runtime, nor for what ends a run.
pub fn is_answerable(name: &str) -> bool {
    !OF_RUNTIME.contains(&name) && !LEAVING.contains(&name)
}

/// Makes the program's part of a driver for some entries.
pub fn instrument(original: &Module, entries: &[FuncId], options: &Options) -> Instrumented {
    let mut module = original.clone();
    let mut numbered: Vec<SymbolId> = numbered_symbols(&module);
    if module.debug.types.iter().any(|ty| ty.language == Language::Rust) {
        let ptr = module.types.ptr();
        numbered.push(emit::outside_variable(&mut module, formatters::TABLE, ptr));
    }
    let symbols = describe_symbols(&module, &numbered);
    rename(&mut module);
    keep_faults(&mut module);
    let branches = tell_turns(&mut module);
    tell_unreachable(&mut module);
    let i64 = module.types.int(64);
    let widest = module.types.intern(Type::Array(i64, 2));
    let fill = emit::variable(&mut module, "pathshift_fill", widest, ConstKind::Zero);
    guard::begin_with(&mut module, fill);
    let functions = changeable(&module);
    let answering = pointers::answer(&mut module, &functions);
    if options.checks {
        guard::check_arithmetic(&mut module);
    }
    guard::define_undefined(&mut module, fill);
    drop_promises(&mut module);
    let mut guards = Vec::new();
    if options.guard_stack {
        guard::guard_stack_objects(&mut module);
        guards = guard::guard_globals(&mut module, options.guard_begin);
    }
    emit::variable(&mut module, "pathshift_guard_count", i64, ConstKind::Int(guards.len() as u128));
    table(&mut module, "pathshift_guards", guards);
    defer_constructors(&mut module);
    table_of_symbols(&mut module, &numbered);
    let entries = ways_in(&mut module, original, entries);
    module.type_layouts.extend(&module.types, &module.layout);
    Instrumented { module, symbols, branches, entries, answering }
}

/// Takes back what the source promises of its arithmetic, such as that sums are never too large: without optimisation, too,
/// compilers make use of it now and then, more often beside reads that must be made.
fn drop_promises(module: &mut Module) {
    for id in module.functions.ids() {
        for inst in module.functions[id].body().map(|(_, inst, _)| inst).collect::<Vec<_>>() {
            match &mut module.functions[id].insts[inst].kind {
                InstKind::Binary { flags, .. }
                | InstKind::Cast { flags, .. }
                | InstKind::Compare { flags, .. }
                | InstKind::Gep { flags, .. } => *flags = Flags::empty(),
                _ => {}
            }
        }
    }
}

/// Where values lie one after the other as their alignments demand, and how large all of them are.
pub fn lay_out(module: &Module, types: &[TypeId]) -> Option<(Vec<u64>, u64)> {
    let (mut offsets, mut end) = (Vec::new(), 0u64);
    for &ty in types {
        let layout = module.type_layouts.get(ty)?;
        let start = end.checked_next_multiple_of(layout.align.max(8))?;
        offsets.push(start);
        end = start.checked_add(layout.size)?;
    }
    Some((offsets, end.checked_next_multiple_of(8)?))
}

/// Symbols that the program defines, and those of elsewhere that it uses. Intrinsics are no symbols of a process.
fn numbered_symbols(module: &Module) -> Vec<SymbolId> {
    let mut used = BTreeSet::new();
    for (_, constant) in module.consts.iter_ids() {
        if let ConstKind::Symbol(symbol) = constant.kind {
            used.insert(symbol);
        }
    }
    let defined = |id: SymbolId| match module.symbols[id].kind {
        SymbolKind::Function(function) => module.functions[function].is_defined(),
        SymbolKind::Variable(global) => module.globals[global].initializer.is_some(),
        _ => false,
    };
    let wanted = |&id: &SymbolId| {
        let symbol = &module.symbols[id];
        let other_space = match symbol.kind {
            SymbolKind::Variable(global) => module.globals[global].address_space != 0,
            SymbolKind::Function(_) => false,
            _ => return false,
        };
        let own = !module.symbol_name(id).starts_with("llvm.") && !other_space;
        own && (defined(id) || used.contains(&id))
    };
    module.symbols.ids().filter(wanted).collect()
}

fn describe_symbols(module: &Module, numbered: &[SymbolId]) -> Symbols {
    let mut symbols = Symbols::default();
    for (number, &id) in (0..).zip(numbered) {
        let name = module.symbol_label(id).to_owned();
        let (size, properties) = match module.symbols[id].kind {
            SymbolKind::Variable(global) => {
                let global = &module.globals[global];
                let size = module.type_layouts.get(global.ty).map_or(0, |layout| layout.size);
                let own = global.initializer.is_some() && module.symbols[id].linkage != Linkage::AvailableExternally;
                (size, if global.constant { READONLY } else { u64::from(own && size > 0) * MUTABLE })
            }
            _ => (0, READONLY),
        };
        symbols.numbers.insert(name.clone(), number);
        symbols.names.push(name);
        symbols.facts.push([size, properties]);
    }
    symbols
}

/// A program keeps its functions for itself: one that is called `dup2`, say, must not be what the runtime calls.
fn rename(module: &mut Module) {
    for id in module.symbols.ids() {
        let symbol = &module.symbols[id];
        let defined = match symbol.kind {
            SymbolKind::Function(function) => module.functions[function].is_defined(),
            SymbolKind::Variable(global) => module.globals[global].initializer.is_some(),
            SymbolKind::Missing => false,
            _ => true,
        };
        let name = module.str(symbol.name);
        let in_assembly = || module.assembly.iter().any(|&line| module.str(line).contains(name));
        let is_own_by_name = || may_be_of_library(symbol, name) || loading::is_called_from_outside(name);
        let own = OF_RUNTIME.contains(&name) || is_own_by_name() && !in_assembly();
        let new = match defined {
            // No compiler makes such a name.
            true if own => Some(format!("program:{name}")),
            true => None,
            false => REPLACED.iter().find(|(old, _)| *old == name).map(|(_, new)| (*new).to_owned()),
        };
        if let Some(new) = new {
            module.symbols[id].name = module.strings.intern_str(&new);
        }
        // A copy of something that is elsewhere: here it is all there is.
        if defined && module.symbols[id].linkage == Linkage::AvailableExternally {
            module.symbols[id].linkage = Linkage::LinkOnceOdr;
        }
    }
}

/// Whether libraries of C may have a function of this name, as far as it goes by that name at all. What the runtimes of C++ and Rust
/// look for in a program keeps its name, except what they call while a program is loaded or ends.
fn may_be_of_library(symbol: &Symbol, name: &str) -> bool {
    const LOOKED_FOR: [&str; 9] = ["_Z", "_R", "__cxa_", "__gxx_", "_Unwind_", "rust_", "__rust_", "__rdl_", "__rg_"];
    const CALLED_WHILE_LOADING: [&str; 3] = ["__cxa_finalize", "__cxa_atexit", "__cxa_thread_atexit_impl"];
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    matches!(symbol.kind, SymbolKind::Function(_))
        && matches!(symbol.linkage, Linkage::External | Linkage::Weak)
        && (CALLED_WHILE_LOADING.contains(&name) || !LOOKED_FOR.iter().any(|prefix| name.starts_with(prefix)))
        && name.bytes().all(plain)
}

/// Functions that can be added to: they have a body and a stack frame.
fn changeable(module: &Module) -> Vec<FuncId> {
    let naked = |id: FuncId| module.attrs[module.functions[id].attrs].has(AttrFlag::Naked);
    module.functions.ids().filter(|&id| module.functions[id].is_defined() && !naked(id)).collect()
}

/// Keeps all reads of memory and divisions: unoptimised code makes them, whatever becomes of the value, and they may be faults.
fn keep_faults(module: &mut Module) {
    let widest = module.types.int(128);
    let unused = emit::variable(module, "pathshift_unused", widest, ConstKind::Int(0));
    for id in changeable(module) {
        let all: Vec<InstId> = module.functions[id].body().map(|(_, inst, _)| inst).collect();
        for inst in all {
            match &mut module.functions[id].insts[inst].kind {
                InstKind::Load { access, .. } => access.volatile = true,
                InstKind::Binary { op, left, right, .. } if divides(*op) => {
                    let operands = [*left, *right];
                    keep_division(module, (id, inst), operands, unused);
                }
                _ => {}
            }
        }
    }
}

fn divides(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem)
}

/// Makes a division one that no compiler may leave out, or do without dividing: what is divided, and by what, it finds in
/// memory that may change, and the result of at most 16 bytes is written there. `x / -1`, `0 / x` and `x / x` are simple
/// otherwise, even without optimisation.
fn keep_division(module: &mut Module, (id, inst): (FuncId, InstId), operands: [Value; 2], unused: SymbolId) {
    let ty = module.functions[id].insts[inst].ty;
    if module.type_layouts.get(ty).is_none_or(|layout| layout.size > 16) {
        return;
    }
    let (void, ptr) = (module.types.void(), emit::address(module, unused));
    let access = Access { align: Align::from_bytes(1), volatile: true, ..Access::default() };
    let is_harmless = is_harmless_divisor(module, operands[1]);
    let function = &mut module.functions[id];
    let mut before = Vec::new();
    if !is_harmless {
        let hidden = operands.map(|value| {
            let store = emit::instruction(function, InstKind::Store { value, ptr, access }, void);
            let load = emit::instruction(function, InstKind::Load { ptr, access }, ty);
            before.extend([store, load]);
            Value::Inst(load)
        });
        if let InstKind::Binary { left, right, .. } = &mut function.insts[inst].kind {
            [*left, *right] = hidden;
        }
    }
    let store = emit::instruction(function, InstKind::Store { value: Value::Inst(inst), ptr, access }, void);
    for block in function.blocks.ids() {
        let insts = &mut function.blocks[block].insts;
        if let Some(at) = insts.iter().position(|&other| other == inst) {
            insts.insert(at + 1, store);
            insts.splice(at..at, before);
            return;
        }
    }
}

/// Whether no division by something is ever a fault: it is a known number, neither 0 nor -1.
fn is_harmless_divisor(module: &Module, value: Value) -> bool {
    let Value::Const(id) = value else { return false };
    let constant = &module.consts[id];
    match (&module.types[constant.ty], &constant.kind) {
        (Type::Int(bits), ConstKind::Int(number)) => {
            *number != 0 && *number != u128::MAX >> (128 - (*bits).clamp(1, 128))
        }
        _ => false,
    }
}

fn tell_turns(module: &mut Module) -> Vec<(FuncId, u32)> {
    let (void, i1, i32) = (module.types.void(), module.types.int(1), module.types.int(32));
    // A function whose model takes the place of its code takes no turns in the other run either.
    let has_code = |id: &FuncId| exec::models::instead_of(module.function_name(*id)).is_none();
    let functions: Vec<FuncId> = changeable(module).into_iter().filter(has_code).collect();
    let told = emit::function(module, "pathshift_turn", void, &[i32, i32]);
    let mut branches = Vec::new();
    for id in functions {
        let mut branch = 0;
        for block in module.functions[id].blocks.ids() {
            let Some(&last) = module.functions[id].blocks[block].insts.last() else { continue };
            let number = branches.len() as u64;
            let mut added = Vec::new();
            let mut add = |module: &mut Module, kind: InstKind, ty: TypeId| {
                let inst = emit::instruction(&mut module.functions[id], kind, ty);
                added.push(inst);
                Value::Inst(inst)
            };
            let side = match module.functions[id].insts[last].kind.clone() {
                InstKind::CondBr { condition, then, otherwise } => {
                    // What is told and what is done have to be one value, also of a condition that was never assigned.
                    let condition = add(module, InstKind::Freeze(condition), i1);
                    module.functions[id].insts[last].kind = InstKind::CondBr { condition, then, otherwise };
                    let [zero, one] = [0, 1].map(|side| emit::int(module, 32, side));
                    let select = InstKind::Select { condition, then: zero, otherwise: one, flags: Flags::empty() };
                    add(module, select, i32)
                }
                InstKind::Switch { value, default, cases } => {
                    let ty = module.type_of(&module.functions[id], value);
                    let value = add(module, InstKind::Freeze(value), ty);
                    let mut side = emit::int(module, 32, 0);
                    for (case, target) in cases.iter().filter(|(_, target)| *target != default) {
                        // The side of several cases that lead to the same block is that of the first one.
                        let number = (1..).zip(&cases).find_map(|(number, (_, to))| (to == target).then_some(number));
                        let Some(number) = number else { continue };
                        let predicate = Predicate::Int(IntPredicate::Eq);
                        let flags = Flags::empty();
                        let right = Value::Const(*case);
                        let condition = add(module, InstKind::Compare { predicate, flags, left: value, right }, i1);
                        let then = emit::int(module, 32, number);
                        side = add(module, InstKind::Select { condition, then, otherwise: side, flags }, i32);
                    }
                    module.functions[id].insts[last].kind = InstKind::Switch { value, default, cases };
                    side
                }
                _ => continue,
            };
            let number = emit::int(module, 32, number);
            let (kind, ty) = emit::call(module, told, &[number, side]);
            add(module, kind, ty);
            let insts = &mut module.functions[id].blocks[block].insts;
            let at = insts.len() - 1;
            insts.splice(at..at, added);
            branches.push((id, branch));
            branch += 1;
        }
    }
    branches
}

/// Position of the fault of reaching what is never reached among the kinds of faults.
const UNREACHABLE: u64 = 8;

fn tell_unreachable(module: &mut Module) {
    let (void, i32) = (module.types.void(), module.types.int(32));
    // A function whose model takes the place of its code takes no turns in the other run either.
    let has_code = |id: &FuncId| exec::models::instead_of(module.function_name(*id)).is_none();
    let functions: Vec<FuncId> = changeable(module).into_iter().filter(has_code).collect();
    let told = emit::function(module, guard::FAULT, void, &[i32]);
    let kind = emit::int(module, 32, UNREACHABLE);
    for id in functions {
        for block in module.functions[id].blocks.ids() {
            let unreachable = |inst: &ir::inst::Inst| matches!(inst.kind, InstKind::Unreachable);
            if !module.functions[id].terminator(block).is_some_and(unreachable) {
                continue;
            }
            let (call, ty) = emit::call(module, told, &[kind]);
            let inst = emit::instruction(&mut module.functions[id], call, ty);
            let insts = &mut module.functions[id].blocks[block].insts;
            insts.insert(insts.len() - 1, inst);
        }
    }
}

/// Constructors run in the child of each case, before its entry, in the order of their priorities.
fn defer_constructors(module: &mut Module) {
    let mut list: Vec<(u128, ConstId)> = Vec::new();
    let found = module.symbols.ids().find(|&id| module.symbol_name(id) == "llvm.global_ctors");
    if let Some(id) = found
        && let SymbolKind::Variable(global) = module.symbols[id].kind
    {
        let entries = module.globals[global].initializer.map(|id| &module.consts[id].kind);
        if let Some(ConstKind::Aggregate(entries)) = entries {
            for &entry in entries {
                let ConstKind::Aggregate(parts) = &module.consts[entry].kind else { continue };
                let [priority, function, ..] = **parts else { continue };
                let ConstKind::Int(priority) = module.consts[priority].kind else { continue };
                list.push((priority, function));
            }
        }
        module.symbols[id].name = module.strings.intern_str("pathshift.constructors");
        module.symbols[id].linkage = Linkage::Internal;
    }
    list.sort_by_key(|(priority, _)| *priority);
    let functions: Vec<ConstId> = list.into_iter().map(|(_, function)| function).collect();
    let i64 = module.types.int(64);
    emit::variable(module, "pathshift_constructor_count", i64, ConstKind::Int(functions.len() as u128));
    table(module, "pathshift_constructors", functions);
}

/// Addresses by number. That of a thread-local variable is known in its thread only, so a function writes it.
fn table_of_symbols(module: &mut Module, numbered: &[SymbolId]) {
    let (ptr, void) = (module.types.ptr(), module.types.void());
    let null = module.consts.intern(Const { ty: ptr, kind: ConstKind::Null });
    let mut addresses = Vec::with_capacity(numbered.len());
    let mut of_thread = Vec::new();
    for (number, &id) in (0..).zip(numbered) {
        let of_one_thread = module.symbols[id].thread_local.is_some();
        addresses.push(match emit::address(module, id) {
            Value::Const(address) if !of_one_thread => address,
            _ => null,
        });
        if of_one_thread {
            of_thread.push((number, id));
        }
    }
    table(module, "pathshift_symbols", addresses);
    let function = emit::function(module, "pathshift_thread_symbols", void, &[ptr]);
    let mut body = Body::new(module, function);
    for (number, id) in of_thread {
        let address = emit::address(body.module, id);
        body.store(address, Value::Arg(0), number * 8);
    }
    body.ret(None);
}

fn table(module: &mut Module, name: &str, mut addresses: Vec<ConstId>) {
    let ptr = module.types.ptr();
    if addresses.is_empty() {
        addresses.push(module.consts.intern(Const { ty: ptr, kind: ConstKind::Null }));
    }
    let ty = module.types.intern(Type::Array(ptr, addresses.len() as u64));
    emit::variable(module, name, ty, ConstKind::Aggregate(addresses.into()));
}

/// A way into each entry that has one, and the table of them.
fn ways_in(module: &mut Module, original: &Module, entries: &[FuncId]) -> BTreeMap<FuncId, Result<Entry, String>> {
    let mut ways = Vec::new();
    let mut known = BTreeMap::new();
    for &id in entries {
        let entry = way_in(module, id, ways.len() as u64).map(|(way, entry)| {
            let symbol = module.functions[way].symbol;
            if let Value::Const(address) = emit::address(module, symbol) {
                ways.push(address);
            }
            Entry { program: original.function_name(id) == "main", ..entry }
        });
        known.insert(id, entry.map_err(|what| format!("an entry whose {what}")));
    }
    table(module, "pathshift_ways", ways);
    known
}

/// A function that reads the entry's arguments from memory, calls it as its convention demands, and writes its result
/// to memory.
fn way_in(module: &mut Module, entry: FuncId, number: u64) -> Result<(FuncId, Entry), &'static str> {
    let function = &module.functions[entry];
    let params: Vec<TypeId> = function.params.iter().map(|param| param.ty).collect();
    let arg_attrs: Box<[_]> = function.params.iter().map(|param| param.attrs).collect();
    let (function_ty, result_attrs, convention) = (function.ty, function.result_attrs, function.convention);
    let symbol = function.symbol;
    let (returned, ..) = module.types.signature(function_ty).ok_or("type is no function's")?;
    let (offsets, size) = lay_out(module, &params).ok_or("parameters have no size")?;
    let result = match module.types[returned] {
        Type::Void => None,
        _ => {
            let layout = module.type_layouts.get(returned).filter(|layout| layout.size <= MAX_RESULT);
            Some((returned, layout.ok_or("result has no size, or is very large")?.size))
        }
    };
    let (void, ptr) = (module.types.void(), module.types.ptr());
    let way_in = emit::function(module, &format!("pathshift_way_{number}"), void, &[ptr, ptr]);
    let attrs = module.functions[way_in].attrs;
    let callee = Callee::Value(emit::address(module, symbol));
    let mut body = Body::new(module, way_in);
    let args = params.iter().zip(&offsets).map(|(&ty, &at)| body.load(ty, Value::Arg(0), at)).collect();
    let call = Call {
        callee,
        function_ty,
        args,
        arg_attrs,
        result_attrs,
        attrs,
        convention,
        tail: Tail::None,
        flags: Flags::empty(),
        bundles: Box::default(),
    };
    let value = body.push(InstKind::Call(Box::new(call)), returned);
    if result.is_some() {
        body.store(value, Value::Arg(1), 0);
    }
    body.ret(None);
    Ok((way_in, Entry { number, params, offsets, size, result, program: false }))
}
