//! What a register or a place in memory holds.

use crate::code::MAX_WIDTH;
use smt::expr::{Expr, FloatFormat};
use std::sync::Arc;

/// A value of a running program.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An integer, or the bits of a float.
    Bits(Expr),
    /// A pointer, or an integer that was made of one: provenance goes through `ptrtoint` and back, so a difference of two
    /// pointers into one object never depends on where that object lies.
    Ptr(Pointer),
    /// Elements of an aggregate or vector.
    Many(Arc<[Value]>),
    /// Any value at all; it becomes a symbol of its own when something needs it.
    Undef,
    /// A value that was not computed, because what computes it was skipped; which skip that was. Like an undefined one it
    /// becomes a symbol when something needs it, and that symbol is known as one that no decision may depend on.
    Skipped(u32),
}

/// An address: a distance from the beginning of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pointer {
    /// Object, or [`ObjectId::NONE`] for a plain number.
    pub object: ObjectId,
    /// Distance in bytes, 64 bits.
    pub offset: Expr,
}

/// An object in memory. Functions and global variables have the first ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

impl ObjectId {
    /// No object: the distance of such a pointer is its address.
    pub const NONE: ObjectId = ObjectId(0);
}

impl Pointer {
    /// The null pointer.
    pub const NULL: Pointer = Pointer { object: ObjectId::NONE, offset: Expr::Const { bits: 0, width: 64 } };

    /// The beginning of an object.
    pub fn to(object: ObjectId) -> Pointer {
        Pointer { object, offset: Expr::Const { bits: 0, width: 64 } }
    }
}

impl Value {
    /// A constant of at most 64 bits.
    pub fn int(bits: u64, width: u32) -> Value {
        Value::Bits(Expr::constant(bits, width))
    }

    /// The null pointer.
    pub const NULL: Value = Value::Ptr(Pointer::NULL);
}

/// How a type lies in memory, as far as reading and writing it needs.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// An integer.
    Int {
        /// Width of the value.
        bits: u32,
        /// Bytes in memory.
        bytes: u32,
    },
    /// A float.
    Float {
        /// Its format; `None` for one that only constants can be computed with.
        format: Option<FloatFormat>,
        /// Width of the value.
        bits: u32,
        /// Bytes in memory.
        bytes: u32,
    },
    /// A pointer.
    Ptr,
    /// Elements with their distances.
    Many {
        /// Distance in bytes and shape of each element.
        elements: Arc<[(u64, Shape)]>,
        /// Bytes in memory.
        size: u64,
        /// Whether the elements are packed bits of one number, as in a vector of `i1`.
        packed_bits: bool,
    },
    /// No value.
    Void,
    /// A type that the model knows by name only.
    Opaque,
}

impl Shape {
    /// Bytes that a value takes in memory.
    pub fn size(&self) -> u64 {
        match self {
            Shape::Int { bytes, .. } | Shape::Float { bytes, .. } => u64::from(*bytes),
            Shape::Ptr => 8,
            Shape::Many { size, .. } => *size,
            Shape::Void | Shape::Opaque => 0,
        }
    }

    /// Whether it is, or holds, an integer that is not computed with.
    pub fn is_too_wide(&self) -> bool {
        match self {
            Shape::Int { bits, .. } => *bits > MAX_WIDTH,
            Shape::Many { elements, .. } => {
                // Elements of arrays are all alike, and there may be many.
                let mut last = None;
                elements.iter().any(|(_, shape)| last.replace(shape) != Some(shape) && shape.is_too_wide())
            }
            _ => false,
        }
    }

    /// Width of a scalar.
    pub fn bits(&self) -> Option<u32> {
        match self {
            Shape::Int { bits, .. } | Shape::Float { bits, .. } => Some(*bits),
            Shape::Ptr => Some(64),
            _ => None,
        }
    }
}
