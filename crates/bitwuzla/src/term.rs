//! Sorts and terms, as plain data and as Bitwuzla's.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use crate::{Error, MAX_WIDTH, sys};

/// What a term can have as its value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// True or false.
    Bool,
    /// So many bits, at least one and at most [`MAX_WIDTH`].
    BitVec(u32),
    /// A float of IEEE 754 with 16, 32, 64 or 128 bits.
    Float {
        /// The bits of the exponent.
        exponent: u32,
        /// The bits of the significand, with the one that is not stored.
        significand: u32,
    },
    /// One of [`RoundingMode`].
    RoundingMode,
    /// From the first, which is a bit-vector, to the second, which is no function.
    Array(Box<Sort>, Box<Sort>),
    /// From at least one argument to a result; none of them is an array or a function.
    Function(Vec<Sort>, Box<Sort>),
}

/// How a float is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum RoundingMode {
    /// To the nearest, ties to even.
    NearestEven,
    /// To the nearest, ties away from zero.
    NearestAway,
    /// Down.
    TowardNegative,
    /// Up.
    TowardPositive,
    /// Towards zero.
    TowardZero,
}

/// What a term does with its arguments, as SMT-LIB defines it.
///
/// Where nothing else is said the arguments have the same sort, and `And`, `Or`, `Xor`, `Implies`, `Equal`, `Distinct`,
/// `BvAnd`, `BvOr`, `BvXor`, `BvAdd`, `BvMul`, `BvConcat` and the comparisons of floats take two or more.
// In the order of `KINDS` in `shim.cpp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Kind {
    /// `not`
    Not,
    /// `and`
    And,
    /// `or`
    Or,
    /// `xor`
    Xor,
    /// `=>`
    Implies,
    /// `=`, of any sort but functions; of floats it is the equality of their values, with one NaN and two zeros.
    Equal,
    /// `distinct`
    Distinct,
    /// `ite`: a Boolean, then two of any sort but functions.
    Ite,
    /// A function, then its arguments.
    Apply,
    /// `select`: an array, an index.
    Select,
    /// `store`: an array, an index, an element.
    Store,
    /// `bvnot`
    BvNot,
    /// `bvand`
    BvAnd,
    /// `bvor`
    BvOr,
    /// `bvxor`
    BvXor,
    /// `bvneg`
    BvNeg,
    /// `bvadd`
    BvAdd,
    /// `bvsub`
    BvSub,
    /// `bvmul`
    BvMul,
    /// `bvudiv`; by zero: all ones.
    BvUdiv,
    /// `bvurem`; by zero: the dividend.
    BvUrem,
    /// `bvsdiv`, towards zero; by zero: minus one, or one for a negative dividend.
    BvSdiv,
    /// `bvsrem`, with the sign of the dividend; by zero: the dividend.
    BvSrem,
    /// `bvsmod`, with the sign of the divisor; by zero: the dividend.
    BvSmod,
    /// `bvshl`; by the width or more: zero.
    BvShl,
    /// `bvlshr`; by the width or more: zero.
    BvLshr,
    /// `bvashr`; by the width or more: the sign in all bits.
    BvAshr,
    /// `bvult`
    BvUlt,
    /// `bvule`
    BvUle,
    /// `bvugt`
    BvUgt,
    /// `bvuge`
    BvUge,
    /// `bvslt`
    BvSlt,
    /// `bvsle`
    BvSle,
    /// `bvsgt`
    BvSgt,
    /// `bvsge`
    BvSge,
    /// `bvcomp`: equality as one bit.
    BvComp,
    /// `bvredand`: whether all bits are set, as one bit.
    BvRedAnd,
    /// `bvredor`: whether some bit is set, as one bit.
    BvRedOr,
    /// `bvredxor`: whether the number of bits set is odd, as one bit.
    BvRedXor,
    /// `bvnego`: whether the negation overflows.
    BvNegOverflow,
    /// `bvuaddo`
    BvUaddOverflow,
    /// `bvsaddo`
    BvSaddOverflow,
    /// `bvusubo`
    BvUsubOverflow,
    /// `bvssubo`
    BvSsubOverflow,
    /// `bvumulo`
    BvUmulOverflow,
    /// `bvsmulo`
    BvSmulOverflow,
    /// `bvsdivo`
    BvSdivOverflow,
    /// `concat`, the most significant first.
    BvConcat,
    /// `extract`; indices: the highest and the lowest bit, both included.
    BvExtract,
    /// `zero_extend`; index: how many bits more.
    BvZeroExtend,
    /// `sign_extend`; index: how many bits more.
    BvSignExtend,
    /// `fp`: sign, exponent and the stored significand, as bit-vectors.
    Fp,
    /// `fp.abs`
    FpAbs,
    /// `fp.neg`
    FpNeg,
    /// `fp.add`: a rounding mode, two floats.
    FpAdd,
    /// `fp.sub`: a rounding mode, two floats.
    FpSub,
    /// `fp.mul`: a rounding mode, two floats.
    FpMul,
    /// `fp.div`: a rounding mode, two floats.
    FpDiv,
    /// `fp.fma`: a rounding mode, three floats: the first times the second plus the third, rounded once.
    FpFma,
    /// `fp.sqrt`: a rounding mode, a float.
    FpSqrt,
    /// `fp.rem`: the remainder of IEEE 754, whose quotient is rounded to the nearest.
    FpRem,
    /// `fp.roundToIntegral`: a rounding mode, a float.
    FpRti,
    /// `fp.min`; of two zeros: either.
    FpMin,
    /// `fp.max`; of two zeros: either.
    FpMax,
    /// `fp.eq`, the equality of IEEE 754: zeros are equal, NaN is not.
    FpEqual,
    /// `fp.lt`
    FpLt,
    /// `fp.leq`
    FpLe,
    /// `fp.gt`
    FpGt,
    /// `fp.geq`
    FpGe,
    /// `fp.isNaN`
    FpIsNan,
    /// `fp.isInfinite`
    FpIsInf,
    /// `fp.isZero`
    FpIsZero,
    /// `fp.isNormal`
    FpIsNormal,
    /// `fp.isSubnormal`
    FpIsSubnormal,
    /// `fp.isNegative`; not so for NaN.
    FpIsNeg,
    /// `fp.isPositive`; not so for NaN.
    FpIsPos,
    /// `to_fp` of the bits of IEEE 754; indices: exponent, significand.
    FpFromBits,
    /// `to_fp`: a rounding mode, a float of another format; indices: exponent, significand.
    FpFromFp,
    /// `to_fp`: a rounding mode, a signed number; indices: exponent, significand.
    FpFromSigned,
    /// `to_fp_unsigned`: a rounding mode, an unsigned number; indices: exponent, significand.
    FpFromUnsigned,
    /// `fp.to_sbv`: a rounding mode, a float; index: the width. What does not fit gives any value, but the same one each
    /// time.
    FpToSigned,
    /// `fp.to_ubv`: a rounding mode, a float; index: the width. What does not fit gives any value, but the same one each
    /// time.
    FpToUnsigned,
}

