//! Values of registers: bits, or the parts of an aggregate or vector.

use ir::id::TypeId;
use ir::module::Module;
use ir::types::Type;
use smt::expr::Expr;
use std::rc::Rc;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Val {
    /// An integer, float or address.
    Bits(Expr),
    /// Fields, elements or lanes in order; nothing for `void`.
    Parts(Rc<[Val]>),
}

/// What bits a value of a type has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// That many bits.
    Bits(u32),
    /// Parts of these shapes.
    Parts(Vec<Shape>),
}

/// Most parts of a value that is kept in registers.
const MAX_PARTS: u64 = 4096;

/// The shape of a type; nothing if such a value is not known to fit in registers.
pub fn shape(module: &Module, ty: TypeId) -> Option<Shape> {
    shape_within(module, ty, &mut MAX_PARTS.clone(), 32)
}

fn shape_within(module: &Module, ty: TypeId, room: &mut u64, depth: u32) -> Option<Shape> {
    *room = room.checked_sub(1)?;
    let depth = depth.checked_sub(1)?;
    match module.types.resolve(ty) {
        Type::Void => Some(Shape::Parts(Vec::new())),
        Type::Int(bits) if *bits <= 16_384 => Some(Shape::Bits(*bits)),
        Type::Float(kind) => Some(Shape::Bits(kind.bits())),
        Type::Ptr(space) => Some(Shape::Bits(module.layout.pointer(*space).bits)),
        Type::Array(element, count) | Type::Vector { element, count, scalable: false } => {
            if *count > *room {
                return None;
            }
            let element = shape_within(module, *element, room, depth)?;
            *room = room.checked_sub(*count)?;
            Some(Shape::Parts(vec![element; usize::try_from(*count).ok()?]))
        }
        Type::Struct { fields, .. } => {
            let fields: Option<Vec<Shape>> =
                fields.iter().map(|field| shape_within(module, *field, room, depth)).collect();
            Some(Shape::Parts(fields?))
        }
        _ => None,
    }
}

impl Val {
    /// The value that nothing has.
    pub fn void() -> Val {
        Val::Parts(Rc::new([]))
    }

    /// The bits, if it is no aggregate.
    pub fn bits(&self) -> Option<Expr> {
        match self {
            Val::Bits(bits) => Some(*bits),
            Val::Parts(_) => None,
        }
    }

    /// The part at a position.
    pub fn part(&self, index: usize) -> Option<&Val> {
        match self {
            Val::Bits(_) => None,
            Val::Parts(parts) => parts.get(index),
        }
    }

    /// All bits in order.
    pub fn leaves(&self) -> Vec<Expr> {
        let mut found = Vec::new();
        self.each_leaf(&mut |leaf| found.push(leaf));
        found
    }

    fn each_leaf(&self, visit: &mut impl FnMut(Expr)) {
        match self {
            Val::Bits(bits) => visit(*bits),
            Val::Parts(parts) => parts.iter().for_each(|part| part.each_leaf(visit)),
        }
    }

    /// Builds a value of a shape out of its leaves, made in order.
    pub fn build(shape: &Shape, make: &mut impl FnMut(u32) -> Expr) -> Val {
        match shape {
            Shape::Bits(width) => Val::Bits(make(*width)),
            Shape::Parts(parts) => Val::Parts(parts.iter().map(|part| Val::build(part, make)).collect()),
        }
    }

    /// Builds a value out of two of the same shape, leaf by leaf; nothing if their shapes differ.
    pub fn zip(&self, other: &Val, combine: &mut impl FnMut(Expr, Expr) -> Expr) -> Option<Val> {
        match (self, other) {
            (Val::Bits(a), Val::Bits(b)) => Some(Val::Bits(combine(*a, *b))),
            (Val::Parts(a), Val::Parts(b)) if a.len() == b.len() => {
                let parts: Option<Vec<Val>> = a.iter().zip(b.iter()).map(|(a, b)| a.zip(b, combine)).collect();
                Some(Val::Parts(parts?.into()))
            }
            _ => None,
        }
    }

    /// The value with one part, at a path, replaced.
    pub fn with(&self, path: &[u32], element: &Val) -> Option<Val> {
        let Some((&first, rest)) = path.split_first() else { return Some(element.clone()) };
        let Val::Parts(parts) = self else { return None };
        let index = first as usize;
        let part = parts.get(index)?.with(rest, element)?;
        let mut parts = parts.to_vec();
        parts[index] = part;
        Some(Val::Parts(parts.into()))
    }
}
