//! Names under which both versions know functions, variables and other things that happen.

use change::{Changes, Digest};
use ir::id::{GlobalId, SymbolId};
use ir::inst::{Ordering, RmwOp};
use ir::module::{Linkage, Module, SymbolKind};
pub use ir::passing::{Class, classes_of, passing};

/// Which version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The old one.
    Old,
    /// The new one.
    New,
}

impl Side {
    /// Both, the old one first.
    pub const BOTH: [Side; 2] = [Side::Old, Side::New];

    /// Position in arrays of two.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// A symbol as both versions know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SymbolKey {
    /// In both versions, by its id in the new one.
    Both(SymbolId),
    /// A constant without a name, by its contents.
    Contents(Digest),
    /// In one version only, or not the same in both.
    Own(Side, SymbolId),
}

/// What happens: two things of one key do the same, given the same arguments in the same memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// A function that does the same in both versions.
    Function(SymbolKey, Box<[Class]>),
    /// A call through a pointer, which is the first argument.
    Pointer(Box<[Class]>),
    /// The same, where the function behind the pointer may be one that differs.
    OwnPointer(Side, Box<[Class]>),
    /// An intrinsic function, by its name.
    Intrinsic(Box<str>),
    /// A volatile or atomic read of that many bytes.
    Read(u32, Option<Ordering>),
    /// A volatile or atomic write.
    Write(Option<Ordering>),
    /// An atomic update.
    Update(RmwOp, Ordering),
    /// An atomic compare and exchange: success, failure, weak.
    Exchange(Ordering, Ordering, bool),
    /// A fence.
    Fence(Ordering),
    /// The next variadic argument, of that many bits.
    VaArg(u32),
    /// Memory of a size that is known when it is made only.
    Alloca(u64),
    /// A floating-point or other operation that is only known to be a function, by a name.
    Operation(&'static str, u32),
    /// What a landing pad catches, by its clauses.
    Landing(Vec<(bool, Option<SymbolKey>)>, bool),
}

/// How both versions know a symbol.
pub fn symbol_key(modules: [&Module; 2], changes: &Changes, side: Side, symbol: SymbolId) -> SymbolKey {
    let module = modules[side.index()];
    let hashes = [&changes.old_hashes, &changes.new_hashes];
    if change::is_known_by_contents(module, symbol) {
        return SymbolKey::Contents(hashes[side.index()].own(symbol));
    }
    let (old, new) = match side {
        Side::Old => (Some(symbol), changes.matching.new_of(symbol)),
        Side::New => (changes.matching.old_of(symbol), Some(symbol)),
    };
    let (Some(old), Some(new)) = (old, new) else { return SymbolKey::Own(side, symbol) };
    let same = match (modules[0].symbols[old].kind, modules[1].symbols[new].kind) {
        (SymbolKind::Function(_), SymbolKind::Function(_)) => true,
        (SymbolKind::Variable(a), SymbolKind::Variable(b)) => {
            hashes[0].own(old) == hashes[1].own(new) || is_same_place(modules, a, b)
        }
        _ => hashes[0].full(old) == hashes[1].full(new),
    };
    if same { SymbolKey::Both(new) } else { SymbolKey::Own(side, symbol) }
}

/// Whether two variables that may begin with other contents are the same otherwise.
fn is_same_place([old, new]: [&Module; 2], a: GlobalId, b: GlobalId) -> bool {
    let (a, b) = (&old.globals[a], &new.globals[b]);
    let layout = |module: &Module, ty| module.type_layouts.get(ty).map(|layout| (layout.size, layout.align));
    let declared = |module: &Module, global: &ir::module::Global| {
        let symbol = &module.symbols[global.symbol];
        (symbol.linkage, symbol.thread_local.is_some(), global.initializer.is_some())
    };
    // Of a constant the contents are what it is.
    !a.constant
        && !b.constant
        && a.address_space == b.address_space
        && layout(old, a.ty).is_some()
        && layout(old, a.ty) == layout(new, b.ty)
        && declared(old, a) == declared(new, b)
}

/// The variable behind a symbol if it is certainly an object of its own in the linked program.
pub fn own_variable(module: &Module, symbol: SymbolId) -> Option<GlobalId> {
    let SymbolKind::Variable(id) = module.symbols[symbol].kind else { return None };
    let replaceable = matches!(
        module.symbols[symbol].linkage,
        Linkage::Weak | Linkage::LinkOnce | Linkage::Common | Linkage::ExternWeak | Linkage::Appending
    );
    let named_by_others = module.symbols.iter().any(|other| match other.kind {
        SymbolKind::Alias { target, .. } => module.base_symbol(target) == Some(symbol),
        _ => false,
    });
    (module.globals[id].initializer.is_some() && !replaceable && !named_by_others).then_some(id)
}