/// Makes terms. Copies are the same manager.
#[derive(Clone)]
pub struct TermManager(Rc<sys::Manager>);

/// A term. Equal terms of one manager are the same term; copies are cheap.
#[derive(Clone)]
pub struct Term(Rc<sys::Term>);

impl Sort {
    /// `half` of LLVM.
    pub const F16: Self = Self::Float { exponent: 5, significand: 11 };
    /// `float` of C.
    pub const F32: Self = Self::Float { exponent: 8, significand: 24 };
    /// `double` of C.
    pub const F64: Self = Self::Float { exponent: 11, significand: 53 };
    /// `fp128` of LLVM.
    pub const F128: Self = Self::Float { exponent: 15, significand: 113 };
}

impl TermManager {
    /// A new manager, without terms.
    pub fn new() -> Result<Self, Error> {
        Ok(Self(sys::Manager::new()?))
    }

    /// A new unknown; the name is for those who read, and need not be unique.
    pub fn symbol(&self, sort: &Sort, name: &str) -> Result<Term, Error> {
        term(sys::Term::symbol(&self.sort(sort, 0)?, name))
    }

    /// A Boolean constant.
    pub fn bool_value(&self, value: bool) -> Result<Term, Error> {
        term(sys::Term::bool(&self.0, value))
    }

