//! Debug info: where an instruction comes from, and what the user calls things.
//!
//! The tables are filled from the metadata of a module, which may be garbled: scopes, inlined-at
//! chains and types can form cycles. Whoever follows such a chain counts its steps, as the helpers
//! here do.

mod names;
mod padding;
mod places;
#[cfg(test)]
mod tests;

pub use places::Place;

use crate::id::{Arena, DebugTypeId, ExprId, FileId, Interner, LocId, ScopeId, StrId, VarId};

/// All debug info of a module.
#[derive(Clone, Debug, Default)]
pub struct DebugInfo {
    /// Source files.
    pub files: Arena<FileId, File>,
    /// Scopes.
    pub scopes: Arena<ScopeId, Scope>,
    /// Locations.
    pub locations: Arena<LocId, Location>,
    /// Local variables and parameters.
    pub variables: Arena<VarId, Variable>,
    /// Source types.
    pub types: Arena<DebugTypeId, DebugType>,
    /// Address expressions other than the empty one.
    pub exprs: Interner<ExprId, Box<[ExprOp]>>,
}

/// A source file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct File {
    /// Name as given to the compiler.
    pub name: StrId,
    /// Directory that the name is relative to.
    pub directory: Option<StrId>,
}

/// What kind of scope it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScopeKind {
    /// A translation unit.
    CompileUnit,
    /// A function.
    Function,
    /// A block inside a function.
    Block,
    /// A namespace or module.
    Namespace,
    /// A struct, class, union or enum.
    Type,
}

/// A scope.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scope {
    /// Kind.
    pub kind: ScopeKind,
    /// Name in the source.
    pub name: Option<StrId>,
    /// Name in the object file.
    pub linkage_name: Option<StrId>,
    /// File.
    pub file: Option<FileId>,
    /// Line.
    pub line: u32,
    /// Enclosing scope.
    pub parent: Option<ScopeId>,
    /// For a function its [`DebugTypeKind::Function`] type, for a type scope that type.
    pub ty: Option<DebugTypeId>,
}

/// A place in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// Line; 0 for code that no line stands for.
    pub line: u32,
    /// Column; 0 if unknown.
    pub column: u32,
    /// Scope, which names the file and the function.
    pub scope: Option<ScopeId>,
    /// Where the scope's function was inlined.
    pub inlined_at: Option<LocId>,
}

/// A local variable or parameter, or a global variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variable {
    /// Name.
    pub name: Option<StrId>,
    /// Position among the parameters, from 1; 0 for a local variable.
    pub arg: u32,
    /// Scope.
    pub scope: Option<ScopeId>,
    /// File.
    pub file: Option<FileId>,
    /// Line.
    pub line: u32,
    /// Type.
    pub ty: Option<DebugTypeId>,
}

/// A source type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DebugType {
    /// Name, if it has one.
    pub name: Option<StrId>,
    /// Size in bits; 0 if unknown, as for an alias ([`DebugInfo::bits`] knows better).
    pub bits: u64,
    /// Language that spells it.
    pub language: Language,
    /// What it is made of.
    pub kind: DebugTypeKind,
}

/// A source language, as far as names are spelled differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// C, where `struct` and its like belong to a type's name.
    C,
    /// C++.
    Cpp,
    /// Rust.
    Rust,
    /// Any other one.
    Other,
}

/// What a source type is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DebugTypeKind {
    /// A number, character or truth value.
    Basic(Encoding),
    /// A pointer or reference.
    Pointer {
        /// What it points to; `None` for `void`.
        to: Option<DebugTypeId>,
        /// Whether it is a reference.
        reference: bool,
    },
    /// Another name (`typedef`) or qualification (`const`) of a type.
    Alias {
        /// That type; `None` for `void`.
        to: Option<DebugTypeId>,
        /// What it adds to that type; `None` for another name.
        qualifier: Option<Qualifier>,
    },
    /// A struct, class or union.
    Record {
        /// Whether its fields overlap.
        union: bool,
        /// Fields and base classes, without static members and virtual bases.
        fields: Box<[Field]>,
        /// The cases of a Rust enum.
        variants: Option<Box<Variants>>,
    },
    /// An array.
    Array {
        /// Element.
        element: Option<DebugTypeId>,
        /// Length of each dimension; `None` if unknown.
        counts: Box<[Option<u64>]>,
    },
    /// An enumeration.
    Enum {
        /// Underlying integer type.
        base: Option<DebugTypeId>,
        /// Names and values.
        values: Box<[(StrId, i128)]>,
    },
    /// A function's result and parameters; a `None` result is `void`.
    Function {
        /// Result first.
        types: Box<[Option<DebugTypeId>]>,
    },
    /// A type that the model knows by its DWARF tag only.
    Other(StrId),
}

/// A qualification of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Qualifier {
    /// `const`.
    Const,
    /// `volatile`.
    Volatile,
    /// `restrict`.
    Restrict,
    /// `_Atomic`.
    Atomic,
}

/// How a basic type's bits are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Signed integer.
    Signed,
    /// Unsigned integer.
    Unsigned,
    /// Signed character.
    SignedChar,
    /// Unsigned character.
    UnsignedChar,
    /// Unicode character.
    Utf,
    /// Truth value.
    Boolean,
    /// Floating-point number.
    Float,
    /// Anything else.
    Other,
}

/// A field of a record.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Name; `None` for an anonymous struct or union, and for a base class.
    pub name: Option<StrId>,
    /// Offset in bits.
    pub offset: u64,
    /// Size in bits: of the bit-field, else of the type.
    pub bits: u64,
    /// Whether it is a bit-field.
    pub bit_field: bool,
    /// Type.
    pub ty: Option<DebugTypeId>,
}

/// The cases of a Rust enum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variants {
    /// The field that tells them apart; `None` if there is one case only.
    pub tag: Option<Field>,
    /// Cases.
    pub cases: Box<[Variant]>,
}

/// A case of a Rust enum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    /// Value of the tag, as unsigned; `None` for the case of every other value.
    pub value: Option<u128>,
    /// The case's contents as one field, whose type is a record.
    pub field: Field,
}

/// One operation of an address expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ExprOp {
    /// Read the pointer.
    Deref,
    /// Add a constant.
    Add(i64),
    /// The value, not its address, is on the stack.
    StackValue,
    /// Only these bits of the variable are described.
    Fragment {
        /// Offset in bits.
        offset: u64,
        /// Size in bits.
        bits: u64,
    },
    /// Another operation with its operands.
    Other(StrId, Box<[u64]>),
}
