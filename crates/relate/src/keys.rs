//! Names under which both versions know functions, variables and other things that happen.

use change::{Changes, Digest};
use ir::attrs::{Attr, AttrFlag};
use ir::id::{AttrsId, GlobalId, SymbolId, TypeId};
use ir::inst::{Call, Ordering, RmwOp};
use ir::module::{Linkage, Module, SymbolKind};
use ir::types::{FloatKind, Type};

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

/// How a value is passed, beside its bits: calls that pass the same bits in other ways are other calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// An integer or address.
    Integer,
    /// An integer that is widened by its sign, or by zeros, to the size of a register.
    Widened {
        /// By its sign.
        signed: bool,
    },
    /// A floating-point number.
    Float(FloatKind),
    /// A vector of so many elements, whose class follows.
    Vector(u64),
    /// Behind an address, a copy of so many bytes.
    Copy(u64),
    /// Behind an address, memory for the result.
    Result,
    /// Of a type that has no such class.
    Other,
    /// Next parameter, or next field.
    Next,
    /// By a calling convention other than C's.
    Convention(u32),
}

/// How a call passes its arguments and its result.
pub fn passing(module: &Module, call: &Call, result: TypeId, args: impl Iterator<Item = TypeId>) -> Box<[Class]> {
    let mut classes = Vec::new();
    if call.convention != 0 {
        classes.push(Class::Convention(call.convention));
    }
    classes_of(module, result, Some(call.result_attrs), &mut classes);
    for (position, arg) in args.enumerate() {
        classes_of(module, arg, call.arg_attrs.get(position).copied(), &mut classes);
    }
    classes.into()
}

/// Adds the classes of a value of a type that is passed with some attributes.
pub fn classes_of(module: &Module, ty: TypeId, attrs: Option<AttrsId>, classes: &mut Vec<Class>) {
    let in_memory = attrs.into_iter().flat_map(|attrs| &module.attrs[attrs].0).find_map(|attr| match attr {
        Attr::ByVal(ty) | Attr::ByRef(ty) | Attr::InAlloca(ty) => {
            Some(Class::Copy(module.type_layouts.get(*ty).map_or(u64::MAX, |layout| layout.size)))
        }
        Attr::Sret(_) => Some(Class::Result),
        _ => None,
    });
    classes.extend(in_memory);
    let has = |flag| attrs.is_some_and(|attrs| module.attrs[attrs].has(flag));
    if has(AttrFlag::SignExt) || has(AttrFlag::ZeroExt) {
        classes.push(Class::Widened { signed: has(AttrFlag::SignExt) });
    }
    // Deep types come from hostile input only.
    let (mut todo, mut left) = (vec![ty], MAX_CLASSES);
    while let Some(ty) = todo.pop() {
        if left == 0 {
            classes.push(Class::Other);
            break;
        }
        left -= 1;
        match module.types.resolve(ty) {
            Type::Int(_) | Type::Ptr(_) => classes.push(Class::Integer),
            Type::Float(kind) => classes.push(Class::Float(*kind)),
            Type::Vector { element, count, .. } => {
                classes.push(Class::Vector(*count));
                todo.push(*element);
            }
            Type::Array(element, count) => todo.extend((0..*count).take(MAX_CLASSES).map(|_| *element)),
            Type::Struct { fields, .. } => todo.extend(fields.iter().rev()),
            Type::Void => {}
            _ => classes.push(Class::Other),
        }
    }
    classes.push(Class::Next);
}

/// Most parts of a type that are told apart.
const MAX_CLASSES: usize = 4096;

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
