//! Typed `u32` ids and the arenas they index, in place of references between parts of the model.

use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A typed index into an [`Arena`] or an [`Interner`].
pub trait Id: Copy + Eq + Ord + Hash + fmt::Debug {
    /// The id of the `index`-th element.
    fn from_index(index: usize) -> Self;
    /// The position this id stands for.
    fn index(self) -> usize;
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(std::num::NonZeroU32);

        impl Id for $name {
            fn from_index(index: usize) -> Self {
                // The parser bounds every file far below this, so saturation is never observed.
                let raw = u32::try_from(index).unwrap_or(u32::MAX - 1).saturating_add(1);
                $name(std::num::NonZeroU32::new(raw).unwrap_or(std::num::NonZeroU32::MIN))
            }
            fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.index())
            }
        }
    )*};
}

ids! {
    /// An interned string: a name, a section, an unsupported instruction's text.
    StrId = "str";
    /// An interned type.
    TypeId = "ty";
    /// A named struct type (`%struct.point`), whose body may be defined after its first use.
    NamedTypeId = "named";
    /// An interned constant.
    ConstId = "const";
    /// What `@name` stands for: a function, a variable or an alias.
    SymbolId = "sym";
    /// A function, declared or defined.
    FuncId = "fn";
    /// A global variable.
    GlobalId = "global";
    /// A basic block of one function.
    BlockId = "bb";
    /// An instruction of one function, and the value that it computes.
    InstId = "%";
    /// An interned set of attributes.
    AttrsId = "attrs";
    /// A source file named by debug info.
    FileId = "file";
    /// A lexical scope of debug info, from compile unit to block.
    ScopeId = "scope";
    /// A source location of debug info.
    LocId = "loc";
    /// A source variable of debug info.
    VarId = "var";
    /// A source type of debug info.
    DebugTypeId = "dity";
    /// A debug-info address expression.
    ExprId = "expr";
    /// A translation unit that went into a module.
    UnitId = "unit";
}

/// A growable list whose elements are named by a typed id.
#[derive(Clone, PartialEq, Eq)]
pub struct Arena<I, T> {
    items: Vec<T>,
    ids: PhantomData<fn(I) -> I>,
}

impl<I: Id, T> Arena<I, T> {
    /// An arena without elements.
    pub const fn new() -> Self {
        Arena { items: Vec::new(), ids: PhantomData }
    }

    /// Appends `item` and returns its id.
    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::from_index(self.items.len() - 1)
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The element of `id`, if there is one.
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }

    /// All elements in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// All elements in order, to be changed.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    /// All ids in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.items.len()).map(I::from_index)
    }

    /// All ids with their elements in order.
    pub fn iter_ids(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.items.iter().enumerate().map(|(i, item)| (I::from_index(i), item))
    }

    /// Gives back spare capacity.
    pub fn shrink_to_fit(&mut self) {
        self.items.shrink_to_fit();
    }
}

impl<I: Id, T> Default for Arena<I, T> {
    fn default() -> Self {
        Arena::new()
    }
}

impl<I: Id, T: fmt::Debug> fmt::Debug for Arena<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter_ids()).finish()
    }
}

impl<I: Id, T> Index<I> for Arena<I, T> {
    type Output = T;
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Arena<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I: Id, T> FromIterator<T> for Arena<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(iter: It) -> Self {
        Arena { items: iter.into_iter().collect(), ids: PhantomData }
    }
}

impl<I, T> IntoIterator for Arena<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

/// A set of distinct values, each named by a typed id in order of first appearance.
#[derive(Clone)]
pub struct Interner<I, T> {
    items: indexmap::IndexSet<T, rustc_hash::FxBuildHasher>,
    ids: PhantomData<fn(I) -> I>,
}

impl<I: Id, T: Hash + Eq> Interner<I, T> {
    /// An interner without elements.
    pub fn new() -> Self {
        Interner { items: indexmap::IndexSet::default(), ids: PhantomData }
    }

    /// The id of `item`, new if it was not seen before.
    pub fn intern(&mut self, item: T) -> I {
        I::from_index(self.items.insert_full(item).0)
    }

    /// The id of `item` if it was seen before.
    pub fn find<Q: ?Sized + Hash + indexmap::Equivalent<T>>(&self, item: &Q) -> Option<I> {
        self.items.get_index_of(item).map(I::from_index)
    }

    /// How many distinct elements there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// All ids with their elements in order of first appearance.
    pub fn iter_ids(&self) -> impl ExactSizeIterator<Item = (I, &T)> {
        self.items.iter().enumerate().map(|(i, item)| (I::from_index(i), item))
    }
}

impl<I: Id, T: Hash + Eq> Default for Interner<I, T> {
    fn default() -> Self {
        Interner::new()
    }
}

impl<I: Id, T: Hash + Eq + fmt::Debug> fmt::Debug for Interner<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter_ids()).finish()
    }
}

impl<I: Id, T: Hash + Eq> Index<I> for Interner<I, T> {
    type Output = T;
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

/// Interned strings.
pub type Strings = Interner<StrId, Box<str>>;

impl Strings {
    /// The id of `text`, allocating only when it is new.
    pub fn intern_str(&mut self, text: &str) -> StrId {
        match self.find(text) {
            Some(id) => id,
            None => self.intern(text.into()),
        }
    }
}
