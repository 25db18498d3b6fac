//! Instructions. An [`InstId`] names an instruction and the value it computes.

use crate::id::{AttrsId, BlockId, ConstId, ExprId, InstId, LocId, StrId, TypeId, VarId};

/// An operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// The result of an instruction of the same function.
    Inst(InstId),
    /// The parameter at that position.
    Arg(u32),
    /// A constant.
    Const(ConstId),
}

/// An instruction with its result type and origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Inst {
    /// What it does.
    pub kind: InstKind,
    /// Type of its result; void if it has none.
    pub ty: TypeId,
    /// Source location.
    pub loc: Option<LocId>,
    /// Name of its result in the IR text (`%sum`), if it had one.
    pub name: Option<StrId>,
}

/// What an instruction does.
#[derive(Clone, Debug, PartialEq)]
pub enum InstKind {
    /// Stack memory that lives until the function returns.
    Alloca {
        /// Type of one element.
        element: TypeId,
        /// Number of elements.
        count: Value,
        /// Alignment in bytes.
        align: Option<Align>,
    },
    /// Reads memory.
    Load {
        /// Address.
        ptr: Value,
        /// How.
        access: Access,
    },
    /// Writes memory.
    Store {
        /// What.
        value: Value,
        /// Address.
        ptr: Value,
        /// How.
        access: Access,
    },
    /// Address of a part of an object.
    Gep {
        /// Type the indices walk through.
        source: TypeId,
        /// Base address.
        base: Value,
        /// Indices: elements of `source`, then inside it.
        indices: Box<[Value]>,
        /// `inbounds`, `nusw`, `nuw`.
        flags: Flags,
    },
    /// Integer or floating-point arithmetic.
    Binary {
        /// Operation.
        op: BinaryOp,
        /// Flags under which the result may be poison.
        flags: Flags,
        /// Left operand.
        left: Value,
        /// Right operand.
        right: Value,
    },
    /// Floating-point negation.
    FNeg {
        /// Operand.
        value: Value,
        /// Fast-math flags.
        flags: Flags,
    },
    /// Comparison of integers, pointers or floats, or of their vectors.
    Compare {
        /// Predicate, which also tells integers and floats apart.
        predicate: Predicate,
        /// `samesign`, fast-math flags.
        flags: Flags,
        /// Left operand.
        left: Value,
        /// Right operand.
        right: Value,
    },
    /// Conversion to the instruction's type.
    Cast {
        /// Operation.
        op: CastOp,
        /// Operand.
        value: Value,
        /// `nneg`, `nuw`, `nsw`, fast-math flags.
        flags: Flags,
    },
    /// One of two values by condition.
    Select {
        /// Condition.
        condition: Value,
        /// Value if true.
        then: Value,
        /// Value if false.
        otherwise: Value,
        /// Fast-math flags.
        flags: Flags,
    },
    /// A value by the block control came from.
    Phi {
        /// Value for each predecessor.
        incoming: Box<[(BlockId, Value)]>,
        /// Fast-math flags.
        flags: Flags,
    },
    /// Stops undef and poison.
    Freeze(Value),
    /// Calls a function.
    Call(Box<Call>),
    /// Reads an element of an aggregate.
    ExtractValue {
        /// Aggregate.
        aggregate: Value,
        /// Path to the element.
        path: Box<[u32]>,
    },
    /// An aggregate with one element replaced.
    InsertValue {
        /// Aggregate.
        aggregate: Value,
        /// New element.
        element: Value,
        /// Path to the element.
        path: Box<[u32]>,
    },
    /// Reads an element of a vector.
    ExtractElement {
        /// Vector.
        vector: Value,
        /// Position.
        index: Value,
    },
    /// A vector with one element replaced.
    InsertElement {
        /// Vector.
        vector: Value,
        /// New element.
        element: Value,
        /// Position.
        index: Value,
    },
    /// Elements of two vectors in another order.
    ShuffleVector {
        /// First vector.
        left: Value,
        /// Second vector.
        right: Value,
        /// Positions, a constant vector.
        mask: Value,
    },
    /// Atomic read, modify, write; yields the old value.
    AtomicRmw(Box<AtomicRmw>),
    /// Atomic compare and exchange; yields the old value and whether it was stored.
    CompareExchange(Box<CompareExchange>),
    /// Memory fence.
    Fence {
        /// Ordering.
        ordering: Ordering,
        /// Synchronisation scope, if not the whole system.
        scope: Option<StrId>,
    },
    /// Next variadic argument.
    VaArg {
        /// The `va_list`.
        list: Value,
    },
    /// What is caught when a call unwinds to this block.
    LandingPad {
        /// Whether it also runs cleanup code.
        cleanup: bool,
        /// Clauses in order.
        clauses: Box<[Clause]>,
    },
    /// Says what a source variable is from here on. Computes nothing.
    Marker(Marker),

