//! Constants. Every constant is interned together with its type.

use crate::id::{BlockId, ConstId, StrId, SymbolId, TypeId};
use crate::inst::{BinaryOp, CastOp, Flags, Predicate};

/// A constant and its type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Const {
    /// Type.
    pub ty: TypeId,
    /// Value.
    pub kind: ConstKind,
}

/// The value of a constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ConstKind {
    /// An integer of up to 128 bits, zero-extended from its width.
    Int(u128),
    /// An integer of more than 128 bits, least significant word first, without the words that only repeat the sign of
    /// the one before: types have up to 2^23 bits, numbers hardly any.
    WideInt(Box<[u64]>),
    /// The bits of a floating-point number, zero-extended.
    Float(u128),
    /// The null pointer.
    Null,
    /// Any value, possibly another at each use.
    Undef,
    /// The result of an operation that had none.
    Poison,
    /// All bytes zero (`zeroinitializer`) of an aggregate or vector.
    Zero,
    /// The `none` token.
    NoToken,
    /// Elements of an array, struct or vector.
    Aggregate(Box<[ConstId]>),
    /// An array of bytes (`c"…"`).
    Bytes(Box<[u8]>),
    /// A vector with equal elements.
    Splat(ConstId),
    /// The address of a function, variable or alias.
    Symbol(SymbolId),
    /// The address of a basic block.
    BlockAddress {
        /// Function that has the block.
        function: SymbolId,
        /// Block.
        block: BlockId,
    },
    /// A function's address, or that of a stub equivalent to it (`dso_local_equivalent`, `no_cfi`).
    FunctionStub {
        /// `dso_local_equivalent` or `no_cfi`.
        keyword: StrId,
        /// Function.
        function: SymbolId,
    },
    /// A constant address plus a number of bytes: every constant `getelementptr` whose indices are known.
    Offset {
        /// Base address.
        base: ConstId,
        /// Signed distance in bytes.
        bytes: i64,
        /// Whether the result stays inside the object.
        inbounds: bool,
    },
    /// A constant `getelementptr` that is no plain offset.
    Gep {
        /// Type the indices walk through.
        source: TypeId,
        /// Base and indices.
        operands: Box<[ConstId]>,
        /// `inbounds` and the like.
        flags: Flags,
    },
    /// A conversion.
    Cast {
        /// Operation.
        op: CastOp,
        /// Operand.
        value: ConstId,
    },
    /// Arithmetic.
    Binary {
        /// Operation.
        op: BinaryOp,
        /// `nuw` and the like.
        flags: Flags,
        /// Left operand.
        left: ConstId,
        /// Right operand.
        right: ConstId,
    },
    /// A comparison.
    Compare {
        /// Predicate.
        predicate: Predicate,
        /// Left operand.
        left: ConstId,
        /// Right operand.
        right: ConstId,
    },
    /// `select` of condition, value if true, value if false.
    Select([ConstId; 3]),
    /// Metadata as an argument of an intrinsic, as text.
    Metadata(StrId),
    /// An expression that the model knows by its text only.
    Unsupported(StrId),
}
