//! Attributes of functions, parameters and results.
//!
//! Only attributes that change what a program does, what may be assumed of an input, or what code
//! generation needs are kept; all others are skipped by the parser, known or not.

use crate::id::{StrId, TypeId};

/// One attribute that the model keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Attr {
    /// An attribute without a value.
    Flag(AttrFlag),
    /// The pointer is aligned to that many bytes.
    Align(u64),
    /// Alignment of the stack frame or of a stack-passed argument.
    AlignStack(u64),
    /// So many bytes behind the pointer can be read.
    Dereferenceable(u64),
    /// Null, or so many bytes can be read.
    DereferenceableOrNull(u64),
    /// The result is returned through this pointer.
    Sret(TypeId),
    /// The argument is a copy made by the caller.
    ByVal(TypeId),
    /// The argument is memory of that type.
    ByRef(TypeId),
    /// Windows: the argument is memory allocated by the caller.
    InAlloca(TypeId),
    /// Type behind the pointer, for intrinsics that need it.
    ElementType(TypeId),
    /// An integer is in the half-open, wrapping range.
    Range {
        /// Number of bits.
        width: u32,
        /// First value.
        low: u128,
        /// First value after the range.
        high: u128,
    },
    /// What memory the function touches.
    Memory(MemoryEffects),
    /// The argument numbers that give size and, optionally, count of the allocation returned.
    AllocSize(u32, Option<u32>),
    /// An attribute with a text value, such as `"target-features"`.
    Text(StrId, Option<StrId>),
    /// A group `#n` that is not yet resolved; never present after parsing.
    Group(u32),
}

macro_rules! attr_flags {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// Attributes without a value.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum AttrFlag { $($(#[$doc])* $name,)* }

        impl AttrFlag {
            /// The attribute's keyword in LLVM IR.
            pub fn keyword(self) -> &'static str {
                match self { $(AttrFlag::$name => $text,)* }
            }

            /// The attribute of a keyword, if the model keeps it.
            pub fn from_keyword(keyword: &str) -> Option<AttrFlag> {
                match keyword { $($text => Some(AttrFlag::$name),)* _ => None }
            }
        }
    };
}

attr_flags! {
    /// The value is zero-extended by the convention.
    ZeroExt = "zeroext",
    /// The value is sign-extended by the convention.
    SignExt = "signext",
    /// Passed in a register.
    InReg = "inreg",
    /// Static chain.
    Nest = "nest",
    /// This argument is also the result.
    Returned = "returned",
    /// Not aliased by other arguments.
    NoAlias = "noalias",
    /// Never null.
    NonNull = "nonnull",
    /// Never undefined.
    NoUndef = "noundef",
    /// Only read through.
    ReadOnly = "readonly",
    /// Neither read nor written through.
    ReadNone = "readnone",
    /// Only written through.
    WriteOnly = "writeonly",
    /// Swift's self.
    SwiftSelf = "swiftself",
    /// Swift's error.
    SwiftError = "swifterror",
    /// Swift's async context.
    SwiftAsync = "swiftasync",
    /// A constant argument.
    ImmArg = "immarg",
    /// Does not return.
    NoReturn = "noreturn",
    /// Does not unwind.
    NoUnwind = "nounwind",
    /// Always returns.
    WillReturn = "willreturn",
    /// May return twice, like `setjmp`.
    ReturnsTwice = "returns_twice",
    /// Has no prologue or epilogue.
    Naked = "naked",
    /// Always inlined.
    AlwaysInline = "alwaysinline",
    /// Never inlined.
    NoInline = "noinline",
    /// Not optimised.
    OptNone = "optnone",
    /// Floating-point environment matters.
    StrictFp = "strictfp",
    /// Rarely called.
    Cold = "cold",
    /// Not treated as a library function.
    NoBuiltin = "nobuiltin",
    /// Treated as a library function.
    Builtin = "builtin",
    /// Depends on other threads' control flow.
    Convergent = "convergent",
    /// Null is a valid address.
    NullPointerIsValid = "null_pointer_is_valid",
    /// Has an unwind table.
    UwTable = "uwtable",
    /// A coroutine that is not taken apart yet.
    PresplitCoroutine = "presplitcoroutine",
}

/// What memory a function touches, as far as the model distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryEffects {
    /// None at all.
    None,
    /// Reads only.
    Read,
    /// Writes only.
    Write,
    /// Reads and writes through pointer arguments only, or memory no one else sees.
    Arguments,
    /// Reads through pointer arguments only.
    ReadArguments,
    /// Anything.
    Any,
}

/// A set of attributes, in order of appearance.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct AttrSet(pub Box<[Attr]>);

impl AttrSet {
    /// Whether the set has that flag.
    pub fn has(&self, flag: AttrFlag) -> bool {
        self.0.contains(&Attr::Flag(flag))
    }
}