    /// Returns from the function.
    Ret(Option<Value>),
    /// Goes to a block.
    Br(BlockId),
    /// Goes to one of two blocks.
    CondBr {
        /// Condition.
        condition: Value,
        /// Block if true.
        then: BlockId,
        /// Block if false.
        otherwise: BlockId,
    },
    /// Goes to a block by an integer.
    Switch {
        /// Integer.
        value: Value,
        /// Block if no case fits.
        default: BlockId,
        /// Distinct integers and their blocks.
        cases: Box<[(ConstId, BlockId)]>,
    },
    /// Goes to a block by its address.
    IndirectBr {
        /// Address.
        address: Value,
        /// Every block it may be.
        targets: Box<[BlockId]>,
    },
    /// Calls a function that may unwind.
    Invoke {
        /// Call.
        call: Box<Call>,
        /// Block after a return.
        normal: BlockId,
        /// Block after an unwind.
        unwind: BlockId,
    },
    /// Goes on unwinding.
    Resume(Value),
    /// Never reached.
    Unreachable,
    /// An instruction that the model knows by its text only; reaching it is an error.
    Unsupported(Box<Unsupported>),
}

/// A call's callee and arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// What is called.
    pub callee: Callee,
    /// The function type that the call assumes.
    pub function_ty: TypeId,
    /// Arguments.
    pub args: Box<[Value]>,
    /// Attributes of each argument; empty if none has any.
    pub arg_attrs: Box<[AttrsId]>,
    /// Attributes of the result.
    pub result_attrs: AttrsId,
    /// Attributes of the call.
    pub attrs: AttrsId,
    /// Calling convention; 0 is C.
    pub convention: u32,
    /// Tail-call marker.
    pub tail: Tail,
    /// Fast-math flags.
    pub flags: Flags,
    /// Operand bundles.
    pub bundles: Box<[Bundle]>,
}

/// What a call calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Callee {
    /// A function, often a constant symbol.
    Value(Value),
    /// Inline assembly, as text from `asm` to the end of its constraints.
    Asm(StrId),
}

/// Extra operands of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Bundle {
    /// Tag.
    pub tag: StrId,
    /// Operands with their types.
    pub operands: Box<[(TypeId, Value)]>,
}

/// Tail-call markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tail {
    /// None.
    None,
    /// May be a tail call.
    Tail,
    /// Must be a tail call.
    MustTail,
    /// Must not be a tail call.
    NoTail,
}

/// `atomicrmw`.
#[derive(Clone, Debug, PartialEq)]
pub struct AtomicRmw {
    /// Operation's keyword, such as `xchg` or `add`.
    pub op: RmwOp,
    /// Address.
    pub ptr: Value,
    /// Operand.
    pub value: Value,
    /// How.
    pub access: Access,
}

/// `cmpxchg`.
#[derive(Clone, Debug, PartialEq)]
pub struct CompareExchange {
    /// Address.
    pub ptr: Value,
    /// Expected value.
    pub expected: Value,
    /// New value.
    pub new: Value,
    /// How, with the ordering of success.
    pub access: Access,
    /// Ordering of failure.
    pub failure: Ordering,
    /// Whether it may fail for no reason.
    pub weak: bool,
}

/// A clause of a landing pad.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// `filter` instead of `catch`.
    pub filter: bool,
    /// Type of the constant.
    pub ty: TypeId,
    /// Type information, or an array of it for a filter.
    pub value: Value,
}

/// Alignment, as the power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Align(pub u8);

impl Align {
    /// Alignment of `bytes`, which must be a power of two.
    pub fn from_bytes(bytes: u64) -> Option<Align> {
        bytes.is_power_of_two().then(|| Align(bytes.trailing_zeros() as u8))
    }

    /// Alignment in bytes.
    pub fn bytes(self) -> u64 {
        1u64.checked_shl(u32::from(self.0)).unwrap_or(1 << 63)
    }
}