    /// A constant bit-vector; the value must fit.
    pub fn bv_value(&self, width: u32, value: u64) -> Result<Term, Error> {
        term(sys::Term::bv(&self.0, width, value))
    }

    /// A constant bit-vector from words, the least significant first; missing ones are zero, and the value must fit.
    pub fn wide_value(&self, width: u32, words: &[u64]) -> Result<Term, Error> {
        if width > MAX_WIDTH {
            return Err(Error::Rejected("the bit-vector is too wide".to_string()));
        }
        let width_of_value = (0..words.len() * 64).rev().find(|at| bit(words, *at)).map_or(0, |at| at + 1);
        if width_of_value > width as usize {
            return Err(Error::Rejected(format!("the value has {width_of_value} bits and does not fit into {width}")));
        }
        let digits: String = (0..width as usize).rev().map(|at| if bit(words, at) { '1' } else { '0' }).collect();
        term(sys::Term::wide_bv(&self.0, width, &digits))
    }

    /// A constant rounding mode.
    pub fn rounding_mode(&self, mode: RoundingMode) -> Result<Term, Error> {
        term(sys::Term::rm(&self.0, mode as u32))
    }

    /// An array of this sort with the same element everywhere.
    pub fn const_array(&self, sort: &Sort, element: &Term) -> Result<Term, Error> {
        term(sys::Term::const_array(&self.sort(sort, 0)?, &element.0))
    }

    /// A term of a kind without indices.
    pub fn term(&self, kind: Kind, args: &[&Term]) -> Result<Term, Error> {
        self.indexed(kind, args, &[])
    }

    /// A term of a kind with indices.
    pub fn indexed(&self, kind: Kind, args: &[&Term], indices: &[u32]) -> Result<Term, Error> {
        let indices: Vec<u64> = indices.iter().map(|index| u64::from(*index)).collect();
        term(sys::Term::new(&self.0, kind as u32, args.iter().map(|arg| &*arg.0), &indices))
    }

    pub(crate) fn raw(&self) -> &Rc<sys::Manager> {
        &self.0
    }

    fn sort(&self, sort: &Sort, depth: u32) -> Result<sys::Sort, Error> {
        if depth > MAX_SORT_DEPTH {
            return Err(Error::Rejected("the sort is nested too deeply".to_string()));
        }
        let inner = |sort: &Sort| self.sort(sort, depth + 1);
        match sort {
            Sort::Bool => sys::Sort::bool(&self.0),
            Sort::BitVec(width) => sys::Sort::bv(&self.0, *width),
            Sort::Float { exponent, significand } => sys::Sort::fp(&self.0, *exponent, *significand),
            Sort::RoundingMode => sys::Sort::rm(&self.0),
            Sort::Array(index, element) => sys::Sort::array(&inner(index)?, &inner(element)?),
            Sort::Function(domain, codomain) => {
                let domain = domain.iter().map(inner).collect::<Result<Vec<_>, _>>()?;
                sys::Sort::fun(&domain, &inner(codomain)?)
            }
        }
    }
}

/// How deeply arrays of arrays may be nested.
const MAX_SORT_DEPTH: u32 = 32;

impl Term {
    /// A number that no other term of the manager has, nor ever had.
    pub fn id(&self) -> u64 {
        self.0.id()
    }

    pub(crate) fn raw(&self) -> &sys::Term {
        &self.0
    }
}

impl PartialEq for Term {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id() && self.0.is_of(other.0.manager())
    }
}

impl Eq for Term {}

impl Hash for Term {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id().hash(state);
    }
}

impl fmt::Display for Term {
    /// As SMT-LIB writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text().map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for TermManager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TermManager")
    }
}

fn term(made: Result<sys::Term, Error>) -> Result<Term, Error> {
    made.map(Rc::new).map(Term)
}

fn bit(words: &[u64], at: usize) -> bool {
    words.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
}
