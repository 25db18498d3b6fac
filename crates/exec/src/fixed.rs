//! Variables whose address stays inside of the functions that name them.
//!
//! A variable that only its own units can name, and whose address is used for nothing but reading, keeps its initial
//! contents: tables of names, limits and functions without a `const`. It is no input then, and what changes in it from
//! one version to the next is a change of the program. If it is written, too, it is private: no pointer leads to it.

use crate::names::unmarked;
use ir::constant::ConstKind;
use ir::id::{ConstId, InstId, SymbolId};
use ir::inst::{Callee, InstKind, Value};
use ir::module::{Linkage, Module, SymbolKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// The variables of a module that never change although they are not constant.
pub fn find(module: &Module) -> FxHashSet<SymbolId> {
    only_used(module, false)
}

/// The variables of a module that no pointer leads to: their address is used for nothing but reading and writing.
pub fn private(module: &Module) -> FxHashSet<SymbolId> {
    only_used(module, true)
}

/// Variables that only their own units can name, and whose address is only read from, or written to if `written`.
fn only_used(module: &Module, written: bool) -> FxHashSet<SymbolId> {
    let mut fixed: FxHashSet<SymbolId> = FxHashSet::default();
    for (id, symbol) in module.symbols.iter_ids() {
        let SymbolKind::Variable(variable) = symbol.kind else { continue };
        let global = &module.globals[variable];
        let own = matches!(symbol.linkage, Linkage::Internal | Linkage::Private);
        if own && !global.constant && global.initializer.is_some() && !global.externally_initialized {
            fixed.insert(id);
        }
    }
    if fixed.is_empty() {
        return fixed;
    }
    // An address inside another constant may go anywhere.
    for (_, constant) in module.consts.iter_ids() {
        for part in parts(&constant.kind) {
            if let Some(symbol) = symbol(module, part) {
                fixed.remove(&symbol);
            }
        }
    }
    for symbol in module.symbols.iter() {
        if let SymbolKind::Alias { target, .. } = symbol.kind
            && let Some(target) = self::symbol(module, target)
        {
            fixed.remove(&target);
        }
    }
    for global in module.globals.iter() {
        if let Some(symbol) = global.initializer.and_then(|initializer| symbol(module, initializer)) {
            fixed.remove(&symbol);
        }
    }
    for function in module.functions.iter().filter(|function| function.is_defined()) {
        if fixed.is_empty() {
            break;
        }
        keep_used(module, function, written, &mut fixed);
    }
    fixed
}

/// Removes what a function does more with than to read it, or to write it if `written`.
fn keep_used(module: &Module, function: &ir::module::Function, written: bool, fixed: &mut FxHashSet<SymbolId>) {
    // Addresses inside of a variable; they are computed before they are used, but not always in the order of blocks.
    let mut inside: FxHashMap<InstId, SymbolId> = FxHashMap::default();
    let of = |value: Value, inside: &FxHashMap<InstId, SymbolId>| match value {
        Value::Const(id) => symbol(module, id),
        Value::Inst(id) => inside.get(&id).copied(),
        Value::Arg(_) => None,
    };
    loop {
        let before = inside.len();
        for (_, id, inst) in function.body() {
            if let InstKind::Gep { base, .. } = &inst.kind
                && let Some(symbol) = of(*base, &inside)
                && fixed.contains(&symbol)
            {
                inside.insert(id, symbol);
            }
        }
        if inside.len() == before {
            break;
        }
    }
    for (_, _, inst) in function.body() {
        let mut position = 0;
        let reads = |position: usize| match &inst.kind {
            InstKind::Load { .. } | InstKind::Compare { .. } | InstKind::Marker(_) => true,
            InstKind::Gep { .. } => position == 0,
            InstKind::Store { .. } => written && position == 1,
            // The callee is the first operand; a copy reads from its second argument.
            InstKind::Call(call) => match &call.callee {
                Callee::Value(Value::Const(callee)) => {
                    let name = symbol(module, *callee).map_or("", |callee| module.symbol_name(callee));
                    match position {
                        1 => written && ["llvm.memcpy.", "llvm.memset."].iter().any(|known| name.starts_with(known)),
                        2 => name.starts_with("llvm.memcpy."),
                        _ => false,
                    }
                }
                _ => false,
            },
            _ => false,
        };
        inst.kind.for_each_operand(|value| {
            if !reads(position)
                && let Some(symbol) = of(value, &inside)
            {
                fixed.remove(&symbol);
            }
            position += 1;
        });
        if let InstKind::Unsupported(unsupported) = &inst.kind {
            let text = module.str(unsupported.text);
            // The text has the name of the symbol in its own unit, without what tells it from those of others.
            let plain = |symbol: SymbolId| {
                let name = unmarked(module.symbol_name(symbol));
                name.split_once('@').map_or(name, |(name, _)| name)
            };
            fixed.retain(|&symbol| !text.contains(plain(symbol)));
        }
    }
}

/// The symbol that a constant is the address of, or a place in.
fn symbol(module: &Module, constant: ConstId) -> Option<SymbolId> {
    let mut constant = constant;
    for _ in 0..64 {
        match &module.consts[constant].kind {
            ConstKind::Symbol(symbol) => return Some(*symbol),
            ConstKind::Offset { base, .. } => constant = *base,
            _ => return None,
        }
    }
    None
}

/// What a constant is made of, if it is more than an address and a distance.
fn parts(kind: &ConstKind) -> Vec<ConstId> {
    match kind {
        ConstKind::Aggregate(parts) => parts.to_vec(),
        ConstKind::Gep { operands, .. } => operands.to_vec(),
        ConstKind::Splat(value) | ConstKind::Cast { value, .. } => vec![*value],
        ConstKind::Binary { left, right, .. } | ConstKind::Compare { left, right, .. } => vec![*left, *right],
        ConstKind::Select(parts) => parts.to_vec(),
        _ => Vec::new(),
    }
}