/// How memory is read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Access {
    /// Alignment that may be assumed.
    pub align: Option<Align>,
    /// Whether each access is observable.
    pub volatile: bool,
    /// Ordering of an atomic access.
    pub ordering: Option<Ordering>,
    /// Synchronisation scope of an atomic access, if not the whole system.
    pub scope: Option<StrId>,
}

macro_rules! keywords {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $($(#[$vdoc])* $variant,)* }

        impl $name {
            /// The keyword in LLVM IR.
            pub fn keyword(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// What a keyword stands for.
            pub fn from_keyword(keyword: &str) -> Option<$name> {
                match keyword { $($text => Some($name::$variant),)* _ => None }
            }
        }
    };
}

keywords! {
    /// Memory orderings.
    Ordering {
        /// No tearing.
        Unordered = "unordered",
        /// Per-location order.
        Monotonic = "monotonic",
        /// Acquire.
        Acquire = "acquire",
        /// Release.
        Release = "release",
        /// Acquire and release.
        AcqRel = "acq_rel",
        /// Sequentially consistent.
        SeqCst = "seq_cst",
    }
}

keywords! {
    /// Operations of `atomicrmw`.
    RmwOp {
        /// Exchange.
        Xchg = "xchg",
        /// Addition.
        Add = "add",
        /// Subtraction.
        Sub = "sub",
        /// Bitwise and.
        And = "and",
        /// Negated bitwise and.
        Nand = "nand",
        /// Bitwise or.
        Or = "or",
        /// Bitwise exclusive or.
        Xor = "xor",
        /// Signed maximum.
        Max = "max",
        /// Signed minimum.
        Min = "min",
        /// Unsigned maximum.
        UMax = "umax",
        /// Unsigned minimum.
        UMin = "umin",
        /// Floating-point addition.
        FAdd = "fadd",
        /// Floating-point subtraction.
        FSub = "fsub",
        /// Floating-point maximum.
        FMax = "fmax",
        /// Floating-point minimum.
        FMin = "fmin",
        /// Floating-point maximum that keeps NaN.
        FMaximum = "fmaximum",
        /// Floating-point minimum that keeps NaN.
        FMinimum = "fminimum",
        /// Increment that wraps at the operand.
        UIncWrap = "uinc_wrap",
        /// Decrement that wraps at the operand.
        UDecWrap = "udec_wrap",
        /// Subtraction if it does not wrap.
        USubCond = "usub_cond",
        /// Subtraction that stops at zero.
        USubSat = "usub_sat",
    }
}

keywords! {
    /// Arithmetic.
    BinaryOp {
        /// Integer addition.
        Add = "add",
        /// Integer subtraction.
        Sub = "sub",
        /// Integer multiplication.
        Mul = "mul",
        /// Unsigned division.
        UDiv = "udiv",
        /// Signed division.
        SDiv = "sdiv",
        /// Unsigned remainder.
        URem = "urem",
        /// Signed remainder.
        SRem = "srem",
        /// Left shift.
        Shl = "shl",
        /// Logical right shift.
        LShr = "lshr",
        /// Arithmetic right shift.
        AShr = "ashr",
        /// Bitwise and.
        And = "and",
        /// Bitwise or.
        Or = "or",
        /// Bitwise exclusive or.
        Xor = "xor",
        /// Floating-point addition.
        FAdd = "fadd",
        /// Floating-point subtraction.
        FSub = "fsub",
        /// Floating-point multiplication.
        FMul = "fmul",
        /// Floating-point division.
        FDiv = "fdiv",
        /// Floating-point remainder.
        FRem = "frem",
    }
}

keywords! {
    /// Conversions.
    CastOp {
        /// Drops high bits.
        Trunc = "trunc",
        /// Extends with zeros.
        ZExt = "zext",
        /// Extends with the sign.
        SExt = "sext",
        /// Float to unsigned integer.
        FpToUi = "fptoui",
        /// Float to signed integer.
        FpToSi = "fptosi",
        /// Unsigned integer to float.
        UiToFp = "uitofp",
        /// Signed integer to float.
        SiToFp = "sitofp",
        /// Float to a narrower float.
        FpTrunc = "fptrunc",
        /// Float to a wider float.
        FpExt = "fpext",
        /// Pointer to integer.
        PtrToInt = "ptrtoint",
        /// Address of a pointer, without its provenance.
        PtrToAddr = "ptrtoaddr",
        /// Integer to pointer.
        IntToPtr = "inttoptr",
        /// Same bits, another type; never between pointers.
        BitCast = "bitcast",
        /// Pointer of another address space.
        AddrSpaceCast = "addrspacecast",
    }
}

/// Comparisons; the first letter tells signedness or, for floats, ordered (`O`) and unordered (`U`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Predicate {
    /// `icmp`.
    Int(IntPredicate),
    /// `fcmp`.
    Float(FloatPredicate),
}

keywords! {
    /// Comparisons of integers and pointers.
    IntPredicate {
        /// Equal.
        Eq = "eq",
        /// Not equal.
        Ne = "ne",
        /// Unsigned greater.
        Ugt = "ugt",
        /// Unsigned greater or equal.
        Uge = "uge",
        /// Unsigned less.
        Ult = "ult",
        /// Unsigned less or equal.
        Ule = "ule",
        /// Signed greater.
        Sgt = "sgt",
        /// Signed greater or equal.
        Sge = "sge",
        /// Signed less.
        Slt = "slt",
        /// Signed less or equal.
        Sle = "sle",
    }
}

keywords! {
    /// Comparisons of floats: `o…` is false and `u…` is true if an operand is NaN.
    FloatPredicate {
        /// Never.
        False = "false",
        /// Ordered and equal.
        Oeq = "oeq",
        /// Ordered and greater.
        Ogt = "ogt",
        /// Ordered and greater or equal.
        Oge = "oge",
        /// Ordered and less.
        Olt = "olt",
        /// Ordered and less or equal.
        Ole = "ole",
        /// Ordered and not equal.
        One = "one",
        /// Neither is NaN.
        Ord = "ord",
        /// Unordered or equal.
        Ueq = "ueq",
        /// Unordered or greater.
        Ugt = "ugt",
        /// Unordered or greater or equal.
        Uge = "uge",
        /// Unordered or less.
        Ult = "ult",
        /// Unordered or less or equal.
        Ule = "ule",
        /// Unordered or not equal.
        Une = "une",
        /// One is NaN.
        Uno = "uno",
        /// Always.
        True = "true",
    }
}

bitflags::bitflags! {
    /// Flags of an instruction under which its result may be poison, and fast-math permissions.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
    pub struct Flags: u16 {
        /// No unsigned wrap.
        const NUW = 1;
        /// No signed wrap.
        const NSW = 1 << 1;
        /// No remainder, no lost bits.
        const EXACT = 1 << 2;
        /// Operands of `or` have no common bit.
        const DISJOINT = 1 << 3;
        /// Operand is not negative.
        const NNEG = 1 << 4;
        /// Operands have the same sign.
        const SAMESIGN = 1 << 5;
        /// Address stays inside its object.
        const INBOUNDS = 1 << 6;
        /// Address computation does not wrap, offsets signed.
        const NUSW = 1 << 7;
        /// No NaN.
        const NNAN = 1 << 8;
        /// No infinity.
        const NINF = 1 << 9;
        /// Sign of zero does not matter.
        const NSZ = 1 << 10;
        /// Reciprocal allowed.
        const ARCP = 1 << 11;
        /// Contraction allowed.
        const CONTRACT = 1 << 12;
        /// Approximate functions allowed.
        const AFN = 1 << 13;
        /// Reassociation allowed.
        const REASSOC = 1 << 14;
    }
}

impl Flags {
    /// Every fast-math flag.
    pub const FAST: Flags = Flags::NNAN
        .union(Flags::NINF)
        .union(Flags::NSZ)
        .union(Flags::ARCP)
        .union(Flags::CONTRACT)
        .union(Flags::AFN)
        .union(Flags::REASSOC);
}

/// Says what a source variable is from here on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marker {
    /// How `value` relates to the variable.
    pub kind: MarkerKind,
    /// Address or value; `None` if the variable has no known value any more.
    pub value: Option<Value>,
    /// Variable.
    pub variable: VarId,
    /// How to get from `value` to the variable; `None` if it is the variable itself.
    pub expr: Option<ExprId>,
}

/// How a marker's value relates to its variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MarkerKind {
    /// The variable lives at that address for the whole function.
    Declare,
    /// The variable has that value from here on.
    Assign,
}

/// An instruction that the model knows by its text only.
#[derive(Clone, Debug, PartialEq)]
pub struct Unsupported {
    /// The instruction's text.
    pub text: StrId,
    /// Whether it ends its block; the text then names no block that the model knows.
    pub terminator: bool,
}
