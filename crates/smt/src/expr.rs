//! What an expression is: a constant, held in place, or a term of a [`Pool`](crate::pool::Pool).
//!
//! There is one sort of value, the bit-vector. A truth value is a bit-vector of width 1, a float is
//! the bit-vector of its IEEE bits. Arrays map 64-bit indices to bit-vectors and occur only as
//! operands of reads and writes.

use std::fmt;
use std::num::NonZeroU32;

/// A bit-vector: a constant of up to 64 bits in place, or a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Expr {
    /// A constant of at most 64 bits.
    Const {
        /// Value, zero-extended.
        bits: u64,
        /// Width in bits, 1 to 64.
        width: u32,
    },
    /// A term; wider constants are terms too.
    Term(TermId),
}

/// A term of a pool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(NonZeroU32);

/// An array of a pool: indices of 64 bits to elements of one width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ArrayId(pub TermId);

/// A symbol: a value that the solver may choose.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SymbolId(pub u32);

/// An uninterpreted function: equal arguments, equal result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FunctionId(pub u32);

impl Expr {
    /// The constant `bits` of that width, cut to it.
    pub fn constant(bits: u64, width: u32) -> Expr {
        Expr::Const { bits: bits & mask(width), width }
    }

    /// A truth value.
    pub fn bool(value: bool) -> Expr {
        Expr::constant(u64::from(value), 1)
    }

    /// The value if it is a constant of at most 64 bits.
    pub fn as_const(self) -> Option<u64> {
        match self {
            Expr::Const { bits, .. } => Some(bits),
            Expr::Term(_) => None,
        }
    }

    /// Whether it is the constant true.
    pub fn is_true(self) -> bool {
        self == Expr::bool(true)
    }

    /// Whether it is the constant false.
    pub fn is_false(self) -> bool {
        self == Expr::bool(false)
    }
}

/// A value of `width` bits as a signed number.
pub fn signed(bits: u64, width: u32) -> i64 {
    let unused = 64 - width.clamp(1, 64);
    ((bits << unused) as i64) >> unused
}

/// Ones in the lowest `width` bits.
pub fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

impl TermId {
    /// The id of the `index`-th term.
    pub(crate) fn from_index(index: usize) -> TermId {
        let raw = u32::try_from(index + 1).unwrap_or(u32::MAX);
        TermId(NonZeroU32::new(raw).unwrap_or(NonZeroU32::MIN))
    }

    /// Position of the term in its pool.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

impl fmt::Debug for TermId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.index())
    }
}

impl fmt::Debug for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Const { bits, width } => write!(f, "{bits}:{width}"),
            Expr::Term(id) => write!(f, "{id:?}"),
        }
    }
}

/// What a term does with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A symbol.
    Symbol(SymbolId),
    /// A constant of more than 64 bits; its words are in the pool.
    Wide(u32),

    /// Every bit inverted.
    Not,
    /// Two's complement.
    Neg,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Addition modulo 2^width.
    Add,
    /// Subtraction modulo 2^width.
    Sub,
    /// Multiplication modulo 2^width.
    Mul,
    /// Unsigned division; by zero all ones.
    UDiv,
    /// Unsigned remainder; by zero the dividend.
    URem,
    /// Signed division, rounded to zero; by zero 1 or -1, against the dividend's sign.
    SDiv,
    /// Signed remainder, with the dividend's sign; by zero the dividend.
    SRem,
    /// Left shift; zero if the distance is the width or more.
    Shl,
    /// Logical right shift; zero if the distance is the width or more.
    LShr,
    /// Arithmetic right shift; all sign bits if the distance is the width or more.
    AShr,

    /// Equality, 1 bit.
    Eq,
    /// Unsigned less, 1 bit.
    Ult,
    /// Unsigned less or equal, 1 bit.
    Ule,
    /// Signed less, 1 bit.
    Slt,
    /// Signed less or equal, 1 bit.
    Sle,

    /// The second operand if the first one is 1, else the third.
    Ite,
    /// The first operand above the second.
    Concat,
    /// Bits from `low` on, as many as the term is wide.
    Extract {
        /// Lowest bit.
        low: u32,
    },
    /// Zeros above the operand.
    ZExt,
    /// The sign above the operand.
    SExt,

    /// An array that the solver may choose.
    ArraySymbol(SymbolId),
    /// An array of known elements; they are in the pool. Elements beyond them are zero.
    ArrayTable(u32),
    /// The first operand, an array, with the element at the second replaced by the third.
    Store,
    /// The element of the first operand, an array, at the second.
    Select,

    /// An uninterpreted function of operands that are in the pool.
    Apply {
        /// Function.
        function: FunctionId,
        /// Where its operands are.
        args: u32,
    },

    /// A floating-point operation.
    Float(FloatOp),
}

/// Floating-point operations on IEEE bits. Results that are no number are the format's default NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatOp {
    /// Addition.
    Add(FloatFormat, Rounding),
    /// Subtraction.
    Sub(FloatFormat, Rounding),
    /// Multiplication.
    Mul(FloatFormat, Rounding),
    /// Division.
    Div(FloatFormat, Rounding),
    /// Remainder with the quotient rounded to zero, as C's `fmod`.
    Rem(FloatFormat),
    /// First times second plus third, rounded once.
    Fma(FloatFormat, Rounding),
    /// Square root.
    Sqrt(FloatFormat, Rounding),
    /// Nearest integral number in a direction.
    RoundToIntegral(FloatFormat, Rounding),
    /// Ordered and equal, 1 bit.
    Eq(FloatFormat),
    /// Ordered and less, 1 bit.
    Lt(FloatFormat),
    /// Ordered and less or equal, 1 bit.
    Le(FloatFormat),
    /// Whether it is no number, 1 bit.
    IsNan(FloatFormat),
    /// To another format.
    Convert {
        /// Format of the operand.
        from: FloatFormat,
        /// Format of the result.
        to: FloatFormat,
        /// Rounding.
        rounding: Rounding,
    },
    /// From an integer.
    FromInt {
        /// Format of the result.
        to: FloatFormat,
        /// Whether the integer is signed.
        signed: bool,
        /// Rounding.
        rounding: Rounding,
    },
    /// To an integer, rounded to zero; any value if it does not fit.
    ToInt {
        /// Format of the operand.
        from: FloatFormat,
        /// Whether the integer is signed.
        signed: bool,
    },
}

/// IEEE formats by their widths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatFormat {
    /// 16 bits, 5 of exponent.
    Half,
    /// 16 bits, 8 of exponent.
    BFloat,
    /// 32 bits.
    Single,
    /// 64 bits.
    Double,
    /// 128 bits.
    Quad,
}

impl FloatFormat {
    /// Total number of bits.
    pub fn width(self) -> u32 {
        match self {
            FloatFormat::Half | FloatFormat::BFloat => 16,
            FloatFormat::Single => 32,
            FloatFormat::Double => 64,
            FloatFormat::Quad => 128,
        }
    }

    /// Number of bits of the exponent.
    pub fn exponent(self) -> u32 {
        match self {
            FloatFormat::Half => 5,
            FloatFormat::BFloat | FloatFormat::Single => 8,
            FloatFormat::Double => 11,
            FloatFormat::Quad => 15,
        }
    }

    /// Number of bits of the significand, the hidden one included.
    pub fn significand(self) -> u32 {
        self.width() - self.exponent()
    }
}

/// Rounding directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rounding {
    /// To nearest, ties to even.
    NearestEven,
    /// To nearest, ties away from zero.
    NearestAway,
    /// Up.
    Up,
    /// Down.
    Down,
    /// To zero.
    Zero,
}
